/* Arithmetic of power series, coefficient by coefficient, and their text. */
#include "sarrus/series.h"

#include <math.h>
#include <string.h>

#include "sarrus/number.h"

/*
** Products and quotients
*/

/* y = a b:  y_k = sum_{j=0..k} a_j b_{k-j} */
void sarrus_series_mul_k(double *y, const double *a, const double *b, int k) {
  double sum = 0;
  for (int j = 0; j <= k; j++)
    sum += a[j] * b[k - j];
  y[k] = sum;
}

/* y = u^2:  y_k = 2 sum_{j < k/2} u_j u_{k-j}  (+ u_{k/2}^2 for even k) */
void sarrus_series_square_k(double *y, const double *u, int k) {
  double sum = 0;
  for (int j = 0; 2 * j < k; j++)
    sum += u[j] * u[k - j];
  sum *= 2;
  if (k % 2 == 0) sum += u[k / 2] * u[k / 2];
  y[k] = sum;
}

/* y = a/b.  From y b = a:  b_0 y_k = a_k - sum_{j=1..k} b_j y_{k-j} */
void sarrus_series_div_k(double *y, const double *a, const double *b, int k) {
  double sum = a[k];
  for (int j = 1; j <= k; j++)
    sum -= b[j] * y[k - j];
  y[k] = sum / b[0];
}

/*
** y = u^r.  From u y' = r u' y:
**   k u_0 y_k = sum_{j=1..k} (r j - (k - j)) u_j y_{k-j}
** With u_0 = 0 only the zero series has a power (r > 0).
*/
void sarrus_series_pow_k(double *y, const double *u, double r, int k) {
  if (k == 0) {
    y[0] = pow(u[0], r);
  } else if (u[0] == 0) {
    y[k] = u[k] == 0 ? 0 : (double)NAN;
  } else {
    double sum = 0;
    for (int j = 1; j <= k; j++)
      sum += (r * j - (k - j)) * u[j] * y[k - j];
    y[k] = sum / (k * u[0]);
  }
}

/*
** Integer powers by squaring: for each bit of |n| below the highest one, from high to low, square,
** and multiply by u if the bit is set.  Each product is a series of its own, so that coefficient k
** of each follows from lower coefficients.
*/

static unsigned magnitude(int n) { return n < 0 ? 0u - (unsigned)n : (unsigned)n; }

static unsigned highest_bit(unsigned n) {
  unsigned bit = 1;
  while (n >>= 1)
    bit <<= 1;
  return bit;
}

/* How many series of workspace: one for each product except the last; for n < 0 for that, too. */
int sarrus_series_integer_power_work(int n) {
  const unsigned size = magnitude(n);
  int products = 0;
  for (unsigned bit = highest_bit(size) >> 1; bit > 0; bit >>= 1)
    products += size & bit ? 2 : 1;
  if (n < 0) return products;
  return products > 0 ? products - 1 : 0;
}

/* y_k = (u^n)_k for n > 1 */
static void power_k(double *y, const double *u, unsigned n, int k, double *work, int stride) {
  const double *power = u;
  for (unsigned bit = highest_bit(n) >> 1; bit > 0; bit >>= 1) {
    const int last_square = bit == 1 && !(n & 1);
    double *square = last_square ? y : work;
    sarrus_series_square_k(square, power, k);
    power = square;
    work += stride;
    if (n & bit) {
      double *product = bit == 1 ? y : work;
      sarrus_series_mul_k(product, power, u, k);
      power = product;
      work += stride;
    }
  }
}

/* y = 1/u:  u_0 y_k = [k = 0] - sum_{j=1..k} u_j y_{k-j} */
static void reciprocal_k(double *y, const double *u, int k) {
  double sum = k == 0;
  for (int j = 1; j <= k; j++)
    sum -= u[j] * y[k - j];
  y[k] = sum / u[0];
}

void sarrus_series_integer_power_k(double *y, const double *u, int n, int k, double *work,
                                   int stride) {
  if (n == 0) {
    y[k] = k == 0;
  } else if (n == 1) {
    y[k] = u[k];
  } else if (n == -1) {
    reciprocal_k(y, u, k);
  } else if (n > 0) {
    power_k(y, u, magnitude(n), k, work, stride);
  } else {
    double *power = work + (sarrus_series_integer_power_work(n) - 1) * (ptrdiff_t)stride;
    power_k(power, u, magnitude(n), k, work, stride);
    reciprocal_k(y, power, k);
  }
}

/*
** Whole series
*/

int sarrus_series_is_finite(const double *s, int order) {
  for (int k = 0; k <= order; k++)
    if (!isfinite(s[k])) return 0;
  return 1;
}

static sarrus_Status require_finite(const double *y, int order) {
  if (order < 0) return SARRUS_ARGUMENT;
  return sarrus_series_is_finite(y, order) ? SARRUS_OK : SARRUS_NONFINITE;
}

sarrus_Status sarrus_series_mul(double *y, const double *a, const double *b, int order) {
  for (int k = 0; k <= order; k++)
    sarrus_series_mul_k(y, a, b, k);
  return require_finite(y, order);
}

sarrus_Status sarrus_series_div(double *y, const double *a, const double *b, int order) {
  if (order >= 0 && b[0] == 0) return SARRUS_NONFINITE;
  for (int k = 0; k <= order; k++)
    sarrus_series_div_k(y, a, b, k);
  return require_finite(y, order);
}

sarrus_Status sarrus_series_pow(double *y, const double *u, double r, int order) {
  for (int k = 0; k <= order; k++)
    sarrus_series_pow_k(y, u, r, k);
  return require_finite(y, order);
}

sarrus_Status sarrus_series_integer_power(double *y, const double *u, int n, int order,
                                          double *work) {
  if (order >= 0 && n < 0 && u[0] == 0) return SARRUS_NONFINITE;
  for (int k = 0; k <= order; k++)
    sarrus_series_integer_power_k(y, u, n, k, work, order + 1);
  return require_finite(y, order);
}

int sarrus_series_sign(const double *u, int order) {
  for (int k = 0; k <= order; k++)
    if (u[k] != 0) return u[k] > 0 ? 1 : -1;
  return 0;
}

int sarrus_series_compare(const double *a, const double *b, int order) {
  for (int k = 0; k <= order; k++)
    if (a[k] != b[k]) return a[k] > b[k] ? 1 : -1;
  return 0;
}

/* Horner: y <- y u + s_k.  The product works in place from the highest coefficient down. */
sarrus_Status sarrus_series_compose(double *y, const double *s, int s_order, const double *u,
                                    int order) {
  if (s_order < 0 || order < 0) return SARRUS_ARGUMENT;
  const int top = u[0] == 0 && s_order > order ? order : s_order;
  memset(y, 0, (size_t)(order + 1) * sizeof *y);
  for (int k = top; k >= 0; k--) {
    for (int i = order - (u[0] == 0 ? k : 0); i >= 0; i--)
      sarrus_series_mul_k(y, y, u, i);
    y[0] += s[k];
  }
  return require_finite(y, order);
}

void sarrus_series_derivative(double *y, const double *s, int order) {
  for (int k = 0; k < order; k++)
    y[k] = (k + 1) * s[k + 1];
}

void sarrus_series_integral(double *y, const double *s, int order, double constant) {
  y[0] = constant;
  for (int k = 0; k <= order; k++)
    y[k + 1] = s[k] / (k + 1);
}

double sarrus_series_eval(const double *s, int order, double t) {
  double value = order < 0 ? 0 : s[order];
  for (int k = order - 1; k >= 0; k--)
    value = value * t + s[k];
  return value;
}

double sarrus_series_eval_slope(const double *s, int order, double t, double *slope) {
  double value = order < 0 ? 0 : s[order], rise = 0;
  for (int k = order - 1; k >= 0; k--) {
    rise = rise * t + value;
    value = value * t + s[k];
  }
  *slope = rise;
  return value;
}

/*
** Text
*/

typedef struct Writer {
  char *text;
  size_t size, length; /* length of the whole text, written or not */
} Writer;

static void put(Writer *w, const char *piece) {
  const size_t count = strlen(piece);
  if (w->length < w->size) {
    const size_t room = w->size - w->length - 1;
    const size_t part = count < room ? count : room;
    memcpy(w->text + w->length, piece, part);
    w->text[w->length + part] = '\0';
  }
  w->length += count;
}

/* t^k, nothing for k = 0 */
static void put_power(Writer *w, const char *variable, int k) {
  char exponent[SARRUS_NUMBER_SIZE];
  if (k == 0) return;
  put(w, variable);
  if (k == 1) return;
  sarrus_number_print(k, exponent, sizeof exponent);
  put(w, "^");
  put(w, exponent);
}

static void put_term(Writer *w, double c, const char *variable, int k) {
  char number[SARRUS_NUMBER_SIZE];
  sarrus_number_print_fraction(fabs(c), number, sizeof number);
  const int first = w->length == 0;
  const int unit = k > 0 && strcmp(number, "1") == 0;
  if (c < 0) {
    put(w, first ? "-" : " - ");
  } else {
    put(w, first ? "" : " + ");
  }
  if (!unit) put(w, number);
  if (!unit && k > 0) put(w, " ");
  put_power(w, variable, k);
}

static Writer put_terms(const double *c, int order, const char *variable, char *text, size_t size) {
  Writer w = {text, size, 0};
  put(&w, "");
  for (int k = 0; k <= order; k++)
    if (c[k] != 0) put_term(&w, c[k], variable, k);
  return w;
}

size_t sarrus_polynomial_print(const double *c, int degree, const char *variable, char *text,
                               size_t size) {
  Writer w = put_terms(c, degree, variable, text, size);
  if (w.length == 0) put(&w, "0");
  return w.length;
}

size_t sarrus_series_print(const double *c, int order, const char *variable, char *text,
                           size_t size) {
  Writer w = put_terms(c, order, variable, text, size);
  put(&w, w.length == 0 ? "O(" : " + O(");
  put_power(&w, variable, order + 1);
  put(&w, ")");
  return w.length;
}
