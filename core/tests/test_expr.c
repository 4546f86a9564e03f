/* Building expressions: equal ones are one node, and constructors simplify. */
#include "expressions.h"

/* Most tests want a graph with x, y, z and nothing else. */
#define WITH_GRAPH                                                              \
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());                  \
  REQUIRE(g != NULL);                                                           \
  const sarrus_Expr x = variable(g, 0), y = variable(g, 1), z = variable(g, 2); \
  (void)x, (void)y, (void)z

/* The first failed check stops nothing, so the graph is always freed. */
#define CHECK_CONSTANT(g, e, expected)                  \
  do {                                                  \
    double value_ = 12345.678;                          \
    CHECK(sarrus_graph_is_constant((g), (e), &value_)); \
    CHECK_NEAR(value_, (expected), 0);                  \
  } while (0)

TEST(equal_expressions_are_one_node) {
  WITH_GRAPH;
  CHECK_INT(variable(g, 0), x);
  CHECK(x != y && sarrus_graph_symbol(g, SARRUS_V, 0) != x);
  CHECK_INT(constant(g, 0.1), constant(g, 0.1));
  CHECK(constant(g, 0.1) != constant(g, 0.2));
  CHECK_INT(constant(g, -0.0), constant(g, 0));
  CHECK_INT(add(g, x, y), add(g, y, x));
  CHECK_INT(mul(g, x, y), mul(g, y, x));
  CHECK(quotient(g, x, y) != quotient(g, y, x));
  CHECK(binary(g, SARRUS_OP_ATAN2, x, y) != binary(g, SARRUS_OP_ATAN2, y, x));
  CHECK(unary(g, SARRUS_OP_SIN, x) != unary(g, SARRUS_OP_COS, x));
  CHECK_INT(add(g, add(g, x, y), z), add(g, x, add(g, z, y)));
  CHECK_INT(sub(g, x, y), negative(g, sub(g, y, x)));
  const int before = sarrus_graph_count(g);
  unary(g, SARRUS_OP_EXP, mul(g, x, add(g, y, z)));
  const int between = sarrus_graph_count(g);
  CHECK(between > before);
  unary(g, SARRUS_OP_EXP, mul(g, x, add(g, y, z)));
  CHECK_INT(sarrus_graph_count(g), between);
  sarrus_graph_free(g);
}

TEST(operands_come_before_their_users) {
  WITH_GRAPH;
  sarrus_Expr e = x;
  for (int i = 0; i < 50; i++)
    e = unary(g, SARRUS_OP_SIN, add(g, mul(g, e, y), quotient(g, z, e)));
  for (int n = 0; n < sarrus_graph_count(g); n++)
    for (int i = 0; i < expr_operand_count(g, n); i++)
      CHECK(expr_operand(g, n, i) < n);
  sarrus_graph_free(g);
}

TEST(constants_fold) {
  WITH_GRAPH;
  const sarrus_Expr two = constant(g, 2), three = constant(g, 3);
  CHECK_CONSTANT(g, add(g, two, three), 5);
  CHECK_CONSTANT(g, sub(g, two, three), -1);
  CHECK_CONSTANT(g, mul(g, two, three), 6);
  CHECK_CONSTANT(g, quotient(g, two, constant(g, 4)), 0.5);
  CHECK_CONSTANT(g, negative(g, two), -2);
  CHECK_CONSTANT(g, power(g, two, 10), 1024);
  CHECK_CONSTANT(g, power(g, two, -1), 0.5);
  CHECK_CONSTANT(g, power(g, constant(g, 9), 0.5), 3);
  CHECK_CONSTANT(g, binary(g, SARRUS_OP_POW, two, three), 8);
  CHECK_CONSTANT(g, unary(g, SARRUS_OP_SIN, two), sin(2));
  CHECK_CONSTANT(g, binary(g, SARRUS_OP_ATAN2, two, three), atan2(2, 3));
  CHECK_CONSTANT(g, binary(g, SARRUS_OP_MIN, two, three), 2);
  CHECK_CONSTANT(g, binary(g, SARRUS_OP_MAX, two, three), 3);
  CHECK_CONSTANT(g, sarrus_graph_apply(g, SARRUS_OP_SELECT, constant(g, -1), two, three), 3);
  CHECK_CONSTANT(g, sarrus_graph_apply(g, SARRUS_OP_SELECT, constant(g, 0), two, three), 2);
  sarrus_graph_free(g);
}

/* What is not finite is kept as it was written, so that the run can say what failed. */
TEST(what_is_not_finite_does_not_fold) {
  WITH_GRAPH;
  CHECK_INT(sarrus_graph_op(g, unary(g, SARRUS_OP_LOG, constant(g, -1))), SARRUS_OP_LOG);
  CHECK_INT(sarrus_graph_op(g, unary(g, SARRUS_OP_SQRT, constant(g, -1))), SARRUS_OP_SQRT);
  const sarrus_Expr by_zero = quotient(g, constant(g, 1), constant(g, 0));
  CHECK_INT(sarrus_graph_op(g, by_zero), SARRUS_OP_QUOTIENT);
  CHECK_STR(text_of(g, by_zero), "1/0");
  CHECK_STR(text_of(g, quotient(g, x, constant(g, 0))), "q1/0");
  CHECK_STR(text_of(g, power(g, constant(g, 0), -2)), "1/0");
  sarrus_graph_free(g);
}

TEST(neutral_elements) {
  WITH_GRAPH;
  const sarrus_Expr zero = constant(g, 0), one = constant(g, 1);
  CHECK_INT(add(g, x, zero), x);
  CHECK_INT(sub(g, x, zero), x);
  CHECK_INT(mul(g, x, one), x);
  CHECK_INT(mul(g, one, x), x);
  CHECK_INT(quotient(g, x, one), x);
  CHECK_INT(power(g, x, 1), x);
  CHECK_INT(negative(g, negative(g, x)), x);
  CHECK_CONSTANT(g, mul(g, x, zero), 0);
  CHECK_CONSTANT(g, mul(g, zero, unary(g, SARRUS_OP_SIN, x)), 0);
  CHECK_CONSTANT(g, quotient(g, zero, x), 0);
  CHECK_CONSTANT(g, power(g, x, 0), 1);
  CHECK_CONSTANT(g, sub(g, x, x), 0);
  CHECK_CONSTANT(g, quotient(g, x, x), 1);
  CHECK_INT(binary(g, SARRUS_OP_MIN, x, x), x);
  CHECK_INT(binary(g, SARRUS_OP_MAX, x, x), x);
  CHECK_INT(sarrus_graph_apply(g, SARRUS_OP_SELECT, x, y, y), y);
  CHECK_INT(sarrus_graph_apply(g, SARRUS_OP_SELECT, one, x, y), x);
  CHECK_INT(sarrus_graph_apply(g, SARRUS_OP_SELECT, constant(g, -1), x, y), y);
  sarrus_graph_free(g);
}

TEST(like_terms_join) {
  WITH_GRAPH;
  CHECK_INT(add(g, x, x), scaled(g, 2, x));
  CHECK_INT(add(g, scaled(g, 2, x), scaled(g, 3, x)), scaled(g, 5, x));
  CHECK_INT(sub(g, add(g, x, y), y), x);
  CHECK_INT(add(g, scaled(g, 2, add(g, x, y)), scaled(g, -2, y)), scaled(g, 2, x));
  CHECK_INT(add(g, add(g, x, constant(g, 1)), constant(g, -1)), x);
  const sarrus_Expr xy = mul(g, x, y);
  CHECK_CONSTANT(g, sub(g, xy, mul(g, y, x)), 0);
  CHECK_CONSTANT(g, sub(g, mul(g, scaled(g, 2, x), y), mul(g, x, scaled(g, 2, y))), 0);
  const sarrus_Term terms[] = {{1, y}, {2, x}, {0, z}, {3, y}, {1, constant(g, 4)}};
  const sarrus_Expr sum = sarrus_graph_linear(g, 1, 5, terms);
  CHECK_STR(text_of(g, sum), "2*q1 + 4*q2 + 5");
  CHECK_CONSTANT(g, sarrus_graph_linear(g, 7, 0, NULL), 7);
  sarrus_graph_free(g);
}

TEST(constant_factors_are_pulled_out) {
  WITH_GRAPH;
  const sarrus_Expr xy = mul(g, x, y);
  CHECK_INT(mul(g, scaled(g, 2, x), scaled(g, 3, y)), scaled(g, 6, xy));
  CHECK_INT(mul(g, negative(g, x), y), negative(g, xy));
  CHECK_INT(quotient(g, scaled(g, 6, x), scaled(g, 2, y)), scaled(g, 3, quotient(g, x, y)));
  CHECK_INT(quotient(g, x, constant(g, 4)), scaled(g, 0.25, x));
  CHECK_INT(quotient(g, constant(g, 3), x), scaled(g, 3, power(g, x, -1)));
  CHECK_INT(power(g, scaled(g, -2, x), 3), scaled(g, -8, power(g, x, 3)));
  sarrus_graph_free(g);
}

TEST(powers_and_quotients_join) {
  WITH_GRAPH;
  const sarrus_Expr x2 = power(g, x, 2), x3 = power(g, x, 3);
  CHECK_INT(mul(g, x, x), x2);
  CHECK_INT(mul(g, x, x2), x3);
  CHECK_INT(mul(g, x2, x3), power(g, x, 5));
  CHECK_INT(power(g, x2, 3), power(g, x, 6));
  CHECK_INT(mul(g, mul(g, x, y), x), mul(g, x2, y));
  CHECK_INT(mul(g, y, mul(g, x, y)), mul(g, x, power(g, y, 2)));
  CHECK_INT(quotient(g, x3, x), x2);
  CHECK_INT(quotient(g, x, x3), power(g, x, -2));
  CHECK_INT(quotient(g, mul(g, x, y), y), x);
  CHECK_INT(mul(g, x, power(g, y, -1)), quotient(g, x, y));
  CHECK_INT(power(g, x, 0.5), unary(g, SARRUS_OP_SQRT, x));
  CHECK_INT(power(g, unary(g, SARRUS_OP_SQRT, x), 2), x);
  CHECK_INT(power(g, unary(g, SARRUS_OP_SQRT, x), 4), x2);
  CHECK_INT(sarrus_graph_op(g, power(g, x, 2.5)), SARRUS_OP_POWER);
  CHECK_INT(binary(g, SARRUS_OP_POW, x, constant(g, 2)), x2);
  const sarrus_Expr general = binary(g, SARRUS_OP_POW, x, y);
  CHECK_INT(general, unary(g, SARRUS_OP_EXP, mul(g, y, unary(g, SARRUS_OP_LOG, x))));
  sarrus_graph_free(g);
}

/* Exponents that no int holds are still expressions with the right value. */
TEST(enormous_exponents) {
  WITH_GRAPH;
  const double most = 1 << 20;
  const sarrus_Expr e = power(g, power(g, x, most), most);
  Values point = {{{0}}};
  point.value[SARRUS_Q][0] = 1 + 1e-12;
  CHECK_CLOSE(value_at(g, e, &point), exp(most * most * log1p(1e-12)), 1e-3);
  CHECK_INT(sarrus_graph_op(g, e), SARRUS_OP_POWER);
  CHECK_INT(sarrus_graph_op(g, power(g, x, most)), SARRUS_OP_INTEGER_POWER);
  sarrus_graph_free(g);
}

/* What is odd or even by its values is so as an expression. */
TEST(parity) {
  WITH_GRAPH;
  const sarrus_Expr minus = scaled(g, -2, x), plus = scaled(g, 2, x);
  for (int i = 0; i < SARRUS_OP_COUNT; i++) {
    const sarrus_Op op = (sarrus_Op)i;
    if (op < SARRUS_OP_PRODUCT || op == SARRUS_OP_NEG || sarrus_op_arity(op) != 1) continue;
    const double before = expr_value(op, -0.6, 0, 0, 0), after = expr_value(op, 0.6, 0, 0, 0);
    if (before == after)
      CHECK_INT(unary(g, op, minus), unary(g, op, plus));
    else if (before == -after)
      CHECK_INT(unary(g, op, minus), negative(g, unary(g, op, plus)));
    else
      CHECK_INT(sarrus_graph_op(g, unary(g, op, minus)), op);
  }
  sarrus_graph_free(g);
}

/* (c0 + c1 x) y = c0 y + c1 x y shares x y; longer sums are not multiplied out. */
TEST(distribution) {
  WITH_GRAPH;
  const sarrus_Expr xy = mul(g, x, y);
  const sarrus_Expr e = mul(g, add(g, scaled(g, 2, x), constant(g, 3)), y);
  CHECK_INT(e, add(g, scaled(g, 2, xy), scaled(g, 3, y)));
  CHECK_INT(sarrus_graph_op(g, mul(g, add(g, x, y), z)), SARRUS_OP_PRODUCT);
  sarrus_graph_free(g);
}

/* Random expressions: whatever the simplifier does, the value stays. */
TEST(simplification_keeps_values) {
  unsigned seed = 7;
  for (int round = 0; round < 300; round++) {
    WITH_GRAPH;
    const Values point = random_point(&seed, 0.5, 1.5);
    sarrus_Expr pool[40] = {x, y, z, constant(g, 2), constant(g, -0.5)};
    double value[40] = {point.value[SARRUS_Q][0], point.value[SARRUS_Q][1],
                        point.value[SARRUS_Q][2], 2, -0.5};
    for (int n = 5; n < 40; n++) {
      const int a = (int)random_in(&seed, 0, n), b = (int)random_in(&seed, 0, n);
      switch ((int)random_in(&seed, 0, 7)) {
        case 0: pool[n] = add(g, pool[a], pool[b]), value[n] = value[a] + value[b]; break;
        case 1: pool[n] = sub(g, pool[a], pool[b]), value[n] = value[a] - value[b]; break;
        case 2: pool[n] = quotient(g, pool[a], pool[b]), value[n] = value[a] / value[b]; break;
        case 3: pool[n] = power(g, pool[a], 2), value[n] = value[a] * value[a]; break;
        case 4:
          pool[n] = unary(g, SARRUS_OP_SIN, negative(g, pool[a])), value[n] = sin(-value[a]);
          break;
        default: pool[n] = mul(g, pool[a], pool[b]), value[n] = value[a] * value[b];
      }
      if (!(fabs(value[n]) > 1e-3 && fabs(value[n]) < 1e3)) { /* keep rounding small */
        pool[n] = x;
        value[n] = value[0];
      }
      CHECK_NEAR(value_at(g, pool[n], &point), value[n], 1e-9);
    }
    sarrus_graph_free(g);
  }
}

/* s = s + u_i, a hundred thousand times: room grows with the number of terms, not its square. */
TEST(running_sums_are_linear) {
  size_t bytes[2];
  for (int round = 0; round < 2; round++) {
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    sarrus_Expr sum = constant(g, 0);
    for (int i = 0; i < 50000 * (round + 1); i++)
      sum = add(g, sum, sarrus_graph_symbol(g, SARRUS_U, i));
    REQUIRE_OK(sarrus_graph_status(g));
    bytes[round] = sarrus_graph_bytes(g);
    sarrus_graph_free(g);
  }
  CHECK((double)bytes[1] < 2.5 * (double)bytes[0]);
  CHECK((double)bytes[1] < 400.0 * 100000);
}

TEST(bytes_are_what_is_held) {
  TestMemory m;
  sarrus_Graph *g = sarrus_graph_new(test_memory_counting(&m));
  REQUIRE(g != NULL);
  sarrus_Expr e = variable(g, 0);
  for (int i = 0; i < 1000; i++)
    e = unary(g, SARRUS_OP_SIN, add(g, e, variable(g, i)));
  const double knots[] = {0, 1, 2};
  sarrus_graph_table(g, sarrus_graph_new_table(g, 3, knots, knots), 0, e);
  sarrus_graph_diff(g, e, variable(g, 3));
  REQUIRE_OK(sarrus_graph_status(g));
  CHECK_INT(sarrus_graph_bytes(g), m.bytes);
  sarrus_graph_free(g);
  CHECK_INT(m.blocks, 0);
  sarrus_graph_free(NULL);
}

TEST(names_and_arities) {
  CHECK_STR(sarrus_op_name(SARRUS_OP_PRODUCT), "mul");
  CHECK_STR(sarrus_op_name(SARRUS_OP_POW), "pow");
  CHECK_INT(sarrus_op_arity(SARRUS_OP_SELECT), 3);
  CHECK_INT(sarrus_op_arity(SARRUS_OP_ATAN2), 2);
  CHECK_INT(sarrus_op_arity(SARRUS_OP_SYMBOL), 0);
}

/*
** Whichever node of an expression is the one for which there is no memory: `before` others are
** there already.
*/
static sarrus_Expr after_others(sarrus_Graph *g, int before) {
  for (int i = 0; i < before; i++)
    variable(g, i + 2);
  const sarrus_Expr x = add(g, variable(g, 0), constant(g, 0.5));
  sarrus_Expr e = power(g, scaled(g, -3, x), -2);
  e = quotient(g, constant(g, 2), scaled(g, -2, power(g, x, 3)));
  e = quotient(g, quotient(g, e, x), unary(g, SARRUS_OP_SIN, negative(g, x)));
  e = binary(g, SARRUS_OP_POW, mul(g, x, unary(g, SARRUS_OP_SQRT, x)), variable(g, 1));
  return sarrus_graph_diff(g, mul(g, e, unary(g, SARRUS_OP_TAN, x)), variable(g, 0));
}

TEST(memory_that_fails_within_a_constructor) {
  for (int before = 0; before < 40; before++)
    for (long n = 1;; n++) {
      TestMemory m;
      sarrus_Graph *g = sarrus_graph_new(test_memory_failing(&m, n));
      if (g != NULL) {
        CHECK((after_others(g, before) == SARRUS_NONE) == m.failed);
        CHECK_STATUS(sarrus_graph_status(g), m.failed ? SARRUS_NOMEM : SARRUS_OK);
      }
      sarrus_graph_free(g);
      CHECK_INT(m.blocks, 0);
      if (!m.failed) break;
    }
}
