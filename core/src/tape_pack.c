/*
** The last pass of building a tape: chooses which copies of series are kept, numbers the values,
** sorts, and packs all into one block.  Then the fingerprint of a tape.
*/
#include <string.h>

#include "block.h"
#include "tape_builder.h"

static int value_of(const Builder *builder, sarrus_Expr e) {
  return e == SARRUS_NONE ? SARRUS_NONE : builder->marks[e].value;
}

/* The factor of a term is an expression in a sum, an index of the shape's weights in a function. */
static int factor_of(const Builder *builder, const Row *row, int factor) {
  return row->op == SARRUS_OP_LINEAR ? value_of(builder, factor) : factor;
}

/* --- copies ------------------------------------------------------------------------------ */

/* Mark the copies that leave no choice: those for Euler products, stored terms and switches. */
static void need_copies(Builder *builder) {
  Slot *slots = builder->slots;
  for (int r = 0; r < builder->row_count; r++) {
    const Row *row = &builder->rows[r];
    for (int p = row->product; row->euler && p < row->product + row->product_count; p++) {
      slots[builder->products[p].a].euler = 1;
      slots[builder->products[p].b].reversed = 1;
    }
    for (int i = row->linear; i < row->linear + row->linear_count; i++) {
      Slot *slot = &slots[builder->linear[i].slot];
      if (slot->lead != row->lead && !builder->linear[i].implied) slot->plain = 1;
    }
  }
  for (int i = 0; i < builder->switch_count; i++) {
    const Switch *choice = &builder->switches[i];
    slots[choice->slot].plain = 1;
    if (choice->cut != SARRUS_NONE) slots[choice->cut].plain = 1;
  }
}

/*
** Either factor of a plain product may be read reversed: choose what needs fewer new copies.
*/
static void choose_copies(Builder *builder) {
  Slot *slots = builder->slots;
  for (int r = 0; r < builder->row_count; r++) {
    const Row *row = &builder->rows[r];
    for (int p = row->product; !row->euler && p < row->product + row->product_count; p++) {
      Product *product = &builder->products[p];
      const Slot *a = &slots[product->a], *b = &slots[product->b];
      const int as_is = !a->plain + !b->reversed, swapped = !b->plain + !a->reversed;
      if (swapped < as_is) {
        const int other = product->a;
        product->a = product->b;
        product->b = other;
      }
      slots[product->a].plain = 1;
      slots[product->b].reversed = 1;
    }
  }
}

/*
** Derivatives by parameters read a series whose factor depends on parameters, so at least one copy
** of it must be kept.
*/
static void keep_varied(Builder *builder) {
  for (int r = 0; r < builder->row_count; r++) {
    const Row *row = &builder->rows[r];
    for (int i = row->linear; i < row->linear + row->linear_count; i++) {
      const Linear *term = &builder->linear[i];
      Slot *slot = &builder->slots[term->slot];
      if (row->op != SARRUS_OP_LINEAR || term->other != SARRUS_NONE) continue;
      if (!builder->marks[term->factor].varies) continue;
      if (!slot->euler && !slot->reversed) slot->plain = 1;
    }
  }
}

/* --- packing ----------------------------------------------------------------------------- */

static void lay_out(Tape *tape, Block *block) {
  block_take(block, 1, sizeof *tape);
  BLOCK_TAKE(block, tape->values, tape->value_count);
  BLOCK_TAKE(block, tape->value_batches, tape->value_batch_count);
  BLOCK_TAKE(block, tape->value_terms, tape->value_term_count);
  BLOCK_TAKE(block, tape->inputs, tape->input_count);
  BLOCK_TAKE(block, tape->rows, tape->row_count);
  BLOCK_TAKE(block, tape->products, tape->product_count);
  BLOCK_TAKE(block, tape->linear, tape->linear_count);
  BLOCK_TAKE(block, tape->slots, tape->slot_count);
  BLOCK_TAKE(block, tape->switches, tape->switch_count);
  BLOCK_TAKE(block, tape->asides, tape->aside_count);
  BLOCK_TAKE(block, tape->output_value, tape->output_count);
  BLOCK_TAKE(block, tape->output_lead, tape->output_count);
  BLOCK_TAKE(block, tape->extra_value, tape->extra_count);
  BLOCK_TAKE(block, tape->functions.items, tape->row_count);
  BLOCK_TAKE(block, tape->sum_terms.items, tape->linear_count);
  BLOCK_TAKE(block, tape->firsts.items, tape->slot_count);
  BLOCK_TAKE(block, tape->poles, tape->value_count);
}

/* The greatest number of asides that the packed tape may have. */
static int count_asides(const Builder *builder) {
  int count = builder->aside_count;
  for (int r = 0; r < builder->row_count; r++)
    if (builder->rows[r].output != SARRUS_NONE) count += builder->rows[r].linear_count;
  return count;
}

static Tape *allocate(Builder *builder) {
  Tape shape = {.memory = builder->memory,
                .value_count = builder->value_count,
                .value_batch_count = builder->value_batch_count,
                .value_term_count = builder->value_term_count,
                .input_count = builder->input_count,
                .row_count = builder->row_count,
                .product_count = builder->product_count,
                .linear_count = builder->linear_count,
                .slot_count = builder->slot_count,
                .switch_count = builder->switch_count,
                .aside_count = count_asides(builder),
                .output_count = builder->spec->output_count,
                .extra_count = builder->spec->extra_count,
                .tables = builder->graph->tables};
  Block block = {NULL, 0};
  lay_out(&shape, &block);
  shape.bytes = block.used;
  Tape *tape = builder->memory.alloc(builder->memory.ud, NULL, 0, block.used);
  if (tape == NULL) {
    builder->status = SARRUS_NOMEM;
    return NULL;
  }
  *tape = shape;
  lay_out(tape, &(Block){(char *)tape, 0});
  return tape;
}

static void pack_batch(const Builder *builder, Tape *tape, int i, int *batches) {
  const Wanted *wanted = &builder->values[i];
  if (tape_begins_batch(builder, i))
    tape->value_batches[(*batches)++] = (ValueBatch){wanted->op, wanted->terms, i, 0};
  tape->value_batches[*batches - 1].count++;
  for (int low = 0; low <= wanted->lead; low++) {
    tape->values_above[low] = i + 1;
    tape->batches_above[low] = *batches;
  }
}

static void pack_values(const Builder *builder, Tape *tape) {
  const sarrus_Graph *graph = builder->graph;
  int terms = 0, inputs = 0, batches = 0;
  for (int i = 0; i < tape->value_count; i++) {
    const sarrus_Expr e = builder->values[i].e;
    const Node *node = &graph->nodes[e];
    const int lead = builder->marks[e].lead;
    ValueStep step = {node->op,    lead, node->a,     node->b,    node->c,
                      node->value, e,    SARRUS_NONE, SARRUS_NONE};
    if (node->op == SARRUS_OP_SYMBOL) {
      const int slot = builder->marks[e].slot;
      tape->inputs[inputs++] = (Input){(sarrus_SymbolKind)node->a, node->b, i, slot, lead};
    } else if (node->op == SARRUS_OP_LINEAR) {
      step.a = terms;
      for (int j = 0; j < node->b; j++) {
        const sarrus_Term *term = &graph->terms[node->a + j];
        tape->value_terms[terms++] = (ValueTerm){term->factor, value_of(builder, term->expr)};
      }
    } else if (node->op != SARRUS_OP_CONSTANT) {
      const int arity = sarrus_op_arity(node->op);
      step.a = value_of(builder, node->a);
      if (arity > 1) step.b = value_of(builder, node->b);
      if (arity > 2) step.c = value_of(builder, node->c);
    }
    tape->values[i] = step;
    pack_batch(builder, tape, i, &batches);
    const int has_poles = step.op == SARRUS_OP_QUOTIENT || step.op == SARRUS_OP_TAN;
    if (has_poles && lead < LEAD_CONSTANT) tape->poles[tape->pole_count++] = i;
  }
}

/*
** Pack the linear terms of one kind: fresh ones, whose x has the row's lead (silent or not), or
** those of stored series.  A stored term is left out where a product contains it; a silent term is
** left out in outputs, which are not run after the solve.
*/
static int pack_terms(const Builder *builder, Tape *tape, const Row *row, int fresh, int silent,
                      int *used) {
  int count = 0;
  for (int i = row->linear; i < row->linear + row->linear_count; i++) {
    const Linear term = builder->linear[i];
    const Slot *slot = &builder->slots[term.slot];
    if ((slot->lead == row->lead) != fresh || (fresh && slot->silent) != silent) continue;
    if (silent && row->output != SARRUS_NONE) {
      if (builder->marks[term.factor].varies)
        tape->asides[tape->aside_count++] =
            (Unrun){row->output, SARRUS_NONE, term.slot, value_of(builder, term.factor),
                    value_of(builder, term.other)};
      continue;
    }
    if (!fresh && term.implied) continue;
    tape->linear[*used + count++] =
        (Linear){.slot = term.slot,
                 .factor = factor_of(builder, row, term.factor),
                 .other = value_of(builder, term.other),
                 .in_sum = row->op == SARRUS_OP_LINEAR,
                 .varies = row->op == SARRUS_OP_LINEAR && builder->marks[term.factor].varies};
  }
  *used += count;
  return count;
}

/* The linear terms of a row are packed in the order silent, other fresh ones, stored ones. */
static void pack_linear(const Builder *builder, Tape *tape, Row *row, int *used) {
  const int first = *used;
  row->silent = pack_terms(builder, tape, row, 1, 1, used);
  row->fresh = row->silent + pack_terms(builder, tape, row, 1, 0, used);
  row->linear_count = row->fresh + pack_terms(builder, tape, row, 0, 0, used);
  row->linear = first;
  for (int i = row->linear; i < row->linear + row->fresh; i++) {
    const int level = builder->slots[tape->linear[i].slot].level;
    if (row->level < level) row->level = level;
  }
  if (row->slot == SARRUS_NONE) return;
  builder->slots[row->slot].level = row->level + 1;
  row->idle = row->product_count == 0 && row->linear_count == row->silent;
  for (int i = row->linear; i < row->linear + row->silent; i++)
    row->idle &= !tape->linear[i].varies;
  builder->slots[row->slot].silent = row->idle;
}

static void pack_row(const Builder *builder, Tape *tape, int index, int *packed, int *products,
                     int *linear) {
  Row row = builder->rows[index];
  const int first = *products;
  for (int i = row.product; i < row.product + row.product_count; i++) {
    tape->products[*products] = builder->products[i];
    tape->products[(*products)++].factor = factor_of(builder, &row, builder->products[i].factor);
  }
  row.product = first;
  pack_linear(builder, tape, &row, linear);
  row.value = value_of(builder, row.value);
  row.companion = value_of(builder, row.companion);
  if (row.slot != SARRUS_NONE) tape->values[row.value].companion = row.companion;
  for (int i = 0; i < 3; i++)
    row.operand[i] = value_of(builder, row.operand[i]);
  tape->rows[(*packed)++] = row;
}

static void find_row(Builder *builder, int row) {
  const sarrus_Expr e = builder->rows[row].value;
  const Node *nodes = builder->graph->nodes;
  builder->marks[e].row = row;
  if (nodes[e].op != SARRUS_OP_INTEGER_POWER) return;
  sarrus_Expr *link = &builder->marks[nodes[e].a].power;
  while (*link != SARRUS_NONE && nodes[*link].value < nodes[e].value)
    link = &builder->marks[*link].power;
  builder->marks[e].power = *link;
  *link = e;
}

/*
** Pack rows by falling lead, within a lead by node, then the outputs.  The powers of a base follow
** its row, by rising exponent, because the halves of a power may be younger nodes than its users.
*/
static void pack_rows(Builder *builder, Tape *tape) {
  int packed = 0, products = 0, linear = 0;
  tape->aside_count = 0;
  for (int i = 0; i < builder->aside_count; i++) {
    Unrun *aside = &tape->asides[tape->aside_count++];
    *aside = builder->asides[i];
    aside->value = value_of(builder, aside->value);
    aside->factor = value_of(builder, aside->factor);
  }
  for (int i = 0; i < builder->slot_count; i++) {
    Slot *slot = &builder->slots[i];
    slot->silent =
        slot->lead < LEAD_KNOWN && builder->graph->nodes[slot->node].op == SARRUS_OP_SYMBOL;
  }
  for (int i = 0; i < builder->row_count; i++)
    if (builder->rows[i].output == SARRUS_NONE) find_row(builder, i);
  for (int lead = LEAD_CONSTANT; lead >= 0; lead--) {
    for (int v = 0; v < builder->mark_count; v++) {
      if (builder->graph->nodes[v].op == SARRUS_OP_INTEGER_POWER) continue;
      for (sarrus_Expr e = v; e != SARRUS_NONE; e = builder->marks[e].power) {
        const int row = builder->marks[e].row;
        if (row != SARRUS_NONE && builder->rows[row].lead == lead)
          pack_row(builder, tape, row, &packed, &products, &linear);
      }
    }
    for (int i = 0; i < builder->row_count; i++)
      if (builder->rows[i].output != SARRUS_NONE && builder->rows[i].lead == lead)
        pack_row(builder, tape, i, &packed, &products, &linear);
  }
  tape->linear_count = linear;
}

Tape *tape_pack(Builder *builder) {
  const TapeSpec *spec = builder->spec;
  need_copies(builder);
  choose_copies(builder);
  keep_varied(builder);
  tape_number_values(builder);
  Tape *tape = builder->status < 0 ? NULL : allocate(builder);
  if (tape == NULL) return NULL;
  pack_values(builder, tape);
  pack_rows(builder, tape);
  for (int i = 0; i < tape->slot_count; i++) {
    tape->slots[i] = builder->slots[i];
    tape->slots[i].value = value_of(builder, builder->slots[i].node);
  }
  for (int i = 0; i < tape->switch_count; i++) {
    tape->switches[i] = builder->switches[i];
    tape->switches[i].value = value_of(builder, builder->switches[i].value);
    tape->values[tape->switches[i].value].choice = i;
  }
  for (int i = 0; i < tape->output_count; i++) {
    tape->output_value[i] = value_of(builder, spec->outputs[i]);
    tape->output_lead[i] = spec->output_lead[i];
  }
  tape_sort(tape);
  for (int i = 0; i < tape->extra_count; i++)
    tape->extra_value[i] = value_of(builder, spec->extras[i]);
  return tape;
}

/* --- fingerprint ------------------------------------------------------------------------- */

/* One multiplication per number; its upper half, which depends on all bits, is folded back. */
static unsigned long long mix(unsigned long long h, unsigned long long x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 32);
}

static unsigned long long table_fingerprint(const Table *table) {
  unsigned long long h = (unsigned long long)table->count;
  for (int i = 0; i < 6 * table->count + 5; i++) { /* knots, origins and pieces are one block */
    unsigned long long bits;
    memcpy(&bits, &table->x[i], sizeof bits);
    h = mix(h, bits);
  }
  return h;
}

unsigned long long tape_fingerprint(const Tape *tape) {
  unsigned long long h = 14695981039346656037u;
  for (int i = 0; i < tape->value_count; i++) {
    const ValueStep *step = &tape->values[i];
    unsigned long long bits;
    memcpy(&bits, &step->value, sizeof bits);
    h = mix(mix(h, (unsigned long long)step->op), bits);
    h = mix(mix(mix(h, (unsigned)step->a), (unsigned)step->b), (unsigned)step->c);
  }
  for (int i = 0; i < tape->value_term_count; i++) {
    unsigned long long bits;
    memcpy(&bits, &tape->value_terms[i].factor, sizeof bits);
    h = mix(mix(h, bits), (unsigned)tape->value_terms[i].value);
  }
  for (int i = 0; i < tape->output_count; i++)
    h = mix(mix(h, (unsigned)tape->output_value[i]), (unsigned)tape->output_lead[i]);
  for (int i = 0; i < tape->value_count; i++)
    if (tape->values[i].op == SARRUS_OP_TABLE)
      h = mix(h, table_fingerprint(&tape->tables[tape->values[i].b]));
  return h;
}
