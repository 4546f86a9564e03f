/*
** Chains of rods in minimal coordinates, followed by Bulirsch and Stoer's method in quadruple
** precision: 30 digits for what `sarrus verify` claims.  Writes chain_reference.lua:
**
**   gcc -O2 chain_reference.c -lquadmath -o chains && ./chains > chain_reference.lua
**
** Rods hang from each other, the first from the origin; angles p_i are those of the rods with the
** x axis.  With A_ij = l_i l_j (m_j / 2 + sum_{k>j} m_k) for i < j, A_ii = l_i^2 (m_i / 3 +
** sum_{k>i} m_k) and B_i = l_i (m_i / 2 + sum_{k>i} m_k):
**
**   sum_j A_ij (cos(p_i - p_j) p_j'' + sin(p_i - p_j) p_j'^2) + B_i g cos p_i = T_i - T_{i+1}
**
** with T_i = -k_i x_i - c_i x_i' for the coordinate x_i = p_i - p_{i-1} of hinge i, 0 at the start.
*/
#include <quadmath.h>
#include <stdio.h>
#include <string.h>

typedef __float128 real;
enum { MOST = 3, COLUMNS = 14 };

typedef struct Chain {
  int n;
  real l[MOST], m[MOST], k[MOST], c[MOST], at[MOST], g;
} Chain;

static unsigned long long seed = 88172645463325252ULL;

/* A number with four decimals, so that all programs read the same one. */
static double draw(double low, double high) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  const double x = low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
  return (double)(long)(x * 4096) / 4096;
}

/* y = (p, p'); f = y' */
static void slope(const Chain *s, const real *y, real *f) {
  const int n = s->n;
  real M[MOST][MOST + 1], T[MOST + 1];
  for (int i = 0; i < n; i++) {
    const real x = y[i] - s->at[i] - (i > 0 ? y[i - 1] - s->at[i - 1] : 0);
    const real v = y[n + i] - (i > 0 ? y[n + i - 1] : 0);
    T[i] = -s->k[i] * x - s->c[i] * v;
  }
  T[n] = 0;
  for (int i = 0; i < n; i++) {
    real beyond = 0, right;
    for (int k = i + 1; k < n; k++)
      beyond += s->m[k];
    right = T[i] - T[i + 1] - s->l[i] * (s->m[i] / 2 + beyond) * s->g * cosq(y[i]);
    for (int j = 0; j < n; j++) {
      const int far = i > j ? i : j;
      real rest = 0;
      for (int k = far + 1; k < n; k++)
        rest += s->m[k];
      const real A = s->l[i] * s->l[j] * (s->m[far] / (i == j ? 3 : 2) + rest);
      M[i][j] = A * cosq(y[i] - y[j]);
      right -= A * sinq(y[i] - y[j]) * y[n + j] * y[n + j];
    }
    M[i][n] = right;
  }
  for (int k = 0; k < n; k++) /* positive definite */
    for (int i = k + 1; i < n; i++) {
      const real factor = M[i][k] / M[k][k];
      for (int j = k; j <= n; j++)
        M[i][j] -= factor * M[k][j];
    }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      M[i][n] -= M[i][j] * f[n + j];
    f[n + i] = M[i][n] / M[i][i];
    f[i] = y[n + i];
  }
}

static void midpoint(const Chain *s, const real *y, real h, int parts, real *out) {
  real a[2 * MOST], b[2 * MOST], f[2 * MOST];
  const int size = 2 * s->n;
  const real step = h / parts;
  slope(s, y, f);
  for (int i = 0; i < size; i++) {
    a[i] = y[i];
    b[i] = y[i] + step * f[i];
  }
  for (int k = 1; k < parts; k++) {
    slope(s, b, f);
    for (int i = 0; i < size; i++) {
      const real next = a[i] + 2 * step * f[i];
      a[i] = b[i];
      b[i] = next;
    }
  }
  slope(s, b, f);
  for (int i = 0; i < size; i++)
    out[i] = (a[i] + b[i] + step * f[i]) / 2;
}

/* One step with extrapolation in h^2; what the last column changed by. */
static real leap(const Chain *s, const real *y, real h, real *out) {
  real table[COLUMNS][2 * MOST], before[2 * MOST], error = 0;
  for (int k = 0; k < COLUMNS; k++) {
    midpoint(s, y, h, 2 * (k + 1), table[k]);
    for (int j = k - 1; j >= 0; j--) {
      const real ratio = (real)(k + 1) / (j + 1);
      for (int i = 0; i < 2 * s->n; i++) {
        if (j == 0) before[i] = table[1 < k ? 1 : 0][i];
        table[j][i] = table[j + 1][i] + (table[j + 1][i] - table[j][i]) / (ratio * ratio - 1);
      }
    }
  }
  for (int i = 0; i < 2 * s->n; i++) {
    const real off = fabsq(table[0][i] - before[i]);
    out[i] = table[0][i];
    if (off > error) error = off;
  }
  return error;
}

static void follow(const Chain *s, real *y, real end) {
  real t = 0, h = 0.01Q;
  while (t < end) {
    real out[2 * MOST];
    if (t + h > end) h = end - t;
    const real error = leap(s, y, h, out);
    if (error > 1e-29Q) {
      h /= 2;
      continue;
    }
    t += h;
    memcpy(y, out, sizeof out);
    if (error < 1e-31Q) h *= 1.5Q;
  }
}

int main(void) {
  printf(
      "-- Written by chain_reference.c: chains of rods, and where their angles are at the end, as\n"
      "-- a double and what it leaves.\nreturn {\n");
  for (int number = 0; number < 200; number++) {
    Chain s = {.n = 1 + number % MOST, .g = 9.8125Q};
    real y[2 * MOST];
    double rate[MOST];
    for (int i = 0; i < s.n; i++) {
      s.l[i] = draw(0.3, 1.5);
      s.m[i] = draw(0.2, 3);
      s.k[i] = number % 4 == 1 ? draw(0, 20) : 0;
      s.c[i] = number % 5 == 2 ? draw(0, 1) : 0;
      s.at[i] = draw(-3, 3);
      y[i] = s.at[i];
      y[s.n + i] = rate[i] = draw(-3, 3);
    }
    const double end = draw(0.5, number % 7 == 0 ? 20 : 6);
    follow(&s, y, end);
    printf("  { t = %.17g", end);
    for (int i = 0; i < s.n; i++) {
      const double high = (double)y[i];
      printf(
          ",\n    { l = %.17g, m = %.17g, k = %.17g, c = %.17g,\n      at = %.17g, rate = %.17g, "
          "%.17g, "
          "%.6g }",
          (double)s.l[i], (double)s.m[i], (double)s.k[i], (double)s.c[i], (double)s.at[i], rate[i],
          high, (double)(y[i] - high));
    }
    printf(" },\n");
  }
  printf("}\n");
  return 0;
}
