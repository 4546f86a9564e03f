/*
** Impact of several contacts with planar friction: Poisson's law in two parts.  Compression ends
** where nothing approaches any more; expansion adds e times its normal impulses, and more where
** contacts would approach again.  Friction acts in both.
**
** e = 0 everywhere: one stage, all contacts together.  Otherwise stage after stage, all that
** approach together, those that separate or rest taking no part, until none approaches.  Stages
** need not end: after IMPACT_STAGES, or when what approaches is below 1e-14 of the first, the rest
** is done together with e = 0.
*/
#ifndef SARRUS_IMPACT_H
#define SARRUS_IMPACT_H

#include "lcp.h"

enum { IMPACT_STAGES = 100 };

typedef struct ImpactProblem {
  int n;                /* contacts that are closed or touch */
  const double *W;      /* 2n x 2n, by rows: as in FrictionProblem */
  const double *v;      /* 2n: normal (approaching < 0) and tangential speeds before */
  const double *mu, *e; /* n, >= 0; 0 <= e <= 1 */
} ImpactProblem;

size_t impact_work_size(int n);

/*
** impulse and after (v + W impulse; exactly 0 where rounding is left), 2n each; *stages: how many,
** the last one for the rest included.  Kinetic energy, which changes by
** impulse . (v + after) / 2, does not rise.
*/
LcpStatus impact_solve(const ImpactProblem *problem, double *impulse, double *after, int *stages,
                       void *work);

#endif
