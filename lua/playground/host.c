/*
** A Lua state in a browser: playground_run(script) runs /lua/playground.lua, which gets the script
** as its argument and answers with the text of a page, or nothing.  Files are those of the page.
*/
#include <lauxlib.h>
#include <lualib.h>

int luaopen_sarrus_core(lua_State *L);
const char *playground_run(const char *script, double until, double every);

static lua_State *last; /* the text of its answer is kept until the next call */

const char *playground_run(const char *script, double until, double every) {
  if (last != NULL) lua_close(last);
  lua_State *L = last = luaL_newstate();
  if (L == NULL) return NULL;
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_sarrus_core);
  lua_setfield(L, -2, "sarrus.core");
  lua_settop(L, 0);
  if (luaL_loadfile(L, "/lua/playground.lua") != LUA_OK) return lua_tostring(L, -1);
  lua_pushstring(L, script);
  lua_pushnumber(L, until);
  lua_pushnumber(L, every);
  if (lua_pcall(L, 3, 1, 0) != LUA_OK) return lua_tostring(L, -1);
  return lua_tostring(L, -1);
}
