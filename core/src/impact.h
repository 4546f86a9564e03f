/*
** Impact of several contacts with friction: Poisson's law in two parts.  Compression ends
** where nothing approaches any more; expansion adds e times its normal impulses, and more where
** contacts would approach again.  Friction acts in both.
**
** e = 0 everywhere: one stage, all contacts together.  Otherwise stage after stage, all that
** approach together, those that separate or rest taking no part, until none approaches.  Stages
** need not end: after IMPACT_STAGES, or when what approaches is below 1e-14 of the first, the rest
** is done together with e = 0.
**
** Where joints leave a contact one freedom, v_t = r v_n: it is guided.  N and T do the same then,
** so that no speed tells them apart, and N, of which expansion gives e back, would be any of many.
** But while v_n < 0 slip has the sign of -r, and friction adds to what N does; while v_n > 0 it
** takes from that.  With c = mu |r|, it is a contact without friction whose impulse N + r T is
**
**   (1 + c) N   in compression,     (1 - c) e N + y,  y >= 0,  y v_n = 0   in expansion      (T69)
**
** alone v_n becomes -e v_n (1 - c) / (1 + c), or 0 with c > 1, where it jams.
*/
#ifndef SARRUS_IMPACT_H
#define SARRUS_IMPACT_H

#include "lcp_cone.h"

enum { IMPACT_STAGES = 100 };

typedef struct ImpactProblem {
  int n;                /* contacts that are closed or touch */
  int axes;             /* of slip: 1 in the plane, 2 in space; rows = (1 + axes) n */
  const double *W;      /* rows x rows, as in FrictionProblem, or of cone_solve */
  const double *v;      /* rows: normal (approaching < 0) and tangential speeds before */
  const double *mu, *e; /* n, >= 0; 0 <= e <= 1 */
  const int *guided;    /* n: whether v_t = r v_n, along the first axis; NULL: none */
} ImpactProblem;

size_t impact_work_size(int n, int axes);

/*
** impulse and after (v + W impulse; exactly 0 where rounding is left), rows each; *stages: how
** many, the last one for the rest included.  Kinetic energy, which changes by
** impulse . (v + after) / 2, does not rise.
*/
LcpStatus impact_solve(const ImpactProblem *problem, double *impulse, double *after, int *stages,
                       void *work);

#endif
