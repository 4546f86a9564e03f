/* Text written into a buffer of fixed size; what does not fit ends in an ellipsis. */
#ifndef SARRUS_TEXT_H
#define SARRUS_TEXT_H

#include <stddef.h>

typedef struct Text {
  char *to;
  size_t size, length; /* length < size */
  int full;
} Text;

Text text_open(char *to, size_t size);
void text_put(Text *text, const char *piece);
void text_format(Text *text, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#endif
