--- Spherical joint: the bodies share a point.

local kinds = require "sarrus.model.kinds"
local rows = require "sarrus.model.rows"

local spherical = { tree = true, dimension = 3, instead = "revolute", symbol = "ball" }

function spherical.fields(dimension)
  return { { "at", kinds.at(dimension), required = true } }
end

function spherical.equations(self, a, b)
  return rows.coincide(a:place(self.at.a), b:place(self.at.b))
end

return spherical
