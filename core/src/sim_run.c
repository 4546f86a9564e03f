/* Simulations: moving along, and interventions between steps. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "sim_parts.h"

sarrus_Status sim_enter(sarrus_Sim *sim) {
  if (atomic_flag_test_and_set(&sim->busy)) return SARRUS_BUSY;
  maker_clear_fault(&sim->maker);
  return SARRUS_OK;
}

sarrus_Status sim_leave(sarrus_Sim *sim, sarrus_Status status) {
  atomic_flag_clear(&sim->busy);
  return status;
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
  if (status < 0) sim->maker.direction = -direction;
  return status;
}

static sarrus_Status no_way_on(sarrus_Sim *sim) {
  sim->maker.fault = fault_at(SARRUS_NONE, SARRUS_NONE, (double)INFINITY);
  return SARRUS_SINGULAR;
}

static sarrus_Status make_step(sarrus_Sim *sim, int *stop) {
  SARRUS_TRY(sim_make_step(sim));
  sim_note(sim);
  *stop = sim->stepped != NULL && sim->stepped(sim->stepped_ud, sim);
  return SARRUS_OK;
}

static sarrus_Status cancel(sarrus_Sim *sim) {
  maker_clear_fault(&sim->maker);
  return SARRUS_CANCELLED;
}

/* Go as far as the step just made and t allow, but not beyond an event. */
static sarrus_Status stop_after_step(sarrus_Sim *sim, double t) {
  const double end = sim->maker.direction * (sim->maker.to.t - t) < 0 ? sim->maker.to.t : t;
  int found;
  SARRUS_TRY(sim_next_event(sim, end, &found));
  if (found) return SARRUS_STOPPED;
  sim->now = end;
  return cancel(sim);
}

static sarrus_Status advance(sarrus_Sim *sim, double t) {
  if (!sim->started || !isfinite(t)) return SARRUS_ARGUMENT;
  if (sim->maker.broken) return no_way_on(sim);
  if (span_covers(&sim->maker.span, t) && !sim->changed && sim->events == NULL) {
    sim->now = t;
    return SARRUS_OK;
  }
  SARRUS_TRY(face(sim, t));
  for (long long steps = 0;; steps++) {
    int found, stop;
    SARRUS_TRY(sim_next_event(sim, t, &found));
    if (found) return SARRUS_STOPPED;
    if (sim->maker.direction * (sim->maker.to.t - t) >= 0) break;
    sim->now = sim->maker.to.t;
    if (sim->maker.options.max_steps > 0 && steps == sim->maker.options.max_steps) {
      maker_clear_fault(&sim->maker);
      sim->maker.fault.column = maker_limiting(&sim->maker);
      sim->maker.fault.count = steps < INT_MAX ? (int)steps : INT_MAX;
      return SARRUS_STEP;
    }
    if (sim->maker.options.cancelled != NULL && sim->maker.options.cancelled(sim->maker.options.ud))
      return cancel(sim);
    SARRUS_TRY(make_step(sim, &stop));
    if (stop) return stop_after_step(sim, t);
  }
  sim->now = t;
  return SARRUS_OK;
}

static sarrus_Status step_until(sarrus_Sim *sim, double limit, double *size) {
  if (!sim->started || isnan(limit)) return SARRUS_ARGUMENT;
  if (sim->maker.broken) return no_way_on(sim);
  const double before = sim->now;
  int found, stop = 0;
  if (sim->now == sim->maker.to.t && sim->hit_next == sim->hit_count)
    SARRUS_TRY(make_step(sim, &stop));
  const int between = sim->maker.direction * (limit - sim->maker.to.t) < 0 &&
                      sim->maker.direction * (limit - sim->now) > 0;
  const double end = between ? limit : sim->maker.to.t;
  SARRUS_TRY(sim_next_event(sim, end, &found));
  if (!found) sim->now = end;
  *size = sim->now - before;
  return found ? SARRUS_STOPPED : stop ? cancel(sim) : SARRUS_OK;
}

sarrus_Status sarrus_sim_advance(sarrus_Sim *sim, double t) {
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
  for (int i = 0; i < sim->system->contact_count; i++)
    sim->contacts[i].kept = sim->contacts[i].now;
}

void sim_recall_contacts(sarrus_Sim *sim) {
  sim_clear_endings(sim);
  for (int i = 0; i < sim->system->contact_count; i++) {
    sim->contacts[i].now = sim->contacts[i].kept;
    sim->contacts[i].held = 0;
  }
  for (int i = 0; i < sim->maker.m; i++)
    sim->off[i] = sim->maker.last.dependent[i] == KKT_OFF;
}

sarrus_Status sim_recall(sarrus_Sim *sim, sarrus_Status status) {
  sim_recall_contacts(sim);
  return maker_recall(&sim->maker, status);
}

/* --- interventions ----------------------------------------------------------------------- */

/* The present state becomes the beginning of the next expansion; the span ends here. */
static void cut_span(sarrus_Sim *sim) {
  sim_drop_events(sim);
  sim_clear_endings(sim);
  maker_release(&sim->maker);
  if (sim->now == sim->maker.to.t) return;
  sim_recall_modes(sim);
  const double dt = (sim->now - sim->maker.span.from.t) - sim->maker.span.from.t_low;
  span_evaluate(&sim->maker.span, dt, sim->maker.to.q, sim->maker.to.v, NULL, NULL);
  sim->maker.to.t = sim->now;
  sim->maker.to.t_low = 0;
  sim->maker.span.until = sim->now;
}

/* Make `to` consistent after something has changed, and decide about contacts anew. */
static sarrus_Status settle(sarrus_Sim *sim) {
  sim->changed = 1;
  SARRUS_TRY(maker_settle(&sim->maker));
  return sim_reconsider(sim);
}

sarrus_Status sim_restart(sarrus_Sim *sim) {
  cut_span(sim);
  sim_remember(sim);
  const sarrus_Status status = settle(sim);
  return status < 0 ? sim_recall(sim, status) : status;
}

static int is_setting(const sarrus_Sim *sim, int parameter, double value) {
  return parameter >= 0 && parameter < sim->parameter_count && isfinite(value);
}

/* Exchange values with parameters, the last one first: twice, in both orders, changes nothing. */
static void exchange(sarrus_Sim *sim, int count, const int *parameter, double *value, int back) {
  for (int k = 0; k < count; k++) {
    const int i = back ? count - 1 - k : k;
    const double before = sim->parameters[parameter[i]];
    sim->parameters[parameter[i]] = value[i];
    value[i] = before;
  }
}

static sarrus_Status set(sarrus_Sim *sim, int count, const int *parameter, double *value) {
  int changes = 0;
  if (sim->maker.broken) return SARRUS_ARGUMENT;
  for (int i = 0; i < count; i++) {
    if (!is_setting(sim, parameter[i], value[i])) return SARRUS_ARGUMENT;
    changes |= value[i] != sim->parameters[parameter[i]];
  }
  if (!changes) return SARRUS_OK;
  cut_span(sim);
  sim_remember(sim);
  exchange(sim, count, parameter, value, 0);
  const sarrus_Status status = settle(sim);
  if (status >= 0) return status;
  exchange(sim, count, parameter, value, 1);
  return sim_recall(sim, status);
}

sarrus_Status sarrus_sim_preset(sarrus_Sim *sim, int parameter, double value) {
  if (parameter < 0 || parameter >= sim->parameter_count || !isfinite(value))
    return SARRUS_ARGUMENT;
  SARRUS_TRY(sim_enter(sim));
  sim->parameters[parameter] = value;
  return sim_leave(sim, SARRUS_OK);
}

/* An impulse on a coordinate that one constraint defines is passed on by it (T4). */
static void pass_on(const sarrus_Sim *sim, double *impulse) {
  const Kkt *kkt = sim->maker.expansion->kkt;
  for (int i = 0; i < sim->maker.m; i++) {
    const int idle = sim->system->idle[i], row = sim->maker.n + i;
    if (idle == SARRUS_NONE || impulse[idle] == 0) continue;
    const int from = kkt->pattern.start[row], to = kkt->pattern.start[row + 1];
    double own = 0;
    for (int e = from; e < to; e++)
      if (kkt->pattern.column[e] == idle) own = kkt->value[e];
    const double reaction = own == 0 ? 0 : impulse[idle] / own;
    for (int e = from; e < to; e++)
      impulse[kkt->pattern.column[e]] -= kkt->value[e] * reaction;
    impulse[idle] = 0;
  }
}

/* M dv + B^T r = impulse, B dv = 0 (T17) */
static sarrus_Status change_velocities(sarrus_Sim *sim, const double *impulse) {
  if (sim->maker.broken) return SARRUS_ARGUMENT;
  for (int j = 0; j < sim->maker.n; j++)
    if (!isfinite(impulse[j])) return SARRUS_ARGUMENT;
  SARRUS_TRY(sim_restart(sim));
  double *x = sim->maker.expansion->rhs;
  sim_remember(sim);
  sarrus_Status status = sim_let_go(sim);
  if (status < 0) return sim_recall(sim, status);
  memset(x, 0, (size_t)sim->maker.variables * sizeof *x);
  memcpy(x, impulse, (size_t)sim->maker.n * sizeof *x);
  pass_on(sim, x);
  kkt_solve_motion(sim->maker.expansion->kkt, x);
  for (int j = 0; j < sim->maker.n; j++)
    sim->maker.to.v[j] += x[j];
  status = maker_settle(&sim->maker);
  if (status >= 0) status = sim_reconsider(sim);
  return status < 0 ? sim_recall(sim, status) : status;
}

sarrus_Status sarrus_sim_set(sarrus_Sim *sim, int parameter, double value) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, set(sim, 1, &parameter, &value));
}

sarrus_Status sarrus_sim_set_all(sarrus_Sim *sim, int count, const int *parameter,
                                 const double *value) {
  if (count < 0 || (count > 0 && (parameter == NULL || value == NULL))) return SARRUS_ARGUMENT;
  if (count == 0) return SARRUS_OK;
  const size_t bytes = (size_t)count * sizeof *value;
  double *copy = sim->memory.alloc(sim->memory.ud, NULL, 0, bytes);
  if (copy == NULL) return SARRUS_NOMEM;
  memcpy(copy, value, bytes);
  sarrus_Status status = sim_enter(sim);
  if (status >= 0) status = sim_leave(sim, set(sim, count, parameter, copy));
  sim->memory.alloc(sim->memory.ud, copy, bytes, 0);
  return status;
}

/* --- letting go, and engaging ------------------------------------------------------------ */

/* Positions must fit a constraint that is engaged, to this part of its coordinates' sizes. */
static const double FITS = 1e-9;

static sarrus_Status check_fit(sarrus_Sim *sim, int count, const int *constraint) {
  Maker *maker = &sim->maker;
  SARRUS_TRY(maker_place(maker, &maker->to));
  expansion_residual(maker->expansion);
  for (int i = 0; i < count; i++) {
    const int row = maker->n + constraint[i];
    const double residual = fabs(maker->expansion->residual[row]);
    if (residual <= FITS * maker_row_length(maker, row)) continue;
    maker->fault = fault_violated(row, 0, residual);
    return SARRUS_INCONSISTENT;
  }
  return SARRUS_OK;
}

/* Stand with the constraints that are on now. */
static sarrus_Status reclose(sarrus_Sim *sim) {
  Correction moved;
  sim->changed = 1;
  SARRUS_TRY(sim_let_go(sim));
  kkt_turn_off(sim->maker.expansion->kkt, sim->off);
  SARRUS_TRY(maker_close(&sim->maker, &sim->maker.to, 1));
  SARRUS_TRY(maker_project(&sim->maker, &sim->maker.to, &moved));
  return sim_reconsider(sim);
}

static sarrus_Status release(sarrus_Sim *sim, int count, const int *constraint, int released) {
  int first_contact = sim->maker.m;
  for (int i = 0; i < sim->system->contact_count; i++) {
    const Contact *contact = &sim->system->contacts[i];
    const int row = contact->gap != SARRUS_NONE ? contact->gap : contact->slip;
    if (row < first_contact) first_contact = row;
  }
  if (sim->maker.broken || sim->system->general || count < 0) return SARRUS_ARGUMENT;
  for (int i = 0; i < count; i++)
    if (constraint[i] < 0 || constraint[i] >= first_contact) return SARRUS_ARGUMENT;
  cut_span(sim);
  sim_remember(sim);
  sarrus_Status status = released ? SARRUS_OK : check_fit(sim, count, constraint);
  for (int i = 0; i < count && status >= 0; i++)
    sim->off[constraint[i]] = released;
  if (status >= 0) status = reclose(sim);
  return status < 0 ? sim_recall(sim, status) : status;
}

static sarrus_Status release_contact(sarrus_Sim *sim, int contact, int released) {
  if (sim->maker.broken || contact < 0 || contact >= sim->system->contact_count)
    return SARRUS_ARGUMENT;
  ContactState *state = &sim->contacts[contact];
  const int before = state->released, alone = sim->system->contacts[contact].gap == SARRUS_NONE;
  cut_span(sim);
  sim_remember(sim);
  state->released = released;
  state->now = (ContactMode){.mode = alone ? SARRUS_SLIP : SARRUS_OPEN};
  sim_apply_modes(sim);
  sarrus_Status status = reclose(sim);
  if (status >= 0) return status;
  state->released = before;
  return sim_recall(sim, status);
}

sarrus_Status sarrus_sim_release(sarrus_Sim *sim, int count, const int *constraint, int released) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, release(sim, count, constraint, released != 0));
}

sarrus_Status sarrus_sim_release_contact(sarrus_Sim *sim, int contact, int released) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, release_contact(sim, contact, released != 0));
}

sarrus_Status sarrus_sim_impulse(sarrus_Sim *sim, const double *impulse) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, change_velocities(sim, impulse));
}

/* --- starting ---------------------------------------------------------------------------- */

static sarrus_Status start(sarrus_Sim *sim, double t, const double *q, const double *v) {
  sim->started = sim->changed = sim->short_steps = sim->ended = 0;
  sim->hit_count = sim->hit_next = 0;
  if (isfinite(t)) sim->now = t;
  sim_drop_events(sim);
  for (int i = 0; i < sim->system->contact_count; i++)
    sim->contacts[i] = (ContactState){.impulse_at = (double)NAN};
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

/* Asked at the point where the expansion stands, else evaluated there and put back. */
static sarrus_Status residual(sarrus_Sim *sim, double *position, double *velocity) {
  if (sim->maker.broken) return SARRUS_ARGUMENT;
  Point here = {.t = sim->now, .q = sim->maker.newton, .v = sim->maker.spare_v};
  SARRUS_TRY(sarrus_sim_state(sim, here.q, here.v, NULL, NULL));
  sarrus_Status status = maker_place(&sim->maker, &here);
  if (status == SARRUS_OK) status = expansion_settle(sim->maker.expansion, &sim->maker.fault);
  if (status == SARRUS_OK) {
    expansion_residual(sim->maker.expansion);
    *position = largest(sim);
    expansion_rate_residual(sim->maker.expansion, here.v);
    *velocity = largest(sim);
  }
  const sarrus_Status back = maker_prepare(&sim->maker, &sim->maker.to);
  return status < 0 ? status : back;
}

sarrus_Status sarrus_sim_residual(sarrus_Sim *sim, double *position, double *velocity) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, residual(sim, position, velocity));
}
