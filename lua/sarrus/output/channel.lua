--- Channels: `"part.quantity[.component]"`, which the core evaluates where it can, or `{ "label",
--- function(s) … end }`, which asks the script.

local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"

---@class sarrus.Channel
---@field label string
---@field unit string "" where it is not known
---@field expression sarrus.Scalar? of the state
---@field f (fun(s: sarrus.State): number)? instead

local channel = {}

-- Names ------------------------------------------------------------------------------------------

local function names_of(list)
  local names = {}
  for i, entry in ipairs(list) do
    names[i] = entry.name
  end
  return names
end

--- Some names, as messages list them.
local function listed(names)
  local shown = {}
  for i = 1, math.min(#names, 12) do
    shown[i] = names[i]
  end
  return table.concat(shown, ", ") .. (#names > 12 and ", …" or "")
end

local function find(list, name)
  for _, entry in ipairs(list) do
    if entry.name == name then
      return entry
    end
  end
end

local function unknown(noun, word, names)
  return ("unknown %s %s%s, want one of %s"):format(noun, errors.show(word),
    errors.suggest(word, names), listed(names))
end

--- The source, and the words after it; names of sources have no points.
local function source_of(sources, label)
  local word, rest = label:match("^([^.]*)%.?(.*)$")
  local source = find(sources, word)
  if not source then
    return nil, unknown("part", word, names_of(sources))
  end
  return source, rest
end

--- The quantity and the component's number; names of parameters may have points.
local function quantity_of(source, rest)
  local whole = find(source.quantities, rest)
  local word, component = rest:match("^(.*)%.([^.]*)$")
  local quantity = whole or find(source.quantities, word or "")
  if not quantity then
    local first = rest:match("^[^.]*")
    return nil, unknown("quantity of " .. source.name, first, names_of(source.quantities))
  end
  component = not whole and component or nil
  local path = source.name .. "." .. quantity.name
  for i, name in ipairs(quantity.components or {}) do
    if name == component then
      return quantity, i
    end
  end
  if not component and quantity.components then
    return nil, ("%s has components: %s"):format(path,
      path .. "." .. table.concat(quantity.components, ", " .. path .. "."))
  elseif component and quantity.components then
    return nil, unknown("component of " .. path, component, quantity.components)
  elseif component then
    return nil, path .. " is one number, without components"
  end
  return quantity, nil
end

-- Checking ---------------------------------------------------------------------------------------

--- The derivative of a channel by a name of the simulation's `sensitivity`, "J1.angle:k".
local function derivative(sources, label, of, by)
  local base, message = channel.named(sources, of)
  if not base or not base.expression then
    return nil, message or ("%s has no derivative"):format(of)
  elseif sources.many then
    return nil, ("%s: of many runs a derivative is a channel with a function: "
      .. "{ %s, function(s) return s:derivative(%s, %s) end }"):format(label, errors.show(label),
      errors.show(of), errors.show(by))
  elseif not sources.followed then
    return nil, ("%s: no derivatives are followed: give simulate sensitivity = { %s }"):format(
      label, errors.show(by))
  end
  local known = {}
  for _, name in ipairs(sources.followed) do
    known[name] = true
  end
  if not known[by] then
    return nil, ("%s: %s is not followed%s: sensitivity lists %s"):format(label, errors.show(by),
      errors.suggest(by, sources.followed), table.concat(sources.followed, ", "))
  end
  return { label = label, unit = "", f = function(s)
    return s:derivative(of, by)
  end }
end

--- A channel by name, or nil and what is wrong with it.
---@param sources { name: string, quantities: sarrus.Quantity[] }[]
---@param label string
---@return sarrus.Channel?
---@return string? message
function channel.named(sources, label)
  local of, by = label:match("^([^:]*):(.*)$")
  if of then
    return derivative(sources, label, of, by)
  end
  local source, rest = source_of(sources, label)
  if not source then
    return nil, rest
  end
  local quantity, i = quantity_of(source, rest)
  if not quantity then
    return nil, i
  end
  return {
    label = label,
    unit = quantity.unit,
    expression = quantity.get and quantity.get(i),
    f = quantity.f and function(s)
      return quantity.f(s, i)
    end,
  }
end

--- What a script calls a channel; those names have a meaning of their own.
local function check_label(label, taken)
  if label == "" or label:find("[%c]") then
    return ("%s is no label"):format(errors.show(label))
  elseif taken[label] then
    return ("the name %s is taken"):format(errors.show(label))
  end
end

--- A kind for fields: a list of channels of these sources.
---@param sources { name: string, quantities: sarrus.Quantity[] }[]
---@param reserved table<string, boolean> names that labels cannot have
function channel.list(sources, reserved)
  local taken = setmetatable({}, { __index = reserved })
  local scripted = fields.record {
    { 1, fields.string, required = true }, { 2, fields.callable, required = true },
    { "unit", fields.string, default = "" },
  }
  local function channel_of(value, path, fault)
    if type(value) == "string" then
      return channel.named(sources, value)
    elseif type(value) ~= "table" then
      return nil, errors.got(value) .. ', want "part.quantity" or { "label", function(s) … end }'
    end
    local given = scripted(value, path, fault)
    return given[1] and given[2] and { label = given[1], unit = given.unit, f = given[2] }
  end
  return fields.list(function(value, path, fault)
    local result, message = channel_of(value, path, fault)
    message = message or result and check_label(result.label, taken)
    if message then
      return fault(path .. ": " .. message)
    elseif result then
      taken[result.label] = true
    end
    return result
  end)
end

--- The bodies whose positions no joint's coordinate tells: those without joints, or all of them
--- where no joint has a coordinate.
local function untold_bodies(model, has_coordinates)
  local jointed, list = {}, {}
  for _, joint in ipairs(has_coordinates and model.joints or {}) do
    for _, body in ipairs(joint.bodies or {}) do
      jointed[body] = true
    end
  end
  for _, body in ipairs(model.bodies) do
    list[#list + 1] = not jointed[body] and body or nil
  end
  return list
end

--- The channels when none are given: of models the joints' coordinates, the positions of bodies
--- without joints (of all, where no joint has a coordinate), the energy and the error of the
--- constraints; of systems the coordinates.
---@param sim sarrus.Sim
---@return string[]
function channel.default(sim)
  local system, labels = sim.system, {}
  local model = system.model
  for _, name in ipairs(not model and system.coordinates or {}) do
    labels[#labels + 1] = (system.algebraic and "x." or "q.") .. name
  end
  for _, name in ipairs(system.algebraic or {}) do
    labels[#labels + 1] = "y." .. name
  end
  if not model then
    return labels
  end
  for _, joint in ipairs(model.joints) do
    for _, name in ipairs { "angle", "length" } do
      labels[#labels + 1] = joint[name] and joint.name .. "." .. name or nil
    end
  end
  for _, body in ipairs(untold_bodies(model, #labels > 0)) do
    for _, axis in ipairs { "x", "y", model.dimension == 3 and "z" or nil } do
      labels[#labels + 1] = body.name .. ".position." .. axis
    end
  end
  labels[#labels + 1] = "energy.total"
  labels[#labels + 1] = #model.equations.constraints > 0 and "residual.position" or nil
  return labels
end

return channel
