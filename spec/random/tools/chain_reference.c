/*
** Chains of rods in minimal coordinates, open and closed, followed in quadruple precision: 30 digits
** for what `sarrus verify` claims.  Writes chain_reference.lua and loop_reference.lua:
**
**   gcc -O2 chain_reference.c -lquadmath -o chains
**   ./chains > chain_reference.lua && ./chains closed > loop_reference.lua
**
** Rods hang from each other, the first from the origin; angles p_i are those of the rods with the
** x axis.  With A_ij = l_i l_j (m_j / 2 + sum_{k>j} m_k) for i < j, A_ii = l_i^2 (m_i / 3 +
** sum_{k>i} m_k) and B_i = l_i (m_i / 2 + sum_{k>i} m_k):
**
**   sum_j A_ij (cos(p_i - p_j) p_j'' + sin(p_i - p_j) p_j'^2) + B_i g cos p_i = T_i - T_{i+1}
**
** with T_i = -k_i x_i - c_i x_i' for the coordinate x_i = p_i - p_{i-1} of hinge i, 0 at the start.
** Where the chain is closed its end stays where it is, by two forces,
**
**   sum_i l_i (-sin p_i p_i'' - cos p_i p_i'^2) = 0,   sum_i l_i (cos p_i p_i'' - sin p_i p_i'^2) = 0
*/
#include "quad.h"

enum { RODS = 4 };

typedef struct Chain {
  int n, closed;
  real l[RODS], m[RODS], k[RODS], c[RODS], at[RODS], g;
} Chain;

/* Row i of the equations of motion, without torques and what closes the chain; c and z are cosines
** and sines of p. */
static void put_row(const Chain *s, const real *y, const real *c, const real *z, int i, real *row,
                    real *right) {
  const int n = s->n;
  real beyond = 0;
  for (int k = i + 1; k < n; k++)
    beyond += s->m[k];
  *right = -s->l[i] * (s->m[i] / 2 + beyond) * s->g * c[i];
  for (int j = 0; j < n; j++) {
    const int far = i > j ? i : j;
    real rest = 0;
    for (int k = far + 1; k < n; k++)
      rest += s->m[k];
    const real A = s->l[i] * s->l[j] * (s->m[far] / (i == j ? 3 : 2) + rest);
    row[j] = A * (c[i] * c[j] + z[i] * z[j]);
    *right -= A * (z[i] * c[j] - c[i] * z[j]) * y[n + j] * y[n + j];
  }
}

/* y = (p, p'); f = y' */
static void slope(const void *problem, const real *y, real *f) {
  const Chain *s = problem;
  const int n = s->n, rows = n + (s->closed ? 2 : 0);
  real M[MOST][MOST + 1] = {{0}}, T[RODS + 1], c[RODS], z[RODS];
  for (int i = 0; i < n; i++) {
    const real x = y[i] - s->at[i] - (i > 0 ? y[i - 1] - s->at[i - 1] : 0);
    const real v = y[n + i] - (i > 0 ? y[n + i - 1] : 0);
    T[i] = -s->k[i] * x - s->c[i] * v;
    sincosq(y[i], &z[i], &c[i]);
  }
  T[n] = 0;
  for (int i = 0; i < n; i++) {
    put_row(s, y, c, z, i, M[i], &M[i][rows]);
    M[i][rows] += T[i] - T[i + 1];
    if (s->closed) {
      M[i][n] = M[n][i] = -s->l[i] * z[i];
      M[i][n + 1] = M[n + 1][i] = s->l[i] * c[i];
      M[n][rows] += s->l[i] * c[i] * y[n + i] * y[n + i];
      M[n + 1][rows] += s->l[i] * z[i] * y[n + i] * y[n + i];
    }
  }
  solve(M, rows);
  for (int i = 0; i < n; i++) {
    f[i] = y[n + i];
    f[n + i] = M[i][rows];
  }
}

/* Rates of the last two rods, so that the end stays. */
static void close_rates(const Chain *s, real *y) {
  const int n = s->n;
  real M[MOST][MOST + 1] = {{0}};
  for (int i = 0; i < n; i++) {
    const real a = -s->l[i] * sinq(y[i]), b = s->l[i] * cosq(y[i]);
    if (i < n - 2) {
      M[0][2] -= a * y[n + i];
      M[1][2] -= b * y[n + i];
    } else {
      M[0][i - n + 2] = a;
      M[1][i - n + 2] = b;
    }
  }
  solve(M, 2);
  y[2 * n - 2] = M[0][2];
  y[2 * n - 1] = M[1][2];
}

static void chain(int number) {
  Chain s = {.n = 1 + number % 3, .g = 9.8125Q};
  real y[2 * RODS];
  double rate[RODS];
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
  follow(&(Motion){slope, &s, 2 * s.n}, y, end);
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

/* Rods between places; the rates of the last two, which follow, are moderate. */
static void draw_loop(Chain *s, real *y, double *x, double *z, int number) {
  const int n = s->n;
  do {
    for (int i = 0; i < n; i++) {
      do {
        x[i + 1] = x[i] + draw(-1, 1.5);
        z[i + 1] = z[i] + draw(-1.25, 1.25);
        s->l[i] = hypotq(x[i + 1] - x[i], z[i + 1] - z[i]);
      } while (s->l[i] < 0.3Q);
      s->m[i] = draw(0.2, 3);
      s->k[i] = number % 4 == 1 ? draw(0, 20) : 0;
      s->c[i] = number % 5 == 2 ? draw(0, 1) : 0;
      y[i] = s->at[i] = atan2q(z[i + 1] - z[i], x[i + 1] - x[i]);
      y[n + i] = draw(-3, 3);
    }
    close_rates(s, y);
  } while (fabsq(y[2 * n - 1]) > 5 || fabsq(y[2 * n - 2]) > 5);
}

/* Four-bars and five-bars. */
static void loop(int number) {
  Chain s = {.n = 3 + number % 2, .closed = 1, .g = 9.8125Q};
  real y[2 * RODS];
  double x[RODS + 1] = {0}, z[RODS + 1] = {0};
  draw_loop(&s, y, x, z, number);
  const double end = draw(0.5, number % 7 == 0 ? 8 : 4);
  printf("  { t = %.17g", end);
  for (int i = 0; i < s.n; i++) {
    printf(",\n    { to = { %.17g, %.17g }, m = %.17g,\n      k = %.17g, c = %.17g", x[i + 1],
           z[i + 1], (double)s.m[i], (double)s.k[i], (double)s.c[i]);
    if (i < s.n - 2) printf(", rate = %.17g", (double)y[s.n + i]);
    printf(" }");
  }
  follow(&(Motion){slope, &s, 2 * s.n}, y, end);
  for (int i = s.n - 1; i > 0; i--) {
    y[i] -= y[i - 1];
    s.at[i] -= s.at[i - 1];
    y[s.n + i] -= y[s.n + i - 1];
  }
  for (int i = 0; i < s.n; i++)
    y[i] -= s.at[i];
  put_known(y, 2 * s.n);
}

int main(int count, char **words) {
  (void)words;
  printf(
      "-- Written by chain_reference.c: %s of rods, and where their angles are at the end, as\n"
      "-- a double and what it leaves.\nreturn {\n",
      count > 1 ? "loops" : "chains");
  for (int number = 0; number < (count > 1 ? 120 : 200); number++)
    count > 1 ? loop(number) : chain(number);
  printf("}\n");
  return 0;
}
