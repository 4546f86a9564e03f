/*
** Simbody on the stiff problems: trees, some of whose mobilities are the stretches, and loop
** constraints; CPODES (BDF with Newton's method) and Runge-Kutta-Merson.
*/
#include <Simbody.h>

#include <memory>
#include <vector>

#include "search.h"
#include "stiff.h"

using namespace SimTK;

namespace {

struct Problem {
  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  GeneralForceSubsystem forces;
  std::vector<MobilizedBody> bodies;
  Vec3 station = Vec3(0); /* what is compared: a point of the last body */
  std::vector<double> q, u;
  Problem() : matter(system), forces(system) {
    Force::UniformGravity(forces, matter, Vec3(0, -stiff_g, 0));
  }
};

Body::Rigid body(double mass, double inertia) {
  return Body::Rigid(MassProperties(mass, Vec3(0), Inertia(inertia)));
}

/* Angle and length of each spring; x of a frame points along it. */
std::unique_ptr<Problem> springs(int count) {
  auto p = std::make_unique<Problem>();
  const Transform along(Vec3(1, 0, 0)); /* so that the length is counted from the unstressed one */
  Body::Rigid mass(MassProperties(1, Vec3(0), Inertia(0)));
  for (int i = 0; i < count; i++) {
    MobilizedBody before = i ? p->bodies.back() : MobilizedBody(p->matter.Ground());
    const Rotation down(i ? 0 : -Pi / 2, ZAxis);
    MobilizedBody::Pin turn(before, Transform(down), Body::Massless(), Transform());
    MobilizedBody::Slider slide(turn, along, mass, Transform());
    Force::MobilityLinearSpring(p->forces, slide, MobilizerQIndex(0), 1e8, 0);
    Force::MobilityLinearDamper(p->forces, slide, MobilizerUIndex(0), 2e4);
    p->bodies.push_back(slide);
    p->q.push_back(i ? 0 : 1);
    p->q.push_back(count == 1 ? stiff_g * std::cos(1.0) / 1e8 : 0);
  }
  return p;
}

class Gains : public Force::Custom::Implementation {
 public:
  explicit Gains(const MobilizedBody &upper) : upper(upper) {}
  void calcForce(const State &state, Vector_<SpatialVec> &, Vector_<Vec3> &,
                 Vector &mobility) const override {
    upper.applyOneMobilityForce(
        state, 0, gains_torque(state.getTime(), upper.getOneQ(state, 0), upper.getOneU(state, 0)),
        mobility);
  }
  Real calcPotentialEnergy(const State &) const override { return 0; }
  bool dependsOnlyOnPositions() const override { return false; }

 private:
  MobilizedBody upper;
};

std::unique_ptr<Problem> gains() {
  auto p = std::make_unique<Problem>();
  const double drawn = std::asin(0.6);
  MobilizedBody ground = p->matter.Ground();
  MobilizedBody::Pin upper(ground, Transform(Rotation(drawn, ZAxis)), body(1, 1.0 / 12),
                           Transform(Vec3(-0.5, 0, 0)));
  MobilizedBody::Pin lower(upper, Transform(Rotation(-2 * drawn, ZAxis), Vec3(0.5, 0, 0)),
                           body(1, 1.0 / 12), Transform(Vec3(-0.5, 0, 0)));
  Constraint::PointInPlane(ground, UnitVec3(YAxis), 0, lower, Vec3(0.5, 0, 0));
  Force::Custom(p->forces, new Gains(upper));
  p->bodies = {upper, lower};
  p->station = Vec3(0.5, 0, 0);
  return p;
}

/*
** A bushing's gap, of axes that turn with the body before it, is that of two sliders; the body
** behind it is to turn about the second.
*/
MobilizedBody gap(Problem &p, MobilizedBody before, const Transform &at, double k, double c) {
  const Rotation up(Pi / 2, ZAxis);
  MobilizedBody::Slider first(before, at, Body::Massless(), Transform());
  MobilizedBody::Slider second(first, Transform(up), Body::Massless(), Transform(up));
  for (MobilizedBody slider : {MobilizedBody(first), MobilizedBody(second)}) {
    Force::MobilityLinearSpring(p.forces, slider, MobilizerQIndex(0), k, 0);
    Force::MobilityLinearDamper(p.forces, slider, MobilizerUIndex(0), c);
  }
  return second;
}

/* The piston, which does not turn, is a point of the rod. */
std::unique_ptr<Problem> bushing() {
  auto p = std::make_unique<Problem>();
  const double b = -std::asin(1.0 / 3) - Pi / 2, both = 5, centre = (2 * 1.5 + 3 * 3) / both;
  const double inertia = 1.5 + 2 * square(centre - 1.5) + 3 * square(3 - centre);
  MobilizedBody ground = p->matter.Ground();
  MobilizedBody::Pin crank(ground, Transform(Rotation(Pi / 2, ZAxis)), body(1, 1.0 / 12),
                           Transform(Vec3(-0.5, 0, 0)));
  MobilizedBody pin = gap(*p, crank, Transform(Vec3(0.5, 0, 0)), 1e8, 1e4);
  MobilizedBody::Pin rod(pin, Transform(Rotation(b, ZAxis)), body(both, inertia),
                         Transform(Vec3(-centre, 0, 0)));
  Constraint::PointInPlane(ground, UnitVec3(YAxis), 0, rod, Vec3(3 - centre, 0, 0));
  p->bodies = {crank, rod};
  p->station = Vec3(3 - centre, 0, 0);
  p->u = {5, 0, 0, -5};
  return p;
}

/* Strut and tyre. */
class Springs : public Force::Custom::Implementation {
 public:
  Springs(const MobilizedBody &car, const MobilizedBody &arm) : car(car), arm(arm) {}
  void calcForce(const State &state, Vector_<SpatialVec> &forces, Vector_<Vec3> &,
                 Vector &) const override {
    const Vec3 seat(0.3, -0.1, 0), low(0.3 - arm_centre, 0, 0), hub(0.4 - arm_centre, 0, 0);
    double road, speed;
    car_road(state.getTime(), &road, &speed);
    const Vec3 strut = between(state, car.findStationLocationInGround(state, seat),
                               car.findStationVelocityInGround(state, seat), low, 4e4, 3000,
                               0.3 + car_on_strut() / 4e4);
    const Vec3 tyre = between(state, Vec3(0.4, road, 0), Vec3(0, speed, 0), hub, 2e5, 500,
                              0.3 + car_on_tyre() / 2e5);
    car.applyForceToBodyPoint(state, seat, -strut, forces);
    arm.applyForceToBodyPoint(state, low, strut, forces);
    arm.applyForceToBodyPoint(state, hub, tyre, forces);
  }
  Real calcPotentialEnergy(const State &) const override { return 0; }
  bool dependsOnlyOnPositions() const override { return false; }

 private:
  Vec3 between(const State &state, const Vec3 &from, const Vec3 &moves, const Vec3 &station,
               double k, double c, double length) const {
    const Vec3 d = arm.findStationLocationInGround(state, station) - from;
    const Vec3 v = arm.findStationVelocityInGround(state, station) - moves;
    double f[2];
    strut_force(k, c, length, &d[0], &v[0], f);
    return Vec3(f[0], f[1], 0);
  }
  MobilizedBody car, arm;
};

std::unique_ptr<Problem> car() {
  auto p = std::make_unique<Problem>();
  const Rotation up(Pi / 2, ZAxis);
  MobilizedBody::Slider car(p->matter.Ground(), Transform(up, Vec3(0, 0.7, 0)), body(CAR, 100),
                            Transform(up));
  MobilizedBody pivot = gap(*p, car, Transform(Vec3(0, -0.4, 0)), 5e7, 1e5);
  MobilizedBody::Pin arm(pivot, Transform(), body(ARM, arm_inertia),
                         Transform(Vec3(-arm_centre, 0, 0)));
  Force::Custom(p->forces, new Springs(car, arm));
  p->bodies = {car, arm};
  p->station = Vec3(0.4 - arm_centre, 0, 0);
  return p;
}

std::unique_ptr<Problem> problem_of(const char *name) {
  if (!strcmp(name, "spring")) return springs(1);
  if (!strcmp(name, "springs")) return springs(MASSES);
  if (!strcmp(name, "gains")) return gains();
  if (!strcmp(name, "bushing")) return bushing();
  return car();
}

State start_of(Problem &p) {
  p.system.realizeTopology();
  State start = p.system.getDefaultState();
  p.system.realizeModel(start);
  for (size_t i = 0; i < p.q.size(); i++)
    start.updQ()[(int)i] = p.q[i];
  for (size_t i = 0; i < p.u.size(); i++)
    start.updU()[(int)i] = p.u[i];
  p.system.realize(start, Stage::Acceleration);
  return start;
}

std::unique_ptr<Integrator> integrator_of(const System &system, const char *method) {
  if (!strcmp(method, "Merson")) return std::make_unique<RungeKuttaMersonIntegrator>(system);
  return std::make_unique<CPodesIntegrator>(system, CPodes::BDF, CPodes::Newton);
}

/*
** A run that takes longer is the last of its method; one that takes five times as long is given up.
*/
const double LIMIT_MS = 600;

struct GivenUp : std::exception {};

double run(Integrator &integrator, const Problem &p, const Stiff &stiff, double from) {
  double error = 0;
  for (int look = 0; look < STIFF_LOOKS; look++) {
    const double t = stiff.t * (look + 1) / STIFF_LOOKS;
    while (integrator.getTime() < t) {
      integrator.stepTo(t);
      if (now_ms() - from > 5 * LIMIT_MS) throw GivenUp();
    }
    const State &state = integrator.getState();
    p.system.realize(state, Stage::Position);
    const Vec3 x = p.bodies.back().findStationLocationInGround(state, p.station);
    error = worse(error, apart(&x[0], stiff.known + 2 * look, 2));
  }
  return error;
}

/* Tolerances too tight for it end in an exception. */
void measure(const Stiff &stiff, const char *method) {
  const auto p = problem_of(stiff.name);
  const State start = start_of(*p);
  const auto at = [&](double digits) {
    const double accuracy = std::pow(10.0, -digits);
    Timer timer = {};
    double error = NAN;
    long steps = 0;
    try {
      while (timer_again(&timer)) {
        const auto integrator = integrator_of(p->system, method);
        integrator->setAccuracy(accuracy);
        integrator->setFinalTime(stiff.t);
        integrator->setInternalStepLimit(10000000);
        integrator->setReturnEveryInternalStep(true);
        integrator->initialize(start);
        timer_start(&timer);
        error = run(*integrator, *p, stiff, timer.from);
        timer_stop(&timer);
        steps = integrator->getNumStepsTaken();
      }
    } catch (const std::exception &) {
      error = NAN;
    }
    char setting[60];
    snprintf(setting, sizeof setting, "%s %.2g", method, accuracy);
    return row(stiff.name, "Simbody", setting, timer.ms, error, steps);
  };
  search(at, &stiff_tolerances, LIMIT_MS);
}

}  // namespace

int main() {
  for (const Stiff &stiff : stiffs)
    for (const char *method : {"CPODES BDF", "Merson"})
      measure(stiff, method);
  return 0;
}
