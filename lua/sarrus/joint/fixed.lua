--- Fixed joint: the bodies move as one.

local kinds = require "sarrus.model.part.kinds"
local constraint = require "sarrus.model.equations.constraint"

local fixed = { tree = true, oriented = true, instead = "revolute or spherical", symbol = "weld" }

function fixed.fields(dimension)
  return { { "at", kinds.at(dimension), required = true } }
end

function fixed.equations(self, a, b)
  return constraint.join(constraint.coincide(a:place(self.at.a), b:place(self.at.b)),
    constraint.locked(a, b))
end

return fixed
