/*
** Sparse LU with a fixed order of elimination.
**
** The order is chosen once, at given values: Markowitz' rule (least fill first) among entries that
** are not small in their row.  It determines the pattern of L and U.  Each later factorisation only
** fills in numbers and reports how small pivots have become, so that a new order can be chosen when
** needed.  Trees and chains cost O(n).
**
** Decision.  SuiteSparse's KLU does the same.  Measured beside it (5.12; COLAMD, no BTF, its best
** setting on the whole: AMD fills grids 2 to 6 times as much), with AVX2, on matrices of models
** ordered at one position and factored at a later one.  Thousands of instructions, this / KLU, each
** with the ratio of times, this by KLU; "step" is the ratio for a factorisation and 20 solves:
**
**                        unknowns  factor         time  solve        time  order  L + U  step
**   chain of 4                 20  4.3 / 6.7      0.66  0.8 / 2.1    0.40  1.6    0.98   0.43
**   four-bar of hinges         82  33 / 43        0.83  3.5 / 10     0.54  2.4    1.04   0.59
**   arm of 6 joints           150  89 / 123       0.84  7.9 / 24     0.47  5.4    0.97   0.54
**   Stewart platform          318  307 / 333      1.08  20 / 62      0.44  5.8    1.13   0.56
**   chain of 100              500  121 / 196      0.72  19 / 53      0.38  1.8    0.94   0.41
**   spatial chain of 20       500  620 / 564      1.13  30 / 97      0.46  2.4    1.10   0.61
**   grid of 8 x 8 loops       848  2009 / 2069    0.89  61 / 231     0.34  2.0    1.05   0.52
**   star of 300 rods         1505  325 / 480      0.80  54 / 131     0.56  0.3    1.06   0.59
**   grid of 15 x 15          2850  32387 / 15528  2.02  291 / 1040   0.56  5.9    1.38   1.17
**   grid of 30 x 30         11100  180494/149439  1.25  1309 / 5461  0.87  4.4    1.24   1.01
**   spatial chain of 1000   25000  42519 / 29736  1.55  1661 / 5011  0.91  3.7    1.23   1.03
**   chain of 20000         100000  24374 / 39240  0.88  3695 / 10540 0.66  1.7    0.94   0.68
**
** "order" and "L + U" are ratios too, of the time to choose an order (with KLU's first factors) and
** of entries.  Relative to matrix and solution KLU's residuals are below 2e-15, these below 3e-16.
** (The four-bar was ordered where it was factored: its left-out rows had changed.)
**
** Solves decide, since every order of a series is one: up to 1500 unknowns this takes about half of
** KLU's time, beyond that 0.7 to 1.2 of it.  Only orders take longer.  Most serve for tens of steps
** (chain of 10, 24 steps: 1 order; Stewart, 13: 1; arm, 45: 2); the four-bar's, where redundant
** rows change places, serve for 4 (114: 30), and with their time it comes out even.  KLU would be
** one more package to ask of whoever installs the rock, for what is 900 lines here, and does not
** find which rows depend on others.  LDL^T would halve the work, but asks for pivots of both signs
** in an order that massless coordinates and general DAEs do not allow.
*/
#ifndef SARRUS_KKT_SPARSE_H
#define SARRUS_KKT_SPARSE_H

#include "sarrus/memory.h"
#include "sarrus/status.h"

typedef struct Sparse Sparse;

/* Powers of two that scale the entries of R A C to about 1. */
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
** Choose the order of elimination at these values.  Rows of which less than `nothing` remains, in
** scaled numbers, get no pivot; `nothing` is at least rounding.
*/
sarrus_Status sparse_order(Sparse *sparse, const double *value, Scales scales, LeftOut left_out,
                           double nothing);
/* The same in two halves, for who wants pivots of all rows or none: the second makes the order one
** that can be factored in. */
sarrus_Status sparse_choose_pivots(Sparse *sparse, const double *value, Scales scales,
                                   LeftOut left_out, double nothing);
sarrus_Status sparse_group_pivots(Sparse *sparse);
/* The least of the pivots that were chosen, scaled: that of the factors, but for rounding. */
double sparse_least_chosen(const Sparse *sparse);
/* Discard the order: the rank is 0. */
void sparse_forget(Sparse *sparse);
/* How many pivots the order has. */
int sparse_rank(const Sparse *sparse);
/* Pivot k < rank is in row sparse_rows[k], column sparse_columns[k]; then follow the rows and
** columns without a pivot. */
int *sparse_rows(Sparse *sparse);
int *sparse_columns(Sparse *sparse);
/* After sparse_factor: which pivot is least, and log2 of the product of all; both scaled. */
int sparse_least(const Sparse *sparse, Scales scales);
double sparse_log_determinant(const Sparse *sparse, Scales scales);
/* Room for `size` ints, free between calls. */
int *sparse_scratch(Sparse *sparse);
/* After rows and columns of the order have been set from outside (restoring): find the patterns. */
sarrus_Status sparse_follow(Sparse *sparse, int rank);

/* Multiplications of a factorisation and of a solve. */
void sparse_cost(const Sparse *sparse, double *factor, double *solve);

/*
** Factor.  *smallest is the least pivot of R A C, *steady the least ratio of a pivot to the largest
** entry in its row of U: rounding may have grown by its reciprocal.  Nothing fails here; where a
** number is not finite, *steady is 0.
**
** Scaling by powers of two commutes with rounding: the factors are those of A itself, and solves
** need no scales.
*/
void sparse_factor(Sparse *sparse, const double *value, Scales scales, double *smallest,
                   double *steady);
/* x = A^-1 x; unknowns without a pivot come out as 0. */
void sparse_solve(Sparse *sparse, double *x);
/* x = A^-T x; equations whose rows have no pivot are left out: their elements come out as 0. */
void sparse_solve_transposed(Sparse *sparse, double *x);
/*
** The same for several right-hand sides, `width` of them side by side, in whole Lanes; y is
** workspace as long as x.
*/
void sparse_solve_rows(const Sparse *sparse, double *x, int width, double *y);

#endif
