#include <float.h>

#include "sarrus/number.h"
#include "test.h"

static const char *decimal(double x) {
  static char text[SARRUS_NUMBER_SIZE];
  const size_t length = sarrus_number_print(x, text, sizeof text);
  CHECK_INT(length, strlen(text));
  return text;
}

static const char *series(double x) {
  static char text[SARRUS_NUMBER_SIZE];
  const size_t length = sarrus_number_print_fraction(x, text, sizeof text);
  CHECK_INT(length, strlen(text));
  return text;
}

static const char *exact(double x) {
  static char text[SARRUS_NUMBER_SIZE];
  const size_t length = sarrus_number_print_exact(x, text, sizeof text);
  CHECK_INT(length, strlen(text));
  return text;
}

/* A linear congruential generator over all bit patterns. */
static double random_double(unsigned long long *state) {
  double x;
  do {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const unsigned long long bits = *state ^ (*state >> 29);
    memcpy(&x, &bits, sizeof x);
  } while (!isfinite(x));
  return x;
}

TEST(decimals) {
  CHECK_STR(decimal(0), "0");
  CHECK_STR(decimal(-0.0), "-0");
  CHECK_STR(decimal(3), "3");
  CHECK_STR(decimal(-12), "-12");
  CHECK_STR(decimal(100000), "100000");
  CHECK_STR(decimal(9007199254740992.0), "9007199254740992");
  CHECK_STR(decimal(1e20), "1e+20");
  CHECK_STR(decimal(0.1), "0.1");
  CHECK_STR(decimal(0.1 + 0.2), "0.30000000000000004");
  CHECK_STR(decimal(1.0 / 3), "0.3333333333333333");
  CHECK_STR(decimal(1e-5), "1e-05");
  CHECK_STR(decimal(1.5e-300), "1.5e-300");
  CHECK_STR(decimal(DBL_MAX), "1.7976931348623157e+308");
  CHECK_STR(decimal(DBL_MIN), "2.2250738585072014e-308");
  CHECK_STR(decimal(5e-324), "5e-324");
}

TEST(not_finite) {
  CHECK_STR(decimal((double)NAN), "nan");
  CHECK_STR(decimal(-(double)NAN), "nan");
  CHECK_STR(decimal(HUGE_VAL), "inf");
  CHECK_STR(decimal(-HUGE_VAL), "-inf");
  CHECK_STR(series(HUGE_VAL), "inf");
  CHECK_STR(exact((double)NAN), "nan");
}

TEST(reads_back) {
  unsigned long long state = 1;
  for (int i = 0; i < 20000; i++) {
    const double x = random_double(&state);
    CHECK(strtod(decimal(x), NULL) == x);
    CHECK(strlen(decimal(x)) < SARRUS_NUMBER_SIZE);
  }
}

TEST(small_buffers) {
  char text[8] = "xxxxxxx";
  CHECK_INT(sarrus_number_print(0.125, NULL, 0), 5);
  CHECK_INT(sarrus_number_print(0.125, text, 4), 5);
  CHECK_STR(text, "0.1");
  CHECK_INT(sarrus_number_print_exact(1.0 / 3, text, 1), 3);
  CHECK_STR(text, "");
}

TEST(fractions) {
  long long p, q;
  CHECK(sarrus_number_fraction(-1.0 / 5040, 1e-12, &p, &q));
  CHECK_INT(p, -1);
  CHECK_INT(q, 5040);
  CHECK(sarrus_number_fraction(0, 0, &p, &q));
  CHECK_INT(p, 0);
  CHECK_INT(q, 1);
  CHECK(sarrus_number_fraction(1e9, 0, &p, &q));
  CHECK_INT(p, 1000000000);
  CHECK(!sarrus_number_fraction(1e9 + 1, 1e-12, &p, &q));
  CHECK(sarrus_number_fraction(1e-9, 1e-12, &p, &q));
  CHECK_INT(q, 1000000000);
  CHECK(!sarrus_number_fraction(acos(-1), 1e-12, &p, &q));
  CHECK(sarrus_number_fraction(acos(-1), 1e-6, &p, &q));
  CHECK_INT(p, 355);
  CHECK(!sarrus_number_fraction(1e300, 1e-12, &p, &q));
  CHECK(!sarrus_number_fraction(5e-324, 1e-12, &p, &q));
  CHECK(!sarrus_number_fraction((double)NAN, 1e-12, &p, &q));
}

static long long divisor(long long a, long long b) { return b == 0 ? a : divisor(b, a % b); }

/* Every fraction inside the limit is found, from either side of the tolerance. */
TEST(finds_every_fraction) {
  unsigned long long state = 7;
  for (int i = 0; i < 20000; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const long long b = 1 + (long long)(state >> 40) % 31000;
    const long long a = 1 + (long long)(state >> 20) % (1000000000 / b);
    const long long common = divisor(a, b);
    const double error = i % 3 == 0 ? 0 : i % 3 == 1 ? 9e-13 : -9e-13;
    long long p = 0, q = 0;
    CHECK(sarrus_number_fraction((double)a / (double)b * (1 + error), 1e-12, &p, &q));
    CHECK_INT(p, a / common);
    CHECK_INT(q, b / common);
  }
}

TEST(coefficients_of_series) {
  CHECK_STR(series(1.0 / 3), "1/3");
  CHECK_STR(series(-1.0 / 6), "-1/6");
  CHECK_STR(series(0.3333333333333), "1/3");
  CHECK_STR(series(0.33333333), "0.33333333");
  CHECK_STR(series(2.9999999999999), "3");
  CHECK_STR(series(0.1), "1/10");
  CHECK_STR(series(-0.0), "0");
  CHECK_STR(series(3.141592653589793), "3.141592653589793");
  CHECK_STR(series(1e-10), "1e-10");
  CHECK_STR(series(1e12), "1000000000000");
}

TEST(constants_of_expressions) {
  CHECK_STR(exact(0.5), "1/2");
  CHECK_STR(exact(1.5), "3/2");
  CHECK_STR(exact(-0.25), "-1/4");
  CHECK_STR(exact(1.0 / 3), "1/3");
  CHECK_STR(exact(-1.0 / 5040), "-1/5040");
  CHECK_STR(exact(9.81), "9.81");
  CHECK_STR(exact(0.1), "0.1");
  CHECK_STR(exact(2), "2");
  CHECK_STR(exact(-0.0), "0");
  CHECK_STR(exact(0.3333333333333), "0.3333333333333");
  CHECK_STR(exact(1e-5), "1e-05");
  CHECK_STR(exact(1e30), "1e+30");
}
