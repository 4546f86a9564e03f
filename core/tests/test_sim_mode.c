/*
** Where modes end: functions of time whose arguments are polynomials, so that the instants are
** known exactly; contacts that touch and stop at such instants.
*/
#include <float.h>

#include "contacts.h"
#include "sim_parts.h"

/* --- piecewise functions of time ---------------------------------------------------------- */

/* c0 + c1 t + c2 t^2 + c3 t^3 */
static sarrus_Expr polynomial(Parts *p, const double *c) {
  sarrus_Expr sum = constant(p->g, c[0]);
  for (int k = 1; k < 4; k++)
    if (c[k] != 0) sum = add(p->g, sum, scaled(p->g, c[k], power(p->g, p->t, k)));
  return sum;
}

/* A point at speed 1 on which forces act that hardly count: |u| of some polynomials. */
static Parts *switched(int count, const double (*c)[4]) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (p == NULL) return NULL;
  for (int i = 0; i < count; i++) {
    const sarrus_Expr size = unary(p->g, SARRUS_OP_ABS, polynomial(p, c[i]));
    p->force[0] = add(p->g, p->force[0], scaled(p->g, 1e-30 * (i + 1), size));
  }
  return p;
}

/* Start at time 0, and make series that go one way. */
static bool begin(Run *run, Parts *p, int direction) {
  const double q = 0, v = 1;
  double h;
  if (!CHECK(p != NULL) || !run_new(run, p, &tight) ||
      !CHECK_OK(sarrus_sim_start(run->sim, 0, &q, &v)))
    return false;
  Maker *maker = &run->sim->maker;
  maker->direction = direction;
  return CHECK_OK(maker_begin(maker)) && CHECK_OK(maker_expand_series(maker, &h));
}

/* The only switch there is of an argument that is c at the start. */
static int switch_of(const sarrus_Sim *sim, double c) {
  const Work *work = sim->maker.expansion->work;
  for (int i = 0; i < sim->maker.system->arguments.switches; i++)
    if (work->value[work->tape->values[work->tape->switches[i].value].a] == c) return i;
  CHECK(false);
  return 0;
}

TEST(a_switch_ends_where_its_argument_vanishes) {
  static const double c[][1][4] = {
      {{0.5, -1, 0, 0}},       /* falls through 0 at 0.5, comes from there at -0.5: never */
      {{-0.5, 1, 0, 0}},       /* rises */
      {{-0.25, 0, 1, 0}},      /* both ways at 0.5 */
      {{0.125, 0, 0, -1}},     /* 0.5, with a bend */
      {{0.1875, -1, 1, 0}},    /* 0.25 and 0.75: the first */
      {{0.25, -1, 1, 0}},      /* touches 0 at 0.5: does not end */
      {{0.2500001, -1, 1, 0}}, /* misses it */
      {{1, -1, 0, 0}},         /* exactly at the end of the step */
      {{1.0000001, -1, 0, 0}}, /* right behind it */
      {{1e-6, -1, 0, 0}},      /* right behind its beginning */
  };
  static const double forth[] = {0.5, 0.5, 0.5, 0.5, 0.25, 0, 0, 1, 0, 1e-6},
                      back[] = {0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 10; i++)
    for (int direction = -1; direction <= 1; direction += 2) {
      Run run;
      if (begin(&run, switched(1, c[i]), direction)) {
        const double at = direction > 0 ? forth[i] : back[i];
        CHECK_INT(sim_find_ended(run.sim, direction), 0);
        const Ending ending = sim_first_ending(run.sim, direction);
        CHECK_INT(ending.ends, at != 0);
        CHECK_NEAR(ending.h, direction * (at != 0 ? at : 1), 1e-14);
        CHECK_INT(sim_first_turned(run.sim), at != 0 ? 0 : SARRUS_NONE);
        CHECK_INT(sim_contact_ended(run.sim), 0);
        const int side = c[i][0][0] > 0 ? 1 : -1;
        CHECK_INT(run.sim->endings[0], at != 0 ? TURNS - side : ENDS_NOT);
        sim_turn_switches(run.sim);
        CHECK_INT(run.sim->maker.expansion->work->branch[0], at != 0 ? -side : side);
        CHECK_INT(run.sim->maker.expansion->work->forced[0], at != 0);
      }
      run_free(&run);
    }
}

/* A guard tells by which factor its output is to be taken: of switches 1. */
TEST(the_guards_that_ended) {
  static const double c[][4] = {{0.5, -1, 0, 0}, {2, -1, 0, 0}};
  Run run;
  if (begin(&run, switched(2, c), 1)) {
    sarrus_Sim *sim = run.sim;
    int element = 0, output = -1;
    double factor = 0, other = 1;
    CHECK_INT(sim_find_ended(sim, 1), 0);
    CHECK_INT(sim_ended_guard(sim, &element, &output, &factor, &other), 0);
    CHECK_INT(sim_first_ending(sim, 1).ends, 1);
    element = 0;
    REQUIRE(sim_ended_guard(sim, &element, &output, &factor, &other));
    const int which = switch_of(sim, 0.5);
    CHECK_INT(element, which);
    CHECK_INT(output, sim->maker.system->arguments.output[which]);
    CHECK_NEAR(factor, 1, 0);
    CHECK_NEAR(other, 0, 0);
    element++;
    CHECK_INT(sim_ended_guard(sim, &element, &output, &factor, &other), 0);
  }
  run_free(&run);
}

/* Of several the first alone; what rounding tells apart, 1e-12 of the step, is at one instant. */
TEST(several_switches) {
  static const double apart[] = {0, 0.5e-12, 2e-12, 1e-3, -1e-3};
  for (int i = 0; i < 5; i++) {
    const double c[][4] = {{0.5, -1, 0, 0}, {2 * (0.5 + apart[i]), -2, 0, 0}, {0.75, -1, 0, 0}};
    Run run;
    if (begin(&run, switched(3, c), 1)) {
      CHECK_INT(sim_find_ended(run.sim, 1), 0);
      const Ending ending = sim_first_ending(run.sim, 1);
      CHECK_NEAR(ending.h, fmin(0.5, 0.5 + apart[i]), 1e-14);
      const int first = switch_of(run.sim, 0.5), second = switch_of(run.sim, c[1][0]);
      CHECK_INT(run.sim->endings[first] != ENDS_NOT, apart[i] >= 0);
      CHECK_INT(run.sim->endings[second] != ENDS_NOT, apart[i] < 1e-12);
      CHECK_INT(run.sim->endings[switch_of(run.sim, 0.75)], ENDS_NOT);
    }
    run_free(&run);
  }
}

/* Sign, size and choice by one argument turn together. */
TEST(functions_of_one_argument) {
  static const double c[] = {0.5, -1, 0, 0};
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  const sarrus_Expr u = polynomial(p, c);
  const sarrus_Expr chosen = sarrus_graph_apply(p->g, SARRUS_OP_SELECT, u, p->q[0], p->t);
  p->force[0] = scaled(p->g, 1e-30, add(p->g, unary(p->g, SARRUS_OP_ABS, u), chosen));
  if (begin(&run, p, 1)) {
    sarrus_Sim *sim = run.sim;
    CHECK_INT(sim_find_ended(sim, 1), 0);
    CHECK_NEAR(sim_first_ending(sim, 1).h, 0.5, 1e-15);
    const int count = sim->maker.system->arguments.switches;
    CHECK(count >= 2);
    for (int i = 0; i < count; i++)
      CHECK_INT(sim->endings[i], TURNS - 1);
  }
  run_free(&run);
}

/* Pieces of a table end at their knots, on both sides. */
TEST(pieces_of_tables) {
  static const double knots[] = {-1, 0, 2}, data[] = {0, 1, 3};
  static const double begins[] = {-2, -0.5, 1, 3}, slope[] = {4, -4};
  for (int i = 0; i < 4; i++)
    for (int down = 0; down < 2; down++) {
      const double c[] = {begins[i], slope[down], 0, 0};
      Run run;
      Parts *p = parts_new(sarrus_memory_default(), 1);
      REQUIRE(p != NULL);
      const int table = sarrus_graph_new_table(p->g, 3, knots, data);
      p->force[0] = scaled(p->g, 1e-30, sarrus_graph_table(p->g, table, 0, polynomial(p, c)));
      if (begin(&run, p, 1)) {
        sarrus_Sim *sim = run.sim;
        const int next = down ? i - 1 : i; /* the knot that it comes to */
        const int ends = next >= 0 && next < 3;
        CHECK_INT(sim->maker.expansion->work->branch[0], i);
        CHECK_INT(sim_find_ended(sim, 1), 0);
        const Ending ending = sim_first_ending(sim, 1);
        CHECK_INT(ending.ends, ends);
        CHECK_NEAR(ending.h, ends ? (knots[next] - begins[i]) / slope[down] : 1, 1e-15);
        CHECK_INT(sim->endings[0], ends ? TURNS + (down ? i - 1 : i + 1) : ENDS_NOT);
      }
      run_free(&run);
    }
}

/* atan2(y, x) has its cut where y = 0 and x < 0 only. */
TEST(the_cut_of_an_angle) {
  static const double x0[] = {-1, 1, -0.25, 0.25}, slope[] = {0, 0, 1, -1};
  static const int ends[] = {1, 0, 0, 1}; /* x is -0.25 + 0.5 > 0 there, and 0.25 - 0.5 < 0 */
  for (int i = 0; i < 4; i++) {
    const double y[] = {0.5, -1, 0, 0}, x[] = {x0[i], slope[i], 0, 0};
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    p->force[0] =
        scaled(p->g, 1e-30, binary(p->g, SARRUS_OP_ATAN2, polynomial(p, y), polynomial(p, x)));
    if (begin(&run, p, 1)) {
      CHECK_INT(sim_find_ended(run.sim, 1), 0);
      const Ending ending = sim_first_ending(run.sim, 1);
      CHECK_INT(ending.ends, ends[i]);
      CHECK_NEAR(ending.h, ends[i] ? 0.5 : 1, 1e-14);
    }
    run_free(&run);
  }
}

/* What begins at zero, on the branch that it leaves, ends at once; on the other it does not. */
TEST(what_begins_at_zero) {
  static const double c[][1][4] = {{{0, 1, 0, 0}},  {{0, -1, 0, 0}}, {{0, 0, 1, 0}},
                                   {{0, 0, -1, 0}}, {{0, 0, 0, 1}},  {{0, 0, 0, -1}},
                                   {{0, 1, -4, 0}}, {{0, -1, 4, 0}}};
  static const int leaves[] = {1, -1, 1, -1, 1, -1, 1, -1};
  for (int i = 0; i < 8; i++)
    for (int branch = -1; branch <= 1; branch += 2) {
      Run run;
      Parts *p = parts_new(sarrus_memory_default(), 1);
      REQUIRE(p != NULL);
      p->force[0] = sarrus_graph_apply(p->g, SARRUS_OP_SELECT, polynomial(p, c[i][0]), p->q[0],
                                       constant(p->g, 1e-30));
      if (begin(&run, p, 1)) {
        run.sim->maker.expansion->work->branch[0] = branch;
        CHECK_INT(sim_find_ended(run.sim, 0.125), branch != leaves[i]);
        CHECK_INT(run.sim->endings[0], branch != leaves[i] ? TURNS - branch : ENDS_NOT);
      }
      run_free(&run);
    }
}

/* --- whole runs --------------------------------------------------------------------------- */

/* x'' = sign(u(t)): speed is the time that u was positive less the time that it was negative. */
TEST(speeds_by_signs) {
  static const double roots[][3] = {{0.3, 0.5, 0.9}, {0.1, 0.1000001, 0.6}, {0.25, 0.5, 1.75}};
  for (int i = 0; i < 3; i++) {
    const double *r = roots[i], q = 0, v = 0;
    double x, w;
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    sarrus_Expr u = constant(p->g, 1);
    for (int k = 0; k < 3; k++)
      u = mul(p->g, u, sub(p->g, p->t, constant(p->g, r[k])));
    p->force[0] =
        sarrus_graph_apply(p->g, SARRUS_OP_SELECT, u, constant(p->g, 1), constant(p->g, -1));
    REQUIRE(run_new(&run, p, &tight));
    REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
    CHECK_OK(sarrus_sim_advance(run.sim, 2));
    CHECK_OK(sarrus_sim_state(run.sim, &x, &w, NULL, NULL));
    const double speed = -r[0] + (r[1] - r[0]) - (r[2] - r[1]) + (2 - r[2]);
    CHECK_NEAR(w, speed, i == 1 ? 1e-9 : 1e-14);    /* of roots that are 1e-7 apart, less */
    double wanted = 0, at = 0, fast = 0, push = -1; /* piece by piece */
    for (int k = 0; k <= 3; k++, push = -push) {
      const double until = k < 3 ? r[k] : 2, dt = until - at;
      wanted += fast * dt + push * dt * dt / 2;
      fast += push * dt;
      at = until;
    }
    CHECK_NEAR(x, wanted, i == 1 ? 1e-9 : 1e-14);
    run_free(&run);
  }
}

/* A ball is met where it touches, and a step goes no further. */
TEST(gaps_close_where_they_vanish) {
  static const double heights[] = {1e-6, 0.01, 1, 100};
  for (int i = 0; i < 4; i++) {
    Run run;
    const double v = 0, fall = sqrt(2 * heights[i] / g0);
    if (run_watched(&run, ball(), 0.5, 0, &heights[i], &v)) {
      double y, w;
      CHECK_STATUS(sarrus_sim_advance(run.sim, 10 * fall), SARRUS_STOPPED);
      CHECK_CLOSE(sarrus_sim_time(run.sim), fall, 1e-13);
      state_of(run.sim, &y, &w);
      CHECK_NEAR(y, 0, 1e-15 + 1e-14 * heights[i]);
      CHECK_CLOSE(w, 0.5 * g0 * fall, 1e-12);
    }
    run_free(&run);
  }
}

/* An oscillator on dry friction: half swings, each 2 mu g / k shorter, as long as k x > mu g. */
TEST(slip_ends_where_velocities_vanish) {
  Run run;
  const double q = 1, v = 0, bound = 0.07;
  if (run_from(&run, rubbed(), bound, bound, &q, &v)) {
    const double pi = acos(-1.0);
    for (int swing = 1; swing <= 7; swing++) {
      double x, w;
      CHECK_OK(sarrus_sim_advance(run.sim, pi * swing));
      state_of(run.sim, &x, &w);
      const double left = 1 - 2 * bound * swing;
      CHECK_NEAR(x, (swing % 2 ? -1 : 1) * left, 1e-13);
      CHECK_NEAR(w, 0, 1e-12);
    }
    double x, w;
    CHECK_OK(sarrus_sim_advance(run.sim, 100)); /* at 0.02 it is held */
    CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
    state_of(run.sim, &x, &w);
    CHECK_NEAR(x, -0.02, 1e-13);
    CHECK_NEAR(w, 0, 0);
  }
  run_free(&run);
}

/* What sticks begins to slip where the push, 0.5 t, passes friction; then v = t'^2 / 4. */
TEST(sticking_ends_where_the_push_is_too_much) {
  Run run;
  const double q[] = {0, 0}, v[] = {0, 0}, mu = 0.25;
  if (run_from(&run, block(0), mu, 0.5, q, v)) {
    double x[2], w[2];
    const double begins = mu * g0 / 0.5;
    CHECK_OK(sarrus_sim_advance(run.sim, begins * 0.999));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_STICK);
    state_of(run.sim, x, w);
    CHECK_NEAR(w[0], 0, 0);
    CHECK_OK(sarrus_sim_advance(run.sim, begins + 2));
    CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
    state_of(run.sim, x, w);
    CHECK_NEAR(w[0], 1, 1e-11);
    CHECK_NEAR(x[0], 2.0 / 3, 1e-11);
  }
  run_free(&run);
}
