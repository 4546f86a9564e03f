/* Inside of the matrix: shared by kkt.c, its scales and solves, kkt_rank.c and kkt_factor.c. */
#ifndef SARRUS_KKT_PARTS_H
#define SARRUS_KKT_PARTS_H

#include "kkt.h"

/* D from J (T10): NONFINITE where an entry is. */
sarrus_Status kkt_scale(Kkt *kkt);
/* x = J^-1 x, as the factors give it. */
void kkt_solve_factored(const Kkt *kkt, double *x);

/* Choose an order of elimination without what is left out; what is scaled below `nothing` is none. */
sarrus_Status kkt_choose_order(Kkt *kkt, int off_diagonal, double nothing);

#endif
