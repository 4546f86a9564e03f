/*
** Planar friction at one contact, as most impacts have it, without pivots.
**
** Let T(N) be the friction that a normal force N allows.  Where
**
**   W_nn > mu |W_nt|   and   W_nn W_tt > W_nt W_tn,
**
** T is a function, and a_n = b_n + W_nn N + W_nt T(N) grows with N: there is one solution.  Either
** a_n >= 0 where N is the least, or a_n = 0, and one of stick and slip to either side holds.  What
** is not so by far (Painleve, guided contacts) is left to Lemke's method.
**
** Instructions for a problem of a ball that hangs from two rods and strikes the floor: 1,100; by
** Lemke's method 7,300, which was a seventh of what such a bounce took altogether.
*/
#include <math.h>

#include "lcp_friction.h"

/* What the conditions' differences are at least, as a part of what is subtracted in them. */
static const double FAR_FROM_EQUAL = 1e-6;

/* b + W (N, T) of the normal row (0) or the tangential one (1) */
static double rate_at(const FrictionProblem *p, int row, double N, double T) {
  const double force[2] = {N, T};
  double size;
  return lcp_dot(p->b[row], p->W + 2 * row, force, 2, &size);
}

static int may_stick(const FrictionProblem *p) { return p->mu[0] > 0 && friction_slip(p, 0) == 0; }

static int is_finite(const FrictionProblem *p) {
  const double *W = p->W, *b = p->b;
  return isfinite(W[0] + W[1]) && isfinite(W[2] + W[3]) && isfinite(b[0]) && isfinite(b[1]);
}

static int has_one_solution(const FrictionProblem *p) {
  const double *W = p->W, own = W[0], drag = p->mu[0] * fabs(W[1]);
  const double squares = W[0] * W[3], products = W[1] * W[2];
  const double apart = may_stick(p) ? own - drag : own - friction_slip(p, 0) * p->mu[0] * W[1];
  if (!(own > 0 && apart > FAR_FROM_EQUAL * (own + drag))) return 0;
  return !may_stick(p) || (W[3] > 0 && squares - products > FAR_FROM_EQUAL * squares);
}

/* T(N) */
static double friction_under(const FrictionProblem *p, double N) {
  const double bound = p->mu[0] * N;
  if (!may_stick(p)) return -friction_slip(p, 0) * bound;
  return fmax(-bound, fmin(-rate_at(p, 1, N, 0) / p->W[3], bound));
}

/* Both rates 0, refined once with rates in doubled precision; whether friction holds that. */
static int holds(const FrictionProblem *p, double *N, double *T) {
  const double *W = p->W, determinant = W[0] * W[3] - W[1] * W[2];
  *N = *T = 0;
  for (int pass = 0; pass < 2; pass++) {
    const double a_n = rate_at(p, 0, *N, *T), a_t = rate_at(p, 1, *N, *T);
    *N -= (W[3] * a_n - W[1] * a_t) / determinant;
    *T -= (W[0] * a_t - W[2] * a_n) / determinant;
  }
  return fabs(*T) <= p->mu[0] * *N;
}

/* a_n = 0 with slip in a direction; whether it does slip so. */
static int slides(const FrictionProblem *p, int direction, double *N, double *T) {
  const double factor = direction * p->mu[0];
  *N = *T = 0;
  for (int pass = 0; pass < 2; pass++) {
    *N -= rate_at(p, 0, *N, *T) / (p->W[0] - factor * p->W[1]);
    *T = -factor * *N;
  }
  return !may_stick(p) || direction * rate_at(p, 1, *N, *T) >= 0;
}

static FrictionMode mode_of(const FrictionProblem *p, double N, double T) {
  const int slip = friction_slip(p, 0);
  if (N == 0) return FRICTION_OPEN;
  if (may_stick(p) && fabs(T) < p->mu[0] * N) return FRICTION_STICK;
  return (may_stick(p) ? T > 0 : slip < 0) ? FRICTION_SLIP_MINUS : FRICTION_SLIP_PLUS;
}

LcpStatus friction_solve_single(const FrictionProblem *p, const FrictionAnswer *answer) {
  if (!is_finite(p) || !has_one_solution(p)) return LCP_RAY;
  double N = friction_least(p, 0), T = friction_under(p, N);
  if (rate_at(p, 0, N, T) < 0) {
    const int slip = friction_slip(p, 0);
    const int found = may_stick(p)
                          ? holds(p, &N, &T) || slides(p, 1, &N, &T) || slides(p, -1, &N, &T)
                          : slides(p, slip, &N, &T);
    if (!found || !(N > friction_least(p, 0))) return LCP_RAY;
  }
  answer->mode[0] = mode_of(p, N, T);
  answer->force[0] = N;
  answer->force[1] = T;
  friction_finish(p, answer);
  return LCP_SOLVED;
}
