/*
** core.events(graph, nodes, directions, parameters), called by lua/sarrus/sim/simulate.lua: the
** events of a simulation (sarrus/sim.h).  Event i is a zero of nodes[i]; directions[i] is 1 where
** only rising zeros count, -1 falling, 0 both.  The nodes are copied, so the graph may go; the
** events may serve several simulations, each of which keeps them alive.
*/
#include "binding.h"
#include "sarrus/sarrus.h"

#define EVENTS_CLASS "sarrus.core_events"

typedef struct EventsBox {
  sarrus_Events *events;
} EventsBox;

const sarrus_Events *sarrus_check_events(lua_State *L, int index) {
  if (lua_isnil(L, index)) return NULL;
  const EventsBox *box = luaL_checkudata(L, index, EVENTS_CLASS);
  if (box->events == NULL) luaL_error(L, "the events are closed");
  return box->events;
}

static int collect_events(lua_State *L) {
  EventsBox *box = luaL_checkudata(L, 1, EVENTS_CLASS);
  sarrus_events_free(box->events);
  box->events = NULL;
  return 0;
}

/* core.events(graph, nodes, directions, parameters): the events, or an error */
static int new_events(lua_State *L) {
  const sarrus_GraphBox *graph = sarrus_check_graph(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  const int count = (int)lua_rawlen(L, 2), parameters = sarrus_check_int(L, 4, 0, 1 << 20);
  sarrus_Expr *when = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *when);
  sarrus_Direction *directions = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *directions);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 2, i + 1);
    when[i] = sarrus_check_expr(L, lua_gettop(L), graph);
    lua_rawgeti(L, 3, i + 1);
    directions[i] = (sarrus_Direction)sarrus_check_int(L, lua_gettop(L), -1, 1);
    lua_pop(L, 2);
  }
  EventsBox *box = sarrus_newuserdata(L, sizeof *box);
  box->events = NULL;
  luaL_getmetatable(L, EVENTS_CLASS);
  lua_setmetatable(L, -2);
  const sarrus_Status status = sarrus_events_new(sarrus_lua_memory(L), graph->graph, count, when,
                                                 directions, parameters, &box->events);
  if (status < 0) return sarrus_raise_status(L, status);
  return 1;
}

/* events:watch(event, contact, change): the event is a change of the contact, in place of a zero */
static int watch(lua_State *L) {
  static const char *const changes[] = {"touch", "leave", "stick", "slip", NULL};
  const EventsBox *box = luaL_checkudata(L, 1, EVENTS_CLASS);
  const int event = sarrus_check_int(L, 2, 1, 1 << 20) - 1;
  const int contact = sarrus_check_int(L, 3, 1, 1 << 20) - 1;
  const sarrus_Change change = (sarrus_Change)luaL_checkoption(L, 4, NULL, changes);
  const sarrus_Status status = sarrus_events_watch(box->events, event, contact, change);
  return status < 0 ? sarrus_raise_status(L, status) : 0;
}

void sarrus_bind_events(lua_State *L) {
  static const luaL_Reg methods[] = {{"watch", watch}, {NULL, NULL}};
  static const luaL_Reg meta[] = {{"__gc", collect_events}, {NULL, NULL}};
  sarrus_new_class(L, EVENTS_CLASS, methods, meta);
  lua_pushcfunction(L, new_events);
  lua_setfield(L, -2, "events");
}
