/*
** A consistent start: damped Newton from a rough guess, each step the least in the norm of the mass.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim_parts.h"
#include "vector.h"

enum { MOST_ITERATIONS = 100, MOST_HALVINGS = 12 };

/* Residuals are compared relative to the length of their rows, so as displacements. */
double sim_worst_residual(const sarrus_Sim *sim, int *row) {
  double worst = 0;
  for (int i = sim->n; i < sim->variables; i++) {
    const double length = sim_row_length(sim, i);
    const double size = fabs(sim->expansion->residual[i]) / (length > 0 ? length : 1);
    if (size < worst) continue;
    worst = size;
    *row = i;
  }
  return worst;
}

/*
** Redundant constraints depend on each other only where they are all met: with an error left, rows count as dependent
** that are so up to that; up to less where this would leave out too much.
*/
static sarrus_Status analyse(sarrus_Sim *sim, double error) {
  double allowed = fmin(10 * error, 1e-3);
  sarrus_Status status;
  do {
    status = kkt_analyse(sim->expansion->kkt, allowed, sim->scale);
    if (status == SARRUS_SINGULAR) sim_name_singular(sim);
    if (status == SARRUS_OK) status = sim_factor(sim);
    if (status == SARRUS_OK) status = sim_choose_rows(sim);
    allowed *= 1e-3;
  } while (status == SARRUS_SINGULAR && allowed > DBL_EPSILON);
  return status;
}

static sarrus_Status inconsistent(sarrus_Sim *sim, int row) {
  sim->fault = fault_violated(row, 0, fabs(sim->expansion->residual[row]));
  return SARRUS_INCONSISTENT;
}

/* Move by the largest fraction 1, 1/2, 1/4, … of the Newton step that lowers the residual. */
static sarrus_Status damped_step(sarrus_Sim *sim, Point *point, double before, double *after,
                                 int *row) {
  double *step = sim->newton;
  memcpy(step, sim->expansion->rhs, (size_t)sim->n * sizeof *step);
  double fraction = 1, applied = 0;
  for (int i = 0; i < MOST_HALVINGS; i++, fraction /= 2) {
    for (int j = 0; j < sim->n; j++)
      if (sim->system->degree[j] == 2) point->q[j] += (fraction - applied) * step[j];
    applied = fraction;
    const sarrus_Status status = sim_place(sim, point);
    if (status == SARRUS_NONFINITE) continue;
    SARRUS_TRY(status);
    expansion_residual(sim->expansion);
    *after = sim_worst_residual(sim, row);
    if (*after < before) return SARRUS_OK;
  }
  return SARRUS_INCONSISTENT;
}

/* The error that rounding leaves in a residual. */
static const double CLOSED = 64 * DBL_EPSILON;

sarrus_Status sim_close(sarrus_Sim *sim, Point *point, int renew) {
  int row = SARRUS_NONE;
  SARRUS_TRY(sim_place(sim, point));
  expansion_residual(sim->expansion);
  double error = sim_worst_residual(sim, &row);
  if (!renew && error <= CLOSED) return SARRUS_OK;
  for (int i = 0; error > 0 && i < MOST_ITERATIONS; i++) {
    SARRUS_TRY(analyse(sim, error));
    double after = error;
    if (sim_correction(sim) <= DBL_EPSILON) break;
    const sarrus_Status status = damped_step(sim, point, error, &after, &row);
    if (status == SARRUS_INCONSISTENT && error <= CLOSED) break;
    if (status == SARRUS_INCONSISTENT) return inconsistent(sim, row);
    SARRUS_TRY(status);
    error = after;
  }
  return error <= CLOSED ? analyse(sim, 0) : inconsistent(sim, row);
}

static double distance(const sarrus_Sim *sim, const double *x, const double *y) {
  double size = 0;
  for (int j = 0; j < sim->n; j++)
    size = fmax(size, fabs(x[j] - y[j]));
  return size;
}

static void first_scale(sarrus_Sim *sim) {
  for (int j = 0; j < sim->n; j++)
    sim->scale[j] = fmax(sim->least[j], fabs(sim->to.q[j]));
  for (int i = sim->n; i < sim->variables; i++)
    sim->scale[i] = sim->system->general ? sim->options.scale : 0;
}

static sarrus_Status start(sarrus_Sim *sim, double t, const double *q, const double *v) {
  Correction moved;
  sim->broken = 1;
  sim->started = 0;
  sim->best_margin = 0;
  sim->pole = sim->short_steps = sim->crossings = 0;
  sim_clear_fault(sim);
  if (!isfinite(t)) return SARRUS_NONFINITE;
  SARRUS_TRY(expansion_check_given(q, v, sim->n, &sim->fault));
  const size_t size = (size_t)sim->n * sizeof(double);
  sim->to.t = t;
  sim->to.t_low = 0;
  memcpy(sim->to.q, q, size);
  memcpy(sim->to.v, v, size);
  sim->dense_order = sim->hit_count = sim->hit_next = 0;
  sim_drop_events(sim);
  sim->direction = sim->broken = 1;
  sim->now = sim->until = sim->began = t;
  sim->changed = 0;
  work_set_unit(sim->expansion->work, 1);
  sim->unit = 1;
  sim->natural = 0;
  sim_release_switches(sim);
  first_scale(sim);
  SARRUS_TRY(sim_close(sim, &sim->to, 1));
  sim->order = sim->options.order > 0 ? sim->options.order : sim_first_order(sim);
  SARRUS_TRY(sim_project(sim, &sim->to, &moved));
  sim->stats.moved = distance(sim, sim->to.q, q);
  sim->stats.moved_velocity = distance(sim, sim->to.v, v);
  first_scale(sim);
  sim_note_multipliers(sim);
  point_copy(&sim->from, &sim->to, sim->n);
  sim->broken = 0;
  sim->started = 1;
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_start(sarrus_Sim *sim, double t, const double *q, const double *v) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, start(sim, t, q, v));
}
