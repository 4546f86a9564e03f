/*
** Touches of any multiplicity: p = (t - r)^m times factors that have no zero nearby, expanded by
** products, so that r, m and the signs on both sides are known.
*/
#include <float.h>

#include "roots.h"
#include "test.h"

enum { MOST = 8, ORDER = 12 };

typedef struct Zeros {
  int count, side;
  Root root[MOST];
} Zeros;

static Zeros follow(const double *c, int order, double from, double to, int side) {
  Zeros zeros = {.side = side};
  double *work = malloc(roots_work_size(order) * sizeof *work);
  zeros.count = roots_follow(c, order, from, to, 0, zeros.root, MOST, work, &zeros.side);
  free(work);
  return zeros;
}

/* c times (t - r); the order it has then. */
static int times_zero(double *c, int order, double r) {
  c[order + 1] = 0;
  for (int k = order + 1; k >= 0; k--)
    c[k] = (k > 0 ? c[k - 1] : 0) - r * c[k];
  return order + 1;
}

/* (t - r)^m (t - other) */
static int touch_beside(double *c, int m, double r, double other) {
  int order = 0;
  c[0] = 1;
  for (int i = 0; i < m; i++)
    order = times_zero(c, order, r);
  return times_zero(c, order, other);
}

/*
** The zero of the other factor is outside: one touch, and it is known to the m-th root of rounding.
** Its signs before and after are those of all of p', the last coefficient included.
*/
TEST(touches_beside_a_zero_outside) {
  static const double outside[] = {-3, -1.5, 1.5, 3};
  static const double at[] = {-0.75, -0.5, -0.25, 0.25, 0.5, 0.75};
  for (int m = 2; m <= 6; m += 2)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 6; j++) {
        double c[ORDER + 1];
        const int order = touch_beside(c, m, at[j], outside[i]);
        const double from = at[j] < 0 ? -1 : 0;
        const Zeros zeros = follow(c, order, from, from + 1, 0), wide = follow(c, order, -1, 1, 0);
        const double known = 40 * pow(DBL_EPSILON, 1.0 / m);
        CHECK_INT(zeros.count, 1);
        CHECK_INT(wide.count, 1);
        CHECK_NEAR(zeros.root[0].t, at[j], known);
        CHECK_NEAR(wide.root[0].t, at[j], known);
        CHECK_INT(zeros.root[0].direction, 0);
        CHECK_INT(zeros.side, outside[i] < 0 ? 1 : -1);
        CHECK_INT(wide.side, zeros.side);
      }
}

/*
** Whatever the distance e from the end, a touch before it is found: by its slope, by the signs on
** both sides, or, where p is within rounding still, by what was known before.
*/
TEST(touches_at_any_distance_from_the_end) {
  for (int m = 2; m <= 6; m += 2)
    for (int turn = -1; turn <= 1; turn += 2)
      for (double e = 0.25; e > 1e-9; e *= 0.7) {
        double c[ORDER + 1] = {turn};
        int order = 0;
        while (order < m)
          order = times_zero(c, order, 1 - e);
        const Zeros zeros = follow(c, order, 0, 1, 0);
        CHECK_INT(zeros.count, 1);
        CHECK_NEAR(zeros.root[0].t, 1 - e, 40 * pow(DBL_EPSILON, 1.0 / m));
        CHECK_INT(zeros.root[0].direction, 0);
        CHECK_INT(zeros.side, turn);
      }
}
