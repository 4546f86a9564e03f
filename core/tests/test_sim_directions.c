/*
** Directions in closed form: what is asked at one state, equations of first order, several ends at
** one instant, events that have branches; memory that is counted.
*/
#include "contacts.h"
#include "sarrus/sim_tangent.h"
#include "sim_parts.h"

/* x'' = -k x, with y'' = l y beside it; parameters k and l. */
static Parts *two_by_two(void) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  for (int i = 0; i < 2; i++)
    p->force[i] = mul(p->g, sarrus_graph_symbol(p->g, SARRUS_PARAMETER, i), p->q[i]);
  p->force[0] = negative(p->g, p->force[0]);
  p->spec.parameters = 2;
  return p;
}

static bool run_two(Run *run, double k, double l) {
  const double q[] = {1, 2}, v[] = {0, 0};
  if (!run_new(run, two_by_two(), &tight)) return false;
  CHECK_OK(sarrus_sim_preset(run->sim, 0, k));
  CHECK_OK(sarrus_sim_preset(run->sim, 1, l));
  return CHECK_OK(sarrus_sim_start(run->sim, 0, q, v));
}

/* --- one state ------------------------------------------------------------------------------ */

/* da = -dk q - k dq, and dl q + l dq; nothing is written behind as many directions as asked for. */
TEST(slopes_of_several_directions) {
  static const int counts[] = {2, 1, 5, 3};
  const double k = 2, l = 3;
  Run run;
  REQUIRE(run_two(&run, k, l));
  for (int i = 0; i < 4; i++) {
    const int count = counts[i];
    double dq[12], dv[12], da[12], dp[12];
    for (int j = 0; j < 12; j++) {
      dq[j] = j < 2 * count ? j - 1.5 : 7;
      dv[j] = j < 2 * count ? 0.5 * j : 7;
      dp[j] = j % 3 - 1;
      da[j] = 7;
    }
    REQUIRE_OK(sarrus_sim_slopes(run.sim, count, dq, dv, dp, da, NULL));
    for (int j = 0; j < 2 * count; j++) {
      const double expected = j % 2 == 0 ? -dp[j] - k * dq[j] : 2 * dp[j] + l * dq[j];
      CHECK_NEAR(dq[j], j - 1.5, 1e-15);
      CHECK_NEAR(dv[j], 0.5 * j, 1e-15);
      CHECK_NEAR(da[j], expected, 1e-13);
    }
    for (int j = 2 * count; j < 12; j++)
      CHECK(dq[j] == 7 && dv[j] == 7 && da[j] == 7);
    CHECK_OK(sarrus_sim_slopes(run.sim, count, dq, dv, dp, NULL, NULL));
    CHECK_STATUS(sarrus_sim_slopes(run.sim, 0, dq, dv, dp, NULL, NULL), SARRUS_ARGUMENT);
  }
  run_free(&run);
}

/* Under f the multiplier of x = 0 is f: by f it changes by 1, by x not at all. */
TEST(slopes_of_multipliers) {
  const double zero = 0;
  double dq[] = {0, 0, 0}, dv[] = {0, 0, 0}, lambda[] = {7, 7, 7};
  const double dp[] = {1, -2};
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->force[0] = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0);
  p->constraint[0] = p->q[0];
  p->spec.constraints = p->spec.parameters = 1;
  REQUIRE(run_new(&run, p, &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &zero, &zero));
  REQUIRE_OK(sarrus_sim_slopes(run.sim, 2, dq, dv, dp, NULL, lambda));
  CHECK_NEAR(fabs(lambda[0]), 1, 1e-14);
  CHECK_NEAR(lambda[1], -2 * lambda[0], 1e-14);
  CHECK_NEAR(lambda[2], 7, 0);
  run_free(&run);
}

/* --- first order ---------------------------------------------------------------------------- */

/* x' = -p x + y beside 0 = y - s: x = (x0 - s / p) e^(-p t) + s / p; parameters p and s. */
static bool run_decay(Run *run, double rate, double source, sarrus_Graph **graph) {
  const double x = 1, none = 0;
  int index;
  sarrus_Fault fault;
  sarrus_Graph *g = *graph = sarrus_graph_new(sarrus_memory_default());
  const sarrus_Expr q = sarrus_graph_symbol(g, SARRUS_Q, 0),
                    y = sarrus_graph_symbol(g, SARRUS_LAMBDA, 0),
                    p = sarrus_graph_symbol(g, SARRUS_PARAMETER, 0), f = sub(g, y, mul(g, p, q)),
                    c = sub(g, y, sarrus_graph_symbol(g, SARRUS_PARAMETER, 1)),
                    when = sub(g, q, constant(g, 0.5));
  const sarrus_Direction both = SARRUS_BOTH;
  const sarrus_DaeSpec spec = {g, 1, 1, &f, &c, 2};
  *run = (Run){NULL, NULL, NULL};
  if (!CHECK_OK(
          sarrus_system_new_dae(sarrus_memory_default(), &spec, &run->system, &index, &fault)))
    return false;
  if (!CHECK_OK(sarrus_events_new(sarrus_memory_default(), g, 1, &when, &both, 2, &run->events)))
    return false;
  if (!CHECK_OK(
          sarrus_sim_new(sarrus_memory_default(), run->system, run->events, &tight, &run->sim)))
    return false;
  CHECK_OK(sarrus_sim_preset(run->sim, 0, rate));
  CHECK_OK(sarrus_sim_preset(run->sim, 1, source));
  return CHECK_OK(sarrus_sim_start(run->sim, 0, &x, &none));
}

/* Where x = 1/2, at T = ln 2 / p, the source is set: x = (1/2 - s / p) e^(-p u) + s / p. */
TEST(decay_that_is_changed_at_an_event) {
  static const double dq[] = {1, 0}, dv[] = {0, 0}, dp[] = {0, 0, 1, 0};
  const double rate = 1.5, source = 0.9, T = log(2) / rate;
  double x, v, a = 7, y[2] = {7, 7};
  sarrus_Graph *g;
  Run run;
  if (run_decay(&run, rate, 0, &g) && CHECK_OK(sarrus_sim_directions(run.sim, 2, dq, dv, dp))) {
    CHECK_OK(sarrus_sim_tangent(run.sim, 0, &x, &v, &a, y));
    CHECK_NEAR(v, -rate, 1e-13); /* of the state itself, x' = -p x */
    CHECK_NEAR(a, 0, 0);
    CHECK_NEAR(y[0], 0, 1e-13);
    CHECK_NEAR(y[1], 7, 0);
    CHECK_OK(sarrus_sim_tangent(run.sim, 1, &x, &v, NULL, NULL));
    CHECK_NEAR(v, -1, 1e-13);
    CHECK_STATUS(sarrus_sim_advance(run.sim, 5), SARRUS_STOPPED);
    CHECK_NEAR(sarrus_sim_time(run.sim), T, 1e-13);
    CHECK_NEAR(sarrus_sim_instant(run.sim, 0), 1 / rate, 1e-12);
    CHECK_NEAR(sarrus_sim_instant(run.sim, 1), -T / rate, 1e-12);
    CHECK_OK(sarrus_sim_set(run.sim, 1, source));
    const double t = 2, u = t - T, e = exp(-rate * u), rest = source / rate;
    CHECK_OK(sarrus_sim_advance(run.sim, t));
    const double by_u = -rate * (0.5 - rest) * e,
                 by_p = (e - 1) * rest / rate - u * (0.5 - rest) * e;
    CHECK_OK(sarrus_sim_tangent(run.sim, 0, &x, NULL, NULL, NULL));
    CHECK_NEAR(x, -by_u / rate, 1e-11);
    CHECK_OK(sarrus_sim_tangent(run.sim, 1, &x, NULL, NULL, NULL));
    CHECK_NEAR(x, by_p + by_u * T / rate, 1e-11);
  }
  run_free(&run);
  sarrus_graph_free(g);
}

/* --- parameters ----------------------------------------------------------------------------- */

/* A value that is there already changes nothing where nothing follows it. */
TEST(values_that_are_there_already) {
  static const double none[16] = {0};
  for (int count = 0; count <= 8; count++) {
    double dp[16] = {[1] = 1}, from, to, kept_from, kept_to;
    Run run;
    REQUIRE(run_two(&run, 1, -1));
    if (count > 0) CHECK_OK(sarrus_sim_directions(run.sim, count, none, none, dp));
    CHECK_OK(sarrus_sim_advance(run.sim, 1e-3)); /* inside a span */
    sarrus_sim_span(run.sim, &kept_from, &kept_to);
    CHECK(kept_to > 1e-3);
    CHECK_OK(sarrus_sim_set(run.sim, 0, 1));
    sarrus_sim_span(run.sim, &from, &to);
    CHECK(from == kept_from && to == kept_to);
    CHECK_OK(sarrus_sim_set(run.sim, 1, -1));
    sarrus_sim_span(run.sim, &from, &to);
    CHECK_NEAR(to, count > 0 ? 1e-3 : kept_to, 0);
    run_free(&run);
  }
}

/* Those alone are fixed that are set: here, where accelerations tell, and from here on. */
TEST(settings_fix_what_they_name) {
  static const double none[4] = {0}, dp[] = {1, 0, 0, 1}, values[] = {2, 5};
  static const int both[] = {0, 1};
  double a[2];
  Run run;
  REQUIRE(run_two(&run, 2, 3));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 2, none, none, dp));
  REQUIRE_OK(sarrus_sim_set_all(run.sim, 1, both, values));
  CHECK_NEAR(sarrus_sim_parameter_slope(run.sim, 0, 0), 0, 0);
  CHECK_NEAR(sarrus_sim_parameter_slope(run.sim, 1, 1), 1, 0);
  CHECK_OK(sarrus_sim_tangent(run.sim, 0, NULL, NULL, a, NULL));
  CHECK_NEAR(a[0], 0, 1e-14);
  CHECK_OK(sarrus_sim_tangent(run.sim, 1, NULL, NULL, a, NULL));
  CHECK_NEAR(a[1], 2, 1e-14);
  run_free(&run);
}

/* As many as there may be; what stands behind the numbers of one is not read. */
TEST(numbers_of_directions) {
  static const double numbers[] = {1, (double)NAN};
  double x;
  Run run;
  const sarrus_SimOptions low = {.order = 4};
  REQUIRE(run_oscillator(&run, &low));
  REQUIRE_OK(sarrus_sim_directions(run.sim, SARRUS_MOST_DIRECTIONS, NULL, NULL, NULL));
  CHECK_INT(sarrus_sim_direction_count(run.sim), SARRUS_MOST_DIRECTIONS);
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, numbers, numbers, numbers));
  CHECK_OK(sarrus_sim_tangent(run.sim, 0, &x, NULL, NULL, NULL));
  CHECK_NEAR(x, 1, 0);
  run_free(&run);
}

/* --- memory --------------------------------------------------------------------------------- */

/* Given up, directions give back as many bytes as they counted; slopes count what they take. */
TEST(bytes_are_those_taken) {
  const double q[] = {0, 0.3, 0.3}, v[] = {0.5, 0, 1}, none[9] = {0}, one[] = {1, 0, 0, 0, 1, 0};
  const sarrus_Direction both = SARRUS_BOTH;
  double dq[6] = {0}, dv[6] = {0}, size;
  TestMemory m;
  Run run;
  Parts *p = rod(0.3, 0.5);
  REQUIRE(p != NULL);
  const sarrus_Expr when = sub(p->g, p->t, constant(p->g, 0.02));
  REQUIRE(run_with_events(&run, p, &tight, 1, &when, &both));
  sarrus_sim_free(run.sim);
  REQUIRE_OK(sarrus_sim_new(test_memory_counting(&m), run.system, run.events, &tight, &run.sim));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 2, none, one, NULL));
  CHECK_INT(advance(run.sim, 0.3), 1);
  CHECK_OK(sarrus_sim_step(run.sim, &size));
  size_t counted = sarrus_sim_bytes(run.sim), taken = m.bytes;
  CHECK_OK(sarrus_sim_directions(run.sim, 0, NULL, NULL, NULL));
  CHECK_INT(counted - sarrus_sim_bytes(run.sim), taken - m.bytes);
  CHECK(taken > m.bytes);
  counted = sarrus_sim_bytes(run.sim);
  taken = m.bytes;
  CHECK_OK(sarrus_sim_slopes(run.sim, 2, dq, dv, NULL, NULL, NULL));
  CHECK_INT(sarrus_sim_bytes(run.sim) - counted, m.bytes - taken);
  CHECK(taken < m.bytes);
  run_free(&run);
  CHECK_INT(m.bytes, 0);
}

/* --- instants ------------------------------------------------------------------------------- */

/* x = v t meets |x - 1| = c t at t = 1 / (v + c) and 1 / (v - c): by v -t^2, by c that or t^2. */
TEST(instants_by_branches_and_time) {
  const double q = 0, v = 2, c = 0.5;
  static const double dq[] = {0, 0}, dv[] = {1, 0}, dp[] = {0, 1};
  const sarrus_Direction both = SARRUS_BOTH;
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->spec.parameters = 1;
  const sarrus_Expr way = sub(p->g, p->q[0], constant(p->g, 1)),
                    cone = mul(p->g, sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0), p->t),
                    when = sub(p->g, unary(p->g, SARRUS_OP_ABS, way), cone);
  REQUIRE(run_with_events(&run, p, &tight, 1, &when, &both));
  REQUIRE_OK(sarrus_sim_preset(run.sim, 0, c));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 2, dq, dv, dp));
  for (int side = 1; side >= -1; side -= 2) {
    const double t = 1 / (v + side * c);
    REQUIRE(sarrus_sim_advance(run.sim, 3) == SARRUS_STOPPED);
    CHECK_NEAR(sarrus_sim_time(run.sim), t, 1e-13);
    CHECK_NEAR(sarrus_sim_instant(run.sim, 0), -t * t, 1e-12);
    CHECK_NEAR(sarrus_sim_instant(run.sim, 1), -side * t * t, 1e-12);
  }
  run_free(&run);
}

/*
** A level rod comes down at w with both ends: higher by 1 and turned by d, they touch (1 ± d) / w
** later.  Up to 1e-6 that is one instant.
*/
TEST(ends_that_touch_together) {
  static const double turned[] = {0, 2.5e-7, 2.5e-6, 1}, along[] = {1, 0, 0};
  const double q[] = {0, 0.5, 0}, v[] = {0, 0, 0}, w = sqrt(2 * g0 * 0.5);
  for (int i = 0; i < 4; i++) {
    const double dq[] = {0, 1, turned[i]}, none[3] = {0};
    double t, x[3];
    Run run;
    REQUIRE(run_from(&run, rod(0, 0.5), 0, 0, q, v));
    REQUIRE_OK(sarrus_sim_directions(run.sim, 1, dq, none, NULL));
    CHECK_OK(sarrus_sim_advance(run.sim, w / g0 + 0.1));
    const sarrus_Status end = sarrus_sim_tangent_end(run.sim, &t);
    CHECK_STATUS(end, i < 2 ? SARRUS_OK : SARRUS_CONTACT);
    CHECK_NEAR(t, i < 2 ? w / g0 + 0.1 : w / g0, 1e-10);
    if (i == 0) CHECK_OK(sarrus_sim_tangent(run.sim, 0, x, NULL, NULL, NULL));
    if (i == 0) CHECK_NEAR(x[1], -0.5 + 0.1 * g0 * 1.5 / w, 1e-10);
    run_free(&run);
  }
  Run run; /* what does not change the instant keeps both there */
  double t;
  REQUIRE(run_from(&run, rod(0, 0.5), 0, 0, q, v));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, along, v, NULL));
  CHECK_OK(sarrus_sim_advance(run.sim, w / g0 + 0.1));
  CHECK_OK(sarrus_sim_tangent_end(run.sim, &t));
  run_free(&run);
}

/* Where something has just struck, what was before is not known: directions told there are lost. */
TEST(directions_told_at_an_impact) {
  const double h = 1, v = 0, one = 1, none = 0, T = sqrt(2 / g0);
  double t;
  Run run;
  REQUIRE(run_watched(&run, ball(), 0.5, 0, &h, &v));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 2 * T), SARRUS_STOPPED);
  CHECK_NEAR(sarrus_sim_time(run.sim), T, 1e-12);
  const sarrus_Status told = sarrus_sim_directions(run.sim, 1, &one, &none, NULL);
  if (told == SARRUS_OK) CHECK_STATUS(sarrus_sim_tangent_end(run.sim, &t), SARRUS_LIMIT);
  run_free(&run);
}

/*
** x = 0, and x = p t^3 too, which it is where p = 0: no motion goes by p, which shows where t is no
** longer 0.  The motion itself goes on.
*/
TEST(directions_that_come_to_nothing) {
  const double zero = 0, one = 1;
  double since = -1, size, x;
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->constraint[0] = p->q[0];
  p->constraint[1] =
      sub(p->g, p->q[0],
          mul(p->g, sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0), power(p->g, p->t, 3)));
  p->spec.constraints = 2;
  p->spec.parameters = 1;
  REQUIRE(run_new(&run, p, &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &zero, &zero));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, &zero, &zero, &one));
  CHECK_OK(sarrus_sim_step(run.sim, &size));
  const double first = sarrus_sim_time(run.sim);
  CHECK_OK(sarrus_sim_step(run.sim, &size));
  CHECK(size > 0);
  CHECK_STATUS(sarrus_sim_tangent_end(run.sim, &since), SARRUS_INCONSISTENT);
  CHECK_NEAR(since, first, 0);
  CHECK_STATUS(sarrus_sim_tangent(run.sim, 0, &x, NULL, NULL, NULL), SARRUS_INCONSISTENT);
  run_free(&run);
}

/* --- changes that move what is held --------------------------------------------------------- */

/*
** The speed of x is held at p, and y is coupled to it by its mass, m: where x = L, at T = L / p,
** the speed is set to b, and that of y changes by -m (b - p).
*/
static Parts *driven(void) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  p->mass[0] = constant(p->g, 2);
  p->mass[1] = p->mass[2] = constant(p->g, 0.5);
  p->velocity_constraint[0] = sub(p->g, p->v[0], sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0));
  p->spec.velocity_constraints = 1;
  p->spec.parameters = 2;
  return p;
}

TEST(speeds_that_are_set) {
  static const double parts[] = {-1, 5e-9, 2};
  static const double none[4] = {0}, dv[] = {1, 0, 0, 0}, dp[] = {1, 0, 0, 1};
  const double p0 = 1e-3, L = 1e-3, m = 0.5, T = L / p0, q[] = {0, 0}, v[] = {p0, 1e-4};
  for (int i = 0; i < 3; i++) {
    const double b = p0 * (1 + parts[i]), t = 1.75, s = t - T;
    double x[2], u[2], dx[2], du[2];
    Run run;
    Parts *p = driven();
    REQUIRE(p != NULL);
    const sarrus_Direction both = SARRUS_BOTH;
    const sarrus_Expr when = sub(p->g, p->q[0], sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 1));
    REQUIRE(run_with_events(&run, p, &tight, 1, &when, &both));
    CHECK_OK(sarrus_sim_preset(run.sim, 0, p0));
    CHECK_OK(sarrus_sim_preset(run.sim, 1, L));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
    REQUIRE_OK(sarrus_sim_directions(run.sim, 2, none, dv, dp));
    CHECK_STATUS(sarrus_sim_advance(run.sim, t), SARRUS_STOPPED);
    CHECK_NEAR(sarrus_sim_instant(run.sim, 0), -L / (p0 * p0), 1e-8);
    REQUIRE_OK(sarrus_sim_set(run.sim, 0, b));
    CHECK_OK(sarrus_sim_advance(run.sim, t));
    CHECK_OK(sarrus_sim_state(run.sim, x, u, NULL, NULL));
    CHECK_NEAR(u[0], b, 1e-17);
    CHECK_NEAR(u[1], v[1] - m * (b - p0), 1e-17);
    CHECK_OK(sarrus_sim_tangent(run.sim, 0, dx, du, NULL, NULL));
    CHECK_NEAR(dx[0], b / p0, 1e-9);
    CHECK_NEAR(du[0], 0, 1e-12);
    CHECK_NEAR(du[1], m, 1e-12);
    CHECK_NEAR(dx[1], m * s - m * parts[i], 1e-9);
    CHECK_OK(sarrus_sim_tangent(run.sim, 1, dx, du, NULL, NULL));
    CHECK_NEAR(dx[0], -parts[i], 1e-9);
    run_free(&run);
  }
}

/* x = p: set, it moves, and no direction tells where from; up to 1e-9 it is where it was. */
TEST(positions_that_are_set) {
  static const double moves[] = {5e-10, 5e-9, 1};
  const double q[] = {0, 1}, v[] = {0, 0}, one[] = {0, 1}, none[] = {0, 0};
  for (int i = 0; i < 3; i++) {
    double t;
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    p->constraint[0] = sub(p->g, p->q[0], sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0));
    p->spec.constraints = p->spec.parameters = 1;
    REQUIRE(run_new(&run, p, &tight));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
    REQUIRE_OK(sarrus_sim_directions(run.sim, 1, one, none, NULL));
    CHECK_OK(sarrus_sim_advance(run.sim, 0.5));
    CHECK_OK(sarrus_sim_set(run.sim, 0, moves[i]));
    CHECK_STATUS(sarrus_sim_tangent_end(run.sim, &t), i == 0 ? SARRUS_OK : SARRUS_LIMIT);
    CHECK_NEAR(t, 0.5, 0);
    run_free(&run);
  }
}

/* Implicit steps end where an event comes: its instant, by k, and what follows a change there. */
TEST(implicit_steps_that_end_at_events) {
  const sarrus_SimOptions stiff = {.tolerance = 1e-12, .method = SARRUS_STIFF};
  const double q = 1, v = 0, zero = 0, one = 1, level = 0.5, k = 4;
  const double T = acos(level), u = sin(T), until = 2.5, s = until - T;
  double x, y;
  Run run;
  Parts *p = oscillator();
  REQUIRE(p != NULL);
  const sarrus_Expr when = sub(p->g, p->q[0], constant(p->g, level));
  const sarrus_Direction down = SARRUS_DOWN;
  REQUIRE(run_with_events(&run, p, &stiff, 1, &when, &down));
  REQUIRE_OK(sarrus_sim_preset(run.sim, 0, 1));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, &zero, &zero, &one));
  CHECK_STATUS(sarrus_sim_advance(run.sim, until), SARRUS_STOPPED);
  CHECK(sarrus_sim_stats(run.sim).implicit > 0);
  CHECK_NEAR(sarrus_sim_time(run.sim), T, 1e-11);
  CHECK_NEAR(position(run.sim), level, 1e-14);
  CHECK_NEAR(sarrus_sim_instant(run.sim, 0), -T / 2, 1e-9);
  CHECK_OK(sarrus_sim_tangent(run.sim, 0, &x, &y, NULL, NULL));
  CHECK_NEAR(x, -T * u / 2, 1e-9);
  CHECK_NEAR(y, -(u + T * level) / 2, 1e-9);
  CHECK_OK(sarrus_sim_set(run.sim, 0, k));
  CHECK_OK(sarrus_sim_advance(run.sim, until));
  CHECK_NEAR(position(run.sim), level * cos(2 * s) - u / 2 * sin(2 * s), 1e-10);
  /* x = 1/2 there for all k, whose speed k^1/2 changes by 1/2, and which comes T / 2 earlier */
  CHECK_OK(sarrus_sim_tangent(run.sim, 0, &x, NULL, NULL, NULL));
  CHECK_NEAR(x, -u / 4 * sin(2 * s) - T / 2 * (2 * level * sin(2 * s) + u * cos(2 * s)), 1e-8);
  run_free(&run);
}

/* y = 2 x of no mass is defined by x: an impulse on it is one on x, of twice its size. */
TEST(impulses_on_what_is_defined) {
  const double q[] = {0.5, 1}, v[] = {0, 0}, impulse[] = {0.25, 3}, mass = 4;
  double u[2];
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->mass[0] = constant(p->g, mass);
  p->mass[3] = constant(p->g, 0);
  p->constraint[0] = sub(p->g, p->q[1], scaled(p->g, 2, p->q[0]));
  p->spec.constraints = 1;
  REQUIRE(run_new(&run, p, &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  REQUIRE_OK(sarrus_sim_impulse(run.sim, impulse));
  CHECK_OK(sarrus_sim_state(run.sim, NULL, u, NULL, NULL));
  CHECK_NEAR(u[0], (0.25 + 2 * 3) / mass, 1e-14);
  CHECK_NEAR(u[1], 2 * u[0], 1e-14);
  run_free(&run);
}
