/* The checksum of records and of files of models (FNV-1a, 64 bits). */
#ifndef SARRUS_CHECKSUM_H
#define SARRUS_CHECKSUM_H

#include <stddef.h>

/* Changing one byte always changes it: each step is a bijection. */
static inline unsigned long long checksum(const char *bytes, size_t count) {
  unsigned long long h = 14695981039346656037u;
  for (size_t i = 0; i < count; i++)
    h = (h ^ (unsigned char)bytes[i]) * 1099511628211u;
  return h;
}

#endif
