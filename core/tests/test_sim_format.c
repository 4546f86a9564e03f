/*
** The format of records: how long they are, in closed form, from which version on; whose they are.
** Whoever changes what a record holds changes its length here, and the version.
*/
#include "contacts.h"
#include "implicit_parts.h"
#include "sarrus/sim_tangent.h"
#include "sim_parts.h"

enum { RECORD = 1 << 17, K = 10 };

static char record[RECORD];

/* Numbers of a matrix: which rows depend on others, scales, the order of elimination. */
static size_t numbers_of_matrix(const sarrus_System *system) {
  const size_t m = (size_t)system->m, size = (size_t)(system->n + system->m);
  return 1 + m + 2 * size + (2 + 2 * size) + 1; /* besides, whether stages were made */
}

/* Of everything else that belongs to the system: coordinates, parameters, contacts, functions. */
static size_t numbers_of_state(const sarrus_Sim *sim) {
  const sarrus_System *system = sim->system;
  const size_t n = (size_t)system->n, room = (size_t)system->room;
  const size_t forms = 4 + (size_t)system->locks + (size_t)system->forces, method = 6;
  const size_t span = (K + 2) * room + 7 + 3, points = 2 * (2 + 2 * n), maker = 4 + 3 + 3 + 3 + 3;
  const size_t mode = 1 + 2 + 2 + 1 + 2 + 1, contact = 2 * mode + 2 + 2 + 2 + 3 + 1;
  const size_t stats = 4 + 1 + 4, notes = 2 + 2 + 2;
  return forms + method + (size_t)sim->parameter_count + room + n + span + points + maker +
         (size_t)sim->maker.variables + contact * (size_t)system->contact_count +
         2 * (size_t)sim->maker.system->tape->switch_count + stats + notes;
}

static size_t numbers_of_events(const sarrus_Sim *sim) {
  const size_t events = sim->events == NULL ? 0 : (size_t)sim->events->count;
  return 2 + 3 * ((size_t)sim->hit_count + 1) + 6 * events;
}

/* Directions, in pairs: the room that they take is even. */
static size_t numbers_of_tangents(const sarrus_Sim *sim) {
  if (sim->follow.tangent == NULL) return 1;
  const size_t width = (size_t)sim->follow.tangent->width, n = (size_t)sim->system->n;
  const size_t series = (size_t)(sim->follow.tangent->capacity + 1) * (size_t)sim->system->room;
  const size_t instants = 3 * (1 + width);
  return 2 + ((size_t)sim->parameter_count + 4 * n + series) * width + instants + 1;
}

/* Eight bytes each: what it is, the options, the caller's numbers, the state, the checksum. */
static size_t length_of(const sarrus_Sim *sim, size_t extras) {
  const size_t head = 1 + 3, options = 7;
  size_t numbers = head + options + 1 + extras + numbers_of_state(sim) + numbers_of_events(sim) +
                   numbers_of_tangents(sim) + 1;
  for (int i = 0; i < FORMS; i++)
    if (sim->forms[i].system != NULL) numbers += numbers_of_matrix(sim->forms[i].system);
  return 8 * numbers;
}

static void check_length(const sarrus_Sim *sim) {
  CHECK_INT(sarrus_sim_save(sim, NULL, 0, NULL, 0), length_of(sim, 0));
  CHECK_INT(sarrus_sim_save(sim, NULL, 0, record, sizeof record), length_of(sim, 0));
}

static const sarrus_SimOptions of_order = {.order = K};

/* --- lengths ------------------------------------------------------------------------------- */

TEST(records_of_what_is_smooth) {
  for (int i = 0; i < 3; i++) {
    const double q[] = {0, -1}, v[] = {1, 0};
    Run run;
    Parts *p = i == 0 ? oscillator() : i == 1 ? pendulum(sarrus_memory_default()) : NULL;
    if (i == 2 && (p = oscillator()) != NULL) /* functions that change their branch */
      p->force[0] = add(p->g, p->force[0], unary(p->g, SARRUS_OP_ABS, p->q[0]));
    if (run_new(&run, p, &of_order) && CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) {
      check_length(run.sim);
      CHECK_OK(sarrus_sim_advance(run.sim, 0.5));
      check_length(run.sim);
    }
    run_free(&run);
  }
}

/* An event more is a pace more; zeros that are still to come are told, too. */
TEST(records_of_events) {
  const double q = 0.5, v = 0;
  for (int events = 1; events <= 3; events++) {
    Run run;
    Parts *p = oscillator();
    REQUIRE(p != NULL);
    const sarrus_Expr when[] = {p->q[0], p->v[0], sub(p->g, p->t, constant(p->g, 0.01))};
    const sarrus_Direction both[] = {SARRUS_BOTH, SARRUS_BOTH, SARRUS_BOTH};
    if (run_with_events(&run, p, &of_order, events, when, both) &&
        CHECK_OK(sarrus_sim_preset(run.sim, 0, 1)) &&
        CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v)))
      for (int i = 0; i < 4; i++) {
        double size;
        check_length(run.sim);
        CHECK(sarrus_sim_step(run.sim, &size) >= 0);
      }
    run_free(&run);
  }
}

/* Contacts that have gaps have a lean form beside the whole one. */
TEST(records_of_contacts) {
  for (int i = 0; i < 3; i++) {
    const double q[] = {0, 2, 0}, v[] = {0.5, 0, 0};
    Run run;
    Parts *p = i == 0 ? rubbed() : i == 1 ? block(0.1) : rod(0.3, 0.5);
    if (run_new(&run, p, &of_order)) {
      for (int k = 0; k < run.sim->parameter_count; k++)
        CHECK_OK(sarrus_sim_preset(run.sim, k, 0.1));
      CHECK_OK(sarrus_sim_start(run.sim, 0, q, v));
      check_length(run.sim);
      CHECK_OK(sarrus_sim_advance(run.sim, 0.25));
      check_length(run.sim);
    }
    run_free(&run);
  }
}

/* The form of changes comes with the first of them, and stays. */
TEST(records_of_changes) {
  const double q[] = {0, 0}, v[] = {1, 2};
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->spec.lock = p->v;
  p->spec.locks = 2;
  if (run_new(&run, p, &of_order) && CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) {
    check_length(run.sim);
    CHECK_OK(sarrus_sim_lock(run.sim, 0, 1));
    check_length(run.sim);
    CHECK_OK(sarrus_sim_lock(run.sim, 0, 0));
    check_length(run.sim);
  }
  run_free(&run);
}

/* What directions do follows them through the record: tangents go on bit for bit. */
TEST(records_of_directions) {
  for (int count = 1; count <= 3; count++) {
    const double q = 1, v = 0, dq[] = {1, 0, 2}, dv[] = {0, 1, 0}, dp[] = {0, 0, 1};
    Run run;
    sarrus_Sim *copy = NULL;
    int extras = 0;
    if (run_new(&run, oscillator(), &of_order) && CHECK_OK(sarrus_sim_preset(run.sim, 0, 1)) &&
        CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v)) &&
        CHECK_OK(sarrus_sim_directions(run.sim, count, dq, dv, dp))) {
      CHECK_OK(sarrus_sim_advance(run.sim, 0.5));
      check_length(run.sim);
      REQUIRE_OK(sarrus_sim_restore(sarrus_memory_default(), run.system, NULL, record,
                                    length_of(run.sim, 0), NULL, &extras, &copy));
      CHECK_INT(sarrus_sim_direction_count(copy), count);
      CHECK_OK(sarrus_sim_advance(run.sim, 2));
      CHECK_OK(sarrus_sim_advance(copy, 2));
      for (int i = 0; i < count; i++) {
        double one[2], two[2];
        CHECK_OK(sarrus_sim_tangent(run.sim, i, &one[0], &one[1], NULL, NULL));
        CHECK_OK(sarrus_sim_tangent(copy, i, &two[0], &two[1], NULL, NULL));
        CHECK(memcmp(one, two, sizeof one) == 0);
        CHECK_NEAR(one[0], i == 1 ? sin(2) : i == 0 ? cos(2) : 2 * cos(2) - sin(2), 1e-10);
      }
    }
    sarrus_sim_free(copy);
    run_free(&run);
  }
}

/* --- the caller's numbers ------------------------------------------------------------------ */

/* Up to 2^16 of them, each in its place; more are none. */
TEST(numbers_of_the_caller) {
  static double extra[65537], back[65537];
  Run run;
  for (int i = 0; i < 65537; i++)
    extra[i] = 0.5 * i;
  if (run_oscillator(&run, &of_order)) {
    static const int counts[] = {0, 1, 7, 65535, 65536};
    for (int i = 0; i < 5; i++)
      CHECK_INT(sarrus_sim_save(run.sim, extra, counts[i], NULL, 0),
                length_of(run.sim, (size_t)counts[i]));
    CHECK_INT(sarrus_sim_save(run.sim, extra, 65537, NULL, 0), 0);
    CHECK_INT(sarrus_sim_save(run.sim, extra, -1, NULL, 0), 0);
    const size_t size = length_of(run.sim, 65536);
    char *to = malloc(size);
    sarrus_Sim *copy;
    REQUIRE(to != NULL);
    CHECK_INT(sarrus_sim_save(run.sim, extra, 65536, to, size - 1), size); /* there is no room */
    CHECK_INT(sarrus_sim_save(run.sim, extra, 65536, to, size), size);
    for (int room = 65535; room <= 65537; room++) {
      int extras = room;
      copy = NULL;
      memset(back, 0, sizeof back);
      CHECK_STATUS(sarrus_sim_restore(sarrus_memory_default(), run.system, NULL, to, size, back,
                                      &extras, &copy),
                   room < 65536 ? SARRUS_LIMIT : SARRUS_OK);
      CHECK_INT(extras, 65536);
      CHECK(memcmp(extra, back, (size_t)(room < 65536 ? room : 65536) * sizeof *back) == 0);
      CHECK_NEAR(back[room < 65536 ? room : 65536], 0, 0); /* what is beyond stays */
      sarrus_sim_free(copy);
    }
    free(to);
  }
  run_free(&run);
}

/* --- whose they are ------------------------------------------------------------------------ */

/* Behind the first eight bytes stands the version: 15 has the lengths above. */
TEST(the_version) {
  long long version = 0;
  Run run;
  if (run_oscillator(&run, &of_order)) {
    check_length(run.sim);
    memcpy(&version, record + 8, sizeof version);
    CHECK_INT(version, 15);
  }
  run_free(&run);
}

/* A ball with two events; `which` of what they are told differs. */
static bool watched(Run *run, int which) {
  const sarrus_Memory memory = sarrus_memory_default();
  const double q = 1, v = 0;
  sarrus_Fault fault;
  Parts *p = ball();
  *run = (Run){NULL, NULL, NULL};
  if (!CHECK(p != NULL)) return false;
  const sarrus_Expr when[] = {p->v[0], which == 1 ? p->q[0] : p->t};
  const sarrus_Direction way[] = {which == 2 ? SARRUS_UP : SARRUS_DOWN,
                                  which == 3 ? SARRUS_UP : SARRUS_DOWN};
  const int events = which == 4 ? 1 : 2;
  bool made = CHECK_OK(sarrus_system_new(memory, parts_spec(p), &run->system, &fault)) &&
              CHECK_OK(sarrus_events_new(memory, p->g, events, when, way, 2, &run->events));
  if (made && which >= 5)
    made = CHECK_OK(sarrus_events_watch(run->events, which == 6, 0,
                                        which == 7 ? SARRUS_LEAVES : SARRUS_TOUCHES));
  parts_free(p);
  return made && CHECK_OK(sarrus_sim_new(memory, run->system, run->events, &of_order, &run->sim)) &&
         CHECK_OK(sarrus_sim_start(run->sim, 0, &q, &v));
}

/* A record is of one system and its events: their functions, directions, and what they watch. */
TEST(records_of_other_events) {
  enum { KINDS = 8 };
  Run run[KINDS];
  for (int i = 0; i < KINDS; i++)
    REQUIRE(watched(&run[i], i));
  for (int i = 0; i < KINDS; i++) {
    const size_t size = sarrus_sim_save(run[i].sim, NULL, 0, record, sizeof record);
    for (int k = 0; k < KINDS; k++) {
      sarrus_Sim *copy = NULL;
      int extras = 0;
      CHECK_STATUS(sarrus_sim_restore(sarrus_memory_default(), run[k].system, run[k].events, record,
                                      size, NULL, &extras, &copy),
                   i == k ? SARRUS_OK : SARRUS_FORMAT);
      sarrus_sim_free(copy);
    }
  }
  for (int i = 0; i < KINDS; i++)
    run_free(&run[i]);
}

/* So many events and watches, the first of which is told `way` and `change`. */
static bool many(Run *run, sarrus_Direction way, sarrus_Change change) {
  enum { MANY = 70 };
  const sarrus_Memory memory = sarrus_memory_default();
  const double q = 1, v = 0;
  sarrus_Fault fault;
  Parts *p = ball();
  *run = (Run){NULL, NULL, NULL};
  if (!CHECK(p != NULL)) return false;
  sarrus_Expr when[MANY];
  sarrus_Direction ways[MANY];
  for (int i = 0; i < MANY; i++) {
    when[i] = p->t;
    ways[i] = i == 0 ? way : SARRUS_UP;
  }
  bool made = CHECK_OK(sarrus_system_new(memory, parts_spec(p), &run->system, &fault)) &&
              CHECK_OK(sarrus_events_new(memory, p->g, MANY, when, ways, 2, &run->events));
  for (int i = 0; i < MANY && made; i++)
    made = CHECK_OK(sarrus_events_watch(run->events, i, 0, i == 0 ? change : SARRUS_LEAVES));
  parts_free(p);
  return made && CHECK_OK(sarrus_sim_new(memory, run->system, run->events, &of_order, &run->sim)) &&
         CHECK_OK(sarrus_sim_start(run->sim, 0, &q, &v));
}

/* However many there are, the first of them counts. */
TEST(records_of_many_events) {
  Run run[3];
  REQUIRE(many(&run[0], SARRUS_UP, SARRUS_TOUCHES));
  REQUIRE(many(&run[1], SARRUS_DOWN, SARRUS_TOUCHES));
  REQUIRE(many(&run[2], SARRUS_UP, SARRUS_LEAVES));
  const size_t size = sarrus_sim_save(run[0].sim, NULL, 0, record, sizeof record);
  CHECK_INT(size, length_of(run[0].sim, 0));
  for (int k = 0; k < 3; k++) {
    sarrus_Sim *copy = NULL;
    int extras = 0;
    CHECK_STATUS(sarrus_sim_restore(sarrus_memory_default(), run[k].system, run[k].events, record,
                                    size, NULL, &extras, &copy),
                 k == 0 ? SARRUS_OK : SARRUS_FORMAT);
    sarrus_sim_free(copy);
    run_free(&run[k]);
  }
}

/* --- ranges -------------------------------------------------------------------------------- */

/* The status of a record of the simulation as it is now; *copy is what comes of it. */
static sarrus_Status copy_of(const Run *run, sarrus_Sim **copy) {
  int extras = 0;
  const size_t size = sarrus_sim_save(run->sim, NULL, 0, record, sizeof record);
  return sarrus_sim_restore(sarrus_memory_default(), run->system, run->events, record, size, NULL,
                            &extras, copy);
}

/* Counts that no simulation reaches leave room to count on. */
TEST(counts_that_are_forged) {
  static const long long forged[] = {0, 1LL << 40, (1LL << 62) - 1, 1LL << 62, 0x7fffffffffffffff};
  Run run;
  if (run_oscillator(&run, &of_order))
    for (int i = 0; i < 5; i++) {
      sarrus_Sim *copy = NULL;
      double size;
      run.sim->maker.stats.steps = run.sim->notes.stiff = forged[i];
      REQUIRE_OK(copy_of(&run, &copy));
      CHECK_INT(run.sim->maker.stats.steps, forged[i]);
      const long long most = 1LL << 62;
      CHECK_INT(copy->maker.stats.steps, forged[i] < most ? forged[i] : most);
      CHECK_INT(copy->notes.stiff, forged[i] < most ? forged[i] : most);
      CHECK_OK(sarrus_sim_step(copy, &size));
      sarrus_sim_free(copy);
    }
  run_free(&run);
}

/* A simulation of stages, with what the next of them begins with. */
TEST(records_of_stages) {
  const sarrus_SimOptions stiff = {.method = SARRUS_STIFF};
  static const int iterations[] = {0, 1, 999, -1, 1000};
  const double q = 1, v = 0;
  double size;
  Run run;
  if (run_new(&run, oscillator(), &stiff) && CHECK_OK(sarrus_sim_preset(run.sim, 0, 1)) &&
      CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v))) {
    Implicit **implicit = &run.sim->forms[WHOLE].implicit;
    CHECK(*implicit == NULL);
    const size_t before = sarrus_sim_save(run.sim, NULL, 0, NULL, 0);
    CHECK_OK(sarrus_sim_step(run.sim, &size));
    REQUIRE(*implicit != NULL);
    const Implicit *stages = *implicit;
    const size_t unknowns = (size_t)stages->equations->size * (size_t)stages->sides.width;
    const size_t width = (size_t)stages->matrix.size, first = (size_t)stages->matrix.first;
    CHECK_INT(sarrus_sim_save(run.sim, NULL, 0, NULL, 0) - before,
              8 * (unknowns + 2 + 2 + 1 + 2 * width + (width - first) + 1 + 2 * width));
    for (int i = 0; i < 5; i++) {
      sarrus_Sim *copy = NULL;
      (*implicit)->iterations = iterations[i];
      CHECK_STATUS(copy_of(&run, &copy), i < 3 ? SARRUS_OK : SARRUS_FORMAT);
      if (copy != NULL) CHECK_INT(copy->forms[WHOLE].implicit->iterations, iterations[i]);
      sarrus_sim_free(copy);
    }
  }
  run_free(&run);
}

/* Constraints that are let go are so in the copy, and those that are not. */
TEST(records_of_released_constraints) {
  for (int released = 0; released < 4; released++) {
    const double q[] = {0, 0}, v[] = {0, 0};
    sarrus_Sim *copy = NULL;
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    for (int i = 0; i < 2; i++) {
      p->force[i] = constant(p->g, 1);
      p->constraint[i] = p->q[i];
    }
    p->spec.constraints = 2;
    if (run_new(&run, p, &of_order) && CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) {
      double speed[2];
      for (int i = 0; i < 2; i++)
        if (released >> i & 1) CHECK_OK(sarrus_sim_release(run.sim, 1, &i, 1));
      REQUIRE_OK(copy_of(&run, &copy));
      for (int i = 0; i < 2; i++)
        CHECK_INT(sarrus_sim_released(copy, i), released >> i & 1);
      CHECK_OK(sarrus_sim_impulse(copy, (const double[]){1, 1}));
      CHECK_OK(sarrus_sim_advance(copy, 2));
      CHECK_OK(sarrus_sim_state(copy, NULL, speed, NULL, NULL));
      for (int i = 0; i < 2; i++)
        CHECK_NEAR(speed[i], released >> i & 1 ? 3 : 0, 1e-14);
    }
    sarrus_sim_free(copy);
    run_free(&run);
  }
}

/* What is locked, or let go, is so in the copy, and may be engaged again there. */
TEST(records_of_locks_and_forces) {
  for (int locks = 0; locks <= 1; locks++) {
    const double q[] = {0, 0}, v[] = {1, 2};
    sarrus_Sim *copy = NULL;
    double place[2], speed[2];
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    p->force[0] = constant(p->g, 3);
    sarrus_ForceShare share = {0, 0, p->force[0]};
    p->spec.lock = p->v;
    p->spec.locks = locks;
    p->spec.share = &share;
    p->spec.shares = p->spec.forces = !locks;
    if (run_new(&run, p, &of_order) && CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) {
      CHECK_OK(locks ? sarrus_sim_lock(run.sim, 0, 1) : sarrus_sim_release_force(run.sim, 0, 1));
      REQUIRE_OK(copy_of(&run, &copy));
      check_length(copy);
      CHECK_INT(sarrus_sim_locked(copy, 0), locks);
      CHECK_OK(sarrus_sim_advance(copy, 1));
      CHECK_OK(sarrus_sim_state(copy, place, speed, NULL, NULL));
      CHECK_NEAR(speed[0], locks ? 0 : 1, 1e-15);
      CHECK_OK(locks ? sarrus_sim_lock(copy, 0, 0) : sarrus_sim_release_force(copy, 0, 0));
      CHECK_OK(sarrus_sim_advance(copy, 2));
      CHECK_OK(sarrus_sim_state(copy, place, speed, NULL, NULL));
      CHECK_NEAR(speed[0], locks ? 3 : 4, 1e-14);
      CHECK_NEAR(place[1], 4, 1e-14);
    }
    sarrus_sim_free(copy);
    run_free(&run);
  }
}
