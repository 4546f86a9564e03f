--- Cylindrical joint: B slides along and turns about an axis of A.

local kinds = require "sarrus.model.part.kinds"
local constraint = require "sarrus.model.equations.constraint"

local cylindrical = {
  tree = true, dimension = 3, oriented = true, instead = "slot",
  slides = true, symbol = "sleeve",
}

function cylindrical.fields(dimension)
  return {
    { "at", kinds.at(dimension), required = true },
    { "axis", kinds.axis(dimension), required = true },
  }
end

function cylindrical.equations(self, a, b)
  return constraint.join(constraint.on_line(a, b, self.at, self.axis),
    constraint.parallel(a, b, self.axis))
end

function cylindrical.coordinate(self, a, b)
  return constraint.angle(a, b, self.axis)
end

function cylindrical.second(self, a, b)
  return constraint.length(a, b, self.at.a, self.at.b, self.axis)
end

return cylindrical
