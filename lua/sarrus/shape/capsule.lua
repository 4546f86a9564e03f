--- A capsule in space: all places within `radius` of the line from `from` to `to`.

local drawing = require "sarrus.model.drawing"
local kinds = require "sarrus.model.part.kinds"

local capsule = { bodies = "one", dimension = 3, instead = "box and disks" }

function capsule.fields()
  return {
    { "from", kinds.place(3), required = true },
    { "to", kinds.place(3), required = true },
    { "radius", kinds.positive, required = true },
  }
end

function capsule.check(shape, fault)
  if drawing.same(shape.checked.from, shape.checked.to) then
    fault("'from' and 'to' are the same place: use sphere")
  end
end

function capsule.form(checked, to)
  return {
    "capsule", from = to.place(checked.from), to = to.place(checked.to), radius = checked.radius,
  }
end

return capsule
