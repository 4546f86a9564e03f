/*
** Points on the constraints (T16).
**
** With the matrix J of the point, J (dq, .) = (0, -g) moves positions back by the least distance in the
** norm of the mass, and J (dv, .) = (0, -(G v + g_t), -w) velocities.  What follows must solve with the
** matrix of the corrected point: with the old one, the correction would come back in the
** accelerations.
*/
#include <float.h>
#include <math.h>

#include "sim_parts.h"
#include "vector.h"

/* Corrections below this, relative to scale, are rounding: the point stays where it is. */
static const double ROUNDING = 4 * DBL_EPSILON;

enum { MOST_CORRECTIONS = 8 };

sarrus_Status sim_place(sarrus_Sim *sim, Point *point) {
  sim_clear_fault(sim);
  return expansion_place(sim->expansion, point->t, point->q, point->v, sim->parameters,
                         &sim->fault);
}

void sim_name_singular(sarrus_Sim *sim) {
  const KktFault cause = kkt_fault(sim->expansion->kkt);
  sim->fault = fault_at(cause.row, cause.column, cause.condition);
}

sarrus_Status sim_factor(sarrus_Sim *sim) {
  const sarrus_Status status = kkt_factor(sim->expansion->kkt);
  sim->stats.factorisations++;
  if (status == SARRUS_SINGULAR) sim_name_singular(sim);
  return status;
}

sarrus_Status sim_choose_rows(sarrus_Sim *sim) {
  Kkt *kkt = sim->expansion->kkt;
  for (int i = 0; i < 2 * kkt->dependent_count && kkt_exchange(kkt); i++)
    SARRUS_TRY(sim_factor(sim));
  return SARRUS_OK;
}

double sim_correction(sarrus_Sim *sim) {
  const sarrus_Expansion *expansion = sim->expansion;
  for (int i = 0; i < sim->n; i++)
    expansion->rhs[i] = 0;
  for (int i = sim->n; i < sim->variables; i++)
    expansion->rhs[i] = -expansion->residual[i];
  kkt_solve_motion(expansion->kkt, expansion->rhs);
  return vector_finite(expansion->rhs, sim->n) ? vector_peak(expansion->rhs, sim->scale, sim->n)
                                               : (double)INFINITY;
}

double sim_row_length(const sarrus_Sim *sim, int row) {
  const Kkt *kkt = sim->expansion->kkt;
  double square = 0;
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++) {
    const double b = kkt->value[e] * sim->scale[kkt->pattern.column[e]];
    square += b * b;
  }
  return sqrt(square);
}

/*
** What constraints that were left out may be off by, relative to their rows, and their rates, relative to the largest speed
** besides: they must follow from the others.
*/
static const double LEFT_OUT = 1e-8, LEFT_OUT_RATE = 1e-6;

static sarrus_Status check_left_out(sarrus_Sim *sim, int derivative, double allowed) {
  const double *residual = sim->expansion->residual;
  const Kkt *kkt = sim->expansion->kkt;
  for (int i = sim->n; kkt->dependent_count > 0 && i < sim->variables; i++) {
    if (!kkt->dependent[i - sim->n]) continue;
    if (fabs(residual[i]) <= allowed * sim_row_length(sim, i)) continue;
    sim->fault = fault_violated(i, derivative, fabs(residual[i]));
    return SARRUS_INCONSISTENT;
  }
  return SARRUS_OK;
}

/* Corrections above this, relative to scale, after all iterations: there is no solution nearby. */
static const double UNSOLVED = 1e-9;

static sarrus_Status unsolved_constraints(sarrus_Sim *sim, int derivative) {
  const double *residual = sim->expansion->residual;
  int worst = sim->n;
  for (int i = sim->n; i < sim->variables; i++)
    if (fabs(residual[i]) > fabs(residual[worst])) worst = i;
  sim->fault = fault_violated(worst, derivative, fabs(residual[worst]));
  return SARRUS_INCONSISTENT;
}

/* Simplified Newton with the matrix of the first point; a second factorisation if it moved. */
static sarrus_Status project_positions(sarrus_Sim *sim, Point *point, double *moved) {
  SARRUS_TRY(sim_place(sim, point));
  SARRUS_TRY(sim_factor(sim));
  SARRUS_TRY(sim_choose_rows(sim));
  double size = 0;
  *moved = 0;
  for (int i = 0; i < MOST_CORRECTIONS; i++) {
    expansion_residual(sim->expansion);
    size = sim_correction(sim);
    if (!isfinite(size)) return SARRUS_NONFINITE;
    if (size <= ROUNDING || (i > 0 && size > *moved)) break;
    *moved += size;
    for (int j = 0; j < sim->n; j++)
      if (sim->system->degree[j] == 2) point->q[j] += sim->expansion->rhs[j];
    SARRUS_TRY(sim_place(sim, point));
  }
  if (size > UNSOLVED) return unsolved_constraints(sim, 0);
  if (*moved > 0) SARRUS_TRY(sim_factor(sim));
  expansion_residual(sim->expansion);
  return check_left_out(sim, 0, LEFT_OUT);
}

/* Add a correction; what it leaves over, being rounding, is rest: of a speed of 1e-34 steps would be made as long as it takes. */
static void correct_velocities(const sarrus_Sim *sim, double *v, double moved) {
  for (int j = 0; j < sim->n; j++) {
    v[j] += sim->expansion->rhs[j];
    const int corrected = sim->expansion->rhs[j] != 0;
    if (corrected && fabs(v[j]) <= 16 * ROUNDING * moved * sim->scale[j]) v[j] = 0;
  }
}

static sarrus_Status project_velocities(sarrus_Sim *sim, Point *point, double *moved) {
  SARRUS_TRY(expansion_settle(sim->expansion, &sim->fault));
  expansion_rate_residual(sim->expansion, point->v);
  *moved = sim_correction(sim);
  if (!isfinite(*moved)) return SARRUS_NONFINITE;
  correct_velocities(sim, point->v, *moved);
  if (sim->expansion->kkt->dependent_count > 0) {
    expansion_rate_residual(sim->expansion, point->v);
    const double speed = fmax(*moved, vector_peak(point->v, sim->scale, sim->n));
    SARRUS_TRY(check_left_out(sim, 1, LEFT_OUT_RATE * speed));
  }
  return expansion_set_rates(sim->expansion, point->v, &sim->fault);
}

/*
** In a general DAE the rates of constraints are met by the variables of degree 1, on which the velocities of
** those of degree 2 depend.
*/
static sarrus_Status project_rates(sarrus_Sim *sim, Point *point, double *moved) {
  double size = 0;
  *moved = 0;
  for (int i = 0; i < MOST_CORRECTIONS; i++) {
    SARRUS_TRY(expansion_settle(sim->expansion, &sim->fault));
    expansion_rate_residual(sim->expansion, point->v);
    size = sim_correction(sim);
    if (!isfinite(size)) return SARRUS_NONFINITE;
    if (size <= ROUNDING || (i > 0 && size > *moved)) break;
    *moved += size;
    for (int j = 0; j < sim->n; j++)
      if (sim->system->degree[j] == 1) point->q[j] += sim->expansion->rhs[j];
    SARRUS_TRY(sim_place(sim, point));
    SARRUS_TRY(sim_factor(sim));
  }
  if (size > UNSOLVED) return unsolved_constraints(sim, 1);
  return expansion_set_rates(sim->expansion, point->v, &sim->fault);
}

/* The unknowns of stage 0; in a general DAE velocities are among them. */
static sarrus_Status solve_first(sarrus_Sim *sim, Point *point) {
  const int loses_rank = sim->m > 0 && !sim->system->general;
  SARRUS_TRY(expansion_extend(sim->expansion, 0, &sim->fault));
  sim->margin = loses_rank ? kkt_rank_margin(sim->expansion->kkt) : 1;
  for (int j = 0; j < sim->n; j++)
    point->v[j] = expansion_velocity(sim->expansion, j);
  return SARRUS_OK;
}

sarrus_Status sim_project(sarrus_Sim *sim, Point *point, Correction *moved) {
  SARRUS_TRY(project_positions(sim, point, &moved->position));
  SARRUS_TRY(sim->system->general ? project_rates(sim, point, &moved->velocity)
                                  : project_velocities(sim, point, &moved->velocity));
  return solve_first(sim, point);
}

sarrus_Status sim_prepare(sarrus_Sim *sim, Point *point) {
  SARRUS_TRY(sim_place(sim, point));
  SARRUS_TRY(sim_factor(sim));
  SARRUS_TRY(expansion_settle(sim->expansion, &sim->fault));
  SARRUS_TRY(expansion_set_rates(sim->expansion, point->v, &sim->fault));
  sim->expansion->guess_is_known = 1;
  const sarrus_Status status = solve_first(sim, point);
  sim->expansion->guess_is_known = 0;
  return status;
}
