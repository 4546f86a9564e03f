/*
** Loops that are worth compiling for more than one vector width.  With glibc, VECTOR_CLONES makes a
** clone for each width, and glibc chooses one when the library is loaded; elsewhere there is only
** the compiler's default.  Without fused multiply-adds (-ffp-contract=off) and with a fixed order
** of summation all clones give the same bits.  There are none under sanitizers, which are not ready
** yet when glibc chooses.
*/
#ifndef SARRUS_VECTOR_H
#define SARRUS_VECTOR_H

#include <math.h>

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define VECTOR_CLONES
#endif

/* Four numbers at any address: they need not be aligned. */
enum { LANES = 4 };
typedef double Lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(8)));

/* Lane l of the result is lane i[l] of a, or lane i[l] - LANES of b. */
#if defined(__clang__)
#define LANES_OF(a, b, i0, i1, i2, i3) __builtin_shufflevector(a, b, i0, i1, i2, i3)
#else
typedef long long LaneNumbers __attribute__((vector_size(LANES * sizeof(long long))));
#define LANES_OF(a, b, i0, i1, i2, i3) __builtin_shuffle(a, b, (LaneNumbers){i0, i1, i2, i3})
#endif

/*
** Lane l of the result is the sum (x_0 + x_1) + (x_2 + x_3) of the numbers in x[l].  Passed by
** address, since without AVX functions cannot return Lanes.
*/
static inline void lanes_sums(const Lanes *x, Lanes *sums) {
  const Lanes s = LANES_OF(x[0], x[1], 0, 4, 2, 6) + LANES_OF(x[0], x[1], 1, 5, 3, 7);
  const Lanes t = LANES_OF(x[2], x[3], 0, 4, 2, 6) + LANES_OF(x[2], x[3], 1, 5, 3, 7);
  *sums = LANES_OF(s, t, 0, 1, 4, 5) + LANES_OF(s, t, 2, 3, 6, 7);
}

/* Whether all of x is finite. */
int vector_finite(const double *x, int count);
/* The largest |x_j| / scale_j; NaNs do not count. */
double vector_peak_of_many(const double *x, const double *scale, int count);
static inline double vector_peak(const double *x, const double *scale, int count) {
  double peak = 0;
  if (count >= LANES) return vector_peak_of_many(x, scale, count);
  for (int i = 0; i < count; i++) {
    const double size = fabs(x[i]) / scale[i];
    peak = size > peak ? size : peak;
  }
  return peak;
}
/* y = f x */
void vector_scale(double *y, const double *x, double f, int count);
/* y = x / d */
void vector_divide(double *y, const double *x, double d, int count);
/* The sum of x_j y_j s_j. */
double vector_dot(const double *x, const double *y, const double *s, int count);
/* y_j -= f x_j s_j */
void vector_take(double *y, double f, const double *x, const double *s, int count);
/* y = y t + f x */
void vector_horner(double *y, double t, const double *x, double f, int count);

/* y = (y + |x|) t */
void vector_reach(double *y, double t, const double *x, int count);

/*
** y -= f x, element by element; a result that is at most `rounding` times the former y_j is set
** to 0.
*/
void vector_take_clean(double *y, double f, const double *x, double rounding, int count);

#endif
