/*
** Derivatives by parameters: what derivatives of constants add to those of series, through dd_p and
** dw_i of (T57), in products and in linear terms of sums.
**
** A sum of unknowns only is zero before the solve, but its derivative is not where a factor depends
** on a parameter.  The part known before the solve is put where the sum begins (`bare`); such a sum
** is run before the solve, so that the rows and outputs that contain it have that part, too.
*/
#include "tape_follow.h"
#include "vector.h"

/* --- listing ------------------------------------------------------------------------------- */

int count_changes(const Tape *tape) {
  return tape->product_count + tape->linear_count + tape->aside_count;
}

/* The number that the sum of a row begins with: its first product, if there is one. */
static double *beginning(const Work *rows, const Row *row) {
  return row->product_count > 0
             ? rows->current + (ptrdiff_t)rows->places[row->product] * rows->width
             : rows->bare + (row - rows->tape->rows) * rows->width;
}

static Change *new_change(Follower *follower, const Row *row) {
  Change *change = &follower->changes[follower->change_end++];
  *change = (Change){
      .lead = row->lead, .to = beginning(follower->rows, row), .divisor = SARRUS_NONE, .scale = 1};
  return change;
}

/* Whether a value is a constant of the motion that may depend on parameters. */
static int varies(const Tape *tape, int value) {
  return value != SARRUS_NONE && tape->values[value].lead == LEAD_CONSTANT &&
         tape->values[value].op != SARRUS_OP_CONSTANT;
}

/* In a sum d = value[factor] of a product, and w = value[factor] of a term of no product. */
static void list_sum(Follower *follower, const Row *row) {
  const Work *rows = follower->rows;
  const Tape *tape = rows->tape;
  for (int p = row->product; p < row->product + row->product_count; p++) {
    if (!varies(tape, tape->products[p].factor)) continue;
    Change *change = new_change(follower, row);
    change->kind = OF_PRODUCT;
    change->slope = follower_slope(follower, tape->products[p].factor);
    change->place = rows->places[p];
  }
  for (int i = row->linear; i < row->linear + row->linear_count; i++) {
    const Linear *term = &tape->linear[i];
    if (!term->varies || term->other != SARRUS_NONE) continue;
    Change *change = new_change(follower, row);
    change->kind = OF_TERM;
    change->slope = follower_slope(follower, term->factor);
    change->slot = term->slot;
  }
}

/* In a function, w depends on parameters where it is a constant operand, as in atan2(y, 1). */
static void list_function(Follower *follower, const Row *row) {
  const Tape *tape = follower->rows->tape;
  const Shape *shape = row->shape;
  for (int i = row->linear; i < row->linear + row->linear_count && shape->product_count > 0; i++) {
    const Weight *weight = &shape->linear[tape->linear[i].factor].w;
    const int partner = weight->role <= ROLE_W ? row->operand[weight->role] : SARRUS_NONE;
    if (!varies(tape, partner)) continue;
    Change *change = new_change(follower, row);
    change->kind = OF_TERM;
    change->slope = follower_slope(follower, partner);
    change->weight = weight->factor;
    change->divisor = row->companion;
    change->slot = tape->linear[i].slot;
  }
}

static void list_aside(Follower *follower, int number) {
  const Work *rows = follower->rows;
  const Unrun *aside = &rows->tape->asides[number];
  if (aside->other != SARRUS_NONE) return;
  follower->changes[follower->change_count++] =
      (Change){.kind = OF_TERM,
               .lead = rows->tape->output_lead[aside->output],
               .to = rows->output + (ptrdiff_t)aside->output * rows->width,
               .slope = follower_slope(follower, aside->factor),
               .divisor = SARRUS_NONE,
               .scale = 1,
               .slot = aside->slot,
               .unknown = number};
}

void list_changes(Follower *follower) {
  const Tape *tape = follower->rows->tape;
  for (const Row *row = tape->rows; row < tape->rows + tape->row_count; row++) {
    const int first = follower->change_end;
    if (row->op == SARRUS_OP_LINEAR)
      list_sum(follower, row);
    else
      list_function(follower, row);
    for (int i = first; i < follower->change_end; i++)
      follower->changes[i].bare = row->product_count == 0;
  }
  follower->change_count = follower->change_end;
  for (int i = 0; i < tape->aside_count; i++)
    list_aside(follower, i);
}

/* --- adding -------------------------------------------------------------------------------- */

static void clear(double *row, int width) {
  for (int l = 0; l < width; l++)
    row[l] = 0;
}

static int is_zero(const double *row, int width) {
  for (int l = 0; l < width; l++)
    if (row[l] != 0) return 0;
  return 1;
}

/* Set what the slope of the change is multiplied by, from the values of the motion. */
static void prepare(const Follower *follower, Change *change) {
  if (change->kind != OF_TERM) return;
  if (change->divisor != SARRUS_NONE)
    change->scale = change->weight / follower->motion->value[change->divisor];
  if (change->slot == SARRUS_NONE) {
    change->x = &follower->unknowns[change->unknown];
    change->step = 0;
    return;
  }
  const Store *store = &follower->motion->stores[change->slot];
  change->x = store->plain != NULL ? store->plain : store->reversed;
  change->step = store->plain != NULL ? 1 : -1;
}

void reset_changes(Follower *follower) {
  const Work *rows = follower->rows;
  int count = 0, last = SARRUS_NONE;
  follower->wanted_count = follower->active_end = 0;
  for (int i = 0; i < follower->change_count; i++) {
    Change *change = &follower->changes[i];
    if (is_zero(change->slope, rows->width)) continue;
    prepare(follower, change);
    change->anew =
        change->bare && (last == SARRUS_NONE || follower->changes[last].to != change->to);
    if (change->kind == OF_TERM && change->slot == SARRUS_NONE)
      follower->wanted[follower->wanted_count++] = change->unknown;
    follower->active[count++] = last = i;
    if (i < follower->change_end) follower->active_end = count;
  }
  follower->active_count = count;
  for (int i = 0; i < rows->tape->row_count; i++)
    clear(rows->bare + (ptrdiff_t)i * rows->width, rows->width);
  for (int i = 0; i < rows->tape->output_count; i++)
    clear(rows->output + (ptrdiff_t)i * rows->width, rows->width);
}

/* Whole Lanes may read past the end of a; those numbers meet zeros in b (tape_run.c). */
static double product_of(const Work *motion, int place, int k) {
  const double *a = motion->factors[place].a, *b = motion->factors[place].b - k;
  Lanes sum = {0};
  for (int j = 0; j <= k; j += LANES)
    sum += *(const Lanes *)(a + j) * *(const Lanes *)(b + j);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double factor_of(const Follower *follower, const Change *change, int k) {
  const Work *motion = follower->motion;
  if (change->kind == OF_PRODUCT) return product_of(motion, change->place, k);
  return change->scale * (change->x != NULL ? change->x[(ptrdiff_t)k * change->step]
                                            : work_coefficient(motion, change->slot, k));
}

static void add(const Follower *follower, const Change *change, int k) {
  const int width = follower->rows->width;
  const double factor = factor_of(follower, change, k);
  if (width == 1) {
    *change->to = (change->anew ? 0 : *change->to) + factor * *change->slope;
    return;
  }
  if (change->anew) clear(change->to, width);
  for (int l = 0; l < width; l += LANES)
    *(Lanes *)(change->to + l) += factor * *(const Lanes *)(change->slope + l);
}

void clear_asides(const Follower *follower) {
  for (int i = follower->active_end; i < follower->active_count; i++)
    clear(follower->changes[follower->active[i]].to, follower->rows->width);
}

void add_changes(const Follower *follower, int *next, int lead, int k) {
  const Change *changes = follower->changes;
  const int *active = follower->active;
  while (*next < follower->active_end && changes[active[*next]].lead > lead)
    ++*next;
  for (; *next < follower->active_end && changes[active[*next]].lead == lead; ++*next)
    add(follower, &changes[active[*next]], k);
}

void add_asides(const Follower *follower, int stage) {
  for (int i = follower->active_end; i < follower->active_count; i++) {
    const Change *change = &follower->changes[follower->active[i]];
    if (stage + change->lead > 0) add(follower, change, stage + change->lead);
  }
}
