--- Random expressions, drawn together with their Taylor series at one point, so that they stay
--- inside all domains and away from the switches of piecewise functions.

local sarrus = require "sarrus"
local taylor = dofile("spec/random/tools/taylor.lua")

local unpack = table.unpack or unpack -- luacheck: ignore

local expressions = { taylor = taylor }

--- Coefficient k counts RADIUS^k; larger ones than LARGEST are drawn anew.
local RADIUS, LARGEST = 0.5, 30
expressions.RADIUS = RADIUS

local function anywhere() return true end
local function positive(u) return u[0] > 0.3 end
local function inside(u) return math.abs(u[0]) < 0.8 end
local function nonzero(u) return math.abs(u[0]) > 0.3 end

--- Where the argument moves far on the circle, sums of powers of it cancel, here as elsewhere.
local function moves_little(u)
  local rest = taylor.new(u)
  rest[0] = 0
  return taylor.size(rest, RADIUS) < 2
end

--- Functions of one operand: name, where, Taylor series.
local unary = {
  { "sin", anywhere, taylor.sin }, { "cos", anywhere, taylor.cos },
  { "tan", function(u) return math.abs(math.cos(u[0])) > 0.4 end, taylor.tan },
  { "asin", inside, taylor.asin }, { "acos", inside, taylor.acos },
  { "atan", anywhere, taylor.atan },
  { "sinh", anywhere, taylor.sinh }, { "cosh", anywhere, taylor.cosh },
  { "tanh", anywhere, taylor.tanh },
  { "exp", anywhere, taylor.exp }, { "log", positive, taylor.log },
  { "sqrt", positive, taylor.sqrt },
  { "abs", nonzero, function(u) return u[0] < 0 and taylor.scale(u, -1) or u end },
}

--- Functions of two.
local binary = {
  { "atan", function(y, x) return math.abs(y[0]) > 0.3 and math.abs(x[0]) > 0.3 end, taylor.atan2 },
  { "min", function(a, b) return math.abs(a[0] - b[0]) > 0.1 end,
    function(a, b) return a[0] < b[0] and a or b end },
  { "max", function(a, b) return math.abs(a[0] - b[0]) > 0.1 end,
    function(a, b) return a[0] > b[0] and a or b end },
}

local operators = {
  { anywhere, taylor.sum, function(a, b) return a + b end },
  { anywhere, function(a, b) return taylor.sum(a, b, -1) end, function(a, b) return a - b end },
  { anywhere, taylor.product, function(a, b) return a * b end },
  { function(_, b) return math.abs(b[0]) > 0.3 end, taylor.quotient,
    function(a, b) return a / b end },
}

--- The node f(operands); nil where it has no value, or a large one.
local function node(f, series, ...)
  local size = taylor.size(series, RADIUS)
  if size ~= size or size > LARGEST then
    return nil
  end
  local operands = { ... }
  for _, operand in ipairs(operands) do
    size = math.max(size, operand.size)
  end
  return { series = series, size = size, of = function(leaves)
    local values = {}
    for i, operand in ipairs(operands) do
      values[i] = operand.of(leaves)
    end
    return f(unpack(values, 1, #operands))
  end }
end

local draw_node

local function draw_unary(draw, leaves, depth)
  local u, function_ = draw_node(draw, leaves, depth - 1), draw:pick(unary)
  return function_[2](u.series) and moves_little(u.series)
    and node(sarrus[function_[1]], function_[3](u.series), u)
end

local function draw_binary(draw, leaves, depth)
  local a, b = draw_node(draw, leaves, depth - 1), draw_node(draw, leaves, depth - 1)
  local function_ = draw:pick(binary)
  return function_[2](a.series, b.series)
    and node(sarrus[function_[1]], function_[3](a.series, b.series), a, b)
end

local function draw_operator(draw, leaves, depth)
  local a, b = draw_node(draw, leaves, depth - 1), draw_node(draw, leaves, depth - 1)
  local operator = draw:pick(operators)
  return operator[1](a.series, b.series)
    and node(operator[3], operator[2](a.series, b.series), a, b)
end

local function draw_power(draw, leaves, depth)
  local u = draw_node(draw, leaves, depth - 1)
  local r = draw:chance(0.5) and draw:whole(-3, 5) or draw:between(-2.5, 2.5)
  local inside_domain = r == math.floor(r) and nonzero(u.series) or positive(u.series)
  return inside_domain and moves_little(u.series)
    and node(function(x) return x ^ r end, taylor.power(u.series, r), u)
end

local function draw_constant(draw, leaves, depth)
  local u, x = draw_node(draw, leaves, depth - 1), draw:signed(0.2, 2)
  if draw:chance(0.5) then
    return node(function(a) return x * a end, taylor.scale(u.series, x), u)
  end
  return node(function(a) return x + a end, taylor.sum(u.series, taylor.constant(x)), u)
end

local function draw_select(draw, leaves, depth)
  local x, a = draw_node(draw, leaves, depth - 1), draw_node(draw, leaves, depth - 1)
  local b = draw_node(draw, leaves, depth - 1)
  return nonzero(x.series)
    and node(sarrus.select, x.series[0] > 0 and a.series or b.series, x, a, b)
end

local kinds = { draw_unary, draw_unary, draw_unary, draw_operator, draw_operator, draw_operator,
  draw_power, draw_constant, draw_binary, draw_select }

function draw_node(draw, leaves, depth)
  if depth == 0 then
    local i = draw:whole(1, #leaves)
    return { series = leaves[i], size = taylor.size(leaves[i], RADIUS), of = function(values)
      return values[i]
    end }
  end
  local result
  repeat
    result = draw:pick(kinds)(draw, leaves, depth)
  until result
  return result
end

--- An expression of `leaves`, given by their Taylor series: `of(values)` builds it from numbers,
--- series or expressions, `series` is its Taylor series, `size` that of the largest part.
expressions.draw = draw_node

--- By how much coefficients, from index 0, differ from those of a drawn expression.
function expressions.error(expression, coefficients)
  return taylor.difference(expression.series, taylor.new(coefficients), RADIUS, expression.size)
end

--- A leaf: a value, and rates that fall.
function expressions.leaf(draw, value)
  local s, size = taylor.constant(value), 1
  for k = 1, taylor.ORDER do
    s[k] = draw:between(-size, size)
    size = size * 0.7
  end
  return s
end

return expressions
