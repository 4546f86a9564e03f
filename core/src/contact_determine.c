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
#include <string.h>

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

/*
** Gauss and Jordan with complete pivoting: the rank; the first columns are those of the pivots.
** Rows have `width` numbers, right-hand sides behind.
*/
static int eliminate(double *A, int n, int width, int *column) {
  int rank = 0;
  for (int j = 0; j < n; j++)
    column[j] = j;
  for (; rank < n; rank++) {
    int r = rank, c = rank;
    for (int i = rank; i < n; i++)
      for (int j = rank; j < n; j++)
        if (fabs(A[i * width + column[j]]) > fabs(A[r * width + column[c]])) r = i, c = j;
    if (!(fabs(A[r * width + column[c]]) > DEPENDENT)) break;
    const int swap = column[rank];
    column[rank] = column[c];
    column[c] = swap;
    for (int j = 0; j < width; j++) {
      const double keep = A[r * width + j];
      A[r * width + j] = A[rank * width + j];
      A[rank * width + j] = keep;
    }
    for (int i = 0; i < n; i++) {
      const double factor = A[i * width + column[rank]] / A[rank * width + column[rank]];
      for (int j = 0; i != rank && j < width; j++)
        A[i * width + j] -= factor * A[rank * width + j];
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
  const int rank = eliminate(A, n, n, column);
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

/*
** In space all share that can, as a plate on equally soft feet would, however soft: with a small
** virtual motion z of everything, N = max(0, G z), G being rows of gaps.  That is the shortest N
** among all that press alike, so it is the same seen in a mirror and in any order of contacts, and
** goes over from one motion to the next without a jump (T75).  Friction goes with N.
*/
static int may_share(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int spatial = sim->system->contacts[d->contact[k]].slips == 2;
  if (!spatial || d->least[k] > 0 || d->stopped[k] || !can_move(d, k)) return 0;
  return d->mode[k] != FRICTION_OPEN || contact_is_idle(sim, k);
}

/* What of forces is rounding, relative to the largest. */
static const double NO_FORCE = 1e-9;

/* The rate of a gap with all forces, but for those of what shares. */
static double rate_without(const Decision *d, const int *shares, int k) {
  const double *W = d->W + (ptrdiff_t)k * 2 * d->count;
  double rate = d->b[k];
  for (int j = 0; j < d->count; j++)
    if (!shares[j]) rate += W[j] * d->force[j] + W[d->count + j] * d->force[d->count + j];
  return rate;
}

/* What a force along gap j does to gap k, with the friction that goes with it. */
static double pushes(const Decision *d, int k, int j) {
  return effect(d, k, j) * sqrt(d->W[k * (2 * d->count + 1)] * d->W[j * (2 * d->count + 1)]);
}

/*
** Forces of n contacts that share, N = W_nn z, by W' W_nn z = -rates: the rank.  u = W_nn z is that
** of all others, too.
*/
static int share_among(Decision *d, const int *shares, const int *list, int n, double *u) {
  const int rows = 2 * d->count, width = n + 1;
  double *A = d->matrix, *z = d->right;
  int *column = d->part.taken;
  for (int i = 0; i < n; i++) {
    const double unit = sqrt(d->W[list[i] * (rows + 1)]);
    for (int j = 0; j < n; j++) {
      A[i * width + j] = 0;
      for (int l = 0; l < n; l++)
        A[i * width + j] += pushes(d, list[i], list[l]) * d->W[list[l] * rows + list[j]];
      A[i * width + j] /= unit * pow(d->W[list[j] * (rows + 1)], 1.5);
    }
    A[i * width + n] = -rate_without(d, shares, list[i]) / unit;
  }
  const int rank = eliminate(A, n, width, column);
  for (int k = 0; k < n; k++)
    z[column[k]] = k < rank ? A[k * width + n] / A[k * width + column[k]] : 0;
  for (int k = 0; k < d->count; k++) {
    u[k] = 0;
    for (int j = 0; j < n; j++)
      u[k] += d->W[k * rows + list[j]] * z[j] / pow(d->W[list[j] * (rows + 1)], 1.5);
  }
  return rank;
}

/* What shares: first all that may; their number, or 0 where nothing of it rubs. */
static int gather_sharing(sarrus_Sim *sim, int *shares, int *list) {
  Decision *d = &sim->decision;
  int n = 0, found = 0;
  for (int k = 0; k < d->count; k++)
    if ((shares[k] = may_share(sim, k))) list[n++] = k;
  for (int i = 0; i < n; i++)
    found |= rubs(d, list[i]);
  return found ? n : 0;
}

/* Take one away that pulls, or one in that would be pressed; whether there is such. */
static int exchange_sharing(const Decision *d, const double *u, const int *shares, int *list,
                            int *count) {
  int *n = count, worst = SARRUS_NONE, most = SARRUS_NONE;
  double largest = 0;
  for (int i = 0; i < *n; i++)
    largest = fmax(largest, fabs(u[list[i]]));
  for (int i = 0; i < *n; i++)
    if (u[list[i]] <= NO_FORCE * largest && (worst < 0 || u[list[i]] < u[list[worst]])) worst = i;
  if (worst >= 0) {
    for (int i = worst; i + 1 < *n; i++)
      list[i] = list[i + 1];
    --*n;
    return 1;
  }
  for (int k = 0; k < d->count; k++) {
    int in = !shares[k];
    for (int i = 0; i < *n; i++)
      in |= list[i] == k;
    if (!in && u[k] > NO_FORCE * largest && (most < 0 || u[k] > u[most])) most = k;
  }
  if (most >= 0) list[(*n)++] = most;
  return most >= 0;
}

/* Whether none that is left out is pressed into what it touches. */
static int leaves_none(const Decision *d, const double *u, const int *shares, const int *list,
                       int n) {
  for (int k = 0; k < d->count; k++) {
    if (!shares[k]) continue;
    double rate = rate_without(d, shares, k), size = fabs(rate);
    for (int i = 0; i < n; i++) {
      const double part = pushes(d, k, list[i]) * u[list[i]];
      rate += part;
      size += fabs(part);
    }
    if (rate < -NO_FORCE * size) return 0;
  }
  return 1;
}

/* What has been found is what is pressed. */
static void take_sharing(Decision *d, const double *u, const int *shares, const int *list, int n) {
  for (int k = 0; k < d->count; k++) {
    if (!shares[k]) continue;
    d->mode[k] = FRICTION_OPEN;
    d->force[k] = d->force[d->count + k] = d->rate[k] = 0;
    d->tie[k] = 1;
  }
  for (int i = 0; i < n; i++) {
    const int k = list[i];
    d->mode[k] = FRICTION_SLIP_PLUS;
    d->force[k] = u[k];
    if (rubs(d, k)) d->force[d->count + k] = -d->mu[k] * u[k];
  }
}

/*
** Whether forces were open, and are shared now.  As many exchanges as are tried have never been
** needed; without an answer what was found stays.
*/
static int share_sliding(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  Part *part = &d->part;
  int *shares = part->slip, *list = part->of;
  double *u = part->b;
  int n = gather_sharing(sim, shares, list), found = 0;
  if (n == 0) return 0;
  for (int k = 0; k < d->count; k++) {
    part->mode[k] = d->mode[k];
    part->mu[k] = d->mu[k];
    if (!shares[k] || d->mode[k] != FRICTION_OPEN) continue;
    d->mode[k] = FRICTION_SLIP_PLUS;
    d->mu[k] = d->held[k] ? 0 : d->sliding[k];
  }
  if (share_among(d, shares, list, n, u) < n)
    for (int i = 4 * n; i > 0 && n > 0 && !found; i--) {
      found = !exchange_sharing(d, u, shares, list, &n);
      if (!found) share_among(d, shares, list, n, u);
    }
  if (found && leaves_none(d, u, shares, list, n)) {
    take_sharing(d, u, shares, list, n);
    return 1;
  }
  memcpy(d->mode, part->mode, (size_t)d->count * sizeof *d->mode);
  memcpy(d->mu, part->mu, (size_t)d->count * sizeof *d->mu);
  return 0;
}

void contact_determine(sarrus_Sim *sim) {
  int *pressed = sim->decision.part.of, n;
  double *y = sim->decision.right;
  if (sim->decision.shares && share_sliding(sim)) return;
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
