/*
** Zeros of a polynomial on an interval.  Three stages, the cheap ones first:
**
** 1. (T21) With H = max |t|, |c_0| > sum_{k>=1} |c_k| H^k: no zero.
**    |c_1| > sum_{k>=2} k |c_k| H^{k-1}: p is monotone.
** 2. The Bernstein form (T22), b_i = sum_k C(i,k)/C(n,k) a_k on [0,1], is halved (de Casteljau)
**    until each piece is
**      empty      b of one sign,
**      monotone   differences of b of one sign,
**      bent       second differences of one sign: the zero of p' divides it into monotone pieces,
**      or flat    b within rounding, as around zeros of multiplicity 3 and more.
**    By Descartes' rule p, p' or p'' has no zero where these signs do not vary.
** 3. The signs of p at the ends of the pieces show where zeros are; Newton's method polishes them
**    (roots_signs.c).
**
** All weights are positive in the conversion on [0,h] and in halving, so rounding stays below a
** multiple of n eps sum |a_k t^k| at the far end of each piece: near t = 0 the form is as sharp as
** Horner's rule.  An interval around 0 is therefore divided there first.
*/
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "roots_parts.h"

enum { MOST_HALVINGS = 52 };

/* A piece: its ends, how often it was halved, n + 1 Bernstein coefficients. */
enum { LO, HI, HALVINGS, BERNSTEIN };

typedef enum Shape { EMPTY, MONOTONE, BENT, FLAT, MIXED } Shape;

static size_t piece_size(int n) { return (size_t)n + 1 + BERNSTEIN; }

/*
** The stack holds at most one piece of each generation of halving.  (Left of 0 it also holds the
** piece right of 0; but there pieces become too short to be halved one generation earlier.)
*/
size_t roots_work_size(int order) {
  return 2 * (size_t)order + 1 + (MOST_HALVINGS + 1) * piece_size(order);
}

static int sign_of(double x) { return (x > 0) - (x < 0); }

/* sum_{k>=first} |c_k| t^k, t >= 0; by Horner's rule where the powers of t over- or underflow. */
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
** Pieces
*/

/* b_0..b_n become the coefficients of the part right of x, 0 < x < 1; y = 1 - x. */
static void cut(double *b, int n, double x, double y) {
  for (int j = n; j > 0; j--)
    for (int i = 0; i < j; i++)
      b[i] = y * b[i] + x * b[i + 1];
}

/* b becomes its right half, `left` the left half. */
static void halve(double *b, double *left, int n) {
  for (int j = n; j > 0; j--) {
    left[n - j] = b[0];
    for (int i = 0; i < j; i++)
      b[i] = 0.5 * (b[i] + b[i + 1]);
  }
  left[n] = b[0];
}

/* b on [0, x], or on [x, 0] reversed: d_k = a_k x^k / C(n,k), b_i = sum_k C(i,k) d_k by Pascal. */
static void convert(const double *a, int n, double x, double *b) {
  double factor = 1;
  b[0] = a[0];
  for (int k = 1; k <= n; k++) {
    factor *= x * k / (n - k + 1);
    b[k] = a[k] * factor;
  }
  for (int j = 1; j <= n; j++)
    for (int i = n; i >= j; i--)
      b[i] += b[i - 1];
}

/* Fill in a piece; 0 must not be inside (lo, hi). */
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

/* Whether the differences b_{i+1} - b_i are all above bound or all below -bound. */
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

/* Meet the zero of p', if it is inside the piece, where p' is monotone. */
static void meet_extremum(Search *s, double lo, double hi, double slope_hi) {
  const double slope_lo = roots_value(s->slope, s->n - 1, lo);
  if (sign_of(slope_lo) * sign_of(slope_hi) >= 0) return;
  roots_meet_value(s, roots_polish(s->slope, s->n - 1, lo, hi), 1);
}

/* Meet the points of a piece, without lo, which is met already, and `to`, which roots_end meets. */
static void meet_piece(Search *s, const double *piece, Shape shape) {
  const double hi = piece[HI];
  const double slope = shape == BENT ? roots_value(s->slope, s->n - 1, hi) : 1;
  if (shape == BENT) meet_extremum(s, piece[LO], hi, slope);
  if (shape == FLAT)
    roots_meet(s, hi, 0, 0);
  else if (hi >= s->to)
    return;
  else if (shape == EMPTY)
    roots_meet(s, hi, sign_of(piece[BERNSTEIN + s->n]), 0);
  else
    roots_meet_value(s, hi, slope == 0);
}

/* The piece becomes its right half; its left half is put above it on the stack. */
static void halve_piece(double *piece, int n) {
  double *left = piece + piece_size(n);
  const double middle = piece[LO] + 0.5 * (piece[HI] - piece[LO]);
  halve(piece + BERNSTEIN, left + BERNSTEIN, n);
  left[LO] = piece[LO];
  left[HI] = piece[LO] = middle;
  left[HALVINGS] = ++piece[HALVINGS];
}

/*
** The stack holds the pieces still to be met, the next one on top.  By Descartes' rule at most
** about 3 n pieces of a generation are halved; the budget is there in case rounding makes it more.
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

/* Powers of two by which t and p are divided. */
typedef struct Scale {
  int time, height; /* the exponents, for t and for p */
  int turn;         /* -1: time runs backwards */
} Scale;

/* size: sum |c_k| max |t|^k */
static Scale choose_scale(double from, double to, double size) {
  Scale scale = {.turn = to < from ? -1 : 1};
  frexp(fmax(fabs(from), fabs(to)), &scale.time);
  frexp(size, &scale.height);
  return scale;
}

/* a_k = c_k 2^{k time - height}, computed such that the power of two itself cannot overflow. */
static void scale_coefficients(const double *c, int n, Scale scale, double *a) {
  const int safe = n * abs(scale.time) + abs(scale.height) < DBL_MAX_EXP - 2;
  const double ratio = safe ? scale.turn * ldexp(1, scale.time) : 0;
  double factor = safe ? ldexp(1, -scale.height) : 0;
  for (int k = 0; k <= n; k++, factor *= ratio)
    a[k] = safe ? c[k] * factor
                : ldexp(k % 2 ? scale.turn * c[k] : c[k], k * scale.time - scale.height);
}

static Search start(const double *c, int n, double from, double to, double noise, Scale scale,
                    double *work) {
  Search s = {.n = n, .a = work, .slope = work + n + 1, .stack = work + 2 * n + 1};
  s.from = scale.turn * ldexp(from, -scale.time);
  s.to = scale.turn * ldexp(to, -scale.time);
  s.noise = ldexp(noise, -scale.height);
  scale_coefficients(c, n, scale, s.a);
  for (int k = 1; k <= n; k++)
    s.slope[k - 1] = k * s.a[k];
  return s;
}

static int is_monotone(const Search *s) {
  const double reach = fmax(fabs(s->from), fabs(s->to));
  return fabs(s->slope[0]) * (1 - 1e-12) > terms_from(1, s->slope, s->n - 1, reach);
}

int roots_follow(const double *c, int order, double from, double to, double noise, Root *roots,
                 int capacity, double *work, int *side) {
  const double reach = fmax(fabs(from), fabs(to));
  const double others = terms_from(1, c, order, reach), size = fabs(c[0]) + others;
  if (!(isfinite(from) && isfinite(to) && size > noise && size <= DBL_MAX)) return -1;
  if (fabs(c[0]) * (1 - 1e-12) > others + 2 * noise && *side * c[0] >= 0) {
    *side = sign_of(c[0]);
    return 0;
  }
  if (from == to) return 0;
  while (order > 0 && c[order] == 0)
    order--;
  const Scale scale = choose_scale(from, to, size);
  Search s = start(c, order, from, to, noise, scale, work);
  s.roots = roots;
  s.capacity = capacity;
  roots_begin(&s, *side);
  if (order > 0 && !is_monotone(&s)) meet_pieces(&s);
  if (s.count <= capacity) roots_end(&s);
  *side = s.count <= capacity ? s.sign : s.side;
  for (int i = 0; i < s.count && i < capacity; i++)
    roots[i].t = scale.turn * ldexp(roots[i].t, scale.time);
  return s.count;
}

int roots_find(const double *c, int order, double from, double to, double noise, Root *roots,
               int capacity, double *work) {
  int side = 0;
  return roots_follow(c, order, from, to, noise, roots, capacity, work, &side);
}
