/*
** Bodies in space, followed in quadruple precision: 30 digits for what `sarrus verify` claims.
** Writes space_reference.lua:
**
**   gcc -O2 space_reference.c -lquadmath -o space && ./space > space_reference.lua
**
** Arms of up to three bodies, each hinged to the one before it at a place p_i about an axis u_i, as
** drawn in world axes.  Torques of hinges that go with accelerations a_i of their angles come from
** Newton and Euler's equations, from the ground out and back; those with a = 0 are b, and those
** with a = e_j, at rest and without gravity, column j of the matrix M of M a = -b - damping.
** And tops: one body on a ball joint, J w' + w x J w = c x R^T m g in body axes at the joint.
*/
#include "quad.h"

enum { BODIES = 3 };

typedef struct Solid {
  real at[3], axis[3], center[3], inertia[3], mass, damping; /* inertia about the center */
} Solid;

typedef struct Arm {
  int n;
  Solid of[BODIES];
} Arm;

static const real gravity = 9.8125Q;

static void cross(const real *a, const real *b, real *out) {
  const real x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
}

static void apply(real R[3][3], const real *a, real *out) {
  for (int i = 0; i < 3; i++)
    out[i] = R[i][0] * a[0] + R[i][1] * a[1] + R[i][2] * a[2];
}

/* R <- R (1 + sin x [u] + (1 - cos x) [u]^2), column by column. */
static void turn(real R[3][3], const real *u, real x) {
  real turned[3][3];
  for (int j = 0; j < 3; j++) {
    real e[3] = {j == 0, j == 1, j == 2}, once[3], twice[3];
    cross(u, e, once);
    cross(u, once, twice);
    for (int i = 0; i < 3; i++)
      e[i] += sinq(x) * once[i] + (1 - cosq(x)) * twice[i];
    apply(R, e, once);
    for (int i = 0; i < 3; i++)
      turned[i][j] = once[i];
  }
  memcpy(R, turned, sizeof turned);
}

typedef struct Frame {
  real R[3][3], axis[3], arm[3], center[3]; /* from the hinge before to this, and to the center */
  real w[3], force[3], moment[3];           /* of inertia, about the center */
} Frame;

/* out += w x (w x r) + d x r */
static void carry(const real *w, const real *d, const real *r, real *out) {
  real a[3], b[3];
  cross(w, r, a);
  cross(w, a, a);
  cross(d, r, b);
  for (int i = 0; i < 3; i++)
    out[i] += a[i] + b[i];
}

static void spin_moment(const Solid *s, Frame *f, const real *d) {
  real w[3], e[3], L[3], M[3];
  for (int i = 0; i < 3; i++) {
    w[i] = e[i] = 0;
    for (int j = 0; j < 3; j++) {
      w[i] += f->R[j][i] * f->w[j];
      e[i] += f->R[j][i] * d[j];
    }
    L[i] = s->inertia[i] * w[i];
  }
  cross(w, L, M);
  for (int i = 0; i < 3; i++)
    M[i] += s->inertia[i] * e[i];
  apply(f->R, M, f->moment);
}

/* Torques of all hinges, for rates v and accelerations a; `lift` is minus gravity. */
static void torques(const Arm *s, const Frame *placed, const real *v, const real *a, real lift,
                    real *out) {
  Frame f[BODIES];
  real w[3] = {0}, d[3] = {0}, acc[3] = {0, 0, lift};
  for (int i = 0; i < s->n; i++) {
    real extra[3];
    f[i] = placed[i];
    carry(w, d, f[i].arm, acc);
    cross(w, f[i].axis, extra);
    for (int k = 0; k < 3; k++) {
      d[k] += extra[k] * v[i] + f[i].axis[k] * a[i];
      w[k] += f[i].axis[k] * v[i];
      f[i].w[k] = w[k];
      f[i].force[k] = acc[k];
    }
    carry(w, d, f[i].center, f[i].force);
    for (int k = 0; k < 3; k++)
      f[i].force[k] *= s->of[i].mass;
    spin_moment(&s->of[i], &f[i], d);
  }
  real force[3] = {0}, moment[3] = {0};
  for (int i = s->n - 1; i >= 0; i--) {
    real own[3], other[3] = {0};
    cross(f[i].center, f[i].force, own);
    if (i < s->n - 1) cross(f[i + 1].arm, force, other);
    out[i] = 0;
    for (int k = 0; k < 3; k++) {
      force[k] += f[i].force[k];
      moment[k] += f[i].moment[k] + own[k] + other[k];
      out[i] += moment[k] * f[i].axis[k];
    }
  }
}

static void place(const Arm *s, const real *q, Frame *f) {
  real R[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < s->n; i++) {
    real r[3];
    for (int k = 0; k < 3; k++)
      r[k] = s->of[i].at[k] - (i > 0 ? s->of[i - 1].at[k] : 0);
    apply(R, r, f[i].arm);
    apply(R, s->of[i].axis, f[i].axis);
    turn(R, s->of[i].axis, q[i]);
    memcpy(f[i].R, R, sizeof R);
    for (int k = 0; k < 3; k++)
      r[k] = s->of[i].center[k] - s->of[i].at[k];
    apply(R, r, f[i].center);
  }
}

static void arm_slope(const void *problem, const real *y, real *f) {
  const Arm *s = problem;
  const int n = s->n;
  real M[MOST][MOST + 1], column[BODIES], zero[BODIES] = {0};
  Frame placed[BODIES] = {0};
  place(s, y, placed);
  for (int j = 0; j < n; j++) {
    real e[BODIES] = {0};
    e[j] = 1;
    torques(s, placed, zero, e, 0, column);
    for (int i = 0; i < n; i++)
      M[i][j] = column[i];
  }
  torques(s, placed, y + n, zero, gravity, column);
  for (int i = 0; i < n; i++)
    M[i][n] = -column[i] - s->of[i].damping * y[n + i];
  solve(M, n);
  for (int i = 0; i < n; i++) {
    f[i] = y[n + i];
    f[n + i] = M[i][n];
  }
}

static void put_vector(const char *name, const real *x) {
  printf(",\n      %s = { %.17g, %.17g, %.17g }", name, (double)x[0], (double)x[1], (double)x[2]);
}

/* A body near a place; inertia of a box, so that no moment is more than the sum of the others. */
static void draw_solid(Solid *s, const real *at) {
  real side[3];
  for (int k = 0; k < 3; k++) {
    s->at[k] = at[k];
    s->center[k] = at[k] + draw(-0.5, 0.5);
    side[k] = draw(0.0625, 0.5);
  }
  s->mass = draw(0.2, 3);
  for (int k = 0; k < 3; k++)
    s->inertia[k] = side[(k + 1) % 3] + side[(k + 2) % 3];
}

static void put_solid(const Solid *s) {
  printf("{ mass = %.17g", (double)s->mass);
  put_vector("at", s->at);
  put_vector("position", s->center);
  put_vector("inertia", s->inertia);
}

static void arm(int number) {
  Arm s = {.n = 1 + number % BODIES};
  real y[2 * BODIES], at[3] = {0};
  const double end = draw(0.5, number % 7 == 0 ? 8 : 4);
  printf("  { t = %.17g", end);
  for (int i = 0; i < s.n; i++) {
    Solid *one = &s.of[i];
    draw_solid(one, at);
    real length = 0;
    for (int k = 0; k < 3; k++) {
      one->axis[k] = draw(-1, 1);
      length += one->axis[k] * one->axis[k];
      at[k] += draw(-0.75, 0.75);
    }
    one->damping = number % 4 == 1 ? draw(0, 1) : 0;
    y[i] = 0;
    y[s.n + i] = draw(-3, 3);
    printf(",\n    ");
    put_solid(one);
    put_vector("axis", one->axis);
    printf(",\n      damping = %.17g, rate = %.17g }", (double)one->damping, (double)y[s.n + i]);
    for (int k = 0; k < 3; k++)
      one->axis[k] /= sqrtq(length);
  }
  follow(&(Motion){arm_slope, &s, 2 * s.n}, y, end);
  put_known(y, 2 * s.n);
}

/* y: a quaternion, then the spin in body axes.  J is about the joint, at the origin. */
typedef struct Top {
  Solid solid;
  real J[3][3];
} Top;

static void axes_of(const real *y, real R[3][3]) {
  const real w = y[0], x = y[1], u = y[2], z = y[3];
  const real rows[3][3] = {
      {1 - 2 * (u * u + z * z), 2 * (x * u - w * z), 2 * (x * z + w * u)},
      {2 * (x * u + w * z), 1 - 2 * (x * x + z * z), 2 * (u * z - w * x)},
      {2 * (x * z - w * u), 2 * (u * z + w * x), 1 - 2 * (x * x + u * u)},
  };
  memcpy(R, rows, sizeof rows);
}

static void top_slope(const void *problem, const real *y, real *f) {
  const Top *s = problem;
  const real *w = y + 4, *c = s->solid.center;
  real R[3][3], L[3], gyro[3], pull[3], M[MOST][MOST + 1];
  axes_of(y, R);
  for (int i = 0; i < 3; i++) {
    pull[i] = -s->solid.mass * gravity * R[2][i];
    L[i] = s->J[i][0] * w[0] + s->J[i][1] * w[1] + s->J[i][2] * w[2];
    memcpy(M[i], s->J[i], sizeof s->J[i]);
  }
  cross(c, pull, pull);
  cross(w, L, gyro);
  for (int i = 0; i < 3; i++)
    M[i][3] = pull[i] - gyro[i];
  solve(M, 3);
  for (int i = 0; i < 3; i++)
    f[4 + i] = M[i][3];
  f[0] = (-y[1] * w[0] - y[2] * w[1] - y[3] * w[2]) / 2;
  f[1] = (y[0] * w[0] + y[2] * w[2] - y[3] * w[1]) / 2;
  f[2] = (y[0] * w[1] + y[3] * w[0] - y[1] * w[2]) / 2;
  f[3] = (y[0] * w[2] + y[1] * w[1] - y[2] * w[0]) / 2;
}

static void top(int number) {
  Top s;
  real y[7] = {1}, R[3][3], at[3] = {0}, velocity[3], known[6];
  const double end = draw(0.5, number % 7 == 0 ? 8 : 4);
  draw_solid(&s.solid, at);
  const real *c = s.solid.center, m = s.solid.mass;
  const real square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      s.J[i][j] = (i == j ? s.solid.inertia[i] + m * square : 0) - m * c[i] * c[j];
    y[4 + i] = draw(-4, 4);
  }
  printf("  { t = %.17g, top = ", end);
  put_solid(&s.solid);
  put_vector("spin", y + 4);
  printf(" }");
  follow(&(Motion){top_slope, &s, 7}, y, end);
  axes_of(y, R);
  cross(y + 4, c, velocity);
  apply(R, c, known);
  apply(R, velocity, known + 3);
  put_known(known, 6);
}

int main(void) {
  printf(
      "-- Written by space_reference.c: arms of hinges and tops, at the end angles and rates, or\n"
      "-- place and velocity of the center, as a double and what it leaves.\nreturn {\n");
  for (int number = 0; number < 100; number++) {
    arm(number);
    top(number);
  }
  printf("}\n");
  return 0;
}
