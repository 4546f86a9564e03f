/* The matrix J of kkt.h: its memory, its scales D (T10), and solves with its factors. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "array.h"
#include "kkt_parts.h"
#include "vector.h"

/* --- layout ------------------------------------------------------------------------------ */

static void lay_out(Kkt *kkt, Block *block) {
  const size_t size = (size_t)kkt->size;
  const int entries = kkt->pattern.start[kkt->size];
  BLOCK_TAKE(block, kkt->value, entries);
  BLOCK_TAKE(block, kkt->row, size);
  BLOCK_TAKE(block, kkt->column, size);
  BLOCK_TAKE(block, kkt->dependent, kkt->m);
  BLOCK_TAKE(block, kkt->elements, kkt->m);
  BLOCK_TAKE(block, kkt->reach, kkt->m);
  BLOCK_TAKE(block, kkt->share, kkt->m);
  BLOCK_TAKE(block, kkt->even, kkt->m);
  BLOCK_TAKE(block, kkt->measure, kkt->m);
  BLOCK_TAKE(block, kkt->inverse, kkt->m);
  BLOCK_TAKE(block, kkt->solution, size);
  BLOCK_TAKE(block, kkt->right, size);
  BLOCK_TAKE(block, kkt->residual, size);
  BLOCK_TAKE(block, kkt->factors[0].numbers, (size_t)entries + 2 * size);
}

Kkt *kkt_take(Block *block, Pattern pattern, int n, int m, int general) {
  Kkt shape = {.pattern = pattern, .n = n, .m = m, .size = n + m, .general = general};
  Kkt *kkt = block_take(block, 1, sizeof *kkt);
  lay_out(&shape, block);
  if (kkt != NULL) *kkt = shape;
  return kkt;
}

void kkt_open(Kkt *kkt, sarrus_Memory memory) {
  kkt->memory = memory;
  for (int i = 0; i < kkt->size; i++)
    kkt->row[i] = kkt->column[i] = 1;
}

void kkt_release(Kkt *kkt) {
  kkt_use(kkt, 0);
  sparse_free(kkt->sparse);
  kkt_release_known(kkt);
  ARRAY_RELEASE(kkt->memory, kkt->null, kkt->null_capacity);
  ARRAY_RELEASE(kkt->memory, kkt->ways, kkt->ways_capacity);
  kkt->sparse = kkt->factors[0].sparse = NULL;
  kkt->null = kkt->ways = NULL;
}

/* --- factors ------------------------------------------------------------------------------ */

void kkt_use(Kkt *kkt, int factors) {
  kkt->in_use = factors;
  kkt->sparse = kkt->factors[factors].sparse;
}

Sparse *kkt_sparse(Kkt *kkt) {
  if (kkt->sparse == NULL && kkt->size > 0)
    kkt->sparse = kkt->factors[0].sparse =
        sparse_new(kkt->memory, kkt->size, kkt->pattern.start, kkt->pattern.column);
  return kkt->sparse;
}

Sparse *kkt_own_sparse(Kkt *kkt) {
  kkt_use(kkt, 0);
  kkt->factors[0].factored = 0;
  return kkt_sparse(kkt);
}

void kkt_forget_order(Kkt *kkt) {
  kkt_use(kkt, 0);
  kkt->factors[0].factored = 0;
  if (kkt->sparse != NULL) sparse_forget(kkt->sparse);
}

/* --- scaling ----------------------------------------------------------------------------- */

/*
** A power of two, so that scaling rounds nothing: 2^-e for 2^(e-1) <= x < 2^e, and 1 where x gives
** no scale.  Computed from the bits of x: frexp and ldexp took a quarter as many instructions as a
** factorisation.
*/
double kkt_power_of_two(double x) {
  enum { FRACTION = 52, SUM = 2045 }; /* SUM: biased exponent of x plus that of its scale */
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint64_t exponent = bits >> FRACTION;
  if (exponent < 1 || exponent >= SUM) return 1;
  bits = (SUM - exponent) << FRACTION;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double diagonal(const Kkt *kkt, int row) {
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++)
    if (kkt->pattern.column[e] == row) return kkt->value[e];
  return 0;
}

/*
** The squared length of a row of B in scaled coordinates, over the coordinates whose scale is
** known.
*/
static double squared_length(const Kkt *kkt, int row) {
  double sum = 0;
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++) {
    const int j = kkt->pattern.column[e];
    if (j >= kkt->n) continue;
    const double b = kkt->value[e] * kkt->column[j];
    sum += b * b;
  }
  return sum;
}

/*
** Whether constraint `row`, with entry b for the massless coordinate j, relates the scale of j to
** scales that are known.  Where axes are perpendicular, b may be rounding beside the other entries,
** or all entries of coordinates of known scale rounding beside b: then it relates nothing.  (Three
** hinges in one place, with nothing between them, turned by three angles each: of 900 such chains,
** 20 did not start where 4 DBL_EPSILON was ROUNDING.)
*/
static const double ROUNDING = 1e-13;

static int joins_known(const Kkt *kkt, int row, int j, double b, const double *sizes) {
  double known = 0, largest = 0;
  if (!kkt->wary) return 1;
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++) {
    const int k = kkt->pattern.column[e];
    if (k >= kkt->n) continue;
    const double size = fabs(kkt->value[e]) * kkt_size_of(sizes, k);
    largest = fmax(largest, size);
    if (kkt->column[k] > 0) known = fmax(known, size);
  }
  const double own = fabs(b) * kkt_size_of(sizes, j);
  return own > ROUNDING * largest && known > ROUNDING * own;
}

/*
** The scale of a coordinate without mass: in one of its constraints it weighs as much as all
** coordinates of known scale together, in its other constraints at most that; 0 where no constraint
** joins it to one of known scale.
*/
static double massless_scale(const Kkt *kkt, int j, const double *sizes) {
  double least = (double)INFINITY;
  for (int e = kkt->pattern.start[j]; e < kkt->pattern.start[j + 1]; e++) {
    const double b = kkt->value[e];
    if (kkt->pattern.column[e] < kkt->n || b == 0) continue;
    if (!joins_known(kkt, kkt->pattern.column[e], j, b, sizes)) continue;
    const double others = squared_length(kkt, kkt->pattern.column[e]);
    if (others > 0) least = fmin(least, others / (b * b));
  }
  return isfinite(least) ? kkt_power_of_two(1 / sqrt(least)) : 0;
}

/*
** Scales spread from coordinates with mass to massless ones that share a constraint with them, from
** these to the next, and so on; coordinates that are never reached get 1.
*/
static void scale_massless(Kkt *kkt, const double *sizes) {
  double *known = kkt->column, *next = kkt->row;
  for (int found = 1; found > 0;) {
    found = 0;
    memcpy(next, known, (size_t)kkt->n * sizeof *next);
    for (int j = 0; j < kkt->n; j++) {
      if (known[j] > 0) continue;
      next[j] = massless_scale(kkt, j, sizes);
      found += next[j] > 0;
    }
    memcpy(known, next, (size_t)kkt->n * sizeof *known);
  }
  for (int j = 0; j < kkt->n; j++)
    known[j] = next[j] = known[j] > 0 ? known[j] : 1;
}

static void scale_constraints(Kkt *kkt) {
  for (int i = kkt->n; i < kkt->size; i++)
    kkt->row[i] = kkt->column[i] = kkt_power_of_two(sqrt(squared_length(kkt, i)));
}

/* D of motion from the diagonal of M, D of constraints from the length of the scaled row. */
static void scale_blocks(Kkt *kkt, const double *sizes) {
  for (int j = 0; j < kkt->n; j++) {
    const double mass = fabs(diagonal(kkt, j));
    kkt->column[j] = mass > 0 ? kkt_power_of_two(sqrt(mass)) : 0;
  }
  scale_massless(kkt, sizes);
  scale_constraints(kkt);
}

/*
** D of a light coordinate is at most this times D of the heaviest, relative to sizes.  With that
** limit, constraints that join light bodies to heavy ones have pivots of about this^-2, and a light
** body that moves freely has a pivot of this^2 times its part of the largest mass (a loop with a
** light coupler, a light body hanging from that: right down to 1e-16 of the other masses; with 256
** or 1024, to 1e-14).
*/
static const double MOST_SCALE = 4096;

void kkt_limit_scales(Kkt *kkt, const double *sizes) {
  double least = (double)INFINITY;
  for (int j = 0; j < kkt->n; j++)
    least = fmin(least, kkt->column[j] / kkt_size_of(sizes, j));
  for (int j = 0; j < kkt->n; j++) {
    const double most = MOST_SCALE * least * kkt_size_of(sizes, j);
    if (kkt->column[j] > most) kkt->row[j] = kkt->column[j] = kkt_power_of_two(1 / most);
  }
  scale_constraints(kkt);
}

/* A general matrix: each row is scaled to a largest element of about 1. */
static void scale_rows(Kkt *kkt) {
  for (int i = 0; i < kkt->size; i++) {
    double largest = 0;
    for (int e = kkt->pattern.start[i]; e < kkt->pattern.start[i + 1]; e++)
      largest = fmax(largest, fabs(kkt->value[e]));
    kkt->row[i] = kkt_power_of_two(largest);
    kkt->column[i] = 1;
  }
}

sarrus_Status kkt_scale(Kkt *kkt, const double *sizes) {
  if (kkt->general)
    scale_rows(kkt);
  else
    scale_blocks(kkt, sizes);
  return vector_finite(kkt->value, kkt->pattern.start[kkt->size]) ? SARRUS_OK : SARRUS_NONFINITE;
}

double kkt_row_times(const Kkt *kkt, int row, const double *x, int columns) {
  double sum = 0;
  for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++)
    if (kkt->pattern.column[e] < columns) sum += kkt->value[e] * x[kkt->pattern.column[e]];
  return sum;
}

void kkt_cost(const Kkt *kkt, double *factor, double *solve) {
  *factor = *solve = 0;
  if (kkt->sparse != NULL) sparse_cost(kkt->sparse, factor, solve);
}

/* --- solving ----------------------------------------------------------------------------- */

/* x = J^-1 x; the multipliers of left-out constraints are 0. */
void kkt_solve_factored(const Kkt *kkt, double *x) {
  if (kkt->sparse != NULL) sparse_solve(kkt->sparse, x);
}

void kkt_set_share(Kkt *kkt, int constraint, double share) {
  if (kkt->share[constraint] != share) kkt->null_known = 0;
  kkt->share[constraint] = share;
}

void kkt_set_even(Kkt *kkt, int constraint, int even) {
  if (kkt->even[constraint] != even) kkt->null_known = 0;
  kkt->even[constraint] = (unsigned char)even;
}

void kkt_set_rubs(Kkt *kkt, int rubs) {
  if (kkt->rubs != rubs) kkt->null_known = 0;
  kkt->rubs = rubs;
}

/*
** Subtract from lambda the part that exerts no force (T12), in the scale of the null vectors; where
** something rubs, in the direction in which all equations stay as they are (T75), and from the
** motion, if that is asked for, what goes with it.
*/
static void shorten(Kkt *kkt, double *motion, double *lambda) {
  if (!kkt->null_known) kkt_find_null_space(kkt);
  for (int c = 0; c < kkt->dependent_count; c++) {
    const Reach reach = kkt->reach[c];
    const double *null = kkt->null + (ptrdiff_t)c * kkt->m + reach.from;
    const int from = reach.from, count = reach.to - reach.from;
    const double part = vector_dot(null, lambda + from, kkt->inverse + from, count);
    const double *way = kkt->rubs ? kkt->ways + (ptrdiff_t)c * kkt->size : NULL;
    if (!kkt->rubs) vector_take(lambda + from, part, null, kkt->measure + from, count);
    for (int i = 0; i < kkt->m && kkt->rubs; i++)
      lambda[i] -= part * way[kkt->n + i];
    for (int j = 0; j < kkt->n && kkt->rubs && motion != NULL; j++)
      motion[j] -= part * way[j];
  }
}

void kkt_shorten(Kkt *kkt, double *lambda) { shorten(kkt, NULL, lambda); }

void kkt_shorten_all(Kkt *kkt, double *x) { shorten(kkt, x, x + kkt->n); }

/*
** A pivot that is less than the part UNSTEADY of its row costs digits, which one more solve with
** the residual restores (redundant loops of hinges, residual in m: 4e-13 without, 4e-15 with it).
** A pivot below SMALL costs digits, too.  Such pivots occur near a singular position: once the
** masses are eliminated, the diagonal of constraints is -B M^-1 B^T, the square of what is small.
**
** Stage k adds x h^k, where h is about a quarter of the radius of convergence.  So at higher stages
** pivots may be a smaller part of their row, and few stages are solved twice (arm: solving all of
** them twice would be a third of a step's time).  This does not hold where pivots are small: a
** spatial chain had a residual of 2e-13 in place of 1e-15.  Stage 0, which counts for most, is
** always solved twice (a pendulum, energy after 10^6 steps: 1e-13 in place of 7e-12).
*/
static const double UNSTEADY = 0.2, SMALL[] = {1e-4, 1e-7, 1e-9, 1e-11};

int kkt_refinements(double smallest, double steady, int stage) {
  int passes = 0;
  for (size_t i = 0; i < sizeof SMALL / sizeof *SMALL; i++)
    passes += smallest < SMALL[i];
  if (passes > 0) return passes;
  if (stage == 0) return 1;
  return steady < UNSTEADY && steady < ldexp(UNSTEADY, stage > 1 ? 1 - stage : 0);
}

/*
** Where steps are as long as a loose tolerance allows, what truncation leaves of the series is far
** more than what a solve errs by, which is rounding, made larger by small or unsteady pivots
** (tolerance 1e-9, arm: a twentieth of the instructions were such refinements; four-bar of hinges
** at 3e-8: an eighth).
*/
int kkt_errs_within(double allowed, double smallest, double steady) {
  return DBL_EPSILON <= allowed * fmin(smallest, steady);
}

static int refinements(const Kkt *kkt, int stage) {
  if (stage > 0 && kkt_errs_within(kkt->allowed, kkt->smallest, kkt->steady)) return 0;
  return kkt_refinements(kkt->smallest, kkt->steady, stage);
}

/*
** A correction that a solve knows to this part of the rounding of what it is added to need not be
** known better (arm: a twentieth of a step's instructions).  Others are refined, but no more than
** at stage 1, since they are themselves corrected.
*/
static const double PART_OF_ROUNDING = 1e-3;

int kkt_is_small_motion(double size, double smallest, double steady) {
  return size <= PART_OF_ROUNDING * fmin(smallest, steady) ||
         kkt_refinements(smallest, steady, 1) == 0;
}

static int motion_refinements(const Kkt *kkt) {
  return kkt_refinements(kkt->smallest, kkt->steady, 1);
}

/* x += J^-1 (b - J x), without the rows and columns that are left out. */
static void refine(const Kkt *kkt, const double *b, double *x) {
  double *residual = kkt->residual;
  for (int i = 0; i < kkt->size; i++) {
    double sum = 0;
    for (int e = kkt->pattern.start[i]; e < kkt->pattern.start[i + 1]; e++)
      sum += kkt->value[e] * x[kkt->pattern.column[e]];
    residual[i] = b[i] - sum;
  }
  kkt_solve_factored(kkt, residual);
  for (int i = 0; i < kkt->size; i++)
    x[i] += residual[i];
}

static void solve(Kkt *kkt, double *x, int passes) {
  if (kkt->size == 0) return;
  if (passes > 0) memcpy(kkt->right, x, (size_t)kkt->size * sizeof *x);
  kkt_solve_factored(kkt, x);
  for (int i = 0; i < passes; i++)
    refine(kkt, kkt->right, x);
}

void kkt_solve(Kkt *kkt, double *x, int stage) {
  solve(kkt, x, refinements(kkt, stage));
  if (kkt->dependent_count > 0 || !kkt->null_known) kkt_shorten_all(kkt, x);
}

void kkt_solve_motion(Kkt *kkt, double *x) { solve(kkt, x, motion_refinements(kkt)); }

void kkt_solve_small_motion(Kkt *kkt, double *x) { solve(kkt, x, 0); }

/* --- several right-hand sides -------------------------------------------------------------- */

/* residual -= J x */
VECTOR_CLONES
static void take_product(const Kkt *kkt, const double *x, int width, double *residual) {
  for (int i = 0; i < kkt->size; i++)
    for (int e = kkt->pattern.start[i]; e < kkt->pattern.start[i + 1]; e++) {
      const double *from = x + (ptrdiff_t)kkt->pattern.column[e] * width;
      double *to = residual + (ptrdiff_t)i * width;
      for (int l = 0; l < width; l += LANES)
        *(Lanes *)(to + l) -= kkt->value[e] * *(const Lanes *)(from + l);
    }
}

static void solve_several(Kkt *kkt, double *x, int width, int passes, double *room) {
  const ptrdiff_t numbers = (ptrdiff_t)kkt->size * width;
  const size_t bytes = (size_t)numbers * sizeof *x;
  double *right = room, *residual = room + numbers, *y = room + 2 * numbers;
  if (kkt->size == 0) return;
  if (passes > 0) memcpy(right, x, bytes);
  sparse_solve_rows(kkt->sparse, x, width, y);
  for (int pass = 0; pass < passes; pass++) {
    memcpy(residual, right, bytes);
    take_product(kkt, x, width, residual);
    sparse_solve_rows(kkt->sparse, residual, width, y);
    for (ptrdiff_t i = 0; i < numbers; i++)
      x[i] += residual[i];
  }
}

static void shorten_several(Kkt *kkt, double *x, int width) {
  double *one = kkt->solution; /* free again: kkt_find_null_space uses it, too */
  if (!kkt->null_known) kkt_find_null_space(kkt);
  for (int l = 0; l < width; l++) {
    for (int i = 0; i < kkt->size; i++)
      one[i] = x[(ptrdiff_t)i * width + l];
    kkt_shorten_all(kkt, one);
    for (int i = 0; i < kkt->size; i++)
      x[(ptrdiff_t)i * width + l] = one[i];
  }
}

void kkt_solve_rows(Kkt *kkt, double *x, int width, int stage, double *room) {
  if (width == 1) {
    kkt_solve(kkt, x, stage);
    return;
  }
  solve_several(kkt, x, width, refinements(kkt, stage), room);
  if (kkt->dependent_count > 0) shorten_several(kkt, x, width);
}

void kkt_solve_motion_rows(Kkt *kkt, double *x, int width, double *room) {
  if (width == 1)
    kkt_solve_motion(kkt, x);
  else
    solve_several(kkt, x, width, motion_refinements(kkt), room);
}

double kkt_probe(int i) { return (i % 1009 * 619 % 1009) / 504.5 - 1; }

double kkt_rank_margin(Kkt *kkt) {
  double *x = kkt->solution, largest = 0, *margin = &kkt->factors[kkt->in_use].margin;
  if (*margin > 0) return *margin;
  for (int i = 0; i < kkt->size; i++)
    x[i] = kkt_probe(i) / kkt->row[i];
  kkt_solve_factored(kkt, x);
  for (int i = 0; i < kkt->size; i++)
    largest = fmax(largest, fabs(x[i]) / kkt->column[i]);
  return *margin = 1 / largest;
}
