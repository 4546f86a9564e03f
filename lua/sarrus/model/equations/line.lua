--- What acts along the line from the place `from` of A to the place `to` of B.

local drawing = require "sarrus.model.drawing"
local vec = require "sarrus.expr.vec"

local line = {}

--- From the point of A to that of B, and its rate.
---@param checked table with `from` and `to`
---@param force table
---@return sarrus.Vector d
---@return sarrus.Vector rate
function line.between(checked, force)
  local a, b = force.frames[1], force.frames[2]
  return b:place(checked.to) - a:place(checked.from),
    b:place_velocity(checked.to) - a:place_velocity(checked.from)
end

--- Push B by f, and A by its opposite, at the ends of the line.
---@param checked table
---@param force table
---@param apply sarrus.Apply
---@param f sarrus.Vector
function line.pull(checked, force, apply, f)
  local a, b = force.frames[1], force.frames[2]
  apply.push(b, f, drawing.place(force.bodies[2], checked.to))
  apply.push(a, -f, drawing.place(force.bodies[1], checked.from))
end

--- -damping (d.d' / d.d) d
---@param checked table with `damping`
---@param force table
---@param apply sarrus.Apply
function line.damp(checked, force, apply)
  local d, rate = line.between(checked, force)
  line.pull(checked, force, apply, d * (-checked.damping * vec.dot(d, rate) / vec.dot(d, d)))
end

--- The same once more, as an effort along the line's length; damping comes on top.
---@param checked table
---@param force table
---@param apply sarrus.Apply
---@param pull sarrus.Scalar along the line, by vec.norm(line.between(checked, force))
function line.lift(checked, force, apply, pull)
  local d, rate = line.between(checked, force)
  local length = vec.norm(d)
  local speed = checked.damping and vec.dot(d, rate) / length
  apply.lift(length, speed, speed and pull - checked.damping * speed or pull)
end

return line
