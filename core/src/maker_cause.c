/*
** Why steps came to an end.
**
** A motion that is prescribed may jump, or lead where no position of the mechanism is, as past a
** dead centre: there velocities grow without bound, and steps vanish.  A little ahead the
** constraints tell which it is: they are broken at once, or they cannot be closed.
*/
#include <math.h>

#include "maker.h"

/* How far ahead, relative to the time; and, relative to that, where a jump has happened too. */
static const double AHEAD = 1e-7, NEARER = 1e-4;
/* Residuals above this are not rounding. */
static const double BROKEN = 1e-12;

/*
** The constraint whose change with time does the most work, by the multipliers where the step
** began: what drives the motion.  NONE where no constraint changes with time.
*/
static int driving_row(Maker *maker) {
  sarrus_Expansion *expansion = maker->expansion;
  int row = SARRUS_NONE;
  double most = 0;
  if (maker_place(maker, &maker->span.from) < 0 || expansion_settle(expansion, &maker->fault) < 0)
    return row;
  for (int j = 0; j < maker->n; j++)
    maker->spare_v[j] = 0;
  expansion_rate_residual(expansion, maker->spare_v);
  for (int i = maker->n; i < maker->variables; i++) {
    const double power = fabs(expansion->residual[i] * maker->span.c[i]);
    if (!(power > most) || maker->system->offset[i] != 2) continue;
    most = power;
    row = i;
  }
  return row;
}

static sarrus_Status cannot_follow(Maker *maker, int row, double size) {
  maker->fault = fault_violated(row, 0, size);
  return SARRUS_INCONSISTENT;
}

/* The largest residual dt ahead, things being where they are. */
static double residual_ahead(Maker *maker, double dt, int *row) {
  point_copy(&maker->to, &maker->span.from, maker->n);
  point_forward(&maker->to, maker->direction * dt);
  maker_release(maker);
  if (maker_place(maker, &maker->to) < 0) return 0;
  expansion_residual(maker->expansion);
  return maker_worst_residual(maker, row);
}

/* OK where the prescribed motions can be followed. */
static sarrus_Status follow(Maker *maker) {
  const int driving = driving_row(maker);
  const double dt = AHEAD * maker_past(maker);
  int row = SARRUS_NONE;
  const double open = residual_ahead(maker, 0, &row); /* contacts that others hold may be so */
  const double farther = residual_ahead(maker, dt, &row);
  const double nearer = residual_ahead(maker, NEARER * dt, &row);
  if (nearer > fmax(BROKEN + 2 * open, 0.5 * farther))
    return cannot_follow(maker, row, fabs(maker->expansion->residual[row]));
  if (driving == SARRUS_NONE) return SARRUS_OK;
  residual_ahead(maker, dt, &row);
  const sarrus_Status status = maker_close(maker, &maker->to, 1);
  const int none = status == SARRUS_INCONSISTENT || status == SARRUS_SINGULAR;
  return none ? cannot_follow(maker, driving, 0) : SARRUS_OK;
}

sarrus_Status maker_find_cause(Maker *maker, sarrus_Status status) {
  sarrus_Fault fault = maker->fault;
  if (status != SARRUS_STEP && status != SARRUS_SINGULAR && status != SARRUS_INCONSISTENT)
    return status;
  if (maker->m > 0 && !maker->system->general && maker->span.order > 0 && follow(maker) < 0)
    return SARRUS_INCONSISTENT;
  if (status == SARRUS_STEP) fault.expr = maker_vanishing(maker);
  maker->fault = fault;
  return status;
}
