/*
** The matrix that serves every order, and solves with it:
**
**   J = [ M  B^T ]   n rows of motion
**       [ B   0  ]   m rows of constraints
**
** (The upper right block may differ from B^T, where forces depend on multipliers, and a
** general DAE has no blocks at all: then m = 0 and n counts everything.)
**
** J is scaled on both sides, D J D with D = diag(M_jj^-1/2, 1/|row of B|), so that rank and condition
** are numbers without units; then factored once by LAPACK's LU with partial pivoting.
** Measured, us to factor: n = 13: 0.8; 48: 9.7; 96: 54.
**
** Redundant constraints.  Rows of B that depend on others, as kkt_analyse finds them, are left out
** of the factorisation; then lambda is made the shortest of all that give the same forces
** (rows scaled to unit length), so that equal rows share equally.
*/
#ifndef SARRUS_KKT_H
#define SARRUS_KKT_H

#include "block.h"
#include "sarrus/status.h"

typedef struct Kkt {
  int n, m;
  int size;             /* n + m */
  int general;          /* no blocks: scale rows only */
  double *matrix;       /* size x size by columns: J as the caller sets it */
  double *factor;       /* the same room: LU of D J D */
  double *row, *column; /* scales: D on the left and on the right */
  double *reciprocal;   /* of the pivots */
  int *pivot;
  int dependent_count;
  int *dependent;   /* per constraint: 1 if left out */
  double *null;     /* orthonormal basis of the null space of B^T D: m x dependent_count */
  double *solution; /* workspace, size */
  double smallest;  /* the smallest pivot of the last factorisation, of about 1 */
} Kkt;

/* Take a Kkt, with all its arrays, from a block of zeros. */
Kkt *kkt_take(Block *block, int n, int m, int general);

static inline double *kkt_at(Kkt *kkt, int row, int column) {
  return &kkt->matrix[row + (ptrdiff_t)column * kkt->size];
}

/*
** Find the dependent rows of B at the present matrix by a QR factorisation with pivoting; `work` has
** room for kkt_work_size doubles.
*/
size_t kkt_work_size(int n, int m);
sarrus_Status kkt_analyse(Kkt *kkt, double *work);

/* Factor the present matrix: SINGULAR where a pivot is zero to rounding, NONFINITE. */
sarrus_Status kkt_factor(Kkt *kkt);

/* x = J^-1 x; x has n + m elements. */
void kkt_solve(Kkt *kkt, double *x);

/*
** After SINGULAR: the row and the column that take the largest part in the dependency, and the
** estimated condition.
*/
typedef struct KktFault {
  int row, column;
  double condition;
} KktFault;
KktFault kkt_fault(Kkt *kkt);

#endif
