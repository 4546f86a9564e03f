/*
** Planar friction as a complementarity problem (Stewart, Trinkle).  T = beta+ - beta-, and for
** every contact that may stick, sigma >= |a_t|:
**
**   a_n            = b_n + W_nn N + W_nt (beta+ - beta-)              >= 0   complement N
**   a_t + sigma    = b_t + W_tn N + W_tt (beta+ - beta-) + sigma      >= 0   complement beta+
**   -a_t + sigma   = ...                                              >= 0   complement beta-
**   mu N - beta+ - beta-                                              >= 0   complement sigma
**
** A contact that slides already has T = -s mu N: only its normal row is left, and W_n - s mu W_t
** in its column.  The matrix is copositive where none slides, and Lemke's method ends at a solution
** for impulses always.
**
** us a problem (random rows, three freedoms for each contact, mu = 0.5):
**
**   contacts                       1     2     3     4     8    12
**   Lemke                        1.7   3.8     7    12    40   104
**   all modes                    0.7     4    20   120
**   projected Gauss-Seidel       4.3   4.4     5     6    13    24   to 1e-12
**
** Gauss and Seidel do not end for some (1 of 100 with one contact, 6 of 100 with 8 contacts of two
** bodies, where Lemke takes 45), and give no basis: Lemke decides, all modes confirm a ray.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "lcp_friction.h"

Friction friction_take(Block *block, const FrictionProblem *problem, int n) {
  const int most = 4 * n;
  Friction f = {.problem = problem};
  BLOCK_TAKE(block, f.at, n);
  BLOCK_TAKE(block, f.M, most * most);
  BLOCK_TAKE(block, f.q, most);
  BLOCK_TAKE(block, f.z, most);
  BLOCK_TAKE(block, f.basic, most);
  BLOCK_TAKE(block, f.modes, n);
  BLOCK_TAKE(block, f.first, 2 * n);
  BLOCK_TAKE(block, f.W, 4 * n * n);
  BLOCK_TAKE(block, f.b, 2 * n);
  BLOCK_TAKE(block, f.last, 2 * n);
  f.work = block_take(block, 1, lcp_work_size(most));
  return f;
}

size_t friction_work_size(int n) {
  Block measure = {NULL, 0};
  friction_take(&measure, NULL, n);
  return measure.used;
}

int friction_slip(const FrictionProblem *problem, int i) {
  return problem->slip != NULL && problem->mu[i] > 0 ? problem->slip[i] : 0;
}

double friction_least(const FrictionProblem *problem, int i) {
  return problem->least != NULL ? problem->least[i] : 0;
}

/*
** The problem
*/

/* at[i]: which of the contacts that may stick i is, or -1 */
static void number_sticking(Friction *f) {
  f->sticking = 0;
  for (int i = 0; i < f->problem->n; i++)
    f->at[i] = f->problem->mu[i] > 0 && friction_slip(f->problem, i) == 0 ? f->sticking++ : -1;
  f->size = f->problem->n + 3 * f->sticking;
}

/* Row `to` of the matrix: sign times row `from` of W. */
static void fill_row(Friction *f, int to, int from, double sign) {
  const FrictionProblem *p = f->problem;
  const int n = p->n;
  const double *W = p->W + (ptrdiff_t)from * 2 * n;
  double *row = f->M + (ptrdiff_t)to * f->size;
  double q = p->b[from];
  memset(row, 0, (size_t)f->size * sizeof *row);
  for (int j = 0; j < n; j++) {
    const double column = W[j] - friction_slip(p, j) * p->mu[j] * W[n + j];
    row[j] = sign * column;
    q += column * friction_least(p, j);
    if (f->at[j] < 0) continue;
    row[n + f->at[j]] = sign * W[n + j];
    row[n + f->sticking + f->at[j]] = -sign * W[n + j];
  }
  f->q[to] = sign * q;
}

static void fill(Friction *f) {
  const FrictionProblem *p = f->problem;
  const int n = p->n, m = f->sticking, size = f->size;
  for (int i = 0; i < n; i++) {
    const int plus = n + f->at[i], minus = plus + m, sigma = minus + m;
    fill_row(f, i, i, 1);
    if (f->at[i] < 0) continue;
    fill_row(f, plus, n + i, 1);
    fill_row(f, minus, n + i, -1);
    f->M[plus * size + sigma] = f->M[minus * size + sigma] = 1;
    memset(f->M + (ptrdiff_t)sigma * size, 0, (size_t)size * sizeof *f->M);
    f->M[sigma * size + i] = p->mu[i];
    f->M[sigma * size + plus] = f->M[sigma * size + minus] = -1;
    f->q[sigma] = p->mu[i] * friction_least(p, i);
  }
}

/*
** The answer
*/

static FrictionMode mode_of_sign(double a_t) {
  return a_t < 0 ? FRICTION_SLIP_MINUS : FRICTION_SLIP_PLUS;
}

static FrictionMode mode_of(const Friction *f, int i) {
  const FrictionProblem *p = f->problem;
  const int plus = p->n + f->at[i], minus = plus + f->sticking, sigma = minus + f->sticking;
  if (!f->basic[i] && friction_least(p, i) == 0) return FRICTION_OPEN;
  if (f->at[i] < 0) return mode_of_sign(friction_slip(p, i)); /* without friction: settled later */
  if (!f->basic[sigma] || f->basic[plus] == f->basic[minus]) return FRICTION_STICK;
  return f->basic[plus] ? FRICTION_SLIP_MINUS : FRICTION_SLIP_PLUS;
}

static void read_forces(const Friction *f, const FrictionAnswer *answer) {
  const FrictionProblem *p = f->problem;
  const int n = p->n, m = f->sticking;
  for (int i = 0; i < n; i++) {
    double *N = &answer->force[i], *T = &answer->force[n + i];
    answer->mode[i] = mode_of(f, i);
    *N = f->z[i] + friction_least(p, i);
    const double bound = p->mu[i] * *N;
    if (answer->mode[i] == FRICTION_OPEN)
      *T = 0;
    else if (answer->mode[i] == FRICTION_STICK)
      *T = fmax(-bound, fmin(f->z[n + f->at[i]] - f->z[n + m + f->at[i]], bound));
    else
      *T = answer->mode[i] == FRICTION_SLIP_PLUS ? -bound : bound;
  }
}

/* What is left of sums like these is rounding. */
static double rate_of(const FrictionProblem *p, const double *force, int row, double *size) {
  const double a = lcp_dot(p->b[row], p->W + (ptrdiff_t)row * 2 * p->n, force, 2 * p->n, size);
  return fabs(a) <= FRICTION_ROUNDING * *size ? 0 : a;
}

/* Where N is rounding of what acts on the contact it is 0. */
static void open_grazing(const FrictionProblem *p, const FrictionAnswer *answer) {
  const int n = p->n;
  for (int i = 0; i < n; i++) {
    double size;
    if (answer->mode[i] == FRICTION_OPEN) continue;
    rate_of(p, answer->force, i, &size);
    const double own = fabs(p->W[(ptrdiff_t)i * 2 * n + i]) * answer->force[i];
    if (own > FRICTION_ROUNDING * size) continue;
    answer->mode[i] = FRICTION_OPEN;
    answer->force[i] = answer->force[n + i] = 0;
  }
}

/* What slips does so in its direction; at the bound and without slip it sticks. */
static FrictionMode settle(const FrictionProblem *p, int i, FrictionMode mode, double *a_t) {
  if (p->mu[i] == 0) return mode_of_sign(*a_t);
  if (mode == FRICTION_STICK || friction_slip(p, i) != 0) return mode;
  *a_t = mode == FRICTION_SLIP_PLUS ? fmax(0, *a_t) : fmin(0, *a_t);
  return *a_t == 0 ? FRICTION_STICK : mode;
}

void friction_finish(const FrictionProblem *p, const FrictionAnswer *answer) {
  const int n = p->n;
  open_grazing(p, answer);
  for (int i = 0; i < n; i++) {
    double size;
    double *a_n = &answer->rate[i], *a_t = &answer->rate[n + i];
    FrictionMode *mode = &answer->mode[i];
    const int closed = *mode != FRICTION_OPEN;
    const int unilateral = closed && answer->force[i] > friction_least(p, i);
    *a_n = unilateral ? 0 : fmax(0, rate_of(p, answer->force, i, &size));
    *a_t = *mode == FRICTION_STICK ? 0 : rate_of(p, answer->force, n + i, &size);
    if (closed) *mode = settle(p, i, *mode, a_t);
    const int at_bound = fabs(answer->force[n + i]) >= p->mu[i] * answer->force[i];
    answer->tie[i] = closed ? *mode == FRICTION_STICK && at_bound : *a_n == 0;
  }
}

LcpStatus friction_solve_once(const FrictionProblem *problem, const FrictionAnswer *answer,
                              Friction *f) {
  f->problem = problem;
  number_sticking(f);
  fill(f);
  const LcpStatus status = lcp_solve(f->size, f->M, f->q, f->z, f->basic, f->work);
  if (status != LCP_SOLVED) return status;
  read_forces(f, answer);
  friction_finish(problem, answer);
  return LCP_SOLVED;
}

LcpStatus friction_solve(const FrictionProblem *problem, const FrictionAnswer *answer, void *work) {
  if (problem->n == 1 && friction_solve_single(problem, answer) == LCP_SOLVED) return LCP_SOLVED;
  Friction f = friction_take(&(Block){work, 0}, problem, problem->n);
  if (problem->even && friction_share(problem, answer, &f) == LCP_SOLVED) return LCP_SOLVED;
  const LcpStatus status = friction_solve_once(problem, answer, &f);
  const int can_enumerate = problem->n <= FRICTION_SMALL;
  if (status == LCP_SOLVED || status == LCP_NOT_FINITE || !can_enumerate) return status;
  return friction_count(&f, answer, 1) > 0 ? LCP_SOLVED : status;
}
