/*
** Redundant constraints: which rows are left out, when they change places, volumes, coordinates
** without mass.
*/
#include <fenv.h>

#include "kkt_matrices.h"
#include "vector.h"

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

/* Right after factoring, when nothing is known yet of what is left out. */
TEST(right_hand_sides_side_by_side) {
  enum { WIDTH = 4 };
  double x[SIZE * WIDTH], room[3 * SIZE * WIDTH];
  Matrix a;
  Bench bench = plane_of(STAR_OF_THREE, &a);
  REQUIRE_OK(prepare(&bench));
  REQUIRE(bench.kkt->dependent_count == 1);
  for (int i = 0; i < SIZE * WIDTH; i++)
    x[i] = i < N * WIDTH ? sin(1 + i) : 0;
  REQUIRE_OK(kkt_factor(bench.kkt));
  kkt_solve_rows(bench.kkt, x, WIDTH, 0, room);
  for (int l = 0; l < WIDTH; l++) {
    double one[SIZE] = {0};
    for (int j = 0; j < N; j++)
      one[j] = sin(1 + j * WIDTH + l);
    kkt_solve(bench.kkt, one, 0);
    for (int j = 0; j < SIZE; j++)
      CHECK_NEAR(x[j * WIDTH + l], one[j], 1e-14);
  }
  finish(&bench, &a);
}

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

/* Four unit masses; two pairs of constraints, each of them at an angle. */
static int count_left_out(double angle, double other) {
  enum { MASSES = 4, ROWS = 4 };
  const double angles[] = {angle, other};
  Matrix a = {0};
  for (int j = 0; j < MASSES; j++)
    put(&a, j, j, 1);
  for (int i = 0; i < ROWS; i++) {
    put_pair(&a, MASSES + i, i - i % 2, 1);
    if (i % 2 == 1) put_pair(&a, MASSES + i, i, angles[i / 2]);
  }
  complete(&a, MASSES, ROWS);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  CHECK_OK(prepare(&bench));
  const int count = bench.kkt->dependent_count;
  finish(&bench, &a);
  return count;
}

/* Within 1e-5 rows are one; but beside others that are close to each other, only within 1e-10. */
TEST(how_close_rows_are_that_count_as_one) {
  CHECK_INT(count_left_out(5e-6, 1), 1);
  CHECK_INT(count_left_out(3e-5, 1), 0);
  CHECK_INT(count_left_out(5e-11, 1e-3), 1);
  CHECK_INT(count_left_out(5e-10, 1e-3), 0);
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

/* --- light coordinates between heavy ones ------------------------------------------------- */

/* Two masses, each joined to a third; the last constraint is the second one. */
static Bench joined_by(double heavy, double light, double unit, Matrix *a) {
  *a = (Matrix){0};
  put(a, 0, 0, heavy);
  put(a, 1, 1, 2 * heavy);
  if (light > 0) put(a, 2, 2, light);
  for (int i = 0; i < M; i++) {
    put_pair(a, N + i, i == 0 ? 0 : 1, unit);
    put_pair(a, N + i, 2, -unit);
  }
  complete(a, N, M);
  return bench_new(a, sarrus_memory_default(), 0);
}

/* A force that gives both an acceleration of 1. */
static void check_joined(double heavy, double light, double unit) {
  Matrix a;
  Bench bench = joined_by(heavy, light, unit, &a);
  REQUIRE_OK(prepare(&bench));
  CHECK_INT(bench.kkt->dependent_count, 1);
  CHECK(!bench.kkt->dependent[0]);
  double x[SIZE] = {3 * heavy + light, 0, 0, 0, 0, 0};
  kkt_solve(bench.kkt, x, 0);
  for (int j = 0; j < N; j++)
    CHECK_NEAR(x[j], 1, 1e-14);
  CHECK_NEAR(x[N] * unit, 2 * heavy + light, 1e-14 * heavy);
  CHECK_NEAR(x[N + 1], x[N + 2], 1e-14 * heavy / unit);
  finish(&bench, &a);
}

TEST(needed_rows_stay_whatever_the_masses) {
  for (int power = 0; power >= -30; power--)
    for (int unit = -9; unit <= 9; unit += 3) {
      check_joined(1, pow(10, power), pow(10, unit));
      check_joined(4e5, 4e5 * pow(10, power), pow(10, unit));
    }
  check_joined(1, 0, 1);
}

/* Next to a light coordinate, a row that is 1e-6 off the other one still counts as the same. */
TEST(rows_that_are_nearly_dependent_are_left_out_whatever_the_masses) {
  Matrix a;
  Bench bench = joined_by(1, 1e-13, 1, &a);
  const double sizes[N] = {1, 1, 1};
  *value_at(&a, bench.kkt->value, N + 2, 1) += 1e-6;
  *value_at(&a, bench.kkt->value, 1, N + 2) += 1e-6;
  REQUIRE_OK(kkt_analyse(bench.kkt, 0, sizes));
  CHECK_INT(bench.kkt->dependent_count, 1);
  CHECK(!bench.kkt->dependent[0]);
  finish(&bench, &a);
}

TEST(memory_that_ends_while_masses_are_set_aside) {
  Matrix a;
  TestMemory m;
  Bench whole = joined_by(1, 1e-13, 1, &a);
  for (long n = 1;; n++) {
    Bench bench = bench_new(&a, test_memory_failing(&m, n), 0);
    const sarrus_Status status = prepare(&bench);
    CHECK_STATUS(status, m.failed ? SARRUS_NOMEM : SARRUS_OK);
    CHECK(memcmp(bench.kkt->value, whole.kkt->value, (size_t)a.count * sizeof *a.value) == 0);
    if (m.failed) CHECK_OK(prepare(&bench));
    CHECK_INT(bench.kkt->dependent_count, 1);
    bench_free(&bench);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) break;
  }
  finish(&whole, &a);
}

/* --- shares of a load -------------------------------------------------------------------- */

/* Of 1 = x + y/8 the shortest solution, where both are measured alike, is (64, 8) / 65. */
TEST(what_is_even_is_measured_alike) {
  Matrix a;
  Bench bench = plane_of((const double[M][2]){{1, 0}, {0.125, 0}, {0, 1}}, &a);
  double lambda[M] = {1, 0, 5};
  REQUIRE_OK(prepare(&bench));
  REQUIRE(bench.kkt->dependent_count == 1);
  for (int i = 0; i < M; i++)
    kkt_set_even(bench.kkt, i, 1);
  kkt_shorten(bench.kkt, lambda);
  CHECK_NEAR(lambda[0], 64.0 / 65, 1e-15);
  CHECK_NEAR(lambda[1], 8.0 / 65, 1e-15);
  CHECK_NEAR(lambda[2], 5, 1e-15);
  finish(&bench, &a);
}

enum { HELD = 3, RUBS = 5, ALL = HELD + RUBS, WAYS = RUBS - 2 };

/* Five rows of two masses, each of which rubs with its own friction along the first of three. */
static const double ALONG[RUBS][2] = {{1, 0}, {0.5, 1}, {-1, 0.75}, {0.25, -1}, {1, 1}};

static Bench rubbing(Matrix *a) {
  static const double friction[RUBS] = {0.5, 0.25, 1, 0.75, 0.125};
  *a = (Matrix){0};
  for (int j = 0; j < HELD; j++)
    put(a, j, j, 1);
  for (int i = 0; i < RUBS; i++) {
    for (int j = 0; j < 2; j++)
      put_pair(a, HELD + i, 1 + j, ALONG[i][j]);
    put(a, HELD + i, 0, 0);
    put(a, 0, HELD + i, friction[i]);
  }
  complete(a, HELD, RUBS);
  Bench bench = bench_new(a, sarrus_memory_default(), 0);
  bench.kkt->knows_orders = 1; /* what rubs goes on and off */
  kkt_set_rubs(bench.kkt, 1);
  for (int i = 0; i < RUBS; i++)
    kkt_set_even(bench.kkt, i, 1);
  CHECK_OK(prepare(&bench));
  CHECK_INT(bench.kkt->dependent_count, WAYS);
  return bench;
}

/*
** (T75) Null vectors exert no force along the masses.  Along a way all equations stay as they are,
** and it has a part 1 in one null vector, none in the others.
*/
TEST(ways_of_what_rubs) {
  double zero[ALL];
  Matrix a;
  Bench bench = rubbing(&a);
  const Kkt *kkt = bench.kkt;
  kkt_find_null_space(bench.kkt);
  for (int c = 0; c < WAYS; c++) {
    const double *null = kkt->null + (ptrdiff_t)c * RUBS;
    for (int j = 0; j < 2; j++) {
      double force = 0;
      for (int i = 0; i < RUBS; i++)
        force += null[i] * kkt->measure[i] * ALONG[i][j];
      CHECK_NEAR(force, 0, 1e-14);
    }
    for (int k = 0; k < WAYS; k++) {
      const double *way = kkt->ways + (ptrdiff_t)k * ALL;
      CHECK_NEAR(vector_dot(null, way + HELD, kkt->inverse, RUBS), k == c, 1e-14);
      times(&a, a.value, way, zero);
      for (int i = 0; i < ALL; i++)
        CHECK_NEAR(zero[i], 0, 1e-14);
    }
  }
  finish(&bench, &a);
}

/* Shortened along ways a solution has no part in null vectors, and solves what it has solved. */
TEST(solutions_of_what_rubs) {
  enum { SIDES = 4 };
  double x[ALL], before[ALL], after[ALL], side[ALL * SIDES], room[3 * ALL * SIDES];
  Matrix a;
  Bench bench = rubbing(&a);
  const Kkt *kkt = bench.kkt;
  for (int i = 0; i < ALL; i++)
    x[i] = sin(1 + i);
  times(&a, a.value, x, before);
  kkt_shorten_all(bench.kkt, x);
  times(&a, a.value, x, after);
  for (int i = 0; i < ALL; i++)
    CHECK_NEAR(after[i], before[i], 1e-14);
  for (int c = 0; c < WAYS; c++)
    CHECK_NEAR(vector_dot(kkt->null + (ptrdiff_t)c * RUBS, x + HELD, kkt->inverse, RUBS), 0, 1e-14);
  for (int i = 0; i < ALL; i++) /* the same, side by side with multiples of it */
    for (int l = 0; l < SIDES; l++)
      side[i * SIDES + l] = (l + 1) * before[i];
  kkt_solve_rows(bench.kkt, side, SIDES, 0, room);
  for (int i = 0; i < ALL; i++)
    for (int l = 0; l < SIDES; l++)
      CHECK_NEAR(side[i * SIDES + l], (l + 1) * x[i], 1e-13);
  finish(&bench, &a);
}

/* --- hosts that trap floating-point exceptions --------------------------------------------- */

enum { TRAPPED = FE_DIVBYZERO | FE_INVALID };

/* Rows 0 and 1 become equal, then 0: a pivot is 0. */
TEST(zero_pivots_divide_by_nothing) {
  Matrix a;
  Bench bench = plane_of((const double[M][2]){{1, 0}, {0, 1}, {0, 1}}, &a);
  REQUIRE_OK(prepare(&bench));
  for (int zero = 0; zero < 2; zero++) {
    for (int i = 0; i < M; i++)
      set_row(&a, bench.kkt, i, zero ? 0 : 1, 0);
    feclearexcept(FE_ALL_EXCEPT);
    CHECK_STATUS(kkt_factor(bench.kkt), SARRUS_SINGULAR);
    CHECK(kkt_fault(bench.kkt).condition > 1e13);
    CHECK_INT(fetestexcept(TRAPPED), 0);
  }
  finish(&bench, &a);
}

/*
** With e = 2^-33, the left-out rows (0, 1) are -e^-2 and e^-1 of the kept ones, (e, 0) and (1, e):
** beside that, the element that is a null vector's own is rounding, and both vectors are the same.
*/
TEST(null_vectors_of_which_nothing_is_left_divide_by_nothing) {
  enum { MASSES = 2, ROWS = 4 };
  const double e = ldexp(1, -33);
  Matrix a = {0};
  for (int j = 0; j < MASSES; j++)
    put(&a, j, j, 1);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < MASSES; j++)
      put_pair(&a, MASSES + i, j, (i == 0) == (j == 0));
  complete(&a, MASSES, ROWS);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  Kkt *kkt = bench.kkt;
  REQUIRE_OK(prepare(&bench));
  CHECK_INT(kkt->dependent_count, 2);
  CHECK(!kkt->dependent[0]);
  for (int i = 0; i < ROWS; i++) {
    const double x = i == 0 ? e : kkt->dependent[i] ? 0 : 1, y = i == 0 ? 0 : x > 0 ? e : 1;
    const int row = MASSES + i;
    *value_at(&a, kkt->value, row, 0) = *value_at(&a, kkt->value, 0, row) = x;
    *value_at(&a, kkt->value, row, 1) = *value_at(&a, kkt->value, 1, row) = y;
  }
  feclearexcept(FE_ALL_EXCEPT);
  REQUIRE_OK(kkt_factor(kkt));
  CHECK(kkt_log_volume(kkt) < -1000);
  CHECK(kkt->reach[0].from == 0 && kkt->reach[0].to > 1);
  CHECK(kkt->reach[1].from == 0 && kkt->reach[1].to == 0);
  double lambda[ROWS] = {1, 2, 3, 4};
  kkt_shorten(kkt, lambda);
  CHECK_INT(fetestexcept(TRAPPED), 0);
  for (int i = 0; i < ROWS; i++)
    CHECK(isfinite(lambda[i]));
  bench_free(&bench);
  matrix_free(&a);
}
