/* Inside of an expansion, for what steps with it. */
#ifndef SARRUS_EXPANSION_PARTS_H
#define SARRUS_EXPANSION_PARTS_H

#include "kkt.h"
#include "sarrus/expansion.h"
#include "system_parts.h"

struct sarrus_Expansion {
  sarrus_Memory memory;
  size_t bytes;
  const sarrus_System *system;
  int order; /* of the coordinates' series */
  Work *work;
  Kkt *kkt;
  double *rhs;      /* right-hand side, then solution of the stage under way */
  double *residual; /* per equation */
  double *scratch;  /* for kkt_analyse */
  double *series;   /* coefficient k of variable j at [k * variables + j] */
};

static inline double *expansion_at(const sarrus_Expansion *expansion, int k, int variable) {
  const int variables = expansion->system->n + expansion->system->m;
  return &expansion->series[(ptrdiff_t)k * variables + variable];
}

/*
** The pieces of an expansion, in the order in which they are used.  `fault` tells of failures as
** sarrus_expansion_run does.
*/

/* Set the point; coefficients 0 of all that does not depend on unknowns; the matrix. */
sarrus_Status expansion_place(sarrus_Expansion *expansion, double t, const double *q,
                              const double *v, const double *parameters, sarrus_Fault *fault);
/* residual[i] of each constraint: its coefficient 0, and with `rate` its coefficient 1. */
void expansion_residual(sarrus_Expansion *expansion);
sarrus_Status expansion_rate_residual(sarrus_Expansion *expansion);
/* The unknowns of one stage, the matrix being factored. */
sarrus_Status expansion_extend(sarrus_Expansion *expansion, int stage, sarrus_Fault *fault);

#endif
