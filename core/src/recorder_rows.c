/* Rows of a recorder kept in memory; the room doubles when it is full. */
#include <limits.h>
#include <string.h>

#include "sarrus/recorder.h"

static const int FIRST_ROWS = 64;

sarrus_Status sarrus_rows_put(void *ud, const double *row) {
  sarrus_Rows *rows = ud;
  if (rows->width < 1) return SARRUS_ARGUMENT;
  const size_t bytes = (size_t)rows->width * sizeof(double);
  if (rows->count == rows->capacity) {
    const sarrus_Memory memory = rows->memory;
    const int capacity = rows->capacity == 0 ? FIRST_ROWS : 2 * rows->capacity;
    if (rows->capacity > INT_MAX / 2) return SARRUS_LIMIT;
    double *moved = memory.alloc(memory.ud, rows->numbers, (size_t)rows->capacity * bytes,
                                 (size_t)capacity * bytes);
    if (moved == NULL) return SARRUS_NOMEM;
    rows->numbers = moved;
    rows->capacity = capacity;
  }
  memcpy(rows->numbers + (size_t)rows->count++ * (size_t)rows->width, row, bytes);
  return SARRUS_OK;
}

void sarrus_rows_release(sarrus_Rows *rows) {
  const size_t bytes = (size_t)rows->capacity * (size_t)rows->width * sizeof(double);
  if (rows->numbers != NULL) rows->memory.alloc(rows->memory.ud, rows->numbers, bytes, 0);
  rows->numbers = NULL;
  rows->capacity = rows->count = 0;
}
