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
  sparse->reciprocal = take(sparse, n, sizeof(double));
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
  give(sparse, sparse->reciprocal, n, sizeof(double));
  give(sparse, sparse->work, n, sizeof(double));
  give(sparse, sparse->unknowns, n, sizeof(double));
  give(sparse, sparse->mark, n, sizeof(int));
  clear(sparse, &sparse->l_index);
  clear(sparse, &sparse->u_index);
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
  if (!ARRAY_RESERVE(sparse->memory, sparse->l_value, sparse->l_capacity,
                     sparse->l_index.count + 1) ||
      !ARRAY_RESERVE(sparse->memory, sparse->u_value, sparse->u_capacity,
                     sparse->u_index.count + 1))
    sparse->status = SARRUS_NOMEM;
  if (sparse->status < 0) sparse->rank = 0;
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

/* Collect row k of U, leaving zeros behind; answers the largest of it. */
static double gather(Sparse *sparse, int k, double *poison) {
  double *w = sparse->work, largest = 0;
  for (int u = sparse->u_start[k]; u < sparse->u_start[k + 1]; u++) {
    const int j = sparse->u_index.items[u];
    const double size = fabs(w[j]);
    sparse->u_value[u] = w[j];
    *poison += 0 * w[j];
    w[j] = 0;
    if (size > largest) largest = size;
  }
  return largest;
}

/* Row by row: what is left of the pivot becomes L, the pivot's reciprocal is kept, the rest is U. */
void sparse_factor(Sparse *sparse, const double *value, double *smallest, double *steady) {
  double *w = sparse->work, poison = 0;
  *smallest = *steady = 1;
  for (int k = 0; k < sparse->rank; k++) {
    scatter(sparse, k, value);
    for (int l = sparse->l_start[k]; l < sparse->l_start[k + 1]; l++) {
      const int j = sparse->l_index.items[l];
      const double f = w[j] * sparse->reciprocal[j];
      sparse->l_value[l] = f;
      w[j] = 0;
      for (int u = sparse->u_start[j]; u < sparse->u_start[j + 1]; u++)
        w[sparse->u_index.items[u]] -= f * sparse->u_value[u];
    }
    const double pivot = fabs(w[k]), largest = gather(sparse, k, &poison);
    sparse->reciprocal[k] = 1 / w[k];
    w[k] = 0;
    if (pivot < *smallest) *smallest = pivot;
    if (pivot < *steady * largest) *steady = pivot / largest;
    poison += 0 * pivot;
  }
  if (poison != 0) *steady = 0;
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
