/*
** What the files of the Lua module share.  They are the only ones that know both lua.h and the
** core.
**
** Each file exports one function sarrus_bind_*, which finds the module's table on top of the
** stack and adds its functions to it.
**
** What the Lua files may rely on, whatever they call: lists and indices begin at 1, except nodes
** and symbols of graphs, which keep the numbers of the core.  A wrong argument raises an error, and
** so does a lack of memory; what can fail for other reasons returns nil and what went wrong
** (sarrus_push_failure, sarrus_push_fault).  A userdata keeps alive whatever it uses (its anchor,
** compat.h).
*/
#ifndef SARRUS_BINDING_H
#define SARRUS_BINDING_H

#include "compat.h"
#include "sarrus/expr.h"
#include "sarrus/function.h"
#include "sarrus/memory.h"
#include "sarrus/recorder.h"
#include "sarrus/sheet.h"
#include "sarrus/status.h"
#include "sarrus/system.h"
#include "sarrus/version.h"

void sarrus_bind_adomian(lua_State *L);
void sarrus_bind_base64(lua_State *L);
void sarrus_bind_eigen(lua_State *L);
void sarrus_bind_events(lua_State *L);
void sarrus_bind_ensemble(lua_State *L);
void sarrus_bind_file(lua_State *L);
void sarrus_bind_functions(lua_State *L);
void sarrus_bind_graph(lua_State *L);
void sarrus_bind_instant(lua_State *L);
void sarrus_bind_model(lua_State *L);
void sarrus_bind_observer(lua_State *L);
void sarrus_bind_recorder(lua_State *L);
void sarrus_bind_series(lua_State *L);
void sarrus_bind_sheet(lua_State *L);
void sarrus_bind_sim(lua_State *L);
void sarrus_bind_sim_ask(lua_State *L);
void sarrus_bind_sim_change(lua_State *L);
void sarrus_bind_stack(lua_State *L);
void sarrus_bind_system(lua_State *L);
void sarrus_bind_tangent(lua_State *L);
void sarrus_bind_terminal(lua_State *L);

/* The allocator of the Lua state: objects of the core count against the state's limits. */
sarrus_Memory sarrus_lua_memory(lua_State *L);

/*
** Tell the collector of `bytes` that an object on the stack holds outside Lua.  May collect, and
** so may raise what a finaliser raises: the object must already be reachable.
*/
void sarrus_account(lua_State *L, size_t bytes);

/* Push nil, the message, the code; return 3.  A NULL message stands for the code's sentence. */
int sarrus_push_failure(lua_State *L, sarrus_Status status, const char *message);
/* Raise "not enough memory" if that is the status, else push the failure. */
int sarrus_fail(lua_State *L, sarrus_Status status, const char *message);
/* Raise the status as an error.  Lua files check first, and name the line of the script. */
int sarrus_raise_status(lua_State *L, sarrus_Status status);

/* A metatable with these methods as __index, these metamethods, and __name; leaves the stack. */
void sarrus_new_class(lua_State *L, const char *name, const luaL_Reg *methods,
                      const luaL_Reg *metamethods);

/* More methods of a class that sarrus_new_class has made. */
void sarrus_add_methods(lua_State *L, const char *name, const luaL_Reg *methods);

/* A whole number from the stack, in low..high; raises otherwise. */
int sarrus_check_int(lua_State *L, int index, int low, int high);
/* The first `count` numbers of the list at index; raises where one is missing. */
void sarrus_read_numbers(lua_State *L, int index, int count, double *numbers);

/* The number of a signal that asks to end the run, 0 for none. */
int sarrus_caught(void);

/*
** Series.  The userdata is one block with the order and the coefficients, and never changes once a
** script can see it.
*/
#define SARRUS_SERIES_CLASS "sarrus.series"

/* Push a series of that order; returns its coefficients, all zero, for the caller to fill. */
double *sarrus_new_series(lua_State *L, int order);
/* The coefficients and the order of the series at index; NULL if it is none. */
const double *sarrus_to_series(lua_State *L, int index, int *order);

/*
** The function of series whose name is at index; it lives as long as the state.  Raises where there
** is none.
*/
const sarrus_Function *sarrus_check_function(lua_State *L, int index);

/* The compiled system at index. */
const sarrus_System *sarrus_check_system(lua_State *L, int index);
/*
** Push nil and a failure, { code =, row =, column =, event =, contact = (from 1), node =, size =,
** count = }, in which an index that does not apply is absent; return 2.  The class sarrus.Failure
** in lua/sarrus/sim/failure.lua says what they mean.
*/
int sarrus_push_fault(lua_State *L, sarrus_Status status, const sarrus_Fault *fault);

/*
** Graphs.  The userdata owns the graph, and frees it only in __gc; `accounted` is how many of its
** bytes the collector has been told of.
*/
#define SARRUS_GRAPH_CLASS "sarrus.graph"

typedef struct sarrus_GraphBox {
  sarrus_Graph *graph;
  size_t accounted;
  int tables; /* how many new_table has made */
} sarrus_GraphBox;

sarrus_GraphBox *sarrus_check_graph(lua_State *L, int index);
/* An index into that graph; raises if it is none of its nodes. */
sarrus_Expr sarrus_check_expr(lua_State *L, int index, const sarrus_GraphBox *box);
/* Tell the collector how much the graph has grown, once that is worth a step of the collector. */
void sarrus_graph_grown(lua_State *L, sarrus_GraphBox *box);

/*
** A recorder in the list of its simulation, which gives it rows as it moves.  The recorder removes
** itself from the list when it is closed or collected.
*/
typedef struct sarrus_Feed {
  struct sarrus_Feed *next;
  sarrus_Recorder *recorder;
  int marked;           /* whether it also takes the instants at which velocities jump */
  double struck_at;     /* the time of the last impact that it has taken */
  sarrus_Status status; /* the first failure */
} sarrus_Feed;

/* The events at index, NULL for nil; raises if they are closed. */
const sarrus_Events *sarrus_check_events(lua_State *L, int index);

#define SARRUS_SIM_CLASS "sarrus.core_sim"

/* Simulations.  sim is NULL once it is closed. */
typedef struct sarrus_SimBox {
  sarrus_Sim *sim;
  lua_State *caller; /* the state that called last: hooks run there */
  int n, m, contacts, modes;
  int apart;      /* its memory is not that of the Lua state */
  double *buffer; /* q, v, a, lambda, modes; at the end of this block */
  sarrus_Feed *feeds;
  double seconds;  /* the CPU time of all calls that have moved it */
  double deadline; /* when the current call has to end, on the clock of core.seconds */
  long long polls; /* how often the current call has looked at that clock */
  enum { SARRUS_STOP_NOT, SARRUS_STOP_SIGNAL, SARRUS_STOP_RAISED, SARRUS_STOP_TIME } stop;
} sarrus_SimBox;

/* The simulation at index, which must be open. */
sarrus_SimBox *sarrus_check_sim(lua_State *L, int index);
/* Push nil and the failure, with the simulation's time as t; return 2. */
int sarrus_push_sim_fault(lua_State *L, const sarrus_SimBox *box, sarrus_Status status);
/* Push "END"; or "EVENT" and the event's number; or "BUDGET" (out of time); or the failure. */
int sarrus_push_sim_result(lua_State *L, const sarrus_SimBox *box, sarrus_Status status);

/* Whether Ctrl-C, or a signal that is caught, asks this state to end its work. */
int sarrus_asked_to_end(lua_State *L);
/*
** What ends a call between two steps (bind_watch.c).  A call that moves the simulation begins with
** sarrus_watch.  sarrus_interrupted is true where the call has to end, and box->stop says why; if a
** hook has raised an error (SARRUS_STOP_RAISED), its value is on top of the caller's stack.
*/
void sarrus_watch(sarrus_SimBox *box, double deadline);
int sarrus_interrupted(sarrus_SimBox *box);
int sarrus_out_of_time(sarrus_SimBox *box);
/* Seconds since some moment; this clock never goes backwards. */
double sarrus_seconds(void);

/* Note that this Lua state has had a simulation: then it is too late to close files. */
void sarrus_note_sim(lua_State *L);
/* Open a file for the path at index 1; on failure NULL, and nil, reason, "IO" have been pushed. */
sarrus_File *sarrus_open_file(lua_State *L);
/* Push nil, the reason why the file failed, "IO"; return 3. */
int sarrus_push_file_error(lua_State *L, const sarrus_File *file);

/* Sheets.  The file is NULL once it is closed. */
#define SARRUS_SHEET_CLASS "sarrus.sheet"

/* The sheet at index, which must be open. */
sarrus_Sheet *sarrus_check_sheet(lua_State *L, int index);

/*
** A sarrus_Namer for printing: ud is the lua_State, the function that names symbols is at index 3,
** and the table at index 4 keeps the names it gave, so that they outlive the call.
*/
const char *sarrus_name_symbol(void *ud, sarrus_SymbolKind kind, int index);

#endif
