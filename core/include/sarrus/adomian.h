/*
** Adomian polynomials in symbols.
**
** For a function N of m variables, each with components u_j0, u_j1, ... (j = 0 .. m-1), A_k is the
** coefficient of L^k in N(sum_i L^i u_0i, ..., sum_i L^i u_(m-1)i).  Numbers do not come from
** here: run a series through N, its coefficients are the A_k.
**
** The symbols, up to order n:
**   u_ji                        (SARRUS_U, sarrus_adomian_component(n, j, i))
**   N^(p_0, ..., p_(m-1))(u_.0)  (SARRUS_U, m (n+1) + sum_j p_j (n+1)^j), for a general N
*/
#ifndef SARRUS_ADOMIAN_H
#define SARRUS_ADOMIAN_H

#include "sarrus/expr.h"
#include "sarrus/export.h"
#include "sarrus/status.h"

/* The symbol's index; SARRUS_NONE where there is none. */
SARRUS_API int sarrus_adomian_component(int order, int variable, int component);

/*
** polynomials[k] = A_k for k = 0 .. order.  f is N in the symbols u_j0, or SARRUS_NONE for a
** general N.  Answers LIMIT where the polynomials have too many terms (one variable: above order
** 41; two: 20).
*/
SARRUS_API sarrus_Status sarrus_adomian_expand(sarrus_Graph *graph, sarrus_Expr f, int variables,
                                               int order, sarrus_Expr *polynomials);

#endif
