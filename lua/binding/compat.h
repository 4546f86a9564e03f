/*
** One C API for Lua 5.1, LuaJIT, 5.3, 5.4 and 5.5: the names of 5.3, supplied where a version
** lacks them.
**
** User values: every version stores and fetches one table per userdata through
** sarrus_set_anchor and sarrus_get_anchor (5.1: the environment; later: a user value).
*/
#ifndef SARRUS_BINDING_COMPAT_H
#define SARRUS_BINDING_COMPAT_H

#include <lauxlib.h>
#include <lua.h>
#include <stddef.h>

#if LUA_VERSION_NUM < 501
#error "sarrus needs Lua 5.1 or later"
#endif

#if LUA_VERSION_NUM == 501

/* LuaJIT has some of these; a module that does not use them runs under both. */
#undef luaL_newlib
#define lua_rawlen(L, index) lua_objlen((L), (index))
#define luaL_newlib(L, functions) (lua_newtable(L), sarrus_setfuncs((L), (functions), 0))
#define luaL_setfuncs(L, functions, upvalues) sarrus_setfuncs((L), (functions), (upvalues))
#define luaL_testudata(L, index, name) sarrus_testudata((L), (index), (name))

static inline void sarrus_setfuncs(lua_State *L, const luaL_Reg *functions, int upvalues) {
  luaL_checkstack(L, upvalues + 1, "too many upvalues");
  for (; functions->name != NULL; functions++) {
    for (int i = 0; i < upvalues; i++)
      lua_pushvalue(L, -upvalues);
    lua_pushcclosure(L, functions->func, upvalues);
    lua_setfield(L, -(upvalues + 2), functions->name);
  }
  lua_pop(L, upvalues);
}

static inline void *sarrus_testudata(lua_State *L, int index, const char *name) {
  void *block = lua_touserdata(L, index);
  if (block == NULL || !lua_getmetatable(L, index)) return NULL;
  luaL_getmetatable(L, name);
  const int same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same ? block : NULL;
}

#define sarrus_newuserdata(L, size) lua_newuserdata((L), (size))
#define sarrus_set_anchor(L, index) ((void)lua_setfenv((L), (index)))
#define sarrus_get_anchor(L, index) lua_getfenv((L), (index))
#define sarrus_checkversion(L) ((void)(L))

#else

#if LUA_VERSION_NUM >= 504
#define sarrus_newuserdata(L, size) lua_newuserdatauv((L), (size), 1)
#define sarrus_set_anchor(L, index) ((void)lua_setiuservalue((L), (index), 1))
#define sarrus_get_anchor(L, index) ((void)lua_getiuservalue((L), (index), 1))
#else
#define sarrus_newuserdata(L, size) lua_newuserdata((L), (size))
#define sarrus_set_anchor(L, index) lua_setuservalue((L), (index))
#define sarrus_get_anchor(L, index) ((void)lua_getuservalue((L), (index)))
#endif
#define sarrus_checkversion(L) luaL_checkversion(L)

#endif

#endif
