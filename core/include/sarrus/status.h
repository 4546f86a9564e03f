/*
** What a call can answer.  Zero is success, positive is news, negative is failure.
** One list holds the code, its name and its sentence; details (which row, which variable)
** stay in the object that failed, as indices.
*/
#ifndef SARRUS_STATUS_H
#define SARRUS_STATUS_H

#include "sarrus/export.h"

#define SARRUS_STATUSES(X)                                                                   \
  X(STOPPED, 1, "stopped at an event")                                                       \
  X(OK, 0, "success")                                                                        \
  X(SINGULAR, -1, "the equations do not determine the motion")                               \
  X(INCONSISTENT, -2, "the constraints cannot be met")                                       \
  X(STEP, -3, "the step became too small or the steps too many")                             \
  X(NONFINITE, -4, "a value is not finite, or outside a function's domain")                  \
  X(EVENT, -5, "events or switches follow each other too closely")                           \
  X(CALLBACK, -6, "a callback failed")                                                       \
  X(CANCELLED, -7, "cancelled")                                                              \
  X(IO, -8, "a file could not be read or written")                                           \
  X(FORMAT, -9, "the data is not what this object wrote")                                    \
  X(VERSION, -10, "the data was written by another version")                                 \
  X(NOMEM, -11, "not enough memory")                                                         \
  X(LIMIT, -12, "beyond a documented limit")                                                 \
  X(ARGUMENT, -13, "an argument is not acceptable")                                          \
  X(BUSY, -14, "the simulation is in use: a callback or another thread is not done with it") \
  X(FLOATS, -15,                                                                             \
    "floating-point numbers are not rounded to nearest, or small ones are flushed to 0")     \
  X(CONTACT, -16, "no contact forces are possible, or several")

typedef enum sarrus_Status {
#define SARRUS_STATUS_ENUM(name, code, sentence) SARRUS_##name = code,
  SARRUS_STATUSES(SARRUS_STATUS_ENUM)
#undef SARRUS_STATUS_ENUM
} sarrus_Status;

/* The name without prefix ("SINGULAR") and the sentence; never NULL. */
SARRUS_API const char *sarrus_status_name(sarrus_Status status);
SARRUS_API const char *sarrus_status_text(sarrus_Status status);

/* Hand a failure to the caller; news passes. */
#define SARRUS_TRY(call)                  \
  do {                                    \
    const sarrus_Status status_ = (call); \
    if (status_ < 0) return status_;      \
  } while (0)

#endif
