-- A ball that keeps nine tenths of its speed at every bounce.  Bounces follow each other ever
-- faster, infinitely many of them in finite time; then it rolls on.
local sarrus = require "sarrus"
local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape

local g, e, height, radius = 9.81, 0.9, 1, 0.1

local ball = sarrus.model {
  name = "ball", gravity = { 0, -g },
  body.disk { "ball", position = { 0, height + radius }, radius = radius, mass = 1,
    velocity = { 0.4, 0 } },
  shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
  contact.pair { "bounce", "floor", "ball", friction = 0.3, restitution = e },
}

local bounces = {}
local touch = sarrus.event { "touch", contact = "bounce", on = "touch", action = function(_, s)
  bounces[#bounces + 1] = s.t
end }
local sim = assert(ball:simulate { events = { touch }, tolerance = 1e-14 })
assert(sim:advance(8.5))
local count, before = #bounces, sim:state()
assert(sim:advance(20))
local after = sim:state()

-- The n-th bounce: t1 (1 + 2 e + 2 e^2 + ... + 2 e^(n-1)), t1 = sqrt(2 h / g).
local function exact(n)
  return math.sqrt(2 * height / g) * (1 + 2 * e * (1 - e ^ (n - 1)) / (1 - e))
end

print("bounce   time         error below")
for _, n in ipairs { 1, 2, 5, 10, 20, 40 } do
  local worst = math.abs(bounces[n] - exact(n))
  print(("%6d %12.9f   %s"):format(n, bounces[n], worst < 1e-12 and "1e-12" or tostring(worst)))
end
print(("\nat 8.5 s: %d bounces, height %.6e m, velocity %.9f m/s"):format(count,
  before:contact("bounce").gap, before:body("ball").velocity.y))
print(("the last one at %.9f s, of infinitely many until %.9f s"):format(bounces[#bounces],
  exact(math.huge)))
print(("at 20 s: %s, within 1e-15 m of the floor: %s"):format(after:contact("bounce").mode,
  tostring(math.abs(after:contact("bounce").gap) < 1e-15)))
print(("it rolls: %.6f m/s, %.6f of them by its spin"):format(after:body("ball").velocity.x,
  -radius * after:body("ball").spin))

return ball -- for the command: sarrus run examples/bouncing_ball.lua
