/*
** ODE: contact joints with bounce, its direct solver (dWorldStep) at several steps and error
** reductions.
*/
#include <ode/ode.h>

#include "scenes.h"

namespace {

const double reductions[] = {0.2, 0.8};

struct World {
  dWorldID world = dWorldCreate();
  dSpaceID space = dSimpleSpaceCreate(nullptr);
  dJointGroupID contacts = dJointGroupCreate(0);
  dGeomID floor = dCreatePlane(space, 0, 0, 1, 0), shape = nullptr;
  dBodyID body = dBodyCreate(world);
  double friction = 0, restitution = 0;
  ~World() {
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
  }
};

void *make(const Scene *s, double, int way) {
  World *w = new World;
  dMass mass;
  dQuaternion turned;
  const double size[3] = {2 * s->half[0], 2 * s->half[1], 2 * s->half[2]};
  dWorldSetGravity(w->world, s->gravity[0], s->gravity[1], s->gravity[2]);
  dWorldSetERP(w->world, reductions[way]);
  dWorldSetCFM(w->world, 1e-14);
  if (s->radius > 0) {
    dMassSetSphereTotal(&mass, 1, s->radius);
    w->shape = dCreateSphere(w->space, s->radius);
  } else {
    dMassSetBoxTotal(&mass, 1, size[0], size[1], size[2]);
    w->shape = dCreateBox(w->space, size[0], size[1], size[2]);
  }
  dQFromAxisAndAngle(turned, 0, 1, 0, s->angle);
  dBodySetMass(w->body, &mass);
  dBodySetPosition(w->body, s->position[0], s->position[1], s->position[2]);
  dBodySetQuaternion(w->body, turned);
  dBodySetLinearVel(w->body, s->speed, 0, 0);
  dGeomSetBody(w->shape, w->body);
  w->friction = s->friction;
  w->restitution = s->restitution;
  return w;
}

void step(void *world, double h) {
  World &w = *static_cast<World *>(world);
  dContact touching[8];
  const int count = dCollide(w.floor, w.shape, 8, &touching[0].geom, sizeof *touching);
  for (int i = 0; i < count; i++) {
    touching[i].surface = {};
    touching[i].surface.mode = dContactApprox1 | (w.restitution > 0 ? dContactBounce : 0);
    touching[i].surface.mu = w.friction;
    touching[i].surface.bounce = w.restitution;
    dJointAttach(dJointCreateContact(w.world, w.contacts, &touching[i]), nullptr, w.body);
  }
  dWorldStep(w.world, h);
  dJointGroupEmpty(w.contacts);
}

void locate(void *world, const Scene *s, double *point) {
  dVector3 p;
  dBodyGetRelPointPos(static_cast<World *>(world)->body, 0, 0, s->top, p);
  for (int i = 0; i < 3; i++)
    point[i] = p[i];
}

void end(void *world) { delete static_cast<World *>(world); }

void silent(int, const char *, va_list) {}

}  // namespace

int main() {
  const Engine ode = {"ODE", make, step, locate, end};
  const char *const names[] = {"contact, erp 0.2", "contact, erp 0.8"};
  dSetMessageHandler(silent);
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  run_scenes(&ode, 2, names);
  dCloseODE();
  return 0;
}
