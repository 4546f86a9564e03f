/*
** The whole of a decision: impacts and forces until nothing bounces that has come to rest, then the
** modes, closed; and all of it again where bounds of friction depend on the forces found.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact.h"

/* The acceleration of a contact that takes no part, with the forces of the others. */
static double acceleration_of(const Decision *d, int k) {
  double a = d->b[k];
  for (int j = 0; j < 2 * d->count; j++)
    a += d->W[k * 2 * d->count + j] * d->force[j];
  return a;
}

/*
** Bouncing that ends in finite time: where the next apex, v^2 / 2a, is below the least height
** (T46), it is the last: restitution becomes 0 there, or where others have pushed it away, it is
** caught.  Answers whether there is one.
*/
static int ends_bouncing(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  int found = 0;
  for (int k = 0; k < d->count; k++) {
    const double v = d->speed[k];
    if (d->least[k] > 0 || d->caught[k] || !(v > d->noise[k])) continue;
    const double size = maker_row_length(&sim->maker, contact_gap_row(sim, d->contact[k]));
    if (v * v > -2 * acceleration_of(d, k) * sim_least_height(sim) * size) continue;
    d->caught[k] = !sim->struck || d->e[k] == 0;
    d->e[k] = 0;
    found = 1;
  }
  return found;
}

/* All that touch, but for what sticks in space. */
static sarrus_Status let_go(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  d->axes = 1;
  for (int k = 0; k < d->count; k++) {
    ContactState *state = &sim->contacts[d->contact[k]];
    state->now = (ContactMode){.mode = SARRUS_OPEN};
    state->held = d->held[k];
  }
  SARRUS_TRY(contact_stand(sim));
  contact_find_responses(sim);
  if (contact_frees_guided(sim)) return let_go(sim);
  int freed = 0;
  SARRUS_TRY(contact_frees_led(sim, &freed));
  return freed ? let_go(sim) : contact_look_ahead(sim);
}

/*
** Where more contacts touch than forces are determined by, as four corners of a box do, the
** decision leaves some idle.  They share the load as redundant constraints do, if that presses all
** of them, and if nothing slips.
*/
static int join_idle(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  int found = 0;
  for (int k = 0; k < d->count; k++) {
    const ContactMode *mode = &sim->contacts[d->contact[k]].now;
    const int idle = contact_is_idle(sim, k), row = d->count + k;
    const int moves = fabs(d->speed[row]) > d->noise[row] || d->leads[row] != 0;
    const int slips = mode->mode == SARRUS_SLIP || (idle && moves);
    if (sim->system->contacts[d->contact[k]].slips > 0 && slips) return 0;
    found += idle;
  }
  for (int k = 0; k < d->count && found > 0; k++) {
    const Contact *contact = &sim->system->contacts[d->contact[k]];
    if (!contact_is_idle(sim, k)) continue;
    sim->contacts[d->contact[k]].now =
        (ContactMode){.mode = contact->slips > 0 ? SARRUS_STICK : SARRUS_SLIP};
  }
  return found;
}

static void part_idle(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++)
    if (contact_is_idle(sim, k))
      sim->contacts[d->contact[k]].now = (ContactMode){.mode = SARRUS_OPEN, .idle = 1};
}

/* Friction that is this near to its bound would not hold for long. */
static const double HOLDS = 0.9;

/* The same of a contact that is pressed by this part of what presses others. */
static const double PRESSES = 1e-6;

/* What presses a closed contact; friction without a gap is as of a force of 1. */
static double pressed_by(const sarrus_Sim *sim, int k) {
  const int row = contact_gap_row(sim, sim->decision.contact[k]);
  return row == SARRUS_NONE ? 1 : -*expansion_at(sim->maker.expansion, 0, row);
}

static double largest_pressed(const sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  double largest = 0;
  for (int k = 0; k < d->count; k++)
    if (sim->contacts[d->contact[k]].now.mode != SARRUS_OPEN && d->least[k] == 0)
      largest = fmax(largest, pressed_by(sim, k));
  return largest;
}

/*
** Whether all closed contacts are pressed, and friction holds what sticks: up to this part of its
** bound, and, if that is not 1, for a while.
*/
static int is_pressed(const sarrus_Sim *sim, double part) {
  const Decision *d = &sim->decision;
  const sarrus_Expansion *expansion = sim->maker.expansion;
  const double least = part < 1 ? PRESSES * largest_pressed(sim) : 0;
  for (int k = 0; k < d->count; k++) {
    const int i = d->contact[k], row = contact_gap_row(sim, i);
    const ContactMode *mode = &sim->contacts[i].now;
    if (mode->mode == SARRUS_OPEN) continue;
    const double pressed = pressed_by(sim, k);
    double square = 0;
    for (int r = 0; r < 2 && mode->mode == SARRUS_STICK && !mode->tied; r++) {
      const int slip = contact_slip_row(sim, i, r);
      const double force = slip == SARRUS_NONE ? 0 : *expansion_at(expansion, 0, slip);
      square += force * force;
    }
    const double held = contact_hold_of(sim, k) * pressed;
    const double bound = row == SARRUS_NONE ? held : part * held;
    if (!(pressed > 0) || square > bound * bound) return 0;
    if (d->least[k] == 0 && pressed <= least) return 0;
  }
  return 1;
}

/*
** What bounces no more is as far away as its last bounce was high.  Where others that stick leave
** it no motion it stays so, up to this part of its length.
*/
static const double LEFT_OPEN = 1e-10;

/* Whether no contact has a row that is on. */
static int all_stay_open(const sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count; i++) {
    const sarrus_ContactMode mode = sim->contacts[i].now.mode;
    const int alone = sim->system->contacts[i].gap == SARRUS_NONE;
    if (mode != SARRUS_OPEN && !(alone && mode == SARRUS_SLIP)) return 0;
  }
  return 1;
}

/* Positions and velocities on what is closed; where all stay open they are on all that is on. */
static sarrus_Status close_contacts(sarrus_Sim *sim) {
  Maker *maker = &sim->maker;
  Correction moved;
  sim_apply_modes(sim);
  if (all_stay_open(sim) && contact_stands(sim)) return SARRUS_OK;
  const sarrus_Status status = maker_close(maker, &maker->to, 1);
  if (status != SARRUS_INCONSISTENT || !maker_is_left_open(maker, LEFT_OPEN)) SARRUS_TRY(status);
  return maker_project(maker, &maker->to, &moved);
}

/* Friction below this part of its bound is none. */
static const double NO_FRICTION = 1e-9;

/* Whether a contact of the plane sticks by a row of its own. */
static int is_stuck(const sarrus_Sim *sim, int k) {
  const int i = sim->decision.contact[k];
  const ContactMode *mode = &sim->contacts[i].now;
  return mode->mode == SARRUS_STICK && !mode->tied && sim->system->contacts[i].slips == 1;
}

/* Held by others, with all friction that there is, against the direction in which that acts. */
static ContactMode tied_to(const sarrus_Sim *sim, int k, double friction) {
  ContactMode mode = {.mode = SARRUS_STICK, .tied = 1};
  const int falls = contact_static_of(sim, k) > sim->decision.sliding[k];
  mode.direction[falls] = friction > 0 ? -1 : 1;
  return mode;
}

/*
** Sticking, but without friction, or with all that there is: then it need not be held.  *loose is
** the mode that says so: slip without friction, or tied.
*/
static int is_loose(const sarrus_Sim *sim, int k, ContactMode *loose) {
  const Decision *d = &sim->decision;
  const double friction = d->force[d->count + k], bound = d->mu[k] * d->force[k];
  const int none = fabs(friction) <= NO_FRICTION * bound;
  if (!none && fabs(friction) < (1 - NO_FRICTION) * bound) return 0;
  *loose = none ? (ContactMode){.mode = SARRUS_SLIP} : tied_to(sim, k, friction);
  return 1;
}

/* The same of what takes more friction than there is, as forces stand now. */
static int is_beyond(const sarrus_Sim *sim, int k, ContactMode *loose) {
  const int i = sim->decision.contact[k], row = contact_gap_row(sim, i);
  const sarrus_Expansion *expansion = sim->maker.expansion;
  const double friction = -*expansion_at(expansion, 0, contact_slip_row(sim, i, 0));
  const double pressed = row == SARRUS_NONE ? 1 : -*expansion_at(expansion, 0, row);
  if (!(pressed > 0) || fabs(friction) <= contact_hold_of(sim, k) * pressed) return 0;
  *loose = tied_to(sim, k, friction);
  return 1;
}

/* A mode that makes the forces less ambiguous is kept. */
static sarrus_Status try_loose(sarrus_Sim *sim, int k, const ContactMode *loose) {
  const Kkt *kkt = sim->maker.expansion->kkt;
  const int before = kkt->dependent_count;
  ContactMode *mode = &sim->contacts[sim->decision.contact[k]].now;
  *mode = *loose;
  SARRUS_TRY(close_contacts(sim));
  if (kkt->dependent_count < before) return SARRUS_OK;
  *mode = (ContactMode){.mode = SARRUS_STICK};
  return close_contacts(sim);
}

/*
** What is wedged between others can be held in many ways, of which the shortest forces may be none:
** they pull, or take more friction than there is.  The decision has found one that is, with as few
** forces as do: contacts that stick there without friction, or at their bound, are loosened one
** after the other, as long as that makes the forces less ambiguous.  (Of two that depend on each
** other it may have found any share.)  Then so is what is beyond its bound all the same.
*/
static sarrus_Status loosen(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  const Kkt *kkt = sim->maker.expansion->kkt;
  int (*const loosens[])(const sarrus_Sim *sim, int k, ContactMode *loose) = {is_loose, is_beyond};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < d->count && kkt->dependent_count > 0 && !is_pressed(sim, 1); k++) {
      ContactMode loose;
      if (is_stuck(sim, k) && loosens[i](sim, k, &loose)) SARRUS_TRY(try_loose(sim, k, &loose));
    }
  return SARRUS_OK;
}

/* What closing has pushed down though it was about to leave; answers how many. */
static int find_pushed(sarrus_Sim *sim, int *pushed) {
  const Decision *d = &sim->decision;
  int count = 0;
  for (int k = 0; k < d->count; k++) {
    const int row = contact_gap_row(sim, d->contact[k]);
    const int open = row != SARRUS_NONE && sim->contacts[d->contact[k]].now.mode == SARRUS_OPEN;
    pushed[k] = open && !contact_is_out(sim, k) && sim->rates[row] < -d->noise[k];
    count += pushed[k];
  }
  return count;
}

static sarrus_Status turn_pushed(sarrus_Sim *sim, const int *pushed, sarrus_ContactMode mode) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++)
    if (pushed[k]) sim->contacts[d->contact[k]].now = (ContactMode){.mode = mode};
  return close_contacts(sim);
}

/*
** To close what bounces no more moves its neighbours a little: one of them that was about to leave,
** from rest, may be pushed down.  It is closed as well, which takes that speed away, and let go.
*/
static sarrus_Status close_pushed(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  Maker *maker = &sim->maker;
  int caught = 0, *pushed = d->part.taken;
  for (int k = 0; k < d->count; k++)
    caught |= d->caught[k];
  if (!caught) return SARRUS_OK;
  SARRUS_TRY(maker_prepare_rates(maker, &maker->to, sim->rates));
  if (find_pushed(sim, pushed) == 0) return SARRUS_OK;
  SARRUS_TRY(turn_pushed(sim, pushed, SARRUS_SLIP));
  return turn_pushed(sim, pushed, SARRUS_OPEN);
}

/*
** After an impact in space slips have other directions, and some have come to rest: what is left of
** speeds is rounding of those before, however slow all is now.
*/
static sarrus_Status turn_slips(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  if (!d->spatial) return SARRUS_OK;
  contact_find_directions(sim, AFTER_IMPACT);
  SARRUS_TRY(let_go(sim));
  memcpy(d->right, d->noise, 2 * (size_t)d->count * sizeof *d->noise);
  contact_find_speeds(sim);
  for (int k = 0; k < 2 * d->count; k++)
    d->noise[k] = fmax(d->noise[k], d->right[k]);
  return SARRUS_OK;
}

/* Impacts and forces, and the modes that go with them. */
static sarrus_Status try_modes(sarrus_Sim *sim, const double *v) {
  Maker *maker = &sim->maker;
  const size_t bytes = (size_t)maker->n * sizeof(double);
  for (;;) {
    memcpy(maker->to.v, v, bytes);
    SARRUS_TRY(let_go(sim));
    contact_find_speeds(sim);
    SARRUS_TRY(contact_bounce(sim));
    if (sim->struck) SARRUS_TRY(turn_slips(sim));
    SARRUS_TRY(contact_find_forces(sim));
    const int again = ends_bouncing(sim), freed = contact_frees_held(sim);
    if (!again && !freed) break;
    if (again) memset(sim->decision.freed, 0, (size_t)sim->decision.count * sizeof(int));
    if (!sim->struck) continue;
    memcpy(maker->to.v, v, bytes); /* an impact is found from the slip before it */
    SARRUS_TRY(maker_place(maker, &maker->to));
    contact_find_directions(sim, ONCE_MORE);
  }
  contact_set_modes(sim);
  SARRUS_TRY(contact_relieve_lifted(sim));
  return contact_settle_slips(sim);
}

/*
** In space a load is shared by all that can carry some of it.  Where no directions are found in
** which all of these begin to slip, as few carry it as do.
*/
static sarrus_Status find_shared(sarrus_Sim *sim, const double *v) {
  Decision *d = &sim->decision;
  const size_t count = (size_t)d->count;
  memcpy(d->kept_along, d->along, 2 * count * sizeof *d->along);
  memcpy(d->kept_held, d->held, count * sizeof *d->held);
  const sarrus_Status status = try_modes(sim, v);
  if ((status != SARRUS_CONTACT && status != SARRUS_NONFINITE) || !d->shares) return status;
  d->shares = 0;
  for (int k = 0; k < d->count; k++)
    sim->contacts[d->contact[k]].now = sim->contacts[d->contact[k]].kept_slip;
  memcpy(d->along, d->kept_along, 2 * count * sizeof *d->along);
  memcpy(d->held, d->kept_held, count * sizeof *d->held);
  memset(d->freed, 0, count * sizeof *d->freed);
  memset(d->stopped, 0, count * sizeof *d->stopped);
  return try_modes(sim, v);
}

/* The same with the coefficients and bounds that were found last, and closed. */
static sarrus_Status find_modes(sarrus_Sim *sim, const double *v) {
  SARRUS_TRY(find_shared(sim, v));
  const int joined = join_idle(sim);
  const sarrus_Status status = close_contacts(sim);
  if (!joined) SARRUS_TRY(status);
  if (status >= 0) SARRUS_TRY(contact_share_load(sim));
  if (status >= 0 && joined && is_pressed(sim, HOLDS)) return close_pushed(sim);
  if (joined) {
    part_idle(sim);
    SARRUS_TRY(close_contacts(sim));
    SARRUS_TRY(contact_share_load(sim));
  }
  SARRUS_TRY(loosen(sim));
  return close_pushed(sim);
}

/*
** How often bounds that depend on forces are found anew; and when they are good enough to tell
** modes.  Bounds that sticking and slip disagree about alternate: after some turns, what is
** consistent in itself is taken.
*/
enum { MOST_BOUNDS = 50, ENOUGH_BOUNDS = 4 };
static const double SAME_BOUND = 1e-9;

/*
** Bounds that depend on forces, as those of bearings do, with the forces found: whether they
** differ.
*/
static sarrus_Status renew_bounds(sarrus_Sim *sim, int *differ) {
  const Decision *d = &sim->decision;
  *differ = 0;
  if (!contact_bounds_depend(sim)) return SARRUS_OK;
  double *sliding = d->right, *still = d->right + d->count;
  for (int k = 0; k < d->count; k++) {
    sliding[k] = d->sliding[k];
    still[k] = contact_static_of(sim, k);
  }
  SARRUS_TRY(contact_find_loads(sim));
  SARRUS_TRY(contact_find_laws(sim));
  for (int k = 0; k < d->count; k++) {
    if (d->least[k] == 0) continue;
    *differ |= fabs(d->sliding[k] - sliding[k]) > SAME_BOUND * d->sliding[k];
    *differ |= fabs(contact_static_of(sim, k) - still[k]) > SAME_BOUND * still[k];
  }
  return SARRUS_OK;
}

/*
** Whether all of it is right as it stands: what sticks is held by its own bound, what begins to
** slip goes on, what is open and rests leaves.
*/
static int is_consistent(const sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++) {
    const int i = d->contact[k], row = d->count + k;
    const ContactMode *mode = &sim->contacts[i].now;
    const sarrus_Expansion *expansion = sim->maker.expansion;
    if (mode->mode == SARRUS_OPEN && !mode->idle && !contact_is_out(sim, k) &&
        expansion_row_acceleration(expansion, contact_gap_row(sim, i)) < 0)
      return 0;
    if (mode->mode != SARRUS_SLIP || sim->system->contacts[i].slips != 1) continue;
    if (fabs(d->speed[row]) > d->noise[row]) continue;
    const double begins = expansion_row_acceleration(expansion, contact_slip_row(sim, i, 0));
    if (mode->direction[0] * begins < 0) return 0;
  }
  return is_pressed(sim, 1);
}

/* What has bounced comes back 2 v / |a| later, if nothing else happens before. */
static void foresee_impact(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  double first = (double)INFINITY;
  for (int k = 0; k < d->count && sim->struck; k++) {
    const double a = acceleration_of(d, k), v = d->speed[k];
    if (d->least[k] > 0 || sim->contacts[d->contact[k]].now.mode != SARRUS_OPEN) continue;
    if (a < 0 && v > d->noise[k]) first = fmin(first, -2 * v / a);
  }
  sim->maker.foreseen = isfinite(first) ? first : 0;
}

static sarrus_Status decide(sarrus_Sim *sim) {
  double *v = sim->sight.v;
  int differ = 1;
  sim->decision.ambiguous = sim->maker.expansion->kkt->dependent_count > 0;
  SARRUS_TRY(contact_gather(sim));
  contact_find_directions(sim, FIRST_TIME);
  SARRUS_TRY(contact_find_loads(sim));
  SARRUS_TRY(contact_find_laws(sim));
  memcpy(v, sim->maker.to.v, (size_t)sim->maker.n * sizeof *v);
  for (int i = 0; differ && i < MOST_BOUNDS; i++) {
    SARRUS_TRY(find_modes(sim, v));
    SARRUS_TRY(renew_bounds(sim, &differ));
    if (differ && i >= ENOUGH_BOUNDS) differ = !is_consistent(sim);
  }
  if (differ) return contact_bad_contact(sim, sim->decision.contact[0], 0);
  foresee_impact(sim);
  return SARRUS_OK;
}

/* Backwards, what sticks might have begun to at any time. */
static sarrus_Status check_past(sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count && sim->maker.direction < 0; i++)
    if (sim->contacts[i].now.mode == SARRUS_STICK) return contact_has_no_past(sim, i);
  return SARRUS_OK;
}

/* Endings are told per switch of the form, then per contact. */
static sarrus_Status take_whole(sarrus_Sim *sim) {
  const int lean = sim->maker.system->arguments.switches, all = sim->system->arguments.switches;
  const int contacts = sim->system->contact_count;
  if (sim->form != LEAN) return SARRUS_OK;
  memmove(sim->endings + all, sim->endings + lean, (size_t)contacts * sizeof *sim->endings);
  return sim_take_form(sim, sim_whole_form(sim));
}

sarrus_Status sim_decide(sarrus_Sim *sim) {
  sim->struck = sim->far = 0;
  sim->maker.foreseen = 0;
  SARRUS_TRY(take_whole(sim));
  const sarrus_Status status = decide(sim);
  sim_clear_endings(sim);
  const int open = status == SARRUS_INCONSISTENT || status == SARRUS_SINGULAR ||
                   (status == SARRUS_NONFINITE && sim->decision.shares);
  if (open && sim->decision.count > 0) /* what touches cannot be closed together */
    return contact_bad_contact(sim, sim->decision.contact[0], 0);
  return status < 0 ? status : check_past(sim);
}
