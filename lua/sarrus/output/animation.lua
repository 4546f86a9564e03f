--- Animations: frame by frame, where all bodies of a model are and what its joints exert, at the
--- instants of a recording.
---
--- A frame is { t =, poses = { numbers }, reactions = { numbers }, touches = { numbers } }:
---   poses      for each body in the order of the model
---                planar   x, y, angle, vx, vy, spin
---                spatial  x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz
---   reactions  for each joint in the order of the model: its point on B, the force on B
---   touches    for each point at which shapes can touch: where, the force on B, the gap
--- All but the gap are in world axes.
--- Where an impulse or an impact makes velocities jump there are two frames of the same time,
--- before and after it.

local contact_reading = require "sarrus.model.state.contacts"
local observe = require "sarrus.model.equations.observe"
local rotation = require "sarrus.expr.rotation"

local animation = {}

local function append(list, ...)
  for i = 1, select("#", ...) do
    list[#list + 1] = (select(i, ...))
  end
end

local function append_vector(list, vector)
  for i = 1, #vector do
    list[#list + 1] = vector[i]
  end
end

local function put_pose(list, at)
  append_vector(list, at:point())
  if at.dimension == 2 then
    append(list, at:angle())
    append_vector(list, at:velocity())
    append(list, at:spin())
    return
  end
  for i = 1, 3 do
    append_vector(list, at:axis(i))
  end
  append_vector(list, at:velocity())
  append_vector(list, at:spin())
end

--- The expressions of one frame: poses, with axes in the place of quaternions, reactions, touches.
---@param model sarrus.Model
---@return sarrus.Scalar[]
function animation.expressions(model)
  local list = {}
  for _, body in ipairs(model.bodies) do
    put_pose(list, model.equations:frame(body))
  end
  for _, joint in ipairs(model.joints) do
    append_vector(list, observe.point(model, joint))
    append_vector(list, (observe.reaction(model, joint)))
  end
  for _, touch in ipairs(contact_reading.places(model)) do
    append_vector(list, touch.position)
    append_vector(list, touch.force)
    append(list, touch.gap)
  end
  return list
end

--- The quaternion of the axes that begin at row[i]; of the two that mean the same, the one nearer
--- to the last.
local function orientation(row, i, last, at)
  local q = rotation.quaternion {
    { row[i], row[i + 3], row[i + 6] },
    { row[i + 1], row[i + 4], row[i + 7] },
    { row[i + 2], row[i + 5], row[i + 8] },
  }
  local along = 0
  for k = 1, last and 4 or 0 do
    along = along + q[k] * last[at + k - 1]
  end
  local sign = along < 0 and -1 or 1
  return sign * q[1], sign * q[2], sign * q[3], sign * q[4]
end

--- A frame from the numbers of a row, the time first.
---@param model sarrus.Model
---@param row number[]
---@param last? number[] the poses before
---@return { t: number, poses: number[], reactions: number[], touches: number[] }
function animation.of_row(model, row, last)
  local poses, i = {}, 2
  local function copy(count)
    for k = i, i + count - 1 do
      poses[#poses + 1] = row[k]
    end
    i = i + count
  end
  for _ = 1, #model.bodies do
    if model.dimension == 2 then
      copy(6)
    else
      copy(3)
      append(poses, orientation(row, i, last, #poses + 1))
      i = i + 9
      copy(6)
    end
  end
  local reactions, touches = {}, {}
  local behind = i + 2 * model.dimension * #model.joints
  for k = i, #row do
    local list = k < behind and reactions or touches
    list[#list + 1] = row[k]
  end
  return { t = row[1], poses = poses, reactions = reactions, touches = touches }
end

return animation
