/* Spans and points: series in a unit of their own, times that add up. */
#include <math.h>

#include "span.h"
#include "test.h"

/*
** Order 3: q to t^4, lambda to t^2; in a unit of 1/4, q = 1 + t - t^3 + t^4 and 2 t, lambda = 5 -
** t^2.
*/
enum { N = 2, M = 1, ORDER = 3 };
static const double unit = 0.25;

static void fill(double c[ORDER + 2][N + M]) {
  const double powers[] = {1, unit, unit * unit, unit * unit * unit, unit * unit * unit * unit};
  const double plain[ORDER + 2][N + M] = {{1, 0, 5}, {1, 2, 0}, {0, 0, -1}, {-1, 0, 0}, {1, 0, 0}};
  for (int k = 0; k <= ORDER + 1; k++)
    for (int j = 0; j < N + M; j++)
      c[k][j] = plain[k][j] * powers[k];
}

TEST(values_and_derivatives) {
  double c[ORDER + 2][N + M], q[N], v[N], a[N], lambda[M];
  fill(c);
  const Span span = {
      .n = N, .m = M, .variables = N + M, .h = 2, .c = c[0], .unit = unit, .order = ORDER};
  const double t = 1.5;
  span_evaluate(&span, t, q, v, a, lambda);
  CHECK_NEAR(q[0], 1 + t - t * t * t + t * t * t * t, 1e-14);
  CHECK_NEAR(v[0], 1 - 3 * t * t + 4 * t * t * t, 1e-14);
  CHECK_NEAR(a[0], -6 * t + 12 * t * t, 1e-14);
  CHECK_NEAR(q[1], 2 * t, 1e-15);
  CHECK_NEAR(v[1], 2, 1e-15);
  CHECK_NEAR(a[1], 0, 0);
  CHECK_NEAR(lambda[0], 5 - t * t, 1e-15);
  span_evaluate(&span, 0, q, NULL, NULL, NULL);
  CHECK_NEAR(q[0], 1, 0);
}

/* However many variables there are, each is summed up as if it were alone; nothing else is set. */
TEST(as_many_variables_as_may_be) {
  enum { MOST = 40 };
  double c[(ORDER + 2) * 2 * MOST], x[4][MOST + 1];
  for (int n = 1; n < MOST; n++) {
    const int m = (7 * n) % MOST;
    for (int i = 0; i < (ORDER + 2) * (n + m); i++)
      c[i] = sin(3 * i + n);
    const Span span = {.n = n, .m = m, .variables = n + m, .c = c, .unit = unit, .order = ORDER};
    for (int i = 0; i < 4; i++)
      for (int j = 0; j <= MOST; j++)
        x[i][j] = 12345;
    span_evaluate(&span, 0.3, x[0], x[1], x[2], x[3]);
    for (int j = 0; j < n || j < m; j++) {
      double sum[4] = {0};
      for (int k = ORDER + 1; k >= 0; k--) {
        const double t = 0.3 / unit, own = j < n ? span_at(&span, k)[j] : 0;
        sum[0] = sum[0] * t + own;
        if (k > 0) sum[1] = sum[1] * t + k / unit * own;
        if (k > 1) sum[2] = sum[2] * t + k * (k - 1) / (unit * unit) * own;
        if (k < ORDER && j < m) sum[3] = sum[3] * t + span_at(&span, k)[n + j];
      }
      for (int i = 0; i < 4; i++)
        if (j < (i < 3 ? n : m)) CHECK(x[i][j] == sum[i]);
    }
    for (int i = 0; i < 4; i++)
      CHECK(x[i][i < 3 ? n : m] == 12345);
  }
}

TEST(what_a_span_covers) {
  Span span = {.from = {.t = 1}, .until = 3};
  CHECK(span_covers(&span, 1) && span_covers(&span, 2) && span_covers(&span, 3));
  CHECK(!span_covers(&span, 0.5) && !span_covers(&span, 3.5));
  span.until = -1; /* backwards */
  CHECK(span_covers(&span, 1) && span_covers(&span, 0) && span_covers(&span, -1));
  CHECK(!span_covers(&span, 1.5) && !span_covers(&span, -1.5));
  CHECK(!span_covers(&span, (double)NAN));
}

/* A million steps of 0.1 s end where they should, though 0.1 is no double. */
TEST(times_add_up) {
  Point point = {.t = 0};
  for (int i = 0; i < 1000000; i++)
    point_forward(&point, 0.1);
  CHECK_NEAR(point.t + point.t_low, 1e5, 1e-9);
  CHECK_NEAR(point.t, 1e5, 2e-11); /* 1e6 times what 0.1 is off by, and rounding */
  Point one = {.t = 1};
  for (int i = 0; i < 16; i++)
    point_forward(&one, 1e-17); /* each is lost in 1 */
  CHECK_NEAR(one.t - 1 + one.t_low, 16e-17, 1e-30);
}

TEST(copies) {
  double q[2][2] = {{1, 2}, {0, 0}}, v[2][2] = {{3, 4}, {0, 0}};
  const Point from = {.t = 5, .t_low = 1e-17, .q = q[0], .v = v[0]};
  Point to = {.q = q[1], .v = v[1]};
  point_copy(&to, &from, 2);
  CHECK(to.t == 5 && to.t_low == 1e-17 && to.q == q[1] && to.v == v[1]);
  CHECK(memcmp(q[0], q[1], sizeof q[0]) == 0 && memcmp(v[0], v[1], sizeof v[0]) == 0);
}
