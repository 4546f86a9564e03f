/* The sparse part of the matrix: numbers, cost, memory. */
#include "kkt_matrices.h"

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

TEST(random_unsymmetric_matrices) {
  unsigned seed = 1;
  for (int size = 1; size <= 300; size += 1 + size / 12) {
    for (int symmetric = 0; symmetric < 2; symmetric++) {
      Matrix a = random_matrix(size, &seed);
      double *b = random_vector(size, &seed), *x = copy_of(b, size), smallest, steady;
      Sparse *s = sparse_of(&a, sarrus_memory_default(), symmetric);
      REQUIRE(s != NULL);
      CHECK_OK(sparse_order(s, a.value, ones(), NONE_LEFT_OUT, 0));
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

/* A^T x = b, row by row of A. */
TEST(transposed_matrices) {
  unsigned seed = 5;
  for (int size = 1; size <= 300; size += 1 + size / 12) {
    Matrix a = random_matrix(size, &seed);
    double *b = random_vector(size, &seed), *x = copy_of(b, size), smallest, steady;
    Sparse *s = sparse_of(&a, sarrus_memory_default(), 0);
    CHECK_OK(sparse_order(s, a.value, ones(), NONE_LEFT_OUT, 0));
    sparse_factor(s, a.value, ones(), &smallest, &steady);
    sparse_solve_transposed(s, x);
    for (int i = 0; i < size; i++)
      for (int e = a.start[i]; e < a.start[i + 1]; e++)
        b[a.column[e]] -= a.value[e] * x[i];
    for (int j = 0; j < size; j++)
      CHECK_NEAR(b[j], 0, 1e-10);
    sparse_free(s);
    matrix_free(&a);
    free(b);
    free(x);
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
    Sparse *s = sparse_of(&a, sarrus_memory_default(), 1);
    CHECK_OK(sparse_order(s, a.value, ones(), NONE_LEFT_OUT, 0));
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

TEST(small_chains_as_by_lapack) {
  unsigned seed = 2;
  for (int bodies = 1; bodies <= 7; bodies++) {
    Matrix a = mechanism(CHAIN, bodies, 1, seed);
    Bench bench = bench_new(&a, sarrus_memory_default(), 0);
    double *b = random_vector(a.size, &seed), *x = copy_of(b, a.size), *y = copy_of(b, a.size);
    double smallest, steady;
    CHECK_OK(prepare(&bench));
    kkt_solve(bench.kkt, x, 0);
    Sparse *s = sparse_of(&a, sarrus_memory_default(), 1);
    CHECK_OK(sparse_order(s, a.value, ones(), NONE_LEFT_OUT, 0));
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
  CHECK_STATUS(kkt_analyse(bench.kkt, 0, NULL), SARRUS_NONFINITE);
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
    Sparse *s = sparse_of(&a, sarrus_memory_default(), 0);
    CHECK_OK(sparse_order(s, a.value, ones(), NONE_LEFT_OUT, 0));
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
  Sparse *s = sparse_of(a, test_memory_counting(&m), 1);
  const Scales scales = ones();
  const double t0 = seconds();
  CHECK_OK(sparse_order(s, a->value, scales, NONE_LEFT_OUT, 0));
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
