--- Axes: from values to lengths in the picture, with ticks where people expect them.
---
--- An axis is { low, high, log, power, ticks, place(x) }: ticks are { at =, text = } (no text: a
--- minor one), place gives 0 to 1 along the axis, or nil where a value cannot be drawn, and the
--- texts are in units of 10^power.

local svg = require "sarrus.output.svg"

local axis = {}

local MINUS = "\226\136\146" -- U+2212

-- Spread less than this, relative to the values, is rounding: the values are one and the same.
local SAME = 1e-9

local function log10(x)
  return math.log(x) / math.log(10)
end

local function is_finite(x)
  return x - x == 0
end

--- The least and the largest value that an axis can show; nil if there are none.
local function extent(lists, log)
  local low, high
  for _, list in ipairs(lists) do
    for _, x in ipairs(list) do
      if is_finite(x) and (not log or x > 0) then
        low, high = math.min(low or x, x), math.max(high or x, x)
      end
    end
  end
  return low, high
end

-- Linear -----------------------------------------------------------------------------------------

--- The range to show: what there is, and a little more; of a single value, some room around it.
local function padded(low, high, padding)
  local size = math.max(math.abs(low), math.abs(high))
  if high - low <= SAME * size then
    local middle, room = (low + high) / 2, size == 0 and 1 or 0.1 * size
    return middle - room, middle + room
  end
  local room = padding * (high - low)
  return low - room, high + room
end

--- The next step 1, 2 or 5 times a power of ten: mantissa and exponent.
local function step_above(least)
  local exponent = math.floor(log10(least))
  for _, mantissa in ipairs { 1, 2, 5 } do
    if mantissa * 10 ^ exponent >= least * (1 - 1e-9) then
      return mantissa, exponent
    end
  end
  return 1, exponent + 1
end

--- Large and small numbers are told in thousands of thousands.
local function power_of(low, high)
  local size = math.max(math.abs(low), math.abs(high))
  if size >= 1e5 or size < 1e-2 then
    return 3 * math.floor(log10(size) / 3 + 1e-9)
  end
  return 0
end

local function number_text(n, decimals)
  return (svg.fixed(n, decimals):gsub("^%-", MINUS))
end

local function linear_ticks(low, high, count, power)
  local mantissa, exponent = step_above((high - low) / count)
  local step, list = mantissa * 10.0 ^ exponent, {}
  local shift = exponent - power -- of the last digit that is written
  for k = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) do
    local n = k * mantissa * (shift > 0 and 10 ^ shift or 1)
    list[#list + 1] = { at = k * step, text = number_text(n, math.max(0, -shift)) }
  end
  return list
end

local function linear(low, high, count)
  local power = power_of(low, high)
  return {
    low = low, high = high, power = power, ticks = linear_ticks(low, high, count, power),
    place = function(x)
      return is_finite(x) and (x - low) / (high - low) or nil
    end,
  }
end

-- Logarithmic ------------------------------------------------------------------------------------

local function decade_text(exponent)
  if exponent == 0 or exponent == 1 then
    return exponent == 0 and "1" or "10"
  end
  return ("10^{%s}"):format(number_text(exponent, 0))
end

--- Every how many decades there is room for a text.
local function decades_between(span, count)
  for _, every in ipairs { 1, 2, 3, 5, 10, 20, 50 } do
    if span / every <= count then
      return every
    end
  end
  return 100
end

local function log_ticks(first, last, count)
  local every, list = decades_between(last - first, count), {}
  for exponent = first, last do
    local named = exponent % every == 0
    list[#list + 1] = { at = 10.0 ^ exponent, text = named and decade_text(exponent) or nil }
    for mantissa = 2, every == 1 and exponent < last and 9 or 1 do
      list[#list + 1] = { at = mantissa * 10.0 ^ exponent }
    end
  end
  return list
end

--- Whole decades around the values above 0.
local function logarithmic(lists, count)
  local low, high = extent(lists, true)
  local first, last = math.floor(log10(low or 1) + 1e-9), math.ceil(log10(high or 10) - 1e-9)
  last = math.max(last, first + 1)
  return {
    low = 10.0 ^ first, high = 10.0 ^ last, log = true, power = 0,
    ticks = log_ticks(first, last, count),
    place = function(x)
      return x > 0 and is_finite(x) and (log10(x) - first) / (last - first) or nil
    end,
  }
end

--- An axis for the values of some lists.
---@param lists number[][]
---@param options { log?: boolean, count: number, padding?: number } count: about how many ticks have room
---@return table
function axis.new(lists, options)
  if options.log then
    return logarithmic(lists, options.count)
  end
  local low, high = extent(lists, false)
  low, high = padded(low or 0, high or 0, options.padding or 0)
  return linear(low, high, options.count)
end

--- Give two linear axes the same scale in pixels: one of them then shows more than its values need.
---@param x table
---@param y table
---@param width number of the box, in pixels
---@param height number
---@param counts { x: number, y: number } about how many ticks have room
---@return table x
---@return table y
function axis.equal(x, y, width, height, counts)
  local scale = math.max((x.high - x.low) / width, (y.high - y.low) / height)
  local function widened(one, pixels, count)
    local middle, half = (one.low + one.high) / 2, scale * pixels / 2
    return linear(middle - half, middle + half, count)
  end
  return widened(x, width, counts.x), widened(y, height, counts.y)
end

--- The text beside an axis: what, and in which unit.
---@param name string
---@param unit string
---@param power integer
---@return string
function axis.title(name, unit, power)
  if power ~= 0 then
    local factor = ("10^{%s}"):format(number_text(power, 0))
    unit = unit == "" and factor or factor .. " " .. unit
  end
  local bracket = unit == "" and "" or "[" .. unit .. "]"
  return name == "" and bracket or bracket == "" and name or name .. " " .. bracket
end

return axis
