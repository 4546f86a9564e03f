/* The numbers of one expansion: where they lie, and what is connected to what. */
#include <stddef.h>
#include <string.h>

#include "block.h"
#include "tape.h"
#include "vector.h"

/* Whole Lanes are read past the end of a product, and coefficients that are not known yet are set to zero. */
enum { PADDING = LANES };

/* --- layout ------------------------------------------------------------------------------ */

static int is_waiting(const Row *row) { return row->pending && row->slot != SARRUS_NONE; }

/* Linear terms that are of the same lead and not silent, and those that are stored before. */
static int told_count(const Row *row) { return row->fresh - row->silent; }
static int stored_count(const Row *row) { return row->linear_count - row->fresh; }

/* Nothing is to be done for it before the solve. */
static int is_silent(const Row *row) {
  return row->product_count == 0 && row->linear_count == row->silent;
}

/* All that is to be done for it before the solve is one product: the slot lies where that comes out. */
static int is_product(const Row *row) {
  return row->slot != SARRUS_NONE && row->product_count == 1 && row->linear_count == row->silent;
}

/* Before the solve it is a sum of what stays and what does not: what stays is summed first, and kept. */
static int is_split(const Row *row) {
  return is_waiting(row) && told_count(row) > 0 &&
         (row->product_count > 1 || stored_count(row) > 0);
}

static int is_kept(const Slot *slot) { return slot->lead < LEAD_KNOWN; }

/* The products of a lead that are Euler derivatives or are not, from `place` on; up to whole Lanes. */
static int place_products(const Tape *tape, int lead, int euler, int place, int *places) {
  for (int i = 0; i < tape->row_count; i++) {
    const Row *row = &tape->rows[i];
    if (row->lead != lead || row->euler != euler) continue;
    for (int p = row->product; p < row->product + row->product_count; p++, place++)
      if (places != NULL) places[p] = place;
  }
  return (place + LANES - 1) / LANES * LANES;
}

typedef struct Counts {
  int places, sums, terms, stored, copies;
} Counts;

static Counts count_parts(const Tape *tape) {
  Counts counts = {.terms = 1};
  for (int lead = LEAD_KNOWN - 1; lead >= 0; lead--)
    for (int euler = 1; euler >= 0; euler--)
      counts.places = place_products(tape, lead, euler, counts.places, NULL);
  for (int i = 0; i < tape->row_count; i++) {
    const Row *row = &tape->rows[i];
    counts.sums += (!is_silent(row) && !is_product(row)) + is_split(row) + is_waiting(row);
    counts.terms += row->product_count + row->linear_count + row->fresh;
    counts.stored += stored_count(row);
  }
  for (int i = 0; i < tape->slot_count; i++) {
    const Slot *slot = &tape->slots[i];
    if (is_kept(slot)) counts.copies += slot->plain + slot->euler + slot->reversed;
  }
  return counts;
}

static void lay_out_series(Work *work, Block *block, int places) {
  const Tape *tape = work->tape;
  const size_t length = (size_t)work->order + 1 + PADDING;
  BLOCK_TAKE(block, work->stores, tape->slot_count);
  for (int i = 0; i < tape->slot_count; i++) {
    const Slot *slot = &tape->slots[i];
    Store store = {NULL, NULL, NULL, NULL};
    if (slot->plain) BLOCK_TAKE(block, store.plain, length);
    if (slot->euler) BLOCK_TAKE(block, store.euler, length);
    if (slot->reversed) BLOCK_TAKE(block, store.reversed, length);
    if (block->base == NULL) continue;
    store.current = work->current + places + i;
    if (slot->reversed) store.reversed += work->order + 1;
    work->stores[i] = store;
  }
}

static void lay_out(Work *work, Block *block) {
  const Tape *tape = work->tape;
  const Counts counts = count_parts(tape);
  block_take(block, 1, sizeof *work);
  BLOCK_TAKE(block, work->value, tape->value_count);
  BLOCK_TAKE(block, work->constants, tape->input_count);
  BLOCK_TAKE(block, work->current, counts.places + tape->slot_count);
  BLOCK_TAKE(block, work->known, tape->slot_count);
  BLOCK_TAKE(block, work->output, tape->output_count);
  BLOCK_TAKE(block, work->places, tape->product_count);
  BLOCK_TAKE(block, work->spans, counts.places);
  BLOCK_TAKE(block, work->weights, counts.places);
  BLOCK_TAKE(block, work->batches, counts.sums);
  BLOCK_TAKE(block, work->sums, counts.sums);
  BLOCK_TAKE(block, work->terms, counts.terms);
  BLOCK_TAKE(block, work->term_before, tape->linear_count);
  BLOCK_TAKE(block, work->term_after, tape->linear_count);
  BLOCK_TAKE(block, work->stored, counts.stored);
  BLOCK_TAKE(block, work->stored_now, counts.stored);
  BLOCK_TAKE(block, work->copies, counts.copies);
  BLOCK_TAKE(block, work->reciprocal, work->order + 1);
  BLOCK_TAKE(block, work->branch, tape->switch_count);
  BLOCK_TAKE(block, work->forced, tape->switch_count);
  lay_out_series(work, block, counts.places);
}

size_t work_size(const Tape *tape, int order) {
  Work shape = {.tape = tape, .order = order};
  Block block = {NULL, 0};
  lay_out(&shape, &block);
  return block.used;
}

/* --- connections ------------------------------------------------------------------------- */

/* What has been connected so far. */
typedef struct Ends {
  int batch, sum, term, stored, copy;
} Ends;

static void connect_products(Work *work, const Row *row) {
  for (int p = row->product; p < row->product + row->product_count; p++) {
    const Product *product = &work->tape->products[p];
    const Store *a = &work->stores[product->a], *b = &work->stores[product->b];
    work->spans[work->places[p]] = (Span){row->euler ? a->euler : a->plain, b->reversed};
  }
}

/* Begin a sum; its terms follow. */
static void begin_sum(Work *work, Ends *ends, const double *base, double *to) {
  work->batches[ends->batch++] = (Batch){ends->sum, 1, ends->term, 0};
  work->sums[ends->sum++] = (Sum){base, to};
}

static void add_term(Work *work, Ends *ends, const double *x, double w) {
  work->terms[ends->term++] = (Term){x, w};
  work->batches[ends->batch - 1].terms++;
}

/* Sums of as many terms are one batch, of those that begin with batch `first`. */
static void end_sum(Work *work, Ends *ends, int first) {
  const Batch *last = &work->batches[ends->batch - 1];
  if (ends->batch - 1 == first || last[-1].terms != last->terms) return;
  ends->batch--;
  work->batches[ends->batch - 1].count++;
}

/* Products but the first, which is the base of the sum, and stored series. */
static void add_stored(Work *work, Ends *ends, const Row *row) {
  for (int p = row->product + 1; p < row->product + row->product_count; p++)
    add_term(work, ends, work->current + work->places[p], 1);
  for (int i = row->linear + row->fresh; i < row->linear + row->linear_count; i++) {
    double *now = work->stored_now + ends->stored;
    work->stored[ends->stored++] = (Copy){now, work->stores[work->tape->linear[i].slot].plain};
    work->term_before[i] = ends->term;
    add_term(work, ends, now, 0);
  }
}

/* Linear terms of the same lead, from number `from` of the row on. */
static void add_fresh(Work *work, Ends *ends, const Row *row, int from, int *term_of) {
  for (int i = row->linear + from; i < row->linear + row->fresh; i++) {
    term_of[i] = ends->term;
    add_term(work, ends, work->stores[work->tape->linear[i].slot].current, 0);
  }
}

static double *place_of(const Work *work, const Row *row) {
  return row->slot == SARRUS_NONE ? &work->output[row->output] : work->stores[row->slot].current;
}

/* The first product, or 0. */
static const double *base_of(const Work *work, const Row *row) {
  static const double nothing = 0;
  return row->product_count > 0 ? work->current + work->places[row->product] : &nothing;
}

static void connect_before(Work *work, Ends *ends, int first, const Row *row) {
  const double *base = base_of(work, row);
  connect_products(work, row);
  if (is_silent(row) || is_product(row)) return;
  if (is_split(row)) {
    begin_sum(work, ends, base, &work->known[row->slot]);
    add_stored(work, ends, row);
    end_sum(work, ends, first);
    base = &work->known[row->slot];
  }
  begin_sum(work, ends, base, place_of(work, row));
  if (!is_split(row)) add_stored(work, ends, row);
  add_fresh(work, ends, row, row->silent, work->term_before);
  end_sum(work, ends, first);
}

static void connect_after(Work *work, Ends *ends, int first, const Row *row) {
  double *to = place_of(work, row);
  const double *base = is_split(row)                           ? &work->known[row->slot]
                       : told_count(row) > 0 || is_silent(row) ? base_of(work, row)
                                                               : to;
  begin_sum(work, ends, base, to);
  add_fresh(work, ends, row, 0, work->term_after);
  end_sum(work, ends, first);
}

/* The copies of one kind that the slots of a lead keep. */
static void connect_copies(Work *work, Ends *ends, int lead, size_t kind) {
  for (int i = 0; i < work->tape->slot_count; i++) {
    double *to = *(double **)(void *)((char *)&work->stores[i] + kind);
    if (work->tape->slots[i].lead != lead || to == NULL) continue;
    work->copies[ends->copy++] = (Copy){to, work->stores[i].current};
  }
}

/* Places up to whole Lanes have the operands of those before them, and weight 0. */
static void fill_up(Work *work, const Group *group) {
  for (int p = group->euler_product; p < group->product_end; p++)
    if (work->spans[p].a == NULL) work->spans[p] = work->spans[p - 1];
}

static void connect_group(Work *work, Ends *ends, Group *group) {
  const Row *row = work->tape->rows, *end = row + work->tape->row_count;
  group->stored = ends->stored;
  group->before = ends->batch;
  for (const Row *r = row; r < end; r++)
    if (r->lead == group->lead) connect_before(work, ends, group->before, r);
  fill_up(work, group);
  group->stored_end = ends->stored;
  group->after = ends->batch;
  for (const Row *r = row; r < end; r++)
    if (r->lead == group->lead && is_waiting(r)) connect_after(work, ends, group->after, r);
  group->end = ends->batch;
  group->plain = ends->copy;
  connect_copies(work, ends, group->lead, offsetof(Store, plain));
  group->euler = ends->copy;
  connect_copies(work, ends, group->lead, offsetof(Store, euler));
  group->reversed = ends->copy;
  connect_copies(work, ends, group->lead, offsetof(Store, reversed));
  group->copy_end = ends->copy;
}

/* A group for each lead that occurs, with the places of its products. */
static void open_groups(Work *work) {
  const Tape *tape = work->tape;
  int place = 0;
  for (int lead = LEAD_KNOWN - 1; lead >= 0; lead--) {
    int used = 0;
    for (int i = 0; i < tape->slot_count; i++)
      used |= tape->slots[i].lead == lead;
    for (int i = 0; i < tape->row_count; i++)
      used |= tape->rows[i].lead == lead;
    if (!used) continue;
    Group *group = &work->groups[work->group_count++];
    *group = (Group){.lead = lead, .euler_product = place};
    group->product = place_products(tape, lead, 1, place, work->places);
    group->product_end = place = place_products(tape, lead, 0, group->product, work->places);
  }
}

/* Slots that are one product lie where it comes out, before anything is connected to them. */
static void place_slots(Work *work) {
  const Tape *tape = work->tape;
  for (int i = 0; i < tape->row_count; i++)
    if (is_product(&tape->rows[i]))
      work->stores[tape->rows[i].slot].current =
          work->current + work->places[tape->rows[i].product];
}

static void connect(Work *work) {
  Ends ends = {.term = 1};
  open_groups(work);
  place_slots(work);
  for (int i = 0; i < work->group_count; i++)
    connect_group(work, &ends, &work->groups[i]);
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
    if (store->reversed != NULL) memset(store->reversed - work->order - 1, 0, size);
  }
  for (int i = 0; i < tape->slot_count; i++)
    *work->stores[i].current = 0;
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
