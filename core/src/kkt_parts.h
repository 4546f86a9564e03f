/*
** The inside of the matrix, shared by kkt.c, kkt_rank.c, kkt_factor.c and implicit_matrix.c.
*/
#ifndef SARRUS_KKT_PARTS_H
#define SARRUS_KKT_PARTS_H

#include "kkt.h"

/* How many constraints are not in the matrix. */
static inline int kkt_left_out(const Kkt *kkt) { return kkt->dependent_count + kkt->off_count; }

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

/*
** Choose an order of elimination for the rows that are not left out; scaled numbers below `nothing`
** count as zero.
*/
sarrus_Status kkt_choose_order(Kkt *kkt, int off_diagonal, double nothing);

#endif
