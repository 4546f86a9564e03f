/* Events of polynomials in time: when they come, in which order, and when they come too often. */
#include <float.h>

#include "contacts.h"
#include "sim_parts.h"

/* --- zeros -------------------------------------------------------------------------------- */

enum { MOST_EVENTS = 4 };

typedef struct Came {
  double t;
  int event, direction;
} Came;

/* A free point with events of products of (t - r). */
static bool start(Run *run, int events, const double (*roots)[3], const int *counts,
                  const sarrus_Direction *directions) {
  const double q = 0, v = 1;
  sarrus_Expr when[MOST_EVENTS];
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (!CHECK(p != NULL)) return false;
  for (int e = 0; e < events; e++) {
    when[e] = constant(p->g, 1);
    for (int k = 0; k < counts[e]; k++)
      when[e] = mul(p->g, when[e], sub(p->g, p->t, constant(p->g, roots[e][k])));
  }
  return run_with_events(run, p, &tight, events, when, directions) &&
         CHECK_OK(sarrus_sim_start(run->sim, 0, &q, &v));
}

/* All that come on the way to t. */
static int collect(sarrus_Sim *sim, double t, Came *came, int most) {
  int count = 0;
  sarrus_Status status;
  while ((status = sarrus_sim_advance(sim, t)) == SARRUS_STOPPED && count < most)
    came[count++] = (Came){sarrus_sim_time(sim), sim->hit.event, sim->hit.direction};
  CHECK_OK(status);
  return count;
}

static void check_came(const Came *came, double t, int event, int direction) {
  CHECK_NEAR(came->t, t, 1e-14);
  CHECK_INT(came->event, event);
  CHECK_INT(came->direction, direction);
}

/* In the order of travel; those at one time in the order of declaration. */
TEST(zeros_in_order) {
  static const double roots[][3] = {{0.5, 1.5, 0}, {0.25, 1.5, 0}, {1, 0, 0}};
  static const int counts[] = {2, 2, 1};
  static const sarrus_Direction both[] = {SARRUS_BOTH, SARRUS_BOTH, SARRUS_BOTH};
  static const Came forth[] = {{0.25, 1, -1}, {0.5, 0, -1}, {1, 2, 1}, {1.5, 0, 1}, {1.5, 1, 1}};
  Came came[8];
  Run run;
  if (start(&run, 3, roots, counts, both)) {
    CHECK_INT(collect(run.sim, 3, came, 8), 5);
    for (int i = 0; i < 5; i++)
      check_came(&came[i], forth[i].t, forth[i].event, forth[i].direction);
    CHECK_INT(collect(run.sim, 0, came, 8), 5); /* and back: rises are falls */
    static const int order[] = {3, 4, 2, 1, 0};
    for (int i = 0; i < 5; i++) {
      const Came *one = &forth[order[i]];
      check_came(&came[i], one->t, one->event, -one->direction);
    }
  }
  run_free(&run);
}

TEST(rises_and_falls) {
  static const double roots[][3] = {{0.5, 1, 1.5}, {0.5, 1, 1.5}, {0.5, 1, 1.5}};
  static const int counts[] = {3, 3, 3};
  static const sarrus_Direction directions[] = {SARRUS_UP, SARRUS_DOWN, SARRUS_BOTH};
  static const Came forth[] = {{0.5, 0, 1}, {0.5, 2, 1}, {1, 1, -1},
                               {1, 2, -1},  {1.5, 0, 1}, {1.5, 2, 1}};
  Came came[8];
  Run run;
  if (start(&run, 3, roots, counts, directions)) {
    CHECK_INT(collect(run.sim, 2, came, 8), 6);
    for (int i = 0; i < 6; i++)
      check_came(&came[i], forth[i].t, forth[i].event, forth[i].direction);
  }
  run_free(&run);
}

/* Zeros that rounding alone tells apart, 1e-14 of the step, are at one time: that of the first. */
TEST(zeros_at_one_time) {
  static const double apart[] = {0, 0.5e-14, 3e-14};
  for (int i = 0; i < 3; i++) {
    const double q = 0, v = 1;
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    const sarrus_Expr when[] = {sub(p->g, p->t, constant(p->g, 0.5 + apart[i])),
                                sub(p->g, p->t, constant(p->g, 0.5))};
    const sarrus_Direction both[] = {SARRUS_BOTH, SARRUS_BOTH};
    const sarrus_SimOptions options = {.tolerance = 1e-12, .step = 1, .order = 8};
    REQUIRE(run_with_events(&run, p, &options, 2, when, both));
    if (CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v))) {
      Came came[2];
      REQUIRE(collect(run.sim, 0.75, came, 2) == 2);
      CHECK_INT(came[0].t == came[1].t, apart[i] < 1e-14);
      CHECK_INT(came[0].event, apart[i] > 1e-14); /* at one time, in the order of declaration */
      CHECK_NEAR(came[1].t, 0.5 + apart[i], 1.2e-14);
    }
    run_free(&run);
  }
}

/* A step with more zeros than there is room for is made shorter; all of them come. */
TEST(as_many_zeros_as_there_are) {
  const double q = 0, v = 1, pi = acos(-1.0);
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  const sarrus_Expr when = sine(p, scaled(p->g, 200, p->t));
  const sarrus_Direction both = SARRUS_BOTH;
  REQUIRE(run_with_events(&run, p, &tight, 1, &when, &both));
  if (CHECK_OK(sarrus_sim_start(run.sim, 0.001, &q, &v))) {
    Came came[128];
    const int count = collect(run.sim, 2, came, 128);
    CHECK_INT(count, 127);
    for (int i = 0; i < count; i++) {
      CHECK_NEAR(came[i].t, (i + 1) * pi / 200, 1e-13);
      CHECK_INT(came[i].direction, i % 2 ? 1 : -1);
    }
  }
  run_free(&run);
}

/* Where a span begins at a zero, the next may come within no time. */
TEST(zeros_right_after_a_zero) {
  static const double after[] = {1e-3, 1e-6, 1e-9, 1e-12};
  for (int i = 0; i < 4; i++) {
    const double roots[1][3] = {{0, after[i], 0}};
    const int counts[] = {2};
    const sarrus_Direction rises[] = {SARRUS_UP};
    Came came[4];
    Run run;
    if (start(&run, 1, roots, counts, rises)) {
      CHECK_INT(collect(run.sim, 2, came, 4), 1);
      CHECK_CLOSE(came[0].t, after[i], 1e-9);
    }
    run_free(&run);
  }
}

/* --- too often ---------------------------------------------------------------------------- */

/* Hits at these times, delivered one after the other; answers how many before a failure. */
static int deliver(sarrus_Sim *sim, int count, const double *times, sarrus_Status *status) {
  for (int i = 0; i < count; i++) {
    int found = 0;
    sim->hits[0] = (Hit){times[i], 0, 1};
    sim->hit_count = 1;
    sim->hit_next = 0;
    *status = sim_next_event(sim, 1e4, &found);
    CHECK_INT(found, 1);
    CHECK_NEAR(sim->now, times[i], 0);
    if (*status < 0) return i;
  }
  return count;
}

static bool start_plain(Run *run) {
  static const double never[1][3] = {{1e9, 0, 0}};
  static const int counts[] = {1};
  static const sarrus_Direction both[] = {SARRUS_BOTH};
  if (!start(run, 1, never, counts, both)) return false;
  run->sim->maker.span.h = 1e5;
  return true;
}

/*
** Twelve intervals in a row that shrink, each by 0.98 or more, to a millionth: bouncing without
** end.  Those by a factor of r are r^k long, k from 0 on.
*/
TEST(bounces_that_accumulate) {
  static const double ratio[] = {0.1, 0.25, 0.3, 0.5, 0.9, 0.979, 0.981, 1};
  for (int i = 0; i < 8; i++) {
    double times[1000], t = 0, interval = 1;
    for (int k = 0; k < 1000; k++, t += interval, interval *= ratio[i])
      times[k] = t;
    Run run;
    if (start_plain(&run)) {
      sarrus_Status status;
      const int delivered = deliver(run.sim, ratio[i] < 0.95 ? 150 : 1000, times, &status);
      if (ratio[i] > 0.98) {
        CHECK_OK(status);
      } else { /* event k ends interval k - 1, of r^(k-1); the first that shrinks is the second */
        int k = 13;
        while (pow(ratio[i], k - 1) > 1e-6)
          k++;
        CHECK_STATUS(status, SARRUS_EVENT);
        CHECK(abs(delivered - k) <= (ratio[i] > 0.95 ? 1 : 0));
        CHECK_INT(run.sim->maker.fault.event, 0);
        CHECK_INT(run.sim->maker.fault.count, delivered - 1);
        CHECK_CLOSE(run.sim->maker.fault.size, pow(ratio[i], delivered - 1), 1e-3);
        CHECK_INT(run.sim->paces[0].seen, 0);
      }
    }
    run_free(&run);
  }
}

/* One interval that does not shrink, and all begins anew. */
TEST(bounces_that_do_not_accumulate) {
  double times[100], t = 0, interval = 1;
  for (int k = 0; k < 100; k++, t += interval) {
    times[k] = t;
    interval = k % 12 == 11 ? 1 : interval / 4;
  }
  Run run;
  if (start_plain(&run)) {
    sarrus_Status status;
    CHECK_INT(deliver(run.sim, 100, times, &status), 100);
    CHECK_OK(status);
  }
  run_free(&run);
}

/* --- delivery ----------------------------------------------------------------------------- */

/* The next event comes if it lies before t, or at it, in the direction of travel. */
TEST(events_up_to_a_time) {
  for (int direction = -1; direction <= 1; direction += 2) {
    Run run;
    if (start_plain(&run)) {
      sarrus_Sim *sim = run.sim;
      int found = 1;
      sim->maker.direction = direction;
      CHECK_OK(sim_next_event(sim, direction, &found)); /* there is none */
      CHECK_INT(found, 0);
      sim->hits[0] = (Hit){direction * 0.5, 0, 1};
      sim->hit_count = 1;
      CHECK_OK(sim_next_event(sim, direction * 0.499, &found));
      CHECK_INT(found, 0);
      CHECK_INT(sim->hit_next, 0);
      CHECK_OK(sim_next_event(sim, direction * 0.5, &found));
      CHECK_INT(found, 1);
      CHECK_INT(sim->hit_next, 1);
      CHECK_NEAR(sim->now, direction * 0.5, 0);
    }
    run_free(&run);
  }
}

/* What comes at the present instant is still delivered, what comes later is dropped. */
TEST(events_that_are_dropped) {
  for (int at_once = 0; at_once <= 3; at_once++) {
    Run run;
    if (start_plain(&run)) {
      sarrus_Sim *sim = run.sim;
      sim->now = 0.5;
      sim->hit_next = 0;
      sim->hit_count = 3;
      for (int i = 0; i < 3; i++)
        sim->hits[i] = (Hit){i < at_once ? 0.5 : 0.75, 0, 1};
      sim->paces[0].side = 1;
      sim_drop_events(sim);
      CHECK_INT(sim->hit_count, at_once);
      CHECK_INT(sim->paces[0].side, 0);
    }
    run_free(&run);
  }
}

/* --- what contacts do --------------------------------------------------------------------- */

/* A ball that bounces and comes to rest; a block that sticks and slips: what is told, and when. */
TEST(changes_of_contacts) {
  const double height = 1, v = 0, fall = sqrt(2 / g0);
  Run run;
  if (run_watched(&run, ball(), 0.5, 0, &height, &v)) {
    Came came[64];
    const int count = collect(run.sim, 0.99 * 3 * fall, came, 64);
    double t = fall, flight = fall;
    int bounce = 0;
    for (int i = 0; i < count; i++) {
      if (came[i].event != SARRUS_TOUCHES) continue;
      if (bounce++ < 5) CHECK_NEAR(came[i].t, t, 1e-12);
      t += flight;
      flight /= 2;
    }
    CHECK(bounce >= 5);
  }
  run_free(&run);
}

TEST(changes_of_a_block) {
  const double q[] = {0, 0}, v[] = {1, 0}, mu = 0.5;
  Run run;
  if (run_watched(&run, block(0), mu, 0.5, q, v)) {
    Came came[8];
    const int count = collect(run.sim, 20, came, 8);
    /* v' = -mu g + t / 2 stops it; it sticks until t / 2 = mu g, and then slips the other way */
    const double a = mu * g0, stops = 2 * (a - sqrt(a * a - 1)), slips = 2 * a;
    int at = 0;
    for (; at < count && came[at].event != SARRUS_STICKS; at++)
      ;
    REQUIRE(at + 1 < count);
    CHECK_NEAR(came[at].t, stops, 1e-13);
    CHECK_INT(came[at + 1].event, SARRUS_SLIPS);
    CHECK_NEAR(came[at + 1].t, slips, 1e-11);
    CHECK_INT(count, at + 2);
  }
  run_free(&run);
}

/*
** Thrown at v from the level that is watched, it is back at t = 2 v / g, however soon: the step is
** 1, at whose end it is g / 2 below, and the arc above the level is v^2 / 2 g high.
*/
TEST(zeros_right_behind_a_zero) {
  const sarrus_SimOptions whole = {.step = 1};
  const sarrus_Direction down = SARRUS_DOWN;
  const double q = 0, g = 2;
  for (double v = 0.25; v > 1e-7; v /= 4) {
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    p->force[0] = constant(p->g, -g);
    REQUIRE(run_with_events(&run, p, &whole, 1, &p->q[0], &down));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
    CHECK_STATUS(sarrus_sim_advance(run.sim, 1), SARRUS_STOPPED);
    CHECK_NEAR(sarrus_sim_time(run.sim), 2 * v / g, 1e-15);
    CHECK_OK(sarrus_sim_advance(run.sim, 1));
    run_free(&run);
  }
}
