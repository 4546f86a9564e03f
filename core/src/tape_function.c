/*
** What the tape knows of functions: for z = f(u, v, w) with companion c, the shape of the
** recurrence (T1) and its weights.  Ez is the Euler derivative, (Ez)_j = j z_j.
*/
#include <math.h>

#include "tape.h"

/* z' = c u':               k z_k = sum_{0<j<=k} (Eu)_j c_{k-j} */
static const Shape rising = {.euler = 1,
                             .divisor = ROLE_ONE,
                             .product_count = 1,
                             .product = {{ROLE_U, ROLE_C, {1, ROLE_ONE}}},
                             .linear_count = 1,
                             .linear = {{ROLE_U, {1, ROLE_C}}}};
/* z' = -c u' */
static const Shape falling = {.euler = 1,
                              .divisor = ROLE_ONE,
                              .product_count = 1,
                              .product = {{ROLE_U, ROLE_C, {-1, ROLE_ONE}}},
                              .linear_count = 1,
                              .linear = {{ROLE_U, {-1, ROLE_C}}}};
/* c z' = u':           k c_0 z_k = k u_k - sum_{0<j<k} (Ez)_j c_{k-j} */
static const Shape rising_inverse = {.euler = 1,
                                     .divisor = ROLE_C,
                                     .product_count = 1,
                                     .product = {{ROLE_Z, ROLE_C, {-1, ROLE_ONE}}},
                                     .linear_count = 1,
                                     .linear = {{ROLE_U, {1, ROLE_ONE}}}};
/* c z' = -u' */
static const Shape falling_inverse = {.euler = 1,
                                      .divisor = ROLE_C,
                                      .product_count = 1,
                                      .product = {{ROLE_Z, ROLE_C, {-1, ROLE_ONE}}},
                                      .linear_count = 1,
                                      .linear = {{ROLE_U, {-1, ROLE_ONE}}}};
/* z z = u:               z_0 z_k = u_k/2 - sum_{0<j<k} z_j z_{k-j}/2 */
static const Shape root = {.divisor = ROLE_Z,
                           .product_count = 1,
                           .product = {{ROLE_Z, ROLE_Z, {-0.5, ROLE_ONE}}},
                           .linear_count = 1,
                           .linear = {{ROLE_U, {0.5, ROLE_ONE}}}};
/* z v = u:               v_0 z_k = u_k - z_0 v_k - sum_{0<j<k} z_j v_{k-j} */
static const Shape quotient = {.divisor = ROLE_V,
                               .product_count = 1,
                               .product = {{ROLE_Z, ROLE_V, {-1, ROLE_ONE}}},
                               .linear_count = 2,
                               .linear = {{ROLE_U, {1, ROLE_ONE}}, {ROLE_V, {-1, ROLE_Z}}}};
/* u z' = r z u':       k u_0 z_k = r k z_0 u_k + sum_{0<j<k} (r (Eu)_j z_{k-j} - (Ez)_j u_{k-j}) */
static const Shape power = {
    .euler = 1,
    .divisor = ROLE_U,
    .product_count = 2,
    .product = {{ROLE_U, ROLE_Z, {0, ROLE_ONE}}, {ROLE_Z, ROLE_U, {-1, ROLE_ONE}}},
    .linear_count = 1,
    .linear = {{ROLE_U, {0, ROLE_Z}}}};
/* c z' = v u' - u v', c = u^2 + v^2, z = atan2(u, v) */
static const Shape angle_of_two = {.euler = 1,
                                   .divisor = ROLE_C,
                                   .product_count = 3,
                                   .product = {{ROLE_U, ROLE_V, {1, ROLE_ONE}},
                                               {ROLE_V, ROLE_U, {-1, ROLE_ONE}},
                                               {ROLE_Z, ROLE_C, {-1, ROLE_ONE}}},
                                   .linear_count = 2,
                                   .linear = {{ROLE_U, {1, ROLE_V}}, {ROLE_V, {-1, ROLE_U}}}};
/* piecewise functions: z is one of the operands, up to sign; the branch decides w */
static const Shape one_piece = {.linear_count = 1, .linear = {{.x = ROLE_U}}};
static const Shape two_pieces = {.linear_count = 2, .linear = {{.x = ROLE_U}, {.x = ROLE_V}}};
static const Shape selection = {.linear_count = 2, .linear = {{.x = ROLE_V}, {.x = ROLE_W}}};
static const Shape constant = {.linear_count = 0};

const Shape *function_shape(sarrus_Op op) {
  int sign = 1;
  switch (op) {
    case SARRUS_OP_TABLE: return &rising;
    case SARRUS_OP_SQRT: return &root;
    case SARRUS_OP_QUOTIENT: return &quotient;
    case SARRUS_OP_POWER: return &power;
    case SARRUS_OP_ATAN2: return &angle_of_two;
    case SARRUS_OP_ABS: return &one_piece;
    case SARRUS_OP_MIN:
    case SARRUS_OP_MAX: return &two_pieces;
    case SARRUS_OP_SELECT: return &selection;
    case SARRUS_OP_SIGN: return &constant;
    default:
      switch (expr_equation(op, &sign)) {
        case SLOPE: return sign > 0 ? &rising : &falling;
        case INVERSE: return sign > 0 ? &rising_inverse : &falling_inverse;
        default: return NULL;
      }
  }
}

sarrus_Expr function_companion(sarrus_Graph *graph, sarrus_Expr e) {
  const Node node = graph->nodes[e];
  switch (node.op) {
    case SARRUS_OP_ATAN2: {
      const sarrus_Expr square = sarrus_graph_power(graph, node.a, 2);
      return expr_add(graph, square, 1, sarrus_graph_power(graph, node.b, 2));
    }
    case SARRUS_OP_TABLE: /* the third derivative is constant between knots */
      return node.c < 3 ? sarrus_graph_table(graph, node.b, node.c + 1, node.a) : SARRUS_NONE;
    case SARRUS_OP_ABS: /* of piecewise functions: the quantity whose sign chooses the branch */
    case SARRUS_OP_SIGN:
    case SARRUS_OP_SELECT: return node.a;
    case SARRUS_OP_MIN: return expr_add(graph, node.b, -1, node.a);
    case SARRUS_OP_MAX: return expr_add(graph, node.a, -1, node.b);
    default: return expr_companion(graph, e);
  }
}

int function_branch(sarrus_Op op, const double *u) {
  const double x = op == SARRUS_OP_MIN ? u[1] - u[0] : op == SARRUS_OP_MAX ? u[0] - u[1] : u[0];
  return x >= 0 ? 1 : -1;
}

/*
** atan2(y, x) on the branch y >= 0 or y < 0, continued smoothly across the cut (y = 0, x < 0).
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

static double weigh(const Weight *weight, double exponent, const double *role) {
  return (weight->factor == 0 ? exponent : weight->factor) * role[weight->role];
}

static void weigh_pieces(sarrus_Op op, int branch, double *w) {
  w[0] = op == SARRUS_OP_ABS ? branch : branch > 0;
  w[1] = !(branch > 0);
}

void function_weights(const Row *row, double exponent, const double *role, int branch, double *d,
                      double *w) {
  const Shape *shape = row->shape;
  if (shape->product_count == 0) {
    weigh_pieces(row->op, branch, w);
    return;
  }
  for (int i = 0; i < shape->product_count; i++)
    d[i] = weigh(&shape->product[i].d, exponent, role) / role[shape->divisor];
  for (int i = 0; i < shape->linear_count; i++)
    w[i] = weigh(&shape->linear[i].w, exponent, role) / role[shape->divisor];
}
