/*
** DART: articulated bodies, its semi-implicit Euler steps; the four-bar is closed by a ball-joint
** constraint.
*/
#include <dart/constraint/constraint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>

#include "search.h"

using dart::dynamics::BodyNode;
using dart::dynamics::Inertia;
using dart::dynamics::RevoluteJoint;
using dart::dynamics::Skeleton;
using dart::dynamics::SkeletonPtr;
using dart::simulation::World;
using dart::simulation::WorldPtr;
using Eigen::Vector3d;

namespace {

/*
** A body on a hinge: `from` the joint in the parent's frame, the centre of mass at `centre` from
** the joint.
*/
BodyNode *add(const SkeletonPtr &skeleton, BodyNode *parent, const Vector3d &from,
              const Vector3d &axis, double mass, const Vector3d &centre, const Vector3d &inertia) {
  RevoluteJoint::Properties joint;
  joint.mAxis = axis;
  joint.mT_ParentBodyToJoint.translation() = from;
  BodyNode *node = skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent, joint).second;
  Inertia about(mass, centre, Eigen::Matrix3d(inertia.asDiagonal()));
  node->setInertia(about);
  return node;
}

WorldPtr world_of(const SkeletonPtr &skeleton, const Vector3d &gravity) {
  WorldPtr world = World::create();
  world->setGravity(gravity);
  world->addSkeleton(skeleton);
  return world;
}

WorldPtr chain(int rods) {
  SkeletonPtr skeleton = Skeleton::create();
  BodyNode *before = nullptr;
  for (int i = 0; i < rods; i++)
    before = add(skeleton, before, Vector3d(i > 0, 0, 0), Vector3d::UnitZ(), 1, Vector3d(0.5, 0, 0),
                 Vector3d(0.001, 1.0 / 12, 1.0 / 12));
  return world_of(skeleton, Vector3d(0, -9.81, 0));
}

WorldPtr arm() {
  SkeletonPtr skeleton = Skeleton::create();
  BodyNode *before = nullptr;
  for (int i = 0; i < 6; i++) {
    const Link &l = arm_links[i];
    before = add(skeleton, before, Vector3d(0, 0, i ? arm_links[i - 1].length : 0),
                 l.axis == 'z' ? Vector3d::UnitZ() : Vector3d::UnitY(), l.mass,
                 Vector3d(0, 0, l.length / 2),
                 Vector3d(link_across(&l), link_across(&l), link_along(&l)));
  }
  for (int i = 0; i < 6; i++)
    skeleton->setVelocity(i, arm_links[i].rate);
  return world_of(skeleton, Vector3d(0, 0, -9.81));
}

WorldPtr four_bar() {
  SkeletonPtr skeleton = Skeleton::create();
  const Vector3d z = Vector3d::UnitZ();
  BodyNode *crank = add(skeleton, nullptr, Vector3d(0, 0, 0), z, 1, Vector3d(0, 0.5, 0),
                        Vector3d(1.0 / 12, 0.001, 1.0 / 12));
  BodyNode *coupler = add(skeleton, crank, Vector3d(0, 1, 0), z, 1, Vector3d(1, 0.5, 0),
                          Vector3d(0.3, 0.3, 5.0 / 12));
  BodyNode *rocker = add(skeleton, nullptr, Vector3d(3, 0, 0), z, 1, Vector3d(-0.5, 1, 0),
                         Vector3d(0.3, 0.3, 5.0 / 12));
  WorldPtr world = world_of(skeleton, Vector3d(0, -9.81, 0));
  world->getConstraintSolver()->addConstraint(
      std::make_shared<dart::constraint::BallJointConstraint>(coupler, rocker, Vector3d(2, 2, 0)));
  return world;
}

double point_error(const WorldPtr &world, size_t body, const Vector3d &at, const double *end,
                   int components) {
  const Vector3d p = world->getSkeleton(0)->getBodyNode(body)->getWorldTransform() * at;
  return apart(p.data(), end, components);
}

template <class Make, class Error>
void measure(const char *name, Make make, double t, Error error_of) {
  const auto run = [&](double digits) {
    const long steps = steps_of(t, digits);
    const double h = t / (double)steps;
    Timer timer = {};
    double error = NAN;
    while (timer_again(&timer)) {
      WorldPtr world = make();
      world->setTimeStep(h);
      timer_start(&timer);
      for (long i = 0; i < steps; i++)
        world->step();
      timer_stop(&timer);
      error = error_of(world);
    }
    char setting[40];
    snprintf(setting, sizeof setting, "h %.3g", h);
    return row(name, "DART", setting, timer.ms, error, steps);
  };
  search(run, &fixed_steps, 1000);
}

}  // namespace

int main() {
  for (int i = 0; i < 3; i++) {
    char name[40];
    const Chain &c = chains[i];
    chain_name(name, sizeof name, &c);
    measure(
        name, [&] { return chain(c.rods); }, c.t,
        [&](const WorldPtr &w) {
          return point_error(w, (size_t)c.rods - 1, Vector3d(1, 0, 0), c.end, 2);
        });
  }
  measure("four-bar", four_bar, 10, [](const WorldPtr &w) {
    return worse(point_error(w, 0, Vector3d(0, 1, 0), four_bar_end, 2),
                 point_error(w, 2, Vector3d(-1, 2, 0), four_bar_end + 2, 2));
  });
  measure("arm", arm, 1, [](const WorldPtr &w) {
    return point_error(w, 5, Vector3d(0, 0, arm_links[5].length), arm_end, 3);
  });
  return 0;
}
