--- Gear: of two joints with angles, about parallel axes of one frame, rate2 = -rate1 / ratio.

local drawing = require "sarrus.model.drawing"
local errors = require "sarrus.base.errors"
local functions = require "sarrus.expr.functions".public
local kinds = require "sarrus.model.part.kinds"

local gear = { bodies = "joints" }

function gear.fields()
  return { { "ratio", kinds.not_zero, required = true } }
end

--- The body that both joints have in common.
local function common(one, other)
  for _, x in ipairs(one.bodies or {}) do
    for _, y in ipairs(other.bodies or {}) do
      if x == y then
        return x
      end
    end
  end
end

--- +1 if the joint's angle is that of its other body seen from the frame, -1 if the reverse.
local function sense(joint, frame)
  return joint.bodies[1] == frame and 1 or -1
end

local function parallel(one, other)
  local u, v = one.checked.axis, other.checked.axis
  return u and v and u[1] * v[1] + u[2] * v[2] + u[3] * v[3] or 1
end

function gear.complete(record)
  local one, other = record.joints[1], record.joints[2]
  local frame = one.angle and other.angle and common(one, other)
  if frame then
    record.sense = sense(one, frame) * sense(other, frame)
      * functions.select(parallel(one, other), 1, -1)
  end
end

function gear.check(record, fault)
  local one, other = record.joints[1], record.joints[2]
  for _, joint in ipairs(record.joints) do
    if not joint.angle then
      return fault(("joint %s has no angle"):format(errors.show(joint.name)))
    end
  end
  local frame, cosine = common(one, other), parallel(one, other)
  if not frame then
    fault(("the joints %s and %s have no body in common that carries both"):format(
      errors.show(one.name), errors.show(other.name)))
  elseif math.abs(cosine) < 0.999999 then
    fault(("the axes of %s and %s are not parallel"):format(errors.show(one.name),
      errors.show(other.name)))
  end
end

function gear.couple(self, record, symbol)
  local one, other = record.joints[1], record.joints[2]
  local x, y = symbol(one, one.angle), symbol(other, other.angle)
  return { { y + record.sense / self.ratio * x, "ratio", unit = "rad" } }
end

--- r1 + r2 is the distance of the axes, r2 = ratio r1.
function gear.circles(self, record)
  local one, other = record.joints[1], record.joints[2]
  local frame, ratio = common(one, other), self.ratio
  local here, there = one.checked.at.a, other.checked.at.a
  if type(ratio) ~= "number" or ratio == -1 or drawing.same(here, there) then
    return {}
  end
  local radius = drawing.distance(here, there) / (1 + ratio)
  return { drawing.circle(one, frame, radius), drawing.circle(other, frame, ratio * radius) }
end

return gear
