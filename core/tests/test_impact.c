/* Impacts: closed forms, Newton's cradle, and energy, which never rises. */
#include "impact.h"
#include "lcp_problems.h"

static _Alignas(16) char work[1 << 19];
static double impulse[ROWS], after[ROWS];
static int stages;

static LcpStatus hit(Contacts *c) {
  complete(c);
  const ImpactProblem p = {c->n, 1, c->W, c->b, c->mu, c->e, c->guided};
  CHECK(impact_work_size(p.n, p.axes) <= sizeof work);
  return impact_solve(&p, impulse, after, &stages, work);
}

/* Speeds of all freedoms after the impact. */
static double speed_after(const Contacts *c, int k) {
  double v = c->u[k];
  for (int i = 0; i < 2 * c->n; i++)
    v += c->B[i][k] * impulse[i] / c->mass[k];
  return v;
}

static Contacts cradle(int balls, double e) {
  Contacts c = row_of_bodies(balls - 1, 0, 0);
  for (int i = 0; i < c.n; i++)
    set_contact(&c, i, 0, e);
  c.u[0] = 1;
  return c;
}

TEST(a_ball_bounces) {
  Contacts c = {.n = 1, .freedoms = 2, .B = {{0, 1}, {1, 0}}, .mass = {2, 2}, .u = {3, -4}};
  set_contact(&c, 0, 0, 0.5);
  CHECK_INT(hit(&c), LCP_SOLVED);
  CHECK(after[0] == 2 && after[1] == 3 && impulse[0] == 12 && impulse[1] == 0);
  set_contact(&c, 0, 0.25, 0.5); /* sliding all the time: 3 - (4 + 2) / 4 */
  CHECK_INT(hit(&c), LCP_SOLVED);
  CHECK(after[0] == 2 && after[1] == 1.5 && stages == 1);
  set_contact(&c, 0, 1, 0); /* it stops */
  CHECK_INT(hit(&c), LCP_SOLVED);
  CHECK(after[0] == 0 && after[1] == 0 && impulse[0] == 8 && impulse[1] == -6);
  c.u[1] = 1; /* it leaves: nothing happens */
  CHECK_INT(hit(&c), LCP_SOLVED);
  CHECK(impulse[0] == 0 && after[0] == 1 && stages == 0);
}

/* One freedom, v_n = 0.6 u, v_t = 0.8 u: r = 4/3 (T69). */
TEST(a_guided_contact_slips_with_its_approach) {
  const int guided = 1;
  Contacts c = {.n = 1, .freedoms = 1, .B = {{0.6}, {0.8}}, .mass = {2}, .u = {-3}};
  c.guided = &guided;
  for (int k = 0; k <= 8; k++) {
    const double mu = 0.15 * k, drag = 4 * mu / 3, least = 3 * 2 / (0.6 * (1 + drag));
    set_contact(&c, 0, mu, 0.5);
    CHECK_INT(hit(&c), LCP_SOLVED);
    CHECK_NEAR(speed_after(&c, 0), 1.5 * fmax(0, 1 - drag) / (1 + drag), 1e-15);
    CHECK_NEAR(impulse[0], 1.5 * least, 1e-14);
    CHECK(fabs(impulse[1]) <= mu * impulse[0]);
    set_contact(&c, 0, mu, 0);
    CHECK_INT(hit(&c), LCP_SOLVED);
    CHECK_NEAR(impulse[0], least, 1e-14);
    CHECK_NEAR(impulse[1], mu * least, 1e-14);
    CHECK(after[0] == 0 && after[1] == 0);
  }
}

/* Two of them on one slider, and a ball behind it that is struck through it. */
TEST(guided_contacts_strike_together) {
  const int guided[] = {1, 1, 0};
  Contacts c = {.n = 3,
                .freedoms = 2,
                .B = {{0.6, 0}, {0.8, 0}, {-1, 1}, {0.8, 0}, {0.6, 0}, {0, 0}},
                .mass = {2, 1},
                .u = {-3, -3}};
  c.guided = guided;
  for (int k = 0; k < 3; k++)
    set_contact(&c, k, k < 2 ? 0.3 : 0, 0.5);
  CHECK_INT(hit(&c), LCP_SOLVED);
  double energy = 0;
  for (int k = 0; k < 2; k++)
    energy += 0.5 * c.mass[k] * speed_after(&c, k) * speed_after(&c, k);
  CHECK(after[0] >= 0 && after[1] >= 0 && after[2] >= 0 && energy < 13.5);
  for (int k = 0; k < 2; k++)
    CHECK(impulse[k] >= 0 && fabs(impulse[3 + k]) <= 0.3 * impulse[k] * (1 + 1e-14));
}

TEST(newtons_cradle) {
  Contacts c = cradle(5, 1);
  CHECK_INT(hit(&c), LCP_SOLVED);
  CHECK_INT(stages, 4);
  for (int k = 0; k < 5; k++)
    CHECK(speed_after(&c, 3 * k) == (k == 4));
  c.u[3] = 1; /* two balls: two leave */
  CHECK_INT(hit(&c), LCP_SOLVED);
  for (int k = 0; k < 5; k++)
    CHECK(speed_after(&c, 3 * k) == (k >= 3));
  c = cradle(5, 0.8);
  CHECK_INT(hit(&c), LCP_SOLVED);
  CHECK_INT(stages, 7);
  c = cradle(5, 0.1);
  CHECK_INT(hit(&c), LCP_SOLVED);
  CHECK_INT(stages, IMPACT_STAGES + 1);
  for (int i = 0; i < c.n; i++)
    CHECK(after[i] >= -1e-15);
  c = cradle(5, 0); /* together */
  CHECK_INT(hit(&c), LCP_SOLVED);
  CHECK_INT(stages, 1);
  for (int k = 0; k < 5; k++)
    CHECK_NEAR(speed_after(&c, 3 * k), 0.2, 1e-16);
}

/* A box falls flat on four points: it rises with e times its speed, without turning. */
TEST(redundant_contacts_bounce_together) {
  for (int points = 2; points <= 4; points++) {
    Contacts c = box_on_line(points, 2, 1, 0, 0.5);
    c.u[1] = -2;
    CHECK_INT(hit(&c), LCP_SOLVED);
    CHECK_NEAR(speed_after(&c, 1), 1, 1e-15);
    CHECK_NEAR(speed_after(&c, 2), 0, 1e-15);
  }
}

/*
** Energy: impulse . (v + after) / 2 <= 1e-14 of what there is before; nothing approaches after.
*/

static void check_energy(Contacts *c) {
  double energy = 0, change = 0, fastest = 0;
  for (int k = 0; k < c->freedoms; k++) {
    c->u[k] = uniform(-1, 1);
    energy += 0.5 * c->mass[k] * c->u[k] * c->u[k];
  }
  CHECK_INT(hit(c), LCP_SOLVED);
  for (int i = 0; i < 2 * c->n; i++) {
    change += 0.5 * impulse[i] * (c->b[i] + after[i]);
    fastest = fmax(fastest, fabs(c->b[i]));
  }
  CHECK(change <= 1e-14 * energy);
  for (int i = 0; i < c->n; i++) {
    CHECK(impulse[i] >= 0 && after[i] >= -1e-12 * fastest);
    CHECK(fabs(impulse[c->n + i]) <= c->mu[i] * impulse[i] * (1 + 1e-12));
  }
}

static void vary(Contacts *c, double e_least) {
  for (int i = 0; i < c->n; i++)
    set_contact(c, i, below(4) ? uniform(0, 2) : 0, below(4) ? uniform(e_least, 1) : e_least);
}

TEST(rods_gain_no_energy) {
  for (int trial = 0; trial < 50000; trial++) {
    Contacts c = rod(uniform(0, 3.14), uniform(0, 3), uniform(0, 1));
    check_energy(&c);
  }
}

TEST(boxes_gain_no_energy) {
  for (int trial = 0; trial < 30000; trial++) {
    Contacts c = box_on_line(1 + below(4), uniform(0.2, 3), uniform(0.2, 3), 0, 0);
    vary(&c, 0);
    check_energy(&c);
  }
}

TEST(chains_gain_no_energy) {
  for (int trial = 0; trial < 10000; trial++) {
    Contacts c = row_of_bodies(1 + below(5), 2, 0.5);
    vary(&c, below(20) ? 0.5 : 0);
    check_energy(&c);
  }
}

/* Rows that jam and are redundant among them. */
TEST(any_contacts_gain_no_energy) {
  for (int trial = 0; trial < 10000; trial++) {
    Contacts c = any_contacts(1 + below(5), 3 + below(10), 0);
    vary(&c, below(20) ? 0.5 : 0);
    check_energy(&c);
  }
}
