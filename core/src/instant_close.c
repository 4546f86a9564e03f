/* Inverse kinematics: back to the constraints, by Newton's method. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "instant_reach.h"
#include "vector.h"

void reach_solve(const Problem *p, double *x) {
  const Kkt *kkt = p->instant->expansion->kkt;
  if (kkt->sparse != NULL) sparse_solve(kkt->sparse, x);
}

double reach_find_closing(const Problem *p) {
  const sarrus_Expansion *expansion = p->instant->expansion;
  const Kkt *kkt = expansion->kkt;
  double *x = expansion->rhs;
  expansion_residual(p->instant->expansion);
  for (int i = 0; i < kkt->size; i++)
    x[i] = i < kkt->n || kkt_is_off(kkt, i) ? 0 : -expansion->residual[i];
  reach_solve(p, x);
  if (!vector_finite(x, p->n)) return (double)INFINITY;
  memcpy(p->instant->closing, x, (size_t)p->n * sizeof *x);
  return vector_peak(x, p->instant->scale, p->n);
}

sarrus_Status reach_place(const Problem *p, const double *q) {
  return instant_place(p->instant, p->t, q, p->instant->rest, p->parameters, p->fault);
}

/* Corrections below this, relative to scale, are rounding. */
static const double ROUNDING = 4 * DBL_EPSILON;

void reach_move(const Problem *p, double *q, const double *step, double size) {
  const double part = size > REACH_LONGEST ? REACH_LONGEST / size : 1;
  for (int j = 0; j < p->n; j++)
    q[j] += part * step[j];
}

static double row_length(const Problem *p, int row) {
  const Kkt *kkt = p->instant->expansion->kkt;
  double length = 0;
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++)
    if (kkt->pattern.column[e] < kkt->n)
      length = fmax(length, fabs(kkt->value[e]) * p->instant->scale[kkt->pattern.column[e]]);
  return length > 0 ? length : 1;
}

/* Whether the constraints that were left out, since they depend on others, are met as well. */
static int left_out_are_met(const Problem *p) {
  const sarrus_Expansion *expansion = p->instant->expansion;
  const Kkt *kkt = expansion->kkt;
  for (int i = kkt->n; kkt->dependent_count > 0 && i < kkt->size; i++) {
    if (kkt->dependent[i - kkt->n] != KKT_DEPENDENT) continue;
    if (fabs(expansion->residual[i]) > 1e-8 * row_length(p, i)) return 0;
  }
  return 1;
}

enum { MOST_CLOSING = 50, MOST_CORRECTIONS = 3 };

/* The largest violation of a constraint, relative to the length of its row. */
static double worst_residual(const Problem *p) {
  const sarrus_Expansion *expansion = p->instant->expansion;
  const Kkt *kkt = expansion->kkt;
  double worst = 0;
  expansion_residual(p->instant->expansion);
  for (int i = kkt->n; i < kkt->size; i++)
    if (!kkt_is_off(kkt, i) && expansion->residual[i] != 0)
      worst = fmax(worst, fabs(expansion->residual[i]) / row_length(p, i));
  return worst;
}

/*
** Newton's method for the constraints alone; it starts from q and ends there, *size is the size of
** the last correction.  Redundant constraints depend on each other exactly only where all of them
** are met, so dependent rows are found again at that point.
*/
static sarrus_Status close_once(const Problem *p, double *q, double *size) {
  sarrus_Instant *instant = p->instant;
  const int rough = !instant->analysed;
  double last;
  *size = (double)INFINITY;
  for (int i = 0; i < MOST_CLOSING; i++) {
    SARRUS_TRY(reach_place(p, q));
    if (rough) instant->analysed = 0;
    SARRUS_TRY(instant_factor(instant, rough ? fmin(10 * worst_residual(p), 1e-3) : 0, p->fault));
    last = *size;
    *size = reach_find_closing(p);
    if (!isfinite(*size)) return SARRUS_NONFINITE;
    if (*size <= ROUNDING || (*size < 1e-12 && *size >= last)) break;
    reach_move(p, q, instant->closing, *size);
  }
  return SARRUS_OK;
}

sarrus_Status reach_close(const Problem *p, double *q, int *closed) {
  for (int again = 0; again < 2; again++) {
    const int rough = !p->instant->analysed;
    double size;
    SARRUS_TRY(close_once(p, q, &size));
    expansion_residual(p->instant->expansion);
    *closed = size < 1e-9 && left_out_are_met(p);
    if (*closed || rough) break;
    p->instant->analysed = 0;
  }
  return SARRUS_OK;
}

sarrus_Status reach_polish(const Problem *p, double *q, int *closed) {
  double size = 1e-8, last; /* a first correction above 1e-8 is too far for polishing */
  *closed = 0;
  for (int i = 0; i < MOST_CORRECTIONS && !*closed; i++) {
    SARRUS_TRY(reach_place(p, q));
    last = size;
    size = reach_find_closing(p);
    if (!(size < last) && !(size < 1e-12)) return SARRUS_OK;
    if (size <= ROUNDING || size >= last)
      *closed = left_out_are_met(p);
    else
      reach_move(p, q, p->instant->closing, size);
  }
  return SARRUS_OK;
}

/*
** After a step the constraints need not be met exactly, since the next step corrects them.  But
** their error is to be at most this part of the targets' error then, about the square of the
** present one.
*/
static const double CLOSE = 1e-1;

sarrus_Status reach_correct(const Problem *p, double off, double *q, int *good) {
  const double near = fmin(0.1, off);
  const double close = p->aim->thorough ? 1e-14 : fmax(ROUNDING, CLOSE * near * near);
  const int most = p->aim->thorough ? MOST_CLOSING : MOST_CORRECTIONS;
  double last = REACH_LONGEST;
  *good = 0;
  for (int i = 0; i < most; i++) {
    SARRUS_TRY(reach_place(p, q));
    const double size = reach_find_closing(p);
    if (!(size < last) && size > close) return SARRUS_OK;
    if (size <= close) break;
    reach_move(p, q, p->instant->closing, size);
    last = size;
  }
  *good = 1;
  return last < REACH_LONGEST ? reach_place(p, q) : SARRUS_OK;
}
