/* Events: zeros on the way, in order, once each; what is done at them. */
#include "sims.h"

static const double PI = 3.14159265358979323846;

/*
** The oscillator x = cos t with events that `fill` writes into when[] and directions[]; answers how
** many.
*/
typedef int (*Fill)(Parts *p, sarrus_Expr *when, sarrus_Direction *directions);

static bool run_events(Run *run, Fill fill, const sarrus_SimOptions *options) {
  sarrus_Expr when[8];
  sarrus_Direction directions[8] = {SARRUS_BOTH};
  const double q = 1, v = 0;
  Parts *p = oscillator();
  if (p == NULL) return CHECK(false);
  const int count = fill(p, when, directions);
  if (!run_with_events(run, p, options, count, when, directions)) return false;
  sarrus_sim_preset(run->sim, 0, 1);
  return CHECK_OK(sarrus_sim_start(run->sim, 0, &q, &v));
}

/* The next event on the way to t: its number, or -1. */
static int next_event(sarrus_Sim *sim, double t, double *time, int *direction) {
  const sarrus_Status status = sarrus_sim_advance(sim, t);
  *time = sarrus_sim_time(sim);
  if (status == SARRUS_STOPPED) return sarrus_sim_event(sim, direction);
  CHECK_OK(status);
  return -1;
}

static int levels(Parts *p, sarrus_Expr *when, sarrus_Direction *directions) {
  when[0] = when[1] = when[2] = p->q[0];
  directions[0] = SARRUS_BOTH;
  directions[1] = SARRUS_UP;
  directions[2] = SARRUS_DOWN;
  return 3;
}

TEST(directions_and_order_of_declaration) {
  Run run;
  double time;
  int direction;
  REQUIRE(run_events(&run, levels, &tight));
  const struct {
    int event, direction;
    double time;
  } expected[] = {{0, -1, 0.5}, {2, -1, 0.5}, {0, 1, 1.5}, {1, 1, 1.5}, {0, -1, 2.5}, {2, -1, 2.5}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    CHECK_INT(next_event(run.sim, 9, &time, &direction), expected[i].event);
    CHECK_INT(direction, expected[i].direction);
    CHECK_NEAR(time, expected[i].time * PI, 1e-14);
  }
  CHECK_INT(next_event(run.sim, 9, &time, &direction), -1);
  CHECK_NEAR(time, 9, 0);
  CHECK_INT(next_event(run.sim, 8, &time, &direction), -1);
  CHECK_INT(next_event(run.sim, 7, &time, &direction), 0); /* backwards */
  CHECK_NEAR(time, 2.5 * PI, 1e-13);
  run_free(&run);
}

/* Far faster than the motion: the event's series serves parts of a step only. */
static int fast(Parts *p, sarrus_Expr *when, sarrus_Direction *directions) {
  directions[0] = SARRUS_BOTH;
  when[0] = sine(p, scaled(p->g, 25, p->t));
  return 1;
}

TEST(events_faster_than_the_motion) {
  Run run;
  double time;
  int direction;
  REQUIRE(run_events(&run, fast, &tight));
  for (int k = 1; k <= 79; k++) {
    CHECK_INT(next_event(run.sim, 10, &time, &direction), 0);
    CHECK_NEAR(time, k * PI / 25, 1e-14);
    CHECK_INT(direction, k % 2 ? -1 : 1);
  }
  CHECK_INT(next_event(run.sim, 10, &time, &direction), -1);
  CHECK(sarrus_sim_stats(run.sim).steps < 10);
  run_free(&run);
}

/* abs and select change their branches within a step. */
static int folded(Parts *p, sarrus_Expr *when, sarrus_Direction *directions) {
  sarrus_Graph *g = p->g;
  directions[0] = SARRUS_BOTH;
  when[0] = sub(g, unary(g, SARRUS_OP_ABS, sub(g, p->t, constant(g, 2))), constant(g, 1));
  return 1;
}

TEST(events_with_branches) {
  Run run;
  double time;
  int direction;
  REQUIRE(run_events(&run, folded, &tight));
  CHECK_INT(next_event(run.sim, 5, &time, &direction), 0);
  CHECK_NEAR(time, 1, 1e-15);
  CHECK_INT(next_event(run.sim, 5, &time, &direction), 0);
  CHECK_NEAR(time, 3, 1e-15);
  CHECK_INT(next_event(run.sim, 5, &time, &direction), -1);
  run_free(&run);
}

static int touching(Parts *p, sarrus_Expr *when, sarrus_Direction *directions) {
  when[0] = when[1] = add(p->g, p->q[0], constant(p->g, 1));
  directions[0] = SARRUS_BOTH;
  directions[1] = SARRUS_UP;
  return 2;
}

TEST(touches_come_once_and_for_both_only) {
  Run run;
  double time;
  int direction = 5;
  REQUIRE(run_events(&run, touching, &tight));
  CHECK_INT(next_event(run.sim, 6, &time, &direction), 0);
  CHECK_INT(direction, 0);
  CHECK_NEAR(time, PI, 1e-9);
  CHECK_INT(next_event(run.sim, 6, &time, &direction), -1);
  run_free(&run);
}

static int nothing(Parts *p, sarrus_Expr *when, sarrus_Direction *directions) {
  directions[0] = directions[1] = SARRUS_BOTH;
  when[0] = p->q[0];
  when[1] = constant(p->g, 0);
  return 2;
}

static int no_number(Parts *p, sarrus_Expr *when, sarrus_Direction *directions) {
  directions[0] = directions[1] = SARRUS_BOTH;
  when[0] = p->q[0];
  when[1] = unary(p->g, SARRUS_OP_LOG, sub(p->g, p->q[0], constant(p->g, 5)));
  return 2;
}

TEST(events_without_zeros_or_values_are_named) {
  const Fill fills[] = {nothing, no_number};
  for (int i = 0; i < 2; i++) {
    Run run;
    REQUIRE(run_events(&run, fills[i], &tight));
    CHECK_STATUS(sarrus_sim_advance(run.sim, 1), SARRUS_EVENT);
    CHECK_INT(sarrus_sim_fault(run.sim)->event, 1);
    CHECK_NEAR(sarrus_sim_time(run.sim), 0, 0);
    CHECK_NEAR(position(run.sim), 1, 0);
    run_free(&run);
  }
}

/* At the instant of an impulse `at` is the state before, `state` the one after. */
TEST(before_and_after) {
  Run run;
  double time, before, after;
  int direction;
  const double push = 3;
  REQUIRE(run_events(&run, levels, &tight));
  CHECK_INT(next_event(run.sim, 9, &time, &direction), 0);
  CHECK_OK(sarrus_sim_impulse(run.sim, &push));
  CHECK_INT(next_event(run.sim, 9, &time, &direction), 2); /* the other one of this instant */
  CHECK_NEAR(time, PI / 2, 1e-14);
  CHECK_OK(sarrus_sim_at(run.sim, time, NULL, &before, NULL, NULL));
  CHECK_OK(sarrus_sim_state(run.sim, NULL, &after, NULL, NULL));
  CHECK_NEAR(before, -1, 1e-14);
  CHECK_NEAR(after, 2, 1e-14);
  CHECK_INT(next_event(run.sim, 9, &time, &direction), 0);
  CHECK_NEAR(time, 1.5 * PI, 1e-13); /* x = 2 sin(t - pi/2) from there */
  run_free(&run);
}

/* A step ends at an event; the span stays that of the natural step. */
TEST(steps_stop_at_events) {
  Run run;
  double size, from, to;
  REQUIRE(run_events(&run, levels, &tight));
  CHECK_STATUS(sarrus_sim_step(run.sim, &size), SARRUS_STOPPED);
  CHECK_NEAR(size, PI / 2, 1e-14);
  CHECK_STATUS(sarrus_sim_step(run.sim, &size), SARRUS_STOPPED);
  CHECK_NEAR(size, 0, 0);
  sarrus_sim_span(run.sim, &from, &to);
  CHECK(to > PI / 2);
  CHECK_OK(sarrus_sim_step(run.sim, &size));
  CHECK_NEAR(sarrus_sim_time(run.sim), to, 0);
  run_free(&run);
}

TEST(memory_that_fails) {
  TestMemory m;
  Parts *p = oscillator();
  REQUIRE(p != NULL);
  sarrus_Expr when[8];
  sarrus_Direction directions[8];
  const int count = levels(p, when, directions);
  when[1] = sine(p, p->q[0]);
  for (long n = 1;; n++) {
    const sarrus_Memory memory = test_memory_failing(&m, n);
    sarrus_Events *events;
    const sarrus_Status status =
        sarrus_events_new(memory, p->g, count, when, directions, 1, &events);
    if (status == SARRUS_OK)
      sarrus_events_free(events);
    else
      CHECK(events == NULL);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) {
      CHECK_OK(status);
      CHECK(n > 3);
      break;
    }
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
  parts_free(p);
}

/* A saved simulation remembers the events still to come in its span. */
TEST(saved_in_the_middle_of_events) {
  Run run;
  char record[32768];
  double time, same;
  int direction, extras = 0;
  REQUIRE(run_events(&run, levels, &tight));
  CHECK_INT(next_event(run.sim, 9, &time, &direction), 0);
  const size_t size = sarrus_sim_save(run.sim, NULL, 0, record, sizeof record);
  REQUIRE(size <= sizeof record);
  sarrus_Sim *copy;
  REQUIRE_OK(sarrus_sim_restore(sarrus_memory_default(), run.system, run.events, record, size, NULL,
                                &extras, &copy));
  for (int i = 0; i < 5; i++) {
    CHECK_INT(next_event(run.sim, 9, &time, &direction), next_event(copy, 9, &same, &direction));
    CHECK_NEAR(time, same, 0);
  }
  sarrus_sim_free(copy);
  CHECK_STATUS(sarrus_sim_restore(sarrus_memory_default(), run.system, NULL, record, size, NULL,
                                  &extras, &copy),
               SARRUS_FORMAT);
  run_free(&run);
}
