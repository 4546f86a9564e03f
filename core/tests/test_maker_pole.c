/*
** Singular positions on the way: the motion goes on through them, while multipliers have a pole
** there, which bounds their series.
*/
#include "sim_parts.h"
#include "sims.h"

/*
** sin x + sin(x + y) = 0 on the branch y = -2 x, where its gradient is cos x (2, 1): it vanishes at
** x = pi / 2.  Under a force F along y that makes x'' = -0.4 F, lambda = 0.2 F / cos x.
*/
static Parts *folding(double force) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  p->force[1] = constant(p->g, force);
  p->constraint[0] = add(p->g, sine(p, p->q[0]), sine(p, add(p->g, p->q[0], p->q[1])));
  p->spec.constraints = 1;
  return p;
}

static const double half_pi = 1.57079632679489661923;

/* From x at speed w: where it is at t, and when it comes to x = pi / 2. */
static double place(double force, double x, double w, double t) {
  return x + w * t - 0.2 * force * t * t;
}

static double time_of_pole(double force, double x, double w) {
  const double way = half_pi - x;
  return 2 * way / (w + sqrt(w * w - 0.8 * force * way)); /* 0.2 F t^2 - w t + way = 0 */
}

static void check_state(const sarrus_Sim *sim, double force, double x, double w) {
  const double t = sarrus_sim_time(sim), at = place(force, x, w, t), pole = half_pi - at;
  double q[2], v[2], lambda;
  CHECK_OK(sarrus_sim_state(sim, q, v, NULL, &lambda));
  CHECK_NEAR(q[0], at, 1e-9);
  CHECK_NEAR(q[1], -2 * at, 1e-9);
  CHECK_NEAR(v[0], w - 0.4 * force * t, 1e-8);
  CHECK_NEAR(v[1], -2 * v[0], 1e-8);
  if (fabs(pole) > 0.05) CHECK_CLOSE(lambda, 0.2 * force / cos(at), 1e-6);
}

/* The way there, through it, and on to the next; where the pole is noticed, it is where it is. */
TEST(a_mechanism_that_folds) {
  static const double forces[] = {0.5, 0.1, -0.5, 0.5}, speeds[] = {1, 0.5, 1, 2};
  for (int i = 0; i < 4; i++) {
    const double x = 0.5, w = speeds[i], q[] = {x, -2 * x}, v[] = {w, -2 * w};
    const double pole = time_of_pole(forces[i], x, w);
    int noticed = 0, singular = 0;
    double size;
    Run run;
    REQUIRE(run_new(&run, folding(forces[i]), &tight));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
    for (int step = 0; step < 200 && sarrus_sim_time(run.sim) < pole + 0.5; step++) {
      const double from = sarrus_sim_time(run.sim);
      REQUIRE_OK(sarrus_sim_step(run.sim, &size));
      check_state(run.sim, forces[i], x, w);
      singular += sarrus_sim_singular(run.sim);
      if (!run.sim->maker.pole) continue;
      noticed++;
      CHECK_NEAR(run.sim->maker.pole_at, fabs(pole - from), 0.1 * fabs(pole - from) + 1e-3);
    }
    CHECK(noticed > 0);
    CHECK(singular >= noticed);
    CHECK_INT(sarrus_sim_notes(run.sim).singular > 0, 1);
    CHECK(sarrus_sim_stats(run.sim).steps < 60);
    run_free(&run);
  }
}

/* Steps do not end beside the pole: what is left of the way is never a small part of a step. */
TEST(steps_leap_over_a_pole) {
  for (int i = 0; i < 40; i++) {
    const double x = 0.3 + 0.02 * i, w = 1, q[] = {x, -2 * x}, v[] = {w, -2 * w};
    const double pole = time_of_pole(0.5, x, w);
    double size;
    Run run;
    REQUIRE(run_new(&run, folding(0.5), &tight));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
    while (sarrus_sim_time(run.sim) < pole) {
      REQUIRE_OK(sarrus_sim_step(run.sim, &size));
      CHECK(fabs(sarrus_sim_time(run.sim) - pole) > 1e-3);
    }
    check_state(run.sim, 0.5, x, w);
    CHECK_OK(sarrus_sim_advance(run.sim, 0)); /* and back again, through it once more */
    check_state(run.sim, 0.5, x, w);
    run_free(&run);
  }
}

/* Without a load the constraint holds nothing, and nobody notices anything. */
TEST(a_mechanism_that_folds_without_load) {
  const double x = 0.5, q[] = {x, -2 * x}, v[] = {1, -2};
  double lambda;
  Run run;
  REQUIRE(run_new(&run, folding(0), &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_OK(sarrus_sim_advance(run.sim, 2));
  check_state(run.sim, 0, x, 1);
  CHECK_OK(sarrus_sim_state(run.sim, NULL, NULL, NULL, &lambda));
  CHECK_NEAR(lambda, 0, 1e-9);
  run_free(&run);
}

/*
** Multipliers that change fast are no pole: a pendulum under exp(8 t) along its string has
** lambda = -exp(8 t) / 2 there, and its matrix is the same everywhere.
*/
TEST(multipliers_that_grow_fast) {
  const double q[] = {0, -1}, v[] = {0, 0};
  Run run;
  Parts *p = pendulum(sarrus_memory_default());
  REQUIRE(p != NULL);
  p->force[1] = negative(p->g, unary(p->g, SARRUS_OP_EXP, scaled(p->g, 8, p->t)));
  REQUIRE(run_new(&run, p, &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  for (int i = 0; i < 20; i++) {
    double size, lambda;
    REQUIRE_OK(sarrus_sim_step(run.sim, &size));
    CHECK_INT(run.sim->maker.pole, 0);
    CHECK_OK(sarrus_sim_state(run.sim, NULL, NULL, NULL, &lambda));
    CHECK_CLOSE(lambda, exp(8 * sarrus_sim_time(run.sim)) / 2, 1e-11);
  }
  CHECK_INT(sarrus_sim_singular(run.sim), 0);
  run_free(&run);
}
