#include "sarrus/sheet.h"

#include <math.h>
#include <string.h>

#include "number_shortest.h"
#include "sarrus/number.h"

/* So many numbers, each with a comma before it, fit into the room of a file. */
enum { AT_ONCE = SARRUS_FILE_ROOM / SARRUS_NUMBER_SIZE - 1 };

static size_t put_word(const char *word, char *to) {
  const size_t length = strlen(word);
  memcpy(to, word, length);
  return length;
}

static size_t put_number(sarrus_SheetFormat format, double x, char *to) {
  if (format == SARRUS_CSV || isfinite(x)) return number_shortest(x, to);
  return put_word(isnan(x) ? "null" : x > 0 ? "1e999" : "-1e999", to);
}

sarrus_Status sarrus_sheet_put(void *ud, const double *row) {
  const sarrus_Sheet *sheet = ud;
  const int json = sheet->format == SARRUS_JSONL;
  if (sheet->width < 1) return SARRUS_ARGUMENT;
  if (sheet->file == NULL) return SARRUS_IO; /* finished before */
  for (int i = 0; i < sheet->width;) {
    const int end = i + AT_ONCE < sheet->width ? i + AT_ONCE : sheet->width;
    char *room = sarrus_file_room(sheet->file), *to = room;
    if (room == NULL) return SARRUS_IO;
    if (i == 0 && json) *to++ = '[';
    for (; i < end; i++) {
      if (i > 0) *to++ = ',';
      to += put_number(sheet->format, row[i], to);
    }
    if (end == sheet->width) to += put_word(json ? "]\n" : "\n", to);
    SARRUS_TRY(sarrus_file_wrote(sheet->file, (size_t)(to - room)));
  }
  return SARRUS_OK;
}
