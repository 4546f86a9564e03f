/*
** The tape: expressions as a straight-line program over power series.
**
** Write x_k for the coefficient of t^k.  Every operation of an expression, with a companion series
** where its differential equation needs one (sin and cos, tan u and 1 + tan^2 u, …), obeys
**
**   z_k = s_k sum_p d_p sum_{0<=j<=k} A_j B_{k-j}  +  sum_i w_i x_{i,k},   k > 0      (T1)
**
** with s_k = 1 or 1/k, where A is a series a or its Euler derivative, A_j = j a_j, and where d_p
** and w_i depend on coefficients 0 alone, and where coefficients k that are not known yet count as
** zero in products: what they add is among the linear terms.  So coefficients 0 are found by an
** ordinary evaluation; from them follow d and w (tape_function.c); and all higher orders are two
** loops, one over products and one over linear terms, that know nothing of functions (tape_run.c).
** The numbers (T1), (T2), … are those of core/doc/theory.md.
**
** Leads.  The coefficients of the unknowns come out one after the other: at stage k an input with
** lead s gets its coefficient k + s (positions 2, velocities 1, accelerations and multipliers 0).
** A row with lead s is run at stage k for its coefficient k + s.  It is `pending` if it contains
** an input of the same lead.  It is then affine in the unknown coefficient (T3), so it is
** run first with that set to zero, which gives the right-hand side of the linear system, and
** after the solve once more, in its linear terms only.
**
** A Tape does not change and may be shared; what changes is in a Work.
*/
#ifndef SARRUS_TAPE_H
#define SARRUS_TAPE_H

#include "expr_graph.h"

/*
** Unknowns have leads from 0 up to LEAD_KNOWN - 1.  Known functions of time (LEAD_KNOWN) and
** constants (LEAD_CONSTANT) never wait for a solve.
*/
enum { LEAD_KNOWN = 8, LEAD_CONSTANT = 9 };

/* One step of the evaluation of coefficients 0: like a Node, with earlier values as operands. */
typedef struct ValueStep {
  sarrus_Op op;
  int lead; /* the least of its inputs' leads */
  int a, b, c;
  double value;
  sarrus_Expr node; /* for messages */
  int choice;       /* of a piecewise step: its Switch, or NONE where no series is wanted of it */
  int companion;    /* of a function that is wanted as a series; or NONE */
} ValueStep;

/* Consecutive steps of the same lead and operation; sums also have the same number of terms. */
typedef struct ValueBatch {
  sarrus_Op op;
  int terms;
  int first, count;
} ValueBatch;

typedef struct ValueTerm {
  double factor;
  int value;
} ValueTerm;

/*
** sum_{0<=j<=k} A_j b_{k-j}, A = a or its Euler derivative.  `factor` says what d is: in a sum
** value[factor], in a function d[factor] of function_weights.
*/
typedef struct Product {
  int a, b; /* slots */
  int factor;
} Product;

/*
** w x_k.  In a sum w = value[factor], times value[other] unless `other` is NONE; in a function
** w = w[factor] of function_weights.  `implied` is used while building: a product contains this
** term as soon as x_k is stored, so the term is left out where x_k is stored earlier.
*/
typedef struct Linear {
  int slot;
  int factor, other;
  int implied;
  int in_sum;
  int varies; /* in sums: the factor depends on parameters */
} Linear;

/*
** An aside: a linear term of an output, whose x is 0 until the solve and whose factor depends on
** parameters.  Runs leave it out, since x_k is zero before the solve and the
** matrix holds the factor; derivatives by parameters need it (tape_follow.h).
*/
typedef struct Unrun {
  int output;
  int value; /* of the unknown x; NONE: x is the series of `slot` */
  int slot;
  int factor, other;
} Unrun;

/*
** How a piecewise function chooses its branch: by the sign of the series in `slot`; for a table, by
** the piece that this series is in.  atan2(y, x) chooses by y, but jumps only where x < 0.
*/
typedef struct Switch {
  int value; /* the piecewise step */
  int slot;
  int table; /* or NONE */
  int cut;   /* of atan2: the slot of x, or NONE where x is constant; NONE for other functions */
} Switch;

/*
** Roles of series in a function's recurrence: operands u, v, w, result z, companion c; ONE is the
** number 1.
*/
typedef enum Role { ROLE_U, ROLE_V, ROLE_W, ROLE_Z, ROLE_C, ROLE_ONE, ROLE_COUNT } Role;

/* factor * coefficient 0 of the role's series; a factor 0 stands for the exponent of the Node. */
typedef struct Weight {
  double factor;
  Role role;
} Weight;

/*
** The recurrence (T1) of a function: sum_p d_p A B, where A is a or its Euler derivative, plus
** sum_i w_i x_i, all divided by coefficient 0 of the divisor.
*/
typedef struct Shape {
  int euler;
  Role divisor;
  int product_count, linear_count;
  struct {
    Role a, b;
    Weight d;
  } product[3];
  struct {
    Role x;
    Weight w;
  } linear[2];
} Shape;

typedef struct Row {
  sarrus_Op op;       /* LINEAR: a sum of products and linear terms */
  const Shape *shape; /* of functions */
  int value;          /* its coefficient 0; NONE for outputs */
  int slot;           /* where its coefficients go; NONE for outputs */
  int output;         /* which output it is, or NONE */
  int lead;
  int level; /* greater than the levels of the rows of the same lead that it waits for */
  int ready; /* the lead of the values from which d and w follow */
  int pending;
  int euler;                  /* s_k = 1/k and A Euler derivatives */
  int product, product_count; /* in tape->products */
  int linear, linear_count;   /* in tape->linear */
  int fresh;  /* this many linear terms, the first ones, have x of the row's own lead */
  int silent; /* this many of the fresh terms, the first ones, are 0 until the solve */
  int idle;   /* 0 until the solve, and so are its derivatives: nothing is run for it before */
  int operand[3], companion; /* values, for functions */
} Row;

typedef struct Input {
  sarrus_SymbolKind kind;
  int index;
  int value, slot; /* slot NONE: wanted at order 0 only */
  int lead;
} Input;

/* A series that is stored: an input's or a row's. */
typedef struct Slot {
  int lead;
  int value;                  /* its coefficient 0 */
  int plain, euler, reversed; /* which copies are kept */
  sarrus_Expr node;
  int silent; /* 0 until the solve: an unknown, or a sum of unknowns by factors of no parameter */
  int level;  /* the least level that a row which waits for it may have */
} Slot;

/* Indices sorted by falling lead; the first above[l] of them have at least the lead l. */
typedef struct Sorted {
  int *items;
  int above[LEAD_CONSTANT + 2];
} Sorted;

typedef struct Tape {
  sarrus_Memory memory;
  size_t bytes;
  int value_count, value_batch_count, value_term_count, input_count, row_count, product_count,
      linear_count, slot_count, output_count, extra_count, switch_count, aside_count;
  ValueStep *values; /* by falling lead, then rising level, then operation */
  ValueBatch *value_batches;
  ValueTerm *value_terms;
  Input *inputs;
  Row *rows; /* by falling lead, then rising level, then number of terms */
  Product *products;
  Linear *linear;
  Slot *slots;
  Switch *switches;
  Unrun *asides;
  int *output_value; /* coefficient 0 of each output */
  int *output_lead;
  int *extra_value;                     /* values of the extras, wanted at order 0 only */
  int values_above[LEAD_CONSTANT + 2];  /* how many values have at least this lead */
  int batches_above[LEAD_CONSTANT + 2]; /* how many batches of values do */
  Sorted functions;                     /* rows of functions, by `ready` */
  Sorted sum_terms;                     /* linear terms of sums, by the lead of w */
  Sorted firsts;                        /* slots, by the lead of coefficient 0 */
  int pole_count;
  int *poles; /* values that have poles: quotients and tangents */
  Table *tables;
} Tape;

/*
** What to compile.  lead[kind] lists the lead of each symbol of that kind by index; NULL: all are
** known.  Outputs are wanted as series, each with its lead; extras at order 0 only.
*/
typedef struct TapeSpec {
  sarrus_Graph *graph; /* grows by companions; must outlive the tape, which uses its tables */
  const int *lead[SARRUS_SYMBOL_KINDS];
  int output_count;
  const sarrus_Expr *outputs;
  const int *output_lead;
  int extra_count;
  const sarrus_Expr *extras;
} TapeSpec;

sarrus_Status tape_new(sarrus_Memory memory, const TapeSpec *spec, Tape **tape);
void tape_free(Tape *tape);
/* A hash of the program, by which two tapes are told apart; it is the same in every process. */
unsigned long long tape_fingerprint(const Tape *tape);
/* The input for a symbol, or NONE where the tape does not use it. */
int tape_input(const Tape *tape, sarrus_SymbolKind kind, int index);

/* --- functions: tape_function.c --- */

static inline int is_piecewise(sarrus_Op op) { /* tables are a case of their own */
  return op == SARRUS_OP_ABS || op == SARRUS_OP_SIGN || op == SARRUS_OP_MIN ||
         op == SARRUS_OP_MAX || op == SARRUS_OP_SELECT || op == SARRUS_OP_ATAN2;
}

/* NULL for sums and leaves. */
const Shape *function_shape(sarrus_Op op);
/* The companion of a function node, made if need be; NONE where it has none. */
sarrus_Expr function_companion(sarrus_Graph *graph, sarrus_Expr e);
/* d and w, from coefficients 0 listed by role; `exponent` is Node.value, `branch` as in Work. */
void function_weights(const Row *row, double exponent, const double *role, int branch, double *d,
                      double *w);
/* The branch that a piecewise function is on by its operands alone; and its value on a branch. */
int function_branch(sarrus_Op op, const double *u);
double function_piece(sarrus_Op op, const double *u, int branch);

/* --- the numbers of one expansion: tape_work.c, tape_values.c, tape_run.c --- */

/* For sum_{0<=j<=k} A_j b_{k-j}: a points to A_0, b to b_0 in the reversed copy. */
typedef struct Factors {
  const double *a, *b;
} Factors;

/* w * x */
typedef struct Term {
  const double *x;
  double w;
} Term;

/*
** to = base + terms; or, where a row is only products, which stand side by side, to = base + the
** products behind it.
*/
typedef struct Sum {
  const double *base;
  double *to;
} Sum;

/* Consecutive sums of the same length. */
typedef struct Batch {
  int sum, count;
  int products;    /* how many each sum has behind its base; then it has no terms */
  int term, terms; /* the first term of all, and how many terms each sum has */
} Batch;

/* The coefficient of the current stage is copied from `from` to `to`. */
typedef struct Copy {
  double *to;
  const double *from;
} Copy;

/* What is run for one lead: ranges of places, batches and copies, each up to the next field. */
typedef struct Group {
  int lead;
  int euler_product, product, product_end; /* places, in whole Lanes: s_k = 1/k, then s_k = 1 */
  int stored, stored_end;                  /* terms from stored series: x_k from [k] */
  int before, after, end; /* batches before the solve, with unknowns zero; of pending rows after */
  int plain, euler, reversed, copy_end; /* copies: x_k at [k], k x_k at [k], x_k at [-k] */
} Group;

/*
** Where a slot's coefficient of the current stage is, and the copies of its series; NULL: not kept.
*/
typedef struct Store {
  double *current;
  double *plain, *euler, *reversed;
} Store;

/*
** The numbers of one expansion (width 1); or rows of their derivatives, `width` numbers in the
** place of each (tape_follow.h).
*/
typedef struct Work {
  double unit;     /* of time */
  unsigned resets; /* how often series have been forgotten */
  const Tape *tape;
  int width;
  int order;           /* highest coefficient that a series can hold */
  double *value;       /* coefficients 0 */
  double *constants;   /* the inputs from which the constants in `value` were computed */
  int constants_known; /* whether those constants are valid */
  int constants_used;  /* whether the weights have been computed from them */
  double *current;     /* the current stage: products by place, then slots that are no product */
  double *bare;        /* per row: what the sum of a row without products begins with, 0 */
  double *known;       /* per slot: the part of current that the solve leaves as it is */
  double *output;      /* per output: its coefficient of the current stage */
  int group_count;
  Group groups[LEAD_KNOWN]; /* by falling lead */
  int *places;              /* per product: its index in factors, weights and current */
  Factors *factors;
  double *weights; /* d */
  Batch *batches;
  Sum *sums;
  Term *terms;
  int *term_before, *term_after; /* per linear term: its Terms before, after the solve; 0: none */
  Copy *stored;                  /* per linear term of a stored series: where x_k is taken from */
  double *stored_now;            /* per linear term of a stored series: x_k */
  Copy *copies;                  /* per copy of a slot that is stored after each stage */
  Store *stores;                 /* per slot */
  double *reciprocal;            /* 1/k */
  int *branch; /* per switch: 1 where its series is >= 0, else -1; tables: the piece */
  int *forced; /* per switch: whether the branch stays, whatever coefficient 0 says */
} Work;

size_t work_size(const Tape *tape, int order);
/* Lays a Work out in `block` of work_size bytes; all series are zero. */
Work *work_init(void *block, const Tape *tape, int order);
/* The same for rows of derivatives (tape_follow.h). */
size_t work_rows_size(const Tape *tape, int order, int width);
Work *work_rows_init(void *block, const Tape *tape, int order, int width);

/* Set coefficient k > 0 of a slot in all its copies; and read it back, 0 if no copy is kept. */
void work_store(Work *work, int slot, int k, double x);
double work_coefficient(const Work *work, int slot, int k);

/*
** Series count time in a unit, a power of two, which changes no digit (T39): coefficient k of x(t)
** is x_k unit^k, and stays in range whatever the user's seconds are.  The unit is 1 at first;
** setting it zeroes all series.
*/
void work_set_unit(Work *work, double unit);

/* All series zero again: after a failure, nothing that is not finite may stay behind. */
void work_reset(Work *work);

/*
** Coefficients 0 of all values with from >= lead >= to, after value[] of the inputs has been set.
** NONFINITE where one is not finite.
*/
sarrus_Status tape_values(Work *work, int from, int to);
/* The sum of the magnitudes of a value's terms, at the values found last. */
double tape_sum_size(const Work *work, int value);
/*
** d and w of the rows that follow from values with from >= lead >= to, and coefficients 0 of series
** with such leads.  NONFINITE where a weight is not finite.
*/
sarrus_Status tape_weights(Work *work, int from, int to);
/* After one of the two failed: the node of the first value, or row, with a non-finite number. */
sarrus_Expr tape_culprit(const Work *work);
/*
** Run every row for its coefficient stage + lead where that is above 0, with the unknowns zero.
** Outputs of order 0 stay those of tape_values.
*/
void tape_partial(Work *work, int stage);
/*
** After the solve, once work->current of the inputs has been set: finish the pending rows, and
** store all coefficients of the stage.
*/
void tape_complete(Work *work, int stage);

/* Append the text of the program. */
void tape_put(Text *text, const Tape *tape, const sarrus_Graph *graph, sarrus_Namer name, void *ud);

#endif
