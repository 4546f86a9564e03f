#include "vector.h"

VECTOR_CLONES
int vector_finite(const double *x, int count) {
  Lanes poison = {0}; /* stays 0 until something is not finite */
  double rest = 0;
  int i = 0;
  for (; i + LANES <= count; i += LANES)
    poison += 0 * *(const Lanes *)(x + i);
  for (; i < count; i++)
    rest += 0 * x[i];
  return (poison[0] + poison[1]) + (poison[2] + poison[3]) + rest == 0;
}

VECTOR_CLONES
void vector_scale(double *y, const double *x, double f, int count) {
  int i = 0;
  for (; i + LANES <= count; i += LANES)
    *(Lanes *)(y + i) = f * *(const Lanes *)(x + i);
  for (; i < count; i++)
    y[i] = f * x[i];
}

VECTOR_CLONES
void vector_divide(double *y, const double *x, double d, int count) {
  int i = 0;
  for (; i + LANES <= count; i += LANES)
    *(Lanes *)(y + i) = *(const Lanes *)(x + i) / d;
  for (; i < count; i++)
    y[i] = x[i] / d;
}

VECTOR_CLONES
void vector_horner(double *y, double t, const double *x, double f, int count) {
  int i = 0;
  for (; i + LANES <= count; i += LANES)
    *(Lanes *)(y + i) = *(const Lanes *)(y + i) * t + f * *(const Lanes *)(x + i);
  for (; i < count; i++)
    y[i] = y[i] * t + f * x[i];
}
