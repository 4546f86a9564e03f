/* Searching spans: series of what is asked, piece by piece as far as each of them serves. */
#include "search.h"

#include "expressions.h"

enum { ORDER = 20, MOST_OUTPUTS = 4 };

/* The motion q = t, in a unit of its own, from t = 1 on; and a search for outputs of it. */
typedef struct Fixture {
  sarrus_Graph *g;
  Tape *tape;
  double c[ORDER + 2][1], q, v, scale;
  Span span;
  Search search;
  char *block;
} Fixture;

static bool fixture_new(Fixture *f, double unit, int count,
                        sarrus_Expr (*output)(sarrus_Graph *g, sarrus_Expr q, int i)) {
  const int leads[MOST_OUTPUTS] = {0};
  sarrus_Expr outputs[MOST_OUTPUTS];
  memset(f, 0, sizeof *f);
  f->g = sarrus_graph_new(sarrus_memory_default());
  if (!CHECK(f->g != NULL)) return false;
  for (int i = 0; i < count; i++)
    outputs[i] = output(f->g, variable(f->g, 0), i);
  const TapeSpec spec = {
      .graph = f->g, .output_count = count, .outputs = outputs, .output_lead = leads};
  if (!CHECK_OK(tape_new(sarrus_memory_default(), &spec, &f->tape))) return false;
  f->q = f->scale = 1;
  f->v = 1;
  f->c[0][0] = 1;
  f->c[1][0] = unit;
  f->span = (Span){.n = 1,
                   .variables = 1,
                   .from = {.t = 1, .q = &f->q, .v = &f->v},
                   .c = f->c[0],
                   .unit = unit,
                   .order = ORDER};
  f->search =
      (Search){.tape = f->tape, .span = &f->span, .scale = &f->scale, .capacity = ORDER + 1};
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

/* sqrt((q - 3)^2 + 0.01): branch points 0.1 beside q = 3 */
static sarrus_Expr near_miss(sarrus_Graph *g, sarrus_Expr q, int i) {
  (void)i;
  const sarrus_Expr x = sub(g, q, constant(g, 3));
  return unary(g, SARRUS_OP_SQRT, add(g, mul(g, x, x), constant(g, 0.01)));
}

static double near_miss_at(double q, int i) {
  (void)i;
  return sqrt((q - 3) * (q - 3) + 0.01);
}

/* The largest error of the series of a piece, at some points of it. */
static double piece_error(const Fixture *f, const Piece *piece, int outputs,
                          double (*exact)(double q, int i)) {
  double worst = 0;
  for (int i = 0; i <= 10 * outputs; i++) {
    const int output = i % outputs;
    const double t = piece->h * i / (10 * outputs), q = 1 + f->span.unit * (piece->begin + t);
    double x = 0;
    for (int k = search_order(&f->search); k >= 0; k--)
      x = x * t + search_output(&f->search, output)[k];
    worst = fmax(worst, fabs(x - exact(q, output)));
  }
  return worst;
}

/*
** The pieces cover the span of 4 without a gap, and in each of them the series is the function.
** Answers how many there are; *shortest in the user's time.
*/
static int check_pieces(Fixture *f, int outputs, double (*exact)(double q, int i),
                        double *shortest) {
  const double whole = 4 / f->span.unit;
  double reached = 0;
  int output, count = 0;
  *shortest = 4;
  for (Piece piece = search_begin(&f->search, 4);; search_next(&piece)) {
    if (!CHECK_OK(search_piece(&f->search, &piece, whole, &output))) return 0;
    CHECK_NEAR(piece.begin, reached, 0);
    CHECK_INT(piece.count, count++);
    CHECK(piece_error(f, &piece, outputs, exact) <= 1e-13);
    *shortest = fmin(*shortest, piece.h * f->span.unit);
    reached += piece.h;
    if (piece.h == whole - piece.begin) break;
  }
  CHECK_NEAR(reached, whole, 0);
  return count;
}

TEST(pieces_as_long_as_series_serve) {
  Fixture f;
  double shortest;
  REQUIRE(fixture_new(&f, 0.5, 1, near_miss));
  const int count = check_pieces(&f, 1, near_miss_at, &shortest);
  CHECK(count > 5 && count < 100);
  CHECK(shortest < 0.1); /* less than from q = 3 to the branch point */
  fixture_free(&f);
}

/* x^i / (1 + x^4), x = q - 1: of any four coefficients that follow each other three are 0. */
static sarrus_Expr fourth_powers(sarrus_Graph *g, sarrus_Expr q, int i) {
  const sarrus_Expr x = sub(g, q, constant(g, 1));
  const sarrus_Expr below = add(g, constant(g, 1), power(g, x, 4));
  return quotient(g, i == 0 ? constant(g, 1) : power(g, x, i), below);
}

static double fourth_powers_at(double q, int i) {
  const double x = q - 1;
  return pow(x, i) / (1 + pow(x, 4));
}

TEST(coefficients_that_vanish_are_no_end) {
  for (int i = 0; i < 4; i++) {
    Fixture f;
    double shortest;
    REQUIRE(fixture_new(&f, ldexp(1, -i), MOST_OUTPUTS, fourth_powers));
    CHECK(check_pieces(&f, MOST_OUTPUTS, fourth_powers_at, &shortest) > 3);
    CHECK(shortest < 1); /* less than to the poles */
    fixture_free(&f);
  }
}

/* One alone, so that no other output makes the pieces short. */
static int alone;

static sarrus_Expr one_of_fourth_powers(sarrus_Graph *g, sarrus_Expr q, int i) {
  return fourth_powers(g, q, alone + i);
}

static double one_of_fourth_powers_at(double q, int i) { return fourth_powers_at(q, alone + i); }

TEST(whichever_of_them_vanish) {
  for (alone = 0; alone < 4; alone++) {
    Fixture f;
    double shortest;
    REQUIRE(fixture_new(&f, 0.5, 1, one_of_fourth_powers));
    CHECK(check_pieces(&f, 1, one_of_fourth_powers_at, &shortest) > 3);
    fixture_free(&f);
  }
}

static sarrus_Expr polynomial(sarrus_Graph *g, sarrus_Expr q, int i) {
  return i == 0 ? mul(g, q, mul(g, q, q)) : sub(g, q, constant(g, 2));
}

/* Polynomials need no pieces, backwards neither. */
TEST(one_piece_where_series_end) {
  Fixture f;
  int output;
  REQUIRE(fixture_new(&f, 0.5, 2, polynomial));
  for (int sign = -1; sign <= 1; sign += 2) {
    Piece piece = search_begin(&f.search, 100 * sign);
    CHECK_NEAR(piece.h, 200 * sign, 0);
    CHECK_OK(search_piece(&f.search, &piece, piece.h, &output));
    CHECK_NEAR(piece.h, 200 * sign, 0);
  }
  CHECK_NEAR(search_output(&f.search, 0)[0], 1, 0);
  CHECK_NEAR(search_output(&f.search, 0)[3], 0.125, 0);
  CHECK_NEAR(search_output(&f.search, 1)[1], 0.5, 0);
  CHECK_NEAR(search_noise(&f.search, 1), 4 * 2.220446049250313e-16 * 3, 1e-30); /* of 1 and 2 */
  fixture_free(&f);
}

static sarrus_Expr fast(sarrus_Graph *g, sarrus_Expr q, int i) {
  (void)i;
  return unary(g, SARRUS_OP_SIN, scaled(g, 1e5, q));
}

static sarrus_Expr without_value(sarrus_Graph *g, sarrus_Expr q, int i) {
  (void)i;
  return unary(g, SARRUS_OP_LOG, sub(g, q, constant(g, 2)));
}

TEST(searches_that_end) {
  Fixture f;
  int output;
  sarrus_Status status;
  REQUIRE(fixture_new(&f, 1, 1, fast));
  for (Piece piece = search_begin(&f.search, 10);; search_next(&piece))
    if ((status = search_piece(&f.search, &piece, 10, &output)) < 0) {
      CHECK_INT(piece.count, SEARCH_MOST_PIECES);
      break;
    }
  CHECK_STATUS(status, SARRUS_LIMIT);
  CHECK_INT(output, 0);
  fixture_free(&f);
  REQUIRE(fixture_new(&f, 1, 1, without_value));
  Piece piece = search_begin(&f.search, 10);
  CHECK_STATUS(search_piece(&f.search, &piece, 10, &output), SARRUS_NONFINITE);
  fixture_free(&f);
}

static sarrus_Expr sine(sarrus_Graph *g, sarrus_Expr q, int i) {
  (void)i;
  return unary(g, SARRUS_OP_SIN, q);
}

/* A zero that is known roughly becomes exact; one outside of its bounds stays. */
TEST(polished_zeros) {
  const double pi = 3.14159265358979323846, unit = 0.25, t = (pi - 1) / unit;
  Fixture f;
  REQUIRE(fixture_new(&f, unit, 1, sine));
  CHECK_NEAR(search_polish(&f.search, 0, 0, t + 1e-6, 0, 20), t, 1e-14);
  CHECK_NEAR(search_polish(&f.search, 0, 0.5, (pi * 5 / 6 - 1) / unit - 1e-7, 0, 20),
             (pi * 5 / 6 - 1) / unit, 1e-14);
  CHECK_NEAR(search_polish(&f.search, 0, 0, t + 0.1, 0, 20), t + 0.1, 0); /* too far away */
  CHECK_NEAR(search_polish(&f.search, 0, 0, t + 1e-6, t + 5e-7, 20), t + 1e-6, 0);
  fixture_free(&f);
}

TEST(values_at_a_state) {
  Fixture f;
  const double q = 7;
  REQUIRE(fixture_new(&f, 1, 2, polynomial));
  CHECK_OK(search_at(&f.search, 0, &q, NULL, NULL, NULL));
  CHECK_NEAR(f.search.work->value[f.tape->output_value[0]], 343, 0);
  CHECK_NEAR(f.search.work->value[f.tape->output_value[1]], 5, 0);
  CHECK_NEAR(search_size((const double[]){-1, 2, -3}, 1, 2, -2), 16, 0);
  fixture_free(&f);
}

static sarrus_Expr corner(sarrus_Graph *g, sarrus_Expr q, int i) {
  (void)i;
  return unary(g, SARRUS_OP_ABS, sub(g, q, constant(g, 2.3)));
}

/*
** No series serves beyond a corner: pieces before it are halved until a billionth of the span is
** left, in which it lies; behind it they grow again, by two each.
*/
TEST(pieces_end_at_corners) {
  for (int backwards = 0; backwards < 2; backwards++) {
    Fixture f;
    int output = -1, seen = 0;
    const double unit = 0.5, h = backwards ? -4 : 4, whole = h / unit;
    const double at = (2.3 - 1) * (backwards ? -1 : 1) / unit;
    REQUIRE(fixture_new(&f, unit, 1, corner));
    if (backwards) f.c[1][0] = -unit; /* the same motion, towards earlier times */
    double shortest = 1, last = 0;
    for (Piece piece = search_begin(&f.search, h);; search_next(&piece)) {
      REQUIRE_OK(search_piece(&f.search, &piece, whole, &output));
      if (fabs(piece.begin) <= fabs(at) && fabs(at) < fabs(piece.begin + piece.h)) {
        seen++;
        CHECK(fabs(piece.h) <= 1e-9 * fabs(whole) && fabs(piece.h) > 0.4999e-9 * fabs(whole));
      }
      if (seen > 0 && fabs(piece.begin) > fabs(at) && piece.h != whole - piece.begin)
        CHECK_NEAR(fabs(piece.h), 2 * last, 0);
      shortest = fmin(shortest, fabs(piece.h));
      last = fabs(piece.h);
      if (piece.h == whole - piece.begin) break;
    }
    CHECK_INT(seen, 1);
    CHECK_INT(output, 0);
    CHECK(shortest > 0.4999e-9 * fabs(whole));
    fixture_free(&f);
  }
}

TEST(the_next_piece) {
  Piece piece = {.begin = 3, .h = 0.5, .count = 7};
  search_next(&piece);
  CHECK_NEAR(piece.begin, 3.5, 0);
  CHECK_NEAR(piece.h, 1, 0);
  CHECK_INT(piece.count, 8);
}

/* Of two outputs the second is the one whose series does not reach. */
static sarrus_Expr one_of_two(sarrus_Graph *g, sarrus_Expr q, int i) {
  return i == 0 ? q : near_miss(g, q, i);
}

TEST(the_output_that_does_not_serve) {
  Fixture f;
  int output = -1;
  REQUIRE(fixture_new(&f, 0.5, 2, one_of_two));
  Piece piece = search_begin(&f.search, 4);
  REQUIRE_OK(search_piece(&f.search, &piece, 8, &output));
  CHECK(piece.h < 8);
  CHECK_INT(output, 1);
  fixture_free(&f);
}

static sarrus_Expr squared(sarrus_Graph *g, sarrus_Expr q, int i) {
  (void)i;
  const sarrus_Expr x = sub(g, q, constant(g, 2));
  return mul(g, x, x);
}

/*
** At a double zero a step of Newton's method halves the distance: three of them leave an eighth.
** Steps of more than a millionth of the range are none that polish.
*/
TEST(polishing_ends) {
  Fixture f;
  const double unit = 0.5, zero = 1 / unit;
  REQUIRE(fixture_new(&f, unit, 1, squared));
  const double d = ldexp(1, -20), range = ldexp(1, 0);
  CHECK_NEAR(search_polish(&f.search, 0, 0, zero + d, zero - 0.5 * range, zero + 0.5 * range),
             zero + d / 8, 0);
  CHECK_NEAR(search_polish(&f.search, 0, 0, zero + 1.9e-6, zero - 0.5, zero + 0.5),
             zero + 1.9e-6 / 8, 1e-15);
  CHECK_NEAR(search_polish(&f.search, 0, 0, zero + 2.1e-6, zero - 0.5, zero + 0.5), zero + 2.1e-6,
             0);
  /* out of bounds on either side */
  CHECK_NEAR(search_polish(&f.search, 0, 0, zero + d, zero + 0.75 * d, zero + 2), zero + d, 0);
  CHECK_NEAR(search_polish(&f.search, 0, 0, zero - d, zero - 2, zero - 0.75 * d), zero - d, 0);
  CHECK_NEAR(search_polish(&f.search, 0, 0, zero, zero - 1, zero + 1), zero, 0);
  fixture_free(&f);
  REQUIRE(fixture_new(&f, unit, 1, without_value));
  CHECK_NEAR(search_polish(&f.search, 0, 0, 1, 0, 2), 1, 0); /* the logarithm of -1/2 */
  fixture_free(&f);
}

/* Sums of magnitudes: those of all coefficients, of some, of none; in either direction. */
TEST(sizes_of_series) {
  const double c[] = {-1, 2, -3, 4};
  CHECK_NEAR(search_size(c, 0, 3, 0.5), 1 + 1 + 0.75 + 0.5, 0);
  CHECK_NEAR(search_size(c, 2, 3, -0.5), 0.75 + 0.5, 0);
  CHECK_NEAR(search_size(c, 3, 3, 2), 32, 0);
  CHECK_NEAR(search_size(c, 0, 0, 2), 1, 0);
  CHECK_NEAR(search_size(c, 0, 3, 0), 1, 0);
}

static sarrus_Expr root_of_rest(sarrus_Graph *g, sarrus_Expr q, int i) {
  (void)i;
  return unary(g, SARRUS_OP_SQRT, sub(g, constant(g, 3), q));
}

/* Where an output has no value, its series have none either: pieces end before q = 3. */
TEST(pieces_end_where_values_do) {
  Fixture f;
  int output;
  REQUIRE(fixture_new(&f, 0.5, 1, root_of_rest));
  Piece piece = search_begin(&f.search, 4);
  for (int i = 0; i < 20; i++, search_next(&piece)) {
    REQUIRE_OK(search_piece(&f.search, &piece, 8, &output));
    CHECK(piece.begin + piece.h < 4);
  }
  CHECK(piece.begin > 3.9);
  fixture_free(&f);
}
