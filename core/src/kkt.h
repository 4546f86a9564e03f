/*
** The matrix that serves every order, and solves with it:
**
**   J = [ M  B^T ]   n rows of motion
**       [ B   0  ]   m rows of constraints
**
** (The upper right block may differ from B^T, where forces depend on multipliers, and a general DAE
** has no blocks at all: then m = 0 and n counts everything.)
**
** Rank and condition are those of D J D with D = diag(M_jj^-1/2, 1/|row of B|) (T10), numbers
** without units.  J itself is factored, sparse (kkt_sparse.h).  LAPACK's dense LU would be no
** faster for the smallest (thousands of instructions a step, dense against sparse: robot, 3
** unknowns, 60, 59; pendulum, 5, 53, 46; double pendulum, 10, 95, 62; chain of 10, us a step: 207,
** 77), and its digits differ from one LAPACK to another.
**
** Redundant constraints.  Rows of B that depend on others are left out of the matrix, with their
** columns; then lambda is made the shortest of all that give the same forces (rows scaled to unit
** length), so that equal rows share equally.  kkt_analyse finds how many there are; which of them
** to leave out follows from what they are made of, and changes as the mechanism moves
** (kkt_exchange).
*/
#ifndef SARRUS_KKT_H
#define SARRUS_KKT_H

#include "block.h"
#include "kkt_sparse.h"
#include "sarrus/memory.h"
#include "sarrus/status.h"

/* Where the entries of J are: row i has entries start[i] to start[i+1] - 1, in these columns. */
typedef struct Pattern {
  int size;
  const int *start, *column;
} Pattern;

/* The elements of a vector that are not 0: from <= i < to */
typedef struct Reach {
  int from, to;
} Reach;

/* The kept row that contributes most to a left-out row. */
typedef struct Exchange {
  int left_out, kept;
  double part; /* relative to the left-out one */
} Exchange;

/* A constraint that is off does not act: its multiplier is 0. */
enum { KKT_KEPT, KKT_DEPENDENT, KKT_OFF };

typedef struct Kkt {
  sarrus_Memory memory;
  Pattern pattern;
  int n, m;
  int size;             /* n + m */
  int general;          /* no blocks: scale rows only */
  double *value;        /* the entries of J, as the caller sets them */
  double *row, *column; /* scales: D on the left and on the right, by kkt_analyse */
  int dependent_count, off_count;
  int *dependent; /* per constraint: KKT_KEPT, or why it is left out */
  double *
      null; /* orthonormal basis of the null space of B^T, by these measures: m x dependent_count */
  Reach *reach;   /* of these vectors */
  int null_known; /* for the present factors */
  int *elements;  /* workspace: of a null vector, which are not 0 */
  double *share;  /* per constraint: of what several hold it takes as much as this is; 0: as D is */
  double *measure; /* the shares, or D: null vectors are measured by them, where there are such */
  double *inverse; /* 1 / measure */
  int null_capacity;
  Exchange exchange;
  double null_volume;                  /* log2 of the part of the null space in the left-out rows */
  double *solution, *right, *residual; /* workspace, size each */
  double smallest;  /* the smallest pivot of the last factorisation, of about 1 */
  double steady;    /* the least part of its row that a pivot is */
  Sparse *sparse;   /* made with the first order */
  int off_diagonal; /* the order was chosen next to a singular position */
  int wary;         /* scales do not spread to coordinates without mass by what may be rounding */
} Kkt;

/* Whether a row of the matrix is that of a constraint that is off. */
static inline int kkt_is_off(const Kkt *kkt, int row) {
  return row >= kkt->n && kkt->off_count > 0 && kkt->dependent[row - kkt->n] == KKT_OFF;
}

/* Take a Kkt from a block of zeros; kkt_release gives back what it allocates besides. */
Kkt *kkt_take(Block *block, Pattern pattern, int n, int m, int general);
void kkt_open(Kkt *kkt, sarrus_Memory memory);
void kkt_release(Kkt *kkt);

/*
** Find how many rows of B are dependent at the present values, where less than `allowed` of a row
** is new (0: than rounding leaves it), and leave out as many.  The sizes of the n coordinates,
** which tell how far they move, decide where masses mislead; NULL: all alike.
*/
sarrus_Status kkt_analyse(Kkt *kkt, double allowed, const double *sizes);
/*
** The same where rows that were left out turn out to be needed: small numbers may be rounding.
*/
sarrus_Status kkt_analyse_warily(Kkt *kkt, double allowed, const double *sizes);
/* Leave out these rows, `count` of them dependent, all others being kept. */
sarrus_Status kkt_leave_out(Kkt *kkt, const int *dependent, int count);
/*
** Turn constraints off or on, by a flag for each.  Call kkt_analyse then: it finds which of those
** that are on depend on others.
*/
void kkt_turn_off(Kkt *kkt, const int *off);
/*
** After factoring.  Where a left-out row contains some kept row with a factor far above 1, the kept
** rows are about to depend on each other: the two change places, and the answer is 1: factor again.
*/
int kkt_exchange(Kkt *kkt);

/*
** The sparse part, made where there is none yet; NULL without memory, or where there is nothing to
** solve.
*/
Sparse *kkt_sparse(Kkt *kkt);
/*
** The end of kkt_analyse, when dependent rows and the order of elimination come from a saved
** simulation.
*/
sarrus_Status kkt_follow(Kkt *kkt, int rank);

/*
** Factor at the present values: SINGULAR where a pivot is zero to rounding, NONFINITE.  Where the
** order of elimination no longer suits the values, it is chosen anew, which allocates.
*/
sarrus_Status kkt_factor(Kkt *kkt);
/* Whether kkt_factor does no more than fill in numbers, where that gives these (not `general`). */
int kkt_order_serves(double smallest, double steady, int off_diagonal);

/* How often a solve of a stage is refined, by the pivots of the factors. */
int kkt_refinements(double smallest, double steady, int stage);
/* x = J^-1 x, for the coefficients of a stage; x has n + m elements. */
void kkt_solve(Kkt *kkt, double *x, int stage);
/* The same where only the first n are wanted: any lambda that gives the same forces will do. */
void kkt_solve_motion(Kkt *kkt, double *x);
/*
** Both for right-hand sides that stand side by side: as many as a row of x is wide, in whole Lanes
** or 1.  Room: three times that of x.
*/
void kkt_solve_rows(Kkt *kkt, double *x, int width, int stage, double *room);
void kkt_solve_motion_rows(Kkt *kkt, double *x, int width, double *room);
/*
** A basis of the multipliers that exert no force, from the factors; kkt_solve finds it where it is
** not known yet.
*/
void kkt_find_null_space(Kkt *kkt);
/* Make lambda the shortest of all that give the same forces (T12). */
void kkt_shorten(Kkt *kkt, double *lambda);

/* Of what several hold a constraint takes as much, relative to others, as this is; 0: as D is. */
void kkt_set_share(Kkt *kkt, int constraint, double share);

/* A right-hand side without a pattern shows the size of the inverse, or nearly so: element i. */
double kkt_probe(int i);
/* About 1 / |(D J D)^-1|, which falls to 0 where J loses its rank. */
double kkt_rank_margin(const Kkt *kkt);

/*
** log2 |det D J D| of the kept rows, relative to the best choice of them.  The same number
** whichever rows are kept, since the volumes of null space and row space complement each other.
*/
double kkt_log_volume(Kkt *kkt);

/* Multiplications of a factorisation and of a solve, in the present order. */
void kkt_cost(const Kkt *kkt, double *factor, double *solve);

/* sum_j J_ij x_j, over the columns below `columns` */
double kkt_row_times(const Kkt *kkt, int row, const double *x, int columns);

/*
** After SINGULAR: the row and the column that take the largest part in the dependency (-1: none),
** and the estimated condition.
*/
typedef struct KktFault {
  int row, column;
  double condition;
} KktFault;
KktFault kkt_fault(Kkt *kkt);

#endif
