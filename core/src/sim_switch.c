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

static const Switch *switch_of(const sarrus_Sim *sim, int i) {
  return &sim->system->tape->switches[i];
}

/* Nested functions of arguments are on the branch that they are on in the equations. */
static void follow_branches(sarrus_Sim *sim) {
  const Arguments *arguments = &sim->system->arguments;
  const Work *equations = sim->maker.expansion->work;
  Work *work = sim->arguments.work;
  for (int i = 0; i < arguments->own; i++) {
    work->forced[i] = arguments->twin[i] != SARRUS_NONE;
    if (work->forced[i]) work->branch[i] = equations->branch[arguments->twin[i]];
  }
}

/* Whether a threshold counts at t of the piece: that of atan2(y, x) where x < 0. */
static int counts(const sarrus_Sim *sim, int i, double t) {
  const Work *work = sim->maker.expansion->work;
  const ValueStep *step = &work->tape->values[switch_of(sim, i)->value];
  const int cut = sim->system->arguments.cut[i];
  if (step->op != SARRUS_OP_ATAN2) return 1;
  if (cut == SARRUS_NONE) return work->value[step->b] < 0;
  double x = 0;
  for (int k = search_order(&sim->arguments); k >= 0; k--)
    x = x * t + search_output(&sim->arguments, cut)[k];
  return x < 0;
}

/* The series of a switch's argument less a threshold. */
static const double *beyond_threshold(const sarrus_Sim *sim, int i, double threshold) {
  const Search *search = &sim->arguments;
  const double *argument = search_output(search, sim->system->arguments.output[i]);
  double *c = search->polynomial;
  for (int k = 0; k <= search_order(search); k++)
    c[k] = argument[k];
  c[0] -= threshold;
  return c;
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
** The first crossing of one threshold in a piece of the span: 0 if there is none.  A switch that stands on the wrong side of
** it by rounding first enters the branch that it holds already, which is no change.
*/
static int first_root(sarrus_Sim *sim, int i, double threshold, const Piece *piece, Root *first) {
  Search *search = &sim->arguments;
  const Switch *choice = switch_of(sim, i);
  const int held = sim->maker.expansion->work->branch[i];
  Root roots[MOST_ROOTS];
  const double *c = beyond_threshold(sim, i, threshold);
  int count =
      roots_find(c, search_order(search), 0, piece->h, 0, roots, MOST_ROOTS, search->root_work);
  if (count > MOST_ROOTS) count = MOST_ROOTS;
  for (int k = 0; k < count; k++) {
    if (roots[k].direction == 0 || !counts(sim, i, roots[k].t)) continue;
    if (branch_beyond(sim, choice, threshold, roots[k].direction) == held) continue;
    *first = roots[k];
    first->t += piece->begin;
    return 1;
  }
  return 0;
}

/* Thresholds of a switch: 0, or the knots on both sides of a table's piece. */
static int thresholds(const sarrus_Sim *sim, int i, double found[2]) {
  const Switch *choice = switch_of(sim, i);
  const int branch = sim->maker.expansion->work->branch[i];
  int count = 0;
  if (choice->table == SARRUS_NONE) {
    found[count++] = 0;
  } else {
    const Table *table = &sim->system->tape->tables[choice->table];
    if (branch > 0) found[count++] = table->x[branch - 1];
    if (branch < table->count) found[count++] = table->x[branch];
  }
  return count;
}

/* Crossings that rounding alone tells apart, relative to the step, are at one instant. */
static const double SAME_INSTANT = 1e-12;

static void add_crossing(Crossings *crossings, int argument, double threshold, int direction) {
  if (crossings->count == SIM_MOST_CROSSINGS) return;
  crossings->at[crossings->count].argument = argument;
  crossings->at[crossings->count].threshold = threshold;
  crossings->at[crossings->count++].direction = direction;
}

/* The first crossings in a piece; h, in the unit of the series, is when. */
static int crossings_in(sarrus_Sim *sim, const Piece *piece, double whole, Crossings *first) {
  const Arguments *arguments = &sim->system->arguments;
  int found = 0;
  first->h = piece->begin + piece->h;
  for (int pass = 0; pass < 2; pass++) { /* when, then which */
    for (int i = 0; i < arguments->switches; i++) {
      double threshold[2];
      const int count = thresholds(sim, i, threshold);
      for (int k = 0; k < count; k++) {
        Root root;
        if (!first_root(sim, i, threshold[k], piece, &root)) continue;
        found = 1;
        if (pass == 0 && fabs(root.t) < fabs(first->h)) first->h = root.t;
        if (pass == 1 && fabs(root.t - first->h) <= SAME_INSTANT * fabs(whole))
          add_crossing(first, arguments->output[i], threshold[k], root.direction);
      }
    }
    if (!found) break;
  }
  return found;
}

Crossings sim_first_crossings(sarrus_Sim *sim, double h) {
  Search *search = &sim->arguments;
  const double unit = sim->maker.span.unit, whole = h / unit;
  Crossings first = {.h = h};
  int output;
  if (search->tape == NULL) return first;
  follow_branches(sim);
  for (Piece piece = search_begin(search, h);; search_next(&piece)) {
    if (search_piece(search, &piece, whole, &output) < 0) {
      if (piece.begin != 0) first.h = unit * piece.begin;
      work_reset(search->work);
      return first;
    }
    const int last = piece.h == whole - piece.begin;
    if (crossings_in(sim, &piece, whole, &first)) {
      first.h *= unit;
      return first;
    }
    first.h = h;
    if (last) return first;
  }
}

sarrus_Expr sim_switching(const sarrus_Sim *sim, int argument) {
  const Tape *tape = sim->system->tape;
  int i = 0;
  while (sim->system->arguments.output[i] != argument)
    i++;
  return tape->values[tape->switches[i].value].node;
}

/* All switches that look at one argument with the same threshold turn together. */
static void force(sarrus_Sim *sim, int argument, double threshold, int direction) {
  Work *work = sim->maker.expansion->work;
  for (int i = 0; i < sim->system->arguments.switches; i++) {
    const Switch *choice = switch_of(sim, i);
    if (sim->system->arguments.output[i] != argument) continue;
    const int none = choice->table == SARRUS_NONE ? 0 : SARRUS_NONE;
    const int branch = branch_beyond(sim, choice, threshold, direction);
    if (branch == none) continue;
    work->branch[i] = branch;
    work->forced[i] = 1;
  }
}

void sim_force_switches(sarrus_Sim *sim, const Crossings *crossings) {
  for (int i = 0; i < crossings->count; i++)
    force(sim, crossings->at[i].argument, crossings->at[i].threshold, crossings->at[i].direction);
}

/*
** The side to which a switch's series leaves a threshold where it stands within rounding of it, in the direction of
** travel; 0: it stays, or stands elsewhere.
*/
static int leaves(const sarrus_Sim *sim, int i, double threshold, double h) {
  const int top = search_order(&sim->arguments);
  const double *c = beyond_threshold(sim, i, threshold);
  const double size = search_size(c, 1, top, h);
  if (fabs(c[0]) > 16 * DBL_EPSILON * fmax(size, fabs(threshold))) return 0;
  double power = 1;
  for (int k = 1; k <= top; k++)
    if (fabs(c[k] * (power *= h)) > 1e-13 * size) return c[k] * power > 0 ? 1 : -1;
  return 0;
}

int sim_turn_switch(sarrus_Sim *sim, double h) {
  Search *search = &sim->arguments;
  if (search->tape == NULL) return SARRUS_NONE;
  follow_branches(sim);
  if (search_series(search, 0) < 0) return SARRUS_NONE;
  for (int i = 0; i < sim->system->arguments.switches; i++) {
    double threshold[2];
    const int count = counts(sim, i, 0) ? thresholds(sim, i, threshold) : 0;
    for (int k = 0; k < count; k++) {
      const int side = leaves(sim, i, threshold[k], h / sim->maker.span.unit);
      if (side == 0) continue;
      if (branch_beyond(sim, switch_of(sim, i), threshold[k], side) ==
          sim->maker.expansion->work->branch[i])
        continue;
      force(sim, sim->system->arguments.output[i], threshold[k], side);
      return i;
    }
  }
  return SARRUS_NONE;
}
