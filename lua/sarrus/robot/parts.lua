--- Items as the parts of a model.

local expr = require "sarrus.expr"
local families = require "sarrus.model.part.family"
local vec = require "sarrus.expr.vec"

local parts = {}

--- The value of a formula: its text is compiled, so that a script made of it has the same digits.
local function value_of(formula, motors)
  local chunk = "local motor = ... return " .. formula.text
  return assert((loadstring or load)(chunk))(motors) -- luacheck: std max
end

local function part_of(item, motors)
  local given = {}
  for key, value in pairs(item.given) do
    given[key] = type(value) == "table" and value.text and value_of(value, motors) or value
  end
  local part = families.constructor(item[1], item[2])(given)
  rawset(part, "place", ("%s:%d"):format(item.element.file, item.element.line))
  rawset(part, "mesh", item.points)
  return part
end

--- A list of parts.
---@param result table
---@return sarrus.ImportedParts
function parts.of(result)
  for _, frame in pairs(result.frames) do
    frame.position = vec.new(frame.position)
  end
  local list = {
    name = result.name, gravity = result.gravity and vec.new(result.gravity),
    notes = result.notes, frames = result.frames,
  }
  local motors = {}
  for _, parameter in ipairs(result.parameters) do
    motors[parameter.variable] = expr.parameter(parameter.name, 0)
  end
  for _, section in ipairs(result.sections) do
    for _, item in ipairs(section) do
      list[#list + 1] = part_of(item, motors)
    end
  end
  return list
end

return parts
