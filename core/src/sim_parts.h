/*
** Inside of a simulation: the step maker, the searches on its spans, and what drives them.
**
** Without interventions the span holds until maker.to.t; after one at time `now` inside of it, both are `now`.
*/
#ifndef SARRUS_SIM_PARTS_H
#define SARRUS_SIM_PARTS_H

#include <stdatomic.h>

#include "event_parts.h"
#include "maker.h"
#include "search.h"

/* A zero of an event, dt after the beginning of the span. */
typedef struct Hit {
  double dt;
  int event, direction;
} Hit;

/* How the zeros of one event follow each other; side: its sign where the span ended. */
typedef struct Pace {
  double last, interval, first;
  int seen, shrinking, side;
} Pace;

enum { SIM_MOST_HITS = 64 };

struct sarrus_Sim {
  sarrus_Memory memory;
  size_t bytes;
  const sarrus_System *system;
  const sarrus_Events *events; /* or NULL */
  sarrus_Stepped stepped;      /* or NULL */
  void *stepped_ud;
  int parameter_count;
  double *parameters;

  Maker maker;
  Search arguments; /* of the system's switches */
  int crossings;    /* steps in a row that ended at one */
  double crossings_began;

  Search zeros; /* of events */
  Hit hits[SIM_MOST_HITS];
  int hit_count, hit_next;
  Hit hit;     /* the last one delivered */
  Pace *paces; /* per event */

  double now;
  int changed;      /* `to` is no longer where the span ended */
  atomic_flag busy; /* a call that moves or changes it is under way */
  int started;      /* there is a state */
  sarrus_SimNotes notes;
  int short_steps; /* in a row */
};

/* --- sim_switch.c: piecewise functions --- */

/* Changes of branch of piecewise functions, all at one instant, h after the beginning of the step. */
enum { SIM_MOST_CROSSINGS = 16 };

typedef struct Crossings {
  double h;
  int count;
  struct {
    int argument; /* output of the search */
    double threshold;
    int direction; /* of travel through the threshold: 1 up, -1 down */
  } at[SIM_MOST_CROSSINGS];
} Crossings;

/* The first changes of branch within h on the span just made; count 0 if none, and less than h where it cannot be told. */
Crossings sim_first_crossings(sarrus_Sim *sim, double h);
void sim_force_switches(sarrus_Sim *sim, const Crossings *crossings);
/*
** Turn a switch that stands on its threshold but whose series, for a step of h, leaves to the other side; answers which,
** or NONE.
*/
int sim_turn_switch(sarrus_Sim *sim, double h);
/* A piecewise function that chooses its branch by this argument. */
sarrus_Expr sim_switching(const sarrus_Sim *sim, int argument);

/* --- sim_event.c --- */

sarrus_Status sim_find_events(sarrus_Sim *sim);
sarrus_Status sim_next_event(sarrus_Sim *sim, double t, int *found);
/* Forget the zeros that lie beyond the present time. */
void sim_drop_events(sarrus_Sim *sim);

/* --- sim_step.c --- */

/* From `to`: the next span. */
sarrus_Status sim_make_step(sarrus_Sim *sim);

/* --- sim_notes.c --- */

/* After a step: what deserves attention. */
void sim_note(sarrus_Sim *sim);

/* --- sim_run.c --- */

/* End the span at the present time, and begin anew there. */
sarrus_Status sim_restart(sarrus_Sim *sim);

/* One call at a time: BUSY while another, of a callback or a thread, is under way.  Faults are of the last one. */
sarrus_Status sim_enter(sarrus_Sim *sim);
sarrus_Status sim_leave(sarrus_Sim *sim, sarrus_Status status);

#endif
