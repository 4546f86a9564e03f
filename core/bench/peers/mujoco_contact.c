/*
** MuJoCo: contacts as hard as its manual allows (solref of two time steps, solimp close to 1), its
** elliptic cones, and no slip where it sticks.  Restitution is that of a spring with a damper,
** which takes 30 time steps for a bounce.
*/
#include <mujoco/mujoco.h>
#include <stdlib.h>

#include "scenes.h"

typedef struct World {
  mjModel *model;
  mjData *data;
} World;

static mjModel *compile(const char *text) {
  char error[500] = "";
  mjVFS *vfs = malloc(sizeof *vfs);
  mj_defaultVFS(vfs);
  mj_makeEmptyFileVFS(vfs, "scene.xml", (int)strlen(text));
  memcpy(vfs->filedata[0], text, strlen(text));
  mjModel *model = mj_loadXML("scene.xml", vfs, error, sizeof error);
  if (!model) fprintf(stderr, "mujoco: %s\n", error);
  mj_deleteVFS(vfs);
  free(vfs);
  return model;
}

/*
** The contact's equation, r'' + b r' + k r = 0: critically damped; or, where it bounces, so that
** with tan(phi) = b / (2 w)
**   e = exp(-tan(phi) (pi - 2 phi)),   w = pi / (30 h),
** since it lets go where its force, not its depth, is zero.
*/
static void law(const Scene *s, double h, double *first, double *second) {
  const double pi = acos(-1.0), w = pi / (30 * h);
  double tangent = 0;
  *first = 2 * h, *second = 1;
  if (s->restitution == 0) return;
  for (int i = 0; i < 30; i++)
    tangent = -log(s->restitution) / (pi - 2 * atan(tangent));
  *first = -w * w * (1 + tangent * tangent);
  *second = -2 * w * tangent;
}

static void *make(const Scene *s, double h, int way) {
  char text[4000], shape[200];
  double first, second;
  law(s, h, &first, &second);
  if (s->radius > 0)
    snprintf(shape, sizeof shape, "type='sphere' size='%.17g'", s->radius);
  else
    snprintf(shape, sizeof shape, "type='box' size='%.17g %.17g %.17g'", s->half[0], s->half[1],
             s->half[2]);
  snprintf(text, sizeof text,
           "<mujoco><option gravity='%.17g %.17g %.17g' timestep='%.17g' integrator='%s' "
           "cone='elliptic' impratio='100' tolerance='1e-14' noslip_iterations='20' "
           "noslip_tolerance='1e-14'/>"
           "<worldbody><geom name='floor' type='plane' size='10 10 1'/>"
           "<body pos='%.17g %.17g %.17g' quat='%.17g 0 %.17g 0'><freejoint/>"
           "<geom name='body' mass='1' %s/><site pos='0 0 %.17g'/></body></worldbody>"
           "<contact><pair geom1='floor' geom2='body' condim='3' friction='%.17g %.17g' "
           "solref='%.17g %.17g' solimp='0.9999 0.9999 0.001'/></contact></mujoco>",
           s->gravity[0], s->gravity[1], s->gravity[2], h, way == 0 ? "Euler" : "RK4",
           s->position[0], s->position[1], s->position[2], cos(s->angle / 2), sin(s->angle / 2),
           shape, s->top, s->friction, s->friction, first, second);
  World *w = malloc(sizeof *w);
  w->model = compile(text);
  w->data = mj_makeData(w->model);
  w->data->qvel[0] = s->speed;
  return w;
}

static void step(void *world, double h) {
  const World *w = world;
  (void)h;
  mj_step(w->model, w->data);
}

static void locate(void *world, const Scene *s, double *point) {
  const World *w = world;
  (void)s;
  mj_kinematics(w->model, w->data);
  memcpy(point, w->data->site_xpos, 3 * sizeof *point);
}

static void end(void *world) {
  World *w = world;
  mj_deleteData(w->data);
  mj_deleteModel(w->model);
  free(w);
}

static void silent(const char *message) { (void)message; }

int main(void) {
  const Engine mujoco = {"MuJoCo", make, step, locate, end};
  const char *const names[] = {"Euler", "RK4"};
  mju_user_warning = silent;
  run_scenes(&mujoco, 2, names);
  return 0;
}
