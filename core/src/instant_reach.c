/*
** Inverse kinematics: damped least squares along the constraints (T70).
**
** Let T be the gradients of the targets and r their values, both divided by their units, and J the
** matrix at the point.  The step that meets the constraints, and the targets as nearly as damping
** allows, is
**
**   dq = dq_g + X mu,   J (dq_g, .) = (0, -g),   J (X, .) = (T^T, 0),
**   (T X + damping) mu = -(r + T dq_g)
**
** with one solve for each target.  Bounds that the step would break become further rows of T X,
** without damping, and are removed again where their mu would pull instead of push.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "array.h"
#include "instant_reach.h"
#include "vector.h"

static void lay_out(Problem *p, Block *block) {
  const size_t rows = (size_t)p->rows;
  BLOCK_TAKE(block, p->value, rows);
  BLOCK_TAKE(block, p->tried, rows);
  BLOCK_TAKE(block, p->X, rows * (size_t)p->n);
  BLOCK_TAKE(block, p->W, rows * rows);
  BLOCK_TAKE(block, p->along, rows);
  BLOCK_TAKE(block, p->known, rows);
  BLOCK_TAKE(block, p->held, rows);
  BLOCK_TAKE(block, p->matrix, rows * rows);
  BLOCK_TAKE(block, p->mu, rows);
  BLOCK_TAKE(block, p->equation, rows);
}

/* --- rows -------------------------------------------------------------------------------- */

/* The number of a row's goal among the goals; NONE for a row of a turn. */
static int goal_of(const Problem *p, int row) {
  if (row < p->aim->targets) return row;
  return row < p->soft ? SARRUS_NONE : row - 3 * p->aim->turns;
}

static double unit_of(const Problem *p, int row) {
  return row < p->aim->targets ? p->aim->unit[row] : 1;
}

/* The range of the matrix entries of a goal's row. */
static Reach goal_entries(const Problem *p, int goal) {
  const sarrus_Instant *instant = p->instant;
  const Pattern *pattern = &instant->expansion->kkt->pattern;
  const int row = pattern->size - instant->goals + goal;
  return (Reach){pattern->start[row], pattern->start[row + 1]};
}

/* The part of the gradient of turn component `a` by axis i: u_a x e_i / 2. */
static void spin_part(const double *e, int a, double part[3]) {
  const int b = (a + 1) % 3, c = (a + 2) % 3;
  part[a] = 0;
  part[b] = -e[c] / 2;
  part[c] = e[b] / 2;
}

/* The row's gradient times x, at the point q, whose entries were kept. */
static double row_times(const Problem *p, int row, const double *q, const double *x) {
  const sarrus_Instant *instant = p->instant;
  const int goal = goal_of(p, row);
  double sum = 0;
  if (goal != SARRUS_NONE) {
    const Pattern *pattern = &instant->expansion->kkt->pattern;
    const Reach at = goal_entries(p, goal);
    const double *entry = instant->entries - goal_entries(p, 0).from;
    for (int e = at.from; e < at.to; e++)
      if (pattern->column[e] < p->n) sum += entry[e] * x[pattern->column[e]];
    return sum / unit_of(p, row);
  }
  const int turn = (row - p->aim->targets) / 3, first = p->aim->axes[turn];
  for (int i = 0; i < 3; i++) {
    double part[3];
    spin_part(q + first + 3 * i, (row - p->aim->targets) % 3, part);
    for (int k = 0; k < 3; k++)
      sum += part[k] * x[first + 3 * i + k];
  }
  return sum;
}

/* x = the row's gradient */
static void put_row(const Problem *p, int row, const double *q, double *x) {
  const sarrus_Instant *instant = p->instant;
  const Pattern *pattern = &instant->expansion->kkt->pattern;
  const int goal = goal_of(p, row);
  memset(x, 0, (size_t)pattern->size * sizeof *x);
  if (goal != SARRUS_NONE) {
    const Reach at = goal_entries(p, goal);
    const double *entry = instant->entries - goal_entries(p, 0).from;
    for (int e = at.from; e < at.to; e++)
      if (pattern->column[e] < p->n) x[pattern->column[e]] = entry[e] / unit_of(p, row);
    return;
  }
  const int first = p->aim->axes[(row - p->aim->targets) / 3];
  for (int i = 0; i < 3; i++)
    spin_part(q + first + 3 * i, (row - p->aim->targets) % 3, x + first + 3 * i);
}

/*
** The rotation, axis times angle, that takes the wanted axes f to the axes e: with s = sum f_i x
** e_i / 2 = sin(angle) axis and c = (sum f_i . e_i - 1) / 2.  Near half a turn s says nothing about
** the axis, which is then the direction of the largest f_i + e_i.
*/
static void turned(const double *e, const double *f, double turn[3]) {
  double s[3] = {0, 0, 0}, c = -0.5, longest = 0, axis[3] = {1, 0, 0};
  for (int i = 0; i < 9; i += 3) {
    double sum[3], square = 0;
    for (int k = 0; k < 3; k++) {
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      s[k] += (f[i + l] * e[i + m] - f[i + m] * e[i + l]) / 2;
      c += f[i + k] * e[i + k] / 2;
      sum[k] = f[i + k] + e[i + k];
      square += sum[k] * sum[k];
    }
    if (square <= longest) continue;
    longest = square;
    memcpy(axis, sum, sizeof axis);
  }
  const double sine = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]), angle = atan2(sine, c);
  const int half = c < 0 && sine < 1e-6;
  for (int k = 0; k < 3; k++)
    turn[k] = half ? angle * axis[k] / sqrt(longest) : sine > 0 ? angle * s[k] / sine : 0;
}

/* The value of every row at the point q, which instant_place has set. */
static void find_values(const Problem *p, const double *q, double *value) {
  const sarrus_Instant *instant = p->instant;
  const sarrus_Expansion *expansion = instant->expansion;
  const double *goal = expansion->residual + expansion->kkt->size - instant->goals;
  expansion_residual(instant->expansion);
  for (int row = 0; row < p->rows; row++)
    if (goal_of(p, row) != SARRUS_NONE) value[row] = goal[goal_of(p, row)] / unit_of(p, row);
  for (int i = 0; i < p->aim->turns; i++)
    turned(q + p->aim->axes[i], p->aim->wanted + (ptrdiff_t)9 * i,
           value + p->aim->targets + (ptrdiff_t)3 * i);
}

static double norm(const double *x, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

/* The largest amount by which a bound is broken. */
static double broken(const Problem *p, const double *value) {
  double most = 0;
  for (int row = p->soft; row < p->rows; row++)
    most = fmax(most, -value[row]);
  return most;
}

/* --- steps ------------------------------------------------------------------------------- */

/* Find X of a row, and the entries of W between it and the other rows that are known. */
static void respond(const Problem *p, int row, const double *q) {
  double *x = p->instant->expansion->rhs, *own = p->X + (ptrdiff_t)row * p->n;
  if (p->known[row]) return;
  p->known[row] = 1;
  put_row(p, row, q, x);
  reach_solve(p, x);
  memcpy(own, x, (size_t)p->n * sizeof *own);
  for (int i = 0; i < p->rows; i++)
    if (p->known[i]) p->W[i * p->rows + row] = p->W[row * p->rows + i] = row_times(p, i, q, own);
}

/* Find all that does not depend on damping; `again`: keep X and W as they are. */
static void prepare(const Problem *p, const double *q, int again) {
  sarrus_Instant *instant = p->instant;
  const Kkt *kkt = instant->expansion->kkt;
  if (instant->goals > 0) {
    const int from = goal_entries(p, 0).from, to = kkt->pattern.start[kkt->size];
    memcpy(instant->entries, kkt->value + from, (size_t)(to - from) * sizeof *kkt->value);
  }
  find_values(p, q, p->value);
  reach_find_closing(p);
  for (int row = 0; row < p->rows; row++) {
    p->along[row] = row_times(p, row, q, instant->closing);
    p->known[row] = p->known[row] && again;
  }
  for (int row = 0; row < p->soft; row++)
    respond(p, row, q);
}

/* Cholesky's method in place; rows that depend on others are left out. */
static void solve_dense(double *a, double *b, int count) {
  for (int i = 0; i < count; i++) {
    double *row = a + (ptrdiff_t)i * count;
    const double own = row[i];
    for (int j = 0; j <= i; j++) {
      const double *other = a + (ptrdiff_t)j * count;
      double sum = row[j];
      for (int k = 0; k < j; k++)
        sum -= row[k] * other[k];
      if (j < i)
        row[j] = other[j] > 0 ? sum / other[j] : 0;
      else
        row[i] = sum > 1e-14 * own ? sqrt(sum) : 0;
    }
    double sum = b[i];
    for (int k = 0; k < i; k++)
      sum -= row[k] * b[k];
    b[i] = row[i] > 0 ? sum / row[i] : 0;
  }
  for (int i = count - 1; i >= 0; i--) {
    double sum = b[i];
    for (int k = i + 1; k < count; k++)
      sum -= a[(ptrdiff_t)k * count + i] * b[k];
    const double pivot = a[(ptrdiff_t)i * count + i];
    b[i] = pivot > 0 ? sum / pivot : 0;
  }
}

/*
** Find the step with the rows from `first` on and the bounds that are held now: mu by equation, and
** *size of the step.
*/
static int solve_held(const Problem *p, const double *q, double damping, int first, double *size) {
  int count = 0;
  double trace = 0;
  for (int row = first; row < p->rows; row++) {
    if (row >= p->soft && !p->held[row]) continue;
    respond(p, row, q);
    p->equation[count++] = row;
    if (row < p->soft) trace += p->W[row * p->rows + row] / p->soft;
  }
  for (int i = 0; i < count; i++) {
    const int row = p->equation[i];
    for (int j = 0; j < count; j++)
      p->matrix[i * count + j] = p->W[row * p->rows + p->equation[j]];
    if (row < p->soft) p->matrix[i * count + i] += damping * trace;
    p->mu[i] = -(p->value[row] + p->along[row]);
  }
  solve_dense(p->matrix, p->mu, count);
  double *step = p->instant->step;
  memcpy(step, p->instant->closing, (size_t)p->n * sizeof *step);
  for (int i = 0; i < count; i++) {
    const double *x = p->X + (ptrdiff_t)p->equation[i] * p->n;
    for (int j = 0; j < p->n; j++)
      step[j] += p->mu[i] * x[j];
  }
  *size = vector_peak(step, p->instant->scale, p->n);
  return count;
}

/* Hold the bounds that the step breaks; returns whether there are any. */
static int hold_broken(const Problem *p, const double *q, double size) {
  const double part = size > REACH_LONGEST ? REACH_LONGEST / size : 1;
  int found = 0;
  for (int row = p->soft; row < p->rows; row++) {
    if (p->held[row]) continue;
    const double rate = row_times(p, row, q, p->instant->step);
    if (p->value[row] + part * rate >= -1e-14 || rate >= 0) continue;
    p->held[row] = found = 1;
  }
  return found;
}

/* Release the held bound that pulls most; returns whether there is one. */
static int let_go(const Problem *p, int count) {
  int most = SARRUS_NONE;
  for (int i = 0; i < count; i++)
    if (p->equation[i] >= p->soft && p->mu[i] < 0 &&
        (most == SARRUS_NONE || p->mu[i] < p->mu[most]))
      most = i;
  if (most != SARRUS_NONE) p->held[p->equation[most]] = 0;
  return most != SARRUS_NONE;
}

/* Finds the step, in `step`; returns its size. */
static double find_step(const Problem *p, const double *q, double damping) {
  double size = 0;
  for (int i = 0; i < 4 + 3 * (p->rows - p->soft); i++) {
    const int count = solve_held(p, q, damping, 0, &size);
    if (!hold_broken(p, q, size) && !let_go(p, count)) break;
  }
  return size;
}

/* --- the whole --------------------------------------------------------------------------- */

/* Damping relative to the mean of T X: at first, at least, at most (where the search stops), and by
** what factor it shrinks. */
static const double FIRST = 1e-3, LEAST = 1e-13, MOST = 1e6, SHRINK = 10;

enum { MOST_STEPS = 100 };

/* A target is met if its value, relative to its unit, is below this. */
static const double MET = 1e-12;

/* Find the trial point from q; *better: whether it is better than q. */
static sarrus_Status try_step(const Problem *p, const double *q, double damping, int *better) {
  sarrus_Instant *instant = p->instant;
  double *trial = instant->trial;
  int good;
  const double size = find_step(p, q, damping);
  *better = 0;
  if (!isfinite(size)) return SARRUS_OK;
  memcpy(trial, q, (size_t)p->n * sizeof *trial);
  reach_move(p, trial, instant->step, size);
  const sarrus_Status status = reach_correct(p, norm(p->value, p->soft), trial, &good);
  if (status < 0 && status != SARRUS_NONFINITE) return status;
  if (status < 0 || !good) return SARRUS_OK;
  find_values(p, trial, p->tried);
  const double before = broken(p, p->value), after = broken(p, p->tried);
  *better = norm(p->tried, p->soft) < norm(p->value, p->soft) ? after <= before + 1e-3
                                                              : before > 1e-12 && after < before;
  return SARRUS_OK;
}

/* Where targets are met to this, the rest is rounding, and more damping does not help. */
static const double EXACT = 1e-14;

/* Where targets and the last step are below this, factors, X and W are used again. */
static const double NEAR = 1e-4;

/* How much of the matrix is known at q: nothing, its factors, or factors, X and W from near it. */
typedef enum Known { NOTHING, FACTORS, ALL_BUT_VALUES } Known;

/*
** One iteration from q, which instant_place has set: tries steps with more and more damping until
** one is better; *moved: whether there was one.
*/
static sarrus_Status iterate(const Problem *p, double *q, double *damping, Known known,
                             int *moved) {
  if (known == NOTHING) SARRUS_TRY(instant_factor(p->instant, 0, p->fault));
  prepare(p, q, known == ALL_BUT_VALUES);
  const int once = known == ALL_BUT_VALUES || norm(p->value, p->soft) <= EXACT;
  *moved = 0;
  do {
    SARRUS_TRY(try_step(p, q, *damping, moved));
    *damping = *moved ? fmax(*damping / SHRINK, LEAST) : fmax(*damping, 1e-6) * 10;
  } while (!*moved && !once && *damping < MOST);
  if (*moved) memcpy(q, p->instant->trial, (size_t)p->n * sizeof *q);
  return SARRUS_OK;
}

/* The same; where nothing is gained with what was known of the matrix, all of it is found anew. */
static sarrus_Status advance(const Problem *p, double *q, double *damping, Known known,
                             int *moved) {
  const double before = *damping;
  SARRUS_TRY(iterate(p, q, damping, known, moved));
  if (*moved || known != ALL_BUT_VALUES || norm(p->value, p->soft) <= EXACT) return SARRUS_OK;
  *damping = before;
  SARRUS_TRY(reach_place(p, q));
  return iterate(p, q, damping, NOTHING, moved);
}

static sarrus_Status search(const Problem *p, double *q, sarrus_Reached *reached) {
  const int patience = p->aim->thorough ? 10 : 3, most = p->aim->thorough ? 5 : 1;
  const double least = p->aim->thorough ? 1e-10 : 5e-2; /* least relative progress of targets */
  double damping = FIRST, best = (double)INFINITY;
  int slow = 0, moved = 1;
  Known known = FACTORS;
  while (moved && slow < patience && reached->iterations < most * MOST_STEPS) {
    SARRUS_TRY(advance(p, q, &damping, known, &moved));
    reached->iterations++;
    const double *value = moved ? p->tried : p->value, off = norm(value, p->soft);
    const double step = vector_peak(p->instant->step, p->instant->scale, p->n);
    known = step < NEAR && off < NEAR ? ALL_BUT_VALUES : NOTHING;
    slow = off > (1 - least) * best ? slow + 1 : 0;
    if (off <= 4 * DBL_EPSILON || (off <= MET && off > 0.7 * best)) break;
    best = fmin(best, off);
  }
  return SARRUS_OK;
}

static sarrus_Status check_aim(const sarrus_Instant *instant, const sarrus_Aim *aim) {
  const int n = instant->expansion->system->n;
  if (aim == NULL || aim->targets < 0 || aim->targets > instant->goals || aim->turns < 0 ||
      aim->turns > n || (aim->targets > 0 && aim->unit == NULL) ||
      (aim->turns > 0 && (aim->axes == NULL || aim->wanted == NULL)))
    return SARRUS_ARGUMENT;
  for (int i = 0; i < aim->targets; i++)
    if (!(aim->unit[i] > 0 && isfinite(aim->unit[i]))) return SARRUS_ARGUMENT;
  for (int i = 0; i < aim->turns; i++)
    if (aim->axes[i] < 0 || aim->axes[i] > n - 9) return SARRUS_ARGUMENT;
  return vector_finite(aim->wanted, 9 * aim->turns) ? SARRUS_OK : SARRUS_NONFINITE;
}

/*
** From q back to the bounds that are broken, where the others that are held keep their gaps: with
** the least damping the rounding of mu leaves steps a thousandth of the targets' error beyond them.
*/
static sarrus_Status return_within(const Problem *p, double *q) {
  double size;
  SARRUS_TRY(reach_place(p, q));
  SARRUS_TRY(instant_factor(p->instant, 0, p->fault));
  prepare(p, q, 0);
  for (int row = p->soft; row < p->rows; row++) {
    p->held[row] = p->held[row] || p->value[row] < 0;
    p->value[row] = fmin(p->value[row], 0);
  }
  solve_held(p, q, 0, p->soft, &size);
  reach_move(p, q, p->instant->step, size);
  return SARRUS_OK;
}

/* Meet all constraints once more at q, and find what is left of the targets there. */
static sarrus_Status conclude(const Problem *p, double *q, double *value, int *held,
                              sarrus_Reached *reached) {
  if (p->aim->thorough) SARRUS_TRY(return_within(p, q));
  SARRUS_TRY(reach_polish(p, q, &reached->closed));
  if (!reached->closed) SARRUS_TRY(reach_close(p, q, &reached->closed));
  find_values(p, q, p->value);
  reached->off = norm(p->value, p->soft);
  for (int i = 0; i < p->instant->goals; i++) {
    const int row = i < p->aim->targets ? i : i + 3 * p->aim->turns;
    if (value != NULL) value[i] = p->value[row] * unit_of(p, row);
    if (held != NULL) held[i] = p->held[row];
  }
  const int met = reached->closed && reached->off <= MET && broken(p, p->value) <= MET;
  return met ? SARRUS_OK : SARRUS_INCONSISTENT;
}

sarrus_Status sarrus_instant_reach(sarrus_Instant *instant, double t, double *q,
                                   const double *parameters, const sarrus_Aim *aim, double *value,
                                   int *held, sarrus_Reached *reached, sarrus_Fault *fault) {
  *fault = fault_none();
  *reached = (sarrus_Reached){.off = (double)INFINITY};
  SARRUS_TRY(check_aim(instant, aim));
  Problem p = {.instant = instant, .aim = aim, .t = t, .parameters = parameters, .fault = fault};
  p.n = instant->expansion->system->n;
  p.soft = aim->targets + 3 * aim->turns;
  p.rows = instant->goals + 3 * aim->turns;
  Block block = {NULL, 0};
  lay_out(&p, &block);
  const size_t bytes = block.used + 1;
  char *memory = instant->memory.alloc(instant->memory.ud, NULL, 0, bytes);
  if (memory == NULL) return SARRUS_NOMEM;
  memset(memory, 0, bytes);
  lay_out(&p, &(Block){memory, 0});
  sarrus_Status status = reach_close(&p, q, &reached->closed);
  if (status == SARRUS_OK && reached->closed) status = search(&p, q, reached);
  if (status == SARRUS_OK) status = conclude(&p, q, value, held, reached);
  instant->memory.alloc(instant->memory.ud, block_clear(memory, bytes), bytes, 0);
  return status;
}
