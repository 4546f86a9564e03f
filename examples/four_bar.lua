-- A four-bar linkage: closed loop, one freedom; motion, reactions and energy.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local fourbar = sarrus.model {
  name = "four-bar", gravity = { 0, -9.81 },
  body.rod { "crank", from = { 0, 0 }, to = { 0, 1 }, mass = 1 },
  body.rod { "coupler", from = { 0, 1 }, to = { 2, 2 }, mass = 1 },
  body.rod { "rocker", from = { 3, 0 }, to = { 2, 2 }, mass = 1 },
  joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
  joint.revolute { "B", "crank", "coupler", at = { 0, 1 } },
  joint.revolute { "C", "coupler", "rocker", at = { 2, 2 } },
  joint.revolute { "D", "rocker", "ground", at = { 3, 0 } },
}

local sim = assert(fourbar:simulate { tolerance = 1e-12 })
print("freedoms", fourbar:freedoms())
print("   t     crank angle   force at C (x, y)       energy")
for t, s in sim:samples(2, 0.2) do
  local c = s:joint("C")
  print(("%5.2f  %11.6f  %11.6f %11.6f  %11.8f"):format(t, s:body("crank").angle, c.force.x,
    c.force.y, s:energy().total))
end

return fourbar -- for the command: sarrus run examples/four_bar.lua
