/*
** Solves for all stages of an implicit step by Newton's method, with one matrix, that of the middle
** stage as predicted (T52, T53).
*/
#include <math.h>
#include <string.h>

#include "implicit_parts.h"

enum { MOST_ITERATIONS = 25 };

/* Corrections need not be smaller than this part of the tolerance. */
static const double PART = 0.01;

#define INLINE static inline __attribute__((always_inline)) /* so that the width is a constant */

/* Place one coordinate; returns the sum of the squares of its changes. */
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
** Positions and velocities at the stages (T52); returns the largest change of a position, or of a
** velocity times h, relative to scale.
*/
VECTOR_CLONES
double implicit_place_stages(Implicit *implicit, double h) {
  double change;
  switch (implicit->sides.width) {
    case 8: change = place_all(implicit, h, 8); break;
    default: change = place_all(implicit, h, 12);
  }
  return vector_finite(implicit->Q, implicit->equations->n * implicit->sides.width)
             ? change
             : (double)INFINITY;
}

/* Set which rows are left out; returns whether that has changed. */
static int leave_out(Implicit *implicit, const Surroundings *here) {
  int changed = 0;
  for (int i = 0; !implicit->equations->form->general && i < implicit->equations->form->m; i++) {
    const int flag = here->dependent[i] != KKT_KEPT;
    changed |= implicit->matrix.left_out[i] != flag;
    implicit->matrix.left_out[i] = flag;
  }
  return changed;
}

/* Fill and factor the matrices of all stages, at the middle stage. */
sarrus_Status implicit_factor(Implicit *implicit, double t, double h, const Surroundings *here) {
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
  implicit_set_inputs(implicit, &implicit->middle, &from, here);
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
  implicit_set_inputs(implicit, &implicit->stages, &from, here);
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

/* The scale of an unknown that enters without derivatives, nonlinearly; 0 for any other. */
static double scale_alone(const Implicit *implicit, int j, const Surroundings *here) {
  const sarrus_System *form = implicit->equations->form;
  const int i = j - implicit->equations->n;
  return i >= 0 && i < form->m && (form->general || form->nonlinear) ? here->scale[form->n + i] : 0;
}

/* x -= T times the solutions; returns the change of unknowns that enter without derivatives. */
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
double implicit_correct(Implicit *implicit, const Surroundings *here) {
  take_apart(implicit);
  shifted_solve(&implicit->matrix, implicit->real);
  shifted_solve_pairs(&implicit->matrix, implicit->pairs);
  return implicit->sides.width == 8 ? put_together(implicit, here, 8)
                                    : put_together(implicit, here, 12);
}

sarrus_Status implicit_iterate(Implicit *implicit, double t, double h, const Surroundings *here) {
  const double enough = fmax(PART * here->tolerance, ROUNDING);
  double last = (double)INFINITY;
  implicit->contraction = 0;
  for (int i = 1; i <= MOST_ITERATIONS; i++) {
    implicit->iterations = i;
    SARRUS_TRY(find_residuals(implicit, t, h, here));
    const double alone = implicit_correct(implicit, here),
                 change = fmax(implicit_place_stages(implicit, h), alone);
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
