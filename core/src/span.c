#include "span.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "vector.h"

#define INLINE static inline __attribute__((always_inline)) /* into clones */

/* weight(k) of (T23) in the user's time; `scale` is unit^-derivative. */
INLINE double weight(int derivative, int k, double scale) {
  return derivative == 0 ? scale : derivative == 1 ? k * scale : (double)k * (k - 1) * scale;
}

/*
** Horner (T23): sum_k weight(k) c_k t^(k - derivative) for so many Lanes of variables, or for one;
** t in the unit of the series.  The sums stay in registers (landing a squeezer: 2,000 instructions,
** order by order 6,600).
*/
enum { MOST_AT_ONCE = 4 };

INLINE void sum_lanes(const Span *span, int first, int lanes, int top, int derivative, double t,
                      double scale, double *x) {
  Lanes sum[MOST_AT_ONCE] = {{0}};
  for (int k = top; k >= derivative; k--) {
    const double *c = span_at(span, k) + first, f = weight(derivative, k, scale);
#pragma GCC unroll 4
    for (int i = 0; i < lanes; i++)
      sum[i] = sum[i] * t + f * *(const Lanes *)(c + i * LANES);
  }
#pragma GCC unroll 4
  for (int i = 0; i < lanes; i++)
    *(Lanes *)(x + i * LANES) = sum[i];
}

INLINE double sum_one(const Span *span, int variable, int top, int derivative, double t,
                      double scale) {
  double sum = 0;
  for (int k = top; k >= derivative; k--)
    sum = sum * t + weight(derivative, k, scale) * span_at(span, k)[variable];
  return sum;
}

/* `count` variables from `first` on.  The last Lanes may repeat what others have found. */
INLINE void sum_up(const Span *span, int first, int count, int top, int derivative, double t,
                   double *x) {
  const double scale = 1 / (derivative == 0   ? 1
                            : derivative == 1 ? span->unit
                                              : span->unit * span->unit);
  int j = 0;
  for (; j + MOST_AT_ONCE * LANES <= count; j += MOST_AT_ONCE * LANES)
    sum_lanes(span, first + j, MOST_AT_ONCE, top, derivative, t, scale, x + j);
  for (; j + LANES <= count; j += LANES)
    sum_lanes(span, first + j, 1, top, derivative, t, scale, x + j);
  if (j < count && count >= LANES) {
    j = count - LANES;
    sum_lanes(span, first + j, 1, top, derivative, t, scale, x + j);
    return;
  }
  for (; j < count; j++)
    x[j] = sum_one(span, first + j, top, derivative, t, scale);
}

VECTOR_CLONES
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
