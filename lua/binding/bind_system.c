/*
** core.system(graph, fields) and core.dae(graph, fields): a compiled system, for
** lua/sarrus/system/init.lua and dae.lua.  Fields are those of sarrus_SystemSpec and
** sarrus_DaeSpec, as flat lists.  A system copies the expressions and never changes, so the graph
** may grow or go, and many simulations may share the system.
**
** On failure: nil and a table of numbers (sarrus_push_fault), which lua/sarrus/sim/failure.lua puts
** into words.
*/
#include "binding.h"
#include "sarrus/sarrus.h"

#define SYSTEM_CLASS "sarrus.compiled_system"
#define EXPANSION_CLASS "sarrus.expansion"

enum { LARGEST_TEXT = 1 << 20, SMALLEST_TEXT = 1 << 12 };

typedef struct SystemBox {
  sarrus_System *system;
  int parameters;
} SystemBox;

static SystemBox *check_system(lua_State *L, int index) {
  SystemBox *box = luaL_checkudata(L, index, SYSTEM_CLASS);
  if (box->system == NULL) luaL_error(L, "the system is closed");
  return box;
}

const sarrus_System *sarrus_check_system(lua_State *L, int index) {
  return check_system(L, index)->system;
}

/* Set a field of the table on top of the stack to index + base; not where index is NONE. */
static void set_index(lua_State *L, const char *field, int index, int base) {
  if (index == SARRUS_NONE) return;
  lua_pushinteger(L, index + base);
  lua_setfield(L, -2, field);
}

int sarrus_push_fault(lua_State *L, sarrus_Status status, const sarrus_Fault *fault) {
  if (status == SARRUS_NOMEM) return sarrus_raise_status(L, status);
  lua_pushnil(L);
  lua_newtable(L);
  lua_pushstring(L, sarrus_status_name(status));
  lua_setfield(L, -2, "code");
  set_index(L, "row", fault->row, 1);
  set_index(L, "column", fault->column, 1);
  set_index(L, "event", fault->event, 1);
  set_index(L, "contact", fault->contact, 1);
  set_index(L, "node", fault->expr, 0);
  lua_pushnumber(L, fault->size);
  lua_setfield(L, -2, "size");
  lua_pushinteger(L, fault->count);
  lua_setfield(L, -2, "count");
  return 2;
}

/* Push nil and the fault, with the time t and, if inconsistent, which derivative is violated. */
static int push_fault_at(lua_State *L, sarrus_Status status, const sarrus_Fault *fault, double t) {
  const int pushed = sarrus_push_fault(L, status, fault);
  if (status == SARRUS_INCONSISTENT) set_index(L, "derivative", fault->derivative, 0);
  lua_pushnumber(L, t);
  lua_setfield(L, -2, "t");
  return pushed;
}

/* --- making ------------------------------------------------------------------------------ */

/* The list of nodes in a field, kept alive as userdata on the stack; NULL where there is none. */
static sarrus_Expr *node_list(lua_State *L, const char *field, const sarrus_GraphBox *graph,
                              int *count) {
  lua_getfield(L, 2, field);
  *count = 0;
  if (lua_isnil(L, -1)) return NULL;
  const int list = lua_gettop(L);
  *count = (int)lua_rawlen(L, list);
  sarrus_Expr *nodes = sarrus_newuserdata(L, ((size_t)*count + 1) * sizeof *nodes);
  for (int i = 0; i < *count; i++) {
    lua_rawgeti(L, list, i + 1);
    nodes[i] = sarrus_check_expr(L, lua_gettop(L), graph);
    lua_pop(L, 1);
  }
  return nodes;
}

/*
** Push a field that is a flat list of threes; returns its index on the stack, and the number of
** threes; 0 where the field is nil.
*/
static int triples(lua_State *L, const char *field, int *count) {
  lua_getfield(L, 2, field);
  *count = lua_isnil(L, -1) ? 0 : (int)lua_rawlen(L, -1) / 3;
  return lua_isnil(L, -1) ? 0 : lua_gettop(L);
}

/* Entry i of such a list: reads two indices, from 1, and returns the expression. */
static sarrus_Expr triple(lua_State *L, int list, int i, const sarrus_GraphBox *graph, int *first,
                          int *second) {
  for (int k = 1; k <= 3; k++)
    lua_rawgeti(L, list, 3 * i + k);
  const int top = lua_gettop(L);
  *first = sarrus_check_int(L, top - 2, 1, 1 << 30) - 1;
  *second = sarrus_check_int(L, top - 1, 1, 1 << 30) - 1;
  const sarrus_Expr expr = sarrus_check_expr(L, top, graph);
  lua_pop(L, 3);
  return expr;
}

/*
** The entries of the mass matrix: a flat list row, column, node, row, column, node, … (rows and
** columns from 1), kept alive as userdata on the stack.
*/
static const sarrus_MassEntry *mass_list(lua_State *L, const sarrus_GraphBox *graph, int *count) {
  const int list = triples(L, "mass", count);
  if (list == 0) return NULL;
  sarrus_MassEntry *entries = sarrus_newuserdata(L, ((size_t)*count + 1) * sizeof *entries);
  for (int i = 0; i < *count; i++)
    entries[i].mass = triple(L, list, i, graph, &entries[i].row, &entries[i].column);
  return entries;
}

/* The shares of forces that can be released: a flat list of force, coordinate, expression. */
static const sarrus_ForceShare *share_list(lua_State *L, const sarrus_GraphBox *graph, int *count) {
  const int list = triples(L, "shares", count);
  if (list == 0) return NULL;
  sarrus_ForceShare *shares = sarrus_newuserdata(L, ((size_t)*count + 1) * sizeof *shares);
  for (int i = 0; i < *count; i++)
    shares[i].share = triple(L, list, i, graph, &shares[i].force, &shares[i].coordinate);
  return shares;
}

/*
** Elements: a flat list of four values for each: force, length, rate (false: none), effort.
*/
static const sarrus_Element *element_list(lua_State *L, const sarrus_GraphBox *graph, int *count) {
  enum { FIELDS = 4 };
  lua_getfield(L, 2, "elements");
  *count = 0;
  if (lua_isnil(L, -1)) return NULL;
  const int list = lua_gettop(L);
  *count = (int)lua_rawlen(L, list) / FIELDS;
  sarrus_Element *elements = sarrus_newuserdata(L, ((size_t)*count + 1) * sizeof *elements);
  for (int i = 0; i < *count; i++) {
    for (int k = 1; k <= FIELDS; k++)
      lua_rawgeti(L, list, FIELDS * i + k);
    const int top = lua_gettop(L), has_rate = lua_toboolean(L, top - 1);
    elements[i] = (sarrus_Element){
        .force = sarrus_check_int(L, top - 3, 1, 1 << 30) - 1,
        .length = sarrus_check_expr(L, top - 2, graph),
        .rate = has_rate ? sarrus_check_expr(L, top - 1, graph) : SARRUS_NONE,
        .effort = sarrus_check_expr(L, top, graph),
    };
    lua_pop(L, FIELDS);
  }
  return elements;
}

/*
** Contacts: a flat list of twelve values for each: gap, slip, slip, friction, static friction,
** restitution, three loads, their coefficients of friction and static friction, bound; false where
** there is none.  The result is kept alive as userdata on the stack.
*/
static const sarrus_Contact *contact_list(lua_State *L, const sarrus_GraphBox *graph, int *count) {
  enum { FIELDS = 12 };
  lua_getfield(L, 2, "contacts");
  *count = 0;
  if (lua_isnil(L, -1)) return NULL;
  const int list = lua_gettop(L);
  *count = (int)lua_rawlen(L, list) / FIELDS;
  sarrus_Contact *contacts = sarrus_newuserdata(L, ((size_t)*count + 1) * sizeof *contacts);
  for (int i = 0; i < *count; i++) {
    sarrus_Contact *of = &contacts[i];
    sarrus_Expr *const fields[FIELDS] = {&of->gap,           &of->slip[0],         &of->slip[1],
                                         &of->friction,      &of->static_friction, &of->restitution,
                                         &of->load[0],       &of->load[1],         &of->load[2],
                                         &of->load_friction, &of->load_static,     &of->bound};
    of->loads = 0;
    for (int k = 0; k < FIELDS; k++) {
      lua_rawgeti(L, list, FIELDS * i + k + 1);
      *fields[k] = lua_toboolean(L, -1) ? sarrus_check_expr(L, lua_gettop(L), graph) : SARRUS_NONE;
      lua_pop(L, 1);
    }
    while (of->loads < 3 && of->load[of->loads] != SARRUS_NONE)
      of->loads++;
    of->bounded = of->bound != SARRUS_NONE;
  }
  return contacts;
}

static int integer_field(lua_State *L, const char *field) {
  lua_getfield(L, 2, field);
  const int value = sarrus_check_int(L, lua_gettop(L), 0, 1 << 20);
  lua_pop(L, 1);
  return value;
}

/* Push an empty box. */
static SystemBox *new_box(lua_State *L, int parameters) {
  SystemBox *box = sarrus_newuserdata(L, sizeof *box);
  *box = (SystemBox){NULL, parameters};
  luaL_getmetatable(L, SYSTEM_CLASS);
  lua_setmetatable(L, -2);
  return box;
}

static int new_system(lua_State *L) {
  const sarrus_GraphBox *graph = sarrus_check_graph(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  int count;
  sarrus_SystemSpec spec = {.graph = graph->graph, .lagrangian = SARRUS_NONE};
  spec.coordinates = integer_field(L, "coordinates");
  spec.parameters = integer_field(L, "parameters");
  spec.mass = mass_list(L, graph, &spec.masses);
  const sarrus_Expr *lagrangian = node_list(L, "lagrangian", graph, &count);
  if (lagrangian != NULL) spec.lagrangian = lagrangian[0];
  spec.force = node_list(L, "force", graph, &count);
  spec.constraint = node_list(L, "constraints", graph, &spec.constraints);
  spec.velocity_constraint =
      node_list(L, "velocity_constraints", graph, &spec.velocity_constraints);
  spec.contact = contact_list(L, graph, &spec.contacts);
  spec.lock = node_list(L, "locks", graph, &spec.locks);
  spec.share = share_list(L, graph, &spec.shares);
  if (spec.share != NULL) spec.forces = integer_field(L, "forces");
  spec.element = element_list(L, graph, &spec.elements);
  SystemBox *box = new_box(L, spec.parameters);
  sarrus_Fault fault;
  const sarrus_Status status = sarrus_system_new(sarrus_lua_memory(L), &spec, &box->system, &fault);
  if (status < 0) return sarrus_push_fault(L, status, &fault);
  sarrus_account(L, sarrus_system_bytes(box->system));
  return 1;
}

/* core.dae(graph, fields): a compiled system, and its index */
static int new_dae(lua_State *L) {
  const sarrus_GraphBox *graph = sarrus_check_graph(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  sarrus_DaeSpec spec = {.graph = graph->graph, .parameters = integer_field(L, "parameters")};
  spec.derivative = node_list(L, "derivative", graph, &spec.differential);
  spec.constraint = node_list(L, "constraints", graph, &spec.algebraic);
  SystemBox *box = new_box(L, spec.parameters);
  sarrus_Fault fault;
  int index;
  const sarrus_Status status =
      sarrus_system_new_dae(sarrus_lua_memory(L), &spec, &box->system, &index, &fault);
  if (status < 0) return sarrus_push_fault(L, status, &fault);
  sarrus_account(L, sarrus_system_bytes(box->system));
  lua_pushinteger(L, index);
  return 2;
}

static int collect_system(lua_State *L) {
  SystemBox *box = luaL_checkudata(L, 1, SYSTEM_CLASS);
  sarrus_system_free(box->system);
  box->system = NULL;
  return 0;
}

/* --- text -------------------------------------------------------------------------------- */

typedef size_t (*Printer)(const sarrus_System *system, sarrus_Namer name, void *ud, char *to,
                          size_t size);

static int print(lua_State *L) {
  static const char *const stages[] = {"equations", "tape", "structure", NULL};
  static const Printer printers[] = {sarrus_system_print_equations, sarrus_system_print_tape,
                                     sarrus_system_print_structure};
  SystemBox *box = check_system(L, 1);
  const Printer printer = printers[luaL_checkoption(L, 2, NULL, stages)];
  luaL_checktype(L, 3, LUA_TFUNCTION);
  lua_settop(L, 3);
  lua_newtable(L);
  for (size_t size = SMALLEST_TEXT;; size *= 4) {
    char *text = sarrus_newuserdata(L, size);
    const size_t length = printer(box->system, sarrus_name_symbol, L, text, size);
    if (2 * length < size || size >= LARGEST_TEXT) {
      lua_pushlstring(L, text, length);
      return 1;
    }
    lua_pop(L, 1);
  }
}

/* system:print_expr(node, namer): the text of a node of the system, as a fault names it */
static int print_expr(lua_State *L) {
  SystemBox *box = check_system(L, 1);
  const int node = sarrus_check_int(L, 2, 0, 1 << 30);
  char text[256];
  luaL_checktype(L, 3, LUA_TFUNCTION);
  lua_settop(L, 3);
  lua_newtable(L);
  const sarrus_Graph *graph = sarrus_system_graph(box->system);
  if (node >= sarrus_graph_count(graph)) return luaL_error(L, "no such node");
  lua_pushlstring(L, text,
                  sarrus_graph_print(graph, node, sarrus_name_symbol, L, text, sizeof text));
  return 1;
}

/* --- expanding --------------------------------------------------------------------------- */

typedef struct ExpansionBox {
  sarrus_Expansion *expansion;
} ExpansionBox;

static int collect_expansion(lua_State *L) {
  ExpansionBox *box = luaL_checkudata(L, 1, EXPANSION_CLASS);
  sarrus_expansion_free(box->expansion);
  box->expansion = NULL;
  return 0;
}

static sarrus_Expansion *new_expansion(lua_State *L, const sarrus_System *system, int order) {
  ExpansionBox *box = sarrus_newuserdata(L, sizeof *box);
  box->expansion = NULL;
  luaL_getmetatable(L, EXPANSION_CLASS);
  lua_setmetatable(L, -2);
  const sarrus_Status status =
      sarrus_expansion_new(sarrus_lua_memory(L), system, order, &box->expansion);
  if (status < 0) sarrus_raise_status(L, status);
  sarrus_account(L, sarrus_expansion_bytes(box->expansion));
  return box->expansion;
}

/* `count` numbers from the list at index, as an array kept on the stack. */
static double *number_list(lua_State *L, int index, int count) {
  double *numbers = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *numbers);
  sarrus_read_numbers(L, index, count, numbers);
  return numbers;
}

typedef double (*Coefficient)(const sarrus_Expansion *expansion, int i, int k);

/*
** Push the list of the series of `count` variables from `first` on (`derivative` 1: of their first
** derivatives), to the order `wanted` or as far as they are known, and at least to order 0.
*/
static void push_series(lua_State *L, const sarrus_Expansion *expansion, Coefficient coefficient,
                        int first, int count, int derivative, int wanted) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    const int known = sarrus_expansion_order(expansion, first + i);
    const int order = (wanted < known ? wanted : known) - derivative;
    double *series = sarrus_new_series(L, order > 0 ? order : 0);
    for (int k = 0; k == 0 || k <= order; k++)
      series[k] = coefficient(expansion, i, k);
    lua_rawseti(L, -2, i + 1);
  }
}

/* system:expand(order, t, q, v, parameters, tolerance [, guess]): lists of series q, v, lambda */
static int expand(lua_State *L) {
  SystemBox *box = check_system(L, 1);
  const int order = sarrus_check_int(L, 2, 0, SARRUS_MAX_EXPANSION);
  const double t = luaL_checknumber(L, 3), tolerance = luaL_checknumber(L, 7);
  lua_settop(L, 8);
  const int n = sarrus_system_coordinates(box->system), m = sarrus_system_multipliers(box->system);
  const double *q = number_list(L, 4, n), *v = number_list(L, 5, n);
  const double *parameters = number_list(L, 6, box->parameters);
  const double *guess = lua_isnoneornil(L, 8) ? NULL : number_list(L, 8, m);
  sarrus_Expansion *expansion = new_expansion(L, box->system, order > 2 ? order : 2);
  sarrus_Fault fault;
  if (guess != NULL) sarrus_expansion_guess(expansion, guess);
  const sarrus_Status status =
      sarrus_expansion_run(expansion, t, q, v, parameters, tolerance, &fault);
  if (status < 0) return push_fault_at(L, status, &fault, t);
  push_series(L, expansion, sarrus_expansion_q, 0, n, 0, order);
  push_series(L, expansion, sarrus_expansion_v, 0, n, 1, order);
  push_series(L, expansion, sarrus_expansion_lambda, n, m, 0, order);
  return 3;
}

void sarrus_bind_system(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"print", print}, {"print_expr", print_expr}, {"expand", expand}, {NULL, NULL}};
  static const luaL_Reg system_meta[] = {{"__gc", collect_system}, {NULL, NULL}};
  static const luaL_Reg expansion_meta[] = {{"__gc", collect_expansion}, {NULL, NULL}};
  sarrus_new_class(L, SYSTEM_CLASS, methods, system_meta);
  sarrus_new_class(L, EXPANSION_CLASS, NULL, expansion_meta);
  lua_pushcfunction(L, new_system);
  lua_setfield(L, -2, "system");
  lua_pushcfunction(L, new_dae);
  lua_setfield(L, -2, "dae");
  lua_pushinteger(L, SARRUS_MAX_EXPANSION);
  lua_setfield(L, -2, "max_expansion");
}
