--- Shapes: forms fixed to bodies, as records of a model.

local drawing = require "sarrus.model.drawing"
local forms = require "sarrus.model.drawing.form"

---@class sarrus.Shape
---@field name string its own, or that of the body that it is
---@field body table the model's record of what it is fixed to
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
  record.color = record.checked.color
  return record
end

--- What a shape is (see form.lua).
---@param self sarrus.Shape
---@return table
function shape.form(self)
  local form = rawget(self, "form")
  if not form then
    form = self.definition.form(self.checked, into(self.body))
    self.form = form
  end
  return form
end

--- The shape that a body is; nil where it has none.
---@param body table
---@param dimension integer
---@return sarrus.Shape?
function shape.of_body(body, dimension)
  local own = rawget(body, "own_shape")
  if own == nil then
    local form = forms.of_body(body, dimension)
    own = form and { name = body.name, body = body, form = form } or false
    body.own_shape = own
  end
  return own or nil
end

return shape
