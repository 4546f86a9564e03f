/*
** core.observer(graph, nodes): expressions that are evaluated, with derivatives, at any state
** (lua/sarrus/expr/evaluate.lua and others).  The nodes are copied and compiled, so the graph may
** grow or go.  observer:evaluate makes no garbage.
*/
#include "binding.h"
#include "sarrus/observer.h"

#define OBSERVER_CLASS "sarrus.observer"

/* The kinds of symbols, in the order of the lists that evaluate takes. */
static const sarrus_SymbolKind kinds[] = {SARRUS_Q,      SARRUS_V,         SARRUS_A,
                                          SARRUS_LAMBDA, SARRUS_PARAMETER, SARRUS_U};
enum { LISTS = sizeof kinds / sizeof *kinds };

typedef struct ObserverBox {
  sarrus_Observer *observer;
  int count;
  int uses[LISTS]; /* how long each list must be */
  double *buffer;  /* for all of them and the values; anchored */
} ObserverBox;

/* Give the observer on top of the stack a buffer that serves all calls, so that none allocates. */
static void add_buffer(lua_State *L, ObserverBox *box) {
  size_t numbers = (size_t)box->count + 1;
  for (int i = 0; i < LISTS; i++)
    numbers += (size_t)(box->uses[i] = sarrus_observer_uses(box->observer, kinds[i]));
  lua_createtable(L, 1, 0);
  box->buffer = sarrus_newuserdata(L, numbers * sizeof(double));
  lua_rawseti(L, -2, 1);
  sarrus_set_anchor(L, -2);
}

static int new_observer(lua_State *L) {
  const sarrus_GraphBox *graph = sarrus_check_graph(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  const int count = (int)lua_rawlen(L, 2);
  sarrus_Expr *nodes = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *nodes);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 2, i + 1);
    nodes[i] = sarrus_check_expr(L, lua_gettop(L), graph);
    lua_pop(L, 1);
  }
  ObserverBox *box = sarrus_newuserdata(L, sizeof *box);
  *box = (ObserverBox){.count = count};
  luaL_getmetatable(L, OBSERVER_CLASS);
  lua_setmetatable(L, -2);
  const sarrus_Status status =
      sarrus_observer_new(sarrus_lua_memory(L), graph->graph, count, nodes, &box->observer);
  if (status < 0) return sarrus_raise_status(L, status);
  add_buffer(L, box);
  sarrus_account(L, sarrus_observer_bytes(box->observer));
  return 1;
}

static int collect(lua_State *L) {
  ObserverBox *box = luaL_checkudata(L, 1, OBSERVER_CLASS);
  sarrus_observer_free(box->observer);
  box->observer = NULL;
  return 0;
}

/* All numbers of the list at index, as an array kept on the stack; NULL for nil. */
static const double *numbers(lua_State *L, int index) {
  if (lua_isnoneornil(L, index)) return NULL;
  const int count = (int)lua_rawlen(L, index);
  double *array = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *array);
  sarrus_read_numbers(L, index, count, array);
  return array;
}

/* The number t and the lists q, v, a, lambda, parameters, modes, from index on. */
static sarrus_Sight check_sight(lua_State *L, int index) {
  return (sarrus_Sight){luaL_checknumber(L, index), numbers(L, index + 1), numbers(L, index + 2),
                        numbers(L, index + 3),      numbers(L, index + 4), numbers(L, index + 5),
                        numbers(L, index + 6)};
}

/* observer:evaluate(t, q, v, a, lambda, parameters, modes, values): fills the list `values` */
static int evaluate(lua_State *L) {
  const ObserverBox *box = luaL_checkudata(L, 1, OBSERVER_CLASS);
  if (box->buffer == NULL || box->observer == NULL) return luaL_error(L, "the observer is closed");
  luaL_checktype(L, 9, LUA_TTABLE);
  lua_settop(L, 9);
  double *values = box->buffer, *free = values + box->count;
  const double *lists[LISTS] = {NULL}; /* NULL for nil */
  for (int i = 0; i < LISTS; i++) {
    if (lua_isnoneornil(L, 3 + i)) continue;
    sarrus_read_numbers(L, 3 + i, box->uses[i], free);
    lists[i] = free;
    free += box->uses[i];
  }
  const sarrus_Sight sight = {
      luaL_checknumber(L, 2), lists[0], lists[1], lists[2], lists[3], lists[4], lists[5]};
  sarrus_observer_evaluate(box->observer, &sight, values);
  for (int i = 0; i < box->count; i++) {
    lua_pushnumber(L, values[i]);
    lua_rawseti(L, 9, i + 1);
  }
  lua_settop(L, 9);
  return 1;
}

/*
** observer:slopes(t, q, v, a, lambda, parameters, modes, dt, dq, dv, da, dlambda, dparameters,
** dmodes): the list of the derivatives of all expressions in this direction
*/
static int slopes(lua_State *L) {
  const ObserverBox *box = luaL_checkudata(L, 1, OBSERVER_CLASS);
  if (box->observer == NULL) return luaL_error(L, "the observer is closed");
  lua_settop(L, 15);
  luaL_checkstack(L, 20, NULL);
  const sarrus_Sight sight = check_sight(L, 2), tangent = check_sight(L, 9);
  double *values = sarrus_newuserdata(L, ((size_t)box->count + 1) * sizeof *values);
  const sarrus_Status status = sarrus_observer_slopes(box->observer, &sight, &tangent, values);
  if (status < 0) return sarrus_raise_status(L, status);
  lua_createtable(L, box->count, 0);
  for (int i = 0; i < box->count; i++) {
    lua_pushnumber(L, values[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

void sarrus_bind_observer(lua_State *L) {
  static const luaL_Reg methods[] = {{"evaluate", evaluate}, {"slopes", slopes}, {NULL, NULL}};
  static const luaL_Reg meta[] = {{"__gc", collect}, {NULL, NULL}};
  sarrus_new_class(L, OBSERVER_CLASS, methods, meta);
  lua_pushcfunction(L, new_observer);
  lua_setfield(L, -2, "observer");
}
