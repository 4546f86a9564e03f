/*
** Why steps came to an end.
**
** A motion that is prescribed may jump, or lead where no position of the mechanism is, as past a dead centre: there velocities
** grow without bound, and steps vanish.  A little ahead the constraints tell which it is: they are broken at once, or they
** cannot be closed.
*/
#include <math.h>

#include "sim_parts.h"

/* How far ahead, relative to the time; and, relative to that, where a jump has happened too. */
static const double AHEAD = 1e-7, NEARER = 1e-4;
/* Residuals that are not rounding. */
static const double BROKEN = 1e-12;

/*
** The constraint whose change with time does the most work, by the multipliers where the step began: what drives the motion.
** NONE where no constraint changes with time.
*/
static int driving_row(sarrus_Sim *sim) {
  sarrus_Expansion *expansion = sim->expansion;
  int row = SARRUS_NONE;
  double most = 0;
  if (sim_place(sim, &sim->from) < 0 || expansion_settle(expansion, &sim->fault) < 0) return row;
  for (int j = 0; j < sim->n; j++)
    sim->spare_v[j] = 0;
  expansion_rate_residual(expansion, sim->spare_v);
  for (int i = sim->n; i < sim->variables; i++) {
    const double power = fabs(expansion->residual[i] * sim->dense[i]);
    if (!(power > most) || sim->system->offset[i] != 2) continue;
    most = power;
    row = i;
  }
  return row;
}

static sarrus_Status cannot_follow(sarrus_Sim *sim, int row, double size) {
  sim->fault = fault_violated(row, 0, size);
  return SARRUS_INCONSISTENT;
}

/* The largest residual dt ahead, things being where they are. */
static double residual_ahead(sarrus_Sim *sim, double dt, int *row) {
  point_copy(&sim->to, &sim->from, sim->n);
  point_forward(&sim->to, sim->direction * dt);
  sim_release_switches(sim);
  if (sim_place(sim, &sim->to) < 0) return 0;
  expansion_residual(sim->expansion);
  return sim_worst_residual(sim, row);
}

/* OK where the prescribed motions can be followed. */
static sarrus_Status follow(sarrus_Sim *sim) {
  const int driving = driving_row(sim);
  const double dt = AHEAD * sim_past(sim);
  int row = SARRUS_NONE;
  const double farther = residual_ahead(sim, dt, &row);
  const double nearer = residual_ahead(sim, NEARER * dt, &row);
  if (nearer > fmax(BROKEN, 0.5 * farther))
    return cannot_follow(sim, row, fabs(sim->expansion->residual[row]));
  if (driving == SARRUS_NONE) return SARRUS_OK;
  residual_ahead(sim, dt, &row);
  const sarrus_Status status = sim_close(sim, &sim->to, 1);
  const int open = status == SARRUS_INCONSISTENT || status == SARRUS_SINGULAR;
  return open ? cannot_follow(sim, driving, 0) : SARRUS_OK;
}

sarrus_Status sim_find_cause(sarrus_Sim *sim, sarrus_Status status) {
  sarrus_Fault fault = sim->fault;
  if (status != SARRUS_STEP && status != SARRUS_SINGULAR && status != SARRUS_INCONSISTENT)
    return status;
  if (sim->m > 0 && !sim->system->general && sim->dense_order > 0 && follow(sim) < 0)
    return SARRUS_INCONSISTENT;
  if (status == SARRUS_STEP) fault.expr = sim_vanishing(sim);
  sim->fault = fault;
  return status;
}
