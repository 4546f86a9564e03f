/*
** Slip in space where it begins and ends: on spans whose series are written down here, its
** direction, how fast it has been, and how long it is only about to begin.
*/
#include <float.h>

#include "contacts.h"
#include "sim_parts.h"

enum { TERMS = 3 };

/* A puck that slides, its series being made. */
static bool begin(Run *run) {
  const double q[] = {0, 0, 0}, v[] = {1, 0, 0};
  double h;
  if (!run_from(run, puck(0.3), 0, 0, q, v)) return false;
  run->sim->far = 0;
  return CHECK_OK(maker_begin(&run->sim->maker)) &&
         CHECK_OK(maker_expand_series(&run->sim->maker, &h));
}

/* Speeds along x and y become x and y, series in the unit of the span; it is pressed by 1. */
static void set_speeds(sarrus_Sim *sim, const double *x, const double *y) {
  Span *span = &sim->maker.span;
  memset(span->c, 0, (size_t)(span->order + 2) * (size_t)span->variables * sizeof(double));
  span->c[sim->system->contacts[0].gap + span->n] = -1; /* its multiplier */
  for (int k = 0; k < TERMS; k++) {
    double *c = &span->c[(ptrdiff_t)(k + 1) * span->variables];
    c[0] = x[k] * span->unit / (k + 1);
    c[1] = y[k] * span->unit / (k + 1);
  }
}

/* Free slip of these speeds, and their rates, at first; what it knows of itself is `was`. */
static const ContactMode *follow(sarrus_Sim *sim, double x, double y, double x_rate, double y_rate,
                                 ContactMode was) {
  const double along[] = {x, x_rate, 0}, across[] = {y, y_rate, 0};
  set_speeds(sim, along, across);
  sim->contacts[0].now = was;
  sim_find_ended(sim, sim->maker.span.unit);
  return &sim->contacts[0].now;
}

static const ContactMode free_slip = {
    .mode = SARRUS_SLIP, .direction = {0, -1}, .free = 1, .fastest = 1};

/* The least time that steps can follow becomes so many units of the span. */
static double set_least_time(sarrus_Sim *sim, double units) {
  Maker *maker = &sim->maker;
  maker->began = maker->span.from.t - units * maker->span.unit / (100 * 1024 * DBL_EPSILON);
  const double time = maker_least_time(maker) / maker->span.unit;
  CHECK_CLOSE(time, units, 1e-14);
  return time;
}

/* --- directions and speeds ----------------------------------------------------------------- */

/* The direction is that of the velocity, which at rest has none; the largest speed is kept. */
TEST(directions_of_free_slip) {
  static const double x[] = {3, -0.3, 0.03, 0, 0}, y[] = {4, 0.4, -0.04, -2, 0};
  Run run;
  if (begin(&run)) {
    for (int i = 0; i < 5; i++) {
      const ContactMode *mode = follow(run.sim, x[i], y[i], 0, 0, free_slip);
      const double speed = hypot(x[i], y[i]);
      CHECK_NEAR(mode->direction[0], speed > 0 ? x[i] / speed : 0, 1e-15);
      CHECK_NEAR(mode->direction[1], speed > 0 ? y[i] / speed : -1, 1e-15);
      CHECK_NEAR(mode->fastest, fmax(1, speed), 1e-15);
    }
    ContactMode fixed = free_slip, stuck = free_slip;
    fixed.free = 0;
    stuck.mode = SARRUS_STICK;
    CHECK_NEAR(follow(run.sim, 3, 4, 0, 0, fixed)->direction[0], 0, 0);
    CHECK_NEAR(follow(run.sim, 3, 4, 0, 0, stuck)->direction[0], 0, 0);
  }
  run_free(&run);
}

/*
** Slip that falls, and of which any coefficient is its whole speed within the least time that steps
** can follow, has been 2e9 times as fast: it goes straight on until it stops.
*/
TEST(slip_that_turns_too_fast) {
  Run run;
  if (begin(&run)) {
    sarrus_Sim *sim = run.sim;
    const double time = set_least_time(sim, 1.0 / 1024);
    for (int direction = -1; direction <= 1; direction += 2) {
      sim->maker.direction = direction;
      const double falls = -direction;
      /* along x alone, and along y alone; v = time: a rate of 1 is just not too fast */
      CHECK_NEAR(follow(sim, time, 0, falls, 0, free_slip)->fastest, 1, 0);
      CHECK_CLOSE(follow(sim, time, 0, 1.01 * falls, 0, free_slip)->fastest, 2e9 * time, 1e-14);
      CHECK_CLOSE(follow(sim, 0, time, 0, 1.01 * falls, free_slip)->fastest, 2e9 * time, 1e-14);
      CHECK_NEAR(follow(sim, 0, time, 0, 0.99 * falls, free_slip)->fastest, 1, 0);
      /* slip that grows, or only turns, is not too fast */
      CHECK_NEAR(follow(sim, time, 0, -2 * falls, 0, free_slip)->fastest, 1, 0);
      CHECK_NEAR(follow(sim, 0, time, 0, -2 * falls, free_slip)->fastest, 1, 0);
      CHECK_NEAR(follow(sim, time, 0, 0, 2 * falls, free_slip)->fastest, 1, 0);
      CHECK_NEAR(follow(sim, 0, time, 2, 0, free_slip)->fastest, 1, 0);
      /* both rates count, the one that falls and the one that turns */
      CHECK_CLOSE(follow(sim, time, 0, 0.1 * falls, 2, free_slip)->fastest, 2e9 * time, 1e-14);
    }
  }
  run_free(&run);
}

/* The same by the square of that time: the second coefficient. */
TEST(slip_that_bends_too_fast) {
  Run run;
  if (begin(&run)) {
    sarrus_Sim *sim = run.sim;
    const double time = set_least_time(sim, 1.0 / 1024);
    for (int i = 0; i < 2; i++) {
      const double x[] = {0.5, -1e-3, (i == 0 ? 0.51 : 0.49) / (time * time)}, y[] = {0, 0, 0};
      set_speeds(sim, x, y);
      sim->contacts[0].now = free_slip;
      sim_find_ended(sim, sim->maker.span.unit);
      CHECK_CLOSE(sim->contacts[0].now.fastest, i == 0 ? 1e9 : 1, 1e-14);
    }
  }
  run_free(&run);
}

/* Free slip is slow, and will stop, where it has fallen to 1e-9 of its largest speed. */
TEST(slip_that_has_become_slow) {
  Run run;
  if (begin(&run)) {
    sarrus_Sim *sim = run.sim;
    const double unit = sim->maker.span.unit, x[] = {3e-9, -6e-9, 0}, y[] = {4e-9, -8e-9, 0};
    for (double fastest = 1; fastest <= 3; fastest++) {
      set_speeds(sim, x, y);
      sim->contacts[0].now = free_slip;
      sim->contacts[0].now.fastest = fastest;
      CHECK_INT(sim_find_ended(sim, 0.5 * unit), 0);
      const Ending ending = sim_first_ending(sim, 0.5 * unit);
      CHECK_INT(ending.ends, 1); /* 5e-9 (1 - 2 t) = 1e-9 fastest */
      CHECK_NEAR(ending.h / unit, (1 - fastest / 5) / 2, 1e-6);
      CHECK_INT(sim->endings[0], ENDS_SLOW);
    }
    set_speeds(sim, x, y);
    sim->contacts[0].now.fastest = 6; /* it was slow before it began */
    CHECK_INT(sim_find_ended(sim, 0.5 * unit), 1);
    CHECK_INT(sim->endings[0], ENDS_SLOW);
    sim->contacts[0].now = (ContactMode){.mode = SARRUS_SLIP, .direction = {0.6, 0.8}};
    CHECK_INT(sim_find_ended(sim, unit), 0); /* in a fixed direction it goes on until it stops */
    CHECK_NEAR(sim_first_ending(sim, unit).h / unit, 0.5, 1e-6);
    CHECK_INT(sim->endings[0], ENDS_STOP);
  }
  run_free(&run);
}

/* --- slip that begins ---------------------------------------------------------------------- */

/* How long slip that begins so is followed in its first direction, in units, of `units`. */
static double start_of(sarrus_Sim *sim, int starts, double units, const double *x,
                       const double *y) {
  const double unit = sim->maker.span.unit;
  set_speeds(sim, x, y);
  sim->contacts[0].now =
      (ContactMode){.mode = SARRUS_SLIP, .direction = {0.6, 0.8}, .starts = starts};
  CHECK_INT(sim_find_ended(sim, units * unit), 0);
  const Ending ending = sim_first_ending(sim, units * unit);
  CHECK_INT(ending.ends, 1);
  CHECK_INT(sim->endings[0], ENDS_START);
  CHECK_INT(sim_first_contact(sim), 0);
  return ending.h / unit;
}

/* With an acceleration for 1e-8 of the step, or the least time that steps can follow. */
TEST(slip_that_begins) {
  static const double x[] = {0, 0.6, 0}, y[] = {0, 0.8, 0};
  Run run;
  if (begin(&run)) {
    sarrus_Sim *sim = run.sim;
    set_least_time(sim, 1e-12);
    CHECK_CLOSE(start_of(sim, STARTS, 1, x, y), 1e-8, 1e-14);
    CHECK_CLOSE(start_of(sim, STARTS, 0.25, x, y), 0.25e-8, 1e-14);
    CHECK_CLOSE(start_of(sim, STARTS, 1e-3, x, y), 1e-11, 1e-14);
    CHECK_CLOSE(start_of(sim, STARTS, 1e-5, x, y), 1e-12, 1e-13);  /* the least */
    CHECK_CLOSE(start_of(sim, STARTS, 1e-13, x, y), 1e-13, 1e-14); /* all of the step */
  }
  run_free(&run);
}

/*
** Without one for 1e-4 of the step, or a sixteenth of the time since it began: by v' that is
** 2 v / v', by v'' (v / c2)^1/2, v = c2 t^2; what is rounding makes either of them too long.
*/
TEST(slip_that_begins_slowly) {
  static const double none[] = {0, 0, 0};
  Run run;
  if (begin(&run)) {
    sarrus_Sim *sim = run.sim;
    set_least_time(sim, 1e-12);
    CHECK_CLOSE(start_of(sim, STARTS_SLOWLY, 1, none, none), 1e-4, 1e-14);
    CHECK_CLOSE(start_of(sim, STARTS_SLOWLY, 0.25, none, none), 0.25e-4, 1e-14);
    CHECK_CLOSE(start_of(sim, STARTS_SLOWLY, 1e-9, none, none), 1e-12, 1e-13);
    for (double since = 0.125; since <= 0.5; since *= 2) {
      const double v = since * since, rate = 2 * since; /* v = t^2 */
      const double x[] = {0.6 * v, 0.6 * rate, 0.6}, y[] = {0.8 * v, 0.8 * rate, 0.8};
      CHECK_CLOSE(start_of(sim, STARTS_SLOWLY, 1, x, y), since / 16, 1e-14);
      const double low[] = {0.6 * v, 0.6 * rate / 8, 0.6}, low_y[] = {0.8 * v, 0.8 * rate / 8, 0.8};
      CHECK_CLOSE(start_of(sim, STARTS_SLOWLY, 1, low, low_y), since / 16, 1e-14);
      const double flat[] = {0.6 * v, 0.6 * rate, 0}, flat_y[] = {0.8 * v, 0.8 * rate, 0};
      CHECK_CLOSE(start_of(sim, STARTS_SLOWLY, 1, flat, flat_y), since / 16, 1e-14);
      CHECK_CLOSE(start_of(sim, STARTS_SLOWLY, 1, x, none), since / 16, 1e-14);
      CHECK_CLOSE(start_of(sim, STARTS_SLOWLY, 1, none, y), since / 16, 1e-14);
    }
  }
  run_free(&run);
}
