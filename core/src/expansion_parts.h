/* Inside of an expansion, for what steps with it. */
#ifndef SARRUS_EXPANSION_PARTS_H
#define SARRUS_EXPANSION_PARTS_H

#include "kkt.h"
#include "sarrus/expansion.h"
#include "system_parts.h"

/* A value of the tape that is given at a point, and the number of what it is there. */
typedef struct Given {
  int value, index;
} Given;

struct sarrus_Expansion {
  sarrus_Memory memory;
  size_t bytes;
  const sarrus_System *system;
  int order; /* of the coordinates' series */
  Work *work;
  Kkt *kkt;
  double *modes;      /* symbols U: of contacts, of forces let go */
  double *guess;      /* the unknowns of stage 0, where they are found by Newton's method */
  int guess_is_known; /* Newton's method has found it here before: it keeps all its bits */
  double guess_most;  /* what they were at most while it was found, scaled */
  double *rates;      /* velocities of sarrus_expansion_run */
  double *rhs;        /* right-hand side, then solution of the stage under way */
  double *residual;   /* per equation */
  double *drift;      /* per equation: how its rate depends on time, by expansion_settle */
  int stands;         /* stage 0 is solved, and nothing has been evaluated since */
  unsigned turns;     /* of the matrix, when it was, */
  unsigned resets;    /* and of the series */
  double
      *lower[MOST_DEGREE]; /* per variable: coefficients of its lower derivatives at this stage */
  Given *given; /* per input of the tape: positions, velocities, unknowns, then the others */
  int given_positions, given_velocities, given_unknowns; /* where the first three end */
  int feed_count;
  Copy *feeds;     /* from the unknowns of a stage to the tape */
  int feeds_rates; /* whether velocities are among them, in between accelerations and positions */
  double *series;  /* coefficient k of variable j at [k * variables + j] */
};

/* Take an expansion from a block of zeros. */
sarrus_Expansion *expansion_take(Block *block, const sarrus_System *system, int order);

static inline double *expansion_at(const sarrus_Expansion *expansion, int k, int variable) {
  const int variables = expansion->system->n + expansion->system->m;
  return &expansion->series[(ptrdiff_t)k * variables + variable];
}

/* NONFINITE, and which, where one of these numbers is not finite; v may be NULL. */
sarrus_Status expansion_check_given(const double *q, const double *v, int n, sarrus_Fault *fault);

/*
** Velocities and accelerations at the point, from coefficients in the unit of time of the series.
*/
static inline double expansion_velocity(const sarrus_Expansion *expansion, int j) {
  return *expansion_at(expansion, 1, j) / expansion->work->unit;
}

static inline double expansion_acceleration(const sarrus_Expansion *expansion, int j) {
  const double unit = expansion->work->unit;
  return 2 * *expansion_at(expansion, 2, j) / (unit * unit);
}

/*
** The pieces of an expansion, in the order in which they are used.  `fault` tells of failures as
** sarrus_expansion_run does.
*/

/*
** Set the point; coefficients 0 of all that positions and velocities determine; the matrix.  In a
** general DAE v is not given but answered, where it is needed.
*/
sarrus_Status expansion_place(sarrus_Expansion *expansion, double t, const double *q, double *v,
                              const double *parameters, sarrus_Fault *fault);
/* residual[i] of each constraint on positions, 0 for the others. */
void expansion_residual(sarrus_Expansion *expansion);
/* residual[i] of each constraint of a general DAE, also of those on algebraic variables y. */
sarrus_Status expansion_dae_residual(sarrus_Expansion *expansion, const double *y,
                                     sarrus_Fault *fault);
/*
** The point stays: all that the recurrences take from it, and how the constraints' rates depend on
** time.
*/
sarrus_Status expansion_settle(sarrus_Expansion *expansion, sarrus_Fault *fault);
/*
** Whether stage 0 is solved just here, with these velocities and modes, the rows that are on, none
** of which depends on others: to place the expansion there again would change nothing.  (Where
** functions have branches, or stage 0 is not linear, that is not said.)
*/
int expansion_stands(const sarrus_Expansion *expansion, double t, const double *q, const double *v,
                     const double *parameters);
/* residual[i] of each constraint's rate with velocities v, the expansion having been settled. */
void expansion_rate_residual(sarrus_Expansion *expansion, const double *v);
/* sum_j |J_ij v_j|: what is added up in a rate. */
double expansion_row_size(const sarrus_Expansion *expansion, int row, const double *v);
/* After stage 0: g'' or w' of a constraint, also of one that is off. */
double expansion_row_acceleration(const sarrus_Expansion *expansion, int row);
/*
** After any stage, in the series' unit of time: coefficient `stage` of g'' or w', also of one that
** was left out or is off; *size: what is added up in it.
*/
double expansion_stage_acceleration(const sarrus_Expansion *expansion, int row, int stage,
                                    double *size);
/* Set the velocities for good: the coefficients 1 of positions. */
sarrus_Status expansion_set_rates(sarrus_Expansion *expansion, const double *v,
                                  sarrus_Fault *fault);
/* Factor the matrix at the point; SINGULAR, and what is. */
sarrus_Status expansion_factor(sarrus_Expansion *expansion, sarrus_Fault *fault);
/* After placing it anew where series c began: the unknowns of stage 0 are values again. */
void expansion_recall(sarrus_Expansion *expansion, const double *c);
/* The unknowns of one stage, the matrix being factored. */
sarrus_Status expansion_extend(sarrus_Expansion *expansion, int stage, sarrus_Fault *fault);

#endif
