--- Revolute joint: the bodies share a point and, in space, an axis.

local drive = require "sarrus.model.equations.drive"
local kinds = require "sarrus.model.part.kinds"
local constraint = require "sarrus.model.equations.constraint"

local revolute = { tree = true, oriented = 3, instead = "spherical", symbol = "hinge" }

function revolute.fields(dimension)
  return drive.fields("angle", {
    { "at", kinds.at(dimension), required = true },
    kinds.turning(dimension),
  })
end

function revolute.check(joint, fault)
  local acts = drive.acts(joint.checked) or joint.checked.motion
  for _, body in ipairs(acts and joint.bodies or {}) do
    if not body.turns and not body.ground then
      fault(("%q is a point, which has no angle to act on"):format(body.name))
    end
  end
end

function revolute.equations(self, a, b)
  local point = constraint.coincide(a:place(self.at.a), b:place(self.at.b))
  return a.dimension == 2 and point or constraint.join(point, constraint.parallel(a, b, self.axis))
end

function revolute.coordinate(self, a, b)
  return constraint.angle(a, b, self.axis)
end

return revolute
