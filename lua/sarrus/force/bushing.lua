--- Bushing: a soft joint at a place.  Stiffness and damping against every displacement of B
--- there: one number, or one for each axis that A has in the drawing along x, y[, z].

local drawing = require "sarrus.model.drawing"
local fields = require "sarrus.base.fields"
local kinds = require "sarrus.model.part.kinds"
local vec = require "sarrus.expr.vec"

local bushing = { bodies = "optional", symbol = "ring" }

function bushing.fields(dimension)
  local value = fields.either("a number, or one for each axis", kinds.of_time,
    kinds.vector_of_time(dimension))
  return {
    { "at", kinds.at(dimension), required = true },
    { "stiffness", value, required = true },
    { "damping", value },
  }
end

local function component(value, k)
  return type(value) == "table" and rawget(value, "op") == nil and value[k] or value
end

function bushing.build(self, force, apply)
  local a, b = force.frames[1], force.frames[2]
  local gap = b:place(self.at.b) - a:place(self.at.a)
  local rate = b:place_velocity(self.at.b) - a:place_velocity(self.at.a)
  local on_a = drawing.place(force.bodies[1], self.at.a)
  local on_b = drawing.place(force.bodies[2], self.at.b)
  for k = 1, a.dimension do
    local d = { 0, 0, a.dimension == 3 and 0 or nil }
    d[k] = 1
    local axis = a:along(d)
    local stretch = vec.dot(gap, axis)
    local f, speed = -component(self.stiffness, k) * stretch, nil
    apply.potential(component(self.stiffness, k) * stretch ^ 2 / 2)
    if self.damping then
      speed = vec.dot(rate, axis) + vec.dot(gap, a:along_rate(d))
      f = f - component(self.damping, k) * speed
    end
    apply.lift(stretch, speed, f)
    apply.push(b, axis * f, on_b)
    apply.push(a, axis * -f, on_a)
    apply.twist(a, vec.cross(gap, axis * -f))
  end
end

return bushing
