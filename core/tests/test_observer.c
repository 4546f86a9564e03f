/* Observers: expressions of a state. */
#include "sarrus/observer.h"

#include "mechanisms.h"

enum { COUNT = 6 };

/* One expression of each kind of symbol. */
static Parts *expressions(sarrus_Expr *exprs) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  exprs[0] = mul(g, p->q[0], sine(p, p->q[1]));
  exprs[1] = add(g, power(g, p->v[1], 2), p->t);
  exprs[2] = sarrus_graph_symbol(g, SARRUS_A, 1);
  exprs[3] = scaled(g, 3, sarrus_graph_symbol(g, SARRUS_LAMBDA, 0));
  exprs[4] = sub(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 1), constant(g, 1));
  exprs[5] = unary(g, SARRUS_OP_LOG, p->q[0]);
  return p;
}

TEST(expressions_of_a_state) {
  sarrus_Expr exprs[COUNT];
  sarrus_Observer *observer;
  Parts *p = expressions(exprs);
  REQUIRE(p != NULL);
  REQUIRE_OK(sarrus_observer_new(sarrus_memory_default(), p->g, COUNT, exprs, &observer));
  parts_free(p); /* the graph may go */
  const double q[] = {2, 0.5}, v[] = {0, 3}, a[] = {7, 8}, lambda[] = {11}, parameters[] = {0, 5};
  sarrus_Sight sight = {1.25, q, v, a, lambda, parameters, NULL};
  double values[COUNT];
  sarrus_observer_evaluate(observer, &sight, values);
  const double expected[] = {2 * sin(0.5), 10.25, 8, 33, 4, log(2)};
  for (int i = 0; i < COUNT; i++)
    CHECK_NEAR(values[i], expected[i], 1e-15);
  const double behind[] = {-1, 0.5};
  sight.q = behind;
  sarrus_observer_evaluate(observer, &sight, values);
  CHECK(isnan(values[5]));
  CHECK_NEAR(values[0], -sin(0.5), 1e-16);
  sight.q = q; /* what was not finite leaves nothing behind */
  sarrus_observer_evaluate(observer, &sight, values);
  CHECK_NEAR(values[5], log(2), 1e-16);
  CHECK(sarrus_observer_bytes(observer) > sizeof(double) * COUNT);
  sarrus_observer_free(observer);
}

/* Lists that no expression uses may be NULL. */
TEST(what_is_not_used_is_not_read) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  const sarrus_Expr exprs[] = {p->t, constant(p->g, 4)};
  sarrus_Observer *observer;
  REQUIRE_OK(sarrus_observer_new(sarrus_memory_default(), p->g, 2, exprs, &observer));
  parts_free(p);
  const sarrus_Sight sight = {.t = 2.5};
  double values[2];
  sarrus_observer_evaluate(observer, &sight, values);
  CHECK_NEAR(values[0], 2.5, 0);
  CHECK_NEAR(values[1], 4, 0);
  sarrus_observer_free(observer);
  sarrus_observer_free(NULL);
}

TEST(memory_that_fails) {
  TestMemory m;
  sarrus_Expr exprs[COUNT];
  Parts *p = expressions(exprs);
  REQUIRE(p != NULL);
  for (long n = 1;; n++) {
    const sarrus_Memory memory = test_memory_failing(&m, n);
    sarrus_Observer *observer;
    const sarrus_Status status = sarrus_observer_new(memory, p->g, COUNT, exprs, &observer);
    if (status == SARRUS_OK)
      sarrus_observer_free(observer);
    else
      CHECK(observer == NULL);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) {
      CHECK_OK(status);
      CHECK(n > 3);
      break;
    }
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
  parts_free(p);
}

/* Slopes of all kinds of symbols; lists that do not change may be NULL. */
TEST(slopes) {
  TestMemory m;
  sarrus_Expr exprs[COUNT];
  sarrus_Observer *observer;
  Parts *p = expressions(exprs);
  REQUIRE(p != NULL);
  const double q[] = {2, 0.5}, v[] = {0, 3}, a[] = {7, 8}, lambda[] = {11}, parameters[] = {0, 5};
  const double change[] = {0.3, -0.7};
  const sarrus_Sight sight = {1.25, q, v, a, lambda, parameters, NULL};
  const sarrus_Sight all = {1.5, change, change, change, change, change, NULL}, none = {.t = 0};
  const double expected[] = {0.3 * sin(0.5) - 1.4 * cos(0.5), -4.2 + 1.5, -0.7, 0.9, -0.7, 0.15};
  double slopes[COUNT];
  REQUIRE_OK(sarrus_observer_new(test_memory_counting(&m), p->g, COUNT, exprs, &observer));
  const size_t bytes = sarrus_observer_bytes(observer);
  m.fail_at = m.calls + 1;
  CHECK_STATUS(sarrus_observer_slopes(observer, &sight, &all, slopes), SARRUS_NOMEM);
  for (int round = 0; round < 2; round++) {
    REQUIRE_OK(sarrus_observer_slopes(observer, &sight, &all, slopes));
    for (int i = 0; i < COUNT; i++)
      CHECK_NEAR(slopes[i], expected[i], 1e-15);
    REQUIRE_OK(sarrus_observer_slopes(observer, &sight, &none, slopes));
    for (int i = 0; i < COUNT; i++)
      CHECK_NEAR(slopes[i], 0, 0);
  }
  CHECK(sarrus_observer_bytes(observer) > bytes);
  sarrus_observer_free(observer);
  CHECK_INT(m.blocks, 0);
  parts_free(p);
}

/* A constant that is not finite spoils what contains it, and nothing else. */
TEST(constants_that_are_not_finite) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  sarrus_Graph *g = p->g;
  const sarrus_Expr log_p = unary(g, SARRUS_OP_LOG, sarrus_graph_symbol(g, SARRUS_PARAMETER, 0));
  const sarrus_Expr exprs[] = {mul(g, p->q[0], p->q[1]), mul(g, log_p, p->q[0]), p->q[0]};
  sarrus_Observer *observer;
  REQUIRE_OK(sarrus_observer_new(sarrus_memory_default(), g, 3, exprs, &observer));
  parts_free(p);
  double q[] = {2, 3}, parameters[] = {4}, values[3];
  const sarrus_Sight sight = {0, q, q, q, q, parameters, NULL};
  for (int i = 0; i < 6; i++) {
    q[0] = 2 + i;
    parameters[0] = i % 3 == 1 ? 0 : 4 + i / 3;
    sarrus_observer_evaluate(observer, &sight, values);
    CHECK_NEAR(values[0], q[0] * 3, 0);
    CHECK(values[1] == log(parameters[0]) * q[0]);
    CHECK_NEAR(values[2], q[0], 0);
  }
  sarrus_observer_free(observer);
}
