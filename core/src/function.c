/*
** Functions of series, and of series whose coefficients are series themselves.  The rows of a tape
** are run over the ring of the coefficients, whose elements are series of `stride` numbers; for
** plain series these are single numbers.
*/
#include "sarrus/function.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "sarrus/series.h"
#include "tape.h"

struct sarrus_Function {
  sarrus_Memory memory;
  sarrus_Op op;
  int arity;
  Tape *tape; /* its inputs are the operands, all known */
};

/* --- making ------------------------------------------------------------------------------ */

static int has_series(sarrus_Op op) {
  int sign;
  return op == SARRUS_OP_SQRT || op == SARRUS_OP_ATAN2 || expr_equation(op, &sign) != NO_EQUATION;
}

static sarrus_Status compile(sarrus_Function *function) {
  sarrus_Graph *graph = sarrus_graph_new(function->memory);
  if (graph == NULL) return SARRUS_NOMEM;
  const sarrus_Expr u = sarrus_graph_symbol(graph, SARRUS_U, 0);
  const sarrus_Expr v = sarrus_graph_symbol(graph, SARRUS_U, 1);
  const sarrus_Expr z = sarrus_graph_apply(graph, function->op, u, v, SARRUS_NONE);
  const int lead = 0;
  const TapeSpec spec = {.graph = graph, .output_count = 1, .outputs = &z, .output_lead = &lead};
  const sarrus_Status status =
      graph->status < 0 ? graph->status : tape_new(function->memory, &spec, &function->tape);
  sarrus_graph_free(graph);
  return status;
}

sarrus_Status sarrus_function_new(sarrus_Memory memory, sarrus_Op op, sarrus_Function **function) {
  *function = NULL;
  if (!has_series(op)) return SARRUS_ARGUMENT;
  sarrus_Function *made = memory.alloc(memory.ud, NULL, 0, sizeof *made);
  if (made == NULL) return SARRUS_NOMEM;
  *made = (sarrus_Function){.memory = memory, .op = op, .arity = sarrus_op_arity(op)};
  const sarrus_Status status = compile(made);
  if (status < 0)
    sarrus_function_free(made);
  else
    *function = made;
  return status;
}

void sarrus_function_free(sarrus_Function *function) {
  if (function == NULL) return;
  tape_free(function->tape);
  function->memory.alloc(function->memory.ud, function, sizeof *function, 0);
}

sarrus_Op sarrus_function_op(const sarrus_Function *function) { return function->op; }

/* --- room -------------------------------------------------------------------------------- */

typedef struct Run {
  const Tape *tape;
  int order, stride;
  double *series;  /* per slot, its coefficients */
  double *values;  /* coefficients 0 of all values */
  double *weights; /* d of products, then w of linear terms */
  double *term, *part;
} Run;

static size_t room_of(const Tape *tape, int order, int stride) {
  const size_t elements = (size_t)tape->slot_count * ((size_t)order + 1) +
                          (size_t)tape->value_count + (size_t)tape->product_count +
                          (size_t)tape->linear_count + 2;
  return elements * (size_t)stride;
}

size_t sarrus_function_room(const sarrus_Function *function, int order, int inner) {
  if (order < 0 || inner < 0) return 0;
  const size_t plain = inner > 0 ? room_of(function->tape, inner, 1) : 0;
  return room_of(function->tape, order, inner + 1) + plain;
}

static Run lay_out(const Tape *tape, int order, int stride, double *room) {
  Run run = {.tape = tape, .order = order, .stride = stride};
  memset(room, 0, room_of(tape, order, stride) * sizeof *room);
  run.series = room;
  run.values = run.series + (size_t)tape->slot_count * ((size_t)order + 1) * (size_t)stride;
  run.weights = run.values + tape->value_count * stride;
  run.term = run.weights + (tape->product_count + tape->linear_count) * stride;
  run.part = run.term + stride;
  return run;
}

static double *coefficient(const Run *run, int slot, int k) {
  return run->series + ((ptrdiff_t)slot * (run->order + 1) + k) * run->stride;
}

static double *value(const Run *run, int i) { return run->values + i * run->stride; }

/* --- the ring ---------------------------------------------------------------------------- */

static void copy(const Run *run, double *to, const double *from) {
  memcpy(to, from, (size_t)run->stride * sizeof *to);
}

/* to += a b */
static void add_product(const Run *run, double *to, const double *a, const double *b) {
  for (int i = 0; i < run->stride; i++) {
    sarrus_series_mul_k(run->part, a, b, i);
    to[i] += run->part[i];
  }
}

/* --- coefficients 0 and weights ---------------------------------------------------------- */

static double evaluate(const Tape *tape, const ValueStep *step, const double *values) {
  if (step->op == SARRUS_OP_CONSTANT) return step->value;
  if (step->op != SARRUS_OP_LINEAR)
    return expr_value(step->op, values[step->a], step->b == SARRUS_NONE ? 0 : values[step->b], 0,
                      step->value);
  double sum = step->value;
  for (int i = step->a; i < step->a + step->b; i++)
    sum += tape->value_terms[i].factor * values[tape->value_terms[i].value];
  return sum;
}

/* Coefficients 0 of all values, for plain series. */
static void set_values(const Run *run, const double *const *u) {
  for (int i = 0; i < run->tape->input_count; i++) {
    const Input *input = &run->tape->inputs[i];
    run->values[input->value] = u[input->index][0];
  }
  for (int i = 0; i < run->tape->value_count; i++) {
    const ValueStep *step = &run->tape->values[i];
    if (step->op != SARRUS_OP_SYMBOL) run->values[i] = evaluate(run->tape, step, run->values);
  }
}

/* Coefficients 0 from a run of plain series; a value without a slot there is a constant. */
static void take_values(const Run *run, const Run *plain) {
  for (int i = 0; i < run->tape->value_count; i++)
    *value(run, i) = plain->values[i];
  for (int slot = 0; slot < run->tape->slot_count; slot++)
    copy(run, value(run, run->tape->slots[slot].value), coefficient(plain, slot, 0));
}

/* Coefficient 0 of the series that has this role in a function's row. */
static const double *role_value(const Run *run, const Row *row, Role role) {
  const int values[] = {row->operand[0], row->operand[1], row->operand[2], row->value,
                        row->companion};
  return value(run, values[role]);
}

static void weigh(const Run *run, const Row *row, const Weight *weight, double *to) {
  const double exponent = run->tape->values[row->value].value;
  const double factor = weight->factor == 0 ? exponent : weight->factor;
  to[0] = factor;
  for (int i = 0; weight->role != ROLE_ONE && i < run->stride; i++)
    to[i] = factor * role_value(run, row, weight->role)[i];
}

static void set_function_weights(const Run *run, const Row *row) {
  const Tape *tape = run->tape;
  const Shape *shape = row->shape;
  for (int p = row->product; p < row->product + row->product_count; p++)
    weigh(run, row, &shape->product[tape->products[p].factor].d, run->weights + p * run->stride);
  for (int i = row->linear; i < row->linear + row->linear_count; i++)
    weigh(run, row, &shape->linear[tape->linear[i].factor].w,
          run->weights + (tape->product_count + i) * run->stride);
}

/* The factors of a sum are constants. */
static void set_sum_weights(const Run *run, const Row *row) {
  const Tape *tape = run->tape;
  for (int p = row->product; p < row->product + row->product_count; p++)
    run->weights[p * run->stride] = *value(run, tape->products[p].factor);
  for (int i = row->linear; i < row->linear + row->linear_count; i++) {
    const Linear *term = &tape->linear[i];
    const double factor = *value(run, term->factor);
    double *w = run->weights + (tape->product_count + i) * run->stride;
    w[0] = factor;
    for (int l = 0; term->other != SARRUS_NONE && l < run->stride; l++)
      w[l] = factor * value(run, term->other)[l];
  }
}

static void set_weights(const Run *run) {
  for (const Row *row = run->tape->rows; row < run->tape->rows + run->tape->row_count; row++) {
    if (row->op == SARRUS_OP_LINEAR)
      set_sum_weights(run, row);
    else
      set_function_weights(run, row);
  }
}

/* --- all orders -------------------------------------------------------------------------- */

static int is_input(const Run *run, int slot) { return run->tape->slots[slot].lead >= LEAD_KNOWN; }

/*
** to = sum_{0<=j<=k} A_j b_{k-j}, where coefficients k of series other than inputs count as zero:
** their contribution is among the linear terms.
*/
static void convolve(const Run *run, const Product *product, int euler, int k, double *to) {
  const int first = is_input(run, product->b) ? 0 : 1;
  const int end = is_input(run, product->a) ? k + 1 : k;
  const int stride = run->stride;
  for (int i = 0; i < stride; i++) {
    double sum = 0;
    for (int l = 0; l <= i; l++) {
      const double *a = coefficient(run, product->a, 0) + l;
      const double *b = coefficient(run, product->b, k) + i - l;
      for (int j = first; j < end; j++)
        sum += (euler ? j : 1) * a[j * stride] * b[-j * stride];
    }
    to[i] = sum;
  }
}

/* z <- z / (factor c), where c is the divisor of a function's row. */
static void divide(const Run *run, const Row *row, double factor, double *z) {
  double *c = run->part;
  memset(c, 0, (size_t)run->stride * sizeof *c);
  c[0] = factor;
  for (int i = 0; row->shape->divisor != ROLE_ONE && i < run->stride; i++)
    c[i] = factor * role_value(run, row, row->shape->divisor)[i];
  copy(run, run->term, z);
  for (int i = 0; i < run->stride; i++)
    sarrus_series_div_k(z, run->term, c, i);
}

/*
** (T1), as k c_0 z_k = sum_p d_p sum_j A_j B_{k-j} + k sum_i w_i x_{i,k} where A are Euler
** derivatives
*/
static void run_row(const Run *run, const Row *row, int k) {
  const Tape *tape = run->tape;
  const double factor = row->euler ? k : 1;
  double *z = coefficient(run, row->slot, k);
  for (int i = row->linear; i < row->linear + row->linear_count; i++)
    add_product(run, z, run->weights + (tape->product_count + i) * run->stride,
                coefficient(run, tape->linear[i].slot, k));
  for (int i = 0; i < run->stride; i++)
    z[i] *= factor;
  for (int p = row->product; p < row->product + row->product_count; p++) {
    convolve(run, &tape->products[p], row->euler, k, run->term);
    add_product(run, z, run->weights + p * run->stride, run->term);
  }
  if (row->shape != NULL) divide(run, row, factor, z);
}

/* The series of all slots, once coefficients 0 of all values are known. */
static void expand(const Run *run, const double *const *u) {
  const Tape *tape = run->tape;
  set_weights(run);
  for (int slot = 0; slot < tape->slot_count; slot++)
    copy(run, coefficient(run, slot, 0), value(run, tape->slots[slot].value));
  for (int i = 0; i < tape->input_count; i++)
    memcpy(coefficient(run, tape->inputs[i].slot, 0), u[tape->inputs[i].index],
           ((size_t)run->order + 1) * (size_t)run->stride * sizeof **u);
  for (int k = 1; k <= run->order; k++)
    for (const Row *row = tape->rows; row < tape->rows + tape->row_count; row++)
      if (row->output == SARRUS_NONE) run_row(run, row, k);
}

/* --- functions --------------------------------------------------------------------------- */

static int is_outside(sarrus_Op op, const double *const *u) {
  double low, high;
  sarrus_op_domain(op, &low, &high);
  return !(u[0][0] > low && u[0][0] < high) ||
         (op == SARRUS_OP_ATAN2 && u[0][0] == 0 && u[1][0] == 0);
}

static const double *result_of(const Run *run) {
  int slot = 0;
  while (run->tape->slots[slot].value != run->tape->output_value[0])
    slot++;
  return coefficient(run, slot, 0);
}

sarrus_Status sarrus_function_run(const sarrus_Function *function, const double *const *u,
                                  int order, int inner, double *y, double *room) {
  if (order < 0 || inner < 0) return SARRUS_ARGUMENT;
  if ((order + 1.0) * (inner + 1.0) > INT_MAX) return SARRUS_LIMIT;
  const Tape *tape = function->tape;
  const int last = (order + 1) * (inner + 1) - 1;
  const int is_zero = function->op == SARRUS_OP_SQRT && sarrus_series_sign(u[0], last) == 0;
  memset(y, 0, ((size_t)last + 1) * sizeof *y);
  if (is_zero && sarrus_series_is_finite(u[0], last)) return SARRUS_OK;
  if (is_outside(function->op, u)) return SARRUS_NONFINITE;
  const Run run = lay_out(tape, order, inner + 1, room);
  if (inner == 0) {
    set_values(&run, u);
  } else {
    const Run plain = lay_out(tape, inner, 1, room + room_of(tape, order, inner + 1));
    set_values(&plain, u);
    expand(&plain, u);
    take_values(&run, &plain);
  }
  expand(&run, u);
  memcpy(y, result_of(&run), ((size_t)last + 1) * sizeof *y);
  if (function->op == SARRUS_OP_ATAN2 && u[0][0] == 0)
    y[0] = copysign(y[0], sarrus_series_sign(u[0], last)); /* the side of the cut that u goes to */
  return sarrus_series_is_finite(y, last) ? SARRUS_OK : SARRUS_NONFINITE;
}
