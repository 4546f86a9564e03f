/*
** SUNDIALS: CVODE (Adams, fixed-point iteration) and ARKODE (explicit, orders 5 and 8, projected)
** on hand-written equations, IDA on the stabilised index-2 form of Gear, Gupta and Leimkuhler:
**   q' = v - G^T mu,  M v' = f - G^T lambda,  g = 0,  G v = 0.
*/
#define _GNU_SOURCE
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "equations.h"
#include "search.h"

typedef struct Problem {
  const char *name;
  double t;
  int size; /* of y = (q, v) */
  void (*rate)(const struct Problem *p, const double *y, double *dy);
  void (*project)(double *y);
  const Mechanism *mechanism;
  const Chain *chain;
  Rod *rod;
  ARKODE_ERKTableID table;
} Problem;

static SUNContext context;

static void rate_squeezer(const Problem *p, const double *y, double *dy) {
  (void)p;
  squeezer_rate(y, dy);
}
static void rate_robot(const Problem *p, const double *y, double *dy) {
  (void)p;
  robot_rate(y, dy);
}
static void rate_chain(const Problem *p, const double *y, double *dy) {
  chain_rate(p->chain->rods, p->rod, y, dy);
}

static int f(realtype t, N_Vector y, N_Vector dy, void *ud) {
  (void)t;
  const Problem *p = ud;
  p->rate(p, NV_DATA_S(y), NV_DATA_S(dy));
  return 0;
}

static void start(const Problem *p, double *y) {
  memset(y, 0, (size_t)p->size * sizeof *y);
  if (p->chain) return;
  memcpy(y, p->mechanism->q, (size_t)p->size / 2 * sizeof *y);
  memcpy(y + p->size / 2, p->mechanism->v, (size_t)p->size / 2 * sizeof *y);
}

static double error_of(const Problem *p, const double *y) {
  return p->chain ? chain_error(p->chain->rods, y, p->chain->end)
                  : relative_error(y, p->mechanism, p->size / 2);
}

enum { LIMIT_MS = 1000, MOST_STEPS = 10000 };

/*
** --- CVODE -------------------------------------------------------------------------------------
*/

static Outcome cvode(void *what, double digits) {
  Problem *p = what;
  const double tolerance = pow(10, -digits);
  N_Vector y = N_VNew_Serial(p->size, context);
  int status = 0;
  long steps = 0;
  Timer timer = {0};
  while (timer_again(&timer)) {
    double t;
    start(p, NV_DATA_S(y));
    void *cv = CVodeCreate(CV_ADAMS, context);
    CVodeInit(cv, f, 0, y);
    CVodeSStolerances(cv, tolerance, tolerance);
    SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(y, 0, context);
    CVodeSetNonlinearSolver(cv, iteration);
    CVodeSetUserData(cv, p);
    CVodeSetMaxNumSteps(cv, MOST_STEPS);
    CVodeSetStopTime(cv, p->t);
    timer_start(&timer);
    status = CVode(cv, p->t, y, &t, CV_NORMAL);
    timer_stop(&timer);
    CVodeGetNumSteps(cv, &steps);
    SUNNonlinSolFree(iteration);
    CVodeFree(&cv);
  }
  const double error = status < 0 ? NAN : error_of(p, NV_DATA_S(y));
  N_VDestroy(y);
  char setting[40];
  snprintf(setting, sizeof setting, "CVODE Adams %.2g", tolerance);
  return row(p->name, "SUNDIALS", setting, timer.ms, error, steps);
}

/*
** --- ARKODE ------------------------------------------------------------------------------------
*/

static int project(realtype t, N_Vector y, void *ud) {
  (void)t;
  const Problem *p = ud;
  p->project(NV_DATA_S(y));
  return 0;
}

static Outcome arkode(void *what, double digits) {
  Problem *p = what;
  const double tolerance = pow(10, -digits);
  N_Vector y = N_VNew_Serial(p->size, context);
  int status = 0;
  long steps = 0;
  Timer timer = {0};
  while (timer_again(&timer)) {
    double t = 0;
    start(p, NV_DATA_S(y));
    void *ark = ERKStepCreate(f, 0, y, context);
    ERKStepSStolerances(ark, tolerance, tolerance);
    ERKStepSetTableNum(ark, p->table);
    ERKStepSetUserData(ark, p);
    ERKStepSetMaxNumSteps(ark, MOST_STEPS);
    ERKStepSetStopTime(ark, p->t);
    if (p->project) ERKStepSetPostprocessStepFn(ark, project);
    timer_start(&timer);
    status = ERKStepEvolve(ark, p->t, y, &t, ARK_NORMAL);
    timer_stop(&timer);
    ERKStepGetNumSteps(ark, &steps);
    ERKStepFree(&ark);
  }
  const double error = status < 0 ? NAN : error_of(p, NV_DATA_S(y));
  N_VDestroy(y);
  char setting[60];
  snprintf(setting, sizeof setting, "ARKODE %s %.2g",
           p->table == ARKODE_FEHLBERG_13_7_8 ? "Fehlberg 8" : "Dormand-Prince 5", tolerance);
  return row(p->name, "SUNDIALS", setting, timer.ms, error, steps);
}

/*
** --- IDA: the squeezer in x = (q, v, lambda, mu)
** --------------------------------------------------
*/

enum { N = squeezer_n, M = squeezer_m, SIZE = 2 * N + 2 * M };

/* y = M x */
static void multiply(const Terms *s, const double *x, double *y) {
  static const int pair[3] = {0, 3, 5};
  for (int p = 0; p < 3; p++) {
    const int i = pair[p];
    y[i] = s->mass[i] * x[i] + s->coupling[i] * x[i + 1];
    y[i + 1] = s->coupling[i] * x[i] + s->mass[i + 1] * x[i + 1];
  }
  y[2] = s->mass[2] * x[2];
}

static int residual(realtype t, N_Vector nx, N_Vector ndx, N_Vector nr, void *ud) {
  (void)t, (void)ud;
  const double *x = NV_DATA_S(nx), *dx = NV_DATA_S(ndx), *v = x + N, *lambda = x + 2 * N;
  const double *mu = lambda + M;
  double *r = NV_DATA_S(nr), inertia[N];
  Terms s;
  squeezer_terms(x, v, &s);
  multiply(&s, dx + N, inertia);
  for (int k = 0; k < N; k++) {
    r[k] = dx[k] - v[k];
    r[N + k] = inertia[k] - s.force[k];
    for (int i = 0; i < M; i++)
      r[k] += s.G[i][k] * mu[i], r[N + k] += s.G[i][k] * lambda[i];
  }
  for (int i = 0; i < M; i++) {
    r[2 * N + i] = s.g[i];
    r[2 * N + M + i] = 0;
    for (int k = 0; k < N; k++)
      r[2 * N + M + i] += s.G[i][k] * v[k];
  }
  return 0;
}

/* Multipliers are not under error control; only Newton's iteration looks at their tolerance. */
static void ida_start(double *x, double *dx, double *id, double *tolerance, double wanted) {
  memset(x, 0, SIZE * sizeof *x);
  memset(dx, 0, SIZE * sizeof *dx);
  memcpy(x, squeezer_q, sizeof squeezer_q);
  dx[N] = 14222.4439199541138705911625887;
  dx[N + 1] = -10666.8329399655854029433719415;
  x[2 * N] = 98.5668703962410896057654982170;
  x[2 * N + 1] = -6.12268834425566265503114393122;
  for (int i = 0; i < SIZE; i++)
    id[i] = i < 2 * N, tolerance[i] = i < 2 * N ? wanted : 1;
}

static Outcome ida(void *what, double digits) {
  (void)what;
  const double wish = pow(10, -digits);
  N_Vector x = N_VNew_Serial(SIZE, context), dx = N_VNew_Serial(SIZE, context);
  N_Vector id = N_VNew_Serial(SIZE, context), tolerance = N_VNew_Serial(SIZE, context);
  SUNMatrix matrix = SUNDenseMatrix(SIZE, SIZE, context);
  SUNLinearSolver solver = SUNLinSol_Dense(x, matrix, context);
  int status = 0;
  long steps = 0;
  Timer timer = {0};
  while (timer_again(&timer)) {
    double t;
    ida_start(NV_DATA_S(x), NV_DATA_S(dx), NV_DATA_S(id), NV_DATA_S(tolerance), wish);
    void *mem = IDACreate(context);
    IDAInit(mem, residual, 0, x, dx);
    IDASVtolerances(mem, wish, tolerance);
    IDASetLinearSolver(mem, solver, matrix);
    IDASetInitStep(mem, 1e-8);
    IDASetId(mem, id);
    IDASetSuppressAlg(mem, 1);
    IDASetMaxNumSteps(mem, MOST_STEPS);
    IDASetStopTime(mem, squeezer.t);
    timer_start(&timer);
    status = IDASolve(mem, squeezer.t, &t, x, dx, IDA_NORMAL);
    timer_stop(&timer);
    IDAGetNumSteps(mem, &steps);
    IDAFree(&mem);
  }
  const double error = status < 0 ? NAN : relative_error(NV_DATA_S(x), &squeezer, N);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(x), N_VDestroy(dx), N_VDestroy(id), N_VDestroy(tolerance);
  char setting[40];
  snprintf(setting, sizeof setting, "IDA GGL %.2g", wish);
  return row("squeezer", "SUNDIALS", setting, timer.ms, error, steps);
}

static void explicit_ones(Problem *p) {
  search(cvode, p, &tolerances, LIMIT_MS);
  p->table = ARKODE_DORMAND_PRINCE_7_4_5;
  search(arkode, p, &tolerances, LIMIT_MS);
  p->table = ARKODE_FEHLBERG_13_7_8;
  search(arkode, p, &tolerances, LIMIT_MS);
}

int main(void) {
  SUNContext_Create(NULL, &context);
  if (freopen("/dev/null", "w", stderr) == NULL) return 1; /* failures show as missing rows */
  explicit_ones(&(Problem){.name = "squeezer",
                           .t = squeezer.t,
                           .size = 2 * squeezer_n,
                           .rate = rate_squeezer,
                           .project = squeezer_project,
                           .mechanism = &squeezer});
  search(ida, NULL, &tolerances, LIMIT_MS);
  explicit_ones(&(Problem){.name = "robot",
                           .t = robot.t,
                           .size = 2 * robot_n,
                           .rate = rate_robot,
                           .project = robot_project,
                           .mechanism = &robot});
  for (int i = 0; i < CHAINS; i++) {
    char name[40];
    chain_name(name, sizeof name, &chains[i]);
    Rod *rod = malloc((size_t)chains[i].rods * sizeof *rod);
    explicit_ones(&(Problem){.name = name,
                             .t = chains[i].t,
                             .size = 2 * chains[i].rods,
                             .rate = rate_chain,
                             .chain = &chains[i],
                             .rod = rod});
    free(rod);
  }
  SUNContext_Free(&context);
  return 0;
}
