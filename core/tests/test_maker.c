/* The step maker by itself: a step out of its parts, and the way back. */
#include <float.h>

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

/* --- thresholds, from numbers that are given ---------------------------------------------- */

/* A free point at x = 0 with speed 1 at some time, and a span of given order about it. */
static bool start_free(Run *run, double tolerance, double t, int order) {
  const double q = 0, v = 1;
  const sarrus_SimOptions options = {.tolerance = tolerance, .order = order};
  double h;
  if (!run_new(run, parts_new(sarrus_memory_default(), 1), &options) ||
      !CHECK_OK(sarrus_sim_start(run->sim, t, &q, &v)))
    return false;
  return CHECK_OK(maker_begin(&run->sim->maker)) &&
         CHECK_OK(maker_expand_series(&run->sim->maker, &h));
}

/* Steps of 1024 eps of the time are too short, of 8192 eps while they shrink. */
TEST(steps_that_are_too_short) {
  const double least = 1024 * DBL_EPSILON;
  static const double times[] = {4, -4, 0};
  for (int i = 0; i < 3; i++) {
    Run run;
    if (start_free(&run, 1e-12, times[i], 10)) {
      Maker *maker = &run.sim->maker;
      maker->began = i == 2 ? 4 : times[i]; /* the time itself, or what has passed */
      CHECK_NEAR(maker_past(maker), 4, 0);
      CHECK_NEAR(maker_least_time(maker), 400 * least, 0);
      maker->span.h = 0;
      CHECK_INT(maker_vanishes(maker, 4.01 * least, 0), 0);
      CHECK_INT(maker_vanishes(maker, 4 * least, 0), 1);
      CHECK_INT(maker_vanishes(maker, -4 * least, 0), 1);
      CHECK_INT(maker_vanishes(maker, 0, 0), 1);
      CHECK_INT(maker_vanishes(maker, 0, 1), 0);
      maker->span.h = 1; /* the last one was longer, the same way */
      CHECK_INT(maker_vanishes(maker, 32 * least, 0), 1);
      CHECK_INT(maker_vanishes(maker, 32.1 * least, 0), 0);
      CHECK_INT(maker_vanishes(maker, -4.01 * least, 0), 0); /* turned round */
      maker->span.h = 16 * least; /* as long as the last one: it does not shrink */
      CHECK_INT(maker_vanishes(maker, 16 * least, 0), 0);
      CHECK_INT(maker_vanishes(maker, 15.9 * least, 0), 1);
      maker->near.value = 0; /* something that vanishes nearby may want it */
      CHECK_INT(maker_vanishes(maker, 4 * least, 0), 0);
    }
    run_free(&run);
  }
}

/*
** The error of an acceleration counts as h^2 of it, relative to scale and to (K+1)(K+2) times the
** tolerance, or 100 eps.
*/
TEST(errors_of_accelerations) {
  static const double tolerances[] = {1e-6, 1e-12, 1e-15};
  static const int orders[] = {4, 10, 21};
  for (int i = 0; i < 9; i++) {
    Run run;
    const double tolerance = fmax(tolerances[i / 3], 2.3e-15), h = 0.5;
    const int order = orders[i % 3];
    if (start_free(&run, tolerance, 0, order)) {
      Maker *maker = &run.sim->maker;
      double error = -1;
      maker->span.unit = 0.25;
      memset(maker->span.c, 0, (size_t)(order + 2) * sizeof *maker->span.c);
      maker->span.c[1] = 0.25;
      maker->span.c[2] = 1e-9; /* acceleration 2e-9 / unit^2 */
      maker->scale[0] = 4;
      CHECK_OK(maker_land(maker, h, 0, &error));
      const double allowed = (order + 1) * (order + 2) * fmax(tolerance, 100 * DBL_EPSILON);
      CHECK_CLOSE(error, h * h * 2e-9 * 16 / 4 / allowed, 1e-12);
      CHECK_OK(maker_land(maker, -h, 0, &error));
      CHECK_CLOSE(error, h * h * 2e-9 * 16 / 4 / allowed, 1e-12);
      CHECK_OK(maker_land(maker, h, 1, &error)); /* where something jumps they say nothing */
      CHECK_NEAR(error, 0, 0);
      maker->pole = 1; /* leaps cost digits */
      CHECK_OK(maker_land(maker, h, 0, &error));
      const double leap = (order + 1) * (order + 2) * fmax(100, 1e-11 / tolerance) * tolerance;
      CHECK_CLOSE(error, h * h * 2e-9 * 16 / 4 / leap, 1e-12);
    }
    run_free(&run);
  }
}

/* Parts of a step to try next: by the order at first, down to 0.3; then halves, or as rounding. */
TEST(parts_of_steps) {
  Run run;
  if (start_free(&run, 1e-12, 0, 10)) {
    Maker *maker = &run.sim->maker;
    maker->ends = 0;
    CHECK_CLOSE(maker_shorten(maker, 1, 2, 0), 0.9 * pow(2, -0.1), 1e-15);
    CHECK_CLOSE(maker_shorten(maker, -4, 2, 0), -3.6 * pow(2, -0.1), 1e-15);
    CHECK_CLOSE(maker_shorten(maker, 1, 1e3, 0), 0.9 * pow(1e3, -0.1), 1e-15);
    CHECK_NEAR(maker_shorten(maker, 1, 1e9, 0), 0.3, 0);
    CHECK_NEAR(maker_shorten(maker, 1, (double)INFINITY, 0), 0.5, 0);
    CHECK_NEAR(maker_shorten(maker, 1, (double)NAN, 9), 0.5, 0);
    CHECK_CLOSE(maker_shorten(maker, 1, 2, 3), 0.9 * pow(2, -0.1), 1e-15); /* four tries */
    CHECK_NEAR(maker_shorten(maker, 1, 2, 4), 0.5, 0);
    CHECK_NEAR(maker_shorten(maker, 1, 2, 9), 0.5, 0);
    CHECK_NEAR(maker_shorten(maker, 1, 1e9, 9), 0.5, 0);
    maker->ends = 1; /* series that end: errors are rounding, which grows with the square */
    CHECK_NEAR(maker_shorten(maker, 1, 2, 9), 0.5, 0);
    CHECK_CLOSE(maker_shorten(maker, 1, 100, 9), 0.1, 1e-15);
    CHECK_NEAR(maker_shorten(maker, 1, 1e9, 9), 1e-3, 0);
    CHECK_CLOSE(maker_shorten(maker, 1, 2, 0), 0.9 * pow(2, -0.1), 1e-15);
  }
  run_free(&run);
}

/* Steps are counted, with the least and the largest, whichever way they go. */
TEST(what_is_counted_of_steps) {
  Run run;
  if (start_free(&run, 1e-12, 0, 10)) {
    static const double h[] = {-0.5, 0.25, 2, -1};
    Maker *maker = &run.sim->maker;
    for (int i = 0; i < 4; i++) {
      maker->method.of_span = i == 2;
      maker->to.t = i;
      maker_accept(maker, h[i]);
      CHECK_INT(maker->stats.steps, i + 1);
      CHECK_NEAR(maker->span.h, h[i], 0);
      CHECK_NEAR(maker->span.until, i, 0);
    }
    CHECK_NEAR(maker->stats.smallest, 0.25, 0);
    CHECK_NEAR(maker->stats.largest, 2, 0);
    CHECK_INT(maker->stats.implicit, 1);
    CHECK_INT(maker->stats.order, 10);
  }
  run_free(&run);
}

/* 1/u and tan u have a pole where u, or its cosine, changes its sign: no series crosses it. */
TEST(poles_are_not_crossed) {
  for (int tangent = 0; tangent < 2; tangent++)
    for (int crosses = 0; crosses < 2; crosses++) {
      const double q = tangent ? 1.5 : -0.1, v = 1, h = crosses ? 0.15 : 0.05;
      double error;
      Run run;
      Parts *p = parts_new(sarrus_memory_default(), 1);
      REQUIRE(p != NULL);
      p->force[0] = scaled(p->g, 1e-30,
                           tangent ? unary(p->g, SARRUS_OP_TAN, p->q[0])
                                   : quotient(p->g, constant(p->g, 1), p->q[0]));
      REQUIRE(run_new(&run, p, &tight));
      if (CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v))) {
        Maker *maker = &run.sim->maker;
        double natural;
        REQUIRE_OK(maker_begin(maker));
        REQUIRE_OK(maker_expand_series(maker, &natural));
        memset(maker->span.c + 2, 0, (size_t)maker->span.order * sizeof *maker->span.c);
        CHECK_STATUS(maker_land(maker, h, 0, &error), crosses ? SARRUS_NONFINITE : SARRUS_OK);
        if (crosses)
          CHECK_INT(sarrus_graph_op(sarrus_system_graph(run.system), maker->fault.expr),
                    tangent ? SARRUS_OP_TAN : SARRUS_OP_QUOTIENT);
      }
      run_free(&run);
    }
}

/* Beyond a zero accelerations differ by a since then: v changes by a s, x by a s^2 / 2 (T32). */
TEST(what_is_made_good) {
  static const double push[] = {1e-5, -3.9e-5, 4.1e-5};
  for (int i = 0; i < 3; i++) {
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    const double q = 0, v = 1, since = 0.25;
    p->force[0] = constant(p->g, push[i]);
    REQUIRE(run_new(&run, p, &tight));
    if (CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v))) {
      Maker *maker = &run.sim->maker;
      double h;
      REQUIRE_OK(maker_begin(maker));
      REQUIRE_OK(maker_expand_series(maker, &h));
      REQUIRE_OK(maker_prepare(maker, &maker->to));
      memset(maker->span.c, 0, (size_t)(maker->span.order + 2) * sizeof *maker->span.c);
      maker->span.c[1] = maker->span.unit; /* the motion changes within 1 */
      maker->near = (Near){0, 0.5 - since, 1};
      /* Velocities may change by 1e-5, relative to scale. */
      CHECK_STATUS(maker_make_good(maker, 0.5),
                   fabs(push[i]) < 4e-5 ? SARRUS_OK : SARRUS_NONFINITE);
      CHECK_CLOSE(maker->to.q[0], since * since * push[i] / 2, 1e-12);
      CHECK_CLOSE(maker->to.v[0], 1 + since * push[i], 1e-15);
    }
    run_free(&run);
  }
}

/* After a failure it stands where the step began, without a span. */
TEST(backing_out) {
  Run run;
  const double q0[] = {-1, 0}, v0[] = {0, 0};
  double h;
  REQUIRE(run_new(&run, pendulum(sarrus_memory_default()), &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 2, q0, v0));
  REQUIRE_OK(sarrus_sim_step(run.sim, &h));
  Maker *maker = &run.sim->maker;
  maker_remember(maker);
  const double t = maker->to.t, x = maker->to.q[0];
  REQUIRE_OK(maker_begin(maker));
  REQUIRE_OK(maker_expand(maker, &h));
  maker->to.t += h;
  maker->to.q[0] += 0.1;
  CHECK_STATUS(maker_back_out(maker, SARRUS_STEP), SARRUS_STEP);
  CHECK_NEAR(maker->to.t, t, 0);
  CHECK_NEAR(maker->to.q[0], x, 0);
  CHECK_NEAR(maker->span.until, t, 0);
  CHECK_NEAR(maker->span.h, 0, 0);
  CHECK_INT(maker->span.order, 0);
  CHECK(maker->fault.column == 0 || maker->fault.column == 1);
  CHECK_INT(maker->broken, 0);
  run_free(&run);
}
