/*
** Friction in space.  The complementarity problem knows one direction of slip for each contact: that of its velocity.  What
** rests is held in all directions first; where that takes more than friction, it begins to slip.
*/
#include <math.h>
#include <string.h>

#include "contact.h"

/*
** Slip that has begun without an acceleration: as long as what it moves within the time in which friction turns it is of no
** account, its direction is that of the acceleration, and no series would follow it there.
*/
static const double CRAWLS = 1e3, LEAST_CRAWL = 1e-8;

static int crawls_still(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const double v = d->speed[d->count + k];
  const double size = maker_row_length(&sim->maker, contact_slip_row(sim, d->contact[k], 0));
  const double part = fmax(CRAWLS * sim->maker.options.tolerance, LEAST_CRAWL);
  return v * v < part * size * contact_friction_acceleration(d, k);
}

/* What sticks in space is found out later (contact_settle_slips). */
void contact_set_spatial_mode(const sarrus_Sim *sim, int k, ContactMode *mode) {
  const Decision *d = &sim->decision;
  const int ending = contact_ending_of(sim, d->contact[k]);
  if (d->mode[k] == FRICTION_OPEN) {
    mode->mode = SARRUS_OPEN;
  } else if (d->held[k] || d->mode[k] == FRICTION_STICK) {
    mode->mode = SARRUS_STICK;
  } else if (mode->mode == SARRUS_SLIP && !mode->free && !mode->starts && ending == ENDS_NOT) {
    return; /* it goes straight on until it stops */
  } else {
    const int goes_on = mode->mode == SARRUS_SLIP;
    const double fastest = goes_on ? mode->fastest : 0;
    const int crawls = goes_on && mode->starts == STARTS_SLOWLY && crawls_still(sim, k);
    *mode = (ContactMode){SARRUS_SLIP, {d->along[2 * k], d->along[2 * k + 1]}, 0, 0, fastest, 0, 0};
    mode->starts = ending == ENDS_PLUS ? STARTS : crawls ? STARTS_SLOWLY : 0;
    mode->free = !mode->starts && ending != ENDS_SLOW;
  }
}

/* The force that holds a contact, by its multipliers; answers its size. */
static double holding_force(const sarrus_Sim *sim, int contact, double force[2]) {
  for (int k = 0; k < 2; k++)
    force[k] = -*expansion_at(sim->maker.expansion, 0, contact_slip_row(sim, contact, k));
  return hypot(force[0], force[1]);
}

/*
** Before what touches is let go: the directions of slip, and what may stick.  What has been held up to its bound begins to
** slip against the force that held it.
*/
void contact_find_directions(sarrus_Sim *sim, int struck) {
  Decision *d = &sim->decision;
  sarrus_Expansion *expansion = sim->maker.expansion;
  expansion_rate_residual(expansion, sim->maker.to.v);
  for (int k = 0; k < d->count; k++) {
    const int i = d->contact[k], ending = contact_ending_of(sim, i);
    double *direction = &d->along[2 * k], v[2] = {0}, noise = 0;
    if (struck && ending == ENDS_PLUS) continue;
    direction[0] = 1;
    direction[1] = 0;
    d->held[k] = 0;
    if (!struck) sim->contacts[i].kept_slip = sim->contacts[i].now;
    if (sim->system->contacts[i].slips < 2) continue;
    if (ending == ENDS_PLUS) {
      const double size = holding_force(sim, i, v);
      direction[0] = size > 0 ? -v[0] / size : 1;
      direction[1] = size > 0 ? -v[1] / size : 0;
      continue;
    }
    for (int r = 0; r < 2; r++) {
      v[r] = expansion->residual[contact_slip_row(sim, i, r)];
      noise += contact_speed_noise(sim, contact_slip_row(sim, i, r));
    }
    const double speed = hypot(v[0], v[1]);
    const int rests = speed <= noise || (ending == ENDS_STOP && !struck);
    d->held[k] = rests && !d->freed[k];
    for (int r = 0; r < 2 && !rests; r++)
      direction[r] = v[r] / speed;
  }
}

/* What is held though nothing presses it is let go altogether; whether there is such. */
int contact_frees_held(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  int found = 0;
  for (int k = 0; k < d->count; k++) {
    if (!d->held[k] || d->mode[k] != FRICTION_OPEN) continue;
    d->held[k] = sim->contacts[d->contact[k]].held = 0;
    d->freed[k] = found = 1;
  }
  return found;
}

/* Accelerations below this part of what friction does are none. */
static const double NO_ACCELERATION = 1e-7;

/* What a force along the direction of slip does to the slip. */
static double slip_response(sarrus_Sim *sim, int contact) {
  const ContactMode *mode = &sim->contacts[contact].now;
  Kkt *kkt = sim->maker.expansion->kkt;
  double *x = sim->maker.expansion->rhs, response = 0;
  memset(x, 0, (size_t)sim->maker.variables * sizeof *x);
  for (int r = 0; r < 2; r++) {
    const int row = contact_slip_row(sim, contact, r);
    for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++)
      if (kkt->pattern.column[e] < sim->maker.n)
        x[kkt->pattern.column[e]] += mode->direction[r] * kkt->value[e];
  }
  kkt_solve_motion(kkt, x);
  for (int r = 0; r < 2; r++)
    response +=
        mode->direction[r] * kkt_row_times(kkt, contact_slip_row(sim, contact, r), x, sim->maker.n);
  return response;
}

/* What friction of a contact that begins to slip does, where the others are as they have been found. */
static double friction_of(sarrus_Sim *sim, int contact) {
  const int row = contact_gap_row(sim, contact);
  const double coefficient = contact_extra(sim, sim->system->arguments.contact[contact].friction);
  const double pressed = row == SARRUS_NONE ? 1 : -*expansion_at(sim->maker.expansion, 0, row);
  return fabs(coefficient * pressed * slip_response(sim, contact));
}

/*
** The direction d of slip that begins is that of the acceleration a which friction against it leaves.  With r, what friction
** alone does, d = (a + r d) / |a + r d| finds it at once where that is the same in all directions; d = a / |a| would turn
** round where a is small.
*/
static double turn_slip(sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int contact = d->contact[k];
  ContactMode *mode = &sim->contacts[contact].now;
  const double r = friction_of(sim, contact);
  double a[2], next[2];
  for (int i = 0; i < 2; i++) {
    a[i] = expansion_row_acceleration(sim->maker.expansion, contact_slip_row(sim, contact, i));
    next[i] = a[i] + r * mode->direction[i];
  }
  if (hypot(a[0], a[1]) <= NO_ACCELERATION * r) mode->starts = STARTS_SLOWLY;
  const double size = hypot(next[0], next[1]);
  if (size == 0) return 0;
  const double turned =
      hypot(next[0] / size - mode->direction[0], next[1] / size - mode->direction[1]);
  for (int i = 0; i < 2; i++)
    mode->direction[i] = next[i] / size;
  return turned;
}

/* What its bound does not hold begins to slip; whether it does. */
static int begins_to_slip(sarrus_Sim *sim, int contact) {
  const ContactOutputs *of = &sim->system->arguments.contact[contact];
  ContactMode *mode = &sim->contacts[contact].now;
  double force[2];
  const double size = holding_force(sim, contact, force);
  const int row = contact_gap_row(sim, contact);
  const double pressed = row == SARRUS_NONE ? 1 : -*expansion_at(sim->maker.expansion, 0, row);
  if (size <= contact_extra(sim, of->still) * pressed * (1 + 1e-12)) return 0;
  *mode = (ContactMode){SARRUS_SLIP, {-force[0] / size, -force[1] / size}, 0, STARTS, 0, 0, 0};
  return 1;
}

enum { MOST_SETTLINGS = 200 };
static const double SETTLED = 1e-14;

/* Which contacts in space stick, and where those go that begin to slip. */
sarrus_Status contact_settle_slips(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int turn = 0; turn < MOST_SETTLINGS; turn++) {
    int open = 0, spatial = 0;
    for (int k = 0; k < d->count; k++) {
      const int i = d->contact[k];
      const ContactMode *mode = &sim->contacts[i].now;
      if (sim->system->contacts[i].slips < 2 || mode->mode == SARRUS_OPEN) continue;
      if (spatial++ == 0) SARRUS_TRY(contact_stand(sim));
      if (mode->mode == SARRUS_STICK)
        open |= begins_to_slip(sim, i);
      else if (mode->starts)
        open |= turn_slip(sim, k) > SETTLED;
    }
    if (!open) return SARRUS_OK;
  }
  return SARRUS_OK;
}
