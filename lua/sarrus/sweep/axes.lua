--- What a sweep goes through: parameters and starts, by lists, ranges and samples.
---
---   k=1e3,1e4            a list
---   L=0.1:0.9:100        a hundred values, the ends included
---   k=1e3:1e6:4:log      the same with equal ratios
---   L=0.1:0.9            between these, from samples; k=1e3:1e6:log likewise
---   start.J1.angle=…     where a joint starts, in place of a parameter

local core = require "sarrus.core"
local halton = require "sarrus.sweep.halton"

---@class sarrus.Axis
---@field name string
---@field values number[]? those of a list or a range
---@field low number? of samples
---@field high number? likewise
---@field log boolean? equal ratios

---@class sarrus.Axes
---@field names string[]
---@field count integer of points
local Axes = {}
Axes.__index = Axes

local axes = {}

local MOST = 1e8 -- points

-- Reading ----------------------------------------------------------------------------------------

local function number(text)
  local x = tonumber(text)
  return x and x - x == 0 and x or nil
end

local function split(text, separator)
  local words = {}
  for word in (text .. separator):gmatch("(.-)" .. separator) do
    words[#words + 1] = word:match("^%s*(.-)%s*$")
  end
  return words
end

--- A value between two others: x = 0 and x = 1 are these, exactly.
local function between(low, high, x, log)
  if x == 0 or x == 1 then
    return x == 0 and low or high
  end
  return log and low * (high / low) ^ x or low + (high - low) * x
end

--- A range by its words, nil where they make none.
local function range_of(name, words)
  local log = words[#words] == "log"
  if log then
    words[#words] = nil
  end
  local low, high, count = number(words[1]), number(words[2] or ""), number(words[3] or "")
  if #words > 3 or not low or not high or #words == 3 and not count
    or log and not (low > 0 and high > 0) then
    return nil
  elseif not count then
    return { name = name, low = low, high = high, log = log }
  elseif count < 1 or count > MOST or count % 1 ~= 0 then
    return nil
  end
  local values = {}
  for k = 1, count do
    local x = between(low, high, count > 1 and (k - 1) / (count - 1) or 0, log)
    local inner = k > 1 and k < count
    values[k] = inner and tonumber(("%.15g"):format(x)) or x -- 0.1, not 0.09999999999999999
  end
  return { name = name, values = values }
end

local function list_of(name, words)
  local values = {}
  for i, word in ipairs(words) do
    values[i] = number(word)
    if not values[i] then
      return nil
    end
  end
  return { name = name, values = values }
end

--- An axis from `name=…`; nil and what is wanted where it is none.
---@param text string
---@return sarrus.Axis?
---@return string? wanted
function axes.parse(text)
  local name, given = text:match("^%s*([^=]-)%s*=%s*(.-)%s*$")
  local axis
  if name and name ~= "" and given:find(":", 1, true) then
    axis = range_of(name, split(given, ":"))
  elseif name and name ~= "" then
    axis = list_of(name, split(given, ","))
  end
  return axis, not axis and "name=low:high:count, name=low:high (with --samples), either with :log "
    .. "behind it, or name=a,b,c" or nil
end

-- Points -----------------------------------------------------------------------------------------

--- What is wrong with some axes; nil if nothing is.
local function wrong(list, samples)
  local taken, sampled = {}, nil
  for _, axis in ipairs(list) do
    if taken[axis.name] then
      return ("--set %s is given twice"):format(axis.name)
    end
    taken[axis.name] = true
    sampled = sampled or not axis.values and axis.name or nil
  end
  if sampled and not samples then
    return ("--set %s=low:high needs --samples; or say how many values, low:high:count"):format(
      sampled)
  elseif samples and not sampled then
    return "--samples: there is nothing to draw: give --set name=low:high"
  end
end

--- The points of some axes: every combination of lists and ranges, the last one changing first, and
--- for each of these the samples.
---@param list sarrus.Axis[]
---@param samples? integer
---@param seed? integer
---@return sarrus.Axes? nil and a message where they do not fit
---@return string? message
function axes.new(list, samples, seed)
  local message = wrong(list, samples)
  if message then
    return nil, message
  end
  local self = setmetatable({ list = list, names = {}, count = samples or 1,
    samples = samples or 1 }, Axes)
  local drawn = 0
  for i, axis in ipairs(list) do
    self.names[i] = axis.name
    self.count = self.count * (axis.values and #axis.values or 1)
    drawn = drawn + (axis.values and 0 or 1)
  end
  if self.count > MOST then
    return nil, ("%.0e runs are more than %.0e"):format(self.count, MOST)
  end
  self.draw = drawn > 0 and halton(drawn, seed or 1)
  return self
end

--- The values of point i, from 1, one for each axis.
---@param i integer
---@return number[]
function Axes:point(i)
  local rest, point, drawn = i - 1, {}, 0
  local sample = rest % self.samples
  rest = (rest - sample) / self.samples
  for k, axis in ipairs(self.list) do
    if not axis.values then
      drawn = drawn + 1
      point[k] = between(axis.low, axis.high, self.draw(sample + 1, drawn), axis.log)
    end
  end
  for k = #self.list, 1, -1 do
    local values = self.list[k].values
    if values then
      local place = rest % #values
      point[k] = values[place + 1]
      rest = (rest - place) / #values
    end
  end
  return point
end

--- What the points are, in words that differ where points do.
---@return string
function Axes:describe()
  local words = { tostring(self.samples) }
  for _, axis in ipairs(self.list) do
    words[#words + 1] = axis.name .. (axis.log and " log" or "")
    for _, x in ipairs(axis.values or { axis.low, axis.high }) do
      words[#words + 1] = core.number(x)
    end
  end
  return table.concat(words, "\n")
end

--- What `simulate` is given for point i; names that begin with `start.` are joints'.
---@param i integer
---@return { parameters: table<string, number>, joints: table<string, table<string, number>>? }
function Axes:start(i)
  local start, point = { parameters = {} }, self:point(i)
  for k, name in ipairs(self.names) do
    local joint, kind = name:match("^start%.(.+)%.(%a+)$")
    if joint then
      start.joints = start.joints or {}
      start.joints[joint] = start.joints[joint] or {}
      start.joints[joint][kind] = point[k]
    else
      start.parameters[name] = point[k]
    end
  end
  return start
end

--- Which of the names are parameters.
---@return string[]
function Axes:parameters()
  local list = {}
  for _, name in ipairs(self.names) do
    list[#list + 1] = not name:find("^start%..+%.%a+$") and name or nil
  end
  return list
end

--- An option's value: `i/n`, part i of n.
---@param text string
---@return { index: integer, count: integer }?
---@return string? wanted
function axes.part(text)
  local i, n = text:match("^(%d+)/(%d+)$")
  i, n = tonumber(i), tonumber(n)
  if i and i >= 1 and i <= n and n <= MOST then
    return { index = i, count = n }
  end
  return nil, "i/n with i from 1 to n"
end

--- The runs of a part, all of them without one: every n-th, so that parts take alike long.
---@param count integer
---@param part? { index: integer, count: integer }
---@return integer[]
function axes.runs(count, part)
  local list = {}
  for i = part and part.index or 1, count, part and part.count or 1 do
    list[#list + 1] = i
  end
  return list
end

return axes
