--- Torsion spring about an axis: -stiffness (angle - rest) - damping * rate on B, the opposite on
--- A; the angle of B relative to A is 0 in the drawing.  Without B it holds the body against the
--- ground.

local kinds = require "sarrus.model.part.kinds"
local constraint = require "sarrus.model.equations.constraint"

local torsion = { bodies = "optional", oriented = true }

function torsion.fields(dimension)
  return {
    { "stiffness", kinds.of_time, required = true },
    { "rest", kinds.of_time, default = 0 },
    { "damping", kinds.of_time },
    kinds.turning(dimension),
  }
end

function torsion.build(self, force, apply)
  local a, b = force.frames[1], force.frames[2]
  local angle = constraint.angle(a, b, self.axis)
  function angle.at(checked, at_a, at_b)
    return constraint.angle(at_a, at_b, checked.axis)
  end
  force.angle = apply.own_symbol(angle)
  local torque = -self.stiffness * (angle.value - self.rest)
  if self.damping then
    torque = torque - self.damping * angle.rate
  end
  apply.potential(self.stiffness * (angle.value - self.rest) ^ 2 / 2)
  if angle.index then
    apply.add(angle.index, torque)
  else
    apply.twist(b, torque)
    apply.twist(a, -torque)
  end
end

return torsion
