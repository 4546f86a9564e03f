--- A point: touches lines, planes and what has an inside.

local forms = require "sarrus.model.drawing.form"
local kinds = require "sarrus.model.part.kinds"

local point = { bodies = "one" }

function point.fields(dimension)
  return { { "at", kinds.place(dimension), required = true } }
end

function point.form(checked, to)
  local at = to.place(checked.at)
  local form = #at == 2 and forms.polygon("point", { at }) or { "point" }
  form.at = at
  return form
end

return point
