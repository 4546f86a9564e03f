/*
** Lanes: simulations side by side, of other starts, tolerances, orders and ends, do what each does
** alone: the same bits, steps, failures; and go on alone from there.
*/
#include "lanes.h"

#include "sims.h"

enum { SIMS = 27 };

/* Angles with a mass matrix, forces of positions, rates and time, as a double pendulum driven. */
static Parts *arms(void) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr between = sub(g, p->q[0], p->q[1]), s = sine(p, between);
  p->mass[0] = constant(g, 4.0 / 3);
  p->mass[1] = p->mass[2] = scaled(g, 0.5, cosine(p, between));
  p->mass[3] = constant(g, 1.0 / 3);
  p->force[0] = sub(g, scaled(g, -0.5, mul(g, s, power(g, p->v[1], 2))),
                    scaled(g, 1.5 * 9.81, sine(p, p->q[0])));
  p->force[1] = add(g, scaled(g, 0.5, mul(g, s, power(g, p->v[0], 2))),
                    sub(g, cosine(p, scaled(g, 3, p->t)), scaled(g, 0.5 * 9.81, sine(p, p->q[1]))));
  return p;
}

/* A knife edge on a slope: its rate along x is bound to that along y and to the angle. */
static Parts *knife(void) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  p->force[0] = constant(g, 1);
  p->velocity_constraint[0] =
      sub(g, mul(g, p->v[0], sine(p, p->q[2])), mul(g, p->v[1], cosine(p, p->q[2])));
  p->spec.velocity_constraints = 1;
  return p;
}

/* A parallelogram of cranks of length 1 and a coupler of 2: singular where all are in line. */
static Parts *parallelogram(void) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  p->constraint[0] = sub(g, add(g, cosine(p, p->q[0]), scaled(g, 2, cosine(p, p->q[1]))),
                         add(g, cosine(p, p->q[2]), constant(g, 2)));
  p->constraint[1] =
      sub(g, add(g, sine(p, p->q[0]), scaled(g, 2, sine(p, p->q[1]))), sine(p, p->q[2]));
  p->force[0] = cosine(p, p->q[0]);
  p->spec.constraints = 2;
  return p;
}

/* x'' = e^x, which ends before long. */
static Parts *blow_up(void) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (p != NULL) p->force[0] = unary(p->g, SARRUS_OP_EXP, p->q[0]);
  return p;
}

static Parts *hanging(void) { return pendulum(sarrus_memory_default()); }
static Parts *linked(void) { return robot(sarrus_memory_default()); }

typedef struct Case {
  Parts *(*make)(void);
  int n;
  double q[3], v[3]; /* and how they differ from run to run */
  double dq[3], dv[3];
} Case;

static const Case cases[] = {
    {arms, 2, {0.3, -1}, {0, 0.5}, {0.1, -0.07}, {0.02, 0}},
    {hanging, 2, {0.6, -0.8}, {0, 0}, {0.02, 0.01}, {0.1, 0.03}},
    {linked, 2, {0.3, -0.6}, {0, 0}, {0.01, -0.02}, {0, 0}},
    {knife, 3, {0, 0, 0.5}, {0.1, 0, 1}, {0, 0, 0.1}, {0.05, 0, 0.1}},
    {blow_up, 1, {0}, {0.1}, {0.05}, {0}},
    {parallelogram, 3, {-0.9, 0, -0.9}, {1.5, 0, 1.5}, {0.05, 0, 0.05}, {0.03, 0, 0.03}}};

static sarrus_SimOptions options_of(int i) {
  static const double tolerance[] = {1e-6, 1e-10, 1e-13};
  return (sarrus_SimOptions){.tolerance = tolerance[i % 3],
                             .order = i % 7 == 3 ? 12 : 0,
                             .max_step = i % 5 == 4 ? 0.05 : 0,
                             .max_steps = i % 11 == 10 ? 4 : 0};
}

static sarrus_Sim *begin(const Case *c, const sarrus_System *system, int i) {
  const sarrus_SimOptions options = options_of(i);
  sarrus_Sim *sim = NULL;
  double q[3], v[3];
  for (int j = 0; j < c->n; j++) {
    q[j] = c->q[j] + i * c->dq[j];
    v[j] = c->v[j] + i * c->dv[j];
  }
  if (!CHECK_OK(sarrus_sim_new(sarrus_memory_default(), system, NULL, &options, &sim))) return NULL;
  CHECK_OK(sarrus_sim_start(sim, 0, q, v));
  return sim;
}

/* Not a bit differs. */
static void check_same(sarrus_Sim *a, sarrus_Sim *b) {
  double x[2][4][MOST] = {{{0}}};
  const sarrus_SimStats s = sarrus_sim_stats(a), t = sarrus_sim_stats(b);
  CHECK_OK(sarrus_sim_state(a, x[0][0], x[0][1], x[0][2], x[0][3]));
  CHECK_OK(sarrus_sim_state(b, x[1][0], x[1][1], x[1][2], x[1][3]));
  CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
  CHECK(sarrus_sim_time(a) == sarrus_sim_time(b));
  CHECK_INT((int)s.steps, (int)t.steps);
  CHECK_INT((int)s.rejected, (int)t.rejected);
  CHECK_INT((int)s.factorisations, (int)t.factorisations);
  CHECK_INT(s.order, t.order);
  CHECK(s.smallest == t.smallest && s.largest == t.largest);
  CHECK_INT(sarrus_sim_fault(a)->expr, sarrus_sim_fault(b)->expr);
  CHECK_INT(sarrus_sim_fault(a)->column, sarrus_sim_fault(b)->column);
}

static void check_kind(const Case *c, const LaneKind *kind, int most, double t_end) {
  Run run;
  sarrus_Sim *alone[SIMS], *beside[SIMS];
  sarrus_Status status[SIMS], one;
  REQUIRE(run_new(&run, c->make(), &tight));
  for (int i = 0; i < SIMS; i++) {
    alone[i] = begin(c, run.system, i);
    beside[i] = begin(c, run.system, i);
    REQUIRE(alone[i] != NULL && beside[i] != NULL);
    status[i] = sarrus_sim_advance(alone[i], t_end);
  }
  LanePool *pool = lanes_pool_new(sarrus_memory_default(), kind, beside[0], t_end, most);
  REQUIRE(pool != NULL);
  for (int put = 0, done = 0; done < SIMS;) {
    if (put < SIMS && lanes_pool_has_room(pool)) {
      lanes_pool_add(pool, beside[put], put);
      put++;
    } else {
      lanes_pool_step(pool);
    }
    for (int i = lanes_pool_take(pool, &one); i >= 0; i = lanes_pool_take(pool, &one), done++) {
      CHECK_STATUS(one, status[i]);
      check_same(alone[i], beside[i]);
      CHECK_STATUS(sarrus_sim_advance(beside[i], t_end + 0.4),
                   sarrus_sim_advance(alone[i], t_end + 0.4));
      check_same(alone[i], beside[i]);
    }
  }
  CHECK_INT(lanes_pool_count(pool), 0);
  lanes_pool_free(pool);
  for (int i = 0; i < SIMS; i++) {
    sarrus_sim_free(alone[i]);
    sarrus_sim_free(beside[i]);
  }
  run_free(&run);
}

/* In lanes of each width that this processor has. */
static void check_case(const Case *c, int most, double t_end) {
  check_kind(c, lanes_kind(4), most, t_end);
  if (lanes_kind(LANES_WIDEST) != lanes_kind(4))
    check_kind(c, lanes_kind(LANES_WIDEST), most, t_end);
}

TEST(the_bits_of_each_alone) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_case(&cases[i], SIMS, 3);
}

TEST(whoever_else_is_there) {
  for (int most = 2; most <= 12; most += 5)
    for (size_t i = 0; i < 2; i++)
      check_case(&cases[i], most, 2);
}

TEST(back_in_time) { check_case(&cases[0], SIMS, -2); }

/*
** Runs that eliminate in several orders and end at different times: lanes of four are full, but for
** a sixteenth, as at the end; an eighth where gaps wait for new runs of their order.
*/
TEST(gaps_are_filled) {
  enum { RUNS = 120, UNDER_WAY = 32, PART = 16 };
  const LaneKind *kind = lanes_kind(4);
  const sarrus_SimOptions options = {.tolerance = 1e-9};
  sarrus_Sim *sims[RUNS];
  long long all = 0, steps = 0;
  Run run;
  REQUIRE(run_new(&run, hanging(), &tight));
  for (int i = 0; i < RUNS; i++) {
    const double angle = 0.7 * i, speed = 0.2 * (i % 13);
    const double q[] = {sin(angle), -cos(angle)}, v[] = {speed * cos(angle), speed * sin(angle)};
    CHECK_OK(sarrus_sim_new(sarrus_memory_default(), run.system, NULL, &options, &sims[i]));
    CHECK_OK(sarrus_sim_start(sims[i], 0, q, v));
  }
  LanePool *pool = lanes_pool_new(sarrus_memory_default(), kind, sims[0], 3, UNDER_WAY);
  REQUIRE(pool != NULL);
  for (int put = 0, done = 0; done < RUNS;) {
    sarrus_Status status;
    if (put < RUNS && lanes_pool_has_room(pool)) {
      lanes_pool_add(pool, sims[put], put);
      put++;
    } else {
      lanes_pool_step(pool);
      steps++;
    }
    for (int i = lanes_pool_take(pool, &status); i >= 0; i = lanes_pool_take(pool, &status), done++)
      all += sarrus_sim_stats(sims[i]).steps;
  }
  CHECK(PART * (kind->width * steps - all) <= all);
  lanes_pool_free(pool);
  for (int i = 0; i < RUNS; i++)
    sarrus_sim_free(sims[i]);
  run_free(&run);
}

/* All of these are in lanes, but for what suits no lane. */
TEST(which_suit) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Run run;
    REQUIRE(run_new(&run, cases[i].make(), &tight));
    CHECK(lanes_suit_system(run.system, run.sim->maker.capacity));
    run_free(&run);
  }
  Run run;
  REQUIRE(run_oscillator(&run, &tight));
  CHECK_INT(lanes_suit(run.sim), 1); /* before the first step */
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  CHECK_INT(lanes_suit(run.sim), 1);
  run_free(&run);
}
