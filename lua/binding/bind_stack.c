/*
** What error messages need to know of the call stack and of values: lines of scripts, names of
** classes (lua/sarrus/base).  It is in C because a host may not load `debug`, and because
** metatables may be hidden from scripts.
*/
#include "binding.h"

/*
** core.frame(level): of the function at this level of the stack, where 1 is the caller, the source,
** its short form, the current line, and "Lua", "C" or "main"; nothing above the top.
*/
static int frame(lua_State *L) {
  lua_Debug at;
  if (!lua_getstack(L, sarrus_check_int(L, 1, 0, 1 << 30), &at)) return 0;
  lua_getinfo(L, "Sl", &at);
  lua_pushstring(L, at.source);
  lua_pushstring(L, at.short_src);
  lua_pushinteger(L, at.currentline);
  lua_pushstring(L, at.what);
  return 4;
}

/* core.runs(f, level): whether f is the function at this level; nothing above the top */
static int runs(lua_State *L) {
  lua_Debug at;
  luaL_checktype(L, 1, LUA_TFUNCTION);
  if (!lua_getstack(L, sarrus_check_int(L, 2, 0, 1 << 30), &at)) return 0;
  lua_getinfo(L, "f", &at);
  lua_pushboolean(L, lua_rawequal(L, 1, -1));
  return 1;
}

/* core.class(value): the __name of its metatable, or nothing */
static int class_of(lua_State *L) {
  luaL_checkany(L, 1);
  if (!luaL_getmetafield(L, 1, "__name") || lua_type(L, -1) != LUA_TSTRING) return 0;
  return 1;
}

/* core.has(value, event): whether its metatable has this metamethod */
static int has(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, luaL_getmetafield(L, 1, luaL_checkstring(L, 2)) != 0);
  return 1;
}

#if LUA_VERSION_NUM >= 502

/* core.parameters(f): how many named parameters a function has; 0 for one in C */
static int parameters(lua_State *L) {
  lua_Debug at;
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_pushvalue(L, 1);
  lua_getinfo(L, ">u", &at);
  lua_pushinteger(L, at.nparams);
  return 1;
}

#else

/*
** A call hook for 5.1: when a call begins, the active locals are its parameters.  "arg" stands for
** "...", and names with "(" are temporaries.  The error ends the call before it has run.
*/
static void count_locals(lua_State *L, lua_Debug *at) {
  int count = 0;
  for (const char *name; (name = lua_getlocal(L, at, count + 1)) != NULL; count++) {
    lua_pop(L, 1);
    if (name[0] == '(' || (name[0] == 'a' && name[1] == 'r' && name[2] == 'g' && name[3] == 0))
      break;
  }
  lua_settop(L, 0);
  lua_pushinteger(L, count);
  lua_error(L);
}

static int parameters(lua_State *L) {
  const lua_Hook hook = lua_gethook(L);
  const int mask = lua_gethookmask(L), each = lua_gethookcount(L);
  luaL_checktype(L, 1, LUA_TFUNCTION);
  if (lua_iscfunction(L, 1)) {
    lua_pushinteger(L, 0);
    return 1;
  }
  lua_State *thread = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, thread, 1);
  lua_sethook(thread, count_locals, LUA_MASKCALL, 0);
  lua_resume(thread, 0);
  lua_sethook(L, hook, mask, each); /* LuaJIT has one hook for all threads: restore it */
  lua_pushinteger(L, lua_tointeger(thread, -1));
  return 1;
}

#endif

void sarrus_bind_stack(lua_State *L) {
  static const luaL_Reg functions[] = {{"frame", frame},           {"runs", runs},
                                       {"class", class_of},        {"has", has},
                                       {"parameters", parameters}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
