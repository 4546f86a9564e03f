/*
** The file of a small model that has one of everything, for the fuzz target and the tests of
** models: a bob on a rod of length 1, which a table of winds pushes and a wall stops.
**
**   x'' = wind(x) - 2 x lambda,  y'' = -g - 2 y lambda,  x^2 + y^2 = 1,  x + 1/2 >= 0
*/
#ifndef SARRUS_SWING_FILE_H
#define SARRUS_SWING_FILE_H

#include "sarrus/sarrus.h"

enum { SWING_SIZE = 1 << 14 };

typedef struct Swing {
  sarrus_Graph *g;
  sarrus_Expr q[2], v[2], lambda, gravity, angle, rate, wall, wind;
} Swing;

static inline sarrus_Expr swing_times(sarrus_Graph *g, sarrus_Expr a, sarrus_Expr b) {
  return sarrus_graph_apply(g, SARRUS_OP_PRODUCT, a, b, SARRUS_NONE);
}

static inline sarrus_Expr swing_sum(sarrus_Graph *g, double constant, double f, sarrus_Expr a,
                                    double h, sarrus_Expr b) {
  const sarrus_Term terms[] = {{f, a}, {h, b}};
  return sarrus_graph_linear(g, constant, 2, terms);
}

/* Expressions of the swing in a new graph. */
static inline Swing swing_new(sarrus_Memory memory) {
  static const double x[] = {-1, 0, 1}, y[] = {0.25, 0, 0.5};
  Swing s = {.g = sarrus_graph_new(memory)};
  if (s.g == NULL) return s;
  for (int i = 0; i < 2; i++) {
    s.q[i] = sarrus_graph_symbol(s.g, SARRUS_Q, i);
    s.v[i] = sarrus_graph_symbol(s.g, SARRUS_V, i);
  }
  s.lambda = sarrus_graph_symbol(s.g, SARRUS_LAMBDA, 0);
  s.gravity = sarrus_graph_symbol(s.g, SARRUS_PARAMETER, 0);
  const sarrus_Expr down = sarrus_graph_apply(s.g, SARRUS_OP_NEG, s.q[1], SARRUS_NONE, SARRUS_NONE);
  s.angle = sarrus_graph_apply(s.g, SARRUS_OP_ATAN2, s.q[0], down, SARRUS_NONE);
  s.rate =
      swing_sum(s.g, 0, -1, swing_times(s.g, s.v[0], s.q[1]), 1, swing_times(s.g, s.q[0], s.v[1]));
  s.wall = sarrus_graph_linear(s.g, 0.5, 1, (sarrus_Term[]){{1, s.q[0]}});
  s.wind = sarrus_graph_table(s.g, sarrus_graph_new_table(s.g, 3, x, y), 0, s.q[0]);
  return s;
}

/* The file of the swing, at most SWING_SIZE bytes; 0 without memory. */
static inline size_t swing_write(sarrus_Memory memory, char *to, size_t size) {
  const Swing e = swing_new(memory), s = swing_new(memory);
  size_t needed = 0;
  if (e.g != NULL && s.g != NULL) {
    const double one = sarrus_graph_constant(e.g, 1), zero = sarrus_graph_constant(s.g, 0);
    const double weight =
        sarrus_graph_apply(e.g, SARRUS_OP_NEG, e.gravity, SARRUS_NONE, SARRUS_NONE);
    const double square = swing_sum(e.g, -1, 1, sarrus_graph_power(e.g, e.q[0], 2), 1,
                                    sarrus_graph_power(e.g, e.q[1], 2));
    const double mass[] = {0, 0, one, 1, 1, one}, force[] = {e.wind, weight};
    const double law[] = {e.wall, -1, -1, -1, -1, one, 0, -1, -1, -1, -1, -1};
    const double share[] = {0, 1, weight}, lock = e.rate, row = 0, t = 1, dimension = 2;
    const double size_of = 1.5, tolerance = 1e-11, angle = e.angle,
                 element[] = {0, e.q[1], -1, weight};
    const double pose[] = {s.q[0], s.q[1], zero, s.v[0], s.v[1], zero}, place[] = {0, -1};
    const double pull[] = {zero, zero, s.lambda, zero, zero}, seen = s.angle, seen_rate = s.rate;
    const double press[] = {s.wall, zero, zero, zero, zero, zero};
    const double point[] = {s.wall, s.q[0], s.q[1], zero, zero};
    const double start[] = {0.28, -0.96, 0, 0, 1, 9.81};
    const sarrus_Field whole[] = {{"dimension", NULL, 1, &dimension},
                                  {"size", NULL, 1, &size_of},
                                  {"mass", NULL, 6, mass},
                                  {"force", NULL, 2, force},
                                  {"constraints", NULL, 1, &square},
                                  {"contacts", NULL, 12, law},
                                  {"locks", NULL, 1, &lock},
                                  {"forces", NULL, 1, &t},
                                  {"shares", NULL, 3, share},
                                  {"elements", NULL, 4, element},
                                  {"t", NULL, 1, &t},
                                  {"tolerance", NULL, 1, &tolerance}};
    const double own[] = {0, 2};
    const sarrus_Field bob[] = {
        {"kind", "sphere", 0, NULL}, {"coordinates", NULL, 2, own}, {"sight", NULL, 6, pose}};
    const sarrus_Field rod[] = {{"symbol", "bar", 0, NULL},
                                {"at_b", NULL, 2, place},
                                {"constraints", NULL, 1, &row},
                                {"locks", NULL, 1, &row},
                                {"sight", NULL, 5, pull},
                                {"sight.angle", NULL, 1, &seen},
                                {"sight.rate", NULL, 1, &seen_rate},
                                {"angle", NULL, 1, &angle},
                                {"rate", NULL, 1, &lock}};
    const sarrus_Field pulled[] = {{"force", NULL, 1, &row}};
    const sarrus_Field contact[] = {{"laws", NULL, 1, &row}, {"sight", NULL, 6, press}};
    const sarrus_Field g[] = {{"value", NULL, 1, &start[5]}};
    const sarrus_Field length[] = {{"value", NULL, 1, &start[4]}, {"fixed", NULL, 1, &start[4]}};
    const sarrus_Field channel[] = {{"unit", "rad", 0, NULL}, {"sight", NULL, 1, &seen}};
    const sarrus_Field x[] = {
        {"q", NULL, 1, &start[0]}, {"v", NULL, 1, &start[2]}, {"scale", NULL, 1, &start[4]}};
    const sarrus_Field y[] = {
        {"q", NULL, 1, &start[1]}, {"v", NULL, 1, &start[3]}, {"scale", NULL, 1, &start[4]}};
    const sarrus_Field touch[] = {{"sight", NULL, 5, point}};
    const sarrus_Item items[] = {{SARRUS_WHOLE, "swing", 12, whole},
                                 {SARRUS_BODIES, "bob", 3, bob},
                                 {SARRUS_JOINTS, "rod", 9, rod},
                                 {SARRUS_FORCES, "weight", 1, pulled},
                                 {SARRUS_CONTACTS, "wall", 2, contact},
                                 {SARRUS_PARAMETERS, "g", 1, g},
                                 {SARRUS_PARAMETERS, "length", 2, length},
                                 {SARRUS_CHANNELS, "rod.angle", 2, channel},
                                 {SARRUS_COORDINATES, "bob.x", 3, x},
                                 {SARRUS_COORDINATES, "bob.y", 3, y},
                                 {SARRUS_CONSTRAINTS, "rod (length)", 0, NULL},
                                 {SARRUS_LAWS, "wall", 1, touch}};
    needed = sarrus_model_write(e.g, s.g, 12, items, to, size);
  }
  sarrus_graph_free(e.g);
  sarrus_graph_free(s.g);
  return needed;
}

#endif
