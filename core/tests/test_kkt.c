/* The matrix of the equations: solves, scales, dependent rows, singular cases. */
#include "kkt.h"

#include "test.h"

/* A Kkt in a block of its own, with entries everywhere. */
typedef struct Bench {
  void *block;
  int *start, *column;
  Kkt *kkt;
} Bench;

static Bench bench_new(int n, int m, int general) {
  const int size = n + m;
  int *start = malloc(((size_t)size + 1) * sizeof *start);
  int *column = malloc(((size_t)size * (size_t)size + 1) * sizeof *column);
  for (int i = 0; i <= size; i++)
    start[i] = i * size;
  for (int e = 0; e < size * size; e++)
    column[e] = e % size;
  const Pattern pattern = {size, start, column};
  Block measure = {NULL, 0};
  kkt_take(&measure, pattern, n, m, general);
  Bench bench = {calloc(1, measure.used), start, column, NULL};
  bench.kkt = kkt_take(&(Block){bench.block, 0}, pattern, n, m, general);
  kkt_open(bench.kkt, sarrus_memory_default());
  return bench;
}

static void bench_free(Bench *bench) {
  kkt_release(bench->kkt);
  free(bench->block);
  free(bench->start);
  free(bench->column);
}

static sarrus_Status prepare(const Bench *bench) {
  SARRUS_TRY(kkt_analyse(bench->kkt, 0, NULL));
  return kkt_factor(bench->kkt);
}

static double *kkt_at(Kkt *kkt, int row, int column) {
  return &kkt->value[(ptrdiff_t)row * kkt->size + column];
}

static void set_pair(Kkt *kkt, int row, int column, double x) {
  *kkt_at(kkt, row, column) = *kkt_at(kkt, column, row) = x;
}

/* M = diagonally dominant and symmetric, B = a shifted identity with small neighbours. */
static void fill_mechanism(Kkt *kkt, unsigned *seed) {
  for (int i = 0; i < kkt->n; i++) {
    for (int j = 0; j < i; j++)
      set_pair(kkt, i, j, random_in(seed, -0.5, 0.5) / kkt->n);
    *kkt_at(kkt, i, i) = random_in(seed, 1, 2);
  }
  for (int i = 0; i < kkt->m; i++)
    for (int j = 0; j < kkt->n; j++)
      set_pair(kkt, kkt->n + i, j, (j == i ? 1 : 0) + random_in(seed, -0.3, 0.3) / kkt->n);
}

/* Solve for J x and compare with x. */
static void check_solve(const Bench *bench, double tolerance, unsigned *seed) {
  Kkt *kkt = bench->kkt;
  double x[80], b[80] = {0};
  REQUIRE(kkt->size <= 80);
  for (int i = 0; i < kkt->size; i++)
    x[i] = random_in(seed, -1, 1);
  for (int i = 0; i < kkt->size; i++)
    for (int j = 0; j < kkt->size; j++)
      b[i] += *kkt_at(kkt, i, j) * x[j];
  kkt_solve(kkt, b, 0);
  for (int i = 0; i < kkt->size; i++)
    CHECK_NEAR(b[i], x[i], tolerance);
}

TEST(random_mechanisms_of_every_size) {
  unsigned seed = 1;
  for (int n = 1; n <= 40; n++)
    for (int m = 0; m <= n; m += 1 + n / 5) {
      Bench bench = bench_new(n, m, 0);
      fill_mechanism(bench.kkt, &seed);
      CHECK_OK(prepare(&bench));
      CHECK_INT(bench.kkt->dependent_count, 0);
      check_solve(&bench, 1e-12, &seed);
      check_solve(&bench, 1e-12, &seed); /* the factor serves again */
      bench_free(&bench);
    }
}

TEST(general_matrices) {
  unsigned seed = 2;
  for (int n = 1; n <= 40; n++) {
    Bench bench = bench_new(n, 0, 1);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        *kkt_at(bench.kkt, i, j) = (i == (j + 1) % n ? 3 : 0) + random_in(&seed, -1, 1) / n;
    CHECK_OK(prepare(&bench));
    check_solve(&bench, 1e-12, &seed);
    bench_free(&bench);
  }
}

TEST(nothing_to_solve) {
  Bench bench = bench_new(0, 0, 0);
  CHECK_OK(prepare(&bench));
  kkt_solve(bench.kkt, NULL, 0);
  bench_free(&bench);
}

/* LAPACK ends the process where it is given a matrix without rows. */
TEST(constraints_of_no_coordinate) {
  for (int m = 1; m <= 2; m++) {
    Bench bench = bench_new(0, m, 0);
    double x[2] = {3, 4};
    REQUIRE_OK(prepare(&bench));
    CHECK_INT(bench.kkt->dependent_count, m);
    kkt_solve(bench.kkt, x, 0);
    for (int i = 0; i < m; i++)
      CHECK(x[i] == 0);
    bench_free(&bench);
  }
}

/* Units from 1e-9 to 1e9 for coordinates and constraints: D J D is what it was. */
TEST(bad_units) {
  unsigned seed = 3;
  for (int round = 0; round < 20; round++) {
    enum { N = 8, M = 3 };
    Bench bench = bench_new(N, M, 0);
    double unit[N + M], x[N + M], b[N + M] = {0};
    fill_mechanism(bench.kkt, &seed);
    for (int i = 0; i < N + M; i++) {
      unit[i] = pow(10, random_in(&seed, -9, 9));
      x[i] = random_in(&seed, 0.5, 1) / unit[i];
    }
    for (int i = 0; i < N + M; i++)
      for (int j = 0; j < N + M; j++)
        *kkt_at(bench.kkt, i, j) *= unit[i] * unit[j];
    for (int i = 0; i < N + M; i++)
      for (int j = 0; j < N + M; j++)
        b[i] += *kkt_at(bench.kkt, i, j) * x[j];
    CHECK_OK(prepare(&bench));
    CHECK_INT(bench.kkt->dependent_count, 0);
    kkt_solve(bench.kkt, b, 0);
    for (int i = 0; i < N + M; i++)
      CHECK_CLOSE(b[i], x[i], 1e-12);
    bench_free(&bench);
  }
}

/* A copy of a constraint: the motion is the same, and the copies share the multiplier. */
TEST(duplicated_constraint) {
  unsigned seed = 4;
  for (int round = 0; round < 20; round++) {
    enum { N = 6, M = 3 };
    Bench plain = bench_new(N, M, 0), twice = bench_new(N, M + 1, 0);
    const int copied = round % M;
    fill_mechanism(plain.kkt, &seed);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        *kkt_at(twice.kkt, i, j) = *kkt_at(plain.kkt, i, j);
    for (int i = 0; i <= M; i++)
      for (int j = 0; j < N; j++)
        set_pair(twice.kkt, N + i, j, *kkt_at(plain.kkt, N + (i < M ? i : copied), j));
    double x[N + M], y[N + M + 1];
    for (int i = 0; i < N + M; i++)
      x[i] = y[i] = random_in(&seed, -1, 1);
    y[N + M] = y[N + copied];
    CHECK_OK(prepare(&plain));
    CHECK_OK(prepare(&twice));
    CHECK_INT(twice.kkt->dependent_count, 1);
    CHECK_INT(twice.kkt->dependent[copied] + twice.kkt->dependent[M], 1);
    kkt_solve(plain.kkt, x, 0);
    kkt_solve(twice.kkt, y, 0);
    for (int i = 0; i < N + M; i++)
      CHECK_NEAR(y[i], i == N + copied ? x[i] / 2 : x[i], 1e-13);
    CHECK_NEAR(y[N + M], y[N + copied], 1e-14);
    bench_free(&plain);
    bench_free(&twice);
  }
}

/* Three rows of rank one, and more rows than coordinates: the shortest multipliers. */
TEST(many_dependent_rows) {
  enum { N = 2, M = 5 };
  Bench bench = bench_new(N, M, 0);
  *kkt_at(bench.kkt, 0, 0) = *kkt_at(bench.kkt, 1, 1) = 1;
  for (int i = 0; i < M; i++)
    set_pair(bench.kkt, N + i, i < 3 ? 0 : 1, 1);
  CHECK_OK(prepare(&bench));
  CHECK_INT(bench.kkt->dependent_count, 3);
  double x[N + M] = {6, -4};
  kkt_solve(bench.kkt, x, 0); /* nothing moves; forces 6 and -4 are carried */
  const double expected[] = {0, 0, 2, 2, 2, -2, -2};
  for (int i = 0; i < N + M; i++)
    CHECK_NEAR(x[i], expected[i], 1e-14);
  bench_free(&bench);
}

/* Restoring: what is dependent is told, not found. */
TEST(dependent_rows_from_outside) {
  enum { N = 1, M = 3 };
  Bench bench = bench_new(N, M, 0);
  Kkt *kkt = bench.kkt;
  *kkt_at(kkt, 0, 0) = 1;
  for (int i = 0; i < M; i++)
    set_pair(kkt, N + i, 0, 1);
  kkt->dependent[0] = kkt->dependent[2] = 1;
  CHECK_STATUS(kkt_follow(kkt, 0), SARRUS_FORMAT);
  kkt->dependent_count = 2;
  CHECK_OK(kkt_follow(kkt, 0));
  CHECK_OK(kkt_factor(kkt));
  double x[N + M] = {6};
  kkt_solve(kkt, x, 0);
  for (int i = 0; i < M; i++)
    CHECK_NEAR(x[N + i], 2, 1e-14);
  bench_free(&bench);
}

TEST(independent_again_after_a_change) {
  enum { N = 2, M = 2 };
  unsigned seed = 5;
  Bench bench = bench_new(N, M, 0);
  *kkt_at(bench.kkt, 0, 0) = *kkt_at(bench.kkt, 1, 1) = 2;
  set_pair(bench.kkt, 2, 0, 1);
  set_pair(bench.kkt, 3, 0, 1);
  CHECK_OK(prepare(&bench));
  CHECK_INT(bench.kkt->dependent_count, 1);
  set_pair(bench.kkt, 3, 1, 0.5);
  CHECK_OK(prepare(&bench));
  CHECK_INT(bench.kkt->dependent_count, 0);
  check_solve(&bench, 1e-14, &seed);
  bench_free(&bench);
}

/* A massless coordinate is fine where a constraint holds it, and singular where none does. */
TEST(singular_mass) {
  unsigned seed = 6;
  Bench bench = bench_new(3, 1, 0);
  *kkt_at(bench.kkt, 0, 0) = *kkt_at(bench.kkt, 1, 1) = 2;
  set_pair(bench.kkt, 3, 2, 1);
  CHECK_OK(prepare(&bench));
  check_solve(&bench, 1e-14, &seed);
  set_pair(bench.kkt, 3, 2, 0);
  set_pair(bench.kkt, 3, 0, 1);
  CHECK_STATUS(prepare(&bench), SARRUS_SINGULAR);
  const KktFault fault = kkt_fault(bench.kkt);
  CHECK_INT(fault.row, 2);
  CHECK_INT(fault.column, 2);
  CHECK(fault.condition > 1e12);
  bench_free(&bench);
}

/* Dependency hidden in numbers that are not exact: row 4 = row 0 + 3 row 2. */
TEST(nearly_singular_is_singular) {
  enum { N = 5 };
  unsigned seed = 7;
  Bench bench = bench_new(N, 0, 1);
  for (int j = 0; j < N; j++) {
    for (int i = 0; i < 4; i++)
      *kkt_at(bench.kkt, i, j) = random_in(&seed, -1, 1);
    *kkt_at(bench.kkt, 4, j) = *kkt_at(bench.kkt, 0, j) + 3 * *kkt_at(bench.kkt, 2, j);
  }
  CHECK_STATUS(prepare(&bench), SARRUS_SINGULAR);
  const KktFault fault = kkt_fault(bench.kkt);
  CHECK(fault.row == 0 || fault.row == 2 || fault.row == 4);
  CHECK(fault.condition > 1e12);
  bench_free(&bench);
}

/*
** Two constraints at an angle e: B M^-1 B^T has an eigenvalue e^2, small and large matrices alike.
*/
TEST(the_margin_falls_with_the_square_of_the_angle) {
  for (int n = 3; n <= 30; n += 27) {
    double margin[2];
    for (int i = 0; i < 2; i++) {
      Bench bench = bench_new(n, 2, 0);
      for (int j = 0; j < n; j++)
        *kkt_at(bench.kkt, j, j) = 1;
      set_pair(bench.kkt, n, 0, 1);
      set_pair(bench.kkt, n + 1, 0, 1);
      set_pair(bench.kkt, n + 1, 1, i == 0 ? 1e-2 : 1e-3);
      CHECK_OK(prepare(&bench));
      margin[i] = kkt_rank_margin(bench.kkt);
      bench_free(&bench);
    }
    CHECK_NEAR(margin[0] / margin[1], 100, 5);
    CHECK(margin[0] > 1e-6 && margin[0] < 1e-2);
  }
}

TEST(not_finite) {
  Bench bench = bench_new(2, 1, 0);
  *kkt_at(bench.kkt, 0, 0) = *kkt_at(bench.kkt, 1, 1) = 1;
  set_pair(bench.kkt, 2, 0, (double)NAN);
  CHECK_STATUS(kkt_analyse(bench.kkt, 0, NULL), SARRUS_NONFINITE);
  CHECK_STATUS(kkt_factor(bench.kkt), SARRUS_NONFINITE);
  set_pair(bench.kkt, 2, 0, (double)INFINITY);
  CHECK_STATUS(kkt_factor(bench.kkt), SARRUS_NONFINITE);
  set_pair(bench.kkt, 2, 0, 1);
  CHECK_OK(prepare(&bench));
  bench_free(&bench);
}
