/* Copies expressions from one graph to another, and within a graph with parts replaced. */
#include "expr_graph.h"

/* What copy[e] says of node e until the number of its copy stands there. */
enum { NEEDED = SARRUS_NONE, UNNEEDED = SARRUS_NONE - 1 };

static sarrus_Expr import_sum(sarrus_Graph *graph, const sarrus_Graph *from, const Node *node,
                              const sarrus_Expr *copy, sarrus_Term *terms) {
  for (int i = 0; i < node->b; i++) {
    const sarrus_Term *term = &from->terms[node->a + i];
    terms[i] = (sarrus_Term){term->factor, copy[term->expr]};
  }
  return sarrus_graph_linear(graph, node->value, node->b, terms);
}

static sarrus_Expr import_node(sarrus_Graph *graph, const sarrus_Graph *from, const Node *node,
                               const sarrus_Expr *copy, sarrus_Term *terms) {
  switch (node->op) {
    case SARRUS_OP_CONSTANT: return sarrus_graph_constant(graph, node->value);
    case SARRUS_OP_SYMBOL: return sarrus_graph_symbol(graph, (sarrus_SymbolKind)node->a, node->b);
    case SARRUS_OP_LINEAR: return import_sum(graph, from, node, copy, terms);
    case SARRUS_OP_INTEGER_POWER:
    case SARRUS_OP_POWER: return sarrus_graph_power(graph, copy[node->a], node->value);
    case SARRUS_OP_TABLE:
      return sarrus_graph_table(
          graph, graph == from ? node->b : table_import(graph, &from->tables[node->b]), node->c,
          copy[node->a]);
    default:
      return sarrus_graph_apply(graph, node->op, copy[node->a],
                                node->b == SARRUS_NONE ? SARRUS_NONE : copy[node->b],
                                node->c == SARRUS_NONE ? SARRUS_NONE : copy[node->c]);
  }
}

/* Mark the nodes that the roots need; returns the number of terms of the longest sum among them. */
static int mark_needed(const sarrus_Graph *from, int count, const sarrus_Expr *roots,
                       sarrus_Expr *copy) {
  int most = 0;
  for (int e = 0; e < from->count; e++)
    copy[e] = UNNEEDED;
  for (int i = 0; i < count; i++)
    copy[roots[i]] = NEEDED;
  for (int e = from->count - 1; e >= 0; e--) {
    if (copy[e] != NEEDED) continue;
    const int operands = expr_operand_count(from, e);
    if (from->nodes[e].op == SARRUS_OP_LINEAR && operands > most) most = operands;
    for (int i = 0; i < operands; i++)
      copy[expr_operand(from, e, i)] = NEEDED;
  }
  return most;
}

/* Nodes are copied in the order of their indices, so operands come before their users. */
sarrus_Status sarrus_graph_import(sarrus_Graph *graph, const sarrus_Graph *from, int count,
                                  const sarrus_Expr *roots, sarrus_Expr *copies) {
  const sarrus_Memory memory = graph->memory;
  SARRUS_TRY(graph->status);
  SARRUS_TRY(from->status);
  if (count < 0 || (count > 0 && roots == NULL)) return SARRUS_ARGUMENT;
  for (int i = 0; i < count; i++)
    if (!expr_is_node(from, roots[i])) return SARRUS_ARGUMENT;
  if (graph == from) {
    for (int i = 0; i < count; i++)
      copies[i] = roots[i];
    return SARRUS_OK;
  }
  const size_t copy_size = ((size_t)from->count + 1) * sizeof(sarrus_Expr);
  sarrus_Expr *copy = memory.alloc(memory.ud, NULL, 0, copy_size);
  if (copy == NULL) return graph->status = SARRUS_NOMEM;
  const size_t terms_size =
      ((size_t)mark_needed(from, count, roots, copy) + 1) * sizeof(sarrus_Term);
  sarrus_Term *terms = memory.alloc(memory.ud, NULL, 0, terms_size);
  if (terms == NULL) {
    graph->status = SARRUS_NOMEM;
  } else {
    for (int e = 0; e < from->count; e++)
      if (copy[e] == NEEDED) copy[e] = import_node(graph, from, &from->nodes[e], copy, terms);
    for (int i = 0; i < count; i++)
      copies[i] = copy[roots[i]];
    memory.alloc(memory.ud, terms, terms_size, 0);
  }
  memory.alloc(memory.ud, copy, copy_size, 0);
  return graph->status;
}

static int has_changed(const sarrus_Graph *graph, sarrus_Expr e, const sarrus_Expr *copy) {
  for (int i = 0; i < expr_operand_count(graph, e); i++) {
    const sarrus_Expr operand = expr_operand(graph, e, i);
    if (copy[operand] != operand) return 1;
  }
  return 0;
}

sarrus_Status expr_replace(sarrus_Graph *graph, int count, sarrus_Expr *roots, int pairs,
                           const sarrus_Expr *what, const sarrus_Expr *by) {
  const sarrus_Memory memory = graph->memory;
  const int nodes = graph->count;
  SARRUS_TRY(graph->status);
  const size_t copy_size = ((size_t)nodes + 1) * sizeof(sarrus_Expr);
  sarrus_Expr *copy = memory.alloc(memory.ud, NULL, 0, copy_size);
  if (copy == NULL) return graph->status = SARRUS_NOMEM;
  const size_t terms_size =
      ((size_t)mark_needed(graph, count, roots, copy) + 1) * sizeof(sarrus_Term);
  sarrus_Term *terms = memory.alloc(memory.ud, NULL, 0, terms_size);
  if (terms == NULL) graph->status = SARRUS_NOMEM;
  for (int i = 0; i < pairs; i++)
    if (copy[what[i]] == NEEDED) copy[what[i]] = by[i];
  for (int e = 0; e < nodes && graph->status == SARRUS_OK; e++) {
    const Node node = graph->nodes[e];
    if (copy[e] == NEEDED)
      copy[e] = has_changed(graph, e, copy) ? import_node(graph, graph, &node, copy, terms) : e;
  }
  for (int i = 0; i < count && graph->status == SARRUS_OK; i++)
    roots[i] = copy[roots[i]];
  if (terms != NULL) memory.alloc(memory.ud, terms, terms_size, 0);
  memory.alloc(memory.ud, copy, copy_size, 0);
  return graph->status;
}
