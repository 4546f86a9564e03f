/*
** Events: the zeros of each event's series on the span, in the order of travel, then of
** declaration.
*/
#include <float.h>
#include <math.h>

#include "event_parts.h"
#include "roots.h"
#include "sim_parts.h"

/*
** An event's zeros accumulate where this many intervals in a row shrink: each by the ratio, all by
** the total.
*/
enum { ZENO_COUNT = 12 };
static const double ZENO_RATIO = 0.98, ZENO_TOTAL = 1e-6;

static sarrus_Status name_event(sarrus_Sim *sim, int event, int count, double size,
                                sarrus_Status status) {
  sim->maker.fault = fault_at(SARRUS_NONE, SARRUS_NONE, size);
  sim->maker.fault.event = event;
  sim->maker.fault.count = count;
  return status;
}

static sarrus_Status bad_event(sarrus_Sim *sim, int event, int count, double size) {
  return name_event(sim, event, count, size, SARRUS_EVENT);
}

/* More zeros, or pieces, than there is room for: a shorter step has fewer. */
static sarrus_Status too_many(sarrus_Sim *sim, int event, int count) {
  return name_event(sim, event, count, 0, SARRUS_LIMIT);
}

/* --- zeros ------------------------------------------------------------------------------- */

/* Zeros are known to about this part of the step. */
static const double SAME_TIME = 1e-14;

static int earlier(const sarrus_Sim *sim, const Hit *a, const Hit *b) {
  if (a->dt != b->dt) return sim->maker.direction * a->dt < sim->maker.direction * b->dt;
  return a->event < b->event;
}

/* Zeros leave room for what contacts do where the span ends, when it is too late to shorten it. */
static int room_for_zeros(const sarrus_Sim *sim) {
  const int watches = sim->events->watch_count;
  return SIM_MOST_HITS - (watches < SIM_MOST_HITS / 2 ? watches : SIM_MOST_HITS / 2);
}

/* Insertion keeps the order. */
static sarrus_Status add_hit(sarrus_Sim *sim, Hit hit) {
  if (sim->hit_count == SIM_MOST_HITS) return too_many(sim, hit.event, SIM_MOST_HITS);
  for (int i = 0; i < sim->hit_count;
       i++) /* zeros that rounding alone tells apart are at one time */
    if (fabs(sim->hits[i].dt - hit.dt) <= SAME_TIME * fabs(sim->maker.span.h))
      hit.dt = sim->hits[i].dt;
  int i = sim->hit_count++;
  for (; i > 0 && earlier(sim, &hit, &sim->hits[i - 1]); i--)
    sim->hits[i] = sim->hits[i - 1];
  sim->hits[i] = hit;
  return SARRUS_OK;
}

/* On the span something sticks, or is locked: it moves by rounding, if at all. */
static int something_sticks(const sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count; i++)
    if (sim->contacts[i].span.mode == SARRUS_STICK) return 1;
  for (int k = 0; k < sim->system->locks; k++)
    if (sarrus_sim_locked(sim, k)) return 1;
  return 0;
}

/* The last of an event's zeros that have been found on the span; NULL: there is none. */
static const Hit *last_hit(const sarrus_Sim *sim, int event) {
  for (int i = sim->hit_count - 1; i >= 0; i--)
    if (sim->hits[i].event == event) return &sim->hits[i];
  return NULL;
}

/*
** What sticks, or an action has put to rest, at the event's zero stays there; so does what a branch
** keeps at it.
*/
static int rests(sarrus_Sim *sim, int event, double h) {
  const int came = sim->paces[event].seen > 0 || last_hit(sim, event) != NULL;
  if (!came && !sim->zeros.floored) return 0;
  sim->paces[event].side = 0;
  return isfinite(search_size(search_output(&sim->zeros, event), 0, search_order(&sim->zeros), h));
}

/*
** An event that has just come is this near to zero, relative to its range in the piece, or as near
** as the tolerance.
*/
static const double JUST_COME = 1e-9;

/*
** How exactly an event is known.  Where it has come at the beginning of the span, an action may
** have begun the span anew, a little beside zero: it must not come again for that.
*/
static double noise_of(const sarrus_Sim *sim, int event, const Piece *piece) {
  const Search *search = &sim->zeros;
  const Pace *pace = &sim->paces[event];
  const double *c = search_output(search, event);
  const double noise =
      fmax(search_noise(search, event), search->floored ? search->floor[event] : 0);
  if (piece->begin != 0 || pace->seen == 0 || pace->last != search->span->from.t) return noise;
  const double size = search_size(c, 1, search_order(search), piece->h);
  const double near = fmax(JUST_COME, sim->maker.options.tolerance);
  return fabs(c[0]) <= near * size ? fmax(noise, 4 * fabs(c[0])) : noise;
}

/* A zero at a kink is one, though the series before the kink and that behind it both have it. */
static int is_same_zero(sarrus_Sim *sim, int event, const Piece *piece, double t) {
  Search *search = &sim->zeros;
  const Hit *before = last_hit(sim, event);
  if (search->tape->switch_count == 0 || piece->begin == 0 || before == NULL) return 0;
  return search_is_rounding(search, event, before->dt / search->span->unit, t);
}

/* The zeros of one event on a piece of the span; dt counts from the beginning of the span. */
static sarrus_Status find_hits(sarrus_Sim *sim, int event, const Piece *piece, int last) {
  Root roots[SIM_MOST_HITS];
  Search *search = &sim->zeros;
  const Span *span = search->span;
  const double h = piece->h, noise = noise_of(sim, event, piece);
  const int order = search_order(search);
  const double *c = search_output(search, event);
  const sarrus_Direction wanted = sim->events->directions[event];
  const int count = roots_follow(c, order, 0, h, noise, roots, SIM_MOST_HITS, search->root_work,
                                 &sim->paces[event].side);
  if (count < 0 && rests(sim, event, h)) return SARRUS_OK;
  const int finite = isfinite(search_size(c, 0, order, h));
  if (count < 0) return bad_event(sim, event, 0, finite ? 0 : (double)NAN);
  if (count > SIM_MOST_HITS) return too_many(sim, event, SIM_MOST_HITS);
  for (int i = 0; i < count; i++) {
    if (wanted != SARRUS_BOTH && roots[i].direction != (int)wanted) continue;
    double t = piece->begin + roots[i].t;
    if (roots[i].t == h)
      t = last ? span->h / span->unit : t;
    else if (roots[i].direction != 0)
      t = search_polish(search, event, 0, t, piece->begin, piece->begin + h);
    if (is_same_zero(sim, event, piece, t)) continue;
    if (sim->hit_count >= room_for_zeros(sim)) return too_many(sim, event, sim->hit_count);
    SARRUS_TRY(add_hit(sim, (Hit){span->unit * t, event, roots[i].direction}));
  }
  return SARRUS_OK;
}

/* An event that has no value: the first such is named. */
static sarrus_Status not_finite(sarrus_Sim *sim) {
  const Tape *tape = sim->events->tape;
  int event = 0;
  for (int e = tape->output_count - 1; e >= 0; e--)
    if (!isfinite(sim->zeros.work->value[tape->output_value[e]])) event = e;
  return bad_event(sim, event, 0, (double)NAN);
}

/*
** What is rounding in events: where something sticks, and where piecewise functions have kinks, at
** which the event itself may vanish, so that its value says nothing of its rounding.
*/
static void measure(sarrus_Sim *sim) {
  Search *search = &sim->zeros;
  const int sticks = something_sticks(sim);
  const int measured =
      (sticks || search->tape->switch_count > 0) && search_measure_still(search) >= 0;
  search->floored = sticks && measured;
  for (int e = 0; e < search->tape->output_count && !measured; e++)
    search->floor[e] = 0;
}

static sarrus_Status find_all(sarrus_Sim *sim) {
  Search *search = &sim->zeros;
  const double whole = search->span->h / search->span->unit;
  int event = SARRUS_NONE;
  measure(sim);
  for (Piece piece = search_begin(search, search->span->h);; search_next(&piece)) {
    const sarrus_Status status = search_piece(search, &piece, whole, &event);
    if (status == SARRUS_LIMIT) return too_many(sim, event, SEARCH_MOST_PIECES);
    if (status < 0) return not_finite(sim);
    const int last = piece.h == whole - piece.begin;
    for (int e = 0; e < sim->events->count; e++)
      SARRUS_TRY(find_hits(sim, e, &piece, last));
    if (last) return SARRUS_OK;
  }
}

/* --- contacts that are watched ------------------------------------------------------------- */

/*
** How the contacts that an event watches were when events were last told of them, or are on the
** span.
*/
typedef struct Watched {
  int closed, sticks, slips, touched;
} Watched;

static void add_mode(Watched *all, sarrus_ContactMode mode) {
  all->closed |= mode != SARRUS_OPEN;
  all->sticks |= mode == SARRUS_STICK;
  all->slips |= mode == SARRUS_SLIP;
}

static int has_changed(sarrus_Change change, const Watched *before, const Watched *after) {
  switch (change) {
    case SARRUS_TOUCHES: return after->touched;
    case SARRUS_LEAVES: return before->closed && !after->closed;
    case SARRUS_STICKS: return !before->sticks && after->sticks;
    default: return !(before->slips && !before->sticks) && after->slips && !after->sticks;
  }
}

/* Events of changes at dt; `touched`: why modes of contacts ended there, or NULL. */
static sarrus_Status watch(sarrus_Sim *sim, double dt, const int *touched) {
  const sarrus_Events *events = sim->events;
  for (int i = 0; events != NULL && i < events->watch_count; i++) {
    const Watch *watch = &events->watches[i];
    Watched before = {0}, after = {0};
    int is_first = 1;
    if ((watch->change == SARRUS_TOUCHES) != (touched != NULL)) continue;
    for (int k = 0; k < events->watch_count; k++) {
      const Watch *other = &events->watches[k];
      if (other->event != watch->event) continue;
      is_first = is_first && k >= i;
      add_mode(&before, sim->contacts[other->contact].told);
      add_mode(&after, sim->contacts[other->contact].span.mode);
      after.touched |= touched != NULL && touched[other->contact] == ENDS_TOUCH;
    }
    if (is_first && has_changed(watch->change, &before, &after))
      SARRUS_TRY(add_hit(sim, (Hit){dt, watch->event, 0}));
  }
  return SARRUS_OK;
}

sarrus_Status sim_watch(sarrus_Sim *sim, const int *touched) {
  return watch(sim, sim->maker.span.h, touched);
}

void sim_note_told(sarrus_Sim *sim) {
  for (int k = 0; k < sim_awake(sim); k++) {
    ContactState *state = &sim->contacts[sim->system->turn[k]];
    state->told = state->span.mode;
  }
}

/* --- all of them --------------------------------------------------------------------------- */

void sim_forget_events(sarrus_Sim *sim) {
  work_reset(sim->zeros.work);
  for (int e = 0; e < sim->events->count; e++)
    sim->paces[e].side = sim->paces[e].side_before;
  sim->hit_count = 0;
}

sarrus_Status sim_find_events(sarrus_Sim *sim) {
  sim->hit_count = sim->hit_next = 0;
  if (sim->events == NULL || sim->events->count == 0) return SARRUS_OK;
  for (int e = 0; e < sim->events->count; e++)
    sim->paces[e].side_before = sim->paces[e].side;
  sarrus_Status status = watch(sim, 0, NULL);
  if (status >= 0) status = find_all(sim);
  if (status < 0) sim_forget_events(sim);
  return status;
}

/* Bouncing without end: every interval shorter than the last, and now a millionth of the first. */
static sarrus_Status check_zeno(sarrus_Sim *sim, int event) {
  Pace *pace = &sim->paces[event];
  const double interval = fabs(sim->now - pace->last);
  pace->last = sim->now;
  if (pace->seen++ == 0) return SARRUS_OK;
  if (pace->seen == 2 || interval > ZENO_RATIO * pace->interval) {
    pace->shrinking = 0;
    pace->first = interval;
  } else {
    pace->shrinking++;
  }
  pace->interval = interval;
  if (pace->shrinking < ZENO_COUNT || interval > ZENO_TOTAL * pace->first) return SARRUS_OK;
  pace->seen = 0;
  return bad_event(sim, event, pace->shrinking, interval);
}

static double hit_time(const sarrus_Sim *sim, const Hit *hit) {
  const Span *span = &sim->maker.span;
  return hit->dt == span->h ? sim->maker.to.t : span->from.t + (hit->dt + span->from.t_low);
}

void sim_forget_sides(sarrus_Sim *sim) {
  for (int e = 0; sim->events != NULL && e < sim->events->count; e++)
    sim->paces[e].side = 0;
}

/* Zeros at the present instant are still to be delivered; signs may have changed. */
void sim_drop_events(sarrus_Sim *sim) {
  sim_forget_sides(sim);
  int kept = sim->hit_next;
  while (kept < sim->hit_count && hit_time(sim, &sim->hits[kept]) == sim->now)
    kept++;
  sim->hit_count = kept;
}

/* Contacts come to rest by themselves. */
static int watches_contact(const sarrus_Events *events, int event) {
  for (int i = 0; i < events->watch_count; i++)
    if (events->watches[i].event == event) return 1;
  return 0;
}

/* Stand at the next event, if it comes before (or at) t in the direction of travel. */
sarrus_Status sim_next_event(sarrus_Sim *sim, double t, int *found) {
  *found = 0;
  if (sim->hit_next == sim->hit_count) return SARRUS_OK;
  const Hit *hit = &sim->hits[sim->hit_next];
  const double time = hit_time(sim, hit);
  if (sim->maker.direction * (time - t) > 0) return SARRUS_OK;
  sim->hit_next++;
  sim->now = time;
  sim->hit = *hit;
  *found = 1;
  sim_note_event(sim);
  return watches_contact(sim->events, hit->event) ? SARRUS_OK : check_zeno(sim, hit->event);
}
