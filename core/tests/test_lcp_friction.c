/* Planar friction: the law itself, all modes, closed forms, ties, redundant contacts, Painleve. */
#include <time.h>

#include "lcp_friction.h"
#include "lcp_problems.h"

static _Alignas(16) char work[1 << 19];
static double force[ROWS], rate[ROWS];
static FrictionMode mode[CONTACTS];
static unsigned char tie[CONTACTS];
static const FrictionAnswer ANSWER = {force, rate, mode, tie};

static FrictionProblem problem_of(const Contacts *c) {
  return (FrictionProblem){.n = c->n, .W = c->W, .b = c->b, .mu = c->mu};
}

static LcpStatus solve(const Contacts *c) {
  const FrictionProblem p = problem_of(c);
  CHECK(friction_work_size(p.n) <= sizeof work);
  return friction_solve(&p, &ANSWER, work);
}

/* a = b + W f, and what it is summed from */
static double rate_of(const Contacts *c, int row, double *size) {
  double a = c->b[row];
  *size = fabs(a);
  for (int j = 0; j < 2 * c->n; j++) {
    a += c->W[row * 2 * c->n + j] * force[j];
    *size += fabs(c->W[row * 2 * c->n + j] * force[j]);
  }
  return a;
}

/* The answer keeps the law, and says what it does. */
static void check_law(const Contacts *c, double tolerance) {
  const int n = c->n;
  for (int i = 0; i < n; i++) {
    double size_n, size_t_;
    const double N = force[i], T = force[n + i], bound = c->mu[i] * N;
    const double a_n = rate_of(c, i, &size_n), a_t = rate_of(c, n + i, &size_t_);
    CHECK_NEAR(rate[i], a_n, tolerance * size_n);
    CHECK_NEAR(rate[n + i], a_t, tolerance * size_t_);
    CHECK(N >= 0 && rate[i] >= 0 && N * rate[i] == 0 && fabs(T) <= bound);
    if (mode[i] == FRICTION_OPEN) CHECK(N == 0 && T == 0);
    if (mode[i] == FRICTION_STICK) CHECK(N > 0 && rate[n + i] == 0);
    if (mode[i] == FRICTION_SLIP_PLUS) CHECK(N > 0 && rate[n + i] >= 0 && T == -bound);
    if (mode[i] == FRICTION_SLIP_MINUS) CHECK(N > 0 && rate[n + i] <= 0 && T == bound);
  }
}

TEST(the_law_holds_for_random_contacts) {
  const double mu[] = {0, 0.3, 1.5, 20};
  for (int trial = 0; trial < 4000; trial++) {
    const int n = 1 + below(8);
    const Contacts c = any_contacts(n, 3 + below(3 * n), mu[below(4)]);
    CHECK_INT(solve(&c), LCP_SOLVED);
    check_law(&c, 1e-12);
  }
}

TEST(all_modes_agree) {
  int several = 0;
  for (int trial = 0; trial < 3000; trial++) {
    Contacts c = any_contacts(1 + below(3), 2 + below(8), uniform(0, 2));
    const FrictionProblem p = problem_of(&c);
    double first[ROWS];
    CHECK_INT(solve(&c), LCP_SOLVED);
    memcpy(first, rate, sizeof first);
    const int count = friction_enumerate(&p, &ANSWER, work);
    check_law(&c, 1e-9);
    CHECK(count > 0);
    several += count > 1;
    for (int i = 0; i < 2 * c.n && count == 1; i++)
      CHECK_NEAR(rate[i], first[i], 1e-8);
  }
  CHECK(several < 1000);
}

/* The first is friction without a gap, as that of a joint: pressed by 1 whatever happens. */
TEST(friction_of_joints_agrees_in_all_modes) {
  for (int trial = 0; trial < 3000; trial++) {
    Contacts c = any_contacts(2 + below(2), 3 + below(8), uniform(0.1, 1));
    const int n = c.n, rows = 2 * n;
    const double least[] = {1, 0, 0};
    double first[ROWS];
    for (int i = 0; i < rows; i++)
      c.W[i] = c.W[i * rows] = i == 0;
    c.b[0] = 0;
    FrictionProblem p = problem_of(&c);
    p.least = least;
    CHECK_INT(friction_solve(&p, &ANSWER, work), LCP_SOLVED);
    memcpy(first, rate, sizeof first);
    const int count = friction_enumerate(&p, &ANSWER, work);
    CHECK(count > 0);
    CHECK(force[0] == 1 && fabs(force[n]) <= c.mu[0]);
    CHECK(mode[0] != FRICTION_OPEN && (mode[0] != FRICTION_STICK || rate[n] == 0));
    CHECK(fabs(force[n]) == c.mu[0] || rate[n] == 0);
    CHECK(force[n] * rate[n] <= 0);
    for (int i = 1; i < rows && count == 1; i++)
      CHECK_NEAR(rate[i], first[i], 1e-8);
  }
}

/* Rows and columns in units of their own; tangential ones change mu with them. */
TEST(units_do_not_matter) {
  for (int trial = 0; trial < 1000; trial++) {
    Contacts c = any_contacts(1 + below(4), 12, uniform(0.1, 1)), other = c;
    const int n = c.n;
    double unit[ROWS];
    FrictionMode modes[CONTACTS];
    for (int i = 0; i < 2 * n; i++)
      unit[i] = pow(10, below(21) - 10);
    for (int i = 0; i < 2 * n; i++) {
      other.b[i] *= unit[i];
      for (int j = 0; j < 2 * n; j++)
        other.W[i * 2 * n + j] *= unit[i] * unit[j] * 1e9;
    }
    for (int i = 0; i < n; i++)
      other.mu[i] *= unit[i] / unit[n + i];
    CHECK_INT(solve(&c), LCP_SOLVED);
    memcpy(modes, mode, sizeof modes);
    const double N = force[0];
    CHECK_INT(solve(&other), LCP_SOLVED);
    CHECK_NEAR(force[0] * unit[0] * 1e9, N, 1e-11 * fabs(N));
    for (int i = 0; i < n; i++)
      CHECK_INT(mode[i], modes[i]);
  }
}

/* A box on an incline: gravity along and across it. */
static Contacts incline(int points, double slope, double mu) {
  Contacts c = box_on_line(points, 2, 1, mu, 0);
  c.u[0] = 9.81 * sin(slope);
  c.u[1] = -9.81 * cos(slope);
  complete(&c);
  return c;
}

TEST(a_box_on_an_incline_sticks_or_slides) {
  for (int points = 1; points <= 4; points++) {
    for (int steep = 0; steep < 2; steep++) {
      const double slope = steep ? 0.4 : 0.2, mu = 0.3;
      Contacts c = incline(points, slope, mu);
      double N = 0, T = 0;
      if (points == 1) c.mass[2] = 1e30; /* a point below the centre: it must not turn */
      complete(&c);
      CHECK_INT(solve(&c), LCP_SOLVED);
      check_law(&c, 1e-14);
      for (int i = 0; i < points; i++) {
        N += force[i];
        T += force[points + i];
        if (force[i] > 0) CHECK_INT(mode[i], steep ? FRICTION_SLIP_PLUS : FRICTION_STICK);
        if (force[i] == 0) CHECK(mode[i] == FRICTION_OPEN && tie[i] && rate[i] == 0); /* idle */
      }
      CHECK_CLOSE(N, 9.81 * cos(slope), 1e-14);
      CHECK_CLOSE(T, steep ? -mu * N : -9.81 * sin(slope), 1e-14);
    }
  }
}

/* Sizes that are exact: weight 4, pull 2, mu 1/2. */
TEST(ties_are_told) {
  Contacts c = {.n = 1, .freedoms = 2, .B = {{0, 1}, {1, 0}}, .mass = {1, 1}, .mu = {0.5}};
  c.u[0] = 2;
  c.u[1] = -4;
  complete(&c);
  CHECK_INT(solve(&c), LCP_SOLVED);
  CHECK(force[0] == 4 && force[1] == -2 && tie[0] && mode[0] != FRICTION_OPEN);
  c.u[0] = 1;
  complete(&c);
  CHECK_INT(solve(&c), LCP_SOLVED);
  CHECK(force[0] == 4 && force[1] == -1 && !tie[0] && mode[0] == FRICTION_STICK);
  c.u[1] = 0; /* grazing: no force, nothing holds */
  complete(&c);
  CHECK_INT(solve(&c), LCP_SOLVED);
  CHECK(force[0] == 0 && force[1] == 0 && tie[0] && mode[0] == FRICTION_OPEN && rate[1] == 1);
  c.u[0] = 0;
  complete(&c);
  CHECK_INT(solve(&c), LCP_SOLVED);
  CHECK(force[0] == 0 && tie[0] && mode[0] == FRICTION_OPEN);
}

TEST(without_friction_nothing_sticks) {
  Contacts c = incline(2, 0.1, 0);
  CHECK_INT(solve(&c), LCP_SOLVED);
  check_law(&c, 1e-14);
  CHECK(mode[0] == FRICTION_SLIP_PLUS && force[2] == 0);
  CHECK_CLOSE(rate[2], 9.81 * sin(0.1), 1e-14);
}

/* One that slides, the other at rest: T of the first is given by its N. */
TEST(contacts_that_slide_keep_their_direction) {
  for (int trial = 0; trial < 2000; trial++) {
    Contacts c = any_contacts(2, 6, uniform(0, 0.3));
    const int slip[] = {below(2) ? 1 : -1, 0};
    FrictionProblem p = problem_of(&c);
    p.slip = slip;
    if (friction_solve(&p, &ANSWER, work) != LCP_SOLVED) {
      CHECK_INT(friction_enumerate(&p, &ANSWER, work), 0);
      continue;
    }
    CHECK(force[2] == -slip[0] * c.mu[0] * force[0]);
    if (force[0] > 0) CHECK_INT(mode[0], slip[0] > 0 ? FRICTION_SLIP_PLUS : FRICTION_SLIP_MINUS);
    CHECK(fabs(force[3]) <= c.mu[1] * force[1] && rate[0] >= 0 && rate[1] >= 0);
    CHECK(force[0] * rate[0] == 0 && force[1] * rate[1] == 0 && force[1] >= 0);
    if (mode[1] == FRICTION_STICK) CHECK(rate[3] == 0);
  }
}

/* --- shared loads ------------------------------------------------------------------------ */

/*
** A plate of mass 1 on n feet, and a grain of mass m on it: height and both tilts of the plate,
** height of the grain, under gravity 1.  The load on the feet is 1 + m, its moments are those of
** the grain.
*/
typedef struct Plate {
  Contacts c;
  double x[CONTACTS], y[CONTACTS], grain[2];
} Plate;

static Plate plate(int feet, double narrow, double m) {
  Plate p = {.c = {.n = feet + 1, .freedoms = 4, .mass = {1, 0.3, 0.3, m}, .u = {-1, 0, 0, -1}}};
  for (int i = 0; i < feet; i++) {
    p.x[i] = (i % 2 ? 1 : -1) * uniform(0.5, 1);
    p.y[i] = (i / 2 % 2 ? 1 : -1) * uniform(0.5, 1) * narrow;
    const double row[] = {1, p.x[i], p.y[i]};
    memcpy(p.c.B[i], row, sizeof row);
  }
  for (int k = 0; k < 2; k++)
    p.grain[k] = uniform(-0.2, 0.2) * (k == 0 ? 1 : narrow);
  const double row[] = {-1, -p.grain[0], -p.grain[1], 1};
  memcpy(p.c.B[feet], row, sizeof row);
  complete(&p.c);
  return p;
}

static void check_plate(const Plate *p, double m) {
  double sum = 0, moment[2] = {0};
  FrictionProblem problem = problem_of(&p->c);
  problem.even = 1;
  CHECK_INT(friction_solve(&problem, &ANSWER, work), LCP_SOLVED);
  for (int i = 0; i + 1 < p->c.n; i++) {
    sum += force[i];
    moment[0] += force[i] * p->x[i];
    moment[1] += force[i] * p->y[i];
  }
  CHECK_NEAR(force[p->c.n - 1] / m, 1, 1e-12);
  CHECK_NEAR(sum, 1 + m, 1e-12 * (1 + m));
  for (int k = 0; k < 2; k++)
    CHECK_NEAR(moment[k], m * p->grain[k], 1e-12 * (1 + m));
}

TEST(what_is_shared_is_the_whole_load) {
  for (int trial = 0; trial < 500; trial++)
    for (double m = 1e-12; m < 1e3; m *= 100) {
      const Plate one = plate(4, 1, m), other = plate(6, 0.01, m);
      check_plate(&one, m);
      check_plate(&other, m);
    }
}

/* Feet of a rectangle share alike; what comes later among contacts shares no less. */
TEST(a_load_is_shared_evenly) {
  for (int trial = 0; trial < 100; trial++) {
    Plate p = plate(4, 1, 1);
    p.c.n = 4;
    for (int i = 0; i < 4; i++) {
      p.c.B[i][1] = i % 2 ? 1 : -1;
      p.c.B[i][2] = i / 2 ? 1 : -1;
    }
    complete(&p.c);
    FrictionProblem problem = problem_of(&p.c);
    problem.even = 1;
    CHECK_INT(friction_solve(&problem, &ANSWER, work), LCP_SOLVED);
    for (int i = 0; i < 4; i++)
      CHECK_NEAR(force[i], 0.25, 1e-12);
  }
}

/* Rows of what is heavy and light do not depend on each other, though one hardly responds. */
TEST(heavy_and_light_loads_are_determined) {
  for (double m = 1; m < 1e13; m *= 10) {
    Contacts c = {.n = 2, .freedoms = 2, .mass = {1, m}, .u = {-1, -1}, .B = {{1}, {0, 1}}};
    complete(&c);
    FrictionProblem problem = problem_of(&c);
    problem.even = 1;
    CHECK_INT(friction_solve(&problem, &ANSWER, work), LCP_SOLVED);
    CHECK_NEAR(force[0], 1, 1e-14);
    CHECK_NEAR(force[1] / m, 1, 1e-14);
  }
}

/* What is left to pivots is what may have several solutions, or none. */
TEST(one_contact_is_solved_as_by_pivots) {
  int solved = 0, count[4] = {0};
  for (int trial = 0; trial < 8000; trial++) {
    Contacts c = any_contacts(1, 2 + below(5), trial % 5 == 0 ? 0 : uniform(0, 2));
    const int slip[] = {below(3) - 1};
    const double least[] = {trial % 3 == 0 ? uniform(0, 2) : 0};
    FrictionProblem p = problem_of(&c);
    p.slip = trial % 2 == 0 ? slip : NULL;
    p.least = least;
    const int sticks = c.mu[0] > 0 && (p.slip == NULL || slip[0] == 0);
    const double drag = c.mu[0] * (sticks ? fabs(c.W[1]) : p.slip == NULL ? 0 : slip[0] * c.W[1]);
    const LcpStatus status = friction_solve_single(&p, &ANSWER);
    if (c.W[0] > 1.001 * drag && c.W[0] * c.W[3] > 1.001 * c.W[1] * c.W[2])
      CHECK_INT(status, LCP_SOLVED);
    if (c.W[0] < drag) CHECK_INT(status, LCP_RAY);
    if (status != LCP_SOLVED) continue;
    const double found[] = {force[0], force[1], rate[0], rate[1]};
    const FrictionMode how = mode[0];
    const int tied = tie[0];
    Friction f = friction_take(&(Block){work, 0}, &p, 1);
    CHECK_INT(friction_solve_once(&p, &ANSWER, &f), LCP_SOLVED);
    const double size = fabs(force[0]) + fabs(force[1]), speed = fabs(c.b[0]) + fabs(c.b[1]);
    for (int i = 0; i < 2; i++) {
      CHECK_NEAR(found[i], force[i], 1e-9 * size);
      CHECK_NEAR(found[2 + i], rate[i], 1e-9 * speed);
    }
    CHECK(how == mode[0] && tied == tie[0]);
    count[how]++;
    solved++;
  }
  CHECK(solved > 5000);
  for (int how = 0; how < 4; how++)
    CHECK(count[how] > 300);
}

/*
** The rod that slides on its end: p = W_nn - s mu W_nt < 0 beyond mu = 4/3.  Pressed down no
** force is consistent, otherwise two are.
*/
TEST(painleve_is_named) {
  const int slip[] = {1};
  for (int press = 0; press < 2; press++) {
    Contacts c = rod(atan(2), 1.8, 0);
    c.u[1] = press ? -1 : 1;
    for (int s = -1; s <= 1; s += 2) {
      const int direction[] = {s};
      FrictionProblem p = problem_of(&c);
      complete(&c);
      p.slip = direction;
      const double own = c.W[0] - s * c.mu[0] * c.W[1];
      const int expected = own > 0 ? 1 : press ? 0 : 2;
      CHECK_INT(friction_enumerate(&p, &ANSWER, work), expected);
      CHECK_INT(friction_solve(&p, &ANSWER, work), expected == 0 ? LCP_RAY : LCP_SOLVED);
    }
  }
  Contacts bad = rod(1, 1, 0);
  bad.u[0] = (double)NAN;
  complete(&bad);
  FrictionProblem p = problem_of(&bad);
  p.slip = slip;
  CHECK_INT(friction_solve(&p, &ANSWER, work), LCP_NOT_FINITE);
  CHECK_INT(friction_solve_single(&p, &ANSWER), LCP_RAY);
}
