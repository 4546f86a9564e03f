/*
** The inside of a system: a square set of equations F_i(x, x', …, t) = 0 in the variables x_j.
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

/*
** How many rows contacts have, in this order: slips of contacts without a gap, gaps, slips of the
** contacts with a gap.
*/
typedef struct ContactRows {
  int alone, gaps, slips;
} ContactRows;

/* The rows of a contact, numbered among the constraints. */
typedef struct Contact {
  int gap;         /* row, or NONE */
  int slip, slips; /* first row, and how many: 0, 1, 2 */
} Contact;

/*
** Modes are symbols U, six for each contact (T41).  The first two are the direction of slip where
** it is fixed: in the plane -1 or 1, in space two numbers.  Then 1 while it slips in the direction
** of its own velocity; 1 while a bearing has no load or does not slip, and almost 0 while it slips
** under load; the same for the load alone; and last the sarrus_ContactMode.
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
** The quantities of a contact that are searched on spans, as outputs of the arguments' tape, and
** its coefficients, as extras of that tape.
*/
typedef struct ContactOutputs {
  int gap, force; /* the gap and N; NONE without a gap */
  int slip;       /* the first of its slips */
  int hold;       /* how far sticking is from its bound: two outputs in the plane, one in space */
  int load;       /* the first of its loads, or NONE */
  int friction, still; /* extras: the coefficients or bounds while it slips, while it sticks */
  int restitution;     /* extra: the coefficient of restitution */
} ContactOutputs;

/*
** The arguments by which the piecewise functions of the equations choose their branch, as a tape
** that runs on spans, where all its inputs are known.  Where functions are nested, arguments
** contain piecewise functions themselves: these are on the branch that they are on in the
** equations.
*/
typedef struct Arguments {
  Tape *tape;              /* NULL: the equations have no switches */
  int switches;            /* how many switches the system's tape has */
  int *output;             /* per switch: the output that is its argument */
  int *cut;                /* per switch: the output for `cut` of Switch, or NONE */
  ContactOutputs *contact; /* per contact of the system */
  int own, *twin;          /* how many switches this tape has; for each, that of the system */
  int capacity[4];         /* of the four lists */
} Arguments;

/* The head of an object that a later layer makes of a system and keeps with it: how to free it. */
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
  sarrus_Expr *lock;  /* rates that can be locked */
  int forces, shares; /* forces that can be released, and their shares in rows of motion */
  sarrus_ForceShare *share;
  int elements; /* some of these forces, described once more as efforts along lengths */
  sarrus_Element *element;
  int lock_capacity, share_capacity, element_capacity;
  _Atomic(Kept *) kept; /* NULL, then set once: nothing else changes once a system is made */
  int room;             /* the most variables that a form has: those of the whole, and the locks */
  Tape *tape;           /* outputs: the equations; extras: the entries of J */
  Arguments arguments;
  size_t bytes; /* of this block */
  int n, m, parameters;
  int contact_count, modes;
  Contact *contacts;
  sarrus_Contact *laws; /* in the system's graph */
  int contact_capacity, law_capacity;
  int general;          /* a general DAE, without the rows listed above */
  int nonlinear;        /* F is not linear in the unknowns of stage 0 */
  int turns_with_rates; /* J contains velocities, as where friction in space turns with the slip */
  int *degree, *offset; /* per variable d_j, per equation c_i */
  int *idle;            /* per multiplier: the coordinate that its constraint defines, or NONE */
  sarrus_Expr *equation;
  int entry_count;
  Entry *entries;                /* by rows */
  int *row_start;                /* per equation: its first entry; and the end of all */
  int *columns;                  /* per entry */
  int *degree_end, *offset_end;  /* where a run of equal degrees, or offsets, begins: its end */
  int (*input)[MOST_DEGREE + 1]; /* per variable: the tape's input for a derivative, or NONE */
};

/* The symbol that is the given derivative of a variable. */
static inline sarrus_SymbolKind variable_kind(const sarrus_System *system, int variable,
                                              int derivative) {
  static const sarrus_SymbolKind kinds[] = {SARRUS_Q, SARRUS_V, SARRUS_A};
  return variable < system->n ? kinds[derivative] : SARRUS_LAMBDA;
}

/* A fault that names nothing; then faults that name a row and a column. */
static inline sarrus_Fault fault_none(void) {
  return (sarrus_Fault){.row = SARRUS_NONE,
                        .column = SARRUS_NONE,
                        .expr = SARRUS_NONE,
                        .event = SARRUS_NONE,
                        .contact = SARRUS_NONE,
                        .entry = SARRUS_NONE,
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

/* Check a list of `count` expressions: ARGUMENT where it is wrong, LIMIT above `most`. */
sarrus_Status system_check_list(int count, int most, const void *list);
/*
** Check that all symbols exist, that is, have indices below the count of their kind.  Q, LAMBDA,
** TIME and PARAMETER have the counts of the system, V has `velocities`.
*/
sarrus_Status system_check_symbols(const sarrus_System *system, int velocities);

/*
** A system of n coordinates and m multipliers with an empty graph, or with the graph of `whole`
** where that is not NULL; NULL without memory.
*/
sarrus_System *system_allocate(sarrus_Memory memory, int n, int m, sarrus_System *whole);
/* Once equations, degrees and offsets have been written: make the matrix and the tape. */
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

/* Copy all expressions of a graph into an empty one, so that they keep their numbers. */
sarrus_Status system_copy_graph(sarrus_Graph *graph, const sarrus_Graph *from);

/*
** The same system with rows for its locks and with forces that can be released; expressions keep
** their numbers.
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

/* Once the tape has been made: compile the arguments of its switches. */
sarrus_Status system_find_arguments(sarrus_System *system);
void system_free_arguments(sarrus_System *system);
/* The switch of a function, or NONE. */
int system_find_switch(const Tape *tape, sarrus_Expr node);
size_t system_argument_bytes(const sarrus_System *system);

#endif
