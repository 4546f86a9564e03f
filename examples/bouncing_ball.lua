-- A ball that loses a tenth of its speed at every bounce: events with impulses.  Bounces follow
-- each other ever faster, without end in finite time: below a threshold the ball is put to rest.
local sarrus = require "sarrus"

local g, e, height, at_rest = 9.81, 0.9, 1, 1e-3

local ball = sarrus.system {
  name = "ball",
  coordinates = { "z" },
  mass = function() return { { 1 } } end,
  force = function() return { -sarrus.parameter("gravity", g) } end,
}

local bounces = {}
local floor = sarrus.event { "floor", direction = "down",
  when = function(s) return s.q.z end,
  action = function(sim, s)
    bounces[#bounces + 1] = s.t
    if -s.v.z > at_rest then
      assert(sim:impulse { z = -(1 + e) * s.v.z })
    else
      assert(sim:impulse { z = -s.v.z })
      assert(sim:set("gravity", 0)) -- the floor carries it
    end
  end,
}

local start = { q = { height }, events = { floor }, tolerance = 1e-14 }
local sim = assert(ball:simulate(start))
assert(sim:advance(20))

-- The n-th bounce: t1 (1 + 2 e + 2 e^2 + ... + 2 e^(n-1)), t1 = sqrt(2 h / g).
local function exact(n)
  return math.sqrt(2 * height / g) * (1 + 2 * e * (1 - e ^ (n - 1)) / (1 - e))
end

print("bounce   time         error below")
for _, n in ipairs { 1, 2, 5, 10, 20, 50 } do
  local worst = math.abs(bounces[n] - exact(n))
  print(("%6d %12.9f   %s"):format(n, bounces[n], worst < 1e-12 and "1e-12" or tostring(worst)))
end
print(("\n%d bounces until it rests; at t = 20 it is within 1e-9 of the floor: %s"):format(
  #bounces, tostring(math.abs(sim:state().q.z) < 1e-9)))

return ball:simulate(start) -- for the command: sarrus run examples/bouncing_ball.lua
