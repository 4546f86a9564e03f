/*
** Contacts that do nothing to each other are decided apart: resting bodies side by side are many
** small problems.
**
** What touches in more points than forces are determined by is degenerate, and now and then Lemke's
** method ends in a ray there although there are solutions.  Then every contact is made a little
** soft, which picks one: forces change by next to nothing, and what they are in the end is found by
** the equations of the modes.
*/
#include <math.h>
#include <string.h>

#include "contact.h"

/* Of responses, less than this part of both contacts' own is rounding. */
static const double NOTHING = 1e-12;

/* How soft contacts are made, relative to their own response: tried in turn. */
static const double SOFT[] = {0, 1e-12, 1e-10, 1e-8};
enum { SOFT_COUNT = sizeof SOFT / sizeof *SOFT };

/* Whether forces at one contact do anything at another one. */
static int are_coupled(const Decision *d, const double *W, int i, int j) {
  const int rows = contact_row_count(d);
  for (int own = i; own < rows; own += d->count)
    for (int other = j; other < rows; other += d->count) {
      const double size = W[own * rows + own] * W[other * rows + other];
      if (fabs(W[own * rows + other]) > NOTHING * sqrt(fabs(size))) return 1;
    }
  return 0;
}

/* Whether a row of W is kept at 0 by a contact that sticks. */
static int is_kept(const sarrus_Sim *sim, int row) {
  const Decision *d = &sim->decision;
  const int k = row < d->count ? row : row - d->count;
  const ContactMode *mode = &sim->contacts[d->contact[k]].now;
  return mode->mode == SARRUS_STICK && !mode->tied && !(row < d->count && d->least[k] > 0);
}

/* Of its own response, what is left where others hold a contact is rounding below this part. */
static const double HELD = 1e-9;

/* With the rows that are kept eliminated from W, what is left of its own response. */
int contact_is_held(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int rows = 2 * d->count, own = d->count + k;
  double *left = d->matrix;
  memcpy(left, d->W, (size_t)(rows * rows) * sizeof *left);
  for (int p = 0; p < rows; p++) {
    const double pivot = left[p * rows + p];
    if (!is_kept(sim, p) || !(pivot > HELD * d->W[p * rows + p])) continue;
    for (int i = 0; i < rows; i++) {
      const double factor = left[i * rows + p] / pivot;
      for (int j = 0; j < rows && i != p; j++)
        left[i * rows + j] -= factor * left[p * rows + j];
    }
  }
  return left[own * rows + own] <= HELD * d->W[own * rows + own];
}

/* The contacts of the part that `first` belongs to; those that are taken are marked. */
static void gather_part(Decision *d, const double *W, int first) {
  Part *part = &d->part;
  int count = 0;
  part->of[count++] = first;
  part->taken[first] = 1;
  for (int next = 0; next < count; next++)
    for (int k = 0; k < d->count; k++) {
      if (part->taken[k] || !are_coupled(d, W, part->of[next], k)) continue;
      part->taken[k] = 1;
      part->of[count++] = k;
    }
  part->count = count;
}

/* Row i of a part among those of all. */
static int whole_row(const Decision *d, int i) {
  const Part *part = &d->part;
  return i / part->count * d->count + part->of[i % part->count];
}

/*
** What is left of responses and rates that are 0: rounding, which ties of redundant contacts would
** otherwise be decided by, one against the other.  Friction without a gap has 1 as its normal rate
** and response: those are no motion, and have no part in what is the largest.
*/
static const double ROUNDING = 1e-14;

static void clear_rounding(Part *part, int rows) {
  double largest = 0;
  for (int i = 0; i < rows; i++) {
    const double own = part->W[i * rows + i];
    for (int j = 0; j < i; j++) {
      const double size = ROUNDING * sqrt(fabs(own * part->W[j * rows + j]));
      if (fabs(part->W[i * rows + j]) <= size && fabs(part->W[j * rows + i]) <= size)
        part->W[i * rows + j] = part->W[j * rows + i] = 0;
    }
    const int moves = i >= part->count || part->least[i] == 0;
    if (own > 0 && moves) largest = fmax(largest, fabs(part->b[i]) / sqrt(own));
  }
  for (int i = 0; i < rows; i++) {
    const double own = part->W[i * rows + i];
    if (own > 0 && fabs(part->b[i]) <= ROUNDING * sqrt(own) * largest) part->b[i] = 0;
  }
}

static void take_part(Decision *d, const double *W, const double *b, double soft) {
  Part *part = &d->part;
  const int rows = (1 + d->axes) * part->count;
  for (int i = 0; i < rows; i++) {
    const int row = whole_row(d, i);
    for (int j = 0; j < rows; j++)
      part->W[i * rows + j] = W[row * contact_row_count(d) + whole_row(d, j)];
    part->W[i * rows + i] *= 1 + soft;
    part->b[i] = b[row];
  }
  for (int i = 0; i < part->count; i++) {
    const int k = part->of[i];
    part->sliding[i] = d->guided[k] == NO_SLIP ? 0 : d->sliding[k]; /* in an impact */
    part->guided[i] = d->guided[k] == SLIP_WITH_APPROACH;
    part->mu[i] = d->mu[k];
    part->e[i] = d->e[k];
    part->least[i] = d->least[k];
    part->slip[i] = d->slip[k];
  }
  clear_rounding(part, rows);
}

static void give_part(Decision *d) {
  const Part *part = &d->part;
  for (int i = 0; i < (1 + d->axes) * part->count; i++) {
    d->force[whole_row(d, i)] = part->force[i];
    d->rate[whole_row(d, i)] = part->rate[i];
  }
}

static LcpStatus solve_impact_part(Decision *d) {
  Part *part = &d->part;
  const ImpactProblem problem = {part->count,   d->axes, part->W,     part->b,
                                 part->sliding, part->e, part->guided};
  int stages;
  return impact_solve(&problem, part->force, part->rate, &stages, d->impact_work);
}

/* Of shared forces, less than this part of the largest is none. */
static const double NO_FORCE = 1e-9;

/* What shares next to nothing is idle. */
static void leave_idle(Part *part) {
  double largest = 0;
  for (int i = 0; i < part->count; i++)
    largest = fmax(largest, part->force[i]);
  for (int i = 0; i < part->count; i++) {
    const double own = part->W[i * (2 * part->count + 1)];
    if (part->least[i] > 0 || part->force[i] > NO_FORCE * largest) continue;
    if (part->rate[i] > NO_FORCE * own * largest) continue;
    part->mode[i] = FRICTION_OPEN;
    part->force[i] = part->force[part->count + i] = part->rate[i] = 0;
    part->tie[i] = 1;
  }
}

/*
** Whether all that is there has just met, and moves apart without forces.  With much friction it
** might jam as well, but nothing presses it yet: it does not.
*/
static int leaves_again(const Decision *d) {
  const Part *part = &d->part;
  int leaves = 1;
  for (int i = 0; i < part->count && leaves; i++)
    leaves = d->met[part->of[i]] && part->b[i] > 0;
  return leaves;
}

/* No forces. */
static void leave_apart(Decision *d) {
  const Part *part = &d->part;
  for (int i = 0; i < 2 * part->count; i++) {
    part->force[i] = 0;
    part->rate[i] = part->b[i];
  }
  for (int i = 0; i < part->count; i++) {
    d->mode[part->of[i]] = FRICTION_OPEN;
    d->tie[part->of[i]] = 0;
  }
}

static LcpStatus solve_force_part(Decision *d) {
  Part *part = &d->part;
  if (leaves_again(d)) {
    leave_apart(d);
    return LCP_SOLVED;
  }
  const FrictionProblem problem = {part->count, part->W,     part->b,  part->mu,
                                   part->slip,  part->least, d->shares};
  const FrictionAnswer answer = {part->force, part->rate, part->mode, part->tie};
  const LcpStatus status = friction_solve(&problem, &answer, d->friction_work);
  if (status == LCP_SOLVED && d->shares) leave_idle(part);
  for (int i = 0; i < part->count && status == LCP_SOLVED; i++) {
    d->mode[part->of[i]] = part->mode[i];
    d->tie[part->of[i]] = part->tie[i];
  }
  return status;
}

/* All parts, one after the other. */
static sarrus_Status solve_parts(sarrus_Sim *sim, const double *W, const double *b,
                                 LcpStatus (*solve)(Decision *d)) {
  Decision *d = &sim->decision;
  memset(d->part.taken, 0, (size_t)d->count * sizeof *d->part.taken);
  for (int k = 0; k < d->count; k++) {
    LcpStatus status = LCP_RAY;
    if (d->part.taken[k]) continue;
    gather_part(d, W, k);
    for (int i = 0; i < SOFT_COUNT && status != LCP_SOLVED; i++) {
      take_part(d, W, b, SOFT[i]);
      status = solve(d);
      if (status == LCP_NOT_FINITE) return SARRUS_NONFINITE;
    }
    if (status != LCP_SOLVED) return contact_bad_contact(sim, d->contact[k], 0);
    give_part(d);
  }
  return SARRUS_OK;
}

sarrus_Status contact_solve_impact(sarrus_Sim *sim) {
  return solve_parts(sim, sim->decision.W, sim->decision.speed, solve_impact_part);
}

sarrus_Status contact_solve_forces(sarrus_Sim *sim) {
  return solve_parts(sim, sim->decision.matrix, sim->decision.right, solve_force_part);
}
