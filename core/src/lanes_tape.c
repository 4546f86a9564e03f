/* A tape in lanes: tape_values.c and tape_run.c on rows. */
#include <stdint.h>

#include "lanes.h"
#include "tape_connect.h"

#define INLINE static inline __attribute__((always_inline)) /* into clones */

/* --- layout ------------------------------------------------------------------------------ */

enum { ALIGNMENT = SETS * LANES * sizeof(double) };

Lanes *lanes_take(Block *block, size_t rows) {
  const uintptr_t over = ((uintptr_t)block->base + block->used) % ALIGNMENT;
  if (over > 0) block_take(block, ALIGNMENT - over, 1);
  return block_take(block, rows * SETS, sizeof(Lanes));
}

static int is_stored(const Slot *slot) { return slot->plain || slot->reversed; }

static void lay_out_program(LaneTape *lanes, Block *block) {
  const Tape *tape = lanes->tape;
  BLOCK_TAKE(block, lanes->product, tape->product_count);
  BLOCK_TAKE(block, lanes->batch, lanes->sums);
  BLOCK_TAKE(block, lanes->sum, lanes->sums);
  BLOCK_TAKE(block, lanes->term, lanes->terms);
  BLOCK_TAKE(block, lanes->store, lanes->stored);
  BLOCK_TAKE(block, lanes->copy, tape->slot_count);
  BLOCK_TAKE(block, lanes->euler_copy, tape->slot_count);
  BLOCK_TAKE(block, lanes->plain, tape->slot_count);
  BLOCK_TAKE(block, lanes->euler, tape->slot_count);
  BLOCK_TAKE(block, lanes->current, tape->slot_count);
  BLOCK_TAKE(block, lanes->place, tape->product_count);
  BLOCK_TAKE(block, lanes->term_before, tape->linear_count);
  BLOCK_TAKE(block, lanes->term_after, tape->linear_count);
}

void lanes_tape_lay_out(LaneTape *lanes, const Tape *tape, int order, Block *block) {
  const WorkParts parts = work_parts(tape);
  size_t series = 0;
  for (int i = 0; i < tape->slot_count; i++)
    series += (size_t)(is_stored(&tape->slots[i]) + (tape->slots[i].euler != 0));
  *lanes = (LaneTape){.tape = tape,
                      .length = order + 2,
                      .places = parts.places,
                      .sums = parts.sums,
                      .terms = parts.terms,
                      .stored = parts.stored};
  lanes->output = parts.places + 2 * tape->slot_count;
  const size_t numbers = (size_t)(lanes->output + tape->output_count + parts.stored + 1);
  lanes->value = lanes_take(block, (size_t)tape->value_count);
  lanes->number = lanes_take(block, numbers);
  lanes->weight = lanes_take(block, (size_t)parts.places);
  lanes->w = lanes_take(block, (size_t)parts.terms);
  lanes->series = lanes_take(block, series * (size_t)lanes->length);
  lay_out_program(lanes, block);
}

/* --- the program ------------------------------------------------------------------------- */

/* The row of a number of a Work; what is in none of its arrays is 0. */
static int row_of(const LaneTape *lanes, const Work *work, const double *x) {
  const int slots = lanes->tape->slot_count, outputs = lanes->tape->output_count;
  const int currents = lanes->places + slots;
  if (x >= work->current && x < work->current + currents) return (int)(x - work->current);
  if (x >= work->known && x < work->known + slots) return currents + (int)(x - work->known);
  if (x >= work->output && x < work->output + outputs)
    return lanes->output + (int)(x - work->output);
  if (x >= work->stored_now && x < work->stored_now + lanes->stored)
    return lanes->output + outputs + (int)(x - work->stored_now);
  return lanes->output + outputs + lanes->stored;
}

static Lanes *row_at(const LaneTape *lanes, const Work *work, const double *x) {
  return LANES_ROW(lanes->number, row_of(lanes, work, x));
}

static void place_series(LaneTape *lanes) {
  int row = 0;
  for (int i = 0; i < lanes->tape->slot_count; i++) {
    const Slot *slot = &lanes->tape->slots[i];
    lanes->plain[i] = is_stored(slot) ? row : SARRUS_NONE;
    if (is_stored(slot)) row += lanes->length;
    lanes->euler[i] = slot->euler ? row : SARRUS_NONE;
    if (slot->euler) row += lanes->length;
  }
}

static void connect_products(LaneTape *lanes, int lead, int euler) {
  const Tape *tape = lanes->tape;
  for (const Row *row = tape->rows; row < tape->rows + tape->row_count; row++) {
    if (row->lead != lead || row->euler != euler) continue;
    for (int p = row->product; p < row->product + row->product_count; p++) {
      const Product *product = &tape->products[p];
      const int a = euler ? lanes->euler[product->a] : lanes->plain[product->a];
      lanes->product[lanes->products++] = (LaneProduct){
          LANES_ROW(lanes->series, a), LANES_ROW(lanes->series, lanes->plain[product->b]),
          LANES_ROW(lanes->weight, lanes->place[p]), LANES_ROW(lanes->number, lanes->place[p])};
    }
  }
}

static int slot_of(const LaneTape *lanes, const Work *work, const double *plain) {
  int slot = 0;
  while (slot < lanes->tape->slot_count - 1 && work->stores[slot].plain != plain)
    slot++;
  return slot;
}

static void connect_copies(LaneTape *lanes, int lead) {
  for (int i = 0; i < lanes->tape->slot_count; i++) {
    if (lanes->tape->slots[i].lead != lead) continue;
    const int plain = lanes->plain[i], euler = lanes->euler[i];
    const Lanes *from = LANES_ROW(lanes->number, lanes->current[i]);
    if (plain == SARRUS_NONE && euler == SARRUS_NONE) continue;
    lanes->copy[lanes->copies] =
        (LaneCopy){plain == SARRUS_NONE ? NULL : LANES_ROW(lanes->series, plain), from};
    lanes->euler_copy[lanes->copies++] =
        (LaneCopy){euler == SARRUS_NONE ? NULL : LANES_ROW(lanes->series, euler), from};
  }
}

static void connect_group(LaneTape *lanes, const Group *group) {
  LaneGroup *to = &lanes->groups[lanes->group_count++];
  *to = (LaneGroup){.lead = group->lead,
                    .euler = lanes->products,
                    .stored = group->stored,
                    .stored_end = group->stored_end,
                    .before = group->before,
                    .after = group->after,
                    .end = group->end,
                    .copy = lanes->copies};
  connect_products(lanes, group->lead, 1);
  to->product = lanes->products;
  connect_products(lanes, group->lead, 0);
  to->product_end = lanes->products;
  connect_copies(lanes, group->lead);
  to->copy_end = lanes->copies;
}

/* Sums and terms have the numbers that they have in the Work. */
static void connect_sums(LaneTape *lanes, const Work *work) {
  const int batches = work->group_count > 0 ? work->groups[work->group_count - 1].end : 0;
  for (int b = 0; b < batches; b++) {
    const Batch *batch = &work->batches[b];
    lanes->batch[b] = *batch;
    for (int i = batch->sum; i < batch->sum + batch->count; i++)
      lanes->sum[i] =
          (LaneSum){row_at(lanes, work, work->sums[i].base), row_at(lanes, work, work->sums[i].to)};
    for (int i = batch->term; i < batch->term + batch->count * batch->terms; i++)
      lanes->term[i] = row_at(lanes, work, work->terms[i].x);
  }
}

void lanes_tape_connect(LaneTape *lanes, const Work *work) {
  const Tape *tape = lanes->tape;
  place_series(lanes);
  for (int i = 0; i < tape->slot_count; i++)
    lanes->current[i] = row_of(lanes, work, work->stores[i].current);
  for (int i = 0; i < tape->product_count; i++)
    lanes->place[i] = work->places[i];
  for (int i = 0; i < tape->linear_count; i++) {
    lanes->term_before[i] = work->term_before[i];
    lanes->term_after[i] = work->term_after[i];
  }
  for (int i = 0; i < work->group_count; i++)
    connect_group(lanes, &work->groups[i]);
  connect_sums(lanes, work);
  const int end = work->group_count > 0 ? work->groups[work->group_count - 1].stored_end : 0;
  for (int i = 0; i < end; i++)
    lanes->store[i] = (LaneCopy){
        row_at(lanes, work, work->stored[i].to),
        LANES_ROW(lanes->series, lanes->plain[slot_of(lanes, work, work->stored[i].from)])};
}

/* Of inputs that are known, time alone has a coefficient beyond 0: the unit. */
static void enter_series(LaneTape *lanes, int lane, const Work *work, int slot) {
  const int lead = lanes->tape->slots[slot].lead, top = lead < LEAD_KNOWN ? lead + 1 : 1;
  for (int k = 0; k <= top && k < lanes->length; k++) {
    const double x = k == 0             ? work->value[lanes->tape->slots[slot].value]
                     : k <= work->order ? work_coefficient(work, slot, k)
                                        : 0;
    if (lanes->plain[slot] != SARRUS_NONE)
      lanes_number(lanes->series, lanes->plain[slot] + k)[lane] = x;
    if (lanes->euler[slot] != SARRUS_NONE)
      lanes_number(lanes->series, lanes->euler[slot] + k)[lane] = k * x;
  }
}

void lanes_tape_enter(LaneTape *lanes, int lane, const Work *work) {
  const Tape *tape = lanes->tape;
  for (int i = 0; i < tape->value_count; i++)
    lanes_number(lanes->value, i)[lane] = work->value[i];
  for (int i = 0; i < lanes->places; i++)
    lanes_number(lanes->weight, i)[lane] = work->weights[i];
  for (int i = 0; i < lanes->terms; i++)
    lanes_number(lanes->w, i)[lane] = work->terms[i].w;
  for (int i = 0; i < tape->slot_count; i++)
    enter_series(lanes, lane, work, i);
}

/* --- values ------------------------------------------------------------------------------ */

INLINE void add_values(const LaneTape *lanes, const ValueBatch *batch, int terms) {
  const ValueStep *step = &lanes->tape->values[batch->first];
  const ValueTerm *term = &lanes->tape->value_terms[step->a];
  for (int i = 0; i < batch->count; i++, term += terms) {
    Lanes sum[SETS];
    LANES_EACH (s)
      sum[s] = (Lanes){0} + step[i].value;
    for (int j = 0; j < terms; j++)
      LANES_EACH (s)
        sum[s] += term[j].factor * LANES_ROW(lanes->value, term[j].value)[s];
    LANES_EACH (s)
      LANES_ROW(lanes->value, batch->first + i)[s] = sum[s];
  }
}

INLINE void multiply_values(const LaneTape *lanes, const ValueBatch *batch) {
  for (int i = batch->first; i < batch->first + batch->count; i++) {
    const ValueStep *step = &lanes->tape->values[i];
    LANES_EACH (s)
      LANES_ROW(lanes->value, i)
    [s] = LANES_ROW(lanes->value, step->a)[s] * LANES_ROW(lanes->value, step->b)[s];
  }
}

static void find_functions(const LaneTape *lanes, const ValueBatch *batch) {
  for (int i = batch->first; i < batch->first + batch->count; i++) {
    const ValueStep *step = &lanes->tape->values[i];
    const double *a = lanes_number(lanes->value, step->a),
                 *b = step->b == SARRUS_NONE ? NULL : lanes_number(lanes->value, step->b),
                 *c = step->c == SARRUS_NONE ? NULL : lanes_number(lanes->value, step->c);
    double *z = lanes_number(lanes->value, i);
    for (int lane = 0; lane < WIDTH; lane++)
      z[lane] = expr_value(step->op, a[lane], b == NULL ? 0 : b[lane], c == NULL ? 0 : c[lane],
                           step->value);
  }
}

VECTOR_CLONES
static void evaluate_batch(const LaneTape *lanes, const ValueBatch *batch) {
  if (batch->op == SARRUS_OP_SYMBOL) return;
  if (batch->op == SARRUS_OP_PRODUCT)
    multiply_values(lanes, batch);
  else if (batch->op == SARRUS_OP_LINEAR)
    add_values(lanes, batch, batch->terms);
  else
    find_functions(lanes, batch);
}

void lanes_values(LaneTape *lanes, int from, int to, Lanes *poison) {
  const Tape *tape = lanes->tape;
  for (int i = tape->batches_above[from + 1]; i < tape->batches_above[to]; i++)
    evaluate_batch(lanes, &tape->value_batches[i]);
  for (int i = tape->values_above[from + 1]; i < tape->values_above[to]; i++)
    LANES_EACH (s)
      poison[s] += 0 * LANES_ROW(lanes->value, i)[s];
}

/* --- weights ----------------------------------------------------------------------------- */

static void set_weight(const LaneTape *lanes, int linear, const Lanes *w) {
  LANES_EACH (s) {
    LANES_ROW(lanes->w, lanes->term_before[linear])[s] = w[s];
    LANES_ROW(lanes->w, lanes->term_after[linear])[s] = w[s];
  }
}

static void set_sum_weight(const LaneTape *lanes, int linear) {
  const Linear *term = &lanes->tape->linear[linear];
  const Lanes *factor = LANES_ROW(lanes->value, term->factor);
  Lanes w[SETS];
  LANES_EACH (s)
    w[s] = term->other == SARRUS_NONE ? factor[s]
                                      : factor[s] * LANES_ROW(lanes->value, term->other)[s];
  set_weight(lanes, linear, w);
}

/* weight / divisor */
INLINE void weigh(const Weight *weight, double exponent, const Lanes *const *role, Role divisor,
                  Lanes *w) {
  const double factor = weight->factor == 0 ? exponent : weight->factor;
  LANES_EACH (s) {
    w[s] = factor * (weight->role == ROLE_ONE ? (Lanes){0} + 1 : role[weight->role][s]);
    if (divisor != ROLE_ONE) w[s] /= role[divisor][s];
  }
}

static void set_function_weights(const LaneTape *lanes, const Row *row, Lanes *poison) {
  const Tape *tape = lanes->tape;
  const Shape *shape = row->shape;
  const double exponent = tape->values[row->value].value;
  const Lanes *role[ROLE_COUNT] = {[ROLE_Z] = LANES_ROW(lanes->value, row->value)};
  for (int i = 0; i < 3; i++)
    if (row->operand[i] != SARRUS_NONE) role[ROLE_U + i] = LANES_ROW(lanes->value, row->operand[i]);
  if (row->companion != SARRUS_NONE) role[ROLE_C] = LANES_ROW(lanes->value, row->companion);
  for (int p = row->product; p < row->product + row->product_count; p++) {
    Lanes *d = LANES_ROW(lanes->weight, lanes->place[p]);
    weigh(&shape->product[tape->products[p].factor].d, exponent, role, shape->divisor, d);
    LANES_EACH (s)
      poison[s] += 0 * d[s];
  }
  for (int i = row->linear; i < row->linear + row->linear_count; i++) {
    Lanes w[SETS];
    weigh(&shape->linear[tape->linear[i].factor].w, exponent, role, shape->divisor, w);
    set_weight(lanes, i, w);
  }
}

static void set_first(const LaneTape *lanes, int slot) {
  const Lanes *x = LANES_ROW(lanes->value, lanes->tape->slots[slot].value);
  const int plain = lanes->plain[slot], euler = lanes->euler[slot],
            waits = lanes->tape->slots[slot].lead < LEAD_KNOWN;
  LANES_EACH (s) {
    if (plain != SARRUS_NONE) LANES_ROW(lanes->series, plain)[s] = x[s];
    if (plain != SARRUS_NONE && waits) LANES_ROW(lanes->series, plain + 1)[s] = (Lanes){0};
    if (euler != SARRUS_NONE && waits) LANES_ROW(lanes->series, euler + 1)[s] = (Lanes){0};
  }
}

VECTOR_CLONES
void lanes_weights(LaneTape *lanes, int from, int to, Lanes *poison) {
  const Tape *tape = lanes->tape;
  for (int i = tape->sum_terms.above[from + 1]; i < tape->sum_terms.above[to]; i++)
    set_sum_weight(lanes, tape->sum_terms.items[i]);
  for (int i = tape->functions.above[from + 1]; i < tape->functions.above[to]; i++)
    set_function_weights(lanes, &tape->rows[tape->functions.items[i]], poison);
  for (int i = tape->firsts.above[from + 1]; i < tape->firsts.above[to]; i++)
    set_first(lanes, tape->firsts.items[i]);
}

/* --- stages ------------------------------------------------------------------------------ */

/*
** sum_j a_j b_{k-j} of `count` products of one a, in LANES partial sums by j, added up as in
** lanes_sums.  The scalar code adds zeros up to a whole Lanes; its partial sums, which begin
** with 0, are never -0.
*/
INLINE void run_products(const LaneProduct *product, int count, int k, double factor) {
  const Lanes *a = product->a, *b[2] = {LANES_ROW(product->b, k), NULL};
  Lanes sum[2][LANES][SETS] = {{{{0}}}};
  int j = 0;
  if (count == 2) b[1] = LANES_ROW(product[1].b, k);
  for (; j + LANES <= k + 1; j += LANES, a += LANES * SETS) {
#pragma GCC unroll 4
    for (int i = 0; i < LANES; i++)
#pragma GCC unroll 2
      for (int p = 0; p < count; p++)
        LANES_EACH (s)
          sum[p][i][s] += a[i * SETS + s] * b[p][s - i * SETS];
#pragma GCC unroll 2
    for (int p = 0; p < count; p++)
      b[p] -= LANES * SETS;
  }
#pragma GCC unroll 4
  for (int i = 0; i < LANES - 1; i++) {
    if (j + i > k) break;
#pragma GCC unroll 2
    for (int p = 0; p < count; p++)
      LANES_EACH (s)
        sum[p][i][s] += a[i * SETS + s] * b[p][s - i * SETS];
  }
#pragma GCC unroll 2
  for (int p = 0; p < count; p++)
    LANES_EACH (s)
      product[p].to[s] = factor * product[p].weight[s] *
                         ((sum[p][0][s] + sum[p][1][s]) + (sum[p][2][s] + sum[p][3][s]));
}

/* As many at once as have the same a: most of them are of a sine and its cosine. */
INLINE void run_all_products(const LaneTape *lanes, int from, int to, int k, double factor) {
  const LaneProduct *product = lanes->product + from, *end = lanes->product + to;
  while (product < end) {
    if (product + 1 < end && product->a == product[1].a) {
      run_products(product, 2, k, factor);
      product += 2;
    } else {
      run_products(product++, 1, k, factor);
    }
  }
}

INLINE void run_batch(const LaneTape *lanes, const Batch *batch, int products, int terms) {
  const Lanes *const *term = lanes->term + batch->term, *w = LANES_ROW(lanes->w, batch->term);
  for (const LaneSum *sum = lanes->sum + batch->sum, *end = sum + batch->count; sum < end; sum++) {
    Lanes total[SETS];
    LANES_EACH (s)
      total[s] = sum->base[s];
    for (int j = 1; j <= products; j++)
      LANES_EACH (s)
        total[s] += LANES_ROW(sum->base, j)[s];
    for (int j = 0; j < terms; j++, term++, w += SETS)
      LANES_EACH (s)
        total[s] += w[s] * (*term)[s];
    LANES_EACH (s)
      sum->to[s] = total[s];
  }
}

INLINE void run_sums(const LaneTape *lanes, int from, int to) {
  for (const Batch *batch = lanes->batch + from; batch < lanes->batch + to; batch++) {
    switch (batch->terms - batch->products) { /* what is said by hand is unrolled */
      case -2: run_batch(lanes, batch, 2, 0); break;
      case -1: run_batch(lanes, batch, 1, 0); break;
      case 1: run_batch(lanes, batch, 0, 1); break;
      case 2: run_batch(lanes, batch, 0, 2); break;
      case 3: run_batch(lanes, batch, 0, 3); break;
      default: run_batch(lanes, batch, batch->products, batch->terms);
    }
  }
}

VECTOR_CLONES
void lanes_partial(LaneTape *lanes, int stage) {
  for (const LaneGroup *group = lanes->groups; group < lanes->groups + lanes->group_count;
       group++) {
    const int k = stage + group->lead;
    if (k <= 0) continue;
    run_all_products(lanes, group->euler, group->product, k, 1.0 / k);
    run_all_products(lanes, group->product, group->product_end, k, 1);
    for (int i = group->stored; i < group->stored_end; i++)
      LANES_EACH (s)
        lanes->store[i].to[s] = LANES_ROW(lanes->store[i].from, k)[s];
    run_sums(lanes, group->before, group->after);
  }
}

/* The next coefficient is zero until it is known. */
INLINE void keep(const LaneCopy *copy, int k, double factor) {
  if (copy->to == NULL) return;
  Lanes *to = LANES_ROW(copy->to, k);
  LANES_EACH (s) {
    to[s] = factor * copy->from[s];
    to[SETS + s] = (Lanes){0};
  }
}

VECTOR_CLONES
void lanes_complete(LaneTape *lanes, int stage) {
  for (const LaneGroup *group = lanes->groups; group < lanes->groups + lanes->group_count;
       group++) {
    const int k = stage + group->lead;
    if (k <= 0) continue;
    run_sums(lanes, group->after, group->end);
    for (int i = group->copy; i < group->copy_end; i++) {
      keep(&lanes->copy[i], k, 1);
      keep(&lanes->euler_copy[i], k, k);
    }
  }
}
