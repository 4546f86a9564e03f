/*
** Velocities that jump, and how they change with the directions that are followed (T60).
**
** An impulse j, by which velocities change by dv, is J x = (j, 0), x = (dv, .); so
**
**   J dx = (dj, 0) - dJ x
**
** Of an impact j is made of the rows of contacts, j = sum_k P_k b_k, and P(W, r, mu, e) is what
** impact.h finds.  This is smooth while the same contacts slip, stick and bounce: its derivative is
** taken by differences of the sixth order along the direction, which have 13 digits.
*/
#include <math.h>
#include <string.h>

#include "contact.h"

/* The forms' equations, with positions and velocities as they change with the instant. */
typedef struct Surface {
  sarrus_Sim *sim;
  TangentForm *form;
  int n, variables, width, directions;
} Surface;

static sarrus_Status stand_on(sarrus_Sim *sim, Surface *surface, const double *v) {
  Maker *maker = &sim->maker;
  Tangent *here = sim->here;
  TangentForm *form = &sim->follow.forms[sim->form];
  sarrus_Expansion *expansion = maker->expansion;
  const size_t bytes = (size_t)here->n * (size_t)here->width * sizeof(double);
  const Expanded motion = {expansion->series, expansion->work->unit, maker->to.t, 1};
  SARRUS_TRY(tangent_take_form(sim->follow.tangent, form, maker->system));
  memcpy(here->q, sim->jump.q, bytes);
  memcpy(here->v, sim->jump.v, bytes);
  for (int j = 0; j < maker->n; j++)
    maker->newton[j] = expansion_velocity(expansion, j);
  sim->here_known = 0;
  *surface = (Surface){sim, form, maker->n, maker->variables, here->width, here->directions};
  return tangent_matrix(here, form, expansion, &motion, v == NULL ? maker->newton : v,
                        sim->parameters);
}

/* y -= dJ x in one direction, of the rows and columns that are kept. */
static void take_change(const Surface *surface, int direction, const double *x, double *y) {
  const Kkt *kkt = surface->sim->maker.expansion->kkt;
  for (int i = 0; i < surface->variables; i++) {
    if (i >= surface->n && kkt->dependent[i - surface->n] != KKT_KEPT) continue;
    for (int e = kkt->pattern.start[i]; e < kkt->pattern.start[i + 1]; e++)
      y[i] -= tangent_entry(surface->form, e, direction) * x[kkt->pattern.column[e]];
  }
}

/* Velocities after the jump change by J^-1 of the right-hand side besides. */
static void add_response(const Surface *surface, int direction, double *rhs) {
  kkt_solve_motion(surface->sim->maker.expansion->kkt, rhs);
  for (int j = 0; j < surface->n; j++)
    surface->sim->jump.v[(ptrdiff_t)j * surface->width + direction] += rhs[j];
}

sarrus_Status contact_follow_impulse(sarrus_Sim *sim, const double *x) {
  Surface surface;
  double *rhs = sim->here == NULL ? NULL : sim->here->one;
  if (!sim->jump.under_way) return SARRUS_OK;
  SARRUS_TRY(stand_on(sim, &surface, NULL));
  for (int l = 0; l < surface.directions; l++) {
    memset(rhs, 0, (size_t)surface.variables * sizeof *rhs);
    take_change(&surface, l, x, rhs);
    add_response(&surface, l, rhs);
  }
  sim_note_push(sim);
  return SARRUS_OK;
}

/* J x = (0, -rates): what is closed takes speeds away. */
sarrus_Status contact_follow_closing(sarrus_Sim *sim) {
  Surface surface;
  Maker *maker = &sim->maker;
  double *rhs = sim->here->one, *x = maker->expansion->rhs;
  const double *before = sim->jump.sight[1].v;
  SARRUS_TRY(stand_on(sim, &surface, before));
  memset(x, 0, (size_t)surface.variables * sizeof *x);
  for (int i = surface.n; i < surface.variables; i++)
    x[i] = kkt_row_times(maker->expansion->kkt, i, maker->to.v, surface.n) -
           kkt_row_times(maker->expansion->kkt, i, before, surface.n);
  kkt_solve_motion(maker->expansion->kkt, x);
  for (int l = 0; l < surface.directions; l++) {
    for (int i = 0; i < surface.variables; i++)
      rhs[i] =
          i < surface.n || maker->system->offset[i] == 0 ? 0 : -tangent_rate(surface.form, i, l);
    take_change(&surface, l, x, rhs);
    add_response(&surface, l, rhs);
  }
  return SARRUS_OK;
}

/* --- impacts -------------------------------------------------------------------------------- */

/* What an impact is found from, and how it changes in one direction; then impulses. */
typedef struct Slopes {
  int count, rows;               /* as of W */
  double *x;                     /* per row: J^-1 (b, 0), all variables */
  double *W, *dW, *v, *dv;       /* as it is, and how it changes */
  double *mu, *dmu, *e, *de;     /* count each */
  double *force, *rate, *dforce; /* as found; and its derivative */
  double *turn;                  /* 2 count: how directions of slip change, in space */
  double *whole;                 /* all of x: what the impact does */
  int rank, *order;              /* of W: rows that others depend on come first */
  double *left[2],
      *offset; /* workspace: (W, v) without what depends; and v without that, as it is */
} Slopes;

static void lay_out(Slopes *slopes, int variables, Block *block) {
  const int rows = slopes->rows;
  BLOCK_TAKE(block, slopes->x, (ptrdiff_t)rows * variables);
  BLOCK_TAKE(block, slopes->W, (ptrdiff_t)rows * rows);
  BLOCK_TAKE(block, slopes->dW, (ptrdiff_t)rows * rows);
  BLOCK_TAKE(block, slopes->v, rows);
  BLOCK_TAKE(block, slopes->dv, rows);
  BLOCK_TAKE(block, slopes->mu, slopes->count);
  BLOCK_TAKE(block, slopes->dmu, slopes->count);
  BLOCK_TAKE(block, slopes->e, slopes->count);
  BLOCK_TAKE(block, slopes->de, slopes->count);
  BLOCK_TAKE(block, slopes->force, rows);
  BLOCK_TAKE(block, slopes->rate, rows);
  BLOCK_TAKE(block, slopes->dforce, rows);
  BLOCK_TAKE(block, slopes->turn, 2 * slopes->count);
  BLOCK_TAKE(block, slopes->whole, variables);
  BLOCK_TAKE(block, slopes->order, rows);
  BLOCK_TAKE(block, slopes->left[0], (ptrdiff_t)rows * (rows + 1));
  BLOCK_TAKE(block, slopes->left[1], (ptrdiff_t)rows * (rows + 1));
  BLOCK_TAKE(block, slopes->offset, rows);
}

/* Responses to all rows, and what the decision has as it is. */
static void find_responses(const Surface *surface, Slopes *slopes) {
  sarrus_Sim *sim = surface->sim;
  const Decision *d = &sim->decision;
  const size_t rows = (size_t)slopes->rows, count = (size_t)slopes->count;
  for (int k = 0; k < slopes->rows; k++) {
    double *x = slopes->x + (ptrdiff_t)k * surface->variables;
    memset(x, 0, (size_t)surface->variables * sizeof *x);
    contact_push(sim, k, 1, x);
    kkt_solve_motion(sim->maker.expansion->kkt, x);
  }
  memcpy(slopes->W, d->W, rows * rows * sizeof(double));
  memcpy(slopes->v, d->speed, rows * sizeof(double));
  memcpy(slopes->mu, d->sliding, count * sizeof(double));
  memcpy(slopes->e, d->e, count * sizeof(double));
  memcpy(slopes->force, d->force, rows * sizeof(double));
  memcpy(slopes->rate, d->rate, rows * sizeof(double));
  memset(slopes->whole, 0, (size_t)surface->variables * sizeof(double));
  for (int k = 0; k < slopes->rows; k++)
    for (int j = 0; j < surface->variables; j++)
      slopes->whole[j] +=
          sim->maker.direction * d->force[k] * slopes->x[(ptrdiff_t)k * surface->variables + j];
}

/*
** Friction in space acts along d = s / |s|, s the slip before the impact, which turns by
** (ds - d (d . ds)) / |s|.
*/
static void find_turns(const Surface *surface, Slopes *slopes, int direction) {
  const sarrus_Sim *sim = surface->sim;
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++) {
    const double *along = &d->along[2 * k];
    double *turn = &slopes->turn[2 * k], along_change = 0, change[2] = {0, 0};
    const double speed = d->speed[d->count + k];
    turn[0] = turn[1] = 0;
    if (sim->system->contacts[d->contact[k]].slips != 2 || !(speed > d->noise[d->count + k]))
      continue;
    for (int i = 0; i < 2; i++) {
      const int row = contact_slip_row(sim, d->contact[k], i);
      change[i] = tangent_rate(surface->form, row, direction);
      along_change += along[i] * change[i];
    }
    for (int i = 0; i < 2; i++)
      turn[i] = (change[i] - along[i] * along_change) / speed;
  }
}

/* y += force db, b being row k of W: rows of the matrix change, and directions turn. */
static void push_change(const Surface *surface, const Slopes *slopes, int k, int direction,
                        double force, double *y) {
  const sarrus_Sim *sim = surface->sim;
  const Kkt *kkt = sim->maker.expansion->kkt;
  const int slip = k / slopes->count;
  const double *turn = &slopes->turn[2 * (k % slopes->count)];
  const double turns[2] = {slip == 2 ? -turn[1] : turn[0], slip == 2 ? turn[0] : turn[1]};
  double factor[2];
  int row[2];
  const int count = contact_rows_of(sim, k, row, factor);
  for (int i = 0; i < count; i++) {
    const double turned = slip > 0 ? turns[i] : 0;
    for (int e = kkt->pattern.start[row[i]]; e < kkt->pattern.start[row[i] + 1]; e++)
      if (kkt->pattern.column[e] < surface->n)
        y[kkt->pattern.column[e]] +=
            force *
            (factor[i] * tangent_entry(surface->form, e, direction) + turned * kkt->value[e]);
  }
}

/* db . x */
static double changed_row(const Surface *surface, const Slopes *slopes, int k, int direction,
                          const double *x) {
  double *row = surface->sim->maker.newton, sum = 0;
  memset(row, 0, (size_t)surface->n * sizeof *row);
  push_change(surface, slopes, k, direction, 1, row);
  for (int j = 0; j < surface->n; j++)
    sum += row[j] * x[j];
  return sum;
}

/* dW_kj = db_k x_j + db_j x_k - x_k dJ x_j; how speeds change, and coefficients. */
static void find_changes(const Surface *surface, Slopes *slopes, int direction) {
  sarrus_Sim *sim = surface->sim;
  const Decision *d = &sim->decision;
  double *y = sim->here->one;
  find_turns(surface, slopes, direction);
  for (int j = 0; j < slopes->rows; j++) {
    const double *xj = slopes->x + (ptrdiff_t)j * surface->variables;
    memset(y, 0, (size_t)surface->variables * sizeof *y);
    take_change(surface, direction, xj, y);
    for (int k = 0; k < slopes->rows; k++) {
      const double *xk = slopes->x + (ptrdiff_t)k * surface->variables;
      double *to = &slopes->dW[k * slopes->rows + j];
      *to = changed_row(surface, slopes, k, direction, xj) +
            changed_row(surface, slopes, j, direction, xk);
      for (int i = 0; i < surface->variables; i++)
        *to += xk[i] * y[i];
      if (d->fixed[k] || d->fixed[j]) *to = 0;
    }
  }
  for (int k = 0; k < slopes->rows; k++) {
    double factor[2];
    int row[2];
    const int count = contact_rows_of(sim, k, row, factor);
    const int travel = k < d->count ? sim->maker.direction : 1;
    slopes->dv[k] = 0;
    for (int i = 0; i < count && !d->fixed[k]; i++)
      slopes->dv[k] += travel * factor[i] * tangent_rate(surface->form, row[i], direction);
  }
  for (int k = 0; k < d->count; k++) {
    const ContactOutputs *of = &sim->maker.system->arguments.contact[d->contact[k]];
    slopes->dmu[k] = sim_extra_slope(sim, of->friction, direction);
    slopes->de[k] = d->e[k] == 0 ? 0 : sim_extra_slope(sim, of->restitution, direction);
  }
}

/* Differences of the sixth order: f' = sum_k weight_k (f(k) - f(-k)). */
static const double WEIGHT[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
enum { POINTS = 3, MOST_TRIALS = 4 };

/* The largest part by which something changes along the direction. */
static double largest_change(const double *dx, const double *x, int count) {
  double change = 0, size = 0;
  for (int i = 0; i < count; i++) {
    change = fmax(change, fabs(dx[i]));
    size = fmax(size, fabs(x[i]));
  }
  return size > 0 ? change / size : 0;
}

static void shift(double *to, const double *x, const double *dx, double step, int count) {
  for (int i = 0; i < count; i++)
    to[i] = x[i] + step * dx[i];
}

/* (W, v) a step farther: row i has v behind it. */
static void put_beside(const Slopes *slopes, double step, double *to) {
  const int rows = slopes->rows;
  for (int i = 0; i < rows; i++) {
    shift(to + i * (rows + 1), slopes->W + i * rows, slopes->dW + i * rows, step, rows);
    shift(to + i * (rows + 1) + rows, slopes->v + i, slopes->dv + i, step, 1);
  }
}

/* Take what depends on row number `pivot` of the order out of those behind it. */
static void eliminate(const Slopes *slopes, int pivot, double *left) {
  const int rows = slopes->rows, p = slopes->order[pivot];
  for (int k = pivot + 1; k < rows; k++) {
    double *row = left + slopes->order[k] * (rows + 1);
    const double f = row[p] / left[p * (rows + 1) + p];
    for (int j = 0; j <= rows; j++)
      row[j] -= f * left[p * (rows + 1) + j];
  }
}

/*
** Where joints leave less freedom than contacts have rows, as a bar on a guide that slips as it
** sinks, W has the rank of that freedom, and keeps it: a row of which less than this is its own
** depends on others.
*/
static const double DEPENDS = 1e-9;

static void find_rank(Slopes *slopes) {
  const int rows = slopes->rows;
  double *left = slopes->left[0];
  for (int k = 0; k < rows; k++)
    slopes->order[k] = k;
  put_beside(slopes, 0, left);
  for (slopes->rank = 0; slopes->rank < rows; slopes->rank++) {
    int best = slopes->rank;
    double most = 0;
    for (int k = slopes->rank; k < rows; k++) {
      const int i = slopes->order[k];
      const double own = left[i * (rows + 1) + i], of = slopes->W[i * rows + i];
      if (of > 0 && own / of > most) most = own / of, best = k;
    }
    if (!(most > DEPENDS)) break;
    const int other = slopes->order[slopes->rank];
    slopes->order[slopes->rank] = slopes->order[best];
    slopes->order[best] = other;
    eliminate(slopes, slopes->rank, left);
  }
  for (int i = 0; i < rows; i++)
    slopes->offset[i] = left[i * (rows + 1) + rows];
}

/*
** A straight line along dW would leave the matrices of this rank, by the square of the step; and v
** would leave what such a matrix can undo.  What is left of both, which is even in the step, is
** taken away; what is odd would be another rank.
*/
static sarrus_Status keep_rank(const Slopes *slopes, double step, Decision *d) {
  const int rows = slopes->rows;
  double most = 0, off = 0;
  if (slopes->rank == rows) return SARRUS_OK;
  for (int side = 0; side < 2; side++) {
    put_beside(slopes, side == 0 ? step : -step, slopes->left[side]);
    for (int p = 0; p < slopes->rank; p++)
      eliminate(slopes, p, slopes->left[side]);
  }
  for (int k = 0; k < rows * rows; k++)
    most = fmax(most, fabs(step * slopes->dW[k]));
  for (int k = slopes->rank; k < rows; k++)
    for (int l = slopes->rank; l <= rows; l++) {
      const int i = slopes->order[k], j = l < rows ? slopes->order[l] : rows;
      const double one = slopes->left[0][i * (rows + 1) + j],
                   two = slopes->left[1][i * (rows + 1) + j];
      if (l == rows) {
        d->speed[i] -= (one + two) / 2 - slopes->offset[i];
        continue;
      }
      off = fmax(off, fabs(one - two) / 2);
      d->W[i * rows + j] -= (one + two) / 2;
    }
  return off <= 1e-3 * most ? SARRUS_OK : SARRUS_SINGULAR;
}

/* The impact as it would be a step farther along the direction. */
static sarrus_Status strike_beside(sarrus_Sim *sim, const Slopes *slopes, double step) {
  Decision *d = &sim->decision;
  shift(d->W, slopes->W, slopes->dW, step, slopes->rows * slopes->rows);
  shift(d->speed, slopes->v, slopes->dv, step, slopes->rows);
  shift(d->sliding, slopes->mu, slopes->dmu, step, d->count);
  shift(d->e, slopes->e, slopes->de, step, d->count);
  SARRUS_TRY(keep_rank(slopes, step, d));
  return contact_solve_impact(sim);
}

static sarrus_Status differences(sarrus_Sim *sim, const Slopes *slopes, double step) {
  memset(slopes->dforce, 0, (size_t)slopes->rows * sizeof(double));
  for (int k = 1; k <= POINTS; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      SARRUS_TRY(strike_beside(sim, slopes, sign * k * step));
      for (int i = 0; i < slopes->rows; i++)
        slopes->dforce[i] += sign * WEIGHT[k - 1] * sim->decision.force[i] / step;
    }
  return SARRUS_OK;
}

/* Steps change nothing by more than this part; where another kind of impact is so near, by less. */
static const double STEP = 8e-3, AGREE = 1e-6;

/* dP in a direction: where two steps disagree, shorter ones; 0 where none agree. */
static int find_impulse_slopes(sarrus_Sim *sim, Slopes *slopes) {
  const int rows = slopes->rows, count = slopes->count;
  double change = largest_change(slopes->dW, slopes->W, rows * rows);
  change = fmax(change, largest_change(slopes->dv, slopes->v, rows));
  change = fmax(change, largest_change(slopes->dmu, slopes->mu, count));
  change = fmax(change, largest_change(slopes->de, slopes->e, count));
  if (change == 0) {
    memset(slopes->dforce, 0, (size_t)rows * sizeof(double));
    return 1;
  }
  double step = STEP / change;
  for (int trial = 0; trial < MOST_TRIALS; trial++, step /= 16) {
    double *longer = slopes->rate; /* workspace from here on */
    if (differences(sim, slopes, step) < 0) continue;
    memcpy(longer, slopes->dforce, (size_t)rows * sizeof(double));
    if (differences(sim, slopes, step / 2) < 0) continue;
    double size = 0, off = 0;
    for (int i = 0; i < rows; i++) {
      size = fmax(size, fabs(slopes->dforce[i]));
      off = fmax(off, fabs(slopes->dforce[i] - longer[i]));
    }
    memcpy(slopes->dforce, longer, (size_t)rows * sizeof(double));
    if (off <= AGREE * size) return 1;
  }
  return 0;
}

/* What is guided in space needs a slip, whose direction turns. */
static int is_followed(const sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++) {
    const int row = d->count + k;
    if (sim->system->contacts[d->contact[k]].slips == 2 && d->guided[k] == SLIP_WITH_APPROACH &&
        d->force[row] != 0 && !(d->speed[row] > d->noise[row]))
      return 0;
  }
  return 1;
}

static void restore_decision(sarrus_Sim *sim, const Slopes *slopes, const double *rate) {
  Decision *d = &sim->decision;
  const size_t rows = (size_t)slopes->rows;
  memcpy(d->W, slopes->W, rows * rows * sizeof(double));
  memcpy(d->speed, slopes->v, rows * sizeof(double));
  memcpy(d->sliding, slopes->mu, (size_t)slopes->count * sizeof(double));
  memcpy(d->e, slopes->e, (size_t)slopes->count * sizeof(double));
  memcpy(d->force, slopes->force, rows * sizeof(double));
  memcpy(d->rate, rate, rows * sizeof(double));
}

/* J dx = (sum_k (dP_k b_k + P_k db_k), 0) - dJ x */
static void respond(const Surface *surface, const Slopes *slopes, int direction) {
  sarrus_Sim *sim = surface->sim;
  const int travel = sim->maker.direction;
  double *rhs = sim->here->one;
  memset(rhs, 0, (size_t)surface->variables * sizeof *rhs);
  for (int k = 0; k < slopes->rows; k++) {
    contact_push(sim, k, travel * slopes->dforce[k], rhs);
    push_change(surface, slopes, k, direction, travel * slopes->force[k], rhs);
  }
  take_change(surface, direction, slopes->whole, rhs);
  add_response(surface, direction, rhs);
}

/* Beside a coefficient of 0 friction acts, which it does not there. */
static int friction_begins(const Slopes *slopes) {
  for (int k = 0; k < slopes->count; k++)
    if (slopes->mu[k] == 0 && slopes->dmu[k] != 0) return 1;
  return 0;
}

static sarrus_Status follow(const Surface *surface, Slopes *slopes, double *rate) {
  sarrus_Sim *sim = surface->sim;
  find_responses(surface, slopes);
  find_rank(slopes);
  memcpy(rate, slopes->rate, (size_t)slopes->rows * sizeof *rate);
  for (int l = 0; l < surface->directions; l++) {
    find_changes(surface, slopes, l);
    const int found = !friction_begins(slopes) && find_impulse_slopes(sim, slopes);
    restore_decision(sim, slopes, rate);
    if (!found) return SARRUS_LIMIT;
    respond(surface, slopes, l);
  }
  return SARRUS_OK;
}

sarrus_Status contact_follow_impact(sarrus_Sim *sim) {
  Surface surface;
  Slopes slopes = {.count = sim->decision.count, .rows = contact_row_count(&sim->decision)};
  Block block = {NULL, 0};
  double *rate;
  if (!sim->jump.under_way || sim->jump.lost < 0) return SARRUS_OK;
  if (!is_followed(sim)) return SARRUS_OK;
  sim_renew_jump(sim);
  SARRUS_TRY(stand_on(sim, &surface, NULL));
  SARRUS_TRY(sim_look_at_laws(sim));
  lay_out(&slopes, surface.variables, &block);
  BLOCK_TAKE(&block, rate, slopes.rows);
  void *memory = sim->memory.alloc(sim->memory.ud, NULL, 0, block.used);
  if (memory == NULL) return SARRUS_NOMEM;
  memset(memory, 0, block.used);
  Block taken = {memory, 0};
  lay_out(&slopes, surface.variables, &taken);
  BLOCK_TAKE(&taken, rate, slopes.rows);
  const sarrus_Status status = follow(&surface, &slopes, rate);
  sim->memory.alloc(sim->memory.ud, memory, block.used, 0);
  sim->jump.handled = status == SARRUS_OK;
  return status == SARRUS_LIMIT ? SARRUS_OK : status;
}
