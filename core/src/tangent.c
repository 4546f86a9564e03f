#include "tangent.h"

#include <float.h>
#include <math.h>
#include <string.h>

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
  BLOCK_TAKE(block, tangent->one, tangent->room);
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

static void lay_out_form(const Tangent *tangent, TangentForm *form, Block *block) {
  const Tape *tape = form->system->tape;
  const ptrdiff_t rows = (ptrdiff_t)(form->system->n + form->system->m) * tangent->width;
  BLOCK_TAKE(block, form->feeds, tape->input_count);
  BLOCK_TAKE(block, form->set_aside, tape->aside_count);
  BLOCK_TAKE(block, form->rhs, rows);
  BLOCK_TAKE(block, form->lower[0], rows);
  BLOCK_TAKE(block, form->lower[1], rows);
  BLOCK_TAKE(block, form->off, rows);
  BLOCK_TAKE(block, form->solving, 3 * rows);
  follower_lay_out(&form->follower, block, tape, tangent->capacity, tangent->width);
}

/* Which derivatives of a stage go where; and the unknowns that are set aside. */
static void connect(TangentForm *form, int width) {
  const sarrus_System *system = form->system;
  const Tape *tape = system->tape;
  for (int j = 0; j < system->n + system->m; j++)
    for (int derivative = 0; derivative <= system->degree[j]; derivative++) {
      const int input = system->input[j][derivative];
      const int slot = input == SARRUS_NONE ? SARRUS_NONE : tape->inputs[input].slot;
      const double *x = derivative == system->degree[j] ? form->rhs : form->lower[derivative];
      if (slot == SARRUS_NONE) continue;
      form->feeds[form->feed_count++] =
          (Copy){form->follower.rows->stores[slot].current, x + (ptrdiff_t)j * width};
    }
  for (int i = 0; i < tape->aside_count; i++)
    for (int k = 0; k < tape->input_count; k++)
      if (tape->inputs[k].value == tape->asides[i].value) form->set_aside[i] = k;
}

static sarrus_Status make_form(const Tangent *tangent, TangentForm *form) {
  const sarrus_Memory memory = tangent->memory;
  Block block = {NULL, 0};
  lay_out_form(tangent, form, &block);
  form->bytes = block.used;
  form->block = memory.alloc(memory.ud, NULL, 0, block.used);
  if (form->block == NULL) return SARRUS_NOMEM;
  memset(form->block, 0, block.used);
  lay_out_form(tangent, form, &(Block){form->block, 0});
  follower_open(&form->follower);
  connect(form, tangent->width);
  return SARRUS_OK;
}

sarrus_Status tangent_take_form(const Tangent *tangent, TangentForm *form,
                                const sarrus_System *system) {
  if (form->system == system) return SARRUS_OK;
  tangent_free_form(tangent, form);
  form->system = system;
  const sarrus_Status status = make_form(tangent, form);
  if (status < 0) tangent_free_form(tangent, form);
  return status;
}

size_t tangent_form_bytes(const TangentForm *form) {
  return form->bytes + form->matrix_bytes + (form->matrix == NULL ? 0 : form->matrix->bytes) +
         (form->graph == NULL ? 0 : sarrus_graph_bytes(form->graph));
}

void tangent_free_form(const Tangent *tangent, TangentForm *form) {
  const sarrus_Memory memory = tangent->memory;
  if (form->block != NULL) memory.alloc(memory.ud, form->block, form->bytes, 0);
  if (form->matrix_block != NULL)
    memory.alloc(memory.ud, form->matrix_block, form->matrix_bytes, 0);
  tape_free(form->matrix);
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
  int variables, width;
} Run;

/* Coefficient k of derivative m of a series: c_{k+m} (k+1) … (k+m) / unit^m. */
static double rise(const Run *run, int k, int m) {
  double factor = 1;
  for (int i = 1; i <= m; i++)
    factor *= (k + i) / run->motion->unit;
  return factor;
}

/* Row j of some rows. */
static double *row_of(const Run *run, double *rows, int j) {
  return rows + (ptrdiff_t)j * run->width;
}

static double *series_of(const Run *run, int k, int variable) {
  return row_of(run, run->tangent->c, k * run->variables + variable);
}

/* to = factor x */
static void put_row(const Run *run, double *to, const double *x, double factor) {
  if (run->width == 1) *to = factor * *x;
  for (int l = 0; l + LANES <= run->width; l += LANES)
    *(Lanes *)(to + l) = factor * *(const Lanes *)(x + l);
}

/* to += factor x */
static void add_row(const Run *run, double *to, const double *x, double factor) {
  if (run->width == 1) *to += factor * *x;
  for (int l = 0; l + LANES <= run->width; l += LANES)
    *(Lanes *)(to + l) += factor * *(const Lanes *)(x + l);
}

static void clear_row(const Run *run, double *to) {
  memset(to, 0, (size_t)run->width * sizeof *to);
}

/* How the values of an output change. */
static double *output_slope(const Run *run, int i) {
  return follower_slope(&run->form->follower, run->form->system->tape->output_value[i]);
}

/* Where derivative m of a variable changes; NULL: the equations do not contain it. */
static double *input_slope(const Run *run, int variable, int m) {
  const sarrus_System *system = run->form->system;
  const int input = system->input[variable][m];
  return input == SARRUS_NONE
             ? NULL
             : follower_slope(&run->form->follower, system->tape->inputs[input].value);
}

/* How parameters change, and whether they do. */
static int set_parameters(const Run *run) {
  const Tape *tape = run->form->system->tape;
  int moves = 0;
  for (int i = 0; i < tape->input_count && tape->inputs[i].lead == LEAD_CONSTANT; i++) {
    const Input *input = &tape->inputs[i];
    if (input->kind != SARRUS_PARAMETER) continue;
    const double *p = row_of(run, run->tangent->p, input->index);
    put_row(run, follower_slope(&run->form->follower, input->value), p, 1);
    for (int l = 0; l < run->width; l++)
      moves |= p[l] != 0;
  }
  return moves;
}

/* Slopes of the values of derivative m of all variables of a degree above that: from rows. */
static void set_slopes(const Run *run, int m, double *rows) {
  for (int j = 0; j < run->form->system->n; j++) {
    double *to = input_slope(run, j, m);
    if (to != NULL && run->form->system->degree[j] > m) put_row(run, to, row_of(run, rows, j), 1);
  }
}

/* The coefficients of the motion that asides multiply at a stage. */
static void set_unknowns(const Run *run, int stage) {
  const sarrus_System *system = run->form->system;
  const Tape *tape = system->tape;
  const Follower *follower = &run->form->follower;
  for (int w = 0; w < follower->wanted_count; w++) {
    const int i = follower->wanted[w];
    const Unrun *aside = &tape->asides[i];
    const Input *input = &tape->inputs[run->form->set_aside[i]];
    const int multiplier = input->kind == SARRUS_LAMBDA;
    const int m = multiplier ? 0 : (int)input->kind - (int)SARRUS_Q;
    const int variable = multiplier ? system->n + input->index : input->index;
    const int k = stage + tape->output_lead[aside->output];
    follower->unknowns[i] =
        k < 0 ? 0
              : rise(run, k, m) * run->motion->c[(ptrdiff_t)(k + m) * run->variables + variable];
  }
}

static void run_partial(const Run *run, int stage) {
  set_unknowns(run, stage);
  follow_partial(&run->form->follower, stage);
}

/* --- points on the constraints -------------------------------------------------------------- */

/* to += sum_j J_ij x_j, over the coordinates */
static void add_changed(const Run *run, int row, double *x, double *to) {
  const Kkt *kkt = run->expansion->kkt;
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++)
    if (kkt->pattern.column[e] < run->form->system->n)
      add_row(run, to, row_of(run, x, kkt->pattern.column[e]), kkt->value[e]);
}

/*
** J (dx, .) = (0, -off) for all directions; x += dx for variables of a degree, 0 being any.  Then
** `off` has what is left.
*/
static void correct(const Run *run, int degree, double *x) {
  const sarrus_System *system = run->form->system;
  double *rhs = run->form->rhs, *off = run->form->off;
  const ptrdiff_t first = (ptrdiff_t)system->n * run->width;
  memset(rhs, 0, (size_t)first * sizeof *rhs);
  vector_scale(rhs + first, off + first, -1, system->m * run->width);
  kkt_solve_motion_rows(run->expansion->kkt, rhs, run->width, run->form->solving);
  for (int j = 0; j < system->n; j++)
    if (degree == 0 || system->degree[j] == degree)
      add_row(run, row_of(run, x, j), row_of(run, rhs, j), 1);
  for (int i = system->n; i < run->variables && run->expansion->kkt->dependent_count > 0; i++)
    add_changed(run, i, rhs, row_of(run, off, i));
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
      const double off = fabs(row_of(run, run->form->off, i)[l]);
      if (off <= allowed_violation(run, i, derivative, x, l)) continue;
      *fault = fault_violated(i, derivative, off);
      fault->count = l;
      return SARRUS_INCONSISTENT;
    }
  }
  return SARRUS_OK;
}

/* How large directions have been so far, as they are given. */
static void note_sizes(const Run *run, int derivative, const double *x) {
  const Tangent *tangent = run->tangent;
  if (run->expansion->kkt->dependent_count == 0) return;
  for (int l = 0; l < tangent->width; l++) {
    double most = 0;
    for (int j = 0; j < tangent->n; j++)
      most =
          fmax(most, fabs(x[(ptrdiff_t)j * tangent->width + l]) / run->expansion->kkt->column[j]);
    tangent->size[derivative][l] = most;
  }
}

/* G dq = -g_p dp; without parameters that change, what is off is G dq. */
static sarrus_Status project_positions(const Run *run, sarrus_Fault *fault) {
  Tangent *tangent = run->tangent;
  const sarrus_System *system = run->form->system;
  Follower *follower = &run->form->follower;
  if (system->m == 0) return SARRUS_OK;
  if (follower->moves) {
    set_slopes(run, 0, tangent->q);
    follow_values(follower, LEAD_KNOWN - 1, MOST_DEGREE);
  }
  note_sizes(run, 0, tangent->q);
  for (int i = system->n; i < run->variables; i++) {
    double *off = row_of(run, run->form->off, i);
    clear_row(run, off);
    if (system->offset[i] != 2) continue;
    if (follower->moves)
      put_row(run, off, output_slope(run, i), 1);
    else
      add_changed(run, i, tangent->q, off);
  }
  correct(run, system->general ? 2 : 0, tangent->q);
  return check_left_out(run, 0, tangent->q, fault);
}

/* In a general DAE, rates of variables of degree 2 follow from the others: dx' = -dF, x' = 0. */
static void find_rates(const Run *run) {
  const sarrus_System *system = run->form->system;
  if (!system->general) return;
  set_slopes(run, 0, run->tangent->q);
  memset(run->tangent->v, 0, (size_t)(system->n * run->width) * sizeof(double));
  set_slopes(run, 1, run->tangent->v);
  follow_values(&run->form->follower, LEAD_KNOWN - 1, 1);
  for (int j = 0; j < system->n; j++)
    if (system->degree[j] == 2)
      put_row(run, row_of(run, run->tangent->v, j), output_slope(run, j), -1);
}

/* Rates of constraints; those of order 1 are values. */
static void find_off_rates(const Run *run) {
  const sarrus_System *system = run->form->system;
  int values = 0;
  for (int i = system->n; i < run->variables; i++)
    values |= system->offset[i] == 1;
  if (values) {
    set_slopes(run, 1, run->tangent->v);
    follow_values(&run->form->follower, 1, 1);
  }
  for (int i = system->n; i < run->variables; i++) {
    double *off = row_of(run, run->form->off, i);
    clear_row(run, off);
    if (system->offset[i] == 1) put_row(run, off, output_slope(run, i), 1);
    if (system->offset[i] != 2) continue;
    put_row(run, off, row_of(run, run->form->follower.rows->output, i), 1 / run->motion->unit);
    add_changed(run, i, run->tangent->v, off);
  }
}

/* Coefficients 0 and 1 of the tangents, and what follows from them, unknowns being as before. */
static void set_rates(const Run *run) {
  Tangent *tangent = run->tangent;
  const sarrus_System *system = run->form->system;
  Follower *follower = &run->form->follower;
  set_slopes(run, 1, tangent->v);
  for (int j = 0; j < run->variables; j++) {
    const int degree = system->degree[j];
    double *unknown = input_slope(run, j, degree);
    if (unknown != NULL) clear_row(run, unknown);
    if (degree > 0) put_row(run, series_of(run, 0, j), row_of(run, tangent->q, j), 1);
    if (degree < 2) continue;
    double *rate = series_of(run, 1, j);
    put_row(run, rate, row_of(run, tangent->v, j), run->motion->unit);
    const int input = system->input[j][0];
    const int slot = input == SARRUS_NONE ? SARRUS_NONE : system->tape->inputs[input].slot;
    if (slot != SARRUS_NONE) put_row(run, follower->rows->stores[slot].current, rate, 1);
  }
  follow_values(follower, 1, 0);
  follow_complete(follower, -1);
}

/* The same of rates. */
static sarrus_Status project_rates(const Run *run, sarrus_Fault *fault) {
  Tangent *tangent = run->tangent;
  const int general = run->form->system->general;
  set_slopes(run, 0, tangent->q);
  follow_values(&run->form->follower, LEAD_KNOWN - 1, MOST_DEGREE);
  find_rates(run);
  run_partial(run, -1);
  if (run->form->system->m > 0) {
    note_sizes(run, 1, general ? tangent->q : tangent->v);
    find_off_rates(run);
    correct(run, general ? 1 : 0, general ? tangent->q : tangent->v);
    SARRUS_TRY(check_left_out(run, 1, tangent->v, fault));
    find_rates(run);
  }
  set_rates(run);
  return SARRUS_OK;
}

/* --- stages --------------------------------------------------------------------------------- */

/* J dX_k = -(k+1) … (k+c) dF_{k+c} for all directions, side by side. */
static sarrus_Status solve(const Run *run, int stage) {
  const sarrus_System *system = run->form->system;
  const double *output = run->form->follower.rows->output;
  double *rhs = run->form->rhs;
  const int width = run->width;
  for (int from = 0; from < run->variables; from = system->offset_end[from]) {
    const int offset = system->offset[from], end = system->offset_end[from];
    const ptrdiff_t at = (ptrdiff_t)from * width;
    vector_scale(rhs + at, output + at, -rise(run, stage, offset), (end - from) * width);
    for (int i = from; i < end && stage + offset == 0; i++)
      put_row(run, row_of(run, rhs, i), output_slope(run, i), -1);
  }
  kkt_solve_rows(run->expansion->kkt, rhs, width, stage, run->form->solving);
  return vector_finite(rhs, run->variables * width) ? SARRUS_OK : SARRUS_NONFINITE;
}

/* The unknowns of a stage go to the tape. */
static void feed(const Run *run) {
  const Copy *copy = run->form->feeds, *end = copy + run->form->feed_count;
  if (run->width == 1)
    for (; copy < end; copy++)
      *copy->to = *copy->from;
  for (; copy < end; copy++)
    put_row(run, copy->to, copy->from, 1);
}

/* From the highest derivatives, which are solved for, to the lower ones, as (T7). */
static void find_lower(const Run *run, int stage) {
  const sarrus_System *system = run->form->system;
  const int width = run->width;
  for (int from = 0; from < run->variables; from = system->degree_end[from]) {
    const int degree = system->degree[from], count = (system->degree_end[from] - from) * width;
    const ptrdiff_t at = (ptrdiff_t)from * width;
    const double *x = run->form->rhs + at;
    double divisor = 1;
    for (int derivative = degree - 1; derivative >= 0; derivative--) {
      double *lower = run->form->lower[derivative] + at;
      divisor *= (stage + degree - derivative) / run->motion->unit;
      if (derivative > 0 && !run->expansion->feeds_rates) continue;
      vector_divide(lower, x, divisor, count);
      x = lower;
      divisor = 1;
    }
    memcpy(series_of(run, stage + degree, from), x, (size_t)count * sizeof *x);
  }
  feed(run);
}

static sarrus_Status extend(const Run *run, int stage) {
  const sarrus_System *system = run->form->system;
  run_partial(run, stage);
  SARRUS_TRY(solve(run, stage));
  find_lower(run, stage);
  if (stage == run->motion->stages - 1) return SARRUS_OK; /* nothing follows from it */
  if (stage == 0) {
    for (int j = 0; j < run->variables; j++) {
      double *unknown = input_slope(run, j, system->degree[j]);
      if (unknown != NULL) put_row(run, unknown, row_of(run, run->form->rhs, j), 1);
    }
    follow_values(&run->form->follower, 0, 0);
  }
  follow_complete(&run->form->follower, stage);
  return SARRUS_OK;
}

sarrus_Status tangent_expand(Tangent *tangent, TangentForm *form, const sarrus_Expansion *expansion,
                             const Expanded *motion, sarrus_Fault *fault) {
  const Run run = {tangent,       form, expansion, motion, form->system->n + form->system->m,
                   tangent->width};
  form->follower.motion = expansion->work;
  follow_constants(&form->follower, set_parameters(&run));
  SARRUS_TRY(project_positions(&run, fault));
  SARRUS_TRY(project_rates(&run, fault));
  for (int stage = 0; stage < motion->stages; stage++)
    SARRUS_TRY(extend(&run, stage));
  for (int j = 0; j < form->system->n; j++) /* these are known to one order less */
    if (form->system->degree[j] == 1) clear_row(&run, series_of(&run, motion->stages + 1, j));
  return SARRUS_OK;
}

/* --- between -------------------------------------------------------------------------------- */

/* How often coefficient k counts in a derivative. */
static double count_of(int k, int derivative) {
  return derivative == 0 ? 1 : derivative == 1 ? k : (double)k * (k - 1);
}

/* As span_evaluate, for `count` variables from `first` on in one direction. */
static void sum_up(const Tangent *tangent, const Span *span, int direction, int first, int count,
                   int top, int derivative, double t, double *x) {
  const int width = tangent->width;
  double scale = 1;
  for (int i = 0; i < derivative; i++)
    scale /= span->unit;
  memset(x, 0, (size_t)count * sizeof *x);
  for (int k = top; k >= derivative; k--) {
    const double weight = scale * count_of(k, derivative);
    const double *c = tangent->c + ((ptrdiff_t)k * span->variables + first) * width + direction;
    for (int j = 0; j < count; j++)
      x[j] = x[j] * t + weight * c[(ptrdiff_t)j * width];
  }
}

void tangent_evaluate_all(const Tangent *tangent, const Span *span, double dt, double *q,
                          double *v) {
  const int width = tangent->width, numbers = span->n * width;
  const double t = dt / span->unit;
  memset(q, 0, (size_t)numbers * sizeof *q);
  memset(v, 0, (size_t)numbers * sizeof *v);
  for (int k = span->order + 1; k >= 0; k--) {
    const double *c = tangent->c + (ptrdiff_t)k * span->variables * width;
    vector_horner(q, t, c, 1, numbers);
    if (k > 0) vector_horner(v, t, c, k / span->unit, numbers);
  }
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
