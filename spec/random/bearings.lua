--- Dry friction in joints of mechanisms, for 2 s: friction keeps its bound, is its bound against
--- the rate where it slips, and takes energy; where a joint sticks its rate is 0; the energy
--- changes by the work of the drive and of friction, and never rises without a drive.
local sarrus = require "sarrus"
local go = dofile("spec/random/tools/advance.lua").or_contact
local bearings = dofile("spec/random/tools/bearings.lua")

-- The error is in units of what is allowed.
local class = { cases = 20, bound = 1 }

local T, SAMPLES = 2, 1000

--- The bound that friction has now.
local function bound_of(j, given, reading)
  if type(given) ~= "table" then
    return given
  end
  local force = j[1] == "prismatic" and math.abs(reading.force.y) or sarrus.vec.norm(reading.force)
  return given.coefficient * (given.radius or 1) * force
end

--- Friction and drive of a joint, and its rate.
local function efforts(j, reading, t)
  local slides = j[1] == "prismatic"
  local rate = slides and reading.speed or reading.rate
  local all = slides and reading.force.x or reading.torque
  local drive = bearings.drive(j, t, math.sin)
  return all - drive + j.stiffness * ((reading.length or reading.angle) - j.rest), drive, rate
end

--- How far a joint's friction is from what it may be; `size` is of forces.
local function friction_off(j, reading, friction, rate, size)
  local given = j.friction
  local two = type(given) == "table" and given.static ~= nil
  local sliding = bound_of(j, two and given.sliding or given, reading)
  local static = two and bound_of(j, given.static, reading) or sliding
  local beyond = (math.abs(friction) - static) / (1e-8 * size)
  if reading.sticks then
    return math.max(beyond, math.abs(rate) / 1e-12)
  elseif math.abs(rate) < 1e-9 then
    return beyond
  end
  return math.abs(friction + (rate > 0 and sliding or -sliding)) / (1e-8 * size)
end

--- The largest error of all joints in a state, and the power of drives and friction.
local function look(p, s, size)
  local worst, power = 0, 0
  for _, j in ipairs(p.joints) do
    local reading = s:joint(j[2])
    local friction, drive, rate = efforts(j, reading, s.t)
    power = power + drive * rate
    if j.friction then
      local force = math.max(size, sarrus.vec.norm(reading.force))
      worst = math.max(worst, friction_off(j, reading, friction, rate, force),
        friction * rate / (1e-8 * size))
      power = power + friction * rate
    end
  end
  return worst, power
end

function class.case(draw)
  local p = bearings.mechanism(draw, { "pendulum", "double", "crank", "fourbar" })
  bearings.load(draw, p)
  local sim = assert(bearings.model(p):simulate {
    joints = { j1 = { rate = p.rate } }, max_steps = 20000 })
  local worst, size, work = 0, 1, 0
  local first, last, before
  for k = 0, SAMPLES do
    local early = go(sim, T * k / SAMPLES)
    if early then
      return worst, early
    end
    local s = sim:state()
    local energy = s:energy()
    size = math.max(size, energy.kinetic, math.abs(energy.total))
    local off, power = look(p, s, size)
    work = work + ((before or power) + power) / 2 * (k > 0 and T / SAMPLES or 0)
    first, last = first or energy.total, p.driven and math.huge or last or math.huge
    worst = math.max(worst, off, (energy.total - last) / (1e-9 * size),
      math.abs(energy.total - first - work) / (4e-3 * size))
    last, before = energy.total, power
  end
  return worst
end

return class
