/*
** core.recorder(sim, graph, nodes, options), called by lua/sarrus/output/recorder.lua: rows of
** expressions, taken while the simulation moves, without any Lua in between.  Options: every, the
** interval; values, how many further parameters the script sets row by row (then rows are taken by
** recorder:due and recorder:take only); marked, whether instants of impacts get rows, too; keep,
** whether rows are kept in memory; reads, whether it only serves recorder:read.
**
** A recorder keeps its simulation and its sheets alive, and copies the nodes.  A sheet that fails
** gets no more rows, and recorder:failure says so later: the simulation goes on.
*/
#include <math.h>

#include "binding.h"
#include "sarrus/sarrus.h"

#define RECORDER_CLASS "sarrus.recorder"

typedef struct RecorderBox {
  sarrus_Feed feed;
  sarrus_SimBox *sim; /* anchored */
  sarrus_Rows rows;
  double held; /* bytes of the rows, as counted in the ledger */
  int values;
} RecorderBox;

/* --- memory ------------------------------------------------------------------------------ */

/*
** Rows may take far more memory than all that Lua's collector counts, and a generational collector
** leaves old objects alone for long.  So a ledger counts the bytes of all recorders, and starts a
** full collection whenever they have doubled.
*/
typedef struct Ledger {
  double held, settled; /* bytes now; and after the last full collection */
} Ledger;

static char ledger_key; /* its address is a key of the registry */
static const double LEDGER_LEAST = 32 * 1024.0 * 1024.0;

static Ledger *ledger_of(lua_State *L) {
  lua_pushlightuserdata(L, &ledger_key);
  lua_rawget(L, LUA_REGISTRYINDEX);
  Ledger *ledger = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return ledger;
}

static void new_ledger(lua_State *L) {
  lua_pushlightuserdata(L, &ledger_key);
  Ledger *ledger = sarrus_newuserdata(L, sizeof *ledger);
  *ledger = (Ledger){0, 0};
  lua_rawset(L, LUA_REGISTRYINDEX);
}

/* Count the present bytes of a recorder in the ledger; collect if they have doubled. */
static void hold(lua_State *L, RecorderBox *box) {
  Ledger *ledger = ledger_of(L);
  const double bytes = (double)box->rows.capacity * box->rows.width * (double)sizeof(double);
  ledger->held += bytes - box->held;
  box->held = bytes;
  if (ledger->held < 2 * ledger->settled + LEDGER_LEAST) return;
#if LUA_VERSION_NUM >= 502
  if (!lua_gc(L, LUA_GCISRUNNING, 0)) return;
#endif
  lua_gc(L, LUA_GCCOLLECT, 0);
  ledger->settled = ledger->held;
}

/* --- making ------------------------------------------------------------------------------ */

static double option(lua_State *L, const char *name) {
  lua_getfield(L, 4, name);
  const double value = lua_isboolean(L, -1) ? lua_toboolean(L, -1) : lua_tonumber(L, -1);
  lua_pop(L, 1);
  return value;
}

static const sarrus_Expr *check_nodes(lua_State *L, const sarrus_GraphBox *graph, int count) {
  sarrus_Expr *nodes = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *nodes);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 3, i + 1);
    nodes[i] = sarrus_check_expr(L, lua_gettop(L), graph);
    lua_pop(L, 1);
  }
  return nodes;
}

/*
** The recorder on top of the stack keeps its simulation, argument 1, alive, and later its sheets.
*/
static void anchor(lua_State *L) {
  lua_createtable(L, 1, 0);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
  sarrus_set_anchor(L, -2);
}

/* The simulation gives rows to a recorder, unless the script sets values or it only reads. */
static int new_recorder(lua_State *L) {
  sarrus_SimBox *sim = sarrus_check_sim(L, 1);
  const sarrus_GraphBox *graph = sarrus_check_graph(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  luaL_checktype(L, 4, LUA_TTABLE);
  const int count = (int)lua_rawlen(L, 3), reads = option(L, "reads") != 0;
  const sarrus_RecorderSpec spec = {.graph = graph->graph,
                                    .count = count,
                                    .exprs = check_nodes(L, graph, count),
                                    .values = (int)option(L, "values"),
                                    .every = reads ? 1 : option(L, "every")};
  const sarrus_Memory memory = sarrus_lua_memory(L);
  RecorderBox *box = sarrus_newuserdata(L, sizeof *box + (size_t)count * sizeof(double));
  *box = (RecorderBox){.feed = {.marked = option(L, "marked") != 0, .struck_at = HUGE_VAL},
                       .sim = sim,
                       .rows = {.memory = memory, .width = count + 1},
                       .values = spec.values};
  luaL_getmetatable(L, RECORDER_CLASS);
  lua_setmetatable(L, -2);
  anchor(L);
  const sarrus_Status status = sarrus_recorder_new(memory, sim->sim, &spec, &box->feed.recorder);
  if (status < 0) return sarrus_raise_status(L, status);
  if (option(L, "keep") != 0)
    sarrus_recorder_add_sink(box->feed.recorder, (sarrus_Sink){sarrus_rows_put, &box->rows});
  if (spec.values == 0 && !reads) {
    box->feed.next = sim->feeds;
    sim->feeds = &box->feed;
  }
  sarrus_account(L, sarrus_recorder_bytes(box->feed.recorder));
  return 1;
}

/* recorder:close(): it gets no more rows; rows that are kept stay */
static int close_recorder(lua_State *L) {
  RecorderBox *box = luaL_checkudata(L, 1, RECORDER_CLASS);
  sarrus_Feed **link = &box->sim->feeds;
  while (*link != NULL && *link != &box->feed)
    link = &(*link)->next;
  if (*link != NULL) *link = box->feed.next;
  sarrus_recorder_free(box->feed.recorder);
  box->feed.recorder = NULL;
  return 0;
}

static int collect(lua_State *L) {
  RecorderBox *box = luaL_checkudata(L, 1, RECORDER_CLASS);
  close_recorder(L);
  sarrus_rows_release(&box->rows);
  ledger_of(L)->held -= box->held;
  box->held = 0;
  return 0;
}

/* --- feeding ----------------------------------------------------------------------------- */

static RecorderBox *check_open(lua_State *L) {
  RecorderBox *box = luaL_checkudata(L, 1, RECORDER_CLASS);
  if (box->feed.recorder == NULL || box->sim->sim == NULL) luaL_error(L, "the recorder is closed");
  return box;
}

/* recorder:next(t): the next instant on the way to t */
static int next(lua_State *L) {
  lua_pushnumber(L, sarrus_recorder_next(check_open(L)->feed.recorder, luaL_checknumber(L, 2)));
  return 1;
}

/* recorder:set(i, value): set the script's i-th value for the next row */
static int set(lua_State *L) {
  const RecorderBox *box = check_open(L);
  const int i = sarrus_check_int(L, 2, 1, box->values);
  sarrus_recorder_set(box->feed.recorder, i - 1, luaL_checknumber(L, 3));
  return 0;
}

/*
** recorder:due(here): the instant whose row is due, and whether it is the present one; nothing if
** none is.  `here`: the present instant may be due
*/
static int due(lua_State *L) {
  double t;
  const RecorderBox *box = check_open(L);
  const int due_now = sarrus_recorder_due(box->feed.recorder, lua_toboolean(L, 2), &t);
  if (due_now == 0) return 0;
  lua_pushnumber(L, t);
  lua_pushboolean(L, due_now == 2);
  return 2;
}

/* recorder:take(): write the row that is due */
static int take(lua_State *L) {
  RecorderBox *box = check_open(L);
  const sarrus_Status status = sarrus_recorder_take(box->feed.recorder);
  if (status < 0 && box->feed.status >= 0) box->feed.status = status;
  return 0;
}

/* recorder:read(list): fill the list with the values in the present state */
static int read_now(lua_State *L) {
  RecorderBox *box = check_open(L);
  double *values = (double *)(void *)(box + 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  const sarrus_Status status = sarrus_recorder_read(box->feed.recorder, values);
  if (status < 0) return sarrus_raise_status(L, status);
  for (int i = 0; i < box->rows.width - 1; i++) {
    lua_pushnumber(L, values[i]);
    lua_rawseti(L, 2, i + 1);
  }
  return 1;
}

/* recorder:failure(): the code of the first failure since the last call of this, or nil */
static int failure(lua_State *L) {
  RecorderBox *box = luaL_checkudata(L, 1, RECORDER_CLASS);
  const sarrus_Status status = box->feed.status;
  box->feed.status = SARRUS_OK;
  hold(L, box);
  if (status >= 0) return 0;
  lua_pushstring(L, sarrus_status_name(status));
  return 1;
}

/* recorder:stream(sheet): from now on rows are written to the sheet as well */
static int stream(lua_State *L) {
  const RecorderBox *box = check_open(L);
  sarrus_Sheet *sheet = sarrus_check_sheet(L, 2);
  if (sheet->width != box->rows.width) return luaL_error(L, "the sheet has another width");
  const sarrus_Sink sink = {sarrus_sheet_put, sheet};
  if (sarrus_recorder_add_sink(box->feed.recorder, sink) < 0)
    return luaL_error(L, "a recorder has %d streams at most", SARRUS_MOST_SINKS);
  sarrus_get_anchor(L, 1);
  lua_pushvalue(L, 2);
  lua_rawseti(L, -2, (int)lua_rawlen(L, -2) + 1);
  return 0;
}

/* --- reading ----------------------------------------------------------------------------- */

/* recorder:count(): how many rows are kept */
static int count(lua_State *L) {
  const RecorderBox *box = luaL_checkudata(L, 1, RECORDER_CLASS);
  lua_pushinteger(L, box->rows.count);
  return 1;
}

/* recorder:copy(sheet): write the rows that are kept to the sheet; whether that succeeded */
static int copy(lua_State *L) {
  const RecorderBox *box = luaL_checkudata(L, 1, RECORDER_CLASS);
  sarrus_Sheet *sheet = sarrus_check_sheet(L, 2);
  const sarrus_Rows *rows = &box->rows;
  if (sheet->width != rows->width) return luaL_error(L, "the sheet has another width");
  int good = 1;
  for (int k = 0; k < rows->count && good; k++)
    good = sarrus_sheet_put(sheet, rows->numbers + (size_t)k * (size_t)rows->width) >= 0;
  lua_pushboolean(L, good);
  return 1;
}

/* recorder:column(i, list): append what the list lacks of column i; column 0 is the time */
static int column(lua_State *L) {
  const RecorderBox *box = luaL_checkudata(L, 1, RECORDER_CLASS);
  const sarrus_Rows *rows = &box->rows;
  const int i = sarrus_check_int(L, 2, 0, rows->width - 1);
  luaL_checktype(L, 3, LUA_TTABLE);
  lua_settop(L, 3);
  for (int row = (int)lua_rawlen(L, 3); row < rows->count; row++) {
    lua_pushnumber(L, rows->numbers[(size_t)row * (size_t)rows->width + (size_t)i]);
    lua_rawseti(L, 3, row + 1);
  }
  return 1;
}

/* recorder:row(k): a list of the numbers of row k, the time first */
static int row(lua_State *L) {
  const RecorderBox *box = luaL_checkudata(L, 1, RECORDER_CLASS);
  const sarrus_Rows *rows = &box->rows;
  const int k = sarrus_check_int(L, 2, 1, rows->count);
  lua_createtable(L, rows->width, 0);
  for (int i = 0; i < rows->width; i++) {
    lua_pushnumber(L, rows->numbers[(size_t)(k - 1) * (size_t)rows->width + (size_t)i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

void sarrus_bind_recorder(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"next", next},     {"set", set},       {"due", due},         {"take", take},
      {"read", read_now}, {"stream", stream}, {"failure", failure}, {"count", count},
      {"copy", copy},     {"column", column}, {"row", row},         {"close", close_recorder},
      {NULL, NULL}};
  static const luaL_Reg meta[] = {{"__gc", collect}, {NULL, NULL}};
  new_ledger(L);
  sarrus_new_class(L, RECORDER_CLASS, methods, meta);
  lua_pushcfunction(L, new_recorder);
  lua_setfield(L, -2, "recorder");
}
