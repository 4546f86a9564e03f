--- A disk in the plane.

local kinds = require "sarrus.model.part.kinds"

local disk = { bodies = "one", dimension = 2, instead = "sphere or cylinder" }

function disk.fields()
  return {
    { "at", kinds.place(2), required = true },
    { "radius", kinds.positive, required = true },
  }
end

function disk.form(checked, to)
  return { "disk", at = to.place(checked.at), radius = checked.radius }
end

return disk
