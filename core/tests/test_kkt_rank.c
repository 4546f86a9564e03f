/* Redundant constraints: which rows are left out, when they change places, volumes, coordinates without mass. */
#include "kkt_matrices.h"

enum { N = 3, M = 3, SIZE = N + M };

/* Three unit masses, and three constraints of the first two. */
static Bench plane_of(const double rows[M][2], Matrix *a) {
  *a = (Matrix){0};
  for (int j = 0; j < N; j++)
    put(a, j, j, 1);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < 2; j++)
      put_pair(a, N + i, j, rows[i][j]);
  complete(a, N, M);
  return bench_new(a, sarrus_memory_default(), 0);
}

static void set_row(const Matrix *a, Kkt *kkt, int i, double x, double y) {
  *value_at(a, kkt->value, N + i, 0) = *value_at(a, kkt->value, 0, N + i) = x;
  *value_at(a, kkt->value, N + i, 1) = *value_at(a, kkt->value, 1, N + i) = y;
}

static void finish(Bench *bench, Matrix *a) {
  bench_free(bench);
  matrix_free(a);
}

static int left_out(const Kkt *kkt) {
  for (int i = 0; i < kkt->m; i++)
    if (kkt->dependent[i]) return i;
  return -1;
}

static void leave_out_only(Kkt *kkt, int row) {
  int dependent[M] = {0};
  dependent[row] = 1;
  REQUIRE_OK(kkt_leave_out(kkt, dependent, 1));
  REQUIRE_OK(kkt_factor(kkt));
}

static const double STAR_OF_THREE[M][2] = {{1, 0}, {-0.5, 0.8}, {-0.5, -0.8}};

/* --- exchange ---------------------------------------------------------------------------- */

/* The kept rows turn until they are nearly parallel; the left-out one is across. */
TEST(rows_change_places_before_kept_ones_depend_on_each_other) {
  Matrix a;
  Bench bench = plane_of(STAR_OF_THREE, &a);
  Kkt *kkt = bench.kkt;
  REQUIRE_OK(prepare(&bench));
  REQUIRE(kkt->dependent_count == 1);
  const int out = left_out(kkt);
  set_row(&a, kkt, out, 0, 1);
  set_row(&a, kkt, (out + 1) % M, 1, 0);
  set_row(&a, kkt, (out + 2) % M, 1, 0.01);
  REQUIRE_OK(kkt_factor(kkt));
  const double before = kkt_rank_margin(kkt);
  CHECK_INT(kkt_exchange(kkt), 1);
  CHECK(left_out(kkt) != out);
  CHECK_INT(kkt->dependent_count, 1);
  REQUIRE_OK(kkt_factor(kkt));
  CHECK(kkt_rank_margin(kkt) > 1000 * before);
  CHECK_INT(kkt_exchange(kkt), 0);
  finish(&bench, &a);
}

TEST(rows_that_are_far_from_dependent_stay) {
  Matrix a;
  Bench bench = plane_of(STAR_OF_THREE, &a);
  REQUIRE_OK(prepare(&bench));
  const int out = left_out(bench.kkt);
  CHECK_INT(kkt_exchange(bench.kkt), 0);
  CHECK_INT(left_out(bench.kkt), out);
  finish(&bench, &a);
}

TEST(nothing_changes_places_where_nothing_is_left_out) {
  Matrix a = mechanism(CHAIN, 4, 1, 1);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  REQUIRE_OK(prepare(&bench));
  CHECK_INT(bench.kkt->dependent_count, 0);
  CHECK_INT(kkt_exchange(bench.kkt), 0);
  finish(&bench, &a);
}

/* --- leaving out ------------------------------------------------------------------------- */

TEST(whichever_row_is_left_out_the_solution_is_the_same) {
  const double right[SIZE] = {1, -2, 3};
  double first[SIZE];
  Matrix a;
  Bench bench = plane_of(STAR_OF_THREE, &a);
  REQUIRE_OK(prepare(&bench));
  memcpy(first, right, sizeof first);
  kkt_solve(bench.kkt, first, 0);
  for (int i = 0; i < M; i++) {
    double x[SIZE];
    memcpy(x, right, sizeof x);
    leave_out_only(bench.kkt, i);
    CHECK_INT(left_out(bench.kkt), i);
    kkt_solve(bench.kkt, x, 0);
    for (int j = 0; j < SIZE; j++)
      CHECK_NEAR(x[j], first[j], 1e-14);
  }
  finish(&bench, &a);
}

/* --- volume ------------------------------------------------------------------------------ */

TEST(the_volume_is_the_same_whichever_row_is_left_out) {
  static const double rows[M][2] = {{1, 0}, {0.9, 0.3}, {0.2, 1.1}};
  double volume[M];
  Matrix a;
  Bench bench = plane_of(rows, &a);
  REQUIRE_OK(prepare(&bench));
  for (int i = 0; i < M; i++) {
    leave_out_only(bench.kkt, i);
    volume[i] = kkt_log_volume(bench.kkt);
  }
  CHECK_NEAR(volume[1], volume[0], 1e-13);
  CHECK_NEAR(volume[2], volume[0], 1e-13);
  finish(&bench, &a);
}

/* Two directions at an angle e, one of them twice: B M^-1 B^T has an eigenvalue of about e^2. */
TEST(the_volume_falls_with_the_square_of_the_angle) {
  double volume[2];
  for (int i = 0; i < 2; i++) {
    const double angle = i == 0 ? 1e-2 : 1e-3;
    const double rows[M][2] = {{1, 0}, {1, 0}, {1, angle}};
    Matrix a;
    Bench bench = plane_of(rows, &a);
    REQUIRE_OK(prepare(&bench));
    CHECK_INT(bench.kkt->dependent_count, 1);
    volume[i] = kkt_log_volume(bench.kkt);
    finish(&bench, &a);
  }
  CHECK_NEAR(volume[0] - volume[1], log2(100), 1e-3);
}

/* --- coordinates without mass ------------------------------------------------------------ */

/* Two masses and a coordinate without one, in these units; the last constraint is the first one. */
static Bench massless_of(double unit, Matrix *a) {
  *a = (Matrix){0};
  put(a, 0, 0, 1.5);
  put(a, 1, 1, 0.7);
  for (int i = 0; i < M; i++) {
    put_pair(a, N + i, i == 1 ? 1 : 0, 1.1);
    put_pair(a, N + i, 2, (i == 1 ? 0.3 : 0.9) * unit);
  }
  complete(a, N, M);
  return bench_new(a, sarrus_memory_default(), 0);
}

TEST(units_of_a_coordinate_without_mass_change_no_bit) {
  double expected[SIZE];
  int out = -1;
  for (int power = -60; power <= 60; power += 20) {
    const double unit = ldexp(1, power);
    Matrix a;
    Bench bench = massless_of(unit, &a);
    REQUIRE_OK(prepare(&bench));
    CHECK_INT(bench.kkt->dependent_count, 1);
    double x[SIZE] = {1, 2, 0.4 * unit, 0.3, -0.2, 0.3};
    kkt_solve(bench.kkt, x, 0);
    x[2] *= unit;
    if (out < 0) {
      out = left_out(bench.kkt);
      memcpy(expected, x, sizeof x);
    }
    CHECK_INT(left_out(bench.kkt), out);
    CHECK(memcmp(x, expected, sizeof x) == 0);
    finish(&bench, &a);
  }
}
