/* Redundant constraints: which rows depend on others, and the multipliers that exert no force. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "array.h"
#include "kkt_parts.h"
#include "vector.h"

/*
** A row, scaled to unit length, is dependent if less than the part DEPENDENT of it is independent
** of the other rows, and may be dependent if less than SUSPECT is.
*/
static const double DEPENDENT = 1e-10, SUSPECT = 1e-5;

/*
** In vectors of about unit length, elements below this are rounding.  They are set to zero because
** a loop depends on its own constraints only: null vectors then have few elements, and few of them
** overlap.
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

/* List the indices of elements that are not 0, in ascending order; returns how many there are. */
static int list_elements(const double *null, const Reach *reach, int *list) {
  int count = 0;
  for (int i = reach->from; i < reach->to; i++)
    if (null[i] != 0) list[count++] = i;
  return count;
}

/* null -= (null . other) other; returns 0, and changes nothing, where the product is rounding. */
static int take_out(double *null, Reach *reach, const int *list, int count, const double *other,
                    Reach of) {
  double dot = 0;
  for (int k = 0; k < count; k++)
    if (list[k] >= of.from && list[k] < of.to) dot += other[list[k]] * null[list[k]];
  if (fabs(dot) < SPECK) return 0;
  for (int i = of.from; i < of.to; i++)
    null[i] -= dot * other[i];
  if (of.from < reach->from) reach->from = of.from;
  if (of.to > reach->to) reach->to = of.to;
  return 1;
}

/* Scale to about unit length: divide by a power of two, which is returned. */
static double to_unit(double *null, int count) {
  double largest = 0;
  int exponent;
  for (int i = 0; i < count; i++)
    largest = fmax(largest, fabs(null[i]));
  if (largest == 0 || !isfinite(largest)) return 1;
  frexp(largest, &exponent);
  for (int i = 0; i < count; i++)
    if (null[i] != 0) null[i] = ldexp(null[i], -exponent);
  return ldexp(1, exponent);
}

/*
** Gram-Schmidt, twice, of vector `count` against the vectors before it, then scaled to unit length;
** returns the length before that.  Each vector has one element that no other has, that of its
** left-out row; where this is rounding beside the rest, nothing may be left of the vector.
*/
static double orthonormalise(Kkt *kkt, int count) {
  double *null = kkt->null + (ptrdiff_t)count * kkt->m;
  Reach *reach = &kkt->reach[count];
  double whole = to_unit(null, kkt->m);
  *reach = (Reach){0, kkt->m};
  trim(null, reach);
  for (int pass = 0; pass < 2; pass++) {
    double length = 0;
    int elements = list_elements(null, reach, kkt->elements);
    for (int c = 0; c < count; c++)
      if (take_out(null, reach, kkt->elements, elements, kkt->null + (ptrdiff_t)c * kkt->m,
                   kkt->reach[c]))
        elements = list_elements(null, reach, kkt->elements);
    for (int i = reach->from; i < reach->to; i++)
      length += null[i] * null[i];
    if (!(length > 0)) {
      *reach = (Reach){0, 0};
      return DBL_MIN;
    }
    const double root = sqrt(length);
    for (int i = reach->from; i < reach->to; i++)
      null[i] /= root;
    trim(null, reach);
    whole *= sqrt(length);
  }
  return whole;
}

/* From the null vector of left-out row b: note the kept row with the largest part in b, if larger
** than those noted before. */
static void note_part(Kkt *kkt, const double *null, int b) {
  for (int i = 0; i < kkt->m; i++)
    if (fabs(null[i]) > kkt->exchange.part * fabs(null[b]))
      kkt->exchange = (Exchange){b, i, fabs(null[i] / null[b])};
}

/*
** x = (y, c) from M y + B^T c = b^T, B y = 0: the left-out row b is c^T B, if it is dependent.  The
** columns of what rubs are others than the rows: there it is J^T that has B^T at the right.
*/
static void explain_row(const Kkt *kkt, int b, double *x) {
  const Pattern *pattern = &kkt->pattern;
  const int row = kkt->n + b;
  memset(x, 0, (size_t)kkt->size * sizeof *x);
  for (int e = pattern->start[row]; e < pattern->start[row + 1]; e++)
    if (pattern->column[e] < kkt->n) x[pattern->column[e]] = kkt->value[e];
  if (kkt->rubs && kkt->sparse != NULL)
    sparse_solve_transposed(kkt->sparse, x);
  else
    kkt_solve_factored(kkt, x);
}

/* J x = 0 with -1 at the left-out constraint b: how all changes with its multiplier. */
static void find_way(const Kkt *kkt, int b, double *x) {
  const Pattern *pattern = &kkt->pattern;
  memset(x, 0, (size_t)kkt->size * sizeof *x);
  for (int j = 0; j < kkt->n; j++)
    for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++)
      if (pattern->column[e] == kkt->n + b) x[j] += kkt->value[e];
  kkt_solve_factored(kkt, x);
  x[kkt->n + b] -= 1;
}

static double part_of(const Kkt *kkt, int c, const double *x) {
  return vector_dot(kkt->null + (ptrdiff_t)c * kkt->m, x + kkt->n, kkt->inverse, kkt->m);
}

/*
** (T75) Where friction goes with multipliers, those that exert no force along the constraints move
** things all the same.  The shortest are found all along the solutions of J x = 0, made such that
** each has a part 1 in one null vector, and none in the others.
*/
static void find_ways(Kkt *kkt) {
  int count = 0;
  for (int b = 0; b < kkt->m; b++)
    if (kkt->dependent[b] == KKT_DEPENDENT)
      find_way(kkt, b, kkt->ways + (ptrdiff_t)count++ * kkt->size);
  for (int c = 0; c < count; c++) {
    double *own = kkt->ways + (ptrdiff_t)c * kkt->size;
    int best = c;
    for (int k = c + 1; k < count; k++)
      if (fabs(part_of(kkt, c, kkt->ways + (ptrdiff_t)k * kkt->size)) >
          fabs(part_of(kkt, c, kkt->ways + (ptrdiff_t)best * kkt->size)))
        best = k;
    double *other = kkt->ways + (ptrdiff_t)best * kkt->size;
    const double part = part_of(kkt, c, other);
    for (int i = 0; i < kkt->size; i++) {
      const double keep = own[i];
      own[i] = part != 0 ? other[i] / part : 0;
      if (best != c) other[i] = keep;
    }
    for (int k = 0; k < count; k++) {
      double *x = kkt->ways + (ptrdiff_t)k * kkt->size;
      const double factor = k == c ? 0 : part_of(kkt, c, x);
      for (int i = 0; i < kkt->size && k != c; i++)
        x[i] -= factor * own[i];
    }
  }
}

/*
** What is even is measured as the shortest of its rows; while something rubs, what is not (T50)
** counts next to nothing.
*/
static const double UNMEASURED = 1024.0 * 1024;

static void find_measure(Kkt *kkt) {
  double even = 0;
  for (int b = 0; b < kkt->m; b++)
    if (kkt->even[b]) even = fmax(even, kkt->column[kkt->n + b]);
  for (int b = 0; b < kkt->m; b++) {
    kkt->measure[b] = kkt->share[b] > 0 ? kkt->share[b]
                      : kkt->even[b]    ? even
                      : kkt->rubs       ? UNMEASURED * even
                                        : kkt->column[kkt->n + b];
    kkt->inverse[b] = 1 / kkt->measure[b];
  }
}

/*
** (T11) For a left-out column b of B^T, J x = (b^T, 0) has the solution x = (0, c) where
** b = c^T B: the null vector of B^T is c, less 1 at b.
*/
void kkt_find_null_space(Kkt *kkt) {
  const int n = kkt->n, m = kkt->m;
  double *x = kkt->solution;
  int count = 0;
  kkt->null_known = 1;
  kkt->exchange = (Exchange){.part = 1};
  kkt->null_volume = 0;
  if (kkt->dependent_count == 0) return;
  find_measure(kkt);
  for (int b = 0; b < m; b++) {
    if (kkt->dependent[b] != KKT_DEPENDENT) continue;
    double *null = kkt->null + (ptrdiff_t)count * m;
    explain_row(kkt, b, x);
    x[n + b] -= 1;
    for (int i = 0; i < m; i++)
      null[i] = x[n + i] / kkt->column[n + i];
    note_part(kkt, null, b);
    for (int i = 0; i < m; i++)
      null[i] = x[n + i] * kkt->inverse[i];
    kkt->null_volume +=
        log2(kkt->inverse[b] / orthonormalise(kkt, count++)); /* the element of row b */
  }
  if (kkt->rubs) find_ways(kkt);
}

/* log2 of V of (T37), the volume of the kept rows. */
double kkt_log_volume(Kkt *kkt) {
  double shares = 0;
  if (kkt->sparse == NULL) return 0;
  if (!kkt->null_known) kkt_find_null_space(kkt);
  for (int b = 0; b < kkt->m; b++) {
    const double own = kkt->column[kkt->n + b], share = kkt->share[b] > 0 ? kkt->share[b] : own;
    if (kkt->dependent[b] == KKT_KEPT)
      shares += log2((kkt->dependent_count > 0 ? kkt->measure[b] : share) / own);
  }
  return sparse_log_determinant(kkt->sparse, (Scales){kkt->row, kkt->column}) +
         2 * (shares - kkt->null_volume);
}

sarrus_Status kkt_choose_pivots(Kkt *kkt, int off_diagonal, double nothing) {
  if (kkt_own_sparse(kkt) == NULL) return SARRUS_NOMEM;
  kkt->off_diagonal = off_diagonal;
  sparse_prefer_diagonal(kkt->sparse, !off_diagonal && !kkt->general);
  return sparse_choose_pivots(kkt->sparse, kkt->value, (Scales){kkt->row, kkt->column},
                              (LeftOut){kkt->n, kkt->dependent}, nothing);
}

sarrus_Status kkt_choose_order(Kkt *kkt, int off_diagonal, double nothing) {
  SARRUS_TRY(kkt_choose_pivots(kkt, off_diagonal, nothing));
  return kkt_is_whole(kkt) ? sparse_group_pivots(kkt->sparse) : SARRUS_OK;
}

static void leave_out_none(Kkt *kkt) {
  kkt->dependent_count = 0;
  for (int b = 0; b < kkt->m; b++)
    if (kkt->dependent[b] == KKT_DEPENDENT) kkt->dependent[b] = KKT_KEPT;
}

/* Leave out the rows without a pivot.  These must be constraints; otherwise a mass is missing. */
static sarrus_Status leave_out_rest(Kkt *kkt) {
  const int rank = sparse_rank(kkt->sparse), *rows = sparse_rows(kkt->sparse);
  const int *columns = sparse_columns(kkt->sparse);
  if (rank + kkt->off_count == kkt->size) return SARRUS_OK;
  for (int k = rank; k < kkt->size; k++)
    if (rows[k] < kkt->n || columns[k] < kkt->n) return SARRUS_SINGULAR;
  for (int k = rank; k < kkt->size; k++)
    if (kkt->dependent[rows[k] - kkt->n] == KKT_KEPT)
      kkt->dependent[rows[k] - kkt->n] = KKT_DEPENDENT;
  kkt->dependent_count = kkt->size - rank - kkt->off_count;
  kkt_forget_order(kkt); /* columns without pivots may be other ones than those of the rows */
  return SARRUS_OK;
}

/*
** With pivots on the diagonal, the remainder of a constraint is the square of the independent part
** of its row.  This is enough to find the dependent rows if the remainders of all other rows are
** far from zero, as where axes that should be parallel are a little off.  If some are not, as in a
** long chain of thin rods, dependent rows are found with pivots off the diagonal, where remainders
** are not squared.  If one of them is near zero already while dependent rows are looked for, they
** are not asked again without these: for a chain of thin rods, one order of three is saved.
*/
static sarrus_Status find_dependent(Kkt *kkt, double allowed) {
  const double suspect = fmax(allowed, SUSPECT);
  SARRUS_TRY(kkt_choose_order(kkt, kkt->general, kkt->general ? 0 : suspect * suspect));
  SARRUS_TRY(leave_out_rest(kkt));
  if (kkt->dependent_count == 0) return SARRUS_OK;
  int good = !kkt->general && kkt_is_far_from_singular(kkt);
  if (good) SARRUS_TRY(kkt_factor_on_diagonal(kkt, &good));
  if (good) return SARRUS_OK;
  leave_out_none(kkt);
  SARRUS_TRY(kkt_choose_order(kkt, 1, fmax(allowed, DEPENDENT)));
  return leave_out_rest(kkt);
}

/*
** Rows that join a light body to heavy ones look alike in the metric of masses, because the entries
** of the light body dominate them.  But whether a row is needed does not depend on masses.  So the
** rest b - c^T B of a left-out row b, with c of (T11), must be less than this part of b, when each
** coordinate moves by its size (T40).  For redundant rows the rest is 1e-5 or less, times the ratio
** of masses of about one size; for a needed row it is nearly all of b.
*/
static const double NEEDED = 1e-3;

static int is_needed(Kkt *kkt, int b, double allowed, const double *sizes) {
  const Pattern *pattern = &kkt->pattern;
  const int row = kkt->n + b;
  double *x = kkt->solution, *rest = kkt->right, whole = 0, most = 0;
  explain_row(kkt, b, x);
  memset(x, 0, (size_t)kkt->n * sizeof *x);
  for (int j = 0; j < kkt->n; j++)
    rest[j] = -kkt_row_times(kkt, j, x, kkt->size);
  for (int e = pattern->start[row]; e < pattern->start[row + 1]; e++) {
    const int j = pattern->column[e];
    if (j >= kkt->n) continue;
    rest[j] += kkt->value[e];
    whole = fmax(whole, fabs(kkt->value[e]) * kkt_size_of(sizes, j));
  }
  for (int j = 0; j < kkt->n; j++)
    most = fmax(most, fabs(rest[j]) * kkt_size_of(sizes, j));
  return most > fmax(NEEDED, 100 * allowed) * whole;
}

static void set_equal_masses(Kkt *kkt, const double *sizes) {
  const Pattern *pattern = &kkt->pattern;
  for (int j = 0; j < kkt->n; j++) {
    const double size = fmin(fmax(kkt_size_of(sizes, j), 1e-150), 1e150);
    for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++)
      if (pattern->column[e] < kkt->n)
        kkt->value[e] = pattern->column[e] == j ? 1 / (size * size) : 0;
  }
}

/* Find dependent rows as if all coordinates had one mass, relative to their sizes; then limit the
** scales, so that no light body dominates. */
static sarrus_Status find_dependent_by_sizes(Kkt *kkt, double allowed, const double *sizes) {
  const size_t bytes = (size_t)kkt->pattern.start[kkt->size] * sizeof *kkt->value;
  double *value = kkt->memory.alloc(kkt->memory.ud, NULL, 0, bytes);
  if (value == NULL) return SARRUS_NOMEM;
  memcpy(value, kkt->value, bytes);
  leave_out_none(kkt);
  set_equal_masses(kkt, sizes);
  sarrus_Status status = kkt_scale(kkt, sizes);
  if (status == SARRUS_OK) status = find_dependent(kkt, allowed);
  memcpy(kkt->value, value, bytes);
  kkt->memory.alloc(kkt->memory.ud, value, bytes, 0);
  kkt_forget_order(kkt);
  SARRUS_TRY(status);
  SARRUS_TRY(kkt_scale(kkt, sizes));
  kkt_limit_scales(kkt, sizes);
  return SARRUS_OK;
}

/* Check the rows left out: if one is needed, or the kept rows are SINGULAR, masses have misled. */
static sarrus_Status free_needed(Kkt *kkt, double allowed, const double *sizes) {
  const sarrus_Status status = kkt_factor(kkt);
  if (status == SARRUS_SINGULAR) return find_dependent_by_sizes(kkt, allowed, sizes);
  SARRUS_TRY(status);
  for (int b = 0; b < kkt->m; b++)
    if (kkt->dependent[b] == KKT_DEPENDENT && is_needed(kkt, b, allowed, sizes))
      return find_dependent_by_sizes(kkt, allowed, sizes);
  return SARRUS_OK;
}

/* Where rows go on and off, something may begin to rub later, without another analysis. */
static sarrus_Status reserve_null(Kkt *kkt) {
  const ptrdiff_t needed = (ptrdiff_t)kkt->m * kkt->dependent_count;
  const ptrdiff_t ways = kkt->knows_orders ? (ptrdiff_t)kkt->size * kkt->dependent_count : 0;
  if (needed > INT_MAX / 2 || ways > INT_MAX / 2) return SARRUS_LIMIT;
  if (!ARRAY_RESERVE(kkt->memory, kkt->null, kkt->null_capacity, (int)needed) ||
      !ARRAY_RESERVE(kkt->memory, kkt->ways, kkt->ways_capacity, (int)ways))
    return SARRUS_NOMEM;
  return SARRUS_OK;
}

static sarrus_Status analyse(Kkt *kkt, double allowed, const double *sizes) {
  kkt->null_known = 0;
  leave_out_none(kkt);
  SARRUS_TRY(kkt_scale(kkt, sizes));
  if (kkt->size == 0) return SARRUS_OK;
  int served = 0;
  if (kkt->knows_orders) SARRUS_TRY(kkt_factor_in_known_order(kkt, &served));
  if (served) return SARRUS_OK;
  if (kkt_sparse(kkt) == NULL) return SARRUS_NOMEM;
  SARRUS_TRY(find_dependent(kkt, allowed));
  if (kkt->dependent_count > 0) SARRUS_TRY(free_needed(kkt, allowed, sizes));
  return reserve_null(kkt);
}

sarrus_Status kkt_analyse_boldly(Kkt *kkt, double allowed, const double *sizes) {
  kkt->wary = 0;
  return analyse(kkt, allowed, sizes);
}

static sarrus_Status analyse_warily(Kkt *kkt, double allowed, const double *sizes) {
  kkt->wary = 1;
  return analyse(kkt, allowed, sizes);
}

/* Whether scales are others boldly; they stay as they are. */
static int rounding_scales(Kkt *kkt, const double *sizes) {
  const size_t bytes = (size_t)kkt->size * sizeof *kkt->row;
  memcpy(kkt->solution, kkt->row, bytes);
  memcpy(kkt->right, kkt->column, bytes);
  kkt_scale(kkt, sizes);
  memcpy(kkt->residual, kkt->column, bytes);
  kkt->wary = 0;
  kkt_scale(kkt, sizes);
  kkt->wary = 1;
  const int differ = memcmp(kkt->residual, kkt->column, bytes) != 0;
  memcpy(kkt->row, kkt->solution, bytes);
  memcpy(kkt->column, kkt->right, bytes);
  return differ;
}

/*
** Scaled numbers have no units, so a small one may be rounding or not.  It is taken as rounding
** (warily), for beside a scale that comes from rounding everything else in its rows looks like
** rounding; and boldly, as what it says, only where the analysis fails otherwise, or leaves out
** more rows.
*/
sarrus_Status kkt_analyse(Kkt *kkt, double allowed, const double *sizes) {
  const sarrus_Status status = analyse_warily(kkt, allowed, sizes);
  const int count = kkt->dependent_count, fails = status == SARRUS_SINGULAR;
  if (!fails && (status < 0 || count == 0 || !rounding_scales(kkt, sizes))) return status;
  const sarrus_Status bold = kkt_analyse_boldly(kkt, allowed, sizes);
  if (bold < 0 ? bold != SARRUS_SINGULAR : fails || kkt->dependent_count < count) return bold;
  return analyse_warily(kkt, allowed, sizes);
}

sarrus_Status kkt_leave_out(Kkt *kkt, const int *dependent, int count) {
  const size_t bytes = (size_t)kkt->m * sizeof *dependent;
  if (memcmp(kkt->dependent, dependent, bytes) == 0) return SARRUS_OK;
  kkt->turns++;
  memcpy(kkt->dependent, dependent, bytes);
  kkt->dependent_count = count;
  kkt->off_count = 0;
  for (int b = 0; b < kkt->m; b++)
    kkt->off_count += dependent[b] == KKT_OFF;
  kkt->null_known = 0;
  kkt_forget_order(kkt);
  return reserve_null(kkt);
}

/* The same as before, where orders for them are known: there is nothing to forget. */
static int are_off(const Kkt *kkt, const int *off) {
  if (!kkt->knows_orders || kkt->dependent_count > 0) return 0;
  for (int b = 0; b < kkt->m; b++)
    if ((kkt->dependent[b] == KKT_OFF) != (off[b] != 0)) return 0;
  return 1;
}

void kkt_turn_off(Kkt *kkt, const int *off) {
  if (are_off(kkt, off)) return;
  kkt->turns++;
  kkt->dependent_count = kkt->off_count = 0;
  for (int b = 0; b < kkt->m; b++) {
    kkt->dependent[b] = off[b] ? KKT_OFF : KKT_KEPT;
    kkt->off_count += off[b] != 0;
  }
  kkt->null_known = 0;
  kkt_forget_order(kkt);
}

/* No kept row may have a larger part than this in a left-out one: else they change places (T33). */
static const double MOST_PART = 4;

int kkt_exchange(Kkt *kkt) {
  if (!kkt->null_known) kkt_find_null_space(kkt);
  if (kkt->dependent_count == 0 || !(kkt->exchange.part > MOST_PART)) return 0;
  kkt->dependent[kkt->exchange.left_out] = KKT_KEPT;
  kkt->dependent[kkt->exchange.kept] = KKT_DEPENDENT;
  kkt->null_known = 0;
  kkt_forget_order(kkt);
  return 1;
}

/* The order comes from a file, so it is checked: rows and columns without a pivot are left out. */
static int order_fits(const Kkt *kkt) {
  for (int k = sparse_rank(kkt->sparse); k < kkt->size; k++) {
    const int row = sparse_rows(kkt->sparse)[k], column = sparse_columns(kkt->sparse)[k];
    if (row < kkt->n || column < kkt->n) return 0;
    if (!kkt->dependent[row - kkt->n] || !kkt->dependent[column - kkt->n]) return 0;
  }
  return 1;
}

sarrus_Status kkt_follow(Kkt *kkt, int rank) {
  int count = 0;
  kkt->turns++;
  kkt->off_count = 0;
  for (int b = 0; b < kkt->m; b++) {
    count += kkt->dependent[b] != KKT_KEPT;
    kkt->off_count += kkt->dependent[b] == KKT_OFF;
  }
  if (count != kkt_left_out(kkt)) return SARRUS_FORMAT;
  if (kkt->sparse != NULL) {
    sparse_prefer_diagonal(kkt->sparse, !kkt->general && !kkt->off_diagonal);
    SARRUS_TRY(sparse_follow(kkt->sparse, rank));
    if (rank + count == kkt->size && !order_fits(kkt)) return SARRUS_FORMAT;
  }
  return reserve_null(kkt);
}
