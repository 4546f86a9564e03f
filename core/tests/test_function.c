/* The functions of series against coefficients of high precision, and against each other. */
#include "functions.h"
#include "sarrus/series.h"
#include "series_reference.h"
#include "test.h"

enum { ORDER = REFERENCE_ORDER, SIZE = ORDER + 1 };

/* By its name in the references, whose atan2(u, x) has x = u - u_0 - 3/2. */
static sarrus_Status apply_named(const char *name, double *y, const double *u, int order) {
  double x[SIZE];
  int op = 0;
  if (strcmp(name, "pow") == 0) return sarrus_series_pow(y, u, -1.75, order);
  memcpy(x, u, sizeof x);
  x[0] = -1.5;
  while (op < SARRUS_OP_COUNT && strcmp(sarrus_op_name((sarrus_Op)op), name) != 0)
    op++;
  return apply_nested((sarrus_Op)op, y, u, x, order, 0);
}

static void argument(double *u, const Reference *r) {
  memset(u, 0, SIZE * sizeof *u);
  u[0] = r->point;
  u[1] = 1;
  if (r->curved) memcpy(u + 1, reference_curve, sizeof reference_curve);
}

/* A coefficient that happens to be small beside its neighbours has no digits of its own. */
static double size_at(const double *c, int k) {
  const double before = k > 0 ? fabs(c[k - 1]) : 0, after = k < ORDER ? fabs(c[k + 1]) : 0;
  return fmax(fabs(c[k]), 0.1 * sqrt(before * after));
}

TEST(high_precision) {
  for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
    const Reference *r = &references[i];
    double u[SIZE], y[SIZE];
    argument(u, r);
    CHECK_OK(apply_named(r->name, y, u, ORDER));
    int good = 1;
    for (int k = 0; k <= ORDER; k++)
      good &= CHECK_NEAR(y[k], r->c[k], 3e-14 * size_at(r->c, k));
    if (!good) printf("  that was %s at %g, curved %d\n", r->name, r->point, r->curved);
  }
}

TEST(every_function_has_digits) {
  for (int i = 0; i < SMOOTH_FUNCTIONS; i++) {
    const char *name = sarrus_op_name(smooth_functions[i]);
    size_t found = 0;
    while (found < sizeof references / sizeof *references &&
           strcmp(references[found].name, name) != 0)
      found++;
    CHECK_STR(found < sizeof references / sizeof *references ? name : "in no reference", name);
  }
}

/* To the last bit the same, whatever the order the series ends at. */
TEST(low_orders) {
  for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
    const char *name = references[i].name;
    double u[SIZE], y[SIZE], low[SIZE];
    argument(u, &references[i]);
    CHECK_OK(apply_named(name, y, u, ORDER));
    for (int order = 0; order <= 2; order++) {
      CHECK_OK(apply_named(name, low, u, order));
      CHECK(memcmp(low, y, (size_t)(order + 1) * sizeof *y) == 0);
    }
  }
}

static const double curve[SIZE] = {0.4, 0.5, -0.25, 0.125, 0.3, -0.1};

static void check_equal(const double *a, const double *b, double tolerance) {
  for (int k = 0; k <= ORDER; k++)
    CHECK_NEAR(a[k], b[k], tolerance * fmax(1, fabs(b[k])));
}

/* a^2 + sign b^2 = 1 */
static void check_unit(const double *a, const double *b, double sign) {
  double aa[SIZE], bb[SIZE];
  sarrus_series_mul(aa, a, a, ORDER);
  sarrus_series_mul(bb, b, b, ORDER);
  for (int k = 0; k <= ORDER; k++)
    CHECK_NEAR(aa[k] + sign * bb[k], k == 0, 1e-15);
}

TEST(squares_of_sine_and_cosine) {
  double s[SIZE], c[SIZE];
  CHECK_OK(apply_series(SARRUS_OP_SIN, s, curve, ORDER));
  CHECK_OK(apply_series(SARRUS_OP_COS, c, curve, ORDER));
  check_unit(s, c, 1);
  CHECK_OK(apply_series(SARRUS_OP_SINH, s, curve, ORDER));
  CHECK_OK(apply_series(SARRUS_OP_COSH, c, curve, ORDER));
  check_unit(c, s, -1);
}

TEST(tangents_are_quotients) {
  double s[SIZE], c[SIZE], quotient[SIZE], y[SIZE];
  CHECK_OK(apply_series(SARRUS_OP_SIN, s, curve, ORDER));
  CHECK_OK(apply_series(SARRUS_OP_COS, c, curve, ORDER));
  CHECK_OK(sarrus_series_div(quotient, s, c, ORDER));
  CHECK_OK(apply_series(SARRUS_OP_TAN, y, curve, ORDER));
  check_equal(y, quotient, 1e-14);
  CHECK_OK(apply_series(SARRUS_OP_SINH, s, curve, ORDER));
  CHECK_OK(apply_series(SARRUS_OP_COSH, c, curve, ORDER));
  CHECK_OK(sarrus_series_div(quotient, s, c, ORDER));
  CHECK_OK(apply_series(SARRUS_OP_TANH, y, curve, ORDER));
  check_equal(y, quotient, 1e-14);
}

TEST(inverses) {
  static const struct {
    sarrus_Op outer, inner;
  } pairs[] = {
      {SARRUS_OP_EXP, SARRUS_OP_LOG},  {SARRUS_OP_LOG, SARRUS_OP_EXP},
      {SARRUS_OP_SIN, SARRUS_OP_ASIN}, {SARRUS_OP_ASIN, SARRUS_OP_SIN},
      {SARRUS_OP_COS, SARRUS_OP_ACOS}, {SARRUS_OP_ACOS, SARRUS_OP_COS},
      {SARRUS_OP_TAN, SARRUS_OP_ATAN}, {SARRUS_OP_ATAN, SARRUS_OP_TAN},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    double y[SIZE], z[SIZE];
    CHECK_OK(apply_series(pairs[i].inner, y, curve, ORDER));
    CHECK_OK(apply_series(pairs[i].outer, z, y, ORDER));
    for (int k = 0; k <= ORDER; k++) /* rounding grows with the series between, like 1.6^k */
      CHECK_NEAR(z[k], curve[k], 1e-15 * pow(1.6, k));
  }
}

/* atan2(r sin u, r cos u) = u in every quadrant, up to the turn */
TEST(angle_of_a_circle) {
  const double turn = 2 * acos(-1);
  for (int i = -3; i <= 3; i++) {
    double u[SIZE], s[SIZE], c[SIZE], z[SIZE];
    memcpy(u, curve, sizeof u);
    u[0] = i;
    CHECK_OK(apply_series(SARRUS_OP_SIN, s, u, ORDER));
    CHECK_OK(apply_series(SARRUS_OP_COS, c, u, ORDER));
    CHECK_OK(apply_nested(SARRUS_OP_ATAN2, z, s, c, ORDER, 0));
    z[0] += turn * round((u[0] - z[0]) / turn);
    check_equal(z, u, 1e-14);
  }
}

TEST(outside_the_domain) {
  double u[SIZE] = {0}, y[SIZE];
  u[1] = 1;
  CHECK_STATUS(apply_series(SARRUS_OP_LOG, y, u, ORDER), SARRUS_NONFINITE);
  CHECK_STATUS(apply_nested(SARRUS_OP_ATAN2, y, u, u, ORDER, 0), SARRUS_NONFINITE);
  u[0] = -1;
  CHECK_STATUS(apply_series(SARRUS_OP_LOG, y, u, ORDER), SARRUS_NONFINITE);
  CHECK_STATUS(apply_series(SARRUS_OP_ASIN, y, u, ORDER), SARRUS_NONFINITE);
  CHECK_STATUS(apply_series(SARRUS_OP_ACOS, y, u, 0), SARRUS_NONFINITE);
  u[0] = 2;
  CHECK_STATUS(apply_series(SARRUS_OP_ASIN, y, u, ORDER), SARRUS_NONFINITE);
  u[0] = 1000;
  CHECK_STATUS(apply_series(SARRUS_OP_EXP, y, u, ORDER), SARRUS_NONFINITE);
  CHECK_STATUS(apply_series(SARRUS_OP_COSH, y, u, ORDER), SARRUS_NONFINITE);
  CHECK_OK(apply_series(SARRUS_OP_TANH, y, u, ORDER));
  CHECK(y[0] == 1 && y[1] == 0);
}

TEST(square_of_a_root) {
  double u[SIZE], y[SIZE], z[SIZE];
  memcpy(u, curve, sizeof u);
  u[0] = 2;
  CHECK_OK(apply_series(SARRUS_OP_SQRT, y, u, ORDER));
  CHECK_OK(sarrus_series_mul(z, y, y, ORDER));
  check_equal(z, u, 1e-15);
}

TEST(roots_at_zero) {
  const double zero[] = {0, 0, 0}, rising[] = {0, 1, 0}, negative[] = {-1, 0, 0};
  double y[3] = {7, 7, 7};
  CHECK_OK(apply_series(SARRUS_OP_SQRT, y, zero, 2));
  CHECK(y[0] == 0 && y[1] == 0 && y[2] == 0);
  CHECK_STATUS(apply_series(SARRUS_OP_SQRT, y, rising, 2), SARRUS_NONFINITE);
  CHECK_STATUS(apply_series(SARRUS_OP_SQRT, y, negative, 2), SARRUS_NONFINITE);
}

/* On the cut of atan2 the series goes to one side of it, in each of the two variables. */
TEST(sides_of_the_cut) {
  const double x[] = {-1, 0, 0, 0}, up[] = {0, 1, -1, 0}, down[] = {0, 0, -1, 0};
  double z[4];
  for (int inner = 0; inner <= 1; inner++) {
    const int order = inner == 0 ? 3 : 1;
    CHECK_OK(apply_nested(SARRUS_OP_ATAN2, z, up, x, order, inner));
    CHECK_NEAR(z[0], acos(-1), 1e-15);
    CHECK_OK(apply_nested(SARRUS_OP_ATAN2, z, down, x, order, inner));
    CHECK_NEAR(z[0], -acos(-1), 1e-15);
  }
}

/* f(a(s + t)) as a series in s of series in t: coefficient (i, j) is binomial(i + j, i) f_{i+j}. */
TEST(series_of_series) {
  enum { OUTER = 7, INNER = 9, BOTH = (OUTER + 1) * (INNER + 1) };
  for (size_t r = 0; r < sizeof references / sizeof *references; r++) {
    double u[SIZE], f[SIZE], nested[BOTH], x[BOTH], y[BOTH];
    if (references[r].curved || strcmp(references[r].name, "pow") == 0) continue;
    argument(u, &references[r]);
    CHECK_OK(apply_named(references[r].name, f, u, ORDER));
    memset(nested, 0, sizeof nested);
    nested[0] = u[0];
    nested[1] = nested[INNER + 1] = 1;
    memcpy(x, nested, sizeof x);
    x[0] = -1.5;
    int op = 0;
    while (strcmp(sarrus_op_name((sarrus_Op)op), references[r].name) != 0)
      op++;
    CHECK_OK(apply_nested((sarrus_Op)op, y, nested, x, OUTER, INNER));
    for (int i = 0; i <= OUTER; i++)
      for (int j = 0; j <= INNER; j++) {
        const double ways = round(exp(lgamma(i + j + 1) - lgamma(i + 1) - lgamma(j + 1)));
        CHECK_NEAR(y[i * (INNER + 1) + j], ways * f[i + j], 1e-12 * ways * size_at(f, i + j));
      }
  }
}

TEST(what_is_no_function_of_series) {
  sarrus_Function *f;
  const sarrus_Op none[] = {SARRUS_OP_SYMBOL, SARRUS_OP_TABLE, SARRUS_OP_ABS, SARRUS_OP_COUNT};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    CHECK_STATUS(sarrus_function_new(sarrus_memory_default(), none[i], &f), SARRUS_ARGUMENT);
    CHECK(f == NULL);
  }
  sarrus_function_free(NULL);
}

TEST(orders_out_of_range) {
  double number = 1;
  const double *u[] = {&number};
  sarrus_Function *f;
  REQUIRE_OK(sarrus_function_new(sarrus_memory_default(), SARRUS_OP_EXP, &f));
  CHECK_STATUS(sarrus_function_run(f, u, -1, 0, &number, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_function_run(f, u, 0, -1, &number, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_function_run(f, u, 1 << 20, 1 << 20, &number, NULL), SARRUS_LIMIT);
  sarrus_function_free(f);
}

TEST(without_memory) {
  TestMemory m;
  for (long n = 1;; n++) {
    sarrus_Function *f;
    const sarrus_Status status =
        sarrus_function_new(test_memory_failing(&m, n), SARRUS_OP_ASIN, &f);
    sarrus_function_free(f);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) break;
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
}
