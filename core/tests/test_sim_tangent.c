/*
** Directions that a simulation follows: through events, impacts, impulses, locks, engaged
** constraints and implicit steps, saved and restored, without memory.
*/
#include "contacts.h"
#include "sarrus/sim_tangent.h"
#include "sim_parts.h"

static double tangent_of(const sarrus_Sim *sim, int direction) {
  double q[MOST];
  CHECK_OK(sarrus_sim_tangent(sim, direction, q, NULL, NULL, NULL));
  return q[0];
}

/* --- events --------------------------------------------------------------------------------- */

/* x = cos(w t) passes x = 1/2 at t = pi / (3 w), w^2 = k; an event changes nothing. */
TEST(instants_of_events) {
  const double q = 1, v = 0, pi = 3.14159265358979323846;
  Run run;
  Parts *p = oscillator();
  REQUIRE(p != NULL);
  const sarrus_Expr when[] = {sub(p->g, p->q[0], constant(p->g, 0.5)),
                              sub(p->g, p->t, constant(p->g, 2))};
  const sarrus_Direction both[] = {SARRUS_BOTH, SARRUS_BOTH};
  REQUIRE(run_with_events(&run, p, &tight, 2, when, both));
  CHECK_OK(sarrus_sim_preset(run.sim, 0, 4));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  REQUIRE_OK(
      sarrus_sim_directions(run.sim, 2, (double[]){0, 1}, (double[]){0, 0}, (double[]){1, 0}));
  CHECK(isnan(sarrus_sim_instant(run.sim, 0)));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 3), SARRUS_STOPPED);
  CHECK_NEAR(sarrus_sim_time(run.sim), pi / 6, 1e-15);
  CHECK_NEAR(sarrus_sim_instant(run.sim, 0), -pi / 48, 1e-14);
  CHECK_NEAR(sarrus_sim_instant(run.sim, 1), 0.5 / (2 * sin(pi / 3)), 1e-14);
  CHECK(isnan(sarrus_sim_instant(run.sim, 2)) && isnan(sarrus_sim_instant(run.sim, -1)));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 3), SARRUS_STOPPED); /* at t = 2, whatever changes */
  while (sarrus_sim_event(run.sim, NULL) == 0)
    CHECK_STATUS(sarrus_sim_advance(run.sim, 3), SARRUS_STOPPED);
  CHECK_NEAR(sarrus_sim_instant(run.sim, 0), 0, 0);
  CHECK(advance(run.sim, 3) >= 0);
  CHECK(isnan(sarrus_sim_instant(run.sim, 0)));
  CHECK_NEAR(tangent_of(run.sim, 0), -3 * sin(6) / 4, 1e-13);
  run_free(&run);
}

/*
** A zero that only touches comes at no instant that has a derivative: nothing is lost, unless
** something changes there.
*/
TEST(an_event_that_touches_has_no_derivative) {
  const double q = 1, v = 0, one = 1;
  double x;
  Run run;
  Parts *p = oscillator();
  REQUIRE(p != NULL);
  const sarrus_Expr when = add(p->g, p->q[0], constant(p->g, 1));
  const sarrus_Direction both = SARRUS_BOTH;
  REQUIRE(run_with_events(&run, p, &tight, 1, &when, &both));
  CHECK_OK(sarrus_sim_preset(run.sim, 0, 1));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, &one, &v, NULL));
  CHECK_STATUS(sarrus_sim_advance(run.sim, 5), SARRUS_STOPPED);
  CHECK(isnan(sarrus_sim_instant(run.sim, 0)));
  CHECK_OK(sarrus_sim_tangent(run.sim, 0, &x, NULL, NULL, NULL));
  CHECK_NEAR(x, -1, 1e-13);
  double size, since;
  CHECK_OK(sarrus_sim_set(run.sim, 0, 2));
  CHECK_STATUS(sarrus_sim_tangent(run.sim, 0, &x, NULL, NULL, NULL), SARRUS_EVENT);
  CHECK_STATUS(sarrus_sim_tangent_end(run.sim, &since), SARRUS_EVENT);
  CHECK_NEAR(since, acos(-1), 1e-7);
  CHECK_OK(sarrus_sim_step(run.sim, &size)); /* the motion goes on, */
  CHECK_STATUS(sarrus_sim_tangent(run.sim, 0, &x, NULL, NULL, NULL), SARRUS_EVENT);
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, &one, &v, NULL)); /* and other directions begin */
  CHECK_OK(sarrus_sim_tangent(run.sim, 0, &x, NULL, NULL, NULL));
  CHECK_NEAR(x, 1, 0);
  run_free(&run);
}

/* --- impacts -------------------------------------------------------------------------------- */

/* Dropped from h: t_n = t_1 (1 + 2 (e + … + e^(n-1))), t_1 = (2 h / g)^1/2. */
TEST(bouncing_ball) {
  const double e = 0.9, h = 1.2, v = 0, first = sqrt(2 * h / g0);
  Run run;
  REQUIRE(run_watched(&run, ball(), e, 0, &h, &v));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 2, (double[]){0, 1}, (double[]){0, 0},
                                   (double[]){1, 0, 0, 0}));
  double time = first, by_e = 0, power_of_e = 1;
  for (int n = 1; n <= 20; n++) {
    CHECK_STATUS(sarrus_sim_advance(run.sim, 100), SARRUS_STOPPED);
    if (sarrus_sim_event(run.sim, NULL) != SARRUS_TOUCHES)
      CHECK_STATUS(sarrus_sim_advance(run.sim, 100), SARRUS_STOPPED);
    CHECK_NEAR(sarrus_sim_time(run.sim), time, 1e-12);
    CHECK_NEAR(sarrus_sim_instant(run.sim, 0), by_e, 1e-12 * (1 + by_e));
    CHECK_NEAR(sarrus_sim_instant(run.sim, 1), time / (2 * h), 1e-12 * (1 + time));
    by_e += 2 * first * n * power_of_e;
    power_of_e *= e;
    time += 2 * first * power_of_e;
  }
  run_free(&run);
}

/* A block that slides to rest: x = u^2 / (2 mu g), and stays. */
TEST(friction_to_rest) {
  const double q[] = {0, 0}, v[] = {2, 0}, mu = 0.4;
  const double dv[] = {1, 0, 0, 0}, dp[] = {0, 0, 1, 0}, none[4] = {0};
  Run run;
  REQUIRE(run_from(&run, block(0), mu, 0, q, v));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 2, none, dv, dp));
  advance(run.sim, 0.3);
  CHECK_NEAR(tangent_of(run.sim, 0), 0.3, 1e-14);
  CHECK_NEAR(tangent_of(run.sim, 1), -0.5 * g0 * 0.09, 1e-14);
  advance(run.sim, 3);
  CHECK_NEAR(tangent_of(run.sim, 0), 2 / (mu * g0), 1e-13);
  CHECK_NEAR(tangent_of(run.sim, 1), -2 / (mu * mu * g0), 1e-12);
  run_free(&run);
}

/* --- what is done at events ----------------------------------------------------------------- */

/*
** Two unit masses in a row, x0 pulled by parameter 0; lock 0 holds their distance.  The event:
** x0 = parameter 1.
*/
static bool run_masses(Run *run, double pull, double level) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return CHECK(false);
  const sarrus_Expr level_of = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 1);
  const sarrus_Expr when = sub(p->g, p->q[0], level_of), rate = sub(p->g, p->v[0], p->v[1]);
  const sarrus_Direction both = SARRUS_BOTH;
  const double q[] = {0, 0}, v[] = {0, 0};
  p->force[0] = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0);
  p->spec.parameters = 2;
  p->spec.locks = 1;
  p->spec.lock = &rate;
  if (!run_with_events(run, p, &tight, 1, &when, &both)) return false;
  CHECK_OK(sarrus_sim_preset(run->sim, 0, pull));
  CHECK_OK(sarrus_sim_preset(run->sim, 1, level));
  return CHECK_OK(sarrus_sim_start(run->sim, 0, q, v));
}

/* At t* = (2 L / a)^1/2 both go on with a t* / 2: x1 = a t* s / 2 + a s^2 / 4, s = t - t*. */
TEST(locks) {
  const double a = 1.7, L = 0.6, end = sqrt(2 * L / a), t = 2, s = t - end;
  const double none[4] = {0}, dp[] = {1, 0, 0, 1};
  double dq[2], dv[2];
  Run run;
  REQUIRE(run_masses(&run, a, L));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 2, none, none, dp));
  CHECK_STATUS(sarrus_sim_advance(run.sim, t), SARRUS_STOPPED);
  const double by_a = -end / (2 * a), by_L = end / (2 * L);
  CHECK_NEAR(sarrus_sim_instant(run.sim, 0), by_a, 1e-14);
  CHECK_NEAR(sarrus_sim_instant(run.sim, 1), by_L, 1e-14);
  REQUIRE_OK(sarrus_sim_lock(run.sim, 0, 1));
  REQUIRE_OK(sarrus_sim_advance(run.sim, t));
  const double by_instant = 0.5 * a * (s - end) - 0.5 * a * s; /* d x1 / d t* */
  REQUIRE_OK(sarrus_sim_tangent(run.sim, 0, dq, dv, NULL, NULL));
  CHECK_NEAR(dq[1], 0.5 * end * s + 0.25 * s * s + by_instant * by_a, 1e-13);
  CHECK_NEAR(dq[0], dq[1], 1e-13); /* at t* it is L still */
  CHECK_NEAR(dv[1], 0.5 * end + 0.5 * s, 1e-13);
  REQUIRE_OK(sarrus_sim_tangent(run.sim, 1, dq, dv, NULL, NULL));
  CHECK_NEAR(dq[1], by_instant * by_L, 1e-13);
  CHECK_NEAR(dq[0], 1 + dq[1], 1e-13);
  CHECK_NEAR(dv[1], 0, 1e-13);
  REQUIRE_OK(sarrus_sim_lock(run.sim, 0, 0)); /* at an instant that does not change */
  REQUIRE_OK(sarrus_sim_advance(run.sim, t + 1));
  REQUIRE_OK(sarrus_sim_tangent(run.sim, 0, dq, dv, NULL, NULL));
  CHECK_NEAR(dv[1], 0.5 * end + 0.5 * s, 1e-13);
  CHECK_NEAR(dv[0], 0.5 * end + 0.5 * s + 1, 1e-13);
  run_free(&run);
}

/* An impulse of 1 on x1 at t*: x1 = t - t*; a change of the pull: x0 = L + a t* s + b s^2 / 2. */
TEST(impulses_and_settings) {
  const double a = 1.7, b = -0.9, L = 0.6, end = sqrt(2 * L / a), t = 2, s = t - end;
  const double none[4] = {0}, dp[] = {0, 1}, impulse[] = {0, 1};
  double dq[2], dv[2];
  Run run;
  REQUIRE(run_masses(&run, a, L));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, none, none, dp));
  CHECK_STATUS(sarrus_sim_advance(run.sim, t), SARRUS_STOPPED);
  REQUIRE_OK(sarrus_sim_impulse(run.sim, impulse));
  REQUIRE_OK(sarrus_sim_set(run.sim, 0, b));
  REQUIRE_OK(sarrus_sim_advance(run.sim, t));
  const double by_L = end / (2 * L);
  REQUIRE_OK(sarrus_sim_tangent(run.sim, 0, dq, dv, NULL, NULL));
  CHECK_NEAR(dq[1], -by_L, 1e-13);
  CHECK_NEAR(dv[1], 0, 1e-13);
  CHECK_NEAR(dq[0], 1 + a * (s - end) * by_L - b * s * by_L, 1e-13);
  CHECK_NEAR(dv[0], (a - b) * by_L, 1e-13);
  run_free(&run);
}

/*
** x0 = x1, let go; x0 is thrown with u, comes back at t* = 2 u / a with -u and is caught: x1 = -u s
** / 2 - a s^2 / 4.
*/
TEST(constraints_that_are_engaged_again) {
  const double a = 3, u = 1.5, t = 2, end = 2 * u / a, s = t - end;
  const double q[] = {0, 0}, impulse[] = {1.5, 0}, none[2] = {0}, one[] = {1, 0};
  const int constraint = 0;
  double dq[2], dv[2];
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  const sarrus_Expr when = sub(p->g, p->q[0], p->q[1]);
  const sarrus_Direction down = SARRUS_DOWN;
  p->force[0] = constant(p->g, -a);
  p->constraint[0] = when;
  p->spec.constraints = 1;
  REQUIRE(run_with_events(&run, p, &tight, 1, &when, &down));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, none));
  REQUIRE_OK(sarrus_sim_release(run.sim, 1, &constraint, 1));
  REQUIRE_OK(sarrus_sim_impulse(run.sim, impulse));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, none, one, NULL));
  CHECK_STATUS(sarrus_sim_advance(run.sim, t), SARRUS_STOPPED);
  CHECK_NEAR(sarrus_sim_time(run.sim), end, 1e-14);
  CHECK_NEAR(sarrus_sim_instant(run.sim, 0), 2 / a, 1e-14);
  REQUIRE_OK(sarrus_sim_release(run.sim, 1, &constraint, 0));
  REQUIRE_OK(sarrus_sim_advance(run.sim, t));
  REQUIRE_OK(sarrus_sim_tangent(run.sim, 0, dq, dv, NULL, NULL));
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(dq[i], u / a + s / 2, 1e-13);
    CHECK_NEAR(dv[i], 0.5, 1e-13);
  }
  run_free(&run);
}

/* --- implicit steps ------------------------------------------------------------------------- */

TEST(implicit_steps) {
  const sarrus_SimOptions stiff = {.tolerance = 1e-13, .method = SARRUS_STIFF};
  const double k = 2.5, w = sqrt(k), t = 3, q = 1, v = 0;
  Run run;
  REQUIRE(run_new(&run, oscillator(), &stiff));
  CHECK_OK(sarrus_sim_preset(run.sim, 0, k));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  REQUIRE_OK(
      sarrus_sim_directions(run.sim, 2, (double[]){0, 1}, (double[]){0, 0}, (double[]){1, 0}));
  REQUIRE_OK(sarrus_sim_advance(run.sim, t));
  CHECK(sarrus_sim_stats(run.sim).implicit > 0);
  CHECK_NEAR(tangent_of(run.sim, 0), -t * sin(w * t) / (2 * w), 1e-10);
  CHECK_NEAR(tangent_of(run.sim, 1), cos(w * t), 1e-10);
  run_free(&run);
}

/* --- records -------------------------------------------------------------------------------- */

static sarrus_Sim *copy_of(const Run *run) {
  static char record[1 << 20];
  int extras = 0;
  sarrus_Sim *copy = NULL;
  const size_t size = sarrus_sim_save(run->sim, NULL, 0, record, sizeof record);
  CHECK(0 < size && size <= sizeof record);
  CHECK_OK(sarrus_sim_restore(sarrus_memory_default(), run->system, run->events, record, size, NULL,
                              &extras, &copy));
  return copy;
}

static void check_same(const sarrus_Sim *one, const sarrus_Sim *two) {
  CHECK_INT(sarrus_sim_direction_count(one), sarrus_sim_direction_count(two));
  for (int l = 0; l < sarrus_sim_direction_count(one); l++) {
    double x[4][MOST] = {{0}}, y[4][MOST] = {{0}};
    CHECK_OK(sarrus_sim_tangent(one, l, x[0], x[1], x[2], x[3]));
    CHECK_OK(sarrus_sim_tangent(two, l, y[0], y[1], y[2], y[3]));
    CHECK(memcmp(x, y, sizeof x) == 0);
    const double dt = sarrus_sim_instant(one, l), other = sarrus_sim_instant(two, l);
    CHECK(dt == other || (isnan(dt) && isnan(other)));
  }
}

/* A rod that falls, bounces and slides: saved at every stop, and between. */
TEST(saved_and_restored_bit_for_bit) {
  const double q[] = {0, 1.2, 0.3}, v[] = {0.5, 0, 1}, none[9] = {0},
               one[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  Run run;
  REQUIRE(run_from(&run, rod(0.3, 0.5), 0, 0, q, v));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 3, none, one, NULL));
  for (int i = 0; i < 12; i++) {
    sarrus_Sim *copy = copy_of(&run), *clone = NULL;
    REQUIRE(copy != NULL);
    CHECK_OK(sarrus_sim_clone(run.sim, &clone));
    check_same(copy, clone);
    check_same(run.sim, copy);
    for (int k = 1; k <= 2; k++) {
      const double t = 0.05 * i + 0.025 * k;
      CHECK_OK(sarrus_sim_advance(copy, t));
      CHECK_OK(sarrus_sim_advance(clone, t));
      CHECK_OK(sarrus_sim_advance(run.sim, t));
    }
    check_same(copy, clone);
    check_same(run.sim, copy);
    sarrus_sim_free(clone);
    sarrus_sim_free(copy);
  }
  run_free(&run);
}

static sarrus_Status restored(const Run *run) {
  static char record[1 << 20];
  int extras = 0;
  sarrus_Sim *copy = NULL;
  const size_t size = sarrus_sim_save(run->sim, NULL, 0, record, sizeof record);
  CHECK(0 < size && size <= sizeof record);
  const sarrus_Status status = sarrus_sim_restore(sarrus_memory_default(), run->system, run->events,
                                                  record, size, NULL, &extras, &copy);
  sarrus_sim_free(copy);
  return status;
}

/* Directions that cannot be: their number, and numbers that are none. */
TEST(forged_records) {
  const double one = 1, none = 0;
  Run run;
  REQUIRE(run_oscillator(&run, &tight));
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, &one, &none, NULL));
  REQUIRE_OK(sarrus_sim_advance(run.sim, 1));
  Tangent *tangent = run.sim->follow.tangent;
  CHECK_OK(restored(&run));
  static const int counts[] = {-1, SARRUS_MOST_DIRECTIONS + 1, 1 << 30, SARRUS_MOST_DIRECTIONS};
  for (int i = 0; i < 4; i++) {
    tangent->directions = counts[i];
    CHECK_STATUS(restored(&run), SARRUS_FORMAT);
  }
  tangent->directions = 1;
  double *const numbers[] = {tangent->p, tangent->q,    tangent->v,
                             tangent->c, tangent->to_q, tangent->to_v};
  for (int i = 0; i < 6; i++) {
    const double kept = *numbers[i];
    *numbers[i] = (double)NAN;
    CHECK_STATUS(restored(&run), SARRUS_FORMAT);
    *numbers[i] = kept;
  }
  CHECK_OK(restored(&run));
  run_free(&run);
}

/* --- without memory ------------------------------------------------------------------------- */

/* All that a falling rod needs; a tangent that is lost for want of memory says so. */
static sarrus_Status fall(const Run *run, sarrus_Memory memory) {
  const double q[] = {0, 0.3, 0.3}, v[] = {0.5, 0, 1}, one[] = {1, 0, 0, 0, 1, 0};
  double dq[6] = {0}, dv[] = {1, 0, 0, 0, 1, 0}, da[6], dlambda[2 * MOST], x[3];
  sarrus_Sim *sim = NULL, *copy = NULL;
  sarrus_Status status = sarrus_sim_new(memory, run->system, NULL, &tight, &sim);
  if (status == SARRUS_OK) status = sarrus_sim_start(sim, 0, q, v);
  if (status == SARRUS_OK) status = sarrus_sim_slopes(sim, 2, dq, dv, NULL, da, dlambda);
  if (status == SARRUS_OK) status = sarrus_sim_directions(sim, 2, dq, one, NULL);
  if (status == SARRUS_OK) status = sarrus_sim_advance(sim, 0.25); /* two impacts */
  if (status == SARRUS_OK) status = sarrus_sim_tangent(sim, 1, x, NULL, NULL, NULL);
  if (status == SARRUS_OK) status = sarrus_sim_clone(sim, &copy);
  if (status == SARRUS_OK) status = sarrus_sim_tangent(copy, 1, x, NULL, NULL, NULL);
  sarrus_sim_free(copy);
  sarrus_sim_free(sim);
  return status;
}

TEST(memory_that_fails) {
  const double q[] = {0, 0.3, 0.3}, v[] = {0.5, 0, 1};
  TestMemory m;
  Run run;
  REQUIRE(run_from(&run, rod(0.3, 0.5), 0, 0, q, v));
  for (long n = 1;; n++) {
    const sarrus_Status status = fall(&run, test_memory_failing(&m, n));
    CHECK_INT(m.blocks, 0);
    if (!m.failed) {
      CHECK_OK(status);
      CHECK(n > 20);
      break;
    }
    if (!CHECK_STATUS(status, SARRUS_NOMEM)) printf("  allocation %ld\n", n);
  }
  run_free(&run);
}

/* --- wrong arguments ------------------------------------------------------------------------ */

TEST(wrong_arguments) {
  const double q = 1, v = 0, none = 0, bad = (double)NAN;
  double x, dq = 1, dv = 0, da, dlambda;
  Run run;
  REQUIRE(run_new(&run, oscillator(), &tight));
  CHECK_INT(sarrus_sim_parameter_count(run.sim), 1);
  CHECK_INT(sarrus_sim_direction_count(run.sim), 0);
  CHECK_STATUS(sarrus_sim_directions(run.sim, 1, &q, &v, NULL), SARRUS_ARGUMENT); /* not started */
  CHECK_STATUS(sarrus_sim_slopes(run.sim, 1, &dq, &dv, NULL, &da, &dlambda), SARRUS_ARGUMENT);
  CHECK_OK(sarrus_sim_preset(run.sim, 0, 1));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  CHECK_STATUS(sarrus_sim_tangent(run.sim, 0, &x, NULL, NULL, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_directions(run.sim, -1, &q, &v, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_directions(run.sim, SARRUS_MOST_DIRECTIONS + 1, NULL, NULL, NULL),
               SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_slopes(run.sim, -1, &dq, &dv, NULL, &da, &dlambda), SARRUS_ARGUMENT);
  CHECK_STATUS(
      sarrus_sim_slopes(run.sim, SARRUS_MOST_DIRECTIONS + 1, &dq, &dv, NULL, &da, &dlambda),
      SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_slopes(run.sim, 1, NULL, &dv, NULL, &da, &dlambda), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_slopes(run.sim, 1, &dq, NULL, NULL, &da, &dlambda), SARRUS_ARGUMENT);
  CHECK_OK(sarrus_sim_slopes(run.sim, 1, &dq, &dv, NULL, NULL, NULL));
  CHECK_STATUS(sarrus_sim_directions(run.sim, 1, &bad, &none, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_directions(run.sim, 1, &none, &bad, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_directions(run.sim, 1, &none, &none, &bad), SARRUS_ARGUMENT);
  CHECK_INT(sarrus_sim_direction_count(run.sim), 0);
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, NULL, NULL, NULL)); /* all 0 */
  CHECK_NEAR(tangent_of(run.sim, 0), 0, 0);
  REQUIRE_OK(sarrus_sim_advance(run.sim, 1));
  CHECK_STATUS(sarrus_sim_tangent(run.sim, 1, &x, NULL, NULL, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_tangent(run.sim, -1, &x, NULL, NULL, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_tangent_at(run.sim, 50, 0, &x, NULL, NULL, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_tangent_at(run.sim, bad, 0, &x, NULL, NULL, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_sim_directions(run.sim, 1, NULL, NULL, NULL), SARRUS_ARGUMENT); /* inside */
  CHECK_INT(sarrus_sim_direction_count(run.sim), 1); /* what was followed is */
  CHECK(sarrus_sim_bytes(run.sim) > 0);
  run_free(&run);
}

TEST(directions_are_given_up) {
  const double one = 1, none = 0;
  Run run;
  REQUIRE(run_oscillator(&run, &tight));
  const size_t bytes = sarrus_sim_bytes(run.sim);
  REQUIRE_OK(sarrus_sim_directions(run.sim, 1, &one, &none, NULL));
  CHECK(sarrus_sim_bytes(run.sim) > bytes);
  REQUIRE_OK(sarrus_sim_directions(run.sim, 0, NULL, NULL, NULL));
  CHECK(sarrus_sim_bytes(run.sim) == bytes);
  CHECK_INT(sarrus_sim_direction_count(run.sim), 0);
  run_free(&run);
}
