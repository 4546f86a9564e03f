/*
** Friction in space.  The complementarity problem knows one direction of slip for each contact:
** that of its velocity.  What rests is held in all directions first; where that takes more than
** friction, it begins to slip.
*/
#include <math.h>
#include <string.h>

#include "contact.h"

/*
** Slip that has begun without an acceleration: as long as what it moves within the time in which
** friction turns it is of no account (T48), its direction is that of the acceleration, and no
** series would follow it there.
*/
static const double CRAWLS = 1e3, LEAST_CRAWL = 1e-8;

static int crawls_still(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const double v = d->speed[d->count + k];
  const double size = maker_row_length(&sim->maker, contact_slip_row(sim, d->contact[k], 0));
  const double part = fmax(CRAWLS * sim->maker.options.tolerance, LEAST_CRAWL);
  return v * v < part * size * contact_friction_acceleration(d, k);
}

/*
** What friction would stop within less time than steps can follow goes straight on, however slow it
** has been.  (But not what is so slow already: it may well become faster.)
*/
static double least_fastest(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const double slow = contact_friction_acceleration(d, k) * maker_least_time(&sim->maker);
  return fmin(slow, fabs(d->speed[d->count + k]) / 2) / SIM_SLOW;
}

/*
** What rests, and is not held since nothing would press it then, but is pressed as it slips: where
** it goes is found out later.
*/
static int starts_freed(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int row = d->count + k;
  return d->freed[k] && d->leads[row] == 0 &&
         (contact_ending_of(sim, d->contact[k]) == ENDS_STOP ||
          fabs(d->speed[row]) <= d->noise[row]);
}

/* What sticks in space is found out later (contact_settle_slips). */
void contact_set_spatial_mode(const sarrus_Sim *sim, int k, ContactMode *mode) {
  const Decision *d = &sim->decision;
  const int ending = contact_ending_of(sim, d->contact[k]);
  if (d->mode[k] == FRICTION_OPEN) {
    mode->mode = SARRUS_OPEN;
  } else if (d->stopped[k]) {
    *mode = (ContactMode){.mode = SARRUS_STICK, .tied = 1};
  } else if (d->held[k] || d->mode[k] == FRICTION_STICK) {
    mode->mode = SARRUS_STICK;
  } else if (mode->mode == SARRUS_SLIP && !mode->free && !mode->starts && ending == ENDS_NOT) {
    return; /* it goes straight on until it stops */
  } else {
    const int anew = starts_freed(sim, k), goes_on = mode->mode == SARRUS_SLIP && !anew;
    const double fastest = fmax(goes_on ? mode->fastest : 0, least_fastest(sim, k));
    const int crawls = goes_on && mode->starts >= STARTS_SLOWLY && crawls_still(sim, k);
    *mode = (ContactMode){.mode = SARRUS_SLIP, .fastest = fastest};
    memcpy(mode->direction, &d->along[2 * k], sizeof mode->direction);
    const int led = d->leads[d->count + k];
    mode->starts = ending == ENDS_PLUS || led == LEADS || anew ? STARTS
                   : crawls || led == LEADS_SLOWLY             ? STARTS_SLOWLY
                                                               : 0;
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
** Where slip stops, what is no faster than what went straight on there has stopped as well:
** friction needs no time for it.
*/
static double stopping_speed(const sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  double speed = 0;
  for (int k = 0; k < d->count; k++)
    if (contact_ending_of(sim, d->contact[k]) == ENDS_STOP)
      speed = fmax(speed, SIM_SLOW * sim->contacts[d->contact[k]].now.fastest);
  return speed;
}

/*
** Before what touches is let go: the directions of slip, and what may stick.  What has been held up
** to its bound begins to slip against the force that held it, unless others can take some of that.
*/
void contact_find_directions(sarrus_Sim *sim, DirectionsOf when) {
  Decision *d = &sim->decision;
  sarrus_Expansion *expansion = sim->maker.expansion;
  const int struck = when == AFTER_IMPACT;
  const double stopped = struck ? 0 : stopping_speed(sim);
  expansion_rate_residual(expansion, sim->maker.to.v);
  for (int k = 0; k < d->count; k++) {
    const int i = d->contact[k], ending = contact_ending_of(sim, i);
    double *direction = &d->along[2 * k], v[2] = {0}, noise = struck ? d->noise[d->count + k] : 0;
    if (struck && ending == ENDS_PLUS && !d->ambiguous) continue;
    d->held[k] = 0;
    if (d->leads[d->count + k] != 0) continue;
    direction[0] = 1;
    direction[1] = 0;
    if (when == FIRST_TIME) sim->contacts[i].kept_slip = sim->contacts[i].now;
    if (sim->system->contacts[i].slips < 2) continue;
    if (ending == ENDS_PLUS && !d->ambiguous) {
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
    const int rests = speed <= fmax(noise, stopped) || (ending == ENDS_STOP && !struck);
    d->held[k] = rests && !d->freed[k];
    for (int r = 0; r < 2 && !rests; r++)
      direction[r] = v[r] / speed;
  }
}

/* Null vectors whose parts in two rows are smaller than this, as a square, do not reach them. */
static const double NO_REACH = 1e-9;

/*
** Whether others hold a contact as well: both of its rows depend on theirs, if null vectors (T11)
** have parts in both that are no multiples of each other.
*/
static int is_held_by_others(const sarrus_Sim *sim, int contact) {
  Kkt *kkt = sim->maker.expansion->kkt;
  const int first = contact_slip_row(sim, contact, 0) - kkt->n, second = first + 1;
  double own = 0, other = 0, mixed = 0;
  if (kkt->dependent_count > 0 && !kkt->null_known) kkt_find_null_space(kkt);
  for (int c = 0; c < kkt->dependent_count; c++) {
    const double *null = kkt->null + (ptrdiff_t)c * kkt->m;
    own += null[first] * null[first];
    other += null[second] * null[second];
    mixed += null[first] * null[second];
  }
  return own * other - mixed * mixed > NO_REACH;
}

/*
** What is held though nothing presses it is let go altogether; whether there is such.  But not what
** others hold beside it: of many that share a load the decision presses a few.
*/
int contact_frees_held(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  int found = 0;
  for (int k = 0; k < d->count; k++) {
    if (!d->held[k] || d->mode[k] != FRICTION_OPEN) continue;
    if (contact_is_idle(sim, k) && is_held_by_others(sim, d->contact[k])) continue;
    d->held[k] = sim->contacts[d->contact[k]].held = 0;
    d->freed[k] = found = 1;
  }
  return found;
}

/*
** Whether the mode of a contact ends because nothing presses it; not of one that has just been
** relieved in vain.
*/
static int lifts(const sarrus_Sim *sim, int contact) {
  return contact_ending_of(sim, contact) == ENDS_LIFT && !sim->contacts[contact].kept_slip.idle;
}

static void relieve(sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int slips = d->speed[d->count + k] > d->noise[d->count + k];
  ContactMode *now = &sim->contacts[d->contact[k]].now;
  *now = (ContactMode){.mode = slips ? SARRUS_SLIP : SARRUS_STICK, .free = slips, .idle = 1};
  memcpy(now->direction, &d->along[2 * k], sizeof now->direction);
}

/*
** Of what shares a load, all that is pressed where what lifts would be pushed off: what opens what
** has lifted closes that.
*/
static sarrus_Status relieve_opposite(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  double *x = sim->maker.expansion->rhs;
  SARRUS_TRY(contact_stand(sim));
  memset(x, 0, (size_t)sim->maker.variables * sizeof *x);
  for (int k = 0; k < d->count; k++)
    if (lifts(sim, d->contact[k])) contact_push(sim, k, 1, x);
  kkt_solve_motion(sim->maker.expansion->kkt, x);
  for (int k = 0; k < d->count; k++) {
    const ContactState *state = &sim->contacts[d->contact[k]];
    if (sim->system->contacts[d->contact[k]].slips < 2) continue;
    if (!state->now.idle || !state->kept_slip.idle) continue;
    if (contact_along(sim, k, x) < 0) relieve(sim, k);
  }
  return SARRUS_OK;
}

/*
** Where the load goes from one corner to the opposite one, the force of either is 0 at that
** instant, and accelerations do not tell which of them is pressed next: it is the one that was
** idle.  If it is not, it lifts at once.
*/
sarrus_Status contact_relieve_lifted(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  int lifted = 0;
  for (int k = 0; k < d->count; k++)
    lifted |= lifts(sim, d->contact[k]);
  if (lifted && d->shares) return relieve_opposite(sim);
  for (int k = 0; k < d->count && lifted; k++) {
    const ContactState *state = &sim->contacts[d->contact[k]];
    if (sim->system->contacts[d->contact[k]].slips < 2) continue;
    if (!state->now.idle || !state->kept_slip.idle || !contact_may_be_pressed(sim, k)) continue;
    relieve(sim, k);
  }
  for (int k = 0; k < d->count && !lifted; k++) {
    ContactState *state = &sim->contacts[d->contact[k]];
    if (contact_ending_of(sim, d->contact[k]) == ENDS_LIFT) state->now.idle = 1;
  }
  return SARRUS_OK;
}

/*
** With an acceleration below this part of what friction does, slip crawls: series would go on by
** ten times the time in which friction turns it, and it would hardly become faster.
*/
static const double NO_ACCELERATION = 0.02;

/* What a force along the direction of slip does to the slip. */
static double slip_response(sarrus_Sim *sim, int k) {
  Decision *d = &sim->decision;
  double *x = sim->maker.expansion->rhs;
  memcpy(&d->along[2 * k], sim->contacts[d->contact[k]].now.direction, 2 * sizeof *d->along);
  memset(x, 0, (size_t)sim->maker.variables * sizeof *x);
  contact_push(sim, d->count + k, 1, x);
  kkt_solve_motion(sim->maker.expansion->kkt, x);
  return contact_along(sim, d->count + k, x);
}

/*
** What friction of a contact that begins to slip does, where the others are as they have been
** found.
*/
static double friction_of(sarrus_Sim *sim, int k) {
  const int contact = sim->decision.contact[k];
  const int row = contact_gap_row(sim, contact);
  const double coefficient =
      contact_extra(sim, sim->maker.system->arguments.contact[contact].friction);
  const double pressed = row == SARRUS_NONE ? 1 : -*expansion_at(sim->maker.expansion, 0, row);
  return fabs(coefficient * pressed * slip_response(sim, k));
}

/*
** The direction d of slip that begins is that of the acceleration a which friction against it
** leaves.  With r, what friction alone does, d = (a + r d) / |a + r d| (T47) finds it at once
** where that is the same in all directions; d = a / |a| would turn round where a is small.
** Several contacts that turn each other need more of d: `damped` times r.
*/
static double turn_slip(sarrus_Sim *sim, int k, double damped) {
  const Decision *d = &sim->decision;
  const int contact = d->contact[k];
  ContactMode *mode = &sim->contacts[contact].now;
  const double r = friction_of(sim, k);
  double a[2], next[2];
  for (int i = 0; i < 2; i++) {
    a[i] = expansion_row_acceleration(sim->maker.expansion, contact_slip_row(sim, contact, i));
    next[i] = a[i] + damped * r * mode->direction[i];
  }
  if (hypot(a[0], a[1]) <= NO_ACCELERATION * r) mode->starts = STARTS_SLOWLY;
  const double size = hypot(next[0], next[1]);
  if (size == 0) return 0;
  const double turned =
      hypot(next[0] / size - mode->direction[0], next[1] / size - mode->direction[1]);
  for (int i = 0; i < 2; i++)
    mode->direction[i] = next[i] / size;
  return damped * turned;
}

/*
** Of what crawls: whether friction slows it down, and whether it goes along its direction at all;
** if not, it is followed.
*/
static void follow_crawls(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++) {
    const int i = d->contact[k];
    ContactMode *mode = &sim->contacts[i].now;
    if (mode->mode != SARRUS_SLIP || mode->starts < STARTS_SLOWLY) continue;
    double v[2], along = 0, gains = 0;
    for (int r = 0; r < 2; r++) {
      const int row = contact_slip_row(sim, i, r);
      v[r] = sim->rates[row];
      along += v[r] * mode->direction[r];
      gains += expansion_row_acceleration(sim->maker.expansion, row) * mode->direction[r];
    }
    const double speed = hypot(v[0], v[1]);
    mode->starts = STARTS_SLOWLY;
    if (speed <= d->noise[d->count + k]) continue;
    if (gains < 0) mode->starts = STOPS_SLOWLY;
    if (along > 0) continue;
    mode->starts = 0;
    mode->free = 1;
    for (int r = 0; r < 2; r++)
      mode->direction[r] = v[r] / speed;
  }
}

/* Of its bound, what holds a contact that has just come to it; and what is more than it. */
static const double AT_BOUND = 1 - 1e-9, BEYOND_BOUND = 1 + 1e-12;

/* It has just come to its bound, or had, and begun to slip, before others came to theirs now. */
static int is_at_bound(const sarrus_Sim *sim, int contact) {
  const ContactMode *was = &sim->contacts[contact].kept_slip;
  return contact_ending_of(sim, contact) == ENDS_PLUS ||
         (was->mode == SARRUS_SLIP && (was->starts == STARTS || was->starts == STARTS_SLOWLY));
}

/* What its bound does not hold begins to slip; whether it does. */
static int begins_to_slip(sarrus_Sim *sim, int contact) {
  const ContactOutputs *of = &sim->maker.system->arguments.contact[contact];
  ContactMode *mode = &sim->contacts[contact].now;
  double force[2];
  const double size = holding_force(sim, contact, force);
  const int row = contact_gap_row(sim, contact);
  const double pressed = row == SARRUS_NONE ? 1 : -*expansion_at(sim->maker.expansion, 0, row);
  const double part = is_at_bound(sim, contact) ? AT_BOUND : BEYOND_BOUND;
  if (size <= part * contact_extra(sim, of->still) * pressed) return 0;
  *mode = (ContactMode){.mode = SARRUS_SLIP, .starts = STARTS};
  for (int k = 0; k < 2; k++)
    mode->direction[k] = -force[k] / size;
  return 1;
}

/* Forces that are this part of the largest are rounding. */
static const double NO_FORCE = 1e-9;

static double pressed_by(const sarrus_Sim *sim, int k) {
  const int i = sim->decision.contact[k], row = contact_gap_row(sim, i);
  const int on = sim->contacts[i].now.mode != SARRUS_OPEN && row != SARRUS_NONE;
  return on ? -*expansion_at(sim->maker.expansion, 0, row) : 0;
}

/*
** Where contacts in space share a load, as it is shared now, what would pull most is left idle,
** with all that would pull as much; whether there is such.
*/
static int part_pulling(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  double least = 0, largest = 0;
  if (!d->shares || sim->maker.expansion->kkt->dependent_count == 0) return 0;
  for (int k = 0; k < d->count; k++) {
    largest = fmax(largest, fabs(pressed_by(sim, k)));
    if (sim->system->contacts[d->contact[k]].slips == 2) least = fmin(least, pressed_by(sim, k));
  }
  if (!(least < -NO_FORCE * largest)) return 0;
  for (int k = 0; k < d->count; k++)
    if (sim->system->contacts[d->contact[k]].slips == 2 &&
        pressed_by(sim, k) <= least + NO_FORCE * largest)
      sim->contacts[d->contact[k]].now = (ContactMode){.mode = SARRUS_OPEN, .idle = 1};
  return 1;
}

/*
** Directions are found to SETTLED, or below ROUNDING as far as they come nearer; what is not even
** near is no answer, but where slip crawls, since it is asked again soon.  Damping doubles where
** they go away from it, and where they have not come much nearer in a while.
*/
enum { MOST_SETTLINGS = 200, SAME_DAMPING = 20 };
static const double SETTLED = 1e-14, ROUNDING = 1e-11, NOT_FOUND = 1e-3, CONVERGES = 0.1;

/* Which contacts in space stick, and where those go that begin to slip. */
sarrus_Status contact_settle_slips(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  double worst = 0, last = (double)INFINITY, before = (double)INFINITY, damped = 1;
  int contact = SARRUS_NONE, begun = 1;
  for (int turn = 0; turn < MOST_SETTLINGS; turn++) {
    int open = 0, spatial = 0;
    const int renew = begun;
    worst = begun = 0;
    contact = SARRUS_NONE;
    for (int k = 0; k < d->count; k++) {
      const int i = d->contact[k];
      const ContactMode *mode = &sim->contacts[i].now;
      if (sim->system->contacts[i].slips < 2 || mode->mode == SARRUS_OPEN) continue;
      if (spatial++ == 0) {
        SARRUS_TRY(renew ? contact_stand(sim) : contact_stand_again(sim));
        SARRUS_TRY(contact_share_load(sim));
        if (renew && part_pulling(sim)) {
          open = begun = 1;
          break;
        }
      }
      if (mode->mode == SARRUS_STICK) {
        if (mode->tied) continue;
        begun |= begins_to_slip(sim, i); /* its acceleration is known when all stand so */
        open |= begun;
        continue;
      }
      if (!mode->starts || d->leads[d->count + k] != 0) continue;
      const double turned = turn_slip(sim, k, damped);
      worst = fmax(worst, turned);
      open |= turned > SETTLED;
      if (mode->starts == STARTS && turned > NOT_FOUND) contact = i;
    }
    if (!open || (!renew && !begun && worst < ROUNDING && worst >= last)) break;
    if (!renew && worst > last) damped *= 2;
    last = worst;
    if (turn % SAME_DAMPING != SAME_DAMPING - 1) continue;
    if (!(worst < CONVERGES * before)) damped *= 2;
    before = worst;
  }
  if (contact != SARRUS_NONE) return contact_bad_contact(sim, contact, 0);
  follow_crawls(sim);
  return SARRUS_OK;
}
