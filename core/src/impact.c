#include "impact.h"

#include <math.h>
#include <string.h>

#include "block.h"
#include "lcp_parts.h"

/* Speeds below REST of the first ones are none; what is left of sums is rounding below ROUNDING. */
static const double REST = 1e-14, ROUNDING = 1e-14;

enum { MOST_HALVINGS = 20 };

/* What an elastic impact gives back may be more than it took, by rounding. */
static const double GIVES_BACK = 1e-12;

typedef struct Impact {
  const ImpactProblem *problem;
  double first, size; /* the largest speeds of approach, and of all rows, in scaled units */
  int count, *active; /* the contacts of a stage, their rows, and their problem: */
  int rows;
  double *W, *v, *mu;
  double *ratio; /* r of those that are guided (T69), or 0: then mu is 0 in their problem */
  double *after, *begin;
  double *least, *floor; /* normal impulses of expansion; what is asked of those not guided */
  FrictionAnswer answer; /* of either part of it */
  void *work;
} Impact;

static Impact take(Block *block, const ImpactProblem *problem, int n, int axes) {
  const int rows = (1 + axes) * n;
  Impact im = {.problem = problem};
  BLOCK_TAKE(block, im.active, n);
  BLOCK_TAKE(block, im.W, (ptrdiff_t)rows * rows);
  BLOCK_TAKE(block, im.v, rows);
  BLOCK_TAKE(block, im.mu, n);
  BLOCK_TAKE(block, im.ratio, n);
  BLOCK_TAKE(block, im.after, rows);
  BLOCK_TAKE(block, im.begin, rows);
  BLOCK_TAKE(block, im.least, n);
  BLOCK_TAKE(block, im.floor, n);
  BLOCK_TAKE(block, im.answer.force, rows);
  BLOCK_TAKE(block, im.answer.rate, rows);
  BLOCK_TAKE(block, im.answer.mode, n);
  BLOCK_TAKE(block, im.answer.tie, n);
  im.work = block_take(block, 1, axes == 1 ? friction_work_size(n) : cone_work_size(n));
  return im;
}

size_t impact_work_size(int n, int axes) {
  Block measure = {NULL, 0};
  take(&measure, NULL, n, axes);
  return measure.used;
}

static int rows_of(const ImpactProblem *p) { return (1 + p->axes) * p->n; }

/* In units that all contacts share, roots of energy. */
static double approach(const ImpactProblem *p, const double *v, int i) {
  const double own = p->W[(ptrdiff_t)i * (rows_of(p) + 1)];
  return own > 0 ? -v[i] / sqrt(own) : -v[i];
}

/* after = v + W impulse */
static void move(const ImpactProblem *p, const double *impulse, double *after) {
  const int rows = rows_of(p);
  for (int i = 0; i < rows; i++) {
    double size;
    after[i] = lcp_dot(p->v[i], p->W + (ptrdiff_t)i * rows, impulse, rows, &size);
    if (fabs(after[i]) <= ROUNDING * size) after[i] = 0;
  }
}

/* Which contacts a stage has, and what it starts from. */
static void choose(Impact *im, const double *v, int all) {
  const ImpactProblem *p = im->problem;
  int m = 0;
  for (int i = 0; i < p->n; i++)
    if (all || approach(p, v, i) > REST * im->first) im->active[m++] = i;
  im->count = m;
  im->rows = (1 + p->axes) * m;
  for (int r = 0; r < im->rows; r++) {
    const ptrdiff_t row = im->active[r % m] + r / m * p->n;
    for (int c = 0; c < im->rows; c++)
      im->W[r * im->rows + c] = p->W[row * rows_of(p) + im->active[c % m] + c / m * p->n];
    im->v[r] = v[row];
  }
  for (int k = 0; k < m; k++) {
    const int i = im->active[k], guided = p->guided != NULL && p->guided[i];
    im->ratio[k] = guided ? im->W[(m + k) * im->rows + k] / im->W[k * im->rows + k] : 0;
    im->mu[k] = im->ratio[k] != 0 ? 0 : p->mu[i];
  }
}

/* mu |r| of a contact that is guided */
static double drag_of(const Impact *im, int k) {
  return im->problem->mu[im->active[k]] * fabs(im->ratio[k]);
}

/*
** Of contacts that are guided a stage's part has found y, the impulse N + r T above its least.  Of
** all N >= least and |T| <= mu N with that sum, the least N.
*/
static void part_guided(const Impact *im, int expands) {
  const int m = im->count;
  for (int k = 0; k < m; k++) {
    if (im->ratio[k] == 0) continue;
    double *N = &im->answer.force[k], *T = &im->answer.force[m + k];
    const double mu = im->problem->mu[im->active[k]], drag = drag_of(im, k), y = *N;
    const double least = expands ? im->least[k] : 0;
    *N = fmax(least, ((1 - drag) * least + y) / (1 + drag));
    *T = copysign(1, im->ratio[k]) * fmin(y / fabs(im->ratio[k]) - mu * least, mu * *N);
  }
}

/* One part of a stage, from `before` on; of expansion, with normal impulses of at least `least`. */
static LcpStatus solve(const Impact *im, const double *before, int expands) {
  const int m = im->count;
  const FrictionProblem part = {
      .n = m, .W = im->W, .b = im->begin, .mu = im->mu, .least = expands ? im->floor : NULL};
  memcpy(im->begin, before, (size_t)im->rows * sizeof *im->begin);
  for (int k = 0; k < m && expands; k++) {
    const int guided = im->ratio[k] != 0;
    im->floor[k] = guided ? 0 : im->least[k];
    for (int r = 0; r < im->rows && guided; r++)
      im->begin[r] += im->W[r * im->rows + k] * (1 - drag_of(im, k)) * im->least[k];
  }
  const LcpStatus status = im->problem->axes == 1
                               ? friction_solve(&part, &im->answer, im->work)
                               : cone_solve(&part, im->size, &im->answer, im->work);
  if (status == LCP_SOLVED) part_guided(im, expands);
  return status;
}

static void add(const Impact *im, const double *part, double *impulse) {
  for (int k = 0; k < im->rows; k++)
    impulse[k / im->count * im->problem->n + im->active[k % im->count]] += part[k];
}

/* The kinetic energy that a part of a stage adds; rounding does not count. */
static double gain(const Impact *im, const double *before) {
  const FrictionAnswer *part = &im->answer;
  double sum = 0, size = 0;
  for (int k = 0; k < im->rows; k++) {
    const double one = 0.5 * part->force[k] * before[k], two = 0.5 * part->force[k] * part->rate[k];
    sum += one + two;
    size += fabs(one) + fabs(two);
  }
  return fabs(sum) <= ROUNDING * size ? 0 : sum;
}

/*
** Expansion with `least`.  Where contacts jam, so that normal impulses balance each other, e of
** them may add more energy than compression has taken (5 of 40,000 with random rows): then less,
** down to none.
*/
static LcpStatus expand(Impact *im, double lost, double *impulse) {
  const int m = im->count;
  memcpy(im->after, im->answer.rate, (size_t)im->rows * sizeof *im->after);
  for (int attempt = 0; attempt < MOST_HALVINGS; attempt++) {
    const LcpStatus status = solve(im, im->after, 1);
    if (status == LCP_NOT_FINITE) return status;
    if (status == LCP_SOLVED && gain(im, im->after) <= lost * (1 + GIVES_BACK)) {
      add(im, im->answer.force, impulse);
      return LCP_SOLVED;
    }
    for (int k = 0; k < m; k++)
      im->least[k] *= 0.5;
  }
  return LCP_SOLVED;
}

static LcpStatus stage(Impact *im, int elastic, double *impulse) {
  int expands = 0;
  const LcpStatus status = solve(im, im->v, 0);
  if (status != LCP_SOLVED) return status;
  add(im, im->answer.force, impulse);
  for (int k = 0; k < im->count; k++) {
    im->least[k] = elastic ? im->problem->e[im->active[k]] * im->answer.force[k] : 0;
    expands = expands || im->least[k] > 0;
  }
  return expands ? expand(im, -gain(im, im->v), impulse) : LCP_SOLVED;
}

static int approaches(const double *v, int n) {
  for (int i = 0; i < n; i++)
    if (v[i] < 0) return 1;
  return 0;
}

/* All together with e = 0; what rounding leaves of that once more. */
static LcpStatus finish(Impact *im, double *impulse, double *after, int *stages) {
  const int n = im->problem->n;
  for (int pass = 0; pass < 3 && approaches(after, n); pass++) {
    *stages += pass == 0;
    choose(im, after, 1);
    const LcpStatus status = stage(im, 0, impulse);
    if (status != LCP_SOLVED) return pass > 0 ? LCP_SOLVED : status;
    move(im->problem, impulse, after);
  }
  return LCP_SOLVED;
}

static LcpStatus run(Impact *im, int elastic, double *impulse, double *after, int *stages) {
  const ImpactProblem *problem = im->problem;
  const size_t rows = (size_t)rows_of(problem);
  *stages = 0;
  memset(impulse, 0, rows * sizeof *impulse);
  memcpy(after, problem->v, rows * sizeof *after);
  for (; elastic && *stages < IMPACT_STAGES; ++*stages) {
    choose(im, after, 0);
    if (im->count == 0) break;
    const LcpStatus status = stage(im, 1, impulse);
    if (status != LCP_SOLVED) return status;
    move(problem, impulse, after);
  }
  return finish(im, impulse, after, stages);
}

/*
** Contacts that jam rattle for ever, until what approaches is but rounding of the speeds, which no
** impulse answers (1 of 800 with random rows): then nothing rebounds.
*/
LcpStatus impact_solve(const ImpactProblem *problem, double *impulse, double *after, int *stages,
                       void *work) {
  Impact im = take(&(Block){work, 0}, problem, problem->n, problem->axes);
  int elastic = 0;
  for (int i = 0; i < problem->n; i++) {
    im.first = fmax(im.first, approach(problem, problem->v, i));
    elastic = elastic || problem->e[i] > 0;
  }
  for (int i = 0; i < rows_of(problem); i++)
    im.size = fmax(im.size, fabs(approach(problem, problem->v, i)));
  const LcpStatus status = run(&im, elastic, impulse, after, stages);
  const int again = elastic && (status == LCP_RAY || status == LCP_PIVOTS);
  return again ? run(&im, 0, impulse, after, stages) : status;
}
