--- What acts along the line from the place `from` of A to the place `to` of B.

local drawing = require "sarrus.model.drawing"
local vec = require "sarrus.expr.vec"

local line = {}

--- From the point of A to that of B, and its rate.
---@param given table with `from` and `to`
---@param force table
---@return sarrus.Vector d
---@return sarrus.Vector rate
function line.between(given, force)
  local a, b = force.frames[1], force.frames[2]
  return b:place(given.to) - a:place(given.from),
    b:place_velocity(given.to) - a:place_velocity(given.from)
end

--- Push B by f, and A by its opposite, at the ends of the line.
---@param given table
---@param force table
---@param apply sarrus.Apply
---@param f sarrus.Vector
function line.pull(given, force, apply, f)
  local a, b = force.frames[1], force.frames[2]
  apply.push(b, f, drawing.place(force.bodies[2], given.to))
  apply.push(a, -f, drawing.place(force.bodies[1], given.from))
end

--- -damping (d.d' / d.d) d
---@param given table with `damping`
---@param force table
---@param apply sarrus.Apply
function line.damp(given, force, apply)
  local d, rate = line.between(given, force)
  line.pull(given, force, apply, d * (-given.damping * vec.dot(d, rate) / vec.dot(d, d)))
end

return line
