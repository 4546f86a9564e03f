/* Motion at single points: accelerations, and the velocities that give a constraint unit rate. */
#include "sarrus/instant.h"

#include <math.h>
#include <string.h>

#include "instant_parts.h"
#include "vector.h"

/* --- layout ------------------------------------------------------------------------------ */

static sarrus_Instant *lay_out(Block *block, const sarrus_System *system, int goals) {
  sarrus_Instant shape = {.goals = goals};
  sarrus_Instant *instant = block_take(block, 1, sizeof *instant);
  const int first = system->n + system->m - goals;
  shape.expansion = expansion_take(block, system, MOST_DEGREE);
  BLOCK_TAKE(block, shape.scale, system->n);
  BLOCK_TAKE(block, shape.off, system->m);
  BLOCK_TAKE(block, shape.rest, system->n);
  BLOCK_TAKE(block, shape.trial, system->n);
  BLOCK_TAKE(block, shape.closing, system->n);
  BLOCK_TAKE(block, shape.step, system->n);
  BLOCK_TAKE(block, shape.entries,
             system->row_start[system->n + system->m] - system->row_start[first]);
  if (instant != NULL) *instant = shape;
  return instant;
}

static int is_scale(double scale) { return scale > 0 && isfinite(scale); }

sarrus_Status sarrus_instant_new(sarrus_Memory memory, const sarrus_System *system,
                                 const double *scale, int goals, sarrus_Instant **result) {
  *result = NULL;
  if (system->general || goals < 0 || goals > system->m) return SARRUS_ARGUMENT;
  for (int j = 0; scale != NULL && j < system->n; j++)
    if (!is_scale(scale[j])) return SARRUS_ARGUMENT;
  for (int i = system->m - goals; i < system->m; i++)
    if (system->offset[system->n + i] != 2 || system->contact_count > 0) return SARRUS_ARGUMENT;
  Block block = {NULL, 0};
  lay_out(&block, system, goals);
  const size_t bytes = block.used;
  block = (Block){memory.alloc(memory.ud, NULL, 0, bytes), 0};
  if (block.base == NULL) return SARRUS_NOMEM;
  memset(block.base, 0, bytes);
  sarrus_Instant *instant = lay_out(&block, system, goals);
  instant->memory = memory;
  instant->bytes = bytes;
  kkt_open(instant->expansion->kkt, memory);
  for (int j = 0; j < system->n; j++)
    instant->scale[j] = scale == NULL ? 1 : scale[j];
  for (int i = system->m - goals; i < system->m; i++)
    instant->off[i] = 1;
  if (goals > 0) kkt_turn_off(instant->expansion->kkt, instant->off);
  *result = instant;
  return SARRUS_OK;
}

void sarrus_instant_free(sarrus_Instant *instant) {
  if (instant == NULL) return;
  kkt_release(instant->expansion->kkt);
  const sarrus_Memory memory = instant->memory;
  memory.alloc(memory.ud, instant, instant->bytes, 0);
}

size_t sarrus_instant_bytes(const sarrus_Instant *instant) { return instant->bytes; }

/* --- points ------------------------------------------------------------------------------ */

static sarrus_Status check_point(const sarrus_System *system, double t, const double *q,
                                 const double *v, const double *parameters, sarrus_Fault *fault) {
  *fault = fault_none();
  if (q == NULL || v == NULL || (parameters == NULL && system->parameters > 0))
    return SARRUS_ARGUMENT;
  if (!isfinite(t) || (parameters != NULL && !vector_finite(parameters, system->parameters)))
    return SARRUS_NONFINITE;
  return expansion_check_given(q, v, system->n, fault);
}

sarrus_Status instant_place(sarrus_Instant *instant, double t, const double *q, const double *v,
                            const double *parameters, sarrus_Fault *fault) {
  sarrus_Expansion *expansion = instant->expansion;
  SARRUS_TRY(check_point(expansion->system, t, q, v, parameters, fault));
  memcpy(expansion->rates, v, (size_t)expansion->system->n * sizeof *v);
  return expansion_place(expansion, t, q, expansion->rates, parameters, fault);
}

/* Factor, with the best choice of which dependent rows to leave out. */
static sarrus_Status factor_best(Kkt *kkt) {
  SARRUS_TRY(kkt_factor(kkt));
  for (int i = 0; i < 2 * kkt->dependent_count && kkt_exchange(kkt); i++)
    SARRUS_TRY(kkt_factor(kkt));
  return SARRUS_OK;
}

sarrus_Status instant_factor(sarrus_Instant *instant, double allowed, sarrus_Fault *fault) {
  Kkt *kkt = instant->expansion->kkt;
  sarrus_Status status = instant->analysed ? factor_best(kkt) : SARRUS_SINGULAR;
  if (status == SARRUS_SINGULAR) {
    status = instant->doubted ? kkt_analyse_boldly(kkt, allowed, instant->scale)
                              : kkt_analyse(kkt, allowed, instant->scale);
    if (status < 0 && status != SARRUS_SINGULAR) return status;
    instant->analysed = 1;
    status = factor_best(kkt);
  }
  instant->doubted = 0;
  if (status == SARRUS_SINGULAR) {
    const KktFault cause = kkt_fault(kkt);
    *fault = fault_at(cause.row, cause.column, cause.condition);
    instant->analysed = 0;
  }
  return status;
}

void instant_doubt(sarrus_Instant *instant, int again) {
  instant->analysed = 0;
  instant->doubted = again > 0;
}

/*
** A left-out row follows from the others if its residual is at most this part of the largest term
** in it.
*/
static const double LEFT_OUT = 1e-8;

static int follows(const Kkt *kkt, int row, const double *x, double sum, double largest) {
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++) {
    if (kkt->pattern.column[e] >= kkt->n) continue;
    largest = fmax(largest, fabs(kkt->value[e] * x[kkt->pattern.column[e]]));
  }
  return fabs(sum) <= LEFT_OUT * largest;
}

/* --- accelerations ----------------------------------------------------------------------- */

static sarrus_Status solve_motion(sarrus_Instant *instant, const double *v, sarrus_Fault *fault) {
  sarrus_Expansion *expansion = instant->expansion;
  SARRUS_TRY(instant_factor(instant, 0, fault));
  work_reset(expansion->work);
  SARRUS_TRY(expansion_settle(expansion, fault));
  SARRUS_TRY(expansion_set_rates(expansion, v, fault));
  return expansion_extend(expansion, 0, fault);
}

/* A left-out row whose second derivative is not 0 with the accelerations found, or NONE. */
static int contradiction(const sarrus_Instant *instant) {
  const sarrus_Expansion *expansion = instant->expansion;
  const Kkt *kkt = expansion->kkt;
  double *a = instant->step, known = 0;
  for (int j = 0; j < kkt->n; j++)
    a[j] = expansion_acceleration(expansion, j);
  for (int i = kkt->n; kkt->dependent_count > 0 && i < kkt->size; i++)
    known = fmax(known, fabs(expansion->work->output[i]) / pow(expansion->work->unit, 2));
  for (int i = kkt->n; kkt->dependent_count > 0 && i < kkt->size; i++) {
    if (kkt->dependent[i - kkt->n] != KKT_DEPENDENT) continue;
    if (!follows(kkt, i, a, expansion_row_acceleration(expansion, i), known)) return i;
  }
  return SARRUS_NONE;
}

sarrus_Status sarrus_instant_motion(sarrus_Instant *instant, double t, const double *q,
                                    const double *v, const double *parameters, double *a,
                                    double *lambda, sarrus_Fault *fault) {
  const sarrus_Expansion *expansion = instant->expansion;
  const int n = expansion->system->n, m = expansion->system->m;
  for (int again = 0;; again++) {
    SARRUS_TRY(instant_place(instant, t, q, v, parameters, fault));
    SARRUS_TRY(solve_motion(instant, v, fault));
    const int row = contradiction(instant);
    if (row == SARRUS_NONE) break;
    instant_doubt(instant, again);
    if (again < 2) continue;
    *fault = fault_violated(row, 2, fabs(expansion_row_acceleration(expansion, row)));
    return SARRUS_INCONSISTENT;
  }
  for (int j = 0; a != NULL && j < n; j++)
    a[j] = expansion_acceleration(expansion, j);
  if (lambda != NULL) memcpy(lambda, expansion->rhs + n, (size_t)m * sizeof *lambda);
  return SARRUS_OK;
}

/* --- rates ------------------------------------------------------------------------------- */

/* Whether the velocities x change no left-out constraint but the wanted one. */
static int moves_alone(const Kkt *kkt, const double *x, int wanted) {
  for (int i = kkt->n; kkt->dependent_count > 0 && i < kkt->size; i++) {
    if (kkt->dependent[i - kkt->n] != KKT_DEPENDENT) continue;
    const double rate = kkt_row_times(kkt, i, x, kkt->n) - (i == wanted);
    if (!follows(kkt, i, x, rate, 0)) return 0;
  }
  return 1;
}

/*
** The velocities for a unit rate of each constraint, with the present choice of dependent rows;
** 0, and the fault, where one of them changes another constraint as well.
*/
static int solve_rates(const sarrus_Instant *instant, int count, const int *constraint,
                       double *rates, double *lambda, sarrus_Fault *fault) {
  double *x = instant->expansion->rhs;
  Kkt *kkt = instant->expansion->kkt;
  for (int i = 0; i < count; i++) {
    const int row = kkt->n + constraint[i];
    memset(x, 0, (size_t)kkt->size * sizeof *x);
    x[row] = 1;
    kkt_solve(kkt, x, 0);
    if (!vector_finite(x, kkt->size) || !moves_alone(kkt, x, row)) {
      *fault = fault_at(row, SARRUS_NONE, 0);
      return 0;
    }
    memcpy(rates + (ptrdiff_t)i * kkt->n, x, (size_t)kkt->n * sizeof *x);
    memcpy(lambda + (ptrdiff_t)i * kkt->m, x + kkt->n, (size_t)kkt->m * sizeof *x);
  }
  return 1;
}

sarrus_Status sarrus_instant_rates(sarrus_Instant *instant, double t, const double *q,
                                   const double *parameters, int count, const int *constraint,
                                   double *rates, double *lambda, sarrus_Fault *fault) {
  const int m = instant->expansion->system->m;
  *fault = fault_none();
  if (count < 0 || (count > 0 && (constraint == NULL || rates == NULL || lambda == NULL)))
    return SARRUS_ARGUMENT;
  for (int i = 0; i < count; i++)
    if (constraint[i] < 0 || constraint[i] >= m || instant->off[constraint[i]])
      return SARRUS_ARGUMENT;
  SARRUS_TRY(instant_place(instant, t, q, instant->rest, parameters, fault));
  for (int again = 0; again < 3; again++) {
    SARRUS_TRY(instant_factor(instant, 0, fault));
    if (solve_rates(instant, count, constraint, rates, lambda, fault)) return SARRUS_OK;
    instant_doubt(instant, again);
  }
  return SARRUS_SINGULAR;
}
