/*
** The matrix that serves every order, and solves with it:
**
**   J = [ M  B^T ]   n rows of motion
**       [ B   0  ]   m rows of constraints
**
** (The upper right block may differ from B^T, where forces depend on multipliers, and a general DAE has no blocks at
** all: then m = 0 and n counts everything.)
**
** Rank and condition are those of D J D with D = diag(M_jj^-1/2, 1/|row of B|) (T10), numbers without units.  Up to
** KKT_DENSE unknowns it is factored by LAPACK's LU with partial pivoting, which can tell the condition where it fails;
** beyond that J itself, sparse (kkt_sparse.h).  Measured, dense against sparse, thousands of instructions a step: robot (3
** unknowns) 60, 59; pendulum (5) 53, 46; double pendulum (10) 95, 62; chain of 10 (50), us a step: 207, 77.  OpenBLAS
** begins to use threads at 50, which makes it slower still.
**
** Redundant constraints.  Rows of B that depend on others, as kkt_analyse finds them, are left out of the
** factorisation; then lambda is made the shortest of all that give the same forces (rows scaled to unit length), so
** that equal rows share equally.
*/
#ifndef SARRUS_KKT_H
#define SARRUS_KKT_H

#include "block.h"
#include "kkt_sparse.h"
#include "sarrus/memory.h"
#include "sarrus/status.h"

enum { KKT_DENSE = 12 };

/* Where the entries of J are: row i has entries start[i] to start[i+1] - 1, in these columns. */
typedef struct Pattern {
  int size;
  const int *start, *column;
} Pattern;

/* The elements of a vector that are not 0: from <= i < to */
typedef struct Reach {
  int from, to;
} Reach;

typedef struct Kkt {
  sarrus_Memory memory;
  Pattern pattern;
  int n, m;
  int size;             /* n + m */
  int general;          /* no blocks: scale rows only */
  double *value;        /* the entries of J, as the caller sets them */
  double *row, *column; /* scales: D on the left and on the right */
  int dependent_count;
  int *dependent;  /* per constraint: 1 if left out */
  double allowed;  /* what may be new in a dependent row */
  int settled;     /* sparse: a factorisation has confirmed how many there are */
  double *null;    /* orthonormal basis of the null space of B^T D: m x dependent_count */
  Reach *reach;    /* of these vectors */
  int null_known;  /* for the present factors */
  double *inverse; /* D^-1 of the constraints, where there is a null space */
  int null_capacity;
  double *solution, *right, *residual; /* workspace, size each */
  double smallest;    /* the smallest pivot of the last factorisation, of about 1 */
  double *factor;     /* dense: size x size by columns, LU of D J D */
  double *reciprocal; /* dense: of the pivots */
  int *pivot;         /* dense: row exchanges */
  Sparse *sparse;     /* NULL: dense */
  double steady;      /* sparse: the least part of its row that a pivot is */
  int off_diagonal;   /* sparse: the order was chosen next to a singular position */
} Kkt;

/* Take a Kkt from a block of zeros; kkt_release gives back what it allocates besides. */
Kkt *kkt_take(Block *block, Pattern pattern, int n, int m, int general);
void kkt_open(Kkt *kkt, sarrus_Memory memory);
void kkt_release(Kkt *kkt);

/*
** Find the dependent rows of B at the present values, where less than `allowed` of a row is new (0: than rounding leaves
** it); sparse: also the order of elimination.
*/
sarrus_Status kkt_analyse(Kkt *kkt, double allowed);

/* The sparse part, made where there is none yet; NULL without memory. */
Sparse *kkt_sparse(Kkt *kkt);
/* Dependent rows and, sparse, the order of elimination having been set from outside (restoring): as kkt_analyse. */
sarrus_Status kkt_follow(Kkt *kkt, int rank);

/*
** Factor at the present values: SINGULAR where a pivot is zero to rounding, NONFINITE.  Where the order of elimination
** no longer suits the values, it is chosen anew, which allocates.
*/
sarrus_Status kkt_factor(Kkt *kkt);

/* x = J^-1 x, for the coefficients of a stage; x has n + m elements. */
void kkt_solve(Kkt *kkt, double *x, int stage);
/* The same where only the first n are wanted: some lambda of those that give the same forces will do. */
void kkt_solve_motion(Kkt *kkt, double *x);
/* A basis of the multipliers that exert no force, from the factors; kkt_solve finds it where it is not known yet. */
void kkt_find_null_space(Kkt *kkt);
/* Make lambda the shortest of all that give the same forces (T12). */
void kkt_shorten(Kkt *kkt, double *lambda);

/* About 1 / |(D J D)^-1|, which falls to 0 where J loses its rank. */
double kkt_rank_margin(const Kkt *kkt);

/* Multiplications of a factorisation and of a solve; sparse: after kkt_analyse. */
void kkt_cost(const Kkt *kkt, double *factor, double *solve);

/* sum_j J_ij x_j, over the columns below `columns` */
double kkt_row_times(const Kkt *kkt, int row, const double *x, int columns);

/*
** After SINGULAR: the row and the column that take the largest part in the dependency (-1: none), and the estimated condition.
*/
typedef struct KktFault {
  int row, column;
  double condition;
} KktFault;
KktFault kkt_fault(Kkt *kkt);

#endif
