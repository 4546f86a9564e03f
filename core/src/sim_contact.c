/*
** Contacts of a simulation: their modes, what changes them from outside, and what is asked of them.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact.h"

static void turn(sarrus_Sim *sim, int row, int on) {
  if (row != SARRUS_NONE) sim->off[row - sim->maker.n] = !on;
}

static void write_mode(const ContactMode *mode, int loaded, double *u) {
  const int slips = mode->mode == SARRUS_SLIP || mode->tied;
  for (int k = 0; k < 2; k++)
    u[MODE_DIRECTION + k] = slips && !mode->free ? mode->direction[k] : 0;
  u[MODE_FREE] = slips && mode->free;
  u[MODE_FRICTIONLESS] = loaded && slips ? DBL_MIN : 1;
  u[MODE_UNLOADED] = loaded ? DBL_MIN : 1;
  u[MODE_NUMBER] = (double)mode->mode;
}

/*
** Where friction is shared by contacts (T50), what joints and bodies hold in themselves is no part
** of it: forces are measured by these rows so much less.  (In a body that turns its own constraints
** carry what keeps it together; of two rims that roll, the shortest forces of all would take some
** of that on, beyond what friction can.)
*/
static const double UNMEASURED = 1024.0 * 1024;

static void write_shares(sarrus_Sim *sim) {
  Kkt *kkt = sim->maker.expansion->kkt;
  const int n = sim->maker.n;
  int first = sim->system->m; /* of contacts */
  double largest = 0;
  for (int i = 0; i < sim->system->contact_count; i++) {
    const Contact *contact = &sim->system->contacts[i];
    if (contact->gap != SARRUS_NONE && contact->gap < first) first = contact->gap;
    if (contact->slips > 0 && contact->slip < first) first = contact->slip;
    largest = fmax(largest, sim->contacts[i].now.share);
  }
  for (int row = 0; row < kkt->m; row++)
    if (row < first || row >= sim->system->m) kkt_set_share(kkt, row, UNMEASURED * largest);
  for (int i = 0; i < sim->system->contact_count; i++)
    for (int k = 0; k < sim->system->contacts[i].slips; k++) {
      const int row = contact_slip_row(sim, i, k);
      if (row < sim->maker.variables) kkt_set_share(kkt, row - n, sim->contacts[i].now.share);
    }
}

/* In space all that touches is measured alike, and what slips rubs. */
static void write_rubbing(sarrus_Sim *sim) {
  Kkt *kkt = sim->maker.expansion->kkt;
  int rubs = 0;
  for (int i = 0; i < sim->system->contact_count; i++) {
    const ContactState *state = &sim->contacts[i];
    const int gap = contact_gap_row(sim, i), on = !state->released;
    if (sim->system->contacts[i].slips < 2 || gap == SARRUS_NONE) continue;
    if (gap >= sim->maker.variables) continue;
    kkt_set_even(kkt, gap - sim->maker.n, on && state->now.mode != SARRUS_OPEN);
    for (int k = 0; k < 2; k++)
      kkt_set_even(kkt, contact_slip_row(sim, i, k) - sim->maker.n,
                   on && state->now.mode == SARRUS_STICK && !state->now.tied);
    rubs |= on && state->now.mode == SARRUS_SLIP;
  }
  kkt_set_rubs(kkt, rubs);
}

void sim_write_modes(sarrus_Sim *sim) {
  sim->maker.last.modes_kept = 0;
  for (int i = 0; i < sim->system->contact_count; i++)
    write_mode(&sim->contacts[i].now, sim->contacts[i].load.on,
               &sim->maker.expansion->modes[CONTACT_MODES * i]);
  write_shares(sim);
  write_rubbing(sim);
}

void sim_apply_modes(sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count; i++) {
    const ContactState *state = &sim->contacts[i];
    const int on = !state->released;
    turn(sim, contact_gap_row(sim, i), on && state->now.mode != SARRUS_OPEN);
    for (int k = 0; k < 2; k++)
      turn(sim, contact_slip_row(sim, i, k),
           on && ((state->now.mode == SARRUS_STICK && !state->now.tied) || state->held));
  }
  sim_write_modes(sim);
  kkt_turn_off(sim->maker.expansion->kkt, sim->off);
}

int contact_stands(const sarrus_Sim *sim) {
  const Maker *maker = &sim->maker;
  const Point *to = &maker->to;
  return expansion_stands(maker->expansion, to->t, to->q, to->v, maker->parameters);
}

/* Stand at `to` with these modes, positions and velocities as they are. */
sarrus_Status contact_stand(sarrus_Sim *sim) {
  Maker *maker = &sim->maker;
  sim_apply_modes(sim);
  if (contact_stands(sim)) {
    expansion_rate_residual(maker->expansion, maker->to.v);
    memcpy(sim->rates, maker->expansion->residual, (size_t)maker->variables * sizeof *sim->rates);
    return SARRUS_OK;
  }
  SARRUS_TRY(maker_analyse(maker, &maker->to));
  return maker_prepare_rates(maker, &maker->to, sim->rates);
}

/* Besides, only directions of slip have changed since. */
sarrus_Status contact_stand_again(sarrus_Sim *sim) {
  sim_write_modes(sim);
  return maker_prepare_rates(&sim->maker, &sim->maker.to, sim->rates);
}

void sim_recall_modes(sarrus_Sim *sim) {
  if (sim->system->contact_count == 0) return;
  for (int i = 0; i < sim->system->contact_count; i++) {
    sim->contacts[i].now = sim->contacts[i].span;
    sim->contacts[i].load.on = sim->contacts[i].load.span;
  }
  sim_apply_modes(sim);
}

static int *ending_at(sarrus_Sim *sim, int contact) {
  return &sim->endings[sim->maker.system->arguments.switches + contact];
}

sarrus_Status sim_let_go(sarrus_Sim *sim) {
  if (sim->system->contact_count == 0) return SARRUS_OK;
  for (int i = 0; i < sim->system->contact_count; i++) {
    const int alone = sim->system->contacts[i].gap == SARRUS_NONE;
    if (!alone && sim->contacts[i].now.mode != SARRUS_OPEN) *ending_at(sim, i) = ENDS_TOUCH;
    sim->contacts[i].now = (ContactMode){.mode = SARRUS_OPEN};
  }
  return contact_stand(sim);
}

/* A gap below this, relative to sizes, counts as touching. */
static const double TOUCHES = 1e-9;

static double touching_part(const Maker *maker) {
  return fmax(TOUCHES, 2 * maker->options.tolerance);
}

int sim_has_moved(const sarrus_Sim *sim, sarrus_Status status) {
  const Maker *maker = &sim->maker;
  const double part = touching_part(maker);
  int closed = 0, moved = status < 0;
  for (int i = 0; i < sim->system->contact_count; i++)
    closed |= contact_gap_row(sim, i) != SARRUS_NONE && sim->contacts[i].now.mode != SARRUS_OPEN;
  for (int j = 0; j < maker->n && closed; j++) {
    const double way = fabs(maker->to.q[j] - maker->last.q[j]) / maker->scale[j];
    const double speed = fabs(maker->to.v[j] - maker->last.v[j]) / maker->scale[j];
    moved |= way > part || speed * maker->expansion->work->unit > part;
  }
  return closed && moved;
}

/* Open contacts that touch; CONTACT where one penetrates. */
static sarrus_Status find_touching(sarrus_Sim *sim) {
  const sarrus_Expansion *expansion = sim->maker.expansion;
  expansion_residual(sim->maker.expansion);
  for (int i = 0; i < sim->system->contact_count; i++) {
    const int row = contact_gap_row(sim, i);
    if (row == SARRUS_NONE || sim->contacts[i].released) continue;
    if (sim->contacts[i].now.mode != SARRUS_OPEN) continue;
    const double gap = expansion->residual[row];
    const double near = touching_part(&sim->maker) * maker_row_length(&sim->maker, row);
    if (gap < -near) return contact_bad_contact(sim, i, -gap);
    if (gap <= near) *ending_at(sim, i) = ENDS_TOUCH;
  }
  return SARRUS_OK;
}

/* Contacts that move apart do not touch. */
static sarrus_Status skip_leaving(sarrus_Sim *sim) {
  SARRUS_TRY(maker_prepare_rates(&sim->maker, &sim->maker.to, sim->rates));
  for (int i = 0; i < sim->system->contact_count; i++) {
    const int row = contact_gap_row(sim, i);
    if (*ending_at(sim, i) != ENDS_TOUCH) continue;
    if (sim->rates[row] > contact_speed_noise(sim, row)) *ending_at(sim, i) = ENDS_NOT;
  }
  return SARRUS_OK;
}

sarrus_Status sim_reconsider(sarrus_Sim *sim) {
  if (sim->system->contact_count == 0) return SARRUS_OK;
  SARRUS_TRY(find_touching(sim));
  SARRUS_TRY(skip_leaving(sim));
  const sarrus_Status status = sim_decide(sim);
  sim->far = status >= 0 && sim_all_are_apart(sim); /* the lean form is tried */
  return status;
}

sarrus_Status sim_start_contacts(sarrus_Sim *sim) {
  if (sim->system->contact_count == 0) return SARRUS_OK;
  sim_clear_endings(sim);
  for (int i = 0; i < sim->system->contact_count; i++) /* friction alone always acts */
    if (contact_gap_row(sim, i) == SARRUS_NONE) sim->contacts[i].now.mode = SARRUS_SLIP;
  const sarrus_Status status = sim_reconsider(sim);
  for (int i = 0; i < sim->system->contact_count; i++)
    sim->contacts[i].told = sim->contacts[i].now.mode;
  return status;
}

static void write_force_modes(const sarrus_Sim *sim, double *modes) {
  for (int k = 0; k < sim->system->forces; k++)
    modes[CONTACT_MODES * sim->system->contact_count + k] = sim_force_modes(sim)[k];
}

sarrus_Status sarrus_sim_modes_at(const sarrus_Sim *sim, double t, double *modes) {
  if (!sim->started || !span_covers(&sim->maker.span, t)) return SARRUS_ARGUMENT;
  for (int i = 0; i < sim->system->contact_count; i++) {
    const ContactState *state = &sim->contacts[i];
    const int ended = sim_is_at_end(sim, t);
    write_mode(ended ? &state->now : &state->span, ended ? state->load.on : state->load.span,
               &modes[CONTACT_MODES * i]);
  }
  write_force_modes(sim, modes);
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_modes(const sarrus_Sim *sim, double *modes) {
  if (!sim->started) return SARRUS_ARGUMENT;
  if (sim->now != sim->maker.to.t) return sarrus_sim_modes_at(sim, sim->now, modes);
  for (int i = 0; i < sim->system->contact_count; i++)
    write_mode(&sim->contacts[i].now, sim->contacts[i].load.on, &modes[CONTACT_MODES * i]);
  write_force_modes(sim, modes);
  return SARRUS_OK;
}

int sarrus_sim_struck(const sarrus_Sim *sim, int contact, double impulse[3]) {
  if (!sim->started || contact < 0 || contact >= sim->system->contact_count) return 0;
  const ContactState *state = &sim->contacts[contact];
  const int struck = sim->now == sim->maker.to.t && state->struck.at == sim->now;
  for (int k = 0; k < 3; k++)
    impulse[k] = struck ? state->struck.impulse[k] : 0;
  return struck;
}
