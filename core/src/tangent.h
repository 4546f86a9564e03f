/*
** Tangents: first derivatives of expansions in some directions, by the factors of the expansion
** itself (T57, T58).
**
** A direction is a change of parameters, and of positions and velocities where a span begins.  The
** equations F = 0 hold for changed ones too, dF = 0: at stage k
**
**   J dX_k = -(k+1) … (k+c_i) dF_{i,k+c_i}   (dX_k zero)
**
** with the J that X_k was found with.
*/
#ifndef SARRUS_TANGENT_H
#define SARRUS_TANGENT_H

#include "expansion_parts.h"
#include "span.h"
#include "tape_dual.h"
#include "tape_follow.h"

/* What stands beside the expansion of a system; rows for each variable or equation. */
typedef struct TangentForm {
  const sarrus_System *system; /* NULL: not made yet */
  Follower follower;
  int feed_count;
  Copy *feeds;    /* from the unknowns of a stage to the tape */
  int *set_aside; /* per aside of the tape: the input that it multiplies */
  double *rhs, *lower[MOST_DEGREE], *off;
  double *solving;     /* workspace of solves */
  sarrus_Graph *graph; /* with the numbers of the system's; made for the first impact, for */
  Tape *matrix;        /* extras: the entries of J, and rates of constraints */
  Dual entries;
  double *rates; /* of constraints */
  void *block, *matrix_block;
  size_t bytes, matrix_bytes;
} TangentForm;

/*
** Derivative of coordinate j in direction l: [j * width + l].  The series of the span are laid out
** as those of the motion, a row for each number.
*/
typedef struct Tangent {
  sarrus_Memory memory;
  size_t bytes;
  int directions, width;
  int capacity; /* of the series: the highest coefficient */
  int n, room, parameters;
  double *p;     /* of parameters */
  double *q, *v; /* where the span begins; after it has been expanded, on the constraints */
  double *c;
  double *to_q, *to_v; /* where the next one begins */
  double *one;         /* workspace: `room` numbers of one direction */
  double *size[2];     /* per direction: how large positions and rates have been, by D (T10) */
} Tangent;

/* `parameters`: those of the system, and others behind them that events have. */
sarrus_Status tangent_new(sarrus_Memory memory, const sarrus_System *system, int parameters,
                          int directions, int capacity, Tangent **tangent);
void tangent_free(Tangent *tangent);

/* The form of the equations that an expansion is of; made where it is not yet. */
sarrus_Status tangent_take_form(const Tangent *tangent, TangentForm *form,
                                const sarrus_System *system);
void tangent_free_form(const Tangent *tangent, TangentForm *form);
size_t tangent_form_bytes(const TangentForm *form);

/* What has been expanded: the series of all variables, and how many stages of them. */
typedef struct Expanded {
  const double *c; /* as in a span */
  double unit, t;
  int stages;
} Expanded;

/*
** The tangents of an expansion, which stands, factored, where its series c begin, and has all the
** numbers that these were found with.  INCONSISTENT: constraints that depend on others would no
** longer hold (row); NONFINITE.
*/
sarrus_Status tangent_expand(Tangent *tangent, TangentForm *form, const sarrus_Expansion *expansion,
                             const Expanded *motion, sarrus_Fault *fault);

/*
** At a point with velocities v, rows q and v being taken as they are: how the entries of J change,
** and the rates of constraints, also of those that are off.
*/
sarrus_Status tangent_matrix(Tangent *tangent, TangentForm *form, const sarrus_Expansion *expansion,
                             const Expanded *motion, const double *v, const double *parameters);
static inline double tangent_rate(const TangentForm *form, int row, int direction) {
  return form->rates[(ptrdiff_t)(row - form->system->n) * form->entries.width + direction];
}
static inline double tangent_entry(const TangentForm *form, int entry, int direction) {
  return dual_slope(&form->entries, form->matrix->extra_value[entry])[direction];
}

/* One direction, dt after the beginning; any of dq, dv, da, dlambda may be NULL. */
void tangent_evaluate(const Tangent *tangent, const Span *span, double dt, int direction,
                      double *dq, double *dv, double *da, double *dlambda);
/* Positions and velocities in all directions, as rows. */
void tangent_evaluate_all(const Tangent *tangent, const Span *span, double dt, double *q,
                          double *v);

#endif
