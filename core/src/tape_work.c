/* The memory layout of a Work, the numbers of one expansion; setting and reading its series. */
#include <string.h>

#include "block.h"
#include "tape_connect.h"
#include "vector.h"

/*
** Room behind each series: products read whole Lanes past its end, and the coefficient after the
** last known one is set to zero.
*/
enum { PADDING = LANES };

/* --- layout ------------------------------------------------------------------------------ */

static void lay_out_series(Work *work, Block *block, int places) {
  const Tape *tape = work->tape;
  const size_t length = ((size_t)work->order + 1 + PADDING) * (size_t)work->width;
  BLOCK_TAKE(block, work->stores, tape->slot_count);
  for (int i = 0; i < tape->slot_count; i++) {
    const Slot *slot = &tape->slots[i];
    Store store = {NULL, NULL, NULL, NULL};
    if (slot->plain) BLOCK_TAKE(block, store.plain, length);
    if (slot->euler) BLOCK_TAKE(block, store.euler, length);
    if (slot->reversed) BLOCK_TAKE(block, store.reversed, length);
    if (block->base == NULL) continue;
    store.current = work->current + (ptrdiff_t)(places + i) * work->width;
    if (slot->reversed) store.reversed += (ptrdiff_t)(work->order + 1) * work->width;
    work->stores[i] = store;
  }
}

static void lay_out(Work *work, Block *block) {
  const Tape *tape = work->tape;
  const WorkParts parts = work_parts(tape);
  const ptrdiff_t width = work->width;
  block_take(block, 1, sizeof *work);
  BLOCK_TAKE(block, work->value, tape->value_count * width);
  BLOCK_TAKE(block, work->constants, tape->input_count);
  BLOCK_TAKE(block, work->current, (parts.places + tape->slot_count) * width);
  BLOCK_TAKE(block, work->bare, tape->row_count * width);
  BLOCK_TAKE(block, work->known, tape->slot_count * width);
  BLOCK_TAKE(block, work->output, tape->output_count * width);
  BLOCK_TAKE(block, work->places, tape->product_count);
  BLOCK_TAKE(block, work->factors, parts.places);
  BLOCK_TAKE(block, work->weights, parts.places);
  BLOCK_TAKE(block, work->batches, parts.sums);
  BLOCK_TAKE(block, work->sums, parts.sums);
  BLOCK_TAKE(block, work->terms, parts.terms);
  BLOCK_TAKE(block, work->term_before, tape->linear_count);
  BLOCK_TAKE(block, work->term_after, tape->linear_count);
  BLOCK_TAKE(block, work->stored, parts.stored);
  BLOCK_TAKE(block, work->stored_now, parts.stored * width);
  BLOCK_TAKE(block, work->copies, parts.copies);
  BLOCK_TAKE(block, work->reciprocal, work->order + 1);
  BLOCK_TAKE(block, work->branch, tape->switch_count);
  BLOCK_TAKE(block, work->forced, tape->switch_count);
  lay_out_series(work, block, parts.places);
}

size_t work_rows_size(const Tape *tape, int order, int width) {
  Work shape = {.tape = tape, .order = order, .width = width};
  Block block = {NULL, 0};
  lay_out(&shape, &block);
  return block.used;
}

size_t work_size(const Tape *tape, int order) { return work_rows_size(tape, order, 1); }

/* --- series ------------------------------------------------------------------------------ */

void work_store(Work *work, int slot, int k, double x) {
  const Store *store = &work->stores[slot];
  if (store->plain != NULL) store->plain[k] = x;
  if (store->euler != NULL) store->euler[k] = k * x;
  if (store->reversed != NULL) store->reversed[-k] = x;
}

double work_coefficient(const Work *work, int slot, int k) {
  const Store *store = &work->stores[slot];
  return store->plain != NULL      ? store->plain[k]
         : store->reversed != NULL ? store->reversed[-k]
         : store->euler != NULL    ? store->euler[k] / k
                                   : 0;
}

void work_reset(Work *work) {
  const Tape *tape = work->tape;
  const ptrdiff_t width = work->width, first = (work->order + 1) * width;
  const size_t row = (size_t)width * sizeof(double),
               size = ((size_t)work->order + 1 + PADDING) * row;
  work->resets++;
  for (int i = 0; i < tape->slot_count; i++) {
    const Store *store = &work->stores[i];
    if (store->plain != NULL) memset(store->plain, 0, size);
    if (store->euler != NULL) memset(store->euler, 0, size);
    if (store->reversed != NULL) memset(store->reversed - first, 0, size);
  }
  for (int i = 0; i < tape->slot_count; i++)
    memset(work->stores[i].current, 0, row);
  for (int i = 0; i < tape->input_count && work->unit > 0; i++)
    if (tape->inputs[i].kind == SARRUS_TIME && tape->inputs[i].slot != SARRUS_NONE)
      work_store(work, tape->inputs[i].slot, 1, work->unit);
}

void work_set_unit(Work *work, double unit) {
  work->unit = unit;
  work_reset(work);
}

Work *work_rows_init(void *memory, const Tape *tape, int order, int width) {
  Work *work = block_clear(memory, work_rows_size(tape, order, width));
  work->tape = tape;
  work->order = order;
  work->width = width;
  lay_out(work, &(Block){memory, 0});
  for (int k = 1; k <= order; k++)
    work->reciprocal[k] = 1.0 / k;
  work_connect(work);
  return work;
}

Work *work_init(void *memory, const Tape *tape, int order) {
  Work *work = work_rows_init(memory, tape, order, 1);
  work_set_unit(work, 1);
  return work;
}
