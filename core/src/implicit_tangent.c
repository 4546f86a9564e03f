/*
** Tangents of an implicit step.  The stages X solve R(X, p) = 0 (T52).  In one direction,
**
**   R_X dX = -(R_q dq + R_v dv + R_p dp),   by   dX <- dX - T J^-1 T^-1 dR   (T61)
**
** This is the iteration that has found X, with the same matrices; since it is linear, it is
** continued until nothing changes.
*/
#include <math.h>
#include <string.h>

#include "implicit_parts.h"

enum { MOST_ITERATIONS = 100 };

/*
** Changes below the part ENOUGH of the largest are rounding.  Changes that no longer become smaller
** are rounding of stiff forces: below STAGNANT_PART; or where they would move a stage, the
** parameter changing by its own size, by no more than the rounding of a step.  (The stiffer a
** spring, the less does its stiffness matter, while rounding remains: 2e-7 of what 1e8 N/m do.)
*/
static const double ENOUGH = 1e-15, STAGNANT_PART = 1e-10;

/* The results of the step, put aside while its fields hold derivatives; and workspace. */
typedef struct Aside {
  double *x, *Q, *V, *q, *v; /* of the step */
  Dual residual, closing;    /* one direction at one point */
  double *c;                 /* series of one direction */
  double *dq, *dv;
} Aside;

static void lay_out(const Implicit *implicit, Aside *aside, Block *block) {
  const Equations *equations = implicit->equations;
  const ptrdiff_t width = implicit->sides.width;
  const int variables = equations->form->n + equations->form->m;
  BLOCK_TAKE(block, aside->x, equations->size * width);
  BLOCK_TAKE(block, aside->Q, equations->n * width);
  BLOCK_TAKE(block, aside->V, equations->n * width);
  BLOCK_TAKE(block, aside->q, equations->n);
  BLOCK_TAKE(block, aside->v, equations->n);
  BLOCK_TAKE(block, aside->c, (ptrdiff_t)(implicit->radau->stages + 2) * variables);
  BLOCK_TAKE(block, aside->dq, equations->n);
  BLOCK_TAKE(block, aside->dv, equations->n);
  aside->residual = (Dual){.tape = equations->residual, .width = dual_width(1)};
  aside->closing = (Dual){.tape = equations->closing, .width = dual_width(1)};
  dual_lay_out(&aside->residual, block);
  dual_lay_out(&aside->closing, block);
}

/* Exchange the results of the step with the derivatives. */
static void exchange(Implicit *implicit, const Aside *aside) {
  const Equations *equations = implicit->equations;
  double *const own[] = {implicit->x, implicit->Q, implicit->V, implicit->q, implicit->v},
                *const other[] = {aside->x, aside->Q, aside->V, aside->q, aside->v};
  const ptrdiff_t width = implicit->sides.width,
                  count[] = {equations->size * width, equations->n * width, equations->n * width,
                             equations->n, equations->n};
  for (int k = 0; k < 5; k++)
    for (ptrdiff_t i = 0; i < count[k]; i++) {
      const double x = own[k][i];
      own[k][i] = other[k][i];
      other[k][i] = x;
    }
}

/*
** A point: its state and the derivatives of its state; `at` is its stage, variables are `step`
** numbers apart.
*/
typedef struct Place {
  const double *x, *Q, *V, *dx, *dQ, *dV;
  int at, step;
  double t;
} Place;

/* Values and slopes of a tape at one point. */
static void run(const Implicit *implicit, Dual *dual, const Place *place, const Surroundings *here,
                const Tangent *tangent, int direction) {
  const Equations *equations = implicit->equations;
  for (int i = 0; i < dual->tape->input_count; i++) {
    const Input *input = &dual->tape->inputs[i];
    const ptrdiff_t j = (ptrdiff_t)input->index * place->step + place->at,
                    lambda = (ptrdiff_t)equations->n * place->step + j;
    const int first = input->kind == SARRUS_V && equations->degree[input->index] == 1;
    double *value = &dual->value[input->value], *slope = dual_slope(dual, input->value);
    *slope = 0;
    switch (input->kind) {
      case SARRUS_TIME: *value = place->t; break;
      case SARRUS_U: *value = here->modes[input->index]; break;
      case SARRUS_PARAMETER:
        *value = here->parameters[input->index];
        *slope = tangent->p[(ptrdiff_t)input->index * tangent->width + direction];
        break;
      case SARRUS_Q: *value = place->Q[j], *slope = place->dQ[j]; break;
      case SARRUS_LAMBDA: *value = place->x[lambda], *slope = place->dx[lambda]; break;
      case SARRUS_V:
        *value = (first ? place->x : place->V)[j];
        *slope = (first ? place->dx : place->dV)[j];
        break;
      default: *value = place->x[j], *slope = place->dx[j];
    }
  }
  dual_values(dual);
}

/* Piecewise functions are on the branches that the step has had. */
static void set_branches(Dual *dual, const Twins *twins, const Surroundings *here) {
  dual->twin = twins->of;
  dual->twin_branch = here->branch;
}

/* Derivatives where the step begins; those of lifted lengths follow from the others. */
static void begin(Implicit *implicit, const Aside *aside, Dual *closing, const Point *from,
                  const Surroundings *here, const Tangent *tangent, int direction) {
  const Equations *equations = implicit->equations;
  const int n = equations->form->n, m = equations->form->m;
  memset(aside->dq, 0, (size_t)equations->n * sizeof(double));
  memset(aside->dv, 0, (size_t)equations->n * sizeof(double));
  for (int j = 0; j < n; j++) {
    aside->dq[j] = tangent->q[(ptrdiff_t)j * tangent->width + direction];
    aside->dv[j] = tangent->v[(ptrdiff_t)j * tangent->width + direction];
  }
  const Place place = {aside->x,  aside->q, aside->v, implicit->x, aside->dq,
                       aside->dv, 0,        1,        from->t};
  if (equations->lifts > 0) run(implicit, closing, &place, here, tangent, direction);
  for (int k = 0; k < equations->lifts; k++) {
    const int *extra = equations->closing->extra_value;
    aside->dq[n + k] -= *dual_slope(closing, extra[m + k]);
    aside->dv[n + k] -= *dual_slope(closing, extra[equations->m + m + k]);
  }
  memcpy(implicit->q, aside->dq, (size_t)equations->n * sizeof(double));
  memcpy(implicit->v, aside->dv, (size_t)equations->n * sizeof(double));
}

/* dR at all stages, put where the residuals of a step are. */
static void find_residuals(Implicit *implicit, const Aside *aside, Dual *dual, const Point *from,
                           double h, const Surroundings *here, const Tangent *tangent,
                           int direction) {
  const Equations *equations = implicit->equations;
  Place place = {
      aside->x, aside->Q, aside->V, implicit->x, implicit->Q, implicit->V, 0, implicit->sides.width,
      0};
  for (int i = 0; i < implicit->radau->stages; i++) {
    place.at = i;
    place.t = from->t + h * implicit->radau->c[i];
    run(implicit, dual, &place, here, tangent, direction);
    for (int j = 0; j < equations->size; j++) {
      const int value = equations->residual->extra_value[j];
      implicit->stages.value[(ptrdiff_t)value * implicit->stages.width + i] =
          *dual_slope(dual, value);
    }
  }
}

/* The largest derivative of a position at any stage, relative to scale. */
static double largest(const Implicit *implicit) {
  const int width = implicit->sides.width;
  double most = 0;
  for (ptrdiff_t k = 0; k < (ptrdiff_t)implicit->equations->n * width; k++)
    most = fmax(most, fabs(implicit->Q[k]) / implicit->scale[k / width]);
  return most;
}

/* What a direction's derivatives are multiplied by to be changes: the sizes of its parameters. */
static double size_of(const Implicit *implicit, const Surroundings *here, const Tangent *tangent,
                      int direction) {
  double most = 0;
  for (int i = 0; i < implicit->equations->form->parameters; i++) {
    const double slope = tangent->p[(ptrdiff_t)i * tangent->width + direction];
    if (slope != 0) most = fmax(most, fabs(here->parameters[i] / slope));
  }
  return most > 0 ? most : (double)INFINITY;
}

static int is_rounding(const Implicit *implicit, double change, double last, double size) {
  const double most = largest(implicit);
  if (change <= ENOUGH * most) return 1;
  const double least = fmax(STAGNANT_PART * most, STAGNANT * ROUNDING / size);
  return change >= 0.5 * last && change <= least;
}

static sarrus_Status iterate(Implicit *implicit, Aside *aside, const Point *from, double h,
                             const Surroundings *here, const Tangent *tangent, int direction) {
  const ptrdiff_t unknowns = (ptrdiff_t)implicit->equations->size * implicit->sides.width;
  const double size = size_of(implicit, here, tangent, direction);
  double last = (double)INFINITY;
  memset(implicit->x, 0, (size_t)unknowns * sizeof(double));
  implicit_place_stages(implicit, h);
  for (int i = 0; i < MOST_ITERATIONS; i++) {
    find_residuals(implicit, aside, &aside->residual, from, h, here, tangent, direction);
    const double alone = implicit_correct(implicit, here);
    const double change = implicit_place_stages(implicit, h);
    if (!isfinite(change + alone)) return SARRUS_STEP;
    if (is_rounding(implicit, change, last, size)) return SARRUS_OK;
    last = change;
  }
  return SARRUS_STEP;
}

static sarrus_Status follow(Implicit *implicit, Aside *aside, const Point *from, double h,
                            const Surroundings *here, Tangent *tangent, int direction) {
  const sarrus_System *form = implicit->equations->form;
  const ptrdiff_t numbers = (ptrdiff_t)(implicit->radau->stages + 2) * (form->n + form->m);
  begin(implicit, aside, &aside->closing, from, here, tangent, direction);
  SARRUS_TRY(iterate(implicit, aside, from, h, here, tangent, direction));
  Span span = {.n = form->n, .c = aside->c};
  const Point change = {.q = aside->dq, .v = aside->dv};
  implicit_write(implicit, &change, h, &span);
  for (ptrdiff_t i = 0; i < numbers; i++)
    tangent->c[i * tangent->width + direction] = aside->c[i];
  return SARRUS_OK;
}

sarrus_Status implicit_follow(Implicit *implicit, const Point *from, double h,
                              const Surroundings *here, Tangent *tangent) {
  const sarrus_Memory memory = implicit->memory;
  Aside aside;
  Block block = {NULL, 0};
  lay_out(implicit, &aside, &block);
  void *room = memory.alloc(memory.ud, NULL, 0, block.used);
  if (room == NULL) return SARRUS_NOMEM;
  memset(room, 0, block.used);
  lay_out(implicit, &aside, &(Block){room, 0});
  set_branches(&aside.residual, &implicit->equations->residual_twins, here);
  set_branches(&aside.closing, &implicit->equations->closing_twins, here);
  sarrus_Status status = SARRUS_OK;
  exchange(implicit, &aside);
  for (int l = 0; l < tangent->directions && status >= 0; l++)
    status = follow(implicit, &aside, from, h, here, tangent, l);
  exchange(implicit, &aside);
  memory.alloc(memory.ud, room, block.used, 0);
  return status;
}
