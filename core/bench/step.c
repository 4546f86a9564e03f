/*
** What a step costs beside its expansion: for each mechanism the time of a natural step (with
** projection, step control and acceptance), that of an expansion of the same order about the same
** point, their ratio, and how often a step allocates.
*/
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sarrus/sarrus.h"

enum { MOST = 40, STEPS = 3000, ROUNDS = 7 };

static long allocations;

static void *counting(void *ud, void *ptr, size_t osize, size_t nsize) {
  (void)ud;
  (void)osize;
  allocations++;
  if (nsize > 0) return realloc(ptr, nsize);
  free(ptr);
  return NULL;
}

static const sarrus_Memory memory = {counting, NULL};

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A chain of point masses, link by link |p_i - p_(i-1)|^2 = 1; one link is the pendulum. */
static sarrus_System *chain(int links) {
  sarrus_Graph *g = sarrus_graph_new(memory);
  sarrus_Expr force[MOST], constraint[MOST], square[2];
  sarrus_MassEntry mass[MOST];
  for (int i = 0; i < links; i++) {
    for (int k = 0; k < 2; k++) {
      const int j = 2 * i + k;
      const sarrus_Expr here = sarrus_graph_symbol(g, SARRUS_Q, j);
      sarrus_Expr gap = here;
      if (i > 0)
        gap = sarrus_graph_linear(
            g, 0, 2, (sarrus_Term[]){{1, here}, {-1, sarrus_graph_symbol(g, SARRUS_Q, j - 2)}});
      square[k] = sarrus_graph_power(g, gap, 2);
      force[j] = sarrus_graph_constant(g, k == 0 ? 0 : -9.81);
      mass[j] = (sarrus_MassEntry){j, j, sarrus_graph_constant(g, 1)};
    }
    constraint[i] = sarrus_graph_linear(g, -1, 2, (sarrus_Term[]){{1, square[0]}, {1, square[1]}});
  }
  const sarrus_SystemSpec spec = {.graph = g,
                                  .coordinates = 2 * links,
                                  .masses = 2 * links,
                                  .mass = mass,
                                  .lagrangian = SARRUS_NONE,
                                  .force = force,
                                  .constraints = links,
                                  .constraint = constraint};
  sarrus_System *system = NULL;
  sarrus_Fault fault;
  sarrus_system_new(memory, &spec, &system, &fault);
  sarrus_graph_free(g);
  return system;
}

/* The least time of a step over some rounds: what the machine does besides only adds. */
static double time_steps(sarrus_Sim *sim, const double *q, const double *v, long *during,
                         int *failed) {
  double best = 1, size;
  for (int round = 0; round < ROUNDS; round++) {
    *failed |= sarrus_sim_start(sim, 0, q, v) < 0;
    const long before = allocations;
    const double begin = seconds();
    for (int i = 0; i < STEPS; i++)
      *failed |= sarrus_sim_step(sim, &size) < 0;
    const double each = (seconds() - begin) / STEPS;
    *during += allocations - before;
    if (each < best) best = each;
  }
  return best;
}

static double time_expansions(sarrus_Expansion *x, const double *q, const double *v, int *failed) {
  double best = 1;
  sarrus_Fault fault;
  for (int round = 0; round < ROUNDS; round++) {
    const double begin = seconds();
    for (int i = 0; i < STEPS; i++)
      *failed |= sarrus_expansion_run(x, 0, q, v, NULL, 1e-9, &fault) < 0;
    const double each = (seconds() - begin) / STEPS;
    if (each < best) best = each;
  }
  return best;
}

static int measure(int links, int order) {
  double q[MOST] = {0}, v[MOST] = {0};
  for (int i = 0; i < links; i++)
    q[2 * i] = i + 1;
  const sarrus_SimOptions options = {.tolerance = 1e-13, .order = order};
  sarrus_System *system = chain(links);
  sarrus_Sim *sim = NULL;
  sarrus_Expansion *x = NULL;
  int failed = sarrus_sim_new(memory, system, NULL, &options, &sim) < 0 ||
               sarrus_expansion_new(memory, system, order + 1, &x) < 0;
  long during = 0;
  if (!failed) {
    const double step = time_steps(sim, q, v, &during, &failed);
    const double expansion = time_expansions(x, q, v, &failed);
    printf(
        "%2d link(s), order %2d: step %7.2f us, expansion %7.2f us, ratio %.3f, allocations %ld\n",
        links, order, 1e6 * step, 1e6 * expansion, step / expansion, during);
  }
  sarrus_expansion_free(x);
  sarrus_sim_free(sim);
  sarrus_system_free(system);
  if (failed) fprintf(stderr, "step: %d link(s) failed\n", links);
  return failed;
}

int main(void) { return measure(1, 20) | measure(2, 20) | measure(5, 24) | measure(20, 24); }
