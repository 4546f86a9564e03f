#include "kkt_sparse.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "array.h"

/* An entry may be a pivot if it is at least this part of the largest in its row. */
static const double THRESHOLD = 0.05;
/* Of a matrix scaled to about 1, entries below this are rounding: what is left is dependent. */
static const double NOTHING = 1e-10;
/* So many rows of least length are looked at for a pivot. */
enum { CANDIDATES = 3 };

typedef struct IntList {
  int *items;
  int count, capacity;
} IntList;

/* One row of what is still to be eliminated. */
typedef struct Line {
  int *column;
  double *value;
  int count, column_capacity, value_capacity;
  int next, previous; /* rows of the same length */
  int done;           /* it has had its pivot */
} Line;

struct Sparse {
  sarrus_Memory memory;
  int size, rank;
  const int *start, *column;
  int *row_of, *column_of;  /* pivot -> row, column */
  int *column_place;        /* column -> pivot */
  int *l_start, *u_start;   /* per pivot, rank + 1 */
  IntList l_index, u_index; /* pivots below, above */
  double *l_value, *u_value;
  int l_capacity, u_capacity;
  double *reciprocal;
  double *work;     /* of factor: zeros between calls */
  double *unknowns; /* of solve, by pivot */
  int *next;        /* of follow: a sorted list of pivots */
  sarrus_Status status;
};

/* --- memory ------------------------------------------------------------------------------ */

static void *take(Sparse *sparse, size_t count, size_t size) {
  void *block = sparse->memory.alloc(sparse->memory.ud, NULL, 0, (count + 1) * size);
  if (block == NULL) sparse->status = SARRUS_NOMEM;
  return block;
}

static void give(Sparse *sparse, void *block, size_t count, size_t size) {
  if (block != NULL) sparse->memory.alloc(sparse->memory.ud, block, (count + 1) * size, 0);
}

static void append(Sparse *sparse, IntList *list, int item) {
  if (ARRAY_RESERVE(sparse->memory, list->items, list->capacity, list->count + 1))
    list->items[list->count++] = item;
  else
    sparse->status = SARRUS_NOMEM;
}

static void clear(Sparse *sparse, IntList *list) {
  ARRAY_RELEASE(sparse->memory, list->items, list->capacity);
  *list = (IntList){NULL, 0, 0};
}

Sparse *sparse_new(sarrus_Memory memory, int size, const int *start, const int *column) {
  Sparse *sparse = memory.alloc(memory.ud, NULL, 0, sizeof *sparse);
  if (sparse == NULL) return NULL;
  *sparse = (Sparse){.memory = memory, .size = size, .start = start, .column = column};
  const size_t n = (size_t)size;
  sparse->row_of = take(sparse, n, sizeof(int));
  sparse->column_of = take(sparse, n, sizeof(int));
  sparse->column_place = take(sparse, n, sizeof(int));
  sparse->l_start = take(sparse, n, sizeof(int));
  sparse->u_start = take(sparse, n, sizeof(int));
  sparse->reciprocal = take(sparse, n, sizeof(double));
  sparse->work = take(sparse, n, sizeof(double));
  sparse->unknowns = take(sparse, n, sizeof(double));
  sparse->next = take(sparse, n, sizeof(int));
  if (sparse->status == SARRUS_OK) {
    memset(sparse->work, 0, n * sizeof(double));
    return sparse;
  }
  sparse_free(sparse);
  return NULL;
}

void sparse_free(Sparse *sparse) {
  if (sparse == NULL) return;
  const size_t n = (size_t)sparse->size;
  give(sparse, sparse->row_of, n, sizeof(int));
  give(sparse, sparse->column_of, n, sizeof(int));
  give(sparse, sparse->column_place, n, sizeof(int));
  give(sparse, sparse->l_start, n, sizeof(int));
  give(sparse, sparse->u_start, n, sizeof(int));
  give(sparse, sparse->reciprocal, n, sizeof(double));
  give(sparse, sparse->work, n, sizeof(double));
  give(sparse, sparse->unknowns, n, sizeof(double));
  give(sparse, sparse->next, n, sizeof(int));
  clear(sparse, &sparse->l_index);
  clear(sparse, &sparse->u_index);
  ARRAY_RELEASE(sparse->memory, sparse->l_value, sparse->l_capacity);
  ARRAY_RELEASE(sparse->memory, sparse->u_value, sparse->u_capacity);
  sparse->memory.alloc(sparse->memory.ud, sparse, sizeof *sparse, 0);
}

int sparse_rank(const Sparse *sparse) { return sparse->rank; }
int *sparse_rows(Sparse *sparse) { return sparse->row_of; }
int *sparse_columns(Sparse *sparse) { return sparse->column_of; }
int *sparse_scratch(Sparse *sparse) { return sparse->next; }

/* --- the order of elimination ------------------------------------------------------------ */

/* The matrix under elimination: its rows, which rows a column occurs in, rows by length. */
typedef struct Elimination {
  Sparse *sparse;
  Line *lines;
  IntList *rows_of; /* per column; rows that lost it since stay in the list */
  int *length;      /* per column: how many rows it is in */
  int *first;       /* per length: a row, or -1 */
  int *place;       /* scatter of one row: column -> where in it, or -1 */
  int shortest;
} Elimination;

static void link_row(Elimination *e, int row) {
  Line *line = &e->lines[row];
  line->previous = -1;
  line->next = e->first[line->count];
  if (line->next >= 0) e->lines[line->next].previous = row;
  e->first[line->count] = row;
  if (line->count < e->shortest) e->shortest = line->count;
}

static void unlink_row(Elimination *e, int row) {
  const Line *line = &e->lines[row];
  if (line->next >= 0) e->lines[line->next].previous = line->previous;
  if (line->previous >= 0)
    e->lines[line->previous].next = line->next;
  else
    e->first[line->count] = line->next;
}

static void add_entry(Elimination *e, int row, int column, double value) {
  Line *line = &e->lines[row];
  const sarrus_Memory memory = e->sparse->memory;
  if (!ARRAY_RESERVE(memory, line->column, line->column_capacity, line->count + 1) ||
      !ARRAY_RESERVE(memory, line->value, line->value_capacity, line->count + 1)) {
    e->sparse->status = SARRUS_NOMEM;
    return;
  }
  line->column[line->count] = column;
  line->value[line->count++] = value;
  append(e->sparse, &e->rows_of[column], row);
  e->length[column]++;
}

static void remove_entry(Elimination *e, int row, int at) {
  Line *line = &e->lines[row];
  e->length[line->column[at]]--;
  line->count--;
  line->column[at] = line->column[line->count];
  line->value[at] = line->value[line->count];
}

static int find(const Line *line, int column) {
  for (int i = 0; i < line->count; i++)
    if (line->column[i] == column) return i;
  return -1;
}

/* The best pivot of one row, if its Markowitz count is below *least. */
static void try_row(const Elimination *e, int row, long long *least, int *best_row, int *best_at) {
  const Line *line = &e->lines[row];
  double largest = 0;
  for (int i = 0; i < line->count; i++)
    largest = fmax(largest, fabs(line->value[i]));
  if (largest <= NOTHING) return;
  for (int i = 0; i < line->count; i++) {
    const long long count = (long long)(line->count - 1) * (e->length[line->column[i]] - 1);
    if (fabs(line->value[i]) < THRESHOLD * largest || count >= *least) continue;
    *least = count;
    *best_row = row;
    *best_at = i;
  }
}

/* Shortest rows first; 0 where nothing is left but rounding. */
static int choose_pivot(Elimination *e, int *row, int *at) {
  long long least = LLONG_MAX;
  int seen = 0;
  while (e->shortest < e->sparse->size && e->first[e->shortest] < 0)
    e->shortest++;
  for (int length = e->shortest; length <= e->sparse->size && seen < CANDIDATES; length++) {
    for (int r = e->first[length]; r >= 0 && seen < CANDIDATES; r = e->lines[r].next) {
      try_row(e, r, &least, row, at);
      if (least < LLONG_MAX) seen++;
      if (least == 0) return 1;
    }
  }
  return seen > 0;
}

/* row -= f * pivot row, f chosen so that `column` vanishes; `place` is the scatter of the row. */
static void reduce(Elimination *e, int row, const Line *pivot, int column, double divisor) {
  Line *line = &e->lines[row];
  const int at = find(line, column);
  if (at < 0) return; /* a stale occurrence */
  const double f = line->value[at] / divisor;
  unlink_row(e, row);
  remove_entry(e, row, at);
  for (int i = 0; i < line->count; i++)
    e->place[line->column[i]] = i;
  for (int i = 0; i < pivot->count; i++) {
    const int c = pivot->column[i];
    if (c == column) continue;
    if (e->place[c] >= 0)
      line->value[e->place[c]] -= f * pivot->value[i];
    else
      add_entry(e, row, c, -f * pivot->value[i]);
  }
  for (int i = 0; i < line->count; i++)
    e->place[line->column[i]] = -1;
  link_row(e, row);
}

static void eliminate(Elimination *e, int row, int at, int index) {
  Sparse *sparse = e->sparse;
  Line *pivot = &e->lines[row];
  const int column = pivot->column[at];
  sparse->row_of[index] = row;
  sparse->column_of[index] = column;
  unlink_row(e, row);
  pivot->done = 1;
  for (int i = 0; i < pivot->count; i++)
    e->length[pivot->column[i]]--;
  const IntList rows = e->rows_of[column]; /* grows for other columns only */
  for (int i = 0; i < rows.count && sparse->status == SARRUS_OK; i++)
    if (!e->lines[rows.items[i]].done) reduce(e, rows.items[i], pivot, column, pivot->value[at]);
}

static void load(Elimination *e, const double *value) {
  Sparse *sparse = e->sparse;
  for (int i = 0; i <= sparse->size; i++)
    e->first[i] = -1;
  for (int i = 0; i < sparse->size; i++) {
    e->place[i] = -1;
    for (int k = sparse->start[i]; k < sparse->start[i + 1]; k++)
      add_entry(e, i, sparse->column[k], value[k]);
  }
  e->shortest = sparse->size;
  for (int i = 0; i < sparse->size && sparse->status == SARRUS_OK; i++)
    link_row(e, i);
}

static void open_elimination(Elimination *e) {
  Sparse *sparse = e->sparse;
  const size_t n = (size_t)sparse->size;
  e->lines = take(sparse, n, sizeof *e->lines);
  e->rows_of = take(sparse, n, sizeof *e->rows_of);
  e->length = take(sparse, n, sizeof(int));
  e->first = take(sparse, n + 1, sizeof(int));
  e->place = take(sparse, n, sizeof(int));
  if (sparse->status < 0) return;
  memset(e->lines, 0, n * sizeof *e->lines);
  memset(e->rows_of, 0, n * sizeof *e->rows_of);
  memset(e->length, 0, n * sizeof(int));
}

static void close_elimination(Elimination *e) {
  Sparse *sparse = e->sparse;
  const size_t n = (size_t)sparse->size;
  for (int i = 0; e->lines != NULL && e->rows_of != NULL && i < sparse->size; i++) {
    Line *line = &e->lines[i];
    ARRAY_RELEASE(sparse->memory, line->column, line->column_capacity);
    ARRAY_RELEASE(sparse->memory, line->value, line->value_capacity);
    clear(sparse, &e->rows_of[i]);
  }
  give(sparse, e->lines, n, sizeof *e->lines);
  give(sparse, e->rows_of, n, sizeof *e->rows_of);
  give(sparse, e->length, n, sizeof(int));
  give(sparse, e->first, n + 1, sizeof(int));
  give(sparse, e->place, n, sizeof(int));
}

/* Rows and columns without a pivot go to the end, in their own order. */
static void place_rest(Sparse *sparse, int *taken) {
  for (int side = 0; side < 2; side++) {
    int *order = side == 0 ? sparse->row_of : sparse->column_of, next = sparse->rank;
    for (int i = 0; i < sparse->size; i++)
      taken[i] = 0;
    for (int k = 0; k < sparse->rank; k++)
      taken[order[k]] = 1;
    for (int i = 0; i < sparse->size; i++)
      if (!taken[i]) order[next++] = i;
  }
}

sarrus_Status sparse_order(Sparse *sparse, const double *value) {
  Elimination e = {.sparse = sparse};
  int row = 0, at = 0, rank = 0;
  sparse->status = SARRUS_OK;
  open_elimination(&e);
  if (sparse->status == SARRUS_OK) load(&e, value);
  while (sparse->status == SARRUS_OK && rank < sparse->size && choose_pivot(&e, &row, &at))
    eliminate(&e, row, at, rank++);
  sparse->rank = rank;
  if (sparse->status == SARRUS_OK) place_rest(sparse, e.place);
  close_elimination(&e);
  return sparse->status < 0 ? sparse->status : sparse_follow(sparse, rank);
}

/* --- the patterns of L and U ------------------------------------------------------------- */

/* Put an item into the sorted list that begins behind `from`; answers it. */
static int insert(int *next, int from, int item) {
  while (next[from] < item)
    from = next[from];
  if (next[from] != item) {
    next[item] = next[from];
    next[from] = item;
  }
  return item;
}

/*
** Row k of L U has the columns of row k of A and, for each of them left of k, those of that row of U.  The list is
** kept in next[], where next[size] is its head and size its end.
*/
static void follow_row(Sparse *sparse, int k) {
  int *next = sparse->next;
  const int head = sparse->size, row = sparse->row_of[k];
  next[head] = sparse->size;
  for (int i = sparse->start[row]; i < sparse->start[row + 1]; i++) {
    const int place = sparse->column_place[sparse->column[i]];
    if (place < sparse->rank) insert(next, head, place);
  }
  insert(next, head, k);
  for (int j = next[head]; j < k; j = next[j]) {
    append(sparse, &sparse->l_index, j);
    for (int i = sparse->u_start[j], from = j; i < sparse->u_start[j + 1]; i++)
      from = insert(next, from, sparse->u_index.items[i]);
  }
  for (int j = next[k]; j < sparse->size; j = next[j])
    append(sparse, &sparse->u_index, j);
  sparse->l_start[k + 1] = sparse->l_index.count;
  sparse->u_start[k + 1] = sparse->u_index.count;
}

sarrus_Status sparse_follow(Sparse *sparse, int rank) {
  sparse->rank = rank;
  sparse->status = SARRUS_OK;
  sparse->l_index.count = sparse->u_index.count = 0;
  sparse->l_start[0] = sparse->u_start[0] = 0;
  for (int k = 0; k < sparse->size; k++)
    sparse->column_place[sparse->column_of[k]] = k;
  for (int k = 0; k < rank && sparse->status == SARRUS_OK; k++)
    follow_row(sparse, k);
  if (!ARRAY_RESERVE(sparse->memory, sparse->l_value, sparse->l_capacity,
                     sparse->l_index.count + 1) ||
      !ARRAY_RESERVE(sparse->memory, sparse->u_value, sparse->u_capacity,
                     sparse->u_index.count + 1))
    sparse->status = SARRUS_NOMEM;
  return sparse->status;
}

void sparse_cost(const Sparse *sparse, double *factor, double *solve) {
  *factor = 0;
  for (int l = 0; l < sparse->l_index.count; l++) {
    const int j = sparse->l_index.items[l];
    *factor += 1 + sparse->u_start[j + 1] - sparse->u_start[j];
  }
  *solve = (double)sparse->l_index.count + sparse->u_index.count + sparse->rank;
}

/* --- numbers ----------------------------------------------------------------------------- */

/* Row by row: what is left of the pivot becomes L, the pivot's reciprocal is kept, the rest is U. */
void sparse_factor(Sparse *sparse, const double *value, double *smallest) {
  double *w = sparse->work;
  *smallest = 1;
  for (int k = 0; k < sparse->rank; k++) {
    const int row = sparse->row_of[k];
    for (int i = sparse->start[row]; i < sparse->start[row + 1]; i++) {
      const int place = sparse->column_place[sparse->column[i]];
      if (place < sparse->rank) w[place] += value[i];
    }
    for (int l = sparse->l_start[k]; l < sparse->l_start[k + 1]; l++) {
      const int j = sparse->l_index.items[l];
      const double f = w[j] * sparse->reciprocal[j];
      sparse->l_value[l] = f;
      w[j] = 0;
      for (int u = sparse->u_start[j]; u < sparse->u_start[j + 1]; u++)
        w[sparse->u_index.items[u]] -= f * sparse->u_value[u];
    }
    *smallest = fmin(*smallest, fabs(w[k]));
    sparse->reciprocal[k] = 1 / w[k];
    w[k] = 0;
    for (int u = sparse->u_start[k]; u < sparse->u_start[k + 1]; u++) {
      sparse->u_value[u] = w[sparse->u_index.items[u]];
      w[sparse->u_index.items[u]] = 0;
    }
  }
}

void sparse_solve(Sparse *sparse, double *x) {
  double *y = sparse->unknowns;
  for (int k = 0; k < sparse->rank; k++) {
    double sum = x[sparse->row_of[k]];
    for (int l = sparse->l_start[k]; l < sparse->l_start[k + 1]; l++)
      sum -= sparse->l_value[l] * y[sparse->l_index.items[l]];
    y[k] = sum;
  }
  for (int k = sparse->rank - 1; k >= 0; k--) {
    double sum = y[k];
    for (int u = sparse->u_start[k]; u < sparse->u_start[k + 1]; u++)
      sum -= sparse->u_value[u] * y[sparse->u_index.items[u]];
    y[k] = sum * sparse->reciprocal[k];
  }
  for (int k = 0; k < sparse->size; k++)
    x[sparse->column_of[k]] = k < sparse->rank ? y[k] : 0;
}
