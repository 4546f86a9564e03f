/*
** Events: expressions of a system's symbols (Q, V, A, LAMBDA, TIME, PARAMETER) whose zeros a
** simulation looks for on the series of each step.
**
** A list of events is compiled once, does not change, and may be shared by simulations; it must
** live as long as they.
*/
#ifndef SARRUS_EVENT_H
#define SARRUS_EVENT_H

#include "sarrus/system.h"

typedef struct sarrus_Events sarrus_Events;

/* Which crossings count, in the direction of travel; touches only with BOTH. */
typedef enum sarrus_Direction { SARRUS_DOWN = -1, SARRUS_BOTH = 0, SARRUS_UP = 1 } sarrus_Direction;

/*
** `parameters` counts those of the system and, after them, those that only events use.  ARGUMENT:
** an expression is none of the graph's, or has other symbols.  LIMIT: more than 2^16 events or 2^20
** parameters.
*/
SARRUS_API sarrus_Status sarrus_events_new(sarrus_Memory memory, const sarrus_Graph *graph,
                                           int count, const sarrus_Expr *when,
                                           const sarrus_Direction *directions, int parameters,
                                           sarrus_Events **events);
/*
** Before any simulation is made with them: let an event also come where a contact changes.
** Watching several contacts, it comes once where one of them touches, where the last one leaves,
** where the first one sticks, where they begin to slip, none sticking.  ARGUMENT: there is no such
** event, or the number of a contact is negative.  NOMEM.
*/
typedef enum sarrus_Change {
  SARRUS_TOUCHES,
  SARRUS_LEAVES,
  SARRUS_STICKS,
  SARRUS_SLIPS
} sarrus_Change;

SARRUS_API sarrus_Status sarrus_events_watch(sarrus_Events *events, int event, int contact,
                                             sarrus_Change change);
SARRUS_API void sarrus_events_free(sarrus_Events *events);

#endif
