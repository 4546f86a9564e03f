/*
** Expansions: the solution of a system about one point, as power series in the time from there.
**
** With a_k = (k+1)(k+2) q_{k+2} the coefficients of order k solve one linear system whose matrix,
** [M G^T; G 0] at the point, is the same for all k.
**
** An expansion is one block of memory.  It belongs to one thread at a time; the system must live
** as long.
*/
#ifndef SARRUS_EXPANSION_H
#define SARRUS_EXPANSION_H

#include "sarrus/system.h"

/* The highest order of the coordinates' series. */
enum { SARRUS_MAX_EXPANSION = 250 };

typedef struct sarrus_Expansion sarrus_Expansion;

/* Room for series of q up to t^order, order from 2 to SARRUS_MAX_EXPANSION (LIMIT beyond). */
SARRUS_API sarrus_Status sarrus_expansion_new(sarrus_Memory memory, const sarrus_System *system,
                                              int order, sarrus_Expansion **expansion);
SARRUS_API void sarrus_expansion_free(sarrus_Expansion *expansion);
SARRUS_API size_t sarrus_expansion_bytes(const sarrus_Expansion *expansion);

/*
** Expand about time t, positions q and velocities v (NULL for a general DAE), with these parameters
** (NULL where the system has none).  INCONSISTENT if a constraint is violated by more than
** `tolerance`, relative to what it is made of (accelerations violate one where dependent
** constraints contradict each other), SINGULAR, NONFINITE.
*/
SARRUS_API sarrus_Status sarrus_expansion_run(sarrus_Expansion *expansion, double t,
                                              const double *q, const double *v,
                                              const double *parameters, double tolerance,
                                              sarrus_Fault *fault);

/*
** Where Newton's method begins that finds multipliers (algebraic variables) in nonlinear equations
** [0].
*/
SARRUS_API void sarrus_expansion_guess(sarrus_Expansion *expansion, const double *y);

/*
** The highest order known of a variable, coordinates first, then multipliers; -1 where there is
** none.
*/
SARRUS_API int sarrus_expansion_order(const sarrus_Expansion *expansion, int variable);
/*
** Coefficients: q up to order, v up to order - 1, lambda up to order - 2; NaN where there is none.
*/
SARRUS_API double sarrus_expansion_q(const sarrus_Expansion *expansion, int i, int k);
SARRUS_API double sarrus_expansion_v(const sarrus_Expansion *expansion, int i, int k);
SARRUS_API double sarrus_expansion_lambda(const sarrus_Expansion *expansion, int i, int k);
/* 1 if constraint i depends on others, so that its multiplier is not unique. */
SARRUS_API int sarrus_expansion_dependent(const sarrus_Expansion *expansion, int i);

#endif
