#include "search.h"

#include <float.h>
#include <math.h>

#include "roots.h"

void search_lay_out(Search *search, Block *block) {
  BLOCK_TAKE(block, search->series, (ptrdiff_t)(search->capacity + 1) * search->tape->output_count);
  BLOCK_TAKE(block, search->floor, search->tape->output_count);
  BLOCK_TAKE(block, search->polynomial, search->capacity + 2);
  BLOCK_TAKE(block, search->root_work, roots_work_size(search->capacity + 2));
  void *work = block_take(block, work_size(search->tape, search->capacity), 1);
  search->work = work == NULL ? NULL : work_init(work, search->tape, search->capacity);
}

/* An output is uncertain by this many roundings. */
enum { ROUNDINGS = 16 };

/* --- series ------------------------------------------------------------------------------ */

/*
** An input is the m-th derivative of a variable's polynomial on the span.  About a time dt after
** the beginning of the span it has other coefficients, by repeated division by (t - dt).
*/
static int derivative_of(const Input *input) {
  return input->kind == SARRUS_V ? 1 : input->kind == SARRUS_A ? 2 : 0;
}

static int input_top(const Span *span, const Input *input) {
  return input->kind == SARRUS_LAMBDA ? span->order - 1 : span->order + 1;
}

/* Its first coefficients, up to number `last`, about dt; those behind are of no use, or not set. */
static const double *input_polynomial(const Search *search, const Input *input, double dt,
                                      int last) {
  const Span *span = search->span;
  const int all = input_top(span, input), top = dt == 0 && last < all ? last : all;
  const int variable = input->kind == SARRUS_LAMBDA ? span->n + input->index : input->index;
  double *c = search->polynomial;
  for (int k = 0; k <= top; k++) /* what the span leaves out is 0 */
    c[k] = variable < span->variables ? span_at(span, k)[variable] : 0;
  for (int low = 0; low < top && low <= last && dt != 0; low++)
    for (int k = top - 1; k >= low; k--)
      c[k] += dt * c[k + 1];
  return c;
}

/* Set the inputs' values at t and, up to t^top, their series about it. */
static void set_inputs(const Search *search, double t, int top) {
  const Span *span = search->span;
  Work *work = search->work;
  for (int i = 0; i < search->tape->input_count; i++) {
    const Input *input = &search->tape->inputs[i];
    double *value = &work->value[input->value];
    if (input->kind == SARRUS_TIME) {
      *value = span->from.t + (span->unit * t + span->from.t_low);
    } else if (input->kind == SARRUS_PARAMETER) {
      *value = search->parameters[input->index];
    } else if (input->kind == SARRUS_U) {
      *value = search->modes[input->index];
    } else {
      const int m = derivative_of(input), last = input_top(span, input) - m;
      const double *c = input_polynomial(search, input, t, m + top) + m;
      const double scale = 1 / (m == 0 ? 1 : m == 1 ? span->unit : span->unit * span->unit);
      *value = (m == 2 ? 2 * c[0] : c[0]) * scale;
      for (int k = 1; k <= top && input->slot != SARRUS_NONE; k++) {
        const double weight = m == 0 ? 1 : m == 1 ? k + 1 : (k + 1.0) * (k + 2);
        work_store(work, input->slot, k, k <= last ? scale * weight * c[k] : 0);
      }
    }
  }
}

sarrus_Status search_series(Search *search, double t) {
  const Tape *tape = search->tape;
  Work *work = search->work;
  if (work->unit != search->span->unit) work_set_unit(work, search->span->unit);
  set_inputs(search, t, search_order(search));
  SARRUS_TRY(tape_values(work, LEAD_CONSTANT, 0));
  SARRUS_TRY(tape_weights(work, LEAD_CONSTANT, 0));
  for (int e = 0; e < tape->output_count; e++)
    search_output(search, e)[0] = work->value[tape->output_value[e]];
  for (int k = 1; k <= search_order(search); k++) {
    tape_partial(work, k);
    tape_complete(work, k);
    for (int e = 0; e < tape->output_count; e++)
      search_output(search, e)[k] = work->output[e];
  }
  return SARRUS_OK;
}

sarrus_Status search_at(Search *search, double t, const double *q, const double *v, const double *a,
                        const double *lambda) {
  const double *const lists[SARRUS_SYMBOL_KINDS] = {[SARRUS_TIME] = &t,
                                                    [SARRUS_PARAMETER] = search->parameters,
                                                    [SARRUS_U] = search->modes,
                                                    [SARRUS_Q] = q,
                                                    [SARRUS_V] = v,
                                                    [SARRUS_A] = a,
                                                    [SARRUS_LAMBDA] = lambda};
  for (int i = 0; i < search->tape->input_count; i++) {
    const Input *input = &search->tape->inputs[i];
    search->work->value[input->value] = lists[input->kind][input->index];
  }
  return tape_values(search->work, LEAD_CONSTANT, 0);
}

/* The magnitude of one operand: a coordinate counts with what it has been so far. */
static double magnitude(const Search *search, int value) {
  const ValueStep *step = &search->tape->values[value];
  const double size = fabs(search->work->value[value]);
  return step->op == SARRUS_OP_SYMBOL && step->a == SARRUS_Q ? fmax(size, search->scale[step->b])
                                                             : size;
}

double search_noise(const Search *search, int output) {
  const Tape *tape = search->tape;
  const int value = tape->output_value[output];
  const ValueStep *step = &tape->values[value];
  double size = magnitude(search, value);
  if (step->op == SARRUS_OP_LINEAR) {
    size = fabs(step->value);
    for (int i = 0; i < step->b; i++) {
      const ValueTerm *term = &tape->value_terms[step->a + i];
      size += fabs(term->factor) * magnitude(search, term->value);
    }
  }
  return 4 * DBL_EPSILON * size;
}

/* A number of about 1 for each input, without a pattern that cancels. */
static double weight_of(int i) { return (i % 2 == 0 ? 1 : -1) * (0.5 + (i * 619 % 1009) / 2018.0); }

/*
** The size of an input: velocities and accelerations may just vanish, but not what forces would
** make of them.
*/
static double input_size(const Search *search, const Input *input) {
  const Span *span = search->span;
  if (input->kind == SARRUS_LAMBDA) return search->scale[span->n + input->index];
  if (input->kind == SARRUS_Q || search->held == NULL) return search->scale[input->index];
  const double a = *search->held * search->column[input->index];
  const double v = fabs(search->work->value[input->value]);
  return input->kind == SARRUS_A ? fmax(a, v) : fmax(a * span->unit, v);
}

/* Outputs, as inputs change by what is stored of them, times roundings. */
static sarrus_Status find_floor(Search *search) {
  Work *work = search->work;
  SARRUS_TRY(tape_values(work, LEAD_CONSTANT, 0));
  SARRUS_TRY(tape_weights(work, LEAD_CONSTANT, 0));
  tape_partial(work, 1);
  tape_complete(work, 1);
  for (int e = 0; e < search->tape->output_count; e++)
    search->floor[e] = ROUNDINGS * DBL_EPSILON * fabs(work->output[e]);
  return SARRUS_OK;
}

static int is_known(const Input *input) {
  return input->kind == SARRUS_TIME || input->kind == SARRUS_PARAMETER || input->kind == SARRUS_U;
}

sarrus_Status search_measure(Search *search) {
  const Span *span = search->span;
  Work *work = search->work;
  if (work->unit != span->unit) work_set_unit(work, span->unit);
  set_inputs(search, 0, 0);
  for (int i = 0; i < search->tape->input_count; i++) {
    const Input *input = &search->tape->inputs[i];
    if (is_known(input) || input->slot == SARRUS_NONE) continue;
    work_store(work, input->slot, 1, weight_of(i) * input_size(search, input));
  }
  return find_floor(search);
}

static void set_slope_of_time(const Search *search, double slope) {
  for (int i = 0; i < search->tape->input_count; i++) {
    const Input *input = &search->tape->inputs[i];
    if (input->kind == SARRUS_TIME && input->slot != SARRUS_NONE)
      work_store(search->work, input->slot, 1, slope);
  }
}

sarrus_Status search_measure_still(Search *search) {
  const double unit = search->span->unit;
  if (search->work->unit != unit) work_set_unit(search->work, unit);
  set_slope_of_time(search, 0);
  const sarrus_Status status = search_measure(search);
  set_slope_of_time(search, unit);
  return status;
}

sarrus_Status search_measure_forces(Search *search, double held) {
  for (int i = 0; i < search->tape->input_count; i++) {
    const Input *input = &search->tape->inputs[i];
    if (is_known(input) || input->slot == SARRUS_NONE) continue;
    const double size =
        input->kind == SARRUS_LAMBDA ? held * search->column[search->span->n + input->index] : 0;
    work_store(search->work, input->slot, 1, weight_of(i) * size);
  }
  return find_floor(search);
}

/* --- pieces ------------------------------------------------------------------------------ */

/*
** A series serves up to h if nothing that is left out counts (T20), or else if its value there is
** the output's.
*/
enum { LAST_COEFFICIENTS = 4 };
static const double SHORTEST_PIECE = 1e-9, AGREEMENT = 64 * DBL_EPSILON;

double search_size(const double *c, int from, int to, double h) {
  double sum = 0;
  for (int k = to; k >= 0; k--)
    sum = sum * fabs(h) + (k >= from ? fabs(c[k]) : 0);
  return sum;
}

static int truncated(const double *c, int order, double h) {
  const int last = order + 1 - LAST_COEFFICIENTS;
  return !(search_size(c, last > 1 ? last : 1, order, h) <=
           DBL_EPSILON * search_size(c, 0, order, h));
}

static double polynomial_at(const double *c, int order, double h) {
  double x = 0;
  for (int k = order; k >= 0; k--)
    x = x * h + c[k];
  return x;
}

static int serves(Search *search, const Piece *piece, int *output) {
  const Tape *tape = search->tape;
  const int top = search_order(search);
  int doubtful = tape->switch_count > 0;
  for (int e = 0; e < tape->output_count && !doubtful; e++) {
    *output = e;
    doubtful = truncated(search_output(search, e), top, piece->h);
  }
  if (!doubtful) return 1;
  set_inputs(search, piece->begin + piece->h, 0);
  if (tape_values(search->work, LEAD_CONSTANT, 0) < 0) return 0;
  for (int e = 0; e < tape->output_count; e++) {
    const double *c = search_output(search, e);
    const double there = search->work->value[tape->output_value[e]];
    const double allowed =
        AGREEMENT * search_size(c, 0, top, piece->h) + search_noise(search, e) + search->floor[e];
    *output = e;
    if (!(fabs(polynomial_at(c, top, piece->h) - there) <= allowed)) return 0;
  }
  return 1;
}

Piece search_begin(const Search *search, double h) {
  return (Piece){.begin = 0, .h = h / search->span->unit};
}

sarrus_Status search_piece(Search *search, Piece *piece, double whole, int *output) {
  const double left = whole - piece->begin;
  if (piece->count == SEARCH_MOST_PIECES) return SARRUS_LIMIT;
  SARRUS_TRY(search_series(search, piece->begin));
  if (fabs(piece->h) > fabs(left)) piece->h = left;
  while (fabs(piece->h) > SHORTEST_PIECE * fabs(whole) && !serves(search, piece, output))
    piece->h /= 2;
  return SARRUS_OK;
}

void search_next(Piece *piece) {
  piece->begin += piece->h;
  piece->h *= 2;
  piece->count++;
}

int search_is_rounding(Search *search, int output, double from, double to) {
  const double whole = search->span->h / search->span->unit;
  if (fabs(to - from) <= SHORTEST_PIECE * fabs(whole)) return 1;
  set_inputs(search, (from + to) / 2, 0);
  if (tape_values(search->work, LEAD_CONSTANT, 0) < 0) return 0;
  const double rounding = fmax(search_noise(search, output), search->floor[output]);
  return fabs(search->work->value[search->tape->output_value[output]]) <= rounding;
}

/*
** Newton steps with value and slope of the output itself near its zero, which do not suffer from
** the cancellation in its series far from where that begins.
*/
enum { MOST_POLISHINGS = 3 };

double search_polish(Search *search, int output, double level, double t, double least,
                     double most) {
  const Tape *tape = search->tape;
  Work *work = search->work;
  for (int i = 0; i < MOST_POLISHINGS; i++) {
    set_inputs(search, t, 1);
    if (tape_values(work, LEAD_CONSTANT, 0) < 0 || tape_weights(work, LEAD_CONSTANT, 0) < 0)
      return t;
    tape_partial(work, 1);
    tape_complete(work, 1);
    const double value = work->value[tape->output_value[output]] - level;
    const double better = t - value / work->output[output];
    const int near = fabs(better - t) <= 1e-6 * fabs(most - least);
    if (!near || (better - least) * (better - most) >= 0 || better == t) return t;
    t = better;
  }
  return t;
}
