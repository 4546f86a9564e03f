/*
** LAPACK through its Fortran symbols, with 32-bit integers.  Every character argument has a hidden
** length behind the last argument; implementations written in C ignore it.
** Sizes are checked before every call, leading dimensions are at least 1: LAPACK's handler of bad
** arguments ends the process.
*/
#ifndef SARRUS_LAPACK_H
#define SARRUS_LAPACK_H

#include <stddef.h>

/* clang-format off */
/* A = P L U, and solves with it */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t trans_length);
/* an estimate of 1 / (|A| |A^-1|) from the factors and the norm of A; work 4 n, iwork n */
void dgecon_(const char *norm, const int *n, const double *a, const int *lda, const double *anorm,
             double *rcond, double *work, int *iwork, int *info, size_t norm_length);
/* clang-format on */

#endif
