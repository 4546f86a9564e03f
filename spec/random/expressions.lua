--- Expressions of the time, compiled: values and series as accelerations, derivatives by sarrus.diff, against
--- Taylor series written for the tests.
local sarrus = require "sarrus"
local expressions = dofile("spec/random/tools/expressions.lua")
local taylor = expressions.taylor

local class = { cases = 400, bound = 1e-10 }

--- Coefficients of expressions of t about a time: x'' = e has coefficient k + 2 equal to e_k / (k+1) (k+2).
local function coefficients(list, t)
  local names, zeros, rows = {}, {}, {}
  for i = 1, #list do
    names[i], zeros[i], rows[i] = "x" .. i, 0, {}
    for j = 1, #list do
      rows[i][j] = i == j and 1 or 0
    end
  end
  local system = sarrus.system { coordinates = names, mass = function() return rows end,
    force = function() return list end }
  local solution = assert(system:decompose { q = zeros, v = zeros, t = t,
    order = taylor.ORDER + 2 })
  local result = {}
  for i = 1, #list do
    result[i] = {}
    for k = 0, taylor.ORDER do
      result[i][k] = solution.q[i][k + 2] * (k + 1) * (k + 2)
    end
  end
  return result
end

function class.case(draw)
  local t = draw:between(-2, 2)
  local p = draw:between(-2, 2)
  local expression = expressions.draw(draw,
    { taylor.new { [0] = t, [1] = 1 }, taylor.constant(p) }, draw:whole(1, 5))
  local e = expression.of { sarrus.time, sarrus.parameter("p", p) }
  local found = coefficients({ e, sarrus.diff(0 * sarrus.time + e, sarrus.time) }, t)
  local slope = taylor.constant(0)
  for k = 0, taylor.ORDER - 1 do
    slope[k] = (k + 1) * expression.series[k + 1]
  end
  found[2][taylor.ORDER] = 0 -- needs one order more
  local size = math.max(expression.size, taylor.size(slope, expressions.RADIUS))
  return math.max(expressions.error(expression, found[1]),
    taylor.difference(slope, taylor.new(found[2]), expressions.RADIUS, size))
end

return class
