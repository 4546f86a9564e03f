/*
** Simulations: memory that fails, numbers that are not finite, options that are none, hostile
** records.
*/
#define _GNU_SOURCE
#include <fenv.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sims.h"

static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};

TEST(memory_that_fails) {
  TestMemory m;
  Run run;
  REQUIRE(run_oscillator(&run, &tight));
  CHECK_OK(sarrus_sim_advance(run.sim, 2.5));
  char record[16384];
  const size_t size = sarrus_sim_save(run.sim, NULL, 0, record, sizeof record);
  REQUIRE(size <= sizeof record);
  for (long n = 1;; n++) { /* new, restore and clone, one after the other */
    const sarrus_Memory memory = test_memory_failing(&m, n);
    sarrus_Sim *fresh = NULL, *restored = NULL, *copy = NULL;
    int extras = 0;
    sarrus_Status status = sarrus_sim_new(memory, run.system, NULL, &tight, &fresh);
    if (status == SARRUS_OK)
      status = sarrus_sim_restore(memory, run.system, NULL, record, size, NULL, &extras, &restored);
    if (status == SARRUS_OK) status = sarrus_sim_clone(restored, &copy);
    if (status == SARRUS_OK) CHECK_NEAR(position(copy), position(run.sim), 0);
    sarrus_sim_free(fresh);
    sarrus_sim_free(restored);
    sarrus_sim_free(copy);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) {
      CHECK_OK(status);
      CHECK(n > 4);
      break;
    }
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
  run_free(&run);
}

TEST(options_that_are_none) {
  Run run;
  sarrus_Sim *sim;
  REQUIRE(run_oscillator(&run, &tight));
  const sarrus_SimOptions none[] = {{.tolerance = 1e-20},
                                    {.tolerance = 1},
                                    {.tolerance = -1},
                                    {.tolerance = (double)NAN},
                                    {.scale = -1},
                                    {.scale = (double)NAN},
                                    {.scale = (double)INFINITY},
                                    {.order = 1},
                                    {.order = -3},
                                    {.order = 61},
                                    {.order = 1000000},
                                    {.step = -1},
                                    {.step = (double)NAN},
                                    {.step = (double)INFINITY},
                                    {.max_step = -1},
                                    {.max_step = (double)NAN},
                                    {.max_steps = -1}};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    CHECK_STATUS(sarrus_sim_new(sarrus_memory_default(), run.system, NULL, &none[i], &sim),
                 SARRUS_ARGUMENT);
    CHECK(sim == NULL);
  }
  run_free(&run);
}

/* Nothing that is not finite gets in; what was there goes on. */
TEST(numbers_that_are_not_finite) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    Run run;
    const double zero = 0;
    REQUIRE(run_oscillator(&run, &tight));
    CHECK_OK(sarrus_sim_advance(run.sim, 1));
    CHECK_STATUS(sarrus_sim_advance(run.sim, bad[i]), SARRUS_ARGUMENT);
    CHECK_STATUS(sarrus_sim_set(run.sim, 0, bad[i]), SARRUS_ARGUMENT);
    CHECK_STATUS(sarrus_sim_set(run.sim, 1, 0), SARRUS_ARGUMENT);
    CHECK_STATUS(sarrus_sim_set(run.sim, -1, 0), SARRUS_ARGUMENT);
    CHECK_STATUS(sarrus_sim_impulse(run.sim, &bad[i]), SARRUS_ARGUMENT);
    CHECK_NEAR(position(run.sim), cos(1), 1e-14);
    CHECK_OK(sarrus_sim_advance(run.sim, 5));
    CHECK_NEAR(position(run.sim), cos(5), 1e-13);
    CHECK(sarrus_sim_start(run.sim, 0, &bad[i], &zero) < 0);
    CHECK(sarrus_sim_start(run.sim, 0, &zero, &bad[i]) < 0);
    CHECK(sarrus_sim_start(run.sim, bad[i], &zero, &zero) < 0);
    CHECK_STATUS(sarrus_sim_advance(run.sim, 1), SARRUS_ARGUMENT);
    CHECK_OK(sarrus_sim_start(run.sim, 0, &zero, &zero));
    CHECK_OK(sarrus_sim_advance(run.sim, 5));
    CHECK_NEAR(position(run.sim), 0, 0);
    run_free(&run);
  }
}

/* y'' = 6 y^2 from (1, 2) is 1/(1 - t)^2; all that was before 1 stays good. */
TEST(a_motion_that_blows_up) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->force[0] = scaled(p->g, 6, power(p->g, p->q[0], 2));
  Run run;
  const double q = 1, v = 2;
  REQUIRE(run_new(&run, p, &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 3), SARRUS_STEP);
  const double t = sarrus_sim_time(run.sim);
  CHECK(t < 1 && t > 0.99);
  CHECK_NEAR(position(run.sim) * (1 - t) * (1 - t), 1, 1e-2);
  run_free(&run);
}

/* log x, and x falls to 0: the last good state is kept. */
TEST(a_force_that_leaves_its_domain) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->force[0] =
      sub(p->g, scaled(p->g, 1e-3, unary(p->g, SARRUS_OP_LOG, p->q[0])), constant(p->g, 1));
  Run run;
  const double q = 1, v = 0;
  REQUIRE(run_new(&run, p, &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  const sarrus_Status status = sarrus_sim_advance(run.sim, 3);
  CHECK(status == SARRUS_STEP || status == SARRUS_NONFINITE);
  CHECK(position(run.sim) >= 0 && sarrus_sim_time(run.sim) > 1.4);
  CHECK_OK(sarrus_sim_advance(run.sim, 0));
  CHECK_NEAR(position(run.sim), 1, 0.1); /* velocities count times h, and h was tiny there */
  run_free(&run);
}

/*
** Row 88: whatever is damaged is refused; under the sanitizers nothing is read that is not there.
*/
TEST(damaged_records) {
  Run run;
  REQUIRE(run_oscillator(&run, &tight));
  CHECK_OK(sarrus_sim_advance(run.sim, 2.5));
  char good[16384];
  const size_t size = sarrus_sim_save(run.sim, NULL, 0, good, sizeof good);
  REQUIRE(size <= sizeof good);
  sarrus_Sim *sim;
  int extras = 0;
  for (size_t length = 0; length < size; length++) {
    char *cut = malloc(length + 1);
    REQUIRE(cut != NULL);
    memcpy(cut, good, length);
    CHECK_STATUS(sarrus_sim_restore(sarrus_memory_default(), run.system, NULL, cut, length, NULL,
                                    &extras, &sim),
                 SARRUS_FORMAT);
    free(cut);
  }
  for (size_t bit = 0; bit < 8 * size; bit += 5) {
    good[bit / 8] = (char)(good[bit / 8] ^ (1 << bit % 8));
    const sarrus_Status status = sarrus_sim_restore(sarrus_memory_default(), run.system, NULL, good,
                                                    size, NULL, &extras, &sim);
    CHECK(status == SARRUS_FORMAT || status == SARRUS_VERSION);
    good[bit / 8] = (char)(good[bit / 8] ^ (1 << bit % 8));
  }
  CHECK_OK(sarrus_sim_restore(sarrus_memory_default(), run.system, NULL, good, size, NULL, &extras,
                              &sim));
  sarrus_sim_free(sim);
  run_free(&run);
}

/* The checksum of the format, which an attacker can compute too. */
static void forge(char *record, size_t size) {
  unsigned long long h = 14695981039346656037u;
  for (size_t i = 0; i < size - sizeof h; i++)
    h = (h ^ (unsigned char)record[i]) * 1099511628211u;
  memcpy(record + size - sizeof h, &h, sizeof h);
}

/* Rows 88, 89: numbers out of range with a right checksum do not lead outside of memory. */
TEST(forged_records) {
  Run run;
  REQUIRE(run_oscillator(&run, &tight));
  CHECK_OK(sarrus_sim_advance(run.sim, 2.5));
  char good[16384], record[16384];
  const size_t size = sarrus_sim_save(run.sim, NULL, 0, good, sizeof good);
  REQUIRE(size <= sizeof good);
  const long long values[] = {-1, 1000000, 0x7fffffffffffffff, 0x7ff8000000000000};
  for (size_t at = 32; at + 16 <= size; at += 8) {
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      sarrus_Sim *sim;
      double size_of_step;
      int extras = 0;
      memcpy(record, good, size);
      memcpy(record + at, &values[i], sizeof values[i]);
      forge(record, size);
      if (sarrus_sim_restore(sarrus_memory_default(), run.system, NULL, record, size, NULL, &extras,
                             &sim) < 0)
        continue;
      sarrus_sim_step(sim, &size_of_step);
      sarrus_sim_free(sim);
    }
  }
  run_free(&run);
}

/* Row 92: a host that traps on invalid operations, overflow and division by zero. */
TEST(traps_are_not_met) {
  Run run;
  double q[] = {-1, 0}, v[] = {0, 0};
  REQUIRE(run_new(&run, pendulum(sarrus_memory_default()), &tight));
  feclearexcept(FE_ALL_EXCEPT);
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_OK(sarrus_sim_advance(run.sim, 20));
  CHECK_OK(sarrus_sim_advance(run.sim, 15));
  CHECK_INT(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW), 0);
  run_free(&run);
}

/* Row 85: a child goes on as its parent does. */
TEST(a_fork_continues_identically) {
  Run run;
  int ends[2];
  REQUIRE(run_oscillator(&run, &tight));
  CHECK_OK(sarrus_sim_advance(run.sim, 2.5));
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  const sarrus_Status status = sarrus_sim_advance(run.sim, 40);
  const double here = status == SARRUS_OK ? position(run.sim) : (double)NAN;
  if (child == 0) _exit(write(ends[1], &here, sizeof here) != sizeof here);
  double there = 0;
  int result;
  CHECK_INT(read(ends[0], &there, sizeof there), sizeof there);
  CHECK(waitpid(child, &result, 0) == child && result == 0);
  CHECK_NEAR(there, here, 0);
  close(ends[0]);
  close(ends[1]);
  run_free(&run);
}

/* --- records of larger systems, whose order of elimination is saved too -------------------- */

/* Four pendulums side by side, with a constraint more than they need: thirteen unknowns. */
static bool run_large(Run *run) {
  enum { POINTS = 4 };
  Parts *p = parts_new(sarrus_memory_default(), 2 * POINTS);
  const double q[] = {-1, 0, 0, -1, 1, 0, 0.6, -0.8}, v[] = {0, 0, 1, 0, 0, 0, 0, 0};
  if (p == NULL) return CHECK(false);
  for (int i = 0; i < POINTS; i++) {
    const sarrus_Expr x2 = power(p->g, p->q[2 * i], 2), y2 = power(p->g, p->q[2 * i + 1], 2);
    p->constraint[i] = sub(p->g, add(p->g, x2, y2), constant(p->g, 1));
    p->force[2 * i + 1] = constant(p->g, -9.81);
  }
  p->constraint[POINTS] = p->constraint[0];
  p->spec.constraints = POINTS + 1;
  return run_new(run, p, &tight) && CHECK_OK(sarrus_sim_start(run->sim, 0, q, v)) &&
         CHECK_OK(sarrus_sim_advance(run->sim, 1.5));
}

TEST(memory_that_fails_while_restoring) {
  Run run;
  TestMemory m;
  char record[32768];
  REQUIRE(run_large(&run));
  const size_t size = sarrus_sim_save(run.sim, NULL, 0, record, sizeof record);
  REQUIRE(size <= sizeof record);
  for (long n = 1;; n++) {
    sarrus_Sim *sim;
    int extras = 0;
    const sarrus_Status status = sarrus_sim_restore(test_memory_failing(&m, n), run.system, NULL,
                                                    record, size, NULL, &extras, &sim);
    if (!m.failed) {
      CHECK(n > 10);
      CHECK_OK(status);
      CHECK_OK(sarrus_sim_advance(sim, 3));
      CHECK_OK(sarrus_sim_advance(run.sim, 3));
      CHECK_NEAR(position(sim), position(run.sim), 0);
    } else {
      CHECK_STATUS(status, SARRUS_NOMEM);
    }
    sarrus_sim_free(sim);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) break;
  }
  run_free(&run);
}

/* Before a start there is nothing to save but options and parameters. */
TEST(clones_of_what_has_not_started) {
  Run small, large;
  sarrus_Sim *copy;
  const double q = 1, v = 0;
  REQUIRE(run_oscillator(&small, &tight));
  REQUIRE(run_large(&large));
  const Run *runs[] = {&small, &large};
  for (int i = 0; i < 2; i++) {
    sarrus_Sim *fresh;
    REQUIRE_OK(sarrus_sim_new(sarrus_memory_default(), runs[i]->system, NULL, &tight, &fresh));
    if (i == 0) CHECK_OK(sarrus_sim_preset(fresh, 0, 4));
    REQUIRE_OK(sarrus_sim_clone(fresh, &copy));
    CHECK_STATUS(sarrus_sim_advance(copy, 1), SARRUS_ARGUMENT);
    if (i == 0) {
      CHECK_OK(sarrus_sim_start(copy, 0, &q, &v));
      CHECK_OK(sarrus_sim_advance(copy, 1));
      CHECK_NEAR(position(copy), cos(2), 1e-13);
    }
    sarrus_sim_free(fresh);
    sarrus_sim_free(copy);
  }
  const double none = (double)NAN; /* nor after one that failed, though there are series left */
  CHECK_OK(sarrus_sim_advance(small.sim, 3));
  CHECK_STATUS(sarrus_sim_start(small.sim, 0, &none, &v), SARRUS_NONFINITE);
  CHECK_OK(sarrus_sim_clone(small.sim, &copy));
  CHECK_STATUS(sarrus_sim_advance(copy, 1), SARRUS_ARGUMENT);
  sarrus_sim_free(copy);
  run_free(&small);
  run_free(&large);
}

/* --- events in forged records ------------------------------------------------------------- */

/*
** Every eight bytes replaced: what is restored answers with an event that there is, and can go on.
*/
TEST(delivered_events_of_forged_records) {
  Run run;
  char good[32768], record[32768];
  const double q = 1, v = 0;
  const long long values[] = {-2, 1, 7, 1 << 20, 0x7fffffff, -0x80000000LL, 0x100000000};
  Parts *p = oscillator();
  REQUIRE(p != NULL);
  const sarrus_Expr when = p->q[0];
  REQUIRE(run_with_events(&run, p, &tight, 1, &when, (sarrus_Direction[]){SARRUS_BOTH}));
  CHECK_OK(sarrus_sim_preset(run.sim, 0, 1));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 2), SARRUS_STOPPED);
  const size_t size = sarrus_sim_save(run.sim, NULL, 0, good, sizeof good);
  REQUIRE(size <= sizeof good);
  for (size_t at = 32; at + 16 <= size; at += 8)
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      sarrus_Sim *sim;
      int extras = 0, direction = 0;
      memcpy(record, good, size);
      memcpy(record + at, &values[i], sizeof values[i]);
      forge(record, size);
      if (sarrus_sim_restore(sarrus_memory_default(), run.system, run.events, record, size, NULL,
                             &extras, &sim) < 0)
        continue;
      const int event = sarrus_sim_event(sim, &direction);
      CHECK(event == -1 || event == 0);
      CHECK(direction >= -1 && direction <= 1);
      sarrus_sim_free(sim);
    }
  run_free(&run);
}

/* Nothing moves, and steps are as long as was asked for: the time itself comes to its end. */
TEST(times_stay_finite) {
  Run run;
  const double q = 1, v = 0;
  double size;
  REQUIRE(
      run_new(&run, parts_new(sarrus_memory_default(), 1), &(sarrus_SimOptions){.step = 1e308}));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  CHECK_OK(sarrus_sim_step(run.sim, &size));
  sarrus_sim_step(run.sim, &size);
  sarrus_sim_step(run.sim, &size);
  CHECK(isfinite(sarrus_sim_time(run.sim)));
  CHECK_NEAR(position(run.sim), 1, 0);
  run_free(&run);
}
