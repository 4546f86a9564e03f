/*
** Implicit steps (implicit.h): their length, and what of them the rest of a simulation sees, which
** is a span like any other.
*/
#include <math.h>
#include <string.h>

#include "maker.h"
#include "vector.h"

enum { MOST_TRIALS = 40 };

/* Next to what an error allows, steps are a little shorter, and change at most so much at once. */
static const double SAFETY = 0.9, LEAST_CHANGE = 0.2, MOST_CHANGE = 3;
/* Newton's method is to contract by this at least. */
static const double CONTRACTION = 0.4;

static sarrus_Status find_implicit(Maker *maker) {
  Method *method = &maker->method;
  if (*method->implicit != NULL) return SARRUS_OK;
  return implicit_new(method->memory, method->whole, maker->system, maker->options.tolerance,
                      method->implicit);
}

/* The coefficients of `from`: series just made are those of the span already. */
static Surroundings look_around(const Maker *maker, int series) {
  const sarrus_Expansion *expansion = maker->expansion;
  const double *c = series ? maker->span.c : expansion->series,
               unit = series ? maker->span.unit : expansion->work->unit;
  for (int j = 0; j < maker->n; j++)
    maker->newton[j] = maker->system->degree[j] == 2
                           ? 2 * c[2 * maker->variables + j] / (unit * unit)
                           : c[maker->variables + j] / unit;
  return (Surroundings){.parameters = maker->parameters,
                        .modes = expansion->modes,
                        .branch = expansion->work->branch,
                        .dependent = expansion->kkt->dependent,
                        .scale = maker->scale,
                        .lambda = c + maker->n,
                        .a = maker->newton,
                        .tolerance = maker->options.tolerance};
}

/* A first step: a part of the time in which the motion changes, by speeds and accelerations. */
static const double FIRST_PART = 1.0 / 16;

static double first_step(const Maker *maker) {
  const Surroundings here = look_around(maker, 0);
  const double speed = vector_peak(maker->span.from.v, maker->scale, maker->n),
               acceleration = vector_peak(here.a, maker->scale, maker->n);
  const double rate = fmax(speed, sqrt(acceleration / 2));
  return FIRST_PART * (rate > 0 && isfinite(rate) ? 1 / rate : maker->expansion->work->unit);
}

double maker_within(const Maker *maker, double h) {
  const double most = maker->options.max_step;
  return most > 0 && h > most ? most : h;
}

/* By what the step may change, as error and contraction allow. */
static double change(const Implicit *implicit) {
  const double power = -1.0 / (implicit->radau->stages + 2);
  double factor = implicit->error > 0 ? SAFETY * pow(implicit->error, power) : MOST_CHANGE;
  if (implicit->contraction > CONTRACTION)
    factor = fmin(factor, CONTRACTION / implicit->contraction);
  return fmin(MOST_CHANGE, fmax(LEAST_CHANGE, factor));
}

/* Where nothing else bounds a step, as in free fall, rounding does. */
static const double MOST_MOVED = 100;

static void check_rounding(const Maker *maker, Implicit *implicit) {
  double moved = 0;
  for (int j = 0; j < maker->n; j++)
    moved = fmax(moved, fabs(implicit->end_q[j] - maker->span.from.q[j]) / maker->scale[j]);
  implicit->error = fmax(implicit->error, pow(moved / MOST_MOVED, implicit->radau->stages + 2));
}

sarrus_Status maker_try_stages(Maker *maker, double size, int series, int *good) {
  *good = 0;
  SARRUS_TRY(find_implicit(maker));
  Implicit *implicit = *maker->method.implicit;
  const Surroundings here = look_around(maker, series);
  const sarrus_Status status =
      implicit_solve(implicit, &maker->span.from, maker->direction * size, &here);
  maker->stats.factorisations++;
  if (status == SARRUS_NOMEM) return status;
  if (status < 0)
    implicit->error = (double)INFINITY;
  else
    check_rounding(maker, implicit);
  *good = status == SARRUS_OK && implicit->error <= 1;
  return SARRUS_OK;
}

/* The stages just found become the span. */
static void write_span(Maker *maker, double h) {
  Implicit *implicit = *maker->method.implicit;
  Span *span = &maker->span;
  implicit_write(implicit, &span->from, h, span);
  for (int k = 0; k < span->order && maker->expansion->kkt->dependent_count > 0; k++)
    kkt_shorten(maker->expansion->kkt, span->c + (ptrdiff_t)k * span->variables + span->n);
  implicit_keep(implicit, h);
  maker->pole = maker->ends = 0;
  maker->near = (Near){.value = SARRUS_NONE};
  maker->method.of_span = 1;
  maker->method.made = h;
}

void maker_take_stages(Maker *maker, double size, double *h) {
  *h = maker->direction * size;
  write_span(maker, *h);
  maker->natural = size;
  maker->best_margin = fmax(maker->best_margin, maker->from_margin);
  maker->method.h = size * change(*maker->method.implicit);
}

/* Not where the polynomial is about as exact as the stages' end. */
static const double FIRST = 0.02, LAST = 0.95, BEYOND = 1.02;

double maker_behind(double at) { return BEYOND * at; }

int maker_is_within_stages(const Maker *maker, double at) {
  const double part = maker->method.of_span ? at / maker->method.made : 0;
  return part >= FIRST && part <= LAST;
}

sarrus_Status maker_cut_stages(Maker *maker, double at, double *h) {
  const double step = maker_behind(at);
  *h = maker->method.made;
  if (!maker_is_within_stages(maker, at)) return SARRUS_OK;
  const Surroundings here = look_around(maker, 1);
  const sarrus_Status status =
      implicit_solve_part(*maker->method.implicit, &maker->span.from, step, &here);
  maker->stats.factorisations++;
  if (status < 0) return status == SARRUS_NOMEM ? status : SARRUS_OK; /* the longer one serves */
  write_span(maker, step);
  *h = step;
  return SARRUS_OK;
}

sarrus_Status maker_expand_stiff(Maker *maker, double *h) {
  Method *method = &maker->method;
  double size = maker_within(maker, method->h > 0 ? method->h : first_step(maker));
  maker->near = (Near){.value = SARRUS_NONE};
  for (int trial = 0; trial < MOST_TRIALS; trial++) {
    int good;
    if (maker_vanishes(maker, maker->direction * size, 0)) break;
    SARRUS_TRY(maker_try_stages(maker, size, 0, &good));
    if (good) {
      maker_take_stages(maker, size, h);
      return SARRUS_OK;
    }
    Implicit *implicit = *method->implicit;
    maker->stats.rejected++;
    size *= isfinite(implicit->error) ? fmin(SAFETY, change(implicit)) : 0.5;
  }
  method->h = 0;
  return SARRUS_STEP;
}

sarrus_Status maker_follow_stages(Maker *maker, Tangent *tangent) {
  const Surroundings here = look_around(maker, 1);
  return implicit_follow(*maker->method.implicit, &maker->span.from, maker->method.made, &here,
                         tangent);
}

/* At the end of the stages' step: where they end, on the constraints. */
void maker_reach(Maker *maker, double h) {
  const Method *method = &maker->method;
  const size_t bytes = (size_t)maker->n * sizeof(double);
  if (!method->of_span || h != method->made) {
    span_evaluate(&maker->span, h, maker->to.q, maker->to.v, NULL, NULL);
    return;
  }
  memcpy(maker->to.q, (*method->implicit)->end_q, bytes);
  memcpy(maker->to.v, (*method->implicit)->end_v, bytes);
}

void maker_note_reached(Maker *maker, double h) {
  Implicit *implicit = *maker->method.implicit;
  implicit->last_end = h / maker->method.made;
  const size_t bytes = (size_t)maker->n * sizeof(double);
  memcpy(implicit->last_q, maker->to.q, bytes);
  memcpy(implicit->last_v, maker->to.v, bytes);
}
