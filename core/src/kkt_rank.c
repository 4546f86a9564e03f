/* Redundant constraints: which rows depend on others, and what their multipliers may be. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "array.h"
#include "kkt_parts.h"
#include "lapack.h"

/* Of rows of unit length, one is dependent when less than this of it is new. */
static const double DEPENDENT = 1e-10;

/*
** Elements of vectors of about unit length below this are rounding.  A loop depends on its own constraints: without
** rounding, null vectors are short, and few of them meet.
*/
static const double SPECK = 4 * DBL_EPSILON;

static void trim(double *null, Reach *reach) {
  for (int i = reach->from; i < reach->to; i++)
    if (fabs(null[i]) < SPECK) null[i] = 0;
  while (reach->from < reach->to && null[reach->from] == 0)
    reach->from++;
  while (reach->from < reach->to && null[reach->to - 1] == 0)
    reach->to--;
}

/* null -= (null . other) other */
static void take_out(double *null, Reach *reach, const double *other, Reach of) {
  const int from = reach->from > of.from ? reach->from : of.from;
  const int to = reach->to < of.to ? reach->to : of.to;
  double dot = 0;
  for (int i = from; i < to; i++)
    dot += other[i] * null[i];
  if (fabs(dot) < SPECK) return;
  for (int i = of.from; i < of.to; i++)
    null[i] -= dot * other[i];
  if (of.from < reach->from) reach->from = of.from;
  if (of.to > reach->to) reach->to = of.to;
}

/* Gram-Schmidt, twice, against the first `count` vectors of the basis; then to unit length. */
static void orthonormalise(Kkt *kkt, int count) {
  double *null = kkt->null + (ptrdiff_t)count * kkt->m;
  Reach *reach = &kkt->reach[count];
  *reach = (Reach){0, kkt->m};
  trim(null, reach);
  for (int pass = 0; pass < 2; pass++) {
    double length = 0;
    for (int c = 0; c < count; c++)
      take_out(null, reach, kkt->null + (ptrdiff_t)c * kkt->m, kkt->reach[c]);
    for (int i = reach->from; i < reach->to; i++)
      length += null[i] * null[i];
    for (int i = reach->from; i < reach->to; i++)
      null[i] /= sqrt(length);
    trim(null, reach);
  }
}

/* Whether solves set the multiplier of constraint b to 0; sparse elimination may leave out other columns than rows. */
static int left_out(const Kkt *kkt, int b) {
  return kkt->sparse == NULL ? kkt->dependent[b] : sparse_left_over(kkt->sparse, kkt->n + b);
}

/*
** (T11) For a left-out column b of B^T, J x = (b^T, 0) has the solution x = (0, c) where
** b = c^T B: the null vector of B^T is c, less 1 at b.
*/
void kkt_find_null_space(Kkt *kkt) {
  const int n = kkt->n, m = kkt->m;
  const Pattern *pattern = &kkt->pattern;
  double *x = kkt->solution;
  int count = 0;
  kkt->null_known = 1;
  for (int b = 0; kkt->dependent_count > 0 && b < m; b++) {
    kkt->inverse[b] = 1 / kkt->column[n + b];
    if (!left_out(kkt, b)) continue;
    double *null = kkt->null + (ptrdiff_t)count * m;
    memset(x, 0, (size_t)kkt->size * sizeof *x);
    for (int e = pattern->start[n + b]; e < pattern->start[n + b + 1]; e++)
      if (pattern->column[e] < n) x[pattern->column[e]] = kkt->value[e];
    kkt_solve_factored(kkt, x);
    x[n + b] -= 1;
    for (int i = 0; i < m; i++)
      null[i] = x[n + i] / kkt->column[n + i];
    orthonormalise(kkt, count++);
  }
}

/* QR with pivoting of the scaled B^T: rows of B whose new part is small depend on the others. */
static sarrus_Status find_dependent(Kkt *kkt, double *bt, double *tau, int *order, double *space,
                                    int space_size) {
  const int n = kkt->n, m = kkt->m;
  const Pattern *pattern = &kkt->pattern;
  int info = 0;
  memset(bt, 0, (size_t)n * (size_t)m * sizeof *bt);
  for (int i = 0; i < m; i++) {
    order[i] = 0;
    for (int e = pattern->start[n + i]; e < pattern->start[n + i + 1]; e++)
      if (pattern->column[e] < n)
        bt[pattern->column[e] + (ptrdiff_t)i * n] = kkt_scaled(kkt, n + i, e);
  }
  dgeqp3_(&n, &m, bt, &n, order, tau, space, &space_size, &info);
  if (info != 0) return SARRUS_SINGULAR;
  for (int i = 0; i < m; i++) {
    if (i < n && fabs(bt[i + (ptrdiff_t)i * n]) > kkt->allowed) continue;
    kkt->dependent[order[i] - 1] = 1;
    kkt->dependent_count++;
  }
  return SARRUS_OK;
}

/* Rows without elements; LAPACK does not take a matrix of no rows and some columns. */
static void leave_out_all(Kkt *kkt) {
  for (int i = 0; i < kkt->m; i++)
    kkt->dependent[i] = 1;
  kkt->dependent_count = kkt->m;
}

static sarrus_Status analyse_dense(Kkt *kkt) {
  const size_t n = (size_t)kkt->n, m = (size_t)kkt->m, space = 3 * m + 1 + 32 * (m + 1);
  const size_t doubles = n * m + m + space, bytes = doubles * sizeof(double) + m * sizeof(int);
  if (n == 0) leave_out_all(kkt);
  if (n == 0 || m == 0) return SARRUS_OK;
  double *work = kkt->memory.alloc(kkt->memory.ud, NULL, 0, bytes);
  if (work == NULL) return SARRUS_NOMEM;
  const sarrus_Status status = find_dependent(
      kkt, work, work + n * m, (int *)(void *)(work + doubles), work + n * m + m, (int)space);
  kkt->memory.alloc(kkt->memory.ud, work, bytes, 0);
  return status;
}

Sparse *kkt_sparse(Kkt *kkt) {
  if (kkt->sparse == NULL)
    kkt->sparse =
        sparse_new(kkt->memory, kkt->size, kkt->pattern.start, kkt->pattern.column, !kkt->general);
  return kkt->sparse;
}

/* On the diagonal, what is left of a constraint is the square of what is new in its row. */
sarrus_Status kkt_choose_order(Kkt *kkt) {
  const double left =
      kkt->off_diagonal || kkt->general ? kkt->allowed : kkt->allowed * kkt->allowed;
  return sparse_order(kkt->sparse, kkt->value, (Scales){kkt->row, kkt->column}, left);
}

/* What elimination leaves over must be constraints; otherwise a mass is missing. */
sarrus_Status kkt_note_left_over(Kkt *kkt) {
  const int rank = sparse_rank(kkt->sparse), *rows = sparse_rows(kkt->sparse);
  if (rank < kkt->size && (rows[rank] < kkt->n || sparse_columns(kkt->sparse)[rank] < kkt->n))
    return SARRUS_SINGULAR;
  memset(kkt->dependent, 0, (size_t)kkt->m * sizeof *kkt->dependent);
  for (int k = rank; k < kkt->size; k++)
    kkt->dependent[rows[k] - kkt->n] = 1;
  kkt->dependent_count = kkt->size - rank;
  return SARRUS_OK;
}

static sarrus_Status analyse_sparse(Kkt *kkt) {
  if (kkt_sparse(kkt) == NULL) return SARRUS_NOMEM;
  SARRUS_TRY(kkt_choose_order(kkt));
  return kkt_note_left_over(kkt);
}

static sarrus_Status reserve_null(Kkt *kkt) {
  const ptrdiff_t needed = (ptrdiff_t)kkt->m * kkt->dependent_count;
  if (needed > INT_MAX / 2) return SARRUS_LIMIT;
  return ARRAY_RESERVE(kkt->memory, kkt->null, kkt->null_capacity, (int)needed) ? SARRUS_OK
                                                                                : SARRUS_NOMEM;
}

sarrus_Status kkt_analyse(Kkt *kkt, double allowed) {
  kkt->allowed = fmax(allowed, DEPENDENT);
  kkt->dependent_count = 0;
  kkt->settled = kkt->null_known = 0;
  memset(kkt->dependent, 0, (size_t)kkt->m * sizeof *kkt->dependent);
  SARRUS_TRY(kkt_scale(kkt));
  SARRUS_TRY(kkt->size <= KKT_DENSE ? analyse_dense(kkt) : analyse_sparse(kkt));
  return reserve_null(kkt);
}

/* From outside may come anything. */
static int order_fits(const Kkt *kkt) {
  for (int k = sparse_rank(kkt->sparse); k < kkt->size; k++) {
    const int row = sparse_rows(kkt->sparse)[k], column = sparse_columns(kkt->sparse)[k];
    if (row < kkt->n || column < kkt->n || !kkt->dependent[row - kkt->n]) return 0;
  }
  return 1;
}

sarrus_Status kkt_follow(Kkt *kkt, int rank) {
  int count = 0;
  for (int b = 0; b < kkt->m; b++)
    count += kkt->dependent[b] != 0;
  if (count != kkt->dependent_count) return SARRUS_FORMAT;
  kkt->settled = 1;
  kkt->allowed = DEPENDENT;
  if (kkt->size > KKT_DENSE) {
    sparse_prefer_diagonal(kkt->sparse, !kkt->general && !kkt->off_diagonal);
    SARRUS_TRY(sparse_follow(kkt->sparse, rank));
    if (rank + count == kkt->size && !order_fits(kkt)) return SARRUS_FORMAT;
  }
  return reserve_null(kkt);
}
