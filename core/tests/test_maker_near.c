/*
** Functions of what nearly vanishes at a time that is known: u = (t - a)^2 + b^2 does at a +- b i.
*/
#include <float.h>

#include "sim_parts.h"
#include "sims.h"

enum { ORDER = 20 };
static const double TOLERANCE = 1e-12;

typedef sarrus_Expr (*Of)(sarrus_Graph *g, sarrus_Expr u);

static sarrus_Expr root(sarrus_Graph *g, sarrus_Expr u) { return unary(g, SARRUS_OP_SQRT, u); }
static sarrus_Expr inverse(sarrus_Graph *g, sarrus_Expr u) {
  return quotient(g, constant(g, 1), u);
}
static sarrus_Expr logarithm(sarrus_Graph *g, sarrus_Expr u) { return unary(g, SARRUS_OP_LOG, u); }
static sarrus_Expr fraction(sarrus_Graph *g, sarrus_Expr u) { return power(g, u, 0.3); }

/* x'' = small f(u) from x = 0, x' = 1 at time 0, so that the motion itself changes within 1. */
static bool start(Run *run, Of of, Parts *p, sarrus_Expr u) {
  const double q = 0, v = 1;
  const sarrus_SimOptions options = {.tolerance = TOLERANCE, .order = ORDER};
  p->force[0] = scaled(p->g, 1e-30, of(p->g, u));
  return run_new(run, p, &options) && CHECK_OK(sarrus_sim_start(run->sim, 0, &q, &v));
}

static sarrus_Expr near_zero(Parts *p, double a, double b) {
  const sarrus_Expr since = sub(p->g, p->t, constant(p->g, a));
  return add(p->g, power(p->g, since, 2), constant(p->g, b * b));
}

/* How far the series of a fresh span reach, in the direction of travel. */
static double reach(Run *run, int direction) {
  double h = 0;
  Maker *maker = &run->sim->maker;
  maker->direction = direction;
  CHECK_OK(maker_begin(maker));
  CHECK_OK(maker_expand_series(maker, &h));
  return h;
}

/* (T31): tolerance^(1 / (2 K)) of the distance, whatever the function is. */
TEST(a_pair_of_zeros_bounds_the_step) {
  static const Of functions[] = {root, inverse, logarithm, fraction};
  static const double places[][2] = {{1e-4, 1e-4}, {-1e-4, 2e-4}, {3e-5, 4e-5}, {0, 1e-3}};
  const double share = pow(TOLERANCE, 0.5 / ORDER);
  for (int i = 0; i < 16; i++) {
    const double a = places[i % 4][0], b = places[i % 4][1];
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    if (start(&run, functions[i / 4], p, near_zero(p, a, b))) {
      CHECK_CLOSE(reach(&run, 1), share * hypot(a, b), 1e-9);
      CHECK(run.sim->maker.near.value != SARRUS_NONE);
      CHECK_INT(run.sim->maker.near.shortens, 1);
      CHECK_NEAR(run.sim->maker.near.through, 0, 0);
    }
    run_free(&run);
  }
}

/* The nearest of several; sines and cosines have no part in it. */
TEST(the_nearest_pair_bounds_the_step) {
  for (int first = 0; first < 2; first++) {
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    const double b[] = {first ? 1e-3 : 1e-4, first ? 1e-4 : 1e-3};
    const sarrus_Expr sum =
        add(p->g, root(p->g, near_zero(p, 0, b[0])),
            mul(p->g, sine(p, near_zero(p, 0, 1e-7)), logarithm(p->g, near_zero(p, 0, b[1]))));
    p->force[0] = scaled(p->g, 1e-30, sum);
    const double q = 0, v = 1;
    const sarrus_SimOptions options = {.tolerance = TOLERANCE, .order = ORDER};
    if (run_new(&run, p, &options) && CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v)))
      CHECK_CLOSE(reach(&run, 1), pow(TOLERANCE, 0.5 / ORDER) * 1e-4, 1e-9);
    run_free(&run);
  }
}

/* A miss below 1e-7 of the distance is none: then 0.99 of the way, or all of it to one behind. */
TEST(a_zero_that_is_met) {
  static const double miss[] = {0, 0.5e-7, 0.98e-7, 1.02e-7, 1e-6};
  const double share = pow(TOLERANCE, 0.5 / ORDER);
  for (int i = 0; i < 5; i++)
    for (int direction = -1; direction <= 1; direction += 2)
      for (int ahead = 0; ahead < 2; ahead++) {
        const double a = (ahead ? 1 : -1) * direction * 1e-4, b = miss[i] * 1e-4;
        Run run;
        Parts *p = parts_new(sarrus_memory_default(), 1);
        REQUIRE(p != NULL);
        if (start(&run, logarithm, p, near_zero(p, a, b))) {
          const double part = miss[i] > 1e-7 ? share : ahead ? 0.99 : 1;
          CHECK_CLOSE(fabs(reach(&run, direction)), part * 1e-4, 1e-7);
          CHECK_NEAR(run.sim->maker.near.through, 0, 0);
        }
        run_free(&run);
      }
}

/* From 1e-7 of the motion's time on, a step goes through, as far beyond it as it was before. */
TEST(a_zero_at_hand_is_gone_through) {
  static const double away[] = {1e-9, 0.5e-7, 0.99e-7, 1.01e-7, 1e-6};
  for (int i = 0; i < 5; i++)
    for (int direction = -1; direction <= 1; direction += 2) {
      const double a = direction * away[i];
      Run run;
      Parts *p = parts_new(sarrus_memory_default(), 1);
      REQUIRE(p != NULL);
      if (start(&run, root, p, near_zero(p, a, 0))) {
        Maker *maker = &run.sim->maker;
        const double h = reach(&run, direction);
        if (away[i] < 1e-7) {
          CHECK_CLOSE(h, 2 * a, 1e-9);
          CHECK_CLOSE(maker->near.through, a, 1e-9);
          CHECK_INT(maker->span.order, 3);
          CHECK_INT(maker_goes_through(maker, 2 * maker->near.through), 1);
          CHECK_INT(maker_goes_through(maker, maker->near.through), 0);
        } else {
          CHECK_CLOSE(h, 0.99 * a, 1e-9);
          CHECK_INT(maker->span.order, ORDER);
          CHECK_INT(maker_goes_through(maker, h), 0);
        }
      }
      run_free(&run);
    }
}

/* Of two at hand the nearer one; where another zero is nearer than twice that, up to the first. */
TEST(several_zeros_at_hand) {
  static const double other[] = {3e-8, 1e-8};
  for (int i = 0; i < 2; i++) {
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    const double q = 0, v = 1;
    const sarrus_SimOptions options = {.tolerance = TOLERANCE, .order = ORDER};
    const sarrus_Expr both =
        add(p->g, root(p->g, near_zero(p, 2e-8, 0)), root(p->g, near_zero(p, other[i], 0)));
    p->force[0] = scaled(p->g, 1e-30, both);
    if (run_new(&run, p, &options) && CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v)))
      CHECK_CLOSE(reach(&run, 1), 2 * fmin(2e-8, other[i]), 1e-7);
    run_free(&run);
  }
}

/*
** Zeros are a pair where the parabola through them says so: u = (t - a)(t - a') is one up to a' =
** 1.86 a; u3 t^3 must stay below a quarter of u0 there.
*/
TEST(what_is_a_pair) {
  static const double apart[] = {1.5, 1.85, 1.88, 3};
  for (int i = 0; i < 4; i++) {
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    const double a = 1e-4, other = apart[i] * a;
    const sarrus_Expr u =
        mul(p->g, sub(p->g, p->t, constant(p->g, a)), sub(p->g, p->t, constant(p->g, other)));
    if (start(&run, logarithm, p, u)) {
      reach(&run, -1);
      CHECK_INT(run.sim->maker.near.value != SARRUS_NONE, apart[i] < 1.86);
    }
    run_free(&run);
  }
  static const double cubic[] = {0.1, 0.24, 0.26, 0.5};
  for (int i = 0; i < 4; i++) {
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    const double b = 1e-4;
    const sarrus_Expr u =
        add(p->g, near_zero(p, 0, b), scaled(p->g, cubic[i] / b, power(p->g, p->t, 3)));
    if (start(&run, logarithm, p, u)) {
      reach(&run, 1);
      CHECK_INT(run.sim->maker.near.value != SARRUS_NONE, cubic[i] < 0.25);
    }
    run_free(&run);
  }
}

/* x'' = |t - a|, whose root goes on as a - t beyond a, is made good: x = a t^2/2 - t^3/6, and after
** a, with s = t - a, x(a) + x'(a) s + s^3/6. */
TEST(what_is_gone_through_is_made_good) {
  for (int i = 0; i < 8; i++) {
    const double a = 0.3 + 0.1 * i;
    const double q = 0, v = 0;
    double x, w;
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    p->force[0] = root(p->g, near_zero(p, a, 0));
    REQUIRE(run_new(&run, p, &tight));
    if (CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v)) &&
        CHECK_OK(sarrus_sim_advance(run.sim, 2))) {
      const double s = 2 - a;
      CHECK_OK(sarrus_sim_state(run.sim, &x, &w, NULL, NULL));
      CHECK_NEAR(x, a * a * a / 3 + a * a / 2 * s + s * s * s / 6, 1e-12);
      CHECK_NEAR(w, a * a / 2 + s * s / 2, 1e-12);
    }
    run_free(&run);
  }
}

/* Who ends right after a point: the first whose zero is nearer than 1e-6 of the time. */
TEST(what_vanishes_next) {
  static const double after[] = {1e-9, 0.9e-6, 1.1e-6, 1};
  for (int i = 0; i < 4; i++)
    for (int nearer = 0; nearer < 2; nearer++) {
      const double q = 0, v = 1;
      Run run;
      Parts *p = parts_new(sarrus_memory_default(), 1);
      REQUIRE(p != NULL);
      const double other = after[i] * (nearer ? 0.5 : 2);
      const sarrus_Expr one = logarithm(p->g, sub(p->g, constant(p->g, 1 + after[i]), p->t));
      const sarrus_Expr two = inverse(p->g, sub(p->g, constant(p->g, 1 + other), p->t));
      p->force[0] = scaled(p->g, 1e-9, add(p->g, one, two));
      REQUIRE(run_new(&run, p, &tight));
      if (CHECK_OK(sarrus_sim_start(run.sim, 1, &q, &v))) {
        Maker *maker = &run.sim->maker;
        const double least = fmin(after[i], other);
        const sarrus_Expr found = maker_vanishing(maker);
        CHECK_INT(found == SARRUS_NONE, least > 1e-6);
        if (least < 1e-6)
          CHECK_INT(sarrus_graph_op(sarrus_system_graph(run.system), found),
                    nearer ? SARRUS_OP_QUOTIENT : SARRUS_OP_LOG);
      }
      run_free(&run);
    }
}

/* Nor is a miss one that positions do not know: 64 eps of the time in which the motion changes. */
TEST(a_miss_below_what_positions_know) {
  static const double miss[] = {0.97, 1.03, 4};
  const double share = pow(TOLERANCE, 0.5 / ORDER), a = 1e-9;
  for (int i = 0; i < 3; i++) {
    const double b = miss[i] * 64 * DBL_EPSILON;
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    if (start(&run, root, p, near_zero(p, a, b)))
      CHECK_CLOSE(reach(&run, 1), miss[i] < 1 ? 2 * a : share * hypot(a, b), 1e-6);
    run_free(&run);
  }
}

/* Through one zero only as far as no other is: else up to the first. */
TEST(another_zero_on_the_way_through) {
  static const double other[] = {5e-8, 1e-6};
  const double share = pow(TOLERANCE, 0.5 / ORDER), a = 2e-8;
  for (int i = 0; i < 2; i++) {
    const double q = 0, v = 1;
    const sarrus_SimOptions options = {.tolerance = TOLERANCE, .order = ORDER};
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    p->force[0] = scaled(
        p->g, 1e-30,
        add(p->g, root(p->g, near_zero(p, a, 0)), logarithm(p->g, near_zero(p, 0, other[i]))));
    REQUIRE(run_new(&run, p, &options));
    if (CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v))) {
      const double bound = share * other[i];
      CHECK_CLOSE(reach(&run, 1), bound < 2 * a ? fmin(bound, 0.99 * a) : 2 * a, 1e-7);
      CHECK_INT(run.sim->maker.near.through != 0, bound >= 2 * a);
    }
    run_free(&run);
  }
}

/* A root's own series is trusted up to where it changes its sign: sqrt(c - t) ends at c. */
TEST(a_root_of_what_passes_zero) {
  for (double c = 1e-3; c < 20; c *= 10) {
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    if (start(&run, root, p, sub(p->g, constant(p->g, c), p->t))) {
      const double h = reach(&run, 1);
      CHECK(h > 0.3 * c && h < c);
      CHECK_INT(run.sim->maker.near.value, SARRUS_NONE);
      CHECK_INT(run.sim->maker.near.shortens, 1);
    }
    run_free(&run);
  }
}
