/*
** Records carry every number that what comes next depends on: each is changed in turn, and must
** come back from the record as it was put in, alone.
*/
#include "contacts.h"
#include "sim_parts.h"

enum { MOST_NUMBERS = 64, MOST_COUNTS = 64, RECORD = 65536 };

/* Where the numbers of a simulation with one contact and an event are. */
typedef struct Places {
  int numbers, counts;
  double *number[MOST_NUMBERS];
  int *count[MOST_COUNTS];
} Places;

static void add_number(Places *p, double *x) { p->number[p->numbers++] = x; }
static void add_count(Places *p, int *x) { p->count[p->counts++] = x; }

static void add_mode(Places *p, ContactMode *mode) {
  add_number(p, &mode->fastest);
  add_number(p, &mode->share);
  add_count(p, &mode->free);
  add_count(p, &mode->idle);
  add_count(p, &mode->tied);
  add_count(p, &mode->starts);
}

static void add_contact(Places *p, ContactState *state) {
  add_mode(p, &state->now);
  add_mode(p, &state->span);
  add_number(p, &state->load.was);
  add_number(p, &state->load.doubt);
  for (int k = 0; k < 3; k++)
    add_number(p, &state->struck.impulse[k]);
  add_number(p, &state->struck.at);
  add_count(p, &state->load.on);
  add_count(p, &state->load.span);
}

static void add_events(Places *p, sarrus_Sim *sim) {
  for (int e = 0; e < sim->events->count; e++) {
    add_number(p, &sim->paces[e].last);
    add_number(p, &sim->paces[e].interval);
    add_number(p, &sim->paces[e].first);
    add_count(p, &sim->paces[e].seen); /* not less than `shrinking` */
    add_count(p, &sim->paces[e].side);
  }
  add_number(p, &sim->hit.dt);
}

static void add_maker(Places *p, sarrus_Sim *sim) {
  Maker *maker = &sim->maker;
  add_number(p, &maker->natural);
  add_number(p, &maker->fastest);
  add_number(p, &maker->held); /* the margin is found again, with the matrix */
  add_number(p, &maker->best_margin);
  add_number(p, &maker->began);
  add_number(p, &maker->interventions.at);
  add_number(p, &maker->interventions.interval);
  add_number(p, &maker->interventions.expected);
  add_number(p, &maker->stats.smallest);
  add_number(p, &maker->stats.largest);
  add_number(p, &maker->stats.moved);
  add_number(p, &maker->stats.moved_velocity);
  add_number(p, &maker->method.h);
  add_count(p, &maker->method.count);
  add_count(p, &maker->method.wait);
  add_number(p, &sim->ended_since);
  add_number(p, &sim->notes.singular_at);
  add_number(p, &sim->notes.stiff_at);
  add_count(p, &sim->ended);
  add_count(p, &sim->short_steps);
}

static Places places_of(sarrus_Sim *sim) {
  Places p = {0, 0, {NULL}, {NULL}};
  add_contact(&p, &sim->contacts[0]);
  add_events(&p, sim);
  add_maker(&p, sim);
  return p;
}

static bool copy_by_record(const Run *run, sarrus_Sim **copy) {
  static char record[RECORD];
  int extras = 0;
  *copy = NULL;
  const size_t size = sarrus_sim_save(run->sim, NULL, 0, record, sizeof record);
  return CHECK(0 < size && size <= sizeof record) &&
         CHECK_OK(sarrus_sim_restore(sarrus_memory_default(), run->system, run->events, record,
                                     size, NULL, &extras, copy));
}

static void check_copy(const Run *run, const char *what, int which) {
  const int failed = test_failed_checks;
  sarrus_Sim *copy;
  if (copy_by_record(run, &copy)) {
    const Places one = places_of(run->sim), two = places_of(copy);
    int wrong = 0;
    for (int i = 0; i < one.numbers; i++)
      wrong += memcmp(one.number[i], two.number[i], sizeof(double)) != 0;
    for (int i = 0; i < one.counts; i++)
      wrong += *one.count[i] != *two.count[i];
    CHECK_INT(wrong, 0);
  }
  if (test_failed_checks > failed) printf("  after %s %d was changed\n", what, which);
  sarrus_sim_free(copy);
}

/* A block that slides on a plane, and has touched it. */
static bool sliding(Run *run) {
  const double q[] = {0, 0.5}, v[] = {3, 0};
  if (!run_watched(run, block(0.1), 0.2, 0, q, v)) return false;
  advance(run->sim, 0.5);
  return CHECK_INT(mode_of(run->sim, 0), SARRUS_SLIP);
}

TEST(every_number_comes_back) {
  Run run;
  if (sliding(&run)) {
    const Places p = places_of(run.sim);
    check_copy(&run, "nothing", 0);
    for (int i = 0; i < p.numbers; i++) {
      const double was = *p.number[i];
      *p.number[i] = isfinite(was) ? 1.25 * fabs(was) + 0.125 : 0.125;
      check_copy(&run, "number", i);
      *p.number[i] = was;
    }
    for (int i = 0; i < p.counts; i++) {
      const int was = *p.count[i];
      *p.count[i] = was == 0 ? 1 : was - 1;
      check_copy(&run, "count", i);
      *p.count[i] = was;
    }
  }
  run_free(&run);
}

/* Saved again, what was restored gives the same record. */
TEST(records_of_copies_are_the_same) {
  static char one[RECORD], two[RECORD];
  Run run;
  sarrus_Sim *copy = NULL;
  if (sliding(&run) && copy_by_record(&run, &copy)) {
    const size_t size = sarrus_sim_save(run.sim, NULL, 0, one, sizeof one);
    CHECK_INT(sarrus_sim_save(copy, NULL, 0, two, sizeof two), size);
    CHECK(memcmp(one, two, size) == 0);
  }
  sarrus_sim_free(copy);
  run_free(&run);
}

/* Every byte of the first eight says that it is a record. */
TEST(the_first_bytes) {
  static char record[RECORD];
  Run run;
  if (sliding(&run)) {
    const size_t size = sarrus_sim_save(run.sim, NULL, 0, record, sizeof record);
    CHECK(memcmp(record, "sarrus\032\n", 8) == 0);
    for (int i = 0; i < 8; i++) {
      sarrus_Sim *copy = NULL;
      int extras = 0;
      record[i] ^= 1;
      CHECK_STATUS(sarrus_sim_restore(sarrus_memory_default(), run.system, run.events, record, size,
                                      NULL, &extras, &copy),
                   SARRUS_FORMAT);
      record[i] ^= 1;
    }
  }
  run_free(&run);
}

/* --- which way time goes -------------------------------------------------------------------- */

/* Asked for the time that it is, a simulation keeps its direction. */
TEST(steps_go_on_as_they_went) {
  for (int side = -1; side <= 1; side += 2) {
    Run run;
    double size;
    if (run_oscillator(&run, &tight)) {
      CHECK_OK(sarrus_sim_advance(run.sim, side));
      CHECK_OK(sarrus_sim_advance(run.sim, side));
      CHECK_NEAR(position(run.sim), cos(1), 1e-12);
      CHECK_OK(sarrus_sim_step(run.sim, &size));
      CHECK(side * (sarrus_sim_time(run.sim) - side) > 0);
      CHECK_NEAR(position(run.sim), cos(sarrus_sim_time(run.sim)), 1e-12);
    }
    run_free(&run);
  }
}

/* --- what is taken where nothing is said ---------------------------------------------------- */

TEST(tolerance_unless_it_is_given) {
  const double given[] = {0, 1e-12, 1e-13};
  double t[3];
  for (int i = 0; i < 3; i++) {
    const sarrus_SimOptions options = {.tolerance = given[i]};
    Run run;
    double size;
    t[i] = 0;
    if (run_oscillator(&run, &options)) {
      for (int step = 0; step < 5; step++)
        CHECK_OK(sarrus_sim_step(run.sim, &size));
      t[i] = sarrus_sim_time(run.sim);
    }
    run_free(&run);
  }
  CHECK(t[0] == t[1]);
  CHECK(t[2] < t[0]);
}
