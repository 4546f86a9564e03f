/* Tables: a monotone, smooth curve through the data, straight outside of it. */
#include "expressions.h"

enum { COUNT = 7 };
static const double knots[COUNT] = {-2, -1, 0, 0.5, 2, 3, 7};
static const double data[COUNT] = {5, 3, 3, 4, 9, 2, 1};

/* The value of the table's derivative at u, through the graph. */
static double at(sarrus_Graph *g, int table, int derivative, double u) {
  double value = (double)NAN;
  sarrus_graph_is_constant(g, sarrus_graph_table(g, table, derivative, constant(g, u)), &value);
  return value;
}

#define WITH_TABLE                                                 \
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());     \
  REQUIRE(g != NULL);                                              \
  const int table = sarrus_graph_new_table(g, COUNT, knots, data); \
  REQUIRE(table != SARRUS_NONE)

TEST(data_is_met) {
  WITH_TABLE;
  for (int i = 0; i < COUNT; i++)
    CHECK_NEAR(at(g, table, 0, knots[i]), data[i], 0);
  sarrus_graph_free(g);
}

/* Value and slope are continuous at the knots; the curvature need not be. */
TEST(value_and_slope_are_continuous) {
  WITH_TABLE;
  for (int i = 0; i < COUNT; i++) {
    const double below = nextafter(knots[i], -HUGE_VAL);
    CHECK_NEAR(at(g, table, 0, below), data[i], 1e-14);
    CHECK_NEAR(at(g, table, 1, below), at(g, table, 1, knots[i]), 1e-13);
  }
  sarrus_graph_free(g);
}

/* Between knots the curve rises where the data rises, and never leaves its range. */
TEST(curve_is_monotone_between_knots) {
  WITH_TABLE;
  for (int i = 0; i + 1 < COUNT; i++) {
    const double direction = data[i + 1] - data[i];
    for (int j = 0; j <= 100; j++) {
      const double u = knots[i] + (knots[i + 1] - knots[i]) * j / 100;
      CHECK(at(g, table, 1, u) * direction >= -1e-13);
      CHECK(at(g, table, 0, u) <= fmax(data[i], data[i + 1]) + 1e-13);
      CHECK(at(g, table, 0, u) >= fmin(data[i], data[i + 1]) - 1e-13);
    }
  }
  CHECK_NEAR(at(g, table, 0, -0.5), 3, 0); /* flat data stays flat */
  CHECK(at(g, table, 1, 2) == 0);          /* a peak is a peak of the curve */
  sarrus_graph_free(g);
}

TEST(derivatives_belong_to_the_curve) {
  WITH_TABLE;
  for (double u = -3.05; u < 8; u += 0.1) {
    const double h = 1e-4;
    for (int derivative = 0; derivative < 3; derivative++) {
      const double below = at(g, table, derivative, u - h), above = at(g, table, derivative, u + h);
      CHECK_NEAR(at(g, table, derivative + 1, u), (above - below) / (2 * h), 2e-6);
    }
  }
  CHECK_NEAR(at(g, table, 4, 1), 0, 0);
  sarrus_graph_free(g);
}

TEST(ends_continue_straight) {
  WITH_TABLE;
  const double left = at(g, table, 1, knots[0]), right = at(g, table, 1, knots[COUNT - 1]);
  CHECK(left != 0 && right != 0);
  CHECK_NEAR(at(g, table, 0, knots[0] - 10), data[0] - 10 * left, 1e-13);
  CHECK_NEAR(at(g, table, 0, knots[COUNT - 1] + 10), data[COUNT - 1] + 10 * right, 1e-13);
  CHECK_NEAR(at(g, table, 1, -1e6), left, 0);
  CHECK_NEAR(at(g, table, 2, 1e6), 0, 0);
  sarrus_graph_free(g);
}

/*
** Fritsch and Carlson: at an inner knot the mean of the secants, harmonic and weighted by widths.
*/
TEST(slopes_at_the_knots) {
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(g != NULL);
  const double x[] = {0, 1, 3},
               y[] = {0, 1, 2}; /* secants 1 and 1/2, weights 2*2 + 1 and 2 + 2*1 */
  const int table = sarrus_graph_new_table(g, 3, x, y);
  CHECK_NEAR(at(g, table, 1, 0), 1, 1e-15);
  CHECK_NEAR(at(g, table, 1, 1), 9 / (5 / 1.0 + 4 / 0.5), 1e-15);
  CHECK_NEAR(at(g, table, 1, 3), 0.5, 1e-15);
  sarrus_graph_free(g);
}

/* Straight data, on knots that are not even, gives a straight line. */
TEST(straight_data_gives_a_line) {
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(g != NULL);
  double line[COUNT];
  for (int i = 0; i < COUNT; i++)
    line[i] = 2 * knots[i] - 1;
  const int table = sarrus_graph_new_table(g, COUNT, knots, line);
  for (double u = -5; u < 10; u += 0.37) {
    CHECK_NEAR(at(g, table, 0, u), 2 * u - 1, 1e-13);
    CHECK_NEAR(at(g, table, 1, u), 2, 1e-13);
  }
  const int two = sarrus_graph_new_table(g, 2, knots, line); /* the shortest table */
  CHECK_NEAR(at(g, two, 0, 100), 199, 1e-12);
  sarrus_graph_free(g);
}

TEST(equal_tables_are_one) {
  WITH_TABLE;
  CHECK_INT(sarrus_graph_new_table(g, COUNT, knots, data), table);
  const int other = sarrus_graph_new_table(g, COUNT - 1, knots, data);
  CHECK(other != table);
  CHECK_INT(sarrus_graph_new_table(g, COUNT - 1, knots, data), other);
  const sarrus_Expr x = variable(g, 0);
  CHECK_INT(sarrus_graph_table(g, table, 0, x), sarrus_graph_table(g, table, 0, x));
  CHECK(sarrus_graph_table(g, table, 0, x) != sarrus_graph_table(g, other, 0, x));
  CHECK(sarrus_graph_table(g, table, 0, x) != sarrus_graph_table(g, table, 1, x));
  CHECK_INT(sarrus_graph_table(g, SARRUS_NONE, 0, x), SARRUS_NONE);
  sarrus_graph_free(g);
}

TEST(outside_is_not_a_number_only_for_nan) {
  WITH_TABLE;
  const Table *t = &g->tables[table];
  CHECK(isnan(table_value(t, table_piece(t, (double)NAN), 0, (double)NAN)));
  CHECK_INT(table_piece(t, -HUGE_VAL), 0);
  CHECK_INT(table_piece(t, HUGE_VAL), COUNT);
  CHECK_INT(table_piece(t, -2), 1);
  CHECK_INT(table_piece(t, 7), COUNT);
  sarrus_graph_free(g);
}
