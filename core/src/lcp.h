/*
** The linear complementarity problem  w = M z + q,  w >= 0,  z >= 0,  w.z = 0, dense, of size n,
** M by rows, and on top of it planar Coulomb friction.
**
** z_i and w_i may have units of their own: rows and columns are multiplied by powers of two first,
** which changes no digit, and what counts as nothing is relative to what was added up.
** Nothing is allocated: the caller hands the workspace, aligned as malloc does.
*/
#ifndef SARRUS_LCP_H
#define SARRUS_LCP_H

#include <stddef.h>

typedef enum LcpStatus {
  LCP_SOLVED,
  LCP_RAY,       /* no solution was found; up to LCP_SMALL no basis gives one */
  LCP_PIVOTS,    /* too many pivots */
  LCP_NOT_FINITE /* the data */
} LcpStatus;

/* Up to this size all 2^n complementary bases are tried where Lemke's method ends in a ray. */
enum { LCP_SMALL = 8 };

/* Bytes of workspace. */
size_t lcp_work_size(int n);

/*
** z, and basic[i] = 1 where z_i is basic (w_i = 0 is an equation), 0 where z_i is exactly 0.  z is
** solved from M and q by the basis alone, to rounding.  A basic z_i may be 0: w_i is 0 as well.
*/
LcpStatus lcp_solve(int n, const double *M, const double *q, double *z, unsigned char *basic,
                    void *work);

/*
** All complementary bases, 2^n of them: how many solutions with different w there are, 0, 1, or 2
** for several.  The first one is stored.
*/
int lcp_enumerate(int n, const double *M, const double *q, double *z, unsigned char *basic,
                  void *work);

/*
** Planar friction.  Contact i has the normal row i and the tangential row n + i of W = B M^-1 B^T;
** rates a = b + W f, where f = (N, T) are forces (a: accelerations) or impulses (a: velocities):
**
**   a_n >= 0,  N >= 0,  a_n N = 0;   |T| <= mu N,  T = -mu N sign(a_t) where a_t is not 0.
**
** With mu = 0 the tangential row is only reported: rows of zeros where there is none.
*/
typedef enum FrictionMode {
  FRICTION_OPEN,      /* N = 0, a_n >= 0 */
  FRICTION_STICK,     /* a_n = 0, a_t = 0 */
  FRICTION_SLIP_PLUS, /* a_n = 0, T = -mu N, a_t > 0; without friction every closed one slips */
  FRICTION_SLIP_MINUS /* a_n = 0, T = mu N, a_t < 0 */
} FrictionMode;

typedef struct FrictionProblem {
  int n;            /* contacts */
  const double *W;  /* 2n x 2n, by rows */
  const double *b;  /* 2n: rates without contact forces */
  const double *mu; /* n, >= 0 */
  const int *slip;  /* n: +1, -1: slides already, T = -slip mu N; 0: at rest; NULL: all at rest */
  /* n: what N has at least, >= 0; the unilateral rest is complementary to a_n.  NULL: 0 */
  const double *least;
  int even; /* whether, where forces are not determined, contacts share alike (lcp_even.c) */
} FrictionProblem;

/* Arrays of the caller. */
typedef struct FrictionAnswer {
  double *force;      /* 2n: N, T */
  double *rate;       /* 2n: b + W force, exactly 0 where the mode says so or rounding is left */
  FrictionMode *mode; /* n */
  /*
  ** n: 1 where another mode has the same forces and rates: open with a_n = 0 (idle, redundant or
  ** grazing), stick with |T| = mu N (about to slip, or T shared out among redundant contacts so).
  */
  unsigned char *tie;
} FrictionAnswer;

/* Up to so many contacts all 4^n modes are tried where Lemke's method ends in a ray. */
enum { FRICTION_SMALL = 4 };

size_t friction_work_size(int n);

/* LCP_RAY: no forces are consistent (Painleve), known for sure up to FRICTION_SMALL contacts. */
LcpStatus friction_solve(const FrictionProblem *problem, const FrictionAnswer *answer, void *work);

/*
** All modes: how many solutions with different rates there are, 0, 1, or 2 for several.  The first
** one is stored.  4^n small systems, for up to FRICTION_SMALL contacts.
*/
int friction_enumerate(const FrictionProblem *problem, const FrictionAnswer *answer, void *work);

#endif
