/*
** Observers: expressions of a system's symbols (Q, V, A, LAMBDA, TIME, PARAMETER) evaluated at a
** state.  An observer belongs to one thread at a time.
*/
#ifndef SARRUS_OBSERVER_H
#define SARRUS_OBSERVER_H

#include "sarrus/expr.h"

typedef struct sarrus_Observer sarrus_Observer;

/*
** The graph may go afterwards.  ARGUMENT: an expression is none of the graph's, or has other
** symbols.
*/
SARRUS_API sarrus_Status sarrus_observer_new(sarrus_Memory memory, const sarrus_Graph *graph,
                                             int count, const sarrus_Expr *exprs,
                                             sarrus_Observer **observer);
SARRUS_API void sarrus_observer_free(sarrus_Observer *observer);
SARRUS_API size_t sarrus_observer_bytes(const sarrus_Observer *observer);

/* How many numbers of that kind a sight must have, 0 if no expression depends on one. */
SARRUS_API int sarrus_observer_uses(const sarrus_Observer *observer, sarrus_SymbolKind kind);

/* A state; lists may be NULL, and their numbers then are NaN. */
typedef struct sarrus_Sight {
  double t;
  const double *q, *v, *a, *lambda, *parameters;
  const double *modes; /* symbols U: those of sarrus_sim_modes */
} sarrus_Sight;

/* values[i] of each expression; those that are not finite stay so. */
SARRUS_API void sarrus_observer_evaluate(sarrus_Observer *observer, const sarrus_Sight *sight,
                                         double *values);
/*
** The derivatives of all expressions as the state changes by `tangent`, whose lists may be NULL
** where nothing changes.  NOMEM: the first call makes room.
*/
SARRUS_API sarrus_Status sarrus_observer_slopes(sarrus_Observer *observer,
                                                const sarrus_Sight *sight,
                                                const sarrus_Sight *tangent, double *slopes);

#endif
