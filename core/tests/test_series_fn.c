/* The functions of series against coefficients of high precision, and against each other. */
#include "sarrus/series.h"
#include "series_reference.h"
#include "test.h"

enum { ORDER = REFERENCE_ORDER, SIZE = ORDER + 1 };

typedef sarrus_Status (*Function)(double *y, const double *u, int order, double *work);

static sarrus_Status exp_(double *y, const double *u, int order, double *work) {
  (void)work;
  return sarrus_series_exp(y, u, order);
}

static sarrus_Status log_(double *y, const double *u, int order, double *work) {
  (void)work;
  return sarrus_series_log(y, u, order);
}

static sarrus_Status sqrt_(double *y, const double *u, int order, double *work) {
  (void)work;
  return sarrus_series_sqrt(y, u, order);
}

static sarrus_Status pow_(double *y, const double *u, int order, double *work) {
  (void)work;
  return sarrus_series_pow(y, u, -1.75, order);
}

/* atan2(u, x) with x = u - u_0 - 3/2 */
static sarrus_Status atan2_(double *y, const double *u, int order, double *work) {
  double x[SIZE];
  memcpy(x, u, sizeof x);
  x[0] = -1.5;
  return sarrus_series_atan2(y, u, x, order, work);
}

static const struct {
  const char *name;
  Function function;
} functions[] = {
    {"exp", exp_},
    {"log", log_},
    {"sqrt", sqrt_},
    {"pow", pow_},
    {"atan2", atan2_},
    {"sin", sarrus_series_sin},
    {"cos", sarrus_series_cos},
    {"tan", sarrus_series_tan},
    {"asin", sarrus_series_asin},
    {"acos", sarrus_series_acos},
    {"atan", sarrus_series_atan},
    {"sinh", sarrus_series_sinh},
    {"cosh", sarrus_series_cosh},
    {"tanh", sarrus_series_tanh},
};

static Function function_named(const char *name) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0) return functions[i].function;
  return NULL;
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
    double u[SIZE], y[SIZE], work[SIZE];
    argument(u, r);
    CHECK_OK(function_named(r->name)(y, u, ORDER, work));
    int good = 1;
    for (int k = 0; k <= ORDER; k++)
      good &= CHECK_NEAR(y[k], r->c[k], 1e-13 * size_at(r->c, k));
    if (!good) printf("  that was %s at %g, curved %d\n", r->name, r->point, r->curved);
  }
}

/* Kernels and whole series agree to the last bit, whatever the order the series ends at. */
TEST(low_orders) {
  for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
    const Function function = function_named(references[i].name);
    double u[SIZE], y[SIZE], low[SIZE], work[SIZE];
    argument(u, &references[i]);
    CHECK_OK(function(y, u, ORDER, work));
    for (int order = 0; order <= 2; order++) {
      CHECK_OK(function(low, u, order, work));
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
  double s[SIZE], c[SIZE], work[SIZE];
  CHECK_OK(sarrus_series_sin(s, curve, ORDER, work));
  CHECK_OK(sarrus_series_cos(c, curve, ORDER, work));
  check_unit(s, c, 1);
  CHECK_OK(sarrus_series_sinh(s, curve, ORDER, work));
  CHECK_OK(sarrus_series_cosh(c, curve, ORDER, work));
  check_unit(c, s, -1);
}

TEST(tangents_are_quotients) {
  double s[SIZE], c[SIZE], quotient[SIZE], y[SIZE], work[SIZE];
  CHECK_OK(sarrus_series_sin(s, curve, ORDER, work));
  CHECK_OK(sarrus_series_cos(c, curve, ORDER, work));
  CHECK_OK(sarrus_series_div(quotient, s, c, ORDER));
  CHECK_OK(sarrus_series_tan(y, curve, ORDER, work));
  check_equal(y, quotient, 1e-14);
  CHECK_OK(sarrus_series_sinh(s, curve, ORDER, work));
  CHECK_OK(sarrus_series_cosh(c, curve, ORDER, work));
  CHECK_OK(sarrus_series_div(quotient, s, c, ORDER));
  CHECK_OK(sarrus_series_tanh(y, curve, ORDER, work));
  check_equal(y, quotient, 1e-14);
}

TEST(inverses) {
  static const struct {
    Function outer, inner;
  } pairs[] = {
      {exp_, log_},
      {log_, exp_},
      {sarrus_series_sin, sarrus_series_asin},
      {sarrus_series_asin, sarrus_series_sin},
      {sarrus_series_cos, sarrus_series_acos},
      {sarrus_series_acos, sarrus_series_cos},
      {sarrus_series_tan, sarrus_series_atan},
      {sarrus_series_atan, sarrus_series_tan},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    double y[SIZE], z[SIZE], work[SIZE];
    CHECK_OK(pairs[i].inner(y, curve, ORDER, work));
    CHECK_OK(pairs[i].outer(z, y, ORDER, work));
    for (int k = 0; k <= ORDER; k++) /* rounding grows with the series between, like 1.6^k */
      CHECK_NEAR(z[k], curve[k], 1e-15 * pow(1.6, k));
  }
}

/* atan2(r sin u, r cos u) = u in every quadrant, up to the turn */
TEST(angle_of_a_circle) {
  const double turn = 2 * acos(-1);
  for (int i = -3; i <= 3; i++) {
    double u[SIZE], s[SIZE], c[SIZE], z[SIZE], work[SIZE];
    memcpy(u, curve, sizeof u);
    u[0] = i;
    CHECK_OK(sarrus_series_sin(s, u, ORDER, work));
    CHECK_OK(sarrus_series_cos(c, u, ORDER, work));
    CHECK_OK(sarrus_series_atan2(z, s, c, ORDER, work));
    z[0] += turn * round((u[0] - z[0]) / turn);
    check_equal(z, u, 1e-14);
  }
}

TEST(outside_the_domain) {
  double u[SIZE] = {0}, y[SIZE], work[SIZE];
  u[1] = 1;
  CHECK_STATUS(sarrus_series_log(y, u, ORDER), SARRUS_NONFINITE);
  CHECK_STATUS(sarrus_series_atan2(y, u, u, ORDER, work), SARRUS_NONFINITE);
  u[0] = -1;
  CHECK_STATUS(sarrus_series_log(y, u, ORDER), SARRUS_NONFINITE);
  CHECK_STATUS(sarrus_series_asin(y, u, ORDER, work), SARRUS_NONFINITE);
  CHECK_STATUS(sarrus_series_acos(y, u, 0, work), SARRUS_NONFINITE);
  u[0] = 2;
  CHECK_STATUS(sarrus_series_asin(y, u, ORDER, work), SARRUS_NONFINITE);
  u[0] = 1000;
  CHECK_STATUS(sarrus_series_exp(y, u, ORDER), SARRUS_NONFINITE);
  CHECK_STATUS(sarrus_series_cosh(y, u, ORDER, work), SARRUS_NONFINITE);
  CHECK_OK(sarrus_series_tanh(y, u, ORDER, work));
  CHECK(y[0] == 1 && y[1] == 0);
}
