/* A system with an expansion of it, for the tests of expansions. */
#ifndef SARRUS_TEST_EXPANSIONS_H
#define SARRUS_TEST_EXPANSIONS_H

#include "expansion_parts.h"
#include "mechanisms.h"

typedef struct Run {
  sarrus_System *system;
  sarrus_Expansion *x;
  sarrus_Fault fault;
} Run;

/* Takes the parts. */
static inline Run run_of(Parts *p, int order) {
  Run run = {NULL, NULL, {0}};
  CHECK_OK(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &run.system, &run.fault));
  CHECK_OK(sarrus_expansion_new(sarrus_memory_default(), run.system, order, &run.x));
  parts_free(p);
  return run;
}

static inline void run_free(Run *run) {
  sarrus_expansion_free(run->x);
  sarrus_system_free(run->system);
}

#endif
