--- Fixed joint: the bodies move as one.

local kinds = require "sarrus.model.part.kinds"
local rows = require "sarrus.model.equations.rows"

local fixed = { tree = true, oriented = true, instead = "revolute or spherical", symbol = "weld" }

function fixed.fields(dimension)
  return { { "at", kinds.at(dimension), required = true } }
end

function fixed.equations(self, a, b)
  return rows.join(rows.coincide(a:place(self.at.a), b:place(self.at.b)), rows.locked(a, b))
end

return fixed
