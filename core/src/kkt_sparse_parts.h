/* Inside of a sparse matrix: shared by kkt_sparse.c, its patterns and numbers, and kkt_order.c. */
#ifndef SARRUS_KKT_SPARSE_PARTS_H
#define SARRUS_KKT_SPARSE_PARTS_H

#include "array.h"
#include "kkt_sparse.h"

typedef struct IntList {
  int *items;
  int count, capacity;
} IntList;

struct Sparse {
  sarrus_Memory memory;
  int size, rank;
  int symmetric;  /* prefer pivots on the diagonal */
  double nothing; /* what counts as none while the order is chosen */
  const int *start, *column;
  int *row_of, *column_of;  /* pivot -> row, column */
  int *column_place;        /* column -> pivot */
  int *l_start, *u_start;   /* rows of L and U: per pivot, rank + 1 */
  IntList l_index, u_index; /* pivots left, right of the diagonal */
  int *below_start;         /* columns of L: per pivot, rank + 1 */
  int *below, *l_place;     /* pivots below the diagonal; entry of a row -> entry of a column */
  double *l_value;          /* by columns */
  double *u_value;          /* by rows */
  int below_capacity, place_capacity, l_capacity, u_capacity;
  double *reciprocal;
  double *scale;    /* of the columns, by pivot */
  double *work;     /* of factor: zeros between calls */
  double *unknowns; /* of solve, by pivot */
  int *mark;        /* of follow: the last row that a column was met in */
  sarrus_Status status;
};

static inline void *take(Sparse *sparse, size_t count, size_t size) {
  void *block = sparse->memory.alloc(sparse->memory.ud, NULL, 0, (count + 1) * size);
  if (block == NULL) sparse->status = SARRUS_NOMEM;
  return block;
}

static inline void give(Sparse *sparse, void *block, size_t count, size_t size) {
  if (block != NULL) sparse->memory.alloc(sparse->memory.ud, block, (count + 1) * size, 0);
}

static inline void append(Sparse *sparse, IntList *list, int item) {
  if (ARRAY_RESERVE(sparse->memory, list->items, list->capacity, list->count + 1))
    list->items[list->count++] = item;
  else
    sparse->status = SARRUS_NOMEM;
}

static inline void clear(Sparse *sparse, IntList *list) {
  ARRAY_RELEASE(sparse->memory, list->items, list->capacity);
  *list = (IntList){NULL, 0, 0};
}

/* Rows and columns without a pivot go to the end of the order. */
void sparse_place_rest(Sparse *sparse);

#endif
