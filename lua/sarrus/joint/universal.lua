--- Universal joint: the bodies share a point, and the first axis, of A, keeps its angle with the
--- second, of B.  `limits` are those of the angles about the first and about the second.

local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local functions = require "sarrus.expr.functions".public
local kinds = require "sarrus.model.part.kinds"
local constraint = require "sarrus.model.equations.constraint"
local stop = require "sarrus.model.equations.stop"
local vec = require "sarrus.expr.vec"

local universal = {
  tree = true, dimension = 3, oriented = true, instead = "revolute",
  symbol = "cross",
}

function universal.fields(dimension)
  return {
    { "at", kinds.at(dimension), required = true },
    { "axes", fields.list(kinds.axis(dimension), 2), required = true },
    { "limits", fields.list(stop.angles, 2) },
  }
end

function universal.check(joint, fault)
  local u, v = joint.checked.axes[1], joint.checked.axes[2]
  local cross = vec.cross(u, v)
  local sine = vec.norm(cross)
  if sine < 1e-3 then
    fault(("axes: they are parallel (angle %s rad); want two that cross"):format(
      errors.show(math.asin(sine))))
  end
end

function universal.equations(self, a, b)
  local u, v = self.axes[1], self.axes[2]
  local list = constraint.coincide(a:place(self.at.a), b:place(self.at.b))
  list[4] = {
    vec.dot(a:along(u), b:along(v)) - vec.dot(u, v),
    "rotation about " .. constraint.direction(vec.cross(u, v)), unit = "rad",
  }
  return list
end

--- The angle about the axis u of the frame a from where v is drawn to where it is, as an axis of b.
local function turn(a, b, u, v)
  local across = vec.cross(u, v)
  across = across / vec.norm(across)
  local is = b:along(v)
  return functions.atan(vec.dot(a:along(across), is),
    vec.dot(a:along(vec.cross(across, u)), is))
end

function universal.stops(self, a, b)
  local limits, u, v = self.limits, self.axes[1], self.axes[2]
  if not limits then
    return {}
  end
  local list = constraint.join(
    stop.between(turn(a, b, u, v), limits[1], "rad", "first angle"),
    stop.between(-turn(b, a, v, u), limits[2], "rad", "second angle"))
  for i, one in ipairs(list) do
    one.name = (i <= 2 and "first " or "second ") .. one.side
  end
  return list
end

return universal
