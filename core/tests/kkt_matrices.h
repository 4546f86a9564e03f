/* Matrices of mechanisms for tests of the sparse part: chains, rings, stars and nets of rods. */
#ifndef SARRUS_TEST_KKT_MATRICES_H
#define SARRUS_TEST_KKT_MATRICES_H

#include "kkt_sparse.h"
#include <limits.h>
#include <time.h>
#include "kkt.h"
#include "lapack.h"
#include "test.h"

/* --- matrices by entries ----------------------------------------------------------------- */

typedef struct Entry {
  int row, column;
  double value;
} Entry;

typedef struct Matrix {
  int n, m, size;
  int count, capacity;
  Entry *entries;
  int *start, *column; /* by rows, once it is complete */
  double *value;
} Matrix;

static inline void put(Matrix *a, int row, int column, double value) {
  if (a->count == a->capacity) {
    a->capacity = 2 * a->capacity + 64;
    a->entries = realloc(a->entries, (size_t)a->capacity * sizeof *a->entries);
  }
  a->entries[a->count++] = (Entry){row, column, value};
}

static inline void put_pair(Matrix *a, int row, int column, double value) {
  put(a, row, column, value);
  if (row != column) put(a, column, row, value);
}

static inline int compare_entries(const void *p, const void *q) {
  const Entry *a = p, *b = q;
  return a->row != b->row ? (a->row > b->row) - (a->row < b->row)
                          : (a->column > b->column) - (a->column < b->column);
}

static inline void complete(Matrix *a, int n, int m) {
  a->n = n;
  a->m = m;
  a->size = n + m;
  a->start = calloc((size_t)a->size + 1, sizeof *a->start);
  a->column = malloc(((size_t)a->count + 1) * sizeof *a->column);
  a->value = malloc(((size_t)a->count + 1) * sizeof *a->value);
  if (a->count > 0) qsort(a->entries, (size_t)a->count, sizeof *a->entries, compare_entries);
  for (int e = 0; e < a->count; e++) {
    a->start[a->entries[e].row + 1]++;
    a->column[e] = a->entries[e].column;
    a->value[e] = a->entries[e].value;
  }
  for (int i = 0; i < a->size; i++)
    a->start[i + 1] += a->start[i];
}

static inline void matrix_free(Matrix *a) {
  free(a->entries);
  free(a->start);
  free(a->column);
  free(a->value);
}

static inline double *value_at(const Matrix *a, double *value, int row, int column) {
  for (int e = a->start[row]; e < a->start[row + 1]; e++)
    if (a->column[e] == column) return &value[e];
  abort();
}

static inline void times(const Matrix *a, const double *value, const double *x, double *y) {
  for (int i = 0; i < a->size; i++) {
    y[i] = 0;
    for (int e = a->start[i]; e < a->start[i + 1]; e++)
      y[i] += value[e] * x[a->column[e]];
  }
}

/* The largest of A x - b, relative to what is summed up in its row. */
static inline double residual(const Matrix *a, const double *value, const double *x,
                              const double *b) {
  double worst = 0;
  for (int i = 0; i < a->size; i++) {
    double sum = -b[i], size = fabs(b[i]) + 1e-300;
    for (int e = a->start[i]; e < a->start[i + 1]; e++) {
      sum += value[e] * x[a->column[e]];
      size += fabs(value[e] * x[a->column[e]]);
    }
    if (!(fabs(sum) <= worst * size)) worst = fabs(sum) / size;
  }
  return worst;
}

static inline double *random_vector(int size, unsigned *seed) {
  double *x = malloc(((size_t)size + 1) * sizeof *x);
  for (int i = 0; i < size; i++)
    x[i] = random_in(seed, -1, 1);
  return x;
}

static inline double *copy_of(const double *x, int size) {
  double *copy = malloc(((size_t)size + 1) * sizeof *copy);
  memcpy(copy, x, (size_t)size * sizeof *copy);
  return copy;
}

/* x = A^-1 x by LAPACK */
static inline void solve_reference(const Matrix *a, double *x) {
  const int size = a->size, one = 1;
  double *full = calloc((size_t)size * (size_t)size, sizeof *full);
  int *pivot = malloc((size_t)size * sizeof *pivot), info = 0;
  for (int e = 0; e < a->count; e++)
    full[a->entries[e].row + (ptrdiff_t)a->entries[e].column * size] = a->entries[e].value;
  dgetrf_(&size, &size, full, &size, pivot, &info);
  CHECK_INT(info, 0);
  dgetrs_("N", &size, &one, full, &size, pivot, x, &size, &info, 1);
  free(full);
  free(pivot);
}

/* --- mechanisms -------------------------------------------------------------------------- */

static inline void put_body(Matrix *a, int body, unsigned *seed) {
  const double mass = random_in(seed, 1, 2);
  put(a, 3 * body, 3 * body, mass);
  put(a, 3 * body + 1, 3 * body + 1, mass);
  put(a, 3 * body + 2, 3 * body + 2, random_in(seed, 0.1, 0.2));
}

/* A hinge, two rows, between the end of one body, or the ground, and the beginning of the other. */
static inline void put_hinge(Matrix *a, int row, int from, int to, const double *angle) {
  if (from >= 0) {
    put_pair(a, row, 3 * from, 1);
    put_pair(a, row + 1, 3 * from + 1, 1);
    put_pair(a, row, 3 * from + 2, -0.5 * sin(angle[from]));
    put_pair(a, row + 1, 3 * from + 2, 0.5 * cos(angle[from]));
  }
  put_pair(a, row, 3 * to, -1);
  put_pair(a, row + 1, 3 * to + 1, -1);
  put_pair(a, row, 3 * to + 2, -0.5 * sin(angle[to]));
  put_pair(a, row + 1, 3 * to + 2, 0.5 * cos(angle[to]));
}

typedef enum Shape { CHAIN, RING, STAR } Shape;

/* Hinges are there `copies` times, one after the other. */
static inline Matrix mechanism(Shape shape, int bodies, int copies, unsigned seed) {
  Matrix a = {0};
  const int n = 3 * bodies;
  int row = n;
  double *angle = malloc((size_t)bodies * sizeof *angle);
  for (int b = 0; b < bodies; b++) {
    put_body(&a, b, &seed);
    angle[b] = random_in(&seed, -3, 3);
  }
  for (int b = 0; b < bodies; b++) {
    const int from = shape == STAR && b > 0 ? 0 : shape == RING && b == 0 ? bodies - 1 : b - 1;
    for (int copy = 0; copy < copies; copy++, row += 2)
      put_hinge(&a, row, from, b, angle);
  }
  free(angle);
  complete(&a, n, row - n);
  return a;
}

static inline double put_rod(Matrix *a, int row, int from, int to, double x, double y) {
  const double length = hypot(x, y);
  put_pair(a, row, 2 * from, -x / length);
  put_pair(a, row, 2 * from + 1, -y / length);
  put_pair(a, row, 2 * to, x / length);
  put_pair(a, row, 2 * to + 1, y / length);
  return length;
}

/* Points in a square, each one held to its neighbours by rods: loops everywhere. */
static inline Matrix net(int side, unsigned seed) {
  Matrix a = {0};
  const int n = 2 * side * side;
  int row = n;
  for (int i = 0; i < n; i++)
    put(&a, i, i, random_in(&seed, 1, 2));
  for (int p = 0; p < side * side; p++) {
    const double u = random_in(&seed, -0.3, 0.3), v = random_in(&seed, -0.3, 0.3);
    if (p % side < side - 1) put_rod(&a, row++, p, p + 1, 1, u);
    if (p / side < side - 1) put_rod(&a, row++, p, p + side, v, 1);
  }
  complete(&a, n, row - n);
  return a;
}

/* --- the sparse part alone ---------------------------------------------------------------- */

static const LeftOut NONE_LEFT_OUT = {INT_MAX, NULL};

static inline Sparse *sparse_of(const Matrix *a, sarrus_Memory memory, int symmetric) {
  Sparse *sparse = sparse_new(memory, a->size, a->start, a->column);
  if (sparse != NULL) sparse_prefer_diagonal(sparse, symmetric);
  return sparse;
}

/* --- Kkt of a matrix --------------------------------------------------------------------- */

typedef struct Bench {
  void *block;
  Kkt *kkt;
} Bench;

static inline Bench bench_new(const Matrix *a, sarrus_Memory memory, int general) {
  const Pattern pattern = {a->size, a->start, a->column};
  const int n = general ? a->size : a->n, m = general ? 0 : a->m;
  Block measure = {NULL, 0};
  kkt_take(&measure, pattern, n, m, general);
  Bench bench = {calloc(1, measure.used), NULL};
  bench.kkt = kkt_take(&(Block){bench.block, 0}, pattern, n, m, general);
  kkt_open(bench.kkt, memory);
  memcpy(bench.kkt->value, a->value, (size_t)a->count * sizeof *a->value);
  return bench;
}

static inline void bench_free(Bench *bench) {
  kkt_release(bench->kkt);
  free(bench->block);
}

static inline sarrus_Status prepare(const Bench *bench) {
  SARRUS_TRY(kkt_analyse(bench->kkt, 0, NULL));
  return kkt_factor(bench->kkt);
}

/* Solve for a right-hand side that is J of something, at the present values. */
static inline double solve_error(const Matrix *a, const Bench *bench, unsigned *seed) {
  double *x = random_vector(a->size, seed), *b = random_vector(a->size, seed);
  times(a, bench->kkt->value, x, b);
  double *solved = copy_of(b, a->size);
  kkt_solve(bench->kkt, solved, 0);
  const double error = residual(a, bench->kkt->value, solved, b);
  free(x);
  free(b);
  free(solved);
  return error;
}

enum { LARGEST = 40000 };

/* No scales. */
static inline Scales ones(void) {
  static double one[LARGEST];
  for (int i = 0; i < LARGEST; i++)
    one[i] = 1;
  return (Scales){one, one};
}

#endif
