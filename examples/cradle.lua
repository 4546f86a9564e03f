-- Newton's cradle: five equal balls on threads.  Where two meet, an event exchanges their
-- velocities; a row of such collisions carries the impulse to the last ball.
local sarrus = require "sarrus"

local n, g, gap = 5, 9.81, 1e-3
local names, q, v = {}, {}, {}
for i = 1, n do
  names[2 * i - 1], names[2 * i] = "x" .. i, "y" .. i
  q[2 * i - 1], q[2 * i], v[2 * i - 1], v[2 * i] = 0, -1, 0, 0 -- about its own support
end
q[1], q[2] = -0.6, -0.8 -- the first one is lifted

local cradle = sarrus.system {
  name = "cradle",
  coordinates = names,
  lagrangian = function(x, dx)
    local L = 0
    for i = 1, n do
      L = L + (dx["x" .. i] ^ 2 + dx["y" .. i] ^ 2) / 2 - g * x["y" .. i]
    end
    return L
  end,
  constraints = function(x)
    local lengths = {}
    for i = 1, n do
      lengths[i] = x["x" .. i] ^ 2 + x["y" .. i] ^ 2 - 1
    end
    return lengths
  end,
}

--- Ball i meets ball i + 1 and bounces without loss.
local events, hits = {}, 0
for i = 1, n - 1 do
  local a, b, c, d = "x" .. i, "x" .. i + 1, "y" .. i, "y" .. i + 1
  events[i] = sarrus.event { "hit " .. i, direction = "down",
    when = function(s) return s.q[b] + gap - s.q[a] end,
    action = function(sim, s)
      local j = 2 * (s.v[a] - s.v[b]) / (s.q[c] ^ 2 + s.q[d] ^ 2) -- only y^2 of it moves a ball
      hits = hits + 1
      assert(sim:impulse { [a] = -j, [b] = j })
    end }
end

local start = { q = q, v = v, events = events, tolerance = 1e-13 }
local sim = assert(cradle:simulate(start))
local energy = -(n - 1) * g - 0.8 * g
print("   t   hits   heights above the lowest point               energy within 1e-10")
for t, s in sim:samples(2, 0.25) do
  local heights, total = {}, 0
  for i = 1, n do
    heights[i] = ("%8.4f"):format(math.abs(1 + s.q["y" .. i]))
    total = total + (s.v["x" .. i] ^ 2 + s.v["y" .. i] ^ 2) / 2 + g * s.q["y" .. i]
  end
  print(("%.2f %5d  %s   %s"):format(t, hits, table.concat(heights),
    tostring(math.abs(total - energy) < 1e-10)))
end

return cradle:simulate(start) -- for the command: sarrus run examples/cradle.lua
