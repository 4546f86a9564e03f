-- Chaplygin's sleigh: a velocity constraint that is not the rate of anything.  The blade at (x, y)
-- does not slip sideways; the centre of mass lies 1/2 ahead of it.
local sarrus = require "sarrus"
local sin, cos = sarrus.sin, sarrus.cos

local sleigh = sarrus.system {
  name = "sleigh",
  coordinates = { "x", "y", "th" },
  mass = function(q)
    local c, s = cos(q.th), sin(q.th)
    return { { 1, 0, -s / 2 }, { 0, 1, c / 2 }, { -s / 2, c / 2, 1 } }
  end,
  force = function(q, v) return { cos(q.th) * v.th ^ 2 / 2, sin(q.th) * v.th ^ 2 / 2, 0 } end,
  velocity_constraints = function(q, v) return { -v.x * sin(q.th) + v.y * cos(q.th) } end,
}

local exact = {
  { 1, 0.18687552015159013, 0.14113371493796891, 0.96076215826745890 },
  { 5, -1.6803207892246668, 2.4922103197937391, 2.8139871378723075 },
}

-- Spun about the blade, without going forward: it does not turn for long.
local start = { q = { 0, 0, 0 }, v = { 0, 0, 1 }, tolerance = 1e-14 }
local sim = assert(sleigh:simulate(start))

print("t            x            y           th        speed   error below")
for _, known in ipairs(exact) do
  assert(sim:advance(known[1]))
  local s, worst = sim:state(), 0
  for i = 1, 3 do
    worst = math.max(worst, math.abs(s.q[i] - known[i + 1]))
  end
  local speed = s.v.x * math.cos(s.q.th) + s.v.y * math.sin(s.q.th)
  print(("%d %12.8f %12.8f %12.8f %12.8f   %s"):format(s.t, s.q.x, s.q.y, s.q.th, speed,
    worst < 1e-12 and "1e-12" or tostring(worst)))
end

-- What it had in turning it keeps in gliding: m u^2 + (I + m a^2) th'^2 = 1 for ever.
assert(sim:advance(60))
local s = sim:state()
local speed = s.v.x * math.cos(s.q.th) + s.v.y * math.sin(s.q.th)
print("\nafter 60 s: it glides straight on at speed 1 (within 1e-12): "
  .. tostring(math.abs(speed - 1) < 1e-12 and math.abs(s.v.th) < 1e-10))

return sleigh:simulate(start) -- for the command: sarrus run examples/sleigh.lua
