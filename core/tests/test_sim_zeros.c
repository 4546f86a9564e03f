/*
** Zeros of events on spans whose series are written down here: right after a zero, beside one that
** has just come, of what rests, as many as there is room for.
*/
#include <float.h>

#include "contacts.h"
#include "sim_parts.h"

enum { ORDER = 24 };

/*
** A free point beside two contacts far away; event 0 is its place, event 1 sin(w t), w being
** parameter 0, and events 2 and 3 are what the watches of a test need.
*/
static bool begin(Run *run, int watches) {
  const sarrus_Memory memory = sarrus_memory_default();
  const sarrus_SimOptions options = {.tolerance = 1e-12, .order = ORDER};
  const double q[] = {1, 0, 0}, v[] = {0, 0, 0};
  double h;
  sarrus_Fault fault;
  Parts *p = parts_new(memory, 3);
  *run = (Run){NULL, NULL, NULL};
  if (!CHECK(p != NULL)) return false;
  const sarrus_Expr wave = mul(p->g, sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0), p->t);
  const sarrus_Expr when[] = {p->q[0], sine(p, wave), constant(p->g, 1), constant(p->g, 1)};
  const sarrus_Direction both[] = {SARRUS_BOTH, SARRUS_BOTH, SARRUS_BOTH, SARRUS_BOTH};
  for (int i = 0; i < 2; i++) {
    p->contact[i].slip[0] = p->v[i + 1];
    p->contact[i].friction = constant(p->g, 1);
  }
  p->spec.contacts = 2;
  p->spec.parameters = 1;
  p->spec.lock = &p->v[1];
  p->spec.locks = 2;
  bool made = CHECK_OK(sarrus_system_new(memory, parts_spec(p), &run->system, &fault)) &&
              CHECK_OK(sarrus_events_new(memory, p->g, 4, when, both, 1, &run->events));
  for (int i = 0; i < watches && made; i++)
    made = CHECK_OK(sarrus_events_watch(run->events, 2 + i % 2, 0, SARRUS_LEAVES));
  parts_free(p);
  made = made && CHECK_OK(sarrus_sim_new(memory, run->system, run->events, &options, &run->sim)) &&
         CHECK_OK(sarrus_sim_preset(run->sim, 0, 1e-3)) &&
         CHECK_OK(sarrus_sim_start(run->sim, 1, q, v)) && CHECK_OK(maker_begin(&run->sim->maker)) &&
         CHECK_OK(maker_expand_series(&run->sim->maker, &h));
  for (int i = 0; i < 2 && made; i++)
    run->sim->contacts[i].span.mode = run->sim->contacts[i].told = SARRUS_SLIP;
  return made;
}

/* The place becomes c_0 + c_1 s + c_2 s^2 + c_3 s^3 + far s^20, on a span of one unit. */
static void set_place(sarrus_Sim *sim, double c0, double c1, double c2, double c3, double far) {
  Span *span = &sim->maker.span;
  const double c[] = {c0, c1, c2, c3};
  for (int k = 0; k <= span->order + 1; k++)
    span->c[(ptrdiff_t)k * span->variables] = k < 4 ? c[k] : k == 20 ? far : 0;
  span->h = span->unit;
  sim->paces[0].side = 0;
}

/* How many zeros the place has on the span; the first of them, in units. */
static int zeros_of(sarrus_Sim *sim, double *first) {
  CHECK_OK(sim_find_events(sim));
  *first = sim->hit_count > 0 ? sim->hits[0].dt / sim->maker.span.unit : -1;
  return sim->hit_count;
}

/* --- right after a zero -------------------------------------------------------------------- */

/* How many zeros 1e20 s (s - a) (s - 2 a) + begins has behind s = 0, beside far s^20. */
static int zeros_behind(sarrus_Sim *sim, double begins, double a, double far) {
  double first;
  set_place(sim, begins, 2e20 * a * a, -3e20 * a, 1e20, far);
  const int count = zeros_of(sim, &first);
  if (count == 2) CHECK_CLOSE(first, a, 1e-2);
  if (count > 1) CHECK_CLOSE(sim->hits[count - 1].dt / sim->maker.span.unit, 2 * a, 1e-2);
  return count;
}

/*
** What vanishes where the span begins, as the span before has told, may vanish again very soon:
** that is found although s^20 later on is so large that all of it is rounding.
*/
TEST(zeros_close_to_the_beginning) {
  static const double a[] = {0.3e-6, 0.3e-3, 0.3}, far[] = {1e118, 1e66, 1e20};
  Run run;
  if (begin(&run, 0)) {
    for (int i = 0; i < 3; i++) {
      const double bulge = 0.38e20 * a[i] * a[i] * a[i];
      CHECK_INT(zeros_behind(run.sim, 0, a[i], far[i] / 16), 2);
      CHECK_INT(zeros_behind(run.sim, 1e-3 * bulge, a[i], far[i] / 16), 2);
      CHECK_INT(zeros_behind(run.sim, -1e-3 * bulge, a[i], far[i] / 16), 3);
    }
  }
  run_free(&run);
}

/* --- beside a zero that has just come ------------------------------------------------------ */

/*
** It begins at e, rises, and dips to `low` below 0 at s = 1/2: two zeros, or a touch where that is
** within what is not known.
*/
static int zeros_of_dip(sarrus_Sim *sim, double e, double low) {
  double first;
  const double up = 4 * (low + e); /* (4 s + up) (s - 1/2)^2 - low */
  set_place(sim, e, 1 - up, up - 4, 4, 0);
  return zeros_of(sim, &first);
}

/* What has come where the span begins is four times as near to zero as it is there. */
TEST(what_has_just_come) {
  Run run;
  if (begin(&run, 0)) {
    sarrus_Sim *sim = run.sim;
    Pace *pace = &sim->paces[0];
    const double e = 1e-10, from = sim->maker.span.from.t;
    CHECK_INT(zeros_of_dip(sim, e, 3.9 * e), 2); /* it has not come at all, */
    *pace = (Pace){.seen = 1, .last = from};
    CHECK_INT(zeros_of_dip(sim, e, 3.9 * e), 1);
    CHECK_INT(sim->hits[0].direction, 0);
    CHECK_INT(zeros_of_dip(sim, e, 4.1 * e), 2);
    *pace = (Pace){.seen = 2, .last = from};
    CHECK_INT(zeros_of_dip(sim, e, 3.9 * e), 1);
    *pace = (Pace){.seen = 1, .last = from - 1}; /* or before */
    CHECK_INT(zeros_of_dip(sim, e, 3.9 * e), 2);
  }
  run_free(&run);
}

/* Near is 1e-9 of the range in the piece, or the tolerance. */
TEST(how_near_what_has_come_is) {
  Run run;
  if (begin(&run, 0)) {
    sarrus_Sim *sim = run.sim;
    sim->paces[0] = (Pace){.seen = 1, .last = sim->maker.span.from.t};
    for (int i = 0; i < 2; i++) {
      const double near = i == 0 ? 1e-9 : 1e-7, range = 1 + 4 + 4;
      sim->maker.options.tolerance = i == 0 ? 1e-12 : 1e-7;
      CHECK_INT(zeros_of_dip(sim, 0.99 * near * range, 2 * near * range), 1);
      CHECK_INT(zeros_of_dip(sim, 1.01 * near * range, 2 * near * range), 2);
    }
  }
  run_free(&run);
}

/* --- what rests ---------------------------------------------------------------------------- */

/* What is 0 all the while: an action may have put it there; else it is no event. */
TEST(events_that_vanish_all_the_while) {
  Run run;
  if (begin(&run, 0)) {
    sarrus_Sim *sim = run.sim;
    double first;
    set_place(sim, 0, 0, 0, 0, 0);
    sim->paces[0].side = -1;
    CHECK_STATUS(sim_find_events(sim), SARRUS_EVENT);
    CHECK_INT(sim->maker.fault.event, 0);
    CHECK_INT(sim->maker.fault.count, 0);
    CHECK_NEAR(sim->maker.fault.size, 0, 0);
    CHECK_INT(sim->paces[0].side, -1); /* as if it had not been searched */
    CHECK_INT(sim->hit_count, 0);
    sim->paces[0].seen = 1;
    CHECK_INT(zeros_of(sim, &first), 0);
    CHECK_INT(sim->paces[0].side, 0);
    sim->paces[0].side = 1;
    for (int k = 0; k < 2; k++) { /* no number at all is no rest, either */
      set_place(sim, k == 0 ? HUGE_VAL : 0, k == 1 ? HUGE_VAL : 0, 0, 0, 0);
      CHECK_STATUS(sim_find_events(sim), SARRUS_EVENT);
      CHECK_INT(sim->maker.fault.event, 0);
      CHECK_INT(sim->maker.fault.count, 0);
      CHECK(isnan(sim->maker.fault.size));
    }
  }
  run_free(&run);
}

/* While something sticks, or is locked, rounding counts by what values have been. */
TEST(events_beside_what_sticks) {
  Run run;
  if (begin(&run, 0)) {
    sarrus_Sim *sim = run.sim;
    double first;
    set_place(sim, 1, 0, 0, 0, 0);
    for (int mode = SARRUS_OPEN; mode <= SARRUS_STICK; mode++)
      for (int i = 0; i < 2; i++) {
        sim->contacts[0].span.mode = sim->contacts[1].span.mode = SARRUS_SLIP;
        sim->contacts[i].span.mode = (sarrus_ContactMode)mode;
        CHECK_INT(zeros_of(sim, &first), 0);
        CHECK_INT(sim->zeros.floored, mode == SARRUS_STICK);
      }
    sim->contacts[0].span.mode = sim->contacts[1].span.mode = SARRUS_SLIP;
    for (int k = 0; k < 2; k++) {
      int *off = &sim->off[sim->system->m + k];
      *off = 0;
      CHECK_INT(zeros_of(sim, &first), 0);
      CHECK_INT(sim->zeros.floored, 1);
      *off = 1;
    }
    CHECK_INT(zeros_of(sim, &first), 0);
    CHECK_INT(sim->zeros.floored, 0);
  }
  run_free(&run);
}

/* --- room ---------------------------------------------------------------------------------- */

/*
** There is room for 64, less one for each watch, of which 32 count at most: sin(w t) has so many
** zeros in as many half turns.
*/
TEST(room_for_zeros) {
  static const int watches[] = {0, 1, 2, 25, 31, 32, 33, 40};
  for (int i = 0; i < 8; i++) {
    const int room = 64 - (watches[i] < 32 ? watches[i] : 32);
    Run run;
    if (begin(&run, watches[i])) {
      sarrus_Sim *sim = run.sim;
      const double pi = acos(-1.0), unit = sim->maker.span.unit;
      for (int turns = room - 1; turns <= room + 2; turns++) {
        const double w = pi * (turns + 0.3) / unit;
        const int count = (int)floor(w * (1 + unit) / pi) - (int)floor(w / pi); /* from t = 1 on */
        set_place(sim, 1, 0, 0, 0, 0);
        sim->parameters[0] = w;
        sim->paces[1].side = 0;
        const sarrus_Status status = sim_find_events(sim);
        CHECK_STATUS(status, count > room ? SARRUS_LIMIT : SARRUS_OK);
        CHECK_INT(sim->hit_count, count > room ? 0 : count);
        if (status < 0) {
          CHECK_INT(sim->maker.fault.event, 1);
          CHECK_INT(sim->maker.fault.count, room);
          CHECK_NEAR(sim->maker.fault.size, 0, 0);
        }
      }
    }
    run_free(&run);
  }
}

/* --- what is told -------------------------------------------------------------------------- */

/* Of events that have no value the first is named. */
TEST(events_without_a_value) {
  for (int first = 0; first < 3; first++) {
    const double q = 1, v = 0;
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    sarrus_Expr when[4];
    for (int e = 0; e < 4; e++)
      when[e] = unary(p->g, SARRUS_OP_SQRT, add(p->g, p->q[0], constant(p->g, e < first ? 1 : -3)));
    const sarrus_Direction both[] = {SARRUS_BOTH, SARRUS_BOTH, SARRUS_BOTH, SARRUS_BOTH};
    if (run_with_events(&run, p, &tight, 4, when, both) &&
        CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v))) {
      CHECK_STATUS(sarrus_sim_advance(run.sim, 1), SARRUS_EVENT);
      CHECK_INT(sarrus_sim_fault(run.sim)->event, first);
      CHECK_INT(sarrus_sim_fault(run.sim)->count, 0);
      CHECK(isnan(sarrus_sim_fault(run.sim)->size));
    }
    run_free(&run);
  }
}

/* A touch of a watched contact has no direction; bounces without end are none of an event's. */
TEST(touches_have_no_direction) {
  const double q = 1, v = 0;
  Run run;
  if (run_watched(&run, ball(), 0.5, 0, &q, &v)) {
    int direction = 7, touches = 0;
    while (touches < 200 && sarrus_sim_advance(run.sim, 3) == SARRUS_STOPPED) {
      CHECK_INT(sarrus_sim_event(run.sim, &direction) >= 0, 1);
      CHECK_INT(direction, 0);
      CHECK_INT(run.sim->paces[SARRUS_TOUCHES].seen, 0);
      touches++;
    }
    CHECK(touches > 10 && touches < 200);
    CHECK_NEAR(sarrus_sim_time(run.sim), 3, 0);
  }
  run_free(&run);
}
