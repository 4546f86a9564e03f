/*
** mujoco_ensemble [runs [steps [reference]]]: MuJoCo on the double pendulums of ../ensemble.lua,
** one after the other, by its Runge-Kutta integrator; what the motion does not need is off, which
** saves 4 %.
** Milliseconds of CPU a run and, with a reference (see there), how many runs end within 1e-6.
*/
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdlib.h>

#include "rows.h"

static const double END = 10;

/* Gravity is along the rods, so that angles count from where they hang. */
static const char text[] =
    "<mujoco><compiler coordinate='local' angle='radian' inertiafromgeom='false'/>"
    "<option gravity='9.81 0 0' integrator='RK4'>"
    "<flag contact='disable' constraint='disable' equality='disable' frictionloss='disable' "
    "limit='disable' passive='disable' clampctrl='disable' warmstart='disable' "
    "actuation='disable' sensor='disable'/></option><worldbody><body><joint axis='0 0 1'/>"
    "<inertial pos='0.5 0 0' mass='1' diaginertia='0.01 0.0833333333333333333 "
    "0.0833333333333333333'/>"
    "<body pos='1 0 0'><joint axis='0 0 1'/>"
    "<inertial pos='0.5 0 0' mass='1' diaginertia='0.01 0.0833333333333333333 "
    "0.0833333333333333333'/>"
    "</body></body></worldbody></mujoco>";

/* Numbers from -1 to 1: the k-th of a sequence (splitmix64). */
static double uniform(uint64_t k) {
  uint64_t z = k * 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53 * 2 - 1;
}

static mjModel *compile(void) {
  char error[500] = "";
  mjVFS *vfs = malloc(sizeof *vfs);
  mj_defaultVFS(vfs);
  mj_makeEmptyFileVFS(vfs, "pendulum.xml", (int)strlen(text));
  memcpy(vfs->filedata[0], text, strlen(text));
  mjModel *model = mj_loadXML("pendulum.xml", vfs, error, sizeof error);
  if (!model) fprintf(stderr, "mujoco: %s\n", error);
  mj_deleteVFS(vfs);
  free(vfs);
  return model;
}

/* Angles and rates from the vertical: a, b, a', b'. */
static void start(const mjModel *model, mjData *data, uint64_t run) {
  const double pi = acos(-1.0), a = uniform(4 * run + 1) * pi / 2,
               b = uniform(4 * run + 2) * pi / 2, rate = uniform(4 * run + 3);
  mj_resetData(model, data);
  data->qpos[0] = a;
  data->qpos[1] = b - a;
  data->qvel[0] = rate;
  data->qvel[1] = uniform(4 * run + 4) - rate;
}

static int is_right(const mjData *data, const double *end) {
  const double a = data->qpos[0], b = a + data->qpos[1];
  return fmax(fabs(a - end[0]), fabs(b - end[1])) < 1e-6;
}

int main(int count, char **words) {
  const int most = count > 1 ? atoi(words[1]) : 200;
  const long steps = count > 2 ? atol(words[2]) : 20000;
  FILE *reference = count > 3 ? fopen(words[3], "rb") : NULL;
  mjModel *model = compile();
  mjData *data = model ? mj_makeData(model) : NULL;
  int runs = 0, right = 0;
  double end[4];
  if (!data || (count > 3 && !reference)) return 1;
  model->opt.timestep = END / (double)steps;
  Timer timer = {0};
  timer_start(&timer);
  for (; runs < most; runs++) {
    if (reference && fread(end, sizeof end, 1, reference) != 1) break; /* it is shorter */
    start(model, data, (uint64_t)runs);
    for (long k = 0; k < steps; k++)
      mj_step(model, data);
    right += reference && is_right(data, end);
  }
  timer_stop(&timer);
  printf("MuJoCo  RK4, %ld steps %8.3f ms CPU a run", steps, timer.ms / runs);
  if (reference) printf(", %.2f %% of %d within 1e-6", 100.0 * right / runs, runs);
  printf("\n");
  return 0;
}
