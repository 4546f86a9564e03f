/*
** The order of elimination by its rule alone: the same choices made on a full matrix, in which
** every length is counted anew and every row waiting is looked for, give the same pivots.
*/
#include "kkt_matrices.h"

enum { MOST_SIZE = 80 };

/* The rule's numbers, as kkt_order.c explains them. */
static const double SHARE = 0.1, ROUNDING = 1e-13;
enum { SEARCHED = 3, CHEAPER = 16, CHEAPER_MUCH = 2, MUCH = 4000 };

typedef struct Rule {
  int size, first, symmetric, rank, clock;
  double nothing, value[MOST_SIZE][MOST_SIZE];
  int since[MOST_SIZE][MOST_SIZE]; /* when an entry came to be; 0: there is none */
  int waits[MOST_SIZE];            /* since when a row waits among those of its length */
  bool aside[MOST_SIZE], done[MOST_SIZE];
  int diagonal[MOST_SIZE]; /* per row: the column that counts as its diagonal */
  int row[MOST_SIZE], column[MOST_SIZE];
} Rule;

typedef struct Choice {
  int row, column;
  long long fill;
  double share;
} Choice;

static int length_of(const Rule *r, int row) {
  int count = 0;
  for (int j = 0; j < r->size; j++)
    count += r->since[row][j] > 0;
  return count;
}

static int rows_with(const Rule *r, int column) {
  int count = 0;
  for (int i = 0; i < r->size; i++)
    count += !r->done[i] && r->since[i][column] > 0;
  return count;
}

/* Of the rows of some length, the one that has waited longest, but less than `after`. */
static int next_waiting(const Rule *r, bool aside, int length, int after) {
  int next = -1;
  for (int i = 0; i < r->size; i++)
    if (!r->done[i] && r->aside[i] == aside && r->waits[i] > after && length_of(r, i) == length &&
        (next < 0 || r->waits[i] < r->waits[next]))
      next = i;
  return next;
}

/* The rows with an entry in a column, in the order in which these came. */
static int list_rows(const Rule *r, int column, int *list) {
  int count = 0;
  for (int i = 0; i < r->size; i++) {
    if (r->done[i] || r->since[i][column] == 0) continue;
    int at = count++;
    for (; at > 0 && r->since[list[at - 1]][column] > r->since[i][column]; at--)
      list[at] = list[at - 1];
    list[at] = i;
  }
  return count;
}

/* A row that depends on others: its column goes too, unless something is left in it. */
static void drop(Rule *r, int row) {
  int list[MOST_SIZE];
  const int column = r->diagonal[row];
  r->done[row] = true;
  const int count = list_rows(r, column, list);
  for (int i = 0; i < count; i++)
    if (fabs(r->value[list[i]][column]) > r->nothing) return;
  for (int i = 0; i < count; i++) {
    r->since[list[i]][column] = 0;
    r->waits[list[i]] = ++r->clock;
  }
}

static void consider(const Rule *r, int row, int column, double largest, Choice *best) {
  const double share = fabs(r->value[row][column]) / largest;
  const long long fill = (long long)(length_of(r, row) - 1) * (rows_with(r, column) - 1);
  const bool better = fill < best->fill || (fill == best->fill && share > best->share);
  if (share >= SHARE && better) *best = (Choice){row, column, fill, share};
}

/* Whether a row was searched; if not, it is dropped or put aside. */
static bool consider_row(Rule *r, int row, Choice *best) {
  const int diagonal = r->diagonal[row];
  double largest = 0;
  for (int j = 0; j < r->size; j++)
    if (r->since[row][j] > 0) largest = fmax(largest, fabs(r->value[row][j]));
  if (largest <= (row < r->first ? ROUNDING : r->nothing)) {
    drop(r, row);
    return false;
  }
  if (r->aside[row] || !r->symmetric) {
    for (int j = 0; j < r->size; j++)
      if (r->since[row][j] > 0) consider(r, row, j, largest, best);
    return true;
  }
  if (r->since[row][diagonal] == 0 || fabs(r->value[row][diagonal]) < SHARE * largest) {
    r->aside[row] = true;
    r->waits[row] = ++r->clock;
    return false;
  }
  consider(r, row, diagonal, largest, best);
  return true;
}

static Choice best_of(Rule *r, bool aside) {
  Choice best = {-1, -1, LLONG_MAX, 0};
  int seen = 0;
  for (long long length = 0; length <= r->size && seen < SEARCHED; length++) {
    if (best.fill <= (length - 1) * (length - 1)) break;
    for (int row = next_waiting(r, aside, (int)length, 0); row >= 0 && seen < SEARCHED;) {
      const int next = next_waiting(r, aside, length_of(r, row), r->waits[row]);
      seen += consider_row(r, row, &best);
      row = next;
    }
  }
  return best;
}

static bool choose(Rule *r, Choice *best) {
  for (int waiting = 1; waiting > 0;) {
    *best = best_of(r, false);
    const Choice off = best_of(r, true);
    const int cheaper = best->fill > MUCH ? CHEAPER_MUCH : CHEAPER;
    if (off.row >= 0 && (best->row < 0 || off.fill < best->fill / cheaper)) *best = off;
    if (best->row >= 0) return true;
    waiting = 0;
    for (int i = 0; i < r->size; i++)
      waiting += !r->done[i];
  }
  return false;
}

static void eliminate(Rule *r, Choice at) {
  int list[MOST_SIZE];
  for (int i = 0; i < r->size; i++)
    if (r->diagonal[i] == at.column) { /* the diagonals of two rows change places */
      r->diagonal[i] = r->diagonal[at.row];
      break;
    }
  r->diagonal[at.row] = at.column;
  r->row[r->rank] = at.row;
  r->column[r->rank++] = at.column;
  r->done[at.row] = true;
  const int count = list_rows(r, at.column, list);
  for (int k = 0; k < count; k++) {
    const int i = list[k];
    const double f = r->value[i][at.column] / r->value[at.row][at.column];
    r->since[i][at.column] = 0;
    for (int j = 0; j < r->size; j++) {
      if (j == at.column || r->since[at.row][j] == 0) continue;
      if (r->since[i][j] == 0) {
        r->since[i][j] = ++r->clock;
        r->value[i][j] = 0;
      }
      r->value[i][j] -= f * r->value[at.row][j];
    }
    r->aside[i] = false;
    r->waits[i] = ++r->clock;
  }
}

/* --- subtrees one after the other ---------------------------------------------------------- */

/* By rows, each pivot after those that need to be eliminated before it, in turn. */
static int visit(const int *parent, int rank, int root, int count, int *list) {
  for (int k = 0; k < rank; k++)
    if (parent[k] == root) count = visit(parent, rank, k, count, list);
  if (root < rank) list[count++] = root;
  return count;
}

static void take_in_turn(const Matrix *a, Rule *r) {
  static bool full[MOST_SIZE][MOST_SIZE];
  int parent[MOST_SIZE], list[MOST_SIZE], row[MOST_SIZE], column[MOST_SIZE], place[2][MOST_SIZE];
  memset(full, 0, sizeof full);
  for (int i = 0; i < r->size; i++)
    place[0][i] = place[1][i] = r->rank;
  for (int k = 0; k < r->rank; k++) {
    place[0][row[k] = r->row[k]] = k;
    place[1][column[k] = r->column[k]] = k;
  }
  for (int e = 0; e < a->count; e++) {
    const int i = place[0][a->entries[e].row], j = place[1][a->entries[e].column];
    if (i < r->rank && j < r->rank) full[i][j] = full[j][i] = true;
  }
  for (int k = 0; k < r->rank; k++) {
    parent[k] = r->rank;
    for (int i = r->rank - 1; i > k; i--) {
      if (!full[i][k]) continue;
      parent[k] = i;
      for (int j = k + 1; j < r->rank; j++)
        if (full[k][j]) full[i][j] = full[j][i] = true;
    }
  }
  CHECK_INT(visit(parent, r->rank, r->rank, 0, list), r->rank);
  for (int k = 0; k < r->rank; k++) {
    r->row[k] = row[list[k]];
    r->column[k] = column[list[k]];
  }
}

/* --- comparisons --------------------------------------------------------------------------- */

/* One power of two for each row, and the same for each column. */
static const double *scales_of(int size) {
  static double scale[MOST_SIZE];
  for (int i = 0; i < size; i++)
    scale[i] = ldexp(1, i % 3 - 1);
  return scale;
}

static Rule *rule_for(const Matrix *a, int symmetric, LeftOut left_out, double nothing) {
  Rule *r = calloc(1, sizeof *r);
  const double *scale = scales_of(a->size);
  bool out[MOST_SIZE] = {false};
  r->size = a->size;
  r->first = left_out.first;
  r->symmetric = symmetric;
  r->nothing = fmax(nothing, ROUNDING);
  for (int i = left_out.first; i < a->size; i++)
    out[i] = left_out.flag[i - left_out.first] != 0;
  for (int i = 0; i < a->size; i++) {
    r->diagonal[i] = i;
    r->done[i] = out[i];
    for (int e = a->start[i]; e < a->start[i + 1] && !out[i]; e++) {
      const int j = a->column[e];
      if (out[j]) continue;
      r->since[i][j] = ++r->clock;
      r->value[i][j] = a->value[e] * scale[i] * scale[j];
    }
    r->waits[i] = ++r->clock;
  }
  return r;
}

/* The order is that of the rule; answers how many pivots it has. */
static int check_order(const Matrix *a, int symmetric, LeftOut left_out, double nothing) {
  const double *scale = scales_of(a->size);
  bool taken[2][MOST_SIZE] = {{false}};
  Choice pivot;
  Rule *r = rule_for(a, symmetric, left_out, nothing);
  Sparse *sparse = sparse_of(a, sarrus_memory_default(), symmetric);
  while (choose(r, &pivot))
    eliminate(r, pivot);
  take_in_turn(a, r);
  CHECK_OK(sparse_order(sparse, a->value, (Scales){scale, scale}, left_out, nothing));
  const int rank = r->rank, *rows = sparse_rows(sparse), *columns = sparse_columns(sparse);
  CHECK_INT(sparse_rank(sparse), rank);
  for (int k = 0; k < rank; k++) {
    CHECK_INT(rows[k], r->row[k]);
    CHECK_INT(columns[k], r->column[k]);
    taken[0][r->row[k]] = taken[1][r->column[k]] = true;
  }
  for (int i = 0, row = rank, column = rank; i < a->size; i++) { /* what is left, in its order */
    if (!taken[0][i]) CHECK_INT(rows[row++], i);
    if (!taken[1][i]) CHECK_INT(columns[column++], i);
  }
  sparse_free(sparse);
  free(r);
  return rank;
}

/* With and without a preference for the diagonal. */
static void check_both(const Matrix *a, LeftOut left_out, double nothing, int rank) {
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    const int found = check_order(a, symmetric, left_out, nothing);
    if (rank >= 0) CHECK_INT(found, rank);
  }
}

/* As many entries per row beside the diagonal as `density`, of all sizes from 1 down to `least`. */
static Matrix scattered(int size, double density, double least, unsigned *dice) {
  Matrix a = {0};
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      const double sign = random_in(dice, 0, 1) < 0.5 ? -1 : 1;
      if (i == j ? random_in(dice, 0, 1) < 0.9 : random_in(dice, 0, 1) < density / size)
        put(&a, i, j, sign * pow(least, random_in(dice, 0, 1)));
    }
  complete(&a, size, 0);
  return a;
}

TEST(mechanisms) {
  static const Shape kinds[] = {CHAIN, RING, STAR};
  for (int i = 0; i < 3; i++)
    for (int count = 2; count <= 8; count += 2) {
      Matrix a = mechanism(kinds[i], count, 1 + count % 4 / 2, (unsigned)(100 * i + count));
      const int none[MOST_SIZE] = {0};
      REQUIRE(a.size <= MOST_SIZE);
      check_both(&a, (LeftOut){a.n, none}, 0, -1);
      matrix_free(&a);
    }
}

TEST(loops_everywhere) {
  const int none[MOST_SIZE] = {0};
  for (int side = 2; side <= 4; side++) {
    Matrix a = net(side, (unsigned)side);
    check_both(&a, (LeftOut){a.n, none}, 0, -1);
    matrix_free(&a);
  }
}

TEST(random_patterns) {
  for (unsigned seed = 1; seed <= 150; seed++) {
    unsigned dice = seed;
    const int size = 2 + (int)random_in(&dice, 0, 24);
    Matrix a = scattered(size, random_in(&dice, 0.5, 4), seed % 3 == 0 ? 1e-3 : 0.05, &dice);
    check_both(&a, (LeftOut){size, NULL}, 0, -1);
    matrix_free(&a);
  }
}

/* Rows that the caller leaves out, with their columns. */
TEST(rows_left_out) {
  for (unsigned seed = 1; seed <= 40; seed++) {
    unsigned dice = seed;
    int flag[MOST_SIZE];
    const int size = 6 + (int)random_in(&dice, 0, 14), first = size / 2;
    Matrix a = scattered(size, 2, 0.05, &dice);
    for (int i = first; i < size; i++)
      flag[i - first] = random_in(&dice, 0, 1) < 0.4;
    check_both(&a, (LeftOut){first, flag}, 0, -1);
    matrix_free(&a);
  }
}

/*
** Constraints of which only the part `left` is independent of others, above and below what counts
** as nothing: rows of motion count until nothing but rounding is left.
*/
TEST(rows_of_which_little_is_left) {
  static const double nothing[] = {0, 1e-6, 1e-2};
  const int none[MOST_SIZE] = {0};
  for (unsigned seed = 1; seed <= 40; seed++)
    for (int i = 0; i < 3; i++) {
      unsigned dice = seed;
      Matrix a = mechanism(seed % 2 ? CHAIN : RING, 3, 2, seed);
      const double left = pow(10, random_in(&dice, -16, -1));
      double factor[MOST_SIZE]; /* without them, entries are as large as others in their row */
      for (int k = 0; k < a.size; k++)
        factor[k] = random_in(&dice, 1, 2);
      for (int e = 0; e < a.count; e++)
        a.value[e] *= factor[a.entries[e].row] * factor[a.entries[e].column];
      for (int e = 0; e < a.count; e++)
        if (random_in(&dice, 0, 1) < 0.2) a.value[e] *= 1 + left;
      for (int e = 0; e < a.count && seed % 5 == 0; e++) /* a light coordinate */
        if (a.entries[e].row == 4 || a.entries[e].column == 4) a.value[e] *= left;
      check_both(&a, (LeftOut){a.n, none}, nothing[i], -1);
      matrix_free(&a);
    }
}

/* Blocks full of ones and a row of zeros: a pivot each, the zeros have none. */
TEST(blocks_of_equal_rows) {
  for (int blocks = 1; blocks <= 5; blocks++) {
    Matrix a = {0};
    for (int b = 0; b < blocks; b++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          put(&a, 3 * b + i, 3 * b + j, 1);
    put(&a, 3 * blocks, 0, 0);
    complete(&a, 3 * blocks + 1, 0);
    check_both(&a, (LeftOut){a.size, NULL}, 0, blocks);
    matrix_free(&a);
  }
}

/* Rows and columns with entries everywhere, whose places are kept in a table. */
TEST(arrows) {
  for (unsigned seed = 1; seed <= 6; seed++) {
    unsigned dice = seed;
    const int size = 40 + 6 * (int)seed, heads = 1 + (int)seed % 3;
    Matrix a = {0};
    for (int i = 0; i < size; i++) {
      put(&a, i, i, random_in(&dice, 1, 2));
      for (int h = 0; h < heads; h++)
        if (i != h * 7) put_pair(&a, i, h * 7, i < h * 7 ? 0 : random_in(&dice, 0.1, 1));
    }
    for (int h = 0; h < heads * heads; h++) /* no entry twice */
      for (int e = 0; e < a.count - 1; e++)
        for (int f = e + 1; f < a.count; f++)
          if (a.entries[e].row == a.entries[f].row && a.entries[e].column == a.entries[f].column)
            a.entries[f] = a.entries[--a.count];
    complete(&a, size, 0);
    check_both(&a, (LeftOut){size, NULL}, 0, -1);
    matrix_free(&a);
  }
}

/* Full of entries, so that any pivot may cause fill by the thousand. */
TEST(full_patterns) {
  for (unsigned seed = 1; seed <= 2; seed++) {
    unsigned dice = seed;
    Matrix a = scattered(70, 70, 1e-3, &dice);
    check_both(&a, (LeftOut){a.size, NULL}, 0, a.size);
    matrix_free(&a);
  }
}
