/* Functions whose arguments nearly vanish; why steps come to an end. */
#include "sims.h"

/* A point at the end of a spring of stiffness 10 and length 0.1, pulled to the origin. */
static Parts *sprung(void) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  const sarrus_Expr square = add(p->g, mul(p->g, p->q[0], p->q[0]), mul(p->g, p->q[1], p->q[1]));
  const sarrus_Expr length = unary(p->g, SARRUS_OP_SQRT, square);
  const sarrus_Expr part =
      sub(p->g, quotient(p->g, constant(p->g, 0.1), length), constant(p->g, 1));
  for (int j = 0; j < 2; j++)
    p->force[j] = mul(p->g, constant(p->g, 10), mul(p->g, part, p->q[j]));
  return p;
}

static double sprung_energy(const sarrus_Sim *sim) {
  double q[2], v[2];
  CHECK_OK(sarrus_sim_state(sim, q, v, NULL, NULL));
  const double stretch = hypot(q[0], q[1]) - 0.1;
  return (v[0] * v[0] + v[1] * v[1]) / 2 + 5 * stretch * stretch;
}

TEST(a_spring_is_followed_past_its_end_at_any_miss) {
  for (double miss = 1; miss > 1e-18; miss /= 10) {
    Run run;
    const double q[] = {1, 0}, v[] = {0, miss < 1e-17 ? 0 : miss};
    const sarrus_SimOptions options = {.tolerance = 1e-12, .max_steps = 2000};
    REQUIRE(run_new(&run, sprung(), &options));
    CHECK_OK(sarrus_sim_start(run.sim, 0, q, v));
    const double before = sprung_energy(run.sim);
    CHECK_OK(sarrus_sim_advance(run.sim, 5));
    CHECK_NEAR(sprung_energy(run.sim), before, 1e-11);
    run_free(&run);
  }
}

/* x'' = 1/t^3 */
TEST(a_pole_at_time_0_ends_an_advance) {
  Run run;
  const double q = 0, v = 0;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->force[0] = quotient(p->g, constant(p->g, 1), sarrus_graph_power(p->g, p->t, 3));
  const sarrus_SimOptions options = {.tolerance = 1e-12, .max_steps = 1000};
  REQUIRE(run_new(&run, p, &options));
  CHECK_OK(sarrus_sim_start(run.sim, 1, &q, &v));
  CHECK_STATUS(sarrus_sim_advance(run.sim, -1), SARRUS_STEP);
  CHECK(fabs(sarrus_sim_time(run.sim)) < 1e-9);
  CHECK_INT(sarrus_sim_fault(run.sim)->size, 0);
  CHECK(sarrus_sim_fault(run.sim)->expr != SARRUS_NONE);
  run_free(&run);
}

/* x^2 + y^2 = 1 and x = motion(t): beyond 1 there is nothing. */
static Parts *driven(void) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  const sarrus_Expr square = add(p->g, mul(p->g, p->q[0], p->q[0]), mul(p->g, p->q[1], p->q[1]));
  p->constraint[0] = sub(p->g, square, constant(p->g, 1));
  p->spec.constraints = 2;
  return p;
}

TEST(a_motion_out_of_reach_is_inconsistent) {
  Run run;
  const double q[] = {0, 1}, v[] = {1, 0};
  Parts *p = driven();
  REQUIRE(p != NULL);
  p->constraint[1] = sub(p->g, p->q[0], p->t);
  REQUIRE(run_new(&run, p, &tight));
  CHECK_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 2), SARRUS_INCONSISTENT);
  CHECK_NEAR(sarrus_sim_time(run.sim), 1, 1e-9);
  CHECK_INT(sarrus_sim_fault(run.sim)->row, 3);
  CHECK(sarrus_sim_fault(run.sim)->size == 0);
  CHECK_OK(sarrus_sim_advance(run.sim, 0)); /* and back */
  run_free(&run);
}

/* x = 0.1 t, and 0.01 more from 1 on */
TEST(a_motion_that_jumps_is_inconsistent) {
  Run run;
  const double q[] = {0, 1}, v[] = {0.1, 0};
  Parts *p = driven();
  REQUIRE(p != NULL);
  const sarrus_Expr later = sub(p->g, p->t, constant(p->g, 1));
  const sarrus_Expr jump =
      sarrus_graph_apply(p->g, SARRUS_OP_SELECT, later, constant(p->g, 0.01), constant(p->g, 0));
  const sarrus_Expr motion = add(p->g, mul(p->g, constant(p->g, 0.1), p->t), jump);
  p->constraint[1] = sub(p->g, p->q[0], motion);
  REQUIRE(run_new(&run, p, &tight));
  CHECK_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 2), SARRUS_INCONSISTENT);
  CHECK_NEAR(sarrus_sim_time(run.sim), 1, 1e-9);
  CHECK_INT(sarrus_sim_fault(run.sim)->row, 3);
  CHECK_NEAR(sarrus_sim_fault(run.sim)->size, 0.01, 1e-8);
  run_free(&run);
}

/* What a projection leaves over of velocities that cannot be is rest. */
TEST(what_cannot_move_rests) {
  Run run;
  const double q[] = {0.3, 0.7}, v[] = {1.1, -0.9};
  double rest[2];
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  const sarrus_Expr sum = add(p->g, p->q[0], mul(p->g, constant(p->g, 1.7), p->q[1]));
  p->constraint[0] = sub(p->g, sum, constant(p->g, 1.49));
  p->constraint[1] = sub(p->g, p->q[0], constant(p->g, 0.3));
  p->spec.constraints = 2;
  REQUIRE(run_new(&run, p, &tight));
  CHECK_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  CHECK_OK(sarrus_sim_state(run.sim, NULL, rest, NULL, NULL));
  CHECK(rest[0] == 0 && rest[1] == 0);
  run_free(&run);
}
