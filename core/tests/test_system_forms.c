/*
** One motion in several forms: by a Lagrangian, by masses and forces, in Cartesian coordinates with
** constraints on positions or on velocities.  Double pendulums, beads on curves, a knife's edge.
*/
#include "sims.h"

static const double g0 = 9.81;

typedef struct Double {
  double l1, l2, m1, m2;
  double angle[2], rate[2];
} Double;

static Double draw_double(unsigned *seed) {
  return (Double){.l1 = random_in(seed, 0.5, 1.5),
                  .l2 = random_in(seed, 0.5, 1.5),
                  .m1 = random_in(seed, 0.5, 2),
                  .m2 = random_in(seed, 0.5, 2),
                  .angle = {random_in(seed, -1.5, 1.5), random_in(seed, -1.5, 1.5)},
                  .rate = {random_in(seed, -1, 1), random_in(seed, -1, 1)}};
}

/* Cartesian places and velocities of both points, from angles that count from below. */
static void places_of(const Double *d, const double *angle, const double *rate, double *q,
                      double *v) {
  const double l[] = {d->l1, d->l2};
  double x[2] = {0, 0}, u[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    x[0] += l[i] * sin(angle[i]);
    x[1] -= l[i] * cos(angle[i]);
    u[0] += l[i] * cos(angle[i]) * rate[i];
    u[1] += l[i] * sin(angle[i]) * rate[i];
    memcpy(&q[2 * i], x, sizeof x);
    memcpy(&v[2 * i], u, sizeof u);
  }
}

/* --- the forms --------------------------------------------------------------------------- */

/* T = (m1 + m2) l1^2 w1^2 / 2 + m2 l2^2 w2^2 / 2 + m2 l1 l2 w1 w2 cos(a1 - a2), less V */
static Parts *by_lagrangian(const Double *d) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr turn = cosine(p, sub(g, p->q[0], p->q[1]));
  const double m = d->m1 + d->m2;
  sarrus_Expr L = scaled(g, m * d->l1 * d->l1 / 2, power(g, p->v[0], 2));
  L = add(g, L, scaled(g, d->m2 * d->l2 * d->l2 / 2, power(g, p->v[1], 2)));
  L = add(g, L, scaled(g, d->m2 * d->l1 * d->l2, mul(g, turn, mul(g, p->v[0], p->v[1]))));
  L = add(g, L, scaled(g, m * g0 * d->l1, cosine(p, p->q[0])));
  L = add(g, L, scaled(g, d->m2 * g0 * d->l2, cosine(p, p->q[1])));
  p->spec.lagrangian = L;
  return p;
}

static Parts *by_masses(const Double *d) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr turn = sub(g, p->q[0], p->q[1]);
  const double m = d->m1 + d->m2, c = d->m2 * d->l1 * d->l2;
  p->mass[0] = constant(g, m * d->l1 * d->l1);
  p->mass[3] = constant(g, d->m2 * d->l2 * d->l2);
  p->mass[1] = p->mass[2] = scaled(g, c, cosine(p, turn));
  p->force[0] = sub(g, scaled(g, -c, mul(g, sine(p, turn), power(g, p->v[1], 2))),
                    scaled(g, m * g0 * d->l1, sine(p, p->q[0])));
  p->force[1] = sub(g, scaled(g, c, mul(g, sine(p, turn), power(g, p->v[0], 2))),
                    scaled(g, d->m2 * g0 * d->l2, sine(p, p->q[1])));
  return p;
}

/* x1, y1, x2, y2; the rods are constraints on positions, or on velocities. */
static Parts *by_points(const Double *d, int velocities) {
  Parts *p = parts_new(sarrus_memory_default(), 4);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  for (int i = 0; i < 4; i++)
    p->mass[5 * i] = constant(g, i < 2 ? d->m1 : d->m2);
  p->force[1] = constant(g, -d->m1 * g0);
  p->force[3] = constant(g, -d->m2 * g0);
  for (int i = 0; i < 2; i++) {
    sarrus_Expr x[2], u[2];
    for (int k = 0; k < 2; k++) {
      x[k] = i == 0 ? p->q[k] : sub(g, p->q[2 + k], p->q[k]);
      u[k] = i == 0 ? p->v[k] : sub(g, p->v[2 + k], p->v[k]);
    }
    const double l = i == 0 ? d->l1 : d->l2;
    const sarrus_Expr square = add(g, mul(g, x[0], x[0]), mul(g, x[1], x[1]));
    p->constraint[i] = sub(g, square, constant(g, l * l));
    p->velocity_constraint[i] = add(g, mul(g, x[0], u[0]), mul(g, x[1], u[1]));
  }
  *(velocities ? &p->spec.velocity_constraints : &p->spec.constraints) = 2;
  return p;
}

/* --- comparing --------------------------------------------------------------------------- */

enum { FORMS = 4 };

static Parts *form_of(const Double *d, int form) {
  return form == 0 ? by_lagrangian(d) : form == 1 ? by_masses(d) : by_points(d, form == 3);
}

static bool start_form(Run *run, const Double *d, int form) {
  double q[4], v[4];
  if (!run_new(run, form_of(d, form), &tight)) return false;
  places_of(d, d->angle, d->rate, q, v);
  return CHECK_OK(sarrus_sim_start(run->sim, 0, form < 2 ? d->angle : q, form < 2 ? d->rate : v));
}

/* Places and velocities at a time, whatever the form is. */
static void places_at(Run *run, const Double *d, int form, double t, double *q, double *v) {
  double angle[4], rate[4];
  CHECK_OK(sarrus_sim_advance(run->sim, t));
  CHECK_OK(sarrus_sim_state(run->sim, angle, rate, NULL, NULL));
  if (form < 2) {
    places_of(d, angle, rate, q, v);
  } else {
    memcpy(q, angle, 4 * sizeof *q);
    memcpy(v, rate, 4 * sizeof *v);
  }
}

TEST(forms_agree) {
  unsigned seed = 101;
  for (int i = 0; i < 8; i++) {
    const Double d = draw_double(&seed);
    double q[FORMS][4], v[FORMS][4];
    for (int form = 0; form < FORMS; form++) {
      Run run;
      REQUIRE(start_form(&run, &d, form));
      places_at(&run, &d, form, 2, q[form], v[form]);
      run_free(&run);
      for (int k = 0; k < 4; k++) {
        CHECK_NEAR(q[form][k], q[0][k], 1e-11);
        CHECK_NEAR(v[form][k], v[0][k], 1e-10);
      }
    }
  }
}

/* The pull of the rods, from multipliers of either form, is what holds the points on their way. */
TEST(multipliers_are_the_forces_of_rods) {
  unsigned seed = 103;
  for (int i = 0; i < 6; i++) {
    const Double d = draw_double(&seed);
    for (int form = 2; form < FORMS; form++) {
      double q[4], a[4], lambda[2];
      Run run;
      REQUIRE(start_form(&run, &d, form));
      CHECK_OK(sarrus_sim_advance(run.sim, 1));
      CHECK_OK(sarrus_sim_state(run.sim, q, NULL, a, lambda));
      const double twice = form == 2 ? 2 : 1; /* the gradient of |x|^2, or of x . v by v */
      for (int k = 0; k < 2; k++) {
        const double second = -twice * lambda[1] * (q[2 + k] - q[k]);
        const double first = -twice * lambda[0] * q[k] - second;
        CHECK_NEAR(d.m2 * a[2 + k] + (k == 1 ? d.m2 * g0 : 0), second, 1e-10);
        CHECK_NEAR(d.m1 * a[k] + (k == 1 ? d.m1 * g0 : 0), first, 1e-10);
      }
      run_free(&run);
    }
  }
}

/* --- beads on curves --------------------------------------------------------------------- */

/*
** A bead on y = f(x) under gravity: by x alone, with the mass 1 + f'^2 and the force
** -f' (f'' v^2 + g), or in x and y.  f = a cos x + b x^2.
*/
TEST(a_bead_on_a_curve) {
  unsigned seed = 107;
  for (int i = 0; i < 6; i++) {
    const double a = random_in(&seed, 0.2, 1), b = random_in(&seed, 0.2, 1);
    const double x0 = random_in(&seed, -1, 1), v0 = random_in(&seed, -1, 1);
    Parts *p = parts_new(sarrus_memory_default(), 1), *c = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL && c != NULL);
    sarrus_Graph *g = p->g;
    const sarrus_Expr slope = sub(g, scaled(g, 2 * b, p->q[0]), scaled(g, a, sine(p, p->q[0])));
    const sarrus_Expr bend = sub(g, constant(g, 2 * b), scaled(g, a, cosine(p, p->q[0])));
    const sarrus_Expr push = add(g, mul(g, bend, power(g, p->v[0], 2)), constant(g, g0));
    p->mass[0] = add(g, constant(g, 1), power(g, slope, 2));
    p->force[0] = negative(g, mul(g, slope, push));
    g = c->g;
    const sarrus_Expr height =
        add(g, scaled(g, a, cosine(c, c->q[0])), scaled(g, b, power(g, c->q[0], 2)));
    c->force[1] = constant(g, -g0);
    c->constraint[0] = sub(g, c->q[1], height);
    c->spec.constraints = 1;
    const double y0 = a * cos(x0) + b * x0 * x0, u0 = (2 * b * x0 - a * sin(x0)) * v0;
    double one, two[2];
    Run alone, both;
    REQUIRE(run_new(&alone, p, &tight));
    REQUIRE(run_new(&both, c, &tight));
    CHECK_OK(sarrus_sim_start(alone.sim, 0, &x0, &v0));
    CHECK_OK(sarrus_sim_start(both.sim, 0, (const double[]){x0, y0}, (const double[]){v0, u0}));
    for (int k = 1; k <= 4; k++) {
      CHECK_OK(sarrus_sim_advance(alone.sim, 0.7 * k));
      CHECK_OK(sarrus_sim_advance(both.sim, 0.7 * k));
      CHECK_OK(sarrus_sim_state(alone.sim, &one, NULL, NULL, NULL));
      CHECK_OK(sarrus_sim_state(both.sim, two, NULL, NULL, NULL));
      CHECK_NEAR(two[0], one, 1e-11);
    }
    run_free(&alone);
    run_free(&both);
  }
}

/* --- velocities that no position holds ---------------------------------------------------- */

/*
** A blade that goes along its edge, x' sin(theta) = y' cos(theta), with its mass above it: turning
** at the rate w, its speed u changes by what of a force along x acts along the edge.  Without a
** force it goes round a circle; with one it drifts across it, and is not carried off along it.
*/
TEST(a_blade_goes_round) {
  unsigned seed = 109;
  for (int i = 0; i < 8; i++) {
    const double w = random_in(&seed, 0.5, 2), speed = random_in(&seed, -2, 2);
    const double at = random_in(&seed, -3, 3), slope = i % 2 == 0 ? 0 : random_in(&seed, 0.5, 2);
    Parts *p = parts_new(sarrus_memory_default(), 3);
    REQUIRE(p != NULL);
    sarrus_Graph *g = p->g;
    p->mass[8] = constant(g, random_in(&seed, 0.1, 1));
    p->force[0] = constant(g, slope);
    p->velocity_constraint[0] =
        sub(g, mul(g, p->v[0], sine(p, p->q[2])), mul(g, p->v[1], cosine(p, p->q[2])));
    p->spec.velocity_constraints = 1;
    double q[] = {0, 0, at}, v[] = {speed * cos(at), speed * sin(at), w};
    Run run;
    REQUIRE(run_new(&run, p, &tight));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
    for (int k = 1; k <= 5; k++) {
      /* along its edge u' = slope cos(theta), theta = at + w t */
      const double t = k, angle = at + w * t;
      const double u = speed + slope / w * (sin(angle) - sin(at));
      const double c = speed - slope / w * sin(at);
      const double x =
          c / w * (sin(angle) - sin(at)) + slope / (4 * w * w) * (cos(2 * at) - cos(2 * angle));
      const double y = -c / w * (cos(angle) - cos(at)) + slope / (2 * w) * t -
                       slope / (4 * w * w) * (sin(2 * angle) - sin(2 * at));
      CHECK_OK(sarrus_sim_advance(run.sim, t));
      CHECK_OK(sarrus_sim_state(run.sim, q, v, NULL, NULL));
      CHECK_NEAR(q[2], angle, 1e-12);
      CHECK_NEAR(hypot(v[0], v[1]), fabs(u), 1e-11);
      CHECK_NEAR(q[0], x, 1e-11);
      CHECK_NEAR(q[1], y, 1e-11);
    }
    run_free(&run);
  }
}
