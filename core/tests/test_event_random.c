/* Events of functions that are known: every zero, in order, in its direction, forwards and back. */
#include "sims.h"

enum { MOST_ZEROS = 400, EVENTS = 3 };

/* Two oscillators at the rates w, x_i = cos(w_i t), and functions a x_1 + b x_2 + c v_1 - d. */
typedef struct Wave {
  double a, b, c, d;
} Wave;

static const double w2 = 1.7; /* of the second; the first has 1 */

static Parts *two_oscillators(void) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  p->force[0] = negative(p->g, p->q[0]);
  p->force[1] = scaled(p->g, -w2 * w2, p->q[1]);
  return p;
}

static sarrus_Expr expr_of(Parts *p, const Wave *wave) {
  sarrus_Graph *g = p->g;
  const sarrus_Expr x = add(g, scaled(g, wave->a, p->q[0]), scaled(g, wave->b, p->q[1]));
  return sub(g, add(g, x, scaled(g, wave->c, p->v[0])), constant(g, wave->d));
}

static double value_of(const Wave *wave, double t) {
  return wave->a * cos(t) + wave->b * cos(w2 * t) - wave->c * sin(t) - wave->d;
}

typedef struct Zero {
  double t;
  int event, direction;
} Zero;

static int compare_zeros(const void *a, const void *b) {
  const double x = ((const Zero *)a)->t, y = ((const Zero *)b)->t;
  return (x > y) - (x < y);
}

/* All zeros in 0 … end, by signs at many instants and bisection. */
static int find_zeros(const Wave *waves, double end, Zero *zeros) {
  const int instants = 40000;
  int count = 0;
  for (int e = 0; e < EVENTS; e++) {
    double before = value_of(&waves[e], 0);
    for (int i = 1; i <= instants && count < MOST_ZEROS; i++) {
      double low = end * (i - 1) / instants, high = end * i / instants;
      const double after = value_of(&waves[e], high);
      if ((before < 0) != (after < 0)) {
        for (int k = 0; k < 60; k++) {
          const double middle = (low + high) / 2;
          *((value_of(&waves[e], middle) < 0) == (before < 0) ? &low : &high) = middle;
        }
        zeros[count++] = (Zero){high, e, before < 0 ? 1 : -1};
      }
      before = after;
    }
  }
  qsort(zeros, (size_t)count, sizeof *zeros, compare_zeros);
  return count;
}

static void draw_waves(unsigned *seed, Wave *waves) {
  for (int e = 0; e < EVENTS; e++)
    waves[e] = (Wave){random_in(seed, -1, 1), random_in(seed, -1, 1), random_in(seed, -1, 1),
                      random_in(seed, -0.8, 0.8)};
}

static bool run_waves(Run *run, const Wave *waves, const sarrus_Direction *directions) {
  const double q[] = {1, 1}, v[] = {0, 0};
  sarrus_Expr when[EVENTS];
  Parts *p = two_oscillators();
  if (!CHECK(p != NULL)) return false;
  for (int e = 0; e < EVENTS; e++)
    when[e] = expr_of(p, &waves[e]);
  return run_with_events(run, p, &tight, EVENTS, when, directions) &&
         CHECK_OK(sarrus_sim_start(run->sim, 0, q, v));
}

/* The next stop is this zero; going back, its direction is the other one. */
static void check_stop(const Run *run, sarrus_Status status, const Zero *zero, int sign) {
  int direction;
  CHECK_STATUS(status, SARRUS_STOPPED);
  CHECK_NEAR(sarrus_sim_time(run->sim), zero->t, 1e-11);
  CHECK_INT(sarrus_sim_event(run->sim, &direction), zero->event);
  CHECK_INT(direction, sign * zero->direction);
}

static const double END = 20;

TEST(every_zero_in_order_there_and_back) {
  unsigned seed = 13;
  for (int i = 0; i < 6; i++) {
    static Zero zeros[MOST_ZEROS];
    Wave waves[EVENTS];
    Run run;
    draw_waves(&seed, waves);
    const int count = find_zeros(waves, END, zeros);
    CHECK(count > 5 && count < MOST_ZEROS);
    REQUIRE(
        run_waves(&run, waves, (const sarrus_Direction[]){SARRUS_BOTH, SARRUS_BOTH, SARRUS_BOTH}));
    for (int k = 0; k < count; k++)
      check_stop(&run, sarrus_sim_advance(run.sim, END), &zeros[k], 1);
    CHECK_OK(sarrus_sim_advance(run.sim, END));
    int direction;
    sarrus_Status status = sarrus_sim_advance(run.sim, 0);
    for (int k = count - 1; k >= 0; k--, status = sarrus_sim_advance(run.sim, 0)) {
      CHECK_STATUS(status, SARRUS_STOPPED);
      CHECK_NEAR(sarrus_sim_time(run.sim), zeros[k].t, 1e-10);
      CHECK_INT(sarrus_sim_event(run.sim, &direction), zeros[k].event);
    }
    CHECK_OK(status);
    run_free(&run);
  }
}

/* Those that are wanted in one direction come in that one alone. */
TEST(directions_that_are_wanted) {
  unsigned seed = 14;
  const sarrus_Direction wanted[] = {SARRUS_UP, SARRUS_DOWN, SARRUS_BOTH};
  for (int i = 0; i < 4; i++) {
    static Zero zeros[MOST_ZEROS];
    Wave waves[EVENTS];
    Run run;
    draw_waves(&seed, waves);
    const int count = find_zeros(waves, END, zeros);
    REQUIRE(run_waves(&run, waves, wanted));
    for (int k = 0; k < count; k++) {
      const sarrus_Direction want = wanted[zeros[k].event];
      if (want != SARRUS_BOTH && (int)want != zeros[k].direction) continue;
      check_stop(&run, sarrus_sim_advance(run.sim, END), &zeros[k], 1);
    }
    CHECK_OK(sarrus_sim_advance(run.sim, END));
    run_free(&run);
  }
}

/* Steps stop at the same instants as advances, and cut nothing: the states there are the same. */
TEST(steps_meet_them_too) {
  unsigned seed = 15;
  for (int i = 0; i < 3; i++) {
    static Zero zeros[MOST_ZEROS];
    Wave waves[EVENTS];
    Run run;
    draw_waves(&seed, waves);
    const int count = find_zeros(waves, END, zeros);
    REQUIRE(
        run_waves(&run, waves, (const sarrus_Direction[]){SARRUS_BOTH, SARRUS_BOTH, SARRUS_BOTH}));
    for (int k = 0; k < count; k++) {
      double size, q[2];
      sarrus_Status status;
      do
        status = sarrus_sim_step(run.sim, &size);
      while (status == SARRUS_OK);
      check_stop(&run, status, &zeros[k], 1);
      CHECK_OK(sarrus_sim_state(run.sim, q, NULL, NULL, NULL));
      CHECK_NEAR(q[0], cos(zeros[k].t), 1e-11);
      CHECK_NEAR(q[1], cos(w2 * zeros[k].t), 1e-11);
    }
    run_free(&run);
  }
}

/* Many at one instant come in the order of their declaration, each once. */
TEST(several_at_one_instant) {
  const Wave same = {1, 0.5, 0, 0.2};
  Wave waves[EVENTS] = {same, {-2, -1, 0, -0.4}, same};
  static Zero zeros[MOST_ZEROS];
  Run run;
  const int count = find_zeros(waves, END, zeros);
  CHECK_INT(count % EVENTS, 0);
  REQUIRE(
      run_waves(&run, waves, (const sarrus_Direction[]){SARRUS_BOTH, SARRUS_BOTH, SARRUS_BOTH}));
  for (int k = 0; k < count; k++) {
    int direction;
    CHECK_STATUS(sarrus_sim_advance(run.sim, END), SARRUS_STOPPED);
    CHECK_INT(sarrus_sim_event(run.sim, &direction), k % EVENTS);
    CHECK_NEAR(sarrus_sim_time(run.sim), zeros[k].t, 1e-11);
  }
  CHECK_OK(sarrus_sim_advance(run.sim, END));
  run_free(&run);
}
