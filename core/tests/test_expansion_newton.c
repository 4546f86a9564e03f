/*
** Stage 0 by Newton's method, where unknowns are not determined linearly: solutions in closed form
** in whatever unit, equations without a solution at whatever row, solutions that are known, and
** matrices that are almost singular.
*/
#include <float.h>

#include "expansions.h"

enum { ORDER = 8 };

/* x' = 0 and one equation of y. */
static Run algebraic(Parts *p, sarrus_Expr row) {
  Run run = {NULL, NULL, {0}};
  const sarrus_Expr still = constant(p->g, 0);
  const sarrus_DaeSpec spec = {
      .graph = p->g, .differential = 1, .algebraic = 1, .derivative = &still, .constraint = &row};
  int index = -1;
  CHECK_OK(sarrus_system_new_dae(sarrus_memory_default(), &spec, &run.system, &index, &run.fault));
  CHECK_INT(index, 1);
  CHECK_OK(sarrus_expansion_new(sarrus_memory_default(), run.system, ORDER, &run.x));
  parts_free(p);
  return run;
}

static sarrus_Status expand(Run *run, const double *q, const double *v) {
  return sarrus_expansion_run(run->x, 0, q, v, NULL, 1e-9, &run->fault);
}

static sarrus_Expr multiplier(const Parts *p, int i) {
  return sarrus_graph_symbol(p->g, SARRUS_LAMBDA, i);
}

/* Coefficient k of sqrt(1 + t): binomial(1/2, k). */
static double of_root(int k) {
  double c = 1;
  for (int i = 0; i < k; i++)
    c *= (0.5 - i) / (i + 1);
  return c;
}

/* --- units ------------------------------------------------------------------------------- */

/*
** y^2 = u^2 (1 + t) for units u from 1e-24 to 1e24, from guesses near and far: y = u sqrt(1 + t),
** to its own last digits although nothing is of size 1.
*/
TEST(roots_in_any_unit) {
  for (int exponent = -24; exponent <= 24; exponent++)
    for (double off = 1.01; off < 50; off *= 2.7) {
      const double u = pow(10, exponent), q[] = {0}, guess[] = {off * u};
      Parts *p = parts_new(sarrus_memory_default(), 1);
      sarrus_Graph *g = p->g;
      const sarrus_Expr then = scaled(g, u * u, add(g, constant(g, 1), p->t));
      Run run = algebraic(p, sub(g, power(g, multiplier(p, 0), 2), then));
      sarrus_expansion_guess(run.x, guess);
      CHECK_OK(expand(&run, q, NULL));
      for (int k = 0; k < ORDER; k++)
        CHECK_CLOSE(sarrus_expansion_lambda(run.x, 0, k), u * of_root(k), 4e-15);
      run_free(&run);
    }
}

/* The same of a force u + lambda^2 / (8 u) on what does not move: lambda = (4 - 8^1/2) u. */
TEST(multipliers_in_any_unit) {
  for (int exponent = -24; exponent <= 24; exponent += 2) {
    const double u = pow(10, exponent), none[] = {0};
    Parts *p = parts_new(sarrus_memory_default(), 1);
    sarrus_Graph *g = p->g;
    const sarrus_Expr square = scaled(g, 1 / (8 * u), power(g, multiplier(p, 0), 2));
    p->force[0] = add(g, constant(g, u), square);
    p->constraint[0] = p->q[0];
    p->spec.constraints = 1;
    Run run = run_of(p, ORDER);
    CHECK_OK(expand(&run, none, none));
    CHECK_CLOSE(sarrus_expansion_lambda(run.x, 0, 0), (4 - sqrt(8)) * u, 2e-15);
    CHECK_NEAR(sarrus_expansion_q(run.x, 0, 2), 0, 1e-15 * u);
    run_free(&run);
  }
}

/* --- no solution ------------------------------------------------------------------------- */

/*
** Of three masses the one at `bad` is held against lambda + lambda^2 + 1, which lambda cannot be:
** its row or that of the constraint is named, whichever is farther from holding, and other rows'
** being solved does not end the search.
*/
TEST(motions_without_a_solution_are_named) {
  for (int bad = 0; bad < 3; bad++) {
    const double none[] = {0, 0, 0};
    Parts *p = parts_new(sarrus_memory_default(), 3);
    sarrus_Graph *g = p->g;
    const sarrus_Expr l = multiplier(p, 0), rest = add(g, power(g, l, 2), constant(g, 1));
    for (int i = 0; i < 3; i++)
      p->force[i] = constant(g, i == bad ? 0 : 2);
    p->force[bad] = add(g, l, rest);
    p->constraint[0] = p->q[bad];
    p->spec.constraints = 1;
    Run run = run_of(p, ORDER);
    CHECK_STATUS(expand(&run, none, none), SARRUS_INCONSISTENT);
    CHECK(run.fault.row == bad || run.fault.row == 3);
    CHECK(run.fault.size >= 0.999);
    run_free(&run);
  }
}

/* --- what is known ----------------------------------------------------------------------- */

/* Contacts are open: however large a guess of theirs is, their multipliers are 0. */
TEST(guesses_of_what_is_off_are_zero) {
  for (int contacts = 1; contacts <= 3; contacts++) {
    const double none[] = {0, 1, 0}, guess[] = {7, -5, 3};
    Parts *p = parts_new(sarrus_memory_default(), 3);
    sarrus_Graph *g = p->g;
    for (int i = 0; i < contacts; i++) {
      p->contact[i].gap = add(g, p->q[1], constant(g, i));
      p->force[i] = add(g, constant(g, 2), scaled(g, 0.1, power(g, multiplier(p, i), 2)));
    }
    p->spec.contacts = contacts;
    Run run = run_of(p, ORDER);
    sarrus_expansion_guess(run.x, guess);
    CHECK_OK(expand(&run, none, (double[]){0, 0, 0}));
    for (int i = 0; i < contacts; i++) {
      CHECK(sarrus_expansion_lambda(run.x, i, 0) == 0);
      CHECK_NEAR(sarrus_expansion_q(run.x, i, 2), 1, 1e-15);
    }
    run_free(&run);
  }
}

/*
** Masses u u^T + d under f, of which d is little: by Sherman and Morrison accelerations are
** (f - u (u f) / (d + u u)) / d.  A fourth coordinate holds lambda at 3, beside which the first is
** pushed by nothing.
*/
static const double U[] = {1.0 / 3, 0.7, 1.1}, PUSH[] = {1, -1, 0.3};

static Run nearly_singular(double d) {
  Parts *p = parts_new(sarrus_memory_default(), 4);
  sarrus_Graph *g = p->g;
  const sarrus_Expr beside = sub(g, power(g, multiplier(p, 0), 2), constant(g, 9));
  for (int i = 0; i < 3; i++) {
    p->force[i] = constant(g, PUSH[i]);
    for (int j = 0; j < 3; j++)
      p->mass[4 * i + j] = constant(g, U[i] * U[j] + (i == j ? d : 0));
  }
  p->force[0] = add(g, p->force[0], scaled(g, 0.1, beside));
  p->force[3] = constant(g, 3);
  p->constraint[0] = p->q[3];
  p->spec.constraints = 1;
  return run_of(p, ORDER);
}

static double nearly_singular_answer(double d, int i) {
  long double along = 0, length = (long double)d;
  for (int j = 0; j < 3; j++) {
    along += (long double)U[j] * (long double)PUSH[j];
    length += (long double)U[j] * (long double)U[j];
  }
  const long double rest = (long double)PUSH[i] - (long double)U[i] * along / length;
  return (double)(rest / (long double)d);
}

/*
** Its steps never become small, since accelerations are known to eps / d only; but the equations
** hold up to the rounding of what is added up in them, and hold as well for what is found.
*/
TEST(unknowns_that_are_hardly_determined) {
  for (double d = 1e-2; d > 1e-11; d /= 3) {
    const double none[] = {0, 0, 0, 0};
    double a[3], largest = 0;
    Run run = nearly_singular(d);
    REQUIRE_OK(expand(&run, none, none));
    for (int i = 0; i < 3; i++) {
      a[i] = 2 * sarrus_expansion_q(run.x, i, 2);
      largest = fmax(largest, fabs(a[i]));
    }
    for (int i = 0; i < 3; i++) {
      double rest = -PUSH[i];
      for (int j = 0; j < 3; j++)
        rest += (U[i] * U[j] + (i == j ? d : 0)) * a[j];
      CHECK_NEAR(rest, 0, 20 * DBL_EPSILON * largest);
      CHECK_NEAR(a[i], nearly_singular_answer(d, i), 20 * DBL_EPSILON / d * largest);
    }
    CHECK_NEAR(sarrus_expansion_lambda(run.x, 0, 0), 3, 1e-14);
    run_free(&run);
  }
}

/* What Newton's method has found before keeps all bits, though another step would change them. */
TEST(what_is_known_keeps_its_bits) {
  for (double d = 1e-2; d > 1e-8; d /= 3) {
    const double none[] = {0, 0, 0, 0};
    double before[5];
    Run run = nearly_singular(d);
    REQUIRE_OK(expand(&run, none, none));
    memcpy(before, run.x->guess, sizeof before);
    before[0] *= 1 + 8 * DBL_EPSILON; /* as known as before */
    memcpy(run.x->guess, before, sizeof before);
    run.x->guess_is_known = 1;
    REQUIRE_OK(expand(&run, none, none));
    CHECK(memcmp(before, run.x->guess, sizeof before) == 0);
    run_free(&run);
  }
}

/*
** x = 0 twice against 3 + (lambda_0^2 - 4) / 8.  The guess (2, 1) solves it to the last digit, but
** does not share: it is made the shortest, and then solved again.
*/
TEST(guesses_that_solve_but_do_not_share) {
  const double none[] = {0}, guess[] = {2, 1};
  Parts *p = parts_new(sarrus_memory_default(), 1);
  sarrus_Graph *g = p->g;
  const sarrus_Expr square = power(g, multiplier(p, 0), 2);
  p->force[0] = add(g, constant(g, 2.5), scaled(g, 0.125, square));
  p->constraint[0] = p->constraint[1] = p->q[0];
  p->spec.constraints = 2;
  Run run = run_of(p, ORDER);
  sarrus_expansion_guess(run.x, guess);
  CHECK_OK(expand(&run, none, none));
  const double l0 = sarrus_expansion_lambda(run.x, 0, 0);
  const double l1 = sarrus_expansion_lambda(run.x, 1, 0);
  CHECK_NEAR(l0 + l1, 2.5 + l0 * l0 / 8, 1e-14);
  CHECK(fabs(l0 - l1) < 0.5);
  run_free(&run);
}

/* --- general equations -------------------------------------------------------------------- */

/*
** The pendulum as x' = u, y' = w, u' = -2 l x, w' = -9.81 - 2 l y, x^2 + y^2 = 1, in every order of
** its variables; the rates that positions have are answered.
*/
static Run pendulum_in_order(const int *place) {
  enum { N = 4 };
  Run run = {NULL, NULL, {0}};
  Parts *p = parts_new(sarrus_memory_default(), N);
  sarrus_Graph *g = p->g;
  const sarrus_Expr x = p->q[place[0]], y = p->q[place[1]], l = scaled(g, 2, multiplier(p, 0));
  const sarrus_Expr row = sub(g, add(g, power(g, x, 2), power(g, y, 2)), constant(g, 1));
  sarrus_Expr rate[N];
  rate[place[0]] = p->q[place[2]];
  rate[place[1]] = p->q[place[3]];
  rate[place[2]] = negative(g, mul(g, l, x));
  rate[place[3]] = sub(g, constant(g, -9.81), mul(g, l, y));
  const sarrus_DaeSpec spec = {
      .graph = g, .differential = N, .algebraic = 1, .derivative = rate, .constraint = &row};
  int index = -1;
  CHECK_OK(sarrus_system_new_dae(sarrus_memory_default(), &spec, &run.system, &index, &run.fault));
  CHECK_INT(index, 3);
  CHECK_OK(sarrus_expansion_new(sarrus_memory_default(), run.system, ORDER, &run.x));
  parts_free(p);
  return run;
}

TEST(pendulums_in_every_order_of_variables) {
  static const int orders[][4] = {{0, 1, 2, 3}, {2, 3, 0, 1}, {0, 2, 1, 3}, {3, 1, 0, 2},
                                  {1, 0, 3, 2}, {1, 2, 3, 0}, {3, 0, 2, 1}, {0, 3, 2, 1}};
  const double at[] = {0.6, -0.8, 1.6, 1.2}; /* speed 2 along the circle */
  const double l = (4 + 9.81 * 0.8) / 2;     /* 2 l = v^2 - y g */
  Parts *p = pendulum(sarrus_memory_default());
  Run mechanism = run_of(p, ORDER);
  REQUIRE_OK(expand(&mechanism, at, at + 2));
  for (int i = 0; i < 8; i++) {
    double q[4];
    Run run = pendulum_in_order(orders[i]);
    for (int j = 0; j < 4; j++)
      q[orders[i][j]] = at[j];
    REQUIRE_OK(expand(&run, q, NULL));
    for (int j = 0; j < 2; j++)
      for (int k = 0; k <= 6; k++) {
        const double expected = sarrus_expansion_q(mechanism.x, j, k);
        CHECK_NEAR(sarrus_expansion_q(run.x, orders[i][j], k), expected, 1e-13 * (1 << 2 * k));
      }
    CHECK_NEAR(sarrus_expansion_q(run.x, orders[i][2], 1), -2 * l * at[0], 1e-13);
    CHECK_NEAR(sarrus_expansion_q(run.x, orders[i][3], 1), -9.81 - 2 * l * at[1], 1e-13);
    CHECK_NEAR(fabs(sarrus_expansion_lambda(run.x, 0, 0)), l, 1e-13);
    run_free(&run);
  }
  run_free(&mechanism);
}
