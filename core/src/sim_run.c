/* Simulations: starting, moving along, standing again where they stood. */
#include <limits.h>
#include <math.h>

#include "sim_parts.h"

sarrus_Status sim_enter(sarrus_Sim *sim) {
  if (!sim_floats_are_standard()) return SARRUS_FLOATS; /* a host may change them at any time */
  unsigned calls = atomic_load(&sim->calls);
  if (calls % 2 != 0 || !atomic_compare_exchange_strong(&sim->calls, &calls, calls + 1))
    return SARRUS_BUSY;
  maker_clear_fault(&sim->maker);
  sim->asleep = sim->maker.last.modes_kept = 0;
  return SARRUS_OK;
}

sarrus_Status sim_leave(sarrus_Sim *sim, sarrus_Status status) {
  if (status < 0)
    sim_cancel_jump(sim);
  else
    sim_end_jump(sim);
  if (sim->maker.fault.expr >= sim->system->graph->count) /* of what was changed alone */
    sim->maker.fault.expr = SARRUS_NONE;
  atomic_fetch_add(&sim->calls, 1);
  return status;
}

sarrus_Status sim_look_begin(const sarrus_Sim *sim, unsigned *look) {
  *look = atomic_load(&sim->calls);
  return *look % 2 == 0 || atomic_load(&sim->waits) ? SARRUS_OK : SARRUS_BUSY;
}

sarrus_Status sim_look_end(const sarrus_Sim *sim, unsigned look) {
  const int still = atomic_load(&sim->calls) == look;
  return still && (look % 2 == 0 || atomic_load(&sim->waits)) ? SARRUS_OK : SARRUS_BUSY;
}

/* Ask those who are told of steps; meanwhile nothing moves. */
static int is_cancelled(sarrus_Sim *sim) {
  const sarrus_SimOptions *options = &sim->maker.options;
  if (options->cancelled == NULL) return 0;
  atomic_store(&sim->waits, 1);
  const int cancelled = options->cancelled(options->ud);
  atomic_store(&sim->waits, 0);
  return cancelled;
}

static int stops(sarrus_Sim *sim) {
  if (sim->stepped == NULL) return 0;
  atomic_store(&sim->waits, 1);
  const int stop = sim->stepped(sim->stepped_ud, sim);
  atomic_store(&sim->waits, 0);
  return stop;
}

sarrus_Status sim_refuse(sarrus_Sim *sim, sarrus_Misuse misuse, int entry) {
  maker_clear_fault(&sim->maker);
  sim->maker.fault.misuse = misuse;
  sim->maker.fault.entry = entry;
  return SARRUS_ARGUMENT;
}

sarrus_Status sim_refuse_ended(sarrus_Sim *sim) {
  return sim_refuse(sim, sim->started ? SARRUS_MISUSE_ENDED : SARRUS_MISUSE_NOT_STARTED,
                    SARRUS_NONE);
}

sarrus_Status sim_refuse_call(sarrus_Sim *sim, sarrus_Misuse misuse, int entry) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, sim_refuse(sim, misuse, entry));
}

/* --- moving ------------------------------------------------------------------------------ */

/* Turn round, if t lies behind: begin anew where we stand. */
static sarrus_Status face(sarrus_Sim *sim, double t) {
  const int direction = t > sim->now ? 1 : t < sim->now ? -1 : sim->maker.direction;
  if (direction == sim->maker.direction) return SARRUS_OK;
  sim->maker.direction = direction;
  sim->hit_count = sim->hit_next = 0;
  sim_drop_events(sim);
  const int fresh = sim->maker.span.order == 0 && sim->system->contact_count == 0;
  const sarrus_Status status = fresh ? SARRUS_OK : sim_restart(sim);
  if (status >= 0) sim_end_jump(sim);
  if (status < 0) sim->maker.direction = -direction;
  return status;
}

static sarrus_Status no_way_on(sarrus_Sim *sim) {
  sim->maker.fault = fault_at(SARRUS_NONE, SARRUS_NONE, (double)INFINITY);
  return SARRUS_SINGULAR;
}

/*
** The second half of a step is put off where nothing can happen within it, and something intervenes
** long before its end.  Nothing that is asked for decides about this.
*/
static int put_off(sarrus_Sim *sim, const Ending *first) {
  const sarrus_System *system = sim->system;
  const double part = maker_needed_part(&sim->maker, first->h);
  const int can_happen = first->ends || sim->events != NULL || system->contact_count > 0 ||
                         system->arguments.tape != NULL;
  if (can_happen || part == 0) return 0;
  maker_put_off(&sim->maker, first->h, part);
  sim->changed = sim->ended = 0;
  return 1;
}

/*
** Time has come to where it is needed; it counts as one step.  Where it fails, time stays where it
** has come to, on the span that has served until there.
*/
static sarrus_Status take_up(sarrus_Sim *sim) {
  const Span span = sim->maker.span;
  const double now = sim->now;
  Ending first = {span.h, 0};
  sim_remember(sim);
  sim_keep_tangents(sim);
  maker_take_up(&sim->maker);
  sim->counted--;
  const sarrus_Status status = sim_end_step(sim, &first);
  if (status >= 0 || sim->maker.broken) return status;
  maker_put_off_again(&sim->maker, &span);
  sim->now = now;
  return status;
}

sarrus_Status sim_make_step(sarrus_Sim *sim, int *stop) {
  if (maker_is_put_off(&sim->maker)) {
    SARRUS_TRY(take_up(sim));
  } else {
    Ending first;
    SARRUS_TRY(sim_begin_step(sim, &first));
    if (!put_off(sim, &first)) SARRUS_TRY(sim_end_step(sim, &first));
    sim_note(sim);
  }
  *stop = stops(sim);
  return SARRUS_OK;
}

static sarrus_Status cancel(sarrus_Sim *sim) {
  maker_clear_fault(&sim->maker);
  return SARRUS_CANCELLED;
}

/* Go as far as the step just made and t allow, but not beyond an event. */
static sarrus_Status stop_after_step(sarrus_Sim *sim, double t) {
  const double last = sim->maker.span.until, end = sim->maker.direction * (last - t) < 0 ? last : t;
  int found;
  SARRUS_TRY(sim_next_event(sim, end, &found));
  if (found) return SARRUS_STOPPED;
  sim->now = end;
  return cancel(sim);
}

static sarrus_Status too_many_steps(sarrus_Sim *sim) {
  maker_clear_fault(&sim->maker);
  sim->maker.fault.column = maker_limiting(&sim->maker);
  sim->maker.fault.count = sim->counted < INT_MAX ? (int)sim->counted : INT_MAX;
  return SARRUS_STEP;
}

sarrus_Status sim_set_out(sarrus_Sim *sim, double t, int *over) {
  *over = 1;
  if (!sim->started) return sim_refuse(sim, SARRUS_MISUSE_NOT_STARTED, SARRUS_NONE);
  if (!isfinite(t)) return sim_refuse(sim, SARRUS_MISUSE_TIME, SARRUS_NONE);
  if (sim->maker.broken) return no_way_on(sim);
  if (span_covers(&sim->maker.span, t) && !sim->changed && sim->events == NULL) {
    sim->now = t;
    return SARRUS_OK;
  }
  SARRUS_TRY(face(sim, t));
  *over = 0;
  return SARRUS_OK;
}

sarrus_Status sim_next_step(sarrus_Sim *sim, double t, int *over) {
  int found;
  *over = 1;
  SARRUS_TRY(sim_next_event(sim, t, &found));
  if (found) return SARRUS_STOPPED;
  if (sim->maker.direction * (sim->maker.span.until - t) >= 0) {
    sim->now = t;
    return SARRUS_OK;
  }
  sim->now = sim->maker.span.until;
  if (sim->maker.options.max_steps > 0 && sim->counted >= sim->maker.options.max_steps &&
      !maker_is_put_off(&sim->maker))
    return too_many_steps(sim);
  if (is_cancelled(sim)) return cancel(sim);
  *over = 0;
  return SARRUS_OK;
}

static sarrus_Status advance(sarrus_Sim *sim, double t) {
  int over, stop = 0;
  sarrus_Status status = sim_set_out(sim, t, &over);
  for (; !over; sim->counted++) {
    status = sim_next_step(sim, t, &over);
    if (over) break;
    SARRUS_TRY(sim_make_step(sim, &stop));
    if (stop) {
      sim->counted++;
      return stop_after_step(sim, t);
    }
  }
  return status;
}

static sarrus_Status step_until(sarrus_Sim *sim, double limit, double *size) {
  if (!sim->started) return sim_refuse(sim, SARRUS_MISUSE_NOT_STARTED, SARRUS_NONE);
  if (isnan(limit)) return sim_refuse(sim, SARRUS_MISUSE_TIME, SARRUS_NONE);
  if (sim->maker.broken) return no_way_on(sim);
  const double before = sim->now;
  int found, stop = 0;
  if (sim->now == sim->maker.span.until && sim->hit_next == sim->hit_count)
    SARRUS_TRY(sim_make_step(sim, &stop));
  if (!stop && maker_is_put_off(&sim->maker)) SARRUS_TRY(sim_make_step(sim, &stop));
  const double last = sim->maker.span.until;
  const int between =
      sim->maker.direction * (limit - last) < 0 && sim->maker.direction * (limit - sim->now) > 0;
  const double end = between ? limit : last;
  SARRUS_TRY(sim_next_event(sim, end, &found));
  if (!found) sim->now = end;
  *size = sim->now - before;
  return found ? SARRUS_STOPPED : stop ? cancel(sim) : SARRUS_OK;
}

sarrus_Status sarrus_sim_advance(sarrus_Sim *sim, double t) {
  SARRUS_TRY(sim_enter(sim));
  sim->counted = 0;
  return sim_leave(sim, advance(sim, t));
}

sarrus_Status sarrus_sim_advance_on(sarrus_Sim *sim, double t) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, advance(sim, t));
}

sarrus_Status sarrus_sim_step_until(sarrus_Sim *sim, double limit, double *size) {
  *size = 0;
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, step_until(sim, limit, size));
}

sarrus_Status sarrus_sim_step(sarrus_Sim *sim, double *size) {
  return sarrus_sim_step_until(sim, sim->maker.direction * (double)INFINITY, size);
}

/* --- standing again where we stood ------------------------------------------------------- */

void sim_remember(sarrus_Sim *sim) {
  maker_remember(&sim->maker);
  sim->kept_form = sim->form;
  for (int k = 0; k < sim_awake(sim); k++) {
    ContactState *state = &sim->contacts[sim->system->turn[k]];
    state->kept = state->now;
    state->kept_struck = state->struck;
    state->kept_released = state->released;
    state->load.kept = state->load.on;
  }
}

void sim_recall_contacts(sarrus_Sim *sim) {
  sim_use_form(sim, sim->kept_form);
  sim_clear_endings(sim);
  for (int i = 0; i < sim->system->contact_count; i++) {
    sim->contacts[i].now = sim->contacts[i].kept;
    sim->contacts[i].struck = sim->contacts[i].kept_struck;
    sim->contacts[i].released = sim->contacts[i].kept_released;
    sim->contacts[i].load.on = sim->contacts[i].load.kept;
    sim->contacts[i].held = 0;
  }
  for (int i = 0; i < sim->maker.m; i++)
    sim->off[i] = sim->maker.last.dependent[i] == KKT_OFF;
  sim_write_modes(sim);
}

sarrus_Status sim_recall(sarrus_Sim *sim, sarrus_Status status) {
  sim_recall_contacts(sim);
  return maker_recall(&sim->maker, status);
}

/* --- starting ---------------------------------------------------------------------------- */

static sarrus_Status start(sarrus_Sim *sim, double t, const double *q, const double *v) {
  sim->started = sim->changed = sim->short_steps = sim->ended = 0;
  sim->hit_count = sim->hit_next = sim->far = 0;
  sim->ended_contact = SARRUS_NONE;
  sim->maker.interventions = (Interventions){(double)NAN, (double)INFINITY, (double)INFINITY};
  if (isfinite(t)) sim->now = t;
  sim_point_to(sim, WHOLE);
  sim_drop_directions(sim);
  sim_drop_events(sim);
  for (int i = 0; i < FORMS; i++)
    if (sim->forms[i].implicit != NULL) implicit_forget(sim->forms[i].implicit);
  for (int i = 0; i < sim->system->contact_count; i++)
    sim->contacts[i] = (ContactState){.struck.at = (double)NAN};
  for (int i = 0; i < sarrus_system_multipliers(sim->system); i++)
    sim->off[i] = i >= sim->system->m; /* locks */
  for (int k = 0; k < sim->system->forces; k++)
    sim_force_modes(sim)[k] = 0;
  sim_apply_modes(sim);
  SARRUS_TRY(maker_start(&sim->maker, t, q, v));
  sarrus_Status status = SARRUS_OK;
  if (sim->system->contact_count > 0) status = maker_choose_unit(&sim->maker);
  if (status >= 0) status = sim_start_contacts(sim);
  if (status < 0) sim->maker.broken = 1;
  SARRUS_TRY(status);
  point_copy(&sim->maker.span.from, &sim->maker.to, sim->maker.n);
  sim->started = 1;
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_start(sarrus_Sim *sim, double t, const double *q, const double *v) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, start(sim, t, q, v));
}

/* --- residuals --------------------------------------------------------------------------- */

static double largest(const sarrus_Sim *sim) {
  double worst = 0;
  for (int i = sim->maker.n; i < sim->maker.variables; i++)
    if (!kkt_is_off(sim->maker.expansion->kkt, i))
      worst = fmax(worst, fabs(sim->maker.expansion->residual[i]));
  return worst;
}

/* Of a general DAE, whose multipliers are algebraic variables, all constraints are positions'. */
static sarrus_Status find_residuals(sarrus_Sim *sim, Point *here, double *position,
                                    double *velocity) {
  sarrus_Expansion *expansion = sim->maker.expansion;
  SARRUS_TRY(maker_place(&sim->maker, here));
  SARRUS_TRY(expansion_settle(expansion, &sim->maker.fault));
  expansion_residual(expansion);
  *position = largest(sim);
  expansion_rate_residual(expansion, here->v);
  *velocity = largest(sim);
  if (!sim->system->general) return SARRUS_OK;
  SARRUS_TRY(sarrus_sim_state(sim, NULL, NULL, NULL, expansion->rhs));
  SARRUS_TRY(expansion_dae_residual(expansion, expansion->rhs, &sim->maker.fault));
  *position = largest(sim);
  return SARRUS_OK;
}

/* Asked at the point where the expansion stands, else evaluated there and put back. */
static sarrus_Status residual(sarrus_Sim *sim, double *position, double *velocity) {
  if (sim->maker.broken) return sim_refuse_ended(sim);
  Point here = {.t = sim->now, .q = sim->maker.newton, .v = sim->maker.spare_v};
  SARRUS_TRY(sarrus_sim_state(sim, here.q, here.v, NULL, NULL));
  const sarrus_Status status = find_residuals(sim, &here, position, velocity);
  const sarrus_Status back = maker_prepare(&sim->maker, &sim->maker.to);
  return status < 0 ? status : back;
}

sarrus_Status sarrus_sim_residual(sarrus_Sim *sim, double *position, double *velocity) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, residual(sim, position, velocity));
}
