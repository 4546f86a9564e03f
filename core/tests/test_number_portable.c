/* The same where the compiler has no numbers of 128 bits. */
#define NUMBER_PORTABLE
#include "number_shortest.c"
#include "test_number.c"
