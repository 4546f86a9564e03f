--- Where a random drawing has its numbers from: the same numbers for the same seed, plain, or as
--- expressions of parameters that are declared with other values.
local sarrus = require "sarrus"
local draw = dofile("spec/random/tools/draw.lua")

local sources = {}

local ROUNDING = 1e-15

---@class Source
---@field values table<string, number>? of the parameters
local Source = {}
Source.__index = Source

--- Expressions that are x for a value of a parameter: { the expression, that value }; from is its
--- range.
local forms = {
  function(p) return p end, function(x) return x end,
  function(p) return 2 * p end, function(x) return x / 2 end,
  function(p) return p + 0.75 end, function(x) return x - 0.75 end,
  function(p) return sarrus.log(p) end, function(x) return math.exp(x) end,
}

--- A number from low to high; where a parameter stands for it, as drawn it is another one.
function Source:number(low, high)
  local x, declared = self.draw:between(low, high), self.draw:between(low, high)
  local form, varies = self.draw:whole(1, #forms / 2), self.draw:chance(0.6)
  if not self.values or not varies then
    return self.nudge and x * (1 + ROUNDING * self.nudge:between(-1, 1)) or x
  end
  self.count = self.count + 1
  local name = "p" .. self.count
  self.values[name] = forms[2 * form](x)
  return forms[2 * form - 1](sarrus.parameter(name, forms[2 * form](declared)))
end

--- A list of numbers about others.
function Source:about(list, size)
  local result = {}
  for i, x in ipairs(list) do
    result[i] = x + self:number(-size, size)
  end
  return result
end

local function new(seed, values, nudge)
  return setmetatable({ draw = draw.new(seed), values = values, nudge = nudge, count = 0 },
    Source)
end

--- Numbers; with a seed of their own for it, each off by rounding.
function sources.numbers(seed, nudge)
  return new(seed, nil, nudge and draw.new(nudge))
end

--- Expressions of parameters, with the values for which they are the numbers.
function sources.expressions(seed)
  return new(seed, {})
end

return sources
