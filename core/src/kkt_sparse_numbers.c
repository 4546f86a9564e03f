/* Sparse LU with a fixed order: factors and solves. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "kkt_sparse_parts.h"

#define INLINE static inline __attribute__((always_inline)) /* so that VECTOR_CLONES covers it */

typedef long long Bits __attribute__((vector_size(LANES * sizeof(long long))));

/* --- factors ----------------------------------------------------------------------------- */

/* Put the rows of a block of A into the workspace, each entry at the place of its column. */
INLINE void scatter(const Sparse *sparse, int first, int after, const double *value, Tile *w) {
  for (int k = first; k < after; k++) {
    const int row = sparse->row_of[k];
#pragma GCC unroll 2
    for (int i = sparse->start[row]; i < sparse->start[row + 1]; i++)
      ((double *)w)[sparse->at[i]] = value[i];
  }
}

/* What row j takes from the rows of a block, which have `f` of it. */
INLINE void take_row(const Sparse *sparse, int j, const Tile *f, Tile *w) {
  const int *start = sparse->upper.start + j, *at = sparse->u_at;
  const double *value = sparse->u_value;
  const Tile factor = *f;
#pragma GCC unroll 2
  for (int u = start[0]; u < start[1]; u++)
    *(Tile *)((double *)w + at[u]) += factor * value[u];
}

/*
** Entries of a block left of it become those of L D, of which L is kept.  The rows that have none
** in a column have 0 there, which changes nothing.
*/
INLINE void take_earlier(const Sparse *sparse, int block, const double *reciprocal, Tile *w) {
  const Factor *lower = &sparse->lower;
  Tile *value = (Tile *)lower->value + 2 * blocks_of(sparse) * (LANES - 1);
  for (int i = lower->begin[block]; i < lower->begin[block + 1]; i++) {
    const int j = lower->from.items[i];
    const Tile f = w[j];
    value[i] = -f * reciprocal[j];
    w[j] = (Tile){0};
    take_row(sparse, j, &f, w);
  }
}

/* The same within the block: column k, from the rows below it. */
INLINE void take_own(const Sparse *sparse, int k, double reciprocal, Tile *w) {
  static const Bits below[LANES] = {{0, -1, -1, -1}, {0, 0, -1, -1}, {0, 0, 0, -1}, {0}};
  const int c = k % LANES;
  Tile *own = (Tile *)sparse->lower.value + blocks_of(sparse) * (LANES - 1);
  const Tile f = (Tile)((Bits)w[k] & below[c]);
  w[k] = (Tile){0};
  if (c == LANES - 1) return;
  own[k / LANES * (LANES - 1) + c] = -f * reciprocal;
  take_row(sparse, k, &f, w);
}

/* Move row k of D U from the workspace, leaving zeros, to row k of -U; returns the largest entry of
** D U, scaled. */
INLINE double gather(const Sparse *sparse, int k, double reciprocal, Tile *tiles) {
  const Factor *upper = &sparse->upper;
  double *w = (double *)tiles + k % LANES, largest = 0;
  for (int u = upper->start[k]; u < upper->start[k + 1]; u++) {
    double *from = w + sparse->u_at[u];
    const double x = *from, size = fabs(x) * sparse->scale[upper->index.items[u]];
    *from = 0;
    sparse->u_value[u] = upper->value[upper->place[u]] = x * -reciprocal;
    if (size > largest) largest = size;
  }
  return largest;
}

/*
** A block's own part of L or U is 1 - N.  It is inverted by halves: first within each half, then
** from one half to the other,
**   (1 - N)^-1 = (1 + P) (1 + Q),   Q = (n10, n32),   P = (1 + Q) N between the halves
** The whole inverse would be faster, but lose digits (a star of 300 rods: residuals 6 times as
** large).  Element (r, c) of L is at [4 c + r], r > c; U is L from the other end, at the last
** element.
*/
INLINE void invert(const double *n, int step, double *inverse) {
  const double n20 = n[step * 2], n21 = n[step * 6], n32 = n[step * 11];
  inverse[step] = n[step];
  inverse[step * 3] = n32;
  inverse[step * 6] = n20;
  inverse[step * 7] = n[step * 3] + n32 * n20;
  inverse[step * 10] = n21;
  inverse[step * 11] = n[step * 7] + n32 * n21;
}

static void invert_blocks(const Sparse *sparse) {
  const int all = blocks_of(sparse) * OWN;
  double *lower = sparse->lower.value, *upper = sparse->upper.value + OWN - 1;
  for (int i = 0; i < all; i += OWN) {
    invert(lower + all + i, 1, lower + i);
    invert(upper + all + i, -1, upper + i);
  }
}

typedef struct Pivots {
  double smallest, steady, poison;
} Pivots;

/* Row k, from which earlier ones have been taken: its pivot and the entries right of it. */
INLINE void finish_row(const Sparse *sparse, int k, Scales scales, double *reciprocal, Tile *w,
                       Pivots *pivots) {
  const double x = w[k][k % LANES], pivot = fabs(x) * sparse->scale[k],
               row = scales.row[sparse->row_of[k]];
  reciprocal[k] = fabs(x) >= DBL_MIN ? 1 / x : 0; /* 0: the unknown comes out as 0 */
  const double largest = gather(sparse, k, reciprocal[k], w);
  if (pivot * row < pivots->smallest) pivots->smallest = pivot * row;
  if (pivot < pivots->steady * largest) pivots->steady = pivot / largest;
  pivots->poison += 0 * pivot;
  take_own(sparse, k, reciprocal[k], w);
}

/*
** A = L D U, by blocks of rows side by side: each number of each row is found as row by row, in the
** same order.
*/
VECTOR_CLONES
static void find_factors(const Sparse *sparse, const double *value, Scales scales, Pivots *found) {
  Pivots pivots = {1, 1, 0};
  double *reciprocal = aligned(sparse->reciprocal);
  Tile *w = (Tile *)aligned(sparse->work);
  for (int first = 0; first < sparse->rank; first += LANES) {
    const int after = first + LANES < sparse->rank ? first + LANES : sparse->rank;
    scatter(sparse, first, after, value, w);
    take_earlier(sparse, first / LANES, reciprocal, w);
    for (int k = first; k < after; k++)
      finish_row(sparse, k, scales, reciprocal, w, &pivots);
  }
  *found = pivots;
}

void sparse_factor(Sparse *sparse, const double *value, Scales scales, double *smallest,
                   double *steady) {
  Pivots pivots;
  for (int k = 0; k < sparse->rank; k++)
    sparse->scale[k] = scales.column[sparse->column_of[k]];
  find_factors(sparse, value, scales, &pivots);
  invert_blocks(sparse);
  *smallest = pivots.smallest;
  *steady = pivots.steady;
  if (pivots.poison != 0 || !vector_finite(sparse->u_value, sparse->upper.index.count)) *steady = 0;
}

static double scaled_pivot(const Sparse *sparse, Scales scales, int k) {
  const double scale = scales.row[sparse->row_of[k]] * scales.column[sparse->column_of[k]];
  const double reciprocal = fabs(aligned(sparse->reciprocal)[k]);
  return reciprocal > 0 ? scale / reciprocal : 0;
}

int sparse_least(const Sparse *sparse, Scales scales) {
  int at = 0;
  for (int k = 1; k < sparse->rank; k++)
    if (scaled_pivot(sparse, scales, k) < scaled_pivot(sparse, scales, at)) at = k;
  return at;
}

double sparse_log_determinant(const Sparse *sparse, Scales scales) {
  double sum = 0;
  for (int k = 0; k < sparse->rank; k++)
    sum += log2(scaled_pivot(sparse, scales, k));
  return sum;
}

/* --- solving ----------------------------------------------------------------------------- */

/*
** Along a chain, solutions shrink by some factor from body to body until they are subnormal
** numbers, which lose digits and make arithmetic a hundred times slower (a chain of 1000 rods: a
** tenth of a step's time).  So numbers below this are set to zero before they become subnormal.
*/
static const double LEAST = 1e-280;

INLINE void end_at_zero(Tile *x) {
  const Bits nothing = (Bits)(*x < LEAST) & (Bits)(*x > -LEAST);
  *x = (Tile)((Bits)*x & ~nothing);
}

INLINE void end_lanes_at_zero(Lanes *x) {
  Tile tile = (Tile)*x;
  end_at_zero(&tile);
  *x = (Lanes)tile;
}

/*
** The contribution of columns outside the block.  There are two sums, since with one each addition
** would wait for the one before (arm: 715 ns with one, 660 ns with two).
*/
INLINE void add_terms(const Factor *factor, const Tile *value, const double *x, int block,
                      Tile *sum) {
  const int *from = factor->from.items, end = factor->begin[block + 1];
  int i = factor->begin[block];
  Tile other = {0};
  for (; i + 1 < end; i += 2) {
    *sum += value[i] * x[from[i]];
    other += value[i + 1] * x[from[i + 1]];
  }
  *sum += other;
  if (i < end) *sum += value[i] * x[from[i]];
}

/*
** Solve with L, block by block: sums stay in registers, and the solutions found last are used last.
** Then the block's own part, by halves (chain of 10: 190 ns; row by row: 235 ns).
*/
INLINE void forward(const Factor *lower, int blocks, Tile *y) {
  const Tile *all = (const Tile *)lower->value, *value = all + 2 * blocks * (LANES - 1);
  for (int i = 0; i < blocks; i++) {
    const int b = lower->turn[i];
    const Tile *own = all + b * (LANES - 1);
    Tile sum = y[b];
    add_terms(lower, value, (const double *)y, b, &sum);
    const Tile half = sum + own[0] * (Tile){sum[0], sum[0], sum[2], sum[2]};
    y[b] = (half + own[1] * sum[0]) + own[2] * half[1];
  }
}

INLINE void backward(const Factor *upper, int blocks, const Tile *reciprocal, Tile *y) {
  const Tile *all = (const Tile *)upper->value, *value = all + 2 * blocks * (LANES - 1);
  for (int i = 0; i < blocks; i++) {
    const int b = upper->turn[i];
    const Tile *own = all + b * (LANES - 1);
    Tile sum = y[b] * reciprocal[b];
    add_terms(upper, value, (const double *)y, b, &sum);
    const Tile half = sum + own[2] * (Tile){sum[1], sum[1], sum[3], sum[3]};
    y[b] = (half + own[1] * sum[3]) + own[0] * half[2];
  }
}

/* Several right-hand sides, side by side: one or two Lanes of them at a time. */
typedef struct Rows {
  Lanes low, high;
} Rows;

INLINE void rows_load(Rows *rows, const double *x, double f, int block) {
  rows->low = f * *(const Lanes *)x;
  if (block > LANES) rows->high = f * *(const Lanes *)(x + LANES);
}

INLINE void rows_add(Rows *rows, double f, const double *x, int block) {
  rows->low += f * *(const Lanes *)x;
  if (block > LANES) rows->high += f * *(const Lanes *)(x + LANES);
}

INLINE void rows_store(const Rows *rows, double *x, int block) {
  *(Lanes *)x = rows->low;
  if (block > LANES) *(Lanes *)(x + LANES) = rows->high;
}

/* Solve for several right-hand sides, with the rows of the factors as they were factored. */
INLINE void solve_rows(const Sparse *sparse, double *x, double *y, int block, int width) {
  const Factor *lower = &sparse->lower, *upper = &sparse->upper;
  const double *reciprocal = aligned(sparse->reciprocal);
  Rows sum;
  for (int k = 0; k < sparse->rank; k++) {
    rows_load(&sum, x + (ptrdiff_t)sparse->row_of[k] * width, 1, block);
    for (int l = lower->start[k]; l < lower->start[k + 1]; l++)
      rows_add(&sum, lower->value[lower->place[l]], y + (ptrdiff_t)lower->index.items[l] * width,
               block);
    rows_store(&sum, y + (ptrdiff_t)k * width, block);
  }
  for (int k = sparse->rank - 1; k >= 0; k--) {
    rows_load(&sum, y + (ptrdiff_t)k * width, reciprocal[k], block);
    for (int u = upper->start[k]; u < upper->start[k + 1]; u++)
      rows_add(&sum, sparse->u_value[u], y + (ptrdiff_t)upper->index.items[u] * width, block);
    rows_store(&sum, y + (ptrdiff_t)k * width, block);
    end_lanes_at_zero(&sum.low);
    if (block > LANES) end_lanes_at_zero(&sum.high);
    rows_store(&sum, x + (ptrdiff_t)sparse->column_of[k] * width, block);
  }
}

VECTOR_CLONES
void sparse_solve_rows(const Sparse *sparse, double *x, int width, double *y) {
  int at = 0;
  if (width == 2 * LANES) {
    solve_rows(sparse, x, y, 2 * LANES, 2 * LANES);
  } else {
    for (; at + 2 * LANES <= width; at += 2 * LANES)
      solve_rows(sparse, x + at, y + at, 2 * LANES, width);
    if (at < width) solve_rows(sparse, x + at, y + at, LANES, width);
  }
  for (int k = sparse->rank; k < sparse->size; k++)
    memset(x + (ptrdiff_t)sparse->column_of[k] * width, 0, (size_t)width * sizeof *x);
}

VECTOR_CLONES
void sparse_solve(Sparse *sparse, double *x) {
  const int blocks = blocks_of(sparse), *row = sparse->row_of, *column = sparse->column_of;
  Tile *y = (Tile *)aligned(sparse->unknowns);
  for (int b = 0; b < blocks; b++, row += LANES)
    y[b] = (Tile){x[row[0]], x[row[1]], x[row[2]], x[row[3]]};
  forward(&sparse->lower, blocks, y);
  backward(&sparse->upper, blocks, (const Tile *)aligned(sparse->reciprocal), y);
  for (int b = 0; b < blocks; b++, column += LANES) {
    Tile found = y[b];
    end_at_zero(&found);
    x[column[3]] = found[3]; /* last lane first: it may repeat the column of an earlier lane */
    x[column[2]] = found[2];
    x[column[1]] = found[1];
    x[column[0]] = found[0];
  }
  for (int k = blocks * LANES; k < sparse->size; k++)
    x[sparse->column_of[k]] = 0;
}

/* A^T = U^T D L^T, by the rows of U and L, whose entries are those of columns here. */
void sparse_solve_transposed(Sparse *sparse, double *x) {
  const Factor *lower = &sparse->lower, *upper = &sparse->upper;
  const double *reciprocal = aligned(sparse->reciprocal);
  double *y = aligned(sparse->unknowns);
  for (int k = 0; k < sparse->rank; k++)
    y[k] = x[sparse->column_of[k]];
  for (int k = 0; k < sparse->rank; k++)
    for (int u = upper->start[k]; u < upper->start[k + 1]; u++)
      y[upper->index.items[u]] += sparse->u_value[u] * y[k];
  for (int k = 0; k < sparse->rank; k++)
    y[k] *= reciprocal[k];
  for (int k = sparse->rank - 1; k >= 0; k--)
    for (int l = lower->start[k]; l < lower->start[k + 1]; l++)
      y[lower->index.items[l]] += lower->value[lower->place[l]] * y[k];
  for (int k = 0; k < sparse->rank; k++)
    x[sparse->row_of[k]] = y[k];
  for (int k = sparse->rank; k < sparse->size; k++)
    x[sparse->row_of[k]] = 0;
}
