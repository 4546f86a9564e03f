/*
** Tapes in dual numbers: beside every coefficient x_k stand its derivatives dx_k in some
** directions, by the recurrence of the tape differentiated (T57):
**
**   dz_k = s_k sum_p (d_p sum_j (dA_j B_{k-j} + A_j dB_{k-j}) + dd_p sum_j A_j B_{k-j})
**          + sum_i (w_i dx_{i,k} + dw_i x_{i,k})
**
** The series are known: they are those of a Work that has been run.  So sums over j include both
** ends, where z_k itself and what is not known yet count as zero in derivatives: then what the
** derivatives of coefficients 0 do to d and w is among these sums, and dd and dw are those of
** constants, which depend on parameters (tape_change.c).  Derivatives come out stage by stage, as
** the unknowns did: a run takes those of the stage under way as zero, and after the solve what they
** add is completed.  All that the Work knows serves again: values, weights, and what to do in which
** order.
*/
#ifndef SARRUS_TAPE_FOLLOW_H
#define SARRUS_TAPE_FOLLOW_H

#include "block.h"
#include "tape.h"

/* Steps of the same lead and operation, among those that series or outputs depend on. */
typedef struct SlopeBatch {
  sarrus_Op op;
  int terms;
  int first, count;
} SlopeBatch;

/* What a change of constants adds before sums are run, or, of asides, to outputs thereafter. */
typedef struct Change {
  enum { OF_PRODUCT, OF_TERM, OF_SUM } kind;
  int lead;
  double *to;
  int bare;            /* nothing is there before the first one of a row */
  int anew;            /* it is that one */
  const double *slope; /* a row */
  int factor, other;   /* OF_SUM: values that it is multiplied by; or NONE */
  int divisor;         /* OF_TERM, of functions: a value; or NONE */
  double weight;       /* over it */
  double scale;
  int place;       /* OF_PRODUCT */
  int slot;        /* OF_TERM: what is multiplied; or NONE: */
  int unknown;     /* `unknowns` of this number */
  const double *x; /* OF_TERM: coefficient k of it is x[k * step]; NULL: it is asked for */
  int step;
} Change;

typedef struct Follower {
  const Work *motion;
  Work *rows; /* derivatives of its numbers; `value`: of coefficients 0 */
  int *needed;
  SlopeBatch *batches;
  int batches_above[LEAD_CONSTANT + 2];
  int moves; /* parameters do */
  Change *changes;
  int change_end;   /* of those before sums, by falling lead */
  int change_count; /* asides included */
  int *active;      /* those that do change something now: */
  int active_end, active_count;
  int *wanted, wanted_count; /* which unknowns these need */
  double *unknowns; /* per aside of the tape: coefficients of unknowns, set by the caller */
} Follower;

void follower_lay_out(Follower *follower, Block *block, const Tape *tape, int order, int width);
/* Laid out in zeros; then it follows any Work of this tape. */
void follower_open(Follower *follower);

static inline double *follower_slope(const Follower *follower, int value) {
  return follower->rows->value + (ptrdiff_t)value * follower->rows->width;
}

/*
** `value` of the parameters being set in `rows`, `moves` or not: slopes of constants, and what they
** change.  The motion must have all its values.
*/
void follow_constants(Follower *follower, int moves);
/* Slopes of the inputs being set: those of all values with from >= lead >= to, and of series. */
void follow_values(Follower *follower, int from, int to);
/*
** Every row for its coefficient stage + lead, where that is above 0, as if the derivatives of the
** inputs of the stage were zero.
*/
void follow_partial(Follower *follower, int stage);
/* `current` of the inputs in rows being set: finish pending rows, and store all of the stage. */
void follow_complete(Follower *follower, int stage);

/* --- tape_change.c --- */

/* How many there may be; list them. */
int count_changes(const Tape *tape);
void list_changes(Follower *follower);
/* Clear what they leave behind; and take their numbers from the values of the motion. */
void reset_changes(Follower *follower);
/* Add those of a lead, coefficient k; and those of asides, of stage k. */
void add_changes(const Follower *follower, int *next, int lead, int k);
void clear_asides(const Follower *follower);
void add_asides(const Follower *follower, int stage);

#endif
