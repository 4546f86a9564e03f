/*
** Hand-written equations for integrators that know nothing of mechanics: accelerations from M a +
** G^T lambda = f, G a = -g_qq(v, v), solved by the Schur complement G M^-1 G^T, and the projection
** of positions and velocities onto g = 0, G v = 0 in the norm of the mass.  Each is specialised to
** its structure.
*/
#ifndef EQUATIONS_H
#define EQUATIONS_H

#include <math.h>
#include <stdlib.h>

#include "rows.h"

enum { MOST_Q = 7, MOST_G = 6 };

/*
** What a system evaluates at (q, v); mass matrices are 2 x 2 and 1 x 1 blocks along the diagonal.
*/
typedef struct Terms {
  double mass[MOST_Q], coupling[MOST_Q]; /* coupling[i]: between i and i + 1 */
  double force[MOST_Q], G[MOST_G][MOST_Q], g[MOST_G], curvature[MOST_G];
} Terms;

typedef struct Mechanism {
  const char *name;
  double t;
  const double *q, *v, *end;
} Mechanism;

#define KEEP static inline __attribute__((always_inline))

/* --- Andrews' squeezer ------------------------------------------------------------------------ */

static const double squeezer_q[7] = {-0.0617138900142764496, 0,
                                     0.455279819163070380,   0.222668390165885885,
                                     0.487364979543842550,   -0.222668390165885885,
                                     1.23054744454982119};
static const double squeezer_v[7] = {0};
static const double squeezer_end[7] = {15.810771195153707097,   -15.756371058411839470,
                                       0.040822240119645804858, -0.53473011634207959377,
                                       0.52440996587995406937,  0.53473011634207959377,
                                       1.0480807410419378731};
static const Mechanism squeezer = {"squeezer", 0.03, squeezer_q, squeezer_v, squeezer_end};

KEEP void squeezer_terms(const double *q, const double *v, Terms *s) {
  const double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706,
               m7 = .05498;
  const double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5,
               I6 = 5.667e-7, I7 = 1.912e-5;
  const double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072;
  const double c0 = 4530, l0 = .07785, mom = .033, d = .028, da = .0115, e = .02, ea = .01421;
  const double rr = .007, ra = .00092, ss = .035, sa = .01874, sb = .01043, sc = .018, sd = .02;
  const double ta = .02308, tb = .00916, u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04,
               fa = .01421, w = e - ea, z = zf - fa;
  double S[7], C[7];
  for (int i = 0; i < 7; i++)
    sincos(q[i], &S[i], &C[i]);
  const double sbt = S[0] * C[1] + C[0] * S[1], cbt = C[0] * C[1] - S[0] * S[1];
  const double spd = S[3] * C[4] + C[3] * S[4], cpd = C[3] * C[4] - S[3] * S[4];
  const double soe = S[5] * C[6] + C[5] * S[6], coe = C[5] * C[6] - S[5] * S[6];

  s->mass[0] = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * C[1] + da * da) + I1 + I2;
  s->coupling[0] = m2 * (da * da - da * rr * C[1]) + I2;
  s->mass[1] = m2 * da * da + I2;
  s->mass[2] = m3 * (sa * sa + sb * sb) + I3;
  s->mass[3] = m4 * w * w + I4;
  s->coupling[3] = m4 * (w * w + zt * w * S[3]) + I4;
  s->mass[4] = m4 * (zt * zt + 2 * zt * w * S[3] + w * w) + m5 * (ta * ta + tb * tb) + I4 + I5;
  s->mass[5] = m6 * z * z + I6;
  s->coupling[5] = m6 * (z * z - u * z * S[5]) + I6;
  s->mass[6] = m6 * (z * z - 2 * u * z * S[5] + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;

  const double dx = sd * C[2] + sc * S[2] + xb - xc, dy = sd * S[2] - sc * C[2] + yb - yc;
  const double length = sqrt(dx * dx + dy * dy), pull = -c0 * (length - l0) / length;
  s->force[0] = mom - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * S[1];
  s->force[1] = m2 * da * rr * v[0] * v[0] * S[1];
  s->force[2] = pull * (dx * (sc * C[2] - sd * S[2]) + dy * (sd * C[2] + sc * S[2]));
  s->force[3] = m4 * zt * w * v[4] * v[4] * C[3];
  s->force[4] = -m4 * zt * w * v[3] * (v[3] + 2 * v[4]) * C[3];
  s->force[5] = -m6 * u * z * v[6] * v[6] * C[5];
  s->force[6] = m6 * u * z * v[5] * (v[5] + 2 * v[6]) * C[5];

  const double x = rr * C[0] - d * cbt, y = rr * S[0] - d * sbt;
  const double g[6] = {x - ss * S[2] - xb,           y + ss * C[2] - yb,
                       x - e * spd - zt * C[4] - xa, y + e * cpd - zt * S[4] - ya,
                       x - zf * coe - u * S[6] - xa, y - zf * soe + u * C[6] - ya};
  for (int i = 0; i < 6; i++) {
    s->g[i] = g[i];
    for (int j = 2; j < 7; j++)
      s->G[i][j] = 0;
    s->G[i][0] = i % 2 ? rr * C[0] - d * cbt : -rr * S[0] + d * sbt;
    s->G[i][1] = i % 2 ? -d * cbt : d * sbt;
  }
  s->G[0][2] = -ss * C[2], s->G[1][2] = -ss * S[2];
  s->G[2][3] = -e * cpd, s->G[2][4] = -e * cpd + zt * S[4];
  s->G[3][3] = -e * spd, s->G[3][4] = -e * spd - zt * C[4];
  s->G[4][5] = zf * soe, s->G[4][6] = zf * soe - u * C[6];
  s->G[5][5] = -zf * coe, s->G[5][6] = -zf * coe - u * S[6];

  const double b = v[0] * v[0], bt = (v[0] + v[1]) * (v[0] + v[1]);
  const double pd = (v[3] + v[4]) * (v[3] + v[4]), oe = (v[5] + v[6]) * (v[5] + v[6]);
  const double gx = -rr * C[0] * b + d * cbt * bt, gy = -rr * S[0] * b + d * sbt * bt;
  s->curvature[0] = gx + ss * S[2] * v[2] * v[2];
  s->curvature[1] = gy - ss * C[2] * v[2] * v[2];
  s->curvature[2] = gx + e * spd * pd + zt * C[4] * v[4] * v[4];
  s->curvature[3] = gy - e * cpd * pd + zt * S[4] * v[4] * v[4];
  s->curvature[4] = gx + zf * coe * oe + u * S[6] * v[6] * v[6];
  s->curvature[5] = gy + zf * soe * oe - u * C[6] * v[6] * v[6];
}

/* y = M^-1 x */
KEEP void squeezer_divide(const Terms *s, const double *x, double *y) {
  static const int pair[3] = {0, 3, 5};
  for (int p = 0; p < 3; p++) {
    const int i = pair[p];
    const double c = s->coupling[i], r = 1 / (s->mass[i] * s->mass[i + 1] - c * c);
    const double first = x[i], second = x[i + 1];
    y[i] = (s->mass[i + 1] * first - c * second) * r;
    y[i + 1] = (s->mass[i] * second - c * first) * r;
  }
  y[2] = x[2] / s->mass[2];
}

/* --- the two-link robot: 3 x 3, also as 2 + 1 ------------------------------------------------- */

static const double robot_q[2] = {0, 0}, robot_v[2] = {1, -2};
static const double robot_end[2] = {-0.54402111088936981340, 1.0880422217787396268};
static const Mechanism robot = {"robot", 10, robot_q, robot_v, robot_end};

KEEP void robot_terms(const double *q, const double *v, Terms *s) {
  double s1, c1, s2, c2;
  sincos(q[0], &s1, &c1), sincos(q[1], &s2, &c2);
  const double s12 = s1 * c2 + c1 * s2, c12 = c1 * c2 - s1 * s2, sum = v[0] + v[1];
  s->mass[0] = 5 + 3 * c2, s->coupling[0] = 1 + 1.5 * c2, s->mass[1] = 1;
  s->force[0] = (c1 + c12) * v[0] - 3 * q[0];
  s->force[1] = c12 * v[0] + (1 - 1.5 * c2) * q[0];
  s->g[0] = s1 + s12, s->G[0][0] = c1 + c12, s->G[0][1] = c12;
  s->curvature[0] = -s1 * v[0] * v[0] - s12 * sum * sum;
}

KEEP void robot_divide(const Terms *s, const double *x, double *y) {
  const double c = s->coupling[0], r = 1 / (s->mass[0] * s->mass[1] - c * c);
  const double first = x[0], second = x[1];
  y[0] = (s->mass[1] * first - c * second) * r;
  y[1] = (s->mass[0] * second - c * first) * r;
}

/*
** --- accelerations and projections of both ------------------------------------------------------
*/

/*
** L D L^T of a positive definite matrix, of which the lower half is given, and x = its inverse
** times x.
*/
KEEP void factor(double S[MOST_G][MOST_G], int m) {
  for (int j = 0; j < m; j++) {
    double t[MOST_G], pivot = S[j][j];
    for (int k = 0; k < j; k++)
      t[k] = S[j][k] * S[k][k], pivot -= S[j][k] * t[k];
    S[j][j] = pivot;
    for (int i = j + 1; i < m; i++) {
      double x = S[i][j];
      for (int k = 0; k < j; k++)
        x -= S[i][k] * t[k];
      S[i][j] = x / pivot;
    }
  }
}

KEEP void substitute(double S[MOST_G][MOST_G], double *x, int m) {
  for (int i = 0; i < m; i++)
    for (int k = 0; k < i; k++)
      x[i] -= S[i][k] * x[k];
  for (int i = 0; i < m; i++)
    x[i] /= S[i][i];
  for (int i = m - 1; i >= 0; i--)
    for (int k = i + 1; k < m; k++)
      x[i] -= S[k][i] * x[k];
}

#define DEFINE_MECHANISM(NAME, N, M)                                                 \
  enum { NAME##_n = N, NAME##_m = M };                                               \
  /* W = G M^-1 row by row, S = W G^T */                                             \
  KEEP void NAME##_schur(const Terms *s, double W[M][N], double S[MOST_G][MOST_G]) { \
    for (int i = 0; i < M; i++)                                                      \
      NAME##_divide(s, s->G[i], W[i]);                                               \
    for (int i = 0; i < M; i++)                                                      \
      for (int j = 0; j <= i; j++) {                                                 \
        double x = 0;                                                                \
        for (int k = 0; k < N; k++)                                                  \
          x += s->G[i][k] * W[j][k];                                                 \
        S[i][j] = x;                                                                 \
      }                                                                              \
    factor(S, M);                                                                    \
  }                                                                                  \
  /* y = (q, v), dy = (v, a) */                                                      \
  static inline void NAME##_rate(const double *y, double *dy) {                      \
    Terms s;                                                                         \
    double W[M][N], S[MOST_G][MOST_G], lambda[M];                                    \
    NAME##_terms(y, y + N, &s);                                                      \
    NAME##_schur(&s, W, S);                                                          \
    NAME##_divide(&s, s.force, dy + N);                                              \
    for (int i = 0; i < M; i++) {                                                    \
      lambda[i] = s.curvature[i];                                                    \
      for (int k = 0; k < N; k++)                                                    \
        lambda[i] += s.G[i][k] * dy[N + k];                                          \
    }                                                                                \
    substitute(S, lambda, M);                                                        \
    for (int k = 0; k < N; k++) {                                                    \
      dy[k] = y[N + k];                                                              \
      for (int i = 0; i < M; i++)                                                    \
        dy[N + k] -= W[i][k] * lambda[i];                                            \
    }                                                                                \
  }                                                                                  \
  /* One Newton step for the positions, then the velocities, with one matrix. */     \
  static inline void NAME##_project(double *y) {                                     \
    Terms s;                                                                         \
    double W[M][N], S[MOST_G][MOST_G], x[M];                                         \
    NAME##_terms(y, y + N, &s);                                                      \
    NAME##_schur(&s, W, S);                                                          \
    for (int i = 0; i < M; i++)                                                      \
      x[i] = s.g[i];                                                                 \
    substitute(S, x, M);                                                             \
    for (int i = 0; i < M; i++)                                                      \
      for (int k = 0; k < N; k++)                                                    \
        y[k] -= W[i][k] * x[i];                                                      \
    for (int i = 0; i < M; i++) {                                                    \
      x[i] = 0;                                                                      \
      for (int k = 0; k < N; k++)                                                    \
        x[i] += s.G[i][k] * y[N + k];                                                \
    }                                                                                \
    substitute(S, x, M);                                                             \
    for (int i = 0; i < M; i++)                                                      \
      for (int k = 0; k < N; k++)                                                    \
        y[N + k] -= W[i][k] * x[i];                                                  \
  }

DEFINE_MECHANISM(squeezer, 7, 6)
DEFINE_MECHANISM(robot, 2, 1)

static inline double relative_error(const double *q, const Mechanism *m, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++)
    worst = worse(worst, fabs(q[i] / m->end[i] - 1));
  return worst;
}

/*
** --- a chain of rods in its angles: O(N)
** ----------------------------------------------------------
*/

/*
** Rod i: direction e, normal n = (-s, c), force F_i at its inner end, -F_(i+1) at its outer one;
** mass 1, length 1, inertia 1/12, so angular acceleration -6 n.(F_i + F_(i+1)).  Equal
** accelerations at each joint, with P = n n^T, are a block-tridiagonal system of 2 x 2 blocks for
** the forces:
**   (3 P_(i-1) - 1) F_(i-1) + (2 + 3 P_i + 3 P_(i-1)) F_i + (3 P_i - 1) F_(i+1)
**     = -(w_i^2 e_i + w_(i-1)^2 e_(i-1)) / 2
** and, at the ground, (1 + 3 P_1) F_1 + (3 P_1 - 1) F_2 = (0, 9.81) - w_1^2 e_1 / 2.
*/
typedef struct Rod {
  double s, c, a, b, d; /* sine, cosine, inverse of the reduced diagonal block [a b; b d] */
  double u, o, w, x, y; /* upper block [u o; o w], reduced right-hand side, then the force */
} Rod;

static inline void chain_rate(int rods, Rod *rod, const double *y, double *dy) {
  const double *angle = y, *rate = y + rods;
  double pss = 0, psc = 0, pcc = 0, px = 0, py = 0;
  for (int i = 0; i < rods; i++) {
    Rod *r = &rod[i];
    sincos(angle[i], &r->s, &r->c);
    const double ss = 3 * r->s * r->s, sc = -3 * r->s * r->c, cc = 3 * r->c * r->c;
    const double ex = rate[i] * rate[i] * r->c / 2, ey = rate[i] * rate[i] * r->s / 2;
    double a = 1 + ss, b = sc, d = 1 + cc, x = -ex, z = -ey;
    if (i == 0) {
      z += 9.81;
    } else {
      const Rod *p = &rod[i - 1];
      const double ta = p->u * p->a + p->o * p->b, tb = p->u * p->b + p->o * p->d;
      const double tc = p->o * p->a + p->w * p->b, td = p->o * p->b + p->w * p->d;
      a += 1 + pss - (ta * p->u + tb * p->o), b += psc - (ta * p->o + tb * p->w);
      d += 1 + pcc - (tc * p->o + td * p->w);
      x += -px - (ta * p->x + tb * p->y), z += -py - (tc * p->x + td * p->y);
    }
    const double inverse = 1 / (a * d - b * b);
    r->a = d * inverse, r->b = -b * inverse, r->d = a * inverse;
    r->u = ss - 1, r->o = sc, r->w = cc - 1, r->x = x, r->y = z;
    pss = ss, psc = sc, pcc = cc, px = ex, py = ey;
  }
  double fx = 0, fy = 0;
  for (int i = rods - 1; i >= 0; i--) {
    Rod *r = &rod[i];
    const double x = r->x - (r->u * fx + r->o * fy), z = r->y - (r->o * fx + r->w * fy);
    const double gx = r->a * x + r->b * z, gy = r->b * x + r->d * z;
    dy[i] = rate[i];
    dy[rods + i] = -6 * (r->c * (gy + fy) - r->s * (gx + fx));
    fx = gx, fy = gy;
  }
}

static inline double chain_error(int rods, const double *y, const double *end) {
  double x = 0, z = 0;
  for (int i = 0; i < rods; i++)
    x += cos(y[i]), z += sin(y[i]);
  return worse(fabs(x - end[0]), fabs(z - end[1]));
}

#endif
