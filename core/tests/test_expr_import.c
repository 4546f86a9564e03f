/* Copies of expressions, and what happens when memory ends at any moment. */
#include "expressions.h"

static const double knots[] = {0, 1, 3}, data[] = {0, 2, 3};

/* Something with every sort of node. */
static sarrus_Expr build(sarrus_Graph *g, int first) {
  const sarrus_Expr x = variable(g, first), y = variable(g, first + 1);
  const sarrus_Expr t = sarrus_graph_symbol(g, SARRUS_TIME, 0);
  const int table = sarrus_graph_new_table(g, 3, knots, data);
  sarrus_Expr e = sarrus_graph_table(g, table, 0, mul(g, x, y));
  e = add(g, e, sarrus_graph_table(g, table, 1, x));
  e = add(g, e, power(g, add(g, x, y), 3));
  e = mul(g, e, quotient(g, unary(g, SARRUS_OP_SIN, y), add(g, x, constant(g, 2))));
  e = add(g, e, power(g, add(g, t, x), 1.5));
  e = add(g, e, sarrus_graph_apply(g, SARRUS_OP_SELECT, x, e, binary(g, SARRUS_OP_ATAN2, t, y)));
  sarrus_Expr sum = e;
  for (int i = 0; i < 20; i++)
    sum = add(g, sum, scaled(g, 1 + i, unary(g, SARRUS_OP_EXP, scaled(g, 0.01 * i, x))));
  return sum;
}

TEST(copies_have_the_same_value_and_text) {
  unsigned seed = 5;
  sarrus_Graph *from = sarrus_graph_new(sarrus_memory_default());
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(from != NULL && g != NULL);
  for (int i = 0; i < 100; i++) /* much that is not needed */
    unary(from, SARRUS_OP_COS, variable(from, i));
  const sarrus_Expr roots[] = {build(from, 0), variable(from, 1), build(from, 2)};
  sarrus_Expr copies[3];
  REQUIRE_OK(sarrus_graph_import(g, from, 3, roots, copies));
  CHECK(sarrus_graph_count(g) < sarrus_graph_count(from) - 150);
  CHECK_INT(g->table_count, 1);
  for (int round = 0; round < 5; round++) {
    const Values point = random_point(&seed, 0.2, 1.5);
    for (int i = 0; i < 3; i++)
      CHECK_CLOSE(value_at(g, copies[i], &point), value_at(from, roots[i], &point), 1e-14);
  }
  sarrus_Expr again[3];
  const int before = sarrus_graph_count(g);
  REQUIRE_OK(sarrus_graph_import(g, from, 3, roots, again));
  CHECK_INT(sarrus_graph_count(g), before);
  for (int i = 0; i < 3; i++)
    CHECK_INT(again[i], copies[i]);
  sarrus_graph_free(from); /* copies stand alone */
  CHECK(strstr(text_of(g, copies[2]), "table1") != NULL);
  sarrus_graph_free(g);
}

TEST(roots_may_be_overwritten_by_their_copies) {
  sarrus_Graph *from = sarrus_graph_new(sarrus_memory_default());
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(from != NULL && g != NULL);
  sarrus_Expr exprs[] = {variable(from, 3), add(from, variable(from, 3), variable(from, 1)),
                         variable(from, 3)};
  REQUIRE_OK(sarrus_graph_import(g, from, 3, exprs, exprs));
  CHECK_STR(text_of(g, exprs[0]), "q4");
  CHECK(strcmp(text_of(g, exprs[1]), "q4 + q2") == 0 ||
        strcmp(text_of(g, exprs[1]), "q2 + q4") == 0);
  CHECK_INT(exprs[2], exprs[0]);
  REQUIRE_OK(sarrus_graph_import(g, from, 0, NULL, NULL));
  sarrus_graph_free(from);
  sarrus_graph_free(g);
}

/* --- no memory --------------------------------------------------------------------------- */

static void ignore(void *ud, sarrus_SymbolKind kind, int index, sarrus_Expr derivative) {
  (void)ud, (void)kind, (void)index;
  CHECK(derivative != SARRUS_NONE);
}

/* Everything that allocates, in one go; the status is asked once at the end. */
static sarrus_Status use_graph(sarrus_Memory memory, const sarrus_Graph *from, sarrus_Expr root) {
  sarrus_Graph *g = sarrus_graph_new(memory);
  if (g == NULL) return SARRUS_NOMEM;
  for (int i = 0; i < 200; i++) /* enough for arrays to grow twice */
    unary(g, SARRUS_OP_TAN, add(g, variable(g, i), constant(g, i)));
  const sarrus_Expr e = build(g, 0);
  const sarrus_Expr d = sarrus_graph_diff(g, e, variable(g, 0));
  sarrus_Status gradient = SARRUS_NOMEM, import = SARRUS_NOMEM;
  if (e != SARRUS_NONE) gradient = sarrus_graph_gradient(g, 1, &e, NULL, ignore, NULL);
  sarrus_Expr copy = SARRUS_NONE;
  import = sarrus_graph_import(g, from, 1, &root, &copy);
  const sarrus_Status status = sarrus_graph_status(g);
  CHECK_STATUS(import, status);
  if (status == SARRUS_OK) CHECK(e != SARRUS_NONE && d != SARRUS_NONE && copy != SARRUS_NONE);
  if (status == SARRUS_OK) CHECK_OK(gradient);
  if (status < 0) CHECK_INT(constant(g, 1), SARRUS_NONE); /* and everything from then on */
  sarrus_graph_free(g);
  return status;
}

TEST(every_allocation_may_fail) {
  TestMemory m;
  sarrus_Graph *from = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(from != NULL);
  const sarrus_Expr root = mul(from, build(from, 4), build(from, 6));
  long failures = 0;
  for (long n = 1;; n++) {
    const sarrus_Memory memory = test_memory_failing(&m, n);
    const sarrus_Status status = use_graph(memory, from, root);
    CHECK_INT(m.blocks, 0);
    CHECK_INT(m.bytes, 0);
    if (!m.failed) {
      CHECK_OK(status);
      break;
    }
    CHECK_STATUS(status, SARRUS_NOMEM);
    failures++;
  }
  CHECK(failures > 15);
  sarrus_graph_free(from);
}

TEST(none_is_accepted_everywhere) {
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(g != NULL);
  const sarrus_Expr x = variable(g, 0);
  CHECK_INT(add(g, x, SARRUS_NONE), SARRUS_NONE);
  CHECK_INT(mul(g, SARRUS_NONE, x), SARRUS_NONE);
  CHECK_INT(quotient(g, x, SARRUS_NONE), SARRUS_NONE);
  CHECK_INT(unary(g, SARRUS_OP_SIN, SARRUS_NONE), SARRUS_NONE);
  CHECK_INT(power(g, SARRUS_NONE, 2), SARRUS_NONE);
  CHECK_INT(sarrus_graph_apply(g, SARRUS_OP_SELECT, x, x, SARRUS_NONE), SARRUS_NONE);
  CHECK_INT(sarrus_graph_table(g, 0, 0, SARRUS_NONE), SARRUS_NONE);
  CHECK(!sarrus_graph_is_constant(g, SARRUS_NONE, NULL));
  CHECK_OK(sarrus_graph_status(g));
  sarrus_graph_free(g);
}
