/*
** Points on the constraints (T16).
**
** With the matrix J of the point, J (dq, .) = (0, -g) moves positions back by the least distance in
** the norm of the mass, and J (dv, .) = (0, -(G v + g_t), -w) velocities.  What follows must solve
** with the matrix of the corrected point: with the old one, the correction would come back in the
** accelerations.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "maker.h"
#include "vector.h"

/* Corrections below this, relative to scale, are rounding: the point stays where it is. */
static const double ROUNDING = 4 * DBL_EPSILON;

/*
** Newton's method contracts by far more than this next to the solution.  Corrections this small
** that do not are rounding too, which in long chains is larger than ROUNDING: a chain of 100 bodies
** takes 7 % fewer instructions by this.
*/
static const double CONTRACTION = 0.25, NEAR_ROUNDING = 1024 * DBL_EPSILON;

int maker_corrects(int i, double size, double last, double moved) {
  if (size <= ROUNDING || (i > 0 && size > moved)) return 0;
  return !(size <= NEAR_ROUNDING && size > CONTRACTION * last);
}

/*
** Along longer chains rounding is larger still, since positions far away are: there corrections are
** rounding where the residuals are no more than that of what is added up in them (chain of 1,000,
** tolerance 1e-4: 11 solves for 6 points in place of 25, and a tenth of the instructions).
*/
int maker_may_be_rounding(int i, double size) {
  return i > 0 && size > NEAR_ROUNDING && !maker_is_unsolved(size);
}

int maker_is_residual_rounding(double residual, double size) {
  return fabs(residual) <= 2 * DBL_EPSILON * size;
}

static int residuals_are_rounding(const Maker *maker, const double *q) {
  const sarrus_Expansion *expansion = maker->expansion;
  for (int i = maker->n; i < maker->variables; i++)
    if (!kkt_is_off(expansion->kkt, i) &&
        !maker_is_residual_rounding(expansion->residual[i], expansion_row_size(expansion, i, q)))
      return 0;
  return 1;
}

sarrus_Status maker_place(Maker *maker, Point *point) {
  maker_clear_fault(maker);
  return expansion_place(maker->expansion, point->t, point->q, point->v, maker->parameters,
                         &maker->fault);
}

void maker_name_singular(Maker *maker) {
  const KktFault cause = kkt_fault(maker->expansion->kkt);
  maker->fault = fault_at(cause.row, cause.column, cause.condition);
}

sarrus_Status maker_factor(Maker *maker) {
  const sarrus_Status status = kkt_factor(maker->expansion->kkt);
  maker->stats.factorisations++;
  maker->astray = 0;
  if (status == SARRUS_SINGULAR) maker_name_singular(maker);
  return status;
}

sarrus_Status maker_find_back(Maker *maker) {
  expansion_recall(maker->expansion, maker->span.c);
  return maker_factor(maker);
}

sarrus_Status maker_choose_rows(Maker *maker) {
  Kkt *kkt = maker->expansion->kkt;
  for (int i = 0; i < 2 * kkt->dependent_count && kkt_exchange(kkt); i++)
    SARRUS_TRY(maker_factor(maker));
  return SARRUS_OK;
}

static double solve_correction(const Maker *maker, void (*solve)(Kkt *, double *)) {
  const sarrus_Expansion *expansion = maker->expansion;
  for (int i = 0; i < maker->n; i++)
    expansion->rhs[i] = 0;
  for (int i = maker->n; i < maker->variables; i++)
    expansion->rhs[i] = -expansion->residual[i];
  solve(expansion->kkt, expansion->rhs);
  return vector_finite(expansion->rhs, maker->n)
             ? vector_peak(expansion->rhs, maker->scale, maker->n)
             : (double)INFINITY;
}

double maker_correction(Maker *maker) {
  const Kkt *kkt = maker->expansion->kkt;
  const double size = solve_correction(maker, kkt_solve_small_motion);
  return kkt_is_small_motion(size, kkt->smallest, kkt->steady)
             ? size
             : solve_correction(maker, kkt_solve_motion);
}

/* l of (T44) */
double maker_row_length(const Maker *maker, int row) {
  const Kkt *kkt = maker->expansion->kkt;
  double square = 0;
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++) {
    const double b = kkt->value[e] * maker->scale[kkt->pattern.column[e]];
    square += b * b;
  }
  return sqrt(square);
}

/*
** What constraints that were left out may be off by, relative to their rows, and their rates,
** relative to the largest speed besides: they must follow from the others.
*/
static const double LEFT_OUT = 1e-8, LEFT_OUT_RATE = 1e-6;

/* What comes to rest keeps the rounding of the speeds it had before. */
static const double RATE_ROUNDING = 64 * DBL_EPSILON;

static sarrus_Status check_left_out(Maker *maker, int derivative, double allowed) {
  const double *residual = maker->expansion->residual;
  const Kkt *kkt = maker->expansion->kkt;
  for (int i = maker->n; kkt->dependent_count > 0 && i < maker->variables; i++) {
    if (kkt->dependent[i - maker->n] != KKT_DEPENDENT) continue;
    if (fabs(residual[i]) <= allowed * maker_row_length(maker, i)) continue;
    maker->fault = fault_violated(i, derivative, fabs(residual[i]));
    return SARRUS_INCONSISTENT;
  }
  return SARRUS_OK;
}

/* Corrections above this, relative to scale, after all iterations: there is no solution nearby. */
static const double UNSOLVED = 1e-9;

int maker_is_unsolved(double size) { return size > UNSOLVED; }

static sarrus_Status unsolved_constraints(Maker *maker, int derivative) {
  const double *residual = maker->expansion->residual;
  int worst = SARRUS_NONE;
  for (int i = maker->n; i < maker->variables; i++) {
    if (kkt_is_off(maker->expansion->kkt, i)) continue;
    if (worst == SARRUS_NONE || fabs(residual[i]) > fabs(residual[worst])) worst = i;
  }
  maker->fault = fault_violated(worst, derivative, fabs(residual[worst]));
  return SARRUS_INCONSISTENT;
}

/*
** Simplified Newton with the matrix of the first point, where the expansion is placed; a second
** factorisation if it moved.  Only then are rows chosen: the null space that tells which is needed
** there, and however nearly those kept depend on each other, corrections are themselves corrected
** (four-bar of hinges: a sixteenth of the instructions).
*/
static sarrus_Status project_positions(Maker *maker, Point *point, double *moved) {
  SARRUS_TRY(maker_factor(maker));
  double size = 0, last = (double)INFINITY;
  *moved = 0;
  for (int i = 0; i < MAKER_MOST_CORRECTIONS; i++) {
    expansion_residual(maker->expansion);
    size = maker_correction(maker);
    if (!isfinite(size)) return SARRUS_NONFINITE;
    if (!maker_corrects(i, size, last, *moved)) break;
    if (maker_may_be_rounding(i, size) && residuals_are_rounding(maker, point->q)) break;
    last = size;
    *moved += size;
    for (int j = 0; j < maker->n; j++)
      if (maker->system->degree[j] == 2) point->q[j] += maker->expansion->rhs[j];
    SARRUS_TRY(maker_place(maker, point));
  }
  if (maker_is_unsolved(size)) return unsolved_constraints(maker, 0);
  if (*moved > 0) SARRUS_TRY(maker_factor(maker));
  SARRUS_TRY(maker_choose_rows(maker));
  expansion_residual(maker->expansion);
  return check_left_out(maker, 0, LEFT_OUT);
}

/*
** Add a correction.  Where only rounding is left of a sum, it becomes 0, at rest: a speed of 1e-34
** would allow steps of any length.
*/
int maker_is_rounding(double v, double moved, double scale) {
  return fabs(v) <= MAKER_ROUNDING * moved * scale;
}

static void correct_velocities(const Maker *maker, double *v, double moved) {
  for (int j = 0; j < maker->n; j++) {
    v[j] += maker->expansion->rhs[j];
    const int corrected = maker->expansion->rhs[j] != 0;
    if (corrected && maker_is_rounding(v[j], moved, maker->scale[j])) v[j] = 0;
  }
}

/* Velocity constraints, whose values are those before a correction of v, are affine: w + W dv. */
static void correct_residuals(const Maker *maker) {
  const sarrus_Expansion *expansion = maker->expansion;
  for (int i = maker->n; i < maker->variables; i++)
    if (maker->system->offset[i] == 1)
      expansion->residual[i] += kkt_row_times(expansion->kkt, i, expansion->rhs, maker->n);
}

/*
** Positions, the factors of J and velocities are those of the point; `rates`, unless NULL, those of
** the constraints.
*/
static sarrus_Status stand(Maker *maker, Point *point, double *rates) {
  SARRUS_TRY(maker_place(maker, point));
  SARRUS_TRY(maker_factor(maker));
  SARRUS_TRY(expansion_settle(maker->expansion, &maker->fault));
  if (rates != NULL) {
    expansion_rate_residual(maker->expansion, point->v);
    memcpy(rates, maker->expansion->residual, (size_t)maker->variables * sizeof *rates);
  }
  return expansion_set_rates(maker->expansion, point->v, &maker->fault);
}

/*
** What is restored stands at the same point without having been projected.  So that it goes on
** with the same digits, a J that contains velocities is that of those which are kept.
*/
static sarrus_Status project_velocities(Maker *maker, Point *point, double *moved) {
  SARRUS_TRY(expansion_settle(maker->expansion, &maker->fault));
  expansion_rate_residual(maker->expansion, point->v);
  *moved = maker_correction(maker);
  if (!isfinite(*moved)) return SARRUS_NONFINITE;
  correct_velocities(maker, point->v, *moved);
  if (maker->expansion->kkt->dependent_count > 0) {
    expansion_rate_residual(maker->expansion, point->v);
    correct_residuals(maker);
    const double now = fmax(*moved, vector_peak(point->v, maker->scale, maker->n));
    maker->fastest = fmax(maker->fastest, now);
    const double rest = RATE_ROUNDING * fmax(maker->fastest, 1 / maker->expansion->work->unit);
    const double speed = fmax(now, rest / LEFT_OUT_RATE);
    SARRUS_TRY(check_left_out(maker, 1, LEFT_OUT_RATE * speed));
  }
  return maker->system->turns_with_rates
             ? stand(maker, point, NULL)
             : expansion_set_rates(maker->expansion, point->v, &maker->fault);
}

/*
** In a general DAE the rates of constraints are met by the variables of degree 1, on which the
** velocities of those of degree 2 depend.
*/
static sarrus_Status project_rates(Maker *maker, Point *point, double *moved) {
  double size = 0;
  *moved = 0;
  for (int i = 0; i < MAKER_MOST_CORRECTIONS; i++) {
    SARRUS_TRY(expansion_settle(maker->expansion, &maker->fault));
    expansion_rate_residual(maker->expansion, point->v);
    size = maker_correction(maker);
    if (!isfinite(size)) return SARRUS_NONFINITE;
    if (size <= ROUNDING || (i > 0 && size > *moved)) break;
    *moved += size;
    for (int j = 0; j < maker->n; j++)
      if (maker->system->degree[j] == 1) point->q[j] += maker->expansion->rhs[j];
    SARRUS_TRY(maker_place(maker, point));
    SARRUS_TRY(maker_factor(maker));
  }
  if (maker_is_unsolved(size)) return unsolved_constraints(maker, 1);
  return expansion_set_rates(maker->expansion, point->v, &maker->fault);
}

/* The unknowns of stage 0; in a general DAE velocities are among them. */
static sarrus_Status solve_first(Maker *maker, Point *point) {
  const int loses_rank = maker->m > 0 && !maker->system->general;
  maker->ahead.what = AHEAD_NOT;
  SARRUS_TRY(expansion_extend(maker->expansion, 0, &maker->fault));
  maker->margin = loses_rank ? kkt_rank_margin(maker->expansion->kkt) : 1;
  for (int j = 0; j < maker->n; j++)
    point->v[j] = expansion_velocity(maker->expansion, j);
  return SARRUS_OK;
}

sarrus_Status maker_project(Maker *maker, Point *point, Correction *moved) {
  SARRUS_TRY(maker_place(maker, point));
  return maker_project_placed(maker, point, moved);
}

sarrus_Status maker_project_placed(Maker *maker, Point *point, Correction *moved) {
  SARRUS_TRY(project_positions(maker, point, &moved->position));
  SARRUS_TRY(maker->system->general ? project_rates(maker, point, &moved->velocity)
                                    : project_velocities(maker, point, &moved->velocity));
  return solve_first(maker, point);
}

sarrus_Status maker_prepare(Maker *maker, Point *point) {
  return maker_prepare_rates(maker, point, NULL);
}

sarrus_Status maker_prepare_rates(Maker *maker, Point *point, double *rates) {
  SARRUS_TRY(stand(maker, point, rates));
  maker->expansion->guess_is_known = 1;
  const sarrus_Status status = solve_first(maker, point);
  maker->expansion->guess_is_known = 0;
  return status;
}
