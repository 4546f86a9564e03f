/*
** Where joints lead contacts: what they prescribe may begin to move a body that rests, by its
** acceleration or by any later derivative.  Then rows that followed from others contradict them,
** and of the forces, which were any of many, none tells so.
*/
#include <math.h>
#include <string.h>

#include "contact.h"

/*
** Of a series in the unit of time of steps, what is more than this part of what is added up in its
** coefficient, and moves by more than this part of sizes, is not rounding; nor is what forces make
** that are more than this part of those held.
*/
static const double PART = 1e-9, WAY = 1e-13, FORCE = 1e-12;

/* Which way a row goes at this stage, in the direction of travel; 0: by no more than rounding. */
static int way_of(const sarrus_Sim *sim, int row, int stage) {
  const Maker *maker = &sim->maker;
  const Kkt *kkt = maker->expansion->kkt;
  const double unit = maker->expansion->work->unit;
  double size, forced = 0;
  const double a = expansion_stage_acceleration(maker->expansion, row, stage, &size);
  const double way = a / ((stage + 1) * (stage + 2));
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++)
    if (kkt->pattern.column[e] < maker->n)
      forced += fabs(kkt->value[e]) * maker->held * kkt->column[kkt->pattern.column[e]];
  if (!(fabs(a) > fmax(PART * size, FORCE * forced * unit * unit)) ||
      !(fabs(way) > WAY * maker_row_length(maker, row)))
    return 0;
  return (a > 0) == (maker->direction > 0 || stage % 2 == 0) ? 1 : -1;
}

/* Whether a row that was left out contradicts the others. */
static int is_contradicted(const sarrus_Sim *sim, int stage) {
  const Maker *maker = &sim->maker;
  const int *dependent = maker->expansion->kkt->dependent;
  for (int row = maker->n; row < maker->variables; row++)
    if (dependent[row - maker->n] == KKT_DEPENDENT && way_of(sim, row, stage) != 0) return 1;
  return 0;
}

static int something_is_closed(const sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count; i++)
    if (sim->system->contacts[i].gap != SARRUS_NONE && sim->contacts[i].now.mode != SARRUS_OPEN)
      return 1;
  return 0;
}

/* Whether the present rows contradict each other at some stage, if some depend on others. */
static int contradicts_ahead(sarrus_Sim *sim) {
  Maker *maker = &sim->maker;
  if (maker->expansion->kkt->dependent_count == 0) return 0;
  int found = is_contradicted(sim, 0);
  for (int stage = 1; stage < maker->order && !found; stage++) {
    if (expansion_extend(maker->expansion, stage, &maker->fault) < 0) break;
    found = is_contradicted(sim, stage);
  }
  maker_clear_fault(maker);
  return found;
}

sarrus_Status sim_contradicts(sarrus_Sim *sim, int *found) {
  *found = something_is_closed(sim) && contradicts_ahead(sim);
  return sim->maker.expansion->kkt->dependent_count > 0 ? maker_prepare(&sim->maker, &sim->maker.to)
                                                        : SARRUS_OK;
}

/* The same of row k of W, of which none of the forces at contacts moves anything. */
static int lead_of(const sarrus_Sim *sim, int k, int stage) {
  const Decision *d = &sim->decision;
  const int gap = k < d->count, contact = d->contact[gap ? k : k - d->count];
  if (gap) return way_of(sim, contact_gap_row(sim, contact), stage);
  const int way = way_of(sim, contact_slip_row(sim, contact, 0), stage);
  if (sim->system->contacts[contact].slips == 1) return way;
  return way != 0 || way_of(sim, contact_slip_row(sim, contact, 1), stage) != 0;
}

/* In space, the direction in which slip is led at this stage; how it begins. */
static void note_direction(const sarrus_Sim *sim, int k, int stage) {
  const Decision *d = &sim->decision;
  const int contact = d->contact[k], back = sim->maker.direction < 0 && stage % 2 != 0;
  double a[2], size;
  if (sim->system->contacts[contact].slips < 2) return;
  for (int r = 0; r < 2; r++)
    a[r] = expansion_stage_acceleration(sim->maker.expansion, contact_slip_row(sim, contact, r),
                                        stage, &size);
  for (int r = 0; r < 2; r++)
    d->along[2 * k + r] = (back ? -a[r] : a[r]) / hypot(a[0], a[1]);
  d->leads[d->count + k] = stage == 0 ? LEADS : LEADS_SLOWLY;
}

/* Of a response, this part of what it is without joints may be rounding: 2e-13 has been seen. */
static const double NO_RESPONSE = 1e-11;

int contact_moves(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const double size = contact_free_response(sim, k);
  return size == 0 || d->W[k * (2 * d->count + 1)] > NO_RESPONSE * size;
}

/* Nothing moves along row k yet. */
static int rests(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int slips = k >= d->count, contact = d->contact[slips ? k - d->count : k];
  const int count = slips ? sim->system->contacts[contact].slips : 1;
  double square = 0, noise = 0;
  for (int r = 0; r < count; r++) {
    const int row = slips ? contact_slip_row(sim, contact, r) : contact_gap_row(sim, contact);
    square += sim->rates[row] * sim->rates[row];
    noise += contact_speed_noise(sim, row);
  }
  return sqrt(square) <= noise;
}

/* All such rows that nothing is known of yet; how many go nowhere so far. */
static int look(const sarrus_Sim *sim, int stage) {
  const Decision *d = &sim->decision;
  int left = 0;
  for (int k = 0; k < 2 * d->count; k++) {
    const int i = k < d->count ? k : k - d->count;
    if (d->leads[k] != 0 || d->least[i] > 0 || d->fixed[k] || (k > i && d->held[i])) continue;
    if (contact_moves(sim, k) || !rests(sim, k)) continue;
    d->leads[k] = lead_of(sim, k, stage);
    if (k > i && d->leads[k] != 0) note_direction(sim, i, stage);
    left += d->leads[k] == 0;
  }
  return left;
}

sarrus_Status contact_look_ahead(sarrus_Sim *sim) {
  Maker *maker = &sim->maker;
  int stage = 0;
  while (look(sim, stage) > 0 && ++stage < maker->order)
    if (expansion_extend(maker->expansion, stage, &maker->fault) < 0) break;
  if (stage == 0) return SARRUS_OK;
  maker_clear_fault(maker);
  return contact_stand_again(sim);
}

static int depends_on_time(const Tape *tape) {
  for (int i = 0; i < tape->input_count; i++)
    if (tape->inputs[i].kind == SARRUS_TIME) return 1;
  return 0;
}

/* Without what is held: which of that joints lead; if none, all is held again. */
static sarrus_Status find_led(sarrus_Sim *sim, int *found) {
  Decision *d = &sim->decision;
  int *held = d->slip;
  memcpy(held, d->held, (size_t)d->count * sizeof *held);
  for (int k = 0; k < d->count; k++)
    d->held[k] = sim->contacts[d->contact[k]].held = 0;
  SARRUS_TRY(contact_stand(sim));
  contact_find_responses(sim);
  SARRUS_TRY(contact_look_ahead(sim));
  for (int k = 0; k < d->count; k++) {
    const int led = held[k] && d->leads[d->count + k] != 0;
    d->held[k] = held[k] && !led;
    d->freed[k] |= led;
    *found |= led;
  }
  if (*found) return SARRUS_OK;
  for (int k = 0; k < d->count; k++)
    sim->contacts[d->contact[k]].held = d->held[k];
  SARRUS_TRY(contact_stand(sim));
  contact_find_responses(sim);
  return SARRUS_OK;
}

sarrus_Status contact_frees_led(sarrus_Sim *sim, int *found) {
  const Decision *d = &sim->decision;
  const Kkt *kkt = sim->maker.expansion->kkt;
  int held = 0;
  *found = 0;
  for (int k = 0; k < d->count; k++)
    held |= d->held[k];
  if (!held || !depends_on_time(sim->maker.system->tape)) return SARRUS_OK;
  if (contradicts_ahead(sim)) return find_led(sim, found);
  return kkt->dependent_count > 0 ? contact_stand_again(sim) : SARRUS_OK;
}
