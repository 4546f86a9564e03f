/*
** GSL: the eighth-order Runge-Kutta method of Prince and Dormand on hand-written equations,
** projected.
*/
#define _GNU_SOURCE
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <stdlib.h>

#include "equations.h"
#include "search.h"

static int squeezer_f(double t, const double *y, double *dy, void *ud) {
  (void)t, (void)ud;
  squeezer_rate(y, dy);
  return GSL_SUCCESS;
}

static int robot_f(double t, const double *y, double *dy, void *ud) {
  (void)t, (void)ud;
  robot_rate(y, dy);
  return GSL_SUCCESS;
}

typedef struct Rods {
  int count;
  Rod *rod;
} Rods;

static int chain_f(double t, const double *y, double *dy, void *ud) {
  (void)t;
  const Rods *rods = ud;
  chain_rate(rods->count, rods->rod, y, dy);
  return GSL_SUCCESS;
}

typedef struct Problem {
  char name[40];
  gsl_odeiv2_system system; /* its state is (q, v) */
  void (*project)(double *y);
  double t;
  const Mechanism *mechanism;
  const Chain *chain;
} Problem;

static void start(const Problem *p, double *y) {
  const size_t n = p->system.dimension / 2;
  memset(y, 0, 2 * n * sizeof *y);
  if (p->chain) return;
  memcpy(y, p->mechanism->q, n * sizeof *y);
  memcpy(y + n, p->mechanism->v, n * sizeof *y);
}

static double error_of(const Problem *p, const double *y) {
  return p->chain ? chain_error(p->chain->rods, y, p->chain->end)
                  : relative_error(y, p->mechanism, (int)p->system.dimension / 2);
}

static Outcome at_tolerance(void *what, double digits) {
  const Problem *p = what;
  const size_t n = p->system.dimension;
  const double tolerance = pow(10, -digits);
  gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, n);
  gsl_odeiv2_control *control = gsl_odeiv2_control_y_new(tolerance, tolerance);
  gsl_odeiv2_evolve *evolve = gsl_odeiv2_evolve_alloc(n);
  double *y = malloc(n * sizeof *y);
  long steps = 0;
  int status = GSL_SUCCESS;
  Timer timer = {0};
  while (timer_again(&timer)) {
    double t = 0, h = p->t / 100;
    start(p, y);
    gsl_odeiv2_step_reset(step);
    gsl_odeiv2_evolve_reset(evolve);
    timer_start(&timer);
    for (steps = 0; t < p->t && status == GSL_SUCCESS && steps < 1000000; steps++) {
      status = gsl_odeiv2_evolve_apply(evolve, control, step, &p->system, &t, p->t, &h, y);
      if (p->project) p->project(y);
    }
    timer_stop(&timer);
  }
  const double error = status == GSL_SUCCESS ? error_of(p, y) : NAN;
  gsl_odeiv2_evolve_free(evolve);
  gsl_odeiv2_control_free(control);
  gsl_odeiv2_step_free(step);
  free(y);
  char setting[40];
  snprintf(setting, sizeof setting, "rk8pd %.2g", tolerance);
  return row(p->name, "GSL", setting, timer.ms, error, steps);
}

static void mechanism(const Mechanism *m, int n, int (*f)(double, const double *, double *, void *),
                      void (*project)(double *y)) {
  Problem p = {
      .system = {f, NULL, (size_t)(2 * n), NULL}, .project = project, .t = m->t, .mechanism = m};
  snprintf(p.name, sizeof p.name, "%s", m->name);
  search(at_tolerance, &p, &tolerances, 1000);
}

static void chain(const Chain *c) {
  Rods rods = {c->rods, malloc((size_t)c->rods * sizeof(Rod))};
  Problem p = {.system = {chain_f, NULL, 2 * (size_t)c->rods, &rods}, .t = c->t, .chain = c};
  chain_name(p.name, sizeof p.name, c);
  search(at_tolerance, &p, &tolerances, 1000);
  free(rods.rod);
}

int main(void) {
  gsl_set_error_handler_off();
  mechanism(&squeezer, squeezer_n, squeezer_f, squeezer_project);
  mechanism(&robot, robot_n, robot_f, robot_project);
  for (int i = 0; i < CHAINS; i++)
    chain(&chains[i]);
  return 0;
}
