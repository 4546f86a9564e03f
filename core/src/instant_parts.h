/* The inside of an instant, shared by instant.c and inverse kinematics. */
#ifndef SARRUS_INSTANT_PARTS_H
#define SARRUS_INSTANT_PARTS_H

#include "expansion_parts.h"
#include "sarrus/instant.h"

struct sarrus_Instant {
  sarrus_Memory memory;
  size_t bytes;
  sarrus_Expansion *expansion;
  int goals;
  int analysed;    /* dependent constraints have been looked for */
  int doubted;     /* the last search proved wrong: search boldly next time */
  double *scale;   /* per coordinate: the size of a large change */
  int *off;        /* per constraint: 1 for goals */
  double *rest;    /* n zeros, the velocities at rest */
  double *trial;   /* n: the positions that are being tried */
  double *closing; /* n: the step that meets the constraints */
  double *step;    /* n */
  double *entries; /* the matrix entries of the goals' rows, kept for one point */
};

/* Set the point, and fill the matrix there. */
sarrus_Status instant_place(sarrus_Instant *instant, double t, const double *q, const double *v,
                            const double *parameters, sarrus_Fault *fault);
/*
** Factor; where rows that were independent are no longer so, all are analysed again, with `allowed`
** as in kkt_analyse.
*/
sarrus_Status instant_factor(sarrus_Instant *instant, double allowed, sarrus_Fault *fault);
/* Rows that were left out are needed here: analyse again, boldly if `again` is not 0. */
void instant_doubt(sarrus_Instant *instant, int again);

#endif
