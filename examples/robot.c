/*
** The two-link robot of the paper, expanded with the C library alone:
**
**   M(q) q'' = f(q, v) - G^T lambda,  g(q) = 0,   exact: q = (sin t, -2 sin t), lambda = cos t
**
**   cc robot.c $(pkg-config --cflags --libs sarrus)
*/
#include <stdio.h>

#include <sarrus/sarrus.h>

enum { ORDER = 8 };

/* Short names: a + factor b, a b, cos x, sin x. */
static sarrus_Expr sum(sarrus_Graph *g, sarrus_Expr a, double factor, sarrus_Expr b) {
  return sarrus_graph_linear(g, 0, 2, (sarrus_Term[]){{1, a}, {factor, b}});
}

static sarrus_Expr mul(sarrus_Graph *g, sarrus_Expr a, sarrus_Expr b) {
  return sarrus_graph_apply(g, SARRUS_OP_PRODUCT, a, b, SARRUS_NONE);
}

static sarrus_Expr cosine(sarrus_Graph *g, sarrus_Expr x) {
  return sarrus_graph_apply(g, SARRUS_OP_COS, x, SARRUS_NONE, SARRUS_NONE);
}

static sarrus_Expr sine(sarrus_Graph *g, sarrus_Expr x) {
  return sarrus_graph_apply(g, SARRUS_OP_SIN, x, SARRUS_NONE, SARRUS_NONE);
}

/* The equations, written into a graph; the system keeps a copy of what it needs. */
static sarrus_Status make_robot(sarrus_Graph *g, sarrus_System **robot, sarrus_Fault *fault) {
  const sarrus_Expr q1 = sarrus_graph_symbol(g, SARRUS_Q, 0);
  const sarrus_Expr q2 = sarrus_graph_symbol(g, SARRUS_Q, 1);
  const sarrus_Expr v1 = sarrus_graph_symbol(g, SARRUS_V, 0);
  const sarrus_Expr one = sarrus_graph_constant(g, 1), q12 = sum(g, q1, 1, q2);
  const sarrus_Expr c1 = cosine(g, q1), c2 = cosine(g, q2), c12 = cosine(g, q12);
  const sarrus_Expr m12 = sum(g, one, 1.5, c2);
  const sarrus_MassEntry mass[] = {
      {0, 0, sum(g, sarrus_graph_constant(g, 5), 3, c2)}, {0, 1, m12}, {1, 0, m12}, {1, 1, one}};
  const sarrus_Expr force[] = {sum(g, mul(g, sum(g, c1, 1, c12), v1), -3, q1),
                               sum(g, mul(g, c12, v1), 1, mul(g, sum(g, one, -1.5, c2), q1))};
  const sarrus_Expr constraint[] = {sum(g, sine(g, q1), 1, sine(g, q12))};
  const sarrus_SystemSpec spec = {.graph = g,
                                  .coordinates = 2,
                                  .masses = 4,
                                  .mass = mass,
                                  .lagrangian = SARRUS_NONE,
                                  .force = force,
                                  .constraints = 1,
                                  .constraint = constraint};
  SARRUS_TRY(sarrus_graph_status(g)); /* asked once, for all expressions */
  return sarrus_system_new(sarrus_memory_default(), &spec, robot, fault);
}

static void print_series(const sarrus_Expansion *x) {
  printf("%2s %24s %24s %24s\n", "k", "theta1", "theta2", "lambda");
  for (int k = 0; k <= ORDER; k++) {
    printf("%2d %24.16g %24.16g", k, sarrus_expansion_q(x, 0, k), sarrus_expansion_q(x, 1, k));
    if (k <= ORDER - 2) printf(" %24.16g", sarrus_expansion_lambda(x, 0, k));
    printf("\n");
  }
}

int main(void) {
  const sarrus_Memory memory = sarrus_memory_default();
  const double q[] = {0, 0}, v[] = {1, -2};
  sarrus_Graph *graph = sarrus_graph_new(memory);
  sarrus_System *robot = NULL;
  sarrus_Expansion *expansion = NULL;
  sarrus_Fault fault;
  sarrus_Status status = graph == NULL ? SARRUS_NOMEM : make_robot(graph, &robot, &fault);
  sarrus_graph_free(graph);
  if (status >= 0) status = sarrus_expansion_new(memory, robot, ORDER, &expansion);
  if (status >= 0) status = sarrus_expansion_run(expansion, 0, q, v, NULL, 1e-12, &fault);
  if (status >= 0)
    print_series(expansion);
  else
    fprintf(stderr, "robot: %s\n", sarrus_status_text(status));
  sarrus_expansion_free(expansion);
  sarrus_system_free(robot);
  return status < 0;
}
