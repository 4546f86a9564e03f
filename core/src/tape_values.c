/* Coefficients 0 of a tape, and the weights that follow from them. */
#include <math.h>
#include <string.h>

#include "tape.h"
#include "vector.h"

/* --- values ------------------------------------------------------------------------------ */

static inline __attribute__((always_inline)) void evaluate_sums(Work *work, const ValueBatch *batch,
                                                                int terms) {
  const ValueStep *step = &work->tape->values[batch->first];
  const ValueTerm *term = &work->tape->value_terms[step->a];
  double *value = work->value;
  for (int i = 0; i < batch->count; i++, term += terms) {
    double sum = step[i].value;
    for (int j = 0; j < terms; j++)
      sum += term[j].factor * value[term[j].value];
    value[batch->first + i] = sum;
  }
}

static void evaluate_products(Work *work, const ValueBatch *batch) {
  const ValueStep *step = &work->tape->values[batch->first];
  double *value = work->value;
  for (int i = 0; i < batch->count; i++)
    value[batch->first + i] = value[step[i].a] * value[step[i].b];
}

static double evaluate_table(Work *work, const ValueStep *step) {
  const Table *table = &work->tape->tables[step->b];
  const double u = work->value[step->a];
  int piece = table_piece(table, u);
  if (step->choice != SARRUS_NONE) {
    if (work->forced[step->choice]) piece = work->branch[step->choice];
    work->branch[step->choice] = piece;
  }
  return table_value(table, piece, step->c, u);
}

static double evaluate_piecewise(Work *work, const ValueStep *step, const double *u) {
  int branch = function_branch(step->op, u);
  if (step->choice != SARRUS_NONE) {
    if (work->forced[step->choice]) branch = work->branch[step->choice];
    work->branch[step->choice] = branch;
  }
  return function_piece(step->op, u, branch);
}

static double evaluate_function(Work *work, const ValueStep *step) {
  const double *value = work->value;
  const double u[3] = {value[step->a], step->b == SARRUS_NONE ? 0 : value[step->b],
                       step->c == SARRUS_NONE ? 0 : value[step->c]};
  return is_piecewise(step->op) ? evaluate_piecewise(work, step, u)
                                : expr_value(step->op, u[0], u[1], u[2], step->value);
}

static double evaluate(Work *work, const ValueStep *step) {
  switch (step->op) {
    case SARRUS_OP_CONSTANT: return step->value;
    case SARRUS_OP_TABLE: return evaluate_table(work, step);
    default: return evaluate_function(work, step);
  }
}

static void evaluate_batch(Work *work, const ValueBatch *batch) {
  if (batch->op == SARRUS_OP_SYMBOL) return;
  if (batch->op == SARRUS_OP_PRODUCT) {
    evaluate_products(work, batch);
  } else if (batch->op == SARRUS_OP_LINEAR) {
    switch (batch->terms) { /* compiled for the lengths of most sums */
      case 1: evaluate_sums(work, batch, 1); break;
      case 2: evaluate_sums(work, batch, 2); break;
      case 3: evaluate_sums(work, batch, 3); break;
      default: evaluate_sums(work, batch, batch->terms);
    }
  } else {
    for (int i = batch->first; i < batch->first + batch->count; i++)
      work->value[i] = evaluate(work, &work->tape->values[i]);
  }
}

static sarrus_Status evaluate_all(Work *work, int from, int to) {
  const Tape *tape = work->tape;
  const int first = tape->values_above[from + 1], end = tape->values_above[to];
  for (int i = tape->batches_above[from + 1]; i < tape->batches_above[to]; i++)
    evaluate_batch(work, &tape->value_batches[i]);
  return vector_finite(work->value + first, end - first) ? SARRUS_OK : SARRUS_NONFINITE;
}

/*
** Whether the constants are still valid: no parameter has changed.  The inputs that they depend on
** come first.
*/
static int constants_stay(Work *work) {
  const Tape *tape = work->tape;
  int stay = work->constants_known;
  for (int i = 0; i < tape->input_count && tape->inputs[i].lead == LEAD_CONSTANT; i++) {
    const double x = work->value[tape->inputs[i].value];
    if (memcmp(&work->constants[i], &x, sizeof x) == 0)
      continue; /* 0 and -0 differ in some functions */
    work->constants[i] = x;
    stay = 0;
  }
  return stay;
}

double tape_sum_size(const Work *work, int value) {
  const Tape *tape = work->tape;
  const ValueStep *step = &tape->values[value];
  if (step->op != SARRUS_OP_LINEAR) return fabs(work->value[value]);
  double size = fabs(step->value);
  for (int i = 0; i < step->b; i++) {
    const ValueTerm *term = &tape->value_terms[step->a + i];
    size += fabs(term->factor * work->value[term->value]);
  }
  return size;
}

sarrus_Status tape_values(Work *work, int from, int to) {
  if (from < LEAD_CONSTANT) return evaluate_all(work, from, to);
  if (constants_stay(work)) return evaluate_all(work, LEAD_KNOWN, to);
  const int constants = work->tape->values_above[LEAD_CONSTANT];
  const sarrus_Status status = evaluate_all(work, LEAD_CONSTANT, to);
  work->constants_known = status == SARRUS_OK || vector_finite(work->value, constants);
  work->constants_used = 0;
  return status;
}

/* --- weights ----------------------------------------------------------------------------- */

static void set_weight(Work *work, int linear, double w) {
  work->terms[work->term_before[linear]].w = w;
  work->terms[work->term_after[linear]].w = w;
}

static void set_sum_weight(Work *work, int linear) {
  const Linear *term = &work->tape->linear[linear];
  const double other = term->other == SARRUS_NONE ? 1 : work->value[term->other];
  set_weight(work, linear, work->value[term->factor] * other);
}

/* Returns 0, or NaN where a weight is not finite. */
static double set_function_weights(Work *work, const Row *row) {
  const Tape *tape = work->tape;
  double role[ROLE_COUNT] = {[ROLE_Z] = work->value[row->value], [ROLE_ONE] = 1};
  double d[3], w[2], poison = 0;
  for (int i = 0; i < 3; i++)
    if (row->operand[i] != SARRUS_NONE) role[ROLE_U + i] = work->value[row->operand[i]];
  if (row->companion != SARRUS_NONE) role[ROLE_C] = work->value[row->companion];
  const ValueStep *step = &tape->values[row->value];
  const int branch =
      step->choice == SARRUS_NONE ? function_branch(row->op, role) : work->branch[step->choice];
  function_weights(row, step->value, role, branch, d, w);
  for (int p = row->product; p < row->product + row->product_count; p++) {
    work->weights[work->places[p]] = d[tape->products[p].factor];
    poison += 0 * work->weights[work->places[p]];
  }
  for (int i = row->linear; i < row->linear + row->linear_count; i++)
    set_weight(work, i, w[tape->linear[i].factor]);
  return poison;
}

/* The factors of products in sums are constants. */
static void set_constant_weights(Work *work) {
  const Tape *tape = work->tape;
  for (const Row *row = tape->rows; row < tape->rows + tape->row_count; row++)
    for (int p = row->product; row->op == SARRUS_OP_LINEAR && p < row->product + row->product_count;
         p++)
      work->weights[work->places[p]] = work->value[tape->products[p].factor];
}

/* Set coefficient 0.  Coefficient 1, where a solve will give it, is zero until then. */
static void set_first(Work *work, int slot, double x) {
  const Store *store = &work->stores[slot];
  if (store->plain != NULL) store->plain[0] = x;
  if (store->reversed != NULL) store->reversed[0] = x;
  if (work->tape->slots[slot].lead >= LEAD_KNOWN) return;
  if (store->plain != NULL) store->plain[1] = 0;
  if (store->euler != NULL) store->euler[1] = 0;
  if (store->reversed != NULL) store->reversed[-1] = 0;
}

sarrus_Status tape_weights(Work *work, int from, int to) {
  const Tape *tape = work->tape;
  double poison = 0;
  if (from == LEAD_CONSTANT && work->constants_used) from = LEAD_KNOWN;
  if (from == LEAD_CONSTANT) {
    set_constant_weights(work);
    work->constants_used = 1;
  }
  for (int i = tape->sum_terms.above[from + 1]; i < tape->sum_terms.above[to]; i++)
    set_sum_weight(work, tape->sum_terms.items[i]);
  for (int i = tape->functions.above[from + 1]; i < tape->functions.above[to]; i++)
    poison += set_function_weights(work, &tape->rows[tape->functions.items[i]]);
  for (int i = tape->firsts.above[from + 1]; i < tape->firsts.above[to]; i++) {
    const int slot = tape->firsts.items[i];
    set_first(work, slot, work->value[tape->slots[slot].value]);
  }
  return poison == 0 ? SARRUS_OK : SARRUS_NONFINITE;
}

sarrus_Expr tape_culprit(const Work *work) {
  const Tape *tape = work->tape;
  for (int i = 0; i < tape->value_count; i++)
    if (!isfinite(work->value[i])) return tape->values[i].node;
  for (int i = 0; i < tape->row_count; i++) {
    const Row *row = &tape->rows[i];
    for (int p = row->product; p < row->product + row->product_count; p++)
      if (!isfinite(work->weights[work->places[p]])) return tape->values[row->value].node;
  }
  return SARRUS_NONE;
}
