/*
** From expressions to a tape, in four passes:
**   reach    which nodes are wanted as series, companions included
**   lead     how early each is wanted, how often it is used
**   rows     nodes to rows; what is used once is written into its user's row
**   finish   number the values and the slots, sort by lead, and pack all into one block
*/
#include <string.h>

#include "array.h"
#include "block.h"
#include "tape.h"

/* Sums nested deeper than this get a row of their own. */
enum { DEEPEST_INLINE = 40 };

/* Per node of the graph; -1 where a field does not apply. */
typedef struct Mark {
  int lead;   /* the greatest that its inputs allow */
  int wanted; /* the lead at which it is wanted as a series; -1: it is not */
  int uses;   /* by nodes wanted as series, and by outputs */
  int slot;
  int value;
  int row;
  sarrus_Expr power; /* the next higher power of the same base that has a row */
} Mark;

/* While building, rows and terms name expressions where the tape will have values. */
typedef struct Builder {
  sarrus_Memory memory;
  const TapeSpec *spec;
  sarrus_Graph *graph;
  Mark *marks;
  int mark_count, mark_capacity;
  Row *rows;
  int row_count, row_capacity;
  Product *products;
  int product_count, product_capacity;
  Linear *linear;
  int linear_count, linear_capacity;
  Slot *slots;
  int slot_count, slot_capacity;
  Switch *switches;
  int switch_count, switch_capacity;
  sarrus_Expr *queue;
  int queue_count, queue_capacity;
  sarrus_Expr *values; /* finish: nodes in the order of their values */
  int value_count, value_capacity;
  int value_term_count, input_count;
  sarrus_Status status;
} Builder;

/* Room for `needed` items in one of the builder's arrays; 0, and its status NOMEM, without memory. */
#define RESERVE(builder, array, capacity, needed)                                        \
  ((builder)->status >= 0 &&                                                             \
   (ARRAY_RESERVE((builder)->memory, (builder)->array, (builder)->capacity, (needed)) || \
    ((builder)->status = SARRUS_NOMEM, 0)))

static void builder_free(Builder *builder) {
  const sarrus_Memory memory = builder->memory;
  ARRAY_RELEASE(memory, builder->marks, builder->mark_capacity);
  ARRAY_RELEASE(memory, builder->rows, builder->row_capacity);
  ARRAY_RELEASE(memory, builder->products, builder->product_capacity);
  ARRAY_RELEASE(memory, builder->linear, builder->linear_capacity);
  ARRAY_RELEASE(memory, builder->slots, builder->slot_capacity);
  ARRAY_RELEASE(memory, builder->switches, builder->switch_capacity);
  ARRAY_RELEASE(memory, builder->queue, builder->queue_capacity);
  ARRAY_RELEASE(memory, builder->values, builder->value_capacity);
}

/* --- reach and lead ---------------------------------------------------------------------- */

static int symbol_lead(const TapeSpec *spec, const Node *node) {
  if (node->a == SARRUS_PARAMETER) return LEAD_CONSTANT;
  const int *lead = spec->lead[node->a];
  return lead == NULL ? LEAD_KNOWN : lead[node->b];
}

static int node_lead(const Builder *builder, sarrus_Expr e) {
  const Node *node = &builder->graph->nodes[e];
  if (node->op == SARRUS_OP_SYMBOL) return symbol_lead(builder->spec, node);
  int lead = LEAD_CONSTANT;
  for (int i = 0; i < expr_operand_count(builder->graph, e); i++) {
    const int operand = builder->marks[expr_operand(builder->graph, e, i)].lead;
    if (operand < lead) lead = operand;
  }
  return lead;
}

/* Marks for all nodes of the graph, new ones included. */
static int extend_marks(Builder *builder) {
  const int count = builder->graph->count;
  if (builder->graph->status < 0) builder->status = builder->graph->status;
  if (!RESERVE(builder, marks, mark_capacity, count)) return 0;
  for (int e = builder->mark_count; e < count; e++) {
    builder->marks[e] = (Mark){0, -1, 0, SARRUS_NONE, SARRUS_NONE, SARRUS_NONE, SARRUS_NONE};
    builder->marks[e].lead = node_lead(builder, e);
  }
  builder->mark_count = count;
  return 1;
}

static int is_constant(const Builder *builder, sarrus_Expr e) {
  return builder->marks[e].lead == LEAD_CONSTANT;
}

/* x^n is the product of the two halves x^(n - n/2) and x^(n/2). */
static void halves(sarrus_Graph *graph, sarrus_Expr e, sarrus_Expr half[2]) {
  const Node node = graph->nodes[e];
  const double lower = (double)((int)node.value / 2);
  half[0] = sarrus_graph_power(graph, node.a, node.value - lower);
  half[1] = sarrus_graph_power(graph, node.a, lower);
}

/* What a node that is wanted as a series needs as series, i < need_count; NONE: nothing. */
static int need_count(const sarrus_Graph *graph, sarrus_Expr e) {
  return graph->nodes[e].op == SARRUS_OP_INTEGER_POWER ? 2 : expr_operand_count(graph, e) + 1;
}

static sarrus_Expr series_needs(Builder *builder, sarrus_Expr e, int i) {
  sarrus_Graph *graph = builder->graph;
  if (graph->nodes[e].op == SARRUS_OP_INTEGER_POWER) {
    sarrus_Expr half[2];
    halves(graph, e, half);
    return half[i];
  }
  return i < expr_operand_count(graph, e) ? expr_operand(graph, e, i)
                                          : function_companion(graph, e);
}

/* Want e as a series at this lead; those whose lead rises go to the queue once more. */
static void want(Builder *builder, sarrus_Expr e, int lead) {
  if (!extend_marks(builder) || e == SARRUS_NONE || is_constant(builder, e)) return;
  if (builder->marks[e].wanted >= lead) return;
  builder->marks[e].wanted = lead;
  if (!RESERVE(builder, queue, queue_capacity, builder->queue_count + 1)) return;
  builder->queue[builder->queue_count++] = e;
}

static void reach(Builder *builder) {
  const TapeSpec *spec = builder->spec;
  for (int i = 0; i < spec->output_count; i++)
    want(builder, spec->outputs[i], spec->output_lead[i]);
  while (builder->queue_count > 0 && builder->status == SARRUS_OK) {
    const sarrus_Expr e = builder->queue[--builder->queue_count];
    const int lead = builder->marks[e].wanted;
    for (int i = 0; i < need_count(builder->graph, e); i++)
      want(builder, series_needs(builder, e, i), lead);
  }
}

static void count_uses(Builder *builder) {
  for (int i = 0; i < builder->spec->output_count; i++)
    builder->marks[builder->spec->outputs[i]].uses++;
  for (int e = 0; e < builder->mark_count; e++) {
    if (builder->marks[e].wanted < 0) continue;
    for (int i = 0; i < need_count(builder->graph, e); i++) {
      const sarrus_Expr need = series_needs(builder, e, i);
      if (need != SARRUS_NONE) builder->marks[need].uses++;
    }
  }
}

static int value_of(const Builder *builder, sarrus_Expr e) {
  return e == SARRUS_NONE ? SARRUS_NONE : builder->marks[e].value;
}

/* --- rows -------------------------------------------------------------------------------- */

/* The factor of a term names an expression in sums, a place in the shape in functions. */
static int factor_of(const Builder *builder, const Row *row, int factor) {
  return row->op == SARRUS_OP_LINEAR ? value_of(builder, factor) : factor;
}

/* The slot of e, whose row is thereby ordered. */
static int slot_of(Builder *builder, sarrus_Expr e) {
  Mark *mark = &builder->marks[e];
  if (mark->slot != SARRUS_NONE) return mark->slot;
  if (!RESERVE(builder, slots, slot_capacity, builder->slot_count + 1)) return SARRUS_NONE;
  const int input = builder->graph->nodes[e].op == SARRUS_OP_SYMBOL;
  builder->slots[builder->slot_count] = (Slot){input ? mark->lead : mark->wanted, 0, 0, 0, e};
  mark->slot = builder->slot_count++;
  if (!input && RESERVE(builder, queue, queue_capacity, builder->queue_count + 1))
    builder->queue[builder->queue_count++] = e;
  return mark->slot;
}

/*
** The linear part of an output has nothing from inputs that wait: they are zero when it is
** run.
*/
static void add_linear(Builder *builder, Row *row, sarrus_Expr x, sarrus_Expr factor,
                       sarrus_Expr other) {
  if (x == SARRUS_NONE || is_constant(builder, x)) return;
  if (row->output != SARRUS_NONE && builder->graph->nodes[x].op == SARRUS_OP_SYMBOL &&
      builder->marks[x].lead == row->lead)
    return;
  const int slot = slot_of(builder, x);
  if (!RESERVE(builder, linear, linear_capacity, builder->linear_count + 1)) return;
  builder->linear[builder->linear_count++] = (Linear){slot, factor, other};
  row->linear_count++;
}

static void add_product(Builder *builder, Row *row, sarrus_Expr a, sarrus_Expr b,
                        sarrus_Expr factor) {
  if (is_constant(builder, a) || is_constant(builder, b)) return;
  const int x = slot_of(builder, a), y = slot_of(builder, b);
  if (!RESERVE(builder, products, product_capacity, builder->product_count + 1)) return;
  builder->products[builder->product_count++] = (Product){x, y, factor};
  row->product_count++;
}

/* factor * a * b in a sum: the inner products, and what coefficients 0 contribute. */
static void add_factors(Builder *builder, Row *row, sarrus_Expr a, sarrus_Expr b,
                        sarrus_Expr factor) {
  add_product(builder, row, a, b, factor);
  add_linear(builder, row, a, factor, b);
  add_linear(builder, row, b, factor, a);
}

static sarrus_Expr times(Builder *builder, sarrus_Op op, sarrus_Expr a, sarrus_Expr b) {
  const sarrus_Expr e = sarrus_graph_apply(builder->graph, op, a, b, SARRUS_NONE);
  extend_marks(builder);
  return e;
}

/*
** Add factor * e to a sum; factor is a constant expression.  `own`: e is the row's own node, so it is
** written out whatever its uses.
*/
static void add_summand(Builder *builder, Row *row, sarrus_Expr factor, sarrus_Expr e, int own,
                        int depth) {
  sarrus_Graph *graph = builder->graph;
  if (builder->status < 0 || is_constant(builder, e)) return;
  const Node node = graph->nodes[e];
  const int open = own || (builder->marks[e].uses == 1 && depth < DEEPEST_INLINE);
  if (node.op == SARRUS_OP_PRODUCT && is_constant(builder, node.a)) {
    add_summand(builder, row, times(builder, SARRUS_OP_PRODUCT, factor, node.a), node.b, 0,
                depth + 1);
  } else if (node.op == SARRUS_OP_PRODUCT && is_constant(builder, node.b)) {
    add_summand(builder, row, times(builder, SARRUS_OP_PRODUCT, factor, node.b), node.a, 0,
                depth + 1);
  } else if (node.op == SARRUS_OP_QUOTIENT && is_constant(builder, node.b)) {
    add_summand(builder, row, times(builder, SARRUS_OP_QUOTIENT, factor, node.b), node.a, 0,
                depth + 1);
  } else if (open && node.op == SARRUS_OP_PRODUCT) {
    add_factors(builder, row, node.a, node.b, factor);
  } else if (open && node.op == SARRUS_OP_INTEGER_POWER) {
    sarrus_Expr half[2];
    halves(graph, e, half);
    add_factors(builder, row, half[0], half[1], factor);
  } else if (open && node.op == SARRUS_OP_LINEAR) {
    for (int i = 0; i < node.b; i++) {
      const sarrus_Term term = graph->terms[node.a + i];
      const sarrus_Expr part = expr_scale(graph, term.factor, factor);
      if (extend_marks(builder)) add_summand(builder, row, part, term.expr, 0, depth + 1);
    }
  } else {
    add_linear(builder, row, e, factor, SARRUS_NONE);
  }
}

static sarrus_Expr role_node(const Row *row, sarrus_Expr self, Role role) {
  return role == ROLE_Z ? self : role == ROLE_C ? row->companion : row->operand[role];
}

/* A piecewise function chooses by the series of its companion, a table by that of its argument. */
static void add_switch(Builder *builder, const Row *row, sarrus_Expr e) {
  const Node node = builder->graph->nodes[e];
  const int table = node.op == SARRUS_OP_TABLE;
  const sarrus_Expr by = table ? node.a : row->companion;
  if (!table && !is_piecewise(node.op)) return;
  if (is_constant(builder, by)) return;
  const int slot = slot_of(builder, by);
  if (!RESERVE(builder, switches, switch_capacity, builder->switch_count + 1)) return;
  builder->switches[builder->switch_count++] = (Switch){e, slot, table ? node.b : SARRUS_NONE};
}

static void add_function(Builder *builder, Row *row, sarrus_Expr e) {
  sarrus_Graph *graph = builder->graph;
  const Shape *shape = function_shape(row->op);
  row->euler = shape->euler;
  for (int i = 0; i < 3; i++)
    row->operand[i] = i < sarrus_op_arity(row->op) ? expr_operand(graph, e, i) : SARRUS_NONE;
  row->companion = function_companion(graph, e);
  add_switch(builder, row, e);
  if (row->companion == SARRUS_NONE && row->op == SARRUS_OP_TABLE) return;
  for (int i = 0; i < shape->product_count; i++) {
    const sarrus_Expr a = role_node(row, e, shape->product[i][0]);
    const sarrus_Expr b = role_node(row, e, shape->product[i][1]);
    add_product(builder, row, a, b, i);
  }
  for (int i = 0; i < shape->linear_count; i++)
    add_linear(builder, row, role_node(row, e, shape->linear[i]), i, SARRUS_NONE);
}

static int is_sum(const Builder *builder, sarrus_Expr e) {
  const Node *node = &builder->graph->nodes[e];
  return function_shape(node->op) == NULL ||
         (node->op == SARRUS_OP_QUOTIENT && is_constant(builder, node->b));
}

static void add_row(Builder *builder, sarrus_Expr e, int output, int lead) {
  Row row = {.op = SARRUS_OP_LINEAR, .value = e, .slot = SARRUS_NONE, .output = output};
  row.lead = lead;
  row.ready = builder->marks[e].lead;
  row.pending = builder->marks[e].lead == lead;
  row.product = builder->product_count;
  row.linear = builder->linear_count;
  row.companion = row.operand[0] = row.operand[1] = row.operand[2] = SARRUS_NONE;
  const sarrus_Expr one = sarrus_graph_constant(builder->graph, 1);
  if (!extend_marks(builder)) return;
  if (output == SARRUS_NONE) row.slot = builder->marks[e].slot;
  if (output == SARRUS_NONE && !is_sum(builder, e)) {
    row.op = builder->graph->nodes[e].op;
    add_function(builder, &row, e);
  } else {
    add_summand(builder, &row, one, e, output == SARRUS_NONE, 0);
  }
  if (output != SARRUS_NONE && row.product_count == 0 && row.linear_count == 0) return;
  if (!RESERVE(builder, rows, row_capacity, builder->row_count + 1)) return;
  builder->rows[builder->row_count++] = row;
}

static void build_rows(Builder *builder) {
  const TapeSpec *spec = builder->spec;
  builder->queue_count = 0;
  for (int i = 0; i < spec->output_count; i++)
    add_row(builder, spec->outputs[i], i, spec->output_lead[i]);
  while (builder->queue_count > 0 && builder->status == SARRUS_OK) {
    const sarrus_Expr e = builder->queue[--builder->queue_count];
    add_row(builder, e, SARRUS_NONE, builder->marks[e].wanted);
  }
}

/* --- copies ------------------------------------------------------------------------------ */

/* Copies that are needed for sure: of Euler products, stored terms and switches. */
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
      if (slot->lead != row->lead) slot->plain = 1;
    }
  }
  for (int i = 0; i < builder->switch_count; i++)
    slots[builder->switches[i].slot].plain = 1;
}

/* Either factor of a plain product may be the reversed one: the choice that needs fewer new copies. */
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

/* --- finish ------------------------------------------------------------------------------ */

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

/* Values by falling lead; within a lead by node, which puts operands first. */
static void number_values(Builder *builder) {
  sarrus_Graph *graph = builder->graph;
  want_values(builder);
  if (!RESERVE(builder, values, value_capacity, graph->order_count)) return;
  for (int lead = LEAD_CONSTANT; lead >= 0; lead--) {
    for (int e = 0; e < graph->count; e++) {
      if (!expr_is_marked(graph, e) || builder->marks[e].lead != lead) continue;
      const Node *node = &graph->nodes[e];
      if (node->op == SARRUS_OP_LINEAR) builder->value_term_count += node->b;
      if (node->op == SARRUS_OP_SYMBOL) builder->input_count++;
      builder->marks[e].value = builder->value_count;
      builder->values[builder->value_count++] = e;
    }
  }
}

static void lay_out(Tape *tape, Block *block) {
  block_take(block, 1, sizeof *tape);
  BLOCK_TAKE(block, tape->values, tape->value_count);
  BLOCK_TAKE(block, tape->value_terms, tape->value_term_count);
  BLOCK_TAKE(block, tape->inputs, tape->input_count);
  BLOCK_TAKE(block, tape->rows, tape->row_count);
  BLOCK_TAKE(block, tape->products, tape->product_count);
  BLOCK_TAKE(block, tape->linear, tape->linear_count);
  BLOCK_TAKE(block, tape->slots, tape->slot_count);
  BLOCK_TAKE(block, tape->switches, tape->switch_count);
  BLOCK_TAKE(block, tape->output_value, tape->output_count);
  BLOCK_TAKE(block, tape->output_lead, tape->output_count);
  BLOCK_TAKE(block, tape->extra_value, tape->extra_count);
  BLOCK_TAKE(block, tape->pending, tape->row_count);
  BLOCK_TAKE(block, tape->kept, tape->slot_count);
  BLOCK_TAKE(block, tape->divisors, tape->value_count);
}

static Tape *allocate(Builder *builder) {
  Tape shape = {.memory = builder->memory,
                .value_count = builder->value_count,
                .value_term_count = builder->value_term_count,
                .input_count = builder->input_count,
                .row_count = builder->row_count,
                .product_count = builder->product_count,
                .linear_count = builder->linear_count,
                .slot_count = builder->slot_count,
                .switch_count = builder->switch_count,
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

static void pack_values(const Builder *builder, Tape *tape) {
  const sarrus_Graph *graph = builder->graph;
  int terms = 0, inputs = 0;
  for (int i = 0; i < tape->value_count; i++) {
    const sarrus_Expr e = builder->values[i];
    const Node *node = &graph->nodes[e];
    const int lead = builder->marks[e].lead;
    ValueStep step = {node->op, lead, node->a, node->b, node->c, node->value, e, SARRUS_NONE};
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
    if (step.op == SARRUS_OP_QUOTIENT && lead < LEAD_CONSTANT)
      tape->divisors[tape->divisor_count++] = step.b;
  }
}

/* Terms of the same lead come first in a row. */
static void pack_linear(const Builder *builder, Tape *tape, Row *row, int *used) {
  const int first = *used;
  for (int fresh = 1; fresh >= 0; fresh--) {
    for (int i = row->linear; i < row->linear + row->linear_count; i++) {
      const Linear term = builder->linear[i];
      if ((builder->slots[term.slot].lead == row->lead) != fresh) continue;
      tape->linear[(*used)++] =
          (Linear){term.slot, factor_of(builder, row, term.factor), value_of(builder, term.other)};
    }
    if (fresh) row->fresh = *used - first;
  }
  row->linear = first;
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
** By falling lead; within a lead by node, then the outputs.  Powers come with their base, rising:
** the halves of a power may be younger nodes than its users.
*/
static void pack_rows(Builder *builder, Tape *tape) {
  int packed = 0, products = 0, linear = 0;
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
}

static Tape *finish(Builder *builder) {
  const TapeSpec *spec = builder->spec;
  need_copies(builder);
  choose_copies(builder);
  number_values(builder);
  Tape *tape = builder->status < 0 ? NULL : allocate(builder);
  if (tape == NULL) return NULL;
  pack_values(builder, tape);
  pack_rows(builder, tape);
  for (int i = 0; i < tape->slot_count; i++) {
    tape->slots[i] = builder->slots[i];
    const Slot *slot = &tape->slots[i];
    if (slot->lead >= LEAD_KNOWN) continue;
    if (slot->lead > tape->most_lead) tape->most_lead = slot->lead;
    if (slot->plain || slot->euler || slot->reversed) tape->kept[tape->kept_count++] = i;
  }
  for (int i = 0; i < tape->switch_count; i++) {
    tape->switches[i] = builder->switches[i];
    tape->switches[i].value = value_of(builder, builder->switches[i].value);
    tape->values[tape->switches[i].value].choice = i;
  }
  for (int i = 0; i < tape->output_count; i++) {
    tape->output_value[i] = value_of(builder, spec->outputs[i]);
    tape->output_lead[i] = spec->output_lead[i];
    if (spec->output_lead[i] > tape->most_lead) tape->most_lead = spec->output_lead[i];
  }
  for (int i = 0; i < tape->row_count; i++)
    if (tape->rows[i].pending && tape->rows[i].slot != SARRUS_NONE)
      tape->pending[tape->pending_count++] = i;
  for (int i = 0; i < tape->extra_count; i++)
    tape->extra_value[i] = value_of(builder, spec->extras[i]);
  return tape;
}

sarrus_Status tape_new(sarrus_Memory memory, const TapeSpec *spec, Tape **tape) {
  Builder builder = {.memory = memory, .spec = spec, .graph = spec->graph};
  *tape = NULL;
  if (extend_marks(&builder)) reach(&builder);
  if (builder.status == SARRUS_OK) count_uses(&builder);
  if (builder.status == SARRUS_OK) build_rows(&builder);
  if (builder.status == SARRUS_OK) *tape = finish(&builder);
  builder_free(&builder);
  return builder.status;
}

void tape_free(Tape *tape) {
  if (tape != NULL) tape->memory.alloc(tape->memory.ud, tape, tape->bytes, 0);
}

int tape_input(const Tape *tape, sarrus_SymbolKind kind, int index) {
  for (int i = 0; i < tape->input_count; i++)
    if (tape->inputs[i].kind == kind && tape->inputs[i].index == index) return i;
  return SARRUS_NONE;
}

/* FNV-1a, number by number. */
static unsigned long long mix(unsigned long long h, unsigned long long x) {
  for (int i = 0; i < 8; i++, x >>= 8)
    h = (h ^ (x & 255)) * 1099511628211u;
  return h;
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
