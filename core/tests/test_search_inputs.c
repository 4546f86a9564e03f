/*
** What a search knows of a span: inputs of every kind as series about any time of it, against
** products of polynomials in exact arithmetic; and how exactly outputs are known.
*/
#include <float.h>

#include "expressions.h"
#include "search.h"

enum { ORDER = 6, TOP = ORDER + 1, N = 2, M = 2, VARIABLES = 3, MOST_OUTPUTS = 8 };

/*
** Two coordinates and a multiplier as polynomials of time s in user's seconds, from s = 0 on; of a
** second multiplier the span has nothing.  Whole numbers, so that nothing is rounded.
*/
static const double motion[VARIABLES][TOP + 1] = {
    {1, 2, 3, -1, 4, -2, 1, 5}, {-3, 1, 0, 2, -1, 1, 3, -2}, {7, -5, 2, 1, -4, 3, 0, 0}};
static const double parameters[] = {11, 13}, modes[] = {17, 19};

typedef struct Fixture {
  sarrus_Graph *g;
  Tape *tape;
  double c[TOP + 1][VARIABLES], q[N], v[N], scale[N + M], column[N + M], held;
  Span span;
  Search search;
  char *block;
} Fixture;

/* Outputs are made by the caller in f->g before. */
static bool fixture_new(Fixture *f, double unit, int count, const sarrus_Expr *outputs) {
  const int leads[MOST_OUTPUTS] = {0};
  const TapeSpec spec = {
      .graph = f->g, .output_count = count, .outputs = outputs, .output_lead = leads};
  if (!CHECK_OK(tape_new(sarrus_memory_default(), &spec, &f->tape))) return false;
  for (int k = 0; k <= TOP; k++)
    for (int j = 0; j < VARIABLES; j++) /* of multipliers two less are known */
      f->c[k][j] = j >= N && k > TOP - 2 ? (double)NAN : motion[j][k] * pow(unit, k);
  f->span = (Span){.n = N,
                   .m = M,
                   .variables = VARIABLES,
                   .from = {.t = 100, .t_low = 0x1p-60, .q = f->q, .v = f->v},
                   .c = f->c[0],
                   .unit = unit,
                   .order = ORDER};
  f->search = (Search){.tape = f->tape,
                       .span = &f->span,
                       .parameters = parameters,
                       .modes = modes,
                       .scale = f->scale,
                       .capacity = TOP};
  Block measure = {NULL, 0};
  search_lay_out(&f->search, &measure);
  f->block = calloc(1, measure.used);
  if (!CHECK(f->block != NULL)) return false;
  search_lay_out(&f->search, &(Block){f->block, 0});
  return true;
}

static void fixture_free(Fixture *f) {
  free(f->block);
  tape_free(f->tape);
  sarrus_graph_free(f->g);
}

static bool graph_new(Fixture *f) {
  memset(f, 0, sizeof *f);
  f->g = sarrus_graph_new(sarrus_memory_default());
  return CHECK(f->g != NULL);
}

static sarrus_Expr symbol(Fixture *f, sarrus_SymbolKind kind, int index) {
  return sarrus_graph_symbol(f->g, kind, index);
}

/* --- polynomials ------------------------------------------------------------------------- */

typedef struct Polynomial {
  double c[3 * TOP + 1];
} Polynomial;

/* The m-th derivative of variable j, in powers of s - at. */
static Polynomial derived(int j, int m, double at) {
  Polynomial p = {{0}};
  for (int k = m; k <= TOP; k++) {
    double factor = motion[j][k];
    for (int i = 0; i < m; i++)
      factor *= k - i;
    double binomial = 1; /* (k - m over i) at^(k - m - i) */
    for (int i = k - m; i >= 0; i--) {
      p.c[i] += factor * binomial * pow(at, k - m - i);
      binomial = binomial * i / (k - m - i + 1);
    }
  }
  return p;
}

static Polynomial product(Polynomial a, Polynomial b) {
  Polynomial p = {{0}};
  for (int i = 0; i <= TOP; i++)
    for (int k = 0; k + i <= TOP; k++)
      p.c[i + k] += a.c[i] * b.c[k];
  return p;
}

static void check_series(const Fixture *f, int output, Polynomial p) {
  for (int k = 0; k <= TOP; k++)
    CHECK_NEAR(search_output(&f->search, output)[k], p.c[k] * pow(f->span.unit, k), 0);
}

/* Whole and half seconds after the beginning: powers of them are exact, too. */
TEST(series_of_inputs_about_any_time) {
  for (int i = 0; i < 3; i++) {
    Fixture f;
    const double unit = ldexp(1, -i);
    REQUIRE(graph_new(&f));
    const sarrus_Expr q0 = symbol(&f, SARRUS_Q, 0), q1 = symbol(&f, SARRUS_Q, 1);
    const sarrus_Expr outputs[] = {mul(f.g, q0, q1),
                                   mul(f.g, symbol(&f, SARRUS_V, 0), q1),
                                   mul(f.g, symbol(&f, SARRUS_A, 1), symbol(&f, SARRUS_V, 1)),
                                   mul(f.g, symbol(&f, SARRUS_LAMBDA, 0), q0),
                                   mul(f.g, symbol(&f, SARRUS_A, 0), symbol(&f, SARRUS_A, 0)),
                                   symbol(&f, SARRUS_V, 1),
                                   mul(f.g, symbol(&f, SARRUS_LAMBDA, 1), q1)};
    REQUIRE(fixture_new(&f, unit, 7, outputs));
    for (double at = -1; at <= 1.5; at += 0.5) {
      REQUIRE_OK(search_series(&f.search, at / unit));
      check_series(&f, 0, product(derived(0, 0, at), derived(1, 0, at)));
      check_series(&f, 1, product(derived(0, 1, at), derived(1, 0, at)));
      check_series(&f, 2, product(derived(1, 2, at), derived(1, 1, at)));
      check_series(&f, 3, product(derived(2, 0, at), derived(0, 0, at)));
      check_series(&f, 4, product(derived(0, 2, at), derived(0, 2, at)));
      check_series(&f, 5, derived(1, 1, at));
      check_series(&f, 6, (Polynomial){{0}}); /* what the span leaves out */
    }
    fixture_free(&f);
  }
}

/* Time counts from the span's beginning, with its low part; the others do not change. */
TEST(known_inputs) {
  Fixture f;
  REQUIRE(graph_new(&f));
  const sarrus_Expr t = sub(f.g, symbol(&f, SARRUS_TIME, 0), constant(f.g, 100));
  const sarrus_Expr outputs[] = {mul(f.g, t, t), mul(f.g, symbol(&f, SARRUS_PARAMETER, 1), t),
                                 add(f.g, symbol(&f, SARRUS_U, 1), symbol(&f, SARRUS_U, 0))};
  REQUIRE(fixture_new(&f, 0.25, 3, outputs));
  REQUIRE_OK(search_series(&f.search, 6)); /* 1.5 seconds after 100 */
  CHECK_NEAR(search_output(&f.search, 0)[0], 2.25, 0);
  CHECK_NEAR(search_output(&f.search, 0)[1], 2 * 1.5 * 0.25, 0);
  CHECK_NEAR(search_output(&f.search, 0)[2], 0.0625, 0);
  CHECK_NEAR(search_output(&f.search, 1)[0], 13 * 1.5, 0);
  CHECK_NEAR(search_output(&f.search, 1)[1], 13 * 0.25, 0);
  CHECK_NEAR(search_output(&f.search, 2)[0], 36, 0);
  CHECK_NEAR(search_output(&f.search, 2)[1], 0, 0);
  f.span.from.t = 0x1p-20; /* what is left of time counts where time itself is short */
  f.span.from.t_low = 0x1p-70;
  REQUIRE_OK(search_series(&f.search, 0));
  CHECK_NEAR(f.search.work->value[f.tape->inputs[tape_input(f.tape, SARRUS_TIME, 0)].value],
             0x1p-20 + 0x1p-70, 0);
  fixture_free(&f);
}

/* Each output has room for all its coefficients, and what follows begins behind them. */
TEST(room_for_every_coefficient) {
  Fixture f;
  REQUIRE(graph_new(&f));
  const sarrus_Expr outputs[] = {symbol(&f, SARRUS_V, 0), symbol(&f, SARRUS_Q, 1)};
  REQUIRE(fixture_new(&f, 1, 2, outputs));
  CHECK(f.search.floor >= f.search.series + 2 * (TOP + 1));
  CHECK(f.search.polynomial >= f.search.floor + 2);
  CHECK(f.search.root_work >= f.search.polynomial + TOP + 1);
  CHECK((char *)f.search.work > (char *)f.search.root_work);
  fixture_free(&f);
}

TEST(values_at_a_state_of_all_kinds) {
  Fixture f;
  const double q[] = {2, 3}, v[] = {5, 7}, a[] = {23, 29}, lambda[] = {31, 37};
  const sarrus_SymbolKind kinds[] = {SARRUS_TIME, SARRUS_PARAMETER, SARRUS_Q, SARRUS_V,
                                     SARRUS_A,    SARRUS_LAMBDA,    SARRUS_U};
  const double expected[] = {41, 11 * 13, 6, 35, 23 * 29, 31 * 37, 17 * 19};
  sarrus_Expr outputs[7];
  REQUIRE(graph_new(&f));
  for (int i = 0; i < 7; i++) {
    outputs[i] = symbol(&f, kinds[i], 0);
    if (i > 0) outputs[i] = mul(f.g, outputs[i], symbol(&f, kinds[i], 1));
  }
  REQUIRE(fixture_new(&f, 0.5, 7, outputs));
  CHECK_OK(search_at(&f.search, 41, q, v, a, lambda));
  for (int i = 0; i < 7; i++)
    CHECK_NEAR(f.search.work->value[f.tape->output_value[i]], expected[i], 0);
  fixture_free(&f);
}

/* --- what is rounding --------------------------------------------------------------------- */

/* An output that changes by `size` as its input does, is uncertain by 8 to 16 roundings of it. */
static void check_floor(const Fixture *f, int output, double size) {
  CHECK(f->search.floor[output] >= 8 * DBL_EPSILON * size);
  CHECK(f->search.floor[output] <= 16 * DBL_EPSILON * size);
}

/* v_0 = 2, a_0 = 6, v_1 = 1, a_1 = 0 at the beginning, and each output has one input. */
static bool fixture_of_kinds(Fixture *f, double unit) {
  if (!graph_new(f)) return false;
  const sarrus_Expr outputs[] = {scaled(f->g, 3, symbol(f, SARRUS_Q, 0)),
                                 scaled(f->g, 3, symbol(f, SARRUS_V, 0)),
                                 scaled(f->g, 3, symbol(f, SARRUS_A, 0)),
                                 scaled(f->g, 3, symbol(f, SARRUS_LAMBDA, 0)),
                                 symbol(f, SARRUS_V, 1),
                                 symbol(f, SARRUS_A, 1),
                                 symbol(f, SARRUS_PARAMETER, 0),
                                 symbol(f, SARRUS_TIME, 0)};
  if (!fixture_new(f, unit, 8, outputs)) return false;
  for (int j = 0; j < N + M; j++) {
    f->scale[j] = 1000 * (j + 1);
    f->column[j] = 10 * (j + 1);
  }
  return true;
}

TEST(floors_of_inputs) {
  Fixture f;
  REQUIRE(fixture_of_kinds(&f, 0.25));
  REQUIRE_OK(search_measure(&f.search)); /* nothing is known of accelerations */
  check_floor(&f, 0, 3000);
  check_floor(&f, 1, 3000);
  check_floor(&f, 2, 3000);
  check_floor(&f, 3, 9000);
  check_floor(&f, 4, 2000);
  check_floor(&f, 5, 2000);
  CHECK_NEAR(f.search.floor[6], 0, 0); /* parameters are as they are */
  CHECK_NEAR(f.search.floor[7], 16 * DBL_EPSILON * 0.25, 0);
  f.search.held = &f.held;
  f.search.column = f.column;
  for (int i = 0; i < 2; i++) {
    f.held = i == 0 ? 100 : 1e-3; /* forces may change motion much, or not */
    REQUIRE_OK(search_measure(&f.search));
    check_floor(&f, 0, 3000);
    check_floor(&f, 1, 3 * (i == 0 ? 1000 * 0.25 : 2)); /* a in one unit of time, or v now */
    check_floor(&f, 2, 3 * (i == 0 ? 1000 : 6));
    check_floor(&f, 3, 9000);
    check_floor(&f, 4, i == 0 ? 2000 * 0.25 : 1);
    check_floor(&f, 5, i == 0 ? 2000 : 2e-2);
  }
  fixture_free(&f);
}

TEST(floors_while_time_stands_still) {
  Fixture f;
  REQUIRE(fixture_of_kinds(&f, 0.25));
  REQUIRE_OK(search_measure_still(&f.search));
  check_floor(&f, 0, 3000);
  CHECK_NEAR(f.search.floor[6], 0, 0);
  CHECK_NEAR(f.search.floor[7], 0, 0);
  REQUIRE_OK(search_series(&f.search, 0)); /* afterwards time goes on */
  CHECK_NEAR(search_output(&f.search, 7)[1], 0.25, 0);
  fixture_free(&f);
}

TEST(floors_of_forces) {
  Fixture f;
  REQUIRE(fixture_of_kinds(&f, 0.25));
  f.search.column = f.column;
  REQUIRE_OK(search_measure_still(&f.search));
  REQUIRE_OK(search_measure_forces(&f.search, 50));
  for (int e = 0; e < 7; e++)
    if (e == 3)
      check_floor(&f, e, 3 * 50 * 30);
    else
      CHECK_NEAR(f.search.floor[e], 0, 0);
  fixture_free(&f);
}

/* Sums and differences of inputs that are as large are as uncertain: nothing cancels. */
TEST(floors_do_not_cancel) {
  Fixture f;
  REQUIRE(graph_new(&f));
  const sarrus_Expr q[] = {symbol(&f, SARRUS_Q, 0), symbol(&f, SARRUS_Q, 1),
                           symbol(&f, SARRUS_V, 0), symbol(&f, SARRUS_V, 1)};
  sarrus_Expr outputs[8];
  for (int i = 0; i < 4; i++) {
    outputs[i] = add(f.g, q[i], q[(i + 1) % 4]);
    outputs[4 + i] = sub(f.g, q[i], q[(i + 1) % 4]);
  }
  REQUIRE(fixture_new(&f, 0.5, 8, outputs));
  f.scale[0] = f.scale[1] = 1;
  REQUIRE_OK(search_measure(&f.search));
  for (int e = 0; e < 8; e++)
    CHECK(f.search.floor[e] >= DBL_EPSILON);
  fixture_free(&f);
}

/* The first input counts like any other, and nothing but floors is written. */
TEST(floors_of_a_single_input) {
  static const sarrus_SymbolKind kinds[] = {SARRUS_Q, SARRUS_LAMBDA, SARRUS_TIME};
  for (int i = 0; i < 3; i++) {
    Fixture f;
    REQUIRE(graph_new(&f));
    const sarrus_Expr output = symbol(&f, kinds[i], 0);
    REQUIRE(fixture_new(&f, 0.25, 1, &output));
    f.search.column = f.column;
    f.scale[0] = f.scale[N] = f.column[N] = 8;
    f.search.polynomial[0] = 77;
    REQUIRE_OK(search_measure_still(&f.search));
    if (kinds[i] == SARRUS_TIME) {
      CHECK_NEAR(f.search.floor[0], 0, 0);
      CHECK_NEAR(f.search.polynomial[0], 77, 0);
      REQUIRE_OK(search_measure(&f.search));
      CHECK_NEAR(f.search.floor[0], 16 * DBL_EPSILON * 0.25, 0);
      fixture_free(&f);
      continue;
    }
    check_floor(&f, 0, 8);
    const double floor = f.search.floor[0];
    REQUIRE_OK(search_series(&f.search, 0));
    CHECK_NEAR(f.search.floor[0], floor, 0);
    REQUIRE_OK(search_measure_forces(&f.search, 3));
    if (kinds[i] == SARRUS_LAMBDA)
      check_floor(&f, 0, 24);
    else
      CHECK_NEAR(f.search.floor[0], 0, 0);
    fixture_free(&f);
  }
}

/* A sum is known to the rounding of what is added, coordinates as large as they have been. */
TEST(noise_of_sums) {
  Fixture f;
  REQUIRE(graph_new(&f));
  const sarrus_Expr q = symbol(&f, SARRUS_Q, 0), v = symbol(&f, SARRUS_V, 0);
  const sarrus_Expr outputs[] = {
      add(f.g, sub(f.g, scaled(f.g, 2, q), scaled(f.g, 5, v)), constant(f.g, 7)), q, v,
      mul(f.g, q, v), sub(f.g, scaled(f.g, 64, v), scaled(f.g, 3, q))};
  REQUIRE(fixture_new(&f, 0.5, 5, outputs));
  const double unit = 4 * DBL_EPSILON;
  for (int i = 0; i < 2; i++) {
    f.scale[0] = i == 0 ? 0.5 : 50; /* now q = 1 and v = 2 */
    REQUIRE_OK(search_series(&f.search, 0));
    const double size = i == 0 ? 1 : 50;
    CHECK_NEAR(search_noise(&f.search, 0), unit * (2 * size + 5 * 2 + 7), 0);
    CHECK_NEAR(search_noise(&f.search, 1), unit * size, 0);
    CHECK_NEAR(search_noise(&f.search, 2), unit * 2, 0);
    CHECK_NEAR(search_noise(&f.search, 3), unit * 2, 0);
    CHECK_NEAR(search_noise(&f.search, 4), unit * (64 * 2 + 3 * size), 0);
  }
  fixture_free(&f);
}
