/*
** Functions that change their branch: at once, together, one after the other; arguments that vary
** faster than the motion, that end, or that have branches of their own.
*/
#include "contacts.h"
#include "sim_parts.h"

/* Start at time 0, and make series. */
static bool begin(Run *run, Parts *p) {
  const double q[] = {0, 0}, v[] = {1, 0};
  double h;
  return CHECK(p != NULL) && run_new(run, p, &tight) &&
         CHECK_OK(sarrus_sim_start(run->sim, 0, q, v)) && CHECK_OK(maker_begin(&run->sim->maker)) &&
         CHECK_OK(maker_expand_series(&run->sim->maker, &h));
}

/* A force that hardly acts on coordinate 0. */
static void push(Parts *p, double size, sarrus_Expr force) {
  p->force[0] = add(p->g, p->force[0], scaled(p->g, 1e-30 * size, force));
}

static sarrus_Expr line(Parts *p, double at, double slope) {
  return add(p->g, constant(p->g, at), scaled(p->g, slope, p->t));
}

static int *branches(const sarrus_Sim *sim) { return sim->maker.expansion->work->branch; }

/* --- those that end at once ---------------------------------------------------------------- */

/* Of two arguments that both leave their branch the first turns, then the other. */
TEST(functions_of_two_arguments_turn_one_by_one) {
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  push(p, 1, unary(p->g, SARRUS_OP_ABS, p->t));
  push(p, 2, unary(p->g, SARRUS_OP_ABS, scaled(p->g, -2, p->t)));
  push(p, 3, unary(p->g, SARRUS_OP_ABS, sine(p, p->t)));
  if (begin(&run, p)) {
    sarrus_Sim *sim = run.sim;
    const int count = sim->maker.system->arguments.switches;
    int turns = 0;
    for (int i = 0; i < count; i++)
      branches(sim)[i] = sim->maker.system->arguments.output[i] == 1 ? 1 : -1;
    while (turns < 8 && sim_find_ended(sim, 0.125)) {
      int together = 0, first = sim_first_turned(sim);
      CHECK_NEAR(sim->first_of, 0, 0); /* the span is to be searched anew */
      for (int i = 0; i < count; i++) {
        if (sim->endings[i] == ENDS_NOT) continue;
        CHECK_INT(sim->maker.system->arguments.output[i],
                  sim->maker.system->arguments.output[first]);
        CHECK_INT(sim->endings[i], TURNS - branches(sim)[i]);
        together++;
      }
      CHECK(together >= 1);
      sim_turn_switches(sim);
      turns++;
    }
    CHECK(turns >= 1 && turns <= count);
    CHECK_NEAR(sim->first_of, 0.125, 0);
  }
  run_free(&run);
}

/* Functions of one argument turn together; a contact that has ended waits for them. */
TEST(functions_turn_before_contacts) {
  for (int near = 0; near <= 1; near++) {
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 2);
    REQUIRE(p != NULL);
    push(p, 1, unary(p->g, SARRUS_OP_ABS, p->t));
    push(p, 1, sarrus_graph_apply(p->g, SARRUS_OP_SELECT, p->t, p->q[0], p->q[1]));
    for (int i = 0; i < 2; i++) {
      p->contact[i].slip[0] = p->v[i];
      p->contact[i].friction = constant(p->g, 1);
    }
    p->spec.contacts = 2;
    if (begin(&run, p)) {
      sarrus_Sim *sim = run.sim;
      const int switches = sim->maker.system->arguments.switches;
      REQUIRE(switches >= 2);
      for (int i = 0; i < 2; i++) {
        sim->contacts[i].now = (ContactMode){.mode = SARRUS_SLIP, .direction = {1, 0}};
        sim->maker.to.v[i] = 0; /* both have stopped */
      }
      double h;
      sim_apply_modes(sim);
      REQUIRE_OK(maker_prepare(&sim->maker, &sim->maker.to));
      REQUIRE_OK(maker_begin(&sim->maker));
      for (int i = 0; i < switches; i++)
        branches(sim)[i] = near ? -1 : 1;
      REQUIRE_OK(maker_expand_series(&sim->maker, &h));
      CHECK_INT(sim_find_ended(sim, 0.125), 1);
      for (int i = 0; i < switches; i++)
        CHECK_INT(sim->endings[i], near ? TURNS + 1 : ENDS_NOT);
      for (int i = 0; i < 2; i++)
        CHECK_INT(sim->endings[switches + i], near ? ENDS_NOT : ENDS_STOP);
      CHECK_INT(sim_contact_ended(sim), !near);
    }
    run_free(&run);
  }
}

/* A table on a knot, or beyond it, by the piece that it leaves. */
TEST(tables_that_begin_beyond_their_piece) {
  static const double knots[] = {-1, 0, 2}, data[] = {0, 1, 3}, beyond[] = {0, 1e-3, 0.25};
  for (int side = -1; side <= 1; side += 2)
    for (int i = 0; i < 3; i++)
      for (int knot = 0; knot < 3; knot++) {
        Run run;
        Parts *p = parts_new(sarrus_memory_default(), 1);
        REQUIRE(p != NULL);
        const int table = sarrus_graph_new_table(p->g, 3, knots, data);
        push(p, 1,
             sarrus_graph_table(p->g, table, 0, line(p, knots[knot] + side * beyond[i], side)));
        if (begin(&run, p)) {
          const int left = side > 0 ? knot : knot + 1; /* the piece that it has left */
          for (int turned = 0; turned <= 1; turned++) {
            for (int k = 0; k < run.sim->maker.system->arguments.switches; k++)
              branches(run.sim)[k] = left + turned * side;
            CHECK_INT(sim_find_ended(run.sim, 1e-3), !turned);
            CHECK_INT(run.sim->endings[0], turned ? ENDS_NOT : TURNS + left + side);
          }
        }
        run_free(&run);
      }
}

/* The cut of an angle counts where x < 0: there and then, not elsewhere on the way. */
TEST(angles_that_begin_on_their_cut) {
  static const double x0[] = {-0.25, 0.25, -0.25, 0.25, 0.5}, slope[] = {1, -1, 0, 0, 0};
  for (int i = 0; i < 5; i++) {
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    push(p, 1, binary(p->g, SARRUS_OP_ATAN2, line(p, 0, -1), line(p, x0[i], slope[i])));
    if (begin(&run, p)) {
      branches(run.sim)[0] = 1;
      CHECK_INT(sim_find_ended(run.sim, 0.5), x0[i] < 0);
      CHECK_INT(run.sim->endings[0], x0[i] < 0 ? TURNS - 1 : ENDS_NOT);
    }
    run_free(&run);
  }
}

/* --- those that end on the way ------------------------------------------------------------- */

/* y = 1/2 - t passes the cut at t = 1/2, if x = x0 + slope t is below 0 there, however little. */
TEST(angles_that_pass_their_cut) {
  static const double x0[] = {-0.75, -0.4, -0.6, 0.5 - 1e-12, 0.5 + 1e-12},
                      slope[] = {1, 1, 1, -1, -1};
  static const int ends[] = {1, 0, 1, 1, 0};
  for (int i = 0; i < 5; i++) {
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    push(p, 1, binary(p->g, SARRUS_OP_ATAN2, line(p, 0.5, -1), line(p, x0[i], slope[i])));
    if (begin(&run, p)) {
      CHECK_INT(sim_find_ended(run.sim, 1), 0);
      const Ending ending = sim_first_ending(run.sim, 1);
      CHECK_INT(ending.ends, ends[i]);
      CHECK_NEAR(ending.h, ends[i] ? 0.5 : 1, 1e-14);
      CHECK_NEAR(run.sim->first_of, 0, 0);
    }
    run_free(&run);
  }
}

/* y = sin 20 t is at the cut again and again; x = 1 - 1.2 t lets the seventh zero be the first. */
TEST(angles_that_pass_beside_their_cut) {
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  push(p, 1, binary(p->g, SARRUS_OP_ATAN2, sine(p, line(p, 0.01, 20)), line(p, 1.01, -1)));
  if (begin(&run, p)) {
    CHECK_INT(sim_find_ended(run.sim, 1.5), 0);
    const Ending ending = sim_first_ending(run.sim, 1.5);
    CHECK_INT(ending.ends, 1);
    CHECK_NEAR(ending.h, (7 * acos(-1.0) - 0.01) / 20, 1e-12);
  }
  run_free(&run);
}

/* 1 - t + 0.01 sin 60 t, of which one series serves a part of the step only. */
TEST(arguments_that_vary_faster_than_the_motion) {
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  const sarrus_Expr wave = scaled(p->g, 0.01, sine(p, scaled(p->g, 60, p->t)));
  push(p, 1, unary(p->g, SARRUS_OP_ABS, add(p->g, line(p, 1, -1), wave)));
  if (begin(&run, p)) {
    double low = 0.9, high = 1.1; /* it falls from 0.1 - 0.01 at least to less than 0 */
    for (double t = low; t < high; t += 1e-4)
      if (1 - t + 0.01 * sin(60 * t) < 0) high = t;
    low = high - 1e-4;
    for (int i = 0; i < 60; i++) {
      const double t = (low + high) / 2;
      *(1 - t + 0.01 * sin(60 * t) > 0 ? &low : &high) = t;
    }
    for (double h = 1.25; h <= 5; h *= 2) {
      CHECK_INT(sim_find_ended(run.sim, h), 0);
      const Ending ending = sim_first_ending(run.sim, h);
      CHECK_INT(ending.ends, 1);
      CHECK_NEAR(ending.h, high, 1e-13);
    }
  }
  run_free(&run);
}

/* 2 + (1/4 - t)^1/2 has no value beyond 1/4: as far as that it does not end. */
TEST(arguments_that_end) {
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  const sarrus_Expr root = unary(p->g, SARRUS_OP_SQRT, line(p, 0.25, -1));
  push(p, 1, unary(p->g, SARRUS_OP_ABS, add(p->g, constant(p->g, 2), root)));
  if (begin(&run, p)) {
    CHECK_INT(sim_find_ended(run.sim, 0.125), 0);
    CHECK_NEAR(sim_first_ending(run.sim, 0.125).h, 0.125, 0);
    CHECK_INT(sim_find_ended(run.sim, 1), 0);
    const Ending ending = sim_first_ending(run.sim, 1);
    CHECK_INT(ending.ends, 0);
    CHECK_NEAR(ending.h, 0.25, 1e-9);
  }
  run_free(&run);
}

/* ||t - 1/2| - 1/4|: within an argument the branch is that of the equations, wherever that is. */
TEST(arguments_with_branches_of_their_own) {
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  const sarrus_Expr inner = unary(p->g, SARRUS_OP_ABS, line(p, -0.5, 1));
  push(p, 1, unary(p->g, SARRUS_OP_ABS, sub(p->g, inner, constant(p->g, 0.25))));
  push(p, 2, inner);
  if (begin(&run, p)) {
    sarrus_Sim *sim = run.sim;
    const Arguments *arguments = &sim->maker.system->arguments;
    REQUIRE(arguments->own > 0);
    for (int side = -1; side <= 1; side += 2) {
      for (int i = 0; i < arguments->own; i++)
        if (arguments->twin[i] != SARRUS_NONE) branches(sim)[arguments->twin[i]] = side;
      sim_find_ended(sim, 0.125);
      for (int i = 0; i < arguments->own; i++) {
        const int twin = arguments->twin[i];
        CHECK_INT(sim->arguments->work->forced[i], twin != SARRUS_NONE);
        if (twin != SARRUS_NONE) CHECK_INT(sim->arguments->work->branch[i], side);
      }
    }
    branches(sim)[arguments->twin[0]] = -1;
    CHECK_INT(sim_find_ended(sim, 1), 0);
    CHECK_NEAR(sim_first_ending(sim, 1).h, 0.25, 1e-15); /* 1/2 - t - 1/4 */
  }
  run_free(&run);
}

/* A contact that ends turns no function, whatever stands behind the last of them. */
TEST(contacts_turn_no_function) {
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  push(p, 1, unary(p->g, SARRUS_OP_ABS, line(p, 0.75, -1)));
  p->force[1] = constant(p->g, -1);
  p->contact[0].gap = add(p->g, p->q[1], constant(p->g, 0.125));
  p->spec.contacts = 1;
  if (begin(&run, p)) {
    sarrus_Sim *sim = run.sim;
    sim->far = 0;
    CHECK_INT(sim_find_ended(sim, 1), 0);
    CHECK_NEAR(sim_first_ending(sim, 1).h, 0.5, 1e-15);
    CHECK_INT(sim_first_contact(sim), 0);
    CHECK_INT(sim_first_turned(sim), SARRUS_NONE);
    sim_turn_switches(sim);
    CHECK_INT(branches(sim)[0], 1);
    CHECK_INT(sim->maker.expansion->work->forced[0], 0);
    sim->far = 1; /* functions have guards wherever contacts are */
    CHECK_INT(sim_find_ended(sim, 1), 0);
    CHECK_NEAR(sim_first_ending(sim, 1).h, 0.75, 1e-15);
    CHECK_INT(sim_first_turned(sim), 0);
    CHECK_INT(sim_first_contact(sim), SARRUS_NONE);
  }
  run_free(&run);
}
