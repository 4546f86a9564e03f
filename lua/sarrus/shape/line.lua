--- A straight line without ends, in the plane; its material lies behind it, against `normal`.

local kinds = require "sarrus.model.part.kinds"

local line = { bodies = "one", dimension = 2, instead = "plane" }

function line.fields()
  return {
    { "at", kinds.place(2), required = true },
    { "normal", kinds.axis(2), required = true },
  }
end

function line.form(checked, to)
  return { "line", at = to.place(checked.at), normal = to.direction(checked.normal) }
end

return line
