-- A gripper: two fingers close on a box, lift it, and hold it by friction alone.  Then their grip
-- weakens, slowly; the box slips out and falls.
local sarrus = require "sarrus"
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

local g, mass, mu = 9.81, 2, 0.5
local lift = sarrus.table { x = { 0, 1, 2.5, 9 }, y = { 0, 0, 0.5, 0.5 } }
local grip = 30 - 4 * sarrus.max(sarrus.time - 3, 0) -- N, of each finger

local gripper = sarrus.model {
  name = "gripper", gravity = { 0, -g },
  body.box { "box", position = { 0, 0.1 }, size = { 0.3, 0.2 }, mass = mass, color = "tan" },
  body.box { "hand", position = { 0, 0.45 }, size = { 0.7, 0.06 }, mass = 1 },
  body.box { "left", position = { -0.25, 0.25 }, size = { 0.04, 0.34 }, mass = 0.3 },
  body.box { "right", position = { 0.25, 0.25 }, size = { 0.04, 0.34 }, mass = 0.3 },
  joint.prismatic { "arm", "ground", "hand", at = { 0, 0.45 }, axis = { 0, 1 },
    motion = lift(sarrus.time) },
  joint.prismatic { "rail1", "hand", "left", at = { -0.25, 0.42 }, axis = { 1, 0 },
    force = grip, damping = 20, limits = { 0, 0.2 } },
  joint.prismatic { "rail2", "hand", "right", at = { 0.25, 0.42 }, axis = { -1, 0 },
    force = grip, damping = 20, limits = { 0, 0.2 } },
  shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
  contact.pair { "fingers", { "left", "right" }, "box", friction = mu },
  contact.pair { "sole", "floor", "box", friction = 0.5 },
}

local function tell(word)
  return function(_, s)
    print(("t = %.6f s  the box %s"):format(s.t, word))
  end
end
local sim = assert(gripper:simulate { events = {
  sarrus.event { "held", contact = "fingers", on = "touch", action = tell "is gripped" },
  sarrus.event { "slips", contact = "fingers", on = "slip", action = tell "slips" },
  sarrus.event { "fallen", contact = "sole", on = "touch", action = tell "is on the floor" },
} })

print("   t     height    fingers press   rub         mode")
for t, s in sim:samples(7, 0.5) do
  local fingers = s:contact("fingers")
  print(("%5.2f  %9.6f  %10.4f  %10.4f N  %s"):format(t, s:body("box").y,
    fingers.normal_force, fingers.friction_force, fingers.mode))
end
print(("\nthey hold its weight until t = %.6f s, where 2 mu grip = m g"):format(
  3 + (30 - mass * g / (2 * mu)) / 4))

return gripper -- for the command: sarrus run examples/gripper.lua
