/*
** Zeros of polynomials on intervals: against known factors, trigonometric series, clusters, across
** adjacent intervals and backwards.
*/
#include <float.h>
#include <stdint.h>
#include <time.h>

#include "roots.h"
#include "test.h"

enum { MOST = 70, MOST_POINTS = 12, ORDER = 62, WORK = 8192 };

typedef struct Zeros {
  int count;
  Root root[MOST];
} Zeros;

static double work[WORK];

static Zeros find(const double *c, int order, double from, double to, double noise) {
  Zeros zeros;
  memset(&zeros, 0xff, sizeof zeros);
  zeros.count = roots_find(c, order, from, to, noise, zeros.root, MOST, work);
  return zeros;
}

static void check_zero(const Zeros *zeros, int i, double t, int direction, double tolerance) {
  if (i >= zeros->count) return;
  CHECK_NEAR(zeros->root[i].t, t, tolerance);
  CHECK_INT(zeros->root[i].direction, direction);
}

/*
** Chance
*/

static uint64_t chance = 88172645463325252u;

static double uniform(double from, double to) {
  chance ^= chance << 13;
  chance ^= chance >> 7;
  chance ^= chance << 17;
  return from + (to - from) * (double)(chance >> 11) * 0x1p-53;
}

static int below(int n) { return (int)uniform(0, n); }

/*
** Polynomials with known zeros, in |t| <= 1: real zeros with their multiplicities, pairs of complex
** ones.  Coefficients are rounded once, so zeros move by about `blur`.
*/

typedef struct Factor {
  double re, im; /* im > 0: a pair */
  int multiplicity;
  double blur;
} Factor;

typedef struct Known {
  int count, order;
  Factor factor[ORDER];
  double from, to;
  double c[ORDER + 1];
} Known;

/* The polynomial without factor `skip` at t; sizes: with |t| and absolute coefficients */
static double others_at(const Known *known, int skip, double t, int sizes) {
  double product = 1;
  for (int i = 0; i < known->count; i++) {
    const Factor *f = &known->factor[i];
    const double re = f->re, norm = re * re + f->im * f->im;
    double one = t - re;
    if (i == skip && !sizes) continue;
    if (f->im > 0) one = t * t - 2 * re * t + norm;
    if (sizes) one = f->im > 0 ? t * t + 2 * fabs(re * t) + norm : fabs(t) + fabs(re);
    for (int m = 0; m < f->multiplicity; m++)
      product *= one;
  }
  return product;
}

static void expand(Known *known) {
  long double c[ORDER + 1] = {1};
  int n = 0;
  for (int i = 0; i < known->count; i++) {
    const Factor *f = &known->factor[i];
    const long double re = (long double)f->re, im = (long double)f->im;
    for (int m = 0; m < f->multiplicity; m++) {
      const int degree = im > 0 ? 2 : 1;
      const long double c0 = im > 0 ? re * re + im * im : -re, c1 = im > 0 ? -2 * re : 1;
      n += degree;
      for (int k = n; k >= 0; k--)
        c[k] = c0 * c[k] + (k > 0 ? c1 * c[k - 1] : 0) + (degree == 2 && k > 1 ? c[k - 2] : 0);
    }
  }
  known->order = n;
  for (int k = 0; k <= n; k++)
    known->c[k] = (double)c[k];
}

/* How far a zero moves when coefficients do by 64 roundings, or values by 8 times noise. */
static void find_blur(Known *known, double noise) {
  for (int i = 0; i < known->count; i++) {
    Factor *f = &known->factor[i];
    if (f->im > 0) continue;
    const double size = others_at(known, -1, f->re, 1), rest = fabs(others_at(known, i, f->re, 0));
    f->blur = pow((64 * DBL_EPSILON * size + 8 * noise) / rest, 1.0 / f->multiplicity);
  }
}

static int apart(double a, double b, double blur) { return a == b || fabs(a - b) > 50 * blur; }

/* Zeros are further apart than they move; pairs are seen not to be real. */
static int well_separated(const Known *known, double noise) {
  for (int i = 0; i < known->count; i++) {
    const Factor *f = &known->factor[i];
    if (f->im > 0) {
      const double size = others_at(known, -1, f->re, 1),
                   rest = fabs(others_at(known, i, f->re, 0));
      if (!(f->im * f->im * rest > 4000 * DBL_EPSILON * size + 64 * noise)) return 0;
      continue;
    }
    if (!apart(f->re, known->from, f->blur) || !apart(f->re, known->to, f->blur)) return 0;
    if (50 * f->blur > known->to - known->from) return 0;
    for (int j = 0; j < known->count; j++) {
      const Factor *g = &known->factor[j];
      if (j != i && hypot(f->re - g->re, g->im) <= 50 * (f->blur + g->blur)) return 0;
    }
  }
  return 1;
}

static void add_factor(Known *known, double re, double im, int multiplicity) {
  known->factor[known->count++] = (Factor){re, im, multiplicity, 0};
}

static void choose_interval(Known *known) {
  const int kind = below(4);
  known->from = kind == 0 ? uniform(-1, 0) : kind == 1 ? uniform(0, 0.9) : kind == 2 ? -1 : 0;
  known->to = kind == 2 ? uniform(-0.9, 0) : 1;
}

static double choose_zero(const Known *known) {
  const double from = known->from, to = known->to;
  switch (below(8)) {
    case 0: return from;
    case 1: return to;
    case 2: return from + (below(2) ? 1 : -1) * pow(10, uniform(-12, -1));
    case 3: return to + (below(2) ? 1 : -1) * pow(10, uniform(-12, -1));
    case 4: return (below(2) ? 1 : -1) * uniform(1, 5);
    case 5: return from + (to - from) * below(17) / 16; /* where pieces meet */
    default: return uniform(from, to);
  }
}

/* The size of the terms in |t| <= 1, with 8 roundings. */
static double rounding_of(const Known *known) {
  return 8 * DBL_EPSILON * others_at(known, -1, 1, 1);
}

static Known random_known(int noisy) {
  for (;;) {
    Known known = {.count = 0};
    const int order = 1 + below(30);
    int n = 0;
    choose_interval(&known);
    for (int real = below(5); n < order && real >= 0; real--) {
      const int room = order - n < 3 ? order - n : 3, multiplicity = 1 + below(room);
      add_factor(&known, choose_zero(&known), 0, below(2) ? 1 : multiplicity);
      n += known.factor[known.count - 1].multiplicity;
    }
    for (; n + 1 < order; n += 2)
      add_factor(&known, uniform(-3, 3), pow(10, uniform(-2, 1)), 1);
    if (n < order) add_factor(&known, (below(2) ? 1 : -1) * uniform(1.2, 8), 0, 1);
    const double noise = noisy ? rounding_of(&known) : 0;
    find_blur(&known, noise);
    if (!well_separated(&known, noise)) continue;
    expand(&known);
    return known;
  }
}

/* The next known zero after t within (from, to], or -1. */
static int next_factor(const Known *known, double t) {
  int next = -1;
  for (int i = 0; i < known->count; i++) {
    const Factor *f = &known->factor[i];
    if (f->im > 0 || f->re <= t || f->re > known->to) continue;
    if (next < 0 || f->re < known->factor[next].re) next = i;
  }
  return next;
}

static int direction_of(const Known *known, int i) {
  if (known->factor[i].multiplicity % 2 == 0) return 0;
  return others_at(known, i, known->factor[i].re, 0) > 0 ? 1 : -1;
}

/* Checks zeros found with time scaled by h; answers the largest error of simple ones, relative. */
static double check_known(const Known *known, const Zeros *zeros, double h) {
  double worst = 0;
  int i = 0;
  for (int f = next_factor(known, known->from); f >= 0;
       f = next_factor(known, known->factor[f].re)) {
    const Factor *factor = &known->factor[f];
    const double size = known->to - known->from;
    check_zero(zeros, i, factor->re * h, direction_of(known, f), (factor->blur + 4e-16) * h);
    if (factor->multiplicity == 1 && i < zeros->count && factor->blur < 1e-12 * size)
      worst = fmax(worst, fabs(zeros->root[i].t / h - factor->re) / size);
    i++;
  }
  CHECK_INT(zeros->count, i);
  return worst;
}

TEST(known_zeros) {
  double worst = 0;
  long total = 0;
  for (int sample = 0; sample < 10000; sample++) {
    const Known known = random_known(0);
    const double h = pow(10, uniform(-6, 6)), height = pow(10, uniform(-10, 10));
    double c[ORDER + 1];
    for (int k = 0; k <= known.order; k++)
      c[k] = (double)((long double)height * (long double)known.c[k] / powl((long double)h, k));
    const Zeros zeros = find(c, known.order, known.from * h, known.to * h, 0);
    worst = fmax(worst, check_known(&known, &zeros, h));
    total += zeros.count;
  }
  CHECK(worst < 1e-12);
  CHECK(total > 10000);
  printf("  known zeros: %ld, largest error of simple ones %.2g of the interval\n", total, worst);
}

/* The same zeros backwards, and the mirror image. */
TEST(backwards) {
  for (int sample = 0; sample < 2000; sample++) {
    const Known known = random_known(0);
    double mirrored[ORDER + 1];
    for (int k = 0; k <= known.order; k++)
      mirrored[k] = k % 2 ? -known.c[k] : known.c[k];
    const Zeros forward = find(known.c, known.order, known.from, known.to, 0);
    const Zeros mirror = find(mirrored, known.order, -known.from, -known.to, 0);
    CHECK_INT(mirror.count, forward.count);
    for (int i = 0; i < forward.count && i < mirror.count; i++)
      check_zero(&mirror, i, -forward.root[i].t, forward.root[i].direction, 0);

    Known turned = known; /* in u = -t */
    turned.from = -known.to;
    turned.to = -known.from;
    for (int i = 0; i < known.count; i++)
      turned.factor[i].re = -known.factor[i].re;
    Zeros back = find(known.c, known.order, known.to, known.from, 0);
    const int odd = known.order % 2; /* the product over (u + r) is (-1)^n p */
    for (int i = 0; i < back.count; i++) {
      back.root[i].t = -back.root[i].t;
      if (odd) back.root[i].direction = -back.root[i].direction;
    }
    check_known(&turned, &back, 1);
  }
}

/*
** Adjacent intervals
*/

/* d_k of p(t + x) = sum d_k x^k */
static void shift(const double *c, int order, double t, double *d) {
  memcpy(d, c, ((size_t)order + 1) * sizeof *d);
  for (int k = 0; k < order; k++)
    for (int i = order - 1; i >= k; i--)
      d[i] += t * d[i + 1];
}

/* Neither in the blur of a zero nor at it. */
static int clear_of_zeros(const Known *known, double t) {
  for (int i = 0; i < known->count; i++)
    if (fabs(known->factor[i].re - t) <= 2 * known->factor[i].blur) return 0;
  return 1;
}

/* Points that divide [from, to]: by chance, and at zeros (the last bits, too, by chance). */
static int divide(const Known *known, double *points) {
  int count = 0;
  points[count++] = known->from;
  for (int tries = 0; tries < 5; tries++) {
    const double last = points[count - 1];
    const int f = next_factor(known, last);
    double next = uniform(last, known->to);
    if (clear_of_zeros(known, next)) points[count++] = next;
    if (f < 0 || below(3) == 0) continue;
    next = known->factor[f].re * (1 + (below(5) - 2) * DBL_EPSILON);
    if (next > points[count - 1] && next < known->to) points[count++] = next;
  }
  points[count++] = known->to;
  return count;
}

static void append(Zeros *all, const Zeros *some, double t) {
  for (int i = 0; i < some->count && all->count < MOST; i++) {
    all->root[all->count] = some->root[i];
    all->root[all->count++].t += t;
  }
}

TEST(adjacent_intervals) {
  for (int sample = 0; sample < 5000; sample++) {
    const Known known = random_known(0);
    double points[MOST_POINTS];
    Zeros all = {.count = 0};
    const int count = divide(&known, points);
    for (int i = 1; i < count; i++) {
      const Zeros some = find(known.c, known.order, points[i - 1], points[i], 0);
      append(&all, &some, 0);
    }
    check_known(&known, &all, 1);
  }
}

/* A new expansion for each interval, each with its own rounding. */
TEST(adjacent_expansions) {
  for (int sample = 0; sample < 5000; sample++) {
    const Known known = random_known(1);
    if (known.from < 0) continue; /* series about -1 would be poor at 1 */
    double points[MOST_POINTS], d[ORDER + 1];
    Zeros all = {.count = 0};
    int side = 0;
    const int count = divide(&known, points);
    for (int i = 1; i < count; i++) {
      Zeros some;
      shift(known.c, known.order, points[i - 1], d);
      some.count = roots_follow(d, known.order, 0, points[i] - points[i - 1], rounding_of(&known),
                                some.root, MOST, work, &side);
      append(&all, &some, points[i - 1]);
    }
    check_known(&known, &all, 1);
  }
}

/* Values on both sides of a boundary differ: no crossing is lost, none is reported twice. */
TEST(noise_at_boundaries) {
  for (int sample = 0; sample < 20000; sample++) {
    const double noise = 1e-10, slope = pow(10, uniform(-3, 3)) * (below(2) ? 1 : -1);
    const double zero = 1 + uniform(-4, 4) * noise / fabs(slope);
    int side = 0, crossings = 0;
    for (int step = 0; step < 3; step++) {
      const double c[] = {slope * (step - zero) + uniform(-1, 1) * noise, slope};
      Root roots[2];
      const int count = roots_follow(c, 1, 0, 1, noise, roots, 2, work, &side);
      for (int i = 0; i < count; i++) {
        CHECK_INT(roots[i].direction, slope > 0 ? 1 : -1);
        CHECK_NEAR(step + roots[i].t, zero, 8 * noise / fabs(slope));
      }
      crossings += count;
    }
    CHECK_INT(crossings, 1);
    CHECK_INT(side, slope > 0 ? 1 : -1);
  }
}

TEST(zeros_at_the_ends) {
  const double line[] = {0, 2}, square[] = {1, -2, 1}, cube[] = {-1, 3, -3, 1};
  const double parabola[] = {0, 0, 1};
  Zeros zeros;
  CHECK_INT(find(line, 1, 0, 1, 0).count, 0);
  CHECK_INT(find(line, 1, 0, -1, 0).count, 0);
  zeros = find(line, 1, -1, 0, 0);
  CHECK_INT(zeros.count, 1);
  check_zero(&zeros, 0, 0, 1, 0);
  zeros = find(line, 1, 1, 0, 0);
  CHECK_INT(zeros.count, 1);
  check_zero(&zeros, 0, 0, -1, 0);
  CHECK_INT(find(parabola, 2, 0, 1, 0).count, 0);
  zeros = find(parabola, 2, -1, 0, 0);
  CHECK_INT(zeros.count, 1);
  check_zero(&zeros, 0, 0, 0, 0);
  zeros = find(square, 2, 0, 1, 0);
  CHECK_INT(zeros.count, 1);
  check_zero(&zeros, 0, 1, 0, 0);
  CHECK_INT(find(square, 2, 1, 2, 0).count, 0);
  zeros = find(cube, 3, 0, 1, 0);
  CHECK_INT(zeros.count, 1);
  check_zero(&zeros, 0, 1, 1, 0);
  CHECK_INT(find(cube, 3, 1, 2, 0).count, 0);
  zeros = find(cube, 3, 2, 1, 0);
  CHECK_INT(zeros.count, 1);
  check_zero(&zeros, 0, 1, -1, 0);
}

/* A ball that bounces: it is above the floor, or below it by rounding, when it leaves. */
TEST(leaving_a_zero) {
  for (int i = -1; i <= 1; i++) {
    const double c[] = {i * 1e-16, 1, -1};
    const Zeros zeros = find(c, 2, 0, 2, 1e-15);
    CHECK_INT(zeros.count, 1);
    check_zero(&zeros, 0, 1, -1, 1e-15);
  }
}

TEST(sides) {
  const double c[] = {-0.5, 1}, two[] = {0.1875, -1, 1}; /* zeros 1/4 and 3/4 */
  Root roots[2];
  int side = 0;
  CHECK_INT(roots_follow(c, 1, 0, 1, 0, roots, 2, work, &side), 1);
  CHECK_INT(side, 1);
  CHECK_INT(roots_follow(c, 1, 1, 2, 0, roots, 2, work, &side), 0);
  CHECK_INT(side, 1);
  side = -1; /* a jump between two steps */
  CHECK_INT(roots_follow(c, 1, 1, 2, 0, roots, 2, work, &side), 1);
  CHECK_INT(side, 1);
  CHECK_INT(roots[0].direction, 1);
  CHECK_NEAR(roots[0].t, 1, 0);
  side = 0; /* more than there is room for: go on from the last one */
  CHECK_INT(roots_follow(two, 2, 0, 1, 0, roots, 1, work, &side), 2);
  CHECK_NEAR(roots[0].t, 0.25, 0);
  CHECK_INT(side, -1);
  CHECK_INT(roots_follow(two, 2, 0.25, 1, 0, roots, 1, work, &side), 1);
  CHECK_NEAR(roots[0].t, 0.75, 0);
  CHECK_INT(side, 1);
  CHECK_INT(roots_follow(two, 2, 0, 1, 0, roots, 0, work, &side), 1);
  CHECK_INT(side, 1);
}

/*
** Series
*/

/* sin(w t + phase) */
static void sine(double *c, int order, double w, double phase) {
  const double value[] = {sin(phase), cos(phase), -sin(phase), -cos(phase)};
  double factor = 1;
  for (int k = 0; k <= order; k++) {
    c[k] = value[k % 4] * factor;
    factor *= w / (k + 1);
  }
}

/* Terms grow to exp(w t) before they cancel. */
static int order_for(double wt) { return wt < 3 ? 30 : wt < 6 ? 45 : ORDER; }

TEST(sines) {
  const double pi = acos(-1);
  double c[ORDER + 1], worst = 0;
  long total = 0;
  for (int sample = 0; sample < 10000; sample++) {
    const double h = pow(10, uniform(-3, 3)), reach = uniform(0.1, 8), w = reach / h;
    const double phase = uniform(-4, 4), from = below(2) ? 0 : -h * uniform(0, 1);
    const int order = order_for(reach);
    sine(c, order, w, phase);
    const Zeros zeros = find(c, order, from, h, 0);
    int i = 0;
    for (int k = (int)ceil((w * from + phase) / pi); (k * pi - phase) / w <= h; k++, i++) {
      const double t = (k * pi - phase) / w;
      check_zero(&zeros, i, t, k % 2 ? -1 : 1, 1e-12 * (h - from));
      if (i < zeros.count) worst = fmax(worst, fabs(zeros.root[i].t - t) / (h - from));
    }
    CHECK_INT(zeros.count, i);
    total += i;
  }
  printf("  zeros of sines: %ld, largest error %.2g of the interval\n", total, worst);
}

/* cos(w t) - 1 and cos(w t) + 1 touch. */
TEST(touches) {
  const double pi = acos(-1);
  double c[ORDER + 1];
  for (int sample = 0; sample < 5000; sample++) {
    const double w = uniform(0.5, 9), from = below(2) ? 0 : -1, offset = below(2) ? 1 : -1;
    const int order = order_for(w), below_zero = (int)floor((w / pi + (offset > 0)) / 2);
    sine(c, order, w, pi / 2);
    for (int k = 1; k <= order; k += 2)
      c[k] = 0;
    c[0] = 1 + offset;
    const Zeros zeros = find(c, order, from, 1, 0);
    int i = 0;
    for (int k = -10; k <= 10; k++) {
      const double t = (2 * k + (offset > 0)) * pi / w;
      if (t > from && t <= 1) check_zero(&zeros, i++, t, 0, 1e-11);
    }
    CHECK_INT(zeros.count, i);
    CHECK(i >= below_zero);
  }
}

/* T_n: n zeros in [-1, 1], as sharp as coefficients of size (1 + sqrt 2)^n allow */
TEST(chebyshev) {
  double before[ORDER + 1] = {1}, c[ORDER + 1] = {0, 1};
  const double pi = acos(-1);
  for (int n = 1; n <= 25; n++) {
    const Zeros zeros = find(c, n, -1, 1, 0);
    CHECK_INT(zeros.count, n);
    for (int i = 0; i < n; i++) {
      const double angle = pi * (n - i - 0.5) / n, t = cos(angle);
      double size = 0;
      for (int k = n; k >= 0; k--)
        size = size * fabs(t) + fabs(c[k]);
      check_zero(&zeros, i, t, (n - i) % 2 ? 1 : -1, 4 * DBL_EPSILON * (1 + size * sin(angle) / n));
    }
    double next[ORDER + 1] = {0};
    for (int k = 0; k <= n + 1; k++)
      next[k] = (k > 0 ? 2 * c[k - 1] : 0) - before[k];
    memcpy(before, c, sizeof before);
    memcpy(c, next, sizeof c);
  }
}

TEST(wilkinson) {
  for (int n = 2; n <= 12; n++) {
    Known known = {.from = 0, .to = 1};
    for (int i = 1; i <= n; i++)
      add_factor(&known, (double)i / n, 0, 1);
    find_blur(&known, 0);
    expand(&known);
    const Zeros zeros = find(known.c, known.order, 0, 1, 0);
    check_known(&known, &zeros, 1);
  }
}

/* Two zeros g apart: two as long as p rises above rounding between them, g^2/4 > eps; then one. */
TEST(close_pairs) {
  for (double g = 0.1; g > 1e-14; g *= 0.8) {
    const double r = 0.3, c[] = {r * r - g * g / 4, -2 * r, 1};
    const Zeros zeros = find(c, 2, 0, 1, 0);
    if (g > 1e-7) {
      CHECK_INT(zeros.count, 2);
      check_zero(&zeros, 0, r - g / 2, -1, 1e-15 / g);
      check_zero(&zeros, 1, r + g / 2, 1, 1e-15 / g);
    } else if (g < 1e-8) {
      CHECK_INT(zeros.count, 1);
      check_zero(&zeros, 0, r, 0, 1e-15);
    } else {
      CHECK(zeros.count == 2 || (zeros.count == 1 && zeros.root[0].direction == 0));
    }
    const double noisy = g * g / 4 * 1.01;
    CHECK_INT(find(c, 2, 0, 1, noisy).count, 1);
  }
}

/* Near t = 0 rounding is small, and so may be the zeros and their distances. */
TEST(tiny_zeros) {
  for (double r = 0.1; r > 1e-14; r *= 0.1) {
    const double c[] = {-6 * r * r * r, 11 * r * r, -6 * r, 1}; /* r, 2 r, 3 r */
    const Zeros zeros = find(c, 3, 0, 1, 0);
    CHECK_INT(zeros.count, 3);
    for (int i = 0; i < zeros.count; i++)
      check_zero(&zeros, i, (i + 1) * r, i % 2 ? -1 : 1, 1e-13 * r);
  }
}

/* (t - 1/2)^m: one crossing or one touch; halving meets the zero at once, or never. */
TEST(multiplicities) {
  for (int m = 1; m <= 12; m++) {
    Known known = {.from = 0, .to = 1};
    add_factor(&known, 0.5, 0, m);
    find_blur(&known, 0);
    expand(&known);
    for (int i = 0; i < 40; i++) {
      known.from = i == 0 ? 0 : -uniform(0, 0.5);
      Zeros zeros = find(known.c, m, known.from, 1, 0);
      check_known(&known, &zeros, 1);
    }
  }
}

/* (t^2 - 1/4)^2: p' vanishes exactly at every end of the pieces in question. */
TEST(touch_between_pieces) {
  const double c[] = {0.0625, 0, -0.5, 0, 1};
  Zeros zeros = find(c, 4, 0, 1, 0);
  CHECK_INT(zeros.count, 1);
  check_zero(&zeros, 0, 0.5, 0, 0);
  zeros = find(c, 4, -1, 1, 0);
  CHECK_INT(zeros.count, 2);
  check_zero(&zeros, 0, -0.5, 0, 0);
  check_zero(&zeros, 1, 0.5, 0, 0);
}

/* Terms c_k h^k from 1 down to 1e-16, orders to 62, intervals from 1e-300 to 1e300 */
TEST(scales) {
  const double h_of[] = {1e-300, 1e-100, 1e-5, 1, 1e4, 1e100, 1e300};
  for (int sample = 0; sample < 7000; sample++) {
    const double h = h_of[sample % 7], decay = uniform(-36, 2) / ORDER;
    const int extreme = fabs(log10(h)) > 6, order = 1 + below(extreme ? 5 : ORDER);
    const double height = !extreme ? 1 : h > 1 ? 1e280 : 1e-280;
    double c[ORDER + 1], scaled[ORDER + 1];
    for (int k = 0; k <= order; k++) {
      c[k] = uniform(-1, 1) * exp(decay * k);
      scaled[k] = c[k] * height;
      for (int i = 0; i < k; i++)
        scaled[k] /= h;
      if (!isfinite(scaled[k]) || fabs(scaled[k]) < 1e-290) scaled[k] = c[k] = 0;
    }
    const Zeros zeros = find(c, order, 0, 1, 0), same = find(scaled, order, 0, h, 0);
    CHECK_INT(same.count, zeros.count);
    for (int i = 0; i < zeros.count; i++)
      check_zero(&same, i, h * zeros.root[i].t, zeros.root[i].direction, 1e-9 * h);
  }
}

TEST(subnormal_coefficient) {
  const double c[] = {-0.25, 0, 1e-320};
  const Zeros zeros = find(c, 2, 0, 1e160, 0);
  CHECK_INT(zeros.count, 1);
  check_zero(&zeros, 0, 0.5 / sqrt(1e-320), 1, 1e145);
}

/* The signs of a dense sample must agree with the zeros. */
TEST(random_series) {
  for (int sample = 0; sample < 3000; sample++) {
    const int order = 1 + below(ORDER), turn = below(2) ? 1 : -1;
    const double decay = uniform(0.4, 1);
    double c[ORDER + 1];
    for (int k = 0; k <= order; k++)
      c[k] = uniform(-1, 1) * pow(decay, k);
    const Zeros zeros = find(c, order, 0, turn, 0);
    int next = 0, sign = c[0] > 0 ? 1 : -1;
    for (int i = 1; i <= 1000; i++) {
      const double t = turn * i * 1e-3;
      double p = 0, size = 0;
      for (int k = order; k >= 0; k--) {
        p = p * t + c[k];
        size = size * fabs(t) + fabs(c[k]);
      }
      for (; next < zeros.count && turn * zeros.root[next].t <= turn * t; next++) {
        const int direction = zeros.root[next].direction;
        if (direction != 0) CHECK_INT(direction, -sign);
        if (direction != 0) sign = direction;
      }
      if (fabs(p) > 1e-13 * size) CHECK_INT(p > 0 ? 1 : -1, sign);
    }
    CHECK_INT(next, zeros.count);
  }
}

TEST(nothing_to_find) {
  const double none = (double)NAN, nan_at[] = {1, none, 1}, infinite[] = {HUGE_VAL, 1, 1},
               late[] = {1, 1, -HUGE_VAL};
  const double zero[4] = {0}, small[] = {1e-12, -1e-12, 1e-12}, one[] = {1, 0, 0};
  const double huge[] = {1e308, 1e308, 1e308}, line[] = {-0.5, 1};
  CHECK_INT(find(nan_at, 2, 0, 1, 0).count, -1);
  CHECK_INT(find(infinite, 2, 0, 1, 0).count, -1);
  CHECK_INT(find(late, 2, 0, 1, 0).count, -1);
  CHECK_INT(find(huge, 2, 0, 1, 0).count, -1);
  CHECK_INT(find(zero, 3, 0, 1, 0).count, -1);
  CHECK_INT(find(zero, 0, 0, 1, 0).count, -1);
  CHECK_INT(find(small, 2, 0, 1, 1e-11).count, -1);
  CHECK_INT(find(line, 1, 0, HUGE_VAL, 0).count, -1);
  CHECK_INT(find(line, 1, none, 1, 0).count, -1);
  CHECK_INT(find(line, 1, 0, 1, none).count, -1);
  CHECK_INT(find(one, 0, 0, 1, 0).count, 0);
  CHECK_INT(find(one, 2, -1, 1, 0).count, 0);
  CHECK_INT(find(one, 2, -1, 1, 0.9).count, 0);
  CHECK_INT(find(line, 1, 0.5, 0.5, 0).count, 0);
  CHECK(roots_work_size(ORDER) <= WORK);
}

/* Nothing is written beyond the workspace and the capacity. */
TEST(stays_inside) {
  for (int order = 0; order <= ORDER; order += 2) {
    const size_t size = roots_work_size(order);
    double *room = malloc(size * sizeof *room), c[ORDER + 1];
    Root *roots = malloc(sizeof *roots);
    REQUIRE(room != NULL && roots != NULL);
    for (int k = 0; k <= order; k++)
      c[k] = 0;
    c[order] = 1; /* t^order and Chebyshev-like oscillations */
    roots_find(c, order, -1, 1, 0, roots, 1, room);
    sine(c, order, 9, 1);
    CHECK(roots_find(c, order, -1, 1, 0, roots, 1, room) <= 2);
    free(room);
    free(roots);
  }
}

static double nanoseconds(const double *c, int order, double to) {
  enum { TIMES = 20000 };
  Root roots[8];
  const clock_t start = clock();
  for (int i = 0; i < TIMES; i++)
    roots_find(c, order, 0, to, 0, roots, 8, work);
  return (double)(clock() - start) / CLOCKS_PER_SEC * 1e9 / TIMES;
}

TEST(times) {
  double c[ORDER + 1];
  printf("  ns, orders 20 and 30:");
  for (int order = 20; order <= 30; order += 10) {
    sine(c, order, 1, 1);
    c[0] += 3;
    printf("  excluded %.0f,", nanoseconds(c, order, 1));
    sine(c, order, 1, -0.3);
    printf(" one zero, monotone %.0f,", nanoseconds(c, order, 0.8));
    sine(c, order, 1, -0.3);
    printf(" one zero %.0f,", nanoseconds(c, order, 2));
    sine(c, order, 2, -0.3);
    printf(" two zeros %.0f,", nanoseconds(c, order, 2));
    sine(c, order, 2, acos(-1) / 2);
    c[0] = 2;
    printf(" one touch %.0f%s", nanoseconds(c, order, 2), order == 20 ? ";" : "\n");
  }
}
