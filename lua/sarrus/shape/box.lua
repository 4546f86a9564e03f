--- A rectangle in the plane, turned by `angle`; a box in space, turned by `orientation`.

local forms = require "sarrus.model.form"
local body_box = require "sarrus.body.box"
local kinds = require "sarrus.model.kinds"
local fields = require "sarrus.fields"
local rotation = require "sarrus.rotation"

local box = { bodies = "one" }

function box.fields(dimension)
  return {
    { "at", kinds.place(dimension), required = true },
    { "size", kinds.place(dimension), required = true },
    dimension == 2 and { "angle", fields.number, default = 0 }
      or { "orientation", rotation.kind(function() end), default = rotation.identity() },
  }
end

function box.check(shape, fault)
  body_box.check(shape.given, fault)
end

function box.form(given, to)
  local axes = given.orientation and rotation.transpose(given.orientation)
    or { { math.cos(given.angle), math.sin(given.angle) },
      { -math.sin(given.angle), math.cos(given.angle) } }
  for i, axis in ipairs(axes) do
    axes[i] = to.direction(axis)
  end
  return forms.box(to.place(given.at), axes, given.size)
end

return box
