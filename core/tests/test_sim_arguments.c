/*
** Arguments that are none: every public function, every field of every spec.  Under the sanitizers
** nothing is read or written that is not there; the answer is ARGUMENT or what the header says in
** its place, and nothing is left behind.
*/
#include "functions.h"
#include "sarrus/sarrus.h"
#include "sims.h"

static const int far = 1 << 30;
#define COUNT_OF(list) (int)(sizeof(list) / sizeof *(list))

/* --- expressions ------------------------------------------------------------------------- */

/* A constructor that refused has spoilt its graph; each gets a fresh one with three nodes. */
static sarrus_Expr refused(int which, sarrus_Graph *g) {
  const sarrus_Expr x = sarrus_graph_symbol(g, SARRUS_Q, 0), one = constant(g, 1), none = 99;
  const double rising[] = {0, 1, 2}, falling[] = {0, 2, 1}, odd[] = {0, (double)NAN, 2};
  const int table = sarrus_graph_new_table(g, 3, rising, falling);
  switch (which) {
    case 0: return sarrus_graph_symbol(g, SARRUS_Q, -1);
    case 1: return sarrus_graph_symbol(g, SARRUS_SYMBOL_KINDS, 0);
    case 2: return sarrus_graph_symbol(g, (sarrus_SymbolKind)-1, 0);
    case 3: return unary(g, SARRUS_OP_SIN, none);
    case 4: return unary(g, SARRUS_OP_SIN, -2);
    case 5: return binary(g, SARRUS_OP_PRODUCT, x, none);
    case 6: return sarrus_graph_apply(g, SARRUS_OP_SELECT, x, one, far);
    case 7: return unary(g, SARRUS_OP_TABLE, x);
    case 8: return unary(g, SARRUS_OP_LINEAR, x);
    case 9: return unary(g, SARRUS_OP_POWER, x);
    case 10: return unary(g, SARRUS_OP_COUNT, x);
    case 11: return unary(g, (sarrus_Op)-1, x);
    case 12: return sarrus_graph_linear(g, 0, -1, &(sarrus_Term){1, x});
    case 13: return sarrus_graph_linear(g, 0, 1, &(sarrus_Term){1, none});
    case 14: return sarrus_graph_linear(g, 0, 1, NULL);
    case 15: return sarrus_graph_power(g, none, 2);
    case 16: return sarrus_graph_new_table(g, 1, rising, falling);
    case 17: return sarrus_graph_new_table(g, -1, rising, falling);
    case 18: return sarrus_graph_new_table(g, 3, falling, rising);
    case 19: return sarrus_graph_new_table(g, 3, odd, rising);
    case 20: return sarrus_graph_new_table(g, 3, rising, odd);
    case 21: return sarrus_graph_table(g, table + 1, 0, x);
    case 22: return sarrus_graph_table(g, -2, 0, x);
    case 23: return sarrus_graph_table(g, table, -1, x);
    case 24: return sarrus_graph_table(g, table, 0, none);
    case 25: return sarrus_graph_diff(g, x, none);
    case 26: return sarrus_graph_diff(g, none, x);
    case 27: return sarrus_graph_diff(g, x, one); /* no symbol */
    default: return far;
  }
}

TEST(constructors_refuse_for_good) {
  for (int which = 0;; which++) {
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    REQUIRE(g != NULL);
    const sarrus_Expr e = refused(which, g);
    if (e != far) {
      if (!CHECK_INT(e, SARRUS_NONE)) printf("case %d\n", which);
      CHECK_STATUS(sarrus_graph_status(g), SARRUS_ARGUMENT);
      CHECK_INT(constant(g, 1), SARRUS_NONE);
    }
    sarrus_graph_free(g);
    if (e == far) break;
  }
}

static void differentiate(void *ud, sarrus_SymbolKind kind, int index, sarrus_Expr derivative) {
  sarrus_Graph *g = ud;
  CHECK_INT(sarrus_graph_diff(g, derivative, sarrus_graph_symbol(g, kind, index)), SARRUS_NONE);
}

static void ignore(void *ud, sarrus_SymbolKind kind, int index, sarrus_Expr derivative) {
  (void)ud, (void)kind, (void)index, (void)derivative;
}

TEST(questions_about_what_is_no_node) {
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  sarrus_Graph *other = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(g != NULL && other != NULL);
  const sarrus_Expr x = variable(g, 0), none = 5;
  sarrus_Expr copy = x;
  char text[8];
  double value;
  CHECK_STR(sarrus_op_name(SARRUS_OP_COUNT), "unknown");
  CHECK_STR(sarrus_op_name((sarrus_Op)-1), "unknown");
  CHECK_INT(sarrus_op_arity((sarrus_Op)far), 0);
  CHECK_INT(sarrus_graph_op(g, none), SARRUS_OP_COUNT);
  CHECK_INT(sarrus_graph_op(g, SARRUS_NONE), SARRUS_OP_COUNT);
  CHECK_INT(sarrus_graph_is_constant(g, far, &value), 0);
  CHECK_INT(sarrus_graph_print(g, none, NULL, NULL, text, sizeof text), 1);
  CHECK_STR(text, "?");
  CHECK_STATUS(sarrus_graph_import(other, g, 1, &none, &copy), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_graph_import(other, g, -1, &x, &copy), SARRUS_ARGUMENT);
  CHECK_OK(sarrus_graph_import(g, g, 1, &x, &copy));
  CHECK_INT(copy, x);
  CHECK_STATUS(sarrus_graph_gradient(g, 1, &none, NULL, ignore, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_graph_gradient(g, -1, &x, NULL, ignore, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_graph_gradient(g, 1, &x, &none, ignore, NULL), SARRUS_ARGUMENT);
  CHECK_OK(sarrus_graph_status(g));
  CHECK_STATUS(sarrus_graph_gradient(g, 1, &x, NULL, differentiate, g), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_graph_import(other, g, 1, &x, &copy), SARRUS_ARGUMENT); /* handed on */
  CHECK_OK(sarrus_graph_status(other));
  sarrus_graph_free(g);
  sarrus_graph_free(other);
}

TEST(adomian_polynomials_of_nothing) {
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  sarrus_Expr a[4];
  REQUIRE(g != NULL);
  CHECK_STATUS(sarrus_adomian_expand(g, 7, 1, 3, a), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_adomian_expand(g, SARRUS_NONE, 0, 3, a), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_adomian_expand(g, SARRUS_NONE, 1, -1, a), SARRUS_ARGUMENT);
  CHECK_INT(sarrus_adomian_component(3, 1, 2), 6);
  CHECK_INT(sarrus_adomian_component(2147483647, 2147483647, 0), SARRUS_NONE);
  CHECK_INT(sarrus_adomian_component(3, 1, 4), SARRUS_NONE);
  CHECK_INT(sarrus_adomian_component(-1, 1, 0), SARRUS_NONE);
  sarrus_graph_free(g);
}

/* --- series ------------------------------------------------------------------------------ */

TEST(series_without_coefficients) {
  double *none = calloc(1, 1), slope; /* reading it is found */
  int pivots[2];
  REQUIRE(none != NULL);
  CHECK_STATUS(sarrus_series_mul(none, none, none, -1), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_series_div(none, none, none, -1), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_series_integer_power(none, none, -2, -1, none), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_series_pow(none, none, 0.5, -1), SARRUS_ARGUMENT);
  CHECK_STATUS(apply_series(SARRUS_OP_SQRT, none, none, -1), SARRUS_ARGUMENT);
  CHECK_STATUS(apply_series(SARRUS_OP_SIN, none, none, -7), SARRUS_ARGUMENT);
  CHECK_STATUS(apply_nested(SARRUS_OP_ATAN2, none, none, none, 0, -1), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_series_compose(none, none, 0, none, -5), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_series_compose(none, none, -1, none, 0), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_series_pade(none, -1, 0, none, none, none, pivots), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_series_pade(none, 0, -1, none, none, none, pivots), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_series_pade(none, 0, far, none, none, none, pivots), SARRUS_LIMIT);
  CHECK_NEAR(sarrus_series_eval(none, -1, 2), 0, 0);
  CHECK_NEAR(sarrus_series_eval_slope(none, -1, 2, &slope), 0, 0);
  CHECK_NEAR(slope, 0, 0);
  free(none);
}

/* --- systems ----------------------------------------------------------------------------- */

static void spoil_system(int which, sarrus_SystemSpec *spec, sarrus_Expr *none) {
  static const sarrus_MassEntry beside[] = {{0, 0, 0}, {0, 2, 0}}, before[] = {{-1, 0, 0}};
  static const sarrus_MassEntry nowhere[] = {{0, 0, 1 << 30}};
  switch (which) {
    case 0: spec->coordinates = -1; break;
    case 1: spec->masses = -1; break;
    case 2: spec->mass = NULL; break;
    case 3: spec->constraints = -1; break;
    case 4: spec->constraint = NULL; break;
    case 5: spec->velocity_constraints = -1; break;
    case 6: spec->velocity_constraints = 1, spec->velocity_constraint = NULL; break;
    case 7: spec->parameters = -1; break;
    case 8: spec->lagrangian = 0; break; /* besides masses */
    case 9: spec->masses = 0, spec->lagrangian = far; break;
    case 10: spec->masses = 2, spec->mass = beside; break;
    case 11: spec->masses = 1, spec->mass = before; break;
    case 12: spec->masses = 1, spec->mass = nowhere; break;
    case 13: spec->force = none; break;
    case 14: spec->constraint = none; break;
    default: spec->velocity_constraints = 1, spec->velocity_constraint = none;
  }
}

TEST(specs_of_systems) {
  for (int which = 0; which < 16; which++) {
    Parts *p = pendulum(sarrus_memory_default());
    REQUIRE(p != NULL);
    sarrus_Expr none[] = {which % 2 ? far : SARRUS_NONE, SARRUS_NONE};
    sarrus_System *system;
    sarrus_Fault fault;
    sarrus_SystemSpec spec = *parts_spec(p);
    spoil_system(which, &spec, none);
    if (!CHECK_STATUS(sarrus_system_new(sarrus_memory_default(), &spec, &system, &fault),
                      SARRUS_ARGUMENT))
      printf("case %d\n", which);
    CHECK(system == NULL);
    if (which == 10) CHECK(fault.row == 0 && fault.column == 2);
    parts_free(p);
  }
}

TEST(a_graph_without_memory_makes_no_system) {
  TestMemory m;
  Parts *p = pendulum(test_memory_counting(&m));
  REQUIRE(p != NULL);
  sarrus_System *system;
  sarrus_Fault fault;
  const sarrus_SystemSpec spec = *parts_spec(p);
  m.fail_at = m.calls + 1;
  for (int i = 0; sarrus_graph_status(p->g) == SARRUS_OK; i++)
    p->force[0] = constant(p->g, i);
  CHECK_INT(p->force[0], SARRUS_NONE);
  CHECK_STATUS(sarrus_system_new(sarrus_memory_default(), &spec, &system, &fault), SARRUS_NOMEM);
  parts_free(p);
}

TEST(specs_of_daes) {
  static const sarrus_SymbolKind kinds[] = {SARRUS_Q, SARRUS_V,         SARRUS_A,
                                            SARRUS_U, SARRUS_PARAMETER, SARRUS_LAMBDA};
  for (int which = 0; which < 7 + COUNT_OF(kinds); which++) {
    sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
    REQUIRE(g != NULL);
    const sarrus_Expr x = variable(g, 0), y = sarrus_graph_symbol(g, SARRUS_LAMBDA, 0);
    const sarrus_Expr f = y, constraint = sub(g, y, x), none = far;
    sarrus_DaeSpec spec = {g, 1, 1, &f, &constraint, 0};
    const sarrus_Expr strange = which < 7 ? x : sarrus_graph_symbol(g, kinds[which - 7], 1);
    if (which == 0) spec.differential = -1;
    if (which == 1) spec.algebraic = -1;
    if (which == 2) spec.derivative = NULL;
    if (which == 3) spec.constraint = NULL;
    if (which == 4) spec.parameters = -1;
    if (which == 5) spec.derivative = &none;
    if (which == 6) spec.constraint = &none;
    if (which >= 7) spec.derivative = &strange;
    sarrus_System *system;
    sarrus_Fault fault;
    int index;
    if (!CHECK_STATUS(
            sarrus_system_new_dae(sarrus_memory_default(), &spec, &system, &index, &fault),
            SARRUS_ARGUMENT))
      printf("case %d\n", which);
    CHECK(system == NULL);
    sarrus_graph_free(g);
  }
}

TEST(instants) {
  Parts *p = oscillator();
  REQUIRE(p != NULL);
  sarrus_System *system;
  sarrus_Instant *x;
  sarrus_Fault fault;
  sarrus_Reached reached;
  double q = 1, a[2];
  const double v = 0, k = 1, bad = (double)NAN, unit = 0, wanted[9] = {1, 0, 0, 0, 1};
  const int row = 0;
  REQUIRE_OK(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &system, &fault));
  parts_free(p);
  CHECK_STATUS(sarrus_instant_new(sarrus_memory_default(), system, NULL, 1, &x), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_instant_new(sarrus_memory_default(), system, NULL, -1, &x), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_instant_new(sarrus_memory_default(), system, &v, 0, &x), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_instant_new(sarrus_memory_default(), system, &bad, 0, &x), SARRUS_ARGUMENT);
  REQUIRE_OK(sarrus_instant_new(sarrus_memory_default(), system, NULL, 0, &x));
  CHECK_STATUS(sarrus_instant_motion(x, 0, NULL, &v, &k, a, a, &fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_instant_motion(x, 0, &q, NULL, &k, a, a, &fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_instant_motion(x, 0, &q, &v, NULL, a, a, &fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_instant_motion(x, bad, &q, &v, &k, a, a, &fault), SARRUS_NONFINITE);
  CHECK_STATUS(sarrus_instant_motion(x, 0, &bad, &v, &k, a, a, &fault), SARRUS_NONFINITE);
  CHECK_STATUS(sarrus_instant_motion(x, 0, &q, &v, &bad, a, a, &fault), SARRUS_NONFINITE);
  CHECK_OK(sarrus_instant_motion(x, 0, &q, &v, &k, a, NULL, &fault));
  CHECK_STATUS(sarrus_instant_rates(x, 0, &q, &k, -1, &row, a, a, &fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_instant_rates(x, 0, &q, &k, 1, &row, a, a, &fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_instant_rates(x, 0, &q, &k, 1, NULL, a, a, &fault), SARRUS_ARGUMENT);
  CHECK_OK(sarrus_instant_rates(x, 0, &q, &k, 0, NULL, NULL, NULL, &fault));
  const sarrus_Aim wrong[] = {{.targets = 1, .unit = &unit},
                              {.targets = -1},
                              {.turns = 1},
                              {.turns = -1},
                              {.turns = 1, .axes = &row, .wanted = wanted}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    CHECK_STATUS(sarrus_instant_reach(x, 0, &q, &k, &wrong[i], NULL, NULL, &reached, &fault),
                 SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_instant_reach(x, 0, &q, &k, NULL, NULL, NULL, &reached, &fault),
               SARRUS_ARGUMENT);
  CHECK_OK(sarrus_instant_reach(x, 0, &q, &k, &(sarrus_Aim){0}, NULL, NULL, &reached, &fault));
  sarrus_instant_free(x);
  sarrus_instant_free(NULL);
  sarrus_system_free(system);
}

TEST(expansions) {
  Parts *p = oscillator();
  REQUIRE(p != NULL);
  sarrus_System *system;
  sarrus_Expansion *x;
  sarrus_Fault fault;
  const double q = 1, v = 0, k = 1, bad = (double)NAN;
  REQUIRE_OK(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &system, &fault));
  parts_free(p);
  CHECK_STATUS(sarrus_expansion_new(sarrus_memory_default(), system, -1, &x), SARRUS_ARGUMENT);
  REQUIRE_OK(sarrus_expansion_new(sarrus_memory_default(), system, 4, &x));
  CHECK_STATUS(sarrus_expansion_run(x, 0, NULL, &v, &k, 1, &fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_expansion_run(x, 0, &q, NULL, &k, 1, &fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_expansion_run(x, 0, &q, &v, NULL, 1, &fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_expansion_run(x, 0, &q, &v, &k, -1, &fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_expansion_run(x, 0, &q, &v, &k, bad, &fault), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_expansion_run(x, bad, &q, &v, &k, 1, &fault), SARRUS_NONFINITE);
  CHECK_STATUS(sarrus_expansion_run(x, 0, &bad, &v, &k, 1, &fault), SARRUS_NONFINITE);
  CHECK_STATUS(sarrus_expansion_run(x, 0, &q, &bad, &k, 1, &fault), SARRUS_NONFINITE);
  CHECK_STATUS(sarrus_expansion_run(x, 0, &q, &v, &bad, 1, &fault), SARRUS_NONFINITE);
  CHECK_OK(sarrus_expansion_run(x, 0, &q, &v, &k, 1, &fault));
  CHECK_INT(sarrus_expansion_order(x, 1), -1);
  CHECK_INT(sarrus_expansion_order(x, -1), -1);
  CHECK(isnan(sarrus_expansion_q(x, 1, 0)) && isnan(sarrus_expansion_q(x, 0, 5)));
  CHECK(isnan(sarrus_expansion_q(x, 0, -1)) && isnan(sarrus_expansion_v(x, 0, 4)));
  CHECK(isnan(sarrus_expansion_v(x, 0, 2147483647)) && isnan(sarrus_expansion_lambda(x, 0, 0)));
  CHECK_INT(sarrus_expansion_dependent(x, 0), 0);
  CHECK_INT(sarrus_expansion_dependent(x, -1), 0);
  sarrus_expansion_free(x);
  sarrus_system_free(system);
}

/* --- events and simulations -------------------------------------------------------------- */

static sarrus_Status new_events(sarrus_Graph *g, int count, sarrus_Expr when, int direction,
                                int parameters, sarrus_Events **events) {
  const sarrus_Direction directions[] = {(sarrus_Direction)direction};
  return sarrus_events_new(sarrus_memory_default(), g, count, &when, directions, parameters,
                           events);
}

TEST(events_of_nothing) {
  Run run;
  Parts *p = oscillator();
  REQUIRE(p != NULL);
  sarrus_Graph *g = p->g;
  sarrus_System *system;
  sarrus_Fault fault;
  sarrus_Sim *sim;
  sarrus_Events *events;
  const sarrus_Expr q = p->q[0], second = variable(g, 1);
  const sarrus_Expr lambda = sarrus_graph_symbol(g, SARRUS_LAMBDA, 0);
  const sarrus_Expr parameter = sarrus_graph_symbol(g, SARRUS_PARAMETER, 1);
  const sarrus_Expr free_one = sarrus_graph_symbol(g, SARRUS_U, 0);
  CHECK_STATUS(new_events(g, -1, q, 0, 1, &events), SARRUS_ARGUMENT);
  CHECK_STATUS(new_events(g, 1, far, 0, 1, &events), SARRUS_ARGUMENT);
  CHECK_STATUS(new_events(g, 1, SARRUS_NONE, 0, 1, &events), SARRUS_ARGUMENT);
  CHECK_STATUS(new_events(g, 1, q, 2, 1, &events), SARRUS_ARGUMENT);
  CHECK_STATUS(new_events(g, 1, q, 0, -1, &events), SARRUS_ARGUMENT);
  CHECK_STATUS(new_events(g, 1, q, 0, far, &events), SARRUS_LIMIT);
  CHECK_STATUS(new_events(g, 1, parameter, 0, 1, &events), SARRUS_ARGUMENT);
  CHECK(events == NULL);
  REQUIRE_OK(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &system, &fault));
  const struct {
    sarrus_Expr when;
    int parameters;
  } strange[] = {{second, 1}, {lambda, 1}, {q, 0}, {free_one, 1}}; /* of another system */
  for (int i = 0; i < COUNT_OF(strange); i++) {
    REQUIRE_OK(new_events(g, 1, strange[i].when, 0, strange[i].parameters, &events));
    CHECK_STATUS(sarrus_sim_new(sarrus_memory_default(), system, events, &tight, &sim),
                 SARRUS_ARGUMENT);
    CHECK(sim == NULL);
    sarrus_events_free(events);
  }
  sarrus_system_free(system);
  REQUIRE(run_with_events(&run, p, &tight, 1, &q, (sarrus_Direction[]){SARRUS_BOTH}));
  CHECK_INT(sarrus_sim_event(run.sim, NULL), -1);
  run_free(&run);
}

TEST(simulations) {
  Run run;
  double lambda[1], x = (double)NAN;
  char record[8];
  int extras = 0;
  sarrus_Sim *sim;
  REQUIRE(run_oscillator(&run, &tight));
  CHECK(isnan(sarrus_sim_get(run.sim, 1)) && isnan(sarrus_sim_get(run.sim, -1)));
  CHECK_STATUS(sarrus_sim_preset(run.sim, 1, 0), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_preset(run.sim, -1, 0), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_preset(run.sim, 0, x), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_scale(run.sim, 1, 1), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_scale(run.sim, -1, 1), SARRUS_ARGUMENT);
  CHECK_INT(sarrus_sim_dependent(run.sim, 0), 0);
  CHECK_INT(sarrus_sim_dependent(run.sim, -1), 0);
  CHECK_INT(sarrus_sim_null(run.sim, -1, lambda), 0);
  CHECK_INT(sarrus_sim_null(run.sim, far, lambda), 0);
  CHECK_INT(sarrus_sim_save(run.sim, &x, -1, record, sizeof record), 0);
  CHECK_INT(sarrus_sim_save(run.sim, NULL, 1, record, sizeof record), 0);
  CHECK_INT(sarrus_sim_save(run.sim, &x, far, record, sizeof record), 0);
  CHECK_STATUS(
      sarrus_sim_restore(sarrus_memory_default(), run.system, NULL, NULL, 0, NULL, &extras, &sim),
      SARRUS_FORMAT);
  run_free(&run);
}

TEST(directions) {
  Run run;
  const double one = 1, none = 0;
  double x, y;
  REQUIRE(run_oscillator(&run, &tight));
  CHECK_STATUS(sarrus_sim_directions(run.sim, -1, &one, &one, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_directions(run.sim, far, NULL, NULL, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_slopes(run.sim, far, &x, &y, NULL, NULL, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_slopes(run.sim, 1, NULL, NULL, NULL, NULL, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_tangent(run.sim, 0, &x, NULL, NULL, NULL), SARRUS_ARGUMENT);
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, &one, &none, NULL));
  CHECK_STATUS(sarrus_sim_tangent(run.sim, far, &x, NULL, NULL, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_tangent_at(run.sim, 0, -1, &x, NULL, NULL, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_tangent_at(run.sim, 9, 0, &x, NULL, NULL, NULL), SARRUS_ARGUMENT);
  CHECK(isnan(sarrus_sim_instant(run.sim, -1)) && isnan(sarrus_sim_instant(run.sim, far)));
  run_free(&run);
}

/* --- what looks at them ------------------------------------------------------------------ */

TEST(observers) {
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(g != NULL);
  const sarrus_Expr third = variable(g, 2);
  const sarrus_Expr later = sarrus_graph_symbol(g, SARRUS_TIME, 1), none = far;
  const sarrus_Memory memory = sarrus_memory_default();
  sarrus_Observer *observer;
  double value = 0;
  CHECK_STATUS(sarrus_observer_new(memory, g, -1, &third, &observer), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_observer_new(memory, g, 1, &none, &observer), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_observer_new(memory, g, 1, &later, &observer), SARRUS_ARGUMENT);
  CHECK(observer == NULL);
  REQUIRE_OK(sarrus_observer_new(memory, g, 1, &third, &observer));
  CHECK_INT(sarrus_observer_uses(observer, SARRUS_Q), 3);
  CHECK_INT(sarrus_observer_uses(observer, SARRUS_V), 0);
  sarrus_observer_evaluate(observer, &(sarrus_Sight){.t = 1}, &value);
  CHECK(isnan(value));
  CHECK_OK(
      sarrus_observer_slopes(observer, &(sarrus_Sight){.t = 1}, &(sarrus_Sight){.t = 1}, &value));
  CHECK_NEAR(value, 0, 0);
  sarrus_observer_free(observer);
  sarrus_graph_free(g);
}

TEST(recorders) {
  static const sarrus_SymbolKind kinds[] = {SARRUS_Q,      SARRUS_V,         SARRUS_A,
                                            SARRUS_LAMBDA, SARRUS_PARAMETER, SARRUS_U};
  Run run;
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(g != NULL && run_oscillator(&run, &tight));
  const sarrus_Memory memory = sarrus_memory_default();
  const sarrus_Expr q = variable(g, 0), none = far;
  const sarrus_RecorderSpec bad[] = {{g, -1, &q, 0, 1}, {g, 1, &none, 0, 1},
                                     {g, 1, &q, -1, 1}, {g, 1, &q, 0, 0},
                                     {g, 1, &q, 0, -1}, {g, 1, &q, 0, (double)NAN}};
  sarrus_Recorder *recorder;
  for (int i = 0; i < COUNT_OF(bad); i++)
    CHECK_STATUS(sarrus_recorder_new(memory, run.sim, &bad[i], &recorder), SARRUS_ARGUMENT);
  for (int i = 0; i < COUNT_OF(kinds); i++) {
    const sarrus_Expr beyond = sarrus_graph_symbol(g, kinds[i], 2);
    const sarrus_RecorderSpec spec = {g, 1, &beyond, 1, 1};
    CHECK_STATUS(sarrus_recorder_new(memory, run.sim, &spec, &recorder), SARRUS_ARGUMENT);
    CHECK(recorder == NULL);
  }
  REQUIRE_OK(
      sarrus_recorder_new(memory, run.sim, &(sarrus_RecorderSpec){g, 1, &q, 1, 1}, &recorder));
  CHECK_STATUS(sarrus_recorder_set(recorder, 1, 0), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_recorder_set(recorder, -1, 0), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_recorder_add_sink(recorder, (sarrus_Sink){NULL, NULL}), SARRUS_ARGUMENT);
  sarrus_recorder_free(recorder);
  sarrus_graph_free(g);
  run_free(&run);
}

TEST(rows_and_sheets_of_no_width) {
  const double row[] = {1};
  sarrus_Rows rows = {.memory = sarrus_memory_default(), .width = -1};
  CHECK_STATUS(sarrus_rows_put(&rows, row), SARRUS_ARGUMENT);
  sarrus_Sheet sheet = {.file = NULL, .format = SARRUS_CSV, .width = -1};
  CHECK_STATUS(sarrus_sheet_put(&sheet, row), SARRUS_ARGUMENT);
}

TEST(more_than_there_is_room_for) {
  sarrus_File *file;
  int error;
  REQUIRE_OK(sarrus_file_open(sarrus_memory_default(), NULL, "build/room", &file, &error));
  CHECK(sarrus_file_room(file) != NULL);
  CHECK_STATUS(sarrus_file_wrote(file, SARRUS_FILE_ROOM + 1), SARRUS_ARGUMENT);
  sarrus_file_free(file);
}
