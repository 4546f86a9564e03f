/* Expansions: parameters, redundant and singular equations, and all that can fail at a point. */
#include "mechanisms.h"

enum { ORDER = 12 };

static sarrus_Expansion *make(Parts *p, sarrus_System **system, int order) {
  sarrus_Expansion *x = NULL;
  sarrus_Fault fault;
  *system = NULL;
  if (p == NULL) return NULL;
  const sarrus_Memory memory = sarrus_memory_default();
  if (CHECK_OK(sarrus_system_new(memory, parts_spec(p), system, &fault)))
    CHECK_OK(sarrus_expansion_new(memory, *system, order, &x));
  parts_free(p);
  return x;
}

static void discard(sarrus_System *system, sarrus_Expansion *x) {
  sarrus_expansion_free(x);
  sarrus_system_free(system);
}

TEST(inconsistent_points_say_where_and_by_how_much) {
  sarrus_System *system;
  sarrus_Expansion *x = make(pendulum(sarrus_memory_default()), &system, ORDER);
  REQUIRE(x != NULL);
  sarrus_Fault fault;
  const double q[] = {1.1, 0}, v[] = {0, 0}, rim[] = {1, 0}, out[] = {0.25, 3};
  CHECK_STATUS(sarrus_expansion_run(x, 0, q, v, NULL, 1e-9, &fault), SARRUS_INCONSISTENT);
  CHECK_INT(fault.row, 2);
  CHECK_NEAR(fault.size, 0.21, 1e-15);
  CHECK_OK(sarrus_expansion_run(x, 0, q, v, NULL, 0.22, &fault));
  CHECK_STATUS(sarrus_expansion_run(x, 0, rim, out, NULL, 1e-9, &fault), SARRUS_INCONSISTENT);
  CHECK_INT(fault.row, 2);
  CHECK_NEAR(fault.size, 0.5, 1e-15);
  CHECK_OK(sarrus_expansion_run(x, 0, rim, v, NULL, 1e-9, &fault));
  CHECK_INT(fault.row, -1);
  discard(system, x);
}

/* Of several constraints the worst is named. */
TEST(the_worst_constraint_is_named) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  REQUIRE(p != NULL);
  for (int i = 0; i < 3; i++)
    p->constraint[i] = sub(p->g, p->q[i], constant(p->g, 1));
  p->spec.constraints = 3;
  sarrus_System *system;
  sarrus_Expansion *x = make(p, &system, ORDER);
  REQUIRE(x != NULL);
  sarrus_Fault fault;
  const double q[] = {1.1, 0.6, 1.2}, v[] = {0, 0, 0};
  CHECK_STATUS(sarrus_expansion_run(x, 0, q, v, NULL, 1e-9, &fault), SARRUS_INCONSISTENT);
  CHECK_INT(fault.row, 4);
  CHECK_NEAR(fault.size, 0.4, 1e-16);
  discard(system, x);
}

/* q'' = -w q with a parameter: the same system, other numbers. */
TEST(parameters) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  const sarrus_Expr w = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 1);
  p->force[0] = negative(p->g, mul(p->g, w, p->q[0]));
  p->spec.parameters = 2;
  sarrus_System *system;
  sarrus_Expansion *x = make(p, &system, ORDER);
  REQUIRE(x != NULL);
  sarrus_Fault fault;
  const double q = 1, v = 0;
  for (double value = 1; value < 5; value++) {
    const double parameters[] = {99, value};
    CHECK_OK(sarrus_expansion_run(x, 0, &q, &v, parameters, 1e-9, &fault));
    CHECK_CLOSE(sarrus_expansion_q(x, 0, 6), -pow(value, 3) / 720, 1e-15);
  }
  discard(system, x);
}

/* The mass of y is nothing; y = x^2 holds it, so that all is determined. */
TEST(singular_mass_that_constraints_fix) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->mass[3] = constant(p->g, 0);
  p->force[0] = negative(p->g, p->q[0]);
  p->constraint[0] = sub(p->g, p->q[1], power(p->g, p->q[0], 2));
  p->spec.constraints = 1;
  sarrus_System *system;
  sarrus_Expansion *x = make(p, &system, ORDER);
  REQUIRE(x != NULL);
  sarrus_Fault fault;
  const double q[] = {1, 1}, v[] = {0, 0};
  CHECK_OK(sarrus_expansion_run(x, 0, q, v, NULL, 1e-9, &fault));
  for (int k = 0; k <= ORDER; k++) { /* x = cos t, y = (1 + cos 2t)/2 */
    const double sign = k % 4 == 0 ? 1 : -1, f = tgamma(k + 1);
    CHECK_NEAR(sarrus_expansion_q(x, 0, k), k % 2 ? 0 : sign / f, 1e-15);
    CHECK_NEAR(sarrus_expansion_q(x, 1, k),
               k == 0  ? 1
               : k % 2 ? 0
                       : sign * pow(2, k) / f / 2,
               1e-15);
    if (k <= ORDER - 2) CHECK_NEAR(sarrus_expansion_lambda(x, 0, k), 0, 1e-14);
  }
  discard(system, x);
}

TEST(singular_mass_that_nothing_fixes) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  REQUIRE(p != NULL);
  p->mass[4] = constant(p->g, 0);
  p->constraint[0] = sub(p->g, p->q[0], p->q[2]);
  p->spec.constraints = 1;
  sarrus_System *system;
  sarrus_Expansion *x = make(p, &system, ORDER);
  REQUIRE(x != NULL);
  sarrus_Fault fault;
  const double zero[] = {0, 0, 0};
  CHECK_STATUS(sarrus_expansion_run(x, 0, zero, zero, NULL, 1e-9, &fault), SARRUS_SINGULAR);
  CHECK_INT(fault.row, 1);
  CHECK_INT(fault.column, 1);
  CHECK(fault.size > 1e12);
  discard(system, x);
}

/* The pendulum with its constraint twice: the same motion, half the multiplier each. */
TEST(redundant_constraints_share) {
  Parts *p = pendulum(sarrus_memory_default());
  REQUIRE(p != NULL);
  p->constraint[1] = p->constraint[0];
  p->spec.constraints = 2;
  sarrus_System *once_system, *twice_system;
  sarrus_Expansion *once = make(pendulum(sarrus_memory_default()), &once_system, ORDER);
  sarrus_Expansion *twice = make(p, &twice_system, ORDER);
  REQUIRE(once != NULL && twice != NULL);
  sarrus_Fault fault;
  const double q[] = {0.6, -0.8}, v[] = {0.8, 0.6};
  CHECK_OK(sarrus_expansion_run(once, 0, q, v, NULL, 1e-9, &fault));
  CHECK_OK(sarrus_expansion_run(twice, 0, q, v, NULL, 1e-9, &fault));
  CHECK_INT(sarrus_expansion_dependent(twice, 0) + sarrus_expansion_dependent(twice, 1), 1);
  for (int k = 0; k <= ORDER; k++) {
    const double scale = pow(4, k);
    for (int i = 0; i < 2; i++)
      CHECK_NEAR(sarrus_expansion_q(twice, i, k), sarrus_expansion_q(once, i, k), 1e-15 * scale);
    if (k > ORDER - 2) continue;
    const double half = sarrus_expansion_lambda(once, 0, k) / 2;
    CHECK_NEAR(sarrus_expansion_lambda(twice, 0, k), half, 1e-13 * scale);
    CHECK_NEAR(sarrus_expansion_lambda(twice, 1, k), half, 1e-13 * scale);
  }
  discard(once_system, once);
  discard(twice_system, twice);
}

/*
** x = 0 and x = t^n: one row depends on the other, but they contradict each other in the n-th
** derivative.  What is left out must be noticed, at whatever order.
*/
TEST(rows_that_contradict_each_other) {
  for (int n = 1; n <= ORDER; n += 3) {
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    p->constraint[0] = p->q[0];
    p->constraint[1] = sub(p->g, p->q[0], power(p->g, p->t, n));
    p->spec.constraints = 2;
    sarrus_System *system;
    sarrus_Expansion *x = make(p, &system, ORDER);
    REQUIRE(x != NULL);
    sarrus_Fault fault;
    const double zero[] = {0, 0};
    CHECK_STATUS(sarrus_expansion_run(x, 0, zero, zero, NULL, 1e-9, &fault), SARRUS_INCONSISTENT);
    CHECK(fault.row == 2 || fault.row == 3);
    discard(system, x);
  }
}

/* A velocity constraint without velocities has no row in the matrix: q1 = 0 does not hold. */
TEST(a_velocity_constraint_without_velocities) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->velocity_constraint[0] = p->q[0];
  p->spec.velocity_constraints = 1;
  sarrus_System *system;
  sarrus_Expansion *x = make(p, &system, ORDER);
  REQUIRE(x != NULL);
  sarrus_Fault fault;
  const double zero[] = {0, 0}, v[] = {1, 0};
  CHECK_STATUS(sarrus_expansion_run(x, 0, zero, v, NULL, 1e-9, &fault), SARRUS_INCONSISTENT);
  discard(system, x);
}

TEST(what_is_not_finite_is_named) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->force[0] = unary(p->g, SARRUS_OP_LOG, p->q[0]);
  sarrus_System *system;
  sarrus_Expansion *x = make(p, &system, ORDER);
  REQUIRE(x != NULL);
  sarrus_Fault fault;
  const double good = 2, bad = -2, v = 0;
  CHECK_STATUS(sarrus_expansion_run(x, 0, &bad, &v, NULL, 1e-9, &fault), SARRUS_NONFINITE);
  CHECK_STR(text_of(sarrus_system_graph(system), fault.expr), "log(q1)");
  CHECK_OK(sarrus_expansion_run(x, 0, &good, &v, NULL, 1e-9, &fault));
  CHECK_NEAR(sarrus_expansion_q(x, 0, 2), log(2) / 2, 1e-16);
  discard(system, x);
}

/*
** y = 1e-20 sqrt(x) with x = 1e-40 + w t^3/6: for a huge w coefficients overflow, in the root
** before they do in x and y.  Afterwards all is as if it had not been.
*/
TEST(an_overflow_leaves_nothing_behind) {
  sarrus_System *system[2];
  sarrus_Expansion *x[2];
  for (int i = 0; i < 2; i++) {
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    p->force[0] = mul(p->g, sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0), p->t);
    p->constraint[0] =
        sub(p->g, p->q[1], scaled(p->g, 1e-20, unary(p->g, SARRUS_OP_SQRT, p->q[0])));
    p->spec.parameters = p->spec.constraints = 1;
    x[i] = make(p, &system[i], ORDER);
    REQUIRE(x[i] != NULL);
  }
  sarrus_Fault fault;
  const double q[] = {1e-40, 1e-40}, v[] = {0, 0}, one = 1;
  for (double huge = 1e240; huge < 1e306; huge *= 1e7) {
    CHECK_STATUS(sarrus_expansion_run(x[0], 0, q, v, &huge, 1e-9, &fault), SARRUS_NONFINITE);
    CHECK_OK(sarrus_expansion_run(x[0], 0, q, v, &one, 1e-9, &fault));
    CHECK_OK(sarrus_expansion_run(x[1], 0, q, v, &one, 1e-9, &fault));
    for (int k = 0; k <= ORDER; k++)
      CHECK_NEAR(sarrus_expansion_q(x[0], 1, k), sarrus_expansion_q(x[1], 1, k), 0);
  }
  for (int i = 0; i < 2; i++)
    discard(system[i], x[i]);
}

/* Friction: a force that is linear in the multiplier makes the matrix unsymmetric, no more. */
TEST(forces_linear_in_the_multipliers) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  const sarrus_Expr lambda = sarrus_graph_symbol(p->g, SARRUS_LAMBDA, 0);
  p->force[0] = scaled(p->g, 0.25, lambda);
  p->force[1] = constant(p->g, -8);
  p->constraint[0] = p->q[1];
  p->spec.constraints = 1;
  sarrus_System *system;
  sarrus_Expansion *x = make(p, &system, ORDER);
  REQUIRE(x != NULL);
  sarrus_Fault fault;
  const double zero[] = {0, 0}, v[] = {3, 0};
  CHECK_OK(sarrus_expansion_run(x, 0, zero, v, NULL, 1e-9, &fault));
  CHECK_NEAR(sarrus_expansion_lambda(x, 0, 0), -8, 1e-15);
  CHECK_NEAR(sarrus_expansion_q(x, 0, 2), -1, 1e-15);
  for (int k = 3; k <= ORDER; k++)
    CHECK_NEAR(sarrus_expansion_q(x, 0, k), 0, 0);
  discard(system, x);
}
