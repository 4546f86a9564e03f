/*
** Tapes in dual numbers: beside every coefficient x_k stand its derivatives dx_k in some
** directions, by the recurrence of the tape differentiated (T57):
**
**   dz_k = s_k sum_p (d_p sum_j (dA_j B_{k-j} + A_j dB_{k-j}) + dd_p sum_j A_j B_{k-j})
**          + sum_i (w_i dx_{i,k} + dw_i x_{i,k})
**
** The series of all inputs are known, those of their derivatives come out stage by stage, as the
** unknowns did: a run takes the derivatives of the stage under way as zero, and after the solve
** what they add is completed.  Since x_k is known, a run also has what the change of the matrix
** does to it, so that the tape must be `whole`.
**
** Directions stand side by side, so that loops over them are vectors.
*/
#ifndef SARRUS_TAPE_DUAL_H
#define SARRUS_TAPE_DUAL_H

#include "block.h"
#include "tape.h"

typedef struct Dual {
  const Tape *tape;
  int order;             /* the highest coefficient that a series can hold */
  int width;             /* of a row of derivatives: the directions, and zeros up to whole Lanes */
  double *value, *slope; /* coefficients 0, and a row each */
  double *weight, *weight_slope;    /* d of each product */
  double *factor, *factor_slope;    /* w of each linear term */
  int *weight_moves, *factor_moves; /* whether these slopes are not all 0 */
  double *series, *tangent;         /* per slot: order + 1 coefficients, and rows */
  double *change;                   /* per slot: what the solve has added to its derivatives */
  double *output_slope; /* per output: derivatives of the coefficient of the stage under way */
  int *branch;          /* per switch: as in Work, set by the caller */
} Dual;

/* How wide rows of so many derivatives are. */
int dual_width(int directions);
/* Take what is needed; series up to t^order (0: values alone), for time in units of `unit`. */
void dual_lay_out(Dual *dual, Block *block);
void dual_set_unit(Dual *dual, double unit);

/* The row of derivatives that stands beside coefficient k > 0 of a slot. */
static inline double *dual_tangent(const Dual *dual, int slot, int k) {
  return dual->tangent + ((ptrdiff_t)slot * (dual->order + 1) + k) * dual->width;
}
static inline double *dual_series(const Dual *dual, int slot) {
  return dual->series + (ptrdiff_t)slot * (dual->order + 1);
}
static inline double *dual_slope(const Dual *dual, int value) {
  return dual->slope + (ptrdiff_t)value * dual->width;
}

/* Values and slopes of the inputs being set: those of all others with from >= lead >= to. */
void dual_values(Dual *dual, int from, int to);
/* As tape_weights. */
void dual_weights(Dual *dual, int from, int to);
/*
** Every row for its coefficient stage + lead, where that is above 0: coefficients as they are,
** derivatives as if those of the inputs of the stage were zero.
*/
void dual_run(Dual *dual, int stage);
/* `change` of the inputs being set: finish the derivatives of rows that wait for them. */
void dual_complete(Dual *dual, int stage);

#endif
