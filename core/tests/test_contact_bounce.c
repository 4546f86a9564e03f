/* Bounces that follow each other faster and faster: what steps between them cost, and lose. */
#include <fenv.h>

#include "contacts.h"
#include "sim_parts.h"

/* What falls onto a floor at q = 0, drawn to it the more the higher it is; e is parameter 0. */
static Parts *drawn(void) {
  Parts *p = ball();
  if (p != NULL) p->force[0] = add(p->g, constant(p->g, -g0), scaled(p->g, -20, sine(p, p->q[0])));
  return p;
}

static bool start(Run *run, double tolerance) {
  const sarrus_SimOptions options = {.tolerance = tolerance};
  const double q = 1, v = 0;
  if (!run_new(run, drawn(), &options)) return false;
  sarrus_sim_preset(run->sim, 0, 0.7);
  sarrus_sim_preset(run->sim, 1, 0);
  return CHECK_OK(sarrus_sim_start(run->sim, 0, &q, &v));
}

/* The speed after the next impact. */
static double next_speed(Run *run) {
  double q, v, size, impulse[3] = {0};
  do {
    if (!CHECK_OK(sarrus_sim_step(run->sim, &size))) return 0;
  } while (!sarrus_sim_struck(run->sim, 0, impulse));
  state_of(run->sim, &q, &v);
  return v;
}

/* Forces that depend on the place alone give back the speed that they took. */
TEST(bounces_lose_what_restitution_takes) {
  for (double tolerance = 1e-14; tolerance < 1e-5; tolerance *= 1e4) {
    Run run;
    REQUIRE(start(&run, tolerance));
    double before = next_speed(&run);
    for (int bounce = 0; bounce < 24; bounce++) {
      const double after = next_speed(&run);
      if (bounce > 5) CHECK_NEAR(after / before, 0.7, 2e-12);
      before = after;
    }
    run_free(&run);
  }
}

/* Until the next impact a few coefficients serve; the usual order is kept for what comes then. */
TEST(series_serve_until_the_next_impact) {
  Run run;
  REQUIRE(start(&run, 1e-12));
  int usual = 0;
  for (int bounce = 0; bounce < 20; bounce++) {
    next_speed(&run);
    CHECK(run.sim->maker.foreseen > 0);
    if (bounce == 1) usual = run.sim->maker.order;
    if (bounce > 8) CHECK(run.sim->maker.span.order <= usual - 4);
    if (bounce > 8) CHECK_INT(run.sim->maker.order, usual);
  }
  CHECK_OK(sarrus_sim_advance(run.sim, 10));
  CHECK_INT(mode_of(run.sim, 0), SARRUS_SLIP);
  CHECK_NEAR(run.sim->maker.foreseen, 0, 0);
  run_free(&run);
}

/* Where rows go on and off, each set of them keeps its order; where none does, there is one. */
TEST(orders_are_kept_while_it_bounces) {
  Run run, free;
  REQUIRE(start(&run, 1e-12));
  REQUIRE(run_oscillator(&free, &tight));
  for (int bounce = 0; bounce < 5; bounce++)
    next_speed(&run);
  CHECK_OK(sarrus_sim_advance(free.sim, 5));
  CHECK(run.sim->forms[WHOLE].expansion->kkt->known_count > 0);
  CHECK_INT(free.sim->forms[WHOLE].expansion->kkt->known_count, 0);
  run_free(&run);
  run_free(&free);
}

/* A change right after an impact that is refused once contacts have been decided about. */
TEST(what_is_foreseen_outlives_what_fails) {
  Run run;
  REQUIRE(start(&run, 1e-12));
  next_speed(&run);
  const double foreseen = run.sim->maker.foreseen;
  sim_remember(run.sim);
  CHECK_OK(sim_reconsider(run.sim));
  CHECK_NEAR(run.sim->maker.foreseen, 0, 0);
  CHECK_STATUS(sim_recall(run.sim, SARRUS_CONTACT), SARRUS_CONTACT);
  CHECK_NEAR(run.sim->maker.foreseen, foreseen, 0);
  run_free(&run);
}

/* What rests, and is struck, has coefficients of 0 behind it: hosts that trap divide none by 0. */
TEST(what_rests_may_be_struck) {
  const sarrus_SimOptions options = {.tolerance = 1e-12};
  const double q = 0, v = 0, down = -3;
  double impulse[3], at, speed;
  Run run;
  REQUIRE(run_new(&run, drawn(), &options));
  sarrus_sim_preset(run.sim, 0, 0.7);
  sarrus_sim_preset(run.sim, 1, 0);
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, &q, &v));
  CHECK_OK(sarrus_sim_advance(run.sim, 1));
  feclearexcept(FE_ALL_EXCEPT);
  CHECK_OK(sarrus_sim_impulse(run.sim, &down));
  CHECK(sarrus_sim_struck(run.sim, 0, impulse));
  state_of(run.sim, &at, &speed);
  CHECK(speed > 0 && run.sim->maker.foreseen > 0);
  CHECK_OK(sarrus_sim_advance(run.sim, 2));
  CHECK_INT(fetestexcept(FE_INVALID | FE_DIVBYZERO), 0);
  run_free(&run);
}

/* Whatever was before, clones make the same steps. */
TEST(clones_bounce_as_well) {
  Run run;
  REQUIRE(start(&run, 1e-8));
  for (int step = 0; step < 40; step++) {
    sarrus_Sim *copy;
    double q[2], v[2], size[2];
    REQUIRE_OK(sarrus_sim_clone(run.sim, &copy));
    CHECK_OK(sarrus_sim_step(run.sim, &size[0]));
    CHECK_OK(sarrus_sim_step(copy, &size[1]));
    state_of(run.sim, &q[0], &v[0]);
    state_of(copy, &q[1], &v[1]);
    CHECK(size[0] == size[1] && q[0] == q[1] && v[0] == v[1]);
    CHECK_INT(copy->maker.span.order, run.sim->maker.span.order);
    sarrus_sim_free(copy);
  }
  run_free(&run);
}

/* --- where the expansion stands already --------------------------------------------------- */

static int stands(const sarrus_Sim *sim) {
  const Maker *maker = &sim->maker;
  return expansion_stands(maker->expansion, maker->to.t, maker->to.q, maker->to.v,
                          maker->parameters);
}

static void stand(sarrus_Sim *sim) {
  CHECK_OK(maker_prepare(&sim->maker, &sim->maker.to));
  CHECK(stands(sim));
}

TEST(an_expansion_stands_until_something_changes) {
  Run run;
  double q[] = {0, 0.5, 0.1}, v[] = {0, 1, 0.2};
  REQUIRE(run_new(&run, rod(0.3, 0.5), &tight));
  REQUIRE_OK(sarrus_sim_start(run.sim, 0, q, v));
  Maker *maker = &run.sim->maker;
  stand(run.sim);
  double *const numbers[] = {&maker->to.q[1], &maker->to.v[0], &maker->to.v[2]};
  for (int i = 0; i < 3; i++) {
    const double keep = *numbers[i];
    *numbers[i] *= 1 + 1e-15;
    *numbers[i] += 1e-15;
    CHECK(!stands(run.sim));
    *numbers[i] = keep;
    CHECK(stands(run.sim));
  }
  CHECK_OK(expansion_extend(maker->expansion, 1, &maker->fault));
  CHECK(!stands(run.sim));
  stand(run.sim);
  work_set_unit(maker->expansion->work, maker->expansion->work->unit); /* forgets the series */
  CHECK(!stands(run.sim));
  stand(run.sim);
  run.sim->contacts[0].now = (ContactMode){.mode = SARRUS_STICK};
  sim_apply_modes(run.sim);
  CHECK(!stands(run.sim));
  CHECK_OK(maker_analyse(maker, &maker->to));
  stand(run.sim);
  CHECK_OK(maker_place(maker, &maker->to));
  CHECK(!stands(run.sim));
  run_free(&run);
}
