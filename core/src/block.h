/*
** One block of memory for an object with several arrays.  The object's layout function runs twice:
** first without a base, to measure the block; then with a base, to hand out its parts.
*/
#ifndef SARRUS_BLOCK_H
#define SARRUS_BLOCK_H

#include <stddef.h>
#include <string.h>

/* Under the address sanitizer there are gaps between arrays, which nobody may touch. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BLOCK_GAP 32
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define BLOCK_GAP 32
#endif
#ifdef BLOCK_GAP
#include <sanitizer/asan_interface.h>
#define BLOCK_OPEN(from, size) ASAN_UNPOISON_MEMORY_REGION(from, size)
#define BLOCK_SHUT(from, size) ASAN_POISON_MEMORY_REGION(from, size)
#else
#define BLOCK_GAP 0
#define BLOCK_OPEN(from, size) ((void)0)
#define BLOCK_SHUT(from, size) ((void)0)
#endif

typedef struct Block {
  char *base; /* NULL: measuring */
  size_t used;
} Block;

/* Room for count elements, aligned to 16 bytes; NULL while measuring. */
static inline void *block_take(Block *block, size_t count, size_t size) {
  const size_t at = block->used, end = at + count * size;
  block->used = (end + 15) / 16 * 16 + BLOCK_GAP;
  if (block->base == NULL) return NULL;
  BLOCK_OPEN(block->base + at, end - at);
  BLOCK_SHUT(block->base + end, block->used - end);
  return block->base + at;
}

/* Set memory to 0, and let it be touched again where gaps were laid out in it before. */
static inline void *block_clear(void *memory, size_t size) {
  BLOCK_OPEN(memory, size);
  return memset(memory, 0, size);
}

#define BLOCK_TAKE(block, pointer, count) \
  ((pointer) = block_take((block), (size_t)(count), sizeof *(pointer)))

#endif
