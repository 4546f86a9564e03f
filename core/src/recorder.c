/* Recorders: rows of values at equal intervals of a simulation's time, for any number of sinks. */
#include "sarrus/recorder.h"

#include <math.h>
#include <string.h>

#include "recorder_parts.h"
#include "sim_parts.h"

/*
** Instants that differ by less than this part of an interval are the same: times that a script adds
** up differ by rounding.
*/
static const double SAME = 1e-9;

enum { MOST_NUMBERS = 1 << 24 };

struct sarrus_Recorder {
  sarrus_Memory memory;
  size_t bytes;
  const sarrus_Sim *sim;
  sarrus_Observer *observer;
  double t0, every, rate; /* rate: 1 / every, where that is a whole number, else 0 */
  double reached;         /* the time up to which steps have been recorded */
  double next;            /* the next instant in the direction of travel is t0 + next * every */
  int direction;
  int values; /* how many values the caller asked for */
  int sinks;
  sarrus_Sink sink[SARRUS_MOST_SINKS];
  double *q, *v, *a, *lambda, *modes; /* NULL: no expression uses them */
  double *parameter;                  /* the simulation's parameters, then the caller's */
  double *row;                        /* t, then the values: the last row written */
};

/* --- making ------------------------------------------------------------------------------ */

/* Space for a list of numbers, taken from *free; NULL where the list is not used. */
static double *list_if(int used, double **free, int count) {
  double *list = *free;
  if (!used) return NULL;
  *free += count;
  return list;
}

/* Make the observer, and those lists of numbers that its expressions use. */
static sarrus_Status observe(sarrus_Recorder *recorder, const sarrus_RecorderSpec *spec) {
  const sarrus_Sim *sim = recorder->sim;
  double *free = (double *)(void *)(recorder + 1);
  SARRUS_TRY(sarrus_observer_new(recorder->memory, spec->graph, spec->count, spec->exprs,
                                 &recorder->observer));
  const sarrus_Observer *observer = recorder->observer;
  const int parameters = sim->parameter_count + spec->values;
  if (sarrus_observer_uses(observer, SARRUS_Q) > sim->maker.n ||
      sarrus_observer_uses(observer, SARRUS_V) > sim->maker.n ||
      sarrus_observer_uses(observer, SARRUS_A) > sim->maker.n ||
      sarrus_observer_uses(observer, SARRUS_LAMBDA) > sarrus_system_multipliers(sim->system) ||
      sarrus_observer_uses(observer, SARRUS_U) > sim->system->modes ||
      sarrus_observer_uses(observer, SARRUS_PARAMETER) > parameters)
    return SARRUS_ARGUMENT;
  recorder->values = spec->values;
  recorder->q = list_if(sarrus_observer_uses(observer, SARRUS_Q), &free, sim->maker.n);
  recorder->v = list_if(sarrus_observer_uses(observer, SARRUS_V), &free, sim->maker.n);
  recorder->a = list_if(sarrus_observer_uses(observer, SARRUS_A), &free, sim->maker.n);
  recorder->lambda = list_if(sarrus_observer_uses(observer, SARRUS_LAMBDA), &free,
                             sarrus_system_multipliers(sim->system));
  recorder->modes = list_if(sarrus_observer_uses(observer, SARRUS_U), &free, sim->system->modes);
  recorder->row = list_if(1, &free, spec->count + 1);
  recorder->row[0] = (double)NAN;
  recorder->parameter = free;
  for (int i = 0; i < spec->values; i++)
    recorder->parameter[sim->parameter_count + i] = (double)NAN;
  return SARRUS_OK;
}

sarrus_Status sarrus_recorder_new(sarrus_Memory memory, const sarrus_Sim *sim,
                                  const sarrus_RecorderSpec *spec, sarrus_Recorder **result) {
  const size_t state = 3 * (size_t)sim->maker.n + (size_t)sarrus_system_multipliers(sim->system) +
                       (size_t)sim->system->modes + (size_t)sim->parameter_count;
  const size_t numbers = state + (size_t)spec->values + (size_t)spec->count + 1;
  const size_t bytes = sizeof(sarrus_Recorder) + numbers * sizeof(double);
  const double rate = round(1 / spec->every);
  *result = NULL;
  if (!(spec->every > 0 && spec->every < (double)INFINITY) || spec->count < 0 || spec->values < 0)
    return SARRUS_ARGUMENT;
  if (spec->count > MOST_NUMBERS || spec->values > MOST_NUMBERS) return SARRUS_LIMIT;
  sarrus_Recorder *recorder = memory.alloc(memory.ud, NULL, 0, bytes);
  if (recorder == NULL) return SARRUS_NOMEM;
  *recorder = (sarrus_Recorder){.memory = memory,
                                .bytes = bytes,
                                .sim = sim,
                                .t0 = sim->now,
                                .every = spec->every,
                                .rate = 1 / rate == spec->every ? rate : 0,
                                .reached = sim->now,
                                .direction = 1};
  const sarrus_Status status = observe(recorder, spec);
  if (status == SARRUS_OK)
    *result = recorder;
  else
    sarrus_recorder_free(recorder);
  return status;
}

void recorder_follow(sarrus_Recorder *recorder, const sarrus_Sim *sim) {
  recorder->sim = sim;
  recorder->t0 = recorder->reached = sim->now;
  recorder->next = 0;
  recorder->direction = 1;
  recorder->sinks = 0;
  recorder->row[0] = (double)NAN;
}

RecorderPlace recorder_place(const sarrus_Recorder *recorder) {
  return (RecorderPlace){recorder->sim,   recorder->t0,     recorder->reached,
                         recorder->next,  recorder->row[0], recorder->direction,
                         recorder->sinks, recorder->sink[0]};
}

void recorder_go_on(sarrus_Recorder *recorder, const RecorderPlace *place) {
  recorder->sim = place->sim;
  recorder->t0 = place->t0;
  recorder->reached = place->reached;
  recorder->next = place->next;
  recorder->row[0] = place->last;
  recorder->direction = place->direction;
  recorder->sinks = place->sinks;
  recorder->sink[0] = place->sink;
}

void sarrus_recorder_free(sarrus_Recorder *recorder) {
  if (recorder == NULL) return;
  sarrus_observer_free(recorder->observer);
  recorder->memory.alloc(recorder->memory.ud, recorder, recorder->bytes, 0);
}

size_t sarrus_recorder_bytes(const sarrus_Recorder *recorder) {
  return recorder->bytes + sarrus_observer_bytes(recorder->observer);
}

sarrus_Status sarrus_recorder_add_sink(sarrus_Recorder *recorder, sarrus_Sink sink) {
  if (sink.put == NULL) return SARRUS_ARGUMENT;
  if (recorder->sinks == SARRUS_MOST_SINKS) return SARRUS_LIMIT;
  recorder->sink[recorder->sinks++] = sink;
  return SARRUS_OK;
}

sarrus_Status sarrus_recorder_set(sarrus_Recorder *recorder, int i, double value) {
  if (i < 0 || i >= recorder->values) return SARRUS_ARGUMENT;
  recorder->parameter[recorder->sim->parameter_count + i] = value;
  return SARRUS_OK;
}

/* --- instants ---------------------------------------------------------------------------- */

/* Instant k; for intervals of 1/100 it is the double next to k/100, which 0.01 k may miss. */
static double instant(const sarrus_Recorder *recorder, double k) {
  return recorder->t0 + (recorder->rate > 0 ? k / recorder->rate : k * recorder->every);
}

static int same(const sarrus_Recorder *recorder, double t, double u) {
  return fabs(t - u) <= SAME * recorder->every;
}

/* Time now runs the other way, from `reached` on; a row at that very instant is not repeated. */
static void turn(sarrus_Recorder *recorder, int direction) {
  const int pending = same(recorder, instant(recorder, recorder->next), recorder->reached);
  if (!pending) recorder->next += direction;
  recorder->direction = direction;
  if (!pending && same(recorder, instant(recorder, recorder->next), recorder->reached))
    recorder->next += direction;
}

static void face(sarrus_Recorder *recorder, double t) {
  const int direction = t > recorder->reached ? 1 : t < recorder->reached ? -1 : 0;
  if (direction != 0 && direction != recorder->direction) turn(recorder, direction);
}

double sarrus_recorder_next(const sarrus_Recorder *recorder, double t) {
  sarrus_Recorder ahead = *recorder;
  face(&ahead, t);
  return instant(&ahead, ahead.next);
}

/* --- rows -------------------------------------------------------------------------------- */

/* Give the row to all sinks.  A sink that fails is removed; the others get the row all the same. */
static sarrus_Status put(sarrus_Recorder *recorder) {
  sarrus_Status result = SARRUS_OK;
  for (int i = 0; i < recorder->sinks; i++) {
    const sarrus_Status status = recorder->sink[i].put(recorder->sink[i].ud, recorder->row);
    if (status >= 0) continue;
    result = status;
    recorder->sink[i--] = recorder->sink[--recorder->sinks];
  }
  return result;
}

/* The values at time t, from the state that the lists hold. */
static void evaluate(sarrus_Recorder *recorder, double t, double *values) {
  const sarrus_Sim *sim = recorder->sim;
  const sarrus_Sight sight = {t,
                              recorder->q,
                              recorder->v,
                              recorder->a,
                              recorder->lambda,
                              recorder->parameter,
                              recorder->modes};
  memcpy(recorder->parameter, sim->parameters, (size_t)sim->parameter_count * sizeof(double));
  sarrus_observer_evaluate(recorder->observer, &sight, values);
}

static sarrus_Status put_row(sarrus_Recorder *recorder, double t) {
  recorder->row[0] = t;
  evaluate(recorder, t, recorder->row + 1);
  return put(recorder);
}

/*
** Fill the lists with the state at time t of the span; `after`: with the present state instead,
** since an action may have changed it at the end of the span.
*/
static sarrus_Status look(const sarrus_Recorder *recorder, double t, int after) {
  double *q = recorder->q, *v = recorder->v, *a = recorder->a, *lambda = recorder->lambda;
  const sarrus_Sim *sim = recorder->sim;
  double from, to, *modes = recorder->modes;
  if (after) {
    if (modes != NULL) SARRUS_TRY(sarrus_sim_modes(sim, modes));
    return sarrus_sim_state(sim, q, v, a, lambda);
  }
  sarrus_sim_span(sim, &from, &to);
  t = fmin(fmax(t, from), to);
  if (modes != NULL) SARRUS_TRY(sarrus_sim_modes_at(sim, t, modes));
  return sarrus_sim_at(sim, t, q, v, a, lambda);
}

int sarrus_recorder_due(sarrus_Recorder *recorder, int here, double *t) {
  const double now = recorder->sim->now;
  face(recorder, now);
  *t = instant(recorder, recorder->next);
  const double passed = recorder->direction * (now - *t);
  if (same(recorder, *t, now) ? here : passed > 0) return passed > 0 ? 1 : 2;
  recorder->reached = now;
  return 0;
}

sarrus_Status sarrus_recorder_take(sarrus_Recorder *recorder) {
  const double t = instant(recorder, recorder->next);
  SARRUS_TRY(look(recorder, t, recorder->direction * (recorder->sim->now - t) <= 0));
  recorder->next += recorder->direction;
  return put_row(recorder, t);
}

sarrus_Status sarrus_recorder_feed(sarrus_Recorder *recorder, int here) {
  sarrus_Status result = SARRUS_OK;
  double t;
  while (sarrus_recorder_due(recorder, here, &t)) {
    const sarrus_Status status = sarrus_recorder_take(recorder);
    if (status < 0) result = status;
  }
  return result;
}

sarrus_Status sarrus_recorder_mark(sarrus_Recorder *recorder, int after) {
  const double now = recorder->sim->now;
  if (!after && recorder->row[0] == now) return SARRUS_OK; /* this row is written already */
  SARRUS_TRY(look(recorder, now, after));
  if (after && same(recorder, instant(recorder, recorder->next), now))
    recorder->next += recorder->direction;
  return put_row(recorder, now);
}

sarrus_Status sarrus_recorder_read(sarrus_Recorder *recorder, double *values) {
  SARRUS_TRY(look(recorder, recorder->sim->now, 1));
  evaluate(recorder, recorder->sim->now, values);
  return SARRUS_OK;
}
