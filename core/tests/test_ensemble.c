/*
** Ensembles: runs are what simulations alone are, bit for bit, with any number of threads.  Also
** built under the thread sanitizer (make build/tsan/test_ensemble).
*/
#include "sarrus/ensemble.h"

#include "sims.h"

enum { RUNS = 20, WIDTH = 3 };

/* Channels of a pendulum in Cartesian coordinates: x, and its rate. */
typedef struct Many {
  Run run;
  sarrus_Graph *graph;
  sarrus_Expr exprs[WIDTH - 1];
  sarrus_Ensemble *ensemble;
} Many;

static bool many_new(Many *many, sarrus_Memory memory, double every, int threads, int with_event) {
  Parts *p = pendulum(sarrus_memory_default());
  *many = (Many){.graph = sarrus_graph_new(sarrus_memory_default())};
  if (p == NULL || many->graph == NULL) return CHECK(false);
  const sarrus_Expr lowest = p->q[0];
  const sarrus_Direction up = SARRUS_UP;
  if (!run_with_events(&many->run, p, &tight, with_event, &lowest, &up)) return false;
  many->exprs[0] = sarrus_graph_symbol(many->graph, SARRUS_Q, 0);
  many->exprs[1] = sarrus_graph_symbol(many->graph, SARRUS_V, 0);
  const sarrus_EnsembleSpec spec = {.runs = RUNS,
                                    .t_end = 1.5,
                                    .graph = many->graph,
                                    .count = WIDTH - 1,
                                    .exprs = many->exprs,
                                    .every = every,
                                    .threads = threads,
                                    .events = with_event};
  return sarrus_ensemble_new(memory, &spec, &many->ensemble) == SARRUS_OK;
}

static void many_free(Many *many) {
  sarrus_ensemble_free(many->ensemble);
  sarrus_graph_free(many->graph);
  run_free(&many->run);
}

/* Run i starts at another angle. */
static bool start(Many *many, int i) {
  const double angle = 0.3 + 0.1 * i, q[] = {-sin(angle), -cos(angle)}, v[] = {0, 0};
  return CHECK_OK(sarrus_sim_start(many->run.sim, 0, q, v));
}

static sarrus_Status put_all(Many *many) {
  for (int i = 0; i < RUNS; i++) {
    if (!start(many, i)) return SARRUS_ARGUMENT;
    const sarrus_Status status = sarrus_ensemble_put(many->ensemble, i, many->run.sim);
    if (status < 0) return status;
  }
  return sarrus_ensemble_wait(many->ensemble);
}

/* Each run is told once. */
static void check_told(Many *many) {
  int seen[RUNS] = {0};
  for (int k = 0; k < RUNS; k++) {
    const int i = sarrus_ensemble_done(many->ensemble);
    REQUIRE(i >= 0 && i < RUNS);
    CHECK_INT(seen[i]++, 0);
  }
  CHECK_INT(sarrus_ensemble_done(many->ensemble), -1);
}

TEST(the_ends_are_those_of_simulations_alone) {
  for (int threads = 1; threads <= 4; threads++) {
    Many many;
    REQUIRE(many_new(&many, sarrus_memory_default(), 0, threads, 0));
    REQUIRE_OK(put_all(&many));
    check_told(&many);
    for (int i = 0; i < RUNS; i++) {
      double q[2], v[2];
      int count;
      const double *row = sarrus_ensemble_rows(many.ensemble, i, &count);
      REQUIRE(start(&many, i) && row != NULL && count == 1);
      REQUIRE_OK(sarrus_sim_advance(many.run.sim, 1.5));
      REQUIRE_OK(sarrus_sim_state(many.run.sim, q, v, NULL, NULL));
      CHECK_STATUS(sarrus_ensemble_status(many.ensemble, i), SARRUS_OK);
      CHECK(row[0] == 1.5 && row[1] == q[0] && row[2] == v[0]);
      CHECK(sarrus_ensemble_failed(many.ensemble, i) == NULL);
    }
    many_free(&many);
  }
}

/* Simulations that the ensemble takes over have the rows of those that it copies. */
TEST(taken_over) {
  Many copied, taken;
  int count;
  REQUIRE(many_new(&copied, sarrus_memory_default(), 0, 2, 0));
  REQUIRE(many_new(&taken, sarrus_memory_default(), 0, 2, 0));
  REQUIRE_OK(put_all(&copied));
  for (int i = 0; i < RUNS; i++) {
    sarrus_Sim *own = taken.run.sim;
    REQUIRE(start(&taken, i));
    REQUIRE_OK(
        sarrus_sim_new(sarrus_memory_default(), taken.run.system, NULL, &tight, &taken.run.sim));
    REQUIRE_OK(sarrus_ensemble_take(taken.ensemble, i, own));
  }
  CHECK_STATUS(sarrus_ensemble_take(taken.ensemble, 0, taken.run.sim), SARRUS_ARGUMENT);
  REQUIRE_OK(sarrus_ensemble_wait(taken.ensemble));
  for (int i = 0; i < RUNS; i++) {
    const double *row = sarrus_ensemble_rows(taken.ensemble, i, &count);
    REQUIRE(row != NULL && count == 1);
    CHECK(memcmp(row, sarrus_ensemble_rows(copied.ensemble, i, &count), WIDTH * sizeof *row) == 0);
  }
  many_free(&copied);
  many_free(&taken);
}

TEST(rows_are_those_of_a_recorder) {
  for (int threads = 1; threads <= 3; threads += 2) {
    Many many;
    REQUIRE(many_new(&many, sarrus_memory_default(), 0.25, threads, 0));
    REQUIRE_OK(put_all(&many));
    for (int i = 0; i < RUNS; i++) {
      sarrus_Recorder *recorder;
      sarrus_Rows rows = {.memory = sarrus_memory_default(), .width = WIDTH};
      const sarrus_RecorderSpec spec = {many.graph, WIDTH - 1, many.exprs, 0, 0.25};
      int count;
      const double *numbers = sarrus_ensemble_rows(many.ensemble, i, &count);
      REQUIRE(start(&many, i) && numbers != NULL);
      REQUIRE_OK(sarrus_recorder_new(rows.memory, many.run.sim, &spec, &recorder));
      REQUIRE_OK(sarrus_recorder_add_sink(recorder, (sarrus_Sink){sarrus_rows_put, &rows}));
      for (int k = 0; k <= 6; k++) {
        REQUIRE_OK(sarrus_sim_advance(many.run.sim, 0.25 * k));
        REQUIRE_OK(sarrus_recorder_feed(recorder, 1));
      }
      CHECK_INT(count, 7);
      CHECK_INT(rows.count, 7);
      CHECK(memcmp(numbers, rows.numbers, 7 * WIDTH * sizeof *numbers) == 0);
      sarrus_recorder_free(recorder);
      sarrus_rows_release(&rows);
    }
    many_free(&many);
  }
}

TEST(a_run_ends_at_an_event) {
  Many many;
  REQUIRE(many_new(&many, sarrus_memory_default(), 0, 2, 1));
  REQUIRE_OK(put_all(&many));
  for (int i = 0; i < RUNS; i++) {
    int count;
    const double *row = sarrus_ensemble_rows(many.ensemble, i, &count);
    REQUIRE(row != NULL);
    if (sarrus_ensemble_status(many.ensemble, i) == SARRUS_STOPPED)
      CHECK(row[0] > 0.4 && row[0] < 1.5 && fabs(row[1]) < 1e-12 && row[2] > 0);
    else
      CHECK(row[0] == 1.5 && i > RUNS / 2); /* near the top it takes longer */
  }
  CHECK_STATUS(sarrus_ensemble_status(many.ensemble, 0), SARRUS_STOPPED);
  many_free(&many);
}

/* x' = x^2 from x = 1 blows up at t = 1. */
TEST(a_run_that_fails_is_a_row) {
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(p != NULL && g != NULL);
  p->force[0] = mul(p->g, p->v[0], p->v[0]);
  REQUIRE(run_new(&run, p, &tight));
  const sarrus_Expr rate = sarrus_graph_symbol(g, SARRUS_V, 0);
  const sarrus_EnsembleSpec spec = {
      .runs = 2, .t_end = 2, .graph = g, .count = 1, .exprs = &rate, .threads = 2};
  sarrus_Ensemble *ensemble;
  REQUIRE_OK(sarrus_ensemble_new(sarrus_memory_default(), &spec, &ensemble));
  const double q = 0, v[] = {1, 0.25};
  int count;
  for (int i = 0; i < 2; i++) {
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v[i]));
    REQUIRE_OK(sarrus_ensemble_put(ensemble, i, run.sim));
  }
  REQUIRE_OK(sarrus_ensemble_wait(ensemble));
  CHECK_STATUS(sarrus_ensemble_status(ensemble, 0), SARRUS_STEP);
  const double *row = sarrus_ensemble_rows(ensemble, 0, &count);
  REQUIRE(row != NULL && count == 1);
  CHECK(row[0] > 0.99 && row[0] < 1 && isnan(row[1]));
  sarrus_Sim *failed = sarrus_ensemble_failed(ensemble, 0);
  REQUIRE(failed != NULL);
  CHECK(sarrus_sim_time(failed) == row[0]);
  CHECK(sarrus_ensemble_failed(ensemble, 0) == NULL);
  sarrus_sim_free(failed);
  CHECK_NEAR(sarrus_ensemble_rows(ensemble, 1, &count)[1], 0.25 / (1 - 0.5), 1e-12);
  sarrus_ensemble_free(ensemble);
  sarrus_graph_free(g);
  run_free(&run);
}

static int after_some(void *ud) { return ++*(int *)ud > 30; }

TEST(cancelled_runs_end) {
  for (int threads = 1; threads <= 3; threads++) {
    Many many;
    int asked = 0, count;
    REQUIRE(many_new(&many, sarrus_memory_default(), 0, 1, 0));
    sarrus_ensemble_free(many.ensemble);
    const sarrus_EnsembleSpec spec = {.runs = RUNS,
                                      .t_end = 1e6,
                                      .graph = many.graph,
                                      .count = WIDTH - 1,
                                      .exprs = many.exprs,
                                      .threads = threads,
                                      .cancelled = after_some,
                                      .ud = &asked};
    REQUIRE_OK(sarrus_ensemble_new(sarrus_memory_default(), &spec, &many.ensemble));
    CHECK_STATUS(put_all(&many), SARRUS_CANCELLED);
    CHECK_STATUS(sarrus_ensemble_wait(many.ensemble), SARRUS_CANCELLED);
    CHECK_STATUS(sarrus_ensemble_status(many.ensemble, 0), SARRUS_CANCELLED);
    const double *last = sarrus_ensemble_rows(many.ensemble, RUNS - 1, &count);
    CHECK(last == NULL || sarrus_ensemble_status(many.ensemble, RUNS - 1) == SARRUS_CANCELLED);
    many_free(&many);
  }
}

TEST(freed_in_the_middle_of_it) {
  Many many;
  REQUIRE(many_new(&many, sarrus_memory_default(), 0.001, 3, 0));
  for (int i = 0; i < 6; i++)
    REQUIRE(start(&many, i) && CHECK_OK(sarrus_ensemble_put(many.ensemble, i, many.run.sim)));
  many_free(&many);
}

TEST(memory_that_fails) {
  for (long n = 1;; n++) {
    TestMemory m;
    Many many;
    const bool made = many_new(&many, test_memory_failing(&m, n), 0.25, 1, 0);
    sarrus_Status status = made ? put_all(&many) : SARRUS_NOMEM;
    for (int i = 0; made && i < RUNS; i++)
      if (sarrus_ensemble_status(many.ensemble, i) == SARRUS_NOMEM) status = SARRUS_NOMEM;
    many_free(&many);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) {
      CHECK_OK(status);
      CHECK(n > 10);
      break;
    }
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
}

TEST(wrong_arguments) {
  Many many, other;
  int count;
  REQUIRE(many_new(&many, sarrus_memory_default(), 0, 1, 0));
  REQUIRE(many_new(&other, sarrus_memory_default(), 0, 1, 0));
  const sarrus_Memory memory = sarrus_memory_default();
  const sarrus_EnsembleSpec good = {.runs = 1, .graph = many.graph, .threads = 1};
  sarrus_EnsembleSpec bad[9];
  for (int i = 0; i < 9; i++)
    bad[i] = good;
  bad[0].runs = -1;
  bad[1].t_end = (double)NAN;
  bad[2].every = -1;
  bad[3].every = (double)INFINITY;
  bad[4].threads = 0;
  bad[5].count = -1;
  bad[6].events = -1;
  bad[7].threads = SARRUS_MOST_THREADS + 1;
  bad[8].runs = 1 << 30;
  sarrus_Ensemble *none;
  for (int i = 0; i < 9; i++) {
    CHECK_STATUS(sarrus_ensemble_new(memory, &bad[i], &none),
                 i < 7 ? SARRUS_ARGUMENT : SARRUS_LIMIT);
    CHECK(none == NULL);
  }
  CHECK_STATUS(sarrus_ensemble_put(many.ensemble, 0, many.run.sim), SARRUS_ARGUMENT);
  REQUIRE(start(&many, 0) && start(&other, 0));
  CHECK_STATUS(sarrus_ensemble_put(many.ensemble, -1, many.run.sim), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_ensemble_put(many.ensemble, RUNS, many.run.sim), SARRUS_ARGUMENT);
  REQUIRE_OK(sarrus_ensemble_put(many.ensemble, 0, many.run.sim));
  CHECK_STATUS(sarrus_ensemble_put(many.ensemble, 0, many.run.sim), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_ensemble_put(many.ensemble, 1, other.run.sim), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_ensemble_status(many.ensemble, 0), SARRUS_ARGUMENT);
  CHECK(sarrus_ensemble_rows(many.ensemble, 0, &count) == NULL && count == 0);
  CHECK(sarrus_ensemble_failed(many.ensemble, RUNS) == NULL);
  const sarrus_Expr beyond = sarrus_graph_symbol(many.graph, SARRUS_PARAMETER, 3);
  const sarrus_EnsembleSpec unknown = {
      .runs = 1, .graph = many.graph, .count = 1, .exprs = &beyond, .threads = 1};
  REQUIRE_OK(sarrus_ensemble_new(memory, &unknown, &none));
  CHECK_OK(sarrus_ensemble_wait(none));
  CHECK_STATUS(sarrus_ensemble_put(none, 0, many.run.sim), SARRUS_ARGUMENT);
  sarrus_ensemble_free(none);
  many_free(&many);
  many_free(&other);
}
