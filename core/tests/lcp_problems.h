/* Chance, and mechanisms in the plane with contacts, for tests of complementarity and impact. */
#ifndef SARRUS_TEST_LCP_PROBLEMS_H
#define SARRUS_TEST_LCP_PROBLEMS_H

#include <stdint.h>

#include "lcp.h"
#include "test.h"

static uint64_t chance = 88172645463325252u;

static inline double uniform(double from, double to) {
  chance ^= chance << 13;
  chance ^= chance >> 7;
  chance ^= chance << 17;
  return from + (to - from) * (double)(chance >> 11) * 0x1p-53;
}

static inline int below(int n) { return (int)uniform(0, n); }

enum { CONTACTS = 12, FREEDOMS = 40, ROWS = 2 * CONTACTS };

/*
** Contacts 0..n-1 with normal and tangential rows B over freedoms with masses: W = B mass^-1 B^T,
** b = B u.
*/
typedef struct Contacts {
  int n, freedoms;
  double B[ROWS][FREEDOMS], mass[FREEDOMS], u[FREEDOMS];
  double W[ROWS * ROWS], b[ROWS], mu[CONTACTS], e[CONTACTS];
  const int *guided;
} Contacts;

static inline void complete(Contacts *c) {
  const int rows = 2 * c->n;
  for (int i = 0; i < rows; i++) {
    c->b[i] = 0;
    for (int k = 0; k < c->freedoms; k++)
      c->b[i] += c->B[i][k] * c->u[k];
    for (int j = 0; j < rows; j++) {
      double sum = 0;
      for (int k = 0; k < c->freedoms; k++)
        sum += c->B[i][k] / c->mass[k] * c->B[j][k];
      c->W[i * rows + j] = sum;
    }
  }
}

static inline void set_contact(Contacts *c, int i, double mu, double e) {
  c->mu[i] = mu;
  c->e[i] = e;
}

/* Rows of numbers between -1 and 1 */
static inline Contacts any_contacts(int n, int freedoms, double mu) {
  Contacts c = {.n = n, .freedoms = freedoms};
  for (int k = 0; k < freedoms; k++) {
    c.mass[k] = exp(uniform(-1, 1));
    c.u[k] = uniform(-1, 1);
  }
  for (int i = 0; i < n; i++) {
    set_contact(&c, i, mu, 0);
    for (int k = 0; k < freedoms; k++) {
      c.B[i][k] = uniform(-1, 1);
      c.B[n + i][k] = uniform(-1, 1);
    }
  }
  complete(&c);
  return c;
}

/* Body (x, y, angle) with freedoms from `at` on: contact i at (x, y) from its centre, normal up. */
static inline void touch_floor(Contacts *c, int i, int at, double x, double y) {
  c->B[i][at + 1] = 1;
  c->B[i][at + 2] = x;
  c->B[c->n + i][at] = 1;
  c->B[c->n + i][at + 2] = -y;
}

static inline void set_body(Contacts *c, int at, double mass, double inertia) {
  c->mass[at] = c->mass[at + 1] = mass;
  c->mass[at + 2] = inertia;
}

/* A rod of length 2 whose lower end touches the floor, at this angle. */
static inline Contacts rod(double angle, double mu, double e) {
  Contacts c = {.n = 1, .freedoms = 3};
  set_body(&c, 0, 1, 1.0 / 3);
  touch_floor(&c, 0, 0, -cos(angle), -sin(angle));
  set_contact(&c, 0, mu, e);
  return c;
}

/* n points of one box on a line. */
static inline Contacts box_on_line(int n, double width, double height, double mu, double e) {
  Contacts c = {.n = n, .freedoms = 3};
  set_body(&c, 0, 1, (width * width + height * height) / 12);
  for (int i = 0; i < n; i++) {
    touch_floor(&c, i, 0, width * (n > 1 ? (double)i / (n - 1) - 0.5 : 0), -height / 2);
    set_contact(&c, i, mu, e);
  }
  return c;
}

/* Contact i of two bodies side by side, y1 and y2 above their centres; normal along x. */
static inline void touch_bodies(Contacts *c, int i, int first, int second, double y1, double y2,
                                double half) {
  c->B[i][second] = 1;
  c->B[i][second + 2] = -y2;
  c->B[i][first] = -1;
  c->B[i][first + 2] = y1;
  c->B[c->n + i][second + 1] = 1;
  c->B[c->n + i][second + 2] = -half;
  c->B[c->n + i][first + 1] = -1;
  c->B[c->n + i][first + 2] = -half;
}

/* A chain of n + 1 bodies in a row, touching. */
static inline Contacts row_of_bodies(int n, double spread, double offset) {
  Contacts c = {.n = n, .freedoms = 3 * (n + 1)};
  for (int k = 0; k <= n; k++) {
    const double mass = exp(uniform(-spread, spread));
    set_body(&c, 3 * k, mass, mass / 6);
  }
  for (int i = 0; i < n; i++)
    touch_bodies(&c, i, 3 * i, 3 * i + 3, uniform(-offset, offset), uniform(-offset, offset), 0.5);
  return c;
}

#endif
