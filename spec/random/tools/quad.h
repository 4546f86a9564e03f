/*
** What the references in quadruple precision share: numbers drawn, linear equations, and Bulirsch
** and Stoer's method.  A problem is a slope y' = f(y) of at most MOST numbers.
*/
#include <quadmath.h>
#include <stdio.h>
#include <string.h>

typedef __float128 real;
enum { MOST = 16, COLUMNS = 14 };

typedef void Slope(const void *problem, const real *y, real *f);

typedef struct Motion {
  Slope *slope;
  const void *problem;
  int size;
} Motion;

static unsigned long long seed = 88172645463325252ULL;

/* A number with four decimals, so that all programs read the same one. */
static double draw(double low, double high) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  const double x = low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
  return (double)(long)(x * 4096) / 4096;
}

/* Solve M x = b, b being column n of M, with pivots by columns; x takes its place. */
__attribute__((unused)) static void solve(real M[][MOST + 1], int n) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabsq(M[i][k]) > fabsq(M[best][k])) best = i;
    for (int j = k; j <= n; j++) {
      const real kept = M[k][j];
      M[k][j] = M[best][j];
      M[best][j] = kept;
    }
    for (int i = k + 1; i < n; i++) {
      const real factor = M[i][k] / M[k][k];
      for (int j = k; j <= n; j++)
        M[i][j] -= factor * M[k][j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      M[i][n] -= M[i][j] * M[j][n];
    M[i][n] /= M[i][i];
  }
}

static void midpoint(const Motion *s, const real *y, real h, int parts, real *out) {
  real a[MOST], b[MOST], f[MOST];
  const real step = h / parts;
  s->slope(s->problem, y, f);
  for (int i = 0; i < s->size; i++) {
    a[i] = y[i];
    b[i] = y[i] + step * f[i];
  }
  for (int k = 1; k < parts; k++) {
    s->slope(s->problem, b, f);
    for (int i = 0; i < s->size; i++) {
      const real next = a[i] + 2 * step * f[i];
      a[i] = b[i];
      b[i] = next;
    }
  }
  s->slope(s->problem, b, f);
  for (int i = 0; i < s->size; i++)
    out[i] = (a[i] + b[i] + step * f[i]) / 2;
}

/* One step with extrapolation in h^2; what the last column changed by. */
static real leap(const Motion *s, const real *y, real h, real *out) {
  real table[COLUMNS][MOST], before[MOST], error = 0;
  for (int k = 0; k < COLUMNS; k++) {
    midpoint(s, y, h, 2 * (k + 1), table[k]);
    for (int j = k - 1; j >= 0; j--) {
      const real ratio = (real)(k + 1) / (j + 1);
      for (int i = 0; i < s->size; i++) {
        if (j == 0) before[i] = table[1 < k ? 1 : 0][i];
        table[j][i] = table[j + 1][i] + (table[j + 1][i] - table[j][i]) / (ratio * ratio - 1);
      }
    }
  }
  for (int i = 0; i < s->size; i++) {
    const real off = fabsq(table[0][i] - before[i]);
    out[i] = table[0][i];
    if (off > error) error = off;
  }
  return error;
}

__attribute__((unused)) static void follow(const Motion *s, real *y, real end) {
  real t = 0, h = 0.01Q;
  while (t < end) {
    real out[MOST];
    if (t + h > end) h = end - t;
    const real error = leap(s, y, h, out);
    if (error > 1e-29Q) {
      h /= 2;
      continue;
    }
    t += h;
    memcpy(y, out, (size_t)s->size * sizeof *y);
    if (error < 1e-31Q) h *= 1.5Q;
  }
}

/* What is known at the end: each number as a double and what it leaves. */
static void put_known(const real *x, int count) {
  printf(",\n    known = {");
  for (int i = 0; i < count; i++)
    printf("%s{ %.17g, %.6g }",
           i == 0       ? " "
           : i % 2 == 0 ? ",\n      "
                        : ", ",
           (double)x[i], (double)(x[i] - (double)x[i]));
  printf(" } },\n");
  fflush(stdout);
}
