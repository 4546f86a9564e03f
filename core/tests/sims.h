/* A system with a simulation of it, for the tests of simulations. */
#ifndef SARRUS_TEST_SIMS_H
#define SARRUS_TEST_SIMS_H

#include "mechanisms.h"
#include "sarrus/sim.h"

typedef struct Run {
  sarrus_System *system;
  sarrus_Events *events;
  sarrus_Sim *sim;
} Run;

/* Takes the parts; `events` of them are in when[] and directions[]. */
static inline bool run_with_events(Run *run, Parts *p, const sarrus_SimOptions *options, int events,
                                   const sarrus_Expr *when, const sarrus_Direction *directions) {
  const sarrus_Memory memory = sarrus_memory_default();
  sarrus_Fault fault;
  *run = (Run){NULL, NULL, NULL};
  if (p == NULL) return CHECK(false);
  bool made = CHECK_OK(sarrus_system_new(memory, parts_spec(p), &run->system, &fault));
  if (made && events > 0)
    made = CHECK_OK(sarrus_events_new(memory, p->g, events, when, directions, p->spec.parameters,
                                      &run->events));
  parts_free(p);
  return made && CHECK_OK(sarrus_sim_new(memory, run->system, run->events, options, &run->sim));
}

static inline bool run_new(Run *run, Parts *p, const sarrus_SimOptions *options) {
  return run_with_events(run, p, options, 0, NULL, NULL);
}

static inline void run_free(Run *run) {
  sarrus_sim_free(run->sim);
  sarrus_events_free(run->events);
  sarrus_system_free(run->system);
}

/* x'' = -k x with a parameter k, preset to 1 by run_oscillator. */
static inline Parts *oscillator(void) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (p == NULL) return NULL;
  p->force[0] = negative(p->g, mul(p->g, sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0), p->q[0]));
  p->spec.parameters = 1;
  return p;
}

/* x = cos t */
static inline bool run_oscillator(Run *run, const sarrus_SimOptions *options) {
  const double q = 1, v = 0;
  if (!run_new(run, oscillator(), options)) return false;
  sarrus_sim_preset(run->sim, 0, 1);
  return CHECK_OK(sarrus_sim_start(run->sim, 0, &q, &v));
}

static inline double position(const sarrus_Sim *sim) {
  double q[MOST];
  CHECK_OK(sarrus_sim_state(sim, q, NULL, NULL, NULL));
  return q[0];
}

static const sarrus_SimOptions tight = {.tolerance = 1e-14};

#endif
