/*
** core.ensemble(graph, nodes, options): many runs side by side.  Options: runs, t_end, every (0:
** the end alone), threads, stop, a list of flags of the events.
**
** Runs live in memory of the C library, which serves several threads, as that of the Lua state may
** not.
*/
#if defined(__linux__)
#define _GNU_SOURCE
#include <sched.h>
#endif
#include <unistd.h>

#include "binding.h"
#include "sarrus/sarrus.h"

#define ENSEMBLE_CLASS "sarrus.core_ensemble"

typedef struct EnsembleBox {
  sarrus_Ensemble *ensemble;
  lua_State *caller; /* of the call under way */
  int runs, width;
} EnsembleBox;

static EnsembleBox *check_ensemble(lua_State *L) {
  EnsembleBox *box = luaL_checkudata(L, 1, ENSEMBLE_CLASS);
  if (box->ensemble == NULL) luaL_error(L, "the ensemble is closed");
  box->caller = L;
  return box;
}

static int check_run(lua_State *L, const EnsembleBox *box) {
  return sarrus_check_int(L, 2, 1, box->runs) - 1;
}

static int collect(lua_State *L) {
  EnsembleBox *box = luaL_checkudata(L, 1, ENSEMBLE_CLASS);
  sarrus_ensemble_free(box->ensemble);
  box->ensemble = NULL;
  return 0;
}

/* --- making ------------------------------------------------------------------------------ */

static int cancelled(void *ud) { return sarrus_asked_to_end(((EnsembleBox *)ud)->caller); }

static double option(lua_State *L, const char *name) {
  lua_getfield(L, 3, name);
  const double value = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return value;
}

static sarrus_Expr *check_nodes(lua_State *L, const sarrus_GraphBox *graph, int count) {
  sarrus_Expr *nodes = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *nodes);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 2, i + 1);
    nodes[i] = sarrus_check_expr(L, lua_gettop(L), graph);
    lua_pop(L, 1);
  }
  return nodes;
}

/* options.stop, as flags; kept on the stack. */
static unsigned char *check_stops(lua_State *L, int *count) {
  lua_getfield(L, 3, "stop");
  luaL_checktype(L, -1, LUA_TTABLE);
  const int list = lua_gettop(L);
  *count = (int)lua_rawlen(L, list);
  unsigned char *stop = sarrus_newuserdata(L, (size_t)*count + 1);
  for (int i = 0; i < *count; i++) {
    lua_rawgeti(L, list, i + 1);
    stop[i] = (unsigned char)lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  return stop;
}

/* The ensemble on top of the stack keeps the graph and the nodes, and later a simulation. */
static void anchor(lua_State *L, int nodes) {
  lua_createtable(L, 3, 0);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
  lua_pushvalue(L, nodes);
  lua_rawseti(L, -2, 2);
  sarrus_set_anchor(L, -2);
}

static int new_ensemble(lua_State *L) {
  const sarrus_GraphBox *graph = sarrus_check_graph(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  sarrus_EnsembleSpec spec = {.runs = (int)option(L, "runs"),
                              .t_end = option(L, "t_end"),
                              .graph = graph->graph,
                              .count = (int)lua_rawlen(L, 2),
                              .every = option(L, "every"),
                              .threads = (int)option(L, "threads"),
                              .cancelled = cancelled};
  spec.stop = check_stops(L, &spec.events);
  spec.exprs = check_nodes(L, graph, spec.count);
  const int nodes = lua_gettop(L);
  EnsembleBox *box = sarrus_newuserdata(L, sizeof *box);
  *box = (EnsembleBox){NULL, L, spec.runs, spec.count + 1};
  luaL_getmetatable(L, ENSEMBLE_CLASS);
  lua_setmetatable(L, -2);
  anchor(L, nodes);
  spec.ud = box;
  const sarrus_Status status = sarrus_ensemble_new(sarrus_memory_default(), &spec, &box->ensemble);
  return status < 0 ? sarrus_raise_status(L, status) : 1;
}

/* --- running ----------------------------------------------------------------------------- */

/* true, or nil where it was cancelled */
static int push_going(lua_State *L, sarrus_Status status) {
  if (status == SARRUS_CANCELLED) return 0;
  if (status < 0) return sarrus_raise_status(L, status);
  lua_pushboolean(L, 1);
  return 1;
}

/*
** ensemble:put(run, sim): a copy of it, or itself if it is apart; its system and events live as
** long as one of them does
*/
static int put(lua_State *L) {
  EnsembleBox *box = check_ensemble(L);
  const int run = check_run(L, box);
  sarrus_SimBox *sim = sarrus_check_sim(L, 3);
  sarrus_get_anchor(L, 1);
  lua_pushvalue(L, 3);
  lua_rawseti(L, -2, 3);
  if (!sim->apart) return push_going(L, sarrus_ensemble_put(box->ensemble, run, sim->sim));
  const sarrus_Status status = sarrus_ensemble_take(box->ensemble, run, sim->sim);
  if (status >= 0) sim->sim = NULL;
  return push_going(L, status);
}

/* ensemble:wait() */
static int wait_for(lua_State *L) {
  return push_going(L, sarrus_ensemble_wait(check_ensemble(L)->ensemble));
}

/* ensemble:done(): a run that is done and was not told yet, and its code; nothing if none is */
static int done(lua_State *L) {
  EnsembleBox *box = check_ensemble(L);
  const int run = sarrus_ensemble_done(box->ensemble);
  if (run < 0) return 0;
  lua_pushinteger(L, run + 1);
  lua_pushstring(L, sarrus_status_name(sarrus_ensemble_status(box->ensemble, run)));
  return 2;
}

/* ensemble:failed(run, sim): the failure; sim stands where the run failed */
static int failed(lua_State *L) {
  EnsembleBox *box = check_ensemble(L);
  const int run = check_run(L, box);
  sarrus_SimBox *sim = luaL_checkudata(L, 3, SARRUS_SIM_CLASS);
  sarrus_Sim *stands = sarrus_ensemble_failed(box->ensemble, run);
  if (stands == NULL) return luaL_error(L, "the run has not failed, or was asked before");
  sarrus_sim_free(sim->sim);
  sim->sim = stands;
  sarrus_push_sim_fault(L, sim, sarrus_ensemble_status(box->ensemble, run));
  return 1;
}

/* --- reading ----------------------------------------------------------------------------- */

/* ensemble:row(run): the time and the values of its last row, as a list; nil if there is none */
static int row(lua_State *L) {
  const EnsembleBox *box = check_ensemble(L);
  int count;
  const double *rows = sarrus_ensemble_rows(box->ensemble, check_run(L, box), &count);
  if (rows == NULL || count == 0) return 0;
  rows += (size_t)(count - 1) * (size_t)box->width;
  lua_createtable(L, box->width, 0);
  for (int k = 0; k < box->width; k++) {
    lua_pushnumber(L, rows[k]);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

/* ensemble:column(run, k): the list of column k, 0 being the time */
static int column(lua_State *L) {
  const EnsembleBox *box = check_ensemble(L);
  const int k = sarrus_check_int(L, 3, 0, box->width - 1);
  int count;
  const double *rows = sarrus_ensemble_rows(box->ensemble, check_run(L, box), &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, rows[(size_t)i * (size_t)box->width + (size_t)k]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* core.processors(): how many this process may use */
static int processors(lua_State *L) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) count = CPU_COUNT(&set);
#endif
  lua_pushinteger(L, count < 1                     ? 1
                     : count > SARRUS_MOST_THREADS ? SARRUS_MOST_THREADS
                                                   : (int)count);
  return 1;
}

void sarrus_bind_ensemble(lua_State *L) {
  static const luaL_Reg methods[] = {{"put", put},       {"wait", wait_for}, {"done", done},
                                     {"failed", failed}, {"row", row},       {"column", column},
                                     {"close", collect}, {NULL, NULL}};
  static const luaL_Reg meta[] = {{"__gc", collect}, {NULL, NULL}};
  sarrus_new_class(L, ENSEMBLE_CLASS, methods, meta);
  lua_pushcfunction(L, new_ensemble);
  lua_setfield(L, -2, "ensemble");
  lua_pushcfunction(L, processors);
  lua_setfield(L, -2, "processors");
}
