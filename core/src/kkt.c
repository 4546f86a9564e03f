#include "kkt.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "array.h"
#include "lapack.h"
#include "vector.h"

/* Of rows of unit length, one is dependent when less than this of it is new. */
static const double DEPENDENT = 1e-10;
/* A pivot of the scaled matrix that is below this is zero to rounding. */
static const double ZERO_PIVOT = 1e-13;

/* --- layout ------------------------------------------------------------------------------ */

static void lay_out(Kkt *kkt, Block *block) {
  const size_t size = (size_t)kkt->size;
  const int dense = kkt->size <= KKT_DENSE, entries = kkt->pattern.start[kkt->size];
  BLOCK_TAKE(block, kkt->value, entries);
  BLOCK_TAKE(block, kkt->scaled, entries);
  BLOCK_TAKE(block, kkt->row, size);
  BLOCK_TAKE(block, kkt->column, size);
  BLOCK_TAKE(block, kkt->dependent, kkt->m);
  BLOCK_TAKE(block, kkt->reach, kkt->m);
  BLOCK_TAKE(block, kkt->solution, size);
  BLOCK_TAKE(block, kkt->right, size);
  BLOCK_TAKE(block, kkt->residual, size);
  if (!dense) return;
  BLOCK_TAKE(block, kkt->factor, size * size);
  BLOCK_TAKE(block, kkt->reciprocal, size);
  BLOCK_TAKE(block, kkt->pivot, size);
}

Kkt *kkt_take(Block *block, Pattern pattern, int n, int m, int general) {
  Kkt shape = {.pattern = pattern, .n = n, .m = m, .size = n + m, .general = general};
  Kkt *kkt = block_take(block, 1, sizeof *kkt);
  lay_out(&shape, block);
  if (kkt != NULL) *kkt = shape;
  return kkt;
}

void kkt_open(Kkt *kkt, sarrus_Memory memory) { kkt->memory = memory; }

void kkt_release(Kkt *kkt) {
  sparse_free(kkt->sparse);
  ARRAY_RELEASE(kkt->memory, kkt->null, kkt->null_capacity);
  kkt->sparse = NULL;
  kkt->null = NULL;
}

/* --- scaling ----------------------------------------------------------------------------- */

/* Powers of two, so that scaling rounds nothing; 1 where there is nothing to scale by. */
static double power_of_two(double x) {
  int exponent;
  if (!(x > 0) || !isfinite(x)) return 1;
  frexp(x, &exponent);
  return ldexp(1, -exponent);
}

/* For motion from the diagonal of M, for constraints from the length of the scaled row. */
static void scale_blocks(Kkt *kkt) {
  const Pattern *pattern = &kkt->pattern;
  for (int i = 0; i < kkt->size; i++) {
    const int constraint = i >= kkt->n;
    double size = 0;
    for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
      const int j = pattern->column[e];
      if (constraint && j < kkt->n) {
        const double b = kkt->value[e] * kkt->column[j];
        size += b * b;
      } else if (!constraint && j == i) {
        size = fabs(kkt->value[e]);
      }
    }
    kkt->row[i] = kkt->column[i] = power_of_two(sqrt(size));
  }
}

/* A general matrix: rows to a largest element of about 1. */
static void scale_rows(Kkt *kkt) {
  for (int i = 0; i < kkt->size; i++) {
    double largest = 0;
    for (int e = kkt->pattern.start[i]; e < kkt->pattern.start[i + 1]; e++)
      largest = fmax(largest, fabs(kkt->value[e]));
    kkt->row[i] = power_of_two(largest);
    kkt->column[i] = 1;
  }
}

static sarrus_Status scale(Kkt *kkt) {
  const Pattern *pattern = &kkt->pattern;
  double poison = 0;
  if (kkt->general)
    scale_rows(kkt);
  else
    scale_blocks(kkt);
  for (int i = 0; i < kkt->size; i++) {
    for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
      kkt->scaled[e] = kkt->value[e] * kkt->row[i] * kkt->column[pattern->column[e]];
      poison += 0 * kkt->scaled[e];
    }
  }
  return poison == 0 ? SARRUS_OK : SARRUS_NONFINITE;
}

double kkt_row_times(const Kkt *kkt, int row, const double *x, int columns) {
  double sum = 0;
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++)
    if (kkt->pattern.column[e] < columns) sum += kkt->value[e] * x[kkt->pattern.column[e]];
  return sum;
}

void kkt_cost(const Kkt *kkt, double *factor, double *solve) {
  const double size = kkt->size;
  *factor = size * size * size / 3;
  *solve = size * size;
  if (kkt->sparse != NULL) sparse_cost(kkt->sparse, factor, solve);
}

/* --- solving ----------------------------------------------------------------------------- */

/*
** L U x = b in place, by columns.  LAPACK's dgetrs does the same for many right-hand sides at once; for one of few
** elements its overhead is most of its time: 0.26 us against 0.12 here for size 13, 0.95 against 0.75 for 48.
*/
VECTOR_CLONES
static void back_substitute(const double *factor, const double *reciprocal, int size, double *x) {
  for (int k = 0; k < size; k++) {
    const double *column = factor + (ptrdiff_t)k * size, xk = x[k];
    for (int i = k + 1; i < size; i++)
      x[i] -= column[i] * xk;
  }
  for (int k = size - 1; k >= 0; k--) {
    const double *column = factor + (ptrdiff_t)k * size, xk = x[k] * reciprocal[k];
    x[k] = xk;
    for (int i = 0; i < k; i++)
      x[i] -= column[i] * xk;
  }
}

static void solve_dense(const Kkt *kkt, double *x) {
  for (int b = 0; b < kkt->m; b++)
    if (kkt->dependent[b]) x[kkt->n + b] = 0;
  for (int i = 0; i < kkt->size; i++) { /* the row exchanges of the factorisation */
    const int p = kkt->pivot[i] - 1;
    const double xi = x[i];
    x[i] = x[p];
    x[p] = xi;
  }
  back_substitute(kkt->factor, kkt->reciprocal, kkt->size, x);
}

/* x = J^-1 x where left-out constraints have multipliers 0. */
static void solve_factored(const Kkt *kkt, double *x) {
  if (kkt->sparse != NULL) {
    sparse_solve(kkt->sparse, kkt->row, kkt->column, x);
    return;
  }
  for (int i = 0; i < kkt->size; i++)
    x[i] *= kkt->row[i];
  solve_dense(kkt, x);
  for (int i = 0; i < kkt->size; i++)
    x[i] *= kkt->column[i];
}

/* Take the part out of lambda that exerts no force (T12), in the scale of the null vectors. */
static void shorten(const Kkt *kkt, double *lambda) {
  const double *scale_of = kkt->column + kkt->n;
  double *x = kkt->residual;
  for (int i = 0; i < kkt->m; i++)
    x[i] = lambda[i] / scale_of[i];
  for (int c = 0; c < kkt->dependent_count; c++) {
    const double *null = kkt->null + (ptrdiff_t)c * kkt->m;
    const Reach reach = kkt->reach[c];
    double dot = 0;
    for (int i = reach.from; i < reach.to; i++)
      dot += null[i] * x[i];
    for (int i = reach.from; i < reach.to; i++)
      x[i] -= dot * null[i];
  }
  for (int i = 0; i < kkt->m; i++)
    lambda[i] = x[i] * scale_of[i];
}

/*
** Pivots below this part of their row cost digits, which another solve with the residual brings back (redundant loops of
** hinges, residual in m: 4e-13 without, 4e-15 with it).  Stage k adds x h^k, where h is about a quarter of the radius of
** convergence: there pivots may be smaller, and few stages are solved twice (arm: all of them are a third of a step's time).
** So do small pivots, next to a singular position: after the masses, constraints have the diagonal -B M^-1 B^T, the
** square of what is small there.
*/
static const double UNSTEADY = 0.2, SMALL[] = {1e-4, 1e-7, 1e-9, 1e-11};

static int refinements(const Kkt *kkt, int stage) {
  int passes = 0;
  if (kkt->sparse == NULL) return 0;
  for (size_t i = 0; i < sizeof SMALL / sizeof *SMALL; i++)
    passes += kkt->smallest < SMALL[i];
  if (passes > 0) return passes;
  return kkt->steady < ldexp(UNSTEADY, stage > 1 ? 1 - stage : 0);
}

/* x += J^-1 (b - J x); rows and columns that are left out stay so. */
static void refine(const Kkt *kkt, const double *b, double *x) {
  double *residual = kkt->residual;
  for (int i = 0; i < kkt->size; i++)
    residual[i] = b[i] - kkt_row_times(kkt, i, x, kkt->size);
  solve_factored(kkt, residual);
  for (int i = 0; i < kkt->size; i++)
    x[i] += residual[i];
}

void kkt_solve(Kkt *kkt, double *x, int stage) {
  const int passes = refinements(kkt, stage);
  if (passes > 0) memcpy(kkt->right, x, (size_t)kkt->size * sizeof *x);
  solve_factored(kkt, x);
  for (int i = 0; i < passes; i++)
    refine(kkt, kkt->right, x);
  if (kkt->dependent_count > 0) shorten(kkt, x + kkt->n);
}

/* --- redundant constraints --------------------------------------------------------------- */

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
static void find_null_space(Kkt *kkt) {
  const int n = kkt->n, m = kkt->m;
  const Pattern *pattern = &kkt->pattern;
  double *x = kkt->solution;
  int count = 0;
  for (int b = 0; b < m; b++) {
    if (!left_out(kkt, b)) continue;
    double *null = kkt->null + (ptrdiff_t)count * m;
    memset(x, 0, (size_t)kkt->size * sizeof *x);
    for (int e = pattern->start[n + b]; e < pattern->start[n + b + 1]; e++)
      if (pattern->column[e] < n) x[pattern->column[e]] = kkt->value[e];
    solve_factored(kkt, x);
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
      if (pattern->column[e] < n) bt[pattern->column[e] + (ptrdiff_t)i * n] = kkt->scaled[e];
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

static sarrus_Status analyse_dense(Kkt *kkt) {
  const size_t n = (size_t)kkt->n, m = (size_t)kkt->m, space = 3 * m + 1 + 32 * (m + 1);
  const size_t doubles = n * m + m + space, bytes = doubles * sizeof(double) + m * sizeof(int);
  if (m == 0) return SARRUS_OK;
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
static sarrus_Status order(Kkt *kkt) {
  const double left =
      kkt->off_diagonal || kkt->general ? kkt->allowed : kkt->allowed * kkt->allowed;
  return sparse_order(kkt->sparse, kkt->scaled, left);
}

/* What elimination leaves over must be constraints; otherwise a mass is missing. */
static sarrus_Status note_left_over(Kkt *kkt) {
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
  SARRUS_TRY(order(kkt));
  return note_left_over(kkt);
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
  memset(kkt->dependent, 0, (size_t)kkt->m * sizeof *kkt->dependent);
  SARRUS_TRY(scale(kkt));
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
  if (kkt->size > KKT_DENSE) {
    SARRUS_TRY(sparse_follow(kkt->sparse, rank));
    if (rank + count == kkt->size && !order_fits(kkt)) return SARRUS_FORMAT;
  }
  return reserve_null(kkt);
}

/* --- factoring --------------------------------------------------------------------------- */

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
  SARRUS_TRY(order(kkt));
  if (kkt->size - sparse_rank(kkt->sparse) > kkt->dependent_count) return SARRUS_SINGULAR;
  return note_left_over(kkt);
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
  SARRUS_TRY(scale(kkt));
  SARRUS_TRY(kkt->size > KKT_DENSE ? factor_sparse(kkt) : factor_dense(kkt));
  if (!(kkt->smallest > ZERO_PIVOT)) return SARRUS_SINGULAR;
  if (kkt->dependent_count > 0) find_null_space(kkt);
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
