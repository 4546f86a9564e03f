-- A slider-crank turned at constant speed by a prescribed motion: piston and motor torque.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local speed = sarrus.parameter("speed", 2 * math.pi)

local engine = sarrus.model {
  name = "slider-crank", gravity = { 0, -9.81 },
  body.rod { "crank", from = { 0, 0 }, to = { 0.1, 0 }, mass = 0.5 },
  body.rod { "rod", from = { 0.1, 0 }, to = { 0.4, 0 }, mass = 0.8 },
  body.box { "piston", position = { 0.4, 0 }, size = { 0.08, 0.06 }, mass = 1 },
  joint.revolute { "main", "ground", "crank", at = { 0, 0 }, motion = speed * sarrus.time },
  joint.revolute { "big end", "crank", "rod", at = { 0.1, 0 } },
  joint.revolute { "small end", "rod", "piston", at = { 0.4, 0 } },
  joint.prismatic { "bore", "ground", "piston", at = { 0.4, 0 }, axis = { 1, 0 } },
}

local sim = assert(engine:simulate {})
print("   t    piston x      exact         motor torque  side force")
for t, s in sim:samples(1, 0.125) do
  local c, x = math.cos(2 * math.pi * t), 0.1 * math.sin(2 * math.pi * t)
  local exact = 0.1 * c + math.sqrt(0.09 - x * x)
  print(("%6.3f  %12.9f  %12.9f  %12.6f  %12.6f"):format(t, s:body("piston").x, exact,
    s:joint("main").torque, s:joint("bore").force.y))
end

return engine -- for the command: sarrus run examples/slider_crank.lua
