/* Intervals that contain what a tape's values can be, as its inputs vary. */
#ifndef SARRUS_INTERVAL_H
#define SARRUS_INTERVAL_H

#include "tape.h"

typedef struct Interval {
  double low, high;
} Interval;

/*
** All values of a tape from those of its inputs, which are given; up to rounding.  Where nothing is
** known of a function, all numbers.
*/
void interval_values(const Tape *tape, Interval *values);

#endif
