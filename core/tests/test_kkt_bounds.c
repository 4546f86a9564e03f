/*
** Both sides of every bound that decides about redundant rows: what counts as rounding in a null
** vector, when rows change places, which left-out rows are needed after all.
*/
#include <float.h>

#include "kkt_matrices.h"
#include "kkt_parts.h"

/* --- unit masses, and some rows -------------------------------------------------------- */

enum { PLANE = 2 };

/* Two coordinates, these rows, every entry in the pattern. */
static Bench plane_of(const double (*rows)[PLANE], int count, Matrix *a) {
  *a = (Matrix){0};
  for (int j = 0; j < PLANE; j++)
    put(a, j, j, 1);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < PLANE; j++)
      put_pair(a, PLANE + i, j, rows[i][j]);
  complete(a, PLANE, count);
  return bench_new(a, sarrus_memory_default(), 0);
}

static void finish(Bench *bench, Matrix *a) {
  bench_free(bench);
  matrix_free(a);
}

static void leave_out(Kkt *kkt, const int *dependent, int count) {
  REQUIRE_OK(kkt_leave_out(kkt, dependent, count));
  REQUIRE_OK(kkt_scale(kkt, NULL));
  REQUIRE_OK(kkt_factor(kkt));
}

/* The only null vector begins and ends where it is not 0. */
static void check_reach(const Kkt *kkt, int from, int to) {
  CHECK_INT(kkt->reach[0].from, from);
  CHECK_INT(kkt->reach[0].to, to);
}

/* --- null vectors ---------------------------------------------------------------------- */

/*
** The left-out row is (1, e): its null vector, (1, e, -1), has a largest element of 1/2 after
** scaling.  What is below 4 eps then is rounding.
*/
TEST(elements_of_null_vectors_that_are_rounding) {
  static const double sizes[] = {0.5, 7, 8, 9, 100};
  for (int i = 0; i < 5; i++)
    for (int first = 0; first < 2; first++) {
      const double e = sizes[i] * DBL_EPSILON;
      const double across[3][PLANE] = {{0, 1}, {1, 0}, {1, e}};
      const double along[3][PLANE] = {{1, 0}, {1, e}, {0, 1}};
      const int last_out[3] = {0, 0, 1}, middle_out[3] = {0, 1, 0}, kept = sizes[i] >= 8;
      Matrix a;
      Bench bench = plane_of(first ? across : along, 3, &a);
      leave_out(bench.kkt, first ? last_out : middle_out, 1);
      kkt_find_null_space(bench.kkt);
      if (first)
        check_reach(bench.kkt, kept ? 0 : 1, 3);
      else
        check_reach(bench.kkt, 0, kept ? 3 : 2);
      CHECK((bench.kkt->null[first ? 0 : 2] != 0) == kept);
      CHECK_NEAR(fabs(bench.kkt->null[1]), sqrt(0.5), 1e-15);
      finish(&bench, &a);
    }
}

/*
** Rows that are kept are at an angle e, those left out across: both null vectors have the large
** part 1/e in common, and differ by their own elements alone.  Gram-Schmidt once would leave them
** orthogonal to eps / e.
*/
TEST(null_vectors_that_are_nearly_parallel_become_orthogonal) {
  for (double e = 0.1; e > 5e-5; e /= 10) {
    const double rows[4][PLANE] = {{1, 0}, {1, e}, {0, 1}, {0.3, 1}};
    const int dependent[4] = {0, 0, 1, 1};
    double dot = 0, lengths[2] = {0, 0};
    Matrix a;
    Bench bench = plane_of(rows, 4, &a);
    leave_out(bench.kkt, dependent, 2);
    kkt_find_null_space(bench.kkt);
    const double *null = bench.kkt->null;
    for (int i = 0; i < 4; i++) {
      dot += null[i] * null[4 + i];
      lengths[0] += null[i] * null[i];
      lengths[1] += null[4 + i] * null[4 + i];
    }
    CHECK_NEAR(dot, 0, 1e-15);
    CHECK_NEAR(lengths[0], 1, 1e-15);
    CHECK_NEAR(lengths[1], 1, 1e-15);
    finish(&bench, &a);
  }
}

/* Shares in units of 2^-600 and 2^600, whose squares are no numbers: not a bit changes. */
TEST(units_of_shares_change_no_bit) {
  static const double rows[4][PLANE] = {{1, 0}, {0.9, 0.3}, {0.2, 1.1}, {1, 1}};
  static const double shares[4] = {0.75, 0.5, 0.625, 0.375};
  double expected[PLANE + 4], volume = 0;
  for (int power = 0; power <= 1200; power += 600) {
    double x[PLANE + 4] = {3, -2};
    Matrix a;
    Bench bench = plane_of(rows, 4, &a);
    for (int i = 0; i < 4; i++)
      kkt_set_share(bench.kkt, i, ldexp(shares[i], power == 0 ? 0 : power - 900));
    REQUIRE_OK(prepare(&bench));
    CHECK_INT(bench.kkt->dependent_count, 2);
    const int shift = power == 0 ? 0 : power - 900;
    const double measured = kkt_log_volume(bench.kkt) - 2 * PLANE * shift;
    kkt_solve(bench.kkt, x, 0);
    if (power == 0) {
      memcpy(expected, x, sizeof x);
      volume = measured;
    }
    CHECK(memcmp(x, expected, sizeof x) == 0);
    CHECK_NEAR(measured, volume, 1e-9);
    finish(&bench, &a);
  }
}

/* --- exchange -------------------------------------------------------------------------- */

/*
** The left-out row (0, 1) is `part` of both kept ones, which have the scale that it has; the first
** of the two takes its place.
*/
static int exchanges_at(double part, int turn) {
  const double rows[3][PLANE] = {{1, 0}, {1, 1 / part}, {0, 1}};
  double turned[3][PLANE];
  int dependent[3] = {0};
  Matrix a;
  for (int i = 0; i < 3; i++)
    memcpy(turned[(i + turn) % 3], rows[i], sizeof rows[i]);
  dependent[(2 + turn) % 3] = 1;
  Bench bench = plane_of((const double(*)[PLANE])turned, 3, &a);
  leave_out(bench.kkt, dependent, 1);
  const int answer = kkt_exchange(bench.kkt);
  CHECK_INT(bench.kkt->dependent[(2 + turn) % 3], answer ? KKT_KEPT : KKT_DEPENDENT);
  CHECK_INT(bench.kkt->dependent_count, 1);
  CHECK(bench.kkt->null_known == !answer);
  CHECK_INT(sparse_rank(bench.kkt->sparse), answer ? 0 : PLANE + 2);
  if (answer) {
    CHECK_INT(bench.kkt->dependent[turn == 1 ? 1 : 0], KKT_DEPENDENT);
    CHECK_OK(kkt_factor(bench.kkt));
    CHECK_INT(kkt_exchange(bench.kkt), 0);
  }
  finish(&bench, &a);
  return answer;
}

/* (T33): 4 times what the left-out row is itself. */
TEST(rows_change_places_above_a_part_of_4) {
  for (int turn = 0; turn < 3; turn++) {
    CHECK_INT(exchanges_at(1, turn), 0);
    CHECK_INT(exchanges_at(3.75, turn), 0);
    CHECK_INT(exchanges_at(4, turn), 0);
    CHECK_INT(exchanges_at(4.25, turn), 1);
    CHECK_INT(exchanges_at(100, turn), 1);
  }
}

/* --- rows that are needed -------------------------------------------------------------- */

/*
** Rows (1, 0) and (1, d) of a unit mass and of one so heavy that by masses they are the same: how
** many are left out, in either order, whichever coordinate is the heavy one.
*/
static int left_out_of(double d, double allowed, int turned, int swapped, double size) {
  double rows[2][PLANE] = {{1, 0}, {1, d}};
  double *sizes = malloc(PLANE * sizeof *sizes);
  Matrix a = {0};
  for (int j = 0; j < PLANE; j++)
    put(&a, j, j, j == !turned ? 1e14 : 1);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < PLANE; j++) {
      const double b = rows[swapped ? 1 - i : i][turned ? 1 - j : j];
      if (b != 0) put_pair(&a, PLANE + i, j, b);
    }
  complete(&a, PLANE, 2);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  sizes[turned] = 1; /* of the light one */
  sizes[!turned] = size;
  CHECK_OK(kkt_analyse(bench.kkt, allowed, size > 0 ? sizes : NULL));
  CHECK(!bench.kkt->null_known);
  CHECK(memcmp(bench.kkt->value, a.value, (size_t)a.count * sizeof *a.value) == 0);
  CHECK_OK(kkt_factor(bench.kkt));
  const int count = bench.kkt->dependent_count;
  CHECK_INT(bench.kkt->dependent[0] + bench.kkt->dependent[1], count);
  double x[PLANE + 2] = {1, 1e14, 0, 0};
  kkt_solve(bench.kkt, x, 0);
  if (count == 0) CHECK_NEAR(x[turned], 0, 1e-9);
  free(sizes);
  finish(&bench, &a);
  return count;
}

/* (T40): a rest of 1e-3 of the row, and 100 times what is allowed. */
TEST(left_out_rows_that_are_needed_after_all) {
  for (int which = 0; which < 4; which++) {
    const int turned = which % 2, swapped = which / 2;
    CHECK_INT(left_out_of(0.9e-3, 0, turned, swapped, 0), 1);
    CHECK_INT(left_out_of(1.1e-3, 0, turned, swapped, 0), 0);
    CHECK_INT(left_out_of(0.9e-3, 1e-6, turned, swapped, 0), 1);
    CHECK_INT(left_out_of(1.1e-3, 1e-6, turned, swapped, 0), 0);
    CHECK_INT(left_out_of(0.995e-2, 1e-4, turned, swapped, 0), 1);
    CHECK_INT(left_out_of(1.005e-2, 1e-4, turned, swapped, 0), 0);
  }
}

/* What the second coordinate moves by counts as much as what it has in the row. */
TEST(sizes_decide_which_rows_are_needed) {
  for (int which = 0; which < 4; which++) {
    const int turned = which % 2, swapped = which / 2;
    CHECK_INT(left_out_of(1, 0, turned, swapped, 0.9e-3), 1);
    CHECK_INT(left_out_of(1, 0, turned, swapped, 1.1e-3), 0);
    CHECK_INT(left_out_of(1e-6, 0, turned, swapped, 0.9e3), 1);
    CHECK_INT(left_out_of(1e-6, 0, turned, swapped, 1.1e3), 0);
    CHECK_INT(left_out_of(1, 0, turned, swapped, 1e-170), 1);
    CHECK_INT(left_out_of(1e-9, 0, turned, swapped, 1e7), 0);
  }
}

/*
** Masses are set aside with what couples them.  The coupled coordinates are in no row: nothing but
** their masses hold them.
*/
TEST(masses_that_are_coupled_are_set_aside_together) {
  enum { N = 4, M = 2 };
  static const double mass[N] = {1, 1, 1, 1e14};
  Matrix a = {0};
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (i == j || i * j == 2) put(&a, i, j, i == j ? mass[i] : 0.5);
  for (int i = 0; i < M; i++) {
    put_pair(&a, N + i, 0, 1);
    if (i > 0) put_pair(&a, N + i, 3, 0.1);
  }
  complete(&a, N, M);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  CHECK_OK(prepare(&bench));
  CHECK_INT(bench.kkt->dependent_count, 0);
  double x[N + M] = {7, 3, 0, 5, 0, 0};
  kkt_solve(bench.kkt, x, 0);
  CHECK_NEAR(x[0], 0, 1e-12);
  CHECK_NEAR(x[1], 4, 1e-12);
  CHECK_NEAR(x[2], -2, 1e-12);
  CHECK_NEAR(x[3], 0, 1e-12);
  CHECK_NEAR(x[N] + x[N + 1], 7, 1e-11);
  CHECK_NEAR(0.1 * x[N + 1], 5, 1e-11);
  finish(&bench, &a);
}

/* --- volumes and parts of nothing ------------------------------------------------------ */

TEST(nothing_has_no_order_and_the_volume_1) {
  Matrix a = {0};
  complete(&a, 0, 0);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  CHECK_OK(prepare(&bench));
  CHECK(kkt_sparse(bench.kkt) == NULL);
  CHECK(kkt_log_volume(bench.kkt) == 0);
  CHECK_INT(kkt_exchange(bench.kkt), 0);
  finish(&bench, &a);
}

/* An allocator that has nothing. */
static void *refuse(void *ud, void *ptr, size_t osize, size_t nsize) {
  (void)ud, (void)ptr, (void)osize, (void)nsize;
  return NULL;
}

/* m times as many numbers as rows are left out: beyond half of the largest int there is no room. */
TEST(more_null_vectors_than_can_be_counted) {
  for (int m = 1; m <= 3; m++) {
    static const double rows[3][PLANE] = {{1, 0}, {1, 0}, {1, 0}};
    const int dependent[3] = {1, 1, 1}, none[3] = {0};
    Matrix a;
    Bench bench = plane_of(rows, m, &a);
    bench.kkt->memory = (sarrus_Memory){refuse, NULL};
    CHECK_STATUS(kkt_leave_out(bench.kkt, dependent, INT_MAX / 2 / m), SARRUS_NOMEM);
    CHECK_OK(kkt_leave_out(bench.kkt, none, 0));
    CHECK_STATUS(kkt_leave_out(bench.kkt, dependent, INT_MAX / 2 / m + 1), SARRUS_LIMIT);
    finish(&bench, &a);
  }
}

/* --- rows from outside ----------------------------------------------------------------- */

/* Rows that are off are counted, with those that are dependent, wherever they stand. */
TEST(rows_that_are_off_are_told_with_dependent_ones) {
  static const double rows[4][PLANE] = {{1, 0}, {1, 0}, {1, 0}, {0, 1}};
  for (int off = 0; off < 3; off++) {
    int flags[4] = {0};
    double x[PLANE + 4] = {1, 2, 0, 0, 0, 0};
    Matrix a;
    Bench bench = plane_of(rows, 4, &a);
    flags[off] = KKT_OFF;
    flags[(off + 1) % 3] = KKT_DEPENDENT;
    leave_out(bench.kkt, flags, 1);
    CHECK_INT(bench.kkt->off_count, 1);
    CHECK_INT(bench.kkt->dependent_count, 1);
    kkt_solve(bench.kkt, x, 0);
    CHECK_NEAR(x[0], 0, 1e-14);
    CHECK_NEAR(x[1], 0, 1e-14);
    for (int i = 0; i < 3; i++)
      CHECK_NEAR(x[PLANE + i], i == off ? 0 : 0.5, 1e-15);
    CHECK_NEAR(x[PLANE + 3], 2, 1e-15);
    for (int i = 0; i < 4; i++)
      CHECK_INT(kkt_is_off(bench.kkt, PLANE + i), i == off);
    CHECK(!kkt_is_off(bench.kkt, 0));
    CHECK_OK(kkt_follow(bench.kkt, sparse_rank(bench.kkt->sparse)));
    CHECK_INT(bench.kkt->off_count, 1);
    finish(&bench, &a);
  }
}

/* What is left over must be what is flagged, the first constraint as well as any. */
TEST(orders_that_leave_over_other_rows_than_those_flagged) {
  static const double rows[3][PLANE] = {{1, 0}, {1, 0}, {0, 1}};
  for (int out = 0; out < 2; out++) {
    const int dependent[3] = {out == 0, out == 1, 0};
    Matrix a;
    Bench bench = plane_of(rows, 3, &a);
    Kkt *kkt = bench.kkt;
    leave_out(kkt, dependent, 1);
    const int rank = sparse_rank(kkt->sparse);
    CHECK_INT(rank, PLANE + 2);
    CHECK_OK(kkt_follow(kkt, rank));
    for (int side = 0; side < 2; side++) {
      int *order = side == 0 ? sparse_rows(kkt->sparse) : sparse_columns(kkt->sparse);
      for (int k = 0; k < rank; k++) { /* a coordinate, or another constraint, is left over */
        const int was = order[k];
        order[k] = order[rank];
        order[rank] = was;
        CHECK_STATUS(kkt_follow(kkt, rank), SARRUS_FORMAT);
        order[rank] = order[k];
        order[k] = was;
      }
    }
    CHECK_OK(kkt_follow(kkt, rank));
    finish(&bench, &a);
  }
}

/* What was dependent is so no longer, from the first row to the last. */
TEST(every_row_is_looked_at_again) {
  for (int row = 0; row < 3; row++) {
    double rows[3][PLANE] = {{1, 0}, {0.6, 0.8}, {0, 1}};
    Matrix a = {0};
    for (int j = 0; j < 4; j++)
      put(&a, j, j, 1);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < PLANE; j++)
        put_pair(&a, 4 + i, j, rows[i][j]);
      put_pair(&a, 4 + i, 2, i == row ? 1e-30 : 0);
    }
    complete(&a, 4, 3);
    Bench bench = bench_new(&a, sarrus_memory_default(), 0);
    for (int e = a.start[4 + row]; e < a.start[5 + row]; e++)
      bench.kkt->value[e] = *value_at(&a, bench.kkt->value, a.column[e], 4 + row) = 0;
    CHECK_OK(prepare(&bench));
    CHECK_INT(bench.kkt->dependent_count, 1);
    CHECK_INT(bench.kkt->dependent[row], KKT_DEPENDENT);
    *value_at(&a, bench.kkt->value, 4 + row, 2) = *value_at(&a, bench.kkt->value, 2, 4 + row) = 1;
    CHECK_OK(prepare(&bench));
    CHECK_INT(bench.kkt->dependent_count, 0);
    CHECK_INT(bench.kkt->dependent[row], KKT_KEPT);
    kkt_find_null_space(bench.kkt);
    CHECK(bench.kkt->null_known);
    CHECK_OK(kkt_analyse(bench.kkt, 0, NULL));
    CHECK(!bench.kkt->null_known);
    finish(&bench, &a);
  }
}

/* Of a general matrix, a row of zeros takes no other row's pivot with it. */
TEST(a_row_of_zeros_leaves_the_others) {
  Matrix a = {0};
  put(&a, 0, 1, 0);
  put(&a, 1, 0, 0.5);
  put(&a, 1, 2, 0.01);
  put(&a, 2, 0, 0);
  put(&a, 2, 2, 1);
  complete(&a, 3, 0);
  Bench bench = bench_new(&a, sarrus_memory_default(), 1);
  CHECK_STATUS(kkt_analyse(bench.kkt, 0, NULL), SARRUS_SINGULAR);
  CHECK_INT(sparse_rank(bench.kkt->sparse), 2);
  CHECK_INT(kkt_fault(bench.kkt).row, 0);
  CHECK_INT(kkt_fault(bench.kkt).column, 1);
  finish(&bench, &a);
}
