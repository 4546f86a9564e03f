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
  maker->stats.largest = h / 20; /* steps grow tenfold at most */
  double next = 0;
  REQUIRE_OK(maker_expand(maker, &next));
  CHECK_NEAR(next, h / 2, 1e-15 * h);
  CHECK(!maker_vanishes(maker, h, 0));
  maker->span.from.t = 1e6;
  CHECK(maker_vanishes(maker, 1e-10, 0));
  CHECK(!maker_vanishes(maker, 1e-10, 1)); /* where something changes, as short as it must be */
  run_free(&run);
}

/*
** x'' = t^2 e^(t^4), whose series runs in powers of t^4: of three coefficients in a row all may
** vanish.
*/
TEST(steps_where_coefficients_vanish) {
  const double q = 1, v = 0;
  for (int order = 12; order < 16; order++) {
    Run run;
    double h = 0, error = 0;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    p->force[0] = mul(p->g, power(p->g, p->t, 2), unary(p->g, SARRUS_OP_EXP, power(p->g, p->t, 4)));
    REQUIRE(run_new(&run, p, &(sarrus_SimOptions){.tolerance = 1e-12, .order = order}));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
    REQUIRE_OK(maker_begin(&run.sim->maker));
    REQUIRE_OK(maker_expand(&run.sim->maker, &h));
    CHECK(h > 0.01);
    REQUIRE_OK(maker_land(&run.sim->maker, h, 0, &error));
    CHECK(error <= 1);
    run_free(&run);
  }
}

/*
** Next to a singular position errors count for less, as the margin of rank; down to a thousandth.
*/
TEST(errors_next_to_a_singular_position) {
  static const double part[] = {2, 1, 0.5, 0.02, 1e-3, 1e-4},
                      counts[] = {1, 1, 0.5, 0.02, 1e-3, 1e-3};
  const double q[] = {0.6, -0.8}, v[] = {0, 0};
  Run run;
  double h = 0, usual = 0;
  REQUIRE(run_new(&run, pendulum(sarrus_memory_default()), &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  Maker *maker = &run.sim->maker;
  REQUIRE_OK(maker_begin(maker));
  REQUIRE_OK(maker_expand(maker, &h));
  REQUIRE_OK(maker_land(maker, 2 * h, 0, &usual));
  CHECK(usual > 1);
  for (int i = 0; i < 6; i++) {
    double error = 0;
    maker->from_margin = part[i] * maker_near_margin(maker);
    REQUIRE_OK(maker_land(maker, 2 * h, 0, &error));
    CHECK_CLOSE(error, counts[i] * usual, 1e-9);
  }
  run_free(&run);
}

/* Nothing is held before the first forces are known, however small these are. */
TEST(multipliers_are_relative_to_what_is_held) {
  const double q[] = {1, 0}, v[] = {0, 0};
  Run run;
  Parts *p = pendulum(sarrus_memory_default());
  REQUIRE(p != NULL);
  p->force[1] = constant(p->g, -1e-6);
  REQUIRE(run_new(&run, p, &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  Maker *maker = &run.sim->maker;
  REQUIRE_OK(maker_begin(maker));
  CHECK(maker->held > 0);
  CHECK_NEAR(maker->scale[2], maker->held * maker->expansion->kkt->column[2], 0);
  run_free(&run);
}

/* Both along the radius: what is off by e goes back to within e^2. */
TEST(projection_is_along_the_normal) {
  const double q[] = {0.6, -0.8}, v[] = {0.8, 0.6}, e = 1e-6;
  Run run;
  Correction moved;
  REQUIRE(run_new(&run, pendulum(sarrus_memory_default()), &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  Maker *maker = &run.sim->maker;
  for (int j = 0; j < 2; j++) {
    maker->to.q[j] += e * q[j];
    maker->to.v[j] += e * q[j];
  }
  REQUIRE_OK(maker_project(maker, &maker->to, &moved));
  for (int j = 0; j < 2; j++) {
    CHECK_NEAR(maker->to.q[j], q[j], 2 * e * e);
    CHECK_NEAR(maker->to.v[j], v[j], 2 * e * e);
  }
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
