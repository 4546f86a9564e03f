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
  u[0] = mode->mode == SARRUS_SLIP ? mode->direction[0] : 0;
  u[1] = (double)mode->mode;
}

void sim_apply_modes(sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count; i++) {
    const ContactState *state = &sim->contacts[i];
    const int on = !state->released;
    turn(sim, gap_row(sim, i), on && state->now.mode != SARRUS_OPEN);
    for (int k = 0; k < 2; k++)
      turn(sim, slip_row(sim, i, k), on && state->now.mode == SARRUS_STICK);
    write_mode(&state->now, &sim->maker.expansion->modes[CONTACT_MODES * i]);
  }
  kkt_turn_off(sim->maker.expansion->kkt, sim->off);
}

/* Stand at `to` with these modes, positions and velocities as they are. */
static sarrus_Status stand(sarrus_Sim *sim) {
  Maker *maker = &sim->maker;
  sim_apply_modes(sim);
  SARRUS_TRY(maker_analyse(maker, &maker->to));
  return maker_prepare(maker, &maker->to);
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
  if (state->now.mode != SARRUS_OPEN || ending_of(sim, contact) == ENDS_TOUCH) return 1;
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

/* Row k of W: normals first, then slips; NONE where a contact has none. */
static int row_of(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  return k < d->count ? gap_row(sim, d->contact[k]) : slip_row(sim, d->contact[k - d->count], 0);
}

/* M^-1 B^T times one of the rows, or times forces along all of them. */
static void push(const sarrus_Sim *sim, int row, double force, double *x) {
  const Kkt *kkt = sim->maker.expansion->kkt;
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++)
    if (kkt->pattern.column[e] < sim->maker.n) x[kkt->pattern.column[e]] += force * kkt->value[e];
}

static void find_responses(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  Kkt *kkt = sim->maker.expansion->kkt;
  double *x = sim->maker.expansion->rhs;
  const int rows = 2 * d->count;
  for (int i = 0; i < rows; i++) {
    memset(x, 0, (size_t)sim->maker.variables * sizeof *x);
    const int row = row_of(sim, i);
    if (row != SARRUS_NONE) {
      push(sim, row, 1, x);
      kkt_solve_motion(kkt, x);
    }
    for (int k = 0; k < rows; k++) {
      const int other = row_of(sim, k);
      d->W[k * rows + i] =
          row == SARRUS_NONE || other == SARRUS_NONE ? 0 : kkt_row_times(kkt, other, x, sim->maker.n);
    }
    if (row == SARRUS_NONE && i < d->count) d->W[i * rows + i] = 1; /* friction without a gap */
  }
}

/* Speeds along all rows, and what of them is rounding. */
static void find_speeds(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  sarrus_Expansion *expansion = sim->maker.expansion;
  expansion_rate_residual(expansion, sim->maker.to.v);
  for (int k = 0; k < 2 * d->count; k++) {
    const int row = row_of(sim, k);
    d->speed[k] = row == SARRUS_NONE ? 0 : expansion->residual[row];
    d->noise[k] =
        row == SARRUS_NONE ? 0 : NO_SPEED * expansion_row_size(expansion, row, sim->maker.to.v);
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
    if (row_of(sim, k) != SARRUS_NONE) push(sim, row_of(sim, k), impulse[k], x);
  kkt_solve_motion(maker->expansion->kkt, x);
  for (int j = 0; j < maker->n; j++)
    maker->to.v[j] += x[j];
}

static void note_impulses(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++) {
    ContactState *state = &sim->contacts[d->contact[k]];
    state->impulse[0] = d->force[k];
    state->impulse[1] = d->force[d->count + k];
    state->impulse[2] = 0;
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
    const int row = row_of(sim, k);
    d->b[k] = row == SARRUS_NONE ? k < d->count
                                 : expansion_row_acceleration(sim->maker.expansion, row);
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

/* The direction in which a contact slips already, or is about to; 0: it may stick. */
static int slip_of(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int ending = ending_of(sim, d->contact[k]);
  const double v = d->speed[d->count + k];
  if (ending == ENDS_PLUS) return -1;
  if (ending == ENDS_MINUS) return 1;
  if (ending == ENDS_STOP || fabs(v) <= d->noise[d->count + k]) return 0;
  return v > 0 ? 1 : -1;
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
    if (d->slip[k] == 0) d->mu[k] = extra(sim, sim->system->arguments.contact[d->contact[k]].still);
    if (is_out(sim, k)) leave_out(d, k);
  }
  for (int pass = 0; pass <= d->count; pass++) {
    int more = 0;
    SARRUS_TRY(solve_forces(sim));
    for (int k = 0; k < d->count; k++) {
      const int slips = d->mode[k] == FRICTION_SLIP_PLUS ? 1 : d->mode[k] == FRICTION_SLIP_MINUS ? -1 : 0;
      const double mu = d->sliding[k];
      if (slips == 0 || d->slip[k] != 0 || d->mu[k] == mu || d->mu[k] == 0) continue;
      d->slip[k] = slips;
      d->mu[k] = mu;
      more = 1;
    }
    if (!more) return SARRUS_OK;
  }
  return SARRUS_OK;
}

static void set_modes(sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++) {
    ContactState *state = &sim->contacts[d->contact[k]];
    const FrictionMode mode = d->mode[k];
    const int has_friction = sim->system->contacts[d->contact[k]].slips > 0 && d->mu[k] > 0;
    state->now.mode = mode == FRICTION_OPEN    ? SARRUS_OPEN
                  : mode == FRICTION_STICK ? SARRUS_STICK
                                           : SARRUS_SLIP;
    state->now.direction[0] = state->now.mode != SARRUS_SLIP || !has_friction ? 0
                          : mode == FRICTION_SLIP_PLUS                ? 1
                                                                      : -1;
    state->now.direction[1] = 0;
  }
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

static sarrus_Status decide(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  Maker *maker = &sim->maker;
  const size_t bytes = (size_t)maker->n * sizeof(double);
  Correction moved;
  SARRUS_TRY(gather(sim));
  SARRUS_TRY(find_laws(sim));
  for (int k = 0; k < d->count; k++)
    sim->contacts[d->contact[k]].now.mode = SARRUS_OPEN;
  SARRUS_TRY(stand(sim));
  find_responses(sim);
  memcpy(sim->sight.v, maker->to.v, bytes);
  for (;;) {
    find_speeds(sim);
    SARRUS_TRY(bounce(sim));
    SARRUS_TRY(find_forces(sim));
    if (!ends_bouncing(sim)) break;
    memcpy(maker->to.v, sim->sight.v, bytes);
    SARRUS_TRY(maker_prepare(maker, &maker->to));
  }
  set_modes(sim);
  sim_apply_modes(sim);
  SARRUS_TRY(maker_close(&sim->maker, &sim->maker.to, 1));
  return maker_project(&sim->maker, &sim->maker.to, &moved);
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
static void skip_leaving(sarrus_Sim *sim) {
  const sarrus_Expansion *expansion = sim->maker.expansion;
  expansion_rate_residual(sim->maker.expansion, sim->maker.to.v);
  for (int i = 0; i < sim->system->contact_count; i++) {
    const int row = gap_row(sim, i);
    if (*ending_at(sim, i) != ENDS_TOUCH) continue;
    const double noise = NO_SPEED * expansion_row_size(expansion, row, sim->maker.to.v);
    if (expansion->residual[row] > noise) *ending_at(sim, i) = ENDS_NOT;
  }
}

sarrus_Status sim_reconsider(sarrus_Sim *sim) {
  if (sim->system->contact_count == 0) return SARRUS_OK;
  SARRUS_TRY(find_touching(sim));
  skip_leaving(sim);
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
