-- The two-link robot whose hand is held on a line: M v' = f - G^T lambda, g = 0, index 3.
-- Its exact motion is theta1 = sin t, theta2 = -2 sin t, lambda = cos t.
local sarrus = require "sarrus"
local sin, cos = sarrus.sin, sarrus.cos

local robot = sarrus.system {
  name = "two-link robot",
  coordinates = { "theta1", "theta2" },
  mass = function(q)
    local c = cos(q.theta2)
    return { { 5 + 3 * c, 1 + 3 / 2 * c }, { 1 + 3 / 2 * c, 1 } }
  end,
  force = function(q, v)
    local c1, c12 = cos(q.theta1), cos(q.theta1 + q.theta2)
    return {
      (c1 + c12) * v.theta1 - 3 * q.theta1,
      c12 * v.theta1 + (1 - 3 / 2 * cos(q.theta2)) * q.theta1,
    }
  end,
  constraints = function(q)
    return { sin(q.theta1) + sin(q.theta1 + q.theta2) }
  end,
}

local solution = assert(robot:decompose { q = { 0, 0 }, v = { 1, -2 }, order = 8 })

print("components: the Adomian decomposition, one power of t each")
for k = 0, 7 do
  local unit = sarrus.series.variable(9) ^ k
  local function component(s)
    return (s[k] and tostring(s[k] * unit) or ""):gsub(" %+ O%(.*", ""):gsub("^O%(.*", "0")
  end
  local row = {}
  for i, s in ipairs { solution.q.theta1, solution.q.theta2, solution.lambda[1] } do
    row[i] = component(s)
  end
  print(("  %d  %-14s %-14s %s"):format(k, row[1], row[2], row[3]))
end

print("\nsolution")
print(solution)

print("\nerror against the exact solution")
for _, t in ipairs { 0.1, 0.2, 0.4 } do
  print(("  t = %.1f  theta1 %.1e  theta2 %.1e  lambda %.1e"):format(t,
    math.abs(solution.q.theta1(t) - math.sin(t)),
    math.abs(solution.q.theta2(t) + 2 * math.sin(t)),
    math.abs(solution.lambda[1](t) - math.cos(t))))
end

-- For the command: sarrus run examples/robot.lua
return robot:simulate { q = { 0, 0 }, v = { 1, -2 } }
