/*
** Inside of the matrix: shared by kkt.c, its scales and solves, kkt_rank.c, kkt_factor.c and
** implicit_matrix.c.
*/
#ifndef SARRUS_KKT_PARTS_H
#define SARRUS_KKT_PARTS_H

#include "kkt.h"

/* How many constraints are not in the matrix. */
static inline int kkt_left_out(const Kkt *kkt) { return kkt->dependent_count + kkt->off_count; }

/* A scale for what is of size x: about 1/x, and 1 where there is nothing to scale by. */
double kkt_power_of_two(double x);
/* D from J (T10); sizes as kkt_analyse has them.  NONFINITE where an entry is. */
sarrus_Status kkt_scale(Kkt *kkt, const double *sizes);
/* How far coordinates move: all alike where nothing is known. */
static inline double kkt_size_of(const double *sizes, int j) {
  return sizes == NULL ? 1 : sizes[j];
}
/* Limit D, so that relative to sizes no coordinate has much more of it than the heaviest. */
void kkt_limit_scales(Kkt *kkt, const double *sizes);
/* x = J^-1 x, as the factors give it. */
void kkt_solve_factored(const Kkt *kkt, double *x);

/*
** Choose an order of elimination without the rows left out; scaled numbers below `nothing` count as
** zero.
*/
sarrus_Status kkt_choose_order(Kkt *kkt, int off_diagonal, double nothing);

#endif
