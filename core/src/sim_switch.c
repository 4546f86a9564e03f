/*
** Piecewise functions: a step ends where one of them changes its branch, and the next begins on the new
** branch by force, since the value there is zero up to rounding.
**
** Where a step begins on a threshold, the series must leave it to the side that the branch stands for.  If it
** does not, the other branch is tried; if both push back, the motion sticks, which is not solved here.
*/
#include <float.h>
#include <math.h>

#include "roots.h"
#include "sim_parts.h"

enum { MOST_ROOTS = 8 };

/* The order to which the series in a slot is known. */
static int known_order(const sarrus_Sim *sim, int slot) {
  const int lead = sim->system->tape->slots[slot].lead;
  return lead == LEAD_KNOWN ? 1 : sim->order - 1 + lead;
}

/* Whether the threshold counts at t, in the unit of the series: that of atan2(y, x) where x < 0. */
static int counts(const sarrus_Sim *sim, const Switch *choice, double t) {
  const Work *work = sim->expansion->work;
  const ValueStep *step = &work->tape->values[choice->value];
  if (step->op != SARRUS_OP_ATAN2) return 1;
  if (choice->cut == SARRUS_NONE) return work->value[step->b] < 0;
  double x = 0;
  for (int k = known_order(sim, choice->cut); k >= 0; k--)
    x = x * t + work->stores[choice->cut].plain[k];
  return x < 0;
}

/* The switch's series less its threshold; answers its order. */
static int switch_series(const sarrus_Sim *sim, const Switch *choice, double threshold, double *c) {
  const Work *work = sim->expansion->work;
  const int top = known_order(sim, choice->slot);
  for (int k = 0; k <= top; k++)
    c[k] = work->stores[choice->slot].plain[k];
  c[0] -= threshold;
  return top;
}

/* The branch of a switch just beyond a threshold; NONE where that is not one of its own. */
static int branch_beyond(const sarrus_Sim *sim, const Switch *choice, double threshold,
                         int direction) {
  if (choice->table == SARRUS_NONE) return threshold == 0 ? direction : 0;
  const Table *table = &sim->system->tape->tables[choice->table];
  for (int i = 0; i < table->count; i++)
    if (table->x[i] == threshold) return direction > 0 ? i + 1 : i;
  return SARRUS_NONE;
}

/*
** The first crossing of one threshold within h: 0 if there is none.  A switch that stands on the wrong side of it by rounding
** first enters the branch that it holds already, which is no change.
*/
static int first_root(sarrus_Sim *sim, int index, double threshold, double h, Root *first) {
  const Switch *choice = &sim->system->tape->switches[index];
  const int held = sim->expansion->work->branch[index];
  Root roots[MOST_ROOTS];
  const int order = switch_series(sim, choice, threshold, sim->polynomial);
  const double unit = sim->unit;
  int count = roots_find(sim->polynomial, order, 0, h / unit, 0, roots, MOST_ROOTS, sim->root_work);
  if (count > MOST_ROOTS) count = MOST_ROOTS;
  for (int i = 0; i < count; i++) {
    if (roots[i].direction == 0 || !counts(sim, choice, roots[i].t)) continue;
    if (branch_beyond(sim, choice, threshold, roots[i].direction) == held) continue;
    *first = roots[i];
    first->t = unit * roots[i].t;
    return 1;
  }
  return 0;
}

/* Thresholds of a switch: 0, or the knots on both sides of a table's piece. */
static int thresholds(const sarrus_Sim *sim, int index, double found[2]) {
  const Tape *tape = sim->system->tape;
  const Switch *choice = &tape->switches[index];
  const int branch = sim->expansion->work->branch[index];
  int count = 0;
  if (choice->table == SARRUS_NONE) {
    found[count++] = 0;
  } else {
    const Table *table = &tape->tables[choice->table];
    if (branch > 0) found[count++] = table->x[branch - 1];
    if (branch < table->count) found[count++] = table->x[branch];
  }
  return count;
}

/* Crossings that rounding alone tells apart, relative to the step, are at one instant. */
static const double SAME_INSTANT = 1e-12;

static void add_crossing(Crossings *crossings, int slot, double threshold, int direction) {
  if (crossings->count == SIM_MOST_CROSSINGS) return;
  crossings->at[crossings->count].slot = slot;
  crossings->at[crossings->count].threshold = threshold;
  crossings->at[crossings->count++].direction = direction;
}

Crossings sim_first_crossings(sarrus_Sim *sim, double h) {
  const Tape *tape = sim->system->tape;
  Crossings first = {.h = h};
  for (int pass = 0; pass < 2; pass++) { /* when, then which */
    int found = 0;
    for (int i = 0; i < tape->switch_count; i++) {
      const Switch *choice = &tape->switches[i];
      double threshold[2];
      const int count = thresholds(sim, i, threshold);
      for (int k = 0; k < count; k++) {
        Root root;
        if (!first_root(sim, i, threshold[k], h, &root)) continue;
        found = 1;
        if (pass == 0 && fabs(root.t) < fabs(first.h)) first.h = root.t;
        if (pass == 1 && fabs(root.t - first.h) <= SAME_INSTANT * fabs(h))
          add_crossing(&first, choice->slot, threshold[k], root.direction);
      }
    }
    if (!found) break;
  }
  return first;
}

sarrus_Expr sim_switching(const sarrus_Sim *sim, int slot) {
  const Tape *tape = sim->system->tape;
  int i = 0;
  while (tape->switches[i].slot != slot)
    i++;
  return tape->values[tape->switches[i].value].node;
}

void sim_release_switches(sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->tape->switch_count; i++)
    sim->expansion->work->forced[i] = 0;
}

/* All switches that look at one series with the same threshold turn together. */
static void force(sarrus_Sim *sim, int slot, double threshold, int direction) {
  const Tape *tape = sim->system->tape;
  Work *work = sim->expansion->work;
  for (int i = 0; i < tape->switch_count; i++) {
    const Switch *choice = &tape->switches[i];
    if (choice->slot != slot) continue;
    const int none = choice->table == SARRUS_NONE ? 0 : SARRUS_NONE;
    const int branch = branch_beyond(sim, choice, threshold, direction);
    if (branch == none) continue;
    work->branch[i] = branch;
    work->forced[i] = 1;
  }
}

void sim_force_switches(sarrus_Sim *sim, const Crossings *crossings) {
  for (int i = 0; i < crossings->count; i++)
    force(sim, crossings->at[i].slot, crossings->at[i].threshold, crossings->at[i].direction);
}

/*
** The side to which a switch's series leaves a threshold where it stands within rounding of it, in the direction of
** travel; 0: it stays, or stands elsewhere.
*/
static int leaves(const sarrus_Sim *sim, const Switch *choice, double threshold, double h) {
  double *c = sim->polynomial, size = 0, power = 1;
  const int top = switch_series(sim, choice, threshold, c);
  for (int k = 1; k <= top; k++) {
    c[k] *= power *= h / sim->unit;
    size += fabs(c[k]);
  }
  if (fabs(c[0]) > 16 * DBL_EPSILON * fmax(size, fabs(threshold))) return 0;
  for (int k = 1; k <= top; k++)
    if (fabs(c[k]) > 1e-13 * size) return c[k] > 0 ? 1 : -1;
  return 0;
}

int sim_turn_switch(sarrus_Sim *sim, double h) {
  const Tape *tape = sim->system->tape;
  for (int i = 0; i < tape->switch_count; i++) {
    const Switch *choice = &tape->switches[i];
    double threshold[2];
    const int count = counts(sim, choice, 0) ? thresholds(sim, i, threshold) : 0;
    for (int k = 0; k < count; k++) {
      const int side = leaves(sim, choice, threshold[k], h);
      if (side == 0) continue;
      if (branch_beyond(sim, choice, threshold[k], side) == sim->expansion->work->branch[i])
        continue;
      force(sim, choice->slot, threshold[k], side);
      return i;
    }
  }
  return SARRUS_NONE;
}
