/*
** Scripts made of random parts: the bytes go to lua/fuzz/scripts.lua, which makes models of them
** and runs them.  It raises where a promise is broken, and that ends the process, so that libFuzzer
** keeps the bytes.
*/
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int luaopen_sarrus_core(lua_State *L);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static lua_State *state; /* with the function of the script on its stack */

static void check(int failed) {
  if (!failed) return;
  fprintf(stderr, "%s\n", lua_tostring(state, -1));
  abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  state = luaL_newstate();
  if (state == NULL) abort();
  luaL_openlibs(state);
  lua_getglobal(state, "package");
  lua_pushliteral(state, "lua/?.lua;lua/?/init.lua");
  lua_setfield(state, -2, "path");
  lua_getfield(state, -1, "preload");
  lua_pushcfunction(state, luaopen_sarrus_core);
  lua_setfield(state, -2, "sarrus.core");
  lua_settop(state, 0);
  check(luaL_dofile(state, "lua/fuzz/scripts.lua"));
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  lua_settop(state, 1);
  lua_pushvalue(state, 1);
  lua_pushlstring(state, (const char *)data, size);
  check(lua_pcall(state, 1, 0, 0));
  return 0;
}
