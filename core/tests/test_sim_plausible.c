/*
** What a record may hold: every number that serves as an index, a count, a flag or a size is tried
** at both ends of its range and right beyond them.
*/
#include <float.h>
#include <limits.h>

#include "sim_parts.h"
#include "sims.h"

/* --- ranges ------------------------------------------------------------------------------- */

static void check_whole(const sarrus_Sim *sim, int *field, int low, int high) {
  const int value = *field;
  for (int i = 0; i < 2; i++) {
    *field = i == 0 ? low : high;
    CHECK_INT(sim_is_plausible(sim), 1);
    *field = i == 0 ? low - 1 : high + 1;
    CHECK_INT(sim_is_plausible(sim), 0);
  }
  *field = value;
}

static void check_flag(const sarrus_Sim *sim, int *field) { check_whole(sim, field, 0, 1); }

static void check_count(const sarrus_Sim *sim, long long *field) {
  const long long value = *field;
  *field = 0;
  CHECK_INT(sim_is_plausible(sim), 1);
  *field = LLONG_MAX;
  CHECK_INT(sim_is_plausible(sim), 1);
  *field = -1;
  CHECK_INT(sim_is_plausible(sim), 0);
  *field = value;
}

static void check_number(const sarrus_Sim *sim, double *field, double value, int plausible) {
  const double before = *field;
  *field = value;
  if (!CHECK_INT(sim_is_plausible(sim), plausible)) printf("  with %.17g\n", value);
  *field = before;
}

static void check_finite(const sarrus_Sim *sim, double *field) {
  check_number(sim, field, -*field, 1);
  check_number(sim, field, (double)NAN, 0);
  check_number(sim, field, (double)INFINITY, 0);
  check_number(sim, field, -(double)INFINITY, 0);
}

/* 0 and more, but not infinite. */
static void check_size(const sarrus_Sim *sim, double *field) {
  check_number(sim, field, 0, 1);
  check_number(sim, field, 0.25, 1);
  check_number(sim, field, -DBL_MIN, 0);
  check_number(sim, field, (double)NAN, 0);
  check_number(sim, field, (double)INFINITY, 0);
}

static void check_positive(const sarrus_Sim *sim, double *field) {
  check_number(sim, field, 1e-3, 1);
  check_number(sim, field, 0, 0);
  check_number(sim, field, -1, 0);
  check_number(sim, field, (double)NAN, 0);
  check_number(sim, field, (double)INFINITY, 0);
}

/* --- a simulation that has everything ----------------------------------------------------- */

enum { N = 3, KNOTS = 3 };

/*
** A point (x, y) over a floor with friction, x pushed by what a table says of y; z swings by
** itself, with w = z, which is given twice, and |z| acts on it.  Force 0 is what pushes x, lock 0
** holds y.
*/
static Parts *everything(sarrus_Expr *lock, sarrus_ForceShare *share) {
  static const double knots[KNOTS] = {0, 1, 2}, data[KNOTS] = {0, 1, 0};
  Parts *p = parts_new(sarrus_memory_default(), N + 1);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const int table = sarrus_graph_new_table(g, KNOTS, knots, data);
  const sarrus_Expr push = sarrus_graph_table(g, table, 0, p->q[1]);
  p->force[0] = push;
  p->force[1] = sarrus_graph_symbol(g, SARRUS_PARAMETER, 0);
  p->force[2] = sub(g, unary(g, SARRUS_OP_ABS, p->q[2]), scaled(g, 4, p->q[2]));
  p->constraint[0] = sub(g, p->q[3], p->q[2]);
  p->constraint[1] = scaled(g, 2, p->constraint[0]);
  p->contact[0].gap = p->q[1];
  p->contact[0].slip[0] = p->v[0];
  p->contact[0].friction = constant(g, 0.1);
  p->contact[1].slip[0] = p->v[2];
  p->contact[1].friction = constant(g, 1e-3);
  lock[0] = p->v[1];
  share[0] = (sarrus_ForceShare){0, 0, push};
  p->spec.parameters = 1;
  p->spec.constraints = p->spec.contacts = 2;
  p->spec.locks = 1;
  p->spec.lock = lock;
  p->spec.forces = p->spec.shares = 1;
  p->spec.share = share;
  return p;
}

/* After some steps: at the floor, slipping; or above it, falling. */
static bool start(Run *run, double height) {
  sarrus_Expr lock[1];
  sarrus_ForceShare share[1];
  const double q[] = {0, height, 0.5, 0.5}, v[] = {1, 0, 0.25, 0.25};
  Parts *p = everything(lock, share);
  if (!CHECK(p != NULL)) return false;
  const sarrus_Expr when[] = {sub(p->g, p->q[0], constant(p->g, 1e3)),
                              sub(p->g, p->q[0], constant(p->g, 0.125))};
  const sarrus_Direction both[] = {SARRUS_BOTH, SARRUS_BOTH};
  if (!run_with_events(run, p, &tight, 2, when, both)) return false;
  CHECK_OK(sarrus_sim_preset(run->sim, 0, -10));
  if (!CHECK_OK(sarrus_sim_start(run->sim, 0.25, q, v))) return false;
  CHECK_STATUS(sarrus_sim_advance(run->sim, 1), SARRUS_STOPPED);
  return CHECK_INT(run->sim->contacts[0].now.mode, height > 0 ? SARRUS_OPEN : SARRUS_SLIP) &&
         CHECK_INT(sim_is_plausible(run->sim), 1);
}

/* Coefficient k of the span, of all variables. */
static double *coefficient(Maker *maker, int k) {
  return maker->span.c + (ptrdiff_t)k * maker->span.variables;
}

/* --- tests -------------------------------------------------------------------------------- */

TEST(flags_and_counts) {
  for (int high = 0; high < 2; high++) {
    Run run;
    if (start(&run, high)) {
      sarrus_Sim *sim = run.sim;
      Maker *maker = &sim->maker;
      check_flag(sim, &maker->pole);
      check_flag(sim, &maker->broken);
      check_flag(sim, &sim->changed);
      check_flag(sim, &maker->method.stiff);
      check_flag(sim, &maker->method.of_span);
      check_whole(sim, &maker->method.count, 0, INT_MAX / 2);
      check_whole(sim, &maker->method.wait, 0, INT_MAX / 4);
      check_whole(sim, &maker->order, SARRUS_MIN_ORDER, maker->capacity);
      check_whole(sim, &maker->stats.order, 0, maker->capacity);
      check_whole(sim, &sim->ended, 0, INT_MAX / 2);
      check_whole(sim, &sim->ended_contact, SARRUS_NONE, sim->system->contact_count - 1);
      check_whole(sim, &sim->short_steps, 0, INT_MAX / 2);
      check_whole(sim, &sim->notes.stiff_column, 0, N);
      check_count(sim, &maker->stats.steps);
      check_count(sim, &maker->stats.rejected);
      check_count(sim, &maker->stats.factorisations);
      check_count(sim, &maker->stats.implicit);
      check_count(sim, &maker->method.rejected);
      check_count(sim, &sim->notes.singular);
      check_count(sim, &sim->notes.stiff);
      check_size(sim, &maker->method.h);
      sim->started = 2;
      CHECK_INT(sim_is_plausible(sim), 0);
      sim->started = 0; /* nothing goes on before a start */
      CHECK_INT(sim_is_plausible(sim), 0);
      maker->broken = 1;
      CHECK_INT(sim_is_plausible(sim), 1);
    }
    run_free(&run);
  }
}

TEST(directions_of_travel) {
  Run run;
  if (start(&run, 1))
    for (int direction = -2; direction <= 2; direction++) {
      run.sim->maker.direction = direction;
      CHECK_INT(sim_is_plausible(run.sim), direction == 1 || direction == -1);
    }
  run_free(&run);
}

/* A span is of order 0, there being none, or of order 2 and more. */
TEST(orders_of_spans) {
  Run run;
  if (start(&run, 1)) {
    Maker *maker = &run.sim->maker;
    const int order = maker->span.order;
    for (int k = order + 1; k <= maker->capacity + 1; k++)
      memset(coefficient(maker, k), 0, (size_t)maker->span.variables * sizeof(double));
    for (int k = -1; k <= maker->capacity + 1; k++) {
      maker->span.order = k;
      CHECK_INT(sim_is_plausible(run.sim), k == 0 || (k >= 2 && k <= maker->capacity));
    }
    maker->span.order = order;
  }
  run_free(&run);
}

TEST(numbers_of_points) {
  Run run;
  if (start(&run, 1)) {
    sarrus_Sim *sim = run.sim;
    Maker *maker = &sim->maker;
    Point *points[] = {&maker->to, &maker->span.from};
    for (int i = 0; i < 2; i++) {
      check_number(sim, &points[i]->t, (double)NAN, 0);
      check_number(sim, &points[i]->t, (double)INFINITY, 0);
      for (int j = 0; j <= N; j++) {
        check_finite(sim, &points[i]->q[j]);
        check_finite(sim, &points[i]->v[j]);
      }
    }
    for (int j = 0; j <= N; j++) {
      check_positive(sim, &maker->scale[j]);
      check_positive(sim, &maker->least[j]);
    }
    for (int i = N + 1; i < sim->system->room; i++)
      check_size(sim, &maker->scale[i]);
    for (int i = 0; i < sim->parameter_count; i++)
      check_finite(sim, &sim->parameters[i]);
    check_finite(sim, &maker->began);
    check_number(sim, &maker->span.h, (double)NAN, 0);
    check_number(sim, &maker->span.until, (double)INFINITY, 0);
  }
  run_free(&run);
}

/* What compensated addition leaves over is rounding: of 2 + 6 no more than 32 eps. */
TEST(rounding_of_times) {
  Run run;
  if (start(&run, 1)) {
    sarrus_Sim *sim = run.sim;
    Point *points[] = {&sim->maker.to, &sim->maker.span.from};
    sim->maker.stats.largest = 6;
    sim->maker.span.until = 2;
    sim->maker.to.t = sim->now = -2;
    sim->maker.span.from.t = 2;
    for (int i = 0; i < 2; i++) {
      check_number(sim, &points[i]->t_low, 32 * DBL_EPSILON, 1);
      check_number(sim, &points[i]->t_low, -32 * DBL_EPSILON, 1);
      check_number(sim, &points[i]->t_low, 33 * DBL_EPSILON, 0);
      check_number(sim, &points[i]->t_low, -33 * DBL_EPSILON, 0);
      check_number(sim, &points[i]->t_low, (double)NAN, 0);
    }
  }
  run_free(&run);
}

/* It stands in the span, whichever way that goes, or where the next one begins. */
TEST(present_times) {
  Run run;
  if (start(&run, 1)) {
    sarrus_Sim *sim = run.sim;
    Maker *maker = &sim->maker;
    for (int back = 0; back < 2; back++) {
      maker->span.from.t = back ? 2 : 1;
      maker->span.until = back ? 1 : 2;
      maker->to.t = 5;
      const double good[] = {1, 1.5, 2, 5}, bad[] = {1 - 1e-15, 2 + 1e-15, 4.5, 0};
      for (int i = 0; i < 4; i++) {
        check_number(sim, &sim->now, good[i], 1);
        check_number(sim, &sim->now, bad[i], 0);
      }
      check_number(sim, &sim->now, (double)NAN, 0);
    }
  }
  run_free(&run);
}

TEST(measures) {
  Run run;
  if (start(&run, 1)) {
    sarrus_Sim *sim = run.sim;
    Maker *maker = &sim->maker;
    double *sizes[] = {&maker->natural,     &maker->held,           &maker->margin,
                       &maker->best_margin, &maker->stats.smallest, &maker->stats.largest};
    for (int i = 0; i < 6; i++)
      check_size(sim, sizes[i]);
    double *times[] = {&maker->interventions.interval, &maker->interventions.expected};
    for (int i = 0; i < 2; i++) {
      check_number(sim, times[i], 0, 1);
      check_number(sim, times[i], (double)INFINITY, 1);
      check_number(sim, times[i], -DBL_MIN, 0);
      check_number(sim, times[i], (double)NAN, 0);
    }
  }
  run_free(&run);
}

/* Units of time are powers of two whose square is in range. */
TEST(units_of_time) {
  Run run;
  if (start(&run, 1)) {
    sarrus_Sim *sim = run.sim;
    Maker *maker = &sim->maker;
    maker->span.until = maker->span.from.t; /* nothing grows in no time */
    maker->span.from.t_low = 0;
    sim->now = maker->to.t;
    double *units[] = {&maker->span.unit, &maker->expansion->work->unit};
    for (int i = 0; i < 2; i++) {
      const double good[] = {1, 2, 0.125, ldexp(1, 499), ldexp(1, -501)},
                   bad[] = {
                       0,          -1, 3, 0.75, ldexp(1, 500), ldexp(1, -502), (double)INFINITY,
                       (double)NAN};
      for (int k = 0; k < 5; k++)
        check_number(sim, units[i], good[k], 1);
      for (int k = 0; k < 8; k++)
        check_number(sim, units[i], bad[k], 0);
    }
  }
  run_free(&run);
}

/* Coordinates are known to t^(K+1), multipliers to t^(K-1); beyond is nothing that counts. */
TEST(coefficients) {
  Run run;
  if (start(&run, 1)) {
    sarrus_Sim *sim = run.sim;
    Maker *maker = &sim->maker;
    const int order = maker->span.order, m = maker->span.variables - maker->n;
    REQUIRE(m > 0 && order > 2);
    for (int k = 0; k <= order + 1; k++) {
      double *c = coefficient(maker, k);
      check_number(sim, &c[0], (double)NAN, 0);
      check_number(sim, &c[N], (double)INFINITY, 0);
      check_number(sim, &c[N + 1], (double)NAN, k >= order);
      check_number(sim, &c[N + m], (double)NAN, k >= order);
    }
  }
  run_free(&run);
}

/*
** In 8 units of time x 8^k must not overflow, nor may k x 8^(k-1), which is more where k > 8; in
** one unit, of high orders, only the latter does.
*/
TEST(series_that_overflow) {
  Run run;
  if (start(&run, 1)) {
    sarrus_Sim *sim = run.sim;
    Maker *maker = &sim->maker;
    const int k = maker->span.order + 1;
    REQUIRE(16 <= k && k < 64);
    maker->span.unit = 0.5;
    sim->now = maker->to.t;
    for (int j = 0; j <= N; j++) {
      maker->span.until = maker->span.from.t + 4;
      double *last = coefficient(maker, k) + j;
      check_number(sim, last, ldexp(1, 1020 - 3 * k), 1);
      check_number(sim, last, ldexp(1, 1023 - 3 * k), 0);
      check_number(sim, last, ldexp(1, 1024 - 3 * k), 0);
      check_number(sim, coefficient(maker, 0) + j, DBL_MAX / 2, 1);
      maker->span.until = maker->span.from.t - 0.5;
      check_number(sim, last, DBL_MAX / 64, 1);
      check_number(sim, last, DBL_MAX / 2, 0);
    }
  }
  run_free(&run);
}

TEST(matrices) {
  Run run;
  if (start(&run, 1)) {
    sarrus_Sim *sim = run.sim;
    for (int f = 0; f < FORMS; f++) {
      if (sim->forms[f].system == NULL) continue;
      Kkt *kkt = sim->forms[f].expansion->kkt;
      for (int i = 0; i < kkt->size; i++) {
        check_positive(sim, &kkt->row[i]);
        check_positive(sim, &kkt->column[i]);
      }
      check_flag(sim, &kkt->off_diagonal);
      for (int i = 0; i < kkt->m; i++) {
        const int was = kkt->dependent[i], count = kkt->dependent_count;
        for (int state = KKT_KEPT - 1; state <= KKT_OFF + 1; state++) {
          kkt->dependent[i] = state;
          kkt->dependent_count = count + (state == KKT_DEPENDENT) - (was == KKT_DEPENDENT);
          CHECK_INT(sim_is_plausible(sim), state >= KKT_KEPT && state <= KKT_OFF);
        }
        kkt->dependent[i] = was;
        kkt->dependent_count = count;
      }
      for (int off = -1; off <= 1; off += 2) {
        kkt->dependent_count += off;
        CHECK_INT(sim_is_plausible(sim), 0);
        kkt->dependent_count -= off;
      }
    }
  }
  run_free(&run);
}

/* A table of three knots has four pieces, other piecewise functions have sides. */
TEST(branches) {
  Run run;
  if (start(&run, 1)) {
    sarrus_Sim *sim = run.sim;
    const Tape *tape = sim->maker.system->tape;
    Work *work = sim->maker.expansion->work;
    int tables = 0, sides = 0;
    for (int i = 0; i < tape->switch_count; i++) {
      const int is_table = tape->switches[i].table != SARRUS_NONE;
      check_whole(sim, &work->branch[i], is_table ? 0 : -1, is_table ? KNOTS : 1);
      check_flag(sim, &work->forced[i]);
      tables += is_table;
      sides += !is_table;
    }
    CHECK(tables > 0 && sides > 0);
  }
  run_free(&run);
}

TEST(events) {
  Run run;
  if (start(&run, 1)) {
    sarrus_Sim *sim = run.sim;
    sim->hit_count = 2;
    sim->hit_next = 0;
    sim->hits[0] = sim->hits[1] = (Hit){.dt = 0.1, .event = 0, .direction = 1};
    check_whole(sim, &sim->hit_next, 0, 2);
    check_whole(sim, &sim->hit.event, SARRUS_NONE, 1);
    check_whole(sim, &sim->hit.direction, -1, 1);
    check_number(sim, &sim->hit.dt, (double)NAN, 0);
    for (int i = 0; i < 2; i++) {
      check_whole(sim, &sim->hits[i].event, 0, 1);
      check_whole(sim, &sim->hits[i].direction, -1, 1);
      check_number(sim, &sim->hits[i].dt, (double)INFINITY, 0);
      Pace *pace = &sim->paces[i];
      pace->shrinking = 0;
      check_whole(sim, &pace->seen, 0, INT_MAX / 2);
      check_whole(sim, &pace->side, -1, 1);
      pace->seen = 3;
      check_whole(sim, &pace->shrinking, 0, 3);
    }
  }
  run_free(&run);
}

static void check_mode(sarrus_Sim *sim, ContactMode *mode) {
  check_flag(sim, &mode->free);
  check_whole(sim, &mode->starts, 0, STOPS_SLOWLY);
  check_flag(sim, &mode->idle);
  check_flag(sim, &mode->tied);
  check_finite(sim, &mode->direction[0]);
  check_finite(sim, &mode->direction[1]);
  check_size(sim, &mode->fastest);
  check_size(sim, &mode->share);
}

TEST(contacts) {
  for (int high = 0; high < 2; high++) {
    Run run;
    if (start(&run, high)) {
      sarrus_Sim *sim = run.sim;
      for (int i = 0; i < 2; i++) {
        ContactState *state = &sim->contacts[i];
        check_mode(sim, &state->now);
        check_mode(sim, &state->span);
        check_flag(sim, &state->load.on);
        check_flag(sim, &state->load.span);
        check_size(sim, &state->load.was);
        check_size(sim, &state->load.doubt);
        for (int k = 0; k < 3; k++)
          check_finite(sim, &state->struck.impulse[k]);
      }
      /* What is let go is open; friction without a gap is open only then, or on the span before. */
      ContactState *gap = &sim->contacts[0], *rubs = &sim->contacts[1];
      gap->now.mode = SARRUS_OPEN;
      check_flag(sim, &gap->released);
      gap->released = 1;
      gap->now.mode = SARRUS_SLIP;
      CHECK_INT(sim_is_plausible(sim), 0);
      gap->released = 0;
      CHECK_INT(sim_is_plausible(sim), 1);
      rubs->now.mode = SARRUS_OPEN;
      CHECK_INT(sim_is_plausible(sim), 0);
      rubs->released = 1;
      CHECK_INT(sim_is_plausible(sim), 1);
      rubs->released = 0;
      rubs->now.mode = SARRUS_SLIP;
      rubs->span.mode = SARRUS_OPEN;
      CHECK_INT(sim_is_plausible(sim), 1);
    }
    run_free(&run);
  }
}

/* Only what has a slip can stick. */
TEST(a_gap_alone_does_not_stick) {
  Run run;
  const double q = 0, v = 0;
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  p->force[0] = constant(p->g, -1);
  p->contact[0].gap = p->q[0];
  p->spec.contacts = 1;
  REQUIRE(run_new(&run, p, &tight));
  if (CHECK_OK(sarrus_sim_start(run.sim, 0, &q, &v))) {
    for (int mode = SARRUS_OPEN; mode <= SARRUS_STICK; mode++) {
      run.sim->contacts[0].now.mode = (sarrus_ContactMode)mode;
      CHECK_INT(sim_is_plausible(run.sim), mode != SARRUS_STICK);
    }
    run.sim->contacts[0].now.mode = SARRUS_STICK; /* before a start it says nothing */
    run.sim->started = 0;
    run.sim->maker.broken = 1;
    CHECK_INT(sim_is_plausible(run.sim), 1);
  }
  run_free(&run);
}

/* Locks are flags, forces act or not, and the form follows from these and from what is far. */
TEST(forms) {
  Run run;
  if (start(&run, 1)) {
    sarrus_Sim *sim = run.sim;
    const int form = sim->form, far = sim->far;
    const int whole = sim_whole_form(sim);
    for (int f = -1; f <= FORMS; f++) {
      sim->form = f;
      CHECK_INT(sim_is_plausible(sim), f == whole || (f == LEAN && whole == WHOLE));
    }
    sim->form = form;
    for (int x = -1; x <= 2; x++) {
      sim->far = x;
      CHECK_INT(sim_is_plausible(sim), (x == 0 || x == 1) && (!x || sim->system->lean != NULL));
    }
    sim->far = far;
    CHECK_OK(sarrus_sim_lock(sim, 0, 1));
    CHECK_OK(sarrus_sim_release_force(sim, 0, 1));
    CHECK_INT(sim->form, CHANGED);
    CHECK_INT(sim_is_plausible(sim), 1);
    sim->form = LEAN;
    CHECK_INT(sim_is_plausible(sim), 0);
    sim->form = CHANGED;
    int *off = &sim->off[sim->system->m];
    *off = 2;
    CHECK_INT(sim_is_plausible(sim), 0);
    *off = -1;
    CHECK_INT(sim_is_plausible(sim), 0);
    *off = 1; /* the force alone wants the form */
    CHECK_INT(sim_is_plausible(sim), 1);
    *off = 0;
    check_number(sim, &sim_force_modes(sim)[0], 0, 1);
    check_number(sim, &sim_force_modes(sim)[0], 0.5, 0);
    check_number(sim, &sim_force_modes(sim)[0], 2, 0);
    check_number(sim, &sim_force_modes(sim)[0], -1, 0);
  }
  run_free(&run);
}
