/*
** Finds zeros of p from its signs at points between which it is monotone.
**
** Successive points in the band, between two points of known sign, are one zero: a crossing, which
** is polished between the two points, or a touch, at the zero of p'.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "roots_parts.h"

enum { MOST_ROUNDS = 200 };

typedef struct Value {
  double p, slope;
  double band; /* |p| <= band: the sign is unknown */
} Value;

static int sign_of(double x) { return (x > 0) - (x < 0); }

/* p(t) = y_0 with y_k = a_k + t y_{k+1}; its rounding is at most eps sum |y_k t^k|. */
static Value evaluate(const Search *s, double t) {
  const double size = fabs(t);
  double y = s->a[s->n], slope = 0, partial = fabs(y), terms = partial;
  for (int k = s->n - 1; k >= 0; k--) {
    slope = slope * t + y;
    y = y * t + s->a[k];
    partial = partial * size + fabs(y);
    terms = terms * size + fabs(s->a[k]);
  }
  return (Value){y, slope, s->noise + DBL_EPSILON * (partial + terms)};
}

double roots_value(const double *c, int order, double t) {
  double y = c[order];
  for (int k = order - 1; k >= 0; k--)
    y = y * t + c[k];
  return y;
}

static double value_and_slope(const double *c, int order, double t, double *slope) {
  double y = c[order], dy = 0;
  for (int k = order - 1; k >= 0; k--) {
    dy = dy * t + y;
    y = y * t + c[k];
  }
  *slope = dy;
  return y;
}

/* Newton's method within a bracket: a step must stay inside and be at most half of the one before;
** otherwise the bracket is halved. */
double roots_polish(const double *c, int order, double lo, double hi) {
  const double p_lo = roots_value(c, order, lo), p_hi = roots_value(c, order, hi);
  if (p_hi == 0) return hi;
  if (p_lo == 0 || (p_lo < 0) == (p_hi < 0)) return lo;
  double x = lo + (hi - lo) * (p_lo / (p_lo - p_hi));
  if (!(x > lo && x < hi)) x = lo + 0.5 * (hi - lo);
  double last = hi - lo;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    double dp;
    const double p = value_and_slope(c, order, x, &dp);
    if (p == 0) return x;
    if ((p < 0) == (p_hi < 0))
      hi = x;
    else
      lo = x;
    double next = x - p / dp;
    if (next == x) return x;
    if (!(next > lo && next < hi) || fabs(next - x) > 0.5 * last) next = lo + 0.5 * (hi - lo);
    if (!(next > lo && next < hi)) return x;
    last = fabs(next - x);
    x = next;
  }
  return x;
}

static void report(Search *s, double t, int direction) {
  if (s->count < s->capacity) {
    s->roots[s->count++] = (Root){t, direction};
  } else if (s->count == s->capacity) {
    s->count++;
    s->side = direction == 0 ? s->sign : -direction;
  }
}

/* p went from its sign at s->at into the band, and has the same sign again at t. */
static void report_touch(Search *s, double t) {
  if (s->touching) {
    report(s, s->touch, 0);
    return;
  }
  const double before = s->sign * roots_value(s->slope, s->n - 1, s->at);
  const double after = s->sign * roots_value(s->slope, s->n - 1, t);
  if (before < 0 && after > 0) report(s, roots_polish(s->slope, s->n - 1, s->at, t), 0);
}

void roots_meet(Search *s, double t, int sign, int extremum) {
  if (sign == 0) {
    s->unsure = 1;
    if (extremum && !s->touching) {
      s->touching = 1;
      s->touch = t;
    }
    return;
  }
  if (s->sign == -sign)
    report(s, roots_polish(s->a, s->n, s->at, t), sign);
  else if (s->sign == sign && s->unsure && !s->leading)
    report_touch(s, t);
  s->sign = sign;
  s->at = t;
  s->unsure = s->leading = s->touching = 0;
}

void roots_meet_value(Search *s, double t, int extremum) {
  const Value v = evaluate(s, t);
  roots_meet(s, t, fabs(v.p) > v.band ? sign_of(v.p) : 0, extremum);
}

/* A sign of p(from) that contradicts `side` counts only if it is beyond doubt. */
void roots_begin(Search *s, int side) {
  const Value v = evaluate(s, s->from);
  const double band = v.band + 4 * DBL_EPSILON * fabs(v.slope);
  const int sign = sign_of(v.p);
  s->at = s->from;
  s->sign = side;
  if (fabs(v.p) > (side == -sign ? 8 : 1) * band) {
    if (side == -sign) report(s, s->from, sign);
    s->sign = sign;
  } else {
    s->unsure = s->leading = 1;
  }
}

/*
** p(to + x) = sum d_k x^k with d_0 unknown within band: its other terms leave the band from
** x = min_k (band/|d_k|)^{1/k} on.  d: n + 1 of workspace.
*/
static double distance_beyond(const Search *s, double band, double *d) {
  double x = HUGE_VAL;
  memcpy(d, s->a, ((size_t)s->n + 1) * sizeof *d);
  for (int k = 0; k <= s->n; k++) {
    for (int i = s->n - 1; i >= k; i--)
      d[i] += s->to * d[i + 1];
    if (k > 0 && d[k] != 0) x = fmin(x, pow(band / fabs(d[k]), 1.0 / k));
  }
  return x;
}

/* The sign that p takes beyond `to`; the sign before `to` if p does not clearly leave the band. */
static int sign_beyond(const Search *s, double band, double x) {
  x = fmax(x, DBL_EPSILON);
  for (int round = 0; round < 8 && x < 1; round++, x *= 2) {
    const Value v = evaluate(s, s->to + x);
    if (fabs(v.p) > fmax(band, v.band)) return sign_of(v.p);
  }
  return s->sign;
}

/* p(to) is in the band, into which it has come: p is crossing, or it touches. */
static void end_in_band(Search *s, const Value *v, double band) {
  const int after = sign_beyond(s, band, distance_beyond(s, band, s->stack));
  if (after != s->sign) {
    const int crossed = sign_of(v->p) != s->sign;
    report(s, crossed ? roots_polish(s->a, s->n, s->at, s->to) : s->to, after);
    s->sign = after;
  } else if (!s->leading) {
    if (fabs(v->p) <= v->band && !s->touching)
      report(s, s->to, 0);
    else if (s->unsure)
      report_touch(s, s->to);
  }
}

void roots_end(Search *s) {
  const Value v = evaluate(s, s->to);
  const double band = 2 * v.band + 8 * DBL_EPSILON * fabs(v.slope);
  if (fabs(v.p) > band)
    roots_meet(s, s->to, sign_of(v.p), 0);
  else if (s->sign != 0)
    end_in_band(s, &v, band);
}
