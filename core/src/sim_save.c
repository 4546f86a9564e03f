/*
** Saving and restoring.
**
** A record is: eight bytes of magic, then numbers of eight bytes each in the machine's order: version, a mark by
** which another byte order shows, the fingerprint of system and events, the counts, the state; last
** a checksum of all before it.  One function walks the state; it serves to measure, to write and to read.
*/
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "sim_parts.h"
#include "vector.h"

static const char MAGIC[8] = {'s', 'a', 'r', 'r', 'u', 's', '\032', '\n'};
enum { FORMAT_VERSION = 6, MOST_EXTRAS = 1 << 16 };
static const unsigned long long BYTE_ORDER_MARK = 0x0102030405060708u;

typedef enum Mode { MEASURE, WRITE, READ } Mode;

typedef struct Record {
  Mode mode;
  char *to;
  const char *from;
  size_t size, at;
  sarrus_Status status; /* the first failure: FORMAT, NOMEM */
} Record;

static void fail(Record *record, sarrus_Status status) {
  if (record->status == SARRUS_OK) record->status = status;
}

static void walk_bytes(Record *record, void *bytes, size_t count) {
  if (record->mode != MEASURE && count > record->size - record->at) {
    fail(record, SARRUS_FORMAT);
    return;
  }
  if (record->mode == WRITE) memcpy(record->to + record->at, bytes, count);
  if (record->mode == READ) memcpy(bytes, record->from + record->at, count);
  record->at += count;
}

static void walk_doubles(Record *record, double *x, ptrdiff_t count) {
  walk_bytes(record, x, (size_t)count * sizeof *x);
}

static void walk_int(Record *record, int *x) {
  long long wide = *x;
  walk_bytes(record, &wide, sizeof wide);
  if (wide != (int)wide) fail(record, SARRUS_FORMAT);
  *x = (int)wide;
}

static void walk_ints(Record *record, int *x, int count) {
  for (int i = 0; i < count; i++)
    walk_int(record, &x[i]);
}

static void walk_count(Record *record, long long *x) { walk_bytes(record, x, sizeof *x); }

static void walk_point(Record *record, Point *point, int n) {
  walk_doubles(record, &point->t, 1);
  walk_doubles(record, &point->t_low, 1);
  walk_doubles(record, point->q, n);
  walk_doubles(record, point->v, n);
}

static void walk_options(Record *record, sarrus_SimOptions *options) {
  walk_doubles(record, &options->tolerance, 1);
  walk_doubles(record, &options->scale, 1);
  walk_int(record, &options->order);
  walk_doubles(record, &options->step, 1);
  walk_doubles(record, &options->max_step, 1);
  walk_count(record, &options->max_steps);
}

static void walk_events(Record *record, sarrus_Sim *sim) {
  walk_int(record, &sim->hit_count);
  walk_int(record, &sim->hit_next);
  if (sim->hit_count < 0 || sim->hit_count > SIM_MOST_HITS) {
    fail(record, SARRUS_FORMAT);
    return;
  }
  for (int i = 0; i <= sim->hit_count; i++) {
    Hit *hit = i < sim->hit_count ? &sim->hits[i] : &sim->hit;
    walk_doubles(record, &hit->dt, 1);
    walk_int(record, &hit->event);
    walk_int(record, &hit->direction);
  }
  for (int i = 0; sim->events != NULL && i < sim->events->count; i++) {
    Pace *pace = &sim->paces[i];
    walk_doubles(record, &pace->last, 1);
    walk_doubles(record, &pace->interval, 1);
    walk_doubles(record, &pace->first, 1);
    walk_int(record, &pace->seen);
    walk_int(record, &pace->shrinking);
    walk_int(record, &pace->side);
  }
}

static void walk_mode(Record *record, ContactMode *mode) {
  int kind = (int)mode->mode;
  walk_int(record, &kind);
  if (kind < SARRUS_OPEN || kind > SARRUS_STICK) fail(record, SARRUS_FORMAT);
  mode->mode = (sarrus_ContactMode)kind;
  walk_doubles(record, mode->direction, 2);
  walk_int(record, &mode->free);
  walk_int(record, &mode->starts);
  walk_doubles(record, &mode->fastest, 1);
  walk_int(record, &mode->idle);
  walk_int(record, &mode->tied);
}

static void walk_contacts(Record *record, sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count; i++) {
    ContactState *state = &sim->contacts[i];
    walk_mode(record, &state->now);
    walk_mode(record, &state->span);
    walk_int(record, &state->released);
    walk_doubles(record, state->impulse, 3);
    walk_doubles(record, &state->impulse_at, 1);
  }
}

static void walk_stats(Record *record, sarrus_SimStats *stats) {
  walk_count(record, &stats->steps);
  walk_count(record, &stats->rejected);
  walk_count(record, &stats->factorisations);
  walk_int(record, &stats->order);
  walk_doubles(record, &stats->smallest, 1);
  walk_doubles(record, &stats->largest, 1);
  walk_doubles(record, &stats->moved, 1);
  walk_doubles(record, &stats->moved_velocity, 1);
}

static void walk_notes(Record *record, sarrus_Sim *sim) {
  walk_count(record, &sim->notes.singular);
  walk_count(record, &sim->notes.stiff);
  walk_doubles(record, &sim->notes.singular_at, 1);
  walk_doubles(record, &sim->notes.stiff_at, 1);
  walk_int(record, &sim->notes.stiff_column);
  walk_int(record, &sim->short_steps);
}

static int is_permutation(const int *order, int size, int *seen) {
  for (int i = 0; i < size; i++)
    seen[i] = 0;
  for (int i = 0; i < size; i++)
    if (order[i] < 0 || order[i] >= size || seen[order[i]]++) return 0;
  return 1;
}

/* None has been chosen yet: all is in its own place. */
static void write_no_order(Record *record, Kkt *kkt) {
  int rank = 0;
  walk_int(record, &rank);
  walk_int(record, &kkt->off_diagonal);
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < kkt->size; i++) {
      int place = i;
      walk_int(record, &place);
    }
}

/* The order of elimination; without it rounding would go another way. */
static void walk_order(Record *record, Kkt *kkt) {
  if (kkt->size == 0) return;
  if (kkt->sparse == NULL && record->mode != READ) {
    write_no_order(record, kkt);
    return;
  }
  if (kkt_sparse(kkt) == NULL) {
    fail(record, SARRUS_NOMEM);
    return;
  }
  int rank = sparse_rank(kkt->sparse);
  int *rows = sparse_rows(kkt->sparse), *columns = sparse_columns(kkt->sparse);
  walk_int(record, &rank);
  walk_int(record, &kkt->off_diagonal);
  walk_ints(record, rows, kkt->size);
  walk_ints(record, columns, kkt->size);
  if (record->mode != READ || record->status < 0) return;
  int *seen = sparse_scratch(kkt->sparse);
  const int order = rank >= 0 && rank <= kkt->size && is_permutation(rows, kkt->size, seen) &&
                    is_permutation(columns, kkt->size, seen);
  fail(record, order ? kkt_follow(kkt, rank) : SARRUS_FORMAT);
}

/* Everything that what comes next depends on; the expansion at `to` is made again from it. */
static void walk_state(Record *record, sarrus_Sim *sim) {
  Kkt *kkt = sim->maker.expansion->kkt;
  Work *work = sim->maker.expansion->work;
  const int switches = sim->system->tape->switch_count;
  walk_doubles(record, sim->parameters, sim->parameter_count);
  walk_doubles(record, sim->maker.scale, sim->maker.variables);
  walk_doubles(record, sim->maker.least, sim->maker.n);
  walk_doubles(record, sim->maker.span.c,
               (ptrdiff_t)(sim->maker.capacity + 2) * sim->maker.variables);
  walk_doubles(record, &sim->maker.span.unit, 1);
  walk_doubles(record, &sim->maker.natural, 1);
  walk_doubles(record, &sim->maker.fastest, 1);
  walk_doubles(record, &sim->maker.held, 1);
  walk_doubles(record, &work->unit, 1);
  walk_int(record, &sim->maker.span.order);
  walk_int(record, &sim->maker.pole);
  walk_point(record, &sim->maker.span.from, sim->maker.n);
  walk_point(record, &sim->maker.to, sim->maker.n);
  walk_doubles(record, &sim->maker.span.h, 1);
  walk_doubles(record, &sim->maker.span.until, 1);
  walk_doubles(record, &sim->now, 1);
  walk_int(record, &sim->maker.direction);
  walk_int(record, &sim->changed);
  walk_int(record, &sim->maker.broken);
  walk_int(record, &sim->started);
  walk_doubles(record, &sim->maker.margin, 1);
  walk_doubles(record, &sim->maker.best_margin, 1);
  walk_doubles(record, &sim->maker.began, 1);
  walk_int(record, &sim->ended);
  walk_doubles(record, &sim->ended_since, 1);
  walk_int(record, &sim->maker.order);
  walk_int(record, &kkt->dependent_count);
  walk_ints(record, kkt->dependent, kkt->m);
  walk_doubles(record, kkt->row, kkt->size);
  walk_doubles(record, kkt->column, kkt->size);
  walk_order(record, kkt);
  walk_doubles(record, sim->maker.expansion->guess, sim->maker.variables);
  walk_contacts(record, sim);
  walk_ints(record, work->branch, switches);
  walk_ints(record, work->forced, switches);
  walk_events(record, sim);
  walk_stats(record, &sim->maker.stats);
  walk_notes(record, sim);
}

static unsigned long long fingerprint(const sarrus_System *system, const sarrus_Events *events) {
  unsigned long long h = tape_fingerprint(system->tape);
  if (system->arguments.tape != NULL) h = h * 31 + tape_fingerprint(system->arguments.tape);
  if (events == NULL) return h;
  h = h * 31 + tape_fingerprint(events->tape);
  for (int i = 0; i < events->count; i++)
    h = h * 31 + (unsigned long long)(events->directions[i] + 1);
  for (int i = 0; i < events->watch_count; i++) {
    const Watch *watch = &events->watches[i];
    h = ((h * 31 + (unsigned)watch->event) * 31 + (unsigned)watch->contact) * 31 +
        (unsigned)watch->change;
  }
  return h;
}

static unsigned long long checksum(const char *bytes, size_t count) {
  unsigned long long h = 14695981039346656037u;
  for (size_t i = 0; i < count; i++)
    h = (h ^ (unsigned char)bytes[i]) * 1099511628211u;
  return h;
}

/* --- writing ----------------------------------------------------------------------------- */

static void write_record(Record *record, sarrus_Sim *sim, const double *extra, int extras) {
  unsigned long long head[3] = {FORMAT_VERSION, BYTE_ORDER_MARK,
                                fingerprint(sim->system, sim->events)};
  char magic[sizeof MAGIC];
  memcpy(magic, MAGIC, sizeof MAGIC);
  walk_bytes(record, magic, sizeof magic);
  walk_bytes(record, head, sizeof head);
  walk_options(record, &sim->maker.options);
  walk_int(record, &extras);
  for (int i = 0; i < extras; i++) {
    double x = extra[i];
    walk_doubles(record, &x, 1);
  }
  walk_state(record, sim);
}

size_t sarrus_sim_save(const sarrus_Sim *sim, const double *extra, int extras, char *to,
                       size_t size) {
  sarrus_Sim *source = (sarrus_Sim *)sim; /* only read, in these modes */
  Record record = {.mode = MEASURE};
  unsigned long long sum;
  if (extras < 0 || extras > MOST_EXTRAS || (extras > 0 && extra == NULL)) return 0;
  write_record(&record, source, extra, extras);
  if (record.status < 0) return 0;
  const size_t needed = record.at + sizeof sum;
  if (to == NULL || size < needed) return needed;
  record = (Record){.mode = WRITE, .to = to, .size = size};
  write_record(&record, source, extra, extras);
  sum = checksum(to, record.at);
  memcpy(to + record.at, &sum, sizeof sum);
  return needed;
}

/* --- reading ----------------------------------------------------------------------------- */

static sarrus_Status read_head(Record *record, const sarrus_System *system,
                               const sarrus_Events *events) {
  char magic[sizeof MAGIC];
  unsigned long long head[3], sum;
  if (record->size < sizeof magic + sizeof head + sizeof sum) return SARRUS_FORMAT;
  walk_bytes(record, magic, sizeof magic);
  walk_bytes(record, head, sizeof head);
  if (memcmp(magic, MAGIC, sizeof MAGIC) != 0 || head[1] != BYTE_ORDER_MARK) return SARRUS_FORMAT;
  if (head[0] != FORMAT_VERSION) return SARRUS_VERSION;
  record->size -= sizeof sum;
  memcpy(&sum, record->from + record->size, sizeof sum);
  if (sum != checksum(record->from, record->size)) return SARRUS_FORMAT;
  return head[2] == fingerprint(system, events) ? SARRUS_OK : SARRUS_FORMAT;
}

static int is_count(long long x) { return 0 <= x && x <= (1LL << 62); }
static int within(int x, int least, int most) { return least <= x && x <= most; }
static int is_flag(int x) { return within(x, 0, 1); }

/*
** A checksum can be forged: whatever serves as an index or a count must be one, and no number gets in that is not
** finite.
*/

/* What compensated addition left over is no more than rounding of the times it added. */
static int point_plausible(const sarrus_Sim *sim, const Point *point) {
  const double largest = fabs(point->t) + sim->maker.stats.largest;
  return isfinite(point->t) && fabs(point->t_low) <= 4 * DBL_EPSILON * largest &&
         vector_finite(point->q, sim->maker.n) && vector_finite(point->v, sim->maker.n);
}

static int all_positive(const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (!(x[i] > 0 && isfinite(x[i]))) return 0;
  return 1;
}

static int all_finite_sizes(const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (!(x[i] >= 0 && isfinite(x[i]))) return 0;
  return 1;
}

/* A power of two, as units of time are, whose square is in range. */
static int is_unit(double x) {
  int bits;
  return x > 0 && isfinite(x) && frexp(x, &bits) == 0.5 && within(bits, -500, 500);
}

/* Units and what steps are compared with. */
static int measures_plausible(const sarrus_Sim *sim) {
  const double sizes[] = {sim->maker.natural,        sim->maker.held,
                          sim->maker.margin,         sim->maker.best_margin,
                          sim->maker.stats.smallest, sim->maker.stats.largest};
  return is_unit(sim->maker.span.unit) && is_unit(sim->maker.expansion->work->unit) &&
         isfinite(sim->maker.began) && all_finite_sizes(sizes, sizeof sizes / sizeof *sizes);
}

/* Positions and velocities of one coordinate cannot overflow anywhere in the span. */
static int reach_plausible(const sarrus_Sim *sim, int coordinate) {
  const double reach =
      (fabs(sim->maker.span.until - sim->maker.span.from.t) + fabs(sim->maker.span.from.t_low)) /
      sim->maker.span.unit;
  double position = 0, velocity = 0;
  for (int k = sim->maker.span.order + 1; k >= 0; k--) {
    const double size = fabs(sim->maker.span.c[(ptrdiff_t)k * sim->maker.variables + coordinate]);
    position = position * reach + size;
    if (k > 0) velocity = velocity * reach + k * size;
  }
  return isfinite(position) && isfinite(velocity);
}

/* Coordinates to t^(K+1), multipliers to t^(K-1); nothing is known of what lies beyond. */
static int series_plausible(const sarrus_Sim *sim) {
  for (int j = 0; sim->maker.span.order > 0 && j < sim->maker.n; j++)
    if (!reach_plausible(sim, j)) return 0;
  for (int k = 0; sim->maker.span.order > 0 && k <= sim->maker.span.order + 1; k++) {
    const int known = k < sim->maker.span.order ? sim->maker.variables : sim->maker.n;
    if (!vector_finite(sim->maker.span.c + (ptrdiff_t)k * sim->maker.variables, known)) return 0;
  }
  return 1;
}

/* Where it stands: in the span or at the beginning of the next; nowhere before a start, or after one that failed. */
static int place_plausible(const sarrus_Sim *sim) {
  const double first = fmin(sim->maker.span.from.t, sim->maker.span.until),
               last = fmax(sim->maker.span.from.t, sim->maker.span.until);
  const int flags = is_flag(sim->maker.pole) && is_flag(sim->changed) &&
                    is_flag(sim->maker.broken) && is_flag(sim->started) &&
                    (sim->maker.direction == 1 || sim->maker.direction == -1);
  if (!flags || !within(sim->maker.span.order, 0, sim->maker.capacity) ||
      sim->maker.span.order == 1 || !vector_finite(sim->parameters, sim->parameter_count) ||
      !all_positive(sim->maker.least, sim->maker.n))
    return 0;
  if (!sim->started) return sim->maker.broken;
  return point_plausible(sim, &sim->maker.to) && point_plausible(sim, &sim->maker.span.from) &&
         isfinite(sim->maker.span.h) && isfinite(sim->maker.span.until) &&
         within(sim->maker.order, SARRUS_MIN_ORDER, sim->maker.capacity) &&
         ((first <= sim->now && sim->now <= last) || sim->now == sim->maker.to.t) &&
         all_positive(sim->maker.scale, sim->maker.n) &&
         all_finite_sizes(sim->maker.scale + sim->maker.n, sim->maker.m) &&
         measures_plausible(sim) && series_plausible(sim);
}

static int matrix_plausible(const Kkt *kkt) {
  int dependent = 0;
  if (!all_positive(kkt->row, kkt->size) || !all_positive(kkt->column, kkt->size)) return 0;
  for (int i = 0; i < kkt->m; i++) {
    if (!within(kkt->dependent[i], KKT_KEPT, KKT_OFF)) return 0;
    dependent += kkt->dependent[i] == KKT_DEPENDENT;
  }
  return dependent == kkt->dependent_count && is_flag(kkt->off_diagonal);
}

static int switches_plausible(const sarrus_Sim *sim) {
  const Tape *tape = sim->system->tape;
  const Work *work = sim->maker.expansion->work;
  for (int i = 0; i < tape->switch_count; i++) {
    const int table = tape->switches[i].table;
    const int good = table == SARRUS_NONE ? within(work->branch[i], -1, 1)
                                          : within(work->branch[i], 0, tape->tables[table].count);
    if (!good || !is_flag(work->forced[i])) return 0;
  }
  return within(sim->ended, 0, INT_MAX / 2);
}

static int hit_plausible(const Hit *hit, int least, int events) {
  return within(hit->event, least, events - 1) && within(hit->direction, -1, 1) &&
         isfinite(hit->dt);
}

static int events_plausible(const sarrus_Sim *sim) {
  const int events = sim->events == NULL ? 0 : sim->events->count;
  if (!hit_plausible(&sim->hit, SARRUS_NONE, events) || !within(sim->hit_next, 0, sim->hit_count))
    return 0;
  for (int i = 0; i < sim->hit_count; i++)
    if (!hit_plausible(&sim->hits[i], 0, events)) return 0;
  for (int i = 0; i < events; i++) {
    const Pace *pace = &sim->paces[i];
    if (!within(pace->seen, 0, INT_MAX / 2) || !within(pace->shrinking, 0, pace->seen) ||
        !within(pace->side, -1, 1))
      return 0;
  }
  return 1;
}

static int counts_plausible(const sarrus_Sim *sim) {
  const sarrus_SimStats *stats = &sim->maker.stats;
  const sarrus_SimNotes *notes = &sim->notes;
  return is_count(stats->steps) && is_count(stats->rejected) && is_count(stats->factorisations) &&
         is_count(notes->singular) && is_count(notes->stiff) &&
         within(stats->order, 0, sim->maker.capacity) && within(sim->short_steps, 0, INT_MAX / 2) &&
         within(notes->stiff_column, 0, sim->maker.n > 0 ? sim->maker.n - 1 : 0);
}

static int mode_plausible(const sarrus_Sim *sim, int i, const ContactMode *mode) {
  const Contact *contact = &sim->system->contacts[i];
  if (mode->mode == SARRUS_OPEN && contact->gap == SARRUS_NONE) return 0;
  if (mode->mode == SARRUS_STICK && contact->slips == 0) return 0;
  return is_flag(mode->free) && within(mode->starts, 0, STARTS_SLOWLY) && is_flag(mode->idle) &&
         is_flag(mode->tied) && vector_finite(mode->direction, 2) &&
         all_finite_sizes(&mode->fastest, 1);
}

static int contacts_plausible(const sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count; i++) {
    const ContactState *state = &sim->contacts[i];
    if (!is_flag(state->released) || !vector_finite(state->impulse, 3)) return 0;
    if (sim->started && !mode_plausible(sim, i, &state->now)) return 0;
    if (sim->maker.span.order > 0 && !mode_plausible(sim, i, &state->span)) return 0;
  }
  return 1;
}

static int plausible(const sarrus_Sim *sim) {
  return place_plausible(sim) && matrix_plausible(sim->maker.expansion->kkt) &&
         switches_plausible(sim) && events_plausible(sim) && contacts_plausible(sim) &&
         counts_plausible(sim);
}

static sarrus_Status read_extras(Record *record, double *extra, int *extras) {
  int count = 0;
  const int room = *extras;
  walk_int(record, &count);
  if (record->status < 0 || count < 0 || count > MOST_EXTRAS) return SARRUS_FORMAT;
  for (int i = 0; i < count; i++) {
    double x = 0;
    walk_doubles(record, &x, 1);
    if (i < room && extra != NULL) extra[i] = x;
  }
  *extras = count;
  return count > room ? SARRUS_LIMIT : SARRUS_OK;
}

sarrus_Status sarrus_sim_restore(sarrus_Memory memory, const sarrus_System *system,
                                 const sarrus_Events *events, const char *data, size_t size,
                                 double *extra, int *extras, sarrus_Sim **result) {
  Record record = {.mode = READ, .from = data, .size = size};
  sarrus_SimOptions options = {0};
  sarrus_Sim *sim;
  *result = NULL;
  SARRUS_TRY(read_head(&record, system, events));
  walk_options(&record, &options);
  SARRUS_TRY(read_extras(&record, extra, extras));
  sarrus_Status status = sarrus_sim_new(memory, system, events, &options, &sim);
  if (status == SARRUS_ARGUMENT) return SARRUS_FORMAT; /* no options */
  SARRUS_TRY(status);
  walk_state(&record, sim);
  status = record.status;
  if (status == SARRUS_OK && (record.at != record.size || !plausible(sim))) status = SARRUS_FORMAT;
  for (int i = 0; status == SARRUS_OK && i < sim->maker.m; i++)
    sim->off[i] = sim->maker.expansion->kkt->dependent[i] == KKT_OFF;
  if (status == SARRUS_OK) sim_write_modes(sim);
  if (status == SARRUS_OK && !sim->maker.broken) {
    work_reset(sim->maker.expansion->work); /* its series of time is in the unit that was read */
    status = maker_prepare(&sim->maker, &sim->maker.to);
    sim->maker.stats.factorisations--; /* it repeats one that was counted */
  }
  if (status < 0) {
    sarrus_sim_free(sim);
    return status == SARRUS_NOMEM ? status : SARRUS_FORMAT;
  }
  *result = sim;
  return SARRUS_OK;
}

sarrus_Status sarrus_sim_clone(const sarrus_Sim *sim, sarrus_Sim **copy) {
  const sarrus_Memory memory = sim->memory;
  const size_t size = sarrus_sim_save(sim, NULL, 0, NULL, 0);
  int extras = 0;
  *copy = NULL;
  char *record = size == 0 ? NULL : memory.alloc(memory.ud, NULL, 0, size);
  if (record == NULL) return SARRUS_NOMEM;
  sarrus_sim_save(sim, NULL, 0, record, size);
  const sarrus_Status status =
      sarrus_sim_restore(memory, sim->system, sim->events, record, size, NULL, &extras, copy);
  memory.alloc(memory.ud, record, size, 0);
  if (status == SARRUS_OK) {
    (*copy)->maker.options.cancelled = sim->maker.options.cancelled;
    (*copy)->maker.options.ud = sim->maker.options.ud;
    sarrus_sim_on_step(*copy, sim->stepped, sim->stepped_ud);
  }
  return status;
}
