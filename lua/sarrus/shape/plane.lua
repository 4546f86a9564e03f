--- A plane without ends, in space; its material lies behind it, against `normal`.

local kinds = require "sarrus.model.part.kinds"

local plane = { bodies = "one", dimension = 3, instead = "line" }

function plane.fields()
  return {
    { "at", kinds.place(3), required = true },
    { "normal", kinds.axis(3), required = true },
  }
end

function plane.form(checked, to)
  return { "plane", at = to.place(checked.at), normal = to.direction(checked.normal) }
end

return plane
