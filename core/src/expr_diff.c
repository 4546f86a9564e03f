/*
** Differentiation.  One table of partial derivatives serves the forward mode (diff) and the
** reverse mode (gradient).
*/
#include "expr_graph.h"

static sarrus_Expr constant(sarrus_Graph *graph, double value) {
  return sarrus_graph_constant(graph, value);
}

static sarrus_Expr apply(sarrus_Graph *graph, sarrus_Op op, sarrus_Expr a, sarrus_Expr b) {
  return sarrus_graph_apply(graph, op, a, b, SARRUS_NONE);
}

/* 1 - a^2 */
static sarrus_Expr gap_partial(sarrus_Graph *graph, sarrus_Expr a, int i) {
  return i == 0 ? expr_scale(graph, -2, a) : constant(graph, 0);
}

/* d e / d (operand i), for every operation but LINEAR and the leaves. */
static sarrus_Expr partial(sarrus_Graph *graph, sarrus_Expr e, int i) {
  const Node node = graph->nodes[e];
  const sarrus_Expr a = node.a, b = node.b, c = node.c;
  switch (node.op) {
    case SARRUS_OP_INTEGER_POWER:
    case SARRUS_OP_POWER:
      return expr_scale(graph, node.value, sarrus_graph_power(graph, a, node.value - 1));
    case SARRUS_OP_TABLE: return sarrus_graph_table(graph, b, c + 1, a);
    case SARRUS_OP_PRODUCT: return i == 0 ? b : a;
    case SARRUS_OP_QUOTIENT: /* z = a/b: z_b = -z/b */
      return i == 0 ? apply(graph, SARRUS_OP_QUOTIENT, constant(graph, 1), b)
                    : expr_scale(graph, -1, apply(graph, SARRUS_OP_QUOTIENT, e, b));
    case SARRUS_OP_ATAN2: { /* atan2(a, b): (b, -a) / (a^2 + b^2) */
      const sarrus_Expr a2 = sarrus_graph_power(graph, a, 2), b2 = sarrus_graph_power(graph, b, 2);
      const sarrus_Expr r2 = expr_add(graph, a2, 1, b2);
      return i == 0 ? apply(graph, SARRUS_OP_QUOTIENT, b, r2)
                    : expr_scale(graph, -1, apply(graph, SARRUS_OP_QUOTIENT, a, r2));
    }
    case SARRUS_OP_SQRT: return apply(graph, SARRUS_OP_QUOTIENT, constant(graph, 0.5), e);
    case SARRUS_OP_ABS: return apply(graph, SARRUS_OP_SIGN, a, SARRUS_NONE);
    case SARRUS_OP_MIN: /* b - a >= 0 chooses a */
      return sarrus_graph_apply(graph, SARRUS_OP_SELECT, expr_add(graph, b, -1, a),
                                constant(graph, i == 0), constant(graph, i != 0));
    case SARRUS_OP_MAX:
      return sarrus_graph_apply(graph, SARRUS_OP_SELECT, expr_add(graph, a, -1, b),
                                constant(graph, i == 0), constant(graph, i != 0));
    case SARRUS_OP_SELECT:
      return i == 0 ? constant(graph, 0)
                    : sarrus_graph_apply(graph, SARRUS_OP_SELECT, a, constant(graph, i == 1),
                                         constant(graph, i != 1));
    case SARRUS_OP_SIGN: return constant(graph, 0);
    default: return expr_is_gap(node.op) ? gap_partial(graph, a, i) : expr_slope(graph, e);
  }
}

/* (d e / d operand i) * x */
static sarrus_Expr partial_times(sarrus_Graph *graph, sarrus_Expr e, int i, sarrus_Expr x) {
  const Node *node = &graph->nodes[e];
  if (node->op == SARRUS_OP_LINEAR) return expr_scale(graph, graph->terms[node->a + i].factor, x);
  if (node->op == SARRUS_OP_QUOTIENT && i == 0) return apply(graph, SARRUS_OP_QUOTIENT, x, node->b);
  return apply(graph, SARRUS_OP_PRODUCT, partial(graph, e, i), x);
}

/* The derivative of e by the variable of the walk.  Each node's temp holds its derivative;
** SARRUS_NONE stands for zero. */
static sarrus_Expr diff_node(sarrus_Graph *graph, sarrus_Expr e) {
  const int operands = expr_operand_count(graph, e);
  sarrus_Expr sum = SARRUS_NONE;
  for (int i = 0; i < operands; i++) {
    const sarrus_Expr inner = graph->nodes[expr_operand(graph, e, i)].temp;
    if (inner == SARRUS_NONE) continue;
    const sarrus_Expr term = partial_times(graph, e, i, inner);
    sum = sum == SARRUS_NONE ? term : expr_add(graph, sum, 1, term);
  }
  return sum;
}

sarrus_Expr sarrus_graph_diff(sarrus_Graph *graph, sarrus_Expr e, sarrus_Expr symbol) {
  if (!expr_accept(graph, e) || !expr_accept(graph, symbol)) return SARRUS_NONE;
  if (graph->visiting || graph->nodes[symbol].op != SARRUS_OP_SYMBOL) return expr_refuse(graph);
  expr_walk(graph);
  if (expr_reach(graph, e) < 0) return SARRUS_NONE;
  for (int i = 0; i < graph->order_count; i++)
    graph->nodes[graph->order[i]].temp = SARRUS_NONE;
  for (int i = 0; i < graph->order_count && graph->status == SARRUS_OK; i++) {
    const sarrus_Expr node = graph->order[i];
    const sarrus_Expr d = node == symbol ? constant(graph, 1) : diff_node(graph, node);
    graph->nodes[node].temp = d;
  }
  if (graph->status < 0) return SARRUS_NONE;
  return graph->nodes[e].temp == SARRUS_NONE ? constant(graph, 0) : graph->nodes[e].temp;
}

/* Each node's temp holds its adjoint: the derivative of the weighted sum of roots by this node. */
static void add_adjoint(sarrus_Graph *graph, sarrus_Expr e, sarrus_Expr more) {
  const sarrus_Expr sum = graph->nodes[e].temp;
  const sarrus_Expr total = sum == SARRUS_NONE ? more : expr_add(graph, sum, 1, more);
  graph->nodes[e].temp = total;
}

static int is_zero(const sarrus_Graph *graph, sarrus_Expr e) {
  double value;
  return e == SARRUS_NONE || (sarrus_graph_is_constant(graph, e, &value) && value == 0);
}

static int are_nodes(const sarrus_Graph *graph, int count, const sarrus_Expr *exprs) {
  for (int i = 0; i < count; i++)
    if (!expr_is_node(graph, exprs[i])) return 0;
  return 1;
}

static void visit_symbols(sarrus_Graph *graph, sarrus_GradientVisitor visit, void *ud) {
  graph->visiting = 1;
  for (int i = 0; i < graph->order_count; i++) {
    const Node node = graph->nodes[graph->order[i]];
    if (node.op == SARRUS_OP_SYMBOL && !is_zero(graph, node.temp))
      visit(ud, (sarrus_SymbolKind)node.a, node.b, node.temp);
  }
  graph->visiting = 0;
}

/* Nodes made on the way are not marked, so graph->order stays the list of the nodes reached. */
sarrus_Status sarrus_graph_gradient(sarrus_Graph *graph, int count, const sarrus_Expr *roots,
                                    const sarrus_Expr *weights, sarrus_GradientVisitor visit,
                                    void *ud) {
  SARRUS_TRY(graph->status);
  if (graph->visiting || count < 0 || !are_nodes(graph, count, roots) ||
      !are_nodes(graph, weights == NULL ? 0 : count, weights))
    return SARRUS_ARGUMENT;
  expr_walk(graph);
  for (int i = 0; i < count; i++)
    SARRUS_TRY(expr_reach(graph, roots[i]));
  for (int i = 0; i < graph->order_count; i++)
    graph->nodes[graph->order[i]].temp = SARRUS_NONE;
  for (int i = 0; i < count; i++)
    add_adjoint(graph, roots[i], weights == NULL ? constant(graph, 1) : weights[i]);
  for (int i = graph->order_count - 1; i >= 0; i--) {
    const sarrus_Expr e = graph->order[i], adjoint = graph->nodes[e].temp;
    if (is_zero(graph, adjoint)) continue;
    for (int k = 0; k < expr_operand_count(graph, e) && graph->status == SARRUS_OK; k++)
      add_adjoint(graph, expr_operand(graph, e, k), partial_times(graph, e, k, adjoint));
  }
  SARRUS_TRY(graph->status);
  visit_symbols(graph, visit, ud);
  return graph->status;
}
