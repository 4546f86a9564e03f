--- Mechanisms that can be built in any units: each one draws its numbers, and answers
---   { build = function(u) return model, start end, time = of the run,
---     bodies = names, joints = names }
--- where u holds how many of the other units a metre, a second and a kilogram are, and what follows
--- from them.
local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

local units = {}

--- What follows from a length, a time and a mass.
function units.of(length, time, mass)
  return {
    length = length, time = time, mass = mass, acceleration = length / time ^ 2,
    force = mass * length / time ^ 2, torque = mass * length ^ 2 / time ^ 2,
    stiffness = mass / time ^ 2, damping = mass / time, drag = mass / length,
    turn_damping = mass * length ^ 2 / time,
  }
end

local function place(u, p)
  local list = {}
  for i, x in ipairs(p) do
    list[i] = u.length * x
  end
  return list
end

local function gravity(u, dimension)
  return dimension == 2 and { 0, -9.81 * u.acceleration } or { 0, -9.81 * u.acceleration, 0 }
end

local function lift(p, dimension)
  return dimension == 2 and p or { p[1], p[2], 0 }
end

--- Crank, coupler and rocker, in the plane, or in space, where three of its rows are redundant.
local function four_bar(draw, dimension)
  local a, b = { 0, 0 }, { draw:between(-0.2, 0.2), draw:between(0.8, 1.2) }
  local c, d = { draw:between(1.8, 2.2), draw:between(1.8, 2.2) }, { draw:between(2.8, 3.2), 0 }
  local masses, axis = draw:list(3, 0.5, 2), dimension == 3 and { 0, 0, 1 } or nil
  local function at(u, p) return place(u, lift(p, dimension)) end
  local function build(u)
    return sarrus.model { gravity = gravity(u, dimension),
      body.rod { "crank", from = at(u, a), to = at(u, b), mass = masses[1] * u.mass },
      body.rod { "coupler", from = at(u, b), to = at(u, c), mass = masses[2] * u.mass },
      body.rod { "rocker", from = at(u, d), to = at(u, c), mass = masses[3] * u.mass },
      joint.revolute { "A", "ground", "crank", at = at(u, a), axis = axis },
      joint.revolute { "B", "crank", "coupler", at = at(u, b), axis = axis },
      joint.revolute { "C", "coupler", "rocker", at = at(u, c), axis = axis },
      joint.revolute { "D", "rocker", "ground", at = at(u, d), axis = axis } }, {}
  end
  return { build = build, time = 3, bodies = { "crank", "coupler", "rocker" },
    joints = { "A", "B", "C", "D" } }
end

function units.planar_four_bar(draw)
  return four_bar(draw, 2)
end

function units.spatial_four_bar(draw)
  return four_bar(draw, 3)
end

--- Hinges, a universal and a ball joint in space, with springs, dampers and torques.
function units.rssr(draw)
  local b, c = { 0.4, 0, draw:between(0.2, 0.4) }, { 1, draw:between(0.4, 0.6), 1 }
  local masses, stiffness = draw:list(3, 1, 2), draw:between(20, 40)
  local turn, rate = draw:between(3, 6), draw:between(0.5, 1)
  local function build(u)
    return sarrus.model { gravity = { 0, 0, -9.81 * u.acceleration },
      body.rod { "a", from = { 0, 0, 0 }, to = place(u, b), mass = masses[1] * u.mass },
      body.rod { "b", from = place(u, b), to = place(u, c), mass = masses[2] * u.mass },
      body.rod { "c", from = place(u, c), to = place(u, { 1, 0.2, 0 }), mass = masses[3] * u.mass },
      joint.revolute { "A", "ground", "a", at = { 0, 0, 0 }, axis = { 0, 1, 0 },
        torque = function(_, w) return -0.3 * u.turn_damping * w end },
      joint.universal { "B", "a", "b", at = place(u, b), axes = { { 0, 1, 0 }, { 1, 0, 0 } } },
      joint.spherical { "C", "b", "c", at = place(u, c) },
      joint.revolute { "D", "c", "ground", at = place(u, { 1, 0.2, 0 }), axis = { 1, 0, 0 },
        stiffness = turn * u.torque, damping = 0.1 * u.turn_damping },
      force.spring { "S", "a", "c", from = place(u, { 0.2, 0, b[3] / 2 }),
        to = place(u, { 1, 0.4, 0.6 }), stiffness = stiffness * u.stiffness,
        damping = 0.5 * u.damping } }, { joints = { A = { rate = rate / u.time } } }
  end
  return { build = build, time = 3, bodies = { "a", "b", "c" }, joints = { "A", "B", "C", "D" } }
end

--- Crank, rod and piston, driven by a torque that swings, against a spring.
function units.slider_crank(draw)
  local knee, top = { 0.3, draw:between(0.35, 0.45) }, { draw:between(1.3, 1.6), 0 }
  local masses, drive = draw:list(3, 0.5, 1.5), draw:between(1, 3)
  local function build(u)
    return sarrus.model { gravity = gravity(u, 2),
      body.rod { "crank", from = { 0, 0 }, to = place(u, knee), mass = masses[1] * u.mass },
      body.rod { "rod", from = place(u, knee), to = place(u, top), mass = masses[2] * u.mass },
      body.box { "piston", position = place(u, top), size = place(u, { 0.2, 0.2 }),
        mass = masses[3] * u.mass },
      joint.revolute { "A", "ground", "crank", at = { 0, 0 },
        torque = function(_, _, t) return drive * u.torque * sarrus.sin(3 / u.time * t) end },
      joint.revolute { "B", "crank", "rod", at = place(u, knee) },
      joint.revolute { "C", "rod", "piston", at = place(u, top) },
      joint.prismatic { "P", "ground", "piston", at = place(u, top), axis = { 1, 0 },
        stiffness = 20 * u.stiffness, damping = 0.2 * u.damping, rest = 0.1 * u.length } }, {}
  end
  return { build = build, time = 3, bodies = { "crank", "rod", "piston" },
    joints = { "A", "B", "C" } }
end

--- A double pendulum in a fluid.
function units.drag(draw)
  local masses, linear = draw:list(2, 0.5, 2), draw:between(0.1, 0.5)
  local quadratic, tip = draw:between(0.1, 0.5), { 2, draw:between(0.1, 0.5) }
  local function build(u)
    return sarrus.model { gravity = gravity(u, 2),
      body.rod { "a", from = { 0, 0 }, to = place(u, { 1, 0 }), mass = masses[1] * u.mass },
      body.rod { "b", from = place(u, { 1, 0 }), to = place(u, tip), mass = masses[2] * u.mass },
      joint.revolute { "A", "ground", "a", at = { 0, 0 } },
      joint.revolute { "B", "a", "b", at = place(u, { 1, 0 }) },
      force.drag { "fluid", "b", linear = linear * u.damping, quadratic = quadratic * u.drag } }, {}
  end
  return { build = build, time = 3, bodies = { "a", "b" }, joints = { "A", "B" } }
end

--- A pendulum that falls on its stop, and rebounds.
function units.limits(draw)
  local mass, restitution = draw:between(0.5, 2), draw:between(0.4, 0.6)
  local low = draw:between(-1.3, -1)
  local function build(u)
    return sarrus.model { gravity = gravity(u, 2),
      body.rod { "a", from = { 0, 0 }, to = place(u, { 1, 0 }), mass = mass * u.mass },
      joint.revolute { "A", "ground", "a", at = { 0, 0 },
        limits = { low, 1.5, restitution = restitution } } }, {}
  end
  return { build = build, time = 2, bodies = { "a" }, joints = { "A" } }
end

--- The names of all mechanisms, in order.
units.names = { "planar_four_bar", "spatial_four_bar", "rssr", "slider_crank", "drag", "limits" }

--- Append what bodies and joints do at a state, without units.
local function read(list, s, u, mechanism)
  local function add(x, unit)
    for _, value in ipairs(type(x) == "number" and { x } or { x[1], x[2], x[3] }) do
      list[#list + 1] = value / unit
    end
  end
  for _, name in ipairs(mechanism.bodies) do
    local b = s:body(name)
    add(b.position, u.length)
    add(b.velocity, u.length / u.time)
    add(b.spin, 1 / u.time)
  end
  for _, name in ipairs(mechanism.joints) do
    add(s:joint(name).force, u.force)
  end
end

--- Run in units: places, velocities, spins and reactions at ten times, as numbers without units;
--- and how many steps it took.
function units.run(mechanism, u, tolerance)
  local model, start = mechanism.build(u)
  start.tolerance, start.max_steps = tolerance, 2000
  local sim, list = assert(model:simulate(start)), {}
  for i = 1, 10 do
    assert(sim:advance(i / 10 * mechanism.time * u.time))
    read(list, sim:state(), u, mechanism)
  end
  return list, sim:stats().steps
end

return units
