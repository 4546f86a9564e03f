/*
** What a simulation must not depend on: the direction of time, its zero, units that are powers of
** two, the order of coordinates, how it is asked.  And what stays: energy and momentum.
*/
#include "sims.h"

enum { POINTS = 3, COORDINATES = 2 * POINTS };

/* A net of points in the plane, each joined to each other by a spring, in random numbers. */
typedef struct Net {
  double mass[POINTS], stiffness[POINTS][POINTS], length[POINTS][POINTS];
  double q[COORDINATES], v[COORDINATES];
} Net;

static Net draw_net(unsigned *seed) {
  Net net;
  for (int i = 0; i < POINTS; i++) {
    net.mass[i] = random_in(seed, 0.5, 2);
    for (int j = 0; j < i; j++) {
      net.stiffness[i][j] = random_in(seed, 1, 5);
      net.length[i][j] = random_in(seed, 0.5, 1.5);
    }
    for (int k = 0; k < 2; k++) {
      net.q[2 * i + k] = random_in(seed, -0.2, 0.2) + 1.5 * (k == 0 ? cos(2.1 * i) : sin(2.1 * i));
      net.v[2 * i + k] = random_in(seed, -0.5, 0.5);
    }
  }
  return net;
}

static sarrus_Expr length_of(Parts *p, int a, int b) {
  sarrus_Graph *g = p->g;
  const sarrus_Expr x = sub(g, p->q[a], p->q[b]), y = sub(g, p->q[a + 1], p->q[b + 1]);
  return unary(g, SARRUS_OP_SQRT, add(g, mul(g, x, x), mul(g, y, y)));
}

/*
** The equations of a net; point i has the coordinates 2 order[i] and the next one.  Masses and
** forces are `factor` times as large; with `held`, the distance of points 0 and 1 is a constraint.
*/
static Parts *parts_of(const Net *net, const int order[POINTS], double factor, int held) {
  Parts *p = parts_new(sarrus_memory_default(), COORDINATES);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  for (int i = 0; i < POINTS; i++) {
    const int a = 2 * order[i];
    for (int k = 0; k < 2; k++)
      p->mass[(a + k) * COORDINATES + a + k] = constant(g, factor * net->mass[i]);
    for (int j = 0; j < i; j++) {
      const int b = 2 * order[j];
      const sarrus_Expr length = length_of(p, a, b);
      const sarrus_Expr pull =
          scaled(g, factor * net->stiffness[i][j], sub(g, length, constant(g, net->length[i][j])));
      for (int k = 0; k < 2; k++) {
        const sarrus_Expr along =
            mul(g, pull, quotient(g, sub(g, p->q[a + k], p->q[b + k]), length));
        p->force[a + k] = sub(g, p->force[a + k], along);
        p->force[b + k] = add(g, p->force[b + k], along);
      }
    }
  }
  if (held) {
    const double x = net->q[0] - net->q[2], y = net->q[1] - net->q[3];
    p->constraint[0] = sub(g, length_of(p, 2 * order[0], 2 * order[1]), constant(g, hypot(x, y)));
    p->spec.constraints = 1;
  }
  return p;
}

static const int in_order[POINTS] = {0, 1, 2};

static double energy_of(const Net *net, const double *q, const double *v) {
  double sum = 0;
  for (int i = 0; i < POINTS; i++) {
    sum += net->mass[i] * (v[2 * i] * v[2 * i] + v[2 * i + 1] * v[2 * i + 1]) / 2;
    for (int j = 0; j < i; j++) {
      const double l = hypot(q[2 * i] - q[2 * j], q[2 * i + 1] - q[2 * j + 1]);
      sum += net->stiffness[i][j] * (l - net->length[i][j]) * (l - net->length[i][j]) / 2;
    }
  }
  return sum;
}

static double momentum_of(const Net *net, const double *q, const double *v, int which) {
  double sum = 0;
  for (int i = 0; i < POINTS; i++) {
    const double *x = &q[2 * i], *u = &v[2 * i];
    sum += net->mass[i] * (which < 2 ? u[which] : x[0] * u[1] - x[1] * u[0]);
  }
  return sum;
}

static bool run_net(Run *run, const Net *net, Parts *p, const sarrus_SimOptions *options,
                    double t) {
  if (!run_new(run, p, options)) return false;
  return CHECK_OK(sarrus_sim_start(run->sim, t, net->q, net->v));
}

static double distance(const double *a, const double *b, int count) {
  double most = 0;
  for (int i = 0; i < count; i++)
    most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void state_at(Run *run, double t, double *q, double *v) {
  CHECK_OK(sarrus_sim_advance(run->sim, t));
  CHECK_OK(sarrus_sim_state(run->sim, q, v, NULL, NULL));
}

/* --- what stays -------------------------------------------------------------------------- */

TEST(energy_and_momentum_stay) {
  unsigned seed = 21;
  for (int i = 0; i < 10; i++) {
    Net net = draw_net(&seed);
    double q[COORDINATES], v[COORDINATES], start[COORDINATES], u[COORDINATES];
    Run run;
    REQUIRE(run_net(&run, &net, parts_of(&net, in_order, 1, i % 2), &tight, 0));
    CHECK_OK(sarrus_sim_state(run.sim, start, u, NULL, NULL)); /* velocities fit the constraint */
    const double energy = energy_of(&net, start, u);
    for (int n = 1; n <= 5; n++) {
      state_at(&run, 4 * n, q, v);
      CHECK_CLOSE(energy_of(&net, q, v), energy, 1e-12);
      for (int which = 0; which < 3; which++)
        CHECK_NEAR(momentum_of(&net, q, v, which), momentum_of(&net, start, u, which), 1e-12);
    }
    run_free(&run);
  }
}

/* The centre of mass goes straight on. */
TEST(the_centre_goes_straight_on) {
  unsigned seed = 5;
  for (int i = 0; i < 6; i++) {
    Net net = draw_net(&seed);
    double q[COORDINATES], v[COORDINATES], sum[2] = {0}, rate[2] = {0};
    Run run;
    REQUIRE(run_net(&run, &net, parts_of(&net, in_order, 1, 0), &tight, 0));
    state_at(&run, 7, q, v);
    for (int p = 0; p < COORDINATES; p++) {
      sum[p % 2] += net.mass[p / 2] * (q[p] - net.q[p]);
      rate[p % 2] += net.mass[p / 2] * net.v[p];
    }
    CHECK_NEAR(sum[0], 7 * rate[0], 1e-12);
    CHECK_NEAR(sum[1], 7 * rate[1], 1e-12);
    run_free(&run);
  }
}

/* --- what must not matter ---------------------------------------------------------------- */

/* There and back again; and with all velocities turned round, the way there backwards. */
TEST(time_has_no_direction) {
  unsigned seed = 31;
  for (int i = 0; i < 10; i++) {
    Net net = draw_net(&seed);
    double q[COORDINATES], v[COORDINATES], start[COORDINATES], u[COORDINATES];
    Run run;
    REQUIRE(run_net(&run, &net, parts_of(&net, in_order, 1, i % 2), &tight, 0));
    CHECK_OK(sarrus_sim_state(run.sim, start, u, NULL, NULL));
    state_at(&run, 3, q, v);
    state_at(&run, 0, q, v);
    CHECK(distance(q, start, COORDINATES) <= 1e-11);
    CHECK(distance(v, u, COORDINATES) <= 1e-11);
    state_at(&run, 3, q, v);
    for (int k = 0; k < COORDINATES; k++)
      v[k] = -v[k];
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
    state_at(&run, 3, q, v);
    CHECK(distance(q, start, COORDINATES) <= 1e-11);
    run_free(&run);
  }
}

/* Where the user's time is 0 does not matter to what does not contain it. */
TEST(time_has_no_zero) {
  unsigned seed = 41;
  for (int i = 0; i < 5; i++) {
    Net net = draw_net(&seed);
    double q[2][COORDINATES], v[2][COORDINATES];
    for (int late = 0; late < 2; late++) {
      const double t = late * 1024 * (i + 1);
      Run run;
      REQUIRE(run_net(&run, &net, parts_of(&net, in_order, 1, i % 2), &tight, t));
      state_at(&run, t + 5, q[late], v[late]);
      run_free(&run);
    }
    CHECK(distance(q[0], q[1], COORDINATES) <= 1e-11);
    CHECK(distance(v[0], v[1], COORDINATES) <= 1e-11);
  }
}

/* Another unit of mass, a power of four: the same bits of positions, forces in proportion. */
TEST(units_of_mass_change_no_bit) {
  unsigned seed = 51;
  for (int i = 0; i < 5; i++) {
    const double factor = ldexp(1, 4 * i - 8);
    Net net = draw_net(&seed);
    double q[2][COORDINATES], v[2][COORDINATES], lambda[2] = {0, 0};
    for (int other = 0; other < 2; other++) {
      Run run;
      REQUIRE(run_net(&run, &net, parts_of(&net, in_order, other ? factor : 1, 1), &tight, 0));
      state_at(&run, 5, q[other], v[other]);
      CHECK_OK(sarrus_sim_state(run.sim, NULL, NULL, NULL, &lambda[other]));
      run_free(&run);
    }
    CHECK_INT(memcmp(q[0], q[1], sizeof q[0]), 0);
    CHECK_INT(memcmp(v[0], v[1], sizeof v[0]), 0);
    CHECK_NEAR(lambda[1], factor * lambda[0], 0);
  }
}

/* Another order of the points. */
TEST(the_order_of_coordinates_does_not_matter) {
  static const int orders[][POINTS] = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  unsigned seed = 61;
  for (int i = 0; i < 5; i++) {
    const Net net = draw_net(&seed);
    double q[COORDINATES], v[COORDINATES], other[COORDINATES], u[COORDINATES];
    Run run;
    REQUIRE(run_net(&run, &net, parts_of(&net, in_order, 1, 1), &tight, 0));
    state_at(&run, 4, q, v);
    run_free(&run);
    for (int k = 0; k < COORDINATES; k++) {
      const int to = 2 * orders[i][k / 2] + k % 2;
      other[to] = net.q[k];
      u[to] = net.v[k];
    }
    REQUIRE(run_new(&run, parts_of(&net, orders[i], 1, 1), &tight));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, other, u));
    state_at(&run, 4, other, u);
    for (int k = 0; k < COORDINATES; k++)
      CHECK_NEAR(other[2 * orders[i][k / 2] + k % 2], q[k], 1e-12);
    run_free(&run);
  }
}

/* --- how it is asked --------------------------------------------------------------------- */

/* Natural steps depend on where they start alone: many small advances, the same bits as one. */
TEST(advances_may_be_cut_anywhere) {
  unsigned seed = 71;
  Net net = draw_net(&seed);
  double q[2][COORDINATES], v[2][COORDINATES], size;
  Run run;
  for (int cut = 0; cut < 2; cut++) {
    REQUIRE(run_net(&run, &net, parts_of(&net, in_order, 1, 1), &tight, 0));
    for (int n = 1; cut && n < 500; n++)
      CHECK_OK(sarrus_sim_advance(run.sim, 0.01 * n + random_in(&seed, 0, 0.005)));
    state_at(&run, 5, q[cut], v[cut]);
    run_free(&run);
  }
  CHECK_INT(memcmp(q[0], q[1], sizeof q[0]), 0);
  CHECK_INT(memcmp(v[0], v[1], sizeof v[0]), 0);
  REQUIRE(run_net(&run, &net, parts_of(&net, in_order, 1, 1), &tight, 0));
  while (sarrus_sim_time(run.sim) < 5)
    REQUIRE_OK(sarrus_sim_step_until(run.sim, 5, &size));
  CHECK_OK(sarrus_sim_state(run.sim, q[1], v[1], NULL, NULL));
  CHECK_INT(memcmp(q[0], q[1], sizeof q[0]), 0);
  run_free(&run);
}

/* Looking back within the span is what was there: `at` has the bits of an advance. */
TEST(the_span_is_what_was_passed) {
  unsigned seed = 81;
  Net net = draw_net(&seed);
  Run run, other;
  REQUIRE(run_net(&run, &net, parts_of(&net, in_order, 1, 0), &tight, 0));
  REQUIRE(run_net(&other, &net, parts_of(&net, in_order, 1, 0), &tight, 0));
  for (int n = 0; n < 20; n++) {
    double size, from, to, q[2][COORDINATES], v[2][COORDINATES];
    REQUIRE_OK(sarrus_sim_step(run.sim, &size));
    sarrus_sim_span(run.sim, &from, &to);
    const double t = from + (to - from) * random_in(&seed, 0.01, 0.99);
    CHECK_OK(sarrus_sim_at(run.sim, t, q[0], v[0], NULL, NULL));
    state_at(&other, t, q[1], v[1]);
    CHECK_INT(memcmp(q[0], q[1], sizeof q[0]), 0);
    CHECK_INT(memcmp(v[0], v[1], sizeof v[0]), 0);
    CHECK_STATUS(sarrus_sim_at(run.sim, to + 1, q[0], v[0], NULL, NULL), SARRUS_ARGUMENT);
    CHECK_STATUS(sarrus_sim_at(run.sim, (double)NAN, q[0], v[0], NULL, NULL), SARRUS_ARGUMENT);
  }
  run_free(&other);
  run_free(&run);
}

/* Fixed steps of order K: halving them lowers the error by nearly 2^K, the finer the nearer. */
TEST(fixed_steps_have_their_order) {
  unsigned seed = 91;
  Net net = draw_net(&seed);
  double exact[COORDINATES], q[COORDINATES], v[COORDINATES];
  Run run;
  REQUIRE(run_net(&run, &net, parts_of(&net, in_order, 1, 0), &tight, 0));
  state_at(&run, 0.5, exact, v);
  run_free(&run);
  for (int order = 3; order <= 9; order += 2) {
    double last = 0;
    for (int i = 0; i < 4; i++) {
      const sarrus_SimOptions options = {.order = order, .step = 0.05 / (1 << i)};
      REQUIRE(run_net(&run, &net, parts_of(&net, in_order, 1, 0), &options, 0));
      state_at(&run, 0.5, q, v);
      const double error = distance(q, exact, COORDINATES);
      if (i > 1 && last > 1e-11) CHECK(error < last / (0.6 * pow(2, order)));
      last = error;
      run_free(&run);
    }
  }
}
