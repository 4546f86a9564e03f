/* Bearings: dry friction whose bound grows with what the bearing carries. */
#include <float.h>

#include "contacts.h"

/* The disk of these tests: mass, radius of gyration squared, friction times radius of the pin. */
static const double inertia = 0.5, arm = 0.02;

/*
** A disk of mass 1 on a pin, at x, y, theta.  Parameters 0 and 1 push it along x and y, parameter 2
** times t turns it, parameter 3 pushes along x in proportion to t.
*/
static Parts *disk(double friction, double static_friction, double constant_part) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  sarrus_Expr parameter[4];
  for (int i = 0; i < 4; i++)
    parameter[i] = sarrus_graph_symbol(g, SARRUS_PARAMETER, i);
  p->mass[8] = constant(g, inertia);
  p->force[0] = add(g, parameter[0], mul(g, parameter[3], p->t));
  p->force[1] = parameter[1];
  p->force[2] = mul(g, parameter[2], p->t);
  for (int i = 0; i < 2; i++) {
    p->constraint[i] = p->q[i];
    p->contact[0].load[i] = sarrus_graph_symbol(g, SARRUS_LAMBDA, i);
  }
  p->contact[0].slip[0] = p->v[2];
  p->contact[0].friction = constant(g, constant_part);
  p->contact[0].loads = 2;
  p->contact[0].load_friction = constant(g, friction * arm);
  p->contact[0].load_static = constant(g, static_friction * arm);
  p->spec.constraints = 2;
  p->spec.contacts = 1;
  p->spec.parameters = 4;
  return p;
}

/* From rest or at the speed w, with these parameters. */
static bool run_disk(Run *run, Parts *p, const double parameter[4], double w) {
  const double q[] = {0, 0, 0}, v[] = {0, 0, w};
  if (!run_new(run, p, &tight)) return false;
  for (int i = 0; i < 4; i++)
    CHECK_OK(sarrus_sim_preset(run->sim, i, parameter[i]));
  return CHECK_OK(sarrus_sim_start(run->sim, 0, q, v));
}

/* Under any load R it slows down by c R / J, and stops. */
TEST(it_stops_in_proportion_to_its_load) {
  unsigned seed = 7;
  for (int i = 0; i < 40; i++) {
    const double x = random_in(&seed, -20, 20), y = random_in(&seed, -20, 20);
    const double mu = random_in(&seed, 0.05, 0.6), own = i % 2 == 0 ? 0 : random_in(&seed, 0, 0.1);
    const double w = random_in(&seed, 0.5, 3) * (i % 3 == 0 ? -1 : 1);
    const double slows = (mu * arm * hypot(x, y) + own) / inertia, T = fabs(w) / slows;
    Run run;
    double q[3], v[3];
    REQUIRE(run_disk(&run, disk(mu, mu, own), (const double[]){x, y, 0, 0}, w));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
    CHECK_OK(sarrus_sim_advance(run.sim, 0.5 * T));
    state_of(run.sim, q, v);
    CHECK_CLOSE(v[2], 0.5 * w, 1e-12);
    CHECK_CLOSE(q[2], 0.375 * w * T, 1e-12);
    CHECK_OK(sarrus_sim_advance(run.sim, 1.5 * T));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
    state_of(run.sim, q, v);
    CHECK_CLOSE(q[2], 0.5 * w * T, 1e-11);
    CHECK_NEAR(v[2], 0, 0);
    run_free(&run);
  }
}

/* What carries nothing has no friction, and turns for ever. */
TEST(without_load_it_turns_for_ever) {
  Run run;
  double q[3], v[3];
  REQUIRE(run_disk(&run, disk(0.3, 0.3, 0), (const double[]){0, 0, 0, 0}, 2));
  CHECK_OK(sarrus_sim_advance(run.sim, 1000));
  state_of(run.sim, q, v);
  CHECK_CLOSE(q[2], 2000, 1e-13);
  CHECK_CLOSE(v[2], 2, 1e-13);
  run_free(&run);
}

/*
** A load that grows from nothing, R = k t: the speed falls by c k t^2 / 2J.
*/
TEST(a_load_that_grows_from_nothing) {
  const double k = 30, mu = 0.4, w = 2, slows = mu * arm * k / inertia, T = sqrt(2 * w / slows);
  for (int side = -1; side <= 1; side += 2) {
    Run run;
    double q[3], v[3];
    REQUIRE(run_disk(&run, disk(mu, mu, 0), (const double[]){0, 0, 0, side * k}, w));
    CHECK_OK(sarrus_sim_advance(run.sim, 0.5 * T));
    state_of(run.sim, q, v);
    CHECK_CLOSE(v[2], 0.75 * w, 1e-11);
    CHECK_OK(sarrus_sim_advance(run.sim, 2 * T));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
    state_of(run.sim, q, v);
    CHECK_CLOSE(q[2], 2 * w * T / 3, 1e-11);
    run_free(&run);
  }
}

/* A torque that grows, m t, breaks it loose at c_s R; what follows has c R. */
TEST(a_torque_breaks_it_loose) {
  unsigned seed = 3;
  for (int i = 0; i < 20; i++) {
    const double R = random_in(&seed, 5, 20), at = random_in(&seed, 0, 6);
    const double mu = random_in(&seed, 0.1, 0.4), more = i % 2 == 0 ? 1 : random_in(&seed, 1, 1.5);
    const double m = random_in(&seed, 0.05, 0.2), go = more * mu * arm * R / m, d = 0.7;
    const double torque = more * mu * arm * R - mu * arm * R; /* left over when it breaks loose */
    Run run;
    double q[3], v[3];
    REQUIRE(run_disk(&run, disk(mu, more * mu, 0),
                     (const double[]){R * cos(at), R * sin(at), i % 4 < 2 ? m : -m, 0}, 0));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
    CHECK_OK(sarrus_sim_advance(run.sim, 0.999 * go));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
    CHECK_OK(sarrus_sim_advance(run.sim, go + d));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
    state_of(run.sim, q, v);
    CHECK_CLOSE(fabs(v[2]), (torque * d + m * d * d / 2) / inertia, 1e-10);
    CHECK_CLOSE(fabs(q[2]), (torque * d * d / 2 + m * d * d * d / 6) / inertia, 1e-10);
    run_free(&run);
  }
}

/*
** A pendulum, x, y, theta, on such a pin: energy falls in every interval, and where it has come to
** rest friction can hold it.
*/
static Parts *pinned_pendulum(double length, double friction) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  p->mass[8] = constant(g, inertia);
  p->force[1] = constant(g, -g0);
  p->constraint[0] = sub(g, p->q[0], scaled(g, length, sine(p, p->q[2])));
  p->constraint[1] = add(g, p->q[1], scaled(g, length, cosine(p, p->q[2])));
  p->contact[0].slip[0] = p->v[2];
  p->contact[0].loads = 2;
  for (int i = 0; i < 2; i++)
    p->contact[0].load[i] = sarrus_graph_symbol(g, SARRUS_LAMBDA, i);
  p->contact[0].load_friction = constant(g, friction * arm);
  p->spec.constraints = 2;
  p->spec.contacts = 1;
  return p;
}

TEST(a_pendulum_comes_to_rest) {
  unsigned seed = 11;
  for (int i = 0; i < 8; i++) {
    const double length = random_in(&seed, 0.2, 1), mu = random_in(&seed, 0.3, 1);
    const double angle = random_in(&seed, -1.5, 1.5);
    const double q0[] = {length * sin(angle), -length * cos(angle), angle}, v0[] = {0, 0, 0};
    Run run;
    double q[3], v[3], before = HUGE_VAL;
    REQUIRE(run_from(&run, pinned_pendulum(length, mu), 0, 0, q0, v0));
    for (int k = 1; k <= 60; k++) {
      REQUIRE_OK(sarrus_sim_advance(run.sim, 4 * k));
      state_of(run.sim, q, v);
      const double energy =
          (v[0] * v[0] + v[1] * v[1] + inertia * v[2] * v[2]) / 2 + g0 * (q[1] + length);
      /* y + length cancels: at rest a unit in the last place of y is 1e-11 of this energy */
      CHECK(energy <= before * (1 + 1e-13) + DBL_EPSILON * g0 * length);
      before = energy;
    }
    CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
    CHECK_NEAR(v[2], 0, 0);
    CHECK(fabs(g0 * length * sin(q[2])) <= mu * arm * g0 * (1 + 1e-9));
    run_free(&run);
  }
}

/* Saved in both modes, and in either direction of load, it goes on with the same bits. */
TEST(records_go_on) {
  for (int i = 0; i < 2; i++) {
    Run run;
    sarrus_Sim *copy = NULL;
    double q[2][3], v[2][3];
    REQUIRE(run_disk(&run, disk(0.3, 0.4, 0.01), (const double[]){3, -4, 0.1, i}, 0.5));
    CHECK_OK(sarrus_sim_advance(run.sim, i == 0 ? 0.4 : 2));
    REQUIRE_OK(sarrus_sim_clone(run.sim, &copy));
    CHECK_OK(sarrus_sim_advance(run.sim, 9));
    CHECK_OK(sarrus_sim_advance(copy, 9));
    state_of(run.sim, q[0], v[0]);
    state_of(copy, q[1], v[1]);
    CHECK_INT(memcmp(q[0], q[1], sizeof q[0]), 0);
    CHECK_INT(memcmp(v[0], v[1], sizeof v[0]), 0);
    sarrus_sim_free(copy);
    run_free(&run);
  }
}

/* Bounds that are negative, or not finite, are refused where they are first asked for. */
TEST(bounds_that_are_none) {
  const double bad[] = {-0.1, (double)NAN, (double)INFINITY};
  for (int i = 0; i < 3; i++) {
    Run run;
    const double q[] = {0, 0, 0}, v[] = {0, 0, 1};
    Parts *p = disk(0.3, 0.3, 0);
    REQUIRE(p != NULL);
    p->contact[0].load_friction = p->contact[0].load_static =
        sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 2);
    REQUIRE(run_new(&run, p, &tight));
    CHECK_OK(sarrus_sim_preset(run.sim, 0, 1)); /* it carries something */
    const sarrus_Status status = sarrus_sim_preset(run.sim, 2, bad[i]);
    CHECK(status < 0 || sarrus_sim_start(run.sim, 0, q, v) < 0);
    run_free(&run);
  }
}
