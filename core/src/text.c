#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char ellipsis[] = "...";

Text text_open(char *to, size_t size) {
  if (size > 0) to[0] = '\0';
  return (Text){to, size, 0, size <= sizeof ellipsis};
}

/* Room for the ellipsis is always left. */
void text_put(Text *text, const char *piece) {
  const size_t n = strlen(piece);
  if (text->full) return;
  if (text->length + n + sizeof ellipsis > text->size) {
    memcpy(text->to + text->length, ellipsis, sizeof ellipsis);
    text->length += sizeof ellipsis - 1;
    text->full = 1;
    return;
  }
  memcpy(text->to + text->length, piece, n + 1);
  text->length += n;
}

void text_format(Text *text, const char *format, ...) {
  char piece[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(piece, sizeof piece, format, arguments);
  va_end(arguments);
  text_put(text, piece);
}
