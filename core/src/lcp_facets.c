/*
** Friction in space by facets: T = sum_j beta_j d_j, beta >= 0, with directions d_j all round, and
** for every contact sigma >= the most that a_t has against one of them (Stewart, Trinkle):
**
**   a_n             >= 0   complement N
**   a_t . d_j + sigma    >= 0   complement beta_j
**   mu N - sum_j beta_j  >= 0   complement sigma
**
** Of impulses Lemke's method finds a solution always, as near to the cone as facets are to it.
*/
#include <math.h>
#include <string.h>

#include "lcp_cone.h"
#include "lcp_parts.h"

static const double TURN = 6.283185307179586;

typedef struct Facets {
  const FrictionProblem *problem;
  int count, size; /* directions; unknowns: n normal forces, then beta and sigma by contacts */
  int *contact, *facet;
  double *direction; /* 2 per unknown */
  double *M, *q, *z;
  unsigned char *basic;
  void *work;
} Facets;

static Facets take(Block *block, const FrictionProblem *problem, int n) {
  const int most = (2 + MOST_FACETS) * n;
  Facets f = {.problem = problem};
  BLOCK_TAKE(block, f.contact, most);
  BLOCK_TAKE(block, f.facet, most);
  BLOCK_TAKE(block, f.direction, 2 * most);
  BLOCK_TAKE(block, f.M, (ptrdiff_t)most * most);
  BLOCK_TAKE(block, f.q, most);
  BLOCK_TAKE(block, f.z, most);
  BLOCK_TAKE(block, f.basic, most);
  f.work = block_take(block, 1, lcp_work_size(most));
  return f;
}

size_t facets_work_size(int n) {
  Block measure = {NULL, 0};
  if (n > FACETS_SMALL) return 0;
  take(&measure, NULL, n);
  return measure.used;
}

enum { NORMAL = -1 };

/* Unknowns, with directions from `along` on. */
static void number(Facets *f, const double *along) {
  const int n = f->problem->n;
  f->size = 0;
  for (int k = 0; k < n; k++, f->size++) {
    f->contact[f->size] = k;
    f->facet[f->size] = NORMAL;
  }
  for (int k = 0; k < n; k++)
    for (int j = 0; j <= f->count && f->problem->mu[k] > 0; j++, f->size++) {
      const double angle = TURN * j / f->count, c = cos(angle), s = sin(angle);
      const double *d = &along[2 * k];
      f->contact[f->size] = k;
      f->facet[f->size] = j;
      f->direction[2 * f->size] = c * d[0] - s * d[1];
      f->direction[2 * f->size + 1] = s * d[0] + c * d[1];
    }
}

static int is_sigma(const Facets *f, int u) { return f->facet[u] == f->count; }

/* Rows of W that unknown u acts along, and their factors; answers how many. */
static int rows_of(const Facets *f, int u, int row[2], double factor[2]) {
  const int n = f->problem->n, k = f->contact[u];
  if (is_sigma(f, u)) return 0;
  row[0] = f->facet[u] == NORMAL ? k : n + k;
  row[1] = 2 * n + k;
  factor[0] = f->facet[u] == NORMAL ? 1 : f->direction[2 * u];
  factor[1] = f->direction[2 * u + 1];
  return f->facet[u] == NORMAL ? 1 : 2;
}

static double entry(const Facets *f, int u, int v) {
  const FrictionProblem *p = f->problem;
  const int same = f->contact[u] == f->contact[v];
  if (is_sigma(f, v)) return same && f->facet[u] != NORMAL && !is_sigma(f, u);
  if (is_sigma(f, u)) return !same ? 0 : f->facet[v] == NORMAL ? p->mu[f->contact[u]] : -1;
  double one[2], two[2], sum = 0;
  int row[2], column[2];
  const int rows = rows_of(f, u, row, one), columns = rows_of(f, v, column, two);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      sum += one[i] * two[j] * p->W[(ptrdiff_t)row[i] * 3 * p->n + column[j]];
  return sum;
}

static void fill(Facets *f) {
  const FrictionProblem *p = f->problem;
  for (int u = 0; u < f->size; u++) {
    double factor[2], q = 0;
    int row[2];
    const int rows = rows_of(f, u, row, factor);
    for (int i = 0; i < rows; i++)
      q += factor[i] * p->b[row[i]];
    for (int v = 0; v < f->size; v++)
      f->M[(ptrdiff_t)u * f->size + v] = entry(f, u, v);
    for (int k = 0; k < p->n && p->least != NULL; k++)
      q += f->M[(ptrdiff_t)u * f->size + k] * p->least[k];
    f->q[u] = q;
  }
}

static void read_answer(const Facets *f, const FrictionAnswer *answer) {
  const FrictionProblem *p = f->problem;
  memset(answer->force, 0, 3 * (size_t)p->n * sizeof *answer->force);
  for (int u = 0; u < f->size; u++) {
    double factor[2];
    int row[2];
    const int count = rows_of(f, u, row, factor);
    for (int i = 0; i < count; i++)
      answer->force[row[i]] += factor[i] * f->z[u];
  }
  for (int k = 0; k < p->n && p->least != NULL; k++)
    answer->force[k] += p->least[k];
  cone_find_rates(p, answer);
}

LcpStatus facets_solve(const FrictionProblem *problem, int count, const double *along,
                       const FrictionAnswer *answer, void *work) {
  if (problem->n > FACETS_SMALL) return LCP_PIVOTS;
  Facets f = take(&(Block){work, 0}, problem, problem->n);
  f.count = count;
  number(&f, along);
  fill(&f);
  const LcpStatus status = lcp_solve(f.size, f.M, f.q, f.z, f.basic, f.work);
  if (status == LCP_SOLVED) read_answer(&f, answer);
  return status;
}
