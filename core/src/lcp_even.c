/*
** Forces that are not determined, as of a plate on four feet, shared as equally soft feet would.
** With softness s the forces f_i follow each other,
**
**   rates = b + W f_i + s (f_i - f_{i-1})                                                     (T76)
**
** from none on: an answer is where they stay, and what has been added up on the way has no part in
** any direction that W does not feel.  Every problem on the way has one answer, whatever the order
** of contacts.  The part of an error that W feels with a strength w shrinks by s / (s + w) each
** time; rounding in the others grows by w / s.
*/
#include <math.h>
#include <string.h>

#include "lcp_friction.h"

/* Relative to the largest response. */
static const double SOFTNESS = 1.0 / (1 << 14);

/* Of responses of gaps, less than this part is rounding, and forces stay to this part. */
static const double DEPENDENT = 1e-10, STAYS = 1e-14;

enum { MOST_SOFT = 60 };

/* Whether gaps depend on each other: Cholesky, with the largest pivots first. */
static int is_redundant(const FrictionProblem *p, double *left) {
  const int n = p->n;
  double first = 0;
  for (int i = 0; i < n * n; i++)
    left[i] = p->W[i / n * 2 * n + i % n];
  for (int pass = 0; pass < n; pass++) {
    int at = 0;
    for (int i = 1; i < n; i++)
      if (left[i * n + i] > left[at * n + at]) at = i;
    const double pivot = left[at * n + at];
    first = fmax(first, pivot);
    if (!(pivot > DEPENDENT * first)) return 1;
    for (int i = 0; i < n; i++) {
      const double factor = left[i * n + at] / pivot;
      for (int j = 0; j < n && i != at; j++)
        left[i * n + j] -= factor * left[at * n + j];
    }
    left[at * n + at] = -1; /* done */
  }
  return 0;
}

static double soften(const FrictionProblem *p, const Friction *f) {
  const int rows = 2 * p->n;
  double largest = 0;
  memcpy(f->W, p->W, (size_t)(rows * rows) * sizeof *f->W);
  for (int i = 0; i < p->n; i++)
    largest = fmax(largest, p->W[i * (rows + 1)]);
  for (int i = 0; i < rows; i++)
    if (p->W[i * (rows + 1)] > 0) f->W[i * (rows + 1)] += SOFTNESS * largest;
  return SOFTNESS * largest;
}

LcpStatus friction_share(const FrictionProblem *problem, const FrictionAnswer *answer,
                         Friction *f) {
  const int n = problem->n;
  FrictionProblem soft = *problem;
  double change = (double)INFINITY, size = 0;
  if (n < 2 || !is_redundant(problem, f->M)) return LCP_RAY;
  const double s = soften(problem, f);
  soft.W = f->W;
  soft.b = f->b;
  for (int i = 0; i < 2 * n; i++)
    f->last[i] = i < n ? friction_least(problem, i) : 0;
  for (int turn = 0; turn < MOST_SOFT && change > STAYS * size; turn++) {
    for (int i = 0; i < 2 * n; i++)
      f->b[i] = problem->b[i] - (problem->W[i * (2 * n + 1)] > 0 ? s * f->last[i] : 0);
    const LcpStatus status = friction_solve_once(&soft, answer, f);
    if (status != LCP_SOLVED) return status;
    change = size = 0;
    for (int i = 0; i < 2 * n; i++) {
      change = fmax(change, fabs(answer->force[i] - f->last[i]));
      size = fmax(size, fabs(answer->force[i]));
      f->last[i] = answer->force[i];
    }
  }
  f->problem = problem;
  friction_finish(problem, answer);
  return LCP_SOLVED;
}
