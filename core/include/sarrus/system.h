/*
** Systems: the equations of a mechanism, compiled.
**
**   M(q,t) q'' = f(q,v,t) - G^T lambda - A^T mu,   g(q,t) = 0,   w(q,v,t) = A v + b = 0
**
** with G = dg/dq and A = dw/dv, which are never asked for.  The multipliers of the constraints g
** come first, those of the velocity constraints w after them, then those of contacts: of slips
** without a gap, of all gaps, of the other slips.
**
** A system owns a graph of its own with what it needs; the graph it was made from may go.  It
** does not change after it is made, and may be used by several threads at once.
*/
#ifndef SARRUS_SYSTEM_H
#define SARRUS_SYSTEM_H

#include "sarrus/expr.h"

typedef struct sarrus_System sarrus_System;

/*
** All expressions belong to `graph`.  Symbols: Q and V from 0 to coordinates - 1, TIME 0, PARAMETER
** from 0 to parameters - 1, and LAMBDA in forces that depend on multipliers.  Either `masses`, the
** entries of M that are not zero, both (i, j) and (j, i), or `lagrangian` (kinetic less potential
** energy) is given, the other being none.
*/
typedef struct sarrus_MassEntry {
  int row, column;
  sarrus_Expr mass;
} sarrus_MassEntry;

/*
** One-sided conditions with dry friction.  A contact is `gap` >= 0, an expression of q and t; where
** it is closed, a force N >= 0 keeps it from becoming negative.  `slip` are the velocities along
** the surface, affine in v, one in the plane, two that are at right angles in space; friction
** opposes them with up to static_friction N while they are 0, with friction N otherwise (NONE: the
** same).  An impact follows Poisson's law with `restitution` from 0 to 1.  Without a gap (NONE) it
** is dry friction alone, as of a bearing, and `friction` the bound of its force.  Coefficients are
** expressions of parameters, bounds of multipliers too; NONE stands for 0.
**
** The bound of a bearing may grow with its load, `loads` (up to 3) components `load` of
** multipliers: their length, times load_friction or, while it sticks, load_static, is added to the
** bounds (NONE: 0; static_friction and load_static both NONE: as while it slips).  A length has no
** slope where it is 0: as a root among the bounds it would end the motion there, as a load it does
** not.
**
** Where `bounded` is not 0, `bound` is an expression of q, t and parameters that is positive only
** where the gap is: a distance of spheres about two shapes, in place of that of the shapes.  Steps
** on which all bounds stay positive are made without contacts.  One that contacts share is
** evaluated once.  Without it the gap serves.
*/
typedef struct sarrus_Contact {
  sarrus_Expr gap;
  sarrus_Expr slip[2];
  sarrus_Expr friction, static_friction;
  sarrus_Expr restitution;
  int loads;
  sarrus_Expr load[3];
  sarrus_Expr load_friction, load_static;
  int bounded;
  sarrus_Expr bound;
} sarrus_Contact;

/*
** What a force that a simulation may let go (sarrus_sim_release_force) adds to `force` of a
** coordinate.
*/
typedef struct sarrus_ForceShare {
  int force, coordinate;
  sarrus_Expr share;
} sarrus_ForceShare;

/*
** What such a force does, said once more as an effort along a length (or an angle): implicit steps
** give it a variable of its own, since stiffness that turns with the mechanism spoils them.
** `effort` contains `length` and its `rate` (NONE: it does not) as they stand, and acts on a
** coordinate by effort d length / dq.  The elements of a force together are what its shares are.
*/
typedef struct sarrus_Element {
  int force;
  sarrus_Expr length, rate, effort;
} sarrus_Element;

typedef struct sarrus_SystemSpec {
  const sarrus_Graph *graph;
  int coordinates;
  int masses;
  const sarrus_MassEntry *mass;
  sarrus_Expr lagrangian;   /* SARRUS_NONE: masses are given */
  const sarrus_Expr *force; /* NULL: none */
  int constraints;
  const sarrus_Expr *constraint;
  int velocity_constraints;
  const sarrus_Expr *velocity_constraint;
  int contacts;
  const sarrus_Contact *contact;
  int locks; /* rates, affine in v, that a simulation may hold at 0 (sarrus_sim_lock) */
  const sarrus_Expr *lock;
  int forces; /* that may be let go, and their shares */
  int shares;
  const sarrus_ForceShare *share;
  int elements;
  const sarrus_Element *element;
  int parameters;
} sarrus_SystemSpec;

/* Why a call was refused. */
#define SARRUS_MISUSES(X)                                                           \
  X(NOT_STARTED, "the simulation has not been started")                             \
  X(ENDED, "the motion has come to its end: start anew, or restore")                \
  X(OTHER_MODEL, "the simulation is none of this model")                            \
  X(NO_LIST, "there is no list of that length")                                     \
  X(TIME, "the time is not finite")                                                 \
  X(NUMBER, "the number is not finite")                                             \
  X(PARAMETER, "there is no parameter of that number")                              \
  X(FIXED, "the parameter is fixed: it can be given before the start alone")        \
  X(JOINT, "there is no joint of that number, or it does not have that coordinate") \
  X(BODY, "there is no body of that number")                                        \
  X(RELEASE, "nothing of that number can be released")                              \
  X(LOCK, "nothing of that number can be locked")

typedef enum sarrus_Misuse {
  SARRUS_MISUSE_NONE,
#define SARRUS_MISUSE_ENUM(name, sentence) SARRUS_MISUSE_##name,
  SARRUS_MISUSES(SARRUS_MISUSE_ENUM)
#undef SARRUS_MISUSE_ENUM
} sarrus_Misuse;

/*
** What a failure is about.  Indices count from 0 and are -1 where they do not apply; `size` and
** `count` then are 0.
**
**   SINGULAR      row, column; size: the condition of the matrix, infinite where it has none
**   INCONSISTENT  row: the equation that is violated most; derivative; size: its residual
**   STEP          column: the coordinate that keeps steps small; count: so many were not enough,
**                 0: they became too small
**   NONFINITE     expr: what is not finite; or column and derivative: the number given that is not
**   EVENT         event, whose value is not finite (size: NaN), or that vanishes throughout (count
**                 0), or has more than `count` zeros in a step (size 0), or zeros ever faster,
**                 `count` of them, the last after `size`; or expr: the piecewise function at whose
**                 switch the motion sticks or chatters
**   CONTACT       contact: for it no forces are possible, or several; size: how deep it penetrates
**                 where it starts, or is engaged, or 0; count: or its mode has changed so often at
**                 one instant; -1: going backwards, what was before cannot be told (what sticks,
**                 impacts that lose energy)
**   ARGUMENT      row, column: a mass that is not symmetric (size: by how much) or stands outside
**                 of the matrix, or a velocity constraint that is not affine in that variable; row:
**                 a constraint that contains velocities; or, of calls on simulations and models,
**                 misuse: what is wrong, and entry: of which entry of a list that was given
**   LIMIT         column: an algebraic variable that only derivatives of the equations determine
*/
typedef struct sarrus_Fault {
  int row;     /* equation: of the coordinates first, then constraints, then velocity constraints */
  int column;  /* variable: coordinates first, then multipliers (algebraic variables) */
  double size; /* how wrong */
  sarrus_Expr expr; /* in the system's graph */
  int event;
  int count;
  int derivative; /* of what: 0 positions, 1 velocities, 2 accelerations */
  int contact;
  sarrus_Misuse misuse;
  int entry;
} sarrus_Fault;

/*
** ARGUMENT: the mass is not symmetric or stands elsewhere (row, column), a constraint contains
** velocities (row) or a velocity constraint is not affine in them (row, column), a symbol is out of
** range, an expression none of the graph's.  LIMIT: too many coordinates, constraints, parameters.
** NOMEM.
*/
SARRUS_API sarrus_Status sarrus_system_new(sarrus_Memory memory, const sarrus_SystemSpec *spec,
                                           sarrus_System **system, sarrus_Fault *fault);
/*
** General semi-explicit DAEs in Hessenberg form, index 0 to 3:  x' = f(x, y, t),  0 = g(x, y, t).
** Symbols: Q for x, LAMBDA for y, TIME, PARAMETER.  The index is found; SINGULAR where the
** structure allows no solution (row: an equation that is left over), LIMIT where the index is above
** 3 or an algebraic variable is not determined by the equations but only by their derivatives
** (column).  ARGUMENT as above.
*/
typedef struct sarrus_DaeSpec {
  const sarrus_Graph *graph;
  int differential, algebraic;
  const sarrus_Expr *derivative; /* f */
  const sarrus_Expr *constraint; /* g, as many as algebraic variables */
  int parameters;
} sarrus_DaeSpec;

SARRUS_API sarrus_Status sarrus_system_new_dae(sarrus_Memory memory, const sarrus_DaeSpec *spec,
                                               sarrus_System **system, int *index,
                                               sarrus_Fault *fault);

SARRUS_API void sarrus_system_free(sarrus_System *system);
SARRUS_API size_t sarrus_system_bytes(const sarrus_System *system);
SARRUS_API int sarrus_system_coordinates(const sarrus_System *system);
SARRUS_API int sarrus_system_multipliers(const sarrus_System *system);
SARRUS_API int sarrus_system_contacts(const sarrus_System *system);
/*
** Symbols U: SARRUS_MODES of each contact, then one of each force that may be let go, 1 while it
** is.
*/
SARRUS_API int sarrus_system_modes(const sarrus_System *system);
SARRUS_API const sarrus_Graph *sarrus_system_graph(const sarrus_System *system);

/* Text, as sarrus_graph_print: the equations, the program, the structure of the matrix. */
SARRUS_API size_t sarrus_system_print_equations(const sarrus_System *system, sarrus_Namer name,
                                                void *ud, char *text, size_t size);
SARRUS_API size_t sarrus_system_print_tape(const sarrus_System *system, sarrus_Namer name, void *ud,
                                           char *text, size_t size);
SARRUS_API size_t sarrus_system_print_structure(const sarrus_System *system, sarrus_Namer name,
                                                void *ud, char *text, size_t size);

/*
** A fault as a sentence, with the caller's names.  What has no name goes by its number, from 1.
** `system` may be NULL, as it is where it could not be made, and `names` too; text as
** sarrus_graph_print.
*/
typedef struct sarrus_Names {
  int coordinates;
  const char *const *coordinate;
  int constraints; /* velocity constraints after the others */
  const char *const *constraint;
  int parameters;
  const char *const *parameter;
  int events;
  const char *const *event;
  int contacts;
  const char *const *contact;
} sarrus_Names;

SARRUS_API size_t sarrus_fault_text(sarrus_Status status, const sarrus_Fault *fault,
                                    const sarrus_System *system, const sarrus_Names *names,
                                    char *text, size_t size);

#endif
