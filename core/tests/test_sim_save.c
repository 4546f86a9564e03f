/* Records: what is restored goes on bit for bit. */
#include <limits.h>

#include "sim_parts.h"
#include "sims.h"
#include "test.h"

static sarrus_Expr square(sarrus_Graph *g, sarrus_Expr a) { return mul(g, a, a); }

static sarrus_Expr rod(sarrus_Graph *g, sarrus_Expr x, sarrus_Expr y, double length) {
  return sub(g, add(g, square(g, x), square(g, y)), constant(g, length * length));
}

/* Two masses on cranks, joined by a rod; friction in the first bearing grows with the reactions. */
static Parts *four_bar_with_friction(double mu, int redundant) {
  Parts *p = parts_new(sarrus_memory_default(), 4);
  sarrus_Graph *g = p->g;
  const sarrus_Expr l0 = sarrus_graph_symbol(g, SARRUS_LAMBDA, 0);
  const sarrus_Expr l2 = sarrus_graph_symbol(g, SARRUS_LAMBDA, 2);
  const sarrus_Expr load = add(g, constant(g, 1), add(g, square(g, l0), square(g, l2)));
  p->constraint[0] = rod(g, p->q[0], p->q[1], 1);
  p->constraint[1] = rod(g, sub(g, p->q[2], constant(g, 2)), p->q[3], 1);
  p->constraint[2] = rod(g, sub(g, p->q[2], p->q[0]), sub(g, p->q[3], p->q[1]), 2);
  p->constraint[3] = scaled(g, 3, p->constraint[0]);
  p->spec.constraints = redundant ? 4 : 3;
  for (int j = 0; j < 2; j++)
    p->force[j] = scaled(g, -mu, mul(g, power(g, load, 0.5), p->v[j]));
  p->force[1] = add(g, p->force[1], constant(g, -9.81));
  p->force[3] = constant(g, -9.81);
  return p;
}

static void check_same_step(Run *run, sarrus_Sim *copy) {
  double q[2][4], v[2][4], size[2];
  CHECK_INT(sarrus_sim_step(run->sim, &size[0]), sarrus_sim_step(copy, &size[1]));
  CHECK_OK(sarrus_sim_state(run->sim, q[0], v[0], NULL, NULL));
  CHECK_OK(sarrus_sim_state(copy, q[1], v[1], NULL, NULL));
  CHECK(size[0] == size[1]);
  CHECK(memcmp(q[0], q[1], sizeof q[0]) == 0);
  CHECK(memcmp(v[0], v[1], sizeof v[0]) == 0);
}

/* Stage 0 is found by Newton's method, which must not go on where it had ended. */
TEST(clones_make_the_same_steps) {
  const sarrus_SimOptions options = {0};
  for (int redundant = 0; redundant < 2; redundant++) {
    Run run;
    double q[] = {0, 1, 2, 1}, v[] = {1, 0, 1, 0};
    REQUIRE(run_new(&run, four_bar_with_friction(0.01, redundant), &options));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
    for (int step = 0; step < 100; step++) {
      sarrus_Sim *copy;
      REQUIRE_OK(sarrus_sim_clone(run.sim, &copy));
      check_same_step(&run, copy);
      sarrus_sim_free(copy);
    }
    run_free(&run);
  }
}

/* Asking for residuals evaluates elsewhere, and puts all back. */
TEST(asking_changes_nothing) {
  const sarrus_SimOptions options = {0};
  double t[2];
  for (int asks = 0; asks < 2; asks++) {
    Run run;
    double q[] = {0, 1, 2, 1}, v[] = {1, 0, 1, 0}, size, position, velocity;
    REQUIRE(run_new(&run, four_bar_with_friction(0.01, 0), &options));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
    for (int step = 0; step < 100; step++) {
      CHECK_OK(sarrus_sim_step(run.sim, &size));
      if (asks) CHECK_OK(sarrus_sim_residual(run.sim, &position, &velocity));
    }
    t[asks] = sarrus_sim_time(run.sim);
    run_free(&run);
  }
  CHECK(t[0] == t[1]);
}

/* A copy of what has not started, and of that, counts nothing. */
TEST(copies_of_copies_that_have_not_started) {
  const sarrus_SimOptions options = {0};
  Run run;
  sarrus_Sim *copy, *another;
  REQUIRE(run_new(&run, four_bar_with_friction(0, 0), &options));
  REQUIRE_OK(sarrus_sim_clone(run.sim, &copy));
  CHECK_INT(sarrus_sim_stats(copy).factorisations, 0);
  REQUIRE_OK(sarrus_sim_clone(copy, &another));
  sarrus_sim_free(another);
  sarrus_sim_free(copy);
  run_free(&run);
}

/* Saving what has not started takes no memory, and what is restored starts as it does. */
TEST(saving_takes_no_memory) {
  const sarrus_SimOptions options = {0};
  TestMemory m;
  Run run;
  sarrus_Sim *sim, *copy;
  char record[32768];
  int extras = 0;
  const double q[] = {0, 1, 2, 1}, v[] = {1, 0, 1, 0};
  REQUIRE(run_new(&run, four_bar_with_friction(0.01, 1), &options));
  REQUIRE_OK(sarrus_sim_new(test_memory_counting(&m), run.system, NULL, &options, &sim));
  const long calls = m.calls;
  const size_t size = sarrus_sim_save(sim, NULL, 0, record, sizeof record);
  REQUIRE(0 < size && size <= sizeof record);
  CHECK_INT(m.calls, calls);
  REQUIRE_OK(sarrus_sim_restore(sarrus_memory_default(), run.system, NULL, record, size, NULL,
                                &extras, &copy));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  REQUIRE_OK(sarrus_sim_start(copy, 0, q, v));
  for (int step = 0; step < 5; step++)
    check_same_step(&run, copy);
  sarrus_sim_free(copy);
  sarrus_sim_free(sim);
  run_free(&run);
}

/* --- records that cannot be right --------------------------------------------------------- */

static sarrus_Status restored(const Run *run) {
  char record[32768];
  int extras = 0;
  sarrus_Sim *copy = NULL;
  const size_t size = sarrus_sim_save(run->sim, NULL, 0, record, sizeof record);
  CHECK(0 < size && size <= sizeof record);
  const sarrus_Status status = sarrus_sim_restore(sarrus_memory_default(), run->system, run->events,
                                                  record, size, NULL, &extras, &copy);
  sarrus_sim_free(copy);
  return status;
}

static void check_range(const Run *run, int *field, int low, int high) {
  const int value = *field, inside[] = {low, high}, outside[] = {low - 1, high + 1};
  for (int i = 0; i < 2; i++) {
    *field = inside[i];
    CHECK_OK(restored(run));
    *field = outside[i];
    CHECK_STATUS(restored(run), SARRUS_FORMAT);
  }
  *field = value;
}

/* What is out of its range leads nowhere: to indices beyond arrays, to steps that never end. */
TEST(numbers_out_of_range_are_damage) {
  const double q = 1, v = 0;
  double size;
  Run run;
  Parts *p = oscillator();
  REQUIRE(p != NULL);
  const sarrus_Expr when = p->q[0];
  const sarrus_Direction both = SARRUS_BOTH;
  REQUIRE(run_with_events(&run, p, &tight, 1, &when, &both));
  sarrus_sim_preset(run.sim, 0, 1);
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  CHECK_STATUS(sarrus_sim_step(run.sim, &size), SARRUS_STOPPED);
  sarrus_Sim *sim = run.sim;
  Maker *maker = &sim->maker;
  check_range(&run, &sim->notes.stiff_column, 0, 0);
  check_range(&run, &sim->hit.event, SARRUS_NONE, 0);
  check_range(&run, &sim->hit.direction, -1, 1);
  check_range(&run, &sim->hit_next, 0, sim->hit_count);
  check_range(&run, &sim->paces[0].side, -1, 1);
  sim->paces[0].seen = 5;
  check_range(&run, &sim->paces[0].shrinking, 0, 5);
  sim->paces[0].shrinking = 0;
  check_range(&run, &sim->paces[0].seen, 0, INT_MAX / 2);
  check_range(&run, &sim->short_steps, 0, INT_MAX / 2);
  check_range(&run, &sim->ended, 0, INT_MAX / 2);
  check_range(&run, &sim->changed, 0, 1);
  check_range(&run, &maker->pole, 0, 1);
  check_range(&run, &maker->stats.order, 0, maker->capacity);
  check_range(&run, &maker->order, SARRUS_MIN_ORDER, maker->capacity);
  run_free(&run);
}
