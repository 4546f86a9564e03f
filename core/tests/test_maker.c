/* The step maker by itself: a step out of its parts, and the way back. */
#include "sim_parts.h"
#include "sims.h"

static bool same(const double *a, const double *b, int n) {
  return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* begin, expand, land, accept: x = cos t */
TEST(a_step_by_hand) {
  Run run;
  double h = 0, error = 1, x;
  REQUIRE(run_oscillator(&run, &tight));
  Maker *maker = &run.sim->maker;
  REQUIRE_OK(maker_begin(maker));
  REQUIRE_OK(maker_expand(maker, &h));
  CHECK(h > 0.1);
  REQUIRE_OK(maker_land(maker, h, 0, &error));
  CHECK(error <= 1);
  CHECK_NEAR(maker->to.t, h, 0);
  CHECK_NEAR(maker->to.q[0], cos(h), 1e-14);
  CHECK_NEAR(maker->to.v[0], -sin(h), 1e-14);
  maker_accept(maker, h);
  CHECK(span_covers(&maker->span, h / 2));
  span_evaluate(&maker->span, h / 2, &x, NULL, NULL, NULL);
  CHECK_NEAR(x, cos(h / 2), 1e-14);
  CHECK_INT(maker->stats.steps, 1);
  run_free(&run);
}

/* A step that is too long is in error, and one for that error is shorter. */
TEST(steps_that_are_too_long) {
  Run run;
  double h = 0, error = 0;
  REQUIRE(run_oscillator(&run, &tight));
  Maker *maker = &run.sim->maker;
  REQUIRE_OK(maker_begin(maker));
  REQUIRE_OK(maker_expand(maker, &h));
  REQUIRE_OK(maker_land(maker, 4 * h, 0, &error));
  CHECK(error > 1);
  CHECK(maker_shorten(maker, 4 * h, error, 0) < 4 * h);
  CHECK_NEAR(maker_shorten(maker, 4 * h, (double)INFINITY, 0), 2 * h, 1e-15 * h);
  CHECK(!maker_vanishes(maker, h, 0));
  maker->span.from.t = 1e6;
  CHECK(maker_vanishes(maker, 1e-10, 0));
  CHECK(!maker_vanishes(maker, 1e-10, 1)); /* where something changes, as short as it must be */
  run_free(&run);
}

/* Remembered and recalled, not a bit of a point has changed. */
TEST(the_way_back) {
  Run run;
  const double q0[] = {-1, 0}, v0[] = {0, 0};
  double q[2], v[2], h;
  REQUIRE(run_new(&run, pendulum(sarrus_memory_default()), &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q0, v0));
  REQUIRE_OK(sarrus_sim_step(run.sim, &h));
  Maker *maker = &run.sim->maker;
  memcpy(q, maker->to.q, sizeof q);
  memcpy(v, maker->to.v, sizeof v);
  const double lambda = *expansion_at(maker->expansion, 0, 2);
  maker_remember(maker);
  maker->to.q[0] += 0.1;
  maker->to.v[1] -= 0.1;
  REQUIRE_OK(maker_settle(maker));
  CHECK(!same(q, maker->to.q, 2));
  CHECK_STATUS(maker_recall(maker, SARRUS_STEP), SARRUS_STEP);
  CHECK(same(q, maker->to.q, 2) && same(v, maker->to.v, 2));
  CHECK(*expansion_at(maker->expansion, 0, 2) == lambda);
  CHECK_INT(maker->broken, 0);
  run_free(&run);
}
