--- Stops: limits of a joint's coordinate c are contacts, c - low >= 0 and high - c >= 0.

local errors = require "sarrus.errors"

local stop = {}

--- Give a joint with limits its contacts.
---@param equations sarrus.Equations
---@param joint table
function stop.put(equations, joint)
  local limits, c, unit = joint.given.limits, joint.coordinate.value, joint.coordinate.unit
  local function put(side, gap)
    return equations:contact {
      name = ("%s at its %s limit"):format(joint.name, side), gap = gap, slip = {},
      restitution = limits.restitution, unit = unit, owner = joint, side = side,
    }
  end
  joint.stops = { put("lower", c - limits[1]), put("upper", limits[2] - c) }
end

--- A start outside of the limits is misuse.
---@param what string as messages name the model
---@param law table the contact that penetrates
---@param depth number
function stop.raise(what, law, depth)
  local joint = law.owner
  local low, high = joint.given.limits[1], joint.given.limits[2]
  if type(low) == "number" and type(high) == "number" then
    local c = law.side == "lower" and low - depth or high + depth
    errors.raise(("%s: %s: it starts at %s %s, outside of its limits %s to %s"):format(what,
      joint.what, joint.coordinate.kind, errors.show(c), errors.show(low), errors.show(high)))
  end
  errors.raise(("%s: %s: it starts %s %s beyond its %s limit"):format(what, joint.what,
    errors.show(depth), law.unit, law.side))
end

return stop
