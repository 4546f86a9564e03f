/*
** What the fuzz targets share: bytes as choices, a memory that runs out, and promises.
**
** A target is a program that clang's libFuzzer feeds with bytes, under the sanitizers; make fuzz
** builds and runs all of them.  Every byte string means something: where it ends, zeros follow.
*/
#ifndef SARRUS_FUZZ_H
#define SARRUS_FUZZ_H

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sarrus/sarrus.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold; a broken promise ends the process, and libFuzzer keeps the bytes. */
#define PROMISE(condition)                                                          \
  do {                                                                              \
    if (condition) break;                                                           \
    fprintf(stderr, "%s:%d: promise broken: %s\n", __FILE__, __LINE__, #condition); \
    abort();                                                                        \
  } while (0)

/* --- bytes ------------------------------------------------------------------------------- */

typedef struct Bytes {
  const uint8_t *at, *end;
} Bytes;

static inline int take(Bytes *bytes) { return bytes->at < bytes->end ? *bytes->at++ : 0; }
static inline int take_below(Bytes *bytes, int count) {
  return count > 0 ? take(bytes) % count : 0;
}

/* An index below count; one time in sixteen something else. */
static inline int take_index(Bytes *bytes, int count) {
  static const int strange[] = {-1, -2, INT_MIN, INT_MAX, 1 << 20, 1000};
  const int byte = take(bytes);
  if (byte >= 240) return byte == 255 ? count : strange[byte % 6];
  return count > 0 ? byte % count : 0;
}

/* Mostly small numbers, sometimes any. */
static inline double take_number(Bytes *bytes) {
  static const double special[] = {1e-300, -1e300, 1e-9, 1e9, -0.0, 1e308, 5e-324, 0.1};
  const int byte = take(bytes);
  if (byte < 200) return (byte - 100) / 8.0;
  if (byte < 232) return special[byte % 8];
  if (byte < 240)
    return byte < 236 ? (double)NAN : byte < 238 ? (double)INFINITY : -(double)INFINITY;
  double x;
  unsigned char raw[sizeof x];
  for (size_t i = 0; i < sizeof raw; i++)
    raw[i] = (unsigned char)take(bytes);
  memcpy(&x, raw, sizeof x);
  return x;
}

static inline void take_numbers(Bytes *bytes, double *x, int count) {
  for (int i = 0; i < count; i++)
    x[i] = take_number(bytes);
}

/* --- memory ------------------------------------------------------------------------------ */

enum { MOST_BYTES = 1 << 27 };

/*
** Counts what is held; has no more than MOST_BYTES, and fails once, at call number fail_at (0:
** never).
*/
typedef struct Heap {
  long blocks, calls, fail_at;
  size_t bytes;
} Heap;

static inline void *heap_alloc(void *ud, void *ptr, size_t osize, size_t nsize) {
  Heap *heap = ud;
  const size_t had = ptr == NULL ? 0 : osize;
  if (nsize > had && (++heap->calls == heap->fail_at || nsize > MOST_BYTES ||
                      heap->bytes - had > MOST_BYTES - nsize))
    return NULL;
  heap->bytes = heap->bytes - had + nsize;
  heap->blocks += (ptr == NULL && nsize > 0) - (ptr != NULL && nsize == 0);
  if (nsize > 0) return realloc(ptr, nsize);
  free(ptr);
  return NULL;
}

static inline sarrus_Memory heap_memory(Heap *heap) { return (sarrus_Memory){heap_alloc, heap}; }

/* --- simulations ------------------------------------------------------------------------- */

static inline int all_finite(const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(x[i])) return 0;
  return 1;
}

/* Whatever happened, the state is one: finite, at the present time. */
static inline void promise_state(const sarrus_Sim *sim, const sarrus_System *system) {
  const int n = sarrus_system_coordinates(system), m = sarrus_system_multipliers(system);
  double *x = calloc((size_t)(3 * n + m + 1), sizeof *x);
  PROMISE(x != NULL);
  const sarrus_Status status = sarrus_sim_state(sim, x, x + n, x + 2 * n, x + 3 * n);
  PROMISE(status == SARRUS_OK || status == SARRUS_ARGUMENT);
  if (status == SARRUS_OK) PROMISE(all_finite(x, 2 * n) && isfinite(sarrus_sim_time(sim)));
  free(x);
}

/* Ends an advance after so many steps. */
static inline int enough(void *ud) { return --*(int *)ud < 0; }

#endif
