--- Where a frame is in another one: { rotation = matrix of rows, origin = vector }, of numbers.

local rotation = require "sarrus.expr.rotation"

local placement = {}

---@class sarrus.Placement
---@field rotation number[][]
---@field origin number[]

---@param turn? number[][]
---@param origin? number[]
---@return sarrus.Placement
function placement.new(turn, origin)
  return { rotation = turn or rotation.identity(), origin = origin or { 0, 0, 0 } }
end

--- A point of the frame, outside.
---@param self sarrus.Placement
---@param p number[]
---@return number[]
function placement.point(self, p)
  local x, o = rotation.apply(self.rotation, p), self.origin
  return { x[1] + o[1], x[2] + o[2], x[3] + o[3] }
end

--- A direction of the frame, outside.
---@param self sarrus.Placement
---@param d number[]
---@return number[]
function placement.direction(self, d)
  return rotation.apply(self.rotation, d)
end

--- Its rotation as a quaternion, as parts take it; nil where it turns nothing.
---@param self sarrus.Placement
---@return number[]?
function placement.quaternion(self)
  local q = rotation.quaternion(self.rotation)
  return math.max(math.abs(q[2]), math.abs(q[3]), math.abs(q[4])) > 1e-15 and q or nil
end

--- Where the frame b of a is, where a is.
---@param a sarrus.Placement
---@param b sarrus.Placement
---@return sarrus.Placement
function placement.product(a, b)
  return {
    rotation = rotation.product(a.rotation, b.rotation), origin = placement.point(a, b.origin),
  }
end

--- Where the outside is, seen from the frame.
---@param self sarrus.Placement
---@return sarrus.Placement
function placement.inverse(self)
  local back = rotation.transpose(self.rotation)
  local o = rotation.apply(back, self.origin)
  return { rotation = back, origin = { -o[1], -o[2], -o[3] } }
end

--- Cosine and sine; those of right angles are exact.
local function circle(angle)
  local c, s = math.cos(angle), math.sin(angle)
  if math.abs(c) < 1e-15 then
    return 0, s < 0 and -1 or 1
  elseif math.abs(s) < 1e-15 then
    return c < 0 and -1 or 1, 0
  end
  return c, s
end

--- The turn about a coordinate axis.
---@param axis 1|2|3
---@param angle number
---@return number[][]
function placement.about(axis, angle)
  local c, s = circle(angle)
  local m = rotation.identity()
  local j, k = axis % 3 + 1, (axis + 1) % 3 + 1
  m[j][j], m[j][k], m[k][j], m[k][k] = c, -s, s, c
  return m
end

--- Roll, pitch and yaw: about the fixed axes x, then y, then z.
---@param rpy number[]
---@return number[][]
function placement.of_rpy(rpy)
  local m = placement.about(3, rpy[3])
  m = rotation.product(m, placement.about(2, rpy[2]))
  return rotation.product(m, placement.about(1, rpy[1]))
end

--- The turn that takes z into a unit vector, the shortest one.
---@param d number[]
---@return number[][]
function placement.z_to(d)
  local across = d[1] * d[1] + d[2] * d[2]
  if across == 0 then
    return d[3] < 0 and placement.about(1, math.pi) or rotation.identity()
  end
  local w = d[3] < 0 and across / (1 - d[3]) or 1 + d[3] -- the same without cancellation
  return rotation.of_quaternion { w, -d[2], d[1], 0 }
end

return placement
