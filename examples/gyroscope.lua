-- A fast top on a tip: it precesses and nods; energy and angular momentum about the vertical stay.
local sarrus = require "sarrus"
local body, joint, vec = sarrus.body, sarrus.joint, sarrus.vec

local tilt = 0.5
local axis = { math.sin(tilt), 0, math.cos(tilt) }
local spin = 150

local top = sarrus.model {
  name = "top", gravity = { 0, 0, -9.81 },
  body.disk {
    "top", position = { 0.1 * axis[1], 0, 0.1 * axis[3] }, radius = 0.05, length = 0.01,
    mass = 0.5, spin = { spin * axis[1], 0, spin * axis[3] },
    orientation = { axis = { 0, 1, 0 }, angle = tilt },
  },
  joint.spherical { "tip", "ground", "top", at = { 0, 0, 0 } },
}

local sim = assert(top:simulate {})
print("   t      azimuth     tilt      force on the tip   energy")
for t, s in sim:samples(2, 0.2) do
  local p = s:body("top").position
  print(("%5.2f  %10.6f  %10.6f  %14.8f  %12.9f"):format(t, sarrus.atan(p.y, p.x),
    math.acos(p.z / vec.norm(p)), s:joint("tip").force.z, s:energy().total))
end

return top -- for the command: sarrus run examples/gyroscope.lua
