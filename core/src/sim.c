/* Simulations: making them, asking them. */
#include "sarrus/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "array.h"
#include "block.h"
#include "sim_parts.h"
#include "vector.h"

static const double LEAST_TOLERANCE = 10 * DBL_EPSILON;

/* Room for the orders that maker_choose_order may come to. */
enum { CHOSEN_ORDERS = 34 };

void sim_lay_out_search(sarrus_Sim *sim, Search *search, const Tape *tape, Block *block) {
  search->tape = tape;
  search->span = &sim->maker.span;
  search->parameters = sim->parameters;
  search->scale = sim->maker.scale;
  search->modes = sim->maker.expansion == NULL ? NULL : sim->maker.expansion->modes;
  search->held = &sim->maker.held;
  search->column = sim->maker.expansion == NULL ? NULL : sim->maker.expansion->kkt->column;
  search->capacity = sim->maker.capacity + 1;
  search_lay_out(search, block);
}

static void lay_out_ranges(sarrus_Sim *sim, Block *block) {
  const Tape *bounds = sim->system->bounds, *gaps = sim->system->gaps;
  BLOCK_TAKE(block, sim->ranges, bounds->value_count);
  BLOCK_TAKE(block, sim->gap_ranges, gaps == NULL ? 0 : gaps->value_count);
  BLOCK_TAKE(block, sim->clear.within, bounds->input_count);
}

static void lay_out_forms(sarrus_Sim *sim, Block *block) {
  sim->forms[WHOLE].system = sim->system;
  sim->forms[WHOLE].expansion = sim->maker.expansion;
  sim->forms[LEAN].system = sim->system->lean;
  if (sim->system->lean != NULL) {
    sarrus_Expansion *lean = expansion_take(block, sim->system->lean, sim->maker.capacity + 1);
    if (lean != NULL) lean->modes = sim->maker.expansion->modes;
    sim->forms[LEAN].expansion = lean;
    lay_out_ranges(sim, block);
  }
  for (Form *form = sim->forms; form < sim->forms + FORMS; form++)
    if (form->system != NULL && form->system->arguments.tape != NULL)
      sim_lay_out_search(sim, &form->arguments, form->system->arguments.tape, block);
}

static void lay_out(sarrus_Sim *sim, Block *block) {
  block_take(block, 1, sizeof *sim);
  BLOCK_TAKE(block, sim->parameters, sim->parameter_count);
  BLOCK_TAKE(block, sim->others, sim->parameter_count);
  sim->maker.parameters = sim->parameters;
  maker_lay_out(&sim->maker, block);
  const int contacts = sim->system->contact_count;
  lay_out_forms(sim, block);
  BLOCK_TAKE(block, sim->endings, sim->system->arguments.switches + contacts);
  BLOCK_TAKE(block, sim->contacts, contacts);
  BLOCK_TAKE(block, sim->touched, contacts);
  BLOCK_TAKE(block, sim->off, sarrus_system_multipliers(sim->system));
  BLOCK_TAKE(block, sim->rates, contacts > 0 ? sim->system->room : 0);
  BLOCK_TAKE(block, sim->sight.v, sim->maker.n);
  BLOCK_TAKE(block, sim->sight.a, sim->maker.n);
  if (sim->events == NULL || sim->events->count == 0) return;
  BLOCK_TAKE(block, sim->paces, sim->events->count);
  sim_lay_out_search(sim, &sim->zeros, sim->events->tape, block);
}

int sim_floats_are_standard(void) {
  const volatile double one = 1, quarter = DBL_EPSILON / 4, least = DBL_MIN;
  const volatile double up = one + quarter, down = -one - quarter, above = one - quarter / 2;
  const volatile double half = least / 2;
  return up == 1 && down == -1 && above == 1 && half > 0;
}

static int options_valid(const sarrus_SimOptions *o) {
  return o->tolerance >= LEAST_TOLERANCE && o->tolerance < 1 && o->scale > 0 &&
         isfinite(o->scale) && o->step >= 0 && isfinite(o->step) && o->max_step >= 0 &&
         o->max_steps >= 0 && o->method >= SARRUS_AUTO && o->method <= SARRUS_STIFF &&
         (o->method != SARRUS_STIFF || (o->order == 0 && o->step == 0)) &&
         (o->order == 0 || (o->order >= SARRUS_MIN_ORDER && o->order <= SARRUS_MAX_SIM_ORDER));
}

/* The events must be about this system. */
static int events_valid(const sarrus_Events *events, const sarrus_System *system) {
  const int n = system->n,
            known[SARRUS_SYMBOL_KINDS] = {[SARRUS_TIME] = 1,
                                          [SARRUS_PARAMETER] = events->parameters,
                                          [SARRUS_Q] = n,
                                          [SARRUS_V] = n,
                                          [SARRUS_A] = n,
                                          [SARRUS_LAMBDA] = sarrus_system_multipliers(system),
                                          [SARRUS_U] = system->modes};
  return events->parameters >= system->parameters && events_fit(events, known);
}

/* Whether modes occur in a form's equations: of a lean one, not those of contacts with gaps. */
static int has_modes(const sarrus_System *form) {
  const int contacts = form->is_lean ? form->alone : form->contact_count;
  return contacts > 0 || form->modes > CONTACT_MODES * form->contact_count;
}

/*
** How much less than the tolerance coefficients may err by.  Contacts and modes are decided by less
** than the tolerance.
*/
static const double ROUNDING_PART = 1e-3;

static void open_matrix(const sarrus_Sim *sim, const Form *form) {
  Kkt *kkt = form->expansion->kkt;
  kkt_open(kkt, sim->memory);
  kkt->allowed = form->system->general || has_modes(form->system)
                     ? 0
                     : ROUNDING_PART * sim->maker.options.tolerance;
}

sarrus_Status sarrus_sim_new(sarrus_Memory memory, const sarrus_System *system,
                             const sarrus_Events *events, const sarrus_SimOptions *options,
                             sarrus_Sim **result) {
  sarrus_SimOptions filled = *options, *o = &filled;
  *result = NULL;
  if (o->tolerance == 0) o->tolerance = 1e-12;
  if (o->scale == 0) o->scale = 1;
  if (!options_valid(o)) return SARRUS_ARGUMENT;
  if (events != NULL && !events_valid(events, system)) return SARRUS_ARGUMENT;
  if (!sim_floats_are_standard()) return SARRUS_FLOATS;
  const int n = system->n, m = system->m;
  sarrus_Sim shape = {
      .memory = memory,
      .system = system,
      .events = events,
      .parameter_count = events == NULL ? system->parameters : events->parameters,
      .maker = {.system = system,
                .options = filled,
                .n = n,
                .m = m,
                .variables = n + m,
                .method = {.memory = memory, .whole = system, .stiff = o->method == SARRUS_STIFF},
                .span = {.n = n, .m = m, .variables = n + m, .unit = 1},
                .capacity = o->order > 0 ? o->order : CHOSEN_ORDERS}};
  Block block = {NULL, 0};
  lay_out(&shape, &block);
  shape.bytes = block.used;
  sarrus_Sim *sim = memory.alloc(memory.ud, NULL, 0, block.used);
  if (sim == NULL) return SARRUS_NOMEM;
  memset(sim, 0, block.used);
  *sim = shape;
  lay_out(sim, &(Block){(char *)sim, 0});
  for (int j = 0; j < sim->maker.n; j++)
    sim->maker.least[j] = sim->maker.options.scale;
  for (int i = 0; i < FORMS; i++)
    if (sim->forms[i].system != NULL) open_matrix(sim, &sim->forms[i]);
  sim_keep_orders(sim);
  sim_point_to(sim, WHOLE);
  atomic_init(&sim->calls, 0);
  atomic_init(&sim->waits, 0);
  sim->maker.direction = sim->maker.broken = 1;
  sim->hit.event = sim->ended_contact = SARRUS_NONE;
  maker_clear_fault(&sim->maker);
  *result = sim;
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_scale(sarrus_Sim *sim, int coordinate, double least) {
  if (coordinate < 0 || coordinate >= sim->maker.n || !(least > 0) || !isfinite(least))
    return SARRUS_ARGUMENT;
  SARRUS_TRY(sim_enter(sim));
  sim->maker.least[coordinate] = least;
  return sim_leave(sim, SARRUS_OK);
}

void sarrus_sim_free(sarrus_Sim *sim) {
  if (sim == NULL) return;
  sim_free_tangents(sim);
  sim_free_forms(sim);
  ARRAY_RELEASE(sim->memory, sim->decision.block, sim->decision.capacity);
  sim->memory.alloc(sim->memory.ud, sim, sim->bytes, 0);
}

void sarrus_sim_on_cancel(sarrus_Sim *sim, int (*cancelled)(void *ud), void *ud) {
  sim->maker.options.cancelled = cancelled;
  sim->maker.options.ud = ud;
}

void sarrus_sim_on_step(sarrus_Sim *sim, sarrus_Stepped stepped, void *ud) {
  sim->stepped = stepped;
  sim->stepped_ud = ud;
}

double sarrus_sim_time(const sarrus_Sim *sim) { return sim->now; }

void sarrus_sim_span(const sarrus_Sim *sim, double *from, double *to) {
  *from = fmin(sim->maker.span.from.t, sim->maker.span.until);
  *to = fmax(sim->maker.span.from.t, sim->maker.span.until);
}

/* The state at `to`, where the next expansion begins. */
static void state_at_end(const sarrus_Sim *sim, double *q, double *v, double *a, double *lambda) {
  const size_t n = (size_t)sim->maker.n * sizeof(double);
  if (q != NULL) memcpy(q, sim->maker.to.q, n);
  if (v != NULL) memcpy(v, sim->maker.to.v, n);
  if (sim->maker.method.of_span && sim->maker.span.order > 0 && !sim->changed) { /* smoother */
    span_evaluate(&sim->maker.span, sim->maker.span.h, NULL, NULL, a, lambda);
    for (int i = sim->maker.span.m; lambda != NULL && i < sarrus_system_multipliers(sim->system);
         i++)
      lambda[i] = 0;
    if (lambda != NULL && sim->maker.span.m == sim->maker.m)
      kkt_shorten(sim->maker.expansion->kkt, lambda);
    return;
  }
  for (int j = 0; a != NULL && j < sim->maker.n; j++)
    a[j] = sim->system->degree[j] == 2 ? expansion_acceleration(sim->maker.expansion, j) : 0;
  for (int i = 0; lambda != NULL && i < sarrus_system_multipliers(sim->system); i++)
    lambda[i] = i < sim->maker.m ? *expansion_at(sim->maker.expansion, 0, sim->maker.n + i) : 0;
}

int sim_stands(const sarrus_Sim *sim) {
  return sim->now == sim->maker.to.t && !maker_is_put_off(&sim->maker);
}

int sim_is_at_end(const sarrus_Sim *sim, double t) {
  return sim->maker.span.order == 0 ||
         (t == sim->maker.span.until && !sim->changed && !maker_is_put_off(&sim->maker));
}

sarrus_Status sarrus_sim_at(const sarrus_Sim *sim, double t, double *q, double *v, double *a,
                            double *lambda) {
  if (!sim->started || !span_covers(&sim->maker.span, t)) return SARRUS_ARGUMENT;
  const int at_end = sim_is_at_end(sim, t);
  if (at_end)
    state_at_end(sim, q, v, a, lambda);
  else
    span_evaluate(&sim->maker.span, (t - sim->maker.span.from.t) - sim->maker.span.from.t_low, q, v,
                  a, lambda);
  for (int i = sim->maker.span.m;
       lambda != NULL && !at_end && i < sarrus_system_multipliers(sim->system); i++)
    lambda[i] = 0;
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_state(const sarrus_Sim *sim, double *q, double *v, double *a,
                               double *lambda) {
  if (!sim->started) return SARRUS_ARGUMENT;
  if (!sim_stands(sim)) return sarrus_sim_at(sim, sim->now, q, v, a, lambda);
  state_at_end(sim, q, v, a, lambda);
  return SARRUS_OK;
}

double sarrus_sim_get(const sarrus_Sim *sim, int parameter) {
  return parameter >= 0 && parameter < sim->parameter_count ? sim->parameters[parameter]
                                                            : (double)NAN;
}

size_t sarrus_sim_bytes(const sarrus_Sim *sim) {
  const Form *changed = &sim->forms[CHANGED];
  size_t bytes = sim->bytes + changed->bytes + sim_tangent_bytes(sim);
  for (int i = 0; i < FORMS; i++)
    if (sim->forms[i].implicit != NULL) bytes += implicit_bytes(sim->forms[i].implicit);
  return bytes + (changed->system == NULL ? 0 : sarrus_system_bytes(changed->system));
}
sarrus_SimStats sarrus_sim_stats(const sarrus_Sim *sim) { return sim->maker.stats; }
const sarrus_Fault *sarrus_sim_fault(const sarrus_Sim *sim) { return &sim->maker.fault; }

int sarrus_sim_event(const sarrus_Sim *sim, int *direction) {
  if (direction != NULL) *direction = sim->hit.direction;
  return sim->hit.event;
}

int sarrus_sim_dependent(const sarrus_Sim *sim, int i) {
  return sarrus_expansion_dependent(sim->maker.expansion, i);
}

int sarrus_sim_null(const sarrus_Sim *sim, int c, double *lambda) {
  const Kkt *kkt = sim->maker.expansion->kkt;
  if (!kkt->null_known || c < 0 || c >= kkt->dependent_count) return 0;
  for (int i = 0; i < sarrus_system_multipliers(sim->system); i++)
    lambda[i] = i < kkt->m ? kkt->null[(ptrdiff_t)c * kkt->m + i] * kkt->measure[i] : 0;
  return 1;
}

/* A margin far below what it has been. */
static const double SMALL_MARGIN = 1e-3;

int sarrus_sim_singular(const sarrus_Sim *sim) {
  return sim->maker.pole || sim->maker.margin < SMALL_MARGIN * sim->maker.best_margin;
}

const double *sarrus_sim_reached(const sarrus_Sim *sim) { return sim->maker.to.q; }

sarrus_Status sarrus_sim_guess(sarrus_Sim *sim, const double *y) {
  if (!vector_finite(y, sim->system->m)) return SARRUS_ARGUMENT;
  SARRUS_TRY(sim_enter(sim));
  sarrus_expansion_guess(sim->forms[WHOLE].expansion, y); /* before a start */
  return sim_leave(sim, SARRUS_OK);
}
