/*
** Tangents by parameters against equations of variation: for x' = f(x, y, p), 0 = g(x, y, p) the
** derivatives by one of p obey xi' = f_x xi + f_y eta + f_p, 0 = g_x xi + g_y eta + g_p.  These are
** made by differentiating expressions and solved as unknowns of a system of their own; a tangent
** must be the same, whatever operation parameters, series and both together go through.
*/
#include "sarrus/sim_tangent.h"

#include "sims.h"

enum { STATES = 3, PARAMETERS = 3, TWICE = 2 * STATES };

/* Equations under construction; `algebraic` is 0 or 1. */
typedef struct Case {
  sarrus_Graph *g;
  sarrus_Expr x[TWICE], y[2], t, p[PARAMETERS];
  sarrus_Expr f[TWICE], row[2];
  int algebraic;
} Case;

static const double START[STATES] = {0.42, 0.53, 0.48}, VALUE[PARAMETERS] = {0.47, 0.71, 0.3};

static Case case_new(int algebraic) {
  Case c = {.g = sarrus_graph_new(sarrus_memory_default()), .algebraic = algebraic};
  for (int i = 0; i < TWICE; i++)
    c.x[i] = sarrus_graph_symbol(c.g, SARRUS_Q, i);
  for (int i = 0; i < 2; i++)
    c.y[i] = sarrus_graph_symbol(c.g, SARRUS_LAMBDA, i);
  for (int i = 0; i < PARAMETERS; i++)
    c.p[i] = sarrus_graph_symbol(c.g, SARRUS_PARAMETER, i);
  c.t = sarrus_graph_symbol(c.g, SARRUS_TIME, 0);
  return c;
}

static sarrus_Expr sine_of(sarrus_Graph *g, sarrus_Expr a) { return unary(g, SARRUS_OP_SIN, a); }

/* The derivative of e along (xi, eta, dp_k = 1). */
static sarrus_Expr along(Case *c, sarrus_Expr e, int by) {
  sarrus_Graph *g = c->g;
  sarrus_Expr sum = sarrus_graph_diff(g, e, c->p[by]);
  for (int j = 0; j < STATES; j++)
    sum = add(g, sum, mul(g, sarrus_graph_diff(g, e, c->x[j]), c->x[STATES + j]));
  if (c->algebraic > 0) sum = add(g, sum, mul(g, sarrus_graph_diff(g, e, c->y[0]), c->y[1]));
  return sum;
}

/* The system, or with `by` >= 0 the system and its variation. */
static bool case_run(Run *run, Case *c, int by) {
  const int times = by >= 0 ? 2 : 1;
  sarrus_Fault fault;
  int index;
  *run = (Run){NULL, NULL, NULL};
  for (int i = 0; i < STATES && by >= 0; i++)
    c->f[STATES + i] = along(c, c->f[i], by);
  if (by >= 0 && c->algebraic > 0) c->row[1] = along(c, c->row[0], by);
  const sarrus_DaeSpec spec = {.graph = c->g,
                               .differential = STATES * times,
                               .algebraic = c->algebraic * times,
                               .derivative = c->f,
                               .constraint = c->row,
                               .parameters = PARAMETERS};
  const sarrus_Memory memory = sarrus_memory_default();
  if (!CHECK_OK(sarrus_system_new_dae(memory, &spec, &run->system, &index, &fault)) ||
      !CHECK_OK(sarrus_sim_new(memory, run->system, NULL, &tight, &run->sim)))
    return false;
  for (int i = 0; i < PARAMETERS; i++)
    CHECK_OK(sarrus_sim_preset(run->sim, i, VALUE[i]));
  return true;
}

/*
** The tangents by all parameters at once are those of the variations, one after the other.  What
** they begin with the constraint decides, in the tangents; the variations begin with the same.
*/
static void check_case(Case *c, const double *start) {
  const double none[PARAMETERS * STATES] = {0};
  double dp[PARAMETERS * PARAMETERS] = {0};
  Run run;
  for (int k = 0; k < PARAMETERS; k++)
    dp[k * PARAMETERS + k] = 1;
  for (int by = 0; by < PARAMETERS; by++) {
    Run known;
    double both[TWICE], rate[TWICE], x[STATES], dx[STATES], v[STATES], dv[STATES], y[2], dy[1];
    REQUIRE(case_run(&run, c, -1));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, start, none));
    REQUIRE_OK(sarrus_sim_directions(run.sim, PARAMETERS, none, none, dp));
    REQUIRE_OK(sarrus_sim_tangent(run.sim, by, both + STATES, NULL, NULL, NULL));
    REQUIRE_OK(sarrus_sim_state(run.sim, both, NULL, NULL, NULL));
    REQUIRE(case_run(&known, c, by));
    memset(rate, 0, sizeof rate);
    REQUIRE_OK(sarrus_sim_start(known.sim, 0, both, rate));
    for (int i = 0; i <= 2; i++) {
      REQUIRE_OK(sarrus_sim_advance(run.sim, 0.15 * i));
      REQUIRE_OK(sarrus_sim_advance(known.sim, 0.15 * i));
      REQUIRE_OK(sarrus_sim_state(known.sim, both, rate, NULL, y));
      REQUIRE_OK(sarrus_sim_state(run.sim, x, v, NULL, NULL));
      REQUIRE_OK(sarrus_sim_tangent(run.sim, by, dx, dv, NULL, dy));
      for (int j = 0; j < STATES; j++) {
        CHECK_NEAR(x[j], both[j], 1e-12);
        CHECK_NEAR(dx[j], both[STATES + j], 1e-11 * (1 + fabs(both[STATES + j])));
        CHECK_NEAR(dv[j], rate[STATES + j], 1e-10 * (1 + fabs(rate[STATES + j])));
      }
      if (c->algebraic > 0) CHECK_NEAR(dy[0], y[1], 1e-10 * (1 + fabs(y[1])));
    }
    run_free(&known);
    run_free(&run);
  }
  sarrus_graph_free(c->g);
}

/* Operands: a series, a parameter, and both together. */
static sarrus_Expr operand(const Case *c, int kind, int i) {
  sarrus_Graph *g = c->g;
  switch (kind) {
    case 0: return c->x[i];
    case 1: return c->p[i % 2];
    case 2: return mul(g, c->x[i], add(g, constant(g, 0.5), c->p[i]));
    default: return add(g, scaled(g, 0.4, c->x[i]), mul(g, c->p[i], c->p[(i + 1) % PARAMETERS]));
  }
}

/* An operation on operands of these kinds, in all three equations with factors of their own. */
static void put_operation(Case *c, sarrus_Op op, int first, int second) {
  sarrus_Graph *g = c->g;
  const sarrus_Expr a = operand(c, first, 0), b = operand(c, second, 1);
  const sarrus_Expr e = apply_any(g, op, a, b, c->x[2]);
  c->f[0] = scaled(g, 0.1, e);
  c->f[1] = mul(g, scaled(g, 0.2, c->p[2]), add(g, e, c->x[0]));
  c->f[2] = scaled(g, 0.1, mul(g, e, unary(g, SARRUS_OP_SIN, mul(g, c->p[1], c->x[1]))));
}

/* --- operations ---------------------------------------------------------------------------- */

TEST(every_operation_on_series_and_parameters) {
  for (int op = 0; op < SARRUS_OP_COUNT; op++) {
    const int arity = sarrus_op_arity((sarrus_Op)op);
    for (int kind = 0; arity > 0 && kind < (arity == 1 ? 4 : 16); kind++) {
      Case c = case_new(0);
      put_operation(&c, (sarrus_Op)op, kind % 4, kind / 4);
      check_case(&c, START);
    }
  }
}

/* Powers, angles, quotients and products of a constant or a parameters' sum, and a series. */
TEST(constants_and_parameters_as_operands) {
  static const sarrus_Op ops[] = {SARRUS_OP_POW, SARRUS_OP_ATAN2, SARRUS_OP_QUOTIENT,
                                  SARRUS_OP_PRODUCT};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    for (int which = 0; which < 4; which++) {
      Case c = case_new(0);
      sarrus_Graph *g = c.g;
      const sarrus_Expr one = constant(g, 1.25), p = add(g, c.p[0], mul(g, c.p[1], c.p[2]));
      const sarrus_Expr a = which == 0 ? one : which == 1 ? p : c.x[0];
      const sarrus_Expr b = which == 2 ? one : which == 3 ? p : c.x[1];
      const sarrus_Expr e = binary(g, ops[i], a, b);
      c.f[0] = scaled(g, 0.2, e);
      c.f[1] = scaled(g, 0.1, mul(g, e, c.x[2]));
      c.f[2] = scaled(g, 0.1, sub(g, mul(g, p, e), mul(g, c.t, c.p[1])));
      check_case(&c, START);
    }
}

/* --- constraints --------------------------------------------------------------------------- */

/*
** Index 1: y + p_0 y^3 = what an operation makes, and y feeds the rates, by a factor of parameters
** and through a function.
*/
TEST(every_operation_in_an_algebraic_equation) {
  for (int op = 0; op < SARRUS_OP_COUNT; op++) {
    if (sarrus_op_arity((sarrus_Op)op) == 0) continue;
    for (int kind = 0; kind < 4; kind++) {
      Case c = case_new(1);
      sarrus_Graph *g = c.g;
      put_operation(&c, (sarrus_Op)op, kind, 3 - kind);
      const sarrus_Expr own = add(g, c.y[0], mul(g, c.p[0], power(g, c.y[0], 3)));
      c.row[0] = sub(g, own, scaled(g, 10, c.f[0]));
      c.f[0] = scaled(g, 0.1, mul(g, c.y[0], c.p[1]));
      c.f[1] = add(g, c.f[1], scaled(g, 0.1, unary(g, SARRUS_OP_SIN, c.y[0])));
      check_case(&c, START);
    }
  }
}

/* Index 2: x_0 = 0.42 exp(p_0 (x_1 - 0.53)) + p_2 (x_2 - 0.48) holds at the start for any p. */
TEST(constraints_of_positions) {
  for (int op = 0; op < SARRUS_OP_COUNT; op++) {
    if (sarrus_op_arity((sarrus_Op)op) == 0) continue;
    Case c = case_new(1);
    sarrus_Graph *g = c.g;
    put_operation(&c, (sarrus_Op)op, 2, 3);
    const sarrus_Expr from1 = sub(g, c.x[1], constant(g, START[1]));
    const sarrus_Expr from2 = sub(g, c.x[2], constant(g, START[2]));
    const sarrus_Expr bent = scaled(g, START[0], unary(g, SARRUS_OP_EXP, mul(g, c.p[0], from1)));
    c.row[0] = sub(g, c.x[0], add(g, bent, mul(g, c.p[2], from2)));
    c.f[0] = add(g, c.f[0], mul(g, c.y[0], add(g, constant(g, 1), c.p[1])));
    check_case(&c, START);
  }
}

/*
** Sums of unknowns by factors of parameters, where only the solve of a stage tells the unknowns:
** as operands of functions, of products, and of each other, some of them stored and some not.
*/
static sarrus_Expr nest_of_sums(const Case *c, int which) {
  sarrus_Graph *g = c->g;
  const sarrus_Expr x1 = sub(g, c->x[1], constant(g, START[1]));
  const sarrus_Expr x2 = sub(g, c->x[2], constant(g, START[2]));
  const sarrus_Expr one = mul(g, c->p[0], x1), two = add(g, one, mul(g, c->p[1], x2));
  const sarrus_Expr wide = add(g, scaled(g, 3, two), mul(g, c->p[2], unary(g, SARRUS_OP_SIN, one)));
  switch (which) {
    case 0: return unary(g, SARRUS_OP_SIN, one);
    case 1: return add(g, unary(g, SARRUS_OP_EXP, two), unary(g, SARRUS_OP_SIN, one));
    case 2: return mul(g, one, two);
    case 3: return unary(g, SARRUS_OP_TANH, wide);
    case 4: return add(g, mul(g, wide, two), mul(g, c->p[2], unary(g, SARRUS_OP_COS, wide)));
    case 5: return quotient(g, two, add(g, constant(g, 2), wide));
    case 6: return binary(g, SARRUS_OP_ATAN2, one, add(g, constant(g, 1), two));
    case 7: return power(g, add(g, constant(g, 1), two), 1.5);
    default: return unary(g, SARRUS_OP_SIN, mul(g, two, unary(g, SARRUS_OP_EXP, one)));
  }
}

/* x_0 - 0.42 is such a nest, less what it is where x_1 = 0.53 and x_2 = 0.48. */
TEST(sums_of_unknowns_within_each_other) {
  for (int which = 0; which < 9; which++) {
    Case c = case_new(1);
    sarrus_Graph *g = c.g;
    const sarrus_Expr level = which == 4 ? c.p[2] : constant(g, which == 1 || which == 7);
    const sarrus_Expr moved = sub(g, c.x[0], constant(g, START[0]));
    c.row[0] = sub(g, moved, sub(g, nest_of_sums(&c, which), level));
    c.f[0] = add(g, mul(g, c.y[0], add(g, constant(g, 1), c.p[1])), scaled(g, 0.1, c.x[2]));
    c.f[1] = sub(g, constant(g, 0.3), mul(g, c.p[1], c.x[0]));
    c.f[2] = sub(g, c.p[2], mul(g, c.p[0], c.x[1]));
    check_case(&c, START);
  }
}

/* Index 1, with functions of p_0 y: 0.6 y + 0.3 sin(p_0 y) grows with y, as x_1 and x_2 want. */
TEST(functions_of_what_a_solve_finds) {
  static const sarrus_Op ops[] = {SARRUS_OP_SIN, SARRUS_OP_EXP, SARRUS_OP_TANH, SARRUS_OP_COS};
  for (int i = 0; i < 4; i++) {
    Case c = case_new(1);
    sarrus_Graph *g = c.g;
    const sarrus_Expr arg = mul(g, c.p[0], c.y[0]), wide = add(g, arg, mul(g, c.p[1], c.x[0]));
    const sarrus_Expr own = add(g, scaled(g, 0.6, c.y[0]), scaled(g, 0.3, sine_of(g, arg)));
    c.row[0] = sub(g, own, mul(g, add(g, c.x[1], c.p[2]), c.x[2]));
    c.f[0] = scaled(g, 0.2, unary(g, ops[i], arg));
    c.f[1] = scaled(g, 0.2, mul(g, c.y[0], unary(g, ops[i], wide)));
    c.f[2] = sub(g, c.p[2], unary(g, ops[i], scaled(g, 0.5, wide)));
    check_case(&c, START);
  }
}

/* --- implicit steps ------------------------------------------------------------------------ */

/*
** x_0' = p_0 + e(x_0 - p_1), where x_0 passes p_1 = 0.71 within the time: e has a kink there, of
** slope 0 before and 2 after, or a knot.  A step ends there, and all of its stages are on the
** branch before: also the last, where x_0 = p_1 is met up to rounding.
*/
TEST(implicit_steps_that_end_at_a_kink) {
  const sarrus_SimOptions implicit = {.tolerance = 1e-12, .method = SARRUS_STIFF};
  const double none[3] = {0}, dp[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, start[] = {0.42, 0, 0};
  for (int which = 0; which < 4; which++) {
    sarrus_System *system;
    sarrus_Sim *sim;
    sarrus_Fault fault;
    int index;
    Case c = case_new(0);
    sarrus_Graph *g = c.g;
    const sarrus_Expr beyond = sub(g, c.x[0], c.p[1]), zero = constant(g, 0);
    const sarrus_Expr twice = scaled(g, 2, beyond);
    const sarrus_Expr kinks[] = {binary(g, SARRUS_OP_MAX, twice, zero),
                                 negative(g, binary(g, SARRUS_OP_MIN, zero, negative(g, twice))),
                                 add(g, unary(g, SARRUS_OP_ABS, beyond), beyond),
                                 sarrus_graph_apply(g, SARRUS_OP_SELECT, beyond, twice, zero)};
    c.f[0] = add(g, c.p[0], kinks[which]);
    c.f[1] = c.x[0];
    c.f[2] = zero;
    const sarrus_DaeSpec spec = {
        .graph = g, .differential = STATES, .derivative = c.f, .parameters = PARAMETERS};
    const sarrus_Memory memory = sarrus_memory_default();
    REQUIRE_OK(sarrus_system_new_dae(memory, &spec, &system, &index, &fault));
    REQUIRE_OK(sarrus_sim_new(memory, system, NULL, &implicit, &sim));
    for (int i = 0; i < PARAMETERS; i++)
      CHECK_OK(sarrus_sim_preset(sim, i, VALUE[i]));
    REQUIRE_OK(sarrus_sim_start(sim, 0, start, none));
    REQUIRE_OK(sarrus_sim_directions(sim, PARAMETERS, (double[9]){0}, (double[9]){0}, dp));
    const double at = (VALUE[1] - start[0]) / VALUE[0]; /* when it passes */
    for (int i = 1; i <= 8; i++) {
      const double t = 0.25 * i, s = fmax(t - at, 0), e = exp(2 * s), p0 = VALUE[0];
      double dx[STATES], x[STATES];
      REQUIRE_OK(sarrus_sim_advance(sim, t));
      REQUIRE_OK(sarrus_sim_state(sim, x, NULL, NULL, NULL));
      CHECK_NEAR(x[0], t < at ? start[0] + p0 * t : VALUE[1] + p0 * (e - 1) / 2, 1e-10);
      REQUIRE_OK(sarrus_sim_tangent(sim, 0, dx, NULL, NULL, NULL)); /* at changes by -at / p_0 */
      CHECK_NEAR(dx[0], t < at ? t : (e - 1) / 2 + e * at, 1e-8);
      REQUIRE_OK(sarrus_sim_tangent(sim, 1, dx, NULL, NULL, NULL)); /* at changes by 1 / p_0 */
      CHECK_NEAR(dx[0], t < at ? 0 : 1 - e, 1e-8);
    }
    CHECK(sarrus_sim_stats(sim).implicit > 0);
    sarrus_sim_free(sim);
    sarrus_system_free(system);
    sarrus_graph_free(g);
  }
}

/* --- mechanisms ---------------------------------------------------------------------------- */

/*
** x = f(p y) under a force along y, without x: y'' (1 + f'^2 p^2) = -1 - f' f'' p^3 y'^2.  The
** motion and its variation by p are integrated along y alone, as a system of their own.
*/
static void check_curve(sarrus_Op op) {
  const double p = 0.7, none[2] = {0}, dp = 1;
  Parts *m = parts_new(sarrus_memory_default(), 2), *r = parts_new(sarrus_memory_default(), 2);
  sarrus_Graph *g = m->g, *h = r->g;
  const sarrus_Expr arg = mul(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 0), m->q[1]);
  const sarrus_Expr u = sarrus_graph_symbol(h, SARRUS_PARAMETER, 0), y = r->q[0], v = r->v[0];
  const sarrus_Expr x = unary(h, op, mul(h, u, y)), slope = sarrus_graph_diff(h, x, y);
  const sarrus_Expr turn = mul(h, mul(h, slope, sarrus_graph_diff(h, slope, y)), mul(h, v, v));
  const sarrus_Expr a = negative(
      h, quotient(h, add(h, constant(h, 1), turn), add(h, constant(h, 1), mul(h, slope, slope))));
  Run run, known;
  m->constraint[0] = sub(g, m->q[0], unary(g, op, arg));
  m->force[1] = constant(g, -1);
  m->spec.constraints = m->spec.parameters = r->spec.parameters = 1;
  r->force[0] = a;
  r->force[1] = add(h, sarrus_graph_diff(h, a, u),
                    add(h, mul(h, sarrus_graph_diff(h, a, y), r->q[1]),
                        mul(h, sarrus_graph_diff(h, a, v), r->v[1])));
  const double start[] = {op == SARRUS_OP_EXP || op == SARRUS_OP_COS, 0};
  REQUIRE(run_new(&run, m, &tight) && run_new(&known, r, &tight));
  CHECK_OK(sarrus_sim_preset(run.sim, 0, p));
  CHECK_OK(sarrus_sim_preset(known.sim, 0, p));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, start, none));
  REQUIRE_OK(sarrus_sim_start(known.sim, 0, none, none));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, none, none, &dp));
  for (double t = 0; t < 2; t += 0.4) {
    double q[2], rate[2], dq[2], dv[2];
    REQUIRE_OK(sarrus_sim_advance(run.sim, t));
    REQUIRE_OK(sarrus_sim_advance(known.sim, t));
    REQUIRE_OK(sarrus_sim_state(known.sim, q, rate, NULL, NULL));
    REQUIRE_OK(sarrus_sim_tangent(run.sim, 0, dq, dv, NULL, NULL));
    CHECK_NEAR(dq[1], q[1], 1e-11);
    CHECK_NEAR(dv[1], rate[1], 1e-11);
  }
  run_free(&run);
  run_free(&known);
}

TEST(curves_that_a_parameter_bends) {
  check_curve(SARRUS_OP_EXP);
  check_curve(SARRUS_OP_SIN);
  check_curve(SARRUS_OP_COS);
  check_curve(SARRUS_OP_TANH);
}
