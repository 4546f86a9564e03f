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

static int significant(const char *text) {
  int count = 0, zeros = 0;
  for (; *text != '\0' && *text != 'e'; text++) {
    if (*text < '0' || *text > '9' || (count == 0 && *text == '0')) continue;
    zeros = *text == '0' ? zeros + 1 : 0;
    count++;
  }
  return count - zeros;
}

/*
** The text reads back, none with fewer digits does, and of its length it is as near as the C
** library's.
*/
static void check_shortest(double x) {
  char text[SARRUS_NUMBER_SIZE], other[64];
  snprintf(text, sizeof text, "%s", decimal(x));
  CHECK(strtod(text, NULL) == x);
  const int digits = significant(text);
  for (int fewer = 1; fewer < digits; fewer++) {
    snprintf(other, sizeof other, "%.*e", fewer - 1, x);
    CHECK(strtod(other, NULL) != x);
  }
  snprintf(other, sizeof other, "%.*e", digits > 0 ? digits - 1 : 0, x);
  if (strtod(other, NULL) == x) CHECK_INT(significant(other), digits);
}

TEST(shortest_of_random_numbers) {
  unsigned long long state = 1;
  for (int i = 0; i < 20000; i++)
    check_shortest(random_double(&state));
}

/* Powers of two have less room below them than above. */
TEST(shortest_next_to_powers) {
  for (int power = -1074; power < 1024; power++) {
    const double x = ldexp(1, power);
    check_shortest(x);
    check_shortest(nextafter(x, 0));
    check_shortest(nextafter(x, HUGE_VAL));
  }
  for (int power = -323; power <= 308; power++) {
    const double x = pow(10, power);
    check_shortest(x);
    check_shortest(nextafter(x, 0));
    check_shortest(nextafter(x, HUGE_VAL));
  }
  for (int i = 1; i < 2000; i++) {
    check_shortest(i * 4.9406564584124654e-324);
    check_shortest(i / 1000.0);
    check_shortest(i * 1e13 + 0.5);
  }
}

/* Ties and asymmetric intervals, known from the literature on printing. */
TEST(shortest_of_difficult_numbers) {
  CHECK_STR(decimal(9007199254740993.0), "9007199254740992");
  CHECK_STR(decimal(2e-44), "2e-44");
  CHECK_STR(decimal(9.5367431640625e-07), "9.5367431640625e-07");
  CHECK_STR(decimal(5e-324 * 3), "1.5e-323");
  CHECK_STR(decimal(2.98023223876953125e-8), "2.9802322387695312e-08");
  CHECK_STR(decimal(5.764607523034235e39), "5.764607523034235e+39");
  CHECK_STR(decimal(1.152921504606847e40), "1.152921504606847e+40");
  CHECK_STR(decimal(123456789012345.0), "123456789012345");
  CHECK_STR(decimal(1e15), "1e+15");
  CHECK_STR(decimal(0.0001), "0.0001");
  CHECK_STR(decimal(-123456.75), "-123456.75");
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
