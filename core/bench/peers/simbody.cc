/*
** Simbody: trees with loop constraints; Runge-Kutta-Merson, Runge-Kutta-Feldberg and CPODES at
** several accuracies.
*/
#include <Simbody.h>

#include <memory>
#include <vector>

#include "search.h"

using namespace SimTK;

namespace {

struct Problem {
  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  GeneralForceSubsystem forces;
  std::vector<MobilizedBody> bodies;
  std::vector<std::pair<int, Vec3>> points; /* what is compared: body, station */
  int components = 2;
  const double *end = nullptr, *rates = nullptr;
  double t = 1;
  Problem() : matter(system), forces(system) {}
};

/* A body whose frame sits at its centre of mass. */
Body::Rigid body(double mass, const Vec3 &inertia) {
  return Body::Rigid(MassProperties(mass, Vec3(0), Inertia(inertia)));
}

std::unique_ptr<Problem> chain(const Chain &c) {
  auto p = std::make_unique<Problem>();
  Force::UniformGravity(p->forces, p->matter, Vec3(0, -9.81, 0));
  const Body::Rigid rod = body(1, Vec3(0.001, 1.0 / 12, 1.0 / 12));
  for (int i = 0; i < c.rods; i++) {
    MobilizedBody before = i ? p->bodies.back() : MobilizedBody(p->matter.Ground());
    p->bodies.push_back(MobilizedBody::Pin(before, Transform(Vec3(i ? 0.5 : 0, 0, 0)), rod,
                                           Transform(Vec3(-0.5, 0, 0))));
  }
  p->points = {{c.rods - 1, Vec3(0.5, 0, 0)}};
  p->end = c.end;
  p->t = c.t;
  return p;
}

/*
** Closed at C, where the constraint leaves out what the pins make redundant (or keeps all five
** equations).
*/
std::unique_ptr<Problem> four_bar(bool redundant) {
  auto p = std::make_unique<Problem>();
  Force::UniformGravity(p->forces, p->matter, Vec3(0, -9.81, 0));
  MobilizedBody ground = p->matter.Ground();
  MobilizedBody::Pin crank(ground, Transform(), body(1, Vec3(1.0 / 12, 0.001, 1.0 / 12)),
                           Transform(Vec3(0, -0.5, 0)));
  MobilizedBody::Pin coupler(crank, Transform(Vec3(0, 0.5, 0)), body(1, Vec3(0.3, 0.3, 5.0 / 12)),
                             Transform(Vec3(-1, -0.5, 0)));
  MobilizedBody::Pin rocker(ground, Transform(Vec3(3, 0, 0)), body(1, Vec3(0.3, 0.3, 5.0 / 12)),
                            Transform(Vec3(0.5, -1, 0)));
  if (redundant) {
    Constraint::Ball(coupler, Vec3(1, 0.5, 0), rocker, Vec3(-0.5, 1, 0));
    Constraint::ConstantAngle(coupler, UnitVec3(XAxis), rocker, UnitVec3(ZAxis));
    Constraint::ConstantAngle(coupler, UnitVec3(YAxis), rocker, UnitVec3(ZAxis));
  } else {
    Constraint::PointInPlane(coupler, UnitVec3(1, 1, 0), 3 / std::sqrt(2.0) / 2, rocker,
                             Vec3(-0.5, 1, 0));
    Constraint::PointInPlane(coupler, UnitVec3(1, -1, 0), 1 / std::sqrt(2.0) / 2, rocker,
                             Vec3(-0.5, 1, 0));
  }
  p->bodies = {crank, coupler, rocker};
  p->points = {{0, Vec3(0, 0.5, 0)}, {2, Vec3(-0.5, 1, 0)}};
  p->end = four_bar_end;
  p->t = 10;
  return p;
}

/* A frame whose z axis is the joint's. */
Transform hinge(char axis, const Vec3 &at) {
  return axis == 'z' ? Transform(at) : Transform(Rotation(-Pi / 2, XAxis), at);
}

std::unique_ptr<Problem> arm() {
  auto p = std::make_unique<Problem>();
  static double rates[6];
  Force::UniformGravity(p->forces, p->matter, Vec3(0, 0, -9.81));
  for (int i = 0; i < 6; i++) {
    const Link &l = arm_links[i];
    MobilizedBody before = i ? p->bodies.back() : MobilizedBody(p->matter.Ground());
    const Vec3 at(0, 0, i ? arm_links[i - 1].length / 2 : 0);
    const Vec3 inertia(link_across(&l), link_across(&l), link_along(&l));
    p->bodies.push_back(MobilizedBody::Pin(before, hinge(l.axis, at), body(l.mass, inertia),
                                           hinge(l.axis, Vec3(0, 0, -l.length / 2))));
    rates[i] = l.rate;
  }
  p->points = {{5, Vec3(0, 0, arm_links[5].length / 2)}};
  p->components = 3;
  p->end = arm_end;
  p->rates = rates;
  return p;
}

class Legs : public Force::Custom::Implementation {
 public:
  explicit Legs(const std::vector<MobilizedBody> &pistons) : pistons(pistons) {}
  void calcForce(const State &state, Vector_<SpatialVec> &, Vector_<Vec3> &,
                 Vector &mobility) const override {
    for (int i = 0; i < 6; i++) {
      const double length = pistons[i].getOneQ(state, 0), speed = pistons[i].getOneU(state, 0);
      pistons[i].applyOneMobilityForce(state, 0, stewart_force(i, length, speed, state.getTime()),
                                       mobility);
    }
  }
  Real calcPotentialEnergy(const State &) const override { return 0; }
  bool dependsOnlyOnPositions() const override { return false; }

 private:
  std::vector<MobilizedBody> pistons;
};

std::unique_ptr<Problem> stewart() {
  auto p = std::make_unique<Problem>();
  Force::UniformGravity(p->forces, p->matter, Vec3(0, 0, -9.81));
  MobilizedBody ground = p->matter.Ground();
  MobilizedBody::Free platform(ground, Transform(Vec3(0, 0, 1)), body(20, Vec3(1.25, 1.25, 2.5)),
                               Transform());
  std::vector<MobilizedBody> pistons;
  for (int i = 0; i < 6; i++) {
    double l[3], h[3], a[3], b[3];
    stewart_leg(i, l, h, a, b);
    const Vec3 low(l[0], l[1], l[2]), high(h[0], h[1], h[2]), leg = high - low;
    const Rotation feet(UnitVec3(a[0], a[1], a[2]), XAxis, Vec3(b[0], b[1], b[2]), YAxis);
    const Rotation along(UnitVec3(leg), XAxis, Vec3(a[0], a[1], a[2]), YAxis);
    MobilizedBody::Universal cylinder(ground, Transform(feet, low), body(2, Vec3(0.06)),
                                      Transform(feet, -0.3 * leg));
    MobilizedBody::Slider piston(cylinder, Transform(along, 0.4 * leg), body(1, Vec3(0.03)),
                                 Transform(along, Vec3(0)));
    Constraint::Ball(piston, 0.3 * leg, platform, high - Vec3(0, 0, 1));
    pistons.push_back(piston);
  }
  Force::Custom(p->forces, new Legs(pistons));
  p->bodies = {platform};
  p->points = {{0, Vec3(0)}};
  p->components = 3;
  p->end = stewart_end;
  return p;
}

double error_of(const Problem &p, const State &state) {
  double worst = 0;
  for (size_t i = 0; i < p.points.size(); i++) {
    const Vec3 x =
        p.bodies[p.points[i].first].findStationLocationInGround(state, p.points[i].second);
    worst = worse(worst, apart(&x[0], p.end + p.components * i, p.components));
  }
  return worst;
}

std::unique_ptr<Integrator> integrator_of(const System &system, const char *method) {
  if (!strcmp(method, "Merson")) return std::make_unique<RungeKuttaMersonIntegrator>(system);
  if (!strcmp(method, "Feldberg")) return std::make_unique<RungeKuttaFeldbergIntegrator>(system);
  return std::make_unique<CPodesIntegrator>(system, CPodes::Adams, CPodes::Functional);
}

State start_of(Problem &p) {
  p.system.realizeTopology();
  State start = p.system.getDefaultState();
  p.system.realizeModel(start);
  for (int i = 0; p.rates && i < start.getNU(); i++)
    start.updU()[i] = p.rates[i];
  p.system.realize(start, Stage::Acceleration);
  return start;
}

/*
** A run that takes longer is the last of its method; one that takes five times as long is given up.
*/
const double LIMIT_MS = 600;

struct GivenUp : std::exception {};

/* Tolerances too tight for it end in an exception. */
void measure(const char *name, Problem &p, const char *method, const char *how = "") {
  const State start = start_of(p);
  const auto run = [&](double digits) {
    const double accuracy = std::pow(10.0, -digits);
    Timer timer = {};
    double error = NAN;
    long steps = 0;
    try {
      while (timer_again(&timer)) {
        const auto integrator = integrator_of(p.system, method);
        integrator->setAccuracy(accuracy);
        integrator->setFinalTime(p.t);
        integrator->setInternalStepLimit(10000000);
        integrator->setReturnEveryInternalStep(true);
        integrator->initialize(start);
        timer_start(&timer);
        while (integrator->getTime() < p.t) {
          integrator->stepTo(p.t);
          if (now_ms() - timer.from > 5 * LIMIT_MS) throw GivenUp();
        }
        timer_stop(&timer);
        p.system.realize(integrator->getState(), Stage::Position);
        error = error_of(p, integrator->getState());
        steps = integrator->getNumStepsTaken();
      }
    } catch (const std::exception &) {
      error = NAN;
    }
    char setting[60];
    snprintf(setting, sizeof setting, "%s%s %.2g", method, how, accuracy);
    return row(name, "Simbody", setting, timer.ms, error, steps);
  };
  search(run, &accuracies, LIMIT_MS);
}

}  // namespace

int main() {
  for (const char *method : {"Merson", "Feldberg", "CPODES Adams"}) {
    for (int i = 0; i < 4; i++) {
      char name[40];
      chain_name(name, sizeof name, &chains[i]);
      measure(name, *chain(chains[i]), method);
    }
    measure("four-bar", *four_bar(true), method, ", hinge");
    measure("four-bar", *four_bar(false), method, ", two planes");
    measure("arm", *arm(), method);
    measure("stewart", *stewart(), method);
  }
  return 0;
}
