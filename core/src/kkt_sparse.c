/* Sparse LU with a fixed order: memory, patterns, numbers. */
#include <math.h>
#include <string.h>

#include "kkt_sparse_parts.h"

/* --- memory ------------------------------------------------------------------------------ */

Sparse *sparse_new(sarrus_Memory memory, int size, const int *start, const int *column,
                   int symmetric) {
  Sparse *sparse = memory.alloc(memory.ud, NULL, 0, sizeof *sparse);
  if (sparse == NULL) return NULL;
  *sparse = (Sparse){.memory = memory, .size = size, .symmetric = symmetric};
  sparse->start = start;
  sparse->column = column;
  const size_t n = (size_t)size;
  sparse->row_of = take(sparse, n, sizeof(int));
  sparse->column_of = take(sparse, n, sizeof(int));
  sparse->column_place = take(sparse, n, sizeof(int));
  sparse->l_start = take(sparse, n, sizeof(int));
  sparse->u_start = take(sparse, n, sizeof(int));
  sparse->below_start = take(sparse, n, sizeof(int));
  sparse->reciprocal = take(sparse, n, sizeof(double));
  sparse->scale = take(sparse, n, sizeof(double));
  sparse->work = take(sparse, n, sizeof(double));
  sparse->unknowns = take(sparse, n, sizeof(double));
  sparse->mark = take(sparse, n, sizeof(int));
  if (sparse->status == SARRUS_OK) {
    memset(sparse->work, 0, n * sizeof(double));
    sparse_place_rest(sparse);
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
  give(sparse, sparse->below_start, n, sizeof(int));
  give(sparse, sparse->reciprocal, n, sizeof(double));
  give(sparse, sparse->scale, n, sizeof(double));
  give(sparse, sparse->work, n, sizeof(double));
  give(sparse, sparse->unknowns, n, sizeof(double));
  give(sparse, sparse->mark, n, sizeof(int));
  clear(sparse, &sparse->l_index);
  clear(sparse, &sparse->u_index);
  ARRAY_RELEASE(sparse->memory, sparse->below, sparse->below_capacity);
  ARRAY_RELEASE(sparse->memory, sparse->l_place, sparse->place_capacity);
  ARRAY_RELEASE(sparse->memory, sparse->l_value, sparse->l_capacity);
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
  append(sparse, j < k ? &sparse->l_index : &sparse->u_index, j);
}

/* Row k of L U has the columns of row k of A and, for each of them left of k, those of that row of U. */
static void follow_row(Sparse *sparse, int k) {
  const int row = sparse->row_of[k], l = sparse->l_start[k], u = sparse->u_start[k];
  sparse->mark[k] = k;
  for (int i = sparse->start[row]; i < sparse->start[row + 1]; i++)
    meet(sparse, k, sparse->column_place[sparse->column[i]]);
  for (int i = l; i < sparse->l_index.count; i++) {
    const int j = sparse->l_index.items[i];
    for (int at = sparse->u_start[j]; at < sparse->u_start[j + 1]; at++)
      meet(sparse, k, sparse->u_index.items[at]);
  }
  sort(&sparse->l_index, l); /* j before the columns that come from its row of U */
  sort(&sparse->u_index, u);
  sparse->l_start[k + 1] = sparse->l_index.count;
  sparse->u_start[k + 1] = sparse->u_index.count;
}

static int reserve(Sparse *sparse) {
  const int l = sparse->l_index.count + 1, u = sparse->u_index.count + 1;
  return ARRAY_RESERVE(sparse->memory, sparse->below, sparse->below_capacity, l) &&
         ARRAY_RESERVE(sparse->memory, sparse->l_place, sparse->place_capacity, l) &&
         ARRAY_RESERVE(sparse->memory, sparse->l_value, sparse->l_capacity, l) &&
         ARRAY_RESERVE(sparse->memory, sparse->u_value, sparse->u_capacity, u);
}

/* The columns of L from its rows; start[j + 1] grows from where column j begins to where it ends. */
static void transpose(Sparse *sparse) {
  int *start = sparse->below_start;
  for (int k = 0; k <= sparse->rank; k++)
    start[k] = 0;
  for (int l = 0; l < sparse->l_index.count; l++)
    if (sparse->l_index.items[l] + 2 <= sparse->rank) start[sparse->l_index.items[l] + 2]++;
  for (int k = 1; k <= sparse->rank; k++)
    start[k] += start[k - 1];
  for (int k = 0; k < sparse->rank; k++) {
    for (int l = sparse->l_start[k]; l < sparse->l_start[k + 1]; l++) {
      const int at = start[sparse->l_index.items[l] + 1]++;
      sparse->below[at] = k;
      sparse->l_place[l] = at;
    }
  }
}

sarrus_Status sparse_follow(Sparse *sparse, int rank) {
  sparse->rank = rank;
  sparse->status = SARRUS_OK;
  sparse->l_index.count = sparse->u_index.count = 0;
  sparse->l_start[0] = sparse->u_start[0] = 0;
  for (int k = 0; k < sparse->size; k++) {
    sparse->column_place[sparse->column_of[k]] = k;
    sparse->mark[k] = -1;
  }
  for (int k = 0; k < rank && sparse->status == SARRUS_OK; k++)
    follow_row(sparse, k);
  if (sparse->status == SARRUS_OK && !reserve(sparse)) sparse->status = SARRUS_NOMEM;
  if (sparse->status < 0)
    sparse->rank = 0;
  else
    transpose(sparse);
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

/* Put row k of A into the work space, by the places of its columns. */
static void scatter(Sparse *sparse, int k, const double *value) {
  const int row = sparse->row_of[k];
  for (int i = sparse->start[row]; i < sparse->start[row + 1]; i++) {
    const int place = sparse->column_place[sparse->column[i]];
    if (place < sparse->rank) sparse->work[place] = value[i];
  }
}

/* Collect row k of D U, leaving zeros behind, as row k of U; answers the largest of it, scaled. */
static double gather(Sparse *sparse, int k, double *poison) {
  double *w = sparse->work, largest = 0;
  for (int u = sparse->u_start[k]; u < sparse->u_start[k + 1]; u++) {
    const int j = sparse->u_index.items[u];
    const double size = fabs(w[j]) * sparse->scale[j];
    sparse->u_value[u] = w[j] * sparse->reciprocal[k];
    *poison += 0 * w[j];
    w[j] = 0;
    if (size > largest) largest = size;
  }
  return largest;
}

/* L D U, row by row: what is left of the pivot becomes L D, of which L is kept, the rest D U. */
void sparse_factor(Sparse *sparse, const double *value, Scales scales, double *smallest,
                   double *steady) {
  double *w = sparse->work, poison = 0;
  *smallest = *steady = 1;
  for (int k = 0; k < sparse->rank; k++)
    sparse->scale[k] = scales.column[sparse->column_of[k]];
  for (int k = 0; k < sparse->rank; k++) {
    scatter(sparse, k, value);
    for (int l = sparse->l_start[k]; l < sparse->l_start[k + 1]; l++) {
      const int j = sparse->l_index.items[l];
      const double f = w[j];
      sparse->l_value[sparse->l_place[l]] = f * sparse->reciprocal[j];
      w[j] = 0;
      for (int u = sparse->u_start[j]; u < sparse->u_start[j + 1]; u++)
        w[sparse->u_index.items[u]] -= f * sparse->u_value[u];
    }
    const double pivot = fabs(w[k]) * sparse->scale[k], row = scales.row[sparse->row_of[k]];
    sparse->reciprocal[k] = 1 / w[k];
    const double largest = gather(sparse, k, &poison);
    w[k] = 0;
    if (pivot * row < *smallest) *smallest = pivot * row;
    if (pivot < *steady * largest) *steady = pivot / largest;
    poison += 0 * pivot;
  }
  if (poison != 0) *steady = 0;
}

/*
** Along a chain, solutions fall off by some factor from body to body, down to the subnormal numbers, where
** that factor is rounded away, and arithmetic is a hundred times slower (a chain of 1000 rods: three times
** in all).  So they end at zero before.
*/
static const double LEAST = 1e-280;

static inline int is_nothing(double x) { return __builtin_expect(fabs(x) < LEAST, 0) != 0; }

/* L y = y by columns, whose terms do not wait for each other. */
static void forward(const Sparse *sparse, double *restrict y) {
  const int *start = sparse->below_start, *index = sparse->below;
  const double *value = sparse->l_value;
  for (int k = 0; k < sparse->rank; k++) {
    const double x = y[k];
    if (is_nothing(x))
      y[k] = 0;
    else
      for (int l = start[k]; l < start[k + 1]; l++)
        y[index[l]] -= value[l] * x;
  }
}

/* U y = y by rows, which like the columns of L are short and of much the same length. */
static void backward(const Sparse *sparse, double *restrict y) {
  const int *start = sparse->u_start, *index = sparse->u_index.items;
  const double *value = sparse->u_value;
  for (int k = sparse->rank - 1; k >= 0; k--) {
    double sum = y[k];
    for (int u = start[k]; u < start[k + 1]; u++)
      sum -= value[u] * y[index[u]];
    if (is_nothing(sum)) sum = 0;
    y[k] = sum;
  }
}

void sparse_solve(Sparse *sparse, double *x) {
  const int rank = sparse->rank, *row_of = sparse->row_of, *column_of = sparse->column_of;
  double *restrict y = sparse->unknowns;
  for (int k = 0; k < rank; k++)
    y[k] = x[row_of[k]];
  forward(sparse, y);
  for (int k = 0; k < rank; k++)
    y[k] *= sparse->reciprocal[k];
  backward(sparse, y);
  for (int k = 0; k < rank; k++)
    x[column_of[k]] = y[k];
  for (int k = rank; k < sparse->size; k++)
    x[column_of[k]] = 0;
}
