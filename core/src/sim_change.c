/* Interventions between steps: parameters, impulses, what is let go, engaged, held. */
#include <math.h>
#include <string.h>

#include "contact.h"

/* The present state becomes the beginning of the next expansion; the span ends here. */
static sarrus_Status cut_span(sarrus_Sim *sim) {
  sim_drop_events(sim);
  sim_clear_endings(sim);
  maker_release(&sim->maker);
  if (sim_stands(sim)) return SARRUS_OK;
  sim_recall_modes(sim);
  const double dt = (sim->now - sim->maker.span.from.t) - sim->maker.span.from.t_low;
  span_evaluate(&sim->maker.span, dt, sim->maker.to.q, sim->maker.to.v, NULL, NULL);
  sim->maker.to.t = sim->now;
  sim->maker.to.t_low = 0;
  sim->maker.span.until = sim->now;
  sim_carry(sim, dt);
  if (sim->system->contact_count == 0) return SARRUS_OK;
  const sarrus_Status status = contact_stand(sim); /* which rows depend on others in these modes */
  if (status < 0) sim->maker.broken = 1;
  return status;
}

/* Before a change: all contacts take part, and where we stand is kept. */
static sarrus_Status begin_change(sarrus_Sim *sim) {
  const int inside = !sim_stands(sim);
  SARRUS_TRY(cut_span(sim));
  if (inside && sim->follow.tangent != NULL) SARRUS_TRY(maker_prepare(&sim->maker, &sim->maker.to));
  sim_begin_jump(sim, 0);
  sim_remember(sim);
  sim->far = 0;
  if (sim->form != LEAN) return SARRUS_OK;
  const sarrus_Status status = sim_take_form(sim, WHOLE);
  if (status < 0) return sim_recall(sim, status);
  sim_remember(sim);
  return SARRUS_OK;
}

/* Make `to` consistent after something has changed, and decide about contacts anew. */
static sarrus_Status settle(sarrus_Sim *sim) {
  sim->changed = 1;
  SARRUS_TRY(maker_settle(&sim->maker));
  return sim_reconsider(sim);
}

sarrus_Status sim_restart(sarrus_Sim *sim) {
  SARRUS_TRY(begin_change(sim));
  const sarrus_Status status = settle(sim);
  return status < 0 ? sim_recall(sim, status) : status;
}

/* A change that has been made is remembered. */
static sarrus_Status noted(sarrus_Sim *sim, sarrus_Status status) {
  if (status >= 0) maker_note_intervention(&sim->maker);
  return status;
}

static sarrus_Misuse check_setting(const sarrus_Sim *sim, int parameter, double value) {
  if (parameter < 0 || parameter >= sim->parameter_count) return SARRUS_MISUSE_PARAMETER;
  return isfinite(value) ? SARRUS_MISUSE_NONE : SARRUS_MISUSE_NUMBER;
}

/* The parameters become the other ones, and the other way round. */
static void exchange(sarrus_Sim *sim) {
  for (int i = 0; i < sim->parameter_count; i++) {
    const double now = sim->parameters[i];
    sim->parameters[i] = sim->others[i];
    sim->others[i] = now;
  }
}

/*
** Once more, where parameters move what touches: contacts do not pull.  They are let go where they
** stood, exactly, before the rest is moved; then each of them touches, or does not.
*/
static sarrus_Status let_move(sarrus_Sim *sim) {
  exchange(sim);
  sarrus_Status status = sim_recall(sim, SARRUS_OK);
  if (status >= 0) status = maker_settle(&sim->maker);
  exchange(sim);
  if (status >= 0) status = sim_let_go(sim);
  sim_clear_endings(sim);
  return status < 0 ? status : maker_settle(&sim->maker);
}

static sarrus_Status set(sarrus_Sim *sim, int count, const int *parameter, const double *value) {
  int changes = 0;
  if (sim->maker.broken) return sim_refuse_ended(sim);
  memcpy(sim->others, sim->parameters, (size_t)sim->parameter_count * sizeof *value);
  for (int i = 0; i < count; i++) {
    const sarrus_Misuse misuse = check_setting(sim, parameter[i], value[i]);
    if (misuse != SARRUS_MISUSE_NONE) return sim_refuse(sim, misuse, i);
    changes |= value[i] != sim->parameters[parameter[i]] || sim_follows(sim, parameter[i]);
    sim->others[parameter[i]] = value[i];
  }
  if (!changes) return SARRUS_OK;
  SARRUS_TRY(begin_change(sim));
  exchange(sim);
  sim->changed = 1;
  sarrus_Status status = maker_settle(&sim->maker);
  if (sim_has_moved(sim, status)) status = let_move(sim);
  if (status >= 0) status = sim_reconsider(sim);
  if (status >= 0) sim_fix_parameters(sim, count, parameter);
  if (status >= 0) return noted(sim, status);
  exchange(sim);
  return sim_recall(sim, status);
}

sarrus_Status sarrus_sim_preset(sarrus_Sim *sim, int parameter, double value) {
  const sarrus_Misuse misuse = check_setting(sim, parameter, value);
  if (misuse != SARRUS_MISUSE_NONE) return sim_refuse_call(sim, misuse, SARRUS_NONE);
  SARRUS_TRY(sim_enter(sim));
  sim->parameters[parameter] = value;
  return sim_leave(sim, SARRUS_OK);
}

/* An impulse on a coordinate that one constraint defines is passed on by it (T4). */
static void pass_on(const sarrus_Sim *sim, double *impulse) {
  const Kkt *kkt = sim->maker.expansion->kkt;
  for (int i = 0; i < sim->maker.m; i++) {
    const int idle = sim->maker.system->idle[i], row = sim->maker.n + i;
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
  if (sim->maker.broken) return sim_refuse_ended(sim);
  for (int j = 0; j < sim->maker.n; j++)
    if (!isfinite(impulse[j])) return sim_refuse(sim, SARRUS_MISUSE_NUMBER, j);
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
  status = contact_follow_impulse(sim, x);
  if (status >= 0) status = maker_settle(&sim->maker);
  if (status >= 0) status = sim_reconsider(sim);
  return status < 0 ? sim_recall(sim, status) : noted(sim, status);
}

sarrus_Status sarrus_sim_set(sarrus_Sim *sim, int parameter, double value) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, set(sim, 1, &parameter, &value));
}

sarrus_Status sarrus_sim_set_all(sarrus_Sim *sim, int count, const int *parameter,
                                 const double *value) {
  if (count < 0 || (count > 0 && (parameter == NULL || value == NULL)))
    return sim_refuse_call(sim, SARRUS_MISUSE_NO_LIST, SARRUS_NONE);
  if (count == 0) return SARRUS_OK;
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, set(sim, count, parameter, value));
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

/* Rows of contacts stand behind those of all constraints. */
static int first_contact_row(const sarrus_Sim *sim) {
  int first = sim->system->m;
  for (int i = 0; i < sim->system->contact_count; i++) {
    const Contact *contact = &sim->system->contacts[i];
    const int row = contact->gap != SARRUS_NONE ? contact->gap : contact->slip;
    if (row < first) first = row;
  }
  return first;
}

static int are_indices(int count, const int *index, int end) {
  if (count < 0 || (count > 0 && index == NULL)) return 0;
  for (int i = 0; i < count; i++)
    if (index[i] < 0 || index[i] >= end) return 0;
  return 1;
}

sarrus_Status sarrus_sim_release_all(sarrus_Sim *sim, int constraints, const int *constraint,
                                     int contacts, const int *contact, int released) {
  SARRUS_TRY(sim_enter(sim));
  if (sim->maker.broken || sim->system->general ||
      !are_indices(constraints, constraint, first_contact_row(sim)) ||
      !are_indices(contacts, contact, sim->system->contact_count))
    return sim_leave(sim, sim->maker.broken ? sim_refuse_ended(sim)
                                            : sim_refuse(sim, SARRUS_MISUSE_RELEASE, SARRUS_NONE));
  sarrus_Status status = begin_change(sim);
  if (status < 0) return sim_leave(sim, status);
  if (!released) status = check_fit(sim, constraints, constraint);
  for (int i = 0; i < constraints && status >= 0; i++)
    sim->off[constraint[i]] = released != 0;
  for (int i = 0; i < contacts && status >= 0; i++) {
    ContactState *state = &sim->contacts[contact[i]];
    state->released = released != 0;
    state->now = (ContactMode){.mode = SARRUS_OPEN};
  }
  if (status >= 0) status = reclose(sim);
  return sim_leave(sim, status < 0 ? sim_recall(sim, status) : noted(sim, status));
}

sarrus_Status sarrus_sim_release(sarrus_Sim *sim, int count, const int *constraint, int released) {
  return sarrus_sim_release_all(sim, count, constraint, 0, NULL, released);
}

int sarrus_sim_released(const sarrus_Sim *sim, int constraint) {
  return constraint >= 0 && constraint < first_contact_row(sim) && sim->off[constraint];
}

sarrus_Status sarrus_sim_release_contact(sarrus_Sim *sim, int contact, int released) {
  return sarrus_sim_release_all(sim, 0, NULL, 1, &contact, released);
}

/* Hold a coordinate, or let it go. */
static sarrus_Status lock(sarrus_Sim *sim, int which, int locked) {
  if (sim->maker.broken) return sim_refuse_ended(sim);
  if (which < 0 || which >= sim->system->locks)
    return sim_refuse(sim, SARRUS_MISUSE_LOCK, SARRUS_NONE);
  int *off = &sim->off[sim->system->m + which];
  if (*off == !locked) return SARRUS_OK;
  SARRUS_TRY(sim_make_changed_form(sim));
  SARRUS_TRY(begin_change(sim));
  *off = !locked;
  sim_use_form(sim, sim_whole_form(sim));
  const sarrus_Status status = reclose(sim);
  if (status >= 0) return noted(sim, status);
  *off = locked;
  return sim_recall(sim, status);
}

static sarrus_Status release_force(sarrus_Sim *sim, int which, int released) {
  if (sim->maker.broken) return sim_refuse_ended(sim);
  if (which < 0 || which >= sim->system->forces)
    return sim_refuse(sim, SARRUS_MISUSE_RELEASE, SARRUS_NONE);
  if (sim_force_modes(sim)[which] == released) return SARRUS_OK;
  SARRUS_TRY(sim_make_changed_form(sim));
  SARRUS_TRY(begin_change(sim));
  sim_force_modes(sim)[which] = released;
  sim_use_form(sim, sim_whole_form(sim));
  const sarrus_Status status = reclose(sim);
  return status < 0 ? sim_recall(sim, status) : noted(sim, status);
}

sarrus_Status sarrus_sim_release_force(sarrus_Sim *sim, int force, int released) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, release_force(sim, force, released != 0));
}

sarrus_Status sarrus_sim_lock(sarrus_Sim *sim, int which, int locked) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, lock(sim, which, locked != 0));
}

int sarrus_sim_locked(const sarrus_Sim *sim, int which) {
  return which >= 0 && which < sim->system->locks && !sim->off[sim->system->m + which];
}

sarrus_Status sarrus_sim_impulse(sarrus_Sim *sim, const double *impulse) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, change_velocities(sim, impulse));
}
