/* Inside of a list of events. */
#ifndef SARRUS_EVENT_PARTS_H
#define SARRUS_EVENT_PARTS_H

#include "sarrus/event.h"
#include "tape.h"

/* An event that comes where a contact changes. */
typedef struct Watch {
  int event, contact;
  sarrus_Change change;
} Watch;

struct sarrus_Events {
  sarrus_Memory memory;
  sarrus_Graph *graph;
  Tape *tape; /* all inputs known */
  int count, capacity, parameters;
  sarrus_Direction *directions;
  Watch *watches;
  int watch_count, watch_capacity;
};

/* Whether there are as many symbols of each kind as the events name. */
int events_fit(const sarrus_Events *events, const int known[SARRUS_SYMBOL_KINDS]);

#endif
