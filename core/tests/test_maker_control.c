/*
** Step and order from series that are given coefficient by coefficient, so that the answers are
** known in closed form.
*/
#include <float.h>

#include "sim_parts.h"
#include "sims.h"

enum { ORDER = 20 };

/* A pendulum (two coordinates, one multiplier) whose span is empty, in units of time of 1/4. */
static bool start(Run *run, double tolerance) {
  const double q[] = {0.6, -0.8}, v[] = {0, 0};
  const sarrus_SimOptions options = {.tolerance = tolerance};
  if (!run_new(run, pendulum(sarrus_memory_default()), &options) ||
      !CHECK_OK(sarrus_sim_start(run->sim, 0, q, v)))
    return false;
  Maker *maker = &run->sim->maker;
  CHECK_OK(maker_begin(maker));
  maker->span.order = ORDER;
  maker->span.unit = 0.25;
  memset(maker->span.c, 0, (size_t)(3 * (maker->capacity + 2)) * sizeof *maker->span.c);
  maker->scale[0] = 2;
  maker->scale[1] = 8;
  maker->scale[2] = 16;
  const double d[] = {0.5, 1, 4};
  memcpy(maker->expansion->kkt->column, d, sizeof d);
  maker->held = maker->stats.largest = 0;
  maker->from_margin = maker->best_margin = 1;
  return true;
}

static double *coefficient(Maker *maker, int k) { return maker->span.c + (ptrdiff_t)k * 3; }

/* What scale[j] / d_j is at least, as above. */
static const double LEAST_DISPLACEMENT = 4;

/* What coefficients are kept below. */
static double aim(double tolerance) {
  return tolerance >= 4e-10 ? tolerance : tolerance * fmax(tolerance / 4e-10, 1.0 / 256);
}

/* --- steps of the motion ------------------------------------------------------------------ */

/* k x (h/unit)^k = aim, x relative to scale; of the last four coefficients, each. */
TEST(each_of_the_last_four_coefficients_bounds_the_step) {
  static const double tolerances[] = {1e-3, 4e-10, 1e-10, 1e-11, 1.6e-12, 1e-12, 1e-14};
  for (int i = 0; i < 7; i++) {
    Run run;
    if (start(&run, tolerances[i])) {
      Maker *maker = &run.sim->maker;
      const double wanted = aim(tolerances[i]);
      for (int k = ORDER - 4; k <= ORDER + 3; k++)
        for (int j = 0; j < 2; j++) {
          coefficient(maker, k)[j] = j == 0 ? -3 : 3;
          const double h = 0.25 * pow(wanted * maker->scale[j] / (3 * k), 1.0 / k);
          const int counts = k >= ORDER - 2 && k <= ORDER + 1;
          CHECK_CLOSE(maker_motion_step(maker), counts ? h : (double)INFINITY, 1e-12);
          coefficient(maker, k)[j] = 0;
        }
    }
    run_free(&run);
  }
}

/* Of several the least: sizes are chosen so that every one of four is it once. */
TEST(the_shortest_of_them_is_the_step) {
  Run run;
  if (start(&run, 1e-6)) {
    Maker *maker = &run.sim->maker;
    for (int shortest = ORDER - 2; shortest <= ORDER + 1; shortest++) {
      for (int k = ORDER - 2; k <= ORDER + 1; k++) {
        const double h = k == shortest ? 0.5 : 2; /* k x h^k = aim */
        coefficient(maker, k)[0] = 2 * 1e-6 / (k * pow(h, k));
      }
      CHECK_CLOSE(maker_motion_step(maker), 0.25 * 0.5, 1e-12);
    }
  }
  run_free(&run);
}

/* A span of order 2 has coefficients from the first on, and the constant one does not count. */
TEST(short_series) {
  Run run;
  if (start(&run, 1e-6)) {
    Maker *maker = &run.sim->maker;
    maker->span.order = 2;
    coefficient(maker, 0)[0] = 1e9;
    CHECK(isinf(maker_motion_step(maker)));
    coefficient(maker, 1)[0] = 2; /* x = 1 relative to scale */
    CHECK_CLOSE(maker_motion_step(maker), 0.25 * 1e-6, 1e-12);
  }
  run_free(&run);
}

/* Below 0.03 of the largest margin of rank, rounding is amplified: 4 eps / margin, to 1e-12. */
TEST(next_to_a_singular_position_less_is_asked_for) {
  static const double margin[] = {1, 0.06, 0.0600001, 0.0599999, 0.02, 1e-3, 1e-5};
  Run run;
  if (start(&run, 1e-12)) {
    Maker *maker = &run.sim->maker;
    maker->best_margin = 2;
    CHECK_CLOSE(maker_near_margin(maker), 0.06, 1e-15);
    coefficient(maker, ORDER + 1)[0] = 2;
    for (int i = 0; i < 7; i++) {
      maker->from_margin = margin[i];
      const int near = margin[i] < 0.06;
      const double amplified = fmin(1e-12, 4 * DBL_EPSILON * 2 / margin[i]);
      const double wanted = near ? fmax(aim(1e-12), amplified) : aim(1e-12);
      CHECK_CLOSE(maker_motion_step(maker), 0.25 * pow(wanted / (ORDER + 1), 1.0 / (ORDER + 1)),
                  1e-12);
    }
  }
  run_free(&run);
}

/* Past a pole, 1e-12 or the tolerance. */
TEST(past_a_pole_rounding_is_asked_for) {
  static const double tolerances[] = {1e-6, 1e-12, 1e-14};
  for (int i = 0; i < 3; i++) {
    Run run;
    if (start(&run, tolerances[i])) {
      Maker *maker = &run.sim->maker;
      maker->pole = 1;
      coefficient(maker, ORDER + 1)[0] = 2;
      const double wanted = fmax(tolerances[i], 1e-12);
      CHECK_CLOSE(maker_motion_step(maker), 0.25 * pow(wanted / (ORDER + 1), 1.0 / (ORDER + 1)),
                  1e-12);
      CHECK_CLOSE(maker_leap(maker), tolerances[i] < 1e-13 ? 1000 : 100, 1e-12);
    }
    run_free(&run);
  }
}

/* --- steps of the multipliers ------------------------------------------------------------- */

/*
** x / (k+1) (h/unit)^k = tolerance relative to scale; but an error that moves nothing by more than
** rounding does not count: x (h/unit)^(k+2) = eps least / unit^2, relative to d.
*/
TEST(multipliers_bound_the_step) {
  static const double tolerances[] = {1e-4, 1e-12};
  static const double sizes[] = {1e-30, 1e-6, 1, 1e9};
  for (int i = 0; i < 8; i++) {
    Run run;
    const double tolerance = tolerances[i % 2], x = sizes[i / 2];
    if (start(&run, tolerance)) {
      Maker *maker = &run.sim->maker;
      for (int k = ORDER - 5; k <= ORDER; k++) {
        coefficient(maker, k)[2] = -x;
        const double relative = pow(tolerance * 16 * (k + 1) / x, 1.0 / k);
        const double moving =
            pow(DBL_EPSILON * LEAST_DISPLACEMENT * 16 * 4 / x, 1.0 / (k + 2)); /* 1/unit^2, d */
        const int counts = k >= ORDER - 4 && k < ORDER;
        const double h = maker_choose_step(maker);
        CHECK_INT(maker->ends, !counts);
        CHECK_INT(maker->pole, 0);
        CHECK_CLOSE(h, 0.25 * (counts ? fmax(relative, moving) : 1), 1e-11);
        coefficient(maker, k)[2] = 0;
      }
    }
    run_free(&run);
  }
}

/* Before anything is held, what moves nothing alone counts. */
TEST(multipliers_without_a_scale) {
  Run run;
  if (start(&run, 1e-9)) {
    Maker *maker = &run.sim->maker;
    maker->scale[2] = 0;
    coefficient(maker, ORDER - 1)[2] = 3;
    CHECK_CLOSE(maker_choose_step(maker),
                0.25 * pow(DBL_EPSILON * LEAST_DISPLACEMENT * 16 * 4 / 3, 1.0 / (ORDER + 1)),
                1e-11);
  }
  run_free(&run);
}

/* Short series again: coefficient 0 is no error. */
TEST(multipliers_of_short_series) {
  Run run;
  if (start(&run, 1e-4)) {
    Maker *maker = &run.sim->maker;
    maker->span.order = 4;
    coefficient(maker, 0)[2] = 1e9;
    CHECK_CLOSE(maker_choose_step(maker), 0.25, 1e-15); /* ends: one unit */
    coefficient(maker, 1)[2] = 16;
    CHECK_CLOSE(maker_choose_step(maker),
                0.25 * fmax(1e-4 * 2, pow(DBL_EPSILON * LEAST_DISPLACEMENT * 4, 1.0 / 3)), 1e-11);
  }
  run_free(&run);
}

/* |error| / max(scale, d max(eps, moved / (order + 1)) / tolerance least / h^2) */
TEST(errors_of_multipliers) {
  Run run;
  if (start(&run, 1e-12)) {
    Maker *maker = &run.sim->maker;
    const double error = -8;
    CHECK_CLOSE(maker_multiplier_error(maker, 1, 0, &error), 0.5, 1e-15);
    const double h = 1e-3, rounding = DBL_EPSILON / 1e-12 * LEAST_DISPLACEMENT / (h * h);
    CHECK(rounding * 4 > 16);
    CHECK_CLOSE(maker_multiplier_error(maker, h, 0, &error), 8 / (4 * rounding), 1e-14);
    CHECK_CLOSE(maker_multiplier_error(maker, -h, 0, &error), 8 / (4 * rounding), 1e-14);
    const double moved = 3 * DBL_EPSILON * (maker->span.order + 1);
    CHECK_CLOSE(maker_multiplier_error(maker, h, moved, &error), 8 / (12 * rounding), 1e-14);
    CHECK_CLOSE(maker_multiplier_error(maker, h, moved / 6, &error), 8 / (4 * rounding), 1e-14);
  }
  run_free(&run);
}

/* --- series that end, and rest ------------------------------------------------------------ */

/* Nothing is truncated: k x (h/unit)^k = 100 for the least h. */
TEST(series_that_end_are_bounded_by_rounding) {
  Run run;
  if (start(&run, 1e-12)) {
    Maker *maker = &run.sim->maker;
    coefficient(maker, 1)[0] = 1; /* 1/2, relative to scale: h = 200 units */
    CHECK_CLOSE(maker_choose_step(maker), 50, 1e-14);
    CHECK_INT(maker->ends, 1);
    CHECK_NEAR(maker->natural, 0, 0); /* nothing that the series themselves ask for */
    coefficient(maker, 3)[1] = -8;    /* 3 h^3 = 100 */
    CHECK_CLOSE(maker_choose_step(maker), 0.25 * cbrt(100.0 / 3), 1e-14);
    coefficient(maker, ORDER + 1)[0] = 2;
    const double h = maker_choose_step(maker);
    CHECK_INT(maker->ends, 0);
    CHECK_NEAR(maker->natural, h, 0);
  }
  run_free(&run);
}

/* Where nothing moves: a unit of time, or ten times the longest step so far, which all may be. */
TEST(steps_grow_tenfold) {
  Run run;
  if (start(&run, 1e-12)) {
    Maker *maker = &run.sim->maker;
    CHECK_NEAR(maker_choose_step(maker), 0.25, 0);
    maker->stats.largest = 3;
    CHECK_NEAR(maker_choose_step(maker), 30, 0);
    maker->stats.largest = 1e-3;
    CHECK_NEAR(maker_choose_step(maker), 0.01, 1e-17);
    maker->options.max_step = 0.002;
    CHECK_NEAR(maker_choose_step(maker), 0.002, 0);
    maker->options.step = 0.001;
    CHECK_NEAR(maker_choose_step(maker), 0.001, 0);
    maker->options.step = 0.005;
    CHECK_NEAR(maker_choose_step(maker), 0.002, 0);
    maker->options.max_step = 0;
    CHECK_NEAR(maker_choose_step(maker), 0.005, 0);
    maker->options.step = 0.5;
    CHECK_NEAR(maker_choose_step(maker), 0.01, 1e-17);
  }
  run_free(&run);
}

/*
** (T36): where forces hold something at rest, steps up to which their rounding moves nothing beyond
** the tolerance: eps held / 2 t^2 = tolerance least; what moves by 100 times that does not rest.
*/
TEST(what_is_held_at_rest) {
  const double tolerance = 1e-9, held = 1e5;
  const double longest = sqrt(tolerance * LEAST_DISPLACEMENT / (DBL_EPSILON * held / 2));
  const double t = longest / 0.25;
  for (int k = 1; k <= 3; k++)
    for (int moves = 0; moves < 2; moves++) {
      Run run;
      if (start(&run, tolerance)) {
        Maker *maker = &run.sim->maker;
        maker->held = held;
        const double x = (moves ? 1.01 : 0.99) * 100 * tolerance / pow(t, k);
        coefficient(maker, k)[0] = 2 * x / k; /* relative to scale, times k: x */
        const double by_rounding = 0.25 * pow(100 / x, 1.0 / k);
        CHECK(by_rounding > longest);
        CHECK_CLOSE(maker_choose_step(maker), k < 3 && moves ? by_rounding : longest, 1e-12);
        maker->held = 0; /* nothing is held */
        CHECK_CLOSE(maker_choose_step(maker), by_rounding, 1e-12);
        maker->held = 1e5 * held; /* shorter, by the square root */
        maker->options.step = longest / 1e3;
        CHECK_CLOSE(maker_choose_step(maker), longest / 1e3, 0); /* as it is asked to be */
      }
      run_free(&run);
    }
}

/* --- poles -------------------------------------------------------------------------------- */

/* Between 0.5 and 1.3 of the distance to a pole no step may end. */
TEST(steps_do_not_end_next_to_a_pole) {
  Run run;
  if (start(&run, 1e-12)) {
    Maker *maker = &run.sim->maker;
    maker->pole_at = 1;
    CHECK_NEAR(maker_shorten_step(maker, 2, 0.4), 0.8, 0); /* there is none */
    maker->pole = 1;
    const double part[] = {0.1, 0.49, 0.5, 0.51, 0.8, 1, 1.29, 1.3, 1.31, 2};
    for (int i = 0; i < 10; i++) {
      const double kept = part[i] < 0.5 || part[i] > 1.3 ? part[i] : 0.5;
      maker->direction = 1;
      CHECK_NEAR(maker_shorten_step(maker, 1, part[i]), kept, 0);
      CHECK_NEAR(maker_shorten_step(maker, part[i], 1), kept, 0);
      maker->direction = -1;
      CHECK_NEAR(maker_shorten_step(maker, -1, part[i]), -kept, 0);
    }
  }
  run_free(&run);
}

/* Nothing but a multiplier that wants less than half of the motion's step lets look for a pole. */
TEST(a_pole_is_looked_for_where_multipliers_want_half) {
  for (int half = 0; half < 2; half++) {
    Run run;
    if (start(&run, 1e-4)) {
      Maker *maker = &run.sim->maker;
      const int k = ORDER - 1;
      const double motion = 8, multipliers = motion * (half ? 0.51 : 0.49); /* units */
      coefficient(maker, ORDER + 1)[0] = 2 * 1e-4 / ((ORDER + 1) * pow(motion, ORDER + 1));
      coefficient(maker, k)[2] = 1e-4 * 16 * (k + 1) / pow(multipliers, k);
      maker->astray = 0;
      CHECK_CLOSE(maker_choose_step(maker), 0.25 * multipliers, 1e-10);
      CHECK_INT(maker->pole, 0); /* the pendulum has no singular position */
    }
    run_free(&run);
  }
}

/*
** A pole on the real axis leaves the last coefficients in a constant ratio, to 10 %: it is looked
** for where the motion wants a step of 0.75 to 1.3 of the way to it, and the multiplier as much.
*/
static void check_looked_for(double ratio, double motion, int other, double factor, int looked) {
  Run run;
  if (start(&run, 1e-4)) {
    Maker *maker = &run.sim->maker;
    coefficient(maker, ORDER + 1)[0] = 2 * 1e-4 / ((ORDER + 1) * pow(motion, ORDER + 1));
    for (int k = 0; k < ORDER; k++)
      coefficient(maker, k)[2] = 1e-12 * pow(ratio, k) * (k == other ? factor : 1);
    maker->astray = 0;
    CHECK_CLOSE(maker_choose_step(maker), 0.25 * motion, 1e-10);
    CHECK_INT(maker->astray, looked); /* what was there has been written over */
    CHECK_INT(maker->pole, 0);
  }
  run_free(&run);
}

TEST(a_pole_that_keeps_the_motion_short_is_looked_for) {
  static const double motions[] = {0.5, 0.74, 0.76, 1, 1.29, 1.31, 2};
  /* of c_1 c_3 / c_2^2: what changes c_1 changes it as much, what changes c_2 twice */
  static const double once[] = {0.89, 0.91, 1.09, 1.11}, twice[] = {0.95, 0.96, 1.04, 1.06};
  for (int side = -1; side <= 1; side += 2) {
    for (int i = 0; i < 7; i++)
      check_looked_for(side, motions[i], 0, 1, i >= 2 && i <= 4);
    for (int i = 0; i < 4; i++)
      for (int k = 1; k <= 6; k++) {
        const double factor = k == 2 || k == 3 ? twice[i] : once[i];
        check_looked_for(side, 1, ORDER - k, factor, k > 4 || i == 1 || i == 2);
      }
  }
}

/* --- orders ------------------------------------------------------------------------------- */

/* Coefficients such that an order K has the step h(K) of its own: k x_k h^k = aim. */
static void set_coefficient(Maker *maker, int k, double h) {
  coefficient(maker, k)[0] = 2 * aim(maker->options.tolerance) / (k * pow(h / 0.25, k));
}

static int chosen(Maker *maker, int order, double h) {
  maker->span.order = maker->order = order;
  maker_choose_order(maker, h);
  return maker->order;
}

TEST(orders_go_by_two) {
  Run run;
  if (start(&run, 1e-12)) {
    Maker *maker = &run.sim->maker;
    maker->interventions.expected = (double)INFINITY;
    const int top = maker->capacity;
    /* Two coefficients are enough: without the last two the step is the same. */
    for (int order = 9; order <= 12; order++) {
      memset(maker->span.c, 0, (size_t)(3 * (top + 2)) * sizeof *maker->span.c);
      set_coefficient(maker, order - 2, 1);
      CHECK_INT(chosen(maker, order, 1), order - 2 < 8 ? order : order - 2);
      CHECK_INT(chosen(maker, order, 0), order); /* there is no step */
    }
    /* With two more, it would be longer by half. */
    for (int order = top - 3; order <= top; order++) {
      memset(maker->span.c, 0, (size_t)(3 * (top + 2)) * sizeof *maker->span.c);
      set_coefficient(maker, order - 1, 1 / 1.6);
      CHECK_INT(chosen(maker, order, 1), order + 2 > top ? order : order + 2);
    }
    /* Nothing is known of a lower order: stay. */
    memset(maker->span.c, 0, (size_t)(3 * (top + 2)) * sizeof *maker->span.c);
    set_coefficient(maker, 13, 1);
    CHECK_INT(chosen(maker, 12, 1), 12);
  }
  run_free(&run);
}

TEST(orders_stay_where_they_are_asked_for) {
  Run run;
  if (start(&run, 1e-12)) {
    Maker *maker = &run.sim->maker;
    maker->interventions.expected = (double)INFINITY;
    set_coefficient(maker, 10, 1);
    CHECK_INT(chosen(maker, 12, 1), 10);
    maker->options.order = 12;
    CHECK_INT(chosen(maker, 12, 1), 12);
    maker->options.order = 0;
    maker->pole = 1;
    CHECK_INT(chosen(maker, 12, 1), 12);
    maker->pole = 0;
    maker->near.shortens = 1;
    CHECK_INT(chosen(maker, 12, 1), 12);
    maker->near.shortens = 0;
    maker->method.of_span = 1;
    CHECK_INT(chosen(maker, 12, 1), 12);
    maker->method.of_span = 0;
    CHECK_INT(chosen(maker, 12, 1), 10);
  }
  run_free(&run);
}

/*
** Until the next intervention, a quarter longer, and half as much again, the lowest order from 8 on
** that serves: an order K serves for (K + 2) / 8 here.
*/
TEST(orders_that_serve_until_the_next_intervention) {
  Run run;
  if (start(&run, 1e-12)) {
    Maker *maker = &run.sim->maker;
    for (int k = 1; k <= ORDER + 1; k++)
      set_coefficient(maker, k, (k + 4) / 8.0); /* of an order the lowest one counts, K - 2 */
    for (int served = 4; served <= ORDER; served++) {
      maker->interventions.expected = (served + 1.9) / 8 / 1.25 / 1.5;
      CHECK_INT(chosen(maker, ORDER, 4), served < 8 ? 8 : served);
      CHECK_INT(chosen(maker, 6, 4), 6);
    }
    maker->interventions.expected = 4 / 1.5;
    CHECK_INT(chosen(maker, ORDER, 5), ORDER); /* 1.25 times 1.5 times that: none lower serves */
  }
  run_free(&run);
}

TEST(interventions_are_expected_as_they_came) {
  Run run;
  if (start(&run, 1e-12)) {
    Maker *maker = &run.sim->maker;
    Interventions *past = &maker->interventions;
    *past = (Interventions){.at = (double)NAN, .interval = 0, .expected = (double)INFINITY};
    static const double times[] = {1, 1, 1.5, 2.5, 2.75, 2.75, 3},
                        expected[] = {0, 0, 0.5, 1, 1, 1, 0.25};
    for (int i = 0; i < 7; i++) {
      maker->to.t = times[i];
      maker_note_intervention(maker);
      CHECK_NEAR(past->expected, i < 2 ? (double)INFINITY : expected[i], 0);
      CHECK_NEAR(past->at, times[i], 0);
    }
    maker_note_none(maker);
    CHECK_NEAR(past->expected, 0.5, 0);
    maker->to.t = 2; /* backwards, the same */
    maker_note_intervention(maker);
    CHECK_NEAR(past->expected, 1, 0);
  }
  run_free(&run);
}

/* The order that begins is the one that is cheapest for a geometric series: a minimum. */
TEST(first_orders_rise_as_tolerances_fall) {
  int last = 0;
  for (double tolerance = 1e-3; tolerance > 1e-15; tolerance /= 10) {
    Run run;
    if (start(&run, fmax(tolerance, 2.3e-15))) {
      const int order = maker_first_order(&run.sim->maker);
      CHECK(order >= 8 && order <= run.sim->maker.capacity && order >= last);
      last = order;
    }
    run_free(&run);
  }
  CHECK(last > 16);
}

/* --- who limits, and units ---------------------------------------------------------------- */

TEST(the_coordinate_that_limits) {
  Run run;
  if (start(&run, 1e-12)) {
    Maker *maker = &run.sim->maker;
    double *last = coefficient(maker, ORDER + 1);
    last[0] = 2;
    last[1] = -8;
    CHECK_INT(maker_limiting(maker), 0); /* of equals the first */
    last[1] = -8.1;
    CHECK_INT(maker_limiting(maker), 1);
    last[0] = -2.1;
    CHECK_INT(maker_limiting(maker), 0);
    coefficient(maker, ORDER)[1] = coefficient(maker, ORDER + 2)[1] = 1e9;
    CHECK_INT(maker_limiting(maker), 0);
    maker->span.order = 0; /* there are no series yet: the fastest */
    maker->span.from.v[0] = 1;
    maker->span.from.v[1] = -5;
    CHECK_INT(maker_limiting(maker), 1);
    maker->span.from.v[1] = 3;
    CHECK_INT(maker_limiting(maker), 0);
  }
  run_free(&run);
}

/* Units are powers of two, chosen anew 9 bits away, and not beyond 2^400. */
TEST(units_follow_the_steps) {
  static const int bits[] = {0, 8, -8, 9, -9, 40, 399, 401, -399, -401, 1000};
  for (int i = 0; i < 11; i++) {
    Run run;
    REQUIRE(run_oscillator(&run, &tight));
    Maker *maker = &run.sim->maker;
    work_set_unit(maker->expansion->work, 1);
    for (int up = 0; up < 2; up++) { /* at both ends of an octave */
      work_set_unit(maker->expansion->work, 1);
      maker->natural = ldexp(up ? 1.999 : 1, bits[i]);
      CHECK_OK(maker_choose_unit(maker));
      const int wanted = bits[i] > 400 ? 400 : bits[i] < -400 ? -400 : bits[i];
      CHECK_NEAR(maker->expansion->work->unit, abs(wanted) <= 8 ? 1 : ldexp(1, wanted), 0);
    }
    run_free(&run);
  }
}

/* Before the first step: by the speed, or by what is held; x'' = force, from a velocity. */
TEST(first_units_by_speeds_and_forces) {
  static const double speed[] = {0, 0x1p-20, 0x1p20, 0, 0, 0x1p-20},
                      force[] = {0, 0, 0, 0x1p-40, 0x1p40, 0x1p40};
  static const int bits[] = {0, 20, -20, 20, -20, -20};
  for (int i = 0; i < 6; i++) {
    Run run;
    const double q = 0, v = speed[i];
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    p->force[0] = constant(p->g, force[i]);
    REQUIRE(run_new(&run, p, &tight));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
    Maker *maker = &run.sim->maker;
    maker->natural = 0;
    work_set_unit(maker->expansion->work, 1);
    REQUIRE_OK(maker_prepare(maker, &maker->to));
    CHECK_OK(maker_choose_unit(maker));
    CHECK_NEAR(maker->expansion->work->unit, ldexp(1, bits[i]), 0);
    run_free(&run);
  }
}

/* Relative to what the equations hold, D_i of it; past a pole nothing is learnt. */
TEST(scales_of_multipliers_grow_with_what_is_held) {
  Run run;
  if (start(&run, 1e-12)) {
    Maker *maker = &run.sim->maker;
    const double *d = maker->expansion->kkt->column;
    double held = 0;
    for (int j = 0; j < 2; j++)
      held = fmax(held, fabs(expansion_acceleration(maker->expansion, j)) / d[j]);
    held = fmax(held, fabs(*expansion_at(maker->expansion, 0, 2)) / d[2]);
    CHECK_NEAR(maker_largest_held(maker), held, 0);
    maker->scale[2] = 0;
    maker_note_multipliers(maker);
    CHECK_NEAR(maker->held, held, 0);
    CHECK_NEAR(maker->scale[2], 4 * held, 0);
    maker->scale[2] = 100 * held;
    maker_note_multipliers(maker);
    CHECK_NEAR(maker->scale[2], 100 * held, 0);
    maker->scale[2] = 0;
    maker->pole = 1;
    maker_note_multipliers(maker);
    CHECK_NEAR(maker->scale[2], 0, 0);
  }
  run_free(&run);
}
