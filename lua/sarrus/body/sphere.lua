--- A uniform solid sphere (in a planar model too).

local drawing = require "sarrus.model.drawing"
local kinds = require "sarrus.model.part.kinds"

local sphere = { turns = true, oriented = true, round = true }

function sphere.fields(dimension)
  return {
    { "position", kinds.place(dimension), required = true },
    { "radius", kinds.positive, required = true },
  }
end

function sphere.build(checked)
  local r = checked.radius
  local mass = checked.mass or checked.density * (4 / 3 * math.pi) * r * r * r
  local moment = mass * r * r * (2 / 5)
  return {
    mass = mass,
    position = checked.position,
    inertia = #checked.position == 2 and moment
      or { { moment, 0, 0 }, { 0, moment, 0 }, { 0, 0, moment } },
    shape = { "sphere", radius = r },
  }
end

function sphere.reaches(shape, place, near)
  return drawing.norm(place) <= shape.radius + near
end

function sphere.extent(shape)
  return shape.radius
end

return sphere
