/*
** Threads: a system and its events serve several simulations at once, each in a thread of its own.
** Also built under the thread sanitizer (make build/tsan/test_sim_threads), which sees what they
** share.
*/
#include <pthread.h>

#include "sims.h"

enum { THREADS = 3 };

static void *swing(void *ud) {
  const Run *run = ud;
  const double q[] = {-1, 0}, v[] = {0, 0};
  double *x = malloc(2 * sizeof *x);
  sarrus_Sim *sim = NULL;
  if (x == NULL) return NULL;
  x[0] = x[1] = (double)NAN;
  if (sarrus_sim_new(sarrus_memory_default(), run->system, run->events, &tight, &sim) ==
          SARRUS_OK &&
      sarrus_sim_start(sim, 0, q, v) == SARRUS_OK) {
    sarrus_Status status;
    while ((status = sarrus_sim_advance(sim, 3)) == SARRUS_STOPPED)
      continue;
    if (status == SARRUS_OK) sarrus_sim_state(sim, x, NULL, NULL, NULL);
  }
  sarrus_sim_free(sim);
  return x;
}

TEST(one_system_for_several_threads) {
  Run run;
  pthread_t threads[THREADS];
  Parts *p = pendulum(sarrus_memory_default());
  REQUIRE(p != NULL);
  const sarrus_Expr lowest = p->q[0];
  const sarrus_Direction up = SARRUS_UP;
  REQUIRE(run_with_events(&run, p, &tight, 1, &lowest, &up));
  for (int i = 0; i < THREADS; i++)
    REQUIRE(pthread_create(&threads[i], NULL, swing, &run) == 0);
  double *expected = swing(&run);
  REQUIRE(expected != NULL);
  for (int i = 0; i < THREADS; i++) {
    void *answer = NULL;
    REQUIRE(pthread_join(threads[i], &answer) == 0);
    const double *x = answer;
    CHECK(x != NULL && x[0] == expected[0] && x[1] == expected[1]);
    free(answer);
  }
  free(expected);
  run_free(&run);
}
