--- Rolling without slip: B, round with `radius`, rolls on the plane (planar: the line) of A that
--- touches it in the drawing at centre - radius * normal.
---
--- In the plane the condition can be integrated, x = -radius * angle along the line.  In space
--- the velocity of the point of B that touches vanishes relative to A; a sphere touches under its
--- centre, a disk, or a body that is a wheel about `axis`, at the lowest point of its rim,
--- radius * d below the centre, d the direction in the wheel nearest to the normal.

local errors = require "sarrus.base.errors"
local kinds = require "sarrus.model.part.kinds"
local rotation = require "sarrus.expr.rotation"
local drawing = require "sarrus.model.drawing"
local constraint = require "sarrus.model.equations.constraint"
local vec = require "sarrus.expr.vec"

local rolling = { oriented = true, touches = true, symbol = "track" }

function rolling.fields(dimension)
  return {
    { "radius", kinds.positive, required = true },
    { "normal", kinds.axis(dimension), required = true },
    dimension == 3 and { "axis", kinds.axis(3) } or nil,
  }
end

--- The axis about which B is a wheel, in its own axes; nil of what is round all over.
local function wheel(checked, b)
  return checked.axis and drawing.direction(b, checked.axis) or b.axis
end

--- The direction in B nearest to the normal in the drawing, and how near it is.
local function steepest(checked, b)
  local own = wheel(checked, b)
  if not own then
    return vec.new(checked.normal), 1
  end
  local axis = checked.axis or rotation.apply(b.rotation, own)
  local along = vec.dot(checked.normal, axis)
  local up = vec.new(checked.normal) - vec.new(axis) * along
  return up, vec.norm(up)
end

function rolling.complete(joint)
  local checked, b = joint.checked, joint.bodies[2]
  local up, norm = steepest(checked, b)
  checked.disk = wheel(checked, b)
  checked.touch = vec.new(b.position) - (norm == 0 and up or up / norm) * checked.radius
end

function rolling.check(joint, fault)
  local b = joint.bodies[2]
  local _, norm = steepest(joint.checked, b)
  if b.ground then
    fault("body B is the ground, which does not roll: exchange A and B")
  elseif norm < 1e-6 then
    fault(("the %s %s lies flat on the plane"):format(joint.checked.axis and "wheel" or "disk",
      errors.show(b.name)))
  end
end

--- A body that says nothing of its form is drawn as the wheel that it is.
function rolling.circles(checked, joint)
  local b = joint.bodies[2]
  return checked.axis and not b.axis and {
    { body = b, at = { 0, 0, 0 }, radius = checked.radius, axis = checked.disk },
  } or {}
end

function rolling.places(checked)
  return checked.touch
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
  local list = {
    { vec.dot(from, n), "motion along " .. constraint.direction(self.normal), unit = "m" },
  }
  if a.dimension == 2 then
    local angle = constraint.angle(a, b).value
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
    { vec.dot(slip, a:along(u)), "slip along " .. constraint.direction(u), unit = "m" },
    { vec.dot(slip, a:along(v)), "slip along " .. constraint.direction(v), unit = "m" },
  }
end

function rolling.point(self, a, b)
  return b:point() + arm(self, a, b)
end

return rolling
