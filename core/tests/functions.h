/* What tests need of functions of series: each call compiles, runs and frees. */
#ifndef SARRUS_TEST_FUNCTIONS_H
#define SARRUS_TEST_FUNCTIONS_H

#include <stdlib.h>

#include "sarrus/function.h"

static const sarrus_Op smooth_functions[] = {
#define SMOOTH_FUNCTION(op, ...) SARRUS_OP_##op,
    SARRUS_FUNCTIONS(SMOOTH_FUNCTION)};

enum { SMOOTH_FUNCTIONS = sizeof smooth_functions / sizeof *smooth_functions };

/* y = f(u, v), of series of series */
static inline sarrus_Status apply_nested(sarrus_Op op, double *y, const double *u, const double *v,
                                         int order, int inner) {
  const double *operands[] = {u, v};
  sarrus_Function *f;
  sarrus_Status status = sarrus_function_new(sarrus_memory_default(), op, &f);
  if (status < 0) return status;
  double *room = malloc(sarrus_function_room(f, order, inner) * sizeof *room + 1);
  status = room == NULL ? SARRUS_NOMEM : sarrus_function_run(f, operands, order, inner, y, room);
  free(room);
  sarrus_function_free(f);
  return status;
}

static inline sarrus_Status apply_series(sarrus_Op op, double *y, const double *u, int order) {
  return apply_nested(op, y, u, NULL, order, 0);
}

#endif
