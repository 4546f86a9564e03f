/*
** The methods of a simulation (bind_sim.c) that read it and change nothing, for lua/sarrus/sim and
** lua/sarrus/model/state.  Lists are filled, not made, so that reading makes no garbage.
** sim:time(): the present time.  sim:span(): where the last step began and ended.  sim:residual():
** the largest violation of constraints in positions and in velocities.  sim:stats(): a table of
** counts and sizes.  sim:notes(): how many steps were next to singular positions, and when the last
** of them began; how many something fast kept short, when the last of them began, and which
** coordinate kept it short; and how many constraints depend on others now.
** sim:singular(): whether the present position is singular.
*/
#include "binding.h"
#include "sarrus/sarrus.h"

static void fill(lua_State *L, int list, const double *numbers, int count) {
  luaL_checktype(L, list, LUA_TTABLE);
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, numbers[i]);
    lua_rawseti(L, list, i + 1);
  }
}

/* Fill the lists q, v, a, lambda and, if it is given, modes, at indices 3 to 7, from the buffer. */
static int push_state(lua_State *L, const sarrus_SimBox *box, sarrus_Status status) {
  const double *x = box->buffer;
  if (status < 0) return sarrus_push_sim_fault(L, box, status);
  fill(L, 3, x, box->n);
  fill(L, 4, x + box->n, box->n);
  fill(L, 5, x + 2 * box->n, box->n);
  fill(L, 6, x + 3 * box->n, box->m);
  if (lua_istable(L, 7)) fill(L, 7, x + 3 * box->n + box->m, box->modes);
  lua_pushboolean(L, 1);
  return 1;
}

/* sim:at(t, q, v, a, lambda [, modes]): fill the lists with the state at t, within the last step */
static int at(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  double *x = box->buffer;
  sarrus_sim_modes_at(box->sim, luaL_checknumber(L, 2), x + 3 * box->n + box->m);
  return push_state(L, box,
                    sarrus_sim_at(box->sim, luaL_checknumber(L, 2), x, x + box->n, x + 2 * box->n,
                                  x + 3 * box->n));
}

/* sim:state(nil, q, v, a, lambda [, modes]): fill the lists with the present state */
static int state(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
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
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  double impulse[3];
  const int contact = sarrus_check_int(L, 2, 1, 1 << 20) - 1;
  if (!sarrus_sim_struck(box->sim, contact, impulse)) return 0;
  for (int k = 0; k < 3; k++)
    lua_pushnumber(L, impulse[k]);
  return 3;
}

static int time_of(lua_State *L) {
  lua_pushnumber(L, sarrus_sim_time(sarrus_check_sim(L, 1)->sim));
  return 1;
}

static int span(lua_State *L) {
  double from, to;
  sarrus_sim_span(sarrus_check_sim(L, 1)->sim, &from, &to);
  lua_pushnumber(L, from);
  lua_pushnumber(L, to);
  return 2;
}

static int residual(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  double position, velocity;
  const sarrus_Status status = sarrus_sim_residual(box->sim, &position, &velocity);
  if (status < 0) return sarrus_push_sim_fault(L, box, status);
  lua_pushnumber(L, position);
  lua_pushnumber(L, velocity);
  return 2;
}

static int notes(lua_State *L) {
  const sarrus_SimNotes notes = sarrus_sim_notes(sarrus_check_sim(L, 1)->sim);
  lua_pushinteger(L, (lua_Integer)notes.singular);
  lua_pushnumber(L, notes.singular_at);
  lua_pushinteger(L, (lua_Integer)notes.stiff);
  lua_pushnumber(L, notes.stiff_at);
  lua_pushinteger(L, notes.stiff_column + 1);
  lua_pushinteger(L, notes.dependent);
  return 6;
}

static int stats(lua_State *L) {
  const sarrus_SimBox *box = sarrus_check_sim(L, 1);
  const sarrus_SimStats stats = sarrus_sim_stats(box->sim);
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
               {"moved_velocity", stats.moved_velocity},
               {"seconds", box->seconds}};
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

/* sim:dependent(): the list of the constraints that depend on others, from 1 */
static int dependent(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  int count = 0;
  lua_newtable(L);
  for (int i = 0; i < box->m; i++) {
    if (!sarrus_sim_dependent(box->sim, i)) continue;
    lua_pushinteger(L, i + 1);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

/*
** sim:null([lists]): the directions in which multipliers are not unique, as lists with a number for
** each constraint; lists that are given are filled, and superfluous ones removed.
*/
static int null(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  int c = 0;
  lua_settop(L, 2);
  if (!lua_istable(L, 2)) lua_newtable(L);
  const int lists = lua_gettop(L);
  for (; sarrus_sim_null(box->sim, c, box->buffer); c++) {
    lua_rawgeti(L, lists, c + 1);
    if (!lua_istable(L, -1)) {
      lua_createtable(L, box->m, 0);
      lua_pushvalue(L, -1);
      lua_rawseti(L, lists, c + 1);
    }
    fill(L, lua_gettop(L), box->buffer, box->m);
    lua_settop(L, lists);
  }
  for (int old = (int)lua_rawlen(L, lists); old > c; old--) {
    lua_pushnil(L);
    lua_rawseti(L, lists, old);
  }
  return 1;
}

static int singular(lua_State *L) {
  lua_pushboolean(L, sarrus_sim_singular(sarrus_check_sim(L, 1)->sim));
  return 1;
}

/* sim:reached(q): the positions that the last start reached, also when it failed */
static int reached(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  fill(L, 2, sarrus_sim_reached(box->sim), box->n);
  return 0;
}

void sarrus_bind_sim_ask(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"at", at},        {"state", state},       {"struck", struck},
      {"time", time_of}, {"span", span},         {"residual", residual},
      {"stats", stats},  {"notes", notes},       {"dependent", dependent},
      {"null", null},    {"singular", singular}, {"reached", reached},
      {NULL, NULL}};
  sarrus_add_methods(L, SARRUS_SIM_CLASS, methods);
}
