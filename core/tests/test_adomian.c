#include "sarrus/adomian.h"

#include "expr_graph.h"
#include "functions.h"
#include "sarrus/series.h"
#include "test.h"

enum { MOST = 30, LINE = 400 };

/* The value of every node, symbols being given; nodes stand after their operands. */
static double value_of(const sarrus_Graph *graph, sarrus_Expr root, const double *u) {
  double *value = malloc(((size_t)root + 1) * sizeof *value);
  for (int e = 0; e <= root; e++) {
    const Node *node = &graph->nodes[e];
    if (node->op == SARRUS_OP_CONSTANT) {
      value[e] = node->value;
    } else if (node->op == SARRUS_OP_SYMBOL) {
      value[e] = u[node->b];
    } else if (node->op == SARRUS_OP_LINEAR) {
      value[e] = node->value;
      for (int i = 0; i < node->b; i++)
        value[e] += graph->terms[node->a + i].factor * value[graph->terms[node->a + i].expr];
    } else {
      value[e] = expr_value(node->op, value[node->a], node->b < 0 ? 0 : value[node->b],
                            node->c < 0 ? 0 : value[node->c], node->value);
    }
  }
  const double result = value[root];
  free(value);
  return result;
}

static sarrus_Expr component(sarrus_Graph *graph, int order, int variable, int i) {
  return sarrus_graph_symbol(graph, SARRUS_U, sarrus_adomian_component(order, variable, i));
}

static sarrus_Expr apply(sarrus_Graph *graph, sarrus_Op op, sarrus_Expr a, sarrus_Expr b) {
  return sarrus_graph_apply(graph, op, a, b, SARRUS_NONE);
}

/* Names for one variable of order 5: u0 .. u5, N0 .. N5 */
static const char *name_general(void *ud, sarrus_SymbolKind kind, int index) {
  static char text[16];
  (void)ud;
  (void)kind;
  snprintf(text, sizeof text, index < 6 ? "u%d" : "N%d", index % 6);
  return text;
}

TEST(a_general_function_gives_the_table) {
  static const char *const expected[] = {
      "N0",
      "u1*N1",
      "u2*N1 + 1/2*u1^2*N2",
      "u3*N1 + u1*u2*N2 + 1/6*u1^3*N3",
      "u4*N1 + u1*u3*N2 + 1/2*u2^2*N2 + 1/2*u1^2*u2*N3 + 1/24*u1^4*N4",
      ("u5*N1 + u1*u4*N2 + u2*u3*N2 + 1/2*u1^2*u3*N3 + 1/2*u1*u2^2*N3 + 1/6*u1^3*u2*N4 + "
       "1/120*u1^5*N5"),
  };
  sarrus_Graph *graph = sarrus_graph_new(sarrus_memory_default());
  sarrus_Expr a[6];
  char text[LINE];
  REQUIRE_OK(sarrus_adomian_expand(graph, SARRUS_NONE, 1, 5, a));
  for (int k = 0; k <= 5; k++) {
    sarrus_graph_print(graph, a[k], name_general, NULL, text, sizeof text);
    CHECK_STR(text, expected[k]);
  }
  sarrus_graph_free(graph);
}

TEST(a_given_function_is_simplified) {
  static const char *const expected[] = {"u0^2", "2*u0*u1", "2*u0*u2 + u1^2", "2*u0*u3 + 2*u1*u2"};
  sarrus_Graph *graph = sarrus_graph_new(sarrus_memory_default());
  sarrus_Expr a[4];
  char text[LINE];
  const sarrus_Expr f = sarrus_graph_power(graph, component(graph, 3, 0, 0), 2);
  REQUIRE_OK(sarrus_adomian_expand(graph, f, 1, 3, a));
  for (int k = 0; k <= 3; k++) {
    sarrus_graph_print(graph, a[k], NULL, NULL, text, sizeof text);
    CHECK_STR(text, expected[k]);
  }
  sarrus_graph_free(graph);
}

/* The definition: A_k is the coefficient of L^k in N(sum L^i u_i). */
TEST(one_variable_meets_the_definition) {
  enum { ORDER = 20 };
  double u[ORDER + 1], s[ORDER + 1], product[ORDER + 1];
  sarrus_Expr a[ORDER + 1];
  sarrus_Graph *graph = sarrus_graph_new(sarrus_memory_default());
  const sarrus_Expr u0 = component(graph, ORDER, 0, 0);
  const sarrus_Expr f = apply(graph, SARRUS_OP_PRODUCT, u0, apply(graph, SARRUS_OP_SIN, u0, 0));
  for (int i = 0; i <= ORDER; i++)
    u[i] = 0.7 / (1 + i * i) * (i % 3 == 1 ? -1 : 1);
  REQUIRE_OK(sarrus_adomian_expand(graph, f, 1, ORDER, a));
  REQUIRE_OK(apply_series(SARRUS_OP_SIN, s, u, ORDER));
  REQUIRE_OK(sarrus_series_mul(product, u, s, ORDER));
  for (int k = 0; k <= ORDER; k++)
    CHECK_NEAR(value_of(graph, a[k], u), product[k], 1e-14);
  sarrus_graph_free(graph);
}

TEST(two_variables_meet_the_definition) {
  enum { ORDER = 8 };
  double u[2 * (ORDER + 1)], s[ORDER + 1], e[ORDER + 1], product[ORDER + 1];
  const double *v = u + ORDER + 1;
  sarrus_Expr a[ORDER + 1];
  sarrus_Graph *graph = sarrus_graph_new(sarrus_memory_default());
  const sarrus_Expr f =
      apply(graph, SARRUS_OP_PRODUCT,
            apply(graph, SARRUS_OP_SIN, component(graph, ORDER, 0, 0), SARRUS_NONE),
            apply(graph, SARRUS_OP_EXP, component(graph, ORDER, 1, 0), SARRUS_NONE));
  for (int i = 0; i < 2 * (ORDER + 1); i++)
    u[i] = 0.3 + 0.5 * sin(3.0 * i);
  REQUIRE_OK(sarrus_adomian_expand(graph, f, 2, ORDER, a));
  REQUIRE_OK(apply_series(SARRUS_OP_SIN, s, u, ORDER));
  REQUIRE_OK(apply_series(SARRUS_OP_EXP, e, v, ORDER));
  REQUIRE_OK(sarrus_series_mul(product, s, e, ORDER));
  for (int k = 0; k <= ORDER; k++)
    CHECK_NEAR(value_of(graph, a[k], u), product[k], 1e-13 * (1 + fabs(product[k])));
  sarrus_graph_free(graph);
}

/* All u_i and all N^(p) one: A_k = [L^k] exp(L + L^2 + ...); every partition counts. */
TEST(high_order_has_every_term) {
  double ones[2 * MOST + 3], l[MOST + 1], expected[MOST + 1];
  sarrus_Expr a[MOST + 1];
  sarrus_Graph *graph = sarrus_graph_new(sarrus_memory_default());
  for (int i = 0; i < 2 * MOST + 3; i++)
    ones[i] = 1;
  for (int i = 0; i <= MOST; i++)
    l[i] = i > 0;
  REQUIRE_OK(sarrus_adomian_expand(graph, SARRUS_NONE, 1, MOST, a));
  REQUIRE_OK(apply_series(SARRUS_OP_EXP, expected, l, MOST));
  for (int k = 0; k <= MOST; k++)
    CHECK_CLOSE(value_of(graph, a[k], ones), expected[k], 1e-13);
  sarrus_graph_free(graph);
}

TEST(order_zero_is_the_function) {
  sarrus_Graph *graph = sarrus_graph_new(sarrus_memory_default());
  sarrus_Expr a;
  const sarrus_Expr f = apply(graph, SARRUS_OP_EXP, component(graph, 0, 0, 0), SARRUS_NONE);
  REQUIRE_OK(sarrus_adomian_expand(graph, f, 1, 0, &a));
  CHECK_INT(a, f);
  sarrus_graph_free(graph);
}

/* The last orders that the header promises. */
TEST(promised_orders_work) {
  sarrus_Expr a[42];
  sarrus_Graph *graph = sarrus_graph_new(sarrus_memory_default());
  CHECK_OK(sarrus_adomian_expand(graph, SARRUS_NONE, 1, 41, a));
  CHECK_OK(sarrus_adomian_expand(graph, SARRUS_NONE, 2, 20, a));
  sarrus_graph_free(graph);
}

TEST(limits_hold) {
  sarrus_Graph *graph = sarrus_graph_new(sarrus_memory_default());
  sarrus_Expr a[1001];
  CHECK_STATUS(sarrus_adomian_expand(graph, SARRUS_NONE, 1, -1, a), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_adomian_expand(graph, SARRUS_NONE, 0, 1, a), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_adomian_expand(graph, SARRUS_NONE, 1, 1000, a), SARRUS_LIMIT);
  CHECK_STATUS(sarrus_adomian_expand(graph, SARRUS_NONE, 1000, 1, a), SARRUS_LIMIT);
  sarrus_graph_free(graph);
}

TEST(memory_may_run_out_anywhere) {
  TestMemory m;
  for (long n = 1;; n++) {
    const sarrus_Memory memory = test_memory_failing(&m, n);
    sarrus_Expr a[6];
    sarrus_Graph *graph = sarrus_graph_new(memory);
    const sarrus_Status status =
        graph == NULL ? SARRUS_NOMEM : sarrus_adomian_expand(graph, SARRUS_NONE, 2, 5, a);
    sarrus_graph_free(graph);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) break;
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
}
