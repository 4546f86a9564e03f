/*
** Another libm, for spec/bits: functions of long doubles, rounded, and for a third of the arguments
** one unit in the last place off.  Libraries differ by less.
*/
#include <math.h>
#include <stdint.h>
#include <string.h>

static double another(double x, long double y) {
  const double z = (double)y;
  uint64_t word;
  memcpy(&word, &x, sizeof word);
  word = (word * 0x9E3779B97F4A7C15u) >> 40;
  if (y == 0 || word % 3 != 0) return z;
  return nextafter(z, word % 2 == 0 ? -HUGE_VAL : HUGE_VAL);
}

#define ANOTHER(f) \
  double f(double x) { return another(x, f##l(x)); }

ANOTHER(sin)
ANOTHER(cos)
ANOTHER(tan)
ANOTHER(asin)
ANOTHER(acos)
ANOTHER(atan)
ANOTHER(sinh)
ANOTHER(cosh)
ANOTHER(tanh)
ANOTHER(exp)
ANOTHER(log)

double pow(double x, double y) { return another(x, powl(x, y)); }
double atan2(double y, double x) { return another(y, atan2l(y, x)); }
