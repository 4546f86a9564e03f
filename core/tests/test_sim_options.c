/* Options at both ends of their ranges; what a simulation is asked for, and the memory it has. */
#include <float.h>

#include "contacts.h"
#include "sim_parts.h"

/* --- options ------------------------------------------------------------------------------ */

static sarrus_Status made_with(const sarrus_System *system, sarrus_SimOptions options) {
  sarrus_Sim *sim = NULL;
  const sarrus_Status status =
      sarrus_sim_new(sarrus_memory_default(), system, NULL, &options, &sim);
  CHECK_INT(sim != NULL, status == SARRUS_OK);
  sarrus_sim_free(sim);
  return status;
}

TEST(options_are_taken_to_the_ends_of_their_ranges) {
  const double least = 10 * DBL_EPSILON;
  static const double inf = (double)INFINITY;
  Run run;
  REQUIRE(run_oscillator(&run, &tight));
  const sarrus_SimOptions good[] = {{0},
                                    {.tolerance = least},
                                    {.tolerance = 1 - DBL_EPSILON / 2},
                                    {.scale = DBL_MIN},
                                    {.scale = DBL_MAX},
                                    {.step = DBL_MIN},
                                    {.step = DBL_MAX},
                                    {.max_step = DBL_MIN},
                                    {.max_step = inf},
                                    {.max_steps = 1},
                                    {.order = SARRUS_MIN_ORDER},
                                    {.order = SARRUS_MAX_SIM_ORDER},
                                    {.method = SARRUS_SERIES, .order = 8, .step = 0.1},
                                    {.method = SARRUS_STIFF}};
  const sarrus_SimOptions bad[] = {{.tolerance = least * (1 - 1e-15)},
                                   {.tolerance = 1},
                                   {.tolerance = -1e-9},
                                   {.tolerance = (double)NAN},
                                   {.scale = -1},
                                   {.scale = inf},
                                   {.step = -DBL_MIN},
                                   {.step = inf},
                                   {.max_step = -DBL_MIN},
                                   {.max_step = (double)NAN},
                                   {.max_steps = -1},
                                   {.order = SARRUS_MIN_ORDER - 1},
                                   {.order = -1},
                                   {.order = SARRUS_MAX_SIM_ORDER + 1},
                                   {.method = SARRUS_STIFF, .order = 8},
                                   {.method = SARRUS_STIFF, .step = 0.1},
                                   {.method = (sarrus_Method)(SARRUS_STIFF + 1)},
                                   {.method = (sarrus_Method)(SARRUS_AUTO - 1)}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    CHECK_OK(made_with(run.system, good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK_STATUS(made_with(run.system, bad[i]), SARRUS_ARGUMENT);
  run_free(&run);
}

/* Steps of a given size and order are just that: x of order K is the Taylor polynomial of cos. */
TEST(steps_as_they_are_asked_for) {
  for (int order = SARRUS_MIN_ORDER; order <= 6; order++) {
    Run run;
    const double h = 0.125;
    double size, x = 0, term = 1;
    REQUIRE(
        run_oscillator(&run, &(sarrus_SimOptions){.tolerance = 0.5, .order = order, .step = h}));
    CHECK_OK(sarrus_sim_step(run.sim, &size));
    CHECK_NEAR(size, h, 0);
    for (int k = 0; k <= order + 1; k++, term *= h / k)
      x += k % 4 == 0 ? term : k % 4 == 2 ? -term : 0;
    CHECK_NEAR(position(run.sim), x, 1e-15);
    CHECK_INT(sarrus_sim_stats(run.sim).order, order);
    run_free(&run);
  }
}

/* --- what is asked ------------------------------------------------------------------------ */

TEST(spans_reach_from_the_earlier_to_the_later_end) {
  for (int direction = -1; direction <= 1; direction += 2) {
    Run run;
    double from, to, size, q, v, a;
    REQUIRE(run_oscillator(&run, &tight));
    sarrus_sim_span(run.sim, &from, &to);
    CHECK(from == 0 && to == 0);
    CHECK_OK(sarrus_sim_advance(run.sim, direction * 1e-3));
    CHECK_OK(sarrus_sim_step(run.sim, &size));
    sarrus_sim_span(run.sim, &from, &to);
    CHECK(from < to);
    CHECK_NEAR(direction > 0 ? to : from, sarrus_sim_time(run.sim), 0);
    for (int i = 0; i <= 4; i++) {
      const double t = i == 4 ? to : from + (to - from) * i / 4;
      CHECK_OK(sarrus_sim_at(run.sim, t, &q, &v, &a, NULL));
      CHECK_NEAR(q, cos(t), 1e-14);
      CHECK_NEAR(v, -sin(t), 1e-14);
      CHECK_NEAR(a, -cos(t), 1e-12);
    }
    CHECK_STATUS(sarrus_sim_at(run.sim, from - 1e-9, &q, NULL, NULL, NULL), SARRUS_ARGUMENT);
    CHECK_STATUS(sarrus_sim_at(run.sim, to + 1e-9, &q, NULL, NULL, NULL), SARRUS_ARGUMENT);
    run_free(&run);
  }
}

TEST(parameters_by_index) {
  Run run;
  REQUIRE(run_oscillator(&run, &tight));
  CHECK_NEAR(sarrus_sim_get(run.sim, 0), 1, 0);
  CHECK(isnan(sarrus_sim_get(run.sim, 1)));
  CHECK(isnan(sarrus_sim_get(run.sim, -1)));
  run_free(&run);
}

/* x = 0, 2 x = 0 and y = 0: multipliers (2, -1, 0) change nothing, up to a factor. */
TEST(multipliers_that_change_nothing) {
  const double q[] = {0, 0}, v[] = {0, 0};
  double lambda[3];
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->constraint[0] = p->q[0];
  p->constraint[1] = scaled(p->g, 2, p->q[0]);
  p->constraint[2] = p->q[1];
  p->spec.constraints = 3;
  REQUIRE(run_new(&run, p, &tight));
  if (CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) {
    CHECK_INT(sarrus_sim_dependent(run.sim, 0) + sarrus_sim_dependent(run.sim, 1), 1);
    CHECK_INT(sarrus_sim_dependent(run.sim, 2), 0);
    REQUIRE(sarrus_sim_null(run.sim, 0, lambda));
    CHECK(lambda[0] != 0);
    CHECK_NEAR(lambda[0] + 2 * lambda[1], 0, 1e-15 * fabs(lambda[0]));
    CHECK_NEAR(lambda[2], 0, 1e-15 * fabs(lambda[0]));
    CHECK_INT(sarrus_sim_null(run.sim, 1, lambda), 0);
    CHECK_INT(sarrus_sim_null(run.sim, -1, lambda), 0);
  }
  run_free(&run);
}

/* A margin of rank a thousand times below the largest is that of a singular position. */
TEST(singular_positions) {
  const double q[] = {0.6, -0.8}, v[] = {0, 0};
  Run run;
  REQUIRE(run_new(&run, pendulum(sarrus_memory_default()), &tight));
  if (CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) {
    Maker *maker = &run.sim->maker;
    maker->best_margin = 2;
    maker->margin = 2.001e-3;
    CHECK_INT(sarrus_sim_singular(run.sim), 0);
    maker->margin = 1.999e-3;
    CHECK_INT(sarrus_sim_singular(run.sim), 1);
    maker->margin = 2;
    maker->pole = 1;
    CHECK_INT(sarrus_sim_singular(run.sim), 1);
  }
  run_free(&run);
}

/* --- memory ------------------------------------------------------------------------------- */

/* A stiff spring, a contact far away, a lock: what makes every form that there is. */
static Parts *stiff_and_held(sarrus_Expr *lock) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  p->force[0] = scaled(p->g, -1e8, p->q[0]);
  p->force[1] = constant(p->g, -g0);
  p->contact[0].gap = add(p->g, p->q[1], constant(p->g, 1e3));
  p->spec.contacts = 1;
  lock[0] = p->v[1];
  p->spec.locks = 1;
  p->spec.lock = lock;
  return p;
}

/* What it says to have is what the allocator has given, but for some lists that grow. */
static void check_bytes(const sarrus_Sim *sim, const TestMemory *m) {
  const double part = (double)sarrus_sim_bytes(sim) / (double)m->bytes;
  CHECK(0.8 <= part && part <= 1);
}

TEST(bytes_are_those_of_the_allocator) {
  const double q[] = {1e-9, 0}, v[] = {0, 1};
  sarrus_Expr lock[1];
  TestMemory m;
  Run run;
  sarrus_Sim *sim;
  const sarrus_SimOptions options = {.tolerance = 1e-6, .method = SARRUS_STIFF};
  REQUIRE(run_new(&run, stiff_and_held(lock), &options));
  REQUIRE_OK(sarrus_sim_new(test_memory_counting(&m), run.system, NULL, &options, &sim));
  CHECK_INT(sarrus_sim_bytes(sim), m.bytes);
  CHECK_INT(m.blocks, 1);
  CHECK_OK(sarrus_sim_start(sim, 0, q, v));
  CHECK_OK(sarrus_sim_advance(sim, 0.01));
  CHECK(sarrus_sim_stats(sim).implicit > 0);
  CHECK(m.blocks > 1);
  check_bytes(sim, &m);
  CHECK_OK(sarrus_sim_lock(sim, 0, 1));
  check_bytes(sim, &m);
  CHECK_OK(sarrus_sim_advance(sim, 0.02));
  check_bytes(sim, &m);
  sarrus_sim_free(sim);
  CHECK_INT(m.bytes, 0);
  CHECK_INT(m.blocks, 0);
  run_free(&run);
}
