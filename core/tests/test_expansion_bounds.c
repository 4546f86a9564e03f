/*
** What an expansion is given: points that violate constraints by a little less or a little more
** than is allowed, numbers that are none, sizes at their limits; and equations without a solution.
*/
#include <float.h>

#include "expansions.h"

static sarrus_Status expand(Run *run, const double *q, const double *v, double tolerance) {
  return sarrus_expansion_run(run->x, 0, q, v, NULL, tolerance, &run->fault);
}

/* It is refused, and said where, by how much and of which derivative. */
static void check_refused(Run *run, const double *q, const double *v, double tolerance, int row,
                          int derivative, double size) {
  CHECK_STATUS(expand(run, q, v, tolerance), SARRUS_INCONSISTENT);
  CHECK_INT(run->fault.row, row);
  CHECK_INT(run->fault.derivative, derivative);
  CHECK_NEAR(run->fault.size, size, 1e-3 * size);
}

static const double TOLERANCE = 1e-6;

/* --- positions ------------------------------------------------------------------------- */

/* 2 x - y = 5 at (2, -1), as each of them moves by the largest, 2: allowed are 6 tolerances. */
TEST(positions_are_measured_by_the_largest_coordinate_in_the_row) {
  const double none[] = {0, 0, 0};
  Parts *p = parts_new(sarrus_memory_default(), 3);
  sarrus_Graph *g = p->g;
  p->constraint[0] = sub(g, sub(g, scaled(g, 2, p->q[0]), p->q[1]), constant(g, 5));
  p->spec.constraints = 1;
  Run run = run_of(p, 4);
  for (int turn = -1; turn <= 1; turn += 2)
    for (int large = 0; large < 2; large++) { /* one that is not in the row does not count */
      const double third = large ? 1e3 : 0;
      const double near[] = {2, -1 + turn * 5.99 * TOLERANCE, third};
      const double far[] = {2, -1 + turn * 6.01 * TOLERANCE, third};
      CHECK_OK(expand(&run, near, none, TOLERANCE));
      check_refused(&run, far, none, TOLERANCE, 3, 0, 6.01 * TOLERANCE);
    }
  run_free(&run);
}

/* x + 3 y = e at (0, 0): as if they moved by 1. */
TEST(positions_of_nothing_but_zeros) {
  for (int above = 0; above < 2; above++) {
    const double none[] = {0, 0}, e = (above ? 4.01 : 3.99) * TOLERANCE;
    Parts *p = parts_new(sarrus_memory_default(), 2);
    sarrus_Graph *g = p->g;
    p->constraint[0] = sub(g, add(g, p->q[0], scaled(g, 3, p->q[1])), constant(g, e));
    p->spec.constraints = 1;
    Run run = run_of(p, 4);
    if (above)
      check_refused(&run, none, none, TOLERANCE, 2, 0, e);
    else
      CHECK_OK(expand(&run, none, none, TOLERANCE));
    run_free(&run);
  }
}

/*
** x = 0 beside another coordinate of 1000: what its rounding is, 256 eps of that, is no violation;
** nor is, where that is less, the tolerance times 1000.
*/
TEST(positions_that_are_zero_but_for_the_rounding_of_others) {
  static const double tolerances[] = {1e-9, 1e-12, 1e-14, 1e-15};
  const double none[] = {0, 0, 0};
  for (int at = 0; at < 3; at++) {
    Parts *p = parts_new(sarrus_memory_default(), 3);
    p->constraint[0] = p->q[at];
    p->spec.constraints = 1;
    Run run = run_of(p, 4);
    for (int i = 0; i < 4; i++)
      for (int other = 1; other < 3; other++) {
        const double tolerance = tolerances[i];
        const double allowed = 1e3 * fmin(256 * DBL_EPSILON, tolerance);
        double q[3] = {0};
        q[(at + other) % 3] = -1e3;
        q[at] = 0.999 * allowed;
        CHECK_OK(expand(&run, q, none, tolerance));
        q[at] = 1.001 * allowed;
        check_refused(&run, q, none, tolerance, 3, 0, q[at]);
      }
    run_free(&run);
  }
}

/* The worst of several is named, relative to what it is made of. */
TEST(the_worst_of_several_is_named) {
  const double none[] = {0, 0, 0};
  Parts *p = parts_new(sarrus_memory_default(), 3);
  for (int i = 0; i < 3; i++)
    p->constraint[i] = sub(p->g, p->q[i], constant(p->g, pow(10, i)));
  p->spec.constraints = 3;
  Run run = run_of(p, 4);
  for (int worst = 0; worst < 3; worst++) {
    double q[3];
    for (int i = 0; i < 3; i++)
      q[i] = pow(10, i) * (1 + (i == worst ? 3e-5 : 2e-5));
    check_refused(&run, q, none, TOLERANCE, 3 + worst, 0, 3e-5 * pow(10, worst));
  }
  run_free(&run);
}

/* --- rates ----------------------------------------------------------------------------- */

/*
** x = 5 u t moves with 5 u, of which 10 u is added up; y = 0 must rest, to 10 u tolerances, however
** slow all of it is.
*/
TEST(rates_are_measured_by_the_largest_row) {
  for (int which = 0; which < 4; which++) {
    const double q[] = {0, 0}, u = which < 2 ? 1 : 1e-5;
    const int swapped = which % 2;
    Parts *p = parts_new(sarrus_memory_default(), 2);
    p->constraint[swapped] = sub(p->g, p->q[0], scaled(p->g, 5 * u, p->t));
    p->constraint[!swapped] = p->q[1];
    p->spec.constraints = 2;
    Run run = run_of(p, 4);
    for (int turn = -1; turn <= 1; turn += 2) {
      const double near[] = {5 * u, turn * u * 9.99 * TOLERANCE};
      const double far[] = {5 * u, turn * u * 10.01 * TOLERANCE};
      CHECK_OK(expand(&run, q, near, TOLERANCE));
      check_refused(&run, q, far, TOLERANCE, 2 + !swapped, 1, u * 10.01 * TOLERANCE);
    }
    run_free(&run);
  }
}

/* The same of constraints of velocities. */
TEST(rates_of_velocity_constraints) {
  const double q[] = {0, 0};
  Parts *p = parts_new(sarrus_memory_default(), 2);
  sarrus_Graph *g = p->g;
  p->velocity_constraint[0] = sub(g, scaled(g, 4, p->v[0]), constant(g, 8));
  p->velocity_constraint[1] = sub(g, p->v[1], p->v[0]);
  p->spec.velocity_constraints = 2;
  Run run = run_of(p, 4);
  const double right[] = {2, 2}, near[] = {2, 2 + 15.9 * TOLERANCE};
  const double far[] = {2, 2 + 16.1 * TOLERANCE};
  CHECK_OK(expand(&run, q, right, 0));
  CHECK_OK(expand(&run, q, near, TOLERANCE));
  check_refused(&run, q, far, TOLERANCE, 3, 1, 16.1 * TOLERANCE);
  run_free(&run);
}

/* --- accelerations --------------------------------------------------------------------- */

/*
** x = 0 and x = e t^2 / 2 contradict each other by e.  A third row, y = 50 u t^2, adds up 200 u:
** they may differ by 200 u tolerances.
*/
TEST(dependent_rows_that_contradict_each_other_by_a_little) {
  for (int turn = 0; turn < 3; turn++)
    for (int which = 0; which < 4; which++) {
      const int above = which % 2;
      const double none[] = {0, 0}, u = which < 2 ? 1 : 1e-4;
      const double e = (above ? 201 : 199) * u * TOLERANCE;
      Parts *p = parts_new(sarrus_memory_default(), 2);
      sarrus_Graph *g = p->g;
      const sarrus_Expr square = power(g, p->t, 2);
      p->constraint[turn] = p->q[0];
      p->constraint[(turn + 1) % 3] = sub(g, p->q[0], scaled(g, e / 2, square));
      p->constraint[(turn + 2) % 3] = sub(g, p->q[1], scaled(g, 50 * u, square));
      p->spec.constraints = 3;
      Run run = run_of(p, 6);
      if (above) {
        CHECK_STATUS(expand(&run, none, none, TOLERANCE), SARRUS_INCONSISTENT);
        CHECK_INT(run.fault.derivative, 2);
        CHECK_NEAR(run.fault.size, e, 1e-3 * e);
        CHECK(run.fault.row != 2 + (turn + 2) % 3);
      } else {
        CHECK_OK(expand(&run, none, none, TOLERANCE));
        CHECK_NEAR(sarrus_expansion_q(run.x, 1, 2), 50 * u, 1e-12);
      }
      int dependent = 0;
      for (int i = 0; i < 3; i++)
        dependent += sarrus_expansion_dependent(run.x, i);
      CHECK_INT(dependent, 1);
      CHECK(!sarrus_expansion_dependent(run.x, (turn + 2) % 3));
      run_free(&run);
    }
}

/* At a later order: x = 0 and x = t^5. */
TEST(dependent_rows_that_contradict_each_other_later) {
  const double none[] = {0};
  Parts *p = parts_new(sarrus_memory_default(), 1);
  p->constraint[0] = p->q[0];
  p->constraint[1] = sub(p->g, p->q[0], power(p->g, p->t, 5));
  p->spec.constraints = 2;
  for (int order = 4; order <= 6; order++) {
    Run run = {NULL, NULL, {0}};
    CHECK_OK(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &run.system, &run.fault));
    CHECK_OK(sarrus_expansion_new(sarrus_memory_default(), run.system, order, &run.x));
    CHECK_STATUS(expand(&run, none, none, TOLERANCE), order < 5 ? SARRUS_OK : SARRUS_INCONSISTENT);
    CHECK_INT(run.fault.row == SARRUS_NONE, order < 5);
    run_free(&run);
  }
  parts_free(p);
}

/* A constraint that says nothing depends on any, the first one as well. */
TEST(constraints_that_say_nothing) {
  for (int empty = 0; empty < 2; empty++) {
    const double none[] = {0};
    Parts *p = parts_new(sarrus_memory_default(), 1);
    p->constraint[empty] = constant(p->g, 0);
    p->constraint[!empty] = p->q[0];
    p->spec.constraints = 2;
    Run run = run_of(p, 4);
    CHECK_OK(expand(&run, none, none, TOLERANCE));
    CHECK_INT(sarrus_expansion_dependent(run.x, 0), empty == 0);
    CHECK_INT(sarrus_expansion_dependent(run.x, 1), empty == 1);
    run_free(&run);
  }
}

/* x = 0 and 4 x = 0 hold a force of 16: in the measure of their lengths they share it equally. */
TEST(redundant_constraints_share_by_their_lengths) {
  const double none[] = {0};
  Parts *p = parts_new(sarrus_memory_default(), 1);
  p->force[0] = constant(p->g, 16);
  p->constraint[0] = p->q[0];
  p->constraint[1] = scaled(p->g, 4, p->q[0]);
  p->spec.constraints = 2;
  Run run = run_of(p, 4);
  CHECK_OK(expand(&run, none, none, TOLERANCE));
  CHECK_NEAR(sarrus_expansion_lambda(run.x, 0, 0), 8, 1e-14);
  CHECK_NEAR(sarrus_expansion_lambda(run.x, 1, 0), 2, 1e-14);
  run_free(&run);
}

/* x'' = -x' alone, from x' = 1: x = 1 - e^-t. */
TEST(forces_of_velocities_alone) {
  enum { HIGH = 12 };
  const double q[] = {0}, v[] = {1};
  Parts *p = parts_new(sarrus_memory_default(), 1);
  p->force[0] = negative(p->g, p->v[0]);
  Run run = run_of(p, HIGH);
  CHECK_OK(expand(&run, q, v, TOLERANCE));
  for (int k = 1; k <= HIGH; k++)
    CHECK_NEAR(sarrus_expansion_q(run.x, 0, k) * tgamma(k + 1), k % 2 ? 1 : -1, 1e-14);
  run_free(&run);
}

/* --- what is given --------------------------------------------------------------------- */

TEST(numbers_that_are_none_are_named) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  Run run = run_of(p, 4);
  for (int i = 0; i < 6; i++)
    for (int infinite = 0; infinite < 2; infinite++) {
      double x[6] = {1, 2, 3, 4, 5, 6};
      x[i] = infinite ? (double)INFINITY : (double)NAN;
      CHECK_STATUS(expand(&run, x, x + 3, TOLERANCE), SARRUS_NONFINITE);
      CHECK_INT(run.fault.column, i % 3);
      CHECK_INT(run.fault.derivative, i / 3);
      CHECK_INT(run.fault.row, SARRUS_NONE);
      CHECK_INT(run.fault.expr, SARRUS_NONE);
      CHECK(run.fault.size == 0);
    }
  const double q[3] = {0}, none = (double)NAN;
  CHECK_STATUS(sarrus_expansion_run(run.x, none, q, q, NULL, 0, &run.fault), SARRUS_NONFINITE);
  CHECK_OK(sarrus_expansion_run(run.x, 0, q, q, NULL, 0, &run.fault));
  run_free(&run);
}

TEST(arguments_of_a_run) {
  const double q[] = {1}, none = (double)NAN;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  p->force[0] = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0);
  p->spec.parameters = 1;
  Run run = run_of(p, 4);
  sarrus_Fault *fault = &run.fault;
  CHECK_STATUS(sarrus_expansion_run(run.x, 0, q, q, NULL, 0, fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_expansion_run(run.x, 0, NULL, q, q, 0, fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_expansion_run(run.x, 0, q, NULL, q, 0, fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_expansion_run(run.x, 0, q, q, q, none, fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_expansion_run(run.x, 0, q, q, q, -1e-300, fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_expansion_run(run.x, 0, q, q, &none, 0, fault), SARRUS_NONFINITE);
  CHECK_OK(sarrus_expansion_run(run.x, 0, q, q, q, 0, fault));
  CHECK_NEAR(sarrus_expansion_q(run.x, 0, 2), 0.5, 0);
  run_free(&run);
}

/* Parameters are numbers, also where nothing depends on them. */
TEST(parameters_that_nothing_reads) {
  for (int bad = 0; bad < 2; bad++) {
    const double q[] = {1}, none = (double)NAN;
    const double parameters[] = {bad == 0 ? none : 1, bad == 1 ? none : 1}, fine[] = {1, 2};
    Parts *p = parts_new(sarrus_memory_default(), 1);
    p->spec.parameters = 2;
    Run run = run_of(p, 4);
    CHECK_STATUS(sarrus_expansion_run(run.x, 0, q, q, parameters, 0, &run.fault), SARRUS_NONFINITE);
    CHECK_OK(sarrus_expansion_run(run.x, 0, q, q, fine, 0, &run.fault));
    run_free(&run);
  }
}

/* x_1 = 0 twice, among others: one of these rows is dependent, and no row that does not exist. */
TEST(rows_that_do_not_exist_are_not_dependent) {
  const double none[5] = {0};
  Parts *p = parts_new(sarrus_memory_default(), 5);
  for (int i = 0; i < 4; i++)
    p->constraint[i] = p->q[i == 2 ? 1 : i];
  p->spec.constraints = 4;
  Run run = run_of(p, 4);
  CHECK_OK(expand(&run, none, none, TOLERANCE));
  CHECK_INT(sarrus_expansion_dependent(run.x, 1) + sarrus_expansion_dependent(run.x, 2), 1);
  for (int i = -3; i < 8; i++)
    if (i != 1 && i != 2) CHECK_INT(sarrus_expansion_dependent(run.x, i), 0);
  run_free(&run);
}

/* From 2 to SARRUS_MAX_EXPANSION; nothing else is made, and nothing is no block to give back. */
TEST(orders_of_an_expansion) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  Run run = {NULL, NULL, {0}};
  TestMemory m;
  CHECK_OK(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &run.system, &run.fault));
  parts_free(p);
  for (int order = -1; order <= SARRUS_MAX_EXPANSION + 1; order += order > 3 ? 1 + order / 4 : 1) {
    if (order > 200 && order < SARRUS_MAX_EXPANSION) order = SARRUS_MAX_EXPANSION;
    const sarrus_Status expected = order < 2                      ? SARRUS_ARGUMENT
                                   : order > SARRUS_MAX_EXPANSION ? SARRUS_LIMIT
                                                                  : SARRUS_OK;
    CHECK_STATUS(sarrus_expansion_new(test_memory_counting(&m), run.system, order, &run.x),
                 expected);
    CHECK((run.x != NULL) == (expected == SARRUS_OK));
    if (run.x != NULL) CHECK_INT(sarrus_expansion_bytes(run.x), m.bytes);
    sarrus_expansion_free(run.x);
    CHECK_INT(m.blocks, 0);
  }
  CHECK_STATUS(
      sarrus_expansion_new(test_memory_counting(&m), run.system, SARRUS_MAX_EXPANSION + 1, &run.x),
      SARRUS_LIMIT);
  CHECK_STATUS(sarrus_expansion_new(test_memory_failing(&m, 1), run.system, 5, &run.x),
               SARRUS_NOMEM);
  CHECK(run.x == NULL);
  sarrus_system_free(run.system);
}

/* --- contacts -------------------------------------------------------------------------- */

/* Without a simulation contacts are open: bodies fall freely, and slide as nothing held them. */
TEST(contacts_are_open) {
  for (int gaps = 0; gaps < 4; gaps++) {
    const double q[] = {0, 1, 0}, v[] = {2, 0, 3};
    Parts *p = parts_new(sarrus_memory_default(), 3);
    sarrus_Graph *g = p->g;
    p->force[1] = constant(g, -10);
    for (int i = 0; i < 2; i++) {
      if (gaps >> i & 1) p->contact[i].gap = p->q[1];
      p->contact[i].slip[0] = p->v[0];
      if (i == 1) p->contact[i].slip[1] = p->v[2];
      p->contact[i].friction = constant(g, 0.5);
    }
    p->constraint[0] = sub(g, p->q[2], scaled(g, 3, p->t));
    p->spec.constraints = 1;
    p->spec.contacts = 2;
    Run run = run_of(p, 4);
    CHECK_OK(expand(&run, q, v, TOLERANCE));
    CHECK_NEAR(sarrus_expansion_q(run.x, 1, 2), -5, 1e-15);
    CHECK_NEAR(sarrus_expansion_q(run.x, 0, 2), 0, 1e-15);
    const int rows = sarrus_system_multipliers(run.system);
    CHECK_INT(rows, 1 + 3 + (gaps & 1) + (gaps >> 1));
    CHECK_INT(run.x->kkt->off_count, rows - 1);
    CHECK_INT(run.x->kkt->dependent_count, 0);
    for (int i = 0; i < rows; i++) {
      CHECK(sarrus_expansion_lambda(run.x, i, 0) == 0);
      CHECK_INT(sarrus_expansion_dependent(run.x, i), 0);
    }
    run_free(&run);
  }
}

/* --- equations that are not linear ----------------------------------------------------- */

enum { UNKNOWNS = 2 };

/* x' = 0 and these equations of y. */
static Run algebraic(Parts *p, const sarrus_Expr *rows) {
  Run run = {NULL, NULL, {0}};
  const sarrus_Expr still = constant(p->g, 0);
  const sarrus_DaeSpec spec = {.graph = p->g,
                               .differential = 1,
                               .algebraic = UNKNOWNS,
                               .derivative = &still,
                               .constraint = rows};
  int index = -1;
  CHECK_OK(sarrus_system_new_dae(sarrus_memory_default(), &spec, &run.system, &index, &run.fault));
  CHECK_INT(index, 1);
  CHECK_OK(sarrus_expansion_new(sarrus_memory_default(), run.system, 4, &run.x));
  parts_free(p);
  return run;
}

static sarrus_Expr unknown(const Parts *p, int i) {
  return sarrus_graph_symbol(p->g, SARRUS_LAMBDA, i);
}

/* y^2 + 2 has no zero: it is named, wherever it stands, and the other one is not. */
TEST(equations_without_a_solution_are_named) {
  for (int bad = 0; bad < UNKNOWNS; bad++) {
    const double q[] = {1}, guess[] = {0.3, 0.3};
    sarrus_Expr rows[UNKNOWNS];
    Parts *p = parts_new(sarrus_memory_default(), 1);
    rows[bad] = add(p->g, power(p->g, unknown(p, bad), 2), constant(p->g, 2));
    rows[!bad] = sub(p->g, unknown(p, !bad), constant(p->g, 3));
    Run run = algebraic(p, rows);
    sarrus_expansion_guess(run.x, guess);
    CHECK_STATUS(expand(&run, q, NULL, TOLERANCE), SARRUS_INCONSISTENT);
    CHECK_INT(run.fault.row, 1 + bad);
    CHECK(run.fault.size >= 1.999);
    run_free(&run);
  }
}

/* Of the two zeros of y^2 = 4 that one is found which is on the guess's side. */
TEST(guesses_decide_between_solutions) {
  for (int turn = -1; turn <= 1; turn += 2)
    for (double off = 0.25; off < 100; off *= 4) {
      const double q[] = {1}, guess[] = {turn * off, -turn * off};
      sarrus_Expr rows[UNKNOWNS];
      Parts *p = parts_new(sarrus_memory_default(), 1);
      for (int i = 0; i < UNKNOWNS; i++)
        rows[i] = sub(p->g, power(p->g, unknown(p, i), 2), constant(p->g, 4));
      Run run = algebraic(p, rows);
      sarrus_expansion_guess(run.x, guess);
      CHECK_OK(expand(&run, q, NULL, TOLERANCE));
      CHECK_NEAR(sarrus_expansion_lambda(run.x, 0, 0), 2 * turn, 1e-15);
      CHECK_NEAR(sarrus_expansion_lambda(run.x, 1, 0), -2 * turn, 1e-15);
      run_free(&run);
    }
}

/* Equations in units of 1e-20 and 1e20, each of the other's unknown. */
TEST(units_of_equations) {
  const double q[] = {1}, guess[] = {0, 0};
  sarrus_Expr rows[UNKNOWNS];
  Parts *p = parts_new(sarrus_memory_default(), 1);
  sarrus_Graph *g = p->g;
  rows[0] = scaled(g, 1e-20, sub(g, unknown(p, 1), constant(g, 2)));
  rows[1] = scaled(g, 1e20, sub(g, unknown(p, 0), constant(g, 3)));
  Run run = algebraic(p, rows);
  sarrus_expansion_guess(run.x, guess);
  CHECK_OK(expand(&run, q, NULL, TOLERANCE));
  CHECK_NEAR(sarrus_expansion_lambda(run.x, 0, 0), 3, 1e-15);
  CHECK_NEAR(sarrus_expansion_lambda(run.x, 1, 0), 2, 1e-15);
  run_free(&run);
}

/*
** e^y + y = 1 + d for d down to nothing: y, about d / 2, vanishes among terms of 1, and what is
** left is their rounding; also if the guess is nothing, so that y was never large.
*/
TEST(unknowns_that_nearly_vanish_among_larger_terms) {
  for (int which = 0; which < 46; which++) {
    const double d = pow(10, -which / 2), far = which % 2 ? 0.7 : 0;
    const double q[] = {1}, guess[] = {far, -far};
    sarrus_Expr rows[UNKNOWNS];
    Parts *p = parts_new(sarrus_memory_default(), 1);
    sarrus_Graph *g = p->g;
    for (int i = 0; i < UNKNOWNS; i++) {
      const sarrus_Expr y = unknown(p, i), sum = add(g, unary(g, SARRUS_OP_EXP, y), y);
      rows[i] = sub(g, sum, add(g, constant(g, 1), scaled(g, d * (i + 1), p->q[0])));
    }
    Run run = algebraic(p, rows);
    sarrus_expansion_guess(run.x, guess);
    CHECK_OK(expand(&run, q, NULL, TOLERANCE));
    for (int i = 0; i < UNKNOWNS; i++) {
      const double y = sarrus_expansion_lambda(run.x, i, 0);
      CHECK_NEAR(expm1(y) + y, d * (i + 1), 1e-15);
    }
    run_free(&run);
  }
}

/* Unknowns of 1, 1e-2 and 1e-6: those above 1e-3 of the largest to their own last digits. */
TEST(small_unknowns_beside_large_ones) {
  static const double sizes[] = {1, 1e-2, 1e-6};
  for (int i = 0; i < 3; i++) {
    const double q[] = {1}, guess[] = {1.3, 1.3 * sizes[i]};
    sarrus_Expr rows[UNKNOWNS];
    Parts *p = parts_new(sarrus_memory_default(), 1);
    rows[0] = sub(p->g, power(p->g, unknown(p, 0), 3), constant(p->g, 2));
    rows[1] = sub(p->g, power(p->g, unknown(p, 1), 3), constant(p->g, 2 * pow(sizes[i], 3)));
    Run run = algebraic(p, rows);
    sarrus_expansion_guess(run.x, guess);
    CHECK_OK(expand(&run, q, NULL, TOLERANCE));
    CHECK_NEAR(sarrus_expansion_lambda(run.x, 0, 0), cbrt(2), 5e-16);
    CHECK_NEAR(sarrus_expansion_lambda(run.x, 1, 0), cbrt(2) * sizes[i], 5e-16 * sizes[i]);
    run_free(&run);
  }
}

/* A double zero: each step halves the rest, and 40 of them do not reach the last digit. */
TEST(newton_steps_that_halve_do_not_end_in_time) {
  const double q[] = {1}, guess[] = {2, 0};
  sarrus_Expr rows[UNKNOWNS];
  Parts *p = parts_new(sarrus_memory_default(), 1);
  rows[0] = power(p->g, sub(p->g, unknown(p, 0), constant(p->g, 1)), 2);
  rows[1] = unknown(p, 1);
  Run run = algebraic(p, rows);
  sarrus_expansion_guess(run.x, guess);
  CHECK(expand(&run, q, NULL, TOLERANCE) < 0);
  run_free(&run);
}

/*
** Two equal constraints x = 0 hold a force of 3 + lambda_0^2 / 10, which depends on one of their
** multipliers: together they are as much, and share it to better than two to one.
*/
TEST(equal_constraints_share_a_force_that_depends_on_one_of_them) {
  for (int known = 0; known < 2; known++) {
    const double none[] = {0}, guess[] = {known ? 1.7 : 0, 0};
    Parts *p = parts_new(sarrus_memory_default(), 1);
    sarrus_Graph *g = p->g;
    p->force[0] = add(g, constant(g, 3), scaled(g, 0.1, power(g, unknown(p, 0), 2)));
    p->constraint[0] = p->constraint[1] = p->q[0];
    p->spec.constraints = 2;
    Run run = run_of(p, 4);
    sarrus_expansion_guess(run.x, guess);
    CHECK_OK(expand(&run, none, none, TOLERANCE));
    const double l0 = sarrus_expansion_lambda(run.x, 0, 0);
    const double l1 = sarrus_expansion_lambda(run.x, 1, 0);
    CHECK_NEAR(l0 + l1, 3 + 0.1 * l0 * l0, 1e-13);
    CHECK(l0 > 0.5 * l1 && l1 > 0.5 * l0);
    run_free(&run);
  }
}
