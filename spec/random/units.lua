--- Mechanisms in other units than metres, seconds and kilograms: as many steps, and as many digits.
--- Where rounding decides how a step ends, as next to a dead centre, both vary from run to run in
--- SI units too; then they are compared with many.
local motion = dofile("spec/random/tools/motion.lua")
local units = dofile("spec/random/tools/units.lua")

local class = { cases = 60, bound = 1 }

--- Steps may differ by a tenth, or one; errors by a factor of ten, and by what rounding makes of
--- them.
local STEPS, FACTOR, ROUNDING = 0.1, 10, 1e-11

--- The tolerance of what counts as exact.
local EXACT = 1e-14

--- SI units, and some next to them: the error of a single run may be small by chance.
local SI = { units.of(1, 1, 1), units.of(1.3, 0.8, 0.7), units.of(0.7, 1.2, 1.4) }

--- How many more are drawn for a mechanism that seems to differ.
local MORE = 60

--- The largest error and the numbers of steps that a mechanism takes in units like those of SI.
function class.reference(mechanism, tolerance, near)
  local reference = { exact = units.run(mechanism, SI[1], EXACT), error = 0,
    fewest = math.huge, most = 0 }
  for _, u in ipairs(near or SI) do
    local found, steps = units.run(mechanism, u, tolerance)
    reference.error = math.max(reference.error, motion.error(found, reference.exact))
    reference.fewest = math.min(reference.fewest, steps)
    reference.most = math.max(reference.most, steps)
  end
  return reference
end

--- By how much steps and digits differ from the reference, 1 being allowed.
function class.compare(mechanism, reference, u, tolerance)
  local found, steps = units.run(mechanism, u, tolerance)
  local beyond = math.max(steps - reference.most, reference.fewest - steps)
  return math.max(beyond / math.max(1, STEPS * reference.fewest),
    motion.error(found, reference.exact) / (FACTOR * reference.error + ROUNDING))
end

function class.case(draw)
  local mechanism = units[draw:pick(units.names)](draw)
  local u = units.of(10 ^ draw:between(-6, 11), 10 ^ draw:between(-6, 7),
    10 ^ draw:between(-18, 24))
  local tolerance = draw:pick { 1e-6, 1e-9, 1e-12 }
  local beyond = class.compare(mechanism, class.reference(mechanism, tolerance), u, tolerance)
  if beyond <= class.bound then
    return beyond
  end
  local near = {}
  for i = 1, MORE do
    near[i] = units.of(draw:between(0.5, 2), draw:between(0.5, 2), draw:between(0.5, 2))
  end
  return class.compare(mechanism, class.reference(mechanism, tolerance, near), u, tolerance)
end

return class
