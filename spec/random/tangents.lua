--- Derivatives of motions by parameters and starting values, through loops, switches, events,
--- impacts and implicit steps.  The answer: differences of the sixth order of runs beside it, which
--- two steps, one half of the other, must agree about.
local sarrus = require "sarrus"
local body, contact, force, joint, shape = sarrus.body, sarrus.contact, sarrus.force, sarrus.joint,
  sarrus.shape

-- The error is in units of what is allowed.
local class = { cases = 40, bound = 1 }

--- A parameter of a random value, told with its name to the problem.
local function parameter(problem, name, value)
  problem.values[name] = value
  problem.names[#problem.names + 1] = name
  return sarrus.parameter(name, value)
end

-- Problems: { model =, values =, names =, T =, channels =, given = function() } ------------------

local kinds = {}

--- Rods that hang on each other, with springs and dampers in their hinges.
function kinds.chain(draw, problem)
  local parts, at = { name = "chain", gravity = { 0, -9.81 } }, { 0, 0 }
  local length = parameter(problem, "length", draw:between(0.5, 1.5))
  local k = parameter(problem, "k", draw:between(1, 20))
  for i = 1, draw:whole(1, 3) do
    local name, angle = "b" .. i, draw:between(-3, 3)
    local to = { at[1] + length * math.cos(angle), at[2] + length * math.sin(angle) }
    parts[#parts + 1] = body.rod { name, from = at, to = to, mass = draw:between(0.3, 2) }
    parts[#parts + 1] = joint.revolute { "J" .. i, i == 1 and "ground" or "b" .. i - 1, name,
      at = at, stiffness = k, damping = draw:between(0, 0.5), rest = draw:between(-1, 1) }
    at = to
  end
  problem.names[#problem.names + 1] = "start.J1.angle"
  problem.names[#problem.names + 1] = "start.J1.rate"
  problem.given = { joints = { J1 = { angle = draw:between(-1, 1), rate = draw:between(-2, 2) } } }
  problem.channels = { "J1.angle", "J1.rate", "J1.force.x", "energy.total" }
  return parts
end

--- A loop of four rods, one of them as long as a parameter says, and a spring across it.
function kinds.loop(draw, problem)
  local height = parameter(problem, "height", draw:between(0.8, 1.2))
  local mass = parameter(problem, "mass", draw:between(0.5, 2))
  problem.channels = { "A.angle", "C.force.x", "rocker.position.y" }
  problem.given = { joints = { A = { rate = draw:between(-1, 1) } } }
  problem.names[#problem.names + 1] = "start.A.rate"
  return { name = "loop", gravity = { 0, -9.81 },
    body.rod { "crank", from = { 0, 0 }, to = { 0, height }, mass = mass },
    body.rod { "coupler", from = { 0, height }, to = { 2, 2 }, mass = 1 },
    body.rod { "rocker", from = { 3, 0 }, to = { 2, 2 }, mass = draw:between(0.5, 2) },
    joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
    joint.revolute { "B", "crank", "coupler", at = { 0, height } },
    joint.revolute { "C", "coupler", "rocker", at = { 2, 2 } },
    joint.revolute { "D", "rocker", "ground", at = { 3, 0 } },
    force.spring { "S", "ground", "coupler", from = { 1, -1 }, to = { 1, 1.5 },
      stiffness = parameter(problem, "k", draw:between(5, 50)) } }
end

--- A box on a ball joint, with a hinged arm: in space.
function kinds.space(draw, problem)
  local torque = parameter(problem, "torque", draw:between(-3, 3))
  problem.channels = { "b.position.x", "b.velocity.z", "J.force.y", "H.angle" }
  return { name = "space", gravity = { 0, 0, -9.81 },
    body.box { "b", position = { 0.5, 0.1, 0 }, size = { 1, 0.2, 0.3 },
      mass = parameter(problem, "mass", draw:between(0.5, 2)), spin = draw:list(3, -2, 2) },
    body.rod { "arm", from = { 1, 0.1, 0 }, to = { 1.8, 0.1, 0.3 }, mass = 0.5, radius = 0.05 },
    joint.spherical { "J", "ground", "b", at = { 0, 0, 0 } },
    joint.revolute { "H", "b", "arm", at = { 1, 0.1, 0 }, axis = { 0, 1, 0 }, torque = torque } }
end

--- A rod on a hinge, or a disk on a guide, that strikes a line: slip and sinking are one freedom.
function kinds.guided(draw, problem)
  local length = parameter(problem, "length", draw:between(0.7, 1.4))
  local mu = parameter(problem, "mu", draw:between(0.05, 0.5))
  local e = parameter(problem, "e", draw:between(0.3, 0.8))
  local hinged = draw:pick { true, false }
  local angle = draw:between(0.6, 1.5)
  problem.T = draw:between(0.3, 0.7)
  problem.channels = hinged and { "J.angle", "J.rate" } or { "J.length", "J.speed" }
  return { name = "guided", gravity = { 0, -9.81 },
    shape.line { "floor", "ground", at = { 0, draw:between(-0.6, -0.3) }, normal = { 0, 1 } },
    hinged and body.rod { "b", from = { 0, 0 }, to = { length, draw:between(-0.1, 0.3) }, mass = 1 }
      or body.disk { "b", position = { 0, length }, radius = 0.1, mass = 1 },
    hinged and joint.revolute { "J", "ground", "b", at = { 0, 0 } }
      or joint.prismatic { "J", "ground", "b", at = { 0, length },
        axis = { math.cos(angle), math.sin(angle) } },
    contact.pair { "c", "floor", "b", friction = mu, restitution = e } }
end

--- A disk, a box or a bar that falls on a line, bounces and slides.
function kinds.bounce(draw, problem)
  local mu = parameter(problem, "mu", draw:between(0.05, 0.8))
  local e = parameter(problem, "e", draw:between(0.2, 0.8))
  local common = { "b", mass = 1, velocity = { draw:between(-2, 2), 0 },
    spin = draw:between(-3, 3) }
  local kind = draw:pick { "rod", "disk", "box" }
  if kind == "rod" then
    local angle = draw:between(0, 3)
    common.from, common.to = { 0, 1.2 }, { math.cos(angle), 1.2 + math.sin(angle) }
  else
    common.position, common.angle = { 0, 1 }, draw:between(0, 3)
    common.radius = kind == "disk" and 0.3 or nil
    common.size = kind == "box" and { 0.6, draw:between(0.2, 0.5) } or nil
  end
  problem.names[#problem.names + 1] = "start.b.velocity.x"
  problem.given = { bodies = { b = { velocity = common.velocity } } }
  problem.channels = { "b.position.x", "b.velocity.y", "b.spin" }
  problem.T = draw:between(0.3, 0.9)
  return { name = "bounce", gravity = { 0, -9.81 },
    shape.line { "floor", "ground", at = { 0, 0 }, normal = { draw:between(-0.2, 0.2), 1 } },
    body[kind](common),
    contact.pair { "c", "floor", "b", friction = mu, restitution = e } }
end

--- A box or a ball that falls on a plane, in space.
function kinds.tumble(draw, problem)
  local mu = parameter(problem, "mu", draw:between(0.05, 0.6))
  local e = parameter(problem, "e", draw:between(0.2, 0.8))
  local round = draw:chance(0.4)
  problem.channels = { "b.position.x", "b.velocity.z", "b.spin.y" }
  problem.T = draw:between(0.25, 0.5)
  return { name = "tumble", gravity = { 0, 0, -9.81 },
    shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, draw:between(-0.2, 0.2), 1 } },
    body[round and "sphere" or "box"] { "b", position = { 0, 0, 0.7 }, mass = 1,
      radius = round and 0.3 or nil, size = not round and { 0.4, 0.3, 0.5 } or nil,
      velocity = { draw:between(0.5, 2), draw:between(-1, 1), 0 }, spin = draw:list(3, -3, 3),
      orientation = { axis = { 1, 2, 0.5 }, angle = draw:between(0, 3) } },
    contact.pair { "c", "floor", "b", friction = mu, restitution = e } }
end

--- A pendulum with dry friction and a stop.
function kinds.stuck(draw, problem)
  local bound = parameter(problem, "bound", draw:between(0.1, 1))
  problem.channels = { "J.angle", "J.rate" }
  problem.names[#problem.names + 1] = "start.J.angle"
  problem.given = { joints = { J = { angle = draw:between(-0.5, 0.5) } } }
  problem.T = draw:between(0.5, 4)
  return { name = "stuck", gravity = { 0, -9.81 },
    body.rod { "b", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
    joint.revolute { "J", "ground", "b", at = { 0, 0 }, friction = bound,
      limits = { draw:between(-2.5, -1.8), 3, restitution = draw:between(0.2, 0.7) } } }
end

--- A spring that acts on one side; an event that sets, kicks, or neither.
function kinds.switched(draw, problem)
  local k = parameter(problem, "k", draw:between(20, 200))
  local level = parameter(problem, "level", draw:between(0.1, 0.4))
  local push = sarrus.parameter("push", 0)
  problem.names[#problem.names + 1] = "start.q.x"
  problem.names[#problem.names + 1] = "start.v.x"
  problem.given = { q = { draw:between(0.6, 1.2) }, v = { draw:between(-1, 1) } }
  problem.channels = { "q.x", "v.x", "a.x" }
  local act = draw:pick { "set", "impulse", "none" }
  local size = draw:between(0.2, 3)
  function problem.events()
    local count = 0
    return { sarrus.event { "pass", when = function(s) return s.q.x - level end,
      action = function(sim)
        count = count + 1
        if act == "set" then
          sim:set("push", size * (count % 2))
        elseif act == "impulse" and count < 4 then
          sim:impulse { x = 0.1 * size }
        end
      end } }
  end
  return nil, sarrus.system { name = "switched", coordinates = { "x" },
    mass = function() return { { 1 } } end,
    force = function(q, v)
      return { push - 9.81 - k * sarrus.min(q.x - level, 0) - 0.2 * v.x }
    end }
end

--- A mass on a spring that is far too stiff for series.
function kinds.stiff(draw, problem)
  local g = parameter(problem, "g", draw:between(5, 15))
  problem.names[#problem.names + 1] = "start.b.velocity.y"
  problem.given = { method = "stiff", bodies = { b = { velocity = { 0, draw:between(-2, 2) } } } }
  problem.channels = { "b.position.x", "b.position.y", "b.velocity.x" }
  return { name = "stiff", body.point { "b", position = { 1, 0 }, mass = 1 },
    force.spring { "s", "ground", "b", from = { 0, 0 }, to = { 1, 0 }, length = 1,
      stiffness = math.exp(draw:between(math.log(1e7), math.log(1e9))), damping = 1e4 },
    force.applied { "w", "b", at = { 1, 0 }, force = { 0, -g } } }
end

local names = { "chain", "loop", "space", "bounce", "tumble", "stuck", "switched", "stiff" }

-- Runs -------------------------------------------------------------------------------------------

local function copy(value)
  if type(value) ~= "table" then
    return value
  end
  local result = {}
  for key, one in pairs(value) do
    result[key] = copy(one)
  end
  return result
end

--- What `simulate` is given, with one value changed.
local function shifted(problem, name, by)
  local given = copy(problem.given or {})
  given.tolerance = given.method and 1e-12 or 1e-14
  given.parameters = copy(problem.values)
  given.events = problem.events and problem.events()
  local first, second, third = name:match("^start%.([^.]+)%.([^.]+)%.?(.*)$")
  if not first then
    given.parameters[name] = given.parameters[name] and given.parameters[name] + by
  elseif first == "q" or first == "v" then
    given[first][1] = given[first][1] + by
  elseif third ~= "" then
    local list = given.bodies[first][second]
    local i = third == "x" and 1 or 2
    list[i] = list[i] + by
  else
    given.joints = given.joints or {}
    given.joints[first][second] = (given.joints[first][second] or 0) + by
  end
  return given
end

--- The state at the end, with derivatives where names are given.
local function run(problem, given)
  local sim = assert(problem.subject:simulate(given))
  assert(sim:advance(problem.T))
  return sim:state(), sim
end

--- The channels of a problem at its end.
local function values(problem, given)
  local sim = assert(problem.subject:simulate(given))
  local recording = sim:record { every = problem.T, channels = problem.channels }
  assert(sim:advance(problem.T))
  local list = {}
  for i, label in ipairs(problem.channels) do
    list[i] = recording[label][2]
  end
  return list
end

local weights = { 45 / 60, -9 / 60, 1 / 60 }

local function differences(problem, name, h)
  local sums = {}
  for k, weight in ipairs(weights) do
    for _, sign in ipairs { 1, -1 } do
      local list = values(problem, shifted(problem, name, sign * k * h))
      for i, x in ipairs(list) do
        sums[i] = (sums[i] or 0) + sign * weight * x / h
      end
    end
  end
  return sums
end

--- Where runs beside it touch other things, differences tell nothing: steps are shortened.
local function agreed(problem, name)
  local size = math.abs(problem.values[name] or 1)
  local h = 2e-3 * size
  for _ = 1, 3 do
    local one, two, scale = differences(problem, name, h), differences(problem, name, h / 2), 0
    local off = {}
    for i in ipairs(one) do
      off[i] = math.abs(one[i] - two[i])
      scale = math.max(scale, off[i] / (1e-3 + math.abs(two[i])))
    end
    if scale < 1e-5 then
      return two, off, h
    end
    h = h / 10
  end
end

function class.case(draw)
  local problem = { values = {}, names = {}, T = draw:between(0.5, 1.5) }
  local parts, system = kinds[draw:pick(names)](draw, problem)
  problem.subject = system or sarrus.model(parts)
  local given = shifted(problem, problem.names[1], 0)
  given.sensitivity = problem.names
  local s = run(problem, given)
  local worst = 0
  for _, name in ipairs(problem.names) do
    local known, off, h = agreed(problem, name)
    for i, label in ipairs(known and problem.channels or {}) do
      local x = s:derivative(label, name)
      local rounding = 1e-11 * (1 + math.abs(known[i])) / h
      local allowed = 10 * off[i] + rounding + 1e-8 * math.abs(known[i])
      worst = math.max(worst, math.abs(x - known[i]) / allowed)
    end
  end
  return worst
end

return class
