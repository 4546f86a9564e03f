/* Sparse LU with a fixed order: memory, patterns, numbers. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kkt_sparse_parts.h"

/* --- memory ------------------------------------------------------------------------------ */

/* Vectors of whole Tiles end up to a Tile later, and begin at a multiple of its size. */
enum { ROOM = 2 * LANES, OWN = LANES * (LANES - 1) };
typedef double Tile __attribute__((vector_size(LANES * sizeof(double))));

#define INLINE static inline __attribute__((always_inline)) /* into clones */

static inline double *aligned(double *room) {
  const uintptr_t over = (uintptr_t)room % sizeof(Tile);
  return over == 0 ? room : room + (sizeof(Tile) - over) / sizeof(double);
}

static inline int blocks_of(const Sparse *sparse) { return (sparse->rank + LANES - 1) / LANES; }

Sparse *sparse_new(sarrus_Memory memory, int size, const int *start, const int *column,
                   int symmetric) {
  Sparse *sparse = memory.alloc(memory.ud, NULL, 0, sizeof *sparse);
  if (sparse == NULL) return NULL;
  *sparse = (Sparse){.memory = memory, .size = size, .symmetric = symmetric};
  sparse->start = start;
  sparse->column = column;
  const size_t n = (size_t)size;
  sparse->row_of = take(sparse, n + LANES, sizeof(int));
  sparse->column_of = take(sparse, n + LANES, sizeof(int));
  sparse->column_place = take(sparse, n, sizeof(int));
  sparse->lower.start = take(sparse, n, sizeof(int));
  sparse->upper.start = take(sparse, n, sizeof(int));
  sparse->lower.begin = take(sparse, n / LANES + 1, sizeof(int));
  sparse->upper.begin = take(sparse, n / LANES + 1, sizeof(int));
  sparse->slot = take(sparse, n, sizeof(int));
  sparse->reciprocal = take(sparse, n + ROOM, sizeof(double));
  sparse->scale = take(sparse, n, sizeof(double));
  sparse->work = take(sparse, n, sizeof(double));
  sparse->unknowns = take(sparse, n + ROOM, sizeof(double));
  sparse->mark = take(sparse, n, sizeof(int));
  sparse->target = take(sparse, (size_t)start[size], sizeof(int));
  if (sparse->status == SARRUS_OK) {
    memset(sparse->work, 0, n * sizeof(double));
    sparse_place_rest(sparse);
    return sparse;
  }
  sparse_free(sparse);
  return NULL;
}

static void free_factor(Sparse *sparse, Factor *factor) {
  give(sparse, factor->start, (size_t)sparse->size, sizeof(int));
  give(sparse, factor->begin, (size_t)sparse->size / LANES + 1, sizeof(int));
  clear(sparse, &factor->index);
  clear(sparse, &factor->from);
  ARRAY_RELEASE(sparse->memory, factor->place, factor->place_capacity);
  ARRAY_RELEASE(sparse->memory, factor->room, factor->room_capacity);
}

void sparse_free(Sparse *sparse) {
  if (sparse == NULL) return;
  const size_t n = (size_t)sparse->size;
  give(sparse, sparse->row_of, n + LANES, sizeof(int));
  give(sparse, sparse->column_of, n + LANES, sizeof(int));
  give(sparse, sparse->column_place, n, sizeof(int));
  give(sparse, sparse->slot, n, sizeof(int));
  give(sparse, sparse->reciprocal, n + ROOM, sizeof(double));
  give(sparse, sparse->scale, n, sizeof(double));
  give(sparse, sparse->work, n, sizeof(double));
  give(sparse, sparse->unknowns, n + ROOM, sizeof(double));
  give(sparse, sparse->mark, n, sizeof(int));
  give(sparse, sparse->target, (size_t)sparse->start[n], sizeof(int));
  free_factor(sparse, &sparse->lower);
  free_factor(sparse, &sparse->upper);
  ARRAY_RELEASE(sparse->memory, sparse->u_value, sparse->u_capacity);
  sparse->memory.alloc(sparse->memory.ud, sparse, sizeof *sparse, 0);
}

int sparse_rank(const Sparse *sparse) { return sparse->rank; }
void sparse_prefer_diagonal(Sparse *sparse, int prefer) { sparse->symmetric = prefer; }
int *sparse_rows(Sparse *sparse) { return sparse->row_of; }
int *sparse_columns(Sparse *sparse) { return sparse->column_of; }
int *sparse_scratch(Sparse *sparse) { return sparse->mark; }
int sparse_left_over(const Sparse *sparse, int column) {
  return sparse->column_place[column] >= sparse->rank;
}

/* --- the patterns of L and U ------------------------------------------------------------- */

/* Shell's sort of what was appended to a list since it had `from` items. */
static void sort(IntList *list, int from) {
  const int count = list->count - from;
  for (int gap = count; gap > 1;) {
    gap = gap < 5 ? 1 : gap / 11 * 5 + gap % 11 * 5 / 11;
    for (int i = from + gap; i < list->count; i++) {
      const int item = list->items[i];
      int at = i;
      for (; at - gap >= from && list->items[at - gap] > item; at -= gap)
        list->items[at] = list->items[at - gap];
      list->items[at] = item;
    }
  }
}

/* Row k has an entry in column j. */
static void meet(Sparse *sparse, int k, int j) {
  if (j >= sparse->rank || sparse->mark[j] == k) return;
  sparse->mark[j] = k;
  append(sparse, j < k ? &sparse->lower.index : &sparse->upper.index, j);
}

/* Row k of L U has the columns of row k of A and, for each of them left of k, those of that row of U. */
static void follow_row(Sparse *sparse, int k) {
  Factor *lower = &sparse->lower, *upper = &sparse->upper;
  const int row = sparse->row_of[k], l = lower->start[k], u = upper->start[k];
  sparse->mark[k] = k;
  for (int i = sparse->start[row]; i < sparse->start[row + 1]; i++)
    meet(sparse, k, sparse->column_place[sparse->column[i]]);
  for (int i = l; i < lower->index.count; i++) {
    const int j = lower->index.items[i];
    for (int at = upper->start[j]; at < upper->start[j + 1]; at++)
      meet(sparse, k, upper->index.items[at]);
  }
  sort(&lower->index, l); /* j before the columns that come from its row of U */
  sort(&upper->index, u);
  lower->start[k + 1] = lower->index.count;
  upper->start[k + 1] = upper->index.count;
}

static void reverse(IntList *list, int from) {
  for (int to = list->count - 1; from < to; from++, to--) {
    const int item = list->items[from];
    list->items[from] = list->items[to];
    list->items[to] = item;
  }
}

/* Rows of the next block: their columns, and which Tile each of them has. */
static void join_rows(Sparse *sparse, Factor *factor, int first, int after, int tiles) {
  const int block = first / LANES, before = factor->from.count;
  int *last = sparse->mark;
  for (int e = factor->start[first]; e < factor->start[after]; e++) {
    const int j = factor->index.items[e];
    if (j / LANES == block || last[j] == block) continue;
    last[j] = block;
    append(sparse, &factor->from, j);
  }
  sort(&factor->from, before);
  if (factor == &sparse->upper) reverse(&factor->from, before);
  factor->begin[block + 1] = factor->from.count;
  for (int i = before; i < factor->from.count; i++)
    sparse->slot[factor->from.items[i]] = tiles + i;
}

/* Where in the Tiles the entries of row k are; column 0 of a block is none of its own for U, the last one for L. */
static void place_row(const Sparse *sparse, Factor *factor, int k) {
  const int own = (blocks_of(sparse) + k / LANES) * (LANES - 1) - (factor == &sparse->upper);
  for (int e = factor->start[k]; e < factor->start[k + 1]; e++) {
    const int j = factor->index.items[e];
    const int tile = j / LANES == k / LANES ? own + j % LANES : sparse->slot[j];
    factor->place[e] = tile * LANES + k % LANES;
  }
}

/*
** The last block may reach beyond the rank.  Its rows there are any, with a solution of 0; beyond the matrix, that is put
** into the last column, before its own.
*/
static void fill_last_block(Sparse *sparse) {
  double *reciprocal = aligned(sparse->reciprocal);
  for (int k = sparse->rank; k < blocks_of(sparse) * LANES; k++)
    reciprocal[k] = 0;
  for (int k = sparse->size; k < sparse->size + LANES; k++) {
    sparse->row_of[k] = sparse->row_of[sparse->size - 1];
    sparse->column_of[k] = sparse->column_of[sparse->size - 1];
  }
}

static void plan_blocks(Sparse *sparse, Factor *factor) {
  const int rank = sparse->rank, own = 2 * blocks_of(sparse) * (LANES - 1);
  if (!ARRAY_RESERVE(sparse->memory, factor->place, factor->place_capacity, factor->index.count))
    sparse->status = SARRUS_NOMEM;
  factor->from.count = factor->begin[0] = 0;
  for (int k = 0; k < rank; k++)
    sparse->mark[k] = -1;
  for (int k = 0; k < rank && sparse->status == SARRUS_OK; k += LANES) {
    const int after = k + LANES < rank ? k + LANES : rank;
    join_rows(sparse, factor, k, after, own);
    for (int i = k; i < after && sparse->status == SARRUS_OK; i++)
      place_row(sparse, factor, i);
  }
  const int numbers = LANES * (own + factor->from.count);
  if (!ARRAY_RESERVE(sparse->memory, factor->room, factor->room_capacity, numbers + LANES)) {
    sparse->status = SARRUS_NOMEM;
    return;
  }
  factor->value = aligned(factor->room);
  memset(factor->value, 0, (size_t)numbers * sizeof(double));
}

sarrus_Status sparse_find_patterns(Sparse *sparse, int rank) {
  sparse->rank = rank;
  sparse->status = SARRUS_OK;
  sparse->lower.index.count = sparse->upper.index.count = 0;
  sparse->lower.start[0] = sparse->upper.start[0] = 0;
  for (int k = 0; k < sparse->size; k++) {
    sparse->column_place[sparse->column_of[k]] = k;
    sparse->mark[k] = -1;
  }
  for (int k = 0; k < rank && sparse->status == SARRUS_OK; k++)
    follow_row(sparse, k);
  if (sparse->status < 0) sparse->rank = 0;
  return sparse->status;
}

sarrus_Status sparse_follow(Sparse *sparse, int rank) {
  SARRUS_TRY(sparse_find_patterns(sparse, rank));
  for (int i = 0; i < sparse->start[sparse->size]; i++) {
    const int place = sparse->column_place[sparse->column[i]];
    sparse->target[i] = place < rank ? place : sparse->size;
  }
  fill_last_block(sparse);
  plan_blocks(sparse, &sparse->lower);
  if (sparse->status == SARRUS_OK) plan_blocks(sparse, &sparse->upper);
  if (!ARRAY_RESERVE(sparse->memory, sparse->u_value, sparse->u_capacity,
                     sparse->upper.index.count))
    sparse->status = SARRUS_NOMEM;
  if (sparse->status < 0) sparse->rank = 0;
  return sparse->status;
}

void sparse_cost(const Sparse *sparse, double *factor, double *solve) {
  *factor = 0;
  const IntList *lower = &sparse->lower.index, *upper = &sparse->upper.index;
  for (int l = 0; l < lower->count; l++) {
    const int *start = sparse->upper.start + lower->items[l];
    *factor += 1 + start[1] - start[0];
  }
  *solve = (double)lower->count + upper->count + sparse->rank;
}

/* --- numbers ----------------------------------------------------------------------------- */

/* Put row k of A into the work space, by the places of its columns. */
static void scatter(Sparse *sparse, int k, const double *value) {
  const int row = sparse->row_of[k];
  for (int i = sparse->start[row]; i < sparse->start[row + 1]; i++)
    sparse->work[sparse->target[i]] = value[i];
}

/* Collect row k of D U, leaving zeros behind, as row k of -U; answers the largest of it, scaled. */
static double gather(Sparse *sparse, int k, double reciprocal) {
  const Factor *upper = &sparse->upper;
  double *w = sparse->work, largest = 0;
  for (int u = upper->start[k]; u < upper->start[k + 1]; u++) {
    const int j = upper->index.items[u];
    const double x = w[j], size = fabs(x) * sparse->scale[j];
    w[j] = 0;
    sparse->u_value[u] = upper->value[upper->place[u]] = x * -reciprocal;
    if (size > largest) largest = size;
  }
  return largest;
}

/*
** What a block has of its own, N, where 1 - N is L or U, for solving by halves: first within both of them, then from one
** to the other,
**   (1 - N)^-1 = (1 + P) (1 + Q),   Q = (n10, n32),   P = (1 + Q) N between the halves
** The whole inverse would be faster, but lose digits (a star of 300 rods: residuals 6 times as large).  Element (r, c) of L
** is at [4 c + r], r > c; U is L from the other end, at the last element.
*/
INLINE void invert(const double *n, int step, double *inverse) {
  const double n20 = n[step * 2], n21 = n[step * 6], n32 = n[step * 11];
  inverse[step] = n[step];
  inverse[step * 3] = n32;
  inverse[step * 6] = n20;
  inverse[step * 7] = n[step * 3] + n32 * n20;
  inverse[step * 10] = n21;
  inverse[step * 11] = n[step * 7] + n32 * n21;
}

static void invert_blocks(const Sparse *sparse) {
  const int all = blocks_of(sparse) * OWN;
  double *lower = sparse->lower.value, *upper = sparse->upper.value + OWN - 1;
  for (int i = 0; i < all; i += OWN) {
    invert(lower + all + i, 1, lower + i);
    invert(upper + all + i, -1, upper + i);
  }
}

/* L D U, row by row: what is left of the pivot becomes L D, of which L is kept, the rest D U. */
void sparse_factor(Sparse *sparse, const double *value, Scales scales, double *smallest,
                   double *steady) {
  const Factor *lower = &sparse->lower, *upper = &sparse->upper;
  double *w = sparse->work, *reciprocal = aligned(sparse->reciprocal), poison = 0;
  *smallest = *steady = 1;
  for (int k = 0; k < sparse->rank; k++)
    sparse->scale[k] = scales.column[sparse->column_of[k]];
  for (int k = 0; k < sparse->rank; k++) {
    scatter(sparse, k, value);
    for (int l = lower->start[k]; l < lower->start[k + 1]; l++) {
      const int j = lower->index.items[l];
      const double f = w[j];
      lower->value[lower->place[l]] = -f * reciprocal[j];
      w[j] = 0;
      for (int u = upper->start[j]; u < upper->start[j + 1]; u++)
        w[upper->index.items[u]] += f * sparse->u_value[u];
    }
    const double pivot = fabs(w[k]) * sparse->scale[k], row = scales.row[sparse->row_of[k]];
    reciprocal[k] = 1 / w[k];
    const double largest = gather(sparse, k, reciprocal[k]);
    w[k] = 0;
    if (pivot * row < *smallest) *smallest = pivot * row;
    if (pivot < *steady * largest) *steady = pivot / largest;
    poison += 0 * pivot;
  }
  invert_blocks(sparse);
  if (poison != 0 || !vector_finite(sparse->u_value, upper->index.count)) *steady = 0;
}

/* --- solving ----------------------------------------------------------------------------- */

/*
** Along a chain, solutions fall off by some factor from body to body, down to the subnormal numbers, where that factor is
** rounded away, and arithmetic is a hundred times slower (a chain of 1000 rods: a tenth of a step's time).  So they end at
** zero before.
*/
static const double LEAST = 1e-280;

typedef long long Bits __attribute__((vector_size(LANES * sizeof(long long))));

INLINE void end_at_zero(Tile *x) {
  const Bits nothing = (Bits)(*x < LEAST) & (Bits)(*x > -LEAST);
  *x = (Tile)((Bits)*x & ~nothing);
}

/* What a block has from columns that are not its own; in two sums, as one would wait for itself (arm: 715, 660 ns). */
INLINE void add_terms(const Factor *factor, const Tile *value, const double *x, int block,
                      Tile *sum) {
  const int *from = factor->from.items, end = factor->begin[block + 1];
  int i = factor->begin[block];
  Tile other = {0};
  for (; i + 1 < end; i += 2) {
    *sum += value[i] * x[from[i]];
    other += value[i + 1] * x[from[i + 1]];
  }
  *sum += other;
  if (i < end) *sum += value[i] * x[from[i]];
}

/*
** Block by block: sums stay in registers, and those terms come last that have been found last.  Then what the block has
** of its own, by halves (chain of 10: 190 ns; one row after the other: 235).
*/
INLINE void forward(const Factor *lower, int blocks, Tile *y) {
  const Tile *own = (const Tile *)lower->value, *value = own + 2 * blocks * (LANES - 1);
  for (int b = 0; b < blocks; b++, own += LANES - 1) {
    Tile sum = y[b];
    add_terms(lower, value, (const double *)y, b, &sum);
    const Tile half = sum + own[0] * (Tile){sum[0], sum[0], sum[2], sum[2]};
    y[b] = (half + own[1] * sum[0]) + own[2] * half[1];
  }
}

INLINE void backward(const Factor *upper, int blocks, const Tile *reciprocal, Tile *y) {
  const Tile *own = (const Tile *)upper->value + blocks * (LANES - 1);
  const Tile *value = own + blocks * (LANES - 1);
  for (int b = blocks - 1; b >= 0; b--) {
    Tile sum = y[b] * reciprocal[b];
    add_terms(upper, value, (const double *)y, b, &sum);
    own -= LANES - 1;
    const Tile half = sum + own[2] * (Tile){sum[1], sum[1], sum[3], sum[3]};
    y[b] = (half + own[1] * sum[3]) + own[0] * half[2];
  }
}

VECTOR_CLONES
void sparse_solve(Sparse *sparse, double *x) {
  const int blocks = blocks_of(sparse), *row = sparse->row_of, *column = sparse->column_of;
  Tile *y = (Tile *)aligned(sparse->unknowns);
  for (int b = 0; b < blocks; b++, row += LANES)
    y[b] = (Tile){x[row[0]], x[row[1]], x[row[2]], x[row[3]]};
  forward(&sparse->lower, blocks, y);
  backward(&sparse->upper, blocks, (const Tile *)aligned(sparse->reciprocal), y);
  for (int b = 0; b < blocks; b++, column += LANES) {
    Tile found = y[b];
    end_at_zero(&found);
    x[column[3]] = found[3]; /* from the last, which may stand for nothing */
    x[column[2]] = found[2];
    x[column[1]] = found[1];
    x[column[0]] = found[0];
  }
  for (int k = blocks * LANES; k < sparse->size; k++)
    x[sparse->column_of[k]] = 0;
}
