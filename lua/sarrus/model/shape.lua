--- Shapes: forms fixed to bodies, as records of a model.

local drawing = require "sarrus.model.drawing"
local forms = require "sarrus.model.form"

---@class sarrus.Shape
---@field name string its own, or that of the body that it is
---@field body table the model's record of what it is fixed to
---@field form table see form.lua
---@field color string?

local shape = {}

--- Places and directions of the drawing in the axes of a body.
local function into(body)
  return {
    place = function(p) return drawing.place(body, p) end,
    direction = function(d) return drawing.direction(body, d) end,
  }
end

--- Complete the record of a shape that a script gave.
---@param record table
---@return sarrus.Shape
function shape.complete(record)
  record.body, record.bodies = record.bodies[1], nil
  record.form = record.definition.form(record.given, into(record.body))
  record.color = record.given.color
  return record
end

--- The shape that a body is; nil where it has none.
---@param body table
---@param dimension integer
---@return sarrus.Shape?
function shape.of_body(body, dimension)
  if body.own_shape == nil then
    local form = forms.of_body(body, dimension)
    body.own_shape = form and { name = body.name, body = body, form = form } or false
  end
  return body.own_shape or nil
end

return shape
