/* Mechanisms that touch, for the tests of contacts. */
#ifndef SARRUS_TEST_CONTACTS_H
#define SARRUS_TEST_CONTACTS_H

#include "sims.h"

static const double g0 = 9.81;

static inline sarrus_ContactMode mode_of(const sarrus_Sim *sim, int contact) {
  double modes[SARRUS_MODES * MOST];
  CHECK_OK(sarrus_sim_modes(sim, modes));
  return (sarrus_ContactMode)modes[SARRUS_MODES * contact + SARRUS_MODES - 1];
}

static inline void state_of(const sarrus_Sim *sim, double *q, double *v) {
  CHECK_OK(sarrus_sim_state(sim, q, v, NULL, NULL));
}

/* Go to t past all events; answers how many there were. */
static inline int advance(sarrus_Sim *sim, double t) {
  sarrus_Status status;
  int count = 0;
  while ((status = sarrus_sim_advance(sim, t)) == SARRUS_STOPPED)
    count++;
  CHECK_OK(status);
  return count;
}

/* --- mechanisms -------------------------------------------------------------------------- */

/* A ball above a floor at y = 0; parameter 0 is its restitution, parameter 1 a push. */
static inline Parts *ball(void) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (p == NULL) return NULL;
  p->force[0] = add(p->g, constant(p->g, -g0), sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 1));
  p->contact[0].gap = p->q[0];
  p->contact[0].restitution = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0);
  p->spec.contacts = 1;
  p->spec.parameters = 2;
  return p;
}

/*
** A block on a plane that is inclined by the angle `slope`; parameter 0 is friction, parameter 1
** pushes it upwards.
*/
static inline Parts *block(double slope) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr push = mul(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 1), p->t);
  p->force[0] = add(g, constant(g, -g0 * sin(slope)), push);
  p->force[1] = constant(g, -g0 * cos(slope));
  p->contact[0].gap = p->q[1];
  p->contact[0].slip[0] = p->v[0];
  p->contact[0].friction = sarrus_graph_symbol(g, SARRUS_PARAMETER, 0);
  p->spec.contacts = 1;
  p->spec.parameters = 2;
  return p;
}

/* A thin rod of length 2 and mass 1, at x, y, theta: both ends above the floor. */
static inline Parts *rod(double friction, double restitution) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr s = sine(p, p->q[2]);
  p->mass[8] = constant(g, 1.0 / 3);
  p->force[1] = constant(g, -g0);
  for (int i = 0; i < 2; i++) {
    const double side = i == 0 ? -1 : 1;
    p->contact[i].gap = add(g, p->q[1], scaled(g, side, s));
    p->contact[i].slip[0] = sub(g, p->v[0], scaled(g, side, mul(g, s, p->v[2])));
    p->contact[i].friction = constant(g, friction);
    p->contact[i].restitution = constant(g, restitution);
  }
  p->spec.contacts = 2;
  return p;
}

/*
** An oscillator with dry friction and no gap; parameters: what holds it while it slips, and while
** it sticks.
*/
static inline Parts *rubbed(void) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (p == NULL) return NULL;
  p->force[0] = negative(p->g, p->q[0]);
  p->contact[0].slip[0] = p->v[0];
  p->contact[0].friction = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 0);
  p->contact[0].static_friction = sarrus_graph_symbol(p->g, SARRUS_PARAMETER, 1);
  p->spec.contacts = 1;
  p->spec.parameters = 2;
  return p;
}

/*
** A point mass on a plane in space, under a force along x (parameter 0) and one (parameter 1) that
** grows, 1 rad from it.
*/
static inline Parts *puck(double friction) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr growing = mul(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 1), p->t);
  p->force[0] = add(g, sarrus_graph_symbol(g, SARRUS_PARAMETER, 0), scaled(g, cos(1), growing));
  p->force[1] = scaled(g, sin(1), growing);
  p->force[2] = constant(g, -g0);
  p->contact[0].gap = p->q[2];
  p->contact[0].slip[0] = p->v[0];
  p->contact[0].slip[1] = p->v[1];
  p->contact[0].friction = constant(g, friction);
  p->spec.contacts = 1;
  p->spec.parameters = 2;
  return p;
}

/* A run at its start, two parameters being set. */
static inline bool run_from(Run *run, Parts *p, double one, double two, const double *q,
                            const double *v) {
  const int parameters = p == NULL ? 0 : p->spec.parameters;
  if (!run_new(run, p, &tight)) return false;
  if (parameters > 0) CHECK_OK(sarrus_sim_preset(run->sim, 0, one));
  if (parameters > 1) CHECK_OK(sarrus_sim_preset(run->sim, 1, two));
  return CHECK_OK(sarrus_sim_start(run->sim, 0, q, v));
}

/* The same with events that watch contact 0, one for each kind of change in their order. */
static inline bool run_watched(Run *run, Parts *p, double one, double two, const double *q,
                               const double *v) {
  const sarrus_Memory memory = sarrus_memory_default();
  sarrus_Fault fault;
  *run = (Run){NULL, NULL, NULL};
  if (!CHECK(p != NULL)) return false;
  const sarrus_Expr never[] = {constant(p->g, 1), constant(p->g, 1), constant(p->g, 1),
                               constant(p->g, 1)};
  const sarrus_Direction both[] = {SARRUS_BOTH, SARRUS_BOTH, SARRUS_BOTH, SARRUS_BOTH};
  bool made =
      CHECK_OK(sarrus_system_new(memory, parts_spec(p), &run->system, &fault)) &&
      CHECK_OK(sarrus_events_new(memory, p->g, 4, never, both, p->spec.parameters, &run->events));
  for (int i = 0; i < 4 && made; i++)
    made = CHECK_OK(sarrus_events_watch(run->events, i, 0, (sarrus_Change)i));
  parts_free(p);
  if (!made || !CHECK_OK(sarrus_sim_new(memory, run->system, run->events, &tight, &run->sim)))
    return false;
  CHECK_OK(sarrus_sim_preset(run->sim, 0, one));
  CHECK_OK(sarrus_sim_preset(run->sim, 1, two));
  return CHECK_OK(sarrus_sim_start(run->sim, 0, q, v));
}

#endif
