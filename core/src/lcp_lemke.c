/*
** Lemke's method.  I w - M z - d z_0 = q, where d > 0 and z_0 is artificial: z_0 enters first, and
** makes everything nonnegative; from then on the complement of what has left enters, until z_0
** leaves.  The tableau holds the columns of what is not basic, and the right-hand side last.
**
** Contacts that stick or are open are degenerate vertices always, so that ties are the rule: the
** lexicographic order of the rows of (q, B^-1) decides them, and no basis comes back.  For this,
** differences that are rounding must be 0: they are set to 0 as they are formed.
*/
#include <math.h>

#include "lcp_parts.h"
#include "vector.h"

/* What is left of a difference is rounding, or ratios are equal, below this of the terms. */
static const double ROUNDING = 0x1p-40;

/* In a tableau that comes from the scaled data, smaller elements are rounding. */
static const double SPECK = 1e-13;

/* z_0 below this, of a scaled q of 1, is rounding. */
static const double NO_ARTIFICIAL = 1e-11;

/* Elements below this of their column's largest are no pivots. */
static const double SMALLEST_PIVOT = 1e-11;

enum { PIVOTS_PER_ROW = 20 };

static double *row_at(const Lcp *lcp, int i) { return lcp->tableau + (ptrdiff_t)i * (lcp->n + 2); }

static void fill(Lcp *lcp) {
  const int n = lcp->n;
  for (int i = 0; i < n; i++) {
    double *row = row_at(lcp, i);
    for (int j = 0; j < n; j++)
      row[j] = -lcp->M[i * n + j];
    row[n] = -lcp->cover[i];
    row[n + 1] = lcp->q[i];
  }
  for (int i = 0; i < n; i++) {
    lcp->in_row[i] = lcp->column_of[n + i] = i;
    lcp->row_of[i] = lcp->in_column[i] = i;
    lcp->in_column[i] = n + i;
    lcp->row_of[n + i] = lcp->column_of[i] = -1;
  }
  lcp->in_column[n] = 2 * n;
  lcp->column_of[2 * n] = n;
  lcp->row_of[2 * n] = -1;
}

static void exchange_names(Lcp *lcp, int r, int c) {
  const int leaves = lcp->in_row[r], enters = lcp->in_column[c];
  lcp->in_row[r] = enters;
  lcp->in_column[c] = leaves;
  lcp->row_of[enters] = r;
  lcp->column_of[enters] = -1;
  lcp->row_of[leaves] = -1;
  lcp->column_of[leaves] = c;
}

/* What is in column c becomes basic in row r. */
static void pivot(Lcp *lcp, int r, int c) {
  const int n = lcp->n;
  double *top = row_at(lcp, r);
  const double p = top[c];
  top[c] = 1;
  for (int j = 0; j < n + 2; j++)
    top[j] /= p;
  for (int i = 0; i < n; i++) {
    double *row = row_at(lcp, i);
    const double f = row[c];
    if (i == r || f == 0) continue;
    row[c] = 0;
    vector_take_clean(row, f, top, ROUNDING, n + 2);
  }
  exchange_names(lcp, r, c);
}

/* The sign of x - y */
static int compare(double x, double y) {
  const double d = x - y;
  return fabs(d) <= ROUNDING * (fabs(x) + fabs(y)) ? 0 : d < 0 ? -1 : 1;
}

/* Element of B^-1: the column of w_j. */
static double inverse_at(const Lcp *lcp, int i, int j) {
  const int c = lcp->column_of[j];
  return c >= 0 ? row_at(lcp, i)[c] : lcp->row_of[j] == i ? 1 : 0;
}

/* Row i comes before row k when what is in column c enters. */
static int comes_before(const Lcp *lcp, int i, int k, int c) {
  const int n = lcp->n, artificial = 2 * n;
  const double p = row_at(lcp, i)[c], s = row_at(lcp, k)[c];
  const int ratio = compare(row_at(lcp, i)[n + 1] / p, row_at(lcp, k)[n + 1] / s);
  if (ratio != 0) return ratio < 0;
  if (lcp->in_row[i] == artificial || lcp->in_row[k] == artificial)
    return lcp->in_row[i] == artificial;
  for (int j = 0; j < n; j++) {
    const int order = compare(inverse_at(lcp, i, j) / p, inverse_at(lcp, k, j) / s);
    if (order != 0) return order < 0;
  }
  return 0;
}

/* -1: none, a ray */
static int leaving_row(const Lcp *lcp, int c) {
  double largest = 0;
  int best = -1;
  for (int i = 0; i < lcp->n; i++)
    largest = fmax(largest, fabs(row_at(lcp, i)[c]));
  for (int i = 0; i < lcp->n; i++)
    if (row_at(lcp, i)[c] > SMALLEST_PIVOT * largest && (best < 0 || comes_before(lcp, i, best, c)))
      best = i;
  return best;
}

/* The last of the most negative q_i / d_i: with the other rows lexicographically positive after. */
static int first_row(const Lcp *lcp) {
  int worst = 0;
  for (int i = 1; i < lcp->n; i++)
    if (compare(lcp->q[i] / lcp->cover[i], lcp->q[worst] / lcp->cover[worst]) <= 0) worst = i;
  return worst;
}

static void note_basis(const Lcp *lcp) {
  for (int i = 0; i < lcp->n; i++)
    lcp->basic[i] = lcp->row_of[lcp->n + i] >= 0;
}

/*
** The tableau of the present basis from the data, the largest pivots first: what the pivots so far
** have added up to is forgotten.
*/
static void rebuild(Lcp *lcp) {
  const int n = lcp->n;
  int count = 0, *enters = lcp->subset; /* basic z, and z_0 */
  for (int i = 0; i < n; i++)
    if (lcp->in_row[i] >= n) enters[count++] = lcp->in_row[i] - n;
  for (int j = 0; j < n; j++)
    lcp->leaves[j] = lcp->column_of[j] >= 0;
  fill(lcp);
  for (; count > 0; count--) {
    double largest = 0;
    int r = -1, at = 0;
    for (int i = 0; i < n; i++)
      for (int k = 0; lcp->leaves[i] && k < count; k++)
        if (fabs(row_at(lcp, i)[enters[k]]) > largest) {
          largest = fabs(row_at(lcp, i)[enters[k]]);
          r = i;
          at = k;
        }
    if (r < 0) return;
    pivot(lcp, r, enters[at]);
    lcp->leaves[r] = 0;
    enters[at] = enters[count - 1];
  }
  for (int k = 0; k < n * (n + 2); k++)
    if (fabs(lcp->tableau[k]) < SPECK) lcp->tableau[k] = 0;
}

/*
** A ray on which z_0 is rounding: contact forces that balance each other.  It is a solution: w or z
** of the pair that is not basic takes the place of z_0.
*/
static LcpStatus end_at_ray(Lcp *lcp, int c) {
  const int n = lcp->n, r = lcp->row_of[2 * n], enters = lcp->in_column[c];
  const int other = lcp->column_of[enters < n ? enters + n : enters - n];
  const double *row = row_at(lcp, r);
  if (!(row[n + 1] <= NO_ARTIFICIAL)) return LCP_RAY;
  const int to = fabs(row[c]) > fabs(row[other]) ? c : other;
  if (row[to] == 0) return LCP_RAY;
  exchange_names(lcp, r, to);
  note_basis(lcp);
  return LCP_SOLVED;
}

LcpStatus lcp_lemke(Lcp *lcp, int careful) {
  const int n = lcp->n;
  int r = n > 0 ? first_row(lcp) : 0, c = n;
  fill(lcp);
  note_basis(lcp);
  if (n == 0 || lcp->q[r] >= 0) return LCP_SOLVED;
  for (int count = 0; count <= PIVOTS_PER_ROW * n; count++) {
    const int leaves = lcp->in_row[r];
    pivot(lcp, r, c);
    note_basis(lcp);
    if (leaves == 2 * n) return LCP_SOLVED;
    if (careful) rebuild(lcp);
    c = lcp->column_of[leaves < n ? leaves + n : leaves - n];
    r = leaving_row(lcp, c);
    if (r < 0) return end_at_ray(lcp, c);
  }
  return LCP_PIVOTS;
}
