/*
** core.series: series as userdata, which never change.  lua/sarrus/series/init.lua fills their
** metatable, core.series.metatable, and their methods, core.series.methods.  Functions that can
** fail return nil, a sentence and a code, to which the Lua file adds what was asked for.
** core.number(x), core.number_fraction(x), core.number_exact(x): numbers as text, sarrus/number.h.
*/
#include <string.h>

#include "binding.h"
#include "sarrus/number.h"
#include "sarrus/series.h"

typedef struct Series {
  int order;
  double c[];
} Series;

static size_t count_bytes(int order) { return ((size_t)order + 1) * sizeof(double); }

double *sarrus_new_series(lua_State *L, int order) {
  Series *s = sarrus_newuserdata(L, sizeof *s + count_bytes(order));
  s->order = order;
  memset(s->c, 0, count_bytes(order));
  luaL_getmetatable(L, SARRUS_SERIES_CLASS);
  lua_setmetatable(L, -2);
  return s->c;
}

/* debug.setmetatable can put our metatable on another userdata, which has another length. */
static const Series *test_series(lua_State *L, int index) {
  const Series *s = luaL_testudata(L, index, SARRUS_SERIES_CLASS);
  if (s == NULL) return NULL;
  const size_t length = lua_rawlen(L, index);
  if (length < sizeof *s || s->order < 0) return NULL;
  return length == sizeof *s + count_bytes(s->order) ? s : NULL;
}

const double *sarrus_to_series(lua_State *L, int index, int *order) {
  const Series *s = test_series(L, index);
  if (s == NULL) return NULL;
  *order = s->order;
  return s->c;
}

static const Series *check_series(lua_State *L, int index) {
  const Series *s = test_series(L, index);
  if (s == NULL) luaL_error(L, "argument %d is no series", index);
  return s;
}

/* Memory that is valid as long as it stays on the stack. */
static void *push_scratch(lua_State *L, size_t bytes) {
  return sarrus_newuserdata(L, bytes > 0 ? bytes : 1);
}

/* Return the series on top of the stack; or the failure. */
static int answer(lua_State *L, sarrus_Status status) {
  return status < 0 ? sarrus_fail(L, status, NULL) : 1;
}

static int check_order(lua_State *L, int index) {
  return sarrus_check_int(L, index, 0, SARRUS_MAX_ORDER);
}

/*
** Functions by name: core.series.apply(name, a, b, c)
*/

typedef struct Operand {
  const double *c; /* a number: the constant series */
  int is_number;
} Operand;

/* One call: its result, its operands, and the order of all of them. */
enum { OPERANDS = 3 };
typedef struct Call {
  double *y;
  Operand x[OPERANDS];
  int order;
} Call;

typedef sarrus_Status (*Run)(const Call *f);

#define RUN(name) static sarrus_Status run_##name(const Call *f)

static sarrus_Status finite(const double *y, int order) {
  return sarrus_series_is_finite(y, order) ? SARRUS_OK : SARRUS_NONFINITE;
}

static sarrus_Status scale(const Call *f, double factor, const double *u) {
  for (int k = 0; k <= f->order; k++)
    f->y[k] = factor * u[k];
  return finite(f->y, f->order);
}

static sarrus_Status copy(const Call *f, int i) {
  memcpy(f->y, f->x[i].c, count_bytes(f->order));
  return SARRUS_OK;
}

/* 0 - u, so that there are no negative zeros */
RUN(neg) {
  for (int k = 0; k <= f->order; k++)
    f->y[k] = 0 - f->x[0].c[k];
  return SARRUS_OK;
}

RUN(add) {
  for (int k = 0; k <= f->order; k++)
    f->y[k] = f->x[0].c[k] + f->x[1].c[k];
  return finite(f->y, f->order);
}

RUN(sub) {
  for (int k = 0; k <= f->order; k++)
    f->y[k] = f->x[0].c[k] - f->x[1].c[k];
  return finite(f->y, f->order);
}

RUN(mul) {
  const Operand *a = &f->x[0], *b = &f->x[1];
  if (a->is_number) return scale(f, a->c[0], b->c);
  if (b->is_number) return scale(f, b->c[0], a->c);
  return sarrus_series_mul(f->y, a->c, b->c, f->order);
}

RUN(div) {
  const Operand *a = &f->x[0], *b = &f->x[1];
  if (!b->is_number) return sarrus_series_div(f->y, a->c, b->c, f->order);
  for (int k = 0; k <= f->order; k++)
    f->y[k] = a->c[k] / b->c[0];
  return finite(f->y, f->order);
}

RUN(abs) { return sarrus_series_sign(f->x[0].c, f->order) < 0 ? run_neg(f) : copy(f, 0); }

RUN(sign) {
  memset(f->y, 0, count_bytes(f->order));
  f->y[0] = sarrus_series_sign(f->x[0].c, f->order);
  return SARRUS_OK;
}

static int compare(const Call *f) { return sarrus_series_compare(f->x[0].c, f->x[1].c, f->order); }

RUN(min) { return copy(f, compare(f) <= 0 ? 0 : 1); }
RUN(max) { return copy(f, compare(f) >= 0 ? 0 : 1); }
RUN(select) { return copy(f, sarrus_series_sign(f->x[0].c, f->order) >= 0 ? 1 : 2); }

typedef struct Function {
  const char *name;
  int arity;
  Run run;
} Function;

static const Function functions[] = {
#define ROW(name, arity) {#name, arity, run_##name},
    ROW(neg, 1) ROW(abs, 1) ROW(sign, 1) ROW(add, 2) ROW(sub, 2) ROW(mul, 2) ROW(div, 2) ROW(min, 2)
        ROW(max, 2) ROW(select, 3)
#undef ROW
};

/* NULL for the functions that are compiled from a tape (sarrus_check_function). */
static const Function *find_function(lua_State *L, int index) {
  const char *name = luaL_checkstring(L, index);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0) return &functions[i];
  return NULL;
}

/* The lowest order among the series at first..first + count - 1. */
static int common_order(lua_State *L, int first, int count) {
  int lowest = -1, order;
  for (int i = first; i < first + count; i++)
    if (sarrus_to_series(L, i, &order) != NULL && (lowest < 0 || order < lowest)) lowest = order;
  if (lowest < 0) luaL_error(L, "no series among the operands");
  return lowest;
}

static Operand check_operand(lua_State *L, int index, int order, double *room) {
  int own_order;
  const double *c = sarrus_to_series(L, index, &own_order);
  if (c != NULL) return (Operand){c, 0};
  memset(room, 0, count_bytes(order));
  room[0] = luaL_checknumber(L, index);
  return (Operand){room, 1};
}

/* Read the operands, from index 2 on, and push the series of the result. */
static void prepare(lua_State *L, int arity, Call *f) {
  f->order = common_order(L, 2, arity);
  double *room = push_scratch(L, OPERANDS * count_bytes(f->order));
  for (int i = 0; i < arity; i++, room += f->order + 1)
    f->x[i] = check_operand(L, 2 + i, f->order, room);
  f->y = sarrus_new_series(L, f->order);
}

static int apply_compiled(lua_State *L) {
  const sarrus_Function *function = sarrus_check_function(L, 1);
  Call f;
  const int arity = sarrus_op_arity(sarrus_function_op(function));
  prepare(L, arity, &f);
  const double *u[OPERANDS] = {f.x[0].c, arity > 1 ? f.x[1].c : NULL, NULL};
  double *room = push_scratch(L, sarrus_function_room(function, f.order, 0) * sizeof *room);
  const sarrus_Status status = sarrus_function_run(function, u, f.order, 0, f.y, room);
  lua_pop(L, 1);
  return answer(L, status);
}

static int apply(lua_State *L) {
  const Function *function = find_function(L, 1);
  Call f;
  if (function == NULL) return apply_compiled(L);
  prepare(L, function->arity, &f);
  return answer(L, function->run(&f));
}

/*
** Series of series: core.series.nested(name, order, u, v), where u and v are tables of numbers and
** series from index 0, and so is the result.
*/

/* How many coefficients coefficient k of operand i has; 0 for a number, which fits any length. */
static int nested_length(lua_State *L, int i, int k) {
  int order = -1;
  lua_rawgeti(L, 3 + i, k);
  if (sarrus_to_series(L, -1, &order) == NULL) luaL_checknumber(L, -1);
  lua_pop(L, 1);
  return order + 1;
}

static void read_nested(lua_State *L, int i, int order, int stride, double *to) {
  for (int k = 0; k <= order; k++, to += stride) {
    int own;
    lua_rawgeti(L, 3 + i, k);
    const double *c = sarrus_to_series(L, -1, &own);
    if (c != NULL)
      memcpy(to, c, count_bytes(own));
    else
      to[0] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
}

/* Coefficient k has as many coefficients as the shortest coefficient 0 … k of any operand. */
static void push_nested(lua_State *L, int arity, int order, int stride, const double *y) {
  int length = 0;
  lua_createtable(L, order, 1);
  for (int k = 0; k <= order; k++, y += stride) {
    for (int i = 0; i < arity; i++) {
      const int own = nested_length(L, i, k);
      if (own > 0 && (length == 0 || own < length)) length = own;
    }
    if (length > 0)
      memcpy(sarrus_new_series(L, length - 1), y, count_bytes(length - 1));
    else
      lua_pushnumber(L, y[0]);
    lua_rawseti(L, -2, k);
  }
}

static int nested(lua_State *L) {
  const sarrus_Function *function = sarrus_check_function(L, 1);
  const int order = check_order(L, 2), arity = sarrus_op_arity(sarrus_function_op(function));
  int stride = 1;
  for (int i = 0; i < arity; i++) {
    luaL_checktype(L, 3 + i, LUA_TTABLE);
    for (int k = 0; k <= order; k++) {
      const int length = nested_length(L, i, k);
      if (length > stride) stride = length;
    }
  }
  const size_t count = ((size_t)order + 1) * (size_t)stride;
  const size_t room = sarrus_function_room(function, order, stride - 1);
  double *numbers = push_scratch(L, (OPERANDS * count + room) * sizeof *numbers);
  memset(numbers, 0, OPERANDS * count * sizeof *numbers);
  const double *u[] = {numbers + count, numbers + 2 * count};
  for (int i = 0; i < arity; i++)
    read_nested(L, i, order, stride, numbers + (size_t)(i + 1) * count);
  const sarrus_Status status =
      sarrus_function_run(function, u, order, stride - 1, numbers, numbers + OPERANDS * count);
  if (status < 0) return sarrus_fail(L, status, NULL);
  push_nested(L, arity, order, stride, numbers);
  return 1;
}

/* core.series.power(s, exponent) */
static int power(lua_State *L) {
  const Series *s = check_series(L, 1);
  const double r = luaL_checknumber(L, 2);
  const int whole = r >= -2147483647 && r <= 2147483647 && r == (double)(int)r;
  double *work = NULL;
  if (whole) {
    const size_t count = (size_t)sarrus_series_integer_power_work((int)r);
    work = push_scratch(L, count * count_bytes(s->order));
  }
  double *y = sarrus_new_series(L, s->order);
  return answer(L, whole ? sarrus_series_integer_power(y, s->c, (int)r, s->order, work)
                         : sarrus_series_pow(y, s->c, r, s->order));
}

/*
** Making and reading
*/

/* core.series.new(list, count): the first count numbers of the list */
static int new_series(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const int count = sarrus_check_int(L, 2, 1, SARRUS_MAX_ORDER + 1);
  double *c = sarrus_new_series(L, count - 1);
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, 1, k + 1);
    c[k] = luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  return 1;
}

static int variable(lua_State *L) {
  const int order = check_order(L, 1);
  double *c = sarrus_new_series(L, order);
  if (order > 0) c[1] = 1;
  return 1;
}

static int is_series(lua_State *L) {
  lua_pushboolean(L, test_series(L, 1) != NULL);
  return 1;
}

/* s[k], s.order, or a method from the first upvalue */
static int index_series(lua_State *L) {
  const Series *s = check_series(L, 1);
  if (lua_type(L, 2) == LUA_TNUMBER) {
    const double k = lua_tonumber(L, 2);
    if (!(k >= 0 && k <= s->order && k == (double)(int)k)) return 0;
    lua_pushnumber(L, s->c[(int)k]);
    return 1;
  }
  if (lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "order") == 0) {
    lua_pushinteger(L, s->order);
    return 1;
  }
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(1));
  return 1;
}

static int equal(lua_State *L) {
  const Series *a = check_series(L, 1), *b = check_series(L, 2);
  lua_pushboolean(L, a->order == b->order && sarrus_series_compare(a->c, b->c, a->order) == 0);
  return 1;
}

typedef size_t (*Print)(const double *c, int order, const char *variable, char *text, size_t size);

static int push_text(lua_State *L, Print print) {
  const Series *s = check_series(L, 1);
  const char *name = luaL_optstring(L, 2, "t");
  const size_t length = print(s->c, s->order, name, NULL, 0);
  char *text = push_scratch(L, length + 1);
  print(s->c, s->order, name, text, length + 1);
  lua_pushlstring(L, text, length);
  return 1;
}

static int text_series(lua_State *L) { return push_text(L, sarrus_series_print); }

static int text_polynomial(lua_State *L) { return push_text(L, sarrus_polynomial_print); }

/* __tostring: without the second argument of text, the name of the variable */
static int tostring(lua_State *L) {
  lua_settop(L, 1);
  return text_series(L);
}

/*
** Calculus
*/

static int eval(lua_State *L) {
  const Series *s = check_series(L, 1);
  lua_pushnumber(L, sarrus_series_eval(s->c, s->order, luaL_checknumber(L, 2)));
  return 1;
}

static int compose(lua_State *L) {
  const Series *s = check_series(L, 1), *u = check_series(L, 2);
  const int order = u->c[0] == 0 ? common_order(L, 1, 2) : u->order;
  double *y = sarrus_new_series(L, order);
  return answer(L, sarrus_series_compose(y, s->c, s->order, u->c, order));
}

static int derivative(lua_State *L) {
  const Series *s = check_series(L, 1);
  if (s->order == 0) return luaL_error(L, "a series of order 0 has no derivative");
  double *y = sarrus_new_series(L, s->order - 1);
  sarrus_series_derivative(y, s->c, s->order);
  return answer(L, finite(y, s->order - 1));
}

static int integral(lua_State *L) {
  const Series *s = check_series(L, 1);
  const double constant = luaL_optnumber(L, 2, 0);
  sarrus_series_integral(sarrus_new_series(L, s->order + 1), s->c, s->order, constant);
  return 1;
}

/* core.series.pade(s, m, n): numerator, denominator */
static int pade(lua_State *L) {
  const Series *s = check_series(L, 1);
  const int m = check_order(L, 2), n = sarrus_check_int(L, 3, 0, SARRUS_MAX_PADE);
  if (m + n > s->order) return luaL_error(L, "the degrees exceed the order");
  double *work = push_scratch(L, (size_t)n * ((size_t)n + 5) * sizeof *work);
  int *pivots = push_scratch(L, 2 * (size_t)n * sizeof *pivots);
  double *p = sarrus_new_series(L, m), *q = sarrus_new_series(L, n);
  const sarrus_Status status = sarrus_series_pade(s->c, m, n, p, q, work, pivots);
  return status < 0 ? sarrus_fail(L, status, NULL) : 2;
}

/*
** Numbers
*/

#define NUMBER(function, print)                       \
  static int function(lua_State *L) {                 \
    char text[SARRUS_NUMBER_SIZE];                    \
    print(luaL_checknumber(L, 1), text, sizeof text); \
    lua_pushstring(L, text);                          \
    return 1;                                         \
  }

NUMBER(number, sarrus_number_print)
NUMBER(number_fraction, sarrus_number_print_fraction)
NUMBER(number_exact, sarrus_number_print_exact)

static const luaL_Reg number_functions[] = {{"number", number},
                                            {"number_fraction", number_fraction},
                                            {"number_exact", number_exact},
                                            {NULL, NULL}};

static const luaL_Reg series_functions[] = {{"apply", apply},
                                            {"nested", nested},
                                            {"power", power},
                                            {"new", new_series},
                                            {"variable", variable},
                                            {"is", is_series},
                                            {"polynomial_text", text_polynomial},
                                            {"text", text_series},
                                            {"eval", eval},
                                            {"compose", compose},
                                            {"derivative", derivative},
                                            {"integral", integral},
                                            {"pade", pade},
                                            {NULL, NULL}};

static const luaL_Reg metamethods[] = {{"__eq", equal}, {"__tostring", tostring}, {NULL, NULL}};

/* core.series.metatable and core.series.methods are left for the Lua file to fill. */
void sarrus_bind_series(lua_State *L) {
  luaL_setfuncs(L, number_functions, 0);
  luaL_newlib(L, series_functions);
  lua_pushinteger(L, SARRUS_MAX_ORDER);
  lua_setfield(L, -2, "max_order");
  lua_pushinteger(L, SARRUS_MAX_PADE);
  lua_setfield(L, -2, "max_pade");
  sarrus_new_class(L, SARRUS_SERIES_CLASS, NULL, metamethods);
  luaL_getmetatable(L, SARRUS_SERIES_CLASS);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, -4, "methods");
  lua_pushcclosure(L, index_series, 1);
  lua_setfield(L, -2, "__index");
  lua_setfield(L, -2, "metatable");
  lua_setfield(L, -2, "series");
}
