/*
** Bullet: rigid bodies with its sequential impulses and its Dantzig solver, without thresholds and
** margins where it may be.
*/
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include <memory>

#include "scenes.h"

namespace {

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btDantzigSolver direct;
  std::unique_ptr<btConstraintSolver> solver;
  btDiscreteDynamicsWorld world;
  btStaticPlaneShape plane{btVector3(0, 0, 1), 0};
  std::unique_ptr<btConvexInternalShape> shape;
  std::unique_ptr<btRigidBody> floor, body;
  explicit World(bool dantzig)
      : solver(dantzig ? static_cast<btConstraintSolver *>(new btMLCPSolver(&direct))
                       : new btSequentialImpulseConstraintSolver),
        world(&dispatcher, &broadphase, solver.get(), &configuration) {}
  ~World() {
    world.removeRigidBody(body.get());
    world.removeRigidBody(floor.get());
  }
};

std::unique_ptr<btConvexInternalShape> shape_of(const Scene *s) {
  if (s->radius > 0) return std::make_unique<btSphereShape>(s->radius);
  auto box = std::make_unique<btBoxShape>(btVector3(s->half[0], s->half[1], s->half[2]));
  box->setMargin(1e-6);
  return box;
}

/* Coefficients of two bodies are multiplied: those of the floor are 1. */
std::unique_ptr<btRigidBody> add(World &w, double mass, btCollisionShape *shape, double friction,
                                 double restitution) {
  btVector3 inertia(0, 0, 0);
  if (mass > 0) shape->calculateLocalInertia(mass, inertia);
  btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
  info.m_linearDamping = info.m_angularDamping = 0;
  info.m_friction = friction;
  info.m_restitution = restitution;
  auto body = std::make_unique<btRigidBody>(info);
  body->setActivationState(DISABLE_DEACTIVATION);
  body->setContactProcessingThreshold(0);
  w.world.addRigidBody(body.get());
  return body;
}

void *make(const Scene *s, double, int way) {
  World *w = new World(way == 1);
  const btVector3 at(s->position[0], s->position[1], s->position[2]);
  btContactSolverInfo &info = w->world.getSolverInfo();
  info.m_numIterations = 100;
  info.m_leastSquaresResidualThreshold = 1e-14;
  info.m_restitutionVelocityThreshold = 0;
  info.m_splitImpulsePenetrationThreshold = 0;
  w->world.setGravity(btVector3(s->gravity[0], s->gravity[1], s->gravity[2]));
  w->configuration.setPlaneConvexMultipointIterations(4, 4);
  w->shape = shape_of(s);
  w->floor = add(*w, 0, &w->plane, 1, 1);
  w->body = add(*w, 1, w->shape.get(), s->friction, s->restitution);
  w->body->setWorldTransform(btTransform(btQuaternion(btVector3(0, 1, 0), s->angle), at));
  w->body->setInterpolationWorldTransform(w->body->getWorldTransform());
  w->body->setLinearVelocity(btVector3(s->speed, 0, 0));
  return w;
}

void step(void *world, double h) { static_cast<World *>(world)->world.stepSimulation(h, 0); }

void locate(void *world, const Scene *s, double *point) {
  const btVector3 p =
      static_cast<World *>(world)->body->getWorldTransform() * btVector3(0, 0, s->top);
  for (int i = 0; i < 3; i++)
    point[i] = p[i];
}

void end(void *world) { delete static_cast<World *>(world); }

}  // namespace

int main() {
  const Engine bullet = {"Bullet", make, step, locate, end};
  const char *const names[] = {"sequential impulses", "Dantzig"};
  run_scenes(&bullet, 2, names);
  return 0;
}
