/* Simulations: making them, starting them, moving along. */
#include "sarrus/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "block.h"
#include "sim_parts.h"

static const double LEAST_TOLERANCE = 10 * DBL_EPSILON;

/* --- making ------------------------------------------------------------------------------ */

static void lay_out(sarrus_Sim *sim, Block *block) {
  const size_t n = (size_t)sim->n, series = (size_t)(sim->capacity + 2) * (size_t)sim->variables;
  block_take(block, 1, sizeof *sim);
  BLOCK_TAKE(block, sim->parameters, sim->system->parameters);
  BLOCK_TAKE(block, sim->scale, sim->variables);
  BLOCK_TAKE(block, sim->dense, series);
  BLOCK_TAKE(block, sim->from.q, n);
  BLOCK_TAKE(block, sim->from.v, n);
  BLOCK_TAKE(block, sim->to.q, n);
  BLOCK_TAKE(block, sim->to.v, n);
  sim->expansion = expansion_take(block, sim->system, sim->capacity + 1);
}

static int options_valid(const sarrus_SimOptions *o) {
  return o->tolerance >= LEAST_TOLERANCE && o->tolerance < 1 && o->scale > 0 &&
         isfinite(o->scale) && o->step >= 0 && isfinite(o->step) && o->max_step >= 0 &&
         o->max_steps >= 0 &&
         (o->order == 0 || (o->order >= SARRUS_MIN_ORDER && o->order <= SARRUS_MAX_SIM_ORDER));
}

/* Room for the orders that sim_choose_order may come to. */
enum { CHOSEN_ORDERS = 34 };

sarrus_Status sarrus_sim_new(sarrus_Memory memory, const sarrus_System *system,
                             const sarrus_SimOptions *options, sarrus_Sim **result) {
  sarrus_Sim shape = {.memory = memory, .system = system, .options = *options};
  sarrus_SimOptions *o = &shape.options;
  *result = NULL;
  if (o->tolerance == 0) o->tolerance = 1e-12;
  if (o->scale == 0) o->scale = 1;
  if (!options_valid(o)) return SARRUS_ARGUMENT;
  shape.n = system->n;
  shape.m = system->m;
  shape.variables = system->n + system->m;
  shape.capacity = o->order > 0 ? o->order : CHOSEN_ORDERS;
  Block block = {NULL, 0};
  lay_out(&shape, &block);
  shape.bytes = block.used;
  sarrus_Sim *sim = memory.alloc(memory.ud, NULL, 0, block.used);
  if (sim == NULL) return SARRUS_NOMEM;
  memset(sim, 0, block.used);
  *sim = shape;
  lay_out(sim, &(Block){(char *)sim, 0});
  sim->order = o->order > 0 ? o->order : sim_first_order(sim);
  sim->broken = 1;
  *result = sim;
  return SARRUS_OK;
}

void sarrus_sim_free(sarrus_Sim *sim) {
  if (sim != NULL) sim->memory.alloc(sim->memory.ud, sim, sim->bytes, 0);
}

/* --- moving ------------------------------------------------------------------------------ */

/* Whether t lies in the span. */
static int covers(const sarrus_Sim *sim, double t) {
  const double low = fmin(sim->from.t, sim->to.t), high = fmax(sim->from.t, sim->to.t);
  return low <= t && t <= high;
}

/* Head for t: forward from the end of the span, or, turned round, from its beginning. */
static sarrus_Status head_for(sarrus_Sim *sim, double t) {
  const int direction = t >= sim->to.t ? 1 : -1;
  if (sim->dense_order > 0 && direction != sim->direction) {
    Correction moved;
    point_copy(&sim->to, &sim->from, sim->n);
    SARRUS_TRY(sim_project(sim, &sim->to, &moved));
  }
  sim->direction = direction;
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_advance(sarrus_Sim *sim, double t) {
  if (sim->broken || !isfinite(t)) return SARRUS_ARGUMENT;
  long long steps = 0;
  while (!covers(sim, t)) {
    SARRUS_TRY(head_for(sim, t));
    if (sim->options.max_steps > 0 && steps++ == sim->options.max_steps) return SARRUS_STEP;
    SARRUS_TRY(sim_make_step(sim));
    sim->now = sim->to.t;
  }
  sim->now = t;
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_step(sarrus_Sim *sim, double *size) {
  if (sim->broken) return SARRUS_ARGUMENT;
  const double before = sim->now;
  if (sim->direction == 0) sim->direction = 1;
  if (sim->now == sim->to.t) SARRUS_TRY(sim_make_step(sim));
  sim->now = sim->to.t;
  *size = sim->now - before;
  return SARRUS_OK;
}

/* --- asking ------------------------------------------------------------------------------ */

double sarrus_sim_time(const sarrus_Sim *sim) { return sim->now; }

void sarrus_sim_span(const sarrus_Sim *sim, double *from, double *to) {
  *from = fmin(sim->from.t, sim->to.t);
  *to = fmax(sim->from.t, sim->to.t);
}

static void state_at_end(const sarrus_Sim *sim, double *q, double *v, double *a, double *lambda) {
  const size_t n = (size_t)sim->n * sizeof(double);
  if (q != NULL) memcpy(q, sim->to.q, n);
  if (v != NULL) memcpy(v, sim->to.v, n);
  for (int j = 0; a != NULL && j < sim->n; j++) a[j] = 2 * *expansion_at(sim->expansion, 2, j);
  for (int i = 0; lambda != NULL && i < sim->m; i++)
    lambda[i] = *expansion_at(sim->expansion, 0, sim->n + i);
}

sarrus_Status sarrus_sim_at(sarrus_Sim *sim, double t, double *q, double *v, double *a,
                            double *lambda) {
  if (sim->broken || !covers(sim, t)) return SARRUS_ARGUMENT;
  if (t == sim->to.t)
    state_at_end(sim, q, v, a, lambda);
  else
    sim_evaluate(sim, (t - sim->from.t) - sim->from.t_low, q, v, a, lambda);
  return SARRUS_OK;
}

double sarrus_sim_get(const sarrus_Sim *sim, int parameter) { return sim->parameters[parameter]; }
size_t sarrus_sim_bytes(const sarrus_Sim *sim) { return sim->bytes; }
sarrus_SimStats sarrus_sim_stats(const sarrus_Sim *sim) { return sim->stats; }
const sarrus_Fault *sarrus_sim_fault(const sarrus_Sim *sim) { return &sim->fault; }
int sarrus_sim_dependent(const sarrus_Sim *sim, int i) {
  return sim->expansion->kkt->dependent[i];
}
