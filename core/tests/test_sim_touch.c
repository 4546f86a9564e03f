/*
** What touches, and what only seems to: gaps and speeds next to zero where a simulation starts or
** something has moved; modes that are told, recalled and let go; the shares of friction.
*/
#include <float.h>

#include "contacts.h"
#include "sim_parts.h"

/* Two balls, each above a floor of its own. */
static Parts *two_balls(double restitution) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  for (int i = 0; i < 2; i++) {
    p->force[i] = constant(p->g, -1);
    p->contact[i].gap = p->q[i];
    p->contact[i].restitution = constant(p->g, restitution);
  }
  p->spec.contacts = 2;
  return p;
}

/* --- where it starts ----------------------------------------------------------------------- */

/*
** A gap up to 1e-9, or twice the tolerance, touches; what goes down there is thrown back, what goes
** up is left alone.  One that is farther below 0 cannot be.
*/
TEST(gaps_at_the_start) {
  static const double tolerance[] = {1e-12, 1e-8}, gap[] = {0.99, 1.01, -0.99, -1.01, 0};
  for (int ball = 0; ball < 2; ball++)
    for (int i = 0; i < 5; i++)
      for (int k = 0; k < 2; k++) {
        const sarrus_SimOptions options = {.tolerance = tolerance[k]};
        const double near = fmax(1e-9, 2 * tolerance[k]);
        double q[] = {5, 5}, v[] = {0, 0}, speed[2];
        Run run;
        REQUIRE(run_new(&run, two_balls(0.5), &options));
        CHECK_OK(sarrus_sim_scale(run.sim, ball, 5)); /* as the other, and as the whole */
        q[ball] = gap[i] * near * 5;
        v[ball] = -1;
        const sarrus_Status status = sarrus_sim_start(run.sim, 0, q, v);
        CHECK_STATUS(status, i == 3 ? SARRUS_CONTACT : SARRUS_OK);
        if (status < 0) {
          CHECK_INT(sarrus_sim_fault(run.sim)->contact, ball);
          CHECK_CLOSE(sarrus_sim_fault(run.sim)->size, 1.01 * near * 5, 1e-12);
        } else {
          CHECK_OK(sarrus_sim_state(run.sim, NULL, speed, NULL, NULL));
          CHECK_NEAR(speed[ball], i == 1 ? -1 : 0.5, 1e-15); /* bounces count from 0 on */
          CHECK_NEAR(speed[!ball], 0, 0);
          CHECK_INT(run.sim->contacts[ball].told, run.sim->contacts[ball].now.mode);
        }
        run_free(&run);
      }
}

/* At rest it stays, at the least speed upwards it leaves, and is not told to have touched. */
TEST(what_leaves_does_not_touch) {
  static const double speeds[] = {1e-6, 1, 0};
  for (int ball = 0; ball < 2; ball++)
    for (int i = 0; i < 3; i++) {
      double q[] = {5, 5}, v[] = {0, 0};
      Run run;
      REQUIRE(run_new(&run, two_balls(0.5), &tight));
      q[ball] = 0;
      v[ball] = speeds[i];
      REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
      CHECK_INT(mode_of(run.sim, ball) == SARRUS_OPEN, i < 2);
      CHECK_INT(mode_of(run.sim, !ball), SARRUS_OPEN);
      CHECK_INT(run.sim->contacts[ball].now.idle, 0);
      CHECK_INT(run.sim->far, 0);
      run_free(&run);
    }
}

/* Far above, nothing is near from the start on. */
TEST(what_is_far_at_the_start) {
  const double q[] = {5, 5}, v[] = {0, 0};
  Run run;
  REQUIRE(run_new(&run, two_balls(0.5), &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  CHECK_INT(run.sim->far, 1);
  run_free(&run);
}

/* Friction alone always acts: at rest it sticks, else it slips, and events know that. */
TEST(friction_alone_at_the_start) {
  for (int i = 0; i < 2; i++) {
    const double q = 0, v = i;
    Run run;
    if (run_from(&run, rubbed(), 0.5, 0.5, &q, &v)) {
      CHECK_INT(mode_of(run.sim, 0), i ? SARRUS_SLIP : SARRUS_STICK);
      CHECK_INT(run.sim->contacts[0].told, mode_of(run.sim, 0));
    }
    run_free(&run);
  }
}

/* --- what has moved ------------------------------------------------------------------------ */

/*
** Whether what touches has moved since it was remembered: by 1e-9 of sizes, or twice the tolerance,
** or by as much in the unit of time; or it cannot stay where it is.
*/
static void check_moves(sarrus_Sim *sim, int ball) {
  static const double tolerance[] = {1e-12, 1e-8};
  REQUIRE(mode_of(sim, ball) != SARRUS_OPEN);
  Maker *maker = &sim->maker;
  const double unit = maker->expansion->work->unit;
  sim_remember(sim);
  for (int closed = 0; closed <= 1; closed++) {
    if (!closed) sim->contacts[ball].now.mode = SARRUS_OPEN;
    CHECK_INT(sim_has_moved(sim, SARRUS_OK), 0);
    CHECK_INT(sim_has_moved(sim, SARRUS_STOPPED), 0);
    CHECK_INT(sim_has_moved(sim, SARRUS_INCONSISTENT), closed);
    for (int k = 0; k < 2; k++)
      for (int j = 0; j < 2; j++)
        for (int more = 0; more < 2; more++) {
          const double part = fmax(1e-9, 2 * tolerance[k]) * (more ? 1.01 : 0.99);
          maker->options.tolerance = tolerance[k];
          maker->scale[j] = 8;
          maker->to.q[j] = maker->last.q[j] - 8 * part;
          CHECK_INT(sim_has_moved(sim, SARRUS_OK), closed && more);
          maker->to.q[j] = maker->last.q[j];
          maker->to.v[j] = maker->last.v[j] + 8 * part / unit;
          CHECK_INT(sim_has_moved(sim, SARRUS_OK), closed && more);
          maker->to.v[j] = maker->last.v[j];
        }
    sim->contacts[ball].now.mode = SARRUS_SLIP;
  }
}

TEST(what_has_moved) {
  const double v[] = {0, 0};
  for (int ball = 0; ball < 2; ball++) {
    const double q[] = {ball ? 5 : 0, ball ? 0 : 5};
    Run run;
    REQUIRE(run_new(&run, two_balls(0), &tight));
    if (CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) check_moves(run.sim, ball);
    run_free(&run);
  }
}

/* Friction alone cannot be moved away from. */
TEST(what_has_no_gap_does_not_move) {
  const double q = 0, v = 1;
  Run run;
  if (run_from(&run, rubbed(), 0.5, 0.5, &q, &v)) {
    sim_remember(run.sim);
    run.sim->maker.to.q[0] += 1;
    CHECK_INT(sim_has_moved(run.sim, SARRUS_OK), 0);
    CHECK_INT(sim_has_moved(run.sim, SARRUS_INCONSISTENT), 0);
  }
  run_free(&run);
}

/* --- modes --------------------------------------------------------------------------------- */

/* A ball beside friction alone, both of which touch. */
static bool begin_both(Run *run) {
  const double q[] = {0, 0}, v[] = {0, 1};
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return CHECK(false);
  p->force[0] = constant(p->g, -1);
  p->contact[0].gap = p->q[0];
  p->contact[1].slip[0] = p->v[1];
  p->contact[1].friction = constant(p->g, 1);
  p->spec.contacts = 2;
  return run_new(run, p, &tight) && CHECK_OK(sarrus_sim_start(run->sim, 0, q, v));
}

/* Rows are on where a gap is closed, and where something sticks that others do not hold. */
TEST(rows_of_modes) {
  Run run;
  if (begin_both(&run)) {
    sarrus_Sim *sim = run.sim;
    const int gap = sim->system->contacts[0].gap, slip = sim->system->contacts[1].slip;
    for (int one = SARRUS_OPEN; one <= SARRUS_STICK; one++)
      for (int two = SARRUS_SLIP; two <= SARRUS_STICK; two++)
        for (int how = 0; how < 4; how++) { /* as it is, tied, held, released */
          ContactState *ball = &sim->contacts[0], *rub = &sim->contacts[1];
          ball->now = (ContactMode){.mode = (sarrus_ContactMode)one};
          rub->now = (ContactMode){.mode = (sarrus_ContactMode)two, .direction = {1, 0}};
          rub->now.tied = how == 1;
          rub->held = how == 2;
          ball->released = rub->released = how == 3;
          sim_remember(sim);
          sim_apply_modes(sim);
          CHECK_INT(sim->maker.last.modes_kept, 0); /* what is kept is no longer what is */
          CHECK_INT(sim->off[gap], one == SARRUS_OPEN || how == 3);
          CHECK_INT(sim->off[slip], how == 3 || (how != 2 && (two == SARRUS_SLIP || how == 1)));
        }
  }
  run_free(&run);
}

/* The modes of the span come back, with their rows and loads. */
TEST(modes_of_the_span_come_back) {
  Run run;
  if (begin_both(&run)) {
    sarrus_Sim *sim = run.sim;
    for (int i = 0; i < 2; i++) {
      sim->contacts[i].span = (ContactMode){.mode = SARRUS_STICK, .direction = {0, i}};
      sim->contacts[i].now = (ContactMode){.mode = i ? SARRUS_SLIP : SARRUS_OPEN};
      sim->contacts[i].load.span = i;
      sim->contacts[i].load.on = !i;
    }
    sim_apply_modes(sim);
    sim_recall_modes(sim);
    for (int i = 0; i < 2; i++) {
      CHECK_INT(sim->contacts[i].now.mode, SARRUS_STICK);
      CHECK_NEAR(sim->contacts[i].now.direction[1], i, 0);
      CHECK_INT(sim->contacts[i].load.on, i);
    }
    CHECK_INT(sim->off[sim->system->contacts[0].gap], 0);
    CHECK_INT(sim->off[sim->system->contacts[1].slip], 0);
  }
  run_free(&run);
}

/* So does that of one alone. */
TEST(the_mode_of_one_comes_back) {
  const double q = 0, v = 1;
  Run run;
  if (run_from(&run, rubbed(), 0.5, 0.5, &q, &v)) {
    run.sim->contacts[0].span.mode = SARRUS_STICK;
    sim_recall_modes(run.sim);
    CHECK_INT(run.sim->contacts[0].now.mode, SARRUS_STICK);
    CHECK_INT(run.sim->off[run.sim->system->contacts[0].slip], 0);
  }
  run_free(&run);
}

/* What touches is let go, to be found again; friction alone is not found by touching. */
TEST(what_is_let_go) {
  for (int closed = 0; closed <= 1; closed++) {
    Run run;
    if (begin_both(&run)) {
      sarrus_Sim *sim = run.sim;
      if (!closed) sim->contacts[0].now.mode = SARRUS_OPEN;
      sim_clear_endings(sim);
      CHECK_OK(sim_let_go(sim));
      CHECK_INT(sim->endings[0], closed ? ENDS_TOUCH : ENDS_NOT);
      CHECK_INT(sim->endings[1], ENDS_NOT);
      for (int i = 0; i < 2; i++)
        CHECK_INT(sim->contacts[i].now.mode, SARRUS_OPEN);
      CHECK_INT(sim->off[sim->system->contacts[0].gap], 1);
      CHECK_INT(sim->off[sim->system->contacts[1].slip], 1);
    }
    run_free(&run);
  }
}

/*
** Friction is shared by slip rows as their contacts say; joints and locks count 2^20 times the
** largest of these; gaps are what they are.
*/
TEST(shares_of_friction) {
  const double q[] = {0, 0, 0}, v[] = {0, 0, 0};
  Run run;
  Parts *p = parts_new(sarrus_memory_default(), 3);
  REQUIRE(p != NULL);
  p->constraint[0] = p->q[2];
  p->spec.constraints = 1;
  for (int i = 0; i < 2; i++) {
    p->force[i] = constant(p->g, -1);
    p->contact[i].gap = p->q[i];
    p->contact[i].slip[0] = p->v[!i];
    p->contact[i].slip[1] = p->v[2];
    p->contact[i].friction = constant(p->g, 1);
  }
  p->spec.contacts = 2;
  p->spec.lock = &p->v[2];
  p->spec.locks = 1;
  if (run_new(&run, p, &tight) && CHECK_OK(sarrus_sim_start(run.sim, 0, q, v))) {
    sarrus_Sim *sim = run.sim;
    const double *share = sim->maker.expansion->kkt->share;
    for (int first = 0; first < 2; first++) {
      sim->contacts[first].now.share = 3;
      sim->contacts[!first].now.share = 0.5;
      sim_write_modes(sim);
      CHECK_NEAR(share[0], 3 * 1048576.0, 0);
      for (int i = 0; i < 2; i++) {
        CHECK_NEAR(share[sim->system->contacts[i].gap], 0, 0);
        for (int k = 0; k < 2; k++)
          CHECK_NEAR(share[sim->system->contacts[i].slip + k], i == first ? 3 : 0.5, 0);
      }
    }
    REQUIRE_OK(sarrus_sim_lock(sim, 0, 1));
    sim->contacts[0].now.share = 3;
    sim_write_modes(sim);
    share = sim->maker.expansion->kkt->share;
    CHECK_NEAR(share[0], 3 * 1048576.0, 0);
    CHECK_NEAR(share[sim->system->m], 3 * 1048576.0, 0);
    CHECK_NEAR(share[sim->system->contacts[0].gap], 0, 0);
    sim->contacts[0].now.share = sim->contacts[1].now.share = 0;
    sim_write_modes(sim);
    for (int row = 0; row < sim->maker.m; row++)
      CHECK_NEAR(share[row], 0, 0);
  }
  run_free(&run);
}

/* In space an impulse has three parts; there is none where nothing has struck. */
TEST(impulses_in_space) {
  const double q[] = {0, 0, 1}, v[] = {3, 4, 0}, down = sqrt(2 * g0), mu = 0.1;
  double impulse[] = {7, 7, 7, 7};
  Run run;
  if (run_from(&run, puck(mu), 0, 0, q, v)) {
    CHECK_INT(sarrus_sim_struck(run.sim, 0, impulse), 0);
    for (int k = 0; k < 3; k++)
      CHECK_NEAR(impulse[k], 0, 0);
    double size;
    for (int i = 0; i < 100 && sarrus_sim_struck(run.sim, 0, impulse) == 0; i++)
      REQUIRE(sarrus_sim_step(run.sim, &size) >= 0);
    CHECK_NEAR(impulse[0], down, 1e-12);
    CHECK_NEAR(impulse[1], -mu * down * 0.6, 1e-12);
    CHECK_NEAR(impulse[2], -mu * down * 0.8, 1e-12);
    CHECK_NEAR(impulse[3], 7, 0); /* and no more than three */
    impulse[0] = 7;
    CHECK_INT(sarrus_sim_struck(run.sim, 1, impulse), 0);
    CHECK_INT(sarrus_sim_struck(run.sim, -1, impulse), 0);
    CHECK_NEAR(impulse[0], 7, 0);
  }
  run_free(&run);
}
