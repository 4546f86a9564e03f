/*
** Expansions of systems that are made for a solution: q* and lambda* are sines of their own rates
** and phases, masses, constraints and forces are chosen at random, and the forces are what this
** motion needs.  Every coefficient is then known.
*/
#include "mechanisms.h"

enum { ORDER = 12, MOST_N = 4, MOST_M = 4 };

/* What is chosen, and what the system is made of. */
typedef struct Chosen {
  int n, positions, rates; /* coordinates, constraints of positions and of velocities */
  int damped, nonlinear, touching, parameters;
  double rate[MOST_N + MOST_M], phase[MOST_N + MOST_M], value[2];
  double stiffness, damping;
  Parts *p;
  sarrus_Expr gradient[MOST_M][MOST_N]; /* of constraints */
} Chosen;

static int whole_in(unsigned *seed, int low, int high) {
  return low + (int)random_in(seed, 0, high - low + 0.999);
}

/* The k-th coefficient of sin(rate t + phase) about t. */
static double coefficient_of(const Chosen *c, int i, int k, double t) {
  const double quarter = acos(-1) / 2;
  return pow(c->rate[i], k) * sin(c->rate[i] * t + c->phase[i] + k * quarter) / tgamma(k + 1);
}

/* The derivative of it, as an expression: of order 0, 1 or 2. */
static sarrus_Expr star(const Chosen *c, int i, int derivative) {
  sarrus_Graph *g = c->p->g;
  const sarrus_Expr u = add(g, scaled(g, c->rate[i], c->p->t), constant(g, c->phase[i]));
  const sarrus_Expr f = unary(g, derivative == 1 ? SARRUS_OP_COS : SARRUS_OP_SIN, u);
  return scaled(g, (derivative == 2 ? -1 : 1) * pow(c->rate[i], derivative), f);
}

static sarrus_Expr parameter(const Chosen *c, int i) {
  return sarrus_graph_symbol(c->p->g, SARRUS_PARAMETER, i);
}

/* --- the system ------------------------------------------------------------------------ */

/* M_ii = m (2 + cos q_i), M_ij = 0.3 cos(q_i - q_j) between neighbours. */
static void set_masses(Chosen *c) {
  Parts *p = c->p;
  sarrus_Graph *g = p->g;
  for (int i = 0; i < c->n; i++) {
    const sarrus_Expr own = add(g, constant(g, 2), cosine(p, p->q[i]));
    p->mass[i * c->n + i] = c->parameters ? mul(g, parameter(c, i % 2), own) : own;
    if (i == 0) continue;
    const sarrus_Expr both = scaled(g, 0.3, cosine(p, sub(g, p->q[i], p->q[i - 1])));
    p->mass[i * c->n + i - 1] = p->mass[(i - 1) * c->n + i] = both;
  }
}

/* q_i + 0.3 sin q_j, j the next coordinate, is what it is along q*. */
static void set_positions(Chosen *c) {
  Parts *p = c->p;
  sarrus_Graph *g = p->g;
  for (int i = 0; i < c->positions; i++) {
    const int j = (i + 1) % c->n;
    const sarrus_Expr now = add(g, p->q[i], scaled(g, 0.3, sine(p, p->q[j])));
    const sarrus_Expr then = add(g, star(c, i, 0), scaled(g, 0.3, sine(p, star(c, j, 0))));
    p->constraint[i] = sub(g, now, then);
    c->gradient[i][i] = constant(g, 1);
    c->gradient[i][j] = scaled(g, 0.3, cosine(p, p->q[j]));
  }
  p->spec.constraints = c->positions;
}

/* (2 + q_0) v of the last coordinate, too. */
static void set_rates(Chosen *c) {
  Parts *p = c->p;
  sarrus_Graph *g = p->g;
  const int last = c->n - 1;
  if (c->rates == 0) return;
  const sarrus_Expr now = mul(g, add(g, constant(g, 2), p->q[0]), p->v[last]);
  const sarrus_Expr then = mul(g, add(g, constant(g, 2), star(c, 0, 0)), star(c, last, 1));
  p->velocity_constraint[0] = sub(g, now, then);
  c->gradient[c->positions][last] = add(g, constant(g, 2), p->q[0]);
  p->spec.velocity_constraints = 1;
}

/* f = M a* + G^T lambda* + k (q - q*) + d (v - v*) + (lambda_0^2 - lambda*_0^2) / 10 */
static void set_forces(Chosen *c) {
  Parts *p = c->p;
  sarrus_Graph *g = p->g;
  const int m = c->positions + c->rates;
  for (int i = 0; i < c->n; i++) {
    sarrus_Expr f = scaled(g, c->stiffness, sub(g, p->q[i], star(c, i, 0)));
    for (int j = 0; j < c->n; j++)
      f = add(g, f, mul(g, p->mass[i * c->n + j], star(c, j, 2)));
    for (int k = 0; k < m; k++)
      if (c->gradient[k][i] != SARRUS_NONE)
        f = add(g, f, mul(g, c->gradient[k][i], star(c, c->n + k, 0)));
    if (c->damped) f = add(g, f, scaled(g, c->damping, sub(g, p->v[i], star(c, i, 1))));
    if (c->nonlinear && m > 0) {
      const sarrus_Expr lambda = sarrus_graph_symbol(g, SARRUS_LAMBDA, 0);
      const sarrus_Expr then = power(g, star(c, c->n, 0), 2);
      f = add(g, f, scaled(g, 0.1, sub(g, power(g, lambda, 2), then)));
    }
    p->force[i] = f;
  }
}

/* A contact that is open: it has rows, but none of them acts. */
static void set_contact(Chosen *c) {
  Parts *p = c->p;
  sarrus_Graph *g = p->g;
  if (!c->touching) return;
  p->contact[0].gap = add(g, p->q[0], constant(g, 50));
  p->contact[0].slip[0] = p->v[c->n - 1];
  p->contact[0].friction = constant(g, 0.5);
  p->spec.contacts = 1;
}

static Chosen draw_chosen(unsigned *seed) {
  Chosen c = {.n = whole_in(seed, 1, MOST_N)};
  c.positions = whole_in(seed, 0, c.n > 1 ? c.n - 1 : 0);
  c.rates = c.positions < c.n - 1 ? whole_in(seed, 0, 1) : 0;
  c.damped = whole_in(seed, 0, 1);
  c.nonlinear = whole_in(seed, 0, 2) == 0;
  c.touching = whole_in(seed, 0, 3) == 0;
  c.parameters = 2 * whole_in(seed, 0, 1);
  c.stiffness = random_in(seed, -1, 1);
  c.damping = random_in(seed, -1, 1);
  for (int i = 0; i < c.n + MOST_M; i++) {
    c.rate[i] = random_in(seed, 0.5, 1.5);
    c.phase[i] = random_in(seed, -3, 3);
  }
  c.value[0] = random_in(seed, 1, 3);
  c.value[1] = random_in(seed, 1, 3);
  for (int k = 0; k < MOST_M; k++)
    for (int j = 0; j < MOST_N; j++)
      c.gradient[k][j] = SARRUS_NONE;
  c.p = parts_new(sarrus_memory_default(), c.n);
  c.p->spec.parameters = c.parameters;
  set_masses(&c);
  set_positions(&c);
  set_rates(&c);
  set_forces(&c);
  set_contact(&c);
  return c;
}

/* --- comparisons ----------------------------------------------------------------------- */

static void check_coefficients(const Chosen *c, const sarrus_Expansion *x, int order, double t) {
  const int m = c->positions + c->rates;
  for (int k = 0; k <= order; k++) {
    const double allowed = 1e-13 * pow(3, k);
    for (int i = 0; i < c->n; i++) {
      CHECK_NEAR(sarrus_expansion_q(x, i, k), coefficient_of(c, i, k, t), allowed);
      if (k < order)
        CHECK_NEAR(sarrus_expansion_v(x, i, k), (k + 1) * coefficient_of(c, i, k + 1, t),
                   10 * (k + 1) * allowed);
    }
    for (int i = 0; i < m && k <= order - 2; i++)
      CHECK_NEAR(sarrus_expansion_lambda(x, i, k), coefficient_of(c, c->n + i, k, t),
                 100 * (k + 1) * (k + 2) * allowed);
    for (int i = m; c->touching && i < m + 2 && k <= order - 2; i++)
      CHECK(sarrus_expansion_lambda(x, i, k) == 0);
  }
}

static void check_orders(const Chosen *c, const sarrus_Expansion *x, int order) {
  const int m = c->positions + c->rates + 2 * c->touching;
  CHECK_INT(sarrus_expansion_order(x, -1), SARRUS_NONE);
  CHECK_INT(sarrus_expansion_order(x, c->n + m), SARRUS_NONE);
  for (int i = 0; i < c->n + m; i++)
    CHECK_INT(sarrus_expansion_order(x, i), i < c->n ? order : order - 2);
  CHECK(isnan(sarrus_expansion_q(x, -1, 0)) && isnan(sarrus_expansion_q(x, c->n, 0)));
  CHECK(isnan(sarrus_expansion_q(x, 0, -1)) && isnan(sarrus_expansion_q(x, 0, order + 1)));
  CHECK(isnan(sarrus_expansion_v(x, 0, -1)) && isnan(sarrus_expansion_v(x, 0, order)));
  CHECK(isnan(sarrus_expansion_lambda(x, -1, 0)) && isnan(sarrus_expansion_lambda(x, m, 0)));
  CHECK_INT(sarrus_expansion_dependent(x, -1), 0);
  CHECK_INT(sarrus_expansion_dependent(x, m), 0);
  for (int i = 0; i < m; i++)
    CHECK_INT(sarrus_expansion_dependent(x, i), 0); /* off is not dependent */
}

/* Where the chosen motion is at t; Newton's method starts a little off. */
static sarrus_Status expand_at(const Chosen *c, sarrus_Expansion *x, double t, unsigned *seed,
                               sarrus_Fault *fault) {
  double q[MOST_N], v[MOST_N], guess[MOST_M + 2] = {5, 5, 5, 5, 5, 5}; /* of what is off: any */
  for (int i = 0; i < c->n; i++) {
    q[i] = coefficient_of(c, i, 0, t);
    v[i] = coefficient_of(c, i, 1, t);
  }
  for (int i = 0; i < c->positions + c->rates; i++)
    guess[i] = coefficient_of(c, c->n + i, 0, t) + random_in(seed, -0.01, 0.01);
  sarrus_expansion_guess(x, guess);
  return sarrus_expansion_run(x, t, q, v, c->parameters ? c->value : NULL, 1e-9, fault);
}

TEST(motions_that_were_chosen) {
  unsigned seed = 1;
  for (int round = 0; round < 250; round++) {
    Chosen c = draw_chosen(&seed);
    const int order = round % 10 == 0 ? 2 : whole_in(&seed, 2, ORDER);
    sarrus_System *system = NULL;
    sarrus_Expansion *x = NULL;
    sarrus_Fault fault;
    TestMemory memory;
    const sarrus_Memory counting = test_memory_counting(&memory);
    REQUIRE_OK(sarrus_system_new(counting, parts_spec(c.p), &system, &fault));
    REQUIRE_OK(sarrus_expansion_new(counting, system, order, &x));
    for (int again = 0; again < 2; again++) { /* somewhere else, in the same block */
      const double t = random_in(&seed, -2, 2);
      if (!CHECK_OK(expand_at(&c, x, t, &seed, &fault)))
        printf("  round %d, row %d, column %d\n", round, fault.row, fault.column);
      check_coefficients(&c, x, order, t);
      check_orders(&c, x, order);
    }
    sarrus_expansion_free(x);
    sarrus_system_free(system);
    parts_free(c.p);
    CHECK_INT(memory.blocks, 0);
    CHECK_INT(memory.bytes, 0);
  }
}

/* --- general DAEs ---------------------------------------------------------------------- */

/*
** x_0' = x_0*' + y - y* + x_1 - x_1*,  x_1' = x_1*' + x_0 - x_0* and, of index 1, 2 or 3,
**   0 = 2 y + sin y - (2 y* + sin y*) + x_1 - x_1*,  0 = x_0 - x_0*,  0 = x_1 - x_1*
*/
static sarrus_Expr curve(sarrus_Graph *g, sarrus_Expr y) {
  return add(g, scaled(g, 2, y), unary(g, SARRUS_OP_SIN, y));
}

static sarrus_Status make_dae(const Chosen *c, int index, sarrus_System **system) {
  Parts *p = c->p;
  sarrus_Graph *g = p->g;
  const sarrus_Expr y = sarrus_graph_symbol(g, SARRUS_LAMBDA, 0), then = star(c, 2, 0);
  const sarrus_Expr error[] = {sub(g, p->q[0], star(c, 0, 0)), sub(g, p->q[1], star(c, 1, 0))};
  const sarrus_Expr derivative[] = {
      add(g, add(g, star(c, 0, 1), sub(g, y, then)), error[1]),
      add(g, star(c, 1, 1), error[0]),
  };
  const sarrus_Expr held = add(g, sub(g, curve(g, y), curve(g, then)), error[1]);
  const sarrus_Expr constraint[] = {index == 1 ? held : error[index - 2]};
  const sarrus_DaeSpec spec = {.graph = g,
                               .differential = 2,
                               .algebraic = 1,
                               .derivative = derivative,
                               .constraint = constraint};
  sarrus_Fault fault;
  int found = -1;
  SARRUS_TRY(sarrus_system_new_dae(sarrus_memory_default(), &spec, system, &found, &fault));
  CHECK_INT(found, index);
  return SARRUS_OK;
}

TEST(general_equations_of_every_index) {
  unsigned seed = 2;
  for (int round = 0; round < 60; round++) {
    Chosen c = {.n = 2};
    sarrus_System *system = NULL;
    sarrus_Expansion *x = NULL;
    sarrus_Fault fault;
    for (int i = 0; i < 3; i++) {
      c.rate[i] = random_in(&seed, 0.5, 1.5);
      c.phase[i] = random_in(&seed, -3, 3);
    }
    c.p = parts_new(sarrus_memory_default(), 2);
    const double t = random_in(&seed, -2, 2);
    const double q[] = {coefficient_of(&c, 0, 0, t), coefficient_of(&c, 1, 0, t)};
    const double guess = coefficient_of(&c, 2, 0, t) + random_in(&seed, -0.1, 0.1);
    REQUIRE_OK(make_dae(&c, 1 + round % 3, &system));
    REQUIRE_OK(sarrus_expansion_new(sarrus_memory_default(), system, ORDER, &x));
    sarrus_expansion_guess(x, &guess);
    REQUIRE_OK(sarrus_expansion_run(x, t, q, NULL, NULL, 1e-9, &fault));
    for (int i = 0; i < 3; i++) {
      const int order = sarrus_expansion_order(x, i);
      CHECK(order >= ORDER - 2 && order <= ORDER);
      for (int k = 0; k <= order; k++) {
        const double got = i < 2 ? sarrus_expansion_q(x, i, k) : sarrus_expansion_lambda(x, 0, k);
        CHECK_NEAR(got, coefficient_of(&c, i, k, t), 1e-12 * pow(3, k));
      }
    }
    CHECK_INT(sarrus_expansion_dependent(x, 0), 0);
    sarrus_expansion_free(x);
    sarrus_system_free(system);
    parts_free(c.p);
  }
}
