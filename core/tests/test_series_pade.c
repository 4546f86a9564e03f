/* Padé approximants. */
#include "sarrus/series.h"
#include "test.h"

enum { DEGREE = 12, SIZE = DEGREE + 1, WORK = DEGREE * (DEGREE + 5) };

typedef struct Rational {
  double p[SIZE], q[SIZE];
} Rational;

static sarrus_Status pade(const double *c, int m, int n, Rational *r) {
  double work[WORK];
  int pivots[2 * DEGREE];
  memset(r, 0xff, sizeof *r); /* every coefficient must be written */
  return sarrus_series_pade(c, m, n, r->p, r->q, work, pivots);
}

static double value(const Rational *r, int m, int n, double t) {
  return sarrus_series_eval(r->p, m, t) / sarrus_series_eval(r->q, n, t);
}

static void exponential(double *c, int order) {
  c[0] = 1;
  for (int k = 1; k <= order; k++)
    c[k] = c[k - 1] / k;
}

/* The [m/n] of exp: p_j = (m+n-j)! m! / ((m+n)! j! (m-j)!), q the same with n and -t */
static double exact(int m, int n, int j) {
  double value_j = 1;
  for (int i = 1; i <= j; i++)
    value_j *= (m - i + 1.0) / (i * (m + n - i + 1.0));
  return value_j;
}

TEST(exponential_coefficients) {
  double c[25];
  exponential(c, 24);
  for (int m = 0; m <= 4; m++) {
    for (int n = 0; n <= 4; n++) {
      Rational r;
      CHECK_OK(pade(c, m, n, &r));
      for (int j = 0; j <= m; j++)
        CHECK_CLOSE(r.p[j], exact(m, n, j), 1e-11);
      for (int j = 0; j <= n; j++)
        CHECK_CLOSE(r.q[j], (j % 2 ? -1 : 1) * exact(n, m, j), 1e-11);
    }
  }
}

TEST(exponential_values) {
  double c[25];
  Rational r;
  exponential(c, 24);
  for (int n = 7; n <= DEGREE; n++) {
    REQUIRE_OK(pade(c, n, n, &r));
    CHECK(r.q[n] != 0);
    CHECK_CLOSE(value(&r, n, n, 1), exp(1), 1e-14);
  }
  CHECK_CLOSE(value(&r, DEGREE, DEGREE, 5), exp(5), 1e-9);
}

/* log(1 + t) = t - t^2/2 + ... far outside its disk */
TEST(beyond_the_radius) {
  double c[17] = {0};
  Rational r;
  for (int k = 1; k <= 16; k++)
    c[k] = (k % 2 ? 1.0 : -1.0) / k;
  REQUIRE_OK(pade(c, 8, 8, &r));
  CHECK_CLOSE(value(&r, 8, 8, 4), log(5), 1e-6);
}

/* 2/(1 - t/3) whatever degrees are asked for: the common factors are found */
TEST(rational_functions_are_found) {
  double c[25];
  for (int k = 0; k <= 24; k++)
    c[k] = 2 * pow(3, -k);
  for (int m = 0; m <= DEGREE; m++) {
    for (int n = 1; n <= DEGREE; n++) {
      Rational r;
      REQUIRE_OK(pade(c, m, n, &r));
      CHECK_NEAR(r.p[0], 2, 1e-15);
      CHECK_NEAR(r.q[1], -1.0 / 3, 1e-15);
      for (int j = 1; j <= m; j++)
        CHECK_NEAR(r.p[j], 0, 1e-13);
      for (int j = 2; j <= n; j++)
        CHECK_NEAR(r.q[j], 0, 1e-13);
    }
  }
}

TEST(polynomials_and_zero) {
  const double c[] = {1, 2, 0, 0, 0}, zero[] = {0, 0, 0, 0, 0};
  Rational r;
  CHECK_OK(pade(c, 2, 2, &r));
  CHECK(r.p[0] == 1 && r.p[1] == 2 && r.p[2] == 0);
  CHECK(r.q[0] == 1 && r.q[1] == 0 && r.q[2] == 0);
  CHECK_OK(pade(zero, 2, 2, &r));
  CHECK(r.p[0] == 0 && r.p[2] == 0 && r.q[0] == 1 && r.q[2] == 0);
  CHECK_OK(pade(c, 0, 0, &r));
  CHECK(r.p[0] == 1 && r.q[0] == 1);
}

/* Scaling t changes the size of the coefficients by many orders, and nothing else. */
TEST(scaled_variable) {
  double c[13];
  Rational r, scaled;
  exponential(c, 12);
  REQUIRE_OK(pade(c, 4, 4, &r));
  for (int k = 0; k <= 12; k++)
    c[k] *= pow(2, 40 * k);
  REQUIRE_OK(pade(c, 4, 4, &scaled));
  for (int j = 0; j <= 4; j++)
    CHECK_CLOSE(scaled.q[j], r.q[j] * pow(2, 40 * j), 1e-9);
}

/* 1 + t^2 has no [1/1], cos t neither */
TEST(missing_approximants) {
  const double c[] = {1, 0, 1}, cosine[] = {1, 0, -0.5, 0, 1.0 / 24, 0, -1.0 / 720};
  Rational r;
  CHECK_STATUS(pade(c, 1, 1, &r), SARRUS_SINGULAR);
  CHECK_STATUS(pade(cosine, 1, 1, &r), SARRUS_SINGULAR);
  CHECK_STATUS(pade(cosine, 3, 3, &r), SARRUS_SINGULAR);
  CHECK_OK(pade(cosine, 2, 2, &r));
  CHECK_NEAR(r.p[2], -5.0 / 12, 1e-15);
  CHECK_OK(pade(cosine, 3, 2, &r));
  CHECK_NEAR(r.p[2], -5.0 / 12, 1e-15);
}

TEST(not_finite) {
  const double c[] = {1, HUGE_VAL, 1}, large[] = {1e308, 1e-308, 1e308};
  Rational r;
  CHECK(pade(c, 1, 1, &r) < 0);
  CHECK(pade(large, 1, 1, &r) < 0);
}

TEST(negative_degrees) {
  const double c[] = {1, 1, 1};
  Rational r;
  CHECK_STATUS(pade(c, 2, -1, &r), SARRUS_ARGUMENT);
  CHECK_STATUS(pade(c, -1, 2, &r), SARRUS_ARGUMENT);
}
