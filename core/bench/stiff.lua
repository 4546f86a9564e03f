-- The stiff problems: much in them is far faster than their motion.  Peers type in the same numbers
-- (peers/stiff.h).  The error, in metres, is the largest of a point at a quarter of the time, half
-- of it, three quarters and the end.
local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

local stiff = {}

local LOOKS, G = 4, 9.81

--- What is known is x and y, in pairs.
local function scene(problem)
  local model
  problem.methods = { "stiff" }
  problem.simulate = function(options)
    model = model or sarrus.model(problem.parts)
    return assert(model:simulate(options))
  end
  problem.places = function(start)
    local sim, places = start:clone(), {}
    for look = 1, LOOKS do
      assert(sim:advance(problem.t * look / LOOKS))
      local at = sim:state():point(problem.body, problem.point)
      places[2 * look - 1], places[2 * look] = at.x, at.y
    end
    return places
  end
  problem.error = function(_, start)
    local worst = 0
    for i, x in ipairs(problem.places(start)) do
      worst = math.max(worst, math.abs(x - problem.known[i]))
    end
    return worst
  end
  return problem
end

--- A mass of 1 kg on a spring, started at its static stretch: a pendulum.
function stiff.spring()
  local l = 1 + G * math.cos(1) / 1e8
  local place = { l * math.sin(1), -l * math.cos(1) }
  return scene {
    name = "spring", t = 10, body = "mass", point = { 0, 0 },
    parts = {
      gravity = { 0, -G }, body.point { "mass", position = place, mass = 1 },
      force.spring { "spring", "ground", "mass", from = { 0, 0 }, to = place, stiffness = 1e8,
        length = 1, damping = 2e4 },
    },
    known = { 0.47696403225893025, -0.87892298701643014, -0.50583196903791691,
      -0.86263220145061557, -0.84109295206728893, -0.5408907027541199, -0.446862997596618,
      -0.89460257980209765 },
  }
end

--- Six masses of 1 kg in a line, 1 m apart, on springs without a force at the start.
function stiff.springs()
  local parts = { gravity = { 0, -G } }
  local before, at = "ground", { 0, 0 }
  for i = 1, 6 do
    local name, to = "mass" .. i, { i * math.sin(1), -i * math.cos(1) }
    parts[#parts + 1] = body.point { name, position = to, mass = 1 }
    parts[#parts + 1] = force.spring { "spring" .. i, before, name, from = at, to = to,
      stiffness = 1e8, length = 1, damping = 2e4 }
    before, at = name, to
  end
  return scene {
    name = "springs", t = 2.1, body = "mass6", point = { 0, 0 }, parts = parts,
    known = { 4.2338610591805512, -4.0704695572773704, 0.80982525324893415, -5.8460151536271648,
      -3.7402191620138826, -4.2648907941313878, -5.0428308403060491, -3.1107742925448235 },
  }
end

--- A two-link arm, its hand on a guide, driven by gains: rates of about 1e6 and 1e2 1/s.
function stiff.gains()
  return scene {
    name = "gains", t = 4.5, body = "lower", point = { 0.5, 0 },
    parts = {
      gravity = { 0, -G },
      body.rod { "upper", from = { 0, 0 }, to = { 0.8, 0.6 }, mass = 1 },
      body.rod { "lower", from = { 0.8, 0.6 }, to = { 1.6, 0 }, mass = 1 },
      joint.revolute { "shoulder", "ground", "upper", at = { 0, 0 },
        torque = function(angle, rate, t)
          return 1e8 * (0.2 * sarrus.sin(2 * t) - angle) + 1e6 * (0.4 * sarrus.cos(2 * t) - rate)
        end },
      joint.revolute { "elbow", "upper", "lower", at = { 0.8, 0.6 } },
      joint.slot { "guide", "ground", "lower", at = { 1.6, 0 }, axis = { 1, 0 } },
    },
    known = { 1.3946816039209397, 0, 1.8026348053056797, 0, 1.4856584036329523, 0,
      1.4957717525851437, 0 },
  }
end

--- A slider-crank that turns, its crank pin in a bushing: the piston.
function stiff.bushing()
  local wrist = { math.sqrt(8), 0 }
  return scene {
    name = "bushing", t = 5.2, body = "piston", point = { 0, 0 },
    parts = {
      gravity = { 0, -G },
      body.rod { "crank", from = { 0, 0 }, to = { 0, 1 }, mass = 1, velocity = { -2.5, 0 },
        spin = 5 },
      body.rod { "rod", from = { 0, 1 }, to = wrist, mass = 2, velocity = { -5, 0 } },
      body.box { "piston", position = wrist, size = { 0.4, 0.3 }, mass = 3, velocity = { -5, 0 } },
      joint.revolute { "main", "ground", "crank", at = { 0, 0 } },
      force.bushing { "pin", "crank", "rod", at = { 0, 1 }, stiffness = 1e8, damping = 1e4 },
      joint.revolute { "wrist", "rod", "piston", at = wrist },
      joint.prismatic { "cylinder", "ground", "piston", at = wrist, axis = { 1, 0 } },
    },
    known = { 3.1621273427632786, 0, 2.6774308131513507, 0, 3.3464129956650942, 0,
      2.5292661623890796, 0 },
  }
end

--- A quarter of a car that crosses a bump of 60 mm at 10 m/s: the hub.  The car slides up and
--- down; a trailing arm of 33 kg with its wheel hangs in a bushing and carries it by a strut, 0.3 m
--- from the bushing; the tyre is a spring between the road and the hub, 0.4 m from it.  Drawn at
--- rest.
function stiff.car()
  local on_tyre, arm, inertia, centre = (350 + 33) * G, 33, 1.67, 0.35
  local on_strut = (0.4 * on_tyre - centre * arm * G) / 0.3 -- moments about the bushing
  local x = 10 * sarrus.time - 5
  return scene {
    name = "car", t = 2, body = "arm", point = { 0.4 - centre, 0 },
    parts = {
      gravity = { 0, -G },
      body.box { "car", position = { 0, 0.7 }, size = { 1.8, 0.5 }, mass = 350 },
      body.rigid { "arm", position = { centre, 0.3 }, mass = arm, inertia = inertia },
      body.box { "road", position = { 0.4, 0 }, size = { 0.3, 0.02 }, mass = 1 },
      joint.prismatic { "course", "ground", "car", at = { 0, 0.7 }, axis = { 0, 1 } },
      joint.prismatic { "profile", "ground", "road", at = { 0.4, 0 }, axis = { 0, 1 },
        motion = 0.06 * sarrus.exp(-(x / 0.4) ^ 2) },
      force.bushing { "pivot", "car", "arm", at = { 0, 0.3 }, stiffness = 5e7, damping = 1e5 },
      force.spring { "strut", "car", "arm", from = { 0.3, 0.6 }, to = { 0.3, 0.3 },
        stiffness = 4e4, length = 0.3 + on_strut / 4e4, damping = 3000 },
      force.spring { "tyre", "road", "arm", from = { 0.4, 0 }, to = { 0.4, 0.3 },
        stiffness = 2e5, length = 0.3 + on_tyre / 2e5, damping = 500 },
    },
    known = { 0.39712712004720537, 0.35624582147729274, 0.39988570567658189, 0.29870630477443425,
      0.39997734772640371, 0.30042551508987958, 0.3999973162304629, 0.29990736484550268 },
  }
end

return stiff
