/*
** The bounds by which points are corrected and steps are cut, on either side of each: whatever they
** are for, they are what their sentences say.
*/
#include <float.h>

#include "sim_parts.h"
#include "sims.h"

/* --- corrections --------------------------------------------------------------------------- */

/* Newton goes on until corrections are rounding, or no longer become smaller. */
TEST(corrections_that_are_added) {
  const double rounding = 4 * DBL_EPSILON, near = 1024 * DBL_EPSILON, none = HUGE_VAL;
  CHECK_INT(maker_corrects(0, rounding, none, 0), 0);
  CHECK_INT(maker_corrects(0, 1.01 * rounding, none, 0), 1);
  CHECK_INT(maker_corrects(0, 1, none, 0), 1); /* the first one is never too large */
  CHECK_INT(maker_corrects(1, 1e-3, 1e-2, 1e-2), 1);
  CHECK_INT(maker_corrects(1, 1e-2, 1e-2, 1e-2), 1);
  CHECK_INT(maker_corrects(1, 1.01e-2, 1e-2, 1e-2), 0); /* larger than all so far */
  CHECK_INT(maker_corrects(7, 1.01e-2, 1e-2, 2e-2), 1);
  CHECK_INT(maker_corrects(1, rounding, 1, 1), 0);
  /* next to rounding it contracts by 4, or has come to an end; above that it need not */
  CHECK_INT(maker_corrects(1, near, 4 * near, 1), 1);
  CHECK_INT(maker_corrects(1, near, 3.99 * near, 1), 0);
  CHECK_INT(maker_corrects(1, 0.9995 * near, 2 * near, 1), 0);
  CHECK_INT(maker_corrects(1, 1.0005 * near, 2 * near, 1), 1);
  CHECK_INT(maker_corrects(1, 0.75 * near, 0.8 * near, 1), 0);
  CHECK_INT(maker_corrects(1, 1.5 * near, 1.6 * near, 1), 1);
}

/* After all of them 1e-9 is too much. */
TEST(corrections_that_are_left) {
  CHECK_INT(maker_is_unsolved(0), 0);
  CHECK_INT(maker_is_unsolved(0.99e-9), 0);
  CHECK_INT(maker_is_unsolved(1.01e-9), 1);
  CHECK_INT(maker_is_unsolved(HUGE_VAL), 1);
}

/* A velocity below 64 roundings of what has moved others is none. */
TEST(velocities_that_are_rounding) {
  for (double moved = 1e-3; moved < 1e4; moved *= 100)
    for (double scale = 0.5; scale < 100; scale *= 8) {
      const double most = 64 * DBL_EPSILON * moved * scale;
      for (int side = -1; side <= 1; side += 2) {
        CHECK_INT(maker_is_rounding(side * 0.99 * most, moved, scale), 1);
        CHECK_INT(maker_is_rounding(side * 1.01 * most, moved, scale), 0);
      }
    }
  CHECK_INT(maker_is_rounding(0, 0, 1), 1);
  CHECK_INT(maker_is_rounding(DBL_MIN, 0, 1), 0);
}

/* --- steps --------------------------------------------------------------------------------- */

static bool begin(Run *run, const sarrus_SimOptions *options) {
  double h;
  return run_oscillator(run, options) && CHECK_OK(maker_begin(&run->sim->maker)) &&
         CHECK_OK(maker_expand_series(&run->sim->maker, &h));
}

/* Stages end 2 % behind what they are cut for, if that is from 2 to 95 % of what they were. */
TEST(stages_that_are_cut) {
  static const double part[] = {0.0199, 0.0201, 0.5, 0.949, 0.951, 1, 0, -0.5};
  static const int within[] = {0, 1, 1, 1, 0, 0, 0, 0};
  Run run;
  if (begin(&run, &tight)) {
    Maker *maker = &run.sim->maker;
    for (int direction = -1; direction <= 1; direction += 2)
      for (int i = 0; i < 8; i++) {
        maker->method.made = direction * 8.0;
        maker->method.of_span = 1;
        CHECK_INT(maker_is_within_stages(maker, direction * 8.0 * part[i]), within[i]);
        maker->method.of_span = 0; /* of series all is known as exactly */
        CHECK_INT(maker_is_within_stages(maker, direction * 8.0 * part[i]), 0);
        CHECK_NEAR(maker_behind(direction * part[i]), 1.02 * direction * part[i], 1e-16);
      }
  }
  run_free(&run);
}

/* The longest step that is allowed; 0 stands for any. */
TEST(steps_that_are_allowed) {
  Run run;
  if (begin(&run, &tight)) {
    Maker *maker = &run.sim->maker;
    for (double most = 0; most <= 2; most++) {
      maker->options.max_step = most;
      for (double h = 0.5; h < 4; h *= 1.5)
        CHECK_NEAR(maker_within(maker, h), most > 0 ? fmin(h, most) : h, 0);
    }
  }
  run_free(&run);
}

/* 1024 roundings of the time, or of how long it has gone on; 8 times that while steps shrink. */
TEST(steps_that_vanish) {
  Run run;
  if (begin(&run, &tight)) {
    Maker *maker = &run.sim->maker;
    for (double past = 1; past < 1e6; past *= 32) {
      const double least = 1024 * DBL_EPSILON * past;
      for (int i = 0; i < 4; i++) { /* by the time itself, and by the beginning; both ways */
        maker->span.from.t = i < 2 ? past : 0;
        maker->began = i < 2 ? past : -past;
        const double way = i % 2 ? -1 : 1;
        CHECK_NEAR(maker_past(maker), past, 0);
        CHECK_CLOSE(maker_least_time(maker), 100 * least, 1e-15);
        maker->span.h = 0;
        CHECK_INT(maker_vanishes(maker, 0.99 * way * least, 0), 1);
        CHECK_INT(maker_vanishes(maker, 1.01 * way * least, 0), 0);
        CHECK_INT(maker_vanishes(maker, 0.99 * way * least, 1), 0); /* something changes there */
        maker->span.h = way * 9 * least;
        CHECK_INT(maker_vanishes(maker, 7.9 * way * least, 0), 1);
        CHECK_INT(maker_vanishes(maker, 8.1 * way * least, 0), 0);
        CHECK_INT(maker_vanishes(maker, -7.9 * way * least, 0), 0); /* it has turned round */
        maker->span.h = way * 2 * least;
        CHECK_INT(maker_vanishes(maker, 2 * way * least, 0), 0); /* as long as the last one */
      }
    }
  }
  run_free(&run);
}

/* What is less accurate than the tolerance past a pole: 100 times, or down to 1e-11. */
TEST(how_far_a_leap_may_be_off) {
  static const double tolerance[] = {1e-6, 1e-12, 1e-13, 5e-14, 1e-14},
                      leap[] = {1e2, 1e2, 1e2, 2e2, 1e3};
  Run run;
  if (begin(&run, &tight))
    for (int i = 0; i < 5; i++) {
      run.sim->maker.options.tolerance = tolerance[i];
      CHECK_CLOSE(maker_leap(&run.sim->maker), leap[i], 1e-14);
    }
  run_free(&run);
}

/* --- what is counted ----------------------------------------------------------------------- */

/* Steps, the shortest and the longest of them, either way. */
TEST(steps_that_are_counted) {
  static const double steps[] = {0.5, -2, 0.25, 1, -0.125, 4};
  double least = 0.5, most = 0.5;
  Run run;
  if (begin(&run, &tight)) {
    Maker *maker = &run.sim->maker;
    for (int i = 0; i < 6; i++) {
      maker->method.of_span = i % 2;
      maker_accept(maker, steps[i]);
      least = fmin(least, fabs(steps[i]));
      most = fmax(most, fabs(steps[i]));
      CHECK_INT(maker->stats.steps, i + 1);
      CHECK_INT(maker->stats.implicit, (i + 1) / 2);
      CHECK_NEAR(maker->stats.smallest, least, 0);
      CHECK_NEAR(maker->stats.largest, most, 0);
      CHECK_NEAR(maker->span.h, steps[i], 0);
      CHECK_NEAR(maker->span.until, maker->to.t, 0);
      CHECK_INT(maker->stats.order, maker->span.order);
    }
  }
  run_free(&run);
}

/* The largest place of each coordinate so far is its scale; the fastest, where things touch. */
TEST(scales_that_are_noted) {
  for (int contacts = 0; contacts <= 1; contacts++) {
    const double q[] = {1, 5}, v[] = {3, 0};
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    p->contact[0].gap = p->q[1];
    p->spec.contacts = contacts;
    if (run_new(&run, p, &tight) && CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) {
      Maker *maker = &run.sim->maker;
      for (int i = 0; i < 4; i++) {
        static const double places[] = {1, -8, 4, 16};
        maker->to.q[0] = places[i];
        REQUIRE_OK(maker_prepare(maker, &maker->to));
        REQUIRE_OK(maker_begin(maker));
        CHECK_NEAR(maker->scale[0], i == 0 ? 1 : i < 3 ? 8 : 16, 0);
        CHECK_NEAR(maker->scale[1], 5, 0);
        CHECK_NEAR(maker->fastest, contacts ? 3 : 0, 0);
      }
    }
    run_free(&run);
  }
}
