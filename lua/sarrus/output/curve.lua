--- Curves: lists of values as the data of a path, with gaps where there is nothing to draw, and
--- with no more points than the picture can show.

local svg = require "sarrus.output.svg"

local curve = {}

-- Points nearer than this, in pixels, are one.
local NEAR = 0.05

--- Whether the places never go back.
local function goes_on(x)
  local last = -math.huge
  for i = 1, #x do
    if x[i] then
      if x[i] < last then
        return false
      end
      last = x[i]
    end
  end
  return true
end

--- The first, the least, the largest and the last of the points i … j, in their order: what a
--- column of pixels shows of them.
local function extremes(y, i, j, keep)
  local low, high = i, i
  for k = i, j do
    low = y[k] < y[low] and k or low
    high = y[k] > y[high] and k or high
  end
  local last
  for _, k in ipairs { i, math.min(low, high), math.max(low, high), j } do
    if k ~= last then
      keep(k)
    end
    last = k
  end
end

--- Points by columns of half a pixel.
local function by_column(x, y, i, j, keep)
  while i <= j do
    local column, k = math.floor(2 * x[i]), i
    while k < j and math.floor(2 * x[k + 1]) == column do
      k = k + 1
    end
    extremes(y, i, k, keep)
    i = k + 1
  end
end

--- Points that are not where the last one was.
local function by_distance(x, y, i, j, keep)
  local at
  for k = i, j do
    if not at or k == j or math.abs(x[k] - x[at]) + math.abs(y[k] - y[at]) > NEAR then
      keep(k)
      at = k
    end
  end
end

--- A small ring for a point by itself.
local function ring(x, y)
  return ("M%s %sa1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0"):format(svg.length(x - 1.5),
    svg.length(y))
end

--- The data of a path through points in pixels; false stands where there is none.  And how far it
--- goes up and down, if it never goes back.
---@param x (number|false)[]
---@param y (number|false)[]
---@return string data
---@return number? climb
function curve.data(x, y)
  local forwards, words, climb = goes_on(x), {}, 0
  local thin = forwards and by_column or by_distance
  local i, n = 1, #x
  while i <= n do
    if x[i] and y[i] then
      local j = i
      while j < n and x[j + 1] and y[j + 1] do
        j = j + 1
      end
      local first, last = #words + 1, i
      thin(x, y, i, j, function(k)
        words[#words + 1] = (#words < first and "M" or "L") .. svg.length(x[k]) .. " "
          .. svg.length(y[k])
        climb, last = climb + math.abs(y[k] - y[last]), k
      end)
      if #words == first then
        words[first] = ring(x[i], y[i])
      end
      i = j
    end
    i = i + 1
  end
  return table.concat(words), forwards and climb or nil
end

return curve
