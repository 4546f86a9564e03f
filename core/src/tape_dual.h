/*
** Values of a tape in dual numbers: beside each coefficient 0 stand its derivatives in some
** directions.  Series have theirs in tape_follow.h.
*/
#ifndef SARRUS_TAPE_DUAL_H
#define SARRUS_TAPE_DUAL_H

#include "block.h"
#include "tape.h"

typedef struct Dual {
  const Tape *tape;
  int width;     /* of a row of derivatives: the directions, and zeros up to whole Lanes */
  double *value; /* coefficients 0 */
  double *slope; /* a row of derivatives for each of them */
  int *branch;   /* per switch: as in Work, set by the caller */
  const int *twin, *twin_branch; /* instead, by switches of another tape: per value its switch */
                                 /* there, or NONE, and their branches; NULL: by its own */
} Dual;

/* The width of a row for this number of directions. */
int dual_width(int directions);
void dual_lay_out(Dual *dual, Block *block);

static inline double *dual_slope(const Dual *dual, int value) {
  return dual->slope + (ptrdiff_t)value * dual->width;
}

/* Once values and slopes of the inputs have been set, finds those of all other steps. */
void dual_values(Dual *dual);

#endif
