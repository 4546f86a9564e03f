/*
** Scales and their limits, how often solutions are corrected, when an order of elimination no
** longer serves: both sides of each bound.
*/
#include <float.h>

#include "kkt_matrices.h"
#include "kkt_parts.h"

static void finish(Bench *bench, Matrix *a) {
  bench_free(bench);
  matrix_free(a);
}

/* --- powers of two --------------------------------------------------------------------- */

/* 2^-e for 2^(e-1) <= x < 2^e, as long as both are normal numbers; else 1. */
TEST(scales_are_powers_of_two) {
  for (int power = -1074; power < 1024; power++)
    for (int part = 0; part < 3; part++) {
      const double x = ldexp(part == 0 ? 1 : part == 1 ? 1.5 : 2 - DBL_EPSILON, power);
      if (!isfinite(x) || x >= ldexp(2, power)) continue;
      const int usual = power >= -1022 && power < 1022;
      CHECK(kkt_power_of_two(x) == (usual ? ldexp(1, -power - 1) : 1));
    }
  CHECK(kkt_power_of_two(0) == 1);
  CHECK(kkt_power_of_two((double)INFINITY) == 1);
  CHECK(kkt_power_of_two((double)NAN) == 1);
  CHECK(kkt_power_of_two(DBL_MAX) == 1);
  CHECK(kkt_power_of_two(DBL_MIN) == ldexp(1, 1021));
  CHECK(kkt_power_of_two(DBL_MIN / 2) == 1);
}

/* --- coordinates without mass ---------------------------------------------------------- */

enum { N = 4, M = 3 };

/* Coordinates with these masses (0: none), and rows, entries where they are not 0. */
static Bench bench_of(const double *mass, const double (*rows)[N], int count, Matrix *a) {
  *a = (Matrix){0};
  for (int j = 0; j < N; j++)
    if (mass[j] > 0) put(a, j, j, mass[j]);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < N; j++)
      if (rows[i][j] != 0) put_pair(a, N + i, j, rows[i][j]);
  complete(a, N, count);
  return bench_new(a, sarrus_memory_default(), 0);
}

/*
** The first has the mass 1, and so the scale 1/2.  In 3 x_0 + b x_1 = 0, x_1 weighs as much as it:
** 1 / (1.5 / b), rounded.  x_2 follows from x_1; x_3 is joined to none.
*/
TEST(scales_spread_from_coordinates_with_mass) {
  static const double mass[N] = {1, 0, 0, 0};
  for (int power = -20; power <= 20; power += 4)
    for (int turned = 0; turned < 2; turned++) {
      const double b = ldexp(1, power), c = ldexp(1, -power / 2);
      const double rows[2][N] = {{3, b, 0, 0}, {0, 2 * b, c, 0}};
      const double swapped[2][N] = {{0, 2 * b, c, 0}, {3, b, 0, 0}};
      Matrix a;
      Bench bench = bench_of(mass, turned ? swapped : rows, 2, &a);
      const double *d = bench.kkt->column;
      REQUIRE_OK(kkt_scale(bench.kkt, NULL));
      CHECK(d[0] == 0.5);
      CHECK(d[1] == kkt_power_of_two(b / 1.5));
      CHECK(d[2] == kkt_power_of_two(c / (2 * b * d[1])));
      CHECK(d[3] == 1);
      for (int i = 0; i < 2; i++) {
        double sum = 0;
        for (int j = 0; j < N; j++)
          sum += pow((turned ? swapped : rows)[i][j] * d[j], 2);
        CHECK(d[N + i] == kkt_power_of_two(sqrt(sum)));
      }
      for (int i = 0; i < N + 2; i++)
        CHECK(bench.kkt->row[i] == d[i]);
      finish(&bench, &a);
    }
}

/* The first coordinate gets its scale from the last one, or 1 where nothing joins it. */
TEST(scales_of_the_first_coordinate) {
  static const double mass[N] = {0, 1, 1, 1};
  static const double joined[1][N] = {{8, 0, 0, 1}}, alone[1][N] = {{0, 1, 0, 1}};
  for (int join = 0; join < 2; join++) {
    Matrix a;
    Bench bench = bench_of(mass, join ? joined : alone, 1, &a);
    REQUIRE_OK(kkt_scale(bench.kkt, NULL));
    CHECK(bench.kkt->column[0] == (join ? kkt_power_of_two(16) : 1));
    CHECK(bench.kkt->row[0] == bench.kkt->column[0]);
    finish(&bench, &a);
  }
}

/* Of several rows, that one counts in which it weighs most. */
TEST(scales_by_the_row_in_which_a_coordinate_weighs_most) {
  static const double mass[N] = {4, 4, 0, 0};
  for (int large = 0; large < M; large++) {
    double rows[M][N] = {{1, 0, 1, 0}, {0, 1, 1, 0}, {1, 0, 1, 0}};
    Matrix a;
    rows[large][2] = 64;
    Bench bench = bench_of(mass, (const double(*)[N])rows, M, &a);
    REQUIRE_OK(kkt_scale(bench.kkt, NULL));
    CHECK(bench.kkt->column[0] == 0.25 && bench.kkt->column[1] == 0.25);
    CHECK(bench.kkt->column[2] == kkt_power_of_two(64 * 4));
    finish(&bench, &a);
  }
}

/* --- what may be rounding -------------------------------------------------------------- */

/* The scale of x_1, which has no mass, in a x_0 + b x_1 + c x_2 = 0; x_2 has none, either. */
static double wary_scale(double a0, double b, double c, const double *sizes, int wary) {
  static const double mass[N] = {1, 0, 0, 1};
  const double rows[1][N] = {{a0, b, c, 0}};
  Matrix a;
  Bench bench = bench_of(mass, rows, 1, &a);
  bench.kkt->wary = wary;
  CHECK_OK(kkt_scale(bench.kkt, sizes));
  const double scale = bench.kkt->column[1];
  finish(&bench, &a);
  return scale;
}

/* x_1 joins x_0 if it is more than 1e-13 of the largest in the row, as coordinates move. */
TEST(rounding_does_not_join_coordinates) {
  const double eps = 1e-13 / 4, sizes[N] = {1, 8, 4, 1};
  for (int wary = 0; wary < 2; wary++) {
    CHECK((wary_scale(1, 3.9 * eps, 0, NULL, wary) == 1) == wary);
    CHECK(wary_scale(1, 4.1 * eps, 0, NULL, wary) == kkt_power_of_two(4.1 * eps / 0.5));
    CHECK((wary_scale(1, 7.8 * eps, 2, NULL, wary) == 1) == wary);
    CHECK(wary_scale(1, 8.2 * eps, 2, NULL, wary) != 1);
    CHECK((wary_scale(1, 3.9 / 8 * eps, 0, sizes, wary) == 1) == wary);
    CHECK(wary_scale(1, 4.1 / 8 * eps, 0, sizes, wary) != 1);
    CHECK((wary_scale(1, 3.9 * eps, 2, sizes, wary) == 1) == wary);
    CHECK(wary_scale(1, 4.1 * eps, 2, sizes, wary) != 1);
  }
}

/* Nor where those of known scale are no more than 1e-13 of it. */
TEST(rounding_of_known_coordinates_joins_nothing) {
  const double eps = 1e-13 / 4, sizes[N] = {8, 1, 4, 1};
  for (int wary = 0; wary < 2; wary++) {
    CHECK((wary_scale(3.9 * eps, 1, 0, NULL, wary) == 1) == wary);
    CHECK(wary_scale(4.1 * eps, 1, 0, NULL, wary) == kkt_power_of_two(1 / (4.1 * eps * 0.5)));
    CHECK((wary_scale(3.9 * eps, 1, 1, NULL, wary) == 1) == wary); /* x_2 is not known */
    CHECK((wary_scale(3.9 / 8 * eps, 1, 0, sizes, wary) == 1) == wary);
    CHECK(wary_scale(4.1 / 8 * eps, 1, 0, sizes, wary) != 1);
  }
}

/* Analyses are wary, whether they succeed or fail; those that are bold say so. */
TEST(analyses_say_whether_they_are_wary) {
  static const double mass[N] = {1, 1, 1, 1};
  static const double rows[1][N] = {{1, 1, 0, 0}};
  Matrix a;
  Bench bench = bench_of(mass, rows, 1, &a);
  CHECK_OK(kkt_analyse_boldly(bench.kkt, 0, NULL));
  CHECK_INT(bench.kkt->wary, 0);
  CHECK_OK(kkt_analyse(bench.kkt, 0, NULL));
  CHECK_INT(bench.kkt->wary, 1);
  *value_at(&a, bench.kkt->value, 3, 3) = 0;
  CHECK_STATUS(kkt_analyse(bench.kkt, 0, NULL), SARRUS_SINGULAR);
  CHECK_INT(bench.kkt->wary, 1);
  CHECK_INT(kkt_fault(bench.kkt).row, 3);
  CHECK_INT(kkt_fault(bench.kkt).column, 3);
  finish(&bench, &a);
}

/* --- limits ---------------------------------------------------------------------------- */

/* Relative to sizes, no scale is above 4096 times the least; 2048 is what is next below that. */
TEST(light_coordinates_count_as_lighter_ones_no_more) {
  for (int light = 0; light < N; light++)
    for (int power = 0; power < 40; power++)
      for (int sized = 0; sized < 2; sized++) {
        double mass[N] = {1, 1, 1, 1}, *sizes = malloc(N * sizeof *sizes);
        double rows[1][N] = {{0}};
        Matrix a;
        mass[light] = ldexp(1, -2 * power);
        rows[0][light] = rows[0][(light + 1) % N] = 1;
        for (int j = 0; j < N; j++)
          sizes[j] = j == light && sized ? 4 : 1;
        Bench bench = bench_of(mass, (const double(*)[N])rows, 1, &a);
        REQUIRE_OK(kkt_scale(bench.kkt, NULL));
        const double own = ldexp(0.5, power), most = ldexp(sized ? 4 : 1, 11);
        CHECK(bench.kkt->column[light] == own);
        kkt_limit_scales(bench.kkt, sized ? sizes : NULL);
        for (int j = 0; j < N; j++) {
          const double expected = j != light ? 0.5 : own <= most ? own : most / 2;
          CHECK(bench.kkt->column[j] == expected && bench.kkt->row[j] == expected);
        }
        CHECK(bench.kkt->column[N] == kkt_power_of_two(hypot(0.5, bench.kkt->column[light])));
        finish(&bench, &a);
        free(sizes);
      }
}

/* --- how often solutions are corrected ------------------------------------------------- */

/*
** The factors are those of 1, the matrix is 1 + d: each correction multiplies the error by -d, so
** that the error tells how many there were.
*/
static int corrections(Bench *bench, double smallest, double steady, int stage) {
  const double d = 1.0 / 256;
  double x = 1;
  bench->kkt->value[0] = 1 + d;
  bench->kkt->smallest = smallest;
  bench->kkt->steady = steady;
  if (stage < 0)
    kkt_solve_motion(bench->kkt, &x);
  else
    kkt_solve(bench->kkt, &x, stage);
  return (int)lround(log2(fabs(1 - (1 + d) * x)) / -8) - 1;
}

static Bench bench_of_one(Matrix *a) {
  *a = (Matrix){0};
  put(a, 0, 0, 1);
  complete(a, 1, 0);
  Bench bench = bench_new(a, sarrus_memory_default(), 0);
  CHECK_OK(prepare(&bench));
  return bench;
}

/* Once below 1e-4, twice below 1e-7, and so on, whatever the stage. */
TEST(small_pivots_ask_for_corrections) {
  static const double bounds[] = {1e-4, 1e-7, 1e-9, 1e-11};
  Matrix a;
  Bench bench = bench_of_one(&a);
  for (int i = 0; i < 4; i++)
    for (int stage = 1; stage < 40; stage += 12) {
      CHECK_INT(corrections(&bench, 1.1 * bounds[i], 1, stage), i);
      CHECK_INT(corrections(&bench, 0.9 * bounds[i], 1, stage), i + 1);
    }
  CHECK_INT(corrections(&bench, 1, 1, 1), 0);
  finish(&bench, &a);
}

/* Stage 0 always, stage k where a pivot is below 0.2 / 2^(k - 1) of its row. */
TEST(unsteady_pivots_ask_for_a_correction) {
  Matrix a;
  Bench bench = bench_of_one(&a);
  CHECK_INT(corrections(&bench, 1, 1, 0), 1);
  CHECK_INT(corrections(&bench, 1, 0.01, 0), 1);
  for (int stage = 1; stage < 20; stage++) {
    const double bound = 0.2 / pow(2, stage - 1);
    CHECK_INT(corrections(&bench, 1, 1.01 * bound, stage), 0);
    CHECK_INT(corrections(&bench, 1, 0.99 * bound, stage), 1);
  }
  CHECK_INT(corrections(&bench, 1, 0.21, -1), 0); /* motion alone: as stage 1 */
  CHECK_INT(corrections(&bench, 1, 0.19, -1), 1);
  finish(&bench, &a);
}

/* --- orders that no longer serve ------------------------------------------------------- */

/* (x 1; 1 1), ordered at x = 1: it serves while x is above 1e-3 of its row. */
TEST(orders_serve_while_pivots_are_a_thousandth_of_their_row) {
  for (int above = 0; above < 2; above++) {
    Matrix a = {0};
    put(&a, 0, 0, 1);
    put(&a, 0, 1, 0.5);
    put(&a, 1, 0, 0.25);
    put(&a, 1, 1, 0.5);
    complete(&a, 2, 0);
    Bench bench = bench_new(&a, sarrus_memory_default(), 1);
    CHECK_OK(prepare(&bench));
    const int row = sparse_rows(bench.kkt->sparse)[0],
              column = sparse_columns(bench.kkt->sparse)[0];
    const double x = (above ? 1.1e-3 : 0.9e-3) * *value_at(&a, a.value, row, !column);
    *value_at(&a, bench.kkt->value, row, column) = x;
    CHECK_OK(kkt_factor(bench.kkt));
    CHECK((bench.kkt->steady < 2e-3) == above);
    double rest[2] = {1, 2}, x0[2];
    memcpy(x0, rest, sizeof x0);
    kkt_solve(bench.kkt, x0, 0);
    CHECK(residual(&a, bench.kkt->value, x0, rest) < 1e-15);
    finish(&bench, &a);
  }
}

/* A pivot of 1e-13 of the scaled matrix is zero to rounding. */
TEST(pivots_that_are_zero_to_rounding) {
  for (int above = 0; above < 2; above++) {
    Matrix a = {0};
    put(&a, 0, 0, 1);
    put(&a, 1, 1, 1);
    complete(&a, 2, 0);
    for (int general = 0; general < 2; general++) {
      Bench bench = bench_new(&a, sarrus_memory_default(), general);
      CHECK_OK(prepare(&bench));
      const double scale = bench.kkt->row[1] * bench.kkt->column[1];
      *value_at(&a, bench.kkt->value, 1, 1) = (above ? 1.1e-13 : 0.9e-13) / scale;
      CHECK_STATUS(kkt_factor(bench.kkt), above ? SARRUS_OK : SARRUS_SINGULAR);
      if (above) CHECK_CLOSE(bench.kkt->smallest, 1.1e-13, 1e-12);
      const KktFault fault = kkt_fault(bench.kkt);
      CHECK_INT(fault.row, 1);
      CHECK_INT(fault.column, 1);
      if (above) CHECK_CLOSE(fault.condition, 1 / 1.1e-13, 1e-12);
      bench_free(&bench);
    }
    matrix_free(&a);
  }
}

/*
** Rows (1, 0) and (1, e): on the diagonal, the second has a pivot of e^2.  Where that is 1e-5 or
** less, pivots are looked for off the diagonal, and are as large as e.
*/
TEST(next_to_a_singular_position_pivots_are_off_the_diagonal) {
  for (int above = 0; above < 2; above++) {
    const double e = sqrt(above ? 1.1e-5 : 0.9e-5), unit[N] = {1, 1, 1, 1};
    double rows[2][N] = {{1, 0, 0, 0}, {1, e, 0, 0}};
    Matrix a;
    Bench bench = bench_of(unit, (const double(*)[N])rows, 2, &a);
    CHECK_OK(prepare(&bench));
    CHECK_INT(bench.kkt->dependent_count, 0);
    CHECK_INT(bench.kkt->off_diagonal, !above);
    CHECK((bench.kkt->smallest > 1e-4) == !above);
    double x[N + 2] = {1, 2, 3, 4, 0, 0};
    const double expected[N + 2] = {0, 0, 3, 4, 1 - 2 / e, 2 / e};
    kkt_solve(bench.kkt, x, 0);
    for (int i = 0; i < N + 2; i++)
      CHECK_NEAR(x[i], expected[i], 1e-12 * fmax(1, fabs(expected[i])));
    finish(&bench, &a);
  }
}

/* The last row is left out: what is singular is named among the others, wherever it is. */
TEST(faults_are_not_of_rows_that_are_left_out) {
  for (int zero = 0; zero < 2; zero++) {
    const double unit[N] = {1, 1, 1, 1};
    double rows[M][N] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}};
    const int out[2][M] = {{0, 0, 1}, {1, 0, 0}};
    Matrix a;
    if (zero == 1) memcpy(rows[0], rows[1], sizeof rows[0]), rows[1][1] = 0, rows[1][0] = 1;
    Bench bench = bench_of(unit, (const double(*)[N])rows, M, &a);
    CHECK_OK(kkt_leave_out(bench.kkt, out[zero], 1));
    CHECK_OK(kkt_scale(bench.kkt, NULL));
    CHECK_OK(kkt_factor(bench.kkt));
    const int row = N + zero, column = 0;
    *value_at(&a, bench.kkt->value, row, column) = *value_at(&a, bench.kkt->value, column, row) = 0;
    CHECK_STATUS(kkt_factor(bench.kkt), SARRUS_SINGULAR);
    CHECK_INT(kkt_fault(bench.kkt).row, row);
    CHECK_INT(kkt_fault(bench.kkt).column, row);
    CHECK(kkt_fault(bench.kkt).condition == (double)INFINITY);
    finish(&bench, &a);
  }
}
