--- Stops: limits of what a joint leaves free are contacts (T29).
---
--- A stop is { side =, gap = (never negative), unit =, kind = (what is limited, in words), limits
--- =, restitution =, at = function(depth) (where that is, from how negative the gap is) [, name =]
--- }.  Gaps are smooth where nothing touches, and as steep as what they limit where it does.

local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local functions = require "sarrus.expr.functions".public
local kinds = require "sarrus.model.part.kinds"
local law = require "sarrus.system.law"
local vec = require "sarrus.expr.vec"

local stop = {}

-- Kinds of fields --------------------------------------------------------------------------------

local restitution = { "restitution", law.restitution, default = 0 }

--- A record without faults, nil where there was one.
local function sound(kind, value, path, fault)
  local failed = false
  local given = kind(value, path, function(message)
    failed = true
    fault(message)
  end)
  return not failed and given or nil
end

--- A kind for fields: a record with a restitution, and what else is wrong with it.
---@param specification table[]
---@param wrong fun(given, path): string? the fault
function stop.kind(specification, wrong)
  specification[#specification + 1] = restitution
  local record = fields.record(specification)
  return function(value, path, fault)
    local given = sound(record, value, path, fault)
    if not given then
      return nil
    end
    local message = wrong(given, path)
    if message then
      return fault(message)
    end
    return given
  end
end

local function disordered(given, path)
  local low, high = given[1], given[2]
  if type(low) == "number" and type(high) == "number" and low >= high then
    return ("%s: the lower limit %s is not below the upper %s"):format(path, errors.show(low),
      errors.show(high))
  end
end

local function pair(kind)
  return { { 1, kind, required = true }, { 2, kind, required = true } }
end

--- { low, high [, restitution] } around 0, where the drawing is.
stop.limits = stop.kind(pair(kinds.scalar), disordered)

--- The same of a distance: a low of 0 is none.
stop.lengths = stop.kind(pair(kinds.not_negative), disordered)

--- The same of an angle that does not go round.
stop.angles = stop.kind(pair(kinds.scalar), function(given, path)
  for i = 1, 2 do
    local x = given[i]
    if type(x) == "number" and math.abs(x) >= math.pi then
      return ("%s[%d] = %s; must be between -pi and pi"):format(path, i, errors.show(x))
    end
  end
  return disordered(given, path)
end)

-- Stops ------------------------------------------------------------------------------------------

--- Both limits of a value that is 0 in the drawing.
---@param value sarrus.Scalar
---@param limits table
---@param unit "m"|"rad"
---@param kind string the value in words
---@return table[]
function stop.between(value, limits, unit, kind)
  local function one(side, i, gap, sign)
    return {
      side = side, gap = gap, unit = unit, kind = kind, limits = limits,
      restitution = limits.restitution,
      at = function(depth) return limits[i] + sign * depth end,
    }
  end
  return { one("lower", 1, value - limits[1], -1), one("upper", 2, limits[2] - value, 1) }
end

--- Both limits of the length of d, l = |d|: (l^2 - low^2) / 2 low and (high^2 - l^2) / 2 high,
--- which have no kink at l = 0.
---@param d sarrus.Vector
---@param limits table
---@return table[]
function stop.of_length(d, limits)
  local list = {}
  local function put(side, i, sign)
    local l = limits[i]
    if l == 0 then
      return
    end
    list[#list + 1] = {
      side = side, gap = sign * (l / 2 - vec.dot(d, d) / (2 * l)), unit = "m", kind = "length",
      limits = limits, restitution = limits.restitution,
      at = function(depth) return math.sqrt(math.max(l * l + 2 * sign * l * depth, 0)) end,
    }
  end
  put("lower", 1, -1)
  put("upper", 2, 1)
  return list
end

--- An angle t from 0 to pi, by its cosine, stays below another one: (cos t - cos most) / sin most,
--- which has no kink at t = 0.
---@param cosine sarrus.Scalar
---@param cone { angle: sarrus.Scalar, restitution: sarrus.Scalar }
---@return table[]
function stop.of_tilt(cosine, cone)
  local most = cone.angle
  return { {
    side = "upper", unit = "rad", kind = "tilt", limits = { 0, most },
    restitution = cone.restitution,
    gap = (cosine - functions.cos(most)) / functions.sin(most),
    at = function(depth)
      local c = math.cos(most) - depth * math.sin(most)
      return math.acos(math.max(-1, math.min(1, c)))
    end,
  } }
end

-- Equations --------------------------------------------------------------------------------------

--- Give a joint the contacts of its stops.
---@param equations sarrus.Equations
---@param joint table
---@param list table[]
function stop.put(equations, joint, list)
  joint.stops = {}
  for i, one in ipairs(list) do
    joint.stops[i] = equations:contact {
      name = ("%s at its %s limit"):format(joint.name, one.name or one.side), gap = one.gap,
      slip = {}, restitution = one.restitution, unit = one.unit, owner = joint, side = one.side,
      stop = one,
    }
  end
end

--- What is said of a joint outside of its limits.
---@param contact table the one that penetrates
---@param depth number
---@param starts boolean? or it comes to be there
---@return string
function stop.words(contact, depth, starts)
  local one, what = contact.stop, contact.owner.what .. (starts and ": it starts" or ": it is")
  local low, high = one.limits[1], one.limits[2]
  if type(low) == "number" and type(high) == "number" then
    return ("%s at %s %s, outside of its limits %s to %s"):format(what, one.kind,
      errors.show(one.at(depth)), errors.show(low), errors.show(high))
  end
  return ("%s %s %s beyond its %s limit"):format(what, errors.show(depth), contact.unit,
    contact.side)
end

return stop
