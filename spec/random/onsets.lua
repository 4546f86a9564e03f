--- Closed loops at rest without gravity, with dry friction in several joints, under a torque that
--- grows: they begin to move where it is the sum of the bounds, each times what its coordinate
--- moves for the crank's.
local sarrus = require "sarrus"
local bearings = dofile("spec/random/tools/bearings.lua")

-- The error is relative to the time of the onset.
local class = { cases = 30, bound = 1e-9 }

local GROWS = 2 -- the torque, per second

--- The time of the onset: of the bounds, and of the rates of the mechanism without friction.
local function onset_of(p, bounds)
  local s, onset = assert(bearings.model(p):simulate { joints = { j1 = { rate = 1 } } }):state(), 0
  for i, j in ipairs(p.joints) do
    local reading = s:joint(j[2])
    onset = onset + bounds[i] * math.abs(reading.rate or reading.speed) / GROWS
  end
  return onset
end

function class.case(draw)
  local p, bounds = bearings.mechanism(draw, { "crank", "fourbar" }), {}
  local falls = draw:chance(0.4) -- as slip begins
  for i in ipairs(p.joints) do
    bounds[i] = (i == 1 or draw:chance(0.7)) and draw:between(0.1, 2) or 0
  end
  local onset = onset_of(p, bounds)
  for i, j in ipairs(p.joints) do
    j.friction = falls and bounds[i] > 0 and { static = bounds[i], sliding = 0.6 * bounds[i] }
      or bounds[i] > 0 and bounds[i] or nil
  end
  p.joints[1].effort = GROWS * sarrus.time
  local sim = assert(bearings.model(p):simulate { max_steps = 2000 })
  for _, part in ipairs { 0.3, 0.6, 0.9, 0.99, 1 - 1e-8, 1 + 1e-4 } do
    local result, message, code = sim:advance(onset * part)
    if not result then
      error(("%s at %.17g of %.17g: %s"):format(code, sim.time, onset, message))
    end
    if (math.abs(sim:state():joint("j1").rate) > 1e-12) ~= (part > 1) then
      return math.abs(part - 1), ("%g of the onset"):format(part)
    end
  end
  return 0
end

return class
