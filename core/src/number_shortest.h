/* The shortest decimal text of a number, without a final zero. */
#ifndef SARRUS_NUMBER_SHORTEST_H
#define SARRUS_NUMBER_SHORTEST_H

#include <stddef.h>

/* Writes fewer than SARRUS_NUMBER_SIZE bytes, and answers how many. */
size_t number_shortest(double x, char *to);

#endif
