/*
** The step maker: spans by series about their beginning, to an order as high as pays (T6 to T18).
*/
#include "maker.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "roots.h"
#include "vector.h"

enum { TRUNCATION_TRIALS = 4, LOWEST_ORDER = 4 };

/*
** Where the series end early, as at rest, a step may be far too long for what rounding leaves of
** them: it is shortened at once, down to this part.
*/
static const double LEAST_PART = 1e-3;

/* Relative to the time, steps shorter than this are not even known to a thousandth. */
static const double LEAST_STEP = 1024 * DBL_EPSILON, WAY_BACK = 8;

void maker_lay_out(Maker *maker, Block *block) {
  const sarrus_System *system = maker->system;
  const Tape *tape = system->tape;
  const int order = maker->capacity + 1, n = maker->n;
  BLOCK_TAKE(block, maker->scale, system->room);
  BLOCK_TAKE(block, maker->least, n);
  BLOCK_TAKE(block, maker->span.c, (ptrdiff_t)(order + 1) * system->room);
  BLOCK_TAKE(block, maker->span.from.q, n);
  BLOCK_TAKE(block, maker->span.from.v, n);
  BLOCK_TAKE(block, maker->to.q, n);
  BLOCK_TAKE(block, maker->to.v, n);
  BLOCK_TAKE(block, maker->newton, n);
  BLOCK_TAKE(block, maker->spare_v, n);
  BLOCK_TAKE(block, maker->last.q, n);
  BLOCK_TAKE(block, maker->last.v, n);
  BLOCK_TAKE(block, maker->last.guess, system->room);
  BLOCK_TAKE(block, maker->last.modes, system->modes);
  BLOCK_TAKE(block, maker->last.branch, tape->switch_count);
  BLOCK_TAKE(block, maker->last.forced, tape->switch_count);
  BLOCK_TAKE(block, maker->last.dependent, system->room - n);
  BLOCK_TAKE(block, maker->last.row, system->room);
  BLOCK_TAKE(block, maker->last.column, system->room);
  BLOCK_TAKE(block, maker->pole_side, tape->pole_count);
  BLOCK_TAKE(block, maker->polynomial, order + 3);
  BLOCK_TAKE(block, maker->root_work, roots_work_size(order + 2));
  maker->expansion = expansion_take(block, system, order);
}

void maker_clear_fault(Maker *maker) { maker->fault = fault_none(); }

void maker_release(Maker *maker) {
  for (int i = 0; i < maker->system->tape->switch_count; i++)
    maker->expansion->work->forced[i] = 0;
}

double maker_past(const Maker *maker) {
  return fmax(fabs(maker->span.from.t), fabs(maker->span.from.t - maker->began));
}

/*
** Whether a step is too short to go on, beside the time that has passed, wherever the user's time
** is 0.  While steps shrink the limit is WAY_BACK times as long, so that the motion can still turn
** round: its first step back is as short as the next one forward.  But a step that ends where
** something changes may be as short as needed.
*/
int maker_vanishes(const Maker *maker, double h, int jumps) {
  if (jumps || maker->near.value != SARRUS_NONE) return 0;
  const int shrinks = h * maker->span.h > 0 && fabs(h) < fabs(maker->span.h);
  return !(fabs(h) > (shrinks ? WAY_BACK : 1) * LEAST_STEP * maker_past(maker));
}

/* So many of the shortest steps are time enough for a series. */
static const double ENOUGH_STEPS = 100;

double maker_least_time(const Maker *maker) {
  return ENOUGH_STEPS * LEAST_STEP * maker_past(maker);
}

void maker_remember(Maker *maker) {
  const Work *work = maker->expansion->work;
  const Kkt *kkt = maker->expansion->kkt;
  const size_t n = (size_t)maker->n * sizeof(double);
  const size_t switches = (size_t)maker->system->tape->switch_count * sizeof(int);
  const size_t modes = (size_t)maker->system->modes * sizeof(double);
  memcpy(maker->last.q, maker->to.q, n);
  memcpy(maker->last.v, maker->to.v, n);
  memcpy(maker->last.guess, maker->expansion->guess, (size_t)maker->variables * sizeof(double));
  if (!maker->last.modes_kept) memcpy(maker->last.modes, maker->expansion->modes, modes);
  maker->last.modes_kept = 1;
  memcpy(maker->last.branch, work->branch, switches);
  memcpy(maker->last.forced, work->forced, switches);
  memcpy(maker->last.dependent, kkt->dependent, (size_t)kkt->m * sizeof(int));
  memcpy(maker->last.row, kkt->row, (size_t)kkt->size * sizeof(double));
  memcpy(maker->last.column, kkt->column, (size_t)kkt->size * sizeof(double));
  maker->last.dependent_count = kkt->dependent_count;
  maker->last.guess_most = maker->expansion->guess_most;
  maker->last.foreseen = maker->foreseen;
}

sarrus_Status maker_recall(Maker *maker, sarrus_Status status) {
  const sarrus_Fault fault = maker->fault;
  Work *work = maker->expansion->work;
  Kkt *kkt = maker->expansion->kkt;
  const size_t n = (size_t)maker->n * sizeof(double);
  const size_t switches = (size_t)maker->system->tape->switch_count * sizeof(int);
  const size_t modes = (size_t)maker->system->modes * sizeof(double);
  memcpy(maker->to.q, maker->last.q, n);
  memcpy(maker->to.v, maker->last.v, n);
  memcpy(maker->expansion->guess, maker->last.guess, (size_t)maker->variables * sizeof(double));
  memcpy(maker->expansion->modes, maker->last.modes, modes);
  memcpy(work->branch, maker->last.branch, switches);
  memcpy(work->forced, maker->last.forced, switches);
  memcpy(kkt->row, maker->last.row, (size_t)kkt->size * sizeof(double));
  memcpy(kkt->column, maker->last.column, (size_t)kkt->size * sizeof(double));
  maker->expansion->guess_most = maker->last.guess_most;
  maker->foreseen = maker->last.foreseen;
  const sarrus_Status rows = kkt_leave_out(kkt, maker->last.dependent, maker->last.dependent_count);
  if (rows < 0 || maker_prepare(maker, &maker->to) < 0) maker->broken = 1;
  maker->fault = fault;
  return status;
}

/* In place of lanes, which have factored there already. */
static sarrus_Status stand_at(Maker *maker, Point *point) {
  const long long factorisations = maker->stats.factorisations;
  const sarrus_Status status = maker_prepare(maker, point);
  maker->stats.factorisations = factorisations;
  return status;
}

void maker_stand(Maker *maker) {
  const sarrus_Fault fault = maker->fault;
  if (maker->ahead.what == AHEAD_STANDS && stand_at(maker, &maker->to) < 0) maker->broken = 1;
  maker->fault = fault;
}

/* Stages 1 to K - 1; the last coefficients, which bound the step, must have a size, too. */
static sarrus_Status expand(Maker *maker) {
  const int last = maker->order + 1;
  if (maker->ahead.what == AHEAD_STANDS) SARRUS_TRY(stand_at(maker, &maker->span.from));
  const int done = maker->ahead.what == AHEAD_EXPANDED;
  maker->ahead.what = done ? AHEAD_TAKEN : AHEAD_NOT;
  for (int stage = 1; stage < maker->order && !done; stage++)
    SARRUS_TRY(expansion_extend(maker->expansion, stage, &maker->fault));
  const double *c = maker->expansion->series + (ptrdiff_t)last * maker->variables;
  if (isfinite(last * vector_peak(c, maker->scale, maker->n))) return SARRUS_OK;
  maker_clear_fault(maker);
  return SARRUS_NONFINITE;
}

/* The series just made become those of the span. */
static void keep_series(Maker *maker) {
  double *finished = maker->expansion->series;
  maker->expansion->series = maker->span.c;
  maker->span.c = finished;
  maker->span.unit = maker->expansion->work->unit;
  maker->span.order = maker->order;
  maker->span.m = maker->m;
  maker->span.variables = maker->variables;
  for (int j = 0; j < maker->n; j++) /* these are known to one order less */
    if (maker->system->degree[j] == 1)
      maker->span.c[(ptrdiff_t)(maker->order + 1) * maker->variables + j] = 0;
}

/* rhs: accelerations, as displacements, and multipliers of the series, less those of the point. */
static void find_errors(const Maker *maker, double h) {
  const sarrus_Expansion *expansion = maker->expansion;
  double *x = expansion->rhs; /* a and lambda, then errors */
  span_evaluate(&maker->span, h, NULL, maker->system->general ? maker->spare_v : NULL, x,
                x + maker->n);
  kkt_shorten(expansion->kkt, x + maker->n); /* as those there */
  for (int j = 0; j < maker->n; j++)
    x[j] = maker->system->degree[j] == 2
               ? h * h * (x[j] - expansion_acceleration(expansion, j))
               : h * (maker->spare_v[j] - expansion_velocity(expansion, j));
  for (int i = maker->n; i < maker->variables; i++)
    x[i] = maker->pole ? 0 : x[i] - *expansion_at(expansion, 0, i);
}

/*
** How far the series are from the equations at the end of the step: what projection moved, and the
** accelerations and multipliers that the equations give there against those of the series; motion
** as displacements, relative to scale, multipliers relative to what the equations hold (T18).
*/
static double defect(const Maker *maker, double h, const Correction *moved) {
  const double *x = maker->expansion->rhs;
  if (!vector_finite(x, maker->variables)) return (double)INFINITY;
  const double forces = maker_multiplier_error(maker, h, moved->position, x + maker->n);
  return fmax(fmax(moved->position, fabs(h) * moved->velocity),
              fmax(vector_peak(x, maker->scale, maker->n), forces));
}

/*
** A truncated series of order K has accelerations about K^2 times less accurate than positions.
** Where the step begins or ends next to a singular position, they are less exact by as much as the
** margin of rank is smaller than usual; a thousand times at most, since the wrong way out of there
** is not much farther off.
*/
static double accepted_defect(const Maker *maker) {
  const double order = maker->span.order;
  const double margin = fmin(maker->from_margin, maker->margin);
  const double loss = fmin(1000, fmax(1, maker_near_margin(maker) / margin));
  const double leap = maker->pole ? maker_leap(maker) : 1;
  return (order + 1) * (order + 2) *
         fmax(leap * maker->options.tolerance, 100 * loss * DBL_EPSILON);
}

/*
** A divisor that changes its sign within a step has a pole there, which no series crosses; so has a
** tangent whose cosine does.
*/
static int side_of_pole(const Maker *maker, int index) {
  const Work *work = maker->expansion->work;
  const ValueStep *step = &work->tape->values[work->tape->poles[index]];
  return (step->op == SARRUS_OP_TAN ? cos(work->value[step->a]) : work->value[step->b]) < 0;
}

static void note_poles(Maker *maker) {
  for (int i = 0; i < maker->system->tape->pole_count; i++)
    maker->pole_side[i] = side_of_pole(maker, i);
}

static sarrus_Status check_poles(Maker *maker) {
  const Tape *tape = maker->system->tape;
  for (int i = 0; i < tape->pole_count; i++) {
    const ValueStep *step = &tape->values[tape->poles[i]];
    if (side_of_pole(maker, i) == maker->pole_side[i]) continue;
    maker->fault.expr = step->node;
    return SARRUS_NONFINITE;
  }
  return SARRUS_OK;
}

/* Newton's method of stage 0 begins with what the series say. */
static void guess_from_series(Maker *maker, double h) {
  double *guess = maker->expansion->guess;
  if (!maker->system->nonlinear) return;
  span_evaluate(&maker->span, h, NULL, maker->spare_v, guess, guess + maker->n);
  for (int j = 0; j < maker->n; j++)
    if (maker->system->degree[j] == 1) guess[j] = maker->spare_v[j];
}

/* The point is there, and so are the errors of the series. */
static sarrus_Status take_landing(Maker *maker, double h, double *error) {
  maker->ahead.what = AHEAD_STANDS;
  SARRUS_TRY(check_poles(maker));
  *error = defect(maker, h, &maker->ahead.moved) / accepted_defect(maker);
  return SARRUS_OK;
}

/*
** Evaluate the series at h, and bring what comes out onto the constraints.  A piecewise function
** that changes its branch there has no acceleration to compare with.
*/
sarrus_Status maker_land(Maker *maker, double h, int jumps, double *error) {
  Correction moved;
  if (maker->ahead.what == AHEAD_LANDED && h == maker->ahead.h && !jumps)
    return take_landing(maker, h, error);
  point_copy(&maker->to, &maker->span.from, maker->n);
  point_forward(&maker->to, h);
  maker_reach(maker, h);
  if (!isfinite(maker->to.t) || !vector_finite(maker->to.q, maker->n) ||
      !vector_finite(maker->to.v, maker->n))
    return SARRUS_NONFINITE;
  guess_from_series(maker, h);
  SARRUS_TRY(maker_project(maker, &maker->to, &moved));
  SARRUS_TRY(check_poles(maker));
  if (maker->method.of_span) {
    maker_note_reached(maker, h);
    *error = 0;
    return SARRUS_OK;
  }
  const int through = maker_goes_through(maker, h);
  if (through) {
    SARRUS_TRY(maker_make_good(maker, h));
    SARRUS_TRY(maker_project(maker, &maker->to, &moved));
  }
  if (!jumps && !through) find_errors(maker, h);
  *error =
      jumps || through ? fmax(moved.position, fabs(h) * moved.velocity) : defect(maker, h, &moved);
  *error /= accepted_defect(maker);
  return SARRUS_OK;
}

/* The magnitudes at the beginning of a step; its end may never be reached. */
static void note_scale(Maker *maker) {
  for (int j = 0; j < maker->n; j++)
    maker->scale[j] = fmax(maker->scale[j], fabs(maker->span.from.q[j]));
  if (maker->system->contact_count > 0)
    maker->fastest = fmax(maker->fastest, vector_peak(maker->span.from.v, maker->scale, maker->n));
  maker_note_multipliers(maker);
}

static void count_step(Maker *maker, double h) {
  maker->stats.steps++;
  maker->stats.implicit += maker->method.of_span;
  maker->stats.order = maker->span.order;
  if (maker->stats.steps == 1 || fabs(h) < maker->stats.smallest) maker->stats.smallest = fabs(h);
  maker->stats.largest = fmax(maker->stats.largest, fabs(h));
}

void maker_accept(Maker *maker, double h) {
  maker->span.h = h;
  maker->span.until = maker->to.t;
  count_step(maker, h);
}

void maker_put_off(Maker *maker, double h, double part) {
  maker->span.h = h;
  maker->span.until = maker->span.from.t + maker->direction * part;
  count_step(maker, h);
}

void maker_put_off_again(Maker *maker, const Span *span) {
  maker->span = *span;
  maker->stats.steps++;
}

int maker_is_put_off(const Maker *maker) {
  const Span *span = &maker->span;
  return span->order > 0 && maker->to.t == span->from.t && span->until != span->from.t;
}

/* What a step notes where it begins is found again, for what was restored: it stands there. */
void maker_take_up(Maker *maker) {
  maker->stats.steps--;
  maker->near = (Near){SARRUS_NONE, 0, 0};
  maker->ends = 0;
  note_poles(maker);
  maker->from_margin = maker->margin;
}

sarrus_Status maker_back_out(Maker *maker, sarrus_Status status) {
  if (status == SARRUS_STEP) {
    maker_clear_fault(maker);
    maker->fault.column = maker_limiting(maker);
  }
  status = maker_find_cause(maker, status);
  maker->to.t = maker->span.from.t;
  maker->to.t_low = maker->span.from.t_low;
  maker->span.order = 0;
  maker->span.h = 0;
  maker->span.until = maker->to.t;
  work_reset(maker->expansion->work);
  return maker_recall(maker, status);
}

/*
** The part of a step to try next when the error is so many times what is allowed: that of a
** truncated series falls like the step to the power of the order.
*/
static double shorter_by(const Maker *maker, double error, int trial) {
  if (!isfinite(error)) return 0.5;
  if (trial < TRUNCATION_TRIALS) return fmax(0.3, 0.9 * pow(error, -1.0 / maker->span.order));
  return maker->ends ? fmin(0.5, fmax(LEAST_PART, 1 / sqrt(error))) : 0.5; /* rounding */
}

double maker_shorten(const Maker *maker, double h, double error, int trial) {
  return maker_shorten_step(maker, h, shorter_by(maker, error, trial));
}

/* Coefficients overflow, with no function to blame, where a motion is about to blow up. */
static int overflows(const Maker *maker, sarrus_Status status) {
  return status == SARRUS_NONFINITE && maker->fault.expr == SARRUS_NONE;
}

/* How often, and how much, the unit of time is made shorter where coefficients overflow. */
enum { SHORTER_UNITS = 50, SHORTER_BITS = 20 };

/* Expand; where coefficients overflow, in a shorter unit of time, and at last to a lower order. */
static sarrus_Status expand_within_range(Maker *maker) {
  Work *work = maker->expansion->work;
  sarrus_Status status = expand(maker);
  for (int i = 0; i < SHORTER_UNITS && overflows(maker, status); i++) {
    work_set_unit(work, ldexp(work->unit, -SHORTER_BITS));
    SARRUS_TRY(maker_prepare(maker, &maker->span.from));
    status = expand(maker);
  }
  while (overflows(maker, status) && maker->options.order == 0 && maker->order > LOWEST_ORDER) {
    maker->order = maker->order / 2 > LOWEST_ORDER ? maker->order / 2 : LOWEST_ORDER;
    work_reset(maker->expansion->work);
    SARRUS_TRY(maker_prepare(maker, &maker->span.from));
    status = expand(maker);
  }
  return overflows(maker, status) ? SARRUS_STEP : status;
}

/* The series just made, and the step they allow. */
sarrus_Status maker_expand_series(Maker *maker, double *h) {
  SARRUS_TRY(expand_within_range(maker));
  keep_series(maker);
  *h = maker->direction * maker_choose_step(maker);
  return SARRUS_OK;
}

sarrus_Status maker_begin(Maker *maker) {
  SARRUS_TRY(maker_choose_unit(maker));
  point_copy(&maker->span.from, &maker->to, maker->n);
  note_scale(maker);
  note_poles(maker);
  maker->from_margin = maker->margin;
  return SARRUS_OK;
}
