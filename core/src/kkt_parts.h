/* Inside of the matrix: shared by kkt.c, its scales and solves, kkt_rank.c and kkt_factor.c. */
#ifndef SARRUS_KKT_PARTS_H
#define SARRUS_KKT_PARTS_H

#include "kkt.h"

/* D from J (T10): NONFINITE where an entry is. */
sarrus_Status kkt_scale(Kkt *kkt);
/* Entry e of D J D, which is in row i. */
static inline double kkt_scaled(const Kkt *kkt, int i, int e) {
  return kkt->value[e] * kkt->row[i] * kkt->column[kkt->pattern.column[e]];
}
/* x = J^-1 x, as the factors give it. */
void kkt_solve_factored(const Kkt *kkt, double *x);

/* Sparse: choose the order of elimination; and note what it left over, SINGULAR where that is not a constraint. */
sarrus_Status kkt_choose_order(Kkt *kkt);
sarrus_Status kkt_note_left_over(Kkt *kkt);

#endif
