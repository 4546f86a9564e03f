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
** There are lanes of four and, for processors with AVX-512, of eight: the same source twice
** (lanes_wide.h), chosen at run time.  With eight, a double pendulum takes 0.86 times as long as a
** system, 0.9 as a model; the same vectors with AVX2, which has no registers for them, 2.6 and 2.9.
** Two vectors of four a row, with AVX2: 1.07 and 1.11.
**
** Measured, millions of instructions a run of that system: stages 7.8 alone, 2.6 in lanes of four;
** landings 2.0 and 0.6; control, which stays scalar, 0.57.  In lanes of eight the products are half
** of the stages' time: a term takes 1.7 cycles, of the 0.8 that loads alone would.  That is not for
** branches: written out by what is left over by four terms they take as long, by one jump for all
** blocks longer.  An eighth to a fifth of them is beyond the order of a lane: orders go up and down
** within ten steps, so that sorting simulations by them would cost what it saves.  The rest of a
** stage waits for rows that were just stored (11 cycles each, by a factor and by a sum 3 and 2);
** vectors of sixteen, to do something else meanwhile, gcc 12 takes through memory, which costs 1.5.
*/
#ifndef SARRUS_LANES_H
#define SARRUS_LANES_H

#include "sim_parts.h"

/* Lanes of a width; NULL stands for no simulation. */
typedef struct LaneStep LaneStep;
typedef struct LaneKind {
  int width;
  /* Lanes for simulations like this one, which suits; NULL without memory. */
  LaneStep *(*create)(sarrus_Memory memory, const sarrus_Sim *sim);
  void (*release)(LaneStep *lanes);
  /* Whether a simulation that suits has this order of elimination. */
  int (*fit)(const LaneStep *lanes, const sarrus_Sim *sim);
  /* A lane becomes that of a simulation, or of none (NULL). */
  void (*put)(LaneStep *lanes, int lane, sarrus_Sim *sim);
  /* Stages of all that begin a step; */
  void (*expand)(LaneStep *lanes);
  /* and the points where steps end that go on for h[lane]; 0: not here. */
  void (*land)(LaneStep *lanes, const double *h);
} LaneKind;

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LANES_HAVE_EIGHT 1
#else
#define LANES_HAVE_EIGHT 0
#endif

extern const LaneKind lanes_kind_4, lanes_kind_8;
/* The widest lanes that this processor has, up to `widest`. */
enum { LANES_WIDEST = 8 };
const LaneKind *lanes_kind(int widest);

/* Whether steps of a system's simulations can be made in lanes, and pay there; */
int lanes_suit_system(const sarrus_System *system, int capacity);
/* and now, of one of them. */
int lanes_suit(const sarrus_Sim *sim);

/* --- lanes_pool.c --- */

/*
** Simulations of one system on their way to t_end, `most` at a time, those that suit in lanes with
** others that eliminate in the same order.
*/
typedef struct LanePool LanePool;

LanePool *lanes_pool_new(sarrus_Memory memory, const LaneKind *kind, const sarrus_Sim *like,
                         double t_end, int most);
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
