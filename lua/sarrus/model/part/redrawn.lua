--- Parametric models, drawn anew for values of their parameters: see drawn.lua.

local errors = require "sarrus.base.errors"
local evaluator = require "sarrus.expr.evaluate"
local expr = require "sarrus.expr"
local families = require "sarrus.model.part.family"
local parameters = require "sarrus.model.part.parameters"
local parts = require "sarrus.model.part"
local size = require "sarrus.model.drawing.size"

local redrawn = {}

-- So many are kept, for sweeps that come back to the same values.
local MOST = 4

local POSE = { "position", "angle", "rotation" }

-- Numbers ----------------------------------------------------------------------------------------

local function is_of_time(e)
  return expr.find(e, function(node) return node.op == "symbol" end) ~= nil
end

--- All expressions of parameters that parts give, and the poses that bodies have by them.
local function expressions_of(model)
  local list, known = {}, {}
  local function put(e)
    if not known[e] and not is_of_time(e) then
      list[#list + 1], known[e] = e, true
    end
  end
  parameters.expressions(model.gravity, 1, put)
  for _, family in ipairs(families.all()) do
    for _, record in ipairs(model[family.list]) do
      if model.measures[record.part] then
        parameters.expressions(record.part.given, parameters.DEPTH, put)
      end
    end
  end
  for _, body in ipairs(model.bodies) do
    for _, field in ipairs(POSE) do
      parameters.expressions(body[field], 2, put)
    end
  end
  return list
end

--- The values of these expressions.
---@return table<sarrus.Expression, number>
local function numbers_of(model, values)
  local measured = model.measured
  if not measured then
    local list = expressions_of(model)
    measured = { list = list, evaluate = evaluator(list) }
    model.measured = measured
  end
  local x, numbers = measured.evaluate(0, {}, nil, nil, nil, values), {}
  for i, e in ipairs(measured.list) do
    numbers[e] = x[i]
  end
  return numbers
end

--- A value with numbers in the place of expressions.
local function with_numbers(value, numbers, depth)
  if expr.is(value) then
    return numbers[value] or value
  elseif type(value) ~= "table" or depth == 0 then
    return value
  end
  local copy, changed = {}, false
  for key, x in pairs(value) do
    copy[key] = with_numbers(x, numbers, depth - 1)
    changed = changed or copy[key] ~= x
  end
  return changed and copy or value
end

-- Parts ------------------------------------------------------------------------------------------

--- The parameters of a part in words, ` (L = 0)`; of one that has none, those of the model.
local function words(model, part, values)
  local found, texts = model.measures[part] or model.parameters, {}
  for i, name in ipairs(parameters.names(found, "measured")) do
    texts[i] = ("%s = %s"):format(name, errors.show(values[name] or found[name][1]))
  end
  return " (with " .. table.concat(texts, ", ") .. ")"
end

--- The families, those first whose parts others refer to.
local function by_stage()
  local list = families.all()
  local order = {}
  for i, family in ipairs(list) do
    order[family] = i
  end
  table.sort(list, function(a, b)
    return a.stage < b.stage or a.stage == b.stage and order[a] < order[b]
  end)
  return list
end

--- A record, declared with numbers; nil and faults.
local function declare(view, model, record, numbers, fault)
  local part = record.part
  if model.measures[part] then
    part = parts.with(part, with_numbers(part.given, numbers, parameters.DEPTH))
  end
  local own = families.of(record.family).declare(view, part, fault)
  if not own then
    return nil
  end
  for _, field in ipairs(record.family == "body" and POSE or {}) do
    own[field] = with_numbers(record[field], numbers, 2) -- as the equations have them
  end
  return setmetatable(own, { __index = record })
end

--- The model for values of all its parameters; faults where they allow none.
---@param model sarrus.Model
---@param values table<string, number>
---@param fault_of fun(part: sarrus.Part): fun(message: string)
---@return table view
local function draw(model, values, fault_of)
  local numbers = numbers_of(model, values)
  local view = {
    index = {}, parametric = false, warn = function() end,
    gravity = with_numbers(model.gravity, numbers, 1),
  }
  setmetatable(view, { __index = model })
  for _, family in ipairs(by_stage()) do
    local list = {}
    view[family.list] = list
    for _, record in ipairs(model[family.list]) do
      local fault, part = fault_of(record.part), record.part
      local own = declare(view, model, record, numbers, function(message)
        fault(message .. words(model, part, values))
      end)
      view.index[record.name] = { family = family.name, part = part, record = own }
      list[#list + 1] = own
    end
  end
  return view
end

-- Values -----------------------------------------------------------------------------------------

--- The values of all parameters, as declared where none is given.
local function complete(model, given)
  local values = {}
  for name, entry in pairs(model.parameters) do
    values[name] = given and given[name] or entry[1]
  end
  return values
end

local function key_of(model, values)
  local texts = {}
  for i, name in ipairs(parameters.names(model.parameters, "measured")) do
    texts[i] = ("%.17g"):format(values[name])
  end
  return table.concat(texts, " ")
end

--- Check a parametric model as declared.
---@param model sarrus.Model
---@param fault_of fun(part: sarrus.Part): fun(message: string)
---@return table view
function redrawn.check(model, fault_of)
  model.measured, model.drawings = nil, {}
  return draw(model, complete(model), fault_of)
end

--- The model as drawn for values of its parameters; nil and a message where they allow none.
---@param model sarrus.Model a parametric one
---@param given? table<string, number> as declared where one is not given
---@return table? view with `size` and `weights`
---@return string? message
function redrawn.of(model, given)
  local values = complete(model, given)
  local key, kept = key_of(model, values), model.drawings
  if kept[key] then
    return kept[key]
  end
  local messages = {}
  local view = draw(model, values, function(part)
    return function(message)
      messages[#messages + 1] = ("%s: %s"):format(parts.title(part), message)
    end
  end)
  if #messages > 0 then
    return nil, table.concat(messages, "; ")
  end
  size.measure(view)
  if #kept == MOST then
    kept[table.remove(kept, 1)] = nil
  end
  kept[#kept + 1], kept[key] = key, view
  return view
end

return redrawn
