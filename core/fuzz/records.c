/*
** Records: whatever sarrus_sim_restore is given, it refuses it, or makes a simulation that works.
**
** The first byte chooses the system and how the others are meant: as the record itself, or as edits
** of a good one - which word, and what it becomes - with a checksum that fits, as an attacker would
** make it.
*/
#include "fuzz.h"

enum { SUBJECTS = 8, POINTS = 4, HEAD = 32, WORD = 8, STEPS = 6 };

typedef struct Subject {
  sarrus_System *system;
  sarrus_Events *events; /* or NULL */
  char *record;
  size_t size;
} Subject;

static Subject subjects[SUBJECTS];

/* --- systems ----------------------------------------------------------------------------- */

static sarrus_Expr of(sarrus_Graph *g, sarrus_SymbolKind kind, int i) {
  return sarrus_graph_symbol(g, kind, i);
}

static sarrus_Expr apply(sarrus_Graph *g, sarrus_Op op, sarrus_Expr a, sarrus_Expr b) {
  return sarrus_graph_apply(g, op, a, b, SARRUS_NONE);
}

static sarrus_Expr minus(sarrus_Graph *g, sarrus_Expr a) {
  return apply(g, SARRUS_OP_NEG, a, SARRUS_NONE);
}

/* Unit masses. */
static sarrus_System *mechanism(sarrus_Graph *g, int n, const sarrus_Expr *force, int constraints,
                                const sarrus_Expr *constraint, int parameters) {
  sarrus_MassEntry mass[2 * POINTS];
  sarrus_System *system;
  sarrus_Fault fault;
  for (int i = 0; i < n; i++)
    mass[i] = (sarrus_MassEntry){i, i, sarrus_graph_constant(g, 1)};
  const sarrus_SystemSpec spec = {.graph = g,
                                  .coordinates = n,
                                  .masses = n,
                                  .mass = mass,
                                  .lagrangian = SARRUS_NONE,
                                  .force = force,
                                  .constraints = constraints,
                                  .constraint = constraint,
                                  .parameters = parameters};
  PROMISE(sarrus_system_new(sarrus_memory_default(), &spec, &system, &fault) == SARRUS_OK);
  return system;
}

/* x'' = -k x */
static sarrus_System *oscillator(sarrus_Graph *g) {
  const sarrus_Expr k = of(g, SARRUS_PARAMETER, 0);
  const sarrus_Expr force = minus(g, apply(g, SARRUS_OP_PRODUCT, k, of(g, SARRUS_Q, 0)));
  return mechanism(g, 1, &force, 0, NULL, 1);
}

/* Points on circles; `extra` repeats the first constraint, so that one depends on the others. */
static sarrus_System *pendulums(sarrus_Graph *g, int points, int extra) {
  sarrus_Expr force[2 * POINTS], constraint[POINTS + 1];
  for (int i = 0; i < points; i++) {
    const sarrus_Expr x2 = sarrus_graph_power(g, of(g, SARRUS_Q, 2 * i), 2);
    const sarrus_Expr y2 = sarrus_graph_power(g, of(g, SARRUS_Q, 2 * i + 1), 2);
    constraint[i] = sarrus_graph_linear(g, -1, 2, (sarrus_Term[]){{1, x2}, {1, y2}});
    force[2 * i] = sarrus_graph_constant(g, 0);
    force[2 * i + 1] = sarrus_graph_constant(g, -9.81);
  }
  constraint[points] = constraint[0];
  return mechanism(g, 2 * points, force, points + extra, constraint, 0);
}

/* x'' = -table(x) - |x'| x' */
static sarrus_System *piecewise(sarrus_Graph *g) {
  const double x[] = {-1, -0.5, 0.25, 1}, y[] = {-2, -0.25, 0.5, 1};
  const sarrus_Expr q = of(g, SARRUS_Q, 0), v = of(g, SARRUS_V, 0);
  const sarrus_Expr spring = sarrus_graph_table(g, sarrus_graph_new_table(g, 4, x, y), 0, q);
  const sarrus_Expr size = apply(g, SARRUS_OP_ABS, v, SARRUS_NONE);
  const sarrus_Expr drag = apply(g, SARRUS_OP_PRODUCT, size, v);
  const sarrus_Expr force = minus(g, apply(g, SARRUS_OP_ADD, spring, drag));
  return mechanism(g, 1, &force, 0, NULL, 0);
}

/* x' = -y, 0 = y + y^3/8 - x */
static sarrus_System *dae(sarrus_Graph *g) {
  const sarrus_Expr x = of(g, SARRUS_Q, 0), y = of(g, SARRUS_LAMBDA, 0);
  const sarrus_Expr rate = minus(g, y), cube = sarrus_graph_power(g, y, 3);
  const sarrus_Expr rest =
      sarrus_graph_linear(g, 0, 3, (sarrus_Term[]){{1, y}, {0.125, cube}, {-1, x}});
  const sarrus_DaeSpec spec = {g, 1, 1, &rate, &rest, 0};
  sarrus_System *system;
  sarrus_Fault fault;
  int index;
  PROMISE(sarrus_system_new_dae(sarrus_memory_default(), &spec, &system, &index, &fault) ==
          SARRUS_OK);
  return system;
}

/*
** Two balls that fall on floors far below and just below, the second on a spring that may be let
** go, and be lifted; lock 0 holds the first.
*/
static sarrus_System *balls(sarrus_Graph *g) {
  const sarrus_Expr one = sarrus_graph_constant(g, 1), pull = sarrus_graph_constant(g, -1);
  const sarrus_Expr x = of(g, SARRUS_Q, 0), y = of(g, SARRUS_Q, 1), lock = of(g, SARRUS_V, 0);
  const sarrus_Expr spring = minus(g, y);
  const sarrus_MassEntry mass[] = {{0, 0, one}, {1, 1, one}};
  const sarrus_Expr force[] = {pull, apply(g, SARRUS_OP_ADD, spring, pull)};
  const sarrus_ForceShare share = {0, 1, spring};
  const sarrus_Element element = {0, y, SARRUS_NONE, spring};
  sarrus_Contact contact[2];
  for (int i = 0; i < 2; i++)
    contact[i] = (sarrus_Contact){
        .gap = sarrus_graph_linear(g, i == 0 ? 500 : 1.5, 1, (sarrus_Term[]){{1, i == 0 ? x : y}}),
        .slip = {SARRUS_NONE, SARRUS_NONE},
        .friction = SARRUS_NONE,
        .static_friction = SARRUS_NONE,
        .restitution = sarrus_graph_constant(g, 0.5)};
  const sarrus_SystemSpec spec = {.graph = g,
                                  .coordinates = 2,
                                  .masses = 2,
                                  .mass = mass,
                                  .lagrangian = SARRUS_NONE,
                                  .force = force,
                                  .contacts = 2,
                                  .contact = contact,
                                  .locks = 1,
                                  .lock = &lock,
                                  .forces = 1,
                                  .shares = 1,
                                  .share = &share,
                                  .elements = 1,
                                  .element = &element};
  sarrus_System *system;
  sarrus_Fault fault;
  PROMISE(sarrus_system_new(sarrus_memory_default(), &spec, &system, &fault) == SARRUS_OK);
  return system;
}

static sarrus_System *make_system(int which, sarrus_Graph *g) {
  switch (which) {
    case 0: return oscillator(g);
    case 1: return pendulums(g, 1, 0);
    case 2: return pendulums(g, POINTS, 1);
    case 3: return piecewise(g);
    case 4: return dae(g);
    default: return balls(g);
  }
}

/* A good record, from the middle of a motion; all but the large system have events. */
static void make_subject(int which) {
  Subject *subject = &subjects[which];
  const sarrus_Memory memory = sarrus_memory_default();
  const double q[2 * POINTS] = {1, 0, 0, -1, 0.6, -0.8, -1, 0}, v[2 * POINTS] = {0};
  const sarrus_SimOptions options = {.order = which == 1 ? 8 : 0,
                                     .max_step = which == 3 ? 0.5 : 0,
                                     .method = which >= 6 ? SARRUS_STIFF : SARRUS_AUTO};
  sarrus_Graph *g = sarrus_graph_new(memory);
  sarrus_Sim *sim;
  PROMISE(g != NULL);
  subject->system = make_system(which, g);
  const sarrus_Expr when[] = {of(g, SARRUS_Q, 0), of(g, SARRUS_V, 0)};
  if (which != 2 && which != 4)
    PROMISE(sarrus_events_new(memory, g, 2, when, (sarrus_Direction[]){SARRUS_BOTH, SARRUS_DOWN},
                              which == 0, &subject->events) == SARRUS_OK);
  sarrus_graph_free(g);
  PROMISE(sarrus_sim_new(memory, subject->system, subject->events, &options, &sim) == SARRUS_OK);
  if (which == 0) PROMISE(sarrus_sim_preset(sim, 0, 1) == SARRUS_OK);
  PROMISE(sarrus_sim_start(sim, 0, q, v) == SARRUS_OK);
  for (int i = 0; i < 3; i++)
    PROMISE(sarrus_sim_advance(sim, 1.7) >= 0);
  if (which == 6) {
    PROMISE(sarrus_sim_lock(sim, 0, 1) == SARRUS_OK);
    PROMISE(sarrus_sim_release_force(sim, 0, 1) == SARRUS_OK);
  }
  subject->size = sarrus_sim_save(sim, NULL, 0, NULL, 0);
  subject->record = malloc(subject->size);
  PROMISE(subject->record != NULL);
  PROMISE(sarrus_sim_save(sim, NULL, 0, subject->record, subject->size) == subject->size);
  sarrus_sim_free(sim);
}

/* --- what is restored must work ---------------------------------------------------------- */

static void forge(char *record, size_t size) {
  unsigned long long sum = 14695981039346656037u;
  for (size_t i = 0; i < size - sizeof sum; i++)
    sum = (sum ^ (unsigned char)record[i]) * 1099511628211u;
  memcpy(record + size - sizeof sum, &sum, sizeof sum);
}

static void move(sarrus_Sim *sim, const Subject *subject) {
  double size, g, w, impulse[2 * POINTS] = {0.1};
  int left = STEPS;
  sarrus_sim_on_cancel(sim, enough, &left);
  const int event = sarrus_sim_event(sim, NULL);
  PROMISE(event >= -1 && event < 2 && (subject->events != NULL || event == -1));
  promise_state(sim, subject->system);
  for (int i = 0; i < 2; i++)
    sarrus_sim_step(sim, &size);
  promise_state(sim, subject->system);
  sarrus_sim_advance(sim, sarrus_sim_time(sim) - 1);
  sarrus_sim_residual(sim, &g, &w);
  sarrus_sim_impulse(sim, impulse);
  sarrus_sim_set(sim, 0, 1.5);
  sarrus_sim_lock(sim, 0, !sarrus_sim_locked(sim, 0));
  sarrus_sim_advance(sim, sarrus_sim_time(sim) + 2);
  promise_state(sim, subject->system);
}

static void try_record(const Subject *subject, const char *record, size_t size, long fail_at) {
  Heap heap = {.fail_at = fail_at};
  double extra[4];
  int extras = 4;
  sarrus_Sim *sim, *copy = NULL;
  const sarrus_Status status = sarrus_sim_restore(
      heap_memory(&heap), subject->system, subject->events, record, size, extra, &extras, &sim);
  PROMISE((status == SARRUS_OK) == (sim != NULL));
  if (status < 0) {
    const int known = status == SARRUS_FORMAT || status == SARRUS_VERSION ||
                      status == SARRUS_LIMIT || status == SARRUS_NOMEM;
    PROMISE(known && heap.blocks == 0);
    return;
  }
  move(sim, subject);
  const sarrus_Status cloned =
      sarrus_sim_clone(sim, &copy); /* what it has become is a record too */
  PROMISE(cloned == SARRUS_OK || cloned == SARRUS_NOMEM);
  if (copy != NULL) move(copy, subject);
  sarrus_sim_free(copy);
  sarrus_sim_free(sim);
  PROMISE(heap.blocks == 0);
}

static void edit(Bytes *bytes, char *record, size_t size) {
  static const long long words[] = {0, 1, -1, 2, 3, 64, 65, INT_MAX, INT_MIN, LLONG_MAX};
  while (bytes->at < bytes->end) {
    const size_t at = (size_t)(take(bytes) * 256 + take(bytes)) % ((size - HEAD) / WORD - 1);
    const int kind = take(bytes);
    const double number = take_number(bytes);
    if (kind < 128)
      memcpy(record + HEAD + at * WORD, &number, sizeof number);
    else
      memcpy(record + HEAD + at * WORD, &words[kind % 10], sizeof words[0]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes bytes = {data, data + size};
  const int choice = take(&bytes), fail_at = take(&bytes);
  const Subject *subject = &subjects[choice % SUBJECTS];
  if (subject->system == NULL)
    for (int i = 0; i < SUBJECTS; i++)
      make_subject(i);
  if (choice >= 128) {
    try_record(subject, (const char *)bytes.at, (size_t)(bytes.end - bytes.at), 0);
    return 0;
  }
  char *record = malloc(subject->size);
  PROMISE(record != NULL);
  memcpy(record, subject->record, subject->size);
  edit(&bytes, record, subject->size);
  forge(record, subject->size);
  try_record(subject, record, subject->size, fail_at < 128 ? 0 : fail_at - 127);
  free(record);
  return 0;
}
