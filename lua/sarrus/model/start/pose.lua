--- Displacements of bodies from the drawing, and their velocities.
---
--- A displacement takes a place p of the drawing to R p + t; with it goes a field of velocities,
--- u + w x p at the world's place p.  In the plane R is an angle, not reduced, and w a number.

local later = require "sarrus.base.later"
local rotation = later "sarrus.expr.rotation"

local pose = {}

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

--- w x p
local function turn_rate(w, p)
  if #p == 2 then
    return { -w * p[2], w * p[1] }
  end
  return cross(w, p)
end

local function add(a, b, factor)
  factor = factor or 1
  if #a == 2 then
    return { a[1] + factor * b[1], a[2] + factor * b[2] }
  end
  return { a[1] + factor * b[1], a[2] + factor * b[2], a[3] + factor * b[3] }
end

---@class sarrus.Displacement
---@field angle number? in the plane
---@field matrix number[][]? in space
---@field shift number[] t
---@field spin any w
---@field velocity number[] u

--- No displacement, no velocity.
---@param dimension integer
---@return sarrus.Displacement
function pose.none(dimension)
  if dimension == 2 then
    return { angle = 0, shift = { 0, 0 }, spin = 0, velocity = { 0, 0 } }
  end
  return {
    matrix = rotation.identity(), shift = { 0, 0, 0 }, spin = { 0, 0, 0 }, velocity = { 0, 0, 0 },
  }
end

--- R d
---@param d sarrus.Displacement
---@param x number[] a direction
---@return number[]
function pose.turn(d, x)
  if d.matrix then
    return rotation.apply(d.matrix, x)
  end
  local c, s = math.cos(d.angle), math.sin(d.angle)
  return { c * x[1] - s * x[2], s * x[1] + c * x[2] }
end

--- R p + t
---@param d sarrus.Displacement
---@param p number[] a place
---@return number[]
function pose.move(d, p)
  return add(pose.turn(d, p), d.shift)
end

--- The velocity at a place of the world.
---@param d sarrus.Displacement
---@param p number[]
---@return number[]
function pose.velocity(d, p)
  return add(d.velocity, turn_rate(d.spin, p))
end

--- A further turn by an angle about an axis of the drawing through a place of it, before d, at a
--- rate.
---@param d sarrus.Displacement
---@param at number[]
---@param axis number[]? in space
---@param angle number
---@param rate number
---@return sarrus.Displacement
function pose.revolve(d, at, axis, angle, rate)
  local here = pose.move(d, at)
  local result = {
    angle = d.angle, matrix = d.matrix, shift = d.shift, spin = d.spin, velocity = d.velocity,
  }
  if d.matrix then
    result.matrix = rotation.product(d.matrix, rotation.about(axis, angle))
    local along = pose.turn(d, axis)
    local w = { rate * along[1], rate * along[2], rate * along[3] }
    result.spin = add(d.spin, w)
    result.velocity = add(d.velocity, cross(here, w))
  else
    result.angle = d.angle + angle
    result.spin = d.spin + rate
    result.velocity = add(d.velocity, { rate * here[2], -rate * here[1] })
  end
  result.shift = add(here, pose.turn(result, at), -1)
  return result
end

--- A further shift along an axis of the drawing, before d, at a speed.
---@param d sarrus.Displacement
---@param axis number[]
---@param length number
---@param speed number
---@return sarrus.Displacement
function pose.slide(d, axis, length, speed)
  local along = pose.turn(d, axis)
  return {
    angle = d.angle, matrix = d.matrix, spin = d.spin,
    shift = add(d.shift, along, length), velocity = add(d.velocity, along, speed),
  }
end

--- The displacement that brings a drawn body to a pose; what is not given is as d has it.
---@param d sarrus.Displacement
---@param body table
---@param given table position, angle or orientation, velocity, spin
---@return sarrus.Displacement
function pose.place(d, body, given)
  local result = {
    angle = d.angle, matrix = d.matrix, shift = d.shift, spin = d.spin, velocity = d.velocity,
  }
  local turned = pose.turn(d, body.position)
  local moved = add(turned, d.shift)
  if given.angle then
    result.angle = given.angle - body.angle
  elseif given.orientation then
    result.matrix = rotation.product(given.orientation, rotation.transpose(body.rotation))
  end
  if given.angle or given.orientation then
    turned = pose.turn(result, body.position)
  end
  local position = given.position or moved
  result.shift = add(position, turned, -1)
  local velocity = given.velocity or pose.velocity(d, moved)
  result.spin = given.spin or d.spin
  result.velocity = add(velocity, turn_rate(result.spin, position), -1)
  return result
end

--- Coordinates and velocities of a displaced body, as frame.lua orders them.
---@param d sarrus.Displacement
---@param body table
---@param q number[]
---@param v number[]
function pose.write(d, body, q, v)
  local o, position = body.offset, pose.move(d, body.position)
  local velocity = pose.velocity(d, position)
  for k = 1, #position do
    q[o + k], v[o + k] = position[k], velocity[k]
  end
  if body.angle then
    q[o + 3], v[o + 3] = body.angle + d.angle, d.spin
  elseif body.rotation then
    local r = rotation.product(d.matrix, body.rotation)
    for i = 1, 3 do
      local e = { r[1][i], r[2][i], r[3][i] }
      local rate = cross(d.spin, e)
      for k = 1, 3 do
        q[o + 3 * i + k], v[o + 3 * i + k] = e[k], rate[k]
      end
    end
  end
end

return pose
