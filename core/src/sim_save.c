/*
** Saving and restoring.
**
** A record is: eight bytes of magic, then numbers of eight bytes each in the machine's order:
** version, a mark by which another byte order shows, the fingerprint of system and events, the
** counts, the state; last a checksum of all before it.  One function walks the state; it serves to
** measure, to write and to read.
*/
#include <math.h>
#include <string.h>

#include "checksum.h"
#include "sarrus/sim_tangent.h"
#include "sim_parts.h"
#include "vector.h"

static const char MAGIC[8] = {'s', 'a', 'r', 'r', 'u', 's', '\032', '\n'};
enum { FORMAT_VERSION = 15, MOST_EXTRAS = 1 << 16 };
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

/* Numbers that only grow; a forged one must leave them room to. */
static void walk_count(Record *record, long long *x) {
  const long long most = 1LL << 62;
  walk_bytes(record, x, sizeof *x);
  if (record->mode == READ && *x > most) *x = most;
}

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
  int method = (int)options->method;
  walk_int(record, &method);
  if (method < SARRUS_AUTO || method > SARRUS_STIFF) fail(record, SARRUS_FORMAT);
  options->method = (sarrus_Method)method;
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
  walk_doubles(record, &mode->share, 1);
}

static void walk_contacts(Record *record, sarrus_Sim *sim) {
  for (int i = 0; i < sim->system->contact_count; i++) {
    ContactState *state = &sim->contacts[i];
    walk_mode(record, &state->now);
    walk_mode(record, &state->span);
    int told = (int)state->told;
    walk_int(record, &told);
    if (told < SARRUS_OPEN || told > SARRUS_STICK) fail(record, SARRUS_FORMAT);
    state->told = (sarrus_ContactMode)told;
    walk_int(record, &state->released);
    walk_int(record, &state->load.on);
    walk_int(record, &state->load.span);
    walk_doubles(record, &state->load.was, 1);
    walk_doubles(record, &state->load.doubt, 1);
    walk_doubles(record, state->struck.impulse, 3);
    walk_doubles(record, &state->struck.at, 1);
  }
}

static void walk_stats(Record *record, sarrus_SimStats *stats) {
  walk_count(record, &stats->steps);
  walk_count(record, &stats->rejected);
  walk_count(record, &stats->factorisations);
  walk_count(record, &stats->implicit);
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

/* No order has been chosen yet: every row and column is in its own place. */
static void write_no_order(Record *record, int size) {
  int rank = 0;
  walk_int(record, &rank);
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < size; i++) {
      int place = i;
      walk_int(record, &place);
    }
}

/*
** The order of elimination; without it rounding would go another way.  Answers the rank that was
** read.
*/
static int walk_order(Record *record, Sparse *sparse, int size) {
  int rank = sparse_rank(sparse), *rows = sparse_rows(sparse), *columns = sparse_columns(sparse);
  walk_int(record, &rank);
  walk_ints(record, rows, size);
  walk_ints(record, columns, size);
  if (record->mode != READ || record->status < 0) return rank;
  int *seen = sparse_scratch(sparse);
  if (rank < 0 || rank > size || !is_permutation(rows, size, seen) ||
      !is_permutation(columns, size, seen))
    fail(record, SARRUS_FORMAT);
  return rank;
}

static void walk_kkt_order(Record *record, Kkt *kkt) {
  if (kkt->size == 0) return;
  walk_int(record, &kkt->off_diagonal);
  if (kkt->sparse == NULL && record->mode != READ) {
    write_no_order(record, kkt->size);
    return;
  }
  if ((record->mode == READ ? kkt_own_sparse(kkt) : kkt_sparse(kkt)) == NULL) {
    fail(record, SARRUS_NOMEM);
    return;
  }
  const int rank = walk_order(record, kkt->sparse, kkt->size);
  if (record->mode == READ && record->status == SARRUS_OK) fail(record, kkt_follow(kkt, rank));
}

static void walk_matrix(Record *record, Kkt *kkt) {
  walk_int(record, &kkt->dependent_count);
  if (kkt->dependent_count < 0 || kkt->dependent_count > kkt->m) fail(record, SARRUS_FORMAT);
  walk_ints(record, kkt->dependent, kkt->m);
  walk_doubles(record, kkt->row, kkt->size);
  walk_doubles(record, kkt->column, kkt->size);
  walk_kkt_order(record, kkt);
}

static int all_finite(const Implicit *implicit) {
  const Equations *equations = implicit->equations;
  const ptrdiff_t unknowns = (ptrdiff_t)equations->size * implicit->sides.width;
  return isfinite(implicit->last_h) && isfinite(implicit->last_end) &&
         vector_finite(implicit->last_x, (int)unknowns) && implicit->iterations >= 0 &&
         implicit->iterations < 1000;
}

/* What the next implicit step depends on. */
static void walk_stages(Record *record, Implicit *implicit) {
  const Equations *equations = implicit->equations;
  Shifted *matrix = &implicit->matrix;
  walk_doubles(record, implicit->last_x, (ptrdiff_t)equations->size * implicit->sides.width);
  walk_doubles(record, &implicit->last_h, 1);
  walk_doubles(record, &implicit->last_end, 1);
  walk_doubles(record, implicit->last_q, equations->n);
  walk_doubles(record, implicit->last_v, equations->n);
  walk_int(record, &implicit->iterations);
  walk_doubles(record, matrix->row, matrix->size);
  walk_doubles(record, matrix->scale, matrix->size);
  walk_ints(record, matrix->left_out, matrix->size - matrix->first);
  if (matrix->sparse == NULL && record->mode != READ) {
    write_no_order(record, matrix->size);
    return;
  }
  if (shifted_sparse(matrix) == NULL) {
    fail(record, SARRUS_NOMEM);
    return;
  }
  const int rank = walk_order(record, matrix->sparse, matrix->size);
  if (record->mode != READ || record->status < 0) return;
  if (!all_finite(implicit)) fail(record, SARRUS_FORMAT);
  fail(record, shifted_follow(matrix, rank));
}

static void walk_implicit(Record *record, sarrus_Sim *sim, Form *form) {
  int made = form->implicit != NULL;
  walk_int(record, &made);
  if (made == 0 || record->status < 0) return;
  if (form->implicit == NULL) /* reading */
    fail(record, implicit_new(sim->memory, sim->system, form->system, sim->maker.options.tolerance,
                              &form->implicit));
  if (record->status == SARRUS_OK) walk_stages(record, form->implicit);
}

static void walk_method(Record *record, Method *method) {
  walk_int(record, &method->stiff);
  walk_int(record, &method->of_span);
  walk_int(record, &method->count);
  walk_int(record, &method->wait);
  walk_count(record, &method->rejected);
  walk_doubles(record, &method->h, 1);
}

static int is_form(const sarrus_Sim *sim, int form) {
  return form >= 0 && form < FORMS && sim->forms[form].system != NULL;
}

static int can_change(const sarrus_Sim *sim) {
  return sim->system->locks > 0 || sim->system->forces > 0;
}

static int form_of_span(const sarrus_Sim *sim) {
  int form = WHOLE;
  while (sim->forms[form].system == NULL || sim->forms[form].system->m != sim->maker.span.m)
    form++;
  return form;
}

/* Which form is in use, and which the span was made with; their matrices. */
static void walk_forms(Record *record, sarrus_Sim *sim) {
  Span *span = &sim->maker.span;
  int form = sim->form, of_span = form_of_span(sim), changed = sim->forms[CHANGED].system != NULL;
  walk_int(record, &form);
  walk_int(record, &of_span);
  walk_int(record, &sim->far);
  walk_int(record, &changed);
  for (int k = 0; k < sim->system->locks; k++)
    walk_int(record, &sim->off[sim->system->m + k]);
  walk_doubles(record, sim_force_modes(sim), sim->system->forces);
  if (record->status == SARRUS_OK && record->mode == READ && changed != 0)
    fail(record, can_change(sim) ? sim_make_changed_form(sim) : SARRUS_FORMAT);
  if (!is_form(sim, form) || !is_form(sim, of_span)) fail(record, SARRUS_FORMAT);
  if (record->status < 0) return;
  span->m = sim->forms[of_span].system->m;
  span->variables = span->n + span->m;
  if (record->mode == READ) sim_point_to(sim, form);
  for (int i = 0; i < FORMS; i++)
    if (sim->forms[i].system != NULL) {
      walk_matrix(record, sim->forms[i].expansion->kkt);
      walk_implicit(record, sim, &sim->forms[i]);
    }
  walk_method(record, &sim->maker.method);
}

/* Numbers that a forged record must have, too. */
static void walk_finite(Record *record, double *x, ptrdiff_t count) {
  walk_doubles(record, x, count);
  if (record->mode == READ && record->status == SARRUS_OK && !vector_finite(x, (int)count))
    fail(record, SARRUS_FORMAT);
}

/* Directions that are followed, and their tangents on the span. */
static void walk_tangents(Record *record, sarrus_Sim *sim) {
  int directions = sarrus_sim_direction_count(sim), lost = (int)sim->jump.lost;
  walk_int(record, &directions);
  if (directions == 0 || record->status < 0) return;
  if (record->mode == READ) {
    const size_t least = (size_t)sim->maker.n * sizeof(double); /* of each, and more */
    if (directions < 0 || directions > SARRUS_MOST_DIRECTIONS ||
        (size_t)directions * least > record->size - record->at)
      fail(record, SARRUS_FORMAT);
    if (record->status == SARRUS_OK) fail(record, sim_make_directions(sim, directions));
    if (record->status < 0) return;
  }
  Tangent *tangent = sim->follow.tangent;
  const ptrdiff_t width = tangent->width, rows = tangent->n * width;
  walk_int(record, &lost);
  sim->jump.lost = lost < 0 ? (sarrus_Status)lost : SARRUS_OK;
  void (*walk)(Record *, double *, ptrdiff_t) = lost < 0 ? walk_doubles : walk_finite;
  walk(record, tangent->p, tangent->parameters * width);
  walk(record, tangent->q, rows);
  walk(record, tangent->v, rows);
  walk(record, tangent->to_q, rows);
  walk(record, tangent->to_v, rows);
  walk(record, tangent->c, (tangent->capacity + 1) * tangent->room * width);
  for (int i = 0; i < INSTANTS; i++) {
    walk_doubles(record, &sim->jump.at[i], 1);
    walk_doubles(record, sim->jump.slope[i], width);
  }
  walk_doubles(record, &sim->jump.lost_at, 1);
  memcpy(sim->here->p, tangent->p, (size_t)(tangent->parameters * width) * sizeof(double));
}

/* Everything that what comes next depends on; the expansion at `to` is made again from it. */
static void walk_state(Record *record, sarrus_Sim *sim) {
  walk_forms(record, sim);
  if (record->status < 0) return;
  Work *work = sim->maker.expansion->work;
  const int switches = sim->maker.system->tape->switch_count;
  walk_doubles(record, sim->parameters, sim->parameter_count);
  walk_doubles(record, sim->maker.scale, sim->system->room);
  walk_doubles(record, sim->maker.least, sim->maker.n);
  walk_doubles(record, sim->maker.span.c, (ptrdiff_t)(sim->maker.capacity + 2) * sim->system->room);
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
  walk_int(record, &sim->ended_contact);
  walk_int(record, &sim->maker.order);
  walk_doubles(record, &sim->maker.foreseen, 1);
  walk_doubles(record, &sim->maker.interventions.at, 1);
  walk_doubles(record, &sim->maker.interventions.interval, 1);
  walk_doubles(record, &sim->maker.interventions.expected, 1);
  walk_doubles(record, sim->maker.expansion->guess, sim->maker.variables);
  walk_doubles(record, &sim->maker.expansion->guess_most, 1);
  walk_contacts(record, sim);
  walk_ints(record, work->branch, switches);
  walk_ints(record, work->forced, switches);
  walk_events(record, sim);
  walk_stats(record, &sim->maker.stats);
  walk_notes(record, sim);
  walk_tangents(record, sim);
}

static unsigned long long fingerprint(const sarrus_System *system, const sarrus_Events *events) {
  unsigned long long h = tape_fingerprint(system->tape) + (unsigned)system->locks;
  h = (h * 31 + (unsigned)system->forces) * 31 + (unsigned)system->elements;
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
  if (status == SARRUS_OK && (record.at != record.size || !sim_is_plausible(sim)))
    status = SARRUS_FORMAT;
  const Kkt *kkt = sim->maker.expansion->kkt; /* without rows of constraints in general DAEs */
  for (int i = 0; status == SARRUS_OK && i < kkt->m; i++)
    sim->off[i] = kkt->dependent[i] == KKT_OFF;
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
