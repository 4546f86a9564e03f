/* Contacts: what changes them from outside, backwards, records, what is refused. */
#include "contacts.h"

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
  CHECK_STATUS(sarrus_sim_release_contact(run.sim, 0, 0), SARRUS_INCONSISTENT);
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

/* A plate that a parameter places, and a ball on it. */
static Parts *ball_on_plate(void) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  p->constraint[0] = sub(p->g, p->q[0], sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0));
  p->force[1] = constant(p->g, -g0);
  p->contact[0].gap = sub(p->g, p->q[1], p->q[0]);
  p->contact[0].restitution = constant(p->g, 0);
  p->spec.constraints = p->spec.contacts = p->spec.parameters = 1;
  return p;
}

/* What is drawn from under a ball is at its place at once; the ball is not, and falls after it. */
TEST(what_carries_is_drawn_away) {
  Run run;
  double q[] = {0, 0}, v[] = {0, 0}, lambda[MOST];
  REQUIRE(run_new(&run, ball_on_plate(), &tight));
  CHECK_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
  CHECK_OK(sarrus_sim_set(run.sim, 0, -g0 / 2));
  CHECK_OK(sarrus_sim_state(run.sim, q, v, NULL, lambda));
  CHECK_NEAR(q[0], -g0 / 2, 1e-15);
  CHECK_NEAR(q[1], 0, 0);
  CHECK_NEAR(lambda[0], 0, 1e-15);
  CHECK_INT(mode_of(run.sim, 0), SARRUS_OPEN);
  CHECK_OK(sarrus_sim_advance(run.sim, 0.5));
  state_of(run.sim, q, v);
  CHECK_NEAR(q[0], -g0 / 2, 1e-15);
  CHECK_NEAR(q[1], -g0 / 8, 1e-14);
  CHECK_OK(sarrus_sim_advance(run.sim, 2)); /* it has come down at t = 1 */
  state_of(run.sim, q, v);
  CHECK_NEAR(q[1], -g0 / 2, 1e-13);
  CHECK_NEAR(v[1], 0, 1e-13);
  run_free(&run);
}

/* A ball on a floor that goes down from t = 1 on: at speed p0, and with acceleration p1. */
static Parts *ball_on_lift(void) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr later = binary(g, SARRUS_OP_MAX, sub(g, p->t, constant(g, 1)), constant(g, 0));
  const sarrus_Expr speed = mul(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 0), later);
  const sarrus_Expr fall =
      mul(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 1), mul(g, later, later));
  p->force[0] = constant(g, -g0);
  p->contact[0].gap = add(g, p->q[0], add(g, speed, scaled(g, 0.5, fall)));
  p->contact[0].restitution = constant(g, 0);
  p->spec.contacts = 1;
  p->spec.parameters = 2;
  return p;
}

static void check_lift(double speed, double fall) {
  Run run;
  double q = 0, v = 0;
  REQUIRE(run_new(&run, ball_on_lift(), &tight));
  sarrus_sim_preset(run.sim, 0, speed);
  sarrus_sim_preset(run.sim, 1, fall);
  CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  const int parts = speed > 0 || fall > g0;
  const double caught = speed > 0 ? 2 * speed / (g0 - fall) : 0; /* behind t = 1 */
  for (double t = 0.5; t < 3; t += 0.25) {
    const double after = fmax(t - 1, 0), floor = -speed * after - fall * after * after / 2;
    const int free = parts && after > 0 && (fall > g0 || after < caught);
    CHECK_INT(advance(run.sim, t), 0);
    state_of(run.sim, &q, &v);
    CHECK_NEAR(q, free ? -g0 * after * after / 2 : floor, 1e-12);
    CHECK_NEAR(v, free ? -g0 * after : t > 1 ? -speed - fall * after : 0, 1e-12);
    if (t != 1) CHECK_INT(mode_of(run.sim, 0) == SARRUS_OPEN, free);
  }
  run_free(&run);
}

/* Contacts do not pull: a floor that leaves faster than a ball falls lets it go, at a kink too. */
TEST(floors_that_leave) {
  check_lift(3, 0);
  check_lift(3, 5);
  check_lift(0, 15);
  check_lift(0, 5);
  check_lift(1, 12);
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
    case 8: law.loads = 1; break; /* of a contact with a gap */
    case 9:
      law.gap = SARRUS_NONE;
      law.loads = 4;
      break;
    case 10:
      law.gap = law.load[0] = SARRUS_NONE;
      law.loads = 1;
      break;
    case 11:
      law.bounded = 1;
      law.bound = SARRUS_NONE;
      break;
    case 12: /* without a gap that it could be one of */
      law.gap = SARRUS_NONE;
      law.bounded = 1;
      law.bound = p->q[0];
      break;
    default: break;
  }
  return law;
}

TEST(contacts_that_are_none) {
  for (int which = 0; which < 13; which++) {
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
