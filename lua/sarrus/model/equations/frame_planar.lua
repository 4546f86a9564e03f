--- Frames of bodies that turn in the plane (frame.lua).

local class_of_frames = require "sarrus.model.equations.frame_class"
local functions = require "sarrus.expr.functions".public
local vec = require "sarrus.expr.vec"

local local_vector, sum = class_of_frames.local_vector, class_of_frames.sum

---@class sarrus.Frame
local Planar = class_of_frames.new()

--- cos and sin of the angle, one expression each for all that is asked.
local function turn(self)
  if not self.c then
    local angle = self.q[self.offset + 3]
    self.c, self.s = functions.cos(angle), functions.sin(angle)
  end
  return self.c, self.s
end

--- A point of the body.
---@param l? sarrus.Vector|number[] in body axes; default the centre of mass
---@return sarrus.Vector
function Planar:point(l)
  l = local_vector(self, l, "point")
  local q, o = self.q, self.offset
  if l[1] == 0 and l[2] == 0 then
    return vec.new { q[o + 1], q[o + 2] }
  end
  local c, s = turn(self)
  return vec.new { sum(q[o + 1], l[1], c, -l[2], s), sum(q[o + 2], l[1], s, l[2], c) }
end

--- A direction fixed in the body.
---@param l sarrus.Vector|number[]
---@return sarrus.Vector
function Planar:direction(l)
  l = local_vector(self, l, "direction")
  local c, s = turn(self)
  return vec.new { sum(0, l[1], c, -l[2], s), sum(0, l[1], s, l[2], c) }
end

--- The rate of a direction fixed in the body.
function Planar:direction_rate(l)
  local d, w = self:direction(l), self:spin()
  return vec.new { -w * d[2], w * d[1] }
end

--- The velocity of a point of the body.
---@param l? sarrus.Vector|number[]
---@return sarrus.Vector
function Planar:velocity(l)
  l = local_vector(self, l, "velocity")
  local v, o = self.v, self.offset
  if l[1] == 0 and l[2] == 0 then
    return vec.new { v[o + 1], v[o + 2] }
  end
  return vec.new { v[o + 1], v[o + 2] } + self:direction_rate(l)
end

--- A vector of the world in body axes.
function Planar:inward(d)
  local c, s = turn(self)
  return vec.new { c * d[1] + s * d[2], c * d[2] - s * d[1] }
end

--- The velocity of what is on the body at a distance from its centre of mass, in world axes.
function Planar:velocity_off(d)
  local v, o, w = self.v, self.offset, self:spin()
  return vec.new { v[o + 1] - w * d[2], v[o + 2] + w * d[1] }
end

--- The angle of the body's x axis.
function Planar:angle()
  return self.q[self.offset + 3]
end

--- The angular velocity; in space a vector.
function Planar:spin()
  return self.v[self.offset + 3]
end

--- Generalised forces of a force at a point of the body: add(coordinate, force).
function Planar:push(add, force, l)
  local o = self.offset
  add(o + 1, force[1])
  add(o + 2, force[2])
  if l and (l[1] ~= 0 or l[2] ~= 0) then
    add(o + 3, vec.cross(self:direction(l), force))
  end
end

--- Generalised forces of a torque.
function Planar:twist(add, torque)
  add(self.offset + 3, torque)
end

--- Force and torque about the centre of mass that generalised forces amount to.
function Planar:wrench(forces)
  return vec.new { forces[1], forces[2] }, forces[3]
end

return class_of_frames.complete(Planar)
