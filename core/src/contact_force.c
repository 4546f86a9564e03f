/*
** Impacts, where something approaches (impact.h); and the complementarity problem of accelerations
** (lcp.h), which tells who is pressed and who sticks.  A contact whose mode has just ended is not
** asked again: it lifts, or slips, or may stick.
*/
#include <math.h>
#include <string.h>

#include "contact.h"

/* What is closed, or grazes, may seem to approach by rounding. */
static int approaches(const sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  int found = 0;
  for (int k = 0; k < d->count; k++)
    found |= d->speed[k] < -d->noise[k];
  return found;
}

/* Velocities change by what impulses along all rows do. */
static void strike(sarrus_Sim *sim, const double *impulse) {
  const Decision *d = &sim->decision;
  Maker *maker = &sim->maker;
  double *x = maker->expansion->rhs;
  memset(x, 0, (size_t)maker->variables * sizeof *x);
  for (int k = 0; k < contact_row_count(d); k++)
    contact_push(sim, k, maker->direction * impulse[k], x);
  kkt_solve_motion(maker->expansion->kkt, x);
  for (int j = 0; j < maker->n; j++)
    maker->to.v[j] += x[j];
}

static void note_impulses(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  const double *normal = d->force, *along = normal + d->count;
  const double *across = d->axes == 2 ? along + d->count : NULL;
  for (int k = 0; k < d->count; k++) {
    ContactState *state = &sim->contacts[d->contact[k]];
    const double *direction = &d->along[2 * k], other = across == NULL ? 0 : across[k];
    const int none = normal[k] == 0 && along[k] == 0 && other == 0;
    if (none && !sim->struck) continue; /* of an impact that is found anew, what was told goes */
    state->struck.impulse[0] = normal[k];
    state->struck.impulse[1] = along[k] * direction[0] - other * direction[1];
    state->struck.impulse[2] = along[k] * direction[1] + other * direction[0];
    state->struck.at = sim->maker.to.t;
  }
}

/* Backwards, only impacts that lose nothing can be told. */
static sarrus_Status check_elastic(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count && sim->maker.direction < 0; k++)
    if (d->force[k] > 0 && (d->e[k] < 1 || d->sliding[k] > 0))
      return contact_has_no_past(sim, d->contact[k]);
  return SARRUS_OK;
}

/*
** Directions of what rests in space: those in which normal impulses make it slip, where they do, so
** that what is guided goes along.  Whether there are such.
*/
static int direct_resting(Decision *d, const double *W) {
  const int n = d->count, rows = contact_row_count(d);
  int found = 0;
  for (int k = 0; k < n; k++) {
    const double *gap = W + (ptrdiff_t)k * rows;
    const double one = gap[n + k], two = gap[2 * n + k], size = hypot(one, two);
    if (!d->held[k] && !d->freed[k]) continue;
    if (!(size * size >
          CONTACT_FIXED * gap[k] * (W[(n + k) * (rows + 1)] + W[(2 * n + k) * (rows + 1)])))
      continue;
    d->along[2 * k] = one / size;
    d->along[2 * k + 1] = two / size;
    found = 1;
  }
  return found;
}

/* For impacts in space nothing is held, and slips have two directions. */
static sarrus_Status spread(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  if (!d->spatial) return SARRUS_OK;
  for (int k = 0; k < d->count; k++) {
    sim->contacts[d->contact[k]].held = 0;
    if (!d->held[k]) continue;
    d->along[2 * k] = 1;
    d->along[2 * k + 1] = 0;
  }
  SARRUS_TRY(contact_stand(sim));
  d->axes = 2;
  contact_find_responses(sim);
  if (direct_resting(d, d->W)) contact_find_responses(sim);
  contact_find_speeds(sim);
  return SARRUS_OK;
}

/* Where something approaches: velocities after the impact, and speeds along the rows. */
sarrus_Status contact_bounce(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  if (!approaches(sim)) return SARRUS_OK;
  SARRUS_TRY(spread(sim));
  contact_find_guided(sim);
  SARRUS_TRY(contact_solve_impact(sim));
  SARRUS_TRY(check_elastic(sim));
  SARRUS_TRY(contact_follow_impact(sim));
  strike(sim, d->force);
  note_impulses(sim);
  memcpy(d->speed, d->rate, (size_t)(2 * d->count) * sizeof *d->speed);
  d->axes = 1;
  sim->struck = 1;
  return maker_prepare(&sim->maker, &sim->maker.to);
}

/* Of responses, less than this part of them is rounding. */
static const double SAME_MOTION = 1e-12;

/* Accelerations of a gap below this part of what forces would make there are rounding. */
static const double NO_ACCELERATION = 1e-13;

/*
** The force of a contact came to 0 at this instant, and its acceleration is 0 still: where two at
** one place lift, each would be pressed again by rounding when the other does.
*/
static int stays_lifted(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int contact = d->contact[k];
  if (!sim->contacts[contact].lifted) return 0;
  const double held = contact_speed_held(sim, contact_gap_row(sim, contact));
  return fabs(d->b[k]) * contact_step_time(sim) <= NO_ACCELERATION * held;
}

/* Whether forces along two rows of W do the same. */
static int do_the_same(const Decision *d, int one, int other) {
  const int rows = 2 * d->count;
  const double own = d->W[one * (rows + 1)] * d->W[other * (rows + 1)];
  return own > 0 && d->W[one * rows + other] >= (1 - SAME_MOTION) * sqrt(own);
}

/* The force of a contact has just come to 0, or of one whose gap moves as its own does. */
static int has_lifted(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int ending = contact_ending_of(sim, d->contact[k]);
  if (ending != ENDS_NOT) return ending == ENDS_LIFT;
  if (stays_lifted(sim, k)) return 1;
  for (int j = 0; j < d->count; j++)
    if (contact_ending_of(sim, d->contact[j]) == ENDS_LIFT && d->least[j] == 0 &&
        do_the_same(d, k, j))
      return 1;
  return 0;
}

/* A contact that separates, or whose force has just come to 0, takes no part. */
int contact_is_out(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  if (d->least[k] > 0 || d->caught[k]) return 0;
  return d->speed[k] > d->noise[k] || d->leads[k] > 0 || has_lifted(sim, k);
}

static void leave_out(Decision *d, int k) {
  const int rows = 2 * d->count, own[2] = {k, d->count + k};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < rows; j++)
      d->matrix[own[i] * rows + j] = d->matrix[j * rows + own[i]] = 0;
  d->matrix[k * rows + k] = d->right[k] = 1;
  d->right[d->count + k] = 0;
  d->mu[k] = 0;
  d->slip[k] = 0;
}

/* What joints hold where it is rests idly: its response and its acceleration are rounding. */
static int is_immovable(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  return d->least[k] == 0 && !d->fixed[k] && d->leads[k] == 0 && !contact_moves(sim, k);
}

/*
** In space what others hold keeps what it touches beside it from slipping, too: of its slip nothing
** but rounding is left, which no friction answers.
*/
static void leave_unslipping(sarrus_Sim *sim, int k) {
  Decision *d = &sim->decision;
  const int rows = 2 * d->count, row = d->count + k;
  if (sim->system->contacts[d->contact[k]].slips < 2 || d->held[k] || d->leads[row] != 0) return;
  if (contact_moves(sim, row) || fabs(d->speed[row]) > d->noise[row]) return;
  for (int j = 0; j < rows; j++)
    d->matrix[row * rows + j] = d->matrix[j * rows + row] = 0;
  d->right[row] = 0;
}

/* Where a slip has come to zero, it is zero up to so many times its noise. */
static const double STOPPED = 1e5;

static int is_at_bound(int ending) { return ending == ENDS_PLUS || ending == ENDS_MINUS; }

double contact_static_of(const sarrus_Sim *sim, int k) {
  return contact_extra(sim, sim->maker.system->arguments.contact[sim->decision.contact[k]].still);
}

/*
** In the plane, where friction falls as slip begins: whether what rests can be held is asked of all
** together, since one of several that hold a body is at its bound before the others are.
*/
static int falls(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  return sim->system->contacts[d->contact[k]].slips == 1 &&
         contact_static_of(sim, k) > d->sliding[k];
}

/*
** Why the mode of a contact ends; in the plane, of one that rests idly at the place of another, as
** where rods are hinged to each other, whether that has come to its bound: this holds no more.
*/
static int slip_ending_of(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int ending = contact_ending_of(sim, d->contact[k]), n = d->count;
  if (ending != ENDS_NOT || sim->system->contacts[d->contact[k]].slips != 1 || d->least[k] > 0 ||
      sim->contacts[d->contact[k]].kept_slip.mode != SARRUS_OPEN)
    return ending;
  for (int j = 0; j < n; j++) {
    const int other = contact_ending_of(sim, d->contact[j]);
    if (is_at_bound(other) && contact_static_of(sim, k) <= contact_static_of(sim, j) &&
        do_the_same(d, k, j) && do_the_same(d, n + k, n + j))
      return other;
  }
  return ending;
}

/*
** The direction in which a contact slips already, or is about to, or is pushed to up to its bound
** though others hold it; 0: it may stick.
*/
static int slip_of(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int ending = slip_ending_of(sim, k);
  const ContactMode *was = &sim->contacts[d->contact[k]].kept_slip;
  const double v = d->speed[d->count + k], noise = d->noise[d->count + k];
  const int begins = is_at_bound(ending);
  if (begins && falls(sim, k)) return 0;
  if (begins && sim->system->contacts[d->contact[k]].slips == 2) return 1;
  if (begins) return ending == ENDS_MINUS ? 1 : -1;
  if (d->held[k]) return 0;
  if (fabs(v) > (ending == ENDS_STOP ? STOPPED : 1) * noise) return v > 0 ? 1 : -1;
  if (d->leads[d->count + k] != 0) return d->leads[d->count + k] > 0 ? 1 : -1;
  if (ending != ENDS_NOT || was->direction[0] == 0 || (was->tied && falls(sim, k))) return 0;
  return was->direction[0] > 0 ? 1 : -1;
}

/* The acceleration that friction alone causes. */
double contact_friction_acceleration(const Decision *d, int k) {
  const int row = d->count + k;
  return fabs(d->W[row * 2 * d->count + row] * d->sliding[k] * d->force[k]);
}

/*
** Where a bound has just been reached, what all can hold but for this part of it is not held.  So
** much less is what each holds where friction falls, however small a part of all that is, but for
** MOST_VERGE of its own.
*/
static const double VERGE = 1e-8, MOST_VERGE = 0.5;

/* What joints hold along row k, by what that contact holds there itself. */
static double all_that_holds(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int row = d->count + k;
  const double *W = d->W + row * 2 * d->count + d->count;
  const double own = fabs(W[k]) * contact_static_of(sim, k);
  double sum = 0;
  for (int j = 0; j < d->count; j++)
    if (d->least[j] > 0) sum += fabs(W[j]) * contact_static_of(sim, j);
  return sum > own ? sum / own : 1;
}

/* What holds a contact that rests. */
double contact_hold_of(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const double still = contact_static_of(sim, k);
  if (!d->verge || !falls(sim, k)) return still;
  return still * (1 - fmin(VERGE * all_that_holds(sim, k), MOST_VERGE));
}

/*
** An acceleration of slip that is no more than this part of what friction does there, or rounding
** of it.  It is that of all contacts that have to do with it: joints may leave a contact hardly any
** of the motion, as next to a dead centre, where its own friction does next to nothing, and others'
** rounding more.  Other mechanisms, whose responses are exactly 0, have no part in it, however
** large their forces are.
*/
static int is_part_of_friction(const sarrus_Sim *sim, int k, double part) {
  const Decision *d = &sim->decision;
  const int row = d->count + k;
  const double own = contact_free_response(sim, row), rate = fabs(d->rate[row]);
  double sum = 0;
  for (int j = d->count; j < 2 * d->count && rate > sum; j++) {
    const double response = fabs(d->W[row * 2 * d->count + j]);
    if (response == 0 && !d->dead[k] && !d->dead[j - d->count]) continue;
    const double rounding = CONTACT_FIXED * sqrt(own * contact_free_response(sim, j));
    sum += fmax(part * response, rounding) * fabs(d->force[j]);
  }
  return rate <= sum;
}

/* Accelerations below this part of what friction does are none: far below VERGE. */
static const double NO_MOTION = 1e-10;

/* At its bound, which holds it: it was not to slip, and does not begin to. */
static int just_holds(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  return d->slip[k] == 0 && d->mu[k] != d->sliding[k] && is_part_of_friction(sim, k, NO_MOTION);
}

static int is_on_verge(const sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  int found = 0;
  for (int k = 0; k < d->count; k++)
    found |= is_at_bound(contact_ending_of(sim, d->contact[k]));
  return found;
}

/* Accelerations against slip that are more than this part of it push back. */
static const double PUSHED_BACK = 1e-9;

/*
** What friction at rest does not hold slips with the other coefficient; and what was to slip, but
** would be pushed back, may stick.  Whether there is such.
*/
static int changes_slip(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const FrictionMode mode = d->mode[k];
  const int slips = mode == FRICTION_SLIP_PLUS ? 1 : mode == FRICTION_SLIP_MINUS ? -1 : 0;
  const int ending = contact_ending_of(sim, d->contact[k]);
  if (slips == 0 || d->mu[k] == 0 || just_holds(sim, k)) return 0;
  if (d->slip[k] == 0 && d->mu[k] != d->sliding[k]) {
    d->slip[k] = slips;
    d->mu[k] = d->sliding[k];
    return 1;
  }
  const double noise = d->noise[d->count + k];
  const int rests = fabs(d->speed[d->count + k]) <= noise || is_at_bound(ending);
  if (d->leads[d->count + k] != 0 || !rests || d->slip[k] == 0 ||
      d->slip[k] * d->rate[d->count + k] >= 0)
    return 0;
  if (is_part_of_friction(sim, k, PUSHED_BACK)) return 0;
  d->slip[k] = 0;
  d->mu[k] = contact_hold_of(sim, k);
  return 1;
}

/* Contacts at rest hold up to the static bound; those that it does not hold slip with the other. */
sarrus_Status contact_find_forces(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  contact_find_accelerations(sim);
  memcpy(d->matrix, d->W, (size_t)(4 * d->count * d->count) * sizeof *d->W);
  memcpy(d->right, d->b, (size_t)(2 * d->count) * sizeof *d->b);
  d->verge = is_on_verge(sim);
  for (int k = 0; k < d->count; k++) {
    d->slip[k] = slip_of(sim, k);
    d->met[k] = d->least[k] == 0 && sim->contacts[d->contact[k]].kept_slip.mode == SARRUS_OPEN;
    d->mu[k] = d->held[k] || d->stopped[k] ? 0
               : d->slip[k] == 0           ? contact_hold_of(sim, k)
                                           : d->sliding[k];
    const int out = contact_is_out(sim, k), rests = !out && is_immovable(sim, k);
    if (out || rests)
      leave_out(d, k);
    else
      leave_unslipping(sim, k);
    if (rests) d->right[k] = 0;
  }
  for (int pass = 0; pass <= d->count; pass++) {
    int more = 0;
    SARRUS_TRY(contact_solve_forces(sim));
    for (int k = 0; k < d->count; k++)
      more |= changes_slip(sim, k);
    if (!more) break;
  }
  contact_determine(sim);
  return SARRUS_OK;
}

/*
** Open, but at rest where it touches: others carry the load, and within a usual step it would leave
** by no more than the tolerance.
*/
int contact_is_idle(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const Maker *maker = &sim->maker;
  if (d->mode[k] != FRICTION_OPEN || contact_is_out(sim, k)) return 0;
  const double size = maker_row_length(maker, contact_gap_row(sim, d->contact[k]));
  const double time = maker->natural > 0 ? maker->natural : maker->expansion->work->unit;
  return d->tie[k] || d->rate[k] * time * time <= 2 * maker->options.tolerance * size;
}

/* Friction of a joint that is locked: it sticks, but the lock is what holds it. */
static int is_locked(const Decision *d, int k) { return d->least[k] > 0 && d->fixed[d->count + k]; }

static void set_planar_mode(const sarrus_Sim *sim, int k, ContactMode *mode) {
  const Decision *d = &sim->decision;
  if (is_locked(d, k)) {
    mode->mode = SARRUS_STICK;
    mode->tied = 1;
    return;
  }
  const FrictionMode found =
      d->mode[k] != FRICTION_OPEN && just_holds(sim, k) ? FRICTION_STICK : d->mode[k];
  mode->mode = found == FRICTION_OPEN    ? SARRUS_OPEN
               : found == FRICTION_STICK ? SARRUS_STICK
                                         : SARRUS_SLIP;
  mode->direction[0] = mode->mode != SARRUS_SLIP || d->mu[k] == 0 ? 0
                       : found == FRICTION_SLIP_PLUS              ? 1
                                                                  : -1;
  const int row = d->count + k;
  const int rests = fabs(d->speed[row]) <= d->noise[row];
  if (mode->mode == SARRUS_SLIP && d->slip[k] != 0 && rests && d->sliding[k] > 0 &&
      is_part_of_friction(sim, k, PUSHED_BACK)) {
    mode->mode = SARRUS_STICK; /* others hold it */
    mode->tied = 1;
  }
}

/*
** What is at a dead centre slips as soon as something else does: in which direction is not told by
** accelerations, but by the series that follow.  They end at once where it is the wrong one.
*/
static void move_dead(const sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  int moves = 0;
  for (int k = 0; k < d->count; k++)
    moves |= sim->contacts[d->contact[k]].now.mode == SARRUS_SLIP;
  for (int k = 0; k < d->count && moves; k++) {
    ContactState *state = &sim->contacts[d->contact[k]];
    if (!d->dead[k] || state->now.mode != SARRUS_STICK) continue;
    const int turns = contact_ending_of(sim, d->contact[k]) == ENDS_STOP;
    const double was = state->kept_slip.direction[0] < 0 ? -1 : 1;
    state->now = (ContactMode){.mode = SARRUS_SLIP, .direction = {turns ? -was : was, 0}};
  }
}

void contact_set_modes(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++) {
    const int i = d->contact[k];
    ContactState *state = &sim->contacts[i];
    state->held = 0;
    if (sim->system->contacts[i].slips == 2) {
      state->now = state->kept_slip;
      contact_set_spatial_mode(sim, k, &state->now);
    } else {
      state->now = (ContactMode){0};
      set_planar_mode(sim, k, &state->now);
    }
    state->now.idle = contact_is_idle(sim, k);
  }
  for (int k = 0; k < d->count; k++) {
    ContactMode *mode = &sim->contacts[d->contact[k]].now;
    if (!mode->tied || d->stopped[k] || is_locked(d, k) || contact_is_held(sim, k)) continue;
    const double direction = /* all of them begin to slip */
        mode->direction[0] + mode->direction[1] > 0 ? 1 : -1;
    *mode = (ContactMode){.mode = SARRUS_SLIP, .direction = {direction, 0}};
  }
  move_dead(sim);
}
