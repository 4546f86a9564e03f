/*
** A ball dropped on a floor, with the C library alone:
**
**   y'' = -9.81,  y >= 0,  restitution 0.9,  from rest at 1 m
**
** It bounces ever lower, infinitely often, and rests from (1 + e) / (1 - e) sqrt(2 h / g) = 8.579 s
** on; no step is told so.
**
**   cc contact.c $(pkg-config --cflags --libs sarrus) -lm
*/
#include <math.h>
#include <stdio.h>

#include <sarrus/sarrus.h>

static const double gravity = 9.81, restitution = 0.9;

/* The equations: a mass, a force, and a contact whose gap is the height. */
static sarrus_Status make_ball(sarrus_Graph *g, sarrus_System **ball, sarrus_Fault *fault) {
  const sarrus_MassEntry mass = {0, 0, sarrus_graph_constant(g, 1)};
  const sarrus_Expr force = sarrus_graph_constant(g, -gravity);
  const sarrus_Contact floor = {.gap = sarrus_graph_symbol(g, SARRUS_Q, 0),
                                .slip = {SARRUS_NONE, SARRUS_NONE},
                                .friction = SARRUS_NONE,
                                .static_friction = SARRUS_NONE,
                                .restitution = sarrus_graph_constant(g, restitution)};
  const sarrus_SystemSpec spec = {.graph = g,
                                  .coordinates = 1,
                                  .masses = 1,
                                  .mass = &mass,
                                  .lagrangian = SARRUS_NONE,
                                  .force = &force,
                                  .contacts = 1,
                                  .contact = &floor};
  SARRUS_TRY(sarrus_graph_status(g));
  return sarrus_system_new(sarrus_memory_default(), &spec, ball, fault);
}

/* An event that comes where the ball touches the floor; by itself, being 1, it is never zero. */
static sarrus_Status make_events(sarrus_Graph *g, sarrus_Events **events) {
  const sarrus_Expr never = sarrus_graph_constant(g, 1);
  const sarrus_Direction both = SARRUS_BOTH;
  SARRUS_TRY(sarrus_events_new(sarrus_memory_default(), g, 1, &never, &both, 0, events));
  return sarrus_events_watch(*events, 0, 0, SARRUS_TOUCHES);
}

/* Go to t, counting bounces, and compare with the height and the speed that are known there. */
static sarrus_Status go(sarrus_Sim *sim, double t, double y, double v, int *bounces) {
  static const char *const names[] = {"open", "slip", "stick"};
  double q, rate, lambda, modes[SARRUS_MODES];
  sarrus_Status status;
  while ((status = sarrus_sim_advance(sim, t)) == SARRUS_STOPPED)
    ++*bounces;
  SARRUS_TRY(status);
  SARRUS_TRY(sarrus_sim_state(sim, &q, &rate, NULL, &lambda));
  SARRUS_TRY(sarrus_sim_modes(sim, modes));
  printf("t = %5.1f: the contact is %-5s and exerts %.2f N\n", t,
         names[(int)modes[SARRUS_MODES - 1]], fabs(lambda));
  printf("           height and speed to 1e-12: %s\n",
         fabs(q - y) < 1e-12 && fabs(rate - v) < 1e-12 ? "yes" : "no");
  return SARRUS_OK;
}

static sarrus_Status simulate(const sarrus_System *ball, const sarrus_Events *events) {
  const double height = 1, speed = 0;
  const sarrus_SimOptions options = {.tolerance = 1e-14};
  sarrus_Sim *sim;
  int bounces = 0;
  SARRUS_TRY(sarrus_sim_new(sarrus_memory_default(), ball, events, &options, &sim));
  sarrus_Status status = sarrus_sim_start(sim, 0, &height, &speed);
  if (status >= 0) status = go(sim, 8.5, 5.565551008992671e-6, -0.04166519580981356, &bounces);
  if (status >= 0) printf("           %d bounces\n", bounces);
  if (status >= 0) status = go(sim, 8.6, 0, 0, &bounces);
  if (status >= 0) status = go(sim, 100, 0, 0, &bounces);
  if (status < 0) {
    char text[200];
    sarrus_fault_text(status, sarrus_sim_fault(sim), ball, NULL, text, sizeof text);
    fprintf(stderr, "contact: %s\n", text);
  }
  sarrus_sim_free(sim);
  return status;
}

int main(void) {
  sarrus_Graph *graph = sarrus_graph_new(sarrus_memory_default());
  sarrus_System *ball = NULL;
  sarrus_Events *events = NULL;
  sarrus_Fault fault;
  sarrus_Status status = graph == NULL ? SARRUS_NOMEM : make_ball(graph, &ball, &fault);
  if (status >= 0) status = make_events(graph, &events);
  sarrus_graph_free(graph);
  if (status < 0) fprintf(stderr, "contact: %s\n", sarrus_status_text(status));
  if (status >= 0) status = simulate(ball, events);
  sarrus_events_free(events);
  sarrus_system_free(ball);
  return status < 0;
}
