/*
** The inside of models, and their file format.
**
** A file is: eight bytes of magic, the version, the graph of the equations, the graph of what can
** be seen, the items with their fields; last a checksum of all before it.  Whole numbers have four
** bytes (the checksum eight), doubles the eight of IEEE 754, the lowest byte first on every
** machine; texts have their length, the bytes and a zero.
**
** A graph is its tables (count, x, y), then its nodes: the number of the operation, then
**   CONSTANT value;  SYMBOL kind, index;  LINEAR constant, count, (factor, node) …
**   INTEGER_POWER, POWER node, exponent;  TABLE node, table, derivative;  others operands
** Nodes are made again by the constructors of graphs, and must get the numbers that they had.
**
** Fields with nodes, as numbers.  Of the equations, in WHOLE: mass (row, column, node, …), force,
** constraints, velocity_constraints, contacts (the members of sarrus_Contact up to load_static,
** …), bounds (of contacts, -1: none; absent: of none), locks, forces (how many), shares (force,
** coordinate, node, …), elements (force, length, rate, effort, …).  In JOINTS: angle, rate, length,
** speed.  Of what can be seen:
**   BODIES    sight: position, axes (planar: angle), velocity, spin
**   JOINTS    sight: point, force, torque; sight.angle, …: a node each
**   CONTACTS  sight: gap, normal force, friction force, mode, force
**   LAWS      sight: gap, position, force
**   CHANNELS  sight: a node
** And numbers: in WHOLE dimension, t, tolerance, order, step, max_step, max_steps, scale, method;
** in COORDINATES q, v, scale; in PARAMETERS value; in BODIES coordinates: the first, and how many,
** of its place, then in the plane the angle, in space three axes, unless it is a point; in JOINTS
** constraints, laws, force, locks; in FORCES force; in CONTACTS laws.
*/
#ifndef SARRUS_MODEL_PARTS_H
#define SARRUS_MODEL_PARTS_H

#include "sarrus/model.h"
#include "sarrus/observer.h"

enum { MODEL_VERSION = 1, MODEL_MAGIC = 8 };

extern const char model_magic[MODEL_MAGIC];

struct sarrus_Model {
  sarrus_Memory memory;
  char *data; /* the file; names and texts of items point into it */
  size_t size;
  int item_count, field_count, number_count;
  int item_capacity, field_capacity, number_capacity;
  sarrus_Item *items; /* by list */
  sarrus_Field *fields;
  double *numbers;
  int first[SARRUS_LISTS + 1]; /* the first item of each list, and the end */
  const char **names;          /* of the items */
  int name_capacity;
  int dimension;
  sarrus_Graph *graph, *sights;
  sarrus_System *system;
};

/* --- model_read.c --- */

/* Make items and graphs of the data that the model holds; FORMAT, VERSION, NOMEM. */
sarrus_Status model_parse(sarrus_Model *model);

/* --- model.c --- */

/* The item, or NULL. */
const sarrus_Item *model_item(const sarrus_Model *model, sarrus_List list, int index);
/* A field of numbers of an item, and how many; NULL and 0 where there is none. */
const double *model_numbers(const sarrus_Item *item, const char *field, int *count);
/* A field of one number of an item, or `absent` where there is none. */
double model_number(const sarrus_Item *item, const char *field, double absent);
/* Whether a field is absent or has whole numbers from `low` to below `high`. */
int model_whole(const sarrus_Item *item, const char *field, double low, double high);

/* --- model_equations.c --- */

/*
** The system of the equations, with further constraints (NULL: none) of positions or of velocities.
** These are nodes of `graph`, which begins with a copy of the model's graph, and may use
** `parameters` more parameters than the model has.
*/
sarrus_Status model_compile(sarrus_Memory memory, const sarrus_Model *model,
                            const sarrus_Graph *graph, int held, const sarrus_Expr *hold,
                            int of_velocities, sarrus_System **system);
/* Whether all fields with nodes and numbers are what they should be. */
int model_is_sound(const sarrus_Model *model);

#endif
