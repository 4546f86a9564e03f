/* Expansions against closed forms, and against the equations they come from. */
#include "functions.h"
#include "mechanisms.h"
#include "sarrus/series.h"

enum { ORDER = 30, SIZE = ORDER + 1 };

/* A system with an expansion of it. */
typedef struct Run {
  sarrus_System *system;
  sarrus_Expansion *x;
  sarrus_Fault fault;
} Run;

static bool run_new(Run *run, Parts *p, int order) {
  *run = (Run){NULL, NULL, {0}};
  if (!CHECK(p != NULL)) return false;
  const sarrus_Memory memory = sarrus_memory_default();
  const bool made = CHECK_OK(sarrus_system_new(memory, parts_spec(p), &run->system, &run->fault)) &&
                    CHECK_OK(sarrus_expansion_new(memory, run->system, order, &run->x));
  parts_free(p);
  return made;
}

static void run_free(Run *run) {
  sarrus_expansion_free(run->x);
  sarrus_system_free(run->system);
}

static sarrus_Status expand(Run *run, double t, const double *q, const double *v) {
  return sarrus_expansion_run(run->x, t, q, v, NULL, 1e-9, &run->fault);
}

static void get_q(const Run *run, int i, int order, double *c) {
  for (int k = 0; k <= order; k++)
    c[k] = sarrus_expansion_q(run->x, i, k);
}

static void get_lambda(const Run *run, int i, int order, double *c) {
  for (int k = 0; k <= order; k++)
    c[k] = sarrus_expansion_lambda(run->x, i, k);
}

static void check_series(const double *c, const double *expected, int order, double tolerance) {
  for (int k = 0; k <= order; k++)
    CHECK_NEAR(c[k], expected[k], tolerance * fmax(1, fabs(expected[k])));
}

/* sin t, cos t */
static double sine_coefficient(int k) {
  return k % 2 == 0 ? 0 : (k % 4 == 1 ? 1 : -1) / tgamma(k + 1);
}
static double cosine_coefficient(int k) {
  return k % 2 == 1 ? 0 : (k % 4 == 0 ? 1 : -1) / tgamma(k + 1);
}

/* q = (sin t, -2 sin t), lambda = cos t; rounding grows like 0.525^-k here (method.md). */
TEST(robot_of_the_paper) {
  Run run;
  const double q[] = {0, 0}, v[] = {1, -2};
  REQUIRE(run_new(&run, robot(sarrus_memory_default()), ORDER));
  CHECK_OK(expand(&run, 0, q, v));
  for (int k = 0; k <= ORDER; k++) {
    const double allowed = 1e-17 * pow(0.5, -k);
    CHECK_NEAR(sarrus_expansion_q(run.x, 0, k), sine_coefficient(k), allowed);
    CHECK_NEAR(sarrus_expansion_q(run.x, 1, k), -2 * sine_coefficient(k), allowed);
    if (k < ORDER)
      CHECK_NEAR(sarrus_expansion_v(run.x, 0, k), cosine_coefficient(k), 100 * allowed);
    if (k <= ORDER - 2)
      CHECK_NEAR(sarrus_expansion_lambda(run.x, 0, k), cosine_coefficient(k), 1e4 * allowed);
  }
  for (int k = 0; k <= 8; k++)
    CHECK_NEAR(sarrus_expansion_q(run.x, 0, k), sine_coefficient(k),
               1e-12 * fabs(sine_coefficient(k)) + 1e-16);
  CHECK_INT(sarrus_expansion_dependent(run.x, 0), 0);
  run_free(&run);
}

/*
** x'' + 2 x lambda = 0, y'' + 2 y lambda + 9.81 = 0 and x^2 + y^2 = 1, coefficient by coefficient.
*/
static void check_pendulum(const Run *run) {
  double x[SIZE], y[SIZE], l[SIZE] = {0}, xx[SIZE], yy[SIZE], xl[SIZE], yl[SIZE];
  get_q(run, 0, ORDER, x);
  get_q(run, 1, ORDER, y);
  get_lambda(run, 0, ORDER - 2, l);
  CHECK_OK(sarrus_series_mul(xx, x, x, ORDER));
  CHECK_OK(sarrus_series_mul(yy, y, y, ORDER));
  CHECK_OK(sarrus_series_mul(xl, x, l, ORDER - 2));
  CHECK_OK(sarrus_series_mul(yl, y, l, ORDER - 2));
  double size = 1; /* of what is added up: coefficients grow like size^k */
  for (int k = 1; k <= ORDER; k++)
    size = fmax(size, pow(fmax(fabs(x[k]), fabs(y[k])), 1.0 / k));
  for (int k = 0; k <= ORDER; k++)
    CHECK_NEAR(xx[k] + yy[k], k == 0, 1e-14 * pow(size, k) * (k + 1));
  for (int k = 0; k <= ORDER - 2; k++) {
    const double allowed = 1e-14 * pow(size, k + 2) * (k + 1) * (k + 2);
    CHECK_NEAR((k + 1) * (k + 2) * x[k + 2] + 2 * xl[k], 0, allowed);
    CHECK_NEAR((k + 1) * (k + 2) * y[k + 2] + 2 * yl[k] + (k == 0 ? 9.81 : 0), 0, allowed);
  }
}

TEST(pendulum_satisfies_its_equations) {
  Run run;
  const double points[][4] = {{-1, 0, 0, 0}, {0.6, -0.8, 1.6, 1.2}, {0, -1, 3, 0}, {0, 1, 0, 0}};
  REQUIRE(run_new(&run, pendulum(sarrus_memory_default()), ORDER));
  for (int i = 0; i < 4; i++) {
    CHECK_OK(expand(&run, 0, points[i], points[i] + 2));
    check_pendulum(&run);
  }
  /* hanging at rest it stays, and the rod carries the weight: lambda = -9.81/2 at y = -1 */
  const double q[] = {0, -1}, v[] = {0, 0};
  CHECK_OK(expand(&run, 0, q, v));
  CHECK_NEAR(sarrus_expansion_lambda(run.x, 0, 0), 9.81 / 2, 1e-15);
  for (int k = 1; k <= ORDER; k++)
    CHECK(sarrus_expansion_q(run.x, 0, k) == 0 && sarrus_expansion_q(run.x, 1, k) == 0);
  run_free(&run);
}

/* y cos t = x sin t, no force: r = cosh t, and 2 sinh t presses on the wire. */
TEST(bead_on_a_rotating_wire) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->constraint[0] =
      sub(p->g, mul(p->g, p->q[1], cosine(p, p->t)), mul(p->g, p->q[0], sine(p, p->t)));
  p->spec.constraints = 1;
  Run run;
  REQUIRE(run_new(&run, p, ORDER));
  for (double t = 0; t < 1; t += 0.4) {
    double time[SIZE] = {t, 1}, c[SIZE], s[SIZE], ch[SIZE], sh[SIZE], x[SIZE], y[SIZE], got[SIZE];
    apply_series(SARRUS_OP_COS, c, time, ORDER);
    apply_series(SARRUS_OP_SIN, s, time, ORDER);
    apply_series(SARRUS_OP_COSH, ch, time, ORDER);
    apply_series(SARRUS_OP_SINH, sh, time, ORDER);
    sarrus_series_mul(x, ch, c, ORDER);
    sarrus_series_mul(y, ch, s, ORDER);
    const double q[] = {x[0], y[0]}, v[] = {x[1], y[1]};
    CHECK_OK(expand(&run, t, q, v));
    get_q(&run, 0, ORDER, got);
    check_series(got, x, ORDER, 1e-14);
    get_q(&run, 1, ORDER, got);
    check_series(got, y, ORDER, 1e-14);
    get_lambda(&run, 0, ORDER - 2, got);
    for (int k = 0; k <= ORDER - 2; k++)
      CHECK_NEAR(got[k], -2 * sh[k], 1e-12);
  }
  run_free(&run);
}

/* Problem 7: th = 4 atan(tanh(t/4)), and where the sleigh is at t = 1. */
TEST(chaplygin_sleigh) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  REQUIRE(p != NULL);
  sarrus_Graph *g = p->g;
  const sarrus_Expr c = cosine(p, p->q[2]), s = sine(p, p->q[2]), rate2 = power(g, p->v[2], 2);
  p->mass[2] = p->mass[6] = scaled(g, -0.5, s);
  p->mass[5] = p->mass[7] = scaled(g, 0.5, c);
  p->force[0] = scaled(g, 0.5, mul(g, c, rate2));
  p->force[1] = scaled(g, 0.5, mul(g, s, rate2));
  p->velocity_constraint[0] = sub(g, mul(g, p->v[1], c), mul(g, p->v[0], s));
  p->spec.velocity_constraints = 1;
  Run run;
  enum { HIGH = 60 };
  const double q[] = {0, 0, 0}, v[] = {0, 0, 1};
  REQUIRE(run_new(&run, p, HIGH));
  CHECK_OK(expand(&run, 0, q, v));
  double quarter[HIGH + 1] = {0, 0.25}, tanh_t[HIGH + 1], angle[HIGH + 1], got[HIGH + 1];
  apply_series(SARRUS_OP_TANH, tanh_t, quarter, HIGH);
  apply_series(SARRUS_OP_ATAN, angle, tanh_t, HIGH);
  get_q(&run, 2, HIGH, got);
  for (int k = 0; k <= HIGH; k++)
    CHECK_NEAR(got[k], 4 * angle[k], 1e-15);
  const double exact[] = {0.18687552015159013044, 0.14113371493796891400, 0.96076215826745889721};
  for (int i = 0; i < 3; i++) {
    get_q(&run, i, HIGH, got);
    CHECK_NEAR(sarrus_series_eval(got, HIGH, 1), exact[i], 1e-15);
  }
  const double sliding[] = {0, 0.25, 1};
  CHECK_STATUS(expand(&run, 0, q, sliding), SARRUS_INCONSISTENT);
  CHECK_INT(run.fault.row, 3);
  CHECK_NEAR(run.fault.size, 0.25, 1e-16);
  run_free(&run);
}

/* L = v1^2 + v2^2/2 + v1 v2 cos(q1 - q2) + 9.81 (2 cos q1 + cos q2), and the same written out. */
TEST(lagrangian_and_mass_give_the_same_series) {
  Run by_mass, by_energy;
  for (int form = 0; form < 2; form++) {
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    sarrus_Graph *g = p->g;
    const sarrus_Expr q1 = p->q[0], q2 = p->q[1], v1 = p->v[0], v2 = p->v[1], d = sub(g, q1, q2);
    if (form == 0) {
      p->mass[0] = constant(g, 2);
      p->mass[1] = p->mass[2] = cosine(p, d);
      p->force[0] = sub(g, scaled(g, -2 * 9.81, sine(p, q1)), mul(g, sine(p, d), power(g, v2, 2)));
      p->force[1] = sub(g, mul(g, sine(p, d), power(g, v1, 2)), scaled(g, 9.81, sine(p, q2)));
    } else {
      const sarrus_Expr kinetic = add(g, add(g, power(g, v1, 2), scaled(g, 0.5, power(g, v2, 2))),
                                      mul(g, cosine(p, d), mul(g, v1, v2)));
      p->spec.force = NULL;
      p->spec.lagrangian =
          add(g, kinetic, scaled(g, 9.81, add(g, scaled(g, 2, cosine(p, q1)), cosine(p, q2))));
    }
    REQUIRE(run_new(form == 0 ? &by_mass : &by_energy, p, ORDER));
  }
  const double q[] = {0.4, -0.3}, v[] = {0.5, 0.2};
  CHECK_OK(expand(&by_mass, 0, q, v));
  CHECK_OK(expand(&by_energy, 0, q, v));
  for (int i = 0; i < 2; i++) {
    double a[SIZE], b[SIZE];
    get_q(&by_mass, i, ORDER, a);
    get_q(&by_energy, i, ORDER, b);
    CHECK(fabs(a[2]) > 1);
    check_series(b, a, ORDER, 1e-12);
  }
  run_free(&by_mass);
  run_free(&by_energy);
}

/* A lagrangian with time in it: L = (v + t)^2/2 gives q'' = -1. */
TEST(lagrangian_that_depends_on_time) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->spec.lagrangian = scaled(p->g, 0.5, power(p->g, add(p->g, p->v[0], p->t), 2));
  Run run;
  const double q = 3, v = 2;
  REQUIRE(run_new(&run, p, 6));
  CHECK_OK(expand(&run, 5, &q, &v));
  const double expected[] = {3, 2, -0.5, 0, 0, 0, 0};
  for (int k = 0; k <= 6; k++)
    CHECK_NEAR(sarrus_expansion_q(run.x, 0, k), expected[k], 0);
  run_free(&run);
}

/* One coordinate, no constraints, lists that are empty or absent: q'' = -q. */
TEST(harmonic_oscillator) {
  for (int empty = 0; empty < 2; empty++) {
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    p->force[0] = negative(p->g, p->q[0]);
    if (empty) p->spec.constraint = p->spec.velocity_constraint = NULL;
    Run run;
    const double q = 1, v = 0;
    REQUIRE(run_new(&run, p, ORDER));
    CHECK_OK(expand(&run, 0, &q, &v));
    for (int k = 0; k <= ORDER; k++)
      CHECK_CLOSE(sarrus_expansion_q(run.x, 0, k), cosine_coefficient(k), 1e-15);
    run_free(&run);
  }
}

TEST(no_force_at_all_and_the_lowest_order) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->spec.force = NULL;
  Run run;
  const double q = 1, v = 2;
  REQUIRE(run_new(&run, p, 2));
  CHECK_OK(expand(&run, 0, &q, &v));
  CHECK(sarrus_expansion_q(run.x, 0, 0) == 1 && sarrus_expansion_q(run.x, 0, 1) == 2);
  CHECK(sarrus_expansion_q(run.x, 0, 2) == 0 && sarrus_expansion_v(run.x, 0, 0) == 2);
  sarrus_Expansion *x;
  CHECK_STATUS(sarrus_expansion_new(sarrus_memory_default(), run.system, 1, &x), SARRUS_ARGUMENT);
  CHECK_STATUS(
      sarrus_expansion_new(sarrus_memory_default(), run.system, SARRUS_MAX_EXPANSION + 1, &x),
      SARRUS_LIMIT);
  CHECK(x == NULL);
  run_free(&run);
}
