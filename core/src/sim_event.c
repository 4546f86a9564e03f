/*
** Events: the zeros of each event's series on the span, in the order of travel, then of declaration.
*/
#include <float.h>
#include <math.h>

#include "event_parts.h"
#include "roots.h"
#include "sim_parts.h"

/* The intervals between an event's zeros shrink without end if so many shrink by so much. */
enum { ZENO_COUNT = 12 };
static const double ZENO_RATIO = 0.98, ZENO_TOTAL = 1e-6;

/* --- series ------------------------------------------------------------------------------ */

/*
** An input is the m-th derivative of a variable's polynomial on the span.  About a time dt after the
** beginning of the span it has other coefficients, by repeated division by (t - dt).
*/
static int derivative_of(const Input *input) {
  return input->kind == SARRUS_V ? 1 : input->kind == SARRUS_A ? 2 : 0;
}

static int input_top(const sarrus_Sim *sim, const Input *input) {
  return input->kind == SARRUS_LAMBDA ? sim->dense_order - 1 : sim->dense_order + 1;
}

static const double *input_polynomial(sarrus_Sim *sim, const Input *input, double dt) {
  const int top = input_top(sim, input);
  const int variable = input->kind == SARRUS_LAMBDA ? sim->n + input->index : input->index;
  double *c = sim->polynomial;
  for (int k = 0; k <= top; k++)
    c[k] = sim->dense[(ptrdiff_t)k * sim->variables + variable];
  for (int low = 0; low < top && dt != 0; low++)
    for (int k = top - 1; k >= low; k--)
      c[k] += dt * c[k + 1];
  return c;
}

/*
** Set the inputs' values at t and, up to t^top, their series about it.  All times here count in the unit of the series, from
** the beginning of the span.
*/
static void set_inputs(sarrus_Sim *sim, double t, int top) {
  const Tape *tape = sim->events->tape;
  Work *work = sim->event_work;
  for (int i = 0; i < tape->input_count; i++) {
    const Input *input = &tape->inputs[i];
    double *value = &work->value[input->value];
    if (input->kind == SARRUS_TIME) {
      *value = sim->from.t + (sim->unit * t + sim->from.t_low);
    } else if (input->kind == SARRUS_PARAMETER) {
      *value = sim->parameters[input->index];
    } else {
      const int m = derivative_of(input), last = input_top(sim, input) - m;
      const double *c = input_polynomial(sim, input, t) + m;
      const double scale = 1 / (m == 0 ? 1 : m == 1 ? sim->unit : sim->unit * sim->unit);
      *value = (m == 2 ? 2 * c[0] : c[0]) * scale;
      for (int k = 1; k <= top && input->slot != SARRUS_NONE; k++) {
        const double weight = m == 0 ? 1 : m == 1 ? k + 1 : (k + 1.0) * (k + 2);
        work_store(work, input->slot, k, k <= last ? scale * weight * c[k] : 0);
      }
    }
  }
}

static double *series_of(const sarrus_Sim *sim, int event) {
  return &sim->event_series[event * (sim->capacity + 2)];
}

/* The series of all events about t: sim->event_series[event][k]. */
static sarrus_Status event_series(sarrus_Sim *sim, double t) {
  const Tape *tape = sim->events->tape;
  Work *work = sim->event_work;
  const int top = sim->dense_order + 1;
  if (work->unit != sim->unit) work_set_unit(work, sim->unit);
  set_inputs(sim, t, top);
  SARRUS_TRY(tape_values(work, LEAD_CONSTANT, 0));
  SARRUS_TRY(tape_weights(work, LEAD_CONSTANT, 0));
  for (int e = 0; e < tape->output_count; e++)
    series_of(sim, e)[0] = work->value[tape->output_value[e]];
  for (int k = 1; k <= top; k++) {
    tape_partial(work, k);
    tape_complete(work, k);
    for (int e = 0; e < tape->output_count; e++)
      series_of(sim, e)[k] = work->output[e];
  }
  return SARRUS_OK;
}

/* The magnitude of one operand: a coordinate counts with what it has been so far. */
static double magnitude(const sarrus_Sim *sim, int value) {
  const Tape *tape = sim->events->tape;
  const ValueStep *step = &tape->values[value];
  const double size = fabs(sim->event_work->value[value]);
  return step->op == SARRUS_OP_SYMBOL && step->a == SARRUS_Q ? fmax(size, sim->scale[step->b])
                                                             : size;
}

/* How exactly an event's value is known where it was asked last: to the rounding of its operands. */
static double event_noise(const sarrus_Sim *sim, int event) {
  const Tape *tape = sim->events->tape;
  const int value = tape->output_value[event];
  const ValueStep *step = &tape->values[value];
  double size = magnitude(sim, value);
  if (step->op == SARRUS_OP_LINEAR) {
    size = fabs(step->value);
    for (int i = 0; i < step->b; i++) {
      const ValueTerm *term = &tape->value_terms[step->a + i];
      size += fabs(term->factor) * magnitude(sim, term->value);
    }
  }
  return 4 * DBL_EPSILON * size;
}

/* --- how far they reach ------------------------------------------------------------------ */

/*
** An event may vary faster than the motion that chose the step, or change its branch: then its series serves
** a part of the span only, and is made anew for the next.  It serves up to h if nothing that is
** left out counts (T20), or else if its value there is the event's; where it does not, *event is one for which it is not.
*/
enum { LAST_COEFFICIENTS = 4, MOST_PIECES = 1000 };
static const double SHORTEST_PIECE = 1e-9, AGREEMENT = 64 * DBL_EPSILON;

static double sum_of_sizes(const double *c, int from, int to, double h) {
  double sum = 0;
  for (int k = to; k >= 0; k--)
    sum = sum * fabs(h) + (k >= from ? fabs(c[k]) : 0);
  return sum;
}

static int truncated(const double *c, int order, double h) {
  const int last = order + 1 - LAST_COEFFICIENTS;
  return !(sum_of_sizes(c, last > 1 ? last : 1, order, h) <=
           DBL_EPSILON * sum_of_sizes(c, 0, order, h));
}

static double horner(const double *c, int order, double h) {
  double x = 0;
  for (int k = order; k >= 0; k--)
    x = x * h + c[k];
  return x;
}

static int serves(sarrus_Sim *sim, double begin, double h, int *event) {
  const Tape *tape = sim->events->tape;
  const int top = sim->dense_order + 1;
  int doubtful = tape->switch_count > 0;
  for (int e = 0; e < sim->events->count && !doubtful; e++) {
    *event = e;
    doubtful = truncated(series_of(sim, e), top, h);
  }
  if (!doubtful) return 1;
  set_inputs(sim, begin + h, 0);
  if (tape_values(sim->event_work, LEAD_CONSTANT, 0) < 0) return 0;
  for (int e = 0; e < sim->events->count; e++) {
    const double *c = series_of(sim, e);
    const double there = sim->event_work->value[tape->output_value[e]];
    const double allowed = AGREEMENT * sum_of_sizes(c, 0, top, h) + event_noise(sim, e);
    *event = e;
    if (!(fabs(horner(c, top, h) - there) <= allowed)) return 0;
  }
  return 1;
}

static sarrus_Status bad_event(sarrus_Sim *sim, int event, int count, double size) {
  sim->fault = fault_at(SARRUS_NONE, SARRUS_NONE, size);
  sim->fault.event = event;
  sim->fault.count = count;
  return SARRUS_EVENT;
}

/* --- zeros ------------------------------------------------------------------------------- */

/* Zeros are known to about this part of the step. */
static const double SAME_TIME = 1e-14;

static int earlier(const sarrus_Sim *sim, const Hit *a, const Hit *b) {
  if (a->dt != b->dt) return sim->direction * a->dt < sim->direction * b->dt;
  return a->event < b->event;
}

/* Insertion keeps the order. */
static sarrus_Status add_hit(sarrus_Sim *sim, Hit hit) {
  if (sim->hit_count == SIM_MOST_HITS) return bad_event(sim, hit.event, SIM_MOST_HITS, 0);
  for (int i = 0; i < sim->hit_count;
       i++) /* zeros that rounding alone tells apart are at one time */
    if (fabs(sim->hits[i].dt - hit.dt) <= SAME_TIME * fabs(sim->h)) hit.dt = sim->hits[i].dt;
  int i = sim->hit_count++;
  for (; i > 0 && earlier(sim, &hit, &sim->hits[i - 1]); i--)
    sim->hits[i] = sim->hits[i - 1];
  sim->hits[i] = hit;
  return SARRUS_OK;
}

/*
** Where the span begins at a zero, as after a bounce, the next one may come within no time: then the first parts of
** the span are searched apart, so that rounding at its far end does not hide it.
*/
static const double PARTS[] = {1e-6, 1e-3, 1};
enum { PART_COUNT = sizeof PARTS / sizeof *PARTS };

static int begins_at_zero(const double *c, int order, double h) {
  double size = 0, power = 1;
  for (int k = 1; k <= order; k++)
    size += fabs(c[k] * (power *= h));
  return fabs(c[0]) <= 1e-9 * size;
}

/*
** Newton steps with value and slope of the event itself at its zero: what cancels far from where the series begins does
** not count here.
*/
enum { MOST_POLISHINGS = 3 };

static double polished(sarrus_Sim *sim, int event, double dt, double least, double most) {
  const Tape *tape = sim->events->tape;
  Work *work = sim->event_work;
  for (int i = 0; i < MOST_POLISHINGS; i++) {
    set_inputs(sim, dt, 1);
    if (tape_values(work, LEAD_CONSTANT, 0) < 0 || tape_weights(work, LEAD_CONSTANT, 0) < 0)
      return dt;
    tape_partial(work, 1);
    tape_complete(work, 1);
    const double better = dt - work->value[tape->output_value[event]] / work->output[event];
    const int near = fabs(better - dt) <= 1e-6 * fabs(most - least);
    if (!near || (better - least) * (better - most) >= 0 || better == dt) return dt;
    dt = better;
  }
  return dt;
}

/* What an action has put to rest at the event's zero stays there. */
static int rests(sarrus_Sim *sim, int event, double h) {
  if (sim->paces[event].seen == 0) return 0;
  sim->paces[event].side = 0;
  return isfinite(sum_of_sizes(series_of(sim, event), 0, sim->dense_order + 1, h));
}

/* The zeros of one event on a piece of the span, h long; dt counts from the beginning of the span. */
static sarrus_Status find_hits(sarrus_Sim *sim, int event, double begin, double h, int last) {
  Root roots[SIM_MOST_HITS];
  const double noise = event_noise(sim, event);
  const int order = sim->dense_order + 1;
  const double *c = series_of(sim, event);
  const sarrus_Direction wanted = sim->events->directions[event];
  double from = 0;
  for (int part = begins_at_zero(c, order, h) ? 0 : PART_COUNT - 1; part < PART_COUNT; part++) {
    const double to = PARTS[part] * h;
    const int count = roots_follow(c, order, from, to, noise, roots, SIM_MOST_HITS, sim->root_work,
                                   &sim->paces[event].side);
    if (count < 0 && part < PART_COUNT - 1)
      continue; /* nothing to be seen in it: the next begins here */
    if (count < 0 && rests(sim, event, h)) return SARRUS_OK;
    const int finite = isfinite(sum_of_sizes(c, 0, order, h));
    if (count < 0) return bad_event(sim, event, 0, finite ? 0 : (double)NAN);
    if (count > SIM_MOST_HITS) return bad_event(sim, event, SIM_MOST_HITS, 0);
    for (int i = 0; i < count; i++) {
      if (wanted != SARRUS_BOTH && roots[i].direction != (int)wanted) continue;
      double t = begin + roots[i].t;
      if (roots[i].t == h)
        t = last ? sim->h / sim->unit : t;
      else if (roots[i].direction != 0)
        t = polished(sim, event, t, begin, begin + h);
      SARRUS_TRY(add_hit(sim, (Hit){sim->unit * t, event, roots[i].direction}));
    }
    from = to;
  }
  return SARRUS_OK;
}

/* An event that has no value: the first such is named. */
static sarrus_Status not_finite(sarrus_Sim *sim) {
  const Tape *tape = sim->events->tape;
  int event = 0;
  for (int e = tape->output_count - 1; e >= 0; e--)
    if (!isfinite(sim->event_work->value[tape->output_value[e]])) event = e;
  return bad_event(sim, event, 0, (double)NAN);
}

static sarrus_Status find_all(sarrus_Sim *sim) {
  const double whole = sim->h / sim->unit;
  double begin = 0, h = whole;
  int event = SARRUS_NONE;
  for (int piece = 0; piece < MOST_PIECES; piece++) {
    const double left = whole - begin;
    if (event_series(sim, begin) < 0) return not_finite(sim);
    if (fabs(h) > fabs(left)) h = left;
    while (fabs(h) > SHORTEST_PIECE * fabs(whole) && !serves(sim, begin, h, &event))
      h /= 2;
    for (int e = 0; e < sim->events->count; e++)
      SARRUS_TRY(find_hits(sim, e, begin, h, h == left));
    if (h == left) return SARRUS_OK;
    begin += h;
    h *= 2;
  }
  return bad_event(sim, event, MOST_PIECES, 0);
}

sarrus_Status sim_find_events(sarrus_Sim *sim) {
  sim->hit_count = sim->hit_next = 0;
  if (sim->events == NULL || sim->events->count == 0) return SARRUS_OK;
  const sarrus_Status status = find_all(sim);
  if (status < 0) work_reset(sim->event_work);
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
  return hit->dt == sim->h ? sim->to.t : sim->from.t + (hit->dt + sim->from.t_low);
}

/* Zeros at the present instant are still to be delivered; signs may have changed. */
void sim_drop_events(sarrus_Sim *sim) {
  for (int e = 0; sim->events != NULL && e < sim->events->count; e++)
    sim->paces[e].side = 0;
  int kept = sim->hit_next;
  while (kept < sim->hit_count && hit_time(sim, &sim->hits[kept]) == sim->now)
    kept++;
  sim->hit_count = kept;
}

/* Stand at the next event, if it comes before (or at) t in the direction of travel. */
sarrus_Status sim_next_event(sarrus_Sim *sim, double t, int *found) {
  *found = 0;
  if (sim->hit_next == sim->hit_count) return SARRUS_OK;
  const Hit *hit = &sim->hits[sim->hit_next];
  const double time = hit_time(sim, hit);
  if (sim->direction * (time - t) > 0) return SARRUS_OK;
  sim->hit_next++;
  sim->now = time;
  sim->hit = *hit;
  *found = 1;
  return check_zeno(sim, hit->event);
}
