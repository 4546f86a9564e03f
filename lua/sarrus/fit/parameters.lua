--- What is fitted: parameters of a model or a system, and values of its start.

local drawn = require "sarrus.model.part.drawn"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local start_tangent = require "sarrus.model.start.tangent"

local parameters = {}

---@class sarrus.Fitted
---@field name string
---@field value number where the search begins
---@field low number
---@field high number
---@field path (string|integer)[] where it stands in what `simulate` takes
---@field whole number[]? the vector of which it is a component

local function parameter_or_name(value, path, fault)
  return fields.string(expr.named(value), path, fault)
end

--- A kind for fields: names, or { name, low =, high =, value = }.
function parameters.kind(value, path, fault)
  local record = fields.record {
    { 1, parameter_or_name, required = true }, { "low", fields.number }, { "high", fields.number },
    { "value", fields.number },
  }
  local seen = {}
  return fields.list(function(one, at, complain)
    local named = expr.named(one)
    if expr.is(named) then
      return complain(("%s: %s, want a parameter or its name"):format(at, errors.got(named)))
    end
    local given = type(named) == "string" and { named } or record(one, at, complain)
    local name = type(given) == "table" and given[1]
    if not name then
      return nil
    elseif seen[name] then
      return complain(("%s: %s is named twice"):format(at, errors.show(name)))
    end
    seen[name] = true
    given.low, given.high = given.low or -math.huge, given.high or math.huge
    if given.low >= given.high then
      return complain(("%s: low %s is not below high %s"):format(at, errors.show(given.low),
        errors.show(given.high)))
    end
    return given
  end)(value, path, fault)
end

--- The starting values that can be fitted, by name.
local function starting_values(subject, sim)
  local model = rawget(sim.system, "model")
  if model then
    return start_tangent.starting_values(drawn.of_sim(model, sim), sim:state())
  end
  local list, s = {}, sim:state()
  for _, of in ipairs { "q", "v" } do
    for i, name in ipairs(subject.coordinates) do
      list[#list + 1] =
        { name = ("start.%s.%s"):format(of, name), path = { of, name }, value = s[of][i] }
    end
  end
  return list
end

--- Where fitted names stand, and what they are now, by a simulation from the start.
---@param subject table
---@param sim sarrus.Sim
---@param list table[] checked names
---@param what string
---@return sarrus.Fitted[]
function parameters.find(subject, sim, list, what)
  local known, names = {}, {}
  for _, one in ipairs(sim.parameters) do
    if not one.hidden then
      known[one.name] = { path = { "parameters", one.name }, value = sim:get(one.name) }
      names[#names + 1] = one.name
    end
  end
  for _, one in ipairs(starting_values(subject, sim)) do
    known[one.name] = one
    names[#names + 1] = one.name
  end
  local fitted = {}
  for i, given in ipairs(list) do
    local one = known[given[1]]
    if not one then
      errors.raise(("%s: %s is no parameter and no starting value%s"):format(what,
        errors.show(given[1]), errors.suggest(given[1], names)))
    end
    local value = given.value or math.max(given.low, math.min(given.high, one.value))
    if value < given.low or value > given.high then
      errors.raise(("%s: %s: the value %s is not from %s to %s"):format(what, given[1],
        errors.show(value), errors.show(given.low), errors.show(given.high)))
    end
    fitted[i] = {
      name = given[1], value = value, low = given.low, high = given.high, path = one.path,
      whole = one.whole,
    }
  end
  return fitted
end

--- What `simulate` takes, with values for what is fitted.
---@param given table
---@param fitted sarrus.Fitted[]
---@param x number[]
---@return table
function parameters.start(given, fitted, x)
  for j, one in ipairs(fitted) do
    for i, component in ipairs(one.whole or {}) do -- a vector is given whole
      local path = { one.path[1], one.path[2], one.path[3], i }
      local own = ((given[path[1]] or {})[path[2]] or {})[path[3]] or {}
      given = start_tangent.with(given, path, own[i] or component)
    end
    given = start_tangent.with(given, one.path, x[j])
  end
  return given
end

--- Values that are no parameters of the subject's are misuse.
function parameters.check_fixed(subject_parameters, fixed, what)
  local names = expr.known(subject_parameters)
  local known = {}
  for _, name in ipairs(names) do
    known[name] = true
  end
  for name in pairs(fixed) do
    if not known[name] then
      errors.raise(("%s: fixed: %s"):format(what, errors.unknown("parameter", name, names)))
    end
  end
end

return parameters
