/* Scales of single coordinates, and what a simulation notes by the way. */
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
