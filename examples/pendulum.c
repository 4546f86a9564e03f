/*
** The pendulum in Cartesian coordinates, simulated with the C library alone:
**
**   x'' = -2 x lambda,  y'' = -9.81 - 2 y lambda,  x^2 + y^2 = 1,  from rest at (-1, 0)
**
**   cc pendulum.c $(pkg-config --cflags --libs sarrus) -lm
*/
#include <math.h>
#include <stdio.h>

#include <sarrus/sarrus.h>

/* The equations, written into a graph; the system keeps a copy of what it needs. */
static sarrus_Status make_pendulum(sarrus_Graph *g, sarrus_System **pendulum, sarrus_Fault *fault) {
  const sarrus_Expr x2 = sarrus_graph_power(g, sarrus_graph_symbol(g, SARRUS_Q, 0), 2);
  const sarrus_Expr y2 = sarrus_graph_power(g, sarrus_graph_symbol(g, SARRUS_Q, 1), 2);
  const sarrus_Expr one = sarrus_graph_constant(g, 1);
  const sarrus_MassEntry mass[] = {{0, 0, one}, {1, 1, one}};
  const sarrus_Expr force[] = {sarrus_graph_constant(g, 0), sarrus_graph_constant(g, -9.81)};
  const sarrus_Expr constraint[] = {
      sarrus_graph_linear(g, -1, 2, (sarrus_Term[]){{1, x2}, {1, y2}})};
  const sarrus_SystemSpec spec = {.graph = g,
                                  .coordinates = 2,
                                  .masses = 2,
                                  .mass = mass,
                                  .lagrangian = SARRUS_NONE,
                                  .force = force,
                                  .constraints = 1,
                                  .constraint = constraint};
  SARRUS_TRY(sarrus_graph_status(g)); /* asked once, for all expressions */
  return sarrus_system_new(sarrus_memory_default(), &spec, pendulum, fault);
}

/* An event: the lowest point, passed from left to right. */
static sarrus_Status make_events(sarrus_Graph *g, sarrus_Events **events) {
  const sarrus_Expr x = sarrus_graph_symbol(g, SARRUS_Q, 0);
  const sarrus_Direction up = SARRUS_UP;
  return sarrus_events_new(sarrus_memory_default(), g, 1, &x, &up, 0, events);
}

/* Go to t, counting the events on the way, and compare with what is known there. */
static sarrus_Status go(sarrus_Sim *sim, double t, double x, double y, double force, int *passed) {
  double q[2], lambda;
  sarrus_Status status;
  while ((status = sarrus_sim_advance(sim, t)) == SARRUS_STOPPED)
    ++*passed;
  SARRUS_TRY(status);
  SARRUS_TRY(sarrus_sim_state(sim, q, NULL, NULL, &lambda));
  const double error = fmax(fabs(q[0] - x), fabs(q[1] - y));
  printf("t = %3.0f: x = %.9f, y = %.9f, lambda = %.9f, passed %d times\n", t, q[0], q[1], lambda,
         *passed);
  printf("         error below 1e-11: %s\n",
         error < 1e-11 && fabs(lambda - force) < 1e-10 ? "yes" : "no");
  return SARRUS_OK;
}

/* What went wrong, in the words of this program. */
static void explain(sarrus_Status status, const sarrus_Fault *fault, const sarrus_System *system) {
  const char *const coordinates[] = {"x", "y"}, *const constraints[] = {"rod"};
  const sarrus_Names names = {
      .coordinates = 2, .coordinate = coordinates, .constraints = 1, .constraint = constraints};
  char text[200];
  sarrus_fault_text(status, fault, system, &names, text, sizeof text);
  fprintf(stderr, "pendulum: %s\n", text);
}

static sarrus_Status simulate(const sarrus_System *pendulum, const sarrus_Events *events) {
  const double q[] = {-1, 0}, v[] = {0, 0};
  const sarrus_SimOptions options = {.tolerance = 1e-14};
  sarrus_Sim *sim;
  int passed = 0;
  SARRUS_TRY(sarrus_sim_new(sarrus_memory_default(), pendulum, events, &options, &sim));
  sarrus_Status status = sarrus_sim_start(sim, 0, q, v);
  if (status >= 0)
    status = go(sim, 10, -0.27508746257611686, -0.96141920509912506, 14.147283603033625, &passed);
  if (status >= 0)
    status = go(sim, 100, -0.18151335142703138, -0.98338848033405750, 14.470561488115656, &passed);
  if (status < 0) explain(status, sarrus_sim_fault(sim), pendulum);
  sarrus_sim_free(sim);
  return status;
}

int main(void) {
  sarrus_Graph *graph = sarrus_graph_new(sarrus_memory_default());
  sarrus_System *pendulum = NULL;
  sarrus_Events *events = NULL;
  sarrus_Fault fault;
  sarrus_Status status = graph == NULL ? SARRUS_NOMEM : make_pendulum(graph, &pendulum, &fault);
  if (status >= 0) status = make_events(graph, &events);
  sarrus_graph_free(graph);
  if (status < 0) fprintf(stderr, "pendulum: %s\n", sarrus_status_text(status));
  if (status >= 0) status = simulate(pendulum, events);
  sarrus_events_free(events);
  sarrus_system_free(pendulum);
  return status < 0;
}
