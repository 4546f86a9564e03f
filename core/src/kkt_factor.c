/* Factoring, with a new order of elimination where needed, and the fault where it fails. */
#include <math.h>
#include <string.h>

#include "kkt_parts.h"
#include "vector.h"

/* A pivot of the scaled matrix that is below this is zero to rounding. */
static const double ZERO_PIVOT = 1e-13;

/* An order of elimination serves as long as every pivot is more than this part of its row. */
static const double WORN = 1e-3;

/*
** Whether the factors are those of the present numbers; if not, they are about to be.  Where only
** velocities have changed, as by an impact, entries are the same: of 7.5 factorisations of a bounce
** 6 are saved.
*/
static int is_factored(const Kkt *kkt, KktFactors *factors) {
  const size_t entries = (size_t)kkt->pattern.start[kkt->size], size = (size_t)kkt->size;
  const double *const from[] = {kkt->value, kkt->row, kkt->column};
  const size_t count[] = {entries, size, size};
  double *to = factors->numbers;
  int same = factors->factored;
  for (int i = 0; i < 3; to += count[i++]) {
    same = same && memcmp(to, from[i], count[i] * sizeof *to) == 0;
    if (!same) memcpy(to, from[i], count[i] * sizeof *to);
  }
  return same;
}

int kkt_factor_in_order(Kkt *kkt) {
  KktFactors *factors = &kkt->factors[kkt->in_use];
  if (!kkt_is_whole(kkt)) return 0;
  if (!is_factored(kkt, factors)) {
    sparse_factor(kkt->sparse, kkt->value, (Scales){kkt->row, kkt->column}, &factors->smallest,
                  &factors->steady);
    factors->margin = 0;
  }
  factors->factored = 1;
  kkt->smallest = factors->smallest;
  kkt->steady = factors->steady;
  return kkt->smallest > ZERO_PIVOT && kkt->steady > WORN;
}

/*
** With pivots on the diagonal, those of constraints are pivots of B M^-1 B^T: near a singular
** position they are the square of a small number.  If one is below NEAR_SINGULAR, an order with
** pivots off the diagonal keeps twice the digits.  The diagonal is tried again when that order no
** longer serves.
*/
static const double NEAR_SINGULAR = 1e-5;

int kkt_order_serves(double smallest, double steady, int off_diagonal) {
  return smallest > ZERO_PIVOT && steady > WORN && (off_diagonal || smallest > NEAR_SINGULAR);
}

static sarrus_Status factor_in_new_order(Kkt *kkt, int off_diagonal, int *serves) {
  const double least = off_diagonal ? ZERO_PIVOT : NEAR_SINGULAR * NEAR_SINGULAR;
  SARRUS_TRY(kkt_choose_order(kkt, off_diagonal, least));
  if (!kkt_is_whole(kkt)) return SARRUS_SINGULAR;
  *serves = kkt_factor_in_order(kkt);
  return SARRUS_OK;
}

/* Pivots of factors differ from those that were chosen by rounding only, not by a factor of two. */
int kkt_is_far_from_singular(const Kkt *kkt) {
  return sparse_least_chosen(kkt->sparse) > NEAR_SINGULAR / 2;
}

sarrus_Status kkt_factor_on_diagonal(Kkt *kkt, int *good) {
  kkt->null_known = 0;
  kkt->smallest = kkt->steady = 1;
  SARRUS_TRY(kkt_choose_pivots(kkt, 0, NEAR_SINGULAR * NEAR_SINGULAR));
  *good = kkt_is_whole(kkt) && kkt_is_far_from_singular(kkt);
  if (!*good) return SARRUS_OK;
  SARRUS_TRY(sparse_group_pivots(kkt->sparse));
  kkt_factor_in_order(kkt);
  *good = kkt->smallest > NEAR_SINGULAR;
  return SARRUS_OK;
}

/* Factoring again at the same values gives the same bits. */
static sarrus_Status factor_steadily(Kkt *kkt) {
  if (kkt_sparse(kkt) == NULL) return SARRUS_NOMEM;
  int serves = kkt_factor_in_order(kkt);
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
  kkt->smallest = kkt->steady = 1;
  if (!vector_finite(kkt->value, kkt->pattern.start[kkt->size])) return SARRUS_NONFINITE;
  if (kkt->size > 0) SARRUS_TRY(factor_steadily(kkt));
  return kkt->smallest > ZERO_PIVOT ? SARRUS_OK : SARRUS_SINGULAR;
}

/* --- faults ------------------------------------------------------------------------------ */

static int known(const Kkt *kkt, int row) { return row >= kkt->n && kkt->dependent[row - kkt->n]; }

KktFault kkt_fault(Kkt *kkt) {
  const Scales scales = {kkt->row, kkt->column};
  int k = sparse_rank(kkt->sparse);
  KktFault fault = {.condition = (double)INFINITY};
  if (k + kkt_left_out(kkt) == kkt->size) { /* every row has a pivot, but one is almost zero */
    k = sparse_least(kkt->sparse, scales);
    if (kkt->smallest > 0) fault.condition = 1 / kkt->smallest;
  }
  const int first = k;
  while (k < kkt->size - 1 && known(kkt, sparse_rows(kkt->sparse)[k]))
    k++;
  fault.row = sparse_rows(kkt->sparse)[k];
  k = first;
  while (k < kkt->size - 1 && known(kkt, sparse_columns(kkt->sparse)[k]))
    k++;
  fault.column = sparse_columns(kkt->sparse)[k];
  return fault;
}
