/*
** The inside of a graph, for the files that build, differentiate, print and compile expressions.
**
** What a Node holds, by operation:
**   CONSTANT              value
**   SYMBOL                a kind, b index
**   LINEAR                value + terms[a .. a+b-1], b >= 1, sorted by expr, no factor 0
**   INTEGER_POWER, POWER  a base, value exponent (integer powers: 2, 3, …)
**   TABLE                 a argument, b table, c derivative
**   others                a, b, c operands; unused ones SARRUS_NONE
*/
#ifndef SARRUS_EXPR_GRAPH_H
#define SARRUS_EXPR_GRAPH_H

#include <stdint.h>

#include "sarrus/expr.h"
#include "text.h"

typedef struct Node {
  sarrus_Op op;
  int a, b, c;
  double value;
  int mark; /* equals graph->generation where the current walk has visited this node */
  int temp; /* free for use by the current walk */
} Node;

/*
** Piecewise cubic: on piece i, between x[i-1] and x[i], y = sum_j piece[i][j] (u - origin[i])^j.
** Pieces 0 and count continue the end slopes outside the data.
*/
typedef struct Table {
  int count;
  double *x;          /* count knots */
  double *origin;     /* count + 1 */
  double (*piece)[4]; /* count + 1 */
} Table;

/* One of the table by which equal nodes are found; the hash saves looks at nodes that differ. */
typedef struct Bucket {
  int node; /* SARRUS_NONE: empty */
  uint32_t hash;
} Bucket;

struct sarrus_Graph {
  sarrus_Memory memory;
  sarrus_Status status;
  Node *nodes;
  int count, capacity;
  sarrus_Term *terms;
  int term_count, term_capacity;
  Bucket *buckets; /* open addressing over nodes */
  int bucket_count;
  Table *tables;
  int table_count;
  int *order; /* expr_reach: the nodes reached, operands first */
  int order_count, order_capacity;
  sarrus_Term *sum; /* workspace of sarrus_graph_linear, twice sum_capacity long */
  int sum_capacity;
  int generation;
  int visiting; /* a gradient's visitor runs, which needs temp and order: no other walk may begin */
};

static inline int expr_is_node(const sarrus_Graph *graph, sarrus_Expr e) {
  return e >= 0 && e < graph->count;
}

/* Puts the graph in an error state: returns SARRUS_NONE, as every constructor will from now on. */
sarrus_Expr expr_refuse(sarrus_Graph *graph);
/*
** Whether e is a node of the graph.  SARRUS_NONE is the result of an earlier failure: not a node,
** but no new error either.  Any other number puts the graph in the error state (expr_refuse).
*/
int expr_accept(sarrus_Graph *graph, sarrus_Expr e);

/* Make room for `needed` elements; without memory returns 0, and the graph's status is NOMEM. */
int expr_reserve(sarrus_Graph *graph, void **array, int *capacity, int needed, size_t size);

/* The node with this content, found or made.  Operands must be simplified already. */
sarrus_Expr expr_intern(sarrus_Graph *graph, sarrus_Op op, int a, int b, int c, double value);

/* factor * e */
sarrus_Expr expr_scale(sarrus_Graph *graph, double factor, sarrus_Expr e);

/* a + factor * b */
sarrus_Expr expr_add(sarrus_Graph *graph, sarrus_Expr a, double factor, sarrus_Expr b);

/* Operands of a node, 0 <= i < expr_operand_count. */
int expr_operand_count(const sarrus_Graph *graph, sarrus_Expr e);
sarrus_Expr expr_operand(const sarrus_Graph *graph, sarrus_Expr e, int i);

/*
** Start a walk (all marks unset), then collect what roots need: graph->order[0 .. order_count-1]
** has every operand before its user.  Reached nodes are marked.  Several calls add up.
*/
void expr_walk(sarrus_Graph *graph);
sarrus_Status expr_reach(sarrus_Graph *graph, sarrus_Expr root);
static inline int expr_is_marked(const sarrus_Graph *graph, sarrus_Expr e) {
  return graph->nodes[e].mark == graph->generation;
}

/* In all roots, replace each expression what[i] by by[i]; the results overwrite `roots`:
** expr_import.c. */
sarrus_Status expr_replace(sarrus_Graph *graph, int count, sarrus_Expr *roots, int pairs,
                           const sarrus_Expr *what, const sarrus_Expr *by);

/* The value of any operation but LINEAR, TABLE, CONSTANT and SYMBOL. */
double expr_value(sarrus_Op op, double a, double b, double c, double exponent);

/* --- functions of one variable: expr_function.c --- */

/* f(-u) = parity * f(u).  With the companion c of z = f(u), SLOPE: z' = sign c u'; INVERSE:
** c z' = sign u'. */
typedef enum Parity { ODD = -1, NEITHER, EVEN } Parity;
typedef enum Equation { NO_EQUATION, SLOPE, INVERSE } Equation;

Parity expr_parity(sarrus_Op op);
/* NO_EQUATION where the operation is none of SARRUS_FUNCTIONS. */
Equation expr_equation(sarrus_Op op, int *sign);
/* The companion of z, a node of one of SARRUS_FUNCTIONS, made if need be; and dz/du.  SARRUS_NONE
** for other nodes. */
sarrus_Expr expr_companion(sarrus_Graph *graph, sarrus_Expr z);
sarrus_Expr expr_slope(sarrus_Graph *graph, sarrus_Expr z);
/* dz/du as a number, where z is the value of one of SARRUS_FUNCTIONS at u. */
double expr_slope_value(sarrus_Op op, double u, double z);

static inline int expr_is_gap(sarrus_Op op) {
#define IS_GAP(gap, ...) op == SARRUS_OP_##gap ||
  return SARRUS_GAPS(IS_GAP) 0;
#undef IS_GAP
}

/* Append the text of an expression. */
void expr_put(Text *text, const sarrus_Graph *graph, sarrus_Expr e, sarrus_Namer name, void *ud);

/* The number of the piece that holds u; and the value of the table, or of a derivative, at u. */
int table_piece(const Table *table, double u);
double table_value(const Table *table, int piece, int derivative, double u);
/* Copy a table of another graph; returns its number in this one. */
int table_import(sarrus_Graph *graph, const Table *table);
void table_release(sarrus_Graph *graph);
size_t table_bytes(const sarrus_Graph *graph);

#endif
