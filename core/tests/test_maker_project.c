/* Points on the constraints: what moves, what is rounding, and what cannot be met. */
#include <float.h>

#include "sim_parts.h"
#include "sims.h"

/* --- one coordinate held ------------------------------------------------------------------ */

/* x = 0 in a plane, at rest. */
static bool start_held(Run *run, double speed) {
  const double q[] = {0, 0}, v[] = {0, speed};
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (!CHECK(p != NULL)) return false;
  p->constraint[0] = p->q[0];
  p->spec.constraints = 1;
  return run_new(run, p, &tight) && CHECK_OK(sarrus_sim_start(run->sim, 0, q, v));
}

/* Up to 4 eps of its scale a point stays where it is, to the bit; beyond, it moves. */
TEST(rounding_stays_where_it_is) {
  static const double off[] = {0, 1, 3.9, 4, -4, 4.1, -4.1, 100, 1e9};
  for (int i = 0; i < 9; i++) {
    Run run;
    Correction moved = {-1, -1};
    if (start_held(&run, 0)) {
      Maker *maker = &run.sim->maker;
      const double x = off[i] * DBL_EPSILON;
      const int stays = fabs(off[i]) <= 4;
      maker->to.q[0] = x;
      const long long before = maker->stats.factorisations;
      CHECK_OK(maker_project(maker, &maker->to, &moved));
      CHECK_NEAR(maker->to.q[0], stays ? x : 0, 0);
      CHECK_NEAR(moved.position, stays ? 0 : fabs(x), 0);
      CHECK_NEAR(moved.velocity, 0, 0);
      /* What follows must solve with the matrix of the point that it has become. */
      CHECK_INT(maker->stats.factorisations - before, stays ? 1 : 2);
    }
    run_free(&run);
  }
}

/* Sizes are relative to scale: 1 here, 1000 there. */
TEST(rounding_is_relative_to_scale) {
  Run run;
  Correction moved;
  if (start_held(&run, 0)) {
    Maker *maker = &run.sim->maker;
    maker->scale[0] = 1000;
    maker->to.q[0] = 3000 * DBL_EPSILON;
    CHECK_OK(maker_project(maker, &maker->to, &moved));
    CHECK_NEAR(maker->to.q[0], 3000 * DBL_EPSILON, 0);
    maker->to.q[0] = 5000 * DBL_EPSILON;
    CHECK_OK(maker_project(maker, &maker->to, &moved));
    CHECK_NEAR(maker->to.q[0], 0, 0);
    CHECK_CLOSE(moved.position, 5 * DBL_EPSILON, 1e-15);
  }
  run_free(&run);
}

/* x = 3.3 y in a plane, far away, with scales of 1. */
static bool start_far(Run *run) {
  const double q[] = {0, 0}, v[] = {0, 0};
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (!CHECK(p != NULL)) return false;
  p->constraint[0] = sub(p->g, p->q[0], scaled(p->g, 3.3, p->q[1]));
  p->spec.constraints = 1;
  return run_new(run, p, &tight) && CHECK_OK(sarrus_sim_start(run->sim, 0, q, v));
}

/* The size of the first correction of a point, which is not made; and the residual after it. */
static double first_correction(Maker *maker, const double *q, double *left) {
  Point there = {.q = (double[]){q[0], q[1]}, .v = (double[]){0, 0}};
  CHECK_OK(maker_place(maker, &there));
  CHECK_OK(maker_factor(maker));
  expansion_residual(maker->expansion);
  const double size = maker_correction(maker);
  *left = (q[0] + maker->expansion->rhs[0]) - 3.3 * (q[1] + maker->expansion->rhs[1]);
  return size;
}

/* Where more than 1024 eps of the scale is rounding of what is added up, one correction will do. */
TEST(rounding_of_what_is_far_away_is_not_corrected) {
  Run run;
  int rounded = 0;
  if (start_far(&run)) {
    Maker *maker = &run.sim->maker;
    for (int i = 0; i < 20; i++) {
      const double y = 1e4 + 777.7 * i, q[] = {3.3 * y + 1e-6 * (i + 1), y};
      double left;
      Correction moved;
      maker->scale[0] = maker->scale[1] = 1;
      const double size = first_correction(maker, q, &left);
      memcpy(maker->to.q, q, sizeof q);
      CHECK_OK(maker_project(maker, &maker->to, &moved));
      CHECK(moved.position == size);
      CHECK(fabs(maker->to.q[0] - 3.3 * maker->to.q[1]) <= 4 * DBL_EPSILON * 3.3 * y);
      rounded += fabs(left) > 1e4 * DBL_EPSILON;
    }
    CHECK(rounded > 5);
    CHECK_INT(maker_may_be_rounding(0, 1e-12), 0);
    CHECK_INT(maker_may_be_rounding(1, 1e-12), 1);
    CHECK_INT(maker_may_be_rounding(1, 1e-13), 0); /* told by the sizes alone */
    CHECK_INT(maker_may_be_rounding(1, 1e-8), 0);  /* no solution is nearby */
  }
  run_free(&run);
}

TEST(velocities_are_corrected_whatever_they_are) {
  static const double speed[] = {1, -1e-3, 1e-30, 1e30};
  for (int i = 0; i < 4; i++) {
    Run run;
    Correction moved;
    if (start_held(&run, 2)) {
      Maker *maker = &run.sim->maker;
      maker->to.v[0] = speed[i];
      CHECK_OK(maker_project(maker, &maker->to, &moved));
      CHECK_NEAR(maker->to.v[0], 0, 0);
      CHECK_NEAR(maker->to.v[1], 2, 0);
      CHECK_CLOSE(moved.velocity, fabs(speed[i]), 1e-15);
    }
    run_free(&run);
  }
}

/*
** x' + e y' = 0 with x' = -e y' up to rounding: of what is corrected, 64 eps of the correction and
** less is rest.
*/
TEST(what_rounding_leaves_of_velocities_is_rest) {
  static const double left[] = {0, 32, 63, 65, 200};
  for (int i = 0; i < 5; i++) {
    Run run;
    Correction moved;
    if (start_held(&run, 0)) {
      Maker *maker = &run.sim->maker;
      const double rest = left[i] * DBL_EPSILON;
      maker->to.v[0] = 1; /* corrected by 1 */
      maker->to.v[1] = rest;
      CHECK_OK(maker_project(maker, &maker->to, &moved));
      CHECK_NEAR(maker->to.v[0], 0, 0);
      CHECK_NEAR(maker->to.v[1], rest, 0); /* which nothing has corrected */
    }
    run_free(&run);
  }
}

/* The length of a row: sqrt of the sum of (entry scale)^2, here of x - 2 y. */
TEST(lengths_of_rows) {
  const double q[] = {0, 0}, v[] = {0, 0};
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->constraint[0] = sub(p->g, p->q[0], scaled(p->g, 2, p->q[1]));
  p->spec.constraints = 1;
  if (run_new(&run, p, &tight) && CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) {
    Maker *maker = &run.sim->maker;
    maker->scale[0] = 3;
    maker->scale[1] = 2;
    CHECK_CLOSE(maker_row_length(maker, 2), 5, 1e-15);
    int row = SARRUS_NONE;
    maker->expansion->residual[2] = -0.5;
    CHECK_CLOSE(maker_worst_residual(maker, &row), 0.1, 1e-15);
    CHECK_INT(row, 2);
  }
  run_free(&run);
}

/* --- what cannot be met ------------------------------------------------------------------- */

/* The way back from three times the radius is too long for Newton's method with one matrix. */
TEST(points_too_far_away_are_inconsistent) {
  const double q[] = {0.6, -0.8}, v[] = {0, 0};
  Run run;
  Correction moved;
  REQUIRE(run_new(&run, pendulum(sarrus_memory_default()), &tight));
  if (CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) {
    Maker *maker = &run.sim->maker;
    for (int j = 0; j < 2; j++)
      maker->to.q[j] = 0.1 * q[j];
    CHECK_STATUS(maker_project(maker, &maker->to, &moved), SARRUS_INCONSISTENT);
    CHECK_INT(maker->fault.row, 2);
    CHECK_INT(maker->fault.derivative, 0);
    const double square = maker->to.q[0] * maker->to.q[0] + maker->to.q[1] * maker->to.q[1];
    CHECK_CLOSE(maker->fault.size, fabs(square - 1), 1e-12);
  }
  run_free(&run);
}

/* Of several the worst is named: x = 0, and y^2 = 1 from far away. */
TEST(the_worst_constraint_is_named) {
  for (int first = 0; first < 2; first++) {
    const double q[] = {0, 1}, v[] = {0, 0};
    Run run;
    Correction moved;
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    p->constraint[first] = sub(p->g, power(p->g, p->q[1], 2), constant(p->g, 1));
    p->constraint[1 - first] = p->q[0];
    p->spec.constraints = 2;
    REQUIRE(run_new(&run, p, &tight));
    if (CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) {
      Maker *maker = &run.sim->maker;
      maker->to.q[1] = 0.05;
      CHECK_STATUS(maker_project(maker, &maker->to, &moved), SARRUS_INCONSISTENT);
      CHECK_INT(maker->fault.row, 2 + first);
    }
    run_free(&run);
  }
}

/* --- constraints that depend on others ---------------------------------------------------- */

/* x = 0 and x = p0 + p1 t: both at once while p0 and p1 are 0; y moves. */
static bool start_twice(Run *run, double speed) {
  const double q[] = {0, 0}, v[] = {0, speed};
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (!CHECK(p != NULL)) return false;
  sarrus_Graph *g = p->g;
  const sarrus_Expr p0 = sarrus_graph_symbol(g, SARRUS_PARAMETER, 0);
  const sarrus_Expr p1 = sarrus_graph_symbol(g, SARRUS_PARAMETER, 1);
  p->constraint[0] = p->q[0];
  p->constraint[1] = sub(g, p->q[0], add(g, p0, mul(g, p1, p->t)));
  p->spec.constraints = p->spec.parameters = 2;
  if (!run_new(run, p, &tight)) return false;
  CHECK_OK(sarrus_sim_preset(run->sim, 0, 0));
  CHECK_OK(sarrus_sim_preset(run->sim, 1, 0));
  return CHECK_OK(sarrus_sim_start(run->sim, 0, q, v)) &&
         CHECK_INT(run->sim->maker.expansion->kkt->dependent_count, 1);
}

/* What is left out may be off by 1e-8 of its row. */
TEST(what_is_left_out_must_be_met) {
  static const double off[] = {0, 0.9e-8, -0.9e-8, 1.1e-8, -1.1e-8};
  for (int i = 0; i < 5; i++) {
    Run run;
    Correction moved;
    if (start_twice(&run, 0)) {
      Maker *maker = &run.sim->maker;
      run.sim->parameters[0] = off[i];
      const int met = fabs(off[i]) < 1e-8;
      CHECK_STATUS(maker_project(maker, &maker->to, &moved), met ? SARRUS_OK : SARRUS_INCONSISTENT);
      if (!met) {
        CHECK_INT(maker->fault.derivative, 0);
        CHECK_INT(maker->fault.row - 2, maker->expansion->kkt->dependent[1] == KKT_DEPENDENT);
        CHECK_CLOSE(maker->fault.size, fabs(off[i]), 1e-7);
      }
    }
    run_free(&run);
  }
}

/* Its rate by 1e-6 of the largest speed; where nothing moves, by the rounding of what has moved. */
TEST(rates_of_what_is_left_out) {
  static const double speed[] = {1, 1, 4, 4, 0, 0, 0, 0}, fastest[] = {0, 0, 0, 0, 0, 0, 1e3, 1e3};
  const double rounding = 64 * DBL_EPSILON;
  const double allowed[] = {1e-6,     1e-6,     4e-6,           4e-6,
                            rounding, rounding, 1e3 * rounding, 1e3 * rounding};
  for (int i = 0; i < 8; i++) {
    Run run;
    Correction moved;
    const int met = i % 2 == 0;
    if (start_twice(&run, speed[i])) {
      Maker *maker = &run.sim->maker;
      CHECK_NEAR(maker->expansion->work->unit, 1, 0);
      maker->fastest = fastest[i];
      run.sim->parameters[1] = allowed[i] * (met ? 0.98 : 1.02);
      CHECK_STATUS(maker_project(maker, &maker->to, &moved), met ? SARRUS_OK : SARRUS_INCONSISTENT);
      CHECK_CLOSE(maker->fastest, fmax(speed[i], fastest[i]), 1e-5);
      if (!met) CHECK_INT(maker->fault.derivative, 1);
    }
    run_free(&run);
  }
}

/* Which of two is left out, the same coordinates follow. */
TEST(it_does_not_matter_which_is_left_out) {
  for (int order = 0; order < 2; order++) {
    const double q[] = {0.3, 0.7, 0.1}, v[] = {1, -1, 0.5};
    double x[3], w[3];
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 3);
    REQUIRE(p != NULL);
    const sarrus_Expr sum = add(p->g, p->q[0], p->q[1]);
    p->constraint[order] = sub(p->g, sum, constant(p->g, 1));
    p->constraint[1 - order] = sub(p->g, scaled(p->g, 3, sum), constant(p->g, 3));
    p->force[0] = constant(p->g, 1);
    p->spec.constraints = 2;
    REQUIRE(run_new(&run, p, &tight));
    if (CHECK_OK(sarrus_sim_start(run.sim, 0, q, v)) && CHECK_OK(sarrus_sim_advance(run.sim, 2))) {
      CHECK_OK(sarrus_sim_state(run.sim, x, w, NULL, NULL));
      CHECK_NEAR(x[0], 0.3 + 2 + 0.25 * 4, 1e-14); /* half of the force for each */
      CHECK_NEAR(x[1], 0.7 - 2 - 0.25 * 4, 1e-14);
      CHECK_NEAR(x[2], 0.1 + 0.5 * 2, 1e-15);
      CHECK_NEAR(w[0], 1 + 0.5 * 2, 1e-14);
    }
    run_free(&run);
  }
}

/* --- starts ------------------------------------------------------------------------------- */

/* Newton's method from far away, halving steps: onto the circle, along the radius. */
TEST(starts_come_from_afar) {
  for (double radius = 1e-3; radius < 2e4; radius *= 10) {
    Run run;
    const double q[] = {0.6 * radius, -0.8 * radius}, v[] = {0.8, 0.6};
    double x[2], w[2];
    REQUIRE(run_new(&run, pendulum(sarrus_memory_default()), &tight));
    if (CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) {
      CHECK_OK(sarrus_sim_state(run.sim, x, w, NULL, NULL));
      CHECK_NEAR(x[0], 0.6, 1e-14);
      CHECK_NEAR(x[1], -0.8, 1e-14);
      CHECK_NEAR(w[0], 0.8, 1e-14);
      CHECK_NEAR(w[1], 0.6, 1e-14);
      CHECK_CLOSE(sarrus_sim_stats(run.sim).moved, 0.8 * fabs(radius - 1), 1e-11);
      CHECK_NEAR(sarrus_sim_stats(run.sim).moved_velocity, 0, 1e-14);
    }
    run_free(&run);
  }
}

/* x = 0 twice, the second off by more than rounding, 64 eps of its row: nothing meets both. */
TEST(starts_that_cannot_be) {
  static const double off[] = {0, 32 * DBL_EPSILON, 256 * DBL_EPSILON, 1e-3};
  for (int i = 0; i < 4; i++) {
    Run run;
    const double q[] = {0.25, 0}, v[] = {0, 0};
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    p->constraint[0] = p->q[0];
    p->constraint[1] = sub(p->g, p->q[0], constant(p->g, off[i]));
    p->spec.constraints = 2;
    REQUIRE(run_new(&run, p, &tight));
    CHECK_STATUS(sarrus_sim_start(run.sim, 0, q, v), i < 2 ? SARRUS_OK : SARRUS_INCONSISTENT);
    if (i == 3) CHECK(sarrus_sim_fault(run.sim)->size > 4e-4);
    run_free(&run);
  }
}
