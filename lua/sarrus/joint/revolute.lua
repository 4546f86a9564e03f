--- Revolute joint: the bodies share a point and, in space, an axis.

local drive = require "sarrus.model.drive"
local kinds = require "sarrus.model.kinds"
local rows = require "sarrus.model.rows"

local revolute = { tree = true, instead = "spherical" }

function revolute.fields(dimension)
  return drive.fields("angle", {
    { "at", kinds.at(dimension), required = true },
    dimension == 3 and { "axis", kinds.axis(3), required = true } or nil,
  })
end

function revolute.equations(self, a, b)
  local list = rows.coincide(a:place(self.at.a), b:place(self.at.b))
  if a.dimension == 3 then
    for _, row in ipairs(rows.parallel(a, b, self.axis)) do
      list[#list + 1] = row
    end
  end
  return list
end

function revolute.coordinate(self, a, b)
  return rows.angle(a, b, self.axis)
end

return revolute
