/* The inside of implicit steps: what their files share. */
#ifndef SARRUS_IMPLICIT_PARTS_H
#define SARRUS_IMPLICIT_PARTS_H

#include <float.h>

#include "implicit.h"

/*
** Corrections below ROUNDING, relative to scale, count as zero; below STAGNANT times that they need
** not become smaller.
*/
static const double ROUNDING = 4 * DBL_EPSILON, STAGNANT = 100;

/* Unknowns, positions and velocities at the points of a run; variables are `step` numbers apart. */
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
** Positions and velocities at the stages (T52); returns the largest change of a position, or of a
** velocity times h, relative to scale.
*/
double implicit_place_stages(Implicit *implicit, double h);
/* Fill and factor the matrices of all stages, at the middle stage. */
sarrus_Status implicit_factor(Implicit *implicit, double t, double h, const Surroundings *here);
/*
** x -= (matrix of all stages)^-1 residuals (T53); returns the largest change, relative to scale, of
** unknowns that enter without derivatives.
*/
double implicit_correct(Implicit *implicit, const Surroundings *here);
/* Newton's method: STEP where it does not converge. */
sarrus_Status implicit_iterate(Implicit *implicit, double t, double h, const Surroundings *here);

/* --- implicit_error.c --- */

sarrus_Status implicit_estimate(Implicit *implicit, double t, double h, const Surroundings *here);

#endif
