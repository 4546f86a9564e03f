/*
** Inside of a simulation.
**
** The span [from, until] is what the dense series cover; `to` is where the next expansion begins, and
** `expansion` stands there, placed, factored, its stage 0 solved.  Without interventions
** until = to.t; after one at time `now` inside the span, until = to.t = now.
*/
#ifndef SARRUS_SIM_PARTS_H
#define SARRUS_SIM_PARTS_H

#include <stdatomic.h>

#include "event_parts.h"
#include "expansion_parts.h"
#include "sarrus/sim.h"

/* Where an expansion begins or ends. */
typedef struct Point {
  double t, t_low; /* time, and what compensated addition has left over */
  double *q, *v;
} Point;

/* Changes of branch of piecewise functions, all at one instant, h after the beginning of the step. */
enum { SIM_MOST_CROSSINGS = 16 };

typedef struct Crossings {
  double h;
  int count;
  struct {
    int slot;
    double threshold;
    int direction; /* of travel through the threshold: 1 up, -1 down */
  } at[SIM_MOST_CROSSINGS];
} Crossings;

/* `value`: the function whose argument nearly vanishes nearby, which bounds the step; or NONE. */
typedef struct Near {
  int value;
  double through; /* not 0: it does vanish, so far ahead, and the step goes as far beyond it */
  int shortens; /* the step is shorter than the motion's series allow, because of this or of a function's own series */
} Near;

/* What a failure must not change. */
typedef struct Standpoint {
  double *q, *v, *guess;
  int *branch, *forced;
  int *dependent, dependent_count; /* of the matrix */
  double *row, *column;            /* its scales */
} Standpoint;

/* A zero of an event, dt after the beginning of the span. */
typedef struct Hit {
  double dt;
  int event, direction;
} Hit;

/* How the zeros of one event follow each other; side: its sign where the span ended. */
typedef struct Pace {
  double last, interval, first;
  int seen, shrinking, side;
} Pace;

enum { SIM_MOST_HITS = 64 };

struct sarrus_Sim {
  sarrus_Memory memory;
  size_t bytes;
  const sarrus_System *system;
  const sarrus_Events *events; /* or NULL */
  sarrus_SimOptions options;   /* defaults filled in */
  sarrus_Stepped stepped;      /* or NULL */
  void *stepped_ud;
  int n, m, variables;
  int parameter_count;
  int capacity; /* highest K there is room for */
  sarrus_Expansion *expansion;
  double *parameters;
  double *scale; /* per coordinate: largest magnitude so far; of multipliers: (T34) */
  double *least; /* per coordinate: what its scale begins with */
  double held;   /* what the equations hold at most where the step begins (sim_note_multipliers) */

  double *dense;   /* coefficients of the span's series about `from` */
  double unit;     /* the unit of time that they count in, a power of two (work_set_unit) */
  double natural;  /* the last step that the series themselves asked for; 0: none yet */
  int dense_order; /* K of the span; 0: there is none */
  int pole;        /* the multipliers' series is of no use in the span */
  double pole_at;  /* and how far away it is */
  Near near;
  int ends;           /* the last coefficients of the span's series are all 0 */
  double margin;      /* kkt_rank_margin at `to`; 1 where rank cannot be lost */
  double from_margin; /* where the step began */
  double best_margin; /* the largest so far */
  Point from, to;
  double h, until;
  double now;
  double began;     /* the time of the start */
  int direction;    /* 1 or -1 */
  int changed;      /* `to` is no longer where the span ended */
  atomic_flag busy; /* a call that moves or changes it is under way */
  int started;      /* there is a state */
  int broken;       /* and no way on from it */
  Standpoint last;
  int *pole_side; /* per pole of the tape, where the step began */
  int crossings;  /* steps in a row that ended at one */
  double crossings_began;

  Work *event_work;
  double *event_series; /* capacity + 2 coefficients of each event */
  Hit hits[SIM_MOST_HITS];
  int hit_count, hit_next;
  Hit hit;     /* the last one delivered */
  Pace *paces; /* per event */

  double *newton;     /* n: the step of sim_close */
  double *spare_v;    /* n */
  double *polynomial; /* capacity + 4 */
  double *root_work;

  int order; /* K for the next expansion */
  sarrus_Fault fault;
  sarrus_SimStats stats;
  sarrus_SimNotes notes;
  int short_steps; /* in a row */
};

void sim_clear_fault(sarrus_Sim *sim);

/* --- sim_project.c: points on the constraints --- */

/* The largest corrections of positions and of velocities, relative to scale. */
typedef struct Correction {
  double position, velocity;
} Correction;

sarrus_Status sim_place(sarrus_Sim *sim, Point *point);
sarrus_Status sim_factor(sarrus_Sim *sim);
/* After factoring: redundant constraints to leave out, so that those kept are far from depending on each other. */
sarrus_Status sim_choose_rows(sarrus_Sim *sim);
/* The fault is what elimination left over. */
void sim_name_singular(sarrus_Sim *sim);
/* How much a constraint changes as all its coordinates move by their scale. */
double sim_row_length(const sarrus_Sim *sim, int row);
/* rhs[j], j < n: what undoes the residuals of the constraints; answers its size. */
double sim_correction(sarrus_Sim *sim);
/*
** Bring a nearby point onto the constraints, positions then velocities; leave the expansion placed and
** factored there, its stage 0 solved.
*/
sarrus_Status sim_project(sarrus_Sim *sim, Point *point, Correction *moved);
/* The same for a point that has been projected before: not a bit of it changes. */
sarrus_Status sim_prepare(sarrus_Sim *sim, Point *point);

/* --- sim_start.c: points from afar --- */

/*
** Bring positions onto the constraints by damped Newton; find redundant constraints there (without `renew` only if it
** has moved: what was independent elsewhere may look dependent just here).
*/
sarrus_Status sim_close(sarrus_Sim *sim, Point *point, int renew);
/* The largest residual, relative to the length of its row; and which it is. */
double sim_worst_residual(const sarrus_Sim *sim, int *row);

/* --- sim_control.c: step and order --- */

/* Let the series count time in a unit that suits the steps. */
sarrus_Status sim_choose_unit(sarrus_Sim *sim);
/* What the equations hold at most so far, relative to which errors of multipliers count (T34). */
void sim_note_multipliers(sarrus_Sim *sim);
/* The largest of m errors after a step of h, relative to that. */
double sim_multiplier_error(const sarrus_Sim *sim, double h, const double *error);
double sim_choose_step(sarrus_Sim *sim);
/* The margin of rank below which a position is next to a singular one. */
double sim_near_margin(const sarrus_Sim *sim);
/* This part of a step that was too long, or less: it must not end next to a pole. */
double sim_shorten_step(const sarrus_Sim *sim, double h, double part);
/* How much less accurate than the tolerance a step may be that leaps over a singular position. */
double sim_leap(const sarrus_Sim *sim);
void sim_choose_order(sarrus_Sim *sim, double h);
int sim_first_order(const sarrus_Sim *sim);
/* The coordinate that keeps steps small. */
int sim_limiting(const sarrus_Sim *sim);

/* --- sim_near.c: functions whose arguments nearly vanish --- */

/* How far the series reach, up to h; sets sim->near. */
double sim_near_zeros(sarrus_Sim *sim, double h);
int sim_goes_through(const sarrus_Sim *sim, double h);
/* After a step through a zero. */
sarrus_Status sim_make_good(sarrus_Sim *sim, double h);
/* Of the functions of what vanishes right after `from`, the next to end, or NONE. */
sarrus_Expr sim_vanishing(sarrus_Sim *sim);

/* --- sim_switch.c: piecewise functions --- */

/* The first changes of branch within h on the series just made; count 0 and the same h if none. */
Crossings sim_first_crossings(sarrus_Sim *sim, double h);
void sim_release_switches(sarrus_Sim *sim);
void sim_force_switches(sarrus_Sim *sim, const Crossings *crossings);
/*
** Turn a switch that stands on its threshold but whose series, for a step of h, leaves to the other side; answers which,
** or NONE.
*/
int sim_turn_switch(sarrus_Sim *sim, double h);
/* A piecewise function that chooses its branch by this series. */
sarrus_Expr sim_switching(const sarrus_Sim *sim, int slot);

/* --- sim_event.c --- */

sarrus_Status sim_find_events(sarrus_Sim *sim);
sarrus_Status sim_next_event(sarrus_Sim *sim, double t, int *found);
/* Forget the zeros that lie beyond the present time. */
void sim_drop_events(sarrus_Sim *sim);

/* --- sim_dense.c: evaluating the span --- */

/* Any of q, v, a, lambda may be NULL; dt counts from sim->from. */
void sim_evaluate(const sarrus_Sim *sim, double dt, double *q, double *v, double *a,
                  double *lambda);

/* --- sim_step.c --- */

/* How long the motion has gone on before the step, or the time itself, if that is more: what short steps are compared with. */
double sim_past(const sarrus_Sim *sim);
/* From `to`: the next span. */
sarrus_Status sim_make_step(sarrus_Sim *sim);

/* --- sim_cause.c --- */

/*
** After a step that failed: the status and the fault that tell why.  INCONSISTENT: a prescribed motion cannot be followed;
** size is what it jumps by, or 0 where no position meets it.
*/
sarrus_Status sim_find_cause(sarrus_Sim *sim, sarrus_Status status);

/* --- sim_notes.c --- */

/* After a step: what deserves attention. */
void sim_note(sarrus_Sim *sim);

/* --- sim_run.c --- */

/* End the span at the present time, and begin anew there. */
sarrus_Status sim_restart(sarrus_Sim *sim);

/* One call at a time: BUSY while another, of a callback or a thread, is under way.  Faults are of the last one. */
sarrus_Status sim_enter(sarrus_Sim *sim);
sarrus_Status sim_leave(sarrus_Sim *sim, sarrus_Status status);

/* Keep `to` with all that belongs to it; and stand there again, keeping the fault. */
void sim_remember(sarrus_Sim *sim);
sarrus_Status sim_recall(sarrus_Sim *sim, sarrus_Status status);

/* t + dt by compensated addition. */
void point_forward(Point *point, double dt);
void point_copy(Point *to, const Point *from, int n);

#endif
