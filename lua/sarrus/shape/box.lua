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
  kinds.check_edges(shape.given.size, fault)
end

function box.form(given, to)
  local axes
  if given.orientation then
    axes = rotation.transpose(given.orientation)
  else
    local c, s = functions.cos(given.angle), functions.sin(given.angle)
    axes = { { c, s }, { -s, c } }
  end
  for i, axis in ipairs(axes) do
    axes[i] = to.direction(axis)
  end
  return forms.box(to.place(given.at), axes, given.size)
end

return box
