/*
** SUNDIALS on the stiff problems: CVODE and IDA, both BDF with Newton's method and dense matrices
** by differences, on hand-written equations in minimal coordinates; on the arm IDA also on the
** stabilised index-2 form (see sundials.c) in the angles of both links.
*/
#define _GNU_SOURCE
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "search.h"
#include "stiff.h"

static SUNContext context;

enum { LIMIT_MS = 1000, MOST_STEPS = 1000000 };

/* A problem, and how small the tolerance of stretches is, next to that of the rest. */
typedef struct Way {
  const Stiff *problem;
  double stretch;
} Way;

typedef struct Vectors {
  N_Vector y, dy, tolerance, id;
  SUNMatrix matrix;
  SUNLinearSolver solver;
} Vectors;

static Vectors vectors_of(int size) {
  Vectors v = {.y = N_VNew_Serial(size, context), .matrix = SUNDenseMatrix(size, size, context)};
  v.dy = N_VClone(v.y), v.tolerance = N_VClone(v.y), v.id = N_VClone(v.y);
  v.solver = SUNLinSol_Dense(v.y, v.matrix, context);
  return v;
}

static void vectors_free(Vectors *v) {
  SUNLinSolFree(v->solver);
  SUNMatDestroy(v->matrix);
  N_VDestroy(v->y), N_VDestroy(v->dy), N_VDestroy(v->tolerance), N_VDestroy(v->id);
}

static void start(const Way *way, double wanted, Vectors *v) {
  const int n = way->problem->size / 2;
  double *tolerance = NV_DATA_S(v->tolerance);
  for (int i = 0; i < 2 * n; i++)
    tolerance[i] = i % n < way->problem->stretches ? way->stretch * wanted : wanted;
  way->problem->start(NV_DATA_S(v->y));
  way->problem->rate(0, NV_DATA_S(v->y), NV_DATA_S(v->dy));
}

static double error_of(const Stiff *p, int look, const double *y) {
  double point[2];
  p->locate(y, point);
  return apart(point, p->known + 2 * look, 2);
}

static Outcome tell(const Way *way, const char *method, double wanted, double ms, double error,
                    long steps) {
  char setting[80];
  snprintf(setting, sizeof setting, "%s %.2g, stretches %.0e", method, wanted, way->stretch);
  return row(way->problem->name, "SUNDIALS", setting, ms, error, steps);
}

/*
** --- CVODE ---------------------------------------------------------------------------------------
*/

static int rate(realtype t, N_Vector y, N_Vector dy, void *what) {
  const Way *way = what;
  way->problem->rate(t, NV_DATA_S(y), NV_DATA_S(dy));
  return 0;
}

static double run_cvode(void *cv, const Stiff *p, N_Vector y) {
  double error = 0, t;
  for (int look = 0; look < STIFF_LOOKS; look++) {
    if (CVode(cv, p->t * (look + 1) / STIFF_LOOKS, y, &t, CV_NORMAL) < 0) return NAN;
    error = worse(error, error_of(p, look, NV_DATA_S(y)));
  }
  return error;
}

static Outcome cvode(void *what, double digits) {
  Way *way = what;
  const double wanted = pow(10, -digits);
  Vectors v = vectors_of(way->problem->size);
  double error = NAN;
  long steps = 0;
  Timer timer = {0};
  while (timer_again(&timer)) {
    start(way, wanted, &v);
    void *cv = CVodeCreate(CV_BDF, context);
    CVodeInit(cv, rate, 0, v.y);
    CVodeSVtolerances(cv, wanted, v.tolerance);
    CVodeSetLinearSolver(cv, v.solver, v.matrix);
    CVodeSetUserData(cv, way);
    CVodeSetMaxNumSteps(cv, MOST_STEPS);
    CVodeSetStopTime(cv, way->problem->t);
    timer_start(&timer);
    error = run_cvode(cv, way->problem, v.y);
    timer_stop(&timer);
    CVodeGetNumSteps(cv, &steps);
    CVodeFree(&cv);
  }
  vectors_free(&v);
  return tell(way, "CVODE BDF", wanted, timer.ms, error, steps);
}

/*
** --- IDA -----------------------------------------------------------------------------------------
*/

static int residual(realtype t, N_Vector y, N_Vector dy, N_Vector r, void *what) {
  const Way *way = what;
  double *to = NV_DATA_S(r);
  way->problem->rate(t, NV_DATA_S(y), to);
  for (int i = 0; i < way->problem->size; i++)
    to[i] = NV_Ith_S(dy, i) - to[i];
  return 0;
}

/* The angles of both links, their rates, lambda, mu: sin a + sin b = 0. */
enum { ARM_SIZE = 6 };

static int arm_residual(realtype t, N_Vector nx, N_Vector ndx, N_Vector nr, void *what) {
  (void)what;
  const double *x = NV_DATA_S(nx), *dx = NV_DATA_S(ndx), *w = x + 2;
  double *r = NV_DATA_S(nr);
  const double drawn = asin(0.6), sa = sin(x[0]), ca = cos(x[0]), sb = sin(x[1]), cb = cos(x[1]);
  const double s = (sa * cb - ca * sb) / 2, c = (ca * cb + sa * sb) / 2;
  r[0] = dx[0] - w[0] + ca * x[5], r[1] = dx[1] - w[1] + cb * x[5];
  r[2] = 4.0 / 3 * dx[2] + c * dx[3] + s * w[1] * w[1] + 1.5 * stiff_g * ca + ca * x[4] -
         gains_torque(t, x[0] - drawn, w[0]);
  r[3] = c * dx[2] + dx[3] / 3 - s * w[0] * w[0] + 0.5 * stiff_g * cb + cb * x[4];
  r[4] = sa + sb, r[5] = ca * w[0] + cb * w[1];
  return 0;
}

/* Multipliers are not under error control; only Newton's iteration looks at their tolerance. */
static void arm_start(double wanted, Vectors *v) {
  double *x = NV_DATA_S(v->y), *dx = NV_DATA_S(v->dy);
  for (int i = 0; i < ARM_SIZE; i++) {
    x[i] = dx[i] = 0;
    NV_Ith_S(v->id, i) = i < 4, NV_Ith_S(v->tolerance, i) = i < 4 ? wanted : 1;
  }
  const double first[2] = {0, 0};
  double of[2];
  gains_rate(0, first, of);
  x[0] = asin(0.6), x[1] = -x[0], dx[2] = of[1], dx[3] = -of[1];
  x[4] = -(0.14 * dx[2] + dx[3] / 3 + 0.5 * stiff_g * 0.8) / 0.8;
}

static void arm_locate(const double *x, double *y) { y[0] = x[0] - asin(0.6), y[1] = x[2]; }

static double run_ida(void *ida, const Stiff *p, int loop, Vectors *v) {
  double error = 0, t, y[2];
  for (int look = 0; look < STIFF_LOOKS; look++) {
    if (IDASolve(ida, p->t * (look + 1) / STIFF_LOOKS, &t, v->y, v->dy, IDA_NORMAL) < 0) return NAN;
    if (loop) arm_locate(NV_DATA_S(v->y), y);
    error = worse(error, error_of(p, look, loop ? y : NV_DATA_S(v->y)));
  }
  return error;
}

static Outcome ida_on(Way *way, double wanted, int loop) {
  Vectors v = vectors_of(loop ? ARM_SIZE : way->problem->size);
  double error = NAN;
  long steps = 0;
  Timer timer = {0};
  while (timer_again(&timer)) {
    loop ? arm_start(wanted, &v) : start(way, wanted, &v);
    void *ida = IDACreate(context);
    IDAInit(ida, loop ? arm_residual : residual, 0, v.y, v.dy);
    IDASVtolerances(ida, wanted, v.tolerance);
    IDASetLinearSolver(ida, v.solver, v.matrix);
    IDASetUserData(ida, way);
    if (loop) {
      IDASetId(ida, v.id);
      IDASetSuppressAlg(ida, 1);
    }
    IDASetMaxNumSteps(ida, MOST_STEPS);
    IDASetStopTime(ida, way->problem->t);
    timer_start(&timer);
    error = run_ida(ida, way->problem, loop, &v);
    timer_stop(&timer);
    IDAGetNumSteps(ida, &steps);
    IDAFree(&ida);
  }
  vectors_free(&v);
  return tell(way, loop ? "IDA GGL" : "IDA", wanted, timer.ms, error, steps);
}

static Outcome ida(void *way, double digits) { return ida_on(way, pow(10, -digits), 0); }
static Outcome ida_loop(void *way, double digits) { return ida_on(way, pow(10, -digits), 1); }

int main(void) {
  static const double scales[] = {1, 1e-3};
  SUNContext_Create(NULL, &context);
  if (freopen("/dev/null", "w", stderr) == NULL) return 1; /* failures show as missing rows */
  for (int i = 0; i < STIFFS; i++)
    for (int k = 0; k < (stiffs[i].stretches > 0 ? 2 : 1); k++) {
      Way way = {&stiffs[i], scales[k]};
      search(cvode, &way, &stiff_tolerances, LIMIT_MS);
      search(ida, &way, &stiff_tolerances, LIMIT_MS);
      if (stiffs[i].size == 2) search(ida_loop, &way, &stiff_tolerances, LIMIT_MS);
    }
  SUNContext_Free(&context);
  return 0;
}
