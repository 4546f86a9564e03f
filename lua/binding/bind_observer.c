/* core.observer(graph, nodes): expressions evaluated at states. */
#include "binding.h"
#include "sarrus/observer.h"

#define OBSERVER_CLASS "sarrus.observer"

typedef struct ObserverBox {
  sarrus_Observer *observer;
  int count;
} ObserverBox;

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
  *box = (ObserverBox){NULL, count};
  luaL_getmetatable(L, OBSERVER_CLASS);
  lua_setmetatable(L, -2);
  const sarrus_Status status =
      sarrus_observer_new(sarrus_lua_memory(L), graph->graph, count, nodes, &box->observer);
  if (status < 0) return sarrus_raise_status(L, status);
  sarrus_account(L, sarrus_observer_bytes(box->observer));
  return 1;
}

static int collect(lua_State *L) {
  ObserverBox *box = luaL_checkudata(L, 1, OBSERVER_CLASS);
  sarrus_observer_free(box->observer);
  box->observer = NULL;
  return 0;
}

/* All numbers of the list at index, as an array kept on the stack; nil: none. */
static const double *numbers(lua_State *L, int index) {
  if (lua_isnoneornil(L, index)) return NULL;
  const int count = (int)lua_rawlen(L, index);
  double *array = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *array);
  sarrus_read_numbers(L, index, count, array);
  return array;
}

/* observer:evaluate(t, q, v, a, lambda, parameters, modes, values): fills the list `values` */
static int evaluate(lua_State *L) {
  const ObserverBox *box = luaL_checkudata(L, 1, OBSERVER_CLASS);
  if (box->observer == NULL) return luaL_error(L, "the observer is closed");
  luaL_checktype(L, 9, LUA_TTABLE);
  lua_settop(L, 9);
  const sarrus_Sight sight = {luaL_checknumber(L, 2), numbers(L, 3), numbers(L, 4), numbers(L, 5),
                              numbers(L, 6),          numbers(L, 7), numbers(L, 8)};
  double *values = sarrus_newuserdata(L, ((size_t)box->count + 1) * sizeof *values);
  sarrus_observer_evaluate(box->observer, &sight, values);
  for (int i = 0; i < box->count; i++) {
    lua_pushnumber(L, values[i]);
    lua_rawseti(L, 9, i + 1);
  }
  lua_settop(L, 9);
  return 1;
}

void sarrus_bind_observer(lua_State *L) {
  static const luaL_Reg methods[] = {{"evaluate", evaluate}, {NULL, NULL}};
  static const luaL_Reg meta[] = {{"__gc", collect}, {NULL, NULL}};
  sarrus_new_class(L, OBSERVER_CLASS, methods, meta);
  lua_pushcfunction(L, new_observer);
  lua_setfield(L, -2, "observer");
}
