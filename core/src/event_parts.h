/* Inside of a list of events. */
#ifndef SARRUS_EVENT_PARTS_H
#define SARRUS_EVENT_PARTS_H

#include "sarrus/event.h"
#include "tape.h"

struct sarrus_Events {
  sarrus_Memory memory;
  sarrus_Graph *graph;
  Tape *tape; /* all inputs known */
  int count, capacity, parameters;
  sarrus_Direction *directions;
};

/* Whether there are as many symbols of each kind as the events name. */
int events_fit(const sarrus_Events *events, const int known[SARRUS_SYMBOL_KINDS]);

#endif
