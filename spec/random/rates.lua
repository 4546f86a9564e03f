--- Jacobians and mass matrices of random trees and loops: velocities by rates of joints are those
--- of the state, kinetic energy is that of the rates, and efforts grow with accelerations by the
--- mass.

local robots = dofile("spec/random/tools/robots.lua")
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local class = { cases = 40, bound = 1e-10 }

local function tree(draw)
  local links = robots.draw(draw, draw:whole(2, 6), { "revolute", "prismatic" })
  local parts = robots.with_file(robots.urdf(links), ".urdf", function(path)
    return assert(sarrus.import(path, { fuse = false }))
  end)
  local joints, accelerations = {}, {}
  for _, link in ipairs(links) do
    local one = link.joint
    joints[one.name] = one.kind == "prismatic" and { length = one.q, speed = one.rate }
      or one.kind ~= "fixed" and { angle = one.q, rate = one.rate } or nil
    accelerations[one.name] = one.kind ~= "fixed" and one.acceleration or nil
  end
  return sarrus.model { gravity = { 0, 0, -9.81 }, parts }, joints, accelerations
end

local function four_bar(draw)
  local B, C = { draw:between(-0.2, 0.2), 1 }, { draw:between(1.8, 2.2), draw:between(1.5, 2.2) }
  return sarrus.model { gravity = { 0, -9.81 },
    body.rod { "crank", from = { 0, 0 }, to = B, mass = draw:between(0.5, 2) },
    body.rod { "coupler", from = B, to = C, mass = draw:between(0.5, 2) },
    body.rod { "rocker", from = { 3, 0 }, to = C, mass = draw:between(0.5, 2) },
    joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
    joint.revolute { "B", "crank", "coupler", at = B },
    joint.revolute { "C", "coupler", "rocker", at = C },
    joint.revolute { "D", "rocker", "ground", at = { 3, 0 } },
  }, { A = { rate = draw:between(1, 3) } }, { A = draw:between(1, 3) }
end

local function rate_of(s, name)
  local reading = s:joint(name)
  return reading.rate or reading.speed
end

--- |x - y| over the sizes of both.
local function apart(x, y, size)
  return math.abs(x - y) / math.max(size, 1)
end

function class.case(draw)
  local model, joints, accelerations = (draw:chance(0.3) and four_bar or tree)(draw)
  local s = assert(model:simulate { joints = joints }):state()
  local name = draw:pick(model.names.body)
  local place = draw:list(model.dimension, -0.5, 0.5)
  local rows, names = assert(s:jacobian(name, place))
  local mass = assert(s:mass_matrix(names))
  local velocity, spin = s:velocity(name, place), s:body(name).spin
  local off, energy = 0, 0
  for i, row in ipairs(rows) do
    local sum, size = 0, 0
    for j, x in ipairs(row) do
      sum, size = sum + x * rate_of(s, names[j]), size + math.abs(x * rate_of(s, names[j]))
    end
    local exact = i <= model.dimension and velocity[i]
      or type(spin) == "table" and spin[i - model.dimension] or spin
    off = math.max(off, apart(sum, exact, size))
  end
  local wanted, still = assert(s:efforts(accelerations)), {}
  for key in pairs(accelerations) do
    still[key] = 0
  end
  still = assert(s:efforts(still))
  for i, one in ipairs(names) do
    local sum, size = 0, 0
    for j, other in ipairs(names) do
      energy = energy + mass[i][j] * rate_of(s, one) * rate_of(s, other) / 2
      local part = mass[i][j] * (accelerations[other] or 0)
      sum, size = sum + part, size + math.abs(part)
    end
    off = math.max(off, apart(wanted[one] - still[one], sum,
      math.max(size, math.abs(wanted[one]), math.abs(still[one]))))
  end
  return math.max(off, apart(energy, s:energy().kinetic, s:energy().kinetic))
end

return class
