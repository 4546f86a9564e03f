/* Scales of single coordinates, and what a simulation notes by the way. */
#include "sim_parts.h"
#include "sims.h"

static long long steps_with_scale(double least) {
  Run run;
  const double q = 1e-6, v = 0;
  sarrus_SimOptions options = {.tolerance = 1e-12};
  if (!CHECK(run_new(&run, oscillator(), &options))) return 0;
  sarrus_sim_preset(run.sim, 0, 1);
  CHECK_OK(sarrus_sim_scale(run.sim, 0, least));
  CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  CHECK_OK(sarrus_sim_advance(run.sim, 100));
  CHECK_NEAR(position(run.sim), 1e-6 * cos(100.0), 1e-9 * least);
  const long long steps = sarrus_sim_stats(run.sim).steps;
  run_free(&run);
  return steps;
}

TEST(errors_are_compared_with_a_scale) {
  const long long small = steps_with_scale(1e-6), usual = steps_with_scale(1);
  CHECK(small > usual);
}

TEST(scales_must_be_positive) {
  Run run;
  REQUIRE(run_new(&run, oscillator(), &tight));
  CHECK_STATUS(sarrus_sim_scale(run.sim, 0, 0), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_scale(run.sim, 0, (double)INFINITY), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_scale(run.sim, 1, 1), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_scale(run.sim, -1, 1), SARRUS_ARGUMENT);
  run_free(&run);
}

TEST(an_oscillator_is_neither_stiff_nor_singular) {
  Run run;
  REQUIRE(run_oscillator(&run, &tight));
  CHECK_OK(sarrus_sim_advance(run.sim, 1000));
  const sarrus_SimNotes notes = sarrus_sim_notes(run.sim);
  CHECK_INT(notes.stiff, 0);
  CHECK_INT(notes.singular, 0);
  CHECK_INT(notes.dependent, 0);
  CHECK_INT(sarrus_sim_singular(run.sim), 0);
  run_free(&run);
}

/* Two equal constraints: one depends on the other. */
TEST(dependent_constraints_are_noted) {
  Run run;
  const double q[] = {-1, 0}, v[] = {0, 0};
  Parts *p = pendulum(sarrus_memory_default());
  REQUIRE(p != NULL);
  p->constraint[1] = p->constraint[0];
  p->spec.constraints = 2;
  REQUIRE(run_new(&run, p, &tight));
  CHECK_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_INT(sarrus_sim_notes(run.sim).dependent, 1);
  run_free(&run);
}

/* --- which steps are short ---------------------------------------------------------------- */

enum { LONG_AGO = 40 };

/* An oscillator with a span of c1 = 1 and c2 a part of that, for a step of 2 in units of 1/2. */
static bool start_short(Run *run, double part) {
  if (!run_oscillator(run, &tight)) return false;
  Maker *maker = &run->sim->maker;
  maker->span.order = 8;
  maker->span.h = -2;
  maker->span.unit = 0.5;
  maker->span.from.t = 3;
  maker->scale[0] = 1;
  memset(maker->span.c, 0, 10 * sizeof *maker->span.c);
  maker->span.c[1] = -1;
  maker->span.c[2] = part / 4;
  maker->interventions.expected = (double)INFINITY;
  run->sim->short_steps = LONG_AGO;
  return true;
}

/* How many short steps there are after one more. */
static int short_steps(Run *run) {
  sim_note(run->sim);
  return run->sim->short_steps;
}

/* Velocities hardly change: by less than 1e-2. */
TEST(a_step_is_short_where_hardly_anything_changes) {
  static const double part[] = {0, 0.0099, -0.0099, 0.0101, -0.0101, 1};
  for (int i = 0; i < 6; i++) {
    Run run;
    if (start_short(&run, part[i]))
      CHECK_INT(short_steps(&run), fabs(part[i]) < 0.01 ? LONG_AGO + 1 : 0);
    run_free(&run);
  }
}

/* None is that was to be as long as it is: by the options, by interventions, by its method. */
TEST(a_step_that_was_asked_for_is_not_short) {
  for (int i = 0; i < 8; i++) {
    Run run;
    if (start_short(&run, 1e-3)) {
      Maker *maker = &run.sim->maker;
      if (i == 1) maker->options.step = 0.5;
      if (i == 2) maker->options.max_step = 2;
      if (i == 3) maker->options.max_step = 2.01;
      if (i == 4) maker->interventions.expected = 2;
      if (i == 5) maker->interventions.expected = 2.01;
      if (i == 6) maker->method.of_span = 1;
      if (i == 7) maker->options.max_step = 1;
      CHECK_INT(short_steps(&run), i == 0 || i == 3 || i == 5 ? LONG_AGO + 1 : 0);
    }
    run_free(&run);
  }
}

/* From the hundredth in a row on each is noted, with where it began and who limits it. */
TEST(a_hundred_short_steps_are_stiff) {
  Run run;
  if (start_short(&run, 1e-3)) {
    run.sim->short_steps = 0;
    for (int i = 1; i < 104; i++) {
      run.sim->maker.span.from.t = i;
      CHECK_INT(short_steps(&run), i < 100 ? i : 100);
      const sarrus_SimNotes notes = sarrus_sim_notes(run.sim);
      CHECK_INT(notes.stiff, i < 100 ? 0 : i - 99);
      if (i >= 100) CHECK_NEAR(notes.stiff_at, i, 0);
      CHECK_INT(notes.stiff_column, 0);
      CHECK_INT(notes.singular, 0);
    }
  }
  run_free(&run);
}

TEST(steps_past_a_pole_are_noted) {
  Run run;
  if (start_short(&run, 1)) {
    sim_note(run.sim);
    CHECK_INT(sarrus_sim_notes(run.sim).singular, 0);
    run.sim->maker.pole = 1;
    sim_note(run.sim);
    sim_note(run.sim);
    CHECK_INT(sarrus_sim_notes(run.sim).singular, 2);
    CHECK_NEAR(sarrus_sim_notes(run.sim).singular_at, 3, 0);
  }
  run_free(&run);
}
