--- Screw: a cylindrical joint whose length is `pitch` per full turn.

local cylindrical = require "sarrus.joint.cylindrical"
local drive = require "sarrus.model.equations.drive"
local kinds = require "sarrus.model.part.kinds"

local screw = {
  tree = true, dimension = 3, oriented = true, instead = "rack",
  slides = true, symbol = "thread",
}

function screw.fields(dimension)
  return drive.fields("angle", {
    { "at", kinds.at(dimension), required = true },
    { "axis", kinds.axis(dimension), required = true },
    { "pitch", kinds.scalar, required = true },
  })
end

screw.equations = cylindrical.equations
screw.coordinate = cylindrical.coordinate
screw.second = cylindrical.second

--- length = pitch angle / 2 pi
function screw.couple(self, joint)
  return {
    { joint.length.value - self.pitch / (2 * math.pi) * joint.angle.value, "pitch", unit = "m" },
  }
end

--- The length that belongs to an angle, where the pitch is known.
function screw.start(self, start)
  local pitch, angle, rate = self.pitch, start.angle or 0, start.rate or 0
  if type(pitch) ~= "number" then
    return start
  end
  return {
    angle = angle, rate = rate, length = pitch / (2 * math.pi) * angle,
    speed = pitch / (2 * math.pi) * rate,
  }
end

return screw
