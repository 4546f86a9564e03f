--- A cylinder in space: its flat ends are at `from` and `to`.

local drawing = require "sarrus.model.drawing"
local kinds = require "sarrus.model.part.kinds"

local cylinder = { bodies = "one", dimension = 3, instead = "box or disk" }

function cylinder.fields()
  return {
    { "from", kinds.place(3), required = true },
    { "to", kinds.place(3), required = true },
    { "radius", kinds.positive, required = true },
  }
end

function cylinder.check(shape, fault)
  if drawing.same(shape.checked.from, shape.checked.to) then
    fault("'from' and 'to' are the same place: the cylinder has no axis")
  end
end

function cylinder.form(checked, to)
  return {
    "cylinder", from = to.place(checked.from), to = to.place(checked.to), radius = checked.radius,
  }
end

return cylinder
