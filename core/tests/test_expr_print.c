/* Expressions as text that reads like Lua: what is written back has the same value. */
#include "expressions.h"

#define WITH_GRAPH                                                              \
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());                  \
  REQUIRE(g != NULL);                                                           \
  const sarrus_Expr x = variable(g, 0), y = variable(g, 1), z = variable(g, 2); \
  (void)x, (void)y, (void)z

TEST(symbols_have_letters) {
  WITH_GRAPH;
  CHECK_STR(text_of(g, x), "q1");
  CHECK_STR(text_of(g, sarrus_graph_symbol(g, SARRUS_TIME, 0)), "t");
  CHECK_STR(text_of(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 2)), "p3");
  CHECK_STR(text_of(g, sarrus_graph_symbol(g, SARRUS_V, 0)), "v1");
  CHECK_STR(text_of(g, sarrus_graph_symbol(g, SARRUS_A, 1)), "a2");
  CHECK_STR(text_of(g, sarrus_graph_symbol(g, SARRUS_LAMBDA, 0)), "lambda1");
  CHECK_STR(text_of(g, sarrus_graph_symbol(g, SARRUS_U, 0)), "u0");
  sarrus_graph_free(g);
}

TEST(sums) {
  WITH_GRAPH;
  CHECK_STR(text_of(g, constant(g, -0.25)), "-1/4");
  CHECK_STR(text_of(g, constant(g, 9.81)), "9.81");
  CHECK_STR(text_of(g, add(g, scaled(g, 3, x), scaled(g, -0.5, y))), "3*q1 - 1/2*q2");
  CHECK_STR(text_of(g, negative(g, x)), "-q1");
  CHECK_STR(text_of(g, sub(g, constant(g, 1), x)), "1 - q1");
  CHECK_STR(text_of(g, sub(g, x, constant(g, 1))), "q1 - 1");
  CHECK_STR(text_of(g, sub(g, negative(g, x), constant(g, 2))), "-q1 - 2");
  CHECK_STR(text_of(g, add(g, add(g, x, y), constant(g, 0.1))), "q1 + q2 + 0.1");
  CHECK_STR(text_of(g, sub(g, add(g, y, constant(g, 7)), x)), "7 - q1 + q2");
  sarrus_graph_free(g);
}

TEST(products_and_quotients) {
  WITH_GRAPH;
  const sarrus_Expr sum = add(g, y, z);
  CHECK_STR(text_of(g, mul(g, x, sum)), "q1*(q2 + q3)");
  CHECK_STR(text_of(g, scaled(g, -2, mul(g, x, y))), "-2*q1*q2");
  CHECK_STR(text_of(g, quotient(g, x, sum)), "q1/(q2 + q3)");
  CHECK_STR(text_of(g, quotient(g, sum, x)), "(q2 + q3)/q1");
  CHECK_STR(text_of(g, quotient(g, x, mul(g, y, z))), "q1/(q2*q3)");
  CHECK_STR(text_of(g, quotient(g, x, quotient(g, y, z))), "q1/(q2/q3)");
  CHECK_STR(text_of(g, quotient(g, quotient(g, x, y), z)), "q1/(q2*q3)");
  CHECK_STR(text_of(g, power(g, x, -1)), "1/q1");
  CHECK_STR(text_of(g, quotient(g, constant(g, 3), x)), "3/q1");
  CHECK_STR(text_of(g, sub(g, y, quotient(g, constant(g, 1.5), x))), "q2 - 3/2/q1");
  sarrus_graph_free(g);
}

/* A fraction or a sign in an exponent needs parentheses, and so does all but an atom below it. */
TEST(powers) {
  WITH_GRAPH;
  CHECK_STR(text_of(g, scaled(g, 0.5, power(g, y, 2))), "1/2*q2^2");
  CHECK_STR(text_of(g, power(g, add(g, x, y), 3)), "(q1 + q2)^3");
  CHECK_STR(text_of(g, power(g, power(g, mul(g, x, y), 2), 1)), "(q1*q2)^2");
  CHECK_STR(text_of(g, power(g, x, 1.5)), "q1^(3/2)");
  CHECK_STR(text_of(g, power(g, x, -1.5)), "q1^(-3/2)");
  CHECK_STR(text_of(g, power(g, x, 0.1)), "q1^0.1");
  CHECK_STR(text_of(g, power(g, power(g, x, 2.25), 2)), "(q1^(9/4))^2");
  CHECK_STR(text_of(g, power(g, x, -2)), "1/q1^2");
  sarrus_graph_free(g);
}

TEST(functions) {
  WITH_GRAPH;
  CHECK_STR(text_of(g, unary(g, SARRUS_OP_SIN, add(g, x, y))), "sin(q1 + q2)");
  CHECK_STR(text_of(g, power(g, unary(g, SARRUS_OP_COS, x), 2)), "cos(q1)^2");
  CHECK_STR(text_of(g, binary(g, SARRUS_OP_ATAN2, y, x)), "atan(q2, q1)");
  CHECK_STR(text_of(g, sarrus_graph_apply(g, SARRUS_OP_SELECT, x, y, constant(g, 0))),
            "select(q1, q2, 0)");
  CHECK_STR(text_of(g, binary(g, SARRUS_OP_MIN, x, constant(g, 2))), "min(q1, 2)");
  CHECK_STR(text_of(g, unary(g, SARRUS_OP_SQRT, x)), "sqrt(q1)");
  const double knots[] = {0, 1};
  const int table = sarrus_graph_new_table(g, 2, knots, knots);
  CHECK_STR(text_of(g, sarrus_graph_table(g, table, 0, x)), "table1(q1)");
  CHECK_STR(text_of(g, sarrus_graph_table(g, table, 2, x)), "table1''(q1)");
  sarrus_graph_free(g);
}

static const char *greek(void *ud, sarrus_SymbolKind kind, int index) {
  static const char *const names[] = {"alpha", "beta", "gamma"};
  CHECK(ud != NULL && kind == SARRUS_Q);
  return names[index];
}

TEST(names_can_be_given) {
  WITH_GRAPH;
  char text[64];
  const sarrus_Expr e = add(g, mul(g, x, y), z);
  const size_t length = sarrus_graph_print(g, e, greek, &text, text, sizeof text);
  CHECK_STR(text, "gamma + alpha*beta");
  CHECK_INT(length, strlen(text));
  sarrus_graph_free(g);
}

TEST(long_and_deep_texts_end_in_an_ellipsis) {
  WITH_GRAPH;
  char text[40];
  sarrus_Expr sum = x, deep = x;
  for (int i = 1; i < 8; i++)
    sum = add(g, sum, scaled(g, 2, variable(g, i)));
  const size_t length = sarrus_graph_print(g, sum, NULL, NULL, text, sizeof text);
  CHECK_INT(length, strlen(text));
  CHECK(length < sizeof text && strcmp(text + length - 3, "...") == 0);
  CHECK(strncmp(text, "q1 + 2*q2 + 2*q3", 16) == 0);
  for (int i = 0; i < 100000; i++)
    deep = unary(g, SARRUS_OP_SIN, deep);
  CHECK(strstr(text_of(g, deep), "sin(...)") != NULL);
  CHECK_INT(sarrus_graph_print(g, x, NULL, NULL, text, 0), 0);
  sarrus_graph_free(g);
}
