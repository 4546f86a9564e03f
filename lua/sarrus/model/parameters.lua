--- Parameters of a model: the same name stands for the same value everywhere.

local errors = require "sarrus.errors"
local expr = require "sarrus.expr"

local parameters = {}

-- Expressions stand in fields, in vectors and in matrices.
local DEPTH = 3

--- Call `each` with the parameters in a value.
local function visit(value, depth, each)
  if expr.is(value) then
    expr.find(value, function(node)
      if node.op == "parameter" then
        each(node)
      end
    end)
  elseif type(value) == "table" and depth > 0 then
    for _, x in pairs(value) do
      visit(x, depth - 1, each)
    end
  end
end

--- The parameters of a part's fields, by name { value, part }; faults where they contradict those
--- of the model.
---@param model sarrus.Model
---@param owner string the part, as messages name it
---@param given any its fields
---@param fault fun(message: string)
---@return table<string, table> found
function parameters.check(model, owner, given, fault)
  local found, messages = {}, {}
  visit(given, DEPTH, function(node)
    local other = model.parameters[node.name] or found[node.name]
    if other and other[1] ~= node.value then
      messages[#messages + 1] = ("parameter %s is %s, but %s in %s"):format(
        errors.show(node.name), errors.show(node.value), errors.show(other[1]), other[2])
    end
    found[node.name] = other or { node.value, owner }
  end)
  table.sort(messages)
  for _, message in ipairs(messages) do
    fault(message)
  end
  return found
end

--- Remember the parameters of a part that has become one of the model's.
function parameters.keep(model, found)
  for name, entry in pairs(found) do
    model.parameters[name] = entry
  end
end

return parameters
