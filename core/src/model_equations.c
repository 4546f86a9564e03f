/* Compiles the equations of a model read from a file, and checks that its fields are sound. */
#include <limits.h>
#include <math.h>

#include "array.h"
#include "block.h"
#include "expr_graph.h"
#include "model_parts.h"
#include "system_parts.h"

enum { OF_MASS = 3, OF_CONTACT = 12, OF_SHARE = 3, OF_ELEMENT = 4 };

/* --- the system -------------------------------------------------------------------------- */

/* The lists of a spec, in one block. */
typedef struct Lists {
  sarrus_MassEntry *mass;
  sarrus_Expr *force, *constraint, *velocity_constraint, *lock;
  sarrus_Contact *contact;
  sarrus_ForceShare *share;
  sarrus_Element *element;
} Lists;

static int count_of(const sarrus_Item *whole, const char *field, int each) {
  int count;
  model_numbers(whole, field, &count);
  return count / each;
}

static void count_all(const sarrus_Model *model, sarrus_SystemSpec *spec) {
  const sarrus_Item *whole = &model->items[0];
  spec->coordinates = sarrus_model_count(model, SARRUS_COORDINATES);
  spec->parameters = sarrus_model_count(model, SARRUS_PARAMETERS);
  spec->masses = count_of(whole, "mass", OF_MASS);
  spec->constraints = count_of(whole, "constraints", 1);
  spec->velocity_constraints = count_of(whole, "velocity_constraints", 1);
  spec->contacts = count_of(whole, "contacts", OF_CONTACT);
  spec->locks = count_of(whole, "locks", 1);
  spec->forces = (int)model_number(whole, "forces", 0);
  spec->shares = count_of(whole, "shares", OF_SHARE);
  spec->elements = count_of(whole, "elements", OF_ELEMENT);
}

static void lay_out(Block *block, const sarrus_SystemSpec *spec, int held, Lists *lists) {
  BLOCK_TAKE(block, lists->mass, spec->masses);
  BLOCK_TAKE(block, lists->force, spec->coordinates);
  BLOCK_TAKE(block, lists->constraint, spec->constraints + held);
  BLOCK_TAKE(block, lists->velocity_constraint, spec->velocity_constraints + held);
  BLOCK_TAKE(block, lists->lock, spec->locks);
  BLOCK_TAKE(block, lists->contact, spec->contacts);
  BLOCK_TAKE(block, lists->share, spec->shares);
  BLOCK_TAKE(block, lists->element, spec->elements);
}

static void read_nodes(const sarrus_Item *whole, const char *field, sarrus_Expr *to) {
  int count;
  const double *x = model_numbers(whole, field, &count);
  for (int i = 0; i < count; i++)
    to[i] = (int)x[i];
}

/* `bound` is NULL where files have none. */
static sarrus_Contact contact_of(const double *x, const double *bound) {
  sarrus_Contact contact = {.gap = (int)x[0],
                            .slip = {(int)x[1], (int)x[2]},
                            .friction = (int)x[3],
                            .static_friction = (int)x[4],
                            .restitution = (int)x[5],
                            .loads = (int)x[6],
                            .load = {(int)x[7], (int)x[8], (int)x[9]},
                            .load_friction = (int)x[10],
                            .load_static = (int)x[11],
                            .bounded = bound != NULL && *bound >= 0,
                            .bound = bound == NULL ? SARRUS_NONE : (int)*bound};
  return contact;
}

static void read_lists(const sarrus_Item *whole, const sarrus_SystemSpec *spec, Lists *lists) {
  int count;
  const double *x = model_numbers(whole, "mass", &count);
  for (int i = 0; i < spec->masses; i++, x += OF_MASS)
    lists->mass[i] = (sarrus_MassEntry){(int)x[0], (int)x[1], (int)x[2]};
  const double *bound = model_numbers(whole, "bounds", &count);
  x = model_numbers(whole, "contacts", &count);
  for (int i = 0; i < spec->contacts; i++, x += OF_CONTACT)
    lists->contact[i] = contact_of(x, bound == NULL ? NULL : bound + i);
  x = model_numbers(whole, "shares", &count);
  for (int i = 0; i < spec->shares; i++, x += OF_SHARE)
    lists->share[i] = (sarrus_ForceShare){(int)x[0], (int)x[1], (int)x[2]};
  x = model_numbers(whole, "elements", &count);
  for (int i = 0; i < spec->elements; i++, x += OF_ELEMENT)
    lists->element[i] = (sarrus_Element){(int)x[0], (int)x[1], (int)x[2], (int)x[3]};
  read_nodes(whole, "force", lists->force);
  read_nodes(whole, "constraints", lists->constraint);
  read_nodes(whole, "velocity_constraints", lists->velocity_constraint);
  read_nodes(whole, "locks", lists->lock);
}

/* `held`: leave out forces and contacts, since only positions or velocities are wanted. */
static void refer(const sarrus_Item *whole, const Lists *lists, int held, sarrus_SystemSpec *spec) {
  spec->mass = lists->mass;
  spec->constraint = lists->constraint;
  spec->velocity_constraint = lists->velocity_constraint;
  if (held > 0) {
    spec->contacts = spec->locks = spec->forces = spec->shares = spec->elements = 0;
    return;
  }
  if (count_of(whole, "force", 1) > 0) spec->force = lists->force;
  spec->lock = lists->lock;
  spec->contact = lists->contact;
  spec->share = lists->share;
  spec->element = lists->element;
}

sarrus_Status model_compile(sarrus_Memory memory, const sarrus_Model *model,
                            const sarrus_Graph *graph, int held, const sarrus_Expr *hold,
                            int of_velocities, sarrus_System **system) {
  const sarrus_Item *whole = &model->items[0];
  sarrus_SystemSpec spec = {.graph = graph, .lagrangian = SARRUS_NONE};
  sarrus_Fault fault;
  Lists lists;
  Block block = {NULL, 0};
  *system = NULL;
  count_all(model, &spec);
  lay_out(&block, &spec, held, &lists);
  const size_t bytes = block.used + 1;
  char *base = memory.alloc(memory.ud, NULL, 0, bytes);
  if (base == NULL) return SARRUS_NOMEM;
  lay_out(&(Block){base, 0}, &spec, held, &lists);
  read_lists(whole, &spec, &lists);
  refer(whole, &lists, held, &spec);
  for (int i = 0; i < held; i++)
    if (of_velocities)
      lists.velocity_constraint[spec.velocity_constraints++] = hold[i];
    else
      lists.constraint[spec.constraints++] = hold[i];
  spec.parameters += held;
  const sarrus_Status status = sarrus_system_new(memory, &spec, system, &fault);
  block_clear(base, block.used);
  memory.alloc(memory.ud, base, bytes, 0);
  return status;
}

/* --- what must hold ---------------------------------------------------------------------- */

/* Whether a field is absent, or a list of nodes of the graph. */
static int are_nodes(const sarrus_Item *item, const char *field, const sarrus_Graph *graph) {
  return model_whole(item, field, 0, graph->count);
}

static int in_groups(const sarrus_Item *item, const char *field, int each) {
  int count;
  model_numbers(item, field, &count);
  return count % each == 0;
}

/*
** Whether node numbers and indices are whole numbers below 2^30; sarrus_system_new then checks them
** against the system.
*/
static int equations_sound(const sarrus_Model *model) {
  const sarrus_Item *whole = &model->items[0];
  const sarrus_Graph *graph = model->graph;
  const double most = 1 << 30;
  const int n = sarrus_model_count(model, SARRUS_COORDINATES);
  int count, bounds;
  model_numbers(whole, "force", &count);
  model_numbers(whole, "bounds", &bounds);
  return (count == 0 || count == n) && model_whole(whole, "bounds", -1, most) &&
         (bounds == 0 || bounds == count_of(whole, "contacts", OF_CONTACT)) &&
         are_nodes(whole, "force", graph) && are_nodes(whole, "constraints", graph) &&
         are_nodes(whole, "velocity_constraints", graph) && are_nodes(whole, "locks", graph) &&
         model_whole(whole, "mass", 0, most) && in_groups(whole, "mass", OF_MASS) &&
         model_whole(whole, "contacts", -1, most) && in_groups(whole, "contacts", OF_CONTACT) &&
         model_whole(whole, "shares", 0, most) && in_groups(whole, "shares", OF_SHARE) &&
         model_whole(whole, "elements", -1, most) && in_groups(whole, "elements", OF_ELEMENT) &&
         model_whole(whole, "forces", 0, 1 << 20);
}

static int options_sound(const sarrus_Model *model) {
  static const char *const numbers[] = {"t", "tolerance", "step", "max_step", "scale"};
  const sarrus_Item *whole = &model->items[0];
  for (int i = 0; i < 5; i++)
    if (!isfinite(model_number(whole, numbers[i], 0))) return 0;
  return model_whole(whole, "dimension", 2, 4) && model_number(whole, "dimension", 0) > 0 &&
         model_whole(whole, "order", 0, SARRUS_MAX_SIM_ORDER + 1) &&
         model_whole(whole, "max_steps", 0, 9007199254740993.0) &&
         model_whole(whole, "method", SARRUS_AUTO, SARRUS_STIFF + 1);
}

static int start_sound(const sarrus_Model *model) {
  for (int i = 0; i < sarrus_model_count(model, SARRUS_COORDINATES); i++) {
    const sarrus_Item *item = model_item(model, SARRUS_COORDINATES, i);
    const double scale = model_number(item, "scale", 1);
    if (!isfinite(model_number(item, "q", (double)NAN)) ||
        !isfinite(model_number(item, "v", (double)NAN)) || !(scale > 0 && isfinite(scale)))
      return 0;
  }
  for (int i = 0; i < sarrus_model_count(model, SARRUS_PARAMETERS); i++)
    if (!isfinite(model_number(model_item(model, SARRUS_PARAMETERS, i), "value", (double)NAN)))
      return 0;
  return sarrus_model_count(model, SARRUS_COORDINATES) > 0;
}

/* Whether fields of joints, forces and contacts refer to existing parts of the system. */
static int changes_sound(const sarrus_Model *model) {
  const sarrus_Item *whole = &model->items[0];
  const int rows = count_of(whole, "constraints", 1) + count_of(whole, "velocity_constraints", 1);
  const int laws = count_of(whole, "contacts", OF_CONTACT), locks = count_of(whole, "locks", 1);
  const double forces = model_number(whole, "forces", 0);
  for (int i = 0; i < model->item_count; i++) {
    const sarrus_Item *item = &model->items[i];
    if (item->list == SARRUS_JOINTS &&
        (!model_whole(item, "constraints", 0, rows) || !model_whole(item, "locks", 0, locks)))
      return 0;
    if ((item->list == SARRUS_JOINTS || item->list == SARRUS_FORCES) &&
        !model_whole(item, "force", 0, forces))
      return 0;
    if ((item->list == SARRUS_JOINTS || item->list == SARRUS_CONTACTS) &&
        !model_whole(item, "laws", 0, laws))
      return 0;
  }
  return (sarrus_model_count(model, SARRUS_LAWS) == laws) &&
         sarrus_model_count(model, SARRUS_CONSTRAINTS) == rows;
}

/* Whether the fields of what can be seen have as many nodes as views expect, or are absent. */
static int sights_sound(const sarrus_Model *model) {
  static const char *const coordinates[] = {"angle", "rate", "length", "speed"};
  static const char *const seen[] = {"sight.angle", "sight.rate", "sight.length", "sight.speed"};
  const int d = model->dimension;
  const int sizes[SARRUS_LISTS] = {[SARRUS_BODIES] = d == 2 ? 6 : 18,
                                   [SARRUS_JOINTS] = d == 2 ? 5 : 9,
                                   [SARRUS_CONTACTS] = 4 + d,
                                   [SARRUS_LAWS] = 1 + 2 * d,
                                   [SARRUS_CHANNELS] = 1};
  for (int i = 0; i < model->item_count; i++) {
    const sarrus_Item *item = &model->items[i];
    int count;
    model_numbers(item, "sight", &count);
    if (!are_nodes(item, "sight", model->sights)) return 0;
    if (count != sizes[item->list] && (item->list != SARRUS_LAWS || count != 0)) return 0;
    for (int k = 0; k < 4; k++)
      if (item->list == SARRUS_JOINTS && (!are_nodes(item, coordinates[k], model->graph) ||
                                          !are_nodes(item, seen[k], model->sights)))
        return 0;
  }
  return 1;
}

/* Whether bodies have the coordinates of a point, or those of a body that turns. */
static int bodies_sound(const sarrus_Model *model) {
  const int n = sarrus_model_count(model, SARRUS_COORDINATES), d = model->dimension;
  for (int i = 0; i < sarrus_model_count(model, SARRUS_BODIES); i++) {
    const sarrus_Item *body = model_item(model, SARRUS_BODIES, i);
    int count;
    const double *x = model_numbers(body, "coordinates", &count);
    if (count != 2 || !model_whole(body, "coordinates", 0, n + 1.0) || x[0] + x[1] > n) return 0;
    if (x[1] != d && x[1] != (d == 2 ? 3 : 12)) return 0;
  }
  return 1;
}

int model_is_sound(const sarrus_Model *model) {
  return options_sound(model) && start_sound(model) && equations_sound(model) &&
         changes_sound(model) && bodies_sound(model) && sights_sound(model);
}
