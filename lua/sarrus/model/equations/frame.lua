--- Frames: a body at a state, whose coordinates are numbers or symbols.
---
--- Coordinates of a body, counted from its offset:
---   planar   x, y, theta                     point r + R(theta) l (T24)
---   spatial  r (3), e1 (3), e2 (3), e3 (3)   point r + l1 e1 + l2 e2 + l3 e3 (T25), axes e_i
---   a point  x, y[, z]                       point r + l
--- The ground has none.  Local vectors are in body axes, all answers in world axes.

local require = require -- a host may take it away from scripts

local class_of_frames = require "sarrus.model.equations.frame_class"
local later = require "sarrus.base.later"
local vec = require "sarrus.expr.vec"

local local_vector, sum = class_of_frames.local_vector, class_of_frames.sum

local frame = {}

-- Points and the ground --------------------------------------------------------------------------

local Fixed = class_of_frames.new()

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
class_of_frames.complete(Fixed)

-- Bodies that turn -------------------------------------------------------------------------------

local modules = {
  [2] = "sarrus.model.equations.frame_planar", [3] = "sarrus.model.equations.frame_spatial",
}
later.note(modules[2])
later.note(modules[3])

-- Their classes, by the dimension; a model needs one of them.
local turning = setmetatable({}, { __index = function(classes, dimension)
  classes[dimension] = require(modules[dimension])
  return classes[dimension]
end })

--- A body, or the ground, at coordinates q and velocities v.
---@param body table the model's record of it
---@param dimension integer
---@param q sarrus.Scalar[]
---@param v sarrus.Scalar[]
---@return sarrus.Frame
function frame.new(body, dimension, q, v)
  local class = (body.ground or not body.turns) and Fixed or turning[dimension]
  return setmetatable({
    body = body, ground = body.ground, turns = body.turns, dimension = dimension,
    offset = body.offset, q = q, v = v, origin = zero(dimension),
  }, class)
end

return frame
