/*
** Linear algebra for independent answers: dense matrices by rows, in long double, elimination with
** the largest pivot of a column.
*/
#ifndef SARRUS_TEST_DENSE_H
#define SARRUS_TEST_DENSE_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef long double Real;

static inline Real *dense_new(int rows, int columns) {
  return calloc((size_t)rows * (size_t)columns + 1, sizeof(Real));
}

static inline void dense_swap_rows(Real *a, int columns, int i, int k) {
  for (int j = 0; j < columns && i != k; j++) {
    const Real swap = a[i * columns + j];
    a[i * columns + j] = a[k * columns + j];
    a[k * columns + j] = swap;
  }
}

/*
** A X = B in place of B, which has `columns` columns; both are overwritten.  Answers log2 |det A|,
** -infinity where A has no inverse.
*/
static inline Real dense_solve(Real *a, int size, Real *b, int columns) {
  Real volume = 0;
  for (int k = 0; k < size; k++) {
    int at = k;
    for (int i = k + 1; i < size; i++)
      if (fabsl(a[i * size + k]) > fabsl(a[at * size + k])) at = i;
    dense_swap_rows(a, size, k, at);
    dense_swap_rows(b, columns, k, at);
    const Real pivot = a[k * size + k];
    volume += log2l(fabsl(pivot));
    for (int i = 0; i < size && pivot != 0; i++) {
      const Real factor = i == k ? 0 : a[i * size + k] / pivot;
      for (int j = k; j < size && factor != 0; j++)
        a[i * size + j] -= factor * a[k * size + j];
      for (int j = 0; j < columns; j++)
        b[i * columns + j] -= factor * b[k * columns + j];
    }
  }
  for (int k = 0; k < size; k++)
    for (int j = 0; j < columns; j++)
      b[k * columns + j] /= a[k * size + k];
  return volume;
}

/* log2 |det A|; A stays as it is. */
static inline Real dense_log_determinant(const Real *a, int size) {
  Real *copy = dense_new(size, size);
  memcpy(copy, a, (size_t)size * (size_t)size * sizeof *copy);
  const Real volume = dense_solve(copy, size, NULL, 0);
  free(copy);
  return volume;
}

/* The largest sum of magnitudes of a row of A^-1; A stays as it is. */
static inline Real dense_inverse_norm(const Real *a, int size) {
  Real *copy = dense_new(size, size), *inverse = dense_new(size, size), largest = 0;
  memcpy(copy, a, (size_t)size * (size_t)size * sizeof *copy);
  for (int i = 0; i < size; i++)
    inverse[i * size + i] = 1;
  dense_solve(copy, size, inverse, size);
  for (int i = 0; i < size; i++) {
    Real sum = 0;
    for (int j = 0; j < size; j++)
      sum += fabsl(inverse[i * size + j]);
    largest = fmaxl(largest, sum);
  }
  free(copy);
  free(inverse);
  return largest;
}

/* C = A^T W A, A with `rows` rows and `columns` columns, W diagonal. */
static inline Real *dense_gram(const Real *a, const Real *w, int rows, int columns) {
  Real *c = dense_new(columns, columns);
  for (int i = 0; i < columns; i++)
    for (int j = 0; j < columns; j++)
      for (int k = 0; k < rows; k++)
        c[i * columns + j] += a[k * columns + i] * w[k] * a[k * columns + j];
  return c;
}

#endif
