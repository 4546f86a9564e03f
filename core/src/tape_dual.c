#include "tape_dual.h"

#include <math.h>
#include <string.h>

#include "vector.h"

#define INLINE static inline __attribute__((always_inline)) /* into loops of known width */

int dual_width(int directions) {
  return directions <= 1 ? 1 : (directions + LANES - 1) / LANES * LANES;
}

void dual_lay_out(Dual *dual, Block *block) {
  const Tape *tape = dual->tape;
  const ptrdiff_t width = dual->width, slots = dual->order > 0 ? tape->slot_count : 0;
  const ptrdiff_t rows = slots > 0 ? tape->product_count : 0,
                  terms = slots > 0 ? tape->linear_count : 0;
  BLOCK_TAKE(block, dual->value, tape->value_count);
  BLOCK_TAKE(block, dual->slope, tape->value_count * width);
  BLOCK_TAKE(block, dual->weight, rows);
  BLOCK_TAKE(block, dual->weight_slope, rows * width);
  BLOCK_TAKE(block, dual->factor, terms);
  BLOCK_TAKE(block, dual->factor_slope, terms * width);
  BLOCK_TAKE(block, dual->weight_moves, rows);
  BLOCK_TAKE(block, dual->factor_moves, terms);
  BLOCK_TAKE(block, dual->series, slots * (dual->order + 1));
  BLOCK_TAKE(block, dual->tangent, slots * (dual->order + 1) * width);
  BLOCK_TAKE(block, dual->change, slots * width);
  BLOCK_TAKE(block, dual->output_slope, tape->output_count * width);
  BLOCK_TAKE(block, dual->branch, tape->switch_count);
}

void dual_set_unit(Dual *dual, double unit) {
  const Tape *tape = dual->tape;
  for (int i = 0; i < tape->input_count; i++)
    if (tape->inputs[i].kind == SARRUS_TIME && tape->inputs[i].slot != SARRUS_NONE)
      dual_series(dual, tape->inputs[i].slot)[1] = unit;
}

/* --- rows of derivatives ------------------------------------------------------------------- */

INLINE void row_clear(double *to, int width) {
  for (int l = 0; l < width; l++)
    to[l] = 0;
}

/* to += f x */
INLINE void row_add(double *to, double f, const double *x, int width) {
  if (width == 1) *to += f * *x;
  for (int l = 0; l + LANES <= width; l += LANES)
    *(Lanes *)(to + l) += f * *(const Lanes *)(x + l);
}

/* --- values -------------------------------------------------------------------------------- */

/* How a piecewise function or table depends on its operands, on its branch. */
static void partials_of_piece(const ValueStep *step, const double *u, int branch, double *partial) {
  partial[0] = partial[1] = partial[2] = 0;
  switch (step->op) {
    case SARRUS_OP_ABS: partial[0] = branch; break;
    case SARRUS_OP_MIN:
    case SARRUS_OP_MAX: partial[branch > 0 ? 0 : 1] = 1; break;
    case SARRUS_OP_SELECT: partial[branch > 0 ? 1 : 2] = 1; break;
    case SARRUS_OP_ATAN2: {
      const double square = u[0] * u[0] + u[1] * u[1];
      partial[0] = u[1] / square;
      partial[1] = -u[0] / square;
      break;
    }
    default: break; /* SIGN */
  }
}

/* d z / d u_i of the others, but sums and products. */
static void partials_of(const ValueStep *step, const double *u, double z, double *partial) {
  const double n = step->value;
  partial[0] = partial[1] = partial[2] = 0;
  switch (step->op) {
    case SARRUS_OP_QUOTIENT:
      partial[0] = 1 / u[1];
      partial[1] = -z / u[1];
      break;
    case SARRUS_OP_INTEGER_POWER:
      partial[0] = n * (n == 2 ? u[0] : expr_value(step->op, u[0], 0, 0, n - 1));
      break;
    case SARRUS_OP_POWER: partial[0] = n * pow(u[0], n - 1); break;
    case SARRUS_OP_SQRT: partial[0] = 0.5 / z; break;
    default: partial[0] = expr_is_gap(step->op) ? -2 * u[0] : expr_slope_value(step->op, u[0], z);
  }
}

static void evaluate_table(const Dual *dual, const ValueStep *step, double *z, double *partial) {
  const Table *table = &dual->tape->tables[step->b];
  const double u = dual->value[step->a];
  const int piece =
      step->choice == SARRUS_NONE ? table_piece(table, u) : dual->branch[step->choice];
  *z = table_value(table, piece, step->c, u);
  *partial = table_value(table, piece, step->c + 1, u);
}

static void evaluate_function(const Dual *dual, const ValueStep *step, double *z, double *partial) {
  const double *value = dual->value;
  const double u[3] = {value[step->a], step->b == SARRUS_NONE ? 0 : value[step->b],
                       step->c == SARRUS_NONE ? 0 : value[step->c]};
  if (is_piecewise(step->op)) {
    const int branch =
        step->choice == SARRUS_NONE ? function_branch(step->op, u) : dual->branch[step->choice];
    *z = function_piece(step->op, u, branch);
    partials_of_piece(step, u, branch, partial);
  } else {
    *z = expr_value(step->op, u[0], u[1], u[2], step->value);
    partials_of(step, u, *z, partial);
  }
}

INLINE void evaluate_sum(const Dual *dual, const ValueStep *step, int terms, double *z, double *dz,
                         int width) {
  const ValueTerm *term = &dual->tape->value_terms[step->a];
  double sum = step->value;
  for (int i = 0; i < terms; i++) {
    sum += term[i].factor * dual->value[term[i].value];
    row_add(dz, term[i].factor, dual_slope(dual, term[i].value), width);
  }
  *z = sum;
}

INLINE void evaluate(Dual *dual, int i, int terms, int width) {
  const ValueStep *step = &dual->tape->values[i];
  double *z = &dual->value[i], *dz = dual->slope + (ptrdiff_t)i * width;
  if (step->op == SARRUS_OP_SYMBOL) return;
  row_clear(dz, width);
  if (step->op == SARRUS_OP_CONSTANT) {
    *z = step->value;
  } else if (step->op == SARRUS_OP_LINEAR) {
    evaluate_sum(dual, step, terms, z, dz, width);
  } else if (step->op == SARRUS_OP_PRODUCT) {
    *z = dual->value[step->a] * dual->value[step->b];
    row_add(dz, dual->value[step->b], dual_slope(dual, step->a), width);
    row_add(dz, dual->value[step->a], dual_slope(dual, step->b), width);
  } else {
    double partial[3] = {0};
    const int table = step->op == SARRUS_OP_TABLE;
    const int operand[3] = {step->a, table ? SARRUS_NONE : step->b, table ? SARRUS_NONE : step->c};
    if (table)
      evaluate_table(dual, step, z, partial);
    else
      evaluate_function(dual, step, z, partial);
    for (int k = 0; k < 3; k++)
      if (operand[k] != SARRUS_NONE && partial[k] != 0)
        row_add(dz, partial[k], dual_slope(dual, operand[k]), width);
  }
}

INLINE void evaluate_all(Dual *dual, int from, int to, int width) {
  const Tape *tape = dual->tape;
  for (int i = tape->batches_above[from + 1]; i < tape->batches_above[to]; i++) {
    const ValueBatch *batch = &tape->value_batches[i];
    for (int k = batch->first; k < batch->first + batch->count; k++)
      evaluate(dual, k, batch->terms, width);
  }
}

VECTOR_CLONES
void dual_values(Dual *dual, int from, int to) {
  switch (dual->width) {
    case 1: evaluate_all(dual, from, to, 1); break;
    case 4: evaluate_all(dual, from, to, 4); break;
    case 8: evaluate_all(dual, from, to, 8); break;
    default: evaluate_all(dual, from, to, dual->width);
  }
}

/* --- weights ------------------------------------------------------------------------------- */

/* Whether some derivative is not 0. */
static int moves(const double *row, int width) {
  for (int l = 0; l < width; l++)
    if (row[l] != 0) return 1;
  return 0;
}

/* w = value[factor] value[other] */
static void weigh_sum(Dual *dual, int linear) {
  const Linear *term = &dual->tape->linear[linear];
  const double *value = dual->value;
  const int width = dual->width, alone = term->other == SARRUS_NONE;
  double *dw = dual->factor_slope + (ptrdiff_t)linear * width;
  dual->factor[linear] = value[term->factor] * (alone ? 1 : value[term->other]);
  for (int l = 0; l < width; l++)
    dw[l] = alone ? dual_slope(dual, term->factor)[l]
                  : value[term->other] * dual_slope(dual, term->factor)[l] +
                        value[term->factor] * dual_slope(dual, term->other)[l];
  dual->factor_moves[linear] = moves(dw, width);
}

/* The coefficients 0 of a function's roles, as values; NONE for the number 1. */
static int value_of_role(const Row *row, Role role) {
  return role == ROLE_ONE ? SARRUS_NONE
         : role == ROLE_Z ? row->value
         : role == ROLE_C ? row->companion
                          : row->operand[role - ROLE_U];
}

/* x = f R / D, so that dx = (f dR - x dD) / D. */
static void differentiate_weight(const Dual *dual, const Row *row, const Weight *weight,
                                 double exponent, double x, double *dx) {
  const double f = weight->factor == 0 ? exponent : weight->factor;
  const int of = value_of_role(row, weight->role), by = value_of_role(row, row->shape->divisor);
  const double divisor = by == SARRUS_NONE ? 1 : dual->value[by];
  for (int l = 0; l < dual->width; l++)
    dx[l] = ((of == SARRUS_NONE ? 0 : f * dual_slope(dual, of)[l]) -
             (by == SARRUS_NONE ? 0 : x * dual_slope(dual, by)[l])) /
            divisor;
}

static void weigh_function(Dual *dual, const Row *row) {
  const Tape *tape = dual->tape;
  const ValueStep *step = &tape->values[row->value];
  const Shape *shape = row->shape;
  double role[ROLE_COUNT] = {[ROLE_Z] = dual->value[row->value], [ROLE_ONE] = 1}, d[3], w[2];
  for (int i = 0; i < 3; i++)
    if (row->operand[i] != SARRUS_NONE) role[ROLE_U + i] = dual->value[row->operand[i]];
  if (row->companion != SARRUS_NONE) role[ROLE_C] = dual->value[row->companion];
  const int branch =
      step->choice == SARRUS_NONE ? function_branch(row->op, role) : dual->branch[step->choice];
  function_weights(row, step->value, role, branch, d, w);
  for (int p = row->product; p < row->product + row->product_count; p++) {
    const int k = tape->products[p].factor;
    dual->weight[p] = d[k];
    double *dd = dual->weight_slope + (ptrdiff_t)p * dual->width;
    differentiate_weight(dual, row, &shape->product[k].d, step->value, d[k], dd);
    dual->weight_moves[p] = moves(dd, dual->width);
  }
  for (int i = row->linear; i < row->linear + row->linear_count; i++) {
    const int k = tape->linear[i].factor;
    double *dw = dual->factor_slope + (ptrdiff_t)i * dual->width;
    dual->factor[i] = w[k];
    if (shape->product_count == 0) /* piecewise: 0, 1 or -1 */
      row_clear(dw, dual->width);
    else
      differentiate_weight(dual, row, &shape->linear[k].w, step->value, w[k], dw);
    dual->factor_moves[i] = moves(dw, dual->width);
  }
}

/* The factors of products in sums are constants, which may depend on parameters. */
static void weigh_products(Dual *dual) {
  const Tape *tape = dual->tape;
  for (const Row *row = tape->rows; row < tape->rows + tape->row_count; row++)
    for (int p = row->product; row->op == SARRUS_OP_LINEAR && p < row->product + row->product_count;
         p++) {
      const int factor = tape->products[p].factor;
      dual->weight[p] = dual->value[factor];
      memcpy(dual->weight_slope + (ptrdiff_t)p * dual->width, dual_slope(dual, factor),
             (size_t)dual->width * sizeof *dual->slope);
      dual->weight_moves[p] = moves(dual_slope(dual, factor), dual->width);
    }
}

void dual_weights(Dual *dual, int from, int to) {
  const Tape *tape = dual->tape;
  if (from == LEAD_CONSTANT) weigh_products(dual);
  for (int i = tape->sum_terms.above[from + 1]; i < tape->sum_terms.above[to]; i++)
    weigh_sum(dual, tape->sum_terms.items[i]);
  for (int i = tape->functions.above[from + 1]; i < tape->functions.above[to]; i++)
    weigh_function(dual, &tape->rows[tape->functions.items[i]]);
  for (int i = tape->firsts.above[from + 1]; i < tape->firsts.above[to]; i++) {
    const int slot = tape->firsts.items[i], value = tape->slots[slot].value;
    dual_series(dual, slot)[0] = dual->value[value];
    memcpy(dual_tangent(dual, slot, 0), dual_slope(dual, value),
           (size_t)dual->width * sizeof *dual->slope);
  }
}

/* --- higher orders ------------------------------------------------------------------------- */

/* sum_j A_j B_{k-j}, first <= j <= last, A being a or its Euler derivative. */
typedef struct Convolution {
  const double *a, *b, *da, *db;
  int k, first, last, euler;
} Convolution;

/* From x[0], x[-1], … */
#define FALLING(x) LANES_OF(*(const Lanes *)((x)-3), *(const Lanes *)((x)-3), 3, 2, 1, 0)
#define ADDED_UP(x) (((x)[0] + (x)[1]) + ((x)[2] + (x)[3]))

/* How often term j counts. */
INLINE double count_of(const Convolution *c, int j) { return c->euler ? j : 1; }

INLINE double convolve(const Convolution *c) {
  const double *b = c->b + c->k;
  Lanes sums = {0}, weight = {0, 1, 2, 3};
  double rest = 0;
  int j = c->first;
  weight += j;
  for (; j + LANES <= c->last + 1; j += LANES, weight += LANES) {
    const Lanes product = *(const Lanes *)(c->a + j) * FALLING(b - j);
    sums += c->euler ? weight * product : product;
  }
  for (; j <= c->last; j++)
    rest += count_of(c, j) * c->a[j] * b[-j];
  return ADDED_UP(sums) + rest;
}

/* The same and, of one direction, its derivative. */
INLINE double convolve_both(const Convolution *c, double *slope) {
  const double *b = c->b + c->k, *db = c->db + c->k;
  Lanes sums = {0}, slopes = {0}, weight = {0, 1, 2, 3};
  double rest = 0, rest_slope = 0;
  int j = c->first;
  weight += j;
  for (; j + LANES <= c->last + 1; j += LANES, weight += LANES) {
    const Lanes x = FALLING(b - j), a = *(const Lanes *)(c->a + j),
                changed = *(const Lanes *)(c->da + j) * x + a * FALLING(db - j);
    sums += c->euler ? weight * (a * x) : a * x;
    slopes += c->euler ? weight * changed : changed;
  }
  for (; j <= c->last; j++) {
    rest += count_of(c, j) * c->a[j] * b[-j];
    rest_slope += count_of(c, j) * (c->da[j] * b[-j] + c->a[j] * db[-j]);
  }
  *slope = ADDED_UP(slopes) + rest_slope;
  return ADDED_UP(sums) + rest;
}

/* dz += f times its derivatives, `block` of them from `at` on. */
INLINE void convolve_slopes(const Convolution *c, double f, double *dz, int at, int block,
                            int width) {
  double sum[8] = {0};
  for (int j = c->first; j <= c->last; j++) {
    const double weight = count_of(c, j);
    row_add(sum, weight * c->b[c->k - j], c->da + (ptrdiff_t)j * width + at, block);
    row_add(sum, weight * c->a[j], c->db + (ptrdiff_t)(c->k - j) * width + at, block);
  }
  row_add(dz + at, f, sum, block);
}

/* Coefficient k of a series of the row's own lead is among the linear terms. */
INLINE void run_product(const Dual *dual, const Row *row, int p, int k, double *z, double *dz,
                        int width) {
  const Product *product = &dual->tape->products[p];
  const Slot *slots = dual->tape->slots;
  const ptrdiff_t length = dual->order + 1;
  const Convolution c = {.a = dual_series(dual, product->a),
                         .b = dual_series(dual, product->b),
                         .da = dual->tangent + product->a * length * width,
                         .db = dual->tangent + product->b * length * width,
                         .k = k,
                         .first = row->euler || slots[product->b].lead == row->lead,
                         .last = slots[product->a].lead == row->lead ? k - 1 : k,
                         .euler = row->euler};
  const double s = row->euler ? 1.0 / k : 1, f = s * dual->weight[p];
  const int moves = dual->weight_moves[p];
  double sum = 0, slope;
  if (width == 1) {
    sum = convolve_both(&c, &slope);
    *dz += f * slope;
  } else if (row->output == SARRUS_NONE || moves) { /* nobody asks what outputs are */
    sum = convolve(&c);
  }
  *z += f * sum;
  int at = 0;
  for (; at + 8 <= width; at += 8)
    convolve_slopes(&c, f, dz, at, 8, width);
  for (; at + LANES <= width; at += LANES)
    convolve_slopes(&c, f, dz, at, LANES, width);
  if (moves) row_add(dz, s * sum, dual->weight_slope + (ptrdiff_t)p * width, width);
}

INLINE void run_row(Dual *dual, const Row *row, int k, int width) {
  const Tape *tape = dual->tape;
  const int output = row->output != SARRUS_NONE;
  const ptrdiff_t length = dual->order + 1;
  double nobody, *z = output ? &nobody : &dual_series(dual, row->slot)[k];
  double *dz = output ? dual->output_slope + (ptrdiff_t)row->output * width
                      : dual->tangent + (row->slot * length + k) * width;
  *z = 0;
  row_clear(dz, width);
  for (int p = row->product; p < row->product + row->product_count; p++)
    run_product(dual, row, p, k, z, dz, width);
  for (int i = row->linear; i < row->linear + row->linear_count; i++) {
    const ptrdiff_t slot = tape->linear[i].slot, at = slot * length + k;
    *z += dual->factor[i] * dual->series[at];
    row_add(dz, dual->factor[i], dual->tangent + at * width, width);
    if (dual->factor_moves[i])
      row_add(dz, dual->series[at], dual->factor_slope + (ptrdiff_t)i * width, width);
  }
}

INLINE void run(Dual *dual, int stage, int width) {
  const Tape *tape = dual->tape;
  for (const Row *row = tape->rows; row < tape->rows + tape->row_count; row++)
    if (stage + row->lead > 0) run_row(dual, row, stage + row->lead, width);
}

VECTOR_CLONES
void dual_run(Dual *dual, int stage) {
  switch (dual->width) {
    case 1: run(dual, stage, 1); break;
    case 4: run(dual, stage, 4); break;
    case 8: run(dual, stage, 8); break;
    default: run(dual, stage, dual->width);
  }
}

void dual_complete(Dual *dual, int stage) {
  const Tape *tape = dual->tape;
  for (const Row *row = tape->rows; row < tape->rows + tape->row_count; row++) {
    const int k = stage + row->lead;
    if (k <= 0 || !row->pending || row->slot == SARRUS_NONE) continue;
    double *change = dual->change + (ptrdiff_t)row->slot * dual->width;
    row_clear(change, dual->width);
    for (int i = row->linear; i < row->linear + row->fresh; i++)
      row_add(change, dual->factor[i], dual->change + (ptrdiff_t)tape->linear[i].slot * dual->width,
              dual->width);
    row_add(dual_tangent(dual, row->slot, k), 1, change, dual->width);
  }
}
