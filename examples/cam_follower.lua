-- A cam that turns ever faster: a round disk, fixed beside its middle, under a flat follower.  From
-- some speed on the follower no longer falls as fast as the cam; it lifts off, and hammers.
local sarrus = require "sarrus"
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

local g, radius, off, growth = 9.81, 0.15, 0.05, 6 -- the cam's rate is growth * t

local machine = sarrus.model {
  name = "cam and follower", gravity = { 0, -g },
  body.rigid { "cam", position = { 0, 0 }, mass = 3, inertia = 0.03 },
  shape.disk { "lobe", "cam", at = { off, 0 }, radius = radius, color = "teal" },
  body.box { "follower", position = { 0, radius + 0.02 }, size = { 0.3, 0.04 }, mass = 0.5 },
  shape.box { "stem", "follower", at = { 0, radius + 0.19 }, size = { 0.05, 0.3 } },
  joint.revolute { "shaft", "ground", "cam", at = { 0, 0 }, motion = growth * sarrus.time ^ 2 / 2 },
  joint.prismatic { "guide", "ground", "follower", at = { 0, radius + 0.45 }, axis = { 0, 1 } },
  contact.pair { "lift", "lobe", "follower", restitution = 0.3 },
}

local left, struck, hardest = {}, 0, 0
local sim = assert(machine:simulate { events = {
  sarrus.event { "leave", contact = "lift", on = "leave", action = function(_, s)
    left[#left + 1] = s
  end },
  sarrus.event { "strike", contact = "lift", on = "touch", action = function(_, s)
    struck, hardest = struck + 1, math.max(hardest, s:contact("lift").impulse)
  end },
} })

print("   t    rate of the cam    lift      force of the cam   mode")
for t, s in sim:samples(5, 0.5) do
  local lift = s:contact("lift")
  print(("%5.2f  %12.4f  %13.6f  %13.4f       %s"):format(t, s:joint("shaft").rate,
    s:joint("guide").length, lift.normal_force, lift.mode))
end

-- The lift is off * sin(a), a = growth t^2 / 2, as long as its acceleration is above -g.
local t = left[1].t
local a, rate = growth * t ^ 2 / 2, growth * t
print(("\nit lifts off at t = %.9f s, %.1f turns a minute"):format(t, rate * 30 / math.pi))
print(("where the cam falls away with %.9f m/s^2"):format(
  off * (rate ^ 2 * math.sin(a) - growth * math.cos(a))))
print(("until 5 s it lifts off %d times and strikes %d times, with up to %.3f N s"):format(#left,
  struck, hardest))

return machine -- for the command: sarrus run examples/cam_follower.lua
