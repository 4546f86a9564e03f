/*
** Lanes: up to WIDTH simulations of one system that advance side by side.
**
** What is done for each of them in a step, but for decisions, is done here on rows of WIDTH
** numbers, one per simulation: coefficients 0, weights, stages, factors, solves, and the point
** where a step ends.  Each lane has the operations of the scalar code in their order, so that it
** has the same bits, whatever the other lanes hold: each has its own unit of time, order and step.
** Stages run up to the highest order among them; what a lane has beyond its own is not read.
**
** A simulation in a lane is a whole one that makes its steps by sim_step.c; the maker finds series
** and landing done (maker->ahead).  Where anything else than the usual is needed (a pivot that has
** become small, a number that is not finite, a step that is rejected, implicit stages), nothing is
** done here, and the maker does it itself: its expansion stands where a step begins as soon as
** maker_prepare is called.
**
** Measured, a double pendulum as a system, millions of instructions a run: stages 7.8 alone, 2.4 in
** lanes; landings 2.0 and 0.6; control, which stays scalar, 0.7.
*/
#ifndef SARRUS_LANES_H
#define SARRUS_LANES_H

#include <limits.h>

#include "sim_parts.h"
#include "vector.h"

/*
** A row is SETS Lanes.  With 2 of them chains of rods take 0.85 to 1 times as long, but where runs
** eliminate in many orders lanes are empty more often: a double pendulum as a model 1.2 times as
** long.  Measured again, with AVX2: 1.07 as a system, 1.11 as a model.  Rows of one vector of
** eight, these files compiled for AVX-512: 0.87 and 0.87; the same source with AVX2: 2.6 and 2.9,
** since such vectors are in memory there.  It would take both widths, and a choice at run time.
*/
enum { SETS = 1, WIDTH = SETS * LANES };

/* Row i of an array of rows; and its number in a lane. */
#define LANES_ROW(array, i) ((array) + (ptrdiff_t)(i)*SETS)
#define LANES_EACH(s) for (int s = 0; s < SETS; s++) /* .clang-format knows it */

static inline double *lanes_number(Lanes *array, int i) {
  return (double *)(void *)LANES_ROW(array, i);
}

typedef long long LaneBits __attribute__((vector_size(LANES * sizeof(long long)), aligned(8)));

/* x = |x| */
static inline __attribute__((always_inline)) void lanes_magnitude(Lanes *x) {
  *x = (Lanes)((LaneBits)*x & (LaneBits){LLONG_MAX, LLONG_MAX, LLONG_MAX, LLONG_MAX});
}

/* y = x where `mask` */
static inline __attribute__((always_inline)) void lanes_choose(const LaneBits *mask, const Lanes *x,
                                                               Lanes *y) {
  *y = (Lanes)(((LaneBits)*x & *mask) | ((LaneBits)*y & ~*mask));
}

/* Room in a block for rows, at multiples of their size. */
Lanes *lanes_take(Block *block, size_t rows);

/* --- lanes_tape.c --- */

/* sum_j A_j B_{k-j}, times its weight: the first rows of series, and where it goes. */
typedef struct LaneProduct {
  const Lanes *a, *b, *weight;
  Lanes *to;
} LaneProduct;

typedef struct LaneSum {
  const Lanes *base;
  Lanes *to;
} LaneSum;

typedef struct LaneCopy {
  Lanes *to; /* NULL: it is not kept */
  const Lanes *from;
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
  Lanes *value;  /* per value of the tape */
  Lanes *number; /* current, known, output, stored now, and a 0: see tape.h */
  Lanes *weight; /* per place */
  Lanes *w;      /* per term */
  Lanes *series; /* per slot: plain, Euler */
  int output;    /* where in `number` the outputs begin */
  int group_count;
  LaneGroup groups[LEAD_KNOWN];
  LaneProduct *product;
  Batch *batch;
  LaneSum *sum;
  const Lanes **term;
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
void lanes_values(LaneTape *lanes, int from, int to, Lanes *poison);
void lanes_weights(LaneTape *lanes, int from, int to, Lanes *poison);
void lanes_partial(LaneTape *lanes, int stage);
void lanes_complete(LaneTape *lanes, int stage);

/* --- lanes_kkt.c --- */

/*
** A row of a solve: terms by parts, as kkt_sparse_numbers.c adds them up; plain: one after the
** other.
*/
typedef struct LaneSolve {
  int plain, even, odd, last, own, end; /* terms */
  Lanes *raw; /* where the sum before its own block's terms goes, if a row needs it; or NULL */
} LaneSolve;

typedef struct LaneTerm {
  const Lanes *value, *x;
} LaneTerm;

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
  Lanes *value, *row_scale, *column_scale; /* J, and D */
  Lanes *lower, *upper, *u_value, *reciprocal;
  Lanes *work, *unknown;
  Lanes *right, *residual;
  int passes[WIDTH]; /* of refinement: at all stages, */
  int until[WIDTH];  /* or one up to this stage */
  int refined;       /* the last stage that any lane refines */
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
/* x = J^-1 x, as kkt_solve and kkt_solve_motion (stage 1) of lanes without dependent rows. */
void lanes_solve(LaneMatrix *lanes, Lanes *x, int stage);
void lanes_solve_factored(LaneMatrix *lanes, Lanes *x);
/* sum_j J_ij x_j, over the columns below `columns` */
void lanes_row_times(const LaneMatrix *lanes, int row, const Lanes *x, int columns, Lanes *sum);

/* --- lanes_step.c, lanes_land.c --- */

typedef struct LaneStep LaneStep;

/* Whether steps of a system's simulations can be made in lanes, and pay there; */
int lanes_suit_system(const sarrus_System *system, int capacity);
/* and now, of one of them. */
int lanes_suit(const sarrus_Sim *sim);
/* Lanes for simulations like this one, which suits; NULL without memory. */
LaneStep *lanes_new(sarrus_Memory memory, const sarrus_Sim *sim);
void lanes_free(LaneStep *lanes);
/* Whether a simulation that suits has this order of elimination. */
int lanes_fit(const LaneStep *lanes, const sarrus_Sim *sim);
/* A lane becomes that of a simulation, or of none (NULL). */
void lanes_put(LaneStep *lanes, int lane, sarrus_Sim *sim);
/* Stages of all that begin a step; */
void lanes_expand(LaneStep *lanes);
/* and the points where steps end that go on for h[lane]; 0: not here. */
void lanes_land(LaneStep *lanes, const double *h);

/* --- lanes_pool.c --- */

/*
** Simulations of one system on their way to t_end, `most` at a time, those that suit in lanes with
** others that eliminate in the same order.
*/
typedef struct LanePool LanePool;

LanePool *lanes_pool_new(sarrus_Memory memory, const sarrus_Sim *like, double t_end, int most);
void lanes_pool_free(LanePool *pool);
int lanes_pool_count(const LanePool *pool);
int lanes_pool_has_room(const LanePool *pool);
/*
** One more, which goes on where it stands, its steps counted on; a number, which is answered with
** it.  Without memory for lanes it ends with NOMEM.
*/
void lanes_pool_add(LanePool *pool, sarrus_Sim *sim, int number);
/* One step of those that are the most. */
void lanes_pool_step(LanePool *pool);
/* One that is at its end: its number, or NONE; and as sarrus_sim_advance answers. */
int lanes_pool_take(LanePool *pool, sarrus_Status *status);

#endif
