/*
** Contacts: which are open, slip or stick after one of them has changed (T42).
**
** All that touch are let go, and the matrix W = B M^-1 B^T of their rows, joints being kept, tells what forces at them do.
** Where some approach, an impact changes velocities (impact.h); then the complementarity problem of accelerations
** (lcp.h) tells who is pressed and who sticks.  A contact whose mode has just ended is not asked again: it lifts, or slips,
** or may stick.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "array.h"
#include "impact.h"
#include "sim_parts.h"

/* Speeds below this part of what is added up in them are none. */
static const double NO_SPEED = 1e-13;

/* Nor are those that the forces would make within rounding of a step's time. */
static double speed_noise(const sarrus_Sim *sim, int row) {
  const Maker *maker = &sim->maker;
  const Kkt *kkt = maker->expansion->kkt;
  double sum = 0;
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++)
    if (kkt->pattern.column[e] < maker->n)
      sum += fabs(kkt->value[e]) * maker->held * kkt->column[kkt->pattern.column[e]];
  return NO_SPEED * expansion_row_size(maker->expansion, row, maker->to.v) +
         DBL_EPSILON * sum * maker->expansion->work->unit;
}

static int ending_of(const sarrus_Sim *sim, int contact) {
  return sim->endings[sim->system->arguments.switches + contact];
}

/* Row of the system's matrix, or NONE: of the gap, or of slip k. */
static int gap_row(const sarrus_Sim *sim, int contact) {
  const int gap = sim->system->contacts[contact].gap;
  return gap == SARRUS_NONE ? SARRUS_NONE : sim->maker.n + gap;
}

static int slip_row(const sarrus_Sim *sim, int contact, int k) {
  const Contact *of = &sim->system->contacts[contact];
  return k < of->slips ? sim->maker.n + of->slip + k : SARRUS_NONE;
}

/* --- modes ------------------------------------------------------------------------------- */

static void turn(sarrus_Sim *sim, int row, int on) {
  if (row != SARRUS_NONE) sim->off[row - sim->maker.n] = !on;
}

static void write_mode(const ContactMode *mode, double *u) {
  const int slips = mode->mode == SARRUS_SLIP;
  for (int k = 0; k < 2; k++)
    u[MODE_DIRECTION + k] = slips && !mode->free ? mode->direction[k] : 0;
  u[MODE_FREE] = slips && mode->free;
  u[MODE_NUMBER] = (double)mode->mode;
}

void sim_apply_modes(sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count; i++) {
    const ContactState *state = &sim->contacts[i];
    const int on = !state->released;
    turn(sim, gap_row(sim, i), on && state->now.mode != SARRUS_OPEN);
    for (int k = 0; k < 2; k++)
      turn(sim, slip_row(sim, i, k), on && (state->now.mode == SARRUS_STICK || state->held));
    write_mode(&state->now, &sim->maker.expansion->modes[CONTACT_MODES * i]);
  }
  kkt_turn_off(sim->maker.expansion->kkt, sim->off);
}

/* Stand at `to` with these modes, positions and velocities as they are. */
static sarrus_Status stand(sarrus_Sim *sim) {
  Maker *maker = &sim->maker;
  sim_apply_modes(sim);
  SARRUS_TRY(maker_analyse(maker, &maker->to));
  return maker_prepare_rates(maker, &maker->to, sim->rates);
}

/* --- what touches ------------------------------------------------------------------------ */

/*
** What is closed or has just touched; and what is nearer to that than positions are known: where contacts strike each
** other by turns, ever faster, they are struck together at last.
*/
static int touches(const sarrus_Sim *sim, int contact) {
  const ContactState *state = &sim->contacts[contact];
  const int row = gap_row(sim, contact);
  if (state->released) return 0;
  if (row == SARRUS_NONE || state->now.mode != SARRUS_OPEN || ending_of(sim, contact) == ENDS_TOUCH)
    return 1;
  const double gap = sim->maker.expansion->residual[row];
  return gap <= sim->maker.options.tolerance * maker_row_length(&sim->maker, row);
}

static void lay_out(Decision *d, Block *block) {
  const int n = d->count;
  BLOCK_TAKE(block, d->contact, n);
  BLOCK_TAKE(block, d->W, (ptrdiff_t)4 * n * n);
  BLOCK_TAKE(block, d->matrix, (ptrdiff_t)4 * n * n);
  BLOCK_TAKE(block, d->right, 2 * n);
  BLOCK_TAKE(block, d->speed, 2 * n);
  BLOCK_TAKE(block, d->noise, 2 * n);
  BLOCK_TAKE(block, d->b, 2 * n);
  BLOCK_TAKE(block, d->mu, n);
  BLOCK_TAKE(block, d->sliding, n);
  BLOCK_TAKE(block, d->e, n);
  BLOCK_TAKE(block, d->least, n);
  BLOCK_TAKE(block, d->force, 2 * n);
  BLOCK_TAKE(block, d->rate, 2 * n);
  BLOCK_TAKE(block, d->slip, n);
  BLOCK_TAKE(block, d->mode, n);
  BLOCK_TAKE(block, d->tie, n);
  BLOCK_TAKE(block, d->caught, n);
  BLOCK_TAKE(block, d->held, n);
  BLOCK_TAKE(block, d->along, 2 * n);
  d->friction_work = block_take(block, friction_work_size(n), 1);
  d->impact_work = block_take(block, impact_work_size(n), 1);
}

static sarrus_Status gather(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  d->count = 0;
  expansion_residual(sim->maker.expansion);
  for (int i = 0; i < sim->system->contact_count; i++)
    d->count += touches(sim, i);
  Block block = {NULL, 0};
  lay_out(d, &block);
  if (!ARRAY_RESERVE(sim->memory, d->block, d->capacity, (int)block.used + 1)) return SARRUS_NOMEM;
  lay_out(d, &(Block){d->block, 0});
  for (int i = 0, k = 0; i < sim->system->contact_count; i++)
    if (touches(sim, i)) d->contact[k++] = i;
  memset(d->caught, 0, (size_t)d->count * sizeof *d->caught);
  return SARRUS_OK;
}

/*
** Row k of W: normals first, then slips along a direction; of none, 0 is answered.  `factor` are those of the rows of the
** matrix that it consists of.
*/
static int rows_of(const sarrus_Sim *sim, int k, int row[2], double factor[2]) {
  const Decision *d = &sim->decision;
  const int slips = k >= d->count, contact = d->contact[slips ? k - d->count : k];
  int count = 0;
  for (int i = 0; i < 2; i++) {
    const int own = slips    ? slip_row(sim, contact, i)
                    : i == 0 ? gap_row(sim, contact)
                             : SARRUS_NONE;
    if (own == SARRUS_NONE) continue;
    row[count] = own;
    factor[count++] = slips ? d->along[2 * (k - d->count) + i] : 1;
  }
  return count;
}

/* x += force times the row */
static void push(const sarrus_Sim *sim, int k, double force, double *x) {
  const Kkt *kkt = sim->maker.expansion->kkt;
  double factor[2];
  int row[2];
  const int count = rows_of(sim, k, row, factor);
  for (int i = 0; i < count; i++)
    for (int e = kkt->pattern.start[row[i]]; e < kkt->pattern.start[row[i] + 1]; e++)
      if (kkt->pattern.column[e] < sim->maker.n)
        x[kkt->pattern.column[e]] += force * factor[i] * kkt->value[e];
}

/* The row times x; 0 where there is none. */
static double along(const sarrus_Sim *sim, int k, const double *x) {
  double factor[2], sum = 0;
  int row[2];
  const int count = rows_of(sim, k, row, factor);
  for (int i = 0; i < count; i++)
    sum += factor[i] * kkt_row_times(sim->maker.expansion->kkt, row[i], x, sim->maker.n);
  return sum;
}

static void find_responses(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  double *x = sim->maker.expansion->rhs;
  const int rows = 2 * d->count;
  for (int i = 0; i < rows; i++) {
    memset(x, 0, (size_t)sim->maker.variables * sizeof *x);
    push(sim, i, 1, x);
    kkt_solve_motion(sim->maker.expansion->kkt, x);
    for (int k = 0; k < rows; k++)
      d->W[k * rows + i] = along(sim, k, x);
    if (i < d->count && d->least[i] > 0) d->W[i * rows + i] = 1; /* friction without a gap */
  }
}

/* Speeds along all rows, and what of them is rounding. */
static void find_speeds(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  for (int k = 0; k < 2 * d->count; k++) {
    double factor[2];
    int row[2];
    const int count = rows_of(sim, k, row, factor);
    d->speed[k] = d->noise[k] = 0;
    for (int i = 0; i < count; i++) {
      d->speed[k] += factor[i] * sim->rates[row[i]];
      d->noise[k] += speed_noise(sim, row[i]);
    }
  }
}

/* --- coefficients ------------------------------------------------------------------------ */

static double extra(const sarrus_Sim *sim, int which) {
  const Search *search = &sim->arguments;
  return search->work->value[search->tape->extra_value[which]];
}

static sarrus_Status bad_contact(sarrus_Sim *sim, int contact, double size) {
  sim->maker.fault = fault_none();
  sim->maker.fault.contact = contact;
  sim->maker.fault.size = size;
  return SARRUS_CONTACT;
}

/* What is asked of contacts, at `to`. */
static sarrus_Status look(sarrus_Sim *sim) {
  const sarrus_Expansion *expansion = sim->maker.expansion;
  double *a = sim->sight.a;
  for (int j = 0; j < sim->maker.n; j++)
    a[j] = expansion_acceleration(expansion, j);
  return search_at(&sim->arguments, sim->maker.to.t, sim->maker.to.q, sim->maker.to.v, a,
                   expansion_at(expansion, 0, sim->maker.n));
}

/* Coefficients and bounds at `to`; friction without a gap is as of a force of 1. */
static sarrus_Status find_laws(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  SARRUS_TRY(look(sim));
  for (int k = 0; k < d->count; k++) {
    const int i = d->contact[k];
    const ContactOutputs *of = &sim->system->arguments.contact[i];
    d->sliding[k] = extra(sim, of->friction);
    d->e[k] = extra(sim, of->restitution);
    d->least[k] = sim->system->contacts[i].gap == SARRUS_NONE;
    if (d->held[k]) d->sliding[k] = 0;
    if (!(d->sliding[k] >= 0 && extra(sim, of->still) >= 0 && d->e[k] >= 0 && d->e[k] <= 1))
      return SARRUS_ARGUMENT;
  }
  return SARRUS_OK;
}

/* --- impact ------------------------------------------------------------------------------ */

/* What was closed may seem to approach by rounding; what has touched does. */
static int approaches(const sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++) {
    const int touched = ending_of(sim, d->contact[k]) == ENDS_TOUCH;
    if (d->speed[k] < (touched ? 0 : -d->noise[k])) return 1;
  }
  return 0;
}

/* Velocities change by what impulses along all rows do. */
static void strike(sarrus_Sim *sim, const double *impulse) {
  const Decision *d = &sim->decision;
  Maker *maker = &sim->maker;
  double *x = maker->expansion->rhs;
  memset(x, 0, (size_t)maker->variables * sizeof *x);
  for (int k = 0; k < 2 * d->count; k++)
    push(sim, k, impulse[k], x);
  kkt_solve_motion(maker->expansion->kkt, x);
  for (int j = 0; j < maker->n; j++)
    maker->to.v[j] += x[j];
}

static void note_impulses(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++) {
    ContactState *state = &sim->contacts[d->contact[k]];
    state->impulse[0] = d->force[k];
    for (int i = 0; i < 2; i++)
      state->impulse[1 + i] = d->force[d->count + k] * d->along[2 * k + i];
    state->impulse_at = sim->maker.to.t;
  }
}

static sarrus_Status solve_impact(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  const ImpactProblem problem = {d->count, d->W, d->speed, d->sliding, d->e};
  int stages;
  const LcpStatus status = impact_solve(&problem, d->force, d->rate, &stages, d->impact_work);
  if (status == LCP_SOLVED) return SARRUS_OK;
  return status == LCP_NOT_FINITE ? SARRUS_NONFINITE : bad_contact(sim, d->contact[0], 0);
}

static void find_accelerations(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  for (int k = 0; k < 2 * d->count; k++) {
    double factor[2];
    int row[2];
    const int count = rows_of(sim, k, row, factor);
    d->b[k] = k < d->count && d->least[k] > 0;
    for (int i = 0; i < count; i++)
      d->b[k] += factor[i] * expansion_row_acceleration(sim->maker.expansion, row[i]);
  }
}

/* Where something approaches: velocities after the impact, and speeds along the rows. */
static sarrus_Status bounce(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  if (!approaches(sim)) return SARRUS_OK;
  SARRUS_TRY(solve_impact(sim));
  strike(sim, d->force);
  note_impulses(sim);
  memcpy(d->speed, d->rate, (size_t)(2 * d->count) * sizeof *d->speed);
  sim->struck = 1;
  return maker_prepare(&sim->maker, &sim->maker.to);
}

/* --- forces ------------------------------------------------------------------------------ */

/* A contact that separates, or whose force has just come to 0, takes no part. */
static int is_out(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  if (d->least[k] > 0 || d->caught[k]) return 0;
  return d->speed[k] > d->noise[k] || ending_of(sim, d->contact[k]) == ENDS_LIFT;
}

static void leave_out(Decision *d, int k) {
  const int rows = 2 * d->count, own[2] = {k, d->count + k};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < rows; j++)
      d->matrix[own[i] * rows + j] = d->matrix[j * rows + own[i]] = 0;
  d->matrix[k * rows + k] = d->right[k] = 1;
  d->right[d->count + k] = 0;
  d->mu[k] = 0;
  d->slip[k] = 0;
}

/* Where a slip has come to zero, it is zero up to so many times its noise. */
static const double STOPPED = 1e5;

/*
** The direction in which a contact slips already, or is about to, or is pushed to up to its bound though others hold it; 0: it
** may stick.
*/
static int slip_of(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int ending = ending_of(sim, d->contact[k]);
  const ContactMode *was = &sim->contacts[d->contact[k]].kept_slip;
  const double v = d->speed[d->count + k], noise = d->noise[d->count + k];
  if (ending == ENDS_PLUS) return -1;
  if (ending == ENDS_MINUS) return 1;
  if (d->held[k]) return 0;
  if (fabs(v) > (ending == ENDS_STOP ? STOPPED : 1) * noise) return v > 0 ? 1 : -1;
  return ending == ENDS_NOT ? (int)was->direction[0] : 0;
}

/* The acceleration that friction alone causes. */
static double friction_acceleration(const Decision *d, int k) {
  const int row = d->count + k;
  return fabs(d->W[row * 2 * d->count + row] * d->sliding[k] * d->force[k]);
}

/* Accelerations against slip that are more than this part of it push back. */
static const double PUSHED_BACK = 1e-9;

/*
** What friction at rest does not hold slips with the other coefficient; and what was to slip, but would be pushed back, may
** stick.  Whether there is such.
*/
static int changes_slip(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const FrictionMode mode = d->mode[k];
  const int slips = mode == FRICTION_SLIP_PLUS ? 1 : mode == FRICTION_SLIP_MINUS ? -1 : 0;
  const int ending = ending_of(sim, d->contact[k]);
  const double still = extra(sim, sim->system->arguments.contact[d->contact[k]].still);
  if (slips == 0 || d->mu[k] == 0) return 0;
  if (d->slip[k] == 0 && d->mu[k] != d->sliding[k]) {
    d->slip[k] = slips;
    d->mu[k] = d->sliding[k];
    return 1;
  }
  const double noise = d->noise[d->count + k];
  const int rests = fabs(d->speed[d->count + k]) <= noise || ending == ENDS_PLUS || ending == ENDS_MINUS;
  const double back = PUSHED_BACK * friction_acceleration(d, k);
  if (!rests || d->slip[k] == 0 || d->slip[k] * d->rate[d->count + k] >= -back) return 0;
  d->slip[k] = 0;
  d->mu[k] = still;
  return 1;
}

static sarrus_Status solve_forces(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  const FrictionProblem problem = {d->count, d->matrix, d->right, d->mu, d->slip, d->least};
  const FrictionAnswer answer = {d->force, d->rate, d->mode, d->tie};
  const LcpStatus status = friction_solve(&problem, &answer, d->friction_work);
  if (status == LCP_SOLVED) return SARRUS_OK;
  return status == LCP_NOT_FINITE ? SARRUS_NONFINITE : bad_contact(sim, d->contact[0], 0);
}

/* Contacts at rest hold up to the static bound; those that it does not hold slip with the other. */
static sarrus_Status find_forces(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  find_accelerations(sim);
  memcpy(d->matrix, d->W, (size_t)(4 * d->count * d->count) * sizeof *d->W);
  memcpy(d->right, d->b, (size_t)(2 * d->count) * sizeof *d->b);
  for (int k = 0; k < d->count; k++) {
    d->slip[k] = slip_of(sim, k);
    d->mu[k] = d->sliding[k];
    if (d->held[k])
      d->mu[k] = 0;
    else if (d->slip[k] == 0)
      d->mu[k] = extra(sim, sim->system->arguments.contact[d->contact[k]].still);
    if (is_out(sim, k)) leave_out(d, k);
  }
  for (int pass = 0; pass <= d->count; pass++) {
    int more = 0;
    SARRUS_TRY(solve_forces(sim));
    for (int k = 0; k < d->count; k++)
      more |= changes_slip(sim, k);
    if (!more) return SARRUS_OK;
  }
  return SARRUS_OK;
}

/*
** Open, but at rest where it touches: others carry the load, and within a usual step it would leave by no more than the
** tolerance.
*/
static int is_idle(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const Maker *maker = &sim->maker;
  if (d->mode[k] != FRICTION_OPEN || is_out(sim, k)) return 0;
  const double size = maker_row_length(maker, gap_row(sim, d->contact[k]));
  const double time = maker->natural;
  return d->tie[k] || d->rate[k] * time * time <= 2 * maker->options.tolerance * size;
}

static void set_planar_mode(const Decision *d, int k, ContactMode *mode) {
  const FrictionMode found = d->mode[k];
  mode->mode = found == FRICTION_OPEN    ? SARRUS_OPEN
               : found == FRICTION_STICK ? SARRUS_STICK
                                         : SARRUS_SLIP;
  mode->direction[0] = mode->mode != SARRUS_SLIP || d->mu[k] == 0 ? 0
                       : found == FRICTION_SLIP_PLUS              ? 1
                                                                  : -1;
}

/*
** Slip that has begun without an acceleration: as long as what it moves within the time in which friction turns it is of no
** account, its direction is that of the acceleration, and no series would follow it there.
*/
static const double CRAWLS = 1e3, LEAST_CRAWL = 1e-8;

static int crawls_still(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const double v = d->speed[d->count + k];
  const double size = maker_row_length(&sim->maker, slip_row(sim, d->contact[k], 0));
  const double part = fmax(CRAWLS * sim->maker.options.tolerance, LEAST_CRAWL);
  return v * v < part * size * friction_acceleration(d, k);
}

/* What sticks in space is found out later (settle_slips). */
static void set_spatial_mode(const sarrus_Sim *sim, int k, ContactMode *mode) {
  const Decision *d = &sim->decision;
  const int ending = ending_of(sim, d->contact[k]);
  if (d->mode[k] == FRICTION_OPEN) {
    mode->mode = SARRUS_OPEN;
  } else if (d->held[k]) {
    mode->mode = SARRUS_STICK;
  } else if (mode->mode == SARRUS_SLIP && !mode->free && !mode->starts && ending == ENDS_NOT) {
    return; /* it goes straight on until it stops */
  } else {
    const int goes_on = mode->mode == SARRUS_SLIP;
    const double fastest = goes_on ? mode->fastest : 0;
    const int crawls = goes_on && mode->starts == STARTS_SLOWLY && crawls_still(sim, k);
    *mode = (ContactMode){SARRUS_SLIP, {d->along[2 * k], d->along[2 * k + 1]}, 0, 0, fastest, 0};
    mode->starts = ending == ENDS_PLUS ? STARTS : crawls ? STARTS_SLOWLY : 0;
    mode->free = !mode->starts && ending != ENDS_SLOW;
  }
}

static void set_modes(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++) {
    const int i = d->contact[k];
    ContactState *state = &sim->contacts[i];
    state->held = 0;
    if (sim->system->contacts[i].slips == 2) {
      state->now = state->kept_slip;
      set_spatial_mode(sim, k, &state->now);
    } else {
      state->now = (ContactMode){0};
      set_planar_mode(d, k, &state->now);
    }
    state->now.idle = is_idle(sim, k);
  }
}

/* --- slip in space ----------------------------------------------------------------------- */

/* The force that holds a contact, by its multipliers; answers its size. */
static double holding_force(const sarrus_Sim *sim, int contact, double force[2]) {
  for (int k = 0; k < 2; k++)
    force[k] = -*expansion_at(sim->maker.expansion, 0, slip_row(sim, contact, k));
  return hypot(force[0], force[1]);
}

/*
** Before what touches is let go: the directions of slip, and what may stick.  What has been held up to its bound begins to
** slip against the force that held it.
*/
static void find_directions(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  sarrus_Expansion *expansion = sim->maker.expansion;
  expansion_rate_residual(expansion, sim->maker.to.v);
  for (int k = 0; k < d->count; k++) {
    const int i = d->contact[k], ending = ending_of(sim, i);
    double *direction = &d->along[2 * k], v[2] = {0}, noise = 0;
    direction[0] = 1;
    direction[1] = 0;
    d->held[k] = 0;
    sim->contacts[i].kept_slip = sim->contacts[i].now;
    if (sim->system->contacts[i].slips < 2) continue;
    if (ending == ENDS_PLUS) {
      const double size = holding_force(sim, i, v);
      direction[0] = size > 0 ? -v[0] / size : 1;
      direction[1] = size > 0 ? -v[1] / size : 0;
      continue;
    }
    for (int r = 0; r < 2; r++) {
      v[r] = expansion->residual[slip_row(sim, i, r)];
      noise += speed_noise(sim, slip_row(sim, i, r));
    }
    const double speed = hypot(v[0], v[1]);
    d->held[k] = ending == ENDS_STOP || speed <= noise;
    for (int r = 0; r < 2 && !d->held[k]; r++)
      direction[r] = v[r] / speed;
  }
}

/* What is held though nothing presses it is let go altogether; whether there is such. */
static int frees_held(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  int found = 0;
  for (int k = 0; k < d->count; k++) {
    if (!d->held[k] || d->mode[k] != FRICTION_OPEN) continue;
    d->held[k] = sim->contacts[d->contact[k]].held = 0;
    found = 1;
  }
  return found;
}

/* Accelerations below this part of what friction does are none. */
static const double NO_ACCELERATION = 1e-7;

/*
** The direction d of slip that begins is that of the acceleration a which friction against it leaves.  With r, what friction
** alone does, d = (a + r d) / |a + r d| finds it at once where that is the same in all directions; d = a / |a| would turn
** round where a is small.
*/
static double turn_slip(sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int contact = d->contact[k];
  ContactMode *mode = &sim->contacts[contact].now;
  const double r = friction_acceleration(d, k);
  double a[2], next[2];
  for (int i = 0; i < 2; i++) {
    a[i] = expansion_row_acceleration(sim->maker.expansion, slip_row(sim, contact, i));
    next[i] = a[i] + r * mode->direction[i];
  }
  if (hypot(a[0], a[1]) <= NO_ACCELERATION * r) mode->starts = STARTS_SLOWLY;
  const double size = hypot(next[0], next[1]);
  if (size == 0) return 0;
  const double turned =
      hypot(next[0] / size - mode->direction[0], next[1] / size - mode->direction[1]);
  for (int i = 0; i < 2; i++)
    mode->direction[i] = next[i] / size;
  return turned;
}

/* What its bound does not hold begins to slip; whether it does. */
static int begins_to_slip(sarrus_Sim *sim, int contact) {
  const ContactOutputs *of = &sim->system->arguments.contact[contact];
  ContactMode *mode = &sim->contacts[contact].now;
  double force[2];
  const double size = holding_force(sim, contact, force);
  const int row = gap_row(sim, contact);
  const double pressed = row == SARRUS_NONE ? 1 : -*expansion_at(sim->maker.expansion, 0, row);
  if (size <= extra(sim, of->still) * pressed * (1 + 1e-12)) return 0;
  *mode = (ContactMode){SARRUS_SLIP, {-force[0] / size, -force[1] / size}, 0, STARTS, 0, 0};
  return 1;
}

enum { MOST_SETTLINGS = 200 };
static const double SETTLED = 1e-14;

/* Which contacts in space stick, and where those go that begin to slip. */
static sarrus_Status settle_slips(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int turn = 0; turn < MOST_SETTLINGS; turn++) {
    int open = 0, spatial = 0;
    for (int k = 0; k < d->count; k++) {
      const int i = d->contact[k];
      const ContactMode *mode = &sim->contacts[i].now;
      if (sim->system->contacts[i].slips < 2 || mode->mode == SARRUS_OPEN) continue;
      if (spatial++ == 0) SARRUS_TRY(stand(sim));
      if (mode->mode == SARRUS_STICK)
        open |= begins_to_slip(sim, i);
      else if (mode->starts)
        open |= turn_slip(sim, k) > SETTLED;
    }
    if (!open) return SARRUS_OK;
  }
  return SARRUS_OK;
}

/* --- decisions --------------------------------------------------------------------------- */

/* The acceleration of a contact that takes no part, with the forces of the others. */
static double acceleration_of(const Decision *d, int k) {
  double a = d->b[k];
  for (int j = 0; j < 2 * d->count; j++)
    a += d->W[k * 2 * d->count + j] * d->force[j];
  return a;
}

/*
** Bouncing that ends in finite time: where the next apex, v^2 / 2a, is below the tolerance, it is the last: restitution
** becomes 0 there, or where others have pushed it away, it is caught.  Answers whether there is one.
*/
static int ends_bouncing(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  int found = 0;
  for (int k = 0; k < d->count; k++) {
    const double v = d->speed[k];
    if (d->least[k] > 0 || d->caught[k] || !(v > d->noise[k])) continue;
    const double size = maker_row_length(&sim->maker, gap_row(sim, d->contact[k]));
    if (v * v > -2 * acceleration_of(d, k) * sim->maker.options.tolerance * size) continue;
    d->caught[k] = !sim->struck || d->e[k] == 0;
    d->e[k] = 0;
    found = 1;
  }
  return found;
}

/* All that touch, but for what sticks in space. */
static sarrus_Status let_go(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++) {
    ContactState *state = &sim->contacts[d->contact[k]];
    state->now.mode = SARRUS_OPEN;
    state->held = d->held[k];
  }
  SARRUS_TRY(stand(sim));
  find_responses(sim);
  return SARRUS_OK;
}

/* --- idle contacts ----------------------------------------------------------------------- */

/*
** Where more contacts touch than forces are determined by, as four corners of a box do, the decision leaves some idle.
** They share the load as redundant constraints do, if that presses all of them, and if nothing slips.
*/

static int join_idle(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  int found = 0;
  for (int k = 0; k < d->count; k++) {
    const ContactMode *mode = &sim->contacts[d->contact[k]].now;
    if (sim->system->contacts[d->contact[k]].slips > 0 && mode->mode == SARRUS_SLIP) return 0;
    found += is_idle(sim, k);
  }
  for (int k = 0; k < d->count && found > 0; k++) {
    const Contact *contact = &sim->system->contacts[d->contact[k]];
    if (!is_idle(sim, k)) continue;
    sim->contacts[d->contact[k]].now =
        (ContactMode){.mode = contact->slips > 0 ? SARRUS_STICK : SARRUS_SLIP};
  }
  return found;
}

static void part_idle(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++)
    if (is_idle(sim, k))
      sim->contacts[d->contact[k]].now = (ContactMode){.mode = SARRUS_OPEN, .idle = 1};
}

/* Friction that is this near to its bound would not hold for long. */
static const double HOLDS = 0.9;

/* Whether all closed contacts are pressed, and friction holds what sticks. */
static int is_pressed(const sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  const sarrus_Expansion *expansion = sim->maker.expansion;
  for (int k = 0; k < d->count; k++) {
    const int i = d->contact[k], row = gap_row(sim, i);
    const ContactMode *mode = &sim->contacts[i].now;
    if (row == SARRUS_NONE || mode->mode == SARRUS_OPEN) continue;
    const double pressed = -*expansion_at(expansion, 0, row);
    double square = 0;
    for (int r = 0; r < 2 && mode->mode == SARRUS_STICK; r++) {
      const int slip = slip_row(sim, i, r);
      const double force = slip == SARRUS_NONE ? 0 : *expansion_at(expansion, 0, slip);
      square += force * force;
    }
    const double bound = HOLDS * extra(sim, sim->system->arguments.contact[i].still) * pressed;
    if (!(pressed > 0) || square > bound * bound) return 0;
  }
  return 1;
}

/* Positions and velocities on what is closed. */
static sarrus_Status close_contacts(sarrus_Sim *sim) {
  Correction moved;
  sim_apply_modes(sim);
  SARRUS_TRY(maker_close(&sim->maker, &sim->maker.to, 1));
  return maker_project(&sim->maker, &sim->maker.to, &moved);
}

/*
** To close what bounces no more moves its neighbours a little: one of them that was about to leave, from rest, may be pushed
** down.  It is closed as well, and lifts at once.
*/
static sarrus_Status close_pushed(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  Maker *maker = &sim->maker;
  int pushed = 0;
  for (int k = 0; k < d->count; k++)
    pushed |= d->caught[k];
  if (!pushed) return SARRUS_OK;
  SARRUS_TRY(maker_prepare_rates(maker, &maker->to, sim->rates));
  pushed = 0;
  for (int k = 0; k < d->count; k++) {
    const int row = gap_row(sim, d->contact[k]);
    ContactMode *mode = &sim->contacts[d->contact[k]].now;
    if (row == SARRUS_NONE || mode->mode != SARRUS_OPEN || is_out(sim, k)) continue;
    if (sim->rates[row] >= -d->noise[k]) continue;
    *mode = (ContactMode){.mode = SARRUS_SLIP};
    pushed = 1;
  }
  return pushed ? close_contacts(sim) : SARRUS_OK;
}

/* Impacts and forces, with the coefficients and bounds that were found last. */
static sarrus_Status find_modes(sarrus_Sim *sim, const double *v) {
  Maker *maker = &sim->maker;
  const size_t bytes = (size_t)maker->n * sizeof(double);
  for (;;) {
    memcpy(maker->to.v, v, bytes);
    SARRUS_TRY(let_go(sim));
    find_speeds(sim);
    SARRUS_TRY(bounce(sim));
    SARRUS_TRY(find_forces(sim));
    const int again = ends_bouncing(sim), freed = frees_held(sim);
    if (!again && !freed) break;
  }
  set_modes(sim);
  SARRUS_TRY(settle_slips(sim));
  const int joined = join_idle(sim);
  SARRUS_TRY(close_contacts(sim));
  if (!joined || is_pressed(sim)) return close_pushed(sim);
  part_idle(sim);
  SARRUS_TRY(close_contacts(sim));
  return close_pushed(sim);
}

/* How often bounds that depend on forces are found anew, and when they are good enough to tell modes. */
enum { MOST_BOUNDS = 50 };
static const double SAME_BOUND = 1e-9;

/* Bounds that depend on forces, as those of bearings do, with the forces found: whether they differ. */
static sarrus_Status renew_bounds(sarrus_Sim *sim, int *differ) {
  const Decision *d = &sim->decision;
  *differ = 0;
  if (!sim->system->nonlinear) return SARRUS_OK;
  memcpy(d->right, d->sliding, (size_t)d->count * sizeof *d->right);
  SARRUS_TRY(find_laws(sim));
  for (int k = 0; k < d->count; k++)
    *differ |= d->least[k] > 0 && fabs(d->sliding[k] - d->right[k]) > SAME_BOUND * d->sliding[k];
  return SARRUS_OK;
}

static sarrus_Status decide(sarrus_Sim *sim) {
  double *v = sim->sight.v;
  int differ = 1;
  SARRUS_TRY(gather(sim));
  find_directions(sim);
  SARRUS_TRY(find_laws(sim));
  memcpy(v, sim->maker.to.v, (size_t)sim->maker.n * sizeof *v);
  for (int i = 0; differ && i < MOST_BOUNDS; i++) {
    SARRUS_TRY(find_modes(sim, v));
    SARRUS_TRY(renew_bounds(sim, &differ));
  }
  return SARRUS_OK;
}

sarrus_Status sim_decide(sarrus_Sim *sim) {
  sim->struck = 0;
  const sarrus_Status status = decide(sim);
  sim_clear_endings(sim);
  return status;
}

/* --- from outside ------------------------------------------------------------------------ */

void sim_recall_modes(sarrus_Sim *sim) {
  if (sim->system->contact_count == 0) return;
  for (int i = 0; i < sim->system->contact_count; i++)
    sim->contacts[i].now = sim->contacts[i].span;
  sim_apply_modes(sim);
}

static int *ending_at(sarrus_Sim *sim, int contact) {
  return &sim->endings[sim->system->arguments.switches + contact];
}

sarrus_Status sim_let_go(sarrus_Sim *sim) {
  if (sim->system->contact_count == 0) return SARRUS_OK;
  for (int i = 0; i < sim->system->contact_count; i++) {
    if (sim->system->contacts[i].gap == SARRUS_NONE) continue;
    if (sim->contacts[i].now.mode != SARRUS_OPEN) *ending_at(sim, i) = ENDS_TOUCH;
    sim->contacts[i].now.mode = SARRUS_OPEN;
  }
  return stand(sim);
}

/* What is this near to touching, relative to sizes, touches. */
static const double TOUCHES = 1e-9;

/* Open contacts that touch; CONTACT where one penetrates. */
static sarrus_Status find_touching(sarrus_Sim *sim) {
  const sarrus_Expansion *expansion = sim->maker.expansion;
  expansion_residual(sim->maker.expansion);
  for (int i = 0; i < sim->system->contact_count; i++) {
    const int row = gap_row(sim, i);
    if (row == SARRUS_NONE || sim->contacts[i].released) continue;
    if (sim->contacts[i].now.mode != SARRUS_OPEN) continue;
    const double gap = expansion->residual[row];
    const double near = TOUCHES * maker_row_length(&sim->maker, row);
    if (gap < -near) return bad_contact(sim, i, -gap);
    if (gap <= near) *ending_at(sim, i) = ENDS_TOUCH;
  }
  return SARRUS_OK;
}

/* Those that leave do not touch. */
static sarrus_Status skip_leaving(sarrus_Sim *sim) {
  SARRUS_TRY(maker_prepare_rates(&sim->maker, &sim->maker.to, sim->rates));
  for (int i = 0; i < sim->system->contact_count; i++) {
    const int row = gap_row(sim, i);
    if (*ending_at(sim, i) != ENDS_TOUCH) continue;
    if (sim->rates[row] > speed_noise(sim, row)) *ending_at(sim, i) = ENDS_NOT;
  }
  return SARRUS_OK;
}

sarrus_Status sim_reconsider(sarrus_Sim *sim) {
  if (sim->system->contact_count == 0) return SARRUS_OK;
  SARRUS_TRY(find_touching(sim));
  SARRUS_TRY(skip_leaving(sim));
  return sim_decide(sim);
}

sarrus_Status sim_start_contacts(sarrus_Sim *sim) {
  if (sim->system->contact_count == 0) return SARRUS_OK;
  sim_clear_endings(sim);
  for (int i = 0; i < sim->system->contact_count; i++) /* friction alone always acts */
    if (gap_row(sim, i) == SARRUS_NONE) sim->contacts[i].now.mode = SARRUS_SLIP;
  return sim_reconsider(sim);
}

static int is_at_end(const sarrus_Sim *sim, double t) {
  return sim->maker.span.order == 0 || (t == sim->maker.span.until && !sim->changed);
}

sarrus_Status sarrus_sim_modes_at(const sarrus_Sim *sim, double t, double *modes) {
  if (!sim->started || !span_covers(&sim->maker.span, t)) return SARRUS_ARGUMENT;
  for (int i = 0; i < sim->system->contact_count; i++) {
    const ContactState *state = &sim->contacts[i];
    write_mode(is_at_end(sim, t) ? &state->now : &state->span, &modes[CONTACT_MODES * i]);
  }
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_modes(const sarrus_Sim *sim, double *modes) {
  if (!sim->started) return SARRUS_ARGUMENT;
  if (sim->now != sim->maker.to.t) return sarrus_sim_modes_at(sim, sim->now, modes);
  for (int i = 0; i < sim->system->contact_count; i++)
    write_mode(&sim->contacts[i].now, &modes[CONTACT_MODES * i]);
  return SARRUS_OK;
}

int sarrus_sim_struck(const sarrus_Sim *sim, int contact, double impulse[3]) {
  if (!sim->started || contact < 0 || contact >= sim->system->contact_count) return 0;
  const ContactState *state = &sim->contacts[contact];
  const int struck = sim->now == sim->maker.to.t && state->impulse_at == sim->now;
  for (int k = 0; k < 3; k++)
    impulse[k] = struck ? state->impulse[k] : 0;
  return struck;
}
