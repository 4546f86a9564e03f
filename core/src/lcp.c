/* The linear complementarity problem: scaling, attempts, the answer in the caller's units. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lcp_parts.h"

/*
** After the first attempt d varies, and every tableau comes from the data.  Of 1000 random friction
** problems with 16 rows of 6 freedoms 29 need it, with 24 of 9 freedoms 52, with 16 of 24 none; of
** 60,000 with rows that depend on each other none was left unsolved.
*/
enum { ATTEMPTS = 8, SWEEPS = 2 };

/*
** What is negative by less than this, w_i of its terms, z_i of the largest z, is 0.  Slow impacts
** of redundant contacts are known less exactly, since speeds have the rounding of faster times: the
** answers of 5 of 300 chains of rods that fell on a floor were negative by 1e-11.  Such an answer
** is taken where there is no better one.
*/
static const double NEGATIVE = 1e-12, HARDLY_NEGATIVE = 1e-9;

/* Solutions differ where a w does by more than this of the largest. */
static const double DIFFERENT = 1e-9;

Lcp lcp_take(Block *block, int n) {
  Lcp lcp = {.n = n};
  BLOCK_TAKE(block, lcp.M, n * n);
  BLOCK_TAKE(block, lcp.q, n);
  BLOCK_TAKE(block, lcp.row, n);
  BLOCK_TAKE(block, lcp.column, n);
  BLOCK_TAKE(block, lcp.cover, n);
  BLOCK_TAKE(block, lcp.tableau, n * (n + 2));
  BLOCK_TAKE(block, lcp.in_row, n);
  BLOCK_TAKE(block, lcp.in_column, n + 1);
  BLOCK_TAKE(block, lcp.row_of, 2 * n + 1);
  BLOCK_TAKE(block, lcp.column_of, 2 * n + 1);
  BLOCK_TAKE(block, lcp.basic, n);
  BLOCK_TAKE(block, lcp.leaves, n);
  BLOCK_TAKE(block, lcp.z, n);
  BLOCK_TAKE(block, lcp.w, n);
  BLOCK_TAKE(block, lcp.lu, n * n);
  BLOCK_TAKE(block, lcp.rhs, n);
  BLOCK_TAKE(block, lcp.step, n);
  BLOCK_TAKE(block, lcp.subset, n);
  return lcp;
}

size_t lcp_work_size(int n) {
  Block measure = {NULL, 0};
  lcp_take(&measure, n);
  return measure.used;
}

/*
** Scaling
*/

/* log2 |x| to 0.09, without jumps: the bits of x, read as a number */
static double rough_log(double x) {
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (double)(bits & INT64_MAX) * 0x1p-52 - 1023;
}

/*
** Half of the way to largest elements of 1, or all of it to a mean logarithm of 0.  `mine` belongs
** to lines of `logs` that are `stride` apart, their elements are `step` apart.
*/
static void sweep(const Lcp *lcp, double *mine, const double *others, int stride, int step,
                  int largest) {
  const int n = lcp->n;
  for (int i = 0; i < n; i++) {
    double sum = 0, most = -HUGE_VAL;
    int count = 0;
    for (int j = 0; j < n; j++) {
      const double log = lcp->tableau[i * stride + j * step] + others[j];
      if (log == -HUGE_VAL) continue;
      sum += log;
      most = log > most ? log : most;
      count++;
    }
    if (count > 0) mine[i] = largest ? mine[i] - 0.5 * (mine[i] + most) : -sum / count;
  }
}

/*
** Means of logarithms first: they come out the same however rows and columns were multiplied.  Then
** to largest elements of about 1, so that rounding among the elements does no harm.  `step` keeps
** the factors of the columns.
*/
static void choose_scales(Lcp *lcp) {
  const int n = lcp->n;
  double *row = lcp->rhs, *column = lcp->step;
  memset(row, 0, (size_t)n * sizeof *row);
  memset(column, 0, (size_t)n * sizeof *column);
  for (int pass = 0; pass < 2 * SWEEPS; pass++) {
    sweep(lcp, row, column, n, 1, pass >= SWEEPS);
    sweep(lcp, column, row, 1, n, pass >= SWEEPS);
  }
  for (int i = 0; i < n; i++) {
    lcp->row[i] = (int)lrint(row[i]);
    lcp->column[i] = (int)lrint(column[i]);
    column[i] = ldexp(1, lcp->column[i]);
  }
}

/* Nothing acts on w_i: its size must not count. */
static int is_empty(const Lcp *lcp, int i) {
  for (int j = 0; j < lcp->n; j++)
    if (lcp->tableau[i * lcp->n + j] != -HUGE_VAL) return 0;
  return 1;
}

int lcp_scale(Lcp *lcp, const double *M, const double *q) {
  const int n = lcp->n;
  double largest = 0;
  for (int k = 0; k < n * n; k++) {
    if (!isfinite(M[k])) return 0;
    lcp->tableau[k] = M[k] == 0 ? -HUGE_VAL : rough_log(M[k]);
  }
  choose_scales(lcp);
  for (int i = 0; i < n; i++) {
    if (!isfinite(q[i])) return 0;
    const double row = ldexp(1, lcp->row[i]);
    if (is_empty(lcp, i) && q[i] != 0) lcp->row[i] = (int)-rough_log(q[i]);
    for (int j = 0; j < n; j++)
      lcp->M[i * n + j] = M[i * n + j] * row * lcp->step[j];
    lcp->q[i] = ldexp(q[i], lcp->row[i]);
    largest = fmax(largest, fabs(lcp->q[i]));
  }
  frexp(largest, &lcp->height);
  for (int i = 0; i < n; i++)
    lcp->q[i] = ldexp(q[i], lcp->row[i] - lcp->height);
  return 1;
}

/*
** The whole
*/

static void store(const Lcp *lcp, double *z, unsigned char *basic) {
  for (int i = 0; i < lcp->n; i++) {
    z[i] = ldexp(lcp->z[i], lcp->column[i] + lcp->height);
    basic[i] = lcp->basic[i];
  }
}

/* first: w of the first solution, filled when there is one. */
static int count_solutions(Lcp *lcp, double *first, double *z, unsigned char *basic, int enough) {
  const int n = lcp->n;
  int count = 0;
  for (unsigned set = 0; set < 1u << n && count < enough; set++) {
    double largest = 0, difference = 0;
    for (int i = 0; i < n; i++)
      lcp->basic[i] = set >> i & 1;
    if (!lcp_try_basis(lcp, NEGATIVE)) continue;
    for (int i = 0; i < n; i++) {
      largest = fmax(largest, fmax(1, fabs(lcp->w[i])));
      difference = fmax(difference, fabs(lcp->w[i] - first[i]));
    }
    if (count > 0 && difference <= DIFFERENT * largest) continue;
    if (count++ > 0) continue;
    memcpy(first, lcp->w, (size_t)n * sizeof *first);
    store(lcp, z, basic);
  }
  return count;
}

int lcp_enumerate(int n, const double *M, const double *q, double *z, unsigned char *basic,
                  void *work) {
  Lcp lcp = lcp_take(&(Block){work, 0}, n);
  if (!lcp_scale(&lcp, M, q)) return 0;
  return count_solutions(&lcp, lcp.cover, z, basic, 2);
}

/* d_i in 1..2, by multiples of the golden section */
static void vary_cover(Lcp *lcp, int attempt) {
  for (int i = 0; i < lcp->n; i++) {
    const double turn = 0.61803398874989485 * attempt * (i + 1);
    lcp->cover[i] = 1 + (turn - floor(turn));
  }
}

LcpStatus lcp_solve(int n, const double *M, const double *q, double *z, unsigned char *basic,
                    void *work) {
  Lcp lcp = lcp_take(&(Block){work, 0}, n);
  LcpStatus status = LCP_RAY;
  int found = 0;
  memset(z, 0, (size_t)n * sizeof *z);
  memset(basic, 0, (size_t)n * sizeof *basic);
  if (!lcp_scale(&lcp, M, q)) return LCP_NOT_FINITE;
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    vary_cover(&lcp, attempt);
    status = lcp_lemke(&lcp, attempt > 0);
    if (status != LCP_SOLVED) continue;
    const int right = lcp_try_basis(&lcp, NEGATIVE);
    if (right || (!found && lcp_try_basis(&lcp, HARDLY_NEGATIVE))) {
      store(&lcp, z, basic);
      found = 1;
    }
    if (right) return LCP_SOLVED;
    status = LCP_RAY;
  }
  if (n <= LCP_SMALL && count_solutions(&lcp, lcp.cover, z, basic, 1) > 0) return LCP_SOLVED;
  return found ? LCP_SOLVED : status;
}
