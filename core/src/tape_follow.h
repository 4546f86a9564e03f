/*
** Tapes in dual numbers: beside every coefficient x_k stand its derivatives dx_k in some
** directions, by the recurrence of the tape differentiated (T57):
**
**   dz_k = s_k sum_p (d_p sum_j (dA_j B_{k-j} + A_j dB_{k-j}) + dd_p sum_j A_j B_{k-j})
**          + sum_i (w_i dx_{i,k} + dw_i x_{i,k})
**
** The series themselves are known: a Work, the motion, has been run.  So the sums over j include
** both ends, with derivatives that are not known yet, those of z_k among them, taken as zero.  Then
** the effect on d and w of derivatives of coefficients 0 is contained in these sums, and dd and dw
** are left for constants only, which depend on parameters (tape_change.c).  Derivatives come out
** stage by stage, as the unknowns did: a run takes those of the current stage as zero, and after
** the solve their contribution is added.  Values, weights and order of work are the motion's.
*/
#ifndef SARRUS_TAPE_FOLLOW_H
#define SARRUS_TAPE_FOLLOW_H

#include "block.h"
#include "tape.h"

/* Steps of the same lead and operation, of those that series, outputs or weights depend on. */
typedef struct SlopeBatch {
  sarrus_Op op;
  int terms;
  int first, count;
} SlopeBatch;

/*
** One term dd_p or dw_i of (T57): a slope times a number of the motion is added at `to`, before
** sums are run; for asides, to an output after they have been run.
*/
typedef struct Change {
  enum { OF_PRODUCT, OF_TERM } kind;
  int lead;
  double *to;
  int bare;            /* the row has no product, so `to` holds nothing before its first change */
  int anew;            /* this is that first change: it overwrites `to` */
  const double *slope; /* a row of derivatives */
  int divisor;         /* OF_TERM, in functions: a value by which it is divided; or NONE */
  double weight;       /* OF_TERM, in functions: a factor */
  double scale;
  int place;       /* OF_PRODUCT */
  int slot;        /* OF_TERM: the series x of the motion; NONE: x is an unknown */
  int unknown;     /* its index in `unknowns`, where slot is NONE */
  const double *x; /* OF_TERM: x_k is x[k * step]; NULL: x_k is read by work_coefficient */
  int step;
} Change;

typedef struct Follower {
  const Work *motion;
  Work *rows; /* derivatives of the numbers of `motion`; rows->value: of coefficients 0 */
  int *needed;
  SlopeBatch *batches;
  int batches_above[LEAD_CONSTANT + 2];
  int moves; /* whether any direction changes parameters */
  Change *changes;
  int change_end;   /* how many changes are made before sums; by falling lead */
  int change_count; /* how many there are with asides, which come last */
  int *active;      /* the changes that add something in the current directions */
  int active_end, active_count;
  int *wanted, wanted_count; /* the indices in `unknowns` that active changes need */
  double *unknowns; /* per aside of the tape: coefficients of unknowns, set by the caller */
} Follower;

void follower_lay_out(Follower *follower, Block *block, const Tape *tape, int order, int width);
/* Call once, after it was laid out in zeroed memory; then `motion` may be any Work of the tape. */
void follower_open(Follower *follower);

static inline double *follower_slope(const Follower *follower, int value) {
  return follower->rows->value + (ptrdiff_t)value * follower->rows->width;
}

/*
** Once rows->value of the parameters has been set (`moves`: not all are zero), finds the slopes of
** constants and lists the active changes.  The motion must have all its values.
*/
void follow_constants(Follower *follower, int moves);
/*
** Once the slopes of the inputs have been set, finds those of all values with from >= lead >= to,
** and of coefficients 0 of the series.
*/
void follow_values(Follower *follower, int from, int to);
/*
** Run every row for its coefficient stage + lead, where that is above 0, as if the derivatives of
** the inputs of this stage were zero.
*/
void follow_partial(Follower *follower, int stage);
/*
** After the solve, once rows->current of the inputs has been set: finish the pending rows, and
** store all derivatives of the stage.
*/
void follow_complete(Follower *follower, int stage);

/* --- tape_change.c --- */

/* The greatest number of changes that a tape may have; list them. */
int count_changes(const Tape *tape);
void list_changes(Follower *follower);
/* Clear what earlier changes left behind, choose the active ones, and prepare their numbers. */
void reset_changes(Follower *follower);
/*
** Add the changes of a lead to coefficient k; *next is the first that has not been considered.
** Asides are cleared before a stage is run, and added after it.
*/
void add_changes(const Follower *follower, int *next, int lead, int k);
void clear_asides(const Follower *follower);
void add_asides(const Follower *follower, int stage);

#endif
