/* Tangents of a simulation: directions that are followed from step to step. */
#include "sarrus/sim_tangent.h"

#include <math.h>
#include <string.h>

#include "sim_parts.h"
#include "vector.h"

/* --- making -------------------------------------------------------------------------------- */

static void free_follow(Follow *follow) {
  for (int i = 0; i < FORMS && follow->tangent != NULL; i++)
    tangent_free_form(follow->tangent, &follow->forms[i]);
  tangent_free(follow->tangent);
  follow->tangent = NULL;
}

void sim_drop_directions(sarrus_Sim *sim) {
  free_follow(&sim->follow);
  tangent_free(sim->here);
  sim->here = NULL;
  sim_close_jump(sim);
}

int sim_follows(const sarrus_Sim *sim, int parameter) {
  const Tangent *tangent = sim->follow.tangent;
  int found = 0;
  for (int l = 0; tangent != NULL && l < tangent->directions; l++)
    found |= tangent->p[(ptrdiff_t)parameter * tangent->width + l] != 0;
  return found;
}

void sim_fix_parameters(sarrus_Sim *sim, int count, const int *parameter) {
  Tangent *const both[] = {sim->follow.tangent, sim->here};
  for (int k = 0; k < 2; k++)
    for (int i = 0; both[k] != NULL && i < count; i++)
      memset(both[k]->p + (ptrdiff_t)parameter[i] * both[k]->width, 0,
             (size_t)both[k]->width * sizeof(double));
}

double sarrus_sim_parameter_slope(const sarrus_Sim *sim, int parameter, int direction) {
  const Tangent *tangent = sim->follow.tangent;
  if (direction < 0 || direction >= sarrus_sim_direction_count(sim) || parameter < 0 ||
      parameter >= sim->parameter_count)
    return (double)NAN;
  return tangent->p[(ptrdiff_t)parameter * tangent->width + direction];
}

void sim_free_tangents(sarrus_Sim *sim) {
  sim_drop_directions(sim);
  free_follow(&sim->slopes);
}

size_t sim_tangent_bytes(const sarrus_Sim *sim) {
  const Follow *const follows[] = {&sim->follow, &sim->slopes};
  size_t bytes = (sim->here == NULL ? 0 : sim->here->bytes) + sim->jump.bytes;
  for (int i = 0; i < GLANCES; i++)
    bytes += sim->jump.glance[i].bytes;
  for (int k = 0; k < 2; k++) {
    if (follows[k]->tangent == NULL) continue;
    bytes += follows[k]->tangent->bytes;
    for (int i = 0; i < FORMS; i++)
      if (follows[k]->forms[i].system != NULL) bytes += tangent_form_bytes(&follows[k]->forms[i]);
  }
  return bytes;
}

/* Numbers of `count` directions become rows, and rows numbers of directions. */
static void to_rows(const Tangent *tangent, const double *x, int size, double *rows) {
  memset(rows, 0, (size_t)size * (size_t)tangent->width * sizeof *rows);
  for (int l = 0; l < tangent->directions && x != NULL; l++)
    for (int j = 0; j < size; j++)
      rows[(ptrdiff_t)j * tangent->width + l] = x[(ptrdiff_t)l * size + j];
}

static void from_rows(const Tangent *tangent, const double *rows, int direction, int size,
                      double *x) {
  for (int j = 0; j < size; j++)
    x[j] = rows[(ptrdiff_t)j * tangent->width + direction];
}

/* The tangents of stage 0 at `to`, where the expansion stands. */
static sarrus_Status expand_here(sarrus_Sim *sim, Tangent *tangent, Follow *follow) {
  Maker *maker = &sim->maker;
  TangentForm *form = &follow->forms[sim->form];
  const Expanded motion = {maker->expansion->series, maker->expansion->work->unit, maker->to.t, 1};
  SARRUS_TRY(tangent_take_form(follow->tangent, form, maker->system));
  return tangent_expand(tangent, form, maker->expansion, &motion, &maker->fault);
}

static int is_finite(const double *x, int count, int size) {
  for (int l = 0; x != NULL && l < count; l++)
    if (!vector_finite(x + (ptrdiff_t)l * size, size)) return 0;
  return 1;
}

/* Directions begin where the span ends, and their numbers are such. */
static int can_begin(const sarrus_Sim *sim, int count, const double *dq, const double *dv,
                     const double *dp) {
  const int n = sim->maker.n;
  return sim->started && sim_stands(sim) && count >= 0 && count <= SARRUS_MOST_DIRECTIONS &&
         is_finite(dq, count, n) && is_finite(dv, count, n) &&
         is_finite(dp, count, sim->parameter_count);
}

/* --- one state ------------------------------------------------------------------------------ */

/*
** The highest derivatives and multipliers of one direction, from coefficients of stage 0:
** velocities are such where the equations have first derivatives only.
*/
static void read_stage(const sarrus_Sim *sim, const Tangent *tangent, int direction, double *dv,
                       double *da, double *dlambda) {
  const Maker *maker = &sim->maker;
  const double unit = maker->expansion->work->unit;
  for (int j = 0; dv != NULL && j < maker->n; j++) {
    const double *c = tangent->c + (ptrdiff_t)(maker->variables + j) * tangent->width;
    if (maker->system->degree[j] == 1) dv[j] = c[direction] / unit;
  }
  for (int j = 0; da != NULL && j < maker->n; j++) {
    const double *c = tangent->c + ((ptrdiff_t)2 * maker->variables + j) * tangent->width;
    da[j] = maker->system->degree[j] == 2 ? 2 * c[direction] / (unit * unit) : 0;
  }
  for (int i = 0; dlambda != NULL && i < sarrus_system_multipliers(sim->system); i++) {
    const double *c = tangent->c + (ptrdiff_t)(maker->n + i) * tangent->width;
    dlambda[i] = i < maker->m ? c[direction] : 0;
  }
}

static sarrus_Status find_slopes(sarrus_Sim *sim, int count, double *dq, double *dv,
                                 const double *dp, double *da, double *dlambda) {
  Follow *follow = &sim->slopes;
  const int n = sim->maker.n, m = sarrus_system_multipliers(sim->system);
  if (count < 1 || dq == NULL || dv == NULL || !can_begin(sim, count, dq, dv, dp))
    return SARRUS_ARGUMENT;
  if (follow->tangent != NULL && follow->tangent->directions != count) free_follow(follow);
  if (follow->tangent == NULL)
    SARRUS_TRY(tangent_new(sim->memory, sim->system, sim->parameter_count, count, MOST_DEGREE,
                           &follow->tangent));
  Tangent *tangent = follow->tangent;
  to_rows(tangent, dq, n, tangent->q);
  to_rows(tangent, dv, n, tangent->v);
  to_rows(tangent, dp, sim->parameter_count, tangent->p);
  SARRUS_TRY(expand_here(sim, tangent, follow));
  for (int l = 0; l < count; l++) {
    from_rows(tangent, tangent->q, l, n, dq + (ptrdiff_t)l * n);
    from_rows(tangent, tangent->v, l, n, dv + (ptrdiff_t)l * n);
    read_stage(sim, tangent, l, dv + (ptrdiff_t)l * n, da == NULL ? NULL : da + (ptrdiff_t)l * n,
               dlambda == NULL ? NULL : dlambda + (ptrdiff_t)l * m);
  }
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_slopes(sarrus_Sim *sim, int count, double *dq, double *dv,
                                const double *dp, double *da, double *dlambda) {
  SARRUS_TRY(sim_enter(sim));
  return sim_leave(sim, find_slopes(sim, count, dq, dv, dp, da, dlambda));
}

/* --- following ------------------------------------------------------------------------------ */

static void keep_ahead(const Tangent *tangent, double *q, double *v) {
  const size_t bytes = (size_t)tangent->n * (size_t)tangent->width * sizeof *q;
  memcpy(tangent->to_q, q, bytes);
  memcpy(tangent->to_v, v, bytes);
}

sarrus_Status sim_make_directions(sarrus_Sim *sim, int count) {
  sim_drop_directions(sim);
  sim->here_known = 0;
  SARRUS_TRY(tangent_new(sim->memory, sim->system, sim->parameter_count, count,
                         sim->maker.capacity + 1, &sim->follow.tangent));
  SARRUS_TRY(
      tangent_new(sim->memory, sim->system, sim->parameter_count, count, MOST_DEGREE, &sim->here));
  return sim_open_jump(sim);
}

static sarrus_Status set_directions(sarrus_Sim *sim, int count, const double *dq, const double *dv,
                                    const double *dp) {
  const int n = sim->maker.n;
  if (!can_begin(sim, count, dq, dv, dp)) return SARRUS_ARGUMENT;
  if (count == 0) {
    sim_drop_directions(sim);
    return SARRUS_OK;
  }
  SARRUS_TRY(sim_make_directions(sim, count));
  Tangent *tangent = sim->follow.tangent;
  to_rows(tangent, dp, sim->parameter_count, tangent->p);
  to_rows(sim->here, dp, sim->parameter_count, sim->here->p);
  to_rows(sim->here, dq, n, sim->here->q);
  to_rows(sim->here, dv, n, sim->here->v);
  SARRUS_TRY(expand_here(sim, sim->here, &sim->follow));
  keep_ahead(tangent, sim->here->q, sim->here->v);
  sim->here_known = 1;
  for (int i = 0; i < sim->system->contact_count; i++) /* what was before is not known */
    if (sim->contacts[i].struck.at == sim->now) sim_lose_tangents(sim, SARRUS_LIMIT);
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_directions(sarrus_Sim *sim, int count, const double *dq, const double *dv,
                                    const double *dp) {
  SARRUS_TRY(sim_enter(sim));
  const sarrus_Status status = set_directions(sim, count, dq, dv, dp);
  if (status < 0 && status != SARRUS_ARGUMENT) sim_drop_directions(sim);
  return sim_leave(sim, status);
}

int sarrus_sim_parameter_count(const sarrus_Sim *sim) { return sim->parameter_count; }

int sarrus_sim_direction_count(const sarrus_Sim *sim) {
  return sim->follow.tangent == NULL ? 0 : sim->follow.tangent->directions;
}

sarrus_Status sim_follow(sarrus_Sim *sim) {
  Maker *maker = &sim->maker;
  Tangent *tangent = sim->follow.tangent;
  if (tangent == NULL) return SARRUS_OK;
  SARRUS_TRY(sim_look_for_onset(sim));
  if (sim->jump.lost < 0) return SARRUS_OK;
  TangentForm *form = &sim->follow.forms[sim->form];
  const Expanded motion = {maker->span.c, maker->span.unit, maker->span.from.t, maker->span.order};
  SARRUS_TRY(tangent_take_form(tangent, form, maker->system));
  if (maker->astray) SARRUS_TRY(maker_find_back(maker));
  const size_t bytes = (size_t)tangent->n * (size_t)tangent->width * sizeof *tangent->q;
  memcpy(tangent->q, tangent->to_q, bytes);
  memcpy(tangent->v, tangent->to_v, bytes);
  sarrus_Fault fault = maker->fault;
  const sarrus_Status status =
      maker->method.of_span ? maker_follow_stages(maker, tangent)
                            : tangent_expand(tangent, form, maker->expansion, &motion, &fault);
  if (status == SARRUS_NOMEM) return status;
  if (status < 0) sim_lose_tangents(sim, status); /* the motion goes on without them */
  return SARRUS_OK;
}

void sim_carry(sarrus_Sim *sim, double dt) {
  Tangent *tangent = sim->follow.tangent;
  if (tangent == NULL || sim->jump.lost < 0) return;
  tangent_evaluate_all(tangent, &sim->maker.span, dt, tangent->to_q, tangent->to_v);
  sim->here_known = 0;
}

/* --- asking --------------------------------------------------------------------------------- */

static sarrus_Status tangent_at_end(const sarrus_Sim *sim, int direction, double *dq, double *dv,
                                    double *da, double *dlambda) {
  Tangent *here = sim->here;
  const Tangent *tangent = sim->follow.tangent;
  if (!sim->here_known) {
    sarrus_Sim *changing = (sarrus_Sim *)sim; /* what is found out is kept */
    const size_t bytes = (size_t)here->n * (size_t)here->width * sizeof *here->q;
    memcpy(here->q, tangent->to_q, bytes);
    memcpy(here->v, tangent->to_v, bytes);
    SARRUS_TRY(expand_here(changing, here, &changing->follow));
    changing->here_known = 1;
  }
  if (dq != NULL) from_rows(here, here->q, direction, here->n, dq);
  if (dv != NULL) from_rows(here, here->v, direction, here->n, dv);
  read_stage(sim, here, direction, dv, da, dlambda);
  return SARRUS_OK;
}

static int is_direction(const sarrus_Sim *sim, int direction) {
  return sim->started && direction >= 0 && direction < sarrus_sim_direction_count(sim);
}

sarrus_Status sarrus_sim_tangent_at(const sarrus_Sim *sim, double t, int direction, double *dq,
                                    double *dv, double *da, double *dlambda) {
  const Span *span = &sim->maker.span;
  if (!is_direction(sim, direction) || !span_covers(span, t)) return SARRUS_ARGUMENT;
  SARRUS_TRY(sim->jump.lost);
  if (sim_is_at_end(sim, t)) return tangent_at_end(sim, direction, dq, dv, da, dlambda);
  tangent_evaluate(sim->follow.tangent, span, (t - span->from.t) - span->from.t_low, direction, dq,
                   dv, da, dlambda);
  for (int i = span->m; dlambda != NULL && i < sarrus_system_multipliers(sim->system); i++)
    dlambda[i] = 0;
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_tangent(const sarrus_Sim *sim, int direction, double *dq, double *dv,
                                 double *da, double *dlambda) {
  if (!is_direction(sim, direction)) return SARRUS_ARGUMENT;
  SARRUS_TRY(sim->jump.lost);
  if (!sim_stands(sim)) return sarrus_sim_tangent_at(sim, sim->now, direction, dq, dv, da, dlambda);
  return tangent_at_end(sim, direction, dq, dv, da, dlambda);
}
