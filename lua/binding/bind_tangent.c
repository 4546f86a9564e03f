/*
** Derivatives of a simulation (bind_sim.c), for lua/sarrus/sim/sensitivity.lua and
** lua/sarrus/steady.  A direction is a change of start and parameters; sim:directions sets those
** that are followed from then on, and sim:tangent reads them.  Lists of several directions hold one
** direction after the other.  Failures come as in bind_sim.c, for lost tangents with the time from
** which on there are none.
*/
#include "binding.h"
#include "sarrus/sarrus.h"

static void push_list(lua_State *L, const double *numbers, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, numbers[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

/* The `count` numbers of the list at index, kept as userdata on the stack; NULL for nil. */
static double *check_list(lua_State *L, int index, int count) {
  if (lua_isnoneornil(L, index)) return NULL;
  double *numbers = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *numbers);
  sarrus_read_numbers(L, index, count, numbers);
  return numbers;
}

static int check_count(lua_State *L) { return sarrus_check_int(L, 2, 0, SARRUS_MOST_DIRECTIONS); }

/*
** sim:slopes(count, dq, dv, dp or nil): four lists for all directions at the present state: dq and
** dv projected onto the constraints, da, dlambda
*/
static int slopes(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  const int count = check_count(L), n = count * box->n, m = count * box->m;
  lua_settop(L, 5);
  double *dq = check_list(L, 3, n), *dv = check_list(L, 4, n);
  const double *dp = check_list(L, 5, count * sarrus_sim_parameter_count(box->sim));
  double *da = sarrus_newuserdata(L, ((size_t)(n + m) + 1) * sizeof *da);
  luaL_argcheck(L, dq != NULL && dv != NULL, 3, "numbers expected");
  const sarrus_Status status = sarrus_sim_slopes(box->sim, count, dq, dv, dp, da, da + n);
  if (status < 0) return sarrus_push_sim_fault(L, box, status);
  push_list(L, dq, n);
  push_list(L, dv, n);
  push_list(L, da, n);
  push_list(L, da + n, m);
  return 4;
}

/* sim:directions(count, dq, dv, dp): follow these from now on; a list may be nil for zeros */
static int directions(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  const int count = check_count(L);
  lua_settop(L, 5);
  const double *dq = check_list(L, 3, count * box->n), *dv = check_list(L, 4, count * box->n),
               *dp = check_list(L, 5, count * sarrus_sim_parameter_count(box->sim));
  const sarrus_Status status = sarrus_sim_directions(box->sim, count, dq, dv, dp);
  if (status < 0) return sarrus_push_sim_fault(L, box, status);
  lua_pushboolean(L, 1);
  return 1;
}

/* Push the failure; if tangents are lost, with the time from which on there are none. */
static int push_lost(lua_State *L, const sarrus_SimBox *box, sarrus_Status status) {
  double t;
  const int pushed = sarrus_push_sim_fault(L, box, status);
  if (sarrus_sim_tangent_end(box->sim, &t) >= 0) return pushed;
  lua_pushnumber(L, t);
  lua_setfield(L, -2, "t");
  return pushed;
}

/* sim:tangent(t or nil for now, direction, dq, dv, da, dlambda): fill the lists */
static int tangent(lua_State *L) {
  sarrus_SimBox *box = sarrus_check_sim(L, 1);
  const int direction = sarrus_check_int(L, 3, 1, SARRUS_MOST_DIRECTIONS) - 1, n = box->n;
  double *x = box->buffer;
  const sarrus_Status status =
      lua_isnoneornil(L, 2)
          ? sarrus_sim_tangent(box->sim, direction, x, x + n, x + 2 * n, x + 3 * n)
          : sarrus_sim_tangent_at(box->sim, luaL_checknumber(L, 2), direction, x, x + n, x + 2 * n,
                                  x + 3 * n);
  if (status < 0) return push_lost(L, box, status);
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < (k < 3 ? n : box->m); i++) {
      lua_pushnumber(L, x[k * n + i]);
      lua_rawseti(L, 4 + k, i + 1);
    }
  }
  lua_pushboolean(L, 1);
  return 1;
}

/* sim:parameter_slope(parameter, direction): the present derivative of a parameter */
static int parameter_slope(lua_State *L) {
  const sarrus_SimBox *box = sarrus_check_sim(L, 1);
  const int parameter = sarrus_check_int(L, 2, 1, 1 << 20) - 1;
  const int direction = sarrus_check_int(L, 3, 1, SARRUS_MOST_DIRECTIONS) - 1;
  lua_pushnumber(L, sarrus_sim_parameter_slope(box->sim, parameter, direction));
  return 1;
}

/* sim:lose_tangents(): the script makes a change whose derivative is unknown: tangents end here */
static int lose_tangents(lua_State *L) {
  sarrus_sim_lose_tangents(sarrus_check_sim(L, 1)->sim);
  return 0;
}

/* sim:direction_count(): how many directions are followed */
static int direction_count(lua_State *L) {
  lua_pushinteger(L, sarrus_sim_direction_count(sarrus_check_sim(L, 1)->sim));
  return 1;
}

/* sim:instant(direction): the derivative of the present instant, that of an event; else nothing */
static int instant(lua_State *L) {
  const sarrus_SimBox *box = sarrus_check_sim(L, 1);
  const int direction = sarrus_check_int(L, 2, 1, SARRUS_MOST_DIRECTIONS) - 1;
  const double slope = sarrus_sim_instant(box->sim, direction);
  if (slope != slope) return 0;
  lua_pushnumber(L, slope);
  return 1;
}

void sarrus_bind_tangent(lua_State *L) {
  static const luaL_Reg methods[] = {{"slopes", slopes},
                                     {"directions", directions},
                                     {"tangent", tangent},
                                     {"instant", instant},
                                     {"direction_count", direction_count},
                                     {"parameter_slope", parameter_slope},
                                     {"lose_tangents", lose_tangents},
                                     {NULL, NULL}};
  sarrus_add_methods(L, SARRUS_SIM_CLASS, methods);
}
