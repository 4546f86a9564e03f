/*
** The same in C++: a start of its own, 60 frames a second, and a joint that breaks.
**
**   c++ host.cpp $(pkg-config --cflags --libs sarrus) -o host && ./host four_bar.sarrus
*/
#include <cmath>
#include <cstdio>
#include <exception>

#include <sarrus/sarrus.hpp>

static double size_of(const double force[3]) { return std::hypot(force[0], force[1]); }

static void run(const sarrus::Model &model) {
  const double strength = 20; /* of joint C, in N */
  sarrus::Sim sim = model.simulate({{"A", SARRUS_ANGLE, 0.5}, {"A", SARRUS_RATE, 1}});
  sarrus::View view = model.view({SARRUS_BODIES, SARRUS_JOINTS}, {"energy.total"});
  bool whole = true;
  for (int frame = 0; frame <= 120; frame++) {
    sim.advance(frame / 60.0);
    view.look(sim);
    if (whole && size_of(view.joint("C").force) > strength) {
      std::printf("%.3f s: C carries %.2f N, and breaks\n", sim.time(),
                  size_of(view.joint("C").force));
      sim.release(SARRUS_JOINTS, "C");
      whole = false;
    }
    if (frame % 30 != 0) continue;
    const sarrus_Pose rocker = view.body("rocker");
    std::printf("%.1f s: rocker at (%.4f, %.4f), turned by %.4f, energy %.9f\n", sim.time(),
                rocker.position[0], rocker.position[1], rocker.angle, view.value(0));
  }
}

int main(int count, char **given) {
  try {
    run(sarrus::Model::load(count > 1 ? given[1] : "four_bar.sarrus"));
    return 0;
  } catch (const std::exception &failure) {
    std::printf("%s\n", failure.what());
    return 1;
  }
}
