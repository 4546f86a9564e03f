/*
** Elementary functions of series.  Each follows from its differential equation, read coefficient
** by coefficient; the sums that occur are
**   moment(a, b, k)  = sum_{j=1..k}   j a_j b_{k-j}    (coefficient k - 1 of a' b)
**   partial(a, b, k) = sum_{j=1..k-1} j a_j b_{k-j}    (the same without a_k, still unknown)
*/
#include <math.h>

#include "sarrus/series.h"

static double partial(const double *a, const double *b, int k) {
  double sum = 0;
  for (int j = 1; j < k; j++)
    sum += j * a[j] * b[k - j];
  return sum;
}

static double moment(const double *a, const double *b, int k) {
  return partial(a, b, k) + k * a[k] * b[0];
}

/* y = exp u.  From y' = y u':  k y_k = sum_{j=1..k} j u_j y_{k-j} */
void sarrus_series_exp_k(double *y, const double *u, int k) {
  y[k] = k == 0 ? exp(u[0]) : moment(u, y, k) / k;
}

/* y = log u.  From u y' = u':  u_0 y_k = u_k - (1/k) sum_{j=1..k-1} j y_j u_{k-j} */
void sarrus_series_log_k(double *y, const double *u, int k) {
  y[k] = k == 0 ? log(u[0]) : (u[k] - partial(y, u, k) / k) / u[0];
}

/*
** s = sin u, c = cos u.  From s' = c u' and c' = -s u':
**   k s_k =  sum_{j=1..k} j u_j c_{k-j}
**   k c_k = -sum_{j=1..k} j u_j s_{k-j}
*/
void sarrus_series_sincos_k(double *s, double *c, const double *u, int k) {
  s[k] = k == 0 ? sin(u[0]) : moment(u, c, k) / k;
  c[k] = k == 0 ? cos(u[0]) : -moment(u, s, k) / k;
}

/*
** s = sinh u, c = cosh u.  From s' = c u' and c' = s u':
**   k s_k = sum_{j=1..k} j u_j c_{k-j}
**   k c_k = sum_{j=1..k} j u_j s_{k-j}
*/
void sarrus_series_sinhcosh_k(double *s, double *c, const double *u, int k) {
  s[k] = k == 0 ? sinh(u[0]) : moment(u, c, k) / k;
  c[k] = k == 0 ? cosh(u[0]) : moment(u, s, k) / k;
}

/*
** y = tan u, w = 1 + y^2.  From y' = w u':
**   k y_k = sum_{j=1..k} j u_j w_{k-j},   then w_k from y_0..y_k
*/
void sarrus_series_tan_k(double *y, double *w, const double *u, int k) {
  y[k] = k == 0 ? tan(u[0]) : moment(u, w, k) / k;
  sarrus_series_square_k(w, y, k);
  if (k == 0) w[0] += 1;
}

/*
** y = tanh u, w = 1 - y^2.  From y' = w u':
**   k y_k = sum_{j=1..k} j u_j w_{k-j},   then w_k from y_0..y_k
** w_0 = 1/cosh^2 u_0 does not cancel where y_0 is near 1.
*/
void sarrus_series_tanh_k(double *y, double *w, const double *u, int k) {
  if (k == 0) {
    const double r = 1 / cosh(u[0]);
    y[0] = tanh(u[0]);
    w[0] = r * r;
    return;
  }
  y[k] = moment(u, w, k) / k;
  sarrus_series_square_k(w, y, k);
  w[k] = -w[k];
}

/*
** y = asin u, w = cos y = sqrt(1 - u^2).  From w y' = u' and w' = -u y':
**   w_0 y_k = u_k - (1/k) sum_{j=1..k-1} j y_j w_{k-j}
**   k w_k   = -sum_{j=1..k} j y_j u_{k-j}
*/
void sarrus_series_asin_k(double *y, double *w, const double *u, int k) {
  if (k == 0) {
    y[0] = asin(u[0]);
    w[0] = sqrt((1 - u[0]) * (1 + u[0]));
    return;
  }
  y[k] = (u[k] - partial(y, w, k) / k) / w[0];
  w[k] = -moment(y, u, k) / k;
}

/*
** y = acos u, w = sin y = sqrt(1 - u^2).  From -w y' = u' and w' = u y':
**   -w_0 y_k = u_k + (1/k) sum_{j=1..k-1} j y_j w_{k-j}
**   k w_k    = sum_{j=1..k} j y_j u_{k-j}
*/
void sarrus_series_acos_k(double *y, double *w, const double *u, int k) {
  if (k == 0) {
    y[0] = acos(u[0]);
    w[0] = sqrt((1 - u[0]) * (1 + u[0]));
    return;
  }
  y[k] = -(u[k] + partial(y, w, k) / k) / w[0];
  w[k] = moment(y, u, k) / k;
}

/*
** y = atan u, w = 1 + u^2.  From w y' = u':
**   w_0 y_k = u_k - (1/k) sum_{j=1..k-1} j y_j w_{k-j}
*/
void sarrus_series_atan_k(double *y, double *w, const double *u, int k) {
  sarrus_series_square_k(w, u, k);
  if (k == 0) w[0] += 1;
  y[k] = k == 0 ? atan(u[0]) : (u[k] - partial(y, w, k) / k) / w[0];
}

/*
** z = atan2(y, x), w = x^2 + y^2.  From w z' = x y' - y x':
**   w_0 k z_k = sum_{j=1..k} j (y_j x_{k-j} - x_j y_{k-j}) - sum_{j=1..k-1} j z_j w_{k-j}
*/
void sarrus_series_atan2_k(double *z, double *w, const double *y, const double *x, int k) {
  sarrus_series_square_k(w, x, k);
  const double xx = w[k];
  sarrus_series_square_k(w, y, k);
  w[k] += xx;
  z[k] = k == 0 ? atan2(y[0], x[0])
                : (moment(y, x, k) - moment(x, y, k) - partial(z, w, k)) / (k * w[0]);
}

/*
** Whole series
*/

typedef void (*Kernel)(double *y, double *w, const double *u, int k);

static sarrus_Status require_finite(const double *y, int order) {
  if (order < 0) return SARRUS_ARGUMENT;
  return sarrus_series_is_finite(y, order) ? SARRUS_OK : SARRUS_NONFINITE;
}

/* Ends at the first coefficient that is not finite: the rest cannot be. */
static sarrus_Status expand(Kernel kernel, double *y, double *w, const double *u, int order) {
  for (int k = 0; k <= order; k++) {
    kernel(y, w, u, k);
    if (!isfinite(y[k]) || !isfinite(w[k])) return SARRUS_NONFINITE;
  }
  return require_finite(y, order);
}

sarrus_Status sarrus_series_exp(double *y, const double *u, int order) {
  for (int k = 0; k <= order; k++)
    sarrus_series_exp_k(y, u, k);
  return require_finite(y, order);
}

sarrus_Status sarrus_series_log(double *y, const double *u, int order) {
  if (order >= 0 && !(u[0] > 0)) return SARRUS_NONFINITE;
  for (int k = 0; k <= order; k++)
    sarrus_series_log_k(y, u, k);
  return require_finite(y, order);
}

sarrus_Status sarrus_series_sin(double *y, const double *u, int order, double *work) {
  return expand(sarrus_series_sincos_k, y, work, u, order);
}

sarrus_Status sarrus_series_cos(double *y, const double *u, int order, double *work) {
  for (int k = 0; k <= order; k++)
    sarrus_series_sincos_k(work, y, u, k);
  return require_finite(y, order);
}

sarrus_Status sarrus_series_sinh(double *y, const double *u, int order, double *work) {
  return expand(sarrus_series_sinhcosh_k, y, work, u, order);
}

sarrus_Status sarrus_series_cosh(double *y, const double *u, int order, double *work) {
  for (int k = 0; k <= order; k++)
    sarrus_series_sinhcosh_k(work, y, u, k);
  return require_finite(y, order);
}

sarrus_Status sarrus_series_tan(double *y, const double *u, int order, double *work) {
  return expand(sarrus_series_tan_k, y, work, u, order);
}

sarrus_Status sarrus_series_tanh(double *y, const double *u, int order, double *work) {
  return expand(sarrus_series_tanh_k, y, work, u, order);
}

sarrus_Status sarrus_series_asin(double *y, const double *u, int order, double *work) {
  if (order >= 0 && !(fabs(u[0]) < 1)) return SARRUS_NONFINITE;
  return expand(sarrus_series_asin_k, y, work, u, order);
}

sarrus_Status sarrus_series_acos(double *y, const double *u, int order, double *work) {
  if (order >= 0 && !(fabs(u[0]) < 1)) return SARRUS_NONFINITE;
  return expand(sarrus_series_acos_k, y, work, u, order);
}

sarrus_Status sarrus_series_atan(double *y, const double *u, int order, double *work) {
  return expand(sarrus_series_atan_k, y, work, u, order);
}

sarrus_Status sarrus_series_atan2(double *z, const double *y, const double *x, int order,
                                  double *work) {
  if (order >= 0 && x[0] == 0 && y[0] == 0) return SARRUS_NONFINITE;
  for (int k = 0; k <= order; k++)
    sarrus_series_atan2_k(z, work, y, x, k);
  if (order >= 0 && y[0] == 0)
    z[0] = copysign(z[0], sarrus_series_sign(y, order)); /* to which side of the cut */
  return require_finite(z, order);
}
