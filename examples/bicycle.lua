-- A bicycle that steers itself: which speeds keep it upright, hands off.  The benchmark of
-- Meijaard, Papadopoulos, Ruina and Schwab (2007), as four rigid bodies, of which two roll.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local rear, front = 0.3, 0.35 -- radii of the wheels
local tilt = math.pi / 10 -- of the steering axis, which meets the ground 0.08 m before the wheel

local function track(name, b, radius)
  return joint.rolling { name, "ground", b, radius = radius, normal = { 0, 0, 1 },
    axis = { 0, 1, 0 } }
end

local bicycle = sarrus.model {
  name = "bicycle", gravity = { 0, 0, -9.81 },
  body.rigid { "frame", position = { 0.3, 0, 0.9 }, mass = 85, -- with a rider who only sits there
    inertia = { { 9.2, 0, -2.4 }, { 0, 11, 0 }, { -2.4, 0, 2.8 } } },
  body.rigid { "fork", position = { 0.9, 0, 0.7 }, mass = 4,
    inertia = { { 0.05892, 0, 0.00756 }, { 0, 0.06, 0 }, { 0.00756, 0, 0.00708 } } },
  body.rigid { "rear_wheel", position = { 0, 0, rear }, mass = 2,
    inertia = { 0.0603, 0.12, 0.0603 } },
  body.rigid { "front_wheel", position = { 1.02, 0, front }, mass = 3,
    inertia = { 0.1405, 0.28, 0.1405 } },
  joint.revolute { "steer", "frame", "fork", at = { 1.1 - 0.8 * math.tan(tilt), 0, 0.8 },
    axis = { -math.sin(tilt), 0, math.cos(tilt) } },
  joint.revolute { "rear_hub", "frame", "rear_wheel", at = { 0, 0, rear }, axis = { 0, 1, 0 } },
  joint.revolute { "front_hub", "fork", "front_wheel", at = { 1.02, 0, front },
    axis = { 0, 1, 0 } },
  track("rear_track", "rear_wheel", rear),
  track("front_track", "front_wheel", front),
}

--- Straight ahead at a speed.
local function ahead(v)
  return { bodies = { frame = { velocity = { v, 0, 0 } } },
    joints = { rear_hub = { rate = v / rear }, front_hub = { rate = v / front } } }
end

--- How fast the fastest mode of a kind grows at a speed.
local function growth(v, oscillates)
  local most = -math.huge
  for _, mode in ipairs(assert(bicycle:modes { at = ahead(v) })) do
    if (mode.frequency > 0) == oscillates then
      most = math.max(most, mode.eigenvalue.re)
    end
  end
  return most
end

local function turning_point(oscillates, low, high)
  for _ = 1, 45 do
    local middle = (low + high) / 2
    if (growth(middle, oscillates) > 0) == oscillates then low = middle else high = middle end
  end
  return low
end
print("speed   eigenvalues of lean and steer, 1/s")
for v = 2, 8 do
  local texts = {}
  for i, mode in ipairs(assert(bicycle:modes { at = ahead(v) })) do
    local value = mode.eigenvalue
    texts[i] = ("%13.9f%s"):format(value.re, value.im > 0 and ("+-%.9fi"):format(value.im) or "")
  end
  print(("%d m/s  %s"):format(v, table.concat(texts, "  ")))
end
print(("it stops weaving at %.9f m/s"):format(turning_point(true, 2, 5)))
print(("and begins to fall to one side at %.9f m/s"):format(turning_point(false, 5, 8)))

local sim = assert(bicycle:simulate(ahead(5)))
assert(sim:impulse("frame", { 0, 20, 0 })) -- somebody pushes it
print("   t   steer angle     lean")
for t, s in sim:samples(4, 1) do
  local up = s:point("frame", { 0, 0, 1 }) - s:point("frame")
  print(("%4.1f  %12.8f  %9.6f"):format(t, s:joint("steer").angle, math.asin(up.y)))
end

return assert(bicycle:simulate(ahead(5))) -- for the command: sarrus linearise examples/bicycle.lua
