#include "sarrus/expansion.h"

#include <math.h>
#include <string.h>

#include "block.h"
#include "expansion_parts.h"

/* --- layout ------------------------------------------------------------------------------ */

static void lay_out(sarrus_Expansion *expansion, Block *block) {
  const sarrus_System *system = expansion->system;
  const int variables = system->n + system->m;
  expansion->kkt = kkt_take(block, system->n, system->m, system->general);
  BLOCK_TAKE(block, expansion->rhs, variables);
  BLOCK_TAKE(block, expansion->residual, variables);
  BLOCK_TAKE(block, expansion->scratch, kkt_work_size(system->n, system->m));
  BLOCK_TAKE(block, expansion->series, (size_t)(expansion->order + 1) * (size_t)variables);
  void *work = block_take(block, work_size(system->tape, expansion->order), 1);
  expansion->work = work == NULL ? NULL : work_init(work, system->tape, expansion->order);
}

sarrus_Expansion *expansion_take(Block *block, const sarrus_System *system, int order) {
  sarrus_Expansion shape = {.system = system, .order = order};
  sarrus_Expansion *expansion = block_take(block, 1, sizeof *expansion);
  lay_out(&shape, block);
  if (expansion != NULL) *expansion = shape;
  return expansion;
}

sarrus_Status sarrus_expansion_new(sarrus_Memory memory, const sarrus_System *system, int order,
                                   sarrus_Expansion **result) {
  *result = NULL;
  if (order < MOST_DEGREE || order > SARRUS_MAX_EXPANSION) return SARRUS_LIMIT;
  Block block = {NULL, 0};
  expansion_take(&block, system, order);
  const size_t bytes = block.used;
  block = (Block){memory.alloc(memory.ud, NULL, 0, bytes), 0};
  if (block.base == NULL) return SARRUS_NOMEM;
  memset(block.base, 0, bytes);
  *result = expansion_take(&block, system, order);
  (*result)->memory = memory;
  (*result)->bytes = bytes;
  return SARRUS_OK;
}

void sarrus_expansion_free(sarrus_Expansion *expansion) {
  if (expansion == NULL) return;
  expansion->memory.alloc(expansion->memory.ud, expansion, expansion->bytes, 0);
}

size_t sarrus_expansion_bytes(const sarrus_Expansion *expansion) { return expansion->bytes; }

/* --- the point --------------------------------------------------------------------------- */

static sarrus_Status start(sarrus_Expansion *expansion, int from, int to, sarrus_Fault *fault) {
  const sarrus_Status status = tape_start(expansion->work, from, to);
  if (status < 0) fault->expr = tape_culprit(expansion->work);
  return status;
}

static void fill_matrix(sarrus_Expansion *expansion) {
  const sarrus_System *system = expansion->system;
  const double *value = expansion->work->value;
  for (int i = 0; i < system->entry_count; i++)
    *kkt_at(expansion->kkt, system->entries[i].row, system->entries[i].column) =
        value[system->tape->extra_value[i]];
}

sarrus_Status expansion_place(sarrus_Expansion *expansion, double t, const double *q,
                              const double *v, const double *parameters, sarrus_Fault *fault) {
  const sarrus_System *system = expansion->system;
  const Tape *tape = system->tape;
  double *value = expansion->work->value;
  for (int i = 0; i < tape->input_count; i++) {
    const Input *input = &tape->inputs[i];
    switch (input->kind) {
      case SARRUS_TIME:
        value[input->value] = t;
        break;
      case SARRUS_PARAMETER:
        value[input->value] = parameters[input->index];
        break;
      case SARRUS_Q:
        value[input->value] = q[input->index];
        break;
      case SARRUS_V:
        value[input->value] = v[input->index];
        break;
      default: /* unknown yet */
        value[input->value] = 0;
    }
  }
  for (int j = 0; j < system->n; j++) *expansion_at(expansion, 0, j) = q[j];
  SARRUS_TRY(start(expansion, LEAD_CONSTANT, 1, fault));
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

/* g' = g_t + G v, and w itself. */
void expansion_rate_residual(sarrus_Expansion *expansion, const double *v) {
  const sarrus_System *system = expansion->system;
  const Work *work = expansion->work;
  tape_partial(expansion->work, -1);
  for (int i = system->n; i < system->n + system->m; i++) {
    const int rate = system->offset[i] == 2;
    expansion->residual[i] =
        rate ? work->output[i] : work->value[system->tape->output_value[i]];
    for (int j = 0; rate && j < system->n; j++)
      expansion->residual[i] += *kkt_at(expansion->kkt, i, j) * v[j];
  }
}

sarrus_Status expansion_set_rates(sarrus_Expansion *expansion, const double *v,
                                  sarrus_Fault *fault) {
  const sarrus_System *system = expansion->system;
  const Tape *tape = system->tape;
  Work *work = expansion->work;
  for (int j = 0; j < system->n; j++) {
    const int position = system->input[j][0], velocity = system->input[j][1];
    if (velocity != SARRUS_NONE) work->value[tape->inputs[velocity].value] = v[j];
    if (position != SARRUS_NONE && tape->inputs[position].slot != SARRUS_NONE)
      work->current[tape->inputs[position].slot] = v[j];
    *expansion_at(expansion, 1, j) = v[j];
  }
  SARRUS_TRY(start(expansion, 1, 0, fault));
  tape_complete(work, -1);
  return SARRUS_OK;
}

/* `derivative`: what is wrong, 0 positions, 1 velocities */
static sarrus_Status check_residual(const sarrus_Expansion *expansion, int derivative,
                                    double tolerance, sarrus_Fault *fault) {
  const sarrus_System *system = expansion->system;
  for (int i = system->n; i < system->n + system->m; i++) {
    if (fabs(expansion->residual[i]) <= fmax(tolerance, fault->size)) continue;
    fault->row = i;
    fault->column = derivative;
    fault->size = fabs(expansion->residual[i]);
  }
  return fault->row == SARRUS_NONE ? SARRUS_OK : SARRUS_INCONSISTENT;
}

/* --- the unknowns ------------------------------------------------------------------------ */

/* The derivative of order d of variable j has coefficient x at this stage: set all lower ones. */
static void set_variable(sarrus_Expansion *expansion, int j, int stage, double x) {
  const sarrus_System *system = expansion->system;
  const Tape *tape = system->tape;
  const int degree = system->degree[j];
  for (int derivative = degree; derivative >= 0; derivative--) {
    if (derivative < degree) x /= stage + degree - derivative;
    const int input = system->input[j][derivative];
    if (input == SARRUS_NONE) continue;
    if (stage + degree - derivative == 0) expansion->work->value[tape->inputs[input].value] = x;
    if (tape->inputs[input].slot != SARRUS_NONE)
      expansion->work->current[tape->inputs[input].slot] = x;
  }
  *expansion_at(expansion, stage + degree, j) = x;
}

sarrus_Status expansion_extend(sarrus_Expansion *expansion, int stage, sarrus_Fault *fault) {
  const sarrus_System *system = expansion->system;
  const Tape *tape = system->tape;
  Work *work = expansion->work;
  double poison = 0;
  tape_partial(work, stage);
  for (int i = 0; i < system->n + system->m; i++) {
    double b = stage + system->offset[i] > 0 ? work->output[i] : work->value[tape->output_value[i]];
    for (int r = 1; r <= system->offset[i]; r++) b *= stage + r;
    expansion->rhs[i] = -b;
  }
  kkt_solve(expansion->kkt, expansion->rhs);
  for (int j = 0; j < system->n + system->m; j++) {
    poison += 0 * expansion->rhs[j];
    set_variable(expansion, j, stage, expansion->rhs[j]);
  }
  if (poison != 0) return SARRUS_NONFINITE;
  if (stage == 0) SARRUS_TRY(start(expansion, 0, 0, fault));
  tape_complete(work, stage);
  return SARRUS_OK;
}

/* --- the whole --------------------------------------------------------------------------- */

static sarrus_Status factor(sarrus_Expansion *expansion, sarrus_Fault *fault) {
  sarrus_Status status = kkt_analyse(expansion->kkt, expansion->scratch);
  if (status == SARRUS_OK) status = kkt_factor(expansion->kkt);
  if (status == SARRUS_SINGULAR) {
    const KktFault cause = kkt_fault(expansion->kkt);
    *fault = (sarrus_Fault){cause.row, cause.column, cause.condition, SARRUS_NONE};
  }
  return status;
}

/*
** A constraint that was left out of the matrix must hold all the same: otherwise it does not follow
** from the others but contradicts them.  Its residual is the coefficient of g'' or w'.
*/
static sarrus_Status check_dependent(const sarrus_Expansion *expansion, int stage, double tolerance,
                                     sarrus_Fault *fault) {
  const sarrus_System *system = expansion->system;
  for (int i = system->n; expansion->kkt->dependent_count > 0 && i < system->n + system->m; i++) {
    if (!expansion->kkt->dependent[i - system->n]) continue;
    double sum = expansion->work->output[i];
    for (int r = 1; r <= system->offset[i]; r++) sum *= stage + r;
    double size = fabs(sum);
    for (int j = 0; j < system->n; j++) {
      const double a = (stage + 1) * (stage + 2) * *expansion_at(expansion, stage + 2, j);
      sum += *kkt_at(expansion->kkt, i, j) * a;
      size += fabs(*kkt_at(expansion->kkt, i, j) * a);
    }
    if (fabs(sum) <= tolerance * fmax(1, size)) continue;
    *fault = (sarrus_Fault){i, 2, fabs(sum), SARRUS_NONE};
    return SARRUS_INCONSISTENT;
  }
  return SARRUS_OK;
}

sarrus_Status sarrus_expansion_run(sarrus_Expansion *expansion, double t, const double *q,
                                   const double *v, const double *parameters, double tolerance,
                                   sarrus_Fault *fault) {
  *fault = (sarrus_Fault){SARRUS_NONE, SARRUS_NONE, 0, SARRUS_NONE};
  work_reset(expansion->work);
  SARRUS_TRY(expansion_place(expansion, t, q, v, parameters, fault));
  expansion_residual(expansion);
  SARRUS_TRY(check_residual(expansion, 0, tolerance, fault));
  expansion_rate_residual(expansion, v);
  SARRUS_TRY(check_residual(expansion, 1, tolerance, fault));
  SARRUS_TRY(expansion_set_rates(expansion, v, fault));
  SARRUS_TRY(factor(expansion, fault));
  for (int stage = 0; stage <= expansion->order - MOST_DEGREE; stage++) {
    SARRUS_TRY(expansion_extend(expansion, stage, fault));
    SARRUS_TRY(check_dependent(expansion, stage, tolerance, fault));
  }
  return SARRUS_OK;
}

double sarrus_expansion_q(const sarrus_Expansion *expansion, int i, int k) {
  return *expansion_at(expansion, k, i);
}

double sarrus_expansion_v(const sarrus_Expansion *expansion, int i, int k) {
  return (k + 1) * *expansion_at(expansion, k + 1, i);
}

double sarrus_expansion_lambda(const sarrus_Expansion *expansion, int i, int k) {
  return *expansion_at(expansion, k, expansion->system->n + i);
}

int sarrus_expansion_dependent(const sarrus_Expansion *expansion, int i) {
  return expansion->kkt->dependent[i];
}
