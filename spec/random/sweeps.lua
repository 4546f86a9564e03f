--- Sweeps over lists, ranges and samples that are drawn, of an oscillator whose motion is known:
--- all points are there, once and in order, samples fill their ranges evenly, and rows, of any
--- share of the points and with any threads, are what the closed form says.
local sarrus = require "sarrus"
local axes = require "sarrus.sweep.axes"
local sweeps = require "sarrus.sweep"

-- The error of x at the end, and how many points are wrong.
local class = { cases = 20, bound = 1e-12 }

local model = sarrus.model {
  name = "oscillator",
  sarrus.body.box { "p", position = { 1, 0 }, size = { 1, 1 }, mass = sarrus.parameter("m", 1) },
  sarrus.joint.prismatic { "J", "ground", "p", at = { 1, 0 }, axis = { 1, 0 },
    stiffness = sarrus.parameter("k", 1), rest = sarrus.parameter("rest", 0) },
}

--- An axis as text, the values it stands for, or nil where they are drawn.
local function axis(draw, name, low, high)
  local a, b = draw:between(low, high), draw:between(low, high)
  local kind, log = draw:pick { "list", "range", "samples" }, draw:chance(0.4)
  local text, values = ("%s=%.17g:%.17g"):format(name, a, b), {}
  if kind == "list" then
    local words = {}
    for i = 1, draw:whole(1, 4) do
      values[i] = draw:between(low, high)
      words[i] = ("%.17g"):format(values[i])
    end
    return name .. "=" .. table.concat(words, ","), values
  elseif kind == "samples" then
    return text .. (log and ":log" or ""), nil, { a, b, log }
  end
  local count = draw:whole(1, 4)
  for i = 1, count do
    local x = count > 1 and (i - 1) / (count - 1) or 0
    values[i] = log and math.exp(math.log(a) + (math.log(b) - math.log(a)) * x) or a + (b - a) * x
  end
  return ("%s:%d%s"):format(text, count, log and ":log" or ""), values
end

--- How unevenly numbers from 0 to 1 lie: the largest distance of the i-th from where it should be.
local function uneven(list)
  table.sort(list)
  local worst = 0
  for i, x in ipairs(list) do
    worst = math.max(worst, math.abs(x - (i - 0.5) / #list))
  end
  return worst
end

local function check_samples(points, k, range, samples)
  local list = {}
  for i = 1, samples do
    local x = points:point(i)[k]
    list[i] = range[3] and math.log(x / range[1]) / math.log(range[2] / range[1])
      or (x - range[1]) / (range[2] - range[1])
  end
  -- Halton's points in a base b: below (b + 1) log(n) / n in one dimension, by a wide margin
  assert(uneven(list) < 12 * math.log(samples + 1) / samples, "samples are uneven")
end

--- Whether point i is what nested loops give; the samples within their ranges.
local function right(points, i, lists, samples)
  local point, rest = points:point(i), math.floor((i - 1) / samples)
  for k = #lists, 1, -1 do
    local values = lists[k].values
    if values then
      local expected = values[rest % #values + 1]
      rest = math.floor(rest / #values)
      if math.abs(point[k] - expected) > 1e-14 * math.abs(expected) then
        return false
      end
    else
      local a, b = lists[k].range[1], lists[k].range[2]
      if point[k] < math.min(a, b) or point[k] > math.max(a, b) then
        return false
      end
    end
  end
  return rest == 0
end

function class.case(draw)
  local lists, parsed, drawn, count = {}, {}, false, 1
  for k, entry in ipairs { { "m", 0.5, 2 }, { "k", 1, 20 }, { "rest", 0.1, 1 } } do
    local text, values, range = axis(draw, entry[1], entry[2], entry[3])
    lists[k], parsed[k] = { values = values, range = range }, assert(axes.parse(text))
    drawn, count = drawn or not values, count * (values and #values or 1)
  end
  local samples = drawn and draw:whole(1, 30) or nil
  local points = assert(axes.new(parsed, samples, draw:whole(0, 1e6)))
  count = count * (samples or 1)
  assert(points.count == count, "another number of points")
  for i = 1, count do
    assert(right(points, i, lists, samples or 1), "a point is wrong")
  end
  for k, list in ipairs(lists) do
    if list.range then
      check_samples(points, k, list.range, samples)
    end
  end
  local n, t, worst, rows = draw:whole(1, 4), draw:between(0.1, 2), 0, 0
  local sweep = assert(sweeps.new { model = model, axes = points, t_end = t,
    channels = { "J.length" }, threads = draw:whole(1, 3), options = {} })
  for part = 1, n do
    sweep:run(axes.runs(math.min(count, 40), { index = part, count = n }), function(run, row)
      local m, k, rest, at, x = row:match("^" .. run .. ",(.-),(.-),(.-),(.-),(.-),,\n$")
      local p = points:point(run)
      assert(tonumber(m) == p[1] and tonumber(k) == p[2] and tonumber(rest) == p[3]
        and tonumber(at) == t, "a row has other values")
      worst = math.max(worst, math.abs(x - p[3] * (1 - math.cos(math.sqrt(p[2] / p[1]) * t))))
      rows = rows + 1
    end)
  end
  assert(rows == math.min(count, 40), "rows are missing, or twice")
  return worst
end

return class
