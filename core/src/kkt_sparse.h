/*
** Sparse LU with a fixed order of elimination.
**
** The order is chosen once, by numbers: Markowitz' rule (least fill first) among entries that are
** not small in their row.  From it follows the pattern of L and U; each later factorisation only
** fills in numbers, and tells how small pivots have become, so that the order can be chosen anew.
** Trees and chains cost O(n).
**
** Decision.  SuiteSparse's KLU does the same; it would be one more package to ask of whoever
** installs the rock, for what is 900 lines here.  LDL^T would halve the work, but asks for pivots
** of both signs in an order that massless coordinates and general DAEs do not allow.
*/
#ifndef SARRUS_KKT_SPARSE_H
#define SARRUS_KKT_SPARSE_H

#include "sarrus/memory.h"
#include "sarrus/status.h"

typedef struct Sparse Sparse;

/* Powers of two, such that the entries of R A C are of size 1 or so. */
typedef struct Scales {
  const double *row, *column; /* the diagonals of R and C */
} Scales;

/*
** Rows from `first` on may depend on each other.  Rows that are flagged, and their columns, are
** left out of the matrix.
*/
typedef struct LeftOut {
  int first;
  const int *flag;
} LeftOut;

/* For matrices of this pattern, size > 0, no entry twice.  NULL without memory. */
Sparse *sparse_new(sarrus_Memory memory, int size, const int *start, const int *column);
void sparse_free(Sparse *sparse);

/*
** Whether sparse_order prefers pivots on the diagonal, as it should where the matrix is about
** symmetric in numbers.
*/
void sparse_prefer_diagonal(Sparse *sparse, int prefer);
/*
** Choose the order of elimination at these values.  Rows of which less than `nothing` remains after
** scaling (rounding at least) get no pivot, and are left over.
*/
sarrus_Status sparse_order(Sparse *sparse, const double *value, Scales scales, LeftOut left_out,
                           double nothing);
/* No order is known: the rank is 0. */
void sparse_forget(Sparse *sparse);
/* Rows and columns that were left over: the matrix has this rank. */
int sparse_rank(const Sparse *sparse);
/* Pivot k is in row row_of[k], column column_of[k], k < rank; the left-over ones follow. */
int *sparse_rows(Sparse *sparse);
int *sparse_columns(Sparse *sparse);
/* After sparse_factor: the least pivot, and log2 of the product of all, scaled. */
int sparse_least(const Sparse *sparse, Scales scales);
double sparse_log_determinant(const Sparse *sparse, Scales scales);
/* Room for `size` ints, free between calls. */
int *sparse_scratch(Sparse *sparse);
/* The order having been set from outside (restoring): the patterns that follow from it. */
sarrus_Status sparse_follow(Sparse *sparse, int rank);

/* Multiplications of a factorisation and of a solve. */
void sparse_cost(const Sparse *sparse, double *factor, double *solve);

/*
** Factor.  *smallest is the least pivot of R A C, *steady the least ratio of a pivot to the largest
** entry in its row of U: rounding may have grown by its reciprocal.  Nothing fails here; where a
** number is not finite, *steady is 0.
**
** Powers of two commute with rounding: the factors are those of A itself, and solves need no
** scales.
*/
void sparse_factor(Sparse *sparse, const double *value, Scales scales, double *smallest,
                   double *steady);
/* x = A^-1 x; left-over unknowns come out as 0. */
void sparse_solve(Sparse *sparse, double *x);

#endif
