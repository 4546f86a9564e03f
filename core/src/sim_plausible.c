/*
** Whether what was read from a record can be the state of a simulation.
** A checksum can be forged: whatever serves as an index or a count must be one, and no number gets
** in that is not finite.
*/
#include <float.h>
#include <limits.h>
#include <math.h>

#include "sim_parts.h"
#include "vector.h"

static int is_count(long long x) { return x >= 0; }
static int within(int x, int least, int most) { return least <= x && x <= most; }
static int is_flag(int x) { return within(x, 0, 1); }

/* What compensated addition left over is no more than rounding of the times it added. */
static int point_plausible(const sarrus_Sim *sim, const Point *point) {
  const double largest = fabs(point->t) + sim->maker.stats.largest;
  return isfinite(point->t) && fabs(point->t_low) <= 4 * DBL_EPSILON * largest &&
         vector_finite(point->q, sim->maker.n) && vector_finite(point->v, sim->maker.n);
}

static int all_positive(const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (!(x[i] > 0 && isfinite(x[i]))) return 0;
  return 1;
}

static int all_finite_sizes(const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (!(x[i] >= 0 && isfinite(x[i]))) return 0;
  return 1;
}

/* A power of two, as units of time are, whose square is in range. */
static int is_unit(double x) {
  int bits;
  return x > 0 && isfinite(x) && frexp(x, &bits) == 0.5 && within(bits, -500, 500);
}

/* Units and what steps are compared with. */
static int measures_plausible(const sarrus_Sim *sim) {
  const double sizes[] = {sim->maker.natural,        sim->maker.held,
                          sim->maker.margin,         sim->maker.best_margin,
                          sim->maker.stats.smallest, sim->maker.stats.largest,
                          sim->maker.foreseen};
  const Interventions *past = &sim->maker.interventions; /* both may be infinite */
  return past->interval >= 0 && past->expected >= 0 && is_unit(sim->maker.span.unit) &&
         is_unit(sim->maker.expansion->work->unit) && isfinite(sim->maker.began) &&
         all_finite_sizes(sizes, sizeof sizes / sizeof *sizes);
}

/* Positions and velocities of one coordinate cannot overflow anywhere in the span. */
static int reach_plausible(const sarrus_Sim *sim, int coordinate) {
  const double reach =
      (fabs(sim->maker.span.until - sim->maker.span.from.t) + fabs(sim->maker.span.from.t_low)) /
      sim->maker.span.unit;
  double position = 0, velocity = 0;
  for (int k = sim->maker.span.order + 1; k >= 0; k--) {
    const double size = fabs(span_at(&sim->maker.span, k)[coordinate]);
    position = position * reach + size;
    if (k > 0) velocity = velocity * reach + k * size;
  }
  return isfinite(position) && isfinite(velocity);
}

/* Coordinates to t^(K+1), multipliers to t^(K-1); nothing is known of what lies beyond. */
static int series_plausible(const sarrus_Sim *sim) {
  for (int j = 0; sim->maker.span.order > 0 && j < sim->maker.n; j++)
    if (!reach_plausible(sim, j)) return 0;
  for (int k = 0; k < sim->maker.span.order; k++)
    if (!vector_finite(span_at(&sim->maker.span, k), sim->maker.span.variables)) return 0;
  return 1;
}

/*
** Where it stands: in the span or at the beginning of the next; nowhere before a start, or after
** one that failed.
*/
static int place_plausible(const sarrus_Sim *sim) {
  const double first = fmin(sim->maker.span.from.t, sim->maker.span.until),
               last = fmax(sim->maker.span.from.t, sim->maker.span.until);
  const int flags = is_flag(sim->maker.pole) && is_flag(sim->changed) &&
                    is_flag(sim->maker.broken) && is_flag(sim->started) &&
                    (sim->maker.direction == 1 || sim->maker.direction == -1);
  if (!flags || !within(sim->maker.span.order, 0, sim->maker.capacity) ||
      sim->maker.span.order == 1 || !vector_finite(sim->parameters, sim->parameter_count) ||
      !all_positive(sim->maker.least, sim->maker.n))
    return 0;
  if (!sim->started) return sim->maker.broken;
  return point_plausible(sim, &sim->maker.to) && point_plausible(sim, &sim->maker.span.from) &&
         isfinite(sim->maker.span.h) && isfinite(sim->maker.span.until) &&
         within(sim->maker.order, SARRUS_MIN_ORDER, sim->maker.capacity) &&
         ((first <= sim->now && sim->now <= last) || sim->now == sim->maker.to.t) &&
         all_positive(sim->maker.scale, sim->maker.n) &&
         all_finite_sizes(sim->maker.scale + sim->maker.n, sim->system->room - sim->maker.n) &&
         measures_plausible(sim) && series_plausible(sim);
}

static int matrix_plausible(const Kkt *kkt) {
  int dependent = 0;
  if (!all_positive(kkt->row, kkt->size) || !all_positive(kkt->column, kkt->size)) return 0;
  for (int i = 0; i < kkt->m; i++) {
    if (!within(kkt->dependent[i], KKT_KEPT, KKT_OFF)) return 0;
    dependent += kkt->dependent[i] == KKT_DEPENDENT;
  }
  return dependent == kkt->dependent_count && is_flag(kkt->off_diagonal);
}

static int switches_plausible(const sarrus_Sim *sim) {
  const Tape *tape = sim->maker.system->tape;
  const Work *work = sim->maker.expansion->work;
  for (int i = 0; i < tape->switch_count; i++) {
    const int table = tape->switches[i].table;
    const int good = table == SARRUS_NONE ? within(work->branch[i], -1, 1)
                                          : within(work->branch[i], 0, tape->tables[table].count);
    if (!good || !is_flag(work->forced[i])) return 0;
  }
  return within(sim->ended, 0, INT_MAX / 2) &&
         within(sim->ended_contact, SARRUS_NONE, sim->system->contact_count - 1);
}

static int hit_plausible(const Hit *hit, int least, int events) {
  return within(hit->event, least, events - 1) && within(hit->direction, -1, 1) &&
         isfinite(hit->dt);
}

static int events_plausible(const sarrus_Sim *sim) {
  const int events = sim->events == NULL ? 0 : sim->events->count;
  if (!hit_plausible(&sim->hit, SARRUS_NONE, events) || !within(sim->hit_next, 0, sim->hit_count))
    return 0;
  for (int i = 0; i < sim->hit_count; i++)
    if (!hit_plausible(&sim->hits[i], 0, events)) return 0;
  for (int i = 0; i < events; i++) {
    const Pace *pace = &sim->paces[i];
    if (!within(pace->seen, 0, INT_MAX / 2) || !within(pace->shrinking, 0, pace->seen) ||
        !within(pace->side, -1, 1))
      return 0;
  }
  return 1;
}

static int counts_plausible(const sarrus_Sim *sim) {
  const sarrus_SimStats *stats = &sim->maker.stats;
  const sarrus_SimNotes *notes = &sim->notes;
  const Method *method = &sim->maker.method;
  if (!is_count(stats->implicit) || !is_count(method->rejected) || !is_flag(method->stiff) ||
      !is_flag(method->of_span) || !within(method->count, 0, INT_MAX / 2) ||
      !within(method->wait, 0, INT_MAX / 4) || !all_finite_sizes(&method->h, 1))
    return 0;
  return is_count(stats->steps) && is_count(stats->rejected) && is_count(stats->factorisations) &&
         is_count(notes->singular) && is_count(notes->stiff) &&
         within(stats->order, 0, sim->maker.capacity) && within(sim->short_steps, 0, INT_MAX / 2) &&
         within(notes->stiff_column, 0, sim->maker.n > 0 ? sim->maker.n - 1 : 0);
}

/* Friction alone acts always, but where it is let go, or was on the span. */
static int was_released(const sarrus_Sim *sim, int i, const ContactMode *mode) {
  return mode == &sim->contacts[i].span || sim->contacts[i].released;
}

static int mode_plausible(const sarrus_Sim *sim, int i, const ContactMode *mode) {
  const Contact *contact = &sim->system->contacts[i];
  if (mode->mode == SARRUS_OPEN && contact->gap == SARRUS_NONE && !was_released(sim, i, mode))
    return 0;
  if (mode->mode == SARRUS_STICK && contact->slips == 0) return 0;
  return is_flag(mode->free) && within(mode->starts, 0, STOPS_SLOWLY) && is_flag(mode->idle) &&
         is_flag(mode->tied) && vector_finite(mode->direction, 2) &&
         all_finite_sizes(&mode->fastest, 1) && all_finite_sizes(&mode->share, 1);
}

/* The form follows from what is held and what is far. */
static int forms_plausible(const sarrus_Sim *sim) {
  for (int k = 0; k < sim->system->locks; k++)
    if (!is_flag(sim->off[sim->system->m + k])) return 0;
  for (int k = 0; k < sim->system->forces; k++)
    if (sim_force_modes(sim)[k] != 0 && sim_force_modes(sim)[k] != 1) return 0;
  const int whole = sim_whole_form(sim);
  return is_flag(sim->far) && (sim->form == whole || (sim->form == LEAN && whole == WHOLE)) &&
         (!sim->far || sim->system->lean != NULL);
}

static int contacts_plausible(const sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count; i++) {
    const ContactState *state = &sim->contacts[i];
    if (state->released && state->now.mode != SARRUS_OPEN) return 0;
    if (!is_flag(state->load.on) || !is_flag(state->load.span)) return 0;
    if (!all_finite_sizes(&state->load.was, 1) || !all_finite_sizes(&state->load.doubt, 1))
      return 0;
    if (!is_flag(state->released) || !vector_finite(state->struck.impulse, 3)) return 0;
    if (sim->started && !mode_plausible(sim, i, &state->now)) return 0;
    if (sim->maker.span.order > 0 && !mode_plausible(sim, i, &state->span)) return 0;
  }
  return 1;
}

int sim_is_plausible(const sarrus_Sim *sim) {
  for (int i = 0; i < FORMS; i++)
    if (sim->forms[i].system != NULL && !matrix_plausible(sim->forms[i].expansion->kkt)) return 0;
  return forms_plausible(sim) && place_plausible(sim) && switches_plausible(sim) &&
         events_plausible(sim) && contacts_plausible(sim) && counts_plausible(sim);
}
