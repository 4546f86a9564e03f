/* The default allocator: malloc, realloc and free of the C library. */
#include "sarrus/memory.h"

#include <stdlib.h>

static void *default_alloc(void *ud, void *ptr, size_t osize, size_t nsize) {
  (void)ud;
  (void)osize;
  if (nsize == 0) {
    free(ptr);
    return NULL;
  }
  return realloc(ptr, nsize);
}

sarrus_Memory sarrus_memory_default(void) { return (sarrus_Memory){default_alloc, NULL}; }
