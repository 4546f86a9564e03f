/*
** Models: what model:export(path) of the Lua module writes, run without Lua.
**
** A file holds the equations as a graph, what can be seen of a state as another, the start, the
** options, and everything by name, with what is needed to draw it.  Loading checks all of it and
** compiles the equations by the code that also serves Lua, so that motions have the same bits.
** Events and controllers are not in it.
**
** A model does not change once it is loaded and may be used by several threads at once; it must
** live as long as its simulations and views.  A view belongs to one thread at a time.  Units are SI
** and radians, axes right-handed, indices count from 0.  In the plane the third component of
** vectors is 0, and turning is about z.
*/
#ifndef SARRUS_MODEL_H
#define SARRUS_MODEL_H

#include "sarrus/sim.h"

typedef struct sarrus_Model sarrus_Model;

/*
** FORMAT: no exported model, or damaged; VERSION: written by another version of the library; NOMEM.
** IO: *error, unless `error` is NULL, is a value of errno.
*/
SARRUS_API sarrus_Status sarrus_model_load(sarrus_Memory memory, const char *path,
                                           sarrus_Model **model, int *error);
/* The same from memory; the data may go afterwards. */
SARRUS_API sarrus_Status sarrus_model_read(sarrus_Memory memory, const char *data, size_t size,
                                           sarrus_Model **model);
SARRUS_API void sarrus_model_free(sarrus_Model *model);
SARRUS_API const sarrus_System *sarrus_model_system(const sarrus_Model *model);

/* --- what is in it, by name -------------------------------------------------------------- */

/*
** Lists, each in the order of the model: WHOLE has one entry, the model itself; LAWS one for each
** contact of the system: the points of contacts, and stops and frictions of joints; CONSTRAINTS
** those of the system, velocity constraints after the others.
*/
typedef enum sarrus_List {
  SARRUS_WHOLE,
  SARRUS_BODIES,
  SARRUS_JOINTS,
  SARRUS_FORCES,
  SARRUS_SHAPES,
  SARRUS_CONTACTS,
  SARRUS_PARAMETERS,
  SARRUS_CHANNELS,
  SARRUS_COORDINATES,
  SARRUS_CONSTRAINTS,
  SARRUS_LAWS,
  SARRUS_LISTS
} sarrus_List;

SARRUS_API int sarrus_model_count(const sarrus_Model *model, sarrus_List list);
/* NULL where there is none. */
SARRUS_API const char *sarrus_model_name(const sarrus_Model *model, sarrus_List list, int index);
/* SARRUS_NONE where there is none of that name. */
SARRUS_API int sarrus_model_find(const sarrus_Model *model, sarrus_List list, const char *name);
/*
** Fields of an entry, NULL where it does not have one; *count says how many numbers there are.
** Bodies are counted from 0, the ground is -1; places and directions are in the axes of the body,
** which stand in its centre of mass; points stand one after the other.
**
**   WHOLE       dimension, size and drawn (of the drawing), unit (thickness of what has none),
**               down, gravity
**   BODIES      kind (rod, box, cylinder, sphere, point, rigid, bare), color ("#rrggbb" or a
**               name), tone (like ones have like numbers), length (rods: along x), radius, size,
**               axis, slender, slim, round, exact, struts and points (ends of lines from the
**               centre of mass)
**   JOINTS      kind, symbol (hinge, slider, groove, sleeve, thread, weld, ball, ring, cross,
**               table, track, bar), a, b, at_a, at_b, axis (of A), axis_b, normal, room, reach;
**               circles.body, circles.at, circles.radius, circles.axis
**   FORCES      kind, symbol (coil, dashpot, ring, bar), a, b, at_a, at_b
**   SHAPES      kind (line, plane, disk, sphere, polygon, box, capsule, cylinder, point, mesh),
**               body, color, tone, at, normal, radius, points, axes, size, from, to
**   LAWS        contact, a, b (bodies); points of contacts alone
**   PARAMETERS  value, hidden (sarrus sets it), fixed (says where or how large something is: only
**               before the start)
**   CHANNELS    unit
*/
SARRUS_API const double *sarrus_model_numbers(const sarrus_Model *model, sarrus_List list,
                                              int index, const char *field, int *count);
SARRUS_API const char *sarrus_model_text(const sarrus_Model *model, sarrus_List list, int index,
                                         const char *field);

/* --- simulations ------------------------------------------------------------------------- */

/*
** A simulation at the model's start, assembled as it was exported.  Where `options` (NULL: none)
** are 0, those hold that were exported; so does the scale of each coordinate, unless one is given.
*/
SARRUS_API sarrus_Status sarrus_model_simulate(sarrus_Memory memory, const sarrus_Model *model,
                                               const sarrus_SimOptions *options, sarrus_Sim **sim);
/*
** The same not yet started, for other starts: sarrus_sim_preset changes parameters, then
** sarrus_sim_start takes positions and velocities, or sarrus_model_start what is wanted of joints.
*/
SARRUS_API sarrus_Status sarrus_model_prepare(sarrus_Memory memory, const sarrus_Model *model,
                                              const sarrus_SimOptions *options, sarrus_Sim **sim);
/*
** Start, at the time of the model's start, with coordinates of joints and their rates as wanted.
** From the model's start, coordinates go to what is wanted little by little, everything else being
** moved as little as possible (in the norm of the mass), and so are velocities.  This follows the
** branch on which the model was exported; a start under Lua poses bodies along the joints first,
** and may find another one.  INCONSISTENT where it cannot be had.  ARGUMENT: a joint does not have
** that coordinate, or a number is not finite.
*/
typedef enum sarrus_Reading {
  SARRUS_ANGLE,
  SARRUS_RATE,
  SARRUS_LENGTH,
  SARRUS_SPEED
} sarrus_Reading;
typedef struct sarrus_Wish {
  int joint;
  sarrus_Reading reading;
  double value;
} sarrus_Wish;

SARRUS_API sarrus_Status sarrus_model_start(const sarrus_Model *model, sarrus_Sim *sim, int count,
                                            const sarrus_Wish *wishes);
/*
** Change parameters from the present instant on: all of them, or none.  ARGUMENT: there is none of
** that number, or it is `fixed`, so that what it says of places and sizes would not be so.
*/
SARRUS_API sarrus_Status sarrus_model_set(const sarrus_Model *model, sarrus_Sim *sim, int count,
                                          const int *parameter, const double *value);
/*
** Let a joint, a force or a contact go, or engage it again, and hold the coordinates of a joint, or
** let them go: as sim:release, engage, lock and unlock.  ARGUMENT where it cannot be.
*/
SARRUS_API sarrus_Status sarrus_model_release(const sarrus_Model *model, sarrus_Sim *sim,
                                              sarrus_List list, int index, int released);
SARRUS_API sarrus_Status sarrus_model_lock(const sarrus_Model *model, sarrus_Sim *sim, int joint,
                                           int locked);
/*
** Change velocities by an impulse on a body, in world axes, at a world point (NULL: its centre of
** mass), consistently with the constraints.
*/
SARRUS_API sarrus_Status sarrus_model_impulse(const sarrus_Model *model, sarrus_Sim *sim, int body,
                                              const double impulse[3], const double *at);
/* What went wrong, with the names of the model; text as sarrus_graph_print. */
SARRUS_API size_t sarrus_model_fault_text(const sarrus_Model *model, sarrus_Status status,
                                          const sarrus_Fault *fault, char *text, size_t size);

/* --- views ------------------------------------------------------------------------------- */

typedef struct sarrus_View sarrus_View;

/*
** A view shows lists, those of `lists` (1 << SARRUS_BODIES, SARRUS_JOINTS, SARRUS_CONTACTS,
** SARRUS_LAWS, added up), and channels.  It evaluates all of it at once, when it looks, and
** allocates nothing then.
*/
SARRUS_API sarrus_Status sarrus_view_new(sarrus_Memory memory, const sarrus_Model *model,
                                         unsigned lists, int channels, const int *channel,
                                         sarrus_View **view);
SARRUS_API void sarrus_view_free(sarrus_View *view);
/*
** The present state, and that at a time of the span.  ARGUMENT: the simulation is none of the
** model's, or not started, or the time is outside.  BUSY: another thread moves or changes it just
** now; look again when it has done.
*/
SARRUS_API sarrus_Status sarrus_view_look(sarrus_View *view, const sarrus_Sim *sim);
SARRUS_API sarrus_Status sarrus_view_look_at(sarrus_View *view, const sarrus_Sim *sim, double t);

/* Of the centre of mass, in world axes.  The orientation is a unit quaternion w, x, y, z. */
typedef struct sarrus_Pose {
  double position[3], orientation[4];
  double angle; /* in the plane, full turns counted; else NaN */
  double velocity[3], spin[3];
} sarrus_Pose;

/* NaN is what a joint does not have.  Force and torque: what it exerts on B, at its point there. */
typedef struct sarrus_JointSight {
  double angle, rate, length, speed;
  double point[3], force[3], torque[3];
} sarrus_JointSight;

/* The sum of its points; `force` is that on B, `gap` the least. */
typedef struct sarrus_ContactSight {
  sarrus_ContactMode mode;
  double gap, normal_force, friction_force, force[3];
} sarrus_ContactSight;

/* One point of a contact: where, the force on B; NaN for laws that have no place. */
typedef struct sarrus_PointSight {
  sarrus_ContactMode mode;
  double gap, position[3], force[3];
} sarrus_PointSight;

/* As of the last look.  ARGUMENT: there is none, or the view does not show it. */
SARRUS_API sarrus_Status sarrus_view_body(const sarrus_View *view, int body, sarrus_Pose *pose);
SARRUS_API sarrus_Status sarrus_view_joint(const sarrus_View *view, int joint,
                                           sarrus_JointSight *sight);
SARRUS_API sarrus_Status sarrus_view_contact(const sarrus_View *view, int contact,
                                             sarrus_ContactSight *sight);
SARRUS_API sarrus_Status sarrus_view_point(const sarrus_View *view, int law,
                                           sarrus_PointSight *sight);
/* The i-th of its channels; NaN where there is none. */
SARRUS_API double sarrus_view_value(const sarrus_View *view, int i);

/* --- writing ----------------------------------------------------------------------------- */

/* A field is a text, or numbers where `text` is NULL. */
typedef struct sarrus_Field {
  const char *name, *text;
  int count;
  const double *numbers;
} sarrus_Field;

typedef struct sarrus_Item {
  sarrus_List list;
  const char *name;
  int fields;
  const sarrus_Field *field;
} sarrus_Item;

/*
** The file of a model: items by list, in order; core/src/model_parts.h says which fields the
** equations and what can be seen have, as nodes of the two graphs.  Answers how many bytes that
** takes; with too little room (or to = NULL) it writes nothing.  0: an item is none.
*/
SARRUS_API size_t sarrus_model_write(const sarrus_Graph *equations, const sarrus_Graph *sights,
                                     int items, const sarrus_Item *item, char *to, size_t size);

#endif
