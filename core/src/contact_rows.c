/*
** What a decision about contacts is made of: all that touch are let go, and the matrix W = B M^-1
** B^T of their rows, joints being kept, tells what forces at them do (T42).
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "array.h"
#include "contact.h"

/* Speeds below this part of what is added up in them are none. */
static const double NO_SPEED = 1e-13;

/*
** That of a step.  Series of what rests, or falls freely, would serve for ages, those of what stops
** for no time at all.
*/
double contact_step_time(const sarrus_Sim *sim) {
  const Maker *maker = &sim->maker;
  return maker->stats.largest > 0 ? maker->stats.largest : maker->expansion->work->unit;
}

double contact_speed_held(const sarrus_Sim *sim, int row) {
  const Maker *maker = &sim->maker;
  const Kkt *kkt = maker->expansion->kkt;
  double sum = 0;
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++)
    if (kkt->pattern.column[e] < maker->n)
      sum += fabs(kkt->value[e]) * maker->held * kkt->column[kkt->pattern.column[e]];
  return sum * contact_step_time(sim);
}

/* Nor are those that the forces would make within rounding of a step's time. */
double contact_speed_noise(const sarrus_Sim *sim, int row) {
  const Maker *maker = &sim->maker;
  return NO_SPEED * expansion_row_size(maker->expansion, row, maker->to.v) +
         DBL_EPSILON * contact_speed_held(sim, row);
}

int contact_ending_of(const sarrus_Sim *sim, int contact) {
  return sim->endings[sim->maker.system->arguments.switches + contact];
}

/* Row of the system's matrix, or NONE: of the gap, or of slip k. */
int contact_gap_row(const sarrus_Sim *sim, int contact) {
  const int gap = sim->system->contacts[contact].gap;
  return gap == SARRUS_NONE ? SARRUS_NONE : sim->maker.n + gap;
}

int contact_slip_row(const sarrus_Sim *sim, int contact, int k) {
  const Contact *of = &sim->system->contacts[contact];
  return k < of->slips ? sim->maker.n + of->slip + k : SARRUS_NONE;
}

/*
** What is closed or has just touched; and what is nearer to that than the least bounce is high:
** where contacts strike each other by turns, ever faster, they are struck together at last.
*/
static int touches(const sarrus_Sim *sim, int contact) {
  const ContactState *state = &sim->contacts[contact];
  const int row = contact_gap_row(sim, contact);
  if (state->released) return 0;
  if (row == SARRUS_NONE || state->now.mode != SARRUS_OPEN ||
      contact_ending_of(sim, contact) == ENDS_TOUCH)
    return 1;
  const double gap = sim->maker.expansion->residual[row];
  return gap <= sim_least_height(sim) * maker_row_length(&sim->maker, row);
}

/* More contacts at once are a matter of gigabytes. */
enum { MOST_TOUCHING = 1000 };

static void lay_out(Decision *d, Block *block) {
  const int n = d->count, axes = d->spatial ? 2 : 1, rows = (1 + axes) * n;
  BLOCK_TAKE(block, d->contact, n);
  BLOCK_TAKE(block, d->W, (ptrdiff_t)rows * rows);
  BLOCK_TAKE(block, d->matrix, (ptrdiff_t)4 * n * n);
  BLOCK_TAKE(block, d->right, 2 * n);
  BLOCK_TAKE(block, d->speed, rows);
  BLOCK_TAKE(block, d->noise, rows);
  BLOCK_TAKE(block, d->b, 2 * n);
  BLOCK_TAKE(block, d->mu, n);
  BLOCK_TAKE(block, d->sliding, n);
  BLOCK_TAKE(block, d->e, n);
  BLOCK_TAKE(block, d->least, n);
  BLOCK_TAKE(block, d->force, rows);
  BLOCK_TAKE(block, d->rate, rows);
  BLOCK_TAKE(block, d->slip, n);
  BLOCK_TAKE(block, d->mode, n);
  BLOCK_TAKE(block, d->tie, n);
  BLOCK_TAKE(block, d->caught, n);
  BLOCK_TAKE(block, d->held, n);
  BLOCK_TAKE(block, d->kept_held, n);
  BLOCK_TAKE(block, d->freed, n);
  BLOCK_TAKE(block, d->along, 2 * n);
  BLOCK_TAKE(block, d->kept_along, 2 * n);
  BLOCK_TAKE(block, d->fixed, rows);
  BLOCK_TAKE(block, d->dead, n);
  BLOCK_TAKE(block, d->guided, n);
  BLOCK_TAKE(block, d->leads, 2 * n);
  BLOCK_TAKE(block, d->met, n);
  BLOCK_TAKE(block, d->stopped, n);
  BLOCK_TAKE(block, d->part.of, n);
  BLOCK_TAKE(block, d->part.taken, n);
  BLOCK_TAKE(block, d->part.W, (ptrdiff_t)rows * rows);
  BLOCK_TAKE(block, d->part.b, rows);
  BLOCK_TAKE(block, d->part.mu, n);
  BLOCK_TAKE(block, d->part.sliding, n);
  BLOCK_TAKE(block, d->part.e, n);
  BLOCK_TAKE(block, d->part.least, n);
  BLOCK_TAKE(block, d->part.force, rows);
  BLOCK_TAKE(block, d->part.rate, rows);
  BLOCK_TAKE(block, d->part.slip, n);
  BLOCK_TAKE(block, d->part.guided, n);
  BLOCK_TAKE(block, d->part.mode, n);
  BLOCK_TAKE(block, d->part.tie, n);
  d->friction_work = block_take(block, friction_work_size(n), 1);
  d->impact_work = block_take(block, impact_work_size(n, axes), 1);
}

sarrus_Status contact_gather(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  d->count = d->spatial = 0;
  d->axes = 1;
  expansion_residual(sim->maker.expansion);
  for (int i = 0; i < sim->system->contact_count; i++) {
    if (!touches(sim, i)) continue;
    d->count++;
    d->spatial |= sim->system->contacts[i].slips == 2;
  }
  Block block = {NULL, 0};
  if (d->count > MOST_TOUCHING) return SARRUS_LIMIT;
  lay_out(d, &block);
  BLOCK_OPEN(d->block, (size_t)d->capacity); /* growing copies all of it */
  if (!ARRAY_RESERVE(sim->memory, d->block, d->capacity, (int)block.used + 1)) return SARRUS_NOMEM;
  lay_out(d, &(Block){d->block, 0});
  for (int i = 0, k = 0; i < sim->system->contact_count; i++)
    if (touches(sim, i)) d->contact[k++] = i;
  d->shares = d->spatial;
  memset(d->caught, 0, (size_t)d->count * sizeof *d->caught);
  memset(d->freed, 0, (size_t)d->count * sizeof *d->freed);
  memset(d->guided, 0, (size_t)d->count * sizeof *d->guided);
  memset(d->leads, 0, 2 * (size_t)d->count * sizeof *d->leads);
  memset(d->stopped, 0, (size_t)d->count * sizeof *d->stopped);
  return SARRUS_OK;
}

int contact_row_count(const Decision *d) { return (1 + d->axes) * d->count; }

/*
** Row k of W: normals first, then slips along a direction, in an impact also across it; of none, 0
** is answered.  `factor` are those of the rows of the matrix that it consists of.
*/
int contact_rows_of(const sarrus_Sim *sim, int k, int row[2], double factor[2]) {
  const Decision *d = &sim->decision;
  const int slips = k >= d->count, contact = d->contact[k % d->count];
  const double *along = &d->along[2 * (k % d->count)];
  const double across[2] = {-along[1], along[0]};
  int count = 0;
  for (int i = 0; i < 2; i++) {
    const int own = slips    ? contact_slip_row(sim, contact, i)
                    : i == 0 ? contact_gap_row(sim, contact)
                             : SARRUS_NONE;
    if (own == SARRUS_NONE) continue;
    row[count] = own;
    factor[count++] = !slips ? 1 : k < 2 * d->count ? along[i] : across[i];
  }
  return count;
}

/* x += force times the row */
void contact_push(const sarrus_Sim *sim, int k, double force, double *x) {
  const Kkt *kkt = sim->maker.expansion->kkt;
  double factor[2];
  int row[2];
  const int count = contact_rows_of(sim, k, row, factor);
  for (int i = 0; i < count; i++)
    for (int e = kkt->pattern.start[row[i]]; e < kkt->pattern.start[row[i] + 1]; e++)
      if (kkt->pattern.column[e] < sim->maker.n)
        x[kkt->pattern.column[e]] += force * factor[i] * kkt->value[e];
}

/* The row times x; 0 where there is none. */
double contact_along(const sarrus_Sim *sim, int k, const double *x) {
  double factor[2], sum = 0;
  int row[2];
  const int count = contact_rows_of(sim, k, row, factor);
  for (int i = 0; i < count; i++)
    sum += factor[i] * kkt_row_times(sim->maker.expansion->kkt, row[i], x, sim->maker.n);
  return sum;
}

/* D of (T10) makes masses 1. */
double contact_free_response(const sarrus_Sim *sim, int k) {
  const Kkt *kkt = sim->maker.expansion->kkt;
  double factor[2], sum = 0;
  int row[2];
  const int count = contact_rows_of(sim, k, row, factor);
  for (int i = 0; i < count; i++)
    for (int e = kkt->pattern.start[row[i]]; e < kkt->pattern.start[row[i] + 1]; e++) {
      const int j = kkt->pattern.column[e];
      const double x = j < sim->maker.n ? factor[i] * kkt->value[e] * kkt->column[j] : 0;
      sum += x * x;
    }
  return sum;
}

/*
** Contacts of what is locked, and cannot move, are left alone, friction of a joint too: no force
** does anything there, and nothing has to.
*/
static void fix_rows(const sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  const int rows = contact_row_count(d);
  int locked = 0;
  for (int k = 0; k < sim->system->locks; k++)
    locked |= sarrus_sim_locked(sim, k);
  for (int i = 0; i < rows; i++) {
    const int alone = i < d->count && d->least[i] > 0; /* friction without a gap has no such row */
    const double size = locked && !alone ? contact_free_response(sim, i) : 0;
    d->fixed[i] = size > 0 && !(d->W[i * rows + i] > CONTACT_FIXED * size);
    for (int k = 0; k < rows && d->fixed[i]; k++)
      d->W[i * rows + k] = d->W[k * rows + i] = i == k;
  }
}

/*
** Friction of a joint whose coordinate no motion changes here, as that of a slider at a dead
** centre: what its own force does is rounding, and neither holds nor moves anything.  Of 312
** slider-cranks drawn straight at all angles and sizes 94 jammed at 2 eps, 16 at 128, none at 1024.
*/
static const double CONTACT_DEAD = 1e-12;

static void find_dead(const sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  const int rows = contact_row_count(d);
  for (int k = 0; k < d->count; k++) {
    const int row = d->count + k;
    const double size = CONTACT_DEAD * contact_free_response(sim, row);
    d->dead[k] = d->least[k] > 0 && !d->fixed[row] && !(d->W[row * rows + row] > size);
    for (int i = 0; i < rows && d->dead[k]; i++)
      d->W[i * rows + row] = d->W[row * rows + i] = i == row ? size : 0;
  }
}

void contact_find_responses(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  double *x = sim->maker.expansion->rhs;
  const int rows = contact_row_count(d);
  for (int i = 0; i < rows; i++) {
    memset(x, 0, (size_t)sim->maker.variables * sizeof *x);
    contact_push(sim, i, 1, x);
    kkt_solve_motion(sim->maker.expansion->kkt, x);
    for (int k = 0; k < rows; k++)
      d->W[k * rows + i] = contact_along(sim, k, x);
    if (i < d->count && d->least[i] > 0) d->W[i * rows + i] = 1; /* friction without a gap */
  }
  fix_rows(sim);
  find_dead(sim);
}

/*
** What friction without a gap would make within rounding of a step's time: forces may have grown
** since the step began.
*/
static double friction_noise(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int row = d->count + k;
  const double bound = d->least[k] * d->sliding[k];
  return DBL_EPSILON * fabs(d->W[row * contact_row_count(d) + row]) * bound *
         contact_step_time(sim);
}

/* Speeds along all rows, and what of them is rounding. */
void contact_find_speeds(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  const int rows = contact_row_count(d);
  for (int k = 0; k < rows; k++) {
    double factor[2];
    int row[2];
    const int count = contact_rows_of(sim, k, row, factor);
    const int travel = k < d->count ? sim->maker.direction : 1; /* what approaches, backwards too */
    d->speed[k] = 0;
    d->noise[k] = k < d->count ? 0 : friction_noise(sim, k % d->count);
    for (int i = 0; i < count && !d->fixed[k]; i++) {
      d->speed[k] += travel * factor[i] * sim->rates[row[i]];
      d->noise[k] += contact_speed_noise(sim, row[i]);
    }
  }
}

double contact_extra(const sarrus_Sim *sim, int which) {
  const Search *search = sim->arguments;
  return search->work->value[search->tape->extra_value[which]];
}

sarrus_Status contact_bad_contact(sarrus_Sim *sim, int contact, double size) {
  sim->maker.fault = fault_none();
  sim->maker.fault.contact = contact;
  sim->maker.fault.size = size;
  return SARRUS_CONTACT;
}

sarrus_Status contact_has_no_past(sarrus_Sim *sim, int contact) {
  const sarrus_Status status = contact_bad_contact(sim, contact, 0);
  sim->maker.fault.count = SARRUS_NONE;
  return status;
}

sarrus_Status contact_look(sarrus_Sim *sim) {
  const sarrus_Expansion *expansion = sim->maker.expansion;
  double *a = sim->sight.a;
  for (int j = 0; j < sim->maker.n; j++)
    a[j] = expansion_acceleration(expansion, j);
  return search_at(sim->arguments, sim->maker.to.t, sim->maker.to.q, sim->maker.to.v, a,
                   expansion_at(expansion, 0, sim->maker.n));
}

/* Coefficients and bounds at `to`; friction without a gap is as of a force of 1. */
sarrus_Status contact_find_laws(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  SARRUS_TRY(contact_look(sim));
  for (int k = 0; k < d->count; k++) {
    const int i = d->contact[k];
    const ContactOutputs *of = &sim->maker.system->arguments.contact[i];
    d->sliding[k] = contact_extra(sim, of->friction);
    d->e[k] = contact_extra(sim, of->restitution);
    d->least[k] = sim->system->contacts[i].gap == SARRUS_NONE;
    if (!(d->sliding[k] >= 0 && contact_extra(sim, of->still) >= 0 && d->e[k] >= 0 &&
          d->e[k] <= 1)) {
      contact_bad_contact(sim, i, 0);
      return SARRUS_ARGUMENT;
    }
  }
  return SARRUS_OK;
}

void contact_find_accelerations(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  for (int k = 0; k < 2 * d->count; k++) {
    double factor[2];
    int row[2];
    const int count = contact_rows_of(sim, k, row, factor);
    d->b[k] = k < d->count && d->least[k] > 0;
    for (int i = 0; i < count && !d->fixed[k]; i++)
      d->b[k] += factor[i] * expansion_row_acceleration(sim->maker.expansion, row[i]);
  }
}
