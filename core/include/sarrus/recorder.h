/*
** Recorders: expressions of a simulation's state at the instants t0 + k every, k whole, in the
** order in which it passes them, backwards too.
**
** A recorder only looks at its simulation, which tells it by sarrus_recorder_feed how far it has
** come.  Each instant becomes a row, the time and the values, that goes to every sink.  A row shows
** the state with which the motion goes on from that instant; where the simulation came to stand
** there, the state it stands in.
*/
#ifndef SARRUS_RECORDER_H
#define SARRUS_RECORDER_H

#include "sarrus/observer.h"
#include "sarrus/sim.h"

typedef struct sarrus_Recorder sarrus_Recorder;

/* Takes rows of a fixed length.  After a failure it gets no more. */
typedef struct sarrus_Sink {
  sarrus_Status (*put)(void *ud, const double *row);
  void *ud;
} sarrus_Sink;

enum { SARRUS_MOST_SINKS = 4 };

typedef struct sarrus_RecorderSpec {
  const sarrus_Graph *graph; /* may go afterwards */
  int count;                 /* of expressions; a row has one number more */
  const sarrus_Expr *exprs;
  int values;   /* parameters beyond the simulation's: the caller's, NaN until they are set */
  double every; /* above 0 */
} sarrus_RecorderSpec;

/*
** The first instant is the simulation's present time.  ARGUMENT: an expression has symbols that
** there are not.
*/
SARRUS_API sarrus_Status sarrus_recorder_new(sarrus_Memory memory, const sarrus_Sim *sim,
                                             const sarrus_RecorderSpec *spec,
                                             sarrus_Recorder **recorder);
SARRUS_API void sarrus_recorder_free(sarrus_Recorder *recorder);
SARRUS_API size_t sarrus_recorder_bytes(const sarrus_Recorder *recorder);

/* At most SARRUS_MOST_SINKS. */
SARRUS_API sarrus_Status sarrus_recorder_add_sink(sarrus_Recorder *recorder, sarrus_Sink sink);

/*
** Rows for the instants that were passed since the last call and, if `here`, for the present time
** if it is one.  Must be called before the simulation's span is replaced.  A sink's failure is
** answered once; the others go on.
*/
SARRUS_API sarrus_Status sarrus_recorder_feed(sarrus_Recorder *recorder, int here);
/*
** The same row by row: 1 and the instant that is due, 2 if it is the present one, 0 if none is;
** sarrus_recorder_take writes the row.
*/
SARRUS_API int sarrus_recorder_due(sarrus_Recorder *recorder, int here, double *t);
SARRUS_API sarrus_Status sarrus_recorder_take(sarrus_Recorder *recorder);
/*
** A row for the present time, on the grid or not: before what intervened there, unless it has one
** already, or after it.
*/
SARRUS_API sarrus_Status sarrus_recorder_mark(sarrus_Recorder *recorder, int after);
/* The values in the present state, without a row. */
SARRUS_API sarrus_Status sarrus_recorder_read(sarrus_Recorder *recorder, double *values);
/* The next instant on the way to t. */
SARRUS_API double sarrus_recorder_next(const sarrus_Recorder *recorder, double t);
/* The caller's value i, from 0. */
SARRUS_API sarrus_Status sarrus_recorder_set(sarrus_Recorder *recorder, int i, double value);

/* Rows in memory: a sink. */
typedef struct sarrus_Rows {
  sarrus_Memory memory;
  int width, capacity; /* numbers in a row; rows there is room for */
  int count;           /* rows */
  double *numbers;     /* row by row */
} sarrus_Rows;

SARRUS_API sarrus_Status sarrus_rows_put(void *rows, const double *row);
SARRUS_API void sarrus_rows_release(sarrus_Rows *rows);

#endif
