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

/* Coefficients of the input's series about the beginning of the span: k-th of d^m/dt^m. */
static double input_coefficient(const sarrus_Sim *sim, const Input *input, int k) {
  const int m = input->kind == SARRUS_V ? 1 : input->kind == SARRUS_A ? 2 : 0;
  const int variable = input->kind == SARRUS_LAMBDA ? sim->n + input->index : input->index;
  const int top = input->kind == SARRUS_LAMBDA ? sim->dense_order - 1 : sim->dense_order + 1;
  if (k + m > top) return 0;
  double c = sim->dense[(ptrdiff_t)(k + m) * sim->variables + variable];
  for (int r = 1; r <= m; r++)
    c *= k + r;
  return c;
}

static double input_value(const sarrus_Sim *sim, const Input *input) {
  if (input->kind == SARRUS_TIME) return sim->from.t;
  if (input->kind == SARRUS_PARAMETER) return sim->parameters[input->index];
  return input_coefficient(sim, input, 0);
}

/* The series of the inputs, and from them those of all events: sim->event_series[event][k]. */
static sarrus_Status event_series(sarrus_Sim *sim) {
  const Tape *tape = sim->events->tape;
  Work *work = sim->event_work;
  const int top = sim->dense_order + 1;
  for (int i = 0; i < tape->input_count; i++) {
    const Input *input = &tape->inputs[i];
    work->value[input->value] = input_value(sim, input);
    if (input->slot == SARRUS_NONE || input->kind == SARRUS_TIME) continue;
    for (int k = 1; k <= top; k++)
      work_store(work, input->slot, k, input_coefficient(sim, input, k));
  }
  SARRUS_TRY(tape_start(work, LEAD_CONSTANT, 0));
  for (int e = 0; e < tape->output_count; e++)
    sim->event_series[e * (sim->capacity + 2)] = work->value[tape->output_value[e]];
  for (int k = 1; k <= top; k++) {
    tape_partial(work, k);
    tape_complete(work, k);
    for (int e = 0; e < tape->output_count; e++)
      sim->event_series[e * (sim->capacity + 2) + k] = work->output[e];
  }
  return SARRUS_OK;
}

static int earlier(const sarrus_Sim *sim, const Hit *a, const Hit *b) {
  if (a->dt != b->dt) return sim->direction * a->dt < sim->direction * b->dt;
  return a->event < b->event;
}

/* Insertion keeps the order. */
static sarrus_Status add_hit(sarrus_Sim *sim, Hit hit) {
  if (sim->hit_count == SIM_MOST_HITS) return SARRUS_EVENT;
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

/* The magnitude of one operand: a coordinate counts with what it has been so far. */
static double magnitude(const sarrus_Sim *sim, int value) {
  const Tape *tape = sim->events->tape;
  const ValueStep *step = &tape->values[value];
  const double size = fabs(sim->event_work->value[value]);
  return step->op == SARRUS_OP_SYMBOL && step->a == SARRUS_Q ? fmax(size, sim->scale[step->b])
                                                             : size;
}

/* How exactly an event's value is known where the span begins: to the rounding of its operands. */
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

static sarrus_Status find_hits(sarrus_Sim *sim, int event) {
  Root roots[SIM_MOST_HITS];
  const double noise = event_noise(sim, event);
  const int order = sim->dense_order + 1;
  const double *c = &sim->event_series[event * (sim->capacity + 2)];
  const sarrus_Direction wanted = sim->events->directions[event];
  double from = 0;
  for (int part = begins_at_zero(c, order, sim->h) ? 0 : PART_COUNT - 1; part < PART_COUNT;
       part++) {
    const double to = PARTS[part] * sim->h;
    const int count = roots_follow(c, order, from, to, noise, roots, SIM_MOST_HITS, sim->root_work,
                                   &sim->paces[event].side);
    if (count < 0 || count > SIM_MOST_HITS) {
      sim->fault = (sarrus_Fault){event, SARRUS_NONE, count, SARRUS_NONE};
      return SARRUS_EVENT;
    }
    for (int i = 0; i < count; i++)
      if (wanted == SARRUS_BOTH || roots[i].direction == (int)wanted)
        SARRUS_TRY(add_hit(sim, (Hit){roots[i].t, event, roots[i].direction}));
    from = to;
  }
  return SARRUS_OK;
}

sarrus_Status sim_find_events(sarrus_Sim *sim) {
  sim->hit_count = sim->hit_next = 0;
  if (sim->events == NULL || sim->events->count == 0) return SARRUS_OK;
  SARRUS_TRY(event_series(sim));
  for (int e = 0; e < sim->events->count; e++)
    SARRUS_TRY(find_hits(sim, e));
  return SARRUS_OK;
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
  sim->fault = (sarrus_Fault){event, pace->shrinking, interval, SARRUS_NONE};
  pace->seen = 0;
  return SARRUS_EVENT;
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
