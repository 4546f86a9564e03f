--- Derivatives of a simulation by parameters and starting values: which are followed, and what
--- states keep of them.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local later = require "sarrus.base.later"
local derivative = later "sarrus.output.derivative"

--- How the start changes in one direction; without q and v, only as the constraints ask for.
---@class sarrus.StartTangent
---@field q number[]?
---@field v number[]?
---@field parameter string? that changes

local sensitivity = {}

-- Why there are no derivatives any more.
local REASONS = {
  EVENT = "something only touches there, so that its instant has no derivative",
  CONTACT = "several things happen there at one instant, which would not do so beside it",
  INCONSISTENT = "constraints that depend on others would no longer hold",
  LIMIT = "an impact there begins the motion, lies between two kinds (what slips beside it sticks, "
    .. "or bounces again), or has friction in space where nothing slips before it; or a change "
    .. "there moves positions, or acts at a point; or friction of a coefficient 0 would begin",
}

--- The field `sensitivity` of `simulate`: names, all different.
function sensitivity.names(value, path, fault)
  if type(value) ~= "table" then
    return fault(("%s: %s, want a list of names"):format(path, errors.got(value)))
  end
  local seen, names = {}, {}
  for i, one in ipairs(value) do
    local name = expr.named(one)
    if type(name) ~= "string" then
      return fault(("%s[%d]: %s, want a name"):format(path, i, errors.got(name)))
    elseif seen[name] then
      return fault(("%s[%d]: %s stands there twice"):format(path, i, errors.show(name)))
    end
    seen[name], names[i] = true, name
  end
  return names
end

--- Raise: a name stands for nothing that can be changed.
---@param known string[]
function sensitivity.unknown(subject, name, known)
  errors.raise(("%s: simulate: sensitivity: %s is no parameter and no starting value%s"):format(
    subject.what, errors.show(name), errors.suggest(name, known)))
end

--- The tangent of a parameter by name, or nil.
---@return sarrus.StartTangent?
function sensitivity.of_parameter(parameters, name)
  for _, known in ipairs(expr.known(parameters)) do
    if known == name then
      return { parameter = name }
    end
  end
end

--- The core's list of `count` numbers of each tangent, one after the other.
local function flat(tangents, count, get)
  local list = {}
  for _, tangent in ipairs(tangents) do
    for i = 1, count do
      list[#list + 1] = get(tangent, i)
    end
  end
  return list
end

--- Follow directions from a start.
---@param sim sarrus.Sim
---@param names string[]
---@param tangents sarrus.StartTangent[]
---@return true?
---@return sarrus.Failure?
function sensitivity.follow(sim, names, tangents)
  local n = #sim.system.coordinates
  local function of(list)
    return flat(tangents, n, function(tangent, i)
      return tangent[list] and tangent[list][i] or 0
    end)
  end
  local p = flat(tangents, #sim.parameters, function(tangent, i)
    return tangent.parameter == sim.parameters[i].name and 1 or 0
  end)
  local done, failed = sim.core:directions(#names, of "q", of "v", p)
  if not done then
    failed.direction = names[(failed.count or 0) + 1]
    return nil, failed
  end
  sensitivity.attach(sim, names)
  return true
end

--- Let states of a simulation tell derivatives by these names, which it follows.
---@param sim sarrus.Sim
---@param names string[]
function sensitivity.attach(sim, names)
  local index, parameters = {}, {}
  for i, name in ipairs(names) do
    index[name] = i
    for k, parameter in ipairs(sim.parameters) do
      parameters[i] = parameter.name == name and k or parameters[i] or false
    end
  end
  sim.sensitivity = { names = names, index = index, parameters = parameters, channels = {} }
end

--- Keep the derivatives at a time (nil: now) with a state.
---@param sim sarrus.Sim
function sensitivity.fill(sim, s, t)
  local own = sim.sensitivity
  local kept = rawget(s, "derivatives") or {}
  s.derivatives = kept
  kept.sim, kept.time, kept.parameters = sim, {}, {}
  for i, parameter in ipairs(sim.parameters) do
    kept.parameters[parameter.name] = sim.core:get(i)
  end
  for i, name in ipairs(own.names) do
    local one = kept[i] or { q = {}, v = {}, a = {}, lambda = {}, p = {} }
    if own.parameters[i] then
      one.p[name] = sim.core:parameter_slope(own.parameters[i], i)
    end
    kept[i] = one
    kept.lost = select(2, sim.core:tangent(t, i, one.q, one.v, one.a, one.lambda))
    kept.time[i] = sim.core:instant(i)
    if kept.lost then
      kept.lost.direction = name
      return
    end
  end
end

--- The function of states and tangents that a channel's derivative is.
local function slope_of(sim, label)
  local known = sim.sensitivity.channels
  known[label] = known[label] or derivative(sim, label)
  return known[label]
end

--- The derivative of a channel by a name of `sensitivity`; `"time"` is the instant of an event.
---@param s sarrus.State
---@param label string
---@param name string|sarrus.Expression
---@return number
function sensitivity.derivative(s, label, name)
  local kept = rawget(s, "derivatives")
  if not kept then
    errors.raise('derivative: no derivatives are followed: give simulate sensitivity = { "name" }')
  end
  local own = kept.sim.sensitivity
  name = expr.named(name)
  local i = own.index[name]
  if not i then
    errors.raise(("derivative: %s is not followed%s: sensitivity lists %s"):format(
      errors.show(name), errors.suggest(name, own.names), table.concat(own.names, ", ")))
  elseif kept.lost then
    errors.raise(("derivative: there is none from t = %s on: %s"):format(errors.show(kept.lost.t),
      REASONS[kept.lost.code] or core.status_text(kept.lost.code)))
  elseif label == "time" then
    return kept.time[i] or errors.raise(
      'derivative: "time" is that of an event, and is asked for in its action')
  end
  return slope_of(kept.sim, label)(s, kept[i])
end

return sensitivity
