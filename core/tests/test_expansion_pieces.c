/*
** The pieces of an expansion, one after the other as steps use them: what is known at a point,
** velocities that are set later, unknowns that are recalled; in whatever unit of time.
*/
#include "expansions.h"

enum { ORDER = 6, N = 3 };

/*
** Drag -v_i^2 (i + 1) on masses of 1, and q_0 + 2 q_1 = 3: with a multiplier l, x'' = f + l g, so
** that 0 = f_0 + 2 f_1 + 5 l.  The force on q_2 is that of its neighbours, too.
*/
static Run dragged(void) {
  Parts *p = parts_new(sarrus_memory_default(), N);
  sarrus_Graph *g = p->g;
  for (int i = 0; i < N; i++) {
    const sarrus_Expr v = sarrus_graph_symbol(g, SARRUS_V, i);
    p->force[i] = scaled(g, -(i + 1), mul(g, v, v));
  }
  p->force[2] = add(g, p->force[2], mul(g, p->q[0], unary(g, SARRUS_OP_SIN, p->q[1])));
  p->constraint[0] = sub(g, add(g, p->q[0], scaled(g, 2, p->q[1])), constant(g, 3));
  p->spec.constraints = 1;
  return run_of(p, ORDER);
}

static sarrus_Status go_on(Run *run) {
  SARRUS_TRY(expansion_settle(run->x, &run->fault));
  return expansion_factor(run->x, &run->fault);
}

/* Velocities that are set when the point is there count as those that came with it. */
TEST(velocities_that_are_set_later) {
  for (int bits = -3; bits <= 3; bits += 3) {
    const double q[] = {1, 1, 2}, v[] = {2, -1, 3}, unit = ldexp(1, bits);
    double other[] = {-7, 5, 11};
    Run run = dragged();
    work_set_unit(run.x->work, unit);
    REQUIRE_OK(expansion_place(run.x, 0, q, other, NULL, &run.fault));
    REQUIRE_OK(go_on(&run));
    REQUIRE_OK(expansion_set_rates(run.x, v, &run.fault));
    for (int stage = 0; stage + 2 <= ORDER; stage++)
      REQUIRE_OK(expansion_extend(run.x, stage, &run.fault));
    const double l = (4 + 2 * 2 * 1) / 5.0; /* f = -4, -2, -27 + sin 1 */
    for (int j = 0; j < N; j++)
      CHECK_NEAR(expansion_velocity(run.x, j), v[j], 0);
    CHECK_NEAR(expansion_acceleration(run.x, 0), -4 + l, 1e-14);
    CHECK_NEAR(expansion_acceleration(run.x, 1), -2 + 2 * l, 1e-14);
    CHECK_NEAR(expansion_acceleration(run.x, 2), -27 + sin(1), 1e-14);
    CHECK_NEAR(*expansion_at(run.x, 0, N), -l, 1e-14); /* F = M a - f + G^T lambda */
    /* the next derivative: f_i' = -2 (i + 1) v_i a_i */
    const double a0 = -4 + l, a1 = -2 + 2 * l, jerk = 3 * unit * unit * unit;
    const double f0 = -2 * v[0] * a0, f1 = -4 * v[1] * a1, dl = -(f0 + 2 * f1) / 5;
    CHECK_NEAR(*expansion_at(run.x, 3, 0) * 18 / jerk, f0 + dl, 1e-12);
    CHECK_NEAR(*expansion_at(run.x, 3, 1) * 18 / jerk, f1 + 2 * dl, 1e-12);
    CHECK_NEAR(*expansion_at(run.x, 3, 2) * 18 / jerk,
               -6 * v[2] * (-27 + sin(1)) + v[0] * sin(1) + v[1] * cos(1), 1e-11);
    run_free(&run);
  }
}

/* g'' of the constraint vanishes; with other velocities, g' is what they make of it. */
TEST(rates_and_accelerations_of_a_row) {
  const double q[] = {1, 1, 2}, still[] = {0, 0, 0}, off[] = {1, 3, 100, 1e6};
  double v[] = {2, -1, 3};
  Run run = dragged();
  work_set_unit(run.x->work, 0.25);
  REQUIRE_OK(expansion_place(run.x, 0, q, v, NULL, &run.fault));
  REQUIRE_OK(go_on(&run));
  expansion_residual(run.x);
  CHECK_NEAR(run.x->residual[N], 0, 0);
  expansion_rate_residual(run.x, off);
  CHECK_NEAR(run.x->residual[N], 7, 0);
  expansion_rate_residual(run.x, still);
  CHECK_NEAR(run.x->residual[N], 0, 0);
  CHECK_NEAR(expansion_row_size(run.x, N, off), 7, 0);
  CHECK_NEAR(expansion_row_size(run.x, 2, off), 100, 0); /* its mass */
  CHECK_NEAR(expansion_row_size(run.x, 0, off), 1, 0);   /* without its multiplier */
  REQUIRE_OK(expansion_set_rates(run.x, v, &run.fault));
  REQUIRE_OK(expansion_extend(run.x, 0, &run.fault));
  CHECK_NEAR(expansion_row_acceleration(run.x, N), 0, 1e-14);
  run_free(&run);
}

/*
** What the tape had as values of accelerations and multipliers, it has again from the series'
** coefficients: forces 0.1 lambda^2 and 0.2 a_1^2 / (1 + q) are what they were.
*/
TEST(unknowns_are_recalled) {
  for (int bits = -2; bits <= 2; bits += 2) {
    const double q[] = {1, 1, 2};
    double v[] = {2, -1, 3}, c[3 * (N + 1)], before[N + 1];
    Parts *p = parts_new(sarrus_memory_default(), N);
    sarrus_Graph *g = p->g;
    const sarrus_Expr l = sarrus_graph_symbol(g, SARRUS_LAMBDA, 0);
    p->force[0] = add(g, constant(g, -4), scaled(g, 0.1, mul(g, l, l)));
    p->force[1] = constant(g, 7);
    p->force[2] = mul(g, l, unary(g, SARRUS_OP_SIN, l));
    p->constraint[0] = sub(g, add(g, p->q[0], scaled(g, 2, p->q[1])), constant(g, 3));
    p->spec.constraints = 1;
    Run run = run_of(p, ORDER);
    work_set_unit(run.x->work, ldexp(1, bits));
    REQUIRE_OK(expansion_place(run.x, 0, q, v, NULL, &run.fault));
    REQUIRE_OK(go_on(&run));
    REQUIRE_OK(expansion_set_rates(run.x, v, &run.fault));
    REQUIRE_OK(expansion_extend(run.x, 0, &run.fault));
    memcpy(c, run.x->series, sizeof c);
    for (int j = 0; j <= N; j++) {
      const int input = run.system->input[j][run.system->degree[j]];
      before[j] =
          input == SARRUS_NONE ? 0 : run.x->work->value[run.system->tape->inputs[input].value];
      if (input != SARRUS_NONE) run.x->work->value[run.system->tape->inputs[input].value] = 99;
    }
    CHECK(before[N] != 0);
    expansion_recall(run.x, c);
    for (int j = 0; j <= N; j++) {
      const int input = run.system->input[j][run.system->degree[j]];
      if (input == SARRUS_NONE) continue;
      CHECK_NEAR(run.x->work->value[run.system->tape->inputs[input].value], before[j], 1e-15);
    }
    run_free(&run);
  }
}
