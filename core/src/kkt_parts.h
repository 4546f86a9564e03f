/*
** The inside of the matrix, shared by kkt.c, kkt_rank.c, kkt_factor.c and implicit_matrix.c.
*/
#ifndef SARRUS_KKT_PARTS_H
#define SARRUS_KKT_PARTS_H

#include "kkt.h"

/* How many constraints are not in the matrix. */
static inline int kkt_left_out(const Kkt *kkt) { return kkt->dependent_count + kkt->off_count; }

/* Whether the order has a pivot for each row that is not left out. */
static inline int kkt_is_whole(const Kkt *kkt) {
  return sparse_rank(kkt->sparse) + kkt_left_out(kkt) == kkt->size;
}

/* A power of two that scales x to about 1; 1 where x is 0 or out of range. */
double kkt_power_of_two(double x);
/* D from J (T10), with `sizes` as in kkt_analyse.  NONFINITE where an entry is not finite. */
sarrus_Status kkt_scale(Kkt *kkt, const double *sizes);
/* How far coordinate j moves; 1 for all where nothing is known. */
static inline double kkt_size_of(const double *sizes, int j) {
  return sizes == NULL ? 1 : sizes[j];
}
/* Limit D, so that relative to sizes that of no coordinate is far above that of the heaviest. */
void kkt_limit_scales(Kkt *kkt, const double *sizes);
/* x = J^-1 x, without refinement. */
void kkt_solve_factored(const Kkt *kkt, double *x);

/* Use these factors from now on. */
void kkt_use(Kkt *kkt, int factors);
/* Use factors 0, which have no order any more. */
void kkt_forget_order(Kkt *kkt);
/* Factor in the present order, if there is one; whether that order still serves. */
int kkt_factor_in_order(Kkt *kkt);
/*
** kkt_known.c: factor in the order that is known for the constraints that are on, if all of these
** are independent of each other there; else *served is 0: an order is to be chosen, in factors 0.
*/
sarrus_Status kkt_factor_in_known_order(Kkt *kkt, int *served);
void kkt_release_known(Kkt *kkt);

/*
** Choose an order of elimination for the rows that are not left out; scaled numbers below `nothing`
** count as zero.  It can be factored in where all of them have a pivot.
*/
sarrus_Status kkt_choose_order(Kkt *kkt, int off_diagonal, double nothing);
/* The same without the order that can be factored in: which rows have pivots, and how small. */
sarrus_Status kkt_choose_pivots(Kkt *kkt, int off_diagonal, double nothing);
/* Factor with a new order of pivots on the diagonal; whether that is good, or near singular. */
sarrus_Status kkt_factor_on_diagonal(Kkt *kkt, int *good);
/* Whether none of the pivots that were chosen is small, as they are near a singular position. */
int kkt_is_far_from_singular(const Kkt *kkt);

#endif
