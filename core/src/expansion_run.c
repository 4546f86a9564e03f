/*
** An expansion by itself, at a point that is given: it is checked and not moved, then come all
** stages; their coefficients.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "expansion_parts.h"
#include "vector.h"

/* --- the point as it is given ------------------------------------------------------------ */

/*
** How much a constraint changes as each coordinate in it moves by the largest of them, or by 1
** where all are 0.  Coordinates that are 0 only up to the rounding of others count as large as that
** rounding over the tolerance, so that it is no violation.
*/
static double position_size(const sarrus_Expansion *expansion, int row, const double *q,
                            double tolerance) {
  const Pattern *pattern = &expansion->kkt->pattern;
  double largest = 0, sum = 0, all = 0;
  for (int e = pattern->start[row]; e < pattern->start[row + 1]; e++) {
    if (pattern->column[e] >= expansion->system->n) continue;
    sum += fabs(expansion->kkt->value[e]);
    largest = fmax(largest, fabs(q[pattern->column[e]]));
  }
  if (largest == 0) return sum;
  for (int j = 0; j < expansion->system->n; j++)
    all = fmax(all, fabs(q[j]));
  return sum * fmax(largest, fmin(1, 256 * DBL_EPSILON / tolerance) * all);
}

/* What is added up in its rate. */
static double rate_size(const sarrus_Expansion *expansion, int row, const double *v) {
  const double moved = kkt_row_times(expansion->kkt, row, v, expansion->system->n);
  return fabs(expansion->residual[row] - moved) + expansion_row_size(expansion, row, v);
}

/*
** Residuals of positions relative to what their own rows are made of, of rates to the largest of
** all rows.
*/
static double residual_size(const sarrus_Expansion *expansion, int derivative, int row,
                            const double *x, double tolerance) {
  if (derivative == 0) return position_size(expansion, row, x, tolerance);
  double largest = 0;
  const sarrus_System *system = expansion->system;
  for (int i = system->n; i < system->n + system->m; i++)
    largest = fmax(largest, rate_size(expansion, i, x));
  return largest;
}

static sarrus_Status check_residual(const sarrus_Expansion *expansion, int derivative,
                                    const double *x, double tolerance, sarrus_Fault *fault) {
  const sarrus_System *system = expansion->system;
  double worst = tolerance;
  for (int i = system->n; i < system->n + system->m; i++) {
    const double residual = fabs(expansion->residual[i]);
    if (residual == 0 || kkt_is_off(expansion->kkt, i)) continue;
    const double size = residual_size(expansion, derivative, i, x, tolerance);
    if (residual <= worst * size) continue;
    worst = residual / size;
    *fault = fault_violated(i, derivative, residual);
  }
  return fault->row == SARRUS_NONE ? SARRUS_OK : SARRUS_INCONSISTENT;
}

/* --- all stages -------------------------------------------------------------------------- */

/* Which constraints depend on others, and the factors without them. */
static sarrus_Status factor(sarrus_Expansion *expansion, sarrus_Fault *fault) {
  const sarrus_Status status = kkt_analyse(expansion->kkt, 0, NULL);
  return status == SARRUS_OK || status == SARRUS_SINGULAR ? expansion_factor(expansion, fault)
                                                          : status;
}

/*
** A constraint that was left out of the matrix must hold all the same, relative to what is added up
** in all of them: otherwise it does not follow from the others but contradicts them.
*/
static sarrus_Status check_dependent(const sarrus_Expansion *expansion, int stage, double tolerance,
                                     sarrus_Fault *fault) {
  const int n = expansion->system->n, variables = n + expansion->system->m;
  const Kkt *kkt = expansion->kkt;
  double largest = 0, size = 0;
  if (kkt->dependent_count == 0) return SARRUS_OK;
  for (int i = n; i < variables; i++) {
    expansion_stage_acceleration(expansion, i, stage, &size);
    largest = fmax(largest, size * kkt->row[i]);
  }
  for (int i = n; i < variables; i++) {
    const double residual = fabs(expansion_stage_acceleration(expansion, i, stage, &size));
    if (kkt->dependent[i - n] != KKT_DEPENDENT) continue;
    if (residual * kkt->row[i] <= tolerance * largest) continue;
    *fault = fault_violated(i, 2, residual);
    return SARRUS_INCONSISTENT;
  }
  return SARRUS_OK;
}

static int most_degree(const sarrus_System *system) {
  int most = 1;
  for (int j = 0; j < system->n; j++)
    if (system->degree[j] > most) most = system->degree[j];
  return most;
}

/* Velocities are not asked for where the equations tell them. */
static sarrus_Status check_point(const sarrus_System *system, double t, const double *q,
                                 const double *v, const double *parameters, double tolerance,
                                 sarrus_Fault *fault) {
  if (q == NULL || (v == NULL && !system->general) ||
      (parameters == NULL && system->parameters > 0) || !(tolerance >= 0))
    return SARRUS_ARGUMENT;
  if (!isfinite(t) || (parameters != NULL && !vector_finite(parameters, system->parameters)))
    return SARRUS_NONFINITE;
  return expansion_check_given(q, v, system->n, fault);
}

sarrus_Status sarrus_expansion_run(sarrus_Expansion *expansion, double t, const double *q,
                                   const double *v, const double *parameters, double tolerance,
                                   sarrus_Fault *fault) {
  double *rates = expansion->rates;
  *fault = fault_none();
  SARRUS_TRY(check_point(expansion->system, t, q, v, parameters, tolerance, fault));
  work_reset(expansion->work);
  if (v != NULL) memcpy(rates, v, (size_t)expansion->system->n * sizeof *rates);
  SARRUS_TRY(expansion_place(expansion, t, q, rates, parameters, fault));
  expansion_residual(expansion);
  SARRUS_TRY(check_residual(expansion, 0, q, tolerance, fault));
  SARRUS_TRY(expansion_settle(expansion, fault));
  expansion_rate_residual(expansion, rates);
  SARRUS_TRY(check_residual(expansion, 1, rates, tolerance, fault));
  SARRUS_TRY(expansion_set_rates(expansion, rates, fault));
  SARRUS_TRY(factor(expansion, fault));
  for (int stage = 0; stage <= expansion->order - most_degree(expansion->system); stage++) {
    SARRUS_TRY(expansion_extend(expansion, stage, fault));
    SARRUS_TRY(check_dependent(expansion, stage, tolerance, fault));
  }
  return SARRUS_OK;
}

int sarrus_expansion_order(const sarrus_Expansion *expansion, int variable) {
  const sarrus_System *system = expansion->system;
  if (variable < 0 || variable >= system->n + system->m) return SARRUS_NONE;
  return expansion->order - most_degree(system) + system->degree[variable];
}

/* Of one of `count` variables from `first` on. */
static double coefficient(const sarrus_Expansion *expansion, int first, int count, int i, int k) {
  if (i < 0 || i >= count || k < 0 || k > expansion->order) return (double)NAN;
  return *expansion_at(expansion, k, first + i);
}

double sarrus_expansion_q(const sarrus_Expansion *expansion, int i, int k) {
  return coefficient(expansion, 0, expansion->system->n, i, k);
}

double sarrus_expansion_v(const sarrus_Expansion *expansion, int i, int k) {
  if (k < 0 || k >= expansion->order) return (double)NAN;
  return (k + 1) * coefficient(expansion, 0, expansion->system->n, i, k + 1);
}

double sarrus_expansion_lambda(const sarrus_Expansion *expansion, int i, int k) {
  return coefficient(expansion, expansion->system->n, expansion->system->m, i, k);
}

int sarrus_expansion_dependent(const sarrus_Expansion *expansion, int i) {
  const sarrus_System *system = expansion->system;
  return !system->general && i >= 0 && i < system->m &&
         expansion->kkt->dependent[i] == KKT_DEPENDENT;
}
