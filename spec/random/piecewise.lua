--- Accelerations that are piecewise functions of the time, with switches at times that are known:
--- the motion against quadrature between them.
local sarrus = require "sarrus"

local class = { cases = 200, bound = 1e-11 }

-- Gauss and Legendre, five points.
local NODES = { -0.906179845938664, -0.538469310105683, 0, 0.538469310105683, 0.906179845938664 }
local WEIGHTS = { 0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
  0.2369268850561891 }
local PARTS = 40

--- The first and the second integral of f from 0 to t, by the parts that `times` cut.
local function integrate(f, times, t)
  local cuts = { 0 }
  for _, time in ipairs(times) do
    if time > 0 and time < t then
      cuts[#cuts + 1] = time
    end
  end
  cuts[#cuts + 1] = t
  table.sort(cuts)
  local once, twice = 0, 0
  for i = 1, #cuts - 1 do
    local half = (cuts[i + 1] - cuts[i]) / PARTS / 2
    for part = 1, PARTS do
      local middle = cuts[i] + (2 * part - 1) * half
      for k, node in ipairs(NODES) do
        local s = middle + half * node
        local value = WEIGHTS[k] * half * f(s)
        once, twice = once + value, twice + value * (t - s)
      end
    end
  end
  return once, twice
end

--- c (t - a)(t - b), or c (t - a): zero at times that are known.
local function draw_argument(draw, times)
  local a, b, c = draw:between(-0.5, 2.5), draw:between(-0.5, 2.5), draw:signed(0.5, 2)
  times[#times + 1] = a
  if draw:chance(0.5) then
    return function(t) return c * (t - a) end
  end
  times[#times + 1] = b
  return function(t) return c * (t - a) * (t - b) end
end

local function draw_table(draw, times)
  local x, y, slope = { draw:between(-0.5, 0.5) }, { draw:between(-2, 2) }, draw:signed(0.5, 2)
  for i = 2, draw:whole(2, 6) do
    x[i], y[i] = x[i - 1] + draw:between(0.2, 1), draw:between(-2, 2)
  end
  for _, knot in ipairs(x) do
    times[#times + 1] = 1 + knot / slope
  end
  local data = sarrus.table { x = x, y = y }
  return function(t) return data(slope * (t - 1)) end
end

--- Piecewise functions of u(t), as they are for numbers and for expressions.
local terms = {
  function(u) return sarrus.abs(u) end,
  function(u) return sarrus.sign(u) end,
  function(u, t) return sarrus.max(u + t, t) end,
  function(u, t) return sarrus.min(sarrus.sin(t), u + sarrus.sin(t)) end,
  function(u, t) return sarrus.select(u, sarrus.exp(-t), t ^ 2) end,
  function(u, t) return sarrus.atan(u, -1 - t ^ 2) end,
  function(u, t) return sarrus.atan(u, 2 + t) end,
  function(u, t) return sarrus.abs(u) * sarrus.cos(t) end,
}

function class.case(draw)
  local parts, times = {}, {}
  for i = 1, draw:whole(1, 4) do
    local factor = draw:signed(0.3, 2)
    if draw:chance(0.2) then
      local data = draw_table(draw, times)
      parts[i] = function(t) return factor * data(t) end
    else
      local term, u = draw:pick(terms), draw_argument(draw, times)
      parts[i] = function(t) return factor * term(u(t), t) end
    end
  end
  local function f(t)
    local sum = 0
    for _, part in ipairs(parts) do
      sum = sum + part(t)
    end
    return sum
  end
  local system = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end,
    force = function(_, _, t) return { f(t) } end }
  local t_end = draw:between(1, 2.5)
  local sim = assert(system:simulate { q = { 0 }, v = { 0 } })
  assert(sim:advance(t_end))
  local v, x = integrate(f, times, t_end)
  local s = sim:state()
  return math.max(math.abs(s.q.x - x), math.abs(s.v.x - v)) / math.max(1, math.abs(x), math.abs(v))
end

return class
