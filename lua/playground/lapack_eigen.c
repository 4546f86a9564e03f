/*
** Eigenvalues for the playground, as lapack.c: symmetric matrices by Jacobi's rotations; others
** have none here, and say so by info = 1.
*/
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/src/lapack.h"

enum { MOST_SWEEPS = 60 };

/* Turn columns p and q of an n x n matrix. */
static void turn_columns(int n, double *a, int p, int q, double c, double s) {
  for (int i = 0; i < n; i++) {
    const double x = a[i + p * n], y = a[i + q * n];
    a[i + p * n] = c * x - s * y;
    a[i + q * n] = s * x + c * y;
  }
}

static void turn_rows(int n, double *a, int p, int q, double c, double s) {
  for (int j = 0; j < n; j++) {
    const double x = a[p + j * n], y = a[q + j * n];
    a[p + j * n] = c * x - s * y;
    a[q + j * n] = s * x + c * y;
  }
}

/* The rotation that makes a_pq vanish; whether there was anything to do. */
static int rotate(int n, double *a, double *v, int p, int q) {
  const double off = a[p + q * n], app = a[p + p * n], aqq = a[q + q * n];
  if (fabs(off) <= 1e-17 * sqrt(fabs(app * aqq)) || off == 0) return 0;
  const double theta = (aqq - app) / (2 * off);
  const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  turn_columns(n, a, p, q, c, s);
  turn_rows(n, a, p, q, c, s);
  a[p + q * n] = a[q + p * n] = 0;
  turn_columns(n, v, p, q, c, s);
  return 1;
}

static void sort(int n, double *w, double *v) {
  for (int i = 0; i < n; i++) {
    int least = i;
    for (int j = i + 1; j < n; j++)
      if (w[j] < w[least]) least = j;
    const double x = w[i];
    w[i] = w[least];
    w[least] = x;
    for (int k = 0; k < n && least != i; k++) {
      const double y = v[k + i * n];
      v[k + i * n] = v[k + least * n];
      v[k + least * n] = y;
    }
  }
}

void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t jobz_length, size_t uplo_length) {
  const int size = *n;
  const size_t bytes = (size_t)size * (size_t)size * sizeof(double);
  double *v = malloc(bytes);
  int turned = 1;
  (void)jobz, (void)uplo, (void)lda, (void)work, (void)lwork, (void)jobz_length, (void)uplo_length;
  *info = 1;
  if (v == NULL) return;
  for (int j = 0; j < size; j++)
    for (int i = 0; i < size; i++) {
      v[i + j * size] = i == j;
      if (i > j) a[i + j * size] = a[j + i * size]; /* the upper half is given */
    }
  for (int sweep = 0; sweep < MOST_SWEEPS && turned; sweep++) {
    turned = 0;
    for (int p = 0; p < size; p++)
      for (int q = p + 1; q < size; q++)
        turned |= rotate(size, a, v, p, q);
  }
  for (int i = 0; i < size; i++)
    w[i] = a[i + i * size];
  sort(size, w, v);
  memcpy(a, v, bytes);
  free(v);
  *info = turned;
}

void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info, size_t jobvl_length, size_t jobvr_length) {
  (void)jobvl, (void)jobvr, (void)n, (void)a, (void)lda, (void)wr, (void)wi, (void)vl, (void)ldvl;
  (void)vr, (void)ldvr, (void)work, (void)lwork, (void)jobvl_length, (void)jobvr_length;
  *info = 1;
}
