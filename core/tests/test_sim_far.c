/*
** What is far away: how contacts are shown not to close on a step, which ranges are kept for later
** steps, and what the lean form takes over from the whole one.
*/
#include "contacts.h"
#include "sim_parts.h"

/* --- ranges -------------------------------------------------------------------------------- */

/* A ball whose series is ready to be written over. */
static bool begin(Run *run) {
  const double q = 1, v = 0;
  double h;
  return run_from(run, ball(), 0.5, 0, &q, &v) && CHECK(run->system->bounds != NULL) &&
         CHECK_OK(maker_begin(&run->sim->maker)) &&
         CHECK_OK(maker_expand_series(&run->sim->maker, &h));
}

/* Whether it stays above the floor on a step from q on, in which it may go as far as `reach`. */
static int is_far(sarrus_Sim *sim, double q, double reach) {
  Span *span = &sim->maker.span;
  span->from.q[0] = q;
  for (int k = 0; k <= span->order + 1; k++)
    span->c[(ptrdiff_t)k * span->variables] = k == 0 ? q : k == 1 ? -reach / 2 : 0;
  span->c[(ptrdiff_t)(span->order + 1) * span->variables] = reach / 2; /* up to the last term */
  return sim_all_are_far(sim, span->unit);
}

static void forget(sarrus_Sim *sim) { sim->clear.known = 0, sim->clear.wide = 0; }

/* What is known now: no contact can be on this range of the height. */
static void check_known(const sarrus_Sim *sim, int known, double low, double high, double wide) {
  CHECK_INT(sim->clear.known, known);
  CHECK_NEAR(sim->clear.within[0].low, low, 1e-15);
  CHECK_NEAR(sim->clear.within[0].high, high, 1e-15);
  CHECK_NEAR(sim->clear.wide, wide, 0);
}

/* A gap is far where its lower bound is above 1e-6 of its upper bound. */
TEST(gaps_that_are_far) {
  Run run;
  if (begin(&run)) {
    for (double size = 1e-3; size < 1e4; size *= 100) {
      static const double part[] = {0.99e-6, 1.01e-6, 0, -0.5, 0.5};
      static const int far[] = {0, 1, 0, 0, 1};
      for (int i = 0; i < 5; i++) { /* low = part high, their mean is `size` */
        const double high = 2 * size / (1 + part[i]);
        forget(run.sim);
        CHECK_INT(is_far(run.sim, size, high - size), far[i]);
      }
    }
  }
  run_free(&run);
}

/* Ranges for later steps must be above twice that. */
TEST(ranges_that_are_clear) {
  Run run;
  if (begin(&run))
    for (int i = 0; i < 2; i++) {
      const double part = i == 0 ? 1.9e-6 : 2.1e-6, reach = (1 - part) / (1 + part) / 2;
      forget(run.sim);
      CHECK_INT(is_far(run.sim, 1, reach), 1);
      check_known(run.sim, i, 1 - 2 * reach, 1 + 2 * reach, i ? 2 : 0.5);
    }
  run_free(&run);
}

/* The ranges tried are wider by as much again, twice as much each time they are clear, to 64. */
TEST(ranges_grow_where_nothing_is_near) {
  Run run;
  if (begin(&run)) {
    sarrus_Sim *sim = run.sim;
    double wide = 1, low = 1, high = 1;
    for (int i = 0; i < 9; i++) {
      const double q = 1 + i, reach = 0.5 / 1024;
      CHECK_INT(is_far(sim, q, reach), 1);
      low = fmin(low, q - reach - wide * reach);
      high = q + reach + wide * reach;
      wide = fmin(2 * wide, 64);
      check_known(sim, 1, low, high, wide);
      CHECK_INT(is_far(sim, q, reach), 1); /* nothing has to be found again */
      CHECK_INT(is_far(sim, q - 0.25 * i, reach / 2), 1);
      check_known(sim, 1, low, high, wide);
    }
    CHECK_INT(is_far(sim, 5, 4.25), 1); /* within in the middle, but not at its ends */
  }
  run_free(&run);
}

/* Where they are not clear, they are tried half as wide next, to a quarter; the step is far. */
TEST(ranges_shrink_where_something_is_near) {
  Run run;
  if (begin(&run)) {
    sarrus_Sim *sim = run.sim;
    CHECK_INT(is_far(sim, 1, 0.125), 1);
    check_known(sim, 1, 0.75, 1.25, 2);
    CHECK_INT(is_far(sim, 0.5, 0.125), 1);
    check_known(sim, 1, 0.125, 1.25, 4);
    /* those known before with 0.25 - 0.1875 (1 + 4), then alone, half as wide: neither is clear */
    CHECK_INT(is_far(sim, 0.25, 0.1875), 1);
    check_known(sim, 0, 0.25 - 0.1875 * 3, 0.25 + 0.1875 * 3, 1);
    static const double wides[] = {1, 0.5, 0.25, 0.25};
    for (int i = 0; i < 4; i++) { /* from now on alone */
      CHECK_INT(is_far(sim, 0.25, 0.1875), 1);
      const double reach = 0.1875 * (1 + wides[i]);
      const int clear = reach < 0.25;
      check_known(sim, clear, 0.25 - reach, 0.25 + reach, clear ? 0.5 : fmax(wides[i] / 2, 0.25));
      if (clear) break;
    }
    CHECK_INT(is_far(sim, 0.25, 0.375), 0);
  }
  run_free(&run);
}

/* The same with the time in a gap, forwards and backwards. */
TEST(gaps_that_close_with_time) {
  for (int direction = -1; direction <= 1; direction += 2) {
    const double q = 1, v = 0;
    double h;
    Run run;
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    p->contact[0].gap = add(p->g, p->q[0], scaled(p->g, -direction, p->t));
    p->spec.contacts = 1;
    if (run_new(&run, p, &tight) && CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v))) {
      sarrus_Sim *sim = run.sim;
      REQUIRE_OK(maker_begin(&sim->maker));
      REQUIRE_OK(maker_expand_series(&sim->maker, &h));
      CHECK_INT(sim_all_are_far(sim, direction * 0.75), 1);
      forget(sim);
      CHECK_INT(sim_all_are_far(sim, direction * 1.25), 0);
      CHECK_INT(sim_all_are_far(sim, direction * -8), 1);
      forget(sim);
      CHECK_INT(sim_all_are_apart(sim), 1); /* now, whatever comes */
    }
    run_free(&run);
  }
}

/* What is closed, or merely touches, is not far; what takes no part is. */
TEST(modes_of_what_is_far) {
  Run run;
  if (begin(&run)) {
    sarrus_Sim *sim = run.sim;
    ContactState *state = &sim->contacts[0];
    CHECK_INT(is_far(sim, 1, 0.5), 1);
    state->now.idle = 1;
    CHECK_INT(is_far(sim, 1, 0.5), 0);
    CHECK_INT(sim_all_are_apart(sim), 0);
    state->now = (ContactMode){.mode = SARRUS_SLIP};
    CHECK_INT(is_far(sim, 1, 0.5), 0);
    CHECK_INT(sim_all_are_apart(sim), 0);
    state->released = 1;
    forget(sim);
    CHECK_INT(is_far(sim, 1, 0.5), 1);
    forget(sim);
    CHECK_INT(is_far(sim, -1, 0.5), 1);
  }
  run_free(&run);
}

/* Where it stands nothing moves, whatever has been in the way of it before. */
TEST(what_is_apart) {
  static const double places[] = {1, 1e-6, 0, -1};
  Run run;
  if (begin(&run))
    for (int i = 0; i < 4; i++) {
      forget(run.sim);
      run.sim->maker.to.q[0] = places[i];
      run.sim->sight.v[0] = 100;
      CHECK_INT(sim_all_are_apart(run.sim), places[i] > 0);
    }
  run_free(&run);
}

/* --- the two forms ------------------------------------------------------------------------- */

/* A ball under |t - 1/2|, on a rail: constraint 0 holds y. */
static bool begin_forms(Run *run) {
  const double q[] = {1, 0}, v[] = {0, 0};
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return CHECK(false);
  for (int i = 0; i < 2; i++) {
    const sarrus_Expr u = sub(p->g, p->t, constant(p->g, 0.5 + i));
    p->force[i] = scaled(p->g, 1e-3, unary(p->g, SARRUS_OP_ABS, u));
  }
  p->constraint[0] = p->q[1];
  p->spec.constraints = 1;
  p->contact[0].gap = p->q[0];
  p->contact[0].slip[0] = p->v[1];
  p->contact[0].friction = constant(p->g, 0.5);
  p->spec.contacts = 1;
  return run_new(run, p, &tight) && CHECK_OK(sarrus_sim_start(run->sim, 0, q, v)) &&
         CHECK(run->system->lean != NULL);
}

/* Functions keep their branches, and whether these are kept to; guesses go as far as they fit. */
TEST(what_forms_take_over) {
  for (int forced = 0; forced < 4; forced++) {
    Run run;
    if (begin_forms(&run)) {
      sarrus_Sim *sim = run.sim;
      sarrus_Expansion *whole = sim->forms[WHOLE].expansion, *lean = sim->forms[LEAN].expansion;
      const int n = run.system->n, m = run.system->m, less = run.system->lean->m;
      CHECK_INT(sim->form, WHOLE);
      REQUIRE(less < m && run.system->tape->switch_count == 2);
      for (int i = 0; i < 2; i++) {
        whole->work->branch[i] = forced >> i & 1 ? 1 : -1;
        whole->work->forced[i] = forced >> i & 1;
      }
      for (int j = 0; j < n + m; j++)
        whole->guess[j] = 1 + j;
      for (int j = 0; j < n + less; j++)
        lean->guess[j] = -7;
      sim->maker.best_margin = 5;
      sim->asleep = 1;
      sim_use_form(sim, LEAN);
      CHECK_INT(sim->form, LEAN);
      CHECK_INT(sim->asleep, 0);
      CHECK_INT(sim->maker.m, less);
      CHECK_INT(sim->maker.variables, n + less);
      CHECK_NEAR(sim->maker.best_margin, 0, 0);
      for (int i = 0; i < 2; i++) {
        const int twin =
            system_find_switch(run.system->lean->tape,
                               run.system->tape->values[run.system->tape->switches[i].value].node);
        REQUIRE(twin >= 0);
        CHECK_INT(lean->work->forced[twin], forced >> i & 1);
        CHECK_INT(lean->work->branch[twin], forced >> i & 1 ? 1 : -1);
      }
      for (int j = 0; j < n + less; j++)
        CHECK_NEAR(lean->guess[j], 1 + j, 0);
      lean->guess[0] = 0.5;
      sim_use_form(sim, WHOLE);
      for (int j = 0; j < n + m; j++)
        CHECK_NEAR(whole->guess[j], j == 0 ? 0.5 : j < n + less ? 1 + j : 0, 0);
    }
    run_free(&run);
  }
}
