/*
** What slips on more points than forces are determined by, as a box on four corners, is not only
** pressed in many ways: friction differs from point to point, and so the motion depends on how the
** load is shared.  The shortest forces (T12) are then no choice that lasts: what they are
** orthogonal to turns with the directions of slip.  So some of the points are left idle.  With N,
** the forces found, and W y = 0,
**
**   N - s y >= 0
**
** do the same for all s, and the largest s leaves one of them without a force.
*/
#include <math.h>

#include "contact.h"

/* Of unknowns scaled so that their diagonal is 1: pivots below this are rounding. */
static const double DEPENDENT = 1e-10;

/* What is less than this of a null vector takes no part in it. */
static const double NO_PART = 1e-6;

static int is_pressed(const Decision *d, int k) {
  return d->mode[k] != FRICTION_OPEN && d->least[k] == 0;
}

/* It slips, and friction acts against that. */
static int rubs(const Decision *d, int k) {
  return is_pressed(d, k) && !d->held[k] && d->mu[k] > 0 && d->mode[k] != FRICTION_STICK;
}

/* What is held in this direction by others does not move, whatever presses it. */
static int can_move(const Decision *d, int k) {
  double largest = 0;
  for (int j = 0; j < d->count; j++)
    largest = fmax(largest, d->W[j * (2 * d->count + 1)]);
  return d->W[k * (2 * d->count + 1)] > DEPENDENT * largest;
}

/*
** Contacts that are pressed, their number; 0 where none slips, or where the plane has some that
** stick: these are loosened later.
*/
static int gather(const sarrus_Sim *sim, int *pressed) {
  const Decision *d = &sim->decision;
  int count = 0, found = 0;
  for (int k = 0; k < d->count; k++) {
    if (!is_pressed(d, k) || !can_move(d, k)) continue;
    if (d->mode[k] == FRICTION_STICK && d->mu[k] > 0) return 0;
    pressed[count++] = k;
    found |= rubs(d, k);
  }
  return found ? count : 0;
}

/* What the force of contact j, with its friction, does to the gap of contact i; scaled. */
static double effect(const Decision *d, int i, int j) {
  const int rows = 2 * d->count;
  const double slip = d->mode[j] == FRICTION_SLIP_MINUS ? -1 : 1;
  const double rubbed = rubs(d, j) ? slip * d->mu[j] * d->W[i * rows + d->count + j] : 0;
  return (d->W[i * rows + j] - rubbed) / sqrt(d->W[i * rows + i] * d->W[j * rows + j]);
}

/* Gauss and Jordan with complete pivoting: the rank; the first columns are those of the pivots. */
static int eliminate(double *A, int n, int *column) {
  int rank = 0;
  for (int j = 0; j < n; j++)
    column[j] = j;
  for (; rank < n; rank++) {
    int r = rank, c = rank;
    for (int i = rank; i < n; i++)
      for (int j = rank; j < n; j++)
        if (fabs(A[i * n + column[j]]) > fabs(A[r * n + column[c]])) r = i, c = j;
    if (!(fabs(A[r * n + column[c]]) > DEPENDENT)) break;
    const int swap = column[rank];
    column[rank] = column[c];
    column[c] = swap;
    for (int j = 0; j < n; j++) {
      const double keep = A[r * n + j];
      A[r * n + j] = A[rank * n + j];
      A[rank * n + j] = keep;
    }
    for (int i = 0; i < n; i++) {
      const double factor = A[i * n + column[rank]] / A[rank * n + column[rank]];
      for (int j = 0; i != rank && j < n; j++)
        A[i * n + j] -= factor * A[rank * n + j];
    }
  }
  return rank;
}

/* The null vector of a column that is none of the pivots'; whether what rubs takes part in it. */
static int null_vector(const Decision *d, const double *A, int n, int rank, const int *column,
                       int free, const int *pressed, double *y) {
  double largest = 1;
  int found = 0;
  for (int j = 0; j < n; j++)
    y[j] = j == column[free];
  for (int k = 0; k < rank; k++) {
    y[column[k]] = -A[k * n + column[free]] / A[k * n + column[k]];
    largest = fmax(largest, fabs(y[column[k]]));
  }
  for (int j = 0; j < n; j++) {
    if (fabs(y[j]) < NO_PART * largest) y[j] = 0;
    found |= y[j] != 0 && rubs(d, pressed[j]);
    y[j] /= sqrt(d->W[pressed[j] * (2 * d->count + 1)]);
  }
  return found;
}

/* How far forces can go along a null vector, and which of them ends there. */
static double way_along(const Decision *d, const double *y, int n, const int *pressed, double sign,
                        int *last) {
  double way = (double)INFINITY;
  for (int j = 0; j < n; j++) {
    if (!(sign * y[j] > 0) || d->force[pressed[j]] >= way * sign * y[j]) continue;
    way = d->force[pressed[j]] / (sign * y[j]);
    *last = j;
  }
  return way;
}

/* One that was idle stays so; otherwise what has the least force. */
static void leave_idle(sarrus_Sim *sim, const double *y, int n, const int *pressed) {
  Decision *d = &sim->decision;
  int last[2] = {SARRUS_NONE, SARRUS_NONE}, was[2] = {0, 0};
  double way[2];
  for (int i = 0; i < 2; i++) {
    way[i] = way_along(d, y, n, pressed, i == 0 ? 1 : -1, &last[i]);
    if (last[i] == SARRUS_NONE) continue;
    was[i] = sim->contacts[d->contact[pressed[last[i]]]].kept_slip.mode == SARRUS_OPEN;
  }
  const int back = was[0] == was[1] ? way[1] < way[0] : was[1];
  for (int j = 0; j < n; j++) {
    const int k = pressed[j];
    if (y[j] == 0) continue;
    d->force[k] = fmax(0, d->force[k] - (back ? -way[1] : way[0]) * y[j]);
    if (rubs(d, k))
      d->force[d->count + k] = copysign(d->mu[k] * d->force[k], d->force[d->count + k]);
  }
  const int k = pressed[last[back]];
  d->mode[k] = FRICTION_OPEN;
  d->force[k] = d->force[d->count + k] = d->rate[k] = 0;
  d->tie[k] = 1;
}

/*
** A null vector of what is pressed, in which something that rubs takes part: how many contacts
** there are, or 0 where there is none.
*/
static int find_ambiguous(const sarrus_Sim *sim, int *pressed, double *y) {
  const Decision *d = &sim->decision;
  double *A = d->matrix;
  int *column = d->part.taken;
  const int n = gather(sim, pressed);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i * n + j] = effect(d, pressed[i], pressed[j]);
  const int rank = eliminate(A, n, column);
  for (int free = rank; free < n; free++)
    if (null_vector(d, A, n, rank, column, free, pressed, y)) return n;
  return 0;
}

/* One that is idle now, though it was pressed, and did not lift. */
static int was_pressed(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const ContactState *state = &sim->contacts[d->contact[k]];
  if (d->mode[k] != FRICTION_OPEN || !d->tie[k] || contact_is_out(sim, k)) return 0;
  return sim->system->contacts[d->contact[k]].slips == 2 && state->kept_slip.mode != SARRUS_OPEN;
}

/* Who carries the load stays the same from decision to decision, if it can. */
static void keep_pressed(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++) {
    if (!was_pressed(sim, k)) continue;
    d->mode[k] = FRICTION_SLIP_PLUS;
    if (!d->held[k]) d->mu[k] = d->sliding[k];
    const int n = find_ambiguous(sim, d->part.of, d->right);
    if (n > 0)
      leave_idle(sim, d->right, n, d->part.of);
    else
      d->mode[k] = FRICTION_OPEN;
  }
}

void contact_determine(sarrus_Sim *sim) {
  int *pressed = sim->decision.part.of, n;
  double *y = sim->decision.right;
  keep_pressed(sim);
  while ((n = find_ambiguous(sim, pressed, y)) > 0)
    leave_idle(sim, y, n, pressed);
}

int contact_may_be_pressed(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  d->mode[k] = FRICTION_SLIP_PLUS;
  d->mu[k] = d->sliding[k];
  const int ambiguous = find_ambiguous(sim, d->part.of, d->right) > 0;
  if (ambiguous) d->mode[k] = FRICTION_OPEN;
  return !ambiguous;
}
