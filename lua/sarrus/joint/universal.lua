--- Universal joint: the bodies share a point, and the first axis, of A, keeps its angle with the
--- second, of B.

local errors = require "sarrus.errors"
local fields = require "sarrus.fields"
local kinds = require "sarrus.model.kinds"
local rows = require "sarrus.model.rows"
local vec = require "sarrus.vec"

local universal = {
  tree = true, dimension = 3, oriented = true, instead = "revolute",
  symbol = "cross",
}

function universal.fields(dimension)
  return {
    { "at", kinds.at(dimension), required = true },
    { "axes", fields.list(kinds.axis(dimension), 2), required = true },
  }
end

function universal.check(joint, fault)
  local u, v = joint.given.axes[1], joint.given.axes[2]
  local cross = vec.cross(u, v)
  local sine = vec.norm(cross)
  if sine < 1e-3 then
    fault(("axes: they are parallel (angle %s rad); want two that cross"):format(
      errors.show(math.asin(sine))))
  end
end

function universal.equations(self, a, b)
  local u, v = self.axes[1], self.axes[2]
  local list = rows.coincide(a:place(self.at.a), b:place(self.at.b))
  list[4] = {
    vec.dot(a:along(u), b:along(v)) - vec.dot(u, v),
    "rotation about " .. rows.direction(vec.cross(u, v)), unit = "rad",
  }
  return list
end

return universal
