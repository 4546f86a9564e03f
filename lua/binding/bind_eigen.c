/*
** Eigenvalues, called by lua/sarrus/steady.  A matrix is a list of n n numbers, by columns; it is
** not changed.  core.eigen(n, matrix): lists of the real and of the imaginary parts, and of the
** entries of the eigenvectors, by columns.  core.eigen_symmetric(n, matrix): lists of the values
** and of the vectors.  On failure: nil, a sentence, the code.
*/
#include "binding.h"
#include "sarrus/eigen.h"

static void push_list(lua_State *L, const double *x, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, x[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Read the matrix, argument 2, into a block with room for `blocks` times n numbers after it. */
static double *read_matrix(lua_State *L, int n, int blocks) {
  const size_t count = (size_t)n * (size_t)(n + blocks) + 1;
  double *a = sarrus_newuserdata(L, count * sizeof *a);
  sarrus_read_numbers(L, 2, n * n, a);
  return a;
}

static int eigen(lua_State *L) {
  const int n = sarrus_check_int(L, 1, 0, SARRUS_MAX_EIGEN);
  double *a = read_matrix(L, n, n + 6), *vectors = a + n * n, *re = vectors + n * n, *im = re + n;
  const sarrus_Status status = sarrus_eigen(n, a, re, im, vectors, im + n);
  if (status < 0) return sarrus_fail(L, status, NULL);
  push_list(L, re, n);
  push_list(L, im, n);
  push_list(L, vectors, n * n);
  return 3;
}

static int eigen_symmetric(lua_State *L) {
  const int n = sarrus_check_int(L, 1, 0, SARRUS_MAX_EIGEN);
  double *a = read_matrix(L, n, 4), *values = a + n * n;
  const sarrus_Status status = sarrus_eigen_symmetric(n, a, values, values + n);
  if (status < 0) return sarrus_fail(L, status, NULL);
  push_list(L, values, n);
  push_list(L, a, n * n);
  return 2;
}

void sarrus_bind_eigen(lua_State *L) {
  lua_pushcfunction(L, eigen);
  lua_setfield(L, -2, "eigen");
  lua_pushcfunction(L, eigen_symmetric);
  lua_setfield(L, -2, "eigen_symmetric");
}
