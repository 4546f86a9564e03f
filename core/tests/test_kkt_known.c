/* Orders of elimination that are known by the rows that are on; factors that are there already. */
#include "kkt_matrices.h"

static void keep_orders(const Bench *bench) { bench->kkt->knows_orders = 1; }

/* Turn one constraint off, or none, and find the order. */
static void turn_off_one(const Bench *bench, int row) {
  int *off = calloc((size_t)bench->kkt->m + 1, sizeof *off);
  if (row >= 0) off[row] = 1;
  kkt_turn_off(bench->kkt, off);
  CHECK_INT(bench->kkt->off_count, row >= 0);
  for (int i = 0; i < bench->kkt->m; i++)
    CHECK_INT(bench->kkt->dependent[i] == KKT_OFF, i == row);
  CHECK_OK(prepare(bench));
  free(off);
}

/* Masses as they are, constraints that have turned a bit, as symmetric as they were. */
static void turn_constraints(const Matrix *a, const Bench *bench, double turn) {
  for (int i = a->n; i < a->size; i++)
    for (int e = a->start[i]; e < a->start[i + 1]; e++) {
      const int j = a->column[e];
      const double x = a->value[e] * (1 + 0.2 * sin(turn * (i + 3 * j)));
      bench->kkt->value[e] = *value_at(a, bench->kkt->value, j, i) = x;
    }
}

static void check_same_solution(const Matrix *a, const Bench *one, const Bench *two) {
  unsigned seed = 5;
  double *x = random_vector(a->size, &seed), *y = copy_of(x, a->size);
  kkt_solve(one->kkt, x, 0);
  kkt_solve(two->kkt, y, 0);
  CHECK(memcmp(x, y, (size_t)a->size * sizeof *x) == 0);
  free(x);
  free(y);
}

static int has_same_order(const Kkt *one, const Kkt *two) {
  const size_t bytes = (size_t)one->size * sizeof(int);
  return memcmp(sparse_rows(one->sparse), sparse_rows(two->sparse), bytes) == 0 &&
         memcmp(sparse_columns(one->sparse), sparse_columns(two->sparse), bytes) == 0;
}

/* More sets of rows than are kept, met at other numbers and in another order. */
TEST(orders_depend_on_nothing_that_was_before) {
  Matrix a = mechanism(CHAIN, 5, 1, 7);
  Bench old = bench_new(&a, sarrus_memory_default(), 0);
  keep_orders(&old);
  REQUIRE(a.m > KKT_KNOWN);
  for (int turn = 0; turn < 3; turn++)
    for (int row = -1; row < a.m; row++) {
      turn_constraints(&a, &old, turn);
      turn_off_one(&old, (7 * row + turn) % a.m);
    }
  CHECK_INT(old.kkt->known_count, KKT_KNOWN);
  CHECK(old.kkt->next_known < KKT_KNOWN); /* it is not counted further, for ever */
  for (int row = -1; row < a.m; row++) {
    Bench new = bench_new(&a, sarrus_memory_default(), 0);
    keep_orders(&new);
    turn_constraints(&a, &old, 5);
    turn_constraints(&a, &new, 5);
    turn_off_one(&old, row);
    turn_off_one(&new, row);
    CHECK(old.kkt->in_use > 0 && new.kkt->in_use > 0);
    CHECK(has_same_order(old.kkt, new.kkt));
    check_same_solution(&a, &old, &new);
    bench_free(&new);
  }
  bench_free(&old);
  matrix_free(&a);
}

/* A known order cannot tell which of several rows to leave out: numbers do, as without one. */
TEST(dependent_rows_are_found_by_numbers) {
  Matrix a = mechanism(RING, 5, 2, 3);
  Bench known = bench_new(&a, sarrus_memory_default(), 0);
  Bench plain = bench_new(&a, sarrus_memory_default(), 0);
  keep_orders(&known);
  for (int row = -1; row < a.m; row += 4) {
    turn_off_one(&known, row);
    turn_off_one(&plain, row);
    CHECK_INT(known.kkt->in_use, 0);
    CHECK(known.kkt->dependent_count > 0);
    CHECK(memcmp(known.kkt->dependent, plain.kkt->dependent, (size_t)a.m * sizeof(int)) == 0);
    check_same_solution(&a, &known, &plain);
  }
  bench_free(&known);
  bench_free(&plain);
  matrix_free(&a);
}

/* Factors, pivots and margin are those of the present numbers, whatever was factored in between. */
TEST(what_is_factored_already_is_told_from_what_is_not) {
  Matrix a = mechanism(CHAIN, 4, 1, 11);
  for (int keeps = 0; keeps < 2; keeps++) {
    Bench bench = bench_new(&a, sarrus_memory_default(), 0);
    bench.kkt->knows_orders = keeps;
    unsigned seed = 1;
    turn_off_one(&bench, -1);
    const double smallest = bench.kkt->smallest, margin = kkt_rank_margin(bench.kkt);
    for (int turn = 1; turn < 4; turn++) {
      turn_constraints(&a, &bench, turn);
      CHECK_OK(kkt_factor(bench.kkt));
      CHECK(kkt_rank_margin(bench.kkt) != margin);
      CHECK_NEAR(solve_error(&a, &bench, &seed), 0, 1e-14);
      if (keeps) turn_off_one(&bench, 2);
      turn_constraints(&a, &bench, 0);
      if (keeps) turn_off_one(&bench, -1);
      CHECK_OK(kkt_factor(bench.kkt));
      CHECK_NEAR(bench.kkt->smallest, smallest, 0);
      CHECK_NEAR(kkt_rank_margin(bench.kkt), margin, 0);
      CHECK_OK(kkt_factor(bench.kkt));
      CHECK_NEAR(solve_error(&a, &bench, &seed), 0, 1e-14);
    }
    bench_free(&bench);
  }
  matrix_free(&a);
}

/* An order for which there was no memory is not taken for a known one later. */
TEST(known_orders_without_memory) {
  Matrix a = mechanism(CHAIN, 4, 1, 2);
  Bench whole = bench_new(&a, sarrus_memory_default(), 0);
  keep_orders(&whole);
  turn_off_one(&whole, 1);
  for (long n = 1, done = 0; !done; n++) {
    TestMemory m;
    Bench bench = bench_new(&a, test_memory_failing(&m, n), 0);
    int *off = calloc((size_t)a.m, sizeof *off);
    keep_orders(&bench);
    off[1] = 1;
    kkt_turn_off(bench.kkt, off);
    const sarrus_Status status = prepare(&bench);
    done = status == SARRUS_OK;
    if (!done) CHECK_STATUS(status, SARRUS_NOMEM);
    if (!done && CHECK_OK(prepare(&bench))) check_same_solution(&a, &whole, &bench);
    free(off);
    bench_free(&bench);
    CHECK_INT(m.blocks, 0);
  }
  bench_free(&whole);
  matrix_free(&a);
}

/* Not even where there are no constraints by which orders are told from each other. */
TEST(the_only_order_without_memory) {
  Matrix a = {0};
  unsigned seed = 3;
  for (int body = 0; body < 3; body++)
    put_body(&a, body, &seed);
  complete(&a, 9, 0);
  for (long n = 1, done = 0; !done; n++) {
    TestMemory m;
    Bench bench = bench_new(&a, test_memory_failing(&m, n), 0);
    keep_orders(&bench);
    done = prepare(&bench) == SARRUS_OK;
    CHECK_OK(prepare(&bench));
    CHECK(bench.kkt->in_use > 0);
    bench_free(&bench);
    CHECK_INT(m.blocks, 0);
  }
  matrix_free(&a);
}
