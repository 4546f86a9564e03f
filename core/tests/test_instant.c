/* Instants: a point on a circle, whose motion, rates and reach are known in closed form. */
#include "mechanisms.h"
#include "sarrus/instant.h"

/* The circle, then x - target and most - x as further constraints. */
static sarrus_System *circle(sarrus_Memory memory, int further, double target, double most) {
  Parts *p = pendulum(memory);
  sarrus_System *system = NULL;
  sarrus_Fault fault;
  if (p == NULL) return NULL;
  p->constraint[1] = sub(p->g, p->q[0], constant(p->g, target));
  p->constraint[2] = sub(p->g, constant(p->g, most), p->q[0]);
  p->spec.constraints = 1 + further;
  sarrus_system_new(memory, parts_spec(p), &system, &fault);
  parts_free(p);
  return system;
}

TEST(motion_of_a_pendulum_all_around) {
  sarrus_System *system = circle(sarrus_memory_default(), 0, 0, 0);
  sarrus_Instant *instant;
  sarrus_Fault fault;
  REQUIRE(system != NULL);
  REQUIRE_OK(sarrus_instant_new(sarrus_memory_default(), system, NULL, 0, &instant));
  CHECK(sarrus_instant_bytes(instant) > 0);
  for (int k = 0; k < 24; k++) {
    const double c = cos(k * 0.2618), s = sin(k * 0.2618), w = 1.5 - 0.1 * k;
    const double q[] = {c, s}, v[] = {-s * w, c * w};
    double a[2], lambda;
    REQUIRE_OK(sarrus_instant_motion(instant, 0, q, v, NULL, a, &lambda, &fault));
    /* a = -w^2 e_r + w' e_t, w' = -9.81 c, and 2 lambda e_r = f - a */
    CHECK_NEAR(a[0], -w * w * c + 9.81 * c * s, 1e-13);
    CHECK_NEAR(a[1], -w * w * s - 9.81 * c * c, 1e-13);
    CHECK_NEAR(2 * lambda, w * w - 9.81 * s, 1e-13);
    CHECK_OK(sarrus_instant_motion(instant, 0, q, v, NULL, NULL, NULL, &fault));
  }
  sarrus_instant_free(instant);
  sarrus_system_free(system);
}

TEST(rates_that_lead) {
  sarrus_System *system = circle(sarrus_memory_default(), 1, 0, 0);
  sarrus_Instant *instant;
  sarrus_Fault fault;
  const int leading = 1;
  REQUIRE(system != NULL);
  REQUIRE_OK(sarrus_instant_new(sarrus_memory_default(), system, NULL, 0, &instant));
  for (int k = 1; k < 12; k++) {
    const double q[] = {cos(k * 0.5), sin(k * 0.5)};
    double rate[2], lambda[2];
    REQUIRE_OK(sarrus_instant_rates(instant, 0, q, NULL, 1, &leading, rate, lambda, &fault));
    CHECK_NEAR(rate[0], 1, 1e-14);
    CHECK_NEAR(rate[1], -q[0] / q[1], 1e-12 / fabs(q[1]));
    CHECK_NEAR(-lambda[1] * q[1] * q[1], 1, 1e-12);
  }
  const double side[] = {1, 0}; /* there x cannot move */
  double rate[2], lambda[2];
  CHECK_STATUS(sarrus_instant_rates(instant, 0, side, NULL, 1, &leading, rate, lambda, &fault),
               SARRUS_SINGULAR);
  CHECK_INT(fault.row, 3);
  sarrus_instant_free(instant);
  sarrus_system_free(system);
}

static sarrus_Status reach(double target, double most, double *q, double *value, int *held,
                           sarrus_Reached *reached) {
  sarrus_System *system = circle(sarrus_memory_default(), 2, target, most);
  sarrus_Instant *instant;
  sarrus_Fault fault;
  const double unit = 1;
  const sarrus_Aim aim = {.targets = 1, .unit = &unit, .thorough = 1};
  if (!CHECK(system != NULL)) return SARRUS_NOMEM;
  sarrus_Status status = sarrus_instant_new(sarrus_memory_default(), system, NULL, 2, &instant);
  if (status == SARRUS_OK)
    status = sarrus_instant_reach(instant, 0, q, NULL, &aim, value, held, reached, &fault);
  sarrus_instant_free(instant);
  sarrus_system_free(system);
  return status;
}

TEST(targets_within_reach_and_beyond) {
  double q[2] = {0.1, -0.9}, value[2];
  int held[2];
  sarrus_Reached reached;
  CHECK_OK(reach(0.6, 2, q, value, held, &reached));
  CHECK_NEAR(q[0], 0.6, 1e-15);
  CHECK_NEAR(q[1], -0.8, 1e-15);
  CHECK(reached.closed && reached.off <= 1e-15 && reached.iterations < 10 && !held[1]);
  CHECK_STATUS(reach(1.5, 2, q, value, held, &reached), SARRUS_INCONSISTENT);
  CHECK_NEAR(reached.off, 0.5, 1e-6); /* where a target cannot be met, steps come nearer slowly */
  CHECK_NEAR(value[0], -0.5, 1e-6);
  CHECK(!held[1]);
  q[0] = 0.1;
  q[1] = -1;
  CHECK_STATUS(reach(0.8, 0.6, q, value, held, &reached), SARRUS_INCONSISTENT);
  CHECK_NEAR(reached.off, 0.2, 1e-12);
  CHECK_NEAR(q[1], -0.8, 1e-12);
  CHECK(held[1] && fabs(value[1]) < 1e-12);
}

TEST(without_memory) {
  TestMemory m;
  for (long n = 1;; n++) {
    const sarrus_Memory memory = test_memory_failing(&m, n);
    sarrus_System *system = circle(sarrus_memory_default(), 2, 0.6, 2);
    sarrus_Instant *instant = NULL;
    sarrus_Fault fault;
    sarrus_Reached reached;
    double q[2] = {0.1, -0.9};
    const double unit = 1;
    const sarrus_Aim aim = {.targets = 1, .unit = &unit};
    REQUIRE(system != NULL);
    sarrus_Status status = sarrus_instant_new(memory, system, NULL, 2, &instant);
    CHECK((status == SARRUS_OK) == (instant != NULL));
    if (status == SARRUS_OK)
      status = sarrus_instant_reach(instant, 0, q, NULL, &aim, NULL, NULL, &reached, &fault);
    sarrus_instant_free(instant);
    sarrus_system_free(system);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) break;
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
}
