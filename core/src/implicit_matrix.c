/*
** The matrices of implicit steps, J + sigma C + sigma^2 K with sigma = h / mu (T53), one real and
** up to MOST_PAIRS complex ones.  One order of elimination, chosen for the real one, serves all of
** them; the complex ones are factored side by side.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "implicit.h"
#include "kkt_parts.h"
#include "kkt_sparse_parts.h"

void shifted_lay_out(Shifted *shifted, const Equations *equations, Block *block) {
  const int size = equations->size;
  shifted->size = size;
  shifted->entries = equations->entry_count;
  shifted->start = equations->start;
  shifted->column = equations->column;
  shifted->first = equations->form->general ? size : equations->n;
  for (int power = 0; power < 3; power++)
    BLOCK_TAKE(block, shifted->part[power], equations->entry_count);
  BLOCK_TAKE(block, shifted->value, equations->entry_count);
  BLOCK_TAKE(block, shifted->row, size);
  BLOCK_TAKE(block, shifted->scale, size);
  BLOCK_TAKE(block, shifted->left_out, size - shifted->first);
  BLOCK_TAKE(block, shifted->reciprocal, size);
  BLOCK_TAKE(block, shifted->work, size + 1);
}

void shifted_release(Shifted *shifted) {
  sparse_free(shifted->sparse);
  ARRAY_RELEASE(shifted->memory, shifted->lower, shifted->lower_capacity);
  ARRAY_RELEASE(shifted->memory, shifted->upper, shifted->upper_capacity);
  shifted->sparse = NULL;
  shifted->lower = shifted->upper = NULL;
}

/* --- the order --------------------------------------------------------------------------- */

/* The squared length of a constraint's row in scaled coordinates, except coordinate `without`. */
static double squared_length(const Shifted *shifted, int row, int without) {
  double sum = 0;
  for (int e = shifted->start[row]; e < shifted->start[row + 1]; e++) {
    const int j = shifted->column[e];
    const double b = shifted->value[e] * shifted->scale[j];
    if (j < shifted->first && j != without) sum += b * b;
  }
  return sum;
}

/*
** As (T10), with the masses of the shifted matrix.  A coordinate without mass gets a scale with
** which it counts, in each of its constraints, at most as much as all others there together.
*/
static void scale_mechanism(Shifted *shifted) {
  const int n = shifted->first;
  for (int j = 0; j < n; j++) {
    shifted->scale[j] = 0;
    for (int e = shifted->start[j]; e < shifted->start[j + 1]; e++)
      if (shifted->column[e] == j && shifted->value[e] != 0)
        shifted->scale[j] = kkt_power_of_two(sqrt(fabs(shifted->value[e])));
  }
  for (int j = 0; j < n; j++) {
    double least = (double)INFINITY;
    if (shifted->scale[j] != 0) continue;
    for (int e = shifted->start[j]; e < shifted->start[j + 1]; e++) {
      const double b = shifted->value[e], others = squared_length(shifted, shifted->column[e], j);
      if (shifted->column[e] >= n && b != 0 && others > 0) least = fmin(least, others / (b * b));
    }
    shifted->scale[j] = isfinite(least) ? kkt_power_of_two(1 / sqrt(least)) : 1;
  }
  for (int i = n; i < shifted->size; i++)
    shifted->scale[i] = kkt_power_of_two(sqrt(squared_length(shifted, i, SARRUS_NONE)));
  memcpy(shifted->row, shifted->scale, (size_t)shifted->size * sizeof *shifted->row);
}

/* A general DAE: each row is scaled to a largest entry of about 1. */
static void scale_rows(Shifted *shifted) {
  for (int i = 0; i < shifted->size; i++) {
    double largest = 0;
    for (int e = shifted->start[i]; e < shifted->start[i + 1]; e++)
      largest = fmax(largest, fabs(shifted->value[e]));
    shifted->row[i] = kkt_power_of_two(largest);
    shifted->scale[i] = 1;
  }
}

static int count_left_out(const Shifted *shifted) {
  int count = 0;
  for (int i = 0; i < shifted->size - shifted->first; i++)
    count += shifted->left_out[i] != 0;
  return count;
}

Sparse *shifted_sparse(Shifted *shifted) {
  if (shifted->sparse == NULL)
    shifted->sparse = sparse_new(shifted->memory, shifted->size, shifted->start, shifted->column);
  return shifted->sparse;
}

static sarrus_Status make_room(Shifted *shifted) {
  const int lower = shifted->sparse->lower.index.count, upper = shifted->sparse->upper.index.count;
  const int room =
      ARRAY_RESERVE(shifted->memory, shifted->lower, shifted->lower_capacity, lower + 1) &&
      ARRAY_RESERVE(shifted->memory, shifted->upper, shifted->upper_capacity, upper + 1);
  return room ? SARRUS_OK : SARRUS_NOMEM;
}

sarrus_Status shifted_follow(Shifted *shifted, int rank) {
  if (rank == 0) {
    sparse_forget(shifted->sparse);
    return SARRUS_OK;
  }
  if (rank + count_left_out(shifted) != shifted->size) return SARRUS_FORMAT;
  sparse_prefer_diagonal(shifted->sparse, shifted->first < shifted->size);
  SARRUS_TRY(sparse_follow(shifted->sparse, rank));
  return make_room(shifted);
}

static sarrus_Status choose_order(Shifted *shifted) {
  Sparse *sparse = shifted->sparse;
  if (shifted->first < shifted->size)
    scale_mechanism(shifted);
  else
    scale_rows(shifted);
  sparse_prefer_diagonal(sparse, shifted->first < shifted->size);
  SARRUS_TRY(sparse_order(sparse, shifted->value, (Scales){shifted->row, shifted->scale},
                          (LeftOut){shifted->first, shifted->left_out}, 0));
  if (sparse_rank(sparse) + count_left_out(shifted) != shifted->size) {
    sparse_forget(sparse);
    return SARRUS_SINGULAR;
  }
  return make_room(shifted);
}

/* --- factors ----------------------------------------------------------------------------- */

#define INLINE static inline __attribute__((always_inline)) /* so that VECTOR_CLONES covers it */

INLINE void times(Complexes *z, const Complexes *x, const Complexes *y) {
  const Pairs re = x->re * y->re - x->im * y->im;
  z->im = x->re * y->im + x->im * y->re;
  z->re = re;
}

INLINE void take_product(Complexes *z, const Complexes *x, const Complexes *y) {
  z->re -= x->re * y->re - x->im * y->im;
  z->im -= x->re * y->im + x->im * y->re;
}

INLINE void invert(Complexes *z, const Complexes *x) {
  const Pairs size = x->re * x->re + x->im * x->im;
  z->re = x->re / size;
  z->im = -x->im / size;
}

/* Put the entries of a row of the matrix into the workspace, at the places of their columns. */
INLINE void scatter(const Shifted *shifted, int k, const Complexes *sigma,
                    const Complexes *square) {
  const Sparse *sparse = shifted->sparse;
  const int row = sparse->row_of[k];
  for (int e = shifted->start[row]; e < shifted->start[row + 1]; e++) {
    const double j = shifted->part[0][e], c = shifted->part[1][e], s = shifted->part[2][e];
    Complexes *to = &shifted->work[sparse->target[e]];
    to->re = j + c * sigma->re + s * square->re;
    to->im = c * sigma->im + s * square->im;
  }
}

/* L U, row by row, L with a unit diagonal. */
VECTOR_CLONES
static void factor_pairs(Shifted *shifted, const Complexes *sigma) {
  const Sparse *sparse = shifted->sparse;
  const Factor *lower = &sparse->lower, *upper = &sparse->upper;
  Complexes *w = shifted->work, square;
  times(&square, sigma, sigma);
  memset(w, 0, ((size_t)shifted->size + 1) * sizeof *w);
  for (int k = 0; k < sparse->rank; k++) {
    scatter(shifted, k, sigma, &square);
    for (int l = lower->start[k]; l < lower->start[k + 1]; l++) {
      const int j = lower->index.items[l];
      Complexes *f = &shifted->lower[l];
      times(f, &w[j], &shifted->reciprocal[j]);
      w[j] = (Complexes){{0}, {0}};
      for (int u = upper->start[j]; u < upper->start[j + 1]; u++)
        take_product(&w[upper->index.items[u]], f, &shifted->upper[u]);
    }
    invert(&shifted->reciprocal[k], &w[k]);
    w[k] = (Complexes){{0}, {0}};
    for (int u = upper->start[k]; u < upper->start[k + 1]; u++) {
      const int j = upper->index.items[u];
      shifted->upper[u] = w[j];
      w[j] = (Complexes){{0}, {0}};
    }
  }
}

/*
** sigma = h / mu.  Lanes without a pair repeat the last pair, so that nothing overflows there.
*/
static void find_shifts(const Radau *radau, double h, double *real, Complexes *sigma) {
  *real = h / radau->mu_re[0];
  for (int p = 0; p < MOST_PAIRS; p++) {
    const int at = p < radau->pairs ? p + 1 : radau->pairs;
    const double re = radau->mu_re[at], im = radau->mu_im[at], size = re * re + im * im;
    sigma->re[p] = h * re / size;
    sigma->im[p] = -h * im / size;
  }
}

/*
** An order serves as long as every pivot is at least this part of its row; the rounding that small
** pivots cause is corrected by Newton's method.
*/
static const double UNSTEADY = 1e-4;

sarrus_Status shifted_factor(Shifted *shifted, const Radau *radau, double h, int renew) {
  double smallest, steady, real;
  Complexes sigma;
  find_shifts(radau, h, &real, &sigma);
  for (int e = 0; e < shifted->entries; e++)
    shifted->value[e] =
        shifted->part[0][e] + real * (shifted->part[1][e] + real * shifted->part[2][e]);
  if (!vector_finite(shifted->value, shifted->entries)) return SARRUS_NONFINITE;
  if (shifted_sparse(shifted) == NULL) return SARRUS_NOMEM;
  const Scales scales = {shifted->row, shifted->scale};
  if (renew || sparse_rank(shifted->sparse) == 0) SARRUS_TRY(choose_order(shifted));
  sparse_factor(shifted->sparse, shifted->value, scales, &smallest, &steady);
  if (steady < UNSTEADY) {
    SARRUS_TRY(choose_order(shifted));
    sparse_factor(shifted->sparse, shifted->value, scales, &smallest, &steady);
  }
  if (!(smallest > DBL_EPSILON / 16)) return SARRUS_SINGULAR;
  factor_pairs(shifted, &sigma);
  return SARRUS_OK;
}

/* --- solving ----------------------------------------------------------------------------- */

void shifted_solve(Shifted *shifted, double *x) { sparse_solve(shifted->sparse, x); }

VECTOR_CLONES
void shifted_solve_pairs(Shifted *shifted, Complexes *x) {
  const Sparse *sparse = shifted->sparse;
  const Factor *lower = &sparse->lower, *upper = &sparse->upper;
  Complexes *y = shifted->work;
  for (int k = 0; k < sparse->rank; k++) {
    Complexes sum = x[sparse->row_of[k]];
    for (int l = lower->start[k]; l < lower->start[k + 1]; l++)
      take_product(&sum, &shifted->lower[l], &y[lower->index.items[l]]);
    y[k] = sum;
  }
  for (int k = sparse->rank - 1; k >= 0; k--) {
    Complexes sum = y[k];
    for (int u = upper->start[k]; u < upper->start[k + 1]; u++)
      take_product(&sum, &shifted->upper[u], &y[upper->index.items[u]]);
    times(&y[k], &sum, &shifted->reciprocal[k]);
  }
  for (int k = 0; k < shifted->size; k++)
    x[sparse->column_of[k]] = k < sparse->rank ? y[k] : (Complexes){{0}, {0}};
}
