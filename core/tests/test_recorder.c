/* Recorders: instants, rows, sinks that fail. */
#include "sarrus/recorder.h"

#include "sims.h"

typedef struct Log {
  Run run;
  sarrus_Recorder *recorder;
  sarrus_Rows rows;
} Log;

static int feed_between_steps(void *ud) { return sarrus_recorder_feed(ud, 0) < 0; }

/* x, v, k and, as a value of the caller's, c of an oscillator x = cos t. */
static bool log_new(Log *log, sarrus_Memory memory, double every) {
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  *log = (Log){.rows = {.memory = memory, .width = 5}};
  if (!CHECK(g != NULL) || !run_oscillator(&log->run, &tight)) return false;
  const sarrus_Expr exprs[] = {
      sarrus_graph_symbol(g, SARRUS_Q, 0), sarrus_graph_symbol(g, SARRUS_V, 0),
      sarrus_graph_symbol(g, SARRUS_PARAMETER, 0), sarrus_graph_symbol(g, SARRUS_PARAMETER, 1)};
  const sarrus_RecorderSpec spec = {
      .graph = g, .count = 4, .exprs = exprs, .values = 1, .every = every};
  const sarrus_Status status = sarrus_recorder_new(memory, log->run.sim, &spec, &log->recorder);
  sarrus_graph_free(g);
  if (status != SARRUS_OK) return false;
  sarrus_recorder_add_sink(log->recorder, (sarrus_Sink){sarrus_rows_put, &log->rows});
  sarrus_sim_on_cancel(log->run.sim, feed_between_steps, log->recorder);
  return true;
}

static void log_free(Log *log) {
  sarrus_recorder_free(log->recorder);
  sarrus_rows_release(&log->rows);
  run_free(&log->run);
}

static const double *row_of(const Log *log, int k) { return log->rows.numbers + 5 * k; }

TEST(rows_of_an_oscillator) {
  Log log;
  REQUIRE(log_new(&log, sarrus_memory_default(), 0.01));
  CHECK_OK(sarrus_sim_advance(log.run.sim, 10));
  CHECK_OK(sarrus_recorder_feed(log.recorder, 1));
  REQUIRE(CHECK_INT(log.rows.count, 1001));
  for (int k = 0; k <= 1000; k++) {
    const double *row = row_of(&log, k), t = k / 100.0;
    CHECK_NEAR(row[0], t, 0);
    CHECK_NEAR(row[1], cos(t), 1e-13);
    CHECK_NEAR(row[2], -sin(t), 1e-13);
    CHECK_NEAR(row[3], 1, 0);
    CHECK(isnan(row[4]));
  }
  log_free(&log);
}

/* The present state, after what intervened; no row comes of it. */
TEST(reading_now) {
  Log log;
  double values[4];
  REQUIRE(log_new(&log, sarrus_memory_default(), 0.25));
  CHECK_OK(sarrus_sim_advance(log.run.sim, 1.1));
  CHECK_OK(sarrus_recorder_set(log.recorder, 0, 7));
  CHECK_OK(sarrus_sim_impulse(log.run.sim, (double[]){3}));
  CHECK_OK(sarrus_recorder_read(log.recorder, values));
  CHECK_NEAR(values[0], cos(1.1), 1e-13);
  CHECK_NEAR(values[1], 3 - sin(1.1), 1e-13);
  CHECK_NEAR(values[2], 1, 0);
  CHECK_NEAR(values[3], 7, 0);
  CHECK_INT(log.rows.count, 0);
  log_free(&log);
}

/* There and back; where it turns on the grid (-0.5), that instant is written once. */
TEST(turning_round) {
  const double times[] = {0, 0.25, 0.5, 0.75, 0.75, 0.5, 0.25, 0, -0.25, -0.5, -0.25, 0};
  const double stops[] = {0.3, 0.8, -0.5, 0.2};
  Log log;
  REQUIRE(log_new(&log, sarrus_memory_default(), 0.25));
  for (int i = 0; i < 4; i++) {
    CHECK_OK(sarrus_sim_advance(log.run.sim, stops[i]));
    CHECK_OK(sarrus_recorder_feed(log.recorder, 1));
  }
  REQUIRE(CHECK_INT(log.rows.count, sizeof times / sizeof *times));
  for (int k = 0; k < log.rows.count; k++) {
    CHECK_NEAR(row_of(&log, k)[0], times[k], 0);
    CHECK_NEAR(row_of(&log, k)[1], cos(times[k]), 1e-13);
  }
  log_free(&log);
}

/* An interval that is no fraction: k every; times that were added up are met all the same. */
TEST(any_interval) {
  Log log;
  REQUIRE(log_new(&log, sarrus_memory_default(), 0.3));
  double t = 0;
  for (int k = 1; k <= 10; k++) {
    t += 0.3;
    CHECK_OK(sarrus_sim_advance(log.run.sim, t));
    CHECK_OK(sarrus_recorder_feed(log.recorder, 1));
    REQUIRE(CHECK_INT(log.rows.count, k + 1));
    CHECK_NEAR(row_of(&log, k)[0], k * 0.3, 0);
    CHECK_NEAR(row_of(&log, k)[1], cos(t), 1e-13);
  }
  log_free(&log);
}

/* The row of an instant at which something intervenes shows the state after it; marks show both. */
TEST(interventions) {
  Log log;
  const double impulse = 1;
  REQUIRE(log_new(&log, sarrus_memory_default(), 0.5));
  CHECK_OK(sarrus_sim_advance(log.run.sim, 1));
  CHECK_OK(sarrus_recorder_feed(log.recorder, 0));
  CHECK_INT(log.rows.count, 2);
  CHECK_OK(sarrus_sim_set(log.run.sim, 0, 4));
  CHECK_OK(sarrus_sim_impulse(log.run.sim, &impulse));
  CHECK_OK(sarrus_sim_advance(log.run.sim, 1.25));
  CHECK_OK(sarrus_recorder_feed(log.recorder, 1));
  REQUIRE(CHECK_INT(log.rows.count, 3));
  CHECK_NEAR(row_of(&log, 2)[2], 1 - sin(1), 1e-13);
  CHECK_NEAR(row_of(&log, 2)[3], 4, 0);
  CHECK_OK(sarrus_sim_advance(log.run.sim, 1.5));
  CHECK_OK(sarrus_recorder_feed(log.recorder, 0));
  CHECK_OK(sarrus_recorder_mark(log.recorder, 0));
  CHECK_OK(sarrus_sim_impulse(log.run.sim, &impulse));
  CHECK_OK(sarrus_recorder_mark(log.recorder, 1));
  CHECK_OK(sarrus_recorder_mark(log.recorder, 0)); /* again: that is there */
  CHECK_OK(sarrus_recorder_feed(log.recorder, 1));
  REQUIRE(CHECK_INT(log.rows.count, 5));
  CHECK_NEAR(row_of(&log, 3)[0], 1.5, 0);
  CHECK_NEAR(row_of(&log, 4)[0], 1.5, 0);
  CHECK_NEAR(row_of(&log, 4)[2] - row_of(&log, 3)[2], 1, 1e-13);
  log_free(&log);
}

/* Row by row, with a value of the caller's. */
TEST(values_of_the_caller) {
  Log log;
  double t;
  REQUIRE(log_new(&log, sarrus_memory_default(), 0.25));
  CHECK_NEAR(sarrus_recorder_next(log.recorder, 1), 0, 0);
  CHECK(sarrus_recorder_due(log.recorder, 0, &t) == 0);
  for (int k = 0; sarrus_sim_advance(log.run.sim, k * 0.25) == SARRUS_OK && k < 4; k++) {
    REQUIRE(sarrus_recorder_due(log.recorder, 1, &t));
    sarrus_recorder_set(log.recorder, 0, 10 * t);
    CHECK_OK(sarrus_recorder_take(log.recorder));
    CHECK(sarrus_recorder_due(log.recorder, 1, &t) == 0);
    CHECK_NEAR(row_of(&log, k)[4], 2.5 * k, 0);
    CHECK_NEAR(sarrus_recorder_next(log.recorder, 9), 0.25 * (k + 1), 0);
    CHECK_NEAR(sarrus_recorder_next(log.recorder, -9), 0.25 * (k - 1), 0);
  }
  log_free(&log);
}

static sarrus_Status full(void *ud, const double *row) {
  int *room = ud;
  return row[0] >= 0 && (*room)-- > 0 ? SARRUS_OK : SARRUS_IO;
}

/* A sink that fails is told once and gets no more; the others go on. */
TEST(sinks_that_fail) {
  Log log;
  int room = 3;
  REQUIRE(log_new(&log, sarrus_memory_default(), 1));
  sarrus_recorder_add_sink(log.recorder, (sarrus_Sink){full, &room});
  for (int t = 0; t <= 5; t++) {
    CHECK_OK(sarrus_sim_advance(log.run.sim, t));
    CHECK_STATUS(sarrus_recorder_feed(log.recorder, 1), t == 3 ? SARRUS_IO : SARRUS_OK);
  }
  CHECK_INT(room, -1);
  CHECK_INT(log.rows.count, 6);
  log_free(&log);
}

TEST(memory_that_fails) {
  for (long n = 1;; n++) {
    TestMemory m;
    Log log;
    const sarrus_Memory memory = test_memory_failing(&m, n);
    const bool made = log_new(&log, memory, 0.01);
    sarrus_Status status = made ? SARRUS_OK : SARRUS_NOMEM;
    for (int t = 1; made && t <= 5 && status == SARRUS_OK; t++) {
      CHECK_OK(sarrus_sim_advance(log.run.sim, 0.2 * t));
      status = sarrus_recorder_feed(log.recorder, 1);
    }
    log_free(&log);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) {
      CHECK_OK(status);
      CHECK(n > 4);
      break;
    }
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
}
