/*
** Guards of contacts: what ends each of their modes, when, and which output says so.  Forces are
** polynomials in time, so that the instants are known exactly.
*/
#include "contacts.h"
#include "sim_parts.h"

/*
** A point on a floor: it is pushed along by p0 + p1 t, pressed down by p2 - p3 t; friction is 0.5.
*/
static Parts *pressed(void) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  sarrus_Expr of[4];
  for (int i = 0; i < 4; i++)
    of[i] = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, i);
  p->force[0] = add(p->g, of[0], mul(p->g, of[1], p->t));
  p->force[1] = sub(p->g, mul(p->g, of[3], p->t), of[2]);
  p->contact[0].gap = p->q[1];
  p->contact[0].slip[0] = p->v[0];
  p->contact[0].friction = constant(p->g, 0.5);
  p->spec.contacts = 1;
  p->spec.parameters = 4;
  return p;
}

/* The series from where it stands, in the mode it is in, whatever parameters and speeds are now. */
static bool expand(sarrus_Sim *sim) {
  double h;
  sim->far = 0;
  return CHECK_OK(maker_prepare(&sim->maker, &sim->maker.to)) &&
         CHECK_OK(maker_begin(&sim->maker)) && CHECK_OK(maker_expand_series(&sim->maker, &h));
}

/* On the floor at this speed, with these parameters. */
static bool begin(Run *run, const double *parameter, double speed) {
  const double q[] = {0, 0}, v[] = {speed, 0};
  if (!run_new(run, pressed(), &tight)) return false;
  for (int i = 0; i < 4; i++)
    CHECK_OK(sarrus_sim_preset(run->sim, i, parameter[i]));
  return CHECK_OK(sarrus_sim_start(run->sim, 0, q, v)) && expand(run->sim);
}

/* It ends at t for this reason, of which this output, so many times, is the guard. */
static void check_end(sarrus_Sim *sim, double t, int why, int output, double factor) {
  int element = 0, found = SARRUS_NONE;
  double of_one = 0, of_next = 7;
  CHECK_INT(sim_find_ended(sim, 2 * t), 0);
  CHECK_INT(sim_ended_guard(sim, &element, &found, &of_one, &of_next), 0);
  CHECK_INT(element, 1);
  const Ending ending = sim_first_ending(sim, 2 * t);
  CHECK_INT(ending.ends, 1);
  CHECK_NEAR(ending.h, t, 1e-14 * t);
  CHECK_INT(sim->endings[0], why);
  element = 0;
  REQUIRE(sim_ended_guard(sim, &element, &found, &of_one, &of_next));
  CHECK_INT(element, 0);
  CHECK_INT(found, output);
  CHECK_NEAR(of_one, factor, 0);
  CHECK_NEAR(of_next, 0, 0);
  element++;
  CHECK_INT(sim_ended_guard(sim, &element, &found, &of_one, &of_next), 0);
}

static const ContactOutputs *outputs(const sarrus_Sim *sim) {
  return &sim->maker.system->arguments.contact[0];
}

/* --- when modes end ------------------------------------------------------------------------ */

/* What presses, p2 - p3 t, is 0 at p2 / p3; whether it sticks or slips. */
TEST(it_lifts_where_nothing_presses) {
  static const double speeds[] = {0, 100, -100};
  for (int i = 0; i < 3; i++)
    for (double weight = 0.25; weight <= 16; weight *= 8) {
      const double parameter[] = {0, 0, weight, 2};
      Run run;
      if (begin(&run, parameter, speeds[i])) {
        CHECK_INT(run.sim->contacts[0].now.mode, i == 0 ? SARRUS_STICK : SARRUS_SLIP);
        run.sim->contacts[0].now.tied = i == 0; /* its bound vanishes there, too */
        check_end(run.sim, weight / 2, ENDS_LIFT, outputs(run.sim)->force, 1);
      }
      run_free(&run);
    }
}

/* Under constant friction p2 / 2 slip v0 lasts v0 / (p2 / 2), in either direction. */
TEST(it_stops_where_friction_has_used_up_its_speed) {
  for (int side = -1; side <= 1; side += 2)
    for (double speed = 0.125; speed <= 8; speed *= 8) {
      const double parameter[] = {0, 0, 4, 0};
      Run run;
      if (begin(&run, parameter, side * speed))
        check_end(run.sim, speed / 2, ENDS_STOP, outputs(run.sim)->slip, side);
      run_free(&run);
    }
}

/* What sticks is held by p2 / 2 at most: pushed forwards, by a force backwards (MINUS). */
TEST(it_slips_where_the_push_is_more_than_friction) {
  for (int side = -1; side <= 1; side += 2)
    for (double push = 0; push <= 1; push += 0.5) {
      const double parameter[] = {side * push, side * 0.5, 4, 0};
      Run run;
      if (begin(&run, parameter, 0))
        check_end(run.sim, (2 - push) / 0.5, side < 0 ? ENDS_PLUS : ENDS_MINUS,
                  outputs(run.sim)->hold + (side > 0), 1);
      run_free(&run);
    }
}

/* Both at once, pushed along as it is relieved: of 2 t and (4 - t) / 2 the bound at t = 0.8. */
TEST(what_holds_grows_weaker_as_less_presses) {
  const double parameter[] = {0, 2, 4, 1};
  Run run;
  if (begin(&run, parameter, 0)) check_end(run.sim, 0.8, ENDS_MINUS, outputs(run.sim)->hold + 1, 1);
  run_free(&run);
}

/* --- what begins at its end ---------------------------------------------------------------- */

/* Whether it ends within 1e-2 of a second right where it begins, and why. */
static void check_at_once(sarrus_Sim *sim, int why) {
  REQUIRE(expand(sim));
  CHECK_INT(sim_find_ended(sim, 1e-2), why != ENDS_NOT);
  CHECK_INT(sim->endings[0], why);
  CHECK_INT(sim_first_contact(sim), why != ENDS_NOT ? 0 : SARRUS_NONE);
}

/* A force of 0 that will pull, or that pulls, ends at once; one that will press does not. */
TEST(forces_that_begin_at_zero) {
  static const double press[] = {0, 0, -0.5, -1e-6}, slower[] = {0.5, -0.5, 0, 0};
  static const int ends[] = {1, 0, 1, 1};
  for (int i = 0; i < 4; i++)
    for (int slips = 0; slips <= 1; slips++) {
      const double parameter[] = {0, 0, 1, 0};
      Run run;
      if (begin(&run, parameter, slips ? 100 : 0)) {
        run.sim->parameters[2] = press[i];
        run.sim->parameters[3] = slower[i];
        check_at_once(run.sim, ends[i] ? ENDS_LIFT : ENDS_NOT);
      }
      run_free(&run);
    }
}

/* Slip of speed 0, or backwards, has ended; not while it is only to begin. */
TEST(slip_that_begins_at_zero) {
  static const double speeds[] = {0, -0.5, -1e-6};
  const double parameter[] = {0, 0, 1, 0};
  for (int side = -1; side <= 1; side += 2)
    for (int i = 0; i < 3; i++) {
      Run run;
      if (begin(&run, parameter, side)) {
        run.sim->maker.to.v[0] = side * speeds[i];
        check_at_once(run.sim, ENDS_STOP);
        run.sim->contacts[0].now.starts = STARTS;
        check_at_once(run.sim, ENDS_NOT);
        run.sim->contacts[0].now.starts = STARTS_SLOWLY;
        check_at_once(run.sim, ENDS_NOT);
        run.sim->contacts[0].now.starts = STOPS_SLOWLY;
        check_at_once(run.sim, ENDS_STOP);
      }
      run_free(&run);
    }
}

/* Held just by the bound, and pushed more: at once; less: not.  Beyond the bound: at once. */
TEST(holding_that_begins_at_its_bound) {
  static const double push[] = {0.5, 0.5, 0.75, 0.500001}, more[] = {1, -1, 0, 0};
  static const int ends[] = {1, 0, 1, 1};
  const double parameter[] = {0, 0, 1, 0};
  for (int side = -1; side <= 1; side += 2)
    for (int i = 0; i < 4; i++) {
      Run run;
      if (begin(&run, parameter, 0)) {
        run.sim->parameters[0] = side * push[i];
        run.sim->parameters[1] = side * more[i];
        check_at_once(run.sim, !ends[i] ? ENDS_NOT : side < 0 ? ENDS_PLUS : ENDS_MINUS);
        run.sim->contacts[0].now.tied = 1; /* others hold it, whatever its bound is */
        check_at_once(run.sim, ENDS_NOT);
        run.sim->contacts[0].now.tied = 0;
        run.sim->contacts[0].released = 1; /* it does not take part */
        check_at_once(run.sim, ENDS_NOT);
      }
      run_free(&run);
    }
}

/* --- what is far away ---------------------------------------------------------------------- */

/* A ball above a floor beside an oscillator on dry friction, which has no gap. */
static Parts *ball_beside_friction(void) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  p->force[0] = constant(p->g, -2);
  p->contact[0].gap = p->q[0];
  p->contact[1].slip[0] = p->v[1];
  p->contact[1].friction = constant(p->g, 1);
  p->spec.contacts = 2;
  return p;
}

/* Where nothing is near, contacts with gaps have no guards; friction alone has. */
TEST(what_is_far_has_no_guard) {
  const double q[] = {1, 0}, v[] = {0, 0.25};
  Run run;
  if (run_from(&run, ball_beside_friction(), 0, 0, q, v) && expand(run.sim)) {
    sarrus_Sim *sim = run.sim;
    CHECK_INT(sim_find_ended(sim, 2), 0);
    CHECK_NEAR(sim_first_ending(sim, 2).h, 0.25, 1e-15);
    CHECK_INT(sim->endings[1], ENDS_STOP);
    sim->maker.to.v[1] = 4; /* now the ball comes first, at t = 1 */
    REQUIRE(expand(sim));
    CHECK_INT(sim_find_ended(sim, 2), 0);
    CHECK_NEAR(sim_first_ending(sim, 2).h, 1, 1e-14);
    CHECK_INT(sim->endings[0], ENDS_TOUCH);
    CHECK_INT(sim_first_contact(sim), 0);
    sim->far = 1;
    CHECK_INT(sim_find_ended(sim, 2), 0);
    CHECK_INT(sim_first_ending(sim, 2).ends, 0);
    CHECK_INT(sim_find_ended(sim, 5), 0);
    CHECK_NEAR(sim_first_ending(sim, 5).h, 4, 1e-13);
    CHECK_INT(sim_first_contact(sim), 1);
  }
  run_free(&run);
}

/* Of a ball alone nothing is looked at while it is far. */
TEST(a_ball_that_is_far) {
  const double q = 1, v = 0;
  Run run;
  if (run_from(&run, ball(), 0.5, 0, &q, &v) && expand(run.sim)) {
    sarrus_Sim *sim = run.sim;
    CHECK_NEAR(sim_first_ending(sim, 2).h, sqrt(2 / g0), 1e-14);
    sim->far = 1;
    sim->endings[0] = ENDS_TOUCH; /* an old one stays as it is */
    const Ending ending = sim_first_ending(sim, 2);
    CHECK_INT(ending.ends, 0);
    CHECK_NEAR(ending.h, 2, 0);
    sim->first_of = 2;
    CHECK_INT(sim_find_ended(sim, 2), 0);
    CHECK_NEAR(sim->first_of, 0, 0); /* no series stand */
  }
  run_free(&run);
}

/* --- how exactly a gap is known ------------------------------------------------------------ */

/* Below 1e-13 of sizes there are no bounces, nor below the tolerance. */
TEST(the_least_height_of_a_bounce) {
  static const double tolerance[] = {1e-6, 1e-12, 1e-13, 5e-14, 1e-14};
  const double q = 1, v = 0;
  Run run;
  if (run_from(&run, ball(), 0.5, 0, &q, &v))
    for (int i = 0; i < 5; i++) {
      run.sim->maker.options.tolerance = tolerance[i];
      CHECK_NEAR(sim_least_height(run.sim), fmin(tolerance[i], 1e-13), 0);
    }
  run_free(&run);
}

/* The gap goes down to this depth on a span of one unit, and up again; whether it touches. */
static int dips(sarrus_Sim *sim, double depth, double *at) {
  Span *span = &sim->maker.span;
  const double c[] = {0.0625 - depth, -0.5, 1}; /* its lowest point is at t = 1/4 */
  for (int k = 0; k <= span->order + 1; k++)
    span->c[(ptrdiff_t)k * span->variables] = k < 3 ? c[k] : 0;
  CHECK_INT(sim_find_ended(sim, span->unit), 0);
  const Ending ending = sim_first_ending(sim, span->unit);
  *at = ending.h / span->unit;
  return ending.ends;
}

/* It touches where it falls below 1/32 of that height; one that rests, below the tolerance. */
TEST(gaps_that_dip_below_zero) {
  const double q = 1, v = 0;
  double at;
  Run run;
  if (run_from(&run, ball(), 0.5, 0, &q, &v) && expand(run.sim)) {
    sarrus_Sim *sim = run.sim;
    for (double size = 1; size <= 64; size *= 8) {
      sim->maker.options.tolerance = 1e-10; /* the least height is 1e-13 */
      const double band = 1e-13 / 32;
      CHECK_INT(dips(sim, 0.98 * band, &at), 0);
      CHECK_INT(dips(sim, 1.04 * band, &at), 1);
      sim->maker.options.tolerance = 1e-10 * size;
      sim->contacts[0].now.idle = 1;
      CHECK_INT(dips(sim, 0.99e-10 * size, &at), 0);
      CHECK_INT(dips(sim, 1.01e-10 * size, &at), 1);
      sim->contacts[0].now.idle = 0;
    }
  }
  run_free(&run);
}
