/* What a complementary basis says: its z and w, from the data alone. */
#include <float.h>
#include <math.h>

#include "lcp_parts.h"

/* Pivots of the scaled matrix below this of its largest element are rounding. */
static const double SINGULAR = 1e-13;

/* Terms of w_i count as at least this much: q, whose largest is about 1, has rounding. */
static const double LEAST_TERMS = 0.01;

/* a b = product + rest (Veltkamp, Dekker) */
static double product_rest(double a, double b, double product) {
  const double split = 0x1p27 + 1;
  const double a_big = split * a - (split * a - a), a_low = a - a_big;
  const double b_big = split * b - (split * b - b), b_low = b - b_big;
  return a_low * b_low - (((product - a_big * b_big) - a_low * b_big) - a_big * b_low);
}

double lcp_dot(double start, const double *a, const double *x, int n, double *size) {
  double sum = start, rest = 0;
  *size = fabs(start);
  for (int j = 0; j < n; j++) {
    if (a[j] == 0 || x[j] == 0) continue;
    const double product = a[j] * x[j], next = sum + product, part = next - sum;
    rest += (sum - (next - part)) + (product - part) + product_rest(a[j], x[j], product);
    sum = next;
    *size += fabs(product);
  }
  return sum + rest;
}

/* LU of the basic rows and columns; order: which row is eliminated when; 0 if singular */
static int factor(const Lcp *lcp, int m, int *order) {
  double *lu = lcp->lu, largest = 0;
  for (int i = 0; i < m; i++) {
    order[i] = i;
    for (int j = 0; j < m; j++) {
      lu[i * m + j] = lcp->M[lcp->subset[i] * lcp->n + lcp->subset[j]];
      largest = fmax(largest, fabs(lu[i * m + j]));
    }
  }
  for (int k = 0; k < m; k++) {
    int best = k;
    for (int i = k + 1; i < m; i++)
      if (fabs(lu[order[i] * m + k]) > fabs(lu[order[best] * m + k])) best = i;
    const int swap = order[k];
    order[k] = order[best];
    order[best] = swap;
    const double *top = lu + order[k] * m;
    if (!(fabs(top[k]) > SINGULAR * largest)) return 0;
    for (int i = k + 1; i < m; i++) {
      double *row = lu + order[i] * m;
      if (row[k] == 0) continue;
      row[k] /= top[k];
      for (int j = k + 1; j < m; j++)
        row[j] -= row[k] * top[j];
    }
  }
  return 1;
}

/* step = (L U)^-1 rhs */
static void back_solve(const Lcp *lcp, int m, const int *order) {
  const double *lu = lcp->lu;
  double *x = lcp->step;
  for (int i = 0; i < m; i++) {
    x[i] = lcp->rhs[order[i]];
    for (int j = 0; j < i; j++)
      x[i] -= lu[order[i] * m + j] * x[j];
  }
  for (int i = m - 1; i >= 0; i--) {
    for (int j = i + 1; j < m; j++)
      x[i] -= lu[order[i] * m + j] * x[j];
    x[i] /= lu[order[i] * m + i];
  }
}

/* M_bb z_b = -q_b, and one step of refinement with residuals in doubled precision. */
static int solve(Lcp *lcp) {
  const int n = lcp->n;
  int *order = lcp->in_row, m = 0; /* the tableau is not needed any more */
  for (int i = 0; i < n; i++) {
    lcp->z[i] = 0;
    if (lcp->basic[i]) lcp->subset[m++] = i;
  }
  if (m == 0) return 1;
  if (!factor(lcp, m, order)) return 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < m; i++) {
      const int at = lcp->subset[i];
      double size;
      lcp->rhs[i] = -lcp_dot(lcp->q[at], lcp->M + at * n, lcp->z, n, &size);
    }
    back_solve(lcp, m, order);
    for (int i = 0; i < m; i++)
      lcp->z[lcp->subset[i]] += lcp->step[i];
  }
  return 1;
}

int lcp_try_basis(Lcp *lcp, double negative) {
  const int n = lcp->n;
  double largest = 0;
  if (!solve(lcp)) return 0;
  for (int i = 0; i < n; i++)
    largest = fmax(largest, fabs(lcp->z[i]));
  if (!(largest <= DBL_MAX)) return 0;
  for (int i = 0; i < n; i++) {
    if (lcp->z[i] < -negative * largest) return 0;
    if (lcp->z[i] < 0) lcp->z[i] = 0;
  }
  for (int i = 0; i < n; i++) {
    double size = 0;
    lcp->w[i] = lcp->basic[i] ? 0 : lcp_dot(lcp->q[i], lcp->M + i * n, lcp->z, n, &size);
    if (lcp->w[i] < -negative * fmax(size, LEAST_TERMS)) return 0;
    if (lcp->w[i] < 0) lcp->w[i] = 0;
  }
  return 1;
}
