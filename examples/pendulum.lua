-- A pendulum in Cartesian coordinates: M v' = f - G^T lambda, x^2 + y^2 = 1 (index 3).
local sarrus = require "sarrus"

local pendulum = sarrus.system {
  name = "pendulum",
  coordinates = { "x", "y" },
  mass = function() return { { 1, 0 }, { 0, 1 } } end,
  force = function() return { 0, -9.81 } end,
  constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - 1 } end,
}

-- Released from rest at (-1, 0); digits of the exact solution, by elliptic functions.
local exact = {
  { t = 10, x = -0.27508746257611686, y = -0.96141920509912506, lambda = 14.147283603033625 },
  { t = 100, x = -0.18151335142703138, y = -0.98338848033405750, lambda = 14.470561488115656 },
}

local start = { q = { -1, 0 }, tolerance = 1e-14 }
local sim = assert(pendulum:simulate(start))

print("  t            x            y       lambda   error below")
for _, known in ipairs(exact) do
  assert(sim:advance(known.t))
  local s = sim:state()
  local worst = math.max(math.abs(s.q.x - known.x), math.abs(s.q.y - known.y),
    math.abs(s.lambda[1] - known.lambda))
  print(("%3d %12.8f %12.8f %12.8f   %s"):format(s.t, s.q.x, s.q.y, s.lambda[1],
    worst < 1e-11 and "1e-11" or tostring(worst)))
end

local s = sim:state()
local energy = (s.v.x ^ 2 + s.v.y ^ 2) / 2 + 9.81 * s.q.y
print("\nafter 100 s")
print("  energy within 1e-12:            " .. tostring(math.abs(energy) < 1e-12))
print("  length of the rod within 1e-14: " .. tostring(sim:residual().position < 1e-14))

return pendulum:simulate(start) -- for the command: sarrus run examples/pendulum.lua
