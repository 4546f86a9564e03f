/*
** core.graph(): an expression graph of the core, which lua/sarrus/expr/graph.lua wraps.  Its
** methods make nodes, which are whole numbers, the same for equal expressions, and stay valid as
** long as the graph lives.  Operations have their names in SARRUS_OPS; symbols have a kind ("q",
** "v", …) and an index from 0.  A number that is no node of the graph raises an error.
*/
#include <string.h>

#include "binding.h"

/* The collector makes a step for every GROWTH bytes. */
enum { GROWTH = 16 * 1024, LONGEST_TEXT = 64 * 1024 };

static const char *const kinds[] = {"time", "parameter", "q", "v", "a", "lambda", "u", NULL};

sarrus_GraphBox *sarrus_check_graph(lua_State *L, int index) {
  sarrus_GraphBox *box = luaL_checkudata(L, index, SARRUS_GRAPH_CLASS);
  if (box->graph == NULL) luaL_error(L, "the graph is closed");
  return box;
}

sarrus_Expr sarrus_check_expr(lua_State *L, int index, const sarrus_GraphBox *box) {
  const double e = lua_tonumber(L, index);
  if (!lua_isnumber(L, index) || !(e >= 0 && e < sarrus_graph_count(box->graph)))
    return luaL_error(L, "argument %d is no node of this graph", index);
  return (sarrus_Expr)e;
}

void sarrus_graph_grown(lua_State *L, sarrus_GraphBox *box) {
  const size_t bytes = sarrus_graph_bytes(box->graph);
  if (bytes < box->accounted + GROWTH) return;
  const size_t grown = bytes - box->accounted;
  box->accounted = bytes;
  sarrus_account(L, grown);
}

static int push_expr(lua_State *L, sarrus_GraphBox *box, sarrus_Expr e) {
  if (e == SARRUS_NONE) return sarrus_raise_status(L, SARRUS_NOMEM);
  sarrus_graph_grown(L, box);
  lua_pushinteger(L, e);
  return 1;
}

static int new_graph(lua_State *L) {
  sarrus_GraphBox *box = sarrus_newuserdata(L, sizeof *box);
  *box = (sarrus_GraphBox){NULL, 0, 0};
  luaL_getmetatable(L, SARRUS_GRAPH_CLASS);
  lua_setmetatable(L, -2);
  box->graph = sarrus_graph_new(sarrus_lua_memory(L));
  if (box->graph == NULL) return sarrus_raise_status(L, SARRUS_NOMEM);
  box->accounted = sarrus_graph_bytes(box->graph);
  sarrus_account(L, box->accounted);
  return 1;
}

static int collect(lua_State *L) {
  sarrus_GraphBox *box = luaL_checkudata(L, 1, SARRUS_GRAPH_CLASS);
  sarrus_graph_free(box->graph);
  box->graph = NULL;
  return 0;
}

static int constant(lua_State *L) {
  sarrus_GraphBox *box = sarrus_check_graph(L, 1);
  return push_expr(L, box, sarrus_graph_constant(box->graph, luaL_checknumber(L, 2)));
}

static int symbol(lua_State *L) {
  sarrus_GraphBox *box = sarrus_check_graph(L, 1);
  const int kind = luaL_checkoption(L, 2, NULL, kinds);
  const int index = sarrus_check_int(L, 3, 0, 1 << 30);
  return push_expr(L, box, sarrus_graph_symbol(box->graph, (sarrus_SymbolKind)kind, index));
}

/* The operation whose name is at index; the first upvalue maps names to operations. */
static sarrus_Op check_op(lua_State *L, int index) {
  lua_pushvalue(L, index);
  lua_rawget(L, lua_upvalueindex(1));
  if (!lua_isnumber(L, -1))
    return (sarrus_Op)luaL_error(L, "unknown operation '%s'", lua_tostring(L, index));
  const int op = (int)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return (sarrus_Op)op;
}

static int apply(lua_State *L) {
  sarrus_GraphBox *box = sarrus_check_graph(L, 1);
  const sarrus_Op op = check_op(L, 2);
  const int arity = sarrus_op_arity(op);
  sarrus_Expr x[3] = {SARRUS_NONE, SARRUS_NONE, SARRUS_NONE};
  for (int i = 0; i < arity; i++)
    x[i] = sarrus_check_expr(L, 3 + i, box);
  return push_expr(L, box, sarrus_graph_apply(box->graph, op, x[0], x[1], x[2]));
}

static int power(lua_State *L) {
  sarrus_GraphBox *box = sarrus_check_graph(L, 1);
  const sarrus_Expr x = sarrus_check_expr(L, 2, box);
  return push_expr(L, box, sarrus_graph_power(box->graph, x, luaL_checknumber(L, 3)));
}

static double number_at(lua_State *L, int list, int i) {
  lua_rawgeti(L, list, i);
  if (lua_type(L, -1) != LUA_TNUMBER) luaL_error(L, "element %d is no number", i);
  const double x = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return x;
}

/* graph:linear(constant, count, factors, nodes): constant + sum of factors[i] * nodes[i] */
static int linear(lua_State *L) {
  sarrus_GraphBox *box = sarrus_check_graph(L, 1);
  const double start = luaL_checknumber(L, 2);
  const int count = sarrus_check_int(L, 3, 0, 1 << 26);
  luaL_checktype(L, 4, LUA_TTABLE);
  luaL_checktype(L, 5, LUA_TTABLE);
  sarrus_Term *terms = lua_newuserdata(L, ((size_t)count + 1) * sizeof *terms);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 5, i + 1);
    terms[i].expr = sarrus_check_expr(L, lua_gettop(L), box);
    lua_pop(L, 1);
    terms[i].factor = number_at(L, 4, i + 1);
  }
  return push_expr(L, box, sarrus_graph_linear(box->graph, start, count, terms));
}

/* graph:new_table(xs, ys): the number of the table; the Lua files have checked that xs rises. */
static int new_table(lua_State *L) {
  sarrus_GraphBox *box = sarrus_check_graph(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  const int count = (int)lua_rawlen(L, 2);
  if (count < 2 || (int)lua_rawlen(L, 3) != count)
    return luaL_error(L, "a table needs two lists of the same length, at least 2");
  double *x = lua_newuserdata(L, 2 * (size_t)count * sizeof *x), *y = x + count;
  for (int i = 0; i < count; i++) {
    x[i] = number_at(L, 2, i + 1);
    y[i] = number_at(L, 3, i + 1);
  }
  const int number = sarrus_graph_new_table(box->graph, count, x, y);
  if (number >= box->tables) box->tables = number + 1;
  return push_expr(L, box, number);
}

static int table(lua_State *L) {
  sarrus_GraphBox *box = sarrus_check_graph(L, 1);
  const int number = sarrus_check_int(L, 2, 0, box->tables - 1);
  const sarrus_Expr x = sarrus_check_expr(L, 3, box);
  return push_expr(L, box, sarrus_graph_table(box->graph, number, 0, x));
}

static int diff(lua_State *L) {
  sarrus_GraphBox *box = sarrus_check_graph(L, 1);
  const sarrus_Expr e = sarrus_check_expr(L, 2, box);
  const sarrus_Expr x = sarrus_check_expr(L, 3, box);
  if (sarrus_graph_op(box->graph, x) != SARRUS_OP_SYMBOL)
    return luaL_error(L, "argument 3 is no symbol");
  return push_expr(L, box, sarrus_graph_diff(box->graph, e, x));
}

/* graph:import(other, node): the node of this graph that equals the other graph's node */
static int import(lua_State *L) {
  sarrus_GraphBox *box = sarrus_check_graph(L, 1), *from = sarrus_check_graph(L, 2);
  const sarrus_Expr root = sarrus_check_expr(L, 3, from);
  sarrus_Expr copy = root;
  if (box != from && sarrus_graph_import(box->graph, from->graph, 1, &root, &copy) < 0)
    copy = SARRUS_NONE;
  return push_expr(L, box, copy);
}

static int count(lua_State *L) {
  lua_pushinteger(L, sarrus_graph_count(sarrus_check_graph(L, 1)->graph));
  return 1;
}

/* graph:value(node): its number, or nil where it is no constant */
static int value(lua_State *L) {
  sarrus_GraphBox *box = sarrus_check_graph(L, 1);
  double x;
  if (!sarrus_graph_is_constant(box->graph, sarrus_check_expr(L, 2, box), &x)) return 0;
  lua_pushnumber(L, x);
  return 1;
}

const char *sarrus_name_symbol(void *ud, sarrus_SymbolKind kind, int index) {
  lua_State *L = ud;
  luaL_checkstack(L, 5, "too many names");
  const int slot = (int)lua_rawlen(L, 4) + 1;
  lua_pushvalue(L, 3);
  lua_pushstring(L, kinds[kind]);
  lua_pushinteger(L, index);
  lua_call(L, 2, 1);
  const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "?";
  lua_rawseti(L, 4, slot);
  return name;
}

/*
** graph:print(node [, namer]): the text of an expression, in which namer(kind, index) gives symbols
** their names.  The room doubles until the text fills less than half of it.
*/
static int print(lua_State *L) {
  sarrus_GraphBox *box = sarrus_check_graph(L, 1);
  const sarrus_Expr e = sarrus_check_expr(L, 2, box);
  const sarrus_Namer name = lua_isnoneornil(L, 3) ? NULL : sarrus_name_symbol;
  lua_settop(L, 3);
  lua_newtable(L);
  for (size_t size = 1024;; size *= 2) {
    char *text = lua_newuserdata(L, size);
    const size_t length = sarrus_graph_print(box->graph, e, name, L, text, size);
    if (length < size / 2 || size >= LONGEST_TEXT) {
      lua_pushlstring(L, text, length);
      return 1;
    }
    lua_pop(L, 1);
  }
}

static const luaL_Reg methods[] = {
    {"constant", constant},   {"symbol", symbol}, {"power", power}, {"linear", linear},
    {"new_table", new_table}, {"table", table},   {"diff", diff},   {"import", import},
    {"count", count},         {"value", value},   {"print", print}, {NULL, NULL}};

static const luaL_Reg metamethods[] = {{"__gc", collect}, {NULL, NULL}};

/* Whether graph:apply refuses an operation: it has its own constructor, or is a companion's. */
static int is_internal(int op) {
  switch (op) {
    case SARRUS_OP_TABLE:
    case SARRUS_OP_POWER:
    case SARRUS_OP_INTEGER_POWER: return 1;
#define GAP(op, ...) \
  case SARRUS_OP_##op: return 1;
      SARRUS_GAPS(GAP)
    default: return 0;
  }
}

/*
** Add core.arity, which maps the name of an operation to how many operands it has; and the method
** graph:apply(name, …), whose upvalue maps these names to operations.
*/
static void add_apply(lua_State *L) {
  luaL_getmetatable(L, SARRUS_GRAPH_CLASS);
  lua_getfield(L, -1, "__index");
  lua_newtable(L);
  lua_newtable(L);
  for (int op = 0; op < SARRUS_OP_COUNT; op++) {
    const int arity = sarrus_op_arity((sarrus_Op)op);
    if (arity == 0 || is_internal(op)) continue;
    lua_pushinteger(L, arity);
    lua_setfield(L, -3, sarrus_op_name((sarrus_Op)op));
    lua_pushinteger(L, op);
    lua_setfield(L, -2, sarrus_op_name((sarrus_Op)op));
  }
  lua_pushcclosure(L, apply, 1);
  lua_setfield(L, -3, "apply");
  lua_setfield(L, -4, "arity");
  lua_pop(L, 2);
}

void sarrus_bind_graph(lua_State *L) {
  sarrus_new_class(L, SARRUS_GRAPH_CLASS, methods, metamethods);
  add_apply(L);
  lua_pushcfunction(L, new_graph);
  lua_setfield(L, -2, "graph");
}
