/* Sheets: rows of numbers, written to a file in one of the formats. */
#include "sarrus/sheet.h"

#include <math.h>
#include <string.h>

#include "number_shortest.h"
#include "sarrus/number.h"

/* How many numbers, each with a comma before it, fit into a file's buffer. */
enum { AT_ONCE = SARRUS_FILE_ROOM / SARRUS_NUMBER_SIZE - 1 };

static size_t put_word(const char *word, char *to) {
  const size_t length = strlen(word);
  memcpy(to, word, length);
  return length;
}

/* What a format writes around the numbers of a row, and in place of non-finite ones. */
typedef struct Marks {
  const char *before, *after;
  char between;
  const char *nan, *infinity, *minus_infinity;
} Marks;

static const Marks marks_of[] = {
    [SARRUS_CSV] = {"", "\n", ',', "nan", "inf", "-inf"},
    [SARRUS_JSONL] = {"[", "]\n", ',', "null", "1e999", "-1e999"},
};
enum { FORMATS = sizeof marks_of / sizeof *marks_of };

static size_t put_number(const Marks *marks, double x, char *to) {
  if (isfinite(x)) return number_shortest(x, to);
  return put_word(isnan(x) ? marks->nan : x > 0 ? marks->infinity : marks->minus_infinity, to);
}

sarrus_Status sarrus_sheet_put(void *ud, const double *row) {
  const sarrus_Sheet *sheet = ud;
  if (sheet->width < 1 || (unsigned)sheet->format >= FORMATS) return SARRUS_ARGUMENT;
  const Marks *marks = &marks_of[sheet->format];
  if (sheet->file == NULL) return SARRUS_IO; /* it was finished before */
  for (int i = 0; i < sheet->width;) {
    const int end = i + AT_ONCE < sheet->width ? i + AT_ONCE : sheet->width;
    char *room = sarrus_file_room(sheet->file), *to = room;
    if (room == NULL) return SARRUS_IO;
    if (i == 0) to += put_word(marks->before, to);
    for (; i < end; i++) {
      if (i > 0) *to++ = marks->between;
      to += put_number(marks, row[i], to);
    }
    if (end == sheet->width) to += put_word(marks->after, to);
    SARRUS_TRY(sarrus_file_wrote(sheet->file, (size_t)(to - room)));
  }
  return SARRUS_OK;
}
