/* Simulations: making them, asking them. */
#include "sarrus/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "block.h"
#include "roots.h"
#include "sim_parts.h"
#include "vector.h"

static const double LEAST_TOLERANCE = 10 * DBL_EPSILON;

/* Room for the orders that sim_choose_order may come to. */
enum { CHOSEN_ORDERS = 34 };

static void lay_out(sarrus_Sim *sim, Block *block) {
  const int order = sim->capacity + 1, events = sim->events == NULL ? 0 : sim->events->count;
  block_take(block, 1, sizeof *sim);
  BLOCK_TAKE(block, sim->parameters, sim->parameter_count);
  BLOCK_TAKE(block, sim->scale, sim->variables);
  BLOCK_TAKE(block, sim->least, sim->n);
  BLOCK_TAKE(block, sim->dense, (ptrdiff_t)(order + 1) * sim->variables);
  BLOCK_TAKE(block, sim->from.q, sim->n);
  BLOCK_TAKE(block, sim->from.v, sim->n);
  BLOCK_TAKE(block, sim->to.q, sim->n);
  BLOCK_TAKE(block, sim->to.v, sim->n);
  BLOCK_TAKE(block, sim->newton, sim->n);
  BLOCK_TAKE(block, sim->spare_v, sim->n);
  BLOCK_TAKE(block, sim->last.q, sim->n);
  BLOCK_TAKE(block, sim->last.v, sim->n);
  BLOCK_TAKE(block, sim->last.guess, sim->variables);
  BLOCK_TAKE(block, sim->last.branch, sim->system->tape->switch_count);
  BLOCK_TAKE(block, sim->last.forced, sim->system->tape->switch_count);
  BLOCK_TAKE(block, sim->last.dependent, sim->m);
  BLOCK_TAKE(block, sim->last.row, sim->variables);
  BLOCK_TAKE(block, sim->last.column, sim->variables);
  BLOCK_TAKE(block, sim->pole_side, sim->system->tape->pole_count);
  BLOCK_TAKE(block, sim->polynomial, order + 3);
  BLOCK_TAKE(block, sim->root_work, roots_work_size(order + 2));
  sim->expansion = expansion_take(block, sim->system, order);
  if (events == 0) return;
  BLOCK_TAKE(block, sim->paces, events);
  BLOCK_TAKE(block, sim->event_series, (ptrdiff_t)(order + 1) * events);
  void *work = block_take(block, work_size(sim->events->tape, order), 1);
  sim->event_work = work == NULL ? NULL : work_init(work, sim->events->tape, order);
}

/* Rounding to nearest, and gradual underflow: all that is promised of digits rests on them. */
static int floats_are_standard(void) {
  const volatile double one = 1, quarter = DBL_EPSILON / 4, least = DBL_MIN;
  const volatile double up = one + quarter, down = -one - quarter, above = one - quarter / 2;
  const volatile double half = least / 2;
  return up == 1 && down == -1 && above == 1 && half > 0;
}

static int options_valid(const sarrus_SimOptions *o) {
  return o->tolerance >= LEAST_TOLERANCE && o->tolerance < 1 && o->scale > 0 &&
         isfinite(o->scale) && o->step >= 0 && isfinite(o->step) && o->max_step >= 0 &&
         o->max_steps >= 0 &&
         (o->order == 0 || (o->order >= SARRUS_MIN_ORDER && o->order <= SARRUS_MAX_SIM_ORDER));
}

/* The events must be about this system. */
static int events_valid(const sarrus_Events *events, const sarrus_System *system) {
  const int n = system->n, known[SARRUS_SYMBOL_KINDS] = {
                               [SARRUS_TIME] = 1, [SARRUS_PARAMETER] = events->parameters,
                               [SARRUS_Q] = n,    [SARRUS_V] = n,
                               [SARRUS_A] = n,    [SARRUS_LAMBDA] = system->m};
  return events->parameters >= system->parameters && events_fit(events, known);
}

sarrus_Status sarrus_sim_new(sarrus_Memory memory, const sarrus_System *system,
                             const sarrus_Events *events, const sarrus_SimOptions *options,
                             sarrus_Sim **result) {
  sarrus_Sim shape = {.memory = memory, .system = system, .events = events, .options = *options};
  sarrus_SimOptions *o = &shape.options;
  *result = NULL;
  if (o->tolerance == 0) o->tolerance = 1e-12;
  if (o->scale == 0) o->scale = 1;
  if (!options_valid(o)) return SARRUS_ARGUMENT;
  if (events != NULL && !events_valid(events, system)) return SARRUS_ARGUMENT;
  if (!floats_are_standard()) return SARRUS_FLOATS;
  shape.n = system->n;
  shape.m = system->m;
  shape.variables = system->n + system->m;
  shape.parameter_count = events == NULL ? system->parameters : events->parameters;
  shape.capacity = o->order > 0 ? o->order : CHOSEN_ORDERS;
  Block block = {NULL, 0};
  lay_out(&shape, &block);
  shape.bytes = block.used;
  sarrus_Sim *sim = memory.alloc(memory.ud, NULL, 0, block.used);
  if (sim == NULL) return SARRUS_NOMEM;
  memset(sim, 0, block.used);
  *sim = shape;
  lay_out(sim, &(Block){(char *)sim, 0});
  for (int j = 0; j < sim->n; j++)
    sim->least[j] = sim->options.scale;
  kkt_open(sim->expansion->kkt, memory);
  atomic_flag_clear(&sim->busy);
  sim->direction = sim->broken = 1;
  sim->unit = 1;
  sim->hit.event = SARRUS_NONE;
  sim_clear_fault(sim);
  *result = sim;
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_scale(sarrus_Sim *sim, int coordinate, double least) {
  if (coordinate < 0 || coordinate >= sim->n || !(least > 0) || !isfinite(least))
    return SARRUS_ARGUMENT;
  SARRUS_TRY(sim_enter(sim));
  sim->least[coordinate] = least;
  return sim_leave(sim, SARRUS_OK);
}

void sarrus_sim_free(sarrus_Sim *sim) {
  if (sim == NULL) return;
  kkt_release(sim->expansion->kkt);
  sim->memory.alloc(sim->memory.ud, sim, sim->bytes, 0);
}

void sarrus_sim_on_cancel(sarrus_Sim *sim, int (*cancelled)(void *ud), void *ud) {
  sim->options.cancelled = cancelled;
  sim->options.ud = ud;
}

void sarrus_sim_on_step(sarrus_Sim *sim, sarrus_Stepped stepped, void *ud) {
  sim->stepped = stepped;
  sim->stepped_ud = ud;
}

void sim_clear_fault(sarrus_Sim *sim) { sim->fault = fault_none(); }

double sarrus_sim_time(const sarrus_Sim *sim) { return sim->now; }

void sarrus_sim_span(const sarrus_Sim *sim, double *from, double *to) {
  *from = fmin(sim->from.t, sim->until);
  *to = fmax(sim->from.t, sim->until);
}

/* The state at `to`, where the next expansion begins. */
static void state_at_end(const sarrus_Sim *sim, double *q, double *v, double *a, double *lambda) {
  const size_t n = (size_t)sim->n * sizeof(double);
  if (q != NULL) memcpy(q, sim->to.q, n);
  if (v != NULL) memcpy(v, sim->to.v, n);
  for (int j = 0; a != NULL && j < sim->n; j++)
    a[j] = sim->system->degree[j] == 2 ? expansion_acceleration(sim->expansion, j) : 0;
  for (int i = 0; lambda != NULL && i < sim->m; i++)
    lambda[i] = *expansion_at(sim->expansion, 0, sim->n + i);
}

sarrus_Status sarrus_sim_at(const sarrus_Sim *sim, double t, double *q, double *v, double *a,
                            double *lambda) {
  double from, to;
  sarrus_sim_span(sim, &from, &to);
  if (!sim->started || !(t >= from && t <= to)) return SARRUS_ARGUMENT;
  const int at_end = t == sim->until && !sim->changed;
  if (at_end || sim->dense_order == 0)
    state_at_end(sim, q, v, a, lambda);
  else
    sim_evaluate(sim, (t - sim->from.t) - sim->from.t_low, q, v, a, lambda);
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_state(const sarrus_Sim *sim, double *q, double *v, double *a,
                               double *lambda) {
  if (!sim->started) return SARRUS_ARGUMENT;
  if (sim->now != sim->to.t) return sarrus_sim_at(sim, sim->now, q, v, a, lambda);
  state_at_end(sim, q, v, a, lambda);
  return SARRUS_OK;
}

double sarrus_sim_get(const sarrus_Sim *sim, int parameter) {
  return parameter >= 0 && parameter < sim->parameter_count ? sim->parameters[parameter]
                                                            : (double)NAN;
}

size_t sarrus_sim_bytes(const sarrus_Sim *sim) { return sim->bytes; }
sarrus_SimStats sarrus_sim_stats(const sarrus_Sim *sim) { return sim->stats; }
const sarrus_Fault *sarrus_sim_fault(const sarrus_Sim *sim) { return &sim->fault; }

int sarrus_sim_event(const sarrus_Sim *sim, int *direction) {
  if (direction != NULL) *direction = sim->hit.direction;
  return sim->hit.event;
}

int sarrus_sim_dependent(const sarrus_Sim *sim, int i) {
  return sarrus_expansion_dependent(sim->expansion, i);
}

int sarrus_sim_null(const sarrus_Sim *sim, int c, double *lambda) {
  const Kkt *kkt = sim->expansion->kkt;
  if (!kkt->null_known || c < 0 || c >= kkt->dependent_count) return 0;
  for (int i = 0; i < kkt->m; i++)
    lambda[i] = kkt->null[(ptrdiff_t)c * kkt->m + i] * kkt->column[kkt->n + i];
  return 1;
}

/* A margin far below what it has been. */
static const double SMALL_MARGIN = 1e-3;

int sarrus_sim_singular(const sarrus_Sim *sim) {
  return sim->pole || sim->margin < SMALL_MARGIN * sim->best_margin;
}

const double *sarrus_sim_reached(const sarrus_Sim *sim) { return sim->to.q; }

sarrus_Status sarrus_sim_guess(sarrus_Sim *sim, const double *y) {
  if (!vector_finite(y, sim->m)) return SARRUS_ARGUMENT;
  SARRUS_TRY(sim_enter(sim));
  sarrus_expansion_guess(sim->expansion, y);
  return sim_leave(sim, SARRUS_OK);
}
