/*
** Adomian polynomials (T2) by the recursion in m variables
**   A_0 = N(u_00, ..., u_(m-1)0),
**   A_k = 1/k sum_j sum_{i<k} (i+1) u_j,i+1 dA_k-1/du_ji.
** With B_k = k! A_k every factor is a whole number, exact to 2^53:
**   B_k = sum_j sum_{i<k} (i+1) u_j,i+1 dB_k-1/du_ji.
*/
#include "sarrus/adomian.h"

#include <limits.h>
#include <string.h>

#include "array.h"
#include "expr_graph.h"

enum {
  HIGHEST_ORDER = 255, /* an exponent fits one byte */
  MOST_ENTRIES = 1 << 24,
  MOST_DERIVATIVES = 1 << 16
};

typedef unsigned char Exponent;

/*
** B_k: the sum of factors[t] N^(p)(u_.0) prod u_ji^e, where row t of `exponents` holds
**   p_0 .. p_(m-1), then for every variable j the exponents e of u_j1 .. u_jn.
** Rows differ, and are sorted: by p_0 + ... + p_(m-1), then the larger entry first.
*/
typedef struct Polynomial {
  int count;
  Exponent *exponents;
  int exponents_capacity;
  double *factors;
  int factors_capacity;
} Polynomial;

typedef struct Expansion {
  sarrus_Graph *graph;
  int variables, order, width;
  Polynomial now, next;
  int *sorted; /* row numbers, and as much room again */
  int sorted_capacity;
  sarrus_Expr *derivatives; /* N^(p) by rank_of(p) */
  int derivative_count, derivatives_capacity;
  sarrus_Term *terms;
  int terms_capacity;
} Expansion;

int sarrus_adomian_component(int order, int variable, int component) {
  if (order < 0 || variable < 0 || component < 0 || component > order) return SARRUS_NONE;
  const long long index = (long long)variable * (order + 1LL) + component;
  return index <= INT_MAX ? (int)index : SARRUS_NONE;
}

/* p as a number in base order + 1 */
static int rank_of(const Expansion *x, const Exponent *p) {
  int rank = 0;
  for (int j = x->variables - 1; j >= 0; j--)
    rank = rank * (x->order + 1) + p[j];
  return rank;
}

/* --- the recursion ----------------------------------------------------------------------- */

static Exponent *row_of(const Expansion *x, const Polynomial *b, int t) {
  return b->exponents + (size_t)t * (size_t)x->width;
}

/* Append a copy of `row` with its factor; returns the copy, or NULL without memory. */
static Exponent *append(Expansion *x, Polynomial *b, const Exponent *row, double factor) {
  const sarrus_Memory memory = x->graph->memory;
  if (!ARRAY_RESERVE(memory, b->exponents, b->exponents_capacity, (b->count + 1) * x->width) ||
      !ARRAY_RESERVE(memory, b->factors, b->factors_capacity, b->count + 1))
    return NULL;
  b->factors[b->count] = factor;
  return memcpy(row_of(x, b, b->count++), row, (size_t)x->width * sizeof *row);
}

/* Append u_j1 d/du_j0 of term t, in which p_j, the order of the derivative of N, is one higher. */
static sarrus_Status raise_derivative(Expansion *x, int t, int j) {
  Exponent *row = append(x, &x->next, row_of(x, &x->now, t), x->now.factors[t]);
  if (row == NULL) return SARRUS_NOMEM;
  row[j]++;
  row[x->variables + j * x->order]++;
  return SARRUS_OK;
}

/* Append (i+1) u_j,i+1 d/du_ji of term t, i > 0; column c holds the exponent of u_ji. */
static sarrus_Status raise_component(Expansion *x, int t, int i, int c) {
  const Exponent *old = row_of(x, &x->now, t);
  if (old[c] == 0) return SARRUS_OK;
  Exponent *row = append(x, &x->next, old, x->now.factors[t] * old[c] * (i + 1));
  if (row == NULL) return SARRUS_NOMEM;
  row[c]--;
  row[c + 1]++;
  return SARRUS_OK;
}

/* The summands of B_k from those of B_k-1; equal products are not joined yet. */
static sarrus_Status raise_all(Expansion *x, int k) {
  x->next.count = 0;
  for (int t = 0; t < x->now.count; t++) {
    for (int j = 0; j < x->variables; j++) {
      SARRUS_TRY(raise_derivative(x, t, j));
      for (int i = 1; i < k; i++)
        SARRUS_TRY(raise_component(x, t, i, x->variables + j * x->order + i - 1));
    }
    if (x->next.count > MOST_ENTRIES / x->width) return SARRUS_LIMIT;
  }
  return SARRUS_OK;
}

static int compare(const Expansion *x, const Exponent *a, const Exponent *b) {
  int total = 0;
  for (int j = 0; j < x->variables; j++)
    total += a[j] - b[j];
  for (int c = 0; total == 0 && c < x->width; c++)
    total = b[c] - a[c];
  return total;
}

/* Merge sort of row numbers. */
static void sort(const Expansion *x, int *rows, int *spare, int count) {
  if (count < 2) return;
  const int half = count / 2;
  sort(x, rows, spare, half);
  sort(x, rows + half, spare, count - half);
  memcpy(spare, rows, (size_t)half * sizeof *rows);
  for (int i = 0, j = half, k = 0; i < half; k++) {
    const int later =
        j < count && compare(x, row_of(x, &x->next, rows[j]), row_of(x, &x->next, spare[i])) < 0;
    rows[k] = later ? rows[j++] : spare[i++];
  }
}

/* now = next, with its rows sorted and equal rows joined */
static sarrus_Status join(Expansion *x) {
  const int count = x->next.count;
  if (!ARRAY_RESERVE(x->graph->memory, x->sorted, x->sorted_capacity, 2 * count))
    return SARRUS_NOMEM;
  for (int t = 0; t < count; t++)
    x->sorted[t] = t;
  sort(x, x->sorted, x->sorted + count, count);
  x->now.count = 0;
  for (int s = 0; s < count; s++) {
    const Exponent *row = row_of(x, &x->next, x->sorted[s]);
    const double factor = x->next.factors[x->sorted[s]];
    const int last = x->now.count - 1;
    if (last >= 0 && compare(x, row, row_of(x, &x->now, last)) == 0)
      x->now.factors[last] += factor;
    else if (append(x, &x->now, row, factor) == NULL)
      return SARRUS_NOMEM;
  }
  return SARRUS_OK;
}

/* B_0 = N */
static sarrus_Status start(Expansion *x) {
  if (!ARRAY_RESERVE(x->graph->memory, x->now.exponents, x->now.exponents_capacity, x->width) ||
      !ARRAY_RESERVE(x->graph->memory, x->now.factors, x->now.factors_capacity, 1))
    return SARRUS_NOMEM;
  memset(x->now.exponents, 0, (size_t)x->width * sizeof *x->now.exponents);
  x->now.factors[0] = 1;
  x->now.count = 1;
  return SARRUS_OK;
}

static sarrus_Status advance(Expansion *x, int k) {
  if (k == 0) return start(x);
  SARRUS_TRY(raise_all(x, k));
  return join(x);
}

/* --- expressions ------------------------------------------------------------------------- */

static sarrus_Expr component(const Expansion *x, int j, int i) {
  return sarrus_graph_symbol(x->graph, SARRUS_U, sarrus_adomian_component(x->order, j, i));
}

/* prod u_ji^e of a row; SARRUS_NONE also for an empty product */
static sarrus_Expr monomial(const Expansion *x, const Exponent *row) {
  sarrus_Expr product = SARRUS_NONE;
  for (int j = 0; j < x->variables; j++)
    for (int i = 1; i <= x->order; i++) {
      const int e = row[x->variables + j * x->order + i - 1];
      if (e == 0) continue;
      const sarrus_Expr power = sarrus_graph_power(x->graph, component(x, j, i), e);
      product = product == SARRUS_NONE
                    ? power
                    : sarrus_graph_apply(x->graph, SARRUS_OP_PRODUCT, product, power, SARRUS_NONE);
    }
  return product;
}

/* N^(p) from a derivative of one order less, p being the digits of its rank. */
static void differentiate(Expansion *x, int rank) {
  int total = 0, variable = -1, stride = 1, lower = 0;
  for (int j = 0, digits = rank; digits > 0; j++, digits /= x->order + 1) {
    const int digit = digits % (x->order + 1);
    total += digit;
    if (digit > 0 && variable < 0) {
      variable = j;
      lower = rank - stride;
    }
    stride *= x->order + 1;
  }
  if (total <= x->order)
    x->derivatives[rank] =
        sarrus_graph_diff(x->graph, x->derivatives[lower], component(x, variable, 0));
}

/*
** An expression prints its factors and summands in the order in which they were made.  So the
** powers of u_1 are made first, then those of u_2, and so on; except where N^(p) is constant: there
** u^p is a summand by itself, and is made with the others.
*/
static void make_powers(const Expansion *x) {
  for (int j = 0, stride = 1; j < x->variables; j++, stride *= x->order + 1)
    for (int i = 1; i <= x->order; i++)
      for (int e = 1; e * i <= x->order; e++)
        if (e == 1 || !sarrus_graph_is_constant(x->graph, x->derivatives[e * stride], NULL))
          sarrus_graph_power(x->graph, component(x, j, i), e);
}

/* The derivatives of an N without expression get names; they are made after all products of u. */
static sarrus_Status name_derivatives(Expansion *x) {
  make_powers(x);
  for (int k = 0; k <= x->order; k++) {
    SARRUS_TRY(advance(x, k));
    for (int t = 0; t < x->now.count; t++)
      monomial(x, row_of(x, &x->now, t));
  }
  for (int rank = 0; rank < x->derivative_count; rank++)
    x->derivatives[rank] =
        sarrus_graph_symbol(x->graph, SARRUS_U, x->variables * (x->order + 1) + rank);
  return x->graph->status;
}

/* The derivatives of a given expression are made before these products: N may be just u_0. */
static sarrus_Status make_derivatives(Expansion *x, sarrus_Expr f) {
  if (f == SARRUS_NONE) return name_derivatives(x);
  x->derivatives[0] = f;
  for (int rank = 1; rank < x->derivative_count && x->graph->status >= 0; rank++)
    differentiate(x, rank);
  make_powers(x);
  return x->graph->status;
}

/* A_k = B_k / k! */
static sarrus_Status emit(Expansion *x, double factorial, sarrus_Expr *polynomial) {
  if (!ARRAY_RESERVE(x->graph->memory, x->terms, x->terms_capacity, x->now.count))
    return SARRUS_NOMEM;
  for (int t = 0; t < x->now.count; t++) {
    const Exponent *row = row_of(x, &x->now, t);
    const sarrus_Expr product = monomial(x, row);
    const sarrus_Expr derivative = x->derivatives[rank_of(x, row)];
    const sarrus_Expr term =
        product == SARRUS_NONE
            ? derivative
            : sarrus_graph_apply(x->graph, SARRUS_OP_PRODUCT, product, derivative, SARRUS_NONE);
    x->terms[t] = (sarrus_Term){x->now.factors[t] / factorial, term};
  }
  *polynomial = sarrus_graph_linear(x->graph, 0, x->now.count, x->terms);
  return x->graph->status;
}

static sarrus_Status expand(Expansion *x, sarrus_Expr f, sarrus_Expr *polynomials) {
  double factorial = 1;
  if (!ARRAY_RESERVE(x->graph->memory, x->derivatives, x->derivatives_capacity,
                     x->derivative_count))
    return SARRUS_NOMEM;
  for (int rank = 0; rank < x->derivative_count; rank++)
    x->derivatives[rank] = SARRUS_NONE;
  SARRUS_TRY(make_derivatives(x, f));
  for (int k = 0; k <= x->order; k++) {
    if (k > 0) factorial *= k;
    SARRUS_TRY(advance(x, k));
    SARRUS_TRY(emit(x, factorial, &polynomials[k]));
  }
  return SARRUS_OK;
}

static void release(const Expansion *x) {
  const sarrus_Memory memory = x->graph->memory;
  ARRAY_RELEASE(memory, x->now.exponents, x->now.exponents_capacity);
  ARRAY_RELEASE(memory, x->now.factors, x->now.factors_capacity);
  ARRAY_RELEASE(memory, x->next.exponents, x->next.exponents_capacity);
  ARRAY_RELEASE(memory, x->next.factors, x->next.factors_capacity);
  ARRAY_RELEASE(memory, x->sorted, x->sorted_capacity);
  ARRAY_RELEASE(memory, x->derivatives, x->derivatives_capacity);
  ARRAY_RELEASE(memory, x->terms, x->terms_capacity);
}

sarrus_Status sarrus_adomian_expand(sarrus_Graph *graph, sarrus_Expr f, int variables, int order,
                                    sarrus_Expr *polynomials) {
  SARRUS_TRY(graph->status);
  if (variables < 1 || order < 0 || (f != SARRUS_NONE && !expr_is_node(graph, f)))
    return SARRUS_ARGUMENT;
  if (order > HIGHEST_ORDER || variables > MOST_DERIVATIVES) return SARRUS_LIMIT;
  Expansion x = {.graph = graph, .variables = variables, .order = order};
  double derivatives = 1;
  for (int j = 0; j < variables && derivatives <= MOST_DERIVATIVES; j++)
    derivatives *= order + 1;
  if (derivatives > MOST_DERIVATIVES) return SARRUS_LIMIT;
  x.derivative_count = (int)derivatives;
  x.width = variables * (order + 1);
  const sarrus_Status status = expand(&x, f, polynomials);
  release(&x);
  return status;
}
