/* Implicit steps: the methods, matrices, equations with lifted elements, and single steps. */
#include "implicit.h"

#include "test.h"

static const double TOLERANCES[] = {1e-6, 1e-9, 1e-12};
enum { METHODS = 3 };

/* --- methods ----------------------------------------------------------------------------- */

TEST(quadrature_is_exact_up_to_degree_2s_minus_2) {
  for (int k = 0; k < METHODS; k++) {
    const Radau *radau = radau_for(TOLERANCES[k]);
    const int s = radau->stages;
    for (int degree = 0; degree <= 2 * s - 2; degree++) {
      double sum = 0;
      for (int i = 0; i < s; i++)
        sum += radau->A[(s - 1) * s + i] * pow(radau->c[i], degree);
      CHECK_NEAR(sum, 1.0 / (degree + 1), 1e-15);
    }
    double above = 0;
    for (int i = 0; i < s; i++)
      above += radau->A[(s - 1) * s + i] * pow(radau->c[i], 2 * s - 1);
    CHECK(fabs(above - 1.0 / (2 * s)) > 1e-13); /* and no further */
  }
}

TEST(stages_integrate_polynomials) {
  for (int k = 0; k < METHODS; k++) {
    const Radau *radau = radau_for(TOLERANCES[k]);
    const int s = radau->stages;
    for (int degree = 0; degree < s; degree++)
      for (int i = 0; i < s; i++) {
        double once = 0, twice = 0;
        for (int j = 0; j < s; j++) {
          once += radau->A[i * s + j] * pow(radau->c[j], degree);
          twice += radau->square[i * s + j] * pow(radau->c[j], degree);
        }
        CHECK_NEAR(once, pow(radau->c[i], degree + 1) / (degree + 1), 1e-15);
        if (degree + 1 < s) /* a polynomial of degree s is no longer integrated */
          CHECK_NEAR(twice, pow(radau->c[i], degree + 2) / ((degree + 1) * (degree + 2)), 1e-15);
      }
  }
}

/* A T = T / mu, T T^-1 = 1 */
TEST(eigenvectors_take_the_method_apart) {
  for (int k = 0; k < METHODS; k++) {
    const Radau *radau = radau_for(TOLERANCES[k]);
    const int s = radau->stages;
    for (int p = 0; p <= radau->pairs; p++) {
      const double *re = radau->out_re + p * s, *im = radau->out_im + p * s;
      const double size = radau->mu_re[p] * radau->mu_re[p] + radau->mu_im[p] * radau->mu_im[p];
      for (int i = 0; i < s; i++) {
        double x = 0, y = 0;
        for (int j = 0; j < s; j++) {
          x += radau->A[i * s + j] * re[j];
          y += radau->A[i * s + j] * im[j];
        }
        CHECK_NEAR(x, (re[i] * radau->mu_re[p] + im[i] * radau->mu_im[p]) / size, 1e-15);
        CHECK_NEAR(y, (im[i] * radau->mu_re[p] - re[i] * radau->mu_im[p]) / size, 1e-15);
      }
    }
    for (int i = 0; i < s; i++)
      for (int j = 0; j < s; j++) {
        double sum = radau->out_re[i] * radau->in_re[j];
        for (int p = 1; p <= radau->pairs; p++)
          sum += 2 * (radau->out_re[p * s + i] * radau->in_re[p * s + j] -
                      radau->out_im[p * s + i] * radau->in_im[p * s + j]);
        CHECK_NEAR(sum, i == j, 1e-12); /* entries of T^-1 are up to 600 */
      }
  }
}

TEST(polynomials_through_stages) {
  for (int k = 0; k < METHODS; k++) {
    const Radau *radau = radau_for(TOLERANCES[k]);
    const int s = radau->stages;
    double values[MOST_STAGES], powers[MOST_STAGES], weights[MOST_STAGES];
    for (int i = 0; i < s; i++)
      values[i] = 1 / (1 + 0.3 * radau->c[i]);
    radau_powers(radau, values, powers);
    for (double tau = 0; tau <= 1; tau += 0.125) {
      double sum = 0, horner = 0;
      radau_weights(radau, tau, weights);
      for (int i = 0; i < s; i++)
        sum += weights[i] * values[i];
      for (int j = s - 1; j >= 0; j--)
        horner = horner * tau + powers[j];
      CHECK_NEAR(sum, 1 / (1 + 0.3 * tau), pow(0.09, s - 1));
      CHECK_NEAR(horner, sum, 1e-12);
    }
    radau_weights(radau, radau->c[2], weights);
    for (int i = 0; i < s; i++)
      CHECK_NEAR(weights[i], i == 2, 1e-13);
  }
}

/* --- a spring pendulum ------------------------------------------------------------------- */

static sarrus_Expr times(sarrus_Graph *g, sarrus_Expr a, sarrus_Expr b) {
  return sarrus_graph_apply(g, SARRUS_OP_PRODUCT, a, b, SARRUS_NONE);
}

static sarrus_Expr plus(sarrus_Graph *g, sarrus_Expr a, double factor, sarrus_Expr b) {
  return sarrus_graph_linear(g, 0, 2, (sarrus_Term[]){{1, a}, {factor, b}});
}

static sarrus_Expr over(sarrus_Graph *g, sarrus_Expr a, sarrus_Expr b) {
  return sarrus_graph_apply(g, SARRUS_OP_QUOTIENT, a, b, SARRUS_NONE);
}

static const double K = 1e8, C = 1e4, G = 9.81;

/* Mass 1 on a spring of unstressed length 1: x, y; its force is known as an element, too. */
static sarrus_System *spring_pendulum(int lifted) {
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  const sarrus_Expr x = sarrus_graph_symbol(g, SARRUS_Q, 0),
                    y = sarrus_graph_symbol(g, SARRUS_Q, 1),
                    u = sarrus_graph_symbol(g, SARRUS_V, 0),
                    v = sarrus_graph_symbol(g, SARRUS_V, 1), one = sarrus_graph_constant(g, 1);
  const sarrus_Expr square = plus(g, times(g, x, x), 1, times(g, y, y)),
                    l = sarrus_graph_apply(g, SARRUS_OP_SQRT, square, SARRUS_NONE, SARRUS_NONE),
                    rate = over(g, plus(g, times(g, x, u), 1, times(g, y, v)), l);
  const sarrus_Expr effort = sarrus_graph_linear(g, K, 2, (sarrus_Term[]){{-K, l}, {-C, rate}});
  const sarrus_Expr fx = times(g, effort, over(g, x, l)), fy = times(g, effort, over(g, y, l)),
                    weight = sarrus_graph_linear(g, -G, 1, (sarrus_Term[]){{1, fy}});
  const sarrus_MassEntry mass[] = {{0, 0, one}, {1, 1, one}};
  const sarrus_ForceShare share[] = {{0, 0, fx}, {0, 1, fy}};
  const sarrus_Element element = {0, l, rate, effort};
  const sarrus_SystemSpec spec = {.graph = g,
                                  .coordinates = 2,
                                  .masses = 2,
                                  .mass = mass,
                                  .lagrangian = SARRUS_NONE,
                                  .force = (sarrus_Expr[]){fx, weight},
                                  .forces = 1,
                                  .shares = 2,
                                  .share = share,
                                  .elements = lifted,
                                  .element = &element};
  sarrus_System *system;
  sarrus_Fault fault;
  CHECK_OK(sarrus_system_new(sarrus_memory_default(), &spec, &system, &fault));
  sarrus_graph_free(g);
  return system;
}

TEST(what_is_lifted_leaves_the_other_equations) {
  sarrus_System *system = spring_pendulum(1);
  Equations *equations;
  REQUIRE_OK(equations_new(sarrus_memory_default(), system, system, &equations));
  CHECK_INT(equations->n, 3);
  CHECK_INT(equations->m, 1);
  CHECK_INT(equations->size, 4);
  /* stiffness is on the diagonal of l alone */
  int stiff = 0, damped = 0;
  for (int i = 0; i < equations->term_count; i++) {
    const MatrixTerm *term = &equations->term[i];
    if (term->power == 0) continue;
    CHECK_INT(equations->column[term->entry], 2);
    CHECK(term->entry >= equations->start[2] && term->entry < equations->start[3]);
    stiff += term->power == 2;
    damped += term->power == 1;
  }
  CHECK_INT(stiff, 1);
  CHECK_INT(damped, 1);
  equations_free(equations);
  sarrus_system_free(system);
}

static Surroundings around(const double *zeros, const double *ones) {
  static const int none[4] = {0};
  return (Surroundings){.parameters = zeros,
                        .modes = zeros,
                        .branch = none,
                        .dependent = none,
                        .scale = ones,
                        .lambda = zeros,
                        .a = zeros,
                        .tolerance = 1e-14};
}

/* Where the pendulum is after `steps` of h, from its static stretch; NaN where one fails. */
static double place_after(Implicit *implicit, int steps, double h) {
  const double zeros[4] = {0}, ones[4] = {1, 1, 1, 1}, l = 1 + G * cos(1) / K;
  double q[2] = {l * sin(1), -l * cos(1)}, v[2] = {0};
  const Surroundings here = around(zeros, ones);
  implicit->last_h = 0;
  for (int i = 0; i < steps; i++) {
    const Point from = {.t = i * h, .q = q, .v = v};
    if (implicit_solve(implicit, &from, h, &here) < 0) return (double)NAN;
    memcpy(q, implicit->end_q, sizeof q);
    memcpy(v, implicit->end_v, sizeof v);
    implicit_keep(implicit, h);
    memcpy(implicit->last_q, q, sizeof q);
    memcpy(implicit->last_v, v, sizeof v);
  }
  return q[0];
}

/* Of s stages it is 2s - 1, whatever the stiffness. */
TEST(order) {
  sarrus_System *system = spring_pendulum(1);
  Implicit *implicit;
  REQUIRE_OK(implicit_new(sarrus_memory_default(), system, system, 1e-6, &implicit));
  const double exact = place_after(implicit, 64, 1.2 / 64);
  const double e1 = place_after(implicit, 8, 0.15) - exact,
               e2 = place_after(implicit, 16, 0.075) - exact;
  CHECK(fabs(e1) < 1e-8);
  CHECK_NEAR(log2(e1 / e2), 9, 0.3);
  implicit_free(implicit);
  sarrus_system_free(system);
}

/* Lifted, Newton's method contracts however stiff the spring is; as a plain force, it does not. */
TEST(lifting_makes_newton_converge) {
  sarrus_System *lifted = spring_pendulum(1), *plain = spring_pendulum(0);
  Implicit *implicit;
  REQUIRE_OK(implicit_new(sarrus_memory_default(), lifted, lifted, 1e-9, &implicit));
  CHECK(isfinite(place_after(implicit, 1, 0.1)));
  CHECK(implicit->contraction < 0.2);
  implicit_free(implicit);
  REQUIRE_OK(implicit_new(sarrus_memory_default(), plain, plain, 1e-9, &implicit));
  CHECK(isnan(place_after(implicit, 1, 0.1)));
  implicit_free(implicit);
  sarrus_system_free(lifted);
  sarrus_system_free(plain);
}

/*
** The series of a step: velocities are those of the stages, positions at the end (in between, those
** of the stages are not quite the integral of velocities).
*/
TEST(series_of_a_step) {
  sarrus_System *system = spring_pendulum(1);
  Implicit *implicit;
  const double zeros[4] = {0}, ones[4] = {1, 1, 1, 1}, l = 1 + G * cos(1) / K, h = 0.1;
  double q[2] = {l * sin(1), -l * cos(1)}, v[2] = {0.3, -0.1}, c[12 * 2], at[2], rate[2];
  const Surroundings here = around(zeros, ones);
  const Point from = {.t = 0, .q = q, .v = v};
  Span span = {.n = 2, .c = c};
  v[0] = 0.3 * cos(1);
  v[1] = 0.3 * sin(1);
  REQUIRE_OK(implicit_new(sarrus_memory_default(), system, system, 1e-9, &implicit));
  REQUIRE_OK(implicit_solve(implicit, &from, h, &here));
  implicit_write(implicit, &from, h, &span);
  CHECK_INT(span.order, 7);
  for (int i = 0; i < 7; i++) {
    span_evaluate(&span, implicit->radau->c[i] * h, at, rate, NULL, NULL);
    for (int j = 0; j < 2; j++) {
      CHECK_NEAR(rate[j], implicit->V[j * implicit->sides.width + i], 1e-11);
      if (i == 6) CHECK_NEAR(at[j], implicit->Q[j * implicit->sides.width + i], 1e-13);
    }
  }
  implicit_free(implicit);
  sarrus_system_free(system);
}

/* All of a system's simulations share them. */
TEST(equations_are_made_once) {
  sarrus_System *system = spring_pendulum(1);
  Implicit *one, *other;
  REQUIRE_OK(implicit_new(sarrus_memory_default(), system, system, 1e-9, &one));
  REQUIRE_OK(implicit_new(sarrus_memory_default(), system, system, 1e-6, &other));
  CHECK(one->equations == other->equations);
  implicit_free(one);
  CHECK_INT(other->equations->n, 3);
  implicit_free(other);
  sarrus_system_free(system);
}

/* Also where a step first needs room for its factors. */
static sarrus_Status make_and_step(sarrus_Memory memory, const sarrus_System *system) {
  const double zeros[4] = {0}, ones[4] = {1, 1, 1, 1};
  double q[2] = {0, -1}, v[2] = {0};
  const Surroundings here = around(zeros, ones);
  const Point from = {.t = 0, .q = q, .v = v};
  Implicit *implicit;
  Equations *equations;
  SARRUS_TRY(equations_new(memory, system, system, &equations));
  equations_free(equations);
  SARRUS_TRY(implicit_new(memory, system, system, 1e-9, &implicit));
  const sarrus_Status status = implicit_solve(implicit, &from, 0.01, &here);
  implicit_free(implicit);
  return status;
}

TEST(memory_that_runs_out) {
  sarrus_System *system = spring_pendulum(1);
  for (long n = 1;; n++) {
    TestMemory m;
    const sarrus_Status status = make_and_step(test_memory_failing(&m, n), system);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) break;
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
  sarrus_system_free(system);
}
