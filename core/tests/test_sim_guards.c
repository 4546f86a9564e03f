/*
** Guards next to zero, on spans whose series are written down here: on either side of every bound
** by which a mode ends at once, later, or not at all.
*/
#include <float.h>

#include "contacts.h"
#include "sim_parts.h"

/* --- a switch of a coordinate -------------------------------------------------------------- */

enum { TERMS = 4 };

/* A point on which |q| acts, hardly: then its series may be any. */
static Parts *switched(void) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (p == NULL) return NULL;
  p->force[0] = scaled(p->g, 1e-30, unary(p->g, SARRUS_OP_ABS, p->q[0]));
  return p;
}

static bool begin(Run *run, Parts *p, double q) {
  const double v = 0;
  double h;
  if (!CHECK(p != NULL) || !run_new(run, p, &tight) ||
      !CHECK_OK(sarrus_sim_start(run->sim, 0, &q, &v)))
    return false;
  return CHECK_OK(maker_begin(&run->sim->maker)) &&
         CHECK_OK(maker_expand_series(&run->sim->maker, &h));
}

/* The series of q becomes c, in the unit of the span. */
static void set_series(sarrus_Sim *sim, const double *c) {
  Span *span = &sim->maker.span;
  for (int k = 0; k <= span->order + 1; k++)
    span->c[(ptrdiff_t)k * span->variables] = k < TERMS ? c[k] : 0;
}

/* Whether the mode, in which q is positive, ends at once on a span of one unit. */
static int ends_at_once(sarrus_Sim *sim, double c0, double c1, double c2, double c3) {
  const double c[] = {c0, c1, c2, c3};
  set_series(sim, c);
  sim->maker.expansion->work->branch[0] = 1;
  const int ended = sim_find_ended(sim, sim->maker.span.unit);
  CHECK_INT(sim->endings[0], ended ? TURNS - 1 : ENDS_NOT);
  return ended;
}

/* How exactly it is known: q has been as large as `scale`. */
static double noise_for(sarrus_Sim *sim, double scale) {
  sim->maker.scale[0] = scale;
  ends_at_once(sim, 0, 1, 0, 0);
  return fmax(search_noise(sim->arguments, sim->maker.system->arguments.output[0]),
              sim->arguments->floor[sim->maker.system->arguments.output[0]]);
}

/* Of something large, zero is what its noise is; of something small, its roundings in the step. */
TEST(guards_that_stand_at_zero) {
  Run run;
  if (begin(&run, switched(), 1)) {
    sarrus_Sim *sim = run.sim;
    const double noise = noise_for(sim, 1e6);
    CHECK(noise > 1e-9 && noise < 4e-9);
    CHECK_INT(ends_at_once(sim, 1.01 * noise, -1, 0, 0), 0);
    CHECK_INT(ends_at_once(sim, 0.99 * noise, -1, 0, 0), 1);
    CHECK_INT(ends_at_once(sim, 0.99 * noise, 1, 0, 0), 0);
    CHECK_INT(ends_at_once(sim, -0.99 * noise, 1, 0, 0), 0);
    CHECK_INT(ends_at_once(sim, -1.01 * noise, 1, 0, 0), 1); /* on the wrong side */
    noise_for(sim, 1e-12);
    for (int k = 1; k < TERMS; k++) { /* the sum of all that is added up on the way */
      const double c1 = k == 1 ? -1 : -0.5, c2 = k == 2 ? 0.5 : 0, c3 = k == 3 ? 0.5 : 0;
      CHECK_INT(ends_at_once(sim, 17 * DBL_EPSILON, c1, c2, c3), 0);
      CHECK_INT(ends_at_once(sim, 15 * DBL_EPSILON, c1, c2, c3), 1);
      CHECK_INT(ends_at_once(sim, 15.5 * DBL_EPSILON, c1, c2, c3), 1);
      CHECK_INT(ends_at_once(sim, -0.99e-9, -c1, c2, c3), 0);
      CHECK_INT(ends_at_once(sim, -1.01e-9, -c1, c2, c3), 1);
    }
  }
  run_free(&run);
}

/* The first coefficient that counts decides: above 1e-13 of all, and above the noise. */
TEST(the_first_coefficient_that_counts) {
  Run run;
  if (begin(&run, switched(), 1)) {
    sarrus_Sim *sim = run.sim;
    CHECK(noise_for(sim, 1e-13) < 1e-27);
    CHECK_INT(ends_at_once(sim, 0, -0.99e-13, 1, 0), 0);
    CHECK_INT(ends_at_once(sim, 0, -1.01e-13, 1, 0), 1);
    CHECK_INT(ends_at_once(sim, 0, 0.99e-13, -1, 0), 1);
    CHECK_INT(ends_at_once(sim, 0, 1.01e-13, -1, 0), 0);
    CHECK_INT(ends_at_once(sim, 0, 0, -0.5, 10), 1);
    CHECK_INT(ends_at_once(sim, 0, 0, 0.5, -10), 0);
    CHECK_INT(ends_at_once(sim, 0, 0, 0, -1), 1);
    CHECK_INT(ends_at_once(sim, 0, 0, 0, 0), 0);
    const double noise = noise_for(sim, 1e6);
    CHECK_INT(ends_at_once(sim, 0, -0.99 * noise, -0.99 * noise, 0), 0);
    CHECK_INT(ends_at_once(sim, 0, -1.01 * noise, 0, 0), 1);
    CHECK_INT(ends_at_once(sim, 0, -0.99 * noise, -1.01 * noise, 0), 1);
    CHECK_INT(ends_at_once(sim, 0, 1.01 * noise, -1, 0), 0);
  }
  run_free(&run);
}

/* -x t + t^2 falls by x^2 / 4, and rises again: that is no end if it is noise. */
TEST(falls_that_are_noise) {
  Run run;
  if (begin(&run, switched(), 1)) {
    sarrus_Sim *sim = run.sim;
    const double noise = noise_for(sim, 1e7);
    for (double c2 = 0.25; c2 <= 1; c2 *= 2) {
      const double most = sqrt(4 * c2 * noise);
      CHECK_INT(ends_at_once(sim, 0, -0.99 * most, c2, 0), 0);
      CHECK_INT(ends_at_once(sim, 0, -1.01 * most, c2, 0), 1);
      CHECK_INT(ends_at_once(sim, 0, -0.99 * most, -c2, 0), 1);
      CHECK_INT(ends_at_once(sim, 0, -0.99 * most, 0, c2), 1); /* t^3 does not tell */
    }
  }
  run_free(&run);
}

/* The last coefficient that is known counts as all others do. */
TEST(the_last_coefficient) {
  Run run;
  if (begin(&run, switched(), 1)) {
    sarrus_Sim *sim = run.sim;
    Span *span = &sim->maker.span;
    noise_for(sim, 1e-12);
    for (int side = -1; side <= 1; side += 2) {
      set_series(sim, (const double[]){0, 0, 0, 0});
      span->c[(ptrdiff_t)(span->order + 1) * span->variables] = side;
      CHECK_INT(sim_find_ended(sim, span->unit), side < 0);
    }
  }
  run_free(&run);
}

/* When the mode ends on a span of one unit, in units; -1: not. */
static double end_of(sarrus_Sim *sim, double c0, double c1, double c2, double c3) {
  const double unit = sim->maker.span.unit;
  if (ends_at_once(sim, c0, c1, c2, c3)) return 0;
  const Ending ending = sim_first_ending(sim, unit);
  CHECK_INT(sim->endings[0], ending.ends ? TURNS - 1 : ENDS_NOT);
  if (!ending.ends) CHECK_NEAR(ending.h, unit, 0);
  return ending.ends ? ending.h / unit : -1;
}

/* What begins on the wrong side by rounding must leave zero first. */
TEST(guards_that_leave_zero_first) {
  Run run;
  if (begin(&run, switched(), 1)) {
    sarrus_Sim *sim = run.sim;
    noise_for(sim, 1e-12);
    CHECK_NEAR(end_of(sim, 0, 1, -2, 0), 0.5, 1e-14);
    CHECK_NEAR(end_of(sim, -1e-9, 1, -2, 0), 0.5, 3e-9);
    CHECK_NEAR(end_of(sim, -2.9e-9, 1, -2, 0), 0.5, 1e-8);
    CHECK_NEAR(end_of(sim, -3.1e-9, 1, -2, 0), 0, 0); /* more than 1e-9 of 3 */
    CHECK_NEAR(end_of(sim, -1e-9, 1, -0.5, 0), -1, 0);
    const double t = end_of(sim, 0.125, -1, 0, 7);
    CHECK_NEAR(0.125 - t + 7 * t * t * t, 0, 1e-15);
    CHECK(t < 0.2);                                              /* the first of two */
    CHECK_NEAR(end_of(sim, 0.09375, -0.5, 0.5, 0), 0.25, 1e-14); /* and 0.75 */
  }
  run_free(&run);
}

/*
** What begins at zero and falls without having risen ends where it falls below its noise; what is
** far below that where the step ends has passed zero.
*/
TEST(guards_that_hardly_fall) {
  Run run;
  if (begin(&run, switched(), 1)) {
    sarrus_Sim *sim = run.sim;
    const double noise = noise_for(sim, 1e6);
    const double t = end_of(sim, 0.5 * noise, -0.9 * noise, -0.9 * noise, -0.9 * noise);
    CHECK_NEAR(0.9 * (t + t * t + t * t * t), 0.5, 1e-6);
    CHECK_NEAR(end_of(sim, 0, -0.9 * noise, 0, 0), -1, 0);
    CHECK_NEAR(end_of(sim, 0, -0.6 * noise, -0.6 * noise, 0), (sqrt(1 + 4 / 0.6) - 1) / 2, 1e-6);
  }
  run_free(&run);
}

/*
** What begins d below zero, where neighbours or rounding have put it, ends where it falls to 2 d
** below.  -low + (4 t + 4 (low - d)) (t - 1/2)^2 begins there, rises, and is low below at t = 1/2.
*/
TEST(guards_that_fall_from_below_zero) {
  const double d = 1e-10;
  Run run;
  if (begin(&run, switched(), 1)) {
    noise_for(run.sim, 1e-12);
    for (int i = 0; i < 4; i++) {
      static const double lows[] = {0.9, 1.9, 2.1, 2.9};
      const double low = lows[i] * d, e = 4 * (low - d);
      const double t = end_of(run.sim, -d, 1 - e, e - 4, 4);
      CHECK_NEAR(t, i < 2 ? -1 : 0.5, i < 2 ? 0 : 1e-4);
    }
  }
  run_free(&run);
}

/* --- a gap ---------------------------------------------------------------------------------- */

static int touches_at_once(sarrus_Sim *sim, double c0, double c1) {
  const double c[TERMS] = {c0, c1, 0, 0};
  set_series(sim, c);
  const int ended = sim_find_ended(sim, sim->maker.span.unit);
  CHECK_INT(sim->endings[0], ended ? ENDS_TOUCH : ENDS_NOT);
  CHECK_INT(sim_first_contact(sim), ended ? 0 : SARRUS_NONE);
  return ended;
}

/*
** An open gap below zero: up to 1e-9 of what has moved, neighbours may have pushed it there; it
** ends if it goes down by more than 1e-2 of that in the step.
*/
TEST(gaps_that_begin_below_zero) {
  Run run;
  const double q = 1, v = 0;
  if (run_from(&run, ball(), 0.5, 0, &q, &v)) {
    sarrus_Sim *sim = run.sim;
    double h;
    REQUIRE_OK(maker_begin(&sim->maker));
    REQUIRE_OK(maker_expand_series(&sim->maker, &h));
    sim->far = 0;
    for (double size = 1; size <= 16; size *= 4) {
      sim->maker.scale[0] = size;
      const double deep = 1e-9 * size;
      CHECK_INT(touches_at_once(sim, 1, -1), 0);
      CHECK_INT(touches_at_once(sim, 0, -1), 1);
      CHECK_INT(touches_at_once(sim, 0, 1), 0);
      CHECK_INT(touches_at_once(sim, -0.5 * deep, -0.9e-2 * 0.5 * deep), 0);
      CHECK_INT(touches_at_once(sim, -0.5 * deep, -1.1e-2 * 0.5 * deep), 1);
      CHECK_INT(touches_at_once(sim, -0.5 * deep, 1e-2 * (-0.5 * deep)), 0); /* just as much */
      CHECK_INT(touches_at_once(sim, -0.99 * deep, 0.1 * deep), 0);
      CHECK_INT(touches_at_once(sim, -deep, 0.1 * deep), 0);
      for (int i = 0; i < 4; i++) { /* as guards that fall from below zero; in a small motion too */
        const double d = 0.5 * deep, low = (i % 2 == 0 ? 1.9 : 2.1) * d, e = 4 * (low - d);
        const double unit = sim->maker.span.unit, rise = i < 2 ? 4 : 1e-2;
        set_series(sim, (const double[]){-d, rise / 4 - e, e - rise, rise});
        CHECK_INT(sim_find_ended(sim, unit), 0);
        const Ending ending = sim_first_ending(sim, unit);
        CHECK_INT(ending.ends, i % 2);
        CHECK_NEAR(ending.h / unit, ending.ends ? 0.5 : 1, 1e-2);
      }
      CHECK_INT(touches_at_once(sim, -1.01 * deep, 0.1 * deep), 1);
    }
  }
  run_free(&run);
}

/* What was missed, at the end of a step: 1e-9 of sizes. */
TEST(gaps_that_were_missed) {
  Run run;
  const double q = 1, v = 0;
  if (run_from(&run, ball(), 0.5, 0, &q, &v)) {
    sarrus_Sim *sim = run.sim;
    Maker *maker = &sim->maker;
    double *gap = &maker->expansion->work->value[maker->system->tape->output_value[maker->n]];
    for (int i = 0; i < 2; i++) {
      maker->options.tolerance = i == 0 ? 1e-12 : 1e-6;
      maker->scale[0] = 3;
      sim->far = 0;
      const double allowed = 3 * (i == 0 ? 1e-9 : 2e-6);
      *gap = -0.99 * allowed;
      CHECK_INT(sim_penetrates(sim), 0);
      *gap = -1.01 * allowed;
      CHECK_INT(sim_penetrates(sim), 1);
      sim->far = 1;
      CHECK_INT(sim_penetrates(sim), 0);
      sim->far = 0; /* from here on the mode decides */
      sim->contacts[0].now.mode = SARRUS_STICK;
      CHECK_INT(sim_penetrates(sim), 0);
      sim->contacts[0].now.mode = SARRUS_OPEN;
    }
  }
  run_free(&run);
}

/* The first of two bearings that will be loaded, whichever stands first. */
TEST(the_first_load) {
  static const double times[][2] = {{0.25, 0.5}, {0.5, 0.25}, {0, 0.5}, {0.5, 0}, {0.5, 0.5}};
  static const int first[] = {0, 1, 1, 0, 0};
  for (int i = 0; i < 5; i++) {
    Run run;
    const double q[] = {0, 5, 0}, v[] = {0, 0, 0};
    if (run_from(&run, rod(0.3, 0), 0, 0, q, v)) {
      sarrus_Sim *sim = run.sim;
      double h;
      REQUIRE_OK(maker_begin(&sim->maker));
      REQUIRE_OK(maker_expand_series(&sim->maker, &h));
      sim->far = 0;
      CHECK_INT(sim_find_ended(sim, 0.5), 0);
      for (int k = 0; k < 2; k++)
        sim->contacts[k].load.after = times[i][k] / 1024;
      const Ending ending = sim_first_ending(sim, 0.5);
      CHECK_INT(ending.ends, 1);
      CHECK_NEAR(ending.h, times[i][first[i]] / 1024, 0);
      CHECK_INT(sim->endings[first[i]], ENDS_LOAD);
      CHECK_INT(sim->endings[!first[i]], ENDS_NOT);
      CHECK_INT(sim_first_contact(sim), first[i]);
    }
    run_free(&run);
  }
}
