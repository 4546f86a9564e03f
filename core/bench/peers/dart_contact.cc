/*
** DART: a free body on a plane, contacts by its linear complementarity problem (Dantzig), in
** semi-implicit Euler steps.
*/
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/constraint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "scenes.h"

using namespace dart::dynamics;
using dart::constraint::ContactConstraint;
using dart::simulation::World;
using dart::simulation::WorldPtr;
using Eigen::Vector3d;

namespace {

const double reductions[] = {0.01, 0.2};

template <class Joint>
BodyNode *add(const WorldPtr &world, const ShapePtr &shape, const Eigen::Isometry3d &at,
              double friction, double restitution) {
  SkeletonPtr skeleton = Skeleton::create(std::is_same<Joint, FreeJoint>() ? "body" : "floor");
  BodyNode *node = skeleton->createJointAndBodyNodePair<Joint>().second;
  auto *aspect =
      node->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape)->getDynamicsAspect();
  aspect->setFrictionCoeff(friction);
  aspect->setRestitutionCoeff(restitution);
  node->setInertia(Inertia(1, Vector3d::Zero(), shape->computeInertia(1)));
  node->getParentJoint()->setTransformFromParentBodyNode(at);
  world->addSkeleton(skeleton);
  return node;
}

ShapePtr shape_of(const Scene *s) {
  if (s->radius > 0) return std::make_shared<SphereShape>(s->radius);
  return std::make_shared<BoxShape>(2 * Vector3d(s->half[0], s->half[1], s->half[2]));
}

/* The floor is a large box: its own detector knows no planes. */
void *make(const Scene *s, double h, int way) {
  auto *world = new WorldPtr(World::create());
  Eigen::Isometry3d below = Eigen::Isometry3d::Identity(), at = below;
  (*world)->setTimeStep(h);
  (*world)->setGravity(Vector3d(s->gravity[0], s->gravity[1], s->gravity[2]));
  (*world)->getConstraintSolver()->setCollisionDetector(
      dart::collision::DARTCollisionDetector::create());
  ContactConstraint::setErrorReductionParameter(reductions[way]);
  below.translation() = Vector3d(0, 0, -1);
  at.translation() = Vector3d(s->position[0], s->position[1], s->position[2]);
  at.rotate(Eigen::AngleAxisd(s->angle, Vector3d::UnitY()));
  add<WeldJoint>(*world, std::make_shared<BoxShape>(Vector3d(20, 20, 2)), below, s->friction, 1);
  add<FreeJoint>(*world, shape_of(s), at, s->friction, s->restitution)
      ->getParentJoint()
      ->setVelocity(3, s->speed);
  return world;
}

void step(void *world, double) { (*static_cast<WorldPtr *>(world))->step(); }

void locate(void *world, const Scene *s, double *point) {
  const SkeletonPtr body = (*static_cast<WorldPtr *>(world))->getSkeleton(1);
  const Vector3d p = body->getBodyNode(0)->getWorldTransform() * Vector3d(0, 0, s->top);
  for (int i = 0; i < 3; i++)
    point[i] = p[i];
}

void end(void *world) { delete static_cast<WorldPtr *>(world); }

}  // namespace

int main() {
  const Engine dart = {"DART", make, step, locate, end};
  const char *const names[] = {"contact, erp 0.01", "contact, erp 0.2"};
  ContactConstraint::setErrorAllowance(0);
  ContactConstraint::setMaxErrorReductionVelocity(1e3);
  ContactConstraint::setConstraintForceMixing(1e-9);
  run_scenes(&dart, 2, names);
  return 0;
}
