--- Frames: a body at a state, whose coordinates are numbers or symbols.
---
--- Coordinates of a body, counted from its offset:
---   planar   x, y, theta                     point r + R(theta) l (T24)
---   spatial  r (3), e1 (3), e2 (3), e3 (3)   point r + l1 e1 + l2 e2 + l3 e3 (T25), axes e_i
---   a point  x, y[, z]                       point r + l
--- The ground has none.  Local vectors are in body axes, all answers in world axes.

local drawing = require "sarrus.model.drawing"
local errors = require "sarrus.base.errors"
local functions = require "sarrus.expr.functions".public
local strict = require "sarrus.base.strict"
local vec = require "sarrus.expr.vec"

local frame = {}

--- c1 x1 + c2 x2 + … without the terms that are zero.
local function sum(base, ...)
  local total = base
  for i = 1, select("#", ...), 2 do
    local c, x = (select(i, ...)), (select(i + 1, ...))
    if c ~= 0 and x ~= 0 then
      local term = c == 1 and x or c * x
      total = total == 0 and term or total + term
    end
  end
  return total
end

local function local_vector(self, list, name)
  if list == nil then
    return self.origin
  elseif type(list) ~= "table" or #list ~= self.dimension then
    errors.raise(("%s: %s, want a local vector of %d components"):format(name,
      type(list) == "table" and "got " .. #list .. " components" or errors.got(list),
      self.dimension))
  end
  return list
end

local function class_of_frames()
  return strict({ __name = "sarrus.frame" }, "a frame", {},
    { "body", "ground", "turns", "dimension", "offset", "q", "v", "origin", "c", "s" })
end

-- Planar -----------------------------------------------------------------------------------------

---@class sarrus.Frame
local Planar = class_of_frames()

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

-- Spatial ----------------------------------------------------------------------------------------

local Spatial = class_of_frames()

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

-- Points and the ground --------------------------------------------------------------------------

local Fixed = class_of_frames()

function Fixed:point(l)
  l = local_vector(self, l, "point")
  local list, moves = {}, not self.ground
  for k = 1, self.dimension do
    list[k] = moves and sum(self.q[self.offset + k], 1, l[k]) or l[k]
  end
  return vec.new(list)
end

function Fixed:direction(l)
  return vec.new(local_vector(self, l, "direction"))
end

local function zero(dimension)
  return vec.new(dimension == 2 and { 0, 0 } or { 0, 0, 0 })
end

function Fixed:direction_rate()
  return zero(self.dimension)
end

function Fixed:velocity()
  local list = {}
  for k = 1, self.dimension do
    list[k] = self.ground and 0 or self.v[self.offset + k]
  end
  return vec.new(list)
end

function Fixed:inward(d)
  return vec.new(d)
end
Fixed.velocity_off = Fixed.velocity

function Fixed:angle()
  return 0
end

function Fixed:spin()
  return self.dimension == 2 and 0 or zero(3)
end
Fixed.rates = Fixed.spin

function Fixed:axis(i)
  return vec.new { i == 1 and 1 or 0, i == 2 and 1 or 0, i == 3 and 1 or 0 }
end

function Fixed:push(add, force)
  for k = 1, self.ground and 0 or self.dimension do
    add(self.offset + k, force[k])
  end
end

function Fixed:twist()
end

function Fixed:wrench(forces)
  local list = {}
  for k = 1, self.dimension do
    list[k] = forces[k] or 0
  end
  return vec.new(list), self.dimension == 2 and 0 or zero(3)
end

-- What was drawn ---------------------------------------------------------------------------------

for _, class in ipairs { Planar, Spatial, Fixed } do
  -- What scripts call: with a colon, or they are told so.
  for _, name in ipairs { "point", "direction", "velocity", "angle", "spin" } do
    local method = class[name]
    class[name] = function(self, l)
      errors.check_self(self, class, name, "body")
      return method(self, l)
    end
  end

  --- The point of the body that is at place p of the drawing.
  function class:place(p)
    return self:point(drawing.place(self.body, p))
  end

  --- The direction of the body that is d in the drawing.
  function class:along(d)
    return self:direction(drawing.direction(self.body, d))
  end

  --- The velocity of that point.
  function class:place_velocity(p)
    return self:velocity(drawing.place(self.body, p))
  end

  --- The rate of that direction.
  function class:along_rate(d)
    return self:direction_rate(drawing.direction(self.body, d))
  end
end

--- A body, or the ground, at coordinates q and velocities v.
---@param body table the model's record of it
---@param dimension integer
---@param q sarrus.Scalar[]
---@param v sarrus.Scalar[]
---@return sarrus.Frame
function frame.new(body, dimension, q, v)
  local class = (body.ground or not body.turns) and Fixed or dimension == 2 and Planar or Spatial
  return setmetatable({
    body = body, ground = body.ground, turns = body.turns, dimension = dimension,
    offset = body.offset, q = q, v = v, origin = zero(dimension),
  }, class)
end

frame.sum = sum

return frame
