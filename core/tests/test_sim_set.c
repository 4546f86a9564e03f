/*
** Changes from outside, between two steps: all of them, or none; what fits, and what does not; what
** is remembered of them.
*/
#include "contacts.h"
#include "sim_parts.h"

/*
** A bead on the circle x^2 + y^2 = p0, under p1 along x; constraint 1 holds x, and is let go at
** first.
*/
static bool begin(Run *run, const sarrus_Memory *memory) {
  const double q[] = {0, -2}, v[] = {0, 0};
  const int other = 1;
  sarrus_Fault fault;
  Parts *p = parts_new(sarrus_memory_default(), 2);
  *run = (Run){NULL, NULL, NULL};
  if (!CHECK(p != NULL)) return false;
  sarrus_Graph *g = p->g;
  p->force[0] = sarrus_graph_symbol(g, SARRUS_PARAMETER, 1);
  p->force[1] = constant(g, -1);
  p->constraint[0] = sub(g, add(g, power(g, p->q[0], 2), power(g, p->q[1], 2)),
                         sarrus_graph_symbol(g, SARRUS_PARAMETER, 0));
  p->constraint[1] = p->q[0];
  p->spec.constraints = p->spec.parameters = 2;
  const bool made =
      CHECK_OK(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &run->system, &fault));
  parts_free(p);
  return made && CHECK_OK(sarrus_sim_new(*memory, run->system, NULL, &tight, &run->sim)) &&
         CHECK_OK(sarrus_sim_preset(run->sim, 0, 4)) &&
         CHECK_OK(sarrus_sim_start(run->sim, 0, q, v)) &&
         CHECK_OK(sarrus_sim_release(run->sim, 1, &other, 1));
}

static void check_parameters(const sarrus_Sim *sim, double one, double two) {
  CHECK_NEAR(sarrus_sim_get(sim, 0), one, 0);
  CHECK_NEAR(sarrus_sim_get(sim, 1), two, 0);
}

/* --- parameters ---------------------------------------------------------------------------- */

/* Several at once, the same one twice too: the last value counts; where it fails, none does. */
TEST(several_parameters_or_none) {
  static const int which[] = {0, 1, 0}, none[] = {1, 0, 0}, beyond[] = {0, 2};
  static const double value[] = {1, 0.5, 9}, bad[] = {0.25, 16, -1}, wrong[] = {1, HUGE_VAL};
  const sarrus_Memory memory = sarrus_memory_default();
  Run run;
  if (begin(&run, &memory)) {
    double q[2];
    CHECK_OK(sarrus_sim_set_all(run.sim, 3, which, value));
    check_parameters(run.sim, 9, 0.5);
    CHECK_OK(sarrus_sim_state(run.sim, q, NULL, NULL, NULL));
    CHECK_NEAR(hypot(q[0], q[1]), 3, 1e-14);
    CHECK_STATUS(sarrus_sim_set_all(run.sim, 3, none, bad), SARRUS_INCONSISTENT); /* no circle */
    check_parameters(run.sim, 9, 0.5);
    CHECK_OK(sarrus_sim_state(run.sim, q, NULL, NULL, NULL));
    CHECK_NEAR(hypot(q[0], q[1]), 3, 1e-14);
    CHECK_STATUS(sarrus_sim_set_all(run.sim, 2, beyond, value), SARRUS_ARGUMENT);
    CHECK_STATUS(sarrus_sim_set_all(run.sim, 2, which, wrong), SARRUS_ARGUMENT);
    CHECK_STATUS(sarrus_sim_set_all(run.sim, -1, which, value), SARRUS_ARGUMENT);
    CHECK_STATUS(sarrus_sim_set_all(run.sim, 1, NULL, value), SARRUS_ARGUMENT);
    CHECK_STATUS(sarrus_sim_set_all(run.sim, 1, which, NULL), SARRUS_ARGUMENT);
    CHECK_OK(sarrus_sim_set_all(run.sim, 0, NULL, NULL));
    check_parameters(run.sim, 9, 0.5);
  }
  run_free(&run);
}

/* What has been set to what it is has not been changed: the span goes on. */
TEST(values_that_are_the_same) {
  const sarrus_Memory memory = sarrus_memory_default();
  Run run;
  if (begin(&run, &memory)) {
    double from, to;
    CHECK_OK(sarrus_sim_advance(run.sim, 0.01));
    sarrus_sim_span(run.sim, &from, &to);
    REQUIRE(to > 0.01);
    CHECK_OK(sarrus_sim_set(run.sim, 0, 4));
    CHECK_INT(run.sim->changed, 0);
    CHECK_NEAR(run.sim->maker.span.until, to, 0);
    CHECK(isnan(run.sim->maker.interventions.at) || run.sim->maker.interventions.at == 0);
    CHECK_OK(sarrus_sim_set(run.sim, 1, 0.5));
    CHECK_INT(run.sim->changed, 1);
    CHECK_NEAR(run.sim->maker.span.until, 0.01, 0);
    CHECK_NEAR(run.sim->maker.interventions.at, 0.01, 0);
  }
  run_free(&run);
}

/* All that a call takes is given back, whether it succeeds or fails. */
TEST(settings_leave_no_memory) {
  static const int which[] = {0, 1};
  static const double value[] = {9, 1}, bad[] = {-1, 1};
  TestMemory m;
  const sarrus_Memory memory = test_memory_counting(&m);
  Run run;
  if (begin(&run, &memory)) {
    const long blocks = m.blocks;
    const size_t bytes = m.bytes;
    CHECK_OK(sarrus_sim_set_all(run.sim, 2, which, value));
    CHECK_INT(m.blocks, blocks);
    CHECK_INT(m.bytes, bytes);
    CHECK_STATUS(sarrus_sim_set_all(run.sim, 2, which, bad), SARRUS_INCONSISTENT);
    CHECK_INT(m.blocks, blocks);
    CHECK_INT(m.bytes, bytes);
  }
  run_free(&run);
  CHECK_INT(m.blocks, 0);
}

/* --- what is remembered -------------------------------------------------------------------- */

/* Each kind of change is an intervention, at its time; what has failed is none. */
TEST(interventions_are_noted) {
  static const double impulse[] = {1, 0}, no_number[] = {HUGE_VAL, 0};
  const sarrus_Memory memory = sarrus_memory_default();
  const int circle = 0, beyond = 2;
  Run run;
  if (begin(&run, &memory)) {
    sarrus_Sim *sim = run.sim;
    const double *at = &sim->maker.interventions.at;
    CHECK_OK(sarrus_sim_advance(sim, 0.25));
    CHECK_OK(sarrus_sim_impulse(sim, impulse));
    CHECK_NEAR(*at, 0.25, 0);
    CHECK_OK(sarrus_sim_advance(sim, 0.5));
    CHECK_STATUS(sarrus_sim_impulse(sim, no_number), SARRUS_ARGUMENT);
    CHECK_STATUS(sarrus_sim_set(sim, 0, -1), SARRUS_INCONSISTENT);
    CHECK_STATUS(sarrus_sim_release(sim, 1, &beyond, 1), SARRUS_ARGUMENT);
    CHECK_NEAR(*at, 0.25, 0);
    CHECK_OK(sarrus_sim_release(sim, 1, &circle, 1));
    CHECK_NEAR(*at, 0.5, 0);
    CHECK_NEAR(sim->maker.interventions.interval, 0.25, 1e-15);
  }
  run_free(&run);
}

/* A change ends the span where it is made, and the next step begins there. */
TEST(changes_end_the_span) {
  static const double impulse[] = {1, 0};
  const sarrus_Memory memory = sarrus_memory_default();
  Run run;
  if (begin(&run, &memory)) {
    double from, to, size;
    CHECK_OK(sarrus_sim_advance(run.sim, 0.01));
    CHECK_OK(sarrus_sim_impulse(run.sim, impulse));
    sarrus_sim_span(run.sim, &from, &to);
    CHECK_NEAR(to, 0.01, 0);
    CHECK_OK(sarrus_sim_step(run.sim, &size));
    sarrus_sim_span(run.sim, &from, &to);
    CHECK_NEAR(from, 0.01, 0);
  }
  run_free(&run);
}

/* --- engaging ------------------------------------------------------------------------------ */

/* Positions must fit what is engaged to 1e-9 of sizes; else it is named, with what it misses by. */
TEST(what_is_engaged_must_fit) {
  static const double part[] = {0.99e-9, 1.01e-9, -0.99e-9, -1.01e-9, 0};
  const sarrus_Memory memory = sarrus_memory_default();
  const int both[] = {0, 1}, line = 1, bad = 2, negative = -1;
  for (int i = 0; i < 5; i++) {
    Run run;
    if (begin(&run, &memory)) {
      sarrus_Sim *sim = run.sim;
      double q[2];
      const double scale = sim->maker.scale[0];
      const bool fits = fabs(part[i]) < 1e-9;
      CHECK_OK(sarrus_sim_release(sim, 2, both, 1));
      sim->maker.to.q[0] = part[i] * scale;
      CHECK_STATUS(sarrus_sim_release(sim, 1, &line, 0), fits ? SARRUS_OK : SARRUS_INCONSISTENT);
      CHECK_INT(sarrus_sim_released(sim, 1), !fits);
      CHECK_INT(sarrus_sim_released(sim, 0), 1);
      if (!fits) {
        CHECK_INT(sarrus_sim_fault(sim)->row, sim->maker.n + 1);
        CHECK_CLOSE(sarrus_sim_fault(sim)->size, 1.01e-9 * scale, 1e-12);
      } else {
        CHECK_OK(sarrus_sim_state(sim, q, NULL, NULL, NULL));
        CHECK_NEAR(q[0], 0, 1e-15); /* it is moved there */
      }
      CHECK_STATUS(sarrus_sim_release(sim, 1, &bad, 0), SARRUS_ARGUMENT);
      CHECK_STATUS(sarrus_sim_release(sim, 1, &negative, 0), SARRUS_ARGUMENT);
      CHECK_STATUS(sarrus_sim_release(sim, 1, NULL, 0), SARRUS_ARGUMENT);
      CHECK_STATUS(sarrus_sim_release(sim, -1, &line, 0), SARRUS_ARGUMENT);
      CHECK_OK(sarrus_sim_release(sim, 0, NULL, 0));
      CHECK_INT(sarrus_sim_locked(sim, 0), 0); /* there are no locks */
      CHECK_INT(sarrus_sim_released(sim, 2), 0);
      CHECK_INT(sarrus_sim_released(sim, -1), 0);
    }
    run_free(&run);
  }
}

/* Let go at speed w on the circle of radius 2, it goes straight on; engaged there again it does
** not: with the velocity that is left along the circle. */
TEST(engaging_takes_velocity) {
  const sarrus_Memory memory = sarrus_memory_default();
  const int circle = 0;
  static const double impulse[] = {2, 3};
  Run run;
  if (begin(&run, &memory)) {
    double q[2], v[2];
    CHECK_OK(sarrus_sim_impulse(run.sim, impulse)); /* the part across does nothing */
    CHECK_OK(sarrus_sim_state(run.sim, q, v, NULL, NULL));
    CHECK_NEAR(v[0], 2, 1e-14);
    CHECK_NEAR(v[1], 0, 1e-14);
    CHECK_OK(sarrus_sim_release(run.sim, 1, &circle, 1));
    CHECK_OK(sarrus_sim_impulse(run.sim, impulse)); /* now it does */
    CHECK_OK(sarrus_sim_state(run.sim, q, v, NULL, NULL));
    CHECK_NEAR(v[0], 4, 1e-14);
    CHECK_NEAR(v[1], 3, 1e-14);
    CHECK_OK(sarrus_sim_release(run.sim, 1, &circle, 0));
    CHECK_OK(sarrus_sim_state(run.sim, q, v, NULL, NULL));
    CHECK_NEAR(v[0], 4, 1e-14);
    CHECK_NEAR(v[1], 0, 1e-14);
  }
  run_free(&run);
}
