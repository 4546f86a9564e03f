--- Frames of bodies that turn in space (frame.lua).

local class_of_frames = require "sarrus.model.equations.frame_class"
local errors = require "sarrus.base.errors"
local vec = require "sarrus.expr.vec"

local local_vector, sum = class_of_frames.local_vector, class_of_frames.sum

local Spatial = class_of_frames.new()

local function combine(x, o, l, with_origin)
  local list = {}
  for k = 1, 3 do
    list[k] = sum(with_origin and x[o + k] or 0, l[1], x[o + 3 + k], l[2], x[o + 6 + k],
      l[3], x[o + 9 + k])
  end
  return vec.new(list)
end

function Spatial:point(l)
  return combine(self.q, self.offset, local_vector(self, l, "point"), true)
end

function Spatial:direction(l)
  return combine(self.q, self.offset, local_vector(self, l, "direction"))
end

function Spatial:direction_rate(l)
  return combine(self.v, self.offset, l)
end

function Spatial:velocity(l)
  return combine(self.v, self.offset, local_vector(self, l, "velocity"), true)
end

function Spatial:inward(d)
  return vec.new { vec.dot(self:axis(1), d), vec.dot(self:axis(2), d), vec.dot(self:axis(3), d) }
end

function Spatial:velocity_off(d)
  return combine(self.v, self.offset, self:inward(d), true)
end

function Spatial:angle()
  errors.raise("angle: a body in space has no single angle; use direction")
end

--- The body's axis i.
function Spatial:axis(i)
  local q, o = self.q, self.offset + 3 * i
  return vec.new { q[o + 1], q[o + 2], q[o + 3] }
end

local function axis_rate(self, i)
  local v, o = self.v, self.offset + 3 * i
  return vec.new { v[o + 1], v[o + 2], v[o + 3] }
end

--- Angular velocity in body axes: e2'.e3, e3'.e1, e1'.e2.
function Spatial:rates()
  return vec.new {
    vec.dot(axis_rate(self, 2), self:axis(3)),
    vec.dot(axis_rate(self, 3), self:axis(1)),
    vec.dot(axis_rate(self, 1), self:axis(2)),
  }
end

--- (e1 x e1' + e2 x e2' + e3 x e3') / 2 (T27)
function Spatial:spin()
  local total = vec.cross(self:axis(1), axis_rate(self, 1))
  for i = 2, 3 do
    total = total + vec.cross(self:axis(i), axis_rate(self, i))
  end
  return total * 0.5
end

function Spatial:push(add, force, l)
  local o = self.offset
  for k = 1, 3 do
    add(o + k, force[k])
    for i = 1, 3 do
      if l and l[i] ~= 0 then
        add(o + 3 * i + k, l[i] * force[k])
      end
    end
  end
end

--- f_i = T x e_i / 2, since then e1 x f1 + e2 x f2 + e3 x f3 = T (T27).
function Spatial:twist(add, torque)
  for i = 1, 3 do
    local f = vec.cross(torque, self:axis(i)) * 0.5
    for k = 1, 3 do
      add(self.offset + 3 * i + k, f[k])
    end
  end
end

function Spatial:wrench(forces)
  local torque = vec.new { 0, 0, 0 }
  for i = 1, 3 do
    local o = 3 * i
    torque = torque + vec.cross(self:axis(i), { forces[o + 1], forces[o + 2], forces[o + 3] })
  end
  return vec.new { forces[1], forces[2], forces[3] }, torque
end

return class_of_frames.complete(Spatial)
