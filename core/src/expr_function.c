/* The entries of SARRUS_FUNCTIONS, for the files that build, differentiate, compile expressions. */
#include <math.h>

#include "expr_graph.h"

Parity expr_parity(sarrus_Op op) {
  switch (op) {
    case SARRUS_OP_SIGN: return ODD;
    case SARRUS_OP_ABS:
    case SARRUS_OP_SQUARE_GAP: return EVEN;
#define PARITY(op, name, value, parity, ...) \
  case SARRUS_OP_##op: return parity;
      SARRUS_FUNCTIONS(PARITY)
    default: return NEITHER;
  }
}

void sarrus_op_domain(sarrus_Op op, double *low, double *high) {
  *low = -HUGE_VAL;
  *high = HUGE_VAL;
  switch (op) {
    case SARRUS_OP_SQRT: *low = 0; break;
#define DOMAIN(op, name, value, parity, from, to, ...) \
  case SARRUS_OP_##op:                                 \
    *low = from;                                       \
    *high = to;                                        \
    break;
      SARRUS_FUNCTIONS(DOMAIN)
    default: break;
  }
}

Equation expr_equation(sarrus_Op op, int *sign) {
  switch (op) {
#define EQUATION(op, name, value, parity, low, high, equation, its_sign, companion) \
  case SARRUS_OP_##op: *sign = its_sign; return equation;
    SARRUS_FUNCTIONS(EQUATION)
    default: return NO_EQUATION;
  }
}

#define FUNCTION(op, x) sarrus_graph_apply(graph, SARRUS_OP_##op, x, SARRUS_NONE, SARRUS_NONE)
#define PAIR(op, x, y) sarrus_graph_apply(graph, SARRUS_OP_##op, x, y, SARRUS_NONE)
#define LINEAR(constant, factor, x) \
  sarrus_graph_linear(graph, constant, 1, &(sarrus_Term){factor, x})
#define SQUARE(x) sarrus_graph_power(graph, x, 2)

sarrus_Expr expr_companion(sarrus_Graph *graph, sarrus_Expr z) {
  const sarrus_Expr u = graph->nodes[z].a;
  switch (graph->nodes[z].op) {
#define COMPANION(op, name, value, parity, low, high, equation, sign, companion) \
  case SARRUS_OP_##op: return companion;
    SARRUS_FUNCTIONS(COMPANION)
    default: return SARRUS_NONE;
  }
}

/* 1/x; for x = sqrt(u) this is the power u^(-1/2), one operation instead of two. */
static sarrus_Expr reciprocal(sarrus_Graph *graph, sarrus_Expr x) {
  if (x == SARRUS_NONE || graph->nodes[x].op != SARRUS_OP_SQRT)
    return sarrus_graph_power(graph, x, -1);
  return sarrus_graph_power(graph, graph->nodes[x].a, -0.5);
}

sarrus_Expr expr_slope(sarrus_Graph *graph, sarrus_Expr z) {
  int sign = 1;
  const Equation equation = expr_equation(graph->nodes[z].op, &sign);
  if (equation == NO_EQUATION) return SARRUS_NONE;
  const sarrus_Expr c = expr_companion(graph, z);
  return expr_scale(graph, sign, equation == SLOPE ? c : reciprocal(graph, c));
}

#undef FUNCTION
#undef PAIR
#undef LINEAR
#undef SQUARE
#define FUNCTION(op, x) expr_value(SARRUS_OP_##op, x, 0, 0, 0)
#define PAIR(op, x, y) expr_value(SARRUS_OP_##op, x, y, 0, 0)
#define LINEAR(constant, factor, x) ((constant) + (factor) * (x))
#define SQUARE(x) ((x) * (x))

static double companion_value(sarrus_Op op, double u, double z) {
  switch (op) {
#define COMPANION_VALUE(op, name, value, parity, low, high, equation, sign, companion) \
  case SARRUS_OP_##op: return companion;
    SARRUS_FUNCTIONS(COMPANION_VALUE)
    default: return (double)NAN;
  }
}

double expr_slope_value(sarrus_Op op, double u, double z) {
  int sign = 1;
  const double c = companion_value(op, u, z);
  return expr_equation(op, &sign) == SLOPE ? sign * c : sign / c;
}
