/*
** Near zeros.
**
** The series of a root, a quotient, a logarithm or a power converge only up to where their argument
** vanishes.  A distance that just misses 0 does so at the complex times t_r ± i t_i: there its
** square is u_2 ((t - t_r)^2 + t_i^2).  What turns round within such a time may be bounded, as the
** direction of a spring is, and counts for less and less in displacements the shorter the time is;
** but a step that leaps over it goes on in the old direction.  So the zero itself bounds the step
** (T31), and where the miss is below rounding the step goes through it: what the series get wrong
** beyond it is made good (T32).
*/
#include <float.h>
#include <math.h>

#include "roots.h"
#include "maker.h"
#include "vector.h"

/* Coefficients that tell where a zero is, once it is near; and Newton steps to it. */
enum { FIRST_COEFFICIENTS = 8, MOST_REFINEMENTS = 4 };

/* The second half of a series that serves is below this part of its first. */
static const double SECOND_HALF = 0.1;
enum { LEAST_HALVED = 4, MOST_HALVINGS = 60, SAFE_HALVINGS = 4 };

/* A step through a zero is short, and rounding grows with the order beyond it. */
enum { THROUGH_ORDER = 3 };

/* A miss below this part of the distance is rounding. */
static const double UNSEEN = 1e-7;
/*
** The part of the way to a zero that is met which a step may go; and from how near, relative to the
** time in which the motion changes, it goes through.
*/
static const double APPROACH = 0.99, THROUGH = 1e-7;
/* Everything else that changes there may be wrong by the tolerance, or by this. */
static const double LEAST_TOLERANCE = 1e-12;
/*
** By how much velocities may change by going through, likewise: what is made good is known to the
** square of this.
*/
static const double MOST_CHANGE = 1e-5;

/* Most functions are sines and cosines. */
static inline int never_divides(const Row *row) {
  return row->op == SARRUS_OP_SIN || row->op == SARRUS_OP_COS;
}

/*
** The slot of what a function's recurrence divides by; NONE where it does not, or by a root, which
** has a row of its own.
*/
static int divided_by(const Tape *tape, const Row *row) {
  if (row->product_count == 0) return SARRUS_NONE;
  const Product *last = &tape->products[row->product + row->product_count - 1];
  int sign, slot = last->b;
  switch (row->op) {
    case SARRUS_OP_SQRT: return row->slot;
    case SARRUS_OP_QUOTIENT: slot = last->a == row->slot ? last->b : last->a; break;
    case SARRUS_OP_ATAN2:
    case SARRUS_OP_POWER: break;
    default:
      if (expr_equation(row->op, &sign) != INVERSE) return SARRUS_NONE; /* c z' = sign u' */
  }
  return tape->values[tape->slots[slot].value].op == SARRUS_OP_SQRT ? SARRUS_NONE : slot;
}

int maker_watches_zeros(const Tape *tape) {
  for (int i = 0; i < tape->functions.above[0]; i++) {
    const Row *row = &tape->rows[tape->functions.items[i]];
    if (!never_divides(row) && divided_by(tape, row) != SARRUS_NONE) return 1;
  }
  return 0;
}

/* The first coefficients of what vanishes: of a root's square. */
static void first_coefficients(const Work *work, const Row *row, int slot, int top, double *u) {
  u[0] = work->value[work->tape->slots[slot].value];
  for (int k = 1; k <= top; k++)
    u[k] = work_coefficient(work, slot, k);
  for (int k = top; row->op == SARRUS_OP_SQRT && k >= 0; k--) {
    double square = 0;
    for (int j = 0; j <= k; j++)
      square += u[j] * u[k - j];
    u[k] = square;
  }
}

/*
** The distance of a pair of zeros that lie next to each other, by the first coefficients; infinite
** where there is none.
*/
static double pair_distance(const double *u) {
  const double product = u[0] * u[2], none = (double)INFINITY;
  if (!(product > 0) || u[1] * u[1] > 4.4 * product) return none;
  const double square = u[0] / u[2], distance = sqrt(square);
  return fabs(u[3] * square * distance) < 0.25 * fabs(u[0]) ? distance : none;
}

/* The extremum of u near its pair of zeros; *miss is how far beside the real times they are. */
static double extremum(const double *u, int top, double *miss) {
  double t = -u[1] / (2 * u[2]), value = u[0], bend = u[2];
  for (int i = 0; i < MOST_REFINEMENTS; i++) {
    double slope = 0;
    value = bend = 0;
    for (int k = top; k >= 0; k--) {
      bend = bend * t + slope; /* u''/2 */
      slope = slope * t + value;
      value = value * t + u[k];
    }
    t -= slope / (2 * bend);
  }
  *miss = sqrt(fmax(0, value / bend));
  return t;
}

/*
** All times here count in the unit of the series: that in which the motion changes, by its speeds
** and accelerations.
*/
static double time_of_motion(const Maker *maker) {
  const double *c = maker->span.c;
  const double speed = vector_peak(c + maker->variables, maker->scale, maker->n);
  const double bend = vector_peak(c + (ptrdiff_t)2 * maker->variables, maker->scale, maker->n);
  return 1 / fmax(speed, sqrt(bend));
}

/*
** What a quotient divides by changes by less than half: |u_1| h + |u_2| h^2 + ... < |u_0| / 2.  So
** it has no zero as near as that, not even a complex one, and the quotient's own series serves
** within a few halvings of h, unless it is nothing but rounding, as that of v_y / |v| along x.
*/
static int divides_safely(const Maker *maker, const Row *row, int slot, double h) {
  const Work *work = maker->expansion->work;
  double sum = 0, power = 1;
  if (row->op != SARRUS_OP_QUOTIENT) return 0;
  for (int k = 1; k < maker->span.order; k++)
    sum += fabs(work_coefficient(work, slot, k)) * (power *= h);
  return sum < fabs(work->value[work->tape->slots[slot].value]) / 2;
}

/*
** As far as a function's own series serves: where its second half, if it has halves, hardly counts
** beside its first; and a root, before it changes its sign.  What is nothing but rounding asks for
** nothing.
*/
static double trusted(Maker *maker, const Row *row, int slot, double h) {
  const Work *work = maker->expansion->work;
  double *z = maker->polynomial;
  const int top = maker->span.order - 1;
  z[0] = work->value[row->value];
  for (int k = 1; k <= top; k++)
    z[k] = work_coefficient(work, row->slot, k);
  double safe = 0;
  for (int i = 0; i < MOST_HALVINGS; i++, h /= 2) {
    double first = fabs(z[0]), second = 0, power = 1;
    for (int k = 1; k <= top; k++)
      *(k <= top / 2 ? &first : &second) += fabs(z[k]) * (power *= h);
    if (row->op == SARRUS_OP_SQRT && first + second > 2 * fabs(z[0])) {
      Root root;
      const int count = roots_find(z, top, 0, maker->direction * h, 0, &root, 1, maker->root_work);
      if (count > 0) h = APPROACH * fabs(root.t);
    }
    if (top < LEAST_HALVED || !(second > SECOND_HALF * first)) break;
    if (safe == 0 && divides_safely(maker, row, slot, h)) safe = h;
    if (h * (1 << SAFE_HALVINGS) <= safe) return safe;
  }
  return h;
}

/* A pair of zeros: their distance, their real part, and how far beside the real times they are. */
typedef struct Zero {
  double distance, at, miss;
} Zero;

/* The zeros of what a function is of; the distance is infinite where there are none. */
static Zero find_zero(const Maker *maker, const Row *row, int slot, double farthest) {
  const Work *work = maker->expansion->work;
  const int most = maker->span.order - 1;
  const int top = most < FIRST_COEFFICIENTS ? most : FIRST_COEFFICIENTS;
  Zero zero = {(double)INFINITY, 0, 0};
  double u[FIRST_COEFFICIENTS + 1] = {0};
  first_coefficients(work, row, slot, top < 3 ? top : 3, u);
  zero.distance = pair_distance(u);
  if (!(zero.distance < farthest)) return zero;
  first_coefficients(work, row, slot, top, u);
  zero.at = extremum(u, top, &zero.miss);
  return zero;
}

/* Whether a miss cannot be told from a hit: by the accuracy of u here, or by that of positions. */
static int is_met(const Maker *maker, const Zero *zero) {
  return zero->miss <= fmax(UNSEEN * fabs(zero->at), 64 * DBL_EPSILON * time_of_motion(maker));
}

/*
** So near a zero that is met that a step may go through, since nothing else changes in such a time.
*/
static int is_at_hand(const Maker *maker, const Zero *zero) {
  const double time = time_of_motion(maker), t = fabs(zero->at);
  if (zero->at * maker->direction <= 0 || t > THROUGH * time) return 0;
  const int k = THROUGH_ORDER + 2;
  const double left_out =
      maker->span.order < k ? 0 : vector_peak(span_at(&maker->span, k), maker->scale, maker->n);
  return left_out * pow(2 * t, k - 1) * time <= fmax(maker->options.tolerance, LEAST_TOLERANCE);
}

/* How far the series reach (T31). */
static double reach(const Maker *maker, const Zero *zero, double share) {
  if (!is_met(maker, zero)) return share * zero->distance;
  return fabs(zero->at) * (zero->at * maker->direction > 0 ? APPROACH : 1);
}

static double bounded(Maker *maker, double h) {
  const Tape *tape = maker->system->tape;
  const double wanted = h;
  double share = 0; /* not known yet: most models need none */
  Near through = {SARRUS_NONE, 0, 1};
  maker->near = (Near){SARRUS_NONE, 0, 0};
  for (int i = 0; i < tape->functions.above[0]; i++) {
    const Row *row = &tape->rows[tape->functions.items[i]];
    const int slot = never_divides(row) ? SARRUS_NONE : divided_by(tape, row);
    if (slot == SARRUS_NONE) continue;
    if (share == 0) share = pow(maker->options.tolerance, 0.5 / maker->span.order);
    const Zero zero = find_zero(maker, row, slot, h / share);
    if (isinf(zero.distance)) {
      h = trusted(maker, row, slot, h);
    } else if (zero.distance >= h / share) {
      continue;
    } else if (!is_met(maker, &zero) || !is_at_hand(maker, &zero)) {
      if (reach(maker, &zero, share) < h) maker->near.value = row->value;
      h = fmin(h, reach(maker, &zero, share));
    } else if (through.value == SARRUS_NONE || fabs(zero.at) < fabs(through.through)) {
      through = (Near){row->value, zero.at, 1};
    }
  }
  maker->near.shortens = h < wanted;
  if (through.value == SARRUS_NONE) return h;
  const double at = fabs(through.through);
  if (maker->near.value != SARRUS_NONE && h < 2 * at) return fmin(h, APPROACH * at);
  maker->near = through;
  if (maker->span.order > THROUGH_ORDER) maker->span.order = THROUGH_ORDER;
  return 2 * at;
}

double maker_near_zeros(Maker *maker, double h) {
  h = maker->span.unit * bounded(maker, h / maker->span.unit);
  maker->near.through *= maker->span.unit;
  return h;
}

int maker_goes_through(const Maker *maker, double h) {
  return maker->near.through != 0 && h == 2 * maker->near.through;
}

/*
** `to` lies beyond a zero, on the old series, and the expansion there: what accelerations differ by
** since the zero (T32).
*/
sarrus_Status maker_make_good(Maker *maker, double h) {
  const double since = h - maker->near.through;
  double *x = maker->newton, change = 0;
  span_evaluate(&maker->span, h, NULL, maker->spare_v, x, NULL);
  for (int j = 0; j < maker->n; j++) {
    const int first = maker->system->degree[j] == 1;
    const double jump = since * (first ? expansion_velocity(maker->expansion, j) - maker->spare_v[j]
                                       : expansion_acceleration(maker->expansion, j) - x[j]);
    const double time = first ? 1 : maker->span.unit * time_of_motion(maker);
    change = fmax(change, fabs(jump) / maker->scale[j] * time);
    maker->to.q[j] += first ? jump : since * jump / 2;
    if (!first) maker->to.v[j] += jump;
  }
  if (change <= MOST_CHANGE) return SARRUS_OK;
  maker->fault.expr = maker->system->tape->values[maker->near.value].node;
  return SARRUS_NONFINITE;
}

/* Functions whose zero is nearer than this part of the time are those that end there. */
static const double ENDS = 1e-6;

sarrus_Expr maker_vanishing(Maker *maker) {
  const Work *work = maker->expansion->work;
  const Tape *tape = work->tape;
  double nearest = ENDS * maker_past(maker);
  sarrus_Expr found = SARRUS_NONE;
  if (maker_prepare(maker, &maker->span.from) < 0 ||
      expansion_extend(maker->expansion, 1, &maker->fault) < 0)
    return found;
  for (int i = 0; i < tape->functions.above[0]; i++) {
    const Row *row = &tape->rows[tape->functions.items[i]];
    const int slot = divided_by(tape, row);
    if (slot == SARRUS_NONE) continue;
    const double time =
        work->unit * fabs(work->value[tape->slots[slot].value] / work_coefficient(work, slot, 1));
    if (!(time < nearest)) continue;
    nearest = time;
    found = tape->values[row->value].node;
  }
  return found;
}
