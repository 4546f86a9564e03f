/*
** What instants do to tangents (T59).  Where a guard or an event g(x, t, p) passes 0, its instant
** changes with the direction,
**
**   dt = -(g_x dx + g_p dp) / g',
**
** and where velocities or accelerations jump there, what was followed on one side goes on at the
** other from the state that moves with the instant:
**
**   dq+ = dq- + (v- - v+) dt,   dv+ = R(dq- + v- dt, dv- + a- dt) - a+ dt
**
** with R the derivative of what changes velocities: of an impact, of an impulse, or none.
*/
#include <math.h>

#include <string.h>

#include "contact.h"
#include "sarrus/sim_tangent.h"

/* --- memory -------------------------------------------------------------------------------- */

static void lay_out(Jump *jump, const Tangent *tangent, int multipliers, Block *block) {
  const ptrdiff_t rows = (ptrdiff_t)tangent->n * tangent->width;
  for (int i = 0; i < INSTANTS; i++)
    BLOCK_TAKE(block, jump->slope[i], tangent->width);
  BLOCK_TAKE(block, jump->q, rows);
  BLOCK_TAKE(block, jump->v, rows);
  BLOCK_TAKE(block, jump->base_v, rows);
  BLOCK_TAKE(block, jump->kept_q, rows);
  BLOCK_TAKE(block, jump->kept_v, rows);
  BLOCK_TAKE(block, jump->began_q, rows);
  BLOCK_TAKE(block, jump->began_v, rows);
  for (int k = 0; k < SIGHTS; k++) {
    BLOCK_TAKE(block, jump->sight[k].q, tangent->n);
    BLOCK_TAKE(block, jump->sight[k].v, tangent->n);
    BLOCK_TAKE(block, jump->sight[k].a, tangent->n);
    BLOCK_TAKE(block, jump->sight[k].lambda, multipliers);
  }
}

sarrus_Status sim_open_jump(sarrus_Sim *sim) {
  Jump *jump = &sim->jump;
  const int multipliers = sarrus_system_multipliers(sim->system);
  Block block = {NULL, 0};
  lay_out(jump, sim->follow.tangent, multipliers, &block);
  jump->block = sim->memory.alloc(sim->memory.ud, NULL, 0, block.used);
  if (jump->block == NULL) return SARRUS_NOMEM;
  jump->bytes = block.used;
  memset(jump->block, 0, block.used);
  lay_out(jump, sim->follow.tangent, multipliers, &(Block){jump->block, 0});
  for (int i = 0; i < INSTANTS; i++)
    jump->at[i] = (double)NAN;
  return SARRUS_OK;
}

static void free_glance(const sarrus_Sim *sim, Glance *glance) {
  if (glance->block != NULL) sim->memory.alloc(sim->memory.ud, glance->block, glance->bytes, 0);
  *glance = (Glance){.block = NULL};
}

void sim_close_jump(sarrus_Sim *sim) {
  Jump *jump = &sim->jump;
  for (int i = 0; i < GLANCES; i++)
    free_glance(sim, &jump->glance[i]);
  if (jump->block != NULL) sim->memory.alloc(sim->memory.ud, jump->block, jump->bytes, 0);
  *jump = (Jump){.block = NULL};
}

/* --- a function of the state ----------------------------------------------------------------- */

/* A tape in dual numbers: all directions, and time behind them. */
static sarrus_Status take_glance(const sarrus_Sim *sim, Glance *glance, const Tape *tape) {
  Block block = {NULL, 0};
  if (glance->block != NULL && glance->dual.tape == tape) return SARRUS_OK;
  free_glance(sim, glance);
  glance->dual = (Dual){.tape = tape, .width = dual_width(sim->follow.tangent->directions + 1)};
  dual_lay_out(&glance->dual, &block);
  glance->block = sim->memory.alloc(sim->memory.ud, NULL, 0, block.used);
  if (glance->block == NULL) return SARRUS_NOMEM;
  glance->bytes = block.used;
  memset(glance->block, 0, block.used);
  dual_lay_out(&glance->dual, &(Block){glance->block, 0});
  return SARRUS_OK;
}

/* The m-th derivative of what `count` variables from `first` on are, dt into the span. */
static void derive(const Span *span, int first, int count, int top, int m, double dt, double *x) {
  const double t = dt / span->unit;
  for (int j = 0; j < count; j++) {
    x[j] = 0;
    for (int k = top; k >= m; k--) {
      double factor = 1;
      for (int i = 0; i < m; i++)
        factor *= (k - i) / span->unit;
      x[j] = x[j] * t + factor * span_at(span, k)[first + j];
    }
  }
}

/* Values of the state, or how they change, into one column of the slopes (NONE: the values). */
static void put_sight(const sarrus_Sim *sim, Dual *dual, const Instantaneous *state, double time,
                      int direction) {
  const Tape *tape = dual->tape;
  const Tangent *tangent = sim->follow.tangent;
  const int values = direction == SARRUS_NONE, all = tangent->directions;
  for (int i = 0; i < tape->input_count; i++) {
    const Input *input = &tape->inputs[i];
    double *to = values ? &dual->value[input->value] : &dual_slope(dual, input->value)[direction];
    const ptrdiff_t row = (ptrdiff_t)input->index * tangent->width;
    switch (input->kind) {
      case SARRUS_TIME: *to = time; break;
      case SARRUS_PARAMETER:
        *to = values             ? sim->parameters[input->index]
              : direction == all ? 0
                                 : tangent->p[row + direction];
        break;
      case SARRUS_U: *to = values ? sim->maker.expansion->modes[input->index] : 0; break;
      case SARRUS_Q: *to = state->q[input->index]; break;
      case SARRUS_V: *to = state->v[input->index]; break;
      case SARRUS_A: *to = state->a[input->index]; break;
      default: *to = state->lambda[input->index];
    }
  }
}

/* All outputs of a tape, dt into the span, with their derivatives. */
static sarrus_Status look(sarrus_Sim *sim, Glance *glance, const Tape *tape, const int *branch,
                          double dt) {
  const Span *span = &sim->maker.span;
  const int top = span->order + 1, all = sim->follow.tangent->directions;
  const Instantaneous *state = &sim->jump.sight[0];
  SARRUS_TRY(take_glance(sim, glance, tape));
  Dual *dual = &glance->dual;
  for (int i = 0; i < tape->switch_count && branch != NULL; i++)
    dual->branch[i] = branch[i];
  span_evaluate(span, dt, state->q, state->v, state->a, state->lambda);
  put_sight(sim, dual, state, span->from.t + (dt + span->from.t_low), SARRUS_NONE);
  for (int l = 0; l < all; l++) {
    tangent_evaluate(sim->follow.tangent, span, dt, l, state->q, state->v, state->a, state->lambda);
    put_sight(sim, dual, state, 0, l);
  }
  derive(span, 0, span->n, top, 1, dt, state->q);
  derive(span, 0, span->n, top, 2, dt, state->v);
  derive(span, 0, span->n, top, 3, dt, state->a);
  derive(span, span->n, span->m, top - 2, 1, dt, state->lambda);
  put_sight(sim, dual, state, 1, all);
  dual_values(dual);
  return SARRUS_OK;
}

/* --- instants ------------------------------------------------------------------------------- */

/*
** How the instant changes at which factor g + other g1 passes 0; outputs of what was looked at
** last.
*/
static double slope_of(const Glance *glance, int all, int direction, int output, double factor,
                       double other) {
  const Dual *dual = &glance->dual;
  const double *one = dual_slope(dual, dual->tape->output_value[output]),
               *two = other == 0 ? one : dual_slope(dual, dual->tape->output_value[output + 1]);
  return -(factor * one[direction] + other * two[direction]) /
         (factor * one[all] + other * two[all]);
}

/* How the instant t changes; NULL where it is a fixed one. */
static const double *slopes_at(const sarrus_Sim *sim, double t) {
  for (int i = 0; i < INSTANTS; i++)
    if (sim->jump.at[i] == t) return sim->jump.slope[i];
  return NULL;
}

/* The branches that functions in events are on there, as they stand. */
static sarrus_Status find_branches(sarrus_Sim *sim) {
  const Instantaneous *state = &sim->jump.sight[0];
  const Span *span = &sim->maker.span;
  span_evaluate(span, sim->hit.dt, state->q, state->v, state->a, state->lambda);
  return search_at(&sim->zeros, span->from.t + (sim->hit.dt + span->from.t_low), state->q, state->v,
                   state->a, state->lambda);
}

void sim_note_event(sarrus_Sim *sim) {
  const sarrus_Events *events = sim->events;
  Jump *jump = &sim->jump;
  if (sim->follow.tangent == NULL) return;
  jump->at[INSTANT_OF_EVENT] = (double)NAN;
  for (int i = 0; i < events->watch_count; i++)
    if (events->watches[i].event == sim->hit.event) return; /* the contact's instant */
  Glance *glance = &jump->glance[FORMS];
  sarrus_Status status = find_branches(sim);
  if (status >= 0) status = look(sim, glance, events->tape, sim->zeros.work->branch, sim->hit.dt);
  if (status < 0) sim_lose_tangents(sim, status);
  if (status < 0) return;
  const int all = sim->follow.tangent->directions;
  jump->at[INSTANT_OF_EVENT] = sim->now;
  for (int l = 0; l < all; l++) /* one that only touches has none */
    jump->slope[INSTANT_OF_EVENT][l] =
        sim->hit.direction == 0 ? (double)NAN : slope_of(glance, all, l, sim->hit.event, 1, 0);
}

/* Several modes that end together must do so in all directions, up to this. */
static const double TOGETHER = 1e-6;

sarrus_Status sim_note_ending(sarrus_Sim *sim) {
  Jump *jump = &sim->jump;
  Glance *glance = &jump->glance[sim->form];
  double factor, other, *own = jump->slope[INSTANT_OF_BEGINNING];
  int output, first = 1;
  if (sim->follow.tangent == NULL) return SARRUS_OK;
  const int all = sim->follow.tangent->directions;
  jump->slope[INSTANT_OF_BEGINNING] = jump->slope[INSTANT_OF_END];
  jump->at[INSTANT_OF_BEGINNING] = jump->at[INSTANT_OF_END];
  jump->slope[INSTANT_OF_END] = own;
  jump->at[INSTANT_OF_END] = (double)NAN;
  for (int e = 0; sim_ended_guard(sim, &e, &output, &factor, &other); e++) {
    if (first)
      SARRUS_TRY(
          look(sim, glance, sim->arguments->tape, sim->arguments->work->branch, sim->maker.span.h));
    for (int l = 0; l < all; l++) {
      const double slope = slope_of(glance, all, l, output, factor, other);
      if (first)
        own[l] = slope;
      else if (!(fabs(slope - own[l]) <= TOGETHER * fmax(fabs(slope), fabs(own[l]))))
        sim_lose_tangents(sim, SARRUS_CONTACT);
    }
    first = 0;
    jump->at[INSTANT_OF_END] = sim->maker.to.t;
  }
  return SARRUS_OK;
}

/* Coefficients of contacts, as they change with parameters alone, where the last decision is. */
sarrus_Status sim_look_at_laws(sarrus_Sim *sim) {
  Glance *glance = &sim->jump.glance[sim->form];
  const Instantaneous *state = &sim->jump.sight[0];
  SARRUS_TRY(take_glance(sim, glance, sim->arguments->tape));
  Dual *dual = &glance->dual;
  memset(dual->slope, 0,
         (size_t)dual->tape->value_count * (size_t)dual->width * sizeof *dual->slope);
  memset(state->lambda, 0, (size_t)sarrus_system_multipliers(sim->system) * sizeof *state->lambda);
  memcpy(state->q, sim->maker.to.q, (size_t)sim->maker.n * sizeof *state->q);
  memcpy(state->v, sim->maker.to.v, (size_t)sim->maker.n * sizeof *state->v);
  memset(state->a, 0, (size_t)sim->maker.n * sizeof *state->a);
  put_sight(sim, dual, state, sim->maker.to.t, SARRUS_NONE);
  for (int i = 0; i < dual->tape->input_count; i++) {
    const Input *input = &dual->tape->inputs[i];
    const ptrdiff_t row = (ptrdiff_t)input->index * sim->follow.tangent->width;
    for (int l = 0; l < sim->follow.tangent->directions && input->kind == SARRUS_PARAMETER; l++)
      dual_slope(dual, input->value)[l] = sim->follow.tangent->p[row + l];
  }
  dual_values(dual);
  return SARRUS_OK;
}

double sim_extra_slope(const sarrus_Sim *sim, int extra, int direction) {
  const Dual *dual = &sim->jump.glance[sim->form].dual;
  return dual_slope(dual, dual->tape->extra_value[extra])[direction];
}

/*
** A coefficient, or bound, of 0 is no friction; beside it friction acts, against a slip that may
** change its sign: what is found without it is no derivative.
*/
static int friction_begins(const sarrus_Sim *sim, int contact) {
  const Dual *dual = &sim->jump.glance[sim->form].dual;
  const int extra = sim->maker.system->arguments.contact[contact].friction;
  int changes = 0;

  if (dual->value[dual->tape->extra_value[extra]] != 0) return 0;
  for (int l = 0; l < sim->follow.tangent->directions; l++)
    changes |= sim_extra_slope(sim, extra, l) != 0;
  return changes;
}

sarrus_Status sim_look_for_onset(sarrus_Sim *sim) {
  if (sim->jump.looked || sim->form == LEAN) return SARRUS_OK;
  sim->jump.looked = 1;
  int rubs = 0;
  for (int i = 0; i < sim->system->contact_count; i++)
    rubs |= sim->contacts[i].now.mode != SARRUS_OPEN && sim->system->contacts[i].slips > 0;
  if (!rubs) return SARRUS_OK;
  SARRUS_TRY(sim_look_at_laws(sim));
  for (int i = 0; i < sim->system->contact_count; i++)
    if (sim->contacts[i].now.mode != SARRUS_OPEN && sim->system->contacts[i].slips > 0 &&
        friction_begins(sim, i))
      sim_lose_tangents(sim, SARRUS_LIMIT);
  return SARRUS_OK;
}

double sarrus_sim_instant(const sarrus_Sim *sim, int direction) {
  const double *slope = slopes_at(sim, sim->now);
  if (direction < 0 || direction >= sarrus_sim_direction_count(sim) || slope == NULL)
    return (double)NAN;
  return slope[direction];
}

/* --- jumps ---------------------------------------------------------------------------------- */

/* rows += sign x dt, x being a number of each coordinate. */
static void move_rows(const sarrus_Sim *sim, double *rows, const double *x, double sign) {
  const Tangent *tangent = sim->follow.tangent;
  const double *slope = slopes_at(sim, sim->maker.to.t);
  if (slope == NULL) return;
  for (int j = 0; j < tangent->n; j++)
    for (int l = 0; l < tangent->directions; l++)
      rows[(ptrdiff_t)j * tangent->width + l] += sign * x[j] * slope[l];
}

/* Velocities and accelerations at `to`, where the expansion stands. */
static void look_at_end(const sarrus_Sim *sim, const Instantaneous *state) {
  const Maker *maker = &sim->maker;
  for (int j = 0; j < maker->n; j++) {
    state->v[j] =
        maker->system->degree[j] == 2 ? maker->to.v[j] : expansion_velocity(maker->expansion, j);
    state->a[j] = maker->system->degree[j] == 2 ? expansion_acceleration(maker->expansion, j) : 0;
  }
}

static size_t row_bytes(const sarrus_Sim *sim) {
  const Tangent *tangent = sim->follow.tangent;
  return (size_t)tangent->n * (size_t)tangent->width * sizeof(double);
}

void sim_renew_jump(sarrus_Sim *sim) {
  memcpy(sim->jump.v, sim->jump.base_v, row_bytes(sim));
  sim->jump.handled = sim->jump.pushed;
}

void sim_note_push(sarrus_Sim *sim) {
  memcpy(sim->jump.base_v, sim->jump.v, row_bytes(sim));
  sim->jump.handled = sim->jump.pushed = 1;
}

/* How the state changes that moves with the instant. */
static void move_with_instant(sarrus_Sim *sim) {
  Jump *jump = &sim->jump;
  const Tangent *tangent = sim->follow.tangent;
  const Instantaneous *before = &jump->sight[1];
  const size_t bytes = row_bytes(sim);
  memcpy(jump->kept_q, tangent->to_q, bytes);
  memcpy(jump->kept_v, tangent->to_v, bytes);
  memcpy(jump->q, tangent->to_q, bytes);
  memcpy(jump->base_v, tangent->to_v, bytes);
  jump->pushed = 0;
  move_rows(sim, jump->q, before->v, 1);
  move_rows(sim, jump->base_v, before->a, 1);
  sim_renew_jump(sim);
}

void sim_begin_jump(sarrus_Sim *sim, int of_span) {
  const Instantaneous *before = &sim->jump.sight[1];
  if (sim->follow.tangent == NULL) return;
  if (sim->jump.under_way) return;
  if (of_span)
    span_evaluate(&sim->maker.span, sim->maker.span.h, NULL, before->v, before->a, NULL);
  else
    look_at_end(sim, before);
  sim->jump.under_way = 1;
  const double *slope = slopes_at(sim, sim->maker.to.t);
  if (slope != NULL && !isfinite(slope[0])) sim_lose_tangents(sim, SARRUS_EVENT);
  memcpy(before->q, sim->maker.to.q, (size_t)sim->maker.n * sizeof *before->q);
  move_with_instant(sim);
}

/* Velocities that differ by no more than this part of what they are have not jumped. */
static const double NO_JUMP = 1e-9;

static int velocities_jump(const sarrus_Sim *sim) {
  const Maker *maker = &sim->maker;
  const double *before = sim->jump.sight[1].v;
  double most = 0, jump = 0;
  for (int j = 0; j < maker->n; j++) {
    if (maker->system->degree[j] != 2) continue;
    most = fmax(most, fmax(fabs(maker->to.v[j]), fabs(before[j])) / maker->scale[j]);
    jump = fmax(jump, fabs(maker->to.v[j] - before[j]) / maker->scale[j]);
  }
  return jump > NO_JUMP * most;
}

/* Positions that a change has moved go where nothing follows them. */
static int positions_jump(const sarrus_Sim *sim) {
  const Maker *maker = &sim->maker;
  double jump = 0;
  for (int j = 0; j < maker->n; j++)
    jump = fmax(jump, fabs(maker->to.q[j] - sim->jump.sight[1].q[j]) / maker->scale[j]);
  return jump > NO_JUMP;
}

void sim_end_jump(sarrus_Sim *sim) {
  Jump *jump = &sim->jump;
  Tangent *tangent = sim->follow.tangent;
  const Instantaneous *after = &jump->sight[0];
  if (tangent == NULL || !jump->under_way) return;
  jump->under_way = jump->looked = 0;
  sim->here_known = 0;
  if (positions_jump(sim)) sim_lose_tangents(sim, SARRUS_LIMIT);
  if (!jump->handled && velocities_jump(sim)) {
    if (sim->struck || contact_follow_closing(sim) < 0) sim_lose_tangents(sim, SARRUS_LIMIT);
  }
  const size_t bytes = row_bytes(sim);
  look_at_end(sim, after);
  memcpy(tangent->to_q, jump->q, bytes);
  memcpy(tangent->to_v, jump->v, bytes);
  move_rows(sim, tangent->to_q, after->v, -1);
  move_rows(sim, tangent->to_v, after->a, -1);
}

void sim_keep_tangents(sarrus_Sim *sim) {
  if (sim->follow.tangent == NULL) return;
  memcpy(sim->jump.began_q, sim->follow.tangent->to_q, row_bytes(sim));
  memcpy(sim->jump.began_v, sim->follow.tangent->to_v, row_bytes(sim));
}

void sim_recall_tangents(sarrus_Sim *sim) {
  if (sim->follow.tangent == NULL) return;
  memcpy(sim->follow.tangent->to_q, sim->jump.began_q, row_bytes(sim));
  memcpy(sim->follow.tangent->to_v, sim->jump.began_v, row_bytes(sim));
  sim->jump.under_way = 0;
  sim->here_known = 0;
}

void sim_cancel_jump(sarrus_Sim *sim) {
  Jump *jump = &sim->jump;
  const Tangent *tangent = sim->follow.tangent;
  if (tangent == NULL || !jump->under_way) return;
  const size_t bytes = row_bytes(sim);
  memcpy(tangent->to_q, jump->kept_q, bytes);
  memcpy(tangent->to_v, jump->kept_v, bytes);
  jump->under_way = 0;
}

sarrus_Status sarrus_sim_tangent_end(const sarrus_Sim *sim, double *t) {
  *t = sim->jump.lost < 0 ? sim->jump.lost_at : sim->now;
  return sim->jump.lost;
}

void sim_lose_tangents(sarrus_Sim *sim, sarrus_Status why) {
  if (sim->jump.lost == SARRUS_OK) {
    sim->jump.lost = why;
    sim->jump.lost_at = sim->maker.to.t;
  }
}

void sarrus_sim_lose_tangents(sarrus_Sim *sim) { sim_lose_tangents(sim, SARRUS_LIMIT); }
