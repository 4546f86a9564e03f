--- A rigid body by its mass and its inertia about the centre of mass.

local inertia = require "sarrus.model.part.inertia"
local kinds = require "sarrus.model.part.kinds"

local rigid = { turns = true, oriented = true, no_density = true }

function rigid.fields(dimension)
  return {
    { "position", kinds.place(dimension), required = true },
    { "inertia", inertia(dimension), required = true },
  }
end

function rigid.build(checked)
  return { position = checked.position, inertia = checked.inertia }
end

return rigid
