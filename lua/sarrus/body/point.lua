--- A point mass: a position, no rotation.

local drawing = require "sarrus.model.drawing"
local kinds = require "sarrus.model.part.kinds"

local point = { turns = false, no_density = true }

function point.fields(dimension)
  return { { "position", kinds.place(dimension), required = true } }
end

function point.build(checked)
  return { position = checked.position, shape = { "point" } }
end

function point.reaches(_, place, near)
  return drawing.norm(place) <= near
end

return point
