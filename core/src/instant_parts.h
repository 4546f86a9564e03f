/* Inside of an instant. */
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
  int doubted;     /* and not found rightly */
  double *scale;   /* per coordinate: what is far */
  int *off;        /* per constraint: 1 for goals */
  double *rest;    /* n zeros */
  double *trial;   /* n: positions that are tried */
  double *closing; /* n: the step that meets the constraints */
  double *step;    /* n */
  double *entries; /* of the goals' rows of the matrix */
};

/* Set the point, and its matrix. */
sarrus_Status instant_place(sarrus_Instant *instant, double t, const double *q, const double *v,
                            const double *parameters, sarrus_Fault *fault);
/*
** Factor; where rows that were independent are no longer, all are looked at again, and less than
** `allowed` of a row may be new in a dependent one.
*/
sarrus_Status instant_factor(sarrus_Instant *instant, double allowed, sarrus_Fault *fault);
/* Rows that were left out are needed here: look for them again, the second time warily. */
void instant_doubt(sarrus_Instant *instant, int again);

#endif
