--- How the start of a model changes with a parameter or a starting value.
---
--- Assembly is no formula: bodies are posed along joints and closed by Newton's method.  It answers
--- to the last digits, so that differences of the sixth order have 12 of them: with a step of 4e-3
--- truncation is about 4e-15, and rounding 1e-13.  What constraints say of it the core makes exact.

local sensitivity = require "sarrus.sim.sensitivity"

local tangent = {}

local STEP = 4e-3

-- f' = sum of weight (f(k h) - f(-k h)) / h
local weights = { 45 / 60, -9 / 60, 1 / 60 }

--- A value of a start: where it stands in what a script gives, and its number now.
---@class sarrus.StartValue
---@field path (string|integer)[]
---@field value number
---@field step number

--- A table with one number inside it changed.
function tangent.with(given, path, value, depth)
  depth = depth or 1
  local copy = {}
  for key, one in pairs(given or {}) do
    copy[key] = one
  end
  local key = path[depth]
  copy[key] = depth == #path and value or tangent.with(copy[key], path, value, depth + 1)
  return copy
end

--- Names of all starting values of a joint or body: what `simulate` takes for it.
local function of_joint(model, joint, s, list)
  for _, kind in ipairs { "angle", "length" } do
    local own = joint[kind]
    if own then
      local scale = kind == "angle" and 1 or model.size
      local reading = s:joint(joint.name)
      for _, name in ipairs { kind, own.rate_name } do
        list[#list + 1] = { name = ("start.%s.%s"):format(joint.name, name),
          path = { "joints", joint.name, name }, value = reading[name], step = STEP * scale }
      end
    end
  end
end

local AXES = { "x", "y", "z" }

local function of_body(model, body, s, list)
  local reading = s:body(body.name)
  for _, name in ipairs { "position", "velocity", body.turns and "spin" or nil } do
    local scale = name == "spin" and 1 or model.size
    local value = reading[name]
    local prefix = ("start.%s.%s"):format(body.name, name)
    if type(value) == "number" then
      list[#list + 1] = { name = prefix, path = { "bodies", body.name, name }, value = value,
        step = STEP * scale }
    end
    for i = 1, type(value) == "table" and model.dimension or 0 do
      list[#list + 1] = { name = prefix .. "." .. AXES[i], path = { "bodies", body.name, name, i },
        value = value[i], step = STEP * scale, whole = value }
    end
  end
  if body.turns and model.dimension == 2 then
    list[#list + 1] = { name = ("start.%s.angle"):format(body.name),
      path = { "bodies", body.name, "angle" }, value = reading.angle, step = STEP }
  end
end

--- All starting values at a state.
---@return sarrus.StartValue[]
function tangent.starting_values(model, s)
  local list = {}
  for _, joint in ipairs(model.joints) do
    of_joint(model, joint, s, list)
  end
  for _, body in ipairs(model.bodies) do
    of_body(model, body, s, list)
  end
  return list
end

--- Differences of the coordinates and velocities of starts, by one value.
---@param start fun(given: table): number[]?, number[]|string, string? q and v, or nil, message, code
local function differences(given, one, start)
  local q, v = {}, {}
  for k, weight in ipairs(weights) do
    for _, sign in ipairs { 1, -1 } do
      local changed = given
      for i, x in ipairs(one.whole or {}) do -- a vector is given whole
        changed = tangent.with(changed, { one.path[1], one.path[2], one.path[3], i }, x)
      end
      changed = tangent.with(changed, one.path, one.value + sign * k * one.step)
      local q1, v1 = start(changed)
      if not q1 then
        return nil, ("simulate: sensitivity: there is no start with another %s: %s"):format(
          one.name, v1)
      end
      for i, x in ipairs(q1) do
        q[i] = (q[i] or 0) + sign * weight * x / one.step
        v[i] = (v[i] or 0) + sign * weight * v1[i] / one.step
      end
    end
  end
  return q, v
end

--- Whether parameters may lead the start by constraints: motions, and equations that are functions.
local function is_led(model)
  for _, joint in ipairs(model.joints) do
    for field, value in pairs(joint.part and joint.part.given or {}) do
      if field == "motion" or type(value) == "function" then
        return true
      end
    end
  end
  return false
end

--- The value of the start that a name stands for; nil: a parameter on which only forces depend.
local function value_of(model, sim, name, known)
  if known then
    local entry = model.parameters[name] or {}
    if not entry.measured and not is_led(model) then
      return nil
    end
    local value
    for i, parameter in ipairs(sim.parameters) do
      value = parameter.name == name and sim.core:get(i) or value
    end
    return { name = name, path = { "parameters", name }, value = value,
      step = STEP * (value ~= 0 and math.abs(value) or model.size) }
  end
  local names = {}
  for i, one in ipairs(tangent.starting_values(model, sim:state())) do
    names[i] = one.name
    if one.name == name then
      return one
    end
  end
  sensitivity.unknown(model, name, names)
end

--- Fill in how a start changes.
---@param model sarrus.Model as drawn for the start
---@param sim sarrus.Sim
---@param given table of the script
---@param name string
---@param found sarrus.StartTangent
---@param start fun(given: table): number[]?, number[]|string
---@return boolean done
---@return string? message where there is no such start
function tangent.fill(model, sim, given, name, found, start)
  local one = value_of(model, sim, name, found.parameter)
  if one then
    found.q, found.v = differences(given, one, start)
  end
  return one == nil or found.q ~= nil, found.v
end

return tangent
