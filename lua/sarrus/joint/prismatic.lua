--- Prismatic joint: B slides along an axis of A and does not turn.

local drive = require "sarrus.model.equations.drive"
local kinds = require "sarrus.model.part.kinds"
local constraint = require "sarrus.model.equations.constraint"

local prismatic = {
  tree = true, oriented = true, instead = "slot",
  slides = true, symbol = "slider",
}

function prismatic.fields(dimension)
  return drive.fields("length", {
    { "at", kinds.at(dimension), required = true },
    { "axis", kinds.axis(dimension), required = true },
  })
end

function prismatic.equations(self, a, b)
  return constraint.join(constraint.on_line(a, b, self.at, self.axis), constraint.locked(a, b))
end

function prismatic.coordinate(self, a, b)
  return constraint.length(a, b, self.at.a, self.at.b, self.axis)
end

return prismatic
