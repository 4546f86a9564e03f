/* One natural step. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim_parts.h"
#include "vector.h"

enum {
  MOST_TRIALS = 30,
  TRUNCATION_TRIALS = 4,
  MOST_TURNS = 8,
  MOST_CROSSINGS = 100,
  LOWEST_ORDER = 4
};

/* Where the series end, as those of what rests, a step may be far too long for what rounding leaves of them. */
static const double LEAST_PART = 1e-3;

/* So many crossings in a row within this part of a usual step are chattering. */
static const double CHATTER = 1e-6;

/* Shorter steps, relative to the time, are no longer known to a thousandth. */
static const double LEAST_STEP = 1024 * DBL_EPSILON, WAY_BACK = 8;

double sim_past(const sarrus_Sim *sim) {
  return fmax(fabs(sim->from.t), fabs(sim->from.t - sim->began));
}

/*
** Whether a step is too short to go on.  Time may have any zero: steps end there as they do elsewhere.  While they shrink there
** must be a way back, whose first step is as short as the next.  But a step that ends where something changes is as
** short as that asks for.
*/
static int vanishes(const sarrus_Sim *sim, double h, const Crossings *crossings) {
  if (crossings != NULL || sim->near.value != SARRUS_NONE) return 0;
  const int shrinks = h * sim->h > 0 && fabs(h) < fabs(sim->h);
  return !(fabs(h) > (shrinks ? WAY_BACK : 1) * LEAST_STEP * sim_past(sim));
}

void point_forward(Point *point, double dt) {
  const double y = dt + point->t_low, t = point->t + y;
  point->t_low = y - (t - point->t);
  point->t = t;
}

void sim_remember(sarrus_Sim *sim) {
  const Work *work = sim->expansion->work;
  const Kkt *kkt = sim->expansion->kkt;
  const size_t n = (size_t)sim->n * sizeof(double);
  const size_t switches = (size_t)sim->system->tape->switch_count * sizeof(int);
  memcpy(sim->last.q, sim->to.q, n);
  memcpy(sim->last.v, sim->to.v, n);
  memcpy(sim->last.guess, sim->expansion->guess, (size_t)sim->variables * sizeof(double));
  memcpy(sim->last.branch, work->branch, switches);
  memcpy(sim->last.forced, work->forced, switches);
  memcpy(sim->last.dependent, kkt->dependent, (size_t)kkt->m * sizeof(int));
  memcpy(sim->last.row, kkt->row, (size_t)kkt->size * sizeof(double));
  memcpy(sim->last.column, kkt->column, (size_t)kkt->size * sizeof(double));
  sim->last.dependent_count = kkt->dependent_count;
}

sarrus_Status sim_recall(sarrus_Sim *sim, sarrus_Status status) {
  const sarrus_Fault fault = sim->fault;
  Work *work = sim->expansion->work;
  Kkt *kkt = sim->expansion->kkt;
  const size_t n = (size_t)sim->n * sizeof(double);
  const size_t switches = (size_t)sim->system->tape->switch_count * sizeof(int);
  memcpy(sim->to.q, sim->last.q, n);
  memcpy(sim->to.v, sim->last.v, n);
  memcpy(sim->expansion->guess, sim->last.guess, (size_t)sim->variables * sizeof(double));
  memcpy(work->branch, sim->last.branch, switches);
  memcpy(work->forced, sim->last.forced, switches);
  memcpy(kkt->row, sim->last.row, (size_t)kkt->size * sizeof(double));
  memcpy(kkt->column, sim->last.column, (size_t)kkt->size * sizeof(double));
  const sarrus_Status rows = kkt_leave_out(kkt, sim->last.dependent, sim->last.dependent_count);
  if (rows < 0 || sim_prepare(sim, &sim->to) < 0) sim->broken = 1;
  sim->fault = fault;
  return status;
}

void point_copy(Point *to, const Point *from, int n) {
  to->t = from->t;
  to->t_low = from->t_low;
  memcpy(to->q, from->q, (size_t)n * sizeof *to->q);
  memcpy(to->v, from->v, (size_t)n * sizeof *to->v);
}

/* Stages 1 to K - 1. */
static sarrus_Status expand(sarrus_Sim *sim) {
  for (int stage = 1; stage < sim->order; stage++)
    SARRUS_TRY(expansion_extend(sim->expansion, stage, &sim->fault));
  return SARRUS_OK;
}

/* The series just made become those of the span. */
static void keep_series(sarrus_Sim *sim) {
  double *finished = sim->expansion->series;
  sim->expansion->series = sim->dense;
  sim->dense = finished;
  sim->unit = sim->expansion->work->unit;
  sim->dense_order = sim->order;
  for (int j = 0; j < sim->n; j++) /* these are known to one order less */
    if (sim->system->degree[j] == 1)
      sim->dense[(ptrdiff_t)(sim->order + 1) * sim->variables + j] = 0;
}

/*
** How far the series are from the equations at the end of the step: what projection moved, and the
** accelerations and multipliers that the equations give there against those of the series; motion
** as displacements, relative to scale, multipliers relative to what the equations hold (T18).
*/
static double defect(const sarrus_Sim *sim, double h, const Correction *moved) {
  const sarrus_Expansion *expansion = sim->expansion;
  double *x = expansion->rhs; /* a and lambda, then errors */
  sim_evaluate(sim, h, NULL, sim->system->general ? sim->spare_v : NULL, x, x + sim->n);
  kkt_shorten(expansion->kkt, x + sim->n); /* as those there */
  for (int j = 0; j < sim->n; j++)
    x[j] = sim->system->degree[j] == 2 ? h * h * (x[j] - expansion_acceleration(expansion, j))
                                       : h * (sim->spare_v[j] - expansion_velocity(expansion, j));
  for (int i = sim->n; i < sim->variables; i++)
    x[i] = sim->pole ? 0 : x[i] - *expansion_at(expansion, 0, i);
  if (!vector_finite(x, sim->variables)) return (double)INFINITY;
  const double forces = sim_multiplier_error(sim, h, x + sim->n);
  return fmax(fmax(moved->position, fabs(h) * moved->velocity),
              fmax(vector_peak(x, sim->scale, sim->n), forces));
}

/*
** A truncated series of order K has accelerations about K^2 times less accurate than positions.  Where the step begins or
** ends next to a singular position, they are less exact by as much as the margin of rank is smaller than usual; a thousand times at most,
** since the wrong way out of there is not much farther off.
*/
static double accepted_defect(const sarrus_Sim *sim) {
  const double order = sim->dense_order;
  const double margin = fmin(sim->from_margin, sim->margin);
  const double loss = fmin(1000, fmax(1, sim_near_margin(sim) / margin));
  const double leap = sim->pole ? sim_leap(sim) : 1;
  return (order + 1) * (order + 2) * fmax(leap * sim->options.tolerance, 100 * loss * DBL_EPSILON);
}

/*
** A divisor that changes its sign within a step has a pole there, which no series crosses; so has a tangent whose cosine
** does.
*/
static int side_of_pole(const sarrus_Sim *sim, int index) {
  const Work *work = sim->expansion->work;
  const ValueStep *step = &work->tape->values[work->tape->poles[index]];
  return (step->op == SARRUS_OP_TAN ? cos(work->value[step->a]) : work->value[step->b]) < 0;
}

static void note_poles(sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->tape->pole_count; i++)
    sim->pole_side[i] = side_of_pole(sim, i);
}

static sarrus_Status check_poles(sarrus_Sim *sim) {
  const Tape *tape = sim->system->tape;
  for (int i = 0; i < tape->pole_count; i++) {
    const ValueStep *step = &tape->values[tape->poles[i]];
    if (side_of_pole(sim, i) == sim->pole_side[i]) continue;
    sim->fault.expr = step->node;
    return SARRUS_NONFINITE;
  }
  return SARRUS_OK;
}

/* Newton's method of stage 0 begins with what the series say. */
static void guess_from_series(sarrus_Sim *sim, double h) {
  double *guess = sim->expansion->guess;
  if (!sim->system->nonlinear) return;
  sim_evaluate(sim, h, NULL, sim->spare_v, guess, guess + sim->n);
  for (int j = 0; j < sim->n; j++)
    if (sim->system->degree[j] == 1) guess[j] = sim->spare_v[j];
}

/*
** Evaluate the series at h, and bring what comes out onto the constraints.  A piecewise function that changes its branch
** there has no acceleration to compare with.
*/
static sarrus_Status land(sarrus_Sim *sim, double h, const Crossings *crossings, double *error) {
  Correction moved;
  point_copy(&sim->to, &sim->from, sim->n);
  point_forward(&sim->to, h);
  sim_evaluate(sim, h, sim->to.q, sim->to.v, NULL, NULL);
  if (!isfinite(sim->to.t) || !vector_finite(sim->to.q, sim->n) ||
      !vector_finite(sim->to.v, sim->n))
    return SARRUS_NONFINITE;
  guess_from_series(sim, h);
  sim_release_switches(sim);
  if (crossings != NULL) sim_force_switches(sim, crossings);
  SARRUS_TRY(sim_project(sim, &sim->to, &moved));
  SARRUS_TRY(check_poles(sim));
  const int through = sim_goes_through(sim, h);
  if (through) {
    SARRUS_TRY(sim_make_good(sim, h));
    SARRUS_TRY(sim_project(sim, &sim->to, &moved));
  }
  const int jumps = crossings != NULL || through;
  *error = jumps ? fmax(moved.position, fabs(h) * moved.velocity) : defect(sim, h, &moved);
  return SARRUS_OK;
}

/* The magnitudes at the beginning of a step; its end may never be reached. */
static void note_scale(sarrus_Sim *sim) {
  for (int j = 0; j < sim->n; j++)
    sim->scale[j] = fmax(sim->scale[j], fabs(sim->from.q[j]));
  sim_note_multipliers(sim);
}

static void accept(sarrus_Sim *sim, double h) {
  sim->h = h;
  sim->changed = 0;
  sim->until = sim->to.t;
  sim->stats.steps++;
  sim->stats.order = sim->dense_order;
  if (sim->stats.steps == 1 || fabs(h) < sim->stats.smallest) sim->stats.smallest = fabs(h);
  sim->stats.largest = fmax(sim->stats.largest, fabs(h));
}

/* Crossings that follow each other within no time. */
static sarrus_Status count_crossing(sarrus_Sim *sim, const Crossings *crossings) {
  if (crossings == NULL) {
    sim->crossings = 0;
    return SARRUS_OK;
  }
  if (sim->crossings++ == 0) sim->crossings_began = sim->from.t;
  if (sim->crossings < MOST_CROSSINGS) return SARRUS_OK;
  sim->crossings = 0;
  if (fabs(sim->to.t - sim->crossings_began) >= CHATTER * sim->stats.largest) return SARRUS_OK;
  sim->fault.expr = sim_switching(sim, crossings->at[0].slot);
  return SARRUS_EVENT;
}

/* Stand again where the step began. */
static sarrus_Status back_out(sarrus_Sim *sim, sarrus_Status status) {
  if (status == SARRUS_STEP) {
    sim_clear_fault(sim);
    sim->fault.column = sim_limiting(sim);
  }
  status = sim_find_cause(sim, status);
  sim->to.t = sim->from.t;
  sim->to.t_low = sim->from.t_low;
  sim->dense_order = sim->hit_count = sim->hit_next = 0;
  sim_drop_events(sim);
  sim->h = 0;
  sim->until = sim->now = sim->to.t;
  work_reset(sim->expansion->work);
  return sim_recall(sim, status);
}

/* The part of a step to try next, if the error is so many times what is allowed: truncated series fall with the order. */
static double shorter_by(const sarrus_Sim *sim, double error, int trial) {
  if (!isfinite(error)) return 0.5;
  if (trial < TRUNCATION_TRIALS) return fmax(0.3, 0.9 * pow(error, -1.0 / sim->dense_order));
  return sim->ends ? fmin(0.5, fmax(LEAST_PART, 1 / sqrt(error))) : 0.5; /* rounding */
}

/* Try h, and less while the equations do not hold at its end. */
static sarrus_Status try_steps(sarrus_Sim *sim, double h, const Crossings *first) {
  const int fixed = sim->options.step > 0;
  sarrus_Status status = SARRUS_STEP;
  for (int trial = 0; trial < MOST_TRIALS; trial++) {
    const Crossings *crossings = first->count > 0 && h == first->h ? first : NULL;
    double error = (double)INFINITY;
    if (vanishes(sim, h, crossings)) return SARRUS_STEP;
    status = land(sim, h, crossings, &error);
    const double wanted = accepted_defect(sim);
    if (status == SARRUS_OK && (error <= wanted || fixed)) {
      accept(sim, h);
      return count_crossing(sim, crossings);
    }
    sim->stats.rejected++;
    h = sim_shorten_step(sim, h, shorter_by(sim, error / wanted, trial));
  }
  return status < 0 ? status : SARRUS_STEP;
}

/* Coefficients overflow, with no function to blame, where a motion is about to blow up. */
static int overflows(const sarrus_Sim *sim, sarrus_Status status) {
  return status == SARRUS_NONFINITE && sim->fault.expr == SARRUS_NONE;
}

/* How often, and how much, the unit of time is made shorter where coefficients overflow. */
enum { SHORTER_UNITS = 50, SHORTER_BITS = 20 };

/* Expand; where coefficients overflow, in a shorter unit of time, and at last to a lower order. */
static sarrus_Status expand_within_range(sarrus_Sim *sim) {
  Work *work = sim->expansion->work;
  sarrus_Status status = expand(sim);
  for (int i = 0; i < SHORTER_UNITS && overflows(sim, status); i++) {
    work_set_unit(work, ldexp(work->unit, -SHORTER_BITS));
    SARRUS_TRY(sim_prepare(sim, &sim->from));
    status = expand(sim);
  }
  while (overflows(sim, status) && sim->options.order == 0 && sim->order > LOWEST_ORDER) {
    sim->order = sim->order / 2 > LOWEST_ORDER ? sim->order / 2 : LOWEST_ORDER;
    work_reset(sim->expansion->work);
    SARRUS_TRY(sim_prepare(sim, &sim->from));
    status = expand(sim);
  }
  return overflows(sim, status) ? SARRUS_STEP : status;
}

/*
** The series and the step they allow.  On a threshold of a piecewise function the branch must be the one to which the
** motion goes; if neither is, it sticks.
*/
static sarrus_Status expand_on_branch(sarrus_Sim *sim, double *h) {
  for (int turn = 0; turn < MOST_TURNS; turn++) {
    SARRUS_TRY(expand_within_range(sim));
    keep_series(sim);
    *h = sim->direction * sim_choose_step(sim);
    const int turned = sim_turn_switch(sim, *h);
    if (turned == SARRUS_NONE) return SARRUS_OK;
    const int value = sim->system->tape->switches[turned].value;
    SARRUS_TRY(sim_prepare(sim, &sim->from));
    sim->fault.expr = sim->system->tape->values[value].node;
  }
  return SARRUS_EVENT;
}

sarrus_Status sim_make_step(sarrus_Sim *sim) {
  double h = 0;
  if (sim->broken) return SARRUS_SINGULAR;
  sim_remember(sim);
  sarrus_Status status = sim_choose_unit(sim);
  if (status < 0) return sim_recall(sim, status);
  point_copy(&sim->from, &sim->to, sim->n);
  note_scale(sim);
  note_poles(sim);
  sim->from_margin = sim->margin;
  status = expand_on_branch(sim, &h);
  if (status < 0) return back_out(sim, status);
  const Crossings first = sim_first_crossings(sim, h);
  sim_choose_order(sim, fabs(h));
  status = try_steps(sim, first.h, &first);
  if (status == SARRUS_OK) status = sim_find_events(sim);
  return status < 0 ? back_out(sim, status) : SARRUS_OK;
}
