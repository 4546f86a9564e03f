/*
** What the command (lua/sarrus/command) needs of the operating system: the width of the terminal, a
** clock, and signals that end a run in good order.
**
** Between core.catch(true) and core.catch(false) the first SIGINT, SIGTERM or SIGHUP is only noted,
** and ends the current advance before its next step; a second one has its default effect.
** Signals that the process was started to ignore stay ignored.
*/
#define _DEFAULT_SOURCE  /* glibc */
#define _DARWIN_C_SOURCE /* macOS */
#include "binding.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { SIGNALS = 3 };

static const int numbers[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[SIGNALS];
static int catching;
static volatile sig_atomic_t caught;

static void note(int number) { caught = number; }

int sarrus_caught(void) { return caught; }

static void start_catching(void) {
  struct sigaction action = {.sa_handler = note, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
  sigemptyset(&action.sa_mask);
  caught = 0;
  for (int i = 0; i < SIGNALS; i++) {
    sigaction(numbers[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(numbers[i], &action, NULL);
  }
}

static void stop_catching(void) {
  for (int i = 0; i < SIGNALS; i++)
    sigaction(numbers[i], &before[i], NULL);
  caught = 0;
}

/* core.catch(on): begin or end catching signals */
static int set_catching(lua_State *L) {
  const int on = lua_toboolean(L, 1);
  if (on && !catching) start_catching();
  if (!on && catching) stop_catching();
  catching = on;
  return 0;
}

/* core.caught(): the number of the signal that was caught, or nothing */
static int which(lua_State *L) {
  if (caught == 0) return 0;
  lua_pushinteger(L, caught);
  return 1;
}

/* core.columns(descriptor): how wide the terminal is, 80 if unknown; nothing if it is none */
static int columns(lua_State *L) {
  const int descriptor = sarrus_check_int(L, 1, 0, 2);
  struct winsize size;
  if (!isatty(descriptor)) return 0;
  const int known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  lua_pushinteger(L, known ? size.ws_col : 80);
  return 1;
}

double sarrus_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* core.seconds(): sarrus_seconds */
static int seconds(lua_State *L) {
  lua_pushnumber(L, sarrus_seconds());
  return 1;
}

void sarrus_bind_terminal(lua_State *L) {
  static const luaL_Reg functions[] = {{"catch", set_catching},
                                       {"caught", which},
                                       {"columns", columns},
                                       {"seconds", seconds},
                                       {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
