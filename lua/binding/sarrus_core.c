/*
** The module sarrus.core: everything the Lua files need of the core.  Scripts do not see it; the
** Lua files check what a script gave before they call it, so its messages name arguments, not
** lines of scripts.
*/
#include "binding.h"
#include "sarrus_lua.h"

#include <limits.h>
#include <string.h>

sarrus_Memory sarrus_lua_memory(lua_State *L) {
  sarrus_Memory memory;
  memory.alloc = lua_getallocf(L, &memory.ud);
  return memory;
}

/*
** A step of the collector "as if `bytes` had been allocated".  5.5 counts in bytes, the others
** in kilobytes.  A collector that the script has stopped stays stopped in the versions that say so.
*/
void sarrus_account(lua_State *L, size_t bytes) {
#if LUA_VERSION_NUM >= 502
  if (!lua_gc(L, LUA_GCISRUNNING, 0)) return;
#endif
#if LUA_VERSION_NUM >= 505
  lua_gc(L, LUA_GCSTEP, bytes);
#else
  const size_t kilobytes = bytes / 1024 + 1;
  lua_gc(L, LUA_GCSTEP, kilobytes > INT_MAX / 1024 ? INT_MAX / 1024 : (int)kilobytes);
#endif
}

/*
** core.resume_collector(): a collector that was stopped goes on, and begins its next cycle when
** Lua's memory has doubled, as after a cycle with the usual pause.  Lua itself would begin it at
** once.  A negative step counts as memory that was freed, in 5.3 and 5.4.
*/
static int resume_collector(lua_State *L) {
  lua_gc(L, LUA_GCRESTART, 0);
#if LUA_VERSION_NUM == 503 || LUA_VERSION_NUM == 504
  const int kilobytes = lua_gc(L, LUA_GCCOUNT, 0);
  lua_gc(L, LUA_GCSTEP, -kilobytes);
#endif
  return 0;
}

int sarrus_push_failure(lua_State *L, sarrus_Status status, const char *message) {
  lua_pushnil(L);
  lua_pushstring(L, message != NULL ? message : sarrus_status_text(status));
  lua_pushstring(L, sarrus_status_name(status));
  return 3;
}

int sarrus_fail(lua_State *L, sarrus_Status status, const char *message) {
  if (status == SARRUS_NOMEM) return sarrus_raise_status(L, status);
  return sarrus_push_failure(L, status, message);
}

int sarrus_raise_status(lua_State *L, sarrus_Status status) {
  lua_pushstring(L, sarrus_status_text(status));
  return lua_error(L);
}

/* core.status_text(code): the sentence of a code such as "SINGULAR" */
static int status_text(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
#define SENTENCE(code, number, sentence) \
  if (strcmp(name, #code) == 0) {        \
    lua_pushstring(L, sentence);         \
    return 1;                            \
  }
  SARRUS_STATUSES(SENTENCE)
#undef SENTENCE
  return luaL_error(L, "unknown code '%s'", name);
}

void sarrus_new_class(lua_State *L, const char *name, const luaL_Reg *methods,
                      const luaL_Reg *metamethods) {
  luaL_newmetatable(L, name);
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  luaL_setfuncs(L, metamethods, 0);
  lua_getfield(L, -1, "__gc");
  if (!lua_isnil(L, -1)) { /* hide __gc: a script that called it would free an object in use */
    lua_pushstring(L, name);
    lua_setfield(L, -3, "__metatable");
  }
  lua_pop(L, 1);
  if (methods != NULL) {
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
  }
  lua_pop(L, 1);
}

void sarrus_add_methods(lua_State *L, const char *name, const luaL_Reg *methods) {
  luaL_getmetatable(L, name);
  lua_getfield(L, -1, "__index");
  luaL_setfuncs(L, methods, 0);
  lua_pop(L, 2);
}

int sarrus_check_int(lua_State *L, int index, int low, int high) {
  const double x = luaL_checknumber(L, index);
  if (!(x >= low && x <= high) || x != (double)(int)x)
    return luaL_error(L, "argument %d must be a whole number from %d to %d", index, low, high);
  return (int)x;
}

/* Several at a time: calls of Lua are most of what this takes. */
enum { AT_ONCE = 8 };

void sarrus_read_numbers(lua_State *L, int index, int count, double *numbers) {
  luaL_checktype(L, index, LUA_TTABLE);
  luaL_checkstack(L, AT_ONCE, NULL);
  for (int from = 0; from < count; from += AT_ONCE) {
    const int to = count - from < AT_ONCE ? count : from + AT_ONCE;
    for (int i = from; i < to; i++)
      lua_rawgeti(L, index, i + 1);
    for (int i = from; i < to; i++)
      numbers[i] = luaL_checknumber(L, i - to);
    lua_pop(L, to - from);
  }
}

/* The message handler of core.call: adds a traceback, if the host has loaded debug. */
static int with_traceback(lua_State *L) {
  lua_getglobal(L, "debug");
  if (lua_istable(L, -1)) {
    lua_getfield(L, -1, "traceback");
    if (lua_isfunction(L, -1) && lua_isstring(L, 1)) {
      lua_pushvalue(L, 1);
      lua_pushinteger(L, 2);
      lua_call(L, 2, 1);
      return 1;
    }
  }
  lua_settop(L, 1);
  return 1;
}

/* core.call(f, …): true and its results, or false and the message; f cannot yield from here. */
static int call(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  const int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 1);
  lua_pushboolean(L, status == 0);
  lua_replace(L, 1);
  return lua_gettop(L);
}

int luaopen_sarrus_core(lua_State *L) {
  sarrus_checkversion(L);
  lua_newtable(L);
  lua_pushstring(L, sarrus_version());
  lua_setfield(L, -2, "version");
  lua_pushcfunction(L, status_text);
  lua_setfield(L, -2, "status_text");
  lua_pushcfunction(L, with_traceback); /* an upvalue: in 5.1 pushing it at each call allocates */
  lua_pushcclosure(L, call, 1);
  lua_setfield(L, -2, "call");
  lua_pushcfunction(L, resume_collector);
  lua_setfield(L, -2, "resume_collector");
  sarrus_bind_base64(L);
  sarrus_bind_eigen(L);
  sarrus_bind_file(L);
  sarrus_bind_functions(L);
  sarrus_bind_series(L);
  sarrus_bind_graph(L);
  sarrus_bind_adomian(L);
  sarrus_bind_instant(L);
  sarrus_bind_model(L);
  sarrus_bind_observer(L);
  sarrus_bind_stack(L);
  sarrus_bind_system(L);
  sarrus_bind_events(L);
  sarrus_bind_sim(L);
  sarrus_bind_sim_ask(L);
  sarrus_bind_sim_change(L);
  sarrus_bind_tangent(L);
  sarrus_bind_sheet(L);
  sarrus_bind_recorder(L);
  sarrus_bind_ensemble(L);
  sarrus_bind_terminal(L);
  return 1;
}
