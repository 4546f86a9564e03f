/* Inside of steps in lanes: lanes_step.c makes series, lanes_land.c the points where they end. */
#ifndef SARRUS_LANES_PARTS_H
#define SARRUS_LANES_PARTS_H

#include "lanes.h"

struct LaneStep {
  sarrus_Memory memory;
  size_t bytes;
  const sarrus_System *system;
  int n, m, variables, capacity;
  LaneTape tape;
  LaneMatrix matrix;
  sarrus_Sim *sim[WIDTH]; /* or NULL */
  int top;                /* the highest coefficient in `now` */
  int factored[WIDTH];    /* for the landing under way */
  Lanes unit[SETS];
  Lanes *now, *next; /* series from where the step begins, and from where it ends */
  Lanes *rhs, *residual, *lower[MOST_DEGREE];
  Lanes *q, *v, *scale; /* of the point that is sought */
  int feeds_rates, feed_count;
  LaneCopy *feed; /* from the unknowns of a stage to the tape */
};

/* A coefficient of a variable, per lane. */
static inline double *lanes_series_at(const LaneStep *lanes, Lanes *series, int k, int j) {
  return lanes_number(series, k * lanes->variables + j);
}

/* The unknowns of a stage, up to lanes_complete; what is not finite poisons its lane. */
void lanes_solve_stage(LaneStep *lanes, Lanes *series, int stage, Lanes *poison);

/*
** Coefficients `from` to `last` to the expansions' series, which are in the same order; to[lane]
** may be NULL.  What a lane has beyond its order is not read there.
*/
void lanes_write_series(const LaneStep *lanes, Lanes *series, int from, int last, double **to);

#endif
