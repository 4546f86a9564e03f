--- Slot: the point `at` of B stays on the line of A through it.

local drive = require "sarrus.model.equations.drive"
local kinds = require "sarrus.model.part.kinds"
local constraint = require "sarrus.model.equations.constraint"

local slot = { symbol = "groove" }

function slot.fields(dimension)
  return drive.fields("length", {
    { "at", kinds.at(dimension), required = true },
    { "axis", kinds.axis(dimension), required = true },
  })
end

function slot.equations(self, a, b)
  return constraint.on_line(a, b, self.at, self.axis)
end

function slot.coordinate(self, a, b)
  return constraint.length(a, b, self.at.a, self.at.b, self.axis)
end

return slot
