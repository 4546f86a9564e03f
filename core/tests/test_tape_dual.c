/*
** Tapes in dual numbers: values, weights and stages of every operation, against series of nodes and
** of their derivatives, which the graph knows in another way.
*/
#include "tape_dual.h"
#include "tape_follow.h"

#include "tape_reference.h"

enum { OPERANDS = 4, MOST_WIDTH = 12 };

/* A row of derivatives beside every coefficient of every operand. */
typedef struct Changes {
  Series of[OPERANDS][MOST_WIDTH];
} Changes;

static sarrus_Expr input(sarrus_Graph *g, int i) { return sarrus_graph_symbol(g, SARRUS_U, i); }

static Changes random_changes(unsigned *seed) {
  Changes changes;
  for (int i = 0; i < OPERANDS; i++)
    for (int l = 0; l < MOST_WIDTH; l++)
      changes.of[i][l] = random_series(seed, -1, 1);
  return changes;
}

/* A Work, and a Follower of as many directions; values alone, as a Dual. */
typedef struct Pair {
  Tape *tape;
  void *work_block, *block, *dual_block;
  Work *work;
  Follower follower;
  Dual dual;
} Pair;

static bool pair_new(Pair *pair, sarrus_Graph *g, int count, const sarrus_Expr *roots,
                     int directions) {
  static const int lead[16] = {0};
  const TapeSpec spec = {.graph = g, .output_count = count, .outputs = roots, .output_lead = lead};
  const int width = dual_width(directions);
  *pair = (Pair){.tape = NULL};
  if (!CHECK_OK(tape_new(sarrus_memory_default(), &spec, &pair->tape))) return false;
  pair->work_block = malloc(work_size(pair->tape, ORDER));
  pair->work = work_init(pair->work_block, pair->tape, ORDER);
  Block block = {NULL, 0}, values = {NULL, 0};
  follower_lay_out(&pair->follower, &block, pair->tape, ORDER, width);
  pair->block = calloc(1, block.used);
  follower_lay_out(&pair->follower, &(Block){pair->block, 0}, pair->tape, ORDER, width);
  follower_open(&pair->follower);
  pair->follower.motion = pair->work;
  pair->dual = (Dual){.tape = pair->tape, .width = width};
  dual_lay_out(&pair->dual, &values);
  pair->dual_block = calloc(1, values.used);
  dual_lay_out(&pair->dual, &(Block){pair->dual_block, 0});
  return CHECK(pair->block != NULL && pair->dual_block != NULL);
}

static void pair_free(Pair *pair) {
  free(pair->work_block);
  free(pair->block);
  free(pair->dual_block);
  tape_free(pair->tape);
}

/* Derivatives of coefficient k of a known input, in all copies. */
static void set_row(const Work *rows, int slot, int k, const Series *changes, int directions) {
  const Store *store = &rows->stores[slot];
  const ptrdiff_t at = (ptrdiff_t)k * rows->width;
  for (int l = 0; l < directions; l++) {
    if (store->plain != NULL) store->plain[at + l] = changes[l].c[k];
    if (store->euler != NULL) store->euler[at + l] = k * changes[l].c[k];
    if (store->reversed != NULL) store->reversed[-at + l] = changes[l].c[k];
  }
}

static void set_inputs(Pair *pair, const Inputs *inputs, const Changes *changes, int directions) {
  const Tape *tape = pair->tape;
  for (int i = 0; i < tape->input_count; i++) {
    const Input *one = &tape->inputs[i];
    const Series *s = &inputs->of[one->kind][one->index];
    set_known(pair->work, one, s);
    pair->dual.value[one->value] = s->c[0];
    if (one->kind != SARRUS_U) continue;
    const Series *change = changes->of[one->index];
    for (int l = 0; l < directions; l++)
      follower_slope(&pair->follower, one->value)[l] = dual_slope(&pair->dual, one->value)[l] =
          change[l].c[0];
    for (int k = 1; k <= ORDER && one->slot != SARRUS_NONE; k++)
      set_row(pair->follower.rows, one->slot, k, change, directions);
  }
  CHECK_OK(start(pair->work, LEAD_CONSTANT, 0));
  for (int i = 0; i < tape->switch_count; i++)
    pair->dual.branch[i] = pair->work->branch[i];
  for (int stage = 1; stage <= ORDER; stage++) {
    tape_partial(pair->work, stage);
    tape_complete(pair->work, stage);
  }
}

/* sum_i (d root / d u_i) du_i, from the series of the derivatives. */
static Series expected_change(const sarrus_Graph *g, const Series *reference,
                              const sarrus_Expr *partial, const Changes *changes, int direction) {
  Series sum = {{0}};
  for (int i = 0; i < OPERANDS; i++) {
    Series product;
    double value;
    if (sarrus_graph_is_constant(g, partial[i], &value) && value == 0) continue;
    sarrus_series_mul(product.c, reference[partial[i]].c, changes->of[i][direction].c, TERMS - 1);
    for (int k = 0; k < TERMS; k++)
      sum.c[k] += product.c[k];
  }
  return sum;
}

static void check_row(const double *row, const Series *expected, int directions, int k,
                      const sarrus_Graph *g, sarrus_Expr root) {
  for (int l = 0; l < directions; l++)
    if (!CHECK_NEAR(row[l], expected[l].c[k], 1e-10 * fmax(1, fabs(expected[l].c[k]))))
      printf("  coefficient %d, direction %d of %s\n", k, l, text_of(g, root));
}

static void check_roots(sarrus_Graph *g, int count, const sarrus_Expr *roots, const Inputs *inputs,
                        const Changes *changes, int directions) {
  sarrus_Expr partial[16][OPERANDS];
  Series expected[16][MOST_WIDTH];
  Pair pair;
  for (int r = 0; r < count; r++)
    for (int i = 0; i < OPERANDS; i++)
      partial[r][i] = sarrus_graph_diff(g, roots[r], input(g, i));
  REQUIRE(pair_new(&pair, g, count, roots, directions));
  Follower *follower = &pair.follower;
  Series *reference = reference_series(g, inputs);
  REQUIRE(reference != NULL);
  for (int r = 0; r < count; r++)
    for (int l = 0; l < directions; l++)
      expected[r][l] = expected_change(g, reference, partial[r], changes, l);
  set_inputs(&pair, inputs, changes, directions);
  dual_values(&pair.dual);
  follow_constants(follower, 1);
  for (int r = 0; r < count; r++) {
    const int value = pair.tape->output_value[r];
    check_coefficient(pair.dual.value[value], reference[roots[r]].c[0], g, roots[r], 0);
    check_row(dual_slope(&pair.dual, value), expected[r], directions, 0, g, roots[r]);
    check_row(follower_slope(follower, value), expected[r], directions, 0, g, roots[r]);
  }
  for (int stage = 1; stage <= ORDER; stage++) {
    follow_partial(follower, stage);
    for (int r = 0; r < count; r++)
      check_row(follower->rows->output + (ptrdiff_t)r * follower->rows->width, expected[r],
                directions, stage, g, roots[r]);
    follow_complete(follower, stage);
  }
  free(reference);
  pair_free(&pair);
}

TEST(widths) {
  CHECK_INT(dual_width(0), 1);
  CHECK_INT(dual_width(1), 1);
  CHECK_INT(dual_width(2), 4);
  CHECK_INT(dual_width(4), 4);
  CHECK_INT(dual_width(5), 8);
  CHECK_INT(dual_width(9), 12);
}

/* As an output, as part of a sum, and as an operand of something else, of every width. */
TEST(every_operation) {
  static const int widths[] = {1, 3, 4, 8, 12};
  unsigned seed = 1;
  for (int op = 0; op < SARRUS_OP_COUNT; op++) {
    if (sarrus_op_arity((sarrus_Op)op) == 0) continue;
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    REQUIRE(g != NULL);
    const Inputs inputs = random_inputs(&seed, 0.2, 0.8);
    const Changes changes = random_changes(&seed);
    const sarrus_Expr e = apply_any(g, (sarrus_Op)op, input(g, 0), input(g, 1), input(g, 2));
    const sarrus_Expr roots[] = {e, add(g, scaled(g, 3, e), input(g, 3)),
                                 unary(g, SARRUS_OP_SIN, e), mul(g, e, unary(g, SARRUS_OP_EXP, e)),
                                 quotient(g, input(g, 3), add(g, constant(g, 3), e))};
    for (int w = 0; w < 5; w++)
      check_roots(g, 5, roots, &inputs, &changes, widths[w]);
    sarrus_graph_free(g);
  }
}

/* One operand constant, or the same operand twice; piecewise on the other branch. */
TEST(degenerate_operands) {
  static const sarrus_Op ops[] = {SARRUS_OP_PRODUCT, SARRUS_OP_QUOTIENT, SARRUS_OP_ATAN2,
                                  SARRUS_OP_MIN,     SARRUS_OP_MAX,      SARRUS_OP_SELECT};
  unsigned seed = 2;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    REQUIRE(g != NULL);
    const Inputs inputs = random_inputs(&seed, 0.2, 0.8);
    const Changes changes = random_changes(&seed);
    const sarrus_Expr u = input(g, 0), minus = negative(g, u), number = constant(g, 0.45);
    const sarrus_Expr roots[] = {sarrus_graph_apply(g, ops[i], u, number, input(g, 2)),
                                 sarrus_graph_apply(g, ops[i], number, u, input(g, 2)),
                                 sarrus_graph_apply(g, ops[i], minus, input(g, 1), input(g, 2)),
                                 sarrus_graph_apply(g, ops[i], minus, minus, input(g, 2)),
                                 unary(g, SARRUS_OP_ABS, minus),
                                 unary(g, SARRUS_OP_SIGN, minus)};
    check_roots(g, 6, roots, &inputs, &changes, 2);
    sarrus_graph_free(g);
  }
}

TEST(powers) {
  unsigned seed = 3;
  for (int n = -4; n <= 9; n++) {
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    REQUIRE(g != NULL);
    const Inputs inputs = random_inputs(&seed, 0.5, 1.2);
    const Changes changes = random_changes(&seed);
    const sarrus_Expr roots[] = {power(g, input(g, 0), n),
                                 power(g, add(g, input(g, 0), input(g, 1)), n + 0.5),
                                 mul(g, power(g, input(g, 1), n), input(g, 2))};
    check_roots(g, 3, roots, &inputs, &changes, 1);
    check_roots(g, 3, roots, &inputs, &changes, 5);
    sarrus_graph_free(g);
  }
}

/* At 0, where quotients by u would not do: d u^n = n u^(n-1) du. */
TEST(powers_at_zero) {
  unsigned seed = 4;
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(g != NULL);
  Inputs inputs = random_inputs(&seed, 0.5, 1);
  inputs.of[SARRUS_U][0].c[0] = 0;
  const Changes changes = random_changes(&seed);
  const sarrus_Expr roots[] = {power(g, input(g, 0), 2), power(g, input(g, 0), 5),
                               unary(g, SARRUS_OP_EXP, power(g, input(g, 0), 3))};
  check_roots(g, 3, roots, &inputs, &changes, 1);
  check_roots(g, 3, roots, &inputs, &changes, 4);
  sarrus_graph_free(g);
}

TEST(tables) {
  static const double knots[] = {-2, 0.1, 0.35, 0.6, 2}, data[] = {0, 1, 1.5, 4, 5};
  unsigned seed = 5;
  for (int round = 0; round < 8; round++) {
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    REQUIRE(g != NULL);
    const Inputs inputs = random_inputs(&seed, -3, 3);
    const Changes changes = random_changes(&seed);
    const int table = sarrus_graph_new_table(g, 5, knots, data);
    sarrus_Expr roots[4];
    for (int d = 0; d < 4; d++)
      roots[d] = sarrus_graph_table(g, table, d, input(g, 0));
    check_roots(g, 4, roots, &inputs, &changes, 3);
    sarrus_graph_free(g);
  }
}
