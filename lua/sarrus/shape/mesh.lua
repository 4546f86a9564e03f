--- Triangles from an STL or OBJ file: drawn, never in contact.

local fields = require "sarrus.base.fields"
local kinds = require "sarrus.model.part.kinds"
local meshes = require "sarrus.model.drawing.mesh"
local parts = require "sarrus.model.part"
local rotation = require "sarrus.expr.rotation"

local mesh = { bodies = "one", dimension = 3, instead = "polygon" }

function mesh.fields()
  return {
    { "file", fields.string, required = true },
    { "at", kinds.place(3), default = { 0, 0, 0 } },
    { "orientation", rotation.kind(kinds.scalar), default = rotation.identity() },
    { "scale", kinds.not_zero, default = 1 },
  }
end

function mesh.check(shape, fault)
  local part = parts.origin(shape.part) -- which keeps what was read
  local message
  if not part.mesh then
    part.mesh, message = meshes.read(shape.checked.file)
  end
  shape.checked.points = part.mesh
  if message then
    fault("file: " .. message)
  end
end

function mesh.form(checked, to)
  local points = {}
  for i, p in ipairs(checked.points) do
    local world = rotation.apply(checked.orientation, p)
    for k = 1, 3 do
      world[k] = checked.at[k] + checked.scale * world[k]
    end
    points[i] = to.place(world)
  end
  return { "mesh", points = points }
end

return mesh
