/*
** From expressions to a tape, in four passes:
**   reach    finds the nodes that are wanted as series, companions included
**   lead     finds at which lead each is wanted, and how often it is used
**   rows     makes rows of nodes; a node used once is written into the row of its user
**   pack     numbers values and slots, sorts by lead, packs all into one block (tape_pack.c)
*/
#include "tape_builder.h"

/* Sums nested deeper than this get a row of their own. */
enum { DEEPEST_INLINE = 40 };

static void builder_free(Builder *builder) {
  const sarrus_Memory memory = builder->memory;
  ARRAY_RELEASE(memory, builder->marks, builder->mark_capacity);
  ARRAY_RELEASE(memory, builder->rows, builder->row_capacity);
  ARRAY_RELEASE(memory, builder->products, builder->product_capacity);
  ARRAY_RELEASE(memory, builder->linear, builder->linear_capacity);
  ARRAY_RELEASE(memory, builder->slots, builder->slot_capacity);
  ARRAY_RELEASE(memory, builder->switches, builder->switch_capacity);
  ARRAY_RELEASE(memory, builder->asides, builder->aside_capacity);
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

static int node_varies(const Builder *builder, sarrus_Expr e) {
  const Node *node = &builder->graph->nodes[e];
  if (node->op == SARRUS_OP_SYMBOL) return node->a == SARRUS_PARAMETER;
  for (int i = 0; i < expr_operand_count(builder->graph, e); i++)
    if (builder->marks[expr_operand(builder->graph, e, i)].varies) return 1;
  return 0;
}

/* Make marks for nodes that were added to the graph since the last call. */
static int extend_marks(Builder *builder) {
  const int count = builder->graph->count;
  if (builder->graph->status < 0) builder->status = builder->graph->status;
  if (!RESERVE(builder, marks, mark_capacity, count)) return 0;
  for (int e = builder->mark_count; e < count; e++) {
    builder->marks[e] = (Mark){0, 0, -1, 0, SARRUS_NONE, SARRUS_NONE, SARRUS_NONE, SARRUS_NONE};
    builder->marks[e].lead = node_lead(builder, e);
    builder->marks[e].varies = node_varies(builder, e);
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

/*
** A node that is wanted as a series needs need_count other nodes as series; number i of them may be
** NONE.
*/
static int need_count(const sarrus_Graph *graph, sarrus_Expr e) {
  const sarrus_Op op = graph->nodes[e].op;
  if (op == SARRUS_OP_INTEGER_POWER) return 2;
  return expr_is_gap(op) ? 1 : expr_operand_count(graph, e) + 1;
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

/* Ask for e as a series at this lead; if that raises its lead, e is queued again. */
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

/* --- rows -------------------------------------------------------------------------------- */

/* The slot of e; at the first call e is queued, so that a row is made for it. */
static int slot_of(Builder *builder, sarrus_Expr e) {
  Mark *mark = &builder->marks[e];
  if (mark->slot != SARRUS_NONE) return mark->slot;
  if (!RESERVE(builder, slots, slot_capacity, builder->slot_count + 1)) return SARRUS_NONE;
  const int input = builder->graph->nodes[e].op == SARRUS_OP_SYMBOL;
  builder->slots[builder->slot_count] =
      (Slot){.lead = input ? mark->lead : mark->wanted, .node = e};
  mark->slot = builder->slot_count++;
  if (!input && RESERVE(builder, queue, queue_capacity, builder->queue_count + 1))
    builder->queue[builder->queue_count++] = e;
  return mark->slot;
}

/*
** An unknown of an output's own lead adds nothing when the output is run, since it is zero until
** the solve.  It is listed as an aside if its factor depends on parameters.
*/
static void set_aside(Builder *builder, const Row *row, sarrus_Expr x, sarrus_Expr factor,
                      sarrus_Expr other) {
  if (other != SARRUS_NONE || !builder->marks[factor].varies) return;
  if (!RESERVE(builder, asides, aside_capacity, builder->aside_count + 1)) return;
  builder->asides[builder->aside_count++] = (Unrun){row->output, x, SARRUS_NONE, factor, other};
}

static void add_linear(Builder *builder, Row *row, sarrus_Expr x, sarrus_Expr factor,
                       sarrus_Expr other, int implied) {
  if (x == SARRUS_NONE || is_constant(builder, x)) return;
  if (row->output != SARRUS_NONE && builder->graph->nodes[x].op == SARRUS_OP_SYMBOL &&
      builder->marks[x].lead == row->lead) {
    set_aside(builder, row, x, factor, other);
    return;
  }
  const int slot = slot_of(builder, x);
  if (!RESERVE(builder, linear, linear_capacity, builder->linear_count + 1)) return;
  builder->linear[builder->linear_count++] = (Linear){slot, factor, other, implied, 0, 0};
  row->linear_count++;
}

/* Returns 0 if no product is needed: constants have no coefficients above 0. */
static int add_product(Builder *builder, Row *row, sarrus_Expr a, sarrus_Expr b,
                       sarrus_Expr factor) {
  if (is_constant(builder, a) || is_constant(builder, b)) return 0;
  const int x = slot_of(builder, a), y = slot_of(builder, b);
  if (!RESERVE(builder, products, product_capacity, builder->product_count + 1)) return 0;
  builder->products[builder->product_count++] = (Product){x, y, factor};
  row->product_count++;
  return 1;
}

/* factor * a * b in a sum: the product, and linear terms for a_k b_0 and a_0 b_k. */
static void add_factors(Builder *builder, Row *row, sarrus_Expr a, sarrus_Expr b,
                        sarrus_Expr factor) {
  const int implied = add_product(builder, row, a, b, factor);
  add_linear(builder, row, a, factor, b, implied);
  add_linear(builder, row, b, factor, a, implied);
}

static sarrus_Expr times(Builder *builder, sarrus_Op op, sarrus_Expr a, sarrus_Expr b) {
  const sarrus_Expr e = sarrus_graph_apply(builder->graph, op, a, b, SARRUS_NONE);
  extend_marks(builder);
  return e;
}

/*
** Add factor * e to a sum; factor is a constant expression.  `own`: e is the row's own node, so its
** operation is written out here however often e is used.
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
  } else if (open && expr_is_gap(node.op)) {
    const sarrus_Expr negative = expr_scale(graph, -1, factor);
    if (extend_marks(builder)) add_factors(builder, row, node.a, node.a, negative);
  } else if (open && node.op == SARRUS_OP_LINEAR) {
    for (int i = 0; i < node.b; i++) {
      const sarrus_Term term = graph->terms[node.a + i];
      const sarrus_Expr part = expr_scale(graph, term.factor, factor);
      if (extend_marks(builder)) add_summand(builder, row, part, term.expr, 0, depth + 1);
    }
  } else {
    add_linear(builder, row, e, factor, SARRUS_NONE, 0);
  }
}

static sarrus_Expr role_node(const Row *row, sarrus_Expr self, Role role) {
  return role == ROLE_Z ? self : role == ROLE_C ? row->companion : row->operand[role];
}

/*
** A piecewise function chooses its branch by the series of its companion; tables and atan2 choose
** by the series of their (first) argument.
*/
static void add_switch(Builder *builder, const Row *row, sarrus_Expr e) {
  const Node node = builder->graph->nodes[e];
  const int table = node.op == SARRUS_OP_TABLE, angle = node.op == SARRUS_OP_ATAN2;
  const sarrus_Expr by = table || angle ? node.a : row->companion;
  if (!table && !is_piecewise(node.op)) return;
  if (is_constant(builder, by)) return;
  const int slot = slot_of(builder, by);
  const int cut = angle && !is_constant(builder, node.b) ? slot_of(builder, node.b) : SARRUS_NONE;
  if (!RESERVE(builder, switches, switch_capacity, builder->switch_count + 1)) return;
  builder->switches[builder->switch_count++] = (Switch){e, slot, table ? node.b : SARRUS_NONE, cut};
}

static void add_function(Builder *builder, Row *row, sarrus_Expr e) {
  sarrus_Graph *graph = builder->graph;
  const Shape *shape = row->shape = function_shape(row->op);
  row->euler = shape->euler;
  for (int i = 0; i < 3; i++)
    row->operand[i] = i < sarrus_op_arity(row->op) ? expr_operand(graph, e, i) : SARRUS_NONE;
  row->companion = function_companion(graph, e);
  add_switch(builder, row, e);
  if (row->companion == SARRUS_NONE && row->op == SARRUS_OP_TABLE) return;
  int implied[3] = {0, 0, 0};
  for (int i = 0; i < shape->product_count; i++) {
    const Role first = shape->product[i].a, second = shape->product[i].b;
    const sarrus_Expr a = role_node(row, e, first), b = role_node(row, e, second);
    if (!add_product(builder, row, a, b, i)) continue;
    if (first <= ROLE_W) implied[first] = 1;
    if (second <= ROLE_W && !row->euler) implied[second] = 1; /* (Ea)_0 = 0 */
  }
  for (int i = 0; i < shape->linear_count; i++) {
    const Role role = shape->linear[i].x;
    add_linear(builder, row, role_node(row, e, role), i, SARRUS_NONE, implied[role]);
  }
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

/* --- the whole --------------------------------------------------------------------------- */

sarrus_Status tape_new(sarrus_Memory memory, const TapeSpec *spec, Tape **tape) {
  Builder builder = {.memory = memory, .spec = spec, .graph = spec->graph};
  *tape = NULL;
  if (extend_marks(&builder)) reach(&builder);
  if (builder.status == SARRUS_OK) count_uses(&builder);
  if (builder.status == SARRUS_OK) build_rows(&builder);
  if (builder.status == SARRUS_OK) *tape = tape_pack(&builder);
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
