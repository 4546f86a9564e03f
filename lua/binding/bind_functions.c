/*
** Functions of numbers, for lua/sarrus/expr: core.functions.sin(x) and so on, straight from the C
** library, so that all versions of Lua give the same digits.  Outside their domain they return NaN
** or an infinity, and raise nothing.  core.smooth lists by name the functions that series have,
** too, each with the interval { low, high } of its domain.
*/
#include <math.h>
#include <string.h>

#include "binding.h"

static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static double select_sign(double x, double a, double b) { return x >= 0 ? a : x < 0 ? b : x; }
static double smaller(double a, double b) { return b < a ? b : a; }
static double larger(double a, double b) { return b > a ? b : a; }

#define UNARY(X) \
  X(sqrt, sqrt)  \
  X(abs, fabs)   \
  X(sign, sign)

#define BINARY(X) \
  X(atan2, atan2) \
  X(min, smaller) \
  X(max, larger)

#define FUNCTION_1(name, f)                       \
  static int call_##name(lua_State *L) {          \
    lua_pushnumber(L, f(luaL_checknumber(L, 1))); \
    return 1;                                     \
  }
#define FUNCTION_2(name, f)                                               \
  static int call_##name(lua_State *L) {                                  \
    lua_pushnumber(L, f(luaL_checknumber(L, 1), luaL_checknumber(L, 2))); \
    return 1;                                                             \
  }

#define SMOOTH_1(op, name, f, ...)                \
  static int call_##op(lua_State *L) {            \
    lua_pushnumber(L, f(luaL_checknumber(L, 1))); \
    return 1;                                     \
  }

SARRUS_FUNCTIONS(SMOOTH_1)
UNARY(FUNCTION_1)
BINARY(FUNCTION_2)

static int call_select(lua_State *L) {
  lua_pushnumber(
      L, select_sign(luaL_checknumber(L, 1), luaL_checknumber(L, 2), luaL_checknumber(L, 3)));
  return 1;
}

static const luaL_Reg functions[] = {
#define SMOOTH_ROW(op, name, ...) {name, call_##op},
#define ROW(name, f) {#name, call_##name},
    SARRUS_FUNCTIONS(SMOOTH_ROW) UNARY(ROW) BINARY(ROW){"select", call_select}, {NULL, NULL}};

/*
** Functions of series.  Each is compiled when it is first asked for, and kept by its name in the
** table FUNCTIONS of the registry.
*/
#define FUNCTIONS "sarrus.functions"
#define FUNCTION_CLASS "sarrus.function"

typedef struct FunctionBox {
  sarrus_Function *function;
} FunctionBox;

static int collect(lua_State *L) {
  FunctionBox *box = luaL_checkudata(L, 1, FUNCTION_CLASS);
  sarrus_function_free(box->function);
  box->function = NULL;
  return 0;
}

static sarrus_Op find_op(const char *name) {
  int op = 0;
  while (op < SARRUS_OP_COUNT && strcmp(sarrus_op_name((sarrus_Op)op), name) != 0)
    op++;
  return (sarrus_Op)op;
}

/* Push a new box with the compiled function; returns the status of compiling it. */
static sarrus_Status push_function(lua_State *L, sarrus_Op op) {
  FunctionBox *box = sarrus_newuserdata(L, sizeof *box);
  box->function = NULL;
  luaL_getmetatable(L, FUNCTION_CLASS);
  lua_setmetatable(L, -2);
  return sarrus_function_new(sarrus_lua_memory(L), op, &box->function);
}

const sarrus_Function *sarrus_check_function(lua_State *L, int index) {
  const char *name = luaL_checkstring(L, index);
  lua_getfield(L, LUA_REGISTRYINDEX, FUNCTIONS);
  lua_getfield(L, -1, name);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    const sarrus_Status status = push_function(L, find_op(name));
    if (status == SARRUS_ARGUMENT) luaL_error(L, "no function '%s' of series", name);
    if (status < 0) sarrus_raise_status(L, status);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, name);
  }
  const FunctionBox *box = lua_touserdata(L, -1);
  lua_pop(L, 2);
  return box->function;
}

static void add_smooth(lua_State *L, sarrus_Op op) {
  double domain[2];
  sarrus_op_domain(op, &domain[0], &domain[1]);
  lua_createtable(L, 2, 0);
  for (int i = 0; i < 2; i++) {
    lua_pushnumber(L, domain[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, sarrus_op_name(op));
}

void sarrus_bind_functions(lua_State *L) {
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "functions");
  lua_newtable(L);
#define ADD(op, ...) add_smooth(L, SARRUS_OP_##op);
  SARRUS_FUNCTIONS(ADD)
  add_smooth(L, SARRUS_OP_SQRT);
  add_smooth(L, SARRUS_OP_ATAN2);
  lua_setfield(L, -2, "smooth");
  static const luaL_Reg metamethods[] = {{"__gc", collect}, {NULL, NULL}};
  sarrus_new_class(L, FUNCTION_CLASS, NULL, metamethods);
  lua_newtable(L);
  lua_setfield(L, LUA_REGISTRYINDEX, FUNCTIONS);
}
