--- A uniform solid cylinder about `axis` (in the plane always across it), which `orientation`
--- turns.  In a planar model a length is not needed, and `density` without one is mass per area.

local drawing = require "sarrus.model.drawing"
local kinds = require "sarrus.model.part.kinds"

local cylinder = { turns = true, oriented = true, round = true }

function cylinder.fields(dimension)
  if dimension == 2 then
    return {
      { "position", kinds.place(2), required = true },
      { "radius", kinds.positive, required = true },
      { "length", kinds.positive },
      kinds.turning(2),
    }
  end
  return {
    { "position", kinds.place(3), required = true },
    { "radius", kinds.positive, required = true },
    { "length", kinds.positive, required = true },
    { "axis", kinds.axis(3), default = { 0, 0, 1 } },
  }
end

--- Inertia about the axis and across it; in space across I + (along - across) axis axis^T.
function cylinder.build(checked)
  local r, l = checked.radius, checked.length
  local mass = checked.mass or checked.density * math.pi * r * r * (l or 1)
  local along = mass * r * r / 2
  local inertia = along
  if checked.axis then
    local across, axis = mass * r * r / 4 + mass * (l or 0) * (l or 0) / 12, checked.axis
    inertia = {}
    for i = 1, 3 do
      inertia[i] = {}
      for j = 1, 3 do
        local product = axis[i] * axis[j]
        inertia[i][j] = i == j and across * (1 - product) + along * product
          or product ~= 0 and (along - across) * product or 0
      end
    end
  end
  return {
    mass = mass, position = checked.position, inertia = inertia, axis = checked.axis,
    shape = { "cylinder", radius = r, length = l or 0 },
  }
end

function cylinder.reaches(shape, place, near)
  if not shape.axis then
    return drawing.norm(place) <= shape.radius + near
  end
  local along, across = drawing.off_axis(place, shape.axis)
  return along <= shape.length / 2 + near and across <= shape.radius + near
end

function cylinder.extent(shape)
  return drawing.norm { shape.radius, shape.length / 2 }
end

return cylinder
