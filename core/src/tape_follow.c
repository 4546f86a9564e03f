/* Derivatives of series, by the program of the tape that made the series: see tape_follow.h. */
#include "tape_follow.h"

#include "tape_slope.h"

/* --- layout -------------------------------------------------------------------------------- */

void follower_lay_out(Follower *follower, Block *block, const Tape *tape, int order, int width) {
  BLOCK_TAKE(block, follower->needed, tape->value_count);
  BLOCK_TAKE(block, follower->batches, tape->value_batch_count);
  BLOCK_TAKE(block, follower->changes, count_changes(tape));
  BLOCK_TAKE(block, follower->active, count_changes(tape));
  BLOCK_TAKE(block, follower->wanted, tape->aside_count);
  BLOCK_TAKE(block, follower->unknowns, tape->aside_count);
  void *rows = block_take(block, work_rows_size(tape, order, width), 1);
  if (rows != NULL) follower->rows = work_rows_init(rows, tape, order, width);
}

/* Mark the values that series, outputs and weights depend on: `needed` has a flag per value. */
static void mark_needed(const Tape *tape, int *needed) {
  for (int i = 0; i < tape->slot_count; i++)
    needed[tape->slots[i].value] = 1;
  for (int i = 0; i < tape->output_count; i++)
    needed[tape->output_value[i]] = 1;
  for (int i = 0; i < tape->value_count; i++)
    if (tape->values[i].lead == LEAD_CONSTANT) needed[i] = 1;
  for (int i = tape->value_count - 1; i >= 0; i--) {
    const ValueStep *step = &tape->values[i];
    if (!needed[i] || step->op == SARRUS_OP_SYMBOL || step->op == SARRUS_OP_CONSTANT) continue;
    if (step->op == SARRUS_OP_LINEAR) {
      for (int k = 0; k < step->b; k++)
        needed[tape->value_terms[step->a + k].value] = 1;
      continue;
    }
    const int table = step->op == SARRUS_OP_TABLE;
    const int operand[3] = {step->a, table ? SARRUS_NONE : step->b, table ? SARRUS_NONE : step->c};
    for (int k = 0; k < 3; k++)
      if (operand[k] != SARRUS_NONE) needed[operand[k]] = 1;
  }
}

/* Replace the flags in `needed` by the list of the flagged values, grouped in batches. */
static void list_needed(Follower *follower, const Tape *tape) {
  int *needed = follower->needed, batches = 0, used = 0;
  for (int b = 0; b < tape->value_batch_count; b++) {
    const ValueBatch *batch = &tape->value_batches[b];
    const int first = used, lead = tape->values[batch->first].lead;
    for (int i = batch->first; i < batch->first + batch->count; i++)
      if (needed[i]) needed[used++] = i;
    const int idle = batch->op == SARRUS_OP_SYMBOL || batch->op == SARRUS_OP_CONSTANT;
    if (used > first && !idle)
      follower->batches[batches++] = (SlopeBatch){batch->op, batch->terms, first, used - first};
    for (int low = 0; low <= lead; low++)
      follower->batches_above[low] = batches;
  }
}

void follower_open(Follower *follower) {
  const Tape *tape = follower->rows->tape;
  mark_needed(tape, follower->needed);
  list_needed(follower, tape);
  list_changes(follower);
}

/* --- values -------------------------------------------------------------------------------- */

INLINE void sum_slopes(const Follower *follower, const SlopeBatch *batch, int terms, int at,
                       int block, int width) {
  const Tape *tape = follower->motion->tape;
  double *slope = follower->rows->value;
  const int *needed = follower->needed + batch->first;
  for (int i = 0; i < batch->count; i++)
    slopes_of_sum(&tape->value_terms[tape->values[needed[i]].a], terms, slope,
                  slope + (ptrdiff_t)needed[i] * width, at, block, width);
}

INLINE void run_values(const Follower *follower, const SlopeBatch *batch, int at, int block,
                       int width) {
  const Work *motion = follower->motion;
  const Tape *tape = motion->tape;
  double *slope = follower->rows->value;
  const int *needed = follower->needed + batch->first;
  if (batch->op == SARRUS_OP_LINEAR) {
    switch (batch->terms) { /* compiled for the lengths of most sums */
      case 1: sum_slopes(follower, batch, 1, at, block, width); break;
      case 2: sum_slopes(follower, batch, 2, at, block, width); break;
      case 3: sum_slopes(follower, batch, 3, at, block, width); break;
      default: sum_slopes(follower, batch, batch->terms, at, block, width);
    }
    return;
  }
  for (int i = 0; i < batch->count; i++) {
    const ValueStep *step = &tape->values[needed[i]];
    double *to = slope + (ptrdiff_t)needed[i] * width;
    if (batch->op == SARRUS_OP_PRODUCT) {
      slopes_of_product(step, motion->value, slope, to, at, block, width);
    } else {
      Partials partials;
      value_partials(tape, step, motion->value, motion->value[needed[i]],
                     step->choice == SARRUS_NONE ? NULL : &motion->branch[step->choice], &partials);
      slopes_of_function(&partials, slope, to, at, block, width);
    }
  }
}

INLINE void copy_row(double *to, const double *from, int at, int block) {
  Slopes row = {0};
  slopes_load(&row, from + at, block);
  slopes_store(&row, to + at, block);
}

INLINE void clear_row(double *to, int at, int block) {
  const Slopes row = {0};
  slopes_store(&row, to + at, block);
}

/* Set coefficient 0.  Coefficient 1, where a solve will give it, is zero until then. */
INLINE void set_first(const Work *rows, int slot, int at, int block, int width) {
  const Store *store = &rows->stores[slot];
  const double *x = rows->value + (ptrdiff_t)rows->tape->slots[slot].value * width;
  if (store->plain != NULL) copy_row(store->plain, x, at, block);
  if (store->reversed != NULL) copy_row(store->reversed, x, at, block);
  if (rows->tape->slots[slot].lead >= LEAD_KNOWN) return;
  if (store->plain != NULL) clear_row(store->plain + width, at, block);
  if (store->euler != NULL) clear_row(store->euler + width, at, block);
  if (store->reversed != NULL) clear_row(store->reversed - width, at, block);
}

VECTOR_CLONES
void follow_values(Follower *follower, int from, int to) {
  const Sorted *firsts = &follower->motion->tape->firsts;
  const int end = follower->batches_above[to];
  for (int i = follower->batches_above[from + 1]; i < end; i++) {
    const SlopeBatch *batch = &follower->batches[i];
#define RUN(at, block, width) run_values(follower, batch, at, block, width)
    FOR_BLOCKS(follower->rows->width, RUN);
#undef RUN
  }
  for (int i = firsts->above[from + 1]; i < firsts->above[to]; i++) {
#define SET(at, block, width) set_first(follower->rows, firsts->items[i], at, block, width)
    FOR_BLOCKS(follower->rows->width, SET);
#undef SET
  }
}

void follow_constants(Follower *follower, int moves) {
  if (!moves && !follower->moves) return;
  follower->moves = moves;
  follow_values(follower, LEAD_CONSTANT, LEAD_KNOWN);
  reset_changes(follower);
}

/* --- higher orders ------------------------------------------------------------------------- */

/*
** For one direction, products are summed as those of the motion are (tape_run.c): numbers read past
** the end of a or da meet zeros in db and b.
*/
INLINE void run_products(const Follower *follower, int from, int to, int k, int blocks,
                         double factor) {
  const Work *motion = follower->motion, *rows = follower->rows;
  for (int p = from; p < to; p += LANES) {
    Lanes inner[LANES], sums;
#pragma GCC unroll 4
    for (int i = 0; i < LANES; i++) {
      const double *a = motion->factors[p + i].a, *b = motion->factors[p + i].b - k,
                   *da = rows->factors[p + i].a, *db = rows->factors[p + i].b - k;
      inner[i] = (Lanes){0};
#pragma GCC unroll 8
      for (int j = 0; j < blocks; j++)
        inner[i] += *(const Lanes *)(da + j * LANES) * *(const Lanes *)(b + j * LANES) +
                    *(const Lanes *)(a + j * LANES) * *(const Lanes *)(db + j * LANES);
    }
    lanes_sums(inner, &sums);
    *(Lanes *)(rows->current + p) = factor * *(const Lanes *)(motion->weights + p) * sums;
  }
}

/* For several directions, side by side. */
INLINE void run_product_rows(const Follower *follower, int from, int to, int k, double factor,
                             int at, int block, int width) {
  const Work *motion = follower->motion, *rows = follower->rows;
  for (int p = from; p < to; p++) {
    const double *a = motion->factors[p].a, *b = motion->factors[p].b - k;
    const double *da = rows->factors[p].a + at,
                 *db = rows->factors[p].b - (ptrdiff_t)k * width + at;
    Slopes sum = {0};
    for (int j = 0; j <= k && motion->weights[p] != 0; j++) {
      slopes_add(&sum, b[j], da + (ptrdiff_t)j * width, block);
      slopes_add(&sum, a[j], db + (ptrdiff_t)j * width, block);
    }
    slopes_put(&sum, factor * motion->weights[p], rows->current + (ptrdiff_t)p * width + at, block);
  }
}

INLINE void run_both(const Follower *follower, const Group *group, int k, int blocks) {
  const double reciprocal = follower->motion->reciprocal[k];
  run_products(follower, group->euler_product, group->product, k, blocks, reciprocal);
  run_products(follower, group->product, group->product_end, k, blocks, 1);
}

INLINE void run_group_products(const Follower *follower, const Group *group, int k, int at,
                               int block, int width) {
  const double reciprocal = follower->motion->reciprocal[k];
  if (block > 1) {
    run_product_rows(follower, group->euler_product, group->product, k, reciprocal, at, block,
                     width);
    run_product_rows(follower, group->product, group->product_end, k, 1, at, block, width);
    return;
  }
  const int blocks = k / LANES + 1;
  switch (blocks) {
    case 1: run_both(follower, group, k, 1); break;
    case 2: run_both(follower, group, k, 2); break;
    case 3: run_both(follower, group, k, 3); break;
    case 4: run_both(follower, group, k, 4); break;
    case 5: run_both(follower, group, k, 5); break;
    case 6: run_both(follower, group, k, 6); break;
    default: run_both(follower, group, k, blocks);
  }
}

INLINE void run_batch(const Follower *follower, const Batch *batch, int terms, int at, int block) {
  const Work *rows = follower->rows;
  const Sum *sum = rows->sums + batch->sum, *end = sum + batch->count;
  const Term *x = rows->terms + batch->term, *w = follower->motion->terms + batch->term;
  for (; sum < end; sum++, x += terms, w += terms) {
    Slopes total = {0};
    slopes_load(&total, sum->base + at, block);
    for (int i = 1; i <= batch->products; i++)
      slopes_add(&total, 1, sum->base + (ptrdiff_t)i * rows->width + at, block);
    for (int i = 0; i < terms; i++)
      slopes_add(&total, w[i].w, x[i].x + at, block);
    slopes_store(&total, sum->to + at, block);
  }
}

INLINE void run_sums(const Follower *follower, int from, int to, int at, int block) {
  const Batch *batches = follower->rows->batches;
  for (const Batch *batch = batches + from; batch < batches + to; batch++) {
    switch (batch->terms) {
      case 1: run_batch(follower, batch, 1, at, block); break;
      case 2: run_batch(follower, batch, 2, at, block); break;
      case 3: run_batch(follower, batch, 3, at, block); break;
      case 4: run_batch(follower, batch, 4, at, block); break;
      case 5: run_batch(follower, batch, 5, at, block); break;
      default: run_batch(follower, batch, batch->terms, at, block);
    }
  }
}

/* The products and stored coefficients of which sums are made. */
INLINE void run_known(const Follower *follower, const Group *group, int k, int at, int block,
                      int width) {
  const Work *rows = follower->rows;
  run_group_products(follower, group, k, at, block, width);
  for (int i = group->stored; i < group->stored_end; i++)
    copy_row(rows->stored[i].to, rows->stored[i].from + (ptrdiff_t)k * width, at, block);
}

VECTOR_CLONES
void follow_partial(Follower *follower, int stage) {
  const Work *rows = follower->rows;
  int next = 0;
  if (follower->moves) clear_asides(follower);
  for (const Group *group = rows->groups; group < rows->groups + rows->group_count; group++) {
    const int k = stage + group->lead;
    if (k <= 0) continue;
#define RUN(at, block, width) run_known(follower, group, k, at, block, width)
    FOR_BLOCKS(rows->width, RUN);
#undef RUN
    if (follower->moves) add_changes(follower, &next, group->lead, k);
#define RUN(at, block, width) run_sums(follower, group->before, group->after, at, block)
    FOR_BLOCKS(rows->width, RUN);
#undef RUN
  }
  if (follower->moves) add_asides(follower, stage);
}

/* to[k] = f x; the next coefficient is zero until it is known. */
INLINE void keep_row(double *to, const double *x, double f, ptrdiff_t next, int at, int block) {
  Slopes row = {0};
  clear_row(to + next, at, block);
  slopes_load(&row, x + at, block);
  if (f == 1)
    slopes_store(&row, to + at, block);
  else
    slopes_put(&row, f, to + at, block);
}

INLINE void keep(const Work *rows, const Group *group, ptrdiff_t k, int at, int block, int width) {
  const Copy *copies = rows->copies;
  for (int i = group->plain; i < group->euler; i++)
    keep_row(copies[i].to + k * width, copies[i].from, 1, width, at, block);
  for (int i = group->euler; i < group->reversed; i++)
    keep_row(copies[i].to + k * width, copies[i].from, (double)k, width, at, block);
  for (int i = group->reversed; i < group->copy_end; i++)
    keep_row(copies[i].to - k * width, copies[i].from, 1, -width, at, block);
}

INLINE void finish(const Follower *follower, const Group *group, int k, int at, int block,
                   int width) {
  run_sums(follower, group->after, group->end, at, block);
  keep(follower->rows, group, k, at, block, width);
}

VECTOR_CLONES
void follow_complete(Follower *follower, int stage) {
  const Work *rows = follower->rows;
  for (const Group *group = rows->groups; group < rows->groups + rows->group_count; group++) {
    const int k = stage + group->lead;
    if (k <= 0) continue;
#define RUN(at, block, width) finish(follower, group, k, at, block, width)
    FOR_BLOCKS(rows->width, RUN);
#undef RUN
  }
}
