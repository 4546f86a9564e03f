/* Running a tape: coefficients 0, the factors that follow from them, and all higher orders. */
#include <math.h>

#include "tape.h"
#include "vector.h"

/* --- coefficients 0 ---------------------------------------------------------------------- */

static double evaluate_sum(const Work *work, const ValueStep *step) {
  const ValueTerm *term = &work->tape->value_terms[step->a];
  double sum = step->value;
  for (int i = 0; i < step->b; i++)
    sum += term[i].factor * work->value[term[i].value];
  return sum;
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

static double evaluate(Work *work, const ValueStep *step) {
  const double *value = work->value;
  switch (step->op) {
    case SARRUS_OP_CONSTANT: return step->value;
    case SARRUS_OP_LINEAR: return evaluate_sum(work, step);
    case SARRUS_OP_TABLE: return evaluate_table(work, step);
    case SARRUS_OP_PRODUCT: return value[step->a] * value[step->b];
    default: {
      const double u[3] = {value[step->a], step->b == SARRUS_NONE ? 0 : value[step->b],
                           step->c == SARRUS_NONE ? 0 : value[step->c]};
      return is_piecewise(step->op) ? evaluate_piecewise(work, step, u)
                                    : expr_value(step->op, u[0], u[1], u[2], step->value);
    }
  }
}

static void set_weight(Work *work, int linear, double w) {
  work->terms[work->term_before[linear]].w = w;
  work->terms[work->term_after[linear]].w = w;
}

static void set_sum_weight(Work *work, int linear) {
  const Linear *term = &work->tape->linear[linear];
  const double other = term->other == SARRUS_NONE ? 1 : work->value[term->other];
  set_weight(work, linear, work->value[term->factor] * other);
}

/* Answers 0, or what is not a number where a weight is not finite. */
static double set_function_weights(Work *work, const Row *row) {
  const Tape *tape = work->tape;
  double u[3] = {0, 0, 0}, d[3], w[2], poison = 0;
  for (int i = 0; i < 3; i++)
    if (row->operand[i] != SARRUS_NONE) u[i] = work->value[row->operand[i]];
  const double c = row->companion == SARRUS_NONE ? 0 : work->value[row->companion];
  const ValueStep *step = &tape->values[row->value];
  const int branch =
      step->choice == SARRUS_NONE ? function_branch(row->op, u) : work->branch[step->choice];
  function_weights(row->op, step->value, u, c, work->value[row->value], branch, d, w);
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

/* Coefficient 0; if the next one waits, it is zero until then. */
static void set_first(Work *work, int slot, double x) {
  const Store *store = &work->stores[slot];
  if (store->plain != NULL) store->plain[0] = x;
  if (store->reversed != NULL) store->reversed[0] = x;
  if (work->tape->slots[slot].lead >= LEAD_KNOWN) return;
  if (store->plain != NULL) store->plain[1] = 0;
  if (store->euler != NULL) store->euler[1] = 0;
  if (store->reversed != NULL) store->reversed[-1] = 0;
}

/* Constants stay until a parameter is another one; their inputs come first. */
static int constants_stay(Work *work) {
  const Tape *tape = work->tape;
  int stay = work->constants_known;
  for (int i = 0; i < tape->input_count && tape->inputs[i].lead == LEAD_CONSTANT; i++) {
    const double x = work->value[tape->inputs[i].value];
    if (work->constants[i] == x) continue;
    work->constants[i] = x;
    stay = 0;
  }
  return stay;
}

static sarrus_Status evaluate_all(Work *work, int from, int to) {
  const Tape *tape = work->tape;
  double poison = 0; /* stays 0 until something is not finite */
  for (int i = tape->values_above[from + 1]; i < tape->values_above[to]; i++) {
    const ValueStep *step = &tape->values[i];
    if (step->op != SARRUS_OP_SYMBOL) work->value[i] = evaluate(work, step);
    poison += 0 * work->value[i];
  }
  return poison == 0 ? SARRUS_OK : SARRUS_NONFINITE;
}

sarrus_Status tape_values(Work *work, int from, int to) {
  if (from < LEAD_CONSTANT) return evaluate_all(work, from, to);
  if (!constants_stay(work)) {
    work->constants_known = work->constants_used = 0;
    SARRUS_TRY(evaluate_all(work, LEAD_CONSTANT, LEAD_CONSTANT));
    work->constants_known = 1;
  }
  return evaluate_all(work, LEAD_KNOWN, to);
}

sarrus_Status tape_weights(Work *work, int from, int to) {
  const Tape *tape = work->tape;
  double poison = 0;
  if (from == LEAD_CONSTANT && work->constants_used) from = LEAD_KNOWN;
  if (from == LEAD_CONSTANT) set_constant_weights(work);
  work->constants_used = 1;
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

/* --- higher orders ----------------------------------------------------------------------- */

/*
** Products are summed in LANES partial sums, added up in one fixed order, so that the result does not depend on how wide
** the machine's vectors are, and LANES of them at a time, so that their sums end up side by side.  What Lanes read past the
** end of a meets zeros in b.
*/
static inline __attribute__((always_inline)) void run_products(const Work *work, int from, int to,
                                                               int k, int blocks, double factor) {
  for (int p = from; p < to; p += LANES) {
    Lanes inner[LANES], sums;
#pragma GCC unroll 4
    for (int i = 0; i < LANES; i++) {
      const double *a = work->spans[p + i].a, *b = work->spans[p + i].b - k;
      inner[i] = (Lanes){0};
#pragma GCC unroll 8
      for (int j = 0; j < blocks; j++)
        inner[i] += *(const Lanes *)(a + j * LANES) * *(const Lanes *)(b + j * LANES);
    }
    lanes_sums(inner, &sums);
    *(Lanes *)(work->current + p) = factor * *(const Lanes *)(work->weights + p) * sums;
  }
}

/* The loops over products, compiled for each vector width that the machine may have, and for most lengths. */
static inline __attribute__((always_inline)) void run_all_products(const Work *work,
                                                                   const Group *group, int k,
                                                                   int blocks) {
  run_products(work, group->euler_product, group->product, k, blocks, work->reciprocal[k]);
  run_products(work, group->product, group->product_end, k, blocks, 1);
}

VECTOR_CLONES
static void run_group_products(const Work *work, const Group *group, int k) {
  const int blocks = k / LANES + 1;
  switch (blocks) {
    case 1: run_all_products(work, group, k, 1); break;
    case 2: run_all_products(work, group, k, 2); break;
    case 3: run_all_products(work, group, k, 3); break;
    case 4: run_all_products(work, group, k, 4); break;
    case 5: run_all_products(work, group, k, 5); break;
    case 6: run_all_products(work, group, k, 6); break;
    default: run_all_products(work, group, k, blocks);
  }
}

static inline __attribute__((always_inline)) void run_batch(const Work *work, const Batch *batch,
                                                            int terms) {
  const Sum *sum = work->sums + batch->sum, *end = sum + batch->count;
  for (const Term *term = work->terms + batch->term; sum < end; sum++, term += terms) {
    double total = *sum->base;
    for (int i = 0; i < terms; i++)
      total += term[i].w * *term[i].x;
    *sum->to = total;
  }
}

/* Compiled for the lengths of most sums. */
static void run_sums(const Work *work, int from, int to) {
  for (const Batch *batch = work->batches + from; batch < work->batches + to; batch++) {
    switch (batch->terms) {
      case 1: run_batch(work, batch, 1); break;
      case 2: run_batch(work, batch, 2); break;
      case 3: run_batch(work, batch, 3); break;
      case 4: run_batch(work, batch, 4); break;
      case 5: run_batch(work, batch, 5); break;
      default: run_batch(work, batch, batch->terms);
    }
  }
}

void tape_partial(Work *work, int stage) {
  for (const Group *group = work->groups; group < work->groups + work->group_count; group++) {
    const int k = stage + group->lead;
    if (k <= 0) continue;
    run_group_products(work, group, k);
    for (int i = group->stored; i < group->stored_end; i++)
      *work->stored[i].to = work->stored[i].from[k];
    run_sums(work, group->before, group->after);
  }
}

/* The next coefficient is zero until it is known. */
static void keep(const Work *work, const Group *group, int k) {
  const Copy *copies = work->copies;
  for (int i = group->plain; i < group->euler; i++) {
    copies[i].to[k] = *copies[i].from;
    copies[i].to[k + 1] = 0;
  }
  for (int i = group->euler; i < group->reversed; i++) {
    copies[i].to[k] = k * *copies[i].from;
    copies[i].to[k + 1] = 0;
  }
  for (int i = group->reversed; i < group->copy_end; i++) {
    copies[i].to[-k] = *copies[i].from;
    copies[i].to[-k - 1] = 0;
  }
}

void tape_complete(Work *work, int stage) {
  for (const Group *group = work->groups; group < work->groups + work->group_count; group++) {
    if (stage + group->lead <= 0) continue;
    run_sums(work, group->after, group->end);
    keep(work, group, stage + group->lead);
  }
}
