/* Intervals contain all values. */
#include "interval.h"

#include "mechanisms.h"

enum { INPUTS = 2, MOST_OUTPUTS = 20, TRIALS = 300 };

/* A tape of these outputs, all inputs known. */
static Tape *compile(sarrus_Graph *g, const sarrus_Expr *outputs, int count) {
  const int leads[MOST_OUTPUTS] = {0};
  const TapeSpec spec = {
      .graph = g, .output_count = count, .outputs = outputs, .output_lead = leads};
  Tape *tape = NULL;
  CHECK_OK(tape_new(sarrus_memory_default(), &spec, &tape));
  return tape;
}

static void set_inputs(const Tape *tape, const Interval *given, Interval *values) {
  for (int i = 0; i < tape->input_count; i++)
    values[tape->inputs[i].value] = given[tape->inputs[i].index];
}

/* Every function that there are intervals for, and one that there are none for. */
static int functions(Parts *p, sarrus_Expr *outputs) {
  sarrus_Graph *g = p->g;
  const sarrus_Expr x = p->q[0], y = p->q[1];
  const sarrus_Op one[] = {SARRUS_OP_SIN, SARRUS_OP_COS,  SARRUS_OP_EXP, SARRUS_OP_ATAN,
                           SARRUS_OP_ABS, SARRUS_OP_TANH, SARRUS_OP_SINH};
  int count = 0;
  for (size_t i = 0; i < sizeof one / sizeof *one; i++)
    outputs[count++] = unary(g, one[i], x);
  outputs[count++] = unary(g, SARRUS_OP_SQRT, add(g, power(g, x, 2), power(g, y, 2)));
  outputs[count++] = add(g, scaled(g, -3, x), add(g, scaled(g, 0.5, y), constant(g, 2)));
  outputs[count++] = mul(g, x, y);
  outputs[count++] = power(g, x, 3);
  outputs[count++] = sarrus_graph_apply(g, SARRUS_OP_QUOTIENT, x, y, SARRUS_NONE);
  outputs[count++] = sarrus_graph_apply(g, SARRUS_OP_MIN, x, y, SARRUS_NONE);
  outputs[count++] = sarrus_graph_apply(g, SARRUS_OP_MAX, x, y, SARRUS_NONE);
  outputs[count++] = sarrus_graph_apply(g, SARRUS_OP_SELECT, sub(g, x, y), mul(g, x, x), y);
  outputs[count++] = unary(g, SARRUS_OP_LOG, x);
  outputs[count++] = unary(g, SARRUS_OP_COSH, x);
  return count;
}

TEST(values_lie_within) {
  sarrus_Expr outputs[MOST_OUTPUTS];
  Parts *p = parts_new(sarrus_memory_default(), INPUTS);
  REQUIRE(p != NULL);
  const int count = functions(p, outputs);
  Tape *tape = compile(p->g, outputs, count);
  Interval wide[256], narrow[256];
  unsigned seed = 1;
  REQUIRE(tape != NULL && tape->value_count <= 256);
  for (int trial = 0; trial < TRIALS; trial++) {
    Interval given[INPUTS], inside[INPUTS];
    for (int i = 0; i < INPUTS; i++) {
      const double middle = random_in(&seed, -4, 4), reach = pow(random_in(&seed, 0, 1.5), 2);
      const double x = middle + random_in(&seed, -reach, reach);
      given[i] = (Interval){middle - reach, middle + reach};
      inside[i] = (Interval){x, x};
    }
    set_inputs(tape, given, wide);
    set_inputs(tape, inside, narrow);
    interval_values(tape, wide);
    interval_values(tape, narrow);
    for (int i = 0; i < count; i++) {
      const Interval a = wide[tape->output_value[i]], b = narrow[tape->output_value[i]];
      const double size = 1e-14 * (1 + fabs(b.low));
      CHECK(a.low <= a.high);
      CHECK(isinf(b.low) || (a.low - size <= b.low && b.high <= a.high + size));
    }
  }
  tape_free(tape);
  parts_free(p);
}

/* What is a point stays one, of what the functions are. */
TEST(of_points_they_are_the_values) {
  sarrus_Expr outputs[MOST_OUTPUTS];
  Parts *p = parts_new(sarrus_memory_default(), INPUTS);
  REQUIRE(p != NULL);
  const int count = functions(p, outputs);
  Tape *tape = compile(p->g, outputs, count);
  const double x = 0.7, y = -1.3;
  const double expected[] = {
      sin(x), cos(x),    exp(x), atan(x), x, tanh(x), sinh(x), hypot(x, y), -3 * x + y / 2 + 2,
      x * y,  x * x * x, x / y,  y,       x, x * x,   log(x)};
  Interval values[256];
  REQUIRE(tape != NULL && tape->value_count <= 256);
  set_inputs(tape, (Interval[]){{x, x}, {y, y}}, values);
  interval_values(tape, values);
  for (int i = 0; i < count - 1; i++) {
    CHECK_NEAR(values[tape->output_value[i]].low, expected[i], 1e-15);
    CHECK_NEAR(values[tape->output_value[i]].high, expected[i], 1e-15);
  }
  CHECK(isinf(values[tape->output_value[count - 1]].low)); /* nothing is known of it */
  tape_free(tape);
  parts_free(p);
}

/* Where functions have poles or are not defined, all is possible. */
TEST(poles_are_everything) {
  Parts *p = parts_new(sarrus_memory_default(), INPUTS);
  REQUIRE(p != NULL);
  const sarrus_Expr outputs[] = {
      sarrus_graph_apply(p->g, SARRUS_OP_QUOTIENT, p->q[0], p->q[1], SARRUS_NONE),
      unary(p->g, SARRUS_OP_SQRT, p->q[1]), unary(p->g, SARRUS_OP_LOG, p->q[1])};
  Tape *tape = compile(p->g, outputs, 3);
  Interval values[16];
  REQUIRE(tape != NULL && tape->value_count <= 16);
  set_inputs(tape, (Interval[]){{1, 2}, {-1, 1}}, values);
  interval_values(tape, values);
  for (int i = 0; i < 3; i++) {
    CHECK(values[tape->output_value[i]].low == -(double)INFINITY);
    CHECK(values[tape->output_value[i]].high == (double)INFINITY);
  }
  tape_free(tape);
  parts_free(p);
}

/* On the side that the argument stays on; on both where it may be on either, 0 included. */
TEST(branches_are_told_apart) {
  Parts *p = parts_new(sarrus_memory_default(), INPUTS);
  REQUIRE(p != NULL);
  const sarrus_Expr outputs[] = {sarrus_graph_apply(p->g, SARRUS_OP_SELECT, p->q[0],
                                                    power(p->g, p->q[1], 2), constant(p->g, -3))};
  const struct {
    Interval x, expected;
  } cases[] = {{{0.5, 1}, {0, 4}}, {{-2, -1}, {-3, -3}}, {{-1, 1}, {-3, 4}}, {{0, 1}, {-3, 4}}};
  Tape *tape = compile(p->g, outputs, 1);
  Interval values[16];
  REQUIRE(tape != NULL && tape->value_count <= 16);
  for (int i = 0; i < 4; i++) {
    set_inputs(tape, (Interval[]){cases[i].x, {-1, 2}}, values);
    interval_values(tape, values);
    CHECK(values[tape->output_value[0]].low == cases[i].expected.low);
    CHECK(values[tape->output_value[0]].high == cases[i].expected.high);
  }
  tape_free(tape);
  parts_free(p);
}

/* What is within something gives what is within its values: what is shown of wide ranges holds. */
TEST(narrower_ranges_give_narrower_values) {
  sarrus_Expr outputs[MOST_OUTPUTS];
  Parts *p = parts_new(sarrus_memory_default(), INPUTS);
  REQUIRE(p != NULL);
  const int count = functions(p, outputs);
  Tape *tape = compile(p->g, outputs, count);
  Interval wide[256], narrow[256];
  unsigned seed = 2;
  REQUIRE(tape != NULL && tape->value_count <= 256);
  for (int trial = 0; trial < TRIALS; trial++) {
    Interval given[INPUTS], inside[INPUTS];
    for (int i = 0; i < INPUTS; i++) {
      const double low = random_in(&seed, -4, 4), size = pow(random_in(&seed, 0, 1.7), 2);
      const double from = random_in(&seed, 0, 1), to = random_in(&seed, from, 1);
      given[i] = (Interval){low, low + size};
      inside[i] = (Interval){low + from * size, low + to * size};
    }
    set_inputs(tape, given, wide);
    set_inputs(tape, inside, narrow);
    interval_values(tape, wide);
    interval_values(tape, narrow);
    for (int i = 0; i < count; i++) {
      const Interval a = wide[tape->output_value[i]], b = narrow[tape->output_value[i]];
      const double size = 1e-14 * (1 + fabs(a.low) + fabs(a.high));
      CHECK(isinf(size) || (a.low - size <= b.low && b.high <= a.high + size));
    }
  }
  tape_free(tape);
  parts_free(p);
}
