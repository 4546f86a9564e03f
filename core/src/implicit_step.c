/*
** One implicit step: sets where it begins, predicts the stages, has them solved
** (implicit_newton.c), finds where it ends (T55), and writes it as series.
*/
#include <math.h>
#include <string.h>

#include "implicit_parts.h"

/* --- layout ------------------------------------------------------------------------------ */

static void lay_out_sides(Sides *sides, const Radau *radau, Block *block) {
  const int s = radau->stages, width = points_width(s);
  sides->width = width;
  BLOCK_TAKE(block, sides->c, width);
  BLOCK_TAKE(block, sides->A, s * width);
  BLOCK_TAKE(block, sides->square, s * width);
  BLOCK_TAKE(block, sides->out_re, (1 + MOST_PAIRS) * width);
  BLOCK_TAKE(block, sides->out_im, (1 + MOST_PAIRS) * width);
  BLOCK_TAKE(block, sides->in, s);
  BLOCK_TAKE(block, sides->in_pairs, s);
}

static void fill_sides(Sides *sides, const Radau *radau) {
  const int s = radau->stages, width = sides->width;
  for (int l = 0; l < width; l++) {
    const int i = l < s ? l : 0;
    sides->c[l] = radau->c[i];
    for (int k = 0; k < s; k++) {
      sides->A[k * width + l] = radau->A[i * s + k];
      sides->square[k * width + l] = radau->square[i * s + k];
    }
    for (int p = 0; p <= radau->pairs; p++) {
      sides->out_re[p * width + l] = (p > 0 ? 2 : 1) * radau->out_re[p * s + i];
      sides->out_im[p * width + l] = (p > 0 ? 2 : 1) * radau->out_im[p * s + i];
    }
  }
  for (int i = 0; i < s; i++) {
    sides->in[i] = radau->in_re[i];
    for (int p = 0; p < radau->pairs; p++) {
      sides->in_pairs[i].re[p] = radau->in_re[(p + 1) * s + i];
      sides->in_pairs[i].im[p] = radau->in_im[(p + 1) * s + i];
    }
  }
}

static void lay_out(Implicit *implicit, Block *block) {
  const Equations *equations = implicit->equations;
  const int n = equations->n, size = equations->size;
  block_take(block, 1, sizeof *implicit);
  lay_out_sides(&implicit->sides, implicit->radau, block);
  const int s = implicit->sides.width;
  points_lay_out(&implicit->stages, equations->residual, &equations->residual_twins,
                 implicit->radau->stages, block);
  points_lay_out(&implicit->start, equations->residual, &equations->residual_twins, 1, block);
  points_lay_out(&implicit->middle, equations->terms, &equations->term_twins, 1, block);
  points_lay_out(&implicit->closing, equations->closing, &equations->closing_twins, 1, block);
  shifted_lay_out(&implicit->matrix, equations, block);
  BLOCK_TAKE(block, implicit->q, n);
  BLOCK_TAKE(block, implicit->v, n);
  BLOCK_TAKE(block, implicit->x, (ptrdiff_t)size * s);
  BLOCK_TAKE(block, implicit->Q, (ptrdiff_t)n * s);
  BLOCK_TAKE(block, implicit->V, (ptrdiff_t)n * s);
  BLOCK_TAKE(block, implicit->last_x, (ptrdiff_t)size * s);
  BLOCK_TAKE(block, implicit->last_q, n);
  BLOCK_TAKE(block, implicit->last_v, n);
  BLOCK_TAKE(block, implicit->scale, n);
  BLOCK_TAKE(block, implicit->real, size);
  BLOCK_TAKE(block, implicit->noise, size);
  BLOCK_TAKE(block, implicit->pairs, size);
  BLOCK_TAKE(block, implicit->end_q, n);
  BLOCK_TAKE(block, implicit->end_v, n);
}

sarrus_Status implicit_new(sarrus_Memory memory, const sarrus_System *whole,
                           const sarrus_System *form, double tolerance, Implicit **result) {
  Implicit shape = {.memory = memory, .radau = radau_for(tolerance)};
  *result = NULL;
  SARRUS_TRY(equations_of(memory, whole, form, &shape.equations));
  Block block = {NULL, 0};
  lay_out(&shape, &block);
  shape.bytes = block.used;
  Implicit *implicit = memory.alloc(memory.ud, NULL, 0, block.used);
  if (implicit == NULL) {
    equations_leave(shape.equations);
    return SARRUS_NOMEM;
  }
  memset(implicit, 0, block.used);
  *implicit = shape;
  lay_out(implicit, &(Block){(char *)implicit, 0});
  fill_sides(&implicit->sides, implicit->radau);
  implicit->matrix.memory = memory;
  points_prepare(&implicit->stages);
  points_prepare(&implicit->start);
  points_prepare(&implicit->middle);
  points_prepare(&implicit->closing);
  *result = implicit;
  return SARRUS_OK;
}

void implicit_free(Implicit *implicit) {
  if (implicit == NULL) return;
  shifted_release(&implicit->matrix);
  equations_leave(implicit->equations);
  implicit->memory.alloc(implicit->memory.ud, implicit, implicit->bytes, 0);
}

/* --- inputs ------------------------------------------------------------------------------ */

void implicit_set_inputs(const Implicit *implicit, Points *points, const Sources *from,
                         const Surroundings *here) {
  const Equations *equations = implicit->equations;
  for (int i = 0; i < points->tape->input_count; i++) {
    const Input *input = &points->tape->inputs[i];
    const ptrdiff_t at = (ptrdiff_t)input->index * from->step;
    const double *source = NULL;
    double constant = 0, *to = points_input(points, i);
    switch (input->kind) {
      case SARRUS_Q: source = from->Q + at; break;
      case SARRUS_V:
        source = (equations->degree[input->index] == 2 ? from->V : from->x) + at;
        break;
      case SARRUS_A: source = from->x + at; break;
      case SARRUS_LAMBDA: source = from->x + (ptrdiff_t)equations->n * from->step + at; break;
      case SARRUS_PARAMETER: constant = here->parameters[input->index]; break;
      case SARRUS_U: constant = here->modes[input->index]; break;
      default: break;
    }
    if (source != NULL)
      memcpy(to, source, (size_t)points->width * sizeof *to);
    else
      for (int l = 0; l < points->width; l++)
        to[l] = input->kind == SARRUS_TIME ? from->t + from->h * from->c[l] : constant;
  }
}

/* --- where it begins --------------------------------------------------------------------- */

/* The constraints and their rates at a point, which depend on coordinates and velocities only. */
static sarrus_Status run_closing(Implicit *implicit, double t, const double *q, const double *v,
                                 const Surroundings *here) {
  const double now = 0;
  const Sources from = {.x = implicit->x, .Q = q, .V = v, .step = 1, .t = t, .c = &now};
  implicit_set_inputs(implicit, &implicit->closing, &from, here);
  return points_run(&implicit->closing, here->branch);
}

/* Set coordinates and velocities where the step begins; lifted lengths follow from the others. */
static sarrus_Status begin(Implicit *implicit, const Point *from, const Surroundings *here) {
  const Equations *equations = implicit->equations;
  const int n = equations->form->n, m = equations->form->m;
  memcpy(implicit->q, from->q, (size_t)n * sizeof(double));
  memcpy(implicit->v, from->v, (size_t)n * sizeof(double));
  memcpy(implicit->scale, here->scale, (size_t)n * sizeof(double));
  if (equations->lifts == 0) return SARRUS_OK;
  memset(implicit->q + n, 0, (size_t)equations->lifts * sizeof(double));
  memset(implicit->v + n, 0, (size_t)equations->lifts * sizeof(double));
  SARRUS_TRY(run_closing(implicit, from->t, implicit->q, implicit->v, here));
  for (int k = 0; k < equations->lifts; k++) {
    implicit->q[n + k] = -*points_extra(&implicit->closing, m + k);
    implicit->v[n + k] = -*points_extra(&implicit->closing, equations->m + m + k);
  }
  return SARRUS_OK;
}

/* The scale of a lifted length: its largest change when all coordinates move by their scales. */
static void scale_lifts(Implicit *implicit) {
  const Equations *equations = implicit->equations;
  const int n = equations->form->n;
  for (int k = 0; k < equations->lifts; k++) {
    const int row = equations->n + equations->form->m + k;
    double sum = 0;
    for (int e = equations->start[row]; e < equations->start[row + 1]; e++)
      if (equations->column[e] < n)
        sum += fabs(implicit->matrix.part[0][e]) * implicit->scale[equations->column[e]];
    implicit->scale[n + k] = sum > 0 ? sum : 1;
  }
}

/* --- predicting -------------------------------------------------------------------------- */

static int goes_on(const Implicit *implicit) {
  const size_t bytes = (size_t)implicit->equations->form->n * sizeof(double);
  return implicit->last_h != 0 && memcmp(implicit->last_q, implicit->q, bytes) == 0 &&
         memcmp(implicit->last_v, implicit->v, bytes) == 0;
}

/* Predict stages from the polynomials of the last step, from its part `begin` on. */
static void follow_last(Implicit *implicit, double begin, double h) {
  const int s = implicit->radau->stages, width = implicit->sides.width;
  double weights[MOST_STAGES];
  for (int i = 0; i < width; i++) {
    radau_weights(implicit->radau, begin + implicit->sides.c[i] * h / implicit->last_h, weights);
    for (int j = 0; j < implicit->equations->size; j++) {
      double sum = 0;
      for (int k = 0; k < s; k++)
        sum += weights[k] * implicit->last_x[j * width + k];
      implicit->x[j * width + i] = sum;
    }
  }
}

static void fill_stages(Implicit *implicit, int j, double x) {
  for (int i = 0; i < implicit->sides.width; i++)
    implicit->x[j * implicit->sides.width + i] = x;
}

/*
** Predict stages without a last step: unknowns are constant, as where the step begins.  Those of a
** lifted length follow from the other coordinates, its multiplier is its effort.
*/
static sarrus_Status begin_at_constants(Implicit *implicit, double t, const Surroundings *here) {
  const Equations *equations = implicit->equations;
  const int n = equations->form->n, m = equations->form->m;
  double *x = implicit->real;
  const double now = 0;
  const Sources from = {.x = x, .Q = implicit->q, .V = implicit->v, .step = 1, .t = t, .c = &now};
  memset(x, 0, (size_t)equations->size * sizeof *x);
  memcpy(x, here->a, (size_t)n * sizeof *x);
  memcpy(x + equations->n, here->lambda, (size_t)m * sizeof *x);
  if (equations->lifts > 0) {
    implicit_set_inputs(implicit, &implicit->start, &from, here);
    SARRUS_TRY(points_run(&implicit->start, here->branch));
    for (int k = 0; k < equations->lifts; k++) {
      x[equations->n + m + k] = -*points_extra(&implicit->start, n + k);
      x[n + k] = -*points_extra(&implicit->start, equations->n + m + k);
    }
  }
  for (int j = 0; j < equations->size; j++)
    fill_stages(implicit, j, x[j]);
  return SARRUS_OK;
}

/* Predict the stages; multipliers of constraints that are left out keep their values. */
static sarrus_Status predict(Implicit *implicit, double t, double h, const Surroundings *here,
                             int part) {
  const Equations *equations = implicit->equations;
  if (part || goes_on(implicit))
    follow_last(implicit, part ? 0 : implicit->last_end, h);
  else
    SARRUS_TRY(begin_at_constants(implicit, t, here));
  for (int i = 0; !equations->form->general && i < equations->form->m; i++)
    if (here->dependent[i] != KKT_KEPT)
      fill_stages(implicit, equations->n + i, here->dependent[i] == KKT_OFF ? 0 : here->lambda[i]);
  return SARRUS_OK;
}

/* --- where it ends ----------------------------------------------------------------------- */

enum { MOST_CORRECTIONS = 4 };

/*
** Project the end of the step onto the constraints with the matrix of the step, so that stiff
** directions move least (T55); positions first, then velocities.
*/
static sarrus_Status close(Implicit *implicit, double t, const Surroundings *here) {
  const Equations *equations = implicit->equations;
  double *x = implicit->real;
  for (int i = 0; i <= MOST_CORRECTIONS; i++) {
    const int last = i == MOST_CORRECTIONS;
    double moved = 0;
    SARRUS_TRY(run_closing(implicit, t, implicit->end_q, implicit->end_v, here));
    memset(x, 0, (size_t)equations->n * sizeof *x);
    for (int k = 0; k < equations->m; k++)
      x[equations->n + k] = -*points_extra(&implicit->closing, last ? equations->m + k : k);
    shifted_solve(&implicit->matrix, x);
    for (int j = 0; j < equations->n; j++) {
      (last ? implicit->end_v : implicit->end_q)[j] += x[j];
      moved = fmax(moved, fabs(x[j]) / implicit->scale[j]);
    }
    if (!last && moved <= ROUNDING) i = MOST_CORRECTIONS - 1;
  }
  return SARRUS_OK;
}

static sarrus_Status solve(Implicit *implicit, const Point *from, double h,
                           const Surroundings *here, int part) {
  const Equations *equations = implicit->equations;
  const int last = implicit->radau->stages - 1, width = implicit->sides.width;
  SARRUS_TRY(begin(implicit, from, here));
  SARRUS_TRY(predict(implicit, from->t, h, here, part));
  for (int k = 0; k < equations->lifts; k++)
    implicit->scale[equations->form->n + k] = 1;
  implicit_place_stages(implicit, h);
  SARRUS_TRY(implicit_factor(implicit, from->t, h, here));
  scale_lifts(implicit);
  SARRUS_TRY(implicit_iterate(implicit, from->t, h, here));
  SARRUS_TRY(implicit_estimate(implicit, from->t, h, here));
  for (int j = 0; j < equations->n; j++) {
    implicit->end_q[j] = implicit->Q[j * width + last];
    implicit->end_v[j] = implicit->V[j * width + last];
  }
  return equations->form->general || equations->m == 0 ? SARRUS_OK
                                                       : close(implicit, from->t + h, here);
}

sarrus_Status implicit_solve(Implicit *implicit, const Point *from, double h,
                             const Surroundings *here) {
  return solve(implicit, from, h, here, 0);
}

sarrus_Status implicit_solve_part(Implicit *implicit, const Point *from, double h,
                                  const Surroundings *here) {
  return solve(implicit, from, h, here, 1);
}

void implicit_forget(Implicit *implicit) {
  implicit->last_h = 0;
  if (implicit->matrix.sparse != NULL) sparse_forget(implicit->matrix.sparse);
}

void implicit_keep(Implicit *implicit, double h) {
  const Equations *equations = implicit->equations;
  memcpy(implicit->last_x, implicit->x,
         (size_t)equations->size * (size_t)implicit->sides.width * sizeof(double));
  implicit->last_h = h;
}

/* --- as series --------------------------------------------------------------------------- */

void implicit_write(const Implicit *implicit, const Point *from, double h, Span *span) {
  const Equations *equations = implicit->equations;
  const sarrus_System *form = equations->form;
  const int s = implicit->radau->stages, variables = form->n + form->m;
  int exponent;
  frexp(h, &exponent);
  span->unit = ldexp(1, exponent);
  span->order = s;
  span->m = form->m;
  span->variables = variables;
  memset(span->c, 0, (size_t)(s + 2) * (size_t)variables * sizeof(double));
  for (int j = 0; j < variables; j++) {
    const int own = j < form->n ? j : j + equations->lifts, degree = equations->degree[own];
    double powers[MOST_STAGES], factor = 1;
    radau_powers(implicit->radau, implicit->x + (ptrdiff_t)own * implicit->sides.width, powers);
    if (degree > 0) span->c[j] = from->q[j];
    if (degree == 2) span->c[variables + j] = from->v[j] * span->unit;
    for (int k = 0; k < degree; k++)
      factor *= span->unit;
    for (int k = 0; k < s; k++) {
      const double divisor = degree == 2 ? (k + 1) * (k + 2) : degree == 1 ? k + 1 : 1;
      span->c[(ptrdiff_t)(k + degree) * variables + j] = factor * powers[k] / divisor;
      factor *= span->unit / h;
    }
  }
}

/* --- cost -------------------------------------------------------------------------------- */

size_t implicit_bytes(const Implicit *implicit) {
  const Equations *equations = implicit->equations;
  if (atomic_load(&equations->form->kept) == &equations->kept) return implicit->bytes;
  return implicit->bytes + equations->bytes + equations->residual->bytes + equations->terms->bytes +
         equations->closing->bytes + sarrus_graph_bytes(equations->graph);
}

/* Fitted to counts for a spring pendulum, a chain of eight springs and an arm of six joints. */
double implicit_cost(const Implicit *implicit) {
  const Equations *equations = implicit->equations;
  double factor, solve;
  if (implicit->matrix.sparse == NULL) return (double)INFINITY; /* no step has got to a matrix */
  sparse_cost(implicit->matrix.sparse, &factor, &solve);
  const double iteration = 800 + 30.0 * equations->residual->value_count + 270.0 * equations->size +
                           270.0 * equations->n + 60 * solve;
  const double once =
      2e4 + 1500.0 * equations->size + 120 * factor + 110.0 * equations->terms->value_count;
  return once + implicit->iterations * iteration;
}
