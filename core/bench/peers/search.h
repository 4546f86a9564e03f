/*
** The settings of one method, from coarse to fine: digits = -log10 of a step or a tolerance.  Where
** a wanted error lies between those of two neighbours the interval is halved, so that no peer pays
** for a coarse grid.  Every time is that of a run, none is interpolated: between neighbours the
** error of an adaptive method jumps.  What is found takes about 1.1 times as long as the coarsest
** setting that would do: steps differ by 10^(1/3), in the end by 10^(1/24) = 1.10; tolerances by
** 10, in the end by 10^(1/4), and the time of order 5 by 10^(1/20) = 1.12.
*/
#ifndef SEARCH_H
#define SEARCH_H

#include "rows.h"

/* A run at a setting, which prints its row. */
typedef Outcome Run(void *what, double digits);

enum { MOST_WANTED = 6 };

typedef struct Grid {
  double from, pace, to;
  int halvings;
  double wanted[MOST_WANTED]; /* errors that ../table.lua asks for; zero: no more */
} Grid;

static const Grid fixed_steps = {1, 1.0 / 3, 8, 3, {1e-4, 1e-6, 1e-9, 1e-12}};
static const Grid accuracies = {1, 1, 15, 2, {1e-4, 1e-6, 1e-9, 1e-12}};
static const Grid stiff_tolerances = {1, 1, 15, 2, {1e-4, 1e-6, 1e-8, 1e-10}};
static const Grid tolerances = {1, 1, 15, 2, {1e-6, 1e-7, 1e-9, 1e-11, 1e-12, 1e-13}};

static inline void halve(Run *run, void *what, double low, double high, int times, double wanted) {
  for (int i = 0; i < times; i++) {
    const double middle = (low + high) / 2;
    if (run(what, middle).error <= wanted)
      high = middle;
    else
      low = middle;
  }
}

/*
** The last run is one that takes longer than the limit, that fails, or that has the least error
** wanted.
*/
static inline void search(Run *run, void *what, const Grid *grid, double limit_ms) {
  Outcome before = {0, NAN}, after = {0, NAN};
  for (double at = grid->from; at < grid->to + grid->pace / 2; at += grid->pace, before = after) {
    int reached = 0;
    after = run(what, at);
    if (after.ms > limit_ms || (isnan(after.error) && !isnan(before.error))) return;
    for (; reached < MOST_WANTED && after.error <= grid->wanted[reached]; reached++)
      if (!(before.error <= grid->wanted[reached]))
        halve(run, what, at - grid->pace, at, grid->halvings, grid->wanted[reached]);
    if (reached == MOST_WANTED || grid->wanted[reached] == 0) return;
  }
}

/* Steps of about 10^-digits that fill the time t. */
static inline long steps_of(double t, double digits) {
  return (long)fmax(1, round(t * pow(10, digits)));
}

#ifdef __cplusplus
/* For a lambda, digits -> Outcome. */
template <class F>
void search(F run, const Grid *grid, double limit_ms) {
  search([](void *f, double digits) { return (*static_cast<F *>(f))(digits); }, &run, grid,
         limit_ms);
}
#endif

#endif
