/*
** The tape as text: one line per row, which says how (T1) computes coefficient k; x' y stands for
** sum j x_j y_{k-j}/k.
*/
#include "sarrus/number.h"
#include "tape.h"

typedef struct Printer {
  Text *text;
  const Tape *tape;
  const sarrus_Graph *graph;
  sarrus_Namer name;
  void *ud;
} Printer;

static void put_slot(const Printer *out, int slot) {
  const sarrus_Expr node = out->tape->slots[slot].node;
  if (sarrus_graph_op(out->graph, node) == SARRUS_OP_SYMBOL)
    expr_put(out->text, out->graph, node, out->name, out->ud);
  else
    text_format(out->text, "s%d", slot + 1);
}

/* The sign and the constant factor of a term of a sum. */
static void put_factor(const Printer *out, int factor, int first) {
  char number[SARRUS_NUMBER_SIZE];
  const ValueStep *step = &out->tape->values[factor];
  if (step->op != SARRUS_OP_CONSTANT) {
    text_put(out->text, first ? "" : " + ");
    expr_put(out->text, out->graph, step->node, out->name, out->ud);
    text_put(out->text, " ");
    return;
  }
  const double x = step->value;
  text_put(out->text, x < 0 ? (first ? "-" : " - ") : (first ? "" : " + "));
  if (x == 1 || x == -1) return;
  sarrus_number_print(x < 0 ? -x : x, number, sizeof number);
  text_format(out->text, "%s ", number);
}

/* Products first; then the linear terms that no product contains. */
static void put_sum(const Printer *out, const Row *row) {
  int first = 1;
  for (int p = row->product; p < row->product + row->product_count; p++, first = 0) {
    put_factor(out, out->tape->products[p].factor, first);
    put_slot(out, out->tape->products[p].a);
    text_put(out->text, " * ");
    put_slot(out, out->tape->products[p].b);
  }
  for (int i = row->linear; i < row->linear + row->linear_count; i++) {
    if (out->tape->linear[i].other != SARRUS_NONE) continue;
    put_factor(out, out->tape->linear[i].factor, first);
    put_slot(out, out->tape->linear[i].slot);
    first = 0;
  }
}

static void put_operand(const Printer *out, int value) {
  const sarrus_Expr node = out->tape->values[value].node;
  for (int i = 0; i < out->tape->slot_count; i++)
    if (out->tape->slots[i].node == node) {
      put_slot(out, i);
      return;
    }
  expr_put(out->text, out->graph, node, out->name, out->ud);
}

static void put_function(const Printer *out, const Row *row) {
  text_format(out->text, "%s(", sarrus_op_name(row->op));
  for (int i = 0; i < sarrus_op_arity(row->op); i++) {
    if (i > 0) text_put(out->text, ", ");
    put_operand(out, row->operand[i]);
  }
  text_put(out->text, ")");
}

static void put_row(const Printer *out, const Row *row) {
  static const char *const leads[] = {"k", "k+1", "k+2"};
  text_format(out->text, "  %-4s", leads[row->lead]);
  if (row->slot == SARRUS_NONE)
    text_format(out->text, "F%d = ", row->output + 1);
  else
    text_format(out->text, "s%d = ", row->slot + 1);
  if (row->op == SARRUS_OP_LINEAR)
    put_sum(out, row);
  else
    put_function(out, row);
  text_put(out->text, "\n");
}

void tape_put(Text *text, const Tape *tape, const sarrus_Graph *graph, sarrus_Namer name,
              void *ud) {
  const Printer out = {text, tape, graph, name, ud};
  text_format(text, "%d values at order 0; above it %d rows, %d products, %d linear terms\n",
              tape->value_count, tape->row_count, tape->product_count, tape->linear_count);
  for (int i = 0; i < tape->row_count; i++)
    put_row(&out, &tape->rows[i]);
}
