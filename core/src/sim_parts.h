/* Inside of a simulation. */
#ifndef SARRUS_SIM_PARTS_H
#define SARRUS_SIM_PARTS_H

#include "expansion_parts.h"
#include "sarrus/sim.h"

/* Where an expansion begins or ends. */
typedef struct Point {
  double t, t_low; /* time, and what compensated addition has left over */
  double *q, *v;
} Point;

struct sarrus_Sim {
  sarrus_Memory memory;
  size_t bytes;
  const sarrus_System *system;
  sarrus_SimOptions options; /* defaults filled in */
  int n, m, variables;
  int capacity;                /* highest K there is room for */
  sarrus_Expansion *expansion; /* at the end of the span, its stage 0 done */
  double *parameters;
  double *scale;               /* per variable: largest magnitude so far */

  double *dense;   /* coefficients of the span's series about `from` */
  int dense_order; /* K of the span; 0: there is none */
  int pole;        /* the multipliers' series is of no use in the span */
  Point from, to;  /* the span */
  double h;        /* its length, with sign */
  double now;
  int direction;
  int broken; /* no state: not started, or the last start failed */

  int order; /* K for the next expansion */
  sarrus_Fault fault;
  sarrus_SimStats stats;
};

/* --- sim_project.c: points on the constraints --- */

/* The largest corrections of positions and of velocities, relative to scale. */
typedef struct Correction {
  double position, velocity;
} Correction;

sarrus_Status sim_place(sarrus_Sim *sim, const Point *point);
sarrus_Status sim_factor(sarrus_Sim *sim);
double sim_correction(sarrus_Sim *sim);
/*
** Bring a nearby point onto the constraints, positions then velocities; leave the expansion placed and
** factored there, its stage 0 solved.
*/
sarrus_Status sim_project(sarrus_Sim *sim, Point *point, Correction *moved);

/* --- sim_control.c: step and order --- */

double sim_choose_step(sarrus_Sim *sim);
void sim_choose_order(sarrus_Sim *sim, double h);
int sim_first_order(const sarrus_Sim *sim);

/* --- sim_dense.c: evaluating the span --- */

/* Any of q, v, a, lambda may be NULL; dt counts from sim->from. */
void sim_evaluate(const sarrus_Sim *sim, double dt, double *q, double *v, double *a,
                  double *lambda);

/* --- sim_step.c --- */

/* From the end of the span: the next span. */
sarrus_Status sim_make_step(sarrus_Sim *sim);

/* t + dt by compensated addition. */
void point_forward(Point *point, double dt);
void point_copy(Point *to, const Point *from, int n);

#endif
