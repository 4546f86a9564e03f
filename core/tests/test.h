/*
** The smallest harness that serves: a test program includes this file, writes tests, and is done.
**
**   TEST(product_of_two) {
**     double c[3];
**     ...
**     CHECK_NEAR(c[2], 0.5, 1e-15);
**   }
**
** main() is defined here: it runs the tests in the order of the file (or those named on the
** command line), prints every failed check with its place and values, and ends with
** "N passed, N failed".  A failed CHECK goes on with the test, a failed REQUIRE leaves it.
** Every check evaluates its arguments once.
*/
#ifndef SARRUS_TEST_H
#define SARRUS_TEST_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sarrus/memory.h"
#include "sarrus/status.h"

typedef struct Test {
  const char *name;
  void (*run)(void);
  struct Test *next;
} Test;

static Test *test_first, **test_last = &test_first;
static int test_failed_checks; /* in the running test */

#define TEST(title)                                                      \
  static void title(void);                                               \
  __attribute__((constructor)) static void test_register_##title(void) { \
    static Test test = {#title, title, NULL};                            \
    *test_last = &test;                                                  \
    test_last = &test.next;                                              \
  }                                                                      \
  static void title(void)

/*
** Checks
*/

#define CHECK(condition) test_true(__FILE__, __LINE__, #condition, (condition))
#define CHECK_INT(value, expected) \
  test_int(__FILE__, __LINE__, #value, (long long)(value), (long long)(expected))
#define CHECK_STR(value, expected) test_str(__FILE__, __LINE__, #value, (value), (expected))
/* |value - expected| <= tolerance */
#define CHECK_NEAR(value, expected, tolerance) \
  test_near(__FILE__, __LINE__, #value, (value), (expected), (tolerance))
/* |value - expected| <= tolerance |expected| */
#define CHECK_CLOSE(value, expected, tolerance) \
  test_close(__FILE__, __LINE__, #value, (value), (expected), (tolerance))
#define CHECK_STATUS(call, expected) test_status(__FILE__, __LINE__, #call, (call), (expected))
#define CHECK_OK(call) CHECK_STATUS(call, SARRUS_OK)

#define REQUIRE(condition)         \
  do {                             \
    if (!CHECK(condition)) return; \
  } while (0)
#define REQUIRE_OK(call)         \
  do {                           \
    if (!CHECK_OK(call)) return; \
  } while (0)

/* After twenty failures a test only counts: a loop over a thousand coefficients stays readable. */
static inline bool test_speaks(void) { return ++test_failed_checks <= 20; }

static inline bool test_true(const char *file, int line, const char *text, bool holds) {
  if (!holds && test_speaks()) printf("%s:%d: %s\n", file, line, text);
  return holds;
}

static inline bool test_int(const char *file, int line, const char *text, long long value,
                            long long expected) {
  const bool holds = value == expected;
  if (!holds && test_speaks())
    printf("%s:%d: %s is %lld, expected %lld\n", file, line, text, value, expected);
  return holds;
}

static inline bool test_str(const char *file, int line, const char *text, const char *value,
                            const char *expected) {
  const bool holds = value != NULL && strcmp(value, expected) == 0;
  if (!holds && test_speaks())
    printf("%s:%d: %s is\n  %s\nexpected\n  %s\n", file, line, text, value ? value : "(null)",
           expected);
  return holds;
}

/* NaN is near nothing; an infinity is near itself. */
static inline bool test_near(const char *file, int line, const char *text, double value,
                             double expected, double tolerance) {
  const double error = fabs(value - expected);
  const bool same_infinity = isinf(expected) && signbit(value) == signbit(expected) && isinf(value);
  const bool holds = same_infinity || error <= tolerance;
  if (!holds && test_speaks())
    printf("%s:%d: %s is %.17g, expected %.17g (off by %.3g, allowed %.3g)\n", file, line, text,
           value, expected, error, tolerance);
  return holds;
}

static inline bool test_close(const char *file, int line, const char *text, double value,
                              double expected, double tolerance) {
  return test_near(file, line, text, value, expected, tolerance * fabs(expected));
}

static inline bool test_status(const char *file, int line, const char *text, sarrus_Status status,
                               sarrus_Status expected) {
  const bool holds = status == expected;
  if (!holds && test_speaks())
    printf("%s:%d: %s is %s, expected %s\n", file, line, text, sarrus_status_name(status),
           sarrus_status_name(expected));
  return holds;
}

/*
** An allocator that counts, checks the sizes it is told, and fails on request.  Fault injection
** fails the first allocation, then the second, ... until everything succeeds:
**
**   TestMemory m;
**   for (long n = 1;; n++) {
**     const sarrus_Memory memory = test_memory_failing(&m, n);
**     const sarrus_Status status = build_something(memory, &thing);
**     if (status == SARRUS_OK) sarrus_thing_free(thing);
**     CHECK_INT(m.blocks, 0);
**     if (!m.failed) break;
**     CHECK_STATUS(status, SARRUS_NOMEM);
**   }
*/
typedef struct TestMemory {
  long calls;   /* allocations and growths asked for so far */
  long fail_at; /* which of them fails, counted from 1; 0 for none */
  bool failed;  /* it did */
  long blocks;  /* not yet given back */
  size_t bytes; /* not yet given back */
  size_t peak;  /* the largest value of bytes */
} TestMemory;

typedef union TestBlock {
  size_t size;
  max_align_t align;
} TestBlock;

static inline void *test_memory_alloc(void *ud, void *ptr, size_t osize, size_t nsize) {
  TestMemory *m = ud;
  TestBlock *block = ptr ? (TestBlock *)ptr - 1 : NULL;
  const size_t had = block ? block->size : 0;
  CHECK_INT(osize, had); /* a block comes back with the size it was given, a new one has none */
  if (nsize == 0) {
    if (block) m->blocks--;
    m->bytes -= had;
    free(block);
    return NULL;
  }
  if (nsize > had && ++m->calls == m->fail_at) {
    m->failed = true;
    return NULL;
  }
  TestBlock *moved = malloc(sizeof *moved + nsize);
  if (moved == NULL) return NULL;
  moved->size = nsize;
  if (block) memcpy(moved + 1, ptr, had < nsize ? had : nsize);
  free(block);
  if (!block) m->blocks++;
  m->bytes = m->bytes - had + nsize;
  if (m->bytes > m->peak) m->peak = m->bytes;
  return moved + 1;
}

/* Fails the n-th allocation; n = 0 never fails.  Starts m afresh. */
static inline sarrus_Memory test_memory_failing(TestMemory *m, long n) {
  *m = (TestMemory){.fail_at = n};
  return (sarrus_Memory){test_memory_alloc, m};
}

static inline sarrus_Memory test_memory_counting(TestMemory *m) {
  return test_memory_failing(m, 0);
}

/* Numbers in low … high, the same in every run. */
static inline double random_in(unsigned *seed, double low, double high) {
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * ((double)(*seed >> 8) / 16777216.0);
}

static inline bool test_wanted(const Test *test, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], test->name) == 0) return true;
  return argc <= 1;
}

int main(int argc, char **argv) {
  int passed = 0, failed = 0;
  setvbuf(stdout, NULL, _IOLBF, 0); /* a crash loses nothing that was said before it */
  for (const Test *test = test_first; test; test = test->next) {
    if (!test_wanted(test, argc, argv)) continue;
    test_failed_checks = 0;
    test->run();
    if (test_failed_checks == 0) {
      passed++;
      continue;
    }
    failed++;
    printf("FAILED %s: %d check(s)\n", test->name, test_failed_checks);
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed > 0 || passed == 0;
}

#endif
