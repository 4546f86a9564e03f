--- Triangles from an STL or OBJ file: drawn, never in contact.

local expr = require "sarrus.expr"
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
    { "scale", fields.either("a number other than 0, or one for each axis", kinds.not_zero,
      fields.list(kinds.not_zero, 3)), default = 1 },
  }
end

function mesh.check(shape, fault)
  local part = parts.origin(shape.part) -- which keeps what was read
  local message
  if not part.mesh then
    local read
    read, message = meshes.read(shape.checked.file)
    rawset(part, "mesh", read)
  end
  shape.checked.triangles = part.mesh
  if message then
    fault("file: " .. message)
  end
end

function mesh.form(checked, to)
  local points, scale = {}, checked.scale
  if type(scale) ~= "table" or expr.is(scale) then
    scale = { scale, scale, scale }
  end
  for i, p in ipairs(checked.triangles) do
    local world = rotation.apply(checked.orientation,
      { scale[1] * p[1], scale[2] * p[2], scale[3] * p[3] })
    for k = 1, 3 do
      world[k] = checked.at[k] + world[k]
    end
    points[i] = to.place(world)
  end
  return { "mesh", points = points }
end

return mesh
