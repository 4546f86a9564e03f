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
  BLOCK_TAKE(block, expansion->drift, variables);
  BLOCK_TAKE(block, expansion->lower[0], variables);
  BLOCK_TAKE(block, expansion->lower[1], variables);
  BLOCK_TAKE(block, expansion->given, system->tape->input_count);
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

/*
** Which of the lists of `given` an input is in: what most of them are is read without asking, in a
** fifth of the instructions (chain of 1,000: a twentieth of a step's).
*/
enum { GIVEN_POSITION, GIVEN_VELOCITY, GIVEN_UNKNOWN, GIVEN_OTHERWISE, GIVEN_LISTS };

static int list_of(const sarrus_System *system, const Input *input) {
  switch (input->kind) {
    case SARRUS_TIME:
    case SARRUS_PARAMETER:
    case SARRUS_U: return GIVEN_OTHERWISE;
    case SARRUS_Q: return GIVEN_POSITION;
    default: break;
  }
  if (input->lead == 0) return GIVEN_UNKNOWN;
  return system->general ? GIVEN_OTHERWISE : GIVEN_VELOCITY;
}

static int unknown_of(const sarrus_System *system, const Input *input) {
  return input->kind == SARRUS_LAMBDA ? system->n + input->index : input->index;
}

static void list_inputs(sarrus_Expansion *expansion) {
  const sarrus_System *system = expansion->system;
  const Tape *tape = system->tape;
  int count = 0, end[GIVEN_LISTS];
  for (int list = 0; list < GIVEN_LISTS; list++) {
    for (int i = 0; i < tape->input_count; i++) {
      const Input *input = &tape->inputs[i];
      if (list_of(system, input) != list) continue;
      const int index = list == GIVEN_OTHERWISE ? i
                        : list == GIVEN_UNKNOWN ? unknown_of(system, input)
                                                : input->index;
      expansion->given[count++] = (Given){input->value, index};
    }
    end[list] = count;
  }
  expansion->given_positions = end[GIVEN_POSITION];
  expansion->given_velocities = end[GIVEN_VELOCITY];
  expansion->given_unknowns = end[GIVEN_UNKNOWN];
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
  list_inputs(expansion);
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

void sarrus_expansion_guess(sarrus_Expansion *expansion, const double *y) {
  const sarrus_System *system = expansion->system;
  memcpy(expansion->guess + system->n, y, (size_t)system->m * sizeof *y);
}

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
  if (input->lead == 0) return system->nonlinear ? expansion->guess[unknown_of(system, input)] : 0;
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

/* input_value of all inputs, list by list. */
static void set_inputs(const sarrus_Expansion *expansion, double t, const double *q,
                       const double *v, const double *parameters) {
  const sarrus_System *system = expansion->system;
  const Given *given = expansion->given;
  double *value = expansion->work->value;
  int i = 0;
  for (; i < expansion->given_positions; i++)
    value[given[i].value] = q[given[i].index];
  for (; i < expansion->given_velocities; i++)
    value[given[i].value] = v[given[i].index];
  for (; i < expansion->given_unknowns; i++)
    value[given[i].value] = system->nonlinear ? expansion->guess[given[i].index] : 0;
  for (; i < system->tape->input_count; i++)
    value[given[i].value] =
        input_value(expansion, &system->tape->inputs[given[i].index], t, q, v, parameters);
}

sarrus_Status expansion_place(sarrus_Expansion *expansion, double t, const double *q, double *v,
                              const double *parameters, sarrus_Fault *fault) {
  const sarrus_System *system = expansion->system;
  expansion->stands = 0;
  set_inputs(expansion, t, q, v, parameters);
  memcpy(expansion_at(expansion, 0, 0), q, (size_t)system->n * sizeof *q);
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

sarrus_Status expansion_dae_residual(sarrus_Expansion *expansion, const double *y,
                                     sarrus_Fault *fault) {
  const sarrus_System *system = expansion->system;
  double *value = expansion->work->value;
  for (int i = 0; i < system->m; i++) {
    const int input = system->input[system->n + i][0];
    if (input != SARRUS_NONE) value[system->tape->inputs[input].value] = y[i];
  }
  SARRUS_TRY(find_values(expansion, 0, 0, fault));
  for (int i = system->n; i < system->n + system->m; i++)
    expansion->residual[i] = value[system->tape->output_value[i]];
  return SARRUS_OK;
}

sarrus_Status expansion_settle(sarrus_Expansion *expansion, sarrus_Fault *fault) {
  SARRUS_TRY(find_weights(expansion, LEAD_CONSTANT, least_lead(expansion), fault));
  tape_partial(expansion->work, -1);
  for (int i = 0; i < expansion->system->n + expansion->system->m; i++)
    expansion->drift[i] = expansion->work->output[i] / expansion->work->unit;
  return SARRUS_OK;
}

/* g' = g_t + G v, and w itself. */
void expansion_rate_residual(sarrus_Expansion *expansion, const double *v) {
  const sarrus_System *system = expansion->system;
  const Work *work = expansion->work;
  for (int i = system->n; i < system->n + system->m; i++) {
    double *residual = &expansion->residual[i];
    *residual = system->offset[i] == 2   ? expansion->drift[i]
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

double expansion_stage_acceleration(const sarrus_Expansion *expansion, int row, int stage,
                                    double *size) {
  const Pattern *pattern = &expansion->kkt->pattern;
  const int offset = expansion->system->offset[row];
  double sum = expansion->work->output[row];
  for (int r = 1; r <= 2; r++)
    sum *= r <= offset ? stage + r : expansion->work->unit;
  *size = fabs(sum);
  for (int e = pattern->start[row]; e < pattern->start[row + 1]; e++) {
    if (pattern->column[e] >= expansion->system->n) continue;
    const double q = *expansion_at(expansion, stage + 2, pattern->column[e]);
    const double term = expansion->kkt->value[e] * (stage + 1) * (stage + 2) * q;
    sum += term;
    *size += fabs(term);
  }
  return sum;
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

void expansion_recall(sarrus_Expansion *expansion, const double *c) {
  const sarrus_System *system = expansion->system;
  expansion->stands = 0;
  const int variables = system->n + system->m;
  for (int j = 0; j < variables; j++) {
    const int degree = system->degree[j], input = system->input[j][degree];
    double x = c[(ptrdiff_t)degree * variables + j];
    for (int r = 1; r <= degree; r++)
      x *= r / expansion->work->unit;
    if (input != SARRUS_NONE) expansion->work->value[system->tape->inputs[input].value] = x;
  }
}

/*
** R of (T6), which (T8) writes out for mechanisms: equation i at this stage, unknowns zero (stage
** 0, order 0: as they are set).
*/
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
#pragma GCC unroll 4
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

/* The residual at the guess X of stage 0: order 0 contains it, higher orders are affine in it. */
static double residual_at_guess(const sarrus_Expansion *expansion, int i) {
  const sarrus_System *system = expansion->system;
  const double f = scaled_output(expansion, i, 0);
  if (system->offset[i] == 0) return f;
  return f + kkt_row_times(expansion->kkt, i, expansion->guess, system->n + system->m);
}

static void first_residual(sarrus_Expansion *expansion) {
  for (int i = 0; i < expansion->system->n + expansion->system->m; i++)
    expansion->rhs[i] = -residual_at_guess(expansion, i);
}

/* What is added up in it, by magnitude. */
static double size_at_guess(const sarrus_Expansion *expansion, int i) {
  const sarrus_System *system = expansion->system;
  if (system->offset[i] == 0) return tape_sum_size(expansion->work, system->tape->output_value[i]);
  const Pattern *pattern = &expansion->kkt->pattern;
  double size = fabs(scaled_output(expansion, i, 0));
  for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
    size += fabs(expansion->kkt->value[e] * expansion->guess[pattern->column[e]]);
  return size;
}

/*
** Where all unknowns nearly vanish among much larger terms, as y does in e^y + y = 1 + 20 t^2 at
** t = 1e-7, steps never become small beside them: then the equations hold up to rounding.
*/
static const double ROUNDING = 16 * DBL_EPSILON;

static int is_solved(const sarrus_Expansion *expansion) {
  for (int i = 0; i < expansion->system->n + expansion->system->m; i++)
    if (!kkt_is_off(expansion->kkt, i) &&
        !(fabs(residual_at_guess(expansion, i)) <= ROUNDING * size_at_guess(expansion, i)))
      return 0;
  return 1;
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

sarrus_Status expansion_factor(sarrus_Expansion *expansion, sarrus_Fault *fault) {
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
  double last = expansion->guess_is_known ? 0 : (double)INFINITY;
  double largest = expansion->guess_is_known ? expansion->guess_most : 0;
  int is_shortest = expansion->guess_is_known;
  for (int i = 0; i < system->m; i++)
    if (kkt_is_off(expansion->kkt, system->n + i)) expansion->guess[system->n + i] = 0;
  for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    memcpy(expansion->rhs, expansion->guess, (size_t)variables * sizeof *expansion->rhs);
    SARRUS_TRY(set_variables(expansion, 0, fault));
    fill_matrix(expansion);
    SARRUS_TRY(expansion_factor(expansion, fault));
    first_residual(expansion);
    kkt_solve(expansion->kkt, expansion->rhs, 0);
    const double step = relative_step(expansion, &largest);
    if (!(step < (double)INFINITY)) return SARRUS_NONFINITE;
    expansion->guess_most = largest;
    const int found =
        step <= 4 * DBL_EPSILON || (step >= last && (step < 1e-10 || is_solved(expansion)));
    if (found && (is_shortest || expansion->kkt->dependent_count == 0)) return SARRUS_OK;
    for (int j = 0; j < variables && !found; j++)
      expansion->guess[j] += expansion->rhs[j];
    if (expansion->kkt->dependent_count > 0) /* of all multipliers, not of what they change by */
      kkt_shorten_all(expansion->kkt, expansion->guess);
    is_shortest = 1;
    last = step;
  }
  return unsolved_equations(expansion, fault);
}

sarrus_Status expansion_extend(sarrus_Expansion *expansion, int stage, sarrus_Fault *fault) {
  expansion->stands = 0;
  tape_partial(expansion->work, stage);
  SARRUS_TRY(stage == 0 && expansion->system->nonlinear ? solve_nonlinear(expansion, fault)
                                                        : solve_linear(expansion, stage, fault));
  tape_complete(expansion->work, stage);
  expansion->stands = stage == 0;
  expansion->turns = expansion->kkt->turns;
  expansion->resets = expansion->work->resets;
  return SARRUS_OK;
}

/* Whether inputs known at the point have these values. */
static int has_inputs(const sarrus_Expansion *expansion, double t, const double *q, const double *v,
                      const double *parameters) {
  const Tape *tape = expansion->system->tape;
  for (int i = 0; i < tape->input_count; i++) {
    const Input *input = &tape->inputs[i];
    const int unknown = input->kind == SARRUS_A || input->kind == SARRUS_LAMBDA;
    const double x = unknown ? 0 : input_value(expansion, input, t, q, v, parameters);
    if (!unknown && expansion->work->value[input->value] != x) return 0;
  }
  return 1;
}

int expansion_stands(const sarrus_Expansion *expansion, double t, const double *q, const double *v,
                     const double *parameters) {
  const sarrus_System *system = expansion->system;
  const Kkt *kkt = expansion->kkt;
  const double unit = expansion->work->unit;
  if (!expansion->stands || expansion->turns != kkt->turns ||
      expansion->resets != expansion->work->resets || kkt->dependent_count > 0 ||
      system->nonlinear || system->tape->switch_count > 0)
    return 0;
  for (int j = 0; j < system->n; j++)
    if (system->degree[j] != 2 || *expansion_at(expansion, 0, j) != q[j] ||
        *expansion_at(expansion, 1, j) != unit * v[j])
      return 0;
  return has_inputs(expansion, t, q, v, parameters);
}
