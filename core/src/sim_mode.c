/*
** Modes: the branch that a piecewise function is on, whether a contact is open, slips or sticks.
**
** While a mode lasts, its guards are positive: arguments of functions on their side of a threshold,
** the gap of an open contact, the force of a closed one.  A step ends where the first of them
** passes zero; then the next mode is decided, and kept.  A guard that is zero where a step begins,
** up to rounding, must leave zero upwards; where it does not, the mode ends at once.
*/
#include <float.h>
#include <math.h>

#include "contact.h"
#include "roots.h"
#include "sim_parts.h"

enum { MOST_ROOTS = 8, MOST_GUARDS = 3 };

/* factor output + other (the output after it) - level */
typedef struct Guard {
  int output;
  double factor, other;
  double level;
  int ending;  /* of a switch: the branch beyond; of a contact: why it ends */
  double band; /* how far below 0 it may be, since positions are not known better */
  int rests;   /* it stays at zero, and all that is seen of it is noise */
  double deep; /* it may begin so far below 0, where what touches beside it has been closed */
} Guard;

static int switch_count(const sarrus_Sim *sim) { return sim->maker.system->arguments.switches; }

static int element_count(const sarrus_Sim *sim) {
  return switch_count(sim) + sim->system->contact_count;
}

/* --- guards ------------------------------------------------------------------------------ */

/* On both sides of a table's piece, or on the side of 0 where the argument is. */
static int guards_of_switch(const sarrus_Sim *sim, int i, Guard *guards) {
  const Switch *choice = &sim->maker.system->tape->switches[i];
  const int branch = sim->maker.expansion->work->branch[i];
  const int output = sim->maker.system->arguments.output[i];
  int count = 0;
  if (choice->table == SARRUS_NONE) {
    guards[count++] = (Guard){output, branch, 0, 0, -branch, 0, 0, 0};
    return count;
  }
  const Table *table = &sim->maker.system->tape->tables[choice->table];
  if (branch > 0)
    guards[count++] = (Guard){output, 1, 0, table->x[branch - 1], branch - 1, 0, 0, 0};
  if (branch < table->count)
    guards[count++] = (Guard){output, -1, 0, -table->x[branch], branch + 1, 0, 0, 0};
  return count;
}

/*
** The least height of a bounce, relative to sizes.  What it leaves out, speeds of sqrt(2 g height),
** tells joints with friction where to stick: of 200 random mixtures of bounces, limits, joint
** friction and ropes the worst was wrong by 677 times its bound at 1e-10, 50 at 1e-12, 0.61 at
** 1e-13, in no more time.  At 1e-14 it is rounding, and solids no longer come to rest.
*/
static const double LEAST_HEIGHT = 1e-13;

double sim_least_height(const sarrus_Sim *sim) {
  return fmin(sim->maker.options.tolerance, LEAST_HEIGHT);
}

/* As a part of the least height of a bounce: far less, so that every bounce is seen. */
static const double BAND = 1.0 / 32;

/* A gap that is this much below 0 at the end of a step, relative to sizes, has been missed. */
static const double PENETRATES = 1e-9;

static int guards_of_contact(const sarrus_Sim *sim, int i, Guard *guards) {
  const Contact *contact = &sim->system->contacts[i];
  const ContactOutputs *of = &sim->maker.system->arguments.contact[i];
  const ContactState *state = &sim->contacts[i];
  const ContactMode *mode = &state->now;
  int count = 0;
  if (state->released || (sim->far && contact->gap != SARRUS_NONE)) return 0;
  if (mode->mode == SARRUS_OPEN) {
    const double size = maker_row_length(&sim->maker, sim->maker.n + contact->gap);
    const double band =
        (mode->idle ? sim->maker.options.tolerance : BAND * sim_least_height(sim)) * size;
    guards[count++] = (Guard){of->gap, 1, 0, 0, ENDS_TOUCH, band, mode->idle, PENETRATES * size};
    return count;
  }
  if (contact->gap != SARRUS_NONE)
    guards[count++] = (Guard){of->force, 1, 0, 0, ENDS_LIFT, 0, 0, 0};
  const int starts = mode->starts == STARTS || mode->starts == STARTS_SLOWLY;
  if (contact->slips == 0 || (mode->mode == SARRUS_SLIP && starts)) return count;
  if (mode->mode == SARRUS_SLIP) {
    const double slow = mode->free ? SIM_SLOW * mode->fastest : 0;
    guards[count++] = (Guard){of->slip,
                              mode->direction[0],
                              mode->direction[1],
                              slow,
                              mode->free ? ENDS_SLOW : ENDS_STOP,
                              0,
                              0,
                              0};
  } else if (!mode->tied && state->load.after == 0) {
    guards[count++] = (Guard){of->hold, 1, 0, 0, ENDS_PLUS, 0, 0, 0};
    if (contact->slips == 1) guards[count++] = (Guard){of->hold + 1, 1, 0, 0, ENDS_MINUS, 0, 0, 0};
  }
  return count;
}

static int guards_of(const sarrus_Sim *sim, int element, Guard *guards) {
  const int switches = switch_count(sim);
  return element < switches ? guards_of_switch(sim, element, guards)
                            : guards_of_contact(sim, element - switches, guards);
}

static double noise_of(const Search *search, int output) {
  return fmax(search_noise(search, output), search->floor[output]);
}

/* The series of a guard; *noise is how exactly it is known. */
static double *guard_series(const sarrus_Sim *sim, const Guard *guard, double *noise) {
  const Search *search = sim->arguments;
  const double *one = search_output(search, guard->output), *two = one;
  double *c = search->polynomial;
  *noise =
      fabs(guard->factor) * noise_of(search, guard->output) + 4 * DBL_EPSILON * fabs(guard->level);
  if (guard->other != 0) {
    two = search_output(search, guard->output + 1);
    *noise += fabs(guard->other) * noise_of(search, guard->output + 1);
  }
  for (int k = 0; k <= search_order(search); k++)
    c[k] = guard->factor * one[k] + guard->other * two[k];
  c[0] -= guard->level;
  return c;
}

/*
** To close what touches moves its neighbours a little: where one of them begins below 0, as much
** more is no end of it.
*/
static double band_of(const Guard *guard, const double *c) {
  return c[0] < 0 && -c[0] <= guard->deep ? fmax(guard->band, -2 * c[0]) : guard->band;
}

/* Of how deep a gap is, what a step adds to it where it sinks; less may be rounding. */
static const double SINKS = 1e-2;

/*
** Below its band, and going down: a decision leaves nothing so, and step by step it would sink by
** as much as it has.
*/
static int sinks(const Guard *guard, const double *c, double h, double noise) {
  return guard->ending == ENDS_TOUCH && guard->deep > 0 && c[0] < -fmax(guard->band, noise) &&
         c[1] * h < fmin(-noise, SINKS * c[0]);
}

/* Whether a threshold counts at t of the piece: that of atan2(y, x) where x < 0. */
static int counts(const sarrus_Sim *sim, int element, double t) {
  if (element >= switch_count(sim)) return 1;
  const Work *work = sim->maker.expansion->work;
  const ValueStep *step = &work->tape->values[work->tape->switches[element].value];
  const int cut = sim->maker.system->arguments.cut[element];
  if (step->op != SARRUS_OP_ATAN2) return 1;
  if (cut == SARRUS_NONE) return work->value[step->b] < 0;
  double x = 0;
  for (int k = search_order(sim->arguments); k >= 0; k--)
    x = x * t + search_output(sim->arguments, cut)[k];
  return x < 0;
}

/* Nothing can end: there are no switches, and all contacts are far away. */
static int has_no_guards(const sarrus_Sim *sim) {
  if (sim->arguments->tape == NULL) return 1;
  return switch_count(sim) == 0 && sim->far && sim->system->alone == 0;
}

/* --- endings ----------------------------------------------------------------------------- */

void sim_clear_endings(sarrus_Sim *sim) {
  const sarrus_System *system = sim->asleep ? sim->maker.system : sim->system; /* of any form */
  const int all = system->arguments.switches + sim->system->contact_count;
  for (int i = 0; i < all; i++)
    sim->endings[i] = ENDS_NOT;
}

/* Functions of the same argument with the same threshold turn together. */
static void note_ending(sarrus_Sim *sim, int element, const Guard *guard) {
  sim->endings[element] = element < switch_count(sim) ? TURNS + guard->ending : guard->ending;
}

/* Nested functions of arguments are on the branch that they are on in the equations. */
static void follow_branches(sarrus_Sim *sim) {
  const Arguments *arguments = &sim->maker.system->arguments;
  const Work *equations = sim->maker.expansion->work;
  Work *work = sim->arguments->work;
  for (int i = 0; i < arguments->own; i++) {
    work->forced[i] = arguments->twin[i] != SARRUS_NONE;
    if (work->forced[i]) work->branch[i] = equations->branch[arguments->twin[i]];
  }
}

/* Coefficients below this part of what is added up over a step are rounding. */
static const double INSIGNIFICANT = 1e-13;

/* A guard that stands at zero may be on the wrong side by this part of it. */
static const double WRONG_SIDE = 1e-9;

/* A function is entering its branch where it gets there within this part of a step. */
static const double ENTERS = 1e-5;

/* Going down at first, but by no more than the noise: c_1 t + c_2 t^2 >= -c_1^2 / 4 c_2 */
static int rises_again(const double *c, int k, double noise) {
  return k == 1 && c[2] > 0 && c[1] * c[1] <= 4 * c[2] * noise;
}

/*
** A gap that falls by its third derivative or a higher one, but rises by its acceleration at first:
** a decision knows no more than that, and has left it open.  It ends where it is below its noise.
*/
static int falls_later(const Guard *guard, const double *c, int k) {
  return guard->ending == ENDS_TOUCH && guard->deep > 0 && k > 2 && c[2] > 0;
}

/* A guard that stands at zero, within rounding, and leaves it downwards (T43). */
static int ends_at_once(const Guard *guard, const double *c, int order, double h, double noise) {
  const double size = search_size(c, 1, order, h);
  if (c[0] > fmax(noise, 16 * DBL_EPSILON * size)) return 0;
  if (c[0] < -fmax(noise, WRONG_SIDE * size)) return 1;
  double power = 1;
  for (int k = 1; k <= order; k++) {
    const double part = c[k] * (power *= h);
    if (fabs(part) > INSIGNIFICANT * size && fabs(part) > noise)
      return part < 0 && !rises_again(c, k, noise) && !falls_later(guard, c, k);
  }
  return 0;
}

/*
** Slip that falls, and whose series serve for less time than steps can follow: next to its end,
** where what pushes is hardly less than friction, which turns slip back the faster the slower it
** is.  Such slip goes straight on until it stops, however fast it has been: forces may have grown
** since then.
*/
static int turns_too_fast(const sarrus_Sim *sim, const double *one, const double *two) {
  const double time = maker_least_time(&sim->maker) / sim->maker.span.unit;
  const double speed = hypot(one[0], two[0]);
  double power = 1;
  if (sim->maker.direction * (one[0] * one[1] + two[0] * two[1]) >= 0) return 0;
  for (int k = 1; k <= search_order(sim->arguments); k++)
    if (hypot(one[k], two[k]) * (power *= time) > speed) return 1;
  return 0;
}

/* Where friction has the direction of the velocity: which that is. */
static void follow_slips(sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count; i++) {
    ContactMode *mode = &sim->contacts[i].now;
    if (mode->mode != SARRUS_SLIP || !mode->free) continue;
    const int slip = sim->maker.system->arguments.contact[i].slip;
    const double *one = search_output(sim->arguments, slip);
    const double *two = search_output(sim->arguments, slip + 1);
    const double speed = hypot(one[0], two[0]);
    if (speed > 0) {
      mode->direction[0] = one[0] / speed;
      mode->direction[1] = two[0] / speed;
    }
    const double slow = turns_too_fast(sim, one, two) ? 2 * speed / SIM_SLOW : speed;
    mode->fastest = fmax(mode->fastest, slow);
  }
}

/*
** Functions turn one after the other, since they may depend on each other, but those of one
** argument together.
*/
static int turns_with(const sarrus_Sim *sim, int element, int first) {
  const int switches = switch_count(sim), *output = sim->maker.system->arguments.output;
  if (first >= switches) return element >= switches;
  return element < switches && output[element] == output[first];
}

/*
** A function that has been put on a branch at this instant stays there where rounding alone is
** against it: it ends where it falls below its noise.  So it does where it goes there, though it is
** on the wrong side still, by no more than the rounding of its other branch, which may be 1e5 times
** that of this one.  Else it would turn for ever.
*/
static int is_entering(const sarrus_Sim *sim, int element, const double *c, double h,
                       double noise) {
  const int forced =
      element < switch_count(sim) && sim->maker.expansion->work->forced[element] != 0;
  return forced && (fabs(c[0]) <= noise || (c[0] < 0 && -c[0] <= ENTERS * c[1] * h));
}

int sim_find_ended(sarrus_Sim *sim, double h) {
  Search *search = sim->arguments;
  int found = 0, first = SARRUS_NONE, output;
  sim->first_of = 0;
  if (has_no_guards(sim)) return 0;
  sim_clear_endings(sim);
  follow_branches(sim);
  Piece piece = search_begin(search, h);
  if (search_measure(search) < 0) return 0;
  if (search_piece(search, &piece, piece.h, &output) < 0) return 0;
  follow_slips(sim);
  sim_follow_loads(sim, piece.h);
  for (int e = 0; e < element_count(sim); e++) {
    Guard guards[MOST_GUARDS];
    if (first != SARRUS_NONE && !turns_with(sim, e, first)) continue;
    const int count = counts(sim, e, 0) ? guards_of(sim, e, guards) : 0;
    for (int k = 0; k < count; k++) {
      double noise;
      const double *c = guard_series(sim, &guards[k], &noise);
      const double band = fmax(noise, band_of(&guards[k], c));
      if (is_entering(sim, e, c, piece.h, noise)) continue;
      if (!sinks(&guards[k], c, piece.h, noise) &&
          (guards[k].rests || !ends_at_once(&guards[k], c, search_order(search), piece.h, band)))
        continue;
      note_ending(sim, e, &guards[k]);
      found = 1;
      break;
    }
    if (found && first == SARRUS_NONE) first = e;
  }
  sim->first = piece;
  sim->first_of = found ? 0 : h;
  return found;
}

/*
** A guard may begin on the wrong side by rounding or by projection, or still be entering: then it
** must leave zero first.
*/
static double wrong_side(const sarrus_Sim *sim, int element, const double *c, const Piece *piece) {
  if (piece->begin != 0 || c[0] >= 0) return 0;
  const double size = search_size(c, 1, search_order(sim->arguments), piece->h);
  const int begins = -c[0] <= WRONG_SIDE * size || is_entering(sim, element, c, piece->h, 0);
  return begins ? -2 * c[0] : 0;
}

/* Where a polynomial that is positive at first passes zero downwards; 0 where it does not. */
static int first_fall(const sarrus_Sim *sim, int element, const double *c, double noise,
                      const Piece *piece, double *t) {
  const Search *search = sim->arguments;
  Root roots[MOST_ROOTS];
  int side = 1;
  int count = roots_follow(c, search_order(search), 0, piece->h, noise, roots, MOST_ROOTS,
                           search->root_work, &side);
  if (count > MOST_ROOTS) count = MOST_ROOTS;
  for (int k = 0; k < count; k++) {
    if (roots[k].direction >= 0 || !counts(sim, element, roots[k].t)) continue;
    *t = roots[k].t;
    return 1;
  }
  return 0;
}

/*
** Where a guard passes zero in a piece of the span; 0 if it does not.  What begins at zero, and
** falls without ever having risen above its noise, ends where it falls below that: until then it
** may well be nothing but noise.
*/
static int first_end(sarrus_Sim *sim, int element, const Guard *guard, const Piece *piece,
                     double *t) {
  double noise, later;
  double *c = guard_series(sim, guard, &noise);
  noise = fmax(fmax(noise, band_of(guard, c)), wrong_side(sim, element, c, piece));
  if (!first_fall(sim, element, c, noise, piece, t)) return 0;
  if ((*t == 0 || guard->rests) && fabs(c[0]) <= noise) {
    c[0] += noise;
    if (!first_fall(sim, element, c, 0, piece, &later)) return 0;
    *t = later;
  }
  *t += piece->begin;
  return 1;
}

/* Endings that rounding alone tells apart, relative to the step, are at one instant. */
static const double SAME_INSTANT = 1e-12;

/* The first endings in a piece: how many, and when. */
static int endings_in(sarrus_Sim *sim, const Piece *piece, double whole, double *first) {
  int found = 0;
  for (int pass = 0; pass < 2; pass++) { /* when, then which */
    for (int e = 0; e < element_count(sim); e++) {
      Guard guards[MOST_GUARDS];
      const int count = guards_of(sim, e, guards);
      for (int k = 0; k < count; k++) {
        double t;
        if (!first_end(sim, e, &guards[k], piece, &t)) continue;
        if (pass == 0 && (found++ == 0 || fabs(t) < fabs(*first))) *first = t;
        if (pass == 1 && fabs(t - *first) <= SAME_INSTANT * fabs(whole))
          note_ending(sim, e, &guards[k]);
      }
    }
    if (found == 0) break;
  }
  return found;
}

/*
** The part of a step for which the direction of slip that begins is fixed.  It errs by the square
** of this; without an acceleration by its third power, and it is followed by many short steps, in
** which friction turns slip the faster the slower it is.
*/
static const double START = 1e-8, SLOW_START = 1e-4;

/*
** Without an acceleration at first speed grows like t^2: of the time since then, so much may be
** added.
*/
static const double SLOW_GROWTH = 1.0 / 16;

/*
** The time since slip began without an acceleration, by v' and by v'', either of which may be
** rounding: 2 v / v', (2 v / v'')^1/2
*/
static double time_of_slip(const sarrus_Sim *sim, int contact) {
  const int slip = sim->maker.system->arguments.contact[contact].slip;
  const double *one = search_output(sim->arguments, slip);
  const double *two = search_output(sim->arguments, slip + 1);
  const double v = hypot(one[0], two[0]), noise = noise_of(sim->arguments, slip);
  if (!(v > noise)) return 0;
  const double time = fmin(2 * v / hypot(one[1], two[1]), sqrt(v / hypot(one[2], two[2])));
  return time * sim->maker.span.unit;
}

/*
** Contacts that begin to slip do so for next to no time of a step h: how long, or 0 where there are
** none.
*/
static double note_starts(sarrus_Sim *sim, double h) {
  double time = 0;
  for (int i = 0; i < sim->system->contact_count; i++) {
    const ContactMode *mode = &sim->contacts[i].now;
    if (mode->mode != SARRUS_SLIP || !mode->starts) continue;
    sim->endings[switch_count(sim) + i] = ENDS_START;
    const double least = fmax(START * h, maker_least_time(&sim->maker));
    const double slow = fmax(SLOW_START * h, SLOW_GROWTH * time_of_slip(sim, i));
    time = fmax(time, mode->starts == STARTS ? least : fmax(slow, least));
  }
  return fmin(time, h);
}

/* The first endings within h; the first piece may stand since sim_find_ended. */
static Ending search_endings(sarrus_Sim *sim, double h) {
  Search *search = sim->arguments;
  const double unit = sim->maker.span.unit, whole = h / unit;
  int output, stands = sim->first_of == h;
  sim->first_of = 0;
  follow_branches(sim);
  for (Piece piece = stands ? sim->first : search_begin(search, h);; search_next(&piece)) {
    double t = 0;
    const sarrus_Status status = stands ? SARRUS_OK : search_piece(search, &piece, whole, &output);
    stands = 0;
    if (status < 0) {
      work_reset(search->work);
      return (Ending){piece.begin == 0 ? h : unit * piece.begin, 0};
    }
    if (endings_in(sim, &piece, whole, &t)) return (Ending){unit * t, 1};
    if (piece.h == whole - piece.begin) return (Ending){h, 0};
  }
}

/* The first bearing that will be loaded: when, or 0 where there is none. */
static double note_loads(sarrus_Sim *sim) {
  double first = 0;
  int found = SARRUS_NONE;
  for (int i = 0; i < sim->system->contact_count; i++) {
    const double time = sim->contacts[i].load.after;
    if (time == 0 || (found != SARRUS_NONE && time >= first)) continue;
    first = time;
    found = i;
  }
  if (found != SARRUS_NONE) sim->endings[switch_count(sim) + found] = ENDS_LOAD;
  return first;
}

/* What has begun lasts for next to no time of a step h; 0: nothing has. */
static double note_begun(sarrus_Sim *sim, double h) {
  const double load = note_loads(sim), start = note_starts(sim, h);
  return load > 0 && (start == 0 || load < start) ? load : start;
}

Ending sim_first_ending(sarrus_Sim *sim, double h) {
  if (has_no_guards(sim)) return (Ending){h, 0};
  sim_clear_endings(sim);
  const double begun = note_begun(sim, fabs(h));
  sim_clear_endings(sim);
  if (begun == 0) return search_endings(sim, h);
  const Ending ending = search_endings(sim, copysign(begun, h));
  return ending.ends ? ending : (Ending){ending.h, note_begun(sim, fabs(h)) > 0};
}

int sim_penetrates(const sarrus_Sim *sim) {
  const Maker *maker = &sim->maker;
  for (int i = 0; i < sim->system->contact_count && !sim->far; i++) {
    const ContactState *state = &sim->contacts[i];
    if (state->released || state->now.mode != SARRUS_OPEN) continue;
    const int row = maker->n + sim->system->contacts[i].gap;
    const double gap = maker->expansion->work->value[maker->system->tape->output_value[row]];
    const double allowed = fmax(PENETRATES, 2 * maker->options.tolerance);
    if (gap < -allowed * maker_row_length(maker, row)) return 1;
  }
  return 0;
}

/* --- switches ---------------------------------------------------------------------------- */

void sim_turn_switches(sarrus_Sim *sim) {
  Work *work = sim->maker.expansion->work;
  for (int i = 0; i < switch_count(sim); i++) {
    if (sim->endings[i] == ENDS_NOT) continue;
    work->branch[i] = sim->endings[i] - TURNS;
    work->forced[i] = 1;
  }
}

/* A gap that changes at more than this part of the speeds and forces in it does not stay closed. */
static const double PARTS = 1e-9;

/*
** How a gap that has been closed leaves 0, by the series of arguments made last: with a rate (1),
** or from rest (2), if other forces do not keep it closed; 0: it does not.
*/
static int parts(const sarrus_Sim *sim, int contact) {
  const Maker *maker = &sim->maker;
  const ContactState *state = &sim->contacts[contact];
  const int gap = sim->system->contacts[contact].gap, row = maker->n + gap;
  if (gap == SARRUS_NONE || state->released || state->now.mode == SARRUS_OPEN) return 0;
  const double *c = search_output(sim->arguments, maker->system->arguments.contact[contact].gap);
  const double size = expansion_row_size(maker->expansion, row, maker->span.from.v);
  const double noise = contact_speed_noise(sim, row), unit = maker->span.unit;
  if (fabs(c[1]) / unit > fmax(PARTS * size, noise)) return 1;
  const double gained = PARTS * (size + contact_speed_held(sim, row)) + noise;
  return 2 * fabs(c[2]) / (unit * unit) * contact_step_time(sim) > gained ? 2 : 0;
}

int sim_part_turned(sarrus_Sim *sim, double h) {
  int count = 0;
  if (sim->system->contact_count == 0 || sim_first_turned(sim) == SARRUS_NONE) return 0;
  sim->first_of = 0;
  follow_branches(sim);
  if (search_series(sim->arguments, h / sim->maker.span.unit) < 0) {
    work_reset(sim->arguments->work);
    return 0;
  }
  for (int i = 0; i < sim->system->contact_count; i++) {
    const int how = parts(sim, i);
    if (how == 0) continue;
    if (how == 1) sim->contacts[i].now = (ContactMode){.mode = SARRUS_OPEN};
    sim->endings[switch_count(sim) + i] = ENDS_TURN;
    count++;
  }
  if (count > 0) sim_apply_modes(sim);
  return count;
}

int sim_first_turned(const sarrus_Sim *sim) {
  for (int i = 0; i < switch_count(sim); i++)
    if (sim->endings[i] != ENDS_NOT) return i;
  return SARRUS_NONE;
}

int sim_first_contact(const sarrus_Sim *sim) {
  for (int i = switch_count(sim); i < element_count(sim); i++)
    if (sim->endings[i] != ENDS_NOT) return i - switch_count(sim);
  return SARRUS_NONE;
}

int sim_contact_ended(const sarrus_Sim *sim) { return sim_first_contact(sim) != SARRUS_NONE; }

/* The guard of the reason why a contact ends; switches have one argument. */
static int ended_guard(const sarrus_Sim *sim, int element, Guard *guard) {
  Guard guards[MOST_GUARDS];
  const int switches = switch_count(sim);
  if (sim->endings[element] == ENDS_NOT) return 0;
  if (element < switches) {
    *guard = (Guard){.output = sim->maker.system->arguments.output[element], .factor = 1};
    return 1;
  }
  const int count = guards_of_contact(sim, element - switches, guards);
  for (int k = 0; k < count; k++) {
    *guard = guards[k];
    if (guards[k].ending == sim->endings[element]) return 1;
  }
  return 0;
}

int sim_ended_guard(const sarrus_Sim *sim, int *element, int *output, double *factor,
                    double *other) {
  Guard guard;
  for (; *element < element_count(sim); ++*element) {
    if (!ended_guard(sim, *element, &guard)) continue;
    *output = guard.output;
    *factor = guard.factor;
    *other = guard.other;
    return 1;
  }
  return 0;
}
