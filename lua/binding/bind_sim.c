/*
** core.sim(system, events or nil, options): a simulation of the core.  States are filled into lists
** of the caller's; failures come as in bind_system.c.
*/
#include "binding.h"
#include "sarrus/sarrus.h"

#define SIM_CLASS "sarrus.core_sim"
#define EVENTS_CLASS "sarrus.core_events"

typedef sarrus_SimBox SimBox;

typedef struct EventsBox {
  sarrus_Events *events;
} EventsBox;

/* --- events ------------------------------------------------------------------------------ */

static int collect_events(lua_State *L) {
  EventsBox *box = luaL_checkudata(L, 1, EVENTS_CLASS);
  sarrus_events_free(box->events);
  box->events = NULL;
  return 0;
}

/* core.events(graph, nodes, directions, parameters) */
static int new_events(lua_State *L) {
  const sarrus_GraphBox *graph = sarrus_check_graph(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  const int count = (int)lua_rawlen(L, 2), parameters = sarrus_check_int(L, 4, 0, 1 << 20);
  sarrus_Expr *when = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *when);
  sarrus_Direction *directions = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *directions);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 2, i + 1);
    when[i] = sarrus_check_expr(L, lua_gettop(L), graph);
    lua_rawgeti(L, 3, i + 1);
    directions[i] = (sarrus_Direction)sarrus_check_int(L, lua_gettop(L), -1, 1);
    lua_pop(L, 2);
  }
  EventsBox *box = sarrus_newuserdata(L, sizeof *box);
  box->events = NULL;
  luaL_getmetatable(L, EVENTS_CLASS);
  lua_setmetatable(L, -2);
  const sarrus_Status status = sarrus_events_new(sarrus_lua_memory(L), graph->graph, count, when,
                                                 directions, parameters, &box->events);
  if (status < 0) return sarrus_raise_status(L, status);
  return 1;
}

/* events:watch(event, contact, change) */
static int watch(lua_State *L) {
  static const char *const changes[] = {"touch", "leave", "stick", "slip", NULL};
  const EventsBox *box = luaL_checkudata(L, 1, EVENTS_CLASS);
  const int event = sarrus_check_int(L, 2, 1, 1 << 20) - 1;
  const int contact = sarrus_check_int(L, 3, 1, 1 << 20) - 1;
  const sarrus_Change change = (sarrus_Change)luaL_checkoption(L, 4, NULL, changes);
  const sarrus_Status status = sarrus_events_watch(box->events, event, contact, change);
  return status < 0 ? sarrus_raise_status(L, status) : 0;
}

/* --- making ------------------------------------------------------------------------------ */

SimBox *sarrus_check_sim(lua_State *L, int index) {
  SimBox *box = luaL_checkudata(L, index, SIM_CLASS);
  if (box->sim == NULL) luaL_error(L, "the simulation is closed");
  box->caller = L;
  return box;
}

static SimBox *check_sim(lua_State *L) { return sarrus_check_sim(L, 1); }

/* The events at index, NULL for nil. */
static const sarrus_Events *check_events(lua_State *L, int index) {
  if (lua_isnil(L, index)) return NULL;
  const EventsBox *box = luaL_checkudata(L, index, EVENTS_CLASS);
  if (box->events == NULL) luaL_error(L, "the events are closed");
  return box->events;
}

static double number_field(lua_State *L, const char *field) {
  lua_getfield(L, 3, field);
  const double value = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return value;
}

/* Ctrl-C reaches scripts as a hook of the standalone interpreter, which waits until it can run. */
static int interrupted(const SimBox *box) {
  lua_State *L = box->caller;
  if (sarrus_caught() != 0) return 1;
  return (lua_gethookmask(L) & LUA_MASKCOUNT) != 0 && lua_gethookcount(L) == 1;
}

enum { ROWS_AT_ONCE = 4096 };

/* Whether a recorder took what has been passed; what an interruption leaves is taken next time. */
static int feed_recorder(const SimBox *box, sarrus_Feed *feed, int here) {
  const sarrus_Status before = feed->status;
  double t;
  for (int rows = 1; sarrus_recorder_due(feed->recorder, here, &t); rows++) {
    const sarrus_Status status = sarrus_recorder_take(feed->recorder);
    if (status < 0 && feed->status >= 0) feed->status = status;
    if (rows % ROWS_AT_ONCE == 0 && interrupted(box)) return 0;
  }
  return feed->status == before;
}

static int is_struck(const sarrus_Sim *sim, int contacts) {
  double impulse[3];
  for (int i = 0; i < contacts; i++)
    if (sarrus_sim_struck(sim, i, impulse)) return 1;
  return 0;
}

/* An impact at the present instant, before and after it. */
static void take_impact(const SimBox *box, sarrus_Feed *feed) {
  const double now = sarrus_sim_time(box->sim);
  if (!feed->marked || feed->struck_at == now || !is_struck(box->sim, box->contacts)) return;
  feed->struck_at = now;
  for (int after = 0; after <= 1; after++) {
    const sarrus_Status status = sarrus_recorder_mark(feed->recorder, after);
    if (status < 0 && feed->status >= 0) feed->status = status;
  }
}

static int feed_recorders(const SimBox *box, int here) {
  int good = 1;
  for (sarrus_Feed *feed = box->feeds; feed != NULL; feed = feed->next) {
    good = feed_recorder(box, feed, 0) && good;
    take_impact(box, feed);
    if (here) good = feed_recorder(box, feed, 1) && good;
  }
  return good;
}

/* Between two steps the recorders see the last one.  1 ends the advance. */
static int between_steps(void *ud) { return !feed_recorders(ud, 0) || interrupted(ud); }

/* The simulation on top of the stack keeps its system and its events, arguments 1 and 2, alive. */
static void anchor(lua_State *L) {
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
  lua_pushvalue(L, 2);
  lua_rawseti(L, -2, 2);
  sarrus_set_anchor(L, -2);
}

/* A box for a simulation of this system, on top of the stack; arguments 1 and 2 as for core.sim. */
static SimBox *new_box(lua_State *L, const sarrus_System *system) {
  const int n = sarrus_system_coordinates(system), m = sarrus_system_multipliers(system);
  const int contacts = sarrus_system_contacts(system), modes = sarrus_system_modes(system);
  const size_t numbers = (size_t)(3 * n + m + modes + 1);
  SimBox *box = sarrus_newuserdata(L, sizeof *box + numbers * sizeof(double));
  *box = (SimBox){NULL, L, n, m, contacts, modes, (double *)(void *)(box + 1), NULL};
  luaL_getmetatable(L, SIM_CLASS);
  lua_setmetatable(L, -2);
  anchor(L);
  return box;
}

/* given.scales, of argument 3, is a list with one for each coordinate, or nil. */
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

/* nil is the default. */
static sarrus_Method method_field(lua_State *L) {
  static const char *const names[] = {"auto", "series", "stiff", NULL};
  lua_getfield(L, 3, "method");
  const int method = luaL_checkoption(L, lua_gettop(L), "auto", names);
  lua_pop(L, 1);
  return (sarrus_Method)method;
}

static int new_sim(lua_State *L) {
  const sarrus_System *system = sarrus_check_system(L, 1);
  const sarrus_Events *events = check_events(L, 2);
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
  const sarrus_Status status =
      sarrus_sim_new(sarrus_lua_memory(L), system, events, &options, &box->sim);
  if (status < 0) return sarrus_raise_status(L, status);
  sarrus_account(L, sarrus_sim_bytes(box->sim));
  set_scales(L, box);
  return 1;
}

enum { MOST_EXTRAS = 256 };

/* sim:save(numbers): the state, with some numbers of the script's, as a string */
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
  const sarrus_Events *events = check_events(L, 2);
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
  SimBox *box = luaL_checkudata(L, 1, SIM_CLASS);
  sarrus_sim_free(box->sim);
  box->sim = NULL;
  return 0;
}

/* --- moving ------------------------------------------------------------------------------ */

/* nil and the failure, at the present time */
static int push_fault(lua_State *L, const SimBox *box, sarrus_Status status) {
  const int pushed = sarrus_push_fault(L, status, sarrus_sim_fault(box->sim));
  lua_pushnumber(L, sarrus_sim_time(box->sim));
  lua_setfield(L, -2, "t");
  return pushed;
}

/* "END" or "EVENT" and the event's number, or a failure */
static int push_result(lua_State *L, const SimBox *box, sarrus_Status status) {
  if (status < 0) return push_fault(L, box, status);
  if (status != SARRUS_STOPPED) {
    lua_pushliteral(L, "END");
    return 1;
  }
  int direction;
  lua_pushliteral(L, "EVENT");
  lua_pushinteger(L, sarrus_sim_event(box->sim, &direction) + 1);
  return 2;
}

/* sim:guess(list): where Newton's method begins for multipliers or algebraic variables */
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
  return push_result(L, box, sarrus_sim_start(box->sim, t, box->buffer, box->buffer + box->n));
}

/* What was passed is recorded; the instant of an event only when it has been acted upon. */
static int push_moved(lua_State *L, SimBox *box, sarrus_Status status) {
  feed_recorders(box, status != SARRUS_STOPPED);
  return push_result(L, box, status);
}

static int advance(lua_State *L) {
  SimBox *box = check_sim(L);
  return push_moved(L, box, sarrus_sim_advance(box->sim, luaL_checknumber(L, 2)));
}

static int step(lua_State *L) {
  SimBox *box = check_sim(L);
  double size;
  const sarrus_Status status = lua_isnoneornil(L, 2)
                                   ? sarrus_sim_step(box->sim, &size)
                                   : sarrus_sim_step_until(box->sim, luaL_checknumber(L, 2), &size);
  return push_moved(L, box, status);
}

/* sim:feed(): the present instant is as it will be recorded */
static int feed(lua_State *L) {
  feed_recorders(check_sim(L), 1);
  return 0;
}

/* sim:mark(after): the present instant, at which velocities jump, before and after that */
static int mark(lua_State *L) {
  for (sarrus_Feed *one = check_sim(L)->feeds; one != NULL; one = one->next) {
    if (!one->marked) continue;
    const sarrus_Status status = sarrus_recorder_mark(one->recorder, lua_toboolean(L, 2));
    if (status < 0 && one->status >= 0) one->status = status;
  }
  return 0;
}

/* --- asking ------------------------------------------------------------------------------ */

static void fill(lua_State *L, int list, const double *numbers, int count) {
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, numbers[i]);
    lua_rawseti(L, list, i + 1);
  }
}

/* Fill the lists q, v, a, lambda, and modes where there is one, at indices 3 to 7. */
static int push_state(lua_State *L, const SimBox *box, sarrus_Status status) {
  const double *x = box->buffer;
  if (status < 0) return push_fault(L, box, status);
  fill(L, 3, x, box->n);
  fill(L, 4, x + box->n, box->n);
  fill(L, 5, x + 2 * box->n, box->n);
  fill(L, 6, x + 3 * box->n, box->m);
  if (lua_istable(L, 7)) fill(L, 7, x + 3 * box->n + box->m, box->modes);
  lua_pushboolean(L, 1);
  return 1;
}

/* sim:at(t, q, v, a, lambda [, modes]) */
static int at(lua_State *L) {
  SimBox *box = check_sim(L);
  double *x = box->buffer;
  sarrus_sim_modes_at(box->sim, luaL_checknumber(L, 2), x + 3 * box->n + box->m);
  return push_state(L, box,
                    sarrus_sim_at(box->sim, luaL_checknumber(L, 2), x, x + box->n, x + 2 * box->n,
                                  x + 3 * box->n));
}

/* sim:state(nil, q, v, a, lambda [, modes]) */
static int state(lua_State *L) {
  SimBox *box = check_sim(L);
  double *x = box->buffer;
  sarrus_sim_modes(box->sim, x + 3 * box->n + box->m);
  return push_state(L, box,
                    sarrus_sim_state(box->sim, x, x + box->n, x + 2 * box->n, x + 3 * box->n));
}

/*
** sim:struck(contact): the impulse along its gap and its slips at the present instant; nothing
** where there was none
*/
static int struck(lua_State *L) {
  SimBox *box = check_sim(L);
  double impulse[3];
  const int contact = sarrus_check_int(L, 2, 1, 1 << 20) - 1;
  if (!sarrus_sim_struck(box->sim, contact, impulse)) return 0;
  for (int k = 0; k < 3; k++)
    lua_pushnumber(L, impulse[k]);
  return 3;
}

static int time_of(lua_State *L) {
  lua_pushnumber(L, sarrus_sim_time(check_sim(L)->sim));
  return 1;
}

static int span(lua_State *L) {
  double from, to;
  sarrus_sim_span(check_sim(L)->sim, &from, &to);
  lua_pushnumber(L, from);
  lua_pushnumber(L, to);
  return 2;
}

static int residual(lua_State *L) {
  SimBox *box = check_sim(L);
  double position, velocity;
  const sarrus_Status status = sarrus_sim_residual(box->sim, &position, &velocity);
  if (status < 0) return push_fault(L, box, status);
  lua_pushnumber(L, position);
  lua_pushnumber(L, velocity);
  return 2;
}

static int notes(lua_State *L) {
  const sarrus_SimNotes notes = sarrus_sim_notes(check_sim(L)->sim);
  lua_pushinteger(L, (lua_Integer)notes.singular);
  lua_pushnumber(L, notes.singular_at);
  lua_pushinteger(L, (lua_Integer)notes.stiff);
  lua_pushnumber(L, notes.stiff_at);
  lua_pushinteger(L, notes.stiff_column + 1);
  lua_pushinteger(L, notes.dependent);
  return 6;
}

static int stats(lua_State *L) {
  const sarrus_SimStats stats = sarrus_sim_stats(check_sim(L)->sim);
  const struct {
    const char *name;
    long long value;
  } counts[] = {{"steps", stats.steps},
                {"rejected", stats.rejected},
                {"factorisations", stats.factorisations},
                {"implicit", stats.implicit},
                {"order", stats.order}};
  const struct {
    const char *name;
    double value;
  } sizes[] = {{"smallest", stats.smallest},
               {"largest", stats.largest},
               {"moved", stats.moved},
               {"moved_velocity", stats.moved_velocity}};
  lua_newtable(L);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    lua_pushinteger(L, (lua_Integer)counts[i].value);
    lua_setfield(L, -2, counts[i].name);
  }
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    lua_pushnumber(L, sizes[i].value);
    lua_setfield(L, -2, sizes[i].name);
  }
  return 1;
}

/* The constraints that depend on others, by number from 1. */
static int dependent(lua_State *L) {
  SimBox *box = check_sim(L);
  int count = 0;
  lua_newtable(L);
  for (int i = 0; i < box->m; i++) {
    if (!sarrus_sim_dependent(box->sim, i)) continue;
    lua_pushinteger(L, i + 1);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

/* The directions in which multipliers are not unique: lists of a number for each constraint. */
static int null(lua_State *L) {
  SimBox *box = check_sim(L);
  lua_newtable(L);
  for (int c = 0; sarrus_sim_null(box->sim, c, box->buffer); c++) {
    lua_createtable(L, box->m, 0);
    fill(L, lua_gettop(L), box->buffer, box->m);
    lua_rawseti(L, -2, c + 1);
  }
  return 1;
}

static int singular(lua_State *L) {
  lua_pushboolean(L, sarrus_sim_singular(check_sim(L)->sim));
  return 1;
}

/* sim:reached(q): the positions that the last start reached, also when it failed */
static int reached(lua_State *L) {
  SimBox *box = check_sim(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  fill(L, 2, sarrus_sim_reached(box->sim), box->n);
  return 0;
}

/* --- interventions ----------------------------------------------------------------------- */

static int get(lua_State *L) {
  lua_pushnumber(L, sarrus_sim_get(check_sim(L)->sim, sarrus_check_int(L, 2, 1, 1 << 20) - 1));
  return 1;
}

static int preset(lua_State *L) {
  SimBox *box = check_sim(L);
  const int parameter = sarrus_check_int(L, 2, 1, 1 << 20) - 1;
  const sarrus_Status status = sarrus_sim_preset(box->sim, parameter, luaL_checknumber(L, 3));
  return status < 0 ? sarrus_raise_status(L, status) : 0;
}

static int set(lua_State *L) {
  SimBox *box = check_sim(L);
  const int parameter = sarrus_check_int(L, 2, 1, 1 << 20) - 1;
  return push_result(L, box, sarrus_sim_set(box->sim, parameter, luaL_checknumber(L, 3)));
}

/*
** A list of whole numbers from 1, at index, as numbers from 0; kept alive as userdata on the stack.
*/
static int *index_list(lua_State *L, int index, int *count) {
  luaL_checktype(L, index, LUA_TTABLE);
  *count = (int)lua_rawlen(L, index);
  int *list = sarrus_newuserdata(L, ((size_t)*count + 1) * sizeof *list);
  for (int i = 0; i < *count; i++) {
    lua_rawgeti(L, index, i + 1);
    list[i] = sarrus_check_int(L, lua_gettop(L), 1, 1 << 30) - 1;
    lua_pop(L, 1);
  }
  return list;
}

/* sim:set_all(parameters, values) */
static int set_all(lua_State *L) {
  SimBox *box = check_sim(L);
  int count;
  const int *list = index_list(L, 2, &count);
  double *values = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *values);
  sarrus_read_numbers(L, 3, count, values);
  return push_result(L, box, sarrus_sim_set_all(box->sim, count, list, values));
}

/* sim:release(constraints, contacts, released) */
static int release(lua_State *L) {
  SimBox *box = check_sim(L);
  const int released = lua_toboolean(L, 4);
  int rows, contacts;
  const int *row = index_list(L, 2, &rows), *contact = index_list(L, 3, &contacts);
  return push_result(L, box,
                     sarrus_sim_release_all(box->sim, rows, row, contacts, contact, released));
}

/* sim:release_force(force, released), sim:lock(lock, locked) */
static int release_force(lua_State *L) {
  SimBox *box = check_sim(L);
  const int force = sarrus_check_int(L, 2, 1, 1 << 20) - 1;
  return push_result(L, box, sarrus_sim_release_force(box->sim, force, lua_toboolean(L, 3)));
}

static int lock(lua_State *L) {
  SimBox *box = check_sim(L);
  const int which = sarrus_check_int(L, 2, 1, 1 << 20) - 1;
  return push_result(L, box, sarrus_sim_lock(box->sim, which, lua_toboolean(L, 3)));
}

/* sim:locked(lock) */
static int locked(lua_State *L) {
  const SimBox *box = check_sim(L);
  lua_pushboolean(L, sarrus_sim_locked(box->sim, sarrus_check_int(L, 2, 1, 1 << 20) - 1));
  return 1;
}

static int impulse(lua_State *L) {
  SimBox *box = check_sim(L);
  sarrus_read_numbers(L, 2, box->n, box->buffer);
  return push_result(L, box, sarrus_sim_impulse(box->sim, box->buffer));
}

void sarrus_bind_sim(lua_State *L) {
  static const luaL_Reg methods[] = {{"start", start},
                                     {"guess", guess},
                                     {"advance", advance},
                                     {"step", step},
                                     {"feed", feed},
                                     {"mark", mark},
                                     {"at", at},
                                     {"state", state},
                                     {"struck", struck},
                                     {"time", time_of},
                                     {"span", span},
                                     {"residual", residual},
                                     {"stats", stats},
                                     {"notes", notes},
                                     {"dependent", dependent},
                                     {"null", null},
                                     {"singular", singular},
                                     {"reached", reached},
                                     {"get", get},
                                     {"preset", preset},
                                     {"set", set},
                                     {"impulse", impulse},
                                     {"set_all", set_all},
                                     {"release", release},
                                     {"release_force", release_force},
                                     {"lock", lock},
                                     {"locked", locked},
                                     {"save", save},
                                     {"close", close_sim},
                                     {NULL, NULL}};
  static const luaL_Reg sim_meta[] = {{"__gc", close_sim}, {NULL, NULL}};
  static const luaL_Reg events_methods[] = {{"watch", watch}, {NULL, NULL}};
  static const luaL_Reg events_meta[] = {{"__gc", collect_events}, {NULL, NULL}};
  sarrus_new_class(L, SIM_CLASS, methods, sim_meta);
  sarrus_new_class(L, EVENTS_CLASS, events_methods, events_meta);
  lua_pushcfunction(L, new_sim);
  lua_setfield(L, -2, "sim");
  lua_pushcfunction(L, restore);
  lua_setfield(L, -2, "restore");
  lua_pushcfunction(L, new_events);
  lua_setfield(L, -2, "events");
}
