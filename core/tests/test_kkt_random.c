/*
** Random matrices with redundant rows, against dense elimination in long double: motion, shortest
** multipliers, volumes, margins, whichever rows are left out and however they are scaled.
**
** B = E K: the rows of K are independent, those of E tell what every row of B is made of.  Then
**   M a + K^T nu = f,  K a = K a_0        has one solution, and of all lambda with E^T lambda = nu
**   lambda = S^2 E (E^T S^2 E)^-1 nu      is the shortest, rows being measured by S.
*/
#include "dense.h"
#include "kkt_matrices.h"

enum { MOST_N = 12, MOST_R = 6, MOST_M = 12 };

typedef struct Case {
  int n, r, m; /* coordinates, independent rows, all rows */
  double mass[MOST_N * MOST_N], k[MOST_R * MOST_N], e[MOST_M * MOST_R], b[MOST_M * MOST_N];
  double share[MOST_M]; /* in units of D; 0: as D is */
  int off[MOST_M], is_of_k[MOST_M];
  int on_count;
  double f[MOST_N], a0[MOST_N];
} Case;

static int whole_in(unsigned *seed, int low, int high) {
  return low + (int)random_in(seed, 0, high - low + 0.999);
}

/* Diagonally dominant, so that D makes it about 1 everywhere; units from 1e-2 to 1e2. */
static void draw_masses(Case *c, unsigned *seed) {
  double unit[MOST_N];
  for (int i = 0; i < c->n; i++)
    unit[i] = pow(10, random_in(seed, -2, 2));
  for (int i = 0; i < c->n; i++)
    for (int j = 0; j <= i; j++) {
      const double x = i == j                        ? random_in(seed, 1, 4)
                       : random_in(seed, 0, 1) < 0.3 ? random_in(seed, -0.5, 0.5) / c->n
                                                     : 0;
      c->mass[i * c->n + j] = c->mass[j * c->n + i] = x * unit[i] * unit[j];
    }
  for (int i = 0; i < c->r; i++)
    for (int j = 0; j < c->n; j++)
      c->k[i * c->n + j] =
          ((j == i ? 2 : 0) + (random_in(seed, 0, 1) < 0.4 ? random_in(seed, -0.5, 0.5) : 0)) *
          unit[j];
}

/* Which of the rows is which, by a random order; the first r drawn are those of K themselves. */
static void draw_rows(Case *c, unsigned *seed) {
  int order[MOST_M];
  for (int i = 0; i < c->m; i++)
    order[i] = i;
  for (int i = c->m - 1; i > 0; i--) {
    const int j = whole_in(seed, 0, i), swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
  for (int i = 0; i < c->m; i++) {
    const double unit = pow(10, random_in(seed, -3, 3));
    double *e = c->e + (ptrdiff_t)order[i] * c->r;
    for (int s = 0; s < c->r; s++)
      e[s] = i < c->r ? s == i : random_in(seed, 0, 1) < 0.5 ? random_in(seed, -2, 2) : 0;
    if (i >= c->r) e[i % c->r] += 1;
    for (int s = 0; s < c->r; s++)
      e[s] *= unit;
    c->is_of_k[order[i]] = i < c->r;
    c->off[order[i]] = i >= c->r && random_in(seed, 0, 1) < 0.2;
    c->share[order[i]] = random_in(seed, 0, 1) < 0.3 ? pow(10, random_in(seed, -1, 1)) : 0;
    c->on_count += !c->off[order[i]];
  }
  for (int i = 0; i < c->m; i++)
    for (int j = 0; j < c->n; j++)
      for (int s = 0; s < c->r; s++)
        c->b[i * c->n + j] += c->e[i * c->r + s] * c->k[s * c->n + j];
}

static Case draw_case(unsigned *seed) {
  Case c = {0};
  c.n = whole_in(seed, 1, MOST_N);
  c.r = whole_in(seed, 1, c.n < MOST_R ? c.n : MOST_R);
  c.m = whole_in(seed, c.r, c.r + 6);
  draw_masses(&c, seed);
  draw_rows(&c, seed);
  for (int j = 0; j < c.n; j++) {
    c.f[j] = random_in(seed, -1, 1) * sqrt(c.mass[j * c.n + j]);
    c.a0[j] = random_in(seed, -1, 1) / sqrt(c.mass[j * c.n + j]);
  }
  return c;
}

static Matrix matrix_of(const Case *c) {
  Matrix a = {0};
  for (int i = 0; i < c->n; i++)
    for (int j = 0; j < c->n; j++)
      if (c->mass[i * c->n + j] != 0) put(&a, i, j, c->mass[i * c->n + j]);
  for (int i = 0; i < c->m; i++)
    for (int j = 0; j < c->n; j++)
      if (c->b[i * c->n + j] != 0) put_pair(&a, c->n + i, j, c->b[i * c->n + j]);
  complete(&a, c->n, c->m);
  return a;
}

/* --- the independent answer ------------------------------------------------------------ */

/* 2^-e for 2^(e-1) <= x < 2^e */
static Real scale_for(Real x) {
  int e;
  frexpl(x, &e);
  return ldexpl(1, -e);
}

typedef struct Answer {
  Real scale[MOST_N + MOST_M]; /* D of (T10) */
  Real measure[MOST_M];        /* S, 0 for rows that are off */
  Real a[MOST_N], lambda[MOST_M];
  Real volume; /* log2 V */
} Answer;

static void find_scales(const Case *c, Answer *answer) {
  for (int j = 0; j < c->n; j++)
    answer->scale[j] = scale_for(sqrtl((Real)c->mass[j * c->n + j]));
  for (int i = 0; i < c->m; i++) {
    Real sum = 0;
    for (int j = 0; j < c->n; j++)
      sum += powl((Real)c->b[i * c->n + j] * answer->scale[j], 2);
    answer->scale[c->n + i] = scale_for(sqrtl(sum));
    const Real share = c->share[i] > 0 ? (Real)c->share[i] : 1;
    answer->measure[i] = c->off[i] ? 0 : share * answer->scale[c->n + i];
  }
}

/* (a, nu); answers log2 |det| of the matrix of M and K. */
static Real find_motion(const Case *c, Answer *answer, Real *nu) {
  const int size = c->n + c->r;
  Real *j = dense_new(size, size), *x = dense_new(size, 1);
  for (int i = 0; i < c->n; i++) {
    for (int l = 0; l < c->n; l++)
      j[i * size + l] = (Real)c->mass[i * c->n + l];
    for (int s = 0; s < c->r; s++) {
      j[i * size + c->n + s] = j[(c->n + s) * size + i] = (Real)c->k[s * c->n + i];
      x[c->n + s] += (Real)c->k[s * c->n + i] * (Real)c->a0[i];
    }
    x[i] = (Real)c->f[i];
  }
  const Real volume = dense_solve(j, size, x, 1);
  memcpy(answer->a, x, (size_t)c->n * sizeof *x);
  memcpy(nu, x + c->n, (size_t)c->r * sizeof *x);
  free(j);
  free(x);
  return volume;
}

static Answer answer_to(const Case *c) {
  Answer answer = {.volume = 0};
  Real nu[MOST_R], e[MOST_M * MOST_R], weight[MOST_M];
  find_scales(c, &answer);
  answer.volume = find_motion(c, &answer, nu);
  for (int j = 0; j < c->n; j++)
    answer.volume += 2 * log2l(answer.scale[j]);
  for (int i = 0; i < c->m; i++) {
    weight[i] = answer.measure[i] * answer.measure[i];
    for (int s = 0; s < c->r; s++)
      e[i * c->r + s] = (Real)c->e[i * c->r + s];
  }
  Real *gram = dense_gram(e, weight, c->m, c->r);
  answer.volume += dense_solve(gram, c->r, nu, 1);
  free(gram);
  for (int i = 0; i < c->m; i++)
    for (int s = 0; s < c->r; s++)
      answer.lambda[i] += weight[i] * e[i * c->r + s] * nu[s];
  return answer;
}

/* --- comparisons ----------------------------------------------------------------------- */

/* Sizes of a and of lambda in the measure of D, where all are alike. */
static double largest_of(const Answer *answer, const Real *x, int from, int count) {
  Real largest = 0;
  for (int i = 0; i < count; i++)
    largest = fmaxl(largest, fabsl(x[i]) / answer->scale[from + i]);
  return (double)largest;
}

static void check_solution(const Case *c, const Answer *answer, Kkt *kkt, int stage) {
  double x[MOST_N + MOST_M] = {0}, y[MOST_N + MOST_M];
  const double motion =
      fmax(largest_of(answer, answer->a, 0, c->n), largest_of(answer, answer->lambda, c->n, c->m));
  for (int j = 0; j < c->n; j++)
    x[j] = c->f[j];
  for (int i = 0; i < c->m; i++)
    for (int j = 0; j < c->n; j++)
      x[c->n + i] += c->b[i * c->n + j] * c->a0[j];
  memcpy(y, x, sizeof y);
  kkt_solve(kkt, x, stage);
  kkt_solve_motion(kkt, y);
  for (int j = 0; j < c->n; j++) {
    const double allowed = 1e-12 * motion * (double)answer->scale[j];
    CHECK_NEAR(x[j], (double)answer->a[j], allowed);
    CHECK_NEAR(y[j], (double)answer->a[j], allowed);
  }
  for (int i = 0; i < c->m; i++) {
    const double allowed = 1e-11 * motion * (double)answer->scale[c->n + i];
    CHECK_NEAR(x[c->n + i], (double)answer->lambda[i], allowed);
    if (c->off[i]) CHECK(x[c->n + i] == 0);
  }
}

/* 1 / |(D J D)^-1| of the kept rows, by the largest sum of a row. */
static double margin_of(const Case *c, const Answer *answer, const Kkt *kkt) {
  int rows[MOST_M], r = 0;
  for (int i = 0; i < c->m; i++)
    if (kkt->dependent[i] == KKT_KEPT) rows[r++] = i;
  const int size = c->n + r;
  Real *j = dense_new(size, size);
  for (int i = 0; i < c->n; i++) {
    for (int l = 0; l < c->n; l++)
      j[i * size + l] = (Real)c->mass[i * c->n + l] * answer->scale[i] * answer->scale[l];
    for (int s = 0; s < r; s++)
      j[i * size + c->n + s] = j[(c->n + s) * size + i] =
          (Real)c->b[rows[s] * c->n + i] * answer->scale[i] * answer->scale[c->n + rows[s]];
  }
  const double margin = (double)(1 / dense_inverse_norm(j, size));
  free(j);
  return margin;
}

static void check_numbers(const Case *c, const Answer *answer, Kkt *kkt) {
  CHECK_INT(kkt->dependent_count, c->on_count - c->r);
  CHECK_INT(kkt->off_count, c->m - c->on_count);
  for (int i = 0; i < c->n + c->m; i++) {
    CHECK(kkt->column[i] == (double)answer->scale[i]);
    CHECK(kkt->row[i] == (double)answer->scale[i]);
    CHECK_INT(kkt_is_off(kkt, i), i >= c->n && c->off[i - c->n]);
  }
  CHECK_NEAR(kkt_log_volume(kkt), (double)answer->volume, 1e-9);
  const double ratio = kkt_rank_margin(kkt) / margin_of(c, answer, kkt);
  CHECK(ratio > 0.999 && ratio < 20);
}

static void set_share(const Answer *answer, const Case *c, Kkt *kkt, int i) {
  kkt_set_share(kkt, i, c->share[i] * (double)answer->scale[c->n + i]);
}

static Bench bench_of(const Case *c, const Answer *answer, const Matrix *a) {
  Bench bench = bench_new(a, sarrus_memory_default(), 0);
  kkt_turn_off(bench.kkt, c->off);
  for (int i = 0; i < c->m; i++)
    set_share(answer, c, bench.kkt, i);
  return bench;
}

/* Exchanges end with rows of which none is more than 4 times itself in another (T33). */
static void exchange_rows(Kkt *kkt) {
  int exchanges = 0;
  while (kkt_exchange(kkt)) {
    REQUIRE_OK(kkt_factor(kkt));
    REQUIRE(++exchanges <= 2 * kkt->m);
  }
}

TEST(motion_and_shortest_multipliers) {
  unsigned seed = 1;
  for (int round = 0; round < 400; round++) {
    const Case c = draw_case(&seed);
    const Answer answer = answer_to(&c);
    Matrix a = matrix_of(&c);
    Bench bench = bench_of(&c, &answer, &a);
    if (!CHECK_OK(prepare(&bench))) printf("  in round %d\n", round);
    check_numbers(&c, &answer, bench.kkt);
    for (int stage = 0; stage < 6; stage += 1 + stage)
      check_solution(&c, &answer, bench.kkt, stage);
    exchange_rows(bench.kkt);
    check_numbers(&c, &answer, bench.kkt);
    check_solution(&c, &answer, bench.kkt, 0);
    bench_free(&bench);
    matrix_free(&a);
  }
}

/* What was off is on and what was on is off: as if it had been so from the beginning. */
TEST(rows_turned_on_and_off) {
  unsigned seed = 2;
  for (int round = 0; round < 100; round++) {
    Case c = draw_case(&seed);
    Answer answer = answer_to(&c);
    Matrix a = matrix_of(&c);
    Bench bench = bench_of(&c, &answer, &a);
    CHECK_OK(prepare(&bench));
    for (int i = 0; i < c.m; i++) {
      if (c.is_of_k[i]) continue;
      c.off[i] = !c.off[i];
      c.on_count += c.off[i] ? -1 : 1;
    }
    kkt_find_null_space(bench.kkt);
    kkt_turn_off(bench.kkt, c.off);
    CHECK(!bench.kkt->null_known);
    CHECK_INT(bench.kkt->dependent_count, 0);
    CHECK_INT(bench.kkt->off_count, c.m - c.on_count);
    CHECK_INT(sparse_rank(bench.kkt->sparse), 0); /* the order is chosen anew */
    CHECK_OK(prepare(&bench));
    answer = answer_to(&c);
    check_numbers(&c, &answer, bench.kkt);
    check_solution(&c, &answer, bench.kkt, 0);
    bench_free(&bench);
    matrix_free(&a);
  }
}

/* Shares change, factors stay: the multipliers are the shortest in the new measure. */
TEST(shares_that_change) {
  unsigned seed = 3;
  for (int round = 0; round < 100; round++) {
    Case c = draw_case(&seed);
    Answer answer = answer_to(&c);
    Matrix a = matrix_of(&c);
    Bench bench = bench_of(&c, &answer, &a);
    CHECK_OK(prepare(&bench));
    kkt_find_null_space(bench.kkt);
    const int changed = whole_in(&seed, 0, c.m - 1);
    set_share(&answer, &c, bench.kkt, changed);
    CHECK(bench.kkt->null_known);
    c.share[changed] = c.share[changed] > 0 ? 0 : 0.125;
    set_share(&answer, &c, bench.kkt, changed);
    CHECK(!bench.kkt->null_known);
    answer = answer_to(&c);
    check_solution(&c, &answer, bench.kkt, 0);
    check_numbers(&c, &answer, bench.kkt);
    bench_free(&bench);
    matrix_free(&a);
  }
}

/* Any r rows that are independent may be kept. */
TEST(whichever_rows_are_left_out) {
  unsigned seed = 4;
  for (int round = 0; round < 200; round++) {
    Case c = draw_case(&seed);
    memset(c.off, 0, sizeof c.off);
    c.on_count = c.m;
    const Answer answer = answer_to(&c);
    Matrix a = matrix_of(&c);
    Bench bench = bench_of(&c, &answer, &a);
    int dependent[MOST_M];
    CHECK_OK(prepare(&bench));
    memcpy(dependent, bench.kkt->dependent, sizeof *dependent * (size_t)c.m);
    CHECK_OK(kkt_leave_out(bench.kkt, dependent, bench.kkt->dependent_count));
    CHECK_INT(sparse_rank(bench.kkt->sparse), c.n + c.r); /* nothing has changed */
    kkt_find_null_space(bench.kkt);
    for (int i = 0; i < c.m && bench.kkt->dependent_count > 0; i++) {
      const Exchange exchange = bench.kkt->exchange; /* the two that change places */
      if (!(exchange.part > 1)) break;
      dependent[exchange.left_out] = KKT_KEPT;
      dependent[exchange.kept] = KKT_DEPENDENT;
      CHECK_OK(kkt_leave_out(bench.kkt, dependent, c.m - c.r));
      CHECK_INT(sparse_rank(bench.kkt->sparse), 0); /* the order is chosen anew */
      CHECK(!bench.kkt->null_known);
      CHECK_OK(kkt_factor(bench.kkt));
      check_numbers(&c, &answer, bench.kkt);
      check_solution(&c, &answer, bench.kkt, 1);
    }
    CHECK(bench.kkt->exchange.part >= 1);
    bench_free(&bench);
    matrix_free(&a);
  }
}

/* --- general matrices ------------------------------------------------------------------ */

/* Rows in units from 1e-6 to 1e6, entries where they fall, and a large one in every row. */
static Matrix draw_general(int size, unsigned *seed) {
  Matrix a = {0};
  const int shift = whole_in(seed, 0, size - 1);
  for (int i = 0; i < size; i++) {
    const double unit = pow(10, random_in(seed, -6, 6));
    for (int j = 0; j < size; j++) {
      const int large = j == (i + shift) % size;
      if (large || random_in(seed, 0, 1) < 0.3)
        put(&a, i, j, unit * ((large ? 3 : 0) + random_in(seed, -1, 1)));
    }
  }
  complete(&a, size, 0);
  return a;
}

TEST(general_matrices_by_rows_of_any_unit) {
  unsigned seed = 5;
  for (int round = 0; round < 300; round++) {
    const int size = whole_in(&seed, 1, 14);
    Matrix a = draw_general(size, &seed);
    Bench bench = bench_new(&a, sarrus_memory_default(), 1);
    Real *full = dense_new(size, size), *x = dense_new(size, 1);
    double *b = malloc((size_t)size * sizeof *b);
    CHECK_OK(prepare(&bench));
    Real units = 0;
    for (int i = 0; i < size; i++) {
      double largest = 0;
      b[i] = random_in(&seed, -1, 1) / bench.kkt->row[i];
      x[i] = (Real)b[i];
      for (int e = a.start[i]; e < a.start[i + 1]; e++) {
        full[i * size + a.column[e]] = (Real)a.value[e];
        largest = fmax(largest, fabs(a.value[e]));
      }
      CHECK(bench.kkt->row[i] == (double)scale_for((Real)largest));
      CHECK(bench.kkt->column[i] == 1);
      units += log2l((Real)bench.kkt->row[i]);
    }
    const Real volume = dense_solve(full, size, x, 1) + units;
    CHECK_NEAR(kkt_log_volume(bench.kkt), (double)volume, 1e-9);
    kkt_solve(bench.kkt, b, 0);
    for (int i = 0; i < size; i++)
      CHECK_NEAR(b[i], (double)x[i], 1e-11);
    free(full);
    free(x);
    free(b);
    bench_free(&bench);
    matrix_free(&a);
  }
}

/* --- sums and costs -------------------------------------------------------------------- */

/* Over the columns below a bound. */
TEST(a_row_times_a_vector) {
  unsigned seed = 6;
  Matrix a = draw_general(9, &seed);
  Bench bench = bench_new(&a, sarrus_memory_default(), 1);
  const double x[9] = {1, -2, 3, -4, 5, -6, 7, -8, 9};
  for (int row = 0; row < a.size; row++)
    for (int columns = 0; columns <= a.size; columns++) {
      double sum = 0;
      for (int e = a.start[row]; e < a.start[row + 1]; e++)
        sum += a.column[e] < columns ? a.value[e] * x[a.column[e]] : 0;
      CHECK(kkt_row_times(bench.kkt, row, x, columns) == sum);
    }
  bench_free(&bench);
  matrix_free(&a);
}

/* A full matrix: n^2 multiplications of a solve, n (n^2 - 1) / 3 of a factorisation. */
TEST(what_solves_cost) {
  for (int size = 1; size <= 13; size++) {
    double factor = -1, solve = -1;
    Matrix a = {0};
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++)
        put(&a, i, j, i == j ? size + 1 : 1);
    complete(&a, size, 0);
    Bench bench = bench_new(&a, sarrus_memory_default(), 0);
    kkt_cost(bench.kkt, &factor, &solve);
    CHECK(factor == 0 && solve == 0); /* there is no order yet */
    CHECK_OK(prepare(&bench));
    kkt_cost(bench.kkt, &factor, &solve);
    CHECK_NEAR(factor, size * (size * size - 1) / 3.0, 1e-9);
    CHECK(solve == size * size);
    bench_free(&bench);
    matrix_free(&a);
  }
}
