/*
** Inside of lanes of one width, LANES_WIDTH, which is 4 unless lanes_wide.h says otherwise:
** lanes_tape.c and lanes_kkt.c on rows, lanes_step.c, which makes series, and lanes_land.c, the
** points where they end.
*/
#ifndef SARRUS_LANES_PARTS_H
#define SARRUS_LANES_PARTS_H

#include <limits.h>

#include "lanes.h"
#include "vector.h"

#ifndef LANES_WIDTH
#define LANES_WIDTH 4
#define LANES_CLONES VECTOR_CLONES
#define LANES_NAME(name) name##_4
#endif

#define lanes_take LANES_NAME(lanes_take)
#define lanes_tape_lay_out LANES_NAME(lanes_tape_lay_out)
#define lanes_tape_connect LANES_NAME(lanes_tape_connect)
#define lanes_tape_enter LANES_NAME(lanes_tape_enter)
#define lanes_values LANES_NAME(lanes_values)
#define lanes_weights LANES_NAME(lanes_weights)
#define lanes_partial LANES_NAME(lanes_partial)
#define lanes_complete LANES_NAME(lanes_complete)
#define lanes_matrix_lay_out LANES_NAME(lanes_matrix_lay_out)
#define lanes_matrix_connect LANES_NAME(lanes_matrix_connect)
#define lanes_matrix_fits LANES_NAME(lanes_matrix_fits)
#define lanes_matrix_enter LANES_NAME(lanes_matrix_enter)
#define lanes_matrix_leave LANES_NAME(lanes_matrix_leave)
#define lanes_factor LANES_NAME(lanes_factor)
#define lanes_solve LANES_NAME(lanes_solve)
#define lanes_solve_motion LANES_NAME(lanes_solve_motion)
#define lanes_solve_factored LANES_NAME(lanes_solve_factored)
#define lanes_row_times LANES_NAME(lanes_row_times)
#define lanes_solve_stage LANES_NAME(lanes_solve_stage)
#define lanes_write_series LANES_NAME(lanes_write_series)
#define lanes_land LANES_NAME(lanes_land)

/* Sums and blocks of the scalar code have LANES parts, whatever the width. */
enum { WIDTH = LANES_WIDTH };

/* A number per lane; at multiples of its size. */
typedef double LaneRow __attribute__((vector_size(WIDTH * sizeof(double))));
typedef long long LaneBits __attribute__((vector_size(WIDTH * sizeof(long long))));

/* The numbers of a row of an array. */
static inline double *lanes_number(LaneRow *array, int i) { return (double *)(void *)(array + i); }

/* x = |x| */
static inline __attribute__((always_inline)) void lanes_magnitude(LaneRow *x) {
  *x = (LaneRow)((LaneBits)*x & ((LaneBits){0} + LLONG_MAX));
}

/* y = x where `mask` */
static inline __attribute__((always_inline)) void lanes_choose(const LaneBits *mask,
                                                               const LaneRow *x, LaneRow *y) {
  *y = (LaneRow)(((LaneBits)*x & *mask) | ((LaneBits)*y & ~*mask));
}

/* Room in a block for rows, at multiples of their size. */
LaneRow *lanes_take(Block *block, size_t rows);

/* --- lanes_tape.c --- */

/* Which series a product has in common with the next one; each is in one such pair. */
typedef enum Share { SHARES_NONE, SHARES_A, SHARES_B } Share;

/* sum_j A_j B_{k-j}, times its weight: the first rows of series, and where it goes. */
typedef struct LaneProduct {
  const LaneRow *a, *b, *weight;
  LaneRow *to;
  Share share;
} LaneProduct;

typedef struct LaneSum {
  const LaneRow *base;
  LaneRow *to;
} LaneSum;

typedef struct LaneCopy {
  LaneRow *to; /* NULL: it is not kept */
  const LaneRow *from;
} LaneCopy;

typedef struct LaneGroup {
  int lead;
  int euler, product, product_end;
  int stored, stored_end;
  int before, after, end;
  int copy, copy_end;
} LaneGroup;

/*
** A Work in lanes.  Its program is that of the Work, with addresses of rows;
** plain and reversed copies of a series are one.
*/
typedef struct LaneTape {
  const Tape *tape;
  int length; /* of a series */
  int places, sums, terms, stored, products, copies;
  LaneRow *value;  /* per value of the tape */
  LaneRow *number; /* current, known, output, stored now, and a 0: see tape.h */
  LaneRow *weight; /* per place */
  LaneRow *w;      /* per term */
  LaneRow *series; /* per slot: plain, Euler */
  int output;      /* where in `number` the outputs begin */
  int group_count;
  LaneGroup groups[LEAD_KNOWN];
  LaneProduct *product;
  Batch *batch;
  LaneSum *sum;
  const LaneRow **term;
  LaneCopy *store, *copy, *euler_copy;
  int *plain, *euler;            /* per slot */
  int *current;                  /* per slot: where in `number` */
  int *place;                    /* per product of the tape */
  int *term_before, *term_after; /* per linear term */
} LaneTape;

void lanes_tape_lay_out(LaneTape *lanes, const Tape *tape, int order, Block *block);
/* The program of a Work, the same for all of its tape and order. */
void lanes_tape_connect(LaneTape *lanes, const Work *work);
/* Take over what a Work holds after stage 0. */
void lanes_tape_enter(LaneTape *lanes, int lane, const Work *work);
/* As the functions of the same names in tape.h; poison of a lane is not 0 where one fails. */
void lanes_values(LaneTape *lanes, int from, int to, LaneRow *poison);
void lanes_weights(LaneTape *lanes, int from, int to, LaneRow *poison);
void lanes_partial(LaneTape *lanes, int stage);
void lanes_complete(LaneTape *lanes, int stage);

/* --- lanes_kkt.c --- */

typedef struct LaneTerm {
  const LaneRow *value, *x;
} LaneTerm;

/*
** A row of a solve: terms by parts, as kkt_sparse_numbers.c adds them up; plain: one after the
** other.
*/
typedef struct LaneSolve {
  int plain;
  int place; /* of the right-hand side, or of the unknown */
  const LaneTerm *even, *odd, *last, *own, *end;
  LaneRow *raw; /* where the sum before its own block's terms goes, if a row needs it; or NULL */
} LaneSolve;

/* A Kkt in lanes, all of which eliminate in one order, and leave out nothing. */
typedef struct LaneMatrix {
  int size, entries, rank, blocks, n;
  const int *start, *column; /* the pattern of J */
  int *row_of, *column_of, *target;
  int *lower_start, *lower_index, *lower_place, lower_count, lower_numbers;
  int *upper_start, *upper_index, *upper_place, upper_count, upper_numbers;
  LaneSolve *forward, *backward;
  LaneTerm *term;
  int terms;
  LaneRow *value, *row_scale, *column_scale; /* J, and D */
  LaneRow *lower, *upper, *u_value, *reciprocal;
  LaneRow *work, *unknown;
  LaneRow *right, *residual;
  int passes[WIDTH];     /* of refinement: at all stages, */
  int until[WIDTH];      /* or one up to this stage; */
  int loose[WIDTH];      /* at stage 0 only, but for corrections of the motion */
  double allowed[WIDTH]; /* as that of Kkt */
  double smallest[WIDTH], steady[WIDTH];
  int refined; /* the last stage that any lane refines */
} LaneMatrix;

void lanes_matrix_lay_out(LaneMatrix *lanes, const Kkt *kkt, Block *block);
void lanes_matrix_connect(LaneMatrix *lanes, const Kkt *kkt);
/* Whether a matrix is eliminated in this order. */
int lanes_matrix_fits(const LaneMatrix *lanes, const Kkt *kkt);
void lanes_matrix_enter(LaneMatrix *lanes, int lane, const Kkt *kkt);
void lanes_matrix_leave(LaneMatrix *lanes, int lane);
/*
** Factor; fails[lane] is set where kkt_factor would do anything else than fill in numbers.  Lanes
** that fail are not refined.
*/
void lanes_factor(LaneMatrix *lanes, const int *off_diagonal, int *fails);
/* x = J^-1 x, as kkt_solve of lanes without dependent rows. */
void lanes_solve(LaneMatrix *lanes, LaneRow *x, int stage);
/* As kkt_solve_motion, in some lanes; in the others as kkt_solve_small_motion. */
void lanes_solve_motion(LaneMatrix *lanes, LaneRow *x, const int *refined);
void lanes_solve_factored(LaneMatrix *lanes, LaneRow *x);
/* sum_j J_ij x_j, over the columns below `columns` */
void lanes_row_times(const LaneMatrix *lanes, int row, const LaneRow *x, int columns, LaneRow *sum);

/* --- lanes_step.c, lanes_land.c --- */

/* The functions of this width; all but landing are in lanes_step.c. */
extern const LaneKind LANES_NAME(lanes_kind);
void lanes_land(LaneStep *lanes, const double *h);

struct LaneStep {
  sarrus_Memory memory;
  size_t bytes;
  const sarrus_System *system;
  int n, m, variables, capacity;
  LaneTape tape;
  LaneMatrix matrix;
  sarrus_Sim *sim[WIDTH];   /* or NULL */
  int top;                  /* the highest coefficient in `now` */
  int factored[WIDTH];      /* for the landing under way */
  LaneRow *unit, *per_unit; /* of time, a power of two, and 1 / unit, by which nothing is rounded */
  LaneRow *now, *next;      /* series from where the step begins, and from where it ends */
  LaneRow *rhs, *residual, *lower[MOST_DEGREE];
  LaneRow *q, *v, *scale; /* of the point that is sought */
  LaneRow *ahead;         /* accelerations and multipliers that the series have there */
  int feeds_rates, feed_count;
  LaneCopy *feed; /* from the unknowns of a stage to the tape */
};

/* A coefficient of a variable, per lane. */
static inline double *lanes_series_at(const LaneStep *lanes, LaneRow *series, int k, int j) {
  return lanes_number(series, k * lanes->variables + j);
}

/* The unknowns of a stage, up to lanes_complete; what is not finite poisons its lane. */
void lanes_solve_stage(LaneStep *lanes, LaneRow *series, int stage, LaneRow *poison);

/*
** Coefficients `from` to `last` to the expansions' series, which are in the same order; to[lane]
** may be NULL.  What a lane has beyond its order is not read there.
*/
void lanes_write_series(const LaneStep *lanes, LaneRow *series, int from, int last, double **to);

#endif
