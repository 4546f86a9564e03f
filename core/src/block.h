/*
** One block of memory for an object with several arrays: the same layout function runs twice, first
** without a base, to measure, then with it, to hand out.
*/
#ifndef SARRUS_BLOCK_H
#define SARRUS_BLOCK_H

#include <stddef.h>

typedef struct Block {
  char *base; /* NULL: measuring */
  size_t used;
} Block;

/* Room for count elements, aligned to 16 bytes; NULL while measuring. */
static inline void *block_take(Block *block, size_t count, size_t size) {
  const size_t at = block->used;
  block->used = at + (count * size + 15) / 16 * 16;
  return block->base == NULL ? NULL : block->base + at;
}

#define BLOCK_TAKE(block, pointer, count) \
  ((pointer) = block_take((block), (size_t)(count), sizeof *(pointer)))

#endif
