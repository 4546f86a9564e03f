/* Loops over whole vectors: every length, so that every remainder of the lanes is met. */
#include "test.h"
#include "vector.h"

enum { LONGEST = 23 };

static void fill(double *x, double *y) {
  for (int i = 0; i < LONGEST; i++) {
    x[i] = (i % 2 == 0 ? 1 : -1) * (1 + 0.37 * i);
    y[i] = 2 + 0.11 * ((i * 7) % LONGEST);
  }
}

TEST(elementwise) {
  double x[LONGEST], y[LONGEST], z[LONGEST + 1];
  for (int count = 0; count <= LONGEST; count++) {
    fill(x, y);
    z[count] = 42; /* nothing is written beyond the end */
    vector_scale(z, x, 3, count);
    for (int i = 0; i < count; i++)
      CHECK(z[i] == 3 * x[i]);
    vector_divide(z, x, 3, count);
    for (int i = 0; i < count; i++)
      CHECK(z[i] == x[i] / 3);
    for (int i = 0; i < count; i++)
      z[i] = y[i];
    vector_horner(z, 0.5, x, 7, count);
    for (int i = 0; i < count; i++)
      CHECK(z[i] == y[i] * 0.5 + 7 * x[i]);
    for (int i = 0; i < count; i++)
      z[i] = y[i];
    vector_take(z, 0.5, x, y, count);
    for (int i = 0; i < count; i++)
      CHECK(z[i] == y[i] - 0.5 * x[i] * y[i]);
    CHECK(z[count] == 42);
  }
}

TEST(dot_products) {
  double x[LONGEST], y[LONGEST], s[LONGEST];
  for (int count = 0; count <= LONGEST; count++) {
    double sum = 0;
    fill(x, y);
    for (int i = 0; i < LONGEST; i++)
      s[i] = 1 + i % 3;
    for (int i = 0; i < count; i++)
      sum += x[i] * y[i] * s[i];
    CHECK_NEAR(vector_dot(x, y, s, count), sum, 1e-12);
  }
}

TEST(in_place) {
  double x[LONGEST], y[LONGEST];
  fill(x, y);
  vector_divide(x, x, 3, LONGEST);
  for (int i = 0; i < LONGEST; i++)
    CHECK(x[i] == (i % 2 == 0 ? 1 : -1) * (1 + 0.37 * i) / 3);
}

TEST(the_peak_is_found_wherever_it_is) {
  double x[LONGEST], scale[LONGEST];
  for (int count = 1; count <= LONGEST; count++) {
    for (int at = 0; at < count; at++) {
      fill(x, scale);
      x[at] = -1000;
      CHECK(vector_peak(x, scale, count) == 1000 / scale[at]);
      x[at] = (double)NAN; /* does not count */
      CHECK(vector_peak(x, scale, count) < 1000);
    }
  }
  CHECK(vector_peak(x, scale, 0) == 0);
}

TEST(what_is_not_finite_is_found_wherever_it_is) {
  const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  double x[LONGEST], y[LONGEST];
  for (int count = 1; count <= LONGEST; count++) {
    for (int at = 0; at < count; at++) {
      fill(x, y);
      CHECK(vector_finite(x, count));
      x[at] = bad[at % 3];
      CHECK(!vector_finite(x, count));
      CHECK(vector_finite(x, at));
    }
  }
}

TEST(what_rounding_leaves_of_a_difference_is_cleaned) {
  double x[LONGEST], y[LONGEST], z[LONGEST];
  for (int count = 0; count <= LONGEST; count++) {
    fill(x, y);
    for (int i = 0; i < count; i += 3)
      y[i] = 2 * x[i] * (1 + 1e-13);
    memcpy(z, y, sizeof z);
    vector_take_clean(y, 2, x, 1e-12, count);
    for (int i = 0; i < LONGEST; i++)
      CHECK(y[i] == (i >= count ? z[i] : i % 3 == 0 ? 0 : z[i] - 2 * x[i]));
  }
}
