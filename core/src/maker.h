/*
** The step maker: from a point on the constraints, the next span, and the point where it ends.
**
** `to` is where the next span begins, and `expansion` stands there, placed, factored, its stage 0
** solved.
*/
#ifndef SARRUS_MAKER_H
#define SARRUS_MAKER_H

#include <float.h>

#include "expansion_parts.h"
#include "implicit.h"
#include "sarrus/sim.h"
#include "span.h"

/* `value`: the function whose argument nearly vanishes nearby, which bounds the step; or NONE. */
typedef struct Near {
  int value;
  double through; /* not 0: it does vanish, this far ahead, and the step goes as far beyond it */
  int shortens; /* this, or a function's own series, makes the step shorter than the motion would */
} Near;

/* What is put back after a failure. */
typedef struct Standpoint {
  double *q, *v, *guess, *modes;
  int modes_kept; /* they have not been written since: whoever writes modes says so */
  int *branch, *forced;
  int *dependent, dependent_count; /* of the matrix */
  double *row, *column;            /* its scales */
  double guess_most, foreseen;
} Standpoint;

/* Which method the next step is made with, and what that depends on (maker_method.c). */
typedef struct Method {
  sarrus_Memory memory;
  const sarrus_System *whole; /* the system that forms are made of */
  Implicit **implicit;        /* that of the form in use; made when it is needed first */
  int stiff;                  /* the next step is implicit */
  int of_span;                /* the span was made so */
  int by_series; /* while a step begins: stages do not know exactly whether a mode ends at once */
  double h;      /* the next implicit step; 0: not known */
  double made;   /* the one that the stages were found for */
  long long rejected; /* steps so far, when the last one began */
  int count;          /* of steps that something fast kept short, or of implicit ones, in a row */
  int wait;           /* so many of the former, and implicit steps are tried */
} Method;

enum { METHOD_MOST_WAIT = 1280 };

/*
** How often something intervenes, by what has intervened: series that serve until the next time
** are enough.
*/
typedef struct Interventions {
  double at;       /* the last one; NaN: none yet */
  double interval; /* between the last two */
  double expected; /* until the next one; infinite: none is */
} Interventions;

/* The largest corrections of positions and of velocities, relative to scale. */
typedef struct Correction {
  double position, velocity;
} Correction;

/*
** What lanes have done for the maker: the series from `to` on; and then, they being those of the
** span, the point where it ends, whose stage 0 they hold in place of the expansion, which has its
** coefficients alone.
*/
enum { AHEAD_NOT, AHEAD_EXPANDED, AHEAD_TAKEN, AHEAD_LANDED, AHEAD_STANDS };

typedef struct Ahead {
  int what;
  double h; /* LANDED: the step; its errors are in the expansion's rhs */
  Correction moved;
} Ahead;

typedef struct Maker {
  const sarrus_System *system;
  sarrus_SimOptions options; /* defaults filled in */
  const double *parameters;
  int n, m, variables;
  int capacity; /* highest K there is room for */
  sarrus_Expansion *expansion;

  Span span;
  Point to;
  int direction; /* 1 or -1 */
  double began;  /* the time of the start */
  int broken;    /* the motion cannot go on */
  Standpoint last;

  double *scale; /* per coordinate: largest magnitude so far; of multipliers: (T34) */
  double *least; /* per coordinate: what its scale begins with */
  double held; /* what the equations hold at most where the step begins (maker_note_multipliers) */
  double fastest; /* the largest speed of a coordinate so far, relative to its scale */
  double natural; /* the last step that the series themselves asked for; 0: none yet */
  double motion;  /* maker_motion_step of the span */
  int order;      /* K for the next expansion */
  int pole;       /* the multipliers' series is of no use in the span */
  double pole_at; /* and how far away it is */
  int astray;    /* looking for one, the matrix was factored elsewhere: not where the span begins */
  int ends;      /* the last coefficients of the span's series are all 0 */
  double margin; /* kkt_rank_margin at `to`; 1 where rank cannot be lost */
  double from_margin; /* where the step began */
  double best_margin; /* the largest so far */
  Near near;
  int *pole_side; /* per pole of the tape, where the step began */

  double *newton;     /* n: the step of maker_close */
  double *spare_v;    /* n */
  double *polynomial; /* capacity + 4 */
  double *root_work;

  double foreseen; /* an impact is, so long after `to`; 0: none */
  double until;    /* the series under way are to serve for so long only; 0: as long as they do */

  Method method;
  Ahead ahead;
  Interventions interventions;
  sarrus_Fault fault;
  sarrus_SimStats stats;
} Maker;

/* --- maker.c --- */

/* Take what a maker needs from a block; its system, options and counts are set. */
void maker_lay_out(Maker *maker, Block *block);
void maker_clear_fault(Maker *maker);
/* Let piecewise functions choose their branches anew. */
void maker_release(Maker *maker);

/* Stand at a point: find one nearby that meets the constraints. */
sarrus_Status maker_start(Maker *maker, double t, const double *q, const double *v);

/* Before a step, what it depends on: where it begins, the magnitudes, the unit of time. */
sarrus_Status maker_begin(Maker *maker);
/* The series from `from` on, and how far they serve, in the direction of travel; */
sarrus_Status maker_expand_series(Maker *maker, double *h);
/* or stages that meet the tolerance, as series; or whichever is cheaper (maker_method.c). */
sarrus_Status maker_expand(Maker *maker, double *h);
/*
** End the span at h: the point there.  *error is how far the series are from the equations,
** relative to what is allowed; `jumps`: functions change their branch there, so that accelerations
** cannot be compared.
*/
sarrus_Status maker_land(Maker *maker, double h, int jumps, double *error);
/* A shorter step, after one whose error was so many times what is allowed. */
double maker_shorten(const Maker *maker, double h, double error, int trial);
/* A step too short to go on, unless something changes at its end. */
int maker_vanishes(const Maker *maker, double h, int jumps);
/* Within less time than this nothing can be followed by steps. */
double maker_least_time(const Maker *maker);
void maker_accept(Maker *maker, double h);
/*
** The landing of a step of h is put off, and its span serves for a part of it: until then `to` is
** where the span begins.  The same again, as `span` was, after a failure has led back; whether it
** is; and to go on as if the series had just been made.
*/
void maker_put_off(Maker *maker, double h, double part);
void maker_put_off_again(Maker *maker, const Span *span);
int maker_is_put_off(const Maker *maker);
void maker_take_up(Maker *maker);
/* Stand again where the step began, after a failure; the status tells why. */
sarrus_Status maker_back_out(Maker *maker, sarrus_Status status);

/* Keep `to` with all that belongs to it; and stand there again, keeping the fault. */
void maker_remember(Maker *maker);
sarrus_Status maker_recall(Maker *maker, sarrus_Status status);

/* Where lanes stand in its place, the expansion stands at `to` again; the fault stays. */
void maker_stand(Maker *maker);

/*
** How long the motion has gone on before the step, or the time itself, if that is more: what short
** steps are compared with.
*/
double maker_past(const Maker *maker);

/* --- maker_project.c: points on the constraints --- */

sarrus_Status maker_place(Maker *maker, Point *point);
sarrus_Status maker_factor(Maker *maker);
/* Where the expansion has gone astray: it stands at `from` again as the span was made. */
sarrus_Status maker_find_back(Maker *maker);
/*
** After factoring: redundant constraints to leave out, so that those kept are far from depending on
** each other.
*/
sarrus_Status maker_choose_rows(Maker *maker);
/* The fault is what elimination left over. */
void maker_name_singular(Maker *maker);
/* How much a constraint changes as all its coordinates move by their scale. */
double maker_row_length(const Maker *maker, int row);
/* rhs[j], j < n: what undoes the residuals of the constraints; answers its size. */
double maker_correction(Maker *maker);
enum { MAKER_MOST_CORRECTIONS = 8 };
/*
** Whether to add correction i of positions, of this size, the last one and all so far being so
** large; and whether this one, the last, is too large for a solution to be nearby.
*/
int maker_corrects(int i, double size, double last, double moved);
/*
** Then not all the same, where that may be rounding, and residuals are no more than rounding of
** what is added up in them, which is so large.
*/
int maker_may_be_rounding(int i, double size);
int maker_is_residual_rounding(double residual, double size);
int maker_is_unsolved(double size);
/*
** A velocity that is but the rounding of a correction which has moved others by so much of their
** scale: at most this part of that.
*/
static const double MAKER_ROUNDING = 64 * DBL_EPSILON;
int maker_is_rounding(double v, double moved, double scale);
/*
** Bring a nearby point onto the constraints, positions then velocities; leave the expansion placed
** and factored there, its stage 0 solved.
*/
sarrus_Status maker_project(Maker *maker, Point *point, Correction *moved);
/* The same where the expansion is placed there already. */
sarrus_Status maker_project_placed(Maker *maker, Point *point, Correction *moved);
/* The same for a point that has been projected before: not a bit of it changes. */
sarrus_Status maker_prepare(Maker *maker, Point *point);
/* The same; rates, per equation, are those of the constraints, also of those that are off. */
sarrus_Status maker_prepare_rates(Maker *maker, Point *point, double *rates);

/* --- maker_close.c: points from afar --- */

/*
** Bring positions onto the constraints by damped Newton; find redundant constraints there (without
** `renew` only if it has moved: what was independent elsewhere may look dependent just here).  The
** expansion is placed there.
*/
sarrus_Status maker_close(Maker *maker, Point *point, int renew);
/*
** Whether it failed for rows alone that depend on others, and by no more than this part of their
** lengths.
*/
int maker_is_left_open(const Maker *maker, double part);
/* After constraints have been turned on or off: which of them depend on others at a point. */
sarrus_Status maker_analyse(Maker *maker, Point *point);
/* After something has changed at `to`: make it consistent. */
sarrus_Status maker_settle(Maker *maker);
/* The largest residual, relative to the length of its row; and which it is. */
double maker_worst_residual(const Maker *maker, int *row);

/* --- maker_control.c: step and order --- */

/* Let the series count time in a unit that suits the steps. */
sarrus_Status maker_choose_unit(Maker *maker);
/* What the equations hold at most, now; */
double maker_largest_held(const Maker *maker);
/* and so far, relative to which errors of multipliers count (T34). */
void maker_note_multipliers(Maker *maker);
/* The largest of m errors after a step of h, relative to that; projection moved positions by
** `moved` of their scale. */
double maker_multiplier_error(const Maker *maker, double h, double moved, const double *error);
double maker_choose_step(Maker *maker);
/* The margin of rank below which a position is next to a singular one. */
double maker_near_margin(const Maker *maker);
/* This part of a step that was too long, or less: it must not end next to a pole. */
double maker_shorten_step(const Maker *maker, double h, double part);
/* How much less accurate than the tolerance a step may be that leaps over a singular position. */
double maker_leap(const Maker *maker);
void maker_choose_order(Maker *maker, double h);
/*
** Before the series of a step: where an impact is foreseen, the order that serves until then;
** whether there is one.
*/
int maker_plan_until_impact(Maker *maker);
/* How much of a step of h is needed, where that is so little that landing may be put off; or 0. */
double maker_needed_part(const Maker *maker, double h);
/* Something has intervened at `to`; or a step begins where nothing has. */
void maker_note_intervention(Maker *maker);
void maker_note_none(Maker *maker);
/* What the motion itself allows, whatever multipliers do. */
double maker_motion_step(const Maker *maker);
/* Instructions, or so, that series of the span's order take. */
double maker_series_cost(const Maker *maker);
int maker_first_order(const Maker *maker);
/* The coordinate that keeps steps small. */
int maker_limiting(const Maker *maker);

/* --- maker_stiff.c: implicit steps --- */

sarrus_Status maker_expand_stiff(Maker *maker, double *h);
/*
** One try of stages, `size` long, after maker_expand_series has made a span (`series`) or before:
** whether they meet the tolerance.
*/
sarrus_Status maker_try_stages(Maker *maker, double size, int series, int *good);
/* They become the span. */
void maker_take_stages(Maker *maker, double size, double *h);
/*
** Where something happens inside of a span of stages, which are less exact there than at their end:
** stages that end right behind it; *h is where they do.  The expansion stands at `from`.
*/
sarrus_Status maker_cut_stages(Maker *maker, double at, double *h);
int maker_is_within_stages(const Maker *maker, double at);
/* Where such stages end. */
double maker_behind(double at);
/* The tangents of the stages that have become the span. */
sarrus_Status maker_follow_stages(Maker *maker, Tangent *tangent);
/* As the first half of maker_land: the point at h, not projected yet. */
void maker_reach(Maker *maker, double h);
/* The next step goes on from `to`, if nothing changes. */
void maker_note_reached(Maker *maker, double h);
/* h, or the longest step that the options allow. */
double maker_within(const Maker *maker, double h);

/* --- maker_method.c: by series, or by stages --- */

void maker_choose_first_method(Maker *maker);

/* --- maker_near.c: functions whose arguments nearly vanish --- */

/* How far the series reach, up to h; sets maker->near. */
double maker_near_zeros(Maker *maker, double h);
/* Whether a tape has functions that maker_near_zeros looks at. */
int maker_watches_zeros(const Tape *tape);
int maker_goes_through(const Maker *maker, double h);
/* After a step through a zero. */
sarrus_Status maker_make_good(Maker *maker, double h);
/* Of the functions of what vanishes right after `from`, the next to end, or NONE. */
sarrus_Expr maker_vanishing(Maker *maker);

/* --- maker_cause.c --- */

/*
** After a step that failed: the status and the fault that tell why.  INCONSISTENT: a prescribed
** motion cannot be followed; size is what it jumps by, or 0 where no position meets it.
*/
sarrus_Status maker_find_cause(Maker *maker, sarrus_Status status);

#endif
