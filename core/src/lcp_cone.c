/*
** Friction in space, by planar problems: in the plane of the normal and a direction d, with the
** direction e across it eliminated.  Coulomb's law is T = -mu N z / |z|, z = a_t - rho T, or
** a_t = 0 where |z| <= rho mu N.  In Newton's method with d = z / |z| it is, to first order,
**
**   T . d: planar friction;   a . e + c T . e = 0,   c = max(0, |z| / (mu N) - rho)
**
** z and c being of the turn before: c = 0 holds what sticks, and without N there is no friction
** across.  So every turn decides anew who is open, sticks and slips, and directions converge
** quadratically.  What moves in a plane is the planar problem, after one turn; nothing of it knows
** the axes that slips are given in (T74).
**
** Where much friction has several answers, turns may go round: then facets decide, and Newton's
** method goes on from there with what they have decided.  Of 120,000 random problems (1 to 8
** contacts, mu 0.05 to 1.95, as in test_lcp_cone.c) 7 have no answer then.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "lcp_cone.h"
#include "lcp_parts.h"

/* Of its own response, what is left of a direction that others hold is rounding below this part. */
static const double DEPENDENT = 1e-10;

/* Rates below this of the terms they are summed from are. */
static const double ROUNDING = 1e-14;

/* Turns are four or five, or do not end. */
enum { MOST_TURNS = 20, LEAST_FACETS = 8 };

typedef struct Cone {
  const FrictionProblem *problem;
  double size;             /* of rates, as roots of energy, that what is given is rounding of */
  double *along;           /* 2n: directions d */
  double *across;          /* n: c, or INFINITY where nothing acts across */
  double *rho;             /* n */
  double *W, *b;           /* 3n: of normals, of directions along and across; what is left of it */
  double *pivot;           /* n: of those eliminated */
  int *order, eliminated;  /* which these are */
  double *plane, *none;    /* the planar problem; no friction */
  FrictionAnswer answer;   /* 2n, and 3n with what is across */
  double *first;           /* directions of slip without friction */
  double *soft_W, *soft_b; /* as the problem, with soft contacts */
  void *work, *facets, *newton;
} Cone;

static Cone take(Block *block, const FrictionProblem *problem, int n) {
  Cone c = {.problem = problem};
  BLOCK_TAKE(block, c.along, 2 * n);
  BLOCK_TAKE(block, c.across, n);
  BLOCK_TAKE(block, c.rho, n);
  BLOCK_TAKE(block, c.W, (ptrdiff_t)9 * n * n);
  BLOCK_TAKE(block, c.b, 3 * n);
  BLOCK_TAKE(block, c.pivot, n);
  BLOCK_TAKE(block, c.order, n);
  BLOCK_TAKE(block, c.plane, (ptrdiff_t)4 * n * n);
  BLOCK_TAKE(block, c.none, n);
  BLOCK_TAKE(block, c.answer.force, 3 * n);
  BLOCK_TAKE(block, c.answer.rate, 3 * n);
  BLOCK_TAKE(block, c.answer.mode, n);
  BLOCK_TAKE(block, c.answer.tie, n);
  BLOCK_TAKE(block, c.first, 2 * n);
  BLOCK_TAKE(block, c.soft_W, (ptrdiff_t)9 * n * n);
  BLOCK_TAKE(block, c.soft_b, 3 * n);
  c.work = block_take(block, 1, friction_work_size(n));
  c.facets = block_take(block, 1, facets_work_size(n));
  c.newton = block_take(block, 1, newton_work_size(n));
  return c;
}

size_t cone_work_size(int n) {
  Block measure = {NULL, 0};
  take(&measure, NULL, n);
  return measure.used;
}

/* Components along and across d. */
static void turn_pair(double *one, double *two, const double *d) {
  const double x = *one, y = *two;
  *one = d[0] * x + d[1] * y;
  *two = d[0] * y - d[1] * x;
}

/* W and b along and across. */
static void turn_axes(const Cone *c) {
  const int n = c->problem->n, rows = 3 * n;
  memcpy(c->W, c->problem->W, (size_t)rows * (size_t)rows * sizeof *c->W);
  memcpy(c->b, c->problem->b, (size_t)rows * sizeof *c->b);
  for (int k = 0; k < n; k++) {
    const int one = n + k, two = 2 * n + k;
    const double *d = &c->along[2 * k];
    for (int i = 0; i < rows; i++)
      turn_pair(&c->W[i * rows + one], &c->W[i * rows + two], d);
    for (int i = 0; i < rows; i++)
      turn_pair(&c->W[one * rows + i], &c->W[two * rows + i], d);
    turn_pair(&c->b[one], &c->b[two], d);
  }
}

static int is_eliminated(const Cone *c, int k) {
  for (int i = 0; i < c->eliminated; i++)
    if (c->order[i] == k) return 1;
  return 0;
}

/* The contact of which most is left across, by its own response; or -1. */
static int next_across(const Cone *c) {
  const int n = c->problem->n, rows = 3 * n;
  double most = DEPENDENT;
  int best = -1;
  for (int k = 0; k < n; k++) {
    const int row = 2 * n + k;
    if (!(c->across[k] < (double)INFINITY) || is_eliminated(c, k)) continue;
    const double left = (c->W[row * rows + row] + c->across[k]) / c->rho[k];
    if (left > most) most = left, best = k;
  }
  return best;
}

/* W and b without what acts across. */
static void eliminate(Cone *c) {
  const int n = c->problem->n, rows = 3 * n;
  c->eliminated = 0;
  for (int k = next_across(c); k >= 0; k = next_across(c)) {
    const int p = 2 * n + k;
    const double *of = c->W + (ptrdiff_t)p * rows;
    c->pivot[k] = of[p] + c->across[k];
    c->order[c->eliminated++] = k;
    for (int i = 0; i < rows; i++) {
      double *row = c->W + (ptrdiff_t)i * rows;
      const double factor = row[p] / c->pivot[k];
      if (factor == 0 || i == p || (i >= 2 * n && is_eliminated(c, i - 2 * n))) continue;
      for (int j = 0; j < rows; j++)
        row[j] -= factor * of[j];
      row[p] = 0;
      c->b[i] -= factor * c->b[p];
    }
  }
}

/* Row i of what is left, times forces: what was eliminated before it has 0 there. */
static double left_of(const Cone *c, int i) {
  const int rows = 3 * c->problem->n;
  double size;
  return lcp_dot(c->b[i], c->W + (ptrdiff_t)i * rows, c->answer.force, rows, &size);
}

/* Forces across, of those eliminated last first. */
static void find_across(const Cone *c) {
  const int n = c->problem->n;
  double *force = c->answer.force + 2 * n;
  memset(force, 0, (size_t)n * sizeof *force);
  for (int i = c->eliminated - 1; i >= 0; i--) {
    const int k = c->order[i];
    force[k] = -left_of(c, 2 * n + k) / c->pivot[k];
  }
}

/* Back to the axes that are given. */
static void turn_back(const Cone *c) {
  const int n = c->problem->n;
  for (int k = 0; k < n; k++) {
    const double back[2] = {c->along[2 * k], -c->along[2 * k + 1]};
    turn_pair(&c->answer.force[n + k], &c->answer.force[2 * n + k], back);
  }
}

/* W and forces as they are tell whether it is so: not what was taken for 0. */
void cone_find_rates(const FrictionProblem *p, const FrictionAnswer *answer) {
  const int rows = 3 * p->n;
  for (int i = 0; i < rows; i++) {
    double size, *a = &answer->rate[i];
    *a = lcp_dot(p->b[i], p->W + (ptrdiff_t)i * rows, answer->force, rows, &size);
    if (fabs(*a) <= ROUNDING * size) *a = 0;
  }
}

/* The planar problem of normals and directions along, as it is left; with no friction at first. */
static LcpStatus solve_planar(const Cone *c, const double *mu) {
  const int n = c->problem->n;
  const FrictionProblem planar = {
      .n = n, .W = c->plane, .b = c->b, .mu = mu, .least = c->problem->least};
  for (int i = 0; i < 2 * n; i++)
    memcpy(c->plane + (ptrdiff_t)i * 2 * n, c->W + (ptrdiff_t)i * 3 * n,
           2 * (size_t)n * sizeof *c->plane);
  const LcpStatus status = friction_solve(&planar, &c->answer, c->work);
  if (status != LCP_SOLVED) return status;
  find_across(c);
  turn_back(c);
  cone_find_rates(c->problem, &c->answer);
  return LCP_SOLVED;
}

/* What friction does where there is none yet: the motion without it. */
static LcpStatus begin(Cone *c) {
  const int n = c->problem->n, rows = 3 * n;
  const double *W = c->problem->W;
  c->eliminated = 0;
  for (int k = 0; k < n; k++) {
    const ptrdiff_t one = (ptrdiff_t)(n + k) * (rows + 1),
                    two = (ptrdiff_t)(2 * n + k) * (rows + 1);
    c->rho[k] = (W[one] + W[two]) / 2;
    c->across[k] = (double)INFINITY;
    c->along[2 * k] = 1;
    c->along[2 * k + 1] = 0;
    c->none[k] = 0;
  }
  turn_axes(c);
  return solve_planar(c, c->none);
}

/* z of contact k; answers |z|. */
static double aim(const Cone *c, int k, double z[2]) {
  const int n = c->problem->n;
  for (int i = 0; i < 2; i++)
    z[i] = c->answer.rate[(1 + i) * n + k] - c->rho[k] * c->answer.force[(1 + i) * n + k];
  return hypot(z[0], z[1]);
}

/* Directions, and what holds across them. */
static void turn_directions(Cone *c) {
  for (int k = 0; k < c->problem->n; k++) {
    const double bound = c->problem->mu[k] * c->answer.force[k];
    double z[2];
    const double size = aim(c, k, z);
    c->across[k] = (double)INFINITY;
    if (!(c->rho[k] > 0) || size == 0) continue;
    c->along[2 * k] = z[0] / size;
    c->along[2 * k + 1] = z[1] / size;
    if (bound > 0) c->across[k] = fmax(0, size / bound - c->rho[k]);
  }
}

/*
** How far the law is from being met, min(N - least, a_n / W_nn) and
** T + min(mu N, |z| / rho) z / |z|, as a part of the largest normal force or rate, all as roots of
** energy.
*/
static double how_far(const void *of) {
  const Cone *c = of;
  const FrictionProblem *p = c->problem;
  const int n = p->n;
  double most = 0, size = c->size;
  for (int k = 0; k < n; k++) {
    const double N = c->answer.force[k], own = p->W[(ptrdiff_t)k * (3 * n + 1)];
    const double more = N - (p->least == NULL ? 0 : p->least[k]);
    double z[2];
    size = fmax(size, N * sqrt(own));
    if (own > 0) {
      size = fmax(size, fabs(p->b[k]) / sqrt(own));
      most = fmax(most, fabs(fmin(more, c->answer.rate[k] / own)) * sqrt(own));
    }
    if (!(c->rho[k] > 0)) continue;
    size = fmax(size, hypot(p->b[n + k], p->b[2 * n + k]) / sqrt(c->rho[k]));
    const double length = aim(c, k, z), rho = c->rho[k];
    const double factor = length > rho * p->mu[k] * N ? p->mu[k] * N / length : 1 / rho;
    const double off =
        hypot(c->answer.force[n + k] + factor * z[0], c->answer.force[2 * n + k] + factor * z[1]);
    most = fmax(most, off * sqrt(c->rho[k]));
    if (!isfinite(off)) return (double)INFINITY;
  }
  return size > 0 ? most / size : most;
}

/* Friction is what the law says of the motion, to the last digit. */
static void clip(const Cone *c) {
  const int n = c->problem->n;
  for (int k = 0; k < n; k++) {
    double *one = &c->answer.force[n + k], *two = one + n;
    const double bound = c->problem->mu[k] * c->answer.force[k], size = hypot(*one, *two);
    if (size <= bound) continue;
    *one *= bound / size;
    *two *= bound / size;
  }
}

static void give(const Cone *c, const FrictionAnswer *answer) {
  const size_t bytes = 3 * (size_t)c->problem->n * sizeof(double);
  clip(c);
  memcpy(answer->force, c->answer.force, bytes);
  memcpy(answer->rate, c->answer.rate, bytes);
}

/* Turns from forces and rates as they are. */
static LcpStatus turn_until_met(Cone *c) {
  double last = (double)INFINITY;
  for (int turn = 0; turn < MOST_TURNS; turn++) {
    turn_directions(c);
    turn_axes(c);
    eliminate(c);
    const LcpStatus status = solve_planar(c, c->problem->mu);
    if (status != LCP_SOLVED) return status;
    const double far = how_far(c);
    if (far <= CONE_ENOUGH || (far <= CONE_ROUNDING && far >= last)) return LCP_SOLVED;
    last = far;
  }
  return LCP_PIVOTS;
}

/* Solved, or not for a reason that facets have nothing to do with. */
static int ends(LcpStatus status) { return status == LCP_SOLVED || status == LCP_NOT_FINITE; }

static LcpStatus solve_once(Cone *c) {
  const FrictionProblem *problem = c->problem;
  LcpStatus status = begin(c);
  if (status != LCP_SOLVED) return status;
  turn_directions(c);
  memcpy(c->first, c->along, 2 * (size_t)problem->n * sizeof *c->first);
  status = turn_until_met(c);
  for (int count = LEAST_FACETS; count <= MOST_FACETS && !ends(status); count *= 2) {
    status = facets_solve(problem, count, c->first, &c->answer, c->facets);
    if (status == LCP_SOLVED) status = newton_solve(problem, how_far, c, &c->answer, c->newton);
  }
  return status;
}

/*
** Four corners that slip: their normal forces are not determined, and friction does more or less by
** how they share the load.  Rounding, or the axes, must not tell.  So contacts are SOFT, by this
** part of their own responses, which shares it in one way, and then the same once more about the
** forces found, until nothing is soft any more: forces end where a is met exactly, as near to equal
** ones as that allows.
*/
enum { MOST_SHARINGS = 40 };
static const double SOFT = 1e-4;

static LcpStatus solve_shared(Cone *c) {
  const FrictionProblem *exact = c->problem;
  const int n = exact->n, rows = 3 * n;
  FrictionProblem soft = *exact;
  double last = (double)INFINITY;
  soft.W = c->soft_W;
  soft.b = c->soft_b;
  memcpy(c->soft_W, exact->W, (size_t)rows * (size_t)rows * sizeof *c->soft_W);
  memcpy(c->soft_b, exact->b, (size_t)rows * sizeof *c->soft_b);
  for (int k = 0; k < n; k++)
    c->soft_W[(ptrdiff_t)k * (rows + 1)] *= 1 + SOFT;
  for (int turn = 0; turn < MOST_SHARINGS; turn++) {
    c->problem = &soft;
    const LcpStatus status = solve_once(c);
    c->problem = exact;
    if (status != LCP_SOLVED) return status;
    cone_find_rates(exact, &c->answer);
    const double far = how_far(c);
    if (far <= CONE_ENOUGH || (far <= CONE_ROUNDING && far >= last)) return LCP_SOLVED;
    last = far;
    for (int k = 0; k < n; k++)
      c->soft_b[k] = exact->b[k] - SOFT * exact->W[(ptrdiff_t)k * (rows + 1)] * c->answer.force[k];
  }
  return LCP_PIVOTS;
}

LcpStatus cone_solve(const FrictionProblem *problem, double size, const FrictionAnswer *answer,
                     void *work) {
  Cone c = take(&(Block){work, 0}, problem, problem->n);
  c.size = size;
  const int open = lcp_is_redundant(problem->W, problem->n, 3 * problem->n, c.plane);
  LcpStatus status = open ? solve_shared(&c) : LCP_PIVOTS;
  if (!ends(status)) status = solve_once(&c);
  if (status == LCP_SOLVED) give(&c, answer);
  return status;
}
