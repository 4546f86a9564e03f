/* Impacts on the way of simulations: closed forms for random masses, speeds and restitutions. */
#include "contacts.h"

enum { BALLS = 3 };

/* Balls of no size on a line, without gravity, each left of the next. */
static Parts *balls(const double *mass, const double *e) {
  Parts *p = parts_new(sarrus_memory_default(), BALLS);
  if (p == NULL) return NULL;
  for (int i = 0; i < BALLS; i++)
    p->mass[i * BALLS + i] = constant(p->g, mass[i]);
  for (int i = 0; i + 1 < BALLS; i++) {
    p->contact[i].gap = sub(p->g, p->q[i + 1], p->q[i]);
    p->contact[i].restitution = constant(p->g, e[i]);
  }
  p->spec.contacts = BALLS - 1;
  return p;
}

/*
** The same by hand, impact after impact: of two that meet, the relative speed turns round by e, and
** their momentum stays.  Answers how many there were until `end`; stops before two at once.
*/
static int by_hand(const double *mass, const double *e, double *q, double *v, double end) {
  double t = 0;
  for (int count = 0;; count++) {
    double next = end - t;
    int which = -1;
    for (int i = 0; i + 1 < BALLS; i++) {
      const double when = (q[i + 1] - q[i]) / (v[i] - v[i + 1]);
      if (v[i] > v[i + 1] && when > 1e-12 && when < next) {
        next = when;
        which = i;
      }
    }
    for (int i = 0; i < BALLS; i++)
      q[i] += next * v[i];
    t += next;
    if (which < 0) return count;
    const double a = mass[which], b = mass[which + 1], speed = v[which] - v[which + 1];
    v[which] -= (1 + e[which]) * b / (a + b) * speed;
    v[which + 1] += (1 + e[which]) * a / (a + b) * speed;
    q[which + 1] = q[which]; /* they touch, up to rounding */
  }
}

static double sum_of(const double *mass, const double *v, int power) {
  double sum = 0;
  for (int i = 0; i < BALLS; i++)
    sum += mass[i] * (power == 1 ? v[i] : v[i] * v[i]);
  return sum;
}

TEST(balls_on_a_line) {
  unsigned seed = 33;
  int most = 0;
  for (int i = 0; i < 40; i++) {
    const double elastic = i % 4 == 0;
    double mass[BALLS], e[BALLS], q[BALLS], v[BALLS], x[BALLS], u[BALLS];
    for (int k = 0; k < BALLS; k++) {
      mass[k] = random_in(&seed, 0.2, 3);
      e[k] = elastic != 0 ? 1 : random_in(&seed, 0.2, 0.9);
      x[k] = q[k] = k + random_in(&seed, 0, 0.5);
      u[k] = v[k] = random_in(&seed, -1, 1) - 0.7 * k;
    }
    const double momentum = sum_of(mass, v, 1), energy = sum_of(mass, v, 2), end = 5;
    const int count = by_hand(mass, e, x, u, end);
    most = count > most ? count : most;
    Run run;
    REQUIRE(run_from(&run, balls(mass, e), 0, 0, q, v));
    CHECK_OK(sarrus_sim_advance(run.sim, end));
    state_of(run.sim, q, v);
    for (int k = 0; k < BALLS; k++) {
      CHECK_NEAR(q[k], x[k], 1e-11);
      CHECK_NEAR(v[k], u[k], 1e-12);
    }
    CHECK_NEAR(sum_of(mass, v, 1), momentum, 1e-13);
    if (elastic != 0)
      CHECK_CLOSE(sum_of(mass, v, 2), energy, 1e-13);
    else
      CHECK(sum_of(mass, v, 2) <= energy * (1 + 1e-14));
    run_free(&run);
  }
  CHECK(most >= 3);
}

/* Apexes of a ball are e^2 of the last, and it comes to rest after (1 + e) / (1 - e) falls. */
TEST(a_ball_that_bounces) {
  unsigned seed = 35;
  for (int i = 0; i < 10; i++) {
    const double e = random_in(&seed, 0.3, 0.8), height = random_in(&seed, 0.2, 3);
    const double fall = sqrt(2 * height / g0), rest = fall * (1 + e) / (1 - e);
    double q = height, v = 0, apex = fall;
    Run run;
    REQUIRE(run_from(&run, ball(), e, 0, &q, &v));
    for (int n = 1; n <= 4; n++) {
      apex += pow(e, n) * fall; /* up to it */
      CHECK_OK(sarrus_sim_advance(run.sim, apex));
      state_of(run.sim, &q, &v);
      CHECK_CLOSE(q, height * pow(e, 2 * n), 1e-11);
      CHECK_NEAR(v, 0, 1e-11);
      apex += pow(e, n) * fall; /* and down */
    }
    CHECK_OK(sarrus_sim_advance(run.sim, rest * (1 + 1e-6)));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP); /* closed, without friction */
    CHECK_OK(sarrus_sim_advance(run.sim, 10 * rest));
    state_of(run.sim, &q, &v);
    CHECK_NEAR(q, 0, 1e-15);
    CHECK_NEAR(v, 0, 0);
    run_free(&run);
  }
}

/* A push that grows lifts what rests, at the instant at which it carries the weight. */
TEST(a_push_lifts_a_ball) {
  unsigned seed = 37;
  for (int i = 0; i < 6; i++) {
    const double push = random_in(&seed, 1, 5);
    double q = 0, v = 0;
    Run run;
    REQUIRE(run_from(&run, ball(), 0, 0, &q, &v));
    CHECK_OK(sarrus_sim_advance(run.sim, 1));
    CHECK_OK(sarrus_sim_set(run.sim, 1, g0 - push)); /* not yet */
    CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
    CHECK_OK(sarrus_sim_advance(run.sim, 2));
    CHECK_OK(sarrus_sim_set(run.sim, 1, g0 + push));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_OPEN);
    CHECK_OK(sarrus_sim_advance(run.sim, 3));
    state_of(run.sim, &q, &v);
    CHECK_NEAR(q, push / 2, 1e-13);
    CHECK_NEAR(v, push, 1e-13);
    CHECK_OK(sarrus_sim_set(run.sim, 1, 0)); /* thrown up at v, it falls back and stays */
    const double back = 3 + (v + sqrt(v * v + 2 * g0 * q)) / g0;
    CHECK_OK(sarrus_sim_advance(run.sim, back - 1e-9));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_OPEN);
    CHECK_OK(sarrus_sim_advance(run.sim, back + 1e-9));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
    run_free(&run);
  }
}

/* An impulse from outside is shared with what touches: the ball on the floor does not go down. */
TEST(impulses_on_what_touches) {
  double q = 0, v = 0;
  const double down = -3, up = 2;
  Run run;
  REQUIRE(run_from(&run, ball(), 0, 0, &q, &v));
  CHECK_OK(sarrus_sim_impulse(run.sim, &down));
  state_of(run.sim, &q, &v);
  CHECK_NEAR(v, 0, 0);
  CHECK_OK(sarrus_sim_impulse(run.sim, &up));
  state_of(run.sim, &q, &v);
  CHECK_NEAR(v, 2, 1e-15);
  CHECK_INT(mode_of(run.sim, 0), SARRUS_OPEN);
  CHECK_OK(sarrus_sim_advance(run.sim, 0.1));
  state_of(run.sim, &q, &v);
  CHECK_NEAR(q, 0.2 - g0 / 200, 1e-14);
  run_free(&run);
}
