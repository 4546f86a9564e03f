/* What the files of planar friction share. */
#ifndef SARRUS_LCP_FRICTION_H
#define SARRUS_LCP_FRICTION_H

#include "lcp_parts.h"

/* Rates and forces below this of the terms they are summed from are rounding. */
static const double FRICTION_ROUNDING = 1e-14;

typedef struct Friction {
  const FrictionProblem *problem;
  int sticking, size; /* contacts that may stick; of the complementarity problem */
  int *at;
  double *M, *q, *z;
  unsigned char *basic;
  FrictionMode *modes;  /* of an enumeration */
  double *W, *b, *last; /* of softened problems, and the forces before */
  double *first;        /* rates of its first solution */
  void *work;
} Friction;

Friction friction_take(Block *block, const FrictionProblem *problem, int n);

/* The direction in which contact i slides already, or 0 */
int friction_slip(const FrictionProblem *problem, int i);

/* What presses contact i whatever happens: friction without a gap, as that of joints; or 0 */
double friction_least(const FrictionProblem *problem, int i);

/* One problem as it stands. */
LcpStatus friction_solve_once(const FrictionProblem *problem, const FrictionAnswer *answer,
                              Friction *f);

/* One contact; not SOLVED where it might have several solutions, or none. */
LcpStatus friction_solve_single(const FrictionProblem *problem, const FrictionAnswer *answer);

/* With shared forces; not SOLVED where they are determined, or none are found. */
LcpStatus friction_share(const FrictionProblem *problem, const FrictionAnswer *answer, Friction *f);

/* Rates and ties from forces and modes. */
void friction_finish(const FrictionProblem *problem, const FrictionAnswer *answer);

/* Solutions with different rates among all modes, at most `enough`; the first one is stored. */
int friction_count(Friction *f, const FrictionAnswer *answer, int enough);

#endif
