/*
** Several right-hand sides side by side, each solved as if it were alone; and what factors say of
** pivots: the least, their product, those that are nothing.
*/
#include <float.h>

#include "kkt_matrices.h"

enum { MOST_WIDTH = 28, STEP = 4, MOST_SIZE = 40 };

static const double GUARD = 12345.0;

/* Factored at its own values. */
static Sparse *factored(const Matrix *a, int rank) {
  Sparse *s = sparse_of(a, sarrus_memory_default(), 0);
  double smallest, steady;
  CHECK_OK(sparse_order(s, a->value, ones(), NONE_LEFT_OUT, 0));
  CHECK_INT(sparse_rank(s), rank);
  sparse_factor(s, a->value, ones(), &smallest, &steady);
  return s;
}

/* Four entries or so per row, one of them large; `missing` rows and columns of zeros at the end. */
static Matrix scattered(int size, int missing, unsigned *dice) {
  Matrix a = {0};
  const int shift = (int)random_in(dice, 0, size);
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      if (j == (i + shift) % size)
        put(&a, i, j, random_in(dice, 3, 4));
      else if (random_in(dice, 0, 1) < 3.0 / size)
        put(&a, i, j, random_in(dice, -1, 1));
    }
  complete(&a, size + missing, 0);
  return a;
}

/*
** X = A^-1 B for as many columns as there may be: each is what a solve of its own finds, whatever
** the number of columns, to the last bit; nothing is touched beyond them; what has no pivot is 0.
*/
TEST(as_many_right_hand_sides_as_may_be) {
  unsigned dice = 1;
  for (int size = 1; size <= MOST_SIZE; size += 1 + size / 5)
    for (int missing = 0; missing < 3; missing++) {
      Matrix a = scattered(size, missing, &dice);
      double *b = random_vector(MOST_SIZE * MOST_WIDTH, &dice);
      double first[(MOST_SIZE + 2) * STEP];
      Sparse *s = factored(&a, size);
      for (int width = STEP; width <= MOST_WIDTH; width += STEP) {
        double x[(MOST_SIZE + 2) * MOST_WIDTH + 1], y[(MOST_SIZE + 2) * MOST_WIDTH + 1];
        for (int i = 0; i < a.size; i++)
          for (int l = 0; l < width; l++)
            x[i * width + l] = i < size ? b[i * MOST_WIDTH + l] : GUARD;
        x[a.size * width] = y[a.size * width] = GUARD;
        sparse_solve_rows(s, x, width, y);
        CHECK(x[a.size * width] == GUARD && y[a.size * width] == GUARD);
        for (int l = 0; l < width; l++) {
          double one[MOST_SIZE + 2] = {0};
          for (int i = 0; i < size; i++)
            one[i] = b[i * MOST_WIDTH + l];
          sparse_solve(s, one);
          for (int i = 0; i < a.size; i++)
            CHECK_NEAR(x[i * width + l], one[i], 1e-13);
          for (int i = size; i < a.size; i++)
            CHECK(x[i * width + l] == 0);
        }
        for (int i = 0; i < a.size; i++) {
          if (width == STEP) memcpy(first + i * STEP, x + i * STEP, STEP * sizeof *x);
          CHECK(memcmp(first + i * STEP, x + i * width, STEP * sizeof *x) == 0);
        }
      }
      sparse_free(s);
      matrix_free(&a);
      free(b);
    }
}

/* A column that is no number leaves the others as they are. */
TEST(columns_do_not_touch_each_other) {
  unsigned dice = 2;
  Matrix a = scattered(9, 0, &dice);
  Sparse *s = factored(&a, 9);
  for (int width = STEP; width <= MOST_WIDTH; width += STEP)
    for (int bad = 0; bad < width; bad++) {
      double x[9 * MOST_WIDTH], clean[9 * MOST_WIDTH], y[9 * MOST_WIDTH];
      for (int i = 0; i < 9 * width; i++)
        x[i] = clean[i] = sin(i);
      for (int i = 0; i < 9; i++)
        x[i * width + bad] = i % 2 ? (double)NAN : (double)INFINITY;
      sparse_solve_rows(s, x, width, y);
      sparse_solve_rows(s, clean, width, y);
      for (int i = 0; i < 9 * width; i++)
        CHECK(i % width == bad ? !isfinite(x[i]) : x[i] == clean[i]);
    }
  sparse_free(s);
  matrix_free(&a);
}

/* --- numbers at the ends of their range ---------------------------------------------------- */

/* Numbers of 1e-280 and more are kept, of either sign; what is less becomes 0. */
TEST(where_solutions_end) {
  enum { SIZE = 9 };
  static const double given[SIZE] = {1e-280,  -1e-280, 9.99e-281, -9.99e-281, 2e-280,
                                     -2e-280, 5e-324,  0,         1};
  Matrix a = {0};
  for (int i = 0; i < SIZE; i++)
    put(&a, i, i, 1);
  complete(&a, SIZE, 0);
  Sparse *s = factored(&a, SIZE);
  for (int width = 1; width <= 2 * STEP; width += width == 1 ? STEP - 1 : STEP) {
    double x[SIZE * 2 * STEP], y[SIZE * 2 * STEP];
    for (int i = 0; i < SIZE * width; i++)
      x[i] = given[i / width];
    if (width == 1)
      sparse_solve(s, x);
    else
      sparse_solve_rows(s, x, width, y);
    for (int i = 0; i < SIZE * width; i++)
      CHECK(x[i] == (fabs(given[i / width]) >= 1e-280 ? given[i / width] : 0));
  }
  sparse_free(s);
  matrix_free(&a);
}

/* In units of 2^-960 the first factors have the same bits: the workspace begins with zeros. */
TEST(tiny_units_change_no_bit) {
  unsigned dice = 3;
  const double unit = ldexp(1, -960);
  for (int size = 5; size <= MOST_SIZE; size += 5) {
    Matrix a = scattered(size, 0, &dice);
    double *x = random_vector(size, &dice), *y = copy_of(x, size), smallest, steady;
    Sparse *s = factored(&a, size), *t = sparse_of(&a, sarrus_memory_default(), 0);
    CHECK_OK(sparse_order(t, a.value, ones(), NONE_LEFT_OUT, 0));
    for (int e = 0; e < a.count; e++)
      a.value[e] *= unit;
    for (int i = 0; i < size; i++)
      y[i] *= unit;
    sparse_factor(t, a.value, ones(), &smallest, &steady);
    sparse_solve(s, x);
    sparse_solve(t, y);
    CHECK(memcmp(x, y, (size_t)size * sizeof *x) == 0);
    sparse_free(s);
    sparse_free(t);
    matrix_free(&a);
    free(x);
    free(y);
  }
}

/* A chain whose solution is as large as numbers are: what does not depend on it is not touched. */
TEST(huge_solutions_beside_small_ones) {
  enum { CHAIN_LENGTH = 6, SIZE = 19 };
  const double huge = ldexp(1, 1000);
  Matrix a = {0};
  for (int i = 0; i < SIZE; i++)
    put(&a, i, i, i % 3 == 0 && i / 3 < CHAIN_LENGTH ? 1 : 4);
  for (int i = 1; i < CHAIN_LENGTH; i++) /* every third row */
    put(&a, 3 * i, 3 * i - 3, 0.5);
  complete(&a, SIZE, 0);
  Sparse *s = factored(&a, SIZE);
  double x[SIZE];
  for (int i = 0; i < SIZE; i++)
    x[i] = i == 0 ? huge : i % 3 == 0 && i / 3 < CHAIN_LENGTH ? 0 : 1 + i;
  sparse_solve(s, x);
  for (int i = 0; i < SIZE; i++)
    CHECK(x[i] == (i % 3 == 0 && i / 3 < CHAIN_LENGTH ? huge * pow(-0.5, i / 3) : (1 + i) / 4.0));
  sparse_free(s);
  matrix_free(&a);
}

/* --- what is said of pivots ---------------------------------------------------------------- */

/* Of a diagonal: the least relative to the scales, the first of equal ones; the product of all. */
TEST(least_pivots_and_their_product) {
  enum { SIZE = 7 };
  const double scale[] = {1, 2, 0.5, 4, 1, 0.25, 1};
  for (int least = 0; least < SIZE; least++) {
    Matrix a = {0};
    double smallest, steady;
    for (int i = 0; i < SIZE; i++)
      put(&a, i, i, (i >= least ? 0.375 : 3) / (scale[i] * scale[i]));
    complete(&a, SIZE, 0);
    const Scales scales = {scale, scale};
    Sparse *s = sparse_of(&a, sarrus_memory_default(), 1);
    CHECK_OK(sparse_order(s, a.value, scales, NONE_LEFT_OUT, 0));
    sparse_factor(s, a.value, scales, &smallest, &steady);
    CHECK_INT(sparse_rows(s)[sparse_least(s, scales)], least);
    CHECK_NEAR(sparse_log_determinant(s, scales), SIZE * log2(3) - 3 * (SIZE - least), 1e-13);
    CHECK_NEAR(smallest, 0.375, 1e-16);
    CHECK_NEAR(steady, 1, 0);
    sparse_free(s);
    matrix_free(&a);
  }
}

/* A pivot of DBL_MIN still has a reciprocal; below that the unknown is 0, and so is the product. */
TEST(pivots_that_are_nothing) {
  enum { SIZE = 6 };
  for (int at = 0; at < SIZE; at++)
    for (int less = 0; less < 3; less++) {
      const double pivot = less == 0 ? DBL_MIN : less == 1 ? DBL_MIN / 2 : 0;
      Matrix a = {0};
      double x[SIZE], smallest, steady;
      for (int i = 0; i < SIZE; i++)
        put(&a, i, i, 2);
      complete(&a, SIZE, 0);
      Sparse *s = factored(&a, SIZE);
      a.value[at] = pivot;
      sparse_factor(s, a.value, ones(), &smallest, &steady);
      for (int i = 0; i < SIZE; i++)
        x[i] = i == at ? DBL_MIN : 1;
      sparse_solve(s, x);
      for (int i = 0; i < SIZE; i++)
        CHECK(x[i] == (i != at ? 0.5 : less == 0 ? 1 : 0));
      CHECK(smallest == pivot);
      CHECK_INT(sparse_rows(s)[sparse_least(s, ones())], at);
      const double product = sparse_log_determinant(s, ones());
      CHECK(less > 0 ? product == -(double)INFINITY : product == SIZE - 1 + log2(DBL_MIN));
      sparse_free(s);
      matrix_free(&a);
    }
}

/*
** One number that is none: at a pivot or right of it, no pivot is steady; left of it, where it may
** reach no pivot, solutions are no numbers.
*/
TEST(entries_that_are_no_numbers) {
  enum { SIZE = 8 };
  static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  unsigned dice = 4;
  int row[SIZE], column[SIZE], right = 0;
  Matrix a = scattered(SIZE, 0, &dice);
  Sparse *s = factored(&a, SIZE);
  for (int k = 0; k < SIZE; k++) {
    row[sparse_rows(s)[k]] = k;
    column[sparse_columns(s)[k]] = k;
  }
  for (int e = 0; e < a.count; e++)
    for (int k = 0; k < 3; k++) {
      const double value = a.value[e];
      double x[SIZE], smallest, steady, sum = 0;
      a.value[e] = bad[k];
      sparse_factor(s, a.value, ones(), &smallest, &steady);
      for (int i = 0; i < SIZE; i++)
        x[i] = 1;
      sparse_solve(s, x);
      for (int i = 0; i < SIZE; i++)
        sum += x[i];
      if (column[a.entries[e].column] < row[a.entries[e].row])
        CHECK(steady == 0 || !isfinite(sum));
      else
        CHECK(steady == 0);
      right += column[a.entries[e].column] > row[a.entries[e].row];
      a.value[e] = value;
      sparse_factor(s, a.value, ones(), &smallest, &steady);
      CHECK(steady > 1e-3);
    }
  CHECK(right > 0);
  sparse_free(s);
  matrix_free(&a);
}

/* --- orders that follow each other --------------------------------------------------------- */

/* Whatever was left out before leaves nothing behind: the same bits as in a matrix of its own. */
TEST(full_orders_after_ones_with_rows_left_out) {
  unsigned dice = 5;
  for (int size = 3; size <= 24; size += 3)
    for (int missing = 1; missing <= 3; missing++) {
      int flag[24] = {0};
      double smallest, steady;
      Matrix a = scattered(size, 0, &dice);
      double *x = random_vector(size, &dice), *y = copy_of(x, size);
      Sparse *fresh = factored(&a, size), *s = sparse_of(&a, sarrus_memory_default(), 0);
      for (int i = 0; i < missing; i++)
        flag[i * (size - 1) / 3] = 1;
      CHECK_OK(sparse_order(s, a.value, ones(), (LeftOut){0, flag}, 0));
      sparse_factor(s, a.value, ones(), &smallest, &steady);
      CHECK_OK(sparse_order(s, a.value, ones(), NONE_LEFT_OUT, 0));
      sparse_factor(s, a.value, ones(), &smallest, &steady);
      sparse_solve(fresh, x);
      sparse_solve(s, y);
      CHECK(memcmp(x, y, (size_t)size * sizeof *x) == 0);
      sparse_free(fresh);
      sparse_free(s);
      matrix_free(&a);
      free(x);
      free(y);
    }
}

/* Without memory for it there is no order: no pivots, and solutions of zeros. */
TEST(orders_without_memory_have_no_pivots) {
  Matrix a = mechanism(STAR, 12, 1, 6);
  TestMemory m;
  for (long n = 1;; n++) {
    double *x = malloc((size_t)a.size * sizeof *x);
    const sarrus_Memory memory = test_memory_counting(&m);
    Sparse *s = sparse_of(&a, memory, 1);
    REQUIRE(s != NULL);
    m.fail_at = m.calls + n;
    const sarrus_Status status = sparse_order(s, a.value, ones(), NONE_LEFT_OUT, 0);
    CHECK_STATUS(status, m.failed ? SARRUS_NOMEM : SARRUS_OK);
    CHECK_INT(sparse_rank(s), m.failed ? 0 : a.size);
    for (int i = 0; i < a.size; i++)
      x[i] = 1;
    if (m.failed) {
      sparse_solve(s, x);
      for (int i = 0; i < a.size; i++)
        CHECK(x[i] == 0);
    }
    sparse_free(s);
    free(x);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) break;
  }
  matrix_free(&a);
}

/* --- orders that serve --------------------------------------------------------------------- */

/* Pivots above 1e-13 and 1e-3 of their row; on the diagonal, where they are squares, above 1e-5. */
TEST(when_an_order_serves) {
  for (int off = 0; off < 2; off++) {
    const double least = off ? 1e-13 : 1e-5;
    CHECK_INT(kkt_order_serves(1, 1, off), 1);
    CHECK_INT(kkt_order_serves(1.001 * least, 1.001e-3, off), 1);
    CHECK_INT(kkt_order_serves(0.999 * least, 1, off), 0);
    CHECK_INT(kkt_order_serves(1, 0.999e-3, off), 0);
    CHECK_INT(kkt_order_serves(1, (double)NAN, off), 0);
  }
}

/* One right-hand side as a row of one number is a solve as any other, also of the motion alone. */
TEST(rows_of_one_number) {
  unsigned dice = 7;
  Matrix a = mechanism(RING, 9, 1, 7);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  double *b = random_vector(a.size, &dice), *x = copy_of(b, a.size), *y = copy_of(b, a.size);
  REQUIRE_OK(prepare(&bench));
  kkt_solve(bench.kkt, x, 2);
  kkt_solve_rows(bench.kkt, y, 1, 2, NULL);
  CHECK(memcmp(x, y, (size_t)a.size * sizeof *x) == 0);
  memcpy(x, b, (size_t)a.size * sizeof *x);
  memcpy(y, b, (size_t)a.size * sizeof *x);
  kkt_solve_motion(bench.kkt, x);
  kkt_solve_motion_rows(bench.kkt, y, 1, NULL);
  CHECK(memcmp(x, y, (size_t)a.size * sizeof *x) == 0);
  bench_free(&bench);
  matrix_free(&a);
  free(b);
  free(x);
  free(y);
}

/* --- how well solves are known -------------------------------------------------------------- */

TEST(when_errors_are_allowed) {
  CHECK_INT(kkt_errs_within(0, 1, 1), 0);
  CHECK_INT(kkt_errs_within(1e4 * DBL_EPSILON, 1.001e-4, 1), 1);
  CHECK_INT(kkt_errs_within(1e4 * DBL_EPSILON, 0.999e-4, 1), 0);
  CHECK_INT(kkt_errs_within(1e4 * DBL_EPSILON, 1, 0.999e-4), 0);
  CHECK_INT(kkt_is_small_motion(1, 1, 1), 1); /* nothing is refined */
  CHECK_INT(kkt_is_small_motion(0.999e-8, 1e-5, 1), 1);
  CHECK_INT(kkt_is_small_motion(1.001e-8, 1e-5, 1), 0);
  CHECK_INT(kkt_is_small_motion(1.001e-4, 1, 0.1), 0);
  CHECK_INT(kkt_is_small_motion((double)INFINITY, 1, 0.1), 0);
}

/* From stage 1 on, solves are refined unless they err by less than is allowed; at 0 always. */
TEST(refined_where_it_counts) {
  unsigned dice = 11;
  Matrix a = mechanism(RING, 9, 1, 7);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  const size_t bytes = (size_t)a.size * sizeof(double);
  double *b = random_vector(a.size, &dice), *plain = copy_of(b, a.size), *x = copy_of(b, a.size);
  REQUIRE_OK(prepare(&bench));
  bench.kkt->smallest = 0.5e-4; /* as if a pivot were small */
  kkt_solve_small_motion(bench.kkt, plain);
  for (int stage = 0; stage < 3; stage++)
    for (int loose = 0; loose < 2; loose++) {
      bench.kkt->allowed = loose ? 1e-9 : 1e-12;
      memcpy(x, b, bytes);
      kkt_solve(bench.kkt, x, stage);
      CHECK_INT(memcmp(x, plain, bytes) == 0, loose && stage > 0);
      for (int i = 0; i < a.size; i++)
        CHECK_NEAR(x[i], plain[i], 1e-9);
    }
  memcpy(x, b, bytes);
  kkt_solve_motion(bench.kkt, x); /* whatever is allowed */
  CHECK(memcmp(x, plain, bytes) != 0);
  bench_free(&bench);
  matrix_free(&a);
  free(b);
  free(plain);
  free(x);
}
