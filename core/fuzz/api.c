/*
** The C API in random order: every byte is a call or an argument, one argument in sixteen out of
** range.  No call may reach outside of memory, leave a block behind, accept a number that is not
** finite or answer a status without a name.
*/
#include "fuzz.h"

enum { EXPRS = 48, OBJECTS = 3, MOST = 4, CALLS = 80, STEPS = 4 };

typedef struct World {
  Bytes bytes;
  Heap heap;
  sarrus_Graph *graph;
  sarrus_Expr exprs[EXPRS];
  int expr_count;
  sarrus_System *systems[OBJECTS];
  int parameters[OBJECTS]; /* of each system */
  sarrus_Events *events[OBJECTS];
  struct {
    sarrus_Sim *sim;
    const sarrus_System *system;
    const sarrus_Events *events;
  } sims[OBJECTS];
  sarrus_Recorder *recorders[OBJECTS];
  sarrus_Rows rows[OBJECTS];
  int left; /* steps of the advance under way */
} World;

static sarrus_Memory memory_of(World *w) { return heap_memory(&w->heap); }

static void promise_status(sarrus_Status status) {
  PROMISE(strcmp(sarrus_status_name(status), "UNKNOWN") != 0);
}

/* A maker answers an object or a failure. */
static void promise_made(sarrus_Status status, const void *object) {
  promise_status(status);
  PROMISE((status >= 0) == (object != NULL));
}

/* --- expressions ------------------------------------------------------------------------- */

static sarrus_Expr take_expr(World *w) {
  const int i = take_index(&w->bytes, w->expr_count);
  return i >= 0 && i < w->expr_count ? w->exprs[i] : i;
}

/* Coordinates and rates first, so that short inputs make systems. */
static void fresh_graph(World *w) {
  sarrus_graph_free(w->graph);
  w->graph = sarrus_graph_new(memory_of(w));
  w->expr_count = 0;
  for (int i = 0; w->graph != NULL && i < 2 * MOST + 2; i++) {
    const sarrus_SymbolKind kind = i < MOST ? SARRUS_Q : i < 2 * MOST ? SARRUS_V : SARRUS_TIME;
    const sarrus_Expr e = i == 2 * MOST ? sarrus_graph_constant(w->graph, 1)
                                        : sarrus_graph_symbol(w->graph, kind, i % MOST % 4);
    if (e != SARRUS_NONE) w->exprs[w->expr_count++] = e;
  }
}

/* A graph that refused, or has no memory, is of no use any more. */
static void keep_expr(World *w, sarrus_Expr e) {
  const sarrus_Status status = sarrus_graph_status(w->graph);
  PROMISE(status == SARRUS_OK || status == SARRUS_ARGUMENT || status == SARRUS_NOMEM);
  if (status < 0) {
    fresh_graph(w);
    return;
  }
  if (e == SARRUS_NONE) return;
  PROMISE(e >= 0 && e < sarrus_graph_count(w->graph));
  w->exprs[w->expr_count < EXPRS ? w->expr_count++ : take_below(&w->bytes, EXPRS)] = e;
}

static sarrus_Expr make_linear(World *w) {
  sarrus_Term terms[MOST];
  const int count = take_index(&w->bytes, MOST + 1);
  for (int i = 0; i < MOST; i++)
    terms[i] = (sarrus_Term){take_number(&w->bytes), take_expr(w)};
  return sarrus_graph_linear(w->graph, take_number(&w->bytes), count <= MOST ? count : -1, terms);
}

static sarrus_Expr make_table(World *w) {
  double x[MOST], y[MOST];
  const int count = take_index(&w->bytes, MOST + 1);
  take_numbers(&w->bytes, x, MOST);
  take_numbers(&w->bytes, y, MOST);
  for (int i = 1; i < MOST && x[0] < 5; i++)
    x[i] = x[i - 1] + fabs(x[i]) + 0.125;
  const int table = sarrus_graph_new_table(w->graph, count <= MOST ? count : -1, x, y);
  return sarrus_graph_table(w->graph, table, take_index(&w->bytes, 4), take_expr(w));
}

static void visit(void *ud, sarrus_SymbolKind kind, int index, sarrus_Expr derivative) {
  World *w = ud;
  PROMISE(kind < SARRUS_SYMBOL_KINDS && index >= 0);
  sarrus_graph_apply(w->graph, SARRUS_OP_ADD, derivative, derivative, SARRUS_NONE);
}

static void call_expr(World *w, int call) {
  sarrus_Graph *g = w->graph;
  sarrus_Expr e = SARRUS_NONE;
  char text[64];
  switch (call % 9) {
    case 0: e = sarrus_graph_constant(g, take_number(&w->bytes)); break;
    case 1: {
      const int kind = take_index(&w->bytes, SARRUS_SYMBOL_KINDS);
      e = sarrus_graph_symbol(g, (sarrus_SymbolKind)kind, take_index(&w->bytes, MOST));
      break;
    }
    case 2:
    case 3: {
      const int op = take_index(&w->bytes, SARRUS_OP_COUNT);
      const sarrus_Expr a = take_expr(w), b = take_expr(w), c = take_expr(w);
      e = sarrus_graph_apply(g, (sarrus_Op)op, a, b, c);
      break;
    }
    case 4: e = make_linear(w); break;
    case 5: e = sarrus_graph_power(g, take_expr(w), take_number(&w->bytes)); break;
    case 6: e = make_table(w); break;
    case 7: e = sarrus_graph_diff(g, take_expr(w), take_expr(w)); break;
    default: {
      const sarrus_Expr roots[] = {take_expr(w), take_expr(w)};
      const int count = take_index(&w->bytes, 3);
      promise_status(sarrus_graph_gradient(g, count <= 2 ? count : -1, roots, NULL, visit, w));
      PROMISE(sarrus_graph_print(g, roots[0], NULL, NULL, text, sizeof text) < sizeof text);
    }
  }
  keep_expr(w, e);
}

/* --- systems ----------------------------------------------------------------------------- */

static void make_system(World *w, int slot) {
  const int n = take_index(&w->bytes, MOST + 1), lagrange = take_below(&w->bytes, 8) == 0;
  const int used = n < 0 || n > MOST ? 0 : n;
  sarrus_MassEntry mass[2 * MOST];
  sarrus_Expr force[MOST], constraint[MOST], velocity[MOST];
  for (int i = 0; i < 2 * MOST; i++)
    mass[i] = i < used ? (sarrus_MassEntry){i, i, sarrus_graph_constant(w->graph, 1 + i)}
                       : (sarrus_MassEntry){take_index(&w->bytes, MOST),
                                            take_index(&w->bytes, MOST), take_expr(w)};
  for (int i = 0; i < MOST; i++) {
    force[i] = take_expr(w);
    constraint[i] = take_expr(w);
    velocity[i] = take_expr(w);
  }
  const int masses = used + take_below(&w->bytes, 16) / 13;
  const int constraints = take_index(&w->bytes, 3), velocities = take_index(&w->bytes, 6) / 4;
  const sarrus_SystemSpec spec = {.graph = w->graph,
                                  .coordinates = n <= MOST ? n : -1,
                                  .masses = lagrange ? 0 : masses,
                                  .mass = mass,
                                  .lagrangian = lagrange ? take_expr(w) : SARRUS_NONE,
                                  .force = force,
                                  .constraints = constraints <= MOST ? constraints : -1,
                                  .constraint = constraint,
                                  .velocity_constraints = velocities <= MOST ? velocities : -1,
                                  .velocity_constraint = velocity,
                                  .parameters = take_index(&w->bytes, MOST)};
  sarrus_Fault fault;
  char text[128];
  const sarrus_Status status = sarrus_system_new(memory_of(w), &spec, &w->systems[slot], &fault);
  promise_made(status, w->systems[slot]);
  PROMISE(sarrus_fault_text(status, &fault, NULL, NULL, text, sizeof text) > 0);
  w->parameters[slot] = spec.parameters;
}

static void make_dae(World *w, int slot) {
  sarrus_Expr f[MOST], g[MOST];
  for (int i = 0; i < MOST; i++) {
    f[i] = take_expr(w);
    g[i] = take_expr(w);
  }
  const int n = take_index(&w->bytes, MOST), m = take_index(&w->bytes, 3);
  const sarrus_DaeSpec spec = {w->graph, n <= MOST ? n : -1,         m <= MOST ? m : -1, f,
                               g,        take_index(&w->bytes, MOST)};
  sarrus_Fault fault;
  int index = -1;
  const sarrus_Status status =
      sarrus_system_new_dae(memory_of(w), &spec, &w->systems[slot], &index, &fault);
  promise_made(status, w->systems[slot]);
  PROMISE(status < 0 || (index >= 0 && index <= 3));
  w->parameters[slot] = spec.parameters;
}

static void print_system(const sarrus_System *system) {
  char text[256];
  PROMISE(sarrus_system_print_equations(system, NULL, NULL, text, sizeof text) < sizeof text);
  PROMISE(sarrus_system_print_tape(system, NULL, NULL, text, sizeof text) < sizeof text);
  PROMISE(sarrus_system_print_structure(system, NULL, NULL, text, sizeof text) < sizeof text);
}

static void expand(World *w, const sarrus_System *system) {
  const int n = sarrus_system_coordinates(system), m = sarrus_system_multipliers(system);
  double x[4 * MOST], parameters[MOST];
  sarrus_Expansion *expansion;
  sarrus_Fault fault;
  take_numbers(&w->bytes, x, 2 * n);
  take_numbers(&w->bytes, parameters, MOST);
  const sarrus_Status made =
      sarrus_expansion_new(memory_of(w), system, take_index(&w->bytes, 12), &expansion);
  promise_made(made, expansion);
  if (made < 0) return;
  const sarrus_Status status = sarrus_expansion_run(expansion, take_number(&w->bytes), x, x + n,
                                                    parameters, take_number(&w->bytes), &fault);
  promise_status(status);
  const int i = take_index(&w->bytes, n + m), k = take_index(&w->bytes, 12);
  const double q = sarrus_expansion_q(expansion, i, k);
  PROMISE(status < 0 || i < 0 || i >= n || k > 2 || isfinite(q) || k < 0);
  sarrus_expansion_v(expansion, i, k);
  sarrus_expansion_lambda(expansion, i, k);
  sarrus_expansion_dependent(expansion, i);
  sarrus_expansion_order(expansion, i);
  sarrus_expansion_free(expansion);
}

static void stand(World *w, const sarrus_System *system) {
  const int n = sarrus_system_coordinates(system), m = sarrus_system_multipliers(system);
  double x[4 * MOST], parameters[MOST], unit[MOST], lambda[8 * MOST];
  sarrus_Instant *instant;
  sarrus_Reached reached;
  sarrus_Fault fault;
  take_numbers(&w->bytes, x, 2 * n);
  take_numbers(&w->bytes, parameters, MOST);
  take_numbers(&w->bytes, unit, MOST);
  const int goals = take_index(&w->bytes, MOST);
  const sarrus_Status made = sarrus_instant_new(memory_of(w), system, NULL, goals, &instant);
  promise_made(made, instant);
  if (made < 0) return;
  const double t = take_number(&w->bytes);
  promise_status(sarrus_instant_motion(instant, t, x, x + n, parameters, x + 2 * n, NULL, &fault));
  const int row = take_index(&w->bytes, m);
  if (m <= 8 * MOST)
    promise_status(
        sarrus_instant_rates(instant, t, x, parameters, 1, &row, x + 2 * n, lambda, &fault));
  const sarrus_Aim aim = {.targets = take_index(&w->bytes, MOST), .unit = unit};
  promise_status(
      sarrus_instant_reach(instant, t, x, parameters, &aim, NULL, NULL, &reached, &fault));
  sarrus_instant_free(instant);
}

static void make_events(World *w, int slot) {
  sarrus_Expr when[MOST];
  sarrus_Direction directions[MOST];
  for (int i = 0; i < MOST; i++) {
    when[i] = take_expr(w);
    const int direction = take_index(&w->bytes, 3);
    directions[i] = (sarrus_Direction)(direction < 0 ? direction : direction - 1);
  }
  const int count = take_index(&w->bytes, MOST);
  const sarrus_Status status =
      sarrus_events_new(memory_of(w), w->graph, count <= MOST ? count : -1, when, directions,
                        take_index(&w->bytes, MOST), &w->events[slot]);
  promise_made(status, w->events[slot]);
}

static void call_system(World *w, int call) {
  const int slot = take_below(&w->bytes, OBJECTS);
  switch (call % 5) {
    case 0:
    case 1:
      if (w->systems[slot] == NULL) make_system(w, slot);
      break;
    case 2:
      if (w->systems[slot] == NULL) make_dae(w, slot);
      break;
    case 3:
      if (w->events[slot] == NULL) make_events(w, slot);
      break;
    default:
      if (w->systems[slot] == NULL) return;
      print_system(w->systems[slot]);
      if (w->parameters[slot] <= MOST) expand(w, w->systems[slot]);
      if (w->parameters[slot] <= MOST && take_index(&w->bytes, 4) == 3) stand(w, w->systems[slot]);
  }
}

/* --- simulations ------------------------------------------------------------------------- */

static int look(void *ud, const sarrus_Sim *sim) {
  World *w = ud;
  double from, to, size;
  sarrus_sim_span(sim, &from, &to);
  PROMISE(from <= to);
  PROMISE(sarrus_sim_at(sim, to, NULL, NULL, NULL, NULL) == SARRUS_OK);
  PROMISE(sarrus_sim_step((sarrus_Sim *)sim, &size) == SARRUS_BUSY);
  return take_below(&w->bytes, 8) == 7;
}

static void make_sim(World *w, int slot) {
  const sarrus_System *system = w->systems[take_below(&w->bytes, OBJECTS)];
  const sarrus_Events *events = w->events[take_below(&w->bytes, OBJECTS)];
  const int plain = take(&w->bytes);
  sarrus_SimOptions options = {.cancelled = enough, .ud = &w->left};
  if (system == NULL || w->sims[slot].sim != NULL) return;
  if (plain >= 128) {
    options.tolerance = take_number(&w->bytes);
    options.scale = take_number(&w->bytes);
    options.order = take_index(&w->bytes, 20);
    options.step = take_number(&w->bytes);
    options.max_step = take_number(&w->bytes);
    options.max_steps = take_index(&w->bytes, 5);
    options.method = (sarrus_Method)take_below(&w->bytes, 4); /* one of them is none */
  }
  const sarrus_Status status =
      sarrus_sim_new(memory_of(w), system, events, &options, &w->sims[slot].sim);
  promise_made(status, w->sims[slot].sim);
  w->sims[slot].system = system;
  w->sims[slot].events = events;
}

/* Random numbers hardly ever start one: mostly ones and zeros. */
static void start(World *w, sarrus_Sim *sim, int n) {
  double x[2 * MOST];
  for (int i = 0; i < 2 * n; i++)
    x[i] = take_below(&w->bytes, 4) > 0 ? (i + 1) % 3 / 2.0 : take_number(&w->bytes);
  promise_status(sarrus_sim_start(sim, take_below(&w->bytes, 4), x, x + n));
}

static void ask(World *w, sarrus_Sim *sim) {
  double x[2 * MOST], g, v;
  int direction;
  const int i = take_index(&w->bytes, MOST);
  sarrus_sim_dependent(sim, i);
  sarrus_sim_null(sim, i, x);
  sarrus_sim_get(sim, i);
  sarrus_sim_singular(sim);
  sarrus_sim_notes(sim);
  sarrus_sim_reached(sim);
  PROMISE(sarrus_sim_event(sim, &direction) >= -1);
  promise_status(sarrus_sim_residual(sim, &g, &v));
  promise_status(sarrus_sim_scale(sim, i, take_number(&w->bytes)));
  promise_status(sarrus_sim_preset(sim, i, take_number(&w->bytes)));
  promise_status(sarrus_sim_at(sim, take_number(&w->bytes), NULL, NULL, NULL, NULL));
}

/* What was saved comes back. */
static void save(World *w, int slot) {
  const sarrus_Sim *sim = w->sims[slot].sim;
  const double extra[] = {1, 2};
  double back[2];
  int extras = take_index(&w->bytes, 3), room = 2;
  if (extras > 2) extras = -1;
  const size_t size = sarrus_sim_save(sim, extra, extras, NULL, 0);
  char *record = malloc(size + 1);
  sarrus_Sim *copy;
  PROMISE(record != NULL && (size > 0 || extras < 0 || w->heap.fail_at > 0));
  if (size > 0 && sarrus_sim_save(sim, extra, extras, record, size) == size) {
    const sarrus_Status status = sarrus_sim_restore(
        memory_of(w), w->sims[slot].system, w->sims[slot].events, record, size, back, &room, &copy);
    promise_made(status, copy);
    PROMISE(status == SARRUS_OK || status == SARRUS_NOMEM);
    PROMISE(status < 0 || (room == extras && sarrus_sim_time(copy) == sarrus_sim_time(sim)));
    sarrus_sim_free(copy);
  }
  free(record);
}

static void call_sim(World *w, int call) {
  const int slot = take_below(&w->bytes, OBJECTS);
  sarrus_Sim *sim = w->sims[slot].sim;
  double x[MOST], size;
  char text[128];
  if (sim == NULL) {
    make_sim(w, slot);
    return;
  }
  const int n = sarrus_system_coordinates(w->sims[slot].system);
  sarrus_Status status = SARRUS_OK;
  w->left = STEPS;
  switch (call % 9) {
    case 0: start(w, sim, n); break;
    case 1: status = sarrus_sim_advance(sim, take_number(&w->bytes)); break;
    case 2: status = sarrus_sim_advance_on(sim, take_number(&w->bytes)); break;
    case 3: status = sarrus_sim_step(sim, &size); break;
    case 4: status = sarrus_sim_step_until(sim, take_number(&w->bytes), &size); break;
    case 5:
      status = sarrus_sim_set(sim, take_index(&w->bytes, MOST), take_number(&w->bytes));
      break;
    case 6:
      take_numbers(&w->bytes, x, n);
      status = sarrus_sim_impulse(sim, x);
      break;
    case 7: ask(w, sim); break;
    default: save(w, slot);
  }
  promise_status(status);
  PROMISE(sarrus_fault_text(status, sarrus_sim_fault(sim), w->sims[slot].system, NULL, text,
                            sizeof text) > 0);
  if (call % 32 == 31) sarrus_sim_on_step(sim, look, w);
  promise_state(sim, w->sims[slot].system);
}

/* --- recorders --------------------------------------------------------------------------- */

static void make_recorder(World *w, int slot) {
  const sarrus_Sim *sim = w->sims[take_below(&w->bytes, OBJECTS)].sim;
  const sarrus_Expr exprs[] = {take_expr(w), take_expr(w)};
  const int count = take_index(&w->bytes, 3);
  const sarrus_RecorderSpec spec = {w->graph, count <= 2 ? count : -1, exprs,
                                    take_index(&w->bytes, 2), fabs(take_number(&w->bytes)) + 0.01};
  if (sim == NULL) return;
  const sarrus_Status status = sarrus_recorder_new(memory_of(w), sim, &spec, &w->recorders[slot]);
  promise_made(status, w->recorders[slot]);
  if (w->recorders[slot] == NULL) return;
  w->rows[slot] = (sarrus_Rows){.memory = memory_of(w), .width = spec.count + 1};
  promise_status(
      sarrus_recorder_add_sink(w->recorders[slot], (sarrus_Sink){sarrus_rows_put, &w->rows[slot]}));
}

enum { ROWS_AT_ONCE = 50 };

static void call_recorder(World *w, int call) {
  const int slot = take_below(&w->bytes, OBJECTS);
  sarrus_Recorder *recorder = w->recorders[slot];
  double t;
  if (recorder == NULL) {
    make_recorder(w, slot);
    return;
  }
  if (call % 3 == 0) promise_status(sarrus_recorder_mark(recorder, take_below(&w->bytes, 2)));
  if (call % 3 == 1)
    promise_status(sarrus_recorder_set(recorder, take_index(&w->bytes, 2), take_number(&w->bytes)));
  for (int rows = 0; rows < ROWS_AT_ONCE && sarrus_recorder_due(recorder, 1, &t); rows++)
    promise_status(sarrus_recorder_take(recorder));
  sarrus_recorder_next(recorder, take_number(&w->bytes));
  double values[2]; /* as many as a recorder of make_recorder may have */
  promise_status(sarrus_recorder_read(recorder, values));
}

/* --- ensembles --------------------------------------------------------------------------- */

static int after_some_steps(void *ud) { return --*(int *)ud < 0; }

/* Runs that begin where simulations stand, driven at once. */
static void call_ensemble(World *w) {
  const sarrus_Expr exprs[] = {take_expr(w), take_expr(w)};
  int steps = 3 * STEPS, rows;
  const sarrus_EnsembleSpec spec = {.runs = take_index(&w->bytes, 4),
                                    .t_end = take_number(&w->bytes),
                                    .graph = w->graph,
                                    .count = take_index(&w->bytes, 2),
                                    .exprs = exprs,
                                    .every = take_below(&w->bytes, 2) * 100.0,
                                    .threads = 1,
                                    .events = take_index(&w->bytes, 2),
                                    .cancelled = after_some_steps,
                                    .ud = &steps};
  sarrus_Ensemble *ensemble;
  if (spec.count > 2) return;
  promise_made(sarrus_ensemble_new(memory_of(w), &spec, &ensemble), ensemble);
  for (int i = 0; i < OBJECTS && ensemble != NULL; i++)
    if (w->sims[i].sim != NULL)
      promise_status(sarrus_ensemble_put(ensemble, take_index(&w->bytes, 4), w->sims[i].sim));
  if (ensemble != NULL) promise_status(sarrus_ensemble_wait(ensemble));
  for (int run; ensemble != NULL && (run = sarrus_ensemble_done(ensemble)) >= 0;) {
    promise_status(sarrus_ensemble_status(ensemble, run));
    PROMISE((sarrus_ensemble_rows(ensemble, run, &rows) != NULL) == (rows > 0));
    sarrus_sim_free(sarrus_ensemble_failed(ensemble, run));
  }
  sarrus_ensemble_free(ensemble);
}

/* --- the rest ---------------------------------------------------------------------------- */

static void call_adomian(World *w) {
  sarrus_Expr polynomials[8];
  const int variables = take_index(&w->bytes, 3), order = take_index(&w->bytes, 6);
  const sarrus_Expr f = take_expr(w);
  if (order > 7 && order < 256) return; /* more than there is room for */
  promise_status(sarrus_adomian_expand(w->graph, f, variables, order, polynomials));
  keep_expr(w, SARRUS_NONE);
}

static void call_function(World *w, int call, const double *u, int order, double *y) {
  enum { ROOM = 512 };
  double room[ROOM];
  const double *operands[] = {u, u};
  sarrus_Function *function;
  const sarrus_Op op = (sarrus_Op)(SARRUS_OP_COUNT - call % 32);
  const sarrus_Status made = sarrus_function_new(memory_of(w), op, &function);
  promise_made(made, function);
  if (made < 0) return;
  PROMISE(sarrus_function_room(function, order, 0) <= ROOM);
  const sarrus_Status status = sarrus_function_run(function, operands, order, 0, y, room);
  promise_status(status);
  PROMISE(status < 0 || sarrus_series_is_finite(y, order));
  sarrus_function_free(function);
}

static void call_series(World *w, int call) {
  enum { ORDER = 6 };
  double u[ORDER + 1], y[ORDER + 1], q[ORDER + 1], room[128];
  int pivots[2 * ORDER];
  char text[64];
  take_numbers(&w->bytes, u, ORDER + 1);
  int order = take_index(&w->bytes, ORDER + 1), degree = take_index(&w->bytes, 4);
  if (order > ORDER) order = -1;
  call_function(w, call, u, order, y);
  if (degree > 3) degree = -1;
  promise_status(sarrus_series_pade(u, degree, 3, y, q, room, pivots));
  if (order >= 0) sarrus_series_print(u, order, "t", text, sizeof text);
}

/* --- contacts ---------------------------------------------------------------------------- */

/* NONE, mostly; or any expression. */
static sarrus_Expr take_law(World *w) {
  return take_below(&w->bytes, 3) > 0 ? SARRUS_NONE : take_expr(w);
}

/*
** Masses above floors, with one constraint at most: coordinates are gaps, rates are slips, or
** anything is.
*/
static void make_touching(World *w, int slot) {
  enum { TOUCHING = 2 };
  const int n = 1 + take_below(&w->bytes, MOST), contacts = take_index(&w->bytes, TOUCHING + 1);
  sarrus_MassEntry mass[MOST];
  sarrus_Expr force[MOST];
  sarrus_Contact contact[TOUCHING];
  const sarrus_Expr constraint = take_expr(w), pull = sarrus_graph_constant(w->graph, -1);
  for (int i = 0; i < MOST; i++) {
    mass[i] = (sarrus_MassEntry){i, i, sarrus_graph_constant(w->graph, 1 + i)};
    force[i] = take_below(&w->bytes, 2) ? pull : take_expr(w);
  }
  for (int i = 0; i < TOUCHING; i++) {
    const int plain = take_below(&w->bytes, 4);
    const sarrus_Expr half = sarrus_graph_constant(w->graph, 0.5);
    contact[i].gap = plain > 0 ? sarrus_graph_symbol(w->graph, SARRUS_Q, i) : take_law(w);
    contact[i].slip[0] = plain > 1 ? sarrus_graph_symbol(w->graph, SARRUS_V, n - 1) : take_law(w);
    contact[i].slip[1] = plain > 2 ? sarrus_graph_symbol(w->graph, SARRUS_V, 0) : take_law(w);
    contact[i].friction = plain > 1 ? half : take_law(w);
    contact[i].static_friction = take_law(w);
    contact[i].restitution = take_below(&w->bytes, 2) ? half : take_law(w);
    contact[i].loads = 0;
  }
  const sarrus_SystemSpec spec = {
      .graph = w->graph,
      .coordinates = n,
      .masses = n,
      .mass = mass,
      .lagrangian = SARRUS_NONE,
      .force = force,
      .constraints = take_below(&w->bytes, 4) == 3,
      .constraint = &constraint,
      .contacts = contacts <= TOUCHING ? contacts : -1,
      .contact = contact,
      .parameters = take_index(&w->bytes, MOST),
      .locks = take_below(&w->bytes, 2),
      .lock = &contact[0].slip[0],
      .forces = 1,
      .shares = take_below(&w->bytes, 2),
      .share = &(sarrus_ForceShare){0, 0, force[0]},
      .elements = take_below(&w->bytes, 2),
      .element = &(sarrus_Element){0, contact[0].gap, SARRUS_NONE, force[0]}};
  sarrus_Fault fault;
  const sarrus_Status status = sarrus_system_new(memory_of(w), &spec, &w->systems[slot], &fault);
  promise_made(status, w->systems[slot]);
  w->parameters[slot] = spec.parameters;
}

/* Events must not change any more once a simulation has them. */
static void watch(World *w, int slot) {
  for (int i = 0; i < OBJECTS; i++)
    if (w->sims[i].sim != NULL && w->sims[i].events == w->events[slot]) return;
  if (w->events[slot] == NULL) return;
  promise_status(sarrus_events_watch(w->events[slot], take_index(&w->bytes, MOST),
                                     take_index(&w->bytes, 3),
                                     (sarrus_Change)take_index(&w->bytes, 4)));
}

static void ask_contacts(World *w, const sarrus_Sim *sim, const sarrus_System *system) {
  double modes[SARRUS_MODES * MOST + 1], impulse[3];
  PROMISE(sarrus_system_contacts(system) <= MOST);
  promise_status(sarrus_sim_modes(sim, modes));
  promise_status(sarrus_sim_modes_at(sim, take_number(&w->bytes), modes));
  sarrus_sim_struck(sim, take_index(&w->bytes, 3), impulse);
}

static void call_contact(World *w, int call) {
  const int slot = take_below(&w->bytes, OBJECTS), released = take_below(&w->bytes, 2);
  const int which[] = {take_index(&w->bytes, MOST), take_index(&w->bytes, MOST)};
  const int count = take_below(&w->bytes, 3);
  sarrus_Sim *sim = w->sims[slot].sim;
  double x[2];
  if (call % 8 == 0 && w->systems[slot] == NULL) make_touching(w, slot);
  if (call % 8 == 1) watch(w, slot);
  if (sim == NULL) return;
  if (call % 8 == 2) ask_contacts(w, sim, w->sims[slot].system);
  if (call % 8 == 3) promise_status(sarrus_sim_release(sim, count, which, released));
  const int is_off = sarrus_sim_released(sim, which[0]);
  PROMISE(is_off == 0 || is_off == 1);
  if (call % 8 == 4) promise_status(sarrus_sim_release_contact(sim, which[0], released));
  if (call % 8 == 6) promise_status(sarrus_sim_lock(sim, which[0], released));
  if (call % 8 == 7) promise_status(sarrus_sim_release_force(sim, which[0], released));
  take_numbers(&w->bytes, x, 2);
  if (call % 8 == 5) promise_status(sarrus_sim_set_all(sim, count, which, x));
  promise_state(sim, w->sims[slot].system);
}

static void call_eigen(World *w) {
  double a[MOST * MOST], re[MOST], im[MOST], vectors[MOST * MOST], work[4 * MOST];
  const int n = take_index(&w->bytes, MOST);
  take_numbers(&w->bytes, a, MOST * MOST);
  promise_status(sarrus_eigen(n <= MOST ? n : -1, a, re, im, vectors, work));
  take_numbers(&w->bytes, a, MOST * MOST);
  promise_status(sarrus_eigen_symmetric(n <= MOST ? n : -1, a, re, work));
}

/* Directions, mostly ones and zeros, and their tangents. */
static void call_tangent(World *w) {
  enum { DIRECTIONS = 3 };
  double x[2][DIRECTIONS * MOST], p[DIRECTIONS * MOST], a[DIRECTIONS * MOST];
  const int slot = take_below(&w->bytes, OBJECTS), count = take_index(&w->bytes, DIRECTIONS);
  sarrus_Sim *sim = w->sims[slot].sim;
  if (sim == NULL || (count > DIRECTIONS && count <= SARRUS_MOST_DIRECTIONS)) return;
  for (int i = 0; i < DIRECTIONS * MOST; i++)
    x[0][i] = x[1][i] = p[i] = take_below(&w->bytes, 4) > 0 ? i % 2 : take_number(&w->bytes);
  const double *dp = sarrus_sim_parameter_count(sim) <= MOST ? p : NULL;
  if (take_below(&w->bytes, 2) == 0)
    promise_status(sarrus_sim_slopes(sim, count, x[0], x[1], dp, a, NULL));
  else
    promise_status(sarrus_sim_directions(sim, count, x[0], x[1], dp));
  promise_status(sarrus_sim_tangent(sim, count - 1, a, NULL, a + MOST, NULL));
  promise_status(sarrus_sim_tangent_at(sim, take_number(&w->bytes), 0, a, a + MOST, NULL, NULL));
  sarrus_sim_instant(sim, sarrus_sim_direction_count(sim) - 1);
}

/* Calls that were added later are those of a high number, so that seeds keep their meaning. */
enum { LATER = 200, EIGEN = 244, ENSEMBLE = 250 };

static void release(World *w) {
  for (int i = 0; i < OBJECTS; i++) {
    sarrus_recorder_free(w->recorders[i]);
    sarrus_rows_release(&w->rows[i]);
  }
  for (int i = 0; i < OBJECTS; i++)
    sarrus_sim_free(w->sims[i].sim);
  for (int i = 0; i < OBJECTS; i++) {
    sarrus_events_free(w->events[i]);
    sarrus_system_free(w->systems[i]);
  }
  sarrus_graph_free(w->graph);
  PROMISE(w->heap.blocks == 0 && w->heap.bytes == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  World w = {.bytes = {data, data + size}};
  w.heap.fail_at = take(&w.bytes) < 128 ? 0 : take(&w.bytes) * 8 + take_below(&w.bytes, 8);
  fresh_graph(&w);
  for (int i = 0; i < CALLS && w.bytes.at < w.bytes.end && w.graph != NULL; i++) {
    const int kind = take_below(&w.bytes, 16), call = take(&w.bytes);
    if (kind < 5)
      call_expr(&w, call);
    else if (kind < 8)
      call_system(&w, call);
    else if (kind < 13)
      call_sim(&w, call);
    else if (kind == 13)
      call_recorder(&w, call);
    else if (kind == 14 && call >= LATER)
      call_tangent(&w);
    else if (kind == 14)
      call_adomian(&w);
    else if (call >= ENSEMBLE)
      call_ensemble(&w);
    else if (call >= EIGEN)
      call_eigen(&w);
    else if (call >= LATER)
      call_contact(&w, call);
    else
      call_series(&w, call);
  }
  release(&w);
  return 0;
}
