/* The order of elimination of the sparse part, and what it leaves over. */
#include "kkt_matrices.h"

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

/*
** (a b; b d) with a or d = 1e-4: whichever pivot came first, one of them is worn, and the other is
** taken.  Off the diagonal none is looked for: there pivots are of use next to a singular position.
*/
TEST(worn_orders_are_renewed_on_the_diagonal) {
  Matrix a = {0};
  for (int i = 0; i < 2; i++)
    put(&a, i, i, 1);
  put_pair(&a, 0, 1, 0.5);
  complete(&a, 2, 0);
  Bench bench = bench_new(&a, sarrus_memory_default(), 0);
  CHECK_OK(prepare(&bench));
  for (int worn = 0; worn < 2; worn++) {
    const double small = 1e-4, determinant = small - 0.25;
    double x[] = {1, 0};
    *value_at(&a, bench.kkt->value, worn, worn) = small;
    *value_at(&a, bench.kkt->value, 1 - worn, 1 - worn) = 1;
    CHECK_OK(kkt_factor(bench.kkt));
    CHECK(bench.kkt->steady > 1e-3);
    CHECK_INT(bench.kkt->off_diagonal, 0);
    kkt_solve(bench.kkt, x, 0);
    CHECK_CLOSE(x[0], (worn == 1 ? small : 1) / determinant, 1e-15);
    CHECK_CLOSE(x[1], -0.5 / determinant, 1e-15);
  }
  bench_free(&bench);
  matrix_free(&a);
}

TEST(followed_order_gives_the_same_bits) {
  unsigned seed = 12;
  Matrix a = mechanism(RING, 60, 1, 12);
  double *x = random_vector(a.size, &seed), *y = copy_of(x, a.size), smallest[2], steady[2];
  Sparse *one = sparse_of(&a, sarrus_memory_default(), 1);
  Sparse *other = sparse_of(&a, sarrus_memory_default(), 1);
  CHECK_OK(sparse_order(one, a.value, ones(), NONE_LEFT_OUT, 0));
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
    CHECK(kkt->dependent[sparse_columns(kkt->sparse)[k] - a.n]);
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

/*
** Nearly equal rows and columns: elimination may leave over one of each that do not belong
** together.
*/
TEST(nearly_equal_rows_share_equally) {
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
  CHECK_STATUS(kkt_analyse(bench.kkt, 0, NULL), SARRUS_SINGULAR);
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
  CHECK_STATUS(kkt_analyse(bench.kkt, 0, NULL), SARRUS_SINGULAR);
  CHECK_INT(kkt_fault(bench.kkt).row, last);
  CHECK_INT(kkt_fault(bench.kkt).column, last);
  bench_free(&bench);
  matrix_free(&a);
}

/*
** A constraint that vanishes later is singular, and known by its row among those that always were.
*/
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
