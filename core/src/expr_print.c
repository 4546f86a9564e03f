/* Expressions as text that reads like Lua. */
#include <string.h>

#include "expr_graph.h"
#include "sarrus/number.h"

/* Deeper nesting is abbreviated: nobody could read it, and the recursion would need stack. */
enum { DEEPEST = 60 };

/* How tightly an operator binds; a weaker operand is put in parentheses. */
typedef enum Binding { SUM, FACTOR, POWER, ATOM } Binding;

typedef struct Printer {
  const sarrus_Graph *graph;
  sarrus_Namer name;
  void *ud;
  Text *text;
} Printer;

static void put(Printer *out, const char *piece) { text_put(out->text, piece); }

static void put_number(Printer *out, double x) {
  char text[SARRUS_NUMBER_SIZE];
  sarrus_number_print_exact(x, text, sizeof text);
  put(out, text);
}

/* An exponent stands in parentheses where its text has a sign or a fraction bar. */
static void put_exponent(Printer *out, double x) {
  char text[SARRUS_NUMBER_SIZE];
  sarrus_number_print_exact(x, text, sizeof text);
  const int enclosed = x < 0 || strchr(text, '/') != NULL;
  if (enclosed) put(out, "(");
  put(out, text);
  if (enclosed) put(out, ")");
}

static void put_symbol(Printer *out, const Node *node) {
  static const char *const letters[] = {"t", "p", "q", "v", "a", "lambda", "u"};
  const char *given =
      out->name == NULL ? NULL : out->name(out->ud, (sarrus_SymbolKind)node->a, node->b);
  if (given != NULL) {
    put(out, given);
  } else if (node->a == SARRUS_TIME) {
    put(out, letters[SARRUS_TIME]);
  } else {
    text_format(out->text, "%s%d", letters[node->a], node->b + (node->a != SARRUS_U));
  }
}

static void put_expr(Printer *out, sarrus_Expr e, Binding needed, int depth);

/* factor * e as one summand, whose sign has been written already; 3 (1/x) is written 3/x. */
static void put_term(Printer *out, double factor, sarrus_Expr e, int depth) {
  const Node *node = &out->graph->nodes[e];
  if (factor == 1) {
    put_expr(out, e, FACTOR, depth);
    return;
  }
  put_number(out, factor);
  if (node->op == SARRUS_OP_QUOTIENT && sarrus_graph_is_constant(out->graph, node->a, NULL)) {
    put(out, "/");
    put_expr(out, node->b, POWER, depth);
    return;
  }
  put(out, "*");
  put_expr(out, e, FACTOR, depth);
}

/* The constant is written last; but first where it is positive and the first term negative. */
static void put_sum(Printer *out, const Node *node, int depth) {
  const sarrus_Term *terms = &out->graph->terms[node->a];
  int written = 0;
  if (node->value > 0 && terms[0].factor < 0) {
    put_number(out, node->value);
    written = 1;
  }
  for (int i = 0; i < node->b; i++) {
    const double factor = terms[i].factor;
    const int negative = factor < 0;
    put(out, negative ? (written || i > 0 ? " - " : "-") : (written || i > 0 ? " + " : ""));
    put_term(out, negative ? -factor : factor, terms[i].expr, depth);
  }
  if (node->value != 0 && !written) {
    put(out, node->value < 0 ? " - " : " + ");
    put_number(out, node->value < 0 ? -node->value : node->value);
  }
}

static void put_call(Printer *out, const char *name, sarrus_Expr e, int depth) {
  put(out, name);
  put(out, "(");
  for (int i = 0; i < expr_operand_count(out->graph, e); i++) {
    if (i > 0) put(out, ", ");
    put_expr(out, expr_operand(out->graph, e, i), SUM, depth);
  }
  put(out, ")");
}

static void put_table(Printer *out, const Node *node, int depth) {
  text_format(out->text, "table%d%.*s(", node->b + 1, node->c, "'''");
  put_expr(out, node->a, SUM, depth);
  put(out, ")");
}

static void put_gap(Printer *out, const Node *node, int depth) {
  put(out, "1 - ");
  put_expr(out, node->a, ATOM, depth);
  put(out, "^2");
}

static Binding binding_of(const Node *node) {
  switch (node->op) {
    case SARRUS_OP_CONSTANT: return node->value < 0 ? SUM : ATOM;
    case SARRUS_OP_LINEAR: return node->b == 1 && node->value == 0 ? FACTOR : SUM;
    case SARRUS_OP_PRODUCT:
    case SARRUS_OP_QUOTIENT: return FACTOR;
    case SARRUS_OP_INTEGER_POWER:
    case SARRUS_OP_POWER: return POWER;
    default: return expr_is_gap(node->op) ? SUM : ATOM;
  }
}

static void put_bare(Printer *out, sarrus_Expr e, int depth) {
  const Node *node = &out->graph->nodes[e];
  switch (node->op) {
    case SARRUS_OP_CONSTANT: put_number(out, node->value); break;
    case SARRUS_OP_SYMBOL: put_symbol(out, node); break;
    case SARRUS_OP_LINEAR: put_sum(out, node, depth); break;
    case SARRUS_OP_PRODUCT:
      put_expr(out, node->a, FACTOR, depth);
      put(out, "*");
      put_expr(out, node->b, FACTOR, depth);
      break;
    case SARRUS_OP_QUOTIENT:
      put_expr(out, node->a, FACTOR, depth);
      put(out, "/");
      put_expr(out, node->b, POWER, depth);
      break;
    case SARRUS_OP_INTEGER_POWER:
    case SARRUS_OP_POWER:
      put_expr(out, node->a, ATOM, depth);
      put(out, "^");
      put_exponent(out, node->value);
      break;
    case SARRUS_OP_TABLE: put_table(out, node, depth); break;
    case SARRUS_OP_ATAN2: put_call(out, "atan", e, depth); break;
    default:
      if (expr_is_gap(node->op))
        put_gap(out, node, depth);
      else
        put_call(out, sarrus_op_name(node->op), e, depth);
  }
}

static void put_expr(Printer *out, sarrus_Expr e, Binding needed, int depth) {
  if (out->text->full) return;
  if (depth > DEEPEST) {
    put(out, "...");
    return;
  }
  const int enclosed = binding_of(&out->graph->nodes[e]) < needed;
  if (enclosed) put(out, "(");
  put_bare(out, e, depth + 1);
  if (enclosed) put(out, ")");
}

void expr_put(Text *text, const sarrus_Graph *graph, sarrus_Expr e, sarrus_Namer name, void *ud) {
  put_expr(&(Printer){graph, name, ud, text}, e, SUM, 0);
}

size_t sarrus_graph_print(const sarrus_Graph *graph, sarrus_Expr e, sarrus_Namer name, void *ud,
                          char *to, size_t size) {
  Text text = text_open(to, size);
  if (expr_is_node(graph, e))
    expr_put(&text, graph, e, name, ud);
  else
    text_put(&text, "?");
  return text.length;
}
