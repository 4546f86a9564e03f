/*
** Functions of power series, and of series of series: the smooth functions of one variable
** (SARRUS_FUNCTIONS), SQRT and ATAN2.  Their coefficients follow as in the tape (T1).
**
** A sarrus_Function does not change and may be shared.  A series of series has `order` + 1
** coefficients in one variable which are series of order `inner` in another one, one after the
** other: (order + 1) (inner + 1) numbers.  A plain series has inner = 0.
*/
#ifndef SARRUS_FUNCTION_H
#define SARRUS_FUNCTION_H

#include <stddef.h>

#include "sarrus/export.h"
#include "sarrus/expr.h"
#include "sarrus/memory.h"
#include "sarrus/status.h"

typedef struct sarrus_Function sarrus_Function;

/* NOMEM, or ARGUMENT for other operations. */
SARRUS_API sarrus_Status sarrus_function_new(sarrus_Memory memory, sarrus_Op op,
                                             sarrus_Function **function);
SARRUS_API void sarrus_function_free(sarrus_Function *function);
SARRUS_API sarrus_Op sarrus_function_op(const sarrus_Function *function);

/* How many numbers of room a run needs. */
SARRUS_API size_t sarrus_function_room(const sarrus_Function *function, int order, int inner);
/*
** y = f(u[0], …), as many operands as the operation has; y is none of them.  NONFINITE where there
** is no such series, ARGUMENT where an order is negative, LIMIT where a series of series is longer
** than an int tells.  On the cut of ATAN2 the side is that to which the series goes; the root of
** the zero series is zero.
*/
SARRUS_API sarrus_Status sarrus_function_run(const sarrus_Function *function,
                                             const double *const *u, int order, int inner,
                                             double *y, double *room);

#endif
