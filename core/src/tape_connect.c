/*
** Makes of the rows of a tape the lists that are run: products in whole Lanes, sums in batches, and
** copies; each entry with the addresses that it reads and writes.
*/
#include "tape_connect.h"

#include <stddef.h>

#include "vector.h"

/* --- what there is to do for a row ------------------------------------------------------- */

static int is_waiting(const Row *row) { return row->pending && row->slot != SARRUS_NONE; }

/* Linear terms with x of the row's lead that are not zero before the solve; of stored series. */
static int nonzero_count(const Row *row) { return row->fresh - row->silent; }
static int stored_count(const Row *row) { return row->linear_count - row->fresh; }

/*
** Before the solve the row is a single product, so its slot is the place where that product is
** stored.
*/
static int is_product(const Row *row) {
  return row->slot != SARRUS_NONE && row->product_count == 1 && row->linear_count == row->silent;
}

/*
** Before the solve the row is a sum of terms that stay and terms that the solve changes: those that
** stay are summed first, and kept.
*/
static int is_split(const Row *row) {
  return is_waiting(row) && nonzero_count(row) > 0 &&
         (row->product_count > 1 || stored_count(row) > 0);
}

/* What is summed before the solve, or of that what stays, is products alone. */
static int is_alone(const Row *row) {
  return row->product_count > 1 && stored_count(row) == 0 &&
         (is_split(row) || nonzero_count(row) == 0);
}

static int is_kept(const Slot *slot) { return slot->lead < LEAD_KNOWN; }

/* --- parts ------------------------------------------------------------------------------- */

/*
** Number the products of a lead, those with or without Euler derivatives, from `place` on; returns
** the next free place, rounded up to whole Lanes.
*/
static int place_products(const Tape *tape, int lead, int euler, int place, int *places) {
  for (int i = 0; i < tape->row_count; i++) {
    const Row *row = &tape->rows[i];
    if (row->lead != lead || row->euler != euler) continue;
    for (int p = row->product; p < row->product + row->product_count; p++, place++)
      if (places != NULL) places[p] = place;
  }
  return (place + LANES - 1) / LANES * LANES;
}

WorkParts work_parts(const Tape *tape) {
  WorkParts parts = {.terms = 1}; /* term 0 takes the weights that nothing reads */
  for (int lead = LEAD_KNOWN - 1; lead >= 0; lead--)
    for (int euler = 1; euler >= 0; euler--)
      parts.places = place_products(tape, lead, euler, parts.places, NULL);
  for (int i = 0; i < tape->row_count; i++) {
    const Row *row = &tape->rows[i];
    parts.sums += (!row->idle && !is_product(row)) + is_split(row) + is_waiting(row);
    parts.terms += row->product_count + row->linear_count + row->fresh;
    parts.stored += stored_count(row);
  }
  for (int i = 0; i < tape->slot_count; i++) {
    const Slot *slot = &tape->slots[i];
    if (is_kept(slot)) parts.copies += slot->plain + slot->euler + slot->reversed;
  }
  return parts;
}

/* --- connections ------------------------------------------------------------------------- */

/* How many of each have been connected so far. */
typedef struct Ends {
  int batch, sum, term, stored, copy;
} Ends;

static void connect_products(Work *work, const Row *row) {
  for (int p = row->product; p < row->product + row->product_count; p++) {
    const Product *product = &work->tape->products[p];
    const Store *a = &work->stores[product->a], *b = &work->stores[product->b];
    work->factors[work->places[p]] = (Factors){row->euler ? a->euler : a->plain, b->reversed};
  }
}

/* Begin a sum; its terms follow. */
static void begin_sum(Work *work, Ends *ends, const double *base, double *to) {
  work->batches[ends->batch++] = (Batch){.sum = ends->sum, .count = 1, .term = ends->term};
  work->sums[ends->sum++] = (Sum){base, to};
}

static void add_term(Work *work, Ends *ends, const double *x, double w) {
  work->terms[ends->term++] = (Term){x, w};
  work->batches[ends->batch - 1].terms++;
}

/*
** Join a finished sum with the batch before it, if its sums have the same length; but batch `first`
** is never joined with an earlier one.
*/
static void end_sum(Work *work, Ends *ends, int first) {
  const Batch *last = &work->batches[ends->batch - 1];
  if (ends->batch - 1 == first || last[-1].terms != last->terms ||
      last[-1].products != last->products)
    return;
  ends->batch--;
  work->batches[ends->batch - 1].count++;
}

static double *product_of(const Work *work, int product) {
  return work->current + (ptrdiff_t)work->places[product] * work->width;
}

/* Add the products, except the first, with which the sum begins; then terms of stored series. */
static void add_stored(Work *work, Ends *ends, const Row *row) {
  if (is_alone(row))
    work->batches[ends->batch - 1].products = row->product_count - 1;
  else
    for (int p = row->product + 1; p < row->product + row->product_count; p++)
      add_term(work, ends, product_of(work, p), 1);
  for (int i = row->linear + row->fresh; i < row->linear + row->linear_count; i++) {
    double *now = work->stored_now + (ptrdiff_t)ends->stored * work->width;
    work->stored[ends->stored++] = (Copy){now, work->stores[work->tape->linear[i].slot].plain};
    work->term_before[i] = ends->term;
    add_term(work, ends, now, 0);
  }
}

/* Add the linear terms with x of the row's lead, from number `from` on. */
static void add_fresh(Work *work, Ends *ends, const Row *row, int from, int *term_of) {
  for (int i = row->linear + from; i < row->linear + row->fresh; i++) {
    term_of[i] = ends->term;
    add_term(work, ends, work->stores[work->tape->linear[i].slot].current, 0);
  }
}

static double *place_of(const Work *work, const Row *row) {
  return row->slot == SARRUS_NONE ? work->output + (ptrdiff_t)row->output * work->width
                                  : work->stores[row->slot].current;
}

/* What the sum begins with: the first product, or 0. */
static const double *base_of(const Work *work, const Row *row) {
  return row->product_count > 0 ? product_of(work, row->product)
                                : work->bare + (row - work->tape->rows) * work->width;
}

static double *known_of(const Work *work, const Row *row) {
  return work->known + (ptrdiff_t)row->slot * work->width;
}

static void connect_before(Work *work, Ends *ends, int first, const Row *row) {
  const double *base = base_of(work, row);
  connect_products(work, row);
  if (row->idle || is_product(row)) return;
  if (is_split(row)) {
    begin_sum(work, ends, base, known_of(work, row));
    add_stored(work, ends, row);
    end_sum(work, ends, first);
    base = known_of(work, row);
  }
  begin_sum(work, ends, base, place_of(work, row));
  if (!is_split(row)) add_stored(work, ends, row);
  add_fresh(work, ends, row, row->silent, work->term_before);
  end_sum(work, ends, first);
}

static void connect_after(Work *work, Ends *ends, int first, const Row *row) {
  double *to = place_of(work, row);
  const double *base = is_split(row)                         ? known_of(work, row)
                       : nonzero_count(row) > 0 || row->idle ? base_of(work, row)
                                                             : to;
  begin_sum(work, ends, base, to);
  add_fresh(work, ends, row, 0, work->term_after);
  end_sum(work, ends, first);
}

/* List the copies of one kind (a field of Store, by its offset) that the slots of a lead keep. */
static void connect_copies(Work *work, Ends *ends, int lead, size_t kind) {
  for (int i = 0; i < work->tape->slot_count; i++) {
    double *to = *(double **)(void *)((char *)&work->stores[i] + kind);
    if (work->tape->slots[i].lead != lead || to == NULL) continue;
    work->copies[ends->copy++] = (Copy){to, work->stores[i].current};
  }
}

/* Places that only fill up the last Lanes get the operands before them; their weight is 0. */
static void fill_up(Work *work, const Group *group) {
  for (int p = group->euler_product; p < group->product_end; p++)
    if (work->factors[p].a == NULL) work->factors[p] = work->factors[p - 1];
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

/*
** Give slots that are a single product that product's place, before anything is connected to them.
*/
static void place_slots(Work *work) {
  const Tape *tape = work->tape;
  for (int i = 0; i < tape->row_count; i++)
    if (is_product(&tape->rows[i]))
      work->stores[tape->rows[i].slot].current = product_of(work, tape->rows[i].product);
}

void work_connect(Work *work) {
  Ends ends = {.term = 1};
  open_groups(work);
  place_slots(work);
  for (int i = 0; i < work->group_count; i++)
    connect_group(work, &ends, &work->groups[i]);
}
