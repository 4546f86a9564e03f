/* Simulations: starting, moving, asking, intervening, saving. */
#include <fenv.h>

#include "sims.h"

TEST(pendulum_after_ten_seconds) {
  Run run;
  double q[] = {-1, 0}, v[] = {0, 0}, a[2], lambda, position_error, velocity_error;
  REQUIRE(run_new(&run, pendulum(sarrus_memory_default()), &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_OK(sarrus_sim_advance(run.sim, 10));
  CHECK_OK(sarrus_sim_state(run.sim, q, v, a, &lambda));
  CHECK_NEAR(q[0], -0.27508746257611686005, 1e-12);
  CHECK_NEAR(q[1], -0.96141920509912506427, 1e-12);
  CHECK_NEAR(v[0], 4.1755981009517288365, 1e-12);
  CHECK_NEAR(lambda, 14.147283603033625321, 1e-11);
  CHECK_NEAR(a[0] + 2 * q[0] * lambda, 0, 1e-12);
  CHECK_OK(sarrus_sim_residual(run.sim, &position_error, &velocity_error));
  CHECK(position_error < 1e-14 && velocity_error < 1e-13);
  run_free(&run);
}

TEST(steps_and_advances_agree) {
  Run one, other;
  double size, sum = 0, from, to;
  REQUIRE(run_oscillator(&one, &tight) && run_oscillator(&other, &tight));
  for (int i = 0; i < 20; i++) {
    CHECK_OK(sarrus_sim_step(one.sim, &size));
    CHECK(size > 0.1);
    sum += size;
  }
  CHECK_NEAR(sarrus_sim_time(one.sim), sum, 1e-13);
  sarrus_sim_span(one.sim, &from, &to);
  CHECK_NEAR(to - from, size, 1e-13);
  CHECK_NEAR(to, sarrus_sim_time(one.sim), 0);
  for (int i = 1; i <= 1000; i++)
    CHECK_OK(sarrus_sim_advance(other.sim, sum * i / 1000));
  CHECK_OK(sarrus_sim_advance(other.sim, sarrus_sim_time(one.sim)));
  CHECK_NEAR(position(one.sim), position(other.sim), 0);
  CHECK_NEAR(position(one.sim), cos(sum), 1e-13);
  run_free(&one);
  run_free(&other);
}

TEST(backwards_and_at) {
  Run run;
  double from, to, q, v, a;
  REQUIRE(run_oscillator(&run, &tight));
  CHECK_OK(sarrus_sim_advance(run.sim, -5));
  CHECK_NEAR(position(run.sim), cos(5), 1e-14);
  CHECK_OK(sarrus_sim_advance(run.sim, 3));
  CHECK_NEAR(position(run.sim), cos(3), 1e-13);
  sarrus_sim_span(run.sim, &from, &to);
  CHECK(from <= 3 && 3 <= to);
  for (int i = 0; i <= 10; i++) {
    const double t = fmin(from + (to - from) * i / 10, to);
    CHECK_OK(sarrus_sim_at(run.sim, t, &q, &v, &a, NULL));
    CHECK_NEAR(q, cos(t), 1e-13);
    CHECK_NEAR(v, -sin(t), 1e-13);
    CHECK_NEAR(a, -cos(t), 1e-11);
  }
  CHECK_STATUS(sarrus_sim_at(run.sim, to + 1, &q, NULL, NULL, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_at(run.sim, (double)NAN, &q, NULL, NULL, NULL), SARRUS_ARGUMENT);
  run_free(&run);
}

TEST(starts_are_made_consistent) {
  Run run;
  double q[] = {0.8, -0.8}, v[] = {1, 0}, position_error, velocity_error;
  REQUIRE(run_new(&run, pendulum(sarrus_memory_default()), &tight));
  CHECK_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_NEAR(sarrus_sim_stats(run.sim).moved, 0.8 - sqrt(0.5), 1e-12);
  CHECK_NEAR(sarrus_sim_stats(run.sim).moved_velocity, 0.5, 1e-12);
  CHECK_OK(sarrus_sim_state(run.sim, q, v, NULL, NULL));
  CHECK_NEAR(q[0], sqrt(0.5), 1e-13);
  CHECK_NEAR(v[1], 0.5, 1e-13);
  CHECK_OK(sarrus_sim_residual(run.sim, &position_error, &velocity_error));
  CHECK(position_error < 1e-15 && velocity_error < 1e-15);
  CHECK_INT(sarrus_sim_dependent(run.sim, 0), 0);
  run_free(&run);
}

TEST(redundant_constraints_are_known) {
  Parts *p = pendulum(sarrus_memory_default());
  REQUIRE(p != NULL);
  p->constraint[1] = p->constraint[0];
  p->spec.constraints = 2;
  Run run;
  double q[] = {-1, 0}, v[] = {0, 0}, lambda[2];
  REQUIRE(run_new(&run, p, &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_INT(sarrus_sim_dependent(run.sim, 0) + sarrus_sim_dependent(run.sim, 1), 1);
  CHECK_OK(sarrus_sim_advance(run.sim, 10));
  CHECK_OK(sarrus_sim_state(run.sim, q, NULL, NULL, lambda));
  CHECK_NEAR(q[0], -0.27508746257611686005, 1e-12);
  CHECK_NEAR(lambda[0], lambda[1], 1e-12);
  run_free(&run);
}

/* A failed start leaves no state; a good one afterwards serves. */
TEST(starts_that_cannot_be_met) {
  Parts *p = pendulum(sarrus_memory_default());
  REQUIRE(p != NULL);
  p->constraint[1] = sub(p->g, p->constraint[0], sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0));
  p->spec.constraints = 2;
  p->spec.parameters = 1;
  Run run;
  const double q[] = {1, 0.1}, v[] = {0, 0};
  double size;
  REQUIRE(run_new(&run, p, &tight));
  CHECK_STATUS(sarrus_sim_step(run.sim, &size), SARRUS_ARGUMENT);
  sarrus_sim_preset(run.sim, 0, 3);
  CHECK_STATUS(sarrus_sim_start(run.sim, 0, q, v), SARRUS_INCONSISTENT);
  CHECK(sarrus_sim_fault(run.sim)->row >= 2 && sarrus_sim_fault(run.sim)->size > 0.1);
  CHECK_STATUS(sarrus_sim_step(run.sim, &size), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_advance(run.sim, 1), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_state(run.sim, &size, NULL, NULL, NULL), SARRUS_ARGUMENT);
  sarrus_sim_preset(run.sim, 0, 0);
  CHECK_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  run_free(&run);
}

TEST(parameters_and_impulses) {
  Run run;
  double v, q;
  const double push = 2;
  REQUIRE(run_oscillator(&run, &tight));
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  CHECK_OK(sarrus_sim_impulse(run.sim, &push));
  CHECK_OK(sarrus_sim_at(run.sim, 1, NULL, &v, NULL, NULL));
  CHECK_NEAR(v, -sin(1), 1e-14);
  CHECK_OK(sarrus_sim_state(run.sim, &q, &v, NULL, NULL));
  CHECK_NEAR(v, 2 - sin(1), 1e-14);
  CHECK_OK(sarrus_sim_set(run.sim, 0, 0));
  CHECK_NEAR(sarrus_sim_get(run.sim, 0), 0, 0);
  CHECK_OK(sarrus_sim_advance(run.sim, 4)); /* free of force */
  CHECK_NEAR(position(run.sim), q + 3 * v, 1e-13);
  run_free(&run);
}

/* Nothing that could move: 0 = 0 holds, 0 = t - 1 does not. */
TEST(a_constraint_of_no_coordinate) {
  for (int moves = 0; moves <= 1; moves++) {
    Parts *p = parts_new(sarrus_memory_default(), 0);
    REQUIRE(p != NULL);
    p->constraint[0] = moves ? sub(p->g, p->t, constant(p->g, 1)) : constant(p->g, 0);
    p->spec.constraints = 1;
    Run run;
    const double none = 0;
    REQUIRE(run_new(&run, p, &tight));
    CHECK_STATUS(sarrus_sim_start(run.sim, 0, &none, &none),
                 moves ? SARRUS_INCONSISTENT : SARRUS_OK);
    if (!moves) CHECK_OK(sarrus_sim_advance(run.sim, 1));
    run_free(&run);
  }
}

/*
** x'' = -x, and an angle without mass that x = sin(angle) defines: x does not feel it, but what
** hits it.
*/
TEST(idle_coordinates) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->force[0] = negative(p->g, p->q[0]);
  p->mass[3] = constant(p->g, 0);
  p->constraint[0] = sub(p->g, p->q[0], sine(p, p->q[1]));
  p->spec.constraints = 1;
  Run run;
  const double start[] = {0.5, 0}, rest[] = {0, 0}, push[] = {0, 3};
  double q[2], v[2], lambda;
  REQUIRE(run_new(&run, p, &tight));
  CHECK_OK(sarrus_sim_start(run.sim, 0, start, rest));
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  CHECK_OK(sarrus_sim_state(run.sim, q, v, NULL, &lambda));
  CHECK_NEAR(q[0], 0.5 * cos(1), 1e-14);
  CHECK_NEAR(q[1], asin(q[0]), 1e-14);
  CHECK_NEAR(lambda, 0, 0);
  const double before = v[0];
  CHECK_OK(sarrus_sim_impulse(run.sim, push));
  CHECK_OK(sarrus_sim_state(run.sim, q, v, NULL, NULL));
  CHECK_NEAR(v[0], before + 3 / cos(q[1]), 1e-13); /* 3 dangle = dx 3 / cos(angle) */
  CHECK_NEAR(v[1], v[0] / cos(q[1]), 1e-13);
  run_free(&run);
}

static int countdown(void *ud) { return --*(int *)ud < 0; }

TEST(cancelling) {
  Run run;
  int left = 3;
  const sarrus_SimOptions options = {.tolerance = 1e-14, .cancelled = countdown, .ud = &left};
  REQUIRE(run_oscillator(&run, &options));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 1000), SARRUS_CANCELLED);
  CHECK_INT(sarrus_sim_stats(run.sim).steps, 3);
  CHECK_NEAR(position(run.sim), cos(sarrus_sim_time(run.sim)), 1e-13);
  sarrus_sim_on_cancel(run.sim, NULL, NULL);
  CHECK_OK(sarrus_sim_advance(run.sim, 100));
  run_free(&run);
}

TEST(too_many_steps) {
  Run run;
  const sarrus_SimOptions options = {.max_steps = 5, .max_step = 0.1};
  REQUIRE(run_oscillator(&run, &options));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 1000), SARRUS_STEP);
  CHECK_NEAR(sarrus_sim_time(run.sim), 0.5, 1e-15);
  CHECK_OK(sarrus_sim_advance(run.sim, 0.9));
  run_free(&run);
}

/* An event at 0.25 interrupts an advance: the steps before it count, and with _on those too. */
TEST(steps_count_on) {
  for (int on = 0; on <= 1; on++) {
    Run run;
    const double q = 1, v = 0;
    const sarrus_SimOptions options = {.max_steps = 5, .max_step = 0.1};
    Parts *p = oscillator();
    REQUIRE(p != NULL);
    const sarrus_Expr after = sub(p->g, p->t, constant(p->g, 0.25));
    REQUIRE(run_with_events(&run, p, &options, 1, &after, (sarrus_Direction[]){SARRUS_BOTH}));
    CHECK_OK(sarrus_sim_preset(run.sim, 0, 1));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
    CHECK_STATUS(sarrus_sim_advance(run.sim, 10), SARRUS_STOPPED);
    CHECK_STATUS((on ? sarrus_sim_advance_on : sarrus_sim_advance)(run.sim, 10), SARRUS_STEP);
    CHECK_NEAR(sarrus_sim_time(run.sim), on ? 0.5 : 0.8, 1e-15);
    CHECK_INT(sarrus_sim_fault(run.sim)->count, 5);
    run_free(&run);
  }
}

TEST(saved_and_restored) {
  Run run;
  const double extra[] = {1.5, -2};
  double back[2] = {0, 0};
  int extras = 2;
  REQUIRE(run_oscillator(&run, &tight));
  CHECK_OK(sarrus_sim_advance(run.sim, 7.5));
  const size_t size = sarrus_sim_save(run.sim, extra, 2, NULL, 0);
  char *record = malloc(size + 1);
  REQUIRE(record != NULL);
  record[size - 1] = record[size] = 'x';
  CHECK_INT(sarrus_sim_save(run.sim, extra, 2, record, size - 1), size);
  CHECK(record[size - 1] == 'x');
  CHECK_INT(sarrus_sim_save(run.sim, extra, 2, record, size), size);
  CHECK(record[size] == 'x');
  sarrus_Sim *copy;
  REQUIRE_OK(sarrus_sim_restore(sarrus_memory_default(), run.system, NULL, record, size, back,
                                &extras, &copy));
  CHECK_INT(extras, 2);
  CHECK(back[0] == 1.5 && back[1] == -2);
  CHECK_OK(sarrus_sim_advance(copy, 50));
  CHECK_OK(sarrus_sim_advance(run.sim, 50));
  CHECK_NEAR(position(copy), position(run.sim), 0);
  sarrus_sim_free(copy);
  extras = 1;
  CHECK_STATUS(sarrus_sim_restore(sarrus_memory_default(), run.system, NULL, record, size, back,
                                  &extras, &copy),
               SARRUS_LIMIT);
  CHECK(copy == NULL);
  free(record);
  run_free(&run);
}

TEST(clones_go_their_own_way) {
  Run run;
  sarrus_Sim *copy;
  REQUIRE(run_oscillator(&run, &tight));
  CHECK_OK(sarrus_sim_advance(run.sim, 2.5));
  REQUIRE_OK(sarrus_sim_clone(run.sim, &copy));
  CHECK_OK(sarrus_sim_set(copy, 0, 4));
  CHECK_NEAR(sarrus_sim_get(run.sim, 0), 1, 0);
  CHECK_OK(sarrus_sim_advance(run.sim, 9));
  CHECK_NEAR(sarrus_sim_time(copy), 2.5, 0);
  CHECK_NEAR(position(run.sim), cos(9), 1e-13);
  sarrus_sim_free(copy);
  run_free(&run);
}

/* Nothing is allocated by steps, and by what asks. */
TEST(steps_allocate_nothing) {
  TestMemory m;
  const sarrus_Memory memory = test_memory_counting(&m);
  sarrus_Fault fault;
  sarrus_System *system;
  sarrus_Sim *sim;
  double q[] = {-1, 0}, v[] = {0, 0}, size, g, w;
  Parts *p = pendulum(memory);
  REQUIRE(p != NULL);
  REQUIRE_OK(sarrus_system_new(memory, parts_spec(p), &system, &fault));
  parts_free(p);
  REQUIRE_OK(sarrus_sim_new(memory, system, NULL, &tight, &sim));
  REQUIRE_OK(sarrus_sim_start(sim, 0, q, v));
  const long before = m.calls;
  for (int i = 0; i < 1000; i++)
    CHECK_OK(sarrus_sim_step(sim, &size));
  CHECK_OK(sarrus_sim_advance(sim, sarrus_sim_time(sim) + 1));
  CHECK_OK(sarrus_sim_state(sim, q, v, NULL, NULL));
  CHECK_OK(sarrus_sim_residual(sim, &g, &w));
  CHECK_INT(m.calls, before);
  CHECK_INT((long)sarrus_sim_bytes(sim) > 0, 1);
  sarrus_sim_free(sim);
  sarrus_system_free(system);
  CHECK_INT(m.blocks, 0);
}

/* What heard of steps: how many, where the last one ended, after how many to stop. */
typedef struct Steps {
  int count, stop_after;
  double end;
} Steps;

static int note_step(void *ud, const sarrus_Sim *sim) {
  Steps *steps = ud;
  double from, to, q;
  sarrus_sim_span(sim, &from, &to);
  CHECK_NEAR(from, steps->end, 0);
  CHECK_NEAR(sarrus_sim_time(sim), from, 0);
  for (int i = 0; i <= 4; i++) {
    const double t = i == 4 ? to : from + i * (to - from) / 4;
    CHECK_OK(sarrus_sim_at(sim, t, &q, NULL, NULL, NULL));
    CHECK_NEAR(q, cos(t), 1e-12);
  }
  CHECK_STATUS(sarrus_sim_set((sarrus_Sim *)sim, 0, 2), SARRUS_BUSY);
  steps->end = to;
  return ++steps->count == steps->stop_after;
}

TEST(steps_are_heard_of) {
  Run run, other;
  Steps steps = {0};
  double size;
  REQUIRE(run_oscillator(&run, &tight) && run_oscillator(&other, &tight));
  sarrus_sim_on_step(run.sim, note_step, &steps);
  CHECK_OK(sarrus_sim_advance(run.sim, 20));
  CHECK_OK(sarrus_sim_advance(other.sim, 20));
  CHECK_INT(steps.count, sarrus_sim_stats(run.sim).steps);
  CHECK_NEAR(position(run.sim), position(other.sim), 0); /* not a bit changes */
  steps.stop_after = steps.count + 2;
  CHECK_STATUS(sarrus_sim_advance(run.sim, 40), SARRUS_CANCELLED);
  CHECK_INT(steps.count, steps.stop_after);
  CHECK_NEAR(sarrus_sim_time(run.sim), steps.end, 0);
  steps.stop_after = steps.count + 1;
  CHECK_STATUS(sarrus_sim_advance(run.sim, steps.end + 1e-3), SARRUS_CANCELLED);
  CHECK(sarrus_sim_time(run.sim) < steps.end); /* not beyond what was asked for */
  CHECK_OK(sarrus_sim_step(run.sim, &size));
  CHECK_INT(steps.count, steps.stop_after); /* what was left of it is no new one */
  steps.stop_after = steps.count + 1;
  CHECK_STATUS(sarrus_sim_step(run.sim, &size), SARRUS_CANCELLED);
  CHECK_NEAR(sarrus_sim_time(run.sim), steps.end, 0);
  sarrus_sim_on_step(run.sim, NULL, NULL);
  CHECK_OK(sarrus_sim_advance(run.sim, 40));
  run_free(&run);
  run_free(&other);
}

static int stop(void *ud, const sarrus_Sim *sim) {
  (void)ud, (void)sim;
  return 1;
}

/* An event comes before the end of the step that is the last. */
TEST(events_before_a_stop) {
  Run run;
  const double q = 1, v = 0;
  Parts *p = oscillator();
  REQUIRE(p != NULL);
  const sarrus_Expr when = p->t, after = sub(p->g, when, constant(p->g, 1e-3));
  REQUIRE(run_with_events(&run, p, &tight, 1, &after, (sarrus_Direction[]){SARRUS_BOTH}));
  CHECK_OK(sarrus_sim_preset(run.sim, 0, 1));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  sarrus_sim_on_step(run.sim, stop, NULL);
  CHECK_STATUS(sarrus_sim_advance(run.sim, 5), SARRUS_STOPPED);
  CHECK_NEAR(sarrus_sim_time(run.sim), 1e-3, 1e-18);
  CHECK_STATUS(sarrus_sim_advance(run.sim, 5), SARRUS_CANCELLED);
  run_free(&run);
}

/*
** A callback in the middle of an advance: whatever moves or changes it is BUSY, looking is allowed.
*/
static int reenter(void *sim) {
  const double one = 1;
  double size = 1, g = 0, w = 0, q = 0;
  sarrus_Sim *copy = NULL;
  CHECK_STATUS(sarrus_sim_step(sim, &size), SARRUS_BUSY);
  CHECK_NEAR(size, 0, 0);
  CHECK_STATUS(sarrus_sim_step_until(sim, 1, &size), SARRUS_BUSY);
  CHECK_STATUS(sarrus_sim_advance(sim, 1), SARRUS_BUSY);
  CHECK_STATUS(sarrus_sim_advance_on(sim, 1), SARRUS_BUSY);
  CHECK_STATUS(sarrus_sim_start(sim, 0, &one, &one), SARRUS_BUSY);
  CHECK_STATUS(sarrus_sim_set(sim, 0, 1), SARRUS_BUSY);
  CHECK_STATUS(sarrus_sim_preset(sim, 0, 1), SARRUS_BUSY);
  CHECK_STATUS(sarrus_sim_scale(sim, 0, 1), SARRUS_BUSY);
  CHECK_STATUS(sarrus_sim_guess(sim, &one), SARRUS_BUSY);
  CHECK_STATUS(sarrus_sim_impulse(sim, &one), SARRUS_BUSY);
  CHECK_STATUS(sarrus_sim_residual(sim, &g, &w), SARRUS_BUSY);
  CHECK_OK(sarrus_sim_state(sim, &q, NULL, NULL, NULL));
  CHECK_NEAR(q, cos(sarrus_sim_time(sim)), 1e-13);
  CHECK_OK(sarrus_sim_clone(sim, &copy));
  CHECK_NEAR(position(copy), q, 0);
  sarrus_sim_free(copy);
  return sarrus_sim_time(sim) > 1;
}

TEST(one_call_at_a_time) {
  Run run;
  REQUIRE(run_oscillator(&run, &tight));
  sarrus_sim_on_cancel(run.sim, reenter, run.sim);
  CHECK_STATUS(sarrus_sim_advance(run.sim, 9), SARRUS_CANCELLED);
  sarrus_sim_on_cancel(run.sim, NULL, NULL);
  CHECK_OK(sarrus_sim_advance(run.sim, 9));
  CHECK_NEAR(position(run.sim), cos(9), 1e-12);
  run_free(&run);
}

TEST(other_rounding_modes_are_refused) {
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  Run run;
  REQUIRE(run_oscillator(&run, &tight));
  for (int i = 0; i < 3; i++) {
    sarrus_Sim *sim = NULL;
    fesetround(modes[i]);
    const sarrus_Status status =
        sarrus_sim_new(sarrus_memory_default(), run.system, NULL, &tight, &sim);
    const sarrus_Status later = sarrus_sim_advance(run.sim, 1);
    fesetround(FE_TONEAREST);
    CHECK_STATUS(status, SARRUS_FLOATS);
    CHECK_STATUS(later, SARRUS_FLOATS);
    CHECK(sim == NULL);
  }
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  run_free(&run);
}
