/*
** Faults: in every failure the fields mean what the header says, and the sentence uses the caller's
** names.
*/
#include "sims.h"
#include "system_parts.h"

static const char *const coordinates[] = {"x", "y", "z"};
static const char *const constraints[] = {"rod", "slot", "rail"};
static const char *const parameters[] = {"stiffness"};
static const char *const events[] = {"bounce", "exit"};
static const char *const contacts[] = {"sole", "heel"};
static const sarrus_Names names = {.coordinates = 3,
                                   .coordinate = coordinates,
                                   .constraints = 3,
                                   .constraint = constraints,
                                   .parameters = 1,
                                   .parameter = parameters,
                                   .events = 2,
                                   .event = events,
                                   .contacts = 2,
                                   .contact = contacts};

static const char *sentence(sarrus_Status status, const sarrus_Fault *fault,
                            const sarrus_System *system) {
  static char text[512];
  const size_t length = sarrus_fault_text(status, fault, system, &names, text, sizeof text);
  CHECK_INT(length, strlen(text));
  return text;
}

/*
** All indices as expected, in the order row, column, event, derivative; -1 where they do not apply.
*/
static void check_indices(const sarrus_Fault *fault, int row, int column, int event,
                          int derivative) {
  CHECK_INT(fault->row, row);
  CHECK_INT(fault->column, column);
  CHECK_INT(fault->event, event);
  CHECK_INT(fault->derivative, derivative);
}

/* --- making systems ---------------------------------------------------------------------- */

/* The names of the caller tell how many coordinates there are: there is no system. */
static const char *refused(Parts *p, sarrus_Fault *fault) {
  static char text[512];
  sarrus_Names own = names;
  own.coordinates = p->spec.coordinates;
  sarrus_System *system;
  CHECK_STATUS(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &system, fault),
               SARRUS_ARGUMENT);
  CHECK_INT(fault->expr, -1); /* the system's graph is gone */
  sarrus_fault_text(SARRUS_ARGUMENT, fault, NULL, &own, text, sizeof text);
  parts_free(p);
  return text;
}

TEST(systems_that_cannot_be_made) {
  sarrus_Fault fault;
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->mass[1] = constant(p->g, 0.5);
  CHECK_STR(refused(p, &fault),
            "an argument is not acceptable: the mass of \"x\" and \"y\" is not "
            "symmetric, by 0.5");
  check_indices(&fault, 0, 1, -1, -1);
  REQUIRE((p = parts_new(sarrus_memory_default(), 2)) != NULL);
  p->constraint[0] = p->q[0];
  p->constraint[1] = add(p->g, p->q[1], p->v[0]);
  p->spec.constraints = 2;
  CHECK_STR(refused(p, &fault),
            "an argument is not acceptable: constraint \"slot\" contains velocities");
  check_indices(&fault, 3, -1, -1, -1);
  REQUIRE((p = parts_new(sarrus_memory_default(), 2)) != NULL);
  p->velocity_constraint[0] = power(p->g, p->v[1], 2);
  p->spec.velocity_constraints = 1;
  CHECK_STR(refused(p, &fault),
            "an argument is not acceptable: constraint \"rod\" is not affine in "
            "the rate of \"y\"");
  check_indices(&fault, 2, 1, -1, -1);
  REQUIRE((p = parts_new(sarrus_memory_default(), 1)) != NULL);
  p->force[0] = sarrus_graph_symbol(p->g, SARRUS_Q, 7);
  CHECK_STR(refused(p, &fault), "an argument is not acceptable");
  check_indices(&fault, -1, -1, -1, -1);
}

/* An asymmetry that proves to be none is forgotten. */
TEST(what_was_doubted_is_no_fault) {
  TestMemory m;
  for (long n = 1;; n++) {
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    p->mass[1] = mul(p->g, p->q[0], add(p->g, p->q[0], p->q[1])); /* x (x + y) = x^2 + x y */
    p->mass[2] = add(p->g, power(p->g, p->q[0], 2), mul(p->g, p->q[0], p->q[1]));
    sarrus_System *system;
    sarrus_Fault fault;
    const sarrus_Status status =
        sarrus_system_new(test_memory_failing(&m, n), parts_spec(p), &system, &fault);
    check_indices(&fault, -1, -1, -1, -1);
    sarrus_system_free(system);
    parts_free(p);
    if (!m.failed) break;
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
}

static sarrus_Status make_dae(sarrus_Graph *g, int n, int m, const sarrus_Expr *f,
                              const sarrus_Expr *constraint, sarrus_System **system,
                              sarrus_Fault *fault) {
  int index;
  const sarrus_DaeSpec spec = {g, n, m, f, constraint, 0};
  return sarrus_system_new_dae(sarrus_memory_default(), &spec, system, &index, fault);
}

TEST(daes_that_cannot_be_made) {
  const sarrus_Names own = {
      .coordinates = 1, .coordinate = coordinates, .constraints = 2, .constraint = constraints};
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  sarrus_System *system;
  sarrus_Fault fault;
  char text[256];
  REQUIRE(g != NULL);
  const sarrus_Expr x = variable(g, 0), t = sarrus_graph_symbol(g, SARRUS_TIME, 0);
  CHECK_STATUS(make_dae(g, 1, 1, &x, &t, &system, &fault), SARRUS_SINGULAR);
  check_indices(&fault, 1, -1, -1, -1);
  sarrus_fault_text(SARRUS_SINGULAR, &fault, NULL, &own, text, sizeof text);
  CHECK_STR(text, "the equations do not determine the motion: constraint \"rod\" is left over");
  sarrus_graph_free(g);
}

/* 0 = y^2 + 1: the equation farthest from a solution is named. */
TEST(algebraic_equations_without_solution) {
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  sarrus_System *system;
  sarrus_Sim *sim;
  sarrus_Fault fault;
  const double q = 0, guess = 2;
  REQUIRE(g != NULL);
  const sarrus_Expr y = sarrus_graph_symbol(g, SARRUS_LAMBDA, 0), f = y;
  const sarrus_Expr none = add(g, power(g, y, 2), constant(g, 1));
  REQUIRE_OK(make_dae(g, 1, 1, &f, &none, &system, &fault));
  sarrus_graph_free(g);
  REQUIRE_OK(sarrus_sim_new(sarrus_memory_default(), system, NULL, &tight, &sim));
  CHECK_OK(sarrus_sim_guess(sim, &guess));
  CHECK_STATUS(sarrus_sim_start(sim, 0, &q, &q), SARRUS_INCONSISTENT);
  check_indices(sarrus_sim_fault(sim), 1, -1, -1, -1);
  CHECK(sarrus_sim_fault(sim)->size >= 1);
  CHECK(strstr(sentence(SARRUS_INCONSISTENT, sarrus_sim_fault(sim), system),
               "constraint 1 is violated by ") == NULL);
  CHECK(strstr(sentence(SARRUS_INCONSISTENT, sarrus_sim_fault(sim), system),
               "constraint \"rod\" is violated by ") != NULL);
  sarrus_sim_free(sim);
  sarrus_system_free(system);
}

/* --- starts ------------------------------------------------------------------------------ */

static const char *failed_start(Run *run, Parts *p, const double *q, const double *v,
                                sarrus_Status expected) {
  if (!run_new(run, p, &tight)) return "";
  for (int i = 0; i < run->system->parameters; i++)
    CHECK_OK(sarrus_sim_preset(run->sim, i, 1));
  CHECK_STATUS(sarrus_sim_start(run->sim, 0, q, v), expected);
  return sentence(expected, sarrus_sim_fault(run->sim), run->system);
}

TEST(starts_that_nothing_determines) {
  Run run;
  const double zero[3] = {0};
  Parts *p = parts_new(sarrus_memory_default(), 3);
  REQUIRE(p != NULL);
  p->mass[4] = constant(p->g, 0);
  const char *text = failed_start(&run, p, zero, zero, SARRUS_SINGULAR);
  check_indices(sarrus_sim_fault(run.sim), 1, 1, -1, -1);
  CHECK(sarrus_sim_fault(run.sim)->size > 1e12);
  CHECK(strstr(text,
               "the equations do not determine the motion: the motion of \"y\" depends on the "
               "others, nothing determines \"y\"") == text);
  CHECK_STATUS(sarrus_sim_advance(run.sim, 1), SARRUS_ARGUMENT);
  check_indices(sarrus_sim_fault(run.sim), -1, -1, -1, -1); /* of the last call */
  CHECK_NEAR(sarrus_sim_fault(run.sim)->size, 0, 0);
  run_free(&run);
}

/* x^2 + 1 = 0; then x = 0 and x' = 1, which contradict each other. */
TEST(starts_that_cannot_be_met) {
  Run run;
  const double q[] = {0.5, 0}, zero[2] = {0};
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->constraint[0] = p->q[1];
  p->constraint[1] = add(p->g, power(p->g, p->q[0], 2), constant(p->g, 1));
  p->spec.constraints = 2;
  const char *text = failed_start(&run, p, q, zero, SARRUS_INCONSISTENT);
  check_indices(sarrus_sim_fault(run.sim), 3, -1, -1, 0);
  CHECK(sarrus_sim_fault(run.sim)->size >= 1);
  CHECK(strstr(text, "the positions violate constraint \"slot\" by 1") != NULL);
  run_free(&run);
  REQUIRE((p = parts_new(sarrus_memory_default(), 1)) != NULL);
  p->constraint[0] = p->q[0];
  p->velocity_constraint[0] = sub(p->g, p->v[0], constant(p->g, 1));
  p->spec.constraints = p->spec.velocity_constraints = 1;
  text = failed_start(&run, p, zero, zero, SARRUS_INCONSISTENT);
  CHECK_INT(sarrus_sim_fault(run.sim)->derivative, 1);
  CHECK_NEAR(sarrus_sim_fault(run.sim)->size, 1, 1e-12);
  CHECK(strstr(text, "the velocities violate constraint \"") != NULL);
  run_free(&run);
}

TEST(starts_with_numbers_that_are_none) {
  Run run;
  const double good[] = {1, 0}, bad[] = {1, (double)NAN};
  CHECK_STR(failed_start(&run, pendulum(sarrus_memory_default()), bad, good, SARRUS_NONFINITE),
            "the position of \"y\" is not finite");
  check_indices(sarrus_sim_fault(run.sim), -1, 1, -1, 0);
  run_free(&run);
  CHECK_STR(failed_start(&run, pendulum(sarrus_memory_default()), good, bad, SARRUS_NONFINITE),
            "the velocity of \"y\" is not finite");
  check_indices(sarrus_sim_fault(run.sim), -1, 1, -1, 1);
  run_free(&run);
}

TEST(starts_outside_of_a_domain) {
  Run run;
  const double q = -1, v = 2;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  const sarrus_Expr k = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0);
  p->spec.parameters = 1;
  p->force[0] =
      unary(p->g, SARRUS_OP_LOG, sub(p->g, mul(p->g, k, p->q[0]), power(p->g, p->v[0], 2)));
  CHECK_STR(failed_start(&run, p, &q, &v, SARRUS_NONFINITE),
            "log(-x'^2 + x*stiffness) is not finite, or outside its domain");
  check_indices(sarrus_sim_fault(run.sim), -1, -1, -1, -1);
  run_free(&run);
}

/* --- points of expansions ---------------------------------------------------------------- */

TEST(points_that_violate_constraints) {
  sarrus_System *system;
  sarrus_Expansion *x;
  sarrus_Fault fault;
  const double off[] = {1.1, 0}, rim[] = {1, 0}, rest[] = {0, 0}, out[] = {0.25, 3};
  const double bad[] = {(double)INFINITY, 0};
  Parts *p = pendulum(sarrus_memory_default());
  REQUIRE(p != NULL);
  REQUIRE_OK(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &system, &fault));
  parts_free(p);
  REQUIRE_OK(sarrus_expansion_new(sarrus_memory_default(), system, 4, &x));
  CHECK_STATUS(sarrus_expansion_run(x, 0, off, rest, NULL, 1e-9, &fault), SARRUS_INCONSISTENT);
  check_indices(&fault, 2, -1, -1, 0);
  CHECK_STATUS(sarrus_expansion_run(x, 0, rim, out, NULL, 1e-9, &fault), SARRUS_INCONSISTENT);
  check_indices(&fault, 2, -1, -1, 1);
  CHECK_STR(sentence(SARRUS_INCONSISTENT, &fault, system),
            "the constraints cannot be met: the velocities violate constraint \"rod\" by 0.5");
  CHECK_STATUS(sarrus_expansion_run(x, 0, rim, bad, NULL, 1e-9, &fault), SARRUS_NONFINITE);
  check_indices(&fault, -1, 0, -1, 1);
  sarrus_expansion_free(x);
  sarrus_system_free(system);
}

/* x = 0 and x = t^2 agree at t = 0, but for accelerations. */
TEST(accelerations_that_violate_constraints) {
  sarrus_System *system;
  sarrus_Expansion *x;
  sarrus_Fault fault;
  const double zero = 0;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->constraint[0] = p->q[0];
  p->constraint[1] = sub(p->g, p->q[0], power(p->g, p->t, 2));
  p->spec.constraints = 2;
  REQUIRE_OK(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &system, &fault));
  parts_free(p);
  REQUIRE_OK(sarrus_expansion_new(sarrus_memory_default(), system, 4, &x));
  CHECK_STATUS(sarrus_expansion_run(x, 0, &zero, &zero, NULL, 1e-9, &fault), SARRUS_INCONSISTENT);
  CHECK_INT(fault.derivative, 2);
  CHECK_NEAR(fault.size, 2, 1e-12);
  sarrus_expansion_free(x);
  sarrus_system_free(system);
}

/* --- steps ------------------------------------------------------------------------------- */

/* y'' = 6 y^2 blows up; x does nothing. */
TEST(steps_that_become_too_small) {
  Run run;
  const double q[] = {0, 1}, v[] = {0, 2};
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->force[1] = scaled(p->g, 6, power(p->g, p->q[1], 2));
  REQUIRE(run_new(&run, p, &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 3), SARRUS_STEP);
  check_indices(sarrus_sim_fault(run.sim), -1, 1, -1, -1);
  CHECK_INT(sarrus_sim_fault(run.sim)->count, 0);
  CHECK_STR(sentence(SARRUS_STEP, sarrus_sim_fault(run.sim), run.system),
            "the steps became too small: \"y\" keeps them small");
  run_free(&run);
}

static int now(void *ud) { return ++*(int *)ud > 2; }

TEST(steps_that_are_too_many_or_cancelled) {
  Run run;
  int asked = 0;
  REQUIRE(run_oscillator(&run, &(sarrus_SimOptions){.max_steps = 3}));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 100), SARRUS_STEP);
  check_indices(sarrus_sim_fault(run.sim), -1, 0, -1, -1);
  CHECK_INT(sarrus_sim_fault(run.sim)->count, 3);
  CHECK_STR(sentence(SARRUS_STEP, sarrus_sim_fault(run.sim), run.system),
            "3 steps were not enough: \"x\" keeps them small");
  sarrus_sim_on_cancel(run.sim, now, &asked);
  const sarrus_Status status = sarrus_sim_advance(run.sim, 100);
  CHECK_STATUS(status, SARRUS_CANCELLED);
  check_indices(sarrus_sim_fault(run.sim), -1, -1, -1, -1);
  CHECK_STR(sentence(status, sarrus_sim_fault(run.sim), run.system), "cancelled");
  CHECK_STATUS(sarrus_sim_set(run.sim, 5, 0), SARRUS_ARGUMENT);
  check_indices(sarrus_sim_fault(run.sim), -1, -1, -1, -1);
  run_free(&run);
}

/* --- events and switches ----------------------------------------------------------------- */

/* Where the oscillator x = cos t cannot go on for its second event; the first is never zero. */
static const char *failed_event(Run *run, sarrus_Expr (*when)(Parts *p)) {
  Parts *p = oscillator();
  const double q = 1, v = 0;
  if (p == NULL) return "";
  const sarrus_Expr list[] = {add(p->g, power(p->g, p->q[0], 2), constant(p->g, 1)), when(p)};
  if (!run_with_events(run, p, &tight, 2, list, (sarrus_Direction[]){SARRUS_BOTH, SARRUS_BOTH}))
    return "";
  CHECK_OK(sarrus_sim_preset(run->sim, 0, 1));
  CHECK_OK(sarrus_sim_start(run->sim, 0, &q, &v));
  sarrus_Status status;
  while ((status = sarrus_sim_advance(run->sim, 3)) == SARRUS_STOPPED)
    continue;
  CHECK_STATUS(status, SARRUS_EVENT);
  check_indices(sarrus_sim_fault(run->sim), -1, -1, 1, -1);
  return sentence(status, sarrus_sim_fault(run->sim), run->system);
}

static sarrus_Expr without_value(Parts *p) {
  return unary(p->g, SARRUS_OP_LOG, sub(p->g, p->q[0], constant(p->g, 2)));
}
static sarrus_Expr nothing(Parts *p) {
  return sub(p->g, add(p->g, power(p->g, p->q[0], 2), power(p->g, p->v[0], 2)), constant(p->g, 1));
}

TEST(events_that_are_none) {
  Run run;
  CHECK_STR(failed_event(&run, without_value),
            "event \"exit\" is not finite, or outside its domain");
  CHECK(isnan(sarrus_sim_fault(run.sim)->size));
  run_free(&run);
  CHECK_STR(failed_event(&run, nothing), "event \"exit\" vanishes throughout");
  CHECK(sarrus_sim_fault(run.sim)->size == 0 && sarrus_sim_fault(run.sim)->count == 0);
  run_free(&run);
  sarrus_Fault fault = fault_none();
  fault.event = 1;
  fault.count = 64;
  CHECK_STR(sentence(SARRUS_EVENT, &fault, NULL),
            "event \"exit\" has more than 64 zeros in one step");
}

/* More zeros than there is room for make a step shorter. */
TEST(dense_zeros) {
  const sarrus_Direction both = SARRUS_BOTH;
  const double q = 1, v = 0;
  Parts *p = oscillator();
  Run run;
  int count = 0;
  REQUIRE(p != NULL);
  const sarrus_Expr when = sine(p, scaled(p->g, 1e4, p->t));
  REQUIRE(run_with_events(&run, p, &tight, 1, &when, &both));
  CHECK_OK(sarrus_sim_preset(run.sim, 0, 1));
  CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  while (sarrus_sim_advance(run.sim, 0.3) == SARRUS_STOPPED)
    count++;
  CHECK_INT(count, 954); /* 3000 = 954.9 pi */
  CHECK_NEAR(sarrus_sim_time(run.sim), 0.3, 0);
  run_free(&run);
}

/* A ball that bounces ever lower. */
TEST(events_that_follow_each_other_ever_faster) {
  Run run;
  const double q = 1, v = 0;
  double speed;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->force[0] = constant(p->g, -9.81);
  const sarrus_Expr ground = p->q[0];
  REQUIRE(run_with_events(&run, p, &tight, 1, &ground, (sarrus_Direction[]){SARRUS_DOWN}));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  sarrus_Status status;
  while ((status = sarrus_sim_advance(run.sim, 10)) == SARRUS_STOPPED) {
    REQUIRE_OK(sarrus_sim_state(run.sim, NULL, &speed, NULL, NULL));
    REQUIRE_OK(sarrus_sim_impulse(run.sim, (double[]){-1.5 * speed}));
  }
  CHECK_STATUS(status, SARRUS_EVENT);
  const sarrus_Fault *fault = sarrus_sim_fault(run.sim);
  check_indices(fault, -1, -1, 0, -1);
  CHECK(fault->count >= 12 && fault->size > 0 && fault->size < 1e-5);
  CHECK(strstr(sentence(status, fault, run.system), "event \"bounce\" has ") != NULL);
  run_free(&run);
}

/* x'' = 1/2 - sign(x'): what pushes back on both sides sticks. */
TEST(motions_that_stick) {
  Run run;
  const double q = 0, v = 1;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->force[0] = sub(p->g, constant(p->g, 0.5), unary(p->g, SARRUS_OP_SIGN, p->v[0]));
  REQUIRE(run_new(&run, p, &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 10), SARRUS_EVENT);
  check_indices(sarrus_sim_fault(run.sim), -1, -1, -1, -1);
  CHECK_STR(sentence(SARRUS_EVENT, sarrus_sim_fault(run.sim), run.system),
            "the motion sticks or chatters at a switch of sign(x')");
  run_free(&run);
}

/* --- contacts ---------------------------------------------------------------------------- */

TEST(contacts_by_name_and_by_number) {
  sarrus_Fault fault = fault_none();
  char text[128];
  CHECK_STR(sentence(SARRUS_CONTACT, &fault, NULL), "no contact forces are possible, or several");
  fault.contact = 1;
  CHECK_STR(sentence(SARRUS_CONTACT, &fault, NULL),
            "no contact forces are possible, or several: contact \"heel\"");
  fault.count = 8;
  CHECK_STR(sentence(SARRUS_CONTACT, &fault, NULL),
            "contact \"heel\" changes again and again at one instant: it jams or chatters");
  fault.count = -1;
  CHECK_STR(
      sentence(SARRUS_CONTACT, &fault, NULL),
      "contact \"heel\" has no past that can be told: it sticks, or an impact has lost energy");
  fault.count = 0;
  fault.size = 0.25;
  CHECK_STR(sentence(SARRUS_CONTACT, &fault, NULL), "contact \"heel\" penetrates by 0.25");
  sarrus_fault_text(SARRUS_CONTACT, &fault, NULL, NULL, text, sizeof text);
  CHECK_STR(text, "contact 2 penetrates by 0.25");
  fault.size = 0;
  sarrus_fault_text(SARRUS_CONTACT, &fault, NULL, NULL, text, sizeof text);
  CHECK_STR(text, "no contact forces are possible, or several: contact 2");
  sarrus_fault_text(SARRUS_ARGUMENT, &fault, NULL, NULL, text, sizeof text);
  CHECK_STR(text,
            "an argument is not acceptable: contact 2: friction must not be negative, and "
            "restitution be from 0 to 1");
}

TEST(a_start_that_penetrates) {
  Run run;
  const double q[] = {1, -0.5}, v[] = {0, 0};
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  for (int i = 0; i < 2; i++)
    p->contact[i].gap = p->q[i];
  p->spec.contacts = 2;
  REQUIRE(run_new(&run, p, &tight));
  CHECK_STATUS(sarrus_sim_start(run.sim, 0, q, v), SARRUS_CONTACT);
  check_indices(sarrus_sim_fault(run.sim), -1, -1, -1, -1);
  CHECK_INT(sarrus_sim_fault(run.sim)->contact, 1);
  CHECK_STR(sentence(SARRUS_CONTACT, sarrus_sim_fault(run.sim), run.system),
            "contact \"heel\" penetrates by 0.5");
  run_free(&run);
}

/* --- text -------------------------------------------------------------------------------- */

TEST(without_names_or_room) {
  const sarrus_Fault fault = {2, 0, 0.5, -1, -1, 0, 1, -1, SARRUS_MISUSE_NONE, -1};
  const sarrus_Names few = {.coordinates = 2, .coordinate = (const char *[]){NULL, "y"}};
  char text[128];
  sarrus_fault_text(SARRUS_INCONSISTENT, &fault, NULL, NULL, text, sizeof text);
  CHECK_STR(text, "the constraints cannot be met: the velocities violate equation 3 by 0.5");
  sarrus_fault_text(SARRUS_INCONSISTENT, &fault, NULL, &few, text, sizeof text);
  CHECK_STR(text, "the constraints cannot be met: the velocities violate constraint 1 by 0.5");
  sarrus_fault_text(SARRUS_STEP, &fault, NULL, &few, text, sizeof text);
  CHECK_STR(text, "the steps became too small: coordinate 1 keeps them small");
  CHECK_INT(sarrus_fault_text(SARRUS_STEP, &fault, NULL, &few, text, 12), 3);
  CHECK_STR(text, "...");
  CHECK_INT(sarrus_fault_text(SARRUS_STEP, &fault, NULL, &few, NULL, 0), 0);
  const sarrus_Fault strange = {-7, 2147483647, (double)NAN,       99, 2147483647, -5,
                                9,  2147483647, (sarrus_Misuse)99, 7};
  for (int status = SARRUS_FLOATS; status <= SARRUS_STOPPED; status++)
    CHECK(sarrus_fault_text((sarrus_Status)status, &strange, NULL, &few, text, sizeof text) > 0);
}
