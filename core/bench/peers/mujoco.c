/*
** MuJoCo: its Runge-Kutta integrator of order 4 and its implicit one, contacts off.  Loops are
** closed by equality constraints, as stiff as its manual allows (solref of two time steps, solimp
** close to 1).
*/
#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdlib.h>

#include "search.h"

/*
** --- models as text ------------------------------------------------------------------------------
*/

typedef struct Text {
  char *data;
  size_t length, size;
} Text;

static void add(Text *text, const char *format, ...) {
  va_list list;
  if (text->size - text->length < 4096) {
    text->size = 2 * text->size + 8192;
    text->data = realloc(text->data, text->size);
  }
  va_start(list, format);
  text->length += (size_t)vsnprintf(text->data + text->length, 4096, format, list);
  va_end(list);
}

/* The first part is a model; the others are included by the one before. */
static mjModel *compile(Text *parts, int count) {
  char error[500] = "", name[40];
  mjVFS *vfs = malloc(sizeof *vfs);
  mj_defaultVFS(vfs);
  for (int i = 0; i < count; i++) {
    snprintf(name, sizeof name, "part%d.xml", i);
    mj_makeEmptyFileVFS(vfs, name, (int)parts[i].length);
    memcpy(vfs->filedata[i], parts[i].data, parts[i].length);
    free(parts[i].data);
  }
  mjModel *model = mj_loadXML("part0.xml", vfs, error, sizeof error);
  if (!model) fprintf(stderr, "mujoco: %s\n", error);
  mj_deleteVFS(vfs);
  free(vfs);
  return model;
}

static void begin(Text *text, const char *gravity) {
  add(text,
      "<mujoco><compiler coordinate='local' angle='radian' inertiafromgeom='false' boundmass='0' "
      "boundinertia='0' balanceinertia='true'/><size njmax='500' nconmax='10'/>"
      "<option gravity='%s'><flag contact='disable'/></option><worldbody>",
      gravity);
}

/* Its reader takes elements nested 100 deep, files included in each other any number. */
static mjModel *chain(int rods) {
  enum { EACH = 80, MOST = 20 };
  Text parts[MOST] = {{0}};
  const int count = (rods + EACH - 1) / EACH;
  for (int k = 0; k < count; k++) {
    Text *text = &parts[k];
    const int here = k < count - 1 ? EACH : rods - k * EACH;
    if (k == 0)
      begin(text, "0 -9.81 0");
    else
      add(text, "<mujocoinclude>");
    for (int i = 0; i < here; i++)
      add(text,
          "<body pos='%d 0 0'><joint axis='0 0 1'/>"
          "<inertial pos='0.5 0 0' mass='1' diaginertia='0.001 %.17g %.17g'/>",
          k + i > 0, 1.0 / 12, 1.0 / 12);
    if (k < count - 1)
      add(text, "<include file='part%d.xml'/>", k + 1);
    else
      add(text, "<site pos='1 0 0'/>");
    for (int i = 0; i < here; i++)
      add(text, "</body>");
    add(text, k == 0 ? "</worldbody></mujoco>" : "</mujocoinclude>");
  }
  return compile(parts, count);
}

/* The rods' frames have the directions of the world; only the inertia about z matters. */
static mjModel *four_bar(void) {
  Text text = {0};
  begin(&text, "0 -9.81 0");
  add(&text,
      "<body><joint axis='0 0 1'/>"
      "<inertial pos='0 0.5 0' mass='1' diaginertia='%.17g 0.001 %.17g'/>"
      "<site pos='0 1 0'/>",
      1.0 / 12, 1.0 / 12);
  add(&text,
      "<body name='coupler' pos='0 1 0'><joint axis='0 0 1'/>"
      "<inertial pos='1 0.5 0' mass='1' diaginertia='0.3 0.3 %.17g'/></body></body>",
      5.0 / 12);
  add(&text,
      "<body name='rocker' pos='3 0 0'><joint axis='0 0 1'/>"
      "<inertial pos='-0.5 1 0' mass='1' diaginertia='0.3 0.3 %.17g'/>"
      "<site pos='-1 2 0'/></body></worldbody>",
      5.0 / 12);
  add(&text,
      "<equality><connect body1='coupler' body2='rocker' anchor='2 1 0' "
      "solimp='0.9999 0.9999 0.001'/></equality></mujoco>");
  return compile(&text, 1);
}

static mjModel *arm(void) {
  Text text = {0};
  begin(&text, "0 0 -9.81");
  for (int i = 0; i < 6; i++) {
    const Link *l = &arm_links[i];
    add(&text,
        "<body pos='0 0 %.17g'><joint axis='%s'/>"
        "<inertial pos='0 0 %.17g' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>",
        i > 0 ? arm_links[i - 1].length : 0, l->axis == 'z' ? "0 0 1" : "0 1 0", l->length / 2,
        l->mass, link_across(l), link_across(l), link_along(l));
  }
  add(&text, "<site pos='0 0 %.17g'/>", arm_links[5].length);
  for (int i = 0; i < 6; i++)
    add(&text, "</body>");
  add(&text, "</worldbody></mujoco>");
  return compile(&text, 1);
}

static mjModel *stewart(void) {
  Text text = {0};
  begin(&text, "0 0 -9.81");
  double low[3], high[3], a[3], b[3];
  for (int i = 0; i < 6; i++) {
    stewart_leg(i, low, high, a, b);
    const double x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    add(&text,
        "<body pos='%.17g %.17g 0'><joint axis='%.17g %.17g 0'/>"
        "<joint axis='%.17g %.17g %.17g'/>"
        "<inertial pos='%.17g %.17g %.17g' mass='2' diaginertia='0.06 0.06 0.06'/>",
        low[0], low[1], a[0], a[1], b[0], b[1], b[2], 0.3 * x, 0.3 * y, 0.3 * z);
    add(&text,
        "<body name='piston%d'><joint type='slide' axis='%.17g %.17g %.17g'/>"
        "<inertial pos='%.17g %.17g %.17g' mass='1' diaginertia='0.03 0.03 0.03'/>"
        "</body></body>",
        i, x, y, z, 0.7 * x, 0.7 * y, 0.7 * z);
  }
  add(&text,
      "<body name='platform' pos='0 0 1'><freejoint/><site/>"
      "<inertial pos='0 0 0' mass='20' diaginertia='1.25 1.25 2.5'/></body></worldbody>"
      "<equality>");
  for (int i = 0; i < 6; i++) {
    stewart_leg(i, low, high, a, b);
    add(&text,
        "<connect body1='piston%d' body2='platform' anchor='%.17g %.17g %.17g' "
        "solimp='0.9999 0.9999 0.001'/>",
        i, high[0] - low[0], high[1] - low[1], 1.0);
  }
  add(&text, "</equality></mujoco>");
  return compile(&text, 1);
}

/* Degrees of freedom of leg i: two hinges, then the slide. */
static void legs(const mjModel *m, mjData *d) {
  (void)m;
  for (int i = 0; i < 6; i++)
    d->qfrc_passive[3 * i + 2] += stewart_force(i, d->qpos[3 * i + 2], d->qvel[3 * i + 2], d->time);
}

/*
** --- runs
** ------------------------------------------------------------------------------------------
*/

typedef struct Problem {
  const char *name;
  mjModel *model;
  double t;
  const double *end;
  int sites, components; /* the first components of each site are compared */
  const double *rates;
} Problem;

static void start(const Problem *p, mjData *d) {
  mj_resetData(p->model, d);
  if (p->rates) memcpy(d->qvel, p->rates, (size_t)p->model->nv * sizeof *d->qvel);
}

static double error_of(const Problem *p, mjData *d) {
  double worst = 0;
  mj_forward(p->model, d);
  for (int i = 0; i < p->sites; i++)
    worst = worse(worst, apart(d->site_xpos + 3 * i, p->end + p->components * i, p->components));
  return worst;
}

typedef struct Method {
  const Problem *problem;
  mjData *data;
  const char *name;
} Method;

static Outcome at_step(void *what, double digits) {
  const Method *method = what;
  const Problem *p = method->problem;
  const long steps = steps_of(p->t, digits);
  Timer timer = {0};
  char setting[40];
  double error = NAN;
  p->model->opt.timestep = p->t / (double)steps;
  for (int i = 0; i < p->model->neq; i++)
    p->model->eq_solref[mjNREF * i] = 2 * p->model->opt.timestep;
  while (timer_again(&timer)) {
    start(p, method->data);
    timer_start(&timer);
    for (long i = 0; i < steps; i++)
      mj_step(p->model, method->data);
    timer_stop(&timer);
    error = error_of(p, method->data);
  }
  snprintf(setting, sizeof setting, "%s h %.3g", method->name, p->model->opt.timestep);
  return row(p->name, "MuJoCo", setting, timer.ms, error, steps);
}

static void measure(const Problem *p, int integrator, const char *name) {
  if (!p->model) return;
  Method method = {p, mj_makeData(p->model), name};
  p->model->opt.integrator = integrator;
  search(at_step, &method, &fixed_steps, 4000);
  mj_deleteData(method.data);
}

static void silent(const char *message) { (void)message; }

int main(void) {
  mju_user_warning = silent;
  for (int i = 0; i < 4; i++) {
    char name[40];
    chain_name(name, sizeof name, &chains[i]);
    const Problem p = {name, chain(chains[i].rods), chains[i].t, chains[i].end, 1, 2, NULL};
    measure(&p, mjINT_RK4, "RK4");
  }
  const Problem loop = {"four-bar", four_bar(), 10, four_bar_end, 2, 2, NULL};
  measure(&loop, mjINT_RK4, "RK4");
  measure(&loop, mjINT_IMPLICIT, "implicit");
  double rates[6];
  for (int i = 0; i < 6; i++)
    rates[i] = arm_links[i].rate;
  const Problem chained = {"arm", arm(), 1, arm_end, 1, 3, rates};
  measure(&chained, mjINT_RK4, "RK4");
  mjcb_passive = legs;
  const Problem platform = {"stewart", stewart(), 1, stewart_end, 1, 3, NULL};
  measure(&platform, mjINT_RK4, "RK4");
  measure(&platform, mjINT_IMPLICIT, "implicit");
  return 0;
}
