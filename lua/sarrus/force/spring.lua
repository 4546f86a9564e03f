--- Spring (and damper) between the point `from` of A and the point `to` of B; `length`
--- unstressed, as drawn if not given.  A spring of length 0 pulls by -stiffness * d and needs no
--- direction.

local drawing = require "sarrus.model.drawing"
local kinds = require "sarrus.model.part.kinds"
local line = require "sarrus.model.equations.line"
local vec = require "sarrus.expr.vec"

local spring = { symbol = "coil", free = { length = true } }

function spring.fields(dimension)
  return {
    { "from", kinds.place(dimension), required = true },
    { "to", kinds.place(dimension), required = true },
    { "stiffness", kinds.of_time, required = true },
    { "length", kinds.not_negative_of_time },
    { "damping", kinds.of_time },
  }
end

function spring.build(self, force, apply)
  local d = line.between(self, force)
  local length = self.length or drawing.distance(self.from, self.to)
  if length == 0 then
    line.pull(self, force, apply, d * -self.stiffness)
    apply.potential(self.stiffness * vec.dot(d, d) / 2)
    -- not lifted: all its directions are alike, and its length may vanish
  else
    local now = vec.norm(d)
    line.pull(self, force, apply, d * (-self.stiffness * (1 - length / now)))
    apply.potential(self.stiffness * (now - length) ^ 2 / 2)
    line.lift(self, force, apply, -self.stiffness * (now - length))
  end
  if self.damping then
    line.damp(self, force, apply)
  end
end

return spring
