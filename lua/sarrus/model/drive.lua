--- What acts along a joint's coordinate: motions, torques, springs, stops.

local bearing = require "sarrus.model.bearing"
local errors = require "sarrus.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.fields"
local kinds = require "sarrus.model.kinds"
local stop = require "sarrus.model.stop"
local trace = require "sarrus.trace"

local drive = {}

local of_time = kinds.or_function(kinds.of_time)

--- The fields that a joint with one freedom takes besides its own.
---@param kind "angle"|"length"
---@param own table[] the joint's own
---@return table[]
function drive.fields(kind, own)
  local list = {
    { "motion", of_time },
    { kind == "angle" and "torque" or "force", of_time },
    { "stiffness", kinds.scalar },
    { "damping", kinds.scalar },
    { "rest", kinds.of_time },
    { "inertia", kinds.not_negative },
    { "limits", stop.limits },
    { "friction", bearing.kind },
  }
  for i, field in ipairs(own) do
    table.insert(list, i, field)
  end
  return list
end

--- Whether anything acts along the coordinate.
function drive.acts(given)
  return given.torque or given.force or given.stiffness or given.damping or given.limits
    or given.friction or given.inertia
end

local function number_or_trace(what, field, value, ...)
  if fields.is_callable(value) and not expr.is(value) then
    return trace.scalar(what, field, trace.call(what, field, value, ...))
  end
  return value
end

--- What is prescribed, as an expression of time; nil if nothing.
function drive.motion(what, given)
  if given.motion == nil then
    return nil
  end
  local motion = number_or_trace(what, "motion", given.motion, expr.time)
  kinds.of_time(motion, "motion", function(message)
    errors.raise(what .. ": " .. message)
  end)
  return motion
end

--- The effort along the coordinate, and the energy it stores.
---@return sarrus.Scalar drive by torque or force
---@return sarrus.Scalar spring and damper
---@return sarrus.Scalar potential
function drive.effort(what, given, coordinate)
  local value, rate = coordinate.value, coordinate.rate
  local field = given.torque ~= nil and "torque" or "force"
  local driven, passive, potential = 0, 0, 0
  if given[field] ~= nil then
    driven = number_or_trace(what, field, given[field], value, rate, expr.time)
  end
  if given.stiffness then
    local stretch = given.rest and value - given.rest or value
    passive = passive - given.stiffness * stretch
    potential = given.stiffness * stretch ^ 2 / 2
  end
  if given.damping then
    passive = passive - given.damping * rate
  end
  return driven, passive, potential
end

return drive
