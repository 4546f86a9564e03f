/* Landing in lanes: as maker_land of maker.c, with the points of maker_project.c. */
#include <math.h>
#include <string.h>

#include "lanes_parts.h"

#define INLINE static inline __attribute__((always_inline)) /* into clones */

/* Series that are summed up at once. */
enum { MOST_SUMS = 4 };

/* What a lane has beyond the order of its span does not count. */
static void cut_series(const LaneStep *lanes, int lane, int order) {
  for (int k = order; k <= lanes->top; k++) {
    for (int j = 0; j < lanes->n && k > order + 1; j++)
      lanes_series_at(lanes, lanes->now, k, j)[lane] = 0;
    for (int j = lanes->n; j < lanes->variables; j++)
      lanes_series_at(lanes, lanes->now, k, j)[lane] = 0;
  }
}

/*
** Horner (T23), as sum_up of span.c, of `count` numbers in a row, which are few: x and, of
** coordinates, its derivatives.  They go side by side, since each waits for what it was.
*/
INLINE void sum_up(const LaneStep *lanes, int first, int count, int derivatives, const LaneRow *t,
                   LaneRow *const *x) {
  const LaneRow per_unit = *lanes->per_unit, squared = per_unit * per_unit;
  LaneRow sum[MOST_SUMS] = {{0}}, rate[MOST_SUMS] = {{0}}, bend[MOST_SUMS] = {{0}};
  for (int k = lanes->top; k >= 0; k--) {
    const LaneRow *c = lanes->now + k * lanes->variables + first;
    const LaneRow once = (double)k * per_unit, twice = (double)k * (k - 1) * squared;
#pragma GCC unroll 4
    for (int i = 0; i < count; i++) {
      sum[i] = sum[i] * *t + c[i];
      if (derivatives && k >= 1) rate[i] = rate[i] * *t + once * c[i];
      if (derivatives && k >= 2) bend[i] = bend[i] * *t + twice * c[i];
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < count; i++) {
    x[0][first + i] = sum[i];
    if (derivatives) x[1][first + i] = rate[i];
    if (derivatives) x[2][first + i] = bend[i];
  }
}

INLINE void sum_up_all(const LaneStep *lanes, int first, int end, int derivatives, const LaneRow *t,
                       LaneRow *const *x) {
  for (; first + MOST_SUMS <= end; first += MOST_SUMS)
    sum_up(lanes, first, MOST_SUMS, derivatives, t, x);
  switch (end - first) { /* what is said by hand is unrolled */
    case 1: sum_up(lanes, first, 1, derivatives, t, x); break;
    case 2: sum_up(lanes, first, 2, derivatives, t, x); break;
    case 3: sum_up(lanes, first, 3, derivatives, t, x); break;
    default: break;
  }
}

/* What the series have at t: q, v, accelerations and multipliers. */
LANES_CLONES
static void evaluate(LaneStep *lanes, const LaneRow *t) {
  LaneRow *const motion[] = {lanes->q, lanes->v, lanes->ahead}, *const forces[] = {lanes->ahead};
  sum_up_all(lanes, 0, lanes->n, 1, t, motion);
  sum_up_all(lanes, lanes->n, lanes->variables, 0, t, forces);
}

static void set_inputs(LaneStep *lanes, const LaneRow *time) {
  const Tape *tape = lanes->system->tape;
  for (int i = 0; i < tape->input_count; i++) {
    const Input *input = &tape->inputs[i];
    const LaneRow none = {0};
    if (input->kind == SARRUS_PARAMETER || input->kind == SARRUS_U) continue;
    const LaneRow *x = input->kind == SARRUS_TIME ? time
                       : input->kind == SARRUS_Q  ? lanes->q + input->index
                       : input->lead == 0         ? &none
                                                  : lanes->v + input->index;
    lanes->tape.value[input->value] = *x;
  }
}

static void note_poison(LaneRow *poison, int *fails) {
  for (int lane = 0; lane < WIDTH; lane++)
    fails[lane] |= lanes_number(poison, 0)[lane] != 0;
}

/* As expansion_place. */
static void place(LaneStep *lanes, const LaneRow *time, int *fails) {
  const Tape *tape = lanes->system->tape;
  LaneRow poison = {0};
  set_inputs(lanes, time);
  memcpy(lanes->next, lanes->q, (size_t)lanes->n * sizeof(LaneRow));
  lanes_values(&lanes->tape, LEAD_KNOWN, 1, &poison);
  for (int i = 0; i < lanes->system->entry_count; i++)
    lanes->matrix.value[i] = lanes->tape.value[tape->extra_value[i]];
  note_poison(&poison, fails);
}

static void factor(LaneStep *lanes, int *fails) {
  int off_diagonal[WIDTH];
  for (int lane = 0; lane < WIDTH; lane++) {
    const sarrus_Sim *sim = lanes->sim[lane];
    off_diagonal[lane] = sim != NULL && sim->maker.expansion->kkt->off_diagonal;
    lanes->factored[lane]++;
  }
  lanes_factor(&lanes->matrix, off_diagonal, fails);
}

/* largest = |x| / scale where that is larger, as numbers are */
INLINE void raise_to(LaneRow *largest, const LaneRow *x, const LaneRow *scale) {
  LaneRow part = *x / *scale;
  lanes_magnitude(&part);
  const LaneBits larger = (LaneBits)(part > *largest);
  lanes_choose(&larger, &part, largest);
}

/* As solve_correction of maker_project.c; infinite where it is not finite. */
static void solve_correction(LaneStep *lanes, const int *refined, double *size) {
  LaneRow poison = {0}, largest = {0};
  for (int i = 0; i < lanes->variables; i++)
    lanes->rhs[i] = i < lanes->n ? (LaneRow){0} : -lanes->residual[i];
  lanes_solve_motion(&lanes->matrix, lanes->rhs, refined);
  for (int j = 0; j < lanes->n; j++) {
    raise_to(&largest, &lanes->rhs[j], &lanes->scale[j]);
    poison += 0 * lanes->rhs[j];
  }
  for (int lane = 0; lane < WIDTH; lane++)
    size[lane] =
        lanes_number(&poison, 0)[lane] == 0 ? lanes_number(&largest, 0)[lane] : (double)INFINITY;
}

/* As maker_correction. */
static void find_correction(LaneStep *lanes, double *size) {
  int refined[WIDTH] = {0}, again = 0;
  solve_correction(lanes, refined, size);
  for (int lane = 0; lane < WIDTH; lane++) {
    refined[lane] =
        !kkt_is_small_motion(size[lane], lanes->matrix.smallest[lane], lanes->matrix.steady[lane]);
    again |= refined[lane];
  }
  if (again) solve_correction(lanes, refined, size);
}

static void find_residual(LaneStep *lanes) {
  const sarrus_System *system = lanes->system;
  for (int i = lanes->n; i < lanes->variables; i++)
    lanes->residual[i] =
        system->offset[i] == 2 ? lanes->tape.value[system->tape->output_value[i]] : (LaneRow){0};
}

/* As residuals_are_rounding of maker_project.c. */
static int residuals_are_rounding(const LaneStep *lanes, int lane) {
  const LaneMatrix *matrix = &lanes->matrix;
  for (int i = lanes->n; i < lanes->variables; i++) {
    double size = 0;
    for (int e = matrix->start[i]; e < matrix->start[i + 1]; e++)
      if (matrix->column[e] < lanes->n)
        size += fabs(lanes_number(matrix->value, e)[lane] *
                     lanes_number(lanes->q, matrix->column[e])[lane]);
    if (!maker_is_residual_rounding(lanes_number(lanes->residual, i)[lane], size)) return 0;
  }
  return 1;
}

static int corrects(const LaneStep *lanes, int lane, int i, double size, double last,
                    double moved) {
  return maker_corrects(i, size, last, moved) &&
         !(maker_may_be_rounding(i, size) && residuals_are_rounding(lanes, lane));
}

/* One correction in the lanes where it is to be made; how many these are. */
static int correct_positions(LaneStep *lanes, int i, double *last, double *moved, int *settled,
                             int *fails) {
  double size[WIDTH];
  int count = 0;
  find_residual(lanes);
  find_correction(lanes, size);
  for (int lane = 0; lane < WIDTH; lane++) {
    if (settled[lane] || fails[lane]) continue;
    fails[lane] = !isfinite(size[lane]);
    settled[lane] = fails[lane] || !corrects(lanes, lane, i, size[lane], last[lane], moved[lane]);
    if (settled[lane] || i == MAKER_MOST_CORRECTIONS - 1)
      fails[lane] |= maker_is_unsolved(size[lane]);
    if (settled[lane]) continue;
    last[lane] = size[lane];
    moved[lane] += size[lane];
    for (int j = 0; j < lanes->n; j++)
      lanes_number(lanes->q, j)[lane] += lanes_number(lanes->rhs, j)[lane];
    count++;
  }
  return count;
}

/*
** As project_positions.  Placing and factoring again where a lane has stopped moving gives the same
** numbers.
*/
static void project_positions(LaneStep *lanes, const LaneRow *time, double *moved, int *fails) {
  double last[WIDTH];
  int settled[WIDTH] = {0}, count = 0;
  place(lanes, time, fails);
  factor(lanes, fails);
  for (int lane = 0; lane < WIDTH; lane++) {
    last[lane] = (double)INFINITY;
    moved[lane] = 0;
  }
  for (int i = 0; lanes->m > 0 && i < MAKER_MOST_CORRECTIONS; i++) {
    const int moving = correct_positions(lanes, i, last, moved, settled, fails);
    if (moving == 0) break;
    place(lanes, time, fails);
    count += moving;
  }
  if (count == 0) return;
  factor(lanes, fails);
  for (int lane = 0; lane < WIDTH; lane++)
    lanes->factored[lane] -= moved[lane] == 0; /* it was not needed */
}

static void find_rate_residual(LaneStep *lanes) {
  const sarrus_System *system = lanes->system;
  const LaneRow *output = lanes->tape.number + lanes->tape.output;
  for (int i = lanes->n; i < lanes->variables; i++) {
    LaneRow sum = {0};
    const int offset = system->offset[i];
    if (offset == 2) lanes_row_times(&lanes->matrix, i, lanes->v, lanes->n, &sum);
    lanes->residual[i] = offset == 2   ? output[i] * *lanes->per_unit + sum
                         : offset == 1 ? lanes->tape.value[system->tape->output_value[i]]
                                       : (LaneRow){0};
  }
}

static void correct_velocities(LaneStep *lanes, double *moved, int *fails) {
  LaneRow size;
  for (int lane = 0; lane < WIDTH; lane++)
    moved[lane] = 0;
  if (lanes->m == 0) {
    for (int j = 0; j < lanes->n; j++)
      lanes->v[j] += (LaneRow){0}; /* -0 becomes 0 */
    return;
  }
  find_rate_residual(lanes);
  find_correction(lanes, moved);
  memcpy(&size, moved, sizeof size);
  for (int j = 0; j < lanes->n; j++) {
    const LaneRow sum = lanes->v[j] + lanes->rhs[j],
                  least = MAKER_ROUNDING * size * lanes->scale[j];
    LaneRow rest = sum;
    lanes_magnitude(&rest);
    const LaneBits rounding = (LaneBits)(lanes->rhs[j] != 0) & (LaneBits)(rest <= least);
    lanes->v[j] = (LaneRow)((LaneBits)sum & ~rounding);
  }
  for (int lane = 0; lane < WIDTH; lane++)
    fails[lane] |= !isfinite(moved[lane]);
}

/* As expansion_settle and expansion_set_rates, velocities being corrected in between. */
static void project_velocities(LaneStep *lanes, double *moved, int *fails) {
  const sarrus_System *system = lanes->system;
  const Tape *tape = system->tape;
  LaneRow poison = {0};
  lanes_weights(&lanes->tape, LEAD_KNOWN, 1, &poison);
  lanes_partial(&lanes->tape, -1);
  correct_velocities(lanes, moved, fails);
  for (int j = 0; j < lanes->n; j++) {
    const int position = system->input[j][0], velocity = system->input[j][1];
    const int slot = position == SARRUS_NONE ? SARRUS_NONE : tape->inputs[position].slot;
    const LaneRow v = lanes->v[j], coefficient = *lanes->unit * v;
    if (velocity != SARRUS_NONE) lanes->tape.value[tape->inputs[velocity].value] = v;
    if (slot != SARRUS_NONE) lanes->tape.number[lanes->tape.current[slot]] = coefficient;
    lanes->next[lanes->variables + j] = coefficient;
  }
  lanes_values(&lanes->tape, 1, 0, &poison);
  lanes_weights(&lanes->tape, 1, 0, &poison);
  lanes_complete(&lanes->tape, -1);
  note_poison(&poison, fails);
}

/* Stage 0 of the new series. */
static void solve_first(LaneStep *lanes, int *fails) {
  const sarrus_System *system = lanes->system;
  LaneRow poison = {0};
  lanes_solve_stage(lanes, lanes->next, 0, &poison);
  for (int j = 0; j < lanes->variables; j++) {
    const int input = system->input[j][system->degree[j]];
    if (input == SARRUS_NONE) continue;
    lanes->tape.value[system->tape->inputs[input].value] = lanes->rhs[j];
  }
  lanes_values(&lanes->tape, 0, 0, &poison);
  lanes_weights(&lanes->tape, 0, 0, &poison);
  lanes_complete(&lanes->tape, 0);
  note_poison(&poison, fails);
}

/* As kkt_rank_margin. */
static void find_margins(LaneStep *lanes, double *margin) {
  const LaneMatrix *matrix = &lanes->matrix;
  LaneRow largest = {0};
  if (lanes->m == 0) return;
  for (int i = 0; i < lanes->variables; i++)
    lanes->rhs[i] = kkt_probe(i) / matrix->row_scale[i];
  lanes_solve_factored(&lanes->matrix, lanes->rhs);
  for (int i = 0; i < lanes->variables; i++)
    raise_to(&largest, &lanes->rhs[i], &matrix->column_scale[i]);
  for (int lane = 0; lane < WIDTH; lane++)
    margin[lane] = 1 / lanes_number(&largest, 0)[lane];
}

/* As find_errors of maker.c, in rhs. */
static void find_errors(LaneStep *lanes, const LaneRow *h) {
  const int n = lanes->n;
  for (int j = 0; j < n; j++) {
    const LaneRow a =
        2 * lanes->next[2 * lanes->variables + j] * (*lanes->per_unit * *lanes->per_unit);
    lanes->rhs[j] = *h * *h * (lanes->ahead[j] - a);
  }
  for (int i = n; i < lanes->variables; i++)
    lanes->rhs[i] = lanes->ahead[i] - lanes->next[i];
}

/* The point and what the maker reads of its expansion there. */
static void write_point(const LaneStep *lanes, int lane, Maker *maker, double margin) {
  sarrus_Expansion *expansion = maker->expansion;
  Work *work = expansion->work;
  maker_clear_fault(maker);
  for (int j = 0; j < lanes->n; j++) {
    maker->to.q[j] = lanes_number(lanes->q, j)[lane];
    maker->to.v[j] = expansion_velocity(expansion, j);
  }
  for (int i = 0; i < lanes->variables; i++)
    expansion->rhs[i] = maker->pole && i >= lanes->n ? 0 : lanes_number(lanes->rhs, i)[lane];
  for (int i = 0; i < work->tape->pole_count; i++) {
    const ValueStep *step = &work->tape->values[work->tape->poles[i]];
    const int value = step->op == SARRUS_OP_TAN ? step->a : step->b;
    work->value[value] = lanes_number(lanes->tape.value, value)[lane];
  }
  maker->margin = margin;
  maker->stats.factorisations += lanes->factored[lane];
}

/* The lanes that land: where from, and for how long. */
static void begin_landing(LaneStep *lanes, const double *h, LaneRow *step, LaneRow *t,
                          LaneRow *time, int *fails) {
  for (int lane = 0; lane < WIDTH; lane++) {
    fails[lane] = h[lane] == 0 || lanes->sim[lane] == NULL;
    lanes->factored[lane] = 0;
    lanes_number(step, 0)[lane] = h[lane];
    lanes_number(time, 0)[lane] = 0;
    if (fails[lane]) continue;
    Maker *maker = &lanes->sim[lane]->maker;
    cut_series(lanes, lane, maker->span.order);
    point_copy(&maker->to, &maker->span.from, maker->n);
    point_forward(&maker->to, h[lane]);
    lanes_number(time, 0)[lane] = maker->to.t;
    for (int j = 0; j < lanes->n; j++)
      lanes_number(lanes->scale, j)[lane] = maker->scale[j];
    fails[lane] = !isfinite(maker->to.t);
  }
  *t = *step * *lanes->per_unit;
}

void lanes_land(LaneStep *lanes, const double *h) {
  LaneRow step, t, time, *finished = lanes->now;
  double margin[WIDTH], position[WIDTH], velocity[WIDTH], *to[WIDTH];
  int fails[WIDTH];
  for (int lane = 0; lane < WIDTH; lane++)
    margin[lane] = 1;
  begin_landing(lanes, h, &step, &t, &time, fails);
  evaluate(lanes, &t);
  project_positions(lanes, &time, position, fails);
  project_velocities(lanes, velocity, fails);
  solve_first(lanes, fails);
  find_margins(lanes, margin);
  find_errors(lanes, &step);
  for (int lane = 0; lane < WIDTH; lane++)
    to[lane] = fails[lane] ? NULL : lanes->sim[lane]->maker.expansion->series;
  lanes_write_series(lanes, lanes->next, 0, 2, to);
  for (int lane = 0; lane < WIDTH; lane++) {
    if (fails[lane]) continue;
    Maker *maker = &lanes->sim[lane]->maker;
    write_point(lanes, lane, maker, margin[lane]);
    maker->ahead =
        (Ahead){AHEAD_LANDED, h[lane], {.position = position[lane], .velocity = velocity[lane]}};
  }
  lanes->now = lanes->next;
  lanes->next = finished;
}
