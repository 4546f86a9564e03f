-- A block on a rough table, held by a spring: friction of constant size against the motion.
-- While it slides the force is smooth; where it stops, an event decides whether it moves again.
local sarrus = require "sarrus"

local stiffness, rub, x0 = 4, 0.5, 1.1 -- unit mass, so omega = 2; a half swing takes pi / 2

-- `side` is the sign of the velocity, 0 while the block sticks: then nothing moves it.
local block = sarrus.system {
  name = "block",
  coordinates = { "x" },
  mass = function() return { { 1 } } end,
  force = function(q)
    local side = sarrus.parameter("side", -1)
    return { -stiffness * q.x * side ^ 2 - rub * side }
  end,
}

local stops = {}
local stop = sarrus.event { "stop",
  when = function(s) return s.v.x end,
  action = function(sim, s)
    stops[#stops + 1] = s
    local pull = -stiffness * s.q.x
    assert(sim:impulse { x = -s.v.x })
    assert(sim:set("side", math.abs(pull) <= rub and 0 or pull > 0 and 1 or -1))
  end,
}

local start = { q = { x0 }, events = { stop }, tolerance = 1e-14 }
local sim = assert(block:simulate(start))
assert(sim:advance(10))

-- Every half swing is a cosine about where spring and friction balance: |x| falls by 2 rub / k.
print("stop      time            x   error below")
for i, s in ipairs(stops) do
  local exact = (-1) ^ i * (x0 - 2 * i * rub / stiffness)
  local worst = math.max(math.abs(s.q.x - exact), math.abs(s.t - i * math.pi / 2))
  print(("%4d %9.6f %12.8f   %s"):format(i, s.t, s.q.x,
    worst < 1e-12 and "1e-12" or tostring(worst)))
end
print(("\nit sticks at x = %.6f, still there at t = 10: %s"):format(stops[#stops].q.x,
  tostring(math.abs(sim:state().q.x - stops[#stops].q.x) < 1e-14)))

return block:simulate(start) -- for the command: sarrus run examples/friction.lua
