/*
** Tapes with unknowns: positions two coefficients ahead of accelerations, and each row affine in
** what is solved for.
*/
#include "tape_reference.h"

enum { MOST_OUTPUTS = 12, UNKNOWN_KINDS = 4, PER_KIND = 3 };
static const sarrus_SymbolKind unknown[UNKNOWN_KINDS] = {SARRUS_Q, SARRUS_V, SARRUS_A,
                                                         SARRUS_LAMBDA};
static const int leads_of[UNKNOWN_KINDS][SYMBOLS_PER_KIND] = {{2, 2, 2, 2, 2, 2, 2, 2},
                                                              {1, 1, 1, 1, 1, 1, 1, 1}};

static int lead_of(sarrus_SymbolKind kind) {
  return kind == SARRUS_Q ? 2 : kind == SARRUS_V ? 1 : 0;
}

static TapeSpec spec_with_leads(sarrus_Graph *g, int count, const sarrus_Expr *roots,
                                const int *lead) {
  TapeSpec spec = {.graph = g, .output_count = count, .outputs = roots, .output_lead = lead};
  for (int i = 0; i < UNKNOWN_KINDS; i++)
    spec.lead[unknown[i]] = leads_of[i];
  return spec;
}

/* Coefficients 0: all that is known before the first solve; unknowns are zero. */
static void place(Work *work, const Inputs *inputs) {
  for (int i = 0; i < work->tape->input_count; i++) {
    const Input *input = &work->tape->inputs[i];
    const Series *s = &inputs->of[input->kind][input->index];
    work->value[input->value] = input->lead == 0 ? 0 : s->c[0];
    if (input->lead >= LEAD_KNOWN) set_known(work, input, s);
  }
}

/* What a solve would give: the next coefficient of every unknown. */
static void solve(Work *work, const Inputs *inputs, int stage) {
  for (int i = 0; i < work->tape->input_count; i++) {
    const Input *input = &work->tape->inputs[i];
    const int k = stage + input->lead;
    if (input->lead >= LEAD_KNOWN || k < 0) continue;
    const double x = inputs->of[input->kind][input->index].c[k];
    if (k == 0) work->value[input->value] = x;
    if (input->slot != SARRUS_NONE) *work->stores[input->slot].current = x;
  }
}

/* The derivative of root i by every symbol of its own lead, as the tape's extras. */
static int list_slopes(sarrus_Graph *g, int count, const sarrus_Expr *roots, const int *lead,
                       sarrus_Expr *slopes) {
  int n = 0;
  for (int i = 0; i < count; i++)
    for (int kind = 0; kind < UNKNOWN_KINDS; kind++)
      for (int j = 0; j < PER_KIND; j++) {
        const sarrus_Expr symbol = sarrus_graph_symbol(g, unknown[kind], j);
        slopes[n++] = lead_of(unknown[kind]) == lead[i] ? sarrus_graph_diff(g, roots[i], symbol)
                                                        : constant(g, 0);
      }
  return n;
}

/* partial + slopes . (the coefficients that were zero) = the whole coefficient */
static void check_outputs(const Work *work, const sarrus_Graph *g, const sarrus_Expr *roots,
                          const Inputs *inputs, const Series *reference, int stage) {
  const Tape *tape = work->tape;
  for (int i = 0; i < tape->output_count; i++) {
    const int k = stage + tape->output_lead[i];
    if (k < 1) continue;
    double sum = work->output[i];
    for (int j = 0; j < UNKNOWN_KINDS * PER_KIND; j++) {
      const double slope = work->value[tape->extra_value[i * UNKNOWN_KINDS * PER_KIND + j]];
      sum += slope * inputs->of[unknown[j / PER_KIND]][j % PER_KIND].c[k];
    }
    check_coefficient(sum, reference[roots[i]].c[k], g, roots[i], k);
  }
}

static void check_leads(sarrus_Graph *g, int count, const sarrus_Expr *roots, const int *lead,
                        const Inputs *inputs) {
  sarrus_Expr slopes[MOST_OUTPUTS * UNKNOWN_KINDS * PER_KIND];
  TapeSpec spec = spec_with_leads(g, count, roots, lead);
  spec.extra_count = list_slopes(g, count, roots, lead, slopes);
  spec.extras = slopes;
  Tape *tape = NULL;
  REQUIRE_OK(tape_new(sarrus_memory_default(), &spec, &tape));
  void *block = malloc(work_size(tape, ORDER + 2));
  Series *reference = reference_series(g, inputs);
  REQUIRE(block != NULL && reference != NULL);
  Work *work = work_init(block, tape, ORDER + 2);
  place(work, inputs);
  CHECK_OK(start(work, LEAD_CONSTANT, 0));
  for (int stage = -1; stage <= ORDER; stage++) {
    tape_partial(work, stage);
    if (stage == 0) { /* affine rows only: their slopes do not wait for the solution */
      solve(work, inputs, stage);
      CHECK_OK(start(work, 0, 0));
    }
    check_outputs(work, g, roots, inputs, reference, stage);
    solve(work, inputs, stage);
    tape_complete(work, stage);
  }
  check_slots(work, g, reference);
  free(reference);
  free(block);
  tape_free(tape);
}

#define WITH_GRAPH                                                     \
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());         \
  REQUIRE(g != NULL);                                                  \
  const sarrus_Expr q1 = sarrus_graph_symbol(g, SARRUS_Q, 0);          \
  const sarrus_Expr q2 = sarrus_graph_symbol(g, SARRUS_Q, 1);          \
  const sarrus_Expr v1 = sarrus_graph_symbol(g, SARRUS_V, 0);          \
  const sarrus_Expr a1 = sarrus_graph_symbol(g, SARRUS_A, 0);          \
  const sarrus_Expr a2 = sarrus_graph_symbol(g, SARRUS_A, 1);          \
  const sarrus_Expr lambda = sarrus_graph_symbol(g, SARRUS_LAMBDA, 0); \
  const sarrus_Expr t = sarrus_graph_symbol(g, SARRUS_TIME, 0);        \
  (void)q1, (void)q2, (void)v1, (void)a1, (void)a2, (void)lambda, (void)t

/* A mechanism: motion at lead 0, velocity constraints at 1, position constraints at 2. */
TEST(rows_of_a_mechanism) {
  unsigned seed = 1;
  for (int round = 0; round < 20; round++) {
    WITH_GRAPH;
    const Inputs inputs = random_inputs(&seed, 0.3, 0.9);
    const sarrus_Expr c = unary(g, SARRUS_OP_COS, q2), s = unary(g, SARRUS_OP_SIN, add(g, q1, q2));
    const sarrus_Expr mass = add(g, constant(g, 5), scaled(g, 3, c));
    const sarrus_Expr roots[] = {
        add(g, mul(g, mass, a1), sub(g, mul(g, s, lambda), mul(g, mul(g, s, c), v1))),
        add(g, mul(g, c, a1), sub(g, a2, mul(g, power(g, v1, 2), s))),
        sub(g, add(g, power(g, q1, 3), mul(g, q2, c)), t),
        sub(g, mul(g, unary(g, SARRUS_OP_EXP, q1), v1), unary(g, SARRUS_OP_SIN, t))};
    const int lead[] = {0, 0, 2, 1};
    check_leads(g, 4, roots, lead, &inputs);
    sarrus_graph_free(g);
  }
}

static int has_value_everywhere(sarrus_Op op) {
  double low, high;
  sarrus_op_domain(op, &low, &high);
  return isinf(low) && isinf(high) && op != SARRUS_OP_POWER && op != SARRUS_OP_QUOTIENT &&
         op != SARRUS_OP_POW && op != SARRUS_OP_ATAN2;
}

/* Every operation, of positions at lead 2, of velocities at 1, of accelerations at 0. */
TEST(every_operation_at_every_lead) {
  unsigned seed = 2;
  for (int op = 0; op < SARRUS_OP_COUNT; op++) {
    if (sarrus_op_arity((sarrus_Op)op) == 0) continue;
    WITH_GRAPH;
    Inputs inputs = random_inputs(&seed, 0.3, 0.5);
    for (int i = 0; i < PER_KIND; i++) { /* v_0 and a_0 well inside the domains of all functions */
      inputs.of[SARRUS_Q][i].c[1] = random_in(&seed, 0.3, 0.5);
      inputs.of[SARRUS_Q][i].c[2] = random_in(&seed, 0.15, 0.25);
      for (int k = 3; k < TERMS; k++)
        inputs.of[SARRUS_Q][i].c[k] *= 0.2;
      inputs.of[SARRUS_V][i] = derivative_of(&inputs.of[SARRUS_Q][i]);
      inputs.of[SARRUS_A][i] = derivative_of(&inputs.of[SARRUS_V][i]);
    }
    sarrus_Expr roots[6];
    const int lead[] = {2, 2, 1, 1, 0, 0};
    for (int i = 0; i < 6; i += 2) {
      const sarrus_SymbolKind kind = unknown[i / 2];
      const sarrus_Expr x = sarrus_graph_symbol(g, kind, 0), y = sarrus_graph_symbol(g, kind, 1);
      const sarrus_Expr w = sarrus_graph_symbol(g, kind, 2);
      roots[i] = apply_any(g, (sarrus_Op)op, x, y, w);
      roots[i + 1] = unary(g, SARRUS_OP_SIN, mul(g, roots[i], q1));
    }
    check_leads(g, has_value_everywhere((sarrus_Op)op) ? 6 : 4, roots, lead,
                &inputs); /* at a = 0 */
    sarrus_graph_free(g);
  }
}

/* One expression wanted at two leads is computed once, at the greater. */
TEST(shared_between_leads) {
  unsigned seed = 3;
  WITH_GRAPH;
  const Inputs inputs = random_inputs(&seed, 0.3, 0.9);
  const sarrus_Expr s = unary(g, SARRUS_OP_SIN, add(g, q1, q2));
  const sarrus_Expr roots[] = {add(g, mul(g, s, lambda), a1), mul(g, s, q1), mul(g, s, v1)};
  const int lead[] = {0, 2, 1};
  check_leads(g, 3, roots, lead, &inputs);
  TapeSpec spec = spec_with_leads(g, 3, roots, lead);
  Tape *tape = NULL;
  REQUIRE_OK(tape_new(sarrus_memory_default(), &spec, &tape));
  int found = 0;
  for (int i = 0; i < tape->slot_count; i++)
    if (tape->slots[i].node == s) {
      found++;
      CHECK_INT(tape->slots[i].lead, 2);
    }
  CHECK_INT(found, 1);
  tape_free(tape);
  sarrus_graph_free(g);
}

/* Linear in the unknowns with constant factors: the solve knows it all, so there is no row. */
TEST(constants_cost_nothing) {
  WITH_GRAPH;
  const sarrus_Expr p = sarrus_graph_symbol(g, SARRUS_PARAMETER, 0);
  const sarrus_Expr roots[] = {
      add(g, scaled(g, 3, a1), sub(g, mul(g, p, a2), constant(g, 9.81))),
      add(g, add(g, scaled(g, 2, q1), scaled(g, -1, q2)), quotient(g, q1, p)),
      add(g, v1, constant(g, 1)), mul(g, p, unary(g, SARRUS_OP_SIN, p))};
  const int lead[] = {0, 2, 1, 0};
  TapeSpec spec = spec_with_leads(g, 4, roots, lead);
  Tape *tape = NULL;
  REQUIRE_OK(tape_new(sarrus_memory_default(), &spec, &tape));
  CHECK_INT(tape->row_count, 0);
  CHECK_INT(tape->product_count, 0);
  CHECK_INT(tape->linear_count, 0);
  CHECK_INT(tape->slot_count, 0);
  tape_free(tape);
  /*
  ** q1 a1 is one product, that of coefficient 0 of a1 included; the term with a1 itself is left to
  ** the matrix.
  */
  const sarrus_Expr product = mul(g, q1, a1);
  spec = spec_with_leads(g, 1, &product, lead);
  REQUIRE_OK(tape_new(sarrus_memory_default(), &spec, &tape));
  CHECK_INT(tape->row_count, 1);
  CHECK_INT(tape->product_count, 1);
  CHECK_INT(tape->linear_count, 0);
  tape_free(tape);
  sarrus_graph_free(g);
}

/* --- a Work that is used again ----------------------------------------------------------- */

/* All outputs of stages -1 to `last`; none where coefficients 0 fail. */
static int run_stages(Work *work, const Inputs *inputs, int last, double *outputs) {
  int count = 0;
  place(work, inputs);
  sarrus_Status status = start(work, LEAD_CONSTANT, 0);
  for (int stage = -1; stage <= last && status == SARRUS_OK; stage++) {
    tape_partial(work, stage);
    for (int i = 0; i < work->tape->output_count; i++)
      if (stage + work->tape->output_lead[i] > 0) outputs[count++] = work->output[i];
    solve(work, inputs, stage);
    if (stage == 0) status = start(work, 0, 0);
    tape_complete(work, stage);
  }
  if (status < 0) work_reset(work);
  return status < 0 ? 0 : count;
}

/* After other parameters, fewer stages and failures it gives the same bits as a new one. */
TEST(used_again) {
  enum { RUNS = 60 };
  WITH_GRAPH;
  const sarrus_Expr p = sarrus_graph_symbol(g, SARRUS_PARAMETER, 0);
  const sarrus_Expr log_p = unary(g, SARRUS_OP_LOG, p), sin_q = unary(g, SARRUS_OP_SIN, q1);
  const sarrus_Expr roots[] = {
      add(g, mul(g, mul(g, log_p, sin_q), a1), mul(g, power(g, v1, 3), quotient(g, q2, p))),
      add(g, mul(g, unary(g, SARRUS_OP_SQRT, q2), a2), mul(g, p, mul(g, v1, v1))),
      add(g, mul(g, sin_q, unary(g, SARRUS_OP_COS, q2)), scaled(g, 2, mul(g, q1, p)))};
  const int lead[] = {0, 0, 2};
  const TapeSpec spec = spec_with_leads(g, 3, roots, lead);
  Tape *tape = NULL;
  REQUIRE_OK(tape_new(sarrus_memory_default(), &spec, &tape));
  const size_t size = work_size(tape, ORDER + 2);
  void *block = malloc(size), *other = malloc(size);
  REQUIRE(block != NULL && other != NULL);
  Work *work = work_init(block, tape, ORDER + 2);
  unsigned seed = 3;
  for (int run = 0; run < RUNS; run++) {
    static double used[3 * (ORDER + 4)], fresh[3 * (ORDER + 4)];
    Inputs inputs = random_inputs(&seed, 0.2, 0.8);
    Series *parameter = &inputs.of[SARRUS_PARAMETER][0];
    if (run % 3 > 0) parameter->c[0] = 0.5; /* stays */
    if (run % 7 == 5) parameter->c[0] = run % 2 == 0 ? 0 : (double)NAN;
    const int last = run % 5 == 0 ? 3 : ORDER - run % 4;
    const int count = run_stages(work, &inputs, last, used);
    CHECK_INT(count > 0, run % 7 != 5);
    CHECK_INT(run_stages(work_init(other, tape, ORDER + 2), &inputs, last, fresh), count);
    CHECK(memcmp(used, fresh, (size_t)count * sizeof *used) == 0);
  }
  free(block);
  free(other);
  tape_free(tape);
  sarrus_graph_free(g);
}

/* --- failures ---------------------------------------------------------------------------- */

static void check_culprit(sarrus_Expr (*make)(sarrus_Graph *, sarrus_Expr), double q,
                          const char *culprit) {
  WITH_GRAPH;
  const sarrus_Expr root = add(g, a1, make(g, q1));
  const int lead = 0;
  const TapeSpec spec = spec_with_leads(g, 1, &root, &lead);
  Tape *tape = NULL;
  REQUIRE_OK(tape_new(sarrus_memory_default(), &spec, &tape));
  void *block = malloc(work_size(tape, 4));
  REQUIRE(block != NULL);
  Work *work = work_init(block, tape, 4);
  Inputs inputs = {0};
  inputs.of[SARRUS_Q][0].c[0] = q;
  place(work, &inputs);
  CHECK_STATUS(start(work, LEAD_CONSTANT, 0), SARRUS_NONFINITE);
  CHECK_STR(text_of(g, tape_culprit(work)), culprit);
  inputs.of[SARRUS_Q][0].c[0] = 0.5; /* inside the domain all is well again */
  place(work, &inputs);
  CHECK_OK(start(work, LEAD_CONSTANT, 0));
  free(block);
  tape_free(tape);
  sarrus_graph_free(g);
}

static sarrus_Expr make_log(sarrus_Graph *g, sarrus_Expr x) { return unary(g, SARRUS_OP_LOG, x); }
static sarrus_Expr make_sqrt(sarrus_Graph *g, sarrus_Expr x) { return unary(g, SARRUS_OP_SQRT, x); }
static sarrus_Expr make_asin(sarrus_Graph *g, sarrus_Expr x) { return unary(g, SARRUS_OP_ASIN, x); }
static sarrus_Expr make_power(sarrus_Graph *g, sarrus_Expr x) { return power(g, x, 1.5); }
static sarrus_Expr make_inverse(sarrus_Graph *g, sarrus_Expr x) { return power(g, x, -1); }
static sarrus_Expr make_atan2(sarrus_Graph *g, sarrus_Expr x) {
  return binary(g, SARRUS_OP_ATAN2, x, scaled(g, 2, x));
}

TEST(what_is_not_finite_is_found) {
  check_culprit(make_log, -1, "log(q1)");
  check_culprit(make_log, 0, "log(q1)");
  check_culprit(make_sqrt, -1, "sqrt(q1)");
  check_culprit(make_sqrt, 0, "sqrt(q1)"); /* a value, but no series */
  check_culprit(make_asin, 1, "asin(q1)");
  check_culprit(make_power, -1, "q1^(3/2)");
  check_culprit(make_inverse, 0, "1/q1");
  check_culprit(make_atan2, 0, "atan(q1, 2*q1)");
  check_culprit(make_sqrt, (double)INFINITY, "q1");
}

TEST(every_allocation_of_a_tape_may_fail) {
  TestMemory m;
  long failures = 0;
  for (long n = 1;; n++) {
    const sarrus_Memory memory = test_memory_failing(&m, n);
    sarrus_Graph *g = sarrus_graph_new(memory);
    Tape *tape = NULL;
    sarrus_Status status = SARRUS_NOMEM;
    if (g != NULL) {
      const sarrus_Expr q = sarrus_graph_symbol(g, SARRUS_Q, 0);
      sarrus_Expr e = sarrus_graph_symbol(g, SARRUS_A, 0);
      for (int i = 0; i < 100; i++)
        e = add(g, e, unary(g, SARRUS_OP_TAN, mul(g, power(g, q, 2 + i), scaled(g, 1 + i, e))));
      const int lead = 0;
      const TapeSpec spec = spec_with_leads(g, 1, &e, &lead);
      status = sarrus_graph_status(g);
      if (status == SARRUS_OK) {
        status = tape_new(memory, &spec, &tape);
        CHECK(status == SARRUS_OK ? tape != NULL : tape == NULL);
        if (m.failed) failures++;
      }
    }
    tape_free(tape);
    sarrus_graph_free(g);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) {
      CHECK_OK(status);
      break;
    }
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
  CHECK(failures > 10);
}
