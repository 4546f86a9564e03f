/* Tapes of known inputs: every operation, and nests of them, against series of their nodes. */
#include "series_reference.h"
#include "tape_reference.h"

/* Compile roots, run them to ORDER on inputs that are all known, compare every coefficient. */
static void check_known(sarrus_Graph *g, int count, const sarrus_Expr *roots,
                        const Inputs *inputs) {
  const int lead[64] = {0};
  REQUIRE(count <= 64);
  const TapeSpec spec = {.graph = g, .output_count = count, .outputs = roots, .output_lead = lead};
  Tape *tape = NULL;
  REQUIRE_OK(tape_new(sarrus_memory_default(), &spec, &tape));
  void *block = malloc(work_size(tape, ORDER));
  Series *reference = reference_series(g, inputs);
  REQUIRE(block != NULL && reference != NULL);
  Work *work = work_init(block, tape, ORDER);
  for (int i = 0; i < tape->input_count; i++)
    set_known(work, &tape->inputs[i], &inputs->of[tape->inputs[i].kind][tape->inputs[i].index]);
  CHECK_OK(start(work, LEAD_CONSTANT, 0));
  for (int i = 0; i < count; i++)
    check_coefficient(work->value[tape->output_value[i]], reference[roots[i]].c[0], g, roots[i], 0);
  for (int stage = 1; stage <= ORDER; stage++) {
    tape_partial(work, stage);
    for (int i = 0; i < count; i++)
      check_coefficient(work->output[i], reference[roots[i]].c[stage], g, roots[i], stage);
    tape_complete(work, stage);
  }
  check_slots(work, g, reference);
  free(reference);
  free(block);
  tape_free(tape);
}

static sarrus_Expr input(sarrus_Graph *g, int i) { return sarrus_graph_symbol(g, SARRUS_U, i); }

static const double knots[] = {-2, 0.1, 0.35, 0.6, 2}, data[] = {0, 1, 1.5, 4, 5};

/* As an output, as part of a sum, and as an operand of something else. */
TEST(every_operation) {
  unsigned seed = 1;
  for (int op = 0; op < SARRUS_OP_COUNT; op++) {
    if (sarrus_op_arity((sarrus_Op)op) == 0) continue;
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    REQUIRE(g != NULL);
    const Inputs inputs = random_inputs(&seed, 0.2, 0.8);
    const sarrus_Expr e = apply_any(g, (sarrus_Op)op, input(g, 0), input(g, 1), input(g, 2));
    const sarrus_Expr roots[] = {e, add(g, scaled(g, 3, e), input(g, 3)),
                                 unary(g, SARRUS_OP_SIN, e), mul(g, e, unary(g, SARRUS_OP_EXP, e))};
    check_known(g, 4, roots, &inputs);
    sarrus_graph_free(g);
  }
}

/* One operand constant, or the same operand twice. */
TEST(degenerate_operands) {
  unsigned seed = 2;
  static const sarrus_Op ops[] = {SARRUS_OP_PRODUCT, SARRUS_OP_QUOTIENT, SARRUS_OP_ATAN2,
                                  SARRUS_OP_MIN,     SARRUS_OP_MAX,      SARRUS_OP_SELECT,
                                  SARRUS_OP_POW};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    REQUIRE(g != NULL);
    const Inputs inputs = random_inputs(&seed, 0.2, 0.8);
    const sarrus_Expr u = input(g, 0), two = constant(g, 0.45);
    const sarrus_Expr p = sarrus_graph_symbol(g, SARRUS_PARAMETER, 0); /* constant in time */
    const sarrus_Expr roots[] = {
        sarrus_graph_apply(g, ops[i], u, two, u), sarrus_graph_apply(g, ops[i], two, u, p),
        sarrus_graph_apply(g, ops[i], u, u, two), sarrus_graph_apply(g, ops[i], u, p, two),
        sarrus_graph_apply(g, ops[i], p, u, u),   sarrus_graph_apply(g, ops[i], p, p, two)};
    check_known(g, 6, roots, &inputs);
    sarrus_graph_free(g);
  }
}

/* Halves of powers may be made after their users: x^n alone, in a sum, inside a function. */
TEST(powers_in_every_order_of_making) {
  unsigned seed = 3;
  const Inputs inputs = random_inputs(&seed, 0.5, 1.5);
  for (int n = 2; n <= 17; n++) {
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    REQUIRE(g != NULL);
    const sarrus_Expr x = input(g, 0);
    const sarrus_Expr high = power(g, x, n);
    const sarrus_Expr roots[] = {unary(g, SARRUS_OP_SIN, high), power(g, x, n + 1),
                                 mul(g, add(g, high, input(g, 1)), add(g, x, high)), power(g, x, 3),
                                 unary(g, SARRUS_OP_COS, power(g, unary(g, SARRUS_OP_SIN, x), n))};
    check_known(g, 5, roots, &inputs);
    sarrus_graph_free(g);
  }
}

TEST(powers_at_zero) {
  unsigned seed = 4;
  Inputs inputs = random_inputs(&seed, 0.5, 1);
  inputs.of[SARRUS_U][0].c[0] = 0;
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(g != NULL);
  const sarrus_Expr roots[] = {power(g, input(g, 0), 2), power(g, input(g, 0), 7),
                               unary(g, SARRUS_OP_EXP, power(g, input(g, 0), 3))};
  check_known(g, 3, roots, &inputs);
  sarrus_graph_free(g);
}

TEST(tables_and_their_derivatives) {
  unsigned seed = 5;
  for (int round = 0; round < 8; round++) {
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    REQUIRE(g != NULL);
    const Inputs inputs = random_inputs(&seed, -3, 3);
    const int table = sarrus_graph_new_table(g, 5, knots, data);
    sarrus_Expr roots[5];
    for (int d = 0; d <= 4; d++)
      roots[d] = sarrus_graph_table(g, table, d, input(g, 0));
    check_known(g, 5, roots, &inputs);
    sarrus_graph_free(g);
  }
}

TEST(time_is_known_by_itself) {
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(g != NULL);
  const sarrus_Expr t = sarrus_graph_symbol(g, SARRUS_TIME, 0);
  const sarrus_Expr root = unary(g, SARRUS_OP_SIN, t);
  const int lead = 0;
  Tape *tape = NULL;
  const TapeSpec spec = {.graph = g, .output_count = 1, .outputs = &root, .output_lead = &lead};
  REQUIRE_OK(tape_new(sarrus_memory_default(), &spec, &tape));
  void *block = malloc(work_size(tape, ORDER));
  REQUIRE(block != NULL);
  Work *work = work_init(block, tape, ORDER);
  work->value[tape->inputs[tape_input(tape, SARRUS_TIME, 0)].value] = 0;
  CHECK_OK(start(work, LEAD_CONSTANT, 0));
  double factorial = 1;
  for (int k = 1; k <= ORDER; factorial *= ++k) {
    tape_partial(work, k);
    CHECK_NEAR(work->output[0], k % 2 == 0 ? 0 : (k % 4 == 1 ? 1 : -1) / factorial, 1e-16);
    tape_complete(work, k);
  }
  CHECK_INT(tape_input(tape, SARRUS_Q, 0), SARRUS_NONE);
  free(block);
  tape_free(tape);
  sarrus_graph_free(g);
}

/* Expressions as nobody would write them, shared and nested. */
TEST(random_nests) {
  static const sarrus_Op ops[] = {
      SARRUS_OP_ADD,  SARRUS_OP_SUB,    SARRUS_OP_PRODUCT, SARRUS_OP_PRODUCT,
      SARRUS_OP_SIN,  SARRUS_OP_COS,    SARRUS_OP_EXP,     SARRUS_OP_ATAN,
      SARRUS_OP_SQRT, SARRUS_OP_ATAN2,  SARRUS_OP_ABS,     SARRUS_OP_QUOTIENT,
      SARRUS_OP_MAX,  SARRUS_OP_SELECT, SARRUS_OP_LOG,     SARRUS_OP_INTEGER_POWER};
  unsigned seed = 6;
  for (int round = 0; round < 200; round++) {
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    REQUIRE(g != NULL);
    const Inputs inputs = random_inputs(&seed, 0.3, 0.9);
    sarrus_Expr pool[30];
    for (int n = 0; n < 30; n++) {
      if (n < 5) {
        pool[n] = n < 3    ? input(g, n)
                  : n == 3 ? constant(g, 0.7)
                           : sarrus_graph_symbol(g, SARRUS_TIME, 0);
        continue;
      }
      const sarrus_Op op = ops[(int)random_in(&seed, 0, sizeof ops / sizeof *ops)];
      sarrus_Expr a = pool[(int)random_in(&seed, 0, n)], b = pool[(int)random_in(&seed, 0, n)];
      const sarrus_Expr inside = add(g, unary(g, SARRUS_OP_SIN, a), constant(g, 1.3));
      if (op == SARRUS_OP_SQRT || op == SARRUS_OP_LOG) a = inside; /* inside the domain */
      if (op == SARRUS_OP_QUOTIENT || op == SARRUS_OP_ATAN2) b = inside;
      pool[n] = apply_any(g, op, a, b, pool[(int)random_in(&seed, 0, n)]);
      if (n % 3 == 0) pool[n] = unary(g, SARRUS_OP_SIN, pool[n]); /* keeps things small */
    }
    check_known(g, 8, pool + 22, &inputs);
    sarrus_graph_free(g);
  }
}

/* Long chains of sums are opened without recursion to the bottom. */
TEST(long_and_deep_sums) {
  unsigned seed = 7;
  const Inputs inputs = random_inputs(&seed, 0.3, 0.9);
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(g != NULL);
  sarrus_Expr e = input(g, 0);
  for (int i = 0; i < 300; i++) {
    const sarrus_Expr u = input(g, i % 8), w = input(g, (i * 3 + 1) % 8);
    e = add(g, scaled(g, 0.5, mul(g, unary(g, SARRUS_OP_SIN, scaled(g, 1 + 0.01 * i, u)), w)),
            scaled(g, 0.9, e));
  }
  check_known(g, 1, &e, &inputs);
  sarrus_graph_free(g);
}

/* Room is linear in the nodes and in the order. */
TEST(memory_in_proportion) {
  size_t tape_bytes[2], work_bytes[2][2];
  for (int size = 0; size < 2; size++) {
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    REQUIRE(g != NULL);
    sarrus_Expr sum = constant(g, 0);
    for (int i = 0; i < 5000 * (size + 1); i++) {
      const sarrus_Expr angle = add(g, input(g, i % 8), constant(g, 1e-3 * i));
      sum = add(g, sum, mul(g, unary(g, SARRUS_OP_SIN, angle), input(g, (i + 1) % 8)));
    }
    const int lead = 0;
    Tape *tape = NULL;
    const TapeSpec spec = {.graph = g, .output_count = 1, .outputs = &sum, .output_lead = &lead};
    REQUIRE_OK(tape_new(sarrus_memory_default(), &spec, &tape));
    tape_bytes[size] = tape->bytes;
    for (int order = 0; order < 2; order++)
      work_bytes[size][order] = work_size(tape, 20 * (order + 1));
    tape_free(tape);
    sarrus_graph_free(g);
  }
  CHECK((double)tape_bytes[1] < 2.05 * (double)tape_bytes[0]);
  for (int i = 0; i < 2; i++) {
    CHECK((double)work_bytes[1][i] < 2.05 * (double)work_bytes[0][i]);
    CHECK((double)work_bytes[i][1] < 2.05 * (double)work_bytes[i][0]);
  }
  CHECK((double)work_bytes[1][0] < 40000 * 2 * 21 * 3 * sizeof(double));
}

/* --- high precision ---------------------------------------------------------------------- */

/* As series_reference.py has them: u^-1.75, atan2(u, u - u_0 - 1.5). */
static sarrus_Expr function_of(sarrus_Graph *g, const Reference *r, sarrus_Expr u) {
  int op = 0;
  if (strcmp(r->name, "pow") == 0) return power(g, u, -1.75);
  while (op < SARRUS_OP_COUNT && strcmp(sarrus_op_name((sarrus_Op)op), r->name) != 0)
    op++;
  return binary(g, (sarrus_Op)op, u, sub(g, u, constant(g, r->point + 1.5)));
}

/* A coefficient that happens to be small beside its neighbours has no digits of its own. */
static double size_at(const double *c, int k) {
  const double before = k > 0 ? fabs(c[k - 1]) : 0, after = k < ORDER ? fabs(c[k + 1]) : 0;
  return fmax(fabs(c[k]), 0.1 * sqrt(before * after));
}

static void check_reference(const Reference *r) {
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(g != NULL);
  const int lead = 0;
  const sarrus_Expr root = function_of(g, r, input(g, 0));
  const TapeSpec spec = {.graph = g, .output_count = 1, .outputs = &root, .output_lead = &lead};
  Tape *tape = NULL;
  REQUIRE_OK(tape_new(sarrus_memory_default(), &spec, &tape));
  void *block = malloc(work_size(tape, ORDER));
  REQUIRE(block != NULL);
  Work *work = work_init(block, tape, ORDER);
  Series u = {{r->point, 1}};
  if (r->curved) memcpy(u.c + 1, reference_curve, sizeof reference_curve);
  for (int i = 0; i < tape->input_count; i++)
    set_known(work, &tape->inputs[i], &u);
  CHECK_OK(start(work, LEAD_CONSTANT, 0));
  int good = CHECK_NEAR(work->value[tape->output_value[0]], r->c[0], 1e-13 * size_at(r->c, 0));
  for (int k = 1; k <= ORDER; k++) {
    tape_partial(work, k);
    good &= CHECK_NEAR(work->output[0], r->c[k], 1e-13 * size_at(r->c, k));
    tape_complete(work, k);
  }
  if (!good) printf("  that was %s at %g, curved %d\n", r->name, r->point, r->curved);
  free(block);
  tape_free(tape);
  sarrus_graph_free(g);
}

TEST(functions_of_high_precision) {
  for (size_t i = 0; i < sizeof references / sizeof *references; i++)
    check_reference(&references[i]);
}
