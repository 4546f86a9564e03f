/*
** Piecewise functions: a step ends where one of them changes its branch, and the next begins on the new
** branch by force, since the value there is zero up to rounding.
**
** Where a step begins on a threshold, the series must leave it to the side that the branch stands for.  If it
** does not, the other branch is tried; if both push back, the motion sticks, which is not solved here.
*/
#include <math.h>

#include "roots.h"
#include "sim_parts.h"

enum { MOST_ROOTS = 8 };

/* The switch's series less its threshold; answers its order. */
static int switch_series(const sarrus_Sim *sim, const Switch *choice, double threshold, double *c) {
  const Work *work = sim->expansion->work;
  const int lead = work->tape->slots[choice->slot].lead;
  const int top = lead == LEAD_KNOWN ? 1 : sim->order - 1 + lead;
  for (int k = 0; k <= top; k++)
    c[k] = work->stores[choice->slot].plain[k];
  c[0] -= threshold;
  return top;
}

/* Keep the first change of branch of one switch at one threshold, if it comes before *first. */
static void look_for(sarrus_Sim *sim, int index, double threshold, int up, int down,
                     Crossing *first) {
  const Switch *choice = &sim->system->tape->switches[index];
  Root roots[MOST_ROOTS];
  const int order = switch_series(sim, choice, threshold, sim->polynomial);
  int count = roots_find(sim->polynomial, order, 0, first->h, 0, roots, MOST_ROOTS, sim->root_work);
  if (count > MOST_ROOTS) count = MOST_ROOTS;
  for (int i = 0; i < count; i++) {
    if (roots[i].direction == 0) continue;
    if (fabs(roots[i].t) < fabs(first->h) || first->slot == SARRUS_NONE)
      *first = (Crossing){roots[i].t, choice->slot, threshold, roots[i].direction > 0 ? up : down};
    return;
  }
}

Crossing sim_first_crossing(sarrus_Sim *sim, double h) {
  const Tape *tape = sim->system->tape;
  Crossing first = {h, SARRUS_NONE, 0, 0};
  for (int i = 0; i < tape->switch_count; i++) {
    const Switch *choice = &tape->switches[i];
    const int branch = sim->expansion->work->branch[i];
    if (choice->table == SARRUS_NONE) {
      look_for(sim, i, 0, 1, -1, &first);
      continue;
    }
    const Table *table = &tape->tables[choice->table];
    if (branch > 0) look_for(sim, i, table->x[branch - 1], branch, branch - 1, &first);
    if (branch < table->count) look_for(sim, i, table->x[branch], branch + 1, branch, &first);
  }
  return first;
}

void sim_release_switches(sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->tape->switch_count; i++)
    sim->expansion->work->forced[i] = 0;
}

/* All switches that look at the same series with the same threshold turn together. */
void sim_force_switches(sarrus_Sim *sim, const Crossing *crossing) {
  const Tape *tape = sim->system->tape;
  Work *work = sim->expansion->work;
  for (int i = 0; i < tape->switch_count; i++) {
    const Switch *choice = &tape->switches[i];
    if (choice->slot != crossing->slot) continue;
    if (choice->table != SARRUS_NONE) {
      const Table *table = &tape->tables[choice->table];
      const int low = crossing->branch - 1, high = crossing->branch;
      const int here = (low >= 0 && low < table->count && table->x[low] == crossing->threshold) ||
                       (high < table->count && table->x[high] == crossing->threshold);
      if (!here) continue;
    } else if (crossing->threshold != 0) {
      continue;
    }
    work->branch[i] = crossing->branch;
    work->forced[i] = 1;
  }
}

void sim_turn_switch(sarrus_Sim *sim, int index) {
  Work *work = sim->expansion->work;
  const Switch *choice = &sim->system->tape->switches[index];
  const Crossing turn = {0, choice->slot, 0, -work->branch[index]};
  sim_force_switches(sim, &turn);
}

/* The side to which a switch's series leaves zero in the direction of travel; 0: it stays. */
static int leaves(const sarrus_Sim *sim, const Switch *choice) {
  const int top = switch_series(sim, choice, 0, sim->polynomial);
  double size = 0, power = 1;
  for (int k = 1; k <= top; k++)
    size = fmax(size, fabs(sim->polynomial[k]));
  for (int k = 1; k <= top; k++) {
    power *= sim->direction;
    if (fabs(sim->polynomial[k]) > 1e-13 * size) return sim->polynomial[k] * power > 0 ? 1 : -1;
  }
  return 0;
}

int sim_wrong_switch(const sarrus_Sim *sim) {
  const Tape *tape = sim->system->tape;
  const Work *work = sim->expansion->work;
  for (int i = 0; i < tape->switch_count; i++) {
    const Switch *choice = &tape->switches[i];
    if (choice->table != SARRUS_NONE) continue; /* continuous with its slope */
    if (!work->forced[i] && work->stores[choice->slot].plain[0] != 0) continue;
    const int side = leaves(sim, choice);
    if (side != 0 && side != work->branch[i]) return i;
  }
  return SARRUS_NONE;
}
