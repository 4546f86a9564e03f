/* What the tests of expressions share: short names, values at a point, text. */
#ifndef SARRUS_TEST_EXPRESSIONS_H
#define SARRUS_TEST_EXPRESSIONS_H

#include "expr_graph.h"
#include "test.h"

enum { SYMBOLS_PER_KIND = 8 };

/* A point: the value of every symbol. */
typedef struct Values {
  double value[SARRUS_SYMBOL_KINDS][SYMBOLS_PER_KIND];
} Values;

static inline sarrus_Expr constant(sarrus_Graph *g, double x) {
  return sarrus_graph_constant(g, x);
}

static inline sarrus_Expr variable(sarrus_Graph *g, int i) {
  return sarrus_graph_symbol(g, SARRUS_Q, i);
}

static inline sarrus_Expr unary(sarrus_Graph *g, sarrus_Op op, sarrus_Expr a) {
  return sarrus_graph_apply(g, op, a, SARRUS_NONE, SARRUS_NONE);
}

static inline sarrus_Expr binary(sarrus_Graph *g, sarrus_Op op, sarrus_Expr a, sarrus_Expr b) {
  return sarrus_graph_apply(g, op, a, b, SARRUS_NONE);
}

static inline sarrus_Expr add(sarrus_Graph *g, sarrus_Expr a, sarrus_Expr b) {
  return binary(g, SARRUS_OP_ADD, a, b);
}

static inline sarrus_Expr sub(sarrus_Graph *g, sarrus_Expr a, sarrus_Expr b) {
  return binary(g, SARRUS_OP_SUB, a, b);
}

static inline sarrus_Expr mul(sarrus_Graph *g, sarrus_Expr a, sarrus_Expr b) {
  return binary(g, SARRUS_OP_PRODUCT, a, b);
}

static inline sarrus_Expr quotient(sarrus_Graph *g, sarrus_Expr a, sarrus_Expr b) {
  return binary(g, SARRUS_OP_QUOTIENT, a, b);
}

static inline sarrus_Expr negative(sarrus_Graph *g, sarrus_Expr a) {
  return unary(g, SARRUS_OP_NEG, a);
}

static inline sarrus_Expr scaled(sarrus_Graph *g, double factor, sarrus_Expr a) {
  return mul(g, constant(g, factor), a);
}

static inline sarrus_Expr power(sarrus_Graph *g, sarrus_Expr a, double exponent) {
  return sarrus_graph_power(g, a, exponent);
}

/* Any operation that has operands, on three of them. */
static inline sarrus_Expr apply_any(sarrus_Graph *g, sarrus_Op op, sarrus_Expr a, sarrus_Expr b,
                                    sarrus_Expr c) {
  static const double knots[] = {-9, 0.1, 0.35, 0.6, 9}, data[] = {0, 1, 1.5, 4, 5};
  switch (op) {
    case SARRUS_OP_INTEGER_POWER: return power(g, a, 3);
    case SARRUS_OP_POWER: return power(g, a, -1.7);
    case SARRUS_OP_TABLE:
      return sarrus_graph_table(g, sarrus_graph_new_table(g, 5, knots, data), 0, a);
    case SARRUS_OP_TANH_SLOPE: return binary(g, op, unary(g, SARRUS_OP_TANH, a), a);
    default: return sarrus_graph_apply(g, op, a, b, c);
  }
}

/* The value of an expression, by recursion over its nodes. */
static inline double value_at(const sarrus_Graph *g, sarrus_Expr e, const Values *point) {
  const Node *node = &g->nodes[e];
  switch (node->op) {
    case SARRUS_OP_CONSTANT: return node->value;
    case SARRUS_OP_SYMBOL: return point->value[node->a][node->b];
    case SARRUS_OP_LINEAR: {
      double sum = node->value;
      for (int i = 0; i < node->b; i++)
        sum += g->terms[node->a + i].factor * value_at(g, g->terms[node->a + i].expr, point);
      return sum;
    }
    case SARRUS_OP_TABLE: {
      const double u = value_at(g, node->a, point);
      return table_value(&g->tables[node->b], table_piece(&g->tables[node->b], u), node->c, u);
    }
    default: {
      double u[3] = {0, 0, 0};
      for (int i = 0; i < sarrus_op_arity(node->op); i++)
        u[i] = value_at(g, expr_operand(g, e, i), point);
      return expr_value(node->op, u[0], u[1], u[2], node->value);
    }
  }
}

/* Text in a buffer that the next four calls leave alone. */
static inline const char *text_of(const sarrus_Graph *g, sarrus_Expr e) {
  static char texts[4][512];
  static int next;
  char *text = texts[next++ % 4];
  if (e == SARRUS_NONE) return "NONE";
  sarrus_graph_print(g, e, NULL, NULL, text, sizeof texts[0]);
  return text;
}

static inline Values random_point(unsigned *seed, double low, double high) {
  Values point;
  for (int kind = 0; kind < SARRUS_SYMBOL_KINDS; kind++)
    for (int i = 0; i < SYMBOLS_PER_KIND; i++)
      point.value[kind][i] = random_in(seed, low, high);
  return point;
}

#endif
