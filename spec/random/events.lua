--- Events whose zeros are known: all of them, in order, with their directions, forwards and
--- backwards.
local sarrus = require "sarrus"

local class = { cases = 200, bound = 1e-11 }

local oscillator = sarrus.system { name = "oscillator", coordinates = { "x", "y" },
  mass = function() return { { 1, 0 }, { 0, 1 } } end,
  force = function(q) return { -q.x, 0 } end }

--- x = sin t, y = t: expressions of the state with the value f(t), and their zeros, with the signs
--- of their slopes.
local kinds = {}

--- sin(t) - c
function kinds.level(draw, note)
  local c = draw:between(-0.95, 0.95)
  for turn = -4, 4 do
    note(math.asin(c) + 2 * math.pi * turn, 1)
    note(math.pi - math.asin(c) + 2 * math.pi * turn, -1)
  end
  return function(s) return s.q.x - c end
end

--- sin(w t + p), by the coordinate that is the time
function kinds.wave(draw, note)
  local w, p = draw:between(1, 8), draw:between(0, 6)
  for k = -60, 60 do
    note((k * math.pi - p) / w, k % 2 == 0 and 1 or -1)
  end
  return function(s) return sarrus.sin(w * s.q.y + p) end
end

--- A product of factors, times what has no zero.
function kinds.product(draw, note)
  local zeros, sign = {}, 1
  for i = 1, draw:whole(1, 5) do
    zeros[i] = (i > 1 and zeros[i - 1] or -6) + draw:between(0.2, 4)
  end
  for i = #zeros, 1, -1 do
    note(zeros[i], sign)
    sign = -sign
  end
  return function(s)
    local product = sarrus.exp(s.q.x)
    for _, zero in ipairs(zeros) do
      product = product * (s.t - zero)
    end
    return product
  end
end

local function draw_event(draw)
  local expected = {}
  local when = kinds[draw:pick { "level", "wave", "product" }](draw, function(t, direction)
    expected[#expected + 1] = { t = t, direction = direction }
  end)
  return when, expected
end

--- Those on the way to t_end and in the direction that counts, in order.
local function on_the_way(expected, t_end, wanted)
  local list, travel = {}, t_end < 0 and -1 or 1
  for _, zero in ipairs(expected) do
    local passed = travel * zero.t > 0 and travel * zero.t < travel * t_end
    if passed and (wanted == 0 or zero.direction * travel == wanted) then
      list[#list + 1] = zero.t
    end
  end
  table.sort(list, function(a, b) return travel * a < travel * b end)
  return list
end

function class.case(draw)
  local when, expected = draw_event(draw)
  local name = draw:pick { "up", "down", "both" }
  local found = {}
  local event = sarrus.event { "zero", when = when, direction = name,
    action = function(_, s) found[#found + 1] = s.t end }
  local t_end = draw:signed(1, 10)
  local sim = assert(oscillator:simulate { q = { 0, 0 }, v = { 1, 1 }, events = { event } })
  assert(sim:advance(t_end))
  local list = on_the_way(expected, t_end, ({ up = 1, down = -1, both = 0 })[name])
  assert(#list == #found, ("%d zeros, found %d"):format(#list, #found))
  local worst = 0
  for i, t in ipairs(list) do
    worst = math.max(worst, math.abs(found[i] - t))
  end
  return worst
end

return class
