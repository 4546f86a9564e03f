/* The loops of vector.h, compiled for each vector width. */
#include "vector.h"

#include <limits.h>
#include <math.h>

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

typedef long long Bits __attribute__((vector_size(LANES * sizeof(long long)), aligned(8)));

VECTOR_CLONES
double vector_peak_of_many(const double *x, const double *scale, int count) {
  Lanes peaks = {0};
  int i = 0;
  for (; i + LANES <= count; i += LANES) {
    const Bits magnitude = (Bits) * (const Lanes *)(x + i) & LLONG_MAX;
    const Lanes size = (Lanes)magnitude / *(const Lanes *)(scale + i);
    const Bits larger = (Bits)(size > peaks);
    peaks = (Lanes)(((Bits)size & larger) | ((Bits)peaks & ~larger));
  }
  double peak = 0;
  for (; i < count; i++)
    peak = fabs(x[i]) / scale[i] > peak ? fabs(x[i]) / scale[i] : peak;
  for (int k = 0; k < LANES; k++)
    peak = peaks[k] > peak ? peaks[k] : peak;
  return peak;
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

VECTOR_CLONES
void vector_reach(double *y, double t, const double *x, int count) {
  for (int j = 0; j < count; j++)
    y[j] = (y[j] + fabs(x[j])) * t;
}

VECTOR_CLONES
double vector_dot(const double *x, const double *y, const double *s, int count) {
  Lanes sums = {0};
  double rest = 0;
  int i = 0;
  for (; i + LANES <= count; i += LANES)
    sums += *(const Lanes *)(x + i) * (*(const Lanes *)(y + i) * *(const Lanes *)(s + i));
  for (; i < count; i++)
    rest += x[i] * (y[i] * s[i]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + rest;
}

VECTOR_CLONES
void vector_take(double *y, double f, const double *x, const double *s, int count) {
  int i = 0;
  for (; i + LANES <= count; i += LANES)
    *(Lanes *)(y + i) -= f * *(const Lanes *)(x + i) * *(const Lanes *)(s + i);
  for (; i < count; i++)
    y[i] -= f * x[i] * s[i];
}

VECTOR_CLONES
void vector_take_clean(double *y, double f, const double *x, double rounding, int count) {
  int i = 0;
  for (; i + LANES <= count; i += LANES) {
    const Lanes old = *(const Lanes *)(y + i), new = old - f **(const Lanes *)(x + i);
    const Lanes left = (Lanes)((Bits) new &LLONG_MAX), was = (Lanes)((Bits)old & LLONG_MAX);
    *(Lanes *)(y + i) = (Lanes)((Bits) new &(Bits)(left > rounding * was));
  }
  for (; i < count; i++) {
    const double new = y[i] - f *x[i];
    y[i] = fabs(new) > rounding * fabs(y[i]) ? new : 0;
  }
}
