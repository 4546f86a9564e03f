/* Blocks of memory for an order of elimination. */
#include "kkt_pool.h"

/* Chunks double, from FIRST to MOST, where no block is larger; a head keeps blocks aligned. */
enum { FIRST = 1 << 12, MOST = 1 << 18, HEAD = 64 };

static int add_chunk(Pool *pool, size_t least) {
  const size_t last = pool->chunks == NULL ? FIRST / 2 : pool->chunks->size;
  const size_t usual = last < MOST ? 2 * last : MOST,
               size = least + HEAD > usual ? least + HEAD : usual;
  PoolChunk *chunk = pool->memory.alloc(pool->memory.ud, NULL, 0, size);
  if (chunk == NULL) return 0;
  *chunk = (PoolChunk){pool->chunks, size};
  pool->chunks = chunk;
  pool->used = HEAD;
  return 1;
}

void *pool_take(Pool *pool, int grade) {
  PoolBlock *block = pool->free[grade];
  if (block != NULL) {
    pool->free[grade] = block->next;
    return block;
  }
  const size_t size = pool_size(grade);
  if (pool->chunks == NULL || pool->used + size > pool->chunks->size)
    if (!add_chunk(pool, size)) return NULL;
  block = (PoolBlock *)(void *)((char *)pool->chunks + pool->used);
  pool->used += size;
  return block;
}

void pool_give(Pool *pool, void *block, int grade) {
  PoolBlock *given = block;
  given->next = pool->free[grade];
  pool->free[grade] = given;
}

void pool_close(Pool *pool) {
  while (pool->chunks != NULL) {
    PoolChunk *next = pool->chunks->next;
    pool->memory.alloc(pool->memory.ud, pool->chunks, pool->chunks->size, 0);
    pool->chunks = next;
  }
}
