/*
** Steps whose second half is put off, since something intervenes long before their end: nothing
** that is asked for, and no record, makes a difference.
*/
#include "sim_parts.h"
#include "sims.h"
#include "test.h"

enum { TICKS = 40 };

static const double TICK = 1e-3;

/* A mass on a rod, on which parameter 0 pushes, and pushes more where the rod is loaded. */
static Parts *pushed(void) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr push = sarrus_graph_symbol(g, SARRUS_PARAMETER, 0);
  const sarrus_Expr load = sarrus_graph_symbol(g, SARRUS_LAMBDA, 0);
  p->constraint[0] =
      sub(g, add(g, mul(g, p->q[0], p->q[0]), mul(g, p->q[1], p->q[1])), constant(g, 1));
  p->force[0] = add(g, push, scaled(g, 0.01, mul(g, load, load)));
  p->force[1] = constant(g, -9.81);
  p->spec.constraints = p->spec.parameters = 1;
  return p;
}

static bool start(Run *run, const sarrus_SimOptions *options) {
  const double q[] = {1, 0}, v[] = {0, 0};
  return run_new(run, pushed(), options) && CHECK_OK(sarrus_sim_start(run->sim, 0, q, v));
}

/* The push changes at every tick, and half a tick later: the last step has just begun. */
static void drive(sarrus_Sim *sim, int from, int count) {
  for (int k = from; k < from + count; k++) {
    CHECK_OK(sarrus_sim_advance(sim, k * TICK));
    CHECK_OK(sarrus_sim_set(sim, 0, 0.1 * (k % 3)));
    CHECK_OK(sarrus_sim_advance(sim, (k + 0.5) * TICK));
  }
}

static bool driven(Run *run, const sarrus_SimOptions *options) {
  if (!start(run, options)) return false;
  drive(run->sim, 0, TICKS);
  return CHECK(maker_is_put_off(&run->sim->maker));
}

static void check_same(const sarrus_Sim *a, const sarrus_Sim *b) {
  double x[2][7];
  const sarrus_Sim *sims[] = {a, b};
  for (int i = 0; i < 2; i++)
    CHECK_OK(sarrus_sim_state(sims[i], x[i], x[i] + 2, x[i] + 4, x[i] + 6));
  CHECK(sarrus_sim_time(a) == sarrus_sim_time(b));
  CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
  CHECK_INT(sarrus_sim_stats(a).steps, sarrus_sim_stats(b).steps);
}

static void check_near(const sarrus_Sim *a, const sarrus_Sim *b, double tolerance) {
  double q[2][2];
  CHECK_OK(sarrus_sim_state(a, q[0], NULL, NULL, NULL));
  CHECK_OK(sarrus_sim_state(b, q[1], NULL, NULL, NULL));
  for (int j = 0; j < 2; j++)
    CHECK_NEAR(q[0][j], q[1][j], tolerance);
}

static const sarrus_SimOptions usual = {.tolerance = 1e-10};

/* One factorisation per tick in place of two, and the motion is that of fixed, short steps. */
TEST(what_is_not_needed_is_not_made) {
  const sarrus_SimOptions fixed = {.order = 20, .step = 0.5e-3};
  Run run, other;
  if (driven(&run, &usual) && start(&other, &fixed)) {
    const sarrus_SimStats stats = sarrus_sim_stats(run.sim);
    CHECK_INT(stats.steps, TICKS);
    CHECK_INT(stats.rejected, 0);
    drive(run.sim, TICKS, 100);
    CHECK_INT(sarrus_sim_stats(run.sim).steps, TICKS + 100);
    CHECK(sarrus_sim_stats(run.sim).factorisations < stats.factorisations + 320);
    drive(other.sim, 0, TICKS + 100);
    CHECK(!maker_is_put_off(&other.sim->maker));
    check_near(run.sim, other.sim, 1e-11);
  }
  run_free(&run);
  run_free(&other);
}

/*
** What is asked between leaves the motion as it is, whether the second half is made for it or
** not.
*/
TEST(what_is_asked_changes_nothing) {
  Run run, asked;
  if (driven(&run, &usual) && driven(&asked, &usual)) {
    double position, velocity, from, to, q[2], size;
    sarrus_sim_span(asked.sim, &from, &to);
    CHECK_NEAR(from, (TICKS - 1) * TICK, 1e-15);
    CHECK_NEAR(to - from, 1.25 * TICK, 1e-15);
    CHECK_STATUS(sarrus_sim_at(asked.sim, to + TICK, q, NULL, NULL, NULL), SARRUS_ARGUMENT);
    CHECK_OK(sarrus_sim_residual(asked.sim, &position, &velocity));
    CHECK(position < 1e-14 && velocity < 1e-13);
    CHECK_OK(sarrus_sim_advance(asked.sim, from));
    CHECK_OK(sarrus_sim_state(asked.sim, q, NULL, NULL, NULL));
    CHECK_NEAR(q[0] * q[0] + q[1] * q[1], 1, 1e-15);
    CHECK_OK(sarrus_sim_residual(asked.sim, &position, &velocity));
    CHECK(position < 1e-14 && velocity < 1e-13);
    CHECK_OK(sarrus_sim_advance(asked.sim, (TICKS - 0.2) * TICK));
    drive(run.sim, TICKS, 10);
    drive(asked.sim, TICKS, 10);
    check_same(run.sim, asked.sim);
    CHECK_OK(sarrus_sim_step(asked.sim, &size)); /* to its end, far beyond what was needed */
    CHECK(!maker_is_put_off(&asked.sim->maker) && size > TICK);
    CHECK_OK(sarrus_sim_advance(run.sim, 0.3));
    CHECK_OK(sarrus_sim_advance(asked.sim, 0.3));
    check_same(run.sim, asked.sim);
  }
  run_free(&run);
  run_free(&asked);
}

TEST(records_keep_what_is_put_off) {
  Run run;
  if (driven(&run, &usual)) {
    sarrus_Sim *copies[2];
    for (int i = 0; i < 2; i++) {
      REQUIRE_OK(sarrus_sim_clone(run.sim, &copies[i]));
      CHECK(maker_is_put_off(&copies[i]->maker));
      check_same(run.sim, copies[i]);
    }
    CHECK_OK(sarrus_sim_advance(copies[1], 0.5));
    drive(copies[0], TICKS, 10);
    sarrus_Sim *late;
    REQUIRE_OK(sarrus_sim_clone(run.sim, &late));
    CHECK_OK(sarrus_sim_advance(late, 0.5));
    check_same(late, copies[1]);
    sarrus_sim_free(late);
    drive(run.sim, TICKS, 10);
    check_same(run.sim, copies[0]);
    for (int i = 0; i < 2; i++)
      sarrus_sim_free(copies[i]);
  }
  run_free(&run);
}

/* Going on, back, and changing something where the step begins. */
TEST(ways_out_of_it) {
  Run run, other;
  if (driven(&run, &usual) && driven(&other, &usual)) {
    const double from = (TICKS - 1) * TICK;
    CHECK_OK(sarrus_sim_advance(run.sim, from));
    CHECK_OK(sarrus_sim_set(run.sim, 0, 7));
    CHECK(!maker_is_put_off(&run.sim->maker));
    CHECK_OK(sarrus_sim_set(run.sim, 0, 0.1 * ((TICKS - 1) % 3)));
    CHECK_OK(sarrus_sim_advance(run.sim, 0.1));
    CHECK_OK(sarrus_sim_advance(other.sim, 0.1));
    check_near(run.sim, other.sim, 1e-12);
    drive(run.sim, 101, TICKS);
    REQUIRE(maker_is_put_off(&run.sim->maker));
    const double was = position(run.sim), t = sarrus_sim_time(run.sim);
    CHECK_OK(sarrus_sim_advance(run.sim, t - 0.4 * TICK));
    CHECK_OK(sarrus_sim_advance(run.sim, t - 0.1)); /* backwards, under the last push */
    CHECK_OK(sarrus_sim_advance(run.sim, t));
    CHECK_NEAR(position(run.sim), was, 1e-12);
  }
  run_free(&run);
  run_free(&other);
}

/* A step that turns out to be too long is made shorter, as any other. */
TEST(rejected_when_it_is_taken_up) {
  Run run, other;
  if (driven(&run, &usual) && driven(&other, &usual)) {
    run.sim->maker.span.h *= 20;
    CHECK_OK(sarrus_sim_advance(run.sim, 1));
    CHECK_OK(sarrus_sim_advance(other.sim, 1));
    CHECK(sarrus_sim_stats(run.sim).rejected > sarrus_sim_stats(other.sim).rejected);
    check_near(run.sim, other.sim, 1e-9);
  }
  run_free(&run);
  run_free(&other);
}

/* Where landing fails, time does not go back, and what intervenes does so where time is. */
TEST(time_stays_where_landing_fails) {
  Run run, other;
  if (driven(&run, &usual) && driven(&other, &usual)) {
    const double t = sarrus_sim_time(run.sim), h = run.sim->maker.span.h;
    const double end = run.sim->maker.span.until;
    CHECK_OK(sarrus_sim_advance(run.sim, end));
    CHECK_OK(sarrus_sim_advance(other.sim, end));
    for (int turn = 0; turn < 2; turn++) {
      run.sim->maker.span.h = 1e-200; /* no step can be so short */
      CHECK_STATUS(sarrus_sim_advance(run.sim, 1), SARRUS_STEP);
      check_same(run.sim, other.sim);
      CHECK(sarrus_sim_time(run.sim) == end && maker_is_put_off(&run.sim->maker));
    }
    CHECK_OK(sarrus_sim_advance(run.sim, t)); /* the span is there still */
    CHECK_OK(sarrus_sim_advance(other.sim, t));
    check_same(run.sim, other.sim);
    run.sim->maker.span.h = h;
    CHECK_OK(sarrus_sim_advance(run.sim, 0.1));
    CHECK_OK(sarrus_sim_advance(other.sim, 0.1));
    check_same(run.sim, other.sim);
    drive(run.sim, 101, TICKS);
    REQUIRE(maker_is_put_off(&run.sim->maker));
    CHECK_OK(sarrus_sim_advance(run.sim, run.sim->maker.span.until));
    run.sim->maker.span.h = 1e-200;
    CHECK_STATUS(sarrus_sim_advance(run.sim, 1), SARRUS_STEP);
    drive(other.sim, 101, TICKS);
    CHECK_OK(sarrus_sim_advance(other.sim, other.sim->maker.span.until));
    CHECK_OK(sarrus_sim_set(run.sim, 0, 1));
    CHECK_OK(sarrus_sim_set(other.sim, 0, 1));
    CHECK_OK(sarrus_sim_advance(run.sim, 0.3));
    CHECK_OK(sarrus_sim_advance(other.sim, 0.3));
    check_same(run.sim, other.sim);
  }
  run_free(&run);
  run_free(&other);
}

typedef struct Told {
  int count, stop;
  double to;
} Told;

static int tell(void *ud, const sarrus_Sim *sim) {
  Told *told = ud;
  double from;
  sarrus_sim_span(sim, &from, &told->to);
  return ++told->count == told->stop;
}

/* Whoever hears of steps hears of both halves; they count as one step. */
TEST(halves_are_told) {
  const sarrus_SimOptions one = {.tolerance = 1e-10, .max_steps = 1};
  Run run;
  if (driven(&run, &one)) {
    Told told = {.stop = 1};
    CHECK_OK(sarrus_sim_advance(run.sim, TICKS * TICK));
    CHECK_OK(sarrus_sim_set(run.sim, 0, 0.7));
    sarrus_sim_on_step(run.sim, tell, &told);
    CHECK_STATUS(sarrus_sim_advance(run.sim, 1), SARRUS_CANCELLED);
    CHECK_NEAR(sarrus_sim_time(run.sim), told.to, 0);
    CHECK_NEAR(told.to, (TICKS + 1.25) * TICK, 1e-15);
    const double until = told.to;
    CHECK_OK(sarrus_sim_advance(run.sim, until + 1e-4));
    CHECK_INT(told.count, 2);
    CHECK(told.to > until + 1e-4);
    CHECK_STATUS(sarrus_sim_advance(run.sim, 10), SARRUS_STEP);
    CHECK_INT(told.count, 4);
    CHECK_INT(sarrus_sim_stats(run.sim).steps, TICKS + 2);
  }
  run_free(&run);
}

/* Not even for a while: a loop that must not wait sets parameters at every tick. */
TEST(setting_takes_no_memory) {
  TestMemory m;
  Run run = {NULL, NULL, NULL};
  sarrus_Fault fault;
  const sarrus_Memory memory = test_memory_counting(&m);
  const int both[] = {0, 0};
  const double q[] = {1, 0}, v[] = {0, 0};
  Parts *p = pushed();
  REQUIRE(p != NULL);
  REQUIRE_OK(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &run.system, &fault));
  parts_free(p);
  REQUIRE_OK(sarrus_sim_new(memory, run.system, NULL, &usual, &run.sim));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  drive(run.sim, 0, 1);
  const long before = m.calls;
  drive(run.sim, 1, TICKS);
  for (int k = 0; k < TICKS; k++) {
    const double values[] = {9, 0.1 * (k % 3)};
    CHECK_OK(sarrus_sim_set_all(run.sim, 2, both, values)); /* the last one counts */
    CHECK_NEAR(sarrus_sim_get(run.sim, 0), values[1], 0);
    CHECK_OK(sarrus_sim_advance(run.sim, (TICKS + 1 + k) * TICK));
  }
  CHECK_INT(m.calls, before);
  run_free(&run);
  CHECK_INT(m.blocks, 0);
}
