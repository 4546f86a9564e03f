/*
** Spans: an interval of time with a power series for every variable, however it was made.  Events,
** switches, output and saving know nothing else of the motion.
*/
#ifndef SARRUS_SPAN_H
#define SARRUS_SPAN_H

#include <stddef.h>

/* Where a span begins or ends. */
typedef struct Point {
  double t, t_low; /* time, and what compensated addition has left over */
  double *q, *v;
} Point;

/*
** Coefficient k of variable j is c[k * variables + j], about `from`: coordinates to t^(order + 1),
** multipliers to t^(order - 1).
*/
typedef struct Span {
  int n, m, variables;
  Point from;
  double h;     /* how far it was made to reach */
  double until; /* the time up to which it holds: its end, or where something has intervened */
  double *c;
  double unit; /* of the time that the series count in, a power of two (T39) */
  int order;   /* 0: there is no span yet */
} Span;

static inline const double *span_at(const Span *span, int k) {
  return span->c + (ptrdiff_t)k * span->variables;
}

/* Any of q, v, a, lambda may be NULL; dt counts from the beginning. */
void span_evaluate(const Span *span, double dt, double *q, double *v, double *a, double *lambda);
int span_covers(const Span *span, double t);

/* t + dt by compensated addition. */
void point_forward(Point *point, double dt);
void point_copy(Point *to, const Point *from, int n);

#endif
