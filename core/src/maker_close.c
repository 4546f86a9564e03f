/*
** A consistent start: damped Newton from a rough guess, each step the least in the norm of the
** mass.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "maker.h"
#include "vector.h"

enum { MOST_ITERATIONS = 100, MOST_HALVINGS = 12 };

/* Residuals are compared relative to the length of their rows, so as displacements. */
double maker_worst_residual(const Maker *maker, int *row) {
  double worst = 0;
  for (int i = maker->n; i < maker->variables; i++) {
    if (kkt_is_off(maker->expansion->kkt, i)) continue;
    const double length = maker_row_length(maker, i);
    const double size = fabs(maker->expansion->residual[i]) / (length > 0 ? length : 1);
    if (size < worst) continue;
    worst = size;
    *row = i;
  }
  return worst;
}

/*
** Redundant constraints depend on each other exactly only where all of them are met.  While an
** error is left, rows that are dependent up to that error count as dependent; where this would
** leave out too many, up to less.
*/
static sarrus_Status analyse(Maker *maker, double error) {
  double allowed = fmin(10 * error, 1e-3);
  sarrus_Status status;
  do {
    status = kkt_analyse(maker->expansion->kkt, allowed, maker->scale);
    if (status == SARRUS_SINGULAR) maker_name_singular(maker);
    if (status == SARRUS_OK) status = maker_factor(maker);
    if (status == SARRUS_OK) status = maker_choose_rows(maker);
    allowed *= 1e-3;
  } while (status == SARRUS_SINGULAR && allowed > DBL_EPSILON);
  return status;
}

static sarrus_Status inconsistent(Maker *maker, int row) {
  maker->fault = fault_violated(row, 0, fabs(maker->expansion->residual[row]));
  return SARRUS_INCONSISTENT;
}

/* Move by the largest fraction 1, 1/2, 1/4, … of the Newton step that lowers the residual. */
static sarrus_Status damped_step(Maker *maker, Point *point, double before, double *after,
                                 int *row) {
  double *step = maker->newton;
  memcpy(step, maker->expansion->rhs, (size_t)maker->n * sizeof *step);
  double fraction = 1, applied = 0;
  for (int i = 0; i < MOST_HALVINGS; i++, fraction /= 2) {
    for (int j = 0; j < maker->n; j++)
      if (maker->system->degree[j] == 2) point->q[j] += (fraction - applied) * step[j];
    applied = fraction;
    const sarrus_Status status = maker_place(maker, point);
    if (status == SARRUS_NONFINITE) continue;
    SARRUS_TRY(status);
    expansion_residual(maker->expansion);
    *after = maker_worst_residual(maker, row);
    if (*after < before) return SARRUS_OK;
  }
  return SARRUS_INCONSISTENT;
}

/* The error that rounding leaves in a residual. */
static const double CLOSED = 64 * DBL_EPSILON;

sarrus_Status maker_close(Maker *maker, Point *point, int renew) {
  int row = SARRUS_NONE;
  SARRUS_TRY(maker_place(maker, point));
  expansion_residual(maker->expansion);
  double error = maker_worst_residual(maker, &row);
  if (!renew && error <= CLOSED) return SARRUS_OK;
  for (int i = 0; error > 0 && i < MOST_ITERATIONS; i++) {
    SARRUS_TRY(analyse(maker, error));
    double after = error;
    if (maker_correction(maker) <= DBL_EPSILON) break;
    const sarrus_Status status = damped_step(maker, point, error, &after, &row);
    if (status == SARRUS_INCONSISTENT && error <= CLOSED) {
      SARRUS_TRY(maker_place(maker, point));
      break;
    }
    if (status == SARRUS_INCONSISTENT) return inconsistent(maker, row);
    SARRUS_TRY(status);
    error = after;
  }
  return error <= CLOSED ? analyse(maker, 0) : inconsistent(maker, row);
}

int maker_is_left_open(const Maker *maker, double part) {
  const Kkt *kkt = maker->expansion->kkt;
  for (int i = maker->n; i < maker->variables; i++) {
    if (kkt_is_off(kkt, i)) continue;
    const double allowed = kkt->dependent[i - maker->n] == KKT_DEPENDENT ? part : CLOSED;
    if (!(fabs(maker->expansion->residual[i]) <= allowed * maker_row_length(maker, i))) return 0;
  }
  return 1;
}

static double distance(const Maker *maker, const double *x, const double *y) {
  double size = 0;
  for (int j = 0; j < maker->n; j++)
    size = fmax(size, fabs(x[j] - y[j]));
  return size;
}

static void first_scale(Maker *maker) {
  for (int j = 0; j < maker->n; j++)
    maker->scale[j] = fmax(maker->least[j], fabs(maker->to.q[j]));
  for (int i = maker->n; i < maker->system->room; i++)
    maker->scale[i] = maker->system->general ? maker->options.scale : 0;
}

sarrus_Status maker_start(Maker *maker, double t, const double *q, const double *v) {
  Correction moved;
  const size_t size = (size_t)maker->n * sizeof(double);
  maker->broken = 1;
  maker->best_margin = 0;
  maker->pole = 0;
  maker_clear_fault(maker);
  if (!isfinite(t)) return SARRUS_NONFINITE;
  SARRUS_TRY(expansion_check_given(q, v, maker->n, &maker->fault));
  maker->to.t = t;
  maker->to.t_low = 0;
  memcpy(maker->to.q, q, size);
  memcpy(maker->to.v, v, size);
  maker->span.order = 0;
  maker->span.until = maker->began = t;
  maker->direction = 1;
  work_set_unit(maker->expansion->work, 1);
  maker->span.unit = 1;
  maker->natural = maker->fastest = maker->foreseen = maker->until = 0;
  maker_release(maker);
  maker_choose_first_method(maker);
  first_scale(maker);
  SARRUS_TRY(maker_close(maker, &maker->to, 1));
  maker->order = maker->options.order > 0 ? maker->options.order : maker_first_order(maker);
  SARRUS_TRY(maker_project(maker, &maker->to, &moved));
  maker->stats.moved = distance(maker, maker->to.q, q);
  maker->stats.moved_velocity = distance(maker, maker->to.v, v);
  first_scale(maker);
  maker_note_multipliers(maker);
  point_copy(&maker->span.from, &maker->to, maker->n);
  maker->broken = 0;
  return SARRUS_OK;
}

sarrus_Status maker_analyse(Maker *maker, Point *point) {
  SARRUS_TRY(maker_place(maker, point));
  return analyse(maker, 0);
}

/* With a pivot below this, a change has made constraints dependent, as two stops in contact are. */
static const double DEPENDENT_PIVOT = 1e-11;

sarrus_Status maker_settle(Maker *maker) {
  Correction moved;
  SARRUS_TRY(expansion_check_given(maker->to.q, maker->to.v, maker->n, &maker->fault));
  SARRUS_TRY(maker_close(maker, &maker->to, 0));
  const sarrus_Status status = maker_project_placed(maker, &maker->to, &moved);
  if (status != SARRUS_SINGULAR && maker->expansion->kkt->smallest > DEPENDENT_PIVOT) return status;
  SARRUS_TRY(maker_close(maker, &maker->to, 1));
  return maker_project_placed(maker, &maker->to, &moved);
}
