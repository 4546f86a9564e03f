/*
** The functions of numbers: core.functions.sin(x) and so on, straight from the C library, so that
** all versions of Lua give the same digits.  Out of the domain they answer what is not finite.
*/
#include <math.h>

#include "binding.h"

static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static double select_sign(double x, double a, double b) { return x >= 0 ? a : x < 0 ? b : x; }
static double smaller(double a, double b) { return b < a ? b : a; }
static double larger(double a, double b) { return b > a ? b : a; }

#define UNARY(X) \
  X(sin, sin)    \
  X(cos, cos)    \
  X(tan, tan)    \
  X(asin, asin)  \
  X(acos, acos)  \
  X(atan, atan)  \
  X(sinh, sinh)  \
  X(cosh, cosh)  \
  X(tanh, tanh)  \
  X(exp, exp)    \
  X(log, log)    \
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

UNARY(FUNCTION_1)
BINARY(FUNCTION_2)

static int call_select(lua_State *L) {
  lua_pushnumber(
      L, select_sign(luaL_checknumber(L, 1), luaL_checknumber(L, 2), luaL_checknumber(L, 3)));
  return 1;
}

static const luaL_Reg functions[] = {
#define ROW(name, f) {#name, call_##name},
    UNARY(ROW) BINARY(ROW)
#undef ROW
        {"select", call_select},
    {NULL, NULL}};

void sarrus_bind_functions(lua_State *L) {
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "functions");
}
