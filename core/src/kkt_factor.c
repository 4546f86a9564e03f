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
        kkt->factor[i + (ptrdiff_t)j * size] = kkt->scaled[e];
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

/* Factor in the present order; whether it still serves. */
static int factor_in_order(Kkt *kkt) {
  if (sparse_rank(kkt->sparse) + kkt->dependent_count != kkt->size) return 0;
  sparse_factor(kkt->sparse, kkt->scaled, &kkt->smallest, &kkt->steady);
  return kkt->smallest > ZERO_PIVOT && kkt->steady > WORN;
}

/* Choose the order anew; what was independent must stay so. */
static sarrus_Status reorder(Kkt *kkt) {
  SARRUS_TRY(kkt_choose_order(kkt));
  if (kkt->size - sparse_rank(kkt->sparse) > kkt->dependent_count) return SARRUS_SINGULAR;
  return kkt_note_left_over(kkt);
}

/*
** On the diagonal, the pivots of constraints are those of B M^-1 B^T, and next to a singular position as small as its
** square: there pivots off the diagonal keep twice the digits.  Farther away the diagonal is taken again.
*/
static const double NEAR_SINGULAR = 1e-5, FAR_FROM_SINGULAR = 1e-2;

static sarrus_Status factor_sparse(Kkt *kkt) {
  if (kkt_sparse(kkt) == NULL) return SARRUS_NOMEM;
  const int served = factor_in_order(kkt);
  if (kkt->off_diagonal ? served && kkt->smallest < FAR_FROM_SINGULAR
                        : served && kkt->smallest > NEAR_SINGULAR)
    return SARRUS_OK;
  kkt->off_diagonal = kkt->general || kkt->smallest < NEAR_SINGULAR;
  sparse_prefer_diagonal(kkt->sparse, !kkt->off_diagonal);
  SARRUS_TRY(reorder(kkt));
  factor_in_order(kkt); /* as well as it can be: next to a singular position, no order is steady */
  return SARRUS_OK;
}

sarrus_Status kkt_factor(Kkt *kkt) {
  SARRUS_TRY(kkt_scale(kkt));
  SARRUS_TRY(kkt->size > KKT_DENSE ? factor_sparse(kkt) : factor_dense(kkt));
  if (!(kkt->smallest > ZERO_PIVOT)) return SARRUS_SINGULAR;
  if (kkt->dependent_count > 0) kkt_find_null_space(kkt);
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
  KktFault fault = {0, 0, (double)INFINITY};
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
