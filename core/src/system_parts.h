/*
** Inside of a system: a square set of equations F_i(x, x', …, t) = 0 in the variables x_j.
**
** Equation i has an offset c_i, variable j a degree d_j: at stage k the coefficients k + d_j of all
** variables follow from the coefficients k + c_i of all equations, through the matrix
** J_ij = dF_i / d x_j^(d_j - c_i) (T5).  For mechanisms (n coordinates, m multipliers):
**
**   rows 0 … n-1   motion                F = M q'' + G^T lambda - f    c = 0
**   then           constraints           g(q, t)                       c = 2
**   then           velocity constraints  w(q, v, t)                    c = 1
**   columns        q: d = 2,  lambda: d = 0
*/
#ifndef SARRUS_SYSTEM_PARTS_H
#define SARRUS_SYSTEM_PARTS_H

#include <stdatomic.h>

#include "sarrus/system.h"
#include "tape.h"

enum { MOST_DEGREE = 2 };

typedef struct Entry {
  int row, column;
} Entry;

/* How many rows contacts have: slips of those without a gap, gaps, slips of the others. */
typedef struct ContactRows {
  int alone, gaps, slips;
} ContactRows;

/* A contact's rows, counted among the constraints. */
typedef struct Contact {
  int gap;         /* row, or NONE */
  int slip, slips; /* first row, and how many: 0, 1, 2 */
} Contact;

/*
** Modes are symbols U, six for each contact (T41): a direction of slip that is fixed, in the plane
** -1 or 1, in space two numbers; 1 while it slips in the direction of its own velocity; 1 while a
** bearing has no load, or does not slip, next to 0 while it does, loaded; the same of the load
** alone; and sarrus_ContactMode.
*/
enum {
  MODE_DIRECTION,
  MODE_FREE = 2,
  MODE_FRICTIONLESS,
  MODE_UNLOADED,
  MODE_NUMBER,
  CONTACT_MODES
};

/*
** What is asked of contacts on a span, as outputs of the arguments' tape, and coefficients, as its
** extras.
*/
typedef struct ContactOutputs {
  int gap, force; /* the gap and N; NONE without a gap */
  int slip;       /* the first of its slips */
  int hold;       /* how far sticking is from its bound: two outputs in the plane, one in space */
  int load;       /* the first of its loads; NONE without */
  int friction, still; /* extras: the coefficients or bounds while it slips, and while it sticks; */
  int restitution;     /* and this */
} ContactOutputs;

/*
** The arguments by which the piecewise functions of the equations choose their branch, as a tape
** that runs on spans, where all its inputs are known.  Where functions are nested, arguments
** contain piecewise functions themselves: these are on the branch that they are on in the
** equations.
*/
typedef struct Arguments {
  Tape *tape;              /* NULL: the equations have no switches */
  int switches;            /* as many as the system's tape has; per switch: */
  int *output;             /* its argument */
  int *cut;                /* and what says where it counts (Switch); or NONE */
  ContactOutputs *contact; /* per contact of the system */
  int own, *twin;          /* switches of this tape, and which of the system's each is */
  int capacity[4];         /* of these lists */
} Arguments;

/* What a later layer makes of a system and keeps with it begins with how it is given back. */
typedef struct Kept {
  void (*give_back)(struct Kept *kept);
} Kept;

struct sarrus_System {
  sarrus_Memory memory;
  sarrus_Graph *graph;
  /* A lean system lacks contacts that have a gap; NULL where there are none, and of a lean one. */
  sarrus_System *lean;
  int is_lean; /* part of another, whose graph it shares */
  /*
  ** One output per contact: its bound, or gap, or 1 where it has none; NULL without lean.  And its
  ** gap, or 1; NULL where these are the bounds.
  */
  Tape *bounds, *gaps;
  int alone, *turn; /* contacts, those `alone` that have no gap first */
  int turn_capacity;
  int locks;
  sarrus_Expr *lock;  /* rates that can be held */
  int forces, shares; /* forces that can be let go */
  sarrus_ForceShare *share;
  int elements; /* some of these forces once more, as efforts along lengths */
  sarrus_Element *element;
  int lock_capacity, share_capacity, element_capacity;
  _Atomic(Kept *) kept; /* or NULL: nothing else changes once a system is made, and this once */
  int room;             /* the most variables that a form has: those of the whole, then the locks */
  Tape *tape;           /* outputs: the equations; extras: the entries of J */
  Arguments arguments;
  size_t bytes; /* of this block */
  int n, m, parameters;
  int contact_count, modes;
  Contact *contacts;
  sarrus_Contact *laws; /* in the system's graph */
  int contact_capacity, law_capacity;
  int general;   /* not of the form above */
  int nonlinear; /* in the unknowns of stage 0 */
  int *degree, *offset;
  int *
      idle; /* per multiplier: the massless coordinate that its constraint alone defines, or NONE */
  sarrus_Expr *equation;
  int entry_count;
  Entry *entries;                /* by rows */
  int *row_start;                /* per equation, and the end: its entries */
  int *columns;                  /* per entry */
  int *degree_end, *offset_end;  /* where the run of equals that begins here ends */
  int (*input)[MOST_DEGREE + 1]; /* per variable: the tape's input for a derivative, or NONE */
};

/* The symbol that is the given derivative of a variable. */
static inline sarrus_SymbolKind variable_kind(const sarrus_System *system, int variable,
                                              int derivative) {
  static const sarrus_SymbolKind kinds[] = {SARRUS_Q, SARRUS_V, SARRUS_A};
  return variable < system->n ? kinds[derivative] : SARRUS_LAMBDA;
}

/* Faults: one that names nothing, and those that name what most faults are about. */
static inline sarrus_Fault fault_none(void) {
  return (sarrus_Fault){.row = SARRUS_NONE,
                        .column = SARRUS_NONE,
                        .expr = SARRUS_NONE,
                        .event = SARRUS_NONE,
                        .contact = SARRUS_NONE,
                        .derivative = SARRUS_NONE};
}

static inline sarrus_Fault fault_at(int row, int column, double size) {
  sarrus_Fault fault = fault_none();
  fault.row = row;
  fault.column = column;
  fault.size = size;
  return fault;
}

/* An equation, or a derivative of it, that is violated. */
static inline sarrus_Fault fault_violated(int row, int derivative, double residual) {
  sarrus_Fault fault = fault_at(row, SARRUS_NONE, residual);
  fault.derivative = derivative;
  return fault;
}

/* --- system_compile.c --- */

enum { MOST_VARIABLES = 1 << 20 };

/* Check a list of `count` expressions, at most `most`: ARGUMENT or LIMIT where it is wrong. */
sarrus_Status system_check_list(int count, int most, const void *list);
/*
** Symbols must exist: no expression may name one beyond its count.  Q, LAMBDA, TIME and PARAMETER
** have those of the system; V as many as `velocities`.
*/
sarrus_Status system_check_symbols(const sarrus_System *system, int velocities);

/*
** A system of n coordinates and m multipliers with an empty graph, or the lean one of another; or
** NULL.
*/
sarrus_System *system_allocate(sarrus_Memory memory, int n, int m, sarrus_System *whole);
/* Its equations, degrees and offsets being written: the matrix and the tape. */
sarrus_Status system_compile(sarrus_System *system, sarrus_Fault *fault);
/* Per variable: a tape's input for each derivative, or NONE. */
void system_find_inputs(const sarrus_System *system, const Tape *tape,
                        int (*found)[MOST_DEGREE + 1]);

/* --- system_contact.c --- */

/* Check contacts: ARGUMENT where one is malformed. */
sarrus_Status system_count_contacts(const sarrus_SystemSpec *spec, ContactRows *rows);
/* All expressions of a law, NONE where there is none; answers how many. */
enum { LAW_EXPRS = 12 };
int system_law_exprs(const sarrus_Contact *law, sarrus_Expr *list);
/*
** Their rows, behind `first` constraints; `roots` are the spec's expressions in the system's graph.
*/
sarrus_Status system_put_contacts(sarrus_System *system, const sarrus_SystemSpec *spec, int first,
                                  const sarrus_Expr *roots);
/* The multiplier of a slip, with what friction adds while it slips (T41). */
sarrus_Expr system_slip_force(sarrus_System *system, const Contact *contact, int i);
/* What is asked of a contact on a span. */
void system_contact_outputs(sarrus_System *system, int contact, sarrus_Expr *outputs, int *count,
                            sarrus_Expr *extras, int *extra_count);

/* --- system.c --- */

/* sum[i] += d/d(kind, i) of sum_j weights_j roots_j */
sarrus_Status system_add_gradient(sarrus_Graph *graph, int count, const sarrus_Expr *roots,
                                  const sarrus_Expr *weights, sarrus_SymbolKind kind,
                                  sarrus_Expr *sum);
/* *sum += de/dt, by q' and q'' */
sarrus_Status system_add_rate(sarrus_Graph *graph, sarrus_Expr e, sarrus_Expr *sum);

/* --- system_change.c --- */

/* Copy all expressions of a graph into an empty one, where they have the same numbers. */
sarrus_Status system_copy_graph(sarrus_Graph *graph, const sarrus_Graph *from);

/*
** The same system with the rows of its locks, and forces that can be let go; expressions have the
** same numbers.
*/
sarrus_Status system_with_changes(sarrus_Memory memory, const sarrus_System *system,
                                  sarrus_System **result);

/* --- system_lean.c --- */

/* Whether a form has no more switches and poles than there is room for: those of the whole. */
int system_fits(const sarrus_System *form, const sarrus_System *whole);

/*
** Its equations being written, let go of the lean system where they contain forces of the contacts
** left out.
*/
sarrus_Status system_drop_lean(sarrus_System *system);
/* After the whole has been compiled: the lean one too, bounds and gaps. */
sarrus_Status system_compile_lean(sarrus_System *system, sarrus_Fault *fault);

/* --- system_arguments.c --- */

/* After the tape is made: the arguments of its switches. */
sarrus_Status system_find_arguments(sarrus_System *system);
void system_free_arguments(sarrus_System *system);
/* The switch of a function, or NONE. */
int system_find_switch(const Tape *tape, sarrus_Expr node);
size_t system_argument_bytes(const sarrus_System *system);

#endif
