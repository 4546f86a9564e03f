-- A quarter car on a bump: the road moves the patch under the tyre, a motion constraint.
local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

-- 0.1 m high, 1 m long, passed at 5 m/s: smooth, from 0.2 s on
local road = sarrus.table {
  x = { 0, 0.2, 0.225, 0.25, 0.275, 0.3, 0.325, 0.35, 0.375, 0.4, 3 },
  y = { 0, 0, 0.0146, 0.05, 0.0854, 0.1, 0.0854, 0.05, 0.0146, 0, 0 },
}
local damping = sarrus.parameter("damping", 1500)

local car = sarrus.model {
  name = "quarter car", gravity = { 0, -9.81 },
  body.box { "patch", position = { 0, 0 }, size = { 0.2, 0.02 }, mass = 1 },
  body.disk { "wheel", position = { 0, 0.3 }, radius = 0.3, mass = 40 },
  body.box { "body", position = { 0, 0.9 }, size = { 1, 0.4 }, mass = 350 },
  joint.prismatic { "road", "ground", "patch", at = { 0, 0 }, axis = { 0, 1 },
    motion = road(sarrus.time) },
  joint.prismatic { "hub", "ground", "wheel", at = { 0, 0.3 }, axis = { 0, 1 } },
  joint.prismatic { "guide", "ground", "body", at = { 0, 0.9 }, axis = { 0, 1 } },
  force.spring { "tyre", "patch", "wheel", from = { 0, 0 }, to = { 0, 0.3 }, stiffness = 2e5,
    length = 0.3 + 390 * 9.81 / 2e5, damping = 50 },
  force.spring { "strut", "wheel", "body", from = { 0, 0.3 }, to = { 0, 0.7 }, stiffness = 2e4,
    length = 0.4 + 350 * 9.81 / 2e4, damping = damping },
}

--- Millimetres, without the sign of a zero.
local function mm(x)
  return ("%7.1f"):format(math.abs(x) < 5e-5 and 0 or 1000 * x)
end

for _, value in ipairs { 1500, 500 } do
  local sim = assert(car:simulate { parameters = { damping = value } })
  print("damping", value)
  print("   t     road    wheel     body (mm)   force of the road (N)")
  for t, s in sim:samples(1.2, 0.1) do
    print(("%5.2f  %s  %s  %s  %10.2f"):format(t, mm(s:joint("road").length),
      mm(s:joint("hub").length), mm(s:joint("guide").length), s:joint("road").force.y))
  end
end

return car -- for the command: sarrus run examples/suspension.lua
