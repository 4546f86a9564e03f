/*
** What is asked of a simulation: accelerations and multipliers whatever made the step, residuals,
** directions of travel; and what parameters and impulses do to what touches or is defined.
*/
#include "contacts.h"
#include "sim_parts.h"

#if defined __SSE2__
#include <xmmintrin.h>
#endif

/* x'' = -x beside y, which constraint 0 holds under a force of 3; locks of both are free. */
static Parts *held(void) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  p->force[0] = negative(p->g, p->q[0]);
  p->force[1] = constant(p->g, 3);
  p->constraint[0] = p->q[1];
  p->spec.constraints = 1;
  p->spec.lock = p->v;
  p->spec.locks = 2;
  return p;
}

/* --- states -------------------------------------------------------------------------------- */

/* By series and by stages, at ends of steps and inside; a lock that is free carries nothing. */
TEST(states_by_either_method) {
  static const sarrus_Method methods[] = {SARRUS_SERIES, SARRUS_STIFF};
  for (int i = 0; i < 2; i++) {
    const sarrus_SimOptions options = {.tolerance = 1e-10, .method = methods[i]};
    const double q[] = {1, 0}, v[] = {0, 0};
    Run run;
    REQUIRE(run_new(&run, held(), &options));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
    for (int step = 0; step < 12; step++) {
      double place[2] = {7, 7}, a[2] = {7, 7}, lambda[3] = {7, 7, 7}, size, from, to;
      if (step > 0) REQUIRE_OK(sarrus_sim_step(run.sim, &size));
      sarrus_sim_span(run.sim, &from, &to);
      for (int inside = 0; inside <= 1; inside++) {
        const double t = inside ? (from + to) / 2 : to;
        CHECK_OK(sarrus_sim_at(run.sim, t, place, NULL, a, lambda));
        CHECK_NEAR(place[0], cos(t), 1e-8);
        CHECK_NEAR(a[0], -cos(t), i == 0 ? 1e-8 : 1e-3);
        CHECK_NEAR(a[1], 0, 1e-10);
        CHECK_NEAR(lambda[0], 3, 1e-9);
        CHECK_NEAR(lambda[1], 0, 0);
        CHECK_NEAR(lambda[2], 0, 0);
      }
      lambda[1] = 7;
      CHECK_OK(sarrus_sim_state(run.sim, NULL, NULL, NULL, lambda));
      CHECK_NEAR(lambda[0], 3, 1e-9);
      CHECK_NEAR(lambda[1], 0, 0);
      CHECK_OK(sarrus_sim_state(run.sim, NULL, NULL, a, NULL));
      CHECK_NEAR(a[0], -cos(sarrus_sim_time(run.sim)), i == 0 ? 1e-8 : 1e-3);
    }
    run_free(&run);
  }
}

/* Of two constraints that say the same, the direction in which multipliers are not unique. */
TEST(multipliers_that_are_not_unique) {
  const double q[] = {0, 0}, v[] = {0, 1};
  double lambda[] = {7, 7, 7, 7};
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->constraint[0] = p->q[0];
  p->constraint[1] = scaled(p->g, 2, p->q[0]);
  p->spec.constraints = 2;
  p->spec.lock = p->v;
  p->spec.locks = 1;
  REQUIRE(run_new(&run, p, &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_OK(sarrus_sim_advance(run.sim, 0.1));
  REQUIRE(sarrus_sim_null(run.sim, 0, lambda) == 1);
  CHECK(fabs(lambda[0]) > 1e-3);
  CHECK_NEAR(lambda[0] + 2 * lambda[1], 0, 1e-14 * fabs(lambda[0])); /* it exerts no force */
  CHECK_NEAR(lambda[2], 0, 0);                                       /* the lock, */
  CHECK_NEAR(lambda[3], 7, 0);                                       /* and nothing behind it */
  CHECK_INT(sarrus_sim_null(run.sim, 1, lambda), 0);
  CHECK_INT(sarrus_sim_null(run.sim, -1, lambda), 0);
  run_free(&run);
}

/* Numbers below the smallest normal one must not become 0: a host may have asked for that. */
TEST(gradual_underflow_is_needed) {
#if defined __SSE2__
  Run run;
  REQUIRE(run_oscillator(&run, &tight));
  const unsigned before = _mm_getcsr();
  sarrus_Sim *sim = NULL;
  _mm_setcsr(before | 0x8000u); /* flush to zero */
  const sarrus_Status status =
      sarrus_sim_new(sarrus_memory_default(), run.system, NULL, &tight, &sim);
  const sarrus_Status later = sarrus_sim_advance(run.sim, 1);
  _mm_setcsr(before);
  CHECK_STATUS(status, SARRUS_FLOATS);
  CHECK_STATUS(later, SARRUS_FLOATS);
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  run_free(&run);
#else
  CHECK(sim_floats_are_standard());
#endif
}

/* --- which way ----------------------------------------------------------------------------- */

/* To and fro, in steps that end anywhere: to the time it is at, nothing changes. */
TEST(turning_round) {
  static const double times[] = {0, 0.3, 0.3, -0.2, -0.2, 0.1, 2, 2, 1.9, -1};
  for (int contacts = 0; contacts <= 1; contacts++) {
    const double q[] = {1, 1e3}, v[] = {0, 0};
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    p->force[0] = negative(p->g, p->q[0]);
    p->contact[0].gap = p->q[1];
    p->spec.contacts = contacts;
    REQUIRE(run_new(&run, p, &tight));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
    for (int i = 0; i < 10; i++) {
      double place[2], position, velocity;
      CHECK_OK(sarrus_sim_advance(run.sim, times[i]));
      CHECK_NEAR(sarrus_sim_time(run.sim), times[i], 0);
      CHECK_OK(sarrus_sim_state(run.sim, place, NULL, NULL, NULL));
      CHECK_NEAR(place[0], cos(times[i]), 1e-12);
      CHECK_OK(sarrus_sim_residual(run.sim, &position, &velocity));
    }
    run_free(&run);
  }
}

/* Residuals are asked for where it stands, and leave it as it was, to the bit. */
TEST(residuals_change_nothing) {
  const double q[] = {0.6, -0.8}, v[] = {0.8, 0.6};
  Run one, two;
  REQUIRE(run_new(&one, pendulum(sarrus_memory_default()), &tight));
  REQUIRE(run_new(&two, pendulum(sarrus_memory_default()), &tight));
  REQUIRE_OK(sarrus_sim_start(one.sim, 0, q, v));
  REQUIRE_OK(sarrus_sim_start(two.sim, 0, q, v));
  for (int i = 1; i <= 8; i++) {
    double position = -1, velocity = -1, a[2], b[2];
    CHECK_OK(sarrus_sim_advance(one.sim, 0.3 * i));
    CHECK_OK(sarrus_sim_advance(two.sim, 0.3 * i));
    CHECK_OK(sarrus_sim_residual(one.sim, &position, &velocity));
    CHECK(0 <= position && position < 1e-13);
    CHECK(0 <= velocity && velocity < 1e-13);
    CHECK_OK(sarrus_sim_state(one.sim, a, NULL, NULL, NULL));
    CHECK_OK(sarrus_sim_state(two.sim, b, NULL, NULL, NULL));
    CHECK(memcmp(a, b, sizeof a) == 0);
  }
  run_free(&one);
  run_free(&two);
}

/* --- what touches, and what is defined ------------------------------------------------------ */

/* A ball on a floor at height p0, under a weight of 1 + p1. */
static bool run_on_floor(Run *run) {
  const double q = 0, v = 0;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (p == NULL) return CHECK(false);
  const sarrus_Expr height = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0);
  p->force[0] = sub(p->g, constant(p->g, -1), sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 1));
  p->contact[0].gap = sub(p->g, p->q[0], height);
  p->spec.contacts = 1;
  p->spec.parameters = 2;
  return run_new(run, p, &tight) && CHECK_OK(sarrus_sim_start(run->sim, 0, &q, &v)) &&
         CHECK(mode_of(run->sim, 0) != SARRUS_OPEN) && CHECK_OK(sarrus_sim_advance(run->sim, 1));
}

/* A floor that is taken away does not pull: the ball stays where it was, and falls. */
TEST(a_floor_that_is_lowered) {
  static const int which[] = {1, 0, 0};
  static const double value[] = {1, 5, -1};
  for (int several = 0; several <= 1; several++) {
    const double fall = several ? 1 : sqrt(2); /* by 1, at an acceleration of 2 or 1 */
    double q, v;
    Run run;
    REQUIRE(run_on_floor(&run));
    if (several)
      CHECK_OK(sarrus_sim_set_all(run.sim, 3, which, value));
    else
      CHECK_OK(sarrus_sim_set(run.sim, 0, -1));
    CHECK_NEAR(sarrus_sim_get(run.sim, 0), -1, 0);
    CHECK_NEAR(sarrus_sim_get(run.sim, 1), several, 0);
    CHECK_INT(mode_of(run.sim, 0), SARRUS_OPEN);
    CHECK_INT(run.sim->endings[0], ENDS_NOT);
    CHECK_OK(sarrus_sim_state(run.sim, &q, &v, NULL, NULL));
    CHECK_NEAR(q, 0, 1e-15);
    CHECK_NEAR(v, 0, 0);
    CHECK_OK(sarrus_sim_advance(run.sim, 1 + fall / 2));
    CHECK_OK(sarrus_sim_state(run.sim, &q, &v, NULL, NULL));
    CHECK_NEAR(q, -0.25, 1e-14);
    CHECK_OK(sarrus_sim_advance(run.sim, 1 + 2 * fall)); /* and rests below */
    CHECK_INT(mode_of(run.sim, 0) != SARRUS_OPEN, 1);
    CHECK_OK(sarrus_sim_state(run.sim, &q, &v, NULL, NULL));
    CHECK_NEAR(q, -1, 1e-13);
    run_free(&run);
  }
}

/* One that is raised into the ball has no place for it: all is as before. */
TEST(a_floor_that_is_raised) {
  static const int which[] = {1, 0};
  static const double value[] = {1, 1};
  double q, v;
  Run run;
  REQUIRE(run_on_floor(&run));
  CHECK_STATUS(sarrus_sim_set_all(run.sim, 2, which, value), SARRUS_CONTACT);
  CHECK_INT(sarrus_sim_fault(run.sim)->contact, 0);
  CHECK_NEAR(sarrus_sim_fault(run.sim)->size, 1, 1e-14);
  CHECK_NEAR(sarrus_sim_get(run.sim, 0), 0, 0);
  CHECK_NEAR(sarrus_sim_get(run.sim, 1), 0, 0);
  CHECK_INT(mode_of(run.sim, 0) != SARRUS_OPEN, 1);
  CHECK_OK(sarrus_sim_advance(run.sim, 2));
  CHECK_OK(sarrus_sim_state(run.sim, &q, &v, NULL, NULL));
  CHECK_NEAR(q, 0, 1e-15);
  run_free(&run);
}

/*
** y = 3 x + 1 defines y, which has no mass: an impulse on y is three times as much on x, however
** large it is.
*/
TEST(impulses_on_what_is_defined) {
  static const double sizes[] = {1, 2, -0.5, 1e-3};
  for (int i = 0; i < 4; i++) {
    const double q[] = {0, 1}, v[] = {0, 0}, impulse[] = {0.25, sizes[i]};
    double place[2], speed[2];
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    p->mass[3] = constant(p->g, 0);
    p->constraint[0] = sub(p->g, p->q[1], add(p->g, scaled(p->g, 3, p->q[0]), constant(p->g, 1)));
    p->spec.constraints = 1;
    REQUIRE(run_new(&run, p, &tight));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
    CHECK_OK(sarrus_sim_impulse(run.sim, impulse));
    CHECK_OK(sarrus_sim_state(run.sim, place, speed, NULL, NULL));
    CHECK_NEAR(speed[0], 0.25 + 3 * sizes[i], 1e-14);
    CHECK_NEAR(speed[1], 3 * speed[0], 1e-13);
    CHECK_OK(sarrus_sim_advance(run.sim, 1));
    CHECK_OK(sarrus_sim_state(run.sim, place, speed, NULL, NULL));
    CHECK_NEAR(place[1], 1 + 3 * speed[0], 1e-13);
    run_free(&run);
  }
}
