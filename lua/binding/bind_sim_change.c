/*
** The methods of a simulation (bind_sim.c) that change it between steps: parameters, constraints,
** contacts, forces, locks, velocities.  sim:get(parameter) reads a parameter; sim:preset(parameter,
** value) sets one before the start; sim:impulse(list) applies an impulse to each coordinate.
** Methods that change a running simulation return what sarrus_push_sim_result pushes.
*/
#include "binding.h"
#include "sarrus/sarrus.h"

static int get(lua_State *L) {
  lua_pushnumber(
      L, sarrus_sim_get(sarrus_check_sim(L, 1)->sim, sarrus_check_int(L, 2, 1, 1 << 20) - 1));
  return 1;
}

static int preset(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  const int parameter = sarrus_check_int(L, 2, 1, 1 << 20) - 1;
  const sarrus_Status status = sarrus_sim_preset(box->sim, parameter, luaL_checknumber(L, 3));
  return status < 0 ? sarrus_raise_status(L, status) : 0;
}

/* Read the first `count` indices, from 1, of the list at `index`, as numbers from 0. */
static void read_indices(lua_State *L, int index, int count, int *list) {
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, index, i + 1);
    list[i] = sarrus_check_int(L, lua_gettop(L), 1, 1 << 30) - 1;
    lua_pop(L, 1);
  }
}

/* All indices of the list at `index`, in an array that is kept as userdata on the stack. */
static int *index_list(lua_State *L, int index, int *count) {
  luaL_checktype(L, index, LUA_TTABLE);
  *count = (int)lua_rawlen(L, index);
  int *list = sarrus_newuserdata(L, ((size_t)*count + 1) * sizeof *list);
  read_indices(L, index, *count, list);
  return list;
}

/* Up to this many parameters are set without making garbage. */
enum { FEW = 64 };

/* sim:set(parameters, values): set all of these parameters, or none on failure */
static int set(lua_State *L) {
  const sarrus_SimBox *box = sarrus_check_sim(L, 1);
  int few[FEW], count;
  double few_values[FEW];
  int *list = few;
  double *values = few_values;
  luaL_checktype(L, 2, LUA_TTABLE);
  if (lua_rawlen(L, 2) <= FEW) {
    count = (int)lua_rawlen(L, 2);
    read_indices(L, 2, count, list);
  } else {
    list = index_list(L, 2, &count);
    values = sarrus_newuserdata(L, (size_t)count * sizeof *values);
  }
  sarrus_read_numbers(L, 3, count, values);
  return sarrus_push_sim_result(L, box, sarrus_sim_set_all(box->sim, count, list, values));
}

/* sim:release(constraints, contacts, released): release them all, or engage them again */
static int release(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  const int released = lua_toboolean(L, 4);
  int rows, contacts;
  const int *row = index_list(L, 2, &rows), *contact = index_list(L, 3, &contacts);
  return sarrus_push_sim_result(
      L, box, sarrus_sim_release_all(box->sim, rows, row, contacts, contact, released));
}

/* sim:release_force(force, released); likewise sim:lock(lock, locked) */
static int release_force(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  const int force = sarrus_check_int(L, 2, 1, 1 << 20) - 1;
  return sarrus_push_sim_result(L, box,
                                sarrus_sim_release_force(box->sim, force, lua_toboolean(L, 3)));
}

static int lock(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  const int which = sarrus_check_int(L, 2, 1, 1 << 20) - 1;
  return sarrus_push_sim_result(L, box, sarrus_sim_lock(box->sim, which, lua_toboolean(L, 3)));
}

/* sim:locked(lock): whether it is locked */
static int locked(lua_State *L) {
  const sarrus_SimBox *box = sarrus_check_sim(L, 1);
  lua_pushboolean(L, sarrus_sim_locked(box->sim, sarrus_check_int(L, 2, 1, 1 << 20) - 1));
  return 1;
}

/* sim:released(constraint): whether it is released */
static int is_released(lua_State *L) {
  const sarrus_SimBox *box = sarrus_check_sim(L, 1);
  lua_pushboolean(L, sarrus_sim_released(box->sim, sarrus_check_int(L, 2, 1, 1 << 20) - 1));
  return 1;
}

static int impulse(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  sarrus_read_numbers(L, 2, box->n, box->buffer);
  return sarrus_push_sim_result(L, box, sarrus_sim_impulse(box->sim, box->buffer));
}

void sarrus_bind_sim_change(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"get", get},         {"preset", preset},   {"set", set},
      {"impulse", impulse}, {"release", release}, {"release_force", release_force},
      {"lock", lock},       {"locked", locked},   {"released", is_released},
      {NULL, NULL}};
  sarrus_add_methods(L, SARRUS_SIM_CLASS, methods);
}
