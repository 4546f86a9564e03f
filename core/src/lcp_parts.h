/* What the files of the complementarity problem share. */
#ifndef SARRUS_LCP_PARTS_H
#define SARRUS_LCP_PARTS_H

#include "block.h"
#include "lcp.h"

/* Scaled: M_ij 2^(row_i + column_j), q_i 2^(row_i - height), z_j 2^(-column_j - height). */
typedef struct Lcp {
  int n;
  double *M, *q;
  int *row, *column, height;
  double *cover;           /* n, positive: what the artificial variable is multiplied by */
  double *tableau;         /* n x (n + 2); while scaling: logarithms of |M| */
  int *in_row, *in_column; /* which variable: w 0..n-1, z n..2n-1, the artificial one 2n */
  int *row_of, *column_of; /* and where each of them is, or -1 */
  unsigned char *basic, *leaves;
  double *z, *w;
  double *lu, *rhs, *step; /* n x n, n, n */
  int *subset;
} Lcp;

/* Lays the arrays out. */
Lcp lcp_take(Block *block, int n);

/* Copies and scales; 0 if anything is not finite. */
int lcp_scale(Lcp *lcp, const double *M, const double *q);

/* Lemke's method: basic.  careful: every tableau from the data, about ten times as long. */
LcpStatus lcp_lemke(Lcp *lcp, int careful);

/* z and w of the basis; 0 if it is singular, or one of them is negative by more than this part. */
int lcp_try_basis(Lcp *lcp, double negative);

/*
** Whether some of the first n rows of W, which has `rows`, do what others do together.  W is
** symmetric there; `left` has room for n * n.
*/
int lcp_is_redundant(const double *W, int n, int rows, double *left);

/* start + sum_j a_j x_j as if in doubled precision; *size: the sum of the magnitudes. */
double lcp_dot(double start, const double *a, const double *x, int n, double *size);

#endif
