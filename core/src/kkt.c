#include "kkt.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "lapack.h"
#include "vector.h"

/* Of rows of unit length, one is dependent when less than this of it is new. */
static const double DEPENDENT = 1e-10;
/* A pivot of the scaled matrix that is below this is zero to rounding. */
static const double ZERO_PIVOT = 1e-13;

/* --- layout ------------------------------------------------------------------------------ */

static void lay_out(Kkt *kkt, Block *block) {
  const size_t size = (size_t)kkt->size;
  BLOCK_TAKE(block, kkt->matrix, size * size);
  BLOCK_TAKE(block, kkt->factor, size * size);
  BLOCK_TAKE(block, kkt->row, size);
  BLOCK_TAKE(block, kkt->column, size);
  BLOCK_TAKE(block, kkt->reciprocal, size);
  BLOCK_TAKE(block, kkt->pivot, size);
  BLOCK_TAKE(block, kkt->dependent, kkt->m);
  BLOCK_TAKE(block, kkt->null, (size_t)kkt->m * (size_t)kkt->m);
  BLOCK_TAKE(block, kkt->solution, size);
}

Kkt *kkt_take(Block *block, int n, int m, int general) {
  Kkt shape = {.n = n, .m = m, .size = n + m, .general = general};
  Kkt *kkt = block_take(block, 1, sizeof *kkt);
  lay_out(&shape, block);
  if (kkt != NULL) *kkt = shape;
  return kkt;
}

size_t kkt_work_size(int n, int m) {
  const size_t columns = (size_t)m;
  return columns * (size_t)n + columns + 3 * columns + 1 + 32 * (columns + 1) + columns;
}

/* --- scaling ----------------------------------------------------------------------------- */

/*
** Powers of two, so that scaling rounds nothing: for motion from the diagonal of M (1 where a
** coordinate has no mass of its own), for constraints from the length of the scaled row.
*/
static double power_of_two(double x) {
  int exponent;
  if (!(x > 0) || !isfinite(x)) return 1;
  frexp(x, &exponent);
  return ldexp(1, -exponent);
}

static void scale(Kkt *kkt) {
  const int n = kkt->n;
  for (int j = 0; j < n; j++)
    kkt->column[j] = power_of_two(sqrt(fabs(*kkt_at(kkt, j, j))));
  for (int i = n; i < kkt->size; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
      const double b = *kkt_at(kkt, i, j) * kkt->column[j];
      sum += b * b;
    }
    kkt->column[i] = power_of_two(sqrt(sum));
  }
  memcpy(kkt->row, kkt->column, (size_t)kkt->size * sizeof(double));
}

/* A general matrix: rows to a largest element of about 1. */
static void scale_rows(Kkt *kkt) {
  for (int i = 0; i < kkt->size; i++) {
    double largest = 0;
    for (int j = 0; j < kkt->size; j++)
      largest = fmax(largest, fabs(*kkt_at(kkt, i, j)));
    kkt->row[i] = power_of_two(largest);
    kkt->column[i] = 1;
  }
}

static int is_finite(const double *x, size_t count) {
  double poison = 0;
  for (size_t i = 0; i < count; i++)
    poison += 0 * x[i];
  return poison == 0;
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
    for (int i = k + 1; i < size; i++) x[i] -= column[i] * xk;
  }
  for (int k = size - 1; k >= 0; k--) {
    const double *column = factor + (ptrdiff_t)k * size, xk = x[k] * reciprocal[k];
    x[k] = xk;
    for (int i = 0; i < k; i++) x[i] -= column[i] * xk;
  }
}

/* x = J^-1 x where the left-out constraints have multipliers 0. */
static void solve_factored(const Kkt *kkt, double *x) {
  const int size = kkt->size;
  for (int i = 0; i < size; i++) x[i] *= kkt->row[i];
  for (int b = 0; b < kkt->m; b++)
    if (kkt->dependent[b]) x[kkt->n + b] = 0;
  for (int i = 0; i < size; i++) { /* the row exchanges of the factorisation */
    const int p = kkt->pivot[i] - 1;
    const double xi = x[i];
    x[i] = x[p];
    x[p] = xi;
  }
  back_substitute(kkt->factor, kkt->reciprocal, size, x);
  for (int i = 0; i < size; i++) x[i] *= kkt->column[i];
}

/* --- redundant constraints --------------------------------------------------------------- */

/* QR with pivoting of the scaled B^T: rows of B whose new part is small depend on the others. */
sarrus_Status kkt_analyse(Kkt *kkt, double *work) {
  const int n = kkt->n, m = kkt->m;
  kkt->dependent_count = 0;
  if (m == 0) return SARRUS_OK;
  if (!is_finite(kkt->matrix, (size_t)kkt->size * (size_t)kkt->size)) return SARRUS_NONFINITE;
  scale(kkt);
  double *bt = work, *tau = bt + (size_t)n * (size_t)m, *space = tau + m;
  const int space_size = 3 * m + 1 + 32 * (m + 1);
  int *order = (int *)(void *)(space + space_size), info = 0;
  for (int i = 0; i < m; i++) {
    order[i] = 0;
    kkt->dependent[i] = 0;
    for (int j = 0; j < n; j++)
      bt[j + i * n] = *kkt_at(kkt, n + i, j) * kkt->column[j] * kkt->row[n + i];
  }
  dgeqp3_(&n, &m, bt, &n, order, tau, space, &space_size, &info);
  if (info != 0) return SARRUS_SINGULAR;
  for (int i = 0; i < m; i++) {
    if (i < n && fabs(bt[i + i * n]) > DEPENDENT) continue;
    kkt->dependent[order[i] - 1] = 1;
    kkt->dependent_count++;
  }
  return SARRUS_OK;
}

/*
** For a dependent row b of B, J x = (b^T, 0) has the solution x = (0, c) where b = c^T B: the null vector of
** B^T is c, less 1 at b.  Gram-Schmidt, twice, makes them orthonormal in the scaled metric.
*/
static void find_null_space(Kkt *kkt) {
  const int n = kkt->n, m = kkt->m;
  double *x = kkt->solution;
  int count = 0;
  for (int b = 0; b < m; b++) {
    if (!kkt->dependent[b]) continue;
    double *null = kkt->null + (size_t)count * (size_t)m;
    memset(x, 0, (size_t)kkt->size * sizeof *x);
    for (int j = 0; j < n; j++)
      x[j] = *kkt_at(kkt, n + b, j);
    solve_factored(kkt, x);
    x[n + b] = -1;
    for (int i = 0; i < m; i++)
      null[i] = x[n + i] / kkt->column[n + i];
    for (int pass = 0; pass < 2; pass++) {
      for (int c = 0; c < count; c++) {
        const double *other = kkt->null + (size_t)c * (size_t)m;
        double dot = 0;
        for (int i = 0; i < m; i++)
          dot += other[i] * null[i];
        for (int i = 0; i < m; i++)
          null[i] -= dot * other[i];
      }
      double length = 0;
      for (int i = 0; i < m; i++)
        length += null[i] * null[i];
      for (int i = 0; i < m; i++)
        null[i] /= sqrt(length);
    }
    count++;
  }
}

/* --- factor and solve -------------------------------------------------------------------- */

static void fill_factor(Kkt *kkt) {
  const int size = kkt->size;
  for (int j = 0; j < size; j++)
    for (int i = 0; i < size; i++)
      kkt->factor[i + (ptrdiff_t)j * size] = *kkt_at(kkt, i, j) * kkt->row[i] * kkt->column[j];
  for (int b = 0; b < kkt->m; b++) {
    if (!kkt->dependent[b]) continue;
    const int i = kkt->n + b;
    for (int j = 0; j < size; j++)
      kkt->factor[i + (ptrdiff_t)j * size] = kkt->factor[j + (ptrdiff_t)i * size] = 0;
    kkt->factor[i + (ptrdiff_t)i * size] = 1;
  }
}

sarrus_Status kkt_factor(Kkt *kkt) {
  const int size = kkt->size;
  int info = 0;
  if (!is_finite(kkt->matrix, (size_t)size * (size_t)size)) return SARRUS_NONFINITE;
  if (kkt->general)
    scale_rows(kkt);
  else
    scale(kkt);
  fill_factor(kkt);
  kkt->smallest = 1;
  if (size == 0) return SARRUS_OK;
  dgetrf_(&size, &size, kkt->factor, &size, kkt->pivot, &info);
  for (int i = 0; i < size; i++) {
    const double pivot = kkt->factor[i + (ptrdiff_t)i * size];
    kkt->reciprocal[i] = 1 / pivot;
    kkt->smallest = fmin(kkt->smallest, fabs(pivot));
  }
  if (info != 0 || !(kkt->smallest > ZERO_PIVOT)) return SARRUS_SINGULAR;
  if (kkt->dependent_count > 0) find_null_space(kkt);
  return SARRUS_OK;
}

static void shorten(const Kkt *kkt, double *lambda) {
  const int m = kkt->m;
  const double *scale_of = kkt->column + kkt->n;
  for (int c = 0; c < kkt->dependent_count; c++) {
    const double *null = kkt->null + (size_t)c * (size_t)m;
    double dot = 0;
    for (int i = 0; i < m; i++)
      dot += null[i] * lambda[i] / scale_of[i];
    for (int i = 0; i < m; i++)
      lambda[i] -= dot * null[i] * scale_of[i];
  }
}

void kkt_solve(Kkt *kkt, double *x) {
  solve_factored(kkt, x);
  if (kkt->dependent_count > 0) shorten(kkt, x + kkt->n);
}

/*
** Inverse iteration with the smallest pivot raised: the largest elements of the left and right
** null vectors of D J D.
*/
KktFault kkt_fault(Kkt *kkt) {
  const int size = kkt->size, one = 1;
  KktFault fault = {0, 0, (double)INFINITY};
  int info = 0;
  for (int i = 0; i < size; i++) {
    double *pivot = &kkt->factor[i + (ptrdiff_t)i * size];
    if (!(fabs(*pivot) > ZERO_PIVOT)) *pivot = DBL_EPSILON;
  }
  for (int side = 0; side < 2; side++) {
    double *x = kkt->solution, largest = 0;
    for (int i = 0; i < size; i++)
      x[i] = 1 + 0.1 * (i % 7);
    for (int pass = 0; pass < 3; pass++) {
      const char *trans = (pass + side) % 2 == 0 ? "N" : "T";
      dgetrs_(trans, &size, &one, kkt->factor, &size, kkt->pivot, x, &size, &info, 1);
      largest = 0;
      for (int i = 0; i < size; i++)
        largest = fmax(largest, fabs(x[i]));
      if (!(largest > 0) || !isfinite(largest)) return fault;
      for (int i = 0; i < size; i++)
        x[i] /= largest;
    }
    for (int i = 0; i < size; i++)
      if (fabs(x[i]) > 0.999) {
        if (side == 0)
          fault.column = i;
        else
          fault.row = i;
        break;
      }
    fault.condition = largest;
  }
  return fault;
}
