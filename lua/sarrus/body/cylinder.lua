--- A uniform solid cylinder about `axis` (in the plane always across it).
--- In a planar model a length is not needed, and `density` without one is mass per area.

local kinds = require "sarrus.model.kinds"

local cylinder = { turns = true, oriented = true, rolls = "disk" }

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

--- across I + (along - across) axis axis^T, in the directions of the world.
function cylinder.build(given)
  local r, l = given.radius, given.length
  local mass = given.mass or given.density * math.pi * r * r * (l or 1)
  local along = mass * r * r / 2
  local built = { mass = mass, position = given.position, inertia = along }
  if given.axis then
    local across, axis = mass * r * r / 4 + mass * (l or 0) * (l or 0) / 12, given.axis
    built.inertia_in_world = {}
    for i = 1, 3 do
      built.inertia_in_world[i] = {}
      for j = 1, 3 do
        local product = axis[i] * axis[j]
        built.inertia_in_world[i][j] = i == j and across * (1 - product) + along * product
          or product ~= 0 and (along - across) * product or 0
      end
    end
  end
  built.axis_in_world = given.axis
  built.shape = { "cylinder", radius = r, length = l or 0 }
  return built
end

return cylinder
