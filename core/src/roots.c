/*
** Zeros of a polynomial on an interval.
**
** Three stages, the cheap ones first:
**   1. |c_0| > sum_{k>=1} |c_k| H^k, H = max |t|: no zero.  |c_1| > sum_{k>=2} k |c_k| H^{k-1}: monotone.
**   2. Otherwise the Bernstein form, b_i = sum_k C(i,k)/C(n,k) a_k on [0,1], is halved (de Casteljau)
**      until each piece is empty (b of one sign), monotone (differences of b of one sign), bent one way
**      (second differences of one sign; then the zero of p' divides it into two monotone pieces) or flat
**      (b within rounding; around zeros of multiplicity 3 and more).
**      By Descartes' rule, p and its derivatives have no zeros where these signs do not vary.
**   3. The ends of the pieces, in the order of travel, are a list of points between which p is monotone.
**      Their signs tell the zeros; Newton's method, kept inside its bracket, polishes them.
**
** Time is scaled by a power of two, so that |t| <= 1, and turned so that it increases; values are
** scaled by a power of two, too.  Neither rounds.
**
** All weights are positive in the conversion on [0,h] and in halving, so rounding stays below a multiple of
** n eps sum |a_k t^k| at the far end of each piece: near t = 0 the form is as sharp as Horner's rule.  An
** interval around 0 is therefore divided there first.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "roots.h"

enum { MOST_HALVINGS = 52, MOST_ROUNDS = 200 };

/* A piece on the stack: its ends, how often it was halved, n + 1 Bernstein coefficients. */
enum { LO, HI, HALVINGS, BERNSTEIN };

typedef enum Shape { EMPTY, MONOTONE, BENT, FLAT, MIXED } Shape;

typedef struct Search {
  int n;
  double *a;     /* p: n + 1 coefficients */
  double *slope; /* p': n coefficients */
  double *stack; /* MOST_HALVINGS + 3 pieces */
  double from, to, noise;

  Root *roots;
  int capacity, count;

  int sign;     /* of p at the last point where it was known; 0: nowhere yet */
  double at;    /* that point */
  int unsure;   /* there were points in the band since then, */
  int leading;  /*   `from` among them, */
  int touching; /*   an extremum among them: */
  double touch;
  int side; /* as roots_follow returns it */
} Search;

typedef struct Value {
  double p, slope;
  double band; /* |p| <= band: the sign is unknown */
} Value;

static size_t piece_size(int n) { return (size_t)n + 1 + BERNSTEIN; }

size_t roots_work_size(int order) {
  return 2 * (size_t)order + 1 + (MOST_HALVINGS + 3) * piece_size(order);
}

static int sign_of(double x) { return (x > 0) - (x < 0); }

/*
** Values
*/

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

static double value(const double *c, int order, double t) {
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

/* sum_{k>=first} |c_k| t^k, t >= 0; the powers alone may overflow or underflow, Horner's rule not. */
static double terms_from(int first, const double *c, int order, double t) {
  double power = 1, sum = 0;
  for (int k = 0; k < first; k++)
    power *= t;
  for (int k = first; k <= order; k++) {
    sum += fabs(c[k]) * power;
    power *= t;
  }
  if (power > 1 / DBL_MAX && sum <= DBL_MAX) return sum;
  sum = 0;
  for (int k = order; k >= first; k--)
    sum = sum * t + fabs(c[k]);
  for (int k = 0; k < first; k++)
    sum *= t;
  return sum;
}

/*
** The zero in [lo, hi] of a polynomial with different signs at the ends.  Newton's steps must stay inside
** and halve each time; otherwise the bracket is halved.  lo if the sign at hi holds there already.
*/
static double polish(const double *c, int order, double lo, double hi) {
  const double p_lo = value(c, order, lo), p_hi = value(c, order, hi);
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

/*
** The signs along the way
*/

static void report(Search *s, double t, int direction) {
  if (s->count < s->capacity) {
    s->roots[s->count++] = (Root){t, direction};
  } else if (s->count == s->capacity) {
    s->count++;
    s->side = direction == 0 ? s->sign : -direction;
  }
}

/* p has come from its sign at s->at into the band, and back to the same sign at t. */
static void report_touch(Search *s, double t) {
  if (s->touching) {
    report(s, s->touch, 0);
  } else {
    const double before = value(s->slope, s->n - 1, s->at), after = value(s->slope, s->n - 1, t);
    if (s->sign * before < 0 && s->sign * after > 0)
      report(s, polish(s->slope, s->n - 1, s->at, t), 0);
  }
}

/* The next point; sign 0: in the band. */
static void meet(Search *s, double t, int sign, int extremum) {
  if (sign == 0) {
    s->unsure = 1;
    if (extremum && !s->touching) {
      s->touching = 1;
      s->touch = t;
    }
    return;
  }
  if (s->sign == -sign)
    report(s, polish(s->a, s->n, s->at, t), sign);
  else if (s->sign == sign && s->unsure && !s->leading)
    report_touch(s, t);
  s->sign = sign;
  s->at = t;
  s->unsure = s->leading = s->touching = 0;
}

static void meet_value(Search *s, double t, int extremum) {
  const Value v = evaluate(s, t);
  meet(s, t, fabs(v.p) > v.band ? sign_of(v.p) : 0, extremum);
}

/* A sign that contradicts `side` must be beyond doubt. */
static void begin(Search *s, int side) {
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
** p(to + x) = sum d_k x^k with d_0 unknown within band: the term that first leaves the band for x > 0,
** min_k (band/|d_k|)^{1/k}, makes a zero of multiplicity k.  Answers k, and the sign of d_k; 0 if p is
** constant.  d: n + 1 of workspace.
*/
static int contact(const Search *s, double band, double *d, int *sign) {
  double nearest = HUGE_VAL;
  int multiplicity = 0;
  memcpy(d, s->a, ((size_t)s->n + 1) * sizeof *d);
  for (int k = 0; k <= s->n; k++) {
    for (int i = s->n - 1; i >= k; i--)
      d[i] += s->to * d[i + 1];
    if (k == 0 || d[k] == 0) continue;
    const double distance = pow(band / fabs(d[k]), 1.0 / k);
    if (distance >= nearest) continue;
    nearest = distance;
    multiplicity = k;
    *sign = sign_of(d[k]);
  }
  return multiplicity;
}

static void end(Search *s) {
  const Value v = evaluate(s, s->to);
  const double band = 2 * v.band + 8 * DBL_EPSILON * fabs(v.slope);
  int after = s->sign;
  if (fabs(v.p) > band) {
    meet(s, s->to, sign_of(v.p), 0);
    return;
  }
  if (s->sign == 0) return;
  const int multiplicity = contact(s, band, s->stack, &after);
  const int touches = multiplicity > 0 && multiplicity % 2 == 0 && fabs(v.p) <= v.band;
  if (after != s->sign) {
    const int crossed = sign_of(v.p) != s->sign;
    report(s, crossed ? polish(s->a, s->n, s->at, s->to) : s->to, after);
    s->sign = after;
  } else if (!s->leading && (s->touching || touches)) {
    report(s, s->touching ? s->touch : s->to, 0);
  }
}

/*
** Pieces
*/

/* b_0..b_n become those of the part right of x, 0 < x < 1; y = 1 - x. */
static void cut(double *b, int n, double x, double y) {
  for (int j = n; j > 0; j--)
    for (int i = 0; i < j; i++)
      b[i] = y * b[i] + x * b[i + 1];
}

/* b becomes its right half, left the other one. */
static void halve(double *b, double *left, int n) {
  for (int j = n; j > 0; j--) {
    left[n - j] = b[0];
    for (int i = 0; i < j; i++)
      b[i] = 0.5 * (b[i] + b[i + 1]);
  }
  left[n] = b[0];
}

/* d_k = a_k x^k / C(n,k), then b_i = sum_k C(i,k) d_k by Pascal's rule: b on [0, x], or [x, 0] reversed. */
static void convert(const double *a, int n, double x, double *b) {
  double factor = 1;
  for (int k = 0; k <= n; k++) {
    b[k] = a[k] * factor;
    factor *= x * (k + 1) / (n - k);
  }
  for (int j = 1; j <= n; j++)
    for (int i = n; i >= j; i--)
      b[i] += b[i - 1];
}

/* 0 is not inside. */
static void make_piece(const Search *s, double lo, double hi, double *piece) {
  const double near = lo >= 0 ? lo : hi, far = lo >= 0 ? hi : lo;
  double *b = piece + BERNSTEIN;
  piece[LO] = lo;
  piece[HI] = hi;
  piece[HALVINGS] = 0;
  convert(s->a, s->n, far, b);
  if (near != 0) cut(b, s->n, near / far, (far - near) / far);
  if (lo >= 0) return;
  for (int i = 0, j = s->n; i < j; i++, j--) {
    const double swap = b[i];
    b[i] = b[j];
    b[j] = swap;
  }
}

/* The range of the differences b_{i+1} - b_i, or of the second ones, is beyond +-bound. */
static int differences_have_one_sign(const double *b, int n, double bound) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int i = 0; i < n; i++) {
    const double d = b[i + 1] - b[i];
    least = d < least ? d : least;
    most = d > most ? d : most;
  }
  return least > bound || most < -bound;
}

static int second_differences_have_one_sign(const double *b, int n, double bound) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int i = 0; i < n - 1; i++) {
    const double d = (b[i + 2] - b[i + 1]) - (b[i + 1] - b[i]);
    least = d < least ? d : least;
    most = d > most ? d : most;
  }
  return least > bound || most < -bound;
}

static Shape shape_of(const Search *s, const double *piece) {
  const int n = s->n;
  const double *b = piece + BERNSTEIN;
  const double lo = piece[LO], hi = piece[HI];
  const double far = fmax(fabs(lo), fabs(hi));
  const double rounding = 2 * n * DBL_EPSILON * terms_from(0, s->a, n, far);
  const double band = s->noise + rounding;
  double least = b[0], most = b[0];
  for (int i = 1; i <= n; i++) {
    least = b[i] < least ? b[i] : least;
    most = b[i] > most ? b[i] : most;
  }
  if (least > band || most < -band) return EMPTY;
  if (differences_have_one_sign(b, n, 2 * rounding)) return MONOTONE;
  if (n > 1 && second_differences_have_one_sign(b, n, 4 * rounding)) return BENT;
  if (least >= -2 * band && most <= 2 * band) return FLAT;
  const int small = piece[HALVINGS] >= MOST_HALVINGS || hi - lo <= 4 * DBL_EPSILON * far;
  return small ? FLAT : MIXED;
}

/* The zero of p', if it is inside; p' is monotone here. */
static void meet_extremum(Search *s, double lo, double hi, double slope_hi) {
  const double slope_lo = value(s->slope, s->n - 1, lo);
  if (sign_of(slope_lo) * sign_of(slope_hi) >= 0) return;
  meet_value(s, polish(s->slope, s->n - 1, lo, hi), 1);
}

/* The points of a piece, lo excluded; `to` is left for end(). */
static void meet_piece(Search *s, const double *piece, Shape shape) {
  const double hi = piece[HI];
  const double slope = shape == BENT ? value(s->slope, s->n - 1, hi) : 1;
  if (shape == BENT) meet_extremum(s, piece[LO], hi, slope);
  if (shape == FLAT)
    meet(s, hi, 0, 0);
  else if (hi >= s->to)
    return;
  else if (shape == EMPTY)
    meet(s, hi, sign_of(piece[BERNSTEIN + s->n]), 0);
  else
    meet_value(s, hi, slope == 0);
}

/* The piece becomes its right half, the one above it on the stack the left half. */
static void halve_piece(double *piece, int n) {
  double *left = piece + piece_size(n);
  const double middle = piece[LO] + 0.5 * (piece[HI] - piece[LO]);
  halve(piece + BERNSTEIN, left + BERNSTEIN, n);
  left[LO] = piece[LO];
  left[HI] = piece[LO] = middle;
  left[HALVINGS] = ++piece[HALVINGS];
}

/*
** The stack holds what is still to come, the next piece on top.  Of each generation, Descartes' rule
** leaves at most about 3 n pieces to halve; the budget is there for what rounding may do.
*/
static void meet_pieces(Search *s) {
  const size_t size = piece_size(s->n);
  const int around_0 = s->from < 0 && s->to > 0;
  int count = 1, budget = 8 * MOST_HALVINGS * (s->n + 1);
  make_piece(s, around_0 ? 0 : s->from, s->to, s->stack);
  if (around_0) make_piece(s, s->from, 0, s->stack + size * (size_t)count++);
  while (count > 0 && s->count <= s->capacity) {
    double *piece = s->stack + size * (size_t)(count - 1);
    const Shape shape = shape_of(s, piece);
    if (shape == MIXED && budget-- > 0) {
      halve_piece(piece, s->n);
      count++;
    } else {
      meet_piece(s, piece, shape == MIXED ? FLAT : shape);
      count--;
    }
  }
}

/*
** The whole
*/

/* The polynomial in scaled time; `size` is sum |c_k| reach^k. */
static Search scaled(const double *c, int n, double from, double to, double noise, double size,
                     double *work) {
  const int turn = to < from ? -1 : 1;
  int time, height;
  frexp(fmax(fabs(from), fabs(to)), &time);
  frexp(size, &height);
  Search s = {.n = n, .a = work, .slope = work + n + 1, .stack = work + 2 * n + 1};
  s.from = turn * ldexp(from, -time);
  s.to = turn * ldexp(to, -time);
  s.noise = ldexp(noise, -height);
  for (int k = 0; k <= n; k++)
    s.a[k] = ldexp(k % 2 ? turn * c[k] : c[k], k * time - height);
  for (int k = 1; k <= n; k++)
    s.slope[k - 1] = k * s.a[k];
  return s;
}

static int is_monotone(const Search *s) {
  const double reach = fmax(fabs(s->from), fabs(s->to));
  return fabs(s->slope[0]) * (1 - 1e-12) > terms_from(1, s->slope, s->n - 1, reach);
}

static void unscale(Root *roots, int count, double from, double to) {
  int time;
  frexp(fmax(fabs(from), fabs(to)), &time);
  for (int i = 0; i < count; i++)
    roots[i].t = (to < from ? -1 : 1) * ldexp(roots[i].t, time);
}

int roots_follow(const double *c, int order, double from, double to, double noise, Root *roots,
                 int capacity, double *work, int *side) {
  const double reach = fmax(fabs(from), fabs(to));
  const double others = terms_from(1, c, order, reach), size = fabs(c[0]) + others;
  if (!(size > noise && size <= DBL_MAX && fabs(from) + fabs(to) <= DBL_MAX)) return -1;
  if (fabs(c[0]) * (1 - 1e-12) > others + 2 * noise && *side * c[0] >= 0) {
    *side = sign_of(c[0]);
    return 0;
  }
  if (from == to) return 0;
  while (order > 0 && c[order] == 0)
    order--;
  Search s = scaled(c, order, from, to, noise, size, work);
  s.roots = roots;
  s.capacity = capacity;
  begin(&s, *side);
  if (order > 0 && !is_monotone(&s)) meet_pieces(&s);
  if (s.count <= capacity) end(&s);
  *side = s.count <= capacity ? s.sign : s.side;
  unscale(roots, s.count < capacity ? s.count : capacity, from, to);
  return s.count;
}

int roots_find(const double *c, int order, double from, double to, double noise, Root *roots,
               int capacity, double *work) {
  int side = 0;
  return roots_follow(c, order, from, to, noise, roots, capacity, work, &side);
}
