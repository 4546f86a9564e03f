/* Planar friction by trying all modes: whether there is any solution, and whether several. */
#include <math.h>
#include <string.h>

#include "lcp_friction.h"

/*
** Of unknowns scaled so that their diagonal is about 1: pivots below DEPENDENT are rounding.  What
** is violated by less than VIOLATED of its terms holds; rates that differ by more than DIFFERENT of
** their terms are two solutions.
*/
static const double DEPENDENT = 1e-11, VIOLATED = 1e-10, DIFFERENT = 1e-8;

/* The unknowns of a combination of modes: rows of W, N of closed contacts, T of sticking ones. */
typedef struct Unknowns {
  int count;
  int row[2 * FRICTION_SMALL];
  double scale[2 * FRICTION_SMALL];
  double A[2 * FRICTION_SMALL][2 * FRICTION_SMALL + 1]; /* with the right-hand side */
} Unknowns;

static int slips(FrictionMode mode) {
  return (mode == FRICTION_SLIP_PLUS) - (mode == FRICTION_SLIP_MINUS);
}

/* The rate of `row` per unit of the unknown that is row `unknown` of W. */
static double effect(const Friction *f, int row, int unknown) {
  const FrictionProblem *p = f->problem;
  const int n = p->n;
  const double *W = p->W + (ptrdiff_t)row * 2 * n;
  if (unknown >= n) return W[unknown];
  return W[unknown] - slips(f->modes[unknown]) * p->mu[unknown] * W[n + unknown];
}

static void set_up(const Friction *f, Unknowns *u) {
  const FrictionProblem *p = f->problem;
  const int n = p->n;
  u->count = 0;
  for (int i = 0; i < n; i++)
    if (f->modes[i] != FRICTION_OPEN && friction_least(p, i) == 0) u->row[u->count++] = i;
  for (int i = 0; i < n; i++)
    if (f->modes[i] == FRICTION_STICK) u->row[u->count++] = n + i;
  for (int r = 0; r < u->count; r++) {
    const double own = p->W[(ptrdiff_t)u->row[r] * (2 * n + 1)];
    u->scale[r] = own > 0 ? 1 / sqrt(own) : 1;
  }
  for (int r = 0; r < u->count; r++) {
    for (int c = 0; c < u->count; c++)
      u->A[r][c] = u->scale[r] * effect(f, u->row[r], u->row[c]) * u->scale[c];
    double known = p->b[u->row[r]];
    for (int i = 0; i < n; i++)
      known += effect(f, u->row[r], i) * friction_least(p, i);
    u->A[r][u->count] = -u->scale[r] * known;
  }
}

/* The largest element right of and below the first `done` pivots. */
static double find_pivot(const Unknowns *u, const int *column, int done, int *r, int *c) {
  double largest = 0;
  for (int i = done; i < u->count; i++)
    for (int j = done; j < u->count; j++)
      if (fabs(u->A[i][column[j]]) > largest) {
        largest = fabs(u->A[i][column[j]]);
        *r = i;
        *c = j;
      }
  return largest;
}

static void exchange_rows(Unknowns *u, int i, int k) {
  double keep[2 * FRICTION_SMALL + 1];
  memcpy(keep, u->A[i], sizeof keep);
  memcpy(u->A[i], u->A[k], sizeof keep);
  memcpy(u->A[k], keep, sizeof keep);
}

/* Gauss and Jordan with complete pivoting; unknowns that depend on others are 0. */
static void eliminate(Unknowns *u, double *x) {
  int column[2 * FRICTION_SMALL], rank = 0, r = 0, c = 0;
  for (int j = 0; j < u->count; j++) {
    column[j] = j;
    x[j] = 0;
  }
  for (; find_pivot(u, column, rank, &r, &c) > DEPENDENT; rank++) {
    const int swap = column[rank];
    column[rank] = column[c];
    column[c] = swap;
    exchange_rows(u, rank, r);
    for (int i = 0; i < u->count; i++) {
      const double factor = u->A[i][column[rank]] / u->A[rank][column[rank]];
      for (int j = 0; i != rank && j <= u->count; j++)
        u->A[i][j] -= factor * u->A[rank][j];
    }
  }
  for (int k = 0; k < rank; k++)
    x[column[k]] = u->scale[column[k]] * u->A[k][u->count] / u->A[k][column[k]];
}

static void forces_of(const Friction *f, double *force) {
  const FrictionProblem *p = f->problem;
  const int n = p->n;
  Unknowns u;
  double x[2 * FRICTION_SMALL];
  set_up(f, &u);
  eliminate(&u, x);
  memset(force, 0, 2 * (size_t)n * sizeof *force);
  for (int k = 0; k < u.count; k++)
    force[u.row[k]] = x[k];
  for (int i = 0; i < n; i++)
    if (friction_least(p, i) > 0) force[i] = friction_least(p, i);
  for (int i = 0; i < n; i++)
    if (slips(f->modes[i]) != 0) force[n + i] = -slips(f->modes[i]) * p->mu[i] * force[i];
}

/* Inequalities and equations of contact i; rounding: of the rates of its rows. */
static int holds(const Friction *f, int i, const double *force, const double *rate,
                 const double *rounding) {
  const FrictionProblem *p = f->problem;
  const int n = p->n, t = n + i, slip = slips(f->modes[i]);
  const double W_n = p->W[(ptrdiff_t)i * (2 * n + 1)], W_t = p->W[(ptrdiff_t)t * (2 * n + 1)];
  if (f->modes[i] == FRICTION_OPEN) return rate[i] >= -rounding[i];
  if (friction_least(p, i) == 0 && (fabs(rate[i]) > rounding[i] || force[i] * W_n < -rounding[i]))
    return 0;
  if (f->modes[i] == FRICTION_STICK)
    return fabs(rate[t]) <= rounding[t] &&
           (fabs(force[t]) - p->mu[i] * force[i]) * W_t <= rounding[t];
  return p->mu[i] == 0 || friction_slip(p, i) != 0 || slip * rate[t] >= -rounding[t];
}

/* The present modes: 1 if they are a solution, whose rates differ from the first one's. */
static int is_new(Friction *f, const FrictionAnswer *answer, int count) {
  const FrictionProblem *p = f->problem;
  const int n = p->n;
  double force[2 * FRICTION_SMALL], rate[2 * FRICTION_SMALL], rounding[2 * FRICTION_SMALL];
  int differs = count == 0;
  forces_of(f, force);
  for (int k = 0; k < 2 * n; k++) {
    double size;
    rate[k] = lcp_dot(p->b[k], p->W + (ptrdiff_t)k * 2 * n, force, 2 * n, &size);
    rounding[k] = VIOLATED * size;
    if (count > 0 && fabs(rate[k] - f->first[k]) > DIFFERENT * size) differs = 1;
  }
  for (int i = 0; i < n; i++)
    if (!holds(f, i, force, rate, rounding)) return 0;
  if (count > 0) return differs;
  memcpy(f->first, rate, 2 * (size_t)n * sizeof *rate);
  for (int i = 0; i < n; i++) {
    const double bound = p->mu[i] * fmax(0, force[i]);
    answer->mode[i] = f->modes[i];
    answer->force[i] = fmax(0, force[i]);
    answer->force[n + i] = fmax(-bound, fmin(force[n + i], bound));
  }
  friction_finish(p, answer);
  return 1;
}

/* Contact i can have this mode at all. */
static int may_be(const FrictionProblem *p, int i, FrictionMode mode) {
  const int slip = friction_slip(p, i);
  if (mode == FRICTION_OPEN) return friction_least(p, i) == 0;
  if (p->mu[i] == 0) return mode == FRICTION_SLIP_PLUS;
  return slip == 0 || slip == slips(mode);
}

int friction_count(Friction *f, const FrictionAnswer *answer, int enough) {
  const FrictionProblem *p = f->problem;
  int count = 0;
  for (unsigned code = 0; code < 1u << 2 * p->n && count < enough; code++) {
    int possible = 1;
    for (int i = 0; i < p->n; i++) {
      f->modes[i] = (FrictionMode)(code >> 2 * i & 3);
      possible = possible && may_be(p, i, f->modes[i]);
    }
    if (possible) count += is_new(f, answer, count);
  }
  return count;
}

int friction_enumerate(const FrictionProblem *problem, const FrictionAnswer *answer, void *work) {
  Friction f = friction_take(&(Block){work, 0}, problem, problem->n);
  return friction_count(&f, answer, 2);
}
