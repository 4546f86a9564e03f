/*
** The problems with contact, the same for all engines: one body on the plane z = 0.  An engine says
** how to make a scene, to step it, and where the body is; what is run and compared is said here.
*/
#ifndef SCENES_H
#define SCENES_H

#include "search.h"

enum { LOOKS = 4 };

/* See ../contacts.lua. */
typedef struct Scene {
  const char *name;
  double radius, half[3];    /* a sphere, or half the size of a box; all of 1 kg */
  double position[3], angle; /* about y */
  double speed;              /* along x */
  double gravity[3], friction, restitution;
  double top;                   /* what is compared: a point so far above the middle, … */
  double t, x[LOOKS], z[LOOKS]; /* … at t / 4, t / 2, 3 t / 4 and t */
} Scene;

static const Scene scenes[] = {
    {.name = "ball",
     .radius = 0.1,
     .position = {0, 0, 1.1},
     .gravity = {0, 0, -9.81},
     .restitution = 0.9,
     .t = 4,
     .x = {0, 0, 0, 0},
     .z = {0.81094914433303833, 0.11368436228506774, 0.51835172208395643, 0.38051747162176424}},
    {.name = "block",
     .half = {0.2, 0.2, 0.05},
     .position = {0, 0, 0.05},
     .speed = 2,
     .gravity = {-2.8990532273477412, 0, -9.3718509583221951},
     .friction = 0.5,
     .t = 1,
     .x = {0.26296941542159879, 0.26367905268919945, 0.26367905268919945, 0.26367905268919945},
     .z = {0.05, 0.05, 0.05, 0.05}},
    {.name = "rolling",
     .radius = 0.1,
     .position = {0, 0, 0.1},
     .speed = 2,
     .gravity = {0, 0, -9.81},
     .friction = 0.3,
     .t = 1,
     .x = {0.41261866622286019, 0.76976152336571734, 1.1269043805085745, 1.4840472376514316},
     .z = {0.1, 0.1, 0.1, 0.1}},
    {.name = "rocking",
     .half = {0.1, 0.1, 0.3},
     .position = {0.061594141454394202, 0, 0.31388690643187861},
     .angle = 0.2,
     .gravity = {0, 0, -9.81},
     .friction = 0.8,
     .top = 0.3,
     .t = 2,
     .x = {-0.069664413515618940, 0.045899422910181579, 0.024245816870918592,
           -0.0085468000808681978},
     .z = {0.60751934306048942, 0.60586560189414006, 0.60354063967428540, 0.60136204754253599}},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* `way` is one of the engine's settings. */
typedef struct Engine {
  const char *program;
  void *(*make)(const Scene *scene, double h, int way);
  void (*step)(void *world, double h);
  void (*locate)(void *world, const Scene *scene, double *point);
  void (*end)(void *world);
} Engine;

/* The largest error at all looks. */
static inline double run_scene(const Engine *engine, const Scene *scene, void *world, long each) {
  const double h = scene->t / (double)(LOOKS * each);
  double error = 0;
  for (int look = 0; look < LOOKS; look++) {
    for (long i = 0; i < each; i++)
      engine->step(world, h);
    const double known[3] = {scene->x[look], 0, scene->z[look]};
    double point[3];
    engine->locate(world, scene, point);
    error = worse(error, apart(point, known, 3));
  }
  return error;
}

typedef struct Way {
  const Engine *engine;
  const Scene *scene;
  int way;
  const char *name;
} Way;

static inline Outcome scene_at(void *what, double digits) {
  const Way *way = (const Way *)what;
  const long each = steps_of(way->scene->t / LOOKS, digits);
  const double h = way->scene->t / (double)(LOOKS * each);
  Timer timer = {0};
  double error = NAN;
  while (timer_again(&timer)) {
    void *world = way->engine->make(way->scene, h, way->way);
    timer_start(&timer);
    error = run_scene(way->engine, way->scene, world, each);
    timer_stop(&timer);
    way->engine->end(world);
  }
  char setting[60];
  snprintf(setting, sizeof setting, "%s h %.3g", way->name, h);
  return row(way->scene->name, way->engine->program, setting, timer.ms, error, LOOKS * each);
}

/* All scenes in each of the engine's ways. */
static inline void run_scenes(const Engine *engine, int ways, const char *const *names) {
  static const Grid steps = {1, 1.0 / 3, 8, 3, {1e-2, 1e-4, 1e-6, 1e-9, 1e-12}};
  for (int i = 0; i < SCENES; i++)
    for (int k = 0; k < ways; k++) {
      Way way = {engine, &scenes[i], k, names[k]};
      search(scene_at, &way, &steps, 1000);
    }
}

#endif
