-- A heavy door in a crooked frame, whose hinge sticks: left open, it swings to, and stays ajar.
-- Then a draught grows, until it tears the door open, against the wall.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local g, mass, width, tilt = 9.81, 25, 0.9, math.rad(2.5)
local static, sliding, opened = 3.2, 2.9, 1.2 -- N m, and rad
local axis = { math.sin(tilt), 0, math.cos(tilt) }
local draught = 2 * sarrus.max(sarrus.time - 5, 0) -- N m, from 5 s on

local door = sarrus.model {
  name = "door", gravity = { 0, 0, -g },
  body.box { "door", position = { width / 2, 0, 1 }, size = { width, 0.04, 2 }, mass = mass },
  joint.revolute { "hinge", "ground", "door", at = { 0, 0, 1 }, axis = axis, torque = draught,
    friction = { static = static, sliding = sliding }, limits = { 0, 2.2, restitution = 0.3 } },
}

local start = { joints = { hinge = { angle = opened } } }
local sim = assert(door:simulate(start))
print("   t      angle       rate     sticks")
local ajar
for t, s in sim:samples(12, 1) do
  local hinge = s:joint("hinge")
  ajar = ajar or hinge.sticks and hinge.angle
  print(("%5.2f  %9.6f  %9.6f  %s"):format(t, hinge.angle, hinge.rate, tostring(hinge.sticks)))
end

-- Its weight turns it by weight * sin(angle): what that gives on the way friction takes.
local weight = mass * g * width / 2 * math.sin(tilt) * math.cos(tilt)
print(("\nit stays ajar by %.3f degrees"):format(math.deg(ajar)))
print(("its weight gave %.9f J, friction took %.9f J"):format(
  weight * (math.cos(ajar) - math.cos(opened)), sliding * (opened - ajar)))
print(("the draught moves it from t = %.6f s on"):format(
  5 + (static + weight * math.sin(ajar)) / 2))

return door:simulate(start) -- for the command: sarrus run examples/door.lua
