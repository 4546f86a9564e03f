/*
** Simbody: hard contacts of its semi-explicit Euler time stepper, with its Gauss-Seidel solver; its
** other solver does not return from the rocking block.
*/
#undef _FORTIFY_SOURCE /* our own printf is to be another than the library's, below */
#include <Simbody.h>

#include <memory>

#include "scenes.h"

using namespace SimTK;

/* Debian's library tells all that its stepper does; neither that nor its cost is wanted. */
extern "C" int __printf_chk(int, const char *, ...) { return 0; }

namespace {

struct World {
  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  GeneralForceSubsystem forces;
  MobilizedBody::Free body;
  std::unique_ptr<SemiExplicitEulerTimeStepper> stepper;
  World() : matter(system), forces(system) {}
};

Body::Rigid body_of(const Scene *s) {
  const Vec3 half(s->half[0], s->half[1], s->half[2]);
  return Body::Rigid(MassProperties(
      1, Vec3(0), s->radius > 0 ? UnitInertia::sphere(s->radius) : UnitInertia::brick(half)));
}

void touch(World &w, const Scene *s) {
  MobilizedBody &ground = w.matter.updGround();
  const UnitVec3 up(ZAxis);
  const double e = s->restitution, mu = s->friction;
  if (s->radius > 0) {
    w.matter.adoptUnilateralContact(
        new SpherePlaneContact(ground, up, 0, w.body, Vec3(0), s->radius, e, mu, mu, 0));
    return;
  }
  for (int i = 0; i < 8; i++) {
    const Vec3 corner(i & 1 ? s->half[0] : -s->half[0], i & 2 ? s->half[1] : -s->half[1],
                      i & 4 ? s->half[2] : -s->half[2]);
    w.matter.adoptUnilateralContact(
        new PointPlaneContact(ground, up, 0, w.body, corner, e, mu, mu, 0));
  }
}

void *make(const Scene *s, double, int) {
  World *w = new World;
  Force::UniformGravity(w->forces, w->matter, Vec3(s->gravity[0], s->gravity[1], s->gravity[2]));
  w->body = MobilizedBody::Free(w->matter.updGround(), Transform(), body_of(s), Transform());
  touch(*w, s);
  State start = w->system.realizeTopology();
  w->system.realizeModel(start);
  w->body.setQToFitTransform(
      start,
      Transform(Rotation(s->angle, YAxis), Vec3(s->position[0], s->position[1], s->position[2])));
  w->body.setUToFitLinearVelocity(start, Vec3(s->speed, 0, 0));
  w->stepper = std::make_unique<SemiExplicitEulerTimeStepper>(w->system);
  w->stepper->setImpulseSolverType(SemiExplicitEulerTimeStepper::PGS);
  w->stepper->setConstraintTolerance(1e-10);
  w->stepper->setDefaultImpactCaptureVelocity(1e-9);
  w->stepper->setDefaultImpactMinCORVelocity(1e-9);
  w->stepper->setDefaultFrictionTransitionVelocity(1e-9);
  w->stepper->initialize(start);
  return w;
}

void step(void *world, double h) {
  SemiExplicitEulerTimeStepper &stepper = *static_cast<World *>(world)->stepper;
  stepper.stepTo(stepper.getTime() + h);
}

void locate(void *world, const Scene *s, double *point) {
  World &w = *static_cast<World *>(world);
  const State &state = w.stepper->getState();
  w.system.realize(state, Stage::Position);
  const Vec3 p = w.body.findStationLocationInGround(state, Vec3(0, 0, s->top));
  for (int i = 0; i < 3; i++)
    point[i] = p[i];
}

void end(void *world) { delete static_cast<World *>(world); }

}  // namespace

int main() {
  const Engine simbody = {"Simbody", make, step, locate, end};
  const char *const names[] = {"time stepper"};
  std::cout.setstate(std::ios::failbit);
  run_scenes(&simbody, 1, names);
  return 0;
}
