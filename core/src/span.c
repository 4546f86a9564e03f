#include "span.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "vector.h"

/*
** Horner (T23): sum_k weight(k) c_k t^(k - derivative) for `count` variables from `first` on, side
** by side; t in the unit of the series.
*/
static void sum_up(const Span *span, int first, int count, int top, int derivative, double t,
                   double *x) {
  const double scale = 1 / (derivative == 0   ? 1
                            : derivative == 1 ? span->unit
                                              : span->unit * span->unit);
  for (int j = 0; j < count; j++)
    x[j] = 0;
  for (int k = top; k >= derivative; k--) {
    const double *c = span_at(span, k) + first;
    const double weight = derivative == 0 ? 1 : derivative == 1 ? k : (double)k * (k - 1);
    vector_horner(x, t, c, weight * scale, count);
  }
}

void span_evaluate(const Span *span, double dt, double *q, double *v, double *a, double *lambda) {
  const int top = span->order + 1;
  const double t = dt / span->unit;
  if (q != NULL) sum_up(span, 0, span->n, top, 0, t, q);
  if (v != NULL) sum_up(span, 0, span->n, top, 1, t, v);
  if (a != NULL) sum_up(span, 0, span->n, top, 2, t, a);
  if (lambda != NULL) sum_up(span, span->n, span->m, top - 2, 0, t, lambda);
}

int span_covers(const Span *span, double t) {
  return fmin(span->from.t, span->until) <= t && t <= fmax(span->from.t, span->until);
}

void point_forward(Point *point, double dt) {
  const double y = dt + point->t_low, t = point->t + y;
  point->t_low = y - (t - point->t);
  point->t = t;
}

void point_copy(Point *to, const Point *from, int n) {
  to->t = from->t;
  to->t_low = from->t_low;
  memcpy(to->q, from->q, (size_t)n * sizeof *to->q);
  memcpy(to->v, from->v, (size_t)n * sizeof *to->v);
}
