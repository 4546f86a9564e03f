/* Evaluating the series of the span (T23), all variables side by side. */
#include <string.h>

#include "sim_parts.h"
#include "vector.h"

/* Horner: sum_k weight(k) c_k t^(k - derivative) for `count` variables from `first` on, t in the unit of the series. */
static void sum_up(const sarrus_Sim *sim, int first, int count, int top, int derivative, double t,
                   double *x) {
  const double scale = 1 / (derivative == 0   ? 1
                            : derivative == 1 ? sim->unit
                                              : sim->unit * sim->unit);
  for (int j = 0; j < count; j++)
    x[j] = 0;
  for (int k = top; k >= derivative; k--) {
    const double *c = sim->dense + (ptrdiff_t)k * sim->variables + first;
    const double weight = derivative == 0 ? 1 : derivative == 1 ? k : (double)k * (k - 1);
    vector_horner(x, t, c, weight * scale, count);
  }
}

void sim_evaluate(const sarrus_Sim *sim, double dt, double *q, double *v, double *a,
                  double *lambda) {
  const int top = sim->dense_order + 1;
  const double t = dt / sim->unit;
  if (q != NULL) sum_up(sim, 0, sim->n, top, 0, t, q);
  if (v != NULL) sum_up(sim, 0, sim->n, top, 1, t, v);
  if (a != NULL) sum_up(sim, 0, sim->n, top, 2, t, a);
  if (lambda != NULL) sum_up(sim, sim->n, sim->m, top - 2, 0, t, lambda);
}
