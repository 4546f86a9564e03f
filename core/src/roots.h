/*
** All real zeros of a polynomial on an interval: the polynomial is an event's series, the interval
** one step.
**
** Values of p are known up to `noise` (absolute) and the rounding of the coefficients and of
** Horner's rule, about 2 eps sum |c_k t^k|.  While |p| is within this band its sign is unknown, and
** the known signs on both sides decide: different ones make one crossing, equal ones one touch.  So
** two zeros are told apart if p leaves twice the band between them; odd multiplicities cross, even
** ones touch.
**
** The ends.  A zero belongs to the step that ends there.  If p(to) is in the band (here twice as
** wide) and about to cross or to turn, this is reported, at `to`.  If p(from) is in the band, the
** step before has reported what happens there, and nothing is reported until p has left the band.
** Times that differ by less than 4 eps max(|from|, |to|) (8 at the end) are the same time.
** The series of two adjacent steps differ by rounding, and a p that lies at the edge of the band in
** between may be reported twice.  roots_follow carries the sign of p from one step to the next: no
** crossing is lost or reported twice, whatever the rounding.
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
** backwards, in the order of travel.  A crossing is polished to the last digits that p has, a touch
** lies at the zero of the derivative.
** Returns how many there are; capacity + 1 if there are more (the first ones are stored); -1 if
** sum |c_k t^k| stays within noise, or if anything is not finite.
*/
int roots_find(const double *c, int order, double from, double to, double noise, Root *roots,
               int capacity, double *work);

/*
** The same, step after step.  *side is the sign of p at `from` as the step before has left it,
** or 0 if unknown (a first step, or an action was just taken at a zero at `from`).  On return it
** is the sign at `to`, after the zeros reported; if capacity + 1 is returned, the sign after the
** last zero stored, from which the search can go on.  If p clearly has the other sign at `from`,
** it has crossed between the steps, and a zero at `from` is reported.  *side is unchanged if -1
** is returned.
*/
int roots_follow(const double *c, int order, double from, double to, double noise, Root *roots,
                 int capacity, double *work, int *side);

#endif
