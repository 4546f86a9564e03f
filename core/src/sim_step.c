/* One natural step. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim_parts.h"

enum { MOST_TRIALS = 30 };

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

/* Stages 1 to K - 1; the series become those of the span. */
static sarrus_Status expand(sarrus_Sim *sim) {
  for (int stage = 1; stage < sim->order; stage++)
    SARRUS_TRY(expansion_extend(sim->expansion, stage, &sim->fault));
  double *finished = sim->expansion->series;
  sim->expansion->series = sim->dense;
  sim->dense = finished;
  sim->dense_order = sim->order;
  return SARRUS_OK;
}

/*
** How far the series are from the equations at the end of the step: what projection moved, and the
** accelerations and multipliers that the equations give there against those of the series;
** all as displacements, relative to scale.
*/
static double defect(sarrus_Sim *sim, double h, const Correction *moved) {
  const sarrus_Expansion *expansion = sim->expansion;
  double *a = expansion->rhs, *lambda = expansion->rhs + sim->n;
  double worst = fmax(moved->position, fabs(h) * moved->velocity);
  sim_evaluate(sim, h, NULL, NULL, a, lambda);
  for (int j = 0; j < sim->n; j++)
    worst = fmax(worst, h * h * fabs(a[j] - 2 * *expansion_at(expansion, 2, j)) / sim->scale[j]);
  for (int i = sim->n; i < sim->variables && !sim->pole; i++)
    worst = fmax(worst, h * h * fabs(expansion->rhs[i] - *expansion_at(expansion, 0, i)) / sim->scale[i]);
  return worst;
}

/* Evaluate the series at h, and bring what comes out onto the constraints. */
static sarrus_Status land(sarrus_Sim *sim, double h, Correction *moved) {
  point_copy(&sim->to, &sim->from, sim->n);
  point_forward(&sim->to, h);
  sim_evaluate(sim, h, sim->to.q, sim->to.v, NULL, NULL);
  return sim_project(sim, &sim->to, moved);
}

/* A truncated series of order K has accelerations about K^2 times less accurate than positions. */
static double accepted_defect(const sarrus_Sim *sim) {
  const double order = sim->dense_order;
  return (order + 1) * (order + 2) * fmax(sim->options.tolerance, 100 * DBL_EPSILON);
}

static void note_scale(sarrus_Sim *sim) {
  for (int j = 0; j < sim->n; j++) sim->scale[j] = fmax(sim->scale[j], fabs(sim->to.q[j]));
  for (int i = sim->n; i < sim->variables; i++)
    sim->scale[i] = fmax(sim->scale[i], fabs(*expansion_at(sim->expansion, 0, i)));
}

static void accept(sarrus_Sim *sim, double h) {
  sim->h = h;
  sim->now = sim->from.t;
  sim->stats.steps++;
  sim->stats.order = sim->dense_order;
  if (sim->stats.steps == 1 || fabs(h) < sim->stats.smallest) sim->stats.smallest = fabs(h);
  sim->stats.largest = fmax(sim->stats.largest, fabs(h));
  note_scale(sim);
}

/* The point, with its stage 0, is that of `to`: start over there after a failure. */
static sarrus_Status back_out(sarrus_Sim *sim, sarrus_Status status) {
  const sarrus_Fault fault = sim->fault;
  Correction moved;
  point_copy(&sim->to, &sim->from, sim->n);
  sim->dense_order = 0;
  sim->h = 0;
  sim->now = sim->to.t;
  work_reset(sim->expansion->work);
  if (sim_project(sim, &sim->to, &moved) < 0) sim->broken = 1;
  sim->fault = fault;
  return status;
}

sarrus_Status sim_make_step(sarrus_Sim *sim) {
  point_copy(&sim->from, &sim->to, sim->n);
  sarrus_Status status = expand(sim);
  if (status < 0) return back_out(sim, status);
  double h = sim->direction * sim_choose_step(sim);
  sim_choose_order(sim, fabs(h));
  const double wanted = accepted_defect(sim);
  for (int trial = 0; trial < MOST_TRIALS; trial++) {
    Correction moved;
    if (!(fabs(h) > 8 * DBL_EPSILON * fabs(sim->from.t))) return back_out(sim, SARRUS_STEP);
    status = land(sim, h, &moved);
    const double error = status < 0 ? (double)INFINITY : defect(sim, h, &moved);
    if (error <= wanted || (sim->options.step > 0 && status >= 0)) {
      accept(sim, h);
      return SARRUS_OK;
    }
    sim->stats.rejected++;
    h *= isfinite(error) ? fmax(0.3, 0.9 * pow(wanted / error, 1.0 / sim->dense_order)) : 0.5;
  }
  return back_out(sim, status < 0 ? status : SARRUS_STEP);
}
