/*
** All real zeros of a polynomial on an interval: what an event's series does within one step.
**
** Values of p are known to `noise` (absolute) plus the rounding of the coefficients and of
** Horner's rule, eps times about sum |c_k t^k|.  Where |p| is below that, its sign is unknown, and a
** zero is decided by the known signs on both sides: different signs make one crossing, equal ones one
** touch.  So two zeros are two if p leaves the band between them, and odd multiplicities cross, even
** ones touch.
**
** The ends.  A zero belongs to the step that ends there: a p(to) in the band (twice as wide there) that is
** about to cross or to touch is reported at `to`; a p(from) in the band stands for a zero that
** the step before has reported, and with it goes whatever happens before p leaves the band.
** Nor can times be told apart that differ by 4 eps max(|from|, |to|) (8 at the end).
** Across a boundary the two steps' series may differ by rounding; roots_follow carries the sign of p from one
** to the next, and then no crossing is lost or reported twice whatever the rounding.
*/
#ifndef SARRUS_ROOTS_H
#define SARRUS_ROOTS_H

#include <stddef.h>

typedef struct Root {
  double t;
  int direction; /* in the direction of travel: 1 rising through zero, -1 falling, 0 a touch */
} Root;

/* Doubles of workspace for a polynomial of this order. */
size_t roots_work_size(int order);

/*
** The zeros of p(t) = sum_{k<=order} c_k t^k with from < t <= to, or to <= t < from when travelling
** backwards, in the order of travel.  A crossing is polished to the last digits p has, a touch lies at
** the zero of the derivative.
** Answers how many; capacity + 1 if there are more than that (the first ones are stored); -1 if
** sum |c_k t^k| stays within noise, or if anything is not finite.
*/
int roots_find(const double *c, int order, double from, double to, double noise, Root *roots,
               int capacity, double *work);

/*
** The same, step after step.  *side is the sign of p at `from` as the step before has left it, or 0:
** unknown (a first step; an action has just answered a zero at `from`).  On return it is the sign at
** `to`, after the zeros reported; with capacity + 1, that after the last one stored, so that one can go
** on from there.  A p whose sign at `from` is not *side has crossed between the steps: a zero at `from`.
** Unchanged when the answer is -1.
*/
int roots_follow(const double *c, int order, double from, double to, double noise, Root *roots,
                 int capacity, double *work, int *side);

#endif
