/* The error of an implicit step (T54). */
#include <math.h>

#include "implicit_parts.h"

/*
** Errors of multipliers fall like h^s, those of positions like h^(s+2).  So when the errors of
** positions are at the tolerance, those of multipliers are about tol^(s/(s+2)); this many times
** that is allowed.
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

/* The errors of multipliers that come from the rounding of stiff forces which they balance. */
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
** Between the stages, positions are those of a polynomial, which may not follow a motion forced by
** something stiff; the error estimate below hardly sees stiff directions.  So the last coefficient
** of the polynomial, as a displacement, may be at most this many tolerances.
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
** The residual of the stages' polynomial where the step begins, as a displacement (T54): sigma^d x
** with J_sigma x = residual, where d are the degrees.
*/
sarrus_Status implicit_estimate(Implicit *implicit, double t, double h, const Surroundings *here) {
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
  implicit_set_inputs(implicit, &implicit->start, &from, here);
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
