/*
** Friction in space by Newton's method on the exact law, from forces that are near it.  With
** y = (N - least) W_nn - a_n and z = a_t - rho T every turn takes the branch that the turn before
** stands on, in the directions d = z / |z| and e across:
**
**   y > 0: a_n = 0;   else N = least
**   |z| <= rho mu N: a_t = 0;   else T_d = -mu N,  a_e + (|z| / (mu N) - rho) T_e = 0
**
** Unlike a complementarity problem it stays at the answer that it is near to, where with much
** friction there are several.
*/
#include <math.h>
#include <string.h>

#include "lcp_cone.h"
#include "lcp_parts.h"

enum { MOST_TURNS = 40 };

/* Of pivots, in units in which responses are 1: less is rounding. */
static const double DEPENDENT = 1e-10;

typedef struct Newton {
  const FrictionProblem *problem;
  int rows;
  double *A, *r, *unit; /* A delta = -r, in units of `unit` */
  int *row, *column;
  const FrictionAnswer *answer;
} Newton;

static Newton take(Block *block, int n) {
  const int rows = 3 * n;
  Newton x = {.rows = rows};
  BLOCK_TAKE(block, x.A, (ptrdiff_t)rows * rows);
  BLOCK_TAKE(block, x.r, rows);
  BLOCK_TAKE(block, x.unit, rows);
  BLOCK_TAKE(block, x.row, rows);
  BLOCK_TAKE(block, x.column, rows);
  return x;
}

size_t newton_work_size(int n) {
  Block measure = {NULL, 0};
  take(&measure, n);
  return measure.used;
}

/* Terms of equation `to`: a rate, a force. */
static void add_rate(const Newton *x, int to, int row, double factor) {
  const double *W = x->problem->W + (ptrdiff_t)row * x->rows;
  double *A = x->A + (ptrdiff_t)to * x->rows;
  for (int j = 0; j < x->rows; j++)
    A[j] += factor * W[j];
  x->r[to] += factor * x->answer->rate[row];
}

static void add_force(const Newton *x, int to, int which, double factor) {
  x->A[(ptrdiff_t)to * x->rows + which] += factor;
  x->r[to] += factor * x->answer->force[which];
}

/* Row `to` in units of rates, or of forces; columns in those of forces. */
static void scale(const Newton *x, int to, int is_rate) {
  double *A = x->A + (ptrdiff_t)to * x->rows;
  const double unit = is_rate ? 1 / x->unit[to] : x->unit[to];
  for (int j = 0; j < x->rows; j++)
    A[j] *= unit / x->unit[j];
  x->r[to] *= unit;
}

static void fill_normal(const Newton *x, int k) {
  const FrictionProblem *p = x->problem;
  const double least = p->least == NULL ? 0 : p->least[k];
  const double own = p->W[(ptrdiff_t)k * (x->rows + 1)];
  const int closed = own * (x->answer->force[k] - least) - x->answer->rate[k] > 0;
  if (closed) {
    add_rate(x, k, k, 1);
  } else {
    add_force(x, k, k, 1);
    x->r[k] -= least;
  }
  scale(x, k, closed);
}

static void fill_slip(const Newton *x, int k) {
  const FrictionProblem *p = x->problem;
  const int n = p->n, one = n + k, two = 2 * n + k;
  const double *T[2] = {&x->answer->force[one], &x->answer->force[two]};
  const double *a[2] = {&x->answer->rate[one], &x->answer->rate[two]};
  const double rho = x->unit[one] * x->unit[one], bound = p->mu[k] * x->answer->force[k];
  const double z[2] = {*a[0] - rho * *T[0], *a[1] - rho * *T[1]}, size = hypot(z[0], z[1]);
  const int none = !(bound > 0) || size == 0, slips = size > rho * bound;
  for (int i = 0; i < 2 && (none || !slips); i++) {
    if (none)
      add_force(x, one + i * n, one + i * n, 1);
    else
      add_rate(x, one + i * n, one + i * n, 1);
    scale(x, one + i * n, !none);
  }
  if (none || !slips) return;
  const double d[2] = {z[0] / size, z[1] / size}, c = size / bound - rho;
  add_force(x, one, one, d[0]);
  add_force(x, one, two, d[1]);
  add_force(x, one, k, p->mu[k]);
  scale(x, one, 0);
  add_rate(x, two, one, -d[1]);
  add_rate(x, two, two, d[0]);
  add_force(x, two, one, -c * d[1]);
  add_force(x, two, two, c * d[0]);
  scale(x, two, 1);
}

static void swap(int *a, int *b) {
  const int keep = *a;
  *a = *b;
  *b = keep;
}

/* A delta = -r with complete pivoting; what is not determined stays.  Forces become f + delta. */
static void step(const Newton *x) {
  const int rows = x->rows;
  int rank = 0;
  for (int i = 0; i < rows; i++)
    x->row[i] = x->column[i] = i;
  for (; rank < rows; rank++) {
    int best_row = rank, best_column = rank;
    double most = DEPENDENT;
    for (int i = rank; i < rows; i++)
      for (int j = rank; j < rows; j++) {
        const double size = fabs(x->A[(ptrdiff_t)x->row[i] * rows + x->column[j]]);
        if (size > most) most = size, best_row = i, best_column = j;
      }
    if (!(most > DEPENDENT)) break;
    swap(&x->row[rank], &x->row[best_row]);
    swap(&x->column[rank], &x->column[best_column]);
    const double *pivot = x->A + (ptrdiff_t)x->row[rank] * rows;
    for (int i = rank + 1; i < rows; i++) {
      double *row = x->A + (ptrdiff_t)x->row[i] * rows;
      const double factor = row[x->column[rank]] / pivot[x->column[rank]];
      for (int j = rank; j < rows && factor != 0; j++)
        row[x->column[j]] -= factor * pivot[x->column[j]];
      x->r[x->row[i]] -= factor * x->r[x->row[rank]];
    }
  }
  for (int i = rank - 1; i >= 0; i--) {
    const double *pivot = x->A + (ptrdiff_t)x->row[i] * rows;
    double *r = &x->r[x->row[i]];
    for (int j = i + 1; j < rank; j++)
      *r -= pivot[x->column[j]] * x->r[x->row[j]];
    *r /= pivot[x->column[i]];
  }
  for (int i = 0; i < rank; i++)
    x->answer->force[x->column[i]] -= x->r[x->row[i]] / x->unit[x->column[i]];
}

/* What is left of normal forces and rates that are 0. */
static void clear(const Newton *x) {
  const FrictionProblem *p = x->problem;
  for (int k = 0; k < p->n; k++) {
    const double least = p->least == NULL ? 0 : p->least[k];
    double *N = &x->answer->force[k], *a = &x->answer->rate[k];
    if (p->W[(ptrdiff_t)k * (x->rows + 1)] * (*N - least) > *a)
      *a = 0;
    else
      *N = least;
  }
}

LcpStatus newton_solve(const FrictionProblem *problem, double (*how_far)(const void *of),
                       const void *of, const FrictionAnswer *answer, void *work) {
  const int n = problem->n;
  double last = (double)INFINITY;
  Newton x = take(&(Block){work, 0}, n);
  x.problem = problem;
  x.answer = answer;
  for (int k = 0; k < n; k++) {
    const double own = problem->W[(ptrdiff_t)k * (x.rows + 1)];
    const double slip = problem->W[(ptrdiff_t)(n + k) * (x.rows + 1)] +
                        problem->W[(ptrdiff_t)(2 * n + k) * (x.rows + 1)];
    x.unit[k] = own > 0 ? sqrt(own) : 1;
    x.unit[n + k] = x.unit[2 * n + k] = slip > 0 ? sqrt(slip / 2) : 1;
  }
  for (int turn = 0; turn < MOST_TURNS; turn++) {
    memset(x.A, 0, (size_t)x.rows * (size_t)x.rows * sizeof *x.A);
    memset(x.r, 0, (size_t)x.rows * sizeof *x.r);
    for (int k = 0; k < n; k++) {
      fill_normal(&x, k);
      fill_slip(&x, k);
    }
    step(&x);
    cone_find_rates(problem, answer);
    const double far = how_far(of);
    if (far <= CONE_ENOUGH || (far <= CONE_ROUNDING && far >= last)) {
      clear(&x);
      return LCP_SOLVED;
    }
    last = far;
  }
  return LCP_PIVOTS;
}
