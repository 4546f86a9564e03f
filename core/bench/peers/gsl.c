/* GSL: the eighth-order Runge-Kutta method of Prince and Dormand on hand-written equations, projected. */
#define _GNU_SOURCE
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <stdlib.h>

#include "rows.h"
#include "equations.h"

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

typedef struct Run {
  gsl_odeiv2_system system;
  void (*project)(double *y);
  double tolerance, t_end;
} Run;

/* Steps taken, or -1. */
static long integrate(const Run *run, double *y) {
  const size_t n = run->system.dimension;
  gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, n);
  gsl_odeiv2_control *control = gsl_odeiv2_control_y_new(run->tolerance, run->tolerance);
  gsl_odeiv2_evolve *evolve = gsl_odeiv2_evolve_alloc(n);
  double t = 0, h = run->t_end / 100;
  long steps = 0;
  int status = GSL_SUCCESS;
  while (t < run->t_end && status == GSL_SUCCESS && steps < 1000000) {
    status = gsl_odeiv2_evolve_apply(evolve, control, step, &run->system, &t, run->t_end, &h, y);
    if (run->project) run->project(y);
    steps++;
  }
  gsl_odeiv2_evolve_free(evolve);
  gsl_odeiv2_control_free(control);
  gsl_odeiv2_step_free(step);
  return status == GSL_SUCCESS ? steps : -1;
}

static void mechanism(const Mechanism *m, int n, int (*f)(double, const double *, double *, void *),
                      void (*project)(double *y)) {
  for (int digits = 4; digits <= 15; digits++) {
    Run run = {{f, NULL, (size_t)(2 * n), NULL}, project, pow(10, -digits), m->t};
    double y[2 * MOST_Q], ms = 0;
    char setting[40];
    long steps = 0;
    REPEAT(ms) {
      memcpy(y, m->q, (size_t)n * sizeof *y);
      memcpy(y + n, m->v, (size_t)n * sizeof *y);
      steps = integrate(&run, y);
    }
    snprintf(setting, sizeof setting, "rk8pd 1e-%d", digits);
    row(m->name, "GSL", setting, ms, steps < 0 ? NAN : relative_error(y, m, n), steps);
  }
}

static void chain(const Chain *c) {
  Rods rods = {c->rods, malloc((size_t)c->rods * sizeof(Rod))};
  double *y = malloc(2 * (size_t)c->rods * sizeof *y), ms = 0;
  for (int digits = 4; digits <= 15 && ms < 1000; digits++) {
    Run run = {{chain_f, NULL, 2 * (size_t)c->rods, &rods}, NULL, pow(10, -digits), c->t};
    char name[40], setting[40];
    long steps = 0;
    REPEAT(ms) {
      memset(y, 0, 2 * (size_t)c->rods * sizeof *y);
      steps = integrate(&run, y);
    }
    chain_name(name, sizeof name, c);
    snprintf(setting, sizeof setting, "rk8pd 1e-%d", digits);
    row(name, "GSL", setting, ms, steps < 0 ? NAN : chain_error(c->rods, y, c->end), steps);
  }
  free(y);
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
