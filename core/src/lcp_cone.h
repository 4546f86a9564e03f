/*
** Coulomb friction in space: contact i has the normal row i and two slips at right angles, the rows
** n + i and 2 n + i (of zeros where there is none).  As planar friction (lcp.h), but that
**
**   |T| <= mu N,  T = -mu N a_t / |a_t| where a_t, a pair like T, is not 0.
*/
#ifndef SARRUS_LCP_CONE_H
#define SARRUS_LCP_CONE_H

#include "lcp.h"

size_t cone_work_size(int n);

/*
** W is 3n x 3n, forces and rates 3n; modes and ties are not answered.  All is at rest: no slip.
** `size` is that of the rates, b / W_ii^1/2, which those given have the rounding of.
*/
LcpStatus cone_solve(const FrictionProblem *problem, double size, const FrictionAnswer *answer,
                     void *work);

/*
** Near an answer: with this many directions, from `along` (2n) on.  Up to so many contacts, since
** unknowns are 2 + count for each.
*/
enum { MOST_FACETS = 32, FACETS_SMALL = 16 };

size_t facets_work_size(int n);

LcpStatus facets_solve(const FrictionProblem *problem, int count, const double *along,
                       const FrictionAnswer *answer, void *work);

/* What forces do. */
void cone_find_rates(const FrictionProblem *problem, const FrictionAnswer *answer);

/* What `how_far` answers where the law is met; and from where on it may get no nearer. */
static const double CONE_ENOUGH = 1e-15, CONE_ROUNDING = 1e-12;

size_t newton_work_size(int n);

/* From forces and rates that are near an answer. */
LcpStatus newton_solve(const FrictionProblem *problem, double (*how_far)(const void *of),
                       const void *of, const FrictionAnswer *answer, void *work);

#endif
