/* The numbers of one expansion: where they lie, and what is connected to what. */
#include <stddef.h>
#include <string.h>

#include "block.h"
#include "tape.h"
#include "vector.h"

/* Series are padded so that whole Lanes can be read past both ends of a product. */
enum { PADDING = LANES };

/* --- layout ------------------------------------------------------------------------------ */

static int is_waiting(const Row *row) { return row->pending && row->slot != SARRUS_NONE; }

/* Nothing is to be done for it before the solve. */
static int is_silent(const Row *row) {
  return row->product_count == 0 && row->linear_count == row->silent;
}

static int is_kept(const Slot *slot) { return slot->lead < LEAD_KNOWN; }

static void count_parts(const Tape *tape, int *lines, int *finishes, int *copies) {
  *lines = *finishes = *copies = 0;
  for (int i = 0; i < tape->row_count; i++) {
    *lines += !is_silent(&tape->rows[i]);
    *finishes += is_waiting(&tape->rows[i]);
  }
  for (int i = 0; i < tape->slot_count; i++) {
    const Slot *slot = &tape->slots[i];
    if (is_kept(slot)) *copies += slot->plain + slot->euler + slot->reversed;
  }
}

static void lay_out(Work *work, Block *block) {
  const Tape *tape = work->tape;
  const size_t length = (size_t)work->order + 1 + PADDING;
  int lines, finishes, copies;
  count_parts(tape, &lines, &finishes, &copies);
  block_take(block, 1, sizeof *work);
  BLOCK_TAKE(block, work->value, tape->value_count);
  BLOCK_TAKE(block, work->current, tape->slot_count);
  BLOCK_TAKE(block, work->output, tape->output_count);
  BLOCK_TAKE(block, work->lines, lines);
  BLOCK_TAKE(block, work->finishes, finishes);
  BLOCK_TAKE(block, work->copies, copies);
  BLOCK_TAKE(block, work->spans, tape->product_count);
  BLOCK_TAKE(block, work->addends, tape->linear_count);
  BLOCK_TAKE(block, work->stores, tape->slot_count);
  BLOCK_TAKE(block, work->reciprocal, length);
  BLOCK_TAKE(block, work->branch, tape->switch_count);
  BLOCK_TAKE(block, work->forced, tape->switch_count);
  for (int i = 0; i < tape->slot_count; i++) {
    const Slot *slot = &tape->slots[i];
    Store store = {NULL, NULL, NULL};
    if (slot->plain) BLOCK_TAKE(block, store.plain, length);
    if (slot->euler) BLOCK_TAKE(block, store.euler, length);
    if (slot->reversed) BLOCK_TAKE(block, store.reversed, length);
    if (block->base == NULL) continue;
    if (slot->reversed) store.reversed += work->order;
    work->stores[i] = store;
  }
}

size_t work_size(const Tape *tape, int order) {
  Work shape = {.tape = tape, .order = order};
  Block block = {NULL, 0};
  lay_out(&shape, &block);
  return block.used;
}

/* --- connections ------------------------------------------------------------------------- */

static void connect_terms(Work *work, const Row *row) {
  const Tape *tape = work->tape;
  for (int p = row->product; p < row->product + row->product_count; p++) {
    const Product *product = &tape->products[p];
    const Store *a = &work->stores[product->a], *b = &work->stores[product->b];
    work->spans[p] = (Span){(row->euler ? a->euler : a->plain) + 1, b->reversed - 1, 0};
  }
  for (int i = row->linear; i < row->linear + row->linear_count; i++) {
    const int slot = tape->linear[i].slot, fresh = i < row->linear + row->fresh;
    work->addends[i].x = fresh ? &work->current[slot] : work->stores[slot].plain;
  }
}

/* Where the operands of a row are, and where its coefficients go; into the group of its lead. */
static void connect_row(Work *work, Group *group, const Row *row) {
  static const double nothing = 0;
  double *to = row->slot == SARRUS_NONE ? &work->output[row->output] : &work->current[row->slot];
  const double *known = &nothing;
  connect_terms(work, row);
  if (!is_silent(row)) {
    Line *line = &work->lines[group->line_end++];
    *line = (Line){.span = row->product,
                   .span_end = row->product + row->product_count,
                   .told = row->linear + row->silent,
                   .stored = row->linear + row->fresh,
                   .stored_end = row->linear + row->linear_count,
                   .euler = row->euler,
                   .to = to};
    known = &line->known;
  }
  if (is_waiting(row))
    work->finishes[group->finish_end++] =
        (Finish){row->linear, row->linear + row->fresh, known, to};
}

/* The copies of one kind that the slots of a group's lead keep. */
static void connect_copies(Work *work, Group *group, size_t kind) {
  for (int i = 0; i < work->tape->slot_count; i++) {
    double *to = *(double **)(void *)((char *)&work->stores[i] + kind);
    if (work->tape->slots[i].lead != group->lead || to == NULL) continue;
    work->copies[group->copy_end++] = (Copy){to, &work->current[i]};
  }
}

static void connect_group(Work *work, const Group *before, int lead) {
  Group *group = &work->groups[work->group_count++];
  *group = (Group){.lead = lead,
                   .line = before->line_end,
                   .line_end = before->line_end,
                   .finish = before->finish_end,
                   .finish_end = before->finish_end,
                   .plain = before->copy_end,
                   .copy_end = before->copy_end};
  for (int i = 0; i < work->tape->row_count; i++)
    if (work->tape->rows[i].lead == lead) connect_row(work, group, &work->tape->rows[i]);
  connect_copies(work, group, offsetof(Store, plain));
  group->euler = group->copy_end;
  connect_copies(work, group, offsetof(Store, euler));
  group->reversed = group->copy_end;
  connect_copies(work, group, offsetof(Store, reversed));
}

static void connect(Work *work) {
  const Group none = {.lead = LEAD_KNOWN};
  for (int lead = LEAD_KNOWN - 1; lead >= 0; lead--) {
    int used = 0;
    for (int i = 0; i < work->tape->slot_count; i++)
      used |= work->tape->slots[i].lead == lead;
    for (int i = 0; i < work->tape->row_count; i++)
      used |= work->tape->rows[i].lead == lead;
    if (used)
      connect_group(work, work->group_count == 0 ? &none : &work->groups[work->group_count - 1],
                    lead);
  }
}

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
  const size_t size = ((size_t)work->order + 1 + PADDING) * sizeof(double);
  for (int i = 0; i < tape->slot_count; i++) {
    const Store *store = &work->stores[i];
    if (store->plain != NULL) memset(store->plain, 0, size);
    if (store->euler != NULL) memset(store->euler, 0, size);
    if (store->reversed != NULL) memset(store->reversed - work->order, 0, size);
  }
  memset(work->current, 0, (size_t)tape->slot_count * sizeof *work->current);
  for (int i = 0; i < tape->input_count; i++)
    if (tape->inputs[i].kind == SARRUS_TIME && tape->inputs[i].slot != SARRUS_NONE)
      work_store(work, tape->inputs[i].slot, 1, 1);
}

Work *work_init(void *memory, const Tape *tape, int order) {
  Work *work = memset(memory, 0, work_size(tape, order));
  work->tape = tape;
  work->order = order;
  lay_out(work, &(Block){memory, 0});
  for (int k = 1; k <= order; k++)
    work->reciprocal[k] = 1.0 / k;
  connect(work);
  work_reset(work);
  return work;
}
