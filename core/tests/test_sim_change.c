/* Coordinates that are held, forces that are let go. */
#include "sims.h"

static const double g0 = 9.81;

/*
** x and y fall; x has a spring too, which is force 0; lock 0 holds x, lock 1 the difference of the
** two.
*/
static Parts *pair(sarrus_Expr *locks, sarrus_ForceShare *shares) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr spring = scaled(g, -4, p->q[0]);
  p->force[0] = add(g, spring, constant(g, -g0));
  p->force[1] = constant(g, -g0);
  locks[0] = p->v[0];
  locks[1] = sub(g, p->v[0], p->v[1]);
  shares[0] = (sarrus_ForceShare){0, 0, spring};
  p->spec.locks = 2;
  p->spec.lock = locks;
  p->spec.forces = p->spec.shares = 1;
  p->spec.share = shares;
  return p;
}

typedef struct State {
  double q[2], v[2], lambda[MOST];
} State;

static State state_of(const sarrus_Sim *sim) {
  State s;
  CHECK_OK(sarrus_sim_state(sim, s.q, s.v, NULL, s.lambda));
  return s;
}

static bool start(Run *run, const double *v) {
  sarrus_Expr locks[2];
  sarrus_ForceShare shares[1];
  const double q[] = {0, 0};
  const sarrus_SimOptions options = {.tolerance = 1e-14};
  return run_new(run, pair(locks, shares), &options) &&
         CHECK_OK(sarrus_sim_start(run->sim, 0, q, v));
}

TEST(what_is_held_stays) {
  Run run;
  if (start(&run, (double[]){2, 0})) {
    CHECK_INT(sarrus_system_multipliers(run.system), 2);
    CHECK_OK(sarrus_sim_lock(run.sim, 0, 1));
    CHECK_INT(sarrus_sim_locked(run.sim, 0), 1);
    CHECK_INT(sarrus_sim_locked(run.sim, 1), 0);
    CHECK_OK(sarrus_sim_advance(run.sim, 2));
    State s = state_of(run.sim);
    CHECK_NEAR(s.q[0], 0, 1e-15);
    CHECK_NEAR(s.q[1], -2 * g0, 1e-13);
    CHECK_NEAR(-s.lambda[0], g0, 1e-13); /* carries the weight */
    CHECK_NEAR(s.lambda[1], 0, 0);
    CHECK_OK(sarrus_sim_lock(run.sim, 0, 0));
    CHECK_OK(sarrus_sim_advance(run.sim, 3)); /* x = (cos 2t - 1) g/4 */
    s = state_of(run.sim);
    CHECK_NEAR(s.q[0], (cos(2.0) - 1) * g0 / 4, 1e-13);
    CHECK_NEAR(s.lambda[0], 0, 0);
  }
  run_free(&run);
}

TEST(velocities_meet_as_in_an_impact) {
  Run run;
  if (start(&run, (double[]){3, 1})) {
    CHECK_OK(sarrus_sim_lock(run.sim, 1, 1));
    State s = state_of(run.sim);
    CHECK_NEAR(s.v[0], 2, 1e-15);
    CHECK_NEAR(s.v[1], 2, 1e-15);
    CHECK_OK(sarrus_sim_lock(run.sim, 0, 1)); /* both stand */
    s = state_of(run.sim);
    CHECK_NEAR(s.v[1], 0, 1e-15);
    CHECK_NEAR(-s.lambda[0], 2 * g0, 1e-13);
    CHECK_INT(sarrus_sim_lock(run.sim, 2, 1), SARRUS_ARGUMENT);
    CHECK_INT(sarrus_sim_lock(run.sim, -1, 1), SARRUS_ARGUMENT);
  }
  run_free(&run);
}

TEST(a_force_let_go_and_engaged) {
  Run run;
  double modes[1];
  if (start(&run, (double[]){0, 0})) {
    CHECK_INT(sarrus_system_modes(run.system), 1);
    CHECK_OK(sarrus_sim_release_force(run.sim, 0, 1));
    CHECK_OK(sarrus_sim_modes(run.sim, modes));
    CHECK_NEAR(modes[0], 1, 0);
    CHECK_OK(sarrus_sim_advance(run.sim, 1));
    CHECK_NEAR(state_of(run.sim).q[0], -g0 / 2, 1e-13);
    CHECK_OK(sarrus_sim_release_force(run.sim, 0, 0));
    CHECK_OK(sarrus_sim_advance(run.sim, 2)); /* x + g/4 = -g/4 cos 2t - g/2 sin 2t */
    CHECK_NEAR(state_of(run.sim).q[0], -g0 / 4 * (1 + cos(2.0) + 2 * sin(2.0)), 1e-13);
    CHECK_INT(sarrus_sim_release_force(run.sim, 1, 1), SARRUS_ARGUMENT);
  }
  run_free(&run);
}

TEST(changes_are_saved) {
  Run run;
  char record[16384];
  if (start(&run, (double[]){3, 1})) {
    CHECK_OK(sarrus_sim_advance(run.sim, 0.25));
    CHECK_OK(sarrus_sim_lock(run.sim, 1, 1));
    CHECK_OK(sarrus_sim_release_force(run.sim, 0, 1));
    CHECK_OK(sarrus_sim_advance(run.sim, 0.5));
    const size_t size = sarrus_sim_save(run.sim, NULL, 0, record, sizeof record);
    sarrus_Sim *other;
    int extras = 0;
    REQUIRE(size > 0 && size <= sizeof record);
    REQUIRE_OK(sarrus_sim_restore(sarrus_memory_default(), run.system, NULL, record, size, NULL,
                                  &extras, &other));
    CHECK_INT(sarrus_sim_locked(other, 1), 1);
    sarrus_Sim *both[] = {run.sim, other};
    for (int i = 0; i < 2; i++) {
      CHECK_OK(sarrus_sim_advance(both[i], 1));
      CHECK_OK(sarrus_sim_lock(both[i], 1, 0));
      CHECK_OK(sarrus_sim_release_force(both[i], 0, 0));
      CHECK_OK(sarrus_sim_advance(both[i], 2));
    }
    const State a = state_of(run.sim), b = state_of(other);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    sarrus_sim_free(other);
  }
  run_free(&run);
}

/*
** A coordinate that a constraint defines (its multiplier is left out elsewhere) holds what it is
** made of.
*/
TEST(a_coordinate_that_is_defined_holds) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  sarrus_Graph *g = p->g;
  const double q[] = {0.5, sin(0.5)}, v[] = {1, cos(0.5)};
  const sarrus_Expr lock = p->v[1];
  p->mass[3] = constant(g, 0);
  p->force[0] = constant(g, -1);
  p->constraint[0] = sub(g, p->q[1], sine(p, p->q[0])); /* y = sin x, without mass */
  p->spec.constraints = p->spec.locks = 1;
  p->spec.lock = &lock;
  Run run;
  if (run_new(&run, p, &(sarrus_SimOptions){.tolerance = 1e-14})) {
    CHECK_OK(sarrus_sim_start(run.sim, 0, q, v));
    CHECK_OK(sarrus_sim_lock(run.sim, 0, 1));
    CHECK_OK(sarrus_sim_advance(run.sim, 1));
    const State s = state_of(run.sim);
    CHECK_NEAR(s.q[0], 0.5, 1e-14);
    CHECK_NEAR(s.lambda[1] * cos(0.5), -1, 1e-13); /* carries the force */
  }
  run_free(&run);
}

TEST(shares_that_are_none) {
  sarrus_Expr locks[2];
  sarrus_ForceShare shares[1];
  sarrus_System *system;
  sarrus_Fault fault;
  for (int i = 0; i < 3; i++) {
    Parts *p = pair(locks, shares);
    REQUIRE(p != NULL);
    *(i == 0   ? &shares[0].force
      : i == 1 ? &shares[0].coordinate
               : &p->spec.locks) = i == 2 ? -1 : 2;
    CHECK_INT(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &system, &fault),
              SARRUS_ARGUMENT);
    parts_free(p);
  }
}

/*
** A point that two constraints hold, x = 0 and x' + y' = 0, over a floor at y = -1: constraints are
** counted through, velocity constraints behind the others, and rows of contacts are none of them.
*/
TEST(what_is_released_is_known) {
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->constraint[0] = p->q[0];
  p->velocity_constraint[0] = add(p->g, p->v[0], p->v[1]);
  p->force[1] = constant(p->g, -g0);
  p->contact[0].gap = add(p->g, p->q[1], constant(p->g, 1));
  p->spec.constraints = p->spec.velocity_constraints = p->spec.contacts = 1;
  const double at_rest[] = {0, 0};
  if (run_new(&run, p, &tight) && CHECK_OK(sarrus_sim_start(run.sim, 0, at_rest, at_rest))) {
    const int position = 0, velocity = 1, contact_row = 2;
    for (int i = -1; i <= 3; i++)
      CHECK_INT(sarrus_sim_released(run.sim, i), 0);
    CHECK_OK(sarrus_sim_release(run.sim, 1, &velocity, 1));
    CHECK_INT(sarrus_sim_released(run.sim, position), 0);
    CHECK_INT(sarrus_sim_released(run.sim, velocity), 1);
    CHECK_STATUS(sarrus_sim_release(run.sim, 1, &contact_row, 1), SARRUS_ARGUMENT);
    CHECK_INT(sarrus_sim_released(run.sim, contact_row), 0);
    CHECK_OK(sarrus_sim_advance(run.sim, 0.25)); /* y = -g t^2 / 2 falls now */
    State s = state_of(run.sim);
    CHECK_NEAR(s.q[0], 0, 0);
    CHECK_NEAR(s.q[1], -g0 / 32, 1e-15);
    CHECK_OK(sarrus_sim_release(run.sim, 1, &velocity, 0)); /* stops it: x' is 0, so is y' */
    CHECK_INT(sarrus_sim_released(run.sim, velocity), 0);
    s = state_of(run.sim);
    CHECK_NEAR(s.v[1], 0, 1e-15);
    CHECK_OK(sarrus_sim_release(run.sim, 1, &position, 1));
    CHECK_INT(sarrus_sim_released(run.sim, position), 1);
    CHECK_INT(sarrus_sim_released(run.sim, velocity), 0);
    CHECK_OK(sarrus_sim_advance(run.sim, 0.5)); /* x' = -y': half the weight for each */
    s = state_of(run.sim);
    CHECK_NEAR(s.v[0], g0 / 8, 1e-14);
    CHECK_NEAR(s.v[1], -g0 / 8, 1e-14);
  }
  run_free(&run);
}

/* x'' = 2 where x = 0 holds it: let go at a time, it goes its way from there, forwards and back. */
TEST(what_is_let_go_goes_both_ways) {
  const double zero = 0;
  const int held = 0;
  for (int back = 0; back <= 1; back++) {
    double x, size;
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    p->force[0] = constant(p->g, 2);
    p->constraint[0] = p->q[0];
    p->spec.constraints = 1;
    REQUIRE(run_new(&run, p, &tight));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, &zero, &zero));
    REQUIRE_OK(sarrus_sim_step(run.sim, &size));
    const double from = sarrus_sim_time(run.sim), s = back ? -0.5 * from : 0.5;
    CHECK_OK(sarrus_sim_release(run.sim, 1, &held, 1));
    CHECK_OK(sarrus_sim_advance(run.sim, from + s));
    CHECK_OK(sarrus_sim_state(run.sim, &x, NULL, NULL, NULL));
    CHECK_NEAR(x, s * s, 1e-12 * (1 + s * s));
    CHECK_STATUS(sarrus_sim_release(run.sim, 1, &held, 0), SARRUS_INCONSISTENT);
    const sarrus_Fault *fault = sarrus_sim_fault(run.sim);
    CHECK_INT(fault->derivative, 0); /* it is elsewhere, */
    CHECK_INT(fault->row, 1);
    CHECK_NEAR(fault->size, s * s, 1e-12 * (1 + s * s)); /* by this much */
    CHECK_INT(sarrus_sim_released(run.sim, held), 1);
    run_free(&run);
  }
}
