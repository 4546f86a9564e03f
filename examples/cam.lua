-- A cam drive by a custom constraint: a follower stays on the profile of a cam that turns freely.
local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

-- Height of the follower over the cam's angle: two lifts a turn, smooth.
local function profile(angle)
  return 0.3 + 0.05 * (1 - sarrus.cos(2 * angle)) + 0.01 * sarrus.sin(3 * angle)
end

local cam = sarrus.model {
  name = "cam", gravity = { 0, -9.81 },
  body.disk { "cam", position = { 0, 0 }, radius = 0.2, mass = 5, spin = 15 },
  body.box { "follower", position = { 0, profile(0) }, size = { 0.05, 0.2 }, mass = 0.5 },
  joint.revolute { "shaft", "ground", "cam", at = { 0, 0 } },
  joint.prismatic { "guide", "ground", "follower", at = { 0, profile(0) }, axis = { 0, 1 } },
  joint.custom { "contact", { "cam", "follower" }, equations = function(c, f)
    return { f:point().y - profile(c:angle()) }
  end },
  force.spring { "spring", "ground", "follower", from = { 0, 0.8 }, to = { 0, profile(0) },
    stiffness = 400, length = 0.6 },
}

local sim = assert(cam:simulate {})
print("freedoms", cam:freedoms())
print("   t    cam angle    rate      height     contact force   energy")
for t, s in sim:samples(1, 0.1) do
  local c = s:body("cam")
  print(("%5.2f  %9.5f  %9.5f  %9.6f  %12.5f  %13.9f"):format(t, c.angle, c.spin,
    s:body("follower").y, s:joint("contact").force.y, s:energy().total))
end

return cam -- for the command: sarrus run examples/cam.lua
