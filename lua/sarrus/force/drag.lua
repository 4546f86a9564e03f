--- Drag on the centre of mass: -(linear + quadratic |v|) v.
---
--- |v| = s sqrt(1 - u) with s^2 = v.v + r^2 and u = (r/s)^2: s has a power series at rest too, and
--- of the root five terms are taken.  The error of the force is below quadratic * r^2 / 40, and
--- quadratic * v^2 * (r/v)^10 / 36 beyond a few r: nothing, but where the body rests.  r is 1e-5 of
--- the mechanism's natural speed (speed.lua), in a hidden parameter that every start sets.  (Less
--- would need steps so short at rest that rounding in v undoes the gain.)

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

local function speed(v, r)
  local squared = vec.dot(v, v) + r ^ 2
  local u = r ^ 2 / squared
  return functions.sqrt(squared) * (1 - u * (1 / 2 + u * (1 / 8 + u * (1 / 16 + u * (5 / 128)))))
end

function drag.build(self, force, apply)
  local at = force.frames[1]
  local v, factor = at:velocity(), -(self.linear or 0)
  if self.quadratic then
    force.rest = expr.hidden(force.name .. ".rest", 1)
    factor = factor - self.quadratic * speed(v, force.rest)
  end
  apply.push(at, v * factor)
end

return drag
