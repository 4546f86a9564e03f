--- A sphere in space.

local kinds = require "sarrus.model.part.kinds"

local sphere = { bodies = "one", dimension = 3, instead = "disk" }

function sphere.fields()
  return {
    { "at", kinds.place(3), required = true },
    { "radius", kinds.positive, required = true },
  }
end

function sphere.form(checked, to)
  return { "sphere", at = to.place(checked.at), radius = checked.radius }
end

return sphere
