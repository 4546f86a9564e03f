/* What tapes are compared with: the series of every node of a graph, one after the other. */
#ifndef SARRUS_TEST_TAPE_REFERENCE_H
#define SARRUS_TEST_TAPE_REFERENCE_H

#include "expressions.h"
#include "functions.h"
#include "sarrus/series.h"
#include "tape.h"

enum { ORDER = 30, TERMS = ORDER + 3 }; /* positions run two orders ahead */

typedef struct Series {
  double c[TERMS];
} Series;

/* The series of every symbol. */
typedef struct Inputs {
  Series of[SARRUS_SYMBOL_KINDS][SYMBOLS_PER_KIND];
} Inputs;

/* Falls like 0.6^k, so that coefficients stay of moderate size. */
static inline Series random_series(unsigned *seed, double low, double high) {
  Series s;
  double size = 1;
  for (int k = 0; k < TERMS; k++, size *= 0.6)
    s.c[k] = size * random_in(seed, -0.5, 0.5);
  s.c[0] = random_in(seed, low, high);
  return s;
}

static inline Series derivative_of(const Series *s) {
  Series d = *s;
  for (int k = 0; k + 1 < TERMS; k++)
    d.c[k] = (k + 1) * s->c[k + 1];
  d.c[TERMS - 1] = 0;
  return d;
}

/* Inputs that belong together: t, q, v = q', a = v', and free ones. */
static inline Inputs random_inputs(unsigned *seed, double low, double high) {
  Inputs inputs;
  for (int kind = 0; kind < SARRUS_SYMBOL_KINDS; kind++)
    for (int i = 0; i < SYMBOLS_PER_KIND; i++)
      inputs.of[kind][i] = random_series(seed, low, high);
  for (int i = 0; i < SYMBOLS_PER_KIND; i++) {
    inputs.of[SARRUS_V][i] = derivative_of(&inputs.of[SARRUS_Q][i]);
    inputs.of[SARRUS_A][i] = derivative_of(&inputs.of[SARRUS_V][i]);
    for (int k = 1; k < TERMS; k++)
      inputs.of[SARRUS_PARAMETER][i].c[k] = inputs.of[SARRUS_TIME][i].c[k] = k == 1;
    inputs.of[SARRUS_PARAMETER][i].c[1] = 0;
  }
  return inputs;
}

/* The cubic of a table's piece, by Horner. */
static inline Series table_series(const Table *table, int derivative, const Series *u) {
  const int piece = table_piece(table, u->c[0]);
  double cubic[4], shifted[TERMS], product[TERMS];
  memcpy(cubic, table->piece[piece], sizeof cubic);
  for (int d = 0; d < derivative; d++)
    for (int j = 0; j < 4; j++)
      cubic[j] = j < 3 ? (j + 1) * cubic[j + 1] : 0;
  memcpy(shifted, u->c, sizeof shifted);
  shifted[0] -= table->origin[piece];
  Series y = {{cubic[3]}};
  for (int j = 2; j >= 0; j--) {
    sarrus_series_mul(product, y.c, shifted, TERMS - 1);
    memcpy(y.c, product, sizeof product);
    y.c[0] += cubic[j];
  }
  return y;
}

/* u ^ n for n > 1, by products */
static inline Series power_series(const Series *u, int n) {
  Series y = *u;
  for (int i = 1; i < n; i++) {
    const Series factor = y;
    sarrus_series_mul(y.c, factor.c, u->c, TERMS - 1);
  }
  return y;
}

/* 1 - u^2 */
static inline Series gap_series(const Series *u) {
  Series y;
  sarrus_series_mul(y.c, u->c, u->c, TERMS - 1);
  for (int k = 0; k < TERMS; k++)
    y.c[k] = (k == 0) - y.c[k];
  return y;
}

static inline Series apply_to_series(sarrus_Op op, double exponent, const Series *u,
                                     const Series *v, const Series *w) {
  enum { HIGHEST = TERMS - 1 };
  Series y = {{0}};
  switch (op) {
    case SARRUS_OP_POWER: sarrus_series_pow(y.c, u->c, exponent, HIGHEST); break;
    case SARRUS_OP_INTEGER_POWER: y = power_series(u, (int)exponent); break;
    case SARRUS_OP_PRODUCT: sarrus_series_mul(y.c, u->c, v->c, HIGHEST); break;
    case SARRUS_OP_QUOTIENT: sarrus_series_div(y.c, u->c, v->c, HIGHEST); break;
    case SARRUS_OP_ATAN2: apply_nested(op, y.c, u->c, v->c, HIGHEST, 0); break;
    case SARRUS_OP_ABS:
      for (int k = 0; k < TERMS; k++)
        y.c[k] = u->c[0] < 0 ? -u->c[k] : u->c[k];
      break;
    case SARRUS_OP_SIGN: y.c[0] = u->c[0] < 0 ? -1 : 1; break;
    case SARRUS_OP_MIN: y = u->c[0] < v->c[0] ? *u : *v; break;
    case SARRUS_OP_MAX: y = u->c[0] > v->c[0] ? *u : *v; break;
    case SARRUS_OP_SELECT: y = u->c[0] >= 0 ? *v : *w; break;
    default:
      if (expr_is_gap(op))
        y = gap_series(u);
      else
        CHECK_OK(apply_series(op, y.c, u->c, HIGHEST));
  }
  return y;
}

/* The series of all nodes; the caller frees the array. */
static inline Series *reference_series(const sarrus_Graph *g, const Inputs *inputs) {
  Series *all = calloc((size_t)g->count + 1, sizeof *all);
  for (int e = 0; all != NULL && e < g->count; e++) {
    const Node *node = &g->nodes[e];
    if (node->op == SARRUS_OP_SYMBOL) {
      all[e] = inputs->of[node->a][node->b];
    } else if (node->op == SARRUS_OP_CONSTANT) {
      all[e].c[0] = node->value;
    } else if (node->op == SARRUS_OP_LINEAR) {
      all[e].c[0] = node->value;
      for (int i = 0; i < node->b; i++)
        for (int k = 0; k < TERMS; k++)
          all[e].c[k] += g->terms[node->a + i].factor * all[g->terms[node->a + i].expr].c[k];
    } else if (node->op == SARRUS_OP_TABLE) {
      all[e] = table_series(&g->tables[node->b], node->c, &all[node->a]);
    } else {
      const int arity = sarrus_op_arity(node->op);
      all[e] = apply_to_series(node->op, node->value, &all[node->a],
                               arity > 1 ? &all[node->b] : NULL, arity > 2 ? &all[node->c] : NULL);
    }
  }
  return all;
}

/* Give a known input its series, as work_init does for the time. */
static inline void set_known(Work *work, const Input *input, const Series *s) {
  work->value[input->value] = s->c[0];
  if (input->slot == SARRUS_NONE) return;
  for (int k = 0; k <= work->order; k++) {
    if (k > 0) work_store(work, input->slot, k, s->c[k]);
  }
}

static inline sarrus_Status start(Work *work, int from, int to) {
  const sarrus_Status status = tape_values(work, from, to);
  return status < 0 ? status : tape_weights(work, from, to);
}

static inline void check_coefficient(double got, double expected, const sarrus_Graph *g,
                                     sarrus_Expr e, int k) {
  if (!CHECK_NEAR(got, expected, 1e-10 * fmax(pow(0.75, k), fabs(expected))))
    printf("  coefficient %d of %s\n", k, text_of(g, e));
}

/* Every series that a tape stores is that of its node, up to coefficient order + lead. */
static inline void check_slots(const Work *work, const sarrus_Graph *g, const Series *reference) {
  for (int i = 0; i < work->tape->slot_count; i++) {
    const Slot *slot = &work->tape->slots[i];
    if (slot->lead >= LEAD_KNOWN || !(slot->plain || slot->euler || slot->reversed)) continue;
    for (int k = slot->plain ? 0 : 1; k <= ORDER + slot->lead; k++)
      check_coefficient(work_coefficient(work, i, k), reference[slot->node].c[k], g, slot->node, k);
  }
}

#endif
