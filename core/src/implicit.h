/*
** Implicit steps: the collocation methods Radau IIA on the equations of a form, differentiated as
** often as the series differentiate them (T6), with stiff elements lifted (T51 to T55).
**
** A step has s stages, at the times c_i h.  The unknowns X_i are the highest derivatives and the
** multipliers there.  For a variable of degree 2, with a = X,
**
**   Q_i = q + h c_i v + h^2 sum_j (A^2)_ij a_j,   V_i = v + h sum_j A_ij a_j,
**
** and for one of degree 1, Q_i = q + h sum_j A_ij X_j.  F = 0 is solved at all stages at once, by
** Newton's method with one matrix, which A^-1 = T diag(mu) T^-1 splits into one real and
** (s - 1) / 2 complex matrices of the size of J.
*/
#ifndef SARRUS_IMPLICIT_H
#define SARRUS_IMPLICIT_H

#include "kkt.h"
#include "span.h"
#include "system_parts.h"
#include "tangent.h"
#include "vector.h"

/* --- implicit_radau.c: the methods --- */

enum { MOST_STAGES = 9, MOST_PAIRS = 4 };

/*
** Matrices by rows.  Of eigenvalues and vectors the real one comes first, then one of each complex
** pair.
*/
typedef struct Radau {
  int stages, pairs;
  const double *c, *A, *square;  /* A^2 */
  const double *legendre;        /* row k gives Legendre coefficient k from values at the stages */
  const double *mu_re, *mu_im;   /* 1 + pairs */
  const double *out_re, *out_im; /* T: vector p at [p * stages + i] */
  const double *in_re, *in_im;   /* T^-1: row p likewise */
} Radau;

/* The method for a tolerance. */
const Radau *radau_for(double tolerance);
/* The weights by which values at the stages give the polynomial through them, at tau. */
void radau_weights(const Radau *radau, double tau, double *weights);
/*
** The coefficients of tau^0 … tau^(s-1) of such a polynomial, found from its Legendre coefficients,
** the last of which are small where it is smooth (inverting Vandermonde's matrix loses three
** digits).
*/
void radau_powers(const Radau *radau, const double *values, double *powers);

/* --- implicit_equations.c: what is solved --- */

/* A term of the matrix: it is multiplied by sigma^power and added to `entry`. */
typedef struct MatrixTerm {
  int entry, power;
} MatrixTerm;

/* Per value of a tape: the form's switch whose branch it is on, or NONE. */
typedef struct Twins {
  int *of, capacity;
} Twins;

/*
** The equations of a form with lifted elements.  The variables are the coordinates of the form,
** lifted lengths, the multipliers of the form, and those of lifted elements; rows have that order,
** too.
*/
typedef struct Equations {
  Kept kept; /* frees the equations where the form keeps them */
  sarrus_Memory memory;
  const sarrus_System *form;
  sarrus_Graph *graph;
  int n, m, size;
  int lifts;
  int *degree, *offset; /* per variable; per row */
  Tape *residual;       /* extras: the rows, each differentiated as often as its offset says */
  Tape *terms;          /* extras: the terms of the matrix */
  Tape *closing;        /* extras: all constraints, then their rates; 0 where the offset is less */
  Twins residual_twins, term_twins, closing_twins;
  MatrixTerm *term;
  int term_count, term_capacity;
  int *start, *column; /* the pattern of the matrix, by rows */
  int entry_count, column_capacity;
  size_t bytes; /* of this block */
} Equations;

/* `whole` is the system to which the form belongs; it has the elements. */
sarrus_Status equations_new(sarrus_Memory memory, const sarrus_System *whole,
                            const sarrus_System *form, Equations **result);
void equations_free(Equations *equations);
/*
** The same; but where the form is a part of its system the equations are allocated from the
** system's memory and kept with the form: the first call makes them, for all simulations.
*/
sarrus_Status equations_of(sarrus_Memory memory, const sarrus_System *whole,
                           const sarrus_System *form, Equations **result);
/* Make all equations that equations_of would keep, before threads share the system. */
sarrus_Status equations_share(const sarrus_System *whole);
/* After equations_of: free the equations, unless the form keeps them. */
void equations_leave(Equations *equations);

/* --- implicit_points.c: values of a tape at several points side by side --- */

/*
** Value i at point l is value[i * width + l].  Piecewise functions have the branches that they have
** in the form.
*/
typedef struct Points {
  const Tape *tape;
  int count; /* of points */
  int width; /* 1, or whole Lanes: points beyond those in use are copies of the first */
  double *value;
  const int *twin; /* per value of the tape, as in Twins */
} Points;

static inline int points_width(int count) {
  return count == 1 ? 1 : (count + LANES - 1) / LANES * LANES;
}
void points_lay_out(Points *points, const Tape *tape, const Twins *twins, int count, Block *block);
/* Set the constants, once. */
void points_prepare(Points *points);
/* Once the inputs have been set, find all values; NONFINITE where an extra is not finite. */
sarrus_Status points_run(Points *points, const int *branch);
static inline double *points_input(const Points *points, int input) {
  return points->value + (ptrdiff_t)points->tape->inputs[input].value * points->width;
}
static inline const double *points_extra(const Points *points, int extra) {
  return points->value + (ptrdiff_t)points->tape->extra_value[extra] * points->width;
}

/* --- implicit_matrix.c: J + sigma C + sigma^2 K for several sigma --- */

typedef double Pairs __attribute__((vector_size(MOST_PAIRS * sizeof(double)), aligned(8)));

/* Complex numbers, one for each pair. */
typedef struct Complexes {
  Pairs re, im;
} Complexes;

typedef struct Shifted {
  sarrus_Memory memory;
  int size, entries;
  const int *start, *column;
  double *part[3];          /* per entry, by powers of sigma */
  double *value;            /* of the real matrix */
  double *row, *scale;      /* scales of rows and of columns: powers of two */
  int *left_out;            /* per constraint: whether it is left out */
  int first;                /* the row of the first constraint */
  Sparse *sparse;           /* the order, and the real factors */
  Complexes *lower, *upper; /* by rows of the order */
  int lower_capacity, upper_capacity;
  Complexes *reciprocal, *work; /* per pivot */
} Shifted;

void shifted_lay_out(Shifted *shifted, const Equations *equations, Block *block);
void shifted_release(Shifted *shifted);
/*
** Factor for a step h, once `part` has been set.  A new order of elimination is chosen where
** left_out has changed (`renew`) or pivots have become small.  SINGULAR, NOMEM.
*/
sarrus_Status shifted_factor(Shifted *shifted, const Radau *radau, double h, int renew);
/* With an order and scales from a saved simulation: make room for the factors. */
sarrus_Status shifted_follow(Shifted *shifted, int rank);
/* The sparse part, made if there is none yet; NULL without memory. */
Sparse *shifted_sparse(Shifted *shifted);
void shifted_solve(Shifted *shifted, double *x);
void shifted_solve_pairs(Shifted *shifted, Complexes *x);

/* --- implicit_step.c: the stages of one step --- */

/* What a step needs to know of the simulation at its beginning. */
typedef struct Surroundings {
  const double *parameters, *modes;
  const int *branch;    /* per switch of the form */
  const int *dependent; /* per constraint of the form: as in Kkt */
  const double *scale;  /* per variable of the form */
  const double *lambda; /* per multiplier of the form: its value where the step begins */
  const double *a;      /* per coordinate of the form: its highest derivative there */
  double tolerance;
} Surroundings;

/*
** Matrices of the method by columns, so that stages stand side by side; stages beyond those in use
** are copies of the first.
*/
typedef struct Sides {
  int width;
  double *c, *A, *square;  /* column k at [k * width] */
  double *out_re, *out_im; /* T, with the parts of pairs doubled: vector p at [p * width] */
  double *in;              /* the real row of T^-1 */
  Complexes *in_pairs;     /* per stage: the complex rows of T^-1 */
} Sides;

/* In x, Q and V, variable j at stage i is at [j * width + i]. */
typedef struct Implicit {
  sarrus_Memory memory;
  size_t bytes;
  Equations *equations;
  const Radau *radau;
  Sides sides;
  Points stages, start, middle, closing;
  Shifted matrix;
  double *q, *v;     /* where the step begins */
  double *x, *Q, *V; /* unknowns, positions and velocities at the stages */
  double *last_x;    /* x of the last step that was kept */
  double last_h;     /* h of that step; 0: there is none to continue from */
  double last_end;   /* the part of that step that was taken */
  double *last_q, *last_v;
  double *scale;        /* per coordinate */
  double *real, *noise; /* per variable: workspace of solves */
  Complexes *pairs;
  double *end_q, *end_v; /* where the step ends, on the constraints */
  double error;          /* of the step, relative to the tolerance */
  double contraction;    /* the worst ratio of successive corrections of Newton's method */
  int iterations;        /* how many iterations it took */
} Implicit;

sarrus_Status implicit_new(sarrus_Memory memory, const sarrus_System *whole,
                           const sarrus_System *form, double tolerance, Implicit **result);
void implicit_free(Implicit *implicit);
size_t implicit_bytes(const Implicit *implicit);
/*
** A step of h from a point: finds the stages, the error, and the point where it ends.  STEP where
** Newton's method does not converge; NONFINITE, SINGULAR, NOMEM.
*/
sarrus_Status implicit_solve(Implicit *implicit, const Point *from, double h,
                             const Surroundings *here);
/* The same for a part of the step that was kept last, whose polynomials predict the stages. */
sarrus_Status implicit_solve_part(Implicit *implicit, const Point *from, double h,
                                  const Surroundings *here);
/* The tangents of the step that was found last, as series. */
sarrus_Status implicit_follow(Implicit *implicit, const Point *from, double h,
                              const Surroundings *here, Tangent *tangent);
/* Forget the last step: the next one is not predicted from it. */
void implicit_forget(Implicit *implicit);
/* The step is accepted: the next one is predicted from it. */
void implicit_keep(Implicit *implicit, double h);
/* Write the step as series of the form's variables. */
void implicit_write(const Implicit *implicit, const Point *from, double h, Span *span);
/* The approximate number of multiplications of the last step. */
double implicit_cost(const Implicit *implicit);

#endif
