/* Friction in space: spheres that roll, plates on several feet. */
#include "contacts.h"

/* --- a sphere ---------------------------------------------------------------------------- */

/*
** A homogeneous sphere of mass 1 on a floor: x, y, z of its centre, and the integrals of its spins
** about the three axes, which is all that its motion depends on.
*/
static Parts *sphere(double radius, double friction) {
  Parts *p = parts_new(sarrus_memory_default(), 6);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  for (int i = 3; i < 6; i++)
    p->mass[i * 6 + i] = constant(g, 0.4 * radius * radius);
  p->force[2] = constant(g, -g0);
  p->contact[0].gap = p->q[2];
  p->contact[0].slip[0] = sub(g, p->v[0], scaled(g, radius, p->v[4]));
  p->contact[0].slip[1] = add(g, p->v[1], scaled(g, radius, p->v[3]));
  p->contact[0].friction = constant(g, friction);
  p->spec.contacts = 1;
  return p;
}

/*
** With the slip s at first, friction acts against it: after T = 2 |s| / (7 mu g) it rolls at
** v - 2 s / 7, having gone (v - s / 7) T.  The spin about the vertical stays.
*/
TEST(a_sphere_slides_then_rolls) {
  unsigned seed = 5;
  for (int i = 0; i < 30; i++) {
    const double r = random_in(&seed, 0.1, 0.5), mu = random_in(&seed, 0.1, 0.6);
    double q[6] = {0}, v[6] = {0}, v0[6] = {0};
    for (int k = 0; k < 6; k++)
      v0[k] = v[k] = k == 2 ? 0 : random_in(&seed, -3, 3);
    const double s[] = {v[0] - r * v[4], v[1] + r * v[3]}, size = hypot(s[0], s[1]);
    const double T = 2 * size / (7 * mu * g0);
    Run run;
    REQUIRE(run_from(&run, sphere(r, mu), 0, 0, q, v));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
    CHECK_OK(sarrus_sim_advance(run.sim, T * (1 - 1e-6)));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
    CHECK_OK(sarrus_sim_advance(run.sim, 3 * T));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
    state_of(run.sim, q, v);
    for (int k = 0; k < 2; k++) {
      const double rolls = v0[k] - 2 * s[k] / 7;
      CHECK_NEAR(v[k], rolls, 1e-12);
      CHECK_NEAR(q[k], (v0[k] - s[k] / 7) * T + rolls * 2 * T, 1e-12);
    }
    CHECK_NEAR(v[0] - r * v[4], 0, 1e-14);
    CHECK_NEAR(v[1] + r * v[3], 0, 1e-14);
    CHECK_CLOSE(v[5], v0[5], 1e-14);
    CHECK_NEAR(q[2], 0, 1e-15);
    run_free(&run);
  }
}

/*
** Angular momentum about any line of the floor through the point of contact stays: 7/5 of rolling.
** 
*/
TEST(rolling_does_not_depend_on_friction) {
  unsigned seed = 9;
  const double r = 0.3;
  double v0[6] = {0}, rolls[2];
  for (int k = 0; k < 6; k++)
    v0[k] = k == 2 ? 0 : random_in(&seed, -2, 2);
  for (int i = 0; i < 6; i++) {
    const double mu = 0.05 + 0.15 * i;
    double q[6] = {0}, v[6];
    Run run;
    memcpy(v, v0, sizeof v);
    REQUIRE(run_from(&run, sphere(r, mu), 0, 0, q, v));
    CHECK_OK(sarrus_sim_advance(run.sim, 20));
    state_of(run.sim, q, v);
    if (i == 0) memcpy(rolls, v, sizeof rolls);
    CHECK_NEAR(v[0], rolls[0], 1e-12);
    CHECK_NEAR(v[1], rolls[1], 1e-12);
    CHECK_NEAR(v[0], (5 * v0[0] + 2 * r * v0[4]) / 7, 1e-12);
    CHECK_NEAR(v[1], (5 * v0[1] - 2 * r * v0[3]) / 7, 1e-12);
    run_free(&run);
  }
}

/* --- a plate on feet --------------------------------------------------------------------- */

enum { FEET = 4 };

/* Feet at the corners of a rectangle, or some of them, around the centre of mass. */
static const double foot[FEET][2] = {{0.5, 0.3}, {-0.5, 0.3}, {-0.5, -0.3}, {0.5, -0.3}};

/*
** A thin plate of mass 1 that moves little: x, y, z, and turns about the axes.  Parameter 0 times t
** pushes it in its plane in the direction `at`, parameter 1 shifts its weight along x.
*/
static Parts *plate(double friction, double static_friction, double at) {
  Parts *p = parts_new(sarrus_memory_default(), 6);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr push = mul(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 0), p->t);
  for (int i = 3; i < 6; i++)
    p->mass[i * 6 + i] = constant(g, i == 5 ? 0.2 : 0.1);
  p->force[0] = scaled(g, cos(at), push);
  p->force[1] = scaled(g, sin(at), push);
  p->force[2] = constant(g, -g0);
  p->force[4] = scaled(g, g0, sarrus_graph_symbol(g, SARRUS_PARAMETER, 1));
  for (int i = 0; i < FEET; i++) {
    const double x = foot[i][0], y = foot[i][1];
    p->contact[i].gap = add(g, p->q[2], sub(g, scaled(g, y, p->q[3]), scaled(g, x, p->q[4])));
    p->contact[i].slip[0] = sub(g, p->v[0], scaled(g, y, p->v[5]));
    p->contact[i].slip[1] = add(g, p->v[1], scaled(g, x, p->v[5]));
    p->contact[i].friction = constant(g, friction);
    p->contact[i].static_friction = constant(g, static_friction);
  }
  p->spec.contacts = FEET;
  p->spec.parameters = 2;
  return p;
}

/* Forces of the feet while they stick: all within their cones, and what they add up to. */
static void check_feet(const sarrus_Sim *sim, double mu, const double sum[2]) {
  double lambda[3 * FEET], total[3] = {0};
  CHECK_OK(sarrus_sim_state(sim, NULL, NULL, NULL, lambda));
  for (int i = 0; i < FEET; i++) {
    const double N = -lambda[i], x = -lambda[FEET + 2 * i], y = -lambda[FEET + 2 * i + 1];
    CHECK(N >= -1e-12);
    CHECK(hypot(x, y) <= mu * N * (1 + 1e-6) + 1e-12);
    total[0] += x;
    total[1] += y;
    total[2] += N;
  }
  CHECK_NEAR(total[0], sum[0], 1e-9);
  CHECK_NEAR(total[1], sum[1], 1e-9);
  CHECK_NEAR(total[2], g0, 1e-10);
}

/*
** Four feet hold a push through the middle up to mu g, however they share the load, and let it go
** in the direction of the push: by k d^3 / 6 after d.
*/
TEST(a_plate_breaks_loose) {
  unsigned seed = 2;
  for (int i = 0; i < 8; i++) {
    const double mu = random_in(&seed, 0.2, 0.5), at = random_in(&seed, -3, 3), rate = 2;
    const double go = mu * g0 / rate, d = 0.1;
    const double shift = i < 4 ? 0 : random_in(&seed, -0.2, 0.2);
    double q[6] = {0}, v[6] = {0};
    Run run;
    REQUIRE(run_from(&run, plate(mu, mu, at), rate, shift, q, v));
    CHECK_OK(sarrus_sim_advance(run.sim, 0.5 * go));
    const double half = 0.5 * go * rate;
    check_feet(run.sim, mu, (const double[]){-half * cos(at), -half * sin(at)});
    state_of(run.sim, q, v);
    for (int k = 0; k < 6; k++)
      CHECK_NEAR(q[k], 0, 1e-13);
    if (shift == 0) { /* friction acts through the middle */
      CHECK_OK(sarrus_sim_advance(run.sim, 0.98 * go));
      CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
      CHECK_OK(sarrus_sim_advance(run.sim, go + d));
      int slips = 0;
      for (int c = 0; c < FEET; c++)
        slips += mode_of(run.sim, c) == SARRUS_SLIP;
      CHECK(slips >=
            2); /* those of a diagonal carry what stands in the middle; others may be idle */
      state_of(run.sim, q, v);
      CHECK_NEAR(q[0], rate * d * d * d / 6 * cos(at), 1e-8);
      CHECK_NEAR(q[1], rate * d * d * d / 6 * sin(at), 1e-8);
    }
    run_free(&run);
  }
}

static double energy_of(const double *q, const double *v) {
  double sum = g0 * q[2];
  for (int k = 0; k < 6; k++)
    sum += (k < 3 ? 1 : k == 5 ? 0.2 : 0.1) * v[k] * v[k] / 2;
  return sum;
}

/*
** Sliding along any line it slows down by mu g; turning on the spot, each foot r from the middle,
** by mu g r / J.
*/
TEST(a_plate_slides_or_turns_to_rest) {
  unsigned seed = 4;
  const double r = hypot(foot[0][0], foot[0][1]);
  for (int i = 0; i < 10; i++) {
    const double mu = random_in(&seed, 0.2, 0.5), at = random_in(&seed, -3, 3);
    const double v0 = random_in(&seed, 0.2, 2), turns = i % 2;
    const double slows = turns != 0 ? mu * g0 * r / 0.2 : mu * g0, T = v0 / slows;
    double q[6] = {0}, v[6] = {0};
    Run run;
    v[0] = (1 - turns) * v0 * cos(at);
    v[1] = (1 - turns) * v0 * sin(at);
    v[5] = turns * v0;
    REQUIRE(run_from(&run, plate(mu, mu, 0), 0, 0, q, v));
    CHECK_OK(sarrus_sim_advance(run.sim, 0.5 * T));
    state_of(run.sim, q, v);
    CHECK_NEAR(hypot(hypot(v[0], v[1]), v[5]), 0.5 * v0, 1e-11);
    CHECK_OK(sarrus_sim_advance(run.sim, 2 * T));
    state_of(run.sim, q, v);
    CHECK_NEAR(q[0], (1 - turns) * 0.5 * v0 * T * cos(at), 1e-11);
    CHECK_NEAR(q[1], (1 - turns) * 0.5 * v0 * T * sin(at), 1e-11);
    CHECK_NEAR(q[5], turns * 0.5 * v0 * T, 1e-11);
    CHECK_NEAR(energy_of(q, v), 0, 1e-15);
    run_free(&run);
  }
}

/*
** Thrown and turned at random it slows down: energy falls, nothing lifts, and it comes to rest. 
** (One foot may stop before, with the others turning about it.)
*/
TEST(a_plate_comes_to_rest) {
  unsigned seed = 4;
  for (int i = 0; i < 12; i++) {
    const double mu = random_in(&seed, 0.2, 0.5);
    double q[6] = {0}, v[6] = {0}, before;
    Run run;
    v[0] = random_in(&seed, -1, 1);
    v[1] = random_in(&seed, -1, 1);
    v[5] = random_in(&seed, -3, 3);
    before = energy_of(q, v);
    REQUIRE(run_from(&run, plate(mu, mu, 0), 0, random_in(&seed, -0.2, 0.2), q, v));
    for (int k = 1; k <= 40; k++) {
      REQUIRE_OK(sarrus_sim_advance(run.sim, 0.05 * k));
      state_of(run.sim, q, v);
      CHECK(energy_of(q, v) <= before);
      before = energy_of(q, v);
      for (int c = 0; c < FEET; c++)
        CHECK(q[2] + foot[c][1] * q[3] - foot[c][0] * q[4] > -1e-12);
    }
    CHECK_NEAR(before, 0, 1e-15);
    run_free(&run);
  }
}

/*
** Without a push sideways it stays where it is put, its weight shifted as far as the feet carry it:
** moments balance.
*/
TEST(feet_carry_what_stands_on_them) {
  for (int i = -4; i <= 4; i++) {
    const double shift = 0.11 * i;
    double q[6] = {0}, v[6] = {0}, lambda[3 * FEET], turns[2] = {0, 0};
    Run run;
    REQUIRE(run_from(&run, plate(0.3, 0.4, 0), 0, shift, q, v));
    CHECK_OK(sarrus_sim_advance(run.sim, 5));
    CHECK_OK(sarrus_sim_state(run.sim, q, v, NULL, lambda));
    for (int c = 0; c < FEET; c++) {
      CHECK(-lambda[c] >= -1e-12);
      turns[0] += -lambda[c] * foot[c][0];
      turns[1] += -lambda[c] * foot[c][1];
    }
    CHECK_NEAR(turns[0], g0 * shift, 1e-11);
    CHECK_NEAR(turns[1], 0, 1e-11);
    check_feet(run.sim, 0.4, (const double[]){0, 0});
    run_free(&run);
  }
}
