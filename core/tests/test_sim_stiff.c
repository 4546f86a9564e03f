/* Simulations by implicit steps: closed forms of stiff systems, whatever the stiffness is. */
#include "sims.h"

static const double pi = 3.14159265358979323846;

/*
** x'' = -k (x - cos t) - c (x' + sin t) - cos t, whose solution from 1, 0 is cos t; parameters k
** and c.
*/
static Parts *follower(void) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr off = sub(g, p->q[0], cosine(p, p->t));
  const sarrus_Expr rate = add(g, p->v[0], sine(p, p->t));
  const sarrus_Expr pull = add(g, mul(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 0), off),
                               mul(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 1), rate));
  p->force[0] = negative(g, add(g, pull, cosine(p, p->t)));
  p->spec.parameters = 2;
  return p;
}

static bool run_follower(Run *run, const sarrus_SimOptions *options, double k, double c) {
  const double q = 1, v = 0;
  if (!run_new(run, follower(), options)) return false;
  CHECK_OK(sarrus_sim_preset(run->sim, 0, k));
  CHECK_OK(sarrus_sim_preset(run->sim, 1, c));
  return CHECK_OK(sarrus_sim_start(run->sim, 0, &q, &v));
}

static sarrus_SimOptions by(sarrus_Method method, double tolerance) {
  return (sarrus_SimOptions){.tolerance = tolerance, .method = method};
}

/* The error is the tolerance's, and the steps those of cos t, for any stiffness and damping. */
TEST(a_stiff_follower) {
  unsigned seed = 1;
  for (int i = 0; i < 30; i++) {
    const double tolerance = pow(10, random_in(&seed, -11, -5));
    const double k = pow(10, random_in(&seed, 4, 10)), c = sqrt(k) * random_in(&seed, 0.5, 4);
    const sarrus_SimOptions options = by(SARRUS_STIFF, tolerance);
    double q, v, worst = 0;
    Run run;
    REQUIRE(run_follower(&run, &options, k, c));
    for (int n = 1; n <= 20; n++) {
      REQUIRE_OK(sarrus_sim_advance(run.sim, 0.5 * n));
      CHECK_OK(sarrus_sim_state(run.sim, &q, &v, NULL, NULL));
      worst = fmax(worst, fabs(q - cos(0.5 * n)));
    }
    CHECK(worst <= 100 * tolerance);
    const sarrus_SimStats stats = sarrus_sim_stats(run.sim);
    CHECK_INT(stats.implicit, stats.steps);
    CHECK(stats.steps <= 100);
    run_free(&run);
  }
}

/* AUTO takes them where they pay, and series where they do not; both are right. */
TEST(the_method_is_chosen) {
  const sarrus_SimOptions options = by(SARRUS_AUTO, 1e-9);
  for (int i = 0; i < 4; i++) {
    const double k = (const double[]){1, 100, 1e6, 1e8}[i];
    double q;
    Run run;
    REQUIRE(run_follower(&run, &options, k, 2 * sqrt(k)));
    CHECK_OK(sarrus_sim_advance(run.sim, 10));
    CHECK_OK(sarrus_sim_state(run.sim, &q, NULL, NULL, NULL));
    CHECK_NEAR(q, cos(10), 1e-7);
    CHECK_INT(sarrus_sim_stats(run.sim).implicit > 0, i >= 2);
    run_free(&run);
  }
}

/* Longer steps, smaller errors: both follow the tolerance. */
TEST(tolerances_are_kept) {
  double last_error = HUGE_VAL;
  long long last_steps = 0;
  for (int i = 4; i <= 11; i++) {
    const sarrus_SimOptions options = by(SARRUS_STIFF, pow(10, -i));
    double q;
    Run run;
    REQUIRE(run_follower(&run, &options, 1e7, 1e4));
    CHECK_OK(sarrus_sim_advance(run.sim, 20));
    CHECK_OK(sarrus_sim_state(run.sim, &q, NULL, NULL, NULL));
    const double error = fabs(q - cos(20));
    CHECK(error <= 10 * pow(10, -i));
    CHECK(error <= fmax(last_error, 1e-9));
    CHECK(sarrus_sim_stats(run.sim).steps >= last_steps / 2); /* stages grow, too */
    last_error = error;
    last_steps = sarrus_sim_stats(run.sim).steps;
    run_free(&run);
  }
}

/* Events inside of long steps are found where they are: zeros of cos t. */
TEST(events_in_stages) {
  const sarrus_SimOptions options = by(SARRUS_STIFF, 1e-10);
  const double q = 1, v = 0;
  Parts *p = follower();
  Run run;
  REQUIRE(p != NULL);
  const sarrus_Expr when = p->q[0];
  REQUIRE(run_with_events(&run, p, &options, 1, &when, (sarrus_Direction[]){SARRUS_BOTH}));
  CHECK_OK(sarrus_sim_preset(run.sim, 0, 1e8));
  CHECK_OK(sarrus_sim_preset(run.sim, 1, 2e4));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  for (int i = 0; i < 6; i++) {
    int direction;
    CHECK_STATUS(sarrus_sim_advance(run.sim, 100), SARRUS_STOPPED);
    CHECK_NEAR(sarrus_sim_time(run.sim), pi * (i + 0.5), 1e-8);
    CHECK_INT(sarrus_sim_event(run.sim, &direction), 0);
    CHECK_INT(direction, i % 2 == 0 ? -1 : 1);
  }
  run_free(&run);
}

/* What is asked between the ends of steps is within a hundred tolerances, velocities too. */
TEST(inside_of_steps) {
  const double tolerance = 1e-9;
  const sarrus_SimOptions options = by(SARRUS_STIFF, tolerance);
  Run run;
  REQUIRE(run_follower(&run, &options, 1e6, 1e3));
  for (int step = 0; step < 30; step++) {
    double size, from, to, q, v;
    REQUIRE_OK(sarrus_sim_step(run.sim, &size));
    sarrus_sim_span(run.sim, &from, &to);
    for (int i = 0; i <= 10; i++) {
      const double t = from + (to - from) * i / 10;
      CHECK_OK(sarrus_sim_at(run.sim, t, &q, &v, NULL, NULL));
      CHECK_NEAR(q, cos(t), 100 * tolerance);
      CHECK_NEAR(v, -sin(t), 1e4 * tolerance);
    }
  }
  run_free(&run);
}

/* A copy in the middle goes on with the same bits, and so does one that was saved. */
TEST(copies_go_on) {
  const sarrus_SimOptions options = by(SARRUS_AUTO, 1e-9);
  Run run;
  REQUIRE(run_follower(&run, &options, 1e7, 1e4));
  for (int i = 1; i <= 5; i++) {
    sarrus_Sim *copy = NULL;
    double q[2], v[2];
    CHECK_OK(sarrus_sim_advance(run.sim, 2.3 * i - 1));
    REQUIRE_OK(sarrus_sim_clone(run.sim, &copy));
    CHECK_OK(sarrus_sim_advance(run.sim, 2.3 * i));
    CHECK_OK(sarrus_sim_advance(copy, 2.3 * i));
    CHECK_OK(sarrus_sim_state(run.sim, &q[0], &v[0], NULL, NULL));
    CHECK_OK(sarrus_sim_state(copy, &q[1], &v[1], NULL, NULL));
    CHECK_NEAR(q[1], q[0], 0);
    CHECK_NEAR(v[1], v[0], 0);
    sarrus_sim_free(copy);
  }
  run_free(&run);
}

/* Longest steps are kept, and STIFF goes with neither an order nor a fixed step. */
TEST(options_of_stages) {
  sarrus_SimOptions options = by(SARRUS_STIFF, 1e-6);
  options.max_step = 0.05;
  Run run;
  double size, q;
  REQUIRE(run_follower(&run, &options, 1e6, 1e3));
  for (int step = 0; step < 40; step++) {
    REQUIRE_OK(sarrus_sim_step(run.sim, &size));
    CHECK(size <= 0.05 * (1 + 1e-15));
  }
  CHECK_OK(sarrus_sim_state(run.sim, &q, NULL, NULL, NULL));
  CHECK_NEAR(q, cos(sarrus_sim_time(run.sim)), 1e-6);
  for (int i = 0; i < 3; i++) {
    sarrus_Sim *sim = NULL;
    options = by(SARRUS_STIFF, 1e-6);
    if (i == 0) options.order = 10;
    if (i == 1) options.step = 0.1;
    if (i == 2) options.method = (sarrus_Method)3;
    CHECK_STATUS(sarrus_sim_new(sarrus_memory_default(), run.system, NULL, &options, &sim),
                 SARRUS_ARGUMENT);
    CHECK(sim == NULL);
  }
  run_free(&run);
}

/*
** A parameter that changes in the middle: the motion goes on from there.  With k = c = 0 and a
** force of -cos t alone it is cos t, too.
*/
TEST(stiffness_that_is_switched) {
  const sarrus_SimOptions options = by(SARRUS_AUTO, 1e-10);
  Run run;
  double q;
  REQUIRE(run_follower(&run, &options, 0, 0));
  for (int i = 0; i < 6; i++) {
    CHECK_OK(sarrus_sim_set(run.sim, 0, i % 2 == 0 ? 1e8 : 0));
    CHECK_OK(sarrus_sim_set(run.sim, 1, i % 2 == 0 ? 2e4 : 0));
    CHECK_OK(sarrus_sim_advance(run.sim, i + 1));
    CHECK_OK(sarrus_sim_state(run.sim, &q, NULL, NULL, NULL));
    CHECK_NEAR(q, cos(i + 1), 1e-7);
  }
  run_free(&run);
}

/* --- with constraints -------------------------------------------------------------------- */

/*
** A bead on a rod that turns at the rate 1: x and y, constrained to the rod's line, held at r = 1
** by a stiff spring with damping.
*/
static Parts *bead(double k, double c) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr cs = cosine(p, p->t), sn = sine(p, p->t);
  const sarrus_Expr r = add(g, mul(g, p->q[0], cs), mul(g, p->q[1], sn));
  const sarrus_Expr rate = add(g, mul(g, p->v[0], cs), mul(g, p->v[1], sn));
  const sarrus_Expr pull = add(g, scaled(g, -k, sub(g, r, constant(g, 1))), scaled(g, -c, rate));
  p->force[0] = mul(g, pull, cs);
  p->force[1] = mul(g, pull, sn);
  p->constraint[0] = sub(g, mul(g, p->q[1], cs), mul(g, p->q[0], sn));
  p->spec.constraints = 1;
  return p;
}

/* r' = v . e_r on the rod, and r'' = r - k (r - 1) - c r': at rest k / (k - 1). */
TEST(a_bead_on_a_rod_that_turns) {
  for (int i = 0; i < 4; i++) {
    const double k = (const double[]){1e4, 1e5, 1e7, 1e9}[i], rest = k / (k - 1);
    const sarrus_SimOptions options = by(SARRUS_STIFF, 1e-9);
    double q[] = {rest, 0}, v[] = {0, rest}, g, w;
    Run run;
    REQUIRE(run_new(&run, bead(k, 2 * sqrt(k)), &options));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
    CHECK_OK(sarrus_sim_advance(run.sim, 8));
    CHECK_OK(sarrus_sim_state(run.sim, q, v, NULL, NULL));
    CHECK_NEAR(q[0], rest * cos(8), 1e-8);
    CHECK_NEAR(q[1], rest * sin(8), 1e-8);
    CHECK_OK(sarrus_sim_residual(run.sim, &g, &w));
    CHECK(g <= 1e-7);
    run_free(&run);
  }
}

/*
** Memory that runs out while the first implicit step is made: NOMEM, and it can go on after that.
** 
*/
TEST(memory_that_ends) {
  for (long n = 1; n < 400; n++) {
    TestMemory m;
    sarrus_Fault fault;
    sarrus_System *system = NULL;
    sarrus_Sim *sim = NULL;
    const sarrus_SimOptions options = by(SARRUS_STIFF, 1e-6);
    const double q = 1, v = 0;
    const sarrus_Memory memory = test_memory_failing(&m, n);
    Parts *p = follower();
    REQUIRE(p != NULL);
    sarrus_Status status = sarrus_system_new(memory, parts_spec(p), &system, &fault);
    parts_free(p);
    if (status == SARRUS_OK) status = sarrus_sim_new(memory, system, NULL, &options, &sim);
    if (status == SARRUS_OK) status = sarrus_sim_preset(sim, 0, 1e6);
    if (status == SARRUS_OK) status = sarrus_sim_start(sim, 0, &q, &v);
    if (status == SARRUS_OK) status = sarrus_sim_advance(sim, 1);
    if (status < 0 && sim != NULL && m.failed)
      CHECK(sarrus_sim_start(sim, 0, &q, &v) < 0 || sarrus_sim_advance(sim, 1) == SARRUS_OK);
    sarrus_sim_free(sim);
    sarrus_system_free(system);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) return;
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
  CHECK(false);
}
