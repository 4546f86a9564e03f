/* Numbers as text, exact or as fractions. */
#include "sarrus/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number_shortest.h"

static const double fraction_limit = 1e9; /* the greatest |p| q of a fraction p/q */

static size_t answer(const char *buffer, char *text, size_t size) {
  const size_t length = strlen(buffer);
  if (size > 0) {
    const size_t count = length < size ? length : size - 1;
    memcpy(text, buffer, count);
    text[count] = '\0';
  }
  return length;
}

static void decimal(double x, char text[SARRUS_NUMBER_SIZE]) {
  text[number_shortest(x, text)] = '\0';
}

static void fraction(long long p, long long q, char text[SARRUS_NUMBER_SIZE]) {
  if (q == 1) {
    snprintf(text, SARRUS_NUMBER_SIZE, "%lld", p);
  } else {
    snprintf(text, SARRUS_NUMBER_SIZE, "%lld/%lld", p, q);
  }
}

size_t sarrus_number_print(double x, char *text, size_t size) {
  char buffer[SARRUS_NUMBER_SIZE];
  decimal(x, buffer);
  return answer(buffer, text, size);
}

/*
** |x| = a_0 + 1/(a_1 + 1/(a_2 + ...)); the convergents follow
**   p_i = a_i p_{i-1} + p_{i-2},   q_i = a_i q_{i-1} + q_{i-2},
** and p_i q_i grows at least like the Fibonacci numbers, so that fraction_limit ends the loop.
*/
int sarrus_number_fraction(double x, double tolerance, long long *p, long long *q) {
  const double size = fabs(x);
  double p0 = 0, q0 = 1, p1 = 1, q1 = 0, rest = size;
  if (size != 0 && !(size > 0.5 / fraction_limit && size < 2 * fraction_limit)) return 0;
  for (;;) {
    const double a = floor(rest);
    const double p2 = a * p1 + p0, q2 = a * q1 + q0;
    if (p2 * q2 > fraction_limit) return 0;
    if (fabs(p2 / q2 - size) <= tolerance * size) {
      *p = (long long)(x < 0 ? -p2 : p2);
      *q = (long long)q2;
      return 1;
    }
    if (rest == a) return 0;
    rest = 1 / (rest - a);
    p0 = p1, q0 = q1, p1 = p2, q1 = q2;
  }
}

size_t sarrus_number_print_fraction(double x, char *text, size_t size) {
  char buffer[SARRUS_NUMBER_SIZE];
  long long p, q;
  if (sarrus_number_fraction(x, 1e-12, &p, &q)) {
    fraction(p, q, buffer);
  } else {
    decimal(x, buffer);
  }
  return answer(buffer, text, size);
}

size_t sarrus_number_print_exact(double x, char *text, size_t size) {
  char buffer[SARRUS_NUMBER_SIZE], quotient[SARRUS_NUMBER_SIZE];
  long long p, q;
  decimal(x, buffer);
  if (sarrus_number_fraction(x, 0, &p, &q)) {
    fraction(p, q, quotient);
    if (strlen(quotient) <= strlen(buffer)) return answer(quotient, text, size);
  }
  return answer(buffer, text, size);
}
