/*
** Bullet: chains and the arm as Featherstone multibodies (its Runge-Kutta option and its usual
** integrator), the four-bar as rigid bodies with hinges.
*/
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "search.h"

namespace {

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btMultiBodyConstraintSolver solver;
  btSphereShape shape{0.01}; /* seen by nothing */
  btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::unique_ptr<btMultiBody> tree;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  std::vector<std::unique_ptr<btTypedConstraint>> joints;
  ~World() {
    if (tree) world.removeMultiBody(tree.get());
    for (auto &joint : joints)
      world.removeConstraint(joint.get());
    for (auto &body : bodies)
      world.removeRigidBody(body.get());
  }
};

void finish_tree(World &w, bool runge_kutta) {
  w.tree->finalizeMultiDof();
  w.tree->setLinearDamping(0);
  w.tree->setAngularDamping(0);
  w.tree->setMaxCoordinateVelocity(1e30);
  w.tree->setCanSleep(false);
  w.tree->useRK4Integration(runge_kutta);
  w.world.addMultiBody(w.tree.get());
}

std::unique_ptr<World> chain(int rods, bool runge_kutta) {
  auto w = std::make_unique<World>();
  w->world.setGravity(btVector3(0, -9.81, 0));
  w->tree = std::make_unique<btMultiBody>(rods, 0, btVector3(0, 0, 0), true, false);
  for (int i = 0; i < rods; i++)
    w->tree->setupRevolute(i, 1, btVector3(0.001, 1.0 / 12, 1.0 / 12), i - 1,
                           btQuaternion(0, 0, 0, 1), btVector3(0, 0, 1),
                           btVector3(i ? 0.5 : 0, 0, 0), btVector3(0.5, 0, 0), true);
  finish_tree(*w, runge_kutta);
  return w;
}

std::unique_ptr<World> arm(bool runge_kutta) {
  auto w = std::make_unique<World>();
  w->world.setGravity(btVector3(0, 0, -9.81));
  w->tree = std::make_unique<btMultiBody>(6, 0, btVector3(0, 0, 0), true, false);
  for (int i = 0; i < 6; i++) {
    const Link &l = arm_links[i];
    w->tree->setupRevolute(
        i, l.mass, btVector3(link_across(&l), link_across(&l), link_along(&l)), i - 1,
        btQuaternion(0, 0, 0, 1), l.axis == 'z' ? btVector3(0, 0, 1) : btVector3(0, 1, 0),
        btVector3(0, 0, i ? arm_links[i - 1].length / 2 : 0), btVector3(0, 0, l.length / 2), true);
  }
  finish_tree(*w, runge_kutta);
  for (int i = 0; i < 6; i++)
    w->tree->setJointVel(i, arm_links[i].rate);
  return w;
}

btRigidBody *rod(World &w, double x, double y, double inertia) {
  btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &w.shape,
                                                btVector3(inertia, inertia, inertia));
  info.m_startWorldTransform = btTransform(btQuaternion(0, 0, 0, 1), btVector3(x, y, 0));
  info.m_linearDamping = info.m_angularDamping = 0;
  w.bodies.push_back(std::make_unique<btRigidBody>(info));
  w.bodies.back()->setActivationState(DISABLE_DEACTIVATION);
  w.world.addRigidBody(w.bodies.back().get(), 0, 0);
  return w.bodies.back().get();
}

std::unique_ptr<World> four_bar(int iterations) {
  auto w = std::make_unique<World>();
  const btVector3 z(0, 0, 1);
  w->world.setGravity(btVector3(0, -9.81, 0));
  w->world.getSolverInfo().m_numIterations = iterations;
  btRigidBody *crank = rod(*w, 0, 0.5, 1.0 / 12), *coupler = rod(*w, 1, 1.5, 5.0 / 12);
  btRigidBody *rocker = rod(*w, 2.5, 1, 5.0 / 12);
  auto add = [&](btHingeConstraint *joint) {
    w->joints.emplace_back(joint);
    w->world.addConstraint(joint, true);
  };
  add(new btHingeConstraint(*crank, btVector3(0, -0.5, 0), z));
  add(new btHingeConstraint(*crank, *coupler, btVector3(0, 0.5, 0), btVector3(-1, -0.5, 0), z, z));
  add(new btHingeConstraint(*coupler, *rocker, btVector3(1, 0.5, 0), btVector3(-0.5, 1, 0), z, z));
  add(new btHingeConstraint(*rocker, btVector3(0.5, -1, 0), z));
  return w;
}

/* What is compared: the free end of a tree, or B and C. */
double error_of(World &w, const double *end, int components, double reach) {
  if (w.tree) {
    const int last = w.tree->getNumLinks() - 1;
    const btVector3 tip = components == 2 ? btVector3(reach, 0, 0) : btVector3(0, 0, reach);
    const btVector3 p = w.tree->localPosToWorld(last, tip);
    const double x[3] = {p.x(), p.y(), p.z()};
    return apart(x, end, components);
  }
  const btVector3 b = w.bodies[0]->getWorldTransform() * btVector3(0, 0.5, 0);
  const btVector3 c = w.bodies[2]->getWorldTransform() * btVector3(-0.5, 1, 0);
  const double x[4] = {b.x(), b.y(), c.x(), c.y()};
  return apart(x, end, 4);
}

template <class Make>
void measure(const char *name, const char *method, Make make, double t, const double *end,
             int components, double reach) {
  const auto run = [&](double digits) {
    const long steps = steps_of(t, digits);
    const double h = t / (double)steps;
    Timer timer = {};
    double error = NAN;
    while (timer_again(&timer)) {
      std::unique_ptr<World> world = make();
      timer_start(&timer);
      for (long i = 0; i < steps; i++)
        world->world.stepSimulation(h, 0);
      timer_stop(&timer);
      error = error_of(*world, end, components, reach);
    }
    char setting[60];
    snprintf(setting, sizeof setting, "%s h %.3g", method, h);
    return row(name, "Bullet", setting, timer.ms, error, steps);
  };
  search(run, &fixed_steps, 1000);
}

}  // namespace

int main() {
  for (const bool runge_kutta : {true, false}) {
    const char *method = runge_kutta ? "Featherstone RK4" : "Featherstone Euler";
    for (int i = 0; i < 4; i++) {
      char name[40];
      const Chain &c = chains[i];
      chain_name(name, sizeof name, &c);
      measure(
          name, method, [&] { return chain(c.rods, runge_kutta); }, c.t, c.end, 2, 0.5);
    }
    measure(
        "arm", method, [&] { return arm(runge_kutta); }, 1, arm_end, 3, 0.05);
  }
  for (const int iterations : {10, 100})
    measure(
        "four-bar", iterations == 10 ? "hinges, 10 iterations" : "hinges, 100 iterations",
        [&] { return four_bar(iterations); }, 10, four_bar_end, 4, 0);
  return 0;
}
