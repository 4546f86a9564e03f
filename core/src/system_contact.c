/*
** Contacts (T45) among the equations (T41).
**
** A closed contact is a row gap = 0 with the multiplier -N, a sticking one has rows slip = 0
** besides.  While it slips, its friction is part of the equations of motion: in place of the
** multiplier of a slip there stands
**
**   lambda_i - friction d_i lambda_gap,   d = D + U slip / |slip|,
**
** where the modes D are a direction that is fixed, or 0, and U is 0 or 1.  Which rows are on, and
** the modes, are the simulation's business.
*/
#include "array.h"
#include "system_parts.h"

enum { MOST_LOADS = 3 };

static int is_given(sarrus_Expr e) { return e != SARRUS_NONE; }

/* Without friction, slips are of no interest. */
static int slips_of(const sarrus_Contact *law) {
  const int by_load =
      law->loads > 0 && (is_given(law->load_friction) || is_given(law->load_static));
  if (!is_given(law->friction) && !is_given(law->static_friction) && !by_load) return 0;
  return is_given(law->slip[0]) + is_given(law->slip[1]);
}

static int loads_are_right(const sarrus_Contact *law) {
  if (law->loads < 0 || law->loads > MOST_LOADS) return 0;
  for (int k = 0; k < law->loads; k++)
    if (!is_given(law->load[k])) return 0;
  return law->loads == 0 || !is_given(law->gap);
}

int system_law_exprs(const sarrus_Contact *law, sarrus_Expr *list) {
  int count = 0;
  list[count++] = law->gap;
  list[count++] = law->slip[0];
  list[count++] = law->slip[1];
  list[count++] = law->friction;
  list[count++] = law->static_friction;
  list[count++] = law->restitution;
  if (law->bounded) list[count++] = law->bound;
  if (law->loads == 0) return count;
  for (int k = 0; k < law->loads; k++)
    list[count++] = law->load[k];
  list[count++] = law->load_friction;
  list[count++] = law->load_static;
  return count;
}

sarrus_Status system_count_contacts(const sarrus_SystemSpec *spec, ContactRows *rows) {
  *rows = (ContactRows){0, 0, 0};
  for (int i = 0; i < spec->contacts; i++) {
    const sarrus_Contact *law = &spec->contact[i];
    const int own = slips_of(law), alone = !is_given(law->gap);
    if (is_given(law->slip[1]) && !is_given(law->slip[0])) return SARRUS_ARGUMENT;
    if ((alone && own == 0) || !loads_are_right(law)) return SARRUS_ARGUMENT;
    if (law->bounded && (alone || !is_given(law->bound))) return SARRUS_ARGUMENT;
    rows->gaps += !alone;
    *(alone ? &rows->alone : &rows->slips) += own;
  }
  return SARRUS_OK;
}

static sarrus_Expr next_if(sarrus_Expr given, const sarrus_Expr **roots) {
  return is_given(given) ? *(*roots)++ : SARRUS_NONE;
}

/* In the order of system_law_exprs. */
static sarrus_Contact import(const sarrus_Contact *law, const sarrus_Expr **roots) {
  sarrus_Contact own = {.loads = law->loads,
                        .load_friction = SARRUS_NONE,
                        .load_static = SARRUS_NONE,
                        .bounded = law->bounded};
  own.gap = next_if(law->gap, roots);
  own.slip[0] = next_if(law->slip[0], roots);
  own.slip[1] = next_if(law->slip[1], roots);
  own.friction = next_if(law->friction, roots);
  own.static_friction = next_if(law->static_friction, roots);
  own.restitution = next_if(law->restitution, roots);
  if (law->bounded) own.bound = *(*roots)++;
  if (law->loads == 0) return own;
  for (int k = 0; k < law->loads; k++)
    own.load[k] = *(*roots)++;
  own.load_friction = next_if(law->load_friction, roots);
  own.load_static = next_if(law->load_static, roots);
  return own;
}

static sarrus_Expr product(sarrus_Graph *graph, sarrus_Expr a, sarrus_Expr b) {
  return sarrus_graph_apply(graph, SARRUS_OP_PRODUCT, a, b, SARRUS_NONE);
}

static sarrus_Expr multiplier(sarrus_System *system, int row) {
  return sarrus_graph_symbol(system->graph, SARRUS_LAMBDA, row);
}

static sarrus_Expr or_zero(sarrus_Graph *graph, sarrus_Expr e) {
  return is_given(e) ? e : sarrus_graph_constant(graph, 0);
}

static sarrus_Expr mode(sarrus_System *system, const Contact *contact, int which) {
  const int first = CONTACT_MODES * (int)(contact - system->contacts);
  return sarrus_graph_symbol(system->graph, SARRUS_U, first + which);
}

/* --- loads ------------------------------------------------------------------------------- */

/*
** The length of a load, (1 - W) ((1 - W) load . load + W)^1/2 with the mode W (T56): 0 without a
** load, W = 1, where the root is that of 1.  With one W is the least of numbers, which is nothing,
** but keeps the slope finite where the load just passes 0.
*/
static sarrus_Expr load_size(sarrus_System *system, const Contact *contact,
                             const sarrus_Contact *law, int which) {
  sarrus_Graph *graph = system->graph;
  const sarrus_Expr none = mode(system, contact, which);
  const sarrus_Expr some = expr_add(graph, sarrus_graph_constant(graph, 1), -1, none);
  sarrus_Expr square = none;
  for (int k = 0; k < law->loads; k++) {
    const sarrus_Expr own = product(graph, law->load[k], law->load[k]);
    square = expr_add(graph, square, 1, product(graph, some, own));
  }
  const sarrus_Expr size =
      sarrus_graph_apply(graph, SARRUS_OP_SQRT, square, SARRUS_NONE, SARRUS_NONE);
  return product(graph, some, size);
}

/* A bound, or NONE, with what the load adds to it. */
static sarrus_Expr with_load(sarrus_Graph *graph, sarrus_Expr bound, sarrus_Expr by_load,
                             sarrus_Expr size) {
  return expr_add(graph, or_zero(graph, bound), 1, product(graph, or_zero(graph, by_load), size));
}

/*
** The bounds of a law with what its load adds to them: `friction` and load_static in the equations,
** where a length counts only while it slips; the others where bounds are asked for.
*/
static void add_loads(sarrus_System *system, const Contact *contact, sarrus_Contact *law) {
  sarrus_Graph *graph = system->graph;
  if (law->loads == 0) return;
  const sarrus_Expr acting = load_size(system, contact, law, MODE_FRICTIONLESS);
  const sarrus_Expr size = load_size(system, contact, law, MODE_UNLOADED);
  const sarrus_Expr sliding = law->friction, by_load = law->load_friction;
  if (is_given(law->static_friction) || is_given(law->load_static)) {
    const sarrus_Expr still = law->static_friction, by_load_still = law->load_static;
    law->static_friction = with_load(graph, still, by_load_still, size);
    law->load_static = with_load(graph, still, by_load_still, acting);
  }
  law->friction = with_load(graph, sliding, by_load, acting);
  law->load_friction = with_load(graph, sliding, by_load, size);
}

/* Whether a contact has rows in a system. */
static int has_rows(const sarrus_System *system, const sarrus_Contact *law) {
  return !system->is_lean || !is_given(law->gap);
}

static void put_row(sarrus_System *system, int row, sarrus_Expr equation, int offset) {
  system->equation[system->n + row] = equation;
  system->degree[system->n + row] = 0;
  system->offset[system->n + row] = offset;
}

/* Contacts without a gap first. */
static void put_in_turn(sarrus_System *system) {
  int next = 0;
  for (int gap = 0; gap < 2; gap++) {
    for (int i = 0; i < system->contact_count; i++)
      if (is_given(system->laws[i].gap) == gap) system->turn[next++] = i;
    if (gap == 0) system->alone = next;
  }
}

sarrus_Status system_put_contacts(sarrus_System *system, const sarrus_SystemSpec *spec, int first,
                                  const sarrus_Expr *roots) {
  ContactRows rows;
  SARRUS_TRY(system_count_contacts(spec, &rows));
  if (spec->contacts == 0) return SARRUS_OK;
  if (!ARRAY_RESERVE(system->memory, system->contacts, system->contact_capacity, spec->contacts) ||
      !ARRAY_RESERVE(system->memory, system->laws, system->law_capacity, spec->contacts) ||
      !ARRAY_RESERVE(system->memory, system->turn, system->turn_capacity, spec->contacts))
    return SARRUS_NOMEM;
  int gap = first + rows.alone, next[2] = {first, gap + rows.gaps};
  for (int i = 0; i < spec->contacts; i++) {
    sarrus_Contact *law = &system->laws[i];
    Contact *contact = &system->contacts[i];
    *law = import(&spec->contact[i], &roots);
    add_loads(system, contact, law);
    *contact = (Contact){SARRUS_NONE, SARRUS_NONE, 0};
    if (!has_rows(system, law)) continue;
    int *slip = &next[is_given(law->gap)];
    if (is_given(law->gap)) {
      contact->gap = gap;
      put_row(system, gap++, law->gap, 2);
    }
    contact->slips = slips_of(law);
    contact->slip = contact->slips > 0 ? *slip : SARRUS_NONE;
    for (int k = 0; k < contact->slips; k++)
      put_row(system, (*slip)++, law->slip[k], 1);
  }
  system->contact_count = spec->contacts;
  put_in_turn(system);
  return SARRUS_OK;
}

/* --- friction ---------------------------------------------------------------------------- */

/*
** The direction of slip, 0 where it does not slip.  While it is fixed, not that of the velocity, 1
** stands under the root too: the quotient has no effect then, but must not divide by 0.  It is
** (1 - U)^2, which is one term of the sum: 1 and -U could stand on both sides of the squares, and
** slip below 1e-8 would be lost between them.
*/
static sarrus_Expr direction(sarrus_System *system, const Contact *contact, int i) {
  sarrus_Graph *graph = system->graph;
  const sarrus_Expr fixed = mode(system, contact, MODE_DIRECTION + i);
  if (contact->slips == 1) return fixed;
  const sarrus_Expr free = mode(system, contact, MODE_FREE);
  const sarrus_Expr kept = expr_add(graph, sarrus_graph_constant(graph, 1), -1, free);
  sarrus_Expr square = product(graph, kept, kept);
  for (int k = 0; k < 2; k++) {
    const sarrus_Expr v = system->equation[system->n + contact->slip + k];
    square = expr_add(graph, square, 1, product(graph, v, v));
  }
  const sarrus_Expr speed =
      sarrus_graph_apply(graph, SARRUS_OP_SQRT, square, SARRUS_NONE, SARRUS_NONE);
  const sarrus_Expr v = system->equation[system->n + contact->slip + i];
  const sarrus_Expr along = sarrus_graph_apply(graph, SARRUS_OP_QUOTIENT, v, speed, SARRUS_NONE);
  return expr_add(graph, fixed, 1, product(graph, free, along));
}

/* Of the sizes of forces: N, or 1 where the friction is a bound of its own. */
static sarrus_Expr pressed(sarrus_System *system, const Contact *contact) {
  return contact->gap == SARRUS_NONE
             ? sarrus_graph_constant(system->graph, 1)
             : expr_scale(system->graph, -1, multiplier(system, contact->gap));
}

static sarrus_Expr bounded(sarrus_System *system, const Contact *contact, sarrus_Expr bound,
                           sarrus_Expr along) {
  return product(system->graph, product(system->graph, bound, pressed(system, contact)), along);
}

/* In the plane what is tied has its static bound in a direction of its own. */
sarrus_Expr system_slip_force(sarrus_System *system, const Contact *contact, int i) {
  sarrus_Graph *graph = system->graph;
  const sarrus_Contact *law = &system->laws[contact - system->contacts];
  const sarrus_Expr still = law->loads > 0 ? law->load_static : law->static_friction;
  const sarrus_Expr sliding =
      bounded(system, contact, or_zero(graph, law->friction), direction(system, contact, i));
  const sarrus_Expr force = expr_add(graph, multiplier(system, contact->slip + i), 1, sliding);
  if (contact->slips == 2 || !is_given(still)) return force;
  const sarrus_Expr tied = mode(system, contact, MODE_DIRECTION + 1);
  return expr_add(graph, force, 1, bounded(system, contact, still, tied));
}

/* --- what is asked on spans -------------------------------------------------------------- */

static int put(sarrus_Expr *list, int *count, sarrus_Expr e) {
  list[*count] = e;
  return (*count)++;
}

/* How far the force that holds it is from its bound. */
static int put_holds(sarrus_System *system, const Contact *contact, sarrus_Expr still,
                     sarrus_Expr *outputs, int *count) {
  sarrus_Graph *graph = system->graph;
  const sarrus_Expr bound = product(graph, still, pressed(system, contact));
  const sarrus_Expr force = multiplier(system, contact->slip);
  const int first = *count;
  if (contact->slips == 1) {
    put(outputs, count, expr_add(graph, bound, 1, force));
    put(outputs, count, expr_add(graph, bound, -1, force));
    return first;
  }
  sarrus_Expr square = product(graph, bound, bound);
  for (int k = 0; k < 2; k++) {
    const sarrus_Expr one = multiplier(system, contact->slip + k);
    square = expr_add(graph, square, -1, product(graph, one, one));
  }
  return put(outputs, count, square);
}

void system_contact_outputs(sarrus_System *system, int i, sarrus_Expr *outputs, int *count,
                            sarrus_Expr *extras, int *extra_count) {
  sarrus_Graph *graph = system->graph;
  const Contact *contact = &system->contacts[i];
  const sarrus_Contact *law = &system->laws[i];
  const sarrus_Expr friction = law->loads > 0 ? law->load_friction : or_zero(graph, law->friction);
  const sarrus_Expr still = is_given(law->static_friction) ? law->static_friction : friction;
  ContactOutputs *of = &system->arguments.contact[i];
  *of = (ContactOutputs){SARRUS_NONE, SARRUS_NONE, SARRUS_NONE, SARRUS_NONE, SARRUS_NONE, 0, 0, 0};
  if (!has_rows(system, law)) return;
  if (contact->gap != SARRUS_NONE) {
    of->gap = put(outputs, count, law->gap);
    of->force = put(outputs, count, pressed(system, contact));
  }
  for (int k = 0; k < contact->slips; k++) {
    const int output = put(outputs, count, law->slip[k]);
    if (k == 0) of->slip = output;
  }
  if (contact->slips > 0) of->hold = put_holds(system, contact, still, outputs, count);
  for (int k = 0; k < law->loads; k++) {
    const int output = put(outputs, count, law->load[k]);
    if (k == 0) of->load = output;
  }
  of->friction = put(extras, extra_count, friction);
  of->still = put(extras, extra_count, still);
  of->restitution = put(extras, extra_count, or_zero(graph, law->restitution));
}
