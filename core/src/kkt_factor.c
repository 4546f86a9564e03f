/* Factoring, and what to say where it fails. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "kkt_parts.h"
#include "lapack.h"

/* A pivot of the scaled matrix that is below this is zero to rounding. */
static const double ZERO_PIVOT = 1e-13;

static void fill_factor(Kkt *kkt) {
  const Pattern *pattern = &kkt->pattern;
  const int size = kkt->size;
  memset(kkt->factor, 0, (size_t)size * (size_t)size * sizeof *kkt->factor);
  for (int i = 0; i < size; i++) {
    if (i >= kkt->n && kkt->dependent[i - kkt->n]) {
      kkt->factor[i + (ptrdiff_t)i * size] = 1;
      continue;
    }
    for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
      const int j = pattern->column[e];
      if (j < kkt->n || !kkt->dependent[j - kkt->n])
        kkt->factor[i + (ptrdiff_t)j * size] = kkt_scaled(kkt, i, e);
    }
  }
}

static sarrus_Status factor_dense(Kkt *kkt) {
  const int size = kkt->size;
  int info = 0;
  fill_factor(kkt);
  kkt->smallest = 1;
  if (size == 0) return SARRUS_OK;
  dgetrf_(&size, &size, kkt->factor, &size, kkt->pivot, &info);
  for (int i = 0; i < size; i++) {
    const double pivot = kkt->factor[i + (ptrdiff_t)i * size];
    kkt->reciprocal[i] = 1 / pivot;
    kkt->smallest = fmin(kkt->smallest, fabs(pivot));
  }
  return info == 0 ? SARRUS_OK : SARRUS_SINGULAR;
}

/* A fixed order of elimination serves as long as no pivot is a smaller part of its row. */
static const double WORN = 1e-3;

/* Factor in the present order, if there is one; whether it still serves. */
static int factor_in_order(Kkt *kkt) {
  kkt->smallest = 1;
  if (sparse_rank(kkt->sparse) + kkt->dependent_count != kkt->size) return 0;
  /* Back from a trial that failed, the order may be that of the trial, and leave out other rows. */
  if (kkt->dependent_count > 0 && kkt_note_left_over(kkt) < 0) return 0;
  sparse_factor(kkt->sparse, kkt->value, (Scales){kkt->row, kkt->column}, &kkt->smallest,
                &kkt->steady);
  return kkt->smallest > ZERO_PIVOT && kkt->steady > WORN;
}

/*
** Choose the order anew; as many rows as before are left out.  Where there is more new in them than there should be, as a
** little off the constraints, it is the rows with the least of it.  But right after the analysis, fewer of them show that
** it took a small square for nothing.
*/
static sarrus_Status reorder(Kkt *kkt) {
  static const double MOST = 1e-2;
  const double allowed = kkt->allowed;
  sarrus_Status status = kkt_choose_order(kkt);
  while (status == SARRUS_OK && kkt->settled && kkt->allowed < MOST &&
         kkt->size - sparse_rank(kkt->sparse) < kkt->dependent_count) {
    kkt->allowed *= 10;
    status = kkt_choose_order(kkt);
  }
  kkt->allowed = allowed;
  SARRUS_TRY(status);
  if (kkt->size - sparse_rank(kkt->sparse) > kkt->dependent_count) return SARRUS_SINGULAR;
  return kkt_note_left_over(kkt);
}

/*
** On the diagonal, the pivots of constraints are those of B M^-1 B^T, and next to a singular position as small as its
** square: there pivots off the diagonal keep twice the digits.  The diagonal is tried again when their order is worn.
*/
static const double NEAR_SINGULAR = 1e-5;

static sarrus_Status factor_in_new_order(Kkt *kkt, int off_diagonal, int *serves) {
  kkt->off_diagonal = off_diagonal;
  sparse_prefer_diagonal(kkt->sparse, !off_diagonal);
  SARRUS_TRY(reorder(kkt));
  *serves = factor_in_order(kkt);
  return SARRUS_OK;
}

/* Once more at the same place, this gives the same bits. */
static sarrus_Status factor_sparse(Kkt *kkt) {
  if (kkt_sparse(kkt) == NULL) return SARRUS_NOMEM;
  int serves = factor_in_order(kkt);
  if (!serves && !kkt->general && (kkt->off_diagonal || kkt->smallest > NEAR_SINGULAR)) {
    const sarrus_Status status = factor_in_new_order(kkt, 0, &serves);
    if (status == SARRUS_SINGULAR)
      kkt->smallest = 0;
    else
      SARRUS_TRY(status);
  }
  if (kkt->general ? !serves : !kkt->off_diagonal && kkt->smallest <= NEAR_SINGULAR)
    SARRUS_TRY(factor_in_new_order(kkt, 1, &serves));
  return SARRUS_OK;
}

sarrus_Status kkt_factor(Kkt *kkt) {
  kkt->null_known = 0;
  SARRUS_TRY(kkt_scale(kkt));
  SARRUS_TRY(kkt->size > KKT_DENSE ? factor_sparse(kkt) : factor_dense(kkt));
  if (!(kkt->smallest > ZERO_PIVOT)) return SARRUS_SINGULAR;
  kkt->settled = 1;
  return SARRUS_OK;
}

/* --- faults ------------------------------------------------------------------------------ */

/* The largest element of the null vector on one side, by inverse iteration with raised pivots. */
static int null_element(Kkt *kkt, int side, double *condition) {
  const int size = kkt->size, one = 1;
  double *x = kkt->solution, largest = 0;
  int info = 0, at = 0;
  for (int i = 0; i < size; i++)
    x[i] = 1 + 0.1 * (i % 7);
  for (int pass = 0; pass < 3; pass++) {
    const char *trans = (pass + side) % 2 == 0 ? "N" : "T";
    dgetrs_(trans, &size, &one, kkt->factor, &size, kkt->pivot, x, &size, &info, 1);
    largest = 0;
    for (int i = 0; i < size; i++) {
      if (!(fabs(x[i]) > largest)) continue;
      largest = fabs(x[i]);
      at = i;
    }
    if (!(largest > 0) || !isfinite(largest)) return at;
    for (int i = 0; i < size; i++)
      x[i] /= largest;
  }
  *condition = largest;
  return at;
}

static int known(const Kkt *kkt, int row) { return row >= kkt->n && kkt->dependent[row - kkt->n]; }

KktFault kkt_fault(Kkt *kkt) {
  KktFault fault = {-1, -1, (double)INFINITY};
  if (kkt->size > KKT_DENSE) {
    int k = sparse_rank(kkt->sparse);
    if (k == kkt->size) return fault;
    fault.column = sparse_columns(kkt->sparse)[k];
    while (k < kkt->size - 1 && known(kkt, sparse_rows(kkt->sparse)[k]))
      k++;
    fault.row = sparse_rows(kkt->sparse)[k];
    return fault;
  }
  for (int i = 0; i < kkt->size; i++) {
    double *pivot = &kkt->factor[i + (ptrdiff_t)i * kkt->size];
    if (!(fabs(*pivot) > ZERO_PIVOT)) *pivot = DBL_EPSILON;
  }
  fault.column = null_element(kkt, 0, &fault.condition);
  fault.row = null_element(kkt, 1, &fault.condition);
  return fault;
}
