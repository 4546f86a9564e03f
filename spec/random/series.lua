--- Series: random functions of random series against Taylor series written for the tests; calculus
--- against the value.
local sarrus = require "sarrus"
local expressions = dofile("spec/random/tools/expressions.lua")
local taylor = expressions.taylor

local class = { cases = 400, bound = 1e-10 }

local function as_series(s)
  local list = {}
  for k = 0, taylor.ORDER do
    list[k + 1] = s[k]
  end
  return sarrus.series(list)
end

--- (s' integrated) is s, and s(u(t)) has the coefficients of the composition.
local function calculus(draw, s)
  local again = s:derivative():integral(s[0])
  local u = taylor.new { [1] = draw:between(-1, 1), [2] = draw:between(-1, 1) }
  local power, composed = taylor.constant(1), taylor.constant(0)
  for k = 0, s.order do
    composed = taylor.sum(composed, power, s[k])
    power = taylor.product(power, u)
  end
  local size = math.max(taylor.size(taylor.new(s), 1), taylor.size(composed, 1))
  return math.max(taylor.difference(taylor.new(s), taylor.new(again), 1, size),
    taylor.difference(composed, taylor.new(s:compose(as_series(u))), 1, size))
end

function class.case(draw)
  local a = expressions.leaf(draw, draw:between(-2, 2))
  local b = expressions.leaf(draw, draw:between(-2, 2))
  local expression = expressions.draw(draw, { a, b }, draw:whole(1, 5))
  local result = expression.of { as_series(a), as_series(b) }
  return math.max(expressions.error(expression, result), calculus(draw, result))
end

return class
