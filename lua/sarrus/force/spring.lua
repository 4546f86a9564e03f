--- Spring (and damper) between the point `from` of A and the point `to` of B; `length`
--- unstressed, as drawn if not given.  A spring of length 0 pulls by -stiffness * d and needs no
--- direction.

local drawing = require "sarrus.model.drawing"
local kinds = require "sarrus.model.kinds"
local vec = require "sarrus.vec"

local spring = {}

function spring.fields(dimension)
  return {
    { "from", kinds.place(dimension), required = true },
    { "to", kinds.place(dimension), required = true },
    { "stiffness", kinds.of_time, required = true },
    { "length", kinds.not_negative },
    { "damping", kinds.of_time },
  }
end

--- Push B by a force, and A by its opposite, at the ends of a line.
local function pull(self, force, apply, f)
  local a, b = force.frames[1], force.frames[2]
  apply.push(b, f, drawing.place(force.bodies[2], self.to))
  apply.push(a, -f, drawing.place(force.bodies[1], self.from))
end

--- d from the point of A to that of B, and its rate.
local function line(self, force)
  local a, b = force.frames[1], force.frames[2]
  return b:place(self.to) - a:place(self.from),
    b:place_velocity(self.to) - a:place_velocity(self.from)
end

--- -damping (d.d' / d.d) d
function spring.put_damper(self, force, apply)
  local d, rate = line(self, force)
  pull(self, force, apply, d * (-self.damping * vec.dot(d, rate) / vec.dot(d, d)))
end

function spring.build(self, force, apply)
  local d = line(self, force)
  local length = self.length or drawing.distance(self.from, self.to)
  if length == 0 then
    pull(self, force, apply, d * -self.stiffness)
    apply.potential(self.stiffness * vec.dot(d, d) / 2)
  else
    local now = vec.norm(d)
    pull(self, force, apply, d * (-self.stiffness * (1 - length / now)))
    apply.potential(self.stiffness * (now - length) ^ 2 / 2)
  end
  if self.damping then
    spring.put_damper(self, force, apply)
  end
end

return spring
