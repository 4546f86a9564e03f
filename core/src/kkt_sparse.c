/* Sparse LU with a fixed order: memory, and the patterns of L and U, by rows and by blocks. */
#include <limits.h>
#include <string.h>

#include "kkt_sparse_parts.h"

/* --- memory ------------------------------------------------------------------------------ */

/* One Tile more is for the columns without a pivot. */
static size_t work_size(size_t columns) { return (columns + 1) * LANES + ROOM; }

Sparse *sparse_new(sarrus_Memory memory, int size, const int *start, const int *column) {
  Sparse *sparse = memory.alloc(memory.ud, NULL, 0, sizeof *sparse);
  if (sparse == NULL) return NULL;
  *sparse = (Sparse){.memory = memory, .size = size};
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
  sparse->lower.turn = take(sparse, n / LANES + 1, sizeof(int));
  sparse->upper.turn = take(sparse, n / LANES + 1, sizeof(int));
  sparse->solved = take(sparse, n / LANES + 1, sizeof(int));
  sparse->slot = take(sparse, n, sizeof(int));
  sparse->reciprocal = take(sparse, n + ROOM, sizeof(double));
  sparse->scale = take(sparse, n, sizeof(double));
  sparse->work = take(sparse, work_size(n), sizeof(double));
  sparse->unknowns = take(sparse, n + ROOM, sizeof(double));
  sparse->mark = take(sparse, n, sizeof(int));
  sparse->target = take(sparse, (size_t)start[size], sizeof(int));
  sparse->at = take(sparse, (size_t)start[size], sizeof(int));
  if (sparse->status == SARRUS_OK) {
    memset(sparse->work, 0, work_size(n) * sizeof(double));
    sparse_place_rest(sparse);
    return sparse;
  }
  sparse_free(sparse);
  return NULL;
}

static void free_factor(Sparse *sparse, Factor *factor) {
  give(sparse, factor->start, (size_t)sparse->size, sizeof(int));
  give(sparse, factor->begin, (size_t)sparse->size / LANES + 1, sizeof(int));
  give(sparse, factor->turn, (size_t)sparse->size / LANES + 1, sizeof(int));
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
  give(sparse, sparse->solved, n / LANES + 1, sizeof(int));
  give(sparse, sparse->reciprocal, n + ROOM, sizeof(double));
  give(sparse, sparse->scale, n, sizeof(double));
  give(sparse, sparse->work, work_size(n), sizeof(double));
  give(sparse, sparse->unknowns, n + ROOM, sizeof(double));
  give(sparse, sparse->mark, n, sizeof(int));
  give(sparse, sparse->target, (size_t)sparse->start[n], sizeof(int));
  give(sparse, sparse->at, (size_t)sparse->start[n], sizeof(int));
  free_factor(sparse, &sparse->lower);
  free_factor(sparse, &sparse->upper);
  ARRAY_RELEASE(sparse->memory, sparse->u_value, sparse->u_capacity);
  ARRAY_RELEASE(sparse->memory, sparse->u_at, sparse->u_at_capacity);
  sparse->memory.alloc(sparse->memory.ud, sparse, sizeof *sparse, 0);
}

int sparse_rank(const Sparse *sparse) { return sparse->rank; }
void sparse_prefer_diagonal(Sparse *sparse, int prefer) { sparse->symmetric = prefer; }
int *sparse_rows(Sparse *sparse) { return sparse->row_of; }
int *sparse_columns(Sparse *sparse) { return sparse->column_of; }
double sparse_least_chosen(const Sparse *sparse) { return sparse->least; }
int *sparse_scratch(Sparse *sparse) { return sparse->mark; }
void sparse_forget(Sparse *sparse) {
  sparse->rank = 0;
  sparse_place_rest(sparse);
}

/* --- the patterns of L and U ------------------------------------------------------------- */

/* Sort (Shell's method) the items of a list from number `from` on. */
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

/* Note that row k has an entry in column j. */
static void meet(Sparse *sparse, int k, int j) {
  if (j >= sparse->rank || sparse->mark[j] == k) return;
  sparse->mark[j] = k;
  append(sparse, j < k ? &sparse->lower.index : &sparse->upper.index, j);
}

/*
** The pattern of row k of L and U: the columns of row k of A and, for each column j < k among them,
** the columns of row j of U.
*/
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
  sort(&lower->index, l); /* row j of U adds columns > j only, which are visited later */
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

/* For the rows of one block: list the columns of their entries, and give each column its Tile. */
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

/*
** Find where in the Tiles the entries of row k are.  Inside its own block, L has entries only left
** of the diagonal, U only right of it: L has no Tile for a block's last column, U none for its
** first.
*/
static void place_row(const Sparse *sparse, Factor *factor, int k) {
  const int own = (blocks_of(sparse) + k / LANES) * (LANES - 1) - (factor == &sparse->upper);
  for (int e = factor->start[k]; e < factor->start[k + 1]; e++) {
    const int j = factor->index.items[e];
    const int tile = j / LANES == k / LANES ? own + j % LANES : sparse->slot[j];
    factor->place[e] = tile * LANES + k % LANES;
  }
}

/*
** The last block of LANES rows may reach beyond the rank.  It does not matter which rows stand
** there, since their reciprocal pivots are 0, and so are their solutions.  Places beyond the matrix
** refer to its last row and column, whose true solution is stored after theirs.
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

/*
** A block can be solved once those that it needs are; right after them it would wait for them,
** since a processor works at several blocks at a time.  So of the next few blocks, in the order of
** pivots, the first takes its turn whose last need had its own WAIT turns before, or else the one
** for which that was longest ago.  Sums within a block keep their order, so bits do not change
** (time block after block by time in turns: chain of 10 and arm 1.04, chain of 100 1.13).
*/
enum { WAIT = 4, WINDOW = 32 };

/* The turn of the last block that this one needs; INT_MAX where one has had none yet. */
static int last_need(const Sparse *sparse, const Factor *factor, int block) {
  int last = -WAIT;
  for (int i = factor->begin[block]; i < factor->begin[block + 1]; i++) {
    const int turn = sparse->solved[factor->from.items[i] / LANES];
    if (turn < 0) return INT_MAX;
    if (turn > last) last = turn;
  }
  return last;
}

static int next_block(const Sparse *sparse, const Factor *factor, const int *waiting, int count,
                      int turn) {
  int best = 0, least = INT_MAX;
  for (int i = 0; i < count; i++) {
    const int last = last_need(sparse, factor, waiting[i]);
    if (last < least) {
      least = last;
      best = i;
    }
    if (last <= turn - WAIT) return i;
  }
  return best;
}

static void plan_turns(Sparse *sparse, Factor *factor) {
  const int blocks = blocks_of(sparse), upper = factor == &sparse->upper;
  int waiting[WINDOW], count = 0, next = 0;
  for (int b = 0; b < blocks; b++)
    sparse->solved[b] = -1;
  for (int turn = 0; turn < blocks; turn++) {
    for (; count < WINDOW && next < blocks; next++)
      waiting[count++] = upper ? blocks - 1 - next : next;
    const int i = next_block(sparse, factor, waiting, count, turn);
    factor->turn[turn] = waiting[i];
    sparse->solved[waiting[i]] = turn;
    memmove(waiting + i, waiting + i + 1, (size_t)(--count - i) * sizeof *waiting);
  }
}

/* The patterns of L and U by rows. */
static sarrus_Status find_patterns(Sparse *sparse, int rank) {
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

static double count_products(const Sparse *sparse) {
  const IntList *lower = &sparse->lower.index;
  double count = 0;
  for (int l = 0; l < lower->count; l++) {
    const int *start = sparse->upper.start + lower->items[l];
    count += 1 + start[1] - start[0];
  }
  return count;
}

/* Where the entries of row k are in work. */
static void locate_row(const Sparse *sparse, int k) {
  const int row = sparse->row_of[k];
  for (int i = sparse->start[row]; i < sparse->start[row + 1]; i++)
    sparse->at[i] = sparse->target[i] * LANES + k % LANES;
}

/* -U by rows. */
static void reserve_upper(Sparse *sparse) {
  const int count = sparse->upper.index.count;
  if (!ARRAY_RESERVE(sparse->memory, sparse->u_value, sparse->u_capacity, count) ||
      !ARRAY_RESERVE(sparse->memory, sparse->u_at, sparse->u_at_capacity, count)) {
    sparse->status = SARRUS_NOMEM;
    return;
  }
  for (int u = 0; u < count; u++)
    sparse->u_at[u] = sparse->upper.index.items[u] * LANES;
}

sarrus_Status sparse_follow(Sparse *sparse, int rank) {
  SARRUS_TRY(find_patterns(sparse, rank));
  sparse->products = count_products(sparse);
  for (int i = 0; i < sparse->start[sparse->size]; i++) {
    const int place = sparse->column_place[sparse->column[i]];
    sparse->target[i] = place < rank ? place : sparse->size;
  }
  for (int k = 0; k < rank; k++)
    locate_row(sparse, k);
  fill_last_block(sparse);
  plan_blocks(sparse, &sparse->lower);
  if (sparse->status == SARRUS_OK) plan_blocks(sparse, &sparse->upper);
  if (sparse->status == SARRUS_OK) plan_turns(sparse, &sparse->lower);
  if (sparse->status == SARRUS_OK) plan_turns(sparse, &sparse->upper);
  if (sparse->status == SARRUS_OK) reserve_upper(sparse);
  if (sparse->status < 0) sparse->rank = 0;
  return sparse->status;
}

void sparse_cost(const Sparse *sparse, double *factor, double *solve) {
  *factor = sparse->products;
  *solve = (double)sparse->lower.index.count + sparse->upper.index.count + sparse->rank;
}
