/* A tape in lanes: tape_values.c and tape_run.c on rows. */
#include <stdint.h>

#include "lanes_parts.h"
#include "tape_connect.h"

#define INLINE static inline __attribute__((always_inline)) /* into clones */

/* --- layout ------------------------------------------------------------------------------ */

LaneRow *lanes_take(Block *block, size_t rows) {
  const uintptr_t over = ((uintptr_t)block->base + block->used) % sizeof(LaneRow);
  if (over > 0) block->used += sizeof(LaneRow) - over;
  return block_take(block, rows, sizeof(LaneRow));
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

static LaneRow *row_at(const LaneTape *lanes, const Work *work, const double *x) {
  return (lanes->number + row_of(lanes, work, x));
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

/* Products in twos that share a series, which is read once: as those of a sine and its cosine. */
static void pair_products(LaneProduct *product, int count) {
  for (int i = 0; i + 1 < count; i++) {
    int other = 0;
    for (int j = count - 1; j > i; j--)
      if (product[j].a == product[i].a) other = j;
    product[i].share = other > 0 ? SHARES_A : SHARES_NONE;
    for (int j = count - 1; j > i && product[i].share != SHARES_A; j--) {
      if (product[j].b != product[i].b) continue;
      other = j;
      product[i].share = SHARES_B;
    }
    if (other == 0) continue;
    const LaneProduct next = product[i + 1];
    product[i + 1] = product[other];
    product[other] = next;
    i++;
  }
}

static void connect_products(LaneTape *lanes, int lead, int euler) {
  const Tape *tape = lanes->tape;
  const int first = lanes->products;
  for (const Row *row = tape->rows; row < tape->rows + tape->row_count; row++) {
    if (row->lead != lead || row->euler != euler) continue;
    for (int p = row->product; p < row->product + row->product_count; p++) {
      const Product *product = &tape->products[p];
      const int a = euler ? lanes->euler[product->a] : lanes->plain[product->a];
      lanes->product[lanes->products++] =
          (LaneProduct){.a = lanes->series + a,
                        .b = lanes->series + lanes->plain[product->b],
                        .weight = lanes->weight + lanes->place[p],
                        .to = lanes->number + lanes->place[p]};
    }
  }
  pair_products(lanes->product + first, lanes->products - first);
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
    const LaneRow *from = lanes->number + lanes->current[i];
    if (plain == SARRUS_NONE && euler == SARRUS_NONE) continue;
    lanes->copy[lanes->copies] =
        (LaneCopy){plain == SARRUS_NONE ? NULL : lanes->series + plain, from};
    lanes->euler_copy[lanes->copies++] =
        (LaneCopy){euler == SARRUS_NONE ? NULL : lanes->series + euler, from};
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
    lanes->store[i] =
        (LaneCopy){row_at(lanes, work, work->stored[i].to),
                   (lanes->series + lanes->plain[slot_of(lanes, work, work->stored[i].from)])};
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
    LaneRow sum = (LaneRow){0} + step[i].value;
    for (int j = 0; j < terms; j++)
      sum += term[j].factor * lanes->value[term[j].value];
    lanes->value[batch->first + i] = sum;
  }
}

INLINE void multiply_values(const LaneTape *lanes, const ValueBatch *batch) {
  for (int i = batch->first; i < batch->first + batch->count; i++) {
    const ValueStep *step = &lanes->tape->values[i];
    lanes->value[i] = lanes->value[step->a] * lanes->value[step->b];
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

LANES_CLONES
static void evaluate_batch(const LaneTape *lanes, const ValueBatch *batch) {
  if (batch->op == SARRUS_OP_SYMBOL) return;
  if (batch->op == SARRUS_OP_PRODUCT)
    multiply_values(lanes, batch);
  else if (batch->op == SARRUS_OP_LINEAR)
    add_values(lanes, batch, batch->terms);
  else
    find_functions(lanes, batch);
}

void lanes_values(LaneTape *lanes, int from, int to, LaneRow *poison) {
  const Tape *tape = lanes->tape;
  for (int i = tape->batches_above[from + 1]; i < tape->batches_above[to]; i++)
    evaluate_batch(lanes, &tape->value_batches[i]);
  for (int i = tape->values_above[from + 1]; i < tape->values_above[to]; i++)
    *poison += 0 * lanes->value[i];
}

/* --- weights ----------------------------------------------------------------------------- */

static void set_weight(const LaneTape *lanes, int linear, const LaneRow *w) {
  lanes->w[lanes->term_before[linear]] = *w;
  lanes->w[lanes->term_after[linear]] = *w;
}

static void set_sum_weight(const LaneTape *lanes, int linear) {
  const Linear *term = &lanes->tape->linear[linear];
  LaneRow w = lanes->value[term->factor];
  if (term->other != SARRUS_NONE) w *= lanes->value[term->other];
  set_weight(lanes, linear, &w);
}

/* weight / divisor */
INLINE void weigh(const Weight *weight, double exponent, const LaneRow *const *role, Role divisor,
                  LaneRow *w) {
  const double factor = weight->factor == 0 ? exponent : weight->factor;
  *w = (LaneRow){0} + factor;
  if (weight->role != ROLE_ONE) *w *= *role[weight->role];
  if (divisor != ROLE_ONE) *w /= *role[divisor];
}

static void set_function_weights(const LaneTape *lanes, const Row *row, LaneRow *poison) {
  const Tape *tape = lanes->tape;
  const Shape *shape = row->shape;
  const double exponent = tape->values[row->value].value;
  const LaneRow *role[ROLE_COUNT] = {[ROLE_Z] = lanes->value + row->value};
  for (int i = 0; i < 3; i++)
    if (row->operand[i] != SARRUS_NONE) role[ROLE_U + i] = lanes->value + row->operand[i];
  if (row->companion != SARRUS_NONE) role[ROLE_C] = lanes->value + row->companion;
  for (int p = row->product; p < row->product + row->product_count; p++) {
    LaneRow *d = lanes->weight + lanes->place[p];
    weigh(&shape->product[tape->products[p].factor].d, exponent, role, shape->divisor, d);
    *poison += 0 * *d;
  }
  for (int i = row->linear; i < row->linear + row->linear_count; i++) {
    LaneRow w;
    weigh(&shape->linear[tape->linear[i].factor].w, exponent, role, shape->divisor, &w);
    set_weight(lanes, i, &w);
  }
}

static void set_first(const LaneTape *lanes, int slot) {
  const LaneRow *x = lanes->value + lanes->tape->slots[slot].value;
  const int plain = lanes->plain[slot], euler = lanes->euler[slot],
            waits = lanes->tape->slots[slot].lead < LEAD_KNOWN;
  if (plain != SARRUS_NONE) lanes->series[plain] = *x;
  if (plain != SARRUS_NONE && waits) lanes->series[plain + 1] = (LaneRow){0};
  if (euler != SARRUS_NONE && waits) lanes->series[euler + 1] = (LaneRow){0};
}

LANES_CLONES
void lanes_weights(LaneTape *lanes, int from, int to, LaneRow *poison) {
  const Tape *tape = lanes->tape;
  for (int i = tape->sum_terms.above[from + 1]; i < tape->sum_terms.above[to]; i++)
    set_sum_weight(lanes, tape->sum_terms.items[i]);
  for (int i = tape->functions.above[from + 1]; i < tape->functions.above[to]; i++)
    set_function_weights(lanes, &tape->rows[tape->functions.items[i]], poison);
  for (int i = tape->firsts.above[from + 1]; i < tape->firsts.above[to]; i++)
    set_first(lanes, tape->firsts.items[i]);
}

/* --- stages ------------------------------------------------------------------------------ */

/* LANES terms of a product, and of a second one with the series c; the first ones of all begin. */
INLINE void add_block(const LaneRow *a, const LaneRow *b, const LaneRow *c, Share share, int begins,
                      LaneRow *sum, LaneRow *other) {
#pragma GCC unroll 4
  for (int i = 0; i < LANES; i++) {
    const LaneRow x = a[i], y = b[-i];
    sum[i] = begins ? x * y : sum[i] + x * y;
    if (share == SHARES_NONE) continue;
    const LaneRow z = share == SHARES_A ? x * c[-i] : c[i] * y;
    other[i] = begins ? z : other[i] + z;
  }
}

/* What the partial sums come to, as in lanes_sums, with its weight; -0 becomes 0 before that. */
INLINE void put_total(const LaneProduct *product, const LaneRow *sum, double factor) {
  const LaneRow total = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + (LaneRow){0};
  *product->to = factor * *product->weight * total;
}

/*
** sum_j a_j b_{k-j} of a product, or of two that share a or b, in LANES partial sums by j.  Those
** of the scalar code begin with 0, so that nothing comes to -0, and it adds zeros up to a whole
** Lanes.
*/
INLINE void run_products(const LaneProduct *product, Share share, int k, double factor) {
  const LaneRow *a = product->a, *b = product->b + k;
  const LaneRow *c = share == SHARES_A ? product[1].b + k : share == SHARES_B ? product[1].a : NULL;
  LaneRow sum[LANES] = {{0}}, other[LANES] = {{0}};
  int j = 0;
  if (k + 1 >= LANES) {
    add_block(a, b, c, share, 1, sum, other);
    j = LANES;
  }
  for (; j + LANES <= k + 1; j += LANES)
    add_block(a + j, b - j,
              share == SHARES_A   ? c - j
              : share == SHARES_B ? c + j
                                  : NULL,
              share, 0, sum, other);
  a += j;
  b -= j;
  if (share != SHARES_NONE) c += share == SHARES_A ? -j : j;
#pragma GCC unroll 4
  for (int i = 0; i < LANES - 1; i++) {
    if (j + i > k) break;
    const LaneRow x = a[i], y = b[-i];
    sum[i] += x * y;
    if (share != SHARES_NONE) other[i] += share == SHARES_A ? x * c[-i] : c[i] * y;
  }
  put_total(product, sum, factor);
  if (share != SHARES_NONE) put_total(product + 1, other, factor);
}

INLINE void run_all_products(const LaneTape *lanes, int from, int to, int k, double factor) {
  for (const LaneProduct *product = lanes->product + from, *end = lanes->product + to;
       product < end; product += product->share == SHARES_NONE ? 1 : 2) {
    switch (product->share) {
      case SHARES_A: run_products(product, SHARES_A, k, factor); break;
      case SHARES_B: run_products(product, SHARES_B, k, factor); break;
      default: run_products(product, SHARES_NONE, k, factor);
    }
  }
}

INLINE void run_batch(const LaneTape *lanes, const Batch *batch, int products, int terms) {
  const LaneRow *const *term = lanes->term + batch->term, *w = lanes->w + batch->term;
  for (const LaneSum *sum = lanes->sum + batch->sum, *end = sum + batch->count; sum < end; sum++) {
    LaneRow total = *sum->base;
    for (int j = 1; j <= products; j++)
      total += sum->base[j];
    for (int j = 0; j < terms; j++, term++, w++)
      total += *w * **term;
    *sum->to = total;
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

LANES_CLONES
void lanes_partial(LaneTape *lanes, int stage) {
  for (const LaneGroup *group = lanes->groups; group < lanes->groups + lanes->group_count;
       group++) {
    const int k = stage + group->lead;
    if (k <= 0) continue;
    run_all_products(lanes, group->euler, group->product, k, 1.0 / k);
    run_all_products(lanes, group->product, group->product_end, k, 1);
    for (int i = group->stored; i < group->stored_end; i++)
      *lanes->store[i].to = lanes->store[i].from[k];
    run_sums(lanes, group->before, group->after);
  }
}

/* The next coefficient is zero until it is known. */
INLINE void keep(const LaneCopy *copy, int k, double factor) {
  if (copy->to == NULL) return;
  copy->to[k] = factor * *copy->from;
  copy->to[k + 1] = (LaneRow){0};
}

LANES_CLONES
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
