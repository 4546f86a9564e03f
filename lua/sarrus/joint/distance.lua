--- Distance: the point `from` of A and the point `to` of B stay `length` apart, as drawn if not
--- given. The equation is (d.d - l^2) / 2l, whose multiplier is the pull along the line.  With
--- `limits` they are free between these: a rope has { 0, length }.

local drawing = require "sarrus.model.drawing"
local errors = require "sarrus.base.errors"
local kinds = require "sarrus.model.part.kinds"
local stop = require "sarrus.model.equations.stop"
local vec = require "sarrus.expr.vec"

local distance = { symbol = "bar", free = { length = true } }

function distance.fields(dimension)
  return {
    { "from", kinds.place(dimension), required = true },
    { "to", kinds.place(dimension), required = true },
    { "length", kinds.positive },
    { "limits", stop.lengths },
  }
end

function distance.complete(joint)
  local checked = joint.checked
  if not checked.limits then
    checked.length = checked.length or drawing.distance(checked.from, checked.to)
  end
end

function distance.check(joint, fault)
  local checked = joint.checked
  if checked.length and checked.limits then
    fault("both 'length' and 'limits' are given: it is a rod or a rope")
  elseif not checked.limits and drawing.same(checked.from, checked.to) then
    fault(("'from' and 'to' are %s m apart: the direction is open"):format(
      errors.show(drawing.distance(checked.from, checked.to))))
  end
end

local function between(self, a, b)
  return b:place(self.to) - a:place(self.from)
end

function distance.equations(self, a, b)
  if self.limits then
    return {}
  end
  local d, l = between(self, a, b), self.length
  return { { vec.dot(d, d) / (2 * l) - l / 2, "distance", unit = "m", gap = vec.norm(d) - l } }
end

function distance.stops(self, a, b)
  return self.limits and stop.of_length(between(self, a, b), self.limits) or {}
end

function distance.point(self, _, b)
  return b:place(self.to)
end

return distance
