--- What can be recorded of a simulation, by name.
---
--- A source is what the first word of a channel names: a body, a joint, `energy`, `q` …  It lists
--- quantities,
---   { name =, unit =, components = { names } or nil,
---     get = function(i) → expression, or f = function(s, i) → number }
--- where i counts the components, and only what is asked for is computed.

local expr = require "sarrus.expr"
local families = require "sarrus.model.part.family"
local functions = require "sarrus.expr.functions".public
local observe = require "sarrus.model.equations.observe"

---@class sarrus.Quantity
---@field name string
---@field unit string
---@field components string[]? nil for a number
---@field get (fun(i?: integer): sarrus.Scalar)? as an expression of the state
---@field f (fun(s: sarrus.State, i?: integer): number)? as a function of the state

local quantities = {}

--- Fields of what `answer()` gives: { name, unit, components }.
local function fields_of(answer, list)
  local values
  local result = {}
  for i, entry in ipairs(list) do
    local name, components = entry[1], entry[3]
    result[i] = { name = name, unit = entry[2], components = components, get = function(k)
      values = values or answer()
      return components and values[name][k] or values[name]
    end }
  end
  return result
end

-- Models -----------------------------------------------------------------------------------------

--- What the family of a part lists of it.
local function of_part(s, family, name, channels)
  local list = fields_of(function()
    return s[family](s, name)
  end, channels)
  for i, entry in ipairs(channels) do
    if entry.numeric then
      list[i].get, list[i].f = nil, function(state, k)
        local value = state[family](state, name)[entry[1]]
        return k and value[k] or value
      end
    end
  end
  return list
end

--- The largest magnitude of some expressions.
local function largest(list, from, to)
  local worst = 0
  for i = from, to do
    worst = functions.max(worst, functions.abs(list[i]))
  end
  return worst
end

--- The errors that `list()` gives, those of positions first, and how many they are.
local function residual(list)
  return fields_of(function()
    local all, positions = list()
    return {
      position = largest(all, 1, positions), velocity = largest(all, positions + 1, #all),
    }
  end, { { "position", "" }, { "velocity", "" } })
end

local function of_model(model, s, sources)
  for _, family in ipairs(families.all()) do
    for _, record in ipairs(family.channels and rawget(model, family.list) or {}) do
      sources[#sources + 1] = { name = record.name, quantities = of_part(s, family.name,
        record.name, family.channels(model, record)) }
    end
  end
  sources[#sources + 1] = { name = "energy", quantities = fields_of(function()
    return s:energy()
  end, { { "kinetic", "J" }, { "potential", "J" }, { "total", "J" } }) }
  sources[#sources + 1] = { name = "residual", quantities = residual(function()
    return observe.residual(model)
  end) }
end

-- Systems ----------------------------------------------------------------------------------------

--- A list of symbols, by these names.
local function of_list(symbols, names)
  local result = {}
  for i, name in ipairs(names) do
    result[i] = { name = name, unit = "", get = function()
      return symbols[i]
    end }
  end
  return result
end

--- The constraints of a system, then their rates and the velocity constraints.
local function constraints_of(system, s)
  local list = {}
  for i, g in ipairs(system.constraints) do
    list[i] = g
  end
  for _, g in ipairs(system.constraints) do
    local rate = expr.diff(g, expr.time)
    for j, q in ipairs(s.q) do
      rate = rate + expr.diff(g, q) * s.v[j]
    end
    list[#list + 1] = rate
  end
  for _, g in ipairs(system.velocity_constraints) do
    list[#list + 1] = g
  end
  return list, #system.constraints
end

--- What models have of a contact, but for forces on bodies.
local function of_contact(s, name)
  return fields_of(function()
    return s:contact(name)
  end, { { "gap", "" }, { "normal_force", "" }, { "friction_force", "" }, { "mode", "" } })
end

local function of_system(system, s, sources)
  local multipliers = {}
  for i = 1, (system.constraint_count or 0) + (system.velocity_constraint_count or 0) do
    multipliers[i] = tostring(i)
  end
  for _, entry in ipairs {
    { "q", system.coordinates }, { "v", system.coordinates }, { "a", system.coordinates },
    { "lambda", multipliers }, { "x", system.coordinates }, { "y", system.algebraic },
  } do
    local name, names = entry[1], entry[2]
    local symbols = rawget(s, name)
    if symbols and #names > 0 then
      sources[#sources + 1] = { name = name, quantities = of_list(symbols, names) }
    end
  end
  if #multipliers > 0 then
    sources[#sources + 1] = { name = "residual", quantities = residual(function()
      return constraints_of(system, s)
    end) }
  end
  for _, law in ipairs(rawget(system, "contacts") or {}) do
    sources[#sources + 1] = { name = law.name, quantities = of_contact(s, law.name) }
  end
end

-- All --------------------------------------------------------------------------------------------

local function of_parameters(parameters)
  local result = {}
  for _, parameter in ipairs(parameters) do
    if not parameter.hidden then
      result[#result + 1] = { name = parameter.name, unit = "", get = function()
        return expr.parameter(parameter.name, parameter.value)
      end }
    end
  end
  return result
end

--- The sources of a simulation, in order; `followed`: names that derivatives are taken by;
--- `many`: they are those of an ensemble.
---@param sim sarrus.Sim
---@return { name: string, quantities: sarrus.Quantity[] }[]
function quantities.of(sim)
  local system = sim.system
  local sources = { followed = (rawget(sim, "sensitivity") or {}).names }
  local s = system:symbols()
  if system.model then
    of_model(system.model, s, sources)
  else
    of_system(system, s, sources)
  end
  if #expr.known(sim.parameters) > 0 then
    sources[#sources + 1] = { name = "parameter", quantities = of_parameters(sim.parameters) }
  end
  return sources
end

return quantities
