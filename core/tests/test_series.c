/* The arithmetic of series: products, quotients, powers, composition, evaluation, text. */
#include "functions.h"
#include "sarrus/series.h"
#include "test.h"

enum { ORDER = 30, SIZE = ORDER + 1 };

/* Coefficients in -1..1 that fall like 0.7^k; the constant term is given. */
static void random_series(double *u, double constant, unsigned seed) {
  double size = 1;
  for (int k = 0; k < SIZE; k++, size *= 0.7) {
    seed = seed * 1664525u + 1013904223u;
    u[k] = size * ((double)(seed >> 8) / 8388608.0 - 1);
  }
  u[0] = constant;
}

static void check_equal(const double *a, const double *b, int order, double tolerance) {
  for (int k = 0; k <= order; k++)
    CHECK_NEAR(a[k], b[k], tolerance * fmax(1, fabs(b[k])));
}

TEST(product_and_square) {
  const double a[] = {1, 2, 3}, b[] = {4, -5, 6};
  double y[3], z[3];
  CHECK_OK(sarrus_series_mul(y, a, b, 2));
  CHECK(y[0] == 4 && y[1] == 3 && y[2] == 8);
  for (int k = 0; k <= 2; k++)
    sarrus_series_square_k(z, a, k);
  CHECK(z[0] == 1 && z[1] == 4 && z[2] == 10);
}

/* (sum t^k)(sum (k+1) t^k) has coefficients (k+1)(k+2)/2; all sums are exact in doubles. */
TEST(long_product_is_exact) {
  enum { LONG = 1000 };
  static double a[LONG + 1], b[LONG + 1], y[LONG + 1], z[LONG + 1];
  for (int k = 0; k <= LONG; k++) {
    a[k] = 1;
    b[k] = k + 1;
  }
  CHECK_OK(sarrus_series_mul(y, a, b, LONG));
  CHECK_OK(sarrus_series_div(z, y, b, LONG));
  for (int k = 0; k <= LONG; k++) {
    CHECK(y[k] == (k + 1.0) * (k + 2) / 2);
    CHECK(z[k] == 1);
  }
}

TEST(quotient_undoes_product) {
  double a[SIZE], b[SIZE], y[SIZE], z[SIZE];
  random_series(a, 0.3, 1);
  random_series(b, 2, 2);
  CHECK_OK(sarrus_series_div(y, a, b, ORDER));
  CHECK_OK(sarrus_series_mul(z, y, b, ORDER));
  check_equal(z, a, ORDER, 1e-15);
  b[0] = 0;
  CHECK_STATUS(sarrus_series_div(y, a, b, ORDER), SARRUS_NONFINITE);
}

TEST(real_power) {
  double u[SIZE], y[SIZE], z[SIZE], product[SIZE];
  random_series(u, 1.5, 4);
  CHECK_OK(sarrus_series_pow(y, u, 0.3, ORDER));
  CHECK_OK(sarrus_series_pow(z, u, 0.7, ORDER));
  CHECK_OK(sarrus_series_mul(product, y, z, ORDER));
  check_equal(product, u, ORDER, 1e-13);
  u[0] = -1;
  CHECK_STATUS(sarrus_series_pow(y, u, 0.5, ORDER), SARRUS_NONFINITE);
  u[0] = 0;
  CHECK_STATUS(sarrus_series_pow(y, u, 1.5, ORDER), SARRUS_NONFINITE);
  memset(u, 0, sizeof u);
  CHECK_OK(sarrus_series_pow(y, u, 1.5, ORDER));
  check_equal(y, u, ORDER, 0);
  CHECK_STATUS(sarrus_series_pow(y, u, -1.5, ORDER), SARRUS_NONFINITE);
}

/* u^n against n - 1 products, at u_0 = 0 too */
TEST(integer_powers) {
  for (int n = 1; n <= 20; n++) {
    for (int i = 0; i < 2; i++) {
      double u[SIZE], y[SIZE], power[SIZE], next[SIZE], work[8 * SIZE];
      random_series(u, i, (unsigned)n);
      memcpy(power, u, sizeof u);
      for (int j = 1; j < n; j++) {
        sarrus_series_mul(next, power, u, ORDER);
        memcpy(power, next, sizeof power);
      }
      REQUIRE(sarrus_series_integer_power_work(n) <= 8);
      CHECK_OK(sarrus_series_integer_power(y, u, n, ORDER, work));
      check_equal(y, power, ORDER, 1e-13);
    }
  }
}

TEST(room_for_integer_powers) {
  static const int powers[][2] = {{0, 0}, {1, 0},  {2, 0},  {3, 1}, {7, 3},
                                  {8, 2}, {-1, 0}, {-2, 1}, {-3, 2}};
  for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
    CHECK_INT(sarrus_series_integer_power_work(powers[i][0]), powers[i][1]);
}

TEST(integer_powers_at_zero) {
  const double u[] = {0, 3, 1, 0, 0, 0};
  double y[6], work[18];
  CHECK_OK(sarrus_series_integer_power(y, u, 3, 5, work));
  CHECK(y[0] == 0 && y[2] == 0 && y[3] == 27 && y[4] == 27 && y[5] == 9);
  CHECK_OK(sarrus_series_integer_power(y, u, 0, 5, NULL));
  CHECK(y[0] == 1 && y[1] == 0);
  CHECK_OK(sarrus_series_integer_power(y, u, 1, 5, NULL));
  CHECK(y[1] == 3 && y[2] == 1);
  CHECK_STATUS(sarrus_series_integer_power(y, u, -1, 5, NULL), SARRUS_NONFINITE);
}

TEST(negative_integer_powers) {
  for (int n = -9; n < 0; n++) {
    double u[SIZE], y[SIZE], z[SIZE], product[SIZE], work[8 * SIZE];
    random_series(u, -2, 5);
    CHECK_OK(sarrus_series_integer_power(y, u, n, ORDER, work));
    CHECK_OK(sarrus_series_integer_power(z, u, -n, ORDER, work));
    CHECK_OK(sarrus_series_mul(product, y, z, ORDER));
    CHECK_NEAR(product[0], 1, 1e-15);
    for (int k = 1; k <= ORDER; k++)
      CHECK_NEAR(product[k], 0, 1e-13);
  }
}

TEST(huge_integer_powers) {
  const double u[] = {1, 1e-9};
  double y[2], work[2 * 64];
  REQUIRE(sarrus_series_integer_power_work(-2147483647 - 1) <= 64);
  CHECK_OK(sarrus_series_integer_power(y, u, 2147483647, 1, work));
  CHECK_NEAR(y[1], 2.147483647, 1e-15);
  CHECK_OK(sarrus_series_integer_power(y, u, -2147483647 - 1, 1, work));
  CHECK_NEAR(y[1], -2.147483648, 1e-15);
}

TEST(composition) {
  const double s[] = {1, 2, 3, 4}, u[] = {0, 1, 1, 0}, v[] = {2, 1, 0, 0};
  double y[4];
  CHECK_OK(sarrus_series_compose(y, s, 3, u, 3)); /* 1 + 2(t+t^2) + 3(t+t^2)^2 + 4(t+t^2)^3 */
  CHECK(y[0] == 1 && y[1] == 2 && y[2] == 5 && y[3] == 10);
  CHECK_OK(sarrus_series_compose(y, s, 3, v, 3)); /* the polynomial at 2 + t */
  CHECK(y[0] == 49 && y[1] == 62 && y[2] == 27 && y[3] == 4);
}

TEST(composition_against_direct) {
  double t[SIZE] = {0, 1}, u[SIZE], outer[SIZE], direct[SIZE], y[SIZE];
  random_series(u, 0, 6);
  CHECK_OK(apply_series(SARRUS_OP_EXP, outer, t, ORDER));
  CHECK_OK(sarrus_series_compose(y, outer, ORDER, u, ORDER));
  CHECK_OK(apply_series(SARRUS_OP_EXP, direct, u, ORDER));
  check_equal(y, direct, ORDER, 1e-14);
  CHECK_OK(apply_series(SARRUS_OP_TAN, outer, t, ORDER));
  CHECK_OK(sarrus_series_compose(y, outer, ORDER, u, ORDER));
  CHECK_OK(apply_series(SARRUS_OP_TAN, direct, u, ORDER));
  check_equal(y, direct, ORDER, 1e-13);
}

TEST(derivative_and_integral) {
  const double s[] = {7, 1, 2, 3};
  double y[3], z[4];
  sarrus_series_derivative(y, s, 3);
  CHECK(y[0] == 1 && y[1] == 4 && y[2] == 9);
  sarrus_series_integral(z, y, 2, 7);
  CHECK(z[0] == 7 && z[1] == 1 && z[2] == 2 && z[3] == 3);
}

TEST(evaluation) {
  const double s[] = {1, -2, 0, 4};
  double slope;
  CHECK(sarrus_series_eval(s, 3, 0.5) == 0.5);
  CHECK(sarrus_series_eval_slope(s, 3, 0.5, &slope) == 0.5);
  CHECK(slope == 1);
  CHECK(sarrus_series_eval(s, 0, 0.5) == 1);
  CHECK(sarrus_series_eval_slope(s, 0, 0.5, &slope) == 1);
  CHECK(slope == 0);
}

TEST(order_zero_and_one) {
  const double a[] = {2, 3}, b[] = {4, 5};
  double y[2], work[4];
  for (int order = 0; order <= 1; order++) {
    CHECK_OK(sarrus_series_mul(y, a, b, order));
    CHECK(y[0] == 8);
    CHECK_OK(sarrus_series_div(y, a, b, order));
    CHECK(y[0] == 0.5);
    CHECK_OK(sarrus_series_compose(y, a, order, b, order));
    CHECK(y[0] == (order == 0 ? 2 : 14));
    CHECK_OK(sarrus_series_integer_power(y, a, 3, order, work));
    CHECK(y[0] == 8);
  }
}

TEST(signs) {
  const double zero[] = {0, 0, 0}, late[] = {0, 0, -1}, one[] = {1, -5, 0};
  CHECK_INT(sarrus_series_sign(zero, 2), 0);
  CHECK_INT(sarrus_series_sign(late, 2), -1);
  CHECK_INT(sarrus_series_sign(late, 1), 0);
  CHECK_INT(sarrus_series_sign(one, 2), 1);
  CHECK_INT(sarrus_series_compare(zero, late, 2), 1);
  CHECK_INT(sarrus_series_compare(late, zero, 2), -1);
  CHECK_INT(sarrus_series_compare(one, one, 2), 0);
}

static const char *printed(const double *c, int order) {
  static char text[200];
  const size_t length = sarrus_series_print(c, order, "t", text, sizeof text);
  CHECK_INT(length, strlen(text));
  return text;
}

TEST(text) {
  const double sine[] = {0, 1, 0, -1.0 / 6, 0, 1.0 / 120, 0, 0};
  const double cosine[] = {-1, 0, 0.5, 3.141592653589793, -1};
  const double zero[] = {0, 0};
  char text[10];
  CHECK_STR(printed(sine, 7), "t - 1/6 t^3 + 1/120 t^5 + O(t^8)");
  CHECK_STR(printed(cosine, 4), "-1 + 1/2 t^2 + 3.141592653589793 t^3 - t^4 + O(t^5)");
  CHECK_STR(printed(sine, 0), "O(t)");
  CHECK_STR(printed(cosine, 0), "-1 + O(t)");
  CHECK_STR(printed(zero, 1), "O(t^2)");
  CHECK_INT(sarrus_polynomial_print(sine, 3, "x", text, sizeof text), 11);
  CHECK_STR(text, "x - 1/6 x");
  CHECK_INT(sarrus_polynomial_print(zero, 1, "x", text, sizeof text), 1);
  CHECK_STR(text, "0");
  CHECK_INT(sarrus_series_print(sine, 7, "t", NULL, 0), 32);
}
