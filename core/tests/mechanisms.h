/* Small mechanisms for the tests of systems and expansions. */
#ifndef SARRUS_TEST_MECHANISMS_H
#define SARRUS_TEST_MECHANISMS_H

#include "expressions.h"
#include "sarrus/expansion.h"

enum { MOST = 8 };

/*
** A graph and what a system is made of; `mass` is filled by rows, and left out with a lagrangian.
*/
typedef struct Parts {
  sarrus_Graph *g;
  sarrus_Expr q[MOST], v[MOST], t;
  sarrus_Expr mass[MOST * MOST], force[MOST], constraint[MOST], velocity_constraint[MOST];
  sarrus_MassEntry entries[MOST * MOST];
  sarrus_Contact contact[MOST];
  sarrus_SystemSpec spec;
} Parts;

/* n coordinates with unit masses, no force, no constraint. */
static inline Parts *parts_new(sarrus_Memory memory, int n) {
  Parts *p = calloc(1, sizeof *p);
  if (p == NULL || (p->g = sarrus_graph_new(memory)) == NULL) {
    free(p);
    return NULL;
  }
  for (int i = 0; i < n; i++) {
    p->q[i] = sarrus_graph_symbol(p->g, SARRUS_Q, i);
    p->v[i] = sarrus_graph_symbol(p->g, SARRUS_V, i);
    p->force[i] = constant(p->g, 0);
    for (int j = 0; j < n; j++)
      p->mass[i * n + j] = constant(p->g, i == j);
  }
  p->t = sarrus_graph_symbol(p->g, SARRUS_TIME, 0);
  p->spec = (sarrus_SystemSpec){.graph = p->g,
                                .coordinates = n,
                                .mass = p->entries,
                                .lagrangian = SARRUS_NONE,
                                .force = p->force,
                                .constraint = p->constraint,
                                .velocity_constraint = p->velocity_constraint,
                                .contact = p->contact};
  for (int i = 0; i < MOST; i++)
    p->contact[i] = (sarrus_Contact){.gap = SARRUS_NONE,
                                     .slip = {SARRUS_NONE, SARRUS_NONE},
                                     .friction = SARRUS_NONE,
                                     .static_friction = SARRUS_NONE,
                                     .restitution = SARRUS_NONE,
                                     .load_friction = SARRUS_NONE,
                                     .load_static = SARRUS_NONE};
  return p;
}

/* The spec, with the masses that are not zero. */
static inline const sarrus_SystemSpec *parts_spec(Parts *p) {
  const int n = p->spec.coordinates;
  p->spec.masses = 0;
  for (int i = 0; i < n * n && p->spec.lagrangian == SARRUS_NONE; i++) {
    if (p->mass[i] == constant(p->g, 0)) continue;
    p->entries[p->spec.masses++] = (sarrus_MassEntry){i / n, i % n, p->mass[i]};
  }
  return &p->spec;
}

static inline void parts_free(Parts *p) {
  if (p == NULL) return;
  sarrus_graph_free(p->g);
  free(p);
}

static inline sarrus_Expr sine(Parts *p, sarrus_Expr x) { return unary(p->g, SARRUS_OP_SIN, x); }
static inline sarrus_Expr cosine(Parts *p, sarrus_Expr x) { return unary(p->g, SARRUS_OP_COS, x); }

/* The two-link robot of the paper. */
static inline Parts *robot(sarrus_Memory memory) {
  Parts *p = parts_new(memory, 2);
  if (p == NULL) return NULL;
  sarrus_Graph *g = p->g;
  const sarrus_Expr c1 = cosine(p, p->q[0]), c2 = cosine(p, p->q[1]);
  const sarrus_Expr both = add(g, p->q[0], p->q[1]), c12 = cosine(p, both);
  p->mass[0] = add(g, constant(g, 5), scaled(g, 3, c2));
  p->mass[1] = p->mass[2] = add(g, constant(g, 1), scaled(g, 1.5, c2));
  p->force[0] = sub(g, mul(g, add(g, c1, c12), p->v[0]), scaled(g, 3, p->q[0]));
  p->force[1] =
      add(g, mul(g, c12, p->v[0]), mul(g, sub(g, constant(g, 1), scaled(g, 1.5, c2)), p->q[0]));
  p->constraint[0] = add(g, sine(p, p->q[0]), sine(p, both));
  p->spec.constraints = 1;
  return p;
}

/* A point on a circle of radius 1, gravity downwards. */
static inline Parts *pendulum(sarrus_Memory memory) {
  Parts *p = parts_new(memory, 2);
  if (p == NULL) return NULL;
  p->force[1] = constant(p->g, -9.81);
  const sarrus_Expr x2 = power(p->g, p->q[0], 2), y2 = power(p->g, p->q[1], 2);
  p->constraint[0] = sub(p->g, add(p->g, x2, y2), constant(p->g, 1));
  p->spec.constraints = 1;
  return p;
}

#endif
