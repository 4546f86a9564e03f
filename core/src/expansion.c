#include "sarrus/expansion.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "block.h"
#include "expansion_parts.h"
#include "vector.h"

/* --- layout ------------------------------------------------------------------------------ */

static void lay_out(sarrus_Expansion *expansion, Block *block) {
  const sarrus_System *system = expansion->system;
  const int variables = system->n + system->m;
  const Pattern pattern = {variables, system->row_start, system->columns};
  expansion->kkt = system->general ? kkt_take(block, pattern, variables, 0, 1)
                                   : kkt_take(block, pattern, system->n, system->m, 0);
  BLOCK_TAKE(block, expansion->modes, system->modes);
  BLOCK_TAKE(block, expansion->guess, variables);
  BLOCK_TAKE(block, expansion->rates, system->n);
  BLOCK_TAKE(block, expansion->rhs, variables);
  BLOCK_TAKE(block, expansion->residual, variables);
  BLOCK_TAKE(block, expansion->lower[0], variables);
  BLOCK_TAKE(block, expansion->lower[1], variables);
  BLOCK_TAKE(block, expansion->feeds, system->tape->input_count);
  BLOCK_TAKE(block, expansion->series, (size_t)(expansion->order + 1) * (size_t)system->room);
  void *work = block_take(block, work_size(system->tape, expansion->order), 1);
  expansion->work = work == NULL ? NULL : work_init(work, system->tape, expansion->order);
}

/* Which coefficients of a stage are inputs of the tape. */
static void connect(sarrus_Expansion *expansion) {
  const sarrus_System *system = expansion->system;
  for (int j = 0; j < system->n + system->m; j++) {
    for (int derivative = 0; derivative <= system->degree[j]; derivative++) {
      const int input = system->input[j][derivative];
      const int slot = input == SARRUS_NONE ? SARRUS_NONE : system->tape->inputs[input].slot;
      const double *x =
          derivative == system->degree[j] ? expansion->rhs : expansion->lower[derivative];
      if (slot == SARRUS_NONE) continue;
      expansion->feeds[expansion->feed_count++] =
          (Copy){expansion->work->stores[slot].current, &x[j]};
      if (derivative == 1 && system->degree[j] == 2) expansion->feeds_rates = 1;
    }
  }
}

/* Without a simulation, contacts are open. */
static void let_contacts_go(const sarrus_Expansion *expansion) {
  const sarrus_System *system = expansion->system;
  for (int i = 0; i < system->contact_count; i++) {
    const Contact *contact = &system->contacts[i];
    if (contact->gap != SARRUS_NONE) expansion->kkt->dependent[contact->gap] = KKT_OFF;
    for (int k = 0; k < contact->slips; k++)
      expansion->kkt->dependent[contact->slip + k] = KKT_OFF;
    expansion->kkt->off_count += (contact->gap != SARRUS_NONE) + contact->slips;
  }
}

sarrus_Expansion *expansion_take(Block *block, const sarrus_System *system, int order) {
  sarrus_Expansion shape = {.system = system, .order = order};
  sarrus_Expansion *expansion = block_take(block, 1, sizeof *expansion);
  lay_out(&shape, block);
  if (expansion == NULL) return NULL;
  *expansion = shape;
  connect(expansion);
  let_contacts_go(expansion);
  return expansion;
}

sarrus_Status sarrus_expansion_new(sarrus_Memory memory, const sarrus_System *system, int order,
                                   sarrus_Expansion **result) {
  *result = NULL;
  if (order < MOST_DEGREE) return SARRUS_ARGUMENT;
  if (order > SARRUS_MAX_EXPANSION) return SARRUS_LIMIT;
  Block block = {NULL, 0};
  expansion_take(&block, system, order);
  const size_t bytes = block.used;
  block = (Block){memory.alloc(memory.ud, NULL, 0, bytes), 0};
  if (block.base == NULL) return SARRUS_NOMEM;
  memset(block.base, 0, bytes);
  *result = expansion_take(&block, system, order);
  (*result)->memory = memory;
  (*result)->bytes = bytes;
  kkt_open((*result)->kkt, memory);
  return SARRUS_OK;
}

void sarrus_expansion_free(sarrus_Expansion *expansion) {
  if (expansion == NULL) return;
  kkt_release(expansion->kkt);
  expansion->memory.alloc(expansion->memory.ud, expansion, expansion->bytes, 0);
}

size_t sarrus_expansion_bytes(const sarrus_Expansion *expansion) { return expansion->bytes; }

sarrus_Status expansion_check_given(const double *q, const double *v, int n, sarrus_Fault *fault) {
  for (int derivative = 0; derivative < 2; derivative++) {
    const double *x = derivative == 0 ? q : v;
    for (int j = 0; x != NULL && j < n; j++) {
      if (isfinite(x[j])) continue;
      *fault = fault_at(SARRUS_NONE, j, 0);
      fault->derivative = derivative;
      return SARRUS_NONFINITE;
    }
  }
  return SARRUS_OK;
}

/* --- the point --------------------------------------------------------------------------- */

static sarrus_Status blame(const sarrus_Expansion *expansion, sarrus_Status status,
                           sarrus_Fault *fault) {
  if (status < 0) fault->expr = tape_culprit(expansion->work);
  return status;
}

static sarrus_Status find_values(sarrus_Expansion *expansion, int from, int to,
                                 sarrus_Fault *fault) {
  return blame(expansion, tape_values(expansion->work, from, to), fault);
}

static sarrus_Status find_weights(sarrus_Expansion *expansion, int from, int to,
                                  sarrus_Fault *fault) {
  return blame(expansion, tape_weights(expansion->work, from, to), fault);
}

/* The lead down to which values are known at a point. */
static int least_lead(const sarrus_Expansion *expansion) {
  return expansion->system->nonlinear ? 0 : 1;
}

static void fill_matrix(sarrus_Expansion *expansion) {
  const sarrus_System *system = expansion->system;
  const double *value = expansion->work->value;
  for (int i = 0; i < system->entry_count; i++)
    expansion->kkt->value[i] = value[system->tape->extra_value[i]];
}

/*
** The value of an input at the point.  Inputs not known there have the guess as value, or 0 where
** none is needed.
*/
static double input_value(const sarrus_Expansion *expansion, const Input *input, double t,
                          const double *q, const double *v, const double *parameters) {
  const sarrus_System *system = expansion->system;
  if (input->kind == SARRUS_TIME) return t;
  if (input->kind == SARRUS_PARAMETER) return parameters[input->index];
  if (input->kind == SARRUS_U) return expansion->modes[input->index];
  if (input->kind == SARRUS_Q) return q[input->index];
  if (input->lead == 0) {
    const int variable = input->kind == SARRUS_LAMBDA ? system->n + input->index : input->index;
    return system->nonlinear ? expansion->guess[variable] : 0;
  }
  return system->general ? 0 : v[input->index];
}

/* x' of the variables whose second derivative is determined: -F with x' = 0. */
static void find_rates(sarrus_Expansion *expansion, double *v) {
  const sarrus_System *system = expansion->system;
  double *value = expansion->work->value;
  for (int j = 0; j < system->n; j++) {
    if (system->degree[j] != 2) continue;
    v[j] = -value[system->tape->output_value[j]];
    value[system->tape->inputs[system->input[j][1]].value] = v[j];
  }
}

sarrus_Status expansion_place(sarrus_Expansion *expansion, double t, const double *q, double *v,
                              const double *parameters, sarrus_Fault *fault) {
  const sarrus_System *system = expansion->system;
  const Tape *tape = system->tape;
  for (int i = 0; i < tape->input_count; i++) {
    const Input *input = &tape->inputs[i];
    expansion->work->value[input->value] = input_value(expansion, input, t, q, v, parameters);
  }
  for (int j = 0; j < system->n; j++)
    *expansion_at(expansion, 0, j) = q[j];
  SARRUS_TRY(find_values(expansion, LEAD_CONSTANT, least_lead(expansion), fault));
  if (system->general) find_rates(expansion, v);
  fill_matrix(expansion);
  return SARRUS_OK;
}

/* --- constraints at the point ------------------------------------------------------------ */

void expansion_residual(sarrus_Expansion *expansion) {
  const sarrus_System *system = expansion->system;
  const Tape *tape = system->tape;
  for (int i = system->n; i < system->n + system->m; i++)
    expansion->residual[i] =
        system->offset[i] == 2 ? expansion->work->value[tape->output_value[i]] : 0;
}

sarrus_Status expansion_settle(sarrus_Expansion *expansion, sarrus_Fault *fault) {
  SARRUS_TRY(find_weights(expansion, LEAD_CONSTANT, least_lead(expansion), fault));
  tape_partial(expansion->work, -1);
  return SARRUS_OK;
}

/* g' = g_t + G v, and w itself. */
void expansion_rate_residual(sarrus_Expansion *expansion, const double *v) {
  const sarrus_System *system = expansion->system;
  const Work *work = expansion->work;
  for (int i = system->n; i < system->n + system->m; i++) {
    double *residual = &expansion->residual[i];
    *residual = system->offset[i] == 2   ? work->output[i] / work->unit
                : system->offset[i] == 1 ? work->value[system->tape->output_value[i]]
                                         : 0;
    if (system->offset[i] == 2) *residual += kkt_row_times(expansion->kkt, i, v, system->n);
  }
}

sarrus_Status expansion_set_rates(sarrus_Expansion *expansion, const double *v,
                                  sarrus_Fault *fault) {
  const sarrus_System *system = expansion->system;
  const Tape *tape = system->tape;
  Work *work = expansion->work;
  for (int j = 0; j < system->n; j++) {
    const int position = system->input[j][0], velocity = system->input[j][1];
    if (system->degree[j] != 2) continue;
    if (velocity != SARRUS_NONE) work->value[tape->inputs[velocity].value] = v[j];
    if (position != SARRUS_NONE && tape->inputs[position].slot != SARRUS_NONE)
      *work->stores[tape->inputs[position].slot].current = work->unit * v[j];
    *expansion_at(expansion, 1, j) = work->unit * v[j];
  }
  SARRUS_TRY(find_values(expansion, 1, 0, fault));
  SARRUS_TRY(find_weights(expansion, 1, 0, fault));
  tape_complete(work, -1);
  return SARRUS_OK;
}

/* sum_j |J_ij x_j| over the coordinates. */
double expansion_row_size(const sarrus_Expansion *expansion, int row, const double *x) {
  const Pattern *pattern = &expansion->kkt->pattern;
  double sum = 0;
  for (int e = pattern->start[row]; e < pattern->start[row + 1]; e++)
    if (pattern->column[e] < expansion->system->n)
      sum += fabs(expansion->kkt->value[e] * x[pattern->column[e]]);
  return sum;
}

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

/* --- the unknowns ------------------------------------------------------------------------ */

/*
** (T7): rhs has coefficient `stage` of the highest derivatives; from it follow those of the lower
** ones, by division (a rounded 1/k errs to one side: energy drifts like t).
*/
static void find_lower(sarrus_Expansion *expansion, int stage) {
  const sarrus_System *system = expansion->system;
  const int variables = system->n + system->m;
  for (int from = 0; from < variables; from = system->degree_end[from]) {
    const int degree = system->degree[from], count = system->degree_end[from] - from;
    const double *x = expansion->rhs + from;
    double divisor = 1;
    for (int derivative = degree - 1; derivative >= 0; derivative--) {
      double *lower = expansion->lower[derivative] + from;
      divisor *= (stage + degree - derivative) / expansion->work->unit;
      if (derivative > 0 && !expansion->feeds_rates) continue;
      vector_divide(lower, x, divisor, count);
      x = lower;
      divisor = 1;
    }
    memcpy(expansion_at(expansion, stage + degree, from), x, (size_t)count * sizeof *x);
  }
}

/* At stage 0 the highest derivatives have coefficients 0, which are values. */
static void set_values(sarrus_Expansion *expansion) {
  const sarrus_System *system = expansion->system;
  for (int j = 0; j < system->n + system->m; j++) {
    const int input = system->input[j][system->degree[j]];
    if (input == SARRUS_NONE) continue;
    expansion->work->value[system->tape->inputs[input].value] = expansion->rhs[j];
  }
}

/* R of (T6): equation i at this stage, unknowns zero (stage 0, order 0: as they are set). */
static double scaled_output(const sarrus_Expansion *expansion, int i, int stage) {
  const sarrus_System *system = expansion->system;
  const Work *work = expansion->work;
  const int order = stage + system->offset[i];
  double f = order > 0 ? work->output[i] : work->value[system->tape->output_value[i]];
  for (int r = 1; r <= system->offset[i]; r++)
    f *= (stage + r) / work->unit;
  return f;
}

/* The solution in rhs becomes the coefficients of this stage. */
static sarrus_Status set_variables(sarrus_Expansion *expansion, int stage, sarrus_Fault *fault) {
  const sarrus_System *system = expansion->system;
  find_lower(expansion, stage);
  for (int i = 0; i < expansion->feed_count; i++)
    *expansion->feeds[i].to = *expansion->feeds[i].from;
  if (!vector_finite(expansion->rhs, system->n + system->m)) return SARRUS_NONFINITE;
  if (stage > 0) return SARRUS_OK;
  set_values(expansion);
  SARRUS_TRY(find_values(expansion, 0, 0, fault));
  return find_weights(expansion, 0, 0, fault);
}

/* The right-hand sides (T6): equations of one offset have one factor, but those of order 0. */
static sarrus_Status solve_linear(sarrus_Expansion *expansion, int stage, sarrus_Fault *fault) {
  const sarrus_System *system = expansion->system;
  const int equations = system->n + system->m;
  for (int from = 0; from < equations; from = system->offset_end[from]) {
    const int offset = system->offset[from], end = system->offset_end[from];
    double factor = -1;
    for (int r = 1; r <= offset; r++)
      factor *= (stage + r) / expansion->work->unit;
    vector_scale(expansion->rhs + from, expansion->work->output + from, factor, end - from);
    for (int i = from; i < end && stage + offset == 0; i++)
      expansion->rhs[i] = -expansion->work->value[system->tape->output_value[i]];
  }
  kkt_solve(expansion->kkt, expansion->rhs, stage);
  return set_variables(expansion, stage, fault);
}

/* The residuals at the guess X of stage 0: order 0 contains it, higher orders are affine in it. */
static void first_residual(sarrus_Expansion *expansion) {
  const sarrus_System *system = expansion->system;
  const int variables = system->n + system->m;
  for (int i = 0; i < variables; i++) {
    double f = scaled_output(expansion, i, 0);
    if (system->offset[i] > 0) f += kkt_row_times(expansion->kkt, i, expansion->guess, variables);
    expansion->rhs[i] = -f;
  }
}

enum { MOST_ITERATIONS = 40 };

/*
** Unknowns that are a smaller part of the largest, scaled, need not be known to their own last
** digits.
*/
static const double PART = 1e-3;

/*
** The largest step of Newton's method, relative to the unknowns.  *largest is what they have been
** at most: where all of them vanish, rounding of that is left.
*/
static double relative_step(const sarrus_Expansion *expansion, double *largest) {
  const double *guess = expansion->guess, *scale = expansion->kkt->column;
  const int variables = expansion->system->n + expansion->system->m;
  double step = 0;
  for (int j = 0; j < variables; j++)
    *largest = fmax(*largest, fmax(fabs(guess[j]), fabs(expansion->rhs[j])) / scale[j]);
  for (int j = 0; j<variables && * largest> 0; j++)
    step = fmax(step, fabs(expansion->rhs[j]) / fmax(fabs(guess[j]), PART * *largest * scale[j]));
  return isfinite(*largest) ? step : (double)INFINITY;
}

static sarrus_Status factor_again(sarrus_Expansion *expansion, sarrus_Fault *fault) {
  const sarrus_Status status = kkt_factor(expansion->kkt);
  if (status == SARRUS_SINGULAR) {
    const KktFault cause = kkt_fault(expansion->kkt);
    *fault = fault_at(cause.row, cause.column, cause.condition);
  }
  return status;
}

/* The equation that is farthest from a solution. */
static sarrus_Status unsolved_equations(sarrus_Expansion *expansion, sarrus_Fault *fault) {
  const double *rhs = expansion->rhs;
  int worst = 0;
  first_residual(expansion);
  for (int i = 1; i < expansion->system->n + expansion->system->m; i++)
    if (fabs(rhs[i]) > fabs(rhs[worst])) worst = i;
  *fault = fault_at(worst, SARRUS_NONE, fabs(rhs[worst]));
  return SARRUS_INCONSISTENT;
}

/* Stage 0 where forces depend on multipliers, or constraints on algebraic variables: Newton. */
static sarrus_Status solve_nonlinear(sarrus_Expansion *expansion, sarrus_Fault *fault) {
  const sarrus_System *system = expansion->system;
  const int variables = system->n + system->m;
  double last = expansion->guess_is_known ? 0 : (double)INFINITY, largest = 0;
  int is_shortest = expansion->guess_is_known;
  for (int i = 0; i < system->m; i++)
    if (kkt_is_off(expansion->kkt, system->n + i)) expansion->guess[system->n + i] = 0;
  for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    memcpy(expansion->rhs, expansion->guess, (size_t)variables * sizeof *expansion->rhs);
    SARRUS_TRY(set_variables(expansion, 0, fault));
    fill_matrix(expansion);
    SARRUS_TRY(factor_again(expansion, fault));
    first_residual(expansion);
    kkt_solve(expansion->kkt, expansion->rhs, 0);
    const double step = relative_step(expansion, &largest);
    if (!(step < (double)INFINITY)) return SARRUS_NONFINITE;
    const int found = step <= 4 * DBL_EPSILON || (step < 1e-10 && step >= last);
    if (found && (is_shortest || expansion->kkt->dependent_count == 0)) return SARRUS_OK;
    for (int j = 0; j < variables && !found; j++)
      expansion->guess[j] += expansion->rhs[j];
    if (expansion->kkt->dependent_count > 0) /* of all multipliers, not of what they change by */
      kkt_shorten(expansion->kkt, expansion->guess + system->n);
    is_shortest = 1;
    last = step;
  }
  return unsolved_equations(expansion, fault);
}

sarrus_Status expansion_extend(sarrus_Expansion *expansion, int stage, sarrus_Fault *fault) {
  tape_partial(expansion->work, stage);
  SARRUS_TRY(stage == 0 && expansion->system->nonlinear ? solve_nonlinear(expansion, fault)
                                                        : solve_linear(expansion, stage, fault));
  tape_complete(expansion->work, stage);
  return SARRUS_OK;
}

/* --- the whole --------------------------------------------------------------------------- */

static sarrus_Status factor(sarrus_Expansion *expansion, sarrus_Fault *fault) {
  const sarrus_Status status = kkt_analyse(expansion->kkt, 0, NULL);
  return status == SARRUS_OK || status == SARRUS_SINGULAR ? factor_again(expansion, fault) : status;
}

/* Coefficient `stage` of g'' or w' of a constraint; *size: what is added up in it. */
static double acceleration_residual(const sarrus_Expansion *expansion, int row, int stage,
                                    double *size) {
  const Pattern *pattern = &expansion->kkt->pattern;
  double sum = expansion->work->output[row];
  for (int r = 1; r <= expansion->system->offset[row]; r++)
    sum *= stage + r;
  *size = fabs(sum);
  for (int e = pattern->start[row]; e < pattern->start[row + 1]; e++) {
    const double q = *expansion_at(expansion, stage + 2, pattern->column[e]);
    const double term = expansion->kkt->value[e] * (stage + 1) * (stage + 2) * q;
    sum += term;
    *size += fabs(term);
  }
  return sum;
}

double expansion_row_acceleration(const sarrus_Expansion *expansion, int row) {
  const Pattern *pattern = &expansion->kkt->pattern;
  double sum = expansion->work->output[row];
  for (int r = 1; r <= expansion->system->offset[row]; r++)
    sum *= r / expansion->work->unit;
  for (int e = pattern->start[row]; e < pattern->start[row + 1]; e++)
    if (pattern->column[e] < expansion->system->n)
      sum += expansion->kkt->value[e] * expansion_acceleration(expansion, pattern->column[e]);
  return sum;
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
    acceleration_residual(expansion, i, stage, &size);
    largest = fmax(largest, size * kkt->row[i]);
  }
  for (int i = n; i < variables; i++) {
    const double residual = fabs(acceleration_residual(expansion, i, stage, &size));
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

void sarrus_expansion_guess(sarrus_Expansion *expansion, const double *y) {
  const sarrus_System *system = expansion->system;
  memcpy(expansion->guess + system->n, y, (size_t)system->m * sizeof *y);
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
