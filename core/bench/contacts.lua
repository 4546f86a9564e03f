-- The problems with contact: one body of 1 kg on the ground, for 1 to 4 s.  Peers type in the same
-- numbers (peers/scenes.h).  The error, in metres, is the largest of a point at a quarter of the
-- time, half of it, three quarters and the end.
local sarrus = require "sarrus"
local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape

local contacts = {}

local LOOKS = 4

--- What is known is x and the height, in pairs.
local function scene(problem)
  local model
  problem.orders = { 12, 16, 20 }
  problem.simulate = function(options)
    model = model or sarrus.model(problem.parts)
    return assert(model:simulate(options))
  end
  problem.error = function(_, start)
    local sim, worst = start:clone(), 0
    for look = 1, LOOKS do
      assert(sim:advance(problem.t * look / LOOKS))
      local at = sim:state():point("body", problem.point)
      worst = math.max(worst, math.abs(at.x - problem.known[2 * look - 1]),
        math.abs((at.z or at.y) - problem.known[2 * look]))
    end
    return worst
  end
  return problem
end

local function floor()
  return shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } }
end

--- Dropped from 1 m, with nine tenths of its speed after each of six bounces.
function contacts.ball()
  return scene {
    name = "ball", t = 4, point = { 0, 0, 0 },
    parts = {
      gravity = { 0, 0, -9.81 }, floor(),
      body.sphere { "body", position = { 0, 0, 1.1 }, radius = 0.1, mass = 1 },
      contact.pair { "touch", "floor", "body", restitution = 0.9 },
    },
    known = { 0, 0.81094914433303833, 0, 0.11368436228506774, 0, 0.51835172208395643,
      0, 0.38051747162176424 },
  }
end

--- Thrown up an incline of 0.3 rad, along which x points; it stops after 0.264 s, and sticks.  In
--- the plane, where its motion is.
function contacts.block()
  local stop = 0.26367905268919945
  return scene {
    name = "block", t = 1, point = { 0, 0 },
    parts = {
      gravity = { -9.81 * math.sin(0.3), -9.81 * math.cos(0.3) },
      shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
      body.box { "body", position = { 0, 0.05 }, size = { 0.4, 0.1 }, mass = 1,
        velocity = { 2, 0 } },
      contact.pair { "touch", "floor", "body", friction = 0.5 },
    },
    known = { 0.26296941542159879, 0.05, stop, 0.05, stop, 0.05, stop, 0.05 },
  }
end

--- A sphere that slides, and rolls from 0.194 s on.
function contacts.rolling()
  return scene {
    name = "rolling", t = 1, point = { 0, 0, 0 },
    parts = {
      gravity = { 0, 0, -9.81 }, floor(),
      body.sphere { "body", position = { 0, 0, 0.1 }, radius = 0.1, mass = 1,
        velocity = { 2, 0, 0 } },
      contact.pair { "touch", "floor", "body", friction = 0.3 },
    },
    known = { 0.41261866622286019, 0.1, 0.76976152336571734, 0.1, 1.1269043805085745, 0.1,
      1.4840472376514316, 0.1 },
  }
end

--- A block that rocks from corner to corner, seven times: the middle of its top.  Between impacts
--- a'' = -3 g / (4 R) sin(atan(1/3) - a), R = sqrt(0.1) its half diagonal; at each it keeps 0.85
--- of its spin (Housner).  The digits are those of quadratures with 30.
function contacts.rocking()
  return scene {
    name = "rocking", t = 2, point = { 0, 0, 0.3 },
    parts = {
      gravity = { 0, 0, -9.81 }, floor(),
      body.box { "body", position = { 0.061594141454394202, 0, 0.31388690643187861 },
        size = { 0.2, 0.2, 0.6 }, mass = 1, orientation = { axis = { 0, 1, 0 }, angle = 0.2 } },
      contact.pair { "touch", "floor", "body", friction = 0.8 },
    },
    known = { -0.069664413515618940, 0.60751934306048942, 0.045899422910181579,
      0.60586560189414006, 0.024245816870918592, 0.60354063967428540, -0.0085468000808681978,
      0.60136204754253599 },
  }
end

--- Boxes that rest side by side on the floor.
function contacts.boxes(count)
  local parts = { gravity = { 0, 0, -9.81 }, floor() }
  local names = {}
  for i = 1, count do
    names[i] = "box" .. i
    parts[#parts + 1] = body.box { names[i], position = { i, 0, 0.25 }, size = { 0.5, 0.5, 0.5 },
      mass = 1 }
  end
  parts[#parts + 1] = contact.pair { "touch", "floor", names, friction = 0.5 }
  return parts
end

return contacts
