/*
** Tangents over instants at which something changes, in closed form: bounces, branches, settings,
** impulses, turning round.
*/
#include "contacts.h"
#include "sarrus/sim_tangent.h"
#include "sim_parts.h"

static void check_tangent(const sarrus_Sim *sim, int direction, double dq, double dv) {
  double q[MOST], v[MOST];
  CHECK_OK(sarrus_sim_tangent(sim, direction, q, v, NULL, NULL));
  CHECK_NEAR(q[0], dq, 1e-10 * (1 + fabs(dq)));
  CHECK_NEAR(v[0], dv, 1e-10 * (1 + fabs(dv)));
}

/*
** Dropped from h it bounces at T = (2 h / g)^1/2 at speed e g T: with s = t - T,
** y = e g T s - g s^2 / 2.  By the height, T' = 1 / g T; by the restitution e.
*/
TEST(bounces_by_height_and_restitution) {
  static const double dq[] = {1, 0}, dv[] = {0, 0}, dp[] = {0, 0, 1, 0};
  for (double e = 0.25; e < 1; e += 0.25) {
    const double h = 1, v = 0, T = sqrt(2 * h / g0);
    Run run;
    REQUIRE(run_from(&run, ball(), e, 0, &h, &v));
    REQUIRE_OK(sarrus_sim_directions(run.sim, 2, dq, dv, dp));
    CHECK_OK(sarrus_sim_advance(run.sim, 0.5 * T));
    check_tangent(run.sim, 0, 1, 0);
    check_tangent(run.sim, 1, 0, 0);
    for (double part = 0.25; part < 2 * e; part += 0.5) {
      const double s = part * T, later = 1 / (g0 * T), speed = e * g0 * T - g0 * s;
      CHECK_OK(sarrus_sim_advance(run.sim, T + s));
      check_tangent(run.sim, 0, e * g0 * later * s - speed * later, (1 + e) * g0 * later);
      check_tangent(run.sim, 1, g0 * T * s, g0 * T);
    }
    run_free(&run);
  }
}

/*
** x'' = |t - p|: v = (p^2 + (t - p)^2) / 2 beyond p, so that dv/dp is t before p and 2 p - t after
** it, and dx/dp the integral.
*/
TEST(branches_by_where_they_change) {
  const double q = 0, v = 0, p = 0.7, zero = 0, one = 1;
  Run run;
  Parts *parts = parts_new(sarrus_memory_default(), 1);
  REQUIRE(parts != NULL);
  sarrus_Graph *g = parts->g;
  parts->force[0] =
      unary(g, SARRUS_OP_ABS, sub(g, parts->t, sarrus_graph_symbol(g, SARRUS_PARAMETER, 0)));
  parts->spec.parameters = 1;
  REQUIRE(run_new(&run, parts, &tight));
  REQUIRE_OK(sarrus_sim_preset(run.sim, 0, p));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, &zero, &zero, &one));
  for (double t = 0.1; t < 2; t += 0.3) {
    CHECK_OK(sarrus_sim_advance(run.sim, t));
    const double after = p * p / 2 + 2 * p * (t - p) - (t * t - p * p) / 2;
    check_tangent(run.sim, 0, t < p ? t * t / 2 : after, t < p ? t : 2 * p - t);
  }
  run_free(&run);
}

/* x = cos(k^1/2 t), with its derivative by k followed from x = 1. */
static bool by_stiffness(Run *run) {
  const double zero = 0, one = 1;
  return run_oscillator(run, &tight) &&
         CHECK_OK(sarrus_sim_directions(run->sim, 1, &zero, &zero, &one));
}

/* Set to a value, even to the one it has, a parameter no longer changes; else it goes on to. */
TEST(settings_fix_parameters) {
  const double at = 0.8, q1 = -at * sin(at) / 2, v1 = -(sin(at) + at * cos(at)) / 2;
  for (int set = 0; set <= 1; set++) {
    Run run;
    if (by_stiffness(&run)) {
      CHECK_OK(sarrus_sim_advance(run.sim, at));
      check_tangent(run.sim, 0, q1, v1);
      CHECK_STATUS(sarrus_sim_set(run.sim, 0, HUGE_VAL), SARRUS_ARGUMENT);
      CHECK_NEAR(sarrus_sim_parameter_slope(run.sim, 0, 0), 1, 0);
      if (set) CHECK_OK(sarrus_sim_set(run.sim, 0, 1));
      CHECK_NEAR(sarrus_sim_parameter_slope(run.sim, 0, 0), !set, 0);
      check_tangent(run.sim, 0, q1, v1);
      for (double t = 1; t < 4; t += 0.5) {
        const double s = t - at;
        CHECK_OK(sarrus_sim_advance(run.sim, t));
        check_tangent(run.sim, 0, set ? q1 * cos(s) + v1 * sin(s) : -t * sin(t) / 2,
                      set ? -q1 * sin(s) + v1 * cos(s) : -(sin(t) + t * cos(t)) / 2);
      }
    }
    run_free(&run);
  }
}

/* Impulses change the motion, not how it changes: in the middle of a span as well. */
TEST(impulses_leave_tangents) {
  const double zero = 0, one = 1, impulse = 0.5;
  Run run;
  REQUIRE(run_oscillator(&run, &tight));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, &one, &zero, &zero));
  for (int i = 1; i <= 6; i++) {
    const double t = 0.17 * i;
    CHECK_OK(sarrus_sim_advance(run.sim, t));
    CHECK_OK(sarrus_sim_impulse(run.sim, &impulse));
    check_tangent(run.sim, 0, cos(t), -sin(t));
  }
  CHECK_OK(sarrus_sim_advance(run.sim, 5));
  check_tangent(run.sim, 0, cos(5), -sin(5));
  run_free(&run);
}

/* There and back again, more than once, tangents are what they were. */
TEST(tangents_turn_round) {
  static const double times[] = {2, 1.5, -1, 0.25, 3, 0};
  Run run;
  if (by_stiffness(&run))
    for (int i = 0; i < 6; i++) {
      const double t = times[i];
      CHECK_OK(sarrus_sim_advance(run.sim, t));
      check_tangent(run.sim, 0, -t * sin(t) / 2, -(sin(t) + t * cos(t)) / 2);
    }
  run_free(&run);
}

/* An event at x = a tells its instant by k: x(t; k) = a, so that t' = -x_k / x_t. */
TEST(instants_of_events_by_stiffness) {
  const double q = 1, v = 0, zero = 0, one = 1;
  for (double a = -0.75; a < 1; a += 0.5) {
    Run run;
    Parts *p = oscillator();
    REQUIRE(p != NULL);
    const sarrus_Expr when = sub(p->g, p->q[0], constant(p->g, a));
    const sarrus_Direction both = SARRUS_BOTH;
    REQUIRE(run_with_events(&run, p, &tight, 1, &when, &both));
    REQUIRE_OK(sarrus_sim_preset(run.sim, 0, 1));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
    REQUIRE_OK(sarrus_sim_directions(run.sim, 1, &zero, &zero, &one));
    for (int i = 0; i < 4; i++) {
      REQUIRE(sarrus_sim_advance(run.sim, 20) == SARRUS_STOPPED);
      const double t = sarrus_sim_time(run.sim);
      CHECK_NEAR(cos(t), a, 1e-12);
      CHECK_NEAR(sarrus_sim_instant(run.sim, 0), -t / 2, 1e-10); /* k^1/2 t stays */
      check_tangent(run.sim, 0, -t * sin(t) / 2, -(sin(t) + t * cos(t)) / 2);
    }
    run_free(&run);
  }
}

/* Friction stops it at T = v / f, v^2 / 2 f on: by the speed, T and v / f; by f, -v^2 / 2 f^2. */
TEST(rest_by_speed_and_friction) {
  static const double dq[] = {0, 0}, dv[] = {1, 0}, dp[] = {0, 0, 1, 1};
  const double q = 0, v = 2, f = 0.75;
  Run run;
  Parts *p = rubbed();
  REQUIRE(p != NULL);
  p->force[0] = constant(p->g, 0);
  REQUIRE(run_from(&run, p, f, f, &q, &v));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 2, dq, dv, dp));
  for (double t = 0.5; t < 5; t += 0.5) {
    const int moves = t < v / f;
    CHECK_OK(sarrus_sim_advance(run.sim, t));
    check_tangent(run.sim, 0, moves ? t : v / f, moves);
    check_tangent(run.sim, 1, moves ? -t * t / 2 : -v * v / (2 * f * f), moves ? -t : 0);
  }
  run_free(&run);
}
