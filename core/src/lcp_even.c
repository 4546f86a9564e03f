/*
** Forces that are not determined, as of a plate on four feet, shared as equally soft feet would.
** With softness s the forces f_i follow each other,
**
**   rates = b + W f_i + s (f_i - f_{i-1})                                                     (T76)
**
** from none on: an answer is where they stay, and what has been added up on the way has no part in
** any direction that W does not feel.  Every problem on the way has one answer, whatever the order
** of contacts.  The part of an error that W feels with a strength w shrinks by s / (s + w) each
** time; rounding in the others grows by w / s.  So s becomes less where that is slow, which no
** answer depends on.
*/
#include <math.h>
#include <string.h>

#include "lcp_friction.h"
#include "lcp_parts.h"

/* Of a response of length 1, what is left of it beside others is rounding below this part. */
static const double DEPENDENT = 1e-10;

/* Cholesky, in units in which all rows respond to themselves with 1. */
int lcp_is_redundant(const double *W, int n, int rows, double *left) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double own = W[i * (rows + 1)], other = W[j * (rows + 1)];
      if (!(own > 0)) return 1;
      left[i * n + j] = W[i * rows + j] / sqrt(own) / sqrt(other);
    }
  for (int done = 0; done < n; done++) {
    int at = 0;
    for (int i = 1; i < n; i++)
      if (left[i * (n + 1)] > left[at * (n + 1)]) at = i;
    const double pivot = left[at * (n + 1)];
    if (!(pivot > DEPENDENT)) return 1;
    for (int i = 0; i < n; i++) {
      const double factor = left[i * n + at] / pivot;
      for (int j = 0; j < n && i != at; j++)
        left[i * n + j] -= factor * left[at * n + j];
    }
    left[at * (n + 1)] = -1;
  }
  return 0;
}

/* Relative to the largest response. */
static const double SOFTNESS = 1.0 / (1 << 14);

/*
** Forces stay to STAYS; or where they come no nearer, to ROUNDING, which softness makes of that of
** rates.  (Of 4,000 plates two thirds come as far as STAYS; others end between 1e-13 and 5e-11.)
*/
static const double STAYS = 1e-14, ROUNDING = 1e-9;

/*
** Where a turn leaves more than the part SLOW of a change, there is HARDER times less softness: a
** grain on a heavy plate has a large response, and a plate on a line of feet hardly any to tilts.
*/
static const double SLOW = 0.5, HARDER = 1.0 / 16;

enum { MOST_SOFT = 60 };

/* W with softness s, in rows that respond. */
static void soften(const FrictionProblem *p, const Friction *f, double s) {
  const int rows = 2 * p->n;
  memcpy(f->W, p->W, (size_t)rows * (size_t)rows * sizeof *f->W);
  for (int i = 0; i < rows; i++)
    if (p->W[i * (rows + 1)] > 0) f->W[i * (rows + 1)] += s;
}

/* One turn; what forces change by at most, as a part of the largest, which is kept. */
static LcpStatus turn_soft(const FrictionProblem *p, double s, const FrictionAnswer *answer,
                           Friction *f, double *change) {
  const int rows = 2 * p->n;
  const FrictionProblem *problem = f->problem;
  FrictionProblem soft = *p;
  double size = 0;
  soft.W = f->W;
  soft.b = f->b;
  *change = 0;
  for (int i = 0; i < rows; i++)
    f->b[i] = p->b[i] - (p->W[i * (rows + 1)] > 0 ? s * f->last[i] : 0);
  const LcpStatus status = friction_solve_once(&soft, answer, f);
  f->problem = problem;
  if (status != LCP_SOLVED) return status;
  for (int i = 0; i < rows; i++) {
    *change = fmax(*change, fabs(answer->force[i] - f->last[i]));
    size = fmax(size, fabs(answer->force[i]));
    f->last[i] = answer->force[i];
  }
  if (size > 0) *change /= size;
  return LCP_SOLVED;
}

LcpStatus friction_share(const FrictionProblem *problem, const FrictionAnswer *answer,
                         Friction *f) {
  const int n = problem->n, rows = 2 * n;
  double s = 0, change = (double)INFINITY;
  if (n < 2 || !lcp_is_redundant(problem->W, n, rows, f->M)) return LCP_RAY;
  for (int i = 0; i < n; i++)
    s = fmax(s, SOFTNESS * problem->W[i * (rows + 1)]);
  for (int i = 0; i < rows; i++)
    f->last[i] = i < n ? friction_least(problem, i) : 0;
  soften(problem, f, s);
  for (int turn = 0; turn < MOST_SOFT; turn++) {
    const double before = change;
    const LcpStatus status = turn_soft(problem, s, answer, f, &change);
    if (status != LCP_SOLVED) return status;
    if (change <= STAYS || (change <= ROUNDING && change >= before)) {
      friction_finish(problem, answer);
      return LCP_SOLVED;
    }
    if (change > SLOW * before) soften(problem, f, s *= HARDER);
  }
  return LCP_PIVOTS;
}
