--- Expressions, compiled: values and series as accelerations, derivatives by sarrus.diff, the
--- gradient of a potential, against Taylor series written for the tests; and their text, read by
--- Lua.
local sarrus = require "sarrus"
local expressions = dofile("spec/random/tools/expressions.lua")
local taylor = expressions.taylor

local class = { cases = 400, bound = 1e-10 }

--- Coefficients of expressions of t about a time: x'' = e has coefficient k + 2 equal to e_k /
--- (k+1) (k+2).
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

--- e and its derivative, of the time and a parameter.
local function of_time(draw)
  local t, p = draw:between(-2, 2), draw:between(-2, 2)
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

--- The rate of a potential V(q) along v is -a . v.
local function of_positions(draw)
  local q, v = draw:list(2, -2, 2), draw:list(2, -1, 1)
  local V = expressions.draw(draw, { taylor.new { [0] = q[1], [1] = v[1] },
    taylor.new { [0] = q[2], [1] = v[2] } }, draw:whole(1, 4))
  local system = sarrus.system { coordinates = { "x", "y" }, lagrangian = function(x, w)
    return (w.x ^ 2 + w.y ^ 2) / 2 - V.of { x.x, x.y }
  end }
  local a = assert(system:decompose { q = q, v = v, order = 2 }).q
  return math.abs(2 * a.x[2] * v[1] + 2 * a.y[2] * v[2] + V.series[1]) / math.max(V.size, 1)
end

--- What a text of Lua gives where names are those of `names` or of sarrus.
local function value_of(text, names)
  local environment = setmetatable(names, { __index = sarrus })
  local chunk
  if setfenv then -- luacheck: ignore
    chunk = setfenv(assert(loadstring("return " .. text)), environment) -- luacheck: ignore
  else
    chunk = assert(load("return " .. text, "text", "t", environment)) -- luacheck: ignore
  end
  return chunk()
end

local function as_text(draw)
  local a, b = draw:between(-2, 2), draw:between(-2, 2)
  local expression = expressions.draw(draw, { taylor.constant(a), taylor.constant(b) },
    draw:whole(1, 5))
  local text = tostring(expression.of { sarrus.parameter("a", a), sarrus.parameter("b", b) })
  return math.abs(value_of(text, { a = a, b = b }) - expression.series[0]) / expression.size
end

function class.case(draw)
  return math.max(of_time(draw), of_positions(draw), as_text(draw))
end

return class
