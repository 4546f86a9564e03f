--- What acts along a joint's coordinate: motions, torques, springs, stops.

local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local kinds = require "sarrus.model.part.kinds"
local later = require "sarrus.base.later"
local bearing = later "sarrus.model.equations.bearing"
local stop = later "sarrus.model.equations.stop"
local trace = later "sarrus.expr.trace"

local drive = {}

local of_time = kinds.or_function(kinds.of_time)

--- The fields that a joint with one freedom takes besides its own.
---@param kind "angle"|"length"
---@param own table[] the joint's own
---@return table[]
function drive.fields(kind, own)
  local names = kind == "angle" and { "torque", "force" } or { "force", "torque" }
  local list = {
    { "motion", of_time },
    { names[1], of_time, also = { names[2] } },
    { "stiffness", kinds.of_time },
    { "damping", kinds.of_time },
    { "rest", kinds.of_time },
    { "inertia", kinds.not_negative },
    { "limits", later.call(stop, "limits") },
    { "friction", function(value, path, fault)
      return bearing.kind(kind == "angle")(value, path, fault)
    end },
  }
  for i, field in ipairs(own) do
    table.insert(list, i, field)
  end
  return list
end

--- Whether anything acts along the coordinate.
function drive.acts(checked)
  return checked.torque or checked.force or checked.stiffness or checked.damping or checked.limits
    or checked.friction or checked.inertia
end

local function number_or_trace(what, field, value, ...)
  if fields.is_callable(value) and not expr.is(value) then
    return trace.scalar(what, field, trace.call(what, field, value, ...))
  end
  return value
end

--- What is prescribed, as an expression of time; nil if nothing.
function drive.motion(what, checked)
  if checked.motion == nil then
    return nil
  end
  local motion = number_or_trace(what, "motion", checked.motion, expr.time)
  kinds.of_time(motion, "motion", function(message)
    errors.raise(what .. ": " .. message)
  end)
  return motion
end

--- The effort along the coordinate, and the energy it stores.
---@return sarrus.Scalar drive by torque or force
---@return sarrus.Scalar spring and damper
---@return sarrus.Scalar potential
function drive.effort(what, checked, coordinate)
  local value, rate = coordinate.value, coordinate.rate
  local field = checked.torque ~= nil and "torque" or "force"
  local driven, passive, potential = 0, 0, 0
  if checked[field] ~= nil then
    driven = number_or_trace(what, field, checked[field], value, rate, expr.time)
  end
  if checked.stiffness then
    local stretch = checked.rest and value - checked.rest or value
    passive = passive - checked.stiffness * stretch
    potential = checked.stiffness * stretch ^ 2 / 2
  end
  if checked.damping then
    passive = passive - checked.damping * rate
  end
  return driven, passive, potential
end

return drive
