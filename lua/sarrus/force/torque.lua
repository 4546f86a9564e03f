--- A torque on a body: in the plane a number; in space a vector in world axes, or with frame =
--- "body" in the body's.

local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local kinds = require "sarrus.model.part.kinds"
local vec = require "sarrus.expr.vec"

local torque = { bodies = "one", oriented = true }

function torque.fields(dimension)
  local kind = dimension == 2 and kinds.of_time or kinds.vector_of_time(3)
  return {
    { "torque", kinds.or_function(kind), required = true },
    { "frame", fields.one_of { "world", "body" }, default = "world" },
  }
end

function torque.build(self, force, apply)
  local at, value = force.frames[1], self.torque
  if fields.is_callable(value) and not expr.is(value) then
    value = apply.call("torque", value, expr.time)
  end
  if at.dimension == 3 then
    value = vec.new(value)
    if self.frame == "body" then
      value = at:direction(value)
    end
  end
  apply.twist(at, value)
end

return torque
