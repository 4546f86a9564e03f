/*
** local clock = require "clock": the CPU time of the calling thread, in ms.  os.clock counts all
** threads of the process, and a BLAS library keeps one spinning for a while after it has been
** loaded.
*/
#define _POSIX_C_SOURCE 199309L
#include <time.h>

#include <lauxlib.h>
#include <lua.h>

static int thread_ms(lua_State *L) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  lua_pushnumber(L, 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec);
  return 1;
}

int luaopen_clock(lua_State *L);

int luaopen_clock(lua_State *L) {
  lua_pushcfunction(L, thread_ms);
  return 1;
}
