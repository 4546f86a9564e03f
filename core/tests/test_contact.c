/* Contacts: closed forms, modes, events. */
#include "contacts.h"
#include "sim_parts.h"

static const double pi = 3.14159265358979323846;

/* --- closed forms ------------------------------------------------------------------------ */

TEST(bounces_that_end) {
  Run run;
  double q = 1, v = 0;
  REQUIRE(run_watched(&run, ball(), 0.9, 0, &q, &v));
  CHECK_INT(advance(run.sim, 8.5), 44);
  state_of(run.sim, &q, &v);
  CHECK_NEAR(q, 5.565551008992671e-6, 1e-12);
  CHECK_NEAR(v, -0.04166519580981356, 1e-12);
  CHECK_INT(mode_of(run.sim, 0), SARRUS_OPEN);
  advance(run.sim, 8.578949178728887 + 1e-9);
  CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
  CHECK_INT(advance(run.sim, 1000), 0);
  state_of(run.sim, &q, &v);
  CHECK_NEAR(q, 0, 1e-15);
  CHECK_NEAR(v, 0, 0);
  run_free(&run);
}

TEST(impulses_of_an_impact) {
  Run run;
  double q = 1, v = 0, impulse[3] = {1, 1, 1};
  REQUIRE(run_watched(&run, ball(), 0.5, 0, &q, &v));
  CHECK_INT(sarrus_sim_struck(run.sim, 0, impulse), 0);
  CHECK_NEAR(impulse[0], 0, 0);
  CHECK_STATUS(sarrus_sim_advance(run.sim, 10), SARRUS_STOPPED);
  CHECK_NEAR(sarrus_sim_time(run.sim), sqrt(2 / g0), 1e-15);
  CHECK_INT(sarrus_sim_struck(run.sim, 0, impulse), 1);
  CHECK_NEAR(impulse[0], 1.5 * sqrt(2 * g0), 1e-14);
  CHECK_NEAR(impulse[1], 0, 0);
  CHECK_OK(sarrus_sim_advance(run.sim, 0.6));
  CHECK_INT(sarrus_sim_struck(run.sim, 0, impulse), 0);
  CHECK_INT(sarrus_sim_struck(run.sim, 1, impulse), 0);
  run_free(&run);
}

/* Up an incline, at rest there, until a push that grows moves it. */
TEST(a_block_slides_stops_sticks_and_slips_again) {
  const double slope = 0.2, mu = 0.3, v0 = 2, rate = 0.5;
  const double up = g0 * (sin(slope) + mu * cos(slope));
  const double stop = v0 / up, go = up / rate;
  Run run;
  double q[] = {0, 0}, v[] = {v0, 0}, lambda[2];
  REQUIRE(run_from(&run, block(slope), mu, 0, q, v));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
  CHECK_OK(sarrus_sim_advance(run.sim, stop / 2));
  state_of(run.sim, q, v);
  CHECK_NEAR(q[0], 0.375 * v0 * v0 / up, 1e-14);
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
  state_of(run.sim, q, v);
  CHECK_NEAR(q[0], v0 * v0 / (2 * up), 1e-14);
  CHECK_NEAR(v[0], 0, 0);
  CHECK_OK(sarrus_sim_state(run.sim, NULL, NULL, NULL, lambda));
  CHECK_NEAR(-lambda[0], g0 * cos(slope), 1e-13);
  CHECK_NEAR(-lambda[1], g0 * sin(slope), 1e-13); /* friction holds it */
  CHECK_OK(sarrus_sim_advance(run.sim, 1000));
  state_of(run.sim, q, v);
  CHECK_NEAR(q[0], v0 * v0 / (2 * up), 1e-13);
  run_free(&run);
  q[0] = q[1] = v[0] = v[1] = 0;
  REQUIRE(run_from(&run, block(slope), mu, rate, q, v));
  CHECK_OK(sarrus_sim_advance(run.sim, go * 0.999));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
  CHECK_OK(sarrus_sim_advance(run.sim, go + 2));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
  state_of(run.sim, q, v);
  CHECK_NEAR(q[0], rate * 8 / 6, 1e-12);
  CHECK_NEAR(v[0], rate * 4 / 2, 1e-12);
  run_free(&run);
}

/* Steeper than friction holds: it slides down at once. */
TEST(a_block_that_starts_at_rest_slides) {
  const double slope = 0.5, mu = 0.3, down = g0 * (sin(slope) - mu * cos(slope));
  Run run;
  double q[] = {0, 0}, v[] = {0, 0};
  REQUIRE(run_from(&run, block(slope), mu, 0, q, v));
  CHECK_OK(sarrus_sim_advance(run.sim, 2));
  state_of(run.sim, q, v);
  CHECK_NEAR(q[0], -2 * down, 1e-13);
  CHECK_NEAR(q[1], 0, 1e-14);
  run_free(&run);
}

/*
** Without friction the centre of a rod falls straight down, on one end until it lies.  The energy
** gives the speed w at which the other end strikes; both impulses follow, their sum w and their
** difference w/3.
*/
TEST(a_rod_falls_on_its_other_end) {
  const double tilt = 0.3, w = sqrt(2 * g0 * sin(tilt) / (1 + 1.0 / 3));
  Run run;
  double q[] = {0, sin(tilt), tilt}, v[] = {0, 0, 0}, impulse[2][3], lambda[4], size;
  REQUIRE(run_from(&run, rod(0, 0), 0, 0, q, v));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
  CHECK_INT(mode_of(run.sim, 1), SARRUS_OPEN);
  for (int step = 0; step < 1000 && mode_of(run.sim, 1) == SARRUS_OPEN; step++)
    REQUIRE_OK(sarrus_sim_step(run.sim, &size));
  CHECK_INT(sarrus_sim_struck(run.sim, 0, impulse[0]), 1);
  CHECK_INT(sarrus_sim_struck(run.sim, 1, impulse[1]), 1);
  CHECK_NEAR(impulse[0][0], w / 3, 1e-13);
  CHECK_NEAR(impulse[1][0], 2 * w / 3, 1e-13);
  CHECK_OK(sarrus_sim_advance(run.sim, 100));
  CHECK_OK(sarrus_sim_state(run.sim, q, v, NULL, lambda));
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(q[i], 0, 1e-14);
    CHECK_NEAR(v[i], 0, 1e-14);
  }
  CHECK_NEAR(-lambda[0], g0 / 2, 1e-13);
  CHECK_NEAR(-lambda[1], g0 / 2, 1e-13);
  run_free(&run);
}

/* Energy never rises, nothing goes through the floor. */
TEST(a_rod_tumbles) {
  for (int k = 0; k < 6; k++) {
    Run run;
    double q[] = {0, 1.5, 0.4 + 0.1 * k}, v[] = {0.5, 0, 0.3 * k};
    REQUIRE(run_from(&run, rod(0.1 * k, 0.8 - 0.1 * k), 0, 0, q, v));
    double before = HUGE_VAL;
    for (int i = 1; i <= 100; i++) {
      REQUIRE_OK(sarrus_sim_advance(run.sim, 0.05 * i));
      state_of(run.sim, q, v);
      const double energy = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] / 3) / 2 + g0 * q[1];
      CHECK(energy <= before + 1e-12);
      CHECK(q[1] - fabs(sin(q[2])) >= -1e-12);
      before = energy;
    }
    run_free(&run);
  }
}

/*
** Each half turn of an oscillator under dry friction f ends 2 f nearer to the middle, until f holds
** it.
*/
TEST(friction_without_a_gap) {
  Run run;
  double q = 1, v = 0;
  REQUIRE(run_from(&run, rubbed(), 0.15, 0.15, &q, &v));
  for (int half = 1; half <= 3; half++) {
    CHECK_OK(sarrus_sim_advance(run.sim, pi * half - pi / 2));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
    CHECK_OK(sarrus_sim_advance(run.sim, pi * half));
    state_of(run.sim, &q, &v);
    CHECK_NEAR(fabs(q), 1 - 0.3 * half, 1e-13);
  }
  CHECK_OK(sarrus_sim_advance(run.sim, 100));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
  state_of(run.sim, &q, &v);
  CHECK_NEAR(q, -0.1, 1e-13);
  CHECK_NEAR(v, 0, 0);
  run_free(&run);
  q = 1;
  v = 0;
  REQUIRE(run_from(&run, rubbed(), 0.15, 0.5, &q, &v)); /* static friction holds it at 0.4 */
  CHECK_OK(sarrus_sim_advance(run.sim, 100));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
  CHECK_NEAR(position(run.sim), 0.4, 1e-13);
  run_free(&run);
}

/*
** Thrown across a force F along x, with k = mu N / F: by u = tan(angle / 2) of velocity and force,
** from 1 to 0,
**   T = v0/F k/(k^2 - 1),  x = v0^2/4F (1/(2k-2) - 1/(2k+2)),  y = v0^2/2F (1/(2k-1) + 1/(2k+1)).
*/
TEST(a_puck_stops_in_space) {
  const double mu = 0.3, v0 = 2;
  for (int i = 0; i < 4; i++) {
    const double k = (const double[]){1.5, 2, 3, 6}[i], F = mu * g0 / k, s = v0 * v0 / (4 * F);
    const double T = v0 * k / (mu * g0 * (k - 1 / k));
    Run run;
    double q[] = {0, 0, 0}, v[] = {0, v0, 0};
    REQUIRE(run_from(&run, puck(mu), F, 0, q, v));
    CHECK_OK(sarrus_sim_advance(run.sim, T - 1e-3));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
    CHECK_OK(sarrus_sim_advance(run.sim, T + 1e-12));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
    CHECK_OK(sarrus_sim_advance(run.sim, 10 * T));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
    state_of(run.sim, q, v);
    CHECK_NEAR(q[0], s * (1 / (2 * k - 2) - 1 / (2 * k + 2)), 1e-12);
    CHECK_NEAR(q[1], 2 * s * (1 / (2 * k - 1) + 1 / (2 * k + 1)), 1e-12);
    CHECK_NEAR(q[2], 0, 1e-14);
    CHECK_NEAR(hypot(v[0], v[1]), 0, 0);
    run_free(&run);
  }
}

/* A force that grows breaks it loose: it moves by rate t^3 / 6 from then on. */
TEST(a_puck_begins_to_slip_in_space) {
  const double mu = 0.3, rate = 0.7, go = mu * g0 / rate;
  Run run;
  double q[] = {0, 0, 0}, v[] = {0, 0, 0};
  REQUIRE(run_from(&run, puck(mu), 0, rate, q, v));
  CHECK_OK(sarrus_sim_advance(run.sim, 0.99 * go));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
  CHECK_OK(sarrus_sim_advance(run.sim, go + 1));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
  state_of(run.sim, q, v);
  CHECK_NEAR(q[0], rate / 6 * cos(1), 1e-12);
  CHECK_NEAR(q[1], rate / 6 * sin(1), 1e-12);
  CHECK_NEAR(v[0], rate / 2 * cos(1), 1e-12);
  run_free(&run);
}

/* --- events ------------------------------------------------------------------------------ */

TEST(events_that_watch_contacts) {
  const double slope = 0.2, mu = 0.3, v0 = 2, up = g0 * (sin(slope) + mu * cos(slope));
  const double fall = sqrt(2 * 0.1 / (g0 * cos(slope)));
  Run run;
  double q[] = {0, 0.1}, v[] = {v0, 0};
  int direction = 1;
  REQUIRE(run_watched(&run, block(slope), mu, 0, q, v));
  CHECK_INT(sarrus_sim_event(run.sim, &direction), -1);
  CHECK_STATUS(sarrus_sim_advance(run.sim, 10), SARRUS_STOPPED); /* touches */
  CHECK_INT(sarrus_sim_event(run.sim, &direction), SARRUS_TOUCHES);
  CHECK_NEAR(sarrus_sim_time(run.sim), fall, 1e-14);
  CHECK_STATUS(sarrus_sim_advance(run.sim, 10), SARRUS_STOPPED); /* and slips */
  CHECK_INT(sarrus_sim_event(run.sim, &direction), SARRUS_SLIPS);
  CHECK_NEAR(sarrus_sim_time(run.sim), fall, 1e-14);
  state_of(run.sim, q, v);
  const double left = v0 - g0 * sin(slope) * fall - mu * g0 * cos(slope) * fall;
  CHECK_NEAR(v[0], left, 1e-13);
  CHECK_STATUS(sarrus_sim_advance(run.sim, 10), SARRUS_STOPPED);
  CHECK_INT(sarrus_sim_event(run.sim, &direction), SARRUS_STICKS);
  CHECK_NEAR(sarrus_sim_time(run.sim), fall + left / up, 1e-13);
  CHECK_OK(sarrus_sim_advance(run.sim, 10));
  CHECK_OK(sarrus_sim_impulse(run.sim, (const double[]){0, 1}));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_OPEN);
  CHECK_STATUS(sarrus_sim_advance(run.sim, 20), SARRUS_STOPPED);
  CHECK_INT(sarrus_sim_event(run.sim, &direction), SARRUS_LEAVES);
  CHECK_NEAR(sarrus_sim_time(run.sim), 10, 0);
  CHECK_STATUS(sarrus_sim_advance(run.sim, 20), SARRUS_STOPPED);
  CHECK_INT(sarrus_sim_event(run.sim, &direction), SARRUS_TOUCHES);
  CHECK_NEAR(sarrus_sim_time(run.sim), 10 + 2 / (g0 * cos(slope)), 1e-13);
  run_free(&run);
}

TEST(watching_what_is_not_there) {
  Parts *p = ball();
  sarrus_System *system;
  sarrus_Events *events;
  sarrus_Sim *sim;
  sarrus_Fault fault;
  const sarrus_Memory memory = sarrus_memory_default();
  REQUIRE(p != NULL);
  const sarrus_Direction both = SARRUS_BOTH;
  const sarrus_Expr one = constant(p->g, 1);
  REQUIRE_OK(sarrus_system_new(memory, parts_spec(p), &system, &fault));
  REQUIRE_OK(sarrus_events_new(memory, p->g, 1, &one, &both, 2, &events));
  CHECK_STATUS(sarrus_events_watch(events, 1, 0, SARRUS_TOUCHES), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_events_watch(events, -1, 0, SARRUS_TOUCHES), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_events_watch(events, 0, -1, SARRUS_TOUCHES), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_events_watch(events, 0, 0, (sarrus_Change)4), SARRUS_ARGUMENT);
  CHECK_OK(sarrus_events_watch(events, 0, 1, SARRUS_TOUCHES)); /* of another system, maybe */
  CHECK_STATUS(sarrus_sim_new(memory, system, events, &tight, &sim), SARRUS_ARGUMENT);
  sarrus_events_free(events);
  sarrus_system_free(system);
  parts_free(p);
}

/* --- far away ---------------------------------------------------------------------------- */

/* x'' = 0 above cosh(x / 4) = cosh(1 / 4), of which intervals know nothing; bounded by x - 1. */
static Parts *flyer(int bounded) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (p == NULL) return NULL;
  p->contact[0].gap = sub(p->g, unary(p->g, SARRUS_OP_COSH, scaled(p->g, 0.25, p->q[0])),
                          constant(p->g, cosh(0.25)));
  p->contact[0].restitution = constant(p->g, 1);
  p->contact[0].bounded = bounded;
  p->contact[0].bound = sub(p->g, p->q[0], constant(p->g, 1));
  p->spec.contacts = 1;
  return p;
}

/* While a bound is positive, the equations are those without the contact; it is met anyway. */
TEST(a_bound_serves_in_place_of_a_gap) {
  const sarrus_SimOptions options = {.tolerance = 1e-13, .max_step = 0.7};
  for (int bounded = 0; bounded < 2; bounded++) {
    const double q = 21, v = -1;
    double x;
    Run run;
    REQUIRE(run_new(&run, flyer(bounded), &options));
    CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v));
    CHECK_OK(sarrus_sim_advance(run.sim, 10));
    CHECK_INT(run.sim->form, bounded ? LEAN : WHOLE);
    CHECK_INT(run.sim->asleep, bounded);
    CHECK_INT(run.sim->clear.known, bounded);
    CHECK_OK(sarrus_sim_advance(run.sim, 30));
    CHECK_OK(sarrus_sim_state(run.sim, &x, NULL, NULL, NULL));
    CHECK_NEAR(x, 11, 1e-12);
    run_free(&run);
  }
}

/* Where ranges are known on which all is far, an obstacle that a parameter moves is met still. */
TEST(what_is_known_to_be_far_comes_near) {
  const sarrus_SimOptions options = {.tolerance = 1e-13, .max_step = 0.7};
  const double q = 0, v = 1;
  double x;
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->contact[0].gap = sub(p->g, sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0), p->q[0]);
  p->contact[0].restitution = constant(p->g, 1);
  p->spec.contacts = p->spec.parameters = 1;
  REQUIRE(run_new(&run, p, &options));
  CHECK_OK(sarrus_sim_preset(run.sim, 0, 1000));
  CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  CHECK_OK(sarrus_sim_advance(run.sim, 5));
  CHECK_INT(run.sim->form, LEAN);
  CHECK_INT(run.sim->clear.known, 1);
  CHECK_OK(sarrus_sim_set(run.sim, 0, 5.5));
  CHECK_OK(sarrus_sim_advance(run.sim, 7));
  CHECK_OK(sarrus_sim_state(run.sim, &x, NULL, NULL, NULL));
  CHECK_NEAR(x, 4, 1e-12);
  run_free(&run);
}

TEST(bytes_of_bounds_are_counted) {
  for (int bounded = 0; bounded < 2; bounded++) {
    TestMemory m;
    Parts *p = flyer(bounded);
    REQUIRE(p != NULL);
    sarrus_System *system;
    sarrus_Fault fault;
    const sarrus_Memory memory = test_memory_counting(&m);
    REQUIRE_OK(sarrus_system_new(memory, parts_spec(p), &system, &fault));
    CHECK_INT(sarrus_system_bytes(system), m.bytes);
    sarrus_system_free(system);
    CHECK_INT(m.blocks, 0);
    parts_free(p);
  }
}

/* Nothing is held where memory ends while bounds and gaps are compiled. */
TEST(memory_that_ends_with_bounds) {
  Parts *p = flyer(1);
  REQUIRE(p != NULL);
  for (long n = 1;; n++) {
    TestMemory m;
    sarrus_System *system;
    sarrus_Fault fault;
    const sarrus_Status status =
        sarrus_system_new(test_memory_failing(&m, n), parts_spec(p), &system, &fault);
    sarrus_system_free(system);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) {
      CHECK_OK(status);
      break;
    }
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
  parts_free(p);
}
