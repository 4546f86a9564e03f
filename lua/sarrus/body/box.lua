--- A uniform box (in the plane a rectangle), its edges along its own axes.
--- In a planar model `density` is mass per area.

local drawing = require "sarrus.model.drawing"
local kinds = require "sarrus.model.part.kinds"

local box = { turns = true, oriented = true }

function box.fields(dimension)
  return {
    { "position", kinds.place(dimension), required = true },
    { "size", kinds.place(dimension), required = true },
  }
end

function box.check(checked, fault)
  kinds.check_edges(checked.size, fault)
end

function box.build(checked)
  local a, b, c = checked.size[1], checked.size[2], checked.size[3]
  local mass = checked.mass or checked.density * (a * b * (c or 1))
  local inertia
  if c then
    inertia = {
      { mass * ((b * b + c * c) / 12), 0, 0 },
      { 0, mass * ((a * a + c * c) / 12), 0 },
      { 0, 0, mass * ((a * a + b * b) / 12) },
    }
  else
    inertia = mass * ((a * a + b * b) / 12)
  end
  return {
    mass = mass, position = checked.position, inertia = inertia,
    shape = { "box", size = checked.size },
  }
end

function box.reaches(shape, place, near)
  for k, x in ipairs(place) do
    if math.abs(x) > shape.size[k] / 2 + near then
      return false
    end
  end
  return true
end

function box.extent(shape)
  return drawing.norm(shape.size) / 2
end

return box
