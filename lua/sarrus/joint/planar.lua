--- Planar joint: the point of B stays in the plane of A, and B turns only about its normal.

local kinds = require "sarrus.model.part.kinds"
local constraint = require "sarrus.model.equations.constraint"

local planar = {
  tree = true, dimension = 3, oriented = true, instead = "nothing: all is planar",
  symbol = "table",
}

function planar.fields(dimension)
  return {
    { "at", kinds.at(dimension), required = true },
    { "normal", kinds.axis(dimension), required = true },
  }
end

function planar.equations(self, a, b)
  local list = constraint.parallel(a, b, self.normal)
  list[3] = constraint.across(a, a:place(self.at.a), b:place(self.at.b), self.normal)
  return list
end

return planar
