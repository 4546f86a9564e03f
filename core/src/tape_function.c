/*
** What the tape knows of functions: for z = f(u, v, w) with companion c, the shape of the
** recurrence (T1) and its factors.  Ez is the Euler derivative, (Ez)_j = j z_j.
*/
#include <math.h>

#include "tape.h"

/* z' = ±c u':          k z_k = ± sum_{0<j<=k} (Eu)_j c_{k-j} */
static const Shape derivative_shape = {1, 1, 1, {{ROLE_U, ROLE_C}}, {ROLE_U}};
/* c z' = ±u':      k c_0 z_k = ± k u_k - sum_{0<j<k} (Ez)_j c_{k-j} */
static const Shape inverse_shape = {1, 1, 1, {{ROLE_Z, ROLE_C}}, {ROLE_U}};
/* z z = u:         2 z_0 z_k = u_k - sum_{0<j<k} z_j z_{k-j} */
static const Shape sqrt_shape = {0, 1, 1, {{ROLE_Z, ROLE_Z}}, {ROLE_U}};
/* z v = u:           v_0 z_k = u_k - z_0 v_k - sum_{0<j<k} z_j v_{k-j} */
static const Shape quotient_shape = {0, 1, 2, {{ROLE_Z, ROLE_V}}, {ROLE_U, ROLE_V}};
/* u z' = r z u':   k u_0 z_k = r k z_0 u_k + sum_{0<j<k} (r (Eu)_j z_{k-j} - (Ez)_j u_{k-j}) */
static const Shape power_shape = {1, 2, 1, {{ROLE_U, ROLE_Z}, {ROLE_Z, ROLE_U}}, {ROLE_U}};
/* c z' = v u' - u v', c = u^2 + v^2, z = atan2(u, v) */
static const Shape atan2_shape = {
    1, 3, 2, {{ROLE_U, ROLE_V}, {ROLE_V, ROLE_U}, {ROLE_Z, ROLE_C}}, {ROLE_U, ROLE_V}};
/* piecewise: z is one of its operands, up to sign */
static const Shape unary_shape = {0, 0, 1, {{ROLE_U, ROLE_U}}, {ROLE_U}};
static const Shape choice_shape = {0, 0, 2, {{ROLE_U, ROLE_U}}, {ROLE_U, ROLE_V}};
static const Shape select_shape = {0, 0, 2, {{ROLE_U, ROLE_U}}, {ROLE_V, ROLE_W}};
static const Shape constant_shape = {0, 0, 0, {{ROLE_U, ROLE_U}}, {ROLE_U}};

const Shape *function_shape(sarrus_Op op) {
  switch (op) {
    case SARRUS_OP_SIN:
    case SARRUS_OP_COS:
    case SARRUS_OP_TAN:
    case SARRUS_OP_SINH:
    case SARRUS_OP_COSH:
    case SARRUS_OP_TANH:
    case SARRUS_OP_EXP:
    case SARRUS_OP_TABLE: return &derivative_shape;
    case SARRUS_OP_ASIN:
    case SARRUS_OP_ACOS:
    case SARRUS_OP_ATAN:
    case SARRUS_OP_LOG: return &inverse_shape;
    case SARRUS_OP_SQRT: return &sqrt_shape;
    case SARRUS_OP_QUOTIENT: return &quotient_shape;
    case SARRUS_OP_POWER: return &power_shape;
    case SARRUS_OP_ATAN2: return &atan2_shape;
    case SARRUS_OP_ABS: return &unary_shape;
    case SARRUS_OP_MIN:
    case SARRUS_OP_MAX: return &choice_shape;
    case SARRUS_OP_SELECT: return &select_shape;
    case SARRUS_OP_SIGN: return &constant_shape;
    default: return NULL;
  }
}

/* 1 + x^2 */
static sarrus_Expr one_plus_square(sarrus_Graph *graph, sarrus_Expr x) {
  const sarrus_Expr square = sarrus_graph_power(graph, x, 2);
  return sarrus_graph_linear(graph, 1, 1, &(sarrus_Term){1, square});
}

static sarrus_Expr apply(sarrus_Graph *graph, sarrus_Op op, sarrus_Expr u) {
  return sarrus_graph_apply(graph, op, u, SARRUS_NONE, SARRUS_NONE);
}

sarrus_Expr function_companion(sarrus_Graph *graph, sarrus_Expr e) {
  const Node node = graph->nodes[e];
  const sarrus_Expr u = node.a;
  switch (node.op) {
    case SARRUS_OP_SIN: return apply(graph, SARRUS_OP_COS, u);
    case SARRUS_OP_COS: return apply(graph, SARRUS_OP_SIN, u);
    case SARRUS_OP_SINH: return apply(graph, SARRUS_OP_COSH, u);
    case SARRUS_OP_COSH: return apply(graph, SARRUS_OP_SINH, u);
    case SARRUS_OP_TAN: return one_plus_square(graph, e);
    case SARRUS_OP_TANH: return sarrus_graph_apply(graph, SARRUS_OP_TANH_SLOPE, e, u, SARRUS_NONE);
    case SARRUS_OP_EXP: return e;
    case SARRUS_OP_LOG: return u;
    case SARRUS_OP_ASIN:
    case SARRUS_OP_ACOS: return apply(graph, SARRUS_OP_SQRT, apply(graph, SARRUS_OP_SQUARE_GAP, u));
    case SARRUS_OP_ATAN: return one_plus_square(graph, u);
    case SARRUS_OP_ATAN2: {
      const sarrus_Expr square = sarrus_graph_power(graph, u, 2);
      return expr_add(graph, square, 1, sarrus_graph_power(graph, node.b, 2));
    }
    case SARRUS_OP_TABLE: /* the third derivative is constant between knots */
      return node.c < 3 ? sarrus_graph_table(graph, node.b, node.c + 1, u) : SARRUS_NONE;
    case SARRUS_OP_ABS: /* piecewise functions: what they choose by */
    case SARRUS_OP_SIGN:
    case SARRUS_OP_SELECT: return u;
    case SARRUS_OP_MIN: return expr_add(graph, node.b, -1, u);
    case SARRUS_OP_MAX: return expr_add(graph, u, -1, node.b);
    default: return SARRUS_NONE;
  }
}

int function_branch(sarrus_Op op, const double *u) {
  const double x = op == SARRUS_OP_MIN ? u[1] - u[0] : op == SARRUS_OP_MAX ? u[0] - u[1] : u[0];
  return x >= 0 ? 1 : -1;
}

/*
** atan2(y, x), with what lies beyond the cut (y = 0, x < 0) on the branch y >= 0 or y < 0 continued
** from it.
*/
static double angle(double y, double x, int branch) {
  const double plain = atan2(y + 0.0, x); /* -0 is 0 */
  const int side = y >= 0 ? 1 : -1;
  return x < 0 && side != branch ? plain + branch * 2 * acos(-1) : plain;
}

double function_piece(sarrus_Op op, const double *u, int branch) {
  switch (op) {
    case SARRUS_OP_ABS: return branch * u[0];
    case SARRUS_OP_SIGN: return branch;
    case SARRUS_OP_ATAN2: return angle(u[0], u[1], branch);
    case SARRUS_OP_SELECT: return branch > 0 ? u[1] : u[2];
    default: /* MIN and MAX */ return branch > 0 ? u[0] : u[1];
  }
}

void function_weights(sarrus_Op op, double exponent, const double *u, double c, double z,
                      int branch, double *d, double *w) {
  switch (op) {
    case SARRUS_OP_SIN:
    case SARRUS_OP_TAN:
    case SARRUS_OP_SINH:
    case SARRUS_OP_COSH:
    case SARRUS_OP_TANH:
    case SARRUS_OP_EXP:
    case SARRUS_OP_TABLE:
      d[0] = 1;
      w[0] = c;
      break;
    case SARRUS_OP_COS:
      d[0] = -1;
      w[0] = -c;
      break;
    case SARRUS_OP_ASIN:
    case SARRUS_OP_ATAN:
    case SARRUS_OP_LOG:
      d[0] = -1 / c;
      w[0] = 1 / c;
      break;
    case SARRUS_OP_ACOS: d[0] = w[0] = -1 / c; break;
    case SARRUS_OP_SQRT:
      d[0] = -0.5 / z;
      w[0] = 0.5 / z;
      break;
    case SARRUS_OP_QUOTIENT:
      d[0] = -1 / u[1];
      w[0] = 1 / u[1];
      w[1] = -z / u[1];
      break;
    case SARRUS_OP_POWER:
      d[0] = exponent / u[0];
      d[1] = -1 / u[0];
      w[0] = exponent * z / u[0];
      break;
    case SARRUS_OP_ATAN2:
      d[0] = 1 / c;
      d[1] = d[2] = -1 / c;
      w[0] = u[1] / c;
      w[1] = -u[0] / c;
      break;
    case SARRUS_OP_ABS: w[0] = branch; break;
    case SARRUS_OP_MIN:
    case SARRUS_OP_MAX:
    case SARRUS_OP_SELECT:
      w[0] = branch > 0;
      w[1] = !(branch > 0);
      break;
    default: break;
  }
}
