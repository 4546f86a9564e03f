--- Where an analysis stands: at a state of the model, or at a start that a script gives.

local changes = require "sarrus.sim.changes"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local mechanism = require "sarrus.model.mechanism"

local stand = {}

local OF_STARTS = { "joints", "bodies", "parameters", "t" }

local function is_state(at)
  return type(at) == "table" and getmetatable(at) ~= nil and rawget(getmetatable(at), "is_state")
    or false
end

--- The values of a state's parameters that scripts know.
local function parameters_of(model, s)
  local values = {}
  for _, name in ipairs(expr.known(mechanism.system(model).parameters)) do
    values[name] = s.parameters[name]
  end
  return values
end

--- Raise where a start has fields that starts do not have.
local function check(model, verb, at)
  if type(at) ~= "table" then
    errors.raise(("%s: %s: %s, want a state or a start"):format(model.what, verb, errors.got(at)))
  end
  local known = {}
  for _, name in ipairs(OF_STARTS) do
    known[name] = true
  end
  local names = {}
  for name in pairs(at) do
    names[#names + 1] = tostring(name)
  end
  table.sort(names)
  for _, name in ipairs(names) do
    if not known[name] then
      errors.raise(("%s: %s: unknown field %s%s, want %s"):format(model.what, verb,
        errors.show(name), errors.suggest(name, OF_STARTS), table.concat(OF_STARTS, ", ")))
    end
  end
end

--- A simulation that stands there.
---@param model sarrus.Model
---@param verb string who asks
---@param at? sarrus.ModelState|sarrus.Start
---@return sarrus.Sim?
---@return string? message
---@return string? code
function stand.at(model, verb, at)
  if is_state(at) then
    if rawget(at, "model") ~= model then
      errors.raise(("%s: %s: the state is of another model"):format(model.what, verb))
    end
    local refused = changes.refusal(at)
    if refused then
      return nil, ("%s: %s: %s"):format(model.what, verb, refused), "LIMIT"
    end
    return mechanism.stand(model, { t = at.t, parameters = parameters_of(model, at) }, at.q, at.v)
  end
  check(model, verb, at or {})
  return mechanism.simulate(model, at or {})
end

--- A simulation of the same model at other positions and velocities.
---@param s sarrus.ModelState
---@param q number[]
---@param v number[]
function stand.moved(s, q, v)
  return mechanism.stand(s.model, { t = s.t, parameters = parameters_of(s.model, s) }, q, v)
end

return stand
