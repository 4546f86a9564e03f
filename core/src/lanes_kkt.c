/*
** A matrix in lanes: kkt_sparse_numbers.c on rows, entry by entry.  Terms that are 0 in all
** matrices of the pattern are left out, which may change the sign of a 0 inside of a solve; what
** comes out of it has no -0, as there.
*/
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "kkt_sparse_parts.h"
#include "lanes_parts.h"

#define INLINE static inline __attribute__((always_inline)) /* into clones */

/* --- layout ------------------------------------------------------------------------------ */

/* Numbers of L or U, in whole Lanes, as plan_blocks of kkt_sparse.c counts them. */
static int numbers_of(const Sparse *sparse, const Factor *factor) {
  return LANES * (2 * blocks_of(sparse) * (LANES - 1) + factor->from.count);
}

static void lay_out_program(LaneMatrix *lanes, Block *block) {
  const int n = lanes->size;
  BLOCK_TAKE(block, lanes->row_of, n);
  BLOCK_TAKE(block, lanes->column_of, n);
  BLOCK_TAKE(block, lanes->target, lanes->entries);
  BLOCK_TAKE(block, lanes->lower_start, n + 1);
  BLOCK_TAKE(block, lanes->upper_start, n + 1);
  BLOCK_TAKE(block, lanes->lower_index, lanes->lower_count);
  BLOCK_TAKE(block, lanes->upper_index, lanes->upper_count);
  BLOCK_TAKE(block, lanes->lower_place, lanes->lower_count);
  BLOCK_TAKE(block, lanes->upper_place, lanes->upper_count);
  BLOCK_TAKE(block, lanes->forward, n);
  BLOCK_TAKE(block, lanes->backward, n);
  /* one term an entry, and in each block one that follows from others */
  BLOCK_TAKE(block, lanes->term, lanes->lower_count + lanes->upper_count + 4 * lanes->blocks);
}

void lanes_matrix_lay_out(LaneMatrix *lanes, const Kkt *kkt, Block *block) {
  const Sparse *sparse = kkt->sparse;
  *lanes = (LaneMatrix){.size = kkt->size,
                        .n = kkt->n,
                        .entries = kkt->pattern.start[kkt->size],
                        .rank = sparse->rank,
                        .blocks = blocks_of(sparse),
                        .start = kkt->pattern.start,
                        .column = kkt->pattern.column,
                        .lower_count = sparse->lower.index.count,
                        .upper_count = sparse->upper.index.count,
                        .lower_numbers = numbers_of(sparse, &sparse->lower),
                        .upper_numbers = numbers_of(sparse, &sparse->upper)};
  const size_t size = (size_t)lanes->size;
  lanes->value = lanes_take(block, (size_t)lanes->entries);
  lanes->row_scale = lanes_take(block, size);
  lanes->column_scale = lanes_take(block, size);
  lanes->lower = lanes_take(block, (size_t)lanes->lower_numbers);
  lanes->upper = lanes_take(block, (size_t)lanes->upper_numbers);
  lanes->u_value = lanes_take(block, (size_t)lanes->upper_count);
  lanes->reciprocal = lanes_take(block, size);
  lanes->work = lanes_take(block, size + 1);
  lanes->unknown = lanes_take(block, size + (size_t)lanes->blocks);
  lanes->right = lanes_take(block, size);
  lanes->residual = lanes_take(block, size);
  lay_out_program(lanes, block);
}

/* --- the program of solves --------------------------------------------------------------- */

/* Of one of the factors, in the order of solving: L forwards, U backwards. */
typedef struct Side {
  const Factor *factor;
  const LaneRow *value;
  int upper;
} Side;

static int has_entry(const Factor *factor, int row, int place) {
  for (int e = factor->start[row]; e < factor->start[row + 1]; e++)
    if (factor->place[e] == place) return 1;
  return 0;
}

static void add_term(LaneMatrix *lanes, const Side *side, int value, int x) {
  lanes->term[lanes->terms++] = (LaneTerm){(side->value + value), (lanes->unknown + x)};
}

/* What columns outside of the block contribute, by their parity; the last one may have no pair. */
static void add_outside(LaneMatrix *lanes, const Side *side, int k, LaneSolve *solve) {
  const Factor *factor = side->factor;
  const int block = k / LANES, first = factor->begin[block], end = factor->begin[block + 1];
  const int paired = first + (end - first) / 2 * 2, tiles = 2 * lanes->blocks * (LANES - 1);
  for (int parity = 0; parity < 2; parity++) {
    *(parity == 0 ? &solve->even : &solve->odd) = lanes->term + lanes->terms;
    for (int i = first + parity; i < paired; i += 2)
      if (has_entry(factor, k, (tiles + i) * LANES + k % LANES))
        add_term(lanes, side, (tiles + i) * LANES + k % LANES, factor->from.items[i]);
  }
  solve->last = lanes->term + lanes->terms;
  if (paired < end && has_entry(factor, k, (tiles + paired) * LANES + k % LANES))
    add_term(lanes, side, (tiles + paired) * LANES + k % LANES, factor->from.items[paired]);
}

/* Whether row 3 of a block begins with what row 2 is before its own block's terms. */
static int needs_raw(const LaneMatrix *lanes, const Side *side, int row3, int place) {
  return row3 >= 0 && row3 < lanes->rank && has_entry(side->factor, row3, place);
}

/*
** What the block's own columns contribute, by the inverse of its part (invert in
** kkt_sparse_numbers.c): row r of L counts from above, of U from below.
*/
static void add_own(LaneMatrix *lanes, const Side *side, int k, LaneSolve *solve) {
  const int block = k / LANES, r = side->upper ? LANES - 1 - k % LANES : k % LANES;
  const int sign = side->upper ? -1 : 1,
            pivot = side->upper ? block * LANES + LANES - 1 : block * LANES;
  const int base = block * OWN + (side->upper ? OWN - 1 : 0), all = lanes->blocks * OWN;
  const int row2 = pivot + sign * 2, raw = lanes->size + block;
  int n[LANES]; /* of row r, and of row 2 where row 3 needs it */
  for (int c = 0; c < LANES; c++)
    n[c] = c < r && has_entry(side->factor, k, all + base + sign * (4 * c + r));
  solve->own = lanes->term + lanes->terms;
  solve->raw = r == 2 && needs_raw(lanes, side, k + sign, all + base + sign * 11)
                   ? (lanes->unknown + raw)
                   : NULL;
  if (r == 1 && n[0]) add_term(lanes, side, base + sign, pivot);
  if (r == 2 && n[0]) add_term(lanes, side, base + sign * 6, pivot);
  if (r == 2 && n[1]) add_term(lanes, side, base + sign * 10, pivot + sign);
  if (r != 3) return;
  const int has20 = row2 < lanes->rank && has_entry(side->factor, row2, all + base + sign * 2),
            has21 = row2 < lanes->rank && has_entry(side->factor, row2, all + base + sign * 6);
  if (n[2]) add_term(lanes, side, base + sign * 3, raw);
  if (n[0] || (n[2] && has20)) add_term(lanes, side, base + sign * 7, pivot);
  if (n[1] || (n[2] && has21)) add_term(lanes, side, base + sign * 11, pivot + sign);
}

static void plan_row(LaneMatrix *lanes, const Side *side, int k, LaneSolve *solve) {
  add_outside(lanes, side, k, solve);
  add_own(lanes, side, k, solve);
  solve->end = lanes->term + lanes->terms;
  solve->place = side->upper ? lanes->column_of[k] : lanes->row_of[k];
  solve->plain = solve->raw == NULL && solve->odd == solve->last;
}

static void copy_factor(const Factor *from, int rank, int *start, int *index, int *place) {
  const size_t count = (size_t)from->index.count * sizeof(int);
  memcpy(start, from->start, (size_t)(rank + 1) * sizeof(int));
  if (count == 0) return;
  memcpy(index, from->index.items, count);
  memcpy(place, from->place, count);
}

void lanes_matrix_connect(LaneMatrix *lanes, const Kkt *kkt) {
  const Sparse *sparse = kkt->sparse;
  const size_t size = (size_t)lanes->size * sizeof(int);
  const Side lower = {&sparse->lower, lanes->lower, 0}, upper = {&sparse->upper, lanes->upper, 1};
  memcpy(lanes->row_of, sparse->row_of, size);
  memcpy(lanes->column_of, sparse->column_of, size);
  memcpy(lanes->target, sparse->target, (size_t)lanes->entries * sizeof(int));
  copy_factor(&sparse->lower, lanes->rank, lanes->lower_start, lanes->lower_index,
              lanes->lower_place);
  copy_factor(&sparse->upper, lanes->rank, lanes->upper_start, lanes->upper_index,
              lanes->upper_place);
  for (int k = 0; k < lanes->rank; k++)
    plan_row(lanes, &lower, k, &lanes->forward[k]);
  for (int k = lanes->rank - 1; k >= 0; k--)
    plan_row(lanes, &upper, k, &lanes->backward[lanes->rank - 1 - k]);
}

int lanes_matrix_fits(const LaneMatrix *lanes, const Kkt *kkt) {
  const Sparse *sparse = kkt->sparse;
  const size_t size = (size_t)lanes->size * sizeof(int);
  return sparse != NULL && sparse->rank == lanes->rank &&
         memcmp(sparse->row_of, lanes->row_of, size) == 0 &&
         memcmp(sparse->column_of, lanes->column_of, size) == 0;
}

/* kkt_refinements, which falls with the stage, for all stages. */
static void plan_refinements(LaneMatrix *lanes, int lane, double smallest, double steady) {
  const int far = INT_MAX / 2;
  lanes->passes[lane] = kkt_refinements(smallest, steady, far);
  lanes->until[lane] = 0;
  lanes->smallest[lane] = smallest;
  lanes->steady[lane] = steady;
  lanes->loose[lane] = kkt_errs_within(lanes->allowed[lane], smallest, steady);
  while (lanes->passes[lane] == 0 && kkt_refinements(smallest, steady, lanes->until[lane] + 1) > 0)
    lanes->until[lane]++;
}

static void find_refined(LaneMatrix *lanes) {
  lanes->refined = 0;
  for (int lane = 0; lane < WIDTH; lane++) {
    const int until = lanes->loose[lane]        ? 0
                      : lanes->passes[lane] > 0 ? INT_MAX
                                                : lanes->until[lane];
    if (until > lanes->refined) lanes->refined = until;
  }
}

static void enter(LaneRow *to, int lane, const double *from, int count) {
  for (int i = 0; i < count; i++)
    lanes_number(to, i)[lane] = from[i];
}

void lanes_matrix_enter(LaneMatrix *lanes, int lane, const Kkt *kkt) {
  const Sparse *sparse = kkt->sparse;
  enter(lanes->value, lane, kkt->value, lanes->entries);
  enter(lanes->row_scale, lane, kkt->row, lanes->size);
  enter(lanes->column_scale, lane, kkt->column, lanes->size);
  enter(lanes->lower, lane, sparse->lower.value, lanes->lower_numbers);
  enter(lanes->upper, lane, sparse->upper.value, lanes->upper_numbers);
  enter(lanes->reciprocal, lane, aligned(sparse->reciprocal), lanes->rank);
  lanes->allowed[lane] = kkt->allowed;
  plan_refinements(lanes, lane, kkt->smallest, kkt->steady);
  find_refined(lanes);
}

void lanes_matrix_leave(LaneMatrix *lanes, int lane) {
  lanes->passes[lane] = lanes->until[lane] = 0;
  find_refined(lanes);
}

/* --- factors ----------------------------------------------------------------------------- */

INLINE void invert(const LaneRow *n, int step, LaneRow *inverse) {
  const LaneRow n20 = n[step * 2], n21 = n[step * 6], n32 = n[step * 11];
  inverse[step] = n[step];
  inverse[step * 3] = n32;
  inverse[step * 6] = n20;
  inverse[step * 7] = n[step * 3] + n32 * n20;
  inverse[step * 10] = n21;
  inverse[step * 11] = n[step * 7] + n32 * n21;
}

INLINE void invert_blocks(const LaneMatrix *lanes) {
  const int all = lanes->blocks * OWN;
  for (int i = 0; i < all; i += OWN) {
    invert(lanes->lower + all + i, 1, lanes->lower + i);
    invert(lanes->upper + all + i + OWN - 1, -1, lanes->upper + i + OWN - 1);
  }
}

/* Row k of J, less what earlier rows take from it. */
INLINE void eliminate(const LaneMatrix *lanes, int k) {
  const int row = lanes->row_of[k];
  for (int i = lanes->start[row]; i < lanes->start[row + 1]; i++)
    lanes->work[lanes->target[i]] = lanes->value[i];
  for (int l = lanes->lower_start[k]; l < lanes->lower_start[k + 1]; l++) {
    const int j = lanes->lower_index[l];
    const LaneRow f = lanes->work[j];
    lanes->lower[lanes->lower_place[l]] = -f * lanes->reciprocal[j];
    lanes->work[j] = (LaneRow){0};
    for (int u = lanes->upper_start[j]; u < lanes->upper_start[j + 1]; u++)
      lanes->work[lanes->upper_index[u]] += f * lanes->u_value[u];
  }
}

typedef struct Pivots {
  LaneRow smallest, steady, poison;
} Pivots;

/* The pivot of row k, its row of U, and what they come to. */
INLINE void divide(const LaneMatrix *lanes, int k, Pivots *pivots) {
  const LaneRow none = {0}, own = lanes->work[k], inverse = 1 / own;
  LaneRow size = own, largest = none, reciprocal = none;
  lanes_magnitude(&size);
  const LaneBits some = (LaneBits)(size >= DBL_MIN);
  lanes_choose(&some, &inverse, &reciprocal);
  const LaneRow pivot = size * lanes->column_scale[lanes->column_of[k]];
  lanes->reciprocal[k] = reciprocal;
  lanes->work[k] = none;
  for (int u = lanes->upper_start[k]; u < lanes->upper_start[k + 1]; u++) {
    const int j = lanes->upper_index[u];
    const LaneRow x = lanes->work[j], entry = x * -reciprocal;
    size = x;
    lanes_magnitude(&size);
    size *= lanes->column_scale[lanes->column_of[j]];
    const LaneBits larger = (LaneBits)(size > largest);
    lanes_choose(&larger, &size, &largest);
    lanes->u_value[u] = lanes->upper[lanes->upper_place[u]] = entry;
    pivots->poison += 0 * entry;
    lanes->work[j] = none;
  }
  const LaneRow scaled = pivot * lanes->row_scale[lanes->row_of[k]], part = pivot / largest;
  const LaneBits smaller = (LaneBits)(scaled < pivots->smallest),
                 less = (LaneBits)(pivot < pivots->steady * largest);
  lanes_choose(&smaller, &scaled, &pivots->smallest);
  lanes_choose(&less, &part, &pivots->steady);
  pivots->poison += 0 * pivot;
}

LANES_CLONES
static void factor(LaneMatrix *lanes, Pivots *pivots) {
  for (int k = 0; k < lanes->rank; k++) {
    eliminate(lanes, k);
    divide(lanes, k, pivots);
  }
  invert_blocks(lanes);
}

void lanes_factor(LaneMatrix *lanes, const int *off_diagonal, int *fails) {
  const LaneRow one = (LaneRow){0} + 1;
  Pivots pivots = {.smallest = one, .steady = one, .poison = {0}};
  factor(lanes, &pivots);
  const double *smallest = lanes_number(&pivots.smallest, 0),
               *steady = lanes_number(&pivots.steady, 0), *poison = lanes_number(&pivots.poison, 0);
  for (int lane = 0; lane < WIDTH; lane++) {
    const double part = poison[lane] == 0 ? steady[lane] : 0;
    fails[lane] |= !kkt_order_serves(smallest[lane], part, off_diagonal[lane]);
    lanes->passes[lane] = lanes->until[lane] = 0;
    if (!fails[lane]) plan_refinements(lanes, lane, smallest[lane], part);
  }
  find_refined(lanes);
}

/* --- solving ----------------------------------------------------------------------------- */

INLINE void add_terms(const LaneTerm *term, const LaneTerm *end, LaneRow *sum) {
  for (; term < end; term++)
    *sum += *term->value * *term->x;
}

INLINE void solve_row(const LaneSolve *solve, LaneRow *sum) {
  if (solve->plain) {
    add_terms(solve->even, solve->end, sum);
    return;
  }
  add_terms(solve->even, solve->odd, sum);
  if (solve->last > solve->odd) {
    LaneRow other = {0};
    add_terms(solve->odd, solve->last, &other);
    *sum += other;
  }
  add_terms(solve->last, solve->own, sum);
  if (solve->raw != NULL) *solve->raw = *sum;
  add_terms(solve->own, solve->end, sum);
}

/* As in kkt_sparse_numbers.c. */
static const double LEAST = 1e-280;

LANES_CLONES
void lanes_solve_factored(LaneMatrix *lanes, LaneRow *x) {
  const LaneSolve *forward = lanes->forward, *backward = lanes->backward;
  LaneRow *y = lanes->unknown;
  for (int k = 0; k < lanes->rank; k++, forward++) {
    LaneRow sum = x[forward->place];
    solve_row(forward, &sum);
    y[k] = sum;
  }
  for (int k = lanes->rank - 1; k >= 0; k--, backward++) {
    LaneRow sum = y[k] * lanes->reciprocal[k];
    solve_row(backward, &sum);
    const LaneBits nothing = (LaneBits)(sum < LEAST) & (LaneBits)(sum > -LEAST);
    y[k] = sum;
    x[backward->place] = (LaneRow)((LaneBits)sum & ~nothing);
  }
}

LANES_CLONES
void lanes_row_times(const LaneMatrix *lanes, int row, const LaneRow *x, int columns,
                     LaneRow *sum) {
  *sum = (LaneRow){0};
  for (int e = lanes->start[row]; e < lanes->start[row + 1]; e++) {
    if (lanes->column[e] >= columns) continue;
    *sum += lanes->value[e] * x[lanes->column[e]];
  }
}

/* x += J^-1 (b - J x) in the lanes of `mask`. */
static void refine(LaneMatrix *lanes, LaneRow *x, const LaneBits *mask) {
  for (int i = 0; i < lanes->size; i++) {
    LaneRow sum;
    lanes_row_times(lanes, i, x, lanes->size, &sum);
    lanes->residual[i] = lanes->right[i] - sum;
  }
  lanes_solve_factored(lanes, lanes->residual);
  for (int i = 0; i < lanes->size; i++)
    x[i] += (LaneRow)((LaneBits)lanes->residual[i] & *mask);
}

/* How often a lane's solve is refined where stages that are loose are not told apart. */
static int refinements(const LaneMatrix *lanes, int lane, int stage) {
  return lanes->passes[lane] > 0 ? lanes->passes[lane] : stage <= lanes->until[lane];
}

static void solve(LaneMatrix *lanes, LaneRow *x, const int *passes) {
  int most = 0;
  for (int lane = 0; lane < WIDTH; lane++)
    if (passes[lane] > most) most = passes[lane];
  if (most > 0) memcpy(lanes->right, x, (size_t)lanes->size * sizeof *x);
  lanes_solve_factored(lanes, x);
  for (int pass = 0; pass < most; pass++) {
    LaneBits mask;
    for (int lane = 0; lane < WIDTH; lane++)
      mask[lane] = passes[lane] > pass ? -1 : 0;
    refine(lanes, x, &mask);
  }
}

void lanes_solve(LaneMatrix *lanes, LaneRow *x, int stage) {
  int passes[WIDTH];
  if (stage > lanes->refined) {
    lanes_solve_factored(lanes, x);
    return;
  }
  for (int lane = 0; lane < WIDTH; lane++)
    passes[lane] = stage > 0 && lanes->loose[lane] ? 0 : refinements(lanes, lane, stage);
  solve(lanes, x, passes);
}

void lanes_solve_motion(LaneMatrix *lanes, LaneRow *x, const int *refined) {
  int passes[WIDTH];
  for (int lane = 0; lane < WIDTH; lane++)
    passes[lane] = refined[lane] ? refinements(lanes, lane, 1) : 0;
  solve(lanes, x, passes);
}
