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
  local given = joint.given
  if not given.limits then
    given.length = given.length or drawing.distance(given.from, given.to)
  end
end

function distance.check(joint, fault)
  local given = joint.given
  if given.length and given.limits then
    fault("both 'length' and 'limits' are given: it is a rod or a rope")
  elseif not given.limits and drawing.same(given.from, given.to) then
    fault(("'from' and 'to' are %s m apart: the direction is open"):format(
      errors.show(drawing.distance(given.from, given.to))))
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
