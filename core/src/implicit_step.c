/*
** One implicit step (T52 to T55): all stages by Newton's method with one matrix, that of the middle
** stage as predicted.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "implicit.h"
#include "vector.h"

enum { MOST_ITERATIONS = 25 };

/* Corrections are none below this, relative to scale, */
static const double ROUNDING = 4 * DBL_EPSILON;
/* or below this part of the tolerance. */
static const double PART = 0.01;
/* From here on, they need not become smaller. */
static const double STAGNANT = 100;

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

/* Unknowns, positions and velocities at the points of a run; `step` apart. */
typedef struct Sources {
  const double *x, *Q, *V;
  int step;
  double t, h;
  const double *c; /* times of the points, in h */
} Sources;

static void set_inputs(const Implicit *implicit, Points *points, const Sources *from,
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

/* The constraints and their rates at a point of coordinates alone. */
static sarrus_Status run_closing(Implicit *implicit, double t, const double *q, const double *v,
                                 const Surroundings *here) {
  const double now = 0;
  const Sources from = {.x = implicit->x, .Q = q, .V = v, .step = 1, .t = t, .c = &now};
  set_inputs(implicit, &implicit->closing, &from, here);
  return points_run(&implicit->closing, here->branch);
}

/* Coordinates, lifted ones as their lengths say. */
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

/* What a lifted length moves by as all coordinates in its row move by their scales. */
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

/* The polynomials of the last step, from `begin` of it on. */
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
** Lifted lengths change as the others let them, and their multipliers are their efforts; constants
** otherwise.
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
    set_inputs(implicit, &implicit->start, &from, here);
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

/* Multipliers of constraints that are left out stay what they are. */
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

/* --- stages ------------------------------------------------------------------------------ */

#define INLINE static inline __attribute__((always_inline)) /* into loops of known width */

/* Of one coordinate: the sum of the squares of what has changed. */
INLINE double place_coordinate(Implicit *implicit, int j, double h, int width) {
  const Sides *sides = &implicit->sides;
  const int s = implicit->radau->stages, second = implicit->equations->degree[j] == 2;
  const double *x = implicit->x + (ptrdiff_t)j * width, v0 = implicit->v[j], q0 = implicit->q[j];
  Lanes *Q = (Lanes *)(implicit->Q + (ptrdiff_t)j * width),
        *V = (Lanes *)(implicit->V + (ptrdiff_t)j * width);
  Lanes change = {0};
  for (int g = 0; g < width / LANES; g++) {
    const Lanes *A = (const Lanes *)sides->A + g, *square = (const Lanes *)sides->square + g;
    const Lanes c = ((const Lanes *)sides->c)[g], own = ((const Lanes *)x)[g];
    Lanes once = {0}, twice = {0};
    for (int k = 0; k < s; k++) {
      once += A[k * (width / LANES)] * x[k];
      twice += square[k * (width / LANES)] * x[k];
    }
    const Lanes v = second ? v0 + h * once : own;
    const Lanes q = q0 + (second ? h * (c * v0 + h * twice) : h * once);
    const Lanes moved = q - Q[g], sped = h * (v - V[g]);
    change += moved * moved + sped * sped;
    Q[g] = q;
    V[g] = v;
  }
  return change[0] + change[1] + change[2] + change[3];
}

INLINE double place_all(Implicit *implicit, double h, int width) {
  double change = 0;
  for (int j = 0; j < implicit->equations->n; j++) {
    const double one = place_coordinate(implicit, j, h, width);
    change = fmax(change, sqrt(one) / implicit->scale[j]);
  }
  return change;
}

/*
** Positions and velocities at the stages (T52); answers by how much they, velocities times h, have
** changed at most, relative to scale.
*/
VECTOR_CLONES
static double place_stages(Implicit *implicit, double h) {
  double change;
  switch (implicit->sides.width) {
    case 8: change = place_all(implicit, h, 8); break;
    default: change = place_all(implicit, h, 12);
  }
  return vector_finite(implicit->Q, implicit->equations->n * implicit->sides.width)
             ? change
             : (double)INFINITY;
}

/* Which rows are left out: whether that has changed. */
static int leave_out(Implicit *implicit, const Surroundings *here) {
  int changed = 0;
  for (int i = 0; !implicit->equations->form->general && i < implicit->equations->form->m; i++) {
    const int flag = here->dependent[i] != KKT_KEPT;
    changed |= implicit->matrix.left_out[i] != flag;
    implicit->matrix.left_out[i] = flag;
  }
  return changed;
}

/* The matrices of all stages, from the middle one. */
static sarrus_Status factor(Implicit *implicit, double t, double h, const Surroundings *here) {
  const Equations *equations = implicit->equations;
  Shifted *matrix = &implicit->matrix;
  const int middle = implicit->radau->stages / 2;
  const Sources from = {.x = implicit->x + middle,
                        .Q = implicit->Q + middle,
                        .V = implicit->V + middle,
                        .step = implicit->sides.width,
                        .t = t,
                        .h = h,
                        .c = implicit->radau->c + middle};
  set_inputs(implicit, &implicit->middle, &from, here);
  SARRUS_TRY(points_run(&implicit->middle, here->branch));
  for (int power = 0; power < 3; power++)
    memset(matrix->part[power], 0, (size_t)equations->entry_count * sizeof(double));
  for (int i = 0; i < equations->term_count; i++) {
    const MatrixTerm *term = &equations->term[i];
    matrix->part[term->power][term->entry] += *points_extra(&implicit->middle, i);
  }
  return shifted_factor(matrix, implicit->radau, h, leave_out(implicit, here));
}

static sarrus_Status find_residuals(Implicit *implicit, double t, double h,
                                    const Surroundings *here) {
  const Sources from = {.x = implicit->x,
                        .Q = implicit->Q,
                        .V = implicit->V,
                        .step = implicit->sides.width,
                        .t = t,
                        .h = h,
                        .c = implicit->sides.c};
  set_inputs(implicit, &implicit->stages, &from, here);
  return points_run(&implicit->stages, here->branch);
}

/* T^-1 times the residuals */
INLINE void take_apart(Implicit *implicit) {
  const Sides *sides = &implicit->sides;
  for (int j = 0; j < implicit->equations->size; j++) {
    const double *r = points_extra(&implicit->stages, j);
    Complexes sum = {{0}, {0}};
    double real = 0;
    for (int i = 0; i < implicit->radau->stages; i++) {
      real += sides->in[i] * r[i];
      sum.re += sides->in_pairs[i].re * r[i];
      sum.im += sides->in_pairs[i].im * r[i];
    }
    implicit->real[j] = real;
    implicit->pairs[j] = sum;
  }
}

/* The scale of an unknown without derivatives, where equations are not linear in it; or 0. */
static double scale_alone(const Implicit *implicit, int j, const Surroundings *here) {
  const sarrus_System *form = implicit->equations->form;
  const int i = j - implicit->equations->n;
  return i >= 0 && i < form->m && (form->general || form->nonlinear) ? here->scale[form->n + i] : 0;
}

/* x -= T times the solutions; answers by how much those have changed that have no derivatives. */
INLINE double put_together(Implicit *implicit, const Surroundings *here, int width) {
  const Sides *sides = &implicit->sides;
  double change = 0;
  for (int j = 0; j < implicit->equations->size; j++) {
    Lanes *x = (Lanes *)(implicit->x + (ptrdiff_t)j * width), square = {0};
    const double scale = scale_alone(implicit, j, here);
    for (int g = 0; g < width / LANES; g++) {
      const Lanes *re = (const Lanes *)(sides->out_re + g * LANES),
                  *im = (const Lanes *)(sides->out_im + g * LANES);
      Lanes sum = *re * implicit->real[j];
      for (int p = 0; p < implicit->radau->pairs; p++) {
        re += width / LANES;
        im += width / LANES;
        sum += *re * implicit->pairs[j].re[p] - *im * implicit->pairs[j].im[p];
      }
      x[g] -= sum;
      square += sum * sum;
    }
    if (scale > 0)
      change = fmax(change, sqrt(square[0] + square[1] + square[2] + square[3]) / scale);
  }
  return change;
}

/* x -= (matrix of all stages)^-1 residuals (T53) */
VECTOR_CLONES
static double correct(Implicit *implicit, const Surroundings *here) {
  take_apart(implicit);
  shifted_solve(&implicit->matrix, implicit->real);
  shifted_solve_pairs(&implicit->matrix, implicit->pairs);
  return implicit->sides.width == 8 ? put_together(implicit, here, 8)
                                    : put_together(implicit, here, 12);
}

static sarrus_Status iterate(Implicit *implicit, double t, double h, const Surroundings *here) {
  const double enough = fmax(PART * here->tolerance, ROUNDING);
  double last = (double)INFINITY;
  implicit->contraction = 0;
  for (int i = 1; i <= MOST_ITERATIONS; i++) {
    implicit->iterations = i;
    SARRUS_TRY(find_residuals(implicit, t, h, here));
    const double alone = correct(implicit, here), change = fmax(place_stages(implicit, h), alone);
    const double ratio = change / last;
    const int rounding = last < STAGNANT * ROUNDING;
    if (!isfinite(change + alone)) return SARRUS_STEP;
    if (i > 1 && !rounding) implicit->contraction = fmax(implicit->contraction, ratio);
    if (change <= enough || (rounding && change < STAGNANT * ROUNDING && ratio > 0.3))
      return SARRUS_OK;
    if (i > 1 && ratio < 1 && change * ratio / (1 - ratio) <= 0.1 * enough) return SARRUS_OK;
    if (i > 2 && ratio >= 2) return SARRUS_STEP;
    last = change;
  }
  return SARRUS_STEP;
}

/* --- error ------------------------------------------------------------------------------- */

/*
** Errors of multipliers fall like h^s, those of positions like h^(s+2): where both change alike,
** the former are tol^(s/(s+2)) when the latter are the tolerance, and that much is allowed, times
** this.
*/
static const double LEEWAY = 10;

static double largest_multiplier(const Implicit *implicit, const double *x, const double *noise,
                                 const Surroundings *here) {
  const sarrus_System *form = implicit->equations->form;
  const double *scale = here->scale + form->n;
  double largest = 0;
  for (int i = 0; i < form->m; i++)
    if (scale[i] > 0)
      largest = fmax(largest, (fabs(x[i]) - (noise == NULL ? 0 : fabs(noise[i]))) / scale[i]);
  return largest;
}

/* What rounding of stiff forces does to multipliers that hold against them. */
static const double *multiplier_noise(Implicit *implicit) {
  const Equations *equations = implicit->equations;
  const Shifted *matrix = &implicit->matrix;
  double *x = implicit->noise;
  for (int i = 0; i < equations->size; i++) {
    x[i] = 0;
    for (int e = equations->start[i]; e < equations->start[i + 1] && i < equations->n; e++) {
      const int j = equations->column[e];
      if (j >= equations->n) continue;
      const int second = equations->degree[j] == 2;
      x[i] += fabs((second ? matrix->part[2][e] : matrix->part[1][e]) * implicit->q[j]) +
              (second ? fabs(matrix->part[1][e] * implicit->v[j]) : 0);
    }
    x[i] *= STAGNANT * DBL_EPSILON;
  }
  shifted_solve(&implicit->matrix, x);
  return x + equations->n;
}

static double multiplier_error(Implicit *implicit, const double *x, const Surroundings *here) {
  const double s = implicit->radau->stages;
  const double allowed = LEEWAY * pow(here->tolerance, s / (s + 2));
  double largest = largest_multiplier(implicit, x, NULL, here);
  if (largest > allowed)
    largest = largest_multiplier(implicit, x, multiplier_noise(implicit), here);
  return pow(largest / allowed, (s + 2) / s);
}

/*
** In between, positions are those of a polynomial that may not follow what a stiff force drags
** along, since the error below knows little of stiff directions: what its last coefficient is worth
** as a displacement may be so many tolerances.
*/
static const double BETWEEN = 50;

static double error_between(const Implicit *implicit, double h, double tolerance) {
  const Equations *equations = implicit->equations;
  const int s = implicit->radau->stages, width = implicit->sides.width, n = equations->form->n;
  const double *last = implicit->radau->legendre + (ptrdiff_t)(s - 1) * s;
  const double part = h / (2.0 * (s - 1));
  double error = 0;
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = 0; i < s; i++)
      sum += last[i] * implicit->x[j * width + i];
    sum *= equations->degree[j] == 2 ? part * part : part;
    error = fmax(error, fabs(sum) / implicit->scale[j]);
  }
  return pow(error / (BETWEEN * tolerance), (s + 2.0) / (s + 1));
}

/*
** How far the stages' polynomial is from the equations where the step begins, as a displacement
** (T54): sigma^d x of J_sigma x = residual, d being degrees.
*/
static sarrus_Status estimate(Implicit *implicit, double t, double h, const Surroundings *here) {
  const Equations *equations = implicit->equations;
  const int width = implicit->sides.width;
  double weights[MOST_STAGES], *x = implicit->real, error = 0;
  const double now = 0, sigma = h / implicit->radau->mu_re[0];
  const Sources from = {.x = x, .Q = implicit->q, .V = implicit->v, .step = 1, .t = t, .c = &now};
  radau_weights(implicit->radau, 0, weights);
  for (int j = 0; j < equations->size; j++) {
    x[j] = 0;
    for (int i = 0; i < implicit->radau->stages; i++)
      x[j] += weights[i] * implicit->x[j * width + i];
  }
  set_inputs(implicit, &implicit->start, &from, here);
  SARRUS_TRY(points_run(&implicit->start, here->branch));
  for (int j = 0; j < equations->size; j++)
    x[j] = *points_extra(&implicit->start, j);
  shifted_solve(&implicit->matrix, x);
  for (int j = 0; j < equations->n; j++) {
    const double moved = equations->degree[j] == 2 ? sigma * sigma * x[j] : sigma * x[j];
    error = fmax(error, fabs(moved) / implicit->scale[j]);
  }
  if (!vector_finite(x, equations->size)) error = (double)INFINITY;
  error = fmax(error / here->tolerance, error_between(implicit, h, here->tolerance));
  error = fmax(error, multiplier_error(implicit, x + equations->n, here));
  implicit->error = isfinite(error) ? error : (double)INFINITY;
  return SARRUS_OK;
}

/* --- where it ends ----------------------------------------------------------------------- */

enum { MOST_CORRECTIONS = 4 };

/*
** Back onto the constraints with the matrix of the step, so that what is stiff moves least (T55);
** velocities after positions.
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
  place_stages(implicit, h);
  SARRUS_TRY(factor(implicit, from->t, h, here));
  scale_lifts(implicit);
  SARRUS_TRY(iterate(implicit, from->t, h, here));
  SARRUS_TRY(estimate(implicit, from->t, h, here));
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

/* As counted for a spring pendulum, a chain of eight springs and an arm of six joints. */
double implicit_cost(const Implicit *implicit) {
  const Equations *equations = implicit->equations;
  double factor, solve;
  if (implicit->matrix.sparse == NULL) return (double)INFINITY; /* no try has come so far */
  sparse_cost(implicit->matrix.sparse, &factor, &solve);
  const double iteration = 800 + 30.0 * equations->residual->value_count + 270.0 * equations->size +
                           270.0 * equations->n + 60 * solve;
  const double once =
      2e4 + 1500.0 * equations->size + 120 * factor + 110.0 * equations->terms->value_count;
  return once + implicit->iterations * iteration;
}
