/* Several contacts at once in the plane: sleds on many runners, blocks on blocks, tipping. */
#include "contacts.h"

/* --- a sled ------------------------------------------------------------------------------ */

enum { MOST_RUNNERS = 5 };

/*
** A box of mass 1 at x, y, theta (small) that stands on `count` points from -a to a, its centre h
** above them.  Friction at the floor turns it.
*/
static Parts *sled(int count, double a, double h, double mu) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  p->mass[8] = constant(g, 0.1);
  p->force[1] = constant(g, -g0);
  for (int i = 0; i < count; i++) {
    const double x = count == 1 ? 0 : a * (2.0 * i / (count - 1) - 1);
    p->contact[i].gap = add(g, p->q[1], scaled(g, x, p->q[2]));
    p->contact[i].slip[0] = add(g, p->v[0], scaled(g, h, p->v[2]));
    p->contact[i].friction = constant(g, mu);
  }
  p->spec.contacts = count;
  return p;
}

/*
** It slows down by mu g whatever stands on the floor, as long as mu h < a: the load goes to the
** front, so that its centre is mu h ahead.
*/
TEST(sleds_slow_down_alike) {
  unsigned seed = 8;
  for (int i = 0; i < 24; i++) {
    const int count = 2 + i % (MOST_RUNNERS - 1);
    const double mu = random_in(&seed, 0.1, 0.5), a = random_in(&seed, 0.3, 1);
    const double h = random_in(&seed, 0, 0.9 * a / mu), v0 = random_in(&seed, -3, 3);
    const double T = fabs(v0) / (mu * g0), side = v0 > 0 ? 1 : -1;
    double q[] = {0, 0, 0}, v[] = {v0, 0, 0}, lambda[2 * MOST_RUNNERS], sum = 0, turn = 0;
    Run run;
    REQUIRE(run_from(&run, sled(count, a, h, mu), 0, 0, q, v));
    CHECK_OK(sarrus_sim_advance(run.sim, 0.5 * T));
    CHECK_OK(sarrus_sim_state(run.sim, q, v, NULL, lambda));
    CHECK_NEAR(v[0], 0.5 * v0, 1e-12);
    CHECK_NEAR(q[1], 0, 1e-13);
    CHECK_NEAR(q[2], 0, 1e-13);
    for (int c = 0; c < count; c++) {
      CHECK(-lambda[c] >= -1e-11);
      sum += -lambda[c];
      turn += -lambda[c] * a * (2.0 * c / (count - 1) - 1);
    }
    CHECK_CLOSE(sum, g0, 1e-12);
    CHECK_NEAR(turn, side * mu * h * g0, 1e-11);
    CHECK_OK(sarrus_sim_advance(run.sim, 1.5 * T));
    state_of(run.sim, q, v);
    CHECK_NEAR(q[0], 0.5 * v0 * T, 1e-12);
    CHECK_NEAR(v[0], 0, 1e-28);
    CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
    run_free(&run);
  }
}

/* Where mu h > a its tail lifts at once. */
TEST(a_sled_tips_over) {
  for (int side = -1; side <= 1; side += 2) {
    double q[] = {0, 0, 0}, v[] = {2.0 * side, 0, 0};
    Run run;
    REQUIRE(run_from(&run, sled(2, 0.3, 1, 0.5), 0, 0, q, v));
    CHECK_OK(sarrus_sim_advance(run.sim, 1e-3));
    CHECK_INT(mode_of(run.sim, side > 0 ? 0 : 1), SARRUS_OPEN);
    CHECK_INT(mode_of(run.sim, side > 0 ? 1 : 0), SARRUS_SLIP);
    state_of(run.sim, q, v);
    CHECK(q[2] * side < 0);
    run_free(&run);
  }
}

/* --- a block on a block ------------------------------------------------------------------ */

/*
** A block of mass m on one of mass 1, on a floor; frictions mu between them and nu below.  A force
** F pushes the lower one.
*/
static Parts *blocks(double m, double mu, double nu, double F) {
  Parts *p = parts_new(sarrus_memory_default(), 4); /* x, y of the lower, x, y of the upper */
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  for (int i = 2; i < 4; i++)
    p->mass[i * 4 + i] = constant(g, m);
  p->force[0] = constant(g, F);
  p->force[1] = constant(g, -g0);
  p->force[3] = constant(g, -m * g0);
  p->contact[0].gap = p->q[1];
  p->contact[0].slip[0] = p->v[0];
  p->contact[0].friction = constant(g, nu);
  p->contact[1].gap = sub(g, p->q[3], p->q[1]);
  p->contact[1].slip[0] = sub(g, p->v[2], p->v[0]);
  p->contact[1].friction = constant(g, mu);
  p->spec.contacts = 2;
  return p;
}

/* What both do: rest, go together, or apart. */
static void expected(double m, double mu, double nu, double F, double a[2]) {
  const double below = nu * (1 + m) * g0, size = fabs(F), sign = F > 0 ? 1 : -1;
  const double together = (size - below) / (1 + m);
  a[0] = a[1] = 0;
  if (size <= below) return;
  a[0] = a[1] = sign * together;
  if (together <= mu * g0) return;
  a[0] = sign * (size - below - mu * m * g0);
  a[1] = sign * mu * g0;
}

TEST(blocks_on_blocks) {
  unsigned seed = 6;
  int kinds[3] = {0, 0, 0};
  for (int i = 0; i < 60; i++) {
    const double m = random_in(&seed, 0.2, 3), mu = random_in(&seed, 0.05, 0.6);
    const double nu = random_in(&seed, 0.05, 0.6), F = random_in(&seed, -40, 40);
    double a[2], q[] = {0, 0, 0, 0}, v[] = {0, 0, 0, 0};
    Run run;
    expected(m, mu, nu, F, a);
    kinds[a[0] == 0 ? 0 : a[0] == a[1] ? 1 : 2]++;
    REQUIRE(run_from(&run, blocks(m, mu, nu, F), 0, 0, q, v));
    CHECK_INT(mode_of(run.sim, 0), a[0] == 0 ? SARRUS_STICK : SARRUS_SLIP);
    CHECK_INT(mode_of(run.sim, 1), a[0] == a[1] ? SARRUS_STICK : SARRUS_SLIP);
    CHECK_OK(sarrus_sim_advance(run.sim, 0.8));
    state_of(run.sim, q, v);
    CHECK_NEAR(q[0], a[0] * 0.32, 1e-12);
    CHECK_NEAR(q[2], a[1] * 0.32, 1e-12);
    CHECK_NEAR(q[1], 0, 1e-14);
    CHECK_NEAR(q[3], 0, 1e-14);
    run_free(&run);
  }
  for (int k = 0; k < 3; k++)
    CHECK(kinds[k] >= 5);
}

/*
** Thrown, the upper one drags the lower along until both move alike; then they slow down together
** if mu > nu: momentum falls by nu (1 + m) g, all the time that the lower one moves.
*/
TEST(one_drags_the_other_along) {
  unsigned seed = 12;
  for (int i = 0; i < 20; i++) {
    const double m = random_in(&seed, 1, 3), nu = random_in(&seed, 0.05, 0.1);
    const double mu = random_in(&seed, 3 * nu, 0.6), u = random_in(&seed, 1, 4);
    const double up = mu * m * g0 - nu * (1 + m) * g0; /* of the lower one, at first */
    const double meet = u / (up + mu * g0), both = up * meet, stop = meet + both / (nu * g0);
    double q[] = {0, 0, 0, 0}, v[] = {0, 0, u, 0};
    Run run;
    REQUIRE(run_from(&run, blocks(m, mu, nu, 0), 0, 0, q, v));
    CHECK_OK(sarrus_sim_advance(run.sim, meet * 1.0001));
    CHECK_INT(mode_of(run.sim, 1), SARRUS_STICK);
    CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
    CHECK_OK(sarrus_sim_advance(run.sim, stop * 2));
    state_of(run.sim, q, v);
    CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
    CHECK_NEAR(q[0], up * meet * meet / 2 + both * both / (2 * nu * g0), 1e-11);
    CHECK_NEAR(q[2] - q[0], u * meet / 2, 1e-11);
    run_free(&run);
  }
}

/* --- falling on each other --------------------------------------------------------------- */

/* Two balls, one above the other, with any masses and restitutions: energy never rises. */
TEST(balls_above_each_other) {
  unsigned seed = 15;
  for (int i = 0; i < 12; i++) {
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    const double m = random_in(&seed, 0.1, 5),
                 e[] = {random_in(&seed, 0, 1), random_in(&seed, 0, 1)};
    p->mass[3] = constant(p->g, m);
    p->force[0] = constant(p->g, -g0);
    p->force[1] = constant(p->g, -m * g0);
    p->contact[0].gap = p->q[0];
    p->contact[1].gap = sub(p->g, p->q[1], p->q[0]);
    for (int k = 0; k < 2; k++)
      p->contact[k].restitution = constant(p->g, e[k]);
    p->spec.contacts = 2;
    double q[] = {1, random_in(&seed, 1.01, 2)}, v[] = {0, random_in(&seed, -2, 1)};
    double before = (v[0] * v[0] + m * v[1] * v[1]) / 2 + g0 * (q[0] + m * q[1]);
    Run run;
    REQUIRE(run_from(&run, p, 0, 0, q, v));
    for (int k = 1; k <= 60; k++) {
      REQUIRE_OK(sarrus_sim_advance(run.sim, 0.05 * k));
      state_of(run.sim, q, v);
      const double energy = (v[0] * v[0] + m * v[1] * v[1]) / 2 + g0 * (q[0] + m * q[1]);
      CHECK(energy <= before * (1 + 1e-12) + 1e-12);
      CHECK(q[0] > -1e-10 && q[1] - q[0] > -1e-10);
      before = energy;
    }
    run_free(&run);
  }
}
