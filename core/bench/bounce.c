/*
** note|a bounce of a ball, in C: … us.  A ball that loses nothing, from touch to touch: the step
** that finds the impact, the impact, and the next start.
*/
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "sarrus/sarrus.h"

enum { BOUNCES = 1000, ROUNDS = 7 };

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* y'' = -9.81, y >= 0 */
static sarrus_Status make_ball(sarrus_System **ball) {
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  const sarrus_MassEntry mass = {0, 0, sarrus_graph_constant(g, 1)};
  const sarrus_Expr force = sarrus_graph_constant(g, -9.81);
  const sarrus_Contact floor = {.gap = sarrus_graph_symbol(g, SARRUS_Q, 0),
                                .slip = {SARRUS_NONE, SARRUS_NONE},
                                .friction = SARRUS_NONE,
                                .static_friction = SARRUS_NONE,
                                .restitution = sarrus_graph_constant(g, 1)};
  const sarrus_SystemSpec spec = {.graph = g,
                                  .coordinates = 1,
                                  .masses = 1,
                                  .mass = &mass,
                                  .lagrangian = SARRUS_NONE,
                                  .force = &force,
                                  .contacts = 1,
                                  .contact = &floor};
  sarrus_Fault fault;
  const sarrus_Status status = sarrus_system_new(sarrus_memory_default(), &spec, ball, &fault);
  sarrus_graph_free(g);
  return status;
}

/* The least time of a bounce over some rounds, from 1 m, first touch after sqrt(2 / 9.81) s. */
static sarrus_Status time_bounces(const sarrus_System *ball, double *best) {
  const sarrus_SimOptions options = {.tolerance = 1e-12};
  const double height = 1, speed = 0, end = 2 * BOUNCES * sqrt(2 / 9.81);
  sarrus_Sim *sim;
  SARRUS_TRY(sarrus_sim_new(sarrus_memory_default(), ball, NULL, &options, &sim));
  sarrus_Status status = SARRUS_OK;
  for (int round = 0; round < ROUNDS && status >= 0; round++) {
    status = sarrus_sim_start(sim, 0, &height, &speed);
    const double from = seconds();
    if (status >= 0) status = sarrus_sim_advance(sim, end);
    *best = fmin(*best, (seconds() - from) / BOUNCES);
  }
  sarrus_sim_free(sim);
  return status;
}

int main(void) {
  sarrus_System *ball = NULL;
  double best = HUGE_VAL;
  sarrus_Status status = make_ball(&ball);
  if (status >= 0) status = time_bounces(ball, &best);
  sarrus_system_free(ball);
  if (status < 0) {
    fprintf(stderr, "bounce: %s\n", sarrus_status_text(status));
    return 1;
  }
  printf("note|a bounce of a ball, in C: %.2f us\n", 1e6 * best);
  return 0;
}
