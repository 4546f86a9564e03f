/*
** The inside of a search for zeros.
**
** Time is scaled by a power of two, so that |t| <= 1, and turned so that it increases; values are
** scaled by a power of two, too.  Neither rounds.
**
** roots.c divides the interval at points between which p is monotone (or of known sign, or within
** rounding); roots_signs.c takes these points in the order of travel and finds the zeros between.
*/
#ifndef SARRUS_ROOTS_PARTS_H
#define SARRUS_ROOTS_PARTS_H

#include "roots.h"

typedef struct Search {
  int n;
  double *a;     /* p: n + 1 coefficients */
  double *slope; /* p': n coefficients */
  double *stack; /* of pieces, see roots.c */
  double from, to, noise;

  Root *roots;
  int capacity, count; /* count = capacity + 1: no room was left for a zero, and the search ends */

  int sign;     /* of p at the last point where it was known; 0: nowhere yet */
  double at;    /* that point */
  int unsure;   /* since then there were points in the band */
  int leading;  /* `from` is one of these points */
  int touching; /* an extremum is one of these points; it is at: */
  double touch;
  int side; /* where no room was left: the sign after the last zero stored */
} Search;

double roots_value(const double *c, int order, double t);

/*
** The zero in [lo, hi] of a polynomial that has different signs at the ends; lo if p(lo) has the
** sign of p(hi).
*/
double roots_polish(const double *c, int order, double lo, double hi);

/* Begin at `from`, meet the points after it one by one, end at `to`. */
void roots_begin(Search *s, int side);
void roots_meet(Search *s, double t, int sign, int extremum); /* sign 0: in the band */
void roots_meet_value(Search *s, double t, int extremum);     /* the sign of p(t) */
void roots_end(Search *s);

#endif
