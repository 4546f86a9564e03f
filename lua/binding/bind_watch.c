/*
** What ends an advance between two steps: a signal that the command catches, a hook, a deadline.
**
** No instruction of Lua runs within an advance, so a hook that counts instructions would only be
** called after its end.  Here it is called between two steps instead, whatever its count, and an
** error that it raises ends the advance.  This is how Ctrl-C arrives, as a hook of the standalone
** interpreter, and how the watchdog of a host stops a script: by a hook that it has set before, or
** sets from a signal handler or another thread during the advance.
*/
#include <math.h>

#include "binding.h"

void sarrus_watch(sarrus_SimBox *box, double deadline) {
  box->deadline = deadline;
  box->polls = 0;
  box->stop = SARRUS_STOP_NOT;
}

/* Call the hook as the interpreter would, with the function that called this one as the place. */
static int call_hook(lua_State *L) {
  lua_Debug at;
  const lua_Hook hook = lua_gethook(L);
  if (hook == NULL || !lua_getstack(L, 1, &at)) return 0;
  at.event = LUA_HOOKCOUNT;
  at.currentline = -1;
  hook(L, &at);
  return 0;
}

int sarrus_asked_to_end(lua_State *L) {
  if (sarrus_caught() != 0) return 1;
  return (lua_gethookmask(L) & LUA_MASKCOUNT) != 0 && lua_gethookcount(L) == 1;
}

int sarrus_interrupted(sarrus_SimBox *box) {
  lua_State *L = box->caller;
  if (box->stop != SARRUS_STOP_NOT) return 1;
  if (sarrus_caught() != 0) {
    box->stop = SARRUS_STOP_SIGNAL;
  } else if ((lua_gethookmask(L) & LUA_MASKCOUNT) != 0) {
    lua_pushcfunction(L, call_hook);
    if (lua_pcall(L, 0, 0, 0) != 0) box->stop = SARRUS_STOP_RAISED;
    box->caller = L; /* the hook may have called the simulation from another coroutine */
  }
  return box->stop != SARRUS_STOP_NOT;
}

/* Each call makes at least one step, whatever the deadline, so that a loop around it ends. */
int sarrus_out_of_time(sarrus_SimBox *box) {
  if (box->polls++ == 0 || !(box->deadline < HUGE_VAL) || box->deadline > sarrus_seconds())
    return 0;
  box->stop = SARRUS_STOP_TIME;
  return 1;
}
