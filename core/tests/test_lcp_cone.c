/* Friction in space: Coulomb's law, planar problems in it, and axes that do not show. */
#include "lcp_cone.h"
#include "lcp_problems.h"

enum { MOST = 8, SPATIAL = 3 * MOST, RIGID = 18 };

/* Rows B, normals first, then both slips, over freedoms of mass 1 whose speeds are u. */
typedef struct Scene {
  int n, freedoms;
  double B[SPATIAL][RIGID], u[RIGID], W[SPATIAL * SPATIAL], b[SPATIAL], mu[MOST];
} Scene;

static _Alignas(16) char work[1 << 23];
static double force[SPATIAL], rate[SPATIAL];

static void complete_scene(Scene *s) {
  const int rows = 3 * s->n;
  for (int i = 0; i < rows; i++) {
    s->b[i] = 0;
    for (int k = 0; k < s->freedoms; k++)
      s->b[i] += s->B[i][k] * s->u[k];
    for (int j = 0; j < rows; j++) {
      double sum = 0;
      for (int k = 0; k < s->freedoms; k++)
        sum += s->B[i][k] * s->B[j][k];
      s->W[i * rows + j] = sum;
    }
  }
}

/* A row of a body: along an axis, at r from its centre, with its radii of gyration. */
static void touch(Scene *s, int row, const double axis[3], const double *r,
                  const double *gyration) {
  const double turn[3] = {r[1] * axis[2] - r[2] * axis[1], r[2] * axis[0] - r[0] * axis[2],
                          r[0] * axis[1] - r[1] * axis[0]};
  for (int c = 0; c < 3; c++) {
    s->B[row][c] = axis[c];
    s->B[row][3 + c] = turn[c] / gyration[c];
  }
}

static const double AXES[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};

/* A body on n points of a floor: random ones, or the corners of a rectangle. */
static Scene on_floor(int n, int rectangle, double mu) {
  Scene s = {.n = n, .freedoms = 6};
  const double x = uniform(0.2, 2), y = uniform(0.2, 2), z = -uniform(0.2, 2);
  const double gyration[3] = {uniform(0.3, 1), uniform(0.3, 1), uniform(0.3, 1)};
  for (int i = 0; i < n; i++) {
    const double r[3] = {rectangle ? (i % 2 ? x : -x) : uniform(-1, 1),
                         rectangle ? (i / 2 ? y : -y) : uniform(-1, 1), z};
    for (int a = 0; a < 3; a++)
      touch(&s, a * n + i, AXES[a], r, gyration);
    s.mu[i] = mu;
  }
  for (int k = 0; k < 6; k++)
    s.u[k] = uniform(-1, 1);
  complete_scene(&s);
  return s;
}

/* Rows of numbers between -1 and 1. */
static Scene any_scene(int n, int freedoms, double mu) {
  Scene s = {.n = n, .freedoms = freedoms};
  for (int i = 0; i < 3 * n; i++)
    for (int k = 0; k < freedoms; k++)
      s.B[i][k] = uniform(-1, 1);
  for (int i = 0; i < n; i++)
    s.mu[i] = mu;
  for (int k = 0; k < freedoms; k++)
    s.u[k] = uniform(-1, 1);
  complete_scene(&s);
  return s;
}

static LcpStatus solve(const Scene *s) {
  CHECK(cone_work_size(s->n) <= sizeof work);
  const FrictionProblem problem = {.n = s->n, .W = s->W, .b = s->b, .mu = s->mu};
  const FrictionAnswer answer = {.force = force, .rate = rate};
  return cone_solve(&problem, 0, &answer, work);
}

/* By how much Coulomb's law is missed, as a part of the largest rate. */
static double missed(const Scene *s) {
  const int n = s->n, rows = 3 * n;
  double worst = 0, size = 0, a[SPATIAL];
  for (int i = 0; i < rows; i++) {
    a[i] = s->b[i];
    for (int j = 0; j < rows; j++)
      a[i] += s->W[i * rows + j] * force[j];
    size = fmax(size, fabs(s->b[i]));
  }
  for (int i = 0; i < n; i++) {
    const double N = force[i], T = hypot(force[n + i], force[2 * n + i]);
    const double v = hypot(a[n + i], a[2 * n + i]), bound = s->mu[i] * N;
    worst = fmax(worst, -a[i] / size);
    worst = fmax(worst, fmin(fabs(a[i]), N) / size);
    if (N < 0) worst = 1;
    if (T > bound) worst = fmax(worst, (T - bound) / size);
    for (int k = 1; k <= 2; k++)
      worst = fmax(worst, fabs(v * force[k * n + i] + bound * a[k * n + i]) / (size * size));
  }
  return worst;
}

/* Turned slips of all contacts by an angle. */
static Scene turned(const Scene *s, double angle) {
  Scene t = *s;
  const double c = cos(angle), d = sin(angle);
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < s->freedoms; k++) {
      const double x = s->B[s->n + i][k], y = s->B[2 * s->n + i][k];
      t.B[s->n + i][k] = c * x + d * y;
      t.B[2 * s->n + i][k] = c * y - d * x;
    }
  complete_scene(&t);
  return t;
}

/* Speeds of all freedoms that forces cause. */
static void find_motion(const Scene *s, double *u) {
  for (int k = 0; k < s->freedoms; k++) {
    u[k] = s->u[k];
    for (int i = 0; i < 3 * s->n; i++)
      u[k] += s->B[i][k] * force[i];
  }
}

static void check_scene(const Scene *s) {
  double one[RIGID], two[RIGID];
  CHECK_INT(solve(s), LCP_SOLVED);
  CHECK(missed(s) <= 1e-12);
  find_motion(s, one);
  const Scene t = turned(s, uniform(0, 6));
  CHECK_INT(solve(&t), LCP_SOLVED);
  find_motion(&t, two);
  for (int k = 0; k < s->freedoms; k++)
    CHECK_NEAR(two[k], one[k], 1e-12);
}

TEST(one_point_obeys_coulombs_law) {
  for (int trial = 0; trial < 2000; trial++) {
    const Scene s = on_floor(1, 0, uniform(0, 0.5));
    check_scene(&s);
  }
}

TEST(three_points_obey_coulombs_law) {
  for (int trial = 0; trial < 1000; trial++) {
    const Scene s = on_floor(3, 0, uniform(0, 0.3));
    check_scene(&s);
  }
}

/* Four corners: what they carry is not determined, and the axes must not tell. */
TEST(four_corners_share_in_one_way) {
  for (int trial = 0; trial < 300; trial++) {
    const Scene s = on_floor(4, 1, uniform(0, 0.3));
    check_scene(&s);
  }
}

/* Where friction is great there may be several answers: facets find one. */
TEST(great_friction_has_an_answer) {
  int missing = 0;
  for (int trial = 0; trial < 1000; trial++) {
    const Scene s = any_scene(1 + trial % 8, 18, uniform(0, 2));
    if (solve(&s) != LCP_SOLVED)
      missing++;
    else
      CHECK(missed(&s) <= 1e-10);
  }
  CHECK(missing <= 1);
}

/* What moves in a plane is the planar problem. */
TEST(planar_friction_is_friction_in_space) {
  static double planar_force[ROWS], planar_rate[ROWS];
  static FrictionMode mode[CONTACTS];
  static unsigned char tie[CONTACTS];
  for (int trial = 0; trial < 1000; trial++) {
    const Contacts c = any_contacts(1 + trial % 4, 9, uniform(0, 0.5));
    const FrictionProblem planar = {.n = c.n, .W = c.W, .b = c.b, .mu = c.mu};
    Scene s = {.n = c.n, .freedoms = 9};
    for (int i = 0; i < 2 * c.n; i++) {
      s.b[i] = c.b[i];
      s.mu[i % c.n] = c.mu[i % c.n];
      for (int j = 0; j < 2 * c.n; j++)
        s.W[i * 3 * c.n + j] = c.W[i * 2 * c.n + j];
    }
    CHECK_INT(
        friction_solve(&planar, &(FrictionAnswer){planar_force, planar_rate, mode, tie}, work),
        LCP_SOLVED);
    CHECK_INT(solve(&s), LCP_SOLVED);
    for (int i = 0; i < 2 * c.n; i++)
      CHECK_NEAR(force[i], planar_force[i], 1e-13);
  }
}

/*
** Facets are exact where things slide along one of them, or not at all: of three contacts apart
** from each other one slides, one sticks and one has no friction.
*/
TEST(facets_along_which_things_slide) {
  enum { APART = 3, ALL = 3 * APART };
  static const double W_OF[APART] = {2, 0.5, 3}, NORMAL[APART] = {1.5, 2, 0.25},
                      MU[APART] = {0.4, 0.9, 0};
  const double turn = 8 * atan(1), phi[APART] = {0.3, -1.1, 2};
  CHECK(facets_work_size(APART) <= sizeof work);
  for (int count = 4; count <= MOST_FACETS; count += 2) {
    for (int way = 0; way < count; way++) {
      double W[ALL * ALL] = {0}, b[ALL], least[APART], along[2 * APART];
      for (int k = 0; k < APART; k++) {
        const double angle = phi[k] + turn * way / count;
        const double v = k == 1 ? 0.5 * W_OF[k] * MU[k] * NORMAL[k] : 7;
        for (int r = 0; r < 3; r++)
          W[(r * APART + k) * (ALL + 1)] = W_OF[k];
        along[2 * k] = cos(phi[k]);
        along[2 * k + 1] = sin(phi[k]);
        b[k] = -W_OF[k] * NORMAL[k];
        b[APART + k] = v * cos(angle);
        b[2 * APART + k] = v * sin(angle);
        least[k] = way % 2 ? 0.5 * NORMAL[k] : 0;
      }
      const FrictionProblem problem = {.n = APART, .W = W, .b = b, .mu = MU, .least = least};
      const FrictionAnswer answer = {.force = force, .rate = rate};
      CHECK_INT(facets_solve(&problem, count, along, &answer, work), LCP_SOLVED);
      for (int k = 0; k < APART; k++) {
        const double angle = phi[k] + turn * way / count;
        const double T = (k == 1 ? 0.5 : 1) * MU[k] * NORMAL[k];
        CHECK_NEAR(force[k], NORMAL[k], 1e-13);
        CHECK_NEAR(force[APART + k], -T * cos(angle), 1e-13);
        CHECK_NEAR(force[2 * APART + k], -T * sin(angle), 1e-13);
        CHECK_NEAR(rate[k], 0, 1e-13);
        CHECK_NEAR(hypot(rate[APART + k], rate[2 * APART + k]), k == 1 ? 0 : 7 - W_OF[k] * T,
                   1e-12);
      }
    }
  }
}

static int turns;

static double missed_after_a_turn(const void *scene) {
  turns++;
  return missed(scene);
}

/* Two contacts of a body: forces are unique.  Newton's method stays at them, and comes back. */
TEST(newton_stays_at_answers) {
  for (int trial = 0; trial < 300; trial++) {
    const int n = 1 + trial % 2;
    const Scene s = on_floor(n, 0, trial % 7 == 0 ? 0 : uniform(0.1, 1));
    const FrictionProblem problem = {.n = n, .W = s.W, .b = s.b, .mu = s.mu};
    const FrictionAnswer answer = {.force = force, .rate = rate};
    double known[SPATIAL], size = 0;
    CHECK_INT(solve(&s), LCP_SOLVED);
    memcpy(known, force, sizeof known);
    for (int i = 0; i < 3 * n; i++)
      size = fmax(size, fabs(force[i]));
    for (int beside = 0; beside < 2; beside++) {
      for (int i = 0; i < 3 * n; i++)
        force[i] = known[i] + beside * uniform(-0.01, 0.01) * known[i];
      cone_find_rates(&problem, &answer);
      turns = 0;
      CHECK_INT(newton_solve(&problem, missed_after_a_turn, &s, &answer, work), LCP_SOLVED);
      CHECK(turns <= (beside ? 12 : 2));
      CHECK(missed(&s) <= 1e-12);
      for (int i = 0; i < 3 * n; i++)
        CHECK_NEAR(force[i], known[i], 1e-4 * fmax(1, size)); /* as W is conditioned */
    }
  }
}
