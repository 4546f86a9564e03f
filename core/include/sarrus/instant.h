/*
** Instants: a system at single points, without motion.  Where an expansion begins anew at every
** point, an instant keeps the order of elimination and the dependent constraints that it has found
** from one point to the next, as long as they serve.
**
** An instant is one block of memory.  It belongs to one thread at a time; the system, one of a
** mechanism, must live as long.
*/
#ifndef SARRUS_INSTANT_H
#define SARRUS_INSTANT_H

#include "sarrus/system.h"

typedef struct sarrus_Instant sarrus_Instant;

/*
** `scale` says of each coordinate what is far (NULL: 1), as sarrus_sim_scale.  The last `goals`
** constraints hold nothing: sarrus_instant_reach is to bring them about.  They go with a system
** that has neither velocity constraints nor contacts (ARGUMENT).
*/
SARRUS_API sarrus_Status sarrus_instant_new(sarrus_Memory memory, const sarrus_System *system,
                                            const double *scale, int goals,
                                            sarrus_Instant **instant);
SARRUS_API void sarrus_instant_free(sarrus_Instant *instant);
SARRUS_API size_t sarrus_instant_bytes(const sarrus_Instant *instant);

/*
** Accelerations and multipliers (each may be NULL) at a state that meets the constraints, contacts
** being open.  SINGULAR, INCONSISTENT (constraints that depend on others contradict them),
** NONFINITE.
*/
SARRUS_API sarrus_Status sarrus_instant_motion(sarrus_Instant *instant, double t, const double *q,
                                               const double *v, const double *parameters, double *a,
                                               double *lambda, sarrus_Fault *fault);

/*
** For each of `count` constraints (from 0), the velocities, n numbers, with which it has rate 1 and
** all others rate 0, of those the ones with the least kinetic energy, and the multipliers of the
** impulse that brings them about, as many as the system has: -lambda_j of velocities i is the
** kinetic energy's second derivative by rates i and j.  SINGULAR: one of them does not move
** independently of the others (row).
*/
SARRUS_API sarrus_Status sarrus_instant_rates(sarrus_Instant *instant, double t, const double *q,
                                              const double *parameters, int count,
                                              const int *constraint, double *rates, double *lambda,
                                              sarrus_Fault *fault);

/*
** What is to be reached.  The first `targets` goals are to be 0, measured in `unit`; the axes of
** bodies, three vectors from coordinate `axes` on, are to be those of `wanted`, nine numbers each;
** the other goals must not be negative.
*/
typedef struct sarrus_Aim {
  int targets;
  const double *unit; /* per target */
  int turns;
  const int *axes;      /* per turn */
  const double *wanted; /* per turn, nine */
  int thorough;         /* 1: go on as long as targets come nearer at all, however slowly */
} sarrus_Aim;

typedef struct sarrus_Reached {
  double off;     /* sqrt of the sum of (target / unit)^2 and of angles^2 that are left */
  int iterations; /* each with a factorisation */
  int closed;     /* whether the constraints are met */
} sarrus_Reached;

/*
** Move q to where the targets are met, or as nearly as they can be from here: INCONSISTENT.  Of
** the goals, `value` tells what they are there, and `held` which bounds stand in the way; both may
** be NULL.  SINGULAR, NONFINITE.
*/
SARRUS_API sarrus_Status sarrus_instant_reach(sarrus_Instant *instant, double t, double *q,
                                              const double *parameters, const sarrus_Aim *aim,
                                              double *value, int *held, sarrus_Reached *reached,
                                              sarrus_Fault *fault);

#endif
