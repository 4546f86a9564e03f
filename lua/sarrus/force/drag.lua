--- Drag on the centre of mass: -(linear + quadratic |v|) v.
---
--- |v| is taken as sqrt(v.v + r^2), which has a power series at rest too; the error of the force
--- is below quadratic * r^2 / 2.  r is 1e-5 of the mechanism's natural speed (speed.lua), in a
--- hidden parameter that every start sets.  (Less would need steps so short at rest that rounding
--- in v undoes the gain.)

local expr = require "sarrus.expr"
local functions = require "sarrus.expr.functions".public
local kinds = require "sarrus.model.part.kinds"
local vec = require "sarrus.expr.vec"

local drag = { bodies = "one" }

function drag.fields()
  return { { "linear", kinds.of_time }, { "quadratic", kinds.of_time } }
end

function drag.check(force, fault)
  if not force.checked.linear and not force.checked.quadratic then
    fault("missing field 'linear' or 'quadratic'")
  end
end

function drag.build(self, force, apply)
  local at = force.frames[1]
  local v, factor = at:velocity(), -(self.linear or 0)
  if self.quadratic then
    force.rest = expr.hidden(force.name .. ".rest", 1)
    factor = factor - self.quadratic * functions.sqrt(vec.dot(v, v) + force.rest ^ 2)
  end
  apply.push(at, v * factor)
end

return drag
