--- Parameters of a model: the same name stands for the same value everywhere.

local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"

local parameters = {}

-- Expressions stand in fields, in vectors and in matrices.
parameters.DEPTH = 3

local function set(names)
  local known = {}
  for name in names:gmatch("%S+") do
    known[name] = true
  end
  return known
end

-- Fields that only act on a mechanism: no drawing shows them, no start needs their values.
local ACTS = set [[
  stiffness damping rest torque force motion friction restitution limits linear quadratic
]]

-- Fields that say where and how large things are, which stays so while the mechanism moves, unless
-- a definition says otherwise.
local DRAWN = set [[
  at from to position axis axes normal cone angle orientation size points scale radius length
]]

--- Whether there is an expression in a value.
---@param value any
---@param depth integer
---@return boolean
function parameters.any(value, depth)
  if type(value) ~= "table" then
    return false
  elseif expr.is(value) then
    return true
  end
  for _, x in pairs(depth > 0 and value or {}) do
    if type(x) == "table" and parameters.any(x, depth - 1) then
      return true
    end
  end
  return false
end

--- The keys of a table, in an order that is the same in every run.
local function ordered(list)
  local keys = {}
  for key in pairs(list) do
    keys[#keys + 1] = key
  end
  table.sort(keys, function(a, b)
    local one, other = type(a), type(b)
    if one ~= other then
      return one < other
    elseif one == "number" then
      return a < b
    end
    return tostring(a) < tostring(b)
  end)
  return keys
end

--- Call `each` with the expressions in a value, in the order of its keys.
---@param value any
---@param depth integer
---@param each fun(e: sarrus.Expression)
function parameters.expressions(value, depth, each)
  if expr.is(value) then
    each(value)
  elseif type(value) == "table" and depth > 0 then
    for _, key in ipairs(ordered(value)) do
      parameters.expressions(value[key], depth - 1, each)
    end
  end
end

---@class sarrus.ModelParameter
---@field [1] number its value
---@field [2] string the part that it was first met in, as messages name it
---@field measured boolean? numbers of the drawing, or of the bodies, depend on it
---@field drawn string? where it says where or how large something is: `body.rod "crank": to`

--- The parameters of a part's fields, by name; the values that contradict each other.
---@param part { definition?: table, given: any } a part, or what is like one
---@param owner string as messages name it
---@return table<string, sarrus.ModelParameter> found
---@return sarrus.Expression[] others of the same name and another value
function parameters.find(part, owner)
  local found, others, free = {}, {}, part.definition and part.definition.free or {}
  local function put(field, node)
    local known = found[node.name] or { node.value, owner }
    found[node.name] = known
    if known[1] ~= node.value then
      others[#others + 1] = node
    end
    known.measured = known.measured or not ACTS[field]
    if DRAWN[field] and not free[field] then
      known.drawn = known.drawn or ("%s: %s"):format(owner, field)
    end
  end
  for _, field in ipairs(type(part.given) == "table" and ordered(part.given) or {}) do
    parameters.expressions(part.given[field], parameters.DEPTH - 1, function(e)
      expr.find(e, function(node)
        if node.op == "parameter" then
          put(field, node)
        end
      end)
    end)
  end
  return found, others
end

--- Tell where the parameters of a part contradict those of the model.
---@param model sarrus.Model
---@param found table<string, sarrus.ModelParameter>
---@param others sarrus.Expression[]
---@param fault fun(message: string)
function parameters.check(model, found, others, fault)
  local messages = {}
  local function tell(name, value, other)
    messages[#messages + 1] = ("parameter %s is %s, but %s in %s"):format(errors.show(name),
      errors.show(value), errors.show(other[1]), other[2])
  end
  for name, entry in pairs(found) do
    local other = model.parameters[name]
    if other and other[1] ~= entry[1] then
      tell(name, entry[1], other)
    end
  end
  for _, node in ipairs(others) do
    tell(node.name, node.value, found[node.name])
  end
  fields.tell(messages, fault)
end

--- Remember the parameters of a part that has become one of the model's.
---@param model sarrus.Model
---@param found table<string, sarrus.ModelParameter>
function parameters.keep(model, found)
  for name, entry in pairs(found) do
    local known = model.parameters[name] or entry
    known.measured = known.measured or entry.measured
    known.drawn = known.drawn or entry.drawn
    model.parameters[name] = known
  end
end

--- Whether what a part is depends on parameters.
---@param found table<string, sarrus.ModelParameter>
---@return boolean
function parameters.measure(found)
  for _, entry in pairs(found) do
    if entry.measured then
      return true
    end
  end
  return false
end

--- The names of those that have a property, in order.
---@param found table<string, sarrus.ModelParameter>
---@param property? "measured"|"drawn"
---@return string[]
function parameters.names(found, property)
  local names = {}
  for name, entry in pairs(found) do
    names[#names + 1] = (not property or entry[property]) and name or nil
  end
  table.sort(names)
  return names
end

return parameters
