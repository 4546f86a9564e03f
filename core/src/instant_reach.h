/* The inside of inverse kinematics, shared by instant_reach.c and instant_close.c. */
#ifndef SARRUS_INSTANT_REACH_H
#define SARRUS_INSTANT_REACH_H

#include "instant_parts.h"

/*
** The problem at one point.  Its rows are the targets, then three for each turn (wanted axes of a
** body), then the bounds.
*/
typedef struct Problem {
  sarrus_Instant *instant;
  const sarrus_Aim *aim;
  double t;
  const double *parameters;
  sarrus_Fault *fault;
  int n, soft, rows; /* soft: targets and turns */
  double *value;     /* per row: r, or the gap of a bound */
  double *tried;     /* the same at the trial point */
  double *X;         /* rows x n */
  double *W;         /* T X, rows x rows; of bounds only where `known` */
  double *along;     /* per row: T dq_g, its change by the step that meets the constraints */
  int *known;        /* per row: whether its X and W have been computed */
  int *held;         /* per row: whether it is a bound that is one of the equations now */
  double *matrix, *mu;
  int *equation; /* per equation: its row */
} Problem;

/* The longest step, relative to scale: linear models of sine and cosine serve near by only. */
static const double REACH_LONGEST = 1;

/* x = J^-1 x, not refined: the step made of it is corrected afterwards. */
void reach_solve(const Problem *p, double *x);
/* Stand at q, without velocities. */
sarrus_Status reach_place(const Problem *p, const double *q);
/* q += step, shortened to REACH_LONGEST if its size is above that */
void reach_move(const Problem *p, double *q, const double *step, double size);

/* Finds the step that meets the constraints, in `closing`; returns its size. */
double reach_find_closing(const Problem *p);
/* Newton's method for the constraints alone, from q and to there; *closed: whether they are met. */
sarrus_Status reach_close(const Problem *p, double *q, int *closed);
/*
** The same near a point that meets the constraints, with the present factors, which were made not
** far away; *closed is 0 where these do not serve.
*/
sarrus_Status reach_polish(const Problem *p, double *q, int *closed);
/*
** Corrections of a trial point q with the present factors, targets being off by so much before;
** *good: whether they converge.
*/
sarrus_Status reach_correct(const Problem *p, double off, double *q, int *good);

#endif
