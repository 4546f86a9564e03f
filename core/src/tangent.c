#include "tangent.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "array.h"
#include "vector.h"

/* --- memory -------------------------------------------------------------------------------- */

static void lay_out(Tangent *tangent, Block *block) {
  const ptrdiff_t width = tangent->width;
  block_take(block, 1, sizeof *tangent);
  BLOCK_TAKE(block, tangent->p, tangent->parameters * width);
  BLOCK_TAKE(block, tangent->q, tangent->n * width);
  BLOCK_TAKE(block, tangent->v, tangent->n * width);
  BLOCK_TAKE(block, tangent->to_q, tangent->n * width);
  BLOCK_TAKE(block, tangent->to_v, tangent->n * width);
  BLOCK_TAKE(block, tangent->c, (tangent->capacity + 1) * tangent->room * width);
  BLOCK_TAKE(block, tangent->rhs, (ptrdiff_t)tangent->room * tangent->directions);
  BLOCK_TAKE(block, tangent->size[0], width);
  BLOCK_TAKE(block, tangent->size[1], width);
}

sarrus_Status tangent_new(sarrus_Memory memory, const sarrus_System *system, int parameters,
                          int directions, int capacity, Tangent **result) {
  Tangent shape = {.memory = memory,
                   .directions = directions,
                   .width = dual_width(directions),
                   .capacity = capacity,
                   .n = system->n,
                   .room = system->room,
                   .parameters = parameters};
  Block block = {NULL, 0};
  lay_out(&shape, &block);
  shape.bytes = block.used;
  *result = memory.alloc(memory.ud, NULL, 0, block.used);
  if (*result == NULL) return SARRUS_NOMEM;
  memset(*result, 0, block.used);
  **result = shape;
  lay_out(*result, &(Block){(char *)*result, 0});
  return SARRUS_OK;
}

void tangent_free(Tangent *tangent) {
  if (tangent != NULL) tangent->memory.alloc(tangent->memory.ud, tangent, tangent->bytes, 0);
}

static void lay_out_form(TangentForm *form, Block *block) {
  BLOCK_TAKE(block, form->input, form->system->n + form->system->m);
  BLOCK_TAKE(block, form->twin, form->tape->switch_count);
  dual_lay_out(&form->dual, block);
}

static sarrus_Status compile_form(const Tangent *tangent, TangentForm *form) {
  const sarrus_Memory memory = tangent->memory;
  Block block = {NULL, 0};
  form->graph = sarrus_graph_new(memory);
  if (form->graph == NULL) return SARRUS_NOMEM;
  SARRUS_TRY(system_copy_graph(form->graph, form->system->graph));
  SARRUS_TRY(system_whole_tape(form->system, memory, form->graph, &form->tape));
  form->dual = (Dual){.tape = form->tape, .order = tangent->capacity, .width = tangent->width};
  lay_out_form(form, &block);
  form->bytes = block.used;
  form->block = memory.alloc(memory.ud, NULL, 0, block.used);
  if (form->block == NULL) return SARRUS_NOMEM;
  memset(form->block, 0, block.used);
  lay_out_form(form, &(Block){form->block, 0});
  system_find_inputs(form->system, form->tape, form->input);
  for (int i = 0; i < form->tape->switch_count; i++)
    form->twin[i] = system_find_switch(form->system->tape,
                                       form->tape->values[form->tape->switches[i].value].node);
  return SARRUS_OK;
}

sarrus_Status tangent_take_form(const Tangent *tangent, TangentForm *form,
                                const sarrus_System *system) {
  if (form->system == system) return SARRUS_OK;
  tangent_free_form(tangent, form);
  form->system = system;
  const sarrus_Status status = compile_form(tangent, form);
  if (status < 0) tangent_free_form(tangent, form);
  return status;
}

size_t tangent_form_bytes(const TangentForm *form) {
  return form->bytes + form->matrix_bytes + form->tape->bytes + sarrus_graph_bytes(form->graph) +
         (form->matrix == NULL ? 0 : form->matrix->bytes);
}

void tangent_free_form(const Tangent *tangent, TangentForm *form) {
  const sarrus_Memory memory = tangent->memory;
  if (form->block != NULL) memory.alloc(memory.ud, form->block, form->bytes, 0);
  if (form->matrix_block != NULL)
    memory.alloc(memory.ud, form->matrix_block, form->matrix_bytes, 0);
  tape_free(form->matrix);
  tape_free(form->tape);
  sarrus_graph_free(form->graph);
  *form = (TangentForm){.system = NULL};
}

/* --- inputs -------------------------------------------------------------------------------- */

/* An expansion whose tangents are under way. */
typedef struct Run {
  Tangent *tangent;
  TangentForm *form;
  const sarrus_Expansion *expansion;
  const Expanded *motion;
  int variables;
} Run;

/* Coefficient k of derivative m of a series: c_{k+m} (k+1) … (k+m) / unit^m. */
static double rise(const Run *run, int k, int m) {
  double factor = 1;
  for (int i = 1; i <= m; i++)
    factor *= (k + i) / run->motion->unit;
  return factor;
}

static double *row_of(const Run *run, int k, int variable) {
  const Tangent *tangent = run->tangent;
  return tangent->c + ((ptrdiff_t)k * run->variables + variable) * tangent->width;
}

/* A row times a factor. */
static void put_row(const Run *run, double *to, const double *x, double factor) {
  if (run->tangent->width == 1) *to = factor * *x;
  for (int l = 0; l + LANES <= run->tangent->width; l += LANES)
    *(Lanes *)(to + l) = factor * *(const Lanes *)(x + l);
}

/* What is known of the motion: values of all inputs of a tape, and their series. */
static void set_motion(const Run *run, Dual *dual, const double *parameters) {
  const Tape *tape = dual->tape;
  const sarrus_System *system = run->form->system;
  for (int i = 0; i < tape->input_count; i++) {
    const Input *input = &tape->inputs[i];
    double *value = &dual->value[input->value];
    if (input->kind == SARRUS_TIME) {
      *value = run->motion->t;
    } else if (input->kind == SARRUS_PARAMETER) {
      *value = parameters[input->index];
    } else if (input->kind == SARRUS_U) {
      *value = run->expansion->modes[input->index];
    } else {
      const int multiplier = input->kind == SARRUS_LAMBDA;
      const int variable = multiplier ? system->n + input->index : input->index;
      const int m = multiplier ? 0 : (int)input->kind - (int)SARRUS_Q;
      const int top = run->motion->stages - 1 + system->degree[variable] - m;
      const double *c = run->motion->c + variable + (ptrdiff_t)m * run->variables;
      *value = rise(run, 0, m) * c[0];
      for (int k = 1; k <= top && input->slot != SARRUS_NONE; k++)
        dual_series(dual, input->slot)[k] = rise(run, k, m) * c[(ptrdiff_t)k * run->variables];
    }
  }
}

/* How parameters change. */
static void set_parameters(const Run *run, Dual *dual) {
  for (int i = 0; i < dual->tape->input_count; i++) {
    const Input *input = &dual->tape->inputs[i];
    const ptrdiff_t at = (ptrdiff_t)input->index * run->tangent->width;
    if (input->kind == SARRUS_PARAMETER)
      put_row(run, dual_slope(dual, input->value), run->tangent->p + at, 1);
  }
}

static void set_branches(const Run *run) {
  const int *branch = run->expansion->work->branch;
  for (int i = 0; i < run->form->tape->switch_count; i++)
    run->form->dual.branch[i] = branch[run->form->twin[i]];
}

/* The input that is a derivative of a variable, or NULL. */
static const Input *input_of(const Run *run, int variable, int derivative) {
  const int input = run->form->input[variable][derivative];
  return input == SARRUS_NONE ? NULL : &run->form->tape->inputs[input];
}

/* Slopes of the values of derivative m of all variables of a degree above that: from rows. */
static void set_slopes(const Run *run, int m, const double *rows) {
  const int width = run->tangent->width;
  for (int j = 0; j < run->form->system->n; j++) {
    const Input *input = input_of(run, j, m);
    if (input == NULL || run->form->system->degree[j] <= m) continue;
    put_row(run, dual_slope(&run->form->dual, input->value), rows + (ptrdiff_t)j * width, 1);
  }
}

/* The tangents of coefficient stage + degree of all variables, as the tape's inputs have them. */
static void feed(const Run *run, int stage) {
  const sarrus_System *system = run->form->system;
  Dual *dual = &run->form->dual;
  for (int j = 0; j < run->variables; j++) {
    const int top = stage + system->degree[j];
    for (int m = 0; m <= system->degree[j]; m++) {
      const Input *input = input_of(run, j, m);
      if (input == NULL) continue;
      const double factor = rise(run, top - m, m);
      if (top == m) put_row(run, dual_slope(dual, input->value), row_of(run, top, j), factor);
      if (input->slot == SARRUS_NONE) continue;
      put_row(run, dual_tangent(dual, input->slot, top - m), row_of(run, top, j), factor);
      put_row(run, dual->change + (ptrdiff_t)input->slot * dual->width, row_of(run, top, j),
              factor);
    }
  }
}

static void clear_stage(const Run *run, int stage) {
  for (int j = 0; j < run->variables; j++)
    memset(row_of(run, stage + run->form->system->degree[j], j), 0,
           (size_t)run->tangent->width * sizeof(double));
  feed(run, stage);
}

/* --- points on the constraints -------------------------------------------------------------- */

double tangent_rate(const TangentForm *form, double unit, int row, int direction) {
  const Dual *dual = &form->dual;
  return form->system->offset[row] == 2
             ? dual->output_slope[(ptrdiff_t)row * dual->width + direction] / unit
             : dual_slope(dual, form->tape->output_value[row])[direction];
}

/* What a constraint, or its rate, is changed by in a direction. */
static double violation(const Run *run, int row, int derivative, int direction) {
  const int offset = run->form->system->offset[row];
  if (offset == 0 || offset < 2 - derivative) return 0;
  return derivative == 1
             ? tangent_rate(run->form, run->motion->unit, row, direction)
             : dual_slope(&run->form->dual, run->form->tape->output_value[row])[direction];
}

/* J (dx, .) = (0, -violation) for one direction; x += dx for variables of a degree. */
static void correct(const Run *run, int derivative, int direction, int degree, double *x) {
  const sarrus_System *system = run->form->system;
  double *rhs = run->tangent->rhs;
  for (int i = 0; i < run->variables; i++)
    rhs[i] = i < system->n ? 0 : -violation(run, i, derivative, direction);
  kkt_solve_motion(run->expansion->kkt, rhs);
  for (int j = 0; j < system->n; j++)
    if (degree == 0 || system->degree[j] == degree)
      x[(ptrdiff_t)j * run->tangent->width + direction] += rhs[j];
}

/*
** Constraints that depend on others must hold for what has changed, too, to this part of what is
** added up in them, or to rounding of what was to change, in the measure of D (T10), where changes
** of positions count as rates in the unit of time; otherwise there is no motion in this direction.
*/
static const double LEFT_OUT = 1e-6, ROUNDING = 1e-11;

static double allowed_violation(const Run *run, int row, int derivative, const double *x,
                                int direction) {
  const Kkt *kkt = run->expansion->kkt;
  const int n = run->form->system->n, width = run->tangent->width;
  const double positions = run->tangent->size[0][direction] / run->motion->unit;
  const double largest = derivative == 0 ? run->tangent->size[0][direction]
                                         : fmax(run->tangent->size[1][direction], positions);
  double size = 0, length = 0;
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++) {
    const int j = kkt->pattern.column[e];
    if (j >= n) continue;
    size += fabs(kkt->value[e] * x[(ptrdiff_t)j * width + direction]);
    length += fabs(kkt->value[e]) * kkt->column[j];
  }
  return LEFT_OUT * size + ROUNDING * largest * length;
}

static sarrus_Status check_left_out(const Run *run, int derivative, const double *x,
                                    sarrus_Fault *fault) {
  const Kkt *kkt = run->expansion->kkt;
  const int n = run->form->system->n;
  if (kkt->dependent_count == 0 || run->form->system->general) return SARRUS_OK;
  for (int i = n; i < run->variables; i++) {
    if (kkt->dependent[i - n] != KKT_DEPENDENT) continue;
    for (int l = 0; l < run->tangent->directions; l++) {
      const double off = fabs(violation(run, i, derivative, l));
      if (off <= allowed_violation(run, i, derivative, x, l)) continue;
      *fault = fault_violated(i, derivative, off);
      fault->count = l;
      return SARRUS_INCONSISTENT;
    }
  }
  return SARRUS_OK;
}

static void evaluate(const Run *run) {
  dual_values(&run->form->dual, LEAD_CONSTANT, 0);
  dual_weights(&run->form->dual, LEAD_CONSTANT, 0);
}

/* How large directions have been so far, as they are given. */
static void note_sizes(const Run *run, int derivative, const double *x) {
  const Tangent *tangent = run->tangent;
  for (int l = 0; l < tangent->width; l++) {
    double most = 0;
    for (int j = 0; j < tangent->n; j++)
      most =
          fmax(most, fabs(x[(ptrdiff_t)j * tangent->width + l]) / run->expansion->kkt->column[j]);
    tangent->size[derivative][l] = most;
  }
}

/* G dq = -g_p dp */
static sarrus_Status project_positions(const Run *run, sarrus_Fault *fault) {
  Tangent *tangent = run->tangent;
  const int degree = run->form->system->general ? 2 : 0;
  set_slopes(run, 0, tangent->q);
  dual_values(&run->form->dual, LEAD_CONSTANT, 0);
  if (run->form->system->m == 0) return SARRUS_OK;
  note_sizes(run, 0, tangent->q);
  for (int l = 0; l < tangent->directions; l++)
    correct(run, 0, l, degree, tangent->q);
  set_slopes(run, 0, tangent->q);
  dual_values(&run->form->dual, LEAD_CONSTANT, 0);
  return check_left_out(run, 0, tangent->q, fault);
}

/* In a general DAE, rates of variables of degree 2 follow from the others: dx' = df. */
static void find_rates(const Run *run) {
  const sarrus_System *system = run->form->system;
  const int width = run->tangent->width;
  for (int j = 0; j < system->n; j++) {
    if (system->degree[j] != 2) continue;
    const double *slope = dual_slope(&run->form->dual, run->form->tape->output_value[j]);
    double *v = run->tangent->v + (ptrdiff_t)j * width;
    for (int l = 0; l < width; l++)
      v[l] = v[l] - slope[l];
  }
}

/* Coefficients 0 and 1 of the tangents, and all that follows from them. */
static void set_point(const Run *run) {
  const Tangent *tangent = run->tangent;
  const sarrus_System *system = run->form->system;
  set_slopes(run, 0, tangent->q);
  set_slopes(run, 1, tangent->v);
  for (int j = 0; j < system->n; j++) {
    const double *q = tangent->q + (ptrdiff_t)j * tangent->width,
                 *v = tangent->v + (ptrdiff_t)j * tangent->width;
    if (system->degree[j] > 0) put_row(run, row_of(run, 0, j), q, 1);
    if (system->degree[j] > 1) put_row(run, row_of(run, 1, j), v, run->motion->unit);
  }
  for (int j = 0; j < system->n; j++) {
    const Input *input = system->degree[j] == 2 ? input_of(run, j, 0) : NULL;
    if (input == NULL || input->slot == SARRUS_NONE) continue;
    put_row(run, dual_tangent(&run->form->dual, input->slot, 1), row_of(run, 1, j), 1);
  }
  evaluate(run);
  dual_run(&run->form->dual, -1);
}

/* The same of rates. */
static sarrus_Status project_rates(const Run *run, sarrus_Fault *fault) {
  Tangent *tangent = run->tangent;
  const int general = run->form->system->general;
  set_point(run);
  if (general) {
    find_rates(run);
    set_point(run);
  }
  if (run->form->system->m == 0) return SARRUS_OK;
  note_sizes(run, 1, general ? tangent->q : tangent->v);
  for (int l = 0; l < tangent->directions; l++)
    correct(run, 1, l, general ? 1 : 0, general ? tangent->q : tangent->v);
  set_point(run);
  if (general) {
    find_rates(run);
    set_point(run);
  }
  return check_left_out(run, 1, tangent->v, fault);
}

/* --- stages --------------------------------------------------------------------------------- */

/* J dX_k = -(k+1) … (k+c) dF_{k+c} for all directions, side by side in rhs. */
static sarrus_Status solve(const Run *run, int stage) {
  const sarrus_System *system = run->form->system;
  const Dual *dual = &run->form->dual;
  const int directions = run->tangent->directions, room = run->tangent->room;
  const double factor[MOST_DEGREE + 1] = {rise(run, stage, 0), rise(run, stage, 1),
                                          rise(run, stage, 2)};
  double *rhs = run->tangent->rhs;
  for (int i = 0; i < run->variables; i++) {
    const double *slope = stage + system->offset[i] > 0
                              ? dual->output_slope + (ptrdiff_t)i * dual->width
                              : dual_slope(dual, run->form->tape->output_value[i]);
    for (int l = 0; l < directions; l++)
      rhs[(ptrdiff_t)l * room + i] = -factor[system->offset[i]] * slope[l];
  }
  for (int l = 0; l < directions; l++) {
    kkt_solve(run->expansion->kkt, rhs + (ptrdiff_t)l * room, stage);
    if (!vector_finite(rhs + (ptrdiff_t)l * room, run->variables)) return SARRUS_NONFINITE;
  }
  for (int j = 0; j < run->variables; j++) {
    double *to = row_of(run, stage + system->degree[j], j);
    for (int l = 0; l < directions; l++)
      to[l] = rhs[(ptrdiff_t)l * room + j] / factor[system->degree[j]];
  }
  return SARRUS_OK;
}

static sarrus_Status extend(const Run *run, int stage) {
  Dual *dual = &run->form->dual;
  clear_stage(run, stage);
  if (stage == 0) evaluate(run);
  dual_run(dual, stage);
  SARRUS_TRY(solve(run, stage));
  feed(run, stage);
  if (stage == 0) {
    dual_values(dual, 0, 0);
    dual_weights(dual, 0, 0);
  }
  dual_complete(dual, stage);
  return SARRUS_OK;
}

/* All that is known before derivatives are. */
static void begin(const Run *run, const double *parameters) {
  Dual *dual = &run->form->dual;
  set_motion(run, dual, parameters);
  dual_set_unit(dual, run->motion->unit);
  set_branches(run);
  set_parameters(run, dual);
  clear_stage(run, 0);
}

sarrus_Status tangent_expand(Tangent *tangent, TangentForm *form, const sarrus_Expansion *expansion,
                             const Expanded *motion, const double *parameters,
                             sarrus_Fault *fault) {
  const Run run = {tangent, form, expansion, motion, form->system->n + form->system->m};
  begin(&run, parameters);
  SARRUS_TRY(project_positions(&run, fault));
  SARRUS_TRY(project_rates(&run, fault));
  for (int stage = 0; stage < motion->stages; stage++)
    SARRUS_TRY(extend(&run, stage));
  for (int j = 0; j < form->system->n; j++) /* these are known to one order less */
    if (form->system->degree[j] == 1)
      memset(row_of(&run, motion->stages + 1, j), 0, (size_t)tangent->width * sizeof(double));
  return SARRUS_OK;
}

/* --- for impacts ---------------------------------------------------------------------------- */

void tangent_place(Tangent *tangent, TangentForm *form, const sarrus_Expansion *expansion,
                   const Expanded *motion, const double *parameters) {
  const Run run = {tangent, form, expansion, motion, form->system->n + form->system->m};
  begin(&run, parameters);
  set_point(&run);
}

/* The entries of J once more, as a tape of its own, in the graph of the form. */
static sarrus_Status compile_matrix(const Tangent *tangent, TangentForm *form) {
  const sarrus_Memory memory = tangent->memory;
  const Tape *own = form->system->tape;
  sarrus_Expr *nodes = NULL;
  int capacity = 0;
  if (form->matrix_block != NULL) return SARRUS_OK;
  if (!ARRAY_RESERVE(memory, nodes, capacity, own->extra_count + 1)) return SARRUS_NOMEM;
  for (int i = 0; i < own->extra_count; i++)
    nodes[i] = own->values[own->extra_value[i]].node;
  const TapeSpec spec = {.graph = form->graph, .extra_count = own->extra_count, .extras = nodes};
  const sarrus_Status status =
      form->matrix == NULL ? tape_new(memory, &spec, &form->matrix) : SARRUS_OK;
  ARRAY_RELEASE(memory, nodes, capacity);
  SARRUS_TRY(status);
  Block block = {NULL, 0};
  form->entries = (Dual){.tape = form->matrix, .width = tangent->width};
  dual_lay_out(&form->entries, &block);
  form->matrix_block = memory.alloc(memory.ud, NULL, 0, block.used);
  if (form->matrix_block == NULL) return SARRUS_NOMEM;
  form->matrix_bytes = block.used;
  memset(form->matrix_block, 0, block.used);
  dual_lay_out(&form->entries, &(Block){form->matrix_block, 0});
  return SARRUS_OK;
}

sarrus_Status tangent_matrix(Tangent *tangent, TangentForm *form, const sarrus_Expansion *expansion,
                             const Expanded *motion, const double *parameters) {
  SARRUS_TRY(compile_matrix(tangent, form));
  const Run run = {tangent, form, expansion, motion, form->system->n + form->system->m};
  Dual *dual = &form->entries;
  set_motion(&run, dual, parameters);
  set_parameters(&run, dual);
  for (int i = 0; i < form->matrix->input_count; i++) {
    const Input *input = &form->matrix->inputs[i];
    const ptrdiff_t at = (ptrdiff_t)input->index * tangent->width;
    if (input->kind == SARRUS_Q) put_row(&run, dual_slope(dual, input->value), tangent->q + at, 1);
  }
  dual_values(dual, LEAD_CONSTANT, 0);
  return SARRUS_OK;
}

/* --- between -------------------------------------------------------------------------------- */

/*
** As span_evaluate, for `count` variables from `first` on; x: one number each, or, without a
** direction, a row.
*/
static void sum_up(const Tangent *tangent, const Span *span, int direction, int first, int count,
                   int top, int derivative, double t, double *x) {
  const int width = tangent->width, step = direction == SARRUS_NONE ? 1 : width;
  const double scale = derivative == 0   ? 1
                       : derivative == 1 ? 1 / span->unit
                                         : 1 / (span->unit * span->unit);
  const ptrdiff_t numbers = direction == SARRUS_NONE ? (ptrdiff_t)count * width : count;
  for (ptrdiff_t j = 0; j < numbers; j++)
    x[j] = 0;
  for (int k = top; k >= derivative; k--) {
    const double weight = scale * (derivative == 0 ? 1 : derivative == 1 ? k : (double)k * (k - 1));
    const double *c = tangent->c + ((ptrdiff_t)k * span->variables + first) * width +
                      (direction == SARRUS_NONE ? 0 : direction);
    for (ptrdiff_t j = 0; j < numbers; j++)
      x[j] = x[j] * t + weight * c[j * step];
  }
}

void tangent_evaluate_all(const Tangent *tangent, const Span *span, double dt, double *q,
                          double *v) {
  const double t = dt / span->unit;
  sum_up(tangent, span, SARRUS_NONE, 0, span->n, span->order + 1, 0, t, q);
  sum_up(tangent, span, SARRUS_NONE, 0, span->n, span->order + 1, 1, t, v);
}

void tangent_evaluate(const Tangent *tangent, const Span *span, double dt, int direction,
                      double *dq, double *dv, double *da, double *dlambda) {
  const int top = span->order + 1;
  const double t = dt / span->unit;
  if (dq != NULL) sum_up(tangent, span, direction, 0, span->n, top, 0, t, dq);
  if (dv != NULL) sum_up(tangent, span, direction, 0, span->n, top, 1, t, dv);
  if (da != NULL) sum_up(tangent, span, direction, 0, span->n, top, 2, t, da);
  if (dlambda != NULL) sum_up(tangent, span, direction, span->n, span->m, top - 2, 0, t, dlambda);
}
