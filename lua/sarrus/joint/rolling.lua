--- Rolling without slip: B, round with `radius`, rolls on the plane (planar: the line) of A that
--- touches it in the drawing at centre - radius * normal.
---
--- In the plane the condition can be integrated, x = -radius * angle along the line.  In space
--- the velocity of the point of B that touches vanishes relative to A; a sphere touches under its
--- centre, a disk at the lowest point of its rim, radius * d below the centre, d the direction in
--- the disk nearest to the normal.

local errors = require "sarrus.errors"
local kinds = require "sarrus.model.kinds"
local rotation = require "sarrus.rotation"
local rows = require "sarrus.model.rows"
local vec = require "sarrus.vec"

local rolling = { oriented = true, touches = true, symbol = "track" }

function rolling.fields(dimension)
  return {
    { "radius", kinds.positive, required = true },
    { "normal", kinds.axis(dimension), required = true },
  }
end

function rolling.check(joint, fault)
  local given, b = joint.given, joint.bodies[2]
  if b.ground then
    return fault("body B is the ground, which does not roll: exchange A and B")
  elseif type(given.radius) ~= "number" then
    return fault("radius: want a number")
  end
  given.disk = b.axis
  local down = given.normal
  if given.disk then
    local axis = rotation.apply(b.rotation, b.axis)
    local along = vec.dot(down, axis)
    down = vec.new(down) - vec.new(axis) * along
    local norm = vec.norm(down)
    if norm < 1e-6 then
      return fault(("the disk %s lies flat on the plane"):format(errors.show(b.name)))
    end
    down = down / norm
  end
  given.touch = vec.new(b.position) - vec.new(down) * given.radius
end

function rolling.places(given)
  return given.touch
end

--- From the centre of B to where it touches.
local function arm(self, a, b)
  local n = a:along(self.normal)
  if not self.disk then
    return n * -self.radius
  end
  local axis = b:direction(self.disk)
  local down = n - axis * vec.dot(n, axis)
  return down * (-self.radius / vec.norm(down))
end

function rolling.equations(self, a, b)
  local n = a:along(self.normal)
  local from = b:point() + arm(self, a, b) - a:place(self.touch)
  local list = { { vec.dot(from, n), "motion along " .. rows.direction(self.normal), unit = "m" } }
  if a.dimension == 2 then
    local angle = rows.angle(a, b).value
    list[2] = { vec.dot(from, { n[2], -n[1] }) + self.radius * angle, "slip", unit = "m" }
  end
  return list
end

function rolling.velocity_equations(self, a, b)
  if a.dimension == 2 then
    return nil
  end
  local r = arm(self, a, b)
  local point = b:point() + r
  local slip = b:velocity() + vec.cross(b:spin(), r)
    - a:velocity() - vec.cross(a:spin(), point - a:point())
  local u, v = rotation.orthogonal(self.normal)
  return {
    { vec.dot(slip, a:along(u)), "slip along " .. rows.direction(u), unit = "m" },
    { vec.dot(slip, a:along(v)), "slip along " .. rows.direction(v), unit = "m" },
  }
end

function rolling.point(self, a, b)
  return b:point() + arm(self, a, b)
end

return rolling
