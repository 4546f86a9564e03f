--- A force on a body: `force` in world axes, or with frame = "body" in the body's, at a place of
--- the body (the centre of mass if not given).

local drawing = require "sarrus.model.drawing"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local kinds = require "sarrus.model.part.kinds"
local vec = require "sarrus.expr.vec"

local applied = { bodies = "one" }

function applied.fields(dimension)
  return {
    { "at", kinds.place(dimension) },
    { "force", kinds.or_function(kinds.vector_of_time(dimension)), required = true },
    { "frame", fields.one_of { "world", "body" }, default = "world" },
  }
end

function applied.build(self, force, apply)
  local at, f = force.frames[1], self.force
  if fields.is_callable(f) then
    f = apply.call("force", f, expr.time)
  end
  f = vec.new(f)
  if self.frame == "body" then
    f = at:direction(f)
  end
  apply.push(at, f, self.at and drawing.place(force.bodies[1], self.at))
end

return applied
