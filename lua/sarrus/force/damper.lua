--- Damper along the line from the point `from` of A to the point `to` of B.

local kinds = require "sarrus.model.part.kinds"
local line = require "sarrus.model.equations.line"

local damper = { symbol = "dashpot" }

function damper.fields(dimension)
  return {
    { "from", kinds.place(dimension), required = true },
    { "to", kinds.place(dimension), required = true },
    { "damping", kinds.of_time, required = true },
  }
end

function damper.build(self, force, apply)
  line.damp(self, force, apply)
  line.lift(self, force, apply, 0)
end

return damper
