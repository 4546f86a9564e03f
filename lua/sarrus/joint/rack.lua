--- Rack and pinion: of a joint with an angle and one with a length, length = radius * angle.

local drawing = require "sarrus.model.drawing"
local errors = require "sarrus.base.errors"
local kinds = require "sarrus.model.part.kinds"

local rack = { bodies = "joints", free = { radius = true } }

function rack.fields()
  return { { "radius", kinds.not_zero, required = true } }
end

function rack.check(record, fault)
  for i, kind in ipairs { "angle", "length" } do
    local joint = record.joints[i]
    if not joint[kind] then
      fault(("joint %d, %s, has no %s"):format(i, errors.show(joint.name), kind))
    end
  end
end

function rack.couple(self, record, symbol)
  local one, other = record.joints[1], record.joints[2]
  return {
    { symbol(other, other.length) - self.radius * symbol(one, one.angle), "ratio", unit = "m" },
  }
end

function rack.circles(self, record)
  local pinion = record.joints[1]
  local radius = self.radius
  return { type(radius) == "number" and drawing.circle(pinion, pinion.bodies[1], radius) or nil }
end

return rack
