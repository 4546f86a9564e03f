/* Contacts: closed forms, modes, what changes them from outside, records, arguments that are none. */
#include "sims.h"

static const double g0 = 9.81, pi = 3.14159265358979323846;

static sarrus_ContactMode mode_of(const sarrus_Sim *sim, int contact) {
  double modes[SARRUS_MODES * MOST];
  CHECK_OK(sarrus_sim_modes(sim, modes));
  return (sarrus_ContactMode)modes[SARRUS_MODES * contact + SARRUS_MODES - 1];
}

static void state_of(const sarrus_Sim *sim, double *q, double *v) {
  CHECK_OK(sarrus_sim_state(sim, q, v, NULL, NULL));
}

/* Go to t past all events; answers how many there were. */
static int advance(sarrus_Sim *sim, double t) {
  sarrus_Status status;
  int count = 0;
  while ((status = sarrus_sim_advance(sim, t)) == SARRUS_STOPPED)
    count++;
  CHECK_OK(status);
  return count;
}

/* --- mechanisms -------------------------------------------------------------------------- */

/* A ball above a floor at y = 0; parameter 0 is its restitution, parameter 1 a push. */
static Parts *ball(void) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (p == NULL) return NULL;
  p->force[0] = add(p->g, constant(p->g, -g0), sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 1));
  p->contact[0].gap = p->q[0];
  p->contact[0].restitution = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0);
  p->spec.contacts = 1;
  p->spec.parameters = 2;
  return p;
}

/* A block on a plane that is inclined by the angle `slope`; parameter 0 is friction, parameter 1 pushes it upwards. */
static Parts *block(double slope) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr push = mul(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 1), p->t);
  p->force[0] = add(g, constant(g, -g0 * sin(slope)), push);
  p->force[1] = constant(g, -g0 * cos(slope));
  p->contact[0].gap = p->q[1];
  p->contact[0].slip[0] = p->v[0];
  p->contact[0].friction = sarrus_graph_symbol(g, SARRUS_PARAMETER, 0);
  p->spec.contacts = 1;
  p->spec.parameters = 2;
  return p;
}

/* A thin rod of length 2 and mass 1, at x, y, theta: both ends above the floor. */
static Parts *rod(double friction, double restitution) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr s = sine(p, p->q[2]);
  p->mass[8] = constant(g, 1.0 / 3);
  p->force[1] = constant(g, -g0);
  for (int i = 0; i < 2; i++) {
    const double side = i == 0 ? -1 : 1;
    p->contact[i].gap = add(g, p->q[1], scaled(g, side, s));
    p->contact[i].slip[0] = sub(g, p->v[0], scaled(g, side, mul(g, s, p->v[2])));
    p->contact[i].friction = constant(g, friction);
    p->contact[i].restitution = constant(g, restitution);
  }
  p->spec.contacts = 2;
  return p;
}

/* An oscillator with dry friction and no gap; parameters: what holds it while it slips, and while it sticks. */
static Parts *rubbed(void) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (p == NULL) return NULL;
  p->force[0] = negative(p->g, p->q[0]);
  p->contact[0].slip[0] = p->v[0];
  p->contact[0].friction = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0);
  p->contact[0].static_friction = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 1);
  p->spec.contacts = 1;
  p->spec.parameters = 2;
  return p;
}

/* A point mass on a plane in space, under a force along x (parameter 0) and one (parameter 1) that grows, 1 rad from it. */
static Parts *puck(double friction) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr growing = mul(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 1), p->t);
  p->force[0] = add(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 0), scaled(g, cos(1), growing));
  p->force[1] = scaled(g, sin(1), growing);
  p->force[2] = constant(g, -g0);
  p->contact[0].gap = p->q[2];
  p->contact[0].slip[0] = p->v[0];
  p->contact[0].slip[1] = p->v[1];
  p->contact[0].friction = constant(g, friction);
  p->spec.contacts = 1;
  p->spec.parameters = 2;
  return p;
}

/* A run at its start, two parameters being set. */
static bool run_from(Run *run, Parts *p, double one, double two, const double *q, const double *v) {
  const int parameters = p == NULL ? 0 : p->spec.parameters;
  if (!run_new(run, p, &tight)) return false;
  if (parameters > 0) CHECK_OK(sarrus_sim_preset(run->sim, 0, one));
  if (parameters > 1) CHECK_OK(sarrus_sim_preset(run->sim, 1, two));
  return CHECK_OK(sarrus_sim_start(run->sim, 0, q, v));
}

/* The same with events that watch contact 0, one for each kind of change in their order. */
static bool run_watched(Run *run, Parts *p, double one, double two, const double *q,
                        const double *v) {
  const sarrus_Memory memory = sarrus_memory_default();
  sarrus_Fault fault;
  *run = (Run){NULL, NULL, NULL};
  if (!CHECK(p != NULL)) return false;
  const sarrus_Expr never[] = {constant(p->g, 1), constant(p->g, 1), constant(p->g, 1),
                               constant(p->g, 1)};
  const sarrus_Direction both[] = {SARRUS_BOTH, SARRUS_BOTH, SARRUS_BOTH, SARRUS_BOTH};
  bool made =
      CHECK_OK(sarrus_system_new(memory, parts_spec(p), &run->system, &fault)) &&
      CHECK_OK(sarrus_events_new(memory, p->g, 4, never, both, p->spec.parameters, &run->events));
  for (int i = 0; i < 4 && made; i++)
    made = CHECK_OK(sarrus_events_watch(run->events, i, 0, (sarrus_Change)i));
  parts_free(p);
  if (!made || !CHECK_OK(sarrus_sim_new(memory, run->system, run->events, &tight, &run->sim)))
    return false;
  CHECK_OK(sarrus_sim_preset(run->sim, 0, one));
  CHECK_OK(sarrus_sim_preset(run->sim, 1, two));
  return CHECK_OK(sarrus_sim_start(run->sim, 0, q, v));
}

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
** Without friction the centre of a rod falls straight down, on one end until it lies.  The energy gives the speed w at which
** the other end strikes; both impulses follow, their sum w and their difference w/3.
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

/* Each half turn of an oscillator under dry friction f ends 2 f nearer to the middle, until f holds it. */
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
** Thrown across a force F along x, with k = mu N / F: by u = tan(angle / 2) of velocity and force, from 1 to 0,
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

/* --- from outside ------------------------------------------------------------------------ */

TEST(a_contact_is_released_and_engaged) {
  Run run;
  double q = 0, v = 0;
  REQUIRE(run_from(&run, ball(), 0, 0, &q, &v));
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  CHECK_NEAR(position(run.sim), 0, 0);
  CHECK_OK(sarrus_sim_release_contact(run.sim, 0, 1));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_OPEN);
  CHECK_OK(sarrus_sim_advance(run.sim, 2));
  CHECK_NEAR(position(run.sim), -g0 / 2, 1e-14);
  CHECK_STATUS(sarrus_sim_release_contact(run.sim, 0, 0), SARRUS_CONTACT);
  CHECK_INT(sarrus_sim_fault(run.sim)->contact, 0);
  CHECK_NEAR(sarrus_sim_fault(run.sim)->size, g0 / 2, 1e-14);
  CHECK_OK(sarrus_sim_advance(run.sim, 3)); /* it is still released */
  CHECK_NEAR(position(run.sim), -2 * g0, 1e-13);
  CHECK_STATUS(sarrus_sim_release_contact(run.sim, 1, 1), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_release_contact(run.sim, -1, 1), SARRUS_ARGUMENT);
  run_free(&run);
  q = 1;
  REQUIRE(run_from(&run, ball(), 0, 0, &q, &v));
  CHECK_OK(sarrus_sim_release_contact(run.sim, 0, 1));
  CHECK_OK(sarrus_sim_release_contact(run.sim, 0, 0));
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  CHECK_NEAR(position(run.sim), 0, 1e-15);
  run_free(&run);
}

/* A pendulum that is cut flies; where it is, its rod does not fit any more. */
TEST(a_constraint_is_released_and_engaged) {
  const int first = 0, none[] = {1};
  Run run;
  double q[] = {-1, 0}, v[] = {0, 0}, p[2], u[2];
  REQUIRE(run_from(&run, pendulum(sarrus_memory_default()), 0, 0, q, v));
  CHECK_OK(sarrus_sim_advance(run.sim, 0.3));
  state_of(run.sim, q, v);
  CHECK_STATUS(sarrus_sim_release(run.sim, 1, none, 1), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_release(run.sim, -1, &first, 1), SARRUS_ARGUMENT);
  CHECK_OK(sarrus_sim_release(run.sim, 1, &first, 1));
  CHECK_OK(sarrus_sim_advance(run.sim, 0.8));
  state_of(run.sim, p, u);
  CHECK_NEAR(p[0], q[0] + 0.5 * v[0], 1e-14);
  CHECK_NEAR(p[1], q[1] + 0.5 * v[1] - 0.125 * g0, 1e-14);
  CHECK_STATUS(sarrus_sim_release(run.sim, 1, &first, 0), SARRUS_INCONSISTENT);
  CHECK_INT(sarrus_sim_fault(run.sim)->row, 2);
  CHECK_NEAR(sarrus_sim_fault(run.sim)->size, fabs(p[0] * p[0] + p[1] * p[1] - 1), 1e-13);
  CHECK_OK(sarrus_sim_advance(run.sim, 1.3));
  state_of(run.sim, p, u);
  CHECK_NEAR(p[1], q[1] + v[1] - 0.5 * g0, 1e-13);
  run_free(&run);
}

/* Engaged where it fits, what moves across the rod is left of the velocity. */
TEST(engaging_is_an_inelastic_impact) {
  const int first = 0;
  Run run;
  double q[] = {0, -1}, v[] = {0, 0};
  REQUIRE(run_from(&run, pendulum(sarrus_memory_default()), 0, 0, q, v));
  CHECK_OK(sarrus_sim_release(run.sim, 1, &first, 1));
  CHECK_OK(sarrus_sim_impulse(run.sim, (const double[]){3, 1}));
  CHECK_OK(sarrus_sim_release(run.sim, 1, &first, 0));
  state_of(run.sim, q, v);
  CHECK_NEAR(q[1], -1, 1e-15);
  CHECK_NEAR(v[0], 3, 1e-15);
  CHECK_NEAR(v[1], 0, 1e-15);
  run_free(&run);
}

TEST(several_parameters_at_once_or_none) {
  const int both[] = {0, 1}, wrong[] = {0, 2}, twice[] = {1, 1};
  const double values[] = {0.5, 20}, odd[] = {0.7, (double)NAN}, negative_one[] = {0.7, -3};
  const double bad[] = {-1, 3};
  Run run;
  double q = 0, v = 0;
  REQUIRE(run_from(&run, ball(), 0, 0, &q, &v));
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  CHECK_STATUS(sarrus_sim_set_all(run.sim, 2, wrong, values), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_set_all(run.sim, 2, both, odd), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_set_all(run.sim, -1, both, values), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_set_all(run.sim, 2, NULL, values), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_set_all(run.sim, 2, both, NULL), SARRUS_ARGUMENT);
  CHECK_OK(sarrus_sim_set_all(run.sim, 0, NULL, NULL));
  CHECK_STATUS(sarrus_sim_set_all(run.sim, 2, both, bad),
               SARRUS_ARGUMENT); /* a restitution of -1 */
  CHECK_NEAR(sarrus_sim_get(run.sim, 0), 0, 0);
  CHECK_NEAR(sarrus_sim_get(run.sim, 1), 0, 0);
  CHECK_OK(sarrus_sim_set_all(run.sim, 2, both, values)); /* the push lifts it */
  CHECK_OK(sarrus_sim_advance(run.sim, 2));
  CHECK_NEAR(position(run.sim), (20 - g0) / 2, 1e-13);
  CHECK_OK(sarrus_sim_set_all(run.sim, 2, twice, negative_one)); /* the last one counts */
  CHECK_NEAR(sarrus_sim_get(run.sim, 1), -3, 0);
  CHECK_NEAR(sarrus_sim_get(run.sim, 0), 0.5, 0);
  run_free(&run);
}

/* --- backwards --------------------------------------------------------------------------- */

TEST(elastic_impacts_are_reversed) {
  Run run;
  double q = 1, v = 0;
  REQUIRE(run_from(&run, ball(), 1, 0, &q, &v));
  CHECK_OK(sarrus_sim_advance(run.sim, 5));
  CHECK_OK(sarrus_sim_advance(run.sim, 0.1));
  state_of(run.sim, &q, &v);
  CHECK_NEAR(q, 1 - g0 / 2 * 0.01, 1e-12);
  CHECK_NEAR(v, -0.1 * g0, 1e-12);
  run_free(&run);
}

/* Others cannot be: the simulation stands where it stood, and goes on forwards. */
TEST(what_has_no_past) {
  Run run;
  double q = 1, v = 0;
  REQUIRE(run_from(&run, ball(), 0.5, 0, &q, &v));
  CHECK_OK(sarrus_sim_advance(run.sim, 0.5));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 0.1), SARRUS_CONTACT);
  CHECK_INT(sarrus_sim_fault(run.sim)->contact, 0);
  CHECK_INT(sarrus_sim_fault(run.sim)->count, -1);
  CHECK_OK(sarrus_sim_advance(run.sim, 100));
  CHECK_NEAR(position(run.sim), 0, 1e-15);
  run_free(&run);
  double x[] = {0, 0}, u[] = {0, 0};
  REQUIRE(run_from(&run, block(0.2), 0.3, 0, x, u));
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  CHECK_STATUS(sarrus_sim_advance(run.sim, -1), SARRUS_CONTACT);
  CHECK_OK(sarrus_sim_advance(run.sim, 2));
  CHECK_NEAR(position(run.sim), 0, 0);
  run_free(&run);
}

/* --- records ----------------------------------------------------------------------------- */

static void check_same(const sarrus_Sim *one, const sarrus_Sim *two, int n, int contacts) {
  double q[2][MOST], v[2][MOST], modes[2][SARRUS_MODES * MOST];
  CHECK(sarrus_sim_time(one) == sarrus_sim_time(two));
  state_of(one, q[0], v[0]);
  state_of(two, q[1], v[1]);
  CHECK(memcmp(q[0], q[1], (size_t)n * sizeof(double)) == 0);
  CHECK(memcmp(v[0], v[1], (size_t)n * sizeof(double)) == 0);
  CHECK_OK(sarrus_sim_modes(one, modes[0]));
  CHECK_OK(sarrus_sim_modes(two, modes[1]));
  CHECK(memcmp(modes[0], modes[1], (size_t)(SARRUS_MODES * contacts) * sizeof(double)) == 0);
}

/* A copy and a restored one make the next steps bit for bit. */
static void check_records(const Run *run, int n, int contacts) {
  char data[1 << 16];
  sarrus_Sim *copies[2] = {NULL, NULL};
  int extras = 0;
  const size_t size = sarrus_sim_save(run->sim, NULL, 0, data, sizeof data);
  REQUIRE(size > 0 && size <= sizeof data);
  REQUIRE_OK(sarrus_sim_clone(run->sim, &copies[0]));
  REQUIRE_OK(sarrus_sim_restore(sarrus_memory_default(), run->system, run->events, data, size, NULL,
                                &extras, &copies[1]));
  sarrus_Sim *own;
  REQUIRE_OK(sarrus_sim_clone(run->sim, &own));
  for (int step = 0; step < 12; step++) {
    double h;
    const sarrus_Status status = sarrus_sim_step(own, &h);
    for (int i = 0; i < 2; i++) {
      CHECK_STATUS(sarrus_sim_step(copies[i], &h), status);
      check_same(own, copies[i], n, contacts);
    }
  }
  for (int i = 0; i < 2; i++)
    sarrus_sim_free(copies[i]);
  sarrus_sim_free(own);
}

static void check_records_until(Run *run, double t, int pieces, int n, int contacts) {
  for (int i = 0; i <= pieces; i++) {
    advance(run->sim, t * i / pieces);
    check_records(run, n, contacts);
  }
  run_free(run);
}

TEST(records_in_every_mode) {
  Run run;
  double q[] = {1, 0.1, 0.5}, v[] = {1, 0, 1};
  REQUIRE(run_watched(&run, ball(), 0.5, 0, q, (const double[]){0}));
  check_records_until(&run, 2, 20, 1, 1);
  REQUIRE(run_watched(&run, block(0.2), 0.3, 0.5, q, v));
  check_records_until(&run, 11, 44, 2, 1);
  q[1] = 1.5;
  REQUIRE(run_from(&run, rod(0.3, 0.5), 0, 0, q, v));
  check_records_until(&run, 3, 30, 3, 2);
  REQUIRE(run_from(&run, rubbed(), 0.15, 0.2, q, v));
  check_records_until(&run, 12, 20, 1, 1);
  q[1] = q[2] = v[2] = 0;
  v[1] = 2;
  REQUIRE(run_from(&run, puck(0.3), 1, 0.3, q, v));
  check_records_until(&run, 10, 40, 3, 1);
}

/* Released contacts and constraints stay so. */
TEST(records_of_what_is_released) {
  const int first = 0;
  Run run;
  double q[] = {-1, 0}, v[] = {0, 0};
  REQUIRE(run_from(&run, pendulum(sarrus_memory_default()), 0, 0, q, v));
  CHECK_OK(sarrus_sim_release(run.sim, 1, &first, 1));
  check_records_until(&run, 1, 4, 2, 0);
  REQUIRE(run_from(&run, ball(), 0, 0, &q[1], v));
  CHECK_OK(sarrus_sim_release_contact(run.sim, 0, 1));
  check_records_until(&run, 1, 4, 1, 1);
}

/* --- what is refused --------------------------------------------------------------------- */

TEST(starts_that_penetrate) {
  Run run;
  double q = -0.25, v = 0;
  REQUIRE(run_new(&run, ball(), &tight));
  CHECK_STATUS(sarrus_sim_start(run.sim, 0, &q, &v), SARRUS_CONTACT);
  CHECK_INT(sarrus_sim_fault(run.sim)->contact, 0);
  CHECK_NEAR(sarrus_sim_fault(run.sim)->size, 0.25, 0);
  q = 0.25;
  CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  CHECK_OK(sarrus_sim_advance(run.sim, 10));
  CHECK_NEAR(position(run.sim), 0, 1e-15);
  run_free(&run);
}

static Parts *block_with(sarrus_Expr (*friction)(Parts *)) {
  Parts *p = block(0.2);
  if (p != NULL) p->contact[0].friction = friction(p);
  return p;
}

static sarrus_Expr below_zero(Parts *p) { return constant(p->g, -0.1); }
static sarrus_Expr not_a_number(Parts *p) { return constant(p->g, (double)NAN); }

TEST(coefficients_that_are_none) {
  Run run;
  double q[] = {0, 0}, v[] = {0, 0};
  REQUIRE(run_new(&run, block_with(below_zero), &tight));
  CHECK_STATUS(sarrus_sim_start(run.sim, 0, q, v), SARRUS_ARGUMENT);
  run_free(&run);
  Parts *p = block_with(not_a_number);
  sarrus_System *system = NULL;
  sarrus_Fault fault;
  REQUIRE(p != NULL);
  sarrus_Sim *sim = NULL;
  if (sarrus_system_new(sarrus_memory_default(), parts_spec(p), &system, &fault) == SARRUS_OK &&
      CHECK_OK(sarrus_sim_new(sarrus_memory_default(), system, NULL, &tight, &sim)))
    CHECK(sarrus_sim_start(sim, 0, q, v) < 0);
  sarrus_sim_free(sim);
  sarrus_system_free(system);
  parts_free(p);
  REQUIRE(run_from(&run, block(0.2), 0.3, 0, q, v));
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  CHECK_STATUS(sarrus_sim_set(run.sim, 0, -0.3), SARRUS_ARGUMENT);
  CHECK_NEAR(sarrus_sim_get(run.sim, 0), 0.3, 0);
  CHECK_OK(sarrus_sim_advance(run.sim, 2));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
  run_free(&run);
}

/* A contact that is none. */
static sarrus_Contact refused(int which, Parts *p) {
  sarrus_Contact law = p->contact[0];
  switch (which) {
    case 0:
      law.slip[1] = p->v[0];
      law.slip[0] = SARRUS_NONE;
      break;
    case 1: law.gap = law.friction = SARRUS_NONE; break;
    case 2: law.gap = law.slip[0] = SARRUS_NONE; break;
    case 3: law.gap = add(p->g, p->q[1], p->v[0]); break;
    case 4: law.slip[0] = mul(p->g, p->v[0], p->v[0]); break;
    case 5: law.gap = sarrus_graph_symbol(p->g, SARRUS_Q, 7); break;
    case 6: law.gap = 1 << 30; break;
    case 7: law.friction = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 7); break;
    default: break;
  }
  return law;
}

TEST(contacts_that_are_none) {
  for (int which = 0; which < 8; which++) {
    Parts *p = block(0.2);
    sarrus_System *system;
    sarrus_Fault fault;
    REQUIRE(p != NULL);
    p->contact[0] = refused(which, p);
    const sarrus_Status status =
        sarrus_system_new(sarrus_memory_default(), parts_spec(p), &system, &fault);
    if (!CHECK_STATUS(status, SARRUS_ARGUMENT)) printf("case %d\n", which);
    CHECK(system == NULL);
    sarrus_system_free(system);
    parts_free(p);
  }
}

TEST(questions_out_of_range) {
  Run run;
  double q = 1, v = 0, modes[SARRUS_MODES], impulse[3];
  REQUIRE(run_new(&run, ball(), &tight));
  CHECK_STATUS(sarrus_sim_modes(run.sim, modes), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_modes_at(run.sim, 0, modes), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_release_contact(run.sim, 0, 1), SARRUS_ARGUMENT);
  CHECK_INT(sarrus_sim_struck(run.sim, 0, impulse), 0);
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  CHECK_STATUS(sarrus_sim_modes_at(run.sim, 1, modes), SARRUS_ARGUMENT);
  CHECK_INT(sarrus_sim_struck(run.sim, -1, impulse), 0);
  CHECK_INT(sarrus_sim_struck(run.sim, 1, impulse), 0);
  CHECK_INT(sarrus_system_contacts(run.system), 1);
  run_free(&run);
}

/* --- memory ------------------------------------------------------------------------------ */

static sarrus_Status fall(sarrus_Memory memory, const Parts *p) {
  sarrus_System *system = NULL;
  sarrus_Sim *sim = NULL;
  sarrus_Fault fault;
  const double q[] = {0, 1.5, 0.4}, v[] = {0, 0, 0};
  sarrus_Status status = sarrus_system_new(memory, &p->spec, &system, &fault);
  if (status >= 0) status = sarrus_sim_new(memory, system, NULL, &tight, &sim);
  if (status >= 0) status = sarrus_sim_start(sim, 0, q, v);
  if (status >= 0) status = sarrus_sim_advance(sim, 1);
  sarrus_sim_free(sim);
  sarrus_system_free(system);
  return status;
}

TEST(memory_that_ends) {
  Parts *p = rod(0.3, 0.5);
  REQUIRE(p != NULL);
  parts_spec(p);
  for (long n = 1;; n++) {
    TestMemory m;
    const sarrus_Status status = fall(test_memory_failing(&m, n), p);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) {
      CHECK_OK(status);
      break;
    }
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
  parts_free(p);
}
