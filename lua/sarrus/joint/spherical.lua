--- Spherical joint: the bodies share a point.  With a cone, the axis of B stays within an angle of
--- that of A; in the drawing they are one.

local errors = require "sarrus.base.errors"
local kinds = require "sarrus.model.part.kinds"
local constraint = require "sarrus.model.equations.constraint"
local stop = require "sarrus.model.equations.stop"
local vec = require "sarrus.expr.vec"

local spherical = { tree = true, dimension = 3, instead = "revolute", symbol = "ball" }

--- { axis, angle } as a list, by names.
local function by_names(cone)
  if type(cone) ~= "table" or cone[1] == nil then
    return cone
  end
  local named = { axis = cone[1], angle = cone[2] }
  for key, value in pairs(cone) do
    if key ~= 1 and key ~= 2 then
      named[key] = value
    end
  end
  return named
end

function spherical.fields(dimension)
  local record = stop.kind({
    { "axis", kinds.axis(dimension), required = true },
    { "angle", kinds.scalar, required = true },
  }, function(checked, path)
    local angle = checked.angle
    if type(angle) == "number" and not (angle > 0 and angle < math.pi) then
      return ("%s.angle = %s; must be between 0 and pi"):format(path, errors.show(angle))
    end
  end)
  local function cone(value, path, fault)
    return record(by_names(value), path, fault)
  end
  return { { "at", kinds.at(dimension), required = true }, { "cone", cone } }
end

function spherical.check(joint, fault)
  for _, body in ipairs(joint.checked.cone and joint.bodies or {}) do
    if not body.turns and not body.ground then
      fault(("cone: %q is a point, which has no axis"):format(body.name))
    end
  end
end

function spherical.equations(self, a, b)
  return constraint.coincide(a:place(self.at.a), b:place(self.at.b))
end

function spherical.stops(self, a, b)
  local cone = self.cone
  return cone and stop.of_tilt(vec.dot(a:along(cone.axis), b:along(cone.axis)), cone) or {}
end

return spherical
