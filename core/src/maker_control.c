/*
** Step and order.
**
** Step.  The last four coefficients of every variable, in a norm over q and h v relative to scale
** and lambda relative to what the equations hold, tell the largest h at which they stay below the
** tolerance (two are not enough: a chain released from rest runs in powers of t^4).
**
** Order.  An expansion to order K costs c0 + c1 K + c2 K^2, in operations counted from the tape and
** the matrix, and serves a step h(K).  The ratio is compared for K, for K - 2, whose coefficients
** are there too, and for K + 2, extrapolated; the cheapest is next.
*/
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "maker.h"
#include "vector.h"

enum { LAST_COEFFICIENTS = 4, ORDER_CHANGE = 2, LEAST_ORDER = 8, LEAST_UNTIL_IMPACT = 4 };

/*
** (T38): a pole of the multipliers may be nearby if they want a step so much shorter than the
** motion.
*/
static const double POLE = 0.5;

/* The size of coefficient k (T13): of q and, times h, of v; relative to scale. */
static double motion_size(const Maker *maker, int k) {
  return k * vector_peak(span_at(&maker->span, k), maker->scale, maker->n);
}

static const double *multipliers(const Maker *maker, int k) {
  return span_at(&maker->span, k) + maker->n;
}

/*
** Multipliers are as accurate as accelerations, whose coefficient k is (k+1)(k+2) times that of
** positions two orders higher; velocities, which bound the step, are k + 2 times less accurate than
** positions.
*/
static double multiplier_size(const Maker *maker, int k) {
  return vector_peak(multipliers(maker, k), maker->scale + maker->n, maker->m) / (k + 1);
}

/* As fmax and fmin, where x is a number. */
static inline double larger(double x, double y) { return y > x ? y : x; }
static inline double smaller(double x, double y) { return y < x ? y : x; }

/* With D of (T10), multipliers and accelerations of all equations are alike. */
double maker_largest_held(const Maker *maker) {
  const double *d = maker->expansion->kkt->column;
  const double *first = expansion_at(maker->expansion, 0, 0);
  double largest = 0;
  for (int i = maker->n; i < maker->variables; i++)
    largest = larger(largest, fabs(first[i]) / d[i]);
  for (int j = 0; j < maker->n; j++)
    largest = larger(largest, fabs(expansion_acceleration(maker->expansion, j)) / d[j]);
  return largest;
}

/*
** The error of a multiplier is relative to the largest forces in the equations that contain it; in
** general DAEs, to the multiplier itself.  Past a pole it says nothing.
*/
void maker_note_multipliers(Maker *maker) {
  const double *d = maker->expansion->kkt->column, *first = expansion_at(maker->expansion, 0, 0);
  const int general = maker->system->general;
  maker->held = general ? 0 : maker_largest_held(maker);
  for (int i = maker->n; i < maker->variables && !maker->pole; i++)
    maker->scale[i] = larger(maker->scale[i], general ? fabs(first[i]) : maker->held * d[i]);
}

/* The least displacement of a coordinate by its scale, as D measures it. */
static double least_displacement(const Maker *maker) {
  const double *d = maker->expansion->kkt->column;
  double least = (double)INFINITY;
  for (int j = 0; j < maker->n; j++)
    least = fmin(least, maker->scale[j] / d[j]);
  return least;
}

/*
** Where hardly any force acts yet, that would ask for too much: an error that moves nothing by more
** than rounding does not count (T35).  Within h, a force of D_i h^-2 times this moves some
** coordinate by its rounding.
*/
static double rounding_force(const Maker *maker, double rounding) {
  return rounding / maker->options.tolerance * least_displacement(maker);
}

/*
** Rounding of long chains is larger than that of each coordinate: by the positions of bodies far
** away (10,000 m along a chain: 2e-12 m) the projection moves angles and heights, and forces with
** them, in short steps as much as in long ones.  Truncation of order K shows in accelerations K^2
** times as much as in positions, this about K times at most (chains of 100 to 10,000 rods: 20;
** squeezer, four-bar, arm, Stewart platform, truncated: 100 and more).  A chain of 10,000 rods at
** 1e-12 and order 20: 214 landings for 43 steps without this.
*/
double maker_multiplier_error(const Maker *maker, double h, double moved, const double *error) {
  const double *d = maker->expansion->kkt->column + maker->n, *scale = maker->scale + maker->n;
  const double least = fmax(DBL_EPSILON, moved / (maker->span.order + 1));
  const double rounding = rounding_force(maker, least) / (h * h);
  double worst = 0;
  for (int i = 0; i < maker->m; i++)
    worst = larger(worst, fabs(error[i]) / larger(scale[i], rounding * d[i]));
  return worst;
}

/* A step must not end next to a pole: between these parts of the distance to it. */
static const double SHORT_OF_POLE = 0.5, PAST_POLE = 1.3;

/*
** The time in which the motion at `to` changes, by its speeds and by what the equations hold
** (accelerations may just vanish); infinite where nothing moves and nothing is held.
*/
static double time_by_forces(const Maker *maker) {
  const double speed = vector_peak(maker->to.v, maker->scale, maker->n);
  const double bend =
      maker->system->general ? 0 : maker_largest_held(maker) / least_displacement(maker);
  return 1 / fmax(speed, sqrt(bend));
}

/*
** The unit of time is chosen anew where a step is longer or shorter than it by more than this power
** of two (T39).
*/
enum { UNIT_BITS = 8, MOST_UNIT_BITS = 400 };

sarrus_Status maker_choose_unit(Maker *maker) {
  Work *work = maker->expansion->work;
  const double step = maker->natural > 0 ? maker->natural : time_by_forces(maker);
  if (!(step > DBL_MIN && step < DBL_MAX)) return SARRUS_OK;
  const int bits = ilogb(fmin(fmax(step, ldexp(1, -MOST_UNIT_BITS)), ldexp(1, MOST_UNIT_BITS)));
  const double before = work->unit;
  if (abs(bits - ilogb(before)) <= UNIT_BITS) return SARRUS_OK;
  work_set_unit(work, ldexp(1, bits));
  const sarrus_Status status = maker_prepare(maker, &maker->to);
  if (status < 0) work_set_unit(work, before);
  return status;
}

/* What rounding may be in coefficients next to a singular position. */
static const double MOST_ROUNDING = 1e-12;

/* Next to a singular position, the margin of rank is below this part of the largest so far. */
static const double NEAR_MARGIN = 0.03;

double maker_near_margin(const Maker *maker) { return NEAR_MARGIN * maker->best_margin; }

static int near_singular(const Maker *maker) {
  return maker->m > 0 && !maker->system->general &&
         (maker->pole || maker->from_margin < maker_near_margin(maker));
}

/*
** What the last coefficients are kept below: the tolerance; but from 4e-10 on less than that, so
** that truncation, which adds up step by step, stays below rounding, which goes its random way
** (pendulum, 10^6 steps: energy to 1e-12 in place of 1e-11, for 12 % more steps; a chain of 20 rods
** for 100 s, 256th in place of 64th of 1e-12: to 2e-12 in place of 1.5e-11, for 3 % more).  Next to
** a singular position coefficients are rounding, amplified by what the margin of rank has lost; to
** ask for less than that would keep steps short of it for ever (but 1e-12 wherever the margin is
** small: energy of a four-bar, 1000 s, to 2e-11 in place of 7e-13).
*/
static double aim(const Maker *maker) {
  const double tolerance = maker->options.tolerance;
  const double least = tolerance * fmin(1, fmax(tolerance / 4e-10, 1.0 / 256));
  if (maker->pole) return fmax(tolerance, MOST_ROUNDING);
  if (!near_singular(maker)) return least;
  return fmax(least,
              fmin(MOST_ROUNDING, 4 * DBL_EPSILON * maker->best_margin / maker->from_margin));
}

/* At most log x, by less than 0.06, of a normal number: 2^e (1 + f) is at least 2^(e + f). */
static double log_below(double x) {
  long long bits;
  memcpy(&bits, &x, sizeof bits);
  return ((double)bits * 0x1p-52 - 1023) * 0.693147180559945;
}

/*
** The logarithm of the least step at which one of the sizes times h^k, k = first and up, is what is
** wanted.  Bounds tell which of the logarithms, which are dear, are surely not the least.
*/
static double least_log_step(const double *size, int first, double wanted) {
  double x[LAST_COEFFICIENTS], low[LAST_COEFFICIENTS], most = (double)INFINITY;
  for (int i = 0; i < LAST_COEFFICIENTS; i++) {
    const double k = first + i;
    x[i] = size[i] > 0 ? wanted / size[i] : 0; /* a host may trap on divisions by 0 */
    low[i] = x[i] >= DBL_MIN ? log_below(x[i]) : -(double)INFINITY;
    if (x[i] >= DBL_MIN && x[i] <= DBL_MAX) most = smaller((low[i] + 0.06) / k, most);
  }
  double log_h = (double)INFINITY;
  for (int i = 0; i < LAST_COEFFICIENTS; i++) {
    const double k = first + i;
    if (size[i] > 0 && !(low[i] > k * most + 1e-9)) log_h = smaller(log(x[i]) / k, log_h);
  }
  return log_h;
}

/* The step at which the last coefficients up to K + 1 stay below the tolerance (T14). */
static double motion_step(const Maker *maker, int order) {
  const int first = order + 2 - LAST_COEFFICIENTS;
  double size[LAST_COEFFICIENTS];
  for (int i = 0; i < LAST_COEFFICIENTS; i++)
    size[i] = first + i > 0 ? motion_size(maker, first + i) : 0;
  return maker->span.unit * exp(least_log_step(size, first, aim(maker)));
}

double maker_motion_step(const Maker *maker) { return motion_step(maker, maker->span.order); }

/* The size of coefficient k of the multipliers, as forces. */
static double force_size(const Maker *maker, int k) {
  return vector_peak(multipliers(maker, k), maker->expansion->kkt->column + maker->n, maker->m);
}

/* The logarithm, without the unit, of the step within which multipliers' errors move nothing. */
static double log_moving(const Maker *maker, double wanted, int order) {
  const int first = order - LAST_COEFFICIENTS;
  double size[LAST_COEFFICIENTS];
  for (int i = 0; i < LAST_COEFFICIENTS; i++)
    size[i] = first + i > 0 ? force_size(maker, first + i) : 0;
  return least_log_step(size, first + 2, wanted);
}

/* Whether that is surely less than log_h: one of its coefficients says so. */
static int moves_within(const Maker *maker, double wanted, int order, double log_h) {
  const int k = order - 1;
  const double size = k > 0 ? force_size(maker, k) : 0;
  const double x = size > 0 ? wanted / size : 0; /* a host may trap on divisions by 0 */
  return x >= DBL_MIN && x <= DBL_MAX && log_below(x) + 0.06 < (k + 2) * log_h - 1e-9;
}

/* The same for multipliers, whose errors do not add up: h_l of (T14), at least (T35). */
static double multiplier_step(const Maker *maker, int order) {
  const int first = order - LAST_COEFFICIENTS;
  double size[LAST_COEFFICIENTS];
  if (maker->m == 0) return (double)INFINITY;
  const double wanted = fmax(maker->options.tolerance, aim(maker));
  const double rounding =
      rounding_force(maker, DBL_EPSILON) / (maker->span.unit * maker->span.unit);
  if (!(maker->scale[maker->n] > 0))
    return maker->span.unit * exp(log_moving(maker, wanted * rounding, order));
  for (int i = 0; i < LAST_COEFFICIENTS; i++)
    size[i] = first + i > 0 ? multiplier_size(maker, first + i) : 0;
  double log_h = least_log_step(size, first, wanted);
  if (!moves_within(maker, wanted * rounding, order, log_h))
    log_h = fmax(log_h, log_moving(maker, wanted * rounding, order));
  return maker->span.unit * exp(log_h);
}

/*
** Where the series ends early, as that of a free fall, nothing is truncated; then rounding bounds
** the step, by the growth of what is left.  It does too where the step is searched for the ends of
** modes: of what rounding leaves of the last coefficients, a step may seem to be as long as it
** likes.
*/
static const double MOST_GROWTH = 100;

static double step_for_rounding(const Maker *maker) {
  double h = (double)INFINITY;
  for (int k = 1; k <= maker->span.order + 1; k++) {
    const double x = motion_size(maker, k);
    if (x > 0) h = fmin(h, pow(MOST_GROWTH / x, 1.0 / k));
  }
  return isfinite(h) ? maker->span.unit * h : fmax(maker->span.unit, 10 * maker->stats.largest);
}

/*
** Where something is held at rest, as a truss under its load, accelerations are the rounding of the
** forces that hold it, and move nothing beyond the tolerance in steps up to some length (T36).
** What moves by more than this many times as much does not rest.
*/
static const double RESTS = 100;

static double step_at_rest(const Maker *maker, double h) {
  const double tolerance = maker->options.tolerance, moves = DBL_EPSILON * maker->held / 2;
  if (maker->m == 0 || !(moves > 0)) return h;
  const double longest = sqrt(tolerance * least_displacement(maker) / moves);
  const double t = longest / maker->span.unit;
  if (h <= longest || motion_size(maker, 1) * t > RESTS * tolerance) return h;
  return motion_size(maker, 2) * t * t > RESTS * tolerance ? h : longest;
}

/* Where the multipliers' series has its pole, by the ratio of its last coefficients. */
static double pole_distance(const Maker *maker) {
  const int k = maker->span.order - 1;
  const double last = maker->scale[maker->n] > 0 ? multiplier_size(maker, k) : 0;
  return last > 0 ? maker->span.unit * k * multiplier_size(maker, k - 1) / ((k + 1) * last)
                  : (double)INFINITY;
}

/*
** Whether it looks like one on the real axis, coefficients c_k of the largest multiplier being in a
** constant ratio (those of a pair of complex poles turn round), and rounding, which grows towards
** it, keeps the motion's steps short of it too.
*/
static int is_kept_short_of_pole(const Maker *maker, double motion) {
  const double distance = pole_distance(maker);
  if (!(motion > 0.75 * distance && motion < PAST_POLE * distance)) return 0;
  const ptrdiff_t row = maker->variables;
  const double *c = maker->span.c + (maker->span.order - 1) * row + maker->n;
  int largest = 0;
  for (int i = 1; i < maker->m; i++)
    if (fabs(c[i]) / maker->scale[maker->n + i] >
        fabs(c[largest]) / maker->scale[maker->n + largest])
      largest = i;
  c += largest;
  for (int k = 1; k <= 2; k++, c -= row) {
    const double square = c[-row] * c[-row];
    if (!(fabs(c[0] * c[-2 * row] - square) < 0.1 * square)) return 0;
  }
  return 1;
}

/*
** How far the matrix is from losing its rank at the positions that the series give at dt: log2 of
** its volume.
*/
static double volume_at(Maker *maker, double dt) {
  Point there = {.t = maker->span.from.t + dt, .q = maker->newton, .v = maker->spare_v};
  span_evaluate(&maker->span, dt, there.q, there.v, NULL, NULL);
  if (!vector_finite(there.q, maker->n) || !vector_finite(there.v, maker->n)) return (double)NAN;
  const sarrus_Status status =
      maker_place(maker, &there) < 0 ? SARRUS_NONFINITE : maker_factor(maker);
  if (status == SARRUS_SINGULAR) return -(double)INFINITY;
  return status < 0 ? (double)NAN : kkt_log_volume(maker->expansion->kkt);
}

/* On the second half of the way the volume falls by more than on the first, by a factor of 4. */
static int loses_rank(Maker *maker, double dt, double here) {
  const double there = volume_at(maker, dt), between = volume_at(maker, dt / 2);
  return there - between < between - here - 2;
}

/*
** A singular position is a pole of the multipliers, but not of the motion, which goes on: there the
** multipliers are left out of the norm.  That the matrix loses its rank at the pole, ahead or
** behind, is what tells it from multipliers that merely change fast.  And where the motion's own
** step ends far before, the series say nothing of what is there.
*/
static int find_pole(Maker *maker, double motion) {
  const double distance = pole_distance(maker);
  if (!(distance < 2 * motion)) return 0;
  const double here = volume_at(maker, 0);
  const int found = loses_rank(maker, distance, here) || loses_rank(maker, -distance, here);
  maker->astray = 1;
  return maker_place(maker, &maker->span.from) == SARRUS_OK && found;
}

double maker_leap(const Maker *maker) { return fmax(100, 1e-11 / maker->options.tolerance); }

/* What the motion and the multipliers both allow at an order. */
static double step_for_both(const Maker *maker, int order) {
  return fmin(motion_step(maker, order), multiplier_step(maker, order));
}

/*
** Past a pole of the multipliers.  Rounding grows with the order there, so that the order with the
** longest step is taken; and a step must not end next to the pole, where the following one would
** hardly get away: rather it leaps, at the cost of some digits.  A step that cannot leap yet is
** like any other, so that a position that is only nearly singular, as of a bob over a light cart,
** is passed with all digits (without this, energy errs by 1e-8 in place of 1e-9 there).
*/
static double step_past_pole(Maker *maker) {
  const double distance = maker->pole_at = pole_distance(maker);
  double longest = 0;
  int best = maker->span.order;
  const int least = best < LEAST_ORDER ? best : LEAST_ORDER;
  for (int order = best; order >= least; order--) {
    const double h = motion_step(maker, order);
    if (h <= longest) continue;
    longest = h;
    best = order;
  }
  if (longest * pow(maker_leap(maker), 1.0 / best) > PAST_POLE * distance) {
    maker->span.order = best;
    return fmax(longest, PAST_POLE * distance);
  }
  maker->pole = 0; /* so that the step aims at what others do */
  const double ordinary = step_for_both(maker, maker->span.order);
  maker->pole = 1;
  return fmin(SHORT_OF_POLE * distance, ordinary);
}

double maker_shorten_step(const Maker *maker, double h, double part) {
  const double shorter = h * part, length = fabs(shorter);
  if (!maker->pole || length < SHORT_OF_POLE * maker->pole_at ||
      length > PAST_POLE * maker->pole_at)
    return shorter;
  return maker->direction * SHORT_OF_POLE * maker->pole_at;
}

/* At rest, coefficients are nothing but rounding, and the steps they suggest mean nothing. */
static const double MOST_INCREASE = 10;

double maker_choose_step(Maker *maker) {
  const double most = maker->options.max_step > 0 ? maker->options.max_step : DBL_MAX;
  maker->best_margin = fmax(maker->best_margin, maker->from_margin);
  maker->pole = maker->ends = 0;
  maker->near = (Near){SARRUS_NONE, 0, 0};
  const double motion = maker->motion = maker_motion_step(maker);
  double h = fmin(motion, multiplier_step(maker, maker->span.order));
  if (maker->until > 0) {
    h = fmin(h, fmin(maker->until, step_for_rounding(maker)));
    return maker_near_zeros(maker, fmin(h, most));
  }
  const int suspect = maker->m > 0 && (h < POLE * motion || near_singular(maker) ||
                                       is_kept_short_of_pole(maker, motion));
  if (suspect && isfinite(motion) && !maker->system->general)
    maker->pole = find_pole(maker, motion);
  if (maker->pole) h = step_past_pole(maker);
  if (maker->system->arguments.tape != NULL) h = fmin(h, step_for_rounding(maker));
  if (isfinite(h)) maker->natural = h;
  if (maker->options.step > 0) h = maker->options.step;
  maker->ends = !isfinite(h);
  if (maker->ends) h = step_for_rounding(maker);
  if (maker->stats.largest > 0) h = fmin(h, MOST_INCREASE * maker->stats.largest);
  h = fmin(h, most);
  if (maker->options.step > 0) return h;
  return maker_near_zeros(maker, step_at_rest(maker, h));
}

/*
** Instructions of an expansion to order K (T15), as counted for mechanisms of 3 to 300 unknowns:
** what begins a step (two factorisations, a few solves, values of all expressions, twice), a stage
** (a solve, all rows), and the products.
*/
typedef struct Price {
  double start, stage, products;
} Price;

static Price price_of(const Maker *maker) {
  const Tape *tape = maker->system->tape;
  double factor, solve;
  kkt_cost(maker->expansion->kkt, &factor, &solve);
  const double stage = 350 + 4.5 * solve + 27.0 * maker->variables + 23.0 * tape->row_count +
                       8.5 * tape->product_count + 7.0 * tape->linear_count;
  const double start =
      30 * factor + 25 * solve + 600.0 * maker->variables + 110.0 * tape->value_count + 2 * stage;
  return (Price){start, stage, tape->product_count};
}

static double cost(const Price *price, double order) {
  return price->start + price->stage * order + 0.5 * price->products * order * order;
}

double maker_series_cost(const Maker *maker) {
  const Price price = price_of(maker);
  return cost(&price, maker->span.order);
}

/* The best order where coefficients fall like those of a geometric series. */
int maker_first_order(const Maker *maker) {
  const Price price = price_of(maker);
  int best = LEAST_ORDER;
  double least = (double)INFINITY;
  for (int order = LEAST_ORDER; order <= maker->capacity; order++) {
    const double all = cost(&price, order) * pow(maker->options.tolerance, -1.0 / (order + 1));
    if (all >= least) continue;
    least = all;
    best = order;
  }
  return best;
}

/*
** What rests, its velocities being rounding, may have asked for steps of 1e17 s.  Of what moves
** after an intervention these say nothing, and in a unit of such a length every speed would be
** noise: 54 of 300 boxes that were kicked did not come to rest, but went back, ever faster.
*/
static void forget_rest(Maker *maker) {
  const double most = ldexp(time_by_forces(maker), UNIT_BITS);
  if (maker->natural > most) maker->natural = most;
}

void maker_note_intervention(Maker *maker) {
  Interventions *past = &maker->interventions;
  forget_rest(maker);
  const double interval = fabs(maker->to.t - past->at);
  if (interval == 0) return;    /* several at one instant are one */
  if (isgreater(interval, 0)) { /* there was one: a host may trap on what compares NAN */
    past->expected = fmax(interval, past->interval);
    past->interval = interval;
  }
  past->at = maker->to.t;
}

void maker_note_none(Maker *maker) { maker->interventions.expected *= 2; }

/*
** Where something intervenes before the end of the step, as a controller does every millisecond,
** the rest of the span is thrown away: the lowest order that serves until then, and a bit longer,
** is the cheapest (six-axis arm, tolerance 1e-9, six torques set every ms: order 10 in place of 28;
** half of the instructions).  It follows from what has intervened, never from what is asked for.
*/
static const double SPARE_TIME = 1.25;

/*
** Such a span is then thrown away before its end, which nobody needs: to look for it, and to bring
** it onto the constraints, would be a third of the instructions.  So landing is put off where the
** step is so many times as long as what is needed.  What this follows from is in the state.
*/
static const double AMPLE = 1.5;

double maker_needed_part(const Maker *maker, double h) {
  const double needed = SPARE_TIME * maker->interventions.expected;
  const int sure = !maker->method.of_span && !maker->pole && !maker->ends &&
                   maker->near.value == SARRUS_NONE &&
                   maker->from_margin >= maker_near_margin(maker);
  const int free = maker->options.order == 0 && maker->options.step == 0;
  return sure && free && fabs(h) >= AMPLE * needed ? needed : 0;
}

static int serves_until_change(Maker *maker, double h) {
  const double wanted = AMPLE * SPARE_TIME * maker->interventions.expected;
  int order = maker->span.order < LEAST_ORDER ? maker->span.order : LEAST_ORDER;
  if (!(h >= wanted)) return 0;
  while (order < maker->span.order && !(step_for_both(maker, order) >= wanted))
    order++;
  maker->order = order;
  return 1;
}

/*
** How coefficients grow from order to order until h, relative to the largest speed there: the least
** r with |c_k| h^{k-1} <= r^{k-1} max(|c_1|, |c_2| h), k > 2.  What has rested tells nothing.
*/
static double growth_until(const Maker *maker, double h) {
  const double t = h / maker->span.unit;
  const double speed = fmax(motion_size(maker, 1), motion_size(maker, 2) * t);
  double growth = 0, power = t;
  if (!(speed > 0)) return (double)INFINITY;
  for (int k = 3; k <= maker->span.order + 1; k++) {
    power *= t;
    growth = fmax(growth, pow(motion_size(maker, k) * power / speed, 1.0 / (k - 1)));
  }
  return growth;
}

/*
** What bounces comes back 2 v / |a| after an impact, and sooner and sooner before it comes to rest,
** while series of the usual order would serve a hundred thousand times as long: until then a few
** coefficients are enough (T73).  They are to be exact to rounding, however loose the tolerance is,
** for the height of a bounce may be far below it.  (Twenty double pendulums over a floor, tolerance
** 1e-6: orders 4 to 8 in place of 23, and two thirds of the instructions of a bounce.)
*/
int maker_plan_until_impact(Maker *maker) {
  const double h = SPARE_TIME * maker->foreseen;
  maker->foreseen = maker->until = 0;
  if (!(h > 0) || maker->options.order > 0 || maker->options.step > 0 || maker->method.stiff ||
      maker->pole || maker->span.order == 0)
    return 0;
  const double growth = growth_until(maker, h);
  if (!(growth < 1)) return 0;
  int order = LEAST_UNTIL_IMPACT;
  while (order < maker->order && pow(growth, order + 1) >= DBL_EPSILON)
    order++;
  while (order <= maker->span.order && !(step_for_both(maker, order) >= h))
    order++;
  if (order >= maker->order || order > maker->span.order) return 0;
  maker->order = order;
  maker->until = h;
  return 1;
}

/* h is the step that the present order K gave. */
void maker_choose_order(Maker *maker, double h) {
  const int order = maker->span.order, lower = order - ORDER_CHANGE, higher = order + ORDER_CHANGE;
  if (maker->options.order > 0 || maker->pole || maker->near.shortens || maker->method.of_span ||
      maker->until > 0)
    return;
  if (serves_until_change(maker, h)) return;
  const Price price = price_of(maker);
  const double h_lower = step_for_both(maker, lower), now = cost(&price, order) / h;
  if (!isfinite(h_lower) || !(h > 0)) return;
  const double h_higher = h * fmin(h / h_lower, 1.5);
  if (lower >= LEAST_ORDER && cost(&price, lower) / h_lower < 0.98 * now)
    maker->order = lower;
  else if (higher <= maker->capacity && cost(&price, higher) / h_higher < 0.95 * now)
    maker->order = higher;
}

/* The coordinate whose last coefficient is the largest; before the first expansion the fastest. */
int maker_limiting(const Maker *maker) {
  const int k = maker->span.order + 1;
  const double *c = maker->span.order > 0 ? span_at(&maker->span, k) : maker->span.from.v;
  int worst = 0;
  for (int j = 1; j < maker->n; j++)
    if (fabs(c[j]) / maker->scale[j] > fabs(c[worst]) / maker->scale[worst]) worst = j;
  return maker->n > 0 ? worst : SARRUS_NONE;
}
