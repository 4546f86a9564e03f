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
/* eigenvalues wr + i wi, right eigenvectors vr where jobvr is "V"; lwork at least 4 n */
void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info, size_t jobvl_length, size_t jobvr_length);
/* eigenvalues w of a symmetric matrix, rising, and eigenvectors in its place; lwork >= 3 n - 1 */
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t jobz_length, size_t uplo_length);
/* clang-format on */

#endif
