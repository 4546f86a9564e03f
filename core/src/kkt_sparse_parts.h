/*
** The inside of a sparse matrix: kkt_order.c and kkt_tree.c choose the order, kkt_sparse.c finds
** the patterns, kkt_sparse_numbers.c fills in numbers.
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
** -L or -U without the unit diagonal.  The pattern is kept by rows, the numbers by blocks of LANES
** rows: each column with an entry in one of these rows has a Tile of LANES numbers, 0 where there
** is no entry.  Before all these Tiles stand, for each block, LANES - 1 Tiles for the columns
** inside the block itself: first those of all blocks in the form that solves use, then those of all
** blocks as factored.
*/
typedef struct Factor {
  int *start;    /* where each row begins in index: per pivot, rank + 1 */
  IntList index; /* the columns of the rows' entries */
  int *place;    /* per entry of index: where it is in value */
  int *begin;    /* where each block begins in from: per block, and the end of the last */
  IntList from;  /* the columns outside of each block, in the order of solving */
  int *turn;     /* the blocks in the order in which they are solved */
  double *value; /* LANES numbers for each Tile, from aligned(value) on */
  double *room;
  int place_capacity, room_capacity;
} Factor;

struct Sparse {
  sarrus_Memory memory;
  int size, rank;
  int symmetric;  /* prefer pivots on the diagonal */
  double nothing; /* scaled numbers below this count as zero while the order is chosen */
  double least;   /* the least of the pivots that were chosen, scaled */
  const int *start, *column;
  int *row_of, *column_of; /* pivot -> row, column; with LANES more at the end */
  int *column_place;       /* column -> pivot */
  int *target;             /* entry -> place of its column; the end for a column without a pivot */
  int *at;                 /* entry of a row with a pivot -> where it is in work */
  Factor lower, upper;     /* L and U */
  double *u_value;         /* -U by rows */
  int *u_at;               /* where the Tile of each one's column is in work */
  int u_capacity, u_at_capacity;
  double *reciprocal;
  double *scale;    /* per pivot: the scale of its column */
  double *work;     /* workspace of sparse_factor, a Tile per column: zeros between calls */
  double *unknowns; /* workspace of sparse_solve: per pivot */
  int *mark;        /* workspace of sparse_follow: the last row in which a column was met */
  int *slot;        /* workspace of sparse_follow: the Tile of a column in the current block */
  int *solved;      /* workspace of sparse_follow: per block, its turn, or -1 */
  double products;  /* multiplications of a factorisation */
  sarrus_Status status;
};

/*
** Vectors of whole Tiles begin at a multiple of a Tile's size, so they need room for up to one Tile
** more.
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

/* Put rows and columns without a pivot at the end of the order. */
void sparse_place_rest(Sparse *sparse);

#endif
