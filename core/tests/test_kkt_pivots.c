/*
** What an order of elimination promises, by elimination of the full matrix in that order: as many
** pivots as the rank, which is found in exact arithmetic; none small in its row; no more than
** rounding left over.
*/
#include "kkt_matrices.h"

enum { SIDE = 60 };

static const double SHARE = 0.1, ROUNDING = 1e-13;

/* --- rank in exact arithmetic --------------------------------------------------------------- */

static const long long PRIME = 2147483647;

static long long inverse(long long a) {
  long long result = 1;
  for (long long power = PRIME - 2; power > 0; power /= 2) { /* a^(p-1) = 1 */
    if (power % 2 == 1) result = result * a % PRIME;
    a = a * a % PRIME;
  }
  return result;
}

/* The rank of whole numbers modulo a prime: at most their rank, and less by rare chance only. */
static int rank_of(const Matrix *a) {
  static long long full[SIDE][SIDE];
  const int size = a->size;
  int rank = 0;
  memset(full, 0, sizeof full);
  for (int e = 0; e < a->count; e++)
    full[a->entries[e].row][a->entries[e].column] =
        ((long long)a->entries[e].value % PRIME + PRIME) % PRIME;
  for (int column = 0; column < size; column++) {
    int row = rank;
    while (row < size && full[row][column] == 0)
      row++;
    if (row == size) continue;
    for (int j = 0; j < size; j++) {
      const long long other = full[rank][j];
      full[rank][j] = full[row][j];
      full[row][j] = other;
    }
    const long long one_by = inverse(full[rank][column]);
    for (int i = rank + 1; i < size; i++) {
      const long long f = full[i][column] * one_by % PRIME;
      for (int j = column; j < size; j++)
        full[i][j] = (full[i][j] + (PRIME - f) * full[rank][j]) % PRIME;
    }
    rank++;
  }
  return rank;
}

/* --- elimination of the full matrix --------------------------------------------------------- */

typedef struct Replay {
  double share, rest; /* the least pivot by the largest of its row; the largest without a pivot */
  int off_diagonal;   /* how many pivots are there */
} Replay;

static Replay replay(const Matrix *a, Sparse *sparse) {
  static double full[SIDE][SIDE];
  const int size = a->size, rank = sparse_rank(sparse);
  const int *rows = sparse_rows(sparse), *columns = sparse_columns(sparse);
  Replay result = {(double)INFINITY, 0, 0};
  memset(full, 0, sizeof full);
  for (int e = 0; e < a->count; e++)
    full[a->entries[e].row][a->entries[e].column] = a->entries[e].value;
  for (int k = 0; k < rank; k++) {
    double largest = 0;
    for (int j = k; j < size; j++)
      largest = fmax(largest, fabs(full[rows[k]][columns[j]]));
    result.share = fmin(result.share, fabs(full[rows[k]][columns[k]]) / largest);
    result.off_diagonal += rows[k] != columns[k];
    for (int i = k + 1; i < size; i++) {
      const double f = full[rows[i]][columns[k]] / full[rows[k]][columns[k]];
      for (int j = k; j < size; j++)
        full[rows[i]][columns[j]] -= f * full[rows[k]][columns[j]];
    }
  }
  for (int i = rank; i < size; i++)
    for (int j = rank; j < size; j++)
      result.rest = fmax(result.rest, fabs(full[rows[i]][columns[j]]));
  return result;
}

static void check_permutation(const int *order, int size) {
  int seen[SIDE] = {0};
  for (int i = 0; i < size; i++) {
    REQUIRE(order[i] >= 0 && order[i] < size);
    CHECK_INT(seen[order[i]]++, 0);
  }
}

static Replay check_order(const Matrix *a, Sparse *sparse, int rank) {
  CHECK_INT(sparse_rank(sparse), rank);
  check_permutation(sparse_rows(sparse), a->size);
  check_permutation(sparse_columns(sparse), a->size);
  const Replay result = replay(a, sparse);
  CHECK(result.share >= SHARE * (1 - 1e-9));
  CHECK(result.rest <= ROUNDING);
  return result;
}

/* --- matrices ------------------------------------------------------------------------------- */

static int whole(unsigned *seed, int from, int to) {
  return from + (int)floor(random_in(seed, 0, to - from + 1 - 1e-9));
}

/* A number of one digit that is not 0 */
static double digit(unsigned *seed) {
  const int value = whole(seed, 1, 9);
  return random_in(seed, -1, 1) < 0 ? -value : value;
}

/* `full` by rows, without its zeros */
static Matrix matrix_of(int size, double full[SIDE][SIDE]) {
  Matrix a = {0};
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      if (full[i][j] != 0) put(&a, i, j, full[i][j]);
  complete(&a, size, 0);
  return a;
}

/* Digits here and there; the last `more` rows are sums of two others. */
static Matrix digits(int size, int more, double density, unsigned *seed) {
  static double full[SIDE][SIDE];
  memset(full, 0, sizeof full);
  for (int i = 0; i < size - more; i++)
    for (int j = 0; j < size; j++)
      if (j == i || random_in(seed, 0, 1) < density) full[i][j] = digit(seed);
  for (int i = size - more; i < size; i++) {
    const int one = whole(seed, 0, size - more - 1), two = whole(seed, 0, size - more - 1);
    for (int j = 0; j < size; j++)
      full[i][j] = full[one][j] + full[two][j];
  }
  return matrix_of(size, full);
}

/* Masses on the diagonal, and constraints of digits, the last of which are sums of two others. */
static Matrix constrained(int n, int m, int more, double density, unsigned *seed) {
  static double full[SIDE][SIDE];
  memset(full, 0, sizeof full);
  for (int i = 0; i < n; i++)
    full[i][i] = whole(seed, 1, 9);
  for (int i = n; i < n + m; i++) {
    const int one = whole(seed, n, n + m - more - 1), two = whole(seed, n, n + m - more - 1);
    for (int j = 0; j < n; j++) {
      const int here = j == i - n || random_in(seed, 0, 1) < density;
      const double value = i >= n + m - more ? full[one][j] + full[two][j] : digit(seed);
      full[i][j] = full[j][i] = i >= n + m - more || here ? value : 0;
    }
  }
  return matrix_of(n + m, full);
}

/* --- orders --------------------------------------------------------------------------------- */

TEST(as_many_pivots_as_the_rank_has) {
  unsigned seed = 1;
  int dependent = 0;
  for (int round = 0; round < 300; round++) {
    const int size = whole(&seed, 2, 30), more = whole(&seed, 0, size / 2);
    Matrix a = digits(size, more, random_in(&seed, 0, 0.4), &seed);
    Sparse *sparse = sparse_of(&a, sarrus_memory_default(), 0);
    CHECK_OK(sparse_order(sparse, a.value, ones(), NONE_LEFT_OUT, 0));
    check_order(&a, sparse, rank_of(&a));
    dependent += sparse_rank(sparse) < size;
    sparse_free(sparse);
    matrix_free(&a);
  }
  CHECK(dependent > 200);
}

/* Pivots stay on the diagonal as long as one there is not small in its row. */
TEST(masses_and_constraints) {
  unsigned seed = 2;
  int off_diagonal = 0;
  for (int round = 0; round < 300; round++) {
    const int m = whole(&seed, 1, 15), n = m + whole(&seed, 0, 15), more = whole(&seed, 0, m / 2);
    Matrix a = constrained(n, m, more, random_in(&seed, 0, 0.3), &seed);
    Sparse *sparse = sparse_of(&a, sarrus_memory_default(), 1);
    CHECK_OK(sparse_order(sparse, a.value, ones(), NONE_LEFT_OUT, 0));
    off_diagonal += check_order(&a, sparse, rank_of(&a)).off_diagonal;
    sparse_free(sparse);
    matrix_free(&a);
  }
  CHECK(off_diagonal > 0);
}

/* Diagonally dominant and symmetric: every pivot is on the diagonal. */
TEST(dominant_diagonals) {
  static double full[SIDE][SIDE];
  unsigned seed = 3;
  for (int round = 0; round < 100; round++) {
    const int size = whole(&seed, 2, 30);
    memset(full, 0, sizeof full);
    for (int i = 0; i < size; i++) {
      full[i][i] = 9.0 * size;
      for (int j = 0; j < i; j++)
        if (random_in(&seed, 0, 1) < 0.2) full[i][j] = full[j][i] = digit(&seed);
    }
    Matrix a = matrix_of(size, full);
    Sparse *sparse = sparse_of(&a, sarrus_memory_default(), 1);
    CHECK_OK(sparse_order(sparse, a.value, ones(), NONE_LEFT_OUT, 0));
    CHECK_INT(check_order(&a, sparse, size).off_diagonal, 0);
    sparse_free(sparse);
    matrix_free(&a);
  }
}

/* (x 1; 1 0): a pivot on the diagonal while x is a tenth of its row, as is said where it is. */
TEST(how_small_a_diagonal_may_be) {
  for (int side = 0; side < 2; side++) {
    Matrix a = {0};
    put(&a, 0, 0, side == 0 ? 0.101 : 0.099);
    put_pair(&a, 0, 1, 1);
    complete(&a, 2, 0);
    Sparse *sparse = sparse_of(&a, sarrus_memory_default(), 1);
    CHECK_OK(sparse_order(sparse, a.value, ones(), NONE_LEFT_OUT, 0));
    CHECK_INT(check_order(&a, sparse, 2).off_diagonal, side == 0 ? 0 : 2);
    sparse_free(sparse);
    matrix_free(&a);
  }
}

/* --- what counts as nothing ----------------------------------------------------------------- */

/* The rank of diag(1, x) */
static int rank_beside_one(double x, double nothing, int first) {
  const int none[2] = {0, 0};
  Matrix a = {0};
  put(&a, 0, 0, 1);
  put(&a, 1, 1, x);
  complete(&a, 2, 0);
  Sparse *sparse = sparse_of(&a, sarrus_memory_default(), 1);
  CHECK_OK(sparse_order(sparse, a.value, ones(), (LeftOut){first, none}, nothing));
  const int rank = sparse_rank(sparse);
  sparse_free(sparse);
  matrix_free(&a);
  return rank;
}

TEST(rows_that_are_nothing) {
  CHECK_INT(rank_beside_one(1.01e-13, 0, 0), 2);
  CHECK_INT(rank_beside_one(1e-13, 0, 0), 1); /* what is exactly that is nothing */
  CHECK_INT(rank_beside_one(0.99e-13, 0, 0), 1);
  CHECK_INT(rank_beside_one(1.01e-6, 1e-6, 0), 2);
  CHECK_INT(rank_beside_one(1e-6, 1e-6, 0), 1);
  CHECK_INT(rank_beside_one(0.99e-6, 1e-6, 1), 1);
  CHECK_INT(rank_beside_one(0.99e-6, 1e-6, 2), 2); /* rows before the first one that may depend */
  CHECK_INT(rank_beside_one(0.99e-13, 1e-6, 2), 1);
}

/*
** A row that is nothing leaves its column without a pivot.  Then nothing of that column is left
** where it was rounding, so that it costs no fill; where it holds more, another row gets a pivot
** in it.
*/
static Sparse *beside_nothing(Matrix *a, double below) {
  enum { REST = 6 };
  for (int i = 0; i < REST; i++) {
    put(a, i, i, 2);
    if (i > 0) put_pair(a, i, i - 1, 1);
    put(a, i, REST, below);
  }
  put(a, REST, REST, 1e-15);
  complete(a, REST + 1, 0);
  Sparse *sparse = sparse_of(a, sarrus_memory_default(), 0);
  CHECK_OK(sparse_order(sparse, a->value, ones(), NONE_LEFT_OUT, 0));
  return sparse;
}

TEST(columns_of_rows_that_are_nothing) {
  for (int side = 0; side < 2; side++) {
    Matrix a = {0};
    double factor, solve;
    Sparse *sparse = beside_nothing(&a, side == 0 ? 1e-13 : 3);
    check_order(&a, sparse, 6);
    int inside = 0;
    for (int k = 0; k < 6; k++)
      inside += sparse_columns(sparse)[k] == 6;
    CHECK_INT(inside, side);
    CHECK_INT(sparse_rows(sparse)[6], 6);
    sparse_cost(sparse, &factor, &solve);
    if (side == 0) CHECK(solve <= 20); /* of a chain: 6 pivots, 5 entries below and above each */
    sparse_free(sparse);
    matrix_free(&a);
  }
}

/* --- rows that are left out ----------------------------------------------------------------- */

/* As if they were not there: the order of the others is that of the matrix without them. */
TEST(left_out_as_if_they_were_not_there) {
  unsigned seed = 4;
  for (int round = 0; round < 50; round++) {
    const int m = whole(&seed, 2, 10), n = m + whole(&seed, 0, 10), size = n + m;
    int flag[SIDE] = {0}, place[SIDE], left = 0;
    Matrix a = constrained(n, m, 0, 0.3, &seed), b = {0};
    for (int i = 0; i < size; i++) {
      if (i >= n) flag[i - n] = random_in(&seed, 0, 1) < 0.3;
      place[i] = i >= n && flag[i - n] ? -1 : left++;
    }
    for (int e = 0; e < a.count; e++)
      if (place[a.entries[e].row] >= 0 && place[a.entries[e].column] >= 0)
        put(&b, place[a.entries[e].row], place[a.entries[e].column], a.entries[e].value);
    complete(&b, left, 0);
    Sparse *with = sparse_of(&a, sarrus_memory_default(), 1);
    Sparse *without = sparse_of(&b, sarrus_memory_default(), 1);
    CHECK_OK(sparse_order(with, a.value, ones(), (LeftOut){n, flag}, 0));
    CHECK_OK(sparse_order(without, b.value, ones(), NONE_LEFT_OUT, 0));
    REQUIRE(CHECK_INT(sparse_rank(with), sparse_rank(without)));
    for (int k = 0; k < sparse_rank(with); k++) {
      CHECK_INT(place[sparse_rows(with)[k]], sparse_rows(without)[k]);
      CHECK_INT(place[sparse_columns(with)[k]], sparse_columns(without)[k]);
    }
    for (int k = sparse_rank(with); k + 1 < size; k++) /* the rest is in its own order */
      CHECK(sparse_rows(with)[k] < sparse_rows(with)[k + 1]);
    sparse_free(with);
    sparse_free(without);
    matrix_free(&a);
    matrix_free(&b);
  }
}

/* --- fill ----------------------------------------------------------------------------------- */

/*
** An arrow, whose first row and column are full: what is on its diagonal alone comes first, and
** nothing is filled in.  n - 1 pivots have one entry below and one beside them: one division and
** one product each, and a solve has a product for each entry and a division for each pivot.
*/
TEST(arrows_fill_nothing) {
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    double factor[2], solve[2];
    for (int i = 0; i < 2; i++) {
      const int size = i == 0 ? 20 : 40;
      Matrix a = {0};
      put(&a, 0, 0, 100);
      for (int k = 1; k < size; k++) {
        put(&a, k, k, 4);
        put_pair(&a, 0, k, 1);
      }
      complete(&a, size, 0);
      Sparse *sparse = sparse_of(&a, sarrus_memory_default(), symmetric);
      CHECK_OK(sparse_order(sparse, a.value, ones(), NONE_LEFT_OUT, 0));
      check_order(&a, sparse, size);
      sparse_cost(sparse, &factor[i], &solve[i]);
      sparse_free(sparse);
      matrix_free(&a);
    }
    CHECK(factor[1] < 2.2 * factor[0] && solve[1] < 2.2 * solve[0]); /* not four times, or eight */
  }
}
