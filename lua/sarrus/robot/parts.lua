--- Items as the parts of a model.

local expr = require "sarrus.expr"
local families = require "sarrus.model.family"

local parts = {}

--- The value of a formula: its text is compiled, so that a script made of it has the same digits.
local function value_of(formula, variables, values)
  local chunk = ("local %s = ... return %s"):format(
    #variables > 0 and table.concat(variables, ", ") or "_", formula.text)
  local unpack = table.unpack or unpack -- luacheck: std max
  return assert((loadstring or load)(chunk))(unpack(values)) -- luacheck: std max
end

local function part_of(item, variables, values)
  local given = {}
  for key, value in pairs(item.given) do
    given[key] = type(value) == "table" and value.text and value_of(value, variables, values)
      or value
  end
  local part = families.constructor(item[1], item[2])(given)
  part.place = ("%s:%d"):format(item.element.file, item.element.line)
  part.mesh = item.points
  return part
end

--- A list of parts.
---@param result table
---@return sarrus.ImportedParts
function parts.of(result)
  local list = {
    name = result.name, gravity = result.gravity, notes = result.notes, frames = result.frames,
  }
  local variables, values = {}, {}
  for i, parameter in ipairs(result.parameters) do
    variables[i], values[i] = parameter.variable, expr.parameter(parameter.name, 0)
  end
  for _, section in ipairs(result.sections) do
    for _, item in ipairs(section) do
      list[#list + 1] = part_of(item, variables, values)
    end
  end
  return list
end

return parts
