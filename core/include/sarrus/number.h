/*
** Numbers as text: one formatter for everything that is printed, the same in every locale.
**
** Every print function writes at most size bytes with the final zero, and answers the length of
** the whole text, which is below SARRUS_NUMBER_SIZE.
*/
#ifndef SARRUS_NUMBER_H
#define SARRUS_NUMBER_H

#include <stddef.h>

#include "sarrus/export.h"

enum { SARRUS_NUMBER_SIZE = 32 };

/*
** The shortest decimal text that reads back as x, with a point in every locale: "0.1", "3",
** "1e-05", "nan", "inf", "-inf".
*/
SARRUS_API size_t sarrus_number_print(double x, char *text, size_t size);

/*
** A fraction p/q in lowest terms with q > 0, |p| q <= 10^9 and |p/q - x| <= tolerance |x|, where
** p/q is rounded to a double.  Answers 1 if there is one.  Below a tolerance of 5e-10 it is the
** only one: |p/q - x| < 1/(2 q^2) makes it a convergent of the continued fraction of x.
*/
SARRUS_API int sarrus_number_fraction(double x, double tolerance, long long *p, long long *q);

/* Coefficients of series: the fraction within 1e-12 if there is one, else the shortest decimal. */
SARRUS_API size_t sarrus_number_print_fraction(double x, char *text, size_t size);

/*
** Constants of expressions: the fraction if p/q is x to the last bit and its text is no longer
** than the decimal ("1/2", "3/2", but "0.1" and "9.81"), else the shortest decimal.
*/
SARRUS_API size_t sarrus_number_print_exact(double x, char *text, size_t size);

#endif
