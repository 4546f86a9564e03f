/* Differentiation: against known forms, against central differences, forward against reverse. */
#include "expressions.h"

#define WITH_GRAPH                                                              \
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());                  \
  REQUIRE(g != NULL);                                                           \
  const sarrus_Expr x = variable(g, 0), y = variable(g, 1), z = variable(g, 2); \
  (void)x, (void)y, (void)z

static double slope(const sarrus_Graph *g, sarrus_Expr e, const Values *point, int i) {
  Values above = *point, below = *point;
  const double h = 1e-5;
  above.value[SARRUS_Q][i] += h;
  below.value[SARRUS_Q][i] -= h;
  return (value_at(g, e, &above) - value_at(g, e, &below)) / (2 * h);
}

static void check_slopes(sarrus_Graph *g, sarrus_Expr e, unsigned *seed, double low, double high) {
  for (int round = 0; round < 5; round++) {
    const Values point = random_point(seed, low, high);
    for (int i = 0; i < 3; i++) {
      const double expected = slope(g, e, &point, i);
      const sarrus_Expr d = sarrus_graph_diff(g, e, variable(g, i));
      CHECK_NEAR(value_at(g, d, &point), expected, 1e-7 * fmax(1, fabs(expected)));
    }
  }
}

/* Each operation with operands that depend on everything, inside all domains. */
TEST(every_operation_against_differences) {
  unsigned seed = 1;
  WITH_GRAPH;
  const sarrus_Expr u = scaled(g, 0.4, add(g, x, mul(g, y, z)));
  const sarrus_Expr v = add(g, mul(g, x, z), scaled(g, 0.3, y));
  for (int op = 0; op < SARRUS_OP_COUNT; op++) {
    if (sarrus_op_arity((sarrus_Op)op) == 0) continue;
    const sarrus_Expr e = apply_any(g, (sarrus_Op)op, u, v, add(g, x, power(g, y, 2)));
    check_slopes(g, e, &seed, 0.4, 0.9);
    check_slopes(g, mul(g, e, add(g, e, x)), &seed, 0.4, 0.9);
  }
  CHECK_OK(sarrus_graph_status(g));
  sarrus_graph_free(g);
}

/* On each side of the switch. */
TEST(piecewise_operations) {
  unsigned seed = 2;
  WITH_GRAPH;
  static const sarrus_Op ops[] = {SARRUS_OP_ABS, SARRUS_OP_SIGN, SARRUS_OP_MIN, SARRUS_OP_MAX,
                                  SARRUS_OP_SELECT};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    for (int side = -1; side <= 1; side += 2) {
      const sarrus_Expr u = add(g, scaled(g, 0.1, mul(g, x, z)), constant(g, side));
      const sarrus_Expr v = scaled(g, 0.1, mul(g, y, x));
      check_slopes(g, sarrus_graph_apply(g, ops[i], u, v, z), &seed, 0.1, 0.9);
    }
  sarrus_graph_free(g);
}

static void check_form(sarrus_Graph *g, sarrus_Expr e, const char *expected) {
  CHECK_STR(text_of(g, sarrus_graph_diff(g, e, variable(g, 0))), expected);
}

TEST(known_forms) {
  WITH_GRAPH;
  check_form(g, constant(g, 3), "0");
  check_form(g, y, "0");
  check_form(g, x, "1");
  check_form(g, add(g, scaled(g, 3, x), constant(g, 5)), "3");
  check_form(g, power(g, x, 2), "2*q1");
  check_form(g, power(g, x, 5), "5*q1^4");
  check_form(g, mul(g, x, y), "q2");
  check_form(g, quotient(g, x, y), "1/q2");
  check_form(g, unary(g, SARRUS_OP_SIN, x), "cos(q1)");
  check_form(g, unary(g, SARRUS_OP_COS, x), "-sin(q1)");
  check_form(g, unary(g, SARRUS_OP_TAN, x), "tan(q1)^2 + 1");
  check_form(g, unary(g, SARRUS_OP_EXP, x), "exp(q1)");
  check_form(g, unary(g, SARRUS_OP_EXP, scaled(g, 2, x)), "2*exp(2*q1)");
  check_form(g, unary(g, SARRUS_OP_LOG, x), "1/q1");
  check_form(g, unary(g, SARRUS_OP_ATAN, x), "1/(q1^2 + 1)");
  check_form(g, unary(g, SARRUS_OP_ASIN, x), "(1 - q1^2)^(-1/2)");
  check_form(g, unary(g, SARRUS_OP_ABS, x), "sign(q1)");
  check_form(g, unary(g, SARRUS_OP_SIGN, x), "0");
  check_form(g, binary(g, SARRUS_OP_ATAN2, x, y), "q2/(q1^2 + q2^2)");
  sarrus_graph_free(g);
}

/* Derivatives of derivatives, by the same means. */
TEST(second_derivatives) {
  unsigned seed = 3;
  WITH_GRAPH;
  const sarrus_Expr e = quotient(g, unary(g, SARRUS_OP_SIN, mul(g, x, y)),
                                 unary(g, SARRUS_OP_SQRT, add(g, power(g, x, 2), power(g, z, 2))));
  for (int i = 0; i < 3; i++)
    check_slopes(g, sarrus_graph_diff(g, e, variable(g, i)), &seed, 0.4, 0.9);
  const Values point = random_point(&seed, 0.4, 0.9);
  const sarrus_Expr xy = sarrus_graph_diff(g, sarrus_graph_diff(g, e, x), y);
  const sarrus_Expr yx = sarrus_graph_diff(g, sarrus_graph_diff(g, e, y), x);
  CHECK_NEAR(value_at(g, xy, &point), value_at(g, yx, &point), 1e-14);
  sarrus_graph_free(g);
}

TEST(with_respect_to_time_and_parameters) {
  WITH_GRAPH;
  const sarrus_Expr t = sarrus_graph_symbol(g, SARRUS_TIME, 0);
  const sarrus_Expr p = sarrus_graph_symbol(g, SARRUS_PARAMETER, 0);
  const sarrus_Expr e = mul(g, p, power(g, t, 3));
  CHECK_STR(text_of(g, sarrus_graph_diff(g, e, t)), "3*p1*t^2");
  CHECK_STR(text_of(g, sarrus_graph_diff(g, e, p)), "t^3");
  CHECK_INT(sarrus_graph_diff(g, e, SARRUS_NONE), SARRUS_NONE);
  CHECK_INT(sarrus_graph_diff(g, SARRUS_NONE, t), SARRUS_NONE);
  sarrus_graph_free(g);
}

typedef struct Heard {
  int count, calls[SARRUS_SYMBOL_KINDS][SYMBOLS_PER_KIND];
  sarrus_Expr derivative[SARRUS_SYMBOL_KINDS][SYMBOLS_PER_KIND];
} Heard;

static void hear(void *ud, sarrus_SymbolKind kind, int index, sarrus_Expr derivative) {
  Heard *heard = ud;
  heard->count++;
  heard->calls[kind][index]++;
  heard->derivative[kind][index] = derivative;
}

/* A random expression of all kinds of symbols. */
static sarrus_Expr random_expression(sarrus_Graph *g, unsigned *seed) {
  static const sarrus_Op ops[] = {SARRUS_OP_ADD, SARRUS_OP_SUB,  SARRUS_OP_PRODUCT,
                                  SARRUS_OP_SIN, SARRUS_OP_ATAN, SARRUS_OP_ATAN2,
                                  SARRUS_OP_EXP, SARRUS_OP_COS,  SARRUS_OP_QUOTIENT};
  sarrus_Expr pool[24];
  for (int n = 0; n < 24; n++) {
    if (n < 8) {
      pool[n] = sarrus_graph_symbol(g, (sarrus_SymbolKind)(n % SARRUS_SYMBOL_KINDS), n / 7);
      continue;
    }
    const sarrus_Op op = ops[(int)random_in(seed, 0, 9)];
    const sarrus_Expr a = pool[(int)random_in(seed, 0, n)], b = pool[(int)random_in(seed, 0, n)];
    pool[n] =
        binary(g, op, a, op == SARRUS_OP_QUOTIENT ? add(g, power(g, b, 2), constant(g, 1)) : b);
    if (op == SARRUS_OP_EXP) pool[n] = unary(g, SARRUS_OP_ATAN, pool[n]); /* stays of order one */
  }
  return pool[23];
}

TEST(gradient_equals_diff_for_every_symbol) {
  unsigned seed = 4;
  for (int round = 0; round < 100; round++) {
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    REQUIRE(g != NULL);
    const sarrus_Expr roots[] = {random_expression(g, &seed), random_expression(g, &seed)};
    const sarrus_Expr weights[] = {sarrus_graph_symbol(g, SARRUS_LAMBDA, 5),
                                   sarrus_graph_symbol(g, SARRUS_LAMBDA, 6)};
    Heard heard = {0};
    CHECK_OK(sarrus_graph_gradient(g, 2, roots, weights, hear, &heard));
    const Values point = random_point(&seed, 0.2, 1);
    int expected_count = 0;
    for (int kind = 0; kind < SARRUS_SYMBOL_KINDS; kind++)
      for (int i = 0; i < 2; i++) {
        const sarrus_Expr symbol = sarrus_graph_symbol(g, (sarrus_SymbolKind)kind, i);
        const sarrus_Expr d0 = sarrus_graph_diff(g, roots[0], symbol);
        const sarrus_Expr d1 = sarrus_graph_diff(g, roots[1], symbol);
        const double expected = value_at(g, weights[0], &point) * value_at(g, d0, &point) +
                                value_at(g, weights[1], &point) * value_at(g, d1, &point);
        CHECK(heard.calls[kind][i] <= 1);
        expected_count += heard.calls[kind][i];
        const double got =
            heard.calls[kind][i] ? value_at(g, heard.derivative[kind][i], &point) : 0;
        CHECK_NEAR(got, expected, 1e-10 * fmax(1, fabs(expected)));
      }
    CHECK_INT(heard.count, expected_count); /* and of no other symbol */
    sarrus_graph_free(g);
  }
}

TEST(gradient_of_one_root_twice) {
  WITH_GRAPH;
  const sarrus_Expr root = mul(g, x, y), roots[] = {root, root};
  Heard heard = {0};
  CHECK_OK(sarrus_graph_gradient(g, 2, roots, NULL, hear, &heard));
  CHECK_INT(heard.count, 2);
  CHECK_INT(heard.derivative[SARRUS_Q][0], scaled(g, 2, y));
  CHECK_INT(heard.derivative[SARRUS_Q][1], scaled(g, 2, x));
  heard = (Heard){0};
  CHECK_OK(sarrus_graph_gradient(g, 0, NULL, NULL, hear, &heard));
  CHECK_INT(heard.count, 0);
  sarrus_graph_free(g);
}

/* sin of sin of … a hundred thousand deep: no recursion, and room in proportion. */
TEST(deep_expressions) {
  WITH_GRAPH;
  sarrus_Expr e = x;
  for (int i = 0; i < 100000; i++)
    e = unary(g, SARRUS_OP_SIN, e);
  Heard heard = {0};
  CHECK_OK(sarrus_graph_gradient(g, 1, &e, NULL, hear, &heard));
  CHECK_INT(heard.count, 1);
  CHECK(sarrus_graph_diff(g, e, x) != SARRUS_NONE);
  CHECK(sarrus_graph_count(g) < 700000);
  sarrus_graph_free(g);
}

/* With n symbols the gradient of a product of sums costs O(n), one diff each would cost O(n^2). */
TEST(gradients_cost_a_small_multiple_of_the_root) {
  WITH_GRAPH;
  sarrus_Expr sum = constant(g, 0);
  for (int i = 0; i < 2000; i++) {
    const sarrus_Expr u = sarrus_graph_symbol(g, SARRUS_Q, i % SYMBOLS_PER_KIND);
    sum = add(g, unary(g, SARRUS_OP_SIN, add(g, sum, u)), mul(g, u, sum));
  }
  const int before = sarrus_graph_count(g);
  Heard heard = {0};
  CHECK_OK(sarrus_graph_gradient(g, 1, &sum, NULL, hear, &heard));
  CHECK(sarrus_graph_count(g) < 6 * before);
  sarrus_graph_free(g);
}
