/*
** Step and order.
**
** Step.  The last four coefficients of every variable, in a norm over q and h v relative to scale and lambda relative
** to what the equations hold, tell the largest h at which they stay below the tolerance (two are not enough:
** a chain released from rest runs in powers of t^4).
**
** Order.  An expansion to order K costs c0 + c1 K + c2 K^2, in operations counted from the tape and the
** matrix, and serves a step h(K).  The ratio is compared for K, for K - 2, whose coefficients are there
** too, and for K + 2, extrapolated; the cheapest is next.
*/
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "sim_parts.h"
#include "vector.h"

enum { LAST_COEFFICIENTS = 4, ORDER_CHANGE = 2, LEAST_ORDER = 8 };

/* (T38): a pole of the multipliers may be nearby if they want a step so much shorter than the motion. */
static const double POLE = 0.5;

/* The size of coefficient k (T13): of q and, times h, of v; relative to scale. */
static double motion_size(const sarrus_Sim *sim, int k) {
  return k * vector_peak(sim->dense + (ptrdiff_t)k * sim->variables, sim->scale, sim->n);
}

static const double *multipliers(const sarrus_Sim *sim, int k) {
  return sim->dense + (ptrdiff_t)k * sim->variables + sim->n;
}

/*
** Multipliers are as accurate as accelerations, whose coefficient k is (k+1)(k+2) times that of positions two orders higher;
** velocities, which bound the step, are k + 2 times less accurate than positions.
*/
static double multiplier_size(const sarrus_Sim *sim, int k) {
  return vector_peak(multipliers(sim, k), sim->scale + sim->n, sim->m) / (k + 1);
}

/* What the equations hold at most, now: with D of (T10), multipliers and accelerations of all of them are alike. */
static double largest_held(const sarrus_Sim *sim) {
  const double *d = sim->expansion->kkt->column;
  const double *first = expansion_at(sim->expansion, 0, 0);
  double largest = 0;
  for (int i = sim->n; i < sim->variables; i++)
    largest = fmax(largest, fabs(first[i]) / d[i]);
  for (int j = 0; j < sim->n; j++)
    largest = fmax(largest, fabs(expansion_acceleration(sim->expansion, j)) / d[j]);
  return largest;
}

/*
** An error of a multiplier is relative to what the equations hold in which it appears; in general DAEs, to itself.  Past a
** pole it says nothing.
*/
void sim_note_multipliers(sarrus_Sim *sim) {
  const double *d = sim->expansion->kkt->column, *first = expansion_at(sim->expansion, 0, 0);
  const int general = sim->system->general;
  sim->held = general ? 0 : largest_held(sim);
  for (int i = sim->n; i < sim->variables && !sim->pole; i++)
    sim->scale[i] = fmax(sim->scale[i], general ? fabs(first[i]) : sim->held * d[i]);
}

/* The least displacement of a coordinate by its scale, as D measures it. */
static double least_displacement(const sarrus_Sim *sim) {
  const double *d = sim->expansion->kkt->column;
  double least = (double)INFINITY;
  for (int j = 0; j < sim->n; j++)
    least = fmin(least, sim->scale[j] / d[j]);
  return least;
}

/*
** Where next to nothing is held yet, that would ask for too much: an error that moves nothing by more than rounding is
** none.  In h, D_i h^-2 times this moves some coordinate so far.
*/
static double rounding_force(const sarrus_Sim *sim) {
  return DBL_EPSILON / sim->options.tolerance * least_displacement(sim);
}

double sim_multiplier_error(const sarrus_Sim *sim, double h, const double *error) {
  const double *d = sim->expansion->kkt->column + sim->n, *scale = sim->scale + sim->n;
  const double rounding = rounding_force(sim) / (h * h);
  double worst = 0;
  for (int i = 0; i < sim->m; i++)
    worst = fmax(worst, fabs(error[i]) / fmax(scale[i], rounding * d[i]));
  return worst;
}

/* A step must not end next to a pole: between these parts of the distance to it. */
static const double SHORT_OF_POLE = 0.5, PAST_POLE = 1.3;

/*
** The time in which the motion at `to` changes, by its speeds and by what the equations hold (accelerations may just
** vanish); infinite where nothing moves and nothing is held.
*/
static double time_by_forces(const sarrus_Sim *sim) {
  const double speed = vector_peak(sim->to.v, sim->scale, sim->n);
  const double bend = sim->system->general ? 0 : largest_held(sim) / least_displacement(sim);
  return 1 / fmax(speed, sqrt(bend));
}

/* Steps may be so many times, as a power of two, as long or as short as the unit of time; beyond that, it is chosen anew (T39). */
enum { UNIT_BITS = 8, MOST_UNIT_BITS = 400 };

sarrus_Status sim_choose_unit(sarrus_Sim *sim) {
  Work *work = sim->expansion->work;
  const double step = sim->natural > 0 ? sim->natural : time_by_forces(sim);
  if (!(step > DBL_MIN && step < DBL_MAX)) return SARRUS_OK;
  const int bits = ilogb(fmin(fmax(step, ldexp(1, -MOST_UNIT_BITS)), ldexp(1, MOST_UNIT_BITS)));
  const double before = work->unit;
  if (abs(bits - ilogb(before)) <= UNIT_BITS) return SARRUS_OK;
  work_set_unit(work, ldexp(1, bits));
  const sarrus_Status status = sim_prepare(sim, &sim->to);
  if (status < 0) work_set_unit(work, before);
  return status;
}

/* What rounding may be in coefficients next to a singular position. */
static const double MOST_ROUNDING = 1e-12;

/* Next to a singular position, the margin of rank is below this part of the largest so far. */
static const double NEAR_MARGIN = 0.03;

double sim_near_margin(const sarrus_Sim *sim) { return NEAR_MARGIN * sim->best_margin; }

static int near_singular(const sarrus_Sim *sim) {
  return sim->m > 0 && !sim->system->general &&
         (sim->pole || sim->from_margin < sim_near_margin(sim));
}

/*
** What the last coefficients are kept below: the tolerance; but from 4e-10 on less than that, so that truncation, which
** adds up step by step, stays below rounding, which goes its random way (pendulum, 10^6 steps: energy to 1e-12 in place
** of 1e-11, for 12 % more steps; a chain of 20 rods for 100 s, 256th in place of 64th of 1e-12: to 2e-12 in place of
** 1.5e-11, for 3 % more).  Next to a singular position coefficients are rounding, amplified by what the margin of rank has
** lost; to ask for less than that would keep steps short of it for ever (but 1e-12 wherever the margin is small: energy
** of a four-bar, 1000 s, to 2e-11 in place of 7e-13).
*/
static double aim(const sarrus_Sim *sim) {
  const double tolerance = sim->options.tolerance;
  const double least = tolerance * fmin(1, fmax(tolerance / 4e-10, 1.0 / 256));
  if (sim->pole) return fmax(tolerance, MOST_ROUNDING);
  if (!near_singular(sim)) return least;
  return fmax(least, fmin(MOST_ROUNDING, 4 * DBL_EPSILON * sim->best_margin / sim->from_margin));
}

/* The logarithm of the step h at which size h^k is what is wanted. */
static double log_step(double wanted, double size, int k) {
  return size > 0 ? log(wanted / size) / k : (double)INFINITY;
}

/* The step at which the last coefficients up to K + 1 stay below the tolerance (T14). */
static double motion_step(const sarrus_Sim *sim, int order) {
  const double wanted = aim(sim);
  double log_h = (double)INFINITY; /* one exponential for all */
  for (int k = order + 2 - LAST_COEFFICIENTS; k <= order + 1; k++)
    if (k > 0) log_h = fmin(log_h, log_step(wanted, motion_size(sim, k), k));
  return sim->unit * exp(log_h);
}

/* The same for multipliers, whose errors do not add up. */
static double multiplier_step(const sarrus_Sim *sim, int order) {
  const double wanted = fmax(sim->options.tolerance, aim(sim));
  const double rounding = rounding_force(sim) / (sim->unit * sim->unit);
  double relative = (double)INFINITY, moving = (double)INFINITY;
  if (sim->m == 0) return relative;
  for (int k = order - LAST_COEFFICIENTS; k < order; k++) {
    if (k < 1) continue;
    if (sim->scale[sim->n] > 0)
      relative = fmin(relative, log_step(wanted, multiplier_size(sim, k), k));
    const double size =
        vector_peak(multipliers(sim, k), sim->expansion->kkt->column + sim->n, sim->m);
    moving = fmin(moving, log_step(wanted * rounding, size, k + 2));
  }
  return sim->unit * exp(sim->scale[sim->n] > 0 ? fmax(relative, moving) : moving);
}

/*
** Where the series ends early, as that of a free fall, nothing is truncated; then rounding bounds the step, by the
** growth of what is left.
*/
static const double MOST_GROWTH = 100;

static double step_for_rounding(const sarrus_Sim *sim) {
  double h = (double)INFINITY;
  for (int k = 1; k <= sim->dense_order + 1; k++) {
    const double x = motion_size(sim, k);
    if (x > 0) h = fmin(h, pow(MOST_GROWTH / x, 1.0 / k));
  }
  return isfinite(h) ? sim->unit * h : fmax(sim->unit, 10 * sim->stats.largest);
}

/*
** Where something rests that is held, as a truss under its load, accelerations are rounding of what holds it, and move
** nothing beyond the tolerance in steps up to some length.  What moves more than so many times that does not rest.
*/
static const double RESTS = 100;

static double step_at_rest(const sarrus_Sim *sim, double h) {
  const double tolerance = sim->options.tolerance, moves = DBL_EPSILON * sim->held / 2;
  if (sim->m == 0 || !(moves > 0)) return h;
  const double longest = sqrt(tolerance * least_displacement(sim) / moves);
  const double t = longest / sim->unit;
  if (h <= longest || motion_size(sim, 1) * t > RESTS * tolerance) return h;
  return motion_size(sim, 2) * t * t > RESTS * tolerance ? h : longest;
}

/* Where the multipliers' series has its pole, by the ratio of its last coefficients. */
static double pole_distance(const sarrus_Sim *sim) {
  const int k = sim->dense_order - 1;
  const double last = sim->scale[sim->n] > 0 ? multiplier_size(sim, k) : 0;
  return last > 0 ? sim->unit * k * multiplier_size(sim, k - 1) / ((k + 1) * last)
                  : (double)INFINITY;
}

/*
** Whether it looks like one on the real axis, coefficients c_k of the largest multiplier being in a constant ratio (those
** of a pair of complex poles turn round), and rounding, which grows towards it, keeps the motion's steps short of it too.
*/
static int is_kept_short_of_pole(const sarrus_Sim *sim, double motion) {
  const double distance = pole_distance(sim);
  if (!(motion > 0.75 * distance && motion < PAST_POLE * distance)) return 0;
  const ptrdiff_t row = sim->variables;
  const double *c = sim->dense + (sim->dense_order - 1) * row + sim->n;
  int largest = 0;
  for (int i = 1; i < sim->m; i++)
    if (fabs(c[i]) / sim->scale[sim->n + i] > fabs(c[largest]) / sim->scale[sim->n + largest])
      largest = i;
  c += largest;
  for (int k = 1; k <= 2; k++, c -= row) {
    const double square = c[-row] * c[-row];
    if (!(fabs(c[0] * c[-2 * row] - square) < 0.1 * square)) return 0;
  }
  return 1;
}

/* How far the matrix is from losing its rank at the positions that the series give at dt: log2 of its volume. */
static double volume_at(sarrus_Sim *sim, double dt) {
  Point there = {.t = sim->from.t + dt, .q = sim->newton, .v = sim->spare_v};
  sim_evaluate(sim, dt, there.q, there.v, NULL, NULL);
  if (!vector_finite(there.q, sim->n) || !vector_finite(there.v, sim->n)) return (double)NAN;
  const sarrus_Status status = sim_place(sim, &there) < 0 ? SARRUS_NONFINITE : sim_factor(sim);
  if (status == SARRUS_SINGULAR) return -(double)INFINITY;
  return status < 0 ? (double)NAN : kkt_log_volume(sim->expansion->kkt);
}

/* On the second half of the way the volume falls by more than on the first, by a factor of 4. */
static int loses_rank(sarrus_Sim *sim, double dt, double here) {
  const double there = volume_at(sim, dt), between = volume_at(sim, dt / 2);
  return there - between < between - here - 2;
}

/*
** A singular position is a pole of the multipliers, but not of the motion, which goes on: there the multipliers are left
** out of the norm.  That the matrix loses its rank at the pole, ahead or behind, is what tells it from multipliers
** that merely change fast.  And where the motion's own step ends far before, the series say nothing of what is there.
*/
static int find_pole(sarrus_Sim *sim, double motion) {
  const double distance = pole_distance(sim);
  if (!(distance < 2 * motion)) return 0;
  const double here = volume_at(sim, 0);
  const int found = loses_rank(sim, distance, here) || loses_rank(sim, -distance, here);
  return sim_place(sim, &sim->from) == SARRUS_OK && found;
}

double sim_leap(const sarrus_Sim *sim) { return fmax(100, 1e-11 / sim->options.tolerance); }

/*
** Past a pole of the multipliers.  Rounding grows with the order there, so that the order with the longest step is taken;
** and a step must not end next to the pole, where the following one would hardly get away: rather it leaps, at the
** cost of some digits.
*/
static double step_past_pole(sarrus_Sim *sim) {
  const double distance = sim->pole_at = pole_distance(sim);
  double longest = 0;
  int best = sim->dense_order;
  const int least = best < LEAST_ORDER ? best : LEAST_ORDER;
  for (int order = best; order >= least; order--) {
    const double h = motion_step(sim, order);
    if (h <= longest) continue;
    longest = h;
    best = order;
  }
  sim->dense_order = best;
  if (longest > PAST_POLE * distance || longest < SHORT_OF_POLE * distance) return longest;
  const int leaps = longest * pow(sim_leap(sim), 1.0 / best) > PAST_POLE * distance;
  return leaps ? PAST_POLE * distance : SHORT_OF_POLE * distance;
}

double sim_shorten_step(const sarrus_Sim *sim, double h, double part) {
  const double shorter = h * part, length = fabs(shorter);
  if (!sim->pole || length < SHORT_OF_POLE * sim->pole_at || length > PAST_POLE * sim->pole_at)
    return shorter;
  return sim->direction * SHORT_OF_POLE * sim->pole_at;
}

/* What the motion and the multipliers both allow at an order. */
static double step_for_both(const sarrus_Sim *sim, int order) {
  return fmin(motion_step(sim, order), multiplier_step(sim, order));
}

/* At rest, coefficients are rounding alone, and tell of steps that they do not serve. */
static const double MOST_INCREASE = 10;

double sim_choose_step(sarrus_Sim *sim) {
  const double most = sim->options.max_step > 0 ? sim->options.max_step : DBL_MAX;
  sim->best_margin = fmax(sim->best_margin, sim->from_margin);
  sim->pole = 0;
  sim->near = (Near){SARRUS_NONE, 0, 0};
  const double motion = motion_step(sim, sim->dense_order);
  double h = fmin(motion, multiplier_step(sim, sim->dense_order));
  const int suspect =
      sim->m > 0 && (h < POLE * motion || near_singular(sim) || is_kept_short_of_pole(sim, motion));
  if (suspect && isfinite(motion) && !sim->system->general) sim->pole = find_pole(sim, motion);
  if (sim->pole) h = step_past_pole(sim);
  if (isfinite(h)) sim->natural = h;
  if (sim->options.step > 0) h = sim->options.step;
  sim->ends = !isfinite(h);
  if (sim->ends) h = step_for_rounding(sim);
  if (sim->stats.largest > 0) h = fmin(h, MOST_INCREASE * sim->stats.largest);
  h = fmin(h, most);
  if (sim->options.step > 0) return h;
  return sim_near_zeros(sim, step_at_rest(sim, h));
}

/*
** Instructions of an expansion to order K (T15), as counted for mechanisms of 3 to 300 unknowns: what begins a step (two
** factorisations, a few solves, values of all expressions, twice), a stage (a solve, all rows), and the products.
*/
static double cost(const sarrus_Sim *sim, double order) {
  const Tape *tape = sim->system->tape;
  double factor, solve;
  kkt_cost(sim->expansion->kkt, &factor, &solve);
  const double stage = 350 + 4.5 * solve + 27.0 * sim->variables + 23.0 * tape->row_count +
                       8.5 * tape->product_count + 7.0 * tape->linear_count;
  const double start =
      30 * factor + 25 * solve + 600.0 * sim->variables + 110.0 * tape->value_count + 2 * stage;
  return start + stage * order + 0.5 * tape->product_count * order * order;
}

/* The best order where coefficients fall like those of a geometric series. */
int sim_first_order(const sarrus_Sim *sim) {
  int best = LEAST_ORDER;
  double least = (double)INFINITY;
  for (int order = LEAST_ORDER; order <= sim->capacity; order++) {
    const double price = cost(sim, order) * pow(sim->options.tolerance, -1.0 / (order + 1));
    if (price >= least) continue;
    least = price;
    best = order;
  }
  return best;
}

/* h is the step that the present order K gave. */
void sim_choose_order(sarrus_Sim *sim, double h) {
  const int order = sim->dense_order, lower = order - ORDER_CHANGE, higher = order + ORDER_CHANGE;
  if (sim->options.order > 0 || sim->pole || sim->near.shortens) return;
  const double h_lower = step_for_both(sim, lower), now = cost(sim, order) / h;
  if (!isfinite(h_lower) || !(h > 0)) return;
  const double h_higher = h * fmin(h / h_lower, 1.5);
  if (lower >= LEAST_ORDER && cost(sim, lower) / h_lower < 0.98 * now)
    sim->order = lower;
  else if (higher <= sim->capacity && cost(sim, higher) / h_higher < 0.95 * now)
    sim->order = higher;
}

/* The coordinate whose last coefficient is the largest; before the first expansion the fastest. */
int sim_limiting(const sarrus_Sim *sim) {
  const int k = sim->dense_order + 1;
  const double *c = sim->dense_order > 0 ? sim->dense + (ptrdiff_t)k * sim->variables : sim->from.v;
  int worst = 0;
  for (int j = 1; j < sim->n; j++)
    if (fabs(c[j]) / sim->scale[j] > fabs(c[worst]) / sim->scale[worst]) worst = j;
  return sim->n > 0 ? worst : SARRUS_NONE;
}
