/*
** Eigenvalues and eigenvectors of dense matrices, by LAPACK.  Matrices stand by columns, entry
** (i, j) at a[i + j n], and are used up.
*/
#ifndef SARRUS_EIGEN_H
#define SARRUS_EIGEN_H

#include "sarrus/status.h"

#define SARRUS_MAX_EIGEN 4096

/*
** A x = (re + i im) x.  Complex pairs stand side by side, the one with im > 0 first; then columns
** j and j + 1 of `vectors`, n by n, are the real and the imaginary part of its eigenvector.
** `vectors` may be NULL; work: 4 n.  NONFINITE where an entry is not finite, LIMIT where n is
** above SARRUS_MAX_EIGEN or the iteration does not converge.
*/
SARRUS_API sarrus_Status sarrus_eigen(int n, double *a, double *re, double *im, double *vectors,
                                      double *work);

/*
** The same of a symmetric matrix, whose upper triangle is read: values ascend, a becomes the
** orthonormal eigenvectors.  work: 3 n.
*/
SARRUS_API sarrus_Status sarrus_eigen_symmetric(int n, double *a, double *values, double *work);

#endif
