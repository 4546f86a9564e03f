/* Eigenvalues and eigenvectors. */
#include "sarrus/eigen.h"

#include <math.h>

#include "lapack.h"

static int is_finite(int n, const double *a) {
  for (long i = 0; i < (long)n * n; i++)
    if (!isfinite(a[i])) return 0;
  return 1;
}

/* Checks arguments: OK where there is something to compute, STOPPED where n is 0. */
static sarrus_Status check(int n, const double *a, const double *values, const double *work) {
  if (n < 0) return SARRUS_ARGUMENT;
  if (n > SARRUS_MAX_EIGEN) return SARRUS_LIMIT;
  if (n == 0) return SARRUS_STOPPED;
  if (a == NULL || values == NULL || work == NULL) return SARRUS_ARGUMENT;
  return is_finite(n, a) ? SARRUS_OK : SARRUS_NONFINITE;
}

static int all_finite(int n, const double *x) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return 0;
  return 1;
}

sarrus_Status sarrus_eigen(int n, double *a, double *re, double *im, double *vectors,
                           double *work) {
  const int work_size = 4 * n, one = 1, columns = vectors != NULL ? n : 1;
  double none = 0;
  int info = 0;
  const sarrus_Status status = check(n, a, re, work);
  if (status != SARRUS_OK) return status < 0 ? status : SARRUS_OK;
  if (im == NULL) return SARRUS_ARGUMENT;
  dgeev_("N", vectors != NULL ? "V" : "N", &n, a, &n, re, im, &none, &one,
         vectors != NULL ? vectors : &none, &columns, work, &work_size, &info, 1, 1);
  if (info != 0) return SARRUS_LIMIT;
  return all_finite(n, re) && all_finite(n, im) ? SARRUS_OK : SARRUS_NONFINITE;
}

sarrus_Status sarrus_eigen_symmetric(int n, double *a, double *values, double *work) {
  const int work_size = 3 * n;
  int info = 0;
  const sarrus_Status status = check(n, a, values, work);
  if (status != SARRUS_OK) return status < 0 ? status : SARRUS_OK;
  dsyev_("V", "U", &n, a, &n, values, work, &work_size, &info, 1, 1);
  if (info != 0) return SARRUS_LIMIT;
  return all_finite(n, values) ? SARRUS_OK : SARRUS_NONFINITE;
}
