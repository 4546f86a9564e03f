/* Growing arrays: items, with a capacity beside them, from a sarrus_Memory. */
#ifndef SARRUS_ARRAY_H
#define SARRUS_ARRAY_H

#include <limits.h>

#include "sarrus/memory.h"

/* Make room for `needed` items, at least doubling; 0 without memory, the array being as it was. */
static inline int array_reserve(sarrus_Memory memory, void **items, int *capacity, int needed,
                                size_t size) {
  if (needed <= *capacity) return 1;
  if (needed > INT_MAX / 2) return 0;
  const int grown = needed < 4 ? 8 : 2 * needed;
  void *moved = memory.alloc(memory.ud, *items, (size_t)*capacity * size, (size_t)grown * size);
  if (moved == NULL) return 0;
  *items = moved;
  *capacity = grown;
  return 1;
}

#define ARRAY_RESERVE(memory, items, capacity, needed) \
  array_reserve((memory), (void **)&(items), &(capacity), (needed), sizeof *(items))

static inline void array_release(sarrus_Memory memory, void *items, int capacity, size_t size) {
  if (items != NULL) memory.alloc(memory.ud, items, (size_t)capacity * size, 0);
}

#define ARRAY_RELEASE(memory, items, capacity) \
  array_release((memory), (items), (capacity), sizeof *(items))

#endif
