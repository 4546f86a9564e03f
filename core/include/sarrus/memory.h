/*
** Memory comes from one allocator with the shape of lua_Alloc: it frees when nsize is 0,
** otherwise resizes (ptr NULL: allocates), and returns NULL when it cannot.  An object keeps
** a copy of the sarrus_Memory it was made with, and gives everything back through it.
*/
#ifndef SARRUS_MEMORY_H
#define SARRUS_MEMORY_H

#include <stddef.h>

#include "sarrus/export.h"

typedef void *(*sarrus_Alloc)(void *ud, void *ptr, size_t osize, size_t nsize);

typedef struct sarrus_Memory {
  sarrus_Alloc alloc;
  void *ud;
} sarrus_Memory;

/* The C library's malloc, realloc and free. */
SARRUS_API sarrus_Memory sarrus_memory_default(void);

#endif
