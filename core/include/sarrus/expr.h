/*
** Expressions: a hash-consed graph of scalar operations.
**
** A sarrus_Expr is the index of a node in its graph.  Operands always have smaller indices
** than the node that uses them, and equal expressions have equal indices, so that comparing
** indices compares expressions.  Constructors simplify as they go: constants fold, sums
** become one linear combination c0 + sum c_i x_i with like terms joined, constant factors are
** pulled out of products.
**
** A graph owns all its nodes; freeing it frees them.  Once memory runs out, or an argument was
** none, every constructor answers SARRUS_NONE, which all of them also accept; ask
** sarrus_graph_status once at the end.
*/
#ifndef SARRUS_EXPR_H
#define SARRUS_EXPR_H

#include <stddef.h>

#include "sarrus/export.h"
#include "sarrus/expr_functions.h"
#include "sarrus/memory.h"
#include "sarrus/status.h"

typedef struct sarrus_Graph sarrus_Graph;
typedef int sarrus_Expr;

enum { SARRUS_NONE = -1 };

/*
** The operations: name, number of operands.  CONSTANT, SYMBOL and LINEAR are made by their own
** constructors, and so are TABLE and the powers with a constant exponent (INTEGER_POWER: 2, 3, …).
** ADD, SUB, NEG and POW are accepted by sarrus_graph_apply and turned into the others.  SARRUS_GAPS
** and SARRUS_FUNCTIONS follow.
*/
#define SARRUS_OPS(X)                  \
  X(CONSTANT, "constant", 0)           \
  X(SYMBOL, "symbol", 0)               \
  X(LINEAR, "linear", 0)               \
  X(INTEGER_POWER, "integer_power", 1) \
  X(POWER, "power", 1)                 \
  X(TABLE, "table", 1)                 \
  X(PRODUCT, "mul", 2)                 \
  X(QUOTIENT, "div", 2)                \
  X(ATAN2, "atan2", 2)                 \
  X(SQRT, "sqrt", 1)                   \
  X(ABS, "abs", 1)                     \
  X(SIGN, "sign", 1)                   \
  X(MIN, "min", 2)                     \
  X(MAX, "max", 2)                     \
  X(SELECT, "select", 3)               \
  X(ADD, "add", 2)                     \
  X(SUB, "sub", 2)                     \
  X(NEG, "neg", 1)                     \
  X(POW, "pow", 2)

typedef enum sarrus_Op {
#define SARRUS_OP_ENUM(op, ...) SARRUS_OP_##op,
  SARRUS_OPS(SARRUS_OP_ENUM) SARRUS_GAPS(SARRUS_OP_ENUM) SARRUS_FUNCTIONS(SARRUS_OP_ENUM)
#undef SARRUS_OP_ENUM
      SARRUS_OP_COUNT
} sarrus_Op;

/* "unknown" and 0 for what is no operation. */
SARRUS_API const char *sarrus_op_name(sarrus_Op op);
SARRUS_API int sarrus_op_arity(sarrus_Op op);
/* A function of one variable has a series where low < u_0 < high; infinite for other operations. */
SARRUS_API void sarrus_op_domain(sarrus_Op op, double *low, double *high);

/*
** Leaves that are not constants.  Q, V, A are coordinates and their two time derivatives,
** LAMBDA multipliers (for a general DAE: Q the differential variables, V their derivatives,
** LAMBDA the algebraic ones), U free variables.
*/
typedef enum sarrus_SymbolKind {
  SARRUS_TIME,
  SARRUS_PARAMETER,
  SARRUS_Q,
  SARRUS_V,
  SARRUS_A,
  SARRUS_LAMBDA,
  SARRUS_U,
  SARRUS_SYMBOL_KINDS
} sarrus_SymbolKind;

typedef struct sarrus_Term {
  double factor;
  sarrus_Expr expr;
} sarrus_Term;

SARRUS_API sarrus_Graph *sarrus_graph_new(sarrus_Memory memory); /* NULL without memory */
SARRUS_API void sarrus_graph_free(sarrus_Graph *graph);
SARRUS_API sarrus_Status sarrus_graph_status(const sarrus_Graph *graph); /* OK, NOMEM, ARGUMENT */
SARRUS_API int sarrus_graph_count(const sarrus_Graph *graph);            /* nodes */
SARRUS_API size_t sarrus_graph_bytes(const sarrus_Graph *graph);         /* memory held */

SARRUS_API sarrus_Expr sarrus_graph_constant(sarrus_Graph *graph, double value);
SARRUS_API sarrus_Expr sarrus_graph_symbol(sarrus_Graph *graph, sarrus_SymbolKind kind, int index);
/* PRODUCT and what follows it; operands beyond the arity are ignored. */
SARRUS_API sarrus_Expr sarrus_graph_apply(sarrus_Graph *graph, sarrus_Op op, sarrus_Expr a,
                                          sarrus_Expr b, sarrus_Expr c);
/* constant + sum of count terms */
SARRUS_API sarrus_Expr sarrus_graph_linear(sarrus_Graph *graph, double constant, int count,
                                           const sarrus_Term *terms);
/* x ^ exponent; exact at x = 0 for integer exponents. */
SARRUS_API sarrus_Expr sarrus_graph_power(sarrus_Graph *graph, sarrus_Expr x, double exponent);
/*
** Piecewise cubic data: count > 1 points, all finite, x rising; the graph copies them.  The curve
** is the monotone (Fritsch-Carlson) Hermite interpolant, continued linearly outside.  Answers the
** table's number, or SARRUS_NONE.  `derivative` 0 to 3 chooses what the node gives.
*/
SARRUS_API int sarrus_graph_new_table(sarrus_Graph *graph, int count, const double *x,
                                      const double *y);
SARRUS_API sarrus_Expr sarrus_graph_table(sarrus_Graph *graph, int table, int derivative,
                                          sarrus_Expr x);

/* What a node is; SARRUS_OP_COUNT and 0 where there is no such node. */
SARRUS_API sarrus_Op sarrus_graph_op(const sarrus_Graph *graph, sarrus_Expr e);
SARRUS_API int sarrus_graph_is_constant(const sarrus_Graph *graph, sarrus_Expr e, double *value);

/* d e / d symbol */
SARRUS_API sarrus_Expr sarrus_graph_diff(sarrus_Graph *graph, sarrus_Expr e, sarrus_Expr symbol);
/*
** The gradient of sum weights[i] roots[i] (weights NULL: all 1) with respect to every symbol in it,
** all at once by the reverse mode: it shares what the components have in common, and costs a small
** multiple of the roots however many symbols there are.  `visit` hears each symbol with a non-zero
** derivative once, in the order of the nodes; it may build expressions, but not differentiate.
*/
typedef void (*sarrus_GradientVisitor)(void *ud, sarrus_SymbolKind kind, int index,
                                       sarrus_Expr derivative);
SARRUS_API sarrus_Status sarrus_graph_gradient(sarrus_Graph *graph, int count,
                                               const sarrus_Expr *roots, const sarrus_Expr *weights,
                                               sarrus_GradientVisitor visit, void *ud);
/*
** Copy roots (and what they need, nothing else) from another graph, whose failure is handed on.
** Tables come along.  `copies` gets the new indices.  A root that is no node is an ARGUMENT and
** spoils nothing.
*/
SARRUS_API sarrus_Status sarrus_graph_import(sarrus_Graph *graph, const sarrus_Graph *from,
                                             int count, const sarrus_Expr *roots,
                                             sarrus_Expr *copies);

/*
** Text, Lua-like ("3*cos(q1) - 1/2*q2^2").  `name` gives the name of a symbol; it, and what it
** answers, may be NULL (q1, v1, a1, lambda1, u0, t, p1; indices count from 0 in C, from 1 here
** except in u0).  Writes at most
** size bytes, the final zero included; a text that does not fit, or is nested too deeply to be
** read, has an ellipsis in place of the rest; "?" is what is no node.  Answers the number of bytes
** written without the zero.
*/
typedef const char *(*sarrus_Namer)(void *ud, sarrus_SymbolKind kind, int index);
SARRUS_API size_t sarrus_graph_print(const sarrus_Graph *graph, sarrus_Expr e, sarrus_Namer name,
                                     void *ud, char *to, size_t size);

#endif
