/* Lanes: series of simulations side by side, as expansion.c makes them. */
#include <limits.h>
#include <string.h>

#include "lanes_parts.h"

#define INLINE static inline __attribute__((always_inline)) /* into clones */

/* --- making ------------------------------------------------------------------------------ */

static void lay_out(LaneStep *lanes, const Maker *maker, Block *block) {
  const size_t variables = (size_t)maker->variables, n = (size_t)maker->n;
  const size_t series = (size_t)(maker->capacity + 2) * variables;
  lanes_tape_lay_out(&lanes->tape, maker->system->tape, maker->capacity + 1, block);
  lanes_matrix_lay_out(&lanes->matrix, maker->expansion->kkt, block);
  lanes->unit = lanes_take(block, 1);
  lanes->per_unit = lanes_take(block, 1);
  lanes->now = lanes_take(block, series);
  lanes->next = lanes_take(block, series);
  lanes->rhs = lanes_take(block, variables);
  for (int i = 0; i < MOST_DEGREE; i++)
    lanes->lower[i] = lanes_take(block, variables);
  lanes->residual = lanes_take(block, variables);
  lanes->q = lanes_take(block, n);
  lanes->v = lanes_take(block, n);
  lanes->scale = lanes_take(block, n);
  lanes->ahead = lanes_take(block, variables);
  BLOCK_TAKE(block, lanes->feed, maker->system->tape->input_count);
}

static void connect(LaneStep *lanes) {
  const sarrus_System *system = lanes->system;
  for (int j = 0; j < lanes->variables; j++) {
    for (int derivative = 0; derivative <= system->degree[j]; derivative++) {
      const int input = system->input[j][derivative];
      const int slot = input == SARRUS_NONE ? SARRUS_NONE : system->tape->inputs[input].slot;
      const LaneRow *x = derivative == system->degree[j] ? lanes->rhs : lanes->lower[derivative];
      if (slot == SARRUS_NONE) continue;
      lanes->feed[lanes->feed_count++] =
          (LaneCopy){(lanes->tape.number + lanes->tape.current[slot]), (x + j)};
      if (derivative == 1 && system->degree[j] == 2) lanes->feeds_rates = 1;
    }
  }
}

/* The block begins at a multiple of a row's size behind the struct. */
static size_t begin_block(const void *memory) {
  return ((size_t)(uintptr_t)memory + sizeof(LaneStep) + 63) / 64 * 64 - (size_t)(uintptr_t)memory;
}

static LaneStep *lanes_new(sarrus_Memory memory, const sarrus_Sim *sim) {
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
  *lanes->unit = *lanes->per_unit = (LaneRow){0} + 1;
  return lanes;
}

static void lanes_free(LaneStep *lanes) {
  if (lanes == NULL) return;
  BLOCK_OPEN(lanes, lanes->bytes);
  lanes->memory.alloc(lanes->memory.ud, lanes, lanes->bytes, 0);
}

static int lanes_fit(const LaneStep *lanes, const sarrus_Sim *sim) {
  return lanes->system == sim->maker.system && lanes->capacity == sim->maker.capacity &&
         lanes_matrix_fits(&lanes->matrix, sim->maker.expansion->kkt);
}

/* --- to and from simulations ------------------------------------------------------------- */

static void lanes_put(LaneStep *lanes, int lane, sarrus_Sim *sim) {
  lanes->sim[lane] = sim;
  if (sim == NULL)
    lanes_matrix_leave(&lanes->matrix, lane);
  else
    maker_stand(&sim->maker); /* in other lanes it may have stood */
}

/* The expansion stands where the step begins, its stage 0 solved. */
static void enter(LaneStep *lanes, int lane, const Maker *maker) {
  const sarrus_Expansion *expansion = maker->expansion;
  lanes_tape_enter(&lanes->tape, lane, expansion->work);
  lanes_matrix_enter(&lanes->matrix, lane, expansion->kkt);
  lanes_number(lanes->unit, 0)[lane] = expansion->work->unit;
  lanes_number(lanes->per_unit, 0)[lane] = 1 / expansion->work->unit;
  for (int k = 0; k <= 2; k++)
    for (int j = 0; j < (k == 0 ? lanes->variables : lanes->n); j++)
      lanes_series_at(lanes, lanes->now, k, j)[lane] = *expansion_at(expansion, k, j);
}

/* Four numbers of four rows, `width` apart in Lanes, as four of each of four lanes. */
INLINE void turn(const Lanes *rows, int width, Lanes *x) {
  const Lanes a = rows[0], b = rows[width], c = rows[2 * width], d = rows[3 * width];
  const Lanes t = LANES_OF(a, b, 0, 4, 2, 6), u = LANES_OF(a, b, 1, 5, 3, 7),
              v = LANES_OF(c, d, 0, 4, 2, 6), w = LANES_OF(c, d, 1, 5, 3, 7);
  x[0] = LANES_OF(t, v, 0, 1, 4, 5);
  x[1] = LANES_OF(u, w, 0, 1, 4, 5);
  x[2] = LANES_OF(t, v, 2, 3, 6, 7);
  x[3] = LANES_OF(u, w, 2, 3, 6, 7);
}

LANES_CLONES
void lanes_write_series(const LaneStep *lanes, LaneRow *series, int from, int last, double **to) {
  const int end = (last + 1) * lanes->variables;
  int i = from * lanes->variables;
  for (; i + LANES <= end; i += LANES) {
    for (int first = 0; first < WIDTH; first += LANES) {
      Lanes x[LANES];
      turn((const Lanes *)(void *)(lanes_number(series, i) + first), WIDTH / LANES, x);
      for (int lane = 0; lane < LANES; lane++)
        if (to[first + lane] != NULL) *(Lanes *)(to[first + lane] + i) = x[lane];
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
  const LaneRow *output = lanes->tape.number + lanes->tape.output;
  for (int from = 0; from < lanes->variables; from = system->offset_end[from]) {
    const int offset = system->offset[from];
    LaneRow factor = (LaneRow){0} - 1;
    for (int r = 1; r <= offset; r++)
      factor *= (double)(stage + r) * *lanes->per_unit;
    for (int i = from; i < system->offset_end[from]; i++)
      lanes->rhs[i] = stage + offset == 0 ? -lanes->tape.value[system->tape->output_value[i]]
                                          : factor * output[i];
  }
}

/* (T7), as find_lower of expansion.c. */
INLINE void find_lower(LaneStep *lanes, LaneRow *series, int stage) {
  const LaneRow first = (double)(stage + 1) * *lanes->per_unit;
  LaneRow second = (double)(stage + 2) * *lanes->per_unit;
  if (!lanes->feeds_rates) second = first * second;
  for (int j = 0; j < lanes->n; j++) {
    LaneRow x = lanes->rhs[j];
    if (lanes->feeds_rates) lanes->lower[1][j] = x = x / first;
    series[(stage + 2) * lanes->variables + j] = lanes->lower[0][j] = x / second;
  }
  for (int i = lanes->n; i < lanes->variables; i++)
    series[stage * lanes->variables + i] = lanes->rhs[i];
}

LANES_CLONES
static void begin_stage(LaneStep *lanes, int stage) { find_right(lanes, stage); }

LANES_CLONES
static void end_stage(LaneStep *lanes, LaneRow *series, int stage, LaneRow *poison) {
  find_lower(lanes, series, stage);
  for (int i = 0; i < lanes->feed_count; i++)
    *lanes->feed[i].to = *lanes->feed[i].from;
  for (int i = 0; i < lanes->variables; i++)
    *poison += 0 * lanes->rhs[i];
}

void lanes_solve_stage(LaneStep *lanes, LaneRow *series, int stage, LaneRow *poison) {
  lanes_partial(&lanes->tape, stage);
  begin_stage(lanes, stage);
  lanes_solve(&lanes->matrix, lanes->rhs, stage);
  end_stage(lanes, series, stage, poison);
}

/* Fails is what has not been finite until the order of a lane. */
static void run_stages(LaneStep *lanes, int *fails) {
  LaneRow poison = {0};
  int highest = 0, least = INT_MAX, order[WIDTH];
  for (int lane = 0; lane < WIDTH; lane++) {
    order[lane] = lanes->sim[lane] == NULL ? 0 : lanes->sim[lane]->maker.order;
    if (order[lane] > highest) highest = order[lane];
    if (order[lane] > 0 && order[lane] < least) least = order[lane];
  }
  lanes->top = highest + 1;
  for (int stage = 1; stage < highest; stage++) {
    lanes_solve_stage(lanes, lanes->now, stage, &poison);
    lanes_complete(&lanes->tape, stage);
    for (int lane = 0; stage >= least - 1 && lane < WIDTH; lane++)
      if (stage == order[lane] - 1) fails[lane] = lanes_number(&poison, 0)[lane] != 0;
  }
}

static void lanes_expand(LaneStep *lanes) {
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
  lanes_write_series(lanes, lanes->now, 1, lanes->top, to);
}

const LaneKind LANES_NAME(lanes_kind) = {WIDTH,     lanes_new,    lanes_free, lanes_fit,
                                         lanes_put, lanes_expand, lanes_land};
