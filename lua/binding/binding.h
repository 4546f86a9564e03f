/*
** What the files of the Lua module share.  They are the only ones that know both lua.h and the
** core.
**
** Each file exports one function sarrus_bind_*, which finds the module's table on top of the
** stack and adds its functions to it.
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

/* Objects of the core live in the memory of the Lua state, under its limits. */
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
/* Raise a C-level misuse; Lua files add the place of the script before it gets here. */
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

/* Push a series of that order, and answer its coefficients, for the caller to fill. */
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
** Push nil and a failure, { code =, row =, column =, event = (from 1), node =, size =, count = }
** without the indices that are none; return 2.  lua/sarrus/sim/failure.lua says what they mean, in
** the class sarrus.Failure.
*/
int sarrus_push_fault(lua_State *L, sarrus_Status status, const sarrus_Fault *fault);

/*
** Graphs.  The userdata owns the graph; `accounted` is what the collector knows of it.  Free in
** __gc only.
*/
#define SARRUS_GRAPH_CLASS "sarrus.graph"

typedef struct sarrus_GraphBox {
  sarrus_Graph *graph;
  size_t accounted;
  int tables; /* made by new_table */
} sarrus_GraphBox;

sarrus_GraphBox *sarrus_check_graph(lua_State *L, int index);
/* An index into that graph; raises if it is none of its nodes. */
sarrus_Expr sarrus_check_expr(lua_State *L, int index, const sarrus_GraphBox *box);
/* Account for what the graph has grown, once it is worth a step of the collector. */
void sarrus_graph_grown(lua_State *L, sarrus_GraphBox *box);

/*
** A recorder that its simulation feeds when it moves; it takes itself out of the list when it goes.
*/
typedef struct sarrus_Feed {
  struct sarrus_Feed *next;
  sarrus_Recorder *recorder;
  int marked;           /* takes instants too at which velocities jump */
  double struck_at;     /* the last impact that it has taken */
  sarrus_Status status; /* the first failure */
} sarrus_Feed;

/* The events at index, NULL for nil; raises if they are closed. */
const sarrus_Events *sarrus_check_events(lua_State *L, int index);

#define SARRUS_SIM_CLASS "sarrus.core_sim"

/* Simulations.  sim is NULL once it is closed. */
typedef struct sarrus_SimBox {
  sarrus_Sim *sim;
  lua_State *caller; /* of the call under way */
  int n, m, contacts, modes;
  double *buffer; /* q, v, a, lambda, modes; at the end of this block */
  sarrus_Feed *feeds;
  double seconds;  /* of CPU time in calls that move it */
  double deadline; /* of the call under way, as of core.seconds */
  long long polls; /* so far in that call */
  enum { SARRUS_STOP_NOT, SARRUS_STOP_SIGNAL, SARRUS_STOP_RAISED, SARRUS_STOP_TIME } stop;
} sarrus_SimBox;

/* The simulation at index, which must be open. */
sarrus_SimBox *sarrus_check_sim(lua_State *L, int index);
/* nil and the failure, at the present time */
int sarrus_push_sim_fault(lua_State *L, const sarrus_SimBox *box, sarrus_Status status);
/* "END", or "EVENT" and the event's number, or "BUDGET", or a failure */
int sarrus_push_sim_result(lua_State *L, const sarrus_SimBox *box, sarrus_Status status);

/* Whether Ctrl-C, or a signal that is caught, asks to end what this state is doing. */
int sarrus_asked_to_end(lua_State *L);
/*
** What ends a call between two steps (bind_watch.c).  A call that moves the simulation begins with
** sarrus_watch; where sarrus_interrupted says so for what a hook has raised, box->stop tells, and
** the error's value is on top of the caller's stack.
*/
void sarrus_watch(sarrus_SimBox *box, double deadline);
int sarrus_interrupted(sarrus_SimBox *box);
int sarrus_out_of_time(sarrus_SimBox *box);
/* From some moment on, never backwards. */
double sarrus_seconds(void);

/* There is a simulation in this Lua state. */
void sarrus_note_sim(lua_State *L);
/* The file for the path at index 1; NULL where nil, the reason and "IO" have been pushed. */
sarrus_File *sarrus_open_file(lua_State *L);
/* Push nil, what went wrong with it, "IO"; return 3. */
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
