/*
** Inside of a sparse matrix: kkt_order.c and kkt_tree.c choose the order, kkt_sparse.c finds the
** patterns, kkt_sparse_numbers.c fills in numbers.
*/
#ifndef SARRUS_KKT_SPARSE_PARTS_H
#define SARRUS_KKT_SPARSE_PARTS_H

#include <stdint.h>

#include "array.h"
#include "kkt_sparse.h"
#include "vector.h"

typedef struct IntList {
  int *items;
  int count, capacity;
} IntList;

/*
** L or U, without its unit diagonal, and negative.  The pattern is kept by rows, the numbers by
** blocks of LANES rows: for each column with an entry in one of them a Tile of LANES numbers, 0
** where there is no entry.  Before these stand, for each block, LANES - 1 Tiles for the columns
** inside the block itself: first all of them in the form that solves use, then all as factored.
*/
typedef struct Factor {
  int *start;    /* of rows: per pivot, rank + 1 */
  IntList index; /* the columns of their entries */
  int *place;    /* entry of a row -> where in value */
  int *begin;    /* of blocks: per block, and the end of the last */
  IntList from;  /* their columns that are not their own, in the order of solving */
  double *value; /* LANES for each Tile; aligned in */
  double *room;
  int place_capacity, room_capacity;
} Factor;

struct Sparse {
  sarrus_Memory memory;
  int size, rank;
  int symmetric;  /* prefer pivots on the diagonal */
  double nothing; /* what counts as none while the order is chosen */
  const int *start, *column;
  int *row_of, *column_of; /* pivot -> row, column; and LANES more */
  int *column_place;       /* column -> pivot */
  int *target; /* entry -> place of its column in work; of a column without a pivot, the end */
  Factor lower, upper; /* L and U */
  double *u_value;     /* -U by rows */
  int u_capacity;
  double *reciprocal;
  double *scale;    /* of the columns, by pivot */
  double *work;     /* of factor: zeros between calls */
  double *unknowns; /* of solve, by pivot */
  int *mark;        /* of follow: the last row that a column was met in */
  int *slot;        /* of follow: the Tile of a column in the present block */
  double products;  /* multiplications of a factorisation */
  sarrus_Status status;
};

/*
** Vectors of whole Tiles begin at a multiple of a Tile's size, so they need up to one Tile more
** room.
*/
enum { ROOM = 2 * LANES, OWN = LANES * (LANES - 1) };
typedef double Tile __attribute__((vector_size(LANES * sizeof(double))));

static inline double *aligned(double *room) {
  const uintptr_t over = (uintptr_t)room % sizeof(Tile);
  return over == 0 ? room : room + (sizeof(Tile) - over) / sizeof(double);
}

static inline int blocks_of(const Sparse *sparse) { return (sparse->rank + LANES - 1) / LANES; }

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

/* The same elimination in another order: pivots that depend on each other stand side by side. */
sarrus_Status sparse_group_pivots(Sparse *sparse);
/* Rows and columns without a pivot go to the end of the order. */
void sparse_place_rest(Sparse *sparse);

#endif
