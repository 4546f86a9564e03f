/* LAPACK reports bad arguments through this function, and the one it brings ends the process. */
#include "lapack.h"

#include "sarrus/export.h"

SARRUS_API void xerbla_(const char *routine, const int *argument, size_t length);

/* Every call checks its info code instead. */
void xerbla_(const char *routine, const int *argument, size_t length) {
  (void)routine;
  (void)argument;
  (void)length;
}
