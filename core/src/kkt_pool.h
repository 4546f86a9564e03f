/*
** Blocks of memory that live as long as one choice of an order of elimination.  Their sizes are
** powers of two; a block that is given back serves the next of its size.  Rows under elimination
** grow and end in great numbers: from malloc, they took 0.4 of the time of an order.
*/
#ifndef SARRUS_KKT_POOL_H
#define SARRUS_KKT_POOL_H

#include <stddef.h>

#include "sarrus/memory.h"

enum { POOL_LEAST = 32, POOL_GRADES = 40 };

typedef struct PoolBlock {
  struct PoolBlock *next;
} PoolBlock;

typedef struct PoolChunk {
  struct PoolChunk *next;
  size_t size;
} PoolChunk;

typedef struct Pool {
  sarrus_Memory memory;
  PoolChunk *chunks;            /* the first is the one in use */
  size_t used;                  /* bytes of it */
  PoolBlock *free[POOL_GRADES]; /* by size: POOL_LEAST << grade */
} Pool;

/* The grade of blocks for so many bytes. */
static inline int pool_grade(size_t bytes) {
  int grade = 0;
  while (((size_t)POOL_LEAST << grade) < bytes)
    grade++;
  return grade;
}

static inline size_t pool_size(int grade) { return (size_t)POOL_LEAST << grade; }

/* A block of a grade, at a multiple of 16 bytes; NULL without memory. */
void *pool_take(Pool *pool, int grade);
void pool_give(Pool *pool, void *block, int grade);
void pool_close(Pool *pool);

#endif
