/* One natural step: the maker's span, cut where a function changes its branch, and the events on it. */
#include <math.h>

#include "sim_parts.h"

enum { MOST_TRIALS = 30, MOST_TURNS = 8, MOST_CROSSINGS = 100 };

/* So many crossings in a row within this part of a usual step are chattering. */
static const double CHATTER = 1e-6;

/* Crossings that follow each other within no time. */
static sarrus_Status count_crossing(sarrus_Sim *sim, const Crossings *crossings) {
  Maker *maker = &sim->maker;
  if (crossings == NULL) {
    sim->crossings = 0;
    return SARRUS_OK;
  }
  if (sim->crossings++ == 0) sim->crossings_began = maker->span.from.t;
  if (sim->crossings < MOST_CROSSINGS) return SARRUS_OK;
  sim->crossings = 0;
  if (fabs(maker->to.t - sim->crossings_began) >= CHATTER * maker->stats.largest) return SARRUS_OK;
  maker->fault.expr = sim_switching(sim, crossings->at[0].argument);
  return SARRUS_EVENT;
}

/* Try h, and less while the equations do not hold at its end. */
static sarrus_Status try_steps(sarrus_Sim *sim, const Crossings *first) {
  Maker *maker = &sim->maker;
  sarrus_Status status = SARRUS_STEP;
  double h = first->h;
  for (int trial = 0; trial < MOST_TRIALS; trial++) {
    const Crossings *crossings = first->count > 0 && h == first->h ? first : NULL;
    double error = (double)INFINITY;
    if (maker_vanishes(maker, h, crossings != NULL)) return SARRUS_STEP;
    maker_release(maker);
    if (crossings != NULL) sim_force_switches(sim, crossings);
    status = maker_land(maker, h, crossings != NULL, &error);
    if (status == SARRUS_OK && (error <= 1 || maker->options.step > 0)) {
      maker_accept(maker, h);
      sim->changed = 0;
      return count_crossing(sim, crossings);
    }
    maker->stats.rejected++;
    h = maker_shorten(maker, h, error, trial);
  }
  return status < 0 ? status : SARRUS_STEP;
}

/*
** The series and the step they allow.  On a threshold of a piecewise function the branch must be the one to which the
** motion goes; if neither is, it sticks.
*/
static sarrus_Status expand_on_branch(sarrus_Sim *sim, double *h) {
  Maker *maker = &sim->maker;
  const Tape *tape = sim->system->tape;
  for (int turn = 0; turn < MOST_TURNS; turn++) {
    SARRUS_TRY(maker_expand(maker, h));
    const int turned = sim_turn_switch(sim, *h);
    if (turned == SARRUS_NONE) return SARRUS_OK;
    SARRUS_TRY(maker_prepare(maker, &maker->span.from));
    maker->fault.expr = tape->values[tape->switches[turned].value].node;
  }
  return SARRUS_EVENT;
}

static sarrus_Status back_out(sarrus_Sim *sim, sarrus_Status status) {
  status = maker_back_out(&sim->maker, status);
  sim->hit_count = sim->hit_next = 0;
  sim->now = sim->maker.to.t;
  sim_drop_events(sim);
  return status;
}

sarrus_Status sim_make_step(sarrus_Sim *sim) {
  Maker *maker = &sim->maker;
  double h = 0;
  if (maker->broken) return SARRUS_SINGULAR;
  SARRUS_TRY(maker_begin(maker));
  sarrus_Status status = expand_on_branch(sim, &h);
  if (status < 0) return back_out(sim, status);
  const Crossings first = sim_first_crossings(sim, h);
  maker_choose_order(maker, fabs(h));
  status = try_steps(sim, &first);
  if (status == SARRUS_OK) status = sim_find_events(sim);
  return status < 0 ? back_out(sim, status) : SARRUS_OK;
}
