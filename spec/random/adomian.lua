--- Adomian polynomials of random functions are Taylor coefficients along the components; and u' +
--- N(u, t) = f, with f made for a chosen u, gives u back.
local sarrus = require "sarrus"
local expressions = dofile("spec/random/tools/expressions.lua")
local taylor = expressions.taylor

local class = { cases = 300, bound = 1e-10 }

local function polynomials(draw)
  local a = expressions.leaf(draw, draw:between(-2, 2))
  local b = expressions.leaf(draw, draw:between(-2, 2))
  local N = expressions.draw(draw, { a, b }, draw:whole(1, 3))
  local first, second = {}, {}
  for k = 0, taylor.ORDER do
    first[k + 1], second[k + 1] = a[k], b[k]
  end
  local A = sarrus.adomian.evaluate(function(u, v) return N.of { u, v } + 0 * u end, first, second)
  return expressions.error(N, A)
end

local function solution(draw)
  local u = expressions.leaf(draw, draw:between(-1, 1))
  local t = taylor.new { [1] = 1 }
  local N = expressions.draw(draw, { u, taylor.sum(t, taylor.constant(1)) }, draw:whole(1, 2))
  local source = {}
  for k = 0, taylor.ORDER - 1 do
    source[k + 1] = (k + 1) * u[k + 1] + N.series[k]
  end
  local found = sarrus.adomian.solve { initial = { u[0] }, order = taylor.ORDER,
    nonlinear = function(x, s) return N.of { x, 1 + s } + 0 * x end,
    source = function() return sarrus.series(source) end }
  local size = N.size -- of the largest component: their sum is what cancels
  for k = 0, found.components.order do
    size = math.max(size, taylor.size(taylor.new(found.components[k]), expressions.RADIUS))
  end
  return taylor.difference(u, taylor.new(found.sum), expressions.RADIUS, size)
end

function class.case(draw)
  return math.max(polynomials(draw), solution(draw))
end

return class
