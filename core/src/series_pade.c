/*
** Padé approximants p/q of degrees m and n, q_0 = 1.  Coefficients m+1..m+n of q c vanish:
**   sum_{j=1..n} c_{m+i-j} q_j = -c_{m+i},   i = 1..n   (c of negative index is 0),
** and p_i = sum_{j=0..min(i,n)} q_j c_{i-j}.
**
** Equal approximants fill square blocks of the table of all m, n.  Inside a block these equations
** are singular; on its upper and left edges they are regular.  So stepping m, n -> m-1, n-1 while
** they are singular finds the approximant, if there is one, in its lowest terms.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "lapack.h"
#include "sarrus/series.h"

/* The equations of q_1..q_n, by columns, with -c_{m+i} in rhs. */
static void fill(const double *c, int m, int n, double *a, double *rhs) {
  for (int j = 1; j <= n; j++)
    for (int i = 1; i <= n; i++)
      *a++ = m + i >= j ? c[m + i - j] : 0;
  for (int i = 1; i <= n; i++)
    rhs[i - 1] = -c[m + i];
}

/* Scale rows, then columns, to a largest entry of 1.  SARRUS_SINGULAR where one is all zero. */
static sarrus_Status equilibrate(int n, double *a, double *rhs, double *scale) {
  for (int i = 0; i < n; i++) {
    double largest = 0;
    for (int j = 0; j < n; j++)
      largest = fmax(largest, fabs(a[i + j * n]));
    if (largest == 0) return SARRUS_SINGULAR;
    for (int j = 0; j < n; j++)
      a[i + j * n] /= largest;
    rhs[i] /= largest;
  }
  for (int j = 0; j < n; j++) {
    double largest = 0;
    for (int i = 0; i < n; i++)
      largest = fmax(largest, fabs(a[i + j * n]));
    if (largest == 0) return SARRUS_SINGULAR;
    for (int i = 0; i < n; i++)
      a[i + j * n] /= largest;
    scale[j] = largest;
  }
  return SARRUS_OK;
}

static double norm_1(int n, const double *a) {
  double norm = 0;
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += fabs(a[i + j * n]);
    norm = fmax(norm, sum);
  }
  return norm;
}

/* x <- A^-1 x; SARRUS_SINGULAR where A is singular within rounding.  work: 4 n, pivots: 2 n. */
static sarrus_Status solve(int n, double *a, double *x, double *work, int *pivots) {
  const int one = 1;
  const double norm = norm_1(n, a);
  double rcond = 0;
  int info;
  if (!isfinite(norm)) return SARRUS_NONFINITE;
  dgetrf_(&n, &n, a, &n, pivots, &info);
  if (info != 0) return SARRUS_SINGULAR;
  dgecon_("1", &n, a, &n, &norm, &rcond, work, pivots + n, &info, 1);
  if (info != 0 || !(rcond >= DBL_EPSILON)) return SARRUS_SINGULAR;
  dgetrs_("N", &n, &one, a, &n, pivots, x, &n, &info, 1);
  if (info != 0 || !sarrus_series_is_finite(x, n - 1)) return SARRUS_SINGULAR;
  return SARRUS_OK;
}

static sarrus_Status find_denominator(const double *c, int m, int n, double *q, double *work,
                                      int *pivots) {
  double *a = work, *scale = a + n * n, *rest = scale + n;
  q[0] = 1;
  if (n == 0) return SARRUS_OK;
  fill(c, m, n, a, q + 1);
  SARRUS_TRY(equilibrate(n, a, q + 1, scale));
  SARRUS_TRY(solve(n, a, q + 1, rest, pivots));
  for (int j = 0; j < n; j++)
    q[j + 1] /= scale[j];
  return SARRUS_OK;
}

/* sum_{j=0..min(i,n)} q_j c_{i-j}, and in *size the sum of the magnitudes */
static double product(const double *q, int n, const double *c, int i, double *size) {
  double sum = 0;
  *size = 0;
  for (int j = 0; j <= n && j <= i; j++) {
    sum += q[j] * c[i - j];
    *size += fabs(q[j] * c[i - j]);
  }
  return sum;
}

/* Whether the coefficients of q c after t^m, up to t^last, are zero within rounding. */
static int agrees(const double *q, int n, const double *c, int m, int last) {
  double size;
  for (int i = m + 1; i <= last; i++)
    if (!(fabs(product(q, n, c, i, &size)) <= 1e-10 * size)) return 0;
  return 1;
}

sarrus_Status sarrus_series_pade(const double *c, int m, int n, double *p, double *q, double *work,
                                 int *pivots) {
  if (m < 0 || n < 0) return SARRUS_ARGUMENT;
  if (m > SARRUS_MAX_ORDER || n > SARRUS_MAX_PADE) return SARRUS_LIMIT;
  const int last = m + n;
  int down = 0;
  sarrus_Status status;
  if (m < 0 || n < 0) return SARRUS_ARGUMENT;
  while ((status = find_denominator(c, m - down, n - down, q, work, pivots)) == SARRUS_SINGULAR)
    if (++down > m || down > n) return SARRUS_SINGULAR;
  SARRUS_TRY(status);
  memset(p, 0, (size_t)(m + 1) * sizeof *p);
  memset(q + n - down + 1, 0, (size_t)down * sizeof *q);
  if (!agrees(q, n - down, c, m - down, last)) return SARRUS_SINGULAR;
  double size;
  for (int i = 0; i <= m - down; i++)
    p[i] = product(q, n - down, c, i, &size);
  return sarrus_series_is_finite(p, m) ? SARRUS_OK : SARRUS_NONFINITE;
}
