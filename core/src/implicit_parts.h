/* Inside of implicit steps: what their files share. */
#ifndef SARRUS_IMPLICIT_PARTS_H
#define SARRUS_IMPLICIT_PARTS_H

#include <float.h>

#include "implicit.h"

/*
** Corrections are none below this, relative to scale; from STAGNANT times it on they need not
** become smaller.
*/
static const double ROUNDING = 4 * DBL_EPSILON, STAGNANT = 100;

/* Unknowns, positions and velocities at the points of a run; `step` apart. */
typedef struct Sources {
  const double *x, *Q, *V;
  int step;
  double t, h;
  const double *c; /* times of the points, in h */
} Sources;

/* --- implicit_step.c --- */

void implicit_set_inputs(const Implicit *implicit, Points *points, const Sources *from,
                         const Surroundings *here);

/* --- implicit_newton.c --- */

/*
** Positions and velocities at the stages (T52); answers by how much they, velocities times h, have
** changed at most, relative to scale.
*/
double implicit_place_stages(Implicit *implicit, double h);
/* The matrices of all stages, from the middle one. */
sarrus_Status implicit_factor(Implicit *implicit, double t, double h, const Surroundings *here);
/*
** x -= (matrix of all stages)^-1 residuals (T53); answers by how much unknowns without derivatives
** have changed, relative to scale.
*/
double implicit_correct(Implicit *implicit, const Surroundings *here);
/* Newton's method: STEP where it does not converge. */
sarrus_Status implicit_iterate(Implicit *implicit, double t, double h, const Surroundings *here);

/* --- implicit_error.c --- */

sarrus_Status implicit_estimate(Implicit *implicit, double t, double h, const Surroundings *here);

#endif
