/*
** core.instant(system, parameters, scales, goals): a system at single points, for inverse dynamics
** and inverse kinematics (lua/sarrus/model/reach.lua, model/state/leading.lua, verify/init.lua).
** `parameters` is how many there are, `scales` lists a size for each coordinate, and the last
** `goals` constraints are targets of instant:reach.  An instant keeps its system alive; each call
** gives it the whole state.  Failures come as in bind_system.c, with the time t.
*/
#include <math.h>

#include "binding.h"
#include "sarrus/instant.h"

#define INSTANT_CLASS "sarrus.instant"

typedef struct InstantBox {
  sarrus_Instant *instant;
  int n, m, parameters, goals;
  double *q, *v, *lambda, *parameter; /* at the end of this block */
} InstantBox;

static InstantBox *check_instant(lua_State *L) {
  InstantBox *box = luaL_checkudata(L, 1, INSTANT_CLASS);
  if (box->instant == NULL) luaL_error(L, "the instant is closed");
  return box;
}

/* core.instant(system, parameters, scales, goals): the instant, or an error */
static int new_instant(lua_State *L) {
  const sarrus_System *system = sarrus_check_system(L, 1);
  const int parameters = sarrus_check_int(L, 2, 0, 1 << 20);
  const int goals = sarrus_check_int(L, 4, 0, 1 << 20);
  const int n = sarrus_system_coordinates(system), m = sarrus_system_multipliers(system);
  const size_t numbers = (size_t)(2 * n + m + parameters + 1);
  InstantBox *box = sarrus_newuserdata(L, sizeof *box + numbers * sizeof(double));
  double *room = (double *)(void *)(box + 1);
  *box = (InstantBox){.n = n, .m = m, .parameters = parameters, .goals = goals};
  box->q = room;
  box->v = box->q + n;
  box->lambda = box->v + n;
  box->parameter = box->lambda + m;
  luaL_getmetatable(L, INSTANT_CLASS);
  lua_setmetatable(L, -2);
  lua_createtable(L, 1, 0);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
  sarrus_set_anchor(L, -2);
  sarrus_read_numbers(L, 3, n, box->q);
  const sarrus_Status status =
      sarrus_instant_new(sarrus_lua_memory(L), system, box->q, goals, &box->instant);
  if (status < 0) return sarrus_raise_status(L, status);
  sarrus_account(L, sarrus_instant_bytes(box->instant));
  return 1;
}

static int collect(lua_State *L) {
  InstantBox *box = luaL_checkudata(L, 1, INSTANT_CLASS);
  sarrus_instant_free(box->instant);
  box->instant = NULL;
  return 0;
}

static void fill(lua_State *L, int list, const double *numbers, int count) {
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, numbers[i]);
    lua_rawseti(L, list, i + 1);
  }
}

static void push_list(lua_State *L, const double *numbers, int count) {
  lua_createtable(L, count, 0);
  fill(L, lua_gettop(L), numbers, count);
}

static int push_failed(lua_State *L, sarrus_Status status, const sarrus_Fault *fault, double t) {
  const int pushed = sarrus_push_fault(L, status, fault);
  lua_pushnumber(L, t);
  lua_setfield(L, -2, "t");
  return pushed;
}

/* The indices in the list at `index`, less 1, as an array that is kept on the stack. */
static const int *indices(lua_State *L, int index, int most, int *count) {
  luaL_checktype(L, index, LUA_TTABLE);
  *count = (int)lua_rawlen(L, index);
  int *list = sarrus_newuserdata(L, ((size_t)*count + 1) * sizeof *list);
  for (int i = 0; i < *count; i++) {
    lua_rawgeti(L, index, i + 1);
    list[i] = sarrus_check_int(L, lua_gettop(L), 1, most) - 1;
    lua_pop(L, 1);
  }
  return list;
}

/* instant:motion(t, q, v, parameters, constraints): the list of these constraints' multipliers */
static int motion(lua_State *L) {
  const InstantBox *box = check_instant(L);
  const double t = luaL_checknumber(L, 2);
  sarrus_Fault fault;
  int count;
  sarrus_read_numbers(L, 3, box->n, box->q);
  sarrus_read_numbers(L, 4, box->n, box->v);
  sarrus_read_numbers(L, 5, box->parameters, box->parameter);
  const int *constraint = indices(L, 6, box->m, &count);
  const sarrus_Status status = sarrus_instant_motion(box->instant, t, box->q, box->v,
                                                     box->parameter, NULL, box->lambda, &fault);
  if (status < 0) return push_failed(L, status, &fault, t);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, box->lambda[constraint[i]]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/*
** instant:rates(t, q, parameters, constraints): for each of the constraints the list of velocities
** at which its rate is 1 and all others stay; and the matrix of the multipliers that belong to
** them, with the sign of a mass
*/
static int rates(lua_State *L) {
  const InstantBox *box = check_instant(L);
  const double t = luaL_checknumber(L, 2);
  sarrus_Fault fault;
  int count;
  sarrus_read_numbers(L, 3, box->n, box->q);
  sarrus_read_numbers(L, 4, box->parameters, box->parameter);
  const int *constraint = indices(L, 5, box->m, &count);
  const size_t room = (size_t)count * (size_t)(box->n + box->m) + 1;
  double *velocity = sarrus_newuserdata(L, room * sizeof *velocity);
  double *lambda = velocity + (ptrdiff_t)count * box->n;
  const sarrus_Status status = sarrus_instant_rates(box->instant, t, box->q, box->parameter, count,
                                                    constraint, velocity, lambda, &fault);
  if (status < 0) return push_failed(L, status, &fault, t);
  lua_createtable(L, count, 0);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    push_list(L, velocity + (ptrdiff_t)i * box->n, box->n);
    lua_rawseti(L, -3, i + 1);
    lua_createtable(L, count, 0);
    for (int j = 0; j < count; j++) {
      lua_pushnumber(L, -lambda[(ptrdiff_t)i * box->m + constraint[j]]);
      lua_rawseti(L, -2, j + 1);
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 2;
}

/* The list of numbers in a field of the aim, argument 5, as an array kept on the stack. */
static const double *number_field(lua_State *L, const char *field, int *count) {
  lua_getfield(L, 5, field);
  luaL_checktype(L, -1, LUA_TTABLE);
  *count = (int)lua_rawlen(L, -1);
  double *numbers = sarrus_newuserdata(L, ((size_t)*count + 1) * sizeof *numbers);
  sarrus_read_numbers(L, lua_gettop(L) - 1, *count, numbers);
  return numbers;
}

/* { off =, iterations =, closed =, value = {}, held = {} } */
static void push_reached(lua_State *L, const InstantBox *box, const sarrus_Reached *reached,
                         const double *value, const int *held) {
  lua_createtable(L, 0, 5);
  lua_pushnumber(L, reached->off);
  lua_setfield(L, -2, "off");
  lua_pushinteger(L, reached->iterations);
  lua_setfield(L, -2, "iterations");
  lua_pushboolean(L, reached->closed);
  lua_setfield(L, -2, "closed");
  push_list(L, value, box->goals);
  lua_setfield(L, -2, "value");
  lua_createtable(L, box->goals, 0);
  for (int i = 0; i < box->goals; i++) {
    lua_pushboolean(L, held[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "held");
}

/*
** instant:reach(t, q, parameters, { unit = {}, axes = {}, wanted = {} [, thorough =] }): changes
** the list q so that goals are met; returns true or false, and what became of the goals
** (push_reached); or a failure
*/
static int reach(lua_State *L) {
  const InstantBox *box = check_instant(L);
  const double t = luaL_checknumber(L, 2);
  sarrus_Fault fault;
  sarrus_Reached reached;
  sarrus_Aim aim;
  int wanted;
  sarrus_read_numbers(L, 3, box->n, box->q);
  sarrus_read_numbers(L, 4, box->parameters, box->parameter);
  luaL_checktype(L, 5, LUA_TTABLE);
  aim.unit = number_field(L, "unit", &aim.targets);
  const double *axes = number_field(L, "axes", &aim.turns);
  aim.wanted = number_field(L, "wanted", &wanted);
  lua_getfield(L, 5, "thorough");
  aim.thorough = lua_toboolean(L, -1);
  if (wanted != 9 * aim.turns) return luaL_error(L, "a turn has nine numbers");
  int *first = sarrus_newuserdata(L, ((size_t)aim.turns + 1) * sizeof *first);
  for (int i = 0; i < aim.turns; i++)
    first[i] = (int)axes[i] - 1;
  aim.axes = first;
  double *value = sarrus_newuserdata(L, ((size_t)box->goals + 1) * sizeof *value);
  int *held = sarrus_newuserdata(L, ((size_t)box->goals + 1) * sizeof *held);
  for (int i = 0; i < box->goals; i++) {
    value[i] = (double)NAN;
    held[i] = 0;
  }
  const sarrus_Status status = sarrus_instant_reach(box->instant, t, box->q, box->parameter, &aim,
                                                    value, held, &reached, &fault);
  if (status == SARRUS_NOMEM || status == SARRUS_ARGUMENT) return sarrus_raise_status(L, status);
  if (status < 0 && status != SARRUS_INCONSISTENT) return push_failed(L, status, &fault, t);
  fill(L, 3, box->q, box->n);
  lua_pushboolean(L, status == SARRUS_OK);
  push_reached(L, box, &reached, value, held);
  return 2;
}

void sarrus_bind_instant(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"motion", motion}, {"rates", rates}, {"reach", reach}, {NULL, NULL}};
  static const luaL_Reg meta[] = {{"__gc", collect}, {NULL, NULL}};
  sarrus_new_class(L, INSTANT_CLASS, methods, meta);
  lua_pushcfunction(L, new_instant);
  lua_setfield(L, -2, "instant");
}
