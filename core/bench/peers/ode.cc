/*
** ODE: bodies and hinges in full coordinates, its direct solver (dWorldStep) at several steps and
** error reductions.
*/
#include <ode/ode.h>

#include <vector>

#include "search.h"

namespace {

struct World {
  dWorldID world = dWorldCreate();
  std::vector<dBodyID> bodies;
  ~World() { dWorldDestroy(world); }
};

dBodyID body(World &w, double mass, double ix, double iy, double iz, double x, double y, double z) {
  dMass m;
  dMassSetParameters(&m, mass, 0, 0, 0, ix, iy, iz, 0, 0, 0);
  w.bodies.push_back(dBodyCreate(w.world));
  dBodySetMass(w.bodies.back(), &m);
  dBodySetPosition(w.bodies.back(), x, y, z);
  dBodySetGyroscopicMode(w.bodies.back(), 1);
  return w.bodies.back();
}

void hinge(World &w, dBodyID a, dBodyID b, double x, double y, double z, char axis) {
  dJointID joint = dJointCreateHinge(w.world, nullptr);
  dJointAttach(joint, b, a);
  dJointSetHingeAnchor(joint, x, y, z);
  dJointSetHingeAxis(joint, 0, axis == 'y', axis == 'z');
}

void chain(World &w, int rods) {
  dWorldSetGravity(w.world, 0, -9.81, 0);
  for (int i = 0; i < rods; i++) {
    dBodyID before = i ? w.bodies.back() : nullptr;
    dBodyID rod = body(w, 1, 0.001, 1.0 / 12, 1.0 / 12, i + 0.5, 0, 0);
    hinge(w, before, rod, i, 0, 0, 'z');
  }
}

void four_bar(World &w) {
  dWorldSetGravity(w.world, 0, -9.81, 0);
  dBodyID crank = body(w, 1, 1.0 / 12, 0.001, 1.0 / 12, 0, 0.5, 0);
  dBodyID coupler = body(w, 1, 0.3, 0.3, 5.0 / 12, 1, 1.5, 0);
  dBodyID rocker = body(w, 1, 0.3, 0.3, 5.0 / 12, 2.5, 1, 0);
  hinge(w, nullptr, crank, 0, 0, 0, 'z');
  hinge(w, crank, coupler, 0, 1, 0, 'z');
  hinge(w, coupler, rocker, 2, 2, 0, 'z');
  hinge(w, nullptr, rocker, 3, 0, 0, 'z');
}

/* Upright, all axes fixed in space at the start: each link adds the spin of its joint. */
void arm(World &w) {
  double height = 0, spin[3] = {0, 0, 0}, v[3] = {0, 0, 0};
  dWorldSetGravity(w.world, 0, 0, -9.81);
  for (const Link &l : arm_links) {
    dBodyID before = w.bodies.empty() ? nullptr : w.bodies.back();
    dBodyID link = body(w, l.mass, link_across(&l), link_across(&l), link_along(&l), 0, 0,
                        height + l.length / 2);
    hinge(w, before, link, 0, 0, height, l.axis);
    spin[l.axis == 'y' ? 1 : 2] += l.rate;
    dBodySetAngularVel(link, spin[0], spin[1], spin[2]);
    dBodySetLinearVel(link, v[0] + spin[1] * l.length / 2, v[1] - spin[0] * l.length / 2, 0);
    v[0] += spin[1] * l.length, v[1] -= spin[0] * l.length;
    height += l.length;
  }
}

double point_error(dBodyID b, double x, double y, double z, const double *end, int components) {
  dVector3 p;
  dBodyGetRelPointPos(b, x, y, z, p);
  const double at[3] = {p[0], p[1], p[2]};
  return apart(at, end, components);
}

template <class Make, class Error>
void measure(const char *name, Make make, double t, Error error_of, double erp) {
  const auto run = [&](double digits) {
    const long steps = steps_of(t, digits);
    const double h = t / (double)steps;
    Timer timer = {};
    double error = NAN;
    while (timer_again(&timer)) {
      World w;
      make(w);
      dWorldSetERP(w.world, erp);
      dWorldSetCFM(w.world, 1e-14);
      timer_start(&timer);
      for (long i = 0; i < steps; i++)
        dWorldStep(w.world, h);
      timer_stop(&timer);
      error = error_of(w);
    }
    char setting[60];
    snprintf(setting, sizeof setting, "erp %g h %.3g", erp, h);
    return row(name, "ODE", setting, timer.ms, error, steps);
  };
  search(run, &fixed_steps, 1000);
}

void measure_all(double erp) {
  for (int i = 0; i < 3; i++) { /* beyond that its direct solver takes minutes */
    char name[40];
    const Chain &c = chains[i];
    chain_name(name, sizeof name, &c);
    measure(
        name, [&](World &w) { chain(w, c.rods); }, c.t,
        [&](World &w) { return point_error(w.bodies.back(), 0.5, 0, 0, c.end, 2); }, erp);
  }
  measure(
      "four-bar", four_bar, 10,
      [](World &w) {
        return worse(point_error(w.bodies[0], 0, 0.5, 0, four_bar_end, 2),
                     point_error(w.bodies[2], -0.5, 1, 0, four_bar_end + 2, 2));
      },
      erp);
  measure(
      "arm", arm, 1,
      [](World &w) {
        return point_error(w.bodies.back(), 0, 0, arm_links[5].length / 2, arm_end, 3);
      },
      erp);
}

}  // namespace

int main() {
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  for (const double erp : {0.2, 0.8})
    measure_all(erp);
  dCloseODE();
  return 0;
}
