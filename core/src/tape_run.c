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

static void sum_weights(Work *work, const Row *row) {
  const Tape *tape = work->tape;
  for (int p = row->product; p < row->product + row->product_count; p++)
    work->spans[p].d = work->value[tape->products[p].factor];
  for (int i = row->linear; i < row->linear + row->linear_count; i++) {
    const Linear *term = &tape->linear[i];
    const double other = term->other == SARRUS_NONE ? 1 : work->value[term->other];
    work->addends[i].w = work->value[term->factor] * other;
  }
}

static void row_weights(Work *work, const Row *row) {
  const Tape *tape = work->tape;
  if (row->op == SARRUS_OP_LINEAR) {
    sum_weights(work, row);
    return;
  }
  double u[3] = {0, 0, 0}, d[3], w[2];
  for (int i = 0; i < 3; i++)
    if (row->operand[i] != SARRUS_NONE) u[i] = work->value[row->operand[i]];
  const double c = row->companion == SARRUS_NONE ? 0 : work->value[row->companion];
  const ValueStep *step = &tape->values[row->value];
  const int branch =
      step->choice == SARRUS_NONE ? function_branch(row->op, u) : work->branch[step->choice];
  function_weights(row->op, step->value, u, c, work->value[row->value], branch, d, w);
  for (int p = 0; p < row->product_count; p++)
    work->spans[row->product + p].d = d[tape->products[row->product + p].factor];
  for (int i = row->linear; i < row->linear + row->linear_count; i++)
    work->addends[i].w = w[tape->linear[i].factor];
}

/* Coefficient 0 is only read from plain copies. */
static void set_first(Work *work, int slot, double x) {
  if (work->stores[slot].plain != NULL) work->stores[slot].plain[0] = x;
}

sarrus_Status tape_start(Work *work, int from, int to) {
  const Tape *tape = work->tape;
  double poison = 0; /* stays 0 until something is not finite */
  for (int i = tape->values_above[from + 1]; i < tape->values_above[to]; i++) {
    const ValueStep *step = &tape->values[i];
    if (step->op != SARRUS_OP_SYMBOL) work->value[i] = evaluate(work, step);
    poison += 0 * work->value[i];
  }
  if (poison != 0) return SARRUS_NONFINITE;
  for (int i = tape->ready_above[from + 1]; i < tape->ready_above[to]; i++) {
    const Row *row = &tape->rows[tape->by_ready[i]];
    row_weights(work, row);
    for (int p = row->product; p < row->product + row->product_count; p++)
      poison += 0 * work->spans[p].d;
    if (row->slot != SARRUS_NONE) set_first(work, row->slot, work->value[row->value]);
  }
  for (int i = 0; i < tape->input_count; i++) {
    const Input *input = &tape->inputs[i];
    if (input->slot != SARRUS_NONE) set_first(work, input->slot, work->value[input->value]);
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
      if (!isfinite(work->spans[p].d)) return tape->values[row->value].node;
  }
  return SARRUS_NONE;
}

/* --- higher orders ----------------------------------------------------------------------- */

/*
** The part of (T1) that does not wait.  Inner products are summed in LANES partial sums, added up in one fixed order, so that the
** result does not depend on how wide the machine's vectors are.  Measured for a tape of 89 products, orders 0 to 19, ns
** a product: scalar 6.1, two lanes 3.8, four 2.6, eight 2.9 with AVX-512 and 8.1 without.  What Lanes read past the
** end of a meets zeros in b.
*/
static inline double inner_products(const Work *work, const Line *line, int k, int blocks) {
  Lanes sum = {0};
  for (int p = line->span; p < line->span_end; p++) {
    const Span *span = &work->spans[p];
    const double *a = span->a, *b = span->b - (k - 2);
    Lanes inner = {0};
    for (int j = 0; j < blocks; j++)
      inner += *(const Lanes *)(a + j * LANES) * *(const Lanes *)(b + j * LANES);
    sum += span->d * inner;
  }
  const double total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
  return line->euler ? total * work->reciprocal[k] : total;
}

static inline __attribute__((always_inline)) void run_lines(const Work *work, const Group *group,
                                                            int k, int blocks) {
  for (int l = group->line; l < group->line_end; l++) {
    Line *line = &work->lines[l];
    double known = line->span < line->span_end ? inner_products(work, line, k, blocks) : 0;
    for (int i = line->stored; i < line->stored_end; i++)
      known += work->addends[i].w * work->addends[i].x[k];
    line->known = known;
    for (int i = line->told; i < line->stored; i++)
      known += work->addends[i].w * *work->addends[i].x;
    *line->to = known;
  }
}

/* The loop over rows, compiled for each vector width that the machine may have, and for the lengths
** of most products. */
VECTOR_CLONES
static void run_group(const Work *work, const Group *group, int k) {
  const int blocks = (k - 1 + LANES - 1) / LANES;
  switch (blocks) {
    case 0: run_lines(work, group, k, 0); break;
    case 1: run_lines(work, group, k, 1); break;
    case 2: run_lines(work, group, k, 2); break;
    case 3: run_lines(work, group, k, 3); break;
    case 4: run_lines(work, group, k, 4); break;
    case 5: run_lines(work, group, k, 5); break;
    case 6: run_lines(work, group, k, 6); break;
    default: run_lines(work, group, k, blocks);
  }
}

void tape_partial(Work *work, int stage) {
  for (const Group *group = work->groups; group < work->groups + work->group_count; group++)
    if (stage + group->lead > 0) run_group(work, group, stage + group->lead);
}

static void finish(const Work *work, const Group *group) {
  for (int f = group->finish; f < group->finish_end; f++) {
    const Finish *row = &work->finishes[f];
    double sum = *row->known;
    for (int i = row->fresh; i < row->fresh_end; i++)
      sum += work->addends[i].w * *work->addends[i].x;
    *row->to = sum;
  }
}

static void keep(const Work *work, const Group *group, int k) {
  const Copy *copies = work->copies;
  for (int i = group->plain; i < group->euler; i++)
    copies[i].to[k] = *copies[i].from;
  for (int i = group->euler; i < group->reversed; i++)
    copies[i].to[k] = k * *copies[i].from;
  for (int i = group->reversed; i < group->copy_end; i++)
    copies[i].to[-k] = *copies[i].from;
}

void tape_complete(Work *work, int stage) {
  for (const Group *group = work->groups; group < work->groups + work->group_count; group++) {
    if (stage + group->lead <= 0) continue;
    finish(work, group);
    keep(work, group, stage + group->lead);
  }
}
