/* Tangents of expansions against closed forms, and against equations of variation. */
#include "sarrus/sim_tangent.h"

#include "sims.h"

static sarrus_Expr parameter(const Parts *p, int i) {
  return sarrus_graph_symbol(p->g, SARRUS_PARAMETER, i);
}

static sarrus_Expr square(sarrus_Graph *g, sarrus_Expr x) { return mul(g, x, x); }

/* x'' = -k x by k, x0 and v0: side by side, at the end of a span and inside it. */
TEST(oscillator_by_all_it_depends_on) {
  const double q0 = 0.7, v0 = -0.4, k = 2.3, w = sqrt(k);
  const double dq[] = {0, 1, 0}, dv[] = {0, 0, 1}, dp[] = {1, 0, 0};
  Run run;
  REQUIRE(run_new(&run, oscillator(), &tight));
  CHECK_OK(sarrus_sim_preset(run.sim, 0, k));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q0, &v0));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 3, dq, dv, dp));
  CHECK_INT(sarrus_sim_direction_count(run.sim), 3);
  for (int i = 0; i <= 40; i++) {
    const double t = 0.1 * i, c = cos(w * t), s = sin(w * t);
    double x, u, a;
    REQUIRE_OK(sarrus_sim_advance(run.sim, t));
    REQUIRE_OK(sarrus_sim_tangent(run.sim, 0, &x, &u, &a, NULL));
    const double dw = 0.5 / w, q = q0 * c + v0 / w * s;
    const double by_w = -q0 * t * s + v0 * (t * c / w - s / k);
    const double rate = -q0 * (s + w * t * c) - v0 * t * s;
    CHECK_NEAR(x, dw * by_w, 1e-13);
    CHECK_NEAR(u, dw * rate, 1e-13);
    CHECK_NEAR(a, -q - k * dw * by_w, 1e-12);
    REQUIRE_OK(sarrus_sim_tangent(run.sim, 1, &x, &u, &a, NULL));
    CHECK_NEAR(x, c, 1e-13);
    CHECK_NEAR(u, -w * s, 1e-13);
    CHECK_NEAR(a, -k * c, 1e-12);
    REQUIRE_OK(sarrus_sim_tangent(run.sim, 2, &x, &u, &a, NULL));
    CHECK_NEAR(x, s / w, 1e-13);
    CHECK_NEAR(u, c, 1e-13);
  }
  run_free(&run);
}

/* --- pendulums ------------------------------------------------------------------------------ */

/* x^2 + y^2 = L^2, stated `copies` times; parameters: L, gravity, mass. */
static Parts *long_pendulum(int copies) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  p->mass[0] = p->mass[3] = parameter(p, 2);
  p->force[1] = negative(g, mul(g, parameter(p, 1), parameter(p, 2)));
  for (int i = 0; i < copies; i++)
    p->constraint[i] =
        scaled(g, i + 1,
               sub(g, add(g, square(g, p->q[0]), square(g, p->q[1])), square(g, parameter(p, 0))));
  p->spec.constraints = copies;
  p->spec.parameters = 3;
  return p;
}

/* theta'' = -(g/L) sin theta, and its variation by L and by g, as equations of their own. */
static Parts *variations(double length, double gravity) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const double f = gravity / length;
  const sarrus_Expr s = sine(p, p->q[0]), c = cosine(p, p->q[0]);
  p->force[0] = scaled(g, -f, s);
  p->force[1] = add(g, scaled(g, f / length, s), scaled(g, -f, mul(g, c, p->q[1])));
  p->force[2] = sub(g, scaled(g, -1 / length, s), scaled(g, f, mul(g, c, p->q[2])));
  return p;
}

/* From theta = 1, theta' = 0.5: x = L sin theta, y = -L cos theta. */
static void check_pendulum(int copies, double t) {
  const double L = 1.3, g = 9.81, mass = 0.8, start[] = {1, 0, 0}, rate[] = {0.5, 0, 0};
  const double q[] = {L * sin(1), -L * cos(1)}, v[] = {0.5 * L * cos(1), 0.5 * L * sin(1)};
  const double dq[] = {sin(1), -cos(1), 0, 0, 0, 0},
               dv[] = {0.5 * cos(1), 0.5 * sin(1), 0, 0, 0, 0}, dp[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double theta[3], omega[3], alpha[3];
  Run run, known;
  REQUIRE(run_new(&known, variations(L, g), &tight));
  REQUIRE_OK(sarrus_sim_start(known.sim, 0, start, rate));
  REQUIRE_OK(sarrus_sim_advance(known.sim, t));
  REQUIRE_OK(sarrus_sim_state(known.sim, theta, omega, alpha, NULL));
  REQUIRE(run_new(&run, long_pendulum(copies), &tight));
  const double values[] = {L, g, mass};
  for (int i = 0; i < 3; i++)
    CHECK_OK(sarrus_sim_preset(run.sim, i, values[i]));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 3, dq, dv, dp));
  REQUIRE_OK(sarrus_sim_advance(run.sim, t));
  const double s = sin(theta[0]), c = cos(theta[0]);
  for (int by = 0; by < 3; by++) {
    const double dL = by == 0, dth = by < 2 ? theta[1 + by] : 0, dom = by < 2 ? omega[1 + by] : 0;
    const double w = omega[0], dg = by == 1, dm = by == 2;
    double x[2], u[2], lambda[MOST], pull = 0;
    REQUIRE_OK(sarrus_sim_tangent(run.sim, by, x, u, NULL, lambda));
    CHECK_NEAR(x[0], dL * s + L * c * dth, 1e-12);
    CHECK_NEAR(x[1], -dL * c + L * s * dth, 1e-12);
    CHECK_NEAR(u[0], dL * w * c + L * (dom * c - w * s * dth), 1e-11);
    CHECK_NEAR(u[1], dL * w * s + L * (dom * s + w * c * dth), 1e-11);
    /* tension N = m (g cos theta + L w^2) = 2 L sum of copies times lambda */
    const double force = g * c + L * w * w;
    const double slope = dm * force + mass * (dg * c - g * s * dth + dL * w * w + 2 * L * w * dom);
    for (int i = 0; i < copies; i++)
      pull += 2 * (i + 1) * lambda[i];
    CHECK_NEAR(pull, slope / L - dL * mass * force / (L * L), 1e-10);
  }
  run_free(&known);
  run_free(&run);
}

TEST(pendulum_of_a_length) {
  check_pendulum(1, 0);
  check_pendulum(1, 0.7);
  check_pendulum(1, 5);
}

TEST(redundant_constraints) {
  check_pendulum(3, 0);
  check_pendulum(3, 0.7);
  check_pendulum(3, 5);
}

/* A second length that the same rows would have to keep: in its direction there is no motion. */
TEST(a_direction_that_dependent_rows_forbid) {
  const double q[] = {1, 0}, v[] = {0, 0}, none[4] = {0}, dp[] = {1, 1, 0, 1};
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->force[1] = constant(p->g, -9.81);
  for (int i = 0; i < 2; i++)
    p->constraint[i] = sub(p->g, add(p->g, square(p->g, p->q[0]), square(p->g, p->q[1])),
                           square(p->g, parameter(p, i)));
  p->spec.constraints = p->spec.parameters = 2;
  REQUIRE(run_new(&run, p, &tight));
  CHECK_OK(sarrus_sim_preset(run.sim, 0, 1));
  CHECK_OK(sarrus_sim_preset(run.sim, 1, 1));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, none, none, dp)); /* both alike */
  CHECK_STATUS(sarrus_sim_directions(run.sim, 2, none, none, dp), SARRUS_INCONSISTENT);
  const sarrus_Fault *fault = sarrus_sim_fault(run.sim);
  CHECK_INT(fault->count, 1);
  CHECK(fault->row == 2 || fault->row == 3);
  CHECK_INT(sarrus_sim_direction_count(run.sim), 0);
  CHECK_OK(sarrus_sim_advance(run.sim, 1)); /* the motion goes on */
  run_free(&run);
}

/* --- general DAEs --------------------------------------------------------------------------- */

enum { VARIABLES = 4 };

typedef struct Dae {
  sarrus_Graph *g;
  sarrus_Expr x[VARIABLES], y, t, p;
  sarrus_Expr f[VARIABLES], constraint;
  int differential, algebraic;
} Dae;

static Dae dae_new(int differential, int algebraic) {
  Dae d = {.g = sarrus_graph_new(sarrus_memory_default()),
           .differential = differential,
           .algebraic = algebraic};
  for (int i = 0; i < VARIABLES; i++)
    d.x[i] = sarrus_graph_symbol(d.g, SARRUS_Q, i);
  d.y = sarrus_graph_symbol(d.g, SARRUS_LAMBDA, 0);
  d.t = sarrus_graph_symbol(d.g, SARRUS_TIME, 0);
  d.p = sarrus_graph_symbol(d.g, SARRUS_PARAMETER, 0);
  return d;
}

/* Start with p, follow p and the last x, and go to t. */
static bool dae_run(Run *run, Dae *d, int index, double p, const double *x, double t) {
  double dx[2 * VARIABLES] = {0}, dp[] = {1, 0};
  const double none[2 * VARIABLES] = {0};
  sarrus_Fault fault;
  int found = -1;
  const sarrus_DaeSpec spec = {.graph = d->g,
                               .differential = d->differential,
                               .algebraic = d->algebraic,
                               .derivative = d->f,
                               .constraint = &d->constraint,
                               .parameters = 1};
  *run = (Run){NULL, NULL, NULL};
  const bool made =
      CHECK_OK(
          sarrus_system_new_dae(sarrus_memory_default(), &spec, &run->system, &found, &fault)) &&
      CHECK_INT(found, index) &&
      CHECK_OK(sarrus_sim_new(sarrus_memory_default(), run->system, NULL, &tight, &run->sim));
  sarrus_graph_free(d->g);
  if (!made) return false;
  CHECK_OK(sarrus_sim_preset(run->sim, 0, p));
  dx[2 * d->differential - 1] = 1;
  return CHECK_OK(sarrus_sim_start(run->sim, 0, x, none)) &&
         CHECK_OK(sarrus_sim_directions(run->sim, 2, dx, none, dp)) &&
         CHECK_OK(sarrus_sim_advance(run->sim, t));
}

static const double instants[] = {0, 0.3, 2};

/* x' = -p x: x = c e^(-p t) */
TEST(dae_of_index_0) {
  for (int i = 0; i < 3; i++) {
    const double t = instants[i], p = 0.7, c = 1.4, e = exp(-p * t);
    double x, v;
    Run run;
    Dae d = dae_new(1, 0);
    d.f[0] = negative(d.g, mul(d.g, d.p, d.x[0]));
    REQUIRE(dae_run(&run, &d, 0, p, &c, t));
    REQUIRE_OK(sarrus_sim_tangent(run.sim, 0, &x, &v, NULL, NULL));
    CHECK_NEAR(x, -t * c * e, 1e-14);
    CHECK_NEAR(v, -c * e + p * t * c * e, 1e-14);
    REQUIRE_OK(sarrus_sim_tangent(run.sim, 1, &x, &v, NULL, NULL));
    CHECK_NEAR(x, e, 1e-14);
    CHECK_NEAR(v, -p * e, 1e-14);
    run_free(&run);
  }
}

/* x' = -y^2, 0 = y - p x: x = c / (1 + p^2 c t) */
TEST(dae_of_index_1) {
  for (int i = 0; i < 3; i++) {
    const double t = instants[i], p = 0.7, c = 1.4, b = 1 + p * p * c * t;
    double x, v, y;
    Run run;
    Dae d = dae_new(1, 1);
    d.f[0] = negative(d.g, square(d.g, d.y));
    d.constraint = sub(d.g, d.y, mul(d.g, d.p, d.x[0]));
    REQUIRE(dae_run(&run, &d, 1, p, &c, t));
    REQUIRE_OK(sarrus_sim_tangent(run.sim, 0, &x, &v, NULL, &y));
    const double dx = -c * 2 * p * c * t / (b * b);
    CHECK_NEAR(x, dx, 1e-14);
    CHECK_NEAR(y, c / b + p * dx, 1e-14);
    CHECK_NEAR(v, -2 * p * c / b * (c / b + p * dx), 1e-13);
    REQUIRE_OK(sarrus_sim_tangent(run.sim, 1, &x, NULL, NULL, &y));
    CHECK_NEAR(x, 1 / (b * b), 1e-14);
    CHECK_NEAR(y, p / (b * b), 1e-14);
    run_free(&run);
  }
}

/* x0' = y, x1' = -x1, 0 = x0 - p x1^2: x0 = p c^2 e^-2t, y = -2 x0 */
TEST(dae_of_index_2) {
  for (int i = 0; i < 3; i++) {
    const double t = instants[i], p = 0.7, c = 1.4, e = exp(-t);
    const double start[] = {p * c * c, c};
    double x[2], v[2], y;
    Run run;
    Dae d = dae_new(2, 1);
    d.f[0] = d.y;
    d.f[1] = negative(d.g, d.x[1]);
    d.constraint = sub(d.g, d.x[0], mul(d.g, d.p, square(d.g, d.x[1])));
    REQUIRE(dae_run(&run, &d, 2, p, start, t));
    REQUIRE_OK(sarrus_sim_tangent(run.sim, 0, x, v, NULL, &y));
    const double by_p = x[1], one = c * e; /* c changes, too, as projection does */
    CHECK_NEAR(x[0], one * one + 2 * p * one * by_p, 1e-13);
    CHECK_NEAR(y, -2 * x[0], 1e-13);
    CHECK_NEAR(v[0], y, 1e-13);
    CHECK_NEAR(v[1], -by_p, 1e-13);
    REQUIRE_OK(sarrus_sim_tangent(run.sim, 1, x, v, NULL, &y));
    CHECK_NEAR(x[0], 2 * p * one * x[1], 1e-13);
    CHECK_NEAR(y, -2 * x[0], 1e-13);
    run_free(&run);
  }
}

/* x0' = x1, x1' = y, x2' = -x2, 0 = x0 - p x2^2: y = 4 p c^2 e^-2t */
TEST(dae_of_index_3) {
  for (int i = 0; i < 3; i++) {
    const double t = instants[i], p = 0.7, c = 1.4, e = exp(-t);
    const double start[] = {p * c * c, -2 * p * c * c, c};
    double x[3], v[3], y;
    Run run;
    Dae d = dae_new(3, 1);
    d.f[0] = d.x[1];
    d.f[1] = d.y;
    d.f[2] = negative(d.g, d.x[2]);
    d.constraint = sub(d.g, d.x[0], mul(d.g, d.p, square(d.g, d.x[2])));
    REQUIRE(dae_run(&run, &d, 3, p, start, t));
    for (int by = 0; by < 2; by++) {
      REQUIRE_OK(sarrus_sim_tangent(run.sim, by, x, v, NULL, &y));
      const double one = c * e, first = (by == 0) * one * one + 2 * p * one * x[2];
      CHECK_NEAR(x[0], first, 1e-13);
      CHECK_NEAR(x[1], -2 * first, 1e-13);
      CHECK_NEAR(y, 4 * first, 1e-12);
      CHECK_NEAR(v[0], -2 * first, 1e-13);
      CHECK_NEAR(v[1], 4 * first, 1e-12);
      CHECK_NEAR(v[2], -x[2], 1e-13);
    }
    run_free(&run);
  }
}

/* --- one state ------------------------------------------------------------------------------ */

/* Slopes of accelerations and multipliers: by q, v and the mass, of the pendulum at rest. */
TEST(slopes_at_a_state) {
  const double q[] = {0, -1.3}, v[] = {2, 0}, dp[] = {0, 0, 0, 0, 0, 1};
  double dq[] = {1, 0, 0, 0}, dv[] = {0, 0, 0, 0}, da[4], dlambda[2];
  Run run;
  REQUIRE(run_new(&run, long_pendulum(1), &tight));
  CHECK_OK(sarrus_sim_preset(run.sim, 0, 1.3));
  CHECK_OK(sarrus_sim_preset(run.sim, 1, 9.81));
  CHECK_OK(sarrus_sim_preset(run.sim, 2, 0.8));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  for (int round = 0; round < 2; round++) { /* asking changes nothing */
    dq[0] = 1, dq[1] = dv[0] = dv[1] = 0;
    REQUIRE_OK(sarrus_sim_slopes(run.sim, 2, dq, dv, dp, da, dlambda));
    /* theta changes by 1/L: the velocity turns, w stays */
    CHECK_NEAR(dq[0], 1, 1e-15);
    CHECK_NEAR(dq[1], 0, 1e-15);
    CHECK_NEAR(dv[1], 2 / 1.3, 1e-14);
    CHECK_NEAR(da[0], -9.81 / 1.3 - 4 / (1.3 * 1.3), 1e-13);
    CHECK_NEAR(da[1], 0, 1e-13);
    CHECK_NEAR(dlambda[0], 0, 1e-13);
    CHECK_NEAR(da[2], 0, 1e-13); /* by the mass */
    CHECK_NEAR(dlambda[1], (9.81 + 4 / 1.3) / (2 * 1.3), 1e-13);
  }
  CHECK_STATUS(sarrus_sim_slopes(run.sim, 0, dq, dv, NULL, da, dlambda), SARRUS_ARGUMENT);
  run_free(&run);
}
