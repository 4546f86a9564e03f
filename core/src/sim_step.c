/* One natural step. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim_parts.h"

enum { MOST_TRIALS = 30, MOST_TURNS = 8, MOST_CROSSINGS = 100, LOWEST_ORDER = 4 };

/* So many crossings in a row within this part of a usual step are chattering. */
static const double CHATTER = 1e-6;

/* Shorter steps, relative to the time, are no longer known to a thousandth. */
static const double LEAST_STEP = 1024 * DBL_EPSILON;

void point_forward(Point *point, double dt) {
  const double y = dt + point->t_low, t = point->t + y;
  point->t_low = y - (t - point->t);
  point->t = t;
}

void point_copy(Point *to, const Point *from, int n) {
  to->t = from->t;
  to->t_low = from->t_low;
  memcpy(to->q, from->q, (size_t)n * sizeof *to->q);
  memcpy(to->v, from->v, (size_t)n * sizeof *to->v);
}

/*
** Stages 1 to K - 1.  On a threshold of a piecewise function the branch must be the one to which the motion
** goes; if neither is, it sticks.
*/
static sarrus_Status expand(sarrus_Sim *sim) {
  for (int turn = 0;; turn++) {
    for (int stage = 1; stage < sim->order; stage++)
      SARRUS_TRY(expansion_extend(sim->expansion, stage, &sim->fault));
    const int wrong = sim_wrong_switch(sim);
    if (wrong == SARRUS_NONE) return SARRUS_OK;
    if (turn == MOST_TURNS) {
      const int value = sim->system->tape->switches[wrong].value;
      sim->fault.expr = sim->system->tape->values[value].node;
      return SARRUS_EVENT;
    }
    sim_turn_switch(sim, wrong);
    SARRUS_TRY(sim_prepare(sim, &sim->from));
  }
}

/* The series just made become those of the span. */
static void keep_series(sarrus_Sim *sim) {
  double *finished = sim->expansion->series;
  sim->expansion->series = sim->dense;
  sim->dense = finished;
  sim->dense_order = sim->order;
  for (int j = 0; j < sim->n; j++) /* these are known to one order less */
    if (sim->system->degree[j] == 1)
      sim->dense[(ptrdiff_t)(sim->order + 1) * sim->variables + j] = 0;
}

/*
** How far the series are from the equations at the end of the step: what projection moved, and the
** accelerations and multipliers that the equations give there against those of the series; all
** as displacements, relative to scale (T18).
*/
static double defect(const sarrus_Sim *sim, double h, const Correction *moved) {
  const sarrus_Expansion *expansion = sim->expansion;
  double *x = expansion->rhs; /* a, lambda */
  double worst = fmax(moved->position, fabs(h) * moved->velocity);
  sim_evaluate(sim, h, NULL, sim->spare_v, x, x + sim->n);
  for (int j = 0; j < sim->n; j++) {
    const int second = sim->system->degree[j] == 2;
    const double error = second ? h * (x[j] - 2 * *expansion_at(expansion, 2, j))
                                : sim->spare_v[j] - *expansion_at(expansion, 1, j);
    worst = fmax(worst, fabs(h * error) / sim->scale[j]);
  }
  for (int i = sim->n; i < sim->variables && !sim->pole; i++) {
    const double lambda = *expansion_at(expansion, 0, i);
    worst = fmax(worst, h * h * fabs(x[i] - lambda) / sim->scale[i]);
  }
  return worst;
}

/* A truncated series of order K has accelerations about K^2 times less accurate than positions. */
static double accepted_defect(const sarrus_Sim *sim) {
  const double order = sim->dense_order;
  return (order + 1) * (order + 2) * fmax(sim->options.tolerance, 100 * DBL_EPSILON);
}

/*
** Evaluate the series at h, and bring what comes out onto the constraints.  A piecewise function that changes
** its branch there has no acceleration to compare with.
*/
static sarrus_Status land(sarrus_Sim *sim, double h, const Crossing *crossing, double *error) {
  Correction moved;
  point_copy(&sim->to, &sim->from, sim->n);
  point_forward(&sim->to, h);
  sim_evaluate(sim, h, sim->to.q, sim->to.v, NULL, NULL);
  sim_release_switches(sim);
  if (crossing != NULL) sim_force_switches(sim, crossing);
  SARRUS_TRY(sim_project(sim, &sim->to, &moved));
  *error =
      crossing != NULL ? fmax(moved.position, fabs(h) * moved.velocity) : defect(sim, h, &moved);
  return SARRUS_OK;
}

/* The magnitudes at the beginning of a step; its end may never be reached. */
static void note_scale(sarrus_Sim *sim) {
  for (int j = 0; j < sim->n; j++)
    sim->scale[j] = fmax(sim->scale[j], fabs(sim->from.q[j]));
  for (int i = sim->n; i < sim->variables && !sim->pole; i++)
    sim->scale[i] = fmax(sim->scale[i], fabs(*expansion_at(sim->expansion, 0, i)));
}

static void accept(sarrus_Sim *sim, double h) {
  sim->h = h;
  sim->changed = 0;
  sim->until = sim->to.t;
  sim->stats.steps++;
  sim->stats.order = sim->dense_order;
  if (sim->stats.steps == 1 || fabs(h) < sim->stats.smallest) sim->stats.smallest = fabs(h);
  sim->stats.largest = fmax(sim->stats.largest, fabs(h));
}

/* Crossings that follow each other within no time. */
static sarrus_Status count_crossing(sarrus_Sim *sim, const Crossing *crossing) {
  if (crossing == NULL) {
    sim->crossings = 0;
    return SARRUS_OK;
  }
  if (sim->crossings++ == 0) sim->crossings_began = sim->from.t;
  if (sim->crossings < MOST_CROSSINGS) return SARRUS_OK;
  sim->crossings = 0;
  const int chatters = fabs(sim->to.t - sim->crossings_began) < CHATTER * sim->stats.largest;
  return chatters ? SARRUS_EVENT : SARRUS_OK;
}

/* Stand again where the step began. */
static sarrus_Status back_out(sarrus_Sim *sim, sarrus_Status status) {
  if (status == SARRUS_STEP) {
    sim_clear_fault(sim);
    sim->fault.column = sim_limiting(sim);
  }
  const sarrus_Fault fault = sim->fault;
  point_copy(&sim->to, &sim->from, sim->n);
  sim->dense_order = sim->hit_count = sim->hit_next = 0;
  sim_drop_events(sim);
  sim->h = 0;
  sim->until = sim->now = sim->to.t;
  work_reset(sim->expansion->work);
  if (sim_prepare(sim, &sim->to) < 0) sim->broken = 1;
  sim->fault = fault;
  return status;
}

/* Try h, and less while the equations do not hold at its end. */
static sarrus_Status try_steps(sarrus_Sim *sim, double h, const Crossing *first) {
  const double wanted = accepted_defect(sim);
  const int fixed = sim->options.step > 0;
  sarrus_Status status = SARRUS_STEP;
  for (int trial = 0; trial < MOST_TRIALS; trial++) {
    const Crossing *crossing = first->slot != SARRUS_NONE && h == first->h ? first : NULL;
    double error = (double)INFINITY;
    if (!(fabs(h) > LEAST_STEP * fabs(sim->from.t))) return SARRUS_STEP;
    status = land(sim, h, crossing, &error);
    if (status == SARRUS_OK && (error <= wanted || fixed)) {
      accept(sim, h);
      return count_crossing(sim, crossing);
    }
    sim->stats.rejected++;
    h *= isfinite(error) ? fmax(0.3, 0.9 * pow(wanted / error, 1.0 / sim->dense_order)) : 0.5;
  }
  return status < 0 ? status : SARRUS_STEP;
}

/* Coefficients overflow, with no function to blame, where a motion is about to blow up. */
static int overflows(const sarrus_Sim *sim, sarrus_Status status) {
  return status == SARRUS_NONFINITE && sim->fault.expr == SARRUS_NONE;
}

/* Expand; where coefficients overflow, to a lower order. */
static sarrus_Status expand_within_range(sarrus_Sim *sim) {
  sarrus_Status status = expand(sim);
  while (overflows(sim, status) && sim->options.order == 0 && sim->order > LOWEST_ORDER) {
    sim->order = sim->order / 2 > LOWEST_ORDER ? sim->order / 2 : LOWEST_ORDER;
    work_reset(sim->expansion->work);
    SARRUS_TRY(sim_prepare(sim, &sim->from));
    status = expand(sim);
  }
  return overflows(sim, status) ? SARRUS_STEP : status;
}

sarrus_Status sim_make_step(sarrus_Sim *sim) {
  point_copy(&sim->from, &sim->to, sim->n);
  note_scale(sim);
  sarrus_Status status = expand_within_range(sim);
  if (status < 0) return back_out(sim, status);
  keep_series(sim);
  const double h = sim->direction * sim_choose_step(sim);
  const Crossing first = sim_first_crossing(sim, h);
  sim_choose_order(sim, fabs(h));
  status = try_steps(sim, first.h, &first);
  if (status == SARRUS_OK) status = sim_find_events(sim);
  return status < 0 ? back_out(sim, status) : SARRUS_OK;
}
