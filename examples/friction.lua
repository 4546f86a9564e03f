-- A block on a rough table, held by a spring: it swings, slower each time, and sticks where the
-- spring is too weak to move it again.
local sarrus = require "sarrus"
local body, contact, force, shape = sarrus.body, sarrus.contact, sarrus.force, sarrus.shape

local g, mu, stiffness, x0 = 10, 0.05, 4, 1.2 -- unit mass, so omega = 2; a half swing takes pi / 2

local block = sarrus.model {
  name = "block", gravity = { 0, -g },
  body.box { "block", position = { x0, 0.1 }, size = { 0.4, 0.2 }, mass = 1 },
  force.spring { "spring", "ground", "block", from = { -2, 0.1 }, to = { x0, 0.1 },
    stiffness = stiffness, length = 2 },
  shape.line { "table", "ground", at = { 0, 0 }, normal = { 0, 1 } },
  contact.pair { "sole", "table", "block", friction = mu },
}

local stops = {}
local stop = sarrus.event { "stop",
  when = function(s) return s:body("block").velocity.x end,
  action = function(_, s) stops[#stops + 1] = s end,
}
local sim = assert(block:simulate { events = { stop }, tolerance = 1e-14 })
assert(sim:advance(10))

-- Every half swing is a cosine about where spring and friction balance: |x| falls by 2 mu g / k.
print("stop      time            x   error below")
for i, s in ipairs(stops) do
  local x = s:body("block").x
  local exact = (-1) ^ i * (x0 - 2 * i * mu * g / stiffness)
  local worst = math.max(math.abs(x - exact), math.abs(s.t - i * math.pi / 2))
  print(("%4d %9.6f %12.8f   %s"):format(i, s.t, x, worst < 1e-12 and "1e-12" or tostring(worst)))
end
local sole, x = sim:state():contact("sole"), sim:state():body("block").x
print(("\nit sticks at x = %.6f, still there at t = 10: %s"):format(stops[#stops]:body("block").x,
  tostring(math.abs(x - stops[#stops]:body("block").x) < 1e-14)))
print(("%s: the spring pulls with %.6f N, friction could hold %.6f N"):format(sole.mode,
  sole.friction_force, mu * sole.normal_force))

return block -- for the command: sarrus run examples/friction.lua
