/*
** Truncated power series.  A series of order n is the array c[0..n] of its coefficients of t^k,
** owned by the caller.  Nothing here allocates; where a function needs room the caller passes it,
** with the length that is stated.
**
** A kernel, named _k, computes coefficient k alone, in O(k), from coefficients 0..k of its operands
** and 0..k-1 of its results; running k = 0, 1, 2, ... gives the series.  A result is never one of
** the operands.  Kernels do not fail: outside a function's domain they give a value that is not
** finite.  The function without _k runs the kernel over all orders and answers SARRUS_NONFINITE if
** there is no such series (or one of its coefficients overflows).  Kernels take k >= 0 on trust; a
** series of negative order has no coefficients: its value is 0, and operations on it answer
** SARRUS_ARGUMENT.
*/
#ifndef SARRUS_SERIES_H
#define SARRUS_SERIES_H

#include <stddef.h>

#include "sarrus/export.h"
#include "sarrus/status.h"

enum {
  SARRUS_MAX_ORDER = 10000, /* of a series a script makes */
  SARRUS_MAX_PADE = 1000    /* degree of a Padé denominator */
};

/*
** Kernels
*/

SARRUS_API void sarrus_series_mul_k(double *y, const double *a, const double *b, int k);
SARRUS_API void sarrus_series_square_k(double *y, const double *u, int k);
SARRUS_API void sarrus_series_div_k(double *y, const double *a, const double *b, int k);
/* u ^ r for u_0 > 0 */
SARRUS_API void sarrus_series_pow_k(double *y, const double *u, double r, int k);
/*
** u ^ n by products alone (for n < 0 and one quotient), so that it holds at u_0 = 0 too.  work
** keeps the powers between: sarrus_series_integer_power_work(n) series, `stride` > k doubles apart.
*/
SARRUS_API int sarrus_series_integer_power_work(int n);
SARRUS_API void sarrus_series_integer_power_k(double *y, const double *u, int n, int k,
                                              double *work, int stride);

/*
** Whole series, all of one order.  Other functions of series are in function.h.
*/

SARRUS_API sarrus_Status sarrus_series_mul(double *y, const double *a, const double *b, int order);
SARRUS_API sarrus_Status sarrus_series_div(double *y, const double *a, const double *b, int order);
/* work: sarrus_series_integer_power_work(n) * (order + 1) doubles */
SARRUS_API sarrus_Status sarrus_series_integer_power(double *y, const double *u, int n, int order,
                                                     double *work);
SARRUS_API sarrus_Status sarrus_series_pow(double *y, const double *u, double r, int order);

/*
** Piecewise functions take the branch just after t = 0: the sign of the first coefficient that is
** not zero decides, 0 if there is none.  sarrus_series_compare is the sign of a - b.
*/
SARRUS_API int sarrus_series_sign(const double *u, int order);
SARRUS_API int sarrus_series_compare(const double *a, const double *b, int order);

/*
** y = sum_k s_k u^k to `order`, that of u and y: s is taken as a polynomial of its own order.  y is
** neither s nor u.
*/
SARRUS_API sarrus_Status sarrus_series_compose(double *y, const double *s, int s_order,
                                               const double *u, int order);
/* y_k = (k + 1) s_{k+1}, of order - 1.  y may be s. */
SARRUS_API void sarrus_series_derivative(double *y, const double *s, int order);
/* y_0 = constant, y_k = s_{k-1} / k, of order + 1.  y is not s. */
SARRUS_API void sarrus_series_integral(double *y, const double *s, int order, double constant);
/* The value at t; the other also gives the derivative there. */
SARRUS_API double sarrus_series_eval(const double *s, int order, double t);
SARRUS_API double sarrus_series_eval_slope(const double *s, int order, double t, double *slope);
/* 1 if every coefficient is finite */
SARRUS_API int sarrus_series_is_finite(const double *s, int order);

/*
** The Padé approximant p(t)/q(t) of degrees m and n with q_0 = 1 that agrees with c[0..m+n]:
**   q(t) c(t) - p(t) = O(t^{m+n+1}).
** Where the approximant has a common factor (the equations are singular) the lower degrees are
** found and the rest is zero; SARRUS_SINGULAR where there is none at all, SARRUS_ARGUMENT for
** negative degrees, SARRUS_LIMIT where m is above SARRUS_MAX_ORDER or n above SARRUS_MAX_PADE.
** Lengths: p m + 1, q n + 1, work n (n + 5), pivots 2 n.
*/
SARRUS_API sarrus_Status sarrus_series_pade(const double *c, int m, int n, double *p, double *q,
                                            double *work, int *pivots);

/*
** Text: "t - 1/6 t^3 + 1/120 t^5 + O(t^8)" for a series, the same without O for a polynomial.
** Writes at most size bytes with the final zero, and answers the length of the whole text.
*/
SARRUS_API size_t sarrus_series_print(const double *c, int order, const char *variable, char *text,
                                      size_t size);
SARRUS_API size_t sarrus_polynomial_print(const double *c, int degree, const char *variable,
                                          char *text, size_t size);

#endif
