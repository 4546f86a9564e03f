/* Sparse LU: solves, fill, its order of elimination, what is left over; and how Kkt uses it. */
#include "kkt_sparse.h"

#include <time.h>

#include "kkt.h"
#include "lapack.h"
#include "test.h"

static double random_in(unsigned *seed, double low, double high) {
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * ((double)(*seed >> 8) / 16777216.0);
}

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

static void put(Matrix *a, int row, int column, double value) {
  if (a->count == a->capacity) {
    a->capacity = 2 * a->capacity + 64;
    a->entries = realloc(a->entries, (size_t)a->capacity * sizeof *a->entries);
  }
  a->entries[a->count++] = (Entry){row, column, value};
}

static void put_pair(Matrix *a, int row, int column, double value) {
  put(a, row, column, value);
  if (row != column) put(a, column, row, value);
}

static int compare_entries(const void *p, const void *q) {
  const Entry *a = p, *b = q;
  return a->row != b->row ? (a->row > b->row) - (a->row < b->row)
                          : (a->column > b->column) - (a->column < b->column);
}

static void complete(Matrix *a, int n, int m) {
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

static void matrix_free(Matrix *a) {
  free(a->entries);
  free(a->start);
  free(a->column);
  free(a->value);
}

static double *value_at(const Matrix *a, double *value, int row, int column) {
  for (int e = a->start[row]; e < a->start[row + 1]; e++)
    if (a->column[e] == column) return &value[e];
  abort();
}

static void times(const Matrix *a, const double *value, const double *x, double *y) {
  for (int i = 0; i < a->size; i++) {
    y[i] = 0;
    for (int e = a->start[i]; e < a->start[i + 1]; e++)
      y[i] += value[e] * x[a->column[e]];
  }
}

/* The largest of A x - b, relative to what is summed up in its row. */
static double residual(const Matrix *a, const double *value, const double *x, const double *b) {
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

static double *random_vector(int size, unsigned *seed) {
  double *x = malloc(((size_t)size + 1) * sizeof *x);
  for (int i = 0; i < size; i++)
    x[i] = random_in(seed, -1, 1);
  return x;
}

static double *copy_of(const double *x, int size) {
  double *copy = malloc(((size_t)size + 1) * sizeof *copy);
  memcpy(copy, x, (size_t)size * sizeof *copy);
  return copy;
}

/* x = A^-1 x by LAPACK */
static void solve_reference(const Matrix *a, double *x) {
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

static void put_body(Matrix *a, int body, unsigned *seed) {
  const double mass = random_in(seed, 1, 2);
  put(a, 3 * body, 3 * body, mass);
  put(a, 3 * body + 1, 3 * body + 1, mass);
  put(a, 3 * body + 2, 3 * body + 2, random_in(seed, 0.1, 0.2));
}

/* A hinge, two rows, between the end of one body, or the ground, and the beginning of the other. */
static void put_hinge(Matrix *a, int row, int from, int to, const double *angle) {
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
static Matrix mechanism(Shape shape, int bodies, int copies, unsigned seed) {
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

static double put_rod(Matrix *a, int row, int from, int to, double x, double y) {
  const double length = hypot(x, y);
  put_pair(a, row, 2 * from, -x / length);
  put_pair(a, row, 2 * from + 1, -y / length);
  put_pair(a, row, 2 * to, x / length);
  put_pair(a, row, 2 * to + 1, y / length);
  return length;
}

/* Points in a square, each one held to its neighbours by rods: loops everywhere. */
static Matrix net(int side, unsigned seed) {
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

/* --- Kkt of a matrix --------------------------------------------------------------------- */

typedef struct Bench {
  void *block;
  Kkt *kkt;
} Bench;

static Bench bench_new(const Matrix *a, sarrus_Memory memory, int general) {
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

static void bench_free(Bench *bench) {
  kkt_release(bench->kkt);
  free(bench->block);
}

static sarrus_Status prepare(const Bench *bench) {
  SARRUS_TRY(kkt_analyse(bench->kkt, 0));
  return kkt_factor(bench->kkt);
}

/* Solve for a right-hand side that is J of something, at the present values. */
static double solve_error(const Matrix *a, const Bench *bench, unsigned *seed) {
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

/* --- numbers ----------------------------------------------------------------------------- */

/* A few entries per row, and larger ones at a permutation. */
static Matrix random_matrix(int size, unsigned *seed) {
  Matrix a = {0};
  const int shift = (int)random_in(seed, 0, size), step = size > 4 ? 3 : 1;
  for (int i = 0; i < size; i++) {
    const int large = (i + shift) % size;
    put(&a, i, large, random_in(seed, 2, 3));
    for (int j = (int)random_in(seed, 0, step); j < size;
         j += 1 + (int)random_in(seed, 0, 0.5 * size))
      if (j != large) put(&a, i, j, random_in(seed, -1, 1));
  }
  complete(&a, size, 0);
  return a;
}

enum { LARGEST = 40000 };

/* No scales. */
static Scales ones(void) {
  static double one[LARGEST];
  for (int i = 0; i < LARGEST; i++)
    one[i] = 1;
  return (Scales){one, one};
}

TEST(random_unsymmetric_matrices) {
  unsigned seed = 1;
  for (int size = 1; size <= 300; size += 1 + size / 12) {
    for (int symmetric = 0; symmetric < 2; symmetric++) {
      Matrix a = random_matrix(size, &seed);
      double *b = random_vector(size, &seed), *x = copy_of(b, size), smallest, steady;
      Sparse *s = sparse_new(sarrus_memory_default(), size, a.start, a.column, symmetric);
      REQUIRE(s != NULL);
      CHECK_OK(sparse_order(s, a.value, ones(), 0));
      CHECK_INT(sparse_rank(s), size);
      sparse_factor(s, a.value, ones(), &smallest, &steady);
      CHECK(steady > 0.049 && smallest > 1e-4);
      sparse_solve(s, x);
      solve_reference(&a, b);
      for (int i = 0; i < size; i++)
        CHECK_NEAR(x[i], b[i], 1e-10);
      sparse_free(s);
      matrix_free(&a);
      free(b);
      free(x);
    }
  }
}

/* x_k = 0.6 x_{k-1} would end in subnormal numbers, which 0.6 no longer makes smaller. */
TEST(solutions_end_before_subnormal_numbers) {
  enum { SIZE = 2000 };
  for (int up = 0; up < 2; up++) {
    Matrix a = {0};
    double x[SIZE] = {0}, smallest, steady;
    for (int k = 0; k < SIZE; k++) {
      put(&a, k, k, 1);
      if (k > 0) put(&a, up ? k - 1 : k, up ? k : k - 1, -0.6);
    }
    complete(&a, SIZE, 0);
    Sparse *s = sparse_new(sarrus_memory_default(), SIZE, a.start, a.column, 1);
    CHECK_OK(sparse_order(s, a.value, ones(), 0));
    sparse_factor(s, a.value, ones(), &smallest, &steady);
    x[up ? SIZE - 1 : 0] = 1;
    sparse_solve(s, x);
    for (int k = 0; k < SIZE; k++) {
      const double expected = pow(0.6, k), got = x[up ? SIZE - 1 - k : k];
      CHECK(got == 0 || got >= 1e-280);
      if (expected > 1e-270) CHECK_NEAR(got, expected, 1e-12 * expected);
    }
    sparse_free(s);
    matrix_free(&a);
  }
}

/* Chains just small enough to be dense, and just too large. */
TEST(dense_and_sparse_agree) {
  unsigned seed = 2;
  for (int bodies = 1; 5 * bodies <= 2 * KKT_DENSE + 10; bodies++) {
    Matrix a = mechanism(CHAIN, bodies, 1, seed);
    Bench bench = bench_new(&a, sarrus_memory_default(), 0);
    double *b = random_vector(a.size, &seed), *x = copy_of(b, a.size), *y = copy_of(b, a.size);
    double smallest, steady;
    CHECK_OK(prepare(&bench));
    CHECK((bench.kkt->sparse != NULL) == (a.size > KKT_DENSE));
    kkt_solve(bench.kkt, x, 0);
    Sparse *s = sparse_new(sarrus_memory_default(), a.size, a.start, a.column, 1);
    CHECK_OK(sparse_order(s, a.value, ones(), 0));
    sparse_factor(s, a.value, ones(), &smallest, &steady);
    sparse_solve(s, y);
    solve_reference(&a, b);
    for (int i = 0; i < a.size; i++) {
      CHECK_NEAR(x[i], b[i], 1e-12 * fmax(1, fabs(b[i])));
      CHECK_NEAR(y[i], b[i], 1e-12 * fmax(1, fabs(b[i])));
    }
    sparse_free(s);
    bench_free(&bench);
    matrix_free(&a);
    free(b);
    free(x);
    free(y);
  }
}

TEST(massless_coordinates) {
  unsigned seed = 3;
  for (int every = 1; every <= 4; every++) { /* all bodies but the first, every second, … */
    Matrix a = mechanism(CHAIN, 40, 1, 3);
    Bench bench = bench_new(&a, sarrus_memory_default(), 0);
    for (int i = 3; i < a.n; i++)
      if (i / 3 % every == 0 && i % 3 < 2) *value_at(&a, bench.kkt->value, i, i) = 0;
    CHECK_OK(prepare(&bench));
    CHECK_INT(bench.kkt->dependent_count, 0);
    CHECK(solve_error(&a, &bench, &seed) < 1e-12);
    bench_free(&bench);
    matrix_free(&a);
  }
}

TEST(not_finite) {
  unsigned seed = 4;
  Matrix a = mechanism(CHAIN, 20, 1, 4);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  double *at = value_at(&a, bench.kkt->value, a.n + 5, 7);
  const double was = *at;
  *at = (double)NAN;
  CHECK_STATUS(kkt_analyse(bench.kkt, 0), SARRUS_NONFINITE);
  *at = was;
  CHECK_OK(prepare(&bench));
  *at = (double)INFINITY;
  CHECK_STATUS(kkt_factor(bench.kkt), SARRUS_NONFINITE);
  *at = was;
  CHECK_OK(kkt_factor(bench.kkt));
  CHECK(solve_error(&a, &bench, &seed) < 1e-13);
  bench_free(&bench);
  matrix_free(&a);
}

/* Units that differ by powers of two: the same bits, whatever the scales. */
TEST(units_change_no_bit) {
  unsigned seed = 14;
  for (int bodies = 3; bodies < 12; bodies++) {
    Matrix a = mechanism(CHAIN, bodies, 1, seed);
    Bench one = bench_new(&a, sarrus_memory_default(), 0);
    Bench other = bench_new(&a, sarrus_memory_default(), 0);
    double *unit = random_vector(a.size, &seed), *x = random_vector(a.size, &seed);
    double *y = copy_of(x, a.size);
    for (int i = 0; i < a.size; i++) {
      unit[i] = ldexp(1, (int)(20 * unit[i]));
      y[i] *= unit[i];
    }
    for (int e = 0; e < a.count; e++)
      other.kkt->value[e] *= unit[a.entries[e].row] * unit[a.entries[e].column];
    CHECK_OK(prepare(&one));
    CHECK_OK(prepare(&other));
    CHECK(one.kkt->smallest == other.kkt->smallest && one.kkt->steady == other.kkt->steady);
    kkt_solve(one.kkt, x, 0);
    kkt_solve(other.kkt, y, 0);
    for (int i = 0; i < a.size; i++)
      CHECK(x[i] == y[i] * unit[i]);
    CHECK(kkt_rank_margin(one.kkt) == kkt_rank_margin(other.kkt));
    bench_free(&one);
    bench_free(&other);
    matrix_free(&a);
    free(unit);
    free(x);
    free(y);
  }
}

/* Wherever it is; and it does not stay in the workspace. */
TEST(right_sides_that_are_not_finite) {
  unsigned seed = 15;
  for (int size = 1; size < 15; size++) {
    Matrix a = random_matrix(size, &seed);
    double *b = random_vector(size, &seed), smallest, steady;
    Sparse *s = sparse_new(sarrus_memory_default(), size, a.start, a.column, 0);
    CHECK_OK(sparse_order(s, a.value, ones(), 0));
    sparse_factor(s, a.value, ones(), &smallest, &steady);
    double *good = copy_of(b, size);
    sparse_solve(s, good);
    for (int i = 0; i < 2 * size; i++) {
      double *x = copy_of(b, size), *again = copy_of(b, size);
      int finite = 1;
      x[i / 2] = i % 2 == 0 ? (double)NAN : (double)INFINITY;
      sparse_solve(s, x);
      sparse_solve(s, again);
      for (int k = 0; k < size; k++)
        finite = finite && isfinite(x[k]);
      CHECK(!finite);
      CHECK(memcmp(good, again, (size_t)size * sizeof *again) == 0);
      free(x);
      free(again);
    }
    sparse_free(s);
    matrix_free(&a);
    free(b);
    free(good);
  }
}

/* --- cost -------------------------------------------------------------------------------- */

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct Cost {
  double order, factor, solve; /* seconds */
  double multiplications, elements;
  double residual;
  size_t peak;
} Cost;

/* Times are printed only; what is checked does not depend on the machine. */
static Cost measure(const char *name, const Matrix *a) {
  Cost cost = {0};
  TestMemory m;
  unsigned seed = 5;
  double *x = random_vector(a->size, &seed), *b = random_vector(a->size, &seed), smallest, steady;
  Sparse *s = sparse_new(test_memory_counting(&m), a->size, a->start, a->column, 1);
  const Scales scales = ones();
  const double t0 = seconds();
  CHECK_OK(sparse_order(s, a->value, scales, 0));
  const double t1 = seconds();
  sparse_factor(s, a->value, scales, &smallest, &steady);
  const double t2 = seconds();
  times(a, a->value, x, b);
  memcpy(x, b, (size_t)a->size * sizeof *x);
  const double t3 = seconds();
  sparse_solve(s, x);
  cost = (Cost){.order = t1 - t0, .factor = t2 - t1, .solve = seconds() - t3, .peak = m.peak};
  sparse_cost(s, &cost.multiplications, &cost.elements);
  cost.residual = residual(a, a->value, x, b);
  printf(
      "%-6s %6d unknowns: order %.2f ms, factor %.3f ms, solve %.3f ms; %.1f elements, %.1f "
      "multiplications, %.0f bytes each; residual %.1e\n",
      name, a->size, 1e3 * cost.order, 1e3 * cost.factor, 1e3 * cost.solve, cost.elements / a->size,
      cost.multiplications / a->size, (double)cost.peak / a->size, cost.residual);
  sparse_free(s);
  CHECK_INT(m.blocks, 0);
  free(x);
  free(b);
  return cost;
}

TEST(chains_cost_so_much_per_body) {
  static const int bodies[] = {10, 100, 1000, 5000};
  for (int i = 0; i < 4; i++) {
    Matrix a = mechanism(CHAIN, bodies[i], 1, 5);
    const Cost cost = measure("chain", &a);
    CHECK(cost.elements < 9 * a.size);
    CHECK(cost.multiplications < 18 * a.size);
    CHECK(cost.peak < 800 * (size_t)a.size + 20000);
    CHECK(cost.residual < 1e-14);
    matrix_free(&a);
  }
}

/* One row after the other around the ring, rounding would grow until nothing is left. */
TEST(rings) {
  Matrix a = mechanism(RING, 3000, 1, 6);
  const Cost cost = measure("ring", &a);
  CHECK(cost.elements < 16 * a.size);
  CHECK(cost.residual < 1e-13);
  matrix_free(&a);
}

/* One body in every hinge: its rows are as long as the matrix. */
TEST(stars) {
  Matrix a = mechanism(STAR, 3000, 1, 7);
  const Cost cost = measure("star", &a);
  CHECK(cost.elements < 9 * a.size);
  CHECK(cost.residual < 1e-13);
  matrix_free(&a);
}

TEST(nets) {
  static const int sides[] = {10, 30, 100};
  for (int i = 0; i < 3; i++) {
    Matrix a = net(sides[i], 8);
    const Cost cost = measure("net", &a);
    CHECK(cost.elements < 10 * a.size * log2(a.size));
    CHECK(cost.multiplications < 15 * pow(a.size, 1.5));
    CHECK(cost.residual < 1e-13);
    matrix_free(&a);
  }
}

/* As many rows left over as there are others: they are not looked at again and again. */
TEST(copied_chains) {
  Matrix a = mechanism(CHAIN, 2000, 2, 9);
  const Cost cost = measure("copied", &a);
  CHECK(cost.elements < 9 * a.size);
  CHECK(cost.peak < 800 * (size_t)a.size);
  CHECK(cost.residual < 1e-12);
  matrix_free(&a);
}

/* --- the order of elimination ------------------------------------------------------------ */

static int *order_of(Sparse *s, int size) {
  int *order = malloc(2 * (size_t)size * sizeof *order);
  memcpy(order, sparse_rows(s), (size_t)size * sizeof *order);
  memcpy(order + size, sparse_columns(s), (size_t)size * sizeof *order);
  return order;
}

TEST(other_values_in_the_same_order) {
  unsigned seed = 10;
  Matrix a = mechanism(CHAIN, 50, 1, 10), moved = mechanism(CHAIN, 50, 1, 11);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  const size_t bytes = 2 * (size_t)a.size * sizeof(int);
  CHECK_OK(prepare(&bench));
  int *before = order_of(bench.kkt->sparse, a.size);
  memcpy(bench.kkt->value, moved.value, (size_t)a.count * sizeof *moved.value);
  CHECK_OK(kkt_factor(bench.kkt));
  int *after = order_of(bench.kkt->sparse, a.size);
  CHECK(memcmp(before, after, bytes) == 0);
  CHECK(solve_error(&a, &bench, &seed) < 1e-13);
  bench_free(&bench);
  matrix_free(&a);
  matrix_free(&moved);
  free(before);
  free(after);
}

/* Blocks (a b; b a): where a becomes nothing, another pivot must be taken. */
TEST(order_renewed_when_worn) {
  enum { BLOCKS = 20 };
  unsigned seed = 11;
  Matrix a = {0};
  for (int i = 0; i < 2 * BLOCKS; i += 2) {
    put_pair(&a, i, i, 2);
    put_pair(&a, i + 1, i + 1, 2);
    put_pair(&a, i, i + 1, 1);
    if (i > 0) put_pair(&a, i, i - 1, 0.1);
  }
  complete(&a, 2 * BLOCKS, 0);
  for (int general = 0; general < 2; general++) {
    Bench bench = bench_new(&a, sarrus_memory_default(), general);
    CHECK_OK(prepare(&bench));
    for (double x = 1; x > 1e-18; x /= 100) {
      for (int i = 0; i < a.size; i++)
        *value_at(&a, bench.kkt->value, i, i) = x;
      CHECK_OK(kkt_factor(bench.kkt));
      CHECK(bench.kkt->steady > 1e-3);
      CHECK(solve_error(&a, &bench, &seed) < 1e-13);
    }
    bench_free(&bench);
  }
  matrix_free(&a);
}

TEST(followed_order_gives_the_same_bits) {
  unsigned seed = 12;
  Matrix a = mechanism(RING, 60, 1, 12);
  double *x = random_vector(a.size, &seed), *y = copy_of(x, a.size), smallest[2], steady[2];
  Sparse *one = sparse_new(sarrus_memory_default(), a.size, a.start, a.column, 1);
  Sparse *other = sparse_new(sarrus_memory_default(), a.size, a.start, a.column, 1);
  CHECK_OK(sparse_order(one, a.value, ones(), 0));
  memcpy(sparse_rows(other), sparse_rows(one), (size_t)a.size * sizeof(int));
  memcpy(sparse_columns(other), sparse_columns(one), (size_t)a.size * sizeof(int));
  CHECK_OK(sparse_follow(other, sparse_rank(one)));
  sparse_factor(one, a.value, ones(), &smallest[0], &steady[0]);
  sparse_factor(other, a.value, ones(), &smallest[1], &steady[1]);
  CHECK(smallest[0] == smallest[1] && steady[0] == steady[1]);
  sparse_solve(one, x);
  sparse_solve(other, y);
  CHECK(memcmp(x, y, (size_t)a.size * sizeof *x) == 0);
  sparse_free(one);
  sparse_free(other);
  matrix_free(&a);
  free(x);
  free(y);
}

/* A record may bring any order: what does not fit the dependent rows is refused. */
TEST(followed_order_must_fit) {
  Matrix a = mechanism(CHAIN, 10, 2, 13);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  CHECK_OK(prepare(&bench));
  Kkt *kkt = bench.kkt;
  const int rank = sparse_rank(kkt->sparse);
  CHECK_OK(kkt_follow(kkt, rank));
  int *columns = sparse_columns(kkt->sparse), *rows = sparse_rows(kkt->sparse);
  for (int side = 0; side < 2; side++) {
    int *order = side == 0 ? rows : columns;
    const int first = order[0];
    order[0] = order[rank];
    order[rank] = first;
    CHECK_STATUS(kkt_follow(kkt, rank), SARRUS_FORMAT);
    order[rank] = order[0];
    order[0] = first;
  }
  kkt->dependent_count++;
  CHECK_STATUS(kkt_follow(kkt, rank), SARRUS_FORMAT);
  kkt->dependent_count--;
  CHECK_OK(kkt_follow(kkt, rank));
  bench_free(&bench);
  matrix_free(&a);
}

/* --- what is left over ------------------------------------------------------------------- */

/* Copies of hinges: the motion is the same, and the copies share the multipliers. */
TEST(duplicated_constraints) {
  enum { BODIES = 12, COPIES = 3 };
  unsigned seed = 14;
  Matrix a = mechanism(CHAIN, BODIES, 1, 14), more = mechanism(CHAIN, BODIES, COPIES, 14);
  Bench plain = bench_new(&a, sarrus_memory_default(), 0);
  Bench copied = bench_new(&more, sarrus_memory_default(), 0);
  double *x = random_vector(a.size, &seed), *y = random_vector(more.size, &seed);
  memcpy(y, x, (size_t)a.n * sizeof *y);
  for (int i = 0; i < more.m; i++)
    y[a.n + i] = x[a.n + i / (2 * COPIES) * 2 + i % 2];
  CHECK_OK(prepare(&plain));
  CHECK_OK(prepare(&copied));
  const Kkt *kkt = copied.kkt;
  CHECK_INT(sparse_rank(kkt->sparse), a.size);
  CHECK_INT(kkt->dependent_count, more.size - a.size);
  for (int k = a.size; k < more.size; k++) {
    const int row = sparse_rows(kkt->sparse)[k];
    REQUIRE(row >= a.n);
    CHECK(kkt->dependent[row - a.n]);
    CHECK(sparse_columns(kkt->sparse)[k] >= a.n);
    CHECK(sparse_left_over(kkt->sparse, sparse_columns(kkt->sparse)[k]));
  }
  kkt_solve(plain.kkt, x, 0);
  kkt_solve(copied.kkt, y, 0);
  for (int i = 0; i < a.n; i++)
    CHECK_NEAR(y[i], x[i], 1e-12);
  for (int i = 0; i < more.m; i++)
    CHECK_NEAR(y[a.n + i], x[a.n + i / (2 * COPIES) * 2 + i % 2] / COPIES, 1e-12);
  bench_free(&plain);
  bench_free(&copied);
  matrix_free(&a);
  matrix_free(&more);
  free(x);
  free(y);
}

/* Nearly equal rows and columns: those left out need not belong together, and the shares are equal all the same. */
TEST(left_over_rows_and_columns_may_differ) {
  unsigned seed = 15;
  for (int round = 0; round < 20; round++) {
    Matrix a = mechanism(RING, 6, 2, 15 + (unsigned)round);
    Bench bench = bench_new(&a, sarrus_memory_default(), 0);
    for (int e = 0; e < a.count; e++)
      bench.kkt->value[e] *= 1 + random_in(&seed, -1e-14, 1e-14);
    CHECK_OK(prepare(&bench));
    CHECK_INT(bench.kkt->dependent_count, 12);
    double *x = calloc((size_t)a.size, sizeof *x);
    for (int i = 0; i < a.n; i++)
      x[i] = random_in(&seed, -1, 1);
    kkt_solve(bench.kkt, x, 0);
    for (int i = a.n; i < a.size; i++)
      CHECK_NEAR(x[i], x[i / 2 % 2 == a.n / 2 % 2 ? i + 2 : i - 2], 1e-9);
    free(x);
    bench_free(&bench);
    matrix_free(&a);
  }
}

/* The scaled B^T takes null vectors to nothing; they are orthonormal, and 0 outside their reach. */
TEST(null_vectors) {
  Matrix a = mechanism(RING, 15, 3, 22);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  const Kkt *kkt = bench.kkt;
  CHECK_OK(prepare(&bench));
  CHECK_INT(kkt->dependent_count, 60);
  kkt_find_null_space(bench.kkt);
  for (int c = 0; c < kkt->dependent_count; c++) {
    const double *null = kkt->null + (ptrdiff_t)c * a.m;
    double *x = calloc((size_t)a.size, sizeof *x), *y = calloc((size_t)a.size, sizeof *y);
    for (int i = 0; i < a.m; i++) {
      x[a.n + i] = null[i] * kkt->column[a.n + i];
      if (i < kkt->reach[c].from || i >= kkt->reach[c].to) CHECK(null[i] == 0);
    }
    times(&a, kkt->value, x, y);
    for (int i = 0; i < a.n; i++)
      CHECK_NEAR(y[i], 0, 1e-13);
    for (int d = 0; d <= c; d++) {
      double dot = 0;
      for (int i = 0; i < a.m; i++)
        dot += null[i] * kkt->null[(ptrdiff_t)d * a.m + i];
      CHECK_NEAR(dot, c == d, 1e-14);
    }
    free(x);
    free(y);
  }
  bench_free(&bench);
  matrix_free(&a);
}

TEST(row_of_zeros_is_singular) {
  Matrix a = mechanism(CHAIN, 20, 1, 16);
  Bench bench = bench_new(&a, sarrus_memory_default(), 1);
  for (int e = a.start[7]; e < a.start[8]; e++)
    bench.kkt->value[e] = 0;
  CHECK_STATUS(kkt_analyse(bench.kkt, 0), SARRUS_SINGULAR);
  CHECK_INT(kkt_fault(bench.kkt).row, 7);
  CHECK(kkt_fault(bench.kkt).condition > 1e12);
  CHECK_STATUS(kkt_factor(bench.kkt), SARRUS_SINGULAR);
  bench_free(&bench);
  matrix_free(&a);
}

/* The last body turns without inertia, its hinge being where it is: a mass is missing. */
TEST(missing_mass_is_singular) {
  Matrix a = mechanism(CHAIN, 20, 2, 17);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  const int last = a.n - 1;
  for (int i = 0; i < a.size; i++)
    for (int e = a.start[i]; e < a.start[i + 1]; e++)
      if (i == last || a.column[e] == last) bench.kkt->value[e] = 0;
  CHECK_STATUS(kkt_analyse(bench.kkt, 0), SARRUS_SINGULAR);
  CHECK_INT(kkt_fault(bench.kkt).row, last);
  CHECK_INT(kkt_fault(bench.kkt).column, last);
  bench_free(&bench);
  matrix_free(&a);
}

/* A constraint that vanishes later is singular, and known by its row among those that always were. */
TEST(singular_later_and_not_for_ever) {
  unsigned seed = 18;
  Matrix a = mechanism(CHAIN, 20, 2, 18);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  Kkt *kkt = bench.kkt;
  CHECK_OK(prepare(&bench));
  CHECK_INT(kkt->dependent_count, 40);
  for (int e = 0; e < a.count; e++)
    if (a.entries[e].row / 2 * 2 == a.n + 8 || a.entries[e].column / 2 * 2 == a.n + 8 ||
        a.entries[e].row / 2 * 2 == a.n + 10 || a.entries[e].column / 2 * 2 == a.n + 10)
      kkt->value[e] = 0; /* a hinge and its copy */
  CHECK_STATUS(kkt_factor(kkt), SARRUS_SINGULAR);
  const int row = kkt_fault(kkt).row - a.n;
  CHECK(row >= 8 && row < 12);
  CHECK_INT(kkt->dependent_count, 40);
  memcpy(kkt->value, a.value, (size_t)a.count * sizeof *a.value);
  CHECK_OK(kkt_factor(kkt));
  CHECK(solve_error(&a, &bench, &seed) < 1e-12);
  bench_free(&bench);
  matrix_free(&a);
}

TEST(constraint_of_zeros_is_dependent) {
  unsigned seed = 19;
  Matrix a = mechanism(CHAIN, 6, 1, 19);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  for (int e = 0; e < a.count; e++)
    if (a.entries[e].row == a.n + 4 || a.entries[e].column == a.n + 4) bench.kkt->value[e] = 0;
  CHECK_OK(prepare(&bench));
  CHECK_INT(bench.kkt->dependent_count, 1);
  CHECK(bench.kkt->dependent[4]);
  CHECK(solve_error(&a, &bench, &seed) < 1e-12);
  bench_free(&bench);
  matrix_free(&a);
}

/* --- memory ------------------------------------------------------------------------------ */

TEST(no_memory) {
  Matrix a = mechanism(CHAIN, 8, 2, 20), b = mechanism(STAR, 30, 1, 20);
  TestMemory m;
  for (int which = 0; which < 2; which++) {
    const Matrix *matrix = which == 0 ? &a : &b;
    unsigned seed = 20;
    for (long n = 1;; n++) {
      Bench bench = bench_new(matrix, test_memory_failing(&m, n), 0);
      const sarrus_Status status = prepare(&bench);
      if (m.failed) {
        CHECK_STATUS(status, SARRUS_NOMEM);
        CHECK_OK(
            prepare(&bench)); /* only one allocation failed: the second attempt finds all well */
      }
      CHECK(solve_error(matrix, &bench, &seed) < 1e-12);
      bench_free(&bench);
      CHECK_INT(m.blocks, 0);
      CHECK_INT(m.bytes, 0);
      if (!m.failed) break;
    }
  }
  matrix_free(&a);
  matrix_free(&b);
}

/* The order being chosen anew: without memory it is as if it had not been tried. */
TEST(no_memory_to_renew) {
  Matrix a = mechanism(CHAIN, 8, 1, 21);
  TestMemory m;
  unsigned seed = 21;
  for (long n = 1;; n++) {
    Bench bench = bench_new(&a, test_memory_counting(&m), 1);
    CHECK_OK(prepare(&bench));
    m.fail_at = m.calls + n;
    for (int i = 0; i < a.n; i++)
      *value_at(&a, bench.kkt->value, i, i) = 1e-5;
    const sarrus_Status status = kkt_factor(bench.kkt);
    if (m.failed) {
      CHECK_STATUS(status, SARRUS_NOMEM);
      CHECK_OK(kkt_factor(bench.kkt));
    }
    CHECK(solve_error(&a, &bench, &seed) < 1e-11);
    bench_free(&bench);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) break;
  }
  matrix_free(&a);
}
