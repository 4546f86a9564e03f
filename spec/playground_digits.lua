-- Digits of a few mechanisms after 1 s, to compare those of a browser with others.
local sarrus = require "sarrus"
local body, joint, shape, contact = sarrus.body, sarrus.joint, sarrus.shape, sarrus.contact

local function put(name, model, start, ...)
  local sim = assert(model:simulate(start))
  assert(sim:advance(1))
  for i, x in ipairs(sim:reader { ... }:read()) do
    print(("%s %d %.17g"):format(name, i, x))
  end
  return model
end

put("rods", sarrus.model {
  gravity = { 0, -9.81 },
  body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
  body.rod { "b", from = { 1, 0 }, to = { 2, 0 }, mass = 1 },
  joint.revolute { "A", "ground", "a", at = { 0, 0 } },
  joint.revolute { "B", "a", "b", at = { 1, 0 } },
}, {}, "A.angle", "B.rate", "A.force.x", "energy.total")

put("ball", sarrus.model {
  gravity = { 0, -9.81 },
  body.disk { "d", position = { 0, 1 }, radius = 0.1, mass = 1, velocity = { 1, 0 }, spin = 3 },
  shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0.1, 1 } },
  contact.pair { "c", "floor", "d", friction = 0.3, restitution = 0.6 },
}, {}, "d.x", "d.y", "d.angle")

return put("top", sarrus.model {
  gravity = { 0, 0, -9.81 },
  body.cylinder { "top", position = { 0.1, 0, 0.5 }, radius = 0.2, length = 0.05, mass = 1,
    axis = { 0.2, 0, 1 }, spin = { 8, 0, 40 } },
  joint.spherical { "tip", "ground", "top", at = { 0, 0, 0 } },
}, {}, "top.position.x", "top.position.z", "tip.force.y")
