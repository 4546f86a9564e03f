--- A uniform straight rod; its x axis points from one end to the other.
---
--- With a radius it is a solid cylinder.  Without one it is thin, m l^2 / 12 about all axes across,
--- and in space turns about itself with the inertia of a radius of 1 % of its length.

local drawing = require "sarrus.model.drawing"
local functions = require "sarrus.expr.functions".public
local kinds = require "sarrus.model.part.kinds"
local later = require "sarrus.base.later"
local rotation = later "sarrus.expr.rotation"

local rod = { turns = true, slender = true }

function rod.fields(dimension)
  return {
    { "from", kinds.place(dimension), required = true },
    { "to", kinds.place(dimension), required = true },
    { "radius", kinds.positive },
  }
end

local function length_of(checked)
  local square, direction = 0, {}
  for i = 1, #checked.from do
    direction[i] = checked.to[i] - checked.from[i]
    square = square + direction[i] ^ 2
  end
  return drawing.sqrt(square), direction
end

function rod.check(checked, fault)
  if drawing.same(checked.from, checked.to) then
    fault("'from' and 'to' are the same place: the rod has no length")
  end
end

function rod.build(checked)
  local dimension, position = #checked.from, {}
  local length, direction = length_of(checked)
  for i = 1, dimension do
    position[i] = (checked.from[i] + checked.to[i]) / 2
    direction[i] = direction[i] / length
  end
  local radius = checked.radius or 0.01 * length
  local mass = checked.mass or checked.density * (math.pi * length) * radius * radius
  local across = mass * (length * length / 12)
  if checked.radius then
    across = across + mass * radius * radius / 4
  end
  local along = mass * radius * radius / 2
  return {
    mass = mass,
    position = position,
    angle = dimension == 2 and functions.atan(direction[2], direction[1]) or nil,
    rotation = dimension == 3 and rotation.towards(direction) or nil,
    inertia = dimension == 2 and across
      or { { along, 0, 0 }, { 0, across, 0 }, { 0, 0, across } },
    ends = { checked.from, checked.to },
    shape = { "rod", length = length, radius = radius },
  }
end

function rod.reaches(shape, place, near)
  local along, across = drawing.off_axis(place, { 1, 0, 0 })
  return along <= shape.length / 2 + near and across <= shape.radius + near
end

function rod.extent(shape)
  return shape.length / 2
end

return rod
