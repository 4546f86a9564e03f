/* The steps of simulations in lanes: series (expansion.c), landing (maker_project.c, maker.c). */
#include <math.h>
#include <string.h>

#include "lanes.h"

#define INLINE static inline __attribute__((always_inline)) /* into clones */

struct LaneStep {
  sarrus_Memory memory;
  size_t bytes;
  const sarrus_System *system;
  int n, m, variables, capacity;
  LaneTape tape;
  LaneMatrix matrix;
  sarrus_Sim *sim[WIDTH]; /* or NULL */
  int top;                /* the highest coefficient in `now` */
  int factored[WIDTH];    /* for the landing under way */
  Lanes unit[SETS];
  Lanes *now, *next; /* series from where the step begins, and from where it ends */
  Lanes *rhs, *residual, *lower[MOST_DEGREE];
  Lanes *q, *v, *scale; /* of the point that is sought */
  int feeds_rates, feed_count;
  LaneCopy *feed; /* from the unknowns of a stage to the tape */
};

/* --- which simulations ------------------------------------------------------------------- */

/*
** Rows of more numbers than this are read from memory far away, where lanes gain nothing more:
** measured in core/bench/ensemble.lua's manner.
*/
enum { MOST_NUMBERS = 40000 };

static int suits_lanes(const Tape *tape) {
  if (tape->switch_count > 0) return 0;
  for (int i = 0; i < tape->value_count; i++)
    if (is_piecewise(tape->values[i].op) || tape->values[i].op == SARRUS_OP_TABLE) return 0;
  for (int i = 0; i < tape->row_count; i++)
    if (tape->rows[i].op != SARRUS_OP_LINEAR && tape->rows[i].shape->product_count == 0) return 0;
  return !maker_watches_zeros(tape);
}

int lanes_suit_system(const sarrus_System *system, int capacity) {
  if (system->general || system->nonlinear || system->contact_count > 0) return 0;
  if (system->arguments.tape != NULL || system->n == 0) return 0;
  for (int j = 0; j < system->n + system->m; j++)
    if (system->degree[j] != (j < system->n ? 2 : 0)) return 0;
  if ((long long)system->tape->slot_count * (capacity + 2) > MOST_NUMBERS) return 0;
  return suits_lanes(system->tape);
}

int lanes_suit(const sarrus_Sim *sim) {
  const Maker *maker = &sim->maker;
  const Kkt *kkt = maker->expansion->kkt;
  if (sim->form != WHOLE || sim->follow.tangent != NULL || sim->stepped != NULL) return 0;
  if (sim->changed || maker->broken || maker->method.stiff || maker->span.order == 0) return 0;
  if (kkt->dependent_count > 0 || kkt->off_count > 0 || kkt->sparse == NULL) return 0;
  return sparse_rank(kkt->sparse) == kkt->size;
}

/* --- making ------------------------------------------------------------------------------ */

static void lay_out(LaneStep *lanes, const Maker *maker, Block *block) {
  const size_t variables = (size_t)maker->variables, n = (size_t)maker->n;
  const size_t series = (size_t)(maker->capacity + 2) * variables;
  lanes_tape_lay_out(&lanes->tape, maker->system->tape, maker->capacity + 1, block);
  lanes_matrix_lay_out(&lanes->matrix, maker->expansion->kkt, block);
  lanes->now = lanes_take(block, series);
  lanes->next = lanes_take(block, series);
  lanes->rhs = lanes_take(block, variables);
  for (int i = 0; i < MOST_DEGREE; i++)
    lanes->lower[i] = lanes_take(block, variables);
  lanes->residual = lanes_take(block, variables);
  lanes->q = lanes_take(block, n);
  lanes->v = lanes_take(block, n);
  lanes->scale = lanes_take(block, n);
  BLOCK_TAKE(block, lanes->feed, maker->system->tape->input_count);
}

static void connect(LaneStep *lanes) {
  const sarrus_System *system = lanes->system;
  for (int j = 0; j < lanes->variables; j++) {
    for (int derivative = 0; derivative <= system->degree[j]; derivative++) {
      const int input = system->input[j][derivative];
      const int slot = input == SARRUS_NONE ? SARRUS_NONE : system->tape->inputs[input].slot;
      const Lanes *x = derivative == system->degree[j] ? lanes->rhs : lanes->lower[derivative];
      if (slot == SARRUS_NONE) continue;
      lanes->feed[lanes->feed_count++] =
          (LaneCopy){LANES_ROW(lanes->tape.number, lanes->tape.current[slot]), LANES_ROW(x, j)};
      if (derivative == 1 && system->degree[j] == 2) lanes->feeds_rates = 1;
    }
  }
}

/* The block begins at a multiple of a row's size behind the struct. */
static size_t begin_block(const void *memory) {
  return ((size_t)(uintptr_t)memory + sizeof(LaneStep) + 63) / 64 * 64 - (size_t)(uintptr_t)memory;
}

LaneStep *lanes_new(sarrus_Memory memory, const sarrus_Sim *sim) {
  const Maker *maker = &sim->maker;
  LaneStep shape = {.memory = memory,
                    .system = maker->system,
                    .n = maker->n,
                    .m = maker->m,
                    .variables = maker->variables,
                    .capacity = maker->capacity};
  Block block = {NULL, 0};
  lay_out(&shape, maker, &block);
  shape.bytes = block.used + sizeof(LaneStep) + 2 * 64;
  LaneStep *lanes = memory.alloc(memory.ud, NULL, 0, shape.bytes);
  if (lanes == NULL) return NULL;
  memset((void *)lanes, 0, shape.bytes);
  *lanes = shape;
  const size_t begin = begin_block(lanes);
  lay_out(lanes, maker, &(Block){(char *)lanes + begin, 0});
  lanes_tape_connect(&lanes->tape, maker->expansion->work);
  lanes_matrix_connect(&lanes->matrix, maker->expansion->kkt);
  connect(lanes);
  LANES_EACH(s) lanes->unit[s] = (Lanes){0} + 1;
  return lanes;
}

void lanes_free(LaneStep *lanes) {
  if (lanes == NULL) return;
  BLOCK_OPEN(lanes, lanes->bytes);
  lanes->memory.alloc(lanes->memory.ud, lanes, lanes->bytes, 0);
}

int lanes_fit(const LaneStep *lanes, const sarrus_Sim *sim) {
  return lanes->system == sim->maker.system && lanes->capacity == sim->maker.capacity &&
         lanes_matrix_fits(&lanes->matrix, sim->maker.expansion->kkt);
}

/* --- to and from simulations ------------------------------------------------------------- */

void lanes_put(LaneStep *lanes, int lane, sarrus_Sim *sim) {
  lanes->sim[lane] = sim;
  if (sim == NULL) lanes_matrix_leave(&lanes->matrix, lane);
}

static double *series_at(const LaneStep *lanes, Lanes *series, int k, int j) {
  return lanes_number(series, k * lanes->variables + j);
}

/* The expansion stands where the step begins, its stage 0 solved. */
static void enter(LaneStep *lanes, int lane, const Maker *maker) {
  const sarrus_Expansion *expansion = maker->expansion;
  lanes_tape_enter(&lanes->tape, lane, expansion->work);
  lanes_matrix_enter(&lanes->matrix, lane, expansion->kkt);
  ((double *)lanes->unit)[lane] = expansion->work->unit;
  for (int k = 0; k <= 2; k++)
    for (int j = 0; j < (k == 0 ? lanes->variables : lanes->n); j++)
      series_at(lanes, lanes->now, k, j)[lane] = *expansion_at(expansion, k, j);
}

INLINE void turn(const Lanes *rows, Lanes *x) {
  const Lanes a = rows[0], b = rows[SETS], c = rows[2 * SETS], d = rows[3 * SETS];
  const Lanes t = LANES_OF(a, b, 0, 4, 2, 6), u = LANES_OF(a, b, 1, 5, 3, 7),
              v = LANES_OF(c, d, 0, 4, 2, 6), w = LANES_OF(c, d, 1, 5, 3, 7);
  x[0] = LANES_OF(t, v, 0, 1, 4, 5);
  x[1] = LANES_OF(u, w, 0, 1, 4, 5);
  x[2] = LANES_OF(t, v, 2, 3, 6, 7);
  x[3] = LANES_OF(u, w, 2, 3, 6, 7);
}

/*
** Coefficients `from` to `last` to the expansions' series, which are in the same order; to[lane]
** may be NULL.  What a lane has beyond its order is not read there.
*/
VECTOR_CLONES
static void write_series(const LaneStep *lanes, Lanes *series, int from, int last, double **to) {
  const int end = (last + 1) * lanes->variables;
  int i = from * lanes->variables;
  for (; i + LANES <= end; i += LANES) {
    LANES_EACH(s) {
      Lanes x[LANES];
      turn(LANES_ROW(series, i) + s, x);
      for (int lane = 0; lane < LANES; lane++)
        if (to[s * LANES + lane] != NULL) *(Lanes *)(to[s * LANES + lane] + i) = x[lane];
    }
  }
  for (; i < end; i++)
    for (int lane = 0; lane < WIDTH; lane++)
      if (to[lane] != NULL) to[lane][i] = lanes_number(series, i)[lane];
}

/* --- stages ------------------------------------------------------------------------------ */

/* R of (T6), for offsets above 0 or stages above 0. */
INLINE void find_right(LaneStep *lanes, int stage) {
  const sarrus_System *system = lanes->system;
  const Lanes *output = LANES_ROW(lanes->tape.number, lanes->tape.output);
  for (int from = 0; from < lanes->variables; from = system->offset_end[from]) {
    const int offset = system->offset[from];
    Lanes factor[SETS];
    LANES_EACH(s) {
      factor[s] = (Lanes){0} - 1;
      for (int r = 1; r <= offset; r++)
        factor[s] *= (double)(stage + r) / lanes->unit[s];
    }
    for (int i = from; i < system->offset_end[from]; i++) {
      const Lanes *value = LANES_ROW(lanes->tape.value, system->tape->output_value[i]);
      LANES_EACH(s)
      LANES_ROW(lanes->rhs, i)
      [s] = stage + offset == 0 ? -value[s] : factor[s] * LANES_ROW(output, i)[s];
    }
  }
}

/* (T7), as find_lower of expansion.c. */
INLINE void find_lower(LaneStep *lanes, Lanes *series, int stage) {
  Lanes first[SETS], second[SETS];
  LANES_EACH(s) {
    first[s] = (double)(stage + 1) / lanes->unit[s];
    second[s] = (double)(stage + 2) / lanes->unit[s];
    if (!lanes->feeds_rates) second[s] = first[s] * second[s];
  }
  for (int j = 0; j < lanes->n; j++) {
    LANES_EACH(s) {
      Lanes x = LANES_ROW(lanes->rhs, j)[s];
      if (lanes->feeds_rates) LANES_ROW(lanes->lower[1], j)[s] = x = x / first[s];
      LANES_ROW(series, (stage + 2) * lanes->variables + j)
      [s] = LANES_ROW(lanes->lower[0], j)[s] = x / second[s];
    }
  }
  for (int i = lanes->n; i < lanes->variables; i++)
    LANES_EACH(s)
  LANES_ROW(series, stage * lanes->variables + i)[s] = LANES_ROW(lanes->rhs, i)[s];
}

VECTOR_CLONES
static void begin_stage(LaneStep *lanes, int stage) { find_right(lanes, stage); }

VECTOR_CLONES
static void end_stage(LaneStep *lanes, Lanes *series, int stage, Lanes *poison) {
  find_lower(lanes, series, stage);
  for (int i = 0; i < lanes->feed_count; i++)
    LANES_EACH(s) lanes->feed[i].to[s] = lanes->feed[i].from[s];
  for (int i = 0; i < lanes->variables; i++)
    LANES_EACH(s) poison[s] += 0 * LANES_ROW(lanes->rhs, i)[s];
}

static void solve_stage(LaneStep *lanes, Lanes *series, int stage, Lanes *poison) {
  lanes_partial(&lanes->tape, stage);
  begin_stage(lanes, stage);
  lanes_solve(&lanes->matrix, lanes->rhs, stage);
  end_stage(lanes, series, stage, poison);
}

/* Fails is what has not been finite until the order of a lane. */
static void run_stages(LaneStep *lanes, int *fails) {
  Lanes poison[SETS] = {{0}};
  int highest = 0;
  for (int lane = 0; lane < WIDTH; lane++)
    if (lanes->sim[lane] != NULL && lanes->sim[lane]->maker.order > highest)
      highest = lanes->sim[lane]->maker.order;
  lanes->top = highest + 1;
  for (int stage = 1; stage < highest; stage++) {
    solve_stage(lanes, lanes->now, stage, poison);
    lanes_complete(&lanes->tape, stage);
    for (int lane = 0; lane < WIDTH; lane++)
      if (lanes->sim[lane] != NULL && stage == lanes->sim[lane]->maker.order - 1)
        fails[lane] = ((const double *)poison)[lane] != 0;
  }
}

void lanes_expand(LaneStep *lanes) {
  double *to[WIDTH];
  int fails[WIDTH] = {0};
  for (int lane = 0; lane < WIDTH; lane++)
    if (lanes->sim[lane] != NULL && lanes->sim[lane]->maker.ahead.what != AHEAD_STANDS)
      enter(lanes, lane, &lanes->sim[lane]->maker);
  run_stages(lanes, fails);
  for (int lane = 0; lane < WIDTH; lane++) {
    to[lane] = NULL;
    if (lanes->sim[lane] == NULL || fails[lane]) continue;
    to[lane] = lanes->sim[lane]->maker.expansion->series;
    lanes->sim[lane]->maker.ahead.what = AHEAD_EXPANDED;
  }
  write_series(lanes, lanes->now, 1, lanes->top, to);
}

/* --- landing ----------------------------------------------------------------------------- */

/* What a lane has beyond the order of its span does not count. */
static void cut_series(const LaneStep *lanes, int lane, int order) {
  for (int k = order; k <= lanes->top; k++) {
    for (int j = 0; j < lanes->n && k > order + 1; j++)
      series_at(lanes, lanes->now, k, j)[lane] = 0;
    for (int j = lanes->n; j < lanes->variables; j++)
      series_at(lanes, lanes->now, k, j)[lane] = 0;
  }
}

/* Horner (T23), as sum_up of span.c. */
VECTOR_CLONES
static void evaluate(const LaneStep *lanes, int first, int count, int derivative, const Lanes *t,
                     Lanes *x) {
  Lanes scale[SETS];
  LANES_EACH(s)
  scale[s] = 1 / (derivative == 0   ? (Lanes){0} + 1
                  : derivative == 1 ? lanes->unit[s]
                                    : lanes->unit[s] * lanes->unit[s]);
  for (int j = 0; j < count; j++)
    LANES_EACH(s) LANES_ROW(x, j)[s] = (Lanes){0};
  for (int k = lanes->top; k >= derivative; k--) {
    const Lanes *c = LANES_ROW(lanes->now, k * lanes->variables + first);
    const double weight = derivative == 0 ? 1 : derivative == 1 ? k : (double)k * (k - 1);
    Lanes factor[SETS];
    LANES_EACH(s) factor[s] = weight * scale[s];
    for (int i = 0; i < count * SETS; i++)
      x[i] = x[i] * t[i % SETS] + factor[i % SETS] * c[i];
  }
}

static void set_inputs(LaneStep *lanes, const Lanes *time) {
  const Tape *tape = lanes->system->tape;
  for (int i = 0; i < tape->input_count; i++) {
    const Input *input = &tape->inputs[i];
    const Lanes none[SETS] = {{0}};
    if (input->kind == SARRUS_PARAMETER || input->kind == SARRUS_U) continue;
    const Lanes *x = input->kind == SARRUS_TIME ? time
                     : input->kind == SARRUS_Q  ? LANES_ROW(lanes->q, input->index)
                     : input->lead == 0         ? none
                                                : LANES_ROW(lanes->v, input->index);
    LANES_EACH(s) LANES_ROW(lanes->tape.value, input->value)[s] = x[s];
  }
}

static void note_poison(const Lanes *poison, int *fails) {
  for (int lane = 0; lane < WIDTH; lane++)
    fails[lane] |= ((const double *)poison)[lane] != 0;
}

/* As expansion_place. */
static void place(LaneStep *lanes, const Lanes *time, int *fails) {
  const Tape *tape = lanes->system->tape;
  Lanes poison[SETS] = {{0}};
  set_inputs(lanes, time);
  memcpy(lanes->next, lanes->q, (size_t)lanes->n * SETS * sizeof(Lanes));
  lanes_values(&lanes->tape, LEAD_KNOWN, 1, poison);
  for (int i = 0; i < lanes->system->entry_count; i++)
    LANES_EACH(s)
  LANES_ROW(lanes->matrix.value, i)[s] = LANES_ROW(lanes->tape.value, tape->extra_value[i])[s];
  note_poison(poison, fails);
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

/* As maker_correction; infinite where it is not finite. */
static void find_correction(LaneStep *lanes, double *size) {
  Lanes poison[SETS] = {{0}}, largest[SETS];
  for (int i = 0; i < lanes->variables; i++)
    LANES_EACH(s)
  LANES_ROW(lanes->rhs, i)[s] = i < lanes->n ? (Lanes){0} : -LANES_ROW(lanes->residual, i)[s];
  lanes_solve(&lanes->matrix, lanes->rhs, 1);
  LANES_EACH(s) largest[s] = (Lanes){0};
  for (int j = 0; j < lanes->n; j++) {
    LANES_EACH(s) {
      const Lanes x = LANES_ROW(lanes->rhs, j)[s];
      Lanes part = x / LANES_ROW(lanes->scale, j)[s];
      lanes_magnitude(&part);
      const LaneBits larger = (LaneBits)(part > largest[s]);
      lanes_choose(&larger, &part, &largest[s]);
      poison[s] += 0 * x;
    }
  }
  for (int lane = 0; lane < WIDTH; lane++)
    size[lane] =
        ((const double *)poison)[lane] == 0 ? ((const double *)largest)[lane] : (double)INFINITY;
}

static void find_residual(LaneStep *lanes) {
  const sarrus_System *system = lanes->system;
  for (int i = lanes->n; i < lanes->variables; i++)
    LANES_EACH(s)
  LANES_ROW(lanes->residual, i)
  [s] = system->offset[i] == 2 ? LANES_ROW(lanes->tape.value, system->tape->output_value[i])[s]
                               : (Lanes){0};
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
    settled[lane] = fails[lane] || !maker_corrects(i, size[lane], last[lane], moved[lane]);
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
static void project_positions(LaneStep *lanes, const Lanes *time, double *moved, int *fails) {
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
  const Lanes *output = LANES_ROW(lanes->tape.number, lanes->tape.output);
  for (int i = lanes->n; i < lanes->variables; i++) {
    Lanes *residual = LANES_ROW(lanes->residual, i), sum[SETS] = {{0}};
    const int offset = system->offset[i];
    if (offset == 2) lanes_row_times(&lanes->matrix, i, lanes->v, lanes->n, sum);
    LANES_EACH(s)
    residual[s] = offset == 2   ? LANES_ROW(output, i)[s] / lanes->unit[s] + sum[s]
                  : offset == 1 ? LANES_ROW(lanes->tape.value, system->tape->output_value[i])[s]
                                : (Lanes){0};
  }
}

static void correct_velocities(LaneStep *lanes, double *moved, int *fails) {
  for (int lane = 0; lane < WIDTH; lane++)
    moved[lane] = 0;
  if (lanes->m == 0) {
    for (int j = 0; j < lanes->n; j++)
      LANES_EACH(s) LANES_ROW(lanes->v, j)[s] += (Lanes){0}; /* -0 becomes 0 */
    return;
  }
  find_rate_residual(lanes);
  find_correction(lanes, moved);
  for (int j = 0; j < lanes->n; j++) {
    double *v = lanes_number(lanes->v, j);
    const double *change = lanes_number(lanes->rhs, j), *scale = lanes_number(lanes->scale, j);
    for (int lane = 0; lane < WIDTH; lane++) {
      v[lane] += change[lane];
      if (change[lane] != 0 && maker_is_rounding(v[lane], moved[lane], scale[lane])) v[lane] = 0;
    }
  }
  for (int lane = 0; lane < WIDTH; lane++)
    fails[lane] |= !isfinite(moved[lane]);
}

/* As expansion_settle and expansion_set_rates, velocities being corrected in between. */
static void project_velocities(LaneStep *lanes, double *moved, int *fails) {
  const sarrus_System *system = lanes->system;
  const Tape *tape = system->tape;
  Lanes poison[SETS] = {{0}};
  lanes_weights(&lanes->tape, LEAD_KNOWN, 1, poison);
  lanes_partial(&lanes->tape, -1);
  correct_velocities(lanes, moved, fails);
  for (int j = 0; j < lanes->n; j++) {
    const int position = system->input[j][0], velocity = system->input[j][1];
    const int slot = position == SARRUS_NONE ? SARRUS_NONE : tape->inputs[position].slot;
    LANES_EACH(s) {
      const Lanes v = LANES_ROW(lanes->v, j)[s];
      if (velocity != SARRUS_NONE)
        LANES_ROW(lanes->tape.value, tape->inputs[velocity].value)[s] = v;
      if (slot != SARRUS_NONE)
        LANES_ROW(lanes->tape.number, lanes->tape.current[slot])[s] = lanes->unit[s] * v;
      LANES_ROW(lanes->next, lanes->variables + j)[s] = lanes->unit[s] * v;
    }
  }
  lanes_values(&lanes->tape, 1, 0, poison);
  lanes_weights(&lanes->tape, 1, 0, poison);
  lanes_complete(&lanes->tape, -1);
  note_poison(poison, fails);
}

/* Stage 0 of the new series. */
static void solve_first(LaneStep *lanes, int *fails) {
  const sarrus_System *system = lanes->system;
  Lanes poison[SETS] = {{0}};
  solve_stage(lanes, lanes->next, 0, poison);
  for (int j = 0; j < lanes->variables; j++) {
    const int input = system->input[j][system->degree[j]];
    if (input == SARRUS_NONE) continue;
    LANES_EACH(s)
    LANES_ROW(lanes->tape.value, system->tape->inputs[input].value)
    [s] = LANES_ROW(lanes->rhs, j)[s];
  }
  lanes_values(&lanes->tape, 0, 0, poison);
  lanes_weights(&lanes->tape, 0, 0, poison);
  lanes_complete(&lanes->tape, 0);
  note_poison(poison, fails);
}

/* As kkt_rank_margin. */
static void find_margins(LaneStep *lanes, double *margin) {
  const LaneMatrix *matrix = &lanes->matrix;
  double largest[WIDTH] = {0};
  if (lanes->m == 0) return;
  for (int i = 0; i < lanes->variables; i++)
    LANES_EACH(s)
  LANES_ROW(lanes->rhs, i)[s] = kkt_probe(i) / LANES_ROW(matrix->row_scale, i)[s];
  lanes_solve_factored(&lanes->matrix, lanes->rhs);
  for (int i = 0; i < lanes->variables; i++) {
    const double *x = lanes_number(lanes->rhs, i), *column = lanes_number(matrix->column_scale, i);
    for (int lane = 0; lane < WIDTH; lane++)
      largest[lane] = fmax(largest[lane], fabs(x[lane]) / column[lane]);
  }
  for (int lane = 0; lane < WIDTH; lane++)
    margin[lane] = 1 / largest[lane];
}

/* As find_errors of maker.c, in rhs. */
static void find_errors(LaneStep *lanes, const Lanes *h, const Lanes *t) {
  const int n = lanes->n;
  evaluate(lanes, 0, n, 2, t, lanes->rhs);
  evaluate(lanes, n, lanes->m, 0, t, LANES_ROW(lanes->rhs, n));
  for (int j = 0; j < n; j++) {
    LANES_EACH(s) {
      const Lanes unit = lanes->unit[s];
      const Lanes a = 2 * LANES_ROW(lanes->next, 2 * lanes->variables + j)[s] / (unit * unit);
      LANES_ROW(lanes->rhs, j)[s] = h[s] * h[s] * (LANES_ROW(lanes->rhs, j)[s] - a);
    }
  }
  for (int i = n; i < lanes->variables; i++)
    LANES_EACH(s) LANES_ROW(lanes->rhs, i)[s] -= LANES_ROW(lanes->next, i)[s];
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
static void begin_landing(LaneStep *lanes, const double *h, Lanes *step, Lanes *t, Lanes *time,
                          int *fails) {
  for (int lane = 0; lane < WIDTH; lane++) {
    fails[lane] = h[lane] == 0 || lanes->sim[lane] == NULL;
    lanes->factored[lane] = 0;
    ((double *)step)[lane] = h[lane];
    ((double *)time)[lane] = 0;
    if (fails[lane]) continue;
    Maker *maker = &lanes->sim[lane]->maker;
    cut_series(lanes, lane, maker->span.order);
    point_copy(&maker->to, &maker->span.from, maker->n);
    point_forward(&maker->to, h[lane]);
    ((double *)time)[lane] = maker->to.t;
    for (int j = 0; j < lanes->n; j++)
      lanes_number(lanes->scale, j)[lane] = maker->scale[j];
    fails[lane] = !isfinite(maker->to.t);
  }
  LANES_EACH(s) t[s] = step[s] / lanes->unit[s];
}

void lanes_land(LaneStep *lanes, const double *h) {
  Lanes step[SETS], t[SETS], time[SETS], *finished = lanes->now;
  double margin[WIDTH], position[WIDTH], velocity[WIDTH], *to[WIDTH];
  int fails[WIDTH];
  for (int lane = 0; lane < WIDTH; lane++)
    margin[lane] = 1;
  begin_landing(lanes, h, step, t, time, fails);
  evaluate(lanes, 0, lanes->n, 0, t, lanes->q);
  evaluate(lanes, 0, lanes->n, 1, t, lanes->v);
  project_positions(lanes, time, position, fails);
  project_velocities(lanes, velocity, fails);
  solve_first(lanes, fails);
  find_margins(lanes, margin);
  find_errors(lanes, step, t);
  for (int lane = 0; lane < WIDTH; lane++)
    to[lane] = fails[lane] ? NULL : lanes->sim[lane]->maker.expansion->series;
  write_series(lanes, lanes->next, 0, 2, to);
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
