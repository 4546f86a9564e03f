/*
** Constructors that simplify.  No rule raises the number of products and quotients; sums are
** simplified by sarrus_graph_linear.  If memory runs out on the way, operands become SARRUS_NONE.
*/
#include <math.h>

#include "expr_graph.h"

enum { LARGEST_POWER = 1 << 20 };

/* x^n by squaring, n > 0; pow would cost ten times as much for a square. */
static double whole_power(double x, unsigned n) {
  double power = 1;
  for (; n > 1; n /= 2, x *= x)
    if (n % 2 == 1) power *= x;
  return power * x;
}

static double squared(double x) { return x * x; }

double expr_value(sarrus_Op op, double a, double b, double c, double exponent) {
  switch (op) {
    case SARRUS_OP_INTEGER_POWER: return whole_power(a, (unsigned)exponent);
    case SARRUS_OP_POWER: return pow(a, exponent);
    case SARRUS_OP_PRODUCT: return a * b;
    case SARRUS_OP_QUOTIENT: return a / b;
    case SARRUS_OP_ATAN2: return atan2(a, b);
    case SARRUS_OP_SQRT: return sqrt(a);
    case SARRUS_OP_ABS: return fabs(a);
    case SARRUS_OP_SIGN: return (a > 0) - (a < 0);
    case SARRUS_OP_MIN: return b < a ? b : a;
    case SARRUS_OP_MAX: return b > a ? b : a;
    case SARRUS_OP_SELECT: return a >= 0 ? b : c;
#define GAP_VALUE(op, name, arity, value) \
  case SARRUS_OP_##op: return value;
      SARRUS_GAPS(GAP_VALUE)
#define FUNCTION_VALUE(op, name, value, ...) \
  case SARRUS_OP_##op: return value(a);
      SARRUS_FUNCTIONS(FUNCTION_VALUE)
    default: return (double)NAN;
  }
}

/* Returns r with e = factor * r: factor is 1 unless e is a sum of one term without constant. */
static sarrus_Expr pull_factor(const sarrus_Graph *graph, sarrus_Expr e, double *factor) {
  if (e == SARRUS_NONE) return e;
  const Node *node = &graph->nodes[e];
  if (node->op != SARRUS_OP_LINEAR || node->b != 1 || node->value != 0) return e;
  const sarrus_Term *term = &graph->terms[node->a];
  *factor *= term->factor;
  return term->expr;
}

/* Returns r with e = r ^ exponent; exponent is 1 unless e is an integer power. */
static sarrus_Expr base_of(const sarrus_Graph *graph, sarrus_Expr e, double *exponent) {
  const Node *node = &graph->nodes[e];
  if (node->op != SARRUS_OP_INTEGER_POWER) {
    *exponent = 1;
    return e;
  }
  *exponent = node->value;
  return node->a;
}

static int same_base(const sarrus_Graph *graph, sarrus_Expr a, sarrus_Expr b, double *sum) {
  double m, n;
  const int same = base_of(graph, a, &m) == base_of(graph, b, &n);
  *sum = m + n;
  return same;
}

static sarrus_Expr product(sarrus_Graph *graph, sarrus_Expr a, sarrus_Expr b);

/*
** (c0 + c1 x) b = c0 b + c1 (x b): one product either way, and others may share x b of the second
** form.  Only where b is a variable: applied to a product of many such factors, the rule would
** cancel digits near their zeros.
*/
static int distribute(sarrus_Graph *graph, sarrus_Expr a, sarrus_Expr b, sarrus_Expr *result) {
  const Node node = graph->nodes[a], other = graph->nodes[b];
  if (node.op != SARRUS_OP_LINEAR || node.b != 1) return 0;
  if (other.op != SARRUS_OP_SYMBOL || other.a == SARRUS_TIME) return 0;
  const sarrus_Term term = graph->terms[node.a];
  const sarrus_Expr xb = product(graph, term.expr, b);
  *result = sarrus_graph_linear(graph, 0, 2, (sarrus_Term[]){{node.value, b}, {term.factor, xb}});
  return 1;
}

/* a b where b and a, or b and a factor of a = p q, are powers of one base, which are joined. */
static int join_powers(sarrus_Graph *graph, sarrus_Expr a, sarrus_Expr b, sarrus_Expr *result) {
  double exponent;
  if (same_base(graph, a, b, &exponent)) {
    double unused;
    *result = sarrus_graph_power(graph, base_of(graph, a, &unused), exponent);
    return 1;
  }
  if (graph->nodes[a].op != SARRUS_OP_PRODUCT) return 0;
  const sarrus_Expr p = graph->nodes[a].a, q = graph->nodes[a].b;
  if (same_base(graph, p, b, &exponent))
    *result = product(graph, product(graph, p, b), q);
  else if (same_base(graph, q, b, &exponent))
    *result = product(graph, p, product(graph, q, b));
  else
    return 0;
  return 1;
}

/* a (1/b) = a/b */
static int divide(sarrus_Graph *graph, sarrus_Expr a, sarrus_Expr b, sarrus_Expr *result) {
  const Node node = graph->nodes[b];
  if (node.op != SARRUS_OP_QUOTIENT || graph->nodes[node.a].op != SARRUS_OP_CONSTANT) return 0;
  *result = sarrus_graph_apply(graph, SARRUS_OP_QUOTIENT, a, node.b, SARRUS_NONE);
  return 1;
}

/* The product of a and b, neither of which has a constant factor of its own. */
static sarrus_Expr bare_product(sarrus_Graph *graph, sarrus_Expr a, sarrus_Expr b) {
  sarrus_Expr result;
  if (join_powers(graph, a, b, &result) || join_powers(graph, b, a, &result)) return result;
  if (divide(graph, a, b, &result) || divide(graph, b, a, &result)) return result;
  if (distribute(graph, a, b, &result) || distribute(graph, b, a, &result)) return result;
  return a < b ? expr_intern(graph, SARRUS_OP_PRODUCT, a, b, SARRUS_NONE, 0)
               : expr_intern(graph, SARRUS_OP_PRODUCT, b, a, SARRUS_NONE, 0);
}

static sarrus_Expr product(sarrus_Graph *graph, sarrus_Expr a, sarrus_Expr b) {
  double factor = 1;
  if (a == SARRUS_NONE || b == SARRUS_NONE) return SARRUS_NONE;
  if (sarrus_graph_is_constant(graph, a, &factor)) return expr_scale(graph, factor, b);
  if (sarrus_graph_is_constant(graph, b, &factor)) return expr_scale(graph, factor, a);
  a = pull_factor(graph, a, &factor);
  b = pull_factor(graph, b, &factor);
  return expr_scale(graph, factor, bare_product(graph, a, b));
}

/* (p q) / p = q, x^m / x^n = x^(m-n) */
static int cancel(sarrus_Graph *graph, sarrus_Expr a, sarrus_Expr b, sarrus_Expr *result) {
  double m, n;
  const sarrus_Expr base = base_of(graph, a, &m);
  if (base == base_of(graph, b, &n)) {
    *result = sarrus_graph_power(graph, base, m - n);
    return 1;
  }
  if (graph->nodes[a].op != SARRUS_OP_PRODUCT) return 0;
  const sarrus_Expr p = graph->nodes[a].a, q = graph->nodes[a].b;
  if (p != b && q != b) return 0;
  *result = p == b ? q : p;
  return 1;
}

/* a / b, where constant factors have been taken out: a may be 1, b is no constant but 0. */
static sarrus_Expr bare_quotient(sarrus_Graph *graph, sarrus_Expr a, sarrus_Expr b) {
  sarrus_Expr result;
  if (a == SARRUS_NONE || b == SARRUS_NONE) return SARRUS_NONE;
  if (cancel(graph, a, b, &result)) return result;
  const Node node = graph->nodes[a];
  if (node.op == SARRUS_OP_QUOTIENT) /* (p/q)/b = p/(q b) */
    return sarrus_graph_apply(graph, SARRUS_OP_QUOTIENT, node.a, product(graph, node.b, b),
                              SARRUS_NONE);
  return expr_intern(graph, SARRUS_OP_QUOTIENT, a, b, SARRUS_NONE, 0);
}

static sarrus_Expr quotient(sarrus_Graph *graph, sarrus_Expr a, sarrus_Expr b) {
  double above = 1, below = 1;
  if (sarrus_graph_is_constant(graph, b, &below)) {
    if (below != 0) return expr_scale(graph, 1 / below, a);
    below = 1; /* division by zero stays a quotient, whose value will not be finite */
  }
  b = pull_factor(graph, b, &below);
  if (sarrus_graph_is_constant(graph, a, &above)) {
    if (above == 0) return a;
    a = sarrus_graph_constant(graph, 1);
  } else {
    a = pull_factor(graph, a, &above);
  }
  return expr_scale(graph, above / below, bare_quotient(graph, a, b));
}

/* Integer exponents of 2 and more. */
static sarrus_Expr integer_power(sarrus_Graph *graph, sarrus_Expr x, double exponent) {
  double factor = 1, inner;
  x = pull_factor(graph, x, &factor);
  const double scale = pow(factor, exponent);
  if (!isfinite(scale) || scale == 0)
    return expr_intern(graph, SARRUS_OP_POWER, expr_scale(graph, factor, x), SARRUS_NONE,
                       SARRUS_NONE, exponent);
  if (graph->nodes[x].op == SARRUS_OP_SQRT && fmod(exponent, 2) == 0)
    return expr_scale(graph, scale, sarrus_graph_power(graph, graph->nodes[x].a, exponent / 2));
  const sarrus_Expr base = base_of(graph, x, &inner);
  const sarrus_Expr bare = inner > 1 ? sarrus_graph_power(graph, base, inner * exponent)
                                     : expr_intern(graph, SARRUS_OP_INTEGER_POWER, x, SARRUS_NONE,
                                                   SARRUS_NONE, exponent);
  return expr_scale(graph, scale, bare);
}

sarrus_Expr sarrus_graph_power(sarrus_Graph *graph, sarrus_Expr x, double exponent) {
  double value;
  if (!expr_accept(graph, x)) return SARRUS_NONE;
  if (exponent == 0) return sarrus_graph_constant(graph, 1);
  if (exponent == 1) return x;
  if (sarrus_graph_is_constant(graph, x, &value) && isfinite(pow(value, exponent)))
    return sarrus_graph_constant(graph, pow(value, exponent));
  if (exponent == 0.5) return sarrus_graph_apply(graph, SARRUS_OP_SQRT, x, 0, 0);
  if (exponent != floor(exponent) || fabs(exponent) > LARGEST_POWER)
    return expr_intern(graph, SARRUS_OP_POWER, x, SARRUS_NONE, SARRUS_NONE, exponent);
  if (exponent < 0)
    return quotient(graph, sarrus_graph_constant(graph, 1),
                    sarrus_graph_power(graph, x, -exponent));
  return integer_power(graph, x, exponent);
}

static sarrus_Expr general_power(sarrus_Graph *graph, sarrus_Expr a, sarrus_Expr b) {
  double exponent;
  if (sarrus_graph_is_constant(graph, b, &exponent)) return sarrus_graph_power(graph, a, exponent);
  const sarrus_Expr log_a = sarrus_graph_apply(graph, SARRUS_OP_LOG, a, 0, 0);
  return sarrus_graph_apply(graph, SARRUS_OP_EXP, product(graph, b, log_a), 0, 0);
}

static sarrus_Expr function(sarrus_Graph *graph, sarrus_Op op, sarrus_Expr a, sarrus_Expr b,
                            sarrus_Expr c) {
  double x = 0, y = 0, z = 0, factor = 1;
  const int arity = sarrus_op_arity(op);
  const int known = sarrus_graph_is_constant(graph, a, &x) &&
                    (arity < 2 || sarrus_graph_is_constant(graph, b, &y)) &&
                    (arity < 3 || sarrus_graph_is_constant(graph, c, &z));
  if (known && isfinite(expr_value(op, x, y, z, 0)))
    return sarrus_graph_constant(graph, expr_value(op, x, y, z, 0));
  if (op == SARRUS_OP_SELECT && (sarrus_graph_is_constant(graph, a, &x) || b == c))
    return x >= 0 ? b : c;
  if ((op == SARRUS_OP_MIN || op == SARRUS_OP_MAX) && a == b) return a;
  pull_factor(graph, a, &factor);
  if (expr_parity(op) != NEITHER && factor < 0)
    return expr_scale(graph, expr_parity(op), function(graph, op, expr_scale(graph, -1, a), b, c));
  return expr_intern(graph, op, a, arity > 1 ? b : SARRUS_NONE, arity > 2 ? c : SARRUS_NONE, 0);
}

sarrus_Expr sarrus_graph_apply(sarrus_Graph *graph, sarrus_Op op, sarrus_Expr a, sarrus_Expr b,
                               sarrus_Expr c) {
  const int arity = sarrus_op_arity(op);
  if (op < SARRUS_OP_PRODUCT || arity == 0) return expr_refuse(graph);
  if (graph->status < 0 || !expr_accept(graph, a) || (arity > 1 && !expr_accept(graph, b)) ||
      (arity > 2 && !expr_accept(graph, c)))
    return SARRUS_NONE;
  switch (op) {
    case SARRUS_OP_ADD: return expr_add(graph, a, 1, b);
    case SARRUS_OP_SUB: return expr_add(graph, a, -1, b);
    case SARRUS_OP_NEG: return expr_scale(graph, -1, a);
    case SARRUS_OP_POW: return general_power(graph, a, b);
    case SARRUS_OP_PRODUCT: return product(graph, a, b);
    case SARRUS_OP_QUOTIENT: return quotient(graph, a, b);
    default: return function(graph, op, a, b, c);
  }
}
