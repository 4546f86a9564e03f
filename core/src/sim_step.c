/* One natural step: the maker's span, cut where a mode ends, and the events on it. */
#include <math.h>

#include "contact.h"
#include "sim_parts.h"

enum { MOST_TRIALS = 30, MOST_TURNS = 8, MOST_ENDINGS = 100, FEW_ENDINGS = 4, MOST_HALVINGS = 40 };

/* This many endings of modes in a row, within this part of a usual step, are chattering. */
static const double CHATTER = 1e-6;

/* Modes that end again and again: the function or the contact that does. */
static sarrus_Status chatters(sarrus_Sim *sim, int contact, int count) {
  const Tape *tape = sim->maker.system->tape;
  const int turned = sim_first_turned(sim);
  maker_clear_fault(&sim->maker);
  if (turned != SARRUS_NONE) {
    sim->maker.fault.expr = tape->values[tape->switches[turned].value].node;
    return SARRUS_EVENT;
  }
  sim->maker.fault.contact = contact;
  sim->maker.fault.count = count;
  return SARRUS_CONTACT;
}

/* Whether modes have ended, one after the other, within no time up to t. */
static int ended_at_once(const sarrus_Sim *sim, double t) {
  return fabs(t - sim->ended_since) < CHATTER * sim->maker.stats.largest;
}

/* Modes that end one after the other within no time. */
static sarrus_Status count_ending(sarrus_Sim *sim, int ends) {
  Maker *maker = &sim->maker;
  if (!ends) {
    sim->ended = 0;
    return SARRUS_OK;
  }
  if (sim->ended++ == 0) sim->ended_since = maker->span.from.t;
  sim->ended_contact = sim_first_contact(sim);
  if (sim->ended < MOST_ENDINGS) return SARRUS_OK;
  sim->ended = 0;
  return ended_at_once(sim, maker->to.t) ? chatters(sim, sim->ended_contact, MOST_ENDINGS)
                                         : SARRUS_OK;
}

/*
** Steps vanish: where modes have just ended one after the other, a few times are enough to call
** that chattering; else the motion does not go on.
*/
static sarrus_Status vanishes(sarrus_Sim *sim) {
  const int chattering = sim->ended >= FEW_ENDINGS && sim->ended_contact != SARRUS_NONE &&
                         ended_at_once(sim, sim->maker.span.from.t);
  return chattering ? chatters(sim, sim->ended_contact, sim->ended) : SARRUS_STEP;
}

/* What turns at h of the span, where it ends; *parted is how many contacts that lets go. */
static sarrus_Status turn_at_end(sarrus_Sim *sim, double h, int *parted) {
  const int before = *parted;
  maker_release(&sim->maker);
  if (before) sim_recall_modes(sim);
  *parted = 0;
  if (h != 0) {
    sim_turn_switches(sim);
    *parted = sim_part_turned(sim, h);
  }
  return before || *parted ? maker_analyse(&sim->maker, &sim->maker.span.from) : SARRUS_OK;
}

/* Try h, and less while the equations do not hold at its end. */
static sarrus_Status try_steps(sarrus_Sim *sim, Ending *ending) {
  Maker *maker = &sim->maker;
  sarrus_Status status = SARRUS_STEP;
  double h = ending->h;
  int parted = 0;
  for (int trial = 0; trial < MOST_TRIALS; trial++) {
    ending->ends = ending->ends && h == ending->h;
    double error = (double)INFINITY;
    if (maker_vanishes(maker, h, ending->ends)) return vanishes(sim);
    SARRUS_TRY(turn_at_end(sim, ending->ends ? h : 0, &parted));
    status = maker_land(maker, h, ending->ends, &error);
    const int missed = status == SARRUS_OK && sim_penetrates(sim);
    if (missed) error = (double)INFINITY;
    if (status == SARRUS_OK && !missed && (error <= 1 || maker->options.step > 0)) {
      maker_accept(maker, h);
      sim->changed = 0;
      return count_ending(sim, ending->ends);
    }
    maker->stats.rejected++;
    h = maker_shorten(maker, h, error, trial);
  }
  return status < 0 ? status : SARRUS_STEP;
}

/* Where what is closed cannot stay as it is, though no mode of its own has ended. */
static sarrus_Status decide_anew(sarrus_Sim *sim) {
  sim_begin_jump(sim, 0);
  SARRUS_TRY(sim_decide(sim));
  if (sim->struck) sim_forget_sides(sim);
  sim_end_jump(sim);
  return SARRUS_OK;
}

static void note_lifted(sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count; i++) {
    if (contact_ending_of(sim, i) != ENDS_LIFT) continue;
    sim->contacts[i].lifted = sim->lifts = 1;
  }
}

static void forget_lifted(sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count && sim->lifts; i++)
    sim->contacts[i].lifted = 0;
  sim->lifts = 0;
}

/* Where modes end right at the beginning of a step, take the next modes and begin it again. */
static sarrus_Status turn_at_once(sarrus_Sim *sim) {
  Maker *maker = &sim->maker;
  if (sim_contact_ended(sim) || sim->follow.tangent != NULL)
    SARRUS_TRY(maker_prepare(maker, &maker->to)); /* forces there, not those of the series */
  sim_begin_jump(sim, 0);
  if (!sim_contact_ended(sim)) {
    sim_turn_switches(sim);
    if (sim_part_turned(sim, 0) > 0) SARRUS_TRY(contact_stand(sim));
  }
  if (sim_contact_ended(sim)) {
    note_lifted(sim);
    SARRUS_TRY(sim_decide(sim));
    if (sim->struck) sim_forget_sides(sim);
    sim_end_jump(sim);
    return maker_begin(maker);
  }
  SARRUS_TRY(maker_prepare(maker, &maker->span.from));
  sim_end_jump(sim);
  int contradicts = 0;
  SARRUS_TRY(sim_contradicts(sim, &contradicts));
  if (!contradicts) return SARRUS_OK;
  SARRUS_TRY(decide_anew(sim));
  return maker_begin(maker);
}

/* The series of the form that serves: the lean one where no contact is near. */
static sarrus_Status expand_in_form(sarrus_Sim *sim, double *h) {
  Maker *maker = &sim->maker;
  SARRUS_TRY(maker_expand(maker, h));
  sim->far = sim_all_are_far(sim, *h);
  if (sim->far || sim->form != LEAN) return SARRUS_OK;
  SARRUS_TRY(sim_take_form(sim, WHOLE));
  sim_remember(sim);
  SARRUS_TRY(maker_begin(maker));
  return maker_expand(maker, h);
}

/* The same; to a lower order, where an impact is foreseen. */
static sarrus_Status expand_until_impact(sarrus_Sim *sim, double *h) {
  Maker *maker = &sim->maker;
  const int usual = maker->order, planned = maker_plan_until_impact(maker);
  const sarrus_Status status = expand_in_form(sim, h);
  if (planned) maker->order = usual;
  return status;
}

/*
** The series and the step they allow.  On a threshold of a piecewise function the branch must be
** the one to which the motion goes; if neither is, it sticks.  Functions may all turn at one
** instant, one after the other, as where rods of a pile come to lie along each other.
*/
static sarrus_Status find_mode(sarrus_Sim *sim, double *h) {
  const int most = MOST_TURNS + sim->system->arguments.switches;
  int contact = SARRUS_NONE;
  for (int turn = 0; turn < most; turn++) {
    SARRUS_TRY(sim_weigh(sim));
    SARRUS_TRY(expand_until_impact(sim, h));
    if (!sim_find_ended(sim, *h)) return SARRUS_OK;
    if (sim->maker.method.of_span) {
      sim->maker.method.by_series = 1;
      SARRUS_TRY(maker_prepare(&sim->maker, &sim->maker.span.from));
      continue;
    }
    contact = sim_first_contact(sim);
    SARRUS_TRY(turn_at_once(sim));
  }
  return chatters(sim, contact, most);
}

static sarrus_Status expand_in_mode(sarrus_Sim *sim, double *h) {
  sim->maker.method.by_series = 0;
  const sarrus_Status status = find_mode(sim, h);
  forget_lifted(sim);
  return status;
}

static sarrus_Status back_out(sarrus_Sim *sim, sarrus_Status status) {
  sim_recall_contacts(sim);
  sim_recall_tangents(sim);
  status = maker_back_out(&sim->maker, status);
  sim->hit_count = sim->hit_next = 0;
  sim->now = sim->maker.to.t;
  sim_drop_events(sim);
  return status;
}

/* The modes of contacts on the span that begins. */
static void note_modes(sarrus_Sim *sim) {
  for (int k = 0; k < sim_awake(sim); k++) {
    ContactState *state = &sim->contacts[sim->system->turn[k]];
    state->span = state->now;
    state->load.span = state->load.on;
    state->load.was = state->load.size;
  }
}

/* Stages that end where a mode does. */
static sarrus_Status cut_at_ending(sarrus_Sim *sim, Ending *ending) {
  double h;
  if (!ending->ends || !maker_is_within_stages(&sim->maker, ending->h)) return SARRUS_OK;
  SARRUS_TRY(maker_cut_stages(&sim->maker, ending->h, &h));
  *ending = sim_first_ending(sim, h);
  return SARRUS_OK;
}

/* The step just made does not count: begin it again, to go no farther than h. */
static sarrus_Status begin_again(sarrus_Sim *sim, double h, Ending *ending) {
  Maker *maker = &sim->maker;
  const double next = maker->method.h;
  maker->stats.steps--;
  maker->stats.implicit--;
  maker->to.t = maker->span.from.t;
  maker->to.t_low = maker->span.from.t_low;
  SARRUS_TRY(sim_recall(sim, SARRUS_OK));
  sim_recall_tangents(sim);
  if (maker->broken) return SARRUS_SINGULAR;
  SARRUS_TRY(maker_begin(maker));
  maker->method.h = fabs(h);
  const sarrus_Status status = expand_in_mode(sim, &h);
  maker->method.h = next;
  SARRUS_TRY(status);
  *ending = sim_first_ending(sim, h);
  note_modes(sim);
  return sim_follow(sim);
}

/* Stages that end where the first event comes; whether that needs others. */
static sarrus_Status cut_at_event(sarrus_Sim *sim, Ending *ending, int *cut) {
  const double at = sim->hit_count > 0 ? sim->hits[0].dt : 0;
  *cut = maker_is_within_stages(&sim->maker, at);
  if (!*cut) return SARRUS_OK;
  sim_forget_events(sim);
  return begin_again(sim, maker_behind(at), ending);
}

/* A step with more zeros of events than there is room for is made shorter. */
static sarrus_Status step_and_search(sarrus_Sim *sim, Ending *ending) {
  for (int turn = 0;; turn++) {
    int cut = 0;
    SARRUS_TRY(try_steps(sim, ending));
    const sarrus_Status status = sim_find_events(sim);
    if (status >= 0) SARRUS_TRY(cut_at_event(sim, ending, &cut));
    if (status != SARRUS_LIMIT && !cut) return status;
    if (turn == MOST_HALVINGS) return SARRUS_EVENT;
    if (cut) continue;
    sim->maker.stats.steps--; /* that one does not count */
    sim->maker.stats.implicit -= sim->maker.method.of_span;
    *ending = (Ending){sim->maker.span.h / 2, 0};
  }
}

/* Tangents where the span ends, and where functions turn there. */
static sarrus_Status follow_ending(sarrus_Sim *sim, const Ending *ending) {
  sim_carry(sim, sim->maker.span.h);
  if (!ending->ends) return SARRUS_OK;
  SARRUS_TRY(sim_note_ending(sim));
  sim_begin_jump(sim, 1);
  if (!sim_contact_ended(sim)) sim_end_jump(sim);
  return SARRUS_OK;
}

/*
** At the end of a span: the next modes of contacts, if some have ended.  Where none are possible,
** the span serves all the same: that they have ended shows again where the next step begins, and is
** a failure there, once time gets there.
*/
static sarrus_Status change_modes(sarrus_Sim *sim, const Ending *ending) {
  const int *endings = sim->endings + sim->maker.system->arguments.switches;
  int contradicts = 0;
  if (ending->ends && !sim_contact_ended(sim)) {
    SARRUS_TRY(sim_contradicts(sim, &contradicts));
    if (contradicts) sim_begin_jump(sim, 0);
  }
  if (!ending->ends || (!sim_contact_ended(sim) && !contradicts)) {
    sim_clear_endings(sim);
    return SARRUS_OK;
  }
  for (int i = 0; i < sim->system->contact_count; i++)
    sim->touched[i] = endings[i];
  sim_remember(sim);
  const sarrus_Status status = sim_decide(sim);
  if (status < 0) {
    sim_cancel_jump(sim);
    if (status != SARRUS_CONTACT) return sim_recall(sim, status);
    maker_clear_fault(&sim->maker);
    return sim_recall(sim, SARRUS_OK);
  }
  sim_end_jump(sim);
  SARRUS_TRY(sim_watch(sim, sim->touched));
  sim->changed = 1;
  if (sim->struck) sim_forget_sides(sim);
  return SARRUS_OK;
}

/* Where no contact was near in the last step, or none is closed, the next begins without them. */
static sarrus_Status begin(sarrus_Sim *sim) {
  if (sim->far && sim->form == WHOLE) {
    SARRUS_TRY(sim_take_form(sim, LEAN));
    sim_remember(sim);
  }
  return maker_begin(&sim->maker);
}

sarrus_Status sim_begin_step(sarrus_Sim *sim, Ending *first) {
  Maker *maker = &sim->maker;
  double h = 0;
  if (maker->broken) return SARRUS_SINGULAR;
  if (!sim->changed) maker_note_none(maker);
  sim_remember(sim);
  sim_keep_tangents(sim);
  sarrus_Status status = begin(sim);
  if (status < 0) return sim_recall(sim, status);
  status = expand_in_mode(sim, &h);
  if (status < 0) return back_out(sim, status);
  *first = sim_first_ending(sim, h);
  status = cut_at_ending(sim, first);
  if (status < 0) return back_out(sim, status);
  note_modes(sim);
  status = sim_follow(sim);
  if (status < 0) return back_out(sim, status);
  maker_choose_order(maker, fabs(h));
  return SARRUS_OK;
}

sarrus_Status sim_end_step(sarrus_Sim *sim, Ending *first) {
  sarrus_Status status = step_and_search(sim, first);
  if (status < 0) return back_out(sim, status);
  status = follow_ending(sim, first);
  if (status < 0) return back_out(sim, status);
  sim_note_told(sim);
  SARRUS_TRY(change_modes(sim, first));
  sim->asleep = sim->form == LEAN;
  return SARRUS_OK;
}
