/*
** core.sim(system, events or nil, options): a simulation of the core, which lua/sarrus/sim/init.lua
** wraps.  With options.apart it can become one of an ensemble, and the collector does not hear of
** its memory: whoever makes it closes it.  It is made, saved and moved here; bind_sim_ask.c reads
** it, bind_sim_change.c changes it, bind_tangent.c differentiates it.
**
** It keeps its system and its events alive.  Calls that move it return "END"; "EVENT" and the
** event's number; "BUDGET" where the deadline has passed; or nil and a failure as in bind_system.c,
** with the time t.  After a failure the simulation is at the last good state and can go on.  No Lua
** runs within a step; between steps only hooks do (bind_watch.c).
*/
#include <math.h>
#include <time.h>

#include "binding.h"
#include "sarrus/sarrus.h"

typedef sarrus_SimBox SimBox;

/* --- making ------------------------------------------------------------------------------ */

SimBox *sarrus_check_sim(lua_State *L, int index) {
  SimBox *box = luaL_checkudata(L, index, SARRUS_SIM_CLASS);
  if (box->sim == NULL) luaL_error(L, "the simulation is closed");
  box->caller = L;
  return box;
}

static SimBox *check_sim(lua_State *L) { return sarrus_check_sim(L, 1); }

static double number_field(lua_State *L, const char *field) {
  lua_getfield(L, 3, field);
  const double value = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return value;
}

enum { ROWS_AT_ONCE = 4096 };

/*
** Let a recorder take the rows of instants that have been passed; returns 0 if it failed, or was
** interrupted: then the remaining rows are taken next time.
*/
static int feed_recorder(SimBox *box, sarrus_Feed *feed, int here) {
  const sarrus_Status before = feed->status;
  double t;
  for (int rows = 1; sarrus_recorder_due(feed->recorder, here, &t); rows++) {
    const sarrus_Status status = sarrus_recorder_take(feed->recorder);
    if (status < 0 && feed->status >= 0) feed->status = status;
    if (rows % ROWS_AT_ONCE == 0 && sarrus_interrupted(box)) return 0;
  }
  return feed->status == before;
}

static int is_struck(const sarrus_Sim *sim, int contacts) {
  double impulse[3];
  for (int i = 0; i < contacts; i++)
    if (sarrus_sim_struck(sim, i, impulse)) return 1;
  return 0;
}

/* If there is an impact at the present instant, record the rows before and after it. */
static void take_impact(const SimBox *box, sarrus_Feed *feed) {
  const double now = sarrus_sim_time(box->sim);
  if (!feed->marked || feed->struck_at == now || !is_struck(box->sim, box->contacts)) return;
  feed->struck_at = now;
  for (int after = 0; after <= 1; after++) {
    const sarrus_Status status = sarrus_recorder_mark(feed->recorder, after);
    if (status < 0 && feed->status >= 0) feed->status = status;
  }
}

static int feed_recorders(SimBox *box, int here) {
  int good = 1;
  for (sarrus_Feed *feed = box->feeds; feed != NULL; feed = feed->next) {
    good = feed_recorder(box, feed, 0) && good;
    take_impact(box, feed);
    if (here) good = feed_recorder(box, feed, 1) && good;
  }
  return good;
}

/* Called between two steps: recorders take rows of the last one.  Returns 1 to end the advance. */
static int between_steps(void *ud) {
  return !feed_recorders(ud, 0) || sarrus_interrupted(ud) || sarrus_out_of_time(ud);
}

/* Let the simulation on top of the stack keep arguments 1 and 2 alive: its system and events. */
static void anchor(lua_State *L) {
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
  lua_pushvalue(L, 2);
  lua_rawseti(L, -2, 2);
  sarrus_set_anchor(L, -2);
}

/* Push a box for a simulation of this system; arguments 1 and 2 are those of core.sim. */
static SimBox *new_box(lua_State *L, const sarrus_System *system) {
  const int n = sarrus_system_coordinates(system), m = sarrus_system_multipliers(system);
  const int contacts = sarrus_system_contacts(system), modes = sarrus_system_modes(system);
  const size_t numbers = (size_t)(3 * n + m + modes + 1);
  SimBox *box = sarrus_newuserdata(L, sizeof *box + numbers * sizeof(double));
  *box = (SimBox){.caller = L,
                  .n = n,
                  .m = m,
                  .contacts = contacts,
                  .modes = modes,
                  .buffer = (double *)(void *)(box + 1),
                  .deadline = HUGE_VAL};
  luaL_getmetatable(L, SARRUS_SIM_CLASS);
  lua_setmetatable(L, -2);
  anchor(L);
  sarrus_note_sim(L);
  return box;
}

/* Argument 3 may have a field scales: a list with a number for each coordinate. */
static void set_scales(lua_State *L, SimBox *box) {
  lua_getfield(L, 3, "scales");
  if (lua_istable(L, -1)) {
    sarrus_read_numbers(L, lua_gettop(L), box->n, box->buffer);
    for (int j = 0; j < box->n; j++) {
      const sarrus_Status status = sarrus_sim_scale(box->sim, j, box->buffer[j]);
      if (status < 0) sarrus_raise_status(L, status);
    }
  }
  lua_pop(L, 1);
}

/* The method in argument 3; nil stands for "auto". */
static sarrus_Method method_field(lua_State *L) {
  static const char *const names[] = {"auto", "series", "stiff", NULL};
  lua_getfield(L, 3, "method");
  const int method = luaL_checkoption(L, lua_gettop(L), "auto", names);
  lua_pop(L, 1);
  return (sarrus_Method)method;
}

static int new_sim(lua_State *L) {
  const sarrus_System *system = sarrus_check_system(L, 1);
  const sarrus_Events *events = sarrus_check_events(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  sarrus_SimOptions options = {.tolerance = number_field(L, "tolerance"),
                               .scale = number_field(L, "scale"),
                               .order = (int)number_field(L, "order"),
                               .step = number_field(L, "step"),
                               .max_step = number_field(L, "max_step"),
                               .max_steps = (long long)number_field(L, "max_steps"),
                               .method = method_field(L),
                               .cancelled = between_steps};
  SimBox *box = new_box(L, system);
  options.ud = box;
  lua_getfield(L, 3, "apart");
  box->apart = lua_toboolean(L, -1);
  lua_pop(L, 1);
  const sarrus_Memory memory = box->apart ? sarrus_memory_default() : sarrus_lua_memory(L);
  const sarrus_Status status = sarrus_sim_new(memory, system, events, &options, &box->sim);
  if (status < 0) return sarrus_raise_status(L, status);
  if (!box->apart) sarrus_account(L, sarrus_sim_bytes(box->sim));
  set_scales(L, box);
  return 1;
}

enum { MOST_EXTRAS = 256 };

/* sim:save(numbers): the state as a string, together with a list of numbers of the caller */
static int save(lua_State *L) {
  const SimBox *box = check_sim(L);
  double extra[MOST_EXTRAS];
  luaL_checktype(L, 2, LUA_TTABLE);
  const int extras = (int)lua_rawlen(L, 2);
  if (extras > MOST_EXTRAS) return luaL_error(L, "too many numbers to save");
  sarrus_read_numbers(L, 2, extras, extra);
  const size_t size = sarrus_sim_save(box->sim, extra, extras, NULL, 0);
  char *record = sarrus_newuserdata(L, size);
  sarrus_sim_save(box->sim, extra, extras, record, size);
  lua_pushlstring(L, record, size);
  return 1;
}

/* core.restore(system, events or nil, string): the simulation and the list of numbers */
static int restore(lua_State *L) {
  const sarrus_System *system = sarrus_check_system(L, 1);
  const sarrus_Events *events = sarrus_check_events(L, 2);
  size_t size;
  const char *data = luaL_checklstring(L, 3, &size);
  double extra[MOST_EXTRAS];
  int extras = MOST_EXTRAS;
  SimBox *box = new_box(L, system);
  const sarrus_Status status = sarrus_sim_restore(sarrus_lua_memory(L), system, events, data, size,
                                                  extra, &extras, &box->sim);
  if (status == SARRUS_NOMEM) return sarrus_raise_status(L, status);
  if (status < 0) return sarrus_push_failure(L, status, NULL);
  sarrus_sim_on_cancel(box->sim, between_steps, box);
  sarrus_account(L, sarrus_sim_bytes(box->sim));
  lua_createtable(L, extras, 0);
  for (int i = 0; i < extras; i++) {
    lua_pushnumber(L, extra[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 2;
}

static int close_sim(lua_State *L) {
  SimBox *box = luaL_checkudata(L, 1, SARRUS_SIM_CLASS);
  sarrus_sim_free(box->sim);
  box->sim = NULL;
  return 0;
}

/* --- moving ------------------------------------------------------------------------------ */

/* With `derivative` where rates or accelerations are inconsistent, and none for positions. */
int sarrus_push_sim_fault(lua_State *L, const SimBox *box, sarrus_Status status) {
  const sarrus_Fault *fault = sarrus_sim_fault(box->sim);
  const int pushed = sarrus_push_fault(L, status, fault);
  if (status == SARRUS_INCONSISTENT && fault->derivative > 0) {
    lua_pushinteger(L, fault->derivative);
    lua_setfield(L, -2, "derivative");
  }
  lua_pushnumber(L, sarrus_sim_time(box->sim));
  lua_setfield(L, -2, "t");
  return pushed;
}

int sarrus_push_sim_result(lua_State *L, const SimBox *box, sarrus_Status status) {
  if (status == SARRUS_CANCELLED && box->stop == SARRUS_STOP_TIME) {
    lua_pushliteral(L, "BUDGET");
    return 1;
  }
  if (status < 0) return sarrus_push_sim_fault(L, box, status);
  if (status != SARRUS_STOPPED) {
    lua_pushliteral(L, "END");
    return 1;
  }
  int direction;
  lua_pushliteral(L, "EVENT");
  lua_pushinteger(L, sarrus_sim_event(box->sim, &direction) + 1);
  return 2;
}

/* sim:guess(list): multipliers, or algebraic variables, at which Newton's method begins */
static int guess(lua_State *L) {
  SimBox *box = check_sim(L);
  sarrus_read_numbers(L, 2, box->m, box->buffer);
  const sarrus_Status status = sarrus_sim_guess(box->sim, box->buffer);
  return status < 0 ? sarrus_raise_status(L, status) : 0;
}

static int start(lua_State *L) {
  SimBox *box = check_sim(L);
  const double t = luaL_checknumber(L, 2);
  sarrus_read_numbers(L, 3, box->n, box->buffer);
  sarrus_read_numbers(L, 4, box->n, box->buffer + box->n);
  return sarrus_push_sim_result(L, box,
                                sarrus_sim_start(box->sim, t, box->buffer, box->buffer + box->n));
}

/*
** Record the instants that have been passed, but not that of an event, on which the script has not
** acted yet.  An error that a hook has raised is raised again here, where the simulation is at a
** valid state.
*/
static int push_moved(lua_State *L, SimBox *box, sarrus_Status status, clock_t began) {
  feed_recorders(box, status != SARRUS_STOPPED);
  box->seconds += (double)(clock() - began) / CLOCKS_PER_SEC;
  box->deadline = HUGE_VAL;
  if (box->stop == SARRUS_STOP_RAISED) return lua_error(L);
  return sarrus_push_sim_result(L, box, status);
}

/* sim:advance(t [, deadline]): move to time t; the deadline is on the clock of core.seconds */
static int advance(lua_State *L) {
  const clock_t began = clock();
  SimBox *box = check_sim(L);
  const double t = luaL_checknumber(L, 2);
  sarrus_watch(box, luaL_optnumber(L, 3, HUGE_VAL));
  return push_moved(L, box, sarrus_sim_advance(box->sim, t), began);
}

/* sim:advance_on(t [, deadline]): continue the last advance, as if both were one */
static int advance_on(lua_State *L) {
  const clock_t began = clock();
  SimBox *box = check_sim(L);
  const double t = luaL_checknumber(L, 2);
  sarrus_watch(box, luaL_optnumber(L, 3, HUGE_VAL));
  return push_moved(L, box, sarrus_sim_advance_on(box->sim, t), began);
}

/* sim:step([limit]): one step, not beyond the time `limit` */
static int step(lua_State *L) {
  const clock_t began = clock();
  SimBox *box = check_sim(L);
  double size;
  const double limit = luaL_optnumber(L, 2, HUGE_VAL);
  sarrus_watch(box, HUGE_VAL);
  const sarrus_Status status = lua_isnoneornil(L, 2)
                                   ? sarrus_sim_step(box->sim, &size)
                                   : sarrus_sim_step_until(box->sim, limit, &size);
  return push_moved(L, box, status, began);
}

/* sim:feed(): the state at the present instant is final, so recorders may take its row */
static int feed(lua_State *L) {
  SimBox *box = check_sim(L);
  sarrus_watch(box, HUGE_VAL);
  feed_recorders(box, 1);
  return box->stop == SARRUS_STOP_RAISED ? lua_error(L) : 0;
}

/* sim:mark(after): record the present instant, at which velocities jump, before or after that */
static int mark(lua_State *L) {
  for (sarrus_Feed *one = check_sim(L)->feeds; one != NULL; one = one->next) {
    if (!one->marked) continue;
    const sarrus_Status status = sarrus_recorder_mark(one->recorder, lua_toboolean(L, 2));
    if (status < 0 && one->status >= 0) one->status = status;
  }
  return 0;
}

void sarrus_bind_sim(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"start", start},     {"guess", guess}, {"advance", advance}, {"advance_on", advance_on},
      {"step", step},       {"feed", feed},   {"mark", mark},       {"save", save},
      {"close", close_sim}, {NULL, NULL}};
  static const luaL_Reg sim_meta[] = {{"__gc", close_sim}, {NULL, NULL}};
  sarrus_new_class(L, SARRUS_SIM_CLASS, methods, sim_meta);
  lua_pushcfunction(L, new_sim);
  lua_setfield(L, -2, "sim");
  lua_pushcfunction(L, restore);
  lua_setfield(L, -2, "restore");
}
