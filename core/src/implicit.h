/*
** Implicit steps: the collocation methods Radau IIA on the equations of a form, differentiated as
** often as the series differentiate them (T6), with stiff elements lifted (T51 to T55).
**
** With s stages at the times c_i h of a step, unknowns are the highest derivatives and the
** multipliers there, X_i.  Of a variable of degree 2, a = X,
**
**   Q_i = q + h c_i v + h^2 sum_j (A^2)_ij a_j,   V_i = v + h sum_j A_ij a_j
**
** of one of degree 1, Q_i = q + h sum_j A_ij X_j.  All stages solve F = 0 at once, by Newton's
** method with one matrix for all of them, which A^-1 = T diag(mu) T^-1 takes apart into one real
** and (s - 1) / 2 complex matrices of the size of J.
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

/* Matrices by rows.  Eigenvalues and vectors: the real one first, then one of each pair. */
typedef struct Radau {
  int stages, pairs;
  const double *c, *A, *square;  /* A^2 */
  const double *legendre;        /* coefficient k of a polynomial from its s values */
  const double *mu_re, *mu_im;   /* 1 + pairs */
  const double *out_re, *out_im; /* T: vector p at [p * stages + i] */
  const double *in_re, *in_im;   /* T^-1: row p likewise */
} Radau;

/* The method for a tolerance. */
const Radau *radau_for(double tolerance);
/* The polynomials through values at the stages, at tau: weights of the stages. */
void radau_weights(const Radau *radau, double tau, double *weights);
/*
** Coefficients of tau^0 … tau^(s-1) of such a polynomial, by way of Legendre's, whose last ones are
** small where it is smooth (inverting Vandermonde's matrix loses three digits).
*/
void radau_powers(const Radau *radau, const double *values, double *powers);

/* --- implicit_equations.c: what is solved --- */

/* An entry of the matrix is a sum of these, times sigma^power. */
typedef struct MatrixTerm {
  int entry, power;
} MatrixTerm;

/* Per value of a tape: the form's switch whose branch it is on, or NONE. */
typedef struct Twins {
  int *of, capacity;
} Twins;

/*
** The equations of a form with lifted elements.  Variables: coordinates, lifted ones behind those
** of the form; multipliers, those of lifted elements behind those of the form.  Rows likewise.
*/
typedef struct Equations {
  Kept kept; /* with the form, where that is a part of its system */
  sarrus_Memory memory;
  const sarrus_System *form;
  sarrus_Graph *graph;
  int n, m, size;
  int lifts;
  int *degree, *offset; /* per variable; per row */
  Tape *residual;       /* extras: the rows, each differentiated as often as its offset says */
  Tape *terms;          /* extras: the terms of the matrix */
  Tape *closing; /* extras: per constraint itself, then its rate; 0 where its offset is less */
  Twins residual_twins, term_twins, closing_twins;
  MatrixTerm *term;
  int term_count, term_capacity;
  int *start, *column; /* the pattern of the matrix, by rows */
  int entry_count, column_capacity;
  size_t bytes; /* of this block */
} Equations;

/* `whole` is the system that the form is one of: it knows the elements. */
sarrus_Status equations_new(sarrus_Memory memory, const sarrus_System *whole,
                            const sarrus_System *form, Equations **result);
void equations_free(Equations *equations);
/*
** The same, kept with the form where that is a part of its system, from whose memory they are then:
** made once, whoever asks first, and for all simulations of it.
*/
sarrus_Status equations_of(sarrus_Memory memory, const sarrus_System *whole,
                           const sarrus_System *form, Equations **result);
/* All that equations_of may be asked for and keeps: before threads share the system. */
sarrus_Status equations_share(const sarrus_System *whole);
/* After equations_of: give them back, unless the form keeps them. */
void equations_leave(Equations *equations);

/* --- implicit_points.c: values of a tape at several points side by side --- */

/*
** Value i at point l is value[i * width + l].  Piecewise functions are on the branches that they
** are on in the form.
*/
typedef struct Points {
  const Tape *tape;
  int count; /* of points */
  int width; /* 1, or whole Lanes: points beyond those in use are copies of the first */
  double *value;
  const int *twin; /* of the tape's values */
} Points;

static inline int points_width(int count) {
  return count == 1 ? 1 : (count + LANES - 1) / LANES * LANES;
}
void points_lay_out(Points *points, const Tape *tape, const Twins *twins, int count, Block *block);
/* Constants. */
void points_prepare(Points *points);
/* Inputs being set: all values; NONFINITE where an extra is not finite. */
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
  double *row, *scale;      /* powers of two: of rows and of columns */
  int *left_out;            /* per constraint: a flag */
  int first;                /* constraint */
  Sparse *sparse;           /* the order, and the real factors */
  Complexes *lower, *upper; /* by rows of the order */
  int lower_capacity, upper_capacity;
  Complexes *reciprocal, *work; /* per pivot */
} Shifted;

void shifted_lay_out(Shifted *shifted, const Equations *equations, Block *block);
void shifted_release(Shifted *shifted);
/*
** Factor for a step h, parts being set; the order of elimination is chosen anew where left_out has
** changed (`renew`) or pivots have become small.  SINGULAR, NOMEM.
*/
sarrus_Status shifted_factor(Shifted *shifted, const Radau *radau, double h, int renew);
/* The order and the scales come from a saved simulation: room for the factors that follow. */
sarrus_Status shifted_follow(Shifted *shifted, int rank);
/* The sparse part, made where there is none yet; NULL without memory. */
Sparse *shifted_sparse(Shifted *shifted);
void shifted_solve(Shifted *shifted, double *x);
void shifted_solve_pairs(Shifted *shifted, Complexes *x);

/* --- implicit_step.c: the stages of one step --- */

/* What a step needs to know of where it is made. */
typedef struct Surroundings {
  const double *parameters, *modes;
  const int *branch;    /* of the form's switches */
  const int *dependent; /* per constraint of the form, as kkt's */
  const double *scale;  /* per variable of the form */
  const double *lambda; /* per multiplier of the form, where the step begins */
  const double *a;      /* per coordinate likewise: highest derivatives */
  double tolerance;
} Surroundings;

/*
** Matrices of the method by columns, so that stages stand side by side; stages beyond those in use
** are copies of the first.
*/
typedef struct Sides {
  int width;
  double *c, *A, *square;  /* column k at [k * width] */
  double *out_re, *out_im; /* T, the pairs' parts twice: vector p at [p * width] */
  double *in;              /* the real row of T^-1 */
  Complexes *in_pairs;     /* per stage: the others */
} Sides;

/* Unknowns of variable j at stage i are at [j * width + i], coordinates' too. */
typedef struct Implicit {
  sarrus_Memory memory;
  size_t bytes;
  Equations *equations;
  const Radau *radau;
  Sides sides;
  Points stages, start, middle, closing;
  Shifted matrix;
  double *q, *v;     /* where the step begins */
  double *x, *Q, *V; /* at the stages */
  double *last_x;    /* of the last step, */
  double last_h;     /* 0: there is none to go on from; */
  double last_end;   /* the part of it that was taken; */
  double *last_q, *last_v;
  double *scale;        /* per coordinate */
  double *real, *noise; /* per variable: for solves */
  Complexes *pairs;
  double *end_q, *end_v; /* where the step ends, on the constraints */
  double error;          /* of the step, relative to the tolerance */
  double contraction;    /* of Newton's method, at its worst */
  int iterations;        /* that it took */
} Implicit;

sarrus_Status implicit_new(sarrus_Memory memory, const sarrus_System *whole,
                           const sarrus_System *form, double tolerance, Implicit **result);
void implicit_free(Implicit *implicit);
size_t implicit_bytes(const Implicit *implicit);
/*
** A step of h from a point: stages, error, the point where it ends.  STEP: Newton's method does not
** converge; NONFINITE, SINGULAR, NOMEM.
*/
sarrus_Status implicit_solve(Implicit *implicit, const Point *from, double h,
                             const Surroundings *here);
/* The same for a part of the step that was kept last: its polynomials are known. */
sarrus_Status implicit_solve_part(Implicit *implicit, const Point *from, double h,
                                  const Surroundings *here);
/* The tangents of the step that was found last, as series. */
sarrus_Status implicit_follow(Implicit *implicit, const Point *from, double h,
                              const Surroundings *here, Tangent *tangent);
/* Nothing is known of steps before. */
void implicit_forget(Implicit *implicit);
/* The step is taken: the next one goes on from it. */
void implicit_keep(Implicit *implicit, double h);
/* As series of the form's variables. */
void implicit_write(const Implicit *implicit, const Point *from, double h, Span *span);
/* Multiplications, or so, of the last step. */
double implicit_cost(const Implicit *implicit);

#endif
