--- A rectangle in the plane, turned by `angle`; a box in space, turned by `orientation`.

local forms = require "sarrus.model.drawing.form"
local functions = require "sarrus.expr.functions".public
local kinds = require "sarrus.model.part.kinds"
local rotation = require "sarrus.expr.rotation"

local box = { bodies = "one" }

function box.fields(dimension)
  return {
    { "at", kinds.place(dimension), required = true },
    { "size", kinds.place(dimension), required = true },
    dimension == 2 and { "angle", kinds.scalar, default = 0 }
      or { "orientation", rotation.kind(kinds.scalar), default = rotation.identity() },
  }
end

function box.check(shape, fault)
  kinds.check_edges(shape.checked.size, fault)
end

function box.form(checked, to)
  local axes
  if checked.orientation then
    axes = rotation.transpose(checked.orientation)
  else
    local c, s = functions.cos(checked.angle), functions.sin(checked.angle)
    axes = { { c, s }, { -s, c } }
  end
  for i, axis in ipairs(axes) do
    axes[i] = to.direction(axis)
  end
  return forms.box(to.place(checked.at), axes, checked.size)
end

return box
