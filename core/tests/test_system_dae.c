/* General DAEs of index 0 to 3 whose solutions are chosen beforehand; structures that are none. */
#include "sims.h"

enum { ROOM = 6 };

/* A DAE under construction, and the solution x*(t), y*(t) that it is made for. */
typedef struct Dae {
  sarrus_Graph *g;
  int n, m;
  sarrus_Expr x[ROOM], y[ROOM], t;
  sarrus_Expr f[ROOM], c[ROOM];
  double rate[2 * ROOM], phase[2 * ROOM];
} Dae;

static Dae dae_new(int n, int m, unsigned *seed) {
  Dae dae = {.g = sarrus_graph_new(sarrus_memory_default()), .n = n, .m = m};
  for (int i = 0; i < ROOM; i++) {
    dae.x[i] = sarrus_graph_symbol(dae.g, SARRUS_Q, i);
    dae.y[i] = sarrus_graph_symbol(dae.g, SARRUS_LAMBDA, i);
    dae.f[i] = dae.c[i] = constant(dae.g, 0);
  }
  dae.t = sarrus_graph_symbol(dae.g, SARRUS_TIME, 0);
  for (int i = 0; i < 2 * ROOM; i++) {
    dae.rate[i] = random_in(seed, 0.5, 2);
    dae.phase[i] = random_in(seed, -3, 3);
  }
  return dae;
}

/* Component i of (x*, y*): sin(rate t + phase); its value, and as an expression. */
static double chosen(const Dae *dae, int i, double t) {
  return sin(dae->rate[i] * t + dae->phase[i]);
}

static sarrus_Expr argument(const Dae *dae, int i) {
  return add(dae->g, scaled(dae->g, dae->rate[i], dae->t), constant(dae->g, dae->phase[i]));
}

static sarrus_Expr star(const Dae *dae, int i) {
  return unary(dae->g, SARRUS_OP_SIN, argument(dae, i));
}

static sarrus_Expr star_rate(const Dae *dae, int i) {
  return scaled(dae->g, dae->rate[i], unary(dae->g, SARRUS_OP_COS, argument(dae, i)));
}

static sarrus_Expr bent(const Dae *dae, sarrus_Expr u) {
  return add(dae->g, scaled(dae->g, 2, u), unary(dae->g, SARRUS_OP_SIN, u));
}

/* f_i += a (x_j - x_j*) or b (y_j - y_j*) */
static void add_error(Dae *dae, int i, double factor, sarrus_Expr symbol, int j) {
  const sarrus_Expr error = sub(dae->g, symbol, star(dae, j));
  dae->f[i] = add(dae->g, dae->f[i], scaled(dae->g, factor, error));
}

/* x' = x*' + A (x - x*) + B (y - y*), B nearly the identity in the first m rows. */
static void set_rates(Dae *dae, unsigned *seed) {
  for (int i = 0; i < dae->n; i++) {
    dae->f[i] = star_rate(dae, i);
    for (int j = 0; j < dae->n; j++)
      add_error(dae, i, random_in(seed, -0.5, 0.5), dae->x[j], j);
    for (int j = 0; j < dae->m; j++)
      add_error(dae, i, random_in(seed, -0.2, 0.2) + (i == j), dae->y[j], dae->n + j);
  }
}

/* 0 = bent(u) - bent(u*) + s (v - v*): u is what row i determines. */
static void set_constraint(Dae *dae, int i, sarrus_Expr u, int iu, sarrus_Expr v, int iv,
                           double s) {
  sarrus_Graph *g = dae->g;
  const sarrus_Expr own = sub(g, bent(dae, u), bent(dae, star(dae, iu)));
  dae->c[i] = add(g, own, scaled(g, s, sub(g, v, star(dae, iv))));
}

static Dae draw_dae(int index, unsigned *seed) {
  const int m = index == 0 ? 0 : 1 + (int)random_in(seed, 0, 1.99);
  const int n = m + 1;
  Dae dae = dae_new(n, m, seed);
  set_rates(&dae, seed);
  for (int i = 0; i < m; i++) {
    const double s = random_in(seed, -0.4, 0.4);
    if (index == 1)
      set_constraint(&dae, i, dae.y[i], n + i, dae.x[n - 1], n - 1, s);
    else
      set_constraint(&dae, i, dae.x[i], i, dae.x[n - 1], n - 1, s);
  }
  return dae;
}

static bool compile(const Dae *dae, int expected, Run *run, const sarrus_SimOptions *options) {
  const sarrus_Memory memory = sarrus_memory_default();
  const sarrus_DaeSpec spec = {.graph = dae->g,
                               .differential = dae->n,
                               .algebraic = dae->m,
                               .derivative = dae->f,
                               .constraint = dae->c};
  sarrus_Fault fault;
  int index = -1;
  *run = (Run){NULL, NULL, NULL};
  if (!CHECK_OK(sarrus_system_new_dae(memory, &spec, &run->system, &index, &fault))) return false;
  CHECK_INT(index, expected);
  return CHECK_OK(sarrus_sim_new(memory, run->system, NULL, options, &run->sim));
}

static bool start_chosen(const Dae *dae, Run *run) {
  double x[ROOM], y[ROOM], v[ROOM] = {0};
  for (int i = 0; i < dae->n; i++)
    x[i] = chosen(dae, i, 0);
  for (int i = 0; i < dae->m; i++)
    y[i] = chosen(dae, dae->n + i, 0);
  CHECK_OK(sarrus_sim_guess(run->sim, y));
  return CHECK_OK(sarrus_sim_start(run->sim, 0, x, v));
}

static double worst_error(const Dae *dae, const sarrus_Sim *sim, double t) {
  double x[ROOM], y[ROOM], worst = 0;
  CHECK_OK(sarrus_sim_state(sim, x, NULL, NULL, y));
  for (int i = 0; i < dae->n; i++)
    worst = fmax(worst, fabs(x[i] - chosen(dae, i, t)));
  for (int i = 0; i < dae->m; i++)
    worst = fmax(worst, fabs(y[i] - chosen(dae, dae->n + i, t)));
  return worst;
}

/* The index is found, and the solution followed, algebraic variables as exactly as the others. */
TEST(chosen_solutions_come_back) {
  unsigned seed = 17;
  for (int index = 0; index <= 2; index++) {
    for (int i = 0; i < 12; i++) {
      Dae dae = draw_dae(index, &seed);
      Run run;
      if (compile(&dae, index, &run, &tight) && start_chosen(&dae, &run)) {
        for (int k = 1; k <= 4; k++) {
          CHECK_OK(sarrus_sim_advance(run.sim, 0.5 * k));
          CHECK(worst_error(&dae, run.sim, 0.5 * k) <= 1e-12);
        }
      }
      run_free(&run);
      sarrus_graph_free(dae.g);
    }
  }
}

/* Index 1 by implicit steps, too. */
TEST(implicit_steps_follow_them) {
  unsigned seed = 19;
  for (int i = 0; i < 8; i++) {
    const sarrus_SimOptions options = {.tolerance = 1e-9, .method = SARRUS_STIFF};
    Dae dae = draw_dae(1, &seed);
    Run run;
    if (compile(&dae, 1, &run, &options) && start_chosen(&dae, &run)) {
      CHECK_OK(sarrus_sim_advance(run.sim, 2));
      CHECK(worst_error(&dae, run.sim, 2) <= 1e-6);
    }
    run_free(&run);
    sarrus_graph_free(dae.g);
  }
}

/* Residuals are those of the constraints at the state, whatever the index is. */
TEST(residuals_of_constraints) {
  unsigned seed = 23;
  for (int index = 1; index <= 2; index++) {
    const sarrus_SimOptions loose = {.tolerance = 1e-5};
    Dae dae = draw_dae(index, &seed);
    Run run;
    double most = 0;
    if (compile(&dae, index, &run, &loose) && start_chosen(&dae, &run)) {
      for (int k = 1; k <= 20; k++) {
        double position, velocity, x[ROOM], y[ROOM];
        CHECK_OK(sarrus_sim_advance(run.sim, 0.17 * k));
        CHECK_OK(sarrus_sim_state(run.sim, x, NULL, NULL, y));
        CHECK_OK(sarrus_sim_residual(run.sim, &position, &velocity));
        double worst = 0;
        for (int i = 0; i < dae.m; i++) {
          const int u = index == 1 ? dae.n + i : i; /* as in draw_dae */
          const double own = index == 1 ? y[i] : x[i], s = chosen(&dae, u, 0.17 * k);
          worst = fmax(worst, fabs(2 * (own - s) + sin(own) - sin(s)));
        }
        most = fmax(most, position);
        CHECK(position <= worst + fabs(x[dae.n - 1] - chosen(&dae, dae.n - 1, 0.17 * k)) + 1e-15);
      }
      CHECK(most > 0 && most < 1e-4);
    }
    run_free(&run);
    sarrus_graph_free(dae.g);
  }
}

/*
** Index 3: a pendulum of length 1, p' = v, v' = -y p - g e_2, from x = 1 at rest: v^2 = -2 g p_2,
** and y = v^2 - g p_2 = -3 g p_2.
*/
TEST(a_pendulum_of_index_three) {
  const double weight = 9.81;
  unsigned seed = 1;
  Dae dae = dae_new(4, 1, &seed);
  sarrus_Graph *g = dae.g;
  for (int i = 0; i < 2; i++) {
    dae.f[i] = dae.x[2 + i];
    dae.f[2 + i] = negative(g, mul(g, dae.y[0], dae.x[i]));
  }
  dae.f[3] = sub(g, dae.f[3], constant(g, weight));
  dae.c[0] = sub(g, add(g, power(g, dae.x[0], 2), power(g, dae.x[1], 2)), constant(g, 1));
  const double x0[] = {1, 0, 0, 0}, v0[] = {0, 0, 0, 0};
  double x[4], y, position, velocity;
  Run run;
  if (compile(&dae, 3, &run, &tight) && CHECK_OK(sarrus_sim_start(run.sim, 0, x0, v0))) {
    for (int k = 1; k <= 10; k++) {
      CHECK_OK(sarrus_sim_advance(run.sim, 0.3 * k));
      CHECK_OK(sarrus_sim_state(run.sim, x, NULL, NULL, &y));
      CHECK_NEAR(x[2] * x[2] + x[3] * x[3], -2 * weight * x[1], 1e-11);
      CHECK_NEAR(y, -3 * weight * x[1], 1e-11);
      CHECK_OK(sarrus_sim_residual(run.sim, &position, &velocity));
      CHECK(position <= 1e-14);
      CHECK(velocity <= 1e-13);
    }
  }
  run_free(&run);
  sarrus_graph_free(dae.g);
}

/* --- structures that are none ------------------------------------------------------------ */

static sarrus_Status refused(const Dae *dae, sarrus_Fault *fault) {
  const sarrus_DaeSpec spec = {.graph = dae->g,
                               .differential = dae->n,
                               .algebraic = dae->m,
                               .derivative = dae->f,
                               .constraint = dae->c};
  sarrus_System *system = NULL;
  int index = 7;
  const sarrus_Status status =
      sarrus_system_new_dae(sarrus_memory_default(), &spec, &system, &index, fault);
  CHECK(status == SARRUS_OK || system == NULL);
  sarrus_system_free(system);
  return status;
}

/* Two equations for one algebraic variable, and none for the other. */
TEST(structures_without_a_solution) {
  unsigned seed = 1;
  sarrus_Fault fault;
  Dae dae = dae_new(1, 2, &seed);
  dae.c[0] = sub(dae.g, dae.y[0], dae.x[0]);
  dae.c[1] = sub(dae.g, bent(&dae, dae.y[0]), dae.t);
  CHECK_STATUS(refused(&dae, &fault), SARRUS_SINGULAR);
  CHECK(fault.row >= 0 && fault.row < 3);
  dae.f[0] = dae.y[1]; /* now x = y_1, and y_2 = x' only by the derivative of an equation with y */
  CHECK_STATUS(refused(&dae, &fault), SARRUS_LIMIT);
  sarrus_graph_free(dae.g);
}

/* A chain of derivatives, x1' = x2, x2' = x3, …, and y at its end: index n + 1. */
TEST(chains_up_to_index_three) {
  for (int n = 1; n <= 4; n++) {
    unsigned seed = 1;
    sarrus_Fault fault;
    Dae dae = dae_new(n, 1, &seed);
    for (int i = 0; i < n; i++)
      dae.f[i] = i + 1 < n ? dae.x[i + 1] : dae.y[0];
    dae.c[0] = sub(dae.g, dae.x[0], star(&dae, 0));
    CHECK_STATUS(refused(&dae, &fault), n <= 2 ? SARRUS_OK : SARRUS_LIMIT);
    sarrus_graph_free(dae.g);
  }
}

/* Starts off the constraints are moved onto them; what cannot be is INCONSISTENT. */
TEST(starts_of_daes) {
  unsigned seed = 29;
  Dae dae = draw_dae(2, &seed);
  double x[ROOM], v[ROOM] = {0}, y[ROOM] = {0}, position, velocity;
  Run run;
  for (int i = 0; i < dae.n; i++)
    x[i] = chosen(&dae, i, 0) + 0.1;
  if (compile(&dae, 2, &run, &tight)) {
    CHECK_OK(sarrus_sim_guess(run.sim, y));
    CHECK_OK(sarrus_sim_start(run.sim, 0, x, v));
    CHECK(sarrus_sim_stats(run.sim).moved > 1e-3);
    CHECK_OK(sarrus_sim_residual(run.sim, &position, &velocity));
    CHECK(position <= 1e-14);
  }
  run_free(&run);
  sarrus_graph_free(dae.g);
  dae = dae_new(1, 1, &seed);
  dae.f[0] = dae.y[0];
  dae.c[0] = add(dae.g, power(dae.g, dae.x[0], 2), constant(dae.g, 1));
  if (compile(&dae, 2, &run, &tight)) {
    x[0] = 0.7;
    const sarrus_Status status = sarrus_sim_start(run.sim, 0, x, v);
    CHECK(status == SARRUS_INCONSISTENT || status == SARRUS_SINGULAR);
    CHECK_STATUS(sarrus_sim_advance(run.sim, 1), SARRUS_ARGUMENT);
  }
  run_free(&run);
  sarrus_graph_free(dae.g);
}

/* Every allocation fails once: NOMEM, and nothing is left. */
TEST(memory_that_fails) {
  unsigned seed = 3;
  Dae dae = draw_dae(2, &seed);
  const sarrus_DaeSpec spec = {.graph = dae.g,
                               .differential = dae.n,
                               .algebraic = dae.m,
                               .derivative = dae.f,
                               .constraint = dae.c};
  for (long n = 1; n < 1000; n++) {
    TestMemory m;
    sarrus_System *system = NULL;
    sarrus_Fault fault;
    int index;
    const sarrus_Status status =
        sarrus_system_new_dae(test_memory_failing(&m, n), &spec, &system, &index, &fault);
    sarrus_system_free(system);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) break;
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
  sarrus_graph_free(dae.g);
}
