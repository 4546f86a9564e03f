/* Starting, going on, standing again where one stood: what is forgotten, and what is kept. */
#include <float.h>

#include "contacts.h"
#include "sim_parts.h"

/* --- two simulations, bit by bit ---------------------------------------------------------- */

static void check_same(const sarrus_Sim *a, const sarrus_Sim *b, int n) {
  double q[2][MOST], v[2][MOST], acceleration[2][MOST], lambda[2][2 * MOST];
  const sarrus_Sim *sims[] = {a, b};
  memset(lambda, 0, sizeof lambda);
  for (int i = 0; i < 2; i++)
    CHECK_OK(sarrus_sim_state(sims[i], q[i], v[i], acceleration[i], lambda[i]));
  CHECK(sarrus_sim_time(a) == sarrus_sim_time(b));
  CHECK(memcmp(q[0], q[1], (size_t)n * sizeof(double)) == 0);
  CHECK(memcmp(v[0], v[1], (size_t)n * sizeof(double)) == 0);
  CHECK(memcmp(acceleration[0], acceleration[1], (size_t)n * sizeof(double)) == 0);
  CHECK(memcmp(lambda[0], lambda[1], sizeof lambda[0]) == 0);
  CHECK_INT(a->form, b->form);
  CHECK_INT(a->far, b->far);
}

/* Make the same steps with both, through all events. */
static void check_same_steps(sarrus_Sim *a, sarrus_Sim *b, int n, int count) {
  for (int i = 0; i < count; i++) {
    double size[2];
    const sarrus_Status status = sarrus_sim_step(a, &size[0]);
    CHECK_STATUS(sarrus_sim_step(b, &size[1]), status);
    CHECK(size[0] == size[1]);
    check_same(a, b, n);
  }
}

/*
** A rod over a floor (x, y, angle) on which a spring acts, force 0; lock 0 holds x, constraint 0
** keeps z at sin t; an event watches the height.
*/
static Parts *busy(sarrus_Expr *lock, sarrus_ForceShare *share) {
  Parts *p = parts_new(sarrus_memory_default(), 4);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr spring = scaled(g, -3, p->q[0]), s = sine(p, p->q[2]);
  p->mass[10] = constant(g, 1.0 / 3);
  p->force[0] = add(g, spring, sarrus_graph_symbol(g, SARRUS_PARAMETER, 0));
  p->force[1] = constant(g, -g0);
  p->constraint[0] = sub(g, p->q[3], sine(p, p->t));
  for (int i = 0; i < 2; i++) {
    p->contact[i].gap = add(g, p->q[1], scaled(g, i == 0 ? -1 : 1, s));
    p->contact[i].slip[0] = p->v[0];
    p->contact[i].friction = constant(g, 0.3);
    p->contact[i].restitution = constant(g, 0.25);
  }
  lock[0] = p->v[0];
  share[0] = (sarrus_ForceShare){0, 0, spring};
  p->spec.parameters = p->spec.constraints = 1;
  p->spec.contacts = 2;
  p->spec.locks = 1;
  p->spec.lock = lock;
  p->spec.forces = p->spec.shares = 1;
  p->spec.share = share;
  return p;
}

static const double START_Q[] = {0.5, 0.5, 0.1, 0}, START_V[] = {1, 0, 0.5, 1};

static bool start(Run *run) {
  sarrus_Expr lock[1];
  sarrus_ForceShare share[1];
  Parts *p = busy(lock, share);
  if (!CHECK(p != NULL)) return false;
  const sarrus_Expr when = sub(p->g, p->q[1], constant(p->g, 0.3));
  const sarrus_Direction both = SARRUS_BOTH;
  if (!run_with_events(run, p, &tight, 1, &when, &both)) return false;
  CHECK_OK(sarrus_sim_preset(run->sim, 0, 0.25));
  return CHECK_OK(sarrus_sim_start(run->sim, 0, START_Q, START_V));
}

/* After all that can happen, a start is as the first one was. */
TEST(a_start_forgets_all_before_it) {
  for (int what = 0; what < 7; what++) {
    Run fresh, used;
    const int constraint = 0;
    if (start(&fresh) && start(&used)) {
      sarrus_Sim *sim = used.sim;
      advance(sim, what == 1 ? 0.05 : 1.5);
      if (what == 2) CHECK_OK(sarrus_sim_lock(sim, 0, 1));
      if (what == 3) CHECK_OK(sarrus_sim_release_force(sim, 0, 1));
      if (what == 4) CHECK_OK(sarrus_sim_release(sim, 1, &constraint, 1));
      if (what == 5) CHECK_OK(sarrus_sim_release_contact(sim, 0, 1));
      if (what == 6)
        CHECK_STATUS(sarrus_sim_start(sim, (double)NAN, START_Q, START_V), SARRUS_NONFINITE);
      while (what != 6 && sarrus_sim_advance(sim, 2) == SARRUS_STOPPED) /* it may fail, too */
        ;
      CHECK_OK(sarrus_sim_start(sim, 0, START_Q, START_V));
      CHECK_INT(sarrus_sim_locked(sim, 0), 0);
      CHECK_INT(sarrus_sim_released(sim, 0), 0);
      CHECK_INT(sim->short_steps, 0);
      CHECK_INT(sim->ended, 0);
      CHECK_INT(sim->changed, 0);
      check_same(fresh.sim, sim, 4);
      sim->maker.stats.largest = fresh.sim->maker.stats.largest; /* these count on, and bound */
      check_same_steps(fresh.sim, sim, 4, 12);
    }
    run_free(&used);
    run_free(&fresh);
  }
}

/* A start that fails leaves nothing to go on from. */
TEST(a_start_that_fails) {
  Run run;
  const double q[] = {0.5, -3, 0.1, 0};
  if (start(&run)) {
    double size;
    CHECK(sarrus_sim_start(run.sim, 0, q, START_V) < 0); /* below the floor */
    CHECK_STATUS(sarrus_sim_advance(run.sim, 1), SARRUS_ARGUMENT);
    CHECK_STATUS(sarrus_sim_step(run.sim, &size), SARRUS_ARGUMENT);
    CHECK_NEAR(size, 0, 0);
    CHECK_OK(sarrus_sim_start(run.sim, 0, START_Q, START_V));
    CHECK(advance(run.sim, 1) > 0);
  }
  run_free(&run);
}

/* Remembered, changed in all that contacts know, and recalled: the same steps follow. */
TEST(what_is_recalled) {
  Run run, other;
  if (start(&run) && start(&other)) {
    advance(run.sim, 0.75);
    advance(other.sim, 0.75);
    sarrus_Sim *sim = run.sim;
    sim_remember(sim);
    for (int i = 0; i < 2; i++) {
      ContactState *state = &sim->contacts[i];
      state->now = (ContactMode){.mode = SARRUS_STICK, .direction = {1, 0}, .tied = 1};
      state->struck = (Struck){{1, 2, 3}, 0.5};
      state->released = 1;
      state->load.on = !state->load.on;
    }
    sim->maker.to.q[0] += 0.125;
    sim->maker.to.v[1] -= 1;
    sim->maker.fault.row = 3;
    CHECK_STATUS(sim_recall(sim, SARRUS_CONTACT), SARRUS_CONTACT);
    CHECK_INT(sim->maker.fault.row, 3); /* why it failed */
    for (int i = 0; i < 2; i++) {
      const ContactState *a = &sim->contacts[i], *b = &other.sim->contacts[i];
      CHECK_INT(a->now.mode, b->now.mode);
      CHECK_INT(a->now.tied, b->now.tied);
      CHECK_NEAR(a->now.direction[0], b->now.direction[0], 0);
      CHECK_INT(a->released, b->released);
      CHECK_INT(a->load.on, b->load.on);
      CHECK_NEAR(a->struck.impulse[0], b->struck.impulse[0], 0);
    }
    check_same(sim, other.sim, 4);
    check_same_steps(sim, other.sim, 4, 12);
  }
  run_free(&other);
  run_free(&run);
}

/* --- steps up to a limit ------------------------------------------------------------------ */

/* A step goes to its end, or to the limit where that lies within it; the rest of it comes next. */
TEST(steps_until_a_limit) {
  for (int direction = -1; direction <= 1; direction += 2) {
    Run run;
    double h, size;
    REQUIRE(run_oscillator(&run, &tight));
    CHECK_OK(sarrus_sim_advance(run.sim, direction * 0.5)); /* to face that way */
    CHECK_OK(sarrus_sim_step(run.sim, &size));
    const double from = sarrus_sim_time(run.sim);
    CHECK_OK(sarrus_sim_step(run.sim, &h));
    CHECK(direction * h > 0.1);
    const double end = sarrus_sim_time(run.sim);
    CHECK_NEAR(from + h, end, 1e-15);
    const double limit = end + direction * 0.03125;
    CHECK_OK(sarrus_sim_step_until(run.sim, limit, &size));
    CHECK_NEAR(sarrus_sim_time(run.sim), limit, 0);
    CHECK_NEAR(size, direction * 0.03125, 1e-15);
    CHECK_OK(sarrus_sim_step_until(run.sim, limit, &size)); /* which is no limit any more */
    CHECK(direction * size > 0.1);
    const double here = sarrus_sim_time(run.sim);
    CHECK_OK(sarrus_sim_step_until(run.sim, here, &size));
    CHECK(direction * size > 0.1);
    CHECK_NEAR(position(run.sim), cos(sarrus_sim_time(run.sim)), 1e-13);
    CHECK_STATUS(sarrus_sim_step_until(run.sim, (double)NAN, &size), SARRUS_ARGUMENT);
    CHECK_NEAR(size, 0, 0);
    run_free(&run);
  }
}

/* Where it has come to is asked of the span, without a step; turning round makes new ones. */
TEST(within_a_span_no_step_is_made) {
  Run run;
  double size;
  REQUIRE(run_oscillator(&run, &tight));
  CHECK_OK(sarrus_sim_step(run.sim, &size));
  const long long steps = sarrus_sim_stats(run.sim).steps;
  for (int i = 0; i <= 8; i++) {
    CHECK_OK(sarrus_sim_advance(run.sim, size * i / 8));
    CHECK_NEAR(position(run.sim), cos(size * i / 8), 1e-14);
  }
  CHECK_INT(sarrus_sim_stats(run.sim).steps, steps);
  CHECK_OK(sarrus_sim_advance(run.sim, -0.25));
  CHECK(sarrus_sim_stats(run.sim).steps > steps);
  CHECK_NEAR(position(run.sim), cos(0.25), 1e-13);
  run_free(&run);
}

/* --- residuals ---------------------------------------------------------------------------- */

/* The largest error of a constraint and of a rate, whichever it is; what is off does not count. */
TEST(residuals_are_those_of_the_worst) {
  for (int worst = 0; worst < 2; worst++)
    for (int off = 0; off < 2; off++) {
      const double q[] = {0, 0, 0}, v[] = {0, 0, 1};
      Run run;
      Parts *p = parts_new(sarrus_memory_default(), 3);
      REQUIRE(p != NULL);
      p->constraint[0] = p->q[0];
      p->constraint[1] = p->q[1];
      p->spec.constraints = 2;
      REQUIRE(run_new(&run, p, &tight));
      if (CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) {
        double position_error, velocity_error;
        if (off) CHECK_OK(sarrus_sim_release(run.sim, 1, &worst, 1));
        Maker *maker = &run.sim->maker;
        maker->to.q[worst] = maker->span.from.q[worst] = -0.25;
        maker->to.q[1 - worst] = maker->span.from.q[1 - worst] = 0.125;
        maker->to.v[worst] = maker->span.from.v[worst] = 3;
        maker->to.v[1 - worst] = maker->span.from.v[1 - worst] = -2;
        CHECK_OK(sarrus_sim_residual(run.sim, &position_error, &velocity_error));
        CHECK_NEAR(position_error, off ? 0.125 : 0.25, 0);
        CHECK_NEAR(velocity_error, off ? 2 : 3, 0);
      }
      run_free(&run);
    }
}

TEST(residuals_of_what_moves) {
  const double q[] = {0.6, -0.8}, v[] = {0, 0};
  Run run;
  double position_error, velocity_error;
  REQUIRE(run_new(&run, pendulum(sarrus_memory_default()), &tight));
  if (CHECK_OK(sarrus_sim_start(run.sim, 0, q, v)))
    for (int i = 1; i < 40; i++) {
      CHECK_OK(sarrus_sim_advance(run.sim, 0.05 * i)); /* mostly between the ends of steps */
      CHECK_OK(sarrus_sim_residual(run.sim, &position_error, &velocity_error));
      CHECK(position_error < 1e-13 && velocity_error < 1e-12);
    }
  run.sim->maker.broken = 1;
  CHECK_STATUS(sarrus_sim_residual(run.sim, &position_error, &velocity_error), SARRUS_ARGUMENT);
  run_free(&run);
}

/* --- limits of an advance ----------------------------------------------------------------- */

static int count_down(void *ud) { return --*(int *)ud < 0; }

/* Cancelled before the third step: it stands where the second has ended. */
TEST(an_advance_is_cancelled_between_steps) {
  Run run;
  int left = 2;
  const double q = 1, v = 0;
  const sarrus_SimOptions options = {.tolerance = 1e-14, .cancelled = count_down, .ud = &left};
  REQUIRE(run_new(&run, oscillator(), &options));
  sarrus_sim_preset(run.sim, 0, 1);
  if (CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v))) {
    CHECK_STATUS(sarrus_sim_advance(run.sim, 100), SARRUS_CANCELLED);
    CHECK_INT(sarrus_sim_stats(run.sim).steps, 2);
    const double t = sarrus_sim_time(run.sim);
    CHECK(t > 0.1 && t < 100);
    CHECK_NEAR(position(run.sim), cos(t), 1e-13);
    left = 1 << 20;
    CHECK_OK(sarrus_sim_advance(run.sim, 100));
    CHECK_NEAR(position(run.sim), cos(100), 1e-12);
  }
  run_free(&run);
}

/* max_steps are those of one advance; of several that go on, all together. */
TEST(steps_of_an_advance_are_counted) {
  Run run;
  const double q = 1, v = 0;
  const sarrus_SimOptions options = {.tolerance = 1e-14, .max_steps = 5};
  REQUIRE(run_new(&run, oscillator(), &options));
  sarrus_sim_preset(run.sim, 0, 1);
  if (CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v))) {
    for (int i = 1; i <= 3; i++) {
      CHECK_STATUS(sarrus_sim_advance(run.sim, 1000), SARRUS_STEP);
      CHECK_INT(sarrus_sim_stats(run.sim).steps, 5 * i);
      CHECK_INT(sarrus_sim_fault(run.sim)->count, 5);
      CHECK_INT(sarrus_sim_fault(run.sim)->column, 0);
    }
    const double t = sarrus_sim_time(run.sim);
    CHECK_STATUS(sarrus_sim_advance_on(run.sim, 1000), SARRUS_STEP); /* they are used up */
    CHECK_INT(sarrus_sim_stats(run.sim).steps, 15);
    CHECK_NEAR(sarrus_sim_time(run.sim), t, 0);
  }
  run_free(&run);
}

/* --- where it goes ------------------------------------------------------------------------ */

/* Told to go where it stands, it keeps its direction: the next step goes on in it. */
TEST(going_nowhere_does_not_turn_round) {
  const sarrus_Direction both = SARRUS_BOTH;
  const double q = 1, v = 0;
  for (int direction = -1; direction <= 1; direction += 2) {
    double size, from, to;
    Run run;
    Parts *p = oscillator();
    REQUIRE(p != NULL);
    const sarrus_Expr when = sub(p->g, p->q[0], constant(p->g, 2));
    REQUIRE(run_with_events(&run, p, &tight, 1, &when, &both));
    CHECK_OK(sarrus_sim_preset(run.sim, 0, 1));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
    CHECK_OK(sarrus_sim_advance(run.sim, direction * 1.5));
    sarrus_sim_span(run.sim, &from, &to);
    CHECK_OK(sarrus_sim_advance(run.sim, direction * 1.5));
    CHECK_OK(sarrus_sim_step(run.sim, &size));
    CHECK(direction * size > 0);
    CHECK_NEAR(sarrus_sim_time(run.sim), direction > 0 ? to : from, 0); /* where that span ends */
    run_free(&run);
  }
}

/* What a step has reached exactly needs no other. */
TEST(advancing_to_where_a_step_ends) {
  const sarrus_Direction both = SARRUS_BOTH;
  const double q = 1, v = 0;
  double to = 0;
  for (int i = 0; i < 2; i++) {
    Run run;
    Parts *p = oscillator();
    REQUIRE(p != NULL);
    const sarrus_Expr when = sub(p->g, p->q[0], constant(p->g, 2));
    REQUIRE(run_with_events(&run, p, &tight, 1, &when, &both));
    CHECK_OK(sarrus_sim_preset(run.sim, 0, 1));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
    if (i == 0) CHECK_OK(sarrus_sim_step(run.sim, &to));
    if (i == 1) CHECK_OK(sarrus_sim_advance(run.sim, to));
    CHECK_NEAR(sarrus_sim_time(run.sim), to, 0);
    CHECK_INT(sarrus_sim_stats(run.sim).steps, 1);
    run_free(&run);
  }
}

static int stop_at_once(void *ud, const sarrus_Sim *sim) {
  (void)sim;
  ++*(int *)ud;
  return 1;
}

/* Who is told of a step may stop there: at its end, or where it was to go if that comes first. */
TEST(a_step_that_is_told_of_may_be_the_last) {
  const double q = 1, v = 0;
  for (int direction = -1; direction <= 1; direction += 2) {
    int told = 0;
    double from, to;
    Run run;
    REQUIRE(run_oscillator(&run, &tight));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
    sarrus_sim_on_step(run.sim, stop_at_once, &told);
    CHECK_STATUS(sarrus_sim_advance(run.sim, direction * 3.4), SARRUS_CANCELLED);
    CHECK_NEAR(sarrus_sim_time(run.sim), direction * 3.4, 0);
    sarrus_sim_span(run.sim, &from, &to);
    CHECK((direction > 0 ? to : -from) > 3.4);
    CHECK_STATUS(sarrus_sim_advance(run.sim, direction * 100), SARRUS_CANCELLED);
    sarrus_sim_span(run.sim, &from, &to);
    CHECK_NEAR(sarrus_sim_time(run.sim), direction > 0 ? to : from, 0);
    CHECK_INT(told, 2);
    run_free(&run);
  }
}

/* Of implicit steps, too, a start forgets all: the same bits as of a simulation that is new. */
TEST(a_start_forgets_implicit_steps) {
  const sarrus_SimOptions stiff = {.tolerance = 1e-9, .method = SARRUS_STIFF};
  const double q = 1, v = 0;
  double x[2] = {0}, u[2] = {0};
  for (int i = 0; i < 2; i++) {
    Run run;
    REQUIRE(run_new(&run, oscillator(), &stiff));
    CHECK_OK(sarrus_sim_preset(run.sim, 0, 1));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
    if (i == 1) CHECK_OK(sarrus_sim_advance(run.sim, 2.7));
    if (i == 1) REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
    CHECK_OK(sarrus_sim_advance(run.sim, 3));
    CHECK_OK(sarrus_sim_state(run.sim, &x[i], &u[i], NULL, NULL));
    run_free(&run);
  }
  CHECK(x[0] == x[1] && u[0] == u[1]);
}

static int go_on(void *ud) {
  const sarrus_Sim *sim = *(sarrus_Sim **)ud;
  unsigned look;
  CHECK_OK(sim_look_begin(sim, &look));
  CHECK_OK(sim_look_end(sim, look));
  return 0;
}

/* Whoever is asked may look; before, and afterwards, nobody may while it moves. */
TEST(looks_between_steps_alone) {
  for (int asked = 0; asked <= 1; asked++) {
    unsigned look;
    Run run;
    REQUIRE(run_oscillator(&run, &tight));
    if (asked) sarrus_sim_on_cancel(run.sim, go_on, &run.sim);
    if (asked) CHECK_OK(sarrus_sim_advance(run.sim, 5));
    CHECK_OK(sim_enter(run.sim)); /* as by another thread */
    CHECK_STATUS(sim_look_begin(run.sim, &look), SARRUS_BUSY);
    CHECK_STATUS(sim_look_end(run.sim, look), SARRUS_BUSY);
    CHECK_OK(sim_leave(run.sim, SARRUS_OK));
    run_free(&run);
  }
}
