/*
** The routines of LAPACK that Padé approximants use (core/src/lapack.h), for the playground, where
** there is none: square matrices, by columns, lda = n, one right-hand side.
*/
#include "../../core/src/lapack.h"

#include <math.h>

/* P A = L U by partial pivoting; *info = k: the k-th pivot is 0. */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info) {
  const int size = *n, step = *lda;
  *info = *m == size ? 0 : -1;
  for (int k = 0; k < size && *info >= 0; k++) {
    int best = k;
    for (int i = k + 1; i < size; i++)
      if (fabs(a[i + k * step]) > fabs(a[best + k * step])) best = i;
    ipiv[k] = best + 1;
    if (a[best + k * step] == 0) {
      if (*info == 0) *info = k + 1;
      continue;
    }
    for (int j = 0; j < size && best != k; j++) {
      const double x = a[k + j * step];
      a[k + j * step] = a[best + j * step];
      a[best + j * step] = x;
    }
    for (int i = k + 1; i < size; i++) {
      a[i + k * step] /= a[k + k * step];
      for (int j = k + 1; j < size; j++)
        a[i + j * step] -= a[i + k * step] * a[k + j * step];
    }
  }
}

void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t length) {
  const int size = *n, step = *lda;
  (void)ldb;
  (void)length;
  *info = *trans == 'N' && *nrhs == 1 ? 0 : -1;
  if (*info != 0) return;
  for (int k = 0; k < size; k++) {
    const double x = b[ipiv[k] - 1];
    b[ipiv[k] - 1] = b[k];
    b[k] = x;
  }
  for (int k = 0; k < size; k++)
    for (int i = k + 1; i < size; i++)
      b[i] -= a[i + k * step] * b[k];
  for (int k = size - 1; k >= 0; k--) {
    b[k] /= a[k + k * step];
    for (int i = 0; i < k; i++)
      b[i] -= a[i + k * step] * b[k];
  }
}

/*
** 1 / (|A|_1 |A^-1|_1), column by column of the inverse: of P A = L U the norm of U^-1 L^-1 is that
** of A^-1, whose columns are only in another order.
*/
void dgecon_(const char *norm, const int *n, const double *a, const int *lda, const double *anorm,
             double *rcond, double *work, int *iwork, int *info, size_t length) {
  const int size = *n, step = *lda;
  double largest = 0;
  (void)norm;
  (void)iwork;
  (void)length;
  for (int c = 0; c < size; c++) {
    double sum = 0;
    for (int i = 0; i < size; i++)
      work[i] = i == c;
    for (int k = 0; k < size; k++)
      for (int i = k + 1; i < size; i++)
        work[i] -= a[i + k * step] * work[k];
    for (int k = size - 1; k >= 0; k--) {
      work[k] /= a[k + k * step];
      for (int i = 0; i < k; i++)
        work[i] -= a[i + k * step] * work[k];
      sum += fabs(work[k]);
    }
    largest = fmax(largest, sum);
  }
  *info = 0;
  *rcond = size == 0 || !(largest > 0) ? 0 : 1 / (*anorm * largest);
}
