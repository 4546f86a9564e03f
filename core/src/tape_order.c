/*
** Sorts values and rows: by falling lead, the order in which they become known; then by rising
** level, operands before users; and then so that those which are run in the same way stand side by
** side, as one batch.
*/
#include <stdlib.h>

#include "tape_builder.h"

/* --- values ------------------------------------------------------------------------------ */

static void want_value(Builder *builder, sarrus_Expr e) {
  if (e != SARRUS_NONE && expr_reach(builder->graph, e) < 0) builder->status = SARRUS_NOMEM;
}

static void want_values(Builder *builder) {
  const TapeSpec *spec = builder->spec;
  expr_walk(builder->graph);
  for (int i = 0; i < spec->output_count; i++)
    want_value(builder, spec->outputs[i]);
  for (int i = 0; i < spec->extra_count; i++)
    want_value(builder, spec->extras[i]);
  for (int i = 0; i < builder->aside_count; i++)
    want_value(builder, builder->asides[i].factor);
  for (int r = 0; r < builder->row_count; r++) {
    const Row *row = &builder->rows[r];
    want_value(builder, row->value);
    want_value(builder, row->companion);
    if (row->op != SARRUS_OP_LINEAR) continue;
    for (int i = 0; i < row->product_count; i++)
      want_value(builder, builder->products[row->product + i].factor);
    for (int i = 0; i < row->linear_count; i++)
      want_value(builder, builder->linear[row->linear + i].factor);
  }
}

/*
** Operands are older nodes, so their levels are known already; `value` of a mark is still the
** node's place in the unsorted list.
*/
static int value_level(const Builder *builder, sarrus_Expr e) {
  int level = 0;
  for (int i = 0; i < expr_operand_count(builder->graph, e); i++) {
    const Mark *operand = &builder->marks[expr_operand(builder->graph, e, i)];
    if (operand->lead != builder->marks[e].lead) continue;
    if (level <= builder->values[operand->value].level)
      level = builder->values[operand->value].level + 1;
  }
  return level;
}

/* Sorts steps of the same kind next to each other, for batches. */
static int compare_values(const void *first, const void *second) {
  const Wanted *a = first, *b = second;
  if (a->lead != b->lead) return b->lead - a->lead;
  if (a->level != b->level) return a->level - b->level;
  if (a->op != b->op) return (int)a->op - (int)b->op;
  if (a->terms != b->terms) return a->terms - b->terms;
  return a->e - b->e;
}

int tape_begins_batch(const Builder *builder, int i) {
  const Wanted *a = &builder->values[i], *before = a - 1;
  return i == 0 || a->lead != before->lead || a->op != before->op || a->terms != before->terms;
}

void tape_number_values(Builder *builder) {
  sarrus_Graph *graph = builder->graph;
  want_values(builder);
  if (!RESERVE(builder, values, value_capacity, graph->order_count + 1)) return;
  for (int e = 0; e < graph->count; e++) {
    if (!expr_is_marked(graph, e)) continue;
    const Node *node = &graph->nodes[e];
    const int terms = node->op == SARRUS_OP_LINEAR ? node->b : 0;
    builder->value_term_count += terms;
    builder->input_count += node->op == SARRUS_OP_SYMBOL;
    builder->marks[e].value = builder->value_count;
    builder->values[builder->value_count++] =
        (Wanted){builder->marks[e].lead, value_level(builder, e), node->op, terms, e};
  }
  qsort(builder->values, (size_t)builder->value_count, sizeof *builder->values, compare_values);
  for (int i = 0; i < builder->value_count; i++) {
    builder->marks[builder->values[i].e].value = i;
    builder->value_batch_count += tape_begins_batch(builder, i);
  }
}

/* --- rows -------------------------------------------------------------------------------- */

/* How many terms the row's sum has before the solve, not counting the product it begins with. */
static int terms_before(const Row *row) {
  return row->product_count - (row->product_count > 0) + row->linear_count - row->silent;
}

/* Sorts rows that are run in the same way next to each other, for batches. */
static int compare_rows(const void *first, const void *second) {
  const Row *a = first, *b = second;
  if (a->lead != b->lead) return b->lead - a->lead;
  if (a->level != b->level) return a->level - b->level;
  if (terms_before(a) != terms_before(b)) return terms_before(a) - terms_before(b);
  if (a->product_count != b->product_count) return a->product_count - b->product_count;
  if (a->fresh != b->fresh) return a->fresh - b->fresh;
  if (a->op != b->op) return (int)a->op - (int)b->op;
  if (a->product != b->product) return a->product - b->product;
  if (a->linear != b->linear) return a->linear - b->linear;
  return a->value - b->value;
}

/* The lead at which the item with this number becomes known; NONE: the item is not listed. */
typedef int LeadOf(const Tape *tape, int number);

static void sort_by_lead(const Tape *tape, Sorted *sorted, int count, LeadOf *lead_of) {
  int used = 0;
  for (int lead = LEAD_CONSTANT; lead >= 0; lead--) {
    for (int i = 0; i < count; i++)
      if (lead_of(tape, i) == lead) sorted->items[used++] = i;
    sorted->above[lead] = used;
  }
}

static int function_lead(const Tape *tape, int row) {
  return tape->rows[row].op == SARRUS_OP_LINEAR ? SARRUS_NONE : tape->rows[row].ready;
}

static int first_lead(const Tape *tape, int slot) {
  return tape->values[tape->slots[slot].value].lead;
}

static int sum_term_lead(const Tape *tape, int linear) {
  const Linear *term = &tape->linear[linear];
  if (!term->in_sum) return SARRUS_NONE;
  const int factor = tape->values[term->factor].lead;
  const int other = term->other == SARRUS_NONE ? factor : tape->values[term->other].lead;
  return factor < other ? factor : other;
}

void tape_sort(Tape *tape) {
  qsort(tape->rows, (size_t)tape->row_count, sizeof *tape->rows, compare_rows);
  sort_by_lead(tape, &tape->functions, tape->row_count, function_lead);
  sort_by_lead(tape, &tape->sum_terms, tape->linear_count, sum_term_lead);
  sort_by_lead(tape, &tape->firsts, tape->slot_count, first_lead);
}
