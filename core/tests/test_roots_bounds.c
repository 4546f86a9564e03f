/*
** Zeros of polynomials at the edges of what can be known: both sides of the bands within which a
** sign is unknown, of what is excluded at once, and how far intervals are divided.
*/
#include <float.h>

#include "roots.h"
#include "test.h"

enum { MOST = 8, ORDER = 12 };

typedef struct Zeros {
  int count, side; /* after them */
  Root root[MOST];
} Zeros;

/* In a workspace of just the size that is asked for. */
static Zeros follow(const double *c, int order, double from, double to, double noise, int side) {
  Zeros zeros = {.side = side};
  double *work = malloc(roots_work_size(order) * sizeof *work);
  zeros.count = roots_follow(c, order, from, to, noise, zeros.root, MOST, work, &zeros.side);
  free(work);
  return zeros;
}

static void check_only(Zeros zeros, double t, int direction, double tolerance) {
  CHECK_INT(zeros.count, 1);
  if (zeros.count != 1) return;
  CHECK_NEAR(zeros.root[0].t, t, tolerance);
  CHECK_INT(zeros.root[0].direction, direction);
}

/* Scale (t, p) by powers of ten: whatever the units, the same zeros. */
static const struct {
  double time, height;
} UNITS[] = {{1, 1}, {1e-3, 1e5}, {1e4, 1e-7}, {1e-9, 1e-9}, {1e100, 1e30}};

enum { UNIT_COUNT = sizeof UNITS / sizeof *UNITS };

static void in_units(const double *c, int order, int unit, double *scaled) {
  for (int k = 0; k <= order; k++)
    scaled[k] = c[k] * UNITS[unit].height / pow(UNITS[unit].time, k);
}

static Zeros follow_in(int unit, const double *c, int order, double from, double to, double noise,
                       int side) {
  double scaled[ORDER + 1];
  const double time = UNITS[unit].time;
  in_units(c, order, unit, scaled);
  Zeros zeros = follow(scaled, order, from * time, to * time, noise * UNITS[unit].height, side);
  for (int i = 0; i < zeros.count && i < MOST; i++)
    zeros.root[i].t /= time;
  return zeros;
}

static const double NOISE = 1e-3;

/* --- the beginning --------------------------------------------------------------------- */

/* p falls from v noise to -3 v noise.  Above 1 its sign at the beginning is known. */
TEST(signs_that_are_known_at_the_beginning) {
  for (int unit = 0; unit < UNIT_COUNT; unit++)
    for (int turn = -1; turn <= 1; turn += 2)
      for (int above = 0; above < 2; above++) {
        const double v = turn * (above ? 1.001 : 0.999) * NOISE, c[] = {v, -4 * v};
        const Zeros zeros = follow_in(unit, c, 1, 0, 1, NOISE, 0);
        CHECK_INT(zeros.count, above);
        if (above) check_only(zeros, 0.25, -turn, 1e-14);
        CHECK_INT(zeros.side, -turn);
      }
}

/* A sign that contradicts the step before must be 8 times as sure: p has crossed in between. */
TEST(signs_that_contradict_the_step_before) {
  for (int unit = 0; unit < UNIT_COUNT; unit++)
    for (int turn = -1; turn <= 1; turn += 2)
      for (int above = 0; above < 2; above++) {
        const double v = turn * (above ? 8.001 : 7.999) * NOISE, c[] = {v, -4 * v};
        const Zeros zeros = follow_in(unit, c, 1, 0, 1, NOISE, -turn);
        CHECK_INT(zeros.count, above ? 2 : 0);
        CHECK_INT(zeros.side, -turn);
        if (!above) continue;
        CHECK(zeros.root[0].t == 0);
        CHECK_INT(zeros.root[0].direction, turn);
        CHECK_NEAR(zeros.root[1].t, 0.25, 1e-14);
        CHECK_INT(zeros.root[1].direction, -turn);
      }
}

/* p without a zero, but of the other sign than before: one at the beginning. */
TEST(crossings_between_two_steps_are_not_excluded) {
  for (int turn = -1; turn <= 1; turn += 2) {
    const double c[] = {5 * turn, 1, 0.5};
    check_only(follow(c, 2, 0, 1, 0, -turn), 0, turn, 0);
    CHECK_INT(follow(c, 2, 0, 1, 0, -turn).side, turn);
    CHECK_INT(follow(c, 2, 0, 1, 0, turn).count, 0);
    CHECK_INT(follow(c, 2, 0, 1, 0, 0).count, 0);
    CHECK_INT(follow(c, 2, 0, 1, 0, 0).side, turn);
  }
}

/*
** Without noise: p = s (t - z), z just after the beginning at 1/2.  Horner's rule is known to
** eps (|s| / 2 + |s|) there, and times to 4 eps: within 5.5 eps the step before has reported it.
*/
TEST(times_that_cannot_be_told_apart_at_the_beginning) {
  for (int slope = -2; slope <= 2; slope += 4) {
    const double near[] = {-slope * (0.5 + 5 * DBL_EPSILON), slope};
    const double far[] = {-slope * (0.5 + 6 * DBL_EPSILON), slope};
    CHECK_INT(follow(near, 1, 0.5, 0.75, 0, 0).count, 0);
    check_only(follow(far, 1, 0.5, 0.75, 0, 0), 0.5, slope / 2, 7 * DBL_EPSILON);
  }
}

/* --- the end --------------------------------------------------------------------------- */

/* p rises to -u noise.  Within twice the band it is about to cross, at the end. */
TEST(crossings_just_beyond_the_end) {
  for (int unit = 0; unit < UNIT_COUNT; unit++)
    for (int turn = -1; turn <= 1; turn += 2)
      for (int above = 0; above < 2; above++) {
        const double u = (above ? 2.001 : 1.999) * NOISE, c[] = {-turn, turn * (1 - u)};
        const Zeros zeros = follow_in(unit, c, 1, 0, 1, NOISE, 0);
        if (above)
          CHECK_INT(zeros.count, 0);
        else
          check_only(zeros, 1, turn, 1e-15);
        CHECK_INT(zeros.side, above ? -turn : turn);
      }
}

/* The same for p that is clearly not 0 at the beginning: what is excluded must be so at the end. */
TEST(what_is_excluded_at_once_is_not_about_to_cross) {
  for (int turn = -1; turn <= 1; turn += 2) {
    const double crosses[] = {turn * (1 + 1.5 * NOISE), -turn};
    const double stays[] = {turn * (1 + 2.5 * NOISE), -turn};
    check_only(follow(crosses, 1, 0, 1, NOISE, 0), 1, -turn, 0);
    CHECK_INT(follow(stays, 1, 0, 1, NOISE, 0).count, 0);
  }
}

/* 2 eps (3/4 |s| + 3/2 |s|) and 8 eps |s|: within 12.5 eps of the end it is at the end. */
TEST(times_that_cannot_be_told_apart_at_the_end) {
  for (int slope = -2; slope <= 2; slope += 4) {
    const double near[] = {-slope * (0.75 + 12 * DBL_EPSILON), slope};
    const double far[] = {-slope * (0.75 + 13 * DBL_EPSILON), slope};
    check_only(follow(near, 1, 0, 0.75, 0, 0), 0.75, slope / 2, 0);
    CHECK_INT(follow(far, 1, 0, 0.75, 0, 0).count, 0);
  }
}

/* (t - 1)^2 + u noise touches if its least value is within the band itself. */
TEST(touches_at_the_end) {
  for (int unit = 0; unit < UNIT_COUNT; unit++)
    for (int turn = -1; turn <= 1; turn += 2)
      for (int above = 0; above < 2; above++) {
        const double u = (above ? 1.01 : 0.99) * NOISE;
        const double c[] = {turn * (1 + u), -2 * turn, turn};
        const Zeros zeros = follow_in(unit, c, 2, 0, 1, NOISE, 0);
        if (above)
          CHECK_INT(zeros.count, 0);
        else
          check_only(zeros, 1, 0, 1e-15);
        CHECK_INT(zeros.side, turn);
      }
}

/* The least value, 0, is beyond the end, where p is 0.75 noise: it turns round just there. */
TEST(touches_just_beyond_the_end) {
  const double e = sqrt(0.75 * NOISE), least = 1 + e;
  for (int turn = -1; turn <= 1; turn += 2) {
    const double c[] = {turn * least * least, -2 * turn * least, turn};
    check_only(follow(c, 2, 0, 1, NOISE, 0), 1, 0, 0);
  }
}

/* The least value is before the end, where p is still in the band: the touch is at the least. */
TEST(touches_just_before_the_end) {
  for (double e = 0.02; e < 0.04; e += 0.01) {
    const double least = 1 - e, c[] = {least * least, -2 * least, 1};
    check_only(follow(c, 2, 0, 1, NOISE, 0), e * e < 2 * NOISE ? least : 1, 0, 1e-12);
  }
}

/* Coefficients of -a T_n(1 - 2 (t - 1) / length). */
static void oscillation(int n, double a, double length, double *c) {
  long double t[2][ORDER + 1] = {{1}}, u0 = 1 + 2 / (long double)length,
                           u1 = -2 / (long double)length;
  t[1][0] = u0;
  t[1][1] = u1;
  for (int k = 2; k <= n; k++) /* T_k = 2 u T_{k-1} - T_{k-2} */
    for (int i = k; i >= 0; i--)
      t[k % 2][i] =
          2 * (u0 * t[(k - 1) % 2][i] + (i > 0 ? u1 * t[(k - 1) % 2][i - 1] : 0)) - t[k % 2][i];
  for (int i = 0; i <= n; i++)
    c[i] = (double)(-(long double)a * t[n % 2][i]);
}

/*
** p stays within the band for a while beyond the end, up and down, before it leaves to the other
** side.  By its slope it would leave at x; the sign beyond is looked for up to 128 x, and leaving
** is at 1.5 n^2 x.
*/
TEST(how_far_beyond_the_end_signs_are_looked_for) {
  for (int n = 1; n <= 11; n += 2) {
    double c[ORDER + 1];
    oscillation(n, 1.5 * NOISE, 1, c);
    const Zeros zeros = follow(c, n, 0, 1, NOISE, 0);
    CHECK_INT(zeros.count, n < 11 ? 1 : 0);
    CHECK_INT(zeros.side, n < 11 ? 1 : -1);
  }
}

/* --- between --------------------------------------------------------------------------- */

/* (t - r)^m with noise: it is in the band for long, but the touch is at the zero of p'. */
TEST(touches_lie_where_the_slope_vanishes) {
  for (int m = 2; m <= 8; m += 2)
    for (int at = 1; at < 12; at++) {
      const double r = at / 12.0, noise = 1e-9;
      double c[ORDER + 1] = {1};
      for (int i = 0; i < m; i++)
        for (int k = i + 1; k >= 0; k--)
          c[k] = (k > 0 ? c[k - 1] : 0) - r * c[k];
      const double reach = pow(noise, 1.0 / m);
      if (r - 2 * reach < 0 || r + 2 * reach > 1) continue;
      check_only(follow(c, m, 0, 1, noise, 0), r, 0, 20 * pow(DBL_EPSILON, 1.0 / (m - 1)));
    }
}

/*
** (t - a)^2 (t - b)^2: the middle of the interval is in the band, too.  Between a and b it rises to
** 0.0039: two touches where that is above twice the band.  Where it is below, they are one if p is
** in the band at 1/2, and two if it has left the band at 3/4, though by less than twice at the end.
*/
TEST(touches_near_where_pieces_meet) {
  for (int which = 0; which < 4; which++) {
    const int turn = which / 2 ? -1 : 1;
    const double a = which % 2 ? 0.4 : 0.1, b = which % 2 ? 0.9 : 0.6;
    const double s = a + b, q = a * b;
    const double c[] = {turn * q * q, -2 * turn * s * q, turn * (s * s + 2 * q), -2 * turn * s,
                        turn};
    const Zeros zeros = follow(c, 4, 0, 1, 1.7e-3, turn);
    CHECK_INT(zeros.count, 2);
    CHECK_NEAR(zeros.root[0].t, a, 1e-12);
    CHECK_NEAR(zeros.root[1].t, b, 1e-12);
    CHECK(zeros.root[0].direction == 0 && zeros.root[1].direction == 0);
    CHECK_INT(follow(c, 4, 0, 1, 2e-3, turn).count, which % 2 ? 2 : 1);
  }
}

/* A touch for which there is no room: the sign is that on both sides of it. */
TEST(sides_after_a_touch_without_room) {
  for (int turn = -1; turn <= 1; turn += 2) {
    const double c[] = {turn * 0.25, -turn, turn};
    double work[512];
    Root root;
    int side = 0;
    REQUIRE(roots_work_size(2) <= 512);
    CHECK_INT(roots_follow(c, 2, 0, 1, 0, &root, 0, work, &side), 1);
    CHECK_INT(side, turn);
  }
}

/* --- what is known at all -------------------------------------------------------------- */

/* All terms together must be more than noise. */
TEST(polynomials_within_noise) {
  for (int split = 0; split <= 10; split++) {
    const double part = split / 10.0;
    const double below[] = {0.999 * part * NOISE, 0.999 * (1 - part) * NOISE};
    const double above[] = {1.001 * part * NOISE, 1.001 * (1 - part) * NOISE};
    CHECK_INT(follow(below, 1, 0, 1, NOISE, 1).count, -1);
    CHECK_INT(follow(below, 1, 0, 1, NOISE, 1).side, 1); /* unchanged */
    CHECK_INT(follow(above, 1, 0, 1, NOISE, 1).count, 0);
    CHECK_INT(follow(above, 1, -1, 0.5, NOISE, 1).count >= 0, 1);
  }
}

/* --- backwards, in units that overflow ------------------------------------------------- */

/* Zeros at 1/4, 1/2 and 3/4 of h, in either direction, from either end. */
TEST(extreme_units_backwards) {
  static const double h_of[] = {1e-120, 1e-60, 1, 1e60, 1e120};
  for (int i = 0; i < 5; i++)
    for (int turn = -1; turn <= 1; turn += 2) {
      const double h = turn * h_of[i], unit[] = {-0.09375, 0.6875, -1.5, 1};
      double c[4], factor = h_of[i] < 1 ? 1e-70 : h_of[i] > 1 ? 1e70 : 1;
      for (int k = 0; k < 4; k++, factor /= h)
        c[k] = unit[k] * factor;
      const Zeros there = follow(c, 3, 0, h, 0, 0), back = follow(c, 3, h, 0, 0, 0);
      CHECK_INT(there.count, 3);
      CHECK_INT(back.count, 3);
      for (int k = 0; k < 3; k++) {
        CHECK_NEAR(there.root[k].t / h, 0.25 * (k + 1), 1e-14);
        CHECK_NEAR(back.root[k].t / h, 0.25 * (3 - k), 1e-14);
        CHECK_INT(there.root[k].direction, k % 2 ? -1 : 1);
        CHECK_INT(back.root[k].direction, k % 2 ? 1 : -1);
      }
    }
}

/* --- how intervals are divided --------------------------------------------------------- */

/* How many pieces were on the stack at once, each 4 + order numbers behind p and its slope. */
static int pieces_of(const double *c, int order, double from, double to) {
  const size_t size = roots_work_size(order), first = 2 * (size_t)order + 1;
  double *work = malloc(size * sizeof *work);
  Root roots[MOST];
  int side = 0;
  size_t last = 0;
  memset(work, 0xff, size * sizeof *work); /* no numbers */
  roots_follow(c, order, from, to, 0, roots, MOST, work, &side);
  for (size_t i = first; i < size; i++)
    if (!isnan(work[i])) last = i + 1 - first;
  free(work);
  return (int)((last + (size_t)order + 3) / ((size_t)order + 4));
}

/* A parabola, or what is bent one way, is divided where it turns and nowhere else. */
TEST(what_is_bent_is_not_halved) {
  const double parabola[] = {0.1, -1, 1}, cubic[] = {0.1, -1, 1, 0.3};
  const double quartic[] = {0.05, -0.5, 0.5, 0.2, 0.1};
  CHECK_INT(pieces_of(parabola, 2, 0, 1), 1);
  CHECK_INT(pieces_of(parabola, 2, -1, 1), 2);
  CHECK_INT(pieces_of(cubic, 3, 0, 1), 1);
  CHECK_INT(pieces_of(quartic, 4, 0, 1), 1);
}

/* By the slope at 0 alone, or by the terms, p is known to be monotone or not to vanish. */
TEST(what_is_monotone_has_no_pieces) {
  const double monotone[] = {-0.5, 1, 0.2, -0.1, 0.05}, excluded[] = {2, 1, 0.5, -0.25};
  const double line[] = {-0.5, 1, 0, 0};
  CHECK_INT(pieces_of(monotone, 4, 0, 1), 0);
  CHECK_INT(pieces_of(excluded, 3, 0, 1), 0);
  CHECK_INT(pieces_of(line, 3, -1, 1), 0);
}

/* An S, straight in the middle: halved twice, its pieces are bent or monotone. */
TEST(what_is_bent_both_ways_is_halved) {
  const double c[] = {-0.09375, 0.6875, -1.5, 1};
  CHECK_INT(pieces_of(c, 3, 0, 1), 3);
}

/* t^4 and more: next to 0 it is of one sign beyond any rounding, and halved 52 times. */
TEST(how_often_intervals_are_halved) {
  for (int order = 4; order <= ORDER; order++) {
    double c[ORDER + 1] = {0};
    c[order] = 1;
    CHECK_INT(pieces_of(c, order, 0, 1), 53);
    CHECK_INT(pieces_of(c, order, -1, 1), 53);
  }
}

/* (t - 1) (t - 2) (t - 3) (t - 4) has more zeros than there is room for: no more are written. */
TEST(room_for_fewer_zeros_than_there_are) {
  const double c[] = {24, -50, 35, -10, 1};
  for (int room = 1; room < 4; room++) {
    Root roots[5] = {{0, 0}};
    double work[4096];
    int side = 0;
    roots[room] = (Root){77, 7};
    REQUIRE(roots_work_size(4) <= 4096);
    CHECK_INT(roots_follow(c, 4, 0, 5, 0, roots, room, work, &side), room + 1);
    CHECK_NEAR(roots[room].t, 77, 0);
    CHECK_INT(roots[room].direction, 7);
    for (int i = 0; i < room; i++) {
      CHECK_NEAR(roots[i].t, i + 1, 1e-14);
      CHECK_INT(roots[i].direction, i % 2 == 0 ? -1 : 1);
    }
    CHECK_INT(side, room % 2 == 0 ? 1 : -1); /* before the one that is left out */
  }
}
