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
** length), so that equal rows share equally.  kkt_analyse finds how many rows are dependent.  Which
** of them to leave out is decided by the parts that kept rows have in them, and changes as the
** mechanism moves (kkt_exchange).
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

/* The elements of a vector that may differ from 0: from <= i < to */
typedef struct Reach {
  int from, to;
} Reach;

/* The kept row with the largest part in a left-out row, and that row. */
typedef struct Exchange {
  int left_out, kept;
  double part; /* its factor in the left-out row, in scaled rows */
} Exchange;

/* A constraint that is off does not act: its multiplier is 0. */
enum { KKT_KEPT, KKT_DEPENDENT, KKT_OFF };

/* An order of elimination, and what was factored in it last. */
typedef struct KktFactors {
  Sparse *sparse;
  int *off;        /* of an order that is known: per constraint, whether it is off */
  double *numbers; /* the entries of J, then D on the left and on the right */
  int chosen;      /* of an order that is known: there was memory for it */
  int factored;    /* the factors are those of `numbers` */
  double smallest, steady, margin; /* margin: 0, it has not been asked for */
} KktFactors;

/* Factors 0 are in the order that was chosen last; the others are of orders that are known. */
enum { KKT_KNOWN = 8 };

typedef struct Kkt {
  sarrus_Memory memory;
  Pattern pattern;
  int n, m;
  int size;             /* n + m */
  int general;          /* no blocks: scale rows only */
  int knows_orders;     /* constraints go on and off: orders for the same ones are kept */
  double *value;        /* the entries of J, as the caller sets them */
  double *row, *column; /* scales: D on the left and on the right, by kkt_analyse */
  int dependent_count, off_count;
  unsigned turns;  /* how often other ones have been turned off */
  int *dependent;  /* per constraint: KKT_KEPT, or why it is left out */
  double *null;    /* basis of the null space of B^T, orthonormal in `measure`: m numbers each */
  Reach *reach;    /* per vector of that basis */
  int null_known;  /* whether the basis belongs to the present factors */
  int rubs;        /* columns of some constraints are not their rows: friction goes with them */
  double *ways;    /* then: per vector, how motion and multipliers change along it: size each */
  int *elements;   /* workspace: the indices of a null vector's elements that are not 0 */
  double *share;   /* per constraint: its weight where redundant ones share a load; 0: D */
  double *measure; /* per constraint: share, or D where that is 0, as null vectors are measured */
  double *inverse; /* 1 / measure */
  unsigned char *even; /* per constraint: whether it is measured as all others that are so */
  int null_capacity, ways_capacity;
  Exchange exchange;
  double null_volume;                  /* log2 of the part of the null space in the left-out rows */
  double *solution, *right, *residual; /* workspace, size each */
  double smallest; /* the smallest pivot of the last factorisation, scaled to about 1 */
  double steady;   /* the least ratio of a pivot to the largest entry of its row */
  double allowed;  /* relative errors of stages from 1 on that do not matter; 0: none */
  KktFactors factors[1 + KKT_KNOWN];
  int in_use, known_count, next_known; /* of these; where there is no room, the next one goes */
  Sparse *sparse;   /* of the factors in use; made when an order is first chosen */
  int off_diagonal; /* the order has pivots off the diagonal, as near a singular position */
  int wary;         /* scales of massless coordinates are not found from entries at rounding */
} Kkt;

/* Whether a row of the matrix is that of a constraint that is off. */
static inline int kkt_is_off(const Kkt *kkt, int row) {
  return row >= kkt->n && kkt->off_count > 0 && kkt->dependent[row - kkt->n] == KKT_OFF;
}

/* Take a Kkt from a zeroed block; kkt_release frees what it allocates besides. */
Kkt *kkt_take(Block *block, Pattern pattern, int n, int m, int general);
void kkt_open(Kkt *kkt, sarrus_Memory memory);
void kkt_release(Kkt *kkt);

/*
** Find the dependent rows of B at the present values and leave them out: rows of which less than
** the part `allowed` is independent of the others (0: less than rounding).  `sizes` tells how far
** each of the n coordinates moves, which decides where masses mislead; NULL: all alike.
*/
sarrus_Status kkt_analyse(Kkt *kkt, double allowed, const double *sizes);
/*
** The same, for use when rows that were left out turn out to be needed: no entry is taken as
** rounding, however small.
*/
sarrus_Status kkt_analyse_boldly(Kkt *kkt, double allowed, const double *sizes);
/* Leave out the rows that are not KKT_KEPT in this list; `count` of them are dependent. */
sarrus_Status kkt_leave_out(Kkt *kkt, const int *dependent, int count);
/*
** Turn constraints off or on, by a flag for each.  Call kkt_analyse then: it finds which of those
** that are on depend on others.
*/
void kkt_turn_off(Kkt *kkt, const int *off);
/*
** Call after factoring.  Where a left-out row contains some kept row with a factor far above 1, the
** kept rows are about to depend on each other: then the two change places and 1 is returned, which
** means that the matrix has to be factored again.
*/
int kkt_exchange(Kkt *kkt);

/*
** The sparse part, made if there is none yet; NULL without memory, or for a matrix of size 0.
*/
Sparse *kkt_sparse(Kkt *kkt);
/* The same of factors 0, which are in use from now on: an order is about to be set. */
Sparse *kkt_own_sparse(Kkt *kkt);
/*
** Does the last part of kkt_analyse, for dependent rows and an order of elimination that come from
** a saved simulation.
*/
sarrus_Status kkt_follow(Kkt *kkt, int rank);

/*
** Factor at the present values: SINGULAR where a pivot is zero to rounding, NONFINITE where a value
** is not finite.  Where the order of elimination no longer suits the values, a new one is chosen,
** which allocates.
*/
sarrus_Status kkt_factor(Kkt *kkt);
/* Whether kkt_factor keeps an order that gives such pivots (not for `general`). */
int kkt_order_serves(double smallest, double steady, int off_diagonal);

/* How often a solve of a stage is refined, by the pivots of the factors, */
int kkt_refinements(double smallest, double steady, int stage);
/* unless, from stage 1 on, what it errs by without that is allowed. */
int kkt_errs_within(double allowed, double smallest, double steady);
/* x = J^-1 x, for the coefficients of a stage; x has n + m elements. */
void kkt_solve(Kkt *kkt, double *x, int stage);
/* The same where only the first n are wanted: lambda is any that gives the same forces. */
void kkt_solve_motion(Kkt *kkt, double *x);
/*
** The same without being refined; and whether that is as good, the solution, relative to the sizes
** of what it is added to, being so large.
*/
void kkt_solve_small_motion(Kkt *kkt, double *x);
int kkt_is_small_motion(double size, double smallest, double steady);
/*
** Both for several right-hand sides, side by side: each row of x holds `width` numbers, whole Lanes
** or 1.  `room` is workspace, three times as long as x.
*/
void kkt_solve_rows(Kkt *kkt, double *x, int width, int stage, double *room);
void kkt_solve_motion_rows(Kkt *kkt, double *x, int width, double *room);
/*
** Find a basis of the multipliers that exert no force, from the factors; kkt_solve calls this if
** needed.
*/
void kkt_find_null_space(Kkt *kkt);
/* Make lambda the shortest of all that give the same forces (T12). */
void kkt_shorten(Kkt *kkt, double *lambda);
/* The same of a whole solution, motion and lambda: what rubs moves otherwise (T75). */
void kkt_shorten_all(Kkt *kkt, double *x);

/* The weight of a constraint where several redundant ones share a load; 0: its scale D. */
void kkt_set_share(Kkt *kkt, int constraint, double share);
/* Those that are even share as if their rows had one length. */
void kkt_set_even(Kkt *kkt, int constraint, int even);
/* Whether friction goes with the multipliers of some constraints. */
void kkt_set_rubs(Kkt *kkt, int rubs);

/* Element i of a right-hand side without a pattern: its solution is nearly as large as any. */
double kkt_probe(int i);
/* About 1 / |(D J D)^-1|, which falls to 0 where J loses its rank. */
double kkt_rank_margin(Kkt *kkt);

/*
** log2 |det D J D| of the kept rows, relative to the best choice of them (T37).  It is the same
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
